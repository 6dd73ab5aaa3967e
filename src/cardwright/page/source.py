"""Which modules of Cardwright a page needs, as an archive."""

from __future__ import annotations

import ast
import gzip
import json
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

PACKAGE = Path(str(resources.files("cardwright")))

ROOTS = (
    "cardwright.arena.one_game",
    "cardwright.compiler.wasm.pyodide_backend",
    "cardwright.web.page_host",
    "cardwright.web.host_worker",
    "cardwright.web.measuring",
    "cardwright.web.replaying",
    "cardwright.web.second_worker",
    "cardwright.web.studio.worker",
    "cardwright.web.think_worker",
)
"""The modules that a page begins with."""

CONSOLE_ROOTS = ("cardwright.interfaces.console",)
"""The modules that the console needs besides."""

ABSENT = (
    "cardwright.compiler.llvm",
    "cardwright.evolution",
    "cardwright.league",
)
"""What no page can use: machine code, and what looks at folders."""

_DATA = {".rcy", ".toml", ".txt"}
"""Files that modules read."""

_LEFT_OUT = {"playthroughs", "static"}


def needed_modules(roots: Iterable[str] = ROOTS) -> dict[str, Path]:
    """Return the modules that some import, at once or later, with their files; those included."""
    files = {_module(file): file for file in PACKAGE.rglob("*.py")}
    needed: dict[str, Path] = {}
    waiting = list(roots)
    while waiting:
        module = waiting.pop()
        while module and module not in needed:
            if module in files and not module.startswith(ABSENT):
                needed[module] = files[module]
                waiting += imported(files[module])
            module = module.rpartition(".")[0]
    return dict(sorted(needed.items()))


def _module(file: Path) -> str:
    parts = ("cardwright", *file.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imported(file: Path) -> tuple[str, ...]:
    """Return what a module imports, names of modules among others; what types need is left out."""
    return tuple(_imported(file))


def _imported(file: Path) -> Iterator[str]:
    waiting: list[ast.AST] = [ast.parse(file.read_text("utf-8"))]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                continue
            case ast.ImportFrom(module=str(module), names=names):
                yield module
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.Constant(value=str(text)) if text.startswith("cardwright."):
                yield text  # as kernels and displays are named, which are imported late
        waiting += ast.iter_child_nodes(node)


def cardwright_files(roots: Iterable[str] = ROOTS) -> dict[str, bytes]:
    """Return the files of the package that some modules need, by their paths in an archive."""
    files = {}
    modules = needed_modules(roots).values()
    for file in modules:
        for source in (file, file.with_suffix(".pyi")):  # stubs name what a package exports
            if source.exists():
                files[_place(source)] = _briefly(source.read_text("utf-8")).encode()
    for folder in {file.parent for file in modules} - {PACKAGE}:
        for file in folder.rglob("*"):
            if file.suffix in _DATA and not _LEFT_OUT.intersection(file.parts):
                files[_place(file)] = file.read_bytes()
    return dict(sorted(files.items()))


def _briefly(text: str) -> str:
    """Return a source with the first lines of docstrings alone; all else keeps its line."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(ast.Constant(str()), lineno=at, end_lineno=int(end)) if at < end:
                first = lines[at - 1]
                if not first.endswith("\\"):
                    lines[at - 1 : end] = [f'{first}"""', *[""] * (end - at)]
    return "\n".join(lines) + "\n"


def console_files(present: Collection[str]) -> dict[str, bytes]:
    """Return the files that the console needs, without those that are present in any page."""
    files = cardwright_files((*ROOTS, *CONSOLE_ROOTS))
    return {name: content for name, content in files.items() if name not in present}


def _place(file: Path) -> str:
    return f"cardwright/{file.relative_to(PACKAGE).as_posix()}"


def archived(files: Mapping[str, bytes]) -> bytes:
    """Return files as an archive, as `archive.js` unpacks it: compressed together, not each alone.

    It begins with a line of JSON, the names and the sizes, and its bytes follow from the files.
    """
    head = json.dumps([(name, len(content)) for name, content in files.items()])
    return gzip.compress(b"\n".join((head.encode(), b"".join(files.values()))), 9, mtime=0)


def unarchived(archive: bytes) -> dict[str, bytes]:
    """Return the files in an archive."""
    head, _, contents = gzip.decompress(archive).partition(b"\n")
    files, at = {}, 0
    for name, size in json.loads(head):
        files[name] = contents[at : at + size]
        at += size
    return files
