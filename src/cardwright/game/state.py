"""States: games in play, over the reference engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.game.determinise import Mode, determinise
from cardwright.game.errors import GameError, IllegalOptionError
from cardwright.game.option import Content, Option, content_of, options_of
from cardwright.game.view import View, view_of
from cardwright.interpreter import machine
from cardwright.interpreter.fault import Fault
from cardwright.program.cards import Card, Location, LocationKind, OwnerId, Seat

if TYPE_CHECKING:
    from cardwright.game.game import Game
    from cardwright.interpreter.options import Built
    from cardwright.interpreter.stream import Stream
    from cardwright.interpreter.world import World


class State:
    """A game in play: the one thing of this package that changes.

    `seed` started it and `choices` are the indices chosen so far; a determinised state has no seed.
    States are equal if nothing can tell how they will go on apart. The hash changes as the game is
    played, so a state must not be played on while it is a key.
    """

    __slots__ = ("_built", "_options", "_scores", "_world", "choices", "game", "seed")

    def __init__(self, game: Game, world: World, seed: int | None) -> None:
        """Take over a world that stands before its first item; see `Game.start`."""
        self.game = game
        self.seed = seed
        self.choices: list[int] = []
        self._world = world
        self._built: list[Built] | None = None
        self._options: tuple[Option, ...] | None = None
        self._scores: list[int] | None = None

    # Playing ------------------------------------------------------------------------------

    @property
    def player(self) -> Seat | None:
        """Who has to decide; None when the game is over."""
        return None if self._built is None else Seat(self._world.players[-1].current)

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self._built is None

    @property
    def option_count(self) -> int:
        """The number of options of the decision that is due; 0 when the game is over."""
        return len(self._built) if self._built is not None else 0

    def options(self) -> tuple[Option, ...]:
        """Return the options of the decision that is due, in order; none when the game is over."""
        if self._options is None:
            seat = self.player
            built = self._built
            if seat is None or built is None:
                return ()
            self._options = options_of(built, self._world, seat, self.game.namer)
        return self._options

    def contents(self) -> tuple[Content, ...]:
        """Return what each option means to its chooser, without the words: `Option.content`."""
        seat = self.player
        if seat is None or self._built is None:
            return ()
        return tuple(content_of(option, self._world, seat) for option in self._built)

    def play(self, option: Option | int) -> None:
        """Carry out an option, given as itself or by its index, and run to the next decision.

        Raises IllegalOptionError if the state does not offer it, and GameError if the game then
        breaks a rule of the language; after that the state is of no further use.
        """
        built = self._built
        index = self._index(option)
        assert built is not None
        self.choices.append(index)
        machine.carry_out(self._world, built[index])
        self.advance()

    def _index(self, option: Option | int) -> int:
        if self._built is None:
            raise IllegalOptionError("the game is over: there is nothing to choose")
        if isinstance(option, Option):
            match = [one.index for one in self.options() if one.content == option.content]
            if not match:
                raise IllegalOptionError(f"{option.description!r} is not an option here")
            return option.index if option.index in match else match[0]
        if not 0 <= option < len(self._built):
            raise IllegalOptionError(
                f"there is no option {option}: they are numbered 0 to {len(self._built) - 1}"
            )
        return int(option)

    def advance(self) -> None:
        """Run to the next decision or to the end of the game; called by whoever makes a state."""
        self._options = None
        self._built = None
        try:
            self._built = machine.advance(self._world, self.game.limits)
            if self._built is None:
                self._scores = machine.scores(self._world)
        except Fault as fault:
            raise GameError(
                fault, self.game.program, self.game.name, self.seed, self.choices
            ) from None

    # Outcome ------------------------------------------------------------------------------

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of every seat; raises IllegalOptionError before the game is over."""
        if self._scores is None:
            raise IllegalOptionError("the game is not over: there are no scores yet")
        return tuple(self._scores)

    @property
    def ranks(self) -> tuple[int, ...]:
        """For every seat, how many have a strictly better score; 0 is a (shared) win."""
        return tuple(machine.ranks(list(self.scores), highest_wins=self.game.highest_wins))

    @property
    def wins(self) -> tuple[float, ...]:
        """For every seat, its share of the win: each of w winners has 1/w."""
        ranks = self.ranks
        winners = ranks.count(0)
        return tuple(0.0 if rank else 1 / winners for rank in ranks)

    # Looking ------------------------------------------------------------------------------

    def view(self, seat: int) -> View:
        """Return what a seat sees; its options too, if it has to decide."""
        if not 0 <= seat < self.game.players:
            raise IllegalOptionError(
                f"there is no seat {seat}: they are numbered 0 to {self.game.players - 1}"
            )
        options = self.options() if seat == self.player else ()
        scores = tuple(self._scores) if self._scores is not None else None
        return view_of(self._world, Seat(seat), self.player, options, scores)

    def locations(self) -> dict[Location, tuple[Card, ...]]:
        """Return all locations that have held a card, with their cards from bottom to top."""
        cards = self.game.program.cards
        return {
            pile.location: tuple(cards[card] for card in pile.cards)
            for pile in self._world.touched()
        }

    def cards(
        self, owner: int | None, kind: LocationKind | str, name: str, at: int = 0
    ) -> tuple[Card, ...]:
        """Return the cards of a location from bottom to top; `owner` is a seat, None the table."""
        program = self.game.program
        whose = program.table if owner is None else OwnerId(owner)
        location = Location(whose, LocationKind(kind), name, at)
        pile = self._world.piles.get(location)
        return tuple(program.cards[card] for card in pile.cards) if pile else ()

    def integer(self, owner: int | None, name: str) -> int:
        """Return a stored integer of a seat, or of the table (None); 0 if it was never set."""
        whose = self.game.program.table if owner is None else OwnerId(owner)
        return self._world.integers.get((whose, name), 0)

    def string(self, owner: int | None, name: str) -> str:
        """Return a stored string of a seat, or of the table (None); empty if it was never set."""
        whose = self.game.program.table if owner is None else OwnerId(owner)
        return self._world.strings.get((whose, name), "")

    # Copies -------------------------------------------------------------------------------

    def copy(self) -> State:
        """Return an independent state that will go on in the same way."""
        state = State(self.game, self._world.copy(), self.seed)
        state.choices = self.choices.copy()
        state._built = self._built
        state._options = self._options
        state._scores = self._scores
        return state

    def determinise(self, seat: int, stream: Stream, mode: Mode | str = Mode.BASIC) -> State:
        """Return a state drawn from those that the seat cannot tell from this one.

        Hidden cards are dealt anew from the stream, by what `mode` lets the seat know. The options
        are built anew: where they depend on cards that nobody at the table sees, they may differ.
        Raises GameError where such a deal leaves a choice without options.
        """
        world = determinise(self._world, seat, stream, Mode(mode))
        state = State(self.game, world, None)
        state.choices = self.choices.copy()
        if self._built is not None:
            state.advance()
        else:
            state._scores = self._scores
        return state

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> object:
        return self.game.program.digest, self._world.key(), tuple(self._scores or ())

    def __repr__(self) -> str:
        where = "finished" if self.finished else f"p{(self.player or 0) + 1} to decide"
        return f"<State of {self.game.name}, seed {self.seed}, {len(self.choices)} chosen, {where}>"
