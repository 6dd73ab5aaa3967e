"""Games that are followed by the interpreter, effect by effect, for what their seats see.

The tracker keeps for every seat where cards may lie, by what it knows. A card that a seat sees
before or after a move is known to lie where it went; one that moves unseen from a hidden place to
another may be any that may have been there. What a choice shows, such as that a player cannot
follow suit, is in `cardwright.game.deduction`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from typing import TYPE_CHECKING, Self
from weakref import WeakKeyDictionary

from cardwright.game.board import outcomes_at
from cardwright.game.deduction import DOUBT, shown
from cardwright.game.information.knowledge import Knowledge, Witnesses, at_first_sight
from cardwright.game.option import SeenDecision, content_of
from cardwright.game.whereabouts import Backs, Whereabouts
from cardwright.game.wording.describe import choice_at
from cardwright.interpreter import machine
from cardwright.interpreter.chance import current_run, running, scripted, settle
from cardwright.interpreter.effects import Exchanged, Moved, Swapped
from cardwright.interpreter.steps import picked_cards
from cardwright.interpreter.world import World
from cardwright.program.cards import Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.game.deduction import Forms
    from cardwright.interpreter.effects import BuiltOption, Effect
    from cardwright.interpreter.machine import GameLimits
    from cardwright.interpreter.world import GameRules
    from cardwright.program.cards import CardId, Location
    from cardwright.program.program import Program

    InSight = dict[CardId, tuple[bool, ...]]


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


class WatchedGame(ABC):
    """A game at a decision or at its end, as the interpreter follows it; it does not change."""

    def __init__(self, limits: GameLimits, world: World, witnesses: Witnesses) -> None:
        """Take over a world, before the first item of its game or at a decision."""
        self._limits = limits
        self._witnesses = witnesses
        self._world = WatchedWorld.of(world, self._watch)
        self._built: Sequence[BuiltOption] | None = None

    def begun(self, outcomes: Sequence[int] = ()) -> Self:
        """Run to the first decision, by the outcomes of draws if they are by hand; raises Fault."""
        with scripted(self._world.stream, outcomes):
            self._run_on()
        return self

    def after(self, steps: Sequence[int]) -> Self:
        """Return the game after some more steps, the first of which is a choice; raises Fault.

        The outcomes of draws by hand after a choice are all there.
        """
        followed = self._copy()
        at = 0
        while at < len(steps):
            assert followed._built is not None
            outcomes = outcomes_at(steps, at + 1)
            followed._choose(followed._built[steps[at]], outcomes)
            at += 1 + len(outcomes)
        return followed

    def _copy(self) -> Self:
        other = copy(self)
        other._world = WatchedWorld.of(self._world.copy(), other._watch)
        return other

    def _choose(self, option: BuiltOption, outcomes: Sequence[int]) -> None:
        """Carry an option out, and run to the next decision."""
        seen, in_sight = self._seen(option)
        self._note(option, seen, in_sight)
        with scripted(self._world.stream, outcomes):
            machine.carry_out(self._world, option)
            self._chosen(seen)
            self._run_on()

    def _run_on(self) -> None:
        settle(self._world.stream)
        self._built = machine.advance(self._world, self._limits)
        self._arrived()

    def _seen(self, option: BuiltOption) -> tuple[list[SeenDecision], InSight]:
        """Return the choice of an option as each seat and a spectator see it, and its cards.

        With each picked card comes who sees it before or afterwards. Those who see the same share
        what they see.
        """
        where, seat = self._world.where, Seat(self._world.players[-1].current)
        picked = [card for pick in option.picks for card in picked_cards(pick)]
        places = self._places_after(option, {card: where[card] for card in picked})
        before = {card: self._witnesses[where[card]] for card in picked}
        in_sight = {
            card: tuple(map(max, before[card], self._witnesses[place]))
            for card, place in places.items()
        }

        def chosen(card: CardId) -> bool:
            return before[card][seat]

        shared: dict[tuple[bool, ...], SeenDecision] = {}
        seen: list[SeenDecision] = []
        for observer in range(self._world.rules.program.players + 1):
            known = {card: witnesses[observer] for card, witnesses in in_sight.items()}
            key = tuple(known.values())
            if key not in shared:
                shared[key] = SeenDecision(
                    seat, content_of(option.branch, option.picks, known.__getitem__, chosen)
                )
            seen.append(shared[key])
        return seen, in_sight

    @staticmethod
    def _places_after(
        option: BuiltOption, places: dict[CardId, Location]
    ) -> dict[CardId, Location]:
        """Return where cards lie once an option is carried out, from where they lie before."""
        for effect in option.effects if places else ():
            match effect:
                case Moved(card=card, target=target) if card in places:
                    places[card] = target
                case Swapped():
                    new = {effect.left: effect.right_place, effect.right: effect.left_place}
                    places = {card: new.get(card, place) for card, place in places.items()}
                case Exchanged(left=left, right=right):
                    sides = {left: right, right: left}
                    places = {card: sides.get(place, place) for card, place in places.items()}
        return places

    @abstractmethod
    def _watch(self, effect: Effect) -> None:
        """See an effect that has happened."""

    @abstractmethod
    def _note(self, option: BuiltOption, seen: list[SeenDecision], in_sight: InSight) -> None:
        """See that an option has been chosen, before it is carried out."""

    def _chosen(self, seen: list[SeenDecision]) -> None:  # noqa: B027 - most see nothing more
        """See a choice right after its option was carried out."""

    def _arrived(self) -> None:  # noqa: B027 - most see nothing more
        """See that the next decision is due, or that the game is over."""


class TrackerPlan:
    """What trackers have to know about a program, and findings about its forms."""

    def __init__(self, program: Program) -> None:
        self.forms: Forms = {}
        self.backs = Backs(program)
        self.witnesses = Witnesses(program)


_PLANS: WeakKeyDictionary[GameRules, TrackerPlan] = WeakKeyDictionary()


class Tracker(WatchedGame):
    """A game as far as it was followed, what each seat knows about it, and what it saw."""

    def __init__(
        self, limits: GameLimits, world: World, knowledge: Knowledge | None = None
    ) -> None:
        """Take over the world of a new game, which is before its first item.

        All seats know which cards each location has at first, though not in which order. If there
        is knowledge, the world is at a decision and was made for what one seat knows; the other
        seats know what they see at first sight, and nothing is on record.
        """
        plan = _PLANS.get(world.rules)
        if plan is None:
            plan = _PLANS[world.rules] = TrackerPlan(world.rules.program)
        self._plan = plan
        program = world.rules.program
        self._whereabouts = Whereabouts(program, plan.backs)
        self._whereabouts.look_at(world)
        self._records: list[list[SeenDecision]] = [[] for _ in range(program.players)]
        if knowledge is not None:
            for seat in map(Seat, range(program.players)):
                known = knowledge if seat == knowledge.seat else at_first_sight(world, seat)
                self._whereabouts.tell(known)
        super().__init__(limits, world, plan.witnesses)

    def _copy(self) -> Self:
        other = super()._copy()
        other._whereabouts = self._whereabouts.copy()
        other._records = [record.copy() for record in self._records]
        return other

    def _watch(self, effect: Effect) -> None:
        self._whereabouts.watch(effect, self._world)

    def _note(self, option: BuiltOption, seen: list[SeenDecision], in_sight: InSight) -> None:
        """Add to the records, and let the other seats draw conclusions from what was chosen."""
        for record, decision in zip(self._records, seen, strict=False):
            record.append(decision)
        choice = choice_at(self._world).node
        groups: dict[tuple[bool, ...], list[int]] = {}
        for observer in range(len(self._records)):
            if observer != seen[0].seat:
                key = tuple(witnesses[observer] for witnesses in in_sight.values())
                groups.setdefault(key, []).append(observer)
        for key, observers in groups.items():
            known = dict(zip(in_sight, key, strict=True))
            taken = tuple(
                pick if all(map(known.get, picked_cards(pick))) else pick._replace(item=DOUBT)
                for pick in option.picks
            )
            hidden = self._whereabouts.hidden(seen[0].seat, observers)
            step = choice.steps[option.branch]
            placed = list(shown(self._world, step, taken, hidden, self._plan.forms))
            self._whereabouts.rule_out(placed, observers)

    def knowledge(self, seat: Seat) -> Knowledge:
        """Return what a seat knows."""
        whereabouts = self._whereabouts
        return Knowledge(seat, whereabouts.places, tuple(whereabouts.concluded(seat)))

    def record(self, seat: Seat) -> tuple[SeenDecision, ...]:
        """Return what a seat saw of all decisions."""
        return tuple(self._records[seat])
