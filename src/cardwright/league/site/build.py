"""Building the site of a season: one pass over the records, then the pages."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright._version import __version__
from cardwright.english import UNKNOWN, number, percent
from cardwright.game.errors import CardwrightError
from cardwright.jobs.files import RecordsError
from cardwright.league.season_files import FreshFolder
from cardwright.league.site.data import TABLES, Downloads, Replays, shown
from cardwright.league.site.facts import SeasonFacts, SeasonPart
from cardwright.league.site.profile import NARROW, WIDE, line_chart, profile
from cardwright.league.site.ranking import RankingRow, duel_of, ranking, upsets
from cardwright.publication.pages import templates
from cardwright.statistics.caveat import caveat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jinja2 import Environment

    from cardwright.league.block import Column
    from cardwright.league.records import Season
    from cardwright.league.site.profile import LineChart
    from cardwright.league.site.ranking import Duel
    from cardwright.statistics.intervals import Estimate

_TEMPLATES = Path(__file__).parent / "templates"
_LIVE = "live.js"

FOLDER = "Site"
"""The folder of a season's site, in the folder of the season."""

DRAWN = 12
"""The most bots drawn in charts and in the matrix: the first of the table."""


MARK = ".cardwright-site"
"""A file that marks a folder as a site that may be replaced."""


class SiteError(CardwrightError):
    """A site that cannot be written; the message says why."""


@contextmanager
def published(place: Path) -> Iterator[Path]:
    """Yield a folder to fill, which is put in place on success and removed otherwise.

    An older site or an empty folder at the place is replaced. Raises SiteError for anything else
    there, and if the folder cannot be written.
    """
    place = place.absolute()
    _check(place)
    try:
        fresh = FreshFolder(place, f".{os.getpid()}")
        try:
            mark = fresh.path / MARK
            mark.write_bytes(b"Written by Cardwright, which may replace this folder.\n")
            yield fresh.path
            fresh.publish()
        finally:
            fresh.remove()
    except OSError as error:
        raise SiteError(f"{place} cannot be written: {error.strerror or error}") from None


def _check(place: Path) -> None:
    """Raise SiteError if there is something that must not be replaced."""
    if place.is_dir():
        if (place / MARK).exists() or not any(place.iterdir()):
            return
        found = "has files in it that are not the site of a season"
    elif place.exists() or place.is_symlink():
        found = "is not a folder"
    else:
        return
    raise SiteError(f"{place} {found}: name another folder, with `--out`")


@dataclass(frozen=True)
class Published:
    """A site that was written: its first page, the games counted and replayable, and its size."""

    page: Path
    games: int
    replays: int
    size: int


def write_site(
    season: Season, place: Path, replays: int | None = None, *, live: bool = False
) -> Published:
    """Write the site of a season to a folder, which appears complete or not at all.

    `replays` limits the number of games that can be replayed there, from the first one on; None
    means all. A `live` site is for a server, whose pages ask it for new games. Raises SiteError if
    the folder cannot be written, RecordsError if no game was played, BlockError for damaged
    records, and MissingExtraError if a library is missing.
    """
    with published(place) as site:
        facts = SeasonFacts(season.plan)
        data = Replays(site, season.plan, replays)
        tables = Downloads(site, [bot.name for bot in season.plan.bots])
        for block in season.all_blocks():
            part = SeasonPart.of(block, season.plan.schedule)
            facts.add(part)
            data.add(part)
            tables.add(part)
        if not facts.games:
            raise RecordsError(
                f"no game of the season in {season.folder.parent} has been played yet"
            )
        data.finish()
        rows = ranking(facts)
        tables.finish(season, rows, _duels(facts, rows))
        _write_pages(site, season, facts, data, rows, live=live)
        size = sum(file.stat().st_size for file in site.rglob("*") if file.is_file())
    return Published(place / "index.html", facts.games, data.games, size)


def _duels(facts: SeasonFacts, rows: list[RankingRow]) -> dict[tuple[int, int], Duel]:
    """Return the results of every pair of bots that met, in the order of the table."""
    return {
        (row.entry, other.entry): duel_of(facts.duels, row.entry, other.entry)
        for row in rows
        for other in rows
        if row is not other and facts.duels.games[row.entry, other.entry]
    }


def _write_pages(
    site: Path,
    season: Season,
    facts: SeasonFacts,
    replays: Replays,
    rows: list[RankingRow],
    *,
    live: bool,
) -> None:
    for file in sorted(_TEMPLATES.iterdir()):
        if file.suffix in {".css", ".js"} and (live or file.name != _LIVE):
            shutil.copyfile(file, site / file.name)
    environment = _environment(
        plan=facts.plan,
        season=season,
        facts=facts,
        rows=rows,
        by_entry={row.entry: row for row in rows},
        replays=replays,
        tables=TABLES,
        rough=caveat(min((row.games for row in rows if row.games > 1), default=0), "games"),
        version=__version__,
        live=live,
    )

    def write(name: str, template: str, **given: Any) -> None:
        text = environment.get_template(template).render(page=name, **given)
        (site / name).write_text(text, encoding="utf-8", newline="\n")

    drawn = [row for row in rows if row.games][:DRAWN]
    write(
        "index.html",
        "index.html",
        drawn=drawn,
        duels=_duels(facts, drawn),
        points=_charts(facts, facts.course.points, drawn),
        ratings=_charts(facts, facts.course.ratings, drawn),
    )
    order = [row.entry for row in rows]
    for row in rows:
        its = profile(facts, row, order)
        rough = caveat(its.fewest, "games")
        write(row.page, "bot.html", row=row, profile=its, rough=rough)
    write("worth.html", "worth.html", upsets=upsets(facts, rows))
    write("games.html", "games.html")
    write("replay.html", "replay.html")


def _charts(
    facts: SeasonFacts, values: Column, drawn: list[RankingRow]
) -> tuple[LineChart, LineChart]:
    """Return charts of a value over the season, for screens and for phones."""
    games = facts.course.played.tolist()
    series = [(row.bot.name, values[:, row.entry].tolist()) for row in drawn]
    return line_chart(games, series, WIDE), line_chart(games, series, NARROW)


def _environment(**common: Any) -> Environment:
    """Return the templates; raises MissingExtraError without Jinja.

    Everything that comes from bots and their authors is escaped by Jinja when it goes into a page;
    data for scripts is written by `data`. No page loads a script or a style from elsewhere.
    """
    made = templates(_TEMPLATES, finalize=_shown)
    made.filters.update(
        percent=narrow_percent, fixed=number, interval=interval, percents=percents, short=short
    )
    made.globals.update(common)
    return made


def _shown(value: object) -> object:
    """Return a value for a page; markup, which is a kind of text, has been processed already."""
    return shown(value) if type(value) is str else value


def narrow_percent(value: float | None, digits: int = 1) -> str:
    """Return a share as a percentage, such as `12.5 %`; a dash if it is not known."""
    return percent(value, digits).replace(" ", "\u202f")


def interval(estimate: Estimate, digits: int = 2) -> str:
    """Return an estimate's interval, such as `1.20 to 1.40`; a dash if it has none."""
    if estimate.low is None:
        return UNKNOWN
    return f"{number(estimate.low, digits)} to {number(estimate.high, digits)}"


def percents(estimate: Estimate, digits: int = 1) -> str:
    """Return an interval of shares, such as `12.5–13.5 %`; a dash if there is none."""
    if estimate.low is None:
        return UNKNOWN
    return f"{number(100 * estimate.low, digits)}–{narrow_percent(estimate.high, digits)}"


def short(text: str, letters: int = 40) -> str:
    """Return a text, cut if it is too long."""
    return text if len(text) <= letters else f"{text[: letters - 1]}…"
