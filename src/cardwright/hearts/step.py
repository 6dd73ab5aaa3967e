"""Steps of hierarchies as text: `high_spades(4)`, `shortest_suit(clubs, diamonds) if not last`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.game.errors import CardwrightError
from cardwright.hearts import selectors as _selectors  # noqa: F401 - it registers the selectors
from cardwright.hearts.cards import SUIT_NAMES, SUITS
from cardwright.hearts.conditions import CONDITIONS
from cardwright.hearts.selector import SELECTORS, ParameterSpec, Selector
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.hearts.cards import Cards
    from cardwright.hearts.conditions import Holds
    from cardwright.hearts.table import HeartsView

_STEP = re.compile(r"\s*(\w+)\b\s*(?:\(([^()]*)\))?\s*(?:if\s+(not\s+)?(\w+)\s*)?")


class HierarchyError(CardwrightError):
    """An invalid hierarchy; the message says where and what to write."""


@dataclass(frozen=True)
class HierarchyStep:
    """One selector with its parameters, and the condition under which it is used, if any.

    The condition must hold, or must not hold if it is `negated`. `text` is the step as written.
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
    if name not in SELECTORS:
        raise HierarchyError(f"there is no selector {name!r}; {_advice(name, SELECTORS)}")
    if condition is not None and condition not in CONDITIONS:
        raise HierarchyError(
            f"there is no condition {condition!r}; {_advice(condition, CONDITIONS)}"
        )
    selector = SELECTORS[name]
    words = [word.strip() for word in parameters.split(",")] if (parameters or "").strip() else []
    return HierarchyStep(
        text.strip(),
        selector,
        _parameters(selector, words),
        CONDITIONS[condition] if condition else None,
        negation is not None,
    )


def _advice(name: str, known: Iterable[str]) -> str:
    return did_you_mean(name, known) or f"write one of {', '.join(sorted(known))}"


def _parameters(selector: Selector, words: list[str]) -> tuple[int, ...]:
    """Return a selector's parameters as numbers; raises HierarchyError."""
    match selector.takes:
        case ParameterSpec.NUMBER if not words:
            return ()
        case ParameterSpec.NUMBER if len(words) == 1:
            return (_number(selector, words[0]),)
        case ParameterSpec.SUIT if len(words) == 1:
            return (_suit(selector, words[0]),)
        case ParameterSpec.SUITS:
            return tuple(_suit(selector, word) for word in words)
        case ParameterSpec.NOTHING if not words:
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
