"""Bots that nobody trusts: each in a process of its own, behind a jail."""

from __future__ import annotations

import inspect
import json
from functools import cache
from typing import TYPE_CHECKING

from cardwright.game.errors import CardwrightError
from cardwright.game.one_way import token
from cardwright.jail import luck
from cardwright.jail.inmate import Inmate
from cardwright.jail.limits import Limits
from cardwright.jail.mishaps import ConfineError, InmateError, LateError, NonsenseError
from cardwright.league import guest
from cardwright.league.bot import LostError
from cardwright.league.chances import BOT
from cardwright.league.sitter import LATE

if TYPE_CHECKING:
    from cardwright.interpreter.stream import Stream
    from cardwright.jail.level import Level
    from cardwright.league.patience import Patience

_KINDS = {guest.RAISED, guest.NO_INTEGER, guest.INDEX}
_ANSWER = 9
"""Bytes of an answer that is an index."""

_ASKED = (bytes((guest.PASS,)), bytes((guest.PLAY,)))

DIED, NONSENSE = "died", "nonsense"


class JailError(CardwrightError):
    """A jail that cannot be built, though this machine was found to offer it."""


class JailedBot:
    """A bot behind a jail, which is told and asked by bytes: see `guest.Served`.

    Nothing that comes from it is trusted. When it is lost it can be revived for the next move, and
    is then told all that it had seen of the game.
    """

    def __init__(
        self,
        source: str,
        file: str,
        helper: str,
        level: Level,
        patience: Patience,
        *,
        processor: int | None = None,
    ) -> None:
        """Take a bot's text; its process is started with its first game, on a `processor`."""
        self._payload = json.dumps({"source": source, "file": file, "helper": helper}).encode()
        self._file = file
        self._level = level
        self._patience = patience
        self._processor = processor
        self._inmate: Inmate | None = None
        self.changed = False
        self._begin = b""
        self._table = guest.Table()
        self._told = bytearray()
        self._sent = 0
        self._heard = 0

    def begin(self, seat: int, stream: Stream, table: guest.Table) -> None:
        """Start for a game."""
        self._table = table
        self._begin = bytes((guest.BEGIN, seat)) + token(stream, BOT)
        self._told.clear()
        self._heard = 0
        self.revive()

    def revive(self) -> None:
        """Let the bot's file be run for this game, in the process there is, or in a new one.

        With its next move it is told all that it has seen.
        """
        self._sent = 0
        patience = self._patience
        if self._inmate is None:
            limits = Limits(memory=patience.memory << 20)
            try:
                self._inmate = Inmate(
                    _guest(), self._payload, self._level, limits, self._file,
                    processor=self._processor,
                )  # fmt: skip
            except ConfineError as error:
                raise JailError(f"the jail for {self._file} fails: {error.reason}") from None
            except InmateError as error:
                raise LostError(DIED, f"could not be started: {error.reason}") from None
        late = f"took more than {patience.start:g} s to start"
        self._number(self._ask(self._begin, patience.start, late))

    def deal(self, direction: int, totals: list[int], hand: list[int]) -> None:
        """Take up a hand of a new round."""
        self._hear()
        points = b"".join(total.to_bytes(2, "little") for total in totals)
        self._told += bytes((guest.DEAL, direction)) + points + bytes(hand)

    def gave(self, card: int) -> None:
        """Note that a card was passed on."""
        self._told += bytes((guest.GAVE, card))

    def got(self, cards: list[int]) -> None:
        """Note that cards were passed to this seat; play begins."""
        self._told += bytes((guest.GOT, *cards))
        self._heard = 0

    def _hear(self) -> None:
        """Note which cards were played since this was asked for last."""
        plays = self._table.plays
        count = len(plays) - self._heard
        if count > 0:
            self._told += bytes((guest.PLAYED, count))
            self._told += plays[self._heard :]
            self._heard = len(plays)

    def choose(self, legal: int, seconds: float, *, play: bool) -> int:
        """Return the bot's answer; it is killed if there is none in so many seconds."""
        if play:
            self._hear()
        told = self._told
        request = bytes(told[self._sent :]) + _ASKED[play] + legal.to_bytes(2, "little")
        self._sent = len(told)
        return self._number(self._ask(request, seconds))

    def _ask(self, request: bytes, seconds: float, late: str = "") -> bytes:
        assert self._inmate is not None
        try:
            return self._inmate.ask(request, seconds)
        except LateError:
            words = f"gave no answer in {seconds * 1000:.0f} ms, all the time it had left"
            failed = LostError(LATE, late or f"{words}, and was ended")
        except NonsenseError as error:
            failed = LostError(NONSENSE, f"{error.reason}; it was ended")
        except InmateError as error:
            failed = LostError(DIED, _last_words(error))
        self.close()
        raise failed from None

    def _number(self, reply: bytes) -> int:
        """Return the answer that a reply holds; raises Fault, or LostError if it is none."""
        if len(reply) == _ANSWER and reply[0] in (guest.CHOSE, guest.CHANGED):
            self.changed = reply[0] == guest.CHANGED
            return int.from_bytes(reply[1:], "little", signed=True)
        if len(reply) >= 2 and reply[0] == guest.FAILED:
            end = 2 + reply[1]
            kind = reply[2:end].decode("ascii", "replace")
            if kind in _KINDS:
                text = reply[end:].decode("utf-8", "replace")[: guest.WORDS]
                words = "".join(one if one.isprintable() else "?" for one in text)
                raise guest.Fault(kind, words)
        self.close()
        raise LostError(NONSENSE, "answered with bytes that are no answer, and was ended")

    @property
    def printed(self) -> str:
        """The end of what the bot has printed, fit for a terminal."""
        return "" if self._inmate is None else self._inmate.printed

    def close(self) -> None:
        """End the bot's process."""
        if self._inmate is not None:
            self._inmate.close()
            self._inmate = None


def _last_words(error: InmateError) -> str:
    """Return how a bot ended, with the last line that it printed."""
    printed = error.output.strip().splitlines()
    return f"{error.reason}: {printed[-1]}"[: guest.WORDS] if printed else error.reason


_TOGETHER = """
import sys, types
module = sys.modules[{name!r}] = types.ModuleType({name!r})
exec(compile({imported!r}, "<luck>", "exec"), vars(module))
module.everywhere()
exec(compile({guest!r}, "<guest>", "exec"))
"""
"""What runs beside a bot, with the one module of ours that it imports."""


@cache
def _guest() -> bytes:
    """Return the text of what runs beside a bot."""
    imported, text = (inspect.getsource(module) for module in (luck, guest))
    return _TOGETHER.format(name=luck.__name__, imported=imported, guest=text).encode()
