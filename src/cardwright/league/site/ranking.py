"""Rankings: the final table of a season, a row per bot."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cardwright.league.block import SEATS
from cardwright.league.site.chance import rank_ranges
from cardwright.league.site.estimates import mean_of, share_of

if TYPE_CHECKING:
    from cardwright.league.plan import BotText
    from cardwright.league.site.facts import SeasonFacts
    from cardwright.statistics.sample import Estimate


@dataclass(frozen=True)
class RankingRow:
    """A bot in the table.

    `rank` counts from 1; equal bots share it, and bots without games have None; `chance` is the
    range of ranks that these games do not rule out. `entry` is the bot's number in the roster, from
    0. `rating` is the mean and standard deviation of its last rating. `places` are its shares of
    first to fourth places. `hearts`, `queens` and `tricks` are what it took, `shot` and `suffered`
    its own moons and those of others, all in the whole season; `faults` are those that count, made
    or forfeited in `faulty` games, and `notes` those that are only noted.
    """

    rank: int | None
    chance: tuple[int, int] | None
    entry: int
    bot: BotText
    games: int
    mean_place: float
    rating: tuple[float, float]
    places: tuple[Estimate, ...]
    points: Estimate
    hearts: int
    queens: int
    tricks: int
    shot: int
    suffered: int
    faults: int
    faulty: int
    notes: int
    forfeits: int

    @property
    def page(self) -> str:
        """The file of the bot's page."""
        return f"bot-{self.entry + 1}.html"


def ranking(facts: SeasonFacts) -> list[RankingRow]:
    """Return the table, by mean place, then by points per game.

    Bots without games come last, in the order of the roster.
    """
    games = facts.scores.games.tolist()
    ratings = facts.course.last
    entries = [_row(facts, entry, games[entry], ratings[entry]) for entry in range(len(games))]
    played = sorted((row for row in entries if row.games), key=_merit)
    ranks: list[int] = []
    for place, row in enumerate(played):
        same = place > 0 and _merit(row) == _merit(played[place - 1])
        ranks.append(ranks[-1] if same else place + 1)
    chances = rank_ranges(facts, [row.entry for row in played])
    ranked = [
        replace(row, rank=rank, chance=chance)
        for row, rank, chance in zip(played, ranks, chances, strict=True)
    ]
    return ranked + [row for row in entries if not row.games]


def _merit(row: RankingRow) -> tuple[float, float]:
    return row.mean_place, row.points.mean


def _row(facts: SeasonFacts, entry: int, games: int, rating: tuple[float, float]) -> RankingRow:
    scores, trouble = facts.scores, facts.trouble
    places = tuple(share_of(scores.places[entry, place]) for place in range(SEATS))
    return RankingRow(
        rank=None,
        chance=None,
        entry=entry,
        bot=facts.plan.bots[entry],
        games=games,
        mean_place=sum(place * share.mean for place, share in enumerate(places, 1)),
        rating=rating,
        places=places,
        points=mean_of(scores.points[entry].sum(axis=0)),
        hearts=int(scores.hearts[entry]),
        queens=int(scores.queens[entry]),
        tricks=int(scores.tricks[entry]),
        shot=int(scores.shot[entry]),
        suffered=int(scores.suffered[entry]),
        faults=trouble.faults(entry),
        faulty=trouble.games[entry],
        notes=trouble.notes(entry),
        forfeits=trouble.forfeits(entry),
    )
