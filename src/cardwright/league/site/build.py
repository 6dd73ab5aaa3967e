"""Building a season's site: one pass over the records, then the pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright._version import __version__
from cardwright.jobs.errors import RecordsError
from cardwright.league.site.downloads import TABLES, Downloads
from cardwright.league.site.drawing import NARROW, WIDE, line_chart
from cardwright.league.site.estimates import duel_of
from cardwright.league.site.facts import SeasonFacts
from cardwright.league.site.pages import Pages
from cardwright.league.site.part import SeasonPart
from cardwright.league.site.profile import profile
from cardwright.league.site.publish import published
from cardwright.league.site.ranking import RankingRow, ranking
from cardwright.league.site.replays import Replays
from cardwright.statistics.caveat import caveat

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.league.block import Column
    from cardwright.league.records import Season
    from cardwright.league.site.drawing import LineChart
    from cardwright.league.site.estimates import Duel

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
        for block in season.blocks():
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
