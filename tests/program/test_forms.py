"""The table of forms: its examples, its patterns, and that it has the whole language."""

import re
from collections import Counter

import pytest
from small_programs import CREATED, SETUP, checked, errors, node

from cardwright.program import nodes as n
from cardwright.program.fitting import key_of
from cardwright.program.forms import BY_KEY, SECTIONS, SHAPES, UNSUPPORTED, FormShape
from cardwright.program.kinds import ValueKind
from cardwright.program.shapes import FormGroup, Literal, Misfit, Part, fit, parse
from cardwright.syntax.diagnostic import Diagnostics
from cardwright.syntax.reader import read
from cardwright.syntax.source import Source
from cardwright.syntax.tree import Form

PLACES = {
    ValueKind.ITEM: "{}",
    ValueKind.STEP: "(do ({}))",
    ValueKind.CONDITIONAL: "(do ({}))",
    ValueKind.ACTION: "(do ({}))",
    ValueKind.BOOLEAN: "(do (({} (turn pass))))",
    ValueKind.INTEGER: "(do ((set (game sto X) {})))",
    ValueKind.STRING: "(do ((set (game str X) {})))",
    ValueKind.POINTS: "(do ((set {} (((RANK : A) 1)))))",
    ValueKind.PLAYER: "(do ((cycle next {})))",
    ValueKind.TEAM: "(do ((inc ({} sto X))))",
    ValueKind.CARD: "(do ((move {} (top (game vloc OUT)))))",
    ValueKind.LOCATION: "(do ((shuffle {})))",
    ValueKind.LOCATIONS: "(do ((all {} 'L (turn pass))))",
    ValueKind.PLAYERS: "(do ((all {} 'L (turn pass))))",
    ValueKind.TEAMS: "(do ((all {} 'L (turn pass))))",
    ValueKind.INTEGERS: "(do ((all {} 'L (turn pass))))",
    ValueKind.STRINGS: "(do ((all {} 'L (turn pass))))",
}
"""A place for a form of each kind in a program."""

GRAMMAR = """
    game declare setup create players teams repeat deck scoring min max
    stage player team end choice do any all let
    set put points inc dec move swap remember forget shuffle cycle turn pass
    current next previous owner sto str
    + * - // % ^ tri fib random .. size sum using scoremax scoremin score pid tid cardatt
    and or not < > <= >= == != top bottom actual
    union intersect disjunction filter run sort vloc iloc hloc oloc mem
    partition subsets runs largest tuples indexed other range
"""
"""Every keyword of the grammar in the language page, section 1.5, and of its notes."""

"""Every keyword that is an extension of the language."""

NEWEST = ("update", "simultaneous", "once", "faro")


def form_of(text: str) -> Form:
    source = Source("example.rcy", text)
    form = read(source, Diagnostics(source)).form
    assert form is not None
    return form


def identify(shape: FormShape) -> str:
    return f"{shape.pattern} {shape.result.name}"


@pytest.mark.parametrize("shape", SHAPES, ids=identify)
def test_an_example_gives_the_kind_of_its_row(shape: FormShape) -> None:
    """The example of a row fits its pattern, is found by its key, and gives the row's result."""
    form = form_of(shape.example)
    assert key_of(form) == shape.key
    assert not isinstance(fit(shape.parts, form.items), Misfit)
    gives = shape.result
    if shape.expansion is not None and gives & ValueKind.BODY:
        gives = ValueKind.BODY
    assert node(shape.example, shape.result).kind & gives


@pytest.mark.parametrize("shape", SHAPES, ids=identify)
def test_an_example_can_stand_in_a_program(shape: FormShape) -> None:
    """Wherever its kind is needed, the example of a row makes a program without errors."""
    kinds = [kind for kind in PLACES if kind & shape.result]
    if shape.node is n.Filter:
        kinds = [ValueKind.LOCATION]
    assert kinds
    for kind in kinds:
        assert errors(checked(PLACES[kind].format(shape.example), setup=SETUP + CREATED)) == []


@pytest.mark.parametrize("shape", SHAPES, ids=identify)
def test_a_pattern_parses_to_the_parts_of_its_row(shape: FormShape) -> None:
    """Each row's parts are those of its pattern, and begin with a word or an operand."""
    assert parse(shape.pattern) == shape.parts
    assert not isinstance(shape.parts[0], FormGroup)


def test_no_two_rows_are_the_same() -> None:
    """A pattern and its result stand in one row only."""
    rows = Counter((shape.pattern, shape.result) for shape in SHAPES)
    assert [row for row, count in rows.items() if count > 1] == []


def test_every_row_is_found_by_its_key() -> None:
    """The index has all rows and no others."""
    assert sum(map(len, BY_KEY.values())) == len(SHAPES)
    assert all(shape in BY_KEY[shape.key] for shape in SHAPES)


def test_every_keyword_of_the_grammar_is_known() -> None:
    """The table, the sections and the bare words have all of the language; the rest is refused."""
    words: set[str] = set()
    plain: set[str] = set()
    for shape in SHAPES:
        words |= literals(shape.parts)
        plain |= set() if shape.extension else literals(shape.parts)
    for section in SECTIONS:
        found = set(re.findall(r"[a-z]+", section.pattern))
        words |= found
        plain |= set() if section.extension else found
    grammar = set(GRAMMAR.split())
    assert grammar - words == set()
    assert plain - grammar <= {"mod"}
    assert set(NEWEST) == set(UNSUPPORTED)


def literals(parts: tuple[Part, ...]) -> set[str]:
    words = {part.text for part in parts if isinstance(part, Literal)}
    inner = [literals(part.parts) for part in parts if isinstance(part, FormGroup)]
    return words.union(*inner)


@pytest.mark.parametrize("pattern", ["filter COLLECTION", "(size COLLECTION) STEP", "(size (X)"])
def test_a_pattern_is_one_form(pattern: str) -> None:
    """What is no single bracket is refused when the table is made."""
    with pytest.raises((ValueError, IndexError, KeyError)):
        parse(pattern)


def test_every_section_has_an_example_that_holds_its_words() -> None:
    """The example of a section starts as its pattern does."""
    for section in SECTIONS:
        assert section.example.startswith(f"({section.head}")
        assert section.pattern.startswith(f"({section.head}")
