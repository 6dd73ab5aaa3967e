"""The tracker: it follows a game and keeps for every seat where cards may lie, by what it knows.

The game is replayed by the interpreter, effect by effect. A card that a seat sees before or after a
move is known to lie where it went; one that moves unseen from a hidden place to another may be any
that may have been there. What a choice shows, such as that a player cannot follow suit, is in
`cardwright.game.inference`.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from cardwright.game.board import outcomes_at
from cardwright.game.errors import NoRecordError
from cardwright.game.inference import DOUBT, Taken, shown
from cardwright.game.information.knowledge import Knowledge, at_first_sight
from cardwright.game.option import SeenDecision, content_of
from cardwright.game.whereabouts import Backs, Whereabouts
from cardwright.interpreter import machine
from cardwright.interpreter.chance import current_run, running, scripted, settle
from cardwright.interpreter.effects import Exchanged, Moved, Swapped
from cardwright.interpreter.steps import picked_cards
from cardwright.interpreter.world import Decide, RuleBlock, World
from cardwright.program.cards import Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cardwright.game.board import Board
    from cardwright.game.inference import Forms
    from cardwright.interpreter.effects import BuiltOption, Effect
    from cardwright.interpreter.machine import GameLimits
    from cardwright.interpreter.world import GameRules
    from cardwright.program import nodes as n
    from cardwright.program.cards import CardId


class WatchedWorld(World):
    """A world that reports every effect that actually happens."""

    __slots__ = ("watch",)

    watch: Callable[[Effect], None]

    @classmethod
    def of(cls, world: World, watch: Callable[[Effect], None]) -> WatchedWorld:
        """Return a world that takes the place of another."""
        watched = cls.__new__(cls)
        for name in World.__slots__:
            setattr(watched, name, getattr(world, name))
        watched.watch = watch
        return watched

    def do(self, effect: Effect) -> None:
        """Apply an effect, and report it unless options are being built."""
        super().do(effect)
        if self.journal is not None:
            return
        if current_run() is None:
            self.watch(effect)
        else:
            with running(None):  # what is only reported is not drawn
                self.watch(effect)


class TrackerPlan:
    """What a tracker has to know about a program: its choices, and findings about its forms."""

    def __init__(self, rules: GameRules) -> None:
        self.program = rules.program
        self.choices: dict[int, n.Choice] = {}
        self.forms: Forms = {}
        self._find(rules.items)
        self.backs = Backs(rules.program)

    def _find(self, block: RuleBlock) -> None:
        for item in block.items:
            if isinstance(item, RuleBlock):
                self._find(item)
            elif isinstance(item, Decide):
                self.choices[id(item)] = item.node


class Tracker:
    """A game as far as it was followed, what each seat knows about it, and what it saw."""

    def __init__(
        self,
        plan: TrackerPlan,
        limits: GameLimits,
        world: World,
        knowledge: Knowledge | None = None,
    ) -> None:
        """Take over the world of a new game, which is before its first item.

        All seats know which cards each location has at first, though not in which order. If there
        is knowledge, the world is at a decision and was made for what one seat knows; the other
        seats know what they see at first sight, and nothing is on record.
        """
        self._plan = plan
        self._limits = limits
        self._seats = range(plan.program.players)
        self._whereabouts = Whereabouts(plan.program, plan.backs)
        self._whereabouts.look_at(world)
        if knowledge is not None:
            for seat in map(Seat, self._seats):
                known = knowledge if seat == knowledge.seat else at_first_sight(world, seat)
                self._whereabouts.tell(known)
        self._records: list[list[SeenDecision]] = [[] for _ in self._seats]
        self._world = WatchedWorld.of(world, self._watch)
        self._built: Sequence[BuiltOption] | None = None
        self.done = -1
        """How many steps were followed; -1 before the first item."""

    def copy(self) -> Tracker:
        """Return an independent tracker of the same game so far."""
        other = copy(self)
        other._whereabouts = self._whereabouts.copy()
        other._records = [record.copy() for record in self._records]
        other._world = WatchedWorld.of(self._world.copy(), other._watch)
        return other

    # Following ----------------------------------------------------------------------------

    def follow(self, steps: Sequence[int]) -> None:
        """Follow the game to its state after these steps, counted from its start.

        The outcomes of draws by hand after a choice are all there.
        """
        if self.done < 0:
            self._run(None, outcomes_at(steps, 0))
            self.done = len(outcomes_at(steps, 0))
        while self.done < len(steps):
            assert self._built is not None
            option, outcomes = self._built[steps[self.done]], outcomes_at(steps, self.done + 1)
            seat = Seat(self._world.players[-1].current)
            in_sight = self._in_sight(option)
            self._note(seat, option, in_sight)
            self._learn(seat, option, in_sight)
            self._run(option, outcomes)
            self.done += 1 + len(outcomes)

    def _run(self, option: BuiltOption | None, outcomes: Sequence[int]) -> None:
        """Carry out an option, and run to the next decision."""
        with scripted(self._world.stream, outcomes):
            if option is not None:
                machine.carry_out(self._world, option)
            settle(self._world.stream)
            self._built = machine.advance(self._world, self._limits)

    def _in_sight(self, option: BuiltOption) -> dict[CardId, int]:
        """Return for every picked card the seats, a bit each, that see it before or afterwards."""
        picked = [card for pick in option.picks for card in picked_cards(pick)]
        if not picked:
            return {}
        after = {card: self._world.where[card] for card in picked}
        for effect in option.effects:
            match effect:
                case Moved(card=card, target=target):
                    after[card] = target
                case Swapped():
                    after[effect.left] = effect.right_place
                    after[effect.right] = effect.left_place
                case Exchanged(left=left, right=right):
                    sides = {left: right, right: left}
                    after = {card: sides.get(place, place) for card, place in after.items()}
        seeing, before = self._whereabouts.seats_that_see, self._world.where
        return {card: seeing(before[card]) | seeing(after[card]) for card in picked}

    def _note(self, seat: Seat, option: BuiltOption, in_sight: Mapping[CardId, int]) -> None:
        """Add to the records, which share what several seats saw in the same way."""
        seeing, where = self._whereabouts.seats_that_see, self._world.where

        def chosen(card: CardId) -> bool:
            return bool(seeing(where[card]) >> seat & 1)

        shared: dict[tuple[bool, ...], SeenDecision] = {}
        for observer, record in enumerate(self._records):
            known = {card: bool(seats >> observer & 1) for card, seats in in_sight.items()}
            key = tuple(known.values())
            if key not in shared:
                shared[key] = SeenDecision(seat, content_of(option, known.__getitem__, chosen))
            record.append(shared[key])

    # Learning -----------------------------------------------------------------------------

    def _learn(self, seat: Seat, option: BuiltOption, in_sight: Mapping[CardId, int]) -> None:
        """Let the other seats draw conclusions from the option that was chosen."""
        frame = self._world.frames[-1]
        choice = self._plan.choices[id(frame.block.items[frame.at])]
        groups: dict[tuple[bool, ...], tuple[tuple[Taken, ...], list[int]]] = {}
        for observer in self._seats:
            if observer != seat:
                key = tuple(bool(seats >> observer & 1) for seats in in_sight.values())
                if key not in groups:
                    groups[key] = self._taken(option, in_sight, observer), []
                groups[key][1].append(observer)
        step = choice.steps[option.branch]
        for taken, observers in groups.values():
            hidden = self._whereabouts.hidden(seat, observers)
            found = list(shown(self._world, step, taken, hidden, self._plan.forms))
            self._whereabouts.rule_out(found, observers)

    def _taken(
        self, option: BuiltOption, in_sight: Mapping[CardId, int], observer: int
    ) -> tuple[Taken, ...]:
        taken = []
        for pick in option.picks:
            known = all(in_sight[card] >> observer & 1 for card in picked_cards(pick))
            item: Any = pick.item if known else DOUBT
            taken.append(Taken(pick.node, item))
        return tuple(taken)

    def _watch(self, effect: Effect) -> None:
        self._whereabouts.watch(effect, self._world)

    # Answers ------------------------------------------------------------------------------

    def knowledge(self, seat: Seat) -> Knowledge:
        """Return what a seat knows."""
        whereabouts = self._whereabouts
        return Knowledge(seat, whereabouts.places, tuple(whereabouts.concluded(seat)))

    def record(self, seat: Seat) -> tuple[SeenDecision, ...]:
        """Return what a seat saw of all decisions."""
        return tuple(self._records[seat])


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a determinised state: its board then, and what its seat knew and had seen.

    `made` is how many steps had been made.
    """

    board: Board
    knowledge: Knowledge
    record: tuple[SeenDecision, ...]
    made: int


_PLANS: WeakKeyDictionary[GameRules, TrackerPlan] = WeakKeyDictionary()


@dataclass(slots=True)
class StateMemory:
    """What a state remembers: a tracker, made when it is first asked for, that follows the state.

    A state that was started can `begin` with the world of a new game, one determinised in mode
    `consistent` has an origin, and any other remembers nothing.
    """

    limits: GameLimits
    begin: Callable[[GameRules], World] | None = None
    origin: Origin | None = None
    _tracker: Tracker | None = field(default=None, repr=False)
    _shared: bool = False

    def copy(self) -> StateMemory:
        """Return the memory of a copy of the state; the tracker is copied when one goes on."""
        self._shared = self._tracker is not None
        return StateMemory(self.limits, self.begin, self.origin, self._tracker, self._shared)

    def rewind(self) -> None:
        """Forget how far the state was followed: it has gone back."""
        self._tracker, self._shared = None, False

    def knowledge(self, board: Board, steps: Sequence[int], seat: Seat) -> Knowledge:
        """Return what a seat knows about a board after all these steps."""
        if self.begin is None and self.origin is None:
            return at_first_sight(board.world(), seat)
        return self._follow(board, steps).knowledge(seat)

    def record(self, board: Board, steps: Sequence[int], seat: Seat) -> tuple[SeenDecision, ...]:
        """Return what a seat saw of all these steps; raises NoRecordError if there is none."""
        if self.begin is not None:
            return self._follow(board, steps).record(seat)
        if self.origin is None or self.origin.knowledge.seat != seat:
            raise NoRecordError(
                f"this state was determinised and has no record of p{seat + 1}: ask the state that"
                " was started, or one determinised for this seat in mode 'consistent'"
            )
        return self.origin.record + self._follow(board, steps).record(seat)

    def _follow(self, board: Board, steps: Sequence[int]) -> Tracker:
        if self.origin is not None:
            steps = steps[self.origin.made :]
        if self._tracker is None:
            self._tracker = self._begun(board)
        if self._tracker.done < len(steps):
            if self._shared:
                self._tracker, self._shared = self._tracker.copy(), False
            self._tracker.follow(steps)
        return self._tracker

    def _begun(self, board: Board) -> Tracker:
        rules = board.world().rules
        plan = _PLANS.get(rules)
        if plan is None:
            plan = _PLANS[rules] = TrackerPlan(rules)
        if self.origin is not None:
            world = self.origin.board.world().copy()
            return Tracker(plan, self.limits, world, self.origin.knowledge)
        assert self.begin is not None
        return Tracker(plan, self.limits, self.begin(rules))
