"""Searches of games that are scored as they go on, and of those that are won together."""

from __future__ import annotations

import pytest

from cardwright.game.game import Game, State
from cardwright.game.likelihood import Inference
from cardwright.game.search import PlayoutPolicy, SearchReward, SearchTask, SearchWorlds
from cardwright.interpreter.stream import Stream
from cardwright.players.choice_models import UniformModel

TURNS = 8


def counting(step: str, better: str) -> Game:
    """Return a game in which each of two players can pass or count a score, in turns.

    What is counted can only be seen after the turn, and a die is thrown beside it.
    """
    return Game.from_text(
        f"""
        (game
          (setup
            (create players 2)
            (create deck (game iloc STOCK) (deck (RANK (A, K)))))
          (stage player
            (end (== (game sto TURNS) {TURNS}))
            (choice (
              (turn pass)
              (set (game sto WANTED) 1)))
            (do (
              ((== (game sto WANTED) 1) ({step} ((current player) sto SCORE)))
              (set (game sto WANTED) 0)
              (set (game sto DIE) (random 1 .. 6))
              (inc (game sto TURNS)))))
          (scoring {better} ((current player) sto SCORE)))
        """,
        engine="native",
    )


@pytest.mark.parametrize(("step", "better", "sign"), [("inc", "max", 1), ("dec", "min", -1)])
@pytest.mark.parametrize("worlds", [SearchWorlds.EACH, SearchWorlds.TRUE])
def test_a_playout_takes_every_point(
    step: str, better: str, sign: int, worlds: SearchWorlds
) -> None:
    """After the option that is tried first, everybody counts in every turn that is left."""
    state = counting(step, better).start(1)
    task = SearchTask(2, reward=SearchReward.RANK, worlds=worlds, playouts=PlayoutPolicy.GREEDY)
    found = state.search(Stream(1), task)
    own = TURNS // 2
    assert [option.gained for option in found.options] == [sign * (own - 1), sign * own]
    assert found.failed == 0


def test_what_lowers_the_score_is_taken_by_chance_only() -> None:
    """Where nothing raises a score all options are taken, as in other playouts."""
    state = counting("dec", "max").start(1)
    task = SearchTask(300, reward=SearchReward.RANK, playouts=PlayoutPolicy.GREEDY, exploration=4)
    found = state.search(Stream(2), task)
    own = TURNS // 2
    taken = [option.gained / option.visits for option in found.options]
    assert -own < taken[1] < taken[0] < 0


def test_a_seed_repeats_a_search() -> None:
    """The same stream gives the same search, which is another one than without the policy."""
    state = Game.load("hanabi", engine="native").start(3)
    task = SearchTask(30, playouts=PlayoutPolicy.GREEDY)
    found = [state.search(Stream(5), each) for each in (task, task, SearchTask(30))]
    assert found[0] == found[1]
    assert sum(o.gained for o in found[0].options) > 3 * sum(o.gained for o in found[2].options)


@pytest.mark.parametrize(
    ("scoring", "shared"),
    [
        ("(game sto SCORE)", True),
        ("(all player 'P ('P sto SCORE))", True),
        ("((1 player) sto SCORE)", True),
        ("((current player) sto SCORE)", False),
        ("(all (other player) 'P ('P sto SCORE))", False),
        ("((team (next player)) sto SCORE)", False),
        ("(random 1 .. 6)", False),
    ],
)
def test_a_score_is_shared_if_the_scoring_does_not_ask_for_whom_it_is(
    scoring: str, shared: bool
) -> None:
    text = f"""
    (game
      (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A)))))
      (do ((set (game sto SCORE) 1)))
      (scoring max {scoring}))
    """
    assert Game.from_text(text).program.shared_score is shared


@pytest.mark.parametrize("reward", [SearchReward.RANK, SearchReward.WIN, SearchReward.MARGIN])
def test_who_wins_together_searches_for_the_score(reward: SearchReward) -> None:
    """Nobody is before anybody in Hanabi, so that other rewards would find all options alike."""
    state = Game.load("hanabi", engine="native").start(3)
    found = [
        state.search(Stream(5), SearchTask(40, reward=r)) for r in (reward, SearchReward.SCORE)
    ]
    assert found[0] == found[1]
    assert len({option.rewards for option in found[0].options}) > 1


# By what seats know -------------------------------------------------------------------------

BETS = """
(game
  (setup
    (create players 2)
    (repeat 4 (create deck (game iloc STOCK) (deck (COLOR (RED, BLACK)) (RANK (A, K, Q))))))
  (do (
    (shuffle (game iloc STOCK))
    (all player 'P (move (top (game iloc STOCK)) (top ('P oloc CARD))))))
  (stage player
    (end (== (game sto TURNS) 16))
    (do ((set (game str ACT) WAIT)))
    (choice (
      (label (WAIT) (set (game str ACT) WAIT))
      (label (BET) (set (game str ACT) BET))))
    (do (
      ((== (game str ACT) BET)
        (do (
          ((== (cardatt COLOR (top ((current player) oloc CARD))) RED) (inc (game sto SCORE)))
          (move (top ((current player) oloc CARD)) (top (game vloc OPEN)))
          (move (top (game iloc STOCK)) (top ((current player) oloc CARD))))))
      ((< (game sto TURNS) TIMES) (set ((next player) str TOLD) WORD))
      (inc (game sto TURNS)))))
  (scoring max (game sto SCORE)))
"""
"""Everybody sees the card of the other, and wins a point by betting that the own one is red."""

COLOR = "(cardatt COLOR (top ((next player) oloc CARD)))"
WAIT, BET = range(2)


def bets(word: str, times: int = 16) -> Game:
    """Return the game in which the next player is told something, at first or always."""
    text = BETS.replace("WORD", word).replace("TIMES", str(times))
    return Game.from_text(text, engine="native")


def worth(game: Game, playouts: str) -> float:
    """Return the mean points of a search."""
    task = SearchTask(300, mode="consistent", playouts=playouts)
    result = game.start(1).search(Stream(1), task)
    assert result.failed == 0
    return sum(option.gained for option in result.options) / result.iterations


def test_informed_playouts_go_by_what_is_told() -> None:
    """Who is told the color bets on every red card, as greedy playouts do untold; others wait."""
    told, untold = (worth(bets(word), "informed") for word in (COLOR, "RED"))
    assert untold < 1.5
    assert told > 2 * untold


@pytest.mark.parametrize("worlds", [SearchWorlds.EACH, SearchWorlds.ONE])
def test_informed_playouts_go_on_from_worlds_that_are_weighted(worlds: SearchWorlds) -> None:
    """Both know of their red cards, and bet on them in playouts: about half a point each more."""
    state = bets(COLOR, times=2).start(4)
    for _ in range(2):
        state.play(WAIT)
    task = SearchTask(200, mode="consistent", playouts="informed", worlds=worlds)
    wait, _ = state.search(Stream(1), task, inference=Inference(UniformModel(), 20)).options
    assert wait.points is not None
    assert wait.points > 2.25


def test_informed_playouts_depend_on_nothing_that_the_seat_has_not_seen() -> None:
    """Games of which a seat has seen the same give the same searches."""
    game, alike = bets(COLOR, times=1), dict[object, list[State]]()
    for seed in range(1, 40):
        state = game.start(seed)
        state.play(WAIT)
        alike.setdefault(state.information(1), []).append(state)
    for worlds in (SearchWorlds.EACH, SearchWorlds.ONE):
        task = SearchTask(60, mode="consistent", playouts="informed", worlds=worlds)
        for states in alike.values():
            assert len({str(state.search(Stream(7), task)) for state in states}) == 1
    assert any(len({state.position() for state in states}) > 1 for states in alike.values())


def test_webassembly_searches_by_what_seats_know_alike() -> None:
    state = bets(COLOR).start(2)
    other = bets(COLOR).with_engine("wasm").start(2)
    task = SearchTask(60, mode="consistent", playouts="informed")
    assert state.search(Stream(1), task) == other.search(Stream(1), task)
