"""Tasks: deals played at all their tables, by machine code or under the referee."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from cardwright.arena.entrants import parse_spec
from cardwright.arena.estimate import is_quick
from cardwright.arena.plan import loaded
from cardwright.arena.referee import referee_game
from cardwright.game.errors import CardwrightError, GameError
from cardwright.game.seeds import game_seeds
from cardwright.hearts.native import ManyGames, native_player_of, seat_counts, unsuited
from cardwright.lab.cell import maker
from cardwright.lab.factor import LabError
from cardwright.lab.layout import layout_of
from cardwright.lab.response import GameOutcomes, audit_of, measured
from cardwright.players.kind import NO_TRUST, Loads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cardwright.game.game import Game
    from cardwright.hearts.native import NativePlayer
    from cardwright.lab.factor import LabPlayer
    from cardwright.lab.layout import ExperimentLayout, ExperimentTable, Tables
    from cardwright.lab.outcomes import Part, Sums
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.response import Audit, Integers
    from cardwright.players.kind import Trust
    from cardwright.players.player import Decision, Player

    Maker = Callable[[], Player]


class PlayerFaultError(LabError):
    """A player that raised an exception, or did not answer with an option."""


class _Seated:
    """A player whose faults are distinguished from errors of the game."""

    def __init__(self, make: Maker, name: str) -> None:
        self._name = name
        try:
            self._player = make()
        except Exception as error:
            raise PlayerFaultError(f"{name} could not be made: {_words(error)}") from error

    def choose(self, decision: Decision) -> int:
        """Return the player's answer; raises PlayerFaultError if it is not valid."""
        try:
            answer = self._player.choose(decision)
            chosen = operator.index(answer)
        except Exception as error:
            raise PlayerFaultError(f"{self._name} failed: {_words(error)}") from error
        if not 0 <= chosen < decision.option_count:
            raise PlayerFaultError(
                f"{self._name} chose option {chosen}; they are numbered 0 to "
                f"{decision.option_count - 1}"
            )
        return chosen


def played(
    game: Game, seed: int, seats: Sequence[tuple[Maker, str]], *, counted: bool
) -> tuple[tuple[int, ...], ...]:
    """Play a game and return its scores, and with `counted` whatever else `GameOutcomes` has.

    Each seat has a factory for its player, and a name for it. Raises PlayerFaultError, and LabError
    for a game that broke a rule of the language.
    """
    players = [_Seated(make, f"the player {name} in seat {seat}")
               for seat, (make, name) in enumerate(seats, 1)]  # fmt: skip
    record = referee_game(game, seed, players, paired=True)
    if record.error is not None:
        raise LabError(record.error)
    nothing = (0,) * game.players
    if not counted:
        return record.scores, nothing, nothing, nothing, (0,)
    counts = seat_counts(game, seed, record.choices)
    if counts is None:
        raise LabError(f"tricks and penalty cards of {game.name} cannot be counted")
    return record.scores, counts.tricks, counts.queens, counts.moons, (counts.deals,)


def tally_of(rows: Iterable[tuple[tuple[int, ...], ...]]) -> GameOutcomes:
    """Return the combined outcomes of several games."""
    scores, tricks, queens, moons, deals = zip(*rows, strict=True)
    return GameOutcomes(
        np.array(scores, np.int64),
        np.array(tricks, np.int64),
        np.array(queens, np.int64),
        np.array(moons, np.int64),
        np.array(deals, np.int64)[:, 0],
    )


def _words(error: BaseException) -> str:
    """Return an error in words: its own message where it was written for people."""
    return str(error) if isinstance(error, CardwrightError) else f"{type(error).__name__}: {error}"


class NativeGame:
    """Machine code for one game of an experiment, and those of its players that it knows.

    It is thread-safe.
    """

    def __init__(self, games: ManyGames, numbers: Mapping[int, int]) -> None:
        """Take the native player's number for the number of each player that has one."""
        self._games = games
        self._numbers = numbers

    def knows(self, table: ExperimentTable) -> bool:
        """Say whether it can play a table of this game."""
        return all(player in self._numbers for player in table.seats)

    def play(self, seeds: Sequence[int], tables: Sequence[ExperimentTable]) -> GameOutcomes:
        """Play a game from each seed at each table: the tables of a seed are consecutive.

        Raises GameError if a game breaks a rule of the language.
        """
        placed = [[self._numbers[player] for player in table.seats] for table in tables]
        outcome = self._games.play(np.array(seeds, np.uint64), placed)
        return GameOutcomes(*(np.asarray(column, np.int64) for column in outcome))


def native_player(who: LabPlayer) -> NativePlayer | None:
    """Return how machine code plays a player; None for one that it does not know.

    One that loads a file or a program is none of those.
    """
    if who.spec is not None and parse_spec(who.spec, NO_TRUST).loads is not Loads.NOTHING:
        return None
    return native_player_of(maker(who, NO_TRUST)())


@lru_cache(maxsize=8)
def machines_of(plan: LabPlan) -> tuple[NativeGame | None, ...]:
    """Return machine code for each game of a plan's layout; None for games it cannot play."""
    layout = layout_of(plan)
    players: dict[int, NativePlayer] = {}
    for number, who in enumerate(layout.players):
        player = native_player(who)
        if player is not None:
            players[number] = player
    numbers = {player: at for at, player in enumerate(players)}
    games = [loaded(ref) for ref in layout.games]
    return tuple(
        NativeGame(ManyGames(game, tuple(players.values())), numbers)
        if players and unsuited(game) is None
        else None
        for game in games
    )


def all_native(plan: LabPlan) -> bool:
    """Say whether machine code plays all games of a plan."""
    machines = machines_of(plan)
    tables = {table for kind in layout_of(plan).kinds for table in kind.distinct}
    return all((one := machines[table.game]) is not None and one.knows(table) for table in tables)


_Share: TypeAlias = "tuple[int, bool, tuple[int, ...]]"


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
        seeds = list(game_seeds(self.plan.seed, len(deals), deals.start))
        shape = (len(deals), len(layout.cells), len(layout.responses))
        sums = tuple(np.zeros(shape, np.int32) for _ in self.plan.opponents)
        for at_kind, kind in enumerate(layout.kinds):
            own = [deal for deal in deals if deal % len(layout.kinds) == at_kind]
            if not own:
                continue
            rows = np.array(own) - deals.start
            shares = [
                (game, fast, mine)
                for game, fast, tables in _shares(self.plan, self.native)[at_kind]
                if (mine := tables[number::of])
            ]
            values = self._values(layout, at_kind, shares, own, [seeds[row] for row in rows])
            for of_class, at in zip(sums, kind.at, strict=True):
                of_class[rows] = _summed(values, at, kind)
        return sums

    def _values(
        self,
        layout: ExperimentLayout,
        number: int,
        shares: Sequence[_Share],
        deals: Sequence[int],
        seeds: Sequence[int],
    ) -> Integers:
        """Return the responses of deals of one kind: shape (deals, tables, seats, responses)."""
        tables = layout.kinds[number].distinct
        shape = (len(deals), len(tables), self.plan.game.players, len(layout.responses))
        values = np.zeros(shape, np.int64)
        for game, fast, own in shares:
            machine = machines_of(self.plan)[game] if fast else None
            job = _Job(layout, number, own, deals, seeds, self.plan.trust)
            tally = job.refereed() if machine is None else job.by(machine)
            job.check(tally, _audits(self.plan)[game])
            job.check_points(tally)
            highest = loaded(layout.games[game]).highest_wins
            found = measured(tally, layout.responses, highest_wins=highest)
            values[:, own] = found.reshape(len(deals), len(own), *shape[2:])
        return values


@dataclass(frozen=True)
class _Job:
    """Tables of one game, by their numbers, to be played in deals of one kind."""

    layout: ExperimentLayout
    kind: int
    tables: tuple[int, ...]
    deals: Sequence[int]
    seeds: Sequence[int]
    trust: Trust

    def by(self, machine: NativeGame) -> GameOutcomes:
        """Return the result of playing it by machine code."""
        distinct = self.layout.kinds[self.kind].distinct
        try:
            return machine.play(self.seeds, [distinct[table] for table in self.tables])
        except GameError as error:
            at = self.seeds.index(error.seed) if error.seed in self.seeds else 0
            raise LabError(f"deal {self.deals[at]}: {error}") from None

    def refereed(self) -> GameOutcomes:
        """Return the result of playing it under the referee."""
        layout = self.layout
        makers = _makers(layout.plan, self.trust)
        counted = any(response.name == "tricks" for response in layout.responses)
        rows = []
        for deal, seed in zip(self.deals, self.seeds, strict=True):
            for number in self.tables:
                table = layout.kinds[self.kind].distinct[number]
                seats = [(makers[player], layout.players[player].name) for player in table.seats]
                game = loaded(layout.games[table.game])
                try:
                    rows.append(played(game, seed, seats, counted=counted))
                except LabError as error:
                    raise LabError(f"{self._at(deal, number)}: {error}") from error
        return tally_of(rows)

    def check(self, tally: GameOutcomes, audit: Audit | None) -> None:
        """Raise LabError for the first game that does not add up."""
        wrong = None if audit is None else audit.wrong(tally)
        if wrong is not None:
            deal, number = divmod(wrong[0], len(self.tables))
            raise LabError(
                f"{self._at(self.deals[deal], self.tables[number])}: there are {wrong[1]}, which "
                "cannot be: this is an error of Cardwright, please report it; these deals are not "
                "recorded"
            )

    def check_points(self, tally: GameOutcomes) -> None:
        """Raise LabError for the first score beyond what is known of points."""
        bounds = self.layout.responses[0].bounds
        if bounds is None:
            return
        out = ((tally.scores < bounds[0]) | (tally.scores > bounds[1])).any(axis=1)
        if out.any():
            at = int(np.argmax(out))
            deal, number = divmod(at, len(self.tables))
            raise LabError(
                f"{self._at(self.deals[deal], self.tables[number])}: scores are "
                f"{', '.join(map(str, tally.scores[at].tolist()))}, but from {bounds[0]:g} to "
                f"{bounds[1]:g} is what they can be; correct [[scores]] in the file beside the "
                "game, as tests and intervals rest on it; these deals are not recorded"
            )

    def _at(self, deal: int, table: int) -> str:
        return f"deal {deal}, {self.layout.where(self.kind, table)}"


@lru_cache(maxsize=16)
def _shares(plan: LabPlan, native: bool) -> tuple[tuple[_Share, ...], ...]:
    """Return what plays which tables, for each kind of deal.

    A share is the number of a game, whether machine code plays it, and the numbers of its tables.
    """
    machines = machines_of(plan) if native else (None,) * len(layout_of(plan).games)
    found = []
    for kind in layout_of(plan).kinds:
        shares: dict[tuple[int, bool], list[int]] = {}
        for number, table in enumerate(kind.distinct):
            machine = machines[table.game]
            fast = machine is not None and machine.knows(table)
            shares.setdefault((table.game, fast), []).append(number)
        found.append(tuple((*share, tuple(own)) for share, own in shares.items()))
    return tuple(found)


@lru_cache(maxsize=8)
def _audits(plan: LabPlan) -> tuple[Audit | None, ...]:
    """Return what has to add up in each game of a plan's layout, if it is counted."""
    layout = layout_of(plan)
    counted = any(response.name == "tricks" for response in layout.responses)
    return tuple(audit_of(loaded(ref)) if counted else None for ref in layout.games)


@lru_cache(maxsize=8)
def _makers(plan: LabPlan, trust: Trust) -> tuple[Callable[[], Player], ...]:
    """Return a factory for each player of a plan's layout.

    The trust is that in the plan, which plans that are equal may not share.
    """
    return tuple(maker(who, trust) for who in layout_of(plan).players)


def _summed(values: Integers, at: Integers, kind: Tables) -> Sums:
    """Return the sums over tested seats and seatings, for each deal and cell."""
    total = np.zeros((len(values), len(at), values.shape[3]), np.int64)
    for place, seat in enumerate(kind.seat):
        total += values[:, at[:, place], seat]
    return narrowed(total)


def narrowed(total: Integers) -> Sums:
    """Return sums in the type in which they are recorded; raises LabError if they are too large."""
    if np.abs(total).max(initial=0) > np.iinfo(np.int32).max:
        raise LabError("scores of this game are too large to be recorded: above 2^31 in a deal")
    return total.astype(np.int32)


# How many deals are played together ---------------------------------------------------------------

_BLOCKS, _MOST_BLOCKS = 16, 20_000


def slow(plan: LabPlan) -> bool:
    """Say whether a game of a plan may take seconds."""
    specs = (who.spec or "hierarchy" for who in layout_of(plan).players)
    return not all(map(is_quick, specs)) and not all_native(plan)


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


def pieces(plan: LabPlan) -> int:
    """Return how many pieces a deal of a plan has: 1 if a block of deals takes little time."""
    return -(-layout_of(plan).most_tables // GAMES) if slow(plan) else 1


GAMES = 2
"""Games of a piece."""
