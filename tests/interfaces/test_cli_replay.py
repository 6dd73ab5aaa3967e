from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from cardwright.game.engines import ENGINES

Run = Callable[..., Result]


def test_the_options_that_are_due(run: Run) -> None:
    result = run("replay", "coin.rcy", "--seed", "5", "--choices", "1,0")
    assert result.exit_code == 0
    assert (
        result.stdout
        == """\
coin.rcy, seed 5

1. p1 chooses
    0  CALL: HEADS
  > 1  CALL: TAILS

2. p2 chooses
  > 0  CALL: HEADS
    1  CALL: TAILS

p1 has to choose from 2 options
    0  CALL: HEADS
    1  CALL: TAILS
"""
    )


def test_a_long_game_that_stopped_is_kept_in_a_file_that_replay_reads(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `play` says after an error of a long game is a command that shows the error again."""
    (tmp_path / "lasts.rcy").write_text(Path("lasts.rcy").read_text())
    monkeypatch.chdir(tmp_path)
    lasts = ("lasts.rcy", "--engine", "interpreter", "--seed", "7")
    stopped = run("play", *lasts, "--auto", "--players", "random", "--no-save")
    assert stopped.exit_code == 1
    assert "its seed is 7, and it has had 250 choices" in stopped.stderr
    command = stopped.stderr.split("to see it again: cardwright ")[1].split()
    assert command == ["replay", "lasts.rcy", "--seed", "7", "--choices-file", "lasts-7.choices"]
    again = run(*command)
    assert again.exit_code == 1
    assert "250. p2 chooses" in again.stdout
    assert "the game stopped (empty-move)" in again.stderr
    (tmp_path / "lasts-7.choices").unlink()
    (tmp_path / "lasts-7.choices").mkdir()
    hindered = run("play", *lasts, "--auto", "--players", "random", "--no-save")
    assert "they cannot be kept in lasts-7.choices: Is a directory" in hindered.stderr


def test_a_game_that_is_not_over_tells_no_other_hand(run: Run, tmp_path: Path) -> None:
    """Who goes on with it would know what the others hold: their options are their cards."""
    file = tmp_path / "kept.json"
    play = ("play", "agram", "--players", "random", "--seed", "3", "--save", str(file))
    assert run(*play, "--seat", "2", "--plain", input="0\n0\n").exit_code == 1
    shown = run("replay", str(file))
    assert shown.exit_code == 0, shown.output
    assert "This game is not over: it is shown as p2, your seat, sees it." in shown.stdout
    data = json.loads(run("replay", str(file), "--table", "--json").stdout)
    assert {step["player"] for step in data["decisions"]} > {1}
    for step in data["decisions"]:
        assert bool(step["options"]) == (step["player"] == 1)
    for words in (("--json",), ("--csv",), ("--table", "--seat", "1")):
        refused = run("replay", str(file), *words)
        assert refused.exit_code == 2
        assert "this game is not over" in " ".join(refused.stderr.split())


def test_choices_come_from_one_place(run: Run, tmp_path: Path) -> None:
    """The wrong ways to give a file of choices are explained."""
    file = tmp_path / "some.choices"
    file.write_text("0,\n1,0\n")
    words = ("replay", "coin.rcy", "--seed", "5", "--choices-file")
    assert "The game is over after 3 decisions" in run(*words, str(file)).stdout
    assert "The game is over after 3" in run(*words, "-", input="1,0,1").stdout
    twice = run(*words, str(file), "--choices", "1")
    assert (twice.exit_code, "give the choices once" in twice.stderr) == (2, True)
    missing = run(*words, str(tmp_path / "none"))
    assert (missing.exit_code, "No such file" in missing.stderr) == (1, True)
    file.write_bytes(b"\xff")
    assert run(*words, str(file)).exit_code == 2
    file.write_text("0;1")
    wrong = run(*words, str(file))
    assert wrong.exit_code == 2
    assert "some.choices: '0;1' is not the number of an option" in " ".join(wrong.stderr.split())


def test_a_game_to_its_end(run: Run) -> None:
    words = ("replay", "coin.rcy", "--seed", "5", "--choices", "1,0,1")
    found = json.loads(run(*words, "--format", "json").stdout)
    assert found["due"] is None
    shown = run(*words).stdout
    assert "The game is over after 3 decisions; the highest score wins." in shown
    for seat, (score, rank) in enumerate(zip(found["scores"], found["ranks"], strict=True), 1):
        assert f"  p{seat}  {score}{'  wins' if rank == 0 else ''}\n" in shown


def test_a_trace_replays_to_its_scores(run: Run) -> None:
    result = run("simulate", "hearts", "--games", "2", "--seed", "4", "--trace", "--format", "json")
    for trace in json.loads(result.stdout)["traces"]:
        choices = ",".join(str(chosen) for _, _, chosen in trace["decisions"])
        words = ("replay", "hearts", "--seed", trace["seed"], "--format", "json")
        found = json.loads(run(*words, "--choices", choices).stdout)
        assert (found["scores"], found["ranks"]) == (trace["scores"], trace["ranks"])
        assert [
            [step["player"], len(step["options"]), step["chosen"]] for step in found["decisions"]
        ] == trace["decisions"]
        assert json.loads(run(*words, "--players", "random").stdout) == found


def test_json_has_exactly_these_keys(run: Run) -> None:
    words = ("replay", "coin.rcy", "--seed", "5", "--choices", "1", "--format", "json")
    assert json.loads(run(*words).stdout) == {
        "game": "coin.rcy",
        "seed": "5",
        "decisions": [
            {
                "player": 0,
                "options": ["CALL: HEADS", "CALL: TAILS"],
                "chosen": 1,
            }
        ],
        "due": {"player": 1, "options": ["CALL: HEADS", "CALL: TAILS"]},
        "scores": None,
        "ranks": None,
        "error": None,
    }


def test_an_error_of_the_game_comes_after_its_steps(run: Run) -> None:
    words = ("replay", "breaks.rcy", "--seed", "1", "--choices", "0,1")
    result = run(*words)
    assert result.exit_code == 1
    assert result.stdout.endswith("    0  BROKEN: 0\n  > 1  BROKEN: 1\n")
    assert "breaks.rcy:14:31: the game stopped (division)" in result.stderr
    result = run(*words, "--format", "json")
    found = json.loads(result.stdout)
    assert result.exit_code == 1
    assert "division" in found["error"]
    assert len(found["decisions"]) == 2
    assert (found["due"], found["scores"]) == (None, None)


def test_no_choices_show_the_start(run: Run) -> None:
    bare = run("replay", "hearts", "--seed", "18446744073709551615")
    empty = run("replay", "hearts", "--seed", "18446744073709551615", "--choices", "")
    assert bare.exit_code == 0
    assert bare.stdout == empty.stdout
    assert "p1 has to choose from" in bare.stdout


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ("2", "choice number 1 is 2, but p1 has the options 0 to 1 there"),
        ("0,7", "choice number 2 is 7, but p2 has the options 0 to 1 there"),
        ("0,0,0,0", "the game is over after 3 decisions, but 4 choices are given"),
    ],
)
def test_choices_that_the_game_does_not_offer(run: Run, choices: str, said: str) -> None:
    result = run("replay", "coin.rcy", "--seed", "1", "--choices", choices)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout.startswith("coin.rcy, seed 1\n")
    assert result.stdout.count(" chooses\n") == min(choices.count(","), 3)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "--seed"),
        (("--seed", "-3"), "out of range"),
        (("--seed", "18446744073709551616"), "out of range"),
        (("--seed", "x"), "not a seed"),
        (("--seed", "1", "--choices", "a"), "'a' is not the number"),
        (("--seed", "1", "--choices", "0,,1"), "'' is not the number"),
        (("--seed", "1", "--choices", "-1"), "'-1' is not the number"),
        (("--seed", "1", "--choices", "9" * 9999), "is not the number"),
        (("--seed", "1", "--choices", "0", "--players", "random"), "not both"),
        (("--seed", "1", "--players", ""), "has no name"),
        (("--seed", "1", "--set", "ROUNDS"), "NAME=VALUE"),
    ],
)
def test_wrong_calls(run: Run, words: tuple[str, ...], said: str) -> None:
    result = run("replay", "coin.rcy", *words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("words", [("--players", "random"), ("--choices", "0,1,0")])
def test_every_engine_shows_the_same(run: Run, words: tuple[str, ...]) -> None:
    """The engines of the option are those there are; the native one plays if nothing is said."""
    asked = ("replay", "leduc", "--seed", "3", *words)
    shown = [run(*asked, "--engine", engine).stdout for engine in ENGINES]
    assert shown == [run(*asked).stdout] * len(ENGINES)
    assert "1. p1 chooses" in shown[0]
    named = re.search(r"--engine \[(.*?)\]", run("replay", "--help").stdout)
    assert named
    assert set(named[1].split("|")) == set(ENGINES)
