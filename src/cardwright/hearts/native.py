"""Hierarchies, rule players and random players in machine code: in many games, or in a batch.

Their choices are exactly those of their Python counterparts. In many games these are the ones of
`referee_game(..., paired=True)`: every decision has its own stream (`Stream.of_decision`), so the
same deal can be replayed with another player in one seat while random choices elsewhere stay the
same.

Game and players are handed over as words: the constants of the kernels' `hierarchy_table` give the
layout of a game's data; those of `hierarchies` and `hierarchy_steps` that of players and lists.
"""

from __future__ import annotations

import ctypes
import threading
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from cardwright.compiler.backend import Words
from cardwright.compiler.kernel_sets import KernelSet
from cardwright.compiler.structs import STREAM
from cardwright.game.engines import native_engine
from cardwright.game.errors import CardwrightError, GameError
from cardwright.game.native.engine import NativeBoard
from cardwright.game.seeds import game_seed, seed_array
from cardwright.hearts.cards import HEARTS, mask_of, suit_mask
from cardwright.hearts.family import HeartsFamily, NotHeartsError, family_of
from cardwright.hearts.hierarchy import (
    Hierarchy,
    HierarchyError,
    HierarchyPlayer,
    OrderMode,
    Tie,
    order,
)
from cardwright.hearts.kernel_words import choice_to, laid_out
from cardwright.hearts.kernels import (
    hierarchies,
    hierarchy_table as layout,
    selectors as kernel_steps,
)
from cardwright.hearts.kernels.hierarchies import OPTION_BYTES
from cardwright.hearts.rule import RulePlayer
from cardwright.hearts.selectors import CONDITIONS, SELECTORS, ParameterSpec
from cardwright.players.player import RandomPlayer
from cardwright.program.cards import Location, LocationKind, OwnerId

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cardwright.compiler.context import Context
    from cardwright.game.game import Game, State
    from cardwright.game.native.batch import Batch, Integers, Streams, Truths
    from cardwright.game.native.engine import NativeEngine
    from cardwright.hearts.hierarchy import HierarchyStep
    from cardwright.players.player import Player

    Long: TypeAlias = "NDArray[np.int64]"
    Short: TypeAlias = "NDArray[np.int32]"
    Counts = tuple[int, ...]

NativePlayer: TypeAlias = Hierarchy | Literal["random", "rule"]
"""The players that machine code can play."""

_KERNELS = (hierarchies.__name__,)

GAMES = KernelSet("games of hierarchies", _KERNELS, ("cw_hearts_game", "cw_hearts_games"))
"""The functions that play whole games."""

CHOICES = KernelSet("choices of hierarchies", _KERNELS, ("cw_hearts_choices",))
"""The function that chooses for hierarchies in a batch."""

_AT_ONCE = 2_000
"""Games per call of the machine code, which cannot be interrupted."""

_CAPACITY = 1 << 10
"""Initial capacity for the choices of a game; a match has more."""


# What machine code can play --------------------------------------------------------------------


class UnsuitedGameError(CardwrightError):
    """A game that machine code cannot play with these players; the message says why."""


def native_player_of(player: Player) -> NativePlayer | None:
    """Return a player's native equivalent; None if there is none."""
    if isinstance(player, HierarchyPlayer):
        return player.hierarchy
    if type(player) is RandomPlayer:
        return "random"
    return "rule" if type(player) is RulePlayer else None


def unsuited(game: Game) -> str | None:
    """Return why machine code cannot play a game, as a sentence; None if it can."""
    try:
        family = family_of(game)
    except NotHeartsError as error:
        return str(error)
    if family.name != "hearts":
        return f"{family.name} has other kinds of tricks: machine code plays only hearts"
    if family.packs > 1:
        return "machine code does not support two packs, where equal cards cancel"
    engine = game._machine
    if engine is None:
        return f'this game is played by the engine "{game.engine_name}", not by machine code'
    lacks = _lacking(engine, family)
    return lacks and f"{game.name} is not built as the hearts of the library: it lacks {lacks}"


_PILES = (
    (LocationKind.VISIBLE, "TRICK"),
    (LocationKind.INVISIBLE, "HAND"),
    (LocationKind.VISIBLE, "TRICKSWON"),
    (LocationKind.INVISIBLE, "ASIDE"),
)
"""Each seat's piles, in the kernels' order."""


def _lacking(engine: NativeEngine, family: HeartsFamily) -> str | None:
    """Return in words what the kernels need and a copy of Hearts lacks; None if nothing."""
    native = engine.native
    slots = set(native.layout.places.locations)
    for kind, name in _PILES[:3]:
        if not all(Location(OwnerId(seat), kind, name) in slots for seat in range(family.players)):
            return f"places {name} of all players"
    play = native.options.get(choice_to(engine, "TRICK"))
    if play is None or not play.shape.strict or play.shape.words * 8 != OPTION_BYTES:
        return "a choice of single cards to play"
    if family.passes and choice_to(engine, "PASSED") not in native.options:
        return "a choice of cards to pass"
    counted = (OwnerId(native.layout.table), "PASSES") in native.layout.integers.owners
    if family.passes and family.passing != "TOGETHER" and not counted:
        return "a count of its PASSES"
    if family.lays and choice_to(engine, "ASIDE") not in native.options:
        return "a choice of cards to lay aside"
    return None


# The words of a game and its players -----------------------------------------------------------

_TIES = {
    Tie.LOW: hierarchies.TIE_LOW,
    Tie.HIGH: hierarchies.TIE_HIGH,
    Tie.RANDOM: hierarchies.TIE_RANDOM,
}
_WAYS = {"TOGETHER": layout.TOGETHER, "SINGLY": layout.SINGLY, "ROUNDS": layout.ROUNDS}
_WINNERS = {"FIRST": layout.A_TRICK, "LAST": layout.A_TRICK, "HEART": layout.A_HEART}

_RULES = order("rule")
_RULE = Hierarchy(_RULES, _RULES, _RULES, _RULES, _RULES)
"""The rule player as a hierarchy, the form that machine code supports."""


class _Prepared:
    """A game's engine, the words of the game and its players, and the offset of each player."""

    def __init__(self, game: Game, players: Sequence[NativePlayer], purpose: str) -> None:
        why = unsuited(game)
        if why is not None:
            raise UnsuitedGameError(why)
        self.engine = native_engine(game, purpose)
        self.words = _game_words(game, self.engine, family_of(game))
        self.places = np.array([self._add(player) for player in players], np.int64)

    def _add(self, player: NativePlayer) -> int:
        words = self.words
        at = len(words)
        its = _RULE if player == "rule" else player
        lists = its.lists if isinstance(its, Hierarchy) else ()
        kind = hierarchies.LISTED if lists else hierarchies.RANDOM
        words += [kind] + [0] * (hierarchies.PLAYER_WORDS - 1)
        for place, listed in enumerate(lists, 1):
            if listed is not None:
                words[at + place] = len(words)
                words += [int(listed.mode is OrderMode.FILTER), _TIES[listed.tie]]
                words += [len(listed.steps), *(w for step in listed.steps for w in _words(step))]
        return at

    def context(self) -> tuple[Context, Words]:
        """Return a new context for calls of machine code, and its own copy of the words."""
        words = Words(self.engine.native.machine, self.words)
        context = self.engine.new_context()
        context.set("extra", words.address)
        return context, words


def _game_words(game: Game, engine: NativeEngine, family: HeartsFamily) -> list[int]:
    native = engine.native.layout
    slots = {location: slot for slot, location in enumerate(native.places.locations)}
    integers = {cell: at for at, cell in enumerate(native.integers.owners)}
    seats, owner = [OwnerId(seat) for seat in range(family.players)], OwnerId(native.table)

    def slot(whose: OwnerId, kind: LocationKind, name: str) -> int:
        return slots.get(Location(whose, kind, name), -1)

    facts = {
        layout.QUEEN: family.queen_mask,
        layout.ABOVE: family.above_queen,
        layout.PENALTIES: family.penalties,
        layout.PACK: family.pack,
        layout.FREE: int(family.free),
        layout.BROKEN: integers.get((owner, "BROKEN"), -1),
        layout.PLAY: choice_to(engine, "TRICK"),
        layout.PASS: choice_to(engine, "PASSED"),
        layout.LAY: choice_to(engine, "ASIDE"),
        layout.PASSES: family.passes,
        layout.PASSING: _WAYS[family.passing],
        layout.PASSED: integers.get((owner, "PASSES"), -1),
        layout.LAYS: family.lays,
        layout.WIDOW: slot(owner, LocationKind.HIDDEN, "WIDOW"),
        layout.WIDOW_TO: _WINNERS.get(str(game.declared.get("WIDOWTO")), layout.NOBODY),
        layout.REMOVED: slot(owner, LocationKind.VISIBLE, "REMOVED"),
        layout.BONUSES: family.bonuses,
        layout.MOON_TOTAL: family.moon_total,
    }
    parts = {
        layout.PILES: [slot(seat, kind, name) for kind, name in _PILES for seat in seats],
        layout.FEES: [integers.get((seat, "FEES"), -1) for seat in seats],
        layout.NUMBERS: list(family.numbers),
        layout.COSTS: list(family.costs),
        layout.DEAR: [len(family.dear), *family.dear],
        layout.MOON: list(family.moon),
    }
    return laid_out(layout.HEAD_WORDS, facts, parts)


def _words(step: HierarchyStep) -> list[int]:
    named = {holds: name for name, holds in CONDITIONS.items()}
    condition, selector = kernel_steps.ALWAYS, step.selector
    if step.condition is not None:
        condition = _number("WHEN", named.get(step.condition, ""), step)
    known = selector.name if SELECTORS.get(selector.name) == selector else ""
    return [_number("PICK", known, step), _argument(step), condition, int(step.negated)]


def _number(sort: str, name: str, step: HierarchyStep) -> int:
    number = getattr(kernel_steps, f"{sort}_{name.upper()}", None)
    if not isinstance(number, int):
        raise HierarchyError(
            f"the step {step} cannot be played by machine code, which knows only the selectors and "
            "conditions that come with Cardwright"
        )
    return number


def _argument(step: HierarchyStep) -> int:
    """Return a step's parameter as one word: a number, or a set of suits (all if none is named)."""
    if step.selector.takes is ParameterSpec.NUMBER:
        defaults = getattr(step.selector.choose, "__defaults__", None) or (0,)
        return step.parameters[0] if step.parameters else int(defaults[0])
    if not step.parameters:
        return -1
    suits = 0
    for suit in step.parameters:
        suits |= suit_mask(suit)
    return suits if suits < 1 << 63 else suits - (1 << 64)


# Playing ---------------------------------------------------------------------------------------


class SeatResults(NamedTuple):
    """The results of games: a row for each game, and a column for each seat.

    `tricks` counts the tricks taken in the whole game, `queens` the deals in which a seat took the
    queen (`HeartsFamily.queen`), `moons` those in which it took all penalty cards, however scored.
    `deals` has the number of deals of each game.
    """

    scores: Long
    tricks: Short
    queens: Short
    moons: Short
    deals: Short


class ManyGames:
    """Plays games between given players; safe to use from several threads at once.

    Raises UnsuitedGameError for a game that machine code cannot play: see `unsuited`.
    """

    def __init__(self, game: Game, players: Sequence[NativePlayer]) -> None:
        self.game = game
        self.players = tuple(players)
        self._prepared = _Prepared(game, self.players, "many games need")
        self._memory = _ThreadMemory(self._prepared)

    def play(self, seeds: NDArray[np.uint64], tables: Sequence[Sequence[int]]) -> SeatResults:
        """Play a game from each seed at each table, and return the results.

        A table has the index of a player for each seat. The tables of a seed are consecutive: row r
        is seed r // len(tables), table r % len(tables). A seed determines the cards and all other
        randomness. Raises GameError if a game breaks a rule of the language.
        """
        given = np.frombuffer(seed_array(seeds), np.uint64)
        placed, seats = self._placed(tables), self.game.players
        games = len(given) * len(placed)
        points = np.zeros((games, seats), np.int64)
        counts = np.zeros((games, 3 * seats + 1), np.int64)
        lend, part = self._prepared.engine.lend, max(1, _AT_ONCE // max(1, len(placed)))
        for first in range(0, len(given), part):
            some, at = min(part, len(given) - first), first * len(placed)
            until = at + some * len(placed)
            tables_at = lend(given[first : first + some]), some, lend(placed), len(placed)
            ends = lend(points[at:until]), lend(counts[at:until])
            done = self._memory.call("cw_hearts_games", *tables_at, *ends)
            if done < some * len(placed):
                self._choices(int(given[first + done // len(placed)]), placed[done % len(placed)])
                raise AssertionError("a game broke a rule, but not when it was played again")
        columns = counts.astype(np.int32)
        tricks, queens, moons = (columns[:, at * seats : (at + 1) * seats] for at in range(3))
        return SeatResults(points, tricks, queens, moons, columns[:, -1])

    def choices(self, seed: int, table: Sequence[int]) -> tuple[int, ...]:
        """Return the indices chosen in one game, to replay it; raises GameError."""
        return self._choices(game_seed(seed), self._placed([table])[0])

    def _choices(self, seed: int, placed: Long) -> tuple[int, ...]:
        memory, counts = self._memory, np.zeros(3 * self.game.players + 1, np.int64)
        done, chosen = 0, np.zeros(0, np.int64)
        while len(chosen) < max(memory.decisions, _CAPACITY):
            chosen = np.zeros(max(memory.decisions, _CAPACITY), np.int64)
            places = map(self._prepared.engine.lend, (placed, counts, chosen))
            signed = seed - (1 << 64) if seed >= 1 << 63 else seed
            done = memory.call("cw_hearts_game", signed, *places, len(chosen))
        made = chosen[: memory.decisions].tolist()
        if done < 0:
            fault = self._prepared.engine.fault(memory.context)
            raise GameError(fault, self.game.program, self.game.name, seed, made)
        return tuple(made)

    def _placed(self, tables: Sequence[Sequence[int]]) -> Long:
        """Return tables as the kernels take them: the offset of each seat's player."""
        seats, many = self.game.players, len(self.players)
        for seated in tables:
            if len(seated) != seats or not all(0 <= player < many for player in seated):
                raise ValueError(
                    f"a table has {seats} player numbers from 0 to {many - 1}, not {seated}"
                )
        numbers = np.array(tables, np.int64).reshape(-1, seats)
        return np.ascontiguousarray(self._prepared.places[numbers])


class _ThreadMemory(threading.local):
    """Memory for each thread: a board, a context, a stream, and the kernels' data."""

    def __init__(self, prepared: _Prepared) -> None:
        engine = prepared.engine
        self._functions = engine.extended(GAMES).functions
        self._board = NativeBoard(engine, engine.native.new_board())
        self._stream = ctypes.create_string_buffer(STREAM.bytes)
        self.context, self._extra = prepared.context()

    def call(self, name: str, *args: Any) -> int:
        board, stream = self._board.address, self._board.engine.lend(self._stream)
        return self._functions[name](board, self.context.address, stream, *args)

    @property
    def decisions(self) -> int:
        """The number of decisions of the last game until it ended or broke a rule."""
        return int(self._extra.array[layout.DONE])


class BatchPlayers:
    """Hierarchies and rule players at some seats of every game of a batch.

    They choose as their Python counterparts do with the streams of their seats. Raises
    UnsuitedGameError (see `unsuited`), and HierarchyError for steps of one's own.
    """

    def __init__(self, game: Game, seats: Mapping[int, NativePlayer]) -> None:
        prepared = _Prepared(game, tuple(seats.values()), "these players need")
        self._table = np.zeros(game.players, np.int64)
        self._table[list(seats)] = prepared.places
        self._lend = prepared.engine.lend
        self._choose = prepared.engine.extended(CHOICES).functions["cw_hearts_choices"]
        self._context, self._words = prepared.context()

    def step(self, batch: Batch, streams: Streams, where: Truths) -> Integers:
        """Play in the games of a batch that wait for these players, and return the choices.

        They are -1 in other games. Only games in which `where` is true are played. Each player
        draws from the stream of its seat, as `Batch.seat_streams` makes them.
        """
        choices = np.empty(len(batch), np.int64)
        wanted = np.ascontiguousarray(where)
        boards, notes = batch._at
        at = map(self._lend, (streams, self._table, wanted, choices))
        self._choose(boards, self._context.address, notes, *at, len(batch))
        batch.step(choices, where=choices >= 0)
        return choices


# Games played otherwise ------------------------------------------------------------------------


class SeatCounts(NamedTuple):
    """What each seat took in a whole game, as in `SeatResults`, and the number of deals played."""

    tricks: Counts
    queens: Counts
    moons: Counts
    deals: int


def seat_counts(game: Game, seed: int, choices: Sequence[int]) -> SeatCounts | None:
    """Return what the seats took in a game given by its seed and choices.

    None where that cannot be counted: in games other than hearts, and with two packs, where a trick
    may have no winner. Raises IllegalOptionError for choices that the game does not offer, and
    GameError if it breaks a rule of the language.
    """
    try:
        family = family_of(game)
    except NotHeartsError:
        return None
    if family.name != "hearts" or family.packs > 1:
        return None
    state, players = game.start(seed), family.players
    tricks, queens, moons = ([0] * players for _ in range(3))
    deals = 0
    for index in choices:
        seat, due = state.player, 0 <= index < state.option_count
        piles = state.fast_view(family.looks[seat]).cards if due and seat is not None else ()
        if seat is not None and sum(map(len, piles[:players])) == players - 1:
            # The option completes a trick, which the next seat led, as this one is the last.
            (*_, (_, last)) = state.contents()[index].picks
            assert isinstance(last, int)
            seats = [(seat + step) % players for step in range(1, players + 1)]
            ids = [card for other in seats[:-1] for card in piles[other]]
            trick = [family.numbers[card] for card in (*ids, last)]
            best = max(card for card in trick if card >> 4 == trick[0] >> 4)
            winner = seats[trick.index(best)]
            tricks[winner] += 1
            if len(piles[2 * players]) == 1:  # the last card in hand
                removed = mask_of(family.numbers[card] for card in piles[2 * players + 3])
                penalties = family.penalties & ~removed
                for other, taken in enumerate(_taken(state, family, winner, mask_of(trick))):
                    queens[other] += bool(taken & family.queen_mask)
                    moons[other] += bool(penalties) and not penalties & ~taken
                deals += 1
        state.play(index)
    return SeatCounts(tuple(tricks), tuple(queens), tuple(moons), deals)


def _taken(state: State, family: HeartsFamily, winner: int, trick: int) -> list[int]:
    """Return the cards that each seat has taken at the end of a deal, with its last trick."""

    def pile(owner: int | None, kind: LocationKind, name: str) -> int:
        return mask_of(family.numbers[card.id] for card in state.cards(owner, kind, name))

    to = state.game.declared.get("WIDOWTO")
    if to in {"FIRST", "LAST"} or (to == "HEART" and trick & suit_mask(HEARTS)):
        trick |= pile(None, LocationKind.HIDDEN, "WIDOW")
    return [
        pile(seat, LocationKind.VISIBLE, "TRICKSWON")
        | pile(seat, LocationKind.INVISIBLE, "ASIDE")
        | trick * (seat == winner)
        for seat in range(family.players)
    ]
