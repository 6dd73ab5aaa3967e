"""Studies: which batches are played, where, and what of it can go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardwright.analysis.records import RunFrames
from cardwright.analysis.results import Study
from cardwright.analysis.subject import Title, subject
from cardwright.arena.plan import GameRef, PlanError
from cardwright.arena.records import read_table
from cardwright.jobs.files import RecordsError
from cardwright.study import play as studies
from cardwright.study.play import StudySettings, bulk_games, play_study

if TYPE_CHECKING:
    from pathlib import Path

PLAYER = "cardstock-pipmc:tests=1"


def test_batches_seat_the_thinker_where_they_should() -> None:
    plans = StudySettings(9, PLAYER, 30, 4).plans(GameRef.of("agram"))
    assert list(plans) == ["RR", "AR", "AA"]
    who = {
        name: [one.entrants[at] for at in one.tables[0]]  # one table a batch
        for name, one in plans.items()
    }
    assert who == {
        "RR": ["random"] * 3,
        "AR": [PLAYER, "random", "random"],
        "AA": [PLAYER] * 3,
    }
    assert [one.deals for one in plans.values()] == [30, 4, 4]
    assert {one.seed for one in plans.values()} == {9}
    assert {one.detail for one in plans.values()} == {"decisions"}


def test_a_game_of_one_seat_has_no_thinker_among_others() -> None:
    assert list(StudySettings(0, PLAYER, 30, 4).plans(GameRef.of("blackjack"))) == ["RR", "AA"]


def test_without_thinking_games_there_are_random_ones_only() -> None:
    assert list(StudySettings(0, PLAYER, 30, 0).plans(GameRef.of("agram"))) == ["RR"]


@pytest.mark.parametrize(("random", "thinking"), [(0, 5), (5, -1)])
def test_numbers_of_games_make_sense(random: int, thinking: int) -> None:
    with pytest.raises(PlanError):
        StudySettings(0, PLAYER, random, thinking)


def test_more_random_games_than_are_recorded_are_played_in_bulk(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(studies, "MOST_RECORDED", 40)
    settings, game = StudySettings(2, PLAYER, 3_000, 0), GameRef.of("leduc")
    assert settings.plans(game)["RR"].deals == settings.recorded == 40
    folders = play_study(game, settings, tmp_path)
    records = {"RR": RunFrames.of_folder(folders["RR"])}
    title = Title("leduc", "leduc", "leduc", 2)
    bulk = bulk_games(game, settings, 1)
    found = subject(title, records, Study(resamples=50), bulk=bulk)  # type: ignore[arg-type]
    games = {(row.name, row.batch): row.games for row in found.rows}
    assert games["decisions", "RR"] == games["fairness", "RR"] == 3_000
    assert games["convergence", "RR"] == 40  # it needs every decision
    assert found.bulk is not None
    assert found.bulk.games == 3_000
    mean = found.row("shape", "decisions", "RR")
    assert mean is not None
    assert mean.value == pytest.approx(found.bulk.mean_length)
    assert mean.low <= mean.value <= mean.high


def test_a_study_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    plan = GameRef.of("leduc"), StudySettings(3, PLAYER, 20, 6)

    def interrupt(batch: str, done: int, total: int) -> None:
        if batch == "AR" and done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_study(*plan, tmp_path / "cut", progress=interrupt)
    with pytest.raises(RecordsError, match="already a run"):
        play_study(*plan, tmp_path / "cut")
    cut = play_study(*plan, tmp_path / "cut", resume=True)
    whole = play_study(*plan, tmp_path / "whole")
    for batch in ("RR", "AR", "AA"):
        for table in ("results", "decisions"):
            left, right = read_table(cut[batch], table), read_table(whole[batch], table)
            assert left.equals(right)


def test_all_batches_play_the_same_deals(tmp_path: Path) -> None:
    folders = play_study(GameRef.of("leduc"), StudySettings(5, PLAYER, 8, 8), tmp_path)
    seeds = [read_table(one, "games")["seed"].to_list() for one in folders.values()]
    assert seeds[0] == seeds[1] == seeds[2]
    assert len(set(seeds[0])) == 8
