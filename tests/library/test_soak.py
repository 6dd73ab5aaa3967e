"""`scripts/soak` finds what it is for: games that break a rule, and engines that disagree."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

import soak_run
from differential import Difference
from soak_run import OFTEN, Part, blocks, compared_games, native_games

BREAKS = str(Path(__file__).parents[1] / "interfaces" / "data" / "breaks.rcy")
"""A game that ends well or breaks a rule, as the first player chooses."""


def test_good_games_are_counted() -> None:
    native = native_games(("leduc", {"ANTE": 3}), range(50))
    assert (native.what, native.native, native.wrong) == ("leduc ANTE=3", 50, [])
    both = compared_games(("agram", {"PLAYERS": 2}), range(2), OFTEN)
    assert (both.both, both.decisions, both.wrong) == (2, 24, [])


def test_a_game_that_breaks_a_rule_is_wrong() -> None:
    """The first ones are told with their seeds, and how many there are; on both engines, too."""
    part = native_games((BREAKS, {}), range(40))
    assert part.native == 40
    assert len(part.wrong) == soak_run.TOLD + 1
    assert ", seed " in part.wrong[0]
    assert "of range(0, 40) break a rule" in part.wrong[-1]
    told = int(part.wrong[0].split(", seed ")[1].split(":")[0])
    both = compared_games((BREAKS, {}), range(told, told + 1), OFTEN)
    assert len(both.wrong) == 1
    assert f"seed {told}: ended by " in both.wrong[0]


def test_a_game_that_does_not_load_is_wrong() -> None:
    for part in (
        native_games(("leduc", {"NOSUCH": 1}), range(2)),
        compared_games(("leduc", {"NOSUCH": 1}), range(2), OFTEN),
    ):
        assert len(part.wrong) == 1
        assert "NOSUCH" in part.wrong[0]


def test_engines_that_disagree_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """A difference ends the job with what it says; so does anything unforeseen."""

    def differ(*_: object) -> None:
        raise Difference("scores of leduc, seed 7")

    monkeypatch.setattr(soak_run, "random_games", differ)
    assert compared_games(("leduc", {}), range(5), OFTEN).wrong == [
        "leduc: scores of leduc, seed 7"
    ]
    monkeypatch.setattr(soak_run, "random_games", json.loads)
    (told,) = compared_games(("leduc", {}), range(5), OFTEN).wrong
    assert "TypeError" in told


@pytest.mark.parametrize(("wrong", "code"), [([], 0), (["agram, seed 3: division"], 1)])
def test_the_exit_code_says_whether_anything_is_wrong(
    wrong: list[str], code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    part = Part("agram", native=1200, both=2, decisions=36, wrong=wrong)
    monkeypatch.setattr(soak_run, "soak", lambda _: {"agram": part})
    monkeypatch.setattr(soak_run, "arguments", argparse.Namespace)
    assert soak_run.main() == code
    said = capsys.readouterr().out.splitlines()
    number = f"{len(wrong)} wrong"
    assert said == [
        f"agram: 1,200 native games; 2 on both engines, 36 decisions; {number}",
        *wrong,
        f"1 variants, {number}",
    ]


def test_blocks_are_all_seeds_once() -> None:
    assert list(blocks(3, 12, 5)) == [range(3, 8), range(8, 13), range(13, 15)]
    assert list(blocks(0, 0, 5)) == []
