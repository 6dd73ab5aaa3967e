"""The formatter keeps every word and comment, and what it has formatted it leaves alone."""

import random
import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from cardwright.syntax import formatter
from cardwright.syntax.diagnostic import Diagnostics
from cardwright.syntax.formatter import WIDTH, UnformattableError, format_source
from cardwright.syntax.reader import MAX_DEPTH, read, tokens
from cardwright.syntax.source import Source, decode
from cardwright.syntax.tree import Comment
from deep import usually

FOLDER = Path(__file__).parent / "format"
NAMES = sorted(path.name.split(".")[0] for path in FOLDER.glob("*.before.rcy"))
PROGRAMS = [path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.before.rcy"))]


def formatted(text):
    return format_source(Source("test.rcy", text))


def elements(text):
    """Return the texts of all tokens and comments, with each comment's place among the words.

    Closing brackets are not counted for the place: they may gather before a comment.
    """
    source = Source("test.rcy", text)
    atoms, comments = [], []
    words = 0
    for token in tokens(source, Diagnostics(source)):
        if isinstance(token, Comment):
            comments.append((words, token.text))
        else:
            atoms.append(token[0] if isinstance(token, tuple) else token.text)
            words += atoms[-1] != ")"
    return atoms, comments


def check(text):
    """Check all that holds for every text that can be formatted; return the formatted text."""
    result = formatted(text)
    assert elements(result) == elements(text)
    assert formatted(result) == result
    assert result.endswith("\n")
    assert not result.endswith("\n\n")
    assert "\r\n" not in result
    assert not re.search(r"[ \t]\n", result)
    return result


@pytest.mark.parametrize("name", NAMES)
def test_golden(name):
    before = (FOLDER / f"{name}.before.rcy").read_text(encoding="utf-8")
    after = (FOLDER / f"{name}.after.rcy").read_text(encoding="utf-8")
    assert check(before) == after
    assert check(after) == after


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(game (setup)", "test.rcy:1:1: cannot be formatted: the bracket of `(game` is never"),
        ("(game\n (set [X] 1))", "test.rcy:2:7: cannot be formatted: `[` is not"),
        ("(game\n (set [X] =))", "(and 1 more error); nothing was changed"),
        ("", "there is no program in this file"),
        (";; only a comment\n", "there is no program in this file"),
        ("hello (game)", "a program starts with an opening bracket"),
        ("(game (= 3))", "`=` is not part of the language"),
        ("(" * (MAX_DEPTH + 1), "nested more than"),
    ],
)
def test_what_has_wrong_brackets_or_characters_is_refused(text, message):
    with pytest.raises(UnformattableError) as caught:
        formatted(text)
    assert message in str(caught.value)


def test_a_result_that_lost_something_is_refused(monkeypatch):
    monkeypatch.setattr(formatter, "lay_out", lambda _pieces: "(game)")
    with pytest.raises(UnformattableError, match="bug in the formatter"):
        formatted("(game (declare 1 'X))")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(game)", "(game)\n"),
        ("()", "()\n"),
        ("(game (set (game str X)A))", "(game\n  (set (game str X) A))\n"),
        ("(game (x A,B , C:D 1..'N))", "(game\n  (x A, B, C : D 1 .. 'N))\n"),
        ("(x (== 1 2) \n\n\n (y))", "(x (== 1 2) (y))\n"),
        ("(game\n\n\n(a)\n\n\n(b)\n\n)", "(game\n\n  (a)\n\n  (b))\n"),
        ("(game (a);; one  \n);; two\t\n", "(game\n  (a)  ;; one\n)  ;; two\n"),
        ("(game (do ((a);; x\n)\n)\n)", "(game\n  (do ((a))))  ;; x\n"),
        ("(game (do ((a);; x\n)));; y", "(game\n  (do (\n    (a)  ;; x\n  )))  ;; y\n"),
        ("(game (a (b) ;; x\n)\n;; y\n)", "(game\n  (a (b))  ;; x\n  ;; y\n)\n"),
        ("(\n\n(a))", "((a))\n"),
        ("(;; x\n\n(a))", "(  ;; x\n  (a))\n"),
        ("(game ;;\n)", "(game)  ;;\n"),
        ("(;; x\n);; y", "(  ;; x\n)  ;; y\n"),
        (
            f"(game (define (N 'A) (and (b 'A {'X' * 40}) (c 'A {'Y' * 40}))))",
            f"(game\n  (define (N 'A)\n    (and (b 'A {'X' * 40})\n         (c 'A {'Y' * 40}))))\n",
        ),
        (
            f"(game ((a) (b {'X' * 40}) else (c {'Y' * 40})))",
            f"(game\n  ((a)\n    (b {'X' * 40})\n    else (c {'Y' * 40})))\n",
        ),
        ("(game (choice ((a))))", "(game\n  (choice (\n    (a))))\n"),
        ("(game (do ((a) (b))))", "(game\n  (do (\n    (a)\n    (b))))\n"),
        ("(game (a)) (b)\n;; c ", "(game\n  (a)) (b)\n;; c\n"),
        ("(game (a) ;; x\n) ) ", "(game\n  (a)  ;; x\n) )\n"),
    ],
)
def test_small_cases(before, after):
    assert check(before) == after


def test_line_ends_tabs_and_byte_order_marks_do_not_matter():
    text = PROGRAMS[0]
    expected = formatted(text)
    assert check(text.replace("\n", "\r\n")) == expected
    assert check(re.sub(r"^ +", lambda m: "\t" * len(m[0]), text, flags=re.M)) == expected
    assert formatted("\ufeff" + text) == expected
    assert format_source(decode("x", b"\xef\xbb\xbf" + text.encode())) == expected


def test_text_after_the_program_is_kept_as_it_is():
    tail = ")  stray   (words\n\n\n   here)) ;; and  comments\n;; the end"
    assert check("(game (a))" + tail + " \n\n") == "(game\n  (a))" + tail + "\n"


def test_a_comment_does_not_leave_the_program_for_the_tail():
    check("(game (a) ;; inside\n) tail")


@pytest.mark.parametrize("words", ["", "A ", "do ", "choice ", "and ", "any "])
def test_deepest_nesting(words):
    text = f"({words}" * MAX_DEPTH + ")" * MAX_DEPTH
    check(text)
    check(text.replace("(", "(;; c\n"))
    check(text.replace(")", ";; c\n)"))


@pytest.mark.parametrize(
    "part",
    [
        "(set (game points X) (((A : B) 1))) ;; comment\n",
        "A, ",
        "(A) B ",
        "A\n;; own line\n",
        "(a (b (c (d (e (f (g (h X ;; c\n))))))))",
    ],
)
def test_large_files_take_little_time(part):
    text = f"(game (x {part * (usually(30_000, 200_000) // len(part))}))"
    start = time.process_time()
    formatted(text)
    assert time.process_time() - start < 6  # some 0.5 s; slow machines may take longer


ATOMS = st.sampled_from(
    [
        "game",
        "setup",
        "stage",
        "choice",
        "do",
        "any",
        "all",
        "filter",
        "let",
        "set",
        "inc",
        "repeat",
        "create",
        "deck",
        "using",
        "end",
        "and",
        "put",
        "points",
        "A",
        "ABC",
        "'X",
        "'LONGER",
        "1",
        "42",
        "==",
        "+",
        "//",
        ",",
        ":",
        "..",
        "player",
    ]
)
LAYOUT = st.sampled_from([" ", "\n", "\n\n", "\n\n\n", "\t", "\r\n", " \r\n\r\n"])
COMMENTS = st.sampled_from(
    ["\n;; own line\n", " ;; line end  \n", "\n;;\n", ";;\r\n", "\n\n;; x\n\n"]
)
GAPS = st.one_of(LAYOUT, LAYOUT, LAYOUT, COMMENTS)


@st.composite
def trees(draw, gaps=GAPS, atoms=ATOMS, leaves=40):
    """Return the text of a random tree of brackets and words."""
    shape = draw(st.recursive(atoms, lambda inner: st.lists(inner, max_size=7), max_leaves=leaves))
    return write(shape if isinstance(shape, list) else [shape], lambda: draw(gaps))


def write(shape, gap):
    if isinstance(shape, str):
        return shape
    return "(" + gap() + "".join(write(item, gap) + gap() for item in shape) + ")"


@settings(max_examples=usually(60, 300))
@given(GAPS, trees(), st.one_of(st.just(""), GAPS, trees()))
def test_random_trees(before, tree, after):
    check(before + tree + after)


@settings(max_examples=usually(40, 200))
@given(st.lists(st.one_of(ATOMS, st.sampled_from(["(", ")"]), GAPS), max_size=60))
def test_random_tokens_are_formatted_or_refused(parts):
    text = " ".join(["(", *parts])
    source = Source("test.rcy", text)
    report = Diagnostics(source)
    read(source, report)
    if report.errors:
        with pytest.raises(UnformattableError):
            formatted(text)
    else:
        check(text)


WORDS = ["game", "set", "any", "do", "A", "BC", "'X", "1", "and", "cardatt"]


@settings(max_examples=usually(40, 200))
@given(trees(LAYOUT, st.sampled_from(WORDS), leaves=30))
def test_lines_keep_to_the_width(tree):
    atoms, _ = elements(tree)
    depth = max_depth(atoms)
    for line in check(tree).split("\n"):
        assert len(line) <= WIDTH or depth > 12


def max_depth(atoms):
    depth = deepest = 0
    for atom in atoms:
        depth += (atom == "(") - (atom == ")")
        deepest = max(deepest, depth)
    return deepest


@pytest.mark.parametrize("text", PROGRAMS, ids=NAMES)
def test_programs_with_other_layout(text):
    """Line ends, comments and missing parts anywhere in real programs do no harm."""
    for seed in range(usually(10, 40)):
        dice = random.Random(seed)
        parts = re.findall(r";;[^\n]*\n|\s+|[()]|[^\s()]+", text)
        for _ in range(dice.randint(1, 8)):
            place = dice.randrange(1, len(parts))
            change = dice.choice(["\n;; new\n", " ;; new\n", "\n\n\n", None])
            parts[place:place] = [change] if change else []
            if change is None and parts[place] not in {"(", ")"}:
                parts[place] = " "
        check("".join(parts))


@pytest.mark.parametrize("text", PROGRAMS, ids=NAMES)
def test_the_author_s_line_ends_do_not_matter(text):
    """Without comments and blank lines, only the words decide on the layout."""
    bare = re.sub(r";;[^\n]*", "", text)
    one_line = re.sub(r"\s+", " ", bare).strip()
    scattered = re.sub(r" ", "\n", one_line)
    if read(Source("x", bare), Diagnostics(Source("x", bare))).rest is None:
        assert check(scattered) == check(one_line)


@pytest.mark.parametrize("text", PROGRAMS, ids=NAMES)
def test_only_comments_pass_the_width(text):
    for line in formatted(text).split("\n"):
        assert len(line.split("  ;;")[0]) <= WIDTH
