"""The shape of the sources: no import circles, and journeys that a reader can follow."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

import grimp
import pytest

from cardwright import Game
from journeys import entered

MEANT = {("cardwright.game.game", "cardwright.game.native.batch")}
"""A game starts batches, and a batch says of which game it is."""

MOST_MODULES = 90
"""So many modules are entered at most between the text of a form and the end of its game."""

JOURNEY = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, B, C, D)))))
 (do ((set (game points WORTH) (((RANK : A) 4) ((RANK : B) 1)))
  (repeat 2 (move (top (game iloc STOCK)) (top ((1 player) iloc HAND))))))
 (stage player (end (> (game sto TURNS) 3))
  (do ((inc (game sto TURNS))))
  (choice (
   (any ((1 player) iloc HAND) 'C (move 'C (top (game vloc OPEN))))
   (move (max (game iloc STOCK) using (game points WORTH)) (top (game vloc OUT)))
   (turn pass))))
 (scoring max (size (game vloc OUT))))"""


def test_modules_import_each_other_in_no_circle() -> None:
    """Imports for types only count as well."""
    graph = grimp.build_graph("cardwright", cache_dir=None)
    imports = {
        module: {
            imported
            for imported in graph.find_modules_directly_imported_by(module)
            if (module, imported) not in MEANT
        }
        for module in graph.modules
    }
    assert len(imports) > 500
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


@pytest.mark.parametrize("engine", ["interpreter", "native"])
def test_a_form_can_be_followed_from_its_text_to_a_played_game(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No part of it is kept from before; modules that are only imported do not count."""
    monkeypatch.setenv("CARDWRIGHT_CACHE", "off")
    with entered() as modules:
        state = Game.from_text(f";; {engine}\n{JOURNEY}", engine=engine).start(1)
        while not state.finished:
            state.play(state.option_count - 1)
    assert len(modules) > 20
    assert len(modules) <= MOST_MODULES, sorted(modules)
