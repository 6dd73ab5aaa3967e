"""What `simulate` prints: a table for people, an object for programs."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

import click

from cardwright.arena.ties import tie_words
from cardwright.interfaces.cli.rows import as_csv as rows_as_csv
from cardwright.interfaces.cli.text import counted, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from cardwright.arena.referee import Record
    from cardwright.arena.summary import Running, SeatSummary, Summary
    from cardwright.interfaces.cli.job import Job, Outcome

_ERRORS_SHOWN = 5
_NOTHING = "-"


# For programs -----------------------------------------------------------------------------


def trace(record: Record) -> str:
    """Return a game's record as one line of JSON."""
    return json.dumps(
        {
            "seed": str(record.seed),
            "decisions": record.decisions,
            "scores": record.scores,
            "ranks": record.ranks,
        }
    )


def as_json(job: Job, outcome: Outcome, traces: list[str] | None) -> str:
    """Return the outcome of a job as JSON, with the traces if they were kept."""
    text = json.dumps(_record(job, outcome), indent=2)
    if traces is None:
        return text
    listed = ",\n    ".join(traces)
    return f'{text.removesuffix("}").rstrip()},\n  "traces": [\n    {listed}\n  ]\n}}'


def as_csv(job: Job, outcome: Outcome) -> str:
    """Return what each seat has got, a row a seat; what too few games leave unknown is empty."""
    found = _record(job, outcome)
    rows = [
        (one["seat"], player, one["score_mean"], one["score_sd"], one["win_share"],
         outcome.summary.finished)
        for one, player in zip(found["seats"], found["players"], strict=True)
    ]  # fmt: skip
    return rows_as_csv(("seat", "player", "score_mean", "score_sd", "win_share", "games"), rows)


def _record(job: Job, outcome: Outcome) -> dict[str, Any]:
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
            {
                "seat": number,
                "score_mean": seat.score.mean if known else None,
                "score_sd": seat.score.sd,
                "win_share": seat.win.mean if known else None,
            }
            for number, seat in enumerate(summary.seats)
        ],
        "errors": [{"seed": str(seed), "message": message} for seed, message in summary.errors],
    }


# For people -------------------------------------------------------------------------------


def show(job: Job, outcome: Outcome, settings: list[str]) -> None:
    """Print the outcome of a job; `settings` are the words that choose this form of the game."""
    from cardwright.interfaces.cli.tables import can_print, print_rich  # noqa: PLC0415 - heavy

    click.echo(click.style(_title(job, outcome), bold=True))
    if outcome.summary.finished:
        plus = "±" if can_print("±") else "+/-"
        click.echo()
        print_rich(_seats(job, outcome.summary.seats, plus))
        click.echo()
        print_rich(_facts(outcome))
        click.echo(f"\n {tie_words(outcome.summary.ties)}")
        if outcome.summary.finished > 1:
            click.echo(f" {plus} is half of a 95 % interval: 1.96 standard errors.")
    for line in _errors(job, outcome.summary, settings):
        click.echo(line)


def _title(job: Job, outcome: Outcome) -> str:
    games = counted(outcome.summary.games, "game")
    if outcome.partial:
        games += f" of {job.games:,} (interrupted)"
    seeds = "seeds as given" if job.seed is None else f"seed {job.seed}"
    return f"{printable(job.game.name)}: {games}, {seeds}, {job.engine}"


def _seats(job: Job, seats: list[SeatSummary], plus: str) -> Table:
    from rich.table import Table  # noqa: PLC0415 - heavy

    from cardwright.interfaces.cli.tables import table_box  # noqa: PLC0415 - heavy

    table = Table(box=table_box(), header_style="bold")
    table.add_column("seat", no_wrap=True)
    table.add_column("player", overflow="fold")
    for title in ("mean score", "spread", "share of wins"):
        table.add_column(title, justify="right", no_wrap=True)
    for number, (spec, seat) in enumerate(zip(job.players, seats, strict=True), 1):
        table.add_row(
            f"p{number}",
            str(spec),
            _estimate(seat.score, plus),
            _NOTHING if seat.score.sd is None else f"{seat.score.sd:,.2f}",
            _estimate(seat.win, plus, percent=True),
        )
    return table


def _estimate(running: Running, plus: str, *, percent: bool = False) -> str:
    """Return a mean and half the width of its interval, which a single game does not have."""
    shape = "{:.1%}" if percent else "{:,.2f}"
    texts = [shape.format(running.mean)]
    if running.margin is not None:
        texts += [plus, shape.format(running.margin).rjust(4)]
    return " ".join(texts).replace("%", " %")


def _facts(outcome: Outcome) -> Table:
    from rich.table import Table  # noqa: PLC0415 - heavy

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


def _errors(job: Job, summary: Summary, settings: list[str]) -> Iterator[str]:
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
