"""What players are told: options, views, and the record of decisions.

The content of an option means the same in every state that its chooser cannot tell apart: which
branch of the choice it comes from, and what each `any` on the way picked. A card that the chooser
sees is named; one that it does not see is given only by its ordinal in its collection.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from cardwright.game.wording.describe import (
    choice_at,
    describe,
    describe_briefly,
    described_options,
)
from cardwright.interpreter.steps import build
from cardwright.interpreter.world import sees
from cardwright.markup.lazy_display import shown_by
from cardwright.program.cards import CardId, Location
from cardwright.program.kinds import ITEM_KINDS, ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cardwright.game.board import Board
    from cardwright.game.wording.describe import DescribedOption
    from cardwright.game.wording.naming import Namer
    from cardwright.interpreter.effects import BuiltOption, Pick
    from cardwright.interpreter.world import Awards, World
    from cardwright.program.cards import Card, OwnerId, Seat
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

    _repr_html_ = shown_by("cardwright.game.displays", "option_html")


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

    @cache
    def visible(card: CardId) -> bool:
        return sees(program, seat, board.where(card))

    return tuple(content_of(branch, picks, visible, visible) for branch, picks in board.picks())


@dataclass(frozen=True, slots=True)
class SeenDecision:
    """A decision as a seat saw it: which seat decided, and the content of what it chose.

    The cards in it are named if the seat saw them before they were chosen or after the option was
    carried out; the others are `Unseen`. The rest of an option is public.
    """

    seat: Seat
    content: Content


def content_of(
    branch: int,
    picks: Sequence[Pick],
    seen: Callable[[CardId], bool],
    chosen: Callable[[CardId], bool],
) -> Content:
    """Return the content of an option for an observer that sees some of the cards.

    `chosen` says which cards the chooser saw as it chose.
    """
    return Content(branch, tuple((p.node.variable.name, _item(p, seen, chosen)) for p in picks))


def _item(pick: Pick, seen: Callable[[CardId], bool], chosen: Callable[[CardId], bool]) -> Picked:
    item = pick.item
    if isinstance(item, int) and ITEM_KINDS[pick.node.collection.kind] is ValueKind.CARD:
        cards: tuple[CardId, ...] = (CardId(item),)
    elif isinstance(item, tuple) and not isinstance(item, Location):
        cards = item
    else:
        return item
    if all(map(seen, cards)):
        return item
    return Unseen(None if all(map(chosen, cards)) else pick.ordinal)


@dataclass(frozen=True, slots=True)
class Back:
    """A card that the seat does not see: only its back."""

    name: str


@dataclass(frozen=True, slots=True)
class View:
    """What a seat sees: plain data, without access to anything else.

    `locations` has every location that holds a card (or a reference to one), from bottom to top,
    with the cards that the seat sees and the backs of the others, which are sorted where the cards
    lie by number. Stored values are public, by owner and name and in that order, and so are the
    cycles: for each current stage, from the outermost, which member is current and which is queued.
    `player` is the seat that has to decide; `options` are given if that is this seat. `owners` has
    the name of each owner, by its number. Two states that the seat cannot tell apart give equal
    views.
    """

    seat: Seat
    player: Seat | None
    locations: Mapping[Location, tuple[Card | Back, ...]]
    integers: Mapping[tuple[OwnerId, str], int]
    strings: Mapping[tuple[OwnerId, str], str]
    points: Mapping[tuple[OwnerId, str], Awards]
    cycles: tuple[tuple[int, int | None], ...]
    options: tuple[Option, ...]
    scores: tuple[int, ...] | None
    owners: tuple[str, ...] = ()

    def cards(self, location: Location) -> tuple[Card | Back, ...]:
        """Return what the seat sees at a location; nothing for an empty one."""
        return self.locations.get(location, ())

    _repr_html_ = shown_by("cardwright.game.displays", "view_html")


def view_of(
    world: World,
    seat: Seat,
    player: Seat | None,
    options: tuple[Option, ...],
    scores: tuple[int, ...] | None,
) -> View:
    """Return what a seat sees of a world."""
    program = world.rules.program
    locations: dict[Location, tuple[Card | Back, ...]] = {}
    for pile in world.touched():
        if not pile.cards:
            continue
        if sees(program, seat, pile.location):
            locations[pile.location] = tuple(program.cards[card] for card in pile.cards)
        else:
            backs = [program.cards[card].back for card in pile.cards]
            # Where cards lie by number, the order of their backs would tell something of them.
            locations[pile.location] = tuple(map(Back, backs if pile.ordered else sorted(backs)))
    return View(
        seat=seat,
        player=player,
        locations=locations,
        integers={cell: value for cell, value in sorted(world.integers.items()) if value},
        strings={cell: value for cell, value in sorted(world.strings.items()) if value},
        points={
            cell: world.points[cell].awards
            for cell in sorted(world.points)
            if world.points[cell].awards
        },
        cycles=tuple((cycle.current, cycle.queued) for cycle in (*world.players, *world.teams)),
        options=options,
        scores=scores,
        owners=program.owner_names,
    )
