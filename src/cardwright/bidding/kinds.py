"""The kinds of players of this package: importing this module registers them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.bidding.auctions import check_bridge, check_skat
from cardwright.game.search import MOST_ITERATIONS
from cardwright.players.kind import Loads, PlayerKind, register, whole
from cardwright.players.monte_carlo import Ismcts
from cardwright.players.spec import INFERENCE

if TYPE_CHECKING:
    from cardwright.bidding.bridge_player import BridgePlayer
    from cardwright.bidding.skat_player import SkatPlayer
    from cardwright.game.game import Game, State
    from cardwright.game.likelihood import ChoiceModel
    from cardwright.players.player import Decision, Player

_ITERATIONS = whole("iterations", 1_000, 1, MOST_ITERATIONS, "of the search, for each card")


def _bridge(iterations: int, inference: str | None = None) -> BridgePlayer:
    from cardwright.bidding.bridge_player import BridgePlayer

    return BridgePlayer(Ismcts(iterations=iterations, inference=inference))


def _bridge_model(decision: Decision) -> ChoiceModel[State]:
    from cardwright.bidding.bridge_player import CallModel, calls_seen

    check_bridge(decision.game)
    return CallModel(calls_seen(decision))


def _skat(iterations: int, inference: str | None = None) -> SkatPlayer:
    from cardwright.bidding.skat_player import SkatPlayer, card_search

    return SkatPlayer(card_search(iterations, inference))


def _skat_model(decision: Decision) -> ChoiceModel[State]:
    from cardwright.bidding.skat_player import model

    return model(decision)


def _for_bridge(_player: Player, game: Game) -> None:
    check_bridge(game)


def _for_skat(_player: Player, game: Game) -> None:
    check_skat(game)


register(
    "bridge",
    PlayerKind(
        _bridge,
        (_ITERATIONS, INFERENCE),
        "Bridge: bids by points and lengths of suits, and plays cards by tree search",
        caution=_for_bridge,
        loads=Loads.NOTHING,
        model=_bridge_model,
    ),
)
register(
    "skat",
    PlayerKind(
        _skat,
        (_ITERATIONS, INFERENCE),
        "Skat: bids by counting trumps, aces and tens, and plays cards by tree search",
        caution=_for_skat,
        loads=Loads.NOTHING,
        model=_skat_model,
    ),
)
