"""Blocks: numbered files in which a job keeps its tasks, with digests once it is finished."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.jobs.digests import changed, digest
from cardwright.jobs.errors import DamagedError, RecordsError
from cardwright.jobs.files import write_several
from cardwright.syntax.data_files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

BLOCKS = "blocks"
MOST_BYTES = 1 << 30
"""Bytes that a block, or a piece of one, may have."""


@dataclass(frozen=True)
class Blocks:
    """The blocks in the folder of a job, which has `count` of them when all are there.

    `what` is the job, such as `season`, and `tasks` what its blocks hold, such as `games`.
    `digests` has the SHA-256 of each block by the name of its file, if the job is finished;
    `advice` says what to do about a block whose digest differs.
    """

    folder: Path
    count: int
    what: str
    tasks: str
    advice: str
    digests: Mapping[str, str] = field(default_factory=dict)

    def name(self, number: int) -> str:
        """Return the name by which a manifest knows a block."""
        return f"{BLOCKS}/{number:06}.npz"

    def file(self, number: int) -> Path:
        """Return the file of a block."""
        return self.folder / self.name(number)

    def there(self) -> list[int]:
        """Return the numbers of the blocks that exist, in order."""
        return [number for number in range(self.count) if self.file(number).exists()]

    def number(self, file: Path) -> int:
        """Return the number of the block in a file; raises RecordsError for any other file."""
        number = int(file.stem) if file.stem.isascii() and file.stem.isdigit() else -1
        if not 0 <= number < self.count or file != self.file(number):
            raise RecordsError(f"{file} is not a block of this {self.what}: remove it")
        return number

    def changed(self, number: int) -> str:
        """Say how a block has changed since the end of its job; empty if it has not."""
        return changed(self.folder, self.name(number), self.digests)

    def check(self, number: int) -> None:
        """Raise DamagedError for a block that is missing or was changed after its job ended."""
        if wrong := self.changed(number):
            raise self.damaged(number, wrong, self.advice)

    def damaged(self, number: int, reason: str, advice: str = "") -> DamagedError:
        """Return the error for a damaged block."""
        return DamagedError(str(self.file(number)), reason, self.what, self.tasks, advice)

    def read(self, number: int) -> bytes:
        """Return the content of a block; raises DamagedError or RecordsError if it has none."""
        self.check(number)
        return self._content(number)

    def write(self, contents: Mapping[int, bytes]) -> None:
        """Write blocks, all of them or as many as there is time for."""
        write_several({self.file(number): content for number, content in contents.items()})

    def digested(self, numbers: Iterable[int]) -> dict[str, str]:
        """Return the digests of the blocks that exist."""
        return {self.name(number): digest(self._content(number)) for number in numbers}

    def _content(self, number: int) -> bytes:
        file = self.file(number)
        try:
            return read_bytes(file, MOST_BYTES)
        except OSError as error:
            raise RecordsError(f"{file} cannot be read: {error.strerror or error}") from None
