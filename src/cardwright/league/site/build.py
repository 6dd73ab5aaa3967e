"""Building the site of a season: one pass over the records, then the pages."""

from __future__ import annotations

import math
import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright._version import __version__
from cardwright.game.errors import CardwrightError
from cardwright.jobs.files import RecordsError
from cardwright.league.site.data import TABLES, Downloads, Replays, shown
from cardwright.league.site.facts import SeasonFacts, SeasonPart
from cardwright.league.site.profile import NARROW, WIDE, line_chart, profile
from cardwright.league.site.ranking import RankingRow, duel_of, ranking
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
_STATIC = (".css", ".js")
_LIVE = "live.js"


class Pages:
    """Writes the pages of a site into its folder."""

    def __init__(self, site: Path, **common: Any) -> None:
        """Take the values that all pages share; raises MissingExtraError without Jinja."""
        self._site = site
        self._templates = _environment()
        self._templates.globals.update(common)

    def copy_static(self, *, live: bool) -> None:
        """Copy styles and scripts; that of `live` sites only for those."""
        for file in sorted(_TEMPLATES.iterdir()):
            if file.suffix in _STATIC and (live or file.name != _LIVE):
                shutil.copyfile(file, self._site / file.name)

    def write(self, name: str, template: str, **given: Any) -> None:
        """Write a page."""
        text = self._templates.get_template(template).render(page=name, **given)
        (self._site / name).write_text(text, encoding="utf-8", newline="\n")


def _environment() -> Environment:
    made = templates(_TEMPLATES, finalize=_shown)
    made.filters.update(
        percent=percent, fixed=fixed, interval=interval, percents=percents, short=short
    )
    return made


def _shown(value: object) -> object:
    """Return a value for a page; markup, which is a kind of text, has been processed already."""
    return shown(value) if type(value) is str else value


def percent(value: float | None, digits: int = 1) -> str:
    """Return a share as a percentage, such as `12.5 %`; a dash if it is not known."""
    known = value is not None and math.isfinite(value)
    return f"{100 * value:.{digits}f}\u202f%" if known and value is not None else "–"


def fixed(value: float | None, digits: int = 2) -> str:
    """Return a number with a true minus sign; a dash if it is not known."""
    if value is None or not math.isfinite(value):
        return "–"
    text = f"{value:,.{digits}f}"
    return text.replace("-", "−") if float(text.replace(",", "")) else text.lstrip("-")


def interval(estimate: Estimate, digits: int = 2) -> str:
    """Return an estimate's interval, such as `1.20 to 1.40`; a dash if it has none."""
    if estimate.low is None:
        return "–"
    return f"{fixed(estimate.low, digits)} to {fixed(estimate.high, digits)}"


def percents(estimate: Estimate, digits: int = 1) -> str:
    """Return an interval of shares, such as `12.5–13.5 %`; a dash if there is none."""
    if estimate.low is None or estimate.high is None:
        return "–"
    return f"{100 * estimate.low:.{digits}f}–{percent(estimate.high, digits)}"


def short(text: str, letters: int = 40) -> str:
    """Return a text, cut if it is too long."""
    return text if len(text) <= letters else f"{text[: letters - 1]}…"


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
    fresh = place.with_name(f".{place.name}.{os.getpid()}.new")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir()
        try:
            (fresh / MARK).write_bytes(b"Written by Cardwright, which may replace this folder.\n")
            yield fresh
            _swap(fresh, place)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
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


def _swap(fresh: Path, place: Path) -> None:
    """Put a folder in its place."""
    old = place.with_name(f".{place.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if place.exists():
        place.rename(old)
    fresh.rename(place)
    shutil.rmtree(old, ignore_errors=True)


FOLDER = "Site"
"""The folder of a season's site, in the folder of the season."""

DRAWN = 12
"""The most bots drawn in charts and in the matrix: the first of the table."""


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
    data: Replays,
    rows: list[RankingRow],
    *,
    live: bool,
) -> None:
    met = _duels(facts, [row for row in rows if row.games][:DRAWN])
    by_entry = {row.entry: row for row in rows}
    fewest = min((row.games for row in rows if row.games > 1), default=0)
    pages = Pages(
        site,
        plan=facts.plan,
        season=season,
        facts=facts,
        rows=rows,
        by_entry=by_entry,
        replays=data,
        tables=TABLES,
        rough=caveat(fewest, "games"),
        version=__version__,
        live=live,
    )
    pages.copy_static(live=live)
    drawn = [row for row in rows if row.games][:DRAWN]
    pages.write(
        "index.html",
        "index.html",
        drawn=drawn,
        duels=met,
        points=_charts(facts, facts.course.points, drawn),
        ratings=_charts(facts, facts.course.ratings, drawn),
    )
    order = [row.entry for row in rows]
    for row in rows:
        shown = profile(facts, row, order)
        rough = caveat(shown.fewest, "games")
        pages.write(row.page, "bot.html", row=row, profile=shown, rough=rough)
    pages.write("worth.html", "worth.html", upsets=facts.highlights.upsets(rows))
    pages.write("games.html", "games.html")
    pages.write("replay.html", "replay.html")


def _charts(
    facts: SeasonFacts, values: Column, drawn: list[RankingRow]
) -> tuple[LineChart, LineChart]:
    """Return charts of a value over the season, for screens and for phones."""
    games = facts.course.played.tolist()
    series = [(row.bot.name, values[:, row.entry].tolist()) for row in drawn]
    return line_chart(games, series, WIDE), line_chart(games, series, NARROW)
