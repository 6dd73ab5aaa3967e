"""What goes the fast way goes the same way without it: each optimisation is left out in turn.

So the slow way of everything is played too, and what happens where the fast one gives up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from cardwright import Game
from cardwright.compiler import effect_analysis, ir, layout, native
from cardwright.compiler.lower import best, machine, moves, picking, piles, rounds, sets, structured
from cardwright.compiler.pile_forms import PileForm, PileForms
from cardwright.game.bulk import play_random

if TYPE_CHECKING:
    from cardwright.compiler.lower.lowering import Lowering
    from cardwright.program import nodes as n
    from cardwright.program.places import Places

GAMES = ("hearts", "whist", "durak", "euchre", "president", "gofish", "schwimmen", "coup")


def no(*_: Any, **__: Any) -> bool:
    return False


def nothing(*_: Any, **__: Any) -> None:
    return None


def always(*_: Any, **__: Any) -> ir.Expr:
    return ir.Const(1, ir.Type.BOOL)


def no_masks(where: Places, cards: int) -> PileForms:
    return PileForms(0, 0, where.unordered)


def no_order_beside(where: Places, cards: int) -> PileForms:
    return PileForms(where.unordered, where.unordered, where.unordered)


FORM_OF = piles.form_of


def unknown(low: Lowering, node: n.Node) -> PileForm | None:
    """Return a form only for piles: what is shuffled always is known to be one."""
    return PileForm.PILE if FORM_OF(low, node) is PileForm.PILE else None


LEFT_OUT: dict[str, list[tuple[object, str, Any]]] = {
    "masks": [(layout, "pile_forms", no_masks)],
    "masks with an order beside": [(layout, "pile_forms", no_order_beside)],
    "forms known before the game": [(piles, "form_of", unknown)],
    "sets": [(sets, "is_set", no)],
    "draws by bits": [(picking, "are_bits", no)],
    "sides of a choice": [(picking, "_sides", nothing)],
    "branches that exclude each other": [(picking, "exclusive", no)],
    "stages as loops": [(machine.MachineLowering, "_is_structured", no)],
    "rounds": [(rounds, "of_stage", nothing)],
    "rounds that have not begun": [(rounds, "is_begun", always)],
    "points that rise": [(best, "_rises", lambda *_: 0)],
    "values in variables": [(structured, "_table_cells", lambda *_: {})],
    "loops over players written out": [(structured.steps, "_is_short", no)],
    "no trials": [(effect_analysis.EffectAnalysis, "sure", no)],
    "block moves": [(moves, "moves_tops", no)],
}
"""What is replaced to leave an optimisation out."""


def played(name: str) -> tuple[Any, ...]:
    """Play some random games, and return everything about them."""
    native._PROGRAMS.clear()
    native._LOADED.clear()
    games = play_random(Game.load(name, engine="native"), range(12), threads=1)
    return games.scores, games.decisions, games.option_sums, games.option_most, games.single_sums


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_games_go_alike_without(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDWRIGHT_CACHE", "off")
    expected = played(name)
    for left_out, replaced in LEFT_OUT.items():
        with monkeypatch.context() as patch:
            for owner, attribute, replacement in replaced:
                patch.setattr(owner, attribute, replacement)
            found = played(name)
        for mine, its in zip(expected, found, strict=True):
            assert np.array_equal(mine, its), left_out
