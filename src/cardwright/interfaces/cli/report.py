"""The output of `simulate`: a table for people, an object for programs."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

import click

from cardwright.english import counted
from cardwright.interfaces.cli.rows import records_as_csv
from cardwright.interfaces.cli.text import note, printable
from cardwright.statistics.caveat import caveat
from cardwright.statistics.measures import MEASURES, SCORE, WINS
from cardwright.statistics.ties import tie_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from cardwright.arena.referee import GameRecord
    from cardwright.arena.simulation import SimulationResult, Summary

_ERRORS_SHOWN = 5
_NOTHING = "-"


# For programs -----------------------------------------------------------------------------


def trace(record: GameRecord) -> str:
    """Return a game's record as one line of JSON."""
    return json.dumps(
        {
            "seed": str(record.seed),
            "decisions": record.decisions,
            "scores": record.scores,
            "ranks": record.ranks,
        }
    )


def as_json(result: SimulationResult, traces: list[str] | None) -> str:
    """Return what came of a job as JSON, with the traces if they were kept."""
    text = json.dumps(_record(result), indent=2)
    if traces is None:
        return text
    listed = ",\n    ".join(traces)
    return f'{text.removesuffix("}").rstrip()},\n  "traces": [\n    {listed}\n  ]\n}}'


def as_csv(result: SimulationResult) -> str:
    """Return the results, a row per seat; what too few games leave unknown is empty."""
    rows = result.rows()
    return records_as_csv(list(rows[0]), rows)


def _record(result: SimulationResult) -> dict[str, Any]:
    """Return what came of a job as an object; what too few games leave unknown is null."""
    job, summary = result.job, result.summary
    known = summary.finished > 0
    return {
        "game": job.game.name,
        "engine": job.engine,
        "seed": None if job.seed is None else str(job.seed),
        "games": summary.games,
        "players": [str(spec) for spec in job.players],
        "ties": summary.ties,
        "seconds": result.seconds,
        "decisions": {
            "mean": summary.decisions.mean if known else None,
            "min": summary.decisions.least if known else None,
            "max": summary.decisions.most if known else None,
        },
        "options": {
            "mean": summary.option_mean,
            "max": summary.option_most if summary.decisions.total else None,
            "single_share": summary.single_share,
        },
        "seats": [{"seat": number, **seat.record()} for number, seat in enumerate(summary.seats)],
        "errors": [{"seed": str(seed), "message": message} for seed, message in summary.errors],
    }


# For people -------------------------------------------------------------------------------


def show(result: SimulationResult, settings: list[str]) -> None:
    """Print the result of a job; `settings` are the words that select this variant of the game."""
    from cardwright.interfaces.cli.tables import print_rich

    click.echo(click.style(_title(result), bold=True))
    if result.summary.finished:
        click.echo()
        print_rich(_seats(result))
        click.echo()
        print_rich(_facts(result))
        click.echo(f"\n {tie_words(result.summary.ties)}")
        for line in _on_intervals(result.summary):
            click.echo(line)
    for line in _errors(result, settings):
        click.echo(line)


def _on_intervals(summary: Summary) -> Iterator[str]:
    """Yield remarks on the intervals; a single game has none."""
    from cardwright.interfaces.cli.tables import can_print

    if summary.finished < 2:
        return
    plus = "±" if can_print("±") else "+/-"
    notes = [
        "std. dev.: the standard deviation of a seat's score from game to game.",
        f"{plus} and brackets: 95 % intervals, in which each game counts as one value.",
    ]
    if not all(seat.score.sd for seat in summary.seats):
        notes.append("Scores that were all equal have none: another one may be of any size.")
    notes.append(caveat(summary.finished, "games"))
    yield from map(note, filter(None, notes))


def _title(result: SimulationResult) -> str:
    job = result.job
    games = counted(result.summary.games, "game")
    if result.partial:
        games += f" of {job.games:,} (interrupted)"
    seeds = "seeds as given" if job.seed is None else f"seed {job.seed}"
    return f"{printable(job.game.name)}: {games}, {seeds}, {job.engine}"


def _seats(result: SimulationResult) -> Table:
    from rich.table import Table

    from cardwright.interfaces.cli.standings import estimated, share
    from cardwright.interfaces.cli.tables import table_box

    table = Table(box=table_box(), header_style="bold")
    table.add_column("seat", no_wrap=True)
    table.add_column("player", overflow="fold")
    for title in (SCORE, "std. dev.", WINS):
        table.add_column(title, justify="right", no_wrap=True)
    for number, (spec, seat) in enumerate(zip(result.job.players, result.seats, strict=True), 1):
        table.add_row(
            f"p{number}",
            str(spec),
            estimated(seat.mean_score),
            _NOTHING if seat.score.sd is None else f"{seat.score.sd:,.2f}",
            share(seat.win_share),
        )
    return table


def _facts(result: SimulationResult) -> Table:
    from rich.table import Table

    summary = result.summary
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column()
    length = summary.decisions
    varies = length.least != length.most
    bounds = f"{length.least:,} to {length.most:,}" if varies else "always"
    table.add_row(f" {MEASURES['shape decisions'].definition}", f"{length.mean:,.1f} ({bounds})")
    if summary.option_mean is not None and summary.single_share is not None:
        share = f"{summary.single_share:.1%}".replace("%", " %")
        single = f"a single one in {share} of decisions" if summary.single_sum else "never just one"
        table.add_row(
            f" {MEASURES['shape branching'].definition}",
            f"{summary.option_mean:,.2f} (at most {summary.option_most:,}; {single})",
        )
    speed = summary.games / result.seconds if result.seconds else 0.0
    table.add_row(" games a second", f"{speed:,.0f} ({result.seconds:,.1f} s)")
    table.add_row(" errors", f"{len(summary.errors):,}" if summary.errors else "none")
    return table


def _errors(result: SimulationResult, settings: list[str]) -> Iterator[str]:
    """Yield lines about the games that stopped with an error, and how to replay the first."""
    job, summary = result.job, result.summary
    if not summary.errors:
        return
    games = counted(summary.games, "game")
    yield f"\n{len(summary.errors):,} of {games} stopped with an error, not counted above:"
    names = [str(spec) for spec in job.players]
    players = names[0] if len(set(names)) == 1 else ",".join(names)
    for seed, message in summary.errors[:_ERRORS_SHOWN]:
        words = ["cardwright", "replay", job.game.name, "--seed", str(seed), "--players", players]
        yield f"  seed {seed}: {printable(message.split(chr(10), 1)[0])}"
        yield f"    {printable(shlex.join([*words, *settings]))}"
    if len(summary.errors) > _ERRORS_SHOWN:
        yield f"  ... and {len(summary.errors) - _ERRORS_SHOWN:,} more"
