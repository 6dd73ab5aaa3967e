"""Tasks: a deal played at all tables of a plan. Its results depend on the plan alone.

Each deal has its game seed by its number, every player is made anew for every game, and each seat
of each table draws from a stream of its own. So it does not matter where, when, and together with
which others a deal is played; and a player's random draws differ between tables even with the same
cards.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.arena.entrants import tried_spec
from cardwright.arena.faults import FaultRules, RefereedPlayer
from cardwright.arena.plan import loaded
from cardwright.arena.played import (
    DECISIONS,
    GAMES,
    LENGTH,
    TRACES,
    PlayedDeals,
    first_faults,
)
from cardwright.arena.player_process import EntrantSeating
from cardwright.arena.referee import referee_game
from cardwright.arena.results import NO_RANK, NO_SCORE, TYPES, NotedFault, Results, Timing
from cardwright.game.seeds import game_seeds
from cardwright.interpreter.stream import Stream
from cardwright.jobs.executor import ExecutorError
from cardwright.players.player import SINGLE_NUMBERS, Note

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.arena.plan import RunPlan
    from cardwright.arena.played import Table
    from cardwright.arena.referee import GameRecord
    from cardwright.arena.schedule import Seating
    from cardwright.game.game import Game
    from cardwright.players.kind import Trust
    from cardwright.players.player import Player

_NOTHING = Note()

Maker: TypeAlias = "Callable[[], Player]"


@dataclass(frozen=True)
class PlanParts:
    """What a plan names: the game, and for each entrant what makes a new player.

    A plan's texts lead to them. Games and players at hand, of which a text may know nothing, are
    given beside the plan.
    """

    game: Game
    makers: tuple[Maker, ...]


@lru_cache(maxsize=16)
def parts_of(plan: RunPlan, trust: Trust) -> PlanParts:
    """Return the parts that a plan's texts lead to, as far as they are trusted, once a process.

    Raises ChangedGameError for another game than the plan's, PlayerSpecError for an entrant that is
    none, and whatever loading the game may raise.
    """
    return PlanParts(loaded(plan.game), tuple(tried_spec(one, trust) for one in plan.entrants))


def table_chances(seed: int, seats: int, table: int) -> int:
    """Return the seed of the streams from which players draw at a table of a deal.

    `seed` is the deal's game seed, `table` the table's number in the plan, from 0. It is the first
    draw of a stream that belongs to no seat, so that it is independent of the cards and of what is
    drawn at the other tables.
    """
    return Stream.of_seat(seed, seats + table).next()


@dataclass(frozen=True)
class PlayRunDeals:
    """Plays deals of a plan; it can be sent to other processes and used by many threads.

    Without `parts` they are what the plan's texts lead to, wherever it plays.
    """

    plan: RunPlan
    parts: PlanParts | None = None

    def __call__(self, deals: range) -> PlayedDeals:
        """Return the results of these deals, each played at all tables."""
        plan = self.plan
        parts = self.parts or parts_of(plan, plan.trust)
        game, makes = parts.game, parts.makers
        begun = time.perf_counter()
        rules = FaultRules(plan.most_faults, plan.move_seconds)
        columns = _GameColumns(plan)
        with EntrantSeating(game, makes, plan.move_seconds) as seating:
            for deal, seed in zip(
                deals, game_seeds(plan.seed, len(deals), deals.start), strict=True
            ):
                for number, table in enumerate(plan.seated(deal)):
                    chances = table_chances(seed, len(table), number)
                    seats = [
                        RefereedPlayer(
                            make,
                            rules,
                            chances,
                            seat,
                            name=plan.entrants[table[seat]],
                            where=f"deal {deal}, table {number}, p{seat + 1}",
                        )
                        for seat, make in enumerate(seating.makers(table))
                    ]
                    try:
                        record = referee_game(game, seed, seats, chances)
                    except MemoryError:
                        raise ExecutorError(_no_memory(plan, deal, number, table)) from None
                    columns.add(deal, number, table, record, seats)
        return columns.played(deals, time.perf_counter() - begun)


def _no_memory(plan: RunPlan, deal: int, number: int, table: Seating) -> str:
    texts = ", ".join(plan.entrants[who] for who in table)
    return (
        f"out of memory in deal {deal} at table {number} ({texts}); play with fewer workers, or "
        "find the player that uses so much"
    )


@dataclass
class _GameColumns:
    """Columns that are being filled."""

    plan: RunPlan
    results: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in TYPES})
    games: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in GAMES})
    decisions: dict[str, list[Any]] = field(
        default_factory=lambda: {name: [] for name in DECISIONS}
    )
    faults: list[NotedFault] = field(default_factory=list)
    timing: list[Timing] = field(init=False)

    def __post_init__(self) -> None:
        self.timing = [Timing() for _ in self.plan.entrants]

    def add(
        self,
        deal: int,
        number: int,
        table: Seating,
        record: GameRecord,
        seats: list[RefereedPlayer],
    ) -> None:
        """Add one game, at the table with this number."""
        ended = record.error is None
        winners = record.ranks.count(0)
        for seat, (judged, who) in enumerate(zip(seats, table, strict=True)):
            rank = record.ranks[seat] if ended else NO_RANK
            row = {
                "deal": deal,
                "table": number,
                "seat": seat,
                "entrant": who,
                "score": record.scores[seat] if ended else NO_SCORE,
                "rank": rank,
                "win": (0.0 if rank else 1 / winners) if ended else float("nan"),
                "decisions": judged.decisions,
                "faults": len(judged.faults),
                "error": record.error,
            }
            for name, value in row.items():
                self.results[name].append(value)
            self.timing[who] += Timing(judged.asked, judged.seconds, judged.longest)
            self.faults += [NotedFault(deal, number, who, fault) for fault in judged.faults]
        if self.plan.detail != "scores":
            self._add_game(deal, number, record)
        if self.plan.detail == "decisions":
            self._add_decisions(deal, number, record, seats)

    def _add_game(self, deal: int, table: int, record: GameRecord) -> None:
        games = self.games
        games["deal"].append(deal)
        games["table"].append(table)
        games["seed"].append(record.seed)
        games["choices"] += record.choices
        games["choices" + LENGTH].append(len(record.choices))
        games["error"].append(record.error)

    def _add_decisions(
        self, deal: int, table: int, record: GameRecord, seats: list[RefereedPlayer]
    ) -> None:
        rows = self.decisions
        notes = [iter(judged.notes) for judged in seats]
        for ply, (seat, options, chosen) in enumerate(record.decisions):
            rows["deal"].append(deal)
            rows["table"].append(table)
            rows["ply"].append(ply)
            rows["seat"].append(seat)
            rows["options"].append(options)
            rows["chosen"].append(chosen)
            note = next(notes[seat]) or _NOTHING
            for name in SINGLE_NUMBERS:
                number = getattr(note, name)
                rows[name].append(float("nan") if number is None else number)
            rows["lead"] += note.lead or ()
            rows["lead" + LENGTH].append(-1 if note.lead is None else len(note.lead))
            rows["iterations"].append(-1 if note.iterations is None else note.iterations)

    def played(self, deals: range, seconds: float) -> PlayedDeals:
        """Return everything that was added."""
        written = {"games": self.games, "decisions": self.decisions}
        kept = {"scores": (), "games": ("games",), "decisions": ("games", "decisions")}
        traces: dict[str, Table] = {
            name: {
                column: np.array(written[name][column], kind)
                for column, kind in TRACES[name].items()
            }
            for name in kept[self.plan.detail]
        }
        return PlayedDeals(
            deals=tuple(deals),
            results=Results.of_columns(self.results),
            traces=traces,
            timing=tuple(self.timing),
            faults=first_faults(self.faults),
            seconds=seconds,
        )
