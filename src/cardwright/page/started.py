"""Runs in Pyodide: comes to the first card of Hearts, and writes bytecode of what that needs.

`cardwright.page.bytecode` has it run, in Node. Of places in sources lines stay and columns do not,
which the environment says; of docstrings there are Cardwright's, whose first lines a page has.
"""

from __future__ import annotations

import ast
import asyncio
import json
import sys
from importlib.util import MAGIC_NUMBER
from marshal import dumps
from pathlib import Path

from cardwright.web.page_host import PageHost

OUT = Path("/out")

_UNCHECKED = (1).to_bytes(4, "little") + bytes(8)
"""What says that nothing is compared with a source."""

_DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


async def first_card() -> None:
    """Have a table made, and look at it, as a page does."""
    host = PageHost()
    await host.start()
    seats = [{"kind": "person"}, *[{"kind": "computer", "player": "expert"}] * 3]
    status, text = await host.ask(
        "POST", "/api/tables", json.dumps({"game": "hearts", "seats": seats})
    )
    assert status == 201, text
    looked = asyncio.Event()
    link = json.loads(text)["seats"][0]["link"]
    follow = host.follow(1, f"/api{link}/events", None, lambda _id, _data: looked.set())
    following = asyncio.ensure_future(follow)
    await looked.wait()
    host.end(1)
    await following


def _without_docstrings(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False):
            about = node.body[0]
            assert isinstance(about, ast.Expr)
            about.value = ast.copy_location(ast.Constant(""), about.value)


def bytecode(file: Path) -> bytes:
    """Return the bytecode of a module, as a file without a source holds it."""
    tree = ast.parse(file.read_bytes(), file)
    if "cardwright" not in file.parts:
        _without_docstrings(tree)
    return MAGIC_NUMBER + _UNCHECKED + dumps(compile(tree, file, "exec", dont_inherit=True))


async def main() -> None:
    """Play, and write."""
    await first_card()
    for module in [*sys.modules.values()]:
        file = Path(getattr(module, "__file__", None) or "")
        frozen = module.__spec__ is not None and module.__spec__.origin == "frozen"
        if frozen or file.suffix != ".py" or "kernels" in file.parts:  # which sources are needed of
            continue
        made = OUT / file.relative_to("/").with_suffix(".pyc")
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_bytes(bytecode(file))
