"""A process that builds the pages of a season: while it is played, beside a server."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from cardwright.league.records import read_season
from cardwright.league.site.build import write_site
from cardwright.league.site.data import shown
from cardwright.web.worker_loop import serve

MOST_REPLAYS = 5000
"""Games of a season that can be replayed on its pages, from the first one on."""

LEADERS = 3
"""Bots that the list of seasons shows."""


def built(request: dict[str, Any]) -> dict[str, Any]:
    """Write the pages of the season in `season` to the folder `place`; raises CardwrightError.

    `games` are those counted in them, `over` says whether the season was; `leaders` are the first
    bots of the table.
    """
    season = read_season(request["season"])
    written = write_site(season, Path(request["place"]), MOST_REPLAYS, live=True)
    leaders = [
        {"name": shown(one.entry.name), "place": one.mean_place, "points": one.points_a_game}
        for one in season.outcome().standings.ranked()[:LEADERS]
        if one.games
    ]
    return {"games": written.games, "over": season.complete, "leaders": leaders}


if __name__ == "__main__":
    serve(lambda _report: built, sys.argv[1:])
