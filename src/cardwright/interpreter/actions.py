"""What actions mean: each makes effects, and the world applies them."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, assert_never

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
from cardwright.interpreter.world import Fault, sees
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind, Seat
from cardwright.program.integers import OVERFLOW, IntegerError, checked
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import MOST_REPEATS

if TYPE_CHECKING:
    from cardwright.interpreter.meaning import FoundCard, Meanings, MoveTarget
    from cardwright.interpreter.world import Meaning, World
    from cardwright.program.cards import CardId


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
        case n.Repeat():
            return _repeat(by, node)
        case n.RepeatAll():
            return _repeat_all(by, node)
    assert_never(node)


# Storages ---------------------------------------------------------------------------------


def _set(by: Meanings, node: n.Set) -> Meaning[None]:
    cell = by.cell(node.storage)
    assert isinstance(node.storage, n.Storage)
    if node.storage.storage is n.StorageKind.INTEGER:
        integer = by.integer(node.value)

        def set_integer(world: World) -> None:
            world.store("integers", cell(world), integer(world))

        return set_integer
    string = by.string(node.value)

    def set_string(world: World) -> None:
        world.store("strings", cell(world), string(world))

    return set_string


def _set_points(by: Meanings, node: n.SetPoints) -> Meaning[None]:
    """Keys, values and points of the awards are evaluated once, now."""
    cell = by.cell(node.storage)
    awards = [
        (
            [by.string(key) for key in award.keys],
            [by.string(value) for value in award.values],
            by.integer(award.points),
        )
        for award in node.awards
        if isinstance(award, n.Award)
    ]

    def meaning(world: World) -> None:
        where = cell(world)
        evaluated = tuple(
            (
                tuple(key(world) for key in keys),
                tuple(value(world) for value in values),
                worth(world),
            )
            for keys, values, worth in awards
        )
        points = world.rules.point_map(evaluated)
        if not points.fits:
            raise Fault("overflow", OVERFLOW, node.span)
        world.store("points", where, points)

    return meaning


def _increase(by: Meanings, node: n.Increase) -> Meaning[None]:
    cell = by.cell(node.storage)
    amount = by.integer(node.amount) if node.amount is not None else None
    sign = node.sign

    def meaning(world: World) -> None:
        where = cell(world)
        try:
            new = checked(world.integers.get(where, 0) + sign * (amount(world) if amount else 1))
        except IntegerError as error:
            raise Fault(error.rule, str(error), node.span) from None
        world.store("integers", where, new)

    return meaning


# Cards ------------------------------------------------------------------------------------


def _move(by: Meanings, node: n.Move) -> Meaning[None]:
    source = by.source(node.card)
    target = by.target(node.target)

    def meaning(world: World) -> None:
        found = source(world)
        if found is None:
            raise Fault("empty-move", "there is no card to move", node.card.span)
        _put(world, found, target(world), node)

    return meaning


def _put(world: World, found: FoundCard, aim: MoveTarget, node: n.Move) -> None:
    card = found.card
    if _is_memory(found.found_in):
        raise Fault(
            "memory-move",
            "a memory location holds no cards to move, only references; use forget",
            node.card.span,
        )
    if _is_memory(aim.pile):
        raise Fault(
            "memory-destination",
            "cards cannot be put into a memory location; use remember",
            node.target.span,
        )
    if isinstance(found.found_in, Pile):
        pile, at = found.found_in, found.at
    else:
        _leave_group(world, found.found_in, found.at)
        pile = world.piles[world.where[card]]
        at = pile.cards.index(card)
    room = len(aim.pile.cards) - (aim.pile is pile)
    same = aim.pile is pile and card != aim.card
    target_at = _position(card, aim, at, room, node, same=same)
    world.bear(aim.pile)
    world.do(Moved(card, pile.location, at, aim.pile.location, target_at))


def _leave_group(world: World, group: VirtualLocation, at: int) -> None:
    before = tuple(group.cards)
    del group.cards[at]
    world.do(Regrouped(group, before))


def _position(
    card: CardId, aim: MoveTarget, at: int, room: int, node: n.Move, *, same: bool
) -> int:
    """Return the position in the list that is left once the card is taken out."""
    if not aim.pile.ordered:
        return bisect_left(aim.pile.cards, card)
    if aim.position is None:
        return room
    position = aim.position
    if aim.card is not None:
        position -= same and at < position
    return _within(position, room, node.target)


def _within(position: int, room: int, target: n.Node) -> int:
    """Return a position at which to put a card, if it exists among this many cards."""
    if not 0 <= position <= room:
        raise Fault(
            "position", f"there is no position {position} to put a card among {room}", target.span
        )
    return position


def _swap_cards(by: Meanings, node: n.Swap) -> Meaning[None]:
    """Two real cards take each other's exact places, however they were found."""
    left = by.source(node.left)
    right = by.source(node.right)

    def meaning(world: World) -> None:
        first, second = left(world), right(world)
        for found, side in ((first, node.left), (second, node.right)):
            if found is None:
                raise Fault("no-card", "there is no card to swap", side.span)
            if _is_memory(found.found_in):
                raise Fault("memory-move", "a reference in memory cannot be swapped", side.span)
        assert first is not None
        assert second is not None
        places = []
        for found in (first, second):
            pile = world.piles[world.where[found.card]]
            places.append((found.card, pile.location, pile.cards.index(found.card)))
        world.do(Swapped(*places[0], *places[1]))

    return meaning


def _swap_locations(by: Meanings, node: n.Swap) -> Meaning[None]:
    left = by.location(node.left)
    right = by.location(node.right)

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
    remembered = by.card(node.card)
    target = by.target(node.target)
    most = max(2 * len(by.program.cards), 1)

    def meaning(world: World) -> None:
        card = remembered(world)
        if card is None:
            raise Fault("no-card", "there is no card to remember", node.card.span)
        aim = target(world)
        if not _is_memory(aim.pile):
            raise Fault(
                "memory-destination",
                "cards are remembered in memory locations: (game mem ...)",
                node.target.span,
            )
        room = len(aim.pile.cards)
        at = room if aim.position is None else _within(aim.position, room, node.target)
        if room >= most:
            many = f"a memory location holds at most {most} references"
            raise Fault("capacity", many, node.target.span)
        world.bear(aim.pile)
        world.do(Remembered(card, aim.pile.location, at))

    return meaning


def _forget(by: Meanings, node: n.Forget) -> Meaning[None]:
    source = by.source(node.card)

    def meaning(world: World) -> None:
        found = source(world)
        if found is None:
            raise Fault("empty-move", "there is nothing to forget", node.card.span)
        if isinstance(found.found_in, VirtualLocation) or not _is_memory(found.found_in):
            raise Fault(
                "memory-move", "only what is in a memory location can be forgotten", node.card.span
            )
        world.do(Forgot(found.card, found.found_in.location, found.at))

    return meaning


def _shuffle(by: Meanings, node: n.Shuffle) -> Meaning[None]:
    location = by.location(node.location)

    def meaning(world: World) -> None:
        held = location(world)
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
    seat = by.seat(node.player)
    queue = node.queue

    def meaning(world: World) -> None:
        cycle = world.players[-1]
        old = cycle.queued if queue else cycle.current
        new = Seat(seat(world))
        world.do(Turned(queue, None if old is None else Seat(old), new))

    return meaning


def _repeat(by: Meanings, node: n.Repeat) -> Meaning[None]:
    count = by.integer(node.count)
    act = by.action(node.action)
    counted = by.count(node)

    def meaning(world: World) -> None:
        rounds = count(world)
        if rounds > MOST_REPEATS:
            raise Fault(
                "length", f"{rounds:,} rounds are more than {MOST_REPEATS:,}", node.count.span
            )
        counted(world, rounds)
        for _ in range(rounds):
            act(world)

    return meaning


def _repeat_all(by: Meanings, node: n.RepeatAll) -> Meaning[None]:
    """Do the action as often as the location that the card names has cards now."""
    assert isinstance(node.action, n.Move | n.Forget)
    act = by.action(node.action)
    named = n.unwrapped(node.action.card)
    assert isinstance(named, n.End | n.Position | n.BestCard)
    location = by.location(named.location)
    counted = by.count(node)

    def meaning(world: World) -> None:
        rounds = len(location(world).cards)
        counted(world, rounds)
        for _ in range(rounds):
            act(world)

    return meaning


def _is_memory(place: Pile | VirtualLocation) -> bool:
    return isinstance(place, Pile) and place.location.kind is LocationKind.MEMORY
