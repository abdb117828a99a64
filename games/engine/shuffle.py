"""Committed shuffles, `marchstone-shuffle/1`: docs/spec/shuffle.md."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from games.engine.api import AnyTitle, Json, Ruleset, Seat, Setup
from games.engine.errors import MalformedRecord

SCHEME: Final = "marchstone-shuffle/1"
SECRET_BYTES: Final = 32
NONCE_BYTES: Final = 16
NO_NONCE: Final = bytes(NONCE_BYTES)
"""What stands for a nonce that no browser sent."""

ROUND_MAX: Final = (1 << 53) - 1
"""The largest number that every reader of JSON tells from its neighbours."""

WORD_RANGE: Final = 1 << 32


def commitment(secret: bytes) -> str:
    """Give the commitment to a secret, in lower-case hex (step 2)."""
    return hashlib.sha256(SCHEME.encode() + b"\n" + secret).hexdigest()


def seed(secret: bytes, nonces: tuple[bytes, bytes], round_number: int) -> bytes:
    """Give the seed of a round, counted from 1, from the maker's and accepter's nonces (4)."""
    message = f"marchstone-deal/1\n{nonces[0].hex()}\n{nonces[1].hex()}\n{round_number}"
    return hmac.new(secret, message.encode("ascii"), hashlib.sha256).digest()


class Stream:
    """Numbers that follow from a seed (step 5)."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._block = 0
        self._words: list[int] = []

    def word(self) -> int:
        """Give the next unsigned 32-bit word."""
        if not self._words:
            block = hashlib.sha256(self._seed + self._block.to_bytes(4, "big")).digest()
            self._words = [int.from_bytes(block[i : i + 4], "big") for i in range(28, -1, -4)]
            self._block += 1
        return self._words.pop()

    def below(self, n: int) -> int:
        """Give the next number from 0 to n - 1, each as likely as the others."""
        limit = WORD_RANGE // n * n
        word = self.word()
        while word >= limit:
            word = self.word()
        return word % n


def shuffled(cards: Sequence[str], below: Callable[[int], int]) -> tuple[str, ...]:
    """Shuffle cards with numbers from `below` (step 7). The result has its top first."""
    pile = list(cards)
    for i in range(len(pile) - 1, 0, -1):
        j = below(i + 1)
        pile[i], pile[j] = pile[j], pile[i]
    return tuple(pile)


def deal_setup(
    title: AnyTitle,
    ruleset: Ruleset,
    secret: bytes,
    nonces: tuple[bytes, bytes],
    round_number: int,
    first: Seat | None = None,
) -> Setup:
    """Deal a round, counted from 1. `first` is who starts it, None where the lot decides."""
    stream = Stream(seed(secret, nonces, round_number))
    lot: Seat = 1 if stream.below(2) else 0
    piles = title.deal(ruleset, stream.below)
    return Setup(ruleset, lot if first is None else first, piles)


Starter = Literal["lot", "agreed", "rule"]
"""How it was settled who starts (step 6)."""


@dataclass(frozen=True, slots=True)
class Shuffle:
    """How a deal came about: the `shuffle` of a finished record (step 8)."""

    commitment: str
    secret: bytes
    nonces: tuple[bytes, bytes]
    round_number: int
    starter: Starter

    def as_json(self) -> Json:
        """Write the `shuffle` of a record."""
        return {
            "scheme": SCHEME,
            "commitment": self.commitment,
            "secret": self.secret.hex(),
            "nonces": [nonce.hex() for nonce in self.nonces],
            "round": self.round_number,
            "starter": self.starter,
        }


def _read_hex(told: object, key: str, size: int) -> bytes:
    """Read so many bytes in lower-case hex. Raises `MalformedRecord`."""
    if isinstance(told, str) and re.fullmatch(f"[0-9a-f]{{{2 * size}}}", told):
        return bytes.fromhex(told)
    raise MalformedRecord(f"shuffle: {key} must be {size} bytes in lower-case hex")


def parse_shuffle(told: object) -> Shuffle:
    """Read the `shuffle` of a record. Raises `MalformedRecord`; also where no secret is told."""
    if not isinstance(told, dict):
        raise MalformedRecord("shuffle must be an object")
    if told.get("scheme") != SCHEME:
        raise MalformedRecord(f"shuffle: scheme must be {SCHEME!r}")
    if "secret" not in told:
        raise MalformedRecord("shuffle: the secret has not been published")
    nonces, number, starter = told.get("nonces"), told.get("round"), told.get("starter")
    if not isinstance(nonces, list) or len(nonces) != 2:
        raise MalformedRecord("shuffle: nonces must be two")
    if type(number) is not int or not 1 <= number <= ROUND_MAX:
        raise MalformedRecord("shuffle: round must be a number from 1")
    if starter not in ("lot", "agreed", "rule"):
        raise MalformedRecord("shuffle: starter must be lot, agreed or rule")
    if starter == "rule" and number == 1:
        raise MalformedRecord("shuffle: starter is rule in later rounds only")
    maker, accepter = (_read_hex(nonce, "each nonce", NONCE_BYTES) for nonce in nonces)
    return Shuffle(
        commitment=_read_hex(told.get("commitment"), "commitment", SECRET_BYTES).hex(),
        secret=_read_hex(told["secret"], "secret", SECRET_BYTES),
        nonces=(maker, accepter),
        round_number=number,
        starter=starter,
    )


def verify(title: AnyTitle, setup: Setup, shuffle: Shuffle) -> dict[str, bool]:
    """Recompute what follows from a secret; say of each thing checked whether it is so.

    Who starts is checked where the lot decided it.
    """
    dealt = deal_setup(title, setup.ruleset, shuffle.secret, shuffle.nonces, shuffle.round_number)
    checked = {"commitment": commitment(shuffle.secret) == shuffle.commitment}
    checked |= {key: pile == setup.pile(key) for key, pile in dealt.piles}
    if shuffle.starter == "lot":
        checked["first"] = dealt.first == setup.first
    return checked
