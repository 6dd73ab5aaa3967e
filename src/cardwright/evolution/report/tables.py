"""The numbers of a report as CSV: elites with all their measures, and the points of the charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.syntax.data_files import csv_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.evolution.report.account import EvolutionAccount, ReportedGame


def elites_text(account: EvolutionAccount) -> str:
    """Return the original and the elites as CSV, each with all measures.

    Of each measure there are the search's mean and interval, then those of the games held out.
    """
    games = (account.original, *account.elites)
    names = _names(account, games)
    columns = ["number", "name", "candidate", "total"]
    for name in names:
        columns += [f"{name}{more}" for more in ("", "_low", "_high")]
        columns += [f"{name}_again{more}" for more in ("", "_low", "_high")]
    return csv_text(columns, (_row(game, names) for game in games))


def points_text(account: EvolutionAccount) -> str:
    """Return all candidates that passed the funnel as CSV, in the order of the search."""
    names = list(dict.fromkeys(name for point in account.points for name in sorted(point.measures)))
    rows = (
        [point.number, point.name, point.total, *(point.measures.get(name) for name in names)]
        for point in account.points
    )
    return csv_text(["number", "candidate", "total", *names], rows)


def _names(account: EvolutionAccount, games: Sequence[ReportedGame]) -> list[str]:
    every = {name for game in games for name in (*game.searched, *game.held_out)}
    return list(dict.fromkeys((*(aim.measure for aim in account.aims), *sorted(every))))


def _row(game: ReportedGame, names: Sequence[str]) -> Iterator[object]:
    yield from (game.number, game.name, game.candidate.name, game.total)
    for name in names:
        for measures in (game.searched, game.held_out):
            found = measures.get(name)
            yield from (None,) * 3 if found is None else (found.mean, found.low, found.high)
