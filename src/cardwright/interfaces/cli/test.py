"""`cardwright test`: whether the positions of a game come out as their author says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardwright.english import counted
from cardwright.interfaces.cli.parameters import complete_game
from cardwright.interfaces.cli.rows import print_results
from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.cli.vocabulary import format_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.authoring.position_run import PositionOutcome

_INDENT = " " * 8
_COLUMNS = ("file", "line", "about", "passed", "failures")


@click.command("test")
@click.argument("game", metavar="GAME", shell_complete=complete_game)
@click.argument("files", metavar="[FILE...]", nargs=-1, type=click.Path(readable=False))
@format_option
@click.pass_context
def command(ctx: click.Context, game: str, files: tuple[str, ...], style: str) -> None:
    """Test a game by its positions.

    GAME is a name of the library or the path of a file. Each FILE has positions: what is dealt,
    what can be chosen, and what must come of it. Without one, all files NAME.positions.toml and
    NAME.*.positions.toml beside the game are taken. The exit code is 1 if anything fails.
    """
    from cardwright.authoring.position_run import run_positions

    outcomes = run_positions(_game(game), files or None)
    rows = [{**_outcome(one), "failures": len(one.failures)} for one in outcomes]
    print_results(style, lambda: _record(game, outcomes), (_COLUMNS, rows), lambda: _show(outcomes))
    ctx.exit(0 if all(one.passed for one in outcomes) else 1)


def _game(text: str) -> str:
    """Return the path of a game: NAME is short for NAME.rcy, if that is no game of the library."""
    from cardwright.game.find import SUFFIX, is_file, library_names

    path = Path(f"{text}{SUFFIX}")
    short = text not in library_names() and not is_file(Path(text)) and is_file(path)
    return str(path) if short else text


def _record(game: str, outcomes: Sequence[PositionOutcome]) -> dict[str, Any]:
    """Return the outcomes as a JSON object; lines and columns count from 1."""
    passed = sum(one.passed for one in outcomes)
    return {
        "game": game,
        "passed": passed,
        "failed": len(outcomes) - passed,
        "positions": [_outcome(one) for one in outcomes],
    }


def _outcome(outcome: PositionOutcome) -> dict[str, Any]:
    return {
        "file": outcome.file,
        "line": outcome.line,
        "about": outcome.about,
        "passed": outcome.passed,
        "failures": [
            {
                "line": one.line,
                "column": one.column,
                "message": one.message,
                "expected": one.expected,
                "found": one.found,
            }
            for one in outcome.failures
        ],
    }


def _show(outcomes: Sequence[PositionOutcome]) -> None:
    """Print the positions file by file, with what fails in each, and how many there are."""
    file = None
    for one in outcomes:
        if one.file != file:
            file = one.file
            click.echo(click.style(printable(file), bold=True))
        word = click.style("ok  ", fg="green") if one.passed else click.style("FAIL", fg="red")
        click.echo(f"  {word}  {printable(one.about)}")
        for failure in one.failures:
            lines = printable(str(failure)).split("\n")
            click.echo("\n".join(_INDENT + line for line in lines))
    passed = sum(one.passed for one in outcomes)
    failed = len(outcomes) - passed
    tally = f"{counted(len(outcomes), 'position')}: {passed} passed"
    click.echo(f"{tally}, {failed} failed" if failed else tally)
