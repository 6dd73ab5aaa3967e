"""What goes wrong in the lab."""

from __future__ import annotations

from cardwright.game.errors import CardwrightError


class LabError(CardwrightError):
    """An experiment that cannot be planned, played or read; the message says what to do."""


class DamagedError(LabError):
    """A block of an experiment that is damaged: `reason` says what is wrong with it."""

    def __init__(self, file: str, reason: str, advice: str = "") -> None:
        self.reason = reason
        usual = (
            "remove this file and resume the experiment, or let `cardwright records` set it aside: "
            "its deals are played again"
        )
        super().__init__(f"{file} is damaged ({reason}); {advice or usual}")
