"""Effect replay: games replayed effect by effect, to observe how each card moves.

Only the interpreter knows the effects of a choice. Since a seed and the choices give the same game
on any engine, a game played by any of them can be replayed here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.arena.reading import read_table
from cardwright.arena.referee import referee_game
from cardwright.game.errors import CardwrightError, GameError
from cardwright.game.information.tracker import WatchedWorld
from cardwright.interpreter import machine
from cardwright.interpreter.machine import Rules
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path
    from typing import Protocol, TypeAlias

    from cardwright.game.game import Game
    from cardwright.interpreter.effects import Effect
    from cardwright.interpreter.world import World
    from cardwright.players.player import Player

    Rollout: TypeAlias = "tuple[int, Sequence[int] | None]"
    """A game: its seed, and the options chosen; None if all seats choose at random."""

    class Follower(Protocol):
        """An observer of a game that is replayed."""

        def begin(self, world: World) -> None:
            """See the world after the set-up, before its first item."""

        def watch(self, effect: Effect, world: World) -> None:
            """See an effect right after it happened."""

        def decision(self, world: World) -> None:
            """See the world at a decision, before it is made."""


class ChoicesError(CardwrightError):
    """Choices that are not those of a whole game of these rules from this seed."""


class EffectReplay:
    """A game prepared to be replayed many times."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._rules = Rules(game.program)

    def rollout(self, rollout: Rollout, follower: Follower) -> None:
        """Replay a game to its end.

        Random choices are those of the player `random`. Raises GameError if the game breaks a rule,
        and ChoicesError if the choices do not fit.
        """
        seed, choices = rollout
        chosen: list[int] = []
        try:
            self._play(seed, choices, follower, chosen)
        except Fault as fault:
            game = self.game
            raise GameError(fault, game.program, game.name, seed, chosen) from None

    def _play(
        self, seed: int, choices: Sequence[int] | None, follower: Follower, chosen: list[int]
    ) -> None:
        limits = self.game.limits
        started = machine.start(self._rules, seed)
        follower.begin(started)
        world = WatchedWorld.of(started, lambda effect: follower.watch(effect, world))
        streams = [Stream.of_seat(seed, seat) for seat in range(self.game.players)]
        while built := machine.advance(world, limits):
            follower.decision(world)
            if choices is None:
                index = streams[world.players[-1].current].below(len(built))
            else:
                index = self._recorded(seed, choices, len(chosen), len(built))
            chosen.append(index)
            machine.carry_out(world, built[index])
        if choices is not None and len(chosen) < len(choices):
            raise self._misfit(seed, f"the game ends after {len(chosen)} of {len(choices)} choices")

    def _recorded(self, seed: int, choices: Sequence[int], at: int, count: int) -> int:
        if at == len(choices):
            raise self._misfit(seed, f"after {at} choices the game goes on")
        if not 0 <= choices[at] < count:
            raise self._misfit(seed, f"choice {at + 1} is {choices[at]}, of {count} options")
        return int(choices[at])

    def _misfit(self, seed: int, reason: str) -> ChoicesError:
        return ChoicesError(
            f"{self.game.name}, seed {seed}: the choices are not those of a whole game: {reason}; "
            "take the rules and the settings with which they were recorded"
        )


def at_random(seeds: Iterable[int]) -> Iterator[Rollout]:
    """Yield games of these seeds in which all seats choose at random."""
    for seed in seeds:
        yield seed, None


def played(
    game: Game, seeds: Iterable[int], players: Callable[[], Sequence[Player]]
) -> Iterator[Rollout]:
    """Yield games played by players, which `players` makes anew for each game.

    A game that breaks a rule is yielded with the choices so far: replaying it raises GameError.
    """
    for seed in seeds:
        record = referee_game(game, seed, players())
        yield seed, record.choices


def recorded(folder: str | Path) -> Iterator[Rollout]:
    """Yield the games of a finished run whose detail is `games` or `decisions`.

    Games that broke a rule are left out. Raises RecordsError if these records cannot be had.
    """
    for part in read_table(folder, "games").iter_slices(_SLICE):
        for seed, choices, error in part.select("seed", "choices", "error").iter_rows():
            if error is None:
                yield seed, choices


_SLICE = 1_000
"""Games whose choices are converted to Python integers at a time."""
