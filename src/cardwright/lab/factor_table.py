"""Factors and players as tables of TOML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.game.errors import CardwrightError, override_text
from cardwright.hearts.hierarchy import order
from cardwright.lab.errors import LabError
from cardwright.lab.factor import SLOTS, Factor, FactorKind, FactorLevel, LabPlayer, SelectorList
from cardwright.lab.levels import check_slot, slot_level, who
from cardwright.lab.reading import check_keys, items, member, needed, table, text

if TYPE_CHECKING:
    from cardwright.lab.factor import Value
    from cardwright.lab.reading import PlanText
    from cardwright.players.kind import Trust

_FACTOR = ("name", "kind", "target", "levels")
_LISTED = ("select", "mode", "tie", "discard")
_WHO = ("name", "spec", "lists")
_KEPT = "as it is"
_SWAPPED = "swapped"
SWAP_LEVELS = (FactorLevel(_KEPT, value=False), FactorLevel(_SWAPPED, value=True))
"""The levels of a swap."""


def read_factor(reading: PlanText, place: str, value: Any) -> Factor | None:
    """Return a factor; None if there were faults."""
    found = reading.attempt(place, table, value)
    if found is None:
        return None
    before = len(reading.faults)
    reading.attempt(place, check_keys, found, _FACTOR, "a factor")
    name = reading.attempt(f"{place}.name", text, found.get("name", found.get("target")))
    kind = reading.attempt(f"{place}.kind", member(FactorKind), found.get("kind", FactorKind.SLOT))
    target = reading.attempt(f"{place}.target", _target, found, kind)
    if name is None or kind is None or target is None:
        return None
    if kind is FactorKind.SWAP and "levels" not in found:
        return Factor(name, kind, target, SWAP_LEVELS)
    levels = reading.attempt(f"{place}.levels", table, found.get("levels", {}))
    read = [
        reading.attempt(f"{place}.levels.{key}", _level, kind, target, key, one, reading.trust)
        for key, one in (levels or {}).items()
    ]
    kept = tuple(level for level in read if level is not None)
    if len(reading.faults) > before:
        return None
    return reading.attempt(place, Factor, name, kind, target, kept)


def _target(found: dict[str, Any], kind: FactorKind | None) -> str:
    """Return the target of a factor: a slot may be its name."""
    if kind is FactorKind.PLAYER:
        return text(found.get("target", ""))
    usual = {"target": found["name"]} if kind is FactorKind.SLOT and "name" in found else {}
    target = text(needed({**usual, **found}, "target", '"fourth"'))
    if kind is FactorKind.SLOT:
        check_slot(target)
    elif kind is FactorKind.SWAP:
        check_slot(target.partition(":")[0])
    return target


def _level(kind: FactorKind, target: str, name: str, value: Any, trust: Trust) -> FactorLevel:
    return FactorLevel(name, _value(kind, target, value, trust))


def _value(kind: FactorKind, target: str, value: Any, trust: Trust) -> Value:
    match kind:
        case FactorKind.SLOT:
            if isinstance(value, str):
                return slot_level(target, value, trust).value
            return read_listed(value)
        case FactorKind.SWAP:
            if not isinstance(value, bool):
                raise LabError("a swap is made or not: write true or false")
            return value
        case FactorKind.PLAYER:
            return read_who(value, trust)
        case _:
            return _constant(value)


def _constant(value: Any) -> str:
    """Return the value of an option or a parameter as text."""
    if isinstance(value, list):
        return override_text(tuple(map(text, value)))
    if isinstance(value, bool | int | float):
        return override_text(value)
    return text(value)


def read_listed(value: Any) -> SelectorList:
    """Return a list of selectors; raises LabError or HierarchyError for an invalid one."""
    found = value if isinstance(value, dict) else {"select": value}
    check_keys(found, _LISTED, "a list")
    select = tuple(map(text, items(needed(found, "select", '["duck", "lowest"]'))))
    mode, tie = text(found.get("mode", "first-match")), text(found.get("tie", "low"))
    order(*select, mode=mode, tie=tie)  # raises an error for selectors that do not exist
    discard = read_listed(found["discard"]) if "discard" in found else None
    return SelectorList(select, mode, tie, discard)


def read_who(value: Any, trust: Trust) -> LabPlayer:
    """Return a player, from a string as on the command line, or from a table.

    Raises LabError, HierarchyError or PlayerSpecError.
    """
    if isinstance(value, str):
        return who(value, trust)
    found = table(value)
    check_keys(found, _WHO, "a player")
    if ("spec" in found) is ("lists" in found):
        raise LabError('a player has either a spec, as spec = "rule", or lists of selectors')
    if "spec" in found:
        spec = text(found["spec"])
        made = who(spec, trust)
        name = text(found.get("name", made.name))
        return LabPlayer(name, lists=made.lists) if made.spec is None else LabPlayer(name, spec)
    lists = table(found["lists"])
    check_keys(lists, SLOTS, "the lists of a player")
    read = tuple((slot, _listed_at(slot, one)) for slot, one in lists.items())
    return LabPlayer(text(needed(found, "name", '"careful"')), lists=read)


def _listed_at(slot: str, value: Any) -> SelectorList:
    try:
        return read_listed(value)
    except CardwrightError as error:
        raise LabError(f"{slot}: {error}") from None
