"""Trial games by the interpreter: their costs, the limits of these, and marks of their play."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.evolution.candidate import Departure, DepartureReason, FunnelStep
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

    from cardwright.game.errors import GameError
    from cardwright.interpreter.effects import BuiltOption, Effect, Pick
    from cardwright.interpreter.world import Fault
    from cardwright.program.program import Program
    from cardwright.syntax.source import Span


class PlayMarks:
    """The marks of one game, taken at real decisions: who decides, its options, what lies where.

    Cards are known by their numbers in the deck. Locations are numbered as cards first lie there:
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
        found = self._places.get(location)
        if found is None:
            found = f"{len(self._places)} {_appearance(location)}"
            self._places[location] = found
        return found

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
        item = pick.item
        match item:
            case Location():
                return "place", int(item.owner), self._known(item)
            case str():
                return "name", 0, item
            case tuple():
                return "cards", len(item), " ".join(map(str, item))
        return "number", int(item), ""

    def _known(self, location: Location) -> str:
        """Return the name of a location, without giving one to a location that has none yet."""
        return self._places.get(location) or _appearance(location)


def _appearance(location: Location) -> str:
    """Return what players see of a location apart from its name: whose it is, and who sees it."""
    return f"{int(location.owner)} {location.kind.value}"


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


_REASONS = {
    "steps": DepartureReason.ENDLESS,
    "decisions": DepartureReason.ENDLESS,
    "capacity": DepartureReason.TOO_LARGE,
    "depth": DepartureReason.TOO_LARGE,
}
"""Why a candidate leaves, by the rule that a game broke; it is broken by all others."""


class LeftError(Exception):
    """A candidate has left the funnel; `Funnel.evaluate` returns the departure."""

    def __init__(self, step: FunnelStep, reason: DepartureReason, detail: str = "") -> None:
        super().__init__(detail)
        self.departure = Departure(step, reason, detail)


def left_by_fault(step: FunnelStep, fault: Fault, program: Program) -> LeftError:
    """Return how a candidate leaves for a rule that one of its games broke."""
    line = program.source.position(fault.span.start).line
    return _left(step, fault.rule, fault.message, line)


def left_by_error(step: FunnelStep, error: GameError) -> LeftError:
    """Return the same for the error of a game."""
    return _left(step, error.rule, error.reason, error.place.line)


def _left(step: FunnelStep, rule: str, message: str, line: int) -> LeftError:
    detail = f"line {line}: {message} ({rule})"
    return LeftError(step, _REASONS.get(rule, DepartureReason.BROKEN), detail)


GROWTH = 4
"""A candidate may be this many times as large, as long and as costly as the original."""

LEAST_STEPS = GameLimits().steps
"""Steps in a row without a decision that are allowed in any case: as many as engines allow. A game
that anybody can play to its end must not be called endless here."""

LEAST_DECISIONS = 500
"""Decisions of a game that are allowed in any case: most games of the library have fewer than 100.
"""

MORE_IDLE = 0.05
"""By how much the share of decisions with an option that does nothing may be above the original's:
such an option makes a decision of what was none, and nothing else."""

LEAST_OPTIONS = 1_000
"""Options of one decision that are allowed in any case: no game of the library has 100."""

LEAST_WORK = 300_000
"""Work that is allowed in any case, for all trial games of a candidate together: a second or less.
The longest game of the library takes 30,000 a game.
"""

LEAST_CARDS = 250
"""Cards that are allowed in any case: four packs and more."""

LEAST_FORMS = 4_000
"""Forms of the unfolded rules that are allowed in any case: twice the longest rules of the library.
What it takes to compile is proportional to them."""


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

        def most(least: int, found: Iterable[int]) -> int:
            return max(least, GROWTH * max(found, default=0))

        return cls(
            most(LEAST_STEPS, (game.steps for game in played)),
            most(LEAST_DECISIONS, (game.decisions for game in played)),
            most(LEAST_OPTIONS, (game.options for game in played)),
            most(LEAST_WORK, (trials * game.work for game in played)),
            most(LEAST_CARDS, [len(program.cards)]),
            most(LEAST_FORMS, [len(program.nodes())]),
            MORE_IDLE + idle_share(played),
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

    def check_size(self, program: Program) -> None:
        """Raise LeftError for rules that are too large to be tried."""
        for what, found, most in (
            ("cards", len(program.cards), self.cards),
            ("forms", len(program.nodes()), self.forms),
        ):
            if found > most:
                detail = f"{found:,} {what}, more than {most:,}"
                raise LeftError(FunnelStep.TRY, DepartureReason.TOO_LARGE, detail)


def idle_share(games: Sequence[TrialGame]) -> float:
    """Return the share of decisions with an option that does nothing, 0 for no decisions."""
    decisions = sum(game.decisions for game in games)
    return sum(game.idle for game in games) / decisions if decisions else 0.0
