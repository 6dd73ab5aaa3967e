"""Options: building them leaves no trace, and gives what running each path by itself gives."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from option_oracle import outcomes

from cardwright import Game, GameError
from cardwright.game.find import library_names
from cardwright.interpreter import machine
from cardwright.interpreter.machine import GameLimits, Rules
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import Decide, Fault
from cardwright.program import nodes as n
from cardwright.program.check import check
from cardwright.syntax.source import Source
from deep import some_games, usually
from generated import programs

if TYPE_CHECKING:
    from cardwright.interpreter.world import World

PROGRAMS = sorted(Path(__file__).parents[1].glob("conformance/programs/*.rcy"))
LIMITS = GameLimits(steps=300, decisions=1_000)
SHORT = GameLimits(steps=300, decisions=40)


def choice_at(rules: Rules, world: World) -> n.Choice:
    """Return the choice that is due: the one whose form has the place of the decision's."""
    frame = world.frames[-1]
    decide = frame.block.items[frame.at]
    assert isinstance(decide, Decide)
    return next(
        node
        for node in rules.program.nodes()
        if isinstance(node, n.Choice) and node.span == decide.span
    )


def compare_whole_game(rules: Rules, seed: int, most: int = 60) -> int:
    """Play a random game, comparing all options of each decision; return how many were compared."""
    world = machine.start(rules, seed)
    chooser = Stream(seed + 1)
    compared = 0
    while True:
        options = machine.advance(world, LIMITS)
        if options is None or compared > 2_000:
            return compared
        if len(options) <= most:
            before = world.key()
            expected = [
                other.key() for other in outcomes(rules.program, choice_at(rules, world), world)
            ]
            assert world.key() == before
            found = []
            for option in options:
                copy = world.copy()
                machine.carry_out(copy, option)
                found.append(without_known(copy))
            assert found == [strip_known(key) for key in expected]
            compared += len(options)
        machine.carry_out(world, options[chooser.below(len(options))])


def without_known(world: World) -> object:
    return strip_known(world.key())


def strip_known(key: object) -> object:
    """Leave out what everybody knows of hidden places: building options does not keep it."""
    frames, cycles, piles, *rest = key  # type: ignore[misc]
    return (frames, cycles, tuple(pile[:2] for pile in piles), *rest)


@pytest.mark.sweep
@pytest.mark.parametrize("name", some_games(library_names()))
def test_library_options_match_the_oracle(name: str) -> None:
    """Each option's outcome in the library's games is what its path gives when run by itself."""
    rules = Rules(Game.load(name).program)
    assert sum(compare_whole_game(rules, seed) for seed in range(usually(1, 2))) > 0


@pytest.mark.sweep
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_conformance_options_match_the_oracle(path: Path) -> None:
    """The same for the conformance programs; games that break a rule are followed up to there."""
    program = check(Source(path.name, path.read_text())).program
    assert program is not None
    try:
        compare_whole_game(Rules(program), 1)
    except Fault as fault:
        assert "error" in path.read_text(), fault


@settings(max_examples=usually(12, 120), suppress_health_check=list(HealthCheck))
@given(programs(), st.integers(0, 2**64 - 2))
def test_generated_options_match_the_oracle(text: str, seed: int) -> None:
    """The same for generated programs, which the checker accepts, every one."""
    checked = check(Source("generated", text))
    assert checked.program is not None, [item.message for item in checked.diagnostics.errors]
    with suppress(Fault):
        compare_whole_game(Rules(checked.program), seed, most=40)


@settings(max_examples=usually(12, 100), suppress_health_check=list(HealthCheck))
@given(programs(), st.integers(0, 2**64 - 1))
def test_generated_games_keep_their_cards(text: str, seed: int) -> None:
    """Whatever a game does, every card lies in exactly one location, and only GameError escapes."""
    game = Game.from_source(Source("generated", text), limits=SHORT, engine="interpreter")
    chooser = Stream(seed)
    try:
        state = game.start(seed)
        while not state.finished:
            held = [
                card.id
                for location, cards in state.locations().items()
                if location.kind != "mem"
                for card in cards
            ]
            assert sorted(held) == list(range(len(game.cards)))
            state.play(chooser.below(state.option_count))
    except GameError as error:
        assert error.place.line >= 1
