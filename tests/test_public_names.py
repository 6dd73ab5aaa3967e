"""The public names of the package: complete, documented, and where they are said to be."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import import_module

import pytest
from website.generated import PUBLIC

import cardwright
from cardwright._public import homes
from cardwright.extras import lacking, missing

HOMES = {module: homes(str(import_module(module).__file__)) for module in PUBLIC}
NAMES = [
    (module, name)
    for module, known in HOMES.items()
    for name in sorted(known)
    if name != "__version__"
]
MOST = 45
"""Names of `cardwright` itself at the most: what most programs need."""


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_names_are_documented(module: str, name: str) -> None:
    """Every public name exists, lives where the stub says, and says what it is."""
    value = getattr(import_module(module), name)
    if name != "Seat":  # a NewType: it has a comment in its module, but no docstring
        assert inspect.getdoc(value)
    assert value.__module__ == HOMES[module][name]


def test_names_are_few_and_each_has_one_place() -> None:
    """Only the errors that all programs meet are in two modules."""
    assert len(cardwright.__all__) <= MOST
    names = [name for _, name in NAMES]
    twice = {name for name in names if names.count(name) > 1}
    assert twice == {name for name in cardwright.__all__ if name.endswith("Error")}
    for module in PUBLIC:
        assert set(import_module(module).__all__) == set(HOMES[module])
        assert dir(import_module(module)) == sorted(HOMES[module])


@pytest.mark.parametrize("module", PUBLIC)
def test_unknown_names_are_errors(module: str) -> None:
    """There is no attribute that is not in the stub."""
    with pytest.raises(AttributeError, match=f"{module}' has no attribute 'Gmae'"):
        import_module(module).Gmae  # noqa: B018


BARE = """
import sys
sys.modules["numpy"] = None
import cardwright
game = cardwright.Game.load("kuhn", engine="interpreter")
print(len(cardwright.simulate(game, "random", 20, seed=1)._repr_html_()) > 100)
print(cardwright.play_game(game, "random", seed=1).scores)
print(len(list(cardwright.watch_game(game, "random", seed=1))))
c = cardwright
for ask in (lambda: c.play_random, lambda: c.tournament, lambda: game.batch(2, 1)):
    try:
        ask()
    except cardwright.CardwrightError as error:
        print(error)
"""


def test_what_gives_no_arrays_needs_no_numpy() -> None:
    """Everything else says what is missing."""
    done = subprocess.run([sys.executable, "-c", BARE], capture_output=True, text=True, check=False)
    shown, scores, choices, *refused = done.stdout.splitlines()
    assert (shown, scores, choices) == ("True", "(-1, 1)", "3"), done.stderr
    assert len(refused) == 3
    assert all(
        line.startswith("this needs NumPy, which is not installed; install it") for line in refused
    )


def test_a_page_says_where_to_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing can be installed there, and some modules are left out."""
    monkeypatch.setattr(sys, "platform", "emscripten")
    there = "run this where Cardwright is installed, not in a page"
    assert str(missing("numpy")) == f"this needs NumPy, which is not installed; {there}"
    gone = ModuleNotFoundError(name="cardwright.evolution.evolve")
    assert str(lacking("evolve", gone)) == f"evolve is not part of this page; {there}"
    other = ModuleNotFoundError(name="pymoo")
    assert lacking("evolve", other) is other
