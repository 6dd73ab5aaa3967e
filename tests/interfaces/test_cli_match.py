"""The commands match, tournament and ladder."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import Result
from rich.console import Console

from cardwright import Game
from cardwright.arena.contest import shown_names
from cardwright.arena.entrants import player
from cardwright.arena.live import LiveStanding
from cardwright.arena.plan import GameRef, RunPlan
from cardwright.arena.referee import referee_game
from cardwright.arena.run import run as run_plan, table_chances
from cardwright.game.seeds import game_seeds
from cardwright.interfaces.cli.deal_bar import deal_bar, standings_table
from cardwright.statistics.caveat import caveat, gain_caveat
from patience import PATIENCE, wait_until

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., Result]
Process = Callable[..., subprocess.CompletedProcess[str]]

COIN = ("coin.rcy", "--deals", "6", "--seed", "4")


def record(run: Run, *words: str, code: int = 0) -> dict[str, Any]:
    result = run(*words, "--json")
    assert result.exit_code == code, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def untimed(found: dict[str, Any]) -> dict[str, Any]:
    """Return an outcome without what depends on the machine."""
    rows = [{**one, "seconds_per_decision": None} for one in found["standings"]]
    return {**found, "seconds": None, "standings": rows}


def test_a_match_is_what_playing_its_tables_by_hand_comes_to(run: Run) -> None:
    found = record(run, "match", "pimc:rollouts=2,mode=known", "random", "leduc",
                   "--deals", "5", "--seed", "9")  # fmt: skip
    game, specs = Game.load("leduc"), ("pimc:rollouts=2,mode=known", "random")
    scores: dict[int, list[int]] = {0: [], 1: []}
    for seed in game_seeds(9, 5):
        for number, table in enumerate(((0, 1), (1, 0))):
            players = [player(specs[who])() for who in table]
            played = referee_game(game, seed, players, table_chances(seed, 2, number))
            for who, score in zip(table, played.scores, strict=True):
                scores[who].append(score)
    for who, standing in enumerate(found["standings"]):
        assert standing["entrant"] == specs[who]
        assert standing["score"]["mean"] == pytest.approx(sum(scores[who]) / 10)
    assert (found["kind"], found["games"], found["plan"]["seed"]) == ("match", 10, "9")


def test_the_tables_for_people_tell_the_same(run: Run) -> None:
    result = run("match", "random", "pimc:rollouts=2", *COIN)
    assert result.exit_code == 0, result.output
    found = record(run, "match", "random", "pimc:rollouts=2", *COIN)
    lines = [line.split() for line in result.stdout.splitlines()]
    for standing in found["standings"]:
        row = next(line for line in lines if line[:1] == [standing["entrant"]])
        assert float(row[1]) == pytest.approx(standing["score"]["mean"], abs=0.005)
    assert "coin.rcy: match, 6 deals at 2 tables, 12 games, seed 4" in result.stdout
    assert "95 % intervals" in result.stdout


def test_the_outcome_as_csv(run: Run) -> None:
    result = run("match", "random", "pimc:rollouts=2,mode=known", *COIN, "--csv")
    found = record(run, "match", "random", "pimc:rollouts=2,mode=known", *COIN)
    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert [row["entrant"] for row in rows] == ["random", "pimc:rollouts=2,mode=known"]
    for row, standing in zip(rows, found["standings"], strict=True):
        assert float(row["score"]) == standing["score"]["mean"]
        assert float(row["win_share_high"]) == standing["win_share"]["high"]
        assert [float(row["place_1"]), float(row["place_2"])] == standing["places"]


@pytest.mark.parametrize("words", [["--format", "json"], ["--json"], ["--csv", "--json"]])
def test_ways_to_ask_for_json(run: Run, words: list[str]) -> None:
    result = run("match", "random", "random", *COIN, *words)
    assert json.loads(result.stdout)["kind"] == "match"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "tables"),
    [
        (["random", "pimc:rollouts=1"], 4), (["random", "pimc:rollouts=1", "--mix"], 6),
        (["random"] * 4, 12), (["random"] * 4 + ["--orders", "rotations"], 4),
        (["random"] * 4 + ["--orders", "all"], 24),
    ],
)  # fmt: skip
def test_seatings_of_a_match(run: Run, words: list[str], tables: int) -> None:
    words = ["match", *words, "polignac", "--deals", "1", "--seed", "1"]
    found = record(run, *words)
    assert len(found["plan"]["tables"]) == tables
    assert found["neighbours_balanced"] is ("rotations" not in words)
    said = run(*words).stdout
    assert ("Rotations only" in said) is ("rotations" in words)
    assert ("next to everybody else" in said) is (tables > 6)


@pytest.mark.slow
def test_settings_make_another_game(run: Run) -> None:
    found = record(run, "match", "random", "random", *COIN, "--set", "ROUNDS=1")
    assert found["plan"]["game"]["declared"] == {"ROUNDS": "1"}
    assert sum(one["decisions"] for one in found["standings"]) == 12
    preset = record(
        run, "match", "random", "random", "sevens", "--deals", "1", "--seed", "1",
        "--set", "CARDCOST=2", "--preset", "holding",
    )  # fmt: skip
    assert preset["plan"]["game"]["preset"] == "holding"


def test_a_sequential_test_stops_early_and_warns(run: Run, tmp_path: Path) -> None:
    words = ["match", "pimc:rollouts=2", "random", "leduc", "--deals", "3000", "--seed", "1",
             "--sprt", "0,1", "--least", "20", "--every", "5"]  # fmt: skip
    result = run(*words, "--records", str(tmp_path / "run"))
    assert result.exit_code == 0, result.output
    assert "H1 is accepted after" in result.stdout
    assert "biased" in result.stdout
    assert "of 3,000" in result.stdout
    found = record(run, *words)
    verdict = found["sprt"]["verdict"]
    assert verdict["accepted"] == "H1"
    assert verdict["deals"] == found["deals"]["played"] < 3000
    assert verdict["deals"] % 5 == 0
    assert verdict["against_h0"] >= verdict["need_h0"]
    assert "none is worth more than 26 points, as follows from" in result.stdout
    assert "the range of scores that is proved from the rules" in result.stdout
    again = run(*words, "--records", str(tmp_path / "run"), "--resume", "--json")
    assert json.loads(again.stdout)["sprt"] == found["sprt"]
    other = [word if word != "0,1" else "0,2" for word in words]
    refused = run(*other, "--records", str(tmp_path / "run"), "--resume")
    assert refused.exit_code == 1
    assert "sequential test" in refused.stderr


def test_a_tournament_has_a_matrix_and_ratings(run: Run, tmp_path: Path) -> None:
    words = ["tournament", "random", "pimc:rollouts=2", "pimc:rollouts=4", "leduc", "--deals", "12",
             "--seed", "2", "--resamples", "20"]  # fmt: skip
    found = record(run, *words)
    assert len(found["plan"]["tables"]) == 9
    cells = found["matrix"]["cells"]
    for one in range(3):
        for other in range(3):
            assert cells[one][other]["mean"] == pytest.approx(-cells[other][one]["mean"])
    assert found["ratings"]["entrants"][0]["mean"] == min(
        one["mean"] for one in found["ratings"]["entrants"]
    )
    pictures = [tmp_path / name for name in ("m.png", "r.svg", "s.pdf", "w.png")]
    kinds = ["", "ratings=", "scores=", "wins="]
    plots = [f"--plot={kind}{path}" for kind, path in zip(kinds, pictures, strict=True)]
    result = run(*words, *plots)
    assert result.exit_code == 0, result.output
    assert all(path.stat().st_size > 1000 for path in pictures)
    ranked = [
        line.split()[0] for line in result.stdout.splitlines() if "%" in line and "to" in line
    ]
    assert ranked[:3] == [
        one["entrant"] for one in sorted(found["standings"], key=lambda one: -one["score"]["mean"])
    ]


def test_a_matrix_too_wide_for_the_terminal_goes_without_intervals(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("tournament", *["random"] * 5, *COIN, "--resamples", "2")
    for columns, said in (("200", False), ("70", True)):
        monkeypatch.setenv("COLUMNS", columns)
        result = run(*words)
        assert ("too narrow for intervals" in result.stdout) is said
        row = next(line for line in result.stdout.splitlines() if line.startswith("  1 random #1"))
        assert ("(" in row or "±" in row) is not said
        assert "…" not in result.stdout


def test_a_tournament_together(run: Run) -> None:
    found = record(run, "tournament", *["random", "pimc:rollouts=1"] * 2, "random", "polignac",
                   "--together", "--deals", "2", "--seed", "1", "--resamples", "5")  # fmt: skip
    assert len(found["plan"]["tables"]) == 60
    assert found["matrix"]["kind"] == "difference"


def test_a_ladder_is_best_first(run: Run, tmp_path: Path) -> None:
    field = "random,pimc:rollouts=1,random"
    words = ["ladder", "random", "pimc:rollouts=3", "polignac", "--field", field, "--deals", "3",
             "--seed", "3"]  # fmt: skip
    found = record(run, *words)
    assert len(found["plan"]["tables"]) == 24
    assert found["field"] == 3
    over = [one["over_field"]["mean"] for one in found["standings"][:2]]
    assert over[1] < over[0]  # the lowest score wins
    result = run(*words, "--plot", str(tmp_path / "field.png"))
    rows = [line.split()[0] for line in result.stdout.splitlines() if "(" in line]
    assert rows[:2] == ["pimc:rollouts=3", "random"]
    turned = next(line for line in result.stdout.splitlines() if "3 - random" in line)
    assert float(turned.split()[3]) == pytest.approx(
        -found["differences"][0]["score"]["mean"], abs=0.005
    )
    assert (tmp_path / "field.png").exists()


def test_three_of_one_kind_are_a_field_of_that_kind(run: Run) -> None:
    words = ("polignac", "--deals", "2", "--seed", "3")
    one = record(run, "ladder", "pimc:rollouts=1", *words, "--field", "random")
    three = record(run, "ladder", "pimc:rollouts=1", *words, "--field", "random,random,random")
    assert untimed(one) == untimed(three)


def test_failed_games_are_shown_and_make_the_exit_code(run: Run) -> None:
    words = ("match", "random", "random", "breaks.rcy", "--deals", "4", "--seed", "1")
    result = run(*words)
    assert result.exit_code == 1
    assert "stopped with an error" in result.stdout
    assert "division by zero" in result.stdout
    assert "cardwright replay breaks.rcy" in result.stdout
    found = record(run, *words, code=1)
    assert found["failed_games"] > 0
    assert found["deals"]["left_out"] == 4 - found["deals"]["counted"] > 0


def test_late_answers_are_shown_as_faults(run: Run) -> None:
    words = ("match", "random", "pimc:rollouts=50", "leduc", "--deals", "2", "--seed", "1")
    result = run(*words, "--move-ms", "1e-6")
    assert result.exit_code == 0, result.output
    assert "% of games" in result.stdout
    assert "the first, in deal 0 at table" in result.stdout
    assert "took more than 1e-09 s" in result.stdout
    faults = record(run, *words, "--move-ms", "1e-6")["faults"]
    assert {one["kind"] for one in faults} == {"late"}
    assert {one["entrant"] for one in faults} == {0, 1}
    assert " faults" not in run(*words).stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["match", "rnadom", "random", *COIN], 2, "did you mean random"),
        (["match", "random", *COIN], 2, "needs two entrants"),
        (["match", "random", "random", "random", "hearts"], 2, "3 entrants cannot share 4 seats"),
        (["match", "random", "random", "nosuch"], 2, "nosuch"),
        (["match", "random", "random", *COIN, "--plot", "x.gif"], 2, "ends in .png"),
        (["match", "random", "random", *COIN, "--plot", "bars=x.png"], 2, "scores and wins"),
        (["match", "random", "random", *COIN, "--plot", "no/x.png"], 2, "there is no folder no "),
        (["match", "random", "random", *COIN, "--sprt", "2,1"], 2, "the smaller first"),
        (["match", "random", "random", *COIN, "--sprt", "a,1"], 2, "the smaller first"),
        (["match", "random", "random", *COIN, "--sprt", "0,1", "--alpha", "2"], 2, "alpha"),
        (["match", "random", "random", *COIN, "--bound", "9"], 2, "for the test of --sprt"),
        (["match", "random", "random", *COIN, "--sprt", "0,1", "--bound", "0.5"], 2, "1 or more"),
        (["match", "random", "random", *COIN, "--sprt", "0,0.1", "--bound", "1", "--measure",
          "win"], 2, "--bound is for points"),
        (["match", *["random"] * 4, "hearts", "--sprt", "0,1"], 2, "for two players"),
        (["match", "random", "random", "rummy", "--sprt", "0,1"], 2, "state the bound (--bound"),
        (["match", "random", "random", "kuhn", "--sprt", "0,9"], 2, "9 or more to tell 0 from 9"),
        (["match", "random", "random", "kuhn", "--sprt", "0,1", "--bound", "1"], 1,
         "beyond its bound of 1"),
        (["match", "random", "random", *COIN, "--resume"], 2, "needs --records"),
        (["match", "random", "random", *COIN, "--detail", "games"], 2, "needs --records"),
        (["match", "random", "random", *COIN, "--executor", "here", "--workers", "2"], 2, "here"),
        (["match", "random", "random", *COIN, "--scheduler", "tcp://x:1", "--executor", "threads"],
         2, "--executor cluster"),
        (["match", "random", "random", *COIN, "--mix", "--orders", "all"], 2, "play all seatings"),
        (["tournament", "random", "random", *COIN, "--orders", "all"], 2, "pairs play all"),
        (["tournament", "random", *COIN], 2, "two entrants"),
        (["ladder", "random", *COIN], 2, "--field"),
        (["ladder", "random", *COIN, "--field", "nobody"], 2, "nobody"),
        (["ladder", "random", "hearts", "--field", "random,random"], 2, "2 players for 3 seats"),
    ],
)  # fmt: skip
def test_wrong_calls_are_explained(run: Run, words: list[str], code: int, said: str) -> None:
    result = run(*words)
    assert result.exit_code == code, result.output
    assert said in " ".join(result.stderr.split())


def test_workers_change_nothing(run: Run) -> None:
    words = ("match", "random", "pimc:rollouts=1", "leduc", "--deals", "30", "--seed", "5")
    found = [
        record(run, *words, *more) for more in ([], ["--executor", "threads", "--workers", "2"])
    ]
    assert untimed(found[0]) == untimed(found[1])


@pytest.mark.slow
def test_ctrl_c_ends_a_match_that_can_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    words = ["match", "pimc:rollouts=1", "random", "leduc", "--deals", "100000"]
    code, output, errors = interrupted([*words, "--records", str(folder)], folder / "pieces")
    assert code == 130, errors
    assert output == ""
    assert "Traceback" not in errors
    assert "of 100,000 deals; what was played is kept" in errors
    again = shlex.split(errors.strip().splitlines()[-1])
    plan = json.loads((folder / "manifest.json").read_text())["plan"]
    assert again == ["cardwright", *words, "--records", str(folder), "--seed", plan["seed"],
                     "--resume"]  # fmt: skip
    assert list((folder / "pieces").glob("*.npz"))


def interrupted(words: list[str], parts: Path) -> tuple[int, str, str]:
    """Start a command and press Ctrl-C when it has kept something."""
    with subprocess.Popen(
        [sys.executable, "-m", "cardwright", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    ) as child:
        wait_until(lambda: list(parts.glob("*.npz")))
        child.send_signal(signal.SIGINT)
        output, errors = child.communicate(timeout=PATIENCE)
    return child.returncode, output, errors


def test_ctrl_c_without_records_says_that_nothing_is_kept(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(
        _plan: object, *_: object, progress: Callable[[int, int], None], **__: object
    ) -> None:
        progress(3, 6)
        raise KeyboardInterrupt

    monkeypatch.setattr("cardwright.arena.contest.run", stopped)
    result = run("match", "random", "random", *COIN)
    assert result.exit_code == 130
    assert "interrupted after 3 of 6 deals; nothing is kept" in result.stderr
    resumed = run("match", "random", "random", *COIN, "--records", "folder", "--resume")
    words = "cardwright match random random coin.rcy --deals 6 --seed 4 --records folder --resume"
    assert resumed.stderr.splitlines()[-1].strip() == words


def test_a_contest_goes_on_without_its_seed_being_told(run: Run, tmp_path: Path) -> None:
    words = (
        "match",
        "random",
        "random",
        "coin.rcy",
        "--deals",
        "5",
        "--records",
        str(tmp_path / "r"),
    )
    first = record(run, *words)
    again = record(run, *words, "--resume")
    assert again["plan"] == first["plan"]
    assert again["differences"] == first["differences"]
    refused = run(*words)
    assert refused.exit_code == 1
    assert "already a run" in refused.stderr


LIVE = [
    LiveStanding(1, 1234, 5.678, 0.3, 27.0, 1.5),
    LiveStanding(0, 12, -5.0, 0.25, 24.5, 8.0),
    LiveStanding(2, 0, None, None, 25.0, 25 / 3),
]


def screen(standings: list[LiveStanding], names: list[str], **size: int) -> list[str]:
    """Return the lines of the standings so far on a screen of some size."""
    console = Console(record=True, force_terminal=True, file=io.StringIO(), **size)
    console.print(standings_table(standings, names, console))
    return [line.rstrip() for line in console.export_text().splitlines() if line.strip()]


def words(line: str) -> str:
    return " ".join(line.split())


def test_the_standings_so_far_are_a_table() -> None:
    lines = screen(LIVE, ["[red]", "pimc:rollouts=2", "first\x1b"], width=80, height=24)
    assert words(lines[0]) == "so far games score share of wins OpenSkill ± 2 sigma"
    assert words(lines[2]) == "pimc:rollouts=2 1,234 5.68 30.0 % 27.0 ± 3.0"
    assert words(lines[3]) == "[red] 12 -5.00 25.0 % 24.5 ± 16.0"
    assert words(lines[4]) == "first\ufffd 0 - - 25.0 ± 16.7"
    assert len({len(line) for line in lines[2:]}) == 1


def test_the_standings_so_far_keep_their_numbers_on_a_small_screen() -> None:
    many = [replace(LIVE[1], entrant=who) for who in range(30)]
    lines = screen(many, ["a-player-with-a-long-name" * 2] * 30, width=70, height=14)
    assert len(lines) == 11
    assert words(lines[2]).endswith(" 12 -5.00 25.0 % 24.5 ± 16.0")
    assert lines[-1].split() == ["...", "22", "more"]
    assert max(map(len, lines)) <= 70


def test_a_terminal_shows_the_bar_and_the_standings_so_far(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in (("FORCE_COLOR", "1"), ("TERM", "xterm"), ("COLUMNS", "90")):
        monkeypatch.setenv(name, value)
    plan = RunPlan(GameRef.of("kuhn", engine="interpreter"), ("random", "first"), ((0, 1),), 6, 1)
    with deal_bar(6, 1, ["one", "two"], 2, shown=True) as display:
        assert display.watch is not None
        results = run_plan(plan, progress=display.tell, watch=display.watch)
        display.watch(results)
    shown = capsys.readouterr()
    assert shown.out == ""
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.err)
    assert "6/6 deals" in text
    assert re.search(r"^  one +12 ", text, re.MULTILINE)
    assert "OpenSkill ± 2 sigma" in text


def at_a_terminal(*words: str) -> tuple[str, str]:
    """Run a command whose standard error is a terminal; return its output and what that shows."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "cardwright", *words],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "30"},
    ) as child:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # how Linux says that nobody writes any more
            while piece := os.read(ours, 65536):
                shown += piece
        output, _ = child.communicate(timeout=PATIENCE)
    os.close(ours)
    return output, re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())


@pytest.mark.slow
def test_a_command_at_a_terminal_shows_the_standings_so_far_unless_it_is_quiet() -> None:
    words = ("ladder", "random", *COIN, "--field", "random", "--engine", "interpreter", "--csv")
    output, shown = at_a_terminal(*words)
    assert output.startswith("entrant,")
    assert re.search(r"^  random \(field\) +12 +", shown, re.MULTILINE), shown
    assert at_a_terminal(*words, "--quiet") == (output, "")


def test_nobody_pays_for_standings_that_nobody_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with deal_bar(6, 1, ["one", "two"], 2, shown=False) as display:
        display.tell(1, 6)
        assert display.watch is None


@pytest.mark.parametrize(
    ("entrants", "field", "names"),
    [
        ("a b", 0, "a b"),
        ("a b a", 0, "a #1|b|a #2"),
        ("a a", 1, "a|a (field)"),
        ("a b a b", 2, "a|b|a (field)|b (field)"),
        ("c a b a", 3, "c|a (field) #1|b (field)|a (field) #2"),
    ],
)
def test_names_on_the_screen_tell_entrants_apart(entrants: str, field: int, names: str) -> None:
    expected = names.split("|") if "|" in names else names.split()
    assert shown_names(tuple(entrants.split()), field) == expected


def test_a_missing_library_is_said_before_play(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "cardwright.extras.find_spec", lambda name: None if name == "matplotlib" else name
    )
    monkeypatch.setattr(
        "cardwright.arena.contest.run", lambda *_, **__: pytest.fail("it was played")
    )
    result = run("match", "random", "random", *COIN, "--plot", "x.png")
    assert result.exit_code == 1
    assert "this needs matplotlib" in result.stderr


EVEN = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (VAL (A)))))
 (stage player (end (== (game sto N) 2)) (do ((inc (game sto N)))) (choice ((turn pass))))
 (scoring max 0))"""


def test_copies_of_a_player_are_told_apart_in_csv(run: Run) -> None:
    """By a number, as in the tables; a player without copies has its own name."""
    words = ("tournament", "random", "random", "first", "kuhn", "--deals", "4", "--seed", "1")
    rows = list(csv.DictReader(io.StringIO(run(*words, "--csv").stdout)))
    assert [row["entrant"] for row in rows] == ["random #1", "random #2", "first"]


@pytest.mark.parametrize("ties", ["shared", "full"])
def test_every_share_of_wins_says_how_ties_count(run: Run, tmp_path: Path, ties: str) -> None:
    """Where nobody ever wins alone, a full win is that of both seats; sums and signs follow."""
    (tmp_path / "even.rcy").write_text(EVEN)
    words = ("random", "random", str(tmp_path / "even.rcy"), "--deals", "4", "--seed", "1")
    words += ("--engine", "interpreter", "--ties", ties)
    found = json.loads(run("match", *words, "--json").stdout)
    assert found["ties"] == ties
    share = 0.5 if ties == "shared" else 1.0
    assert [one["win_share"]["mean"] for one in found["standings"]] == [share, share]
    assert [one["win_share"]["mean"] for one in found["seats"]] == [share, share]
    said = "counts 1/k for each" if ties == "shared" else "counts in full for each winner"
    assert said in run("match", *words).stdout


def test_a_tournament_says_that_games_among_copies_rank_nobody(run: Run) -> None:
    words = ("first", "random", "kuhn", "--deals", "10", "--seed", "1", "--engine", "interpreter")
    said = "among copies of itself count in the matrix alone"
    assert said in " ".join(run("tournament", *words).stdout.split())
    found = record(run, "tournament", *words)
    against = found["matrix"]["cells"][1][0]
    assert found["standings"][1]["score"] == against
    assert found["standings"][1]["seats"] == 40
    assert said not in " ".join(run("match", *words).stdout.split())


@pytest.mark.parametrize("kind", ["match", "tournament", "ladder"])
def test_what_intervals_may_fail_to_cover_is_said(run: Run, kind: str) -> None:
    field = ("--field", "random") if kind == "ladder" else ()
    result = run(kind, "random", "random", *COIN, *field)
    assert caveat(6) in " ".join(result.stdout.split())
    assert max(map(len, result.stdout.splitlines())) <= 90
    alone = run(kind, "random", "random", "coin.rcy", "--deals", "1", "--seed", "4", *field)
    assert "are approximate" not in alone.stdout


def test_a_guaranteed_interval_stands_beside_students_where_scores_have_a_range(run: Run) -> None:
    words = ("random", "first", "kuhn", "--deals", "40", "--seed", "1", "--engine", "interpreter")
    said = "scores are from -2 to 2, as is proved from the rules"
    for kind in ("match", "tournament"):
        shown = run(kind, *words).stdout
        assert "guaranteed" in shown
        assert said in " ".join(shown.split())
        assert max(map(len, shown.splitlines())) <= 90
    found = record(run, "match", *words)["differences"][0]["score_guaranteed"]
    assert f"{found['low']:+.2f} to {found['high']:+.2f}" in run("match", *words).stdout
    unknown = run("match", "random", "random", "rummy", "--deals", "2", "--seed", "1").stdout
    assert "uaranteed" not in unknown


def test_a_duplicate_gain_has_an_interval_and_is_not_told_of_few_deals(run: Run) -> None:
    words = ("match", "random", "pimc:rollouts=1", "leduc", "--seed", "1")
    result = run(*words, "--deals", "40")
    gain = record(run, *words, "--deals", "40")["differences"][0]["duplicate_gain"]
    assert gain["low"] < gain["mean"] < gain["high"]
    assert gain["deals"] == 40
    shown = f"{gain['mean']:.2f} ({gain['low']:.2f} to {gain['high']:.2f})"
    lines = result.stdout.splitlines()
    (head,) = (number for number, line in enumerate(lines) if "duplicate gain" in line)
    assert lines[head + 2].endswith(shown)
    assert gain_caveat(40) in " ".join(result.stdout.split())
    assert record(run, *words, "--deals", "20")["differences"][0]["duplicate_gain"] is None
    assert "duplicate gain" not in run(*words, "--deals", "20").stdout


def test_a_tournament_of_few_deals_says_how_the_prior_pulls(run: Run) -> None:
    words = ("tournament", "random", "random", "leduc", "--seed", "1", "--resamples", "2")
    for deals, said in (("8", True), ("30", False)):
        text = run(*words, "--deals", deals).stdout
        assert ("A prior of half a win" in text) is said
