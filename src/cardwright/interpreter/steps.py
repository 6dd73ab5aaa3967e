"""What steps mean outside choices, where everything happens at once; and how options are built.

Each step of a choice is explored as a tree: every `any` is a branch point with a branch for each of
its items, and the rest of the step runs on every path. Effects happen in the world itself, are
recorded along the path, and are undone back to each branch point, so that building leaves no trace.
The random stream belongs to the path: what is drawn on it is drawn again when its option is carried
out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, assert_never

from cardwright.interpreter.effects import BuiltOption, Pick, Pile, Said, VirtualLocation
from cardwright.interpreter.world import Fault, PickPoint
from cardwright.program import nodes as n
from cardwright.program.cards import CardId, Location
from cardwright.program.kinds import ITEM_KINDS, ValueKind
from cardwright.program.limits import MOST_PICKS, OPTION_WORDS, TOO_MANY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.interpreter.effects import Effect
    from cardwright.interpreter.meaning import Meanings
    from cardwright.interpreter.stream import Words
    from cardwright.interpreter.world import Explore, Meaning, Todo, World
    from cardwright.syntax.source import Span


def step(by: Meanings, node: n.Node) -> Meaning[None]:
    """Return what a step does."""
    if not isinstance(node, n.StepForm):
        return by.action(node)
    match node:
        case n.Do():
            steps = [step(by, inner) for inner in node.steps]
            say = _label(by, node)
            if say is not None:
                steps.insert(0, say)

            def do(world: World) -> None:
                for act in steps:
                    act(world)

            return do
        case n.When():
            test = by.condition(node.test)
            body = step(by, node.body)

            def when(world: World) -> None:
                if test(world):
                    body(world)

            return when
        case n.ForEach():
            return _for_each(by, node)
        case n.Let():
            value = bound(by, node.value)
            body = step(by, node.body)
            slot = node.variable.slot

            def let(world: World) -> None:
                world.env[slot] = value(world)
                body(world)

            return let
    assert_never(node)


def _for_each(by: Meanings, node: n.ForEach) -> Meaning[None]:
    items = by.items(node.collection)
    body = by.counting(node, step(by, node.body))
    slot = node.variable.slot

    def meaning(world: World) -> None:
        for item in tuple(items(world)):
            world.env[slot] = item
            body(world)

    return meaning


def bound(by: Meanings, node: n.Node) -> Meaning[Any]:
    """Return the value that `let` binds: a location itself, anything else as it is now."""
    match node.kind:
        case ValueKind.INTEGER:
            return by.integer(node)
        case ValueKind.STRING:
            return by.string(node)
        case ValueKind.BOOLEAN:
            return by.condition(node)
        case ValueKind.LOCATION:
            return by.location(node)
        case ValueKind.CARD:
            return _bound_card(by, node)
        case ValueKind.PLAYER:
            return by.seat(node)
        case ValueKind.TEAM:
            return by.team(node)
    return by.items(node)


def _bound_card(by: Meanings, node: n.Node) -> Meaning[CardId]:
    found = by.card(node)
    span = node.span

    def meaning(world: World) -> CardId:
        card = found(world)
        if card is None:
            raise Fault("no-card", "there is no card to bind", span)
        return card

    return meaning


# Labels -------------------------------------------------------------------------------------


def _label(by: Meanings, node: n.Do) -> Meaning[None] | None:
    """Return what says the label of a block, to worlds that want to know; None if it has none.

    A part that breaks a rule is not said: a label breaks none, and takes no steps.
    """
    parts = [_label_part(by, part) for part in by.program.label(node)]
    if not parts:
        return None

    def say(world: World) -> None:
        if world.said is None:
            return
        left = world.left
        for part in parts:
            try:
                world.said.append(part(world))
            except Fault:
                continue
        world.left = left

    return say


def _label_part(by: Meanings, part: str | n.Node) -> Meaning[Said]:
    if isinstance(part, str):
        text = Said(ValueKind.STRING, part)
        return lambda _: text
    kind = part.kind
    value: Meaning[Any]
    match kind:
        case ValueKind.INTEGER:
            value = by.integer(part)
        case ValueKind.STRING:
            value = by.string(part)
        case ValueKind.CARD:
            card = by.card(part)

            def said(world: World) -> Said:
                named = card(world)
                return Said(kind, named, part, None if named is None else world.where[named])

            return said
        case _:
            value = by.owner(part)
    return lambda world: Said(kind, value(world), part)


# Options ------------------------------------------------------------------------------------


def build(
    explorers: tuple[Explore, ...],
    world: World,
    span: Span,
    most: int = OPTION_WORDS,
    *,
    labelled: bool = False,
) -> list[BuiltOption]:
    """Return all options of a choice in order, up to a maximum; the world is left unchanged.

    If they are to be `labelled`, they have what their labels say.
    """
    found: list[BuiltOption] = []
    start = world.stream.words
    journal: list[Effect] = []
    world.journal = journal
    world.path = []
    world.said = [] if labelled else None
    try:
        for branch, explore in enumerate(explorers):
            for _ in _ends(world, explore, span):
                if journal:
                    if len(found) >= most:
                        raise Fault("capacity", TOO_MANY, span)
                    picks = tuple(world.path)
                    said = tuple(world.said or ())
                    words = world.stream.words
                    found.append(BuiltOption(branch, picks, tuple(journal), words, said))
            _back_to(world, 0, 0, 0, start)
    finally:
        world.journal = world.said = None
    return found


def _ends(world: World, explore: Explore, span: Span) -> Iterator[None]:
    """Go to the end of each path through a step, depth-first, the first item first.

    The work left on a path is a list, and the branch points are a stack; nothing recurses, so a
    path may be as long as the language allows.
    """
    points: list[_BranchPoint] = []
    todo: Todo = (explore, None)
    while True:
        while todo is not None:
            task, rest = todo
            after = task(world, rest)
            if isinstance(after, PickPoint):
                if len(world.path) >= MOST_PICKS:
                    raise Fault("depth", "too many choices within one option", span)
                points.append(_BranchPoint.at(world, after))
                after = points[-1].take(world)
            todo = after
        yield
        while points and not points[-1].left:
            points.pop()
        if not points:
            return
        point = points[-1]
        _back_to(world, point.mark, point.picks, point.said, point.words)
        world.env[:] = point.env
        todo = point.take(world)


def _back_to(world: World, mark: int, picks: int, said: int, words: Words) -> None:
    """Undo what was done since a branch point, or since the beginning."""
    world.undo_to(mark)
    del world.path[picks:]
    if world.said is not None:
        del world.said[said:]
    world.stream.words = words


@dataclass(slots=True)
class _BranchPoint:
    """An `any` on a path, how many of its items are left, and the state there."""

    branch: PickPoint
    left: int
    env: list[Any]
    mark: int
    picks: int
    said: int
    words: Words

    @classmethod
    def at(cls, world: World, branch: PickPoint) -> _BranchPoint:
        assert world.journal is not None
        return cls(
            branch, len(branch.items), world.env.copy(), len(world.journal), len(world.path),
            len(world.said or ()), world.stream.words,
        )  # fmt: skip

    def take(self, world: World) -> Todo:
        """Take the next item, and return the work to do with it and after it."""
        node, items = self.branch.node, self.branch.items
        ordinal = len(items) - self.left
        item = items[ordinal]
        self.left -= 1
        world.env[node.variable.slot] = item
        world.path.append(Pick(node, ordinal, _frozen(item)))
        return self.branch.then


def _frozen(item: Any) -> Any:
    """Return what was picked as a value, since a group loses its cards when they are moved out."""
    if isinstance(item, Pile):
        return item.location
    if isinstance(item, VirtualLocation):
        return tuple(item.cards)
    return item


def explorer(by: Meanings, node: n.Node) -> Explore:
    """Return a step's explorer: it does its own part, and returns the work to do next."""
    if not any(isinstance(inner, n.ForEach) and inner.choose for inner in n.walk(node)):
        act = step(by, node)

        def straight(world: World, rest: Todo) -> Todo:
            act(world)
            return rest

        return straight
    assert isinstance(node, n.StepForm)
    match node:
        case n.Do():
            return _explore_block(by, node)
        case n.When():
            return _explore_test(by, node)
        case n.Let():
            return _explore_let(by, node)
        case n.ForEach():
            return _explore_any(by, node) if node.choose else _explore_all(by, node)
    assert_never(node)


def _explore_block(by: Meanings, node: n.Do) -> Explore:
    parts = [explorer(by, inner) for inner in node.steps]
    say = _label(by, node)

    def explore(world: World, rest: Todo) -> Todo:
        if say is not None:
            say(world)
        for part in reversed(parts):
            rest = part, rest
        return rest

    return explore


def _explore_test(by: Meanings, node: n.When) -> Explore:
    test = by.condition(node.test)
    body = explorer(by, node.body)

    def explore(world: World, rest: Todo) -> Todo:
        return (body, rest) if test(world) else rest

    return explore


def _explore_let(by: Meanings, node: n.Let) -> Explore:
    value = bound(by, node.value)
    body = explorer(by, node.body)
    slot = node.variable.slot

    def explore(world: World, rest: Todo) -> Todo:
        world.env[slot] = value(world)
        return body, rest

    return explore


def _counted(by: Meanings, node: n.ForEach) -> Explore:
    """Return the explorer of a loop's body, which counts its rounds if they are to be counted."""
    body = explorer(by, node.body)
    if not by.program.rounds.counted(node):
        return body
    span = node.span

    def explore(world: World, rest: Todo) -> Todo | PickPoint:
        world.count(1, span)
        return body(world, rest)

    return explore


def _explore_any(by: Meanings, node: n.ForEach) -> Explore:
    """PickPoint for each item in order; over an empty collection, go on with the rest."""
    items = by.items(node.collection)
    body = _counted(by, node)

    def explore(world: World, rest: Todo) -> Todo | PickPoint:
        candidates = tuple(items(world))
        return PickPoint(node, candidates, (body, rest)) if candidates else rest

    return explore


def _explore_all(by: Meanings, node: n.ForEach) -> Explore:
    """Explore the body for each item in order; paths may branch in each."""
    items = by.items(node.collection)
    body = _counted(by, node)
    slot = node.variable.slot

    def explore(world: World, rest: Todo) -> Todo:
        candidates = tuple(items(world))

        def go_on(at: int, world: World, rest: Todo) -> Todo:
            if at == len(candidates):
                return rest
            world.env[slot] = candidates[at]
            return body, (partial(go_on, at + 1), rest)

        return go_on(0, world, rest)

    return explore


def picked_cards(pick: Pick) -> tuple[CardId, ...]:
    """Return the cards that a pick names: one, those of a group, or none."""
    match ITEM_KINDS[pick.node.collection.kind], pick.item:
        case ValueKind.CARD, int(card):
            return (CardId(card),)
        case ValueKind.LOCATION, tuple(cards) if not isinstance(cards, Location):
            return cards
    return ()


def picked_players(option: BuiltOption) -> tuple[int, ...]:
    """Return the seats of the players that an option picks."""
    return tuple(
        pick.item
        for pick in option.picks
        if isinstance(pick.item, int) and ITEM_KINDS[pick.node.collection.kind] is ValueKind.PLAYER
    )
