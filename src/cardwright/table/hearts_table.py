"""The table of Hearts: what matters to its players in the current deal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.hearts.family import NotHeartsError, family_of
from cardwright.hearts.table import DecisionKind, HeartsView
from cardwright.program.cards import Location, LocationKind, OwnerId

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.game.game import Game
    from cardwright.hearts.family import HeartsFamily
    from cardwright.interpreter.world import World
    from cardwright.program.cards import Card

_WARNING_SHARE = 4
"""A seat that alone has taken points gets a moon warning at one part in this many of them all."""


@dataclass(frozen=True)
class HeartsSheet:
    """What matters to a Hearts player in the current deal; all of it is public.

    `winner` is the seat that would win the current trick. `taken` has the cards that count among
    those that each seat has won, `points` their cost. `moon` is the seat that has all points so
    far, if these are enough for a warning, and its points.
    """

    winner: int | None
    taken: tuple[tuple[Card, ...], ...]
    points: tuple[int, ...]
    moon: tuple[int, int] | None


def family_or_none(game: Game) -> HeartsFamily | None:
    """Return the family data of a game of the Hearts family; None for any other game."""
    try:
        return family_of(game)
    except NotHeartsError:
        return None


def hearts_sheet(
    family: HeartsFamily, world: World, trick: Sequence[tuple[int, Card]], *, moon: bool
) -> HeartsSheet:
    """Return the public state of the current deal; `moon` says whether a moon can be shot."""
    taken = tuple(_won(family, world, seat) for seat in range(family.program.players))
    points = tuple(
        world.integers.get((OwnerId(seat), "FEES"), 0)
        + sum(family.costs[family.numbers[card.id]] for card in cards)
        for seat, cards in enumerate(taken)
    )
    return HeartsSheet(
        _winner(family, world, trick), taken, points, _moon(family, taken) if moon else None
    )


def _won(family: HeartsFamily, world: World, seat: int) -> tuple[Card, ...]:
    """Return the cards that a seat has won which count for or against it."""
    cards = family.program.cards
    pile = world.piles.get(Location(OwnerId(seat), LocationKind.VISIBLE, "TRICKSWON"))
    return counting(family, (cards[card] for card in pile.cards)) if pile else ()


def counting(family: HeartsFamily, cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return those of some cards that count, sorted."""
    numbers = family.numbers
    found = [card for card in cards if family.costs[numbers[card.id]]]
    return tuple(sorted(found, key=lambda card: numbers[card.id]))


def _winner(family: HeartsFamily, world: World, trick: Sequence[tuple[int, Card]]) -> int | None:
    """Return who would win a trick, by the rules of the Hearts players."""
    if not trick:
        return None
    leader = trick[0][0]
    return HeartsView(
        family=family,
        seat=leader,
        kind=DecisionKind.PLAY,
        hand=(),
        legal=(),
        trick=tuple(family.numbers[card.id] for _, card in trick),
        leader=leader,
        taken=((),) * family.players,
        fees=(0,) * family.players,
        trump=trump_of(family, world),
    ).winner


def has_moon(game: Game) -> bool:
    """Return whether the moon can be shot in a game."""
    return game.declared.get("MOON", "OFF") != "OFF"


def trump_of(family: HeartsFamily, world: World) -> int | None:
    """Return the trump suit, if there is one."""
    name = world.strings.get((family.program.table, "TRUMP"), "")
    suits = ("CLUBS", "DIAMONDS", "SPADES", "HEARTS")
    return suits.index(name) if name in suits else None


def _moon(family: HeartsFamily, taken: tuple[tuple[Card, ...], ...]) -> tuple[int, int] | None:
    """Return a seat that may be shooting the moon, and its points: all so far, and enough."""
    costs, numbers = family.costs, family.numbers
    bad = [sum(max(0, costs[numbers[card.id]]) for card in cards) for cards in taken]
    shooters = [seat for seat, points in enumerate(bad) if points]
    total = sum(max(0, costs[number]) for number in numbers)
    if len(shooters) != 1 or _WARNING_SHARE * bad[shooters[0]] < total:
        return None
    return shooters[0], bad[shooters[0]]
