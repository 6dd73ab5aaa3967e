"""What an import, and a check, may load: no module that costs time and is not needed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from patience import PATIENCE

HEARTS = Path(__file__).parents[1] / "src/cardwright/library/games/hearts.rcy"

ALLOWED = {"cardwright", "cardwright._public", "cardwright._version"}
"""All that `import cardwright` loads, besides what the standard library needs for `typing`."""

STANDARD = {
    "__future__", "_collections", "_functools", "_operator", "_sre", "_typing", "_weakref",
    "_weakrefset", "collections", "contextlib", "copyreg", "enum", "functools", "importlib",
    "itertools", "keyword", "operator", "re", "reprlib", "types", "typing", "warnings", "weakref",
}  # fmt: skip

PROBE = """
import json, sys
before = set(sys.modules)
{code}
print(json.dumps(sorted(set(sys.modules) - before)), file=sys.stderr)
"""


def loaded_by(code: str) -> set[str]:
    """Return the modules that some code loads in a process without our own start-up modules."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE.format(code=code)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


def test_import_loads_next_to_nothing() -> None:
    loaded = loaded_by("import cardwright")
    assert {name for name in loaded if name.startswith("cardwright")} == ALLOWED
    others = {name.split(".", 1)[0] for name in loaded} - {"cardwright"}
    assert others <= STANDARD


HEAVY = ("rich", "numpy", "asyncio", "subprocess", "cardwright.interpreter")


def test_check_loads_nothing_heavy() -> None:
    code = f"""
from cardwright.interfaces.cli import main
sys.argv = ["cardwright", "check", {str(HEARTS)!r}]
try:
    main()
except SystemExit as exit:
    assert exit.code == 0
"""
    loaded = loaded_by(code)
    assert "cardwright.program.check" in loaded
    assert not {name for name in loaded if f"{name}.".startswith(tuple(f"{one}." for one in HEAVY))}


def test_a_game_is_loaded_without_the_compiler() -> None:
    """What the native engine needs is loaded when the first game is started."""
    loaded = loaded_by("from cardwright import Game; Game.load('hearts')")
    heads = {name.split(".", 1)[0] for name in loaded}
    assert "cardwright.game.engines" in loaded
    assert not heads & {"llvmlite", "numpy", "ctypes", "click", "rich"}
    assert not {name for name in loaded if name.startswith("cardwright.compiler")}


def test_help_loads_nothing_heavy() -> None:
    """That of any command, all of which are asked in one process."""
    code = """
from io import StringIO
from click import Context
from cardwright.interfaces.cli import main
from cardwright.interfaces.cli.group import commands
lab, league = (commands.get_command(Context(commands), name) for name in ("lab", "league"))
calls = [[], *([name] for name in commands.names)]
calls += [["lab", name] for name in lab.names]
calls += [["league", name] for name in league.list_commands(Context(league))]
for words in calls:
    sys.argv, sys.stdout = ["cardwright", *words, "--help"], StringIO()
    try:
        main()
    except SystemExit as exit:
        assert exit.code == 0, words
    assert sys.stdout.getvalue().startswith("Usage: cardwright"), words
assert len(calls) > 35
"""
    heavy = {*HEAVY, "llvmlite", "polars", "textual", "cardwright.game.game"}
    assert not loaded_by(code) & heavy
