"""Cells: the level of each factor, and the game and the tested player that these make."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from cardwright.arena.entrants import parse_spec
from cardwright.arena.plan import GameRef
from cardwright.game.errors import CardwrightError
from cardwright.hearts.family import family_of
from cardwright.hearts.hierarchy import Hierarchy, HierarchyPlayer, order
from cardwright.hearts.rule import RulePlayer
from cardwright.lab.factor import (
    DISCARDS,
    RULE,
    SLOTS,
    FactorKind,
    LabError,
    LabPlayer,
    SelectorList,
)
from cardwright.players.kind import NO_TRUST, find_kind
from cardwright.program.constants import parse_value
from cardwright.syntax.suggest import advice_on

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cardwright.game.game import Game
    from cardwright.lab.factor import Factor, FactorLevel
    from cardwright.lab.plan import Cell, LabPlan
    from cardwright.players.kind import Trust
    from cardwright.players.player import Player
    from cardwright.players.spec import PlayerSpec


def levels_of(plan: LabPlan, cell: Cell) -> list[tuple[Factor, FactorLevel]]:
    """Return each factor with its level in a cell."""
    pairs = zip(plan.factors, cell, strict=True)
    return [(factor, factor.levels[number]) for factor, number in pairs]


def text_of(factor: Factor, level: FactorLevel) -> str:
    """Return the value of a level that is a string; raises LabError if it is not one."""
    if not isinstance(level.value, str):
        raise LabError(f"the level {level.name} of the factor {factor.name} is not a string")
    return level.value


def label(plan: LabPlan, cell: Cell) -> str:
    """Return the levels of a cell in words, such as `pass=rule, first=random`."""
    return ", ".join(f"{factor.name}={level.name}" for factor, level in levels_of(plan, cell))


def check_factors(plan: LabPlan) -> None:
    """Raise LabError if two factors set the same thing."""
    seen: dict[tuple[FactorKind, str], str] = {}
    for factor in plan.factors:
        # All players are one target, whatever it says.
        target = "" if factor.kind is FactorKind.PLAYER else factor.target
        other = seen.setdefault((factor.kind, target), factor.name)
        if other != factor.name:
            what = f"{factor.kind} {target}".rstrip()
            raise LabError(f"the factors {other} and {factor.name} both set the {what}")
    for slot, discards in DISCARDS.items():
        one, two = seen.get((FactorKind.SLOT, slot)), seen.get((FactorKind.SLOT, discards))
        if one and two:
            (factor,) = (factor for factor in plan.factors if factor.name == one)
            if any(isinstance(level.value, SelectorList) and level.value.discard
                   for level in factor.levels):  # fmt: skip
                raise LabError(f"the factors {one} and {two} both set the slot {discards}")


def game_of(plan: LabPlan, cell: Cell) -> GameRef:
    """Return the game of a cell; raises LabError for options with which it cannot be played."""
    options = tuple(
        (factor.target, text_of(factor, level))
        for factor, level in levels_of(plan, cell)
        if factor.kind is FactorKind.OPTION
    )
    return _variant(plan.game, options) if options else plan.game


@lru_cache(maxsize=4096)
def _variant(game: GameRef, options: tuple[tuple[str, str], ...]) -> GameRef:
    told = ", ".join(f"{name}={text}" for name, text in options)
    try:
        declared = {**dict(game.declared), **{name: parse_value(text) for name, text in options}}
        found = GameRef.of(game.name, declared, game.preset, game.base, engine=game.engine)
    except (CardwrightError, ValueError) as error:
        raise LabError(f"{game.name} cannot be played with {told}: {error}") from None
    if found.players != game.players:
        raise LabError(
            f"{game.name} has {found.players} seats with {told}, and {game.players} without: the "
            "number of seats cannot be a factor; make an experiment for each number"
        )
    return found


CHANCE = SelectorList((), tie="random")
"""A list that plays at random, for slots where having none means that another list is used."""

_OF_HEARTS = ("hierarchy", "rule")
"""Players that know nothing but Hearts, and fail elsewhere."""


def player_of(plan: LabPlan, cell: Cell) -> LabPlayer:
    """Return the tested player of a cell, its lists in the order of `SLOTS`.

    Whole players are set first, then slots (positions before discards), swaps and parameters.
    Raises LabError for what cannot be done to the player.
    """
    levels = levels_of(plan, cell)
    who = plan.tested
    for factor, level in levels:
        if factor.kind is FactorKind.PLAYER:
            if not isinstance(level.value, LabPlayer):
                raise LabError(
                    f"the level {level.name} of the factor {factor.name} is not a player"
                )
            who = level.value
    who = plain(who)
    slots = [pair for pair in levels if pair[0].kind is FactorKind.SLOT]
    for factor, level in sorted(slots, key=lambda pair: _place(pair[0].target)):
        who = _with_slot(who, factor, level)
    for factor, level in levels:
        if factor.kind is FactorKind.SWAP:
            who = _with_swap(who, factor, level)
        elif factor.kind is FactorKind.PARAMETER:
            who = _with_parameter(who, factor, level)
    return who


def plain(who: LabPlayer) -> LabPlayer:
    """Return the same player with every list in a slot of its own, in the order of `SLOTS`.

    Raises LabError for invalid lists.
    """
    if who.spec is not None:
        return who
    lists: dict[str, SelectorList] = {}
    for slot, listed in who.lists:
        for name, one in _spread(slot, listed).items():
            if name in lists:
                raise LabError(f"the player {who.name} has two lists for the slot {name}")
            lists[name] = one
    return _of_lists(who, lists)


def _spread(slot: str, listed: SelectorList) -> dict[str, SelectorList]:
    """Return a slot's list, and that of its discards, each by the name of its slot."""
    _place(slot)
    found = {slot: replace(listed, discard=None)}
    if listed.discard is not None:
        if slot not in DISCARDS or listed.discard.discard is not None:
            raise LabError(f"the list of the slot {slot} cannot have discards of its own")
        found[DISCARDS[slot]] = listed.discard
    return found


def _place(slot: str) -> int:
    if slot not in SLOTS:
        advice = advice_on(slot, SLOTS)
        raise LabError(f"there is no slot {slot!r}; {advice}")
    return SLOTS.index(slot)


def _of_lists(who: LabPlayer, lists: dict[str, SelectorList]) -> LabPlayer:
    ordered = tuple((slot, lists[slot]) for slot in SLOTS if slot in lists)
    return replace(who, lists=ordered)


def _with_slot(who: LabPlayer, factor: Factor, level: FactorLevel) -> LabPlayer:
    slot = factor.target
    if who.spec is not None:
        raise LabError(
            f"the tested player {who.name} is not a hierarchy: it has no slot {slot!r} that the "
            f"factor {factor.name} could set; test a hierarchy"
        )
    lists = dict(who.lists)
    for name in (slot, DISCARDS.get(slot, slot)):
        lists.pop(name, None)
    match level.value:
        case None if slot.startswith("discard"):
            lists[slot] = CHANCE
        case None:
            pass
        case SelectorList() as listed:
            lists |= _spread(slot, listed)
        case _:
            raise LabError(f"the level {level.name} of the factor {factor.name} is not a list")
    return _of_lists(who, lists)


def _with_swap(who: LabPlayer, factor: Factor, level: FactorLevel) -> LabPlayer:
    slot, _, text = factor.target.partition(":")
    _place(slot)
    if not (text.isascii() and text.isdigit()):
        raise LabError(
            f"the factor {factor.name} swaps {factor.target!r}: write a slot and a place in its "
            "list, as fourth:0"
        )
    if not isinstance(level.value, bool):
        raise LabError(f"the level {level.name} of the factor {factor.name} is not true or false")
    lists, place = dict(who.lists), int(text)
    steps = list(lists[slot].select) if slot in lists else []
    if place + 1 >= len(steps):
        count = "1 step" if len(steps) == 1 else f"{len(steps)} steps"
        has = f"has {count} there" if slot in lists else "has no list there"
        raise LabError(
            f"the factor {factor.name} swaps the steps {place} and {place + 1} (counted from 0) of "
            f"the slot {slot}, but the tested player {who.name} {has}"
        )
    if level.value:
        steps[place : place + 2] = steps[place + 1], steps[place]
        lists[slot] = replace(lists[slot], select=tuple(steps))
    return _of_lists(who, lists)


def _with_parameter(who: LabPlayer, factor: Factor, level: FactorLevel) -> LabPlayer:
    name, value = factor.target, text_of(factor, level)
    if who.spec is None:
        raise LabError(
            f"the tested player {who.name} is a hierarchy: it has no parameter {name!r} that the "
            f"factor {factor.name} could set"
        )
    try:
        spec = parse_spec(who.spec, NO_TRUST)  # only its text is made
        kind = find_kind(spec.name)
        if kind.argument is not None and kind.argument.name == name:
            changed = replace(spec, argument=value)
        else:
            changed = replace(spec, parameters=(*_others(spec, name), (name, value)))
        return replace(who, spec=str(parse_spec(str(changed), NO_TRUST)))
    except CardwrightError as error:
        raise LabError(f"the level {level.name} of the factor {factor.name}: {error}") from None


def _others(spec: PlayerSpec, name: str) -> tuple[tuple[str, str], ...]:
    return tuple(pair for pair in spec.parameters if pair[0] != name)


def maker(who: LabPlayer, trust: Trust) -> Callable[[], Player]:
    """Return a factory of players for a game; raises LabError if the player is invalid.

    That is also if it would load what the `trust` in it does not allow; none is made yet.

    In the lab `rule` stands for the plain rules, as a player as well as in a list: they are what is
    published and what is compared.
    """
    try:
        if who.spec == RULE:
            return RulePlayer
        if who.spec is not None:
            spec = parse_spec(who.spec, trust)
            spec.check_trust()
            return spec.build
        made = HierarchyPlayer(_hierarchy(who))
    except CardwrightError as error:
        raise LabError(f"the player {who.name}: {error}") from None
    return lambda: made  # it has no state: one instance serves all games


def try_players(players: Iterable[LabPlayer], trust: Trust) -> None:
    """Make each of some players once; raises LabError for one that cannot be made."""
    for who in players:
        try:
            maker(who, trust)()
        except LabError:
            raise
        except CardwrightError as error:
            raise LabError(f"the player {who.name}: {error}") from None


def check_player(who: LabPlayer, games: Iterable[Game]) -> None:
    """Raise LabError for a player of no kind, or one of Hearts for another game; make none."""
    try:
        name = "hierarchy" if who.spec is None else parse_spec(who.spec, NO_TRUST).name
        if who.spec is None:
            _hierarchy(who)
    except CardwrightError as error:
        raise LabError(f"the player {who.name}: {error}") from None
    if name in _OF_HEARTS:
        for game in games:
            try:
                family_of(game)
            except CardwrightError as error:
                raise LabError(f"the player {who.name}: {error}") from None


def _hierarchy(who: LabPlayer) -> Hierarchy:
    orders = {
        "pass_" if slot == "pass" else slot: order(*listed.select, mode=listed.mode, tie=listed.tie)
        for slot, listed in plain(who).lists
    }
    return Hierarchy(**orders)
