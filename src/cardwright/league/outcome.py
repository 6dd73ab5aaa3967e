"""Outcomes of seasons: what every bot has got, and what it did wrong."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.league.rows import polars
from cardwright.league.standings import LeagueStandings
from cardwright.league.tally import BlockTally

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    import polars as pl

    from cardwright.league.block import BotFault
    from cardwright.league.records import Season
    from cardwright.league.standings import BotStanding


@dataclass(frozen=True, eq=False)
class SeasonOutcome:
    """What came of a season so far; `faults` are those of each row of the roster that made any."""

    standings: LeagueStandings
    faults: Mapping[int, Sequence[BotFault]]

    @classmethod
    def of(cls, season: Season) -> SeasonOutcome:
        """Count all blocks of a season; raises DamagedError for a damaged one."""
        plan = season.plan
        standings = LeagueStandings.none(plan.roster)
        faults: defaultdict[int, list[BotFault]] = defaultdict(list)
        for block in season.blocks():
            seats = plan.schedule[block.first : block.after]
            counts = standings.running(BlockTally.of(block), seats)
            standings = LeagueStandings(plan.roster, counts[-1])
            for fault in block.faults:
                faults[int(plan.schedule[fault.game, fault.seat])].append(fault)
        return cls(standings, faults)

    def _repr_html_(self) -> str:
        from cardwright.league.displays import outcome_html

        return outcome_html(self)

    def records(self) -> list[dict[str, Any]]:
        """Return what every bot has got as JSON objects, the best first."""
        rows = {id(one.entry): row for row, one in enumerate(self.standings.each())}
        return [
            _record(one, self.faults.get(rows[id(one.entry)], ()))
            for one in self.standings.ranked()
        ]

    def to_polars(self) -> pl.DataFrame:
        """Return what every bot has got as a table, the best first.

        Places are shares of its games; points, hearts and queens are those of a game. All these are
        null without games. Raises MissingExtraError without polars.
        """
        return _frame(self.records(), {"bot": str, "author": str}, "games", "faults", "forfeits")

    def faults_to_polars(self) -> pl.DataFrame:
        """Return all that bots did wrong as a table, a row a fault, in the order of the roster.

        Games and rounds are counted from 1, seats and turns from 0; a turn of -1 is before the game
        began. Raises MissingExtraError without polars.
        """
        entries = self.standings.roster.entries
        rows = [
            {"bot": entries[row].name, **vars(fault), "game": fault.game + 1}
            for row, mine in sorted(self.faults.items())
            for fault in mine
        ]
        kinds = {"bot": str, "game": int, "seat": int, "round": int, "turn": int, "kind": str}
        schema = {**kinds, "message": str, "counts": bool, "forfeit": bool}
        frame: pl.DataFrame = polars().DataFrame(rows, schema=schema)
        return frame


def _frame(rows: list[dict[str, Any]], texts: dict[str, type], *whole: str) -> pl.DataFrame:
    """Return a table of objects that have the same keys; what is neither text nor whole is real."""
    schema = {name: texts.get(name, int if name in whole else float) for name in rows[0]}
    frame: pl.DataFrame = polars().DataFrame(rows, schema=schema)
    return frame


def _record(one: BotStanding, mine: Sequence[BotFault]) -> dict[str, Any]:
    """Return what a bot has got as a JSON object, and done wrong.

    Places are shares of its games, points, hearts and queens those of a game.
    """
    totals: dict[str, float | Fraction] = {
        f"place_{at}": place for at, place in enumerate(one.places, 1)
    }
    totals |= {"points": one.points, "hearts": one.hearts, "queens": one.queens}
    return {
        "bot": one.entry.name,
        "author": one.entry.author,
        "games": one.games,
        **{name: float(total) / one.games if one.games else None for name, total in totals.items()},
        "faults": len(mine),
        "forfeits": len({fault.game for fault in mine if fault.forfeit}),
    }
