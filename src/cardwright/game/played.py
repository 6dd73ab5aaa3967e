"""Games in play, as far as they are played: options, actions, choices, the outcome."""

from __future__ import annotations

import operator
from functools import partial
from typing import TYPE_CHECKING

from cardwright.game.decision_actions import DecisionActions
from cardwright.game.errors import ChanceError, GameError, IllegalOptionError
from cardwright.game.option import Content, Option, contents_of, described_of, options_of
from cardwright.game.past import Past
from cardwright.interpreter import machine
from cardwright.interpreter.world import Fault

if TYPE_CHECKING:
    from typing import SupportsIndex

    from cardwright.game.board import Board
    from cardwright.game.chance import Chance
    from cardwright.game.described_option import DescribedOption
    from cardwright.game.game import Game
    from cardwright.game.information import Information
    from cardwright.game.memory import StateMemory
    from cardwright.game.past import Snapshot
    from cardwright.program.cards import Seat


class PlayedState:
    """The part of a `State` that plays: what can be chosen, what was, and what came of it."""

    __slots__ = (
        *("_beginning", "_board", "_coded", "_information", "_memory", "_options", "_past"),
        *("_pending", "_scores"),
        *("choices", "game", "seed"),
    )

    def __init__(self, game: Game, board: Board, seed: int | None) -> None:
        """Take over a board that is before its first item; see `Game.start`."""
        self.game = game
        self.seed = seed
        self.choices: list[int] = []
        self._board = board
        self._options: tuple[Option, ...] | None = None
        self._scores: list[int] | None = None
        self._memory: StateMemory | None = None
        self._information: Information | None = None
        self._beginning: tuple[Snapshot, int] | None = None
        self._past: Past | None = None
        self._coded: DecisionActions | None = None
        self._pending: tuple[int, ...] = ()

    # Playing ------------------------------------------------------------------------------

    @property
    def player(self) -> Seat | None:
        """The seat that has to decide; None when the game is over."""
        return self._board.player

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self._board.finished

    @property
    def option_count(self) -> int:
        """The number of options of the decision that is due; 0 when the game is over."""
        return self._board.option_count

    def options(self, *, brief: bool = False) -> tuple[Option, ...]:
        """Return the options of the decision that is due, in order; none when the game is over.

        An option has the same description in every list of options. A `brief` one says only what
        distinguishes it from the others in this list.
        """
        seat = self.player
        if seat is None:
            return ()
        if brief:
            return options_of(self._board, self.game.program, seat, self.game.namer, brief=True)
        if self._options is None:
            self._options = options_of(self._board, self.game.program, seat, self.game.namer)
        return self._options

    def contents(self) -> tuple[Content, ...]:
        """Return what each option means to its chooser, without a description: `Option.content`."""
        seat = self.player
        return () if seat is None else contents_of(self._board, self.game.program, seat)

    def parse(self, text: str) -> Option:
        """Return the option that a text means.

        That is its description, in full or brief, or its number; or what it names, in any order and
        case: cards (`9 of hearts`, `9H`, `♥9`, `2C 3C QS`), players (`p2`), stored values. Any part
        that no other option shares is enough. Raises OptionTextError, which lists what could have
        been meant.
        """
        from cardwright.game.option_text import parse_option

        return parse_option(text, self)

    def described(self) -> tuple[DescribedOption, ...]:
        """Return the options of the decision that is due with the cards and players they name."""
        seat = self.player
        return () if seat is None else described_of(self._board, seat, self.game.namer)

    def play(self, option: Option | int | str) -> None:
        """Carry out an option and run to the next decision.

        It is given as an Option, by its index, or by a text that `parse` understands. Raises
        IllegalOptionError if the state does not offer it, and GameError if the game then
        breaks a rule of the language; after that the only use of the state is `undo`. Actions made
        so far of the decision (`pending`) do not matter.
        """
        index = self._index(option)
        if self._past is not None:
            self._past.keep(len(self.choices), self._board)
        self.choices.append(index)
        self._run(index)

    def undo(self, count: SupportsIndex = 1) -> None:
        """Take back the last choices: the state is exactly as it was before them.

        That includes its future random draws and what seats know. Actions of a decision that is not
        made yet (`pending`) are dropped, and count as no choice. It also works after the end of
        the game and after a GameError, whose choice counts. A determinised state, and one of a
        batch, goes back to where it began; further back raises UndoError, and a negative count
        ValueError.
        """
        number = operator.index(count)
        if number < 0:
            raise ValueError(f"{number} choices cannot be taken back")
        if self._past is None:
            self._past = Past(
                *(self._beginning or (partial(_first_board, self.game, self.seed), 0))
            )
        self._past.check(len(self.choices), number)
        self._pending = ()
        if number == 0:
            return
        left = self.choices[:-number]
        self._board = self._past.board_after(left)
        self.choices = left
        self._options = self._scores = self._coded = None
        if self._memory is not None:
            self._memory = self._memory.rewound()
        if self._information is not None:
            self._information.rewind(len(left))

    # Actions ------------------------------------------------------------------------------

    @property
    def pending(self) -> tuple[int, ...]:
        """The actions made so far of the decision that is due; empty where options are single."""
        return self._pending

    def legal_actions(self) -> tuple[int, ...]:
        """Return the actions that can be made now, in ascending order; none when the game is over.

        They are numbers in `game.actions`, where an action means the same in every state.
        """
        return () if self.player is None else self._actions().legal(self._pending)

    def action_of(self, option: Option | int | str) -> int:
        """Return the next action on the way to an option, which is given as for `play`.

        Raises IllegalOptionError for what is no option, or one to which the actions made so far do
        not lead.
        """
        index = self._index(option)
        return self._actions().towards(index, self._pending)

    def action_codes(self) -> tuple[tuple[int, ...], ...]:
        """Return for each option, in order, the actions that make it; none when the game is over.

        Most options are made by one action. Actions made so far (`pending`) are among them.
        """
        return () if self.finished else tuple(self._actions().codes)

    def play_action(self, action: int | str) -> None:
        """Make an action, given by its number or name in `game.actions`.

        It plays an option, or if more actions are needed for one it is added to `pending`. Raises
        IllegalOptionError for an action that is not legal, and GameError as `play` does.
        """
        if self.finished:
            raise IllegalOptionError("the game is over: there is nothing to choose")
        number = self.game.actions.number(action) if isinstance(action, str) else int(action)
        made = self._actions().after(self._pending, number)
        if isinstance(made, int):
            self.play(made)
        else:
            self._pending = made

    def undo_action(self) -> None:
        """Take back the last action, also if it is one of several that made the last choice.

        Raises UndoError as `undo` does.
        """
        if self._pending:
            self._pending = self._pending[:-1]
            return
        last = self.choices[-1:]
        self.undo()
        self._pending = self._actions().codes[last[0]][:-1]

    def _actions(self) -> DecisionActions:
        if self._coded is None:
            self._coded = DecisionActions(self.game.actions, self._board, self.game.program)
        return self._coded

    def begin_here(self) -> None:
        """Let `undo` go no further back than here; called by code that makes an unseeded state."""
        self._beginning = self._board.snapshot(), len(self.choices)

    @property
    def chance(self) -> Chance | None:
        """The random draw that is due, in a game that `Game.start_chance` started; else None."""
        return None

    def take_chance(self, outcome: SupportsIndex) -> None:
        """Take an outcome of the draw that is due, by number, and run on; raises ChanceError."""
        raise ChanceError("chance is not taken by hand in a game that was started with a seed")

    def _index(self, option: Option | int | str) -> int:
        if self.finished:
            raise IllegalOptionError("the game is over: there is nothing to choose")
        if isinstance(option, str):
            return self.parse(option).index
        if isinstance(option, Option):
            match = [at for at, one in enumerate(self.contents()) if one == option.content]
            if not match:
                raise IllegalOptionError(f"{option.description!r} is not an option here")
            return option.index if option.index in match else match[0]
        if not 0 <= option < self.option_count:
            raise IllegalOptionError(
                f"there is no option {option}: they are numbered 0 to {self.option_count - 1}"
            )
        return int(option)

    def advance(self) -> None:
        """Run to the next decision or to the end of the game; called by code that makes a state."""
        self._run()

    def _run(self, choice: int | None = None) -> None:
        self._options = self._coded = None
        self._pending = ()
        try:
            if choice is None:
                self._board.advance()
            else:
                self._board.play(choice)
            if self._board.finished:
                self._scores = self._board.scores()
        except Fault as fault:
            raise self._error(fault) from None

    def _error(self, fault: Fault) -> GameError:
        return GameError(fault, self.game.program, self.game.name, self.seed, self.choices)

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


def _first_board(game: Game, seed: int | None) -> Board:
    """Return a board at the first decision of the game that a seed starts.

    Only states that have their own beginning lack a seed.
    """
    assert seed is not None
    return game.start(seed)._board
