"""`cardwright players`: all kinds of players, with what they take."""

from __future__ import annotations

import json
from collections.abc import Callable

from click.testing import Result

from cardwright.arena.entrants import kinds

Run = Callable[..., Result]


def test_players_are_listed_with_their_parameters(run: Run) -> None:
    lines = run("players").output.splitlines()
    assert set(kinds()) <= {line.partition("[")[0].partition(":")[0] for line in lines}
    assert "python:path.py:Name" in lines
    assert "hierarchy[:file]" in lines
    at = lines.index("pimc")
    assert lines[at + 2].startswith("    rollouts=50  ")
    assert lines[at + 2].endswith(": a number from 1 to 1,000,000")
    assert any(line.startswith("    ms=...  ") for line in lines)


def test_players_as_json(run: Run) -> None:
    found = json.loads(run("players", "--format", "json").output)["players"]
    assert [one["name"] for one in found] == list(kinds())
    by_name = {one["name"]: one for one in found}
    assert by_name["python"]["argument"] == "path.py:Name"
    assert by_name["pimc"]["parameters"][1] == {
        "name": "mode",
        "default": "basic",
        "values": "one of basic, known, consistent",
        "about": "what the seat is assumed to know",
    }


def test_players_of_hearts_play_in_simulate(run: Run) -> None:
    """The commands know the players of all rooms."""
    words = ("simulate", "leduc", "--games", "2", "--seed", "1", "--players")
    assert run(*words, "first,cardstock-pipmc:tests=1").exit_code == 0
    wrong = run(*words, "frist")
    assert wrong.exit_code == 2
    assert "did you mean first?" in wrong.output
