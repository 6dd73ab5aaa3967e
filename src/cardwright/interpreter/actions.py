"""What actions mean: each makes effects, and the world applies them."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, assert_never

from cardwright.interpreter.cards import location, source, target
from cardwright.interpreter.chance import ChanceStream, running
from cardwright.interpreter.effects import (
    Exchanged,
    Forgot,
    Moved,
    Passed,
    Pile,
    Regrouped,
    Remembered,
    Shuffled,
    Swapped,
    Turned,
    Undrawn,
    VirtualLocation,
)
from cardwright.interpreter.values import cell, integer, seat, string, value
from cardwright.interpreter.world import Fault, sees
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind, Seat
from cardwright.program.integers import OVERFLOW, IntegerError, checked
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import MOST_REPEATS

if TYPE_CHECKING:
    from cardwright.interpreter.cards import FoundCard, MoveTarget
    from cardwright.interpreter.values import Meanings
    from cardwright.interpreter.world import Meaning, World


def action(by: Meanings, node: n.Node) -> Meaning[None]:
    """Return what an action does to the world."""
    assert isinstance(node, n.ActionForm)
    match node:
        case n.Set():
            return _set(by, node)
        case n.SetPoints():
            return _set_points(by, node)
        case n.Increase():
            return _increase(by, node)
        case n.Move():
            return _move(by, node)
        case n.Swap():
            if node.left.kind is ValueKind.CARD:
                return _swap_cards(by, node)
            return _swap_locations(by, node)
        case n.Remember():
            return _remember(by, node)
        case n.Forget():
            return _forget(by, node)
        case n.Shuffle():
            return _shuffle(by, node)
        case n.Cycle():
            return _cycle(by, node)
        case n.Pass():
            return lambda world: world.do(Passed())
        case n.Repeat() | n.RepeatAll():
            return _repeat(by, node)
    assert_never(node)


# Storages ---------------------------------------------------------------------------------


def _set(by: Meanings, node: n.Set) -> Meaning[None]:
    where = cell(by, node.storage)
    assert isinstance(node.storage, n.Storage)
    kept = "integers" if node.storage.storage is n.StorageKind.INTEGER else "strings"
    read = value(by, node.value)
    return lambda world: world.store(kept, where(world), read(world))


def _set_points(by: Meanings, node: n.SetPoints) -> Meaning[None]:
    """Keys, values and points of the awards are evaluated once, now."""
    where = cell(by, node.storage)
    awards = [
        (
            [string(by, key) for key in award.keys],
            [string(by, wanted) for wanted in award.values],
            integer(by, award.points),
        )
        for award in node.awards
        if isinstance(award, n.Award)
    ]

    def meaning(world: World) -> None:
        kept = where(world)
        evaluated = tuple(
            (
                tuple(key(world) for key in keys),
                tuple(wanted(world) for wanted in values),
                worth(world),
            )
            for keys, values, worth in awards
        )
        points = world.rules.point_map(evaluated)
        if not points.fits:
            raise Fault("overflow", OVERFLOW, node.span)
        world.store("points", kept, points)

    return meaning


def _increase(by: Meanings, node: n.Increase) -> Meaning[None]:
    where = cell(by, node.storage)
    amount = integer(by, node.amount) if node.amount is not None else None

    def meaning(world: World) -> None:
        kept = where(world)
        try:
            more = node.sign * (amount(world) if amount else 1)
            new = checked(world.integers.get(kept, 0) + more)
        except IntegerError as error:
            raise Fault(error.rule, str(error), node.span) from None
        world.store("integers", kept, new)

    return meaning


# Cards ------------------------------------------------------------------------------------


def _move(by: Meanings, node: n.Move) -> Meaning[None]:
    card_of = by.present(source(by, node.card), node.card, "there is no card to move", "empty-move")
    aim = target(by, node.target)
    return lambda world: _put(world, card_of(world), aim(world), node)


def _put(world: World, found: FoundCard, aim: MoveTarget, node: n.Move) -> None:
    card, group, pile = found.card, found.found_in, aim.pile
    if _is_memory(group):
        wrong = "a memory location holds no cards to move, only references; use forget"
        raise Fault("memory-move", wrong, node.card.span)
    if _is_memory(pile):
        wrong = "cards cannot be put into a memory location; use remember"
        raise Fault("memory-destination", wrong, node.target.span)
    if isinstance(group, Pile):
        left, at = group, found.at
    else:
        before = tuple(group.cards)
        del group.cards[found.at]
        world.do(Regrouped(group, before))
        left = world.piles[world.where[card]]
        at = left.cards.index(card)
    room = len(pile.cards) - (pile is left)
    if not pile.ordered:
        target_at = bisect_left(pile.cards, card)
    elif aim.position is None:
        target_at = room
    else:  # the position in the list that is left once the card is taken out
        earlier = pile is left and aim.card is not None and card != aim.card and at < aim.position
        target_at = _within(aim.position - earlier, room, node.target)
    world.bear(pile)
    world.do(Moved(card, left.location, at, pile.location, target_at))


def _within(position: int, room: int, target: n.Node) -> int:
    """Return a position at which to put a card, if it exists among this many cards."""
    if not 0 <= position <= room:
        wrong = f"there is no position {position} to put a card among {room}"
        raise Fault("position", wrong, target.span)
    return position


def _swap_cards(by: Meanings, node: n.Swap) -> Meaning[None]:
    """Two real cards take each other's exact places, however they were found."""
    left, right = source(by, node.left), source(by, node.right)

    def meaning(world: World) -> None:
        sides = left(world), right(world)
        cards = []
        for found, form in zip(sides, (node.left, node.right), strict=True):
            if found is None:
                raise Fault("no-card", "there is no card to swap", form.span)
            if _is_memory(found.found_in):
                raise Fault("memory-move", "a reference in memory cannot be swapped", form.span)
            cards.append(found.card)
        piles = [world.piles[world.where[card]] for card in cards]
        first, second = (
            (card, pile.location, pile.cards.index(card))
            for card, pile in zip(cards, piles, strict=True)
        )
        world.do(Swapped(*first, *second))

    return meaning


def _swap_locations(by: Meanings, node: n.Swap) -> Meaning[None]:
    left, right = location(by, node.left), location(by, node.right)

    def meaning(world: World) -> None:
        sides = left(world), right(world)
        piles = []
        for side, form in zip(sides, (node.left, node.right), strict=True):
            if isinstance(side, VirtualLocation):
                raise Fault("virtual-destination", "only real locations can be swapped", form.span)
            if _is_memory(side):
                raise Fault("memory-move", "memory locations cannot be swapped", form.span)
            if not side.cards:
                raise Fault("no-card", "this location is empty: nothing to swap", form.span)
            piles.append(side)
        first, second = piles
        before = tuple(first.cards), tuple(second.cards)
        world.do(Exchanged(first.location, second.location, *before))

    return meaning


def _remember(by: Meanings, node: n.Remember) -> Meaning[None]:
    remembered = by.present(by.card(node.card), node.card, "there is no card to remember")
    aimed = target(by, node.target)
    most = max(2 * len(by.program.cards), 1)

    def meaning(world: World) -> None:
        card, aim = remembered(world), aimed(world)
        if not _is_memory(aim.pile):
            wrong = "cards are remembered in memory locations: (game mem ...)"
            raise Fault("memory-destination", wrong, node.target.span)
        room = len(aim.pile.cards)
        at = room if aim.position is None else _within(aim.position, room, node.target)
        if room >= most:
            many = f"a memory location holds at most {most} references"
            raise Fault("capacity", many, node.target.span)
        world.bear(aim.pile)
        world.do(Remembered(card, aim.pile.location, at))

    return meaning


def _forget(by: Meanings, node: n.Forget) -> Meaning[None]:
    reference_of = by.present(
        source(by, node.card), node.card, "there is nothing to forget", "empty-move"
    )

    def meaning(world: World) -> None:
        card, memory, at = reference_of(world)
        if not isinstance(memory, Pile) or not _is_memory(memory):
            wrong = "only what is in a memory location can be forgotten"
            raise Fault("memory-move", wrong, node.card.span)
        world.do(Forgot(card, memory.location, at))

    return meaning


def _shuffle(by: Meanings, node: n.Shuffle) -> Meaning[None]:
    place = location(by, node.location)

    def meaning(world: World) -> None:
        held = place(world)
        if isinstance(held, Pile) and _stays_open(world, held):
            world.do(Undrawn(held.location))
            return
        before = tuple(held.cards)
        after = list(before)
        world.stream.shuffle(after)
        if isinstance(held, VirtualLocation):
            held.cards[:] = after
            world.do(Regrouped(held, before))
        else:
            world.do(Shuffled(held.location, before, tuple(after)))

    return meaning


def _stays_open(world: World, pile: Pile) -> bool:
    """Return whether a pile that is shuffled now is drawn only as its cards are looked at.

    It is in a game by hand, if nobody sees the cards or can tell them by their backs. But where
    options are built, all of them come from the same outputs of the stream, so the outputs that a
    shuffle uses are drawn at once; so are those that are partly known from there.
    """
    stream, program = world.stream, world.rules.program
    if not isinstance(stream, ChanceStream) or world.journal is not None or stream.ahead:
        return False
    if any(sees(program, seat, pile.location) for seat in range(program.players)):
        return False
    with running(None):
        return len({program.cards[card].back for card in pile.cards}) == 1


# Turns and repetition ---------------------------------------------------------------------


def _cycle(by: Meanings, node: n.Cycle) -> Meaning[None]:
    player = seat(by, node.player)

    def meaning(world: World) -> None:
        cycle = world.players[-1]
        old = cycle.queued if node.queue else cycle.current
        new = Seat(player(world))
        world.do(Turned(node.queue, None if old is None else Seat(old), new))

    return meaning


def _repeat(by: Meanings, node: n.Repeat | n.RepeatAll) -> Meaning[None]:
    """Do an action so often, or as often as the location that its card names has cards now."""
    act = action(by, node.action)
    counted = by.count(node)
    if isinstance(node, n.Repeat):
        count = integer(by, node.count)
    else:
        assert isinstance(node.action, n.Move | n.Forget)
        named = n.unwrapped(node.action.card)
        assert isinstance(named, n.End | n.Position | n.BestCard)
        place = location(by, named.location)

        def count(world: World) -> int:
            return len(place(world).cards)

    def meaning(world: World) -> None:
        rounds = count(world)
        if isinstance(node, n.Repeat) and rounds > MOST_REPEATS:
            many = f"{rounds:,} rounds are more than {MOST_REPEATS:,}"
            raise Fault("length", many, node.count.span)
        counted(world, rounds)
        for _ in range(rounds):
            act(world)

    return meaning


def _is_memory(place: Pile | VirtualLocation) -> bool:
    return isinstance(place, Pile) and place.location.kind is LocationKind.MEMORY
