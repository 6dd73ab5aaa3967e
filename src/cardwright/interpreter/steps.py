"""What steps mean outside choices, where everything happens at once; and how options are built.

Each step of a choice is explored as a tree: every `any` is a branch point with a branch for each of
its items, and the rest of the step runs on every path. Effects happen in the world itself, are
recorded along the path, and are undone back to each branch point, so that building leaves no trace.
The random stream belongs to the path: what is drawn on it is drawn again when its option is carried
out.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, assert_never

from cardwright.interpreter.actions import action
from cardwright.interpreter.effects import BuiltOption, Said
from cardwright.interpreter.values import condition, owner, value
from cardwright.interpreter.world import BranchPoint, Fault, PathMark
from cardwright.program import nodes as n
from cardwright.program.cards import CardId, Location
from cardwright.program.kinds import ITEM_KINDS, ValueKind
from cardwright.program.limits import MOST_PICKS, OPTION_WORDS, TOO_MANY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.interpreter.effects import Effect, Pick
    from cardwright.interpreter.values import Meanings
    from cardwright.interpreter.world import Explore, Meaning, Todo, World
    from cardwright.syntax.source import Span


def step(by: Meanings, node: n.Node) -> Meaning[object]:
    """Return what a step does where everything happens at once."""
    if not isinstance(node, n.StepForm):
        return action(by, node)
    match node:
        case n.Do():
            steps = [*_label(by, node), *(step(by, inner) for inner in node.steps)]

            def do(world: World) -> None:
                for act in steps:
                    act(world)

            return do
        case n.When():
            test, then = condition(by, node.test), step(by, node.body)
            return lambda world: test(world) and then(world)
        case n.Let():
            bound, body, slot = _bound(by, node), step(by, node.body), node.variable.slot

            def let(world: World) -> None:
                world.env[slot] = bound(world)
                body(world)

            return let
        case n.ForEach():
            return by.for_each(node, step(by, node.body))
    assert_never(node)


def _bound(by: Meanings, node: n.Let) -> Meaning[Any]:
    """Return the value that `let` binds: a location itself, anything else as it is now."""
    bound = value(by, node.value)
    if node.value.kind is ValueKind.CARD:
        return by.present(bound, node.value, "there is no card to bind")
    return bound


def explorer(by: Meanings, node: n.Node) -> Explore:
    """Return a step's explorer: it does its own part, and returns the work to do next."""
    if not any(isinstance(inner, n.ForEach) and inner.choose for inner in n.walk(node)):
        return _straight(step(by, node))
    assert isinstance(node, n.StepForm)
    match node:
        case n.Do():
            says = map(_straight, _label(by, node))
            parts = [*says, *(explorer(by, inner) for inner in node.steps)][::-1]

            def block(_: World, rest: Todo) -> Todo:
                for part in parts:
                    rest = part, rest
                return rest

            return block
        case n.When():
            test, then = condition(by, node.test), explorer(by, node.body)
            return lambda world, rest: (then, rest) if test(world) else rest
        case n.Let():
            bound, body, slot = _bound(by, node), explorer(by, node.body), node.variable.slot

            def let(world: World, rest: Todo) -> Todo:
                world.env[slot] = bound(world)
                return body, rest

            return let
        case n.ForEach():
            return _explore_each(by, node)
    assert_never(node)


def _straight(act: Meaning[object]) -> Explore:
    def explore(world: World, rest: Todo) -> Todo:
        act(world)
        return rest

    return explore


def _explore_each(by: Meanings, node: n.ForEach) -> Explore:
    """Explore the body for each item in order: as branches, or one after the other."""
    items = by.items(node.collection)
    slot = node.variable.slot
    inner = explorer(by, node.body)
    counted = by.count(node)

    def body(world: World, rest: Todo) -> Todo | BranchPoint:
        counted(world, 1)
        return inner(world, rest)

    def explore(world: World, rest: Todo) -> Todo | BranchPoint:
        candidates = tuple(items(world))
        if node.choose and candidates:
            return BranchPoint(node, candidates, (body, rest), PathMark.at(world))
        return go_on(candidates, 0, world, rest)

    def go_on(candidates: Sequence[Any], at: int, world: World, rest: Todo) -> Todo:
        if at == len(candidates):
            return rest
        world.env[slot] = candidates[at]
        return body, (partial(go_on, candidates, at + 1), rest)

    return explore


# Labels -------------------------------------------------------------------------------------


def _label(by: Meanings, node: n.Do) -> list[Meaning[None]]:
    """Return what says the label of a block, to worlds that want to know; nothing if it has none.

    A part that breaks a rule is not said: a label breaks none, and takes no steps.
    """
    parts = [_label_part(by, part) for part in by.program.label(node)]

    def say(world: World) -> None:
        if world.said is None:
            return
        left = world.left
        for part in parts:
            with suppress(Fault):
                world.said.append(part(world))
        world.left = left

    return [say] if parts else []


def _label_part(by: Meanings, part: str | n.Node) -> Meaning[Said]:
    if isinstance(part, str):
        text = Said(ValueKind.STRING, part)
        return lambda _: text
    kind = part.kind
    is_owner = not kind & (ValueKind.INTEGER | ValueKind.STRING | ValueKind.CARD)
    named = owner(by, part) if is_owner else value(by, part)

    def said(world: World) -> Said:
        what = named(world)
        lies = kind is ValueKind.CARD and what is not None
        return Said(kind, what, part, world.where[what] if lies else None)

    return said


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
    options: list[BuiltOption] = []
    journal: list[Effect] = []
    world.journal = journal
    world.path = []
    world.said = [] if labelled else None
    start = PathMark.at(world)
    try:
        for branch, explore in enumerate(explorers):
            for _ in _ends(world, explore, span):
                if journal:
                    if len(options) >= most:
                        raise Fault("capacity", TOO_MANY, span)
                    picks, said = tuple(world.path), tuple(world.said or ())
                    words = world.stream.words
                    options.append(BuiltOption(branch, picks, tuple(journal), words, said))
            start.back(world)
    finally:
        world.journal = world.said = None
    return options


def _ends(world: World, explore: Explore, span: Span) -> Iterator[None]:
    """Go to the end of each path through a step, depth-first, the first item first.

    The work left on a path is a list, and the branch points are a stack; nothing recurses, so a
    path may be as long as the language allows.
    """
    points: list[BranchPoint] = []
    todo: Todo = (explore, None)
    while True:
        while todo is not None:
            task, rest = todo
            after = task(world, rest)
            if isinstance(after, BranchPoint):
                if len(world.path) >= MOST_PICKS:
                    raise Fault("depth", "too many choices within one option", span)
                points.append(after)
                after = after.take(world)
            todo = after
        yield
        while points and points[-1].taken == len(points[-1].items):
            points.pop()
        if not points:
            return
        points[-1].mark.back(world)
        todo = points[-1].take(world)


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
