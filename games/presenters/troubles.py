"""Words for why a webhook or a device could not be told."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.outbound import Trouble

_WORDS = {
    Trouble.BAD_URL: gettext_noop("The address is no https address."),
    Trouble.NO_HOST: gettext_noop("Nobody knows a host of this name."),
    Trouble.PRIVATE: gettext_noop("The host is in a private network, which this site never calls."),
    Trouble.NO_CONNECTION: gettext_noop("The host takes no connection."),
    Trouble.NO_TRUST: gettext_noop(
        "The host's certificate is not valid for its name, or not trusted."
    ),
    Trouble.TOO_SLOW: gettext_noop("The host took too long."),
    Trouble.NO_ANSWER: gettext_noop("The host gave no proper answer."),
}


def trouble_text(code: str) -> str:
    """Tell the code of a failure; empty where there was none."""
    if not code:
        return ""
    if code.startswith("status-3"):
        return _("It answered with a redirect, which is not followed.")
    if code.startswith("status-"):
        return _("It answered with status %(status)s.") % {"status": code.removeprefix("status-")}
    return _(_WORDS[Trouble(code)])
