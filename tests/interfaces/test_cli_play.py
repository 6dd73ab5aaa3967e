from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from broken_rules import BREAKS_ALONE
from cardwright.arena.entrants import player
from cardwright.arena.referee import referee_game
from cardwright.game.game import Game
from cardwright.interfaces.play import plain
from cardwright.library import catalogue
from deep import some_games
from patience import PATIENCE

Run = Callable[..., Result]
HEARTS = ("play", "hearts", "--players", "rule", "--hint", "rule", "--seed", "3")


@pytest.fixture(autouse=True)
def _in_empty_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, _in_data: None) -> None:
    monkeypatch.chdir(tmp_path)


# Whole games ------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_match_of_hearts_over_a_pipe(run: Run) -> None:
    result = run(*HEARTS, "--save", "match.json", input="#0\n" * 500)
    assert result.exit_code == 0
    assert result.stdout.startswith("A match to 100 points (preset `standard`)")
    game = Game.load("hearts", preset="standard")
    players = [player("first").build(), *(player("rule").build() for _ in range(3))]
    record = referee_game(game, 3, players, paired=True)
    names = ["You", "Goran", "Hassan", "Rafa"]
    order = sorted(range(4), key=lambda seat: record.ranks[seat])
    tail = [f"  {record.ranks[at] + 1}. {names[at]}: {record.scores[at]}" for at in order]
    count = f"{len(record.decisions):,}"
    assert result.stdout.splitlines()[-7:] == [
        f"The game is over after {count} decisions: {names[order[0]]} wins.",
        *tail,
        "The lowest score wins.",
        "saved in match.json; `cardwright replay` shows it",
    ]
    kept = json.loads(Path("match.json").read_text())
    assert kept["scores"] == list(record.scores)
    shown = json.loads(run("replay", "match.json", "--format", "json").stdout)
    chosen = [(step["player"], len(step["options"]), step["chosen"]) for step in shown["decisions"]]
    assert tuple(chosen) == record.decisions
    assert shown["scores"] == list(record.scores)
    assert shown["error"] is None


@pytest.mark.parametrize("name", some_games(catalogue.names()))
def test_every_game_of_the_library_can_be_played(run: Run, name: str) -> None:
    words = ("play", name, "--players", "random", "--seed", "2", "--engine", "interpreter")
    result = run(*words, "--hint", "random", input="1\n0\n" * 3)
    assert result.exit_code in {0, 1}
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "error" not in result.output
    if result.exit_code:
        assert "no more answers: the game is not over" in result.stderr
    assert "Your turn." in result.stdout
    assert re.search(r"\n +0  \S|options; `options` lists them", result.stdout)


@pytest.mark.parametrize("name", ["cribbage", "lama"])
def test_games_to_their_end(run: Run, name: str) -> None:
    result = run("play", name, "--players", "random", "--seed", "8", input="0\n" * 300)
    assert result.exit_code == 0
    assert "\nThe game is over after " in result.stdout
    assert "  1. " in result.stdout


def test_a_game_without_a_person(run: Run) -> None:
    result = run(
        "play", "leduc", "--auto", "--players", "random", "--seed", "4", "--save", "l.json"
    )
    assert result.exit_code == 0
    assert "You watch, seeing what Jonas sees." in result.stdout
    assert "Jonas (random), Ines (random)" in result.stdout
    assert not re.search(r"\byour?\b", result.stdout)
    record = referee_game(
        Game.load("leduc"), 4, [player("random").build() for _ in range(2)], paired=True
    )
    shown = json.loads(run("replay", "l.json", "--format", "json").stdout)
    assert [step["chosen"] for step in shown["decisions"]] == list(record.choices)


def test_games_for_one_need_no_players(run: Run) -> None:
    result = run("play", "blackjack", "--seed", "1", input="0\n" * 40)
    assert result.exit_code == 0, result.output


def test_who_plays_by_default(run: Run) -> None:
    expert = r"You, \w+ \(expert\), \w+ \(expert\), \w+ \(expert\)\n"
    assert re.search(expert, run("play", "hearts", input="").stdout)
    assert " (ismcts), You\n" in run("play", "leduc", "--seat", "2", input="0\n").stdout
    words = ("--engine", "interpreter")
    assert " (rule), " in run("play", "polignac", *words, input="").stdout
    assert " (pimc)\n" in run("play", "leduc", *words, input="").stdout
    mixed = (
        "--players",
        "rule,human,random,lowest",
        "--seat",
        "2",
        "--preset",
        "standard",
        "--seed",
        "3",
    )
    assert (
        "Goran (rule), You, Hassan (random), Rafa (lowest)"
        in run("play", "hearts", *mixed, input="").stdout
    )
    each = ("--players", "pimc:rollouts=2,mode=known,rule,lowest", "--set", "PASS=0")
    result = run("play", "hearts", *each, "--seed", "3", input="")
    assert "You, Goran (pimc), Hassan (rule), Rafa (lowest)" in result.stdout
    assert "preset" not in result.stdout


# Keeping ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_resumed_game_ends_like_one_in_one_piece(run: Run) -> None:
    deal = (*HEARTS, "--set", "PLAYERS=8")
    whole = run(*deal, "--save", "whole.json", input="#0\n" * 99)
    part = run(*deal, "--save", "part.json", input="#0\n" * 2)
    assert part.exit_code == 1
    assert (
        "saved in part.json; to resume it:\n  cardwright play --resume part.json\n" in part.stderr
    )
    left = run("play", "--resume", "part.json", input="#0\n" * 2 + "quit\n")
    assert left.exit_code == 0
    assert "cardwright play --resume part.json" in left.stderr
    done = run("play", "--resume", "part.json", input="#0\n" * 99)
    assert done.exit_code == 0
    ends = [text.partition("\nThe game is over")[2].split("\nsaved")[0] for text in
            (whole.stdout, done.stdout)]  # fmt: skip
    assert ends[0] == ends[1] != ""
    one, other = (json.loads(Path(name).read_text()) for name in ("whole.json", "part.json"))
    assert one == other
    assert "The game is over" in run("play", "--resume", "part.json").stdout


def test_an_end_of_answers_without_a_file(run: Run) -> None:
    result = run(*HEARTS, input="#0\n")
    assert result.exit_code == 1
    assert "it is not saved; use --save FILE to save it" in result.stderr
    assert list(Path.cwd().iterdir()) == []


def test_ctrl_c_keeps_the_game(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(plain, "_read_line", interrupt)
    result = run(*HEARTS)
    assert result.exit_code == 130
    assert "cardwright play --resume hearts-3.cardwright.json" in result.stderr
    kept = str(Path("hearts-3.cardwright.json").resolve())
    monkeypatch.undo()
    assert run("play", "--resume", kept).exit_code == 1


def test_ctrl_c_keeps_nothing_if_so_wished(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(plain, "_read_line", interrupt)
    result = run(*HEARTS, "--no-save")
    assert result.exit_code == 130
    assert "not saved" in result.stderr
    assert list(Path.cwd().iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent in another way there")
def test_a_signal_while_a_computer_player_thinks(tmp_path: Path) -> None:
    words = ("--players", "ismcts:iterations=3000000", "--seed", "5", "--seat", "2")
    with subprocess.Popen(
        [sys.executable, "-m", "cardwright", "play", "leduc", *words, "--save", "x.json"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert " (ismcts), You" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "cardwright play --resume x.json" in errors
    assert json.loads(Path("x.json").read_text())["choices"] == ""


def test_a_game_that_goes_wrong_is_kept_as_it_stood(run: Run) -> None:
    Path("wrong.rcy").write_text(BREAKS_ALONE)
    result = run("play", "wrong.rcy", "--seed", "1", input="0\n1\n")
    assert result.exit_code == 1
    assert "cardwright play --resume wrong-1.cardwright.json" in result.stderr
    assert "the game stopped (division)" in result.stderr
    assert json.loads(Path("wrong-1.cardwright.json").read_text())["choices"] == "0"


# Wrong calls ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "name a GAME to play, or --resume a saved one"),
        (("hearts", "--seat", "5"), "hearts has 4 seats, not 5"),
        (("hearts", "--seat", "0"), "0 is not in the range"),
        (("hearts", "--players", "rule,rule"), "2 players are given for 3 seats"),
        (("hearts", "--players", "human,rule,rule"), "a player for each of 4 seats"),
        (("hearts", "--players", "rule,human,rule,rule"), "at the seat that --seat names"),
        (("hearts", "--players", "nobody"), "nobody"),
        (("hearts", "--hint", "nobody"), "nobody"),
        (("hearts", "--auto", "--seat", "1"), "leave out --seat"),
        (("hearts", "--auto", "--practice"), "leave out --practice"),
        (("hearts", "--save", "a.json", "--no-save"), "give one of them"),
        (("--resume", "there.json", "--seed", "1", "--practice"), "leave out --seed, --practice"),
        (("hearts", "--resume", "a.json"), "unexpected extra argument (a.json)"),
        (("there.json",), "continue it with --resume"),
    ],
)
def test_wrong_ways_to_call_it(run: Run, words: tuple[str, ...], message: str) -> None:
    Path("there.json").write_text("{}")
    result = run("play", *words)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


def test_files_that_hold_no_game(run: Run) -> None:
    Path("there.json").write_text("{}")
    for words in (
        ("play", "--resume", "there.json"),
        ("play", "--resume", "none.json"),
        ("replay", "there.json"),
        ("replay", "none.json", "--seed", "1"),
    ):
        result = run(*words)
        assert result.exit_code == (2 if "none.json" in words else 1)
        assert words[1] in result.stderr or words[2] in result.stderr
    assert run("play", "hearts", "--save", "no/where.json").exit_code == 2
    result = run("play", "hearts", "--save", "there.json")
    assert result.exit_code == 1
    assert "there.json already exists" in result.stderr


def test_a_game_that_has_changed_is_not_gone_on_with(run: Run) -> None:
    rules = Path("mine.rcy")
    rules.write_text((Path(catalogue.__file__).parent / "games" / "leduc.rcy").read_text())
    words = ("play", "mine.rcy", "--players", "random", "--seed", "4", "--save", "m.json")
    assert run(*words, input="0\n").exit_code in {0, 1}
    assert run("replay", "m.json").exit_code == 0
    rules.write_text(rules.read_text().replace("(game", ";; mine\n(game", 1))
    for again in (("play", "--resume", "m.json"), ("replay", "m.json")):
        result = run(*again)
        assert result.exit_code == 1
        assert "the rules of mine.rcy have changed" in result.stderr


def test_replay_takes_nothing_besides_a_kept_game(run: Run) -> None:
    run(*HEARTS, "--save", "k.json", input="#0\n")
    result = run("replay", "k.json", "--seed", "3", "--set", "PASS=0")
    assert result.exit_code == 2
    assert "leave out --seed, --set" in result.stderr
    assert run("replay", "hearts").exit_code == 2
    assert "Missing option '--seed'" in run("replay", "hearts").stderr
    assert "p1 has to choose from" in run("replay", "k.json").stdout
