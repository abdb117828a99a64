"""The app's configuration."""

from django.apps import AppConfig


class LadderConfig(AppConfig):
    """Ratings, standings and the ledger behind them."""

    name = "ladder"

    def ready(self) -> None:
        """Plug into the games."""
        from ladder import wiring

        wiring.connect()
