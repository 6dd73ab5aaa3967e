"""What the lowering knows of a value: where it is while a game is played, and in which form.

The cards of a location lie in a real location (a pile), in a list in the arena, or are a set: the
bits of a word, which takes no memory and no loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from cardwright.compiler import ir
from cardwright.program.cards import LocationKind

if TYPE_CHECKING:
    from cardwright.compiler.layout import PileForm
    from cardwright.program import nodes as n


@dataclass(frozen=True)
class LoweredPile:
    """A real location: its slot, its kind, and how its cards lie, if that is known."""

    slot: ir.Expr
    kind: LocationKind
    form: PileForm | None
    base: int | None = None
    """The first slot of its family, if that is known."""

    @property
    def part(self) -> str:
        """The part of the masks of a state to which its mask belongs."""
        return "" if self.base is None else f"/{self.base}"


@dataclass(frozen=True)
class CardList:
    """A list of cards in the arena, by its offset: the number of cards (8 bytes), the cards."""

    at: ir.Expr


@dataclass(frozen=True)
class CardArray:
    """An array of at most as many cards as a word has bits, which keeps them while it is used."""

    address: ir.Expr
    count: ir.Expr


@dataclass(frozen=True)
class CardSet:
    """Cards, each once, as bits: their numbers, or their positions in an array.

    They lie in order of the bits, unless they are a run. `pile` is where all of them lay, if that
    is known, when `moves` moves had been lowered.
    """

    bits: ir.Expr
    array: CardArray | None = None
    pile: LoweredPile | None = None
    moves: int = 0
    run_points: n.Node | None = None
    """The points by which the cards of a run lie."""

    @property
    def by_number(self) -> bool:
        """Whether the cards lie in order of their numbers."""
        return self.array is None and self.run_points is None


@dataclass(frozen=True)
class Vector:
    """A list of integers in the arena, by its offset: their number, then 8 bytes each.

    They are slots of real locations of a kind and a form, the bits of sets `like` one, or offsets
    of lists of cards; or numbers of owners or strings, or integers.
    """

    at: ir.Expr
    kind: LocationKind | None = None
    form: PileForm | None = None
    like: CardSet | None = None


@dataclass(frozen=True)
class OwnerSet:
    """Some players or teams in their order, as bits in a variable."""

    bits: ir.Local


@dataclass(frozen=True)
class Held:
    """A card that was found in a location, when `moves` moves had been lowered.

    The position is None where cards lie by number. `bit` is the mask of the card, if it is known.
    """

    card: ir.Expr
    pile: LoweredPile
    moves: int
    at: ir.Expr | None = None
    bit: ir.Expr | None = None


Cards: TypeAlias = LoweredPile | CardList | CardSet
Value: TypeAlias = ir.Expr | Cards | Vector | OwnerSet | Held


def is_memory(place: Cards | None) -> bool:
    """Return whether a place is a location of references."""
    return isinstance(place, LoweredPile) and place.kind is LocationKind.MEMORY
