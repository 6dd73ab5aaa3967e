"""Measurements of games: each is made once, by a process of its own, and then kept."""

from __future__ import annotations

import asyncio
import hashlib
import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from cardwright._version import RESULTS_VERSION, __version__
from cardwright.game.errors import CardwrightError
from cardwright.game.find import find
from cardwright.jobs.files import RecordsError, write_whole
from cardwright.syntax.data_files import parse_json, read_bytes
from cardwright.web.process_limits import MEGABYTE, ProcessLimits
from cardwright.web.recently_used import RecentlyUsed
from cardwright.web.worker_process import ProcessEndedError, WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cardwright.web.worker_process import Workers

Want: TypeAlias = Literal["statistics", "flow"]

PATIENCE = 60.0
"""Seconds of processor time that a measurement may take."""

_MODULE = "cardwright.web.measuring"

_AT_ONCE = 1
"""Measurements made at a time: they are not to disturb games."""

_KEPT = 200
_QUEUE = 8
"""Measurements that may wait for others."""


class MeasurementError(CardwrightError):
    """A game that could not be measured; the message says why."""


class CrowdedError(MeasurementError):
    """Too many measurements are waiting, or the server is ending: try again later."""


class Measurements:
    """Makes measurements and keeps them; `folder` keeps them between runs, None keeps none."""

    def __init__(
        self, folder: Path | None, patience: float = PATIENCE, workers: Workers = WorkerProcess
    ) -> None:
        self._workers = workers
        self._folder = folder
        self._patience = patience
        self._kept: RecentlyUsed[str, dict[str, Any]] = RecentlyUsed(_KEPT)
        self._making: dict[str, asyncio.Task[dict[str, Any]]] = {}
        self._turn = asyncio.Semaphore(_AT_ONCE)

    async def of(
        self,
        want: Want,
        name: str | Path,
        preset: str | None = None,
        options: Mapping[str, object] | None = None,
        *,
        title: str = "",
        source: str | None = None,
    ) -> dict[str, Any]:
        """Return a measurement of a game: of the library, in a file, or the rules in a `source`.

        Those who ask for the same while it is made wait for the same process. Raises
        MeasurementError if there is none: the game cannot be loaded, takes too long, or all is
        closed meanwhile; and NotFoundError if there is no such game.
        """
        request = {
            "want": want,
            "name": str(name),
            "preset": preset,
            "options": dict(options or {}),
            "title": title or str(name),
        }
        if source is not None:
            request["source"] = source
        key = _key(request, find(name).text if source is None else source)
        found = self._kept.get(key)
        if found is None:
            found = self._read(key)
        if found is None:
            if key not in self._making and len(self._making) > _QUEUE:
                raise CrowdedError("several games are being measured: try again in a minute")
            task = self._making.get(key) or asyncio.create_task(self._make(key, request))
            self._making[key] = task
            try:
                found = await asyncio.shield(task)
            except asyncio.CancelledError:
                if not task.cancelled():
                    raise
                raise CrowdedError("the server is ending: try again when it is back") from None
        if "error" in found:
            raise MeasurementError(found["error"]["message"])
        return found

    async def close(self) -> None:
        """End the measurements that are being made: who waits for them gets CrowdedError."""
        made = list(self._making.values())
        for task in made:
            task.cancel()
        await asyncio.gather(*made, return_exceptions=True)

    async def _make(self, key: str, request: dict[str, Any]) -> dict[str, Any]:
        try:
            async with self._turn:
                found = await self._run(request)
            self._kept.keep(key, found)
            if "error" not in found:
                self._write(key, found)
            return found
        finally:
            del self._making[key]

    async def _run(self, request: dict[str, Any]) -> dict[str, Any]:
        worker = self._workers(_MODULE, ProcessLimits(memory=2048 * MEGABYTE))
        try:
            return await worker.ask(request, self._patience)
        except ProcessEndedError as error:
            raise MeasurementError(f"this game cannot be measured: {error}") from None
        finally:
            await worker.kill()

    def _read(self, key: str) -> dict[str, Any] | None:
        """Return a measurement of an earlier run; a file that cannot be read counts as missing."""
        if self._folder is None:
            return None
        with suppress(OSError, ValueError):
            found = parse_json(read_bytes(self._folder / f"{key}.json"))
            if isinstance(found, dict):
                self._kept.keep(key, found)
                return found
        return None

    def _write(self, key: str, found: dict[str, Any]) -> None:
        if self._folder is not None:
            with suppress(OSError, RecordsError):  # it is only made again next time
                self._folder.mkdir(parents=True, exist_ok=True)
                write_whole(self._folder / f"{key}.json", json.dumps(found).encode())


def _key(request: dict[str, Any], rules: str) -> str:
    """Return a name for a request: another one for other rules, and for another version."""
    text = json.dumps([__version__, RESULTS_VERSION, request, rules], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:40]
