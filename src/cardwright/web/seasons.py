"""Seasons of the league that are served while they are played: which there are, and their pages."""

from __future__ import annotations

import asyncio
import re
import shutil
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright.game.errors import CardwrightError
from cardwright.league.records import FOLDER, read_season
from cardwright.league.site.data import shown
from cardwright.syntax.suggest import did_you_mean
from cardwright.web.process_limits import MEGABYTE, ProcessLimits
from cardwright.web.worker_process import ProcessEndedError, WorkerProcess

if TYPE_CHECKING:
    from cardwright.league.records import Season

_MODULE = "cardwright.web.season_building"
_SECONDS = 600.0
"""Processor time that the pages of a season may take."""

_REST = 5.0
"""The least seconds between two versions of a season's pages..."""

_SHARE = 10
"""...and so many times as long as the last one took, at least."""

_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,80}")
"""Folders with other names are not served: they would need quoting in addresses."""

_OWN = "season"
"""The name of the only season, if its folder has such a name."""


class UnservedSeasonError(CardwrightError):
    """A season that is not there, or has no games yet; the message says which."""


@dataclass(eq=False)
class _Pages:
    """The pages of a season: the folder of the last version, and when it was made."""

    folder: Path | None = None
    blocks: int = -1
    over: bool = False
    games: int = 0
    leaders: list[dict[str, Any]] = field(default_factory=list)
    made: float = 0.0
    took: float = 0.0
    version: int = 0
    making: asyncio.Task[None] | None = None
    problem: str = ""


@dataclass(eq=False)
class LeagueSeasons:
    """The seasons in a folder, which may be one itself.

    Their pages are written to a temporary folder by a process of its own, again when new games have
    come and somebody looks; what was written last is served in the meantime.
    """

    place: Path
    _pages: dict[str, _Pages] = field(default_factory=dict)
    _site: tempfile.TemporaryDirectory[str] | None = None

    def names(self) -> list[str]:
        """Return the names of the seasons, which are those of their folders."""
        return sorted(self._folders())

    def _folders(self) -> dict[str, Path]:
        place = self.place
        if (place / FOLDER).is_dir():
            name = place.resolve().name
            return {name if _NAME.fullmatch(name) else _OWN: place}
        with suppress(OSError):
            return {
                one.name: one
                for one in place.iterdir()
                if _NAME.fullmatch(one.name) and (one / FOLDER).is_dir()
            }
        return {}

    def folder(self, name: str) -> Path:
        """Return the folder of a season; raises UnservedSeasonError."""
        folders = self._folders()
        if name not in folders:
            advice = did_you_mean(name[:80], sorted(folders))
            raise UnservedSeasonError("there is no such season" + (f"; {advice}" if advice else ""))
        return folders[name]

    def read(self, name: str) -> Season:
        """Return the records of a season; raises UnservedSeasonError and RecordsError."""
        return read_season(self.folder(name))

    # What is told -------------------------------------------------------------------------

    def facts(self, name: str) -> dict[str, Any]:
        """Return what is known of a season without counting its games; raises CardwrightError.

        The seed is not among it. `played` are the games that are there, `shown` those on the pages.
        """
        season = self.read(name)
        plan = season.plan
        played = sum(len(plan.block(number)) for number in season.blocks.numbers())
        pages = self._pages.get(name) or _Pages()
        return {
            "name": name,
            "title": shown(plan.name),
            "games": plan.games,
            "played": played,
            "shown": pages.games,
            "complete": season.complete,
            "over": pages.over,
            "leaders": pages.leaders,
            "bots": [shown(bot.name) for bot in plan.bots],
            "rules": plan.rules.value,
            "begun": season.manifest.begun,
            "ended": season.manifest.ended,
        }

    # Pages --------------------------------------------------------------------------------

    async def page(self, name: str, path: str) -> Path:
        """Return a file of a season's pages; raises UnservedSeasonError if there is none.

        The first time this waits for them to be written.
        """
        pages = await self._fresh(name)
        if pages.folder is None:
            raise UnservedSeasonError(pages.problem or "the season has no games yet")
        file = (pages.folder / (path or "index.html")).resolve()
        if not file.is_relative_to(pages.folder) or not file.is_file():
            raise UnservedSeasonError("the season has no such page")
        return file

    async def look(self, name: str) -> dict[str, Any]:
        """Return what is known of a season, and have its pages renewed if they are old."""
        self._renew(name)
        return self.facts(name)

    async def _fresh(self, name: str) -> _Pages:
        pages = self._renew(name)
        if pages.folder is None and pages.making is not None:
            await asyncio.shield(pages.making)
        return pages

    def _renew(self, name: str) -> _Pages:
        """Begin to write the pages of a season anew, if there are more games since a while."""
        season = self.read(name)
        pages = self._pages.setdefault(name, _Pages())
        blocks = len(season.blocks.numbers())
        stale = blocks != pages.blocks or season.complete != pages.over
        rested = time.monotonic() >= pages.made + max(_REST, _SHARE * pages.took)
        if stale and rested and pages.making is None:
            pages.making = asyncio.create_task(self._make(name, pages, blocks))
        return pages

    async def _make(self, name: str, pages: _Pages, blocks: int) -> None:
        begun = time.monotonic()
        if self._site is None:
            self._site = tempfile.TemporaryDirectory(prefix="cardwright-seasons-")
        folder = Path(self._site.name).resolve() / f"{name}.{pages.version}"
        pages.version += 1
        worker = WorkerProcess(_MODULE, ProcessLimits(memory=4096 * MEGABYTE))
        try:
            request = {"season": str(self.folder(name)), "place": str(folder)}
            answer = await worker.ask(request, _SECONDS)
            if "error" in answer:
                raise UnservedSeasonError(answer["error"]["message"])
        except (ProcessEndedError, UnservedSeasonError) as error:
            pages.problem = str(error)
        else:
            before, pages.folder = pages.folder, folder
            pages.games, pages.leaders = answer["games"], answer["leaders"]
            pages.over, pages.problem = answer["over"], ""
            if before is not None:
                await asyncio.to_thread(shutil.rmtree, before, ignore_errors=True)
        finally:
            await worker.kill()
            pages.blocks, pages.making = blocks, None
            pages.made = time.monotonic()
            pages.took = pages.made - begun

    async def close(self) -> None:
        """End what is being written, and remove all pages."""
        tasks = [page.making for page in self._pages.values() if page.making is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._site is not None:
            self._site.cleanup()
            self._site = None
