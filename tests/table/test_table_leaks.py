"""Nobody is told what it does not see: games that eyes cannot tell apart are sent alike."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import structs
from table_pairs import Pair, compare, game_of, pair

from cardwright.game.find import library_names
from cardwright.table import account, scene_maker
from cardwright.table.narrator import PUBLIC, Eyes, Narrator
from cardwright.table.table import Table
from deep import some_games, usually

if TYPE_CHECKING:
    from collections.abc import Callable

_OPEN = frozenset({"pairs"})
"""Games in which no card is ever hidden, except in the stock."""


@pytest.mark.parametrize("name", some_games(library_names()))
def test_games_that_eyes_cannot_tell_apart_look_the_same(name: str) -> None:
    """All that is sent to a seat, or to spectators, is equal at every decision of such games."""
    seats = {0, game_of(name).players - 1}
    found = [pair(name, 1, Eyes.of(seat), usually(8, 12)) for seat in seats]
    compared = [compare(one, one.eyes.seat or 0) for one in found]
    public = pair(name, 2, PUBLIC, usually(8, 12))
    compared.append(compare(public, "public", watch="public"))
    assert min(compared) > 0
    assert any(one.differs for one in (*found, public)) or name in _OPEN


@cache
def pairs() -> tuple[Pair, ...]:
    """Return pairs in which the leaks below are noticed."""
    return tuple(pair(name, 1, Eyes.of(0), 12) for name in ("cribbage", "ginrummy", "knaves"))


# Leaks are noticed -------------------------------------------------------------------------


def _hidden_cards_by_number(patch: pytest.MonkeyPatch) -> None:
    """Hidden cards have faces."""
    patch.setattr(scene_maker._MomentReader, "_sees", lambda *_: True)


def _ids_of_hidden_piles(patch: pytest.MonkeyPatch) -> None:
    """A pile's place says which cards it has."""
    made = scene_maker._MomentReader._pile

    def leaky(self: Any, pile: Any) -> Any:
        return structs.replace(made(self, pile), place=str(pile.cards))

    patch.setattr(scene_maker._MomentReader, "_pile", leaky)


def _order_of_a_stock(patch: pytest.MonkeyPatch) -> None:
    """Whether a hidden pile is sorted makes a bit."""
    made = scene_maker._MomentReader._pile

    def leaky(self: Any, pile: Any) -> Any:
        return structs.replace(made(self, pile), at=sum(a < b for a, b in pairwise(pile.cards)))

    patch.setattr(scene_maker._MomentReader, "_pile", leaky)


def _options_of_others(patch: pytest.MonkeyPatch) -> None:
    """A seat gets the decision of another."""
    made = scene_maker.SceneMaker.scene

    def leaky(self: Any, referee: Any, eyes: Any, seats: Any) -> Any:
        scene = made(self, referee, eyes, seats)
        return (
            scene
            if referee.due is None
            else structs.replace(scene, decision=self.decision(referee))
        )

    patch.setattr(scene_maker.SceneMaker, "scene", leaky)


def _number_of_options(patch: pytest.MonkeyPatch) -> None:
    """The pace depends on how many options somebody has."""
    made = Table.scene

    def leaky(self: Any, who: Any) -> Any:
        return structs.replace(made(self, who), pace=float(self.referee.option_count))

    patch.setattr(Table, "scene", leaky)


def _cards_in_sentences(patch: pytest.MonkeyPatch) -> None:
    """Narrators name every card."""
    patch.setattr(Narrator, "_sees", lambda *_: True)


def _index_of_the_choice(patch: pytest.MonkeyPatch) -> None:
    """Everybody is told which of its options a player has taken."""
    made = account.Account._move

    def leaky(self: Any, version: int, ply: Any) -> Any:
        return replace(made(self, version, ply), words=str(ply.index))

    patch.setattr(account.Account, "_move", leaky)


def _choices_so_far(patch: pytest.MonkeyPatch) -> None:
    """The opening has the index of every choice."""
    made = Table.scene

    def leaky(self: Any, who: Any) -> Any:
        return structs.replace(made(self, who), opening=tuple(map(str, self.choices)))

    patch.setattr(Table, "scene", leaky)


def _count_of_options_in_refusals(patch: pytest.MonkeyPatch) -> None:
    """An option that does not exist is refused before the turn is looked at."""
    made = Table.choose

    def leaky(self: Any, seat: int, number: int, option: int) -> None:
        self._checked(option)
        made(self, seat, number, option)

    patch.setattr(Table, "choose", leaky)


@pytest.mark.parametrize(
    "leak",
    [
        _hidden_cards_by_number,
        _ids_of_hidden_piles,
        _order_of_a_stock,
        _options_of_others,
        _number_of_options,
        _cards_in_sentences,
        _index_of_the_choice,
        _choices_so_far,
        _count_of_options_in_refusals,
    ],
)
def test_leaks_are_noticed(
    leak: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the tests above are for: each of these leaks makes a pair of games look different."""
    found = pairs()
    leak(monkeypatch)
    for one in found:
        try:
            compare(one, 0)
        except AssertionError:
            return
    pytest.fail("nobody has noticed it")
