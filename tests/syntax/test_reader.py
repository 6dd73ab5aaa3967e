"""The reader: tokens, forms and their places, and what is said about brackets."""

import pytest
from hypothesis import given, strategies as st

from cardwright.syntax.diagnostic import Diagnostics
from cardwright.syntax.reader import MAX_DEPTH, ReadText, read
from cardwright.syntax.source import Source
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax

ATOMS = st.sampled_from(["A", "Hearts_2", "'CARD", "17", "move", "==", "//", "..", ",", ":", "^"])
TREES = st.recursive(ATOMS, lambda inner: st.lists(inner, max_size=4), max_leaves=20)


def reading(text: str) -> tuple[ReadText, Diagnostics]:
    source = Source("x", text)
    report = Diagnostics(source)
    return read(source, report), report


def form(text: str) -> Form:
    found, report = reading(text)
    assert not report.found
    assert found.form is not None
    return found.form


def said(text: str) -> list[str]:
    return [f"{found.code.code} {found.message}" for found in reading(text)[1]]


def shape(item: Syntax) -> object:
    return item.text if isinstance(item, Atom) else [shape(inner) for inner in item.items]


def written(tree: object) -> str:
    return tree if isinstance(tree, str) else f"({' '.join(map(written, tree))})"  # type: ignore[call-overload]


@given(st.lists(TREES, max_size=5))
def test_what_is_written_is_read(tree: list[object]) -> None:
    """Every tree of atoms comes back as it was written."""
    assert shape(form(written(tree))) == tree


@given(st.lists(TREES, max_size=5))
def test_every_item_knows_its_place(tree: list[object]) -> None:
    """The text of an item's span is the item, and spans lie within each other in order."""
    text = written(tree)
    pending: list[Form] = [form(text)]
    while pending:
        outer = pending.pop()
        assert text[outer.span.start] == "("
        assert text[outer.span.end - 1] == ")"
        at = outer.span.start + 1
        for item in outer.items:
            assert at <= item.span.start < item.span.end < outer.span.end
            at = item.span.end
            if isinstance(item, Atom):
                assert text[item.span.start : item.span.end] == item.text
            else:
                pending.append(item)


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("(2..10)", ["2", "..", "10"]),
        ("(1..'N)", ["1", "..", "'N"]),
        ("(top('P iloc HAND))", ["top", ["'P", "iloc", "HAND"]]),
        ("(SUIT:CLUBS)", ["SUIT", ":", "CLUBS"]),
        ("(A,B)", ["A", ",", "B"]),
        ("(<=<)", ["<=", "<"]),
        ("(== //)", ["==", "//"]),
        ("(0player)", ["0", "player"]),
        ("(\ta\r\n\fb)", ["a", "b"]),
    ],
)
def test_white_space_is_needed_only_between_like_tokens(text: str, atoms: list[object]) -> None:
    """Signs and brackets end a token, as published games have it."""
    assert shape(form(text)) == atoms


def test_numbers_are_not_glued() -> None:
    """Two numbers stay two, and keep their digits."""
    assert shape(form("(- 15 30)")) == ["-", "15", "30"]


def test_kinds_of_atoms_follow_their_letters() -> None:
    """Words are small, names start with a capital, variables with an apostrophe."""
    kinds = {
        "move": AtomKind.WORD,
        "HAND": AtomKind.NAME,
        "Hand_2": AtomKind.NAME,
        "'C": AtomKind.VARIABLE,
        "12": AtomKind.INTEGER,
        ">=": AtomKind.OPERATOR,
        "..": AtomKind.PUNCTUATION,
    }
    for text, kind in kinds.items():
        (atom,) = form(f"({text})").items
        assert isinstance(atom, Atom)
        assert atom.kind is kind


def test_comments_are_kept_apart() -> None:
    """They are no items; the last needs no line end, and brackets in them do not count."""
    found, report = reading(";; one\n(game ;; two )\n a) ;; three")
    assert not report.found
    assert found.form is not None
    assert shape(found.form) == ["game", "a"]
    assert [comment.text for comment in found.comments] == [";; one", ";; two )", ";; three"]


def test_the_rest_is_found_and_not_judged() -> None:
    """Text after the program is a span; its characters are nobody's business."""
    text = "(game) ;; comment\n ) it's [so]"
    found, report = reading(text)
    assert not report.found
    assert found.rest is not None
    assert text[found.rest.start : found.rest.end] == ") it's [so]"
    assert reading("(game) ;; end")[0].rest is None


def test_a_slip_is_read_as_it_was_meant() -> None:
    """What is reported is passed on in the language's own writing, in its own place."""
    meant = {
        "=": "==",
        "/": "//",
        "=<": "<=",
        "≠": "!=",
        "…": "..",
        "&&": "and",
        "'card": "'CARD",
        "’P": "'P",
        '"hearts"': "HEARTS",
        "MY-SCORE": "MY_SCORE",
        "my_score": "MY_SCORE",
    }
    for text, proper in meant.items():
        found, report = reading(f"({text})")
        assert [item.code.code for item in report] == ["E101"]
        assert found.form is not None
        (atom,) = found.form.items
        assert isinstance(atom, Atom)
        assert atom.text == proper
        assert (atom.span.start, atom.span.end) == (1, 1 + len(text))


def test_other_brackets_are_told_once_and_read_as_round() -> None:
    """A file in square brackets has one message, and its forms."""
    found, report = reading("[game {a} (b]]")
    assert len(report) == 1
    assert found.form is not None
    assert shape(found.form) == ["game", ["a"], ["b"]]


@pytest.mark.parametrize("text", ["(game (a)", "(game", "(", "(game (a (b)"])
def test_an_unfinished_text_is_told_from_a_wrong_one(text: str) -> None:
    """More text may complete it."""
    found, report = reading(text)
    assert found.form is None
    assert report.unfinished
    assert not reading(text + ")))")[1].unfinished


def test_depth_is_limited_without_recursion() -> None:
    """The deepest nesting that is allowed is read, one more is told, and any number is told."""
    assert form("(" * MAX_DEPTH + ")" * MAX_DEPTH)
    for depth in (MAX_DEPTH + 1, 100_000):
        assert said("(" * depth + ")" * depth) == [
            f"E103 brackets are nested more than {MAX_DEPTH} deep here"
        ]


@pytest.mark.parametrize(
    ("text", "blamed"),
    [
        ("(game\n  (do (a)\n  (stage b))", "(do"),
        ("(game\n  (do\n    (a (b)\n    (c))\n  (d))", "(a"),
        ("(game (do (a) (scoring max 3))", "(do"),
        ("(game\n(do (a)\n(scoring max 3))", "(do"),
        ("(game\n(setup (a)\n(declare 3 'N)\n(do)\n(scoring max 3))", "(setup"),
        ("(game\n  (do (a))\n  (b)", "(game"),
    ],
)
def test_the_form_that_was_never_closed_is_named(text: str, blamed: str) -> None:
    """Indentation shows it, or a section that stands inside it; else it is the outermost."""
    (found,) = reading(text)[1]
    assert found.code.code == "E102"
    assert text[found.span.start :].startswith(blamed)


def test_an_early_end_is_told_with_the_bracket_at_fault() -> None:
    """When the scoring comes after the end of the game, a bracket was closed too early."""
    text = "(game\n  (do\n    (a))\n    (b))\n  (scoring max 3))"
    (found,) = reading(text)[1]
    assert found.code.code == "E107"
    assert text[: found.span.end] == "(game\n  (do\n    (a))"
