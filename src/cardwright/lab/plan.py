"""Plans of experiments: values that hold all that the results depend on, and their TOML files."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from cardwright.arena.plan import ChangedGameError, GameRef
from cardwright.game.errors import CardwrightError, override_text
from cardwright.game.seeds import natural
from cardwright.hearts.hierarchy import order
from cardwright.jobs.toml_text import LARGEST, toml_key, toml_value
from cardwright.lab.factor import (
    SLOTS,
    Factor,
    FactorKind,
    FactorLevel,
    LabError,
    LabPlayer,
    SelectorList,
    check_slot,
    slot_level,
    slotted,
    who,
)
from cardwright.players.kind import NO_TRUST, trust_in
from cardwright.program.constants import parse_value
from cardwright.syntax.data_files import parse_toml, read_text
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cardwright.jobs.toml_text import Toml
    from cardwright.lab.factor import Value
    from cardwright.players.kind import Trust
    from cardwright.program.constants import Constant

MOST_CELLS = 4_096
MOST_DEALS = 10**8

Cell: TypeAlias = "tuple[int, ...]"
"""For each factor the number of its level; a cell of zeros is the base."""


class Design(StrEnum):
    """Which combinations of levels are played.

    `one` varies one factor at a time from the base. `factorial` plays all combinations, or with
    generators a regular fraction of them. `screen` plays a Plackett-Burman design: main effects of
    many two-level factors in few cells.
    """

    ONE = "one"
    FACTORIAL = "factorial"
    SCREEN = "screen"


class Seating(StrEnum):
    """Where tested players sit in a deal.

    `all`: one against the others, in each seat in turn, so a deal is played as often as there are
    seats. `rotate`: one against the others, in the seat given by the deal's number, once per deal.
    `pairs`: two against two, in all six ways; for four seats only.
    """

    ALL = "all"
    ROTATE = "rotate"
    PAIRS = "pairs"


@dataclass(frozen=True, slots=True)
class Precision:
    """Play until the interval of every main effect on a response has this half-width at most.

    The intervals are looked at after every `every` deals, from `least` on.
    """

    response: str
    half_width: float
    least: int = 400
    every: int = 200


@dataclass(frozen=True, slots=True)
class Sequential:
    """Play until a test has decided each main effect on a response: see `SequentialTest`.

    The hypotheses are that the effect, with its sign such that good is positive, is `h0` or `h1`;
    the error probabilities hold for all effects together (each test has its share: Bonferroni).
    `bound` is how large the effect of a deal can be; without it that follows from the bounds of the
    response, and one without bounds is not tested.
    """

    response: str
    h0: float
    h1: float
    alpha: float = 0.05
    beta: float = 0.05
    least: int = 400
    every: int = 200
    bound: float | None = None


@dataclass(frozen=True)
class LabPlan:
    """An experiment.

    The `tested` player sits at the table as the factors set it, and all other seats are taken by
    one class of `opponents`; every cell is played with every class, with the same deals from the
    same seats: the deal's game seed is its number in `game_seeds(seed, deals)`. With `stop` there
    may be fewer deals. `trust` says what the players may load, and is no part of the experiment.
    Raises LabError for an invalid plan.
    """

    name: str
    game: GameRef
    tested: LabPlayer
    factors: tuple[Factor, ...]
    design: Design
    opponents: tuple[LabPlayer, ...]
    deals: int
    seed: int
    generators: tuple[str, ...] = ()
    seating: Seating = Seating.ALL
    stop: Precision | Sequential | None = None
    level: float = 0.95
    trust: Trust = field(default=NO_TRUST, compare=False, repr=False)

    @classmethod
    def load(cls, file: str | Path, allow_files: Iterable[str | Path] = ()) -> LabPlan:
        """Return the plan in a TOML file; files that it names are looked for in its folder.

        Its players may load files elsewhere, and run Python files, only if these are in
        `allow_files`. Raises LabError, which names the file and all that is wrong in it.
        """
        return read_plan(Path(file), allow_files)

    @classmethod
    def from_text(cls, text: str) -> LabPlan:
        """Return the plan of a TOML text; raises LabError with all that is wrong in it."""
        return parse_plan(text, "plan", trust_in())

    def to_text(self) -> str:
        """Return the TOML text of this, from which `from_text` makes an equal plan."""
        return plan_text(self)

    def __post_init__(self) -> None:
        if not self.factors:
            raise LabError("an experiment needs a factor: something to vary")
        names = [factor.name for factor in self.factors]
        for name in names:
            if names.count(name) > 1:
                raise LabError(f"two factors are called {name!r}: give them different names")
        if not self.opponents:
            raise LabError("an experiment needs opponents")
        if not 1 <= self.deals <= MOST_DEALS:
            raise LabError(f"an experiment has 1 to {MOST_DEALS:,} deals, not {self.deals:,}")
        seed = natural(self.seed)
        if seed is None:
            raise LabError(f"a seed is an integer of 0 or more, not {self.seed}")
        object.__setattr__(self, "seed", seed)
        if not 0.5 <= self.level < 1:
            raise LabError(f"the level of intervals is from 0.5 to less than 1, not {self.level}")
        if self.seating is Seating.PAIRS and self.game.players != 4:
            raise LabError(f"two against two needs four seats; {self.game.name} does not have four")
        if self.generators and self.design is not Design.FACTORIAL:
            raise LabError(
                f"a {self.design} design has no generators: a fraction of a factorial has"
            )


_T = TypeVar("_T")
_Member = TypeVar("_Member", bound="StrEnum")


@dataclass
class PlanText:
    """A text that is being read, with the mistakes found so far.

    `trust` is that in the text, and has the folder of the files that it names.
    """

    file: str
    trust: Trust = NO_TRUST
    faults: list[str] = field(default_factory=list)

    def attempt(self, place: str, read: Callable[..., _T], *values: Any) -> _T | None:
        """Return the result of `read` for some values; note a mistake at this place if it fails."""
        try:
            return read(*values)
        except CardwrightError as error:
            self.faults.append(
                f"{self.file}: {place}: {error}" if place else f"{self.file}: {error}"
            )
            return None

    def finish(self) -> None:
        """Raise LabError if there was any mistake."""
        if self.faults:
            raise LabError("\n".join(self.faults))


def check_keys(found: dict[str, Any], known: Iterable[str], what: str) -> None:
    """Raise LabError if a table has unknown keys."""
    listed = list(known)
    wrong = [
        f"there is no {name!r} in {what}; "
        + (did_you_mean(name, listed) or f"there can be {', '.join(listed)}")
        for name in found
        if name not in listed
    ]
    if wrong:
        raise LabError("; ".join(wrong))


def needed(found: dict[str, Any], key: str, example: str) -> Any:
    """Return the value of a key in a table; raise LabError if it is missing."""
    if key not in found:
        raise LabError(f"{key} is missing; write for example {key} = {example}")
    return found[key]


def table(value: Any) -> dict[str, Any]:
    """Return a value that must be a table."""
    if not isinstance(value, dict):
        raise LabError(f"this should be a table, not {_said(value)}")
    return value


def items(value: Any) -> list[Any]:
    """Return a value that must be a list."""
    if not isinstance(value, list):
        raise LabError(f"this should be a list, not {_said(value)}")
    return value


def text(value: Any) -> str:
    """Return a value that must be a string."""
    if not isinstance(value, str):
        raise LabError(f"this should be a string in quotation marks, not {_said(value)}")
    return value


def number(value: Any) -> float:
    """Return a value that must be a number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise LabError(f"this should be a number, not {_said(value)}")
    return float(value)


def integer(value: Any) -> int:
    """Return a value that must be an integer."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise LabError(f"this should be an integer, not {_said(value)}")
    return value


def large_integer(value: Any) -> int:
    """Return an integer that may be written as a string, since TOML's integers end at 63 bits."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 40:
        return int(value)
    return integer(value)


def member(kind: type[_Member]) -> Callable[[Any], _Member]:
    """Return a reader for a member of a string enumeration."""

    def read(value: Any) -> _Member:
        try:
            return kind(text(value))
        except ValueError:
            advice = did_you_mean(value, list(kind)) or f"it is one of {', '.join(kind)}"
            raise LabError(f"this cannot be {value!r}; {advice}") from None

    return read


def _said(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:37]}..."


_FACTOR = ("name", "kind", "target", "levels")
_LISTED = ("select", "mode", "tie", "discard")
_WHO = ("name", "spec", "lists")
_KEPT = "as it is"
_SWAPPED = "swapped"
SWAP_LEVELS = (FactorLevel(_KEPT, value=False), FactorLevel(_SWAPPED, value=True))
"""The levels of a swap."""


def read_factor(reading: PlanText, place: str, value: Any) -> Factor | None:
    """Return a factor; None if there were faults."""
    found = reading.attempt(place, table, value)
    if found is None:
        return None
    before = len(reading.faults)
    reading.attempt(place, check_keys, found, _FACTOR, "a factor")
    name = reading.attempt(f"{place}.name", text, found.get("name", found.get("target")))
    kind = reading.attempt(f"{place}.kind", member(FactorKind), found.get("kind", FactorKind.SLOT))
    target = reading.attempt(f"{place}.target", _target, found, kind)
    if name is None or kind is None or target is None:
        return None
    if kind is FactorKind.SWAP and "levels" not in found:
        return Factor(name, kind, target, SWAP_LEVELS)
    levels = reading.attempt(f"{place}.levels", table, found.get("levels", {}))
    read = [
        reading.attempt(f"{place}.levels.{key}", _level, kind, target, key, one, reading.trust)
        for key, one in (levels or {}).items()
    ]
    kept = tuple(level for level in read if level is not None)
    if len(reading.faults) > before:
        return None
    return reading.attempt(place, Factor, name, kind, target, kept)


def _target(found: dict[str, Any], kind: FactorKind | None) -> str:
    """Return the target of a factor: a slot may be its name."""
    if kind is FactorKind.PLAYER:
        return text(found.get("target", ""))
    usual = {"target": found["name"]} if kind is FactorKind.SLOT and "name" in found else {}
    target = text(needed({**usual, **found}, "target", '"fourth"'))
    if kind is FactorKind.SLOT:
        check_slot(target)
    elif kind is FactorKind.SWAP:
        check_slot(target.partition(":")[0])
    return target


def _level(kind: FactorKind, target: str, name: str, value: Any, trust: Trust) -> FactorLevel:
    return FactorLevel(name, _value(kind, target, value, trust))


def _value(kind: FactorKind, target: str, value: Any, trust: Trust) -> Value:
    match kind:
        case FactorKind.SLOT:
            if isinstance(value, str):
                return slot_level(target, value, trust).value
            return read_listed(value)
        case FactorKind.SWAP:
            if not isinstance(value, bool):
                raise LabError("a swap is made or not: write true or false")
            return value
        case FactorKind.PLAYER:
            return read_who(value, trust)
        case _:
            return _constant_text(value)


def _constant_text(value: Any) -> str:
    """Return the value of an option or a parameter as text."""
    if isinstance(value, list):
        return override_text(tuple(map(text, value)))
    if isinstance(value, bool | int | float):
        return override_text(value)
    return text(value)


def read_listed(value: Any) -> SelectorList:
    """Return a list of selectors; raises LabError or HierarchyError for an invalid one."""
    found = value if isinstance(value, dict) else {"select": value}
    check_keys(found, _LISTED, "a list")
    select = tuple(map(text, items(needed(found, "select", '["duck", "lowest"]'))))
    mode, tie = text(found.get("mode", "first-match")), text(found.get("tie", "low"))
    order(*select, mode=mode, tie=tie)  # raises an error for selectors that do not exist
    discard = read_listed(found["discard"]) if "discard" in found else None
    return SelectorList(select, mode, tie, discard)


def read_who(value: Any, trust: Trust) -> LabPlayer:
    """Return a player, from a string as on the command line, or from a table.

    Raises LabError, HierarchyError or PlayerSpecError.
    """
    if isinstance(value, str):
        return who(value, trust)
    found = table(value)
    check_keys(found, _WHO, "a player")
    if ("spec" in found) is ("lists" in found):
        raise LabError('a player has either a spec, as spec = "rule", or lists of selectors')
    if "spec" in found:
        spec = text(found["spec"])
        made = who(spec, trust)
        name = text(found.get("name", made.name))
        return LabPlayer(name, lists=made.lists) if made.spec is None else LabPlayer(name, spec)
    lists = table(found["lists"])
    check_keys(lists, SLOTS, "the lists of a player")
    read = tuple((slot, _listed_at(slot, one)) for slot, one in lists.items())
    return LabPlayer(text(needed(found, "name", '"careful"')), lists=read)


def _listed_at(slot: str, value: Any) -> SelectorList:
    try:
        return read_listed(value)
    except CardwrightError as error:
        raise LabError(f"{slot}: {error}") from None


_HEAD = """\
# An experiment of Cardwright's strategy lab. To play it:
#   cardwright lab run THIS-FILE
# Of every factor the first level is the base, to which the others are compared.
"""


def plan_text(plan: LabPlan) -> str:
    """Return a plan as TOML, from which `plan_file.parse_plan` makes the same plan again."""
    top: dict[str, Toml] = {
        "name": plan.name,
        "design": plan.design.value,
        **({"generators": list(plan.generators)} if plan.generators else {}),
        "deals": plan.deals,
        "seed": plan.seed if plan.seed <= LARGEST else str(plan.seed),
        "seating": plan.seating.value,
        "level": plan.level,
    }
    parts = [_HEAD + _lines(top), "[game]\n" + _lines(_game_toml(plan.game))]
    parts.append("# The player that is tested, as it is where no factor changes it.\n[tested]\n" +
                 _lines(_who_toml(plan.tested)))  # fmt: skip
    parts += ["[[opponents]]\n" + _lines(_who_toml(one)) for one in plan.opponents]
    parts += [_factor_toml(factor) for factor in plan.factors]
    if plan.stop is not None:
        parts.append("# It may end before all deals are played.\n[stop]\n" +
                     _lines(_stop_toml(plan.stop)))  # fmt: skip
    return "\n".join(parts)


def _game_toml(game: GameRef) -> dict[str, Toml]:
    found: dict[str, Toml] = {"name": game.name}
    if game.preset is not None:
        found["preset"] = game.preset
    if game.declared:
        found["set"] = {
            name: value if isinstance(value, int) else override_text(value)
            for name, value in game.declared
        }
    if game.base is not None:
        found["base"] = game.base
    if game.engine != "native":
        found["engine"] = game.engine
    return {**found, "players": game.players, "digest": game.digest}


def _who_toml(who: LabPlayer) -> dict[str, Toml]:
    if who.spec is not None:
        return {"name": who.name, "spec": who.spec}
    return {"name": who.name, "lists": {slot: listed_toml(one) for slot, one in who.lists}}


def listed_toml(listed: SelectorList) -> Toml:
    """Return a list of selectors as TOML: in short form where that says all."""
    select: list[Toml] = list(listed.select)
    more: dict[str, Toml] = {}
    if listed.mode != "first-match":
        more["mode"] = listed.mode
    if listed.tie != "low":
        more["tie"] = listed.tie
    if listed.discard is not None:
        more["discard"] = listed_toml(listed.discard)
    return {"select": select, **more} if more else select


def _factor_toml(factor: Factor) -> str:
    head: dict[str, Toml] = {"name": factor.name, "kind": factor.kind.value}
    if factor.kind is not FactorKind.PLAYER or factor.target:
        head["target"] = factor.target
    levels = {level.name: _level_toml(level.value) for level in factor.levels}
    return f"[[factors]]\n{_lines(head)}[factors.levels]\n{_lines(levels)}"


def _level_toml(value: Value) -> Toml:
    match value:
        case None:
            return "random"
        case SelectorList():
            return listed_toml(value)
        case LabPlayer():
            return _who_toml(value)
    return value


def _stop_toml(stop: Precision | Sequential) -> dict[str, Toml]:
    found: dict[str, Toml] = {"response": stop.response}
    if isinstance(stop, Precision):
        found["half_width"] = stop.half_width
    else:
        found |= {"h0": stop.h0, "h1": stop.h1, "alpha": stop.alpha, "beta": stop.beta}
        if stop.bound is not None:
            found["bound"] = stop.bound
    return {**found, "least": stop.least, "every": stop.every}


def _lines(table: Mapping[str, Toml]) -> str:
    """Return the lines of a table; inner tables get their own where one line is too short."""
    found = []
    for key, value in table.items():
        text = toml_value(value)
        if isinstance(value, list) and len(key) + len(text) > 90:
            items = "".join(f"    {toml_value(item)},\n" for item in value)
            text = f"[\n{items}]"
        if isinstance(value, dict) and key in {"lists", "set"}:
            lines = [
                f"{toml_key(key)}.{toml_key(name)} = {toml_value(inner)}\n"
                for name, inner in value.items()
            ]
            found += lines or [f"{toml_key(key)} = {{}}\n"]
        else:
            found.append(f"{toml_key(key)} = {text}\n")
    return "".join(found)


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
