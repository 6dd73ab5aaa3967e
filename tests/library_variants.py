"""Library games with other values of their declared constants, such as change what they do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright import Game
from cardwright.library.catalogue import facts, names

if TYPE_CHECKING:
    from cardwright.program.constants import Constant

OPTIONS: tuple[tuple[str, dict[str, Constant]], ...] = (
    ("agram", {"PLAYERS": 5, "HANDSIZE": 7}),
    ("blackjack", {"DECKS": 2, "DOUBLING": 0, "HITSOFT": 1}),
    ("blackjack", {"DECKS": 6, "BET": 3, "NATURAL": 4}),
    ("crazyeights", {"PLAYERS": 5, "HANDSIZE": 9, "RESHUFFLES": 0}),
    ("crazyeights", {"PLAYERS": 2, "EIGHTCOST": 20}),
    ("cribbage", {"HANDSIZE": 5, "LIMIT": 20}),
    ("euchre", {"STICK": 1, "LONE": 0, "LONEMARCH": 2}),
    ("gofish", {"PLAYERS": 3, "HANDSIZE": 7, "PATIENCE": 3}),
    ("golfsix", {"PLAYERS": 2, "FACEUP": 0, "ROUNDS": 3}),
    ("goofspiel", {"CARRY": 1}),
    ("hearts", {"QUEEN": 1}),
    ("leduc", {"ANTE": 3, "STEP": 1, "MAXRAISES": 5}),
    ("president", {"REENTER": 0, "EQUAL": 1}),
    ("rummy", {"HANDSIZE": 7, "MELDLIMIT": 3, "ROUNDS": 9}),
    ("scopa", {"HANDSIZE": 9, "SWEEP": 2, "REBELLO": 1}),
    ("whist", {"HANDSIZE": 5}),
)
"""At least one of each game, with every constant at some other value than its own."""


def variants() -> list[tuple[str, dict[str, Constant]]]:
    """Return every game as it is, with each number of players, and with other options."""
    seats: list[tuple[str, dict[str, Constant]]] = [
        (name, {"PLAYERS": players})
        for name in names()
        for players in facts(name).players
        if "PLAYERS" in facts(name).declared and players != facts(name).default_players
    ]
    return [*((name, {}) for name in names()), *seats, *OPTIONS]


def label(variant: tuple[str, dict[str, Constant]]) -> str:
    """Return the name of a variant, for people."""
    name, declared = variant
    return " ".join([name, *(f"{key}={value}" for key, value in declared.items())])


def load(variant: tuple[str, dict[str, Constant]]) -> Game:
    """Load a variant of a game."""
    name, declared = variant
    return Game.load(name, **declared)
