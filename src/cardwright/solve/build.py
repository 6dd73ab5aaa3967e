"""The tree of a game, from its rules: every draw of chance and every option is followed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from cardwright.compiler.kernels import game_trees as words
from cardwright.game.errors import GameError
from cardwright.game.game import State
from cardwright.game.option import Content, SeenDecision, Unseen, view_of
from cardwright.players.strategy import content_text, places_of
from cardwright.program.cards import Seat
from cardwright.solve.growth import (
    TooManyWaysError,
    TreeBrokenError,
    TreeGrowth,
    least_size,
    too_large,
    tree_engine,
)
from cardwright.solve.tree import (
    GameTree,
    InformationSet,
    MadeWhenSeen,
    TreeDraft,
    TreeTooLargeError,
    Utility,
    different_options,
    sight,
    story,
    utilities,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.game.game import Game
    from cardwright.game.native.engine import NativeEngine
    from cardwright.solve.tree import Integers, Reals

_FEW, _MANY = 256, 65_536
"""How many nodes are added before progress is first reported, and how many at most later on."""
_WHOLE = 100


def grown_tree(
    game: Game,
    engine: NativeEngine,
    *,
    utility: Utility,
    most_nodes: int,
    progress: Callable[[int, int], object] | None,
) -> GameTree:
    """Return the tree of a game that `tree_engine` gives an engine for; see `game_tree`."""
    growth = TreeGrowth(game, engine)
    parts: list[tuple[Integers, Integers]] = []
    size, more = 0, _FEW
    while not growth.done:
        try:
            parts.append(growth.grow(min(more, most_nodes - size)))
        except TreeBrokenError as broken:
            so_far = np.concatenate([*(rows for rows, _ in parts), broken.rows])
            raise _broken(game, so_far, broken) from None
        except TooManyWaysError:
            raise too_large(game, most_nodes, growth.followed) from None
        size += len(parts[-1][0])
        if size == most_nodes and not growth.done:
            raise too_large(game, most_nodes, growth.followed)
        more = min(2 * more, _MANY)
        if progress is not None:
            progress(int(growth.followed * _WHOLE), _WHOLE)
    rows, keys = (np.concatenate(part) for part in zip(*parts, strict=True))
    grown = _Grown(game, growth, rows)
    sets = _Sets(grown, *_numbered(rows), rows[:, words.EDGE])
    return _frozen(replace(sets, edges=_edges(sets, keys)), utility)


def _broken(game: Game, rows: Integers, broken: TreeBrokenError) -> GameError:
    """Return the error of a game that breaks a rule."""
    choices, node, edge = [], broken.parent, broken.edge
    while node >= 0:
        if rows[node, words.ACTOR] >= 0:
            choices.append(edge)
        node, edge = (int(rows[node, word]) for word in (words.PARENT, words.EDGE))
    return GameError(broken.fault, game.program, game.name, None, choices[::-1])


class _Grown:
    """The nodes of a tree in the order in which they were found: the first edge of each first."""

    def __init__(self, game: Game, growth: TreeGrowth, rows: Integers) -> None:
        self.game = game
        self.rows = rows
        self._growth = growth

    def path(self, node: int) -> list[int]:
        """Return the nodes from the root to a node."""
        path = []
        while node >= 0:
            path.append(node)
            node = int(self.rows[node, words.PARENT])
        return path[::-1]

    def state(self, node: int) -> State:
        """Return the state of a decision or of the end of a game."""
        step, ways = [words.BEGINS, 0, 0], 1
        steps = [step]
        path = self.path(node)
        for above, below in pairwise(path):
            edge = int(self.rows[below, words.EDGE])
            if self.rows[above, words.ACTOR] == words.CHANCE:
                step[1] += ways * edge
                step[2] += 1
                ways *= int(self.rows[above, words.COUNT])
            else:
                step, ways = [edge, 0, 0], 1
                steps.append(step)
        state = State(self.game, self._growth.board(steps), None)
        state.advance()
        state.begin_here()
        return state


@dataclass(frozen=True)
class _Sets:
    """The information sets of a tree, which are put into words one by one.

    `numbers` has that of each node (-1 where no seat decides), `firsts` the first node of each, and
    `edges` the edge that leads to each node, options numbered as in the first of these.
    """

    grown: _Grown
    numbers: Integers
    firsts: Integers
    edges: Integers

    @cached_property
    def described(self) -> Sequence[InformationSet]:
        """The information sets."""
        return MadeWhenSeen(len(self.firsts), self._described)

    def _described(self, number: int) -> InformationSet:
        node = int(self.firsts[number])
        row = self.grown.rows[node]
        state, seat = self.grown.state(node), Seat(int(row[words.ACTOR]))
        key = row[[words.KEY, words.OTHER_KEY]].tobytes().hex()
        view = view_of(state._board.world(), seat, seat, (), None)
        sees = filter(None, (sight(view, state.game.namer), self._story(node, seat)))
        options = state.options(brief=True)
        names = tuple(option.description for option in options)
        contents = tuple(content_text(option.content) for option in options)
        return InformationSet(seat, key, names, " | ".join(sees), contents)

    def _story(self, node: int, seat: int) -> str:
        """Return in words what was chosen on the way to a node, as a seat saw it."""
        rows = self.grown.rows
        record, chosen = [], []
        decided: tuple[int, int] | None = None
        for above, below in pairwise(self.grown.path(node)):
            if rows[above, words.ACTOR] >= 0:
                decided = above, below
            if decided is None or rows[below, words.ACTOR] == words.CHANCE:
                continue
            decision, after = decided
            hidden = rows[below, words.HIDDEN] >> seat & 1
            picks = (("", Unseen(None)),) if hidden else ()
            record.append(SeenDecision(Seat(rows[decision, words.ACTOR]), Content(0, picks)))
            known = self.described[self.numbers[decision]]
            chosen.append(known.options[self.edges[after]])
            decided = None
        return story(record, chosen)


def _numbered(rows: Integers) -> tuple[Integers, Integers]:
    """Return the number of each node's information set, and the first node of each.

    They are numbered in the order in which they are met.
    """
    deciding = np.flatnonzero(rows[:, words.ACTOR] >= 0)
    own = rows[deciding][:, [words.ACTOR, words.KEY, words.OTHER_KEY]]
    order = np.lexsort(own.T)
    new = np.any(np.diff(own[order], axis=0, prepend=own[order][:1] ^ 1) != 0, axis=1)
    firsts = order[new]  # sorting is stable, so that they are the first of each
    rank = np.empty_like(firsts)
    rank[np.argsort(firsts)] = np.arange(len(firsts))
    numbers = np.full(len(rows), -1, np.int64)
    numbers[deciding[order]] = rank[np.cumsum(new) - 1]
    return numbers, deciding[np.sort(firsts)]


def _edges(sets: _Sets, keys: Integers) -> Integers:
    """Return the edge of each node, options numbered as in the first node of the information set.

    Raises SolveError if options are not the same in states that a seat cannot tell apart.
    """
    rows, edges = sets.grown.rows, sets.edges.copy()
    deciding = np.flatnonzero(sets.numbers >= 0)
    first = sets.firsts[sets.numbers[deciding]]
    counts = np.where(sets.numbers >= 0, rows[:, words.COUNT], 0)
    starts = np.cumsum(counts) - counts
    alike = counts[deciding] == counts[first]
    here, there = deciding[alike], first[alike]
    which = np.repeat(np.arange(len(here)), counts[here])
    at = np.arange(len(which)) - (np.cumsum(counts[here]) - counts[here])[which]
    same = keys[starts[here][which] + at] == keys[starts[there][which] + at]
    alike[np.flatnonzero(alike)[which[~same]]] = False
    for node, known in zip(deciding[~alike].tolist(), first[~alike].tolist(), strict=True):
        own, other = (
            [str(key) for key in keys[starts[one] :][: counts[one]]] for one in (node, known)
        )
        if sorted(own) != sorted(other):
            raise different_options(sets.described[sets.numbers[node]])
        below = np.flatnonzero(rows[:, words.PARENT] == node)
        edges[below] = np.array(places_of(own, other))[rows[below, words.EDGE]]
    return edges


def _frozen(sets: _Sets, utility: Utility) -> GameTree:
    """Return the tree, with its nodes in order of depth."""
    rows = sets.grown.rows
    depths = np.bincount(rows[:, words.LEVEL])
    order = np.argsort(rows[:, words.LEVEL], kind="stable")
    renamed = np.empty_like(order)
    renamed[order] = np.arange(len(order))
    above = rows[:, words.PARENT]
    parents = np.where(above >= 0, renamed[above], -1)[order]
    actors = rows[:, words.ACTOR]
    drawn = (above >= 0) & (actors[above] == words.CHANCE)
    chances = np.where(drawn, 1.0 / np.maximum(rows[above, words.COUNT], 1), 1.0)
    return GameTree(
        parents,
        np.where(above >= 0, sets.edges, -1)[order],
        actors[order],
        sets.numbers[order],
        chances[order],
        _worth(sets.grown, utility)[order],
        (0, *np.cumsum(depths).tolist()),
        rows[sets.firsts, words.COUNT],
        sets.described,
    )


def _worth(grown: _Grown, utility: Utility) -> Reals:
    """Return what the end of a game is worth to each seat; 0 elsewhere."""
    over = np.flatnonzero(grown.rows[:, words.ACTOR] == words.OVER)
    scores, first, which = np.unique(
        grown.rows[over, words.ENDS :], axis=0, return_index=True, return_inverse=True
    )
    found = [utilities(grown.state(int(over[at])), utility) for at in first]
    worth = np.zeros((len(grown.rows), scores.shape[1]))
    worth[over] = np.array(found)[which.reshape(-1)]
    return worth


MOST_NODES = 1_000_000
"""The most nodes of a tree, if nothing else is said: up to 1 GB of memory."""

_AT_ONCE = 256
"""Nodes between two reports of progress."""
"""Parts of a tree in which progress is reported: it is not known how many nodes it has."""


@dataclass(frozen=True, slots=True)
class _OpenNode:
    """A state whose node is still to be added: where it belongs, and its share of the tree.

    `words` are the descriptions of the options chosen so far.
    """

    state: State
    parent: int
    edge: int
    share: float
    words: tuple[str, ...]


def game_tree(
    game: Game,
    *,
    utility: Utility = Utility.SCORE,
    most_nodes: int = MOST_NODES,
    progress: Callable[[int, int], object] | None = None,
) -> GameTree:
    """Return the tree of a game.

    `progress` is called from time to time with how much has been followed, and of how much, in
    equal shares for the edges of a node. Raises TreeTooLargeError for a game with more than
    `most_nodes` nodes, SolveError if seats do not remember, and GameError if the game breaks a rule
    on some path.
    """
    engine = tree_engine(game)
    size = least_size(game, most_nodes, engine)
    if size:
        raise TreeTooLargeError(
            f"the tree of {game.name} is too large: it has about 10^{size:.0f} nodes, and "
            f"{most_nodes:,} are allowed",
            0,
        )
    if engine is not None:
        return grown_tree(game, engine, utility=utility, most_nodes=most_nodes, progress=progress)
    return _built(game, utility, most_nodes, progress)


def _built(
    game: Game,
    utility: Utility,
    most_nodes: int,
    progress: Callable[[int, int], object] | None,
) -> GameTree:
    """Return the tree by the interpreter."""
    growth = _Growth(TreeDraft(game.players), utility)
    stack = [_OpenNode(game.start_chance(), -1, 0, 1.0, ())]
    seen = 0.0
    while stack:
        open_ = stack.pop()
        if growth.draft.size >= most_nodes:
            raise too_large(game, most_nodes, seen)
        below = growth.follow(open_)
        stack.extend(reversed(below))
        if not below:
            seen += open_.share
        if progress is not None and growth.draft.size % _AT_ONCE == 0:
            progress(int(seen * _WHOLE), _WHOLE)
    if progress is not None:
        progress(_WHOLE, _WHOLE)
    return growth.draft.freeze()


class _Growth:
    """A tree while it grows."""

    def __init__(self, draft: TreeDraft, utility: Utility) -> None:
        self.draft = draft
        self._utility = utility

    def follow(self, open_: _OpenNode) -> list[_OpenNode]:
        """Add the node of a state, and return the states that come next, in order of edges."""
        state, chance = open_.state, open_.state.chance
        if chance is not None:
            node = self.draft.chance(open_.parent, open_.edge, chance.probabilities)
            edges = [at for at, share in enumerate(chance.probabilities) if share > 0]
            return [self._drawn(open_, node, edge, chance.probabilities[edge]) for edge in edges]
        if state.finished:
            worth = utilities(state, self._utility)
            self.draft.terminal(open_.parent, open_.edge, worth)
            return []
        return self._decided(open_)

    def _drawn(self, open_: _OpenNode, node: int, edge: int, probability: float) -> _OpenNode:
        state = open_.state.copy()
        state.take_chance(edge)
        return _OpenNode(state, node, edge, open_.share * probability, open_.words)

    def _decided(self, open_: _OpenNode) -> list[_OpenNode]:
        state = open_.state
        number = self._information(open_)
        node = self.draft.decision(open_.parent, open_.edge, number)
        names = self.draft.sets[number].options
        contents = tuple(map(content_text, state.contents()))
        places = _places(contents, self.draft.sets[number])
        below = []
        for index, edge in sorted(enumerate(places), key=lambda pair: pair[1]):
            after = state.copy()
            after.play(index)
            words = (*open_.words, names[edge])
            below.append(_OpenNode(after, node, edge, open_.share / len(places), words))
        return below

    def _information(self, open_: _OpenNode) -> int:
        """Return the number of the information set of a decision; a new one is put into words."""
        state, seat = open_.state, open_.state.player
        assert seat is not None
        key = state.information(seat).hex()
        known = self.draft.known(seat, key)
        if known is not None:
            return known
        namer = state.game.namer
        told = story(state.record(seat), open_.words)
        sees = " | ".join(filter(None, (sight(state.view(seat), namer), told)))
        options = tuple(option.description for option in state.options(brief=True))
        contents = tuple(map(content_text, state.contents()))
        return self.draft.information(InformationSet(seat, key, options, sees, contents))


def _places(contents: tuple[str, ...], known: InformationSet) -> list[int]:
    """Return for each option its number in its information set, where they may be in other order.

    Options with equal contents are taken in turn. Raises SolveError if they are not the same.
    """
    if sorted(contents) != sorted(known.contents):
        raise different_options(known)
    return places_of(contents, known.contents)
