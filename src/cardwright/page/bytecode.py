"""Bytecode of the modules that a page begins with, so that no browser has to make it.

It is made by Python's own version of a page, which runs in Node.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from cardwright.jobs.files import write_whole
from cardwright.page.runtime import kept_folder
from cardwright.page.source import archived, unarchived
from cardwright.syntax.data_files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

PROGRAM = Path(__file__).with_name("started.py")
HOST = Path(__file__).with_name("bytecode.mjs")
UNPACK = Path(__file__).parents[1] / "web" / "static" / "js" / "alone" / "archive.js"

_MOST = 64 << 20
"""The most bytes that are kept."""

_MOST_KEPT = 4
"""The results that are kept besides the last."""

_SECONDS = 600.0


class NoBytecodeError(Exception):
    """It cannot be made here; the message says why."""


def compiled(
    pyodide: Mapping[str, bytes],
    archives: Mapping[str, Mapping[str, bytes]],
    folders: Mapping[str, str],
) -> dict[str, dict[str, bytes]]:
    """Return archives in which bytecode takes the place of the modules that a page begins with.

    `folders` are where the archives are put. Raises NoBytecodeError.
    """
    made = _kept(pyodide, {name: archived(files) for name, files in archives.items()}, folders)
    return {
        name: _replaced(files, folders[name].removeprefix("/"), made)
        for name, files in archives.items()
    }


def _replaced(
    files: Mapping[str, bytes], folder: str, bytecode: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Return files, those first whose bytecode there is, as what is alike is packed best."""
    found = {name: f"{folder}/{name}c" for name in files if f"{folder}/{name}c" in bytecode}
    first = {f"{name}c": bytecode[place] for name, place in found.items()}
    return first | {name: content for name, content in files.items() if name not in found}


def _kept(
    pyodide: Mapping[str, bytes], packed: Mapping[str, bytes], folders: Mapping[str, str]
) -> dict[str, bytes]:
    """Return bytecode by its place, made before if it was of the same files."""
    kept = kept_folder()
    if kept is None:
        return _made(pyodide, packed, folders)
    programs = (PROGRAM, HOST, UNPACK)
    contents = [*pyodide.values(), *packed.values(), *(file.read_bytes() for file in programs)]
    digest = hashlib.sha256(b"".join(hashlib.sha256(one).digest() for one in contents))
    file = kept / f"{digest.hexdigest()}.bytecode"
    try:
        return unarchived(read_bytes(file, _MOST))
    except (OSError, ValueError, EOFError):
        made = _made(pyodide, packed, folders)
    kept.mkdir(parents=True, exist_ok=True)
    newest = sorted(kept.glob("*.bytecode"), key=lambda old: -old.stat().st_mtime)
    for old in newest[_MOST_KEPT:]:
        old.unlink(missing_ok=True)
    write_whole(file, archived(made))
    return made


def _made(
    pyodide: Mapping[str, bytes], packed: Mapping[str, bytes], folders: Mapping[str, str]
) -> dict[str, bytes]:
    """Return bytecode by its place, made in Node; raises NoBytecodeError."""
    node = shutil.which("node")
    if node is None:
        raise NoBytecodeError("Node is not installed")
    with TemporaryDirectory() as made:
        folder, out = Path(made) / "python", Path(made) / "out"
        folder.mkdir()
        out.mkdir()
        for name, content in {**pyodide, **packed, "archive.mjs": UNPACK.read_bytes()}.items():
            (folder / name).write_bytes(content)
        parts = json.dumps([(name, folders[name]) for name in packed])
        try:
            done = subprocess.run(
                [node, HOST, folder, out, PROGRAM, parts],
                capture_output=True, text=True, check=False, timeout=_SECONDS,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NoBytecodeError(f"Node has failed: {error}") from None
        if done.returncode:
            told = done.stderr.strip().splitlines()
            raise NoBytecodeError(f"Node has failed: {told[-1] if told else done.returncode}")
        files = sorted(file for file in out.rglob("*") if file.is_file())
        return {file.relative_to(out).as_posix(): file.read_bytes() for file in files}
