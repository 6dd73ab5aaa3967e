"""Two engines side by side: one game is played by both with the same choices, and all is compared.

At every decision that is the player, the number of options and their contents, and how many rounds
of loops were counted on the way; at some, all that makes up the state, the words of the options,
copies, and deals of what a seat does not know; at the end the scores, or the error with its rule,
reason and place. Games at random are also played by machine code alone, and come to the same. One
difference is allowed: the native engine has rooms of a fixed size, and may break the rule
`capacity` where the interpreter goes on.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from cardwright import GameError, Stream, play_random
from cardwright.game.information.knowledge import KnowledgeMode
from cardwright.game.native.engine import NativeBoard
from cardwright.program.limits import ROUNDS_A_STEP
from deep import usually

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cardwright import Game, State
    from cardwright.syntax.source import TextPosition

CAPACITY = "capacity"
"""The rule that only the native engine breaks."""

FOLLOWED = 3
"""How many decisions copies and deals are played on for."""


class Difference(AssertionError):
    """Something that the two engines do not agree about."""


class Broken(NamedTuple):
    """The rule that a game broke, as both engines have to say it."""

    rule: str
    reason: str
    place: TextPosition
    choices: tuple[int, ...]


class Capacity(Exception):
    """The native engine ran out of room; there is nothing left to compare."""


@dataclass(frozen=True, slots=True)
class Checks:
    """How often more than players and options is compared, in decisions; 0 for never.

    `contents`: what each option is; `keys`: all that makes up the state; `words`: the options in
    words; `deep`: copies, and deals of hidden cards. `most` ends a game early; decisions with more
    than `wide` options are not compared option by option.
    """

    keys: int = 1
    words: int = 0
    deep: int = 0
    contents: int = 1
    most: int = 100_000
    wide: int = 20_000


EVERYTHING = usually(Checks(words=2, deep=3), Checks(words=1, deep=1))
"""All that is compared, of which in any run only the state at every decision."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game that went the same way on both engines: how it went on and how it ended.

    `end` is `over`, `cut`, `capacity`, or the rule that was broken. `counts` are the numbers of
    options of its decisions.
    """

    end: str
    counts: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    broken: Broken | None = None

    @property
    def decisions(self) -> int:
        """How many decisions were made."""
        return len(self.counts)


class Engines(NamedTuple):
    """One game as both engines play it."""

    reference: Game
    native: Game


def on_both(game: Game, engine: str = "native") -> Engines:
    """Return a game as the interpreter and an engine of machine code play it."""
    return Engines(game.with_engine("interpreter"), game.with_engine(engine))


def compare_game(games: Engines, choose: Sequence[int] | None, seed: int, checks: Checks) -> Played:
    """Play a game on both engines; raises Difference if they do not agree.

    Choices are given in order, and a game with too few of them is cut short; without any, every
    seat chooses at random from its own stream.
    """
    return _Pair(games, seed, checks).play(choose)


def random_games(games: Engines, seeds: range, checks: Checks) -> Iterator[Played]:
    """Play games at random on both engines, one by one; raises Difference.

    They are played by machine code alone before, all at once.
    """
    alone = play_random(games.native, seeds, threads=1)
    faults = dict(alone.faults())
    source = games.reference.program.source
    for row, seed in enumerate(seeds):
        pair = _Pair(games, seed, checks)
        played = pair.play(None)
        fault = faults.get(seed)
        if fault is not None and CAPACITY not in {fault.rule, played.end}:
            place = source.position(fault.span.start)
            broken = played.broken and played.broken[:3]
            pair.same("error alone", broken, (fault.rule, fault.message, place))
        elif played.end == "over" and fault is None:
            counts = played.counts
            single = sum(count == 1 for count in counts)
            expected = (len(counts), sum(counts), max(counts, default=0), single)
            of = alone.decisions, alone.option_sums, alone.option_most, alone.single_sums
            pair.same("options alone", expected, tuple(int(tally[row]) for tally in of))
            pair.same("scores alone", played.scores, tuple(alone.scores[row].tolist()))
        elif played.end not in {"cut", CAPACITY}:
            pair.same("end alone", played.end, fault and fault.rule)
        yield played


def compare_games(game: Game, seeds: range, checks: Checks, engine: str = "native") -> list[Played]:
    """Play a game on both engines at random, once for each seed; raises Difference."""
    return list(random_games(on_both(game, engine), seeds, checks))


class _Pair:
    """A game in play on both engines."""

    def __init__(self, games: Engines, seed: int, checks: Checks) -> None:
        self.games = games
        self.seed = seed
        self.checks = checks
        self.choices: list[int] = []
        self.counts: list[int] = []

    def play(self, choose: Sequence[int] | None) -> Played:
        try:
            broken, scores = self._play(choose)
        except Capacity:
            return Played(CAPACITY, tuple(self.counts))
        end = broken.rule if broken else "cut" if scores is None else "over"
        return Played(end, tuple(self.counts), scores or (), broken)

    def _play(self, choose: Sequence[int] | None) -> tuple[Broken | None, tuple[int, ...] | None]:
        """Play on; return the rule that was broken and the scores, if any."""
        seats = range(self.games.reference.players)
        streams = [Stream.of_seat(self.seed, seat) for seat in seats]
        states = self.both(*(_starting(game, self.seed) for game in self.games))
        if isinstance(states, Broken):
            return states, None
        one, other = states
        while not self.same_decision(one, other):
            at, count, seat = len(self.choices), one.option_count, one.player
            assert seat is not None
            if at >= (self.checks.most if choose is None else len(choose)):
                return None, None
            choice = streams[seat].below(count) if choose is None else choose[at]
            self.choices.append(choice)
            self.counts.append(count)
            played = self.both(_playing(one, choice), _playing(other, choice))
            if isinstance(played, Broken):
                return played, None
        return None, one.scores

    def both(
        self, reference: Callable[[], State], native: Callable[[], State]
    ) -> tuple[State, State] | Broken:
        """Do something on both engines; return the states, or the rule that both broke."""
        other = _outcome(native)
        if isinstance(other, Broken) and other.rule == CAPACITY:
            raise Capacity
        one = _outcome(reference)
        if isinstance(one, Broken) or isinstance(other, Broken):
            self.same("error", one, other)
            assert isinstance(one, Broken)
            return one
        return one, other

    def same_decision(self, one: State, other: State) -> bool:
        """Compare two states as far as it is their turn; return whether both are over."""
        self.same("rounds", rounds_made(one), rounds_made(other))
        self.same("finished", one.finished, other.finished)
        self.same("player", one.player, other.player)
        self.same("option count", one.option_count, other.option_count)
        if self.due(self.checks.contents) and one.option_count <= self.checks.wide:
            self.same("contents", one.contents(), other.contents())
        over = one.finished
        if over:
            self.same("scores", one.scores, other.scores)
        if over or self.due(self.checks.keys):
            self.same_worlds(one, other)
        if self.due(self.checks.words) and one.option_count <= self.checks.wide:
            self.same("words", one.options(), other.options())
        if self.due(self.checks.deep):
            self.same_copies(one, other)
            self.same_deals(one, other)
        return over

    def due(self, every: int) -> bool:
        """Say whether something is compared at this decision; the seed says at which ones."""
        return every > 0 and (len(self.choices) + self.seed) % every == 0

    def same_worlds(self, one: State, other: State) -> None:
        """Compare all that makes up two states."""
        if one == other:
            return
        names = ("frames", "cycles", "piles", "stored", "stream", "scores")
        keys: tuple[Any, Any] = one._board.key(), other._board.key()
        for name, mine, its in zip(names, *keys, strict=False):
            self.same(name, mine, its)
        raise Difference(self.told("equality", one, other))

    def same_copies(self, one: State, other: State) -> None:
        """Play copies on; they go alike, and the states that were copied stay as they were."""
        before = one._board.key()
        self.follow(one.copy(), other.copy())
        self.same("what was copied", before, one._board.key())
        self.same("what was copied", before, other._board.key())
        self.same_places(one, other)

    def same_places(self, one: State, other: State) -> None:
        """Compare where every card lies."""
        cards = range(len(one.game.cards))
        self.same("places", *([s._board.where(card) for card in cards] for s in (one, other)))

    def same_deals(self, one: State, other: State) -> None:
        """Deal anew what each seat does not know, in both ways; the deals are the same."""
        before = one._board.key()
        for seat in range(one.game.players):
            for mode in KnowledgeMode:
                streams = [Stream(self.seed ^ len(self.choices)) for _ in range(2)]
                dealt = self.both(
                    *(
                        _dealing(state, seat, stream, mode)
                        for state, stream in zip((one, other), streams, strict=True)
                    )
                )
                self.same("stream of the deal", streams[0].words, streams[1].words)
                if not isinstance(dealt, Broken):
                    self.same_worlds(*dealt)
                    self.follow(*dealt)
        self.same("what was dealt anew", before, one._board.key())
        self.same("what was dealt anew", before, other._board.key())

    def follow(self, one: State, other: State) -> None:
        """Play two states on for some decisions."""
        stream = Stream(len(self.choices))
        for _ in range(FOLLOWED):
            self.same("player", one.player, other.player)
            self.same("contents", one.contents(), other.contents())
            self.same_worlds(one, other)
            if one.finished:
                return
            choice = stream.below(one.option_count)
            played = self.both(_playing(one, choice), _playing(other, choice))
            if isinstance(played, Broken):
                return

    def same(self, what: str, one: object, other: object) -> None:
        """Compare what the interpreter has with what the native engine has."""
        if one != other:
            raise Difference(self.told(what, one, other))

    def told(self, what: str, one: object, other: object) -> str:
        """Return the words for a difference."""
        name = self.games.reference.name
        choices = ",".join(map(str, self.choices))
        return (
            f"{what} of {name}, seed {self.seed}, choices {choices or 'none'}\n"
            f"  interpreter: {one}\n  native:      {other}"
        )


def rounds_made(state: State) -> int:
    """Return what was counted since the last decision, or for the scores, in rounds.

    Nothing else must have been asked of the engine of the state since.
    """
    board = state._board
    if isinstance(board, NativeBoard):
        context = board.engine.context()
        later = context.get("later") if context.get("parts") else None
        allowed = context.get("allowance")
        given = allowed if later is None else context.get("limit") - later
        return given - context.get("left")
    world = board.world()
    return world.allowance * ROUNDS_A_STEP - world.left


def crash(what: str, seeds: range) -> str:
    """Return the end of the traceback of the exception in hand, with what was being played."""
    return "\n".join([f"{what}, a seed of {seeds}", *traceback.format_exc().splitlines()[-8:]])


def _starting(game: Game, seed: int) -> Callable[[], State]:
    return lambda: game.start(seed)


def _playing(state: State, choice: int) -> Callable[[], State]:
    def play() -> State:
        state.play(choice)
        return state

    return play


def _dealing(state: State, seat: int, stream: Stream, mode: KnowledgeMode) -> Callable[[], State]:
    return lambda: state.determinise(seat, stream, mode)


def _outcome(act: Callable[[], State]) -> State | Broken:
    try:
        return act()
    except GameError as error:
        return Broken(error.rule, error.reason, error.place, error.choices)
