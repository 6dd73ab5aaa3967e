"""The site: all that the routes share, from its settings to the tables in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.web.hosts import HostRoom
from cardwright.web.limits import OWN, STRANGERS, Limits
from cardwright.web.live_table import StreamCount
from cardwright.web.shelf import GameShelf
from cardwright.web.stored import MemoryStore, StoreError
from cardwright.web.studio.workers import StudioWorkers
from cardwright.web.tables import SiteTables
from cardwright.web.thinking import Thinkers, ThinkLimits
from cardwright.web.worker_process import WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from pathlib import Path

    from cardwright.web.searches import ServedSearch
    from cardwright.web.seasons import LeagueSeasons
    from cardwright.web.stored import TableStore
    from cardwright.web.worker_process import Workers

DATABASE = "tables.sqlite3"


@dataclass(frozen=True)
class SiteSettings:
    """How a site is served.

    `public` says that strangers may come. `names` are those under which the server is reached,
    besides addresses and names of this machine. Without a `data` folder tables are kept in memory
    alone. `files` are games of one's own that can be played, `seasons` is a folder with seasons of
    the league, `searches` are those of searches for games, whose games can be played too.
    `page` makes the page of one file in which the studio publishes rules, if it does.
    `opponents` are who plays against people, in games where it is not the usual player.
    `own_limits` are there for tests.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    public: bool = False
    names: tuple[str, ...] = ()
    data: Path | None = None
    files: tuple[Path, ...] = ()
    seasons: Path | None = None
    searches: tuple[Path, ...] = ()
    page: Callable[[], bytes] | None = None
    opponents: Mapping[str, Sequence[str]] = field(default_factory=dict)
    own_limits: Limits | None = None

    @property
    def limits(self) -> Limits:
        """What the server allows."""
        return self.own_limits or (STRANGERS if self.public else OWN)


class WebSite:
    """A site that is served: its settings, the games on its shelf, its store and its tables.

    Modules of routes that keep something of their own say by `when_closing` and `when_stopped` how
    it ends. `workers` makes what works for the site; without a `store` tables are kept in the
    folder of its data, or in memory. Raises StoreError if tables cannot be kept,
    UnservedSearchError for a folder that is no search's.
    """

    def __init__(
        self,
        settings: SiteSettings,
        workers: Workers = WorkerProcess,
        store: TableStore | None = None,
    ) -> None:
        self.settings = settings
        self.limits = settings.limits
        self.workers = workers
        self.searches = _searches(settings)
        found = (game for search in self.searches for game in search.games)
        self.shelf = GameShelf((*settings.files, *found))
        self.store = _store(settings.data) if store is None else store
        self.thinkers = Thinkers(ThinkLimits(native=self.limits.compiled), workers)
        self.hosts = HostRoom(workers=workers)
        self.tables = SiteTables(self.limits, self.store, self.thinkers, self.hosts)
        self.streams = StreamCount(self.limits.streams, self.limits.all_streams)
        self.studio = StudioWorkers(workers=workers)
        self.seasons = _seasons(settings)
        self._closings: list[Callable[[], Awaitable[None]]] = []
        self._endings: list[Callable[[], Awaitable[None]]] = []

    def when_closing(self, closing: Callable[[], Awaitable[None]]) -> None:
        """Have something done before the last requests are waited for, so that they end."""
        self._closings.append(closing)

    def when_stopped(self, ending: Callable[[], Awaitable[None]]) -> None:
        """Have something done when the site ends."""
        self._endings.append(ending)

    async def start(self) -> None:
        """Begin to serve."""
        await self.tables.start()

    async def close(self) -> None:
        """End what requests wait for: long work, and the streams of those who follow a table."""
        self.tables.end_streams()
        for closing in self._closings:
            await closing()

    async def stop(self) -> None:
        """End: what is at the tables is kept."""
        for ending in reversed(self._endings):
            await ending()
        await self.tables.stop()
        await self.studio.close()
        if self.seasons is not None:
            await self.seasons.close()
        await self.thinkers.close()
        await self.hosts.close()
        self.store.close()


def _searches(settings: SiteSettings) -> tuple[ServedSearch, ...]:
    if not settings.searches:
        return ()
    from cardwright.web.searches import served_searches

    return served_searches(settings.searches)


def _seasons(settings: SiteSettings) -> LeagueSeasons | None:
    if settings.seasons is None:
        return None
    from cardwright.web.seasons import LeagueSeasons

    return LeagueSeasons(settings.seasons)


def _store(folder: Path | None) -> TableStore:
    """Return the store, in a folder that is made for its owner alone."""
    if folder is None:
        return MemoryStore()
    from cardwright.web.store import DiskStore

    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"{folder} cannot be made to keep tables in ({error.strerror}): name another folder "
            "by --data"
        ) from None
    return DiskStore(folder / DATABASE)
