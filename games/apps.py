"""The app's configuration."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Matches, games and the lobby."""

    name = "games"

    def ready(self) -> None:
        """Close open pages' sockets when their session ends, and matches when a player goes.

        A block closes the offers between the two.
        """
        from accounts.hooks import hooks
        from games import conduct, sessions
        from games.presenters.answers import answers_export
        from games.presenters.chat import messages_export
        from games.presenters.departures import matches_export
        from games.presenters.exports import offers_export, vacations_export
        from games.presenters.note import notes_export
        from games.services.chat import chat_erase
        from games.services.departures import player_leave, players_part

        sessions.listen()
        conduct.listen()
        hooks.leaving += [player_leave, chat_erase]
        hooks.blocking.append(players_part)
        hooks.exports.append(("matches", matches_export))
        hooks.exports.append(("prepared_answers", answers_export))
        hooks.exports.append(("messages", messages_export))
        hooks.exports.append(("notes", notes_export))
        hooks.exports.append(("offers", offers_export))
        hooks.exports.append(("vacations", vacations_export))
