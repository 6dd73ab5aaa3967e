"""The league's four tables in plain Python, row by row, as their columns are described."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from plain_league import HEARTS, QUEEN, score, suit, tricks, winner

from cardwright.syntax.data_files import safe_cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plain_league import Round

    Row = list[object]

SHARES = {
    (0, 3): (12, 0, 0, 0),
    (0, 2): (6, 6, 0, 0),
    (0, 1): (4, 4, 4, 0),
    (0, 0): (3, 3, 3, 3),
    (1, 2): (0, 12, 0, 0),
    (1, 1): (0, 6, 6, 0),
    (1, 0): (0, 4, 4, 4),
    (2, 1): (0, 0, 12, 0),
    (2, 0): (0, 0, 6, 6),
    (3, 0): (0, 0, 0, 12),
}
"""Twelfths of the four places, by how many seats were strictly better and strictly worse."""


@dataclass
class Bot:
    """What a bot of the standings has got."""

    name: str
    author: str
    games: int = 0
    twelfths: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    points: int = 0
    all_tricks: int = 0
    tricks: int = 0
    hearts: int = 0
    queens: int = 0

    def row(self, season: str, game: int) -> Row:
        places = [one / 12 for one in self.twelfths]
        rounds = self.all_tricks / 13
        taken = [self.tricks, self.hearts, self.queens]
        names = [self.name, self.author]
        return [season, game, *names, self.games, *places, self.points, rounds, *taken]


def tables(
    season: str,
    bots: Sequence[tuple[str, str]],
    schedule: Sequence[Sequence[int]],
    games: Sequence[Sequence[Round]],
) -> dict[str, bytes]:
    """Return the four files of a season, by name, for bots of these names and authors."""
    trick_rows: list[Row] = []
    round_rows: list[Row] = []
    game_rows: list[Row] = []
    standing = [Bot(*bot) for bot in bots]
    standing_rows = [bot.row(season, 0) for bot in standing]
    for game, (seats, rounds) in enumerate(zip(schedule, games, strict=True), 1):
        scores, hearts, queens, taken = [0] * 4, [0] * 4, [0] * 4, [0] * 4
        for number, choices in enumerate(rounds, 1):
            place = [season, game, number]
            for step in range(3):
                cards = [card for _, card in sorted(choices[4 * step : 4 * step + 4])]
                trick_rows.append([*place, step - 3, *cards, -1, -1])
            queen_seat = -1
            for turn, trick in enumerate(tricks(choices)):
                cards = [card for _, card in sorted(trick)]
                seat = winner(trick)
                trick_rows.append([*place, turn, *cards, trick[0][0], seat])
                taken[seat] += 1
                hearts[seat] += sum(suit(card) == HEARTS for card in cards)
                if QUEEN in cards:
                    queens[seat] += 1
                    queen_seat = seat
            round_rows.append([*place, *score(choices), queen_seat])
            scores = [one + more for one, more in zip(scores, score(choices), strict=True)]
        names = [bots[row][0] for row in seats]
        game_rows.append([season, game, *names, *scores, *hearts, *queens, *taken])
        for seat, row in enumerate(seats):
            if row in seats[:seat]:
                continue
            better = sum(one < scores[seat] for one in scores)
            worse = sum(one > scores[seat] for one in scores)
            bot = standing[row]
            bot.games += 1
            shares = SHARES[better, worse]
            bot.twelfths = [one + more for one, more in zip(bot.twelfths, shares, strict=True)]
            bot.points += scores[seat]
            bot.all_tricks += sum(taken)
            bot.tricks += taken[seat]
            bot.hearts += hearts[seat]
            bot.queens += queens[seat]
        standing_rows += [bot.row(season, game) for bot in standing]
    return {
        "TrickHistory.csv": text(trick_rows),
        "RoundHistory.csv": text(round_rows),
        "GameHistory.csv": text(game_rows),
        "Standings.csv": text(standing_rows),
    }


def text(rows: list[Row]) -> bytes:
    """Return rows as Python's own writer of CSV writes them, without formulas."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(
        [safe_cell(cell) for cell in row] for row in rows
    )
    return out.getvalue().encode()
