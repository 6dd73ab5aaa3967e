"""The kinds of players of this package: importing this module registers them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from cardwright.english import agreed, listed
from cardwright.game.errors import EngineError
from cardwright.game.search import MOST_EXPLORATION, MOST_ITERATIONS, MOST_TREES, SearchReward
from cardwright.hearts.cards import SUIT_NAMES, cards_of, format_card
from cardwright.hearts.family import family_of
from cardwright.hearts.rule import CorinPlayer, FirstPlayer, LowestPlayer
from cardwright.hearts.shipped import DEFAULT, shipped
from cardwright.players.kind import Loads, Parameter, PlayerKind, choice, real, register, whole
from cardwright.players.spec import MILLISECONDS

if TYPE_CHECKING:
    from cardwright.game.game import Game
    from cardwright.hearts.hierarchy import HierarchyPlayer
    from cardwright.players.player import Player

_TRICKS = {
    "EACHTRICK": "each trick",
    "FIRSTTAKEN": "the first trick",
    "LASTTAKEN": "the last trick",
    "NOTRICKS": "taking no trick",
}
"""Constants that price tricks, whatever cards are in them."""

_RANK_NAMES = {"J": "jack", "Q": "queen", "K": "king", "A": "ace", "T": "ten"}


def _needs_family(_player: Player, game: Game) -> None:
    """Raise NotHeartsError for a game that is not of the Hearts family."""
    family_of(game)


def _needs_search(_player: Player, game: Game) -> None:
    """Raise NotHeartsError as above, and EngineError where no tree can be searched."""
    family_of(game)
    if game.engine_name == "interpreter":
        raise EngineError(
            f"this player needs the native engine, and this game is played by the "
            f"{game.engine_name}: take rule or hierarchy, or the native engine"
        )


def blind_spots(player: Player, game: Game) -> str | None:
    """Return what rules of thumb do not see in a game, if anything; raises NotHeartsError."""
    from cardwright.hearts.hierarchy import HierarchyPlayer

    family = family_of(game)
    if family.name == "knaves":
        return "tricks count for who takes them, and it takes as few as it can"
    unseen = []
    prices = [
        f"{what} ({value:+})"
        for name, what in _TRICKS.items()
        if isinstance(value := game.declared.get(name, 0), int) and value
    ]
    if prices:
        unseen.append(f"it does not see what {listed(prices)} {agreed('count', len(prices))}")
    if family.bonuses and isinstance(player, HierarchyPlayer) and not _takes_bonuses(player):
        bonuses = listed(map(_named, cards_of(family.bonuses)))
        unseen.append(
            f"it leaves {bonuses} to the others, which is good to have: its lists "
            "have no `take_bonus`"
        )
    return "; ".join(unseen) or None


def _takes_bonuses(player: HierarchyPlayer) -> bool:
    lists = player.hierarchy
    played = filter(None, (lists.second, lists.third, lists.fourth))
    return any(step.selector.name == "take_bonus" for listed in played for step in listed.steps)


def _named(card: int) -> str:
    rank = format_card(card)[0]
    return f"the {_RANK_NAMES.get(rank, rank)} of {SUIT_NAMES[card >> 4]}"


def _hierarchy(file: str = DEFAULT) -> HierarchyPlayer:
    from cardwright.hearts.hierarchy import Hierarchy, HierarchyPlayer

    return HierarchyPlayer(Hierarchy.load(file))


def _expert(**settings: Any) -> Player:
    from cardwright.hearts.expert import Expert

    return Expert(**settings)


_FILE = Parameter(
    "file", str, "the path of a file", DEFAULT, "a hierarchy in TOML, or default, rule, plain"
)

KINDS = {
    "first": PlayerKind(FirstPlayer, about="takes the first option, in any game"),
    "lowest": PlayerKind(
        LowestPlayer,
        about="Hearts: always the lowest card",
        caution=_needs_family,
    ),
    "corin-random": PlayerKind(
        CorinPlayer,
        about="Hearts: draws a suit first, then a card of it",
        caution=_needs_family,
    ),
    "rule": PlayerKind(
        partial(_hierarchy, "rule"),
        about="Hearts: rules of common sense, without search",
        caution=blind_spots,
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
                *("pass_iterations", None, 1, MOST_ITERATIONS),
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
        caution=_needs_search,
    ),
}
"""The players of Hearts by name."""

for _name, _kind in KINDS.items():
    register(_name, _kind)
