"""Levels and players as people write them: `rule`, `mine.toml#fourth`, `[duck, lowest];tie=high`.

Files are read only here: a plan keeps the lists themselves.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.arena.entrants import parse_spec
from cardwright.hearts.hierarchy import DEFAULT, Hierarchy, Order, order
from cardwright.lab.errors import LabError
from cardwright.lab.factor import DISCARDS, SLOTS, FactorLevel, LabPlayer, SelectorList
from cardwright.players.kind import Loads
from cardwright.syntax.suggest import advice_on, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.players.kind import Trust

PLAYED = SLOTS[:5]
"""The slots that the five tests vary."""
OF_DISCARDS = SLOTS[5:]
"""The slots of discards: of all positions, and of one."""

RANDOM, RULE = "random", "rule"
BY_RULE = SelectorList(("rule",))

_NAMED = re.compile(r"\s*(\w[\w .-]*?)\s*=\s*(?=\[|\S+\.toml\b)")
_LITERAL = re.compile(r"\[(.*)\]\s*((?:;\s*\w+\s*=\s*[\w-]+\s*)*)", re.DOTALL)
_WAYS = ("mode", "tie")


def split(text: str) -> list[str]:
    """Return the parts of a text between commas that are not in parentheses or brackets."""
    parts, depth = [""], 0
    for mark in text:
        depth += (mark in "([") - (mark in ")]")
        if mark == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += mark
    return [part.strip() for part in parts]


def slot_level(slot: str, text: str, trust: Trust, *, keep_discard: bool = False) -> FactorLevel:
    """Return the level of a slot that a text names, perhaps with a name before it: `mine=[duck]`.

    Files are looked for in the folder of the `trust`, as far as they may be read. A list from a
    file brings along the discards of its position, unless the player keeps one list of discards for
    all positions. Raises LabError or HierarchyError.
    """
    check_slot(slot)
    named = _NAMED.match(text)
    name, rest = (named[1], text[named.end() :]) if named else (text, text)
    rest = rest.strip()
    if not rest:
        raise LabError(f"a level of {slot} has no name: write for example random, rule")
    literal = _LITERAL.fullmatch(rest)
    value: SelectorList | None
    if rest == RANDOM:
        value = None
    elif rest == RULE:
        value = BY_RULE
    elif literal:
        value = _literal(literal[1], literal[2])
    else:
        value = _of_file(slot, rest, trust, keep_discard=keep_discard)
    return FactorLevel(name.strip(), value)


def check_slot(slot: str) -> None:
    """Raise LabError if there is no such slot."""
    if slot not in SLOTS:
        advice = advice_on(slot, SLOTS)
        raise LabError(f"there is no slot {slot!r}; {advice}")


def _literal(steps: str, ways: str) -> SelectorList:
    given: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in ways.split(";"))):
        key, _, value = (word.strip() for word in part.partition("="))
        if key not in _WAYS:
            advice = did_you_mean(key, _WAYS) or f"there are {' and '.join(_WAYS)}"
            raise LabError(f"a list has no {key!r}; {advice}")
        if key in given:
            raise LabError(f"a list has {key} twice")
        given[key] = value
    texts = split(steps) if steps.strip() else []
    return listed(order(*(text.strip("'\" ") for text in texts), **given))


def _of_file(slot: str, text: str, trust: Trust, *, keep_discard: bool) -> SelectorList:
    file, mark, inner = text.partition("#")
    if not file.endswith(".toml") and file != DEFAULT:
        known = (RANDOM, RULE, DEFAULT)
        advice = did_you_mean(text, known)
        raise LabError(
            f"there is no level {text!r} of {slot}; {f'{advice} ' if advice else ''}write "
            f"{', '.join(known)}, a file.toml or file.toml#slot, or a list as [duck, lowest]"
        )
    source = inner if mark else slot
    check_slot(source)
    lists = lists_of(_load(file, trust), spread=slot in PLAYED and not keep_discard)
    found = lists.get(source)
    if found is None:
        raise LabError(
            f"{file} has no list {source}: that slot is played at random there; write {RANDOM} "
            f"for that, or one of {', '.join(name for name in lists)} as {file}#{next(iter(lists))}"
        )
    own = DISCARDS.get(source) if slot in DISCARDS else None
    return replace(found, discard=lists.get(own)) if own else found


def _load(file: str, trust: Trust) -> Hierarchy:
    if file == DEFAULT:
        return Hierarchy.load(DEFAULT)
    path = (trust.folder or Path()) / file
    trust.check(f"hierarchy:{file}", Loads.FILE, str(path))
    return Hierarchy.load(path)


def listed(found: Order) -> SelectorList:
    """Return a list of selectors as plans keep it."""
    return SelectorList(tuple(step.text for step in found.steps), str(found.mode), str(found.tie))


def lists_of(hierarchy: Hierarchy, *, spread: bool = False) -> dict[str, SelectorList]:
    """Return the lists of a hierarchy by slot.

    With `spread` the common list of discards is copied to each position, so that each has its own.
    """
    found = {
        slot: listed(one)
        for slot in SLOTS
        if (one := getattr(hierarchy, "pass_" if slot == "pass" else slot)) is not None
    }
    return spread_discards(found) if spread else found


def spread_discards(lists: Mapping[str, SelectorList]) -> dict[str, SelectorList]:
    """Return lists in which every position that has a list has discards of its own.

    A position that is played at random discards at random too: it has no list of discards.
    """
    found = dict(lists)
    shared = found.pop("discard", None)
    for slot, own in DISCARDS.items():
        if shared is not None and own not in found:
            found[own] = shared
        if slot not in found:
            found.pop(own, None)
    return {slot: found[slot] for slot in SLOTS if slot in found}


def who(text: str, trust: Trust) -> LabPlayer:
    """Return the player that a text names, with the lists of its file if it is a hierarchy.

    Files are looked for in the folder of the `trust`. No player is made. Raises PlayerSpecError or
    HierarchyError.
    """
    name, colon, argument = (part.strip() for part in text.partition(":"))
    if name == "hierarchy" and (not colon or argument == DEFAULT):
        return LabPlayer(text.strip(), lists=tuple(lists_of(Hierarchy.load(DEFAULT)).items()))
    if name == "hierarchy" and "," not in argument and "=" not in argument:
        return LabPlayer(text.strip(), lists=tuple(lists_of(_load(argument, trust)).items()))
    spec = str(parse_spec(text, trust))
    return LabPlayer(spec, spec)


def slotted(player: LabPlayer, *, keep_discard: bool = False) -> LabPlayer:
    """Return a player whose lists can be varied: one of lists, `random` or `rule`.

    Every position gets its own discards, unless the common ones are to be kept. Raises
    LabError for a player that has no lists.
    """
    if player.spec is None:
        lists = dict(player.lists)
        return replace(
            player, lists=tuple((lists if keep_discard else spread_discards(lists)).items())
        )
    if player.spec == RANDOM:
        return LabPlayer(player.name)
    if player.spec == RULE:
        slots = (*PLAYED, "discard") if keep_discard else PLAYED
        return LabPlayer(player.name, lists=tuple((slot, BY_RULE) for slot in slots))
    raise LabError(
        f"the player {player.name} has no lists to vary: test random, rule, or hierarchy:FILE.toml"
    )


def base_level(player: LabPlayer, slot: str) -> FactorLevel:
    """Return the level of a slot that leaves the tested player as it is.

    Raises LabError for a list of discards that it does not have.
    """
    check_slot(slot)
    lists = dict(player.lists)
    found = lists.get(slot)
    if found is None and slot in OF_DISCARDS:
        raise LabError(
            f"the player {player.name} has no list {slot}; it discards by the lists of positions: "
            "write the levels to be compared"
        )
    if found is None:
        return FactorLevel(RANDOM, None)
    if slot in DISCARDS:
        found = replace(found, discard=lists.get(DISCARDS[slot]))
    return FactorLevel(RULE if found == BY_RULE else player.name, found)
