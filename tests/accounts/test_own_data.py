"""A player's own data: everything that is kept about them, and nothing that is others' own."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts.blocks import block_set
from accounts.channels import NoticeChoice, PushDevice, Webhook
from accounts.conduct import Block, Report
from accounts.models import User
from games.models import Vacation
from tests.games.conftest import Cast, cast, client_of, make_offer

__all__ = ["cast"]

EXPORTED = {
    "account.EmailAddress.user": "account",
    "accounts.Block.blocker": "blocks",
    "accounts.NoticeChoice.user": "notices",
    "accounts.PushDevice.user": "notices",
    "accounts.Report.reporter": "reports",
    "accounts.Webhook.user": "notices",
    "games.ChatMessage.author": "messages",
    "games.Desk.user": "notes",
    "games.Match.player_0": "matches",
    "games.Match.player_1": "matches",
    "games.Offer.addressee": "offers",
    "games.Offer.maker": "offers",
    "games.PreparedAnswer.user": "prepared_answers",
    "games.Vacation.user": "vacations",
    "games.VacationChoice.user": "vacations",
    "ladder.LedgerEntry.user": "ratings",
    "ladder.Standing.user": "ratings",
}
"""Rows that name a player, and the key under which they are given."""
LEFT_OUT = {
    "accounts.Block.blocked": "others' own",
    "accounts.Report.target": "others' own",
    "accounts.Presence.user": "the last minutes, always changing",
    "accounts.User_groups.user": "rights of staff",
    "accounts.User_user_permissions.user": "rights of staff",
    "admin.LogEntry.user": "the site's record of what staff did",
    "games.ChatPlace.user": "how far a chat was read",
    "games.DrawnSecrets.maker": "secret",
    "games.Notice.user": "on the way, said by the matches themselves",
    "ladder.SeasonPlace.user": "published for good",
}


def data_of(player: User) -> Any:
    answer = client_of(player).get("/preferences/data.json")
    assert answer.status_code == 200
    return json.loads(answer.text)


def test_each_kind_of_row_that_names_a_player_is_given_or_left_out_for_a_reason(
    cast: Cast,
) -> None:
    relations = [r for r in User._meta.get_fields(include_hidden=True) if r.auto_created]
    named = {
        f"{r.related_model._meta.label}.{r.field.name}"  # type: ignore[union-attr]  # a relation
        for r in relations
        if not r.concrete
    }
    assert named == EXPORTED.keys() | LEFT_OUT.keys()
    assert set(EXPORTED.values()) <= data_of(cast.owner).keys()


def test_blocks_and_reports_are_those_of_the_player_alone(cast: Cast) -> None:
    now = timezone.now()
    block_set(blocker=cast.owner, blocked=cast.stranger, now=now)
    block_set(blocker=cast.opponent, blocked=cast.owner, now=now)
    made = {"category": "spam", "created_at": now}
    Report.objects.create(reporter=cast.owner, target=cast.stranger, text="Sells boats.", **made)
    Report.objects.create(reporter=cast.opponent, target=cast.owner, text="Owner sings.", **made)
    data = data_of(cast.owner)
    assert Block.objects.count() == 2
    assert [row["player"] for row in data["blocks"]] == ["Stranger"]
    assert [(row["player"], row["text"]) for row in data["reports"]] == [
        ("Stranger", "Sells boats.")
    ]
    assert "Owner sings." not in json.dumps(data)


def test_where_somebody_is_told_of_things_without_what_signs_it(cast: Cast) -> None:
    NoticeChoice.objects.create(user=cast.owner, mail="daily", mail_hour=7)
    Webhook.objects.create(user=cast.owner, url="https://bell.example/", secret="hush-hush")
    PushDevice.objects.create(
        user=cast.owner,
        endpoint="https://push.example/1",
        endpoint_hash="1",
        p256dh="key",
        auth="hush-too",
        name="Firefox",
        created_at=timezone.now(),
    )
    notices = data_of(cast.owner)["notices"]
    assert (notices["mail"], notices["mail_hour"]) == ("daily", 7)
    assert notices["webhook"]["url"] == "https://bell.example/"
    assert notices["browsers"][0]["name"] == "Firefox"
    assert "hush" not in json.dumps(notices)


def test_offers_are_given_without_the_secrets_of_their_deals(cast: Cast) -> None:
    offer = make_offer(cast.owner, "challenge", to=cast.opponent)
    mine, theirs = data_of(cast.owner)["offers"], data_of(cast.opponent)["offers"]
    assert [(row["kind"], row["mine"]) for row in mine] == [("challenge", True)]
    assert [(row["maker"], row["mine"]) for row in theirs] == [("Owner", False)]
    assert data_of(cast.stranger)["offers"] == []
    for secret in (*offer.secrets, offer.token):
        assert secret not in json.dumps([mine, theirs])


def test_planned_vacations_are_given(cast: Cast) -> None:
    start = timezone.now() + timedelta(days=3)
    end = start + timedelta(days=2)
    Vacation.objects.create(
        user=cast.owner, starts_at=start, ends_at=end, planned_end_at=end, created_at=start
    )
    vacations = data_of(cast.owner)["vacations"]
    assert len(vacations["vacations"]) == 1
    assert vacations["vacations"][0]["starts_at"].startswith(f"{start:%Y-%m-%d}")
    assert vacations["may_begin_by_itself"] is None
