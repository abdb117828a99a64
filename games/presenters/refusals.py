"""Words for refusals, in the user's language."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from games.engine.registry import get_title
from games.presenters.faces import Faces, no_faces
from games.presenters.log import Sentence, pieces_of, plain
from games.refusals import Code, Refusal

_TEXTS: Final[dict[Code, Any]] = {
    Code.MALFORMED: _("That form could not be read. Nothing was changed: please try again."),
    Code.NOT_A_PLAYER: _("Only the two players can do that. Are you logged in?"),
    Code.NOT_YOUR_TURN: _("It is not your turn."),
    Code.STALE: _("The board has changed in the meantime. Here it is as it is now."),
    Code.REQUEST_REUSED: _("This form was sent before with another turn. Nothing was changed."),
    Code.GAME_OVER: _("The game is over."),
    Code.DEADLINE_PASSED: _("The time for this turn had run out before it arrived."),
    Code.INCOMPLETE: _("That is not a whole turn yet: something is still to be chosen."),
    Code.MATCH_OVER: _("The match is over."),
    Code.MATCH_RUNNING: _("The match is still running."),
    Code.ABORT_TOO_LATE: _("Both players have made a turn: the match can no longer be aborted."),
    Code.BAD_TERMS: _("An offer like that is not possible."),
    Code.NO_SUCH_PLAYER: _("There is no player with that name."),
    Code.OWN_OFFER: _("This is your own offer: somebody else has to accept it."),
    Code.NOT_ADDRESSEE: _("This offer is for somebody else."),
    Code.NOT_MAKER: _("This is somebody else's offer."),
    Code.OFFER_TAKEN: _("Somebody else was faster: this offer has already been taken."),
    Code.OFFER_CLOSED: _("This offer is no longer open."),
    Code.TOO_MANY_OFFERS: _(
        "You have %(limit)s open offers, which is the most: withdraw one first."
    ),
    Code.PLAYER_UNAVAILABLE: _("This player cannot play at the moment."),
    Code.CANNOT_MEET: _("You two cannot play each other."),
    Code.NO_RATED_PLAY: _("Bots play casual matches only, not rated ones."),
    Code.BAD_NONCE: _(
        "The random number that your browser adds to the shuffle arrived damaged, so nothing "
        "was done: please try again."
    ),
    Code.FORM_EXPIRED: _(
        "The fingerprints of the shuffle on that page no longer hold, so nothing was done. Here "
        "are new ones: please send it once more."
    ),
    Code.VACATION_RUNNING: _("You already have a vacation in that time."),
    Code.NO_VACATION_LEFT: _("You have fewer days of vacation left in %(year)s than that: %(n)s."),
    Code.TOO_MANY_PLANS: _(
        "You have planned %(limit)s vacations, which is the most: give one up first."
    ),
    Code.BAD_VACATION: _(
        "A vacation begins now or later, within a year, and lasts from an hour to 30 days."
    ),
    Code.TIME_IS_SHORT: _(
        "You have next to no time left in your game against %(opponent)s: make your turn there "
        "first, then end the vacation."
    ),
    Code.NOT_PREPARED: _(
        "That card shows you cards or asks for more when it is played, so its turn cannot be "
        "prepared: play it when it is your turn."
    ),
    Code.NO_ANSWERS: _("In this game answers cannot be prepared."),
    Code.CONDITION_UNUSED: _(
        "Nothing was added: a part of the condition would not count. It is marked below."
    ),
    Code.ANSWER_NEVER: _(
        "Nothing was changed: an answer would never be played, since one before it fits whenever "
        "it does. The one that fits more often has to come after the other."
    ),
    Code.OWN_TURN: _("It is your turn already: play it, or take your answers back."),
    Code.TOO_MANY_ANSWERS: _(
        "You have prepared %(limit)s answers, which is the most: remove one first."
    ),
    Code.OFFER_EXPIRED: _("This offer has expired: nobody took it in time."),
    Code.RATING_OUTSIDE: _(
        "This offer is for ratings from %(low)s to %(high)s, and yours is %(rating)s."
    ),
    Code.RATING_BELOW: _("This offer is for ratings from %(low)s on, and yours is %(rating)s."),
    Code.RATING_ABOVE: _("This offer is for ratings up to %(high)s, and yours is %(rating)s."),
    Code.NOT_IN_TIME: _(
        "This offer is for players who lost none of their last %(n)s matches on time, and you have "
        "finished %(n_since)s since you did."
    ),
    Code.NOTE_CHANGED: _(
        "Your note was changed in another window since, so this was not saved. There it says:"
    ),
    Code.CHAT_SHUT: _("Your message was not sent: nothing can be written here now."),
    Code.GREETINGS_ONLY: _("Your message was not sent: only greetings can be sent here."),
    Code.BAD_MESSAGE: _("Write something, in %(limit)s characters at most."),
    Code.TOO_MANY_MESSAGES: _("You are writing very fast: wait a minute, then send it once more."),
    Code.CHAT_FULL: _("This chat is full: %(limit)s messages are the most."),
}
"""A sentence for each code but ILLEGAL, whose words are the title's."""


def refusal_sentence(refusal: Refusal, faces: Faces) -> Sentence:
    """Tell a refusal as parts of a sentence, so that the cards of `faces` can be drawn."""
    if refusal.code == Code.ILLEGAL:
        return illegal_sentence(faces, **refusal.params)
    return pieces_of(str(_TEXTS[refusal.code]), refusal.params, {}, faces)


def refusal_text(refusal: Refusal) -> str:
    """Tell a refusal that names no card as plain text."""
    return plain(refusal_sentence(refusal, no_faces))


def illegal_sentence(faces: Faces, title: str, reason: str, params: dict[str, Any]) -> Sentence:
    """Tell why the rules of a title say no: `reason` is the engine's code."""
    return pieces_of(get_title(title).meta.refusals[reason], params, {}, faces)
