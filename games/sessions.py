"""Sockets end with what let them in: log-out, a new password and being shut out close them."""

from __future__ import annotations

from typing import Any

from allauth.account.signals import password_changed, password_reset
from django.contrib.auth.signals import user_logged_out
from django.http import HttpRequest

from accounts.models import User
from accounts.services import user_shut_out
from games import publish


def listen() -> None:
    """Connect the receivers; called once, when the apps are ready."""
    user_logged_out.connect(_on_log_out, dispatch_uid="games.sessions.log_out")
    for signal in (password_changed, password_reset):
        signal.connect(_on_password, dispatch_uid="games.sessions.password")
    user_shut_out.connect(_on_shut_out, dispatch_uid="games.sessions.shut_out")


def _on_log_out(request: HttpRequest, **kwargs: Any) -> None:
    if request.session.session_key:
        publish.session_ended(publish.session_group(request.session.session_key))


def _on_password(user: User, **kwargs: Any) -> None:
    publish.session_ended(publish.user_group(user.pk))


def _on_shut_out(user_id: int, **kwargs: Any) -> None:
    publish.session_ended(publish.user_group(user_id))
