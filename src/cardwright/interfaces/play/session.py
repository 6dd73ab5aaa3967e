"""Sessions: one game that a person plays, or watches."""

from __future__ import annotations

import shlex
from threading import RLock
from typing import TYPE_CHECKING, TypeVar

from cardwright.arena.entrants import player
from cardwright.game.errors import CardwrightError, GameError, IllegalOptionError, UndoError
from cardwright.hearts.table import DecisionKind, table_of
from cardwright.interfaces.play.hand import sorted_hand
from cardwright.interfaces.play.hearts_table import family_or_none, hearts_sheet
from cardwright.interfaces.play.hint import HintError, ObservedDecision, hint_of
from cardwright.interfaces.play.narrated_game import NarratedGame, NarrationRules
from cardwright.interfaces.play.reason import general_reason, hearts_reason
from cardwright.interfaces.play.saved import SavedGameError, read_saved, rules_of, write_saved
from cardwright.interfaces.play.score_sheet import ScoreSheet
from cardwright.interfaces.play.setup import HUMAN, SessionSetup
from cardwright.interpreter.stream import Stream
from cardwright.players.player import Decision
from cardwright.program.cards import Seat

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cardwright.game.described_option import DescribedOption
    from cardwright.game.game import Game
    from cardwright.game.state import State
    from cardwright.game.view import View
    from cardwright.hearts.table import HeartsView
    from cardwright.interfaces.play.hint import Hint
    from cardwright.interfaces.play.narrated_game import Event
    from cardwright.players.player import Player
    from cardwright.program.cards import Card

_Decision = TypeVar("_Decision", bound=Decision)


class PlayerFailedError(CardwrightError):
    """A computer player failed; the message says which, and how."""


class OvertakenError(CardwrightError):
    """Moves were undone while a player was thinking: its choice does not count."""


class PlaySession:
    """A game between a person and computer players, from its first decision to its last.

    Every decision of a player has its own stream (`Stream.of_decision`), determined by the seat and
    the index among the seat's decisions. So the game is that of `referee_game(..., paired=True)`,
    and players draw the same numbers after moves are undone or a saved game is resumed. Players are
    recreated then: those with memory (`reuse`) lose it, which may change what they do afterwards;
    all others continue as if nothing had happened. Players limited by time are not reproducible.

    `step` may run in another thread, one at a time; the other methods can be called in the
    meantime. `names` are those of the players by seat. If `save_path` is set, the game is saved
    after every decision of the person.
    """

    def __init__(
        self,
        setup: SessionSetup,
        choices: Sequence[int] = (),
        save: Path | None = None,
        game: Game | None = None,
    ) -> None:
        """Set up a game in which these choices have been made; see `begin` and `resume`.

        `game` is that of the setup, if the caller has loaded it already.
        Raises SavedGameError for changed rules, IllegalOptionError for choices that the game does
        not have, PlayerSpecError for a wrong player, and GameError if the game breaks a rule.
        """
        self.setup = setup
        self.game = (game or rules_of(setup.ref)).late()
        self.save_path = save
        self._family = family_or_none(self.game)
        self._script = NarrationRules(self.game)
        self._lock = RLock()
        self.names = tuple(
            "You" if spec == HUMAN else f"{spec.partition(':')[0]} p{seat}"
            for seat, spec in enumerate(setup.players, 1)
        )
        self._specs = [None if spec == HUMAN else player(spec) for spec in setup.players]
        self._hint = player(setup.hint) if setup.seat is not None else None
        self._players: list[Player | None]
        self._state: State
        self._narrated: NarratedGame
        self._stand(choices)

    @classmethod
    def begin(
        cls, setup: SessionSetup, save: Path | None = None, game: Game | None = None
    ) -> PlaySession:
        """Begin a game; raises the same errors as the constructor."""
        return cls(setup, save=save, game=game)

    @classmethod
    def resume(cls, path: Path) -> PlaySession:
        """Resume a saved game, which is saved to the same file again.

        Raises SavedGameError for a file that is not a saved game or whose choices do not fit its
        game, and the same errors as the constructor.
        """
        saved = read_saved(path)
        try:
            return cls(saved.setup, saved.choices, path)
        except IllegalOptionError as error:
            raise SavedGameError(
                f"{path} is a damaged saved game: its choices are not those of its game ({error})"
            ) from None

    def _stand(self, choices: Sequence[int]) -> None:
        """Set the game to its state after these choices, with new players."""
        state = self.game.start(self.setup.seed)
        person = self.setup.seat is not None
        narrated = NarratedGame(self._script, self.setup.seed, self.seat, person=person)
        for choice in choices:
            state.play(choice)
            narrated.choose(choice)
        self._state, self._narrated = state, narrated
        self._players = [None if spec is None else spec.build() for spec in self._specs]

    # The state of the game ----------------------------------------------------------------

    @property
    def seat(self) -> int:
        """The seat from whose point of view all is shown: the person's; p1's for a spectator."""
        return self.setup.seat or 0

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.due is None

    @property
    def due(self) -> int | None:
        """The seat that has to decide; None when the game is over."""
        return self._narrated.due

    @property
    def mine(self) -> bool:
        """Whether the person has to decide."""
        return self.setup.seat is not None and self.due == self.setup.seat

    @property
    def opening(self) -> tuple[str, ...]:
        """What happened before the first decision, in sentences."""
        return self._narrated.opening

    def view(self) -> View:
        """Return what the seat sees."""
        return self._state.view(self.seat)

    def hand(self) -> tuple[Card, ...]:
        """Return the cards that the seat holds and only it sees, sorted by suit and rank."""
        return sorted_hand(self.game, self._narrated.world, Seat(self.seat))

    def choices(self) -> tuple[DescribedOption, ...]:
        """Return the options of the person's decision; none when another player decides."""
        return self._narrated.choices() if self.mine else ()

    def events(self) -> Sequence[Event]:
        """Return what the seat saw of all decisions, from the first."""
        return tuple(self._narrated.events)

    def scores(self) -> tuple[int, ...] | None:
        """Return the final scores or, where they are public, the current ones."""
        return self._state.scores if self._state.finished else self._narrated.totals()

    def ranks(self) -> tuple[int, ...] | None:
        """Return, for each seat, the number of better scores, 0 for a win; None before the end."""
        return self._state.ranks if self._state.finished else None

    def sheet(self) -> ScoreSheet:
        """Return the deals and the standing, and in the Hearts family the state of the table."""
        narrated = self._narrated
        hearts = None
        if self._family is not None:
            table = self._table()
            owes = table is not None and table.kind in {DecisionKind.PASS, DecisionKind.LAY}
            to_pass = table.to_go if table is not None and owes else 0
            hearts = hearts_sheet(self.game, self._family, narrated.world, narrated.tricks, to_pass)
        return ScoreSheet(tuple(narrated.book.deals), self.scores(), hearts)

    def _table(self) -> HeartsView | None:
        """Return the person's decision as Hearts players see it, if there is one."""
        if self._family is None or not self.mine:
            return None
        return table_of(self._decision(Decision))

    def reason(self, card: Card) -> str | None:
        """Return why a card of the hand cannot be chosen; None if it can, alone or with others."""
        if not self.mine:
            return "the game is over" if self.finished else "it is not your turn"
        choices = self.choices()
        if any(card in choice.cards for choice in choices):
            return None
        table = self._table()
        found = None
        if table is not None:
            number = table.family.numbers[card.id]
            found = hearts_reason(self.game, table, self._narrated.world, number)
        return found or general_reason(self.game, card, self.hand(), choices)

    # Playing ------------------------------------------------------------------------------

    def choose(self, index: int) -> Event:
        """Make the person's decision, and save the game if it has a file.

        Raises IllegalOptionError if the person does not have to decide or there is no such option,
        and GameError if the game then breaks a rule: its state is unchanged.
        """
        with self._lock:
            if not self.mine:
                raise IllegalOptionError("it is not your turn to decide")
            count = self._state.option_count
            if not 0 <= index < count:
                raise IllegalOptionError(
                    f"there is no option {index}: they are numbered 0 to {count - 1}"
                )
            event = self._carry_out(index)
            self._autosave()
            return event

    def step(self) -> Event:
        """Let the computer player whose turn it is decide, which may take long.

        Raises IllegalOptionError if it is not a computer player's turn or its answer is invalid,
        OvertakenError if moves were undone in the meantime, and PlayerFailedError, or another
        CardwrightError, if the player fails: nothing has changed then. Raises GameError like
        `choose`.
        """
        state, seat = self._state, self.due
        player = None if seat is None else self._players[seat]
        if seat is None or player is None:
            raise IllegalOptionError("the game is over" if seat is None else "you have to decide")
        count = state.option_count
        chosen = self._asked(player, self._decision(Decision), self.names[seat])
        with self._lock:
            if self._state is not state:
                raise OvertakenError("moves were taken back while a player was thinking")
            if not 0 <= chosen < count:
                raise IllegalOptionError(
                    f"{self.names[seat]} chose option {chosen}; they are numbered 0 to {count - 1}"
                )
            event = self._carry_out(chosen)
            if self.finished:
                self._autosave()
            return event

    def _asked(self, player: Player, decision: Decision, name: str) -> int:
        try:
            return int(player.choose(decision))
        except CardwrightError:
            raise
        except Exception as error:  # a player may be any program
            raise PlayerFailedError(f"{name} failed: {type(error).__name__}: {error}") from error

    def _decision(self, kind: type[_Decision], state: State | None = None) -> _Decision:
        """Return the pending decision, with its stream."""
        state, narrated = state or self._state, self._narrated
        seat = state.player
        assert seat is not None
        ordinal = sum(event.seat == seat for event in narrated.events)
        stream = Stream.of_decision(self.setup.seed, seat, ordinal)
        return kind(seat, state.option_count, stream, state, len(state.choices))

    def _carry_out(self, index: int) -> Event:
        before = tuple(self._state.choices)
        try:
            self._state.play(index)
            return self._narrated.choose(index)
        except GameError:
            self._stand(before)
            raise

    def undo(self) -> int:
        """Go back to the person's previous decision; return how many decisions were undone.

        Raises UndoError if this is not practice mode, or the person has not decided anything yet.
        """
        with self._lock:
            if not self.setup.practice:
                raise UndoError("moves can be taken back in practice only: begin with --practice")
            events = self._narrated.events
            own = [event.number for event in events if event.seat == self.setup.seat]
            if not own:
                raise UndoError("there is nothing to take back: you have not decided anything yet")
            taken = len(events) - own[-1]
            self._stand(self._state.choices[: own[-1]])
            self._autosave()
            return taken

    def hint(self) -> Hint:
        """Ask the player for hints, which may take long; it decides as it would in the seat.

        Raises HintError if the person does not have to decide, and PlayerFailedError, or another
        CardwrightError, if the player fails.
        """
        if not self.mine or self._hint is None:
            raise HintError("there is a hint only when you have to decide")
        with self._lock:
            choices = self.choices()
            decision = self._decision(ObservedDecision, self._state.copy())
        player = self._hint.build()
        index = self._asked(player, decision, f"the player for hints, {self._hint},")
        return hint_of(index, decision, choices)

    # Saving -------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write the game to a file, atomically; raises CardwrightError if that fails."""
        with self._lock:
            scores = self._state.scores if self._state.finished else None
            narrated = self._narrated
            write_saved(path, self.setup, self._state.choices, narrated.events, scores)

    def _autosave(self) -> None:
        if self.save_path is not None:
            self.save(self.save_path)

    def how_to_go_on(self, path: Path) -> str:
        """Return the command that resumes a saved game."""
        return shlex.join(["cardwright", "play", "--resume", str(path)])
