"""Season facts: all that its site shows, counted in one pass over its blocks.

Only sums and counts are kept, and twelve bytes per game: its bots and their points.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.arena.live import LiveStandings
from cardwright.arena.results import Results
from cardwright.league.block import CARDS, MOON, SEATS, SLUFFS, BlockTally, Timings
from cardwright.league.play import DIRECTIONS
from cardwright.statistics.measures import ranks, win_shares

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from cardwright.league.block import BotFault, Column, SeasonBlock
    from cardwright.league.plan import SeasonPlan


@dataclass(frozen=True, eq=False)
class SeasonPart:
    """A block of games and its results.

    `seats`, shape (games, 4), has the roster rows of the bots, `credited` whether a seat is the
    first one of its bot in the game: a bot in several seats is credited only with the first, as in
    the league's standings. `by_round` and `credited_by_round` are the same with a row per round.
    """

    block: SeasonBlock
    tally: BlockTally
    seats: Column
    credited: Column

    @classmethod
    def of(cls, block: SeasonBlock, schedule: Column) -> SeasonPart:
        """Count a block of a season with this schedule; raises BlockError if it is damaged."""
        seats = schedule[block.first : block.after].astype(np.int64)
        credited = np.ones(seats.shape, bool)
        for seat in range(1, SEATS):
            credited[:, seat] = (seats[:, :seat] != seats[:, seat, None]).all(axis=1)
        return cls(block, BlockTally.of(block), seats, credited)

    @property
    def by_round(self) -> Column:
        """The roster rows of the bots of every round."""
        return self.seats[self.tally.game]

    @property
    def credited_by_round(self) -> Column:
        """Whether the seats of every round are credited."""
        return self.credited[self.tally.game]


def count_into(counts: NDArray[np.int64], *at: Any) -> None:
    """Add 1 to an array at each of some places, given as index arrays of equal shapes."""
    given = np.broadcast_arrays(*at)
    flat = np.ravel_multi_index([one.ravel() for one in given], counts.shape)
    counts += np.bincount(flat, minlength=counts.size).reshape(counts.shape)


MOST_POINTS = 99 + MOON
"""The most points of a game: before its last round nobody has 100."""

TWELFTHS = 12


class Scores:
    """Counts, added up part by part; the first axis of each has a row per roster entry.

    - `points[entry, seat, n]`: games in this seat that ended with n points;
    - `places[entry, place, n]`: games with n twelfths of this place, which tied seats share;
    - `standing[entry, n]`: games with the place 1 + n / 2, the mean of the places shared;
    - `wins[entry, seat, n]`: games in this seat with n twelfths of the first place;
    - `rounds[entry, n]`: rounds of n points, after the moon adjustment;
    - `hearts`, `queens` (of spades) and `tricks`: totals taken in all games;
    - `shot` and `suffered`: rounds in which the bot shot the moon, or another seat did.
    """

    def __init__(self, entries: int) -> None:
        self.points = np.zeros((entries, SEATS, MOST_POINTS + 1), np.int64)
        self.places = np.zeros((entries, SEATS, TWELFTHS + 1), np.int64)
        self.standing = np.zeros((entries, 2 * SEATS - 1), np.int64)
        self.wins = np.zeros((entries, SEATS, TWELFTHS + 1), np.int64)
        self.rounds = np.zeros((entries, MOON + 1), np.int64)
        self.hearts, self.queens, self.tricks, self.shot, self.suffered = (
            np.zeros(entries, np.int64) for _ in range(5)
        )

    def add(self, part: SeasonPart) -> None:
        """Count some more games."""
        tally = part.tally
        game, seat = np.nonzero(part.credited)
        entry = part.seats[game, seat]
        count_into(self.points, entry, seat, tally.totals[game, seat])
        shared = tally.places()[game, seat]
        count_into(self.places, entry[:, None], np.arange(SEATS), shared)
        count_into(self.standing, entry, halves(part)[game, seat])
        count_into(self.wins, entry, seat, shared[:, 0])
        for counts, taken in (
            (self.hearts, tally.hearts),
            (self.queens, tally.queens_taken),
            (self.tricks, tally.tricks),
        ):
            np.add.at(counts, entry, taken[game, seat])
        self._add_rounds(part)

    def _add_rounds(self, part: SeasonPart) -> None:
        scores = part.tally.scores
        row, seat = np.nonzero(part.credited_by_round)
        entry, score = part.by_round[row, seat], scores[row, seat]
        count_into(self.rounds, entry, score)
        # Without a moon the scores of a round add up to 26, with one to 78.
        moon = scores.sum(axis=1)[row] > MOON
        count_into(self.shot, entry[moon & (score == 0)])
        count_into(self.suffered, entry[moon & (score > 0)])

    @property
    def games(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The number of games that each entry is credited with."""
        counted: np.ndarray[tuple[int], np.dtype[np.int64]] = self.points.sum(axis=(1, 2))
        return counted


def halves(part: SeasonPart) -> Column:
    """Return twice the place of every seat of every game, less 2: 0 for the first, 6 for the last.

    Tied seats have the mean of the places that they share.
    """
    places = np.arange(SEATS)
    twice: Column = 2 * (part.tally.places() * places).sum(axis=2) // TWELFTHS
    return twice


class Duels:
    """Counts of common games, added up part by part: a row per bot, a column per opponent.

    `games` counts those that both played, `before` those in which the row's bot had fewer points
    than the column's, `level` those in which both had the same; `difference` is the sum of the
    row's points minus the column's, and `squares` the sum of their squares. `places` is the sum of
    the row's places in common games, and `products` that of the products of both places, in the
    units of `scores.halves`.
    """

    def __init__(self, entries: int) -> None:
        (
            self.games, self.before, self.level, self.difference, self.squares, self.places,
            self.products,
        ) = (np.zeros((entries, entries), np.int64) for _ in range(7))  # fmt: skip

    def add(self, part: SeasonPart) -> None:
        """Count some more games."""
        places = halves(part)
        for one, other in permutations(range(SEATS), 2):
            both = part.credited[:, one] & part.credited[:, other]
            at = part.seats[both, one], part.seats[both, other]
            totals = part.tally.totals[both]
            gap = totals[:, one] - totals[:, other]
            np.add.at(self.games, at, 1)
            np.add.at(self.before, at, gap < 0)
            np.add.at(self.level, at, gap == 0)
            np.add.at(self.difference, at, gap)
            np.add.at(self.squares, at, gap**2)
            np.add.at(self.places, at, places[both, one])
            np.add.at(self.products, at, places[both, one] * places[both, other])


PASSED = SLUFFS // SEATS
"""Cards that a seat passes in a round."""


class Habits:
    """Counts of cards, added up part by part; the first axis has a row per roster entry.

    - `dealt[entry, direction, card]`: rounds of this direction (as in `play.DIRECTIONS`) in which
      the bot was dealt the card;
    - `passed[entry, direction, card]`: those in which it passed this card;
    - `played[entry, card]`: rounds in which it held the card after passing;
    - `led[entry, card]`: those in which it led this card, except for the first trick's forced lead.
    """

    def __init__(self, entries: int) -> None:
        self.dealt = np.zeros((entries, len(DIRECTIONS), CARDS), np.int64)
        self.passed = np.zeros((entries, len(DIRECTIONS), CARDS), np.int64)
        self.played = np.zeros((entries, CARDS), np.int64)
        self.led = np.zeros((entries, CARDS), np.int64)

    def add(self, part: SeasonPart) -> None:
        """Count the cards of some more games."""
        tally = part.tally
        direction = (tally.number - 1) % len(DIRECTIONS)
        passed, played = tally.cards[:, :PASSED], tally.cards[:, PASSED:]
        received = np.empty_like(passed)
        for number, shift in enumerate(DIRECTIONS):
            rows = direction == number
            received[rows] = np.roll(passed[rows], shift, axis=2)
        row, seat = np.nonzero(part.credited_by_round)
        entry = part.by_round[row, seat][:, None]
        way = direction[row][:, None]
        gave, got, had = (cards[row, :, seat] for cards in (passed, received, played))
        count_into(self.passed, entry, way, gave)
        count_into(self.played, entry, had)
        # A bot was dealt the cards it played that it had not received.
        count_into(self.dealt, entry, way, gave)
        count_into(self.dealt, entry, way, had)
        back = np.zeros_like(self.dealt)
        count_into(back, entry, way, got)
        self.dealt -= back
        self._add_leads(part, played)

    def _add_leads(self, part: SeasonPart, played: Column) -> None:
        leads = part.tally.leads.astype(np.int64)[:, 1:]
        row, trick = np.indices(leads.shape)
        credited = part.credited_by_round[row, leads]
        entry, card = part.by_round[row, leads], played[row, trick + 1, leads]
        count_into(self.led, entry[credited], card[credited])


EXAMPLES = 5
"""The most faults kept per bot and kind."""

KINDS = 12
"""The most kinds of faults distinguished per bot."""

OTHER = "other"


@dataclass
class FaultCount:
    """Faults of one kind: their number, how many count, and the first examples.

    `faults` is the number of those that count towards forfeiting, the others are only noted;
    `forfeits` of them forfeited a game.
    """

    count: int = 0
    faults: int = 0
    forfeits: int = 0
    examples: list[BotFault] = field(default_factory=list)

    @property
    def notes(self) -> int:
        """The number of those that are only noted."""
        return self.count - self.faults


class Trouble:
    """The faults of all bots: for each roster entry, its kinds of faults by name.

    `games` is the number of games in which each entry made a fault or forfeited: those in which a
    site marks the bot.
    """

    def __init__(self, entries: int) -> None:
        self.kinds: list[dict[str, FaultCount]] = [{} for _ in range(entries)]
        self.games = [0] * entries

    def add(self, part: SeasonPart) -> None:
        """Count the faults of some more games."""
        marked = set()
        for fault in part.block.faults:
            entry = int(part.seats[fault.game - part.block.first, fault.seat])
            kinds = self.kinds[entry]
            known = fault.kind in kinds or len(kinds) < KINDS
            kind = kinds.setdefault(fault.kind if known else OTHER, FaultCount())
            kind.count += 1
            kind.faults += fault.counts
            kind.forfeits += fault.forfeit
            if is_marked(fault):
                marked.add((entry, fault.game))
            if len(kind.examples) < EXAMPLES:
                kind.examples.append(fault)
        for entry, _ in marked:
            self.games[entry] += 1

    def all_of(self, entry: int) -> FaultCount:
        """Return the faults of a bot of all kinds, without examples."""
        total = FaultCount()
        for kind in self.kinds[entry].values():
            total.count += kind.count
            total.faults += kind.faults
            total.forfeits += kind.forfeits
        return total


def is_marked(fault: BotFault) -> bool:
    """Say whether a game is marked for a fault: it counts or forfeits, and is not only noted."""
    return fault.counts or fault.forfeit


CHECKPOINTS = 120
"""The most checkpoints."""

MOST_RATED = 20_000
"""The most games that move the ratings: in a longer season every second, third, ... one."""

_AGES = 1e12


class RunningTotals:
    """Points and ratings of bots after some games of a season; games must be added in order.

    Ratings are OpenSkill's, as in `arena.live`; they depend on the order of the games, which is
    that of the season.
    """

    def __init__(self, entries: int, games: int) -> None:
        """Begin a season of `games` games; raises MissingExtraError without openskill."""
        count = min(games, CHECKPOINTS)
        self._ends = np.linspace(games / max(count, 1), games, count).round().astype(np.int64)
        self._points = np.zeros((count, entries), np.int64)
        self._games = np.zeros((count, entries), np.int64)
        self._ratings = np.full((count, entries), np.nan)
        self._stride = -(-games // MOST_RATED)
        ages = iter((0.0,))  # no clock: every game that is added moves the ratings
        self._live = LiveStandings(entries, SEATS, lambda: next(ages, _AGES))

    def add(self, part: SeasonPart) -> None:
        """Add some more games."""
        game = np.arange(part.block.first, part.block.after)
        slots = np.searchsorted(self._ends, game + 1)
        slot = np.broadcast_to(slots[:, None], part.seats.shape)[part.credited]
        entry = part.seats[part.credited]
        np.add.at(self._games, (slot, entry), 1)
        np.add.at(self._points, (slot, entry), part.tally.totals[part.credited])
        for one in np.unique(slots):
            rated = (slots == one) & (game % self._stride == 0)
            if rated.any():
                self._live.add(_results(part.seats[rated], part.tally.totals[rated]))
            for standing in self._live.best_first():
                self._ratings[one, standing.entrant] = standing.mu

    @property
    def played(self) -> Column:
        """The checkpoints, as numbers of games, ascending."""
        return self._ends[self._noted]

    @property
    def points(self) -> Column:
        """Mean points per game at checkpoints, shape (checkpoints, entries); NaN without games."""
        games = self._games[self._noted].cumsum(axis=0)
        points = self._points[self._noted].cumsum(axis=0)
        return np.where(games > 0, points / np.maximum(games, 1), np.nan)

    @property
    def ratings(self) -> Column:
        """Means of the ratings at checkpoints, shape (checkpoints, entries); NaN without games."""
        games = self._games[self._noted].cumsum(axis=0)
        return np.where(games > 0, self._ratings[self._noted], np.nan)

    @property
    def last(self) -> list[tuple[float, float]]:
        """Mean and standard deviation of the rating of each entry after the games so far."""
        found = {one.entrant: (one.mu, one.sigma) for one in self._live.best_first()}
        return [found[entry] for entry in sorted(found)]

    @property
    def _noted(self) -> Column:
        return np.flatnonzero(self._games.sum(axis=1))


def _results(seats: Column, totals: Column) -> Results:
    """Return games as the arena's results; the fewest points win."""
    games = len(seats)
    rank = ranks(totals, highest_wins=False)
    nothing = np.zeros(games * SEATS, np.int64)
    return Results(
        deal=np.repeat(np.arange(games), SEATS),
        table=nothing,
        seat=np.tile(np.arange(SEATS), games),
        entrant=seats.ravel(),
        score=totals.ravel(),
        rank=rank.ravel(),
        win=win_shares(rank == 0).ravel(),
        decisions=nothing,
        faults=nothing,
        error=np.full(games * SEATS, None, object),
    )


SHOWN = 12
"""The most games shown of a kind."""


@dataclass(frozen=True)
class Highlight:
    """A game worth seeing: its main seat, the round to look at, and the amount."""

    game: int
    round: int
    seat: int
    amount: float
    entries: tuple[int, ...]
    totals: tuple[int, ...]

    @property
    def won(self) -> bool:
        """Whether the seat had the fewest points at the end."""
        return self.totals[self.seat] == min(self.totals)


class Highlights:
    """The best of each kind in a season, added up part by part, whatever its parts are.

    `moons` are sorted by the points that the shooter was behind the leader before the round, those
    that won the game first; `shot` counts all moons. `losses` are sorted by the points between the
    first and the last.
    """

    def __init__(self) -> None:
        self.shot = 0
        self.moons: list[Highlight] = []
        self.losses: list[Highlight] = []
        self.games: list[tuple[int, Column, Column]] = []
        """The first game of each part, the roster rows in its seats, and the totals."""

    def add(self, part: SeasonPart) -> None:
        """Add some more games."""
        first, totals = part.block.first, part.tally.totals
        gaps = totals.max(axis=1) - totals.min(axis=1)
        found = [
            Highlight(
                first + at, 1, int(totals[at].argmax()), int(gaps[at]),
                tuple(part.seats[at].tolist()), tuple(totals[at].tolist()),
            )
            for at in np.argsort(-gaps, kind="stable")[:SHOWN].tolist()
        ]  # fmt: skip
        self.losses = _most([*self.losses, *found])
        moons = list(_moons(part))
        self.shot += len(moons)
        self.moons = _most([*self.moons, *moons], won_first=True)
        self.games.append((first, part.seats.astype(np.uint16), totals.astype(np.uint8)))


def _moons(part: SeasonPart) -> Iterable[Highlight]:
    """Yield the moons of some games, with their shooters' distance to the leader in points."""
    scores, tally = part.tally.scores, part.tally
    sums = scores.cumsum(axis=0)
    ends = tally.rounds.cumsum()
    for row in np.flatnonzero(scores.sum(axis=1) > MOON).tolist():
        game = int(tally.game[row])
        start = int(ends[game] - tally.rounds[game])
        before = sums[row] - scores[row] - (sums[start - 1] if start else 0)
        seat = int(scores[row].argmin())
        behind = int(before[seat] - before.min())
        seats, totals = tuple(part.seats[game].tolist()), tuple(tally.totals[game].tolist())
        number = int(tally.number[row])
        yield Highlight(part.block.first + game, number, seat, behind, seats, totals)


def _most(found: list[Highlight], *, won_first: bool = False) -> list[Highlight]:
    def order(one: Highlight) -> tuple[float, ...]:
        return won_first and not one.won, -one.amount, one.game, one.round

    return heapq.nsmallest(SHOWN, found, key=order)


class SeasonFacts:
    """Statistics of a season so far; `add` its parts in order."""

    def __init__(self, plan: SeasonPlan) -> None:
        """Begin with no games; raises MissingExtraError if a library of the arena is missing."""
        entries = len(plan.bots)
        self.plan = plan
        self.games = 0
        self.rounds = 0
        self.timings = Timings.none()
        self.scores = Scores(entries)
        self.duels = Duels(entries)
        self.habits = Habits(entries)
        self.trouble = Trouble(entries)
        self.course = RunningTotals(entries, plan.games)
        self.highlights = Highlights()

    def add(self, part: SeasonPart) -> None:
        """Add some more games."""
        self.games += len(part.block)
        self.rounds += len(part.block.plays)
        self.timings += part.block.timings
        for facts in (
            self.scores, self.duels, self.habits, self.trouble, self.course, self.highlights,
        ):  # fmt: skip
            facts.add(part)
