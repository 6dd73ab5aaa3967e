"""Plans of experiments: values that hold all that the results depend on, and their TOML files.

A file written by hand may leave out what has a default, and name players and levels as the command
line does. Its mistakes are reported all at once, each at its place. Plans are written without a
TOML library, since order has a meaning here: the first level of a factor is its base.
"""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from cardwright.arena.plan import ChangedGameError, GameRef
from cardwright.english import listed
from cardwright.game.errors import CardwrightError, override_text
from cardwright.game.seeds import natural
from cardwright.hearts.hierarchy import order
from cardwright.jobs.settings import MOST_DEALS
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
    player_named,
    slot_level,
    slotted,
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

OPPONENTS = (LabPlayer("random", "random"), LabPlayer("rule", "rule"))
"""The classes of opponents of a plan that names none."""

SWAP_LEVELS = (FactorLevel("as it is", value=False), FactorLevel("swapped", value=True))
"""The levels of a swap."""

_LONGEST = 4_000_000
_T = TypeVar("_T")
_Member = TypeVar("_Member", bound=StrEnum)

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
    design: Design = Design.ONE
    opponents: tuple[LabPlayer, ...] = OPPONENTS
    deals: int = 1_000
    seed: int = 1
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
        path = Path(file)
        try:
            content = read_text(path, _LONGEST)
        except UnicodeDecodeError:
            raise LabError(f"{path} is not UTF-8 text") from None
        except OSError as error:
            raise LabError(f"{path} cannot be read: {error.strerror}") from None
        return cls.from_text(content, path.name, trust_in(allow_files, path.parent))

    @classmethod
    def from_text(cls, text: str, file: str = "plan", trust: Trust = NO_TRUST) -> LabPlan:
        """Return the plan of a TOML text; raises LabError with all that is wrong in it.

        Each mistake begins with the name of the `file`. `trust` says what players may load when the
        plan is played, and has the folder of files that it names; nothing but lists of selectors is
        loaded here. With the number of seats and the digest of its game, the game is not loaded
        either: whether it has changed is found out when it is played.
        """
        try:
            found = parse_toml(text)
        except tomllib.TOMLDecodeError as error:
            raise LabError(f"{file} is not TOML: {error}") from None
        return _PlanReader(file, trust).plan(found)

    def to_text(self) -> str:
        """Return the TOML text of this, from which `from_text` makes an equal plan."""
        top: dict[str, Toml] = {
            "name": self.name,
            "design": self.design.value,
            **({"generators": list(self.generators)} if self.generators else {}),
            "deals": self.deals,
            "seed": self.seed if self.seed <= LARGEST else str(self.seed),
            "seating": self.seating.value,
            "level": self.level,
        }
        parts = [
            _HEAD + _lines(top),
            "[game]\n" + _lines(_game_toml(self.game)),
            _TESTED + _lines(_player_toml(self.tested)),
            *("[[opponents]]\n" + _lines(_player_toml(opponent)) for opponent in self.opponents),
            *map(_factor_toml, self.factors),
        ]
        if self.stop is not None:
            parts.append(_STOP + _lines(_given(**asdict(self.stop))))
        return "\n".join(parts)

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


# Reading ------------------------------------------------------------------------------------------


@dataclass
class _PlanReader:
    """A text that is being read, with the mistakes found so far."""

    file: str
    trust: Trust
    faults: list[str] = field(default_factory=list)

    def attempt(self, place: str, read: Callable[..., _T], *values: Any, **more: Any) -> _T | None:
        """Return the result of `read` for some values; note a mistake at this place if it fails."""
        try:
            return read(*values, **more)
        except CardwrightError as error:
            self.faults.append(": ".join(filter(None, (self.file, place, str(error)))))
            return None

    def check(self) -> None:
        """Raise LabError if there was any mistake."""
        if self.faults:
            raise LabError("\n".join(self.faults))

    def plan(self, found: dict[str, Any]) -> LabPlan:
        """Return the plan in a table."""
        self.attempt("", _check_keys, found, _names(LabPlan, "trust"), "a plan")
        readers: dict[str, Callable[[Any], Any]] = {
            "name": _text,
            "game": _game,
            "design": _member(Design),
            "deals": _integer,
            "seed": _seed,
            "generators": _texts,
            "seating": _member(Seating),
            "stop": _stop,
            "level": _number,
        }
        given = {"name": Path(self.file).stem, "game": "hearts", "tested": "rule", **found}
        parts: dict[str, Any] = {
            key: self.attempt(key, read, given[key])
            for key, read in readers.items()
            if key in given
        }
        factors = self.attempt("factors", _list, found.get("factors", [])) or []
        read = [self.factor(f"factors[{at}]", one) for at, one in enumerate(factors, 1)]
        parts["factors"] = tuple(factor for factor in read if factor is not None)
        if "opponents" in given:
            opponents = self.attempt("opponents", _list, given["opponents"]) or []
            parts["opponents"] = tuple(
                self.attempt(f"opponents[{at}]", _player, opponent, self.trust)
                for at, opponent in enumerate(opponents, 1)
            )
        tested = given["tested"]
        parts["tested"] = self.attempt("tested", _tested, tested, parts["factors"], self.trust)
        self.check()
        plan = self.attempt("", LabPlan, **parts, trust=self.trust)
        self.check()
        assert plan is not None
        return plan

    def factor(self, place: str, value: Any) -> Factor | None:
        """Return a factor; None if there were mistakes in it."""
        found = self.attempt(place, _table, value)
        if found is None:
            return None
        before = len(self.faults)
        self.attempt(place, _check_keys, found, _names(Factor), "a factor")
        name = self.attempt(f"{place}.name", _text, found.get("name", found.get("target")))
        kind = self.attempt(f"{place}.kind", _member(FactorKind), found.get("kind", "slot"))
        target = self.attempt(f"{place}.target", _target, found, kind)
        if name is None or kind is None or target is None:
            return None
        if kind is FactorKind.SWAP and "levels" not in found:
            return Factor(name, kind, target, SWAP_LEVELS)
        values = self.attempt(f"{place}.levels", _table, found.get("levels", {})) or {}
        levels = tuple(
            FactorLevel(
                key, self.attempt(f"{place}.levels.{key}", _level, kind, target, one, self.trust)
            )
            for key, one in values.items()
        )
        if len(self.faults) > before:
            return None
        return self.attempt(place, Factor, name, kind, target, levels)


def _names(kind: type[Any], *without: str) -> list[str]:
    """Return the names of the fields of a dataclass: the keys of its table."""
    return [one.name for one in fields(kind) if one.name not in without]


_WORDS: dict[type[Any], str] = {
    dict: "a table",
    list: "a list",
    str: "a string in quotation marks",
    float: "a number",
    int: "an integer",
}


def _reader(kind: type[_T]) -> Callable[[Any], _T]:
    """Return a reader of values of a kind."""

    def read(value: Any) -> _T:
        fits = isinstance(value, int | float if kind is float else kind)
        if not fits or (isinstance(value, bool) and kind in {int, float}):
            shown = repr(value)
            shown = shown if len(shown) <= 40 else f"{shown[:37]}..."
            raise LabError(f"this should be {_WORDS[kind]}, not {shown}")
        return kind(value)  # type: ignore[call-arg]

    return read


_table: Callable[[Any], dict[str, Any]] = _reader(dict)
_list: Callable[[Any], list[Any]] = _reader(list)
_text, _number, _integer = _reader(str), _reader(float), _reader(int)


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(map(_text, _list(value)))


def _seed(value: Any) -> int:
    """Return an integer that may be written as a string, since TOML's integers end at 63 bits."""
    large = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 40
    return _integer(int(value) if large else value)


def _member(kind: type[_Member]) -> Callable[[Any], _Member]:
    """Return a reader of members of an enumeration."""

    def read(value: Any) -> _Member:
        try:
            return kind(_text(value))
        except ValueError:
            advice = did_you_mean(value, kind) or f"choose from {listed(kind)}"
            raise LabError(f"this cannot be {value!r}; {advice}") from None

    return read


def _check_keys(found: dict[str, Any], known: Sequence[str], what: str) -> None:
    """Raise LabError if a table has unknown keys."""
    wrong = [
        f"there is no {name!r} in {what}; "
        + (did_you_mean(name, known) or f"choose from {listed(known)}")
        for name in found
        if name not in known
    ]
    if wrong:
        raise LabError("; ".join(wrong))


def _needed(found: dict[str, Any], key: str, example: str) -> Any:
    """Return the value of a key; raise LabError if it is missing."""
    if key not in found:
        raise LabError(f"{key} is missing; write for example {key} = {example}")
    return found[key]


def _target(found: dict[str, Any], kind: FactorKind | None) -> str:
    """Return the target of a factor: a slot may be its name."""
    if kind is FactorKind.PLAYER:
        return _text(found.get("target", ""))
    usual = {"target": found["name"]} if kind is FactorKind.SLOT and "name" in found else {}
    target = _text(_needed({**usual, **found}, "target", '"fourth"'))
    if kind in {FactorKind.SLOT, FactorKind.SWAP}:
        check_slot(target.partition(":")[0] if kind is FactorKind.SWAP else target)
    return target


def _level(kind: FactorKind, target: str, value: Any, trust: Trust) -> Value:
    """Return the value of a level."""
    match kind:
        case FactorKind.SLOT if isinstance(value, str):
            return slot_level(target, value, trust).value
        case FactorKind.SLOT:
            return _selectors(value)
        case FactorKind.PLAYER:
            return _player(value, trust)
        case FactorKind.SWAP if not isinstance(value, bool):
            raise LabError("a swap is made or not: write true or false")
        case FactorKind.SWAP:
            return bool(value)
    if isinstance(value, list):
        value = _texts(value)
    return override_text(value) if isinstance(value, tuple | int | float) else _text(value)


def _selectors(value: Any) -> SelectorList:
    """Return a list of selectors; raises LabError or HierarchyError for an invalid one."""
    found = value if isinstance(value, dict) else {"select": value}
    _check_keys(found, _names(SelectorList), "a list")
    select = _texts(_needed(found, "select", '["duck", "lowest"]'))
    mode, tie = _text(found.get("mode", "first-match")), _text(found.get("tie", "low"))
    order(*select, mode=mode, tie=tie)  # raises an error for selectors that do not exist
    discard = _selectors(found["discard"]) if "discard" in found else None
    return SelectorList(select, mode, tie, discard)


def _player(value: Any, trust: Trust) -> LabPlayer:
    """Return a player, from a string as on the command line, or from a table.

    Raises LabError, HierarchyError or PlayerSpecError.
    """
    if isinstance(value, str):
        return player_named(value, trust)
    found = _table(value)
    _check_keys(found, _names(LabPlayer), "a player")
    if ("spec" in found) is ("lists" in found):
        raise LabError('a player has either a spec, as spec = "rule", or lists of selectors')
    if "spec" in found:
        made = player_named(_text(found["spec"]), trust)
        name = _text(found.get("name", made.name))
        return replace(made, name=name, spec=None if made.spec is None else found["spec"])
    lists = _table(found["lists"])
    _check_keys(lists, SLOTS, "the lists of a player")
    read = []
    for slot, selectors in lists.items():
        try:
            read.append((slot, _selectors(selectors)))
        except CardwrightError as error:
            raise LabError(f"{slot}: {error}") from None
    return LabPlayer(_text(_needed(found, "name", '"careful"')), lists=tuple(read))


def _tested(value: Any, factors: Sequence[Factor], trust: Trust) -> LabPlayer:
    """Return the tested player; one that is named by a string gets lists if these are varied."""
    found = _player(value, trust)
    varied = {
        factor.target.partition(":")[0]
        for factor in factors
        if factor.kind in {FactorKind.SLOT, FactorKind.SWAP}
    }
    if isinstance(value, str) and varied:
        return slotted(found, keep_discard="discard" in varied)
    return found


def _constants(value: Any) -> dict[str, Constant]:
    read: dict[str, Constant] = {}
    for name, constant in _table(value).items():
        try:
            read[name] = constant if isinstance(constant, int) else parse_value(_text(constant))
        except ValueError as error:
            raise LabError(f"set.{name}: {error}") from None
    return read


_GAME: dict[str, Callable[[Any], Any]] = {
    "name": _text,
    "preset": _text,
    "set": _constants,
    "base": _integer,
    "engine": _text,
    "players": _integer,
    "digest": _text,
}


def _game(value: Any) -> GameRef:
    """Return which game is played; load it if its seats or its digest are not written."""
    found = _table(value if isinstance(value, dict) else {"name": value})
    _check_keys(found, list(_GAME), "a game")
    name = _needed(found, "name", '"hearts"')
    parts = {key: _GAME[key](one) for key, one in found.items()}
    declared = parts.pop("set", {})
    players, digest = parts.pop("players", None), parts.pop("digest", None)
    if players is not None and digest is not None:
        return GameRef(**parts, players=players, digest=digest, declared=tuple(declared.items()))
    loaded = GameRef.of(**parts, declared=declared)
    if digest not in {None, loaded.digest}:
        raise ChangedGameError(
            f"the game {name} is not the one that this plan was made for: its digest is "
            f"{loaded.digest[:12]}; leave the digest out to play the present game"
        )
    if players not in {None, loaded.players}:
        raise LabError(f"{name} has {loaded.players} seats, not {players}")
    return loaded


def _stop(value: Any) -> Precision | Sequential:
    found = _table(value)
    precise = "half_width" in found
    _check_keys(found, _names(Precision if precise else Sequential), "a stopping rule")
    _needed(found, "response", '"points"')
    for key in () if precise else ("h0", "h1"):
        _needed(found, key, "0.2, or half_width = 0.1")
    readers: dict[str, Callable[[Any], Any]]
    readers = {"response": _text, "least": _integer, "every": _integer}
    number: Callable[[Any], Any] = _number
    parts = {key: readers.get(key, number)(one) for key, one in found.items()}
    return Precision(**parts) if precise else Sequential(**parts)


# Writing ------------------------------------------------------------------------------------------

_HEAD = """\
# An experiment of Cardwright's strategy lab. To play it:
#   cardwright lab run THIS-FILE
# Of every factor the first level is the base, to which the others are compared.
"""
_TESTED = "# The player that is tested, as it is where no factor changes it.\n[tested]\n"
_STOP = "# It may end before all deals are played.\n[stop]\n"


def _given(**values: Any) -> dict[str, Any]:
    """Return those that are not None."""
    return {key: value for key, value in values.items() if value is not None}


def _game_toml(game: GameRef) -> dict[str, Toml]:
    declared = {
        name: value if isinstance(value, int) else override_text(value)
        for name, value in game.declared
    }
    return _given(
        name=game.name,
        preset=game.preset,
        set=declared or None,
        base=game.base,
        engine=None if game.engine == "native" else game.engine,
        players=game.players,
        digest=game.digest,
    )


def _player_toml(player: LabPlayer) -> dict[str, Toml]:
    lists = {slot: _selectors_toml(steps) for slot, steps in player.lists}
    return _given(name=player.name, spec=player.spec, lists=lists if player.spec is None else None)


def _selectors_toml(selectors: SelectorList) -> Toml:
    """Return a list of selectors: in short form where that says all."""
    more: dict[str, Toml] = _given(
        mode=None if selectors.mode == "first-match" else selectors.mode,
        tie=None if selectors.tie == "low" else selectors.tie,
        discard=None if selectors.discard is None else _selectors_toml(selectors.discard),
    )
    select: list[Toml] = list(selectors.select)
    return {"select": select, **more} if more else select


def _factor_toml(factor: Factor) -> str:
    target = None if factor.kind is FactorKind.PLAYER and not factor.target else factor.target
    head = _given(name=factor.name, kind=factor.kind.value, target=target)
    levels = {level.name: _level_toml(level.value) for level in factor.levels}
    return f"[[factors]]\n{_lines(head)}[factors.levels]\n{_lines(levels)}"


def _level_toml(value: Value) -> Toml:
    match value:
        case None:
            return "random"
        case SelectorList():
            return _selectors_toml(value)
        case LabPlayer():
            return _player_toml(value)
    return value


def _lines(table: Mapping[str, Toml]) -> str:
    """Return the lines of a table; inner tables get their own where one line is too short."""
    lines = []
    for key, value in table.items():
        text = toml_value(value)
        if isinstance(value, list) and len(key) + len(text) > 90:
            items = "".join(f"    {toml_value(item)},\n" for item in value)
            text = f"[\n{items}]"
        if isinstance(value, dict) and key in {"lists", "set"} and value:
            lines += [
                f"{key}.{toml_key(name)} = {toml_value(one)}\n" for name, one in value.items()
            ]
        else:
            lines.append(f"{toml_key(key)} = {text}\n")
    return "".join(lines)
