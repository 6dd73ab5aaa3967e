"""How the options of a choice are built.

Each step of a choice is explored as a tree: every `any` branches for each of its items, and the
rest of the step runs after each branch. Effects happen in the world itself, are noted on the way,
and are undone at each branching point, so that building leaves no trace. The random stream goes
with the branch: what is drawn on a path is drawn again when its option is carried out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from cardwright.interpreter import collections, conditions
from cardwright.interpreter.steps import bound, step
from cardwright.interpreter.world import Group, Pile
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.interpreter.effects import Effect
    from cardwright.interpreter.stream import Words
    from cardwright.interpreter.world import World
    from cardwright.program.cards import CardId, Location
    from cardwright.program.program import Program

    Rest: TypeAlias = Callable[[], None]
    Explore: TypeAlias = Callable[[World, Rest], None]


class Pick(NamedTuple):
    """What one `any` on the way to an option took: the how-many-th item, and which.

    The item is an integer, a string, a seat, a team or a card, by the variable's kind; for a
    location the location, and for a group of cards the cards.
    """

    node: n.ForEach
    ordinal: int
    item: int | str | Location | tuple[CardId, ...]


class Built(NamedTuple):
    """An option: its step in the choice, what was picked, its effects, and the stream after it."""

    branch: int
    picks: tuple[Pick, ...]
    effects: tuple[Effect, ...]
    words: Words


def build(explorers: tuple[Explore, ...], world: World) -> list[Built]:
    """Return all options of a choice in order; the world is left as it was."""
    found: list[Built] = []
    start = world.stream.words
    journal: list[Effect] = []
    world.journal = journal
    path: list[Pick] = []
    world.path = path
    try:
        for branch, explore in enumerate(explorers):

            def note(branch: int = branch) -> None:
                if journal:
                    found.append(Built(branch, tuple(path), tuple(journal), world.stream.words))

            explore(world, note)
            world.undo_to(0)
            world.stream.words = start
    finally:
        world.journal = None
    return found


def _frozen(item: Any) -> Any:
    """Return what was picked as a value: a group loses its cards when they are moved out."""
    if isinstance(item, Pile):
        return item.location
    if isinstance(item, Group):
        return tuple(item.cards)
    return item


def explorer(program: Program, node: n.Node) -> Explore:
    """Return how a step is explored, with the rest of the option to come after it."""
    if not any(isinstance(inner, n.ForEach) and inner.choose for inner in n.walk(node)):
        act = step(program, node)

        def straight(world: World, rest: Rest) -> None:
            act(world)
            rest()

        return straight
    match node:
        case n.Do():
            return _sequence([explorer(program, inner) for inner in node.steps])
        case n.When():
            return _when(program, node)
        case n.Let():
            return _let(program, node)
        case n.ForEach():
            return _any(program, node) if node.choose else _all(program, node)
    raise AssertionError(node)


def _sequence(parts: list[Explore]) -> Explore:
    def explore(world: World, rest: Rest, at: int = 0) -> None:
        if at == len(parts):
            rest()
        else:
            parts[at](world, lambda: explore(world, rest, at + 1))

    return explore


def _when(program: Program, node: n.When) -> Explore:
    test = conditions.condition(program, node.test)
    body = explorer(program, node.body)

    def explore(world: World, rest: Rest) -> None:
        if test(world):
            body(world, rest)
        else:
            rest()

    return explore


def _let(program: Program, node: n.Let) -> Explore:
    value = bound(program, node.value)
    body = explorer(program, node.body)
    slot = node.variable.slot

    def explore(world: World, rest: Rest) -> None:
        world.env[slot] = value(world)
        body(world, rest)

    return explore


def _any(program: Program, node: n.ForEach) -> Explore:
    """Branch for each item in order; over nothing, go on with the rest."""
    items = collections.items(program, node.collection)
    body = explorer(program, node.body)
    slot = node.variable.slot

    def explore(world: World, rest: Rest) -> None:
        candidates = tuple(items(world))
        if not candidates:
            rest()
            return
        journal, path = world.journal, world.path
        assert journal is not None
        mark = len(journal)
        start = world.stream.words
        for ordinal, item in enumerate(candidates):
            world.env[slot] = item
            path.append(Pick(node, ordinal, _frozen(item)))
            body(world, rest)
            path.pop()
            world.undo_to(mark)
            world.stream.words = start

    return explore


def _all(program: Program, node: n.ForEach) -> Explore:
    """Explore the body for one item after the other; each may branch on its own.

    The variables are kept for when a branch of an earlier item is taken up again.
    """
    items = collections.items(program, node.collection)
    body = explorer(program, node.body)
    slot = node.variable.slot

    def explore(world: World, rest: Rest) -> None:
        candidates = tuple(items(world))

        def go_on(at: int) -> None:
            if at == len(candidates):
                rest()
                return
            saved = world.env.copy()
            world.env[slot] = candidates[at]
            body(world, lambda: go_on(at + 1))
            world.env[:] = saved

        go_on(0)

    return explore
