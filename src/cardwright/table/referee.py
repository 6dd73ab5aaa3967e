"""The referee: a game in play, of which it alone knows everything, and what each choice has done.

Only the interpreter knows the effects of a choice; it plays the same game as any engine.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
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
from cardwright.table.hearts_table import moon_shooter
from cardwright.table.score_sheet import ScoreBook, ScoreRule
from cardwright.table.trick_watcher import TrickWatcher

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.game.game import Game
    from cardwright.game.wording.describe import DescribedOption, Wording
    from cardwright.interpreter.effects import BuiltOption, Effect
    from cardwright.interpreter.world import World
    from cardwright.table.score_sheet import DealEnd, Trick


class RefereeRules:
    """What is computed once for all referees of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules = Rules(game.program)
        self.score = ScoreRule(game.program)


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

    `opening` has the effects before the first decision, `choices` those made so far. `namer` puts
    options into words. Raises GameError if the game breaks a rule.
    """

    def __init__(self, rules: RefereeRules, seed: int, namer: PeopleNamer | None = None) -> None:
        program = rules.game.program
        self.rules = rules
        self.seed = seed
        self.namer = namer or PeopleNamer(program, rules.game.words)
        self.book = ScoreBook(rules.score, program)
        self.tricks = TrickWatcher(program)
        self.choices: list[int] = []
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
        elif isinstance(effect, Shuffled):
            self._note_deals(lambda: self.book.shuffled(effect, self.world), begun=1)

    def _note_deals(self, note: Callable[[], None], begun: int = 0) -> None:
        """Note what may end a deal; so many of the last effects are of the next one then."""
        before = len(self.book.deals)
        note()
        if len(self.book.deals) > before:
            moon = moon_shooter(self.rules.game, self.world)
            self._ended = replace(self.book.last, moon=moon), len(self._effects) - begun
