"""A compilation can be looked at stage by stage, and comes to what the cache keeps."""

from __future__ import annotations

import gc

import pytest

from cardwright import Game
from cardwright.compiler.kernel_sets import (
    BATCHES,
    INFORMATION,
    OBSERVATIONS,
    PLAY,
    RANDOM_GAMES,
    ROLLOUTS,
    SEARCHES,
    WHOLE,
    WORLDS,
    KernelSet,
)
from cardwright.compiler.llvm.backend import assembly_functions, llvm_functions
from cardwright.compiler.native import compilation
from cardwright.compiler.show import show_module

PROGRAM = Game.load("leduc").program


def test_stages_are_timed_as_they_are_asked_for() -> None:
    """Each stage brings those before it, and none is gone through twice."""
    stages = compilation(PROGRAM)
    assert stages.seconds == {}
    assert stages.lowered.module.functions
    assert list(stages.seconds) == ["lower"]
    assert stages.machine_code
    assert list(stages.seconds) == ["lower", "emit", "LLVM"]
    before = dict(stages.seconds)
    assert stages.machine_code.content
    assert stages.compiled
    assert stages.seconds == before
    assert all(seconds > 0 for seconds in before.values())


@pytest.mark.slow
def test_a_program_compiles_to_the_same_every_time() -> None:
    first, second = compilation(PROGRAM), compilation(PROGRAM)
    assert show_module(first.lowered.module) == show_module(second.lowered.module)
    assert first.listing("llvm") == second.listing("llvm")
    assert first.compiled == second.compiled


def test_rules_are_told_from_kernels() -> None:
    """Functions of the rules are the lowering's own; what is exported is a kernel."""
    lowered = compilation(PROGRAM).lowered
    assert {"advance", "carry_out", "scores", "player", "start"} <= set(lowered.rules)
    assert set(lowered.rules) < set(lowered.module.functions)
    assert not set(WHOLE.exports) & set(lowered.rules)
    assert set(WHOLE.exports) <= set(lowered.module.functions)


@pytest.mark.parametrize(
    "extension",
    [
        PLAY,
        RANDOM_GAMES,
        ROLLOUTS,
        BATCHES,
        SEARCHES,
        WORLDS,
        OBSERVATIONS,
        INFORMATION,
    ],
    ids=lambda found: found.name,
)
def test_an_extension_has_its_own_functions_alone(extension: KernelSet) -> None:
    """It exports no more than it says, and its faults have the numbers that they have elsewhere."""
    plain, extended = compilation(PROGRAM).lowered, compilation(PROGRAM, extension).lowered
    exported = {name for name, made in extended.module.functions.items() if made.exported}
    called = {"cw_determinise"}  # by searches and rollouts
    assert exported - called == set(extension.exports) - called
    numbers = {site.number: site for site in (*plain.sites, *extended.sites)}
    assert set(numbers.values()) == {*plain.sites, *extended.sites}


def test_worlds_are_compiled_without_the_rules() -> None:
    """What a seat knows and the cards that it does not see are all that they need."""
    lowered = compilation(PROGRAM, WORLDS).lowered
    assert "advance" not in lowered.module.functions
    assert not set(lowered.rules) - set(lowered.module.functions)


def test_the_ir_is_verified_in_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """So it is wherever a test compiles; users, who wait for the compiler, are spared it."""
    monkeypatch.setattr("ir_verifier._Verifier.verify", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        _ = compilation(PROGRAM).lowered


def test_excerpts_have_all_functions() -> None:
    """LLVM's text has every function; after optimisation those are left that are called."""
    stages = compilation(PROGRAM)
    text, made = stages.listing("llvm")
    assert set(made) == set(stages.lowered.module.functions)
    assert all(one.startswith("define ") and one.endswith("\n}") for one in made.values())
    assert "\n".join(made.values()) in text
    left = stages.listing("optimised").functions
    code = stages.listing("asm").functions
    assert set(WHOLE.exports) <= set(left)
    assert set(left) == set(code)
    assert code["cw_player"].startswith("cw_player:\n")
    assert "ret" in code["cw_player"]
    assert "Lfunc_end" not in code["cw_player"]


def test_excerpts_of_quoted_names() -> None:
    text = 'define internal i64 @"a b"(ptr %x) nounwind {\n.entry:\nret i64 0\n}\n'
    assert llvm_functions(text) == {"a b": text.rstrip("\n")}
    text = '\t.type\t"a b",@function\n"a b":\n\tretq\n.Lfunc_end0:\n'
    assert assembly_functions(text) == {"a b": '"a b":\n\tretq'}


def test_no_garbage_is_collected_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is anything changed for others, whether a stage succeeds or not."""
    seen = []

    def fail(*_: object, **__: object) -> None:
        seen.append(gc.isenabled())
        raise MemoryError

    monkeypatch.setattr("cardwright.compiler.lower.program.lower", fail)
    for enabled in (True, False):
        (gc.enable if enabled else gc.disable)()
        try:
            with pytest.raises(MemoryError):
                _ = compilation(PROGRAM).lowered
            assert gc.isenabled() is enabled
        finally:
            gc.enable()
    assert seen == [False, False]
