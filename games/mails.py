"""Notices as they leave the site: mails, web push and webhooks, in the recipient's language.

Times are told in the recipient's zone. What is told comes from `games.presenters.notices` alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.text import capfirst

from accounts import push, webhooks
from accounts.mails import spoken_to
from accounts.models import PushDevice, User, Webhook
from accounts.subscriptions import stop_token
from games.models import Notice
from games.presenters.notices import Told, kind_of, tell

PUSH_LASTS = timedelta(days=2)
"""How long a push service keeps a message for a browser that is away."""


def mail_send(user: User, notices: Sequence[Notice], *, name: str, now: datetime) -> None:
    """Send one mail about one notice or several. Raises what the mail server raises.

    `name` makes the message's id: a mail that goes out twice, after a crash, is seen to be one.
    A header of its own says for programs what is told, by the notices' keys.
    """
    with spoken_to(user):
        told = [_with_url(tell(notice, now)) for notice in notices]
        stop = settings.SITE_URL + reverse("games:notices_stop", args=[stop_token(user)])
        context = {
            "player": user,
            "told": told,
            "stop_url": stop,
            "choice_url": settings.SITE_URL + reverse("games:notices"),
        }
        subject = render_to_string("games/mail/notices_subject.txt", context).strip()
        text = render_to_string("games/mail/notices.txt", context)
        html = render_to_string("games/mail/notices.html", context)
    headers = {
        "Message-ID": f"<{name}@{urlsplit(settings.SITE_URL).hostname}>",
        "X-Marchstone-Notices": ", ".join(notice.key for notice in notices),
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    mail = EmailMultiAlternatives(" ".join(subject.split()), text, to=[user.email], headers=headers)
    mail.attach_alternative(html, "text/html")
    mail.send()


def push_send(device: PushDevice, notice: Notice, *, now: datetime) -> int:
    """Send a notice to a browser; gives the push service's status. Raises `OutboundError`."""
    return push.send(
        device,
        push_message(notice, now),
        topic=_told(notice, now).topic,
        is_urgent=kind_of(notice).is_urgent,
        lasts=PUSH_LASTS,
        now=now,
    )


def push_message(notice: Notice, now: datetime) -> dict[str, str]:
    """Give what static/js/sw.js shows."""
    told = _told(notice, now)
    return {
        "title": told.subject,
        "body": "\n".join((capfirst(told.lead), *told.facts)),
        "path": told.path,
        "tag": told.topic,
        "lang": notice.user.language,
    }


def webhook_send(hook: Webhook, notice: Notice, *, name: str, now: datetime) -> int:
    """Send a notice to a webhook; gives the status of the answer. Raises `OutboundError`."""
    return webhooks.send(hook, webhook_body(notice, now), delivery=name, now=now)


def webhook_body(notice: Notice, now: datetime) -> dict[str, object]:
    """Give what a webhook is told: words for people, and the same for programs."""
    told = _told(notice, now)
    return {
        "kind": told.kind,
        "player": notice.user.name,
        "subject": told.subject,
        "text": "\n".join((capfirst(told.lead), *told.facts)),
        "url": settings.SITE_URL + told.path,
        **told.data,
    }


def _told(notice: Notice, now: datetime) -> Told:
    with spoken_to(notice.user):
        return tell(notice, now)


def _with_url(told: Told) -> dict[str, object]:
    return {
        "subject": told.subject,
        "lead": told.lead,
        "facts": told.facts,
        "link": told.link,
        "url": settings.SITE_URL + told.path,
    }
