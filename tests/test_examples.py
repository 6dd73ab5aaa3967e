"""The programs in `examples` run, and do what they say."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

from cardwright import Game, play_random, simulate
from deep import usually

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_hearts_on_a_page_is_hearts_of_the_library() -> None:
    """The same options in the same order, and the same scores, also of who shoots the moon."""
    short, full = Game.load(EXAMPLES / "hearts.rcy"), Game.load("hearts")
    for seed in range(usually(1, 3)):
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


def trained(patch: pytest.MonkeyPatch, saved: Path, rounds: int, *words: str, **sizes: int) -> None:
    """Let the example train a policy in this process, on so many deals and new ones."""
    example = runpy.run_path(str(EXAMPLES / "train_hearts.py"))
    for name, size in sizes.items():
        patch.setitem(example["main"].__globals__, name, size)
    given = ("train_hearts.py", "--rounds", str(rounds), "--save", str(saved), *words)
    patch.setattr(sys, "argv", list(given))
    example["main"]()


@pytest.mark.slow
def test_a_linear_policy_learns_hearts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After a few rounds it takes fewer points than players at random do, 6.5 on average."""
    saved = tmp_path / "policy.npz"
    sizes = usually({"DEALS": 16, "NEW_DEALS": 1500}, {})
    trained(monkeypatch, saved, usually(9, 25), **sizes)
    last = capsys.readouterr().out.splitlines()[-1]
    assert re.match("on [14],[05]00 new deals: ", last)
    assert float(last.split()[4]) < 5.9
    with np.load(saved) as policy:
        assert policy["weights"].shape == (len(policy["columns"]), 52)


@pytest.mark.slow
def test_a_policy_with_history_plays_by_the_layout_it_was_trained_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = tmp_path / "policy.npz"
    trained(monkeypatch, saved, 1, "--history", "4", DEALS=4, NEW_DEALS=100)
    layout = Game.load("hearts").observation_layout(4)
    with np.load(saved) as policy:
        assert policy["columns"].tolist() == list(layout.columns)
        assert policy["weights"].shape == (layout.size, 52)
    player = f"python:{EXAMPLES / 'train_hearts.py'}:Linear,file={saved}"
    played = simulate("hearts", [player, "rule", "rule", "rule"], games=2, seed=1, workers=1)
    assert not played.summary.errors
