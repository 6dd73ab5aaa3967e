"""What is sampled of a player: its answers in information sets, and deals against a response."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright._version import RESULTS_VERSION, __version__
from cardwright.game.errors import GameError, IllegalOptionError
from cardwright.game.information.knowledge import KnowledgeMode
from cardwright.hearts import kinds as _hearts  # noqa: F401
from cardwright.interpreter.stream import Stream
from cardwright.jobs.executor import SerialExecutor
from cardwright.jobs.files import write_whole
from cardwright.jobs.job import Job, carry_out
from cardwright.players.monte_carlo import FlatMonteCarlo, FlatReward
from cardwright.players.player import Decision
from cardwright.players.strategy import content_text, places_of
from cardwright.solve.tree import SolveError, Utility, utilities
from cardwright.syntax.data_files import parse_json, read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from cardwright.game.game import Game, State
    from cardwright.jobs.executor import Call, Executor
    from cardwright.players.player import Player
    from cardwright.solve.tree import InformationSet, Reals

    Rows: TypeAlias = list[list[float]]

FORMAT = "cardwright exploit"
VERSION = 1


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
    job = _SampleJob(call, tasks, noun, dict(head), file, progress)
    if file is not None and file.exists() and not resume:
        raise SolveError(f"{file} exists: resume what it has, or name another file")
    if file is not None and resume and file.exists():
        job.take(file)
    carry_out(job, executor or SerialExecutor())
    return np.array([job.rows[task] for task in range(tasks)])


@dataclass
class _SampleJob(Job[Rows]):
    """The rows of tasks as a job."""

    call: Call[Rows]
    tasks: int
    noun: str
    head: dict[str, Any]
    file: Path | None
    progress: Callable[[int, int], object] | None
    rows: dict[int, list[float]] = field(default_factory=dict)
    _fresh: bool = field(default=False, init=False)

    def ready(self) -> Call[Rows]:
        """Return what makes the rows of a batch."""
        return self.call

    def kept(self) -> Iterator[list[int]]:
        """Yield the tasks whose rows were in the file."""
        yield [task for task in self.rows if task < self.tasks]

    def add(self, batch: range, part: Rows) -> None:
        """Take over the rows of a batch."""
        self.rows.update(zip(batch, part, strict=True))
        self._fresh = True

    def keep(self) -> None:
        """Write what there is."""
        if self.file is None or not self._fresh:
            return
        rows = {str(task): self.rows[task] for task in sorted(self.rows)}
        data = {**_version(), "job": self.head, "rows": rows}
        write_whole(self.file, json.dumps(data).encode() + b"\n")
        self._fresh = False

    def tell(self) -> None:
        """Report how many tasks are done."""
        if self.progress is not None:
            self.progress(sum(task < self.tasks for task in self.rows), self.tasks)

    def take(self, file: Path) -> None:
        """Take over the rows of a file; raises SolveError if it is of another job."""
        data = _data(file)
        for name, value in _version().items():
            if name != "cardwright" and data.get(name) != value:
                raise SolveError(
                    f"{file} was written by Cardwright {data.get('cardwright')}, whose results "
                    "this version cannot continue"
                )
        try:
            job = dict(data["job"])
            rows = {int(task): [float(one) for one in row] for task, row in data["rows"].items()}
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise _damaged(file, error) from None
        for name, value in self.head.items():
            if (found := job.get(name)) != value:
                raise SolveError(
                    f"{file} cannot be resumed: its {name} is {found}, and not {value}"
                )
        self.rows = rows


def kept_seed(file: Path) -> int:
    """Return the seed of the job whose rows a file has; raises SolveError if it has none."""
    try:
        return int(_data(file)["job"]["seed"])
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged(file, error) from None


def _data(file: Path) -> dict[str, Any]:
    try:
        data = parse_json(read_text(file))
    except OSError as error:
        raise SolveError(f"{file} cannot be read: {error.strerror or error}") from None
    except ValueError:
        data = None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise SolveError(f"{file} is not what `cardwright exploit` has kept: name another file")
    return data


def _damaged(file: Path, error: Exception) -> SolveError:
    return SolveError(f"{file} is damaged: {type(error).__name__}: {error}; name another file")


def _version() -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "cardwright": __version__,
        "results_version": RESULTS_VERSION,
    }


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
        count = state.option_count
        chosen = players[seat].choose(Decision(seat, count, stream, state, len(state.choices)))
        if not 0 <= chosen < count:
            raise IllegalOptionError(
                f"the player of p{seat + 1} chose option {chosen}; they are numbered 0 to "
                f"{count - 1}"
            )
        state.play(chosen)


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
