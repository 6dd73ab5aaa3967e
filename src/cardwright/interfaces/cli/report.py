"""What `simulate` prints: a table for people, an object for programs."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

import click

from cardwright.arena.ties import tie_words
from cardwright.interfaces.cli.rows import as_csv as rows_as_csv
from cardwright.interfaces.cli.text import counted, note, printable
from cardwright.statistics.caveat import caveat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from cardwright.arena.referee import GameRecord
    from cardwright.arena.summary import SeatSummary, Summary
    from cardwright.interfaces.cli.job import SimulationJob, SimulationOutcome

_ERRORS_SHOWN = 5
_NOTHING = "-"
_COLUMNS = (
    "score_mean", "score_low", "score_high", "score_sd", "win_share", "win_low", "win_high",
)  # fmt: skip


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


def as_json(job: SimulationJob, outcome: SimulationOutcome, traces: list[str] | None) -> str:
    """Return the outcome of a job as JSON, with the traces if they were kept."""
    text = json.dumps(_record(job, outcome), indent=2)
    if traces is None:
        return text
    listed = ",\n    ".join(traces)
    return f'{text.removesuffix("}").rstrip()},\n  "traces": [\n    {listed}\n  ]\n}}'


def as_csv(job: SimulationJob, outcome: SimulationOutcome) -> str:
    """Return what each seat has got, a row a seat; what too few games leave unknown is empty."""
    found = _record(job, outcome)
    rows = [
        (one["seat"], player, *(one[name] for name in _COLUMNS), outcome.summary.finished)
        for one, player in zip(found["seats"], found["players"], strict=True)
    ]
    return rows_as_csv(("seat", "player", *_COLUMNS, "games"), rows)


def _record(job: SimulationJob, outcome: SimulationOutcome) -> dict[str, Any]:
    """Return the outcome as an object; what too few games leave unknown is null."""
    summary = outcome.summary
    known = summary.finished > 0
    return {
        "game": job.game.name,
        "engine": job.engine,
        "seed": None if job.seed is None else str(job.seed),
        "games": summary.games,
        "players": [str(spec) for spec in job.players],
        "ties": summary.ties,
        "seconds": outcome.seconds,
        "decisions": {
            "mean": summary.decisions.mean if known else None,
            "min": summary.decisions.least if known else None,
            "max": summary.decisions.most if known else None,
        },
        "options": {
            "mean": summary.option_mean,
            "max": summary.option_most if summary.decision_sum else None,
            "single_share": summary.single_share,
        },
        "seats": [
            {"seat": number, **_seat_record(seat)} for number, seat in enumerate(summary.seats)
        ],
        "errors": [{"seed": str(seed), "message": message} for seed, message in summary.errors],
    }


def _seat_record(seat: SeatSummary) -> dict[str, Any]:
    score, win = seat.mean_score.record(), seat.win_share.record()
    values = (
        score["mean"], score["low"], score["high"], seat.score.sd,
        win["mean"], win["low"], win["high"],
    )  # fmt: skip
    return dict(zip(_COLUMNS, values, strict=True))


# For people -------------------------------------------------------------------------------


def show(job: SimulationJob, outcome: SimulationOutcome, settings: list[str]) -> None:
    """Print the outcome of a job; `settings` are the words that choose this form of the game."""
    from cardwright.interfaces.cli.tables import print_rich

    click.echo(click.style(_title(job, outcome), bold=True))
    if outcome.summary.finished:
        click.echo()
        print_rich(_seats(job, outcome.summary.seats))
        click.echo()
        print_rich(_facts(outcome))
        click.echo(f"\n {tie_words(outcome.summary.ties)}")
        for line in _on_intervals(outcome.summary):
            click.echo(line)
    for line in _errors(job, outcome.summary, settings):
        click.echo(line)


def _on_intervals(summary: Summary) -> Iterator[str]:
    """Yield what there is to know of the intervals, of which a single game has none."""
    from cardwright.interfaces.cli.tables import can_print

    if summary.finished < 2:
        return
    plus = "±" if can_print("±") else "+/-"
    notes = [f"{plus} and brackets: 95 % intervals, in which each game counts as one value."]
    if not all(seat.score.sd for seat in summary.seats):
        notes.append("Scores that were all equal have none: another one may be of any size.")
    notes.append(caveat(summary.finished, "games"))
    yield from map(note, filter(None, notes))


def _title(job: SimulationJob, outcome: SimulationOutcome) -> str:
    games = counted(outcome.summary.games, "game")
    if outcome.partial:
        games += f" of {job.games:,} (interrupted)"
    seeds = "seeds as given" if job.seed is None else f"seed {job.seed}"
    return f"{printable(job.game.name)}: {games}, {seeds}, {job.engine}"


def _seats(job: SimulationJob, seats: list[SeatSummary]) -> Table:
    from rich.table import Table

    from cardwright.interfaces.cli.standings import estimated, share
    from cardwright.interfaces.cli.tables import table_box

    table = Table(box=table_box(), header_style="bold")
    table.add_column("seat", no_wrap=True)
    table.add_column("player", overflow="fold")
    for title in ("mean score", "spread", "share of wins"):
        table.add_column(title, justify="right", no_wrap=True)
    for number, (spec, seat) in enumerate(zip(job.players, seats, strict=True), 1):
        table.add_row(
            f"p{number}",
            str(spec),
            estimated(seat.mean_score),
            _NOTHING if seat.score.sd is None else f"{seat.score.sd:,.2f}",
            share(seat.win_share),
        )
    return table


def _facts(outcome: SimulationOutcome) -> Table:
    from rich.table import Table

    summary = outcome.summary
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column()
    length = summary.decisions
    varies = length.least != length.most
    bounds = f"{length.least:,} to {length.most:,}" if varies else "always"
    table.add_row(" decisions a game", f"{length.mean:,.1f} ({bounds})")
    if summary.option_mean is not None and summary.single_share is not None:
        share = f"{summary.single_share:.1%}".replace("%", " %")
        single = f"a single one in {share} of decisions" if summary.single_sum else "never just one"
        table.add_row(
            " options a decision",
            f"{summary.option_mean:,.2f} (at most {summary.option_most:,}; {single})",
        )
    speed = summary.games / outcome.seconds if outcome.seconds else 0.0
    table.add_row(" games a second", f"{speed:,.0f} ({outcome.seconds:,.1f} s)")
    table.add_row(" errors", f"{len(summary.errors):,}" if summary.errors else "none")
    return table


def _errors(job: SimulationJob, summary: Summary, settings: list[str]) -> Iterator[str]:
    """Yield lines about the games that stopped with an error, and how to see the first again."""
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
