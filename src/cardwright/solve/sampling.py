"""Regret minimization by external sampling, by machine code, in games too large for their trees.

M. Lanctot, K. Waugh, M. Zinkevich and M. Bowling, "Monte Carlo sampling for regret minimization in
extensive games" (NIPS 2009). What is kept grows with the information sets that were met, not with
the tree. `cardwright.compiler.kernels.sampled_regret` says how it lies in memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardwright.compiler.kernel_sets import SAMPLED_REGRET
from cardwright.compiler.kernels import sampled_regret as words
from cardwright.game.engines import native_engine
from cardwright.players.strategy import (
    SAMPLED,
    Strategy,
    StrategyOption,
    StrategySet,
    content_text,
)
from cardwright.solve.growth import KernelRun
from cardwright.solve.tree import MadeWhenSeen, SolveError, Utility, seen_in_words

if TYPE_CHECKING:
    from cardwright.game.game import Game
    from cardwright.solve.tree import Integers

_WANTS = {Utility.SCORE: words.SCORE, Utility.MARGIN: words.MARGIN, Utility.WIN: words.WIN}
_SLOTS, _WORDS = 1 << 12, 1 << 16


class SampledRegret(KernelRun):
    """Regret minimization by sampling; `iterations` are done so far, each a deal for every seat."""

    def __init__(self, game: Game, utility: Utility = Utility.SCORE, seed: int = 0) -> None:
        """Begin; raises EngineError for a game that is not played by machine code."""
        engine = native_engine(game, "regret minimization by sampling needs")
        super().__init__(game, engine, SAMPLED_REGRET, words.VALUES + words.MOST_OPTIONS)
        self._utility = utility
        self._random = np.random.default_rng(seed)
        self._stream = np.zeros(4, np.uint64)
        self._path = np.zeros(game.limits.decisions + 1, np.int64)
        self._table = np.zeros(words.SLOT + _SLOTS, np.int64)
        self._table[words.WANTS] = _WANTS[utility]
        self._table[words.HIGHEST] = game.highest_wins
        self._table[words.WORDS_USED] = 1
        self._entries = np.zeros(_WORDS, np.int64)
        self._sums = np.zeros(game.players, np.int64)
        self.iterations = 0

    def iterate(self, count: int) -> None:
        """Run some iterations; raises GameError if the game breaks a rule.

        Raises SolveError for a decision with too many options.
        """
        players = self._game.players
        seeds = np.zeros(1 + 3 * players + 2 + count * players, np.int64)
        head = 1 + 3 * players + 2
        seeds[1 + players : head] = self._beginning
        drawn = self._random.integers(0, 2**64, count * players, np.uint64)
        seeds[head:] = drawn.view(np.int64)
        while seeds[0] < count:
            self._set_room()
            result = self._call(
                "cw_sample_regret", self._table, self._entries, self._frames, self._path,
                self._stream, seeds, int(seeds[0]), count,
            )  # fmt: skip
            if result == words.BROKEN:
                raise self._error()
            if result == words.TOO_MANY_OPTIONS:
                raise SolveError(
                    f"{self._game.name} has a decision with more than {words.MOST_OPTIONS} options,"
                    " the most that sampling tries"
                )
            if result == words.FULL:
                self._enlarge()
            if result == words.FRAMES_FULL:
                self._frames = self._room(2 * len(self._frames))
        self._sums += seeds[1 : 1 + players]
        self.iterations += count

    def _set_room(self) -> None:
        slots = len(self._table) - words.SLOT
        self._table[words.SLOT_COUNT] = slots
        self._table[words.MOST_TAKEN] = slots // 2
        self._table[words.WORD_ROOM] = len(self._entries)
        self._table[words.FRAME_ROOM] = len(self._frames)

    def _enlarge(self) -> None:
        """Make room for twice as many information sets, and twice as many words for them."""
        self._entries = np.concatenate([self._entries, np.zeros_like(self._entries)])
        before = self._table
        slots = 2 * (len(before) - words.SLOT)
        self._table = np.zeros(words.SLOT + slots, np.int64)
        self._table[: words.SLOT] = before[: words.SLOT]
        for at in before[words.SLOT :][before[words.SLOT :] != 0].tolist():
            entry = self._entries[at : at + words.HEAD]
            slot = int(entry[words.KEY]) + int(entry[words.SEAT]) & slots - 1
            while self._table[words.SLOT + slot]:
                slot = slot + 1 & (slots - 1)
            self._table[words.SLOT + slot] = at

    # What was found -----------------------------------------------------------------------

    @property
    def information_sets(self) -> int:
        """How many information sets were met."""
        return int(self._table[words.TAKEN])

    @property
    def values(self) -> tuple[float, ...]:
        """What the strategies of all iterations were worth to each seat, on average."""
        return tuple((self._sums / words.UNIT / max(self.iterations, 1)).tolist())

    def information_set(self, seat: int, key: bytes) -> StrategySet | None:
        """Return what the average strategy does in an information set; None if it was not met.

        `key` is that of `State.information`.
        """
        wanted = np.frombuffer(key, np.int64)
        mask = len(self._table) - words.SLOT - 1
        slot = int(wanted[0]) + seat & mask
        while at := int(self._table[words.SLOT + slot]):
            entry = self._entries[at:]
            if entry[words.SEAT] == seat and (entry[words.KEY : words.OPTIONS] == wanted).all():
                return self._described(entry)
            slot = slot + 1 & mask
        return None

    def strategy(self) -> Strategy:
        """Return the average strategy; its information sets are put into words when looked at."""
        taken = self._table[words.SLOT :]
        places = np.sort(taken[taken != 0]).tolist()
        entries = self._entries.copy()

        def described(number: int) -> StrategySet:
            return self._described(entries[places[number] :])

        return Strategy(
            self._game.name, self._game.program.digest, SAMPLED, str(self._utility),
            self.iterations, self.values, None, MadeWhenSeen(len(places), described),
        )  # fmt: skip

    def _described(self, entry: Integers) -> StrategySet:
        seat, count, length = (int(entry[at]) for at in (words.SEAT, words.OPTIONS, words.PATH))
        state = self._game.start(int(entry[words.SEED]) & 2**64 - 1)
        chosen = []
        for choice in entry[words.HEAD : words.HEAD + length].tolist():
            chosen.append(state.options(brief=True)[choice].description)
            state.play(choice)
        sees = seen_in_words(state.view(seat), self._game.namer, state.record(seat), chosen)
        first = words.HEAD + length + count
        regrets, sums = entry[first : first + count], entry[first + count : first + 2 * count]
        total = sums.sum()  # the choice is uniform where nothing was drawn
        shares = sums / total if total else np.full(count, 1 / count)
        options = tuple(
            StrategyOption(
                option.description,
                content_text(option.content),
                *map(float, (shares[at], regrets[at] / words.UNIT, sums[at] / words.UNIT)),
            )
            for at, option in enumerate(state.options(brief=True))
        )
        key = entry[[words.KEY, words.OTHER_KEY]].tobytes().hex()
        return StrategySet(seat, key, sees, options)
