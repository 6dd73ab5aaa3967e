"""The commands at a table as messages, so that it can stand in another process.

A request is a JSON object whose `do` says what is wanted; the answer is another. Requests that are
in `CHANGES` change the table, if they are not refused: done again in the same order, they make the
same table from the same setup. All others only look.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

from cardwright.game.errors import CardwrightError, GameError
from cardwright.table.table import InvalidRequestError, TableError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.table.setup import Watch
    from cardwright.table.table import Table

CHANGES = frozenset({"choose", "go-on", "undo", "agree", "open", "sit", "name", "pace"})
"""The requests that change a table."""

MOST_NAME = 40
"""The most characters of a person's name."""
_MOST_SPEC = 200
_LARGEST = 2**53
_WATCHING = ("public", "open", "delayed")

_Check: TypeAlias = "Callable[[object], str]"
"""What says what a value should be instead; nothing, if it is right."""


class TableCommands:
    """Answers requests to a table. None raises an error, or is half done.

    An error is `{"error": {"code", "message"}}`. The codes are those of `table/table.py`, and
    `broken` if the rules of the game were broken by a choice, which is not made then.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self._known: dict[str, tuple[Mapping[str, _Check], Callable[..., dict[str, Any]]]] = {
            "look": ({"who": _who, "since": _count}, self._look),
            "due": ({}, self._due),
            "choose": ({"seat": _count, "number": _count, "option": _count}, self._choose),
            "go-on": ({"seat": _seat, "deal": _count}, self._go_on),
            "undo": ({"seat": _count}, self._undo),
            "agree": ({"seat": _count, "yes": _truth}, self._agree),
            "open": ({"seat": _count, "yes": _truth}, self._open),
            "sit": ({"seat": _count, "player": _spec, "name": _name}, self._sit),
            "name": ({"seat": _count, "name": _name}, self._rename),
            "pace": ({"seat": _count, "pace": _seconds}, self._pace),
            "why": ({"seat": _count, "card": _count}, self._why),
        }

    def handle(self, request: object) -> dict[str, Any]:
        """Answer a request."""
        try:
            do, members = self._read(request)
            return do(**members)
        except TableError as error:
            return _refused(error.code, str(error))
        except GameError as error:
            return _refused("broken", error.for_players)
        except CardwrightError as error:
            return _refused("invalid", str(error))

    def _read(self, request: object) -> tuple[Callable[..., dict[str, Any]], dict[str, Any]]:
        """Return what is to be done, with what; raises InvalidRequestError."""
        if not isinstance(request, dict):
            raise InvalidRequestError("a request is a JSON object")
        what = request.get("do")
        if not isinstance(what, str) or what not in self._known:
            raise InvalidRequestError(f"`do` is one of {', '.join(self._known)}")
        checks, do = self._known[what]
        if strange := [str(key)[:_MOST_SPEC] for key in request if key not in {"do", *checks}]:
            raise InvalidRequestError(f"{what!r} has no member {strange[0]!r}")
        members = {}
        for name, check in checks.items():
            if name not in request:
                raise InvalidRequestError(f"{what!r} needs a member {name!r}")
            problem = check(request[name])
            if problem:
                raise InvalidRequestError(f"{name!r} is {problem}")
            members[name] = request[name]
        return do, members

    # Looking ------------------------------------------------------------------------------

    def _look(self, who: int | Watch, since: int) -> dict[str, Any]:
        return self.table.look(who, since).data()

    def _due(self) -> dict[str, Any]:
        """Return who has to decide, and what a computer player needs to think.

        While the table rests nobody has; `rest` is the deal that has ended then.
        """
        table = self.table
        seat = table.due if table.resting is None else None
        setup = None if seat is None else table.setup.seats[seat]
        return {
            "seat": seat,
            "kind": None if setup is None else setup.kind,
            "player": setup.player if setup is not None and setup.kind == "computer" else None,
            "number": table.number,
            "ordinal": table.ordinal,
            "options": table.referee.option_count,
            "choices": list(table.choices),
            "rest": table.resting,
            "rest_seconds": table.rest_seconds,
            "pace": table.setup.pace,
        }

    def _why(self, seat: int, card: int) -> dict[str, Any]:
        return {"why": self.table.why(seat, self.table.held(seat, card))}

    # Commands --------------------------------------------------------------------------------

    def _choose(self, seat: int, number: int, option: int) -> dict[str, Any]:
        self.table.choose(seat, number, option)
        return self._done()

    def _go_on(self, seat: int | None, deal: int) -> dict[str, Any]:
        self.table.go_on(seat, deal)
        return self._done()

    def _undo(self, seat: int) -> dict[str, Any]:
        self.table.undo(seat)
        return self._done()

    def _agree(self, seat: int, *, yes: bool) -> dict[str, Any]:
        self.table.agree(seat, yes=yes)
        return self._done()

    def _open(self, seat: int, *, yes: bool) -> dict[str, Any]:
        self.table.open_hands(seat, yes=yes)
        return self._done()

    def _sit(self, seat: int, player: str | None, name: str) -> dict[str, Any]:
        self.table.sit(seat, player, name)
        return self._done()

    def _rename(self, seat: int, name: str) -> dict[str, Any]:
        self.table.rename(seat, name)
        return self._done()

    def _pace(self, seat: int, pace: float) -> dict[str, Any]:
        self.table.set_pace(seat, pace)
        return self._done()

    def _done(self) -> dict[str, Any]:
        return {"number": self.table.number}


def _refused(code: str, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}


def _count(value: object) -> str:
    """Return what a value should be that is no number to count with; empty if it is one."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _LARGEST:
        return ""
    return "an integer of 0 or more"


def _seat(value: object) -> str:
    return "" if value is None else _count(value) and "a seat, or null for all"


def _truth(value: object) -> str:
    return "" if isinstance(value, bool) else "true or false"


def _seconds(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return ""
    return "a number of seconds"


def _who(value: object) -> str:
    if value in _WATCHING and isinstance(value, str):
        return ""
    return _count(value) and f"a seat, or one of {', '.join(_WATCHING)}"


def _spec(value: object) -> str:
    if value is None or (isinstance(value, str) and len(value) <= _MOST_SPEC):
        return ""
    return "the text of a player, or null for a person"


def _name(value: object) -> str:
    """Names are shown to others: they have no control characters."""
    if isinstance(value, str) and len(value) <= MOST_NAME and value.isprintable():
        return ""
    return f"a name of at most {MOST_NAME} characters"
