"""The glossary: in order, and about words that the code has."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
TERM = re.compile(r"^\*\*(.+?)\*\*: (.+)$", re.MULTILINE)


def entries() -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = TERM.findall(
        (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    )
    return found


@cache
def defined() -> frozenset[str]:
    """Return the names of all classes, functions and methods of classes, and of packages."""
    names: set[str] = set()
    for path in (ROOT / "src").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        names.update(re.findall(r"^(?:class|def) (\w+)", text, re.MULTILINE))
        names.update(re.findall(r"^(\w+)(?:: TypeAlias)? = ", text, re.MULTILINE))
        names.add(".".join(path.parent.relative_to(ROOT / "src").parts))
        for block in re.split(r"^class ", text, flags=re.MULTILINE)[1:]:
            owner = re.match(r"\w+", block)
            assert owner
            names.update(f"{owner[0]}.{m}" for m in re.findall(r"^    def (\w+)", block, re.M))
    return frozenset(names)


def test_terms_are_in_order_and_explained_once() -> None:
    terms = [term for term, _ in entries()]
    assert len(terms) > 80
    assert terms == sorted(set(terms), key=str.casefold)
    for term, meaning in entries():
        assert meaning.endswith("."), term


def test_what_terms_are_called_in_the_code_is_there() -> None:
    """Every class, function or package that the glossary names exists under this name."""
    named = [name for _, meaning in entries() for name in re.findall(r"`([^`]+)`", meaning)]
    code = [name for name in named if re.fullmatch(r"[A-Za-z_.]+", name) and name not in WORDS]
    assert len(code) > 60
    assert [name for name in code if name not in defined()] == []


WORDS = {"any", "jobs"}
"""Words in code letters that are no name of a class, a function or a whole package."""
