"""The kernel written by hand plays random deals by the rules of the library's Hearts."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import pytest

from cardwright import Game, Stream
from cardwright.arena.benchmark import HandwrittenHearts, is_handwritten
from cardwright.compiler import intrinsics
from cardwright.compiler.intrinsics import Pointer
from cardwright.compiler.structs import STREAM
from cardwright.game.native.random_games import play_random
from cardwright.game.seeds import game_seeds
from cardwright.hearts.cards import cards_of, mask_of
from cardwright.hearts.family import family_of
from cardwright.hearts.kernels import random_deals
from deep import usually
from struct_views import StructView

if TYPE_CHECKING:
    from cardwright.game.game import State

Decision = tuple[int, int]
"""The cards that may be played, and the one that is."""


@pytest.fixture
def decisions(monkeypatch: pytest.MonkeyPatch) -> list[Decision]:
    """The decisions of the kernel, which finds each card as a bit of the legal ones."""
    made: list[Decision] = []

    plain = intrinsics.nth_one

    def nth_one(mask: int, number: int) -> int:
        found = plain(mask, number)
        made.append((mask, found))
        return found

    monkeypatch.setattr(intrinsics, "nth_one", nth_one)
    return made


def stream_of(seed: int) -> Any:
    return StructView(STREAM, bytearray(struct.pack("<4Q", *Stream(seed).words)))


def table_of(state: State) -> Pointer:
    """The memory of a deal with the hands of a state."""
    numbers = family_of(state.game).numbers
    hands = [mask_of(numbers[c.id] for c in state.cards(seat, "iloc", "HAND")) for seat in range(4)]
    return Pointer(bytearray(struct.pack("<8q", *hands, *[0] * 4)), 0)


def words(pointer: Pointer, first: int, count: int) -> list[int]:
    return list(struct.unpack_from(f"<{count}q", pointer.buffer, 8 * first))


@pytest.mark.parametrize("seed", range(20))
def test_every_decision_is_one_of_the_game(seed: int, decisions: list[Decision]) -> None:
    """Played on in the game, all have the same options, and the points are its scores."""
    game = Game.load("hearts", engine="native")
    state = game.start(seed)
    table = table_of(state)
    random_deals.play_tricks(stream_of(seed), table)
    assert len(decisions) == 52
    numbers = family_of(game).numbers
    for legal, played in decisions:
        picked = [numbers[pick] for content in state.contents() for _, pick in content.picks]
        assert mask_of(picked) == legal
        state.play(picked.index(played))
    totals = Pointer(bytearray(8 * random_deals.TOTALS), 0)
    random_deals.add_scores(table, totals)
    assert tuple(words(totals, 0, 4)) == state.scores


def test_a_moon_is_counted_and_scored() -> None:
    """Who has all points is given as many less, and nobody else anything."""
    table = Pointer(bytearray(struct.pack("<8q", *[0] * 4, 0, 0, 26, 0)), 0)
    totals = Pointer(bytearray(8 * random_deals.TOTALS), 0)
    random_deals.add_scores(table, totals)
    assert words(totals, 0, 5) == [0, 0, -26, 0, 1]


def test_hands_are_dealt_evenly() -> None:
    """Four hands of 13 are the whole pack; each card is in each hand as often as it should be."""
    table = Pointer(bytearray(random_deals.fresh_table()), 0)
    stream, deals = stream_of(5), usually(1000, 2000)
    held = [[0] * 64 for _ in range(4)]
    for _ in range(deals):
        random_deals.deal_hands(stream, table)
        hands = words(table, 0, 4)
        assert [hand.bit_count() for hand in hands] == [13] * 4
        assert hands[0] | hands[1] | hands[2] | hands[3] == random_deals.WHOLE
        for counts, hand in zip(held, hands, strict=True):
            for card in cards_of(hand):
                counts[card] += 1
    off = sum(
        (counts[card] - deals / 4) ** 2 for counts in held for card in cards_of(random_deals.WHOLE)
    )
    # The sum has 3 * 51 degrees of freedom: its mean is 153, and its standard deviation 17.5.
    assert 153 - 88 < off / (deals / 4) < 153 + 88


def test_native_deals_are_those_of_the_kernel() -> None:
    """Machine code draws the same deals as the kernel run as Python."""
    table = Pointer(bytearray(random_deals.fresh_table()), 0)
    totals = Pointer(bytearray(8 * random_deals.TOTALS), 0)
    random_deals.cw_random_deals(stream_of(3), table, 30, totals)
    native = HandwrittenHearts(3)
    native.play(10)
    native.play(20)
    assert [*native.totals.scores, native.totals.moons] == words(totals, 0, 5)


@pytest.mark.slow
@pytest.mark.optimised
def test_scores_are_on_average_those_of_the_compiled_rules() -> None:
    """Means of many deals agree within five standard errors of their difference."""
    deals = 300_000
    scores = play_random(Game.load("hearts", engine="native"), game_seeds(7, deals)).scores
    native = HandwrittenHearts()
    native.play(deals)
    for seat, total in enumerate(native.totals.scores):
        error = scores[:, seat].std() * (2 / deals) ** 0.5
        assert abs(total / deals - scores[:, seat].mean()) < 5 * error
    rate = (scores == -26).any(axis=1).mean()
    error = (2 * rate * (1 - rate) / deals) ** 0.5
    assert abs(native.totals.moons / deals - rate) < 5 * error


def test_only_the_library_game_as_it_stands_has_those_rules() -> None:
    game = Game.load("hearts", engine="interpreter")
    assert is_handwritten(game)
    assert is_handwritten(Game.from_text(game.program.source.text, engine="interpreter"))
    assert not is_handwritten(Game.load("hearts", preset="standard", engine="interpreter"))
    assert not is_handwritten(Game.load("whist", engine="interpreter"))
