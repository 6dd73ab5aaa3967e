"""`cardwright explain-diff`: two versions of a game compared in words."""

from __future__ import annotations

import shutil
import textwrap
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from cardwright.english import counted
from cardwright.interfaces.cli.format import difference
from cardwright.interfaces.cli.parameters import complete_game, load, set_option
from cardwright.interfaces.cli.rows import print_results
from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.cli.vocabulary import diff_option, format_option

if TYPE_CHECKING:
    from cardwright.authoring.rule_difference import RuleChange
    from cardwright.game.game import Game
    from cardwright.interfaces.cli.parameters import Overrides

_COLUMNS = ("kind", "sentence", "before", "after", "line_before", "line_after")
_WIDEST = 88


@click.command("explain-diff")
@click.argument("before", metavar="BEFORE", shell_complete=complete_game)
@click.argument("after", metavar="AFTER", shell_complete=complete_game)
@set_option
@diff_option("They come after the sentences.")
@format_option
def command(before: str, after: str, overrides: Overrides, style: str, *, diff: bool) -> None:
    """Say in words how two versions of a game differ.

    BEFORE and AFTER are games of the library or files, with a preset after a colon where they have
    one: `hearts` and `hearts:standard`. --set is for AFTER. Layout, comments, the names of
    variables, and other ways to write the same are no differences. Differences are no failure: the
    exit code is 0 with and without any.
    """
    from cardwright.authoring.rule_difference import explain_diff

    first, second = _loaded(before, {}), _loaded(after, overrides)
    changes = explain_diff(first, second)
    lines = difference(first.program.source, second.program.source.text, after) if diff else ""
    if diff and style == "csv":
        raise click.UsageError("--diff has no place in CSV: take --format table or json")
    records = [asdict(change) for change in changes]
    record = {"before": before, "after": after, "changes": records}
    record |= {"diff": click.unstyle(lines)} if diff else {}
    print_results(
        style, lambda: record, (_COLUMNS, records), lambda: _show(before, after, changes, lines)
    )


def _loaded(text: str, overrides: Overrides) -> Game:
    from cardwright.game.find import split_preset

    name, preset = split_preset(text)
    return load(name, overrides, preset=preset)


def _show(before: str, after: str, changes: tuple[RuleChange, ...], lines: str) -> None:
    both = f"{printable(before)} and {printable(after)}"
    if changes:
        click.echo(click.style(f"{both}: {counted(len(changes), 'difference')}", bold=True))
    else:
        click.echo(f"{both} have the same rules.")
    width = min(_WIDEST, shutil.get_terminal_size().columns)
    for change in changes:
        place = _place(change)
        text = f"{printable(change.sentence)}{f' ({place})' if place else ''}"
        click.echo(textwrap.fill(text, width - 1, initial_indent="- ", subsequent_indent="  "))
    if lines:
        click.echo(f"\n{lines}", nl=False)


def _place(change: RuleChange) -> str:
    """Return the lines of a change in both versions."""
    old, new = change.line_before, change.line_after
    if old is not None and new is not None:
        return f"line {old}" if old == new else f"line {old}, now {new}"
    return f"line {new}" if new is not None else f"line {old} before" if old is not None else ""
