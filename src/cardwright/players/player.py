"""What a player is asked, and what it has to answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from cardwright.game.determinise import KnowledgeMode

if TYPE_CHECKING:
    from cardwright.game.fast_view import FastView, FastViewSpec
    from cardwright.game.flat import FlatTable, Trials
    from cardwright.game.game import Game
    from cardwright.game.history import SeenDecision
    from cardwright.game.knowledge import Knowledge
    from cardwright.game.option import Content, Option
    from cardwright.game.search import SearchResult, SearchTask
    from cardwright.game.search_kept import KeptTree
    from cardwright.game.search_native import Playouts
    from cardwright.game.state import State
    from cardwright.game.view import View
    from cardwright.interpreter.stream import Stream
    from cardwright.players.note import Note
    from cardwright.program.cards import Seat


@dataclass(frozen=True)
class Decision:
    """A decision that is due: who decides, between how many options, with which chances.

    `stream` is the seat's own in this game: whoever draws from nothing else can be replayed. What
    the seat sees is worked out when it is first asked for, for that takes longer than many a player
    thinks; it has to be asked for before the answer is given. Players that search play on in states
    that they `imagine`: the true one they never get.
    """

    seat: Seat
    option_count: int
    stream: Stream
    _state: State = field(repr=False, compare=False)
    _made: int = field(repr=False, compare=False)
    notes: list[Note] = field(default_factory=list, repr=False, compare=False)
    """What the player has reported of this decision."""

    @cached_property
    def view(self) -> View:
        """What the seat sees, its options included."""
        return self._due().view(self.seat)

    @cached_property
    def contents(self) -> tuple[Content, ...]:
        """What each option means to the seat, in order; cheaper than the whole view."""
        return self._due().contents()

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """The options with the words for them, which take longer than their contents."""
        return self._due().options()

    @cached_property
    def record(self) -> tuple[SeenDecision, ...]:
        """All decisions of the game so far, as the seat saw them."""
        return self._due().record(self.seat)

    @cached_property
    def knowledge(self) -> Knowledge:
        """What the seat knows of where cards lie, from all that it has seen of the game."""
        return self._due().knowledge(self.seat)

    @property
    def game(self) -> Game:
        """The game that is played: its rules, cards and constants."""
        return self._state.game

    def fast_view(self, look: FastViewSpec) -> FastView:
        """Return the few things that a look of this seat names, far faster than the view."""
        if look.seat != self.seat:
            raise ValueError(f"a look of p{look.seat + 1} is not one of p{self.seat + 1}")
        return self._due().fast_view(look)

    def imagine(self, stream: Stream, mode: KnowledgeMode = KnowledgeMode.BASIC) -> State:
        """Return a state drawn from those that the seat cannot tell from the true one.

        It stands at the same decision; its options have the same contents, unless they depend on
        cards that the seat does not see. Raises GameError where the drawn deal allows no option.
        """
        return self._due().determinise(self.seat, stream, mode)

    def flat(
        self,
        deals: int,
        rollouts: int = 1,
        *,
        mode: KnowledgeMode | str = KnowledgeMode.BASIC,
        shared: bool = True,
        limit: int = 0,
        only: int | None = None,
    ) -> FlatTable:
        """Try each option by random rollouts in imagined worlds; see `State.flat`.

        All draws come from the seat's stream.
        """
        return self._due().flat(
            self.seat, self.stream, deals, rollouts,
            mode=mode, shared=shared, limit=limit, only=only,
        )  # fmt: skip

    def search(
        self,
        task: SearchTask,
        *,
        threads: int = 1,
        playouts: Playouts | None = None,
        kept: KeptTree | None = None,
    ) -> SearchResult:
        """Search the decision in imagined worlds; see `State.search`.

        All draws come from the seat's stream. A task for the true state is a search by one who
        cheats: no player does that whose name does not say so.
        """
        state = self._due()
        return state.search(self.stream, task, threads=threads, playouts=playouts, kept=kept)

    def trials(self, mode: KnowledgeMode | str = KnowledgeMode.BASIC) -> Trials:
        """Return trials of the options, for players that try them many times; see `State.trials`.

        All draws come from the seat's stream.
        """
        return self._due().trials(self.seat, self.stream, mode)

    def report(self, note: Note) -> None:
        """Note how the player judges this decision, for those who study the game."""
        self.notes.append(note)

    def _due(self) -> State:
        """Return the state, if the decision is still the one that is due in it."""
        if len(self._state.choices) != self._made:
            raise RuntimeError("what a seat sees is to be asked for before the decision is made")
        return self._state


class Player(Protocol):
    """Whoever decides for a seat. Every game is played by new players: they remember no other."""

    def choose(self, decision: Decision) -> int:
        """Return the index of an option, from 0."""
        ...
