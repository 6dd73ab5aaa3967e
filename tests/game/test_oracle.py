"""The interpreter judges machine code, so it shares no code with the compiler."""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path


def imported(name: str) -> set[str]:
    """The modules of ours that a module imports, at its top or within functions."""
    spec = find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    found: set[str] = set()
    pending: list[ast.AST] = [ast.parse(Path(spec.origin).read_text(encoding="utf-8"))]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found.update({node.module}, filter(is_module, inner))
        pending.extend(ast.iter_child_nodes(node))
    return {module for module in found if module.startswith("cardwright.")}


def is_module(name: str) -> bool:
    try:
        return name.startswith("cardwright.") and find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def test_the_interpreter_imports_nothing_of_the_compiler() -> None:
    pending, met = ["cardwright.game.reference", "cardwright.interpreter.machine"], set[str]()
    while pending:
        name = pending.pop()
        if name not in met:
            met.add(name)
            pending.extend(imported(name))
    assert "cardwright.interpreter.machine" in met
    assert not {name for name in met if name.startswith("cardwright.compiler")}
