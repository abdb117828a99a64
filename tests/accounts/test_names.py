"""Names and addresses: what is refused, and what counts as the same."""

from __future__ import annotations

import unicodedata

import pytest
from allauth.account.adapter import get_adapter
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from accounts.names import NAME_LENGTH, clean_email, clean_name, email_key, name_key

GOOD = ["Pavel", "Nagy Ödön", "Erdős Pál", "Čeněk", "Їжак", "Олена", "O'Brien", "d’Artagnan"]
GOOD += ["Anne-Marie", "x_y", "J. R.", "007", "太郎", "हिन्दी", "עִבְרִית", "Tim A", "A" * NAME_LENGTH]


@pytest.mark.parametrize("name", GOOD)
def test_names_of_many_languages_are_kept_as_written(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("written", "stored"),
    [("  Pavel ", "Pavel"), ("Ｐａｖｅｌ", "Pavel"), ("Tim   A", "Tim A"), ("e\u0301va", "éva")],
)
def test_a_name_is_stored_in_one_form(written: str, stored: str) -> None:
    assert clean_name(written) == stored


BAD = {
    "name_empty": ["", "   ", "\u3000"],
    "name_long": ["A" * (NAME_LENGTH + 1), "ﷺ" * 2],
    "name_characters": [
        "a/b",
        "a@b",
        "a\nb",
        "a\x00b",
        "a\u202eb",
        "Pavel\u200b",
        "\u200b" * 15,
        "\u3164",
        "\u2800",
        "a\ufe0f",
        "..",
        "a--b",
        "-a",
        "Z" + "\u0301" * 5,
        "☺",
        "<b>",
    ],
    "name_scripts": ["Рavel", "Pаvel", "Нans", "timа", "Ѕtella"],
    "name_reserved": [
        "admin",
        "Admin",
        "ADM1N",
        "Marchstone",
        "m-o-d-e-r-a-t-o-r",
        "spectator",
        "ΝΟΝΕ",
    ],
}


@pytest.mark.parametrize(("code", "name"), [(code, name) for code in BAD for name in BAD[code]])
def test_names_that_could_deceive_are_refused(code: str, name: str) -> None:
    with pytest.raises(ValidationError) as refused:
        clean_name(name)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "twin",
    [
        "pavel",
        "PAVEL",
        "Рavel",
        "Pаvеl",
        "Pavel\u200b",
        "Ｐａｖｅｌ",
        "Pave1",
        "PaveI",
        "P.a-v e_l",
    ],
)
def test_fault_99_look_alikes_have_one_key(twin: str) -> None:
    assert name_key(twin) == name_key("Pavel")


@pytest.mark.parametrize(
    ("one", "two"), [("Ádám", "Adam"), ("Marek", "Mařek"), ("Іван", "Иван"), ("Eva", "Iva")]
)
def test_names_that_look_different_have_different_keys(one: str, two: str) -> None:
    assert name_key(one) != name_key(two)


@given(st.text(max_size=NAME_LENGTH))
def test_case_and_normal_form_never_change_a_key(text: str) -> None:
    key = name_key(text)
    assert name_key(unicodedata.normalize("NFD", text)) == key
    assert name_key(text.casefold()) == key
    assert len(name_key(text + "\u200b")) <= 120


@given(st.text(max_size=NAME_LENGTH))
def test_a_name_that_is_allowed_has_a_key_and_stays_as_it_is(text: str) -> None:
    try:
        name = clean_name(text)
    except ValidationError:
        return
    assert name_key(name)
    assert clean_name(name) == name
    assert not set(name) & set("/@<>\u202e\u200b")


@pytest.mark.parametrize(
    "typed", ["Ana@X.org", " ana@x.org ", "ａｎａ@x.org", "ANA@X.ORG\u3000", "ana@ｘ.org"]
)
def test_fault_98_an_address_has_one_form(typed: str) -> None:
    assert clean_email(typed) == email_key(typed) == "ana@x.org"


@pytest.mark.parametrize("typed", ["straße@x.org", "İb@x.org", "ana@straße.de", "ána@x.org", "ana"])
def test_fault_98_an_address_that_folding_would_change_is_refused(typed: str) -> None:
    with pytest.raises(ValidationError):
        clean_email(typed)


@pytest.mark.parametrize(
    ("name", "email"),
    [("pAVEL", "other@x.org"), ("Рavel", "other@x.org"), ("Other", "PAVEL@example.org ")],
)
def test_the_database_keeps_names_and_addresses_unique(pavel: User, name: str, email: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user(name, email)


def test_bots_and_guests_need_no_address() -> None:
    User.objects.create_user("Bran", is_bot=True)
    User.objects.create_user("Wren", is_guest=True)
    assert not User.objects.get(name="Bran").is_person


def test_a_name_is_saved_with_its_key_also_when_few_fields_are(pavel: User) -> None:
    pavel.name = "Pavol"
    pavel.save(update_fields=["name"])
    assert User.objects.get_by_natural_key("PAVOL") == pavel


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("first", "second"),
    [("Anna", "ΑΝΝΑ"), ("ANNA", "ΑΝΝΑ"), ("ΑΝΝΑ", "ANNA"), ("avva", "αννα"), ("αννα", "Avva")],
)
def test_capitals_that_look_alike_are_taken_too(first: str, second: str) -> None:
    """The Greek Ν looks like N, and its small letter ν like v."""
    User.objects.create_user(first)
    with pytest.raises(ValidationError):
        get_adapter().clean_username(second)


@pytest.mark.django_db
def test_names_that_only_share_letters_are_free() -> None:
    User.objects.create_user("Viva")
    assert get_adapter().clean_username("Niny") == "Niny"
    assert get_adapter().clean_username("Nina") == "Nina"
