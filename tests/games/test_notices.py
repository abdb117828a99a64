""" "Your turn" mails: one a turn, in time, to the right person, and never about a card."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend

from accounts.blocks import block_set
from games import clock, tasks
from games.engine.schotten_totten.cards import CLAN_CODES
from games.models import Delivery, Game, Heartbeat, Notice
from games.services import deliveries
from games.services.bots import ensure_bot
from games.services.matches import match_abort
from games.services.notices import notice_settle as settle
from games.services.offers import match_rematch, offer_accept, offer_decline, offer_withdraw
from games.services.turns import match_resign
from tests.games.conftest import Cast, client_of, make_offer, play_turn

pytestmark = pytest.mark.django_db

LATER = timedelta(minutes=2)
NOTICES = "X-Marchstone-Notices"


def sweep(by: timedelta = LATER) -> list[mail.EmailMessage]:
    """Run the periodic task a while later; give the mails that it sent."""
    before = len(mail.outbox)
    with clock.shifted(by):
        tasks.notices_sweep()
    return mail.outbox[before:]


def test_a_mail_names_opponent_ruleset_round_score_deadline_and_board(
    cast: Cast, game: Game
) -> None:
    sent = sweep()
    assert len(sent) == 1
    to_act = game.match.players[game.turn or 0]
    other = game.match.players[1 - (game.turn or 0)]
    assert sent[0].to == [to_act.email]
    assert other.name in sent[0].subject
    for told in (other.name, "Schotten Totten", "Game 1 of 3", "you 0", f"/games/{game.pk}/"):
        assert told in str(sent[0].body)
    assert "(UTC)" in str(sent[0].body)
    assert [kind for _, kind in sent[0].alternatives] == ["text/html"]


def test_a_mail_names_no_card(cast: Cast, game: Game) -> None:
    play_turn(game)
    text = "".join(str(m.body) + str(m.alternatives) + m.subject for m in sweep())
    assert text
    assert not [code for code in CLAN_CODES if re.search(rf"\b{code}\b", text)]


def test_it_waits_a_minute_and_goes_out_once(cast: Cast, game: Game) -> None:
    assert sweep(timedelta(seconds=30)) == []
    assert len(sweep()) == 1
    assert sweep() == []


def test_fault_61_no_mail_for_a_turn_that_was_made(cast: Cast, game: Game) -> None:
    play_turn(game)
    sent = sweep()
    game.refresh_from_db()
    assert [m.to for m in sent] == [[game.match.players[game.turn or 0].email]]


def test_no_mail_that_it_is_your_turn_in_a_game_that_is_over(
    cast: Cast, game: Game, now: datetime
) -> None:
    match_abort(match_id=game.match_id, user=cast.owner, now=now)
    assert not [m for m in sweep() if "Your turn" in m.subject]


def claim_unsent(game: Game) -> None:
    """Let a worker die after it claimed the mail about a turn, before it marked it."""
    with clock.shifted(LATER):
        notice = Notice.objects.get()
        settle(notice_id=notice.pk, now=clock.now())
        user = game.match.players[game.turn or 0]
        assert deliveries.mails_claim(user_id=user.pk, now=clock.now())
        assert not deliveries.mails_claim(user_id=user.pk, now=clock.now())


def test_a_second_worker_leaves_a_claimed_mail_alone(cast: Cast, game: Game) -> None:
    claim_unsent(game)
    assert sweep() == []


def test_a_claim_of_a_dead_worker_runs_out(cast: Cast, game: Game) -> None:
    claim_unsent(game)
    assert len(sweep(LATER + deliveries.CLAIM_LASTS + timedelta(seconds=1))) == 1


def test_a_mail_that_goes_out_twice_after_a_crash_has_one_name(
    cast: Cast, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed between sending and marking: mail programs show one message of that id."""
    with monkeypatch.context() as dying:
        dying.setattr(deliveries, "delivered", lambda *told, **rest: None)
        (first,) = sweep()
    (second,) = sweep(LATER + deliveries.CLAIM_LASTS + timedelta(seconds=1))
    assert first.message()["Message-ID"] == second.message()["Message-ID"]


def test_what_may_have_gone_out_is_never_told_in_a_mail_of_another_name(
    cast: Cast, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed between sending and marking; something new is due when the claim runs out."""
    with monkeypatch.context() as dying:
        dying.setattr(deliveries, "delivered", lambda *told, **rest: None)
        (first,) = sweep()
    challenge = make_offer(cast.stranger, "challenge", game.match.players[game.turn or 0])
    again, new = sweep(LATER + deliveries.CLAIM_LASTS + timedelta(minutes=2))
    turn = f"turn:{game.pk}:{game.version}"
    assert [mail.message()[NOTICES] for mail in (first, again, new)] == [
        turn,
        turn,
        f"challenge:{challenge.pk}",
    ]
    assert first.message()["Message-ID"] == again.message()["Message-ID"]
    assert "challenges you" not in str(again.body)


def test_a_mail_that_is_no_longer_true_keeps_no_new_one_waiting(
    cast: Cast, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as dying:
        dying.setattr(deliveries, "delivered", lambda *told, **rest: None)
        sweep()
    user = game.match.players[game.turn or 0]
    play_turn(game)
    challenge = make_offer(cast.stranger, "challenge", user)
    later = sweep(LATER + deliveries.CLAIM_LASTS + timedelta(minutes=2))
    told = [mail.message()[NOTICES] for mail in later if mail.to == [user.email]]
    assert told == [f"challenge:{challenge.pk}"]


def test_a_reminder_that_was_put_off_is_another_mail(
    cast: Cast, game: Game, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What may have gone out told another deadline: mail programs must not take it for the same."""
    assert game.deadline_at is not None
    at = game.deadline_at - now - timedelta(hours=1)
    sweep(at)
    with monkeypatch.context() as dying:
        dying.setattr(deliveries, "delivered", lambda *told, **rest: None)
        (first,) = sweep(at + LATER)
    Game.objects.filter(pk=game.pk).update(deadline_at=game.deadline_at + timedelta(hours=40))
    assert sweep(at + timedelta(hours=1)) == []
    told = {mail.message()[NOTICES]: mail for mail in sweep(at + timedelta(hours=40))}
    second = told[first.message()[NOTICES]]
    assert first.message()["Message-ID"] != second.message()["Message-ID"]


def test_a_mail_server_that_is_away_loses_nothing(
    cast: Cast, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(self: EmailBackend, messages: list[mail.EmailMessage]) -> int:
        raise ConnectionRefusedError

    with monkeypatch.context() as broken:
        broken.setattr(EmailBackend, "send_messages", away)
        assert sweep() == []
    assert sweep(LATER + timedelta(seconds=50)) == []
    assert len(sweep(LATER + timedelta(seconds=70))) == 1


def test_an_address_that_never_takes_mails_is_given_up(
    cast: Cast, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = []

    def refuse(self: EmailBackend, messages: list[mail.EmailMessage]) -> int:
        tries.append(messages)
        raise OSError

    monkeypatch.setattr(EmailBackend, "send_messages", refuse)
    for hours in range(12):
        sweep(LATER + timedelta(hours=4 * hours))
    assert len(tries) == 1 + len(deliveries.PAUSES_MIN)
    assert Delivery.objects.filter(channel="mail").first().result == "failed"


def test_an_address_that_is_refused_keeps_no_other_waiting(
    cast: Cast, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_offer(cast.stranger, "challenge", game.match.players[1 - (game.turn or 0)])
    send, tried = EmailBackend.send_messages, []

    def picky(self: EmailBackend, messages: list[mail.EmailMessage]) -> int:
        tried.append(messages)
        if len(tried) == 1:
            raise OSError
        return send(self, messages)

    monkeypatch.setattr(EmailBackend, "send_messages", picky)
    assert len(sweep()) == 1
    assert Heartbeat.objects.filter(job="games.notices_sweep").exists()


def test_a_user_without_an_address_gets_no_mail(cast: Cast, game: Game) -> None:
    for user in (cast.owner, cast.opponent):
        user.email = ""
        user.save(update_fields=["email"])
    play_turn(game)
    assert sweep() == []


def test_the_sweep_leaves_its_heartbeat(cast: Cast, game: Game) -> None:
    sweep()
    assert Heartbeat.objects.filter(job="games.notices_sweep").exists()


class TestChallenges:
    """A challenge is told by mail, once, while it can still be answered."""

    def test_a_mail_names_who_what_how_long_and_where(self, cast: Cast) -> None:
        offer = make_offer(cast.owner, "challenge", cast.opponent, n_rounds=2)
        (sent,) = sweep()
        assert sent.to == [cast.opponent.email]
        assert sent.subject == f"{cast.owner.name} challenges you"
        for told in ("Schotten Totten", "2 games", "3 days per turn", f"/offers/{offer.pk}/"):
            assert told in str(sent.body)
            assert told in str(sent.alternatives[0].content)
        page = client_of(cast.owner).get(f"/offers/{offer.pk}/").text
        assert "finds it at home and in the lobby" in page
        assert (
            "finds it at home and in the lobby"
            not in client_of(cast.opponent).get(f"/offers/{offer.pk}/").text
        )

    def test_it_is_written_in_the_language_of_the_one_challenged(self, cast: Cast) -> None:
        cast.opponent.language = "de"
        cast.opponent.save(update_fields=["language"])
        make_offer(cast.owner, "challenge", cast.opponent)
        (sent,) = sweep()
        assert '<html lang="de">' in str(sent.alternatives[0].content)

    def test_it_waits_a_minute_and_goes_out_once(self, cast: Cast) -> None:
        make_offer(cast.owner, "challenge", cast.opponent)
        assert sweep(timedelta(seconds=30)) == []
        assert len(sweep()) == 1
        assert sweep() == []

    @pytest.mark.parametrize("answer", [offer_accept, offer_decline, offer_withdraw])
    def test_no_mail_about_what_was_answered(self, cast: Cast, now: datetime, answer: Any) -> None:
        offer = make_offer(cast.owner, "challenge", cast.opponent)
        user = cast.owner if answer is offer_withdraw else cast.opponent
        answer(offer_id=offer.pk, user=user, now=now)
        assert not [m for m in sweep() if "challenges you" in m.subject]

    @pytest.mark.parametrize("seat", [0, 1])
    def test_no_mail_between_two_who_cannot_meet(
        self, cast: Cast, now: datetime, seat: int
    ) -> None:
        pair = (cast.owner, cast.opponent)
        make_offer(cast.owner, "challenge", cast.opponent)
        block_set(blocker=pair[seat], blocked=pair[1 - seat], now=now)
        assert sweep() == []

    def test_no_mail_to_a_closed_account_or_to_a_bot(self, cast: Cast) -> None:
        make_offer(cast.owner, "challenge", cast.opponent)
        cast.opponent.is_active = False
        cast.opponent.save(update_fields=["is_active"])
        make_offer(cast.owner, "challenge", ensure_bot())
        assert sweep() == []
        assert Notice.objects.get().is_dropped

    def test_offers_to_nobody_in_particular_are_told_to_nobody(self, cast: Cast) -> None:
        make_offer(cast.owner)
        make_offer(cast.owner, "invitation")
        assert not Notice.objects.exists()

    def test_a_rematch_is_told_as_one(self, cast: Cast, game: Game, now: datetime) -> None:
        match_resign(
            game_id=game.pk, user=cast.owner, expected_version=0, request_id="resign", now=now
        )
        match_rematch(match_id=game.match_id, user=cast.owner, request_id="again", now=now)
        (sent,) = sweep()
        assert f"{cast.owner.name} asks you for a rematch:" in str(sent.body)
        assert sent.to == [cast.opponent.email]
