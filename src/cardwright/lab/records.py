"""Records: the folder of an experiment, with its plan, a manifest, and blocks of deals.

Whatever the executor, and however often the run is killed and resumed, the files of a finished
experiment have the same bytes: the plan fixes the number of deals in a block, and nothing in the
folder says when or where it was played.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

import numpy as np

from cardwright.english import counted
from cardwright.jobs.files import RecordsError, digest
from cardwright.jobs.folder import JobFolder, Manifest
from cardwright.lab.layout import layout_of
from cardwright.lab.outcomes import Outcomes, Part
from cardwright.lab.plan import LabPlan
from cardwright.syntax.data_files import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cardwright.jobs.folder import Blocks
    from cardwright.lab.layout import ExperimentLayout

PLAN = "plan.toml"
_DIFFERENCES = 12
"""The most differing lines of plans that are shown."""


class ExperimentFolder(JobFolder[Manifest, Part]):
    """The folder of an experiment, whose plan is a file of its own, for people.

    A block has `together` deals. Its pieces, of slow players, have the sums of some of its tables.
    """

    FORMAT = "cardwright experiment"
    WHAT, TASKS = "experiment", "deals"
    BLOCK = Part

    def __init__(self, folder: Path, manifest: Manifest, plan: LabPlan | None = None) -> None:
        super().__init__(folder, manifest)
        facts = manifest.plan
        try:
            self.together, text = int(facts["together"]), str(facts["sha256"])
            if self.together < 1 or not all(isinstance(game, str) for game in facts["games"]):
                raise ValueError("its plan makes no sense")
        except (KeyError, TypeError, ValueError) as error:
            raise self.unreadable(error) from None
        self.plan = self._read_plan(text) if plan is None else plan
        layout = layout_of(self.plan)
        self._shape = (len(layout.cells), len(layout.responses))

    @classmethod
    def of_plan(cls, folder: Path, plan: LabPlan, together: int) -> ExperimentFolder:
        """Return the folder of an experiment that begins here."""
        facts = {
            "sha256": digest(plan.to_text().encode()),
            "games": [game.digest for game in layout_of(plan).games],
            "together": together,
        }
        return cls(folder, Manifest(plan=facts), plan)

    def _read_plan(self, known: str) -> LabPlan:
        file = self.folder / PLAN
        try:
            text = read_text(file)
        except (OSError, UnicodeDecodeError) as error:
            raise RecordsError(f"{file} cannot be read: {error}") from None
        if digest(text.encode()) != known:
            raise RecordsError(
                f"{file} was changed after the experiment was begun: bring the old one back"
            )
        return LabPlan.from_text(text, str(file))

    @property
    def count(self) -> int:
        """How many blocks the planned deals make."""
        return -(-self.plan.deals // self.together)

    def own_files(self) -> dict[str, bytes]:
        """Return the file with the plan."""
        return {PLAN: self.plan.to_text().encode()}

    def plan_differences(self, here: ExperimentFolder) -> list[str]:
        """Say where the plans differ: by lines, - for those in the folder, + for the others."""
        there, now = self.manifest.plan, here.manifest.plan
        lines = []
        if self.manifest.cardwright == here.manifest.cardwright and self.together != here.together:
            lines.append(f"deals of a block: {self.together} there, {here.together} here")
        if there["games"] != now["games"]:
            lines.append("the rules of the game have changed")
        return lines + _different(self.plan.to_text(), here.plan.to_text())

    def deals(self, block: int) -> range:
        """Return the deals of a block."""
        first = block * self.together
        return range(first, min(first + self.together, self.plan.deals))

    def check(self, blocks: Blocks[Part], number: int, block: Part) -> None:
        """Raise ValueError unless a block, or a piece, has arrays of this experiment."""
        deals = {len(sums) for sums in block}
        if len(block) != len(self.plan.opponents) or len(deals) != 1 or any(
            sums.shape[1:] != self._shape for sums in block
        ):  # fmt: skip
            raise ValueError("its arrays are not those of this experiment")
        most = len(self.deals(number)) if blocks is self.blocks else self.together
        if not 1 <= min(deals) <= most:
            raise ValueError(f"it has {min(deals)} deals, and there can be {most}")

    def whole(self) -> Iterator[tuple[int, Part]]:
        """Yield the number and the sums of each block that has all its deals, in order.

        One without was cut off by a run that was killed as it ended: it is played again.
        """
        for number in self.blocks.numbers():
            sums = self.blocks.read(number)
            if len(sums[0]) == len(self.deals(number)):
                yield number, sums

    def close(self, deals: int) -> None:
        """Keep exactly this many deals, and mark the experiment as complete."""
        last = (deals - 1) // self.together
        sums = self.blocks.read(last)
        if self.deals(last).start + len(sums[0]) > deals:
            self.blocks.write({last: tuple(one[: deals - last * self.together] for one in sums)})
        self.blocks.remove(number for number in self.blocks.numbers() if number > last)
        self.finish(played=deals)

    def outcomes(self) -> Outcomes:
        """Return the outcomes of the first deals without a gap: all if it is finished."""
        sheet = DealOutcomes(layout_of(self.plan))
        for at, number in enumerate(self.blocks.numbers()):
            if number != at:
                break
            sums = self.blocks.read(number)
            sheet.add(sums)
            if len(sums[0]) < len(self.deals(number)):
                break
        if self.manifest.complete and sheet.deals != self.manifest.played:
            raise RecordsError(
                f"{self.folder} should have {self.manifest.played:,} deals, and has "
                f"{sheet.deals:,}: a file of its blocks is missing; {self.how_to_mend()}"
            )
        return sheet.outcomes()


def load(folder: Path) -> tuple[LabPlan, Outcomes]:
    """Return the plan of an experiment and its outcomes so far.

    If it is not finished, these are the first deals without a gap. Raises RecordsError for a
    folder that has no records of an experiment, and for damaged ones.
    """
    records = ExperimentFolder.read(folder)
    return records.plan, records.outcomes()


def _different(there: str, here: str) -> list[str]:
    """Return the lines in which two plans differ: - for the one in the folder, + for this one."""
    lines = [
        line
        for line in difflib.unified_diff(there.splitlines(), here.splitlines(), n=0, lineterm="")
        if not line.startswith(("---", "+++", "@@"))
    ]
    more = (
        [f"and {counted(len(lines) - _DIFFERENCES, 'more line')}"]
        if len(lines) > _DIFFERENCES
        else []
    )
    return lines[:_DIFFERENCES] + more


class DealOutcomes:
    """The outcomes of the first deals of an experiment, to which more are added in order."""

    def __init__(self, layout: ExperimentLayout) -> None:
        self._layout = layout
        nothing = np.zeros((0, len(layout.cells), len(layout.responses)), np.int32)
        self._parts: list[Part] = [(nothing,) * len(layout.plan.opponents)]
        self.deals = 0

    def add(self, part: Part) -> None:
        """Add the deals that come next."""
        self._parts.append(part)
        self.deals += len(part[0])

    def outcomes(self, deals: int | None = None) -> Outcomes:
        """Return the outcomes of the first deals; of all deals if no number is given."""
        layout = self._layout
        sums = tuple(map(np.concatenate, zip(*self._parts, strict=True)))
        self._parts = [sums]
        whole = Outcomes(layout.cells, layout.responses, layout.seatings, layout.tested, sums)
        return whole if deals is None else whole.before(deals)
