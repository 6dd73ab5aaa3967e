"""The expert: information set search with rule-based playouts, which also chooses its passes.

It is `ismcts` with additions for Hearts. Playouts follow the rule player except for an occasional
random choice, without which they would never see what the rules never do; the same is reported of
the program xinxin (N. Sturtevant). Imagined worlds are consistent with everything that play has
shown. For passing, only the most promising sets of cards are searched; other players are assumed to
pass by rules. In a match, what counts is the probability of winning it, not the points of the deal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from cardwright.compiler.backend import Words
from cardwright.compiler.kernel_sets import searches_by
from cardwright.compiler.kernels.evaluation import ONE
from cardwright.game.engines import native_engine
from cardwright.game.information.knowledge import KnowledgeMode
from cardwright.game.native.search import Playouts
from cardwright.game.search import MOST_ITERATIONS, SearchReward, SearchTask
from cardwright.hearts.cards import HEARTS, SPADES
from cardwright.hearts.family import HeartsFamily, family_of
from cardwright.hearts.kernel_words import choice_to, laid_out
from cardwright.hearts.kernels import playouts
from cardwright.hearts.table import DecisionKind, table_of
from cardwright.players.player import Note
from cardwright.program.cards import Location, LocationKind, OwnerId

if TYPE_CHECKING:
    from cardwright.game.game import Game
    from cardwright.game.native.engine import NativeEngine
    from cardwright.hearts.table import HeartsView
    from cardwright.players.player import Decision

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
    return Playouts(RULED, Words(engine.native.machine, words), match=bool(end))


def _words(engine: NativeEngine, end: int, family: HeartsFamily) -> list[int]:
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
        playouts.DANGERS: [
            danger(family, number, guarded=guarded)
            for guarded in (False, True)
            for number in range(_NUMBERS)
        ],
    }
    queen = family.queen
    play = choice_to(engine, "TRICK")
    assert play >= 0, "a game of the Hearts family has tricks"
    facts = {
        playouts.QUEEN: family.queen_mask,
        playouts.QUEEN_CARD: 0 if queen is None else family.numbers.index(queen),
        playouts.PLAY: play,
        playouts.END: end,
    }
    return laid_out(playouts.DANGERS + 1, facts, parts)


def _end(game: Game) -> int:
    declared = game.declared
    end = declared.get("END", 0)
    return end if isinstance(end, int) and declared.get("ROUNDS") == 0 else 0


def _runs(family: HeartsFamily) -> list[int]:
    """Return the suits as runs of cards and numbers; nothing if they are none."""
    runs = []
    for suit in range(4):
        own = [card for card, number in enumerate(family.numbers) if number >> 4 == suit]
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


def danger(family: HeartsFamily, number: int, *, guarded: bool) -> int:
    """Return how dangerous a card is to keep; guarded high spades are not."""
    suit, rank = number >> 4, number & 15
    queen = family.queen
    if queen is not None and suit == queen >> 4 == SPADES:
        if number < queen:
            return -20
        return 0 if guarded else 60 - abs(number - queen)
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


_FOR_A_PASS = 4
"""How many times as many iterations a pass gets as a card: it matters for the whole deal."""

_VOID = 8
"""What it is worth to be void in a suit, in units of danger."""


@dataclass
class Expert:
    """Chooses the option most visited by the search.

    Each of `trees` gets `iterations`, run by `threads`, and to decide which cards to pass or to lay
    aside `pass_iterations`, which are four times as many if not given; with `ms`, as many as fit
    into that many milliseconds, which cannot be replayed. `c` is the exploration constant,
    `epsilon` the probability of a random choice in playouts, `widening` the factor of progressive
    widening, which starts with what the rules prefer, and `passes` the number of sets of cards it
    considers for passing.
    """

    iterations: int = 7_500
    pass_iterations: int | None = None
    c: float = 0.4
    epsilon: float = 0.1
    reward: SearchReward = SearchReward.SCORE
    widening: float = 2.0
    passes: int = 24
    trees: int = 1
    threads: int = 1
    ms: int | None = None
    _playouts: Playouts | None = field(default=None, init=False, repr=False)

    def choose(self, decision: Decision) -> int:
        """Return the index of the most visited option; raises NotHeartsError in other games."""
        if decision.option_count == 1:
            return 0
        iterations, wanted = self._plan(decision)
        task = SearchTask(
            iterations=iterations if self.ms is None else MOST_ITERATIONS,
            exploration=self.c,
            reward=self.reward,
            mode=KnowledgeMode.CONSISTENT,
            trees=self.trees,
            milliseconds=self.ms,
            widening=self.widening,
            wanted=wanted,
        )
        if self._playouts is None:
            self._playouts = playouts_of(decision.game, self.epsilon)
        result = decision.search(task, threads=self.threads, playouts=self._playouts)
        decision.report(Note(iterations=result.iterations))
        return result.most_visited

    def _plan(self, decision: Decision) -> tuple[int, tuple[int, ...]]:
        """Return how many iterations to do, and which options to try; none means all."""
        table = table_of(decision)
        if table.kind not in {DecisionKind.PASS, DecisionKind.LAY}:
            return self.iterations, ()
        iterations = self.pass_iterations or _FOR_A_PASS * self.iterations
        if decision.option_count <= self.passes:
            return iterations, ()
        return iterations, tuple(map(table.option, promising(table, self.passes)))


def promising(table: HeartsView, count: int) -> list[tuple[int, ...]]:
    """Return the most promising sets of cards to pass or to lay aside, best first.

    Cards that are dangerous to keep go first, and those that empty a suit. Cards that are laid
    aside count as taken, so penalty cards stay.
    """
    family, hand = table.family, table.hand
    queen = family.queen
    low = [card for card in hand if card >> 4 == SPADES and (queen is None or card < queen)]
    guarded = len(low) >= playouts.GUARDS
    dangers = {card: danger(family, card, guarded=guarded) for card in hand}
    if table.kind is DecisionKind.LAY:
        dangers = {card: value - 20 * family.costs[card] for card, value in dangers.items()}
    held = [card >> 4 for card in hand]

    def merit(cards: tuple[int, ...]) -> int:
        suits = [card >> 4 for card in cards]
        emptied = {suit for suit in suits if suits.count(suit) == held.count(suit)} - {SPADES}
        return sum(map(dangers.__getitem__, cards)) + _VOID * len(emptied)

    sets = list(dict.fromkeys(combinations(sorted(hand), table.count)))
    return sorted(sets, key=lambda cards: (-merit(cards), cards))[:count]
