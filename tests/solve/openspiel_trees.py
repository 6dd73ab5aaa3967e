"""Trees of OpenSpiel's games, from what its states say."""

from __future__ import annotations

from typing import Any

from tree_draft import TreeDraft

import needed
from cardwright.solve.tree import GameTree, InformationSet

pyspiel = needed.module("pyspiel")


def openspiel_tree(name: str) -> GameTree:
    """Return the tree of a game of OpenSpiel."""
    game = pyspiel.load_game(name)
    draft = TreeDraft(game.num_players())
    _below(draft, game.new_initial_state(), -1, 0)
    return draft.freeze()


def _below(draft: TreeDraft, state: Any, parent: int, edge: int) -> None:
    if state.is_terminal():
        draft.terminal(parent, edge, state.returns())
        return
    if state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes(), strict=True)
        node = draft.chance(parent, edge, chances)
    else:
        seat, actions = state.current_player(), tuple(state.legal_actions())
        key = state.information_state_string(seat)
        known = InformationSet(seat, key, tuple(map(str, actions)))
        node = draft.decision(parent, edge, draft.information(known))
    for at, action in enumerate(actions):
        _below(draft, state.child(action), node, at)
