"""Games of a season replayed as any other game."""

from __future__ import annotations

import numpy as np
import pytest
from season_folders import make_season
from site_browser import NAMES, plan_of, play

from cardwright.jobs.files import RecordsError
from cardwright.league.block import BlockError, BlockTally, SeasonBlock
from cardwright.league.dealer import league_game
from cardwright.league.records import played_match
from cardwright.league.run import play_season


@pytest.fixture(scope="module")
def season(tmp_path_factory):
    folder = make_season(
        tmp_path_factory.mktemp("seasons") / "one", bots={}, builtins=("builtin:random",) * 4
    )
    return play_season(folder, seed=11)


def test_choices_give_the_same_game(season):
    """A game's choices, played from its seed, end it with the points that the season counted."""
    totals = np.concatenate([BlockTally.of(block).totals for block in season.all_blocks()])
    game = league_game(season.plan.rules)
    for number in (0, 9, 23):
        match = played_match(season, number)
        state = game.replay(match.seed, match.choices)
        assert state.finished
        assert state.scores == tuple(totals[number].tolist())
        assert match.bots == tuple(
            season.plan.bots[entry].name for entry in season.plan.schedule[number]
        )


def test_games_that_are_not_there(tmp_path):
    """A number that the season has not, and a game that is not played yet, are told apart."""
    season = play(tmp_path / "half", plan_of(NAMES, 10), blocks=1)
    with pytest.raises(RecordsError, match="has games 1 to 10, and no 11"):
        played_match(season, 10)
    with pytest.raises(RecordsError, match="and no 0"):
        played_match(season, -1)
    with pytest.raises(RecordsError, match="game 8 of the season has not been played yet"):
        played_match(season, 7)


def test_choices_of_another_game_are_refused(tmp_path):
    """Cards that were not dealt so, which a damaged or invented record has, are an error."""
    season = play(tmp_path / "invented", plan_of(NAMES, 5))
    with pytest.raises(BlockError, match="is none of the game"):
        played_match(season, 0)


@pytest.mark.parametrize("cut", ["end", "rule"])
def test_broken_choices_are_refused(season, monkeypatch, cut):
    """A game that goes on after its record is an error, and so is a card that breaks a rule."""
    block = next(season.all_blocks())
    rounds, plays = block.rounds.copy(), block.plays.copy()
    if cut == "end":
        kept = np.delete(plays, int(rounds[0]) - 1, axis=0)
        rounds[0] -= 1
        said = "the game goes on"
    else:
        kept = plays
        turn = _unlawful(kept[0].tolist())
        kept[0, 12], kept[0, turn] = plays[0, turn], plays[0, 12]
        said = "breaks the rules"
    broken = SeasonBlock(block.first, rounds, kept)
    monkeypatch.setattr("cardwright.jobs.folder.Blocks.read", lambda *_: broken)
    with pytest.raises(BlockError, match=said):
        played_match(season, 0)


def _unlawful(choices):
    """Return when the first leader, who must lead the two of clubs, plays another card."""
    leader = choices[12] >> 6
    return next(turn for turn in range(13, 64) if choices[turn] >> 6 == leader)
