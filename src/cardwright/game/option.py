"""Options as players see them: what they mean, in words and as a value to compare.

The content of an option means the same in every state that its chooser cannot tell apart: which
branch of the choice it comes from, and what each `any` on the way picked. A card that the chooser
sees is named; one he does not see is only the how-many-th of its collection.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from cardwright.game.describe import describe
from cardwright.interpreter.world import sees
from cardwright.program.cards import CardId, Location
from cardwright.program.kinds import ITEM_KINDS, Kind

if TYPE_CHECKING:
    from cardwright.game.naming import Namer
    from cardwright.interpreter.options import Built, Pick
    from cardwright.interpreter.world import World


@dataclass(frozen=True, slots=True)
class Unseen:
    """A card, or a group with such cards, that the chooser does not see: its ordinal from 0."""

    ordinal: int


Picked: TypeAlias = int | str | CardId | Location | tuple[CardId, ...] | Unseen


@dataclass(frozen=True, slots=True)
class Content:
    """What an option means to its chooser: its branch, and variable and value of each pick."""

    branch: int
    picks: tuple[tuple[str, Picked], ...]


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a decision: its place in the list, its meaning, and the words for it."""

    index: int
    content: Content
    description: str

    def __str__(self) -> str:
        return self.description


def options_of(built: list[Built], world: World, seat: int, namer: Namer) -> tuple[Option, ...]:
    """Return the options of a decision as the player of a seat sees them."""
    words = describe(built, world, seat, namer)
    return tuple(
        Option(index, content_of(option, world, seat), text)
        for index, (option, text) in enumerate(zip(built, words, strict=True))
    )


def content_of(option: Built, world: World, seat: int) -> Content:
    """Return what an option means to a player."""
    picks = tuple((pick.node.variable.name, _picked(pick, world, seat)) for pick in option.picks)
    return Content(option.branch, picks)


def _picked(pick: Pick, world: World, seat: int) -> Picked:
    kind = ITEM_KINDS[pick.node.collection.kind]
    item = pick.item
    if kind is Kind.CARD and isinstance(item, int):
        return CardId(item) if visible(world, CardId(item), seat) else Unseen(pick.ordinal)
    if isinstance(item, tuple) and not isinstance(item, Location):
        seen = all(visible(world, card, seat) for card in item)
        return item if seen else Unseen(pick.ordinal)
    return item


def visible(world: World, card: CardId, seat: int) -> bool:
    """Say whether a player sees a card where it lies."""
    return sees(world.rules.program, seat, world.where[card])
