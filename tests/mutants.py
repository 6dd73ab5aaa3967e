"""Small changes of the package's sources, each of which some test should notice.

A mutant is one change of one place: another comparison or operator, a number that is one more, a
condition that is turned round, a statement, a guard or an error handler that is gone. What cannot
matter is left alone: annotations, docstrings, decorators, and what only type checkers read.
"""

from __future__ import annotations

import ast
import copy
import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from random import Random

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
"""What each operator becomes."""


@dataclass(frozen=True)
class Mutant:
    """One change of one file: its place in the package, and the texts before and after."""

    place: str
    line: int
    what: str
    before: str
    after: str

    @property
    def subpackage(self) -> str:
        """The subpackage of the package; the package itself for what is in none."""
        return self.place.split("/")[0] if "/" in self.place else ""

    @property
    def diff(self) -> str:
        """What is changed, as a diff without context."""
        lines = (text.splitlines(keepends=True) for text in (self.before, self.after))
        return "".join(difflib.unified_diff(*lines, self.place, self.place, n=0))

    @property
    def same(self) -> bool:
        """Whether Python makes the same of both texts."""
        dumps = (ast.dump(ast.parse(text)) for text in (self.before, self.after))
        return len(set(dumps)) == 1

    @property
    def name(self) -> str:
        """The changed lines, as the list of changes that matter to nobody names them."""
        changed = [line for line in self.diff.splitlines()[3:] if line.strip("+- ")]
        return " ".join([self.place, *(" ".join(line.split()) for line in changed)])


def sample(package: Path, count: int, random: Random, subpackages: list[str]) -> list[Mutant]:
    """Return mutants at random: subpackages take turns, files count by how much can be changed."""
    mutants: dict[str, list[Mutant]] = {subpackage: [] for subpackage in subpackages}
    for place in sorted(package.rglob("*.py")):
        name = place.relative_to(package).as_posix()
        subpackage = name.split("/")[0]
        if subpackage in mutants:
            mutants[subpackage] += mutants_of(name, place.read_text("utf-8"))
    chosen = []
    for number in range(count):
        left = mutants[subpackages[number % len(subpackages)]]
        mutant = left.pop(random.randrange(len(left)))
        while not _parses(mutant.after):
            mutant = left.pop(random.randrange(len(left)))
        chosen.append(mutant)
    return chosen


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def mutants_of(place: str, text: str) -> list[Mutant]:
    """Return every mutant of a file."""
    lines = text.splitlines(keepends=True)
    found = []
    for node, new, what in _changes(ast.parse(text)):
        after = _replaced(lines, node, new)
        found.append(Mutant(place, node.lineno, what, text, after))
    return found


def _replaced(lines: list[str], node: ast.stmt | ast.expr, new: ast.AST) -> str:
    """Return a text with a node in another's place; what stands around it stays as written."""
    text = ast.unparse(new)
    if isinstance(new, ast.stmt):
        text = text.replace("\n", "\n" + " " * node.col_offset)
    elif not isinstance(new, ast.Constant | ast.Name):
        text = f"({text})"
    assert node.end_lineno is not None
    first, last = lines[node.lineno - 1].encode(), lines[node.end_lineno - 1].encode()
    head, tail = first[: node.col_offset].decode(), last[node.end_col_offset :].decode()
    return "".join([*lines[: node.lineno - 1], head, text, tail, *lines[node.end_lineno :]])


def _changes(tree: ast.Module) -> Iterator[tuple[ast.stmt | ast.expr, ast.AST, str]]:
    """Yield a node, what it becomes, and what that is called, for all that can be changed."""
    for node in _that_matter(tree):
        match node:
            case ast.Compare(ops=ops):
                for at, operator in enumerate(ops):
                    new = copy.deepcopy(node)
                    new.ops[at] = SWAPS[type(operator)]()  # type: ignore[call-overload]
                    yield node, new, "comparison"
            case ast.BinOp(op=operator) | ast.BoolOp(op=operator) if type(operator) in SWAPS:
                other = copy.deepcopy(node)
                other.op = SWAPS[type(operator)]()  # type: ignore[assignment]
                yield node, other, "operator"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield node, operand, "not"
            case ast.Constant(value=bool(value)):
                yield node, ast.Constant(not value), "truth value"
            case ast.Constant(value=int(value)):
                yield node, ast.Constant(value + 1), "number"
            case ast.IfExp(test=test):
                yield test, ast.UnaryOp(ast.Not(), test), "condition"
            case ast.If(
                body=[*_, ast.Raise() | ast.Return() | ast.Continue() | ast.Break()], orelse=[]
            ):
                yield node, ast.Pass(), "guard"
            case ast.If(test=test) | ast.While(test=test):
                yield test, ast.UnaryOp(ast.Not(), test), "condition"
            case ast.Expr(value=ast.Call()) | ast.AugAssign():
                yield node, ast.Pass(), "statement"
            case ast.Try(handlers=[_, *_]):
                gone = copy.deepcopy(node)
                gone.handlers[0].body = [ast.Raise()]
                yield node, gone, "handler"


def _that_matter(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes whose change could matter."""
    for name, value in ast.iter_fields(tree):
        if name in {"annotation", "returns", "decorator_list", "type_params"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _idle(child):
                yield child
                yield from _that_matter(child)


def _idle(node: ast.AST) -> bool:
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Expr(value=ast.Constant()) | ast.Assert() | ast.JoinedStr():
            return True
        case ast.Assign(targets=[ast.Name(id="__slots__" | "__all__" | "TYPE_CHECKING")]):
            return True
    return False
