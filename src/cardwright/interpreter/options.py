"""How the options of a choice are built.

Each step of a choice is explored as a tree: every `any` is a branch point with a branch for each of
its items, and the rest of the step runs on every path. Effects happen in the world itself, are
recorded along the path, and are undone back to each branch point, so that building leaves no trace.
The random stream belongs to the path: what is drawn on it is drawn again when its option is carried
out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from cardwright.interpreter import collections, conditions
from cardwright.interpreter.fault import Fault
from cardwright.interpreter.labels import Said, sayer
from cardwright.interpreter.steps import bound, step
from cardwright.interpreter.world import Pile, VirtualLocation
from cardwright.program import nodes as n
from cardwright.program.limits import MOST_PICKS, OPTION_WORDS, TOO_MANY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cardwright.interpreter.effects import Effect
    from cardwright.interpreter.stream import Words
    from cardwright.interpreter.world import World
    from cardwright.program.cards import CardId, Location
    from cardwright.program.program import Program
    from cardwright.syntax.source import Span

    Explore: TypeAlias = "Callable[[_Search, Todo], Todo]"
    Todo: TypeAlias = "tuple[Explore, Todo] | None"


class Pick(NamedTuple):
    """What one `any` on the path to an option took: the ordinal of the item, and the item.

    The item is an integer, a string, a seat, a team or a card, by the variable's kind; a location
    is itself, and a group of cards is its cards.
    """

    node: n.ForEach
    ordinal: int
    item: int | str | Location | tuple[CardId, ...]


class BuiltOption(NamedTuple):
    """An option: its step in the choice, what was picked, its effects, and the stream after it.

    `said` is what labels say of it, if that was wanted.
    """

    branch: int
    picks: tuple[Pick, ...]
    effects: tuple[Effect, ...]
    words: Words
    said: tuple[Said, ...] = ()


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
    search = _Search(world, span)
    try:
        for branch, explore in enumerate(explorers):
            for _ in search.ends(explore):
                if journal:
                    if len(found) >= most:
                        raise Fault("capacity", TOO_MANY, span)
                    picks = tuple(world.path)
                    said = tuple(world.said or ())
                    words = world.stream.words
                    found.append(BuiltOption(branch, picks, tuple(journal), words, said))
            search.back_to(0, 0, 0, start)
    finally:
        world.journal = world.said = None
    return found


class _Search:
    """A depth-first walk over all paths through a step, the first item first.

    The work left on a path is a list, and the branch points are a stack; nothing recurses, so a
    path may be as long as the language allows.
    """

    def __init__(self, world: World, span: Span) -> None:
        self.world = world
        self._span = span
        self._branch_points: list[_BranchPoint] = []

    def ends(self, explore: Explore) -> Iterator[None]:
        """Go to the end of each path in order."""
        todo: Todo = (explore, None)
        while True:
            while todo is not None:
                task, rest = todo
                todo = task(self, rest)
            yield
            while self._branch_points and not self._branch_points[-1].left:
                self._branch_points.pop()
            if not self._branch_points:
                return
            point = self._branch_points[-1]
            self.back_to(point.mark, point.picks, point.said, point.words)
            self.world.env[:] = point.env
            todo = point.take(self.world)

    def part(self, node: n.ForEach, items: Sequence[Any], body: Explore, rest: Todo) -> Todo:
        """Take the first of some items; the others follow when this path has ended."""
        world = self.world
        assert world.journal is not None
        if len(world.path) >= MOST_PICKS:
            raise Fault("depth", "too many choices within one option", self._span)
        point = _BranchPoint(
            node, items, (body, rest), world.env.copy(),
            len(world.journal), len(world.path), len(world.said or ()),
            world.stream.words, len(items),
        )  # fmt: skip
        self._branch_points.append(point)
        return point.take(world)

    def back_to(self, mark: int, picks: int, said: int, words: Words) -> None:
        """Undo what was done since a branch point, or since the beginning."""
        self.world.undo_to(mark)
        del self.world.path[picks:]
        if self.world.said is not None:
            del self.world.said[said:]
        self.world.stream.words = words


@dataclass(slots=True)
class _BranchPoint:
    """An `any` on a path: its items and how many are left, what follows, and the state there."""

    node: n.ForEach
    items: Sequence[Any]
    then: tuple[Explore, Todo]
    env: list[Any]
    mark: int
    picks: int
    said: int
    words: Words
    left: int

    def take(self, world: World) -> Todo:
        """Take the next item, and return the work to do with it and after it."""
        ordinal = len(self.items) - self.left
        item = self.items[ordinal]
        self.left -= 1
        world.env[self.node.variable.slot] = item
        world.path.append(Pick(self.node, ordinal, _frozen(item)))
        return self.then


def _frozen(item: Any) -> Any:
    """Return what was picked as a value, since a group loses its cards when they are moved out."""
    if isinstance(item, Pile):
        return item.location
    if isinstance(item, VirtualLocation):
        return tuple(item.cards)
    return item


def explorer(program: Program, node: n.Node) -> Explore:
    """Return a step's explorer: it does its own part, and returns the work to do next."""
    if not any(isinstance(inner, n.ForEach) and inner.choose for inner in n.walk(node)):
        act = step(program, node)

        def straight(search: _Search, rest: Todo) -> Todo:
            act(search.world)
            return rest

        return straight
    match node:
        case n.Do():
            return _sequence(program, node)
        case n.When():
            return _when(program, node)
        case n.Let():
            return _let(program, node)
        case n.ForEach():
            return _any(program, node) if node.choose else _all(program, node)
    raise AssertionError(node)


def _sequence(program: Program, node: n.Do) -> Explore:
    parts = [explorer(program, inner) for inner in node.steps]
    say = sayer(program, node)

    def explore(search: _Search, rest: Todo) -> Todo:
        if say is not None:
            say(search.world)
        for part in reversed(parts):
            rest = part, rest
        return rest

    return explore


def _when(program: Program, node: n.When) -> Explore:
    test = conditions.condition(program, node.test)
    body = explorer(program, node.body)

    def explore(search: _Search, rest: Todo) -> Todo:
        return (body, rest) if test(search.world) else rest

    return explore


def _let(program: Program, node: n.Let) -> Explore:
    value = bound(program, node.value)
    body = explorer(program, node.body)
    slot = node.variable.slot

    def explore(search: _Search, rest: Todo) -> Todo:
        search.world.env[slot] = value(search.world)
        return body, rest

    return explore


def _counted(program: Program, node: n.ForEach) -> Explore:
    """Return the explorer of a loop's body, which counts its rounds if they are to be counted."""
    body = explorer(program, node.body)
    if not program.rounds.counted(node):
        return body
    span = node.span

    def explore(search: _Search, rest: Todo) -> Todo:
        search.world.count(1, span)
        return body(search, rest)

    return explore


def _any(program: Program, node: n.ForEach) -> Explore:
    """Branch for each item in order; over an empty collection, go on with the rest."""
    items = collections.items(program, node.collection)
    body = _counted(program, node)

    def explore(search: _Search, rest: Todo) -> Todo:
        candidates = tuple(items(search.world))
        return search.part(node, candidates, body, rest) if candidates else rest

    return explore


def _all(program: Program, node: n.ForEach) -> Explore:
    """Explore the body for each item in order; paths may branch in each."""
    items = collections.items(program, node.collection)
    body = _counted(program, node)
    slot = node.variable.slot

    def explore(search: _Search, rest: Todo) -> Todo:
        candidates = tuple(items(search.world))

        def go_on(at: int, search: _Search, rest: Todo) -> Todo:
            if at == len(candidates):
                return rest
            search.world.env[slot] = candidates[at]
            return body, (partial(go_on, at + 1), rest)

        return go_on(0, search, rest)

    return explore
