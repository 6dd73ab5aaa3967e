"""The kinds of players of this package: importing this module registers them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.game.search import MOST_EXPLORATION, MOST_ITERATIONS, MOST_TREES, SearchReward
from cardwright.hearts.cautions import blind_spots, needs_family, needs_search
from cardwright.hearts.hierarchy import HierarchyPlayer
from cardwright.hearts.hierarchy_file import DEFAULT, load_hierarchy, shipped
from cardwright.hearts.simple import CorinPlayer, FirstPlayer, LowestPlayer
from cardwright.players.kind import PlayerKind, register
from cardwright.players.kinds import MILLISECONDS
from cardwright.players.parameter import Parameter, choice, real, whole
from cardwright.players.trust import Loads

if TYPE_CHECKING:
    from cardwright.players.player import Player


def _hierarchy(file: str = DEFAULT) -> HierarchyPlayer:
    return HierarchyPlayer(load_hierarchy(file))


def _rule() -> HierarchyPlayer:
    return HierarchyPlayer(load_hierarchy("rule"))


def _expert(**settings: Any) -> Player:
    from cardwright.hearts.expert import Expert

    return Expert(**settings)


_FILE = Parameter(
    "file", str, "the path of a file", DEFAULT, "a hierarchy in TOML, or default, rule, plain"
)

KINDS = {
    "first": PlayerKind(
        FirstPlayer, about="takes the first option, in any game", loads=Loads.NOTHING
    ),
    "lowest": PlayerKind(
        LowestPlayer,
        about="Hearts: always the lowest card",
        caution=needs_family,
        loads=Loads.NOTHING,
    ),
    "corin-random": PlayerKind(
        CorinPlayer,
        about="Hearts: draws a suit first, then a card of it",
        caution=needs_family,
        loads=Loads.NOTHING,
    ),
    "rule": PlayerKind(
        _rule,
        about="Hearts: rules of common sense, without search",
        caution=blind_spots,
        loads=Loads.NOTHING,
    ),
    "hierarchy": PlayerKind(
        _hierarchy,
        about="Hearts: ordered lists of selectors from a file",
        argument=_FILE,
        caution=blind_spots,
        shipped=shipped(),
        loads=Loads.FILE,
    ),
    "expert": PlayerKind(
        _expert,
        (
            whole("iterations", 7_500, 1, MOST_ITERATIONS, "iterations in each tree"),
            whole(
                "pass_iterations",
                None,
                1,
                MOST_ITERATIONS,
                "the same to pass cards; four times as many if not given",
            ),
            real("c", 0.4, 0, MOST_EXPLORATION, "exploration constant"),
            real("epsilon", 0.1, 0, 1, "probability of a random choice in playouts"),
            real("widening", 2.0, 0, 100, "factor of progressive widening; 0: none"),
            choice("reward", SearchReward.SCORE, "what it maximises in a single deal"),
            whole("passes", 24, 1, 1_000, "sets of cards that it considers for passing"),
            whole("trees", 1, 1, MOST_TREES, "trees, whose root statistics are added up"),
            whole("threads", 1, 1, 256, "threads; their number changes no result"),
            MILLISECONDS,
        ),
        "Hearts: tree search with rule-based playouts, searched passes, and play for the match",
        caution=needs_search,
        loads=Loads.NOTHING,
    ),
}
"""The players of Hearts by name."""

for _name, _kind in KINDS.items():
    register(_name, _kind)
