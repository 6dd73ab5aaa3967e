"""What a sandbox's Python needs to read, and bubblewrap's arguments."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from cardwright.sandbox import process
from cardwright.sandbox.process import Interpreter, interpreter


def test_what_is_needed_is_little_and_real() -> None:
    """No path is a link or lies below another, and none is the root, a home or this project."""
    python = interpreter()
    paths = [Path(name) for name in python.readable]
    assert all(path.resolve() == path for path in paths)
    assert not any(one in two.parents for one in paths for two in paths)
    assert Path("/") not in paths
    assert Path.home() not in paths
    assert not any(
        Path(process.__file__).is_relative_to(p) for p in paths if p.name != "site-packages"
    )
    assert any(Path(os.__file__).resolve().is_relative_to(path) for path in paths)
    assert python.program == str(Path(sys.executable).resolve())


def test_closed_folders_are_found(open_folder: Path) -> None:
    """The outermost folder that others cannot pass is to be covered, with what is needed below."""
    python = open_folder / "closed" / "also" / "python"
    python.mkdir(parents=True)
    (open_folder / "closed").chmod(0o700)
    (open_folder / "closed" / "also").chmod(0o700)
    view = Interpreter("", (), (str(python), "/usr/lib"))
    assert view.hidden() == [(str(open_folder / "closed"), [str(python)])]
    python.chmod(0o700)
    with pytest.raises(PermissionError, match="python cannot be read by other users"):
        view.hidden()


def test_bubblewrap_lets_in_only_what_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is shown read-only, and a user's sandbox can make no namespace of its own."""
    monkeypatch.setattr(process, "_version", lambda _: (0, 8))
    python = Interpreter("/opt/py/bin/python", (), ("/opt/py/bin/python", "/usr/lib"))
    words = process.bubblewrapped("bwrap", python, root=False, info_fd=7)
    assert "--disable-userns" in words
    assert "--unshare-user" in words
    shown = [words[at + 1] for at, word in enumerate(words) if word.endswith("bind")]
    assert shown == ["/opt/py/bin/python", "/usr/lib"]
    assert "--cap-add" not in words


def test_root_keeps_what_it_needs_to_be_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a user namespace root would stay root by another name."""
    monkeypatch.setattr(process, "_version", lambda _: (0, 8))
    words = process.bubblewrapped("bwrap", Interpreter("", (), ()), root=True, info_fd=7)
    assert "--unshare-user" not in words
    added = [words[at + 1] for at, word in enumerate(words) if word == "--cap-add"]
    assert added == ["CAP_SETUID", "CAP_SETGID"]


def test_an_old_bubblewrap_is_not_asked_for_what_it_does_not_know(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Version 0.6 of Ubuntu 22.04 serves as well; there the filter refuses namespaces."""
    monkeypatch.setattr(process, "_version", lambda _: (0, 6))
    assert "--disable-userns" not in process.bubblewrapped(
        "bwrap", interpreter(), root=False, info_fd=7
    )
