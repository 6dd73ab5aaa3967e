"""Inspects a bot's file without running it; the text comes in, findings go out as JSON.

This file is a separate program: `check` runs it in its own process, because a text can be crafted
so that Python's parser crashes the process. Its arguments are the modules that may be imported, and
it needs only the standard library. A finding is a list: "fault" or "note", the line or null, and a
sentence.
"""

from __future__ import annotations

import ast
import json
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    Finding: TypeAlias = "tuple[str, int | None, str]"
    Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"

FAULT, NOTE = "fault", "note"
WANTED = ("getPlay", "getSluff")
MEMORY = 1 << 30
SECONDS = 10

_CHANGES = frozenset({
    "add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "reverse",
    "setdefault", "sort", "update",
})  # fmt: skip
"""Methods that change a list, a set or a dictionary."""

IN_PLACE = "legalMoves is changed in place: "
AS_LEFT = "an index returned then is one of the list as it is left"
IN_MODULE = (
    "a process has several games of the bot at a time, in an order that nobody knows, and what is "
    "kept in a module is seen in all of them"
)
_OWN = ("random", "hearts_cards")
"""Modules of which every game has its own."""

_LEGAL = "legalMoves"

_IN_VAIN = {
    "open": "a bot can open only files of the folder beside it, to read them",
    "input": "a bot has no input: in a season this raises an error",
    "print": "what a bot prints is discarded in a season",
    "exec": "code run from text is not inspected here",
    "eval": "code run from text is not inspected here",
    "__import__": "modules imported like this are not inspected here",
}


def look(text: str, allowed: list[str]) -> list[Finding]:
    """Return what is found in a bot's text, by lines."""
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        return [(FAULT, error.lineno, f"{type(error).__name__}: {error.msg}")]
    except ValueError as error:  # a null byte, before Python 3.12
        return [(FAULT, None, f"SyntaxError: {error}")]
    except (RecursionError, MemoryError):
        return [(FAULT, None, "this is nested too deeply for Python to read it")]
    found = [*_functions(tree), *_imports(tree, allowed), *_memory(tree), *_calls(tree)]
    found += [*_in_place(tree), *_kept_in_modules(tree)]
    return sorted(set(found), key=lambda one: (one[1] or 0, one))


def _functions(tree: ast.Module) -> Iterator[Finding]:
    """Find what is wrong with the two functions of a bot."""
    functions: dict[str, Function] = {}
    others: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            functions[node.name] = node
        else:
            others.update(_bound(node))
    for name in WANTED:
        if name in functions:
            yield from _function(functions[name])
        elif name not in others:
            yield FAULT, None, f"there is no function {name}(gameState)"


def _bound(node: ast.AST) -> Iterator[str]:
    """Yield the names that a statement may bind at the top level of a file, in any way."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id
        elif isinstance(part, ast.alias):
            yield part.asname or part.name
        elif isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            yield part.name


def _function(function: Function) -> Iterator[Finding]:
    name, line, given = function.name, function.lineno, function.args
    positional = [*given.posonlyargs, *given.args]
    needed = len(positional) - len(given.defaults)
    keywords = [key for key, value in zip(given.kwonlyargs, given.kw_defaults, strict=True)
                if value is None]  # fmt: skip
    if needed > 1 or keywords or not (positional or given.vararg):
        yield FAULT, line, f"{name} is called with one argument, {name}(gameState)"
    inside = list(_inside(function))
    if isinstance(function, ast.AsyncFunctionDef):
        yield FAULT, line, f"{name} is async: it does not return a number; write `def {name}`"
    elif any(isinstance(node, ast.Yield | ast.YieldFrom) for node in inside):
        yield FAULT, line, f"{name} has a `yield`: it returns a generator and not a number"
    elif not any(isinstance(node, ast.Return) and node.value for node in inside) and not (
        any(isinstance(node, ast.Raise) for node in function.body)
    ):
        yield FAULT, line, f"{name} returns nothing; return the index of a card in legalMoves"


def _inside(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function, without those of nested functions or classes."""
    waiting = list(ast.iter_child_nodes(function))
    apart = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, apart):
            waiting += ast.iter_child_nodes(node)


def _imports(tree: ast.Module, allowed: list[str]) -> Iterator[Finding]:
    """Find imports that are refused, even if they are rarely reached."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = ["." * node.level + (node.module or "")]
        else:
            continue
        for name in names:
            if name.partition(".")[0] not in allowed:
                listed = ", ".join(one for one in allowed if one != "__future__")
                yield FAULT, node.lineno, f"a bot may not import {name[:80]}; only {listed}"


def _memory(tree: ast.Module) -> Iterator[Finding]:
    """Find variables of the file that functions change: every game begins without them."""
    apart = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    around = [part for node in tree.body if not isinstance(node, apart) for part in ast.walk(node)]
    top = _stored(around)
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        inside = list(_inside(function))
        shared = {name for node in inside if isinstance(node, ast.Global) for name in node.names}
        own = {argument.arg for argument in ast.walk(function) if isinstance(argument, ast.arg)}
        own |= _stored(inside)
        for node in inside:
            name = _changed(node)
            if name in shared or (name in top and name not in own):
                yield (
                    NOTE,
                    getattr(node, "lineno", None),
                    (
                        f"{name} is kept from move to move, but not from game to game: "
                        "the file is run again for every game"
                    ),
                )
                break


def _stored(nodes: list[ast.AST]) -> set[str]:
    """Return the variables that nodes set."""
    return {
        node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _changed(node: ast.AST) -> str | None:
    """Return the name whose value a statement or call changes, if any."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
        return node.id
    return next(
        (changed.id for changed in _changed_lists(node) if isinstance(changed, ast.Name)), None
    )


def _in_place(tree: ast.Module) -> Iterator[Finding]:
    """Find where the list of legal cards is changed in place, by its own name or a variable."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        inside = list(_inside(function))
        names = {
            target.id
            for node in inside
            if isinstance(node, ast.Assign) and _is_legal(node.value, set())
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in inside:
            if any(_is_legal(changed, names) for changed in _changed_lists(node)):
                yield NOTE, getattr(node, "lineno", None), IN_PLACE + AS_LEFT


def _kept_in_modules(tree: ast.Module) -> Iterator[Finding]:
    """Find where something is kept in a module, or one is opened as a dictionary."""
    modules = {
        alias.asname or alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name not in _OWN
    }
    for node in ast.walk(tree):
        inner: ast.AST | None = None
        if isinstance(node, ast.Attribute | ast.Subscript):
            if isinstance(node.ctx, ast.Store | ast.Del) or (
                isinstance(node, ast.Attribute) and node.attr == "__dict__"
            ):
                inner = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            inner = node.args[0] if node.func.id in {"setattr", "delattr", "vars"} else None
        while isinstance(inner, ast.Attribute | ast.Subscript):
            inner = inner.value
        if isinstance(inner, ast.Name) and inner.id in modules:
            yield NOTE, getattr(node, "lineno", None), f"{inner.id} is changed: {IN_MODULE}"


def _is_legal(node: ast.AST, names: set[str]) -> bool:
    """Say whether an expression is the list of legal cards; `names` are variables for it."""
    if isinstance(node, ast.Name):
        return node.id in names
    return isinstance(node, ast.Attribute) and node.attr == _LEGAL


def _changed_lists(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the expressions whose values a statement or call changes in place."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
        yield node.value
    elif isinstance(node, ast.AugAssign):
        yield node.target
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in _CHANGES:
            yield node.func.value
        elif node.func.attr == "shuffle":
            yield from node.args[:1]


def _calls(tree: ast.Module) -> Iterator[Finding]:
    """Find calls that have no effect, and those that read the clock."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in _IN_VAIN:
            yield NOTE, node.lineno, f"{node.func.id}(): {_IN_VAIN[node.func.id]}"
        elif isinstance(node.func, ast.Attribute) and _asks_clock(node.func.attr, node):
            yield (
                NOTE,
                node.lineno,
                ("the clock is read: a season that is played again may come out differently"),
            )


def _asks_clock(method: str, call: ast.Call) -> bool:
    words = [arg.value for arg in call.args if isinstance(arg, ast.Constant)]
    return method in {"now", "today", "utcnow"} or (
        method in {"datetime64", "Timestamp"} and bool({"now", "today"} & set(map(str, words)))
    )


def main() -> None:
    """Read a text from the standard input, and print what is found as JSON."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    except (ImportError, ValueError, OSError):  # the caller has a time limit as well
        pass
    text = sys.stdin.buffer.read().decode("utf-8")
    try:
        found = look(text, sys.argv[1:])
    except (RecursionError, MemoryError):
        found = [(FAULT, None, "this is nested too deeply for Python to read it")]
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
