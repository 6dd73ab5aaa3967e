"""Cells: the level of each factor, and the game and the tested player that these make."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from cardwright.arena.entrants import parse_spec
from cardwright.arena.plan import GameRef
from cardwright.english import counted
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
    by_slot,
    check_slot,
)
from cardwright.players.kind import NO_TRUST, find_kind
from cardwright.program.constants import parse_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cardwright.game.game import Game
    from cardwright.lab.factor import Factor, FactorLevel
    from cardwright.lab.plan import Cell, LabPlan
    from cardwright.players.kind import Trust
    from cardwright.players.player import Player

_T = TypeVar("_T")

CHANCE = SelectorList((), tie="random")
"""A list that plays at random, for slots where having none means that another list is used."""

_OF_HEARTS = ("hierarchy", "rule")
"""Players that know nothing but Hearts, and fail elsewhere."""

_ORDER = (FactorKind.PLAYER, FactorKind.SLOT, FactorKind.SWAP, FactorKind.PARAMETER)
"""The kinds of factors of the tested player, in the order in which they are set."""


def levels_of(plan: LabPlan, cell: Cell) -> list[tuple[Factor, FactorLevel]]:
    """Return each factor with its level in a cell."""
    pairs = zip(plan.factors, cell, strict=True)
    return [(factor, factor.levels[number]) for factor, number in pairs]


def label(plan: LabPlan, cell: Cell) -> str:
    """Return the levels of a cell in words, such as `pass=rule, first=random`."""
    return ", ".join(f"{factor.name}={level.name}" for factor, level in levels_of(plan, cell))


def check_factors(plan: LabPlan) -> None:
    """Raise LabError if two factors set the same thing."""
    seen: dict[tuple[FactorKind, str], Factor] = {}
    for factor in plan.factors:
        # All players are one target, whatever it says.
        target = "" if factor.kind is FactorKind.PLAYER else factor.target
        other = seen.setdefault((factor.kind, target), factor)
        if other is not factor:
            what = f"{factor.kind} {target}".rstrip()
            raise LabError(f"the factors {other.name} and {factor.name} both set the {what}")
    for slot, discards in DISCARDS.items():
        one, two = seen.get((FactorKind.SLOT, slot)), seen.get((FactorKind.SLOT, discards))
        if one and two:
            values = [level.value for level in one.levels]
            if any(isinstance(value, SelectorList) and value.discard for value in values):
                raise LabError(
                    f"the factors {one.name} and {two.name} both set the slot {discards}"
                )


def _value(factor: Factor, level: FactorLevel, kind: type[_T], what: str) -> _T:
    """Return the value of a level; raises LabError if it is of another kind."""
    if not isinstance(level.value, kind):
        raise LabError(f"the level {level.name} of the factor {factor.name} is not {what}")
    return level.value


# Games --------------------------------------------------------------------------------------------


def game_of(plan: LabPlan, cell: Cell) -> GameRef:
    """Return the game of a cell; raises LabError for options with which it cannot be played."""
    options = tuple(
        (factor.target, _value(factor, level, str, "a string"))
        for factor, level in levels_of(plan, cell)
        if factor.kind is FactorKind.OPTION
    )
    return _variant(plan.game, options) if options else plan.game


@lru_cache(maxsize=4096)
def _variant(game: GameRef, options: tuple[tuple[str, str], ...]) -> GameRef:
    settings = ", ".join(f"{name}={text}" for name, text in options)
    try:
        declared = {**dict(game.declared), **{name: parse_value(text) for name, text in options}}
        variant = GameRef.of(game.name, declared, game.preset, game.base, engine=game.engine)
    except (CardwrightError, ValueError) as error:
        raise LabError(f"{game.name} cannot be played with {settings}: {error}") from None
    if variant.players != game.players:
        raise LabError(
            f"{game.name} has {variant.players} seats with {settings}, and {game.players} without: "
            "the number of seats cannot be a factor; make an experiment for each number"
        )
    return variant


# Tested players -----------------------------------------------------------------------------------


def player_of(plan: LabPlan, cell: Cell) -> LabPlayer:
    """Return the tested player of a cell, its lists in the order of `SLOTS`.

    Whole players are set first, then slots (positions before discards), swaps and parameters.
    Raises LabError for what cannot be done to the player.
    """

    def place(pair: tuple[Factor, FactorLevel]) -> tuple[int, int]:
        kind, target = pair[0].kind, pair[0].target
        if kind is FactorKind.SLOT:
            check_slot(target)
        return _ORDER.index(kind), SLOTS.index(target) if kind is FactorKind.SLOT else 0

    player = plan.tested
    levels = [pair for pair in levels_of(plan, cell) if pair[0].kind in _ORDER]
    for factor, level in sorted(levels, key=place):
        match factor.kind:
            case FactorKind.PLAYER:
                player = _value(factor, level, LabPlayer, "a player")
            case FactorKind.SLOT:
                player = _with_slot(player, factor, level)
            case FactorKind.SWAP:
                player = _with_swap(player, factor, level)
            case FactorKind.PARAMETER:
                player = _with_parameter(player, factor, level)
    return player


def _with_slot(player: LabPlayer, factor: Factor, level: FactorLevel) -> LabPlayer:
    slot = factor.target
    if player.spec is not None:
        raise LabError(
            f"the tested player {player.name} is not a hierarchy: it has no slot {slot!r} that the "
            f"factor {factor.name} could set; test a hierarchy"
        )
    lists = dict(player.lists)
    for name in (slot, DISCARDS.get(slot, slot)):
        lists.pop(name, None)
    if level.value is not None:
        lists |= by_slot(slot, _value(factor, level, SelectorList, "a list"))
    elif slot.startswith("discard"):
        lists[slot] = CHANCE
    return replace(player, lists=tuple(lists.items()))


def _with_swap(player: LabPlayer, factor: Factor, level: FactorLevel) -> LabPlayer:
    slot, _, text = factor.target.partition(":")
    check_slot(slot)
    if not (text.isascii() and text.isdigit()):
        raise LabError(
            f"the factor {factor.name} swaps {factor.target!r}: write a slot and a place in its "
            "list, as fourth:0"
        )
    swapped = _value(factor, level, bool, "true or false")
    lists, place = dict(player.lists), int(text)
    steps = list(lists[slot].select) if slot in lists else []
    if place + 1 >= len(steps):
        has = f"has {counted(len(steps), 'step')} there" if slot in lists else "has no list there"
        raise LabError(
            f"the factor {factor.name} swaps the steps {place} and {place + 1} (counted from 0) of "
            f"the slot {slot}, but the tested player {player.name} {has}"
        )
    if swapped:
        steps[place : place + 2] = steps[place + 1], steps[place]
        lists[slot] = replace(lists[slot], select=tuple(steps))
    return replace(player, lists=tuple(lists.items()))


def _with_parameter(player: LabPlayer, factor: Factor, level: FactorLevel) -> LabPlayer:
    name, value = factor.target, _value(factor, level, str, "a string")
    if player.spec is None:
        raise LabError(
            f"the tested player {player.name} is a hierarchy: it has no parameter {name!r} that "
            f"the factor {factor.name} could set"
        )
    try:
        spec = parse_spec(player.spec, NO_TRUST)  # only its text is made
        kind = find_kind(spec.name)
        if kind.argument is not None and kind.argument.name == name:
            spec = replace(spec, argument=value)
        else:
            others = [pair for pair in spec.parameters if pair[0] != name]
            spec = replace(spec, parameters=(*others, (name, value)))
        return replace(player, spec=str(parse_spec(str(spec), NO_TRUST)))
    except CardwrightError as error:
        raise LabError(f"the level {level.name} of the factor {factor.name}: {error}") from None


# Making players -----------------------------------------------------------------------------------


def maker(player: LabPlayer, trust: Trust) -> Callable[[], Player]:
    """Return a factory of players for a game; raises LabError if the player is invalid.

    That is also if it would load what the `trust` in it does not allow; none is made yet.

    In the lab `rule` stands for the plain rules, as a player as well as in a list: they are what is
    published and what is compared.
    """
    try:
        if player.spec == RULE:
            return RulePlayer
        if player.spec is not None:
            spec = parse_spec(player.spec, trust)
            spec.check_trust()
            return spec.build
        made = HierarchyPlayer(_hierarchy(player))
    except CardwrightError as error:
        raise LabError(f"the player {player.name}: {error}") from None
    return lambda: made  # it has no state: one instance serves all games


def try_players(players: Iterable[LabPlayer], trust: Trust) -> None:
    """Make each of some players once; raises LabError for one that cannot be made."""
    for player in players:
        try:
            maker(player, trust)()
        except LabError:
            raise
        except CardwrightError as error:
            raise LabError(f"the player {player.name}: {error}") from None


def check_player(player: LabPlayer, games: Iterable[Game]) -> None:
    """Raise LabError for a player of no kind, or one of Hearts for another game; make none."""
    try:
        if player.spec is None:
            _hierarchy(player)
        name = "hierarchy" if player.spec is None else parse_spec(player.spec, NO_TRUST).name
        for game in games if name in _OF_HEARTS else ():
            family_of(game)
    except CardwrightError as error:
        raise LabError(f"the player {player.name}: {error}") from None


def _hierarchy(player: LabPlayer) -> Hierarchy:
    orders = {
        "pass_" if slot == "pass" else slot: order(*list_.select, mode=list_.mode, tie=list_.tie)
        for slot, list_ in player.lists
    }
    return Hierarchy(**orders)
