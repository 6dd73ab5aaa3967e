"""Evidence: the games that measures of a game are taken from, played when they are first needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cardwright.evolution.measures.estimates import side_wins
from cardwright.game.native.random_games import play_random, singly
from cardwright.game.seeds import game_seeds
from cardwright.players.kind import NO_TRUST

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardwright.evolution.measures.matches import SelfPlay
    from cardwright.evolution.measures.trials import OptionTrials
    from cardwright.game.game import Game
    from cardwright.game.native.random_games import RandomGames
    from cardwright.players.kind import Trust

REPEATS = 4
"""How often each deal is played at random for what compares games of one deal."""

_OTHERS = np.array([0x5851F42D4C957F2D, 0x14057B7EF767814F, 0x2545F4914F6CDD1D], np.uint64)
"""What makes the seeds of the seats' streams in the repeats from those of the deals."""


@dataclass(frozen=True)
class Evidence:
    """Games of one game, from a seed: the same on both engines.

    There are `games` at random, each of a deal of its own, and for what needs searching players
    games of each of `deals` deals, the first of those. `players` are the specs of searching
    players, from weak to strong. `given` are the random games, if they have been played before.
    `trust` says what the players may load.
    """

    game: Game
    seed: int = 0
    games: int = 200
    deals: int = 20
    players: tuple[str, ...] = ()
    given: RandomGames | None = None
    trust: Trust = NO_TRUST

    @cached_property
    def random(self) -> RandomGames:
        """All random games, also those that broke a rule."""
        if self.given is not None:
            return self.given
        return _played(self.game, list(game_seeds(self.seed, self.games)))

    @cached_property
    def ended(self) -> RandomGames:
        """The random games that were finished."""
        return self.random.ended()

    @cached_property
    def repeats(self) -> NDArray[np.float64]:
        """The results of random games, several of each deal: shape (deals, REPEATS, sides).

        The first game of a deal is that of `random`; the others differ by the choices. Deals with a
        game that broke a rule are left out. Results are the sides' shares of the win, or the scores
        where nobody wins, as in a game for one seat or one that all play together.
        """
        first = self.random
        seeds = np.tile(first.seeds, REPEATS - 1)
        draws = seeds ^ np.repeat(_OTHERS, len(first))
        more = _played(first.game, seeds.tolist(), draws.tolist())
        played = [first, *(more.take(part) for part in _parts(len(first)))]
        whole = ~np.logical_or.reduce([games.broken for games in played])
        whole_games = [games.take(whole) for games in played]
        if all(games.best().all() for games in whole_games):
            return np.stack([games.scores.astype(np.float64) for games in whole_games], axis=1)
        return np.stack([results(games) for games in whole_games], axis=1)

    @cached_property
    def trials(self) -> OptionTrials:
        """What random play makes of the options of some decisions of the first random games."""
        from cardwright.evolution.measures.trials import tried

        return tried(self.game, self.deals, self.seed)

    @cached_property
    def strongest(self) -> SelfPlay:
        """The strongest searching player in all seats, with its notes on every decision."""
        from cardwright.evolution.measures.matches import all_alike

        return all_alike(self.game, self.players[-1], self.deals, self.seed, trust=self.trust)


def _played(game: Game, seeds: list[int], draws: list[int] | None = None) -> RandomGames:
    if game._machine is None:
        return singly(game, seeds, draws)
    return play_random(game, seeds, draws=draws, threads=1)


def _parts(count: int) -> list[slice]:
    return [slice(at * count, (at + 1) * count) for at in range(REPEATS - 1)]


def results(games: RandomGames) -> NDArray[np.float64]:
    """Return the shares of the win, of shape (games, sides); or the scores of a single seat."""
    if games.game.players == 1:
        return games.scores.astype(np.float64)
    return side_wins(games.game, games.best())
