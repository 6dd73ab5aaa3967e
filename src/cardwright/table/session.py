"""Sessions: a table in this process, with one person who plays or watches."""

from __future__ import annotations

import shlex
from dataclasses import replace
from threading import RLock
from typing import TYPE_CHECKING

from cardwright.game.errors import CardwrightError, IllegalOptionError, UndoError
from cardwright.players.kind import FULL_TRUST, trust_in
from cardwright.table.estimates import HintError
from cardwright.table.rules_page import rules_page
from cardwright.table.saved import SavedGameError, read_saved, rules_of, write_saved
from cardwright.table.table import Table
from cardwright.table.thinker import Thinker

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from cardwright.game.game import Game
    from cardwright.game.wording.describe import DescribedOption
    from cardwright.game.wording.naming import PeopleNamer
    from cardwright.players.kind import Trust
    from cardwright.program.cards import Card
    from cardwright.table.account import Event
    from cardwright.table.estimates import Hint
    from cardwright.table.rules_page import RulesPage
    from cardwright.table.scene import TableLook, TableScene
    from cardwright.table.setup import TableSetup


class OvertakenError(CardwrightError):
    """Moves were undone while a player was thinking: its choice does not count."""


class PlaySession:
    """A table at which one person plays against computer players, or watches them.

    `step` may run in another thread, one at a time; the other methods can be called in the
    meantime. `names` are those of the players by seat. If `save_path` is set, the game is saved
    after every decision of the person. The table rests after each deal; to decide goes on as well.
    """

    def __init__(
        self,
        setup: TableSetup,
        choices: Sequence[int] = (),
        save: Path | None = None,
        game: Game | None = None,
        *,
        trust: Trust,
    ) -> None:
        """Set up a game in which these choices have been made; see `begin` and `resume`.

        `game` is that of the setup, if the caller has loaded it already, and `trust` that in the
        players of the setup.
        Raises SavedGameError for changed rules, IllegalOptionError for choices that the game does
        not have, PlayerSpecError for a wrong player, and GameError if the game breaks a rule.
        """
        self.setup = setup
        self.game = game or rules_of(setup)
        self.save_path = save
        self.names = tuple(
            "You" if one.kind == "person" else one.name or f"Player {seat}"
            for seat, one in enumerate(setup.seats, 1)
        )
        people = [seat for seat, one in enumerate(setup.seats) if one.kind == "person"]
        if len(people) > 1:
            raise SavedGameError(
                f"{len(people)} people play this game, and a terminal is for one: `cardwright "
                "replay` shows it"
            )
        self.own = people[0] if people else None
        self._lock = RLock()
        self._thinker = Thinker(self.game, setup, self.players(), trust)
        named = replace(
            setup,
            seats=tuple(
                replace(one, name=name) for one, name in zip(setup.seats, self.names, strict=True)
            ),
        )
        self.table = Table(named, choices, game=self.game, person=bool(people), rests=True)

    @classmethod
    def begin(
        cls, setup: TableSetup, save: Path | None = None, game: Game | None = None
    ) -> PlaySession:
        """Begin a game that a person has set up; raises the same errors as the constructor."""
        return cls(setup, save=save, game=game, trust=FULL_TRUST)

    @classmethod
    def resume(cls, path: Path, allow_files: Iterable[str | Path] = ()) -> PlaySession:
        """Resume a saved game, which is saved to the same file again.

        Its players may load no files but those in `allow_files`, and read those in its folder.
        Raises SavedGameError for a file that is not a saved game or whose choices do not fit its
        game, and the same errors as the constructor.
        """
        saved = read_saved(path)
        try:
            return cls(saved.setup, saved.choices, path, trust=trust_in(allow_files, path.parent))
        except IllegalOptionError as error:
            raise SavedGameError(
                f"{path} is a damaged saved game: its choices are not those of its game ({error})"
            ) from None

    # The state of the game ----------------------------------------------------------------

    def players(self) -> tuple[str, ...]:
        """Return who sits in each seat, with the kind of a computer player: `Berta (expert)`."""
        return tuple(
            name if one.kind == "person" else f"{name} ({one.player.partition(':')[0]})"
            for name, one in zip(self.names, self.setup.seats, strict=True)
        )

    @property
    def seat(self) -> int:
        """The seat from whose point of view all is shown: the person's; p1's for a spectator."""
        return self.own or 0

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.due is None

    @property
    def due(self) -> int | None:
        """The seat that has to decide; None when the game is over."""
        return self.table.due

    @property
    def mine(self) -> bool:
        """Whether the person has to decide."""
        return self.own is not None and self.due == self.own

    @property
    def opening(self) -> tuple[str, ...]:
        """What happened before the first decision, in sentences."""
        return self.table.account(self.seat).opening

    def rules(self) -> RulesPage:
        """Return the rules of the game in words, with the options in effect."""
        return rules_page(self.game, self.setup.preset)

    def scene(self) -> TableScene:
        """Return what the seat sees, as it is drawn."""
        return self.table.scene(self.seat)

    def look(self) -> TableLook:
        """Return what the seat sees, with all that happened."""
        return self.table.look(self.seat, 0)

    def hand(self) -> tuple[Card, ...]:
        """Return the cards that the seat holds and only it sees, sorted by suit and rank."""
        cards = self.game.program.cards
        return tuple(cards[face.id] for face in self.scene().hand)

    def choices(self) -> tuple[DescribedOption, ...]:
        """Return the options of the person's decision; none when another player decides."""
        return self.table.referee.options() if self.mine else ()

    @property
    def namer(self) -> PeopleNamer:
        """What names cards, places and players here."""
        return self.table.namer

    def prompt(self) -> str:
        """Return what the person is asked; nothing when another player decides."""
        return self.table.referee.prompt() if self.mine else ""

    def rule_words(self) -> list[str]:
        """Return the words of the choices as the rules have them, which are understood too."""
        return self.table.referee.rule_words()

    def events(self) -> Sequence[Event]:
        """Return what the seat saw of all decisions, from the first; not of those undone."""
        return tuple(self.table.account(self.seat).moves)

    def scores(self) -> tuple[int, ...] | None:
        """Return the final scores or, where they are public, the current ones."""
        return self.table.referee.totals()

    def reason(self, card: Card) -> str | None:
        """Return why a card of the hand cannot be chosen; None if it can, alone or with others."""
        return self.table.why(self.seat, card)

    # Playing ------------------------------------------------------------------------------

    def choose(self, index: int) -> Event:
        """Make the person's decision, and save the game if it has a file.

        Raises IllegalOptionError if the person does not have to decide or there is no such option,
        and GameError if the game then breaks a rule: its state is unchanged.
        """
        with self._lock:
            if not self.mine:
                raise IllegalOptionError("it is not your turn to decide")
            event = self._chosen(self.seat, index)
            self._autosave()
            return event

    def claim(self) -> None:
        """Claim the rest of the tricks, where the scene has a `claim`; save as `choose` does.

        Raises NotProvedError where there is nothing to be claimed.
        """
        with self._lock:
            self.table.claim(self.seat, self.table.number)
            self._autosave()

    def go_on(self) -> None:
        """Go on with the next deal, if one has just ended."""
        with self._lock:
            if self.table.resting is not None:
                self.table.go_on(None, self.table.resting)

    def _chosen(self, seat: int, index: int) -> Event:
        self.go_on()
        self.table.choose(seat, self.table.number, index)
        return self.events()[-1]

    def step(self) -> Event:
        """Let the computer player whose turn it is decide, which may take long.

        Raises IllegalOptionError if it is not a computer player's turn or its answer is invalid,
        OvertakenError if moves were undone in the meantime, and PlayerFailedError, or another
        CardwrightError, if the player fails: nothing has changed then. Raises GameError like
        `choose`.
        """
        with self._lock:
            before, seat, ordinal = self.table.choices, self.due, self.table.ordinal
        if seat is None or self.mine:
            raise IllegalOptionError(
                "the game is over" if seat is None else "it is your turn to decide"
            )
        chosen = self._thinker.decide(before, ordinal)
        with self._lock:
            if self.table.choices != before:
                raise OvertakenError("moves were taken back while a player was thinking")
            event = self._chosen(seat, chosen)
            if self.finished:
                self._autosave()
            return event

    def undo(self) -> int:
        """Go back to the person's previous decision; return how many decisions were undone.

        Raises UndoError if this is not practice mode, or the person has not decided anything yet.
        """
        if not self.setup.practice:
            raise UndoError("moves can be taken back in practice only: begin with --practice")
        with self._lock:
            before = self.table.number
            self.table.undo(self.seat)
            self._autosave()
            return before - self.table.number

    def hint(self) -> Hint:
        """Ask the player for hints, which may take long; it decides as it would in the seat.

        Raises HintError if the person does not have to decide, and PlayerFailedError, or another
        CardwrightError, if the player fails.
        """
        with self._lock:
            if not self.mine:
                raise HintError("there is a hint only when it is your turn to decide")
            before, ordinal, options = self.table.choices, self.table.ordinal, self.choices()
        return self._thinker.hint(before, ordinal, options)

    # Saving -------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write the game to a file, atomically; raises CardwrightError if that fails."""
        with self._lock:
            write_saved(path, self.setup, self.table.choices, self.events(), self.final())

    def final(self) -> tuple[int, ...] | None:
        """Return the scores of a finished game."""
        return self.scores() if self.finished else None

    def _autosave(self) -> None:
        if self.save_path is not None:
            self.save(self.save_path)

    def how_to_go_on(self, path: Path) -> str:
        """Return the command that resumes a saved game."""
        return shlex.join(["cardwright", "play", "--resume", str(path)])
