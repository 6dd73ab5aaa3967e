"""Errors about records."""

from __future__ import annotations

from cardwright.game.errors import CardwrightError


class RecordsError(CardwrightError):
    """A folder whose records cannot be read, written or resumed; the message says why."""


class DamagedError(RecordsError):
    """A file of records that is damaged: `reason` says what is wrong with it.

    `what` is a job, such as `run`, whose file holds `tasks`, such as `deals`; `advice` is what to
    do about it, if that is not the usual.
    """

    def __init__(self, file: str, reason: str, what: str, tasks: str, advice: str = "") -> None:
        self.reason = reason
        usual = (
            f"remove this file and resume the {what}, or let `cardwright records` set it aside: "
            f"its {tasks} are played again"
        )
        super().__init__(f"{file} is damaged ({reason}); {advice or usual}")
