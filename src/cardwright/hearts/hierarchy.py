"""Hierarchies: Hearts players described by ordered lists of selectors, one for each situation.

The idea comes from a student project on the factors of the game, whose player follows lists given
by its user for passing and for playing first, second, third and fourth to a trick.

A hierarchy is written in TOML, with a list of selectors under the name of each situation. A list is
an array, or a table with settings: `first = { select = ["lowest"], tie = "random" }`. `mode` and
`tie` at the top level are the defaults of all lists.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright.game.errors import CardwrightError
from cardwright.hearts.cards import SUIT_NAMES, SUITS
from cardwright.hearts.rule import CardPlayer
from cardwright.hearts.selectors import CONDITIONS, SELECTORS, ParameterSpec, Selector
from cardwright.hearts.shipped import FOLDER, shipped
from cardwright.hearts.table import DecisionKind, HeartsView
from cardwright.syntax.data_files import parse_toml, read_text
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.hearts.cards import Cards
    from cardwright.hearts.selectors import Holds
    from cardwright.interpreter.stream import Stream

_SLOTS = (
    *("pass", "first", "second", "third", "fourth"),
    *("discard", "discard_second", "discard_third", "discard_fourth"),
)
_FOR_ALL = ("mode", "tie")
_LONGEST = 1_000_000
_STEP = re.compile(r"\s*(\w+)\b\s*(?:\(([^()]*)\))?\s*(?:if\s+(not\s+)?(\w+)\s*)?")


class HierarchyError(CardwrightError):
    """An invalid hierarchy; the message says where and what to write."""


class NoHierarchyError(HierarchyError):
    """There is no such file."""

    wrong_call = True


# Steps -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HierarchyStep:
    """One selector with its parameters, and the condition under which it is used, if any.

    The condition must hold, or must not hold if it is `negated`. `text` is the step as written,
    such as `high_spades(4)` or `shortest_suit(clubs, diamonds) if not last`.
    """

    text: str
    selector: Selector = field(repr=False)
    parameters: tuple[int, ...] = field(default=(), repr=False)
    condition: Holds | None = field(default=None, repr=False)
    negated: bool = field(default=False, repr=False)

    def select(self, table: HeartsView, cards: Cards) -> Cards:
        """Return the candidates that the selector picks; none if the condition is not met."""
        if self.condition is not None and self.condition(table) is self.negated:
            return ()
        return self.selector.choose(table, cards, *self.parameters)

    def __str__(self) -> str:
        return self.text


def parse_step(text: str) -> HierarchyStep:
    """Return the step that a text describes; raises HierarchyError."""
    match = _STEP.fullmatch(text)
    if match is None:
        raise HierarchyError(
            f"{text!r} is not a step: write a selector, with its parameters in parentheses if it "
            "has any, and optionally a condition, like 'high_spades(4) if queen_out'"
        )
    name, parameters, negation, condition = match.groups()
    for what, written, known in (
        ("selector", name, SELECTORS.keys()),
        ("condition", condition, CONDITIONS.keys()),
    ):
        if written is not None and written not in known:
            advice = did_you_mean(written, known) or f"write one of {', '.join(sorted(known))}"
            raise HierarchyError(f"there is no {what} {written!r}; {advice}")
    selector, holds = SELECTORS[name], CONDITIONS[condition] if condition else None
    words = [word.strip() for word in parameters.split(",")] if (parameters or "").strip() else []
    values = _parameters(selector, words)
    return HierarchyStep(text.strip(), selector, values, holds, negation is not None)


def _parameters(selector: Selector, words: list[str]) -> tuple[int, ...]:
    match selector.takes, words:
        case ParameterSpec.NUMBER, [word]:
            return (_number(selector, word),)
        case (ParameterSpec.SUIT, [_]) | (ParameterSpec.SUITS, _):
            return tuple(_suit(selector, word) for word in words)
        case ParameterSpec.NUMBER | ParameterSpec.NOTHING, []:
            return ()
    given = f"({', '.join(words)})" if words else "nothing"
    raise HierarchyError(f"{selector.name} takes {selector.takes.value}, not {given}")


def _number(selector: Selector, word: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", word) or not selector.least <= int(word) <= selector.most:
        raise HierarchyError(
            f"{selector.name}({word}) is not possible: write a number from {selector.least} to "
            f"{selector.most}"
        )
    return int(word)


def _suit(selector: Selector, word: str) -> int:
    if word.lower() in SUIT_NAMES:
        return SUIT_NAMES.index(word.lower())
    if len(word) == 1 and word.upper() in SUITS:
        return SUITS.index(word.upper())
    advice = did_you_mean(word, SUIT_NAMES) or f"the suits are {', '.join(SUIT_NAMES)}"
    raise HierarchyError(
        f"{selector.name}({word}) is not possible: {word!r} is not a suit; {advice}"
    )


# Lists of steps --------------------------------------------------------------------------------


class OrderMode(StrEnum):
    """How a list of selectors chooses: the first that picks any cards, or all of them in sequence.

    With `filter` every selector picks from the cards left by those before it; one that picks
    nothing is skipped.
    """

    FIRST_MATCH = "first-match"
    FILTER = "filter"


class Tie(StrEnum):
    """How ties are broken: by the lowest or highest rank (and first or last suit), or at random."""

    LOW = "low"
    HIGH = "high"
    RANDOM = "random"


@dataclass(frozen=True)
class Order:
    """An ordered list of selectors, and how it chooses.

    Every list ends in an implicit `any`: where no selector picks a card, the tie rule chooses among
    all candidates.
    """

    steps: tuple[HierarchyStep, ...]
    mode: OrderMode = OrderMode.FIRST_MATCH
    tie: Tie = Tie.LOW

    def card(self, table: HeartsView, cards: Cards, stream: Stream) -> int:
        """Return the card chosen from the candidates; only random ties draw from the stream."""
        left = cards
        for step in self.steps:
            picked = step.select(table, left)
            if picked:
                left = picked
                if self.mode is OrderMode.FIRST_MATCH:
                    break
        if self.tie is Tie.RANDOM:
            return left[stream.below(len(left))]
        best = min if self.tie is Tie.LOW else max
        return best(left, key=lambda card: (card & 15, card))


def order(
    *steps: str, mode: OrderMode | str = OrderMode.FIRST_MATCH, tie: Tie | str = Tie.LOW
) -> Order:
    """Return a list of selectors from their texts; raises HierarchyError for unknown ones."""
    parsed = tuple(map(parse_step, steps))
    return Order(parsed, _member(OrderMode, mode, "mode"), _member(Tie, tie, "tie"))


def _member(kind: type[OrderMode] | type[Tie], text: str, what: str) -> Any:
    try:
        return kind(text)
    except ValueError:
        advice = did_you_mean(text, list(kind)) or f"it is one of {', '.join(kind)}"
        raise HierarchyError(f"{what} cannot be {text!r}; {advice}") from None


# Hierarchies -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hierarchy:
    """A player's lists: for passing, for each position in a trick, and for discarding.

    Where a list is left out, a legal card is chosen at random. The last player to a trick uses
    `fourth` whatever the number of players; the player after the leader uses `second`, the others
    `third`. A player that cannot follow suit uses the discard list of its position, or else the one
    for all positions, or else the list of the position. Make lists with `order`.
    """

    pass_: Order | None = None
    first: Order | None = None
    second: Order | None = None
    third: Order | None = None
    fourth: Order | None = None
    discard: Order | None = None
    discard_second: Order | None = None
    discard_third: Order | None = None
    discard_fourth: Order | None = None

    @classmethod
    def load(cls, name: str | Path) -> Hierarchy:
        """Return the hierarchy of a TOML file, or one that comes with Cardwright.

        Those are `default`, `rule` and `plain`, the rule player as it is published.

        Raises HierarchyError, which names the file and what is wrong in it.
        """
        path = Path(name)
        if path.suffix != ".toml" and (FOLDER / f"{name}.toml").is_file():
            path = FOLDER / f"{name}.toml"
        try:
            facts = path.stat()
            if facts.st_size > _LONGEST:
                raise HierarchyError(f"{path} is too long for a hierarchy")
            return _read(path, facts.st_mtime_ns, facts.st_size)
        except FileNotFoundError:
            names = shipped()
            advice = did_you_mean(str(name), names) or f"or write {' or '.join(names)}"
            raise NoHierarchyError(
                f"there is no file {path}; give the path of a hierarchy; {advice}"
            ) from None
        except OSError as error:
            raise HierarchyError(f"{path} cannot be read: {error.strerror}") from None

    @classmethod
    def from_text(cls, text: str, file: str = "hierarchy") -> Hierarchy:
        """Return the hierarchy of a TOML text; raises HierarchyError, which begins with `file`."""
        try:
            content = parse_toml(text)
        except tomllib.TOMLDecodeError as error:
            raise HierarchyError(f"{file} is not TOML: {error}") from None
        _check_keys(file, "", content, (*_SLOTS, *_FOR_ALL, "about"))
        shared = {key: content[key] for key in _FOR_ALL if key in content}
        _order(file, "", {"select": [], **shared}, {})  # reports a wrong mode or tie for all lists
        slots = {key: _order(file, key, content[key], shared) for key in _SLOTS if key in content}
        if not slots:
            lists = ", ".join(_SLOTS)
            raise HierarchyError(f"{file} has no list of selectors; the lists are {lists}")
        return cls(**{_field(key): listed for key, listed in slots.items()})

    def to_text(self) -> str:
        """Return the TOML text of this; raises HierarchyError if it has no lists."""
        lines = []
        for slot in _SLOTS:
            listed: Order | None = getattr(self, _field(slot))
            if listed is not None:  # texts of JSON are texts of TOML too
                steps = json.dumps(list(map(str, listed.steps)), ensure_ascii=False)
                ways = f'mode = "{listed.mode}", tie = "{listed.tie}"'
                lines.append(f"{slot} = {{ select = {steps}, {ways} }}\n")
        if not lines:
            raise HierarchyError("a hierarchy without any list of selectors cannot be written down")
        return "".join(lines)

    @cached_property
    def lists(self) -> tuple[Order | None, ...]:
        """The lists for passing, for each position, and for discarding at each but the first."""
        discards = (
            (self.discard_second, self.second),
            (self.discard_third, self.third),
            (self.discard_fourth, self.fourth),
        )
        played = self.pass_, self.first, self.second, self.third, self.fourth
        return *played, *(own or self.discard or at for own, at in discards)

    def order_at(self, table: HeartsView) -> Order | None:
        """Return the list for a decision; None where the choice is random."""
        if table.kind is not DecisionKind.PLAY:
            return self.lists[0]
        if not table.trick:
            return self.lists[1]
        at = 4 if table.last else min(table.position, 2) + 1
        follows = any(card >> 4 == table.led for card in table.hand)
        return self.lists[at if follows else at + 3]

    def cards(self, table: HeartsView, stream: Stream) -> Cards:
        """Return the cards chosen at a table; several are chosen one at a time."""
        chosen: list[int] = []
        for _ in range(table.count):
            listed = self.order_at(table)
            if listed is None:
                card = table.legal[stream.below(len(table.legal))]
            else:
                card = listed.card(table, table.legal, stream)
            chosen.append(card)
            if len(chosen) < table.count:
                at = table.hand.index(card)
                hand = table.hand[:at] + table.hand[at + 1 :]
                table = replace(table, hand=hand, legal=hand, to_go=table.to_go - 1)
        return tuple(chosen)


@lru_cache(maxsize=64)
def _read(path: Path, _changed: int, _size: int) -> Hierarchy:
    """Read a file; the result is cached until the file changes."""
    try:
        text = read_text(path, _LONGEST)
    except UnicodeDecodeError:
        raise HierarchyError(f"{path} is not UTF-8 text") from None
    return Hierarchy.from_text(text, path.name)


def _field(slot: str) -> str:
    return "pass_" if slot == "pass" else slot


def _order(file: str, key: str, value: Any, shared: dict[str, Any]) -> Order:
    table = value if isinstance(value, dict) else {"select": value}
    _check_keys(file, key, table, ("select", *_FOR_ALL))
    ways = {**shared, **{name: table[name] for name in _FOR_ALL if name in table}}
    steps = table.get("select")
    where = f"{file}: {key}.select" if isinstance(value, dict) else f"{file}: {key}"
    if not isinstance(steps, list):
        raise HierarchyError(f'{where} is not a list of selectors, such as ["duck", "lowest"]')
    for name, way in ways.items():
        if not isinstance(way, str):
            raise HierarchyError(f"{file}: {_inner(key, name)} is not a string")
    for at, step in enumerate(steps, 1):
        if not isinstance(step, str):
            raise HierarchyError(f"{where}, item {at} is not a string: {step!r}")
        try:
            parse_step(step)
        except HierarchyError as error:
            raise HierarchyError(f"{where}, item {at}: {error}") from None
    try:
        return order(*steps, **ways)
    except HierarchyError as error:
        raise HierarchyError(f"{file}: {_inner(key, '')}{error}") from None


def _inner(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _check_keys(file: str, key: str, table: dict[str, Any], known: Iterable[str]) -> None:
    for name in table:
        if name not in known:
            advice = did_you_mean(name, known) or f"write one of {', '.join(known)}"
            raise HierarchyError(f"{file}: there is no {_inner(key, name)}; {advice}")


@dataclass(frozen=True)
class HierarchyPlayer(CardPlayer):
    """Plays by a hierarchy; takes the first option where options name no cards."""

    hierarchy: Hierarchy

    def cards(self, table: HeartsView, stream: Stream) -> Cards:
        """Return the cards chosen."""
        return self.hierarchy.cards(table, stream)
