from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from importlib import util
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cardwright.extras import advice
from cardwright.interfaces.cli.group import commands
from cardwright.interfaces.cli.parameters import load
from cardwright.lab.factor import LabPlayer, SelectorList
from cardwright.lab.plan import Design, LabPlan, Precision, Seating, Sequential
from patience import PATIENCE, wait_until

Run = Callable[..., Result]

RULE = SelectorList(("rule",))
COMMANDS = ("one", "all", "factorial", "screen", "run", "report")
SMALL = ("--deals", "20", "--seed", "5", "--workers", "1", "--quiet")


@cache
def _load_once(name: str, declared: tuple[tuple[str, Any], ...], preset: str | None) -> Any:
    return load(name, dict(declared), preset=preset)


@pytest.fixture(autouse=True)
def _games_are_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let calls share games: most of what they take is to read Hearts again."""
    monkeypatch.setattr(
        "cardwright.interfaces.cli.lab_plan.load",
        lambda name, declared, preset: _load_once(name, tuple(declared.items()), preset),
    )


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the plan, the records and the report of a small experiment."""
    folder = tmp_path_factory.mktemp("lab")
    result = CliRunner().invoke(
        commands,
        [
            "lab", "one", "passTest", "fourthTest", *SMALL, "--records", f"{folder}/records",
            "--out", f"{folder}/report", "--save-plan", f"{folder}/plan.toml",
        ],
        prog_name="cardwright",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    (folder / "said").write_text(result.stdout, encoding="utf-8")
    return folder


@pytest.fixture
def plan(run: Run, tmp_path: Path) -> Callable[..., object]:
    """Return what makes the plan of a call, without playing it."""

    def make(*words: str) -> object:
        file = tmp_path / "saved.toml"
        result = run("lab", *words, "--dry-run", "--save-plan", str(file))
        assert result.exit_code == 0, result.output
        return LabPlan.load(file)

    return make


def test_the_commands_have_help(run: Run) -> None:
    listed = run("lab", "--help").stdout
    assert "..." not in listed.split("Commands:")[1]
    for name in COMMANDS:
        assert f"\n  {name} " in listed
        result = run("lab", name, "--help")
        assert result.exit_code == 0
        assert result.stdout.startswith(f"Usage: cardwright lab {name} ")
    wrong = run("lab", "factorail")
    assert wrong.exit_code == 2
    assert "did you mean factorial?" in wrong.stderr


def test_help_loads_nothing_heavy() -> None:
    code = """
import sys
from cardwright.interfaces.cli import main
sys.argv = ["cardwright", "lab", "factorial", "--help"]
try:
    main()
except SystemExit:
    pass
heavy = [name for name in ("numpy", "rich", "cardwright.arena.plan", "cardwright.lab.plan")
         if name in sys.modules]
assert not heavy, heavy
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("test", "slot"),
    [("passTest", "pass"), ("firstTest", "first"), ("secondTest", "second"),
     ("thirdTest", "third"), ("fourthTest", "fourth"), ("second", "second")],
)  # fmt: skip
def test_each_test_varies_its_list_alone(plan: Callable[..., object], test: str, slot: str) -> None:
    made = plan("one", test, "--seed", "3")
    assert made.design is Design.ONE
    (factor,) = made.factors
    assert (factor.name, factor.target) == (slot, slot)
    assert [(level.name, level.value) for level in factor.levels] == [
        ("rule", RULE), ("random", None),
    ]  # fmt: skip
    assert dict(made.tested.lists) == dict.fromkeys(
        ("pass", "first", "second", "third", "fourth"), RULE
    )
    assert [who.name for who in made.opponents] == ["random", "rule"]
    assert (made.deals, made.seed, made.seating) == (2000, 3, Seating.ALL)
    assert (made.game.preset, made.game.declared) == ("standard", (("ROUNDS", 1),))
    assert made.game.load().start(0).view(0).strings[8, "DIRECTION"] == "LEFT"


def test_all_is_the_five_tests_in_one_go(run: Run) -> None:
    result = run("lab", "all", "--dry-run", "--json", "--seed", "1")
    data = json.loads(result.stdout)
    assert data["factors"] == ["pass", "first", "second", "third", "fourth"]
    assert data["cells"] == [
        ["rule"] * 5,
        *(["rule"] * at + ["random"] + ["rule"] * (4 - at) for at in range(5)),
    ]
    assert data["games"] == 2000 * 4 * 6 * 2
    assert data["machine_code"] is True
    assert data["resolution"] is None
    assert data["aliases"] == []


def test_one_seating_a_deal_costs_a_quarter(run: Run) -> None:
    words = ("lab", "all", "--dry-run", "--json", "--seed", "1", "--seating", "rotate")
    assert json.loads(run(*words).stdout)["games"] == 2000 * 6 * 2


def test_the_base_may_leave_all_to_chance(plan: Callable[..., object]) -> None:
    made = plan("all", "--player", "random", "--seed", "1")
    assert made.tested == LabPlayer("random")
    assert [[level.name for level in factor.levels] for factor in made.factors] == [
        ["random", "rule"]
    ] * 5


def test_discards_belong_to_their_position_unless_they_are_kept(
    plan: Callable[..., object],
) -> None:
    spread = plan("one", "fourthTest", "--player", "hierarchy", "--seed", "1")
    kept = plan("one", "fourthTest", "--player", "hierarchy", "--keep-discard", "--seed", "1")
    named = plan("one", "fourthTest", "discard", "--player", "hierarchy", "--seed", "1")
    shared = dict(kept.tested.lists)["discard"]
    assert spread.factors[0].levels[0].value.discard == shared
    assert "discard" not in dict(spread.tested.lists)
    assert kept.factors[0].levels[0].value.discard is None
    assert named.tested == kept.tested
    assert named.factors[0] == kept.factors[0]
    assert named.factors[1].levels[0].value == shared


def test_factorials_and_their_fractions(run: Run, plan: Callable[..., object]) -> None:
    whole = plan("factorial", "--seed", "1")
    half = plan("factorial", "--fraction", "1/2", "--seed", "1")
    assert (whole.design, whole.generators) == (Design.FACTORIAL, ())
    assert half.generators == ("E=ABCD",)
    assert [level.name for level in whole.factors[0].levels] == ["random", "rule"]
    words = ("lab", "factorial", "--slots", "pass,first,third", "--generator", "C=AB", "--dry-run")
    said = run(*words, "--seed", "1").stdout
    assert "resolution 3: C=AB" in said
    assert "cannot be told apart: third = pass × first" in said
    assert "4 cells × 4 seatings against random, rule: 32 games a deal" in said
    option = plan("factorial", "--factor", "moon=option:MOON:PLUS,MINUS", "--slots", "pass",
                  "--seed", "1")  # fmt: skip
    assert [factor.name for factor in option.factors] == ["pass", "moon"]
    alone = plan("factorial", "--factor", "a=option:MOON:PLUS,MINUS",
                 "--factor", "b=player:rule,lowest", "--seed", "1")  # fmt: skip
    assert [factor.name for factor in alone.factors] == ["a", "b"]
    assert alone.tested == LabPlayer("rule", "rule")


def test_a_screen_exchanges_neighbours(plan: Callable[..., object]) -> None:
    made = plan("screen", "--slots", "fourth,discard", "--seed", "1")
    assert made.design is Design.SCREEN
    assert [factor.target for factor in made.factors] == [
        *(f"fourth:{at}" for at in range(7)),
        *(f"discard:{at}" for at in range(7)),
    ]
    assert made.factors[1].name == "fourth 2/3"


def test_other_games_and_players(plan: Callable[..., object]) -> None:
    made = plan(
        "one", "--game", "kuhn", "--player", "ismcts:iterations=5", "--factor",
        "depth=parameter:iterations:5,10", "--seed", "1",
    )  # fmt: skip
    assert [who.name for who in made.opponents] == ["random", "ismcts:iterations=100"]
    assert made.deals == 100
    assert [level.name for level in made.factors[0].levels] == ["5", "10"]
    usual = plan("one", "--game", "kuhn", "--factor", "who=player:random,ismcts:iterations=7,c=1",
                 "--seed", "1")  # fmt: skip
    assert usual.factors[0].levels[1].value.spec == "ismcts:iterations=7,c=1"
    assert usual.tested.spec == "ismcts:iterations=100"


def test_rules_to_stop(plan: Callable[..., object]) -> None:
    until = plan("one", "passTest", "--until", "0.2", "--of", "wins", "--seed", "1")
    assert until.stop == Precision("wins", 0.2)
    assert until.deals == 20_000
    test = plan("one", "passTest", "--sprt", "-0.1,0.2", "--least", "50", "--every", "10",
                "--deals", "70", "--seed", "1")  # fmt: skip
    assert test.stop == Sequential("points", -0.1, 0.2, least=50, every=10)
    assert test.deals == 70


def test_matches_are_played_to_their_end(plan: Callable[..., object]) -> None:
    assert plan("one", "passTest", "--match", "--seed", "1").game.declared == ()
    three = plan("one", "passTest", "--set", "ROUNDS=3", "--seed", "1")
    assert three.game.declared == (("ROUNDS", 3),)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["one"], "name a test such as passTest"),
        (["one", "passtest"], "did you mean passTest?"),
        (["one", "--levels", "rule", "--factor", "a=swap:fourth:0"], "--levels is for tests"),
        (["one", "passTest", "--levels", "rul,random"], "did you mean rule?"),
        (["one", "passTest", "--levels", "rule"], "needs two levels"),
        (["one", "passTest", "--levels", "[hihgest],rule"], "did you mean highest?"),
        (["one", "passTest", "--player", "rul"], "did you mean rule?"),
        (["one", "passTest", "--player", "lowest"], "no lists to vary"),
        (["one", "passTest", "--opponents", "rul"], "did you mean rule?"),
        (["one", "passTest", "--game", "kuhn"], "kuhn is not of that family"),
        (["one", "--factor", "a=option:X:1,2", "--game", "kuhn", "--match"], "always played as"),
        (["one", "passTest", "--match", "--preset", "valet"], "--preset standard has a match"),
        (["one", "passTest", "--until", "0.1", "--sprt", "0,1"], "give one of them"),
        (["one", "passTest", "--until", "0"], "write a number above 0"),
        (["one", "passTest", "--sprt", "1,0"], "the smaller first"),
        (["one", "--game", "rummy", "--factor", "a=player:random,first", "--sprt", "0,1",
          "--opponents", "random", "--player", "random"],
         "state the bound (--bound, or bound in the plan)"),
        (["one", "passTest", "--bound", "26"], "for the test of --sprt"),
        (["one", "passTest", "--sprt", "0,1", "--bound", "0.5"],
         "it is 1 or more to tell 0 from 1, not 0.5"),
        (["one", "passTest", "--resume"], "--resume needs --records"),
        (["one", "--factor", "a=opton:X:1,2"], "did you mean option?"),
        (["one", "--factor", "a"], "write NAME=KIND:TARGET:LEVEL,LEVEL"),
        (["one", "--factor", "a=option:X"], "has no levels"),
        (["one", "--factor", "a=parameter:c:1,2"], "tested player by --player"),
        (["factorial", "--fraction", "1/2", "--generator", "E=ABCD"], "give it or --generator"),
        (["factorial", "--slots", ""], "nothing is varied"),
        (["screen", "--slots", "fourth", "--player", "rule"], "there is nothing to exchange"),
        (["screen", "--slots", "fourth,fourth"], "given twice"),
        (["screen", "--slots", "fourth", "--player", "random"], "has no list in fourth"),
    ],
)  # fmt: skip
def test_wrong_calls(run: Run, words: list[str], said: str) -> None:
    result = run("lab", *words)
    assert result.exit_code == 2, result.output
    assert said in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["one", "passTest", "--until", "1", "--of", "pionts"], "did you mean points?"),
        (["one", "--factor", "a=option:MOON:PLUSS,MINUS"], "did you mean PLUS?"),
        (["one", "passTest", "--preset", "standrd"], "did you mean standard?"),
        (["one", "passTest", "--factor", "pass=option:MOON:PLUS,MINUS"], "two factors are called"),
        (["one", "--player", "ismcts", "--factor", "a=parameter:itrations:1,2"],
         "did you mean iterations?"),
        (["factorial", "--fraction", "1/3"], "write 1/2"),
        (["factorial", "--fraction", "1/2", "--levels", "rule,random,default"], "has 3"),
        (["one", "--game", "kuhn", "--factor", "a=player:rule,random"], "Hearts family"),
        (["screen", "--slots", "fith"], "no slot 'fith'"),
        (["run", "none.toml"], "does not exist"),
        (["report", "none"], "does not exist"),
    ],
)  # fmt: skip
def test_plans_that_cannot_be_made(run: Run, words: list[str], said: str) -> None:
    result = run("lab", *words)
    assert result.exit_code == 2, result.output
    assert said in " ".join(result.stderr.split())


def test_files_that_hold_no_plan_and_no_records(run: Run, tmp_path: Path) -> None:
    """What was named is there, and something is wrong with it."""
    (tmp_path / "plan.toml").write_text("this is no plan")
    for words in (("run", str(tmp_path / "plan.toml")), ("report", str(tmp_path))):
        result = run("lab", *words)
        assert result.exit_code == 1, result.output
        assert Path(words[1]).name in result.stderr


def test_what_is_played_is_said_and_written(played: Path, run: Run) -> None:
    said = (played / "said").read_text(encoding="utf-8")
    assert said.startswith("passTest, fourthTest\n")
    assert "Against random" in said
    names = {file.name for file in (played / "report").iterdir()}
    assert {"index.html", "report.txt", "effects.csv", "cells.csv", "findings.json"} <= names
    again = run("lab", "report", str(played / "records"), "--out", str(played / "again"))
    assert again.stdout == said
    for file in (played / "report").iterdir():
        assert (played / "again" / file.name).read_bytes() == file.read_bytes()


def test_a_saved_plan_gives_the_same_findings(played: Path, run: Run) -> None:
    data = run("lab", "run", str(played / "plan.toml"), "--json", "--quiet", "--workers", "1")
    assert data.exit_code == 0
    assert data.stdout == run("lab", "report", str(played / "records"), "--json").stdout
    assert json.loads(data.stdout)["deals"] == 20
    fewer = run("lab", "run", str(played / "plan.toml"), "--deals", "5", "--json", "--quiet")
    assert json.loads(fewer.stdout)["deals"] == 5


def test_resuming_takes_the_seed_of_the_records(played: Path, run: Run) -> None:
    words = ("lab", "one", "passTest", "fourthTest", "--deals", "20", "--quiet", "--records")
    folder = str(played / "records")
    done = run(*words, folder, "--resume")
    assert done.exit_code == 0, done.output
    assert "seed 5" in done.stderr
    other = run(*words, folder, "--resume", "--seed", "6")
    assert other.exit_code == 1
    assert "seed" in other.stderr


def test_one_class_of_opponents_gets_a_note(run: Run) -> None:
    words = ("lab", "one", "passTest", "--deals", "4", "--seed", "1", "--quiet", "--opponents")
    assert "note: Everything is played against rule alone." in run(*words, "rule").stderr
    assert "note:" not in run(*words, "rule,random").stderr


@pytest.mark.slow
def test_ctrl_c_says_how_to_go_on(tmp_path: Path, run: Run) -> None:
    words = ["lab", "one", "--game", "kuhn", "--factor", "who=player:random,first",
             "--player", "random", "--opponents", "random", "--deals", "100000", "--workers", "1",
             "--records", str(tmp_path / "r")]  # fmt: skip
    with subprocess.Popen(
        [sys.executable, "-m", "cardwright", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "NO_COLOR": "1"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    ) as child:  # fmt: skip
        wait_until(lambda: list((tmp_path / "r").glob("blocks/[0-9]*.npz")))
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=PATIENCE)
    assert child.returncode == 130, errors
    assert "of 100,000 deals; what was played is kept" in errors
    again = shlex.split(errors.strip().splitlines()[-1])
    seed = str(LabPlan.load(tmp_path / "r" / "plan.toml").seed)
    assert again == ["cardwright", *words, "--seed", seed, "--resume"]
    partly = run("lab", "report", str(tmp_path / "r"), "--json")
    assert 0 < json.loads(partly.stdout)["deals"] < 100_000


def test_ctrl_c_without_records_says_that_nothing_is_kept(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object, progress: Callable[[int, int], None], **__: object) -> None:
        progress(3, 6)
        raise KeyboardInterrupt

    monkeypatch.setattr("cardwright.lab.run.run", stopped)
    result = run("lab", "one", "passTest", "--deals", "6", "--seed", "1")
    assert result.exit_code == 130
    assert "interrupted after 3 of 6 deals; nothing is kept" in result.stderr


def test_what_is_in_the_way_of_a_report_is_said_before_play(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("it played")

    monkeypatch.setattr("cardwright.lab.run.run", never)
    (tmp_path / "file").write_text("in the way")
    result = run("lab", "one", "passTest", "--deals", "6", "--out", str(tmp_path / "file/x"))
    assert result.exit_code == 1
    assert "file/x cannot be made: Not a directory" in result.stderr
    found = util.find_spec
    monkeypatch.setattr(
        "cardwright.extras.find_spec",
        lambda name: None if name == "jinja2" else found(name),
    )
    result = run("lab", "one", "passTest", "--deals", "6", "--out", str(tmp_path / "out"))
    assert result.exit_code == 1
    assert advice("arena") in result.stderr
