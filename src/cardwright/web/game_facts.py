"""What pages tell about games: facts, rules in words, options, presets, computer players.

All of it is JSON-able. Games are those of the library, and files named when the server was started,
of which only the rules and what lies beside them are known.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from cardwright.game.errors import CardwrightError, override_text
from cardwright.game.game import Game
from cardwright.game.settings import Setting, settings_of
from cardwright.library import catalogue
from cardwright.program.constants import parse_value
from cardwright.table.rules_page import rules_page
from cardwright.web.computer_players import computer_players, usual_player
from cardwright.web.families import SUGGESTED, by_family

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cardwright.game.settings import Settings
    from cardwright.library.catalogue import CatalogueEntry
    from cardwright.program.constants import Constant
    from cardwright.program.program import Declared

_SUMMARY = 160
"""The most letters of a game's summary on the home page."""

_OWN = {"name": "Your files", "about": "Games named when this server was started."}


def listed_games(files: Mapping[str, Path] | None = None) -> dict[str, Any]:
    """Return all games in short, and the families in which the home page shows them.

    `files` are the games that are files, by name; they come first.
    """
    entries = [catalogue.facts(name) for name in catalogue.names()]
    own = [_file_in_short(name, file) for name, file in (files or {}).items()]
    families = [
        {"name": family.name, "about": family.about, "games": [one.name for one in games]}
        for family, games in by_family(entries)
    ]
    if own:
        families.insert(0, {**_OWN, "games": [one["name"] for one in own]})
    return {
        "families": families,
        "suggested": list(SUGGESTED),
        "games": [*own, *map(_in_short, entries)],
    }


def _in_short(entry: CatalogueEntry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "title": entry.title,
        "players": list(entry.players),
        "default_players": entry.default_players,
        "mechanics": list(entry.mechanics),
        "origin": entry.origin,
        "summary": _summary(entry.rules),
    }


def _file_in_short(name: str, file: Path) -> dict[str, Any]:
    """Return a file in short; one that cannot be loaded now says so in its summary."""
    known: dict[str, Any] = {"name": name, "title": name, "mechanics": [], "origin": ""}
    try:
        game = Game.load(file)
        page = rules_page(game)
    except CardwrightError as error:
        summary = str(error).splitlines()[0]
        return {**known, "players": [], "default_players": 0, "summary": summary[:_SUMMARY]}
    text = page.sections[0].text if page.sections else ""
    title = page.title if page.title != game.name else name
    return {
        **known,
        "title": title,
        "players": [game.players],
        "default_players": game.players,
        "summary": _summary(text),
    }


def _summary(rules: str) -> str:
    """Return the first sentences of the rules, as many as fit, or the beginning of the first."""
    text = " ".join(rules.split("\n\n", 1)[0].split()).removeprefix("Aim: ")
    if len(text) <= _SUMMARY:
        return text
    end = text.rfind(". ", 0, _SUMMARY)
    if end > 0:
        return text[: end + 1]
    return text[: text.rfind(" ", 0, _SUMMARY)] + " …"


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text of the catalogue."""
    return [" ".join(one.split()) for one in text.split("\n\n") if one.strip()]


@lru_cache(maxsize=64)
def described_game(name: str) -> dict[str, Any]:
    """Return all that the page of a game of the library tells; raises NotFoundError."""
    entry = catalogue.facts(name)
    usual = catalogue.usual_preset(entry)
    return {
        **_in_short(entry),
        "deck": entry.deck,
        "date": entry.date,
        "source": entry.source,
        "information": list(entry.information),
        **_described(Game.variant(name, {}, usual), entry.settings, usual),
    }


def described_file(name: str, file: Path) -> dict[str, Any]:
    """Return all that the page of a game in a file tells; raises CardwrightError."""
    return {
        **_file_in_short(name, file),
        "deck": "",
        "date": "",
        "source": "",
        "information": [],
        **_described(Game.load(file), settings_of(file), None),
    }


def _described(game: Game, settings: Settings, usual: str | None) -> dict[str, Any]:
    page = rules_page(game, usual)
    return {
        "rules": [{"heading": one.heading, "text": one.text} for one in page.sections],
        "left_out": paragraphs(page.left_out),
        "notes": paragraphs(page.notes),
        "highest_wins": game.highest_wins,
        "options": [
            _option(one, settings) for one in game.program.declared if one.value is not None
        ],
        "presets": [
            {
                "name": one.name,
                "about": one.about,
                "game": one.game or None,
                "options": {key: json_value(value) for key, value in one.declared.items()},
            }
            for one in settings.presets.values()
        ],
        "usual_preset": usual,
        "seats": seats_of(game),
        "computer_players": [one.record() for one in computer_players(game)],
        "usual_player": usual_player(game).player,
    }


def _option(one: Declared, settings: Settings) -> dict[str, Any]:
    setting = settings.declared.get(one.name, Setting(""))
    values = setting.values
    assert one.default is not None
    return {
        "name": one.name,
        "about": setting.about,
        "kind": _kind(one.default),
        "default": json_value(one.default),
        "derived": setting.derived,
        "values": list(values) if isinstance(values, tuple) and values else None,
        "least": values.start if isinstance(values, range) else None,
        "most": values.stop - 1 if isinstance(values, range) else None,
    }


def _kind(value: Constant) -> str:
    """Return how a form asks for a constant."""
    match value:
        case bool():
            return "truth"
        case int():
            return "number"
        case str():
            return "name"
        case tuple():
            return "names"
        case range():
            return "range"


def json_value(value: Constant) -> bool | int | str:
    """Return a constant as forms hold it: lists and ranges are texts, such as `A,B` and `1..4`."""
    return value if isinstance(value, bool | int | str) else override_text(value)


def constants_of(options: Mapping[str, object]) -> dict[str, Constant]:
    """Return the constants that a form has set; raises ValueError for what is no constant."""
    found: dict[str, Constant] = {}
    for name, value in options.items():
        if isinstance(value, bool | int):
            found[name] = value
        elif isinstance(value, str):
            found[name] = parse_value(value)
        else:
            raise ValueError(f"{name}: {value!r} is not a value of an option")
    return found


def tried_setup(
    name: str | Path, preset: str | None, options: Mapping[str, object]
) -> dict[str, Any]:
    """Return what a game is with these settings: notes, its seats, the values of all options.

    `name` is that of a game of the library, or the path of a file of the site's owner. Raises
    NotFoundError and SettingError as `Game.variant` does, ValueError for what is no value.
    """
    if isinstance(name, str):
        catalogue.facts(name)
    game = Game.variant(name, constants_of(options), preset)
    page = rules_page(game, preset)
    return {
        "left_out": paragraphs(page.left_out),
        "notes": paragraphs(page.notes),
        "seats": seats_of(game),
        "options": {
            one.name: json_value(one.value)
            for one in game.program.declared
            if one.value is not None
        },
        "computer_players": [one.record() for one in computer_players(game)],
        "usual_player": usual_player(game).player,
    }


def seats_of(game: Game) -> list[dict[str, Any]]:
    """Return the seats of a game with their teams, from 0; None where everybody plays alone."""
    teams = game.program.teams
    paired = any(len(team) > 1 for team in teams)
    where = {int(seat): number for number, team in enumerate(teams) for seat in team}
    return [
        {"seat": seat, "team": where.get(seat) if paired else None} for seat in range(game.players)
    ]
