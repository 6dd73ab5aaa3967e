"""Hierarchies made at random, and games to play them in, for tests of those who play them."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from cardwright import Game
from cardwright.hearts.cards import SUIT_NAMES
from cardwright.hearts.hierarchy import Hierarchy, Order, OrderMode, Tie, order, parse_step
from cardwright.hearts.selectors import CONDITIONS, SELECTORS, ParameterSpec
from deep import mostly_deep

GAMES: dict[str, dict[str, Any]] = {
    "as it stands": {},
    "passing left": {"PASS": 3, "CYCLE": ["LEFT"], "OPENING": "LOWCLUB", "FIRSTTRICK": "FORCE"},
    "a match": {"preset": "standard", "END": 20},
    "three players": {
        "PLAYERS": 3,
        "PASS": 2,
        "LOOK": 1,
        "CYCLE": ["RIGHT"],
        "WIDOW": 3,
        "WIDOWTO": "HEART",
        "MOON": "CHOICE",
        "MOONNEEDS": "TRICKS",
        "ROUNDS": 2,
        "NOTRICKS": 5,
    },
    "five players": {"PLAYERS": 5, "PASS": 1, "WIDOW": 2, "WIDOWTO": "EXCHANGE", "BREAKS": "QUEEN"},
    "card by card": {"preset": "openspiel", "CYCLE": ["LEFT", "ACROSS"]},
    "in rounds": {"preset": "hearts_league", "END": 10},
    "other prices": {"JACKDIAMONDS": -10, "SEVENCLUBS": 20, "PIPS": 1, "EACHTRICK": 3, "PASS": 2},
    "no queen": {"preset": "corin", "QUEEN": 0, "HEARTLEAD": "FREE", "END": 10, "WIDOW": 4},
}
"""Constants of Hearts that differ in what machine code has to know."""


UNLIKE = mostly_deep(GAMES, {"passing left", "a match", "three players", "no queen"}.__contains__)
"""The same, of which the most different are always tried."""


@cache
def game_of(name: str) -> Game:
    """Return one of the games."""
    return Game.load("hearts", **GAMES[name])


NUMBERS = {
    "shoot": (1, 60),
    "safe_lead": (1, 4),
    "block_moon": (1, 12),
    "stop_moon": (1, 30),
    "keep_low_hearts": (2, 14),
}
"""Where parameters matter most."""


@st.composite
def steps(draw: st.DrawFn) -> str:
    """Return the text of any step."""
    selector = SELECTORS[draw(st.sampled_from(sorted(SELECTORS)))]
    suits = st.sampled_from(SUIT_NAMES)
    given = ""
    if selector.takes is ParameterSpec.NUMBER and draw(st.booleans()):
        least, most = NUMBERS.get(selector.name, (selector.least, min(selector.most, 14)))
        given = f"({draw(st.integers(least, most))})"
    if selector.takes is ParameterSpec.SUIT:
        given = f"({draw(suits)})"
    if selector.takes is ParameterSpec.SUITS and draw(st.booleans()):
        given = f"({', '.join(draw(st.lists(suits, min_size=1, max_size=3)))})"
    when = draw(st.sampled_from(["", "", *CONDITIONS]))
    negated = draw(st.sampled_from(["", "not "]))
    return selector.name + given + (f" if {negated}{when}" if when else "")


def orders() -> st.SearchStrategy[Order]:
    """Return lists of up to five steps."""
    return st.builds(
        lambda texts, mode, tie: Order(tuple(map(parse_step, texts)), mode, tie),
        st.lists(steps(), max_size=5),
        st.sampled_from(OrderMode),
        st.sampled_from(Tie),
    )


def hierarchies() -> st.SearchStrategy[Hierarchy]:
    """Return hierarchies with any of their lists left out."""
    maybe = st.none() | orders()
    return st.builds(Hierarchy, *[maybe] * 9)


def everywhere(*texts: str, tie: str = "low") -> Hierarchy:
    """Return a hierarchy that has the same list for everything."""
    listed = order(*texts, tie=tie)
    return Hierarchy(listed, listed, listed, listed, listed)
