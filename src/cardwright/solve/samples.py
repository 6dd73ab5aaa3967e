"""What is sampled of a player: its answers in information sets, and deals against a response."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright._version import RESULTS_VERSION, __version__
from cardwright.game.errors import GameError
from cardwright.game.information.knowledge import KnowledgeMode
from cardwright.hearts import kinds as _hearts  # noqa: F401 - it registers the players of Hearts
from cardwright.interpreter.stream import Stream
from cardwright.jobs.executor import SerialExecutor
from cardwright.jobs.files import of_json, write_whole
from cardwright.jobs.job import Job, carry_out
from cardwright.players.monte_carlo import FlatMonteCarlo, FlatReward
from cardwright.players.player import Decision, checked_answer
from cardwright.players.strategy import content_text, places_of
from cardwright.solve.tree import SolveError, Utility, utilities
from cardwright.syntax.data_files import read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from cardwright.game.game import Game, State
    from cardwright.jobs.executor import Call, Executor
    from cardwright.players.player import Player
    from cardwright.solve.tree import Reals

Rows: TypeAlias = "list[list[float]]"

FORMAT = "cardwright exploit"
VERSION = 2


@dataclass
class SampleFile:
    """What was sampled, as it is kept: rows of numbers by task, which depend on `job` alone."""

    job: dict[str, str]
    rows: dict[int, list[float]]
    format: str = FORMAT
    version: int = VERSION
    cardwright: str = __version__
    results_version: int = RESULTS_VERSION

    @classmethod
    def read(cls, file: Path) -> SampleFile:
        """Return what a file has; raises SolveError if it is none of this version."""
        try:
            kept = of_json(read_text(file), cls)
        except OSError as error:
            raise SolveError(f"{file} cannot be read: {error.strerror or error}") from None
        except ValueError as error:
            raise SolveError(
                f"{file} is not what `cardwright exploit` has kept ({error}): name another file"
            ) from None
        if (kept.format, kept.version, kept.results_version) != (
            FORMAT,
            VERSION,
            RESULTS_VERSION,
        ):
            raise SolveError(
                f"{file} was written by Cardwright {kept.cardwright}, whose results this version "
                "cannot continue"
            )
        return kept

    @property
    def seed(self) -> int | None:
        """The seed of the job; None if it has none."""
        seed = self.job.get("seed", "")
        return int(seed) if seed.isdecimal() else None


def sample_rows(
    call: Call[Rows],
    tasks: int,
    noun: str,
    head: Mapping[str, Any],
    *,
    file: Path | None = None,
    resume: bool = False,
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Reals:
    """Return the rows of all tasks, one below the other; `call` makes those of a range of tasks.

    `head` is all that a row depends on but the number of its task. With a `file` they are kept
    there; `resume` goes on from what it has. Raises SolveError if the file is of another job.
    """
    kept = SampleFile(dict(head), {})
    if file is not None and file.exists():
        if not resume:
            raise SolveError(f"{file} exists: resume what it has, or name another file")
        kept = SampleFile.read(file)
        for name, value in head.items():
            if (before := kept.job.get(name)) != value:
                raise SolveError(
                    f"{file} cannot be resumed: its {name} is {before}, and not {value}"
                )
    job = _SampleJob(call, tasks, kept, file, progress, noun)
    carry_out(job, executor or SerialExecutor())
    return np.array([kept.rows[task] for task in range(tasks)])


@dataclass
class _SampleJob(Job["Rows"]):
    """The rows of tasks as a job."""

    call: Call[Rows]
    tasks: int
    kept_rows: SampleFile
    file: Path | None
    progress: Callable[[int, int], object] | None
    noun: str
    _fresh: bool = False

    def ready(self) -> Call[Rows]:
        """Return what makes the rows of a batch."""
        return self.call

    def kept(self) -> Iterator[list[int]]:
        """Yield the tasks whose rows were in the file."""
        yield [task for task in self.kept_rows.rows if task < self.tasks]

    def add(self, batch: range, part: Rows) -> None:
        """Take over the rows of a batch."""
        self.kept_rows.rows.update(zip(batch, part, strict=True))
        self._fresh = True

    def keep(self) -> None:
        """Write what there is."""
        if self.file is not None and self._fresh:
            import msgspec

            rows = dict(sorted(self.kept_rows.rows.items()))
            data = msgspec.json.encode(replace(self.kept_rows, rows=rows))
            write_whole(self.file, data + b"\n")
            self._fresh = False

    def tell(self) -> None:
        """Report how many tasks are done."""
        if self.progress is not None:
            done = sum(task < self.tasks for task in self.kept_rows.rows)
            self.progress(done, self.tasks)


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
        chosen = checked_answer(self.player(), decision)
        return float(places_of(map(content_text, state.contents()), options)[chosen])


@lru_cache(maxsize=2)
def _standing(game: Game, keys: tuple[str, ...]) -> Mapping[str, State]:
    """Return a state at each information set: the first that is met when deals are followed.

    Deals are those of the seeds 0, 1, ...; in each, every option is followed. Raises SolveError for
    a game in which some sets are so rare that they are not met.
    """
    missing, states = set(keys), dict[str, "State"]()
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
                states[key] = state
            for option in range(state.option_count):
                after = state.copy()
                after.play(option)
                stack.append(after)
        if not missing:
            return states
    raise SolveError(
        f"{len(missing):,} of the {len(keys):,} information sets of {game.name} were not met in "
        f"{MOST_DEALS:,} deals, so that the player cannot be asked there"
    )


@dataclass(frozen=True)
class LocalResponse:
    """Takes the option with the best mean over imagined worlds in which `make`'s players go on.

    They play on in all seats, its own included. Ties go to the first.
    """

    make: Callable[[], Player]
    worlds: int
    utility: Utility = Utility.SCORE

    def choose(self, decision: Decision) -> int:
        """Return the index of the option with the best mean."""
        count = decision.option_count
        if count == 1:
            return 0
        totals = [0.0] * count
        for _ in range(self.worlds):
            try:
                world = decision.imagine(decision.stream, KnowledgeMode.CONSISTENT)
            except GameError:
                continue  # a deal in which a choice would have no options cannot be the true one
            chances = decision.stream.next()
            options = {content: at for at, content in enumerate(world.contents())}
            for index, content in enumerate(decision.contents):
                if content in options:
                    totals[index] += self._tried(world, options[content], chances, decision.seat)
        return max(range(count), key=totals.__getitem__)

    def _tried(self, world: State, option: int, chances: int, seat: int) -> float:
        """Return what an option of a world is worth when the players go on."""
        trial = world.copy()
        try:
            trial.play(option)
            play_on(trial, [self.make() for _ in range(trial.game.players)], chances)
        except GameError:
            return 0.0
        return utilities(trial, self.utility)[seat]


def random_response(worlds: int, utility: Utility = Utility.SCORE) -> Player:
    """Return a local best response whose rollouts are random, by machine code."""
    reward = FlatReward.WIN if utility is Utility.WIN else FlatReward.SCORE
    return FlatMonteCarlo(worlds, KnowledgeMode.CONSISTENT, reward)


def play_on(state: State, players: Sequence[Player], chances: int) -> None:
    """Play a state to its end; every decision of a seat has a stream of its own.

    So in two games that differ in what one seat does, all others make the same draws.
    """
    ordinals = [0] * len(players)
    while (seat := state.player) is not None:
        stream = Stream.of_decision(chances, seat, ordinals[seat])
        ordinals[seat] += 1
        decision = Decision(seat, state.option_count, stream, state, len(state.choices))
        state.play(checked_answer(players[seat], decision))


@dataclass(frozen=True)
class GainsByDeal:
    """Plays deals: what the player gets in each seat, and what the response gains there.

    A row has these two numbers for each seat, all of the first before all of the second.
    """

    game: Game
    player: Callable[[], Player]
    response: Callable[[], Player]
    seeds: tuple[int, ...]
    utility: Utility

    def __call__(self, deals: range) -> list[list[float]]:
        """Return a row for each deal."""
        return [self._row(self.seeds[deal]) for deal in deals]

    def _row(self, seed: int) -> list[float]:
        seats = range(self.game.players)
        own = self._played(seed, [self.player() for _ in seats])
        gains = []
        for responding in seats:
            makes = [self.response if seat == responding else self.player for seat in seats]
            got = self._played(seed, [make() for make in makes])
            gains.append(got[responding] - own[responding])
        return [*own, *gains]

    def _played(self, seed: int, players: Sequence[Player]) -> tuple[float, ...]:
        state = self.game.start(seed)
        play_on(state, players, seed)
        return utilities(state, self.utility)
