"""Elaboration: which meaning a form has where it stands, and what its variables hold."""

import pytest
from small_programs import checked, errors, node

from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

CARD = ("'C", ValueKind.CARD)
PLAYER = ("'P", ValueKind.PLAYER)
SETS = ("'S", ValueKind.LOCATIONS)
PILE = "(game vloc PILE)"
GROUPS = f"(partition SUIT {PILE})"

MEANINGS = [
    # top and bottom: a card of a location, a location of a set, the end card of the end location
    (f"(top {PILE})", ValueKind.CARD, n.End),
    (f"(top {GROUPS})", ValueKind.LOCATION, n.Element),
    (f"(top {GROUPS})", ValueKind.CARD, n.End),
    (f"(top (top {GROUPS}))", ValueKind.CARD, n.End),
    (f"(bottom {GROUPS})", ValueKind.LOCATION, n.Element),
    (f"(top 3 {PILE})", ValueKind.LOCATION, n.Sequence),
    ("(top 'S)", ValueKind.CARD, n.End),
    ("(top 'S)", ValueKind.LOCATION, n.Element),
    # numbers: the position of a card, of a location, or a player
    (f"(0 {PILE})", ValueKind.CARD, n.Position),
    (f"(0 {GROUPS})", ValueKind.LOCATION, n.Element),
    ("(1 player)", ValueKind.PLAYER, n.Numbered),
    ("((game sto ASKED) player)", ValueKind.PLAYER, n.Numbered),
    (f"({PILE})", ValueKind.CARD, n.End),
    # any and all: a step, a condition, a sum, a set of locations
    ("(any player 'Q (turn pass))", ValueKind.STEP, n.ForEach),
    ("(all player 'Q (turn pass))", ValueKind.STEP, n.ForEach),
    ("(any player 'Q (== 1 1))", ValueKind.BOOLEAN, n.Quantifier),
    ("(all player 'Q (== 1 1))", ValueKind.BOOLEAN, n.Quantifier),
    ("(all player 'Q ('Q sto SCORE))", ValueKind.INTEGER, n.Total),
    ("(all player 'Q ('Q vloc WON))", ValueKind.LOCATIONS, n.EachLocation),
    ("(all player 'Q ('Q vloc WON))", ValueKind.COLLECTION, n.EachLocation),
    # a step is conditional if it starts with a bracket
    ("((== 1 1) (turn pass))", ValueKind.BODY, n.When),
    ("(turn pass)", ValueKind.BODY, n.Pass),
    # set, by the middle word; swap, by what is swapped
    ("(set (game sto X) 1)", ValueKind.ACTION, n.Set),
    ("(set (game str X) A)", ValueKind.ACTION, n.Set),
    ("(set (game points X) (((SUIT : A) 1)))", ValueKind.ACTION, n.SetPoints),
    ("(put points 'X (((SUIT (A)) 1)))", ValueKind.ACTION, n.SetPoints),
    (f"(swap 'C (top {PILE}))", ValueKind.ACTION, n.Swap),
    (f"(swap {PILE} (game vloc OUT))", ValueKind.ACTION, n.Swap),
    # a filter is what it filters
    (f"(filter {PILE} 'X (== 1 1))", ValueKind.LOCATION, n.Filter),
    ("(filter player 'X (== 1 1))", ValueKind.COLLECTION, n.Filter),
    # lists of names, and words that are values
    ("(A, B)", ValueKind.COLLECTION, n.Strings),
    ("player", ValueKind.COLLECTION, n.Everyone),
    ("team", ValueKind.COLLECTION, n.Everyone),
    ("(current team)", ValueKind.COLLECTION, n.TurnOwner),
    ("current", ValueKind.TARGET, n.TurnOwner),
    # partition with the attribute first or last
    (f"(partition SUIT {PILE})", ValueKind.LOCATIONS, n.Partition),
    (f"(partition {PILE} SUIT)", ValueKind.LOCATIONS, n.Partition),
]


@pytest.mark.parametrize(("text", "expected", "meaning"), MEANINGS)
def test_a_form_means_what_its_place_needs(
    text: str, expected: ValueKind, meaning: type[n.Node]
) -> None:
    """Where one way of writing has several meanings, the expected kind and the parts decide."""
    found = node(text, expected, CARD, PLAYER, SETS)
    assert isinstance(found, meaning)
    assert found.kind & expected


def test_a_filter_has_the_kind_of_its_collection() -> None:
    """Filters of locations, players, members of a team, numbers and names stay what they are."""
    kinds = {
        PILE: ValueKind.LOCATION,
        GROUPS: ValueKind.LOCATIONS,
        "player": ValueKind.PLAYERS,
        "(other team)": ValueKind.TEAMS,
        "(current team)": ValueKind.PLAYERS,
        "(range 1 .. 3)": ValueKind.INTEGERS,
        "(A, B)": ValueKind.STRINGS,
    }
    for text, kind in kinds.items():
        assert node(f"(filter {text} 'X (== 1 1))", ValueKind.COLLECTION).kind is kind


def test_a_variable_holds_the_items_of_its_collection() -> None:
    """Cards of a location, locations of a set, players, teams, numbers, names."""
    kinds = {
        PILE: ValueKind.CARD,
        GROUPS: ValueKind.LOCATION,
        "player": ValueKind.PLAYER,
        "team": ValueKind.TEAM,
        "(current team)": ValueKind.PLAYER,
        "(range 1 .. 3)": ValueKind.INTEGER,
        "(A, B)": ValueKind.STRING,
        f"(filter {PILE} 'X (== 1 1))": ValueKind.CARD,
    }
    for text, kind in kinds.items():
        found = node(f"(all {text} 'V (turn pass))", ValueKind.STEP)
        assert isinstance(found, n.ForEach)
        assert found.variable.kind is kind


def test_equality_takes_its_kind_from_its_operands() -> None:
    """A variable beside a form, and two variables, are compared as what they hold."""
    for text in ("(== 'C (top (game vloc PILE)))", "(== (top (game vloc PILE)) 'C)", "(== 'C 'C)"):
        found = node(text, ValueKind.BOOLEAN, CARD)
        assert isinstance(found, n.Equal)
        assert {found.left.kind, found.right.kind} == {ValueKind.CARD}


def test_a_stored_value_narrows_what_may_be_set() -> None:
    """An integer storage takes no string, and a string storage no integer."""
    assert errors(checked("(do ((set (game sto X) HEARTS)))")) == ["E301"]
    assert errors(checked("(do ((set (game str X) 3)))")) == ["E301"]
    assert errors(checked("(do ((let (game sto X) 'N (set (game sto Y) 'N))))")) == []


def test_names_may_be_computed() -> None:
    """Wherever a name stands, any string can."""
    for text in (
        "((current player) vloc (cardatt SUIT 'C))",
        "(game sto (game str WHICH))",
        "(cardatt (game str KEY) 'C)",
    ):
        assert node(text, ~ValueKind(0), CARD)


def test_an_any_outside_a_choice_acts_as_all() -> None:
    """It is warned of, and its node chooses nothing; inside a choice it chooses."""
    outside = checked("(do ((any player 'P (turn pass))))")
    inside = checked("(choice ((do ((any player 'P (turn pass))))))")
    for result, chooses in ((outside, False), (inside, True)):
        assert result.program is not None
        found = next(x for x in result.program.nodes() if isinstance(x, n.ForEach))
        assert found.choose is chooses
    codes = [found.code.code for found in outside.diagnostics]
    assert "W603" in codes


def test_a_program_exists_only_without_errors() -> None:
    """One error anywhere, and there is no program; warnings do not matter."""
    assert checked().program is not None
    assert checked("(do ((trun pass)))").program is None
    assert checked("(do ((any player 'P (turn pass))))").program is not None


def test_scopes_end_with_their_form() -> None:
    """A variable is bound in its own form only; an inner one gives way to the outer again."""
    assert errors(checked("(do ((let 3 'N (turn pass)) (inc (game sto X) 'N)))")) == ["E401"]
    nested = "(all player 'N (all (range 1 .. 2) 'N (inc (game sto X) 'N)))"
    after = checked(f"(do ((all (A, B) 'N (do ({nested} (set (game str X) 'N))))))")
    assert errors(after) == []


def test_a_team_may_be_named_by_one_of_its_players() -> None:
    """A team is found by a player form or a variable; a team is no player."""
    assert node("(team 'P)", ValueKind.TEAM, PLAYER).kind is ValueKind.TEAM
    assert node("(team (current player))", ValueKind.TEAM).kind is ValueKind.TEAM
    assert errors(checked("(do ((inc ((team (current team)) sto X))))")) == ["E301"]


def test_a_position_in_a_set_is_written_out() -> None:
    """The position of a location in a set is a number; that of a card may be computed."""
    assert errors(checked(f"(do ((shuffle ((game sto X) {GROUPS}))))")) == ["E501"]
    assert errors(checked(f"(do ((move ((game sto X) {PILE}) (top {PILE}))))")) == []
