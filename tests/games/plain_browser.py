"""A browser without JavaScript on Django's test client: it sees forms, fills in and sends them."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.test import Client

from accounts.models import User

Values = dict[str, list[str]]


@dataclass
class _Button:
    text: str
    form: int
    name: str
    value: str
    action: str


@dataclass
class _Form:
    action: str
    fields: Values = field(default_factory=dict)


class _Page(HTMLParser):
    """Reads what can be filled in and sent; a field may name its form from outside of it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[_Form] = []
        self.buttons: list[_Button] = []
        self.options: dict[str, dict[str, str]] = {}
        """Radio buttons and check boxes: name to value to accessible name."""
        self.links: dict[str, str] = {}
        self.text = ""
        self._ids: dict[str, int] = {}
        self._inside: int | None = None
        self._select = ""
        self._open: _Button | None = None
        self._link: str | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._inside = len(self.forms)
            self._ids[given.get("id", "")] = self._inside
            self.forms.append(_Form(given.get("action", "")))
        elif tag == "input":
            self._input(given)
        elif tag == "select":
            self._select = given["name"]
        elif tag == "option" and self._inside is not None and "selected" in given:
            self.forms[self._inside].fields[self._select] = [given["value"]]
        elif tag == "button" and self._inside is not None:
            name, value = given.get("name", ""), given.get("value", "")
            self._open = _Button("", self._inside, name, value, given.get("formaction", ""))
        elif tag == "a":
            self._link = given.get("href", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = None
        elif tag == "button" and self._open is not None:
            self._open.text = " ".join(self._open.text.split())
            self.buttons.append(self._open)
            self._open = None
        elif tag == "a":
            self._link = None

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._open is not None:
            self._open.text += data
        if self._link and data.strip():
            self.links[data.strip()] = self._link

    def _input(self, given: dict[str, str]) -> None:
        at = self._ids.get(given["form"]) if "form" in given else self._inside
        if at is None or "name" not in given:
            return
        value = given.get("value", "on" if given.get("type") == "checkbox" else "")
        if given.get("type") in ("radio", "checkbox"):
            self.options.setdefault(given["name"], {})[value] = given.get("aria-label", "")
            if "checked" not in given:
                return
        self.forms[at].fields.setdefault(given["name"], []).append(value)


class PlainBrowser:
    """One person at a browser that runs no scripts. Forged tokens are refused as on a server."""

    def __init__(self) -> None:
        self._client = Client(enforce_csrf_checks=True)
        self.path = ""
        self.status = 0
        self.html = ""
        self._page = _Page("")

    def enter(self, user: User) -> None:
        """Be logged in, without a form."""
        self._client.force_login(user)

    def open(self, path: str) -> None:
        """Go to an address, and on to where it leads."""
        self._show(self._client.get(path, follow=True), path)

    def follow(self, link: str) -> None:
        """Follow a link by its text."""
        self.open(self._page.links[link])

    def reload(self) -> None:
        """Look at the same address again."""
        self.open(self.path)

    def press(self, text: str, **values: str | list[str]) -> None:
        """Fill in fields and press a button by the beginning of its text.

        A value of "" leaves a check box unchecked.
        """
        (button, *_) = [one for one in self._page.buttons if one.text.startswith(text)]
        form = self._page.forms[button.form]
        data: dict[str, Any] = {**form.fields, **values}
        if button.name:
            data[button.name] = button.value
        sent = {name: value for name, value in data.items() if value != ""}
        path = button.action or form.action or self.path
        self._show(self._client.post(path, sent, follow=True), path)

    def can_press(self, text: str) -> bool:
        """Say whether there is such a button."""
        return any(button.text.startswith(text) for button in self._page.buttons)

    def can_follow(self, link: str) -> bool:
        """Say whether there is such a link."""
        return link in self._page.links

    def options(self, name: str) -> dict[str, str]:
        """Give the radio buttons or check boxes of a name: value to accessible name."""
        return self._page.options.get(name, {})

    @property
    def text(self) -> str:
        """Everything that can be read on the page, with single blanks."""
        return " ".join(self._page.text.split())

    def _show(self, response: Any, path: str) -> None:
        self.path = response.redirect_chain[-1][0] if response.redirect_chain else path
        self.was_redirected = bool(response.redirect_chain)
        self.status = response.status_code
        self.html = response.content.decode()
        self._page = _Page(self.html)
