"""The programs in `examples` run, and do what they say."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cardwright import Game, play_random, simulate
from deep import usually

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(name: str, *args: str) -> str:
    """Run an example and return what it prints."""
    command = [sys.executable, str(EXAMPLES / name), *args]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_hearts_on_a_page_is_hearts_of_the_library() -> None:
    """The same options in the same order, and the same scores, also of who shoots the moon."""
    short, full = Game.load(EXAMPLES / "hearts.rcy"), Game.load("hearts")
    for seed in range(3):
        states = [game.start(seed=seed) for game in (short, full)]
        while not states[0].finished:
            options, expected = (state.contents() for state in states)
            assert options == expected
            for state in states:
                state.play(seed % len(options))
        assert states[1].finished
    scores, expected = (play_random(game, range(20_000)).scores for game in (short, full))
    assert (scores == expected).all()
    assert (scores == -26).any()


@pytest.mark.slow
def test_a_linear_policy_learns_hearts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After a few rounds it takes fewer points than players at random do, 6.5 on average."""
    saved = tmp_path / "policy.npz"
    example = runpy.run_path(str(EXAMPLES / "train_hearts.py"))
    monkeypatch.setitem(example["main"].__globals__, "DEALS", usually(16, 64))
    words = ("train_hearts.py", "--rounds", str(usually(12, 25)), "--save", str(saved))
    monkeypatch.setattr(sys, "argv", list(words))
    example["main"]()
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("on 4,000 new deals: ")
    assert float(last.split()[4]) < 5.9
    with np.load(saved) as policy:
        assert policy["weights"].shape == (len(policy["columns"]), 52)


@pytest.mark.slow
def test_a_policy_with_history_plays_by_the_layout_it_was_trained_on(tmp_path: Path) -> None:
    saved = tmp_path / "policy.npz"
    run("train_hearts.py", "--rounds", "1", "--history", "4", "--save", str(saved))
    layout = Game.load("hearts").observation_layout(4)
    with np.load(saved) as policy:
        assert policy["columns"].tolist() == list(layout.columns)
        assert policy["weights"].shape == (layout.size, 52)
    player = f"python:{EXAMPLES / 'train_hearts.py'}:Linear,file={saved}"
    played = simulate("hearts", [player, "rule", "rule", "rule"], games=2, seed=1, workers=1)
    assert not played.summary.errors
