"""What players that bid have in common: which games they know, their cards, and the card play."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from cardwright.game.errors import CardwrightError
from cardwright.players.monte_carlo import FlatMonteCarlo
from cardwright.program.cards import Location, LocationKind, OwnerId, Seat

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.game.actions.fast_view import FastViewSpec
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


class OwnCards(NamedTuple):
    """What a seat sees of its own: its hand, what it has laid away in Skat, and the bid there."""

    hand: list[Mapping[str, str]]
    away: list[Mapping[str, str]]
    bid: int


def own_cards(decision: Decision) -> OwnCards:
    """Return the attributes of the cards that the deciding seat holds."""
    game = decision.game
    if game not in _LOOKS:
        _LOOKS[game] = tuple(_look(game, Seat(seat)) for seat in range(game.players))
    cards, (bid,), _ = decision.fast_view(_LOOKS[game][decision.seat])
    hand, away = ([game.cards[card].attributes for card in place] for place in cards)
    return OwnCards(hand, away, bid)


_LOOKS: WeakKeyDictionary[Game, tuple[FastViewSpec, ...]] = WeakKeyDictionary()


def _look(game: Game, seat: Seat) -> FastViewSpec:
    from cardwright.game.actions.fast_view import FastViewSpec

    owner = OwnerId(seat)
    places = [Location(owner, LocationKind.INVISIBLE, name) for name in ("HAND", "SKAT")]
    return FastViewSpec(game.program, seat, places, [(game.program.table, "BID")])


def searched(decision: Decision, search: Ismcts) -> int:
    """Return the option that a search chooses; on the interpreter it is flat Monte Carlo."""
    compiled = decision.game.engine_name != "interpreter"
    return search.choose(decision) if compiled else _INTERPRETED.choose(decision)
