"""Sites: what can be varied in rules, and what is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.variation.parsed_rules import MaterialError, parsed_rules
from cardwright.library.catalogue import names
from cardwright.program.fitting import free_variables
from cardwright.program.kinds import ValueKind
from deep import some_games
from evolution.varying import library_game

if TYPE_CHECKING:
    from cardwright.evolution.variation.sites import BoundName, RuleSite

GAME = """(game
  (declare 2 'N)
  (define (SAME 'C) (== (cardatt SUIT 'C) HEARTS))
  (setup
    (create players 2)
    (repeat 2 (create deck (game iloc STOCK) (deck (SUIT (HEARTS, SPADES)) (RANK (A, K))))))
  (do (
    (repeat 3 (move (top (game iloc STOCK)) (top (game vloc PILE))))
    (set (game points WORTH) (((SUIT : HEARTS) 5)))
    ((== 'N 3) (set (game sto FAR) 7))
    ((== 'N 2) (set (game sto NEAR) 8) else (set (game sto OTHER) 9))))
  (stage player (end (== (size (game vloc PILE)) 4))
    (choice (
      (any (filter (game vloc PILE) 'D (SAME 'D)) 'E
        (do ((move 'E (top (game iloc STOCK))) (inc ((current player) sto SCORE) 6))))
      (turn pass))))
  (scoring max (+ 1 ((current player) sto SCORE))))
"""


def sites(text: str) -> list[RuleSite]:
    """Return the sites of the game above that have a text."""
    material = parsed_rules(GAME)
    return [site for site in material.sites if material.written(site) == text]


def free(site: RuleSite) -> dict[str, BoundName]:
    """Return the variables of a site that are bound outside of it, by name."""
    around, used = site.visible(), [atom.text for atom in free_variables(site.item)]
    return {name: around[name] for name in dict.fromkeys(used) if name in around}


@pytest.mark.parametrize("name", some_games(names()))
def test_sites_of_library_games_are_what_the_checker_found(name: str) -> None:
    """What stands at a site is of a kind that fits, lies in the site around it, and is in scope."""
    material = parsed_rules(library_game(name).text)
    assert len({site.span for site in material.sites}) == len(material.sites)
    for site in material.sites:
        assert site.gives & site.accepts
        parent = next(material.around(site), None)
        assert site.depth == (0 if parent is None else parent.depth + 1)
        assert site in material.children(parent)
        if parent is not None:
            assert parent.index < site.index
            assert parent.span.start <= site.span.start < site.span.end <= parent.span.end
        for bound in free(site).values():
            assert material.source.at(bound.place) == bound.name
            assert bound.place.start < site.span.start


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("2", ChangeFamily.CONSTANTS),
        ("3", ChangeFamily.DECK),
        ("5", ChangeFamily.SCORING),
        ("6", ChangeFamily.SCORING),
        ("1", ChangeFamily.SCORING),
        ("8", ChangeFamily.STEPS),
        ("4", ChangeFamily.STEPS),
        ("(size (game vloc PILE))", ChangeFamily.STEPS),
    ],
)
def test_families(text: str, family: ChangeFamily) -> None:
    """Declarations; what is dealt; points, and what the score reads; and all else."""
    assert sites(text)[0].family is family


def test_what_constants_rule_out_is_no_site() -> None:
    """A step that cannot happen is left out, and so is the branch that is not taken."""
    assert not sites("7")
    assert not sites("9")
    assert sites("8")


def test_the_text_of_a_definition_is_a_site_where_it_stands() -> None:
    """Its body once, with its parameter in scope; and each use, with its argument."""
    (body,) = sites("(== (cardatt SUIT 'C) HEARTS)")
    assert body.gives is ValueKind.BOOLEAN
    assert free(body)["'C"].kind is ValueKind.CARD
    (use,) = sites("(SAME 'D)")
    assert use.accepts is ValueKind.BOOLEAN
    assert use.shape is None


def test_scope_is_what_a_place_can_name() -> None:
    """Constants everywhere after them, variables within the form that binds them."""
    (inner,) = sites("(inc ((current player) sto SCORE) 6)")
    assert list(inner.visible()) == ["'N", "'E"]
    assert inner.visible()["'E"].kind is ValueKind.CARD
    assert inner.visible()["'N"].constant
    assert not free(inner)
    (moved,) = sites("(move 'E (top (game iloc STOCK)))")
    assert list(free(moved)) == ["'E"]


def test_lists_can_have_more_and_less() -> None:
    """Steps of a list are siblings, and so are blocks; a condition is alone."""
    material = parsed_rules(GAME)
    (passing,) = sites("(turn pass)")
    assert [site.role for site in material.siblings(passing)] == ["STEP", "STEP"]
    blocks = [site for site in material.children(None) if site.role == "ITEM"]
    assert len(material.siblings(blocks[0])) == 2
    assert not sites("(== (size (game vloc PILE)) 4)")[0].repeated


def test_what_does_not_pass_the_check_is_refused() -> None:
    """The message is that of the first error."""
    with pytest.raises(MaterialError, match="'X is not bound here"):
        parsed_rules(GAME.replace("(== 'N 3)", "(== 'X 3)"))
