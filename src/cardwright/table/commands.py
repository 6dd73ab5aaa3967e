"""The commands at a table as messages, so that it can stand in another process.

A request is a JSON object whose `do` says what is wanted, with members that its sender has checked;
the answer is another. Requests that are in `CHANGES` change the table, if they are not refused:
done again in the same order, they make the same table from the same setup. All others only look.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from cardwright.game.errors import CardwrightError, GameError
from cardwright.table.table import TableError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.table.setup import Watch
    from cardwright.table.table import Table

CHANGES = {
    "choose": "choose",
    "reconsider": "reconsider",
    "claim": "claim",
    "go-on": "go_on",
    "undo": "undo",
    "agree": "agree",
    "open": "open_hands",
    "sit": "sit",
    "name": "rename",
    "say": "say",
    "pace": "set_pace",
    "again": "play_again",
}
"""The requests that change a table, and its methods that carry them out with the other members."""


class TableCommands:
    """Answers requests to a table; none is half done.

    An error is `{"error": {"code", "message"}}`. The codes are those of `table/table.py`, and
    `broken` if the rules of the game were broken by a choice, which is not made then.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self._questions: Mapping[str, Callable[..., dict[str, Any]]] = {
            "look": self._look,
            "due": self._due,
            "why": self._why,
            "feats": self._feats,
        }

    def handle(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Answer a request."""
        members = dict(request)
        what = members.pop("do")
        try:
            if what not in CHANGES:
                return self._questions[what](**members)
            getattr(self.table, CHANGES[what])(**members)
        except TableError as error:
            return _refused(error.code, str(error))
        except GameError as error:
            return _refused("broken", error.for_players)
        except CardwrightError as error:
            return _refused("invalid", str(error))
        return {"number": self.table.number}

    def _look(self, who: int | Watch, since: int) -> dict[str, Any]:
        look: dict[str, Any] = msgspec.to_builtins(self.table.look(who, since))
        return look

    def _due(self) -> dict[str, Any]:
        """Return who has to decide, and what a computer player needs to think.

        While the table rests nobody has; `rest` is the deal that has ended then. `option` is the
        choice of a computer player that does not think.
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
            "option": None if seat is None else table.option_at_once,
            "choices": list(table.choices),
            "rest": table.resting,
            "rest_seconds": table.rest_seconds,
            "pace": table.setup.pace,
        }

    def _why(self, seat: int, card: int) -> dict[str, Any]:
        return {"why": self.table.why(seat, self.table.held(seat, card))}

    def _feats(self) -> dict[str, Any]:
        return {"feats": {name: list(counts) for name, counts in self.table.feats().items()}}


def _refused(code: str, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}
