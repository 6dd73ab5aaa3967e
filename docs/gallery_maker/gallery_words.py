"""Words for the gallery, from the facts of games: families, what is special, safe Markdown."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from cardwright.library.catalogue import facts, names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.library.catalogue import CatalogueEntry

FAMILIES: dict[str, frozenset[str]] = {
    "Tricks to avoid": frozenset({"trick-avoidance"}),
    "Climbing and shedding": frozenset({"climbing", "shedding"}),
    "Tricks to take": frozenset({"trick-taking"}),
    "Capturing from the table": frozenset({"fishing"}),
    "Bidding, betting and bluffing": frozenset({"auction", "banking", "betting", "bluffing"}),
    "Collecting": frozenset({"set-collection"}),
    "Pushing your luck": frozenset({"adding", "push your luck"}),
}
"""Families by mechanics of the facts; a game is in the first that has one of its own."""

RARE = 2
"""Mechanics of no more games than this are special."""

COMMON = frozenset({"drawing", "exchanging", "point-trick", "solitary", "whole pack dealt"})
"""Mechanics that other games have under another word, or without a word."""

_SPECIAL = re.compile(r"([\\`*_\[\]#|~$])")
_HEAD = re.compile(r"([A-Z][^.:\n]{0,40}): +")


def family_of(entry: CatalogueEntry) -> str:
    """Return the family of a game; raises ValueError if its mechanics are in none."""
    for family, mechanics in FAMILIES.items():
        if mechanics & set(entry.mechanics):
            return family
    raise ValueError(f"{entry.name}: no family has one of {', '.join(entry.mechanics)}")


def safe(text: str) -> str:
    """Return text that Markdown shows as it is, on one line."""
    line = " ".join(text.split())
    escaped = _SPECIAL.sub(r"\\\1", line)
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def code(text: str) -> str:
    """Return text as code in a line; a bar would end a cell of a table."""
    return f"`{text}`".replace("|", "\\|")


def paragraphs(text: str) -> list[str]:
    """Return paragraphs of a text; what each is about, before its colon, is bold."""
    found = []
    for one in text.strip().split("\n\n"):
        head = _HEAD.match(one)
        if head is None:
            found.append(safe(one))
        else:
            found.append(f"**{safe(head[1])}.** {safe(one[head.end() :])}")
    return found


def aim_of(entry: CatalogueEntry) -> str:
    """Return the first paragraph of the rules, which says what players want."""
    return entry.rules.strip().split("\n\n")[0].removeprefix("Aim: ")


def special_of(entry: CatalogueEntry) -> str:
    """Return the mechanics that the facts name of few games beside this one; empty if none."""
    everywhere = Counter(one for name in names() for one in facts(name).mechanics)
    alone = [one for one in entry.mechanics if everywhere[one] == 1 and one not in COMMON]
    rare = [one for one in entry.mechanics if 1 < everywhere[one] <= RARE]
    parts = []
    if alone:
        parts.append(in_words(alone))
    for one in rare:
        others = [facts(name).title for name in names() if one in facts(name).mechanics]
        parts.append(f"{one}, as in {in_words(t for t in others if t != entry.title)}")
    return "; ".join(parts)


def in_words(items: Iterable[object], joint: str = "and") -> str:
    """Return items as people list them."""
    texts = [str(item) for item in items]
    return f" {joint} ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of cells that are Markdown already."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
