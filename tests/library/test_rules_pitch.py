"""Pitch as its rules say, checked without asking the engine what is legal or who scores."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest
from library_playing import (
    ACE_HIGH,
    FULL_PACK,
    Play,
    bare_options,
    by_number,
    card_of,
    code,
    decisions,
    hand,
    interpreted,
    offered,
    picked,
    preferring,
    put,
    seeds,
    shuffled,
    winner,
)
from ordered_pack import ordered

from cardwright import Game, Option, State

PIPS = {"T": 10, "J": 1, "Q": 2, "K": 3, "A": 4}
PASS = 0

HIGH_LOW = "AS JS TS 2C 3C 4C  2S TD AD 5C 6C 7C  KS QS 3D 4D 5D 6D  3H 4H 5H 6H 7H 8H"
"""Player 1 holds the high trump and the jack, player 2 the low one."""


@dataclass
class Deal:
    """What happened in one deal."""

    hands: list[tuple[str, ...]] = field(default_factory=list)
    bids: list[tuple[int, list[int], int]] = field(default_factory=list)
    plays: list[Play] = field(default_factory=list)
    scores: tuple[int, ...] = ()

    @property
    def players(self) -> int:
        return len(self.hands)

    @property
    def bid(self) -> int:
        return max(number for _, _, number in self.bids)

    @property
    def pitcher(self) -> int:
        """The seat of the highest bid; of equal ones the later, who has stolen it."""
        return max((number, seat) for seat, _, number in self.bids)[1]

    @property
    def trump(self) -> str:
        return self.plays[0].card[1]

    @property
    def tricks(self) -> list[list[Play]]:
        size = self.players
        return [self.plays[i : i + size] for i in range(0, len(self.plays), size)]


def bid_of(state: State, option: Option) -> int:
    """The number that an option of the auction bids; a steal is the highest bid again."""
    number = picked(option, "NUMBER")
    if isinstance(number, int):
        return number
    return state.integer(None, "BID") if option.content.branch else PASS


def bids_of(state: State) -> list[int]:
    return [bid_of(state, option) for option in bare_options(state)]


def bid(state: State, *numbers: int) -> State:
    for number in numbers:
        state.play(bids_of(state).index(number))
    return state


def dealt(game: Game, seed: int) -> Deal:
    """Play one deal at random; in some seeds nobody bids who need not."""

    def wish(state: State, option: Option) -> bool:
        return seed % 4 == 0 and card_of(state, option) is None and not bid_of(state, option)

    state = game.start(seed)
    deal = Deal([hand(state, seat) for seat in range(game.players)])
    for at, option in decisions(game, seed, preferring(seed, game.players, wish)):
        state, seat, card = at, at.player, card_of(at, option)
        assert seat is not None
        if card is None:
            deal.bids.append((seat, bids_of(at), bid_of(at, option)))
        else:
            deal.plays.append(Play(seat, hand(at, seat), offered(at), card))
    deal.scores = state.scores
    return deal


def points(deal: Deal, *, low_taken: bool = False) -> list[Counter[str]]:
    """The points that everybody makes, by the rules."""
    dealt_to = {play.card: play.seat for play in deal.plays}
    taken_by = {
        play.card: winner(trick, trump=deal.trump) for trick in deal.tricks for play in trick
    }
    trumps = sorted((c for c in dealt_to if c[1] == deal.trump), key=lambda c: ACE_HIGH.index(c[0]))
    made: list[Counter[str]] = [Counter() for _ in deal.hands]
    made[dealt_to[trumps[-1]]]["high"] = 1
    made[(taken_by if low_taken else dealt_to)[trumps[0]]]["low"] = 1
    if "J" + deal.trump in taken_by:
        made[taken_by["J" + deal.trump]]["jack"] = 1
    pips = [
        sum(PIPS.get(card[0], 0) for card, seat in taken_by.items() if seat == mine)
        for mine in range(deal.players)
    ]
    if pips.count(max(pips)) == 1:
        made[pips.index(max(pips))]["game"] = 1
    return made


def scores(deal: Deal, *, low_taken: bool = False) -> tuple[int, ...]:
    """The scores of a deal that was played, by the rules."""
    result = [made.total() for made in points(deal, low_taken=low_taken)]
    if result[deal.pitcher] < deal.bid:
        result[deal.pitcher] = -deal.bid
    return tuple(result)


@pytest.fixture(scope="module")
def game() -> Game:
    return interpreted("pitch")


@pytest.fixture(scope="module")
def deals(game: Game) -> list[Deal]:
    return [dealt(game, seed) for seed in seeds(200, 50)]


def test_the_deal(game: Game, deals: list[Deal]) -> None:
    """Six of 52 cards each from the top, player 1 first, and the rest is out of play."""
    assert sorted(code(card) for card in game.cards) == FULL_PACK
    for seed in seeds(20):
        pack = shuffled(game, seed)[::-1]
        assert [list(cards) for cards in deals[seed].hands] == [
            by_number(game, pack[6 * seat : 6 * seat + 6]) for seat in range(4)
        ]
        assert len(game.start(seed).cards(None, "iloc", "STOCK")) == 28


def test_bidding(deals: list[Deal]) -> None:
    """Everybody may pass or bid more than all before; the dealer may not pass if all have.

    The auction ends after the dealer, or at once with a bid of four.
    """
    ends: Counter[tuple[int, int]] = Counter()
    for deal in deals:
        highest = 1
        for place, (seat, could, chosen) in enumerate(deal.bids):
            assert seat == place
            assert highest < 4
            stuck = seat == 3 and highest == 1
            assert could == [PASS] * (not stuck) + list(range(highest + 1, 5))
            highest = max(highest, chosen)
        assert len(deal.bids) == 4 or highest == 4
        ends[len(deal.bids), highest] += 1
    assert set(ends) == {(1, 4), (2, 4), (3, 4), (4, 4), (4, 3), (4, 2)}


def test_the_dealer_is_stuck() -> None:
    """After three passes the dealer has to bid two at least, and leads."""
    state = bid(ordered("pitch", HIGH_LOW).start(0), PASS, PASS, PASS)
    assert state.player == 3
    assert bids_of(state) == [2, 3, 4]
    bid(state, 2)
    assert state.player == 3
    assert len(offered(state)) == 6


def test_a_deal_may_be_thrown_in() -> None:
    """With STICK 0 the dealer may pass as well; then nobody plays and nobody scores."""
    state = bid(ordered("pitch", HIGH_LOW, STICK=0).start(0), PASS, PASS, PASS)
    assert bids_of(state) == [PASS, 2, 3, 4]
    bid(state, PASS)
    assert state.finished
    assert state.scores == (0, 0, 0, 0)
    assert all(len(hand(state, seat)) == 6 for seat in range(4))


def test_stealing_the_bid() -> None:
    """With STEAL the dealer, but nobody else, may bid as much as the highest so far, and leads."""
    start = ordered("pitch", HIGH_LOW, STEAL=1).start(0)
    state = bid(start.copy(), PASS, 2)
    assert bids_of(state) == [PASS, 3, 4]
    bid(state, 3)
    assert state.player == 3
    assert sorted(bids_of(state)) == [PASS, 3, 4]
    assert bid(state.copy(), PASS).player == 2
    bid(state, 3)
    assert state.player == 3
    assert len(offered(state)) == 6
    assert state.integer(None, "BID") == 3


def test_stealing_a_bid_of_four() -> None:
    """After a bid of four only the dealer is asked, who may pass or take it."""
    start = ordered("pitch", HIGH_LOW, STEAL=1).start(0)
    state = bid(start.copy(), 4)
    assert state.player == 3
    assert bids_of(state) == [PASS, 4]
    assert bid(state.copy(), PASS).player == 0
    bid(state, 4)
    assert state.player == 3
    assert len(offered(state)) == 6
    state = bid(start.copy(), PASS, PASS, PASS)
    assert bids_of(state) == [2, 3, 4]


def test_the_highest_bidder_leads_and_the_lead_makes_trumps(deals: list[Deal]) -> None:
    """The pitcher leads any card; play goes round, and the winner of a trick leads the next."""
    pitchers: Counter[int] = Counter()
    for deal in deals:
        leader = deal.pitcher
        pitchers[leader] += 1
        assert len(deal.tricks) == 6
        for trick in deal.tricks:
            assert [play.seat for play in trick] == [(leader + i) % 4 for i in range(4)]
            assert trick[0].offered == trick[0].hand
            leader = winner(trick, trump=deal.trump)
    assert min(pitchers[seat] for seat in range(4)) > 5


def test_follow_suit_or_trump(deals: list[Deal]) -> None:
    """Who has the suit led plays it or a trump, who has not plays anything."""
    seen: Counter[str] = Counter()
    for deal in deals:
        for trick in deal.tricks:
            lead = trick[0].card[1]
            for play in trick[1:]:
                same = [card for card in play.hand if card[1] == lead]
                fit = tuple(card for card in play.hand if card[1] in (lead, deal.trump))
                assert play.offered == (fit if same else play.hand)
                seen["trumps led"] += bool(same) and lead == deal.trump
                seen["either"] += bool(same) and len(fit) > len(same)
                seen["void with trumps"] += not same and len(fit) > 0
                seen["void"] += not same
    assert min(seen.values()) > 30


def test_trumping_is_allowed_with_the_suit_in_hand() -> None:
    """With hearts and the ace of trumps in hand a lead of hearts can be trumped."""
    pack = "2S 3H 4C 5C 6C 7C  AS KH QH 8C TD JD  3S 4H 2D 3D 4D 5D  6D 7D 8D 9D TC JC"
    state = bid(ordered("pitch", pack).start(0), 4)
    put(state, "2S")
    assert offered(state) == ("AS",)
    put(state, "AS")
    assert offered(state) == ("3S",)
    put(state, "3S")
    assert set(offered(state)) == {"6D", "7D", "8D", "9D", "TC", "JC"}
    pack = "2S 3H 4C 5C 6C 7C  AS KH QH 8C TD JD  KS 4H 2D 3D 4D 5D  6D 7D 8D 9D TC JC"
    state = put(bid(ordered("pitch", pack).start(0), PASS, PASS, 4), "KS 6D 2S AS KH")
    assert offered(state) == ("4H",)
    pack = "2S 3H 4C 5C 6C 7C  AS QS KH QH 8C TD  KS 4H 2D 3D 4D 5D  6D 7D 8D 9D TC JC"
    state = put(bid(ordered("pitch", pack).start(0), PASS, PASS, 4), "KS 6D 2S QS 4H 7D 3H")
    assert set(offered(state)) == {"AS", "KH", "QH"}
    put(state, "AS")
    assert state.player == 1


def test_scores(deals: list[Deal]) -> None:
    """High, Low, Jack and Game go as the rules say, and a failed bid is lost."""
    seen: Counter[str] = Counter()
    for deal in deals:
        assert deal.scores == scores(deal)
        made = points(deal)
        seen["set back"] += made[deal.pitcher].total() < deal.bid
        seen["more than bid"] += made[deal.pitcher].total() > deal.bid
        seen["exact"] += made[deal.pitcher].total() == deal.bid
        seen["no jack"] += not any(one["jack"] for one in made)
        seen["no game"] += not any(one["game"] for one in made)
        seen["low lost"] += points(deal) != points(deal, low_taken=True)
    assert len(seen) == 6
    assert min(seen.values()) > 0


@pytest.mark.parametrize("declared", [{"LOWTAKEN": 1}, {"PLAYERS": 3}, {"PLAYERS": 5}], ids=str)
def test_scores_with_other_rules(declared: dict[str, Any]) -> None:
    """The same with Low for whoever takes it, and with three and five players."""
    game = interpreted("pitch", **declared)
    for seed in seeds(60):
        deal = dealt(game, seed)
        assert len(deal.plays) == 6 * game.players
        assert deal.scores == scores(deal, low_taken="LOWTAKEN" in declared)


@pytest.mark.parametrize(
    ("number", "low_taken", "result"),
    [
        (2, 0, (2, 1, 1, 0)),
        (3, 0, (-3, 1, 1, 0)),
        (4, 0, (-4, 1, 1, 0)),
        (2, 1, (3, 0, 1, 0)),
        (3, 1, (3, 0, 1, 0)),
        (4, 1, (-4, 0, 1, 0)),
    ],
)
def test_four_points(number: int, low_taken: int, result: tuple[int, ...]) -> None:
    """Player 1 makes High and Jack, player 3 Game with two tens; the two of trumps is player 2's.

    Player 1 has taken that two, which counts with LOWTAKEN only. Making more than the bid counts.
    """
    state = ordered("pitch", HIGH_LOW, LOWTAKEN=low_taken).start(0)
    bid(state, number, *[PASS] * (3 if number < 4 else 0))
    put(state, "AS 2S QS 3H")
    assert state.player == 0
    put(state, "TS TD KS 4H")
    assert state.player == 2
    put(state, "3D 5H JS")
    assert offered(state) == ("AD",)
    put(state, "AD")
    assert state.player == 0
    put(state, "2C 5C 4D 6H 6C 5D 7H 3C 7C 6D 8H 4C")
    assert state.finished
    assert state.scores == result


def test_a_lost_jack_counts_for_its_taker() -> None:
    """Jack goes to whoever takes it, not to whoever was dealt it."""
    state = bid(ordered("pitch", HIGH_LOW).start(0), PASS, PASS, 4)
    put(state, "KS 3H JS 2S QS 4H TS TD")
    assert state.player == 2
    put(state, "3D 5H 2C AD 5C 4D 6H 3C 6C 5D 7H 4C 7C 6D 8H AS")
    assert state.finished
    assert state.scores == (1, 1, -4, 0)


def test_no_game_in_a_tie() -> None:
    """Players 1 and 2 take an ace each and nobody another card that counts."""
    pack = "AS 2C 3C 4C 5C 6C  3S AD 2D 3D 4D 5D  7C 6D 7D 8D 9D 9C  2H 3H 4H 5H 6H 7H"
    state = bid(ordered("pitch", pack).start(0), 2, PASS, PASS, PASS)
    put(state, "AS 3S 6D 2H 2C 2D 7C 3H 7D 4H 3C AD 3D 8D 5H 4C 9D 6H 5C 4D 9C 7H 6C 5D")
    assert state.finished
    assert state.scores == (-2, 1, 0, 0)


def test_one_trump_is_high_and_low() -> None:
    """The only trump in play, a jack, makes High, Low and Jack, and Game with its single pip."""
    pack = "JS 2C 3C 4C 5C 6C  2H 3H 4H 5H 6H 7H  2D 3D 4D 5D 6D 7D  8D 9D 8H 9H 7C 8C"
    state = bid(ordered("pitch", pack).start(0), 4)
    put(state, "JS 2H 2D 8D")
    while not state.finished:
        state.play(0)
    assert state.scores == (4, 0, 0, 0)


@pytest.mark.parametrize(
    ("mine", "others", "result"),
    [
        ("T", "AKQ", (3, 0, 0, 0)),
        ("AKQ", "T", (2, 1, 0, 0)),
        ("A", "K", (3, 0, 0, 0)),
        ("K", "Q", (3, 0, 0, 0)),
        ("Q", "J", (3, 0, 0, 0)),
        ("J", "9", (3, 0, 0, 0)),
        ("KJ", "A", (2, 0, 0, 0)),
        ("QJ", "K", (2, 0, 0, 0)),
        ("AKQJ", "T", (2, 0, 0, 0)),
        ("98765", "9", (2, 0, 0, 0)),
    ],
)
def test_pips_of_the_cards(mine: str, others: str, result: tuple[int, ...]) -> None:
    """For Game a ten counts ten, an ace four, a king three, a queen two, a jack one, others none.

    Player 1 makes High and Low and takes three tricks with certain hearts in them, and player 2
    takes three with certain diamonds; nothing else counts.
    """
    hearts, diamonds = [rank + "H" for rank in mine], [rank + "D" for rank in others]
    spare = [card for rank in "987654" for card in (rank + "H", rank + "D")]
    rest = iter([card for card in spare if card not in hearts + diamonds])
    first = [*hearts, *(next(rest) for _ in range(6 - len(hearts)))]
    last = [*diamonds, *(next(rest) for _ in range(6 - len(diamonds)))]
    third, fourth = first[:3] + last[:3], first[3:] + last[3:]
    pack = ["9S 8S 7S 2C 3C 4C", "2H 2D 3H 9C 8C 7C", *third, *fourth]
    state = bid(ordered("pitch", " ".join(pack)).start(0), 2, PASS, PASS, PASS)
    for lead, at in (("9S 2H", 0), ("8S 2D", 1), ("7S 3H", 2), ("2C 9C", 3)):
        put(state, f"{lead} {third[at]} {fourth[at]}")
    put(state, f"8C {third[4]} {fourth[4]} 3C 7C {third[5]} {fourth[5]} 4C")
    assert state.finished
    assert state.scores == result


def test_how_long_a_deal_is(deals: list[Deal]) -> None:
    """At most four bids and always 24 cards, with six options at most."""
    assert {len(deal.bids) + len(deal.plays) for deal in deals} == {25, 26, 27, 28}
    assert max(len(play.offered) for deal in deals for play in deal.plays) == 6
    assert max(len(could) for deal in deals for _, could, _ in deal.bids) == 4
