"""`cardwright replay`: one game, decision by decision, in words."""

from __future__ import annotations

import shutil
import sys
import textwrap
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardwright.english import counted, listed
from cardwright.interfaces.cli.files import STDIN, name_of
from cardwright.interfaces.cli.parameters import (
    game_options,
    parse_choices,
    parse_game_seed,
    players_option,
    seated,
)
from cardwright.interfaces.cli.rows import print_results
from cardwright.interfaces.cli.text import complain, printable
from cardwright.interfaces.cli.vocabulary import (
    choices_option,
    format_option,
    seat_option,
    seed_option,
)
from cardwright.syntax.data_files import MOST_BYTES, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.game.game import Game
    from cardwright.interfaces.cli.parameters import ChosenGame
    from cardwright.interfaces.cli.steps import Replay, ReplayStep
    from cardwright.interfaces.cli.table_view import SeenTable, TableView
    from cardwright.players.spec import PlayerSpec

_UNLIMITED = 1_000_000
_SAID = ("seed", "choices", "choices_file", "players", "preset", "overrides", "base", "engine")
"""Options that do not apply to a saved game."""


@click.command("replay")
@game_options(engine=True)
@seed_option("Required, unless GAME is a saved game.", usual="", read=parse_game_seed)
@choices_option()
@click.option(
    "--choices-file",
    metavar="FILE",
    help="The same in a file, for long lists; - is the standard input.",
)
@players_option(None)
@click.option("--table", is_flag=True, help="Show the table: cards, stored values, what the rules "
              "do by themselves.")  # fmt: skip
@seat_option("all cards are seen")
@format_option
@click.pass_context
def command(
    ctx: click.Context,
    *,
    game: ChosenGame,
    seed: int | None,
    choices: tuple[int, ...] | None,
    choices_file: str | None,
    players: tuple[PlayerSpec, ...] | None,
    table: bool,
    seat: int | None,
    style: str,
) -> None:
    """Show one game step by step.

    GAME is a name of the library or the path of a file; or a game saved by `play`, which holds
    all the rest itself; one that is not over is shown as your seat sees it. Each decision is
    printed with its options, the chosen one marked; at the end are the scores, or the options that
    come next. With --players the choices are left to players, which decide as they do in
    `simulate`. With --table, what changes on the table is printed instead of the options, turn by
    turn; --seat shows it as the player of a seat sees it.
    """
    from cardwright.interfaces.cli.steps import replay
    from cardwright.table.saved import is_saved

    if is_saved(Path(game.name)):
        loaded, seed, choices, people = _kept(ctx, Path(game.name))
        outcome = replay(loaded, seed, choices)
        view = _view(loaded, style, table=table, seat=seat)
        if outcome.due is not None and people:
            view, outcome = _without_secrets(outcome, people, view, style)
        _tell(ctx, loaded, seed, outcome, style=style, view=view)
        return
    if seed is None:
        given = next(param for param in ctx.command.params if param.name == "seed")
        raise click.MissingParameter(ctx=ctx, param=given)
    if sum(given is not None for given in (choices, choices_file, players)) > 1:
        raise click.UsageError("give the choices once, or leave them to players: not both")
    if choices_file is not None:
        choices = _choices_in(ctx, choices_file)
    loaded = game.load().late()
    view = _view(loaded, style, table=table, seat=seat)
    if players is not None:
        choices = _decided(loaded, seed, players)
    _tell(ctx, loaded, seed, replay(loaded, seed, choices or ()), style=style, view=view)


def _view(game: Game, style: str, *, table: bool, seat: int | None) -> TableView | None:
    """Return how the table is shown, if it is."""
    from cardwright.interfaces.cli.table_view import TableView

    if table and style == "csv":
        raise click.UsageError("a table is not a list of rows: give --json with --table")
    if seat is not None and not table:
        raise click.UsageError("--seat says who sees the table: it needs --table")
    if seat is not None and seat > game.players:
        message = f"{game.name} has {game.players} seats, not {seat}"
        raise click.BadParameter(message, param_hint="'--seat'")
    return TableView(None if seat is None else seat - 1) if table else None


def _without_secrets(
    outcome: Replay, people: tuple[int, ...], view: TableView | None, style: str
) -> tuple[TableView, Replay]:
    """Return a game that `people` still play as one of their seats sees it: options tell hands.

    Raises UsageError for what would tell them all the same.
    """
    from cardwright.interfaces.cli.table_view import TableView

    seats = listed([f"--seat {seat + 1}" for seat in people], "or")
    own = people[0] if view is None or view.seat is None else view.seat
    where = "this game is not over, so it is shown as somebody at the table sees it"
    if own not in people or (len(people) > 1 and (view is None or view.seat is None)):
        raise click.UsageError(f"{where}: take --table {seats}")
    if view is None and style in {"json", "csv"}:
        raise click.UsageError(f"{where}: take --table --json")
    if style == "table":
        click.echo(f"This game is not over: it is shown as p{own + 1}, your seat, sees it.")
    hidden = [step if step.player == own else step._replace(options=()) for step in outcome.steps]
    due = outcome.due
    if due is not None and due.player != own:
        due = due._replace(options=())
    return TableView(own), replace(outcome, steps=hidden, due=due)


def _choices_in(ctx: click.Context, file: str) -> tuple[int, ...]:
    """Return the choices in a file, which may be larger than any game; raises OSError."""
    try:
        text = _typed() if file == STDIN else read_text(file, MOST_BYTES)
        return parse_choices(text)
    except ValueError as error:
        param = next(param for param in ctx.command.params if param.name == "choices_file")
        raise click.BadParameter(f"{name_of(file)}: {error}", ctx, param) from None


def _typed() -> str:
    text = sys.stdin.read(MOST_BYTES + 1)
    if len(text) > MOST_BYTES:
        raise ValueError("these are more choices than a game can have")
    return text


def _kept(ctx: click.Context, path: Path) -> tuple[Game, int, tuple[int, ...], tuple[int, ...]]:
    """Return the game, the seed and the choices of a file that `play` has written.

    Last are the seats of the people who play.
    """
    from cardwright.table.saved import read_saved, rules_of
    from cardwright.table.setup import HUMAN

    default = click.core.ParameterSource.DEFAULT
    given = [name for name in _SAID if ctx.get_parameter_source(name) is not default]
    if given:
        names = ("set" if name == "overrides" else name.replace("_", "-") for name in given)
        words = ", ".join(f"--{name}" for name in names)
        raise click.UsageError(
            f"{path} is a saved game, which holds all of this itself: leave out {words}"
        )
    saved = read_saved(path)
    people = tuple(seat for seat, one in enumerate(saved.setup.players) if one == HUMAN)
    return rules_of(saved.setup).late(), saved.setup.seed, saved.choices, people


def _tell(
    ctx: click.Context,
    loaded: Game,
    seed: int,
    outcome: Replay,
    *,
    style: str,
    view: TableView | None,
) -> None:
    """Print a replay; an error in the game makes the exit code 1, one in the choices 2."""
    table = None if view is None else view.watched(loaded, seed, outcome)
    record = _record(loaded, seed, outcome)
    rows = ("decision", "player", "options", "chosen", "option"), _rows(outcome)
    print_results(
        style,
        lambda: record if table is None else table.record(record),
        rows,
        lambda: _show(loaded, seed, outcome, table),
    )
    if outcome.error is not None:
        complain(outcome.error)
        ctx.exit(2 if outcome.wrong_call else 1)


def _decided(game: Game, seed: int, players: tuple[PlayerSpec, ...]) -> tuple[int, ...]:
    """Return the choices that players make in a game."""
    from cardwright.arena.referee import referee_game
    from cardwright.interfaces.cli.estimate import say_cautions

    say_cautions(game, players)
    return referee_game(
        game, seed, [spec.build() for spec in seated(players, game.players)]
    ).choices


def _record(game: Game, seed: int, outcome: Replay) -> dict[str, Any]:
    """Return a replay as a JSON object; seats, indices and ranks count from 0."""
    due = outcome.due
    return {
        "game": game.name,
        "seed": str(seed),
        "decisions": [step._asdict() for step in outcome.steps],
        "due": None if due is None else {"player": due.player, "options": due.options},
        "scores": outcome.scores,
        "ranks": outcome.ranks,
        "error": outcome.error,
    }


def _rows(outcome: Replay) -> Iterator[tuple[object, ...]]:
    """Yield a row for each decision: who chose which of how many options."""
    for number, step in enumerate(outcome.steps):
        assert step.chosen is not None
        yield number, step.player, len(step.options), step.chosen, step.options[step.chosen]


def _show(game: Game, seed: int, outcome: Replay, table: SeenTable | None) -> None:
    click.echo(click.style(f"{printable(game.name)}, seed {seed}", bold=True))
    if table is not None:
        table.show()
    elif outcome.scores is not None and not outcome.steps:
        _show_automatic(game, seed)
    else:
        for number, step in enumerate(outcome.steps, 1):
            click.echo(f"\n{click.style(f'{number}. p{step.player + 1}', bold=True)} chooses")
            _show_options(step)
    if outcome.due is not None:
        who = click.style(f"p{outcome.due.player + 1}", bold=True)
        options = outcome.due.options
        choose = f" from {counted(len(options), 'option')}" if options else ""
        click.echo(f"\n{who} has to choose{choose}")
        _show_options(outcome.due)
    if outcome.scores is not None and outcome.ranks is not None:
        best = "highest" if game.highest_wins else "lowest"
        decisions = counted(len(outcome.steps), "decision")
        click.echo(f"\nThe game is over after {decisions}; the {best} score wins.")
        width = max(len(str(score)) for score in outcome.scores)
        for seat, (score, rank) in enumerate(zip(outcome.scores, outcome.ranks, strict=True), 1):
            won = "  wins" if rank == 0 else ""
            click.echo(f"  p{seat:<3}{score:>{width}}{click.style(won, fg='green')}")


def _show_automatic(game: Game, seed: int) -> None:
    """Print what happens in a game without decisions."""
    from cardwright.table.watched_table import WatchedTable

    click.echo()
    for moment in WatchedTable(game, seed).opening:
        for sentence in moment.said:
            click.echo(f"  {printable(sentence)}")


def _show_options(step: ReplayStep) -> None:
    """Print options with their numbers; on a terminal, long ones wrap with an indent."""
    digits = len(str(len(step.options) - 1))
    margin = " " * (digits + 6)
    room = shutil.get_terminal_size().columns - 1 if sys.stdout.isatty() else _UNLIMITED
    for index, text in enumerate(step.options):
        chosen = index == step.chosen
        lead = f"  {'>' if chosen else ' '} {index:>{digits}}  "
        shown = textwrap.fill(text, room, initial_indent=lead, subsequent_indent=margin)
        click.echo(click.style(shown, fg="green" if chosen else None))
