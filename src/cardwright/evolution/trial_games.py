"""Trial games by the interpreter: their costs, the limits of these, and marks of their play.

All limits are counts, the same on every machine: a loop in a rule can make a million rounds, and a
choice a million options, and two machines do not agree on a bound of time. What a game costs the
interpreter is proportional to its *work*: the rounds of all loops, the effects, and ten for each
block and test of an end. In the games of the library a unit takes one to four microseconds.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.interpreter import machine
from cardwright.interpreter.effects import (
    Exchanged,
    Moved,
    Passed,
    Remembered,
    Shuffled,
    Stored,
    Swapped,
)
from cardwright.interpreter.machine import GameLimits, Rules
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import World
from cardwright.program.cards import Location
from cardwright.program.limits import ROUNDS_A_STEP

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.interpreter.effects import BuiltOption, Effect, Pick
    from cardwright.program.program import Program
    from cardwright.syntax.source import Span

WORK_OF_A_STEP = 10
"""The work of a block, or of a test of an end, in rounds of loops."""

GROWTH = 4
"""A candidate may be this many times as large, as long and as costly as the original."""

MORE_IDLE = 0.05
"""By how much the share of decisions with an option that does nothing may be above the original's:
such an option makes a decision of what was none, and nothing else."""


class WorkError(Exception):
    """Games took more work than is allowed."""


@dataclass(frozen=True, slots=True)
class CostLimits:
    """What candidates near one original may cost.

    `steps` is the most in a row without a decision and `decisions` the most of a game; `options`
    the most of a decision; `work` the most of all trial games of a candidate together; `cards` and
    `forms` the most of its rules; `idle` the share of decisions with an option that does nothing.
    """

    steps: int = 10_000
    decisions: int = 10_000
    options: int = 100_000
    work: int = 600_000
    cards: int = 1 << 16
    forms: int = 100_000
    idle: float = 1.0

    @classmethod
    def near(cls, program: Program, games: Iterable[TrialGame], trials: int) -> CostLimits:
        """Return the limits for variants of a program, given games of it; `trials` a candidate."""
        played = tuple(games)
        largest = {
            "steps": max((game.steps for game in played), default=0),
            "decisions": max((game.decisions for game in played), default=0),
            "options": max((game.options for game in played), default=0),
            "work": max((trials * game.work for game in played), default=0),
            "cards": len(program.cards),
            "forms": len(program.nodes()),
        }
        return cls(
            **{name: max(_LEAST[name], GROWTH * most) for name, most in largest.items()},
            idle=MORE_IDLE + idle_share(played),
        )

    @classmethod
    def of_originals(cls) -> CostLimits:
        """Return the limits of the games from which those of variants follow.

        They are far above what engines allow by default, so that what a game really costs is seen.
        """
        return cls(steps=1_000_000, decisions=1_000_000, work=30_000_000)

    @property
    def of_games(self) -> GameLimits:
        """The limits of a game, for engines."""
        return GameLimits(self.steps, self.decisions)


_LEAST = {
    "steps": GameLimits().steps,  # as many as engines allow: what people can play is not endless
    "decisions": 500,  # most games of the library have fewer than 100
    "options": 1_000,  # no game of the library has 100
    "work": 300_000,  # a second or less; the longest game of the library takes 30,000 a game
    "cards": 250,  # four packs and more
    "forms": 4_000,  # twice the longest rules of the library; compiling is proportional to them
}
"""What is allowed in any case."""


def idle_share(games: Sequence[TrialGame]) -> float:
    """Return the share of decisions with an option that does nothing, 0 for no decisions."""
    decisions = sum(game.decisions for game in games)
    return sum(game.idle for game in games) / decisions if decisions else 0.0


@dataclass(frozen=True, slots=True)
class TrialGame:
    """A game that was played to its end at random.

    `seed` gave its deal. `choices` are the decisions with more than one option, `idle` those of
    them with an option that does nothing, `options` the most of one decision, `steps` the most in a
    row without a decision. `ranks` says for every seat how many have a better score. `digest` is
    the same for games that were played alike, see `PlayMarks`.
    """

    seed: int
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
            seed, world.decisions, choices, idle, most, steps, world.work,
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


class PlayMarks:
    """The marks of one game, taken at real decisions: who decides, its options, what lies where.

    Games whose marks are equal were played alike, however their rules are written. Cards are known
    by their numbers in the deck. Locations are numbered as cards first lie there:
    their names do not matter, but their owners do, and who sees them. An option is what it moves,
    what was picked for it and which values it stores, in whatever storages; options are put in
    order by that, not by their order in the rules. Decisions with one option leave no mark: rules
    that only ask more or fewer of them are played alike.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._hash = hashlib.blake2b(digest_size=16)
        self._places: dict[Location, str] = {}

    def decision(self, seat: int, options: Sequence[BuiltOption]) -> list[int]:
        """Mark a decision, and return the indices of its options in an order of their own."""
        lies = [self._place(location) for location in self._world.where]
        keys = [self._option(option) for option in options]
        order = sorted(range(len(keys)), key=keys.__getitem__)
        self._mark((seat, lies, [keys[at] for at in order]))
        return order

    def end(self, scores: Sequence[int], ranks: Sequence[int]) -> None:
        """Mark the end of the game."""
        self._mark((list(scores), list(ranks)))

    @property
    def digest(self) -> bytes:
        """The marks so far."""
        return self._hash.digest()

    def _mark(self, what: object) -> None:
        self._hash.update(repr(what).encode())

    def _place(self, location: Location) -> str:
        """Return the canonical name of a location where a card lies, or has lain."""
        name = self._places.get(location)
        if name is None:
            name = self._places[location] = f"{len(self._places)} {_appearance(location)}"
        return name

    def _option(self, option: BuiltOption) -> tuple[Any, ...]:
        moves = [mark for effect in option.effects if (mark := self._effect(effect))]
        return tuple(moves), tuple(self._pick(pick) for pick in option.picks)

    def _effect(self, effect: object) -> tuple[Any, ...] | None:
        """Return what an effect does to cards and values; None for all others."""
        match effect:
            case Moved(card=card, target=target):
                return "moved", int(card), self._known(target)
            case Remembered(card=card, target=target):
                return "remembered", int(card), self._known(target)
            case Swapped(left=left, right=right):
                return "swapped", int(left), str(int(right))
            case Exchanged(left=left, right=right):
                return "exchanged", 0, f"{self._known(left)} {self._known(right)}"
            case Stored(new=new):
                number = new if isinstance(new, int) else 0
                return "stored", number, new if isinstance(new, str) else ""
        return None

    def _pick(self, pick: Pick) -> tuple[str, int, str]:
        match pick.item:
            case Location() as item:
                return "place", int(item.owner), self._known(item)
            case str() as item:
                return "name", 0, item
            case tuple() as item:
                return "cards", len(item), " ".join(map(str, item))
            case item:
                return "number", int(item), ""

    def _known(self, location: Location) -> str:
        """Return the name of a location, without giving one to a location that has none yet."""
        return self._places.get(location) or _appearance(location)


def _appearance(location: Location) -> str:
    """Return what players see of a location apart from its name: whose it is, and who sees it."""
    return f"{int(location.owner)} {location.kind.value}"
