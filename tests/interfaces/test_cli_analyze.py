"""The command analyze."""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib import util
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import Result

from cardwright.extras import advice
from cardwright.statistics.ties import tie_words
from patience import PATIENCE, wait_until

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., Result]

FEW = ("--games", "12", "--ai-games", "3", "--player", "cardstock-pipmc:tests=1", "--workers", "1")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """Return the folder of one analysis of two games, and what was printed."""
    from click.testing import CliRunner

    from cardwright.interfaces.cli.group import commands

    out = tmp_path_factory.mktemp("analyze") / "out"
    words = ["analyze", "leduc", "agram", *FEW, "--seed", "5", "--out", str(out)]
    return out, CliRunner().invoke(commands, words, prog_name="cardwright")


@pytest.mark.slow
def test_it_writes_all_it_says(made: tuple[Path, Result]) -> None:
    out, result = made
    assert result.exit_code == 0, result.output
    page = (out / "index.html").read_text(encoding="utf-8")
    assert page.count("<svg") > 20
    for file in re.findall(r'<a href="((?:figures|diagrams)/[^"]+|numbers[^"]+)"', page):
        assert (out / file).stat().st_size, file
    names = {file.name for file in (out / "figures").iterdir()}
    for kind in ("branching", "lead_history", "average_trend", "scores", "length", "knowledge"):
        assert {f"leduc-{kind}.svg", f"leduc-{kind}.png"} <= names
    assert "agram-options_by_trick.svg" in names
    assert "leduc-options_by_trick.svg" not in names
    assert {"overview.svg", "measures.png"} <= names
    diagrams = {file.name for file in (out / "diagrams").iterdir()}
    for game in ("leduc", "agram"):
        for kind in ("flow", "stages", "tree"):
            assert {f"{game}-{kind}.dot", f"{game}-{kind}.svg"} <= diagrams


def test_it_prints_the_six_measures_and_where_the_page_is(made: tuple[Path, Result]) -> None:
    out, result = made
    for name in ("Order", "Fairness", "Convergence", "Spread", "Drama", "Security"):
        assert name in result.stdout
    assert str(out / "index.html") in result.stdout


def test_the_manifest_says_what_was_played(made: tuple[Path, Result]) -> None:
    out, _ = made
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["seed"] == "5"
    assert manifest["player"] == "cardstock-pipmc:tests=1"
    assert (manifest["random_games"], manifest["thinking_games"]) == (12, 3)
    assert [one["players"] for one in manifest["games"]] == [2, 3]
    assert all(len(one["digest"]) == 64 for one in manifest["games"])
    for one in manifest["games"]:
        folder = out / "records" / one["folder"]
        assert {file.name for file in folder.iterdir()} == {"RR", "AR", "AA"}


@pytest.mark.slow
def test_json_and_csv_agree(made: tuple[Path, Result], run: Run) -> None:
    out, _ = made
    page = (out / "index.html").read_bytes()
    result = run("analyze", "leduc", "agram", *FEW, "--out", str(out), "--resume", "--json")
    assert result.exit_code == 0, result.output
    assert (out / "index.html").read_bytes() == page
    data = json.loads(result.stdout)
    assert data == json.loads((out / "numbers.json").read_text())
    with (out / "numbers.csv").open() as file:
        rows = list(csv.DictReader(file))
    values = [row["value"] for row in rows if row["game"] == "agram"]
    given = [one["value"] for one in data["games"][1]["measures"]]
    assert [float(one) if one else None for one in values] == given
    assert data["differences"][0]["first"] == "leduc"


@pytest.fixture
def _few_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a page have its first picture only, which is quicker."""
    from cardwright.analysis.figures.registry import OF_ONE_GAME
    from cardwright.study import report

    monkeypatch.setattr(report, "OF_ONE_GAME", OF_ONE_GAME[:1])


@pytest.mark.slow
@pytest.mark.usefixtures("_few_pictures")
def test_numbers_follow_from_the_seed(made: tuple[Path, Result], run: Run, tmp_path: Path) -> None:
    """Random games are the same from the same seed, whatever else is played."""
    out, _ = made
    random_games = {}
    for seed in ("5", "6"):
        again = tmp_path / seed
        call = ("leduc", *FEW, "--ai-games", "0", "--seed", seed, "--out", str(again))
        assert run("analyze", *call).exit_code == 0
        random_games[seed], before = (
            json.loads((one / "numbers.json").read_text())["games"][0]["statistics"]["RR"]
            for one in (again, out)
        )
    assert random_games["5"] == before != random_games["6"]


@pytest.mark.usefixtures("_few_pictures")
@pytest.mark.parametrize("ties", ["shared", "full"])
def test_a_page_counts_ties_in_one_way(run: Run, tmp_path: Path, ties: str) -> None:
    """Two seats that often tie: the table, the page and the numbers say how that counts."""
    words = ("--games", "40", "--ai-games", "0", "--workers", "1", "--seed", "1", "--ties", ties)
    result = run("analyze", "coin.rcy", *words, "--out", str(tmp_path / "o"))
    data = json.loads((tmp_path / "o/numbers.json").read_text())
    assert data["ties"] == json.loads((tmp_path / "o/manifest.json").read_text())["ties"] == ties
    rows = {(one["family"], one["name"], one["batch"]): one for one in data["games"][0]["measures"]}
    line = "first_seat_wins" if ties == "full" else "first_seat_wins_shared"
    wins = rows["shape", line, "RR"]["value"]
    fair = rows["articles", "fairness", "RR"]
    assert fair["note"] == ("ties in full" if ties == "full" else "ties shared")
    assert fair["value"] == pytest.approx(min(2 * wins, (1 - wins) * 2))
    page = (tmp_path / "o/index.html").read_text(encoding="utf-8")
    for text in (" ".join(result.stdout.split()), page):
        assert tie_words(ties) in text  # type: ignore[arg-type]
    assert f"{100 * wins:.1f} % of the wins" in page
    assert "shared" in page.partition('id="def-wins"')[2][:200] or ties == "full"


@pytest.mark.usefixtures("_few_pictures")
def test_a_variant_has_its_name_and_settings(run: Run, tmp_path: Path) -> None:
    words = ("--games", "2", "--ai-games", "0", "--workers", "1", "--seed", "1", "--json")
    result = run(
        "analyze", "hearts:nomoon", *words, "--set", "QUEEN=7", "--out", str(tmp_path / "o")
    )
    (game,) = json.loads(result.stdout)["games"]
    assert (game["name"], game["preset"], game["set"]) == (
        "hearts:nomoon QUEEN=7", "nomoon", {"QUEEN": "7"},
    )  # fmt: skip


@pytest.mark.usefixtures("_few_pictures")
def test_games_with_errors_are_counted_and_make_the_exit_code_1(run: Run, tmp_path: Path) -> None:
    words = ("--games", "30", "--ai-games", "0", "--workers", "1", "--seed", "1")
    result = run("analyze", "breaks.rcy", *words, "--out", str(tmp_path / "out"))
    assert result.exit_code == 1
    assert "27 of RR" in result.output
    (game,) = json.loads((tmp_path / "out/numbers.json").read_text())["games"]
    assert game["games_with_errors"] == {"RR": 27}
    assert game["statistics"]["RR"]["games"] == 3
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("hartes",), 2, "hearts"),
        (("leduc", "--player", "pimk"), 2, "pimc"),
        (("leduc", "--games", "0"), 2, "--games"),
        (("leduc:nothing",), 2, "nothing"),
        ((), 2, "GAME"),
    ],
)
def test_mistakes_are_explained(
    run: Run, tmp_path: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    result = run("analyze", *words, "--out", str(tmp_path / "out"))
    assert result.exit_code == code, result.output
    assert said in result.output
    assert "Traceback" not in result.output
    assert not (tmp_path / "out").exists()


def test_a_folder_in_use_is_refused(made: tuple[Path, Result], run: Run, tmp_path: Path) -> None:
    out, _ = made
    result = run("analyze", "leduc", *FEW, "--out", str(out))
    assert result.exit_code == 1
    assert "--resume" in result.output
    (tmp_path / "letter.txt").write_text("dear")
    result = run("analyze", "leduc", *FEW, "--out", str(tmp_path))
    assert result.exit_code == 1
    assert "not empty" in result.output
    result = run("analyze", "leduc", *FEW, "--games", "9", "--out", str(out), "--resume")
    assert result.exit_code == 1
    assert "deals: 12 there, 9 here" in result.output


def test_a_missing_library_is_said_before_play(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = util.find_spec

    def without(name: str, *rest: Any) -> Any:
        return None if name == "matplotlib" else found(name, *rest)

    monkeypatch.setattr("cardwright.extras.find_spec", without)
    result = run("analyze", "leduc", *FEW, "--out", str(tmp_path / "out"))
    assert result.exit_code == 1
    assert advice("arena") in result.output


def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ["leduc", "--games", "100000", "--ai-games", "0", "--workers", "1", "--out", str(out)]
    call = [sys.executable, "-m", "cardwright", "analyze", *words]
    with subprocess.Popen(call, stderr=subprocess.PIPE, text=True, start_new_session=True) as one:
        wait_until((out / "records/leduc/RR/manifest.json").exists)
        os.kill(one.pid, signal.SIGINT)
        _, said = one.communicate(timeout=PATIENCE)
    assert one.returncode == 130
    advice = shlex.split(said.strip().splitlines()[-1])
    assert advice[:3] == ["cardwright", "analyze", "leduc"]
    assert advice[-1] == "--resume"
    seed = advice[advice.index("--seed") + 1]
    manifest = json.loads((out / "records/leduc/RR/manifest.json").read_text())
    assert seed in json.dumps(manifest["plan"])
