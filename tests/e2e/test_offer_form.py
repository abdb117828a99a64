"""The form of an offer follows what its maker picks, and leaves alone what they chose."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.stage import Stage


def test_a_game_brings_its_usual_number_until_a_number_is_chosen(
    enter: Callable[..., Page], stage: Stage
) -> None:
    page = enter(stage.person())
    page.goto("/offers/new/")
    number = page.get_by_label("Number of games")
    bridges = page.get_by_role("radio", name="Three Bridges")
    stones = page.locator("input[name='ruleset']").first
    expect(number).to_have_value("3")
    bridges.check()
    expect(number).to_have_value("2")
    stones.check()
    expect(number).to_have_value("3")
    number.select_option("5")
    bridges.check()
    expect(number).to_have_value("5")


def test_what_holds_for_no_such_offer_is_not_shown(
    enter: Callable[..., Page], stage: Stage
) -> None:
    page = enter(stage.person())
    page.goto("/offers/new/")
    pausing = page.locator(".field--pausing")
    expect(pausing).to_have_count(2)
    for pace, is_there in (("live", False), ("brisk", True)):
        page.get_by_label("Pace").select_option(pace)
        for field in pausing.all():
            expect(field).to_be_visible(visible=is_there)
    page.get_by_text("Who may accept, and how often").click()
    again = page.get_by_text("What is offered again comes until you withdraw it")
    expect(again).to_be_hidden()
    page.get_by_label("Once taken").select_option("2")
    expect(again).to_be_visible()


def test_the_link_of_an_invitation_stands_clear_of_the_card_below(
    enter: Callable[..., Page], stage: Stage
) -> None:
    page = enter(stage.person())
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("/offers/new/?kind=invitation")
    page.get_by_role("button", name="Make the link").click()
    page.wait_for_function(
        """() => {
          const [link, card] = [".copy-link", ".slate"].map(
            (name) => document.querySelector(`#offer > ${name}`)?.getBoundingClientRect(),
          );
          return link && card && card.top - link.bottom >= 16;
        }"""
    )
