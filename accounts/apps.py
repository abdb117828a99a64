"""The app's configuration."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """Registers the app."""

    name = "accounts"
    verbose_name = _("people")

    def ready(self) -> None:
        """Give players what this app keeps about them with their own data."""
        from accounts.exports import blocks_export, notices_export, reports_export
        from accounts.hooks import hooks

        hooks.exports.append(("notices", notices_export))
        hooks.exports.append(("blocks", blocks_export))
        hooks.exports.append(("reports", reports_export))
