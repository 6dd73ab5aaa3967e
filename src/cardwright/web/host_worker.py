"""A process in which one table stands: `python -m cardwright.web.host_worker LIMITS`.

`cardwright.web.hosts` starts it. The first request has the setup and the deeds of the table, and
all others are answered by its desk.
"""

from __future__ import annotations

import sys
from typing import Any

from cardwright.game.errors import CardwrightError
from cardwright.table.commands import TableCommands
from cardwright.table.setup import TableSetup
from cardwright.table.table import Table
from cardwright.web.worker_loop import serve


class LostDeedError(CardwrightError):
    """A table that cannot be brought back: one of its deeds is refused now."""


class HostedDesk:
    """The desk of the process, once its table has been set up."""

    def __init__(self) -> None:
        self._desk: TableCommands | None = None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return what the desk answers; raises CardwrightError for rules that do not work."""
        if self._desk is None:
            self._desk = _opened(request)
            return {}
        return self._desk.handle(request)


def _opened(request: dict[str, Any]) -> TableCommands:
    setup = TableSetup.of_data(request["setup"])
    game = setup.game.load().with_engine("interpreter")
    desk = TableCommands(Table(setup, game=game, rests=True))
    for number, deed in enumerate(request["deeds"]):
        error = desk.handle(deed).get("error")
        if error is not None:
            raise LostDeedError(
                f"the table cannot be brought back: deed {number}, {deed['do']!r}, is refused: "
                f"{error['message']}"
            )
    return desk


if __name__ == "__main__":
    serve(lambda _report: HostedDesk().answer, sys.argv[1:])
