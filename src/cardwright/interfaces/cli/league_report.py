"""`cardwright league report`: the site of a season."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cardwright.english import counted
from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.cli.vocabulary import out_option, season_argument

if TYPE_CHECKING:
    from pathlib import Path

_MIB = 2**20


@click.command("report")
@season_argument(there=True)
@out_option("[default: SEASON_DIR/Site]")
@click.option("--replays", type=click.IntRange(min=0),
              help="Limit replays to the first games. [default: all]")  # fmt: skip
def command(season: Path, out: Path | None, replays: int | None) -> None:
    """Write the site of a season: tables, plots, every bot's habits, and replays of all games.

    The site is a folder of files that need no server and no network: open its index.html. It
    includes all games played so far, even if the season is not finished. An older site in the same
    place is replaced when the new one is complete.
    """
    from cardwright.league.records import read_season
    from cardwright.league.site.build import FOLDER, write_site

    played = read_season(season)
    written = write_site(played, season / FOLDER if out is None else out, replays)
    if not played.complete:
        click.echo(
            f"The season is not finished: {written.games:,} of {counted(played.plan.games, 'game')}"
        )
    click.echo(
        f"{printable(str(written.page))}: {counted(written.games, 'game')}, "
        f"{counted(written.replays, 'replay')}, {written.size / _MIB:.1f} MiB"
    )
