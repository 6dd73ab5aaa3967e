"""The table of Hearts: the public state of the current deal, for the score sheet of a session."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cardwright.hearts.family import NotHeartsError, family_of
from cardwright.hearts.table import DecisionKind, HeartsView
from cardwright.program.cards import Location, LocationKind, OwnerId
from cardwright.table.score_sheet import HeartsSheet, Trick

if TYPE_CHECKING:
    from cardwright.game.game import Game
    from cardwright.hearts.family import HeartsFamily
    from cardwright.interpreter.world import World
    from cardwright.program.cards import Card
    from cardwright.table.trick_watcher import TrickWatcher

_WARNING_SHARE = 4
"""A seat that alone has taken points gets a moon warning at one part in this many of them all."""


def family_or_none(game: Game) -> HeartsFamily | None:
    """Return the family data of a game of the Hearts family; None for any other game."""
    try:
        return family_of(game)
    except NotHeartsError:
        return None


def hearts_sheet(
    game: Game, family: HeartsFamily, world: World, tricks: TrickWatcher, to_pass: int
) -> HeartsSheet:
    """Return the public state of the current deal; the person has `to_pass` cards to pass."""
    taken = tuple(_won(family, world, seat) for seat in range(family.players))
    points = tuple(
        world.integers.get((OwnerId(seat), "FEES"), 0)
        + sum(family.costs[family.numbers[card.id]] for card in cards)
        for seat, cards in enumerate(taken)
    )
    table = game.program.table
    return HeartsSheet(
        trick=_trick(family, world, tricks),
        last=tricks.last,
        taken=taken,
        points=points,
        moon=_moon(game, family, taken),
        broken=family.free or world.integers.get((table, "BROKEN"), 0) == 1,
        passing=world.strings.get((table, "DIRECTION"), "") if family.passes else "",
        to_pass=to_pass,
    )


def with_last_trick(game: Game, sheet: HeartsSheet, trick: Trick) -> HeartsSheet:
    """Return a deal's sheet with its last trick added; `sheet` is the one before.

    So it can be shown even when the cards have been gathered for the next deal. What the last trick
    brings besides its own cards, such as a widow or a fee, is not included. Raises NotHeartsError.
    """
    family = family_of(game)
    costs, numbers = family.costs, family.numbers
    taken, points = list(sheet.taken), list(sheet.points)
    if trick.winner is not None:
        won = [card for _, card in trick.cards if costs[numbers[card.id]]]
        both = (*taken[trick.winner], *won)
        taken[trick.winner] = tuple(sorted(both, key=lambda card: numbers[card.id]))
        points[trick.winner] += sum(costs[numbers[card.id]] for card in won)
    moon = _moon(game, family, tuple(taken))
    return replace(
        sheet, trick=None, last=trick, taken=tuple(taken), points=tuple(points), moon=moon
    )


def _won(family: HeartsFamily, world: World, seat: int) -> tuple[Card, ...]:
    """Return the cards that a seat has won which count for or against it."""
    cards, ids = family.program.cards, family.numbers
    pile = world.piles.get(Location(OwnerId(seat), LocationKind.VISIBLE, "TRICKSWON"))
    found = [cards[card] for card in pile.cards if family.costs[ids[card]]] if pile else []
    return tuple(sorted(found, key=lambda card: ids[card.id]))


def _trick(family: HeartsFamily, world: World, tricks: TrickWatcher) -> Trick | None:
    """Return the current trick with its winner so far, by the rules of the Hearts players."""
    if not tricks.cards:
        return None
    leader = tricks.cards[0][0]
    trump = trump_of(family, world)
    table = HeartsView(
        family=family,
        seat=leader,
        kind=DecisionKind.PLAY,
        hand=(),
        legal=(),
        trick=tuple(family.numbers[card.id] for _, card in tricks.cards),
        leader=leader,
        taken=((),) * family.players,
        fees=(0,) * family.players,
        trump=trump,
    )
    return Trick(leader, tuple(tricks.cards), table.winner)


def moon_shooter(game: Game, world: World) -> int | None:
    """Return the seat that has shot the moon in the deal that has just been counted, if any."""
    if game.declared.get("MOON", "OFF") == "OFF":
        return None
    shooter = world.integers.get((game.program.table, "SHOOTER"), 0)
    return shooter - 1 if shooter else None


def trump_of(family: HeartsFamily, world: World) -> int | None:
    """Return the trump suit, if there is one."""
    name = world.strings.get((family.program.table, "TRUMP"), "")
    suits = ("CLUBS", "DIAMONDS", "SPADES", "HEARTS")
    return suits.index(name) if name in suits else None


def _moon(
    game: Game, family: HeartsFamily, taken: tuple[tuple[Card, ...], ...]
) -> tuple[int, int] | None:
    """Return a seat that may be shooting the moon, and its points: all so far, and enough."""
    if game.declared.get("MOON", "OFF") == "OFF":
        return None
    costs, numbers = family.costs, family.numbers
    bad = [sum(max(0, costs[numbers[card.id]]) for card in cards) for cards in taken]
    shooters = [seat for seat, points in enumerate(bad) if points]
    total = sum(max(0, costs[number]) for number in numbers)
    if len(shooters) != 1 or _WARNING_SHARE * bad[shooters[0]] < total:
        return None
    return shooters[0], bad[shooters[0]]
