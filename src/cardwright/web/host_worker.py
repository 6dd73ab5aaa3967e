"""A process in which one table stands: `python -m cardwright.web.host_worker LIMITS`.

`cardwright.web.hosts` starts it. The first request has the setup and the commands of the table, and
all others are answered by its handler.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from cardwright.game.errors import CardwrightError
from cardwright.table.commands import TableCommands
from cardwright.table.setup import TableSetup
from cardwright.table.table import Table
from cardwright.web.worker_loop import serve

if TYPE_CHECKING:
    from cardwright.web.worker_loop import Answer, Report


class LostCommandError(CardwrightError):
    """A table that cannot be brought back: one of its commands is refused now."""


class HostedTable:
    """The handler of the process, once its table has been set up."""

    def __init__(self) -> None:
        self._handler: TableCommands | None = None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return what the handler answers; raises CardwrightError for rules that do not work."""
        if self._handler is None:
            self._handler = _opened(request)
            return {}
        return self._handler.handle(request)


def _opened(request: dict[str, Any]) -> TableCommands:
    setup = TableSetup.of_data(request["setup"])
    game = setup.game.load().with_engine("interpreter")
    handler = TableCommands(Table(setup, game=game, rests=True))
    for number, command in enumerate(request["commands"]):
        error = handler.handle(command).get("error")
        if error is not None:
            raise LostCommandError(
                f"the table cannot be brought back: command {number}, {command['do']!r}, is "
                f"refused: {error['message']}"
            )
    return handler


def opened(_report: Report) -> Answer:
    """Return what answers requests about one table."""
    return HostedTable().answer


if __name__ == "__main__":
    serve(opened, sys.argv[1:])
