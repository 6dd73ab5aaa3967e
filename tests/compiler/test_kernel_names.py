"""Kernels are one name space: which of them a program has depends on the program."""

from __future__ import annotations

import pkgutil
from collections import defaultdict
from importlib import import_module

from cardwright.compiler import kernels
from cardwright.compiler.kernel import is_kernel
from cardwright.compiler.kernels import evaluation, game_trees, histories
from cardwright.compiler.kernels.engine import __dict__ as declared
from cardwright.game.game import Game
from cardwright.hearts.kernels import playouts
from cardwright.league.kernels import deals

REPLACED = {kernel.__name__ for kernel in evaluation.POLICY}
"""What modules of other packages have in place of a module here."""

BY_HAND = {kernel.__name__ for kernel in (game_trees.below, *game_trees.INSTEAD)}
"""What trees have in place of draws from a stream."""

RETRACED = {kernel.__name__ for kernel in histories.INSTEAD}
"""What searches for histories have in place of the chains of what seats see."""

POLICY = {"policy", "policy_card"}
"""What the rules of a game call where a policy chooses."""

OTHERS = (playouts.__name__, deals.__name__)
"""Kernels of other packages."""


PLACEHOLDERS = {0, 1, 8, 64}
"""What modules have where a game's constant will be."""


def modules():
    names = [module.name for module in pkgutil.iter_modules(kernels.__path__)]
    return [import_module(f"{kernels.__name__}.{name}") for name in names] + [
        import_module(name) for name in OTHERS
    ]


def owners():
    found = defaultdict(set)
    for module in modules():
        for value in vars(module).values():
            if is_kernel(value):
                found[value.__name__].add(value.__module__)
    return found


def test_no_two_kernels_have_one_name():
    shared = {name: modules for name, modules in owners().items() if len(modules) > 1}
    assert shared.keys() <= REPLACED | BY_HAND | RETRACED


def test_a_constant_with_the_name_of_a_games_is_a_placeholder_for_it():
    """A game's constants replace those of the modules, so a module may not mean one of its own."""
    given = Game.load("kuhn", engine="native")._engine.native.layout.parameters
    named = {name for module in modules() for name in vars(module).keys() & given.keys()}
    assert named >= {"PLAYERS", "TABLE", "FIXED_SLOTS"}
    own = {
        (module.__name__, name, vars(module)[name])
        for module in modules()
        for name in vars(module).keys() & given.keys()
        if vars(module)[name] not in PLACEHOLDERS
    }
    assert not own


def test_the_policy_of_hearts_takes_the_place_of_the_uniform_one():
    assert {kernel.__name__ for kernel in playouts.POLICY} == REPLACED | POLICY
    assert declared.keys() >= REPLACED
