"""The protocol of a player, and the decision that it gets."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, SupportsIndex, TypeAlias

from cardwright.game.errors import CardwrightError, IllegalOptionError
from cardwright.game.information.knowledge import KnowledgeMode
from cardwright.game.option import Option
from cardwright.game.search import FlatPlan, Horizon

if TYPE_CHECKING:
    from cardwright.game.actions.fast_view import FastView, FastViewSpec
    from cardwright.game.actions.observation import Numbers, ObservationLayout
    from cardwright.game.game import Game, State
    from cardwright.game.information.knowledge import Knowledge
    from cardwright.game.likelihood import Inference
    from cardwright.game.native.search import KeptTree, Playouts
    from cardwright.game.option import Content, SeenDecision, View
    from cardwright.game.search import FlatTable, SearchResult, SearchTask, Trials, WorldFigures
    from cardwright.interpreter.stream import Stream
    from cardwright.program.cards import Seat


@dataclass(frozen=True, slots=True)
class Note:
    """How a player judged the options of a decision; None for what it does not know.

    Estimates are the share of the other seats that end up behind, from 0 (last) to 1 (first).
    `spread` is the best option's estimate minus the worst's, `average` the mean over the options,
    and `best` the best option's. `lead` has the estimate for every seat if the best option is
    taken. `iterations` is how many rollouts or searches it took, of all options together.

    The best of several noisy estimates is on average too high, and the worst too low (Smith and
    Winkler 2006, "The optimizer's curse"), so that `spread` is too large by chance, the more so the
    fewer the rollouts. `held_out_spread` is not: by one half of the rollouts the best and the worst
    option are chosen, by the other their difference is estimated; it is the mean of this and the
    same with the halves swapped (the double estimator of van Hasselt 2010, "Double Q-learning"). It
    is too small on average, as the options chosen may not be those that differ most. So what more
    and more rollouts would find is between the means of the two.

    `score_spread` is the difference of the highest and the lowest mean score among the options, in
    points, with the noise of `spread`. `worlds` says how a tree search drew its worlds, in a game
    whose rules tell something of hidden cards.
    """

    spread: float | None = None
    average: float | None = None
    best: float | None = None
    lead: tuple[float, ...] | None = None
    iterations: int | None = None
    held_out_spread: float | None = None
    score_spread: float | None = None
    worlds: WorldFigures | None = None


SINGLE_NUMBERS = ("spread", "average", "best", "held_out_spread", "score_spread")
"""The members of a note that are one real number, or None."""


@dataclass(frozen=True)
class Decision:
    """A pending decision: the seat, the number of options, and a random stream.

    `stream` is the seat's own in this game: a player that draws from nothing else can be replayed.
    What the seat sees is computed on first access, as that takes longer than many players take to
    decide; it must be accessed before the answer is given. Players that search play on from states
    that they `imagine`: they never get the true one.
    """

    seat: Seat
    option_count: int
    stream: Stream
    _state: State = field(repr=False, compare=False)
    _made: int = field(repr=False, compare=False)
    notes: list[Note] = field(default_factory=list, repr=False, compare=False)
    """What the player has reported about this decision."""

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
        """The options with their wording, which takes longer than their contents."""
        return self._due().options()

    @cached_property
    def record(self) -> tuple[SeenDecision, ...]:
        """All decisions of the game so far, as the seat saw them."""
        return self._due().record(self.seat)

    @cached_property
    def knowledge(self) -> Knowledge:
        """What the seat knows about where cards are, from all that it has seen of the game."""
        return self._due().knowledge(self.seat)

    @cached_property
    def information(self) -> bytes:
        """The key of all that the seat has seen; see `State.information`."""
        return self._due().information(self.seat)

    @cached_property
    def observation(self) -> Numbers:
        """What the seat sees, as numbers for learning; see `State.observation`."""
        return self._due().observation(self.seat)

    def observe(self, layout: ObservationLayout) -> Numbers:
        """Return what the seat sees by a layout, as one with the latest choices."""
        return self._due().observation(self.seat, layout)

    @cached_property
    def action_codes(self) -> tuple[tuple[int, ...], ...]:
        """The actions that make each option, in order; see `State.action_codes`."""
        return self._due().action_codes()

    @property
    def game(self) -> Game:
        """The game being played: its rules, cards and constants."""
        return self._state.game

    def fast_view(self, look: FastViewSpec) -> FastView:
        """Return the values that a fast view of this seat specifies, far faster than the view."""
        if look.seat != self.seat:
            raise ValueError(f"a fast view of p{look.seat + 1} cannot be one of p{self.seat + 1}")
        return self._due().fast_view(look)

    def imagine(self, stream: Stream, mode: KnowledgeMode = KnowledgeMode.BASIC) -> State:
        """Return a state drawn from those that the seat cannot distinguish from the true one.

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
        horizon: Horizon | str = Horizon.DEAL,
        inference: Inference | None = None,
    ) -> FlatTable:
        """Try each option by random rollouts in imagined worlds; see `State.flat`."""
        return self._due().flat(
            self.seat, self.stream, deals, rollouts,
            mode=mode, shared=shared, limit=limit, only=only, horizon=horizon, inference=inference,
        )  # fmt: skip

    def flat_halves(
        self,
        deals: int,
        rollouts: int = 1,
        *,
        mode: KnowledgeMode | str = KnowledgeMode.BASIC,
        shared: bool = True,
        limit: int = 0,
        horizon: Horizon | str = Horizon.DEAL,
        inference: Inference | None = None,
    ) -> tuple[FlatTable, FlatTable]:
        """Try each option as `flat` does; return both halves of its worlds, odd one first."""
        trials = self.trials(mode, inference)
        first, second = (
            trials.run(FlatPlan(many, rollouts, shared, limit, horizon=Horizon(horizon)))
            for many in (deals - deals // 2, deals // 2)
        )
        return first, second

    def search(
        self,
        task: SearchTask,
        *,
        threads: int = 1,
        playouts: Playouts | None = None,
        kept: KeptTree | None = None,
        inference: Inference | None = None,
    ) -> SearchResult:
        """Search the decision in imagined worlds; see `State.search`.

        All draws come from the seat's stream. A task for the true state is cheating: only players
        whose names say so do it.
        """
        return self._due().search(
            self.stream,
            task,
            threads=threads,
            playouts=playouts,
            kept=kept,
            inference=inference,
        )

    def trials(
        self,
        mode: KnowledgeMode | str = KnowledgeMode.BASIC,
        inference: Inference | None = None,
    ) -> Trials:
        """Return trials of the options, drawn from the seat's stream; see `State.trials`."""
        return self._due().trials(self.seat, self.stream, mode, inference)

    def report(self, note: Note) -> None:
        """Record how the player judges this decision, for the analysis of games."""
        self.notes.append(note)

    def _due(self) -> State:
        """Return the state, if this decision is still pending in it."""
        if len(self._state.choices) != self._made:
            raise RuntimeError("what a seat sees must be read before the decision is made")
        return self._state


Answer: TypeAlias = "Option | SupportsIndex | str"
"""What a player answers, as `State.play` takes it: an option, its index from 0, or a text."""


class Player(Protocol):
    """What decides for a seat. Every game gets new players: they remember no other game."""

    def choose(self, decision: Decision) -> Answer:
        """Return an option of the decision, its index from 0, or a text that means it."""
        ...


class RandomPlayer:
    """Picks an option uniformly, with one draw per decision even if there is only one option."""

    def choose(self, decision: Decision) -> int:
        """Return the index drawn."""
        return decision.stream.below(decision.option_count)


class PlayerFailedError(CardwrightError):
    """A player failed; the message says which, and how."""


def checked_answer(player: Player, decision: Decision, name: str = "") -> int:
    """Return the index of the option that a player chooses, whose name is for messages.

    Raises IllegalOptionError if there is no such option, and whatever the player raises.
    """
    chosen = index_or_reason(player.choose(decision), decision)
    if isinstance(chosen, int):
        return chosen
    who = name or f"the player of p{decision.seat + 1}"
    where = f" in decision {decision._made + 1} of seed {decision._state.seed}"
    raise IllegalOptionError(f"{who} {chosen}{where}")


def guarded_answer(player: Player, decision: Decision, name: str) -> int:
    """Return the index of the option that a player chooses, which may be any program.

    Raises IllegalOptionError if there is no such option, CardwrightError and MemoryError if the
    player does, and PlayerFailedError for anything else that it raises. The seed is in no message.
    """
    try:
        chosen = index_or_reason(player.choose(decision), decision)
    except (CardwrightError, MemoryError):
        raise
    except Exception as error:
        raise PlayerFailedError(f"{name} failed: {type(error).__name__}: {error}") from error
    if isinstance(chosen, int):
        return chosen
    raise IllegalOptionError(f"{name} {chosen}")


def index_or_reason(answer: object, decision: Decision) -> int | str:
    """Return the index of the option that an answer means, or in words why it means none.

    A Boolean is no index. What an answer raises when it is looked at is raised here.
    """
    count = decision.option_count
    if type(answer) is int and 0 <= answer < count:
        return answer
    if isinstance(answer, str | Option):
        try:
            return decision._due().index_of(answer)
        except IllegalOptionError as error:
            shown, reason = str(answer)[:_SHOWN], str(error).partition("\n")[0].rstrip(":")
            if isinstance(answer, Option):
                return f"answered {shown!r}, which is not an option here"
            return f"answered {shown!r}: {reason}"
    if isinstance(answer, bool) or not isinstance(answer, SupportsIndex):
        return f"answered with a {type(answer).__name__}, which is not an option"
    index = operator.index(answer)
    if 0 <= index < count:
        return index
    many = abs(index) >= 10**_DIGITS
    shown = f"a number of more than {_DIGITS} digits" if many else str(index)
    return f"answered {shown}; options are 0 to {count - 1}"


_SHOWN = 60
"""Longest part of a text that a reason shows, in characters."""

_DIGITS = 20
"""Most digits of a number that a reason shows."""
