"""Rules pages: the rules of a game in words, with the options that are in effect at a table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.game.errors import NotFoundError, UnreadableFileError, override_text
from cardwright.game.find import beside, find
from cardwright.game.settings import FactsError, Settings, parse_settings, read_table

if TYPE_CHECKING:
    from typing import Any

    from cardwright.game.game import Game

_HEADED = re.compile(r"(?P<heading>[A-Z][^:.]{1,40}): (?P<text>[A-Z].*)", re.DOTALL)
_COMMENT = re.compile(r"\s*;+\s?(?P<words>.*)")


@dataclass(frozen=True)
class RulesSection:
    """A paragraph and its heading, which may be empty."""

    heading: str
    text: str


@dataclass(frozen=True)
class RulesPage:
    """The rules of a game in words.

    `sections` say how it is played, `options` what differs from the game's defaults at this table,
    a line each; `left_out` and `notes` compare it with the game as others play it. Texts are empty
    where nothing is said.
    """

    title: str
    sections: tuple[RulesSection, ...]
    options: tuple[str, ...]
    left_out: str
    notes: str

    def told(self) -> list[tuple[str, str]]:
        """Return all that the page says, as headings and paragraphs."""
        found = [(section.heading, section.text) for section in self.sections]
        found += [("At this table", line) for line in self.options]
        more = (("Not played here", self.left_out), ("Notes", self.notes))
        return [*found, *((heading, text) for heading, text in more if text)]


def rules_page(game: Game, preset: str | None = None) -> RulesPage:
    """Return the rules page of a game as it was loaded, perhaps by a preset.

    The texts are those of the file NAME.toml beside the game's own: `title`, `rules`, `left_out`
    and `notes`, in paragraphs that may begin with a heading, as in `Deal: Everybody gets ...`. The
    notes end with the `remarks` whose conditions hold for the constants of this game. Without such
    a text the page has the comment at the head of the game's file. Raises FactsError for a wrong
    TOML file.
    """
    name, table = _table(game)
    text = _text(name, table, "rules") or _opening_comment(game.program.source.text)
    settings = parse_settings(name, table)
    return RulesPage(
        _text(name, table, "title") or game.name,
        sections(text),
        tuple(_options(game, settings, preset)),
        _text(name, table, "left_out"),
        _joined([_text(name, table, "notes"), *settings.remarks_on(game.declared)]),
    )


def _table(game: Game) -> tuple[str, dict[str, Any]]:
    """Return the name and tables of the TOML file beside a game's; empty without one.

    A game made from a text may have the name of another one's file.
    """
    try:
        same = find(game.name).text == game.program.source.text
    except (NotFoundError, UnreadableFileError):
        same = False
    file = beside(game.name) if same else None
    return ("", {}) if file is None else (file[0], read_table(*file))


def _text(name: str, table: dict[str, Any], key: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise FactsError(f"{name}: {key} is not a string")
    return value.strip()


def _joined(texts: list[str]) -> str:
    """Return texts as the paragraphs of one."""
    return "\n\n".join(filter(None, texts))


def sections(text: str) -> tuple[RulesSection, ...]:
    """Return the paragraphs of a text, with their headings."""
    parts = (" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip())
    return tuple(map(_section, parts))


def _section(paragraph: str) -> RulesSection:
    headed = _HEADED.fullmatch(paragraph)
    return (
        RulesSection(headed["heading"], headed["text"]) if headed else RulesSection("", paragraph)
    )


def _opening_comment(source: str) -> str:
    """Return the comment lines before the first form of a program."""
    lines = []
    for line in source.splitlines():
        found = _COMMENT.fullmatch(line)
        if found is None and line.strip():
            break
        lines.append(found["words"] if found else "")
    return "\n".join(lines)


def _options(game: Game, settings: Settings, preset: str | None) -> list[str]:
    """Return what is chosen at this table: the preset, and each constant that is not as usual."""
    lines = []
    if preset is not None and preset in settings.presets:
        lines.append(f"Preset {preset}: {settings.presets[preset].about}.")
    for constant in game.program.declared:
        setting = settings.declared.get(constant.name)
        if constant.value is None or constant.default is None or constant.value == constant.default:
            continue
        if setting is not None and setting.derived:
            continue
        chosen = f"{constant.name} is {override_text(constant.value)}"
        normal = f"normally {override_text(constant.default)}"
        about = f". {setting.about}." if setting is not None and setting.about else "."
        lines.append(f"{chosen}, {normal}{about}")
    return lines
