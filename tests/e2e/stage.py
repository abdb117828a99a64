"""Sets the scene for browser tests: players and matches, made through the services.

A process beside the site, `python -m tests.e2e.stage`, with the same DATA_DIR: each line it
reads asks for one thing in JSON, and is answered by one line. `Stage` is the asking side.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from tests.config.served import ROOT
from tests.e2e.site import Site


@dataclass(frozen=True, slots=True)
class Person:
    """A player with an open session, so that tests need not log in again and again."""

    name: str
    session: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A match and its newest game; `to_act` is the name of the player to act, if any.

    `hint` is the card and the stone that the easy bot would play now.
    """

    match: int
    game: int
    to_act: str
    waiting: str
    hint: list[str]

    @property
    def url(self) -> str:
        """Give the path of the board."""
        return f"/games/{self.game}/"


class Stage:
    """Asks the stage process for people and matches."""

    def __init__(self, site: Site) -> None:
        self._numbers = itertools.count(1)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.e2e.stage"],
            cwd=ROOT,
            env={**site.environment, "DJANGO_SETTINGS_MODULE": "config.settings"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def person(self, name: str = "", password: str = "", is_staff: bool = False) -> Person:
        """Make a player who is logged in; without a name, one of a kind.

        Staff are superusers.
        """
        name = name or f"Player{next(self._numbers)}"
        session = self._ask("person", name=name, password=password, is_staff=is_staff)
        return Person(name, session)

    def session(self, name: str) -> Person:
        """Open a session of somebody who is there."""
        return Person(name, self._ask("session", name=name))

    def shut_out(self, person: Person) -> None:
        """Close somebody's account, as staff would."""
        self._ask("shut_out", name=person.name)

    def stop_link(self, person: Person) -> str:
        """Give the path that ends somebody's mails, as it stands beneath each of them."""
        return str(self._ask("stop_link", name=person.name))

    def demo_games(self) -> list[tuple[int, str]]:
        """Give ids and titles of the demo's games that are looked at step by step."""
        return [tuple(told) for told in self._ask("demo_games")]

    def bot(self) -> str:
        """Make sure that there is a bot; gives its name."""
        return str(self._ask("bot"))

    def match(self, owner: Person, opponent: Person, **terms: Any) -> Scene:
        """Make a match; see `_match` for the terms."""
        return Scene(**self._ask("match", owner=owner.name, opponent=opponent.name, **terms))

    def dealt(self, owner: Person, opponent: Person, **how: Any) -> Scene:
        """Make a match with a deal of the test's own; see `_dealt` for how."""
        return Scene(**self._ask("dealt", owner=owner.name, opponent=opponent.name, **how))

    def bridges(self, owner: Person, opponent: Person, **how: Any) -> Scene:
        """Make a match of Three Bridges with a deal of the test's own; see `_bridges` for how."""
        return Scene(**self._ask("bridges", owner=owner.name, opponent=opponent.name, **how))

    def turns(self, scene: Scene, *turns: list[str]) -> Scene:
        """Make turns in a game, each by the steps of `tests.games.boards.turn`."""
        return Scene(**self._ask("turns", match=scene.match, turns=list(turns)))

    def rate(self) -> None:
        """Rate what is over now, as a sweep of the site would within minutes."""
        self._ask("rate")

    def hasten(self, scene: Scene) -> None:
        """Let the prepared answers of a game wait no longer than they must."""
        self._ask("hasten", game=scene.game)

    def offer(self, maker: Person, **terms: Any) -> str:
        """Make an offer, and give the path of its page; see `_offer` for the terms."""
        return str(self._ask("offer", maker=maker.name, **terms))

    def close(self) -> None:
        """End the stage process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(30)

    def _ask(self, what: str, **how: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([what, how]) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, "the stage process has died"
        return json.loads(answer)


def _bot() -> str:
    from games.services.bots import ensure_bot

    return ensure_bot().name


def _person(name: str, password: str, is_staff: bool) -> str:
    """Make a user with a confirmed address; gives the key of an open session."""
    from allauth.account.models import EmailAddress

    from accounts.models import User

    address = f"u{User.objects.count()}@example.org"
    rights = {"is_staff": is_staff, "is_superuser": is_staff}
    user = User.objects.create_user(name, address, password or None, **rights)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return _session(name)


def _session(name: str) -> str:
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from accounts.models import User

    user = User.objects.get(name=name)
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return str(session.session_key)


def _shut_out(name: str) -> None:
    from accounts.models import User
    from accounts.services import user_admission_set

    user_admission_set(user=User.objects.get(name=name), is_active=False)


def _stop_link(name: str) -> str:
    from django.urls import reverse

    from accounts.models import User
    from accounts.subscriptions import stop_token

    return reverse("games:notices_stop", args=[stop_token(User.objects.get(name=name))])


def _demo_games() -> list[tuple[int, str]]:
    from tests.games.demo_games import demo_games

    return [(game.pk, game.match.title) for game in demo_games()]


def _match(
    owner: str,
    opponent: str,
    until: str = "start",
    turns: int = 0,
    rounds: int = 1,
    ruleset: str = "after-play",
    is_private: bool = False,
    is_rated: bool = False,
) -> dict[str, Any]:
    """Start a match of the two, and play the easy bot's turns in it.

    `until` is "start", "turns" (that many), "claim" (the next turn claims a stone), "end" (the
    next turn ends the game) or "over".
    """
    from django.utils import timezone

    from accounts.models import User
    from games.services.offers import offer_accept

    users = {user.name: user for user in User.objects.filter(name__in=(owner, opponent))}
    how = {"is_private": is_private, "is_rated": is_rated}
    terms = {"rounds": rounds, "ruleset": ruleset, **how}
    offer = _make_offer(users[owner], **terms)
    match = offer_accept(offer_id=offer.pk, user=users[opponent], now=timezone.now())
    played = 0
    while (turn := _think(match)) is not None:
        stops = {
            "start": True,
            "turns": played == turns,
            "claim": played > 10 and any(action["type"] == "claim" for action in turn),
            "end": played > 10 and _ends_game(match, turn),
            "over": False,
        }
        if stops[until]:
            break
        _play(match, turn)
        played += 1
    return _scene(match, turn or [])


def _dealt(
    owner: str,
    opponent: str,
    hands: tuple[str, str],
    draws: str = "",
    tactics: str | None = None,
    ruleset: str = "after-play-tactics",
    turns: list[list[str]] | None = None,
) -> dict[str, Any]:
    """Start a match of one round in which the cards lie as told; the owner begins."""
    from games.models import Match
    from tests.games.boards import stack

    started = _match(owner, opponent, ruleset=ruleset)
    match = Match.objects.get(pk=started["match"])
    stack(_running(match), *hands, draws, tactics=tactics)
    return _turns(match.pk, turns or [])


def _bridges(
    owner: str,
    opponent: str,
    bridges: str,
    hands: tuple[str, str],
    draws: str = "",
    steps: str = "",
) -> dict[str, Any]:
    """Start a match of one round of Three Bridges; the owner begins.

    `steps` are made at once: those of `tests.games.bridges.step`, with ", " between them.
    """
    from games.models import Match
    from tests.games.bridges import deal, step

    started = _match(owner, opponent, ruleset="standard")
    match = Match.objects.get(pk=started["match"])
    game = deal(_running(match), bridges, *hands, draws)
    for told in filter(None, steps.split(", ")):
        step(game, told)
    return _scene(match, [])


def _turns(match: int, turns: list[list[str]]) -> dict[str, Any]:
    from games.models import Match
    from tests.games.boards import turn

    played = Match.objects.get(pk=match)
    for steps in turns:
        turn(_running(played), *steps)
    return _scene(played, [])


def _rate() -> int:
    from django.utils import timezone

    from ladder.services import ratings_sweep

    return ratings_sweep(now=timezone.now())


def _hasten(game: int) -> int:
    from games.models import PreparedAnswer

    return PreparedAnswer.objects.filter(game=game).update(delay_s=0)


def _offer(
    maker: str, kind: str = "seek", to: str = "", is_withdrawn: bool = False, **terms: Any
) -> str:
    """Make an offer that no bot takes; gives the path of its page."""
    from django.utils import timezone

    from accounts.models import User
    from games.services.offers import offer_withdraw

    user = User.objects.get(name=maker)
    addressee = User.objects.get(name=to) if to else None
    offer = _make_offer(user, kind, addressee, **terms)
    if is_withdrawn:
        offer_withdraw(offer_id=offer.pk, user=user, now=timezone.now())
    return f"/invitations/{offer.token}/" if kind == "invitation" else f"/offers/{offer.pk}/"


def _make_offer(
    maker: Any,
    kind: str = "seek",
    addressee: Any = None,
    rounds: int = 3,
    ruleset: str = "after-play",
    pace: str = "per-turn-3",
    is_private: bool = False,
    is_rated: bool = False,
) -> Any:
    import uuid

    from django.utils import timezone

    from games.services.offers import offer_create
    from games.services.terms import OfferTerms

    title = "three-bridges" if ruleset == "standard" else "schotten-totten"
    how = {"is_private": is_private, "is_rated": is_rated, "is_bot_welcome": False}
    terms = OfferTerms(title, ruleset, rounds, pace, **how)
    return offer_create(
        maker=maker,
        kind=kind,
        terms=terms,
        addressee=addressee,
        request_id=uuid.uuid4().hex,
        now=timezone.now(),
    )


def _running(match: Any) -> Any:
    games = match.games.select_related("match__player_0", "match__player_1")
    return games.filter(turn__isnull=False).first()


def _think(match: Any) -> list[dict[str, Any]] | None:
    """Give the turn that the easy bot would make now; None where the match is over."""
    from games.services.bots import bot_turn

    game = _running(match)
    return None if game is None else bot_turn(game)


def _ends_game(match: Any, turn: list[dict[str, Any]]) -> bool:
    from games.selectors import game_fold

    folded = game_fold(_running(match))
    state = folded.state
    for action in turn:
        state = folded.title.apply(state, folded.title.parse_action(action))
    return folded.title.to_act(state) is None


def _play(match: Any, turn: list[dict[str, Any]]) -> None:
    import uuid

    from django.utils import timezone

    from games.services.turns import turn_submit

    game = _running(match)
    turn_submit(
        game_id=game.pk,
        user=game.match.players[game.turn],
        actions=turn,
        expected_version=game.version,
        request_id=uuid.uuid4().hex,
        now=timezone.now(),
    )


def _scene(match: Any, turn: list[dict[str, Any]]) -> dict[str, Any]:
    game = match.games.select_related("match__player_0", "match__player_1").latest("round")
    names = [player.name for player in game.match.players]
    is_running = game.turn is not None
    plays = [action for action in turn if action["type"] == "play"]
    return {
        "match": match.pk,
        "game": game.pk,
        "to_act": names[game.turn] if is_running else "",
        "waiting": names[1 - game.turn] if is_running else "",
        "hint": [str(plays[0]["card"]), str(plays[0]["stone"])] if plays else [],
    }


def main() -> None:
    """Answer until the asking side closes."""
    import django

    django.setup()
    answers = {
        "bot": _bot,
        "person": _person,
        "session": _session,
        "shut_out": _shut_out,
        "stop_link": _stop_link,
        "demo_games": _demo_games,
        "match": _match,
        "dealt": _dealt,
        "bridges": _bridges,
        "turns": _turns,
        "offer": _offer,
        "hasten": _hasten,
        "rate": _rate,
    }
    for line in sys.stdin:
        what, how = json.loads(line)
        sys.stdout.write(json.dumps(answers[what](**how)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
