"""The tree of a game, from its rules: every draw of chance and every option is followed.

Machine code builds it where it can, else the interpreter does; both give the same nodes. What seats
know is compared by hashes of 128 bits, and put into words only where somebody looks.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from cardwright.compiler.kernels import game_trees as words
from cardwright.game.option import view_of
from cardwright.players.strategy import content_text, places_of
from cardwright.program.cards import Seat
from cardwright.solve.growth import TooManyWaysError, begun, least_size, tree_engine
from cardwright.solve.tree import (
    GameTree,
    InformationSet,
    MadeWhenSeen,
    TreeTooLargeError,
    Utility,
    different_options,
    of_scores,
    seen_in_words,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.game.game import Game
    from cardwright.solve.growth import PlainGrowth, TreeGrowth
    from cardwright.solve.tree import Integers

MOST_NODES = 1_000_000
"""The most nodes of a tree, if nothing else is said: up to 1 GB of memory."""

_FEW = 256
"""How many nodes are added before progress is first reported; later they are more and more."""

_WHOLE = 100
"""Parts of a tree in which progress is reported: it is not known how many nodes it has."""


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
    if size := least_size(game, most_nodes, engine):
        raise TreeTooLargeError(
            f"the tree of {game.name} is too large: it has about 10^{size:.0f} nodes, and "
            f"{most_nodes:,} are allowed",
            0,
        )
    growth = begun(game, engine)
    parts: list[tuple[Integers, Integers]] = []
    left, more = most_nodes, _FEW
    while not growth.done:
        try:
            parts.append(growth.grow(min(more, left)))
            left -= len(parts[-1][0])
        except TooManyWaysError:
            left = 0
        if not left and not growth.done:
            raise TreeTooLargeError(
                f"the tree of {game.name} is too large: at {most_nodes:,} nodes, the most allowed, "
                f"about {100 * growth.followed:.2g} % of it had been followed",
                most_nodes,
            )
        more = min(2 * more, growth.at_once)
        if progress is not None:
            progress(int(growth.followed * _WHOLE), _WHOLE)
    rows, keys = (np.concatenate(part) for part in zip(*parts, strict=True))
    return _Grown(game, growth, rows, keys).tree(utility)


class _Grown:
    """The nodes of a tree in the order in which they were found: the first edge of each first.

    `numbers` has the information set of each node (-1 where no seat decides), `firsts` the first
    node of each set, and `edges` the edge that leads to each node, options numbered as in the first
    node of their set.
    """

    def __init__(
        self, game: Game, growth: PlainGrowth | TreeGrowth, rows: Integers, keys: Integers
    ) -> None:
        self.game = game
        self.rows = rows
        self.edges = rows[:, words.EDGE]
        self.numbers, self.firsts = _numbered(rows)
        self.sets = MadeWhenSeen(len(self.firsts), self._described)
        self._growth = growth
        self.edges = self._alike(keys)

    def _alike(self, keys: Integers) -> Integers:
        """Return the edges with options numbered as in the first node of the information set.

        Raises SolveError if options are not the same in states that a seat cannot tell apart.
        """
        rows, edges = self.rows, self.edges.copy()
        deciding = np.flatnonzero(self.numbers >= 0)
        first = self.firsts[self.numbers[deciding]]
        counts = np.where(self.numbers >= 0, rows[:, words.COUNT], 0)
        starts = np.cumsum(counts) - counts
        alike = counts[deciding] == counts[first]
        here, there = deciding[alike], first[alike]
        which = np.repeat(np.arange(len(here)), counts[here])
        at = np.arange(len(which)) - (np.cumsum(counts[here]) - counts[here])[which]
        same = keys[starts[here][which] + at] == keys[starts[there][which] + at]
        alike[np.flatnonzero(alike)[which[~same]]] = False
        for node, known in zip(deciding[~alike].tolist(), first[~alike].tolist(), strict=True):
            own, first_keys = (
                [str(key) for key in keys[starts[at_node] :][: counts[at_node]]]
                for at_node in (node, known)
            )
            if sorted(own) != sorted(first_keys):
                raise different_options(self.sets[self.numbers[node]])
            below = np.flatnonzero(rows[:, words.PARENT] == node)
            edges[below] = np.array(places_of(own, first_keys))[rows[below, words.EDGE]]
        return edges

    def _described(self, number: int) -> InformationSet:
        """Return an information set, put into words."""
        path, node = [], int(self.firsts[number])
        while node >= 0:
            path.append(node)
            node = int(self.rows[node, words.PARENT])
        path = path[::-1]
        rows = self.rows[path]
        seat = Seat(int(rows[-1, words.ACTOR]))
        state = self._growth.state(rows)
        chosen = [
            self.sets[int(self.numbers[above])].options[self.edges[below]]
            for above, below in pairwise(path)
            if self.numbers[above] >= 0
        ]
        view = view_of(state._board.world(), seat, seat, (), None)
        record = self._growth.record(rows, state, seat)
        sees = seen_in_words(view, self.game.namer, record, chosen)
        options = state.options(brief=True)
        names = tuple(option.description for option in options)
        contents = tuple(content_text(option.content) for option in options)
        key = rows[-1, [words.KEY, words.OTHER_KEY]].tobytes().hex()
        return InformationSet(seat, key, names, sees, contents)

    def tree(self, utility: Utility) -> GameTree:
        """Return the tree, with its nodes in order of depth."""
        rows, actors = self.rows, self.rows[:, words.ACTOR]
        order = np.argsort(rows[:, words.LEVEL], kind="stable")
        renamed = np.empty_like(order)
        renamed[order] = np.arange(len(order))
        inner = rows[:, words.PARENT] >= 0
        scores = rows[:, words.ENDS :] * (1.0 if self.game.highest_wins else -1.0)
        worth = np.zeros_like(scores)
        worth[actors == words.OVER] = of_scores(scores[actors == words.OVER], utility)
        return GameTree(
            np.where(inner, renamed[rows[:, words.PARENT]], -1)[order],
            np.where(inner, self.edges, -1)[order],
            actors[order],
            self.numbers[order],
            self._growth.chances(rows)[order],
            worth[order],
            (0, *np.cumsum(np.bincount(rows[:, words.LEVEL])).tolist()),
            rows[self.firsts, words.COUNT],
            self.sets,
        )


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
