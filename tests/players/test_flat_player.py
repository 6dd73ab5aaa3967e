"""Flat Monte Carlo: it finds what is plainly best, and looks at nothing it may not know."""

from __future__ import annotations

import pytest

from cardwright import Game, Mode
from cardwright.arena.referee import play_game
from cardwright.players.flat import FlatMonteCarlo
from cardwright.players.random import RandomPlayer
from cardwright.players.spec import PlayerSpecError, parse_spec

TAKE = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (VAL (A, B, C)))))
 (do ((set (game points W) (((VAL : A) 1) ((VAL : B) 2) ((VAL : C) 3)))
  (repeat all (move (top (game iloc STOCK)) (top (game vloc ROW))))))
 (stage player (end (== (size (game vloc ROW)) 1))
  (choice ((any (game vloc ROW) 'C (move 'C (top ((current player) vloc WON)))))))
 (scoring {best} (sum ((current player) vloc WON) using (game points W))))"""

GUESS = """(game
 (setup (create players 1) (create deck (game iloc STOCK) (deck (VAL (A, B)))))
 (do ((shuffle (game iloc STOCK)) (set (game points W) (((VAL : A) 1)))))
 (choice (
  (any (game iloc STOCK) 'C (move 'C (top ((1 player) vloc WON))))
  (inc (game sto SAFE))))
 (scoring max (+ (game sto SAFE) (* 10 (sum ((1 player) vloc WON) using (game points W))))))"""


@pytest.mark.parametrize(("best", "first"), [("max", "C"), ("min", "A")])
def test_takes_the_best_card(best: str, first: str) -> None:
    """With everything open, the first player takes the card of most worth, or of least."""
    game = Game.from_text(TAKE.replace("{best}", best))
    record = play_game(game, 1, [FlatMonteCarlo(20), RandomPlayer()])
    chosen = game.start(1).options()[record.choices[0]]
    assert game.cards[chosen.content.picks[0][1]].attributes["VAL"] == first


def test_does_not_see_hidden_cards() -> None:
    """Whether the good card lies above or below is hidden: over many deals it guesses alike.

    A player who saw through the backs would take the good card every time.
    """
    game = Game.from_text(GUESS)
    scores = [play_game(game, seed, [FlatMonteCarlo(5)]).scores[0] for seed in range(200)]
    right = scores.count(10)
    assert 70 < right < 130


def test_same_stream_same_choices() -> None:
    """The choices follow from the seed alone."""
    game = Game.load("leduc")
    players = [FlatMonteCarlo(3), FlatMonteCarlo(5, Mode.KNOWN)]
    assert [play_game(game, seed, players) for seed in range(5)] == [
        play_game(game, seed, players) for seed in range(5)
    ]


def test_beats_random_players_at_hearts() -> None:
    """Against three random players its mean penalty is far below theirs, even with few rollouts."""
    game = Game.load("hearts")
    players = [FlatMonteCarlo(2), *(RandomPlayer() for _ in range(3))]
    records = [play_game(game, seed, players) for seed in range(12)]
    own = sum(record.scores[0] for record in records) / 12
    others = sum(sum(record.scores[1:]) for record in records) / 36
    assert own < others - 1


def test_specs_of_flat_players() -> None:
    """Parameters are read with their kinds; what is impossible is explained."""
    assert parse_spec("pimc").build() == FlatMonteCarlo(10, Mode.BASIC)
    assert parse_spec("pimc:rollouts=50,mode=known").build() == FlatMonteCarlo(50, Mode.KNOWN)
    for text, message in (
        ("pimc:rollouts=0", "from 1 to 1,000,000"),
        ("pimc:rollouts=many", "from 1 to 1,000,000"),
        ("pimc:mode=psychic", "the modes are basic, known"),
        ("pimc:rollout=5", "did you mean rollouts"),
    ):
        with pytest.raises(PlayerSpecError, match=message):
            parse_spec(text)
