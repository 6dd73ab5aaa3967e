"""Spades as its rules say, checked without asking the engine what is legal or who wins."""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

import pytest
from library_playing import (
    ACE_HIGH,
    FULL_PACK,
    Chooser,
    Play,
    at_random,
    bare_options,
    by_number,
    card_of,
    code,
    decisions,
    hand,
    interpreted,
    offered,
    picked,
    put,
    seeds,
    shuffled,
    winner,
)
from ordered_pack import ordered

from cardwright import Game, Option, State

CLEAN = (
    "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C  AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D  "
    "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H  AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S"
)
"""A suit for everybody: player 1 leads clubs, and player 4 takes every trick with a spade."""


@dataclass
class Deal:
    """What happened in one deal: the bids and plays in order, and the scores."""

    bids: list[tuple[int, list[int], int]]
    plays: list[Play]
    scores: tuple[int, ...]

    @property
    def tricks(self) -> list[list[Play]]:
        return [self.plays[i : i + 4] for i in range(0, 52, 4)]

    @property
    def won(self) -> tuple[int, ...]:
        """The tricks of each player."""
        count = Counter(winner(trick, trump="S") for trick in self.tricks)
        return tuple(count[seat] for seat in range(4))


def number(option: Option) -> int:
    bid = picked(option, "TRICKS")
    assert isinstance(bid, int)
    return bid


def bidding(seed: int, top: int) -> Chooser:
    """Return a chooser that bids at random, from nil to a top bid, and plays at random."""
    choose = at_random(seed, 4)

    def chooser(state: State) -> Option:
        if len(state.choices) < 4:
            return bare_options(state)[(seed * 7 + len(state.choices) * 5 + seed // 3) % (top + 1)]
        return choose(state)

    return chooser


def dealt(game: Game, seed: int, top: int) -> Deal:
    deal = Deal([], [], ())
    for at, option in decisions(game, seed, bidding(seed, top)):
        state, seat = at, at.player
        assert seat is not None
        if len(at.choices) < 4:
            deal.bids.append((seat, [number(each) for each in bare_options(at)], number(option)))
        else:
            deal.plays.append(Play(seat, hand(at, seat), offered(at), card_of(at, option) or ""))
    deal.scores = state.scores
    return deal


def points(
    bids: tuple[int, ...],
    won: tuple[int, ...],
    nil: int = 100,
    *,
    helps: bool = False,
    bag: int = 1,
    limit: int = 10,
    penalty: int = 100,
) -> tuple[int, ...]:
    """Return everybody's score, worked out from the bids and tricks of each player."""
    scores = []
    for side in (0, 1):
        pair = [(bids[seat], won[seat]) for seat in (side, side + 2)]
        contract = sum(bid for bid, _ in pair)
        failed_nil = sum(tricks for bid, tricks in pair if bid == 0)
        good = sum(tricks for _, tricks in pair) - (0 if helps else failed_nil)
        bags = max(0, good - contract) + (0 if helps else failed_nil)
        score = 10 * contract if good >= contract else -10 * contract
        score += sum(-nil if tricks else nil for bid, tricks in pair if bid == 0)
        scores.append(score + bag * bags - penalty * (bags // limit))
    return (*scores, *scores)


def bid(state: State, *bids: int) -> State:
    for each in bids:
        state.play(each)
    return state


def at_end(state: State) -> State:
    """Play to the end, always the first card that is offered."""
    while not state.finished:
        state.play(0)
    return state


@pytest.fixture(scope="module")
def game() -> Game:
    return interpreted("spades")


@pytest.fixture(scope="module")
def deals(game: Game) -> list[Deal]:
    return [dealt(game, seed, seed % 6 + 1) for seed in range(40)]


def test_the_deal(game: Game) -> None:
    """Thirteen of 52 cards each, from the top, player 1 first."""
    assert sorted(code(card) for card in game.cards) == FULL_PACK
    for seed in seeds(5):
        pack = shuffled(game, seed)[::-1]
        state = game.start(seed)
        for seat in range(4):
            assert list(hand(state, seat)) == by_number(game, pack[13 * seat : 13 * seat + 13])


def test_bidding(deals: list[Deal]) -> None:
    """Everybody bids once, player 1 first: any number from 0, which is nil, to 13."""
    for deal in deals:
        assert [seat for seat, _, _ in deal.bids] == [0, 1, 2, 3]
        assert all(could == list(range(14)) for _, could, _ in deal.bids)


def test_bids_are_open(game: Game) -> None:
    """Everybody knows all bids, and sees the bids of partners added up."""
    state = bid(game.start(0), 3, 0, 4, 5)
    assert [state.integer(seat, "BID") for seat in range(4)] == [3, 0, 4, 5]
    sides = [value for (_, name), value in state.view(1).integers.items() if name == "BID"]
    assert sorted(sides) == [3, 4, 5, 5, 7]


def test_suit_must_be_followed(deals: list[Deal]) -> None:
    """Who holds a card of the suit led plays one; others play anything, spades included."""
    free = 0
    for deal in deals:
        for trick in deal.tricks:
            for play in trick[1:]:
                same = tuple(c for c in play.hand if c[1] == trick[0].card[1])
                assert play.offered == (same or play.hand)
                free += not same and any(c[1] == "S" for c in play.hand)
    assert free > 100


def test_spades_must_be_broken(deals: list[Deal]) -> None:
    """Before any spade has been played a leader leads other suits, or has only spades."""
    before, after, forced = 0, 0, 0
    for deal in deals:
        broken = False
        for trick in deal.tricks:
            lead = trick[0]
            others = tuple(card for card in lead.hand if card[1] != "S")
            if broken:
                assert lead.offered == lead.hand
                after += len(others) < len(lead.hand)
            else:
                assert lead.offered == (others or lead.hand)
                before += len(others) < len(lead.hand)
                forced += not others
            broken = broken or any(play.card[1] == "S" for play in trick)
    assert before > 100
    assert after > 100


def test_only_spades_in_hand() -> None:
    """A leader who holds nothing but spades may lead one, which breaks them for all."""
    pack = CLEAN.split()
    mine, yours = pack[39:], pack[:39]
    state = bid(ordered("spades", " ".join(mine + yours)).start(0), 13, 0, 0, 0)
    assert set(offered(state)) == set(mine)
    assert at_end(state).scores == (130 + 100, 200, 230, 200)


def test_breaking_takes_effect_at_the_next_lead() -> None:
    """A spade thrown on another suit breaks spades; its winner may lead one at once."""
    pack = CLEAN.replace("2C", "xx").replace("2S", "2C").replace("xx", "2S")
    state = bid(ordered("spades", pack).start(0), 1, 1, 1, 1)
    assert "2S" not in offered(state)
    put(state, "AC")
    put(state, "AD AH")
    assert offered(state) == ("2C",)
    put(state, "2C")
    assert state.player == 0
    assert "2S" not in offered(state)
    put(state, "KC KD KH")
    assert set(offered(state)) == {r + "S" for r in "AKQJT9876543"}
    put(state, "3S")
    assert state.player == 3
    assert "AS" in offered(state)


def test_spades_may_be_led_without_BREAK() -> None:  # noqa: N802
    """With BREAK 0 any card may be led to the first trick."""
    state = bid(interpreted("spades", BREAK=0).start(4), 1, 1, 1, 1)
    assert any(card[1] == "S" for card in hand(state, 0))
    assert offered(state) == hand(state, 0)


def test_who_leads_and_who_wins(deals: list[Deal]) -> None:
    """The highest spade takes a trick, else the highest card of the suit led, and leads next."""
    for deal in deals:
        leader = 0
        for trick in deal.tricks:
            assert [play.seat for play in trick] == [(leader + i) % 4 for i in range(4)]
            leader = winner(trick, trump="S")


def test_a_trick_with_spades() -> None:
    """The lowest spade beats the ace led, a higher spade beats it, other suits never win."""
    pack = (
        "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2D  AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2S  "
        "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H  AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2C"
    )
    start = bid(ordered("spades", pack).start(0), 1, 1, 1, 1)
    assert put(start.copy(), "AC 2S AH 2C").player == 1
    assert put(start.copy(), "AC AD AH 2C").player == 0
    assert put(start.copy(), "2D AD AH 3S").player == 3
    assert put(start.copy(), "3C 2S 2H 2C AD AH 3S").player == 0


def test_the_order_of_the_ranks() -> None:
    """Ace, king, queen, jack, ten, down to the two: each beats the next one, led or not.

    Players 1 and 2 share the clubs, every other rank each; the others have a heart to throw away.
    """
    hands = [
        [f"{rank}C" for rank in ACE_HIGH[::2]] + [f"{rank}D" for rank in ACE_HIGH[1::2]],
        [f"{rank}C" for rank in ACE_HIGH[1::2]] + [f"{rank}D" for rank in ACE_HIGH[::2]],
        [f"{rank}H" for rank in ACE_HIGH[1:]] + ["2S"],
        [f"{rank}S" for rank in ACE_HIGH[1:]] + ["2H"],
    ]
    deal = ordered("spades", " ".join(card for held in hands for card in held))
    for seed in seeds(4):
        start = bid(deal.start(seed), 1, 1, 1, 1)
        for low, high in pairwise(ACE_HIGH):
            led, other = (low, high) if f"{low}C" in hands[0] else (high, low)
            state = put(start.copy(), f"{led}C {other}C AH 2H")
            assert state.player == (0 if led == high else 1)


def test_every_deal_is_56_decisions(deals: list[Deal]) -> None:
    """Four bids and thirteen tricks of four cards, in which every card is played once."""
    for deal in deals:
        assert len(deal.bids) == 4
        assert sorted(play.card for play in deal.plays) == FULL_PACK


def test_scores(deals: list[Deal]) -> None:
    """Contracts, bags and nils of random deals come out as the rules say."""
    seen: Counter[str] = Counter()
    for deal in deals:
        bids = tuple(chosen for _, _, chosen in deal.bids)
        assert deal.scores == points(bids, deal.won)
        for seat in range(4):
            if bids[seat] == 0:
                seen["nil kept" if deal.won[seat] == 0 else "nil failed"] += 1
        for side in (0, 1):
            over = deal.won[side] + deal.won[side + 2] - bids[side] - bids[side + 2]
            seen["made" if over >= 0 else "short"] += 1
    assert min(seen[what] for what in ("nil failed", "made", "short")) >= 10


@pytest.mark.parametrize(
    ("bids", "scores"),
    [
        ((1, 5, 1, 8), (-20, 130)),
        ((0, 5, 0, 8), (200, 130)),
        ((0, 5, 2, 7), (100 - 20, 120 + 1)),
        ((0, 1, 0, 3), (200, 40 + 9)),
        ((0, 1, 0, 2), (200, 30 + 10 - 100)),
        ((0, 13, 0, 1), (200, -140)),
        ((0, 0, 0, 4), (200, 100 + 40 + 9)),
        ((0, 0, 0, 13), (200, 100 + 130)),
        ((0, 3, 0, 0), (200, -100 - 30 + 13 - 100)),
        ((13, 0, 13, 0), (-260, 100 - 100 + 13 - 100)),
    ],
)
def test_bids_and_points(bids: tuple[int, ...], scores: tuple[int, int]) -> None:
    """Player 4 takes all tricks: what the bids bring, with nils, bags and the ten-bag penalty."""
    state = at_end(bid(ordered("spades", CLEAN).start(0), *bids))
    assert state.integer(3, "TRICKS") == 13
    assert state.scores == (*scores, *scores)


@pytest.mark.parametrize(
    ("declared", "bids", "scores"),
    [
        ({"NIL": 50}, (0, 5, 0, 8), (100, 130)),
        ({"NIL": 50}, (1, 13, 0, 0), (50 - 10, -50 - 130 + 13 - 100)),
        ({"NILHELPS": 1}, (1, 10, 1, 0), (-20, -100 + 100 + 3)),
        ({"NILHELPS": 1}, (1, 13, 1, 0), (-20, -100 + 130)),
        ({"BAG": 0}, (1, 2, 1, 8), (-20, 100)),
        ({"BAG": 5}, (1, 2, 1, 8), (-20, 100 + 15)),
        ({"BAGLIMIT": 3}, (1, 2, 1, 8), (-20, 100 + 3 - 100)),
        ({"BAGLIMIT": 3}, (1, 1, 1, 6), (-20, 70 + 6 - 200)),
        ({"BAGPENALTY": 0}, (1, 1, 1, 1), (-20, 20 + 11)),
        ({"BAGPENALTY": 60}, (1, 1, 1, 1), (-20, 20 + 11 - 60)),
    ],
)
def test_other_values(
    declared: dict[str, int], bids: tuple[int, ...], scores: tuple[int, int]
) -> None:
    """The declared constants change the nil, what its tricks count for, and the bags."""
    state = at_end(bid(ordered("spades", CLEAN, **declared).start(0), *bids))
    assert state.scores == (*scores, *scores)
