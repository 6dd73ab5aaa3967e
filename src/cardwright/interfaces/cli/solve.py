"""`cardwright solve`: an equilibrium of a small game, or an endgame with open hands."""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from cardwright.english import counted, listed, percent
from cardwright.interfaces.cli.parameters import game_options
from cardwright.interfaces.cli.rows import print_results
from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.cli.vocabulary import (
    check_save,
    choices_option,
    format_option,
    nodes_option,
    quiet_option,
    resume_option,
    save_option,
    seed_option,
    utility_option,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from cardwright.game.game import Game
    from cardwright.interfaces.cli.parameters import ChosenGame
    from cardwright.players.strategy import Strategy

_DEFAULT = click.core.ParameterSource.DEFAULT

_NOT_OPEN = ("method", "iterations", "target", "utility", "save", "resume")
"""Options that do not apply to open hands."""

_SHOWN = 40
"""Information sets that are shown; files have all of them."""

_DEFAULT_ITERATIONS = 1000

_CLOSE = 1e-9


@click.command("solve")
@game_options()
@click.option(
    "--method", type=click.Choice(["cfr+", "cfr", "lp", "mccfr"]), default="cfr+",
    show_default=True,
    help="How: by regret minimization (CFR+, plain CFR, or without a tree by sampled deals), or "
    "exactly by linear programs.",
)  # fmt: skip
@click.option(
    "--iterations", type=click.IntRange(min=1), default=_DEFAULT_ITERATIONS, show_default=True,
    help="How many iterations of regret minimization, in all.",
)  # fmt: skip
@click.option(
    "--target", type=click.FloatRange(min=0), metavar="POINTS",
    help="Stop before that if the exploitability is no more than this.",
)  # fmt: skip
@click.option(
    "--open-hands", is_flag=True,
    help="Solve the rest of the one game of --seed and --choices, with all hands open.",
)  # fmt: skip
@choices_option("They come before what --open-hands solves.")
@utility_option
@nodes_option(1_000_000)
@seed_option("It is for mccfr and --open-hands.", default=0)
@save_option("With --resume it is continued from there.")
@resume_option("It goes on from the strategy in the file of --save.")
@quiet_option
@format_option
@click.pass_context
def command(
    ctx: click.Context,
    *,
    game: ChosenGame,
    open_hands: bool,
    choices: tuple[int, ...] | None,
    method: str,
    iterations: int,
    target: float | None,
    utility: str,
    nodes: int,
    seed: int,
    save: Path | None,
    resume: bool,
    quiet: bool,
    style: str,
) -> None:
    """Compute the best play of a small game.

    GAME is a name of the library or the path of a file. Its whole tree is built, which is only
    possible for small games. The result is a strategy for each seat. With two players whose
    winnings add up to zero, the strategies are an equilibrium, or approach one; the exploitability
    says how near they are.

    The player `solved:FILE` plays a strategy that was saved by --save.

    With --open-hands it is instead what comes of a game, from where it stands, if all see all cards
    and play best: of the rest of a trick game, or of the last few decisions of another.
    """
    if open_hands:
        _refuse(ctx, _NOT_OPEN, "--open-hands")
        nodes = (ctx.get_parameter_source("nodes") is not _DEFAULT and nodes) or 0
        _solve_open(game.load(), seed, choices or (), nodes or None, style)
        return
    if choices is not None:
        raise click.UsageError("--choices are those of a game that is solved with --open-hands")
    check_save(save, resume=resume)
    from cardwright.interfaces.cli.progress import progress_bar
    from cardwright.solve.solving import solve_game

    loaded = game.load()
    with progress_bar(shown=not quiet and sys.stderr.isatty()) as tell:
        found = solve_game(
            loaded, method=method, iterations=iterations, until=target, utility=utility,
            most_nodes=nodes, seed=seed, file=save, resume=resume, progress=tell,
        )  # fmt: skip
    rows = ("seat", "sees", "option", "probability"), _rows(found)
    print_results(style, lambda: _record(found), rows, lambda: _show(found, save))


def _refuse(ctx: click.Context, names: Sequence[str], beside: str) -> None:
    """Raise UsageError for options that do not go with another."""
    given = [f"--{name}" for name in names if ctx.get_parameter_source(name) is not _DEFAULT]
    if given:
        raise click.UsageError(f"{listed(given)} and {beside} do not go together")


def _solve_open(
    game: Game, seed: int, choices: Sequence[int], nodes: int | None, style: str
) -> None:
    """Print what comes of a game with open hands."""
    from cardwright.endgames.open_hands import solve_open_hands

    state = game.replay(seed, choices)
    found = solve_open_hands(state, every_option=True, most_nodes=nodes)
    names = [option.description for option in state.options()]
    seats = [f"p{seat}" for seat in range(1, game.players + 1)]
    line = []
    at = state.copy()
    for index in found.line:
        assert at.player is not None
        line.append((at.player, index, at.options()[index].description))
        at.play(index)

    def show() -> None:
        from cardwright.interfaces.cli.tables import new_table, print_rich

        after = f" after {counted(len(choices), 'choice')}" if choices else ""
        scores = (f"{seat} {score}" for seat, score in zip(seats, found.scores, strict=True))
        title = f"{printable(game.name)}, seed {seed}{after}: open hands"
        click.echo(click.style(title, bold=True) + f"\n\n scores  {', '.join(scores)}")
        if found.tricks is not None:
            won = listed([seats[seat] for seat in found.sides[0]])
            click.echo(f" tricks  {found.tricks} more for {won}")
        click.echo()
        table = new_table(f"{seats[line[0][0]]} can", *seats)
        for name, after_it in zip(names, found.options, strict=True):
            table.add_row(printable(name), *map(str, after_it))
        print_rich(table)
        click.echo()
        table = new_table("best play", "")
        for seat, _, name in line:
            table.add_row(seats[seat], printable(name))
        print_rich(table)

    record = {
        "game": game.name,
        "seed": str(seed),
        "choices": list(choices),
        "method": found.method,
        "scores": list(found.scores),
        "sides": [list(side) for side in found.sides],
        "tricks": found.tricks,
        "options": [
            {"option": name, "scores": list(scores)}
            for name, scores in zip(names, found.options, strict=True)
        ],
        "line": [{"player": seat, "index": index, "option": name} for seat, index, name in line],
        "nodes": found.nodes,
    }
    rows = [(name, *scores) for name, scores in zip(names, found.options, strict=True)]
    print_results(style, lambda: record, (("option", *seats), rows), show)


def _record(found: Strategy) -> dict[str, Any]:
    """Return a strategy as a JSON object."""
    return {
        "game": found.game,
        "method": found.method,
        "utility": found.utility,
        "iterations": found.iterations,
        "values": list(found.values),
        "exploitability": found.exploitability,
        "scores": list(found.scores),
        "information_sets": [
            {
                "seat": one.seat,
                "sees": one.sees,
                "options": [
                    {"option": option.name, "probability": option.probability}
                    for option in one.options
                ],
            }
            for one in found.sets
        ],
    }


def _rows(found: Strategy) -> Iterator[tuple[object, ...]]:
    """Yield a row for each option of each information set."""
    for one in found.sets:
        for option in one.options:
            yield one.seat, one.sees, option.name, option.probability


def _by_seat(values: Sequence[float]) -> str:
    return ", ".join(f"p{seat} {value:z.6f}" for seat, value in enumerate(values, 1))


def _show(found: Strategy, save: Path | None) -> None:
    from cardwright.interfaces.cli.tables import new_table, print_rich
    from cardwright.solve.tree import Utility

    how = f", {counted(found.iterations, 'iteration')}" if found.iterations else ""
    sets = counted(len(found.sets), "information set")
    click.echo(click.style(f"{printable(found.game)}: {sets}, {found.method}{how}", bold=True))
    click.echo(f"\n value           {_by_seat(found.values)} ({Utility(found.utility).words})")
    apart = zip(found.scores, found.values, strict=False)  # scores are not always known
    if any(abs(own - worth) > _CLOSE for own, worth in apart):
        click.echo(f" mean scores     {_by_seat(found.scores)}")
    known = "not computed" if found.exploitability is None else f"{found.exploitability:.6f}"
    click.echo(f" exploitability  {known}\n")
    table = new_table("seat", "sees", "does")
    seats = range(len(found.values))
    ordered = (one for seat in seats for one in found.sets if one.seat == seat)
    for one in islice(ordered, _SHOWN):  # no more sets are put into words than are shown
        does = ", ".join(f"{option.name} {percent(option.probability)}" for option in one.options)
        table.add_row(f"p{one.seat + 1}", printable(one.sees) or "-", printable(does))
    print_rich(table)
    if len(found.sets) > _SHOWN:
        more = "" if save else "; --save FILE or --csv has them all"
        click.echo(f"\n ... and {len(found.sets) - _SHOWN:,} more{more}")
    if save is not None:
        click.echo(f"\n saved in {save}, which plays as solved:{save}")
