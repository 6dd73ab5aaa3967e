"""What is proved of scores and decisions holds in every game that is played."""

from __future__ import annotations

import pytest

from cardwright import Game, play_random
from cardwright.game import game_seeds
from cardwright.program import game_bounds as proof
from cardwright.program.game_bounds import NOTHING, GameBounds, game_bounds
from deep import usually

PROVED = {
    "agram": GameBounds((0, 1), 18, 1),
    "blackjack": GameBounds((-4, 4), 9, None),
    "cuckoo": GameBounds((0, 1), 6, None),
    "goofspiel": GameBounds((0, 273), 26, None),
    "hearts": GameBounds((-26, 26), 52, None),
    "knaves": GameBounds((-10, 17), 51, None),
    "kuhn": GameBounds((-2, 2), 3, 0),
    "leduc": GameBounds((-13, 13), 8, None),
    "ninetyeight": GameBounds((0, 1), 396, None),
    "polignac": GameBounds((0, 40), 32, None),
    "slobberhannes": GameBounds((0, 11), 32, None),
    "sueca": GameBounds((0, 4), 40, None),
    "whist": GameBounds((0, 13), 52, None),
}
"""Games of the library of which something is proved, and what."""

UNCLEAR = ("bigtwo", "cribbage", "ginrummy", "gofish", "klaverjassen", "pitch", "rummy")
"""Games with forms that are not followed: nothing is said of them."""


@pytest.mark.sweep
@pytest.mark.slow
@pytest.mark.parametrize("name", PROVED)
def test_what_is_proved_holds_in_random_games(name: str) -> None:
    game = Game.load(name)
    assert game_bounds(game.program) == PROVED[name]
    assert game.score_range is not None
    assert game.longest is not None
    games = play_random(game, game_seeds(1, count=usually(300, 1000)))
    whole = ~games.broken
    low, high = game.score_range
    assert games.scores[whole].min() >= low
    assert games.scores[whole].max() <= high
    assert games.decisions[whole].max() <= game.longest
    if game.constant_sum is not None:
        assert set(games.scores[whole].sum(axis=1).tolist()) == {game.constant_sum}


@pytest.mark.parametrize("name", UNCLEAR)
def test_nothing_is_said_of_what_is_not_followed(name: str) -> None:
    game = Game.load(name)
    assert (game.score_range, game.longest, game.constant_sum) == (None, None, None)


def extent(items: str, score: str) -> GameBounds:
    """Return what is proved of a game for two with four cards in a stock."""
    text = f"""(game (setup (create players 2)
      (create deck (game iloc STOCK) (deck (SUIT (MOON, STAR)) (RANK (LOW, HIGH)))))
      {items} (scoring max {score}))"""
    return game_bounds(Game.from_text(text).program)


def test_conditions_that_are_not_decided_go_both_ways() -> None:
    found = extent(
        """(do ((move (top (game iloc STOCK)) (top (game vloc UP)))
             ((== (cardatt SUIT (top (game vloc UP))) MOON) (set (game sto X) 5))
             ((== (cardatt SUIT (top (game vloc UP))) COMET) (set (game sto X) 9))))""",
        "(game sto X)",
    )
    assert found == GameBounds((0, 5), 0, None)


def test_a_condition_narrows_what_it_compares() -> None:
    found = extent(
        """(do ((set (game sto X) (random 1 .. 9))
             ((== (game sto X) 7) (set (game sto Y) (game sto X)))
             ((< (game sto X) 3) (set (game sto Z) (game sto X)))))""",
        "(+ (game sto Y) (game sto Z))",
    )
    assert found.scores == (0, 7)
    assert extent("(do ((set (game sto X) (random 1 .. 9))))", "(game sto X)").scores == (1, 9)


def test_cards_are_followed_where_a_loop_has_moved_them() -> None:
    """In the last rounds the card of the loop has been moved already, as the top of the stock."""
    found = extent(
        """(do ((all (game iloc STOCK) 'C
              (do (((> (size (game iloc STOCK)) 0)
                     (move (top (game iloc STOCK)) (top ((1 player) vloc PILE))))
                   (move 'C (top ((2 player) vloc PILE))))))))""",
        "(size ((current player) vloc PILE))",
    )
    assert found.scores is not None
    assert found.scores[0] == 0
    assert found.scores[1] == 4


def test_points_are_those_of_different_cards() -> None:
    two_cards = """(do ((set (game points WORTH) (((SUIT : MOON) 3) ((RANK : HIGH) (- 0 2))))
             (shuffle (game iloc STOCK))
             (repeat 2 (move (top (game iloc STOCK)) (top ((1 player) vloc PILE))))))"""
    found = extent(two_cards, "(sum ((current player) vloc PILE) using (game points WORTH))")
    assert found.scores == (-2, 4)  # 0 and -2, or 3 and 1; the second seat has no cards
    some = "(filter ((current player) vloc PILE) 'C (== (cardatt SUIT 'C) MOON))"
    found = extent(two_cards, f"(sum {some} using (game points WORTH))")
    assert found.scores == (-2, 4)  # of none, one or two of them


def test_decisions_are_counted_and_scores_add_up() -> None:
    found = extent(
        """(stage player (end (== (size (game iloc STOCK)) 0))
             (choice ((any (game iloc STOCK) 'C (move 'C (top ((current player) vloc PILE)))))))""",
        "(size ((current player) vloc PILE))",
    )
    assert found == GameBounds((2, 2), 4, 4)


def test_items_under_a_condition_are_followed_both_ways() -> None:
    found = extent(
        """(do ((set (game sto X) (random 1 .. 9))))
           ((> (game sto X) 6) (choice ((inc (game sto X)) (turn pass)))
            else ((== (game sto X) 3) (do ((set (game sto X) 0)))))""",
        "(game sto X)",
    )
    assert found == GameBounds((0, 10), 1, None)
    assert extent("((== 1 2) (choice ((turn pass))))", "(game sto X)") == GameBounds((0, 0), 0, 0)


def test_an_endless_game_is_not_spoken_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "EXACT_WORK", 500)
    monkeypatch.setattr(proof, "JOINED_WORK", 2000)
    found = extent(
        """(stage player (end (> (game sto X) 3))
             (choice ((inc (game sto X)) (dec (game sto X)))))""",
        "(game sto X)",
    )
    assert found == NOTHING
