"""The replays that a site keeps: of saved games that were sent, and of tables that are over."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from cardwright.jobs.files import RecordsError, write_whole
from cardwright.syntax.data_files import parse_json, read_bytes
from cardwright.web.recently_used import RecentlyUsed
from cardwright.web.replay_source import ReplaySource

if TYPE_CHECKING:
    from pathlib import Path

MOST = 2000
"""Replays that are kept; the ones that nobody has looked at for longest go first."""

_IN_MEMORY = 200
_ID = re.compile(r"[0-9a-f]{32}")


class ReplayStore:
    """Keeps replays by their ids, in a folder; without one, in memory."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._known: RecentlyUsed[str, ReplaySource] = RecentlyUsed(
            MOST if folder is None else _IN_MEMORY
        )

    def keep(self, source: ReplaySource) -> str:
        """Keep a replay and return its id; raises RecordsError if it cannot be written."""
        name = source.id
        if self._folder is not None and not self._file(name).exists():
            try:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._make_room(self._folder)
            except OSError as error:
                raise RecordsError(f"{self._folder}: {error.strerror or error}") from None
            write_whole(self._file(name), json.dumps(source.data()).encode())
        self._known.keep(name, source)
        return name

    def find(self, name: str) -> ReplaySource | None:
        """Return a replay; None if there is none of this id."""
        if not _ID.fullmatch(name):
            return None
        found = self._known.get(name)
        if found is None and self._folder is not None:
            with suppress(OSError, ValueError, KeyError, TypeError):  # as if it were not there
                found = ReplaySource.of_data(parse_json(read_bytes(self._file(name))))
                self._known.keep(name, found)
                self._file(name).touch()
        return found

    def _file(self, name: str) -> Path:
        assert self._folder is not None
        return self._folder / f"{name}.json"

    @staticmethod
    def _make_room(folder: Path) -> None:
        files = sorted(folder.glob("*.json"), key=lambda file: file.stat().st_mtime)
        for file in files[: max(0, len(files) - MOST + 1)]:
            file.unlink(missing_ok=True)
