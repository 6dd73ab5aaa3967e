from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st
from runs import Small

from cardwright import Game
from cardwright.arena.plan import ChangedGameError, GameRef, PlanError, RunPlan
from cardwright.errors import SettingError
from cardwright.game.find import library_names
from cardwright.game.settings import settings_of
from deep import some_games, usually

if TYPE_CHECKING:
    from pathlib import Path

NAMES = st.from_regex(r"[A-Z][A-Z0-9]{0,5}", fullmatch=True)
CONSTANTS = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    NAMES,
    st.lists(NAMES, min_size=1, max_size=4).map(tuple),
    st.builds(range, st.integers(-9, 0), st.integers(1, 9)),
)


@st.composite
def plans(draw: st.DrawFn) -> RunPlan:
    """Return a plan with anything in it."""
    seats, entrants = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    declared = draw(st.dictionaries(NAMES, CONSTANTS, max_size=4))
    preset = draw(st.none() | st.just("standard"))
    table = st.tuples(*[st.integers(0, entrants - 1)] * seats)
    return RunPlan(
        GameRef("some/file.rcy", seats, "ab" * 32, preset, tuple(declared.items()), 0),
        tuple(f"pimc:rollouts={n + 1},mode=known" for n in range(entrants)),
        tuple(draw(st.lists(table, min_size=1, max_size=5))),
        deals=7,
        seed=draw(st.integers(0, 2**200)),
        move_seconds=draw(st.none() | st.floats(1e-3, 1e3)),
    )


@given(plans())
def test_a_plan_survives_json(plan: RunPlan) -> None:
    again = RunPlan.of_data(json.loads(json.dumps(plan.data())))
    assert again == plan
    for (_, value), (_, kept) in zip(plan.game.declared, again.game.declared, strict=True):
        assert type(kept) is type(value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tables": ()}, "1 to 32,767 tables, not 0"),
        ({"tables": ((0, 1, 1),)}, "table 0 has 3 players; kuhn has 2 seats"),
        ({"tables": ((0, 1), (0, 2))}, "table 1 has entrant 2; entrants are numbered 0 to 1"),
        ({"entrants": ()}, "1 to 32,767 entrants, not 0"),
        ({"deals": 0}, "1 to 100,000,000 deals, not 0"),
        ({"seed": -1}, "integer of 0 or more, not -1"),
        ({"move_seconds": 0.0}, "a move cannot have 0.0 seconds"),
        ({"move_seconds": float("nan")}, "a move cannot have nan seconds"),
        ({"most_faults": -1}, "tolerated faults, not -1"),
        ({"detail": "all"}, "detail is one of 'scores', 'games', 'decisions', not 'all'"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(change, message: str) -> None:
    with pytest.raises(PlanError, match=message):
        replace(Small().plan(), **change)


@pytest.mark.parametrize("data", [None, [], {}, {"game": 3}, {**Small().plan().data(), "seed": ""}])
def test_other_data_are_no_plan(data) -> None:
    with pytest.raises(PlanError, match="this is not a plan"):
        RunPlan.of_data(data)


def test_a_reference_loads_the_same_game() -> None:
    ref = GameRef.of("hearts", {"PLAYERS": 3, "MOON": "PLUS"}, "standard")
    game = Game.variant("hearts", {"PLAYERS": 3, "MOON": "PLUS"}, "standard")
    assert ref.players == 3
    assert ref.load().program.digest == game.program.digest == ref.digest
    assert GameRef.of("hearts").digest != ref.digest


@pytest.mark.parametrize("name", some_games(library_names()))
def test_every_game_and_preset_has_a_reference_that_survives_json(name: str) -> None:
    """With its presets, and each of its constants set by hand to what it is."""
    game = Game.load(name, engine="interpreter")
    settings = settings_of(name)
    free = {
        key: value
        for key, value in game.declared.items()
        if key not in settings.declared or not settings.declared[key].derived
    }
    presets = [*settings.presets][:: usually(8, 1)]
    variants = [({}, preset) for preset in (None, *presets)] + [(free, None)]
    for declared, preset in variants:
        ref = GameRef.of(name, declared, preset, engine="interpreter")
        again = GameRef.of_data(json.loads(json.dumps(ref.data())))
        assert again == ref
        assert again.load().program.digest == ref.digest


def test_a_game_that_cannot_be_had_is_told_at_once() -> None:
    with pytest.raises(SettingError, match="no preset 'nix'"):
        GameRef.of("hearts", preset="nix")


def test_a_changed_file_is_found_out(tmp_path: Path) -> None:
    file = tmp_path / "mine.rcy"
    text = Game.load("kuhn").program.source.text
    file.write_text(text)
    ref = GameRef.of(str(file))
    file.write_text(text + "; changed\n")
    with pytest.raises(ChangedGameError, match=r"mine\.rcy has changed .* make a new plan"):
        ref.load()
