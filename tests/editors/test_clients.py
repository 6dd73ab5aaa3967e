"""Real editors and the client library of VS Code, with the real server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import needed
from patience import PATIENCE

ROOT = Path(__file__).parents[2]
EDITORS = ROOT / "editors"
HERE = Path(__file__).parent
CARDWRIGHT = shutil.which("cardwright", path=str(Path(sys.executable).parent)) or "cardwright"
GAME = """\
;; Echo: one card each.
(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK) (deck (SUIT (MOON, STAR)))))
  (do (
    (shuffle (game iloc STOCK))
    (all player 'P (move (top (game iloc STOCK)) (top ('P iloc HAND))))))
  (stage player
    (end (== (siez (game vloc PILE)) 2))
    (choice ((any ((current player) iloc HAND) 'CARD (move 'CARD (top (game vloc PILE)))))))
  (scoring max (size (game vloc PILE))))
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "echo.rcy"
    path.write_text(GAME)
    return path


def told_by(words: list[str], folder: Path, **more: str) -> str:
    """Return what a program prints, away from what is set up for its user."""
    home = {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    ended = subprocess.run(
        words,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        cwd=folder,
        env={**os.environ, **home, "XDG_STATE_HOME": str(folder), **more},
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.mark.slow
def test_neovim(game: Path) -> None:
    """Its own client gets messages, mends, asks and renames; its syntax file colours."""
    command = json.dumps([CARDWRIGHT, "lsp"]).replace("[", "{").replace("]", "}")
    told: dict[str, Any] = json.loads(
        told_by(
            [
                needed.program("nvim"), "--headless", "-u", "NONE", "-i", "NONE",
                "--cmd", f"set runtimepath^={EDITORS / 'neovim'}",
                "--cmd", f"lua require('cardwright').setup({{ command = {command} }})",
                "--cmd", "filetype plugin on", "--cmd", "syntax on",
                "-c", f"luafile {HERE / 'neovim_story.lua'}", "-c", "qa!",
                str(game),
            ],
            game.parent,
        )
    )  # fmt: skip
    assert told["messages"] == ["E201"]
    assert any("size" in title for title in told["actions"])
    assert told["mended"]
    assert "a card" in told["hover"]
    assert "'CARD" in told["completion"]
    assert told["renamed"] == [True, True]
    assert told["filetype"] == "recycle"
    assert "cardwright.play" in told["commands"]
    assert told["groups"] == {
        "(game": "recycleOwner",
        "iloc": "recycleKind",
        "'P": "recycleVariable",
        "HEAP": "recycleName",
        "move": "recycleAction",
    }


@pytest.mark.slow
def test_emacs(game: Path) -> None:
    """The mode compiles without warnings, colours every class of words, and lays out a game."""
    emacs = needed.program("emacs")
    folder = game.parent / "mode"
    shutil.copytree(EDITORS / "emacs", folder)
    words = [emacs, "--batch", "-Q", "-L", str(folder)]
    strict = ["--eval", "(setq byte-compile-error-on-warn t)", "-f", "batch-byte-compile"]
    told_by([*words, *strict, *map(str, sorted(folder.glob("*.el")))], game.parent)
    told = json.loads(
        told_by([*words, "-l", str(HERE / "recycle-mode-story.el"), str(game)], game.parent)
    )
    assert told["mode"] == "recycle-mode"
    assert told["faces"] == {
        "Echo": "font-lock-comment-face",
        "(game": "font-lock-variable-name-face",
        "iloc": "font-lock-type-face",
        "STOCK": "font-lock-constant-face",
        "'P": "font-lock-variable-name-face",
        "move": "font-lock-builtin-face",
        "(size": "font-lock-function-name-face",
        "stage": "font-lock-keyword-face",
        "siez": "font-lock-warning-face",
    }
    assert told["text"] == GAME


@pytest.mark.deep
def test_vs_code(tmp_path: Path) -> None:
    """The extension's own checks and tests pass, and it is packed into one file."""
    npm = needed.program("npm")
    folder = tmp_path / "editors" / "vscode"
    kept = shutil.ignore_patterns("node_modules", "out")
    shutil.copytree(EDITORS / "vscode", folder, ignore=kept)
    shutil.copy(ROOT / "LICENSE", tmp_path)
    installed = subprocess.run(
        [npm, "ci", "--loglevel=error"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        cwd=folder,
    )
    if installed.returncode:
        needed.lacking(f"npm's registry does not give what the extension needs: {installed.stderr}")
    for script in ("test", "package"):
        ended = subprocess.run(
            [npm, "run", "--silent", script],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
            cwd=folder,
            env={**os.environ, "CARDWRIGHT": CARDWRIGHT},
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
    assert (folder / "out" / "recycle-cardwright.vsix").stat().st_size > 50_000
