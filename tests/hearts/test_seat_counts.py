"""What the seats took, counted by playing a game again; and the same read from its record."""

from __future__ import annotations

import pytest
from hierarchy_games import everywhere, game_of

from cardwright import Game, IllegalOptionError
from cardwright.arena.referee import referee_game
from cardwright.hearts.hierarchy import HierarchyPlayer
from cardwright.hearts.native import SeatCounts, seat_counts
from cardwright.players.player import RandomPlayer
from deep import usually


def counted(game: Game, seed: int) -> SeatCounts:
    record = referee_game(game, seed, [RandomPlayer()] * game.players)
    found = seat_counts(game, seed, record.choices)
    assert found is not None
    return found


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_tricks_are_those_that_lie_before_the_seats(engine: str) -> None:
    """Before the last trick of a deal they still lie there, to be counted by hand."""
    game = Game.load("hearts", engine=engine)
    for seed in range(3):
        record = referee_game(game, seed, [RandomPlayer()] * 4)
        early = seat_counts(game, seed, record.choices[:-4])
        state = game.replay(seed, record.choices[:-4])
        won = [len(state.cards(seat, "vloc", "TRICKSWON")) // 4 for seat in range(4)]
        assert early == SeatCounts(tuple(won), (0,) * 4, (0,) * 4, 0)
        late = seat_counts(game, seed, record.choices)
        assert late is not None
        assert sum(late.tricks) == 13
        assert late.deals == 1
        assert sum(late.queens) == 1
        (taker,) = [seat for seat in range(4) if late.queens[seat]]
        assert record.scores[taker] >= 13 or late.moons[taker]


def test_moons_are_seen_in_the_scores() -> None:
    """Whoever takes all points has 26 less than nothing, in the game as it stands."""
    game = game_of("as it stands")
    shooter = HierarchyPlayer(everywhere("highest", tie="high"))
    shot = 0
    for seed in range(usually(60, 120)):
        record = referee_game(game, seed, [shooter, *[RandomPlayer()] * 3], paired=True)
        found = seat_counts(game, seed, record.choices)
        assert found is not None
        assert found.moons == tuple(int(score == -26) for score in record.scores)
        shot += sum(found.moons)
    assert shot


def test_widows_count_for_their_winner() -> None:
    """Who wins the last trick takes the widow: the queen may have lain in it."""
    game = Game.load("hearts", preset="widow")
    assert all(sum(counted(game, seed).queens) == 1 for seed in range(usually(40, 150)))


def test_cards_laid_aside_count() -> None:
    game = game_of("five players")
    assert all(sum(counted(game, seed).queens) == 1 for seed in range(usually(40, 150)))


def test_a_deal_that_is_dealt_again_is_none() -> None:
    game = game_of("no queen")
    for seed in range(3):
        found = counted(game, seed)
        assert sum(found.tricks) == 12 * found.deals
        assert found.queens == (0,) * 4


@pytest.mark.parametrize(
    ("name", "preset"), [("whist", None), ("polignac", None), ("hearts", "cancellation")]
)
def test_games_in_which_it_cannot_be_told(name: str, preset: str | None) -> None:
    game = Game.load(name, preset=preset)
    record = referee_game(game, 1, [RandomPlayer()] * game.players)
    assert seat_counts(game, 1, record.choices) is None


def test_choices_must_be_those_of_the_game() -> None:
    """Also the one that would complete a trick, and one after the end."""
    game = game_of("as it stands")
    choices = referee_game(game, 1, [RandomPlayer()] * 4).choices
    for wrong in ([99], [-1], [*choices[:3], 99], [*choices, 0]):
        with pytest.raises(IllegalOptionError):
            seat_counts(game, 1, wrong)
