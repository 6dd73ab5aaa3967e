"""What players that bid have in common: which games they know, their cards, and the card play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.game.errors import CardwrightError
from cardwright.game.option import Back
from cardwright.players.monte_carlo import FlatMonteCarlo

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.game.game import Game
    from cardwright.players.monte_carlo import Ismcts
    from cardwright.players.player import Decision

_BRIDGE = {"DEALER", "VULNERABLE"}
_SKAT = {"JUMPS", "RAMSCH", "SEEGER"}
"""The constants by which the games are recognised."""

_INTERPRETED = FlatMonteCarlo(20)
"""Plays cards on the interpreter, where no tree is searched."""


class UnknownAuctionError(CardwrightError):
    """A player that bids by the rules of one game was asked to play another."""

    wrong_call = True


def check_bridge(game: Game) -> None:
    """Raise UnknownAuctionError for any game but Bridge; a copy is recognised by its constants."""
    _check(game, "bridge", _BRIDGE, 4, 52)


def check_skat(game: Game) -> None:
    """Raise UnknownAuctionError for any game but Skat; a copy is recognised by its constants."""
    _check(game, "skat", _SKAT, 3, 32)


def _check(game: Game, name: str, signs: set[str], players: int, cards: int) -> None:
    if not signs <= game.declared.keys() or (game.players, len(game.cards)) != (players, cards):
        raise UnknownAuctionError(
            f"the player {name!r} bids by what calls mean in {name}, and cannot play {game.name}: "
            "take one that plays any game, as ismcts"
        )


def own_cards(decision: Decision, name: str = "HAND") -> list[Mapping[str, str]]:
    """Return the attributes of the cards in a place of the deciding seat."""
    return [
        card.attributes
        for location, cards in decision.view.locations.items()
        if int(location.owner) == decision.seat and location.name == name
        for card in cards
        if not isinstance(card, Back)
    ]


def searched(decision: Decision, search: Ismcts) -> int:
    """Return the option that a search chooses; on the interpreter it is flat Monte Carlo."""
    compiled = decision.game.engine_name != "interpreter"
    return search.choose(decision) if compiled else _INTERPRETED.choose(decision)
