"""The topmost app's configuration."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Joins the other apps; nothing imports it."""

    name = "config"
    verbose_name = "Marchstone"
