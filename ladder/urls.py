"""Addresses of the ladders."""

from __future__ import annotations

from django.urls import path

from ladder import season_views, views

app_name = "ladder"

urlpatterns = [
    path("ladders/", views.index, name="index"),
    path("ladders/rules/", views.rules, name="rules"),
    path("ladders/<slug:title>/<slug:ruleset_slug>/", views.standings, name="standings"),
    path("ladders/<slug:title>/<slug:ruleset_slug>/join/", views.join, name="join"),
    path(
        "ladders/<slug:title>/<slug:ruleset_slug>/players/<str:name>/",
        views.account,
        name="account",
    ),
    path("ladders/<slug:title>/<slug:ruleset_slug>/leave/", views.leave, name="leave"),
    path("ladders/<slug:title>/<slug:ruleset_slug>/seasons/", season_views.seasons, name="seasons"),
    path(
        "ladders/<slug:title>/<slug:ruleset_slug>/seasons/<slug:quarter>/",
        season_views.season,
        name="season",
    ),
    path("ladders/<slug:title>/<slug:ruleset_slug>/pause/", views.pause, name="pause"),
    path("ladders/<slug:title>/<slug:ruleset_slug>/go-on/", views.go_on, name="go_on"),
]
