"""Records: the folder of a search, with its plan, a manifest and a block a generation."""

from __future__ import annotations

import json
import shutil
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from cardwright._version import RESULTS_VERSION, __version__
from cardwright.evolution.candidate import evaluated_data, evaluated_of
from cardwright.evolution.errors import EvolutionError
from cardwright.evolution.generation import EvolutionTiming
from cardwright.evolution.plan import EvolutionPlan
from cardwright.jobs.files import (
    DamagedError,
    RecordsError,
    digest,
    pack,
    told_of,
    unpack,
    write_several,
    write_whole,
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
from cardwright.syntax.data_files import parse_json, read_bytes, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from cardwright.evolution.candidate import Evaluated

FORMAT = Format("cardwright evolution", 1, "a search for games")


@dataclass(frozen=True)
class EvolutionManifest:
    """What a folder says about itself.

    `plan` is the digest of the plan's text. `digests` has the SHA-256 of each block of a `complete`
    search by the name of its file.
    """

    cardwright: str
    plan: str
    complete: bool = False
    digests: dict[str, str] = field(default_factory=dict)
    results_version: int = RESULTS_VERSION

    @classmethod
    def new(cls, plan: str) -> EvolutionManifest:
        """Return the manifest of a search that begins here."""
        return cls(__version__, plan)

    def finished(self, digests: dict[str, str]) -> EvolutionManifest:
        """Return the manifest of the same search once it is over."""
        return replace(self, complete=True, digests=digests)

    def write(self, folder: Path) -> None:
        """Write this to a folder."""
        FORMAT.write(folder, asdict(self))

    @classmethod
    def read(cls, folder: Path) -> EvolutionManifest:
        """Return a folder's manifest; raises RecordsError if it has none that can be read."""
        data = FORMAT.read(folder)
        if data is None:
            what = "has no records of a search" if folder.is_dir() else "does not exist"
            raise RecordsError(f"{folder} {what}: there is no {FILE} in it")
        facts = {key: data[key] for key in data.keys() - {"format", "format_version"}}
        try:
            return cls(**{**facts, "digests": read_digests(data)})
        except (KeyError, TypeError, ValueError) as error:
            raise unreadable(folder, error) from None

    def differences(self, other: EvolutionManifest) -> list[str]:
        """Say how a search to be resumed would be carried out differently: a line for each."""
        return of_versions(self.cardwright, other.cardwright) + of_results(self.results_version)


PLAN = "plan.json"
PIECES = "pieces"
TIMING = "timing.json"
OF_CANDIDATES = "search", "candidates"
"""What is recorded, and what its files hold: for messages."""


class EvolutionRecords:
    """The folder of a search; see `opened` for writing, and `records_in`."""

    def __init__(self, folder: Path, plan: EvolutionPlan, manifest: EvolutionManifest) -> None:
        self.folder = folder
        self.plan = plan
        self.manifest = manifest

    @property
    def blocks(self) -> Blocks:
        """The blocks: the original's, one for each generation, and one for what was found."""
        return Blocks(
            self.folder,
            self.plan.generations + 2,
            *OF_CANDIDATES,
            how_to_mend(self.folder, "the search"),
            self.manifest.digests,
        )

    def there(self, number: int) -> bool:
        """Say whether a block is there; its digest tells of a missing one."""
        blocks = self.blocks
        return blocks.name(number) in self.manifest.digests or blocks.file(number).exists()

    def read(self, number: int) -> tuple[list[Evaluated], Any]:
        """Return the candidates of a block and the notes with them; raises RecordsError.

        That is if it is damaged, missing, or of another search.
        """
        blocks = self.blocks
        return self._unpacked(blocks.read(number), str(blocks.file(number)), number, None)

    def add(self, number: int, candidates: Sequence[Evaluated], notes: Any = None) -> None:
        """Store a block, and remove the pieces that it is made of."""
        self.blocks.write({number: self._packed(number, None, candidates, notes)})
        self.drop_pieces()

    def pieces(self, number: int) -> Iterator[tuple[int, Evaluated]]:
        """Yield the stored candidates of a block that is not whole, with their places in it.

        Raises RecordsError for anything else in their folder.
        """
        for file in self.piece_files():
            block, at, one = self.piece(file)
            if self.there(block):  # it was killed between writing the block and removing these
                file.unlink()
                continue
            if block != number:
                raise RecordsError(f"{file} is of another generation than {number}: remove it")
            yield at, one

    def piece_files(self) -> list[Path]:
        """Return the files of pieces."""
        return sorted((self.folder / PIECES).glob("[!.]*"))

    def piece(self, file: Path) -> tuple[int, int, Evaluated]:
        """Return a piece: its block, its place there, and the candidate; raises DamagedError."""
        block, _, at = file.stem.partition("-")
        if not (block.isascii() and block.isdigit() and at.isascii() and at.isdigit()):
            raise DamagedError(str(file), "it is no piece of a generation", *OF_CANDIDATES)
        number, place = int(block), int(at)
        try:
            content = read_bytes(file, MOST_BYTES)
        except OSError as error:
            raise RecordsError(f"{file} cannot be read: {error.strerror or error}") from None
        found, _ = self._unpacked(content, str(file), number, place)
        return number, place, found[0]

    def add_pieces(self, number: int, candidates: Mapping[int, Evaluated]) -> None:
        """Store candidates of a block that is not whole yet, by their places in it."""
        (self.folder / PIECES).mkdir(exist_ok=True)
        write_several(
            {
                self.folder / PIECES / f"{number:06}-{at:06}.npz": self._packed(
                    number, at, [one], None
                )
                for at, one in candidates.items()
            }
        )

    def drop_pieces(self) -> None:
        """Remove all pieces: their block is stored."""
        shutil.rmtree(self.folder / PIECES, ignore_errors=True)

    def timing(self) -> EvolutionTiming | None:
        """Return where the time went; None if that is not known."""
        try:
            text = read_text(self.folder / TIMING)
            return EvolutionTiming.of_data(parse_json(text))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def keep_timing(self, timing: EvolutionTiming) -> None:
        """Write where the time went."""
        content = json.dumps(timing.data(), indent=2) + "\n"
        write_whole(self.folder / TIMING, content.encode())

    def finish(self) -> None:
        """Mark the search as complete."""
        self.drop_pieces()
        blocks = self.blocks
        self.manifest = self.manifest.finished(blocks.digested(range(blocks.count)))
        self.manifest.write(self.folder)

    def _packed(
        self, number: int, place: int | None, candidates: Sequence[Evaluated], notes: Any
    ) -> bytes:
        return pack(
            {
                "plan": self.manifest.plan,
                "block": number,
                "place": place,
                "candidates": [evaluated_data(one) for one in candidates],
                "notes": notes,
            },
            {},
        )

    def _unpacked(
        self, content: bytes, file: str, number: int, place: int | None
    ) -> tuple[list[Evaluated], Any]:
        with told_of(file, *OF_CANDIDATES):
            data, _ = unpack(content)
            found = [evaluated_of(one) for one in data["candidates"]]
            whose, notes = (data["plan"], data["block"], data["place"]), data["notes"]
        if whose != (self.manifest.plan, number, place):
            raise RecordsError(f"{file} belongs to another search, or elsewhere in it: remove it")
        return found, notes


def records_in(folder: Path) -> EvolutionRecords:
    """Return the records of a search in a folder; raises RecordsError if there are none."""
    manifest = EvolutionManifest.read(folder)
    file = folder / PLAN
    try:
        text = read_text(file)
    except (OSError, UnicodeDecodeError) as error:
        raise RecordsError(f"{file} cannot be read: {error}") from None
    if digest(text.encode()) != manifest.plan:
        raise RecordsError(f"{file} was changed after the search was begun: bring the old one back")
    try:
        plan = EvolutionPlan.from_json(text)
    except EvolutionError as error:
        raise RecordsError(f"{file}: {error}") from None
    return EvolutionRecords(folder, plan, manifest)


@contextmanager
def opened(folder: Path, plan: EvolutionPlan, *, resume: bool) -> Iterator[EvolutionRecords]:
    """Open the folder of a search, new or to be resumed, for this process alone.

    Raises RecordsError if something else is in it, if it is in use, if there is a search in it
    though `resume` is not set, if that is a different one, or if it cannot be written.
    """
    text = plan.to_json()
    manifest = EvolutionManifest.new(digest(text.encode()))
    with held(folder, BLOCKS, f"the search in {folder}"):
        begun = (folder / FILE).exists()
        if begun:
            manifest = _same(folder, plan, manifest, resume=resume)
        else:
            file = folder / PLAN
            same = not file.exists() or read_bytes(file) == text.encode()
            own = {BLOCKS, PLAN, f".{PLAN}.new"} if same else {BLOCKS}
            check_empty("a search", folder, own)
        tidy(folder)
        records = EvolutionRecords(folder, plan, manifest)
        if not begun:
            write_several({folder / PLAN: text.encode()})
            manifest.write(folder)
        yield records
        if records.manifest.complete:
            remove_lock(folder)


def _same(
    folder: Path, plan: EvolutionPlan, here: EvolutionManifest, *, resume: bool
) -> EvolutionManifest:
    """Return the manifest in the folder; raises RecordsError if it is of another search."""
    there = records_in(folder)
    found = there.manifest.differences(here)
    mine, other = there.plan.data(), plan.data()
    found += [
        f"{key}: {_short(mine[key])} there, {_short(other[key])} here"
        for key in mine
        if mine[key] != other[key]
    ]
    finished = "is finished" if there.manifest.complete else ""
    check_same("a search", folder, finished, found, resume=resume)
    return there.manifest


def _short(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def inspect_search(folder: Path) -> Inspection:
    """Inspect the files of a search; raises RecordsError without a plan to check against."""
    records = records_in(folder)
    manifest = records.manifest
    there = {f"{one.parent.name}/{one.name}" for name in (BLOCKS, PIECES)
             for one in (folder / name).glob("[!.]*")}  # fmt: skip
    looked = {
        name: _wrong(records, folder / name) for name in sorted(there | manifest.digests.keys())
    }
    return Inspection(
        folder,
        "search",
        FORMAT,
        manifest.complete,
        looked,
        bool(manifest.digests),
        "their candidates",
    )


def _wrong(records: EvolutionRecords, file: Path) -> str:
    try:
        if file.parent.name == PIECES:
            records.piece(file)
        else:
            records.read(records.blocks.number(file))
    except DamagedError as error:
        return error.reason
    except RecordsError as error:
        return str(error).removeprefix(f"{file} ")
    return ""
