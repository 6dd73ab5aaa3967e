"""Bulk play: the games of the player `random`, many at a time."""

from __future__ import annotations

import signal
import threading
from itertools import pairwise

import numpy as np
import pytest

from broken_rules import BREAKS
from cardwright import Game, GameLimits, play_random
from cardwright.arena.referee import GameRecord, referee_game
from cardwright.game import RandomGames, game_seeds
from cardwright.game.errors import EngineError
from cardwright.game.find import library_names
from cardwright.game.native import bulk
from cardwright.game.native.bulk import Bulk
from cardwright.players.player import RandomPlayer
from cardwright.syntax.source import Source
from deep import some_games

ENDLESS = """
(game
  (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K)))))
  (stage player (end (== 1 0)) (choice ((set (game sto X) 1) (set (game sto X) 2))))
  (scoring max 0))
"""

SUBSETS = """
(game
  (setup (create players 2)
    (create deck (game vloc STOCK) (deck (VAL (A, B, C, D, E, F, G, H, I, J, K, L)))))
  (stage player
    (end (== (game sto DONE) 250))
    (choice ((any (subsets (game vloc STOCK)) 'S (inc ((current player) sto SUM) (size 'S)))))
    (do ((inc (game sto DONE)))))
  (scoring max ((current player) sto SUM)))
"""


def by_referee(game: Game, seeds: object) -> list[GameRecord]:
    """The games of random players, by the interpreter."""
    game = game.with_engine("interpreter")
    return [referee_game(game, seed, [RandomPlayer()] * game.players) for seed in seeds]


def text(games: RandomGames) -> tuple[object, ...]:
    parts = (games.numbers, games.seeds, games.scores, games.tallies)
    return tuple(part.tolist() for part in parts)


def breaking() -> Game:
    return Game.from_source(Source("breaks.rcy", BREAKS))


@pytest.mark.parametrize("name", some_games(library_names()))
def test_games_are_those_of_random_players(name: str) -> None:
    """Scores, lengths and numbers of options are those of the interpreter's games."""
    game = Game.load(name)
    records = by_referee(game, range(5, 9))
    games = play_random(game, range(5, 9), threads=1)
    assert [tuple(row) for row in games.scores.tolist()] == [one.scores for one in records]
    counts = [[count for _, count, _ in one.decisions] for one in records]
    assert games.decisions.tolist() == [len(one) for one in counts]
    assert games.option_sums.tolist() == [sum(one) for one in counts]
    assert games.option_most.tolist() == [max(one) for one in counts]
    assert games.single_sums.tolist() == [one.count(1) for one in counts]
    wins = [tuple(rank == 0 for rank in one.ranks) for one in records]
    assert [tuple(row) for row in games.best().tolist()] == wins
    assert not games.broken.any()


@pytest.mark.parametrize("seed", [0, 1, 2**32, 2**64 - 1, 2**200 + 12345])
@pytest.mark.parametrize("first", [0, 7, 2**32 - 2])
def test_the_seeds_of_a_job_are_made_natively(seed: int, first: int) -> None:
    """They are those of `numpy.random.SeedSequence`, by machine code and by Python."""
    seeds = game_seeds(seed, 5, first)
    children = (np.random.SeedSequence(seed, spawn_key=(n,)) for n in range(first, first + 5))
    expected = [int(child.generate_state(1, np.uint64)[0]) for child in children]
    assert list(seeds) == expected
    assert play_random(Game.load("leduc"), seeds).seeds.tolist() == expected


def test_threads_make_no_difference() -> None:
    """Games come in order, whichever thread plays them."""
    game, seeds = Game.load("hearts"), game_seeds(3, 500)
    outcomes = [text(play_random(game, seeds, threads=threads)) for threads in (1, 2, 7, None)]
    assert outcomes[0] == outcomes[1] == outcomes[2] == outcomes[3]
    assert outcomes[0][0] == list(range(500))
    assert outcomes[0] == text(play_random(game, list(seeds)))


@pytest.mark.parametrize(
    "seeds", [[], range(0), game_seeds(1, 0), [7], range(2**64 - 3, 2**64), iter([4, 4])]
)
def test_any_seeds_will_do(seeds: object) -> None:
    """Any number of them, in any form, and with all their 64 bits."""
    kept = list(seeds)
    games = play_random(Game.load("leduc"), iter(kept) if hasattr(seeds, "__next__") else seeds)
    assert games.seeds.tolist() == kept
    assert games.scores.shape == (len(kept), 2)
    assert len(games) == len(kept)


@pytest.mark.parametrize("seeds", [[-1], [2**64], range(2**64, 2**64 + 1)])
def test_wrong_seeds_are_refused(seeds: object) -> None:
    with pytest.raises(ValueError, match="a game's seed is an integer from 0 to 2"):
        play_random(Game.load("leduc"), seeds)


def test_wrong_calls_are_refused() -> None:
    """Another engine, no thread, or a job with a negative seed."""
    with pytest.raises(EngineError, match="for the native engine, not for the interpreter"):
        play_random(Game.load("leduc", engine="interpreter"), [1])
    with pytest.raises(ValueError, match="1 thread or more, not 0"):
        play_random(Game.load("leduc"), [1], threads=0)
    with pytest.raises(ValueError, match="integers from 0"):
        game_seeds(-1, 5)


def test_games_that_break_a_rule_stop_no_other() -> None:
    """Each is told as the interpreter tells it, with what leads there again."""
    game = breaking()
    records = by_referee(game, range(60))
    games = play_random(game, range(60))
    assert games.broken.tolist() == [one.error is not None for one in records]
    assert 0 < games.broken.sum() < 60
    assert [str(error) for error in games.errors()] == [one.error for one in records if one.error]
    for error, (seed, fault) in zip(games.errors(), games.faults(), strict=True):
        assert (error.seed, error.rule, error.reason) == (seed, fault.rule, fault.message)
        assert error.choices[-1] == 1
    ended = games.ended()
    assert ended.seeds.tolist() == [one.seed for one in records if one.error is None]
    assert not games.scores[games.broken].any()


def test_options_with_lists_do_not_fill_the_memory() -> None:
    """A game may list any number of groups of cards, as long as no decision has too many."""
    games = play_random(Game.from_source(Source("subsets.rcy", SUBSETS)), [1])
    assert games.decisions.tolist() == [250]
    assert not games.broken.any()
    assert games.option_most.tolist() == [4095]


def test_limits_hold() -> None:
    """A game that has had all decisions it may have is given up, natively as elsewhere."""
    game = Game.from_source(Source("endless.rcy", ENDLESS), limits=GameLimits(decisions=50))
    games = play_random(game, [1, 2])
    assert games.decisions.tolist() == [50, 50]
    (record,) = by_referee(game, [1])
    assert str(next(games.errors())) == record.error


def test_progress_is_told() -> None:
    """The numbers rise, and the last is that of all games."""
    told: list[int] = []
    play_random(Game.load("leduc"), range(1000), progress=told.append)
    assert all(one <= other for one, other in pairwise(told))
    assert told[-1] == 1000


def test_a_stopped_job_keeps_what_is_finished() -> None:
    """What came before is whole, and is what it would have been."""
    game, seeds = Game.load("hearts"), game_seeds(1, 20_000)
    job = Bulk(game, seeds, 2)
    parts = []
    for games in job.blocks():
        parts.append(RandomGames.of(games))
        job.stop()
    numbers = [number for part in parts for number in part.numbers.tolist()]
    assert 0 < len(numbers) < 20_000
    assert numbers == sorted(numbers)
    for part in parts:
        assert part.numbers.tolist() == list(range(part.numbers[0], part.numbers[-1] + 1))
    whole = play_random(game, seeds)
    assert np.array_equal(whole.scores[numbers], np.concatenate([part.scores for part in parts]))


def test_a_long_game_is_stopped_within() -> None:
    """A job need not wait for the end of a game."""
    game = Game.from_source(Source("endless.rcy", ENDLESS), limits=GameLimits(decisions=10**15))
    job = Bulk(game, range(3), 1)
    stopping = threading.Timer(0.2, job.stop)
    stopping.start()
    assert list(job.blocks()) == []
    assert job.stopped
    stopping.join()


def test_an_interrupt_stops_the_job() -> None:
    """Ctrl-C gives what is finished, and the program goes on with its own way to handle it."""
    seeds = game_seeds(1, 10**12)
    before = signal.getsignal(signal.SIGINT)

    def press(played: int) -> None:
        if played:
            signal.raise_signal(signal.SIGINT)

    games = play_random(Game.load("leduc"), seeds, progress=press)
    assert games.stopped
    assert 0 < len(games) < 10**9
    assert signal.getsignal(signal.SIGINT) is before


def test_games_are_played_without_threads_where_there_are_none(monkeypatch) -> None:
    """As in Pyodide: they are the same, block by block."""
    game, told = Game.load("leduc"), []
    expected = text(play_random(game, range(200), progress=told.append))
    monkeypatch.setattr(bulk, "IN_PYODIDE", True)
    monkeypatch.setattr(bulk, "ThreadPoolExecutor", None)
    alone: list[int] = []
    assert text(play_random(game, range(200), progress=alone.append)) == expected
    assert alone[-1] == told[-1] == 200
    assert len(alone) == 67


def test_who_leaves_the_blocks_stops_the_threads() -> None:
    """Nothing plays on when nobody asks for more."""
    job = Bulk(Game.load("leduc"), game_seeds(1, 10**12), 2)
    blocks = job.blocks()
    next(blocks)
    blocks.close()
    assert job.stopped


def test_an_error_of_the_caller_stops_the_threads() -> None:
    """What `progress` raises goes through."""

    def fail(_played: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        play_random(Game.load("leduc"), game_seeds(1, 10**12), progress=fail)


def test_other_threads_can_play_in_bulk() -> None:
    """Ctrl-C is the main thread's, so nothing is done about it elsewhere."""
    found: list[RandomGames] = []
    game = Game.load("leduc")
    thread = threading.Thread(target=lambda: found.append(play_random(game, range(50))))
    thread.start()
    thread.join()
    assert text(found[0]) == text(play_random(game, range(50)))


@pytest.mark.parametrize(
    "blocks",
    [
        "(do ((set (game sto X) 1))) (do ((shuffle (game iloc STOCK)) (inc (game sto X))))",
        "(do ((set (game sto X) 1))) (do ((inc (game sto X) (random 2)) (inc (game sto X))))",
        "(do ((inc (game sto X)))) (do ((inc (game sto X)))) (do ((set (game sto Y) (random 1))))",
        "(do ((inc (game sto X)))) (let (random 3) 'N (inc (game sto X) 'N)) (do ((turn pass)))",
    ],
)
def test_what_comes_after_the_same_beginning_is_played(blocks: str) -> None:
    """Blocks that are the same for every seed are done once; the next is played from each seed."""
    game = Game.from_text(
        "(game (setup (create players 2) (create deck (game iloc STOCK) (deck (A (A, B)))))"
        f" {blocks} (stage player (end (== (game sto Z) 1)) (choice ((inc (game sto Z)))))"
        " (scoring max (+ (game sto X) (* 10 (game sto Z)))))"
    )
    games = play_random(game, range(5), threads=1)
    assert games.decisions.min() > 0
    for seed, scores in zip(range(5), games.scores.tolist(), strict=True):
        state = game.with_engine("interpreter").start(seed)
        while not state.finished:
            state.play(0)
        assert state.scores == tuple(scores)
