"""All that can be said of somebody at a table agrees with `you`, one person and several.

What is said is found in the sources: every text that becomes a clause. Texts that are computed are
listed here, with what they are.
"""

from __future__ import annotations

import ast
import re
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from cardwright import english
from cardwright.english import KNOWN_VERBS, YOU, Clause, SentenceSubject, base, named, third
from cardwright.game.find import library_names
from cardwright.game.settings import settings_of
from cardwright.game.wording.phrases import phrase

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(english.__file__).parents[1]
ANN = named("Ann")
BOTH = SentenceSubject.several([named("Ann"), YOU])

MAKERS = {"Clause", "does", "sentence", "form", "_does", "_note"}
"""What takes a clause, as its last argument."""
NAMES = {"Clause", "SentenceSubject", "YOU", "named", "EVERYBODY"}
"""A module that has one of these makes sentences about somebody."""

VERBS = {*KNOWN_VERBS, "agree", "are", "do", "get", "have", "let", "sit"}
"""All verbs of the program itself, as they are with `you`."""

COMPUTED = {
    ("game/wording/clauses.py", "deed"): "an author's phrase",
    ("game/wording/clauses.py", "_notes"): "an author's phrase",
    ("game/wording/clauses.py", "_passing"): "an author's phrase, or `pass`",
    ("game/wording/clauses.py", "exchange"): "an author's phrase, or `exchange ...`",
    ("game/wording/clauses.py", "_label"): "an author's phrase, or a label of the rules",
    ("game/wording/clauses.py", "_chosen"): "a string of the rules, or `choose ...`",
    ("game/wording/clauses.py", "_unworded"): "a name of the rules that is a known verb",
    ("game/wording/clauses.py", "_authored_prompt"): "an author's phrase as a whole sentence",
    ("game/wording/phrases.py", "of_count"): "an author's phrase about a card",
    ("table/deal_results.py", "results_in_words"): "an author's phrase",
    ("table/displays.py", "text_of"): "an author's phrase as a whole sentence",
    ("table/narrator.py", "_sentence"): "an author's phrase",
    ("table/narrator.py", "_trick"): "an author's phrase, or `win the trick`",
    ("table/narrator.py", "_draws"): "an author's phrase",
    ("table/narrator.py", "_worded_way"): "an author's phrase",
    ("table/narrator.py", "_dealt"): "what `_draws` made",
    ("table/narrator.py", "_does"): "what its callers give",
    ("table/narrator.py", "said"): "what a table notes",
    ("table/scene_maker.py", "_worded_facts"): "an author's phrase as a whole sentence",
    ("table/table.py", "_note"): "what its callers give",
}


class Made(NamedTuple):
    """A text that becomes a clause, with samples for its values; None if it is computed."""

    module: str
    function: str
    line: int
    text: str | None


def made_clauses() -> Iterator[Made]:
    """Yield what becomes a clause anywhere in the package."""
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported = {
            name.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == "cardwright.english"
            for name in node.names
        }
        if not imported & NAMES:
            continue
        module = path.relative_to(SOURCE).as_posix()
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef):
                for call in own_calls(function):
                    for text in texts(call.args[-1], function) or [None]:
                        yield Made(module, function.name, call.lineno, text)


def own_calls(function: ast.FunctionDef) -> Iterator[ast.Call]:
    """Yield the calls in a function that take a clause."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and node.args:
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if name in MAKERS and not isinstance(node.args[-1], ast.Call | ast.Lambda):
                yield node


def texts(node: ast.expr, function: ast.FunctionDef) -> list[str]:
    """Return the texts that an expression can be, with samples for values; none if computed."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp(body=body, orelse=other):
            ways = texts(body, function), texts(other, function)
            return [*ways[0], *ways[1]] if all(ways) else []
        case ast.JoinedStr(values=parts):
            first, *rest = (part_texts(part, function) for part in parts)
            return list(map("".join, product(first, *(other or ["3 cards"] for other in rest))))
        case ast.Name(id=name):
            return assigned(name, function)
    return []


def part_texts(part: ast.expr, function: ast.FunctionDef) -> list[str]:
    """Return the texts of a part of an f-string."""
    return texts(part.value if isinstance(part, ast.FormattedValue) else part, function)


def assigned(name: str, function: ast.FunctionDef) -> list[str]:
    """Return the texts that are assigned to a name in a function; none if any is computed."""
    found: list[str] = []
    for node in ast.walk(function):
        if not isinstance(node, ast.Assign):
            continue
        (target,) = node.targets
        pairs = [(target, node.value)]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = list(zip(target.elts, node.value.elts, strict=True))
        for at, value in pairs:
            if isinstance(at, ast.Name) and at.id == name:
                if not (some := texts(value, function)):
                    return []
                found += some
    return found


MADE = list(made_clauses())
WRITTEN = sorted({one.text for one in MADE if one.text is not None})


def test_every_maker_of_sentences_is_known() -> None:
    """A new one writes its clause where it is made, or says here what it computes."""
    assert {(one.module, one.function) for one in MADE if one.text is None} == COMPUTED.keys()
    assert {"sit down", "win", "do not agree", "are turned up"} <= {*WRITTEN}
    assert len(WRITTEN) > 30


@pytest.mark.parametrize("text", WRITTEN)
def test_what_is_said_agrees(text: str) -> None:
    """Clauses begin with a verb as it is with `you`, and are neither sentences nor padded."""
    clause = Clause(text)
    assert clause.verb in VERBS, "a verb as with `you`, or a new one for the list"
    assert base(third(clause.verb)) == clause.verb
    rest = text.removeprefix(clause.verb)
    assert YOU.does(text) == f"you {text}"
    assert ANN.does(text) == f"Ann {third(clause.verb)}{rest}"
    assert BOTH.does(text) == f"you and Ann {text}"
    assert YOU.sentence(text) == f"You {text}"
    assert SentenceSubject("a card").sentence(text).startswith("A card ")
    assert text == " ".join(text.split())
    assert not re.search(r"[.!?]$|\byourself\b", text)


PEOPLE = re.compile(r"\bnames\[|\bwho\b|\bsubject\(|seats?(\[.*\])?\.name\b|\bwinners?\b")
AGREES = re.compile(r" (has|have|is|are|was|were|does|do|wins?|takes?|gets?|plays?|shoots?)\b")
"""Verbs after the name of somebody, who may be the reader."""


def test_nobody_is_given_a_verb_by_a_pattern() -> None:
    """At a table, what somebody does is said by a subject, never by a name before a verb."""
    glued = set()
    for folder in ("game/wording", "table", "interfaces/play", "web"):
        for path in (SOURCE / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.JoinedStr):
                    for value, after in zip(node.values, node.values[1:], strict=False):
                        if (
                            isinstance(value, ast.FormattedValue)
                            and PEOPLE.search(ast.unparse(value.value))
                            and isinstance(after, ast.Constant)
                            and AGREES.match(after.value)
                        ):
                            glued.add(f"{path.relative_to(SOURCE).as_posix()}:{node.lineno}")
    assert not glued


DEEDS = ("moves", "labels", "choices")
"""The tables of words that say what somebody does."""


WHOLE = {"these cards are dealt again"}
"""Phrases that are sentences of their own."""


def authored() -> Iterator[tuple[str, str, str]]:
    """Yield the phrases of the library for deeds, with their games and tables."""
    for name in library_names():
        words = settings_of(name).words
        for table in DEEDS:
            yield from ((name, table, text) for _, text in getattr(words, table) if text)


def test_phrases_of_the_library_agree() -> None:
    """Verbs of phrases are as with `you`, those about cards as with one card."""
    wrong = []
    for name, table, text in authored():
        about = phrase(text)
        if about.of_cards:
            word = str(about.parts[1]).split()[0]
            fits = third(base(word)) == word and word not in VERBS
        else:
            word = Clause(text).verb
            fits = base(third(word)) == word and word not in map(third, VERBS)
        if not fits and text not in WHOLE:
            wrong.append((name, table, text))
    assert not wrong
