"""The output of `compile --show places`: which locations are masks, and what goes the fast way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.table import Table

from cardwright.compiler.figures import ways
from cardwright.compiler.layout import PileForm
from cardwright.english import counted
from cardwright.interfaces.cli.tables import print_rich, table_box
from cardwright.interfaces.cli.text import printable

if TYPE_CHECKING:
    from cardwright.compiler.figures import ChoiceWay, PlaceWay, ProgramWays, StageWay
    from cardwright.game.game import Game
    from cardwright.program import nodes as n
    from cardwright.program.places import LocationFamily
    from cardwright.program.program import Program

_LONGEST = 60
"""Characters of a form that are shown."""


def show_ways(game: Game) -> None:
    """Print what becomes of a game's places, stages and choices."""
    program = game.program
    found = ways(program)
    click.echo(click.style(printable(game.name), bold=True))
    _places(program, found)
    _stages(program, found.stages)
    _choices(program, found.choices)


def _table(*titles: str) -> Table:
    table = Table(box=table_box(), header_style="bold")
    for title in titles:
        table.add_column(title, overflow="fold")
    return table


def _places(program: Program, found: ProgramWays) -> None:
    table = _table("place", "locations", "cards lie as", "because of")
    for way in found.places:
        family = way.family
        table.add_row(
            _place(program, family), f"{family.sort.size:,}", way.form.value, _reason(program, way)
        )
    print_rich(table)
    masks = sum(1 for way in found.places if way.form is PileForm.MASK)
    click.echo(f"{masks} of {counted(len(found.places), 'kind')} of places are masks.")
    if found.pooled:
        click.echo("Places whose names or indices are known only in play are piles.")
    click.echo()


def _place(program: Program, family: LocationFamily) -> str:
    owner = "player" if family.sort.first == 0 else "team"
    if family.sort.first == program.table:
        owner = "game"
    index = f" {family.at}" if family.at else ""
    return printable(f"{owner} {family.kind.value} {family.name}{index}")


def _reason(program: Program, way: PlaceWay) -> str:
    if way.reason is not None:
        return _form(program, way.reason)
    return "" if way.form is PileForm.MASK else "the number of cards or places"


def _form(program: Program, node: n.Node) -> str:
    """Return a form's place and text, on one line."""
    source = program.source
    at = source.position(node.span.start)
    text = " ".join(source.text[node.span.start : node.span.end].split())
    if len(text) > _LONGEST:
        text = text[: _LONGEST - 3] + "..."
    return printable(f"line {at.line}: {text}")


def _stages(program: Program, found: tuple[StageWay, ...]) -> None:
    if not found:
        return
    table = _table("stage", "played as")
    for way in found:
        line = program.source.position(way.stage.span.start).line
        how = "a loop within the stage around it" if way.within else "a loop"
        if way.is_round:
            how = "a round: a turn for each player, without tests of its end"
        table.add_row(f"line {line}", how)
    print_rich(table)
    click.echo()


def _choices(program: Program, found: tuple[ChoiceWay, ...]) -> None:
    table = _table("choice", "random players draw", "because of")
    for way in found:
        line = program.source.position(way.choice.span.start).line
        if way.listed is None:
            table.add_row(f"line {line}", "bits, without a list", "")
        else:
            why = f"{_form(program, way.listed)}: {way.why}"
            how = "bunches, without a list" if way.bunches else "from a list of all options"
            table.add_row(f"line {line}", how, why)
    print_rich(table)
