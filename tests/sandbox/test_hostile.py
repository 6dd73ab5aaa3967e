"""Attacks from inside: none has an effect outside or learns anything."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterator  # noqa: TC003 - pytest reads them
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path  # noqa: TC003

import pytest

from cardwright.interpreter.stream import Stream
from cardwright.sandbox.levels import SandboxLevel
from sandbox.conftest import as_user, needs
from sandbox.hostile import ATTACKS, Attack, body, tries
from sandbox.outside import Outside

HERE = [one for one in ATTACKS if not one.x86 or platform.machine() == "x86_64"]


def named(attack: Attack) -> str:
    return attack.name.replace(" ", "-")


@pytest.fixture(scope="module")
def outsides(open_folder: Path) -> Iterator[Callable[[SandboxLevel], Outside]]:
    """What is outside, one for each level, where it is not rights alone that keep one out."""
    with ExitStack() as stack:

        @cache
        def outside(level: SandboxLevel) -> Outside:
            folder = open_folder / level.name
            folder.mkdir(mode=0o755)
            return stack.enter_context(Outside(folder, level))

        yield outside


LEVELS = {SandboxLevel.CONFINED: "confined", SandboxLevel.WALLED: "walled"}


@pytest.mark.parametrize(
    ("attack", "strong"),
    [
        pytest.param(
            attack,
            level,
            id=f"{word}-{named(attack)}",
            # Attacks alike stand side by side: any run tries each kind at both levels.
            marks=() if (number + place) % 2 == 0 else pytest.mark.deep,
        )
        for number, attack in enumerate(HERE)
        for place, (level, word) in enumerate(LEVELS.items())
    ],
    indirect=["strong"],
)
def test_nothing_comes_of_an_attack(
    attack: Attack, strong: SandboxLevel, outsides: Callable[[SandboxLevel], Outside]
) -> None:
    """An attack is refused, or ends the sandbox and nothing else."""
    assert outsides(strong).attacked(attack) == []


@pytest.mark.deep
@pytest.mark.parametrize("attack", HERE, ids=named)
@pytest.mark.parametrize("level", ["2", "3"], ids=["confined", "walled"])
def test_nothing_comes_of_an_attack_as_an_ordinary_user(attack: Attack, level: str) -> None:
    """So it is where sandboxes are started by a user, who cannot make other users of them."""
    found = as_user()
    if isinstance(found, str):
        pytest.skip(found)
    if isinstance(found[level], str):
        pytest.skip(f"no level {level} as a user: {found[level]}")
    assert found[level][attack.name] == []


@pytest.mark.parametrize("attack", [one for one in HERE if one.plain], ids=named)
def test_the_same_manages_something_without_a_sandbox(
    attack: Attack, outsides: Callable[[SandboxLevel], Outside]
) -> None:
    """An attack that is refused everywhere would prove nothing."""
    outside = outsides(SandboxLevel.LIMITS)
    assert outside.managed(attack)
    outside.problems()  # takes away what has come to the listeners


SEEN = {
    "tcp": tries("socket.create_connection(('127.0.0.1', bait['tcp']), 1)"),
    "udp": tries(
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', bait['udp']))"
    ),
    "unix": tries("socket.socket(socket.AF_UNIX).connect(bait['unix'])"),
    "abstract": tries("socket.socket(socket.AF_UNIX).connect('\\0' + bait['abstract'])"),
    "files": tries("os.mkdir(bait['marker'])"),
    "the bystander's priority": tries("os.setpriority(os.PRIO_PROCESS, bait['bystander'], 19)"),
    "the bystander": tries("os.kill(bait['bystander'], 19)", "time.sleep(0.1)"),
}


@pytest.mark.parametrize("what", SEEN)
def test_what_an_attack_does_outside_is_noticed(what: str, tmp_path: Path) -> None:
    """The look at what is outside finds each kind of harm, where there is no sandbox."""
    with Outside(tmp_path, SandboxLevel.LIMITS) as outside:
        assert outside.problems() == []
        found = outside.attacked(Attack(what, SEEN[what], ends="said", words=".*"))
        assert [problem for problem in found if problem.startswith(what)], found


@pytest.mark.parametrize("attack", [one for one in HERE if "token" in one.name], ids=named)
def test_a_draw_in_place_of_a_token_tells_the_seed(attack: Attack, tmp_path: Path) -> None:
    """What is looked for would be found."""
    with Outside(tmp_path, SandboxLevel.LIMITS) as outside:
        draw = Stream(outside.seed).next().to_bytes(8, "little").hex()
        outside.bait = json.dumps({**json.loads(outside.bait), "token": draw}).encode()
        mark = json.loads(outside.bait)["mark"]
        assert outside.attacked(replace(attack, words=rf'\["{mark}"\]')) == []


@pytest.mark.parametrize(
    "level", [SandboxLevel.CONFINED, SandboxLevel.WALLED], ids=["confined", "walled"]
)
def test_a_mistake_in_an_attack_is_no_refusal(level: SandboxLevel, tmp_path: Path) -> None:
    """Only errors by which a system refuses count; a slip of the attack's author does not."""
    with Outside(tmp_path, needs(level)) as outside:
        assert outside.attacked(Attack("slip", tries("nothing_by_this_name"))) != []
        assert outside.attacked(Attack("calm", tries("1 + 1"))) != []
        assert outside.attacked(Attack("calm", body("return b'[]'"), ends="late")) != []
