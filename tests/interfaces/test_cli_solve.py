"""`solve` and `exploit`: what they print, keep and refuse."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from cardwright.interfaces.cli.words import INTERRUPTED
from cardwright.solve.regret import RegretMinimizer
from cardwright.solve.samples import GainsByDeal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    Run = Callable[..., Result]


def test_a_strategy_is_shown_in_words(run: Run) -> None:
    result = run("solve", "kuhn", "--method", "lp")
    assert result.exit_code == 0, result.output
    assert "kuhn: 12 information sets, lp" in result.stdout
    assert "p1 -0.055556, p2 0.055556 (score)" in result.stdout
    assert "exploitability  0.000000" in result.stdout
    assert "your HAND: K | p1 ACTION: BET" in result.stdout
    assert result.stderr == ""


def test_what_numbers_are_is_named(run: Run) -> None:
    """Margins and shares beside the game's own scores; scores alone where seats want these."""
    score = run("solve", "kuhn", "--iterations", "20").stdout
    assert "(score)" in score
    assert "mean scores" not in score
    words = ("solve", "kuhn", "--iterations", "20", "--utility", "margin")
    margin, data = run(*words).stdout, json.loads(run(*words, "--json").stdout)
    assert "(margin, a seat's score less the mean of the others')" in margin
    assert f"mean scores     p1 {data['scores'][0]:.6f}, p2 {data['scores'][1]:.6f}" in margin
    assert data["values"][0] == pytest.approx(2 * data["scores"][0])
    exact = run("exploit", "first", "kuhn", "--seed", "1", "--utility", "win").stdout
    assert "share of the win less an even one" in exact


def test_a_strategy_is_data_too(run: Run) -> None:
    data = json.loads(run("solve", "kuhn", "--iterations", "50", "--json").stdout)
    assert (data["game"], data["method"], data["iterations"]) == ("kuhn", "cfr+", 50)
    assert len(data["information_sets"]) == 12
    rows = list(csv.DictReader(io.StringIO(run("solve", "kuhn", "--csv").stdout)))
    assert len(rows) == 24
    assert sum(float(row["probability"]) for row in rows) == pytest.approx(12)


def test_sampling_says_that_it_does_not_know_the_exploitability(run: Run) -> None:
    words = ("solve", "kuhn", "--method", "mccfr", "--iterations", "500", "--seed", "3")
    result = run(*words)
    assert result.exit_code == 0, result.output
    assert "kuhn: 12 information sets, mccfr, 500 iterations" in result.stdout
    assert "exploitability  not computed" in result.stdout
    data = json.loads(run(*words, "--json").stdout)
    assert data["exploitability"] is None
    assert data == json.loads(run(*words, "--json").stdout)
    assert data != json.loads(run(*words[:-1], "4", "--json").stdout)
    refused = run(*words, "--target", "0.1")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "give no target" in refused.stderr


def test_a_saved_strategy_goes_on_and_plays(run: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "kuhn.json")
    first = run("solve", "kuhn", "--iterations", "10", "--save", file)
    assert f"plays as solved:{file}" in first.stdout
    again = run("solve", "kuhn", "--save", file)
    assert again.exit_code == 2
    assert "--resume" in again.stderr
    more = run("solve", "kuhn", "--iterations", "60", "--save", file, "--resume", "--json")
    whole = run("solve", "kuhn", "--iterations", "60", "--json")
    assert more.stdout == whole.stdout
    played = run("simulate", "kuhn", "--players", f"solved:{file}", "--games", "20", "--seed", "1")
    assert played.exit_code == 0, played.output
    wrong = run("simulate", "coin.rcy", "--players", f"solved:{file}", "--games", "2")
    assert wrong.exit_code == 1
    assert "a strategy for kuhn with other rules" in wrong.stderr


def test_an_interrupted_solution_is_kept(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_self: RegretMinimizer, _count: int = 1) -> None:
        raise KeyboardInterrupt

    file = tmp_path / "kuhn.json"
    run("solve", "kuhn", "--iterations", "10", "--save", str(file))
    monkeypatch.setattr(RegretMinimizer, "iterate", interrupted)
    result = run("solve", "kuhn", "--save", str(file), "--resume")
    assert result.exit_code == INTERRUPTED
    assert json.loads(file.read_text())["iterations"] == 10


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("solve hearts", r"is too large: it has about 10^"),
        ("solve kuhn --nodes 20", "at 20 nodes, the most allowed"),
        ("solve kuhn --method lp --set PLAYERS=3", "this one has 3 players"),
        ("exploit mcts-cheating kuhn", "sees hidden cards"),
        ("exploit random hearts --exact", "too large"),
    ],
)
def test_what_cannot_be_done_is_1(run: Run, words: str, said: str) -> None:
    result = run(*words.split())
    assert result.exit_code == 1
    assert said in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    "words",
    [
        "solve kuhn --resume", "solve nosuch", "solve kuhn --method x", "solve kuhn --iterations 0",
        "exploit nosuch kuhn", "exploit random", "exploit random kuhn --exact --local",
        "exploit random kuhn --resume", "exploit random kuhn --asks 1",
        "exploit random kuhn --response nosuch --local", "exploit solved:none.json kuhn",
        "solve kuhn --save none/x.json",
    ],
)  # fmt: skip
def test_wrong_calls_are_2(run: Run, words: str) -> None:
    result = run(*words.split())
    assert result.exit_code == 2, result.output
    assert "error:" in result.stderr


def test_exploitability_is_shown_and_is_data(run: Run) -> None:
    exact = run("exploit", "first", "kuhn", "--asks", "5", "--seed", "1")
    assert "exploitability  1.000000\n" in exact.stdout
    assert "always gave the same answers" in exact.stdout
    local = ("exploit", "random", "kuhn", "--local", "--deals", "30", "--seed", "1")
    assert "exploitability  at least 0." in run(*local).stdout
    data = json.loads(run(*local, "--json").stdout)
    assert data["gain"]["deals"] == 30
    (row,) = csv.DictReader(io.StringIO(run(*local, "--csv").stdout))
    assert float(row["gain"]) == data["gain"]["mean"]


def test_an_interrupted_exploitation_says_how_to_go_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "kept.json"
    words = ("exploit", "random", "kuhn", "--local", "--deals", "12", "--save", str(file))
    original, played = GainsByDeal._row, []

    def interrupted(self: GainsByDeal, seed: int) -> list[float]:
        played.append(seed)
        if len(played) == 8:
            raise KeyboardInterrupt
        return original(self, seed)

    monkeypatch.setattr(GainsByDeal, "_row", interrupted)
    result = run(*words)
    monkeypatch.undo()
    assert result.exit_code == INTERRUPTED
    assert "To resume:" in result.stderr
    seed = result.stderr.split("--seed ")[1].split()[0]
    resumed = run(*words, "--resume", "--json")
    assert resumed.exit_code == 0, resumed.output
    assert json.loads(resumed.stdout)["seed"] == seed
    assert resumed.stdout == run(*words[:-2], "--seed", seed, "--json").stdout


def test_an_endgame_is_solved_with_open_hands(run: Run) -> None:
    """In words with the best line, and as data with the scores after each option."""
    choices = "0," * 46 + "0"
    words = ("solve", "whist", "--open-hands", "--seed", "5", "--choices", choices)
    shown = run(*words)
    assert shown.exit_code == 0, shown.output
    assert "whist, seed 5 after 47 choices: open hands" in shown.stdout
    assert "best play" in shown.stdout
    data = json.loads(run(*words, "--json").stdout)
    assert (data["method"], len(data["line"])) == ("tricks", 5)
    assert data["options"][data["line"][0]["index"]]["scores"] == data["scores"]
    rows = list(csv.DictReader(io.StringIO(run(*words, "--csv").stdout)))
    assert [row["option"] for row in rows] == [one["option"] for one in data["options"]]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("kuhn", "--choices", "0"), "--choices are those of a game that is solved with"),
        (("kuhn", "--open-hands", "--method", "lp"), "--method and --open-hands do not go"),
        (("kuhn", "--open-hands", "--choices", "x"), "'x' is not the number of an option"),
    ],
)
def test_wrong_calls_for_open_hands(run: Run, words: tuple[str, ...], why: str) -> None:
    result = run("solve", *words)
    assert result.exit_code == 2
    assert why in result.stderr


def test_an_endgame_that_is_too_large_is_refused(run: Run) -> None:
    result = run("solve", "hearts", "--open-hands", "--seed", "5", "--nodes", "100")
    assert result.exit_code == 1
    assert "the endgame is too large: more than 100 beginnings of tricks" in result.stderr
