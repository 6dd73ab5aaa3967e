"""The policy of a player, found by asking what it chooses in each information set.

A player that searches draws at random, so it is asked again and again, each time as a new player
with a stream of its own, and its answers are counted. A player that keeps something in mind from
decision to decision is thus asked as if it had not seen those before.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from cardwright.hearts import kinds as _hearts  # noqa: F401 - it registers the players of Hearts
from cardwright.interpreter.stream import Stream
from cardwright.players.player import Decision
from cardwright.players.strategy import content_text, places_of
from cardwright.solve.errors import SolveError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cardwright.game.game import Game, State
    from cardwright.players.player import Player
    from cardwright.solve.tree import InformationSet

MOST_DEALS = 100_000
"""Deals that are followed in search of information sets that have not been met, one after another,
before it is given up."""


@dataclass(frozen=True)
class Asked:
    """Asks a player once in each information set, in each of a range of rounds.

    `contents` has the contents of the options of each information set, by its key; a row has the
    number of the option that was chosen, for each in this order.
    """

    game: Game
    player: Callable[[], Player]
    contents: tuple[tuple[str, tuple[str, ...]], ...]
    seeds: tuple[int, ...]

    def __call__(self, rounds: range) -> list[list[float]]:
        """Return a row for each round."""
        states = _standing(self.game, tuple(key for key, options in self.contents))
        return [
            [self._answer(states[key], at, self.seeds[round_], options)
             for at, (key, options) in enumerate(self.contents)]
            for round_ in rounds
        ]  # fmt: skip

    def _answer(self, state: State, at: int, seed: int, options: tuple[str, ...]) -> float:
        seat, count = state.player, state.option_count
        assert seat is not None
        if count == 1:
            return 0
        stream = Stream.of_decision(seed, seat, at)
        decision = Decision(seat, count, stream, state, len(state.choices))
        chosen = self.player().choose(decision)
        return float(places_of(map(content_text, state.contents()), options)[chosen])


def keys_of(sets: Sequence[InformationSet]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the key of each information set with the contents of its options."""
    return tuple((str(one.key), one.contents) for one in sets)


@lru_cache(maxsize=2)
def _standing(game: Game, keys: tuple[str, ...]) -> Mapping[str, State]:
    """Return a state at each information set: the first that is met when deals are followed.

    Deals are those of the seeds 0, 1, ...; in each, every option is followed. Raises SolveError for
    a game in which some sets are so rare that they are not met.
    """
    missing, found = set(keys), dict[str, "State"]()
    for seed in range(MOST_DEALS):
        stack = [game.start(seed)]
        while stack and missing:
            state = stack.pop()
            seat = state.player
            if seat is None:
                continue
            key = state.information(seat).hex()
            if key in missing:
                missing.remove(key)
                found[key] = state
            for option in range(state.option_count):
                after = state.copy()
                after.play(option)
                stack.append(after)
        if not missing:
            return found
    raise SolveError(
        f"{len(missing):,} of the {len(keys):,} information sets of {game.name} were not met in "
        f"{MOST_DEALS:,} deals, so that the player cannot be asked there"
    )
