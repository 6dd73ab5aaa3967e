"""The file NAME.toml beside a game that was found: what of the original's facts still applies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.authoring.settings_check import RuleNames
from cardwright.game.errors import CardwrightError
from cardwright.game.settings import Settings, parse_settings
from cardwright.game.wording.phrases import WORD_TABLES
from cardwright.jobs.toml_text import toml_key, toml_paragraphs, toml_string, toml_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cardwright.game.settings import Setting
    from cardwright.jobs.toml_text import Toml
    from cardwright.program.constants import Constant
    from cardwright.program.program import Program

_KEPT = ("source", "left_out", "notes")
"""Facts on the original that stay what they are. Others, such as its deck, may have changed."""


def facts_text(
    program: Program,
    title: str,
    original: str,
    told: Sequence[str],
    facts: Mapping[str, Any],
) -> str:
    """Return the text of the file, such that `check` has nothing to say about it.

    `title` is the new game's, `original` that of the game it was found from, whose tables are
    `facts`; `told` are sentences on the difference. Words, values of constants and requirements
    that do not fit the new rules are left out, and so are presets, which would undo changes, and
    ranges of scores, which nobody has checked for these rules.
    Raises FactsError if the original's settings are wrong.
    """
    settings = parse_settings(f"{original}.toml", facts)
    parts = [
        f"# Made from the facts on {_line(original)}; what no longer fits its rules is left out.\n"
        + "".join(_facts(title, original, told, facts)),
        _table("declared", _declared(program, settings)),
        *_requires(program, settings),
        *_remarks(program, settings),
        *_words(program, settings),
    ]
    return "\n".join(part for part in parts if part)


def _facts(
    title: str, original: str, told: Sequence[str], facts: Mapping[str, Any]
) -> Iterator[str]:
    yield f"title = {toml_string(_line(title))}\n"
    yield f"rules = {toml_paragraphs(_rules(_line(original), told, facts))}\n"
    for name in _KEPT:
        if isinstance(value := facts.get(name), str) and value:
            yield f"{name} = {toml_paragraphs(value) if len(value) > 90 else toml_string(value)}\n"


def _rules(original: str, told: Sequence[str], facts: Mapping[str, Any]) -> str:
    """Return the rules in words: what is different, then the original's, marked as such."""
    differences = " ".join(map(_line, told)) or "Nothing that could be told in words."
    new = f"What is different: {differences}"
    old = facts.get("rules")
    if not isinstance(old, str) or not old.strip():
        return f"{new}\n\nThe original: All other rules are those of {original}."
    return (
        f"{new}\n\nThe original: What follows are the rules of {original}. Where they differ from "
        f"what is said above, that counts.\n\n{old.strip()}"
    )


def _declared(program: Program, settings: Settings) -> dict[str, Toml]:
    values = _values(program)
    return {
        name: _setting(setting, values.get(name))
        for name, setting in settings.declared.items()
        if name in values
    }


def _setting(setting: Setting, value: Constant | None) -> Toml:
    """Return what a constant means, with its values unless it has another one now."""
    table: dict[str, Toml] = {"about": setting.about}
    if setting.derived:
        return {**table, "derived": True}
    if not setting.values or value is None or setting.problem(value):
        return setting.about
    if isinstance(setting.values, range):
        return {**table, "values": f"{setting.values.start}..{setting.values.stop - 1}"}
    return {**table, "values": list(setting.values)}


def _requires(program: Program, settings: Settings) -> Iterator[str]:
    values = _values(program)
    for one in settings.requires:
        try:
            Settings(requires=(one,)).check_together(values)
        except CardwrightError:  # a constant is gone, or the new rules break it themselves
            continue
        condition, why = toml_string(one.condition), toml_string(one.why)
        yield f"[[requires]]\ncondition = {condition}\nwhy = {why}\n"


def _remarks(program: Program, settings: Settings) -> Iterator[str]:
    values = _values(program)
    for one in settings.remarks:
        try:
            Settings(remarks=(one,)).remarks_on(values)
        except CardwrightError:  # a constant is gone
            continue
        condition, text = toml_string(one.condition), toml_string(one.text)
        yield f"[[remarks]]\ncondition = {condition}\ntext = {text}\n"


def _words(program: Program, settings: Settings) -> Iterator[str]:
    """Yield the tables of words, with the entries whose names the new rules have."""
    words = settings.words
    if words.unit:
        yield f"[words]\nunit = {toml_string(words.unit)}\n"
    names = RuleNames(program)
    for table in WORD_TABLES:
        kept = {
            key: text
            for key, text in getattr(words, table)
            if not any(names.wrong_words(table, key, text))
        }
        yield _table(f"words.{table}", kept)


def _table(name: str, table: Mapping[str, Toml]) -> str:
    if not table:
        return ""
    lines = (f"{toml_key(key)} = {toml_value(value)}\n" for key, value in table.items())
    return f"[{name}]\n{''.join(lines)}"


def _values(program: Program) -> dict[str, Constant]:
    return {one.name: one.value for one in program.declared if one.value is not None}


def _line(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())
