"""Addresses of what one does about other players; the profile itself joins apps in config."""

from __future__ import annotations

from django.urls import path

from accounts import conduct_views

urlpatterns = [
    path("players/<str:name>/block/", conduct_views.block, name="block"),
    path("players/<str:name>/unblock/", conduct_views.unblock, name="unblock"),
    path("players/<str:name>/report/", conduct_views.report, name="report"),
    path("preferences/blocked/", conduct_views.blocked, name="blocked"),
]
