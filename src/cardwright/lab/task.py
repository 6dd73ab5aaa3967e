"""Tasks: deals played at all their tables. Their results depend on the plan alone.

Machine code plays the tables whose players it knows, the referee all others; both give the same
results. Under the referee every decision has a stream of its own (`referee_game`, `paired`), so
that the same seats draw the same random numbers in all cells of a deal. A player's fault ends the
experiment: no fair result could replace the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cardwright.arena.entrants import parse_spec
from cardwright.arena.estimate import is_quick
from cardwright.arena.plan import loaded
from cardwright.arena.referee import referee_game
from cardwright.game.errors import CardwrightError, GameError, IllegalOptionError
from cardwright.game.seeds import game_seeds
from cardwright.hearts.native import ManyGames, native_player_of, seat_counts, unsuited
from cardwright.lab.cell import maker
from cardwright.lab.factor import LabError
from cardwright.lab.layout import layout_of
from cardwright.lab.response import GameOutcomes, audit_of, measured
from cardwright.players.kind import NO_TRUST, Loads
from cardwright.players.player import PlayerFailedError, guarded_answer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cardwright.hearts.native import NativePlayer
    from cardwright.lab.factor import LabPlayer
    from cardwright.lab.layout import ExperimentLayout, ExperimentTable
    from cardwright.lab.outcomes import Part, Sums
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.response import Audit, Integers
    from cardwright.players.kind import Trust
    from cardwright.players.player import Decision, Player


class PlayerFaultError(LabError):
    """A player that raised an exception, or did not answer with an option."""


# Machine code -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class NativeGame:
    """Machine code for one game of an experiment; `numbers` has the players that it knows.

    It is thread-safe.
    """

    games: ManyGames
    numbers: Mapping[int, int]

    def knows(self, table: ExperimentTable) -> bool:
        """Say whether it can play a table of this game."""
        return all(player in self.numbers for player in table.seats)

    def play(self, seeds: Sequence[int], tables: Sequence[ExperimentTable]) -> GameOutcomes:
        """Play a game from each seed at each table: the tables of a seed are consecutive.

        Raises GameError if a game breaks a rule of the language.
        """
        placed = [[self.numbers[player] for player in table.seats] for table in tables]
        outcome = self.games.play(np.array(seeds, np.uint64), placed)
        return GameOutcomes(*(np.asarray(column, np.int64) for column in outcome))


def native_player(player: LabPlayer) -> NativePlayer | None:
    """Return how machine code plays a player; None for one that it does not know.

    One that loads a file or a program is none of those.
    """
    if player.spec is not None and parse_spec(player.spec, NO_TRUST).loads is not Loads.NOTHING:
        return None
    return native_player_of(maker(player, NO_TRUST)())


@lru_cache(maxsize=8)
def machines_of(plan: LabPlan) -> tuple[NativeGame | None, ...]:
    """Return machine code for each game of a plan's layout; None for games it cannot play."""
    layout = layout_of(plan)
    natives = {at: native_player(player) for at, player in enumerate(layout.players)}
    known = {at: native for at, native in natives.items() if native is not None}
    numbers = {at: number for number, at in enumerate(known)}
    games = [loaded(ref) for ref in layout.games]
    return tuple(
        NativeGame(ManyGames(game, tuple(known.values())), numbers)
        if known and unsuited(game) is None
        else None
        for game in games
    )


def all_native(plan: LabPlan) -> bool:
    """Say whether machine code plays all games of a plan."""
    return all(
        share.machine is not None for shares in _shares(plan, native=True) for share in shares
    )


# Deals --------------------------------------------------------------------------------------------


class _Share(NamedTuple):
    """Tables of one game, by their numbers, and the machine code that plays them, if it can."""

    game: int
    machine: NativeGame | None
    tables: tuple[int, ...]


@dataclass(frozen=True)
class PlayLabDeals:
    """Plays deals of a plan; it can be sent to other processes and used by many threads.

    Without `native` the referee plays all of them.
    """

    plan: LabPlan
    native: bool = True

    def __call__(self, deals: range) -> Part:
        """Return the sums of consecutive deals.

        Raises LabError for a player that makes a fault, a game that breaks a rule of its language,
        and an impossible result; it names the deal and the cell.
        """
        return self.piece(deals, 0, 1)

    def piece(self, deals: range, number: int, of: int) -> Part:
        """Return the sums of one share of the tables of some deals: number `number` of `of`.

        All shares add up to the sums of the deals. Raises what calling this does.
        """
        layout = layout_of(self.plan)
        seeds = dict(zip(deals, game_seeds(self.plan.seed, len(deals), deals.start), strict=True))
        shape = (len(deals), len(layout.cells), len(layout.responses))
        sums = tuple(np.zeros(shape, np.int32) for _ in self.plan.opponents)
        for at_kind, kind in enumerate(layout.kinds):
            own = {deal: seeds[deal] for deal in deals if deal % len(layout.kinds) == at_kind}
            each = (self.plan.game.players, len(layout.responses))
            values = np.zeros((len(own), len(kind.distinct), *each), np.int64)
            for game, machine, tables in _shares(self.plan, self.native)[at_kind]:
                mine = tables[number::of]
                if own and mine:
                    job = _Job(layout, at_kind, game, mine, own, self.plan.trust)
                    found = job.measured(machine)
                    values[:, mine] = found.reshape(len(own), len(mine), *each)
            rows = np.array(list(own), int) - deals.start
            for of_class, at in zip(sums, kind.at, strict=True):
                of_class[rows] = narrowed(values[:, at, kind.seat].sum(axis=2))
        return sums


@dataclass(frozen=True)
class _Job:
    """Tables of one game, by their numbers, to be played in deals of one kind, with their seeds."""

    layout: ExperimentLayout
    kind: int
    game: int
    tables: tuple[int, ...]
    deals: dict[int, int]
    trust: Trust

    def measured(self, machine: NativeGame | None) -> Integers:
        """Play it by machine code or else under the referee, and return the responses."""
        tally = self._refereed() if machine is None else self._by(machine)
        plan, game = self.layout.plan, loaded(self.layout.games[self.game])
        audit, bounds = _audits(plan)[self.game], self.layout.responses[0].bounds
        if audit is not None and (wrong := audit.wrong(tally)):
            raise self._impossible(
                wrong[0],
                f"there are {wrong[1]}, which cannot be: this is an error of Cardwright, please "
                "report it",
            )
        if bounds is not None:
            out = ((tally.scores < bounds[0]) | (tally.scores > bounds[1])).any(axis=1)
            if out.any():
                at = int(np.argmax(out))
                raise self._impossible(
                    at,
                    f"scores are {', '.join(map(str, tally.scores[at].tolist()))}, but from "
                    f"{bounds[0]:g} to {bounds[1]:g} is what they can be; correct [[scores]] in "
                    "the file beside the game, as tests and intervals rest on it",
                )
        return measured(tally, self.layout.responses, highest_wins=game.highest_wins)

    def _by(self, machine: NativeGame) -> GameOutcomes:
        distinct = self.layout.kinds[self.kind].distinct
        try:
            return machine.play(list(self.deals.values()), [distinct[at] for at in self.tables])
        except GameError as error:
            of_seed = (deal for deal, seed in self.deals.items() if seed == error.seed)
            raise LabError(f"deal {next(of_seed, min(self.deals))}: {error}") from None

    def _refereed(self) -> GameOutcomes:
        makers = _makers(self.layout.plan, self.trust)
        rows = []
        for deal, seed in self.deals.items():
            for number in self.tables:
                seats = self.layout.kinds[self.kind].distinct[number].seats
                try:
                    players = [
                        _Seated(makers[player], self.layout.players[player].name, seat)
                        for seat, player in enumerate(seats, 1)
                    ]
                    rows.append(self._played(seed, players))
                except LabError as error:
                    raise LabError(f"{self._at(deal, number)}: {error}") from error
        return GameOutcomes(*(np.array(column, np.int64) for column in zip(*rows, strict=True)))

    def _played(self, seed: int, players: Sequence[_Seated]) -> tuple[tuple[int, ...] | int, ...]:
        """Play a game and return what `GameOutcomes` has of it."""
        game = loaded(self.layout.games[self.game])
        record = referee_game(game, seed, players, paired=True)
        if record.error is not None:
            raise LabError(record.error)
        if not self.layout.counted:
            return record.scores, *[(0,) * game.players] * 3, 0
        counts = seat_counts(game, seed, record.choices)
        if counts is None:
            raise LabError(f"tricks and penalty cards of {game.name} cannot be counted")
        return record.scores, counts.tricks, counts.queens, counts.moons, counts.deals

    def _impossible(self, at: int, why: str) -> LabError:
        deal, number = divmod(at, len(self.tables))
        where = self._at(list(self.deals)[deal], self.tables[number])
        return LabError(f"{where}: {why}; these deals are not recorded")

    def _at(self, deal: int, table: int) -> str:
        return f"deal {deal}, {self.layout.where(self.kind, table)}"


class _Seated:
    """A player whose faults are distinguished from errors of the game."""

    def __init__(self, make: Callable[[], Player], name: str, seat: int) -> None:
        self._name = f"the player {name} in seat {seat}"
        try:
            self._player = make()
        except Exception as error:
            raise PlayerFaultError(f"{self._name} could not be made: {_words(error)}") from error

    def choose(self, decision: Decision) -> int:
        """Return the player's answer; raises PlayerFaultError if it is not valid."""
        try:
            return guarded_answer(self._player, decision, self._name)
        except (PlayerFailedError, IllegalOptionError) as error:
            raise PlayerFaultError(str(error)) from error
        except CardwrightError as error:
            raise PlayerFaultError(f"{self._name} failed: {error}") from error


def _words(error: BaseException) -> str:
    """Return an error in words: its own message where it was written for people."""
    return str(error) if isinstance(error, CardwrightError) else f"{type(error).__name__}: {error}"


@lru_cache(maxsize=16)
def _shares(plan: LabPlan, native: bool) -> tuple[tuple[_Share, ...], ...]:
    """Return what plays which tables, for each kind of deal."""
    machines = machines_of(plan) if native else (None,) * len(layout_of(plan).games)
    found = []
    for kind in layout_of(plan).kinds:
        shares: dict[tuple[int, bool], list[int]] = {}
        for number, table in enumerate(kind.distinct):
            machine = machines[table.game]
            fast = machine is not None and machine.knows(table)
            shares.setdefault((table.game, fast), []).append(number)
        found.append(
            tuple(
                _Share(game, machines[game] if fast else None, tuple(own))
                for (game, fast), own in shares.items()
            )
        )
    return tuple(found)


@lru_cache(maxsize=8)
def _audits(plan: LabPlan) -> tuple[Audit | None, ...]:
    """Return what has to add up in each game of a plan's layout, if it is counted."""
    layout = layout_of(plan)
    return tuple(audit_of(loaded(ref)) if layout.counted else None for ref in layout.games)


@lru_cache(maxsize=8)
def _makers(plan: LabPlan, trust: Trust) -> tuple[Callable[[], Player], ...]:
    """Return a factory for each player of a plan's layout.

    The trust is that in the plan, which plans that are equal may not share.
    """
    return tuple(maker(player, trust) for player in layout_of(plan).players)


def narrowed(total: Integers) -> Sums:
    """Return sums in the type in which they are recorded; raises LabError if they are too large."""
    if np.abs(total).max(initial=0) > np.iinfo(np.int32).max:
        raise LabError("scores of this game are too large to be recorded: above 2^31 in a deal")
    return total.astype(np.int32)


# How deals are cut --------------------------------------------------------------------------------

_BLOCKS, _MOST_BLOCKS = 16, 20_000

GAMES = 2
"""Games of a piece, where games may take seconds."""


def slow(plan: LabPlan) -> bool:
    """Say whether a game of a plan may take seconds."""
    specs = (player.spec or "hierarchy" for player in layout_of(plan).players)
    return not all(map(is_quick, specs)) and not all_native(plan)


def pieces(plan: LabPlan) -> int:
    """Return how many pieces a block of a plan has: 1 if it takes little time.

    Pieces are parts of the tables of all its deals, which are stored separately, so that a crash
    loses little.
    """
    if not slow(plan):
        return 1
    tables = layout_of(plan).most_tables
    return min(tables, -(-tables * together(plan) // GAMES))


def together(plan: LabPlan) -> int:
    """Return how many deals make a block: about a second's worth, judging by the plan.

    There are enough blocks for a few workers, and not too many for a folder.
    """
    layout = layout_of(plan)
    if all_native(plan):
        games, most = 32_000, 1_000
    elif slow(plan):
        games, most = 8, 20
    else:
        games, most = 400, 20
    size = min(max(1, games // layout.most_tables), most, -(-plan.deals // _BLOCKS))
    return max(size, -(-plan.deals // _MOST_BLOCKS))
