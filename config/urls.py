"""All addresses. The games' own stand in games/urls.py."""

from __future__ import annotations

from django.urls import include, path, re_path

from accounts.staff import staff_site
from accounts.views import ConfirmEmailView, SignupView
from config import account, views
from config.health import healthz

handler400 = views.bad_request

urlpatterns = [
    path("", views.home, name="home"),
    path("healthz", healthz, name="healthz"),
    path("sw.js", views.service_worker, name="service_worker"),
    path("players/<str:name>/", views.profile, name="profile"),
    path("preferences/", views.preferences, name="preferences"),
    path("preferences/delete/", account.account_delete, name="account_delete"),
    path("preferences/data.json", account.account_data, name="account_data"),
    # Before allauth's own: these two survive a race for a name or an address.
    path("accounts/signup/", SignupView.as_view(), name="account_signup"),
    re_path(
        r"^accounts/confirm-email/(?P<key>[-:\w]+)/$",
        ConfirmEmailView.as_view(),
        name="account_confirm_email",
    ),
    # Log-in and confirmation by a code in a mail: allauth has them, this site does not.
    re_path(
        r"^accounts/(?P<what>login|reauthenticate)/code/", views.not_offered, name="not_offered"
    ),
    path("accounts/", include("allauth.account.urls")),
    path("", include("accounts.urls")),
    path("staff/", staff_site.urls),
    path("", include("games.urls")),
    path("", include("ladder.urls")),
]
