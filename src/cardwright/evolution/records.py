"""Records: the folder of a search, with its plan, a manifest and a block a generation.

Whatever the executor, and however often the search is killed and resumed, the manifest and the
blocks of a finished search have the same bytes. While a generation is under way, what is known of
its candidates is kept in pieces. How long it took is in a file of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.evolution.candidate import Evaluated  # noqa: TC001 - blocks are read from files
from cardwright.evolution.errors import EvolutionError
from cardwright.evolution.generation import EvolutionTiming
from cardwright.evolution.methods.method import EliteMap, ParetoFront  # noqa: TC001 - so are maps
from cardwright.evolution.plan import EvolutionPlan
from cardwright.jobs.files import of_json, to_json, write_whole
from cardwright.jobs.folder import JobFolder, Manifest
from cardwright.syntax.data_files import read_text

if TYPE_CHECKING:
    from pathlib import Path

TIMING = "timing.json"


@dataclass(frozen=True)
class SearchOutcome:
    """What was found: the names of the elites, best first, and the map or the front of some."""

    elites: tuple[str, ...] = ()
    map: EliteMap | None = None
    front: ParetoFront | None = None


@dataclass(frozen=True)
class SearchBlock:
    """The candidates of a generation, or one of them, and how many elites there were then.

    The last block has the finalists, and what was found.
    """

    candidates: tuple[Evaluated, ...]
    elites: int = 0
    found: SearchOutcome = field(default_factory=SearchOutcome)


class SearchFolder(JobFolder[Manifest, SearchBlock]):
    """The folder of a search.

    Its blocks are the original's, one for each generation, and one for what was found. A piece is a
    candidate of a generation under way, by its number in the search.
    """

    FORMAT = "cardwright evolution"
    VERSION = 3
    WHAT, TASKS = "search", "candidates"
    BLOCK = SearchBlock

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        super().__init__(folder, manifest)
        try:
            self.plan = EvolutionPlan.of_data(manifest.plan)
        except EvolutionError as error:
            raise self.unreadable(error) from None

    @classmethod
    def of_plan(cls, folder: Path, plan: EvolutionPlan) -> SearchFolder:
        """Return the folder of a search that begins here."""
        return cls(folder, Manifest(plan=plan.data()))

    @property
    def count(self) -> int:
        """How many blocks there are when the search is over."""
        return self.plan.generations + 2

    def add(self, number: int, block: SearchBlock) -> None:
        """Store a block, and remove the pieces that it is made of."""
        self.blocks.write({number: block})
        self.pieces.remove(self.pieces.numbers())

    def timing(self) -> EvolutionTiming | None:
        """Return where the time went; None if that is not known."""
        try:
            return of_json(read_text(self.folder / TIMING), EvolutionTiming)
        except (OSError, ValueError):
            return None

    def keep_timing(self, timing: EvolutionTiming) -> None:
        """Write where the time went."""
        write_whole(self.folder / TIMING, to_json(timing).encode())
