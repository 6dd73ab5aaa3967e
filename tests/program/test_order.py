"""Which locations have an order: by the text of a program, one reason at a time."""

import re

import pytest

from cardwright import Game
from cardwright.program.effects import EffectAnalysis
from cardwright.program.places import LocationFamily, place_order, places
from cardwright.program.program import Program

FRAME = """
(game
  (declare 2 'TWO)
  (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K, Q, J)))))
  {items}
  (scoring max ((current player) sto SCORE)))
"""


def program(items: str) -> Program:
    """Return a program; `@` and `#` stand for locations and storages of the table."""
    for short, meant in {"@OUT": "(game vloc OUT)", "@": "(game vloc L)"}.items():
        items = items.replace(short, meant)
    items = re.sub(r"#([ST])", r"(game sto \1)", items.replace("#P", "(game points P)"))
    return Game.from_text(FRAME.format(items=items), engine="interpreter").program


def unordered(items: str) -> set[str]:
    """Return the kinds, names and indices of the families without an order."""
    order = place_order(program(items))
    found = set()
    for family in order.unordered:
        assert not order.is_ordered(family)
        assert not any(map(order.is_ordered, family.locations()))
        found.add(f"{family.kind} {family.name}" + (f" {family.at}" if family.at else ""))
    return found


READS = {
    "shuffle": "(do ((shuffle @)))",
    "move top": "(do ((move (top @) (top @OUT))))",
    "move bottom": "(do ((move (bottom @) (top @OUT))))",
    "short top": "(do ((move (@) (top @OUT))))",
    "move position": "(do ((move (0 @) (top @OUT))))",
    "to a position": "(do ((all (game vloc IN) 'C (move 'C (0 @)))))",
    "beside a card at an end": "(do ((all (game vloc IN) 'C (move 'C (actual (top @))))))",
    "repeat with a count": "(do ((repeat 2 (move (top @) (top @OUT)))))",
    "repeat all from below": "(do ((repeat all (move (bottom @) (top @OUT)))))",
    "remember": "(do ((remember (top @) (top (game mem M)))))",
    "swap": "(do ((swap (top @) (bottom (game vloc IN)))))",
    "attribute": "(do (((== (cardatt RANK (top @)) A) (turn pass))))",
    "compare": "(do (((all @ 'C (== 'C (top @))) (turn pass))))",
    "owner": "(do ((cycle current (owner (top @)))))",
    "score": "(do ((set #S (score (bottom @) using #P))))",
    "sequence": "(do ((set #S (size (top 1 @)))))",
    "run at an end": "(do ((set #S (size (run top 1 @ using #P)))))",
    "of a filter": "(do ((move (top (filter @ 'C (== (cardatt RANK 'C) A))) (top @OUT))))",
    "of a union": "(do ((move (top (union (game vloc IN) @)) (top @OUT))))",
    "of a union of a set": "(do ((move (top (union (all player 'P ('P vloc L)))) (top @OUT))))",
    "of a set": "(do ((move (top (all player 'P ('P vloc L))) (top @OUT))))",
    "of an element": "(do ((move (top (top (all player 'P ('P vloc L)))) (top @OUT))))",
    "of an intersection": "(do ((move (top (intersect (game vloc IN) @)) (top @OUT))))",
    "by another name": "(do ((let @ 'X (move (top 'X) (top @OUT)))))",
    "of a filter by name": (
        "(do ((let (filter @ 'C (== (cardatt RANK 'C) A)) 'X (move (top 'X) (top @OUT)))))"
    ),
    "of each of a set": "(do ((all (all player 'P ('P vloc L)) 'X (move (top 'X) (top @OUT)))))",
    "in a choice": "(choice ((move (top @) (top @OUT))))",
    "in a test": "(stage player (end (== (cardatt RANK (top @)) A)) (do ((turn pass))))",
    "a computed index": "(do ((all (range 0 .. 1) 'I (move (top (game vloc L 'I)) (top @OUT)))))",
    "a computed name": "(do ((set #S (size (game vloc (game str NAME))))))",
    "a name from a list": "(do ((all (K, L) 'N (set #S (size (game vloc 'N))))))",
    "bound to what nobody knows": "(do ((let (== #S 3) 'B ('B (shuffle @)))))",
    "an integer in a let": "(do ((let 1 'I (set #S (size (game vloc L 'I))))))",
    "indexed": "(do ((all (indexed game vloc L) 'X (set #S (size 'X)))))",
}


@pytest.mark.parametrize("items", READS.values(), ids=READS)
def test_what_reads_or_makes_an_order_gives_one(items: str) -> None:
    """Each reason alone gives an order to the location, of the table or of all players."""
    use = "(do ((set #T (size @)) (set #T (size ((1 player) vloc L)))))"
    assert "vloc L" in unordered(use)
    whose = "('P vloc L)" in items
    found = place_order(program(use + items)).unordered
    sorts = {family.sort.size for family in found if family.name == "L"}
    assert sorts == ({1} if whose else {2})


SPARES = {
    "the target of a move": "(do ((all (game vloc IN) 'C (move 'C (top @)))))",
    "below": "(do ((all (game vloc IN) 'C (move 'C (bottom @)))))",
    "beside a card": "(do ((all @ 'C (all (game vloc IN) 'D (move 'D 'C)))))",
    "repeat all": "(do ((repeat all (move (top @) (top @OUT)))))",
    "repeat all of the real card": "(do ((repeat all (move (actual (top @)) (top @OUT)))))",
    "size": "(do ((set #S (size @))))",
    "sum": "(do ((set #S (sum @ using #P))))",
    "scoremax": "(do ((set #S (scoremax @ using #P))))",
    "max": "(do ((move (max @ using #P) (top @OUT))))",
    "min of a filter": ("(do ((move (min (filter @ 'C (== 1 1)) using #P) (top @OUT))))"),
    "all": "(do ((all @ 'C (move 'C (top @OUT)))))",
    "any": "(choice ((any @ 'C (move 'C (top @OUT)))))",
    "quantifier": "(do (((any @ 'C (== (cardatt RANK 'C) A)) (turn pass))))",
    "swap of locations": "(do ((swap @ (game vloc IN))))",
    "swap of cards": "(do ((all @ 'C (all (game vloc IN) 'D (swap 'C 'D)))))",
    "top of a group": "(do ((move (top (top (partition RANK @))) (top @OUT))))",
    "top of a subset": "(choice ((any (subsets @) 'S (move (top 'S) (top @OUT)))))",
    "top of a run": ("(choice ((any (runs all 1 @ using #P) 'S (move (top 'S) (top @OUT)))))"),
    "top of a tuple": ("(choice ((any (tuples 1 @ using #P) 'S (move (top 'S) (top @OUT)))))"),
    "top of the sorted cards": "(do ((move (top (sort @ using #P)) (top @OUT))))",
    "another kind": "(do ((move (top (game iloc L)) (top @OUT))))",
    "another index": "(do ((move (top (game vloc L 'TWO)) (top @OUT))))",
    "another owner": "(do ((move (top ((current player) vloc L)) (top @OUT))))",
    "a team's": "(do ((move (top ((team (current player)) vloc L)) (top @OUT))))",
    "a computed name of another kind": "(do ((set #S (size (game iloc (game str NAME))))))",
    "a constant index": "(do ((repeat all (move (top (game vloc L (- 'TWO 2))) (top @OUT)))))",
    "removed by a constant": "(do (((== 'TWO 3) (move (top @) (top @OUT)))))",
    "repeated as often as nothing is": "(do ((repeat (size (range 1 .. 0)) (shuffle @))))",
    "bound to what never holds": "(do ((let (== 'TWO 3) 'B ('B (shuffle @)))))",
    "bound to what follows from that": (
        "(do ((let (== 'TWO 2) 'B (let (not 'B) 'C ((and 'C (== #S 1)) (shuffle @))))))"
    ),
    "an item that is never played": "((== 'TWO 3) (do ((shuffle @))) else (do ((turn pass))))",
    "the item after one that is": "((== 'TWO 2) (do ((turn pass))) else (do ((shuffle @))))",
    "the words of a label": "(choice ((label (A (top @)) (turn pass))))",
}


@pytest.mark.parametrize("items", SPARES.values(), ids=SPARES)
def test_what_does_not_read_an_order_gives_none(items: str) -> None:
    """The location of the table stays without an order."""
    assert "vloc L" in unordered("(do ((set #T (size @))))" + items)


def test_a_constant_index_is_a_literal() -> None:
    """Arithmetic on constants names one family; the others of the name are not concerned."""
    found = unordered(
        "(do ((move (top (game vloc L (+ 'TWO 1))) (top @OUT)) (set #S (size (game vloc L 2)))))"
    )
    assert "vloc L 2" in found
    assert "vloc L 3" not in found


def test_memory_has_an_order() -> None:
    """It may hold a card twice."""
    assert "mem M" not in unordered("(do ((set #S (size (game mem M)))))")


def test_too_many_locations_without_an_order_all_have_one() -> None:
    """Beyond the limit the rule is off for the whole program."""
    many = " ".join(f"(set #S (size ((1 player) vloc L {at})))" for at in range(511))
    assert len(unordered(f"(do ({many}))")) == 512  # 511 for two players, STOCK and OUT
    assert not unordered(f"(do ({many} (set #S (size ((1 player) vloc L 511)))))")


def test_locations_without_an_order_have_the_first_slots() -> None:
    """Their slots come first, whole families, then those of the others."""
    items = "(do ((shuffle (game iloc STOCK)) (move (top (game iloc STOCK)) (top @OUT))))"
    found = places(EffectAnalysis(program(items)))
    order = place_order(program(items))
    assert found.unordered == 1
    assert [order.is_ordered(location) for location in found.locations] == [False, True]
    for family, base in found.bases.items():
        assert isinstance(family, LocationFamily)
        assert found.locations[base] in set(family.locations())


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ("(do ((move (top @) (top @OUT))))", {"L"}),
        (
            "(do ((move (top @OUT) (top @)) (set #S (size @)) (move (bottom @) (top @OUT))))",
            {"L", "OUT"},
        ),
        ("(do ((move (top @) (top @OUT)) (repeat 2 (move (top @OUT) (top @)))))", set()),
        ("(do ((move (top @) (top @OUT)) (repeat all (move (top @OUT) (top @)))))", set()),
        ("(do ((move (top @) (top @OUT)) (shuffle @)))", set()),
    ],
)
def test_locations_of_which_only_an_end_is_read(items: str, expected: set[str]) -> None:
    """They have an order, but rarely several cards: none come at once, and nothing shuffles."""
    found = place_order(program(items)).ends
    assert {family.name for family in found} == expected


def test_the_reason_for_an_order_is_the_form_that_reads_it() -> None:
    of = program("(do ((move (top @) (top @OUT)) (shuffle @)))")
    order = place_order(of)
    reasons = {family.name: order.reason(family) for family in places(EffectAnalysis(of)).mentions}
    text = {name: form and of.source.at(form.span) for name, form in reasons.items()}
    assert text == {"STOCK": None, "OUT": None, "L": "(shuffle (game vloc L))"}
