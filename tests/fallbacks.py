"""The slow way of everything: optimisations of the compiler are left out, or made to give up.

A game without one has states of another layout or other machine code, and goes the same way.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from cardwright.compiler import ir, layout, native
from cardwright.compiler.layout import PileForm, PileForms
from cardwright.compiler.lower import (
    actions,
    card_sets,
    cards,
    choices,
    collections,
    draws,
    guards,
    machine,
    piles,
    points,
    stages,
)
from cardwright.program import effects
from cardwright.program.abstract_state import ANY_INTEGER
from cardwright.program.effects import EffectAnalysis

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Iterator

    from cardwright.compiler.lower.lowering import Lowering
    from cardwright.program import nodes as n
    from cardwright.program.places import Places


def no(*_: Any, **__: Any) -> bool:
    return False


def nothing(*_: Any, **__: Any) -> None:
    return None


def always(*_: Any, **__: Any) -> ir.Expr:
    return ir.Const(1, ir.Type.BOOL)


def never(*_: Any, **__: Any) -> ir.Expr:
    return ir.Const(0, ir.Type.BOOL)


def no_masks(where: Places, cards: int) -> PileForms:
    return PileForms(0, 0, where.unordered)


def no_order_beside(where: Places, cards: int) -> PileForms:
    return PileForms(where.unordered, where.unordered, where.unordered)


FORM_OF = piles.form_of


def unknown(low: Lowering, node: n.Node) -> PileForm | None:
    """Return a form only for piles: what is shuffled always is known to be one."""
    return PileForm.PILE if FORM_OF(low, node) is PileForm.PILE else None


PLAIN: dict[str, list[tuple[Any, str, Any]]] = {
    "masks": [(layout, "pile_forms", no_masks)],
    "masks with an order beside": [(layout, "pile_forms", no_order_beside)],
    "forms known before the game": [(piles, "form_of", unknown)],
    "sets": [(card_sets, "_set", nothing)],
    "draws by bits": [(draws, "are_bits", no)],
    "sides of a choice": [(draws, "sides", nothing)],
    "branches that exclude each other": [(draws, "exclusive", no)],
    "stages as loops": [(machine, "is_structured", no), (stages, "is_structured", no)],
    "entries at decisions": [(stages, "_entries_of", lambda *_: {})],
    "rounds": [(stages, "round_of", nothing)],
    "rounds that have not begun": [(stages, "is_begun", always)],
    "points that rise": [(cards, "_fixed_order", nothing)],
    "classes of cards": [(cards, "best_class", nothing)],
    "values in variables": [(stages, "_table_cells", lambda *_: {})],
    "loops over players written out": [(actions, "_is_short", no)],
    "no trials": [(effects.EffectAnalysis, "sure", no)],
    "block moves": [(actions, "moves_tops", no)],
    "deferred shuffles": [(layout, "deferred_place", nothing)],
    "bounds of stored integers": [(EffectAnalysis, "_written", lambda *_: ANY_INTEGER)],
}
"""What is replaced to leave an optimisation out."""

OF_GROUPS: dict[str, list[tuple[Any, str, Any]]] = {
    "groups as masks": [(card_sets, "lies_by_number", no)],
    "groups as positions": [(card_sets, "has_positions", no)],
    "runs as words": [(collections, "runs_of", nothing)],
    "bunches of options": [(draws, "can_draw", no)],
    "tests before actions": [(guards, "find_guards", nothing)],
    "tests that hold": [(guards.Guards, "holds", never)],
    "points compared at once": [(points, "threshold", nothing)],
    "quantifiers as masks": [(card_sets, "_joined", nothing)],
    "sets moved at once": [(actions, "moves_each", no)],
    "branches that never have options": [(choices, "is_dead", no)],
    "owners as bits": [(collections, "are_owners", no)],
}
"""The same for choices between groups of cards, and for actions that are tested beforehand."""

LEFT_OUT = {**PLAIN, **OF_GROUPS}


@contextmanager
def without(names: Iterable[str]) -> Iterator[None]:
    """Leave optimisations out of all programs that are compiled and used in this context.

    Games have to be loaded in it, too. Nothing is kept: the cache does not know of this.
    """
    with ExitStack() as stack:
        stack.enter_context(patch.dict("os.environ", {"CARDWRIGHT_CACHE": "off"}))
        for name in names:
            for owner, attribute, replacement in LEFT_OUT[name]:
                stack.enter_context(patch.object(owner, attribute, replacement))
        _forget()
        try:
            yield
        finally:
            _forget()


def _forget() -> None:
    native._PROGRAMS.clear()
    native._LOADED.clear()


def drawn(at_random: random.Random) -> tuple[str, ...]:
    """Draw what to leave out: nothing, a single thing, or about a third of all."""
    way = at_random.randrange(4)
    if way == 0:
        return ()
    if way == 1:
        return (at_random.choice([*LEFT_OUT]),)
    return tuple(name for name in LEFT_OUT if at_random.randrange(3) == 0)
