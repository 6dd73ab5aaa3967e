"""The referee: plays games between players, records what happened, and judges their faults.

These rules hold wherever entrants meet. A player makes a fault if

- it *raises* any exception,
- its *answer* is not an option, the index of one or a text that means one,
- it reports a note that holds anything but finite numbers (its answer stands), or
- it answers *late*, after more than `move_seconds`. The answer stands; but a player from a Python
  file that gives none is ended, with its process: see `player_process`. Any other player is in the
  same process, where it cannot be interrupted, only judged.

After a fault without an answer that stands the referee chooses for it: a random option, drawn from
a stream derived from the seed of the players' own streams and the seat, from which no player draws.
With more than `most_faults` faults in a game, or if it cannot even be constructed, a player
*forfeits*: it is no longer asked in this game, and random options are chosen for its seat to the
end. In the next game it plays again.

Two things are not faults and end the run, which can be resumed: KeyboardInterrupt, which comes from
the person at the keyboard, and MemoryError, which says more about the machine than about the
player. SystemExit is a fault like any other: no player may end a run.

Times depend on the machine. So results with late answers need not be reproducible; all others are.
"""

from __future__ import annotations

import math
import re
import time
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardwright.game.errors import GameError
from cardwright.game.seeds import game_seed
from cardwright.interpreter.stream import Stream, checked
from cardwright.jobs.long_steps import begin_step, end_step
from cardwright.markup.lazy_display import shown_by
from cardwright.players.player import (
    SINGLE_NUMBERS,
    Decision,
    Note,
    checked_answer,
    index_or_reason,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import SupportsIndex

    from cardwright.game.game import Game, State
    from cardwright.game.option import Option
    from cardwright.players.player import Player
    from cardwright.program.cards import Seat

Choice: TypeAlias = "tuple[Seat, int, int]"
"""A decision as recorded: who decided, between how many options, and the index chosen."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """What happened in one game.

    A game that broke a rule of the language has the message in `error`, the decisions until then,
    and no scores and ranks.
    """

    seed: int
    decisions: tuple[Choice, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    error: str | None = None

    @property
    def choices(self) -> tuple[int, ...]:
        """The indices chosen, which replay the game from its seed."""
        return tuple(chosen for _, _, chosen in self.decisions)

    @property
    def wins(self) -> tuple[float, ...]:
        """For every seat, its share of the win: each of w winners has 1/w."""
        winners = self.ranks.count(0)
        return tuple(0.0 if rank else 1 / winners for rank in self.ranks)

    _repr_html_ = shown_by("cardwright.arena.displays", "record_html")


def referee_game(
    game: Game,
    seed: SupportsIndex,
    players: Sequence[Player],
    chances: int | None = None,
    *,
    paired: bool = False,
) -> GameRecord:
    """Play a game from its seed, with a player for each seat.

    Each seat draws from a stream of its own (`Stream.of_seat`). These come from `chances`, a 64-bit
    seed, or by default from the game's seed: so the same cards can be played with other draws. With
    `paired` each decision has a stream of its own (`Stream.of_decision`): in two games that differ
    in what one player does, all others make the same draws at their n-th decisions. The record's
    choices replay the game whatever the players drew. Raises IllegalOptionError if a player answers
    with an option that does not exist.
    """
    if len(players) != game.players:
        raise ValueError(f"{game.players} players are needed, not {len(players)}")
    decisions: list[Choice] = []
    seed = game_seed(seed)
    own = seed if chances is None else checked(chances, "the seed of the players' chances")
    try:
        state = game.start(seed)
        drawn = _by_decision(own, len(players)) if paired else _by_seat(own, len(players))
        decisions.extend(_choices(state, drawn, players))
    except GameError as error:
        return GameRecord(seed, tuple(decisions), (), (), str(error))
    return GameRecord(seed, tuple(decisions), state.scores, state.ranks)


def _by_seat(chances: int, seats: int) -> Callable[[Seat], Stream]:
    """Return a function from a seat to its stream for the current decision: always the same one."""
    streams = [Stream.of_seat(chances, seat) for seat in range(seats)]
    return streams.__getitem__


def _by_decision(chances: int, seats: int) -> Callable[[Seat], Stream]:
    """Return a function from a seat to its stream for the current decision: a new one each time."""
    ordinals = [count() for _ in range(seats)]
    return lambda seat: Stream.of_decision(chances, seat, next(ordinals[seat]))


def _choices(
    state: State, stream_of: Callable[[Seat], Stream], players: Sequence[Player]
) -> Iterator[Choice]:
    """Play a state to its end; every choice is yielded before it is made and can break a rule."""
    while (seat := state.player) is not None:
        options = state.option_count
        decision = Decision(seat, options, stream_of(seat), state, len(state.choices))
        chosen = checked_answer(players[seat], decision)
        yield seat, options, chosen
        state.play(chosen)


def watched_game(
    game: Game, seed: int, players: Sequence[Player]
) -> Iterator[tuple[State, Option]]:
    """Play the game of `referee_game`; yield the state before each choice, and the option chosen.

    Raises GameError where the game breaks a rule.
    """
    state = game.start(seed)
    for _, _, chosen in _choices(state, _by_seat(seed, len(players)), players):
        yield state, state.options()[chosen]


LONGEST_REASON = 200
"""Characters of a reason that are kept."""

MOST_LEAD = 1000
"""The most entries of a note: enough for all seats."""

_REFEREE = 0x5851F42D4C957F2D
"""Turns the seed of the seats' streams into one for the referee's own draws."""
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")


class FaultKind(StrEnum):
    """What a player did wrong."""

    RAISED = "raised"
    ANSWER = "answer"
    LATE = "late"
    UNMADE = "unmade"
    NOTE = "note"


@dataclass(frozen=True)
class PlayerFault:
    """A fault of the player of a seat, in its `decision`-th decision of the game, from 0."""

    seat: int
    decision: int
    kind: FaultKind
    reason: str


@dataclass(frozen=True)
class FaultRules:
    """What is tolerated: faults in one game, and the seconds for a move; None is no limit."""

    most_faults: int = 3
    move_seconds: float | None = None


class JudgedAnswer(NamedTuple):
    """What came of asking a player: an option, or None and the fault that was made instead.

    `note` is what it reported about the decision, None also if that is not `sound`; `seconds` is
    how long it took.
    """

    chosen: int | None
    seconds: float
    fault: tuple[FaultKind, str] | None = None
    note: Note | None = None
    sound: bool = True


class SeparatePlayer:
    """A player that thinks elsewhere, where it is judged: the base of such classes."""

    def judged(self, decision: Decision, limit: float | None) -> JudgedAnswer:
        """Return what came of asking it; it may be ended if it passes the limit, in seconds."""
        raise NotImplementedError


class RefereedPlayer:
    """A player under the rules: it always answers with an option, and its faults are counted.

    `seconds` and `longest` say how long the player took for its `asked` decisions; `notes` has its
    last report for each of its decisions, or None.
    """

    def __init__(
        self,
        make: Callable[[], Player | SeparatePlayer],
        rules: FaultRules,
        chances: int,
        seat: int,
        *,
        name: str = "a player",
        where: str = "",
    ) -> None:
        """Make a seat's player by what may fail; `chances` is as for `referee_game`.

        If it thinks for long, people are told its `name`, and `where` that is: in which deal.
        """
        self.rules = rules
        self.seat = seat
        self.name = name
        self.where = where
        self.faults: list[PlayerFault] = []
        self.decisions = 0
        self.asked = 0
        self.seconds = 0.0
        self.longest = 0.0
        self.notes: list[Note | None] = []
        self._stream = Stream.of_seat(chances ^ _REFEREE, seat)
        self._player: Player | SeparatePlayer | None = None
        try:
            self._player = make()
        except (KeyboardInterrupt, MemoryError):
            raise
        except BaseException as error:  # the run goes on in any case
            self._note(FaultKind.UNMADE, f"could not be made: {error_line(error)}")

    @property
    def forfeited(self) -> bool:
        """Whether the player is no longer asked."""
        return self._player is None

    def choose(self, decision: Decision) -> int:
        """Return the player's answer, or the referee's in its place."""
        count = decision.option_count
        self.notes.append(None)
        chosen = None if self._player is None else self._ask(self._player, decision)
        self.decisions += 1
        if len(self.faults) > self.rules.most_faults:
            self._player = None
        return self._stream.below(count) if chosen is None else chosen

    def _ask(self, player: Player | SeparatePlayer, decision: Decision) -> int | None:
        """Return the answer of the player, if it stands."""
        limit = self.rules.move_seconds
        begin_step(self.name, self.where)
        try:
            if isinstance(player, SeparatePlayer):
                answer = player.judged(decision, limit)
            else:
                answer = judged(player, decision)
        finally:
            end_step()
        self.asked += 1
        self.seconds += answer.seconds
        self.longest = max(self.longest, answer.seconds)
        if answer.fault is not None:
            self._note(*answer.fault)
            return None
        if limit is not None and answer.seconds > limit:
            self._note(FaultKind.LATE, f"took more than {limit:g} s for a move")
        if not answer.sound:
            self._note(FaultKind.NOTE, "reported a note that is not made of finite numbers")
        self.notes[-1] = answer.note
        return answer.chosen

    def _note(self, kind: FaultKind, reason: str) -> None:
        self.faults.append(PlayerFault(self.seat, self.decisions, kind, reason))


def judged(player: Player, decision: Decision) -> JudgedAnswer:
    """Ask a player, and return what came of it.

    Raises KeyboardInterrupt and MemoryError, which are no faults.
    """
    begun = time.perf_counter()
    try:
        chosen = index_or_reason(player.choose(decision), decision)
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:  # the run goes on in any case
        seconds = time.perf_counter() - begun
        return JudgedAnswer(None, seconds, (FaultKind.RAISED, error_line(error)))
    seconds = time.perf_counter() - begun
    if isinstance(chosen, str):
        return JudgedAnswer(None, seconds, (FaultKind.ANSWER, _cut(chosen)))
    if not decision.notes:
        return JudgedAnswer(chosen, seconds)
    note = decision.notes[-1]
    valid = sound(note)
    return JudgedAnswer(chosen, seconds, None, note if valid else None, valid)


def sound(note: object) -> bool:
    """Say whether a note can be recorded: every field holds finite numbers, or nothing."""
    if not isinstance(note, Note):
        return False
    lead = () if note.lead is None else note.lead
    if not isinstance(lead, tuple | list) or len(lead) > MOST_LEAD:
        return False
    single = (getattr(note, name) for name in SINGLE_NUMBERS)
    numbers = [number for number in (*single, *lead) if number is not None]
    whole = 0 if note.iterations is None else note.iterations
    return (
        all(isinstance(number, int | float) and math.isfinite(number) for number in numbers)
        and None not in lead
        and isinstance(whole, int)
        and 0 <= whole < 2**63
    )


def error_line(error: BaseException) -> str:
    """Return an exception in one line that is the same in every run."""
    try:
        text = str(error)
    except Exception:  # the exception is the player's own, and may be broken too
        text = "(no message)"
    return _cut(_ADDRESS.sub("0x...", " ".join(f"{type(error).__name__}: {text}".split())))


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST_REASON else f"{line[: LONGEST_REASON - 3]}..."
