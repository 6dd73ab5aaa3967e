"""Records: the folder of a search, with its plan, a manifest, and a block for each generation.

Whatever the executor, and however often the search is killed and resumed, the plan, the manifest
and the blocks of a finished search have the same bytes. While a generation is under way, what is
known of its candidates is kept in pieces. How long it took is in a file of its own.
"""

from __future__ import annotations

import json
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from cardwright.evolution.errors import EvolutionError
from cardwright.evolution.evaluated_data import evaluated_data, evaluated_of
from cardwright.evolution.manifest import EvolutionManifest
from cardwright.evolution.plan import EvolutionPlan
from cardwright.evolution.timing import EvolutionTiming
from cardwright.jobs.blocks import BLOCKS, MOST_BYTES, Blocks
from cardwright.jobs.digests import digest
from cardwright.jobs.errors import DamagedError, RecordsError
from cardwright.jobs.files import write_several, write_whole
from cardwright.jobs.folder import check_empty, check_same, held, remove_lock, tidy
from cardwright.jobs.manifest import FILE, how_to_mend
from cardwright.jobs.packing import pack, told_of, unpack
from cardwright.syntax.data_files import parse_json, read_bytes, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from cardwright.evolution.evaluation import Evaluated

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
