"""Early choices: decisions made before their turn, as at a table where all choose at once.

The rules ask one after the other. Where nothing that others can choose until then changes what a
seat is asked, or what it sees meanwhile, it may choose already. That is proved, for any game, by
going on from the pending decision with the rules themselves:

- Only cards that everybody sees may be looked at by a rule, and nothing is drawn. So all goes the
  same way wherever hidden cards lie, and that a seat may choose early tells nobody anything.
- The options of each decision on the way look alike to the seat, one of hidden cards like another;
  so one of them stands for all. It sees no card on the way that it has not seen before.
- Which decision comes next never depends on hidden cards, in the whole program. So all know to
  which the rules have come, and with it all that they go on from but the hidden cards.

Where any of this fails there are no early choices. `table.Table` keeps those that are made, and
plays them when their turn comes.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.game.information.knowledge import Witnesses
from cardwright.game.information.tracker import WatchedWorld
from cardwright.game.option import content_of
from cardwright.interpreter import effects as e, machine
from cardwright.interpreter.world import Fault, content_of_world, world_with
from cardwright.program.cards import OPEN_KINDS, LocationKind
from cardwright.table.open_rules import DependsError, OpenStream

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Sequence

    from cardwright.game.option import Content
    from cardwright.interpreter.effects import BuiltOption, Effect
    from cardwright.interpreter.machine import GameLimits
    from cardwright.interpreter.world import World
    from cardwright.program.cards import CardId, Location
    from cardwright.table.referee import GameCourse, Referee, RefereeRules

_FARTHEST = 3
"""How many rounds of decisions ahead early ones are looked for."""


# What a seat sees ---------------------------------------------------------------------------


def _seen(world: World, witnesses: Witnesses, seat: int, effect: Effect) -> Hashable:
    """Return an effect as a seat sees it; raises DependsError if it shows what was hidden."""
    cards = world.rules.program.cards

    def look(left: Location, right: Location, *moved: CardId) -> Hashable:
        known = witnesses[left][seat]
        if known is not witnesses[right][seat]:
            raise DependsError
        return left, right, moved if known else tuple(cards[card].back for card in moved)

    match effect:
        case e.Moved(card=card, source=source, target=target):
            known = witnesses[source][seat]
            if not known and witnesses[target][seat]:
                raise DependsError
            return source, target, card if known else cards[card].back
        case e.Swapped(left=left, left_place=source, right=right, right_place=target):
            return look(source, target, left, right)
        case e.Exchanged(left=source, right=target, left_cards=mine, right_cards=theirs):
            return look(source, target, *mine, *theirs), len(mine)
        case e.Shuffled(location=place, after=after):
            if len(after) > 1 and witnesses[place][seat]:
                raise DependsError
            return "shuffle", place
        case e.Remembered(card=card):
            if world.where[card].kind not in OPEN_KINDS:
                raise DependsError
            return effect
        case e.Stored(storage=storage, owner=owner, name=name, new=new):
            return storage, owner, name, new
        case e.Forgot() | e.Turned():
            return effect
        case e.Born() | e.Passed() | e.Regrouped():
            return None
    raise DependsError


def _alike(
    world: World, witnesses: Witnesses, options: Sequence[BuiltOption], decider: int, seat: int
) -> bool:
    """Return whether a seat sees no difference between the options that another chooses from."""
    first: Hashable = None
    for option in options:
        try:
            effects = tuple(_seen(world, witnesses, seat, effect) for effect in option.effects)
        except DependsError:
            return False
        look = _content(world, witnesses, option, decider, seat), effects, option.words
        first = first or look
        if look != first:
            return False
    return True


def _content(
    world: World, witnesses: Witnesses, option: BuiltOption, decider: int, seat: int
) -> Content:
    """Return what an option means to a seat that sees another choose it, or chooses it itself."""

    def by(who: int) -> Callable[[CardId], bool]:
        return lambda card: witnesses[world.where[card]][who]

    return content_of(option.branch, option.picks, by(seat), by(decider))


def _check(world: World) -> None:
    """Raise DependsError where cards differ by more than what they are.

    Hidden cards of one place have one back, or moving them shows which they are; and no memory has
    a hidden card, which rules could find wherever it lies.
    """
    cards = world.rules.program.cards
    for pile in world.touched():
        if pile.location.kind is LocationKind.MEMORY:
            refused = any(world.where[card].kind not in OPEN_KINDS for card in pile.cards)
        elif pile.location.kind is LocationKind.VISIBLE:
            continue
        else:
            refused = len({cards[card].back for card in pile.cards}) > 1
        if refused:
            raise DependsError


# Going on -----------------------------------------------------------------------------------


class _EarlyWalk:
    """Goes on from a decision, by the first option of each, while some seats may choose early.

    `found` has the seats that may, and how many decisions are made before theirs.
    """

    def __init__(self, world: World, witnesses: Witnesses, limits: GameLimits) -> None:
        self.found: dict[int, int] = {}
        self._witnesses = witnesses
        self._limits = limits
        self._wanted: set[int] = set()
        self._world = WatchedWorld.of(world, self._watch)

    def go(self, wanted: Collection[int], options: Sequence[BuiltOption]) -> None:
        """Find the next decisions of some seats, from one with these options.

        Raises DependsError, or Fault, where it cannot go on: what was found before holds.
        """
        self._wanted = set(wanted)
        for steps in range(_FARTHEST * self._world.rules.program.players):
            decider = self._world.players[-1].current
            if steps and decider in self._wanted:
                self.found[decider] = steps
                self._wanted.remove(decider)
            self._wanted = {
                seat
                for seat in self._wanted
                if _alike(self._world, self._witnesses, options, decider, seat)
            }
            if not self._wanted:
                return
            _check(self._world)
            machine.carry_out(self._world, options[0])
            options = machine.advance(self._world, self._limits) or ()
            if not options:
                return

    def _watch(self, effect: Effect) -> None:
        for seat in tuple(self._wanted):
            try:
                _seen(self._world, self._witnesses, seat, effect)
            except DependsError:
                self._wanted.remove(seat)


@dataclass(frozen=True)
class _EarlyChoice:
    """A choice that was made early: for the decision of a number, when `made` had been made."""

    number: int
    made: int
    option: int
    content: Content


class EarlyDecisions:
    """The decisions of a game that can be made before their turn, and the choices made so far."""

    def __init__(self, rules: RefereeRules, course: GameCourse) -> None:
        self._rules = rules
        self._course = course
        self._witnesses = Witnesses(rules.game.program)
        self._limits = rules.game.limits
        self._kept: dict[int, _EarlyChoice] = {}
        self.forget()

    def forget(self) -> None:
        """Forget which decisions can be made: they are found again."""
        self._found: dict[int, int] = {}
        self._asked: frozenset[int] = frozenset()
        self._valid = range(0)
        self._referees: dict[int, Referee] = {}

    def rename(self) -> None:
        """Put options into words anew."""
        self._referees.clear()

    def back(self, number: int) -> None:
        """Go back to the decision of a number: choices that were made after it are forgotten."""
        self.forget()
        self._kept = {seat: kept for seat, kept in self._kept.items() if kept.made <= number}

    # Decisions ------------------------------------------------------------------------------

    def of(self, seats: Iterable[int]) -> dict[int, int]:
        """Return the numbers of the decisions that some seats can make before their turn."""
        referee, asked = self._course.referee, frozenset(seats)
        if referee.due is None or not self._rules.open_course:
            return {}
        if not self._holds(asked):
            self._look(referee, asked)
        found = self._found.items()
        return {seat: at for seat, at in found if at > referee.number and seat in asked}

    def _holds(self, asked: frozenset[int]) -> bool:
        """Return whether what was found before is all there is for some seats.

        What was found holds until it is due. Those who have decided meanwhile are not looked for
        again: where all choose at once, all do so once.
        """
        number = self._course.referee.number
        if number not in self._valid or not asked <= self._asked:
            return False
        decided = self._course.deciders[self._valid.start : number]
        return number == self._valid.start or asked <= {*self._found, *decided}

    def _look(self, referee: Referee, asked: frozenset[int]) -> None:
        """Look for the decisions of some seats."""
        due, number = referee.due, referee.number
        assert due is not None
        options = referee.pending(due).built
        self.forget()
        if len(options) > 1:  # otherwise there is nothing to wait for
            walk = _EarlyWalk(self._opened(referee.world), self._witnesses, self._limits)
            with suppress(DependsError, Fault):
                walk.go(asked - {due}, options)
            self._found = {seat: number + after for seat, after in walk.found.items()}
        self._asked = asked
        self._valid = range(number, max(self._found.values(), default=number) + 1)

    def _opened(self, world: World) -> World:
        """Return a copy of a world in which rules look at nothing that not everybody knows."""
        opened = world_with(self._rules.open_rules, content_of_world(world))
        opened.stream = OpenStream.at(world.stream.words)
        return opened

    def referee(self, seat: int) -> Referee:
        """Return a referee at the early decision of a seat, which there has to be.

        It has made choices for others on the way, which make no difference to the seat.
        """
        referee = self._referees.get(seat)
        if referee is None:
            referee = self._course.referee.copy()
            while referee.number < self._found[seat]:
                referee.choose(0)
            self._referees[seat] = referee
        return referee

    # Choices --------------------------------------------------------------------------------

    def chosen(self, seat: int) -> int | None:
        """Return what a seat has chosen for its early decision."""
        kept = self._kept.get(seat)
        return kept.option if kept is not None and kept.number == self._found.get(seat) else None

    def keep(self, seat: int, option: int) -> None:
        """Keep a choice for the early decision of a seat, instead of any before."""
        referee, made = self.referee(seat), self._course.referee.number
        meaning = self._meaning(referee, option)
        self._kept[seat] = _EarlyChoice(referee.number, made, option, meaning)

    def drop(self, seat: int) -> None:
        """Forget what a seat has chosen."""
        self._kept.pop(seat, None)

    def take(self) -> int | None:
        """Return what the seat that is due has chosen early, which is kept no longer."""
        referee = self._course.referee
        kept = None if referee.due is None else self._kept.pop(referee.due, None)
        if kept is None or kept.number != referee.number or kept.option >= referee.option_count:
            return None
        return kept.option if self._meaning(referee, kept.option) == kept.content else None

    def _meaning(self, referee: Referee, option: int) -> Content:
        """Return what an option of the pending decision means to its chooser."""
        seat = referee.due
        assert seat is not None
        built = referee.pending(seat).built[option]
        return _content(referee.world, self._witnesses, built, seat, seat)
