"""What `cardwright evolve` prints: its progress, the elites beside the original, and who left."""

from __future__ import annotations

import shlex
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from cardwright.english import counted
from cardwright.interfaces.cli.progress import progress_bar
from cardwright.interfaces.cli.tables import new_table, print_rich
from cardwright.interfaces.cli.text import note, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from rich.console import Console
    from rich.table import Table

    from cardwright.evolution.generation import EvolutionProgress
    from cardwright.evolution.report.account import EvolutionAccount
    from cardwright.evolution.results import Elite, Evolution
    from cardwright.statistics.intervals import Estimate

_SHOWN = 10
"""Most elites of the table; all are in the files."""


def show(found: Evolution, account: EvolutionAccount, files: Sequence[Path]) -> None:
    """Print what a search has found, and what to do with it."""
    plan = found.plan
    aims = ", ".join(aim.text for aim in plan.aims)
    made = counted(account.candidates, "candidate")
    title = f"{plan.name}: {made}, {aims}, method {plan.method}, seed {plan.seed}"
    click.echo(click.style(printable(title), bold=True))
    click.echo()
    _show_elites(found, account)
    click.echo()
    _show_departures(found)
    click.echo()
    _show_what_to_do(found, files)


def _show_elites(found: Evolution, account: EvolutionAccount) -> None:
    """Print the original and the best elites, those measured again, if any was; then their rules.

    How rules differ takes a table of its own: beside four measures there is no room for it.
    """
    elites = {elite.name: elite for elite in found.elites}
    again = [game for game in account.elites if elites[game.candidate.name].again is not None]
    shown = (again or account.elites)[:_SHOWN]
    table = new_table("game", numbers=("score",), no_wrap=True)
    for measure in found.plan.measures:
        table.add_column(_head(measure), justify="right")
    table.add_row(account.original.name, *_cells(found, found.original))
    rules = new_table("game", "what is different", no_wrap=True)
    for game in shown:
        table.add_row(printable(game.name), *_cells(found, elites[game.candidate.name]))
        rules.add_row(printable(game.name), printable(" ".join(game.told)))
    print_rich(table)
    if shown:
        click.echo()
        print_rich(rules)
    said = f"The best {len(shown)} of {counted(len(account.elites), 'elite')}."
    if again:
        said += (
            " Means with 95 % intervals, and scores, are from other games than the search saw: "
            "what was chosen among many had luck in those."
        )
    click.echo(note(said))


def _head(measure: str) -> str:
    """Return the name of a measure in lines that a terminal has room for."""
    return measure.replace("-", "-\n")


def _cells(found: Evolution, elite: Elite) -> list[str]:
    judged = elite.again or elite.judged
    left = judged.evaluated.departure
    if left is not None:
        return [left.reason.value, *[""] * len(found.plan.measures)]
    score = f"{judged.total:,.3f}" if judged.scores else "-"
    return [score, *(_cell(judged.evaluated.measures, name) for name in found.plan.measures)]


def _cell(measures: Mapping[str, Estimate], name: str) -> str:
    """Return a mean, and below it its interval."""
    one = measures.get(name)
    if one is None:
        return "-"
    if one.low is None or one.high is None or one.low == one.high:
        return f"{one.mean:,.3g}"
    return f"{one.mean:,.3g}\n{one.low:,.3g} to {one.high:,.3g}"


def _show_departures(found: Evolution) -> None:
    """Print how many candidates left at which step, and why."""
    table = new_table("left at", "because", numbers=("candidates",))
    for one in found.departures:
        table.add_row(one.step.value, one.reason.value, f"{one.count:,}")
    measured = sum(one.measured for one in found.generations[1:])
    table.add_row("", "measured", f"{measured:,}")
    print_rich(table)
    timing = found.timing
    if timing is not None and timing.an_hour is not None and timing.candidates == found.candidates:
        click.echo(note(f"{timing.an_hour:,.0f} candidates in an hour of one processor."))


def _show_what_to_do(found: Evolution, files: Sequence[Path]) -> None:
    """Print where the page is, and how to play what was found."""
    click.echo(f" The report is {printable(str(files[0]))}")
    rules = [file for file in files if file.suffix == ".rcy"]
    if not rules:
        click.echo(" Nothing was found that is not the original: try more candidates")
        return
    click.echo(" To play the best:")
    click.echo(f"   cardwright play {shlex.quote(str(rules[0]))}")
    click.echo(f" To compare it with {printable(found.plan.name)}:")
    game = shlex.quote(found.plan.name)
    click.echo(f"   cardwright analyze {game} {shlex.quote(str(rules[0]))} --out compared")


@contextmanager
def search_bar(*, shown: bool) -> Iterator[Callable[[EvolutionProgress], object]]:
    """Show the progress of a search on the standard error; yield what is told of it.

    Candidates that were there at the start, as the search was resumed, do not count for the rate.
    """
    last: EvolutionProgress | None = None
    told = threading.Lock()  # the screen is drawn by a separate thread

    def below(_console: Console) -> Table | None:
        with told:
            return None if last is None else found_table(last)

    with progress_bar("candidates", shown=shown, rate="candidates a second", below=below) as show:

        def tell(now: EvolutionProgress) -> None:
            nonlocal last
            with told:
                last = now
            show(now.done, now.total, "measuring again" if now.final else "searching")

        yield tell


def found_table(now: EvolutionProgress) -> Table:
    """Return what a search has found so far."""
    table = new_table(numbers=("measured", "elites", "best score"))
    best = "-" if now.best is None else f"{now.best:,.3f}"
    table.add_row(f"{now.measured:,}", f"{now.elites:,}", best)
    return table
