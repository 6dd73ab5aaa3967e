"""What public functions and methods name, their users can name too.

The sources are read, not run: the classes of this package that stand in annotations of public
functions, methods and attributes, or are raised by what their docstrings say, are public names too,
or stand in `LEFT_OUT` with the reason.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest
from website.generated import PUBLIC

import cardwright
from cardwright._public import homes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Defined: TypeAlias = ast.ClassDef | ast.FunctionDef

HOMES = {
    name: home
    for module in PUBLIC
    for name, home in homes(str(import_module(module).__file__)).items()
    if name != "__version__"
}

LEFT_OUT = {
    "AnalysisSettings": "the keywords of `analyze`, which its page lists",
    "BlockError": "columns that are not games: a DamagedError says so to whoever reads records",
    "BlockTally": "the counts of a file of records: for the package's own code",
    "Blocks": "the files of records: for the package's own code",
    "Board": "a state within an engine: for the package's own code",
    "ConstantValues": "what the file beside a game says, as `Variation` holds it",
    "DescribedOption": "an option as the terminal shows it; `Option` says the same",
    "Fault": "what a GameError is made of, which says the same and more",
    "Graph": "a diagram before it is drawn: for the package's own code",
    "ExperimentSettings": "the keywords of `run_experiment`",
    "PlayedGames": "a block of games as machine code writes them: for the package's own code",
    "LadderSettings": "the keywords of `ladder`, as `ContestSettings` and more",
    "Loads": "what a player's kind loads: for the package's own code",
    "Inspection": "what `cardwright records` has found: for the package's own code",
    "Manifest": "what a folder of records says about itself: `Season` has what is in it",
    "HeartsView": "what a hierarchy reads of a decision: for the package's own code",
    "Measure": "a row of the table in `cardwright.analysis.measures`, a module that is public",
    "MatchSettings": "the keywords of `play_match`, as `ContestSettings` and more",
    "Parameter": "a parameter of a kind of player: its name and default say enough",
    "Playouts": "playouts by machine code of the package: for its own players",
    "Program": "the rules as checked, whose nodes follow the language and its compiler",
    "SeasonBlock": "a file of records: `Season` has what is in it",
    "RunSetting": "what options are made of: for the command line",
    "SearchSettings": "the keywords of `evolve`",
    "Settings": "what the file beside a game says: `cardwright show` prints it",
    "SimulationSettings": "the keywords of `simulate`",
    "Subject": "a game within a report: `AnalysisReport` answers for it",
    "Timings": "times in a file of records: for the package's own code",
    "Title": "how a game is called in a report: `AnalysisReport` says it",
    "TournamentSettings": "the keywords of `tournament`, as `ContestSettings` and more",
    "Trust": "what players may load: functions take it as `allow_files`",
    "Version": "the rules of a version while two are compared: `RuleChange` has its excerpts",
    "WinRange": "the bounds of shares of wins, which hold for every game",
}
"""Classes that public names give or take, and that are not public themselves, with the reason."""


@cache
def statements(module: str) -> tuple[ast.stmt, ...]:
    """Return the statements of a module, those for type checkers among them."""
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    found: list[ast.stmt] = []
    for one in ast.parse(Path(spec.origin).read_text(encoding="utf-8")).body:
        found += one.body if isinstance(one, ast.If) else [one]
    return tuple(found)


@cache
def imported(module: str) -> dict[str, tuple[str, str]]:
    """Return the names that a module has from others of this package, each with its home."""
    return {
        alias.asname or alias.name: (one.module, alias.name)
        for one in statements(module)
        if isinstance(one, ast.ImportFrom) and (one.module or "").startswith("cardwright.")
        for alias in one.names
        if one.module
    }


def definition(module: str, name: str) -> ast.stmt | None:
    """Return what defines a name in a module, if anything does."""
    for one in statements(module):
        if isinstance(one, ast.ClassDef | ast.FunctionDef) and one.name == name:
            return one
        match one:
            case ast.AnnAssign(target=ast.Name(id=own)) if own == name:
                return one
    return None


def words(node: ast.AST) -> Iterator[str]:
    """Yield the names in an annotation, those in texts too."""
    for one in ast.walk(node):
        if isinstance(one, ast.Name):
            yield one.id
        elif isinstance(one, ast.Constant) and isinstance(one.value, str):
            try:
                yield from words(ast.parse(one.value, mode="eval"))
            except SyntaxError:
                continue  # the value of a Literal


def classes(module: str, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the classes of ours that names in a module stand for, with their homes."""
    for name in names:
        home, own = imported(module).get(name, (module, name))
        match definition(home, own):
            case ast.ClassDef():
                yield home, own
            case ast.AnnAssign(annotation=ast.Name(id="TypeAlias"), value=ast.expr() as value):
                yield from classes(home, words(value))


def annotations(node: Defined) -> Iterator[ast.expr]:
    """Yield the annotations of a function, or of what is public of a class, and its bases."""
    if isinstance(node, ast.FunctionDef):
        given = node.args
        for one in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
            if one is not None and one.annotation is not None:
                yield one.annotation
        if node.returns is not None:
            yield node.returns
        return
    yield from node.bases
    for part in public_parts(node):
        if isinstance(part, ast.AnnAssign):
            yield part.annotation
        else:
            yield from annotations(part)
    yield from attributes(node)


def public_parts(node: ast.ClassDef) -> Iterator[ast.FunctionDef | ast.AnnAssign]:
    """Yield the methods and the attributes of a class that are public."""
    for one in node.body:
        match one:
            case ast.FunctionDef(name=name) if not name.startswith("_") or name == "__call__":
                yield one
            case ast.AnnAssign(target=ast.Name(id=name)) if not name.startswith("_"):
                yield one


def attributes(node: ast.ClassDef) -> Iterator[ast.expr]:
    """Yield the annotations of public attributes that a constructor takes over."""
    for made in node.body:
        if not isinstance(made, ast.FunctionDef) or made.name != "__init__":
            continue
        given = {one.arg: one.annotation for one in (*made.args.args, *made.args.kwonlyargs)}
        for one in ast.walk(made):
            match one:
                case ast.Assign(targets=[ast.Attribute(attr=attr)], value=ast.Name(id=name)) if (
                    not attr.startswith("_")
                ):
                    if (annotation := given.get(name)) is not None:
                        yield annotation


def docstrings(node: Defined) -> Iterator[str]:
    yield ast.get_docstring(node) or ""
    if isinstance(node, ast.ClassDef):
        for part in public_parts(node):
            if isinstance(part, ast.FunctionDef):
                yield ast.get_docstring(part) or ""


@cache
def errors() -> frozenset[str]:
    """Return the names of all errors of this package."""
    sources = Path(cardwright.__file__).parent.rglob("*.py")
    texts = (source.read_text(encoding="utf-8") for source in sources)
    return frozenset(
        one for text in texts for one in re.findall(r"^class (\w+Error)\b", text, re.M)
    )


def named(name: str) -> set[str]:
    """Return the classes of ours that a public name names, or a base of it that is not public."""
    return named_in(HOMES[name], name)


def named_in(home: str, name: str) -> set[str]:
    node = definition(home, name)
    if not isinstance(node, ast.ClassDef | ast.FunctionDef):
        return set()  # a new type of an integer
    said = " ".join(docstrings(node))
    found = {one for one in re.findall(r"\b[A-Z]\w*Error\b", said) if one in errors()}
    for one in annotations(node):
        found |= {own for _, own in classes(home, words(one))}
    for base in node.bases if isinstance(node, ast.ClassDef) else ():
        for where, own in classes(home, words(base)):
            if own not in HOMES:
                found = (found - {own}) | named_in(where, own)
    return found


@pytest.mark.parametrize("name", sorted(HOMES))
def test_what_a_public_name_names_is_public(name: str) -> None:
    missing = {one for one in named(name) if not one.startswith("_")} - set(HOMES)
    assert missing <= set(LEFT_OUT), f"{name} names {', '.join(sorted(missing - set(LEFT_OUT)))}"


def test_what_is_left_out_is_named_and_not_public() -> None:
    """The list says nothing that is not so."""
    everything = set().union(*map(named, HOMES))
    assert set(LEFT_OUT) <= everything - set(HOMES)


def test_the_walk_finds_what_it_is_for() -> None:
    """Methods, attributes, aliases and docstrings are read."""
    assert {"State", "Stream", "SearchTask", "SearchResult"} <= named("Decision") | named("State")
    assert {"Diagnostics", "EngineError", "GameLimits"} <= named("Game")
    assert {"PlayerSpec", "PlayerSpecError", "ScheduleError"} <= named("play_match")
