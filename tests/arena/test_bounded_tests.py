"""Where a contest has the bound of its test from, and what rests on a known range of scores."""

from __future__ import annotations

import json
import pickle
from typing import TYPE_CHECKING

import pytest

from cardwright import Game, ladder, play_match, tournament
from cardwright.arena.bounds import ScoreRangeError
from cardwright.arena.report import difference_rows, standing_rows
from cardwright.errors import PlanError
from cardwright.statistics import SequentialTest

if TYPE_CHECKING:
    from pathlib import Path

KUHN = Game.load("kuhn", engine="interpreter")

RULES = """(game
  (declare 2 'BIG)
  (setup (create players 2)
    (create deck (game iloc STOCK) (deck (RANK (ONE, TWO, THREE, FOUR)))))
  (do ((shuffle (game iloc STOCK))
    (all player 'P (move (top (game iloc STOCK)) (top ('P iloc HAND))))))
  (stage player (end (== (game sto TURNS) 2))
    (do ((inc (game sto TURNS))))
    (choice ((set ((current player) sto BET) 'BIG) (set ((current player) sto BET) 1))))
  (scoring max (tri ((current player) sto BET))))
"""
"""A bet of 1 pays 1, one of 2 pays 3, one of 3 pays 6; nothing is proved of `tri`."""

RANGES = """
[[scores]]
least = 1
most = 3
condition = "(== 'BIG 2)"

[[scores]]
least = 1
most = 5
condition = "(== 'BIG 3)"
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    (tmp_path / "bets.rcy").write_text(RULES)
    return tmp_path / "bets.rcy"


def test_a_test_of_points_without_a_bound_is_no_test(game: Path) -> None:
    test = SequentialTest(0, 1)
    words = (
        r"no range of scores of .*bets.rcy is proved .*--bound POINTS.*\[\[scores\]\].*measure win"
    )
    with pytest.raises(PlanError, match=words) as caught:
        play_match(str(game), "random,random", deals=300, seed=1, test=test)
    assert caught.value.wrong_call
    found = play_match(
        str(game), "random,random", deals=300, seed=1, test=SequentialTest(0, 0.5), measure="win"
    )
    assert found.tested is not None
    assert (found.tested.bound_basis, found.tested.verdict.bound) == ("shares", 1.0)
    assert found.score_range is None
    assert not found.guaranteed


def test_a_bound_is_proved_declared_or_stated(game: Path) -> None:
    proved = play_match(KUHN, "random,random", deals=150, seed=1, test=SequentialTest(0, 1))
    assert (proved.tested.bound_basis, proved.tested.verdict.bound) == ("proved", 4.0)
    stated = play_match(
        KUHN, "random,random", deals=150, seed=1, test=SequentialTest(0, 1, bound=9)
    )
    assert (stated.tested.bound_basis, stated.tested.verdict.bound) == ("stated", 9.0)
    game.with_suffix(".toml").write_text(RANGES)
    declared = play_match(str(game), "random,random", deals=150, seed=1, test=SequentialTest(0, 1))
    assert (declared.tested.bound_basis, declared.tested.verdict.bound) == ("declared", 2.0)
    assert declared.score_range.record() == {
        "least": 1, "most": 3, "basis": "declared", "total": None,
    }  # fmt: skip
    with pytest.raises(PlanError, match="it is 3 or more to tell 0 from 3, not 2") as caught:
        play_match(str(game), "random,random", deals=150, seed=1, test=SequentialTest(0, 3))
    assert caught.value.wrong_call


def test_a_stated_bound_that_is_broken_ends_the_match(game: Path) -> None:
    test = SequentialTest(0, 0.5, bound=1.0)
    with pytest.raises(PlanError, match=r"cannot go on: a deal is worth .* beyond its bound of 1"):
        play_match(str(game), "random,random", deals=300, seed=1, test=test)


def test_a_declared_range_that_is_broken_ends_any_contest(game: Path, tmp_path: Path) -> None:
    """Without records and with, by workers, and when what was recorded before is read again."""
    game.with_suffix(".toml").write_text(RANGES)
    broken = Game.load(str(game), BIG=3)
    assert broken.declared_scores == (1, 5)
    assert pickle.loads(pickle.dumps(broken)).declared_scores == (1, 5)
    assert broken.with_engine("interpreter").late().brief().declared_scores == (1, 5)
    said = r"seat p\d got 6 in deal \d+ at table \d, but the file .* scores from 1 to 5: correct"
    for play in (
        lambda **more: play_match(broken, "random,random", deals=20, seed=1, **more),
        lambda **more: tournament(broken, "random,random", deals=20, seed=1, **more),
        lambda **more: ladder(broken, "random", "random", deals=20, seed=1, **more),
    ):
        with pytest.raises(ScoreRangeError, match=said):
            play()
    with pytest.raises(ScoreRangeError, match=said):
        play_match(broken, "random,random", deals=20, seed=1, workers=2)
    game.with_suffix(".toml").write_text("")
    again = Game.load(str(game), BIG=3)
    folder = tmp_path / "run"
    play_match(again, "random,random", deals=20, seed=1, records=folder)
    game.with_suffix(".toml").write_text(RANGES)
    with pytest.raises(ScoreRangeError, match=said):
        play_match(broken, "random,random", deals=20, seed=1, records=folder, resume=True)


def test_guaranteed_intervals_stand_beside_students() -> None:
    found = play_match(KUHN, "first,random", deals=60, seed=1)
    assert found.guaranteed
    one = found.standings[0]
    for student, guaranteed in (
        (one.score, one.score_guaranteed),
        (found.difference(0, 1).score, found.difference(0, 1).score_guaranteed),
        (found.difference(1, 0).score, found.difference(1, 0).score_guaranteed),
        (found.seats[0].effect, found.seats[0].effect_guaranteed),
    ):
        assert guaranteed.low < student.low < student.high < guaranteed.high
        assert guaranteed.mean == pytest.approx(student.mean)
        assert guaranteed.count == student.count == 60
    data = json.loads(json.dumps(found.record()))
    assert data["score_range"] == {"least": -2, "most": 2, "basis": "proved", "total": 0}
    assert data["standings"][0]["score_guaranteed"] == one.score_guaranteed.record()
    assert data["differences"][0]["score_guaranteed"]["low"] < 0
    assert data["seats"][0]["score_effect_guaranteed"]["deals"] == 60
    for rows in (standing_rows, difference_rows):
        columns, (first, *_) = rows(found)
        named = dict(zip(columns, first, strict=True))
        assert named["score_guaranteed_low"] < named["score_low"]
        assert named["score_guaranteed_high"] > named["score_high"]
    assert "guaranteed" in found._repr_html_()
    over = ladder(KUHN, "first,random", "random", deals=60, seed=1).standings[0]
    assert over.over_field_guaranteed.low < over.over_field.low
    assert over.record()["over_field_guaranteed"]["high"] > over.over_field.high
    three = tournament(KUHN, "first,random,first", deals=20, seed=1)
    assert all(one.score_guaranteed for one in three.standings)


def test_a_match_that_its_test_ended_guarantees_no_interval() -> None:
    """They are for a number of deals that did not depend on what they showed."""
    test = SequentialTest(0, 0.5, least=10)
    ended = play_match(KUHN, "first,random", deals=2000, seed=1, test=test)
    assert ended.played < 2000
    assert not ended.guaranteed
    assert ended.record()["differences"][0]["score_guaranteed"] is None
    assert "guaranteed" not in ended._repr_html_()
    whole = play_match(KUHN, "random,random", deals=10, seed=1, test=SequentialTest(0, 0.5))
    assert whole.tested.verdict.accepted == "undecided"
    assert whole.guaranteed
