"""Records: the folder of an experiment, with its plan, a manifest, and blocks of deals."""

from __future__ import annotations

import difflib
import shutil
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from cardwright._version import RESULTS_VERSION, __version__
from cardwright.jobs.files import (
    DamagedError,
    RecordsError,
    digest,
    pack,
    told_of,
    unpack,
    warn_unchecked,
    write_several,
)
from cardwright.jobs.folder import (
    BLOCKS,
    FILE,
    MOST_BYTES,
    Blocks,
    Format,
    Inspection,
    check_empty,
    check_same,
    held,
    how_to_mend,
    of_results,
    of_versions,
    read_digests,
    remove_lock,
    tidy,
    unreadable,
)
from cardwright.lab.layout import layout_of
from cardwright.lab.outcomes import Outcomes
from cardwright.lab.plan import parse_plan, plan_text
from cardwright.lab.task import pieces
from cardwright.syntax.data_files import read_bytes, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from cardwright.lab.layout import ExperimentLayout
    from cardwright.lab.outcomes import Sums
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.task import Part

FORMAT = Format("cardwright experiment", 1, "an experiment", {"played": 0})


@dataclass(frozen=True)
class LabManifest:
    """What a folder says about itself.

    `plan` is the digest of the plan's text, `games` are the digests of the rules that are played;
    `together` deals make a block. For a `complete` experiment `played` is the number of deals,
    which may be fewer than planned if it was stopped; otherwise it is 0. `digests` has the SHA-256
    of each block of a complete experiment by the name of its file; older records have none.
    """

    cardwright: str
    plan: str
    games: tuple[str, ...]
    together: int
    complete: bool = False
    played: int = 0
    digests: dict[str, str] = field(default_factory=dict)
    results_version: int = RESULTS_VERSION

    @classmethod
    def new(cls, plan: str, together: int, games: Sequence[str]) -> LabManifest:
        """Return the manifest of an experiment that begins here."""
        return cls(__version__, plan, tuple(games), together)

    def finished(self, deals: int, digests: dict[str, str]) -> LabManifest:
        """Return the manifest of the same experiment once it is over."""
        return replace(self, complete=True, played=deals, digests=digests)

    def blocks(self, plan: LabPlan) -> int:
        """Return how many blocks the planned deals make."""
        return -(-plan.deals // self.together)

    def deals(self, plan: LabPlan, block: int) -> range:
        """Return the deals of a block."""
        first = block * self.together
        return range(first, min(first + self.together, plan.deals))

    def write(self, folder: Path) -> None:
        """Write this to a folder."""
        FORMAT.write(folder, asdict(self))

    @classmethod
    def read(cls, folder: Path) -> LabManifest:
        """Return a folder's manifest; raises RecordsError if it has none that can be read."""
        data = FORMAT.read(folder)
        if data is None:
            what = "has no records of an experiment" if folder.is_dir() else "does not exist"
            raise RecordsError(f"{folder} {what}: there is no {FILE} in it")
        facts = {key: data[key] for key in data.keys() - {"format", "format_version"}}
        try:
            made = {"games": tuple(data["games"]), "digests": read_digests(data)}
            manifest = cls(**{**facts, **made})
            if manifest.together < 1 or manifest.played < 0:
                raise ValueError("its numbers make no sense")
        except (KeyError, TypeError, ValueError) as error:
            raise unreadable(folder, error) from None
        return manifest

    def differences(self, other: LabManifest) -> list[str]:
        """Say how an experiment to be resumed would be played differently: a line for each."""
        found = of_versions(self.cardwright, other.cardwright) + of_results(self.results_version)
        if not found and self.together != other.together:
            found.append(f"deals of a block: {self.together} there, {other.together} here")
        if self.games != other.games:
            found.append("the rules of the game have changed")
        return found


_FORMAT = 1
OF_DEALS = ("experiment", "deals")
"""What a DamagedError says about the files of an experiment."""


@dataclass(frozen=True, eq=False)
class LabBlock:
    """The sums of consecutive deals from the `first`, of the plan whose text has this digest."""

    plan: str
    first: int
    sums: Part

    @property
    def deals(self) -> int:
        """How many deals there are."""
        return len(self.sums[0])

    def before(self, deal: int) -> LabBlock:
        """Return the part of it before a deal."""
        return LabBlock(self.plan, self.first, tuple(one[: deal - self.first] for one in self.sums))

    def packed(self) -> bytes:
        """Return this as bytes."""
        texts = {"format": _FORMAT, "plan": self.plan, "first": self.first}
        return pack(texts, {f"sums.{number}": one for number, one in enumerate(self.sums)})

    @classmethod
    def unpacked(cls, content: bytes, file: str, shape: tuple[int, int, int]) -> LabBlock:
        """Return what `packed` was given, for (classes of opponents, cells, responses).

        Raises DamagedError, which names the file, for any other bytes.
        """
        with told_of(file, *OF_DEALS):
            texts, kept = unpack(content)
            if texts["format"] != _FORMAT:
                raise ValueError(f"its format is {texts['format']!r}, and {_FORMAT} can be read")
            sums = tuple(kept[f"sums.{number}"] for number in range(shape[0]))
            if len(kept) != shape[0] or any(
                one.dtype != np.int32 or one.shape != (len(sums[0]), *shape[1:]) for one in sums
            ):
                raise ValueError("its arrays are not those of this experiment")
            return cls(str(texts["plan"]), int(texts["first"]), sums)


class DealOutcomes:
    """The outcomes of the first deals of an experiment, to which more are added in order."""

    def __init__(self, layout: ExperimentLayout) -> None:
        self._layout = layout
        shape = (0, len(layout.cells), len(layout.responses))
        self._room = [np.zeros(shape, np.int32) for _ in layout.plan.opponents]
        self.deals = 0

    def add(self, part: Part) -> None:
        """Add the deals that come next."""
        after = self.deals + len(part[0])
        for number, sums in enumerate(part):
            room = self._grown(self._room[number], after)
            room[self.deals : after] = sums
            self._room[number] = room
        self.deals = after

    def _grown(self, room: Sums, deals: int) -> Sums:
        """Return the array, or a longer one: twice as long, so that adding stays cheap."""
        if deals <= len(room):
            return room
        most = min(max(deals, 2 * len(room)), max(deals, self._layout.plan.deals))
        longer = np.empty((most, *room.shape[1:]), np.int32)
        longer[: self.deals] = room[: self.deals]
        return longer

    def outcomes(self, deals: int | None = None) -> Outcomes:
        """Return the outcomes of the first deals; of all deals if no number is given."""
        layout = self._layout
        whole = Outcomes(
            layout.cells, layout.responses, layout.seatings, layout.tested, tuple(self._room)
        )
        return whole.before(self.deals if deals is None else deals)


PLAN = "plan.toml"
PIECES = "pieces"
_DIFFERENCES = 12
"""The most differing lines of plans that are shown."""


class LabRecords:
    """The folder of an experiment; see `opened` for writing, and `load`."""

    def __init__(self, folder: Path, plan: LabPlan, manifest: LabManifest) -> None:
        self.folder = folder
        self.plan = plan
        self.manifest = manifest
        layout = layout_of(plan)
        self._shape = (len(plan.opponents), len(layout.cells), len(layout.responses))

    @property
    def blocks(self) -> Blocks:
        """The files of the blocks."""
        return Blocks(
            self.folder,
            self.manifest.blocks(self.plan),
            *OF_DEALS,
            how_to_mend(self.folder, "the experiment"),
            self.manifest.digests,
        )

    def numbers(self) -> list[int]:
        """Return the numbers of the blocks that exist; raises RecordsError for other files."""
        blocks = self.blocks
        return [blocks.number(file) for file in sorted((self.folder / BLOCKS).glob("[!.]*"))]

    def read(self, number: int) -> LabBlock:
        """Return a block; raises RecordsError if it is damaged, or of another experiment."""
        blocks = self.blocks
        block = LabBlock.unpacked(blocks.read(number), str(blocks.file(number)), self._shape)
        deals = self.manifest.deals(self.plan, number)
        if block.plan != self.manifest.plan or block.first != deals.start:
            raise RecordsError(f"{blocks.file(number)} belongs to another experiment: remove it")
        if not 1 <= block.deals <= len(deals):
            raise blocks.damaged(
                number, f"it has {block.deals} deals, and there can be {len(deals)}"
            )
        return block

    def whole(self) -> Iterator[tuple[int, Part]]:
        """Yield the number and the sums of each block that has all its deals, in order.

        One without was cut off by a run that was killed as it ended: it is played again.
        """
        for number in self.numbers():
            block = self.read(number)
            if block.deals == len(self.manifest.deals(self.plan, number)):
                yield number, block.sums

    def add(self, number: int, sums: Part) -> None:
        """Store a block."""
        first = self.manifest.deals(self.plan, number).start
        self.blocks.write({number: LabBlock(self.manifest.plan, first, sums).packed()})

    def pieces(self, of: int) -> Iterator[tuple[int, Part]]:
        """Yield the number and the sums of each stored piece of a deal, with `of` pieces per deal.

        Raises DamagedError for anything else.
        """
        for file in sorted((self.folder / PIECES).glob("[!.]*")):
            yield self.piece(file, of)

    def piece(self, file: Path, of: int) -> tuple[int, Part]:
        """Return the number and the sums of the piece of a deal in a file, as `pieces` does."""
        try:
            content = read_bytes(file, MOST_BYTES)
        except OSError as error:
            raise RecordsError(f"{file} cannot be read: {error.strerror or error}") from None
        block = LabBlock.unpacked(content, str(file), self._shape)
        wanted = (self._of_pieces(of), _piece_name(block.first), 1)
        if (block.plan, file.name, block.deals) != wanted:
            raise DamagedError(str(file), "it is no piece of a deal of this experiment", *OF_DEALS)
        return block.first, block.sums

    def add_pieces(self, of: int, parts: Mapping[int, Part]) -> None:
        """Store pieces of deals, with `of` pieces per deal."""
        (self.folder / PIECES).mkdir(exist_ok=True)
        plan = self._of_pieces(of)
        write_several(
            {
                self.folder / PIECES / _piece_name(number): LabBlock(plan, number, part).packed()
                for number, part in parts.items()
            }
        )

    def drop_pieces(self, numbers: Iterable[int]) -> None:
        """Remove pieces whose deals are in a block."""
        for number in numbers:
            (self.folder / PIECES / _piece_name(number)).unlink(missing_ok=True)

    def _of_pieces(self, of: int) -> str:
        return f"{self.manifest.plan} in {of}"

    def finish(self, deals: int) -> None:
        """Keep exactly this many deals, and mark the experiment as complete."""
        last = (deals - 1) // self.manifest.together
        block = self.read(last)
        if block.first + block.deals > deals:
            self.blocks.write({last: block.before(deals).packed()})
        for number in self.numbers():
            if number > last:
                self.blocks.file(number).unlink()
        shutil.rmtree(self.folder / PIECES, ignore_errors=True)
        self.manifest = self.manifest.finished(deals, self.blocks.digested(range(last + 1)))
        self.manifest.write(self.folder)

    def outcomes(self) -> Outcomes:
        """Return the outcomes of the first deals without a gap: all if it is finished."""
        sheet = DealOutcomes(layout_of(self.plan))
        for at, number in enumerate(self.numbers()):
            if number != at:
                break
            block = self.read(number)
            sheet.add(block.sums)
            if block.deals < len(self.manifest.deals(self.plan, number)):
                break
        if self.manifest.complete and sheet.deals != self.manifest.played:
            raise RecordsError(
                f"{self.folder} should have {self.manifest.played:,} deals, and has "
                f"{sheet.deals:,}: a file of its {BLOCKS} is missing; "
                f"{how_to_mend(self.folder, 'the experiment')}"
            )
        return sheet.outcomes()


def load(folder: Path) -> tuple[LabPlan, Outcomes]:
    """Return the plan of an experiment and its outcomes so far.

    If it is not finished, these are the first deals without a gap. Raises RecordsError for a
    folder that has no records of an experiment, and for damaged ones.
    """
    records = records_in(folder)
    if records.manifest.complete and not records.manifest.digests:
        warn_unchecked(folder)
    return records.plan, records.outcomes()


def records_in(folder: Path) -> LabRecords:
    """Return the records of an experiment in a folder; raises RecordsError if there are none."""
    manifest = LabManifest.read(folder)
    file = folder / PLAN
    try:
        text = read_text(file)
    except (OSError, UnicodeDecodeError) as error:
        raise RecordsError(f"{file} cannot be read: {error}") from None
    if digest(text.encode()) != manifest.plan:
        raise RecordsError(
            f"{file} was changed after the experiment was begun: bring the old one back"
        )
    return LabRecords(folder, parse_plan(text, str(file)), manifest)


def is_complete(folder: Path) -> bool:
    """Say whether a folder has a finished experiment; raises RecordsError for damaged records."""
    return (folder / FILE).exists() and LabManifest.read(folder).complete


def _piece_name(number: int) -> str:
    return f"{number:09}.npz"


@contextmanager
def opened(folder: Path, plan: LabPlan, together: int, *, resume: bool) -> Iterator[LabRecords]:
    """Open the folder of an experiment, new or to be resumed, for this process alone.

    Raises RecordsError if something else is in it, if it is in use, if there is an experiment in it
    though `resume` is not set, if that is a different one, or if it cannot be written.
    """
    text = plan_text(plan)
    games = layout_of(plan).games
    manifest = LabManifest.new(digest(text.encode()), together, [game.digest for game in games])
    with held(folder, BLOCKS, f"the experiment in {folder}"):
        begun = (folder / FILE).exists()
        if begun:
            manifest = _same(folder, LabManifest.read(folder), manifest, text, resume=resume)
        else:
            plan_file = folder / PLAN
            same = not plan_file.exists() or read_bytes(plan_file) == text.encode()
            own = {BLOCKS, PLAN, f".{PLAN}.new"} if same else {BLOCKS}
            check_empty("an experiment", folder, own)
        tidy(folder)
        records = LabRecords(folder, plan, manifest)
        if not begun:
            write_several({folder / PLAN: text.encode()})
            manifest.write(folder)
        yield records
        if records.manifest.complete:
            remove_lock(folder)


def _same(
    folder: Path, there: LabManifest, here: LabManifest, text: str, *, resume: bool
) -> LabManifest:
    """Return the manifest in the folder; raises RecordsError if it is of another experiment."""
    found = there.differences(here)
    try:
        kept = read_text(folder / PLAN)
    except (OSError, UnicodeDecodeError) as error:
        raise RecordsError(f"{folder / PLAN} cannot be read: {error}") from None
    found += _different(kept, text)
    finished = "is finished" if there.complete else ""
    check_same("an experiment", folder, finished, found, resume=resume)
    return there


def _different(there: str, here: str) -> list[str]:
    """Return the lines in which two plans differ: - for the one in the folder, + for this one."""
    lines = [
        line
        for line in difflib.unified_diff(there.splitlines(), here.splitlines(), n=0, lineterm="")
        if not line.startswith(("---", "+++", "@@"))
    ]
    more = [f"and {len(lines) - _DIFFERENCES} lines more"] if len(lines) > _DIFFERENCES else []
    return lines[:_DIFFERENCES] + more


def inspect_experiment(folder: Path) -> Inspection:
    """Inspect the blocks of an experiment; raises RecordsError without a plan to check against."""
    records = records_in(folder)
    manifest = records.manifest
    there = {f"{one.parent.name}/{one.name}" for name in (BLOCKS, PIECES)
             for one in (folder / name).glob("[!.]*")}  # fmt: skip
    looked = {
        name: _wrong(records, folder / name) for name in sorted(there | manifest.digests.keys())
    }
    return Inspection(
        folder,
        "experiment",
        FORMAT,
        manifest.complete,
        looked,
        bool(manifest.digests),
        "their deals",
    )


def _wrong(records: LabRecords, file: Path) -> str:
    try:
        if file.parent.name == PIECES:
            records.piece(file, pieces(records.plan))
        else:
            records.read(records.blocks.number(file))
    except DamagedError as error:
        return error.reason
    except RecordsError as error:
        return str(error).removeprefix(f"{file} ")
    return ""
