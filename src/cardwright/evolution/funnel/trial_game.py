"""Trial games: a few games by the interpreter, whose costs are counted and whose play is marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.evolution.funnel.marks import PlayMarks
from cardwright.interpreter import machine
from cardwright.interpreter.effects import Passed, Shuffled, Stored
from cardwright.interpreter.machine import Rules
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import World
from cardwright.program.limits import ROUNDS_A_STEP

if TYPE_CHECKING:
    from cardwright.evolution.funnel.limits import CostLimits
    from cardwright.interpreter.effects import BuiltOption, Effect
    from cardwright.program.program import Program
    from cardwright.syntax.source import Span

WORK_OF_A_STEP = 10
"""The work of a block, or of a test of an end, in rounds of loops."""


class WorkError(Exception):
    """Games took more work than is allowed."""


@dataclass(frozen=True, slots=True)
class TrialGame:
    """A game that was played to its end at random.

    `seed` gave its deal, and `chances` the choices of its players. `choices` are the decisions with
    more than one option, `idle` those of them with an option that does nothing, `options` the most
    of one decision, `steps` the most in a row without a
    decision. `ranks` says for every seat how many have a better score. `digest` is the same for
    games that were played alike, see `PlayMarks`.
    """

    seed: int
    chances: int
    decisions: int
    choices: int
    idle: int
    options: int
    steps: int
    work: int
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    digest: bytes


class TrialTable:
    """Where trial games of one program are played.

    `left` is the work that further games may take; to begin with, as much as the limits allow.
    """

    def __init__(self, program: Program, limits: CostLimits) -> None:
        self.program = program
        self.limits = limits
        self.left = limits.work
        self._rules = Rules(_counting_all(program), lambda _: limits.options)

    def play(self, seed: int, chances: int) -> TrialGame:
        """Play a game of a seed, with choices at random from another.

        The options of a decision are drawn from in an order that does not depend on how the rules
        are written. Raises Fault for a broken rule, and WorkError if it takes more work than is
        left.
        """
        world = _MeasuredWorld(self._rules, seed, self.left)
        try:
            return self._played(world, seed, chances)
        finally:
            self.left -= world.work

    def _played(self, world: _MeasuredWorld, seed: int, chances: int) -> TrialGame:
        limits = self.limits.of_games
        machine.set_up(world)
        streams = [Stream.of_seat(chances, seat) for seat in range(self.program.players)]
        marks = PlayMarks(world)
        choices = idle = most = steps = 0
        while (built := machine.advance(world, limits)) is not None:
            steps = max(steps, limits.steps - world.left // ROUNDS_A_STEP)
            most = max(most, len(built))
            world.work += len(built)
            at = 0
            if len(built) > 1:  # a forced decision may be missing in games that are played alike
                choices += 1
                idle += any(map(_does_nothing, built))
                seat = world.players[-1].current
                order = marks.decision(seat, built)
                at = order[streams[seat].below(len(built))]
            machine.carry_out(world, built[at])
        scores = machine.scores(world)
        ranks = machine.ranks(scores, highest_wins=self.program.highest_wins)
        marks.end(scores, ranks)
        return TrialGame(
            seed, chances, world.decisions, choices, idle, most, steps, world.work,
            tuple(scores), tuple(ranks), marks.digest,
        )  # fmt: skip


class _MeasuredWorld(World):
    """A world that adds up the work of its game, up to a limit."""

    __slots__ = ("most", "work")

    def __init__(self, rules: Rules, seed: int, most: int) -> None:
        super().__init__(rules, seed)
        self.most = most
        self.work = 0

    def do(self, effect: Effect) -> None:
        """Apply an effect, whose work is the number of cards that it touches."""
        self.work += len(effect.after) if isinstance(effect, Shuffled) else 1
        super().do(effect)

    def count(self, rounds: int, span: Span) -> None:
        """Count rounds or a step as work, and as every world does; raises WorkError."""
        self.work += WORK_OF_A_STEP if rounds == ROUNDS_A_STEP else rounds
        if self.work > self.most:
            raise WorkError
        super().count(rounds, span)


def _does_nothing(option: BuiltOption) -> bool:
    """Say whether an option moves no card and changes no value."""
    return all(
        isinstance(effect, Passed) or (isinstance(effect, Stored) and effect.old == effect.new)
        for effect in option.effects
    )


def _counting_all(program: Program) -> Program:
    """Return a program whose engine counts the rounds of all loops, not only of the long ones."""
    counting = object.__new__(type(program))
    counting.__dict__.update(program.__dict__)
    counting.__dict__["rounds"] = program.rounds_beyond(0, 0)
    return counting
