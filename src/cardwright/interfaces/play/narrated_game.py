"""Narrated games: a game followed effect by effect, and told as one seat sees it.

Only the interpreter knows the effects of a choice; it plays the same game as any engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.game.describe import choice_at
from cardwright.game.described_option import described_options
from cardwright.game.errors import GameError
from cardwright.game.tracker import WatchedWorld
from cardwright.interfaces.play.narrator import Narrator
from cardwright.interfaces.play.score_book import ScoreBook, ScoreRule
from cardwright.interfaces.play.score_sheet import Trick
from cardwright.interpreter import machine
from cardwright.interpreter.effects import Moved, Shuffled
from cardwright.interpreter.fault import Fault
from cardwright.interpreter.rules import Rules
from cardwright.program.cards import LocationKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.described_option import DescribedOption
    from cardwright.game.game import Game
    from cardwright.interpreter.effects import Effect
    from cardwright.interpreter.options import BuiltOption
    from cardwright.interpreter.world import World
    from cardwright.program.cards import Card
    from cardwright.program.program import Program


@dataclass(frozen=True)
class Event:
    """A decision as the person saw it.

    `number` counts decisions from 0; `words` is a sentence without the seat's name, as in
    `plays 5 of CLUBS`. `cards` are those it moved that the person sees. `changes` are sentences
    about what followed before the next decision: a trick taken, cards dealt, a score.
    """

    number: int
    seat: int
    words: str
    cards: tuple[Card, ...]
    changes: tuple[str, ...]


class TrickWatcher:
    """The cards of the current trick by seat, in the order of play, and the previous trick."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.cards: list[tuple[int, Card]] = []
        self.last: Trick | None = None

    def moved(self, move: Moved) -> None:
        """Note that a card was played to the trick, or that the trick was gathered."""
        source, target = move.source, move.target
        if target.name == "TRICK" and target.kind is LocationKind.VISIBLE:
            self.cards.append((int(target.owner), self._program.cards[move.card]))
        elif source.name == "TRICK" and self.cards:
            won = target.name == "TRICKSWON" and target.owner < self._program.players
            winner = int(target.owner) if won else None
            self.last = Trick(self.cards[0][0], tuple(self.cards), winner)
            self.cards = []


class NarrationRules:
    """What is computed once for all narrations of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules = Rules(game.program)
        self.score = ScoreRule(game.program)


class NarratedGame:
    """A game from its seed on: the events, the world at the pending decision, and its options.

    It is told as `seat` sees it, whose player is called `you` if it is a `person`. `opening` says
    what happened before the first decision. Raises GameError if the game breaks a rule.
    """

    def __init__(self, rules: NarrationRules, seed: int, seat: int, *, person: bool) -> None:
        game = rules.game
        self.book = ScoreBook(rules.score, game.program)
        self.tricks = TrickWatcher(game.program)
        self.events: list[Event] = []
        self._rules = rules
        self._game = game
        self._seed = seed
        self._person = seat if person else None
        self._narrator = Narrator(game.program, game.namer, seat, rules.score.names, person=person)
        self._effects: list[Effect] = []
        self._made: list[int] = []
        self._choices: tuple[DescribedOption, ...] | None = None
        started = machine.start(rules.rules, seed)
        self.world: World = WatchedWorld.of(started, self._watch)
        self._built: Sequence[BuiltOption] = ()
        self._advance()
        self.opening = self._narrator.changes(self._effects)

    @property
    def due(self) -> int | None:
        """The seat that has to decide; None when the game is over."""
        return self.world.players[-1].current if self._built else None

    def totals(self) -> tuple[int, ...] | None:
        """Return the current score of every seat, if that is public."""
        return self._rules.score.totals(self.world)

    def choices(self) -> tuple[DescribedOption, ...]:
        """Return the options of the pending decision, in words for the seat that decides."""
        if self._choices is None:
            seat = self.due
            if seat is None:
                return ()
            self._choices = described_options(self._built, self.world, seat, self._game.namer)
        return self._choices

    def choose(self, index: int) -> Event:
        """Carry out an option and run to the next decision; return what the seat saw of it."""
        seat = self.due
        assert seat is not None
        option = self._built[index]
        self._made.append(index)
        if seat == self._person:
            words = self.choices()[index].words
        else:
            wording = self._game.namer.wording(choice_at(self.world).node)
            words = self._narrator.done(seat, option, wording)
        cards = self._narrator.seen(option.effects)
        self.book.decided()
        machine.carry_out(self.world, option)
        self._effects = []
        self._advance()
        changes = self._narrator.changes(self._effects)
        event = Event(len(self.events), seat, words, cards, changes)
        self.events.append(event)
        return event

    def _advance(self) -> None:
        self._choices = None
        try:
            self._built = machine.advance(self.world, self._game.limits) or ()
            if not self._built:
                self.book.finish(tuple(machine.scores(self.world)))
        except Fault as fault:
            game = self._game
            raise GameError(fault, game.program, game.name, self._seed, self._made) from None

    def _watch(self, effect: Effect) -> None:
        self._effects.append(effect)
        if isinstance(effect, Moved):
            self.tricks.moved(effect)
        elif isinstance(effect, Shuffled):
            self.book.shuffled(effect, self.world)
