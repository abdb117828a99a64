"""Where the ladder plugs into the games below it: one signal, and the hooks."""

from __future__ import annotations

from typing import Any

from accounts.hooks import hooks as account_hooks
from accounts.services import user_shut_out
from games import clock, publish, signals
from games.hooks import hooks
from games.models import Match
from ladder.exports import ratings_export
from ladder.memberships import ladders_leave, may_play_rated, member_gone, rated_start
from ladder.presenters import maker_ratings, match_section, rating_lookup, result_section
from ladder.profile_presenters import profile_section
from ladder.season_presenters import seasons_section


def connect() -> None:
    """Listen and register. Called once, when the apps are ready."""
    signals.match_ended.connect(on_match_ended, dispatch_uid="ladder.match_rate")
    user_shut_out.connect(on_user_shut_out, dispatch_uid="ladder.member_gone")
    account_hooks.leaving.insert(0, ladders_leave)
    account_hooks.exports.append(("ratings", ratings_export))
    hooks.may_play_rated = may_play_rated
    hooks.rated_start = rated_start
    hooks.maker_ratings = maker_ratings
    hooks.rating_lookup = rating_lookup
    hooks.profile_sections.append(profile_section)
    hooks.profile_sections.append(seasons_section)
    hooks.match_sections.append(match_section)
    hooks.result_sections.append(result_section)


def on_match_ended(*, match_id: int, **_: Any) -> None:
    """Enqueue the rating of a rated match. What is lost here is found by the sweep."""
    if Match.objects.filter(pk=match_id, is_rated=True).exists():
        publish.task("ladder.match_rate", match_id)


def on_user_shut_out(*, user_id: int, **_: Any) -> None:
    """Take the numbers of who was shut out. What is lost here is found by the sweep."""
    member_gone(user_id=user_id, now=clock.now())
