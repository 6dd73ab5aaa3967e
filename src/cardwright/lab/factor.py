"""Factors: what an experiment varies, its levels, and how people write them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from cardwright.arena.entrants import parse_spec
from cardwright.english import listed
from cardwright.game.errors import CardwrightError
from cardwright.hearts.hierarchy import Hierarchy, Order, order
from cardwright.hearts.shipped import DEFAULT
from cardwright.players.kind import Loads
from cardwright.syntax.suggest import advice_on, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.players.kind import Trust


class LabError(CardwrightError):
    """An experiment that cannot be planned, played or read; the message says what to do."""


SLOTS = (
    *("pass", "first", "second", "third", "fourth"),
    *("discard", "discard_second", "discard_third", "discard_fourth"),
)
"""The lists of a hierarchy by name."""

DISCARDS = {slot: f"discard_{slot}" for slot in ("second", "third", "fourth")}
"""The slots that may have discards of their own, and the slots of these discards."""


class FactorKind(StrEnum):
    """What a factor is: see `Factor`."""

    SLOT = "slot"
    SWAP = "swap"
    PARAMETER = "parameter"
    OPTION = "option"
    PLAYER = "player"


@dataclass(frozen=True, slots=True)
class SelectorList:
    """A list of selectors as it is written, for one slot of a hierarchy.

    `discard` is the list for a seat that cannot follow suit at this position, if that is a
    different one.
    """

    select: tuple[str, ...]
    mode: str = "first-match"
    tie: str = "low"
    discard: SelectorList | None = None


def by_slot(slot: str, selectors: SelectorList) -> dict[str, SelectorList]:
    """Return a slot's list, and that of its discards, each by the name of its slot."""
    check_slot(slot)
    found = {slot: replace(selectors, discard=None)}
    if selectors.discard is not None:
        if slot not in DISCARDS or selectors.discard.discard is not None:
            raise LabError(f"the list of the slot {slot} cannot have discards of its own")
        found[DISCARDS[slot]] = selectors.discard
    return found


@dataclass(frozen=True, slots=True)
class LabPlayer:
    """A player: either a `spec` such as `ismcts:iterations=100`, or the lists of a hierarchy.

    Lists are kept with a plan, so that it holds all that its results depend on: each in a slot of
    its own, in the order of `SLOTS`. `name` is for people. A slot without a list is played at
    random. Raises LabError for invalid lists.
    """

    name: str
    spec: str | None = None
    lists: tuple[tuple[str, SelectorList], ...] = ()

    def __post_init__(self) -> None:
        if self.spec is not None and self.lists:
            raise LabError(f"the player {self.name} is either a spec or lists, not both")
        lists: dict[str, SelectorList] = {}
        for slot, selectors in self.lists:
            for name, one in by_slot(slot, selectors).items():
                if name in lists:
                    raise LabError(f"the player {self.name} has two lists for the slot {name}")
                lists[name] = one
        ordered = tuple((slot, lists[slot]) for slot in SLOTS if slot in lists)
        object.__setattr__(self, "lists", ordered)


Value: TypeAlias = "SelectorList | LabPlayer | str | bool | None"
"""What a level sets its factor to: see `Factor`."""


@dataclass(frozen=True, slots=True)
class FactorLevel:
    """One of the settings of a factor."""

    name: str
    value: Value


@dataclass(frozen=True, slots=True)
class Factor:
    """What is varied, with its levels; the first is the base, to which others are compared.

    By kind, `target` and the values of levels are:

    - `slot`: a slot of the tested player's hierarchy; a `SelectorList`, or None for random play. A
      `discard` in it sets the slot's list of discards too; without one the slot has no discards of
      its own.
    - `swap`: a slot and a place in its list, as `fourth:0`; True exchanges the steps at that place
      and the next, False does not. Swaps of a slot are applied in the order of the factors.
    - `parameter`: a parameter of the tested player; its value as text.
    - `option`: a constant of the game; its value as text, as in `--set`.
    - `player`: nothing; the whole tested player, a `LabPlayer`.
    """

    name: str
    kind: FactorKind
    target: str
    levels: tuple[FactorLevel, ...]

    def __post_init__(self) -> None:
        if len(self.levels) < 2:
            raise LabError(f"the factor {self.name} needs two levels or more")
        names = [level.name for level in self.levels]
        for name in names:
            if names.count(name) > 1:
                raise LabError(f"the factor {self.name} has two levels {name!r}")


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
            advice = did_you_mean(key, _WAYS) or f"choose from {listed(_WAYS)}"
            raise LabError(f"a list has no {key!r}; {advice}")
        if key in given:
            raise LabError(f"a list has {key} twice")
        given[key] = value
    texts = split(steps) if steps.strip() else []
    return selectors_of(order(*(text.strip("'\" ") for text in texts), **given))


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


def selectors_of(found: Order) -> SelectorList:
    """Return a list of selectors as plans keep it."""
    return SelectorList(tuple(step.text for step in found.steps), str(found.mode), str(found.tie))


def lists_of(hierarchy: Hierarchy, *, spread: bool = False) -> dict[str, SelectorList]:
    """Return the lists of a hierarchy by slot.

    With `spread` the common list of discards is copied to each position, so that each has its own.
    """
    found = {
        slot: selectors_of(one)
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
    return found


def player_named(text: str, trust: Trust) -> LabPlayer:
    """Return the player that a text names, with the lists of its file if it is a hierarchy.

    Files are looked for in the folder of the `trust`. No player is made. Raises PlayerSpecError or
    HierarchyError.
    """
    name, colon, argument = (part.strip() for part in text.partition(":"))
    if name == "hierarchy" and "," not in argument and "=" not in argument:
        lists = lists_of(_load(argument if colon else DEFAULT, trust))
        return LabPlayer(text.strip(), lists=tuple(lists.items()))
    spec = str(parse_spec(text, trust))
    return LabPlayer(spec, spec)


def slotted(player: LabPlayer, *, keep_discard: bool = False) -> LabPlayer:
    """Return a player whose lists can be varied: one of lists, `random` or `rule`.

    Every position gets its own discards, unless the common ones are to be kept. Raises
    LabError for a player that has no lists.
    """
    if player.spec is None:
        lists = dict(player.lists)
        own = lists if keep_discard else spread_discards(lists)
        return replace(player, lists=tuple(own.items()))
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
