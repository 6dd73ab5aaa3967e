"""The rest of a trick game with open hands, solved by machine code."""

from __future__ import annotations

import ctypes
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.compiler.kernel_sets import OPEN_HANDS
from cardwright.compiler.kernels import tricks as kernel
from cardwright.endgames.errors import EndgameError, UnsuitedEndgameError
from cardwright.endgames.trick_start import bits, ones
from cardwright.game.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.endgames.trick_rules import TrickRules
    from cardwright.game.native.engine import NativeEngine

_ROOM = 1 << 20
_HEADS = 1 << 17
"""Entries of the table of positions, and its lists."""

_FRAMES = kernel.FRAME * (kernel.CARDS_MOST + 4)
_FRAMES_AT = kernel.HEAD_WORDS
_HEADS_AT = _FRAMES_AT + _FRAMES
_ENTRIES_AT = _HEADS_AT + _HEADS
_WORDS = _ENTRIES_AT + kernel.FOUND_WORDS * _ROOM

MOST_NODES = 10_000_000
"""Beginnings of tricks that are searched at most, which takes some ten seconds."""

_UNSIGNED = 1 << 40
"""As much as nothing is worth: where worths have both signs."""


@dataclass(frozen=True)
class TrickPosition:
    """Hands in turn, whose turn it is, and the cards that lie there, by the hands before it."""

    hands: tuple[int, ...]
    turn: int
    lying: tuple[int, ...]
    barred: bool
    """Whether some cards may not be led yet."""


class TrickSolver:
    """Solves endgames of the same rules, one after the other; what is found is kept for the next.

    A position is worth what each hand, or the first of two sides, wins from the beginning of the
    trick on. Raises EndgameError for a search of more than `most_nodes`.
    """

    def __init__(
        self, engine: NativeEngine, rules: TrickRules, most_nodes: int = MOST_NODES
    ) -> None:
        self.rules = rules
        self._functions = engine.extended(OPEN_HANDS).functions
        try:
            self._memory = engine.native.machine.memory(8 * _WORDS)
        except OSError:
            raise EngineError(
                f"the table of an endgame may take {8 * _WORDS // 10**6} MB, which the system does "
                "not give"
            ) from None
        self._words = (ctypes.c_int64 * _WORDS).from_address(self._memory.place)
        model = rules.model
        self._class_at = model.at
        order = [card for cards in model.classes for card in cards]
        self._bit_of = {card: bit for bit, card in enumerate(order)}
        self._most = most_nodes
        self._prepare(order)

    @property
    def nodes(self) -> int:
        """How many beginnings of tricks the last search has looked at."""
        return int(self._words[kernel.NODES])

    def _prepare(self, order: Sequence[int]) -> None:
        """Write down the rules."""
        words, rules = self._words, self.rules
        worths, count = rules.worths, len(rules.players)
        draw = random.Random(2)
        for at in range(kernel.SHAPE, kernel.SHOT):
            words[at] = draw.getrandbits(64) - (1 << 63)
        masks = [self._mask(bits(cards)) for cards in rules.model.classes]
        for at, mask in enumerate(masks):
            words[kernel.CLASS_MASK + at] = mask
        for bit, card in enumerate(order):
            words[kernel.CLASS_OF + bit] = self._class_at[card]
            words[kernel.WORTH + bit] = worths.cards.get(card, 0)
        for place, side in enumerate(worths.sides):
            words[kernel.SIDE + place] = side
        for taker, more in worths.shot.items():
            for place, worth in enumerate(more):
                words[kernel.SHOT + kernel.HANDS_MOST * (taker + 1) + place] = worth
        facts = {
            kernel.SEATS: count,
            kernel.TRUMP: masks[rules.model.trump] if rules.model.trump >= 0 else 0,
            kernel.CLASSES: len(masks),
            kernel.TRICK_WORTH: worths.trick,
            kernel.LAST_WORTH: worths.last,
            kernel.BY_CARDS: int(self.by_cards),
            kernel.SHOTS: int(bool(worths.shot)),
            kernel.HEADS: _HEADS - 1,
            kernel.ROOM: _ROOM,
            kernel.FRAMES_AT: _FRAMES_AT,
            kernel.HEADS_AT: _HEADS_AT,
            kernel.ENTRIES_AT: _ENTRIES_AT,
        }
        for at, value in facts.items():
            words[at] = value
        signs = [*worths.cards.values(), worths.trick, worths.last]
        extra = [abs(worth) for more in worths.shot.values() for worth in more]
        most = sum(map(abs, signs)) + abs(worths.trick) * len(order) + max(extra, default=0)
        if most > kernel.PACKED_MOST:
            raise UnsuitedEndgameError("tricks and cards are worth too much")
        self._signed = min(signs) < 0 < max(signs)

    @property
    def by_cards(self) -> bool:
        """Whether positions are told apart by their cards, and not by those that matter."""
        worths = self.rules.worths
        alike = worths.trick == 1 and not worths.cards and not worths.last and worths.sides
        return not alike or len(self.rules.players) > 4

    def _mask(self, cards: int) -> int:
        """Return a set of cards as the kernel has it."""
        return sum(1 << self._bit_of[card] for card in ones(cards))

    def _load(self, position: TrickPosition) -> int:
        """Write a position down; return what is left to win."""
        words, rules = self._words, self.rules
        count, worths = len(rules.players), rules.worths
        key = key2 = 0
        for place, hand in enumerate(position.hands):
            words[kernel.HAND + place] = self._mask(hand)
            for card in ones(hand):
                bit = self._bit_of[card]
                if self.by_cards:
                    word = words[kernel.PLACE + 64 * place + bit]
                    key ^= word
                    turned = word & (1 << 64) - 1
                    key2 ^= (turned << 29 | turned >> 35) & (1 << 64) - 1
                else:
                    at = self._class_at[card]
                    key += words[kernel.SHAPE + kernel.HANDS_MOST * at + place]
        lying = bits(position.lying)
        began = bits(card for hand in position.hands for card in ones(hand)) | lying
        words[kernel.KEY], words[kernel.KEY2] = _signed(key), _signed(key2)
        words[kernel.NODES], words[kernel.STOP] = 0, self._most
        words[kernel.BARRED] = 0
        if rules.model.barred and position.barred:
            words[kernel.BARRED] = self._mask(rules.model.barred & began)
        words[kernel.PLAYED], words[kernel.BEGAN] = len(position.lying), self._mask(began)
        if position.lying:
            best = rules.model.winner(position.lying)
            first = position.turn - len(position.lying)
            led = rules.model.classes[self._class_at[position.lying[0]]]
            words[kernel.LED] = self._mask(bits(led))
            words[kernel.BEST] = self._bit_of[position.lying[best]]
            words[kernel.WINNER] = (first + best) % count
            words[kernel.LYING] = sum(worths.cards.get(card, 0) for card in position.lying)
        if words[kernel.ENTRIES] > _ROOM // 2:
            ctypes.memset(self._memory.place + 8 * _HEADS_AT, 0, 8 * _HEADS)
            words[kernel.ENTRIES] = 0
        tricks = -(-began.bit_count() // count)
        cards = sum(worth for card, worth in worths.cards.items() if began >> card & 1)
        return tricks * worths.trick + worths.last + cards

    def side_wins(
        self, position: TrickPosition, least: int | None = None, most: int | None = None
    ) -> int:
        """Return what the first side wins, known to be from `least` to `most`."""
        left = self._load(position)
        low, high = 0 if least is None else least, left if most is None else most
        found = self._functions["cw_tricks"](
            self._memory.address, position.turn, left, low, high, (low + high + 1) // 2
        )
        if found < 0:
            raise self._too_large()
        return found

    def all_win(self, position: TrickPosition, taker: int) -> list[int]:
        """Return what each hand wins, where every hand wants most for itself.

        `taker` is who has taken what has a worth since the rules were found, as for `share`.
        """
        left = self._load(position)
        if self._signed:
            left = _UNSIGNED
        done = self._functions["cw_shares"](self._memory.address, position.turn, left, taker)
        if done < 0:
            raise self._too_large()
        count = len(self.rules.players)
        return list(self._words[kernel.FOUND : kernel.FOUND + count])

    def _too_large(self) -> EndgameError:
        # What was found until it gave up may be wrong.
        ctypes.memset(self._memory.place + 8 * _HEADS_AT, 0, 8 * _HEADS)
        self._words[kernel.ENTRIES] = 0
        return EndgameError(
            f"the endgame is too large: more than {self._most:,} beginnings of tricks would have "
            "to be searched"
        )


def _signed(word: int) -> int:
    """Return a word as a signed integer."""
    word &= (1 << 64) - 1
    return word - (1 << 64) if word >> 63 else word
