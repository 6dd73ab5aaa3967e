"""Trees of small games, built by hand."""

from __future__ import annotations

from itertools import permutations

from tree_draft import TreeDraft

from cardwright.solve.tree import GameTree, InformationSet

NEXT = {"": "pb", "p": "pb", "b": "pb", "pb": "pb"}


def kuhn() -> GameTree:
    """Return Kuhn poker, whose value is -1/18 for the first seat."""
    draft = TreeDraft(2)
    deals = list(permutations(range(3), 2))
    root = draft.chance(-1, 0, [1 / 6] * 6)
    for edge, cards in enumerate(deals):
        _kuhn_below(draft, root, edge, cards, "")
    return draft.freeze()


def _kuhn_below(
    draft: TreeDraft, parent: int, edge: int, cards: tuple[int, ...], said: str
) -> None:
    if said not in NEXT:
        won = 1 if cards[0] > cards[1] else -1
        worth = {"pp": won, "bp": 1, "pbp": -1, "bb": 2 * won, "pbb": 2 * won}[said]
        draft.terminal(parent, edge, (worth, -worth))
        return
    seat = len(said) % 2
    known = InformationSet(seat, (cards[seat], said), tuple(NEXT[said]))
    node = draft.decision(parent, edge, draft.information(known))
    for option, word in enumerate(NEXT[said]):
        _kuhn_below(draft, node, option, cards, said + word)


def matching(left: float = 1.0) -> GameTree:
    """Return matching pennies, in which both on the left wins `left` from the second seat."""
    draft = TreeDraft(2)
    root = draft.decision(-1, 0, draft.information(InformationSet(0, "a", ("left", "right"))))
    for first in range(2):
        other = draft.information(InformationSet(1, "b", ("left", "right")))
        node = draft.decision(root, first, other)
        for second in range(2):
            worth = (left if first == 0 else 1.0) if first == second else -1.0
            draft.terminal(node, second, (worth, -worth))
    return draft.freeze()
