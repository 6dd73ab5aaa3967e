"""What the lowering knows of a value: where it is while a game is played, and in which form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from cardwright.compiler import ir

if TYPE_CHECKING:
    from cardwright.compiler.ir import Local
    from cardwright.compiler.layout import PileForm
    from cardwright.program import nodes as n
    from cardwright.program.cards import LocationKind


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
class CardSet:
    """A list of cards by number, each of them once, as a mask in a variable.

    `pile` is where all of them lay, if that is known, when `moves` moves had been lowered.
    """

    mask: Local
    pile: LoweredPile | None
    moves: int


@dataclass(frozen=True)
class PositionSet:
    """Some cards of an array, in its order, as a mask of their positions in a variable.

    The array has `count` cards, at most 64, and must not change as long as the set is used.
    """

    mask: Local
    array: ir.Expr
    count: ir.Expr


@dataclass(frozen=True)
class RunSet:
    """A run of cards in order of their points, as a mask in a variable.

    The bits are cards, or positions in the array of `among`.
    """

    mask: Local
    among: PositionSet | None
    points: n.Node


@dataclass(frozen=True)
class UnionView:
    """Several locations together, each card once, that keep their cards as long as this is used.

    The list is made where its order matters, by evaluating the form again.
    """

    mask: ir.Expr
    node: n.Node


@dataclass(frozen=True)
class Vector:
    """A list of integers in the arena, by its offset: their number, then 8 bytes each.

    `kind` is the kind of real locations if the integers are slots, None for lists of cards; `form`
    is how their cards lie, if that is known. `sets` says that the integers are masks of cards, or
    of their positions among those of `among`.
    """

    at: ir.Expr
    kind: LocationKind | None = None
    form: PileForm | None = None
    sets: bool = False
    among: PositionSet | None = None
    points: n.Node | None = None
    """What the groups go by, if they are runs."""


@dataclass(frozen=True)
class OwnerSet:
    """Some players or teams in their order, as bits in a variable."""

    bits: Local


@dataclass(frozen=True)
class RepeatableCollection:
    """A collection that is the same whenever it is evaluated; a variable represents its form."""

    node: n.Node


@dataclass(frozen=True)
class Held:
    """A card that was found in a location, when `moves` moves had been lowered.

    The position is None where cards lie by number. `bit` is the mask of the card, if it is known.
    """

    card: ir.Expr
    pile: LoweredPile
    at: ir.Expr | None
    moves: int
    bit: ir.Expr | None


Cards: TypeAlias = LoweredPile | CardList | CardSet | PositionSet | RunSet | UnionView
Value: TypeAlias = ir.Expr | Cards | Vector | OwnerSet | RepeatableCollection | Held
