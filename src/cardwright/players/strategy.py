"""Strategies of solved games: a probability for every option, wherever a seat decides.

A strategy's file is JSON, with a version, the digest of the game that it is for, and an entry for
each information set: the seat, the key of what it knows, the same in words, and its options. Each
option has its name, its content (by which it is recognised), and its probability; and, if they come
from regret minimization, its regret and the sum of its realization weights, to go on from there.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright._version import __version__
from cardwright.game.errors import CardwrightError
from cardwright.game.option import Unseen
from cardwright.syntax.data_files import parse_json, read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cardwright.game.option import Content, Picked
    from cardwright.players.player import Decision

FORMAT = "cardwright strategy"
VERSION = 2
SAMPLED = "mccfr"
"""The method of strategies that are made by sampling."""
_MOST_BYTES = 2**30
_CLOSE = 1e-6


class StrategyError(CardwrightError):
    """A file that has no strategy, or none for this game; the message says why."""


class NoStrategyError(StrategyError):
    """There is no such file."""

    wrong_call = True


@dataclass(frozen=True, slots=True)
class StrategyOption:
    """An option of an information set: its name and content, and its probability.

    `regret` and `weight` are what regret minimization goes on from, 0 for other methods.
    """

    name: str
    content: str
    probability: float
    regret: float = 0.0
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class StrategySet:
    """What a strategy does in an information set, of `seat`, by its key; `sees` is it in words."""

    seat: int
    key: str
    sees: str
    options: tuple[StrategyOption, ...]


@dataclass(frozen=True)
class Strategy:
    """What all seats of a game do, and how that was found.

    `digest` is that of the program, `values` what the strategy is worth to each seat in terms of
    `utility`, and `exploitability` what a best response gains on average over the seats; None if
    that is not known. `scores` are the seats' mean scores, as the game counts them; empty if they
    are not known. A `sampled` strategy has only the information sets that were met.
    """

    game: str
    digest: str
    method: str
    utility: str
    iterations: int
    values: tuple[float, ...]
    exploitability: float | None
    sets: Sequence[StrategySet]
    scores: tuple[float, ...] = ()

    @property
    def sampled(self) -> bool:
        """Whether it was made by sampling; it is uniform where it says nothing."""
        return self.method == SAMPLED

    @cached_property
    def by_key(self) -> Mapping[str, StrategySet]:
        """The information sets by their keys."""
        return {known.key: known for known in self.sets}

    def to_text(self) -> str:
        """Return the strategy as JSON, from which `from_text` makes the same again."""
        head = {"format": FORMAT, "version": VERSION, "cardwright": __version__}
        head |= {name: getattr(self, name) for name in _HEAD}
        lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
        sets = ",\n".join(
            f"  {json.dumps(_data(known), ensure_ascii=False)}" for known in self.sets
        )
        return "{\n" + ",\n".join(lines) + f',\n "sets": [\n{sets}\n ]\n}}\n'

    @classmethod
    def from_text(cls, text: str, file: str = "strategy") -> Strategy:
        """Return the strategy of a text; raises StrategyError, which begins with `file`."""
        try:
            data = parse_json(text)
        except ValueError:
            data = None
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise StrategyError(f"{file} is not a strategy: `cardwright solve --save` writes them")
        if data.get("version") != VERSION:
            raise StrategyError(
                f"{file} is a strategy of version {data.get('version')!r}; this Cardwright reads "
                f"version {VERSION}: take the one that wrote it"
            )
        try:
            head = {key: read({"scores": (), **data}[key]) for key, read in _HEAD.items()}
            return cls(**head, sets=tuple(map(_set_of, data["sets"])))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise StrategyError(f"{file} is a damaged strategy: {error}") from None


def load_strategy(name: str | Path) -> Strategy:
    """Return the strategy in a file; raises StrategyError, which names the file."""
    path = Path(name)
    try:
        facts = path.stat()
        if facts.st_size > _MOST_BYTES:
            raise StrategyError(f"{path} is too large for a strategy")
        return _read(path, facts.st_mtime_ns, facts.st_size)
    except FileNotFoundError:
        raise NoStrategyError(
            f"there is no file {path}; `cardwright solve GAME --save {path.name}` writes one"
        ) from None
    except OSError as error:
        raise StrategyError(f"{path} cannot be read: {error.strerror}") from None


def content_text(content: Content) -> str:
    """Return the content of an option as a text: its branch, and what it picks, cards by number."""
    picks = (f"{name}={_picked(picked)}" for name, picked in content.picks)
    return " ".join([str(content.branch), *picks])


def places_of(contents: Iterable[str], known: Sequence[str]) -> list[int]:
    """Return for each of some contents its place among the known ones, equal ones in turn."""
    free: dict[str, list[int]] = {}
    for place, content in enumerate(known):
        free.setdefault(content, []).append(place)
    return [free[content].pop(0) for content in contents]


def _picked(picked: Picked) -> str:
    if isinstance(picked, Unseen):
        return f"?{'' if picked.ordinal is None else picked.ordinal}"
    if isinstance(picked, tuple):
        return f"({','.join(str(item) for item in picked)})"
    return str(picked)


@lru_cache(maxsize=8)
def _read(path: Path, _changed: int, _size: int) -> Strategy:
    """Read a file; the result is cached until the file changes."""
    try:
        text = read_text(path, _MOST_BYTES)
    except UnicodeDecodeError:
        raise StrategyError(f"{path} is not a strategy: it is not UTF-8 text") from None
    return Strategy.from_text(text, str(path))


def _floats(values: Any) -> tuple[float, ...]:
    return tuple(map(float, values))


_HEAD: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("game", "digest", "method", "utility"), str),
    "iterations": int,
    "values": _floats,
    "exploitability": lambda value: None if value is None else float(value),
    "scores": _floats,
}


_NUMBERS = ("probability", "regret", "weight")
"""The fields of an option that are numbers."""


def _data(entry: StrategySet) -> dict[str, Any]:
    options = [
        {"option": option.name, **{key: getattr(option, key) for key in ("content", *_NUMBERS)}}
        for option in entry.options
    ]
    return {"seat": entry.seat, "sees": entry.sees, "options": options, "key": entry.key}


def _set_of(data: Any) -> StrategySet:
    options = tuple(
        StrategyOption(
            str(one["option"]), str(one["content"]), *(float(one[key]) for key in _NUMBERS)
        )
        for one in data["options"]
    )
    entry = StrategySet(int(data["seat"]), str(data["key"]), str(data["sees"]), options)
    total = sum(option.probability for option in options)
    if abs(total - 1) > _CLOSE or any(option.probability < 0 for option in options):
        raise ValueError(f"the probabilities of {entry.sees!r} are not shares of 1")
    return entry


_BITS = 64


@dataclass(frozen=True, eq=False)
class SolvedPlayer:
    """Draws each choice with the probabilities of its `strategy`, with one draw per decision.

    It chooses uniformly in information sets where a strategy by sampling has not been.
    """

    strategy: Strategy
    _file: str = "the strategy"

    @classmethod
    def from_file(cls, file: str) -> SolvedPlayer:
        """Return a player of the strategy in a file; raises StrategyError."""
        return cls(load_strategy(file), file)

    def choose(self, decision: Decision) -> int:
        """Return the index drawn; raises StrategyError for any other game than the solved one."""
        entry = self._entry(decision)
        if entry is None:
            return int(decision.stream.next() * decision.option_count >> _BITS)
        contents = map(content_text, decision.contents)
        places = places_of(contents, [option.content for option in entry.options])
        drawn = decision.stream.next() / 2**_BITS
        last = 0
        for index, place in enumerate(places):
            probability = entry.options[place].probability
            drawn -= probability
            last = index if probability else last
            if drawn < 0:
                return index
        return last

    def _entry(self, decision: Decision) -> StrategySet | None:
        """Return the information set; None where a sampled strategy has not been."""
        game = decision.game
        if game.program.digest != self.strategy.digest:
            raise StrategyError(
                f"{self._file} is a strategy for {self.strategy.game} with other rules or values "
                f"than {game.name} as it is played here; solve that with `cardwright solve`"
            )
        entry = self.strategy.by_key.get(decision.information.hex())
        if entry is None and not self.strategy.sampled:
            raise StrategyError(
                f"{self._file} does not say what p{decision.seat + 1} does with what it has seen "
                "here; in an imagined state only the seat for which it was made has seen anything"
            )
        return entry
