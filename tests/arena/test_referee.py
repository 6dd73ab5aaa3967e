from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from broken_rules import BREAKS
from cardwright import Game, IllegalOptionError, Stream, View
from cardwright.arena.referee import GameRecord, referee_game
from cardwright.players.player import RandomPlayer
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from cardwright.players.player import Decision


class Fixed:
    """Chooses the indices of a list, and keeps the decisions."""

    def __init__(self, *choices: int) -> None:
        self.choices = list(choices)
        self.decisions: list[Decision] = []

    def choose(self, decision: Decision) -> int:
        self.decisions.append(decision)
        return self.choices.pop(0)


class Looking(RandomPlayer):
    """Chooses at random and looks at everything."""

    def __init__(self) -> None:
        self.views: list[View] = []

    def choose(self, decision: Decision) -> int:
        self.views.append(decision.view)
        return super().choose(decision)


@pytest.fixture(scope="module")
def hearts() -> Game:
    return Game.load("hearts")


@pytest.fixture(scope="module")
def breaks() -> Game:
    return Game.from_source(Source("breaks.rcy", BREAKS))


def by_hand(game: Game, seed: int, chances: int) -> GameRecord:
    """Play a game at random with the seats' streams, without the referee."""
    state = game.start(seed)
    streams = [Stream.of_seat(chances, seat) for seat in range(game.players)]
    decisions = []
    while (seat := state.player) is not None:
        count = state.option_count
        decisions.append((seat, count, streams[seat].below(count)))
        state.play(decisions[-1][2])
    return GameRecord(seed, tuple(decisions), state.scores, state.ranks)


def at_random(game: Game, seed: int) -> GameRecord:
    return referee_game(game, seed, [RandomPlayer() for _ in range(game.players)])


def test_a_record_is_the_game_by_hand(hearts: Game) -> None:
    for seed in (0, 5, 2**64 - 1):
        assert at_random(hearts, seed) == by_hand(hearts, seed, seed)


@pytest.mark.parametrize("chances", [0, 6, 2**64 - 1])
def test_the_same_cards_can_be_played_with_other_draws(hearts: Game, chances: int) -> None:
    record = referee_game(hearts, 5, [RandomPlayer() for _ in range(4)], chances)
    assert record == by_hand(hearts, 5, chances)
    assert record.seed == 5
    assert record.decisions != at_random(hearts, 5).decisions
    state = hearts.replay(5, record.choices)
    assert (state.scores, state.ranks) == (record.scores, record.ranks)


def test_another_seed_is_another_game(hearts: Game) -> None:
    assert at_random(hearts, 1).decisions != at_random(hearts, 2).decisions


def test_choices_replay_the_record(hearts: Game) -> None:
    record = at_random(hearts, 9)
    state = hearts.replay(9, record.choices)
    assert (state.scores, state.ranks) == (record.scores, record.ranks)


def test_looking_changes_nothing(hearts: Game) -> None:
    players = [Looking() for _ in range(4)]
    assert referee_game(hearts, 3, players) == at_random(hearts, 3)
    assert all(view.seat == seat for seat, one in enumerate(players) for view in one.views)
    assert all(len(view.options) for one in players for view in one.views)


def test_an_error_of_the_game_loses_nothing_else(breaks: Game) -> None:
    record = referee_game(breaks, 1, [Fixed(0), Fixed(1)])
    assert record.decisions == ((0, 2, 0), (1, 2, 1))
    assert (record.scores, record.ranks) == ((), ())
    assert record.error is not None
    assert "division" in record.error
    assert "--seed 1 --choices 0,1" in record.error


@pytest.mark.parametrize("chosen", [2, -1])
def test_an_answer_that_is_no_option_names_the_player(breaks: Game, chosen: int) -> None:
    with pytest.raises(IllegalOptionError, match=f"p1 answered {chosen};.*seed 4"):
        referee_game(breaks, 4, [Fixed(chosen), Fixed()])


def test_as_many_players_as_seats(breaks: Game) -> None:
    with pytest.raises(ValueError, match="2 players are needed, not 1"):
        referee_game(breaks, 4, [Fixed()])


def test_a_decision_shows_a_view_and_never_a_state(breaks: Game) -> None:
    first, second = Fixed(0, 0), Fixed(0)
    referee_game(breaks, 1, [first, second])
    decision = first.decisions[0]
    public = {name for name in dir(decision) if not name.startswith("_")}
    assert public == {
        "action_codes", "contents", "fast_view", "flat", "flat_halves", "game", "imagine",
        "information", "knowledge", "notes", "observation", "observe", "option_count", "options",
        "record", "report", "search", "seat", "stream", "trials", "view",
    }  # fmt: skip
    assert (decision.seat, decision.option_count) == (0, 2)
    with pytest.raises(RuntimeError, match="before the decision is made"):
        _ = decision.view
    with pytest.raises(AttributeError):
        decision.option_count = 5  # type: ignore[misc]
