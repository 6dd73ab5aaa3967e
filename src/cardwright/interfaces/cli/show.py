"""`cardwright show`: what a game is, in words."""

from __future__ import annotations

import json
import shutil
import textwrap
from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.anatomy import attributes_of, places_of
from cardwright.interfaces.cli.parameters import (
    base_option,
    format_option,
    game_argument,
    load,
    set_option,
)
from cardwright.interfaces.cli.text import counted, listed, printable

if TYPE_CHECKING:
    from cardwright.game.game import Game
    from cardwright.interfaces.cli.parameters import Overrides
    from cardwright.library.catalogue import Facts

_WIDEST = 88


@click.command("show")
@game_argument
@set_option
@base_option
@format_option("text", "json")
def command(game: str, overrides: Overrides, base: int | None, style: str) -> None:
    """Describe a game: its rules, options, cards and places.

    GAME is a name of the library or the path of a file. Of a file only what the program itself
    says is known.
    """
    loaded = load(game, overrides, base)
    facts = _facts(game)
    if style == "json":
        click.echo(json.dumps(_record(loaded, facts), indent=2))
    else:
        _show(loaded, facts)


def _facts(name: str) -> Facts | None:
    from cardwright.library import catalogue  # noqa: PLC0415 - not for `--help`

    return catalogue.facts(name) if name in catalogue.names() else None


def _record(game: Game, facts: Facts | None) -> dict[str, Any]:
    from cardwright.interfaces.cli.games import as_record  # noqa: PLC0415 - for this format only

    words = facts.declared if facts else {}
    program = game.program
    return {
        "game": game.name,
        "facts": as_record(facts) if facts else None,
        "players": game.players,
        "teams": [list(team) for team in program.teams],
        "cards": len(game.cards),
        "attributes": attributes_of(game.cards),
        "places": [place._asdict() for place in places_of(program)],
        "highest_wins": game.highest_wins,
        "base": program.base,
        "declared": [
            {
                "name": one.name,
                "value": _plain(one.value),
                "default": _plain(one.default),
                "description": words.get(one.name, ""),
            }
            for one in program.declared
            if one.value is not None
        ],
    }


def _plain(value: object) -> object:
    """Return a constant as JSON can have it: a range as its text."""
    from cardwright.game.errors import override_text  # noqa: PLC0415 - for this format only

    return override_text(value) if isinstance(value, range) else value


def _show(game: Game, facts: Facts | None) -> None:
    width = min(_WIDEST, shutil.get_terminal_size().columns)
    if facts:
        click.echo(f"{click.style(facts.title, bold=True)} ({facts.name})")
        here = f"; here {game.players}" if len(facts.players) > 1 else ""
        _entry("players", f"{listed(facts.players, 'or')}{here}", width)
        _entry("cards", facts.deck, width)
        _entry("origin", ", ".join(part for part in (facts.origin, facts.date) if part), width)
        _entry("about", ", ".join(facts.mechanics), width),
        _entry("knowledge", ", ".join(facts.information), width)
        _entry("rules at", facts.source, width)
        for title, text in (
            ("Rules", facts.rules),
            ("Left out", facts.left_out),
            ("Notes", facts.notes),
        ):
            _section(title, text, width)
    else:
        click.echo(click.style(printable(game.name), bold=True))
        _entry("players", str(game.players), width)
    _show_program(game, width)
    _show_declared(game, facts, width)


def _entry(key: str, text: str, width: int) -> None:
    if text:
        lead = f"  {key:9} "
        lines = textwrap.wrap(text, width - 1, initial_indent=lead, subsequent_indent=" " * 12)
        click.echo("\n".join(lines))


def _section(title: str, text: str, width: int) -> None:
    if text.strip():
        click.echo(f"\n{click.style(title, bold=True)}")
        paragraphs = text.strip().split("\n\n")
        wrapped = (
            textwrap.fill(one, width - 1, initial_indent="  ", subsequent_indent="  ")
            for one in paragraphs
        )
        click.echo("\n\n".join(wrapped))


def _show_program(game: Game, width: int) -> None:
    program = game.program
    click.echo(f"\n{click.style('Program', bold=True)}")
    if any(len(team) > 1 for team in program.teams):
        teams = (" and ".join(f"p{seat + 1}" for seat in team) for team in program.teams)
        _entry("teams", "; ".join(teams), width)
    _entry("wins", f"the {'highest' if game.highest_wins else 'lowest'} score", width)
    _entry("cards", counted(len(game.cards), "card"), width)
    for key, values in attributes_of(game.cards).items():
        _entry("", f"{key}: {', '.join(values)}", width)
    for number, place in enumerate(places_of(program)):
        _entry("" if number else "places", str(place), width)


def _show_declared(game: Game, facts: Facts | None, width: int) -> None:
    from cardwright.game.errors import override_text  # noqa: PLC0415 - not for `--help`

    declared = [one for one in game.program.declared if one.value is not None]
    if not declared:
        return
    click.echo(f"\n{click.style('Options', bold=True)} (--set NAME=VALUE)")
    for one in declared:
        text = f"{one.name}={override_text(one.value)}"
        words = facts.declared.get(one.name, "") if facts else ""
        if one.value != one.default:
            words = f"{words} (normally {override_text(one.default)})".strip()
        lead = f"  {text:14} "
        lines = textwrap.wrap(words, width - len(lead) - 1) or [""]
        click.echo(
            "\n".join((lead if not i else " " * len(lead)) + line for i, line in enumerate(lines))
        )
