"""Games made up for tests: written by hand, or drawn by hypothesis."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st

from cardwright.analysis.records import Decisions, Traces


@dataclass
class Made:
    """A game: scores (the lowest wins), and for each decision seat, options and notes or None.

    A note is spread, average, best and the lead vector, and perhaps iterations, held-out spread and
    score spread.
    """

    scores: list[int]
    decisions: list[tuple] = field(default_factory=list)
    deal: int = 0
    table: int = 0

    @property
    def ranks(self):
        return [sum(other < mine for other in self.scores) for mine in self.scores]

    @property
    def leads(self):
        return [list(note[3]) for _, _, note in self.decisions if note is not None]

    @property
    def own(self):
        return [
            [note[2] for seat, _, note in self.decisions if seat == mine and note is not None]
            for mine in range(len(self.scores))
        ]


def outcomes(scores):
    """Return games without decisions, with scores of shape (games, seats); the highest wins."""
    scores = np.asarray(scores)
    games = len(scores)
    ranks = (scores[:, None, :] > scores[:, :, None]).sum(axis=2)
    zeros = np.zeros(games, np.int64)
    return Traces(np.arange(games), zeros, scores, ranks, 0 * scores, zeros + 1)


def traces_of(games):
    """Return the games as traces, numbered as they come unless they have deals."""
    players = len(games[0].scores)
    rows = [(at, *one) for at, game in enumerate(games) for one in game.decisions]
    nothing = (np.nan, np.nan, np.nan, [np.nan] * players)
    notes = [nothing if row[3] is None else row[3] for row in rows]

    def integers(values):
        return np.array(list(values), np.int64)

    def numbers(values):
        return np.array(list(values), np.float64)

    deals = [game.deal for game in games]
    decisions = Decisions(
        integers(row[0] for row in rows),
        integers(row[1] for row in rows),
        integers(row[2] for row in rows),
        numbers(note[0] for note in notes),
        numbers(note[1] for note in notes),
        numbers(note[2] for note in notes),
        numbers(note[3] for note in notes).reshape(-1, players),
        *(numbers(note[at] if len(note) > at else np.nan for note in notes) for at in (4, 5, 6)),
    )
    return Traces(
        integers(deals if any(deals) else range(len(games))),
        integers(game.table for game in games),
        integers(game.scores for game in games),
        integers(game.ranks for game in games),
        np.zeros((len(games), players), np.int64),
        integers(len(game.decisions) for game in games),
        decisions,
    )


def plain(scores, *decisions):
    """Return a game with decisions (seat, options) and no notes."""
    return Made(scores, [(seat, options, None) for seat, options in decisions])


def led(scores, *leads, seats=None):
    """Return a game with these lead vectors, at decisions of these seats or of all in turn.

    Each best estimate is the mover's own lead, and 0.3 above the average. Of two options each was
    tried ten times.
    """
    players = len(scores)
    movers = seats or [at % players for at in range(len(leads))]
    rows = [
        (seat, 2, (0.6, lead[seat] - 0.3, lead[seat], lead, 20, 0.4, 3.0))
        for seat, lead in zip(movers, leads, strict=True)
    ]
    return Made(scores, rows)


tenths = st.integers(0, 10).map(lambda number: number / 10)


@st.composite
def game_lists(draw, most=6, noted=None, regular=False):
    """Draw some games of one number of players; `regular` ones have seats decide in turn."""
    seats = draw(st.integers(2, 4))
    vectors = st.lists(tenths, min_size=seats, max_size=seats)
    games = []
    for deal in range(draw(st.integers(1, most))):
        scores = draw(st.lists(st.integers(-3, 3), min_size=seats, max_size=seats))
        rounds = draw(st.integers(1, 3))
        if regular:
            movers = list(range(seats)) * rounds
        else:
            movers = draw(st.lists(st.integers(0, seats - 1), min_size=1, max_size=9))
        rows = []
        for mover in movers:
            note = None
            if noted or (noted is None and draw(st.booleans())):
                lead = draw(vectors)
                spread, down = draw(tenths), draw(tenths)
                note = (spread, lead[mover] - down, lead[mover], lead)
            rows.append((mover, draw(st.integers(1, 7)), note))
        games.append(Made(scores, rows, deal=deal + 1))
    return games
