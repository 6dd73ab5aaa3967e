"""Data for the machine code of searches whose playouts follow simple rules of Hearts."""

from __future__ import annotations

import ctypes
import math
from typing import TYPE_CHECKING

from cardwright.compiler.kernels.rewards import ONE
from cardwright.compiler.native import searches_by
from cardwright.game.native import native_engine
from cardwright.game.search_native import Playouts
from cardwright.hearts.cards import HEARTS, SPADES, rank_of, suit_of
from cardwright.hearts.family import HeartsFamily, family_of
from cardwright.hearts.kernels import playouts
from cardwright.program import nodes as n
from cardwright.program.cards import Location, LocationKind, OwnerId

if TYPE_CHECKING:
    from cardwright.game.game import Game
    from cardwright.game.native import NativeEngine

RULED = searches_by("searches of Hearts", "cardwright.hearts.kernels.playouts")
"""The functions for tree search with rule-based Hearts playouts."""

_ALWAYS = 1 << 16
_NUMBERS = 64
_A_DEAL = 10
"""Points by which the highest score of a match rises per deal, roughly."""

_SWING = 5.0
"""The spread that one deal adds to the standing of a match, in points: see `_worths`."""


def playouts_of(game: Game, chance: float) -> Playouts:
    """Return rule-based playouts for a game of the family; `chance` is that of a random choice.

    Their rewards are the chance to win in a match, and those of the task in other games.
    Raises NotHeartsError for other games, and EngineError for other engines than the native one.
    """
    engine = native_engine(game, "this player needs")
    end = _end(game)
    words = _words(engine, end, family_of(game))
    words[playouts.CHANCE] = round(chance * _ALWAYS)
    return Playouts(RULED, (ctypes.c_int64 * len(words))(*words), match=bool(end))


def _words(engine: NativeEngine, end: int, family: HeartsFamily) -> list[int]:
    """Return the kernels' data, laid out by their constants."""
    layout = engine.native.layout
    slots = {location: slot for slot, location in enumerate(layout.places.locations)}
    seats = [OwnerId(seat) for seat in range(family.players)]
    parts = {
        playouts.WORTHS: _worths(end) if end else [],
        playouts.TRICKS: [
            *(slots[Location(seat, LocationKind.VISIBLE, "TRICK")] for seat in seats),
            *(slots[Location(seat, LocationKind.INVISIBLE, "HAND")] for seat in seats),
        ],
        playouts.NUMBERS: list(family.numbers),
        playouts.CARDS_BY: [
            family.numbers.index(number) if number in family.numbers else 0
            for number in range(_NUMBERS)
        ],
        playouts.RUNS: _runs(family),
        playouts.DANGERS: [*_dangers(family, guarded=False), *_dangers(family, guarded=True)],
        playouts.FORMS: engine.pick_forms.words.tolist(),
    }
    queen = family.queen
    words = [0] * (playouts.FORMS + 1)
    words[playouts.QUEEN] = 0 if queen is None else 1 << queen
    words[playouts.QUEEN_CARD] = 0 if queen is None else family.numbers.index(queen)
    words[playouts.PLAY] = _play(engine)
    words[playouts.END] = end
    for name, part in parts.items():
        words[name] = len(words) if part else 0
        words += part
    return words


def _end(game: Game) -> int:
    """Return the score that ends a match; 0 for a game of a fixed number of deals."""
    declared = game.declared
    end = declared.get("END", 0)
    return end if isinstance(end, int) and declared.get("ROUNDS") == 0 else 0


def _play(engine: NativeEngine) -> int:
    """Return the index of the program's choice of a card to play."""
    for item in engine.native.plan.choices:
        names = [node.name for node in n.walk(item.node) if isinstance(node, n.Place)]
        if any(isinstance(name, n.Text) and name.value == "TRICK" for name in names):
            return item.pc
    raise AssertionError("a game of the Hearts family has tricks")


def _runs(family: HeartsFamily) -> list[int]:
    """Return the suits as runs of cards and numbers; nothing if they are none."""
    runs = []
    for suit in range(4):
        own = [card for card, number in enumerate(family.numbers) if suit_of(number) == suit]
        if not own:
            runs += [0, 0, 0]
            continue
        lowest = family.numbers[own[0]]
        if [(card, family.numbers[card]) for card in own] != [
            (own[0] + at, lowest + at) for at in range(len(own))
        ]:
            return []
        runs += [own[0], (1 << len(own)) - 1, lowest]
    return runs


def _dangers(family: HeartsFamily, *, guarded: bool) -> list[int]:
    """Return, for every card number, how dangerous it is to keep."""
    return [danger(family, number, guarded=guarded) for number in range(_NUMBERS)]


def danger(family: HeartsFamily, number: int, *, guarded: bool) -> int:
    """Return how dangerous a card is to keep; guarded high spades are not."""
    suit, rank = suit_of(number), rank_of(number)
    queen = family.queen
    if queen is not None and suit == suit_of(queen) == SPADES:
        if rank < rank_of(queen):
            return -20
        return 0 if guarded else 60 - abs(rank - rank_of(queen))
    return rank + (3 if suit == HEARTS and rank >= 10 else 0)


def _worths(end: int) -> list[int]:
    """Return what it is worth to be some points behind the best, by the highest score.

    That is the chance to win, up to a factor: exp(-d/t) for d points behind, with a t that shrinks
    with the square root of the remaining deals. Once the match is over, only the best wins.
    """
    rows = []
    for highest in range(end + 1):
        deals = (end - highest) / _A_DEAL
        blur = _SWING * math.sqrt(max(deals, 0.5))
        rows += [
            round(ONE * (math.exp(-behind / blur) if highest < end else float(not behind)))
            for behind in range(playouts.BEHIND)
        ]
    return rows
