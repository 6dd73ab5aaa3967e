"""Searches in a match look to the end of the deal, unless asked to look to that of the match."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cardwright import Game, Stream
from cardwright.game.search import Horizon, SearchReward, SearchTask, SearchWorlds
from cardwright.players.kind import FULL_TRUST
from cardwright.players.spec import parse_spec
from deep import usually
from search_model import Model

if TYPE_CHECKING:
    from cardwright import State

MATCH = """(game
 (setup (create players 2) {teams}
  (create deck (game iloc STOCK) (deck (VAL (A, B, C, D, E, F, G)))))
 (do ((set (game points W) (((VAL : A) 1) ((VAL : B) 2) ((VAL : C) 3) ((VAL : D) 4)))))
 (stage {turns} (end (any player 'P (>= ('P sto SCORE) 12)))
  (do ((all player 'P (repeat all (move (top ('P iloc HAND)) (top (game iloc STOCK)))))
   (repeat all (move (top (game vloc ROW)) (top (game iloc STOCK))))
   (shuffle (game iloc STOCK))
   (all player 'P (repeat 3 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))
  (stage player (end (all player 'P (== (size ('P iloc HAND)) 1)))
   (choice (
    (any ((current player) iloc HAND) 'C
     (do ((inc ((current player) sto SCORE) (score 'C using (game points W)))
      (move 'C (top (game vloc ROW))))))
    (any ((current player) iloc HAND) 'C
     (do ((inc ((next player) sto SCORE)) (move 'C (top (game vloc ROW))))))))))
 (do ((all player 'P (set ('P sto SCORE) (* 100 ('P sto SCORE))))))
 (scoring max (+ ((current player) sto SCORE) (* 5 (size ((current player) iloc HAND))))))"""


ONE = MATCH.format(teams="", turns="player")
TEAMS = MATCH.format(teams="(create teams (1) (2))", turns="team")
"""Cards are played for points, or thrown away, which gives the other one; cards held count too."""


def later(game: Game, seed: int, decisions: int) -> State:
    """A state some decisions into a match, the same for every engine."""
    state, stream = game.start(seed), Stream(seed)
    for _ in range(decisions):
        state.play(stream.below(state.option_count))
    return state


def both(text: str, seed: int, decisions: int) -> list[State]:
    return [
        later(Game.from_text(text, engine=engine), seed, decisions)
        for engine in ("native", "interpreter")
    ]


@pytest.mark.sweep
@pytest.mark.parametrize("text", [ONE, TEAMS], ids=["players", "teams"])
@pytest.mark.parametrize("horizon", Horizon)
@pytest.mark.parametrize(
    "settings",
    [
        {"reward": SearchReward.RANK},
        {"reward": SearchReward.SCORE, "many": True},
        {"reward": SearchReward.MARGIN, "worlds": SearchWorlds.TRUE},
        {"reward": SearchReward.WIN, "again": True},
    ],
    ids=["ranks", "scores", "margins", "wins"],
)
def test_both_engines_search_to_the_same_horizon(text, horizon, settings):
    """The machine code finds what the model over the interpreter finds, in every deal."""
    for decisions in (1, 6, 9):
        native, slow = both(text, 3, decisions)
        task = SearchTask(iterations=usually(15, 40), horizon=horizon, **settings)
        found = native.search(Stream(5), task)
        figures = [(one.visits, one.available, one.rewards) for one in found.options]
        assert figures == Model(slow, task, Stream(5)).run()
        assert found.failed == 0


@pytest.mark.sweep
@pytest.mark.parametrize("text", [ONE, TEAMS], ids=["players", "teams"])
@pytest.mark.parametrize("horizon", Horizon)
@pytest.mark.parametrize("how", [{}, {"shared": False, "mode": "known"}, {"mode": "consistent"}])
def test_both_engines_roll_out_to_the_same_horizon(text, horizon, how):
    for decisions in (0, 7):
        streams = Stream(9), Stream(9)
        tables = [
            state.flat(state.player, stream, 4, 2, horizon=horizon, **how)
            for state, stream in zip(both(text, 4, decisions), streams, strict=True)
        ]
        assert tables[0] == tables[1]
        assert streams[0].words == streams[1].words


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_at_the_end_of_a_deal_what_it_brought_since_the_decision_counts(engine):
    """Of the last decision of a deal that is little, whatever has been won before."""
    state = later(Game.from_text(ONE, engine=engine), 3, 7)
    assert len(state.cards(state.player, "iloc", "HAND")) == 2
    table = state.flat(state.player, Stream(1), 1)
    worth = {"A": 1, "B": 2, "C": 3, "D": 4}
    for content, option in zip(state.contents(), table.options, strict=True):
        ((_, card),) = content.picks
        value = worth.get(state.game.cards[card].attributes["VAL"], 0)
        # A card less is held than before, which is 5 points less; or the other has one more.
        expected = [value - 5, 0] if content.branch == 0 else [-5, 1]
        mine = state.player
        assert [option.scores[mine], option.scores[1 - mine]] == expected
        assert option.count == 1
    match = state.flat(state.player, Stream(1), 1, horizon="match")
    assert max(option.scores[0] for option in match.options) >= 1200 - 500


def test_a_match_of_hearts_is_searched_to_the_end_of_the_deal():
    """All points of a deal are 26, or 78 if somebody shoots the moon, however the match stands."""
    state = later(Game.load("hearts", preset="standard", END=60), 2, 60)
    table = state.flat(state.player, Stream(1), 30)
    for option in table.options:
        assert 26 * option.count <= sum(option.scores) <= 78 * option.count
        assert (sum(option.scores) - 26 * option.count) % 52 == 0
    match = state.flat(state.player, Stream(1), 3, horizon="match")
    assert all(sum(option.scores) >= 60 * option.count for option in match.options)


def test_the_engine_plays_matches_to_the_end_after_a_search():
    """What searches ask of the engine does not outlast them, even if they are interrupted."""
    state = later(Game.load("hearts", preset="standard", END=30), 2, 60)
    state.search(Stream(1), SearchTask(iterations=50))
    state.flat(state.player, Stream(1), 2)
    ends = state.rollouts(20, Stream(1))
    assert ends.count == 20
    assert sum(ends.scores) >= 20 * 30
    state.flat(state.player, Stream(1), 2, horizon="match")
    long = state.search(Stream(1), SearchTask(iterations=50, horizon="match"))
    assert long != state.search(Stream(1), SearchTask(iterations=50))


@pytest.mark.parametrize("name", ["hearts", "gofish", "scopa"])
def test_where_there_is_one_deal_the_horizon_makes_no_difference(name):
    state = later(Game.load(name), 3, 5)
    found = [state.search(Stream(1), SearchTask(iterations=60, horizon=h)) for h in Horizon]
    assert replace(found[0], one_deal=found[1].one_deal) == found[1]
    tables = [state.flat(state.player, Stream(1), 4, horizon=h) for h in Horizon]
    assert tables[0] == tables[1]


@pytest.mark.parametrize("spec", ["pimc", "bandit", "ismcts", "pimc-uct", "mcts-cheating"])
def test_players_look_to_the_end_of_the_deal_unless_told_otherwise(spec):
    players = [parse_spec(text, FULL_TRUST).build() for text in (spec, f"{spec}:horizon=match")]
    assert [player.horizon for player in players] == list(Horizon)
