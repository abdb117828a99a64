"""Answers "no": a closed list of codes. Presenters choose the words, in the user's language."""

from __future__ import annotations

from enum import StrEnum
from typing import Any


class Code(StrEnum):
    """Why something was not done. Values are sent to machines and never change."""

    MALFORMED = "malformed"
    NOT_A_PLAYER = "not_a_player"
    NOT_YOUR_TURN = "not_your_turn"
    STALE = "stale"
    REQUEST_REUSED = "request_reused"
    GAME_OVER = "game_over"
    DEADLINE_PASSED = "deadline_passed"
    ILLEGAL = "illegal"
    INCOMPLETE = "incomplete"
    MATCH_OVER = "match_over"
    MATCH_RUNNING = "match_running"
    ABORT_TOO_LATE = "abort_too_late"
    BAD_TERMS = "bad_terms"
    NO_SUCH_PLAYER = "no_such_player"
    OWN_OFFER = "own_offer"
    NOT_ADDRESSEE = "not_addressee"
    NOT_MAKER = "not_maker"
    OFFER_TAKEN = "offer_taken"
    OFFER_CLOSED = "offer_closed"
    TOO_MANY_OFFERS = "too_many_offers"
    PLAYER_UNAVAILABLE = "player_unavailable"
    CANNOT_MEET = "cannot_meet"
    NO_RATED_PLAY = "no_rated_play"
    BAD_NONCE = "bad_nonce"
    FORM_EXPIRED = "form_expired"
    VACATION_RUNNING = "vacation_running"
    NO_VACATION_LEFT = "no_vacation_left"
    TOO_MANY_PLANS = "too_many_plans"
    BAD_VACATION = "bad_vacation"
    TIME_IS_SHORT = "time_is_short"
    NOT_PREPARED = "not_prepared"
    NO_ANSWERS = "no_answers"
    CONDITION_UNUSED = "condition_unused"
    ANSWER_NEVER = "answer_never"
    OWN_TURN = "own_turn"
    TOO_MANY_ANSWERS = "too_many_answers"
    OFFER_EXPIRED = "offer_expired"
    RATING_OUTSIDE = "rating_outside"
    RATING_BELOW = "rating_below"
    RATING_ABOVE = "rating_above"
    NOT_IN_TIME = "not_in_time"
    NOTE_CHANGED = "note_changed"
    CHAT_SHUT = "chat_shut"
    GREETINGS_ONLY = "greetings_only"
    BAD_MESSAGE = "bad_message"
    TOO_MANY_MESSAGES = "too_many_messages"
    CHAT_FULL = "chat_full"


STATUS: dict[Code, int] = {
    Code.MALFORMED: 400,
    Code.NOT_A_PLAYER: 403,
    Code.NOT_YOUR_TURN: 403,
    Code.STALE: 409,
    Code.REQUEST_REUSED: 409,
    Code.GAME_OVER: 409,
    Code.DEADLINE_PASSED: 409,
    Code.ILLEGAL: 422,
    Code.INCOMPLETE: 422,
    Code.MATCH_OVER: 409,
    Code.MATCH_RUNNING: 409,
    Code.ABORT_TOO_LATE: 409,
    Code.BAD_TERMS: 422,
    Code.NO_SUCH_PLAYER: 422,
    Code.OWN_OFFER: 403,
    Code.NOT_ADDRESSEE: 403,
    Code.NOT_MAKER: 403,
    Code.OFFER_TAKEN: 409,
    Code.OFFER_CLOSED: 409,
    Code.TOO_MANY_OFFERS: 429,
    Code.PLAYER_UNAVAILABLE: 409,
    Code.CANNOT_MEET: 409,
    Code.NO_RATED_PLAY: 422,
    Code.BAD_NONCE: 422,
    Code.FORM_EXPIRED: 409,
    Code.VACATION_RUNNING: 409,
    Code.NO_VACATION_LEFT: 409,
    Code.TOO_MANY_PLANS: 429,
    Code.BAD_VACATION: 422,
    Code.TIME_IS_SHORT: 409,
    Code.NOT_PREPARED: 422,
    Code.NO_ANSWERS: 403,
    Code.CONDITION_UNUSED: 422,
    Code.ANSWER_NEVER: 422,
    Code.OWN_TURN: 409,
    Code.TOO_MANY_ANSWERS: 429,
    Code.OFFER_EXPIRED: 409,
    Code.RATING_OUTSIDE: 403,
    Code.RATING_BELOW: 403,
    Code.RATING_ABOVE: 403,
    Code.NOT_IN_TIME: 403,
    Code.NOTE_CHANGED: 409,
    Code.CHAT_SHUT: 403,
    Code.GREETINGS_ONLY: 403,
    Code.BAD_MESSAGE: 422,
    Code.TOO_MANY_MESSAGES: 429,
    Code.CHAT_FULL: 409,
}


class Refusal(Exception):
    """A service did nothing, and says why. `params` are what a message may name."""

    def __init__(self, code: Code, **params: Any) -> None:
        super().__init__(code.value)
        self.code = code
        self.params = params

    @property
    def status(self) -> int:
        """Give the HTTP status that goes with the code."""
        return STATUS[self.code]
