"""What the compiler knows of a program before it runs."""

import pytest

from cardwright import Game
from cardwright.compiler.figures import Way, choice_figures

CHOICE = """
(game
 (setup (create players {players}) (create deck (game iloc STOCK) (deck (RANK (A, K, Q, J)))))
 (do ((all player 'P (move (top (game iloc STOCK)) (top ('P iloc HAND))))))
 (choice ({step} (turn pass)))
 (scoring max 0))
"""


@pytest.mark.parametrize(
    ("collection", "players", "way"),
    [
        ("(subsets ((current player) iloc HAND) == 1)", "2", Way.LISTED),
        ("(subsets ((current player) iloc HAND))", "2", Way.LISTED),
        ("(partition RANK ((current player) iloc HAND))", "2", Way.LISTED),
        ("(filter (subsets ((current player) iloc HAND)) 'S (> (size 'S) 0))", "2", Way.LISTED),
        # A location may be empty, and so may a subset where the players are counted from 0.
        ("(all player 'P ('P iloc HAND))", "2", Way.TRIED),
        ("(subsets ((current player) iloc HAND))", "2) (create teams (0) (1)", Way.TRIED),
    ],
)
def test_moves_of_cards_that_are_there_need_no_trial(
    collection: str, players: str, way: Way
) -> None:
    """All cards of a group are moved: that has an effect if no group can be empty.

    Otherwise the moves are tried.
    """
    step = f"(any {collection} 'G (all 'G 'C (move 'C (top (game vloc OUT)))))"
    game = Game.from_text(CHOICE.format(step=step, players=players))
    (figures,) = choice_figures(game.program)
    assert figures.branches[0][1] is way


def test_actions_at_a_position_are_tried() -> None:
    step = "(any ((current player) iloc HAND) 'C (move 'C ((game sto N) (game vloc OUT))))"
    (figures,) = choice_figures(Game.from_text(CHOICE.format(step=step, players=2)).program)
    assert figures.branches[0][1] is Way.TRIED


def test_a_variable_bound_twice_is_filled_only_if_both_times() -> None:
    """One name may stand for a group here and for a location, perhaps empty, there."""
    step = (
        "(any (partition RANK ((current player) iloc HAND)) 'G"
        " (all 'G 'C (move 'C (top (game vloc OUT)))))"
        " (any (all player 'P ('P iloc HAND)) 'G"
        " (all 'G 'C (move 'C (top (game vloc OUT)))))"
    )
    game = Game.from_text(CHOICE.format(step=step, players=2))
    (figures,) = choice_figures(game.program)
    assert figures.branches[1][1] is Way.TRIED
    state = game.start(1)
    assert [option.description for option in state.options()][-1] == "pass"
