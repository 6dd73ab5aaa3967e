"""Options as players see them: what they mean, as a description and as a comparable value.

The content of an option means the same in every state that its chooser cannot tell apart: which
branch of the choice it comes from, and what each `any` on the way picked. A card that the chooser
sees is named; one that it does not see is given only by its ordinal in its collection.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from cardwright.game.describe import choice_at, describe, describe_briefly
from cardwright.game.described_option import described_options
from cardwright.interpreter.steps import build
from cardwright.interpreter.world import sees
from cardwright.program.cards import CardId, Location
from cardwright.program.kinds import ITEM_KINDS, ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.game.board import Board
    from cardwright.game.described_option import DescribedOption
    from cardwright.game.naming import Namer
    from cardwright.interpreter.effects import BuiltOption, Pick
    from cardwright.interpreter.world import World
    from cardwright.program.program import Program


@dataclass(frozen=True, slots=True)
class Unseen:
    """A card, or a group with such cards, that a seat does not see: its ordinal from 0.

    It is None in the record of a seat, if the chooser saw what it took: among sorted cards the
    ordinal would tell something of it.
    """

    ordinal: int | None


Picked: TypeAlias = int | str | CardId | Location | tuple[CardId, ...] | Unseen


@dataclass(frozen=True, slots=True)
class Content:
    """What an option means to its chooser: its branch, and variable and value of each pick."""

    branch: int
    picks: tuple[tuple[str, Picked], ...]


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a decision: its place in the list, its meaning, and its description."""

    index: int
    content: Content
    description: str

    def __str__(self) -> str:
        return self.description

    def _repr_html_(self) -> str:
        from cardwright.game.displays import option_html

        return option_html(self)


def options_of(
    board: Board, program: Program, seat: int, namer: Namer, *, brief: bool = False
) -> tuple[Option, ...]:
    """Return the options of a decision as the player of a seat sees them, in full or `brief`."""
    world = board.world()
    words = (describe_briefly if brief else describe)(_built(board, world), world, seat, namer)
    contents = contents_of(board, program, seat)
    return tuple(
        Option(index, content, text)
        for index, (content, text) in enumerate(zip(contents, words, strict=True))
    )


def described_of(board: Board, seat: int, namer: Namer) -> tuple[DescribedOption, ...]:
    """Return the options of a decision with what each names, for answers given as text."""
    world = board.world()
    return described_options(_built(board, world), world, seat, namer)


def _built(board: Board, world: World) -> Sequence[BuiltOption]:
    """Return the options with their effects, only for their descriptions.

    An engine that does not keep effects finds the same options without them; the interpreter then
    works out what they do, from the choice at which the world is.
    """
    built = board.built()
    if built is None:
        choice = choice_at(world)
        built = build(choice.explorers, world, choice.span)
    assert len(built) == board.option_count
    return built


def contents_of(board: Board, program: Program, seat: int) -> tuple[Content, ...]:
    """Return what each option of a decision means to the player of a seat."""

    def visible(card: CardId) -> bool:
        return sees(program, seat, board.where(card))

    return tuple(
        Content(branch, tuple((pick.node.variable.name, as_seen(pick, visible)) for pick in picks))
        for branch, picks in board.picks()
    )


def as_seen(pick: Pick, visible: Callable[[CardId], bool], *, blind: bool = True) -> Picked:
    """Return what a pick is to an observer that sees some of the cards.

    `blind` says that the chooser did not see them all, so that the ordinal is all it knew.
    """
    ordinal = pick.ordinal if blind else None
    kind = ITEM_KINDS[pick.node.collection.kind]
    item = pick.item
    if kind is ValueKind.CARD and isinstance(item, int):
        return CardId(item) if visible(CardId(item)) else Unseen(ordinal)
    if isinstance(item, tuple) and not isinstance(item, Location):
        return item if all(map(visible, item)) else Unseen(ordinal)
    return item
