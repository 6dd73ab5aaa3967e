"""The progress of a season: a bar with its rate, and the leading bots."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardwright.interfaces.cli.progress import progress_bar, so_far

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console
    from rich.table import Table

    from cardwright.league.standings import BotStanding, LeagueStandings


@contextmanager
def season_bar(games: int, *, shown: bool) -> Iterator[Callable[[int, LeagueStandings], None]]:
    """Show a bar and the standings; yield a function to call with games played and standings."""
    latest: LeagueStandings | None = None

    def below(console: Console) -> Table | None:
        return None if latest is None else _table(latest, console)

    with progress_bar("games", games, shown=shown, rate="a second", below=below) as bar:

        def tell(done: int, standings: LeagueStandings) -> None:
            nonlocal latest
            latest = standings
            bar(done, games)

        yield tell


def _table(standings: LeagueStandings, console: Console) -> Table:
    titles = ("games", "mean place", "points a game")
    return so_far(console, titles, standings.ranked(), _cells)


def _cells(one: BotStanding) -> tuple[str, ...]:
    if not one.games:
        return one.entry.name, "0", "-", "-"
    return (
        one.entry.name,
        f"{one.games:,}",
        f"{one.mean_place:.3f}",
        f"{one.points_a_game:.2f}",
    )
