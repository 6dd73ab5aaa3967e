"""The tree of a game, from its rules: every draw of chance and every option is followed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.players.strategy import content_text, places_of
from cardwright.solve.errors import TreeTooLargeError
from cardwright.solve.growing import grown_tree
from cardwright.solve.size import least_size, too_large
from cardwright.solve.tree import InformationSet, TreeDraft, different_options
from cardwright.solve.tree_growth import tree_engine
from cardwright.solve.utility import Utility, utilities
from cardwright.solve.words import sight, story

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.game.game import Game, State
    from cardwright.solve.tree import GameTree

MOST_NODES = 1_000_000
"""The most nodes of a tree, if nothing else is said: up to 1 GB of memory."""

_AT_ONCE = 256
"""Nodes between two reports of progress."""
_WHOLE = 100
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
