"""Files of plans: reading them, with every mistake reported at its place.

A file written by hand may leave out what has a default, and name players and levels as the command
line does. See `plan_text` for how a plan is written.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright.arena.plan import ChangedGameError, GameRef
from cardwright.lab.errors import LabError
from cardwright.lab.factor import FactorKind
from cardwright.lab.factor_table import read_factor, read_who
from cardwright.lab.levels import slotted
from cardwright.lab.plan import Design, LabPlan, Precision, Seating, Sequential
from cardwright.lab.plan_text import plan_text
from cardwright.lab.reading import (
    PlanText,
    check_keys,
    integer,
    items,
    large_integer,
    member,
    needed,
    number,
    table,
    text,
)
from cardwright.players.kind import NO_TRUST, trust_in
from cardwright.program.constants import parse_value
from cardwright.syntax.data_files import parse_toml, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.lab.factor import Factor, LabPlayer
    from cardwright.players.kind import Trust
    from cardwright.program.constants import Constant

__all__ = ["parse_plan", "plan_text", "read_plan"]

DEALS = 1_000
"""The number of deals of a plan that does not say."""
OPPONENTS = ("random", "rule")
"""The classes of opponents of a plan that names none."""

_LONGEST = 4_000_000
_KEYS = (
    "name", "design", "generators", "deals", "seed", "seating", "level",
    "game", "tested", "opponents", "factors", "stop",
)  # fmt: skip
_GAME = ("name", "preset", "set", "base", "engine", "players", "digest")
_PRECISION = {"half_width": number}
_SEQUENTIAL = {"h0": number, "h1": number, "alpha": number, "beta": number, "bound": number}
_LOOKS = {"response": text, "least": integer, "every": integer}


def read_plan(path: Path, allow_files: Iterable[str | Path] = ()) -> LabPlan:
    """Return the plan in a file; files that it names are looked up in its folder.

    Its players may read no other files, and run no programs, than those in `allow_files`.

    Raises LabError, which names the file and every mistake in it.
    """
    try:
        content = read_text(path, _LONGEST)
    except UnicodeDecodeError:
        raise LabError(f"{path} is not UTF-8 text") from None
    except OSError as error:
        raise LabError(f"{path} cannot be read: {error.strerror}") from None
    return parse_plan(content, path.name, trust_in(allow_files, path.parent))


def parse_plan(content: str, file: str, trust: Trust = NO_TRUST) -> LabPlan:
    """Return the plan of a TOML text; raises LabError, every line of which begins with `file`.

    `trust` says what its players may load when it is played, and has the folder in which files
    that it names are looked up; nothing but lists of selectors is loaded here. If it has the
    number of seats and the digest of its game, the game is not loaded: whether it has changed is
    found out when it is played.
    """
    try:
        found = parse_toml(content)
    except tomllib.TOMLDecodeError as error:
        raise LabError(f"{file} is not TOML: {error}") from None
    reading = PlanText(file, trust)
    reading.attempt("", check_keys, found, _KEYS, "a plan")
    parts: dict[str, Any] = {
        key: reading.attempt(key, read, found.get(key, usual))
        for key, read, usual in (
            ("name", text, Path(file).stem),
            ("design", member(Design), Design.ONE),
            ("generators", _texts, []),
            ("deals", integer, DEALS),
            ("seed", large_integer, 1),
            ("seating", member(Seating), Seating.ALL),
            ("level", number, 0.95),
            ("game", _game, {"name": "hearts"}),
            ("stop", _stop, None),
        )
    }
    factors = reading.attempt("factors", items, found.get("factors", [])) or []
    read = [read_factor(reading, f"factors[{at}]", one) for at, one in enumerate(factors, 1)]
    parts["factors"] = tuple(factor for factor in read if factor is not None)
    opponents = reading.attempt("opponents", items, found.get("opponents", list(OPPONENTS))) or []
    parts["opponents"] = tuple(
        reading.attempt(f"opponents[{at}]", read_who, one, trust)
        for at, one in enumerate(opponents, 1)
    )
    parts["tested"] = reading.attempt(
        "tested", _tested, found.get("tested", "rule"), parts["factors"], trust
    )
    reading.finish()
    plan = reading.attempt("", _plan, {**parts, "trust": trust})
    reading.finish()
    assert plan is not None
    return plan


def _plan(parts: dict[str, Any]) -> LabPlan:
    return LabPlan(**parts)


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(map(text, items(value)))


def _tested(value: Any, factors: Sequence[Factor], trust: Trust) -> LabPlayer:
    """Return the tested player; one that is named by a string gets lists if these are varied."""
    found = read_who(value, trust)
    varied = [
        factor.target for factor in factors if factor.kind in {FactorKind.SLOT, FactorKind.SWAP}
    ]
    if isinstance(value, str) and varied:
        keep = any(target.partition(":")[0] == "discard" for target in varied)
        return slotted(found, keep_discard=keep)
    return found


def _game(value: Any) -> GameRef:
    """Return which game is played; load it if its seats or its digest are not written."""
    found = table(value if isinstance(value, dict) else {"name": value})
    check_keys(found, _GAME, "a game")
    name = text(needed(found, "name", '"hearts"'))
    declared = {key: _constant(key, one) for key, one in table(found.get("set", {})).items()}
    preset = text(found["preset"]) if "preset" in found else None
    base = integer(found["base"]) if "base" in found else None
    engine = text(found.get("engine", "native"))
    players = integer(found["players"]) if "players" in found else None
    digest = text(found["digest"]) if "digest" in found else None
    if players is not None and digest is not None:
        return GameRef(name, players, digest, preset, tuple(declared.items()), base, engine)
    loaded = GameRef.of(name, declared, preset, base, engine=engine)
    if digest not in {None, loaded.digest}:
        raise ChangedGameError(
            f"the game {name} is not the one that this plan was made for: its digest is "
            f"{loaded.digest[:12]}; leave the digest out to play the present game"
        )
    if players not in {None, loaded.players}:
        raise LabError(f"{name} has {loaded.players} seats, not {players}")
    return loaded


def _constant(name: str, value: Any) -> Constant:
    if isinstance(value, bool | int):
        return value
    try:
        return parse_value(text(value))
    except ValueError as error:
        raise LabError(f"set.{name}: {error}") from None


def _stop(value: Any) -> Precision | Sequential | None:
    if value is None:
        return None
    found = table(value)
    precise = "half_width" in found
    readers = {**_LOOKS, **(_PRECISION if precise else _SEQUENTIAL)}
    check_keys(found, readers, "a stopping rule")
    needed(found, "response", '"points"')
    if not precise:
        for key in ("h0", "h1"):
            needed(found, key, "0.2, or half_width = 0.1")
    parts: dict[str, Any] = {key: readers[key](one) for key, one in found.items()}
    return Precision(**parts) if precise else Sequential(**parts)
