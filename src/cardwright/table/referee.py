"""The referee: a game in play, of which it alone knows everything, and what each choice has done.

Only the interpreter knows the effects of a choice; it plays the same game as any engine. The
referee follows the tricks and keeps the book of the scores, and the course of a game has the way
back.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from cardwright.game.errors import GameError
from cardwright.game.game import State
from cardwright.game.information.tracker import WatchedWorld
from cardwright.game.reference import ReferenceBoard
from cardwright.game.wording.clauses import PendingChoice, options_for_people, prompt_of
from cardwright.game.wording.describe import choice_at, describe, with_labels, wording_of
from cardwright.game.wording.naming import PeopleNamer
from cardwright.interpreter import machine
from cardwright.interpreter.effects import Moved, Shuffled
from cardwright.interpreter.machine import Rules
from cardwright.interpreter.world import Fault
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.known_values import conceals
from cardwright.table.deal_results import DealResult, deal_results
from cardwright.table.hearts_table import counting, family_or_none, has_moon
from cardwright.table.open_rules import OpenMeanings, open_course
from cardwright.table.trick_facts import TRICK, TrickFacts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.game.game import Game
    from cardwright.game.wording.describe import DescribedOption, Wording
    from cardwright.interpreter.effects import BuiltOption, Effect
    from cardwright.interpreter.world import World
    from cardwright.program.cards import Card, CardId, Location
    from cardwright.program.program import Program


@dataclass(frozen=True)
class Trick:
    """Cards of a trick by seat, in the order of play; `winner` wins (so far), None for nobody."""

    leader: int
    cards: tuple[tuple[int, Card], ...]
    winner: int | None


@dataclass(frozen=True)
class DealEnd:
    """The end of a deal: its number from 1, what each seat got in it, and the totals after it.

    `results` are what else it has brought by the words of the game. `taken` are the cards that
    counted of those that each seat won, in games of the Hearts family.
    """

    number: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    results: tuple[DealResult, ...] = ()
    taken: tuple[tuple[Card, ...], ...] = ()


class ScoreRule:
    """Whether a game's score is known during play, and from which stored numbers.

    It is if it depends on stored numbers and visible cards, which are public. A score that depends
    on other cards, or on a random draw, is not known before the end.
    """

    def __init__(self, program: Program) -> None:
        nodes = list(n.walk(program.score))
        stores = [node for node in nodes if isinstance(node, n.Storage)]
        self.readable = not any(map(_hides, nodes))
        self.names = frozenset(
            store.name.value for store in stores if isinstance(store.name, n.Text)
        )

    def totals(self, world: World) -> tuple[int, ...] | None:
        """Return every seat's current score; None if it is not known yet."""
        if not self.readable:
            return None
        try:
            return tuple(machine.scores(world.copy()))
        except Fault:  # such as a division by a number that is still 0
            return None


class ScoreBook:
    """The finished deals, and the totals at the end of the last one.

    As a heuristic for any game, a new deal begins when more than half of all cards are shuffled
    together while no player has any, after at least one decision.
    """

    def __init__(self, rule: ScoreRule, program: Program) -> None:
        self._rule = rule
        self._cards = len(program.cards)
        self._played = False
        self._before = (0,) * program.players
        self.deals: list[tuple[int, ...]] = []

    def copy(self) -> ScoreBook:
        """Return an independent book with the same entries."""
        book = copy(self)
        book.deals = self.deals.copy()
        return book

    def decided(self) -> None:
        """Note that a decision was made in the deal."""
        self._played = True

    def shuffled(self, effect: Shuffled, world: World) -> None:
        """Note a shuffle, with which a new deal may begin."""
        if not self._played or 2 * len(effect.after) <= self._cards or _held(world):
            return
        self._played = False
        totals = self._rule.totals(world)
        if totals is not None:
            self._end(totals)

    def finish(self, scores: tuple[int, ...]) -> None:
        """Note the final scores; the last deal is the remainder."""
        if self._played or not self.deals or scores != self._before:
            self._end(scores)

    @property
    def last(self) -> DealEnd:
        """The end of the last finished deal; there has to be one."""
        return DealEnd(len(self.deals), self.deals[-1], self._before)

    def _end(self, totals: tuple[int, ...]) -> None:
        self.deals.append(tuple(now - was for now, was in zip(totals, self._before, strict=True)))
        self._before = totals


def _held(world: World) -> bool:
    """Say whether any player or team has a card."""
    table = world.rules.program.table
    return any(place.owner != table for place in world.where)


def _hides(node: n.Node) -> bool:
    """Say whether a form yields what players do not know: concealed cards, or a random draw."""
    return node.traits.draws or conceals(node)


_WON = "TRICKSWON"


class TrickWatcher:
    """The cards of the current trick by seat, in the order of play, and the previous trick.

    `won` are the cards that each seat has won since the last deal ended.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self.cards: list[tuple[int, Card]] = []
        self.last: Trick | None = None
        self.won: tuple[tuple[Card, ...], ...] = ()
        self.forget_won()

    def forget_won(self) -> None:
        """Begin with the next deal."""
        self.won = ((),) * self._program.players

    def copy(self) -> TrickWatcher:
        """Return an independent watcher of the same tricks."""
        other = copy(self)
        other.cards = self.cards.copy()
        return other

    def moved(self, move: Moved) -> None:
        """Note that a card was played to the trick, or that the trick was gathered."""
        source, target = move.source, move.target
        seats = self._program.players
        won = target.name == _WON and target.owner < seats
        if won:
            card = self._program.cards[move.card]
            self.won = tuple(
                (*cards, card) if seat == target.owner else cards
                for seat, cards in enumerate(self.won)
            )
        if target.name == TRICK and target.kind is LocationKind.VISIBLE:
            self.cards.append((int(target.owner), self._program.cards[move.card]))
        elif source.name == TRICK and self.cards:
            winner = int(target.owner) if won else None
            self.last = Trick(self.cards[0][0], tuple(self.cards), winner)
            self.cards = []


class RefereeRules:
    """What is computed once for all referees of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules = Rules(game.program)
        self.score = ScoreRule(game.program)
        self.family = family_or_none(game)
        self.has_moon = has_moon(game)

    @cached_property
    def open_rules(self) -> Rules:
        """The rules as far as they look at open cards only, by which early decisions are found."""
        return Rules(self.game.program, kind=OpenMeanings)

    @cached_property
    def open_course(self) -> bool:
        """Whether all know at any time which decision it is that is due."""
        return open_course(self.game.program)

    @cached_property
    def trick_facts(self) -> TrickFacts:
        """What the program says of tricks, which only claims ask for."""
        return TrickFacts.of(self.game.program)


@dataclass(frozen=True)
class Ply:
    """A decision and all that came of it, as only the referee knows it.

    `number` counts decisions from 0. `option` has what its label says. `effects` are those of the
    rules between the choice and the next decision. `trick` is the trick that was completed, if any,
    and `deals` the number of finished deals afterwards. If a deal ended, `deal` says how, and
    `begun` has the effects with which the next one began, which are not among `effects` then.
    """

    number: int
    seat: int
    index: int
    option: BuiltOption
    wording: Wording
    effects: tuple[Effect, ...]
    trick: Trick | None
    deals: int
    deal: DealEnd | None = None
    begun: tuple[Effect, ...] = ()


class Referee:
    """A game from its seed on: the world at the pending decision, its options, scores and tricks.

    `opening` has the effects before the first decision, `choices` those made so far. `came` has the
    cards that came to each place last, by the same choice, with its number. `namer` puts options
    into words. Raises GameError if the game breaks a rule.
    """

    def __init__(self, rules: RefereeRules, seed: int, namer: PeopleNamer | None = None) -> None:
        program = rules.game.program
        self.rules = rules
        self.seed = seed
        self.namer = namer or PeopleNamer(program, rules.game.words)
        self.book = ScoreBook(rules.score, program)
        self.tricks = TrickWatcher(program)
        self.choices: list[int] = []
        self.came: dict[Location, tuple[int, tuple[CardId, ...]]] = {}
        self._effects: list[Effect] = []
        self._ended: tuple[DealEnd, int] | None = None
        self._options: tuple[DescribedOption, ...] | None = None
        self._labelled: Sequence[BuiltOption] | None = None
        self._built: Sequence[BuiltOption] = ()
        self.world: World = self._watched(machine.start(rules.rules, seed))
        self._advance()
        self.opening = tuple(self._effects)

    def rename(self, namer: PeopleNamer) -> None:
        """Put options into words by another namer."""
        self.namer, self._options = namer, None

    def _watched(self, world: World) -> World:
        return WatchedWorld.of(world, self._watch)

    def copy(self) -> Referee:
        """Return an independent referee of the same game so far."""
        other = copy(self)
        other.book, other.tricks = self.book.copy(), self.tricks.copy()
        other.choices, other._effects = self.choices.copy(), []
        other.came = self.came.copy()
        other.world = other._watched(self.world.copy())
        return other

    @property
    def due(self) -> int | None:
        """The seat that has to decide; None when the game is over."""
        return self.world.players[-1].current if self._built else None

    @property
    def number(self) -> int:
        """How many decisions have been made."""
        return len(self.choices)

    @property
    def option_count(self) -> int:
        """How many options the pending decision has; 0 when the game is over."""
        return len(self._built)

    @property
    def deal_end(self) -> DealEnd | None:
        """The end of the deal that the last choice has ended; None if it has ended none."""
        return None if self._ended is None else self._ended[0]

    def totals(self) -> tuple[int, ...] | None:
        """Return the current score of every seat, if that is public; at the end the final one."""
        if self.due is None:
            return tuple(machine.scores(self.world.copy()))
        return self.rules.score.totals(self.world)

    def options(self) -> tuple[DescribedOption, ...]:
        """Return the options of the pending decision, in words for the seat that decides."""
        if self._options is None:
            seat = self.due
            if seat is None:
                return ()
            self._options = options_for_people(self.pending(seat), self.namer)
        return self._options

    def prompt(self) -> str:
        """Return what the seat that is due is asked; nothing when the game is over."""
        seat = self.due
        return "" if seat is None else prompt_of(self.pending(seat), self.namer)

    def pending(self, seat: int) -> PendingChoice:
        """Return the decision that is due for a seat, for those who put it into words."""
        choice = choice_at(self.world)
        if self._labelled is None:
            self._labelled = with_labels(choice, self._built, self.world)
        return PendingChoice(self.world, self._labelled, seat, wording_of(choice.node, self.namer))

    def rule_words(self) -> list[str]:
        """Return the words of the options as the rules have them; see `State.options`."""
        seat = self.due
        if seat is None:
            return []
        return describe(self._built, self.world, seat, self.rules.game.namer)

    def state(self) -> State:
        """Return an independent state at this decision, over the interpreter."""
        game = self.rules.game
        board = ReferenceBoard(self.world.copy(), game.limits, self._built)
        return State(game, board, self.seed, self.choices)

    def choose(self, index: int) -> Ply:
        """Carry out an option and run to the next decision.

        Raises GameError if the game then breaks a rule; the referee cannot go on after that.
        """
        seat = self.due
        assert seat is not None
        pending = self.pending(seat)
        option = pending.built[index]
        last, self._ended = self.tricks.last, None
        self._lay(index, option)
        self._effects = []
        self._advance()
        trick = self.tricks.last if self.tricks.last is not last else None
        number, deals = len(self.choices) - 1, len(self.book.deals)
        deal, at = self._ended or (None, len(self._effects))
        return Ply(
            number, seat, index, option, pending.wording, tuple(self._effects[:at]), trick, deals,
            deal, tuple(self._effects[at:]),
        )  # fmt: skip

    def lay(self, index: int) -> None:
        """Carry out an option and nothing else: the rules do not go on, and nobody is due."""
        seat = self.due
        assert seat is not None
        self._lay(index, self.pending(seat).built[index])
        self._built = ()

    def _lay(self, index: int, option: BuiltOption) -> None:
        self.choices.append(index)
        self.book.decided()
        machine.carry_out(self.world, option)

    def _advance(self) -> None:
        self._options = self._labelled = None
        try:
            self._built = machine.advance(self.world, self.rules.game.limits) or ()
            if not self._built:
                self._note_deals(lambda: self.book.finish(tuple(machine.scores(self.world))))
        except Fault as fault:
            game = self.rules.game
            raise GameError(fault, game.program, game.name, self.seed, self.choices) from None

    def _watch(self, effect: Effect) -> None:
        self._effects.append(effect)
        if isinstance(effect, Moved):
            self.tricks.moved(effect)
            number, cards = self.came.get(effect.target, (0, ()))
            before = cards if number == self.number else ()
            self.came[effect.target] = self.number, (*before, effect.card)
        elif isinstance(effect, Shuffled):
            self._note_deals(lambda: self.book.shuffled(effect, self.world), begun=1)

    def _note_deals(self, note: Callable[[], None], begun: int = 0) -> None:
        """Note what may end a deal; so many of the last effects are of the next one then."""
        before = len(self.book.deals)
        note()
        if len(self.book.deals) > before:
            rules, won = self.rules, self.tricks.won
            results = tuple(deal_results(rules.game, self.world))
            taken = tuple(counting(rules.family, cards) for cards in won) if rules.family else ()
            self._ended = (
                replace(self.book.last, results=results, taken=taken), len(self._effects) - begun
            )  # fmt: skip
            self.tricks.forget_won()


_EVERY = 32
"""Decisions between two copies."""


class Checkpoints:
    """Copies of a referee, the first one before any decision."""

    def __init__(self, referee: Referee) -> None:
        self.kept = [referee.copy()]

    def note(self, referee: Referee) -> None:
        """Keep a copy of a referee, if it is where the next one is due."""
        if referee.number == len(self.kept) * _EVERY:
            self.kept.append(referee.copy())

    def number(self, decision: int) -> int:
        """Return the decision of the last copy that is not after one."""
        return min(decision // _EVERY, len(self.kept) - 1) * _EVERY

    def before(self, decision: int) -> Referee:
        """Return an independent copy of the referee at that decision."""
        return self.kept[self.number(decision) // _EVERY].copy()

    def forget(self, decision: int) -> None:
        """Forget the copies after a decision."""
        del self.kept[decision // _EVERY + 1 :]


class GameCourse:
    """A game with its referee, which can go back to any earlier decision.

    `deciders` are the seats that made the choices so far.
    """

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self.deciders: list[int] = []
        self._checkpoints = Checkpoints(referee)

    @property
    def beginning(self) -> Referee:
        """The referee before the first decision; it must not change."""
        return self._checkpoints.kept[0]

    def rename(self, namer: PeopleNamer) -> None:
        """Put options into words by another namer."""
        for referee in (self.referee, *self._checkpoints.kept):
            referee.rename(namer)

    def choose(self, option: int) -> Ply:
        """Carry out an option and run to the next decision.

        Raises GameError if the game then breaks a rule: nothing has changed.
        """
        number = self.referee.number
        try:
            ply = self.referee.choose(option)
        except GameError:
            self._find(number)
            raise
        self.deciders.append(ply.seat)
        self._checkpoints.note(self.referee)
        return ply

    def moment(self) -> Referee:
        """Return another referee right after the last choice, before the rules went on."""
        *before, last = self.referee.choices
        referee = self._checkpoints.before(len(before))
        for choice in before[referee.number :]:
            referee.choose(choice)
        referee.lay(last)
        return referee

    def back(self, number: int) -> None:
        """Go back to the decision of a number, which is pending again."""
        self._find(number)
        del self.deciders[number:]

    def _find(self, number: int) -> None:
        choices = self.referee.choices[:number]
        self._checkpoints.forget(number)
        self.referee = self._checkpoints.before(number)
        for choice in choices[self.referee.number :]:
            self.referee.choose(choice)
