"""Recording of awareness: what each seat knows about where the cards lie, from what it can see.

Only the visibility of locations counts; what the choices of others reveal, such as that somebody
cannot follow suit, does not. A seat *sees* a card that lies where it can look. It *knows* any other
card that can be in one place only, given all the moves that it saw, or saw happen
(`cardwright.game.whereabouts`); at first all seats know which cards lie where, though not in which
order.

How uncertain a seat is, in bits, is the logarithm to base 2 of the number of ways in which the
cards that it does not see can be spread over the places that it does not see. Each place keeps its
number of cards of each back, and the order within a place does not count. With n(l, b) such cards
of back b at place l, and N(b) = sum over l of n(l, b):

    bits = sum over b of log2( N(b)! / product over l of n(l, b)! )

`remembered` is the same without the cards whose place the seat knows. It is an upper bound of the
uncertainty of a seat that forgets nothing: it still counts arrangements that such a seat can rule
out for reasons other than that a card can lie at one place only.
"""

from __future__ import annotations

from math import lgamma, log
from typing import TYPE_CHECKING

import numpy as np

from cardwright.arena.effect_replay import EffectReplay
from cardwright.game.whereabouts import Awareness, Backs, Sight, Whereabouts
from cardwright.interpreter.world import sees

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.arena.effect_replay import Rollout
    from cardwright.game.game import Game
    from cardwright.interpreter.effects import Effect
    from cardwright.interpreter.world import World
    from cardwright.program.program import Program


def record_awareness(game: Game, rollouts: Iterable[Rollout]) -> Iterator[Awareness]:
    """Replay games to their ends, and yield for each what its seats knew at every decision.

    See `arena.effect_replay` for where rollouts come from. Raises GameError for a game that breaks
    a rule.
    """
    follow = EffectReplay(game)
    backs = Backs(game.program)
    cards = tuple(game.namer.card(card) for card in game.cards)
    for rollout in rollouts:
        watcher = _Watcher(game.program, backs)
        follow.rollout(rollout, watcher)
        yield watcher.awareness(cards)


class _Watcher:
    """What the seats of one game know, as it proceeds."""

    def __init__(self, program: Program, backs: Backs) -> None:
        self._program = program
        self._backs = backs
        self._whereabouts = Whereabouts(program, backs)
        self._movers: list[int] = []
        self._rows: list[list[tuple[float, float, list[Sight]]]] = []

    def begin(self, world: World) -> None:
        self._whereabouts.look_at(world)

    def watch(self, effect: Effect, world: World) -> None:
        self._whereabouts.watch(effect, world)

    def decision(self, world: World) -> None:
        self._movers.append(world.players[-1].current)
        seats = range(self._program.players)
        self._rows.append([self._aware(world, seat) for seat in seats])

    def _aware(self, world: World, seat: int) -> tuple[float, float, list[Sight]]:
        places = set(world.where)
        seen = {place: sees(self._program, seat, place) for place in places}
        masks = self._whereabouts.concluded(seat)
        sights = [
            Sight.SEEN if seen[place] else Sight.UNKNOWN if mask & (mask - 1) else Sight.KNOWN
            for place, mask in zip(world.where, masks, strict=True)
        ]
        unseen = [card for card, sight in enumerate(sights) if sight is not Sight.SEEN]
        unknown = [card for card in unseen if sights[card] is Sight.UNKNOWN]
        return self._bits(world, unseen), self._bits(world, unknown), sights

    def _bits(self, world: World, cards: Sequence[int]) -> float:
        by_back: dict[int, dict[object, int]] = {}
        for card in cards:
            counts = by_back.setdefault(self._backs.of[card], {})
            counts[world.where[card]] = counts.get(world.where[card], 0) + 1
        return sum(ways_in_bits(list(counts.values())) for counts in by_back.values())

    def awareness(self, cards: tuple[str, ...]) -> Awareness:
        """Return what was seen as arrays."""
        shape = len(self._rows), self._program.players
        flat = [one for row in self._rows for one in row]
        return Awareness(
            cards,
            np.array(self._movers, np.int8),
            np.array([bits for bits, _, _ in flat], np.float64).reshape(shape),
            np.array([bits for _, bits, _ in flat], np.float64).reshape(shape),
            np.array([sights for _, _, sights in flat], np.uint8).reshape(*shape, len(cards)),
        )


def ways_in_bits(sizes: Sequence[int]) -> float:
    """Return log2 of the number of ways to spread different cards over places of these sizes."""
    if len(sizes) < 2:
        return 0.0
    return (lgamma(sum(sizes) + 1) - sum(lgamma(size + 1) for size in sizes)) / log(2)
