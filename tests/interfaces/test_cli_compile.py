"""`cardwright compile`: what it keeps, and the stages that it shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from click.testing import Result

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., Result]

pytestmark = pytest.mark.optimised


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a cache of its own for every test."""
    found = tmp_path / "objects"
    monkeypatch.setenv("CARDWRIGHT_CACHE", str(found))
    monkeypatch.setenv("COLUMNS", "100")
    return found


def test_it_compiles_once(run: Run, folder: Path) -> None:
    """The first call makes the code and keeps it, the second finds it."""
    first = run("compile", "leduc")
    assert first.exit_code == 0
    assert first.stdout.startswith("leduc: compiled in ")
    assert first.stdout.endswith(f"bytes, kept in {folder}\n")
    assert len(list(folder.iterdir())) == 2
    assert run("compile", "leduc").stdout == f"leduc: compiled before, kept in {folder}\n"
    assert len(list(folder.iterdir())) == 2


def test_each_form_of_a_game_is_compiled(run: Run, folder: Path) -> None:
    """There are two entries for each: what plays a game, and what plays many at random."""
    assert run("compile", "agram", "--set", "PLAYERS=3").exit_code == 0
    assert " compiled in " in run("compile", "agram", "--set", "PLAYERS=4").stdout
    assert len(list(folder.iterdir())) == 4


def test_without_a_cache_nothing_is_kept(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDWRIGHT_CACHE", "off")
    result = run("compile", "leduc")
    assert result.exit_code == 0
    assert result.stdout.endswith("bytes, not kept\n")


def test_the_ir_is_that_of_the_rules(run: Run, folder: Path) -> None:
    """Kernels are shown when they are asked for; showing keeps nothing."""
    shown = run("compile", "leduc", "--show", "ir").stdout
    assert "function advance(board: pointer, context: pointer) -> int:\n" in shown
    assert "exported" not in shown
    kernel = run("compile", "leduc", "--show", "ir", "--function", "cw_player").stdout
    assert kernel.startswith("exported function cw_player(board: pointer) -> int:\n")
    assert not folder.exists()


@pytest.mark.parametrize(
    ("show", "said"),
    [
        ("llvm", "define i64 @cw_player(ptr "),
        ("optimised", "define "),
        ("asm", "cw_player:\n"),
    ],
)
def test_a_function_at_each_stage(run: Run, show: str, said: str) -> None:
    whole = run("compile", "leduc", "--show", show)
    assert whole.exit_code == 0
    one = run("compile", "leduc", "--show", show, "--function", "cw_player").stdout
    assert one.startswith(said)
    assert one.rstrip("\n").replace("\t", "") in whole.stdout.replace("\t", "")
    assert len(one) < len(whole.stdout) / 10


def test_several_functions(run: Run) -> None:
    words = ["--function", "cw_play", "--function", "cw_player"]
    shown = run("compile", "leduc", "--show", "ir", *words).stdout
    assert [line for line in shown.splitlines() if "function" in line] == [
        "exported function cw_play(board: pointer, context: pointer, index: int) -> int:",
        "exported function cw_player(board: pointer) -> int:",
    ]


def test_functions_that_are_not_there(run: Run) -> None:
    """A name that is wrong gets a suggestion, one that is no more gets the reason."""
    wrong = run("compile", "leduc", "--show", "ir", "--function", "cw_playr")
    assert wrong.exit_code == 2
    assert "did you mean cw_play" in wrong.stderr
    gone = run("compile", "leduc", "--show", "asm", "--function", "player")
    assert gone.exit_code == 2
    assert "player is inlined in its callers by then" in gone.stderr
    assert "cw_player" in gone.stderr


@pytest.mark.parametrize("words", [[], ["--show", "stats"]])
def test_functions_need_a_stage_that_has_them(run: Run, words: list[str]) -> None:
    result = run("compile", "leduc", "--function", "advance", *words)
    assert result.exit_code == 2
    assert "--function needs --show" in result.stderr


def test_stats(run: Run) -> None:
    """There are times of all stages, sizes, the parts of a state, and the ways to options."""
    result = run("compile", "whist", "--show", "stats")
    assert result.exit_code == 0
    rows = [line.split() for line in result.stdout.splitlines() if line]
    firsts = [row[0] for row in rows]
    for name in ("lower", "emit", "LLVM", "words", "where", "whist.rcy:31:7"):
        assert name in firsts, name
    starts = [" ".join(row[:3]) for row in rows]
    assert any(start.startswith("from the cache") for start in starts)
    assert any(start.startswith("object bytes") for start in starts)
    assert any(start.startswith("6 piles 642") for start in starts)
    assert rows[-1] == ["all", "3", "listed"]
    assert all(line == line.rstrip() for line in result.stdout.splitlines())


def test_a_file_with_mistakes_is_not_compiled(run: Run) -> None:
    result = run("compile", "wrong.rcy")
    assert result.exit_code == 1
    assert "wrong.rcy cannot be played like this" in result.stderr


@pytest.mark.parametrize("option", ["--save", "-o"])
def test_a_module_of_webassembly_is_written(
    run: Run, folder: Path, tmp_path: Path, option: str
) -> None:
    """Nothing is compiled for this machine."""
    place = tmp_path / "leduc.wasm"
    result = run("compile", "leduc", "--target", "wasm", option, str(place))
    size = len(place.read_bytes())
    assert result.stdout.startswith(f"leduc: {size:,} bytes of WebAssembly in ")
    assert place.read_bytes().startswith(b"\0asm\x01\0\0\0")
    assert b"cw_random_games" in place.read_bytes()
    assert not folder.exists()


@pytest.mark.parametrize(
    "words",
    [
        ["--target", "wasm"],
        ["--save", "leduc.wasm"],
        ["--target", "wasm", "--save", "leduc.wasm", "--show", "ir"],
        ["--target", "wasm", "--save", "nowhere/leduc.wasm"],
    ],
)
def test_options_for_a_module_belong_together(run: Run, words: list[str]) -> None:
    assert run("compile", "leduc", *words).exit_code == 2
