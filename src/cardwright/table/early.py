"""Early choices: decisions made before their turn, as at a table where all choose at once.

The rules ask one after the other. Where nothing that others can choose until then changes what a
seat is asked, or what it sees meanwhile, it may choose already. That is proved, for any game, by
going on from the pending decision with the rules themselves:

- Only cards that everybody sees may be looked at by a rule, and nothing is drawn. So all goes the
  same way wherever hidden cards lie, and that a seat may choose early tells nobody anything.
- The options of each decision on the way look alike to the seat, one of hidden cards like another;
  so one of them stands for all. It sees no card on the way that it has not seen before.
- The same holds from the choice before to the pending decision: all know to which the rules came.

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
    """Goes on from a world, as far as rules look at open cards only.

    By the first option of each decision it goes on while some seats may choose early.

    `found` has the seats that may, and how many decisions are made before theirs.
    """

    def __init__(self, world: World, witnesses: Witnesses, limits: GameLimits) -> None:
        self.found: dict[int, int] = {}
        self._witnesses = witnesses
        self._limits = limits
        self._wanted: set[int] = set()
        self._world = WatchedWorld.of(world, self._watch)
        self._options: Sequence[BuiltOption] = ()

    def come(self) -> None:
        """Come to the next decision, as the rules do; raises DependsError, or Fault."""
        _check(self._world)
        self._options = machine.advance(self._world, self._limits) or ()

    def go(self, wanted: Collection[int], options: Sequence[BuiltOption]) -> None:
        """Find the next decisions of some seats, from one with these options.

        Raises DependsError, or Fault, where it cannot go on: what was found before holds.
        """
        self._wanted, self._options = set(wanted), options
        stream = self._world.stream
        assert isinstance(stream, OpenStream)
        stream.drawn = True  # what others choose unseen is as little known as what is drawn
        for steps in range(_FARTHEST * self._world.rules.program.players):
            decider = self._world.players[-1].current
            if steps and self._options and decider in self._wanted:
                self.found[decider] = steps
                self._wanted.remove(decider)
            self._wanted = {
                seat
                for seat in self._wanted
                if _alike(self._world, self._witnesses, self._options, decider, seat)
            }
            if not self._wanted or not self._options:
                return
            _check(self._world)
            machine.carry_out(self._world, self._options[0])
            self.come()

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
        self._kept: dict[int, _EarlyChoice] = {}
        self.forget()

    def forget(self) -> None:
        """Forget which decisions can be made: they are found again."""
        self._found: dict[int, int] = {}
        self._asked: frozenset[int] = frozenset()
        self._valid = range(0)
        self._proved = False
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
        referee = self._course.referee
        waiting = frozenset(seats) - {referee.due}
        if referee.due is None or not waiting:
            return {}
        if referee.number not in self._valid or not waiting <= self._asked:
            self._look(waiting)
        found = self._found.items()
        return {seat: at for seat, at in found if at > referee.number and seat in waiting}

    def _look(self, waiting: frozenset[int]) -> None:
        """Look for the decisions of those who wait.

        Those found hold until they are due, as does that all know to which decision the rules come.
        """
        number, known = self._course.referee.number, self._proved
        known = known and number in self._valid
        self.forget()
        steps = self._steps(waiting, known=known)
        self._found = {seat: number + after for seat, after in steps.items()}
        self._asked, self._proved = waiting, bool(steps)
        self._valid = range(number, max(self._found.values(), default=number) + 1)

    def _steps(self, waiting: frozenset[int], *, known: bool) -> dict[int, int]:
        referee, _course = self._course.referee, self._course
        due = referee.due
        assert due is not None
        options = referee.pending(due).built
        if len(options) == 1 and not known:  # there is nothing to wait for
            return {}
        eyes = self._witnesses
        wanted = {seat for seat in waiting if _alike(referee.world, eyes, options, due, seat)}
        if not wanted or not (known or self._position_known()):
            return {}
        walk = self._walk(referee.world)
        with suppress(DependsError, Fault):
            walk.go(wanted, options)
        return walk.found

    def _position_known(self) -> bool:
        """Return whether everybody knows to which decision the rules have come.

        All do once somebody has chosen, as it is told from which options; and before the game.
        """
        course = self._course
        walk = self._walk(course.moment().world if course.deciders else None)
        with suppress(DependsError, Fault):
            walk.come()
            return True
        return False

    def _walk(self, world: World | None) -> _EarlyWalk:
        """Return a walk from a world, or from the beginning of the game."""
        rules, seed = self._rules.open_rules, self._course.referee.seed
        if world is None:
            opened = machine.start(rules, seed)
        else:
            opened = world_with(rules, content_of_world(world))
        opened.stream = OpenStream(opened.stream.words, drawn=world is not None)
        return _EarlyWalk(opened, self._witnesses, self._rules.game.limits)

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
