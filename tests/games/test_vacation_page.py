"""The page of one's vacations, and what others see of one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Vacation, VacationChoice
from games.services.vacations import vacation_start
from tests.games.boards import text_of
from tests.games.conftest import Cast, fields, make_match, make_offer


def test_start_and_come_back(owner: User, owner_client: Client, client: Client) -> None:
    assert "30 days left in" in owner_client.get("/vacation/").content.decode()
    page = owner_client.post("/vacation/start/", follow=True).content.decode()
    assert "You are on vacation" in page
    assert "on vacation until" in client.get(owner.get_absolute_url()).content.decode()
    vacation = Vacation.objects.get()
    page = owner_client.post(f"/vacation/{vacation.pk}/end/", follow=True).content.decode()
    assert "Start a vacation now" in page
    assert "on vacation until" not in client.get(owner.get_absolute_url()).content.decode()


def test_plan_and_give_it_up(owner_client: Client) -> None:
    first = timezone.localdate() + timedelta(days=3)
    days = {"first": first.isoformat(), "last": (first + timedelta(days=1)).isoformat()}
    assert "Give it up" in owner_client.post("/vacation/plan/", days, follow=True).content.decode()
    vacation = Vacation.objects.get()
    assert vacation.ends_at - vacation.starts_at == timedelta(days=2)
    again = owner_client.post("/vacation/plan/", days)
    assert again.status_code == 409
    owner_client.post(f"/vacation/{vacation.pk}/end/")
    assert "Give it up" not in owner_client.get("/vacation/").content.decode()


def test_days_that_are_not_left_stay_in_the_form_and_the_year_is_named(
    owner_client: Client, shifted: Callable[[timedelta], Any]
) -> None:
    year = timezone.localdate().year + 1
    with shifted(datetime(year, 3, 1, tzinfo=UTC) - timezone.now()):
        plan = {"first": f"{year}-05-01", "last": f"{year}-05-20"}
        assert owner_client.post("/vacation/plan/", plan).status_code == 302
        over = {"first": f"{year}-06-01", "last": f"{year}-06-20"}
        for days, told in (
            (over, f"You have fewer days of vacation left in {year} than that: 10."),
            ({**over, "last": f"{year}-08-20"}, "lasts from an hour to 30 days."),
        ):
            page = owner_client.post("/vacation/plan/", days).text
            assert told in page
            for name in ("first", "last"):
                assert fields(page, name)[0]["value"] == days[name]


@pytest.mark.parametrize(
    "days",
    [
        {},
        {"first": "2026-13-01", "last": "x"},
        {"first": "9999-12-31", "last": "9999-12-31"},
        {"first": "0001-01-01", "last": "0001-01-02"},
        {"first": "2020-01-01", "last": "2020-01-02"},
    ],
)
def test_impossible_days_are_refused(owner_client: Client, days: dict[str, str]) -> None:
    assert owner_client.post("/vacation/plan/", days).status_code == 422
    assert not Vacation.objects.exists()


def test_choice_leads_back_within_the_site_only(owner_client: Client) -> None:
    for back, where in (("/lobby/", "/lobby/"), ("//evil.example", "/vacation/")):
        answer = owner_client.post("/vacation/choose/", {"is_automatic": "yes", "next": back})
        assert answer.url == where
    assert VacationChoice.objects.get().is_automatic
    assert owner_client.post("/vacation/choose/", {"is_automatic": "maybe"}).status_code == 422


def test_another_players_vacation_is_not_to_be_ended(cast: Cast, opponent_client: Client) -> None:
    now = timezone.now()
    vacation = Vacation.objects.create(
        user=cast.owner,
        starts_at=now,
        ends_at=now + timedelta(days=1),
        planned_end_at=now + timedelta(days=1),
        created_at=now,
    )
    assert opponent_client.post(f"/vacation/{vacation.pk}/end/").status_code == 403
    vacation.refresh_from_db()
    assert vacation.ends_at == vacation.planned_end_at


def test_a_makers_vacation_is_shown_before_anybody_accepts(
    cast: Cast, owner_client: Client, opponent_client: Client
) -> None:
    seek = make_offer(cast.owner)
    challenge = make_offer(cast.owner, "challenge", cast.opponent)
    invitation = make_offer(cast.owner, "invitation")
    pages = ["/lobby/", *(f"/offers/{offer.pk}/" for offer in (seek, challenge))]
    pages.append(f"/invitations/{invitation.token}/")
    told = "is on vacation until"
    assert not any(told in text_of(opponent_client.get(path)) for path in pages)
    vacation_start(user=cast.owner, now=timezone.now())
    for path in pages:
        page = text_of(opponent_client.get(path))
        assert page.count(told) == (2 if path == "/lobby/" else 1), path
        assert "(Europe/" in page or "(UTC)" in page
    assert told not in text_of(owner_client.get("/lobby/"))


def test_own_games_are_listed_with_what_is_left(cast: Cast, owner_client: Client) -> None:
    make_match(cast.owner, cast.opponent, at=timezone.now() - timedelta(hours=5))
    for path in ("/", "/lobby/"):
        assert "2 days, 18 hours left" in text_of(owner_client.get(path))
    assert "left" not in text_of(Client().get("/lobby/"))


def test_the_page_names_the_zone(owner_client: Client) -> None:
    page = text_of(owner_client.get("/vacation/"))
    assert "(UTC)" in page
    assert "()" not in page
