"""Positions: what must be possible in a game, and what must happen, read from a file beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.authoring.fact import Fact, facts_of
from cardwright.authoring.toml_entry import TomlEntry
from cardwright.program.constants import parse_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.program.constants import Constant
    from cardwright.syntax.source import Source, Span

_OUTCOME = ("over", "player", "scores", "ranks", "winners")
_STEP = ("player", "options", "includes", "excludes", "expect", "choose", "deal", "error")
_POSITION = ("about", "preset", "declared", "seed", "deal", "steps", "expect", "error")


@dataclass(frozen=True)
class Expectation:
    """What must hold at one moment: parts of the outcome by name, and facts."""

    outcome: Mapping[str, TomlEntry]
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class PositionStep:
    """One decision: what must hold there, and what is chosen.

    `options` says what is offered: these exactly (`options`), these among others (`includes`), none
    of these (`excludes`). Each text of `choose` is the choice of one decision. `deal` is about the
    next decision, and `error` is the rule that the choice must break.
    """

    entry: TomlEntry
    options: Mapping[str, TomlEntry]
    expect: Expectation
    choose: tuple[TomlEntry, ...]
    deal: tuple[Fact, ...]
    error: TomlEntry | None


@dataclass(frozen=True)
class GamePosition:
    """A named test of a game: how it begins, the steps, and what must hold after them.

    `deal` has facts of the first decision: cards are laid so that they hold there.
    """

    about: str
    source: Source
    span: Span
    settings: TomlEntry
    preset: str | None
    declared: Mapping[str, Constant]
    seed: int
    deal: tuple[Fact, ...]
    steps: tuple[PositionStep, ...]
    expect: Expectation
    error: TomlEntry | None


def parse_positions(source: Source) -> tuple[GamePosition, ...]:
    """Return the positions in the text of a file; raises PositionFileError."""
    whole = TomlEntry.of(source)
    listed = whole.fields({"position"}).get("position")
    if listed is None:
        raise whole.wrong(
            "there is no position in this file", "a position begins with [[position]]"
        )
    if not isinstance(listed.value, list):
        raise listed.wrong("position is not a list of tables", "write [[position]]", key=True)
    return tuple(_position(entry) for entry in listed.items())


def _position(entry: TomlEntry) -> GamePosition:
    fields = entry.fields(_POSITION)
    if "about" not in fields:
        raise entry.wrong("a position needs a text `about` that says what is tested", key=True)
    seed, preset = fields.get("seed"), fields.get("preset")
    return GamePosition(
        about=fields["about"].text(),
        source=entry.source,
        span=fields["about"].span,
        settings=fields.get("declared") or preset or fields["about"],
        preset=None if preset is None else preset.text(),
        declared=_declared(fields.get("declared")),
        seed=0 if seed is None else _seed(seed),
        deal=_deal(fields.get("deal")),
        steps=tuple(map(_step, fields["steps"].items())) if "steps" in fields else (),
        expect=_expectation(fields.get("expect")),
        error=_error(fields.get("error")),
    )


def _seed(entry: TomlEntry) -> int:
    seed = entry.integer()
    if seed < 0:
        raise entry.wrong("a seed is not negative")
    return seed


def _declared(entry: TomlEntry | None) -> dict[str, Constant]:
    fields = {} if entry is None else entry.fields()
    return {name: _constant(one) for name, one in fields.items()}


def _constant(entry: TomlEntry) -> Constant:
    value: Any = entry.value
    if isinstance(value, bool | int):
        return value
    try:
        return parse_value(",".join(value) if isinstance(value, list) else value)
    except (TypeError, ValueError):
        advice = 'a number, true or false, "NAME", ["A", "B"] or "1..4"'
        raise entry.wrong(f"{entry.name} is not a value of a constant", advice) from None


def _step(entry: TomlEntry) -> PositionStep:
    fields = entry.fields(_STEP)
    if not fields:
        raise entry.wrong("a step that says nothing", f"it can have {', '.join(_STEP)}")
    for needs in ("deal", "error"):
        if needs in fields and "choose" not in fields:
            raise fields[needs].wrong(
                f"{needs} follows a choice: this step lacks `choose`", key=True
            )
    expect = _expectation(fields.get("expect"))
    if "player" in fields:
        outcome = {**expect.outcome, "player": fields["player"]}
        expect = Expectation(outcome, expect.facts)
    return PositionStep(
        entry=entry,
        options={key: fields[key] for key in ("options", "includes", "excludes") if key in fields},
        expect=expect,
        choose=tuple(fields["choose"].items()) if "choose" in fields else (),
        deal=_deal(fields.get("deal")),
        error=_error(fields.get("error")),
    )


def _deal(entry: TomlEntry | None) -> tuple[Fact, ...]:
    owners = {} if entry is None else entry.fields()
    return tuple(fact for owner, one in owners.items() for fact in facts_of(one, owner))


def _expectation(entry: TomlEntry | None) -> Expectation:
    fields = {} if entry is None else entry.fields()
    outcome = {key: one for key, one in fields.items() if key in _OUTCOME}
    facts = [
        fact
        for owner, one in fields.items()
        if owner not in _OUTCOME
        for fact in facts_of(one, owner)
    ]
    return Expectation(outcome, tuple(facts))


def _error(entry: TomlEntry | None) -> TomlEntry | None:
    if entry is not None:
        entry.text()
    return entry
