from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from runs import Small, players_file

from cardwright import Game
from cardwright.arena.plan import ChangedGameError, GameRef, PlanError
from cardwright.arena.results import Results
from cardwright.arena.run import run
from cardwright.jobs.executor import Executor, SerialExecutor, ThreadExecutor
from cardwright.players.kind import PlayerSpecError

if TYPE_CHECKING:
    from pathlib import Path


def test_progress_is_told_up_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    run(Small().plan(), None, ThreadExecutor(2), progress=lambda *at: told.append(at))
    assert told[0] == (0, 12)
    assert told[-1] == (12, 12)
    assert told == sorted(told)


@pytest.mark.parametrize("executor", [SerialExecutor(), ThreadExecutor(2)])
def test_who_watches_is_given_every_deal_once(executor: Executor) -> None:
    seen: list[Results] = []
    done: list[int] = []
    results = run(
        Small(40).plan(), None, executor, watch=seen.append,
        progress=lambda deals, _: done.append(deals),
    )  # fmt: skip
    assert Results.joined(seen).same(results)
    assert len(seen) > 1
    assert np.cumsum([len(part) // 4 for part in seen]).tolist() == done[1:]


def test_who_watches_a_resumed_run_is_given_what_was_played_before(tmp_path: Path) -> None:
    plan = Small(40).plan()

    def interrupt(part: Results) -> None:
        if part.deal[-1] > 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(plan, tmp_path / "run", watch=interrupt)
    seen: list[Results] = []
    results = run(plan, tmp_path / "run", resume=True, watch=seen.append)
    assert seen[0].deal[0] == 0
    assert seen[0].deal[-1] > 4
    assert Results.joined(seen).same(results)


def test_times_are_of_those_who_thought(tmp_path: Path) -> None:
    results = run(Small().plan("random", "pimc:rollouts=9"))
    quick, slow = results.timing
    assert quick.decisions + slow.decisions == results.decisions.sum()
    assert slow.seconds > quick.seconds > 0
    assert slow.seconds >= slow.longest > 0


def test_a_run_goes_on_whatever_its_players_do(tmp_path: Path) -> None:
    results = run(Small().plan(f"{players_file(tmp_path)}Raising", "random"))
    assert results.finished.all()
    assert (results.faults[results.entrant == 0] == results.decisions[results.entrant == 0]).all()
    assert {one.entrant for one in results.faults_noted} == {0}
    assert not results.stopped


def test_another_seed_is_another_run() -> None:
    plan = Small().plan()
    assert run(plan).same(run(plan))
    assert not run(plan).same(run(replace(plan, seed=6)))


def test_what_cannot_be_played_is_told_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(PlayerSpecError, match="no player 'nobody'"):
        run(Small().plan("random", "nobody"), tmp_path / "run")
    with pytest.raises(PlanError, match="every 1 deal or more, not every 0"):
        run(Small().plan(), tmp_path / "run", stop=lambda _: True, check_every=0)
    file = tmp_path / "mine.rcy"
    text = Game.load("kuhn").program.source.text
    file.write_text(text)
    plan = Small().plan(game=GameRef.of(str(file), engine="interpreter"))
    run(plan)
    file.write_text(text + ";")
    with pytest.raises(ChangedGameError, match="has changed since the plan was made"):
        run(plan, tmp_path / "run")
    assert not (tmp_path / "run").exists()
