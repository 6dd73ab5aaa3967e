"""Words for the gallery, from the facts of games: what is special, safe Markdown."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from cardwright.library.catalogue import facts, names
from cardwright.table.rules_page import sections

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.library.catalogue import CatalogueEntry

RARE = 2
"""Mechanics of no more games than this are special."""

COMMON = frozenset({"drawing", "exchanging", "point-trick", "solitary", "whole pack dealt"})
"""Mechanics that other games have under another word, or without a word."""

_SPECIAL = re.compile(r"([\\`*_\[\]#|~$])")


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
    return [
        f"**{safe(one.heading)}.** {safe(one.text)}" if one.heading else safe(one.text)
        for one in sections(text)
    ]


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
