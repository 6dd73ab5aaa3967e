"""`cardwright show`: a game described in words."""

from __future__ import annotations

import shutil
import textwrap
from typing import TYPE_CHECKING, Any

import click

from cardwright.english import counted, listed
from cardwright.game.wording.naming import attributes_of, places_of
from cardwright.interfaces.cli.parameters import game_options
from cardwright.interfaces.cli.rows import print_results
from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.cli.vocabulary import format_option

if TYPE_CHECKING:
    from cardwright.game.game import Game
    from cardwright.game.settings import Setting, Settings
    from cardwright.interfaces.cli.parameters import ChosenGame
    from cardwright.library.catalogue import CatalogueEntry
    from cardwright.program.program import Declared
    from cardwright.table.rules_page import RulesPage

_CONSTANT = ("name", "value", "default", "description", "values")
_WIDEST = 88
_INDENT = 17


@click.command("show")
@game_options()
@format_option
def command(*, game: ChosenGame, style: str) -> None:
    """Describe a game: its rules, options, cards and locations.

    GAME is a name of the library or the path of a file. Of a file it tells what the program and the
    TOML file beside it say. CSV has the constants, one per row.
    """
    from cardwright.game.settings import settings_of

    loaded = game.load()
    facts = _facts(loaded.name)
    settings = facts.settings if facts else settings_of(loaded.name)
    record = _record(loaded, facts, settings)
    rows = _CONSTANT, record["declared"]
    print_results(style, lambda: record, rows, lambda: _show(loaded, facts, settings))


def _facts(name: str) -> CatalogueEntry | None:
    from cardwright.library import catalogue

    return catalogue.facts(name) if name in catalogue.names() else None


def _record(game: Game, facts: CatalogueEntry | None, settings: Settings) -> dict[str, Any]:
    from cardwright.interfaces.cli.games import as_record

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
                "description": setting.about,
                "values": _plain(setting.values) or None,
            }
            for one, setting in _declared(game, settings)
        ],
        "requires": [vars(one) for one in settings.requires],
        "presets": [
            {
                "name": one.name,
                "description": one.about,
                "game": one.game or game.name,
                "declared": dict(one.declared),
            }
            for one in settings.presets.values()
        ],
    }


def _declared(game: Game, settings: Settings) -> list[tuple[Declared, Setting]]:
    """Return the constants that may be set, each with its explanation."""
    from cardwright.game.settings import Setting

    found = [
        (one, settings.declared.get(one.name, Setting("")))
        for one in game.program.declared
        if one.value is not None
    ]
    return [(one, setting) for one, setting in found if not setting.derived]


def _plain(value: object) -> object:
    """Return a constant as JSON can hold it: a range as its text."""
    from cardwright.game.errors import override_text

    return override_text(value) if isinstance(value, range) else value


def _show(game: Game, facts: CatalogueEntry | None, settings: Settings) -> None:
    from cardwright.table.rules_page import rules_page

    width = min(_WIDEST, shutil.get_terminal_size().columns)
    if facts:
        click.echo(f"{click.style(facts.title, bold=True)} ({facts.name})")
        here = f"; here {game.players}" if len(facts.players) > 1 else ""
        _entry("players", f"{listed(facts.players, 'or')}{here}", width)
        _entry("cards", facts.deck, width)
        _entry("origin", ", ".join(part for part in (facts.origin, facts.date) if part), width)
        _entry("about", ", ".join(facts.mechanics), width)
        _entry("knowledge", ", ".join(facts.information), width)
        _entry("rules at", facts.source, width)
        rules, left_out, notes = facts.rules, facts.left_out, rules_page(game).notes
    else:
        page = rules_page(game)
        named = f" ({printable(game.name)})" if page.title != game.name else ""
        click.echo(f"{click.style(printable(page.title), bold=True)}{named}")
        _entry("players", str(game.players), width)
        rules, left_out, notes = _paragraphs(page), page.left_out, page.notes
    for title, text in (("Rules", rules), ("Left out", left_out), ("Notes", notes)):
        _section(title, printable(text), width)
    _show_program(game, width)
    _show_declared(game, settings, width)
    _show_presets(settings, width)


def _paragraphs(page: RulesPage) -> str:
    found = [(f"{one.heading}: " if one.heading else "") + one.text for one in page.sections]
    return "\n\n".join(found)


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
        teams = (listed(f"p{seat + 1}" for seat in team) for team in program.teams)
        _entry("teams", "; ".join(teams), width)
    _entry("wins", f"the {'highest' if game.highest_wins else 'lowest'} score", width)
    _entry("cards", counted(len(game.cards), "card"), width)
    for key, values in attributes_of(game.cards).items():
        _entry("", f"{key}: {', '.join(values)}", width)
    for number, place in enumerate(places_of(program)):
        _entry("" if number else "places", str(place), width)


def _show_declared(game: Game, settings: Settings, width: int) -> None:
    from cardwright.game.errors import override_text

    declared = _declared(game, settings)
    if not declared:
        return
    click.echo(f"\n{click.style('Options', bold=True)} (--set NAME=VALUE)")
    for one, setting in declared:
        words = setting.about
        if setting.values:
            words = f"{words}: {setting.listed}" if words else setting.listed
        if one.value != one.default:
            words = f"{words} (normally {override_text(one.default)})".strip()
        _line(f"{one.name}={override_text(one.value)}", words, width)


def _show_presets(settings: Settings, width: int) -> None:
    if settings.presets:
        click.echo(f"\n{click.style('Presets', bold=True)} (--preset NAME)")
        for name, preset in settings.presets.items():
            _line(name, preset.about, width)


def _line(key: str, words: str, width: int) -> None:
    """Print a key and its meaning, indented so that a key of 14 characters fits."""
    lead, indent = f"  {key:14} ", " " * _INDENT
    lines = textwrap.wrap(words, width - _INDENT - 1) or [""]
    if len(lead) > _INDENT:
        lines.insert(0, "")
    click.echo("\n".join(((indent if i else lead) + line).rstrip() for i, line in enumerate(lines)))
