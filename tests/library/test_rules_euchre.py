"""Euchre as its rules say, checked without asking the engine what is legal or who wins."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import pytest
from library_playing import (
    SUITS,
    Chooser,
    Play,
    bare_options,
    by_number,
    card_of,
    code,
    codes,
    decisions,
    hand,
    interpreted,
    offered,
    picked,
    preferring,
    put,
    seeds,
    shuffled,
)
from ordered_pack import ordered

from cardwright import Game, Option, State, Stream

PACK = sorted(rank + suit for rank in "9TJQKA" for suit in "CDHS")
SAME_COLOR = {"C": "S", "S": "C", "D": "H", "H": "D"}

Bid: TypeAlias = tuple[str, ...]
"""PASS, MAKE or ALONE, the second time round also the suit named: ("MAKE", "H")."""


@dataclass
class Deal:
    """What happened in one deal."""

    hands: list[tuple[str, ...]]
    turned: str
    bids: list[tuple[int, list[Bid], Bid]]
    discard: tuple[int, tuple[str | None, ...], str] | None
    plays: list[Play]
    scores: tuple[int, ...]

    @property
    def maker(self) -> int:
        return self.bids[-1][0]

    @property
    def alone(self) -> bool:
        return self.bids[-1][2][0] == "ALONE"

    @property
    def out(self) -> int | None:
        """Who takes no part because of a partner who plays alone."""
        return (self.maker + 2) % 4 if self.alone else None

    @property
    def trump(self) -> str:
        bid = self.bids[-1][2]
        if bid[0] == "PASS":
            return ""
        return bid[1] if len(bid) > 1 else self.turned[1]

    @property
    def tricks(self) -> list[list[Play]]:
        size = 3 if self.alone else 4
        return [self.plays[i : i + size] for i in range(0, len(self.plays), size)]

    @property
    def won(self) -> list[int]:
        """The tricks of each side."""
        count = Counter(taker(trick, self.trump) % 2 for trick in self.tricks)
        return [count[0], count[1]]


def suit_of(card: str, trump: str) -> str:
    """The suit that a card belongs to: the other jack of trumps' color is a trump."""
    return trump if card[0] == "J" and SAME_COLOR[card[1]] == trump else card[1]


def strongest(cards: Sequence[str], trump: str) -> str:
    """The card that takes the trick, the first of these being led."""
    order = ["J" + trump, "J" + SAME_COLOR[trump], *(rank + trump for rank in "AKQT9")]
    order += [rank + suit_of(cards[0], trump) for rank in "AKQJT9"]
    return min((card for card in cards if card in order), key=order.index)


def taker(trick: Sequence[Play], trump: str) -> int:
    cards = [play.card for play in trick]
    return trick[cards.index(strongest(cards, trump))].seat


def bid_of(option: Option) -> Bid:
    """What a bidding option says, by its place in the game file's choice and its picks."""
    short = {"": (), **{long: (brief,) for long, brief in SUITS.items()}}
    way = str(picked(option, "WAY")) if option.content.branch else "PASS"
    return (way, *short[str(picked(option, "NAMED") or "")])


def bids_of(state: State) -> list[Bid]:
    return [bid_of(option) for option in bare_options(state)]


def bid(state: State, *wanted: Bid) -> State:
    for each in wanted:
        state.play(bids_of(state).index(each))
    return state


def passing(seed: int, share: int) -> Chooser:
    """Return a chooser that passes as long as it can in some of the seeds."""

    def wish(state: State, option: Option) -> bool:
        named = state.string(None, "TRUMP") != "NONE"
        return named or bid_of(option)[0] == "PASS" or len(state.choices) >= seed % share

    return preferring(seed, 4, wish)


def dealt(game: Game, seed: int, share: int = 10) -> Deal:
    """Play one deal; the seed also says how many players pass at first."""
    state = game.start(seed)
    deal = Deal([hand(state, seat) for seat in range(4)], "", [], None, [], ())
    deal.turned = codes(state.cards(None, "vloc", "TURNUP"))[0]
    for at, option in decisions(game, seed, passing(seed, share)):
        state = at
        seat, card = at.player, card_of(at, option)
        assert seat is not None
        if at.string(None, "TRUMP") == "NONE":
            deal.bids.append((seat, bids_of(at), bid_of(option)))
        elif len(hand(at, 3)) == 6:
            deal.discard = (seat, offered(at), card or "")
        else:
            deal.plays.append(Play(seat, hand(at, seat), offered(at), card or ""))
    deal.scores = state.scores
    return deal


@pytest.fixture(scope="module")
def game() -> Game:
    return interpreted("euchre")


@pytest.fixture(scope="module")
def deals(game: Game) -> list[Deal]:
    return [dealt(game, seed) for seed in range(500)]


def played(deals: list[Deal]) -> Iterator[Deal]:
    """The deals in which somebody made trumps."""
    return (deal for deal in deals if deal.trump)


@pytest.mark.slow
def test_the_deal(game: Game, deals: list[Deal]) -> None:
    """Five of 24 cards each from the top, player 1 first; the next one is turned up."""
    assert sorted(code(card) for card in game.cards) == PACK
    for seed in seeds(20):
        pack = shuffled(game, seed)[::-1]
        assert [list(cards) for cards in deals[seed].hands] == [
            by_number(game, pack[5 * seat : 5 * seat + 5]) for seat in range(4)
        ]
        assert deals[seed].turned == pack[20]


def test_bidding(deals: list[Deal]) -> None:
    """Pass or make the turned suit trumps, once each; then pass or name another suit, once each.

    Each suit can be made with the partner or alone, so that there are 3 and 7 ways to go on.
    """
    rounds: Counter[int] = Counter()
    for deal in deals:
        others = [suit for suit in "CDHS" if suit != deal.turned[1]]
        for place, (seat, could, chosen) in enumerate(deal.bids):
            assert seat == place % 4
            suits: list[Bid] = [()] if place < 4 else [(suit,) for suit in others]
            assert could[0] == ("PASS",)
            assert sorted(could[1:]) == sorted((w, *s) for w in ("MAKE", "ALONE") for s in suits)
            assert (chosen[0] == "PASS") == (place < len(deal.bids) - 1 or not deal.trump)
        assert len(deal.bids) == 8 or deal.trump
        rounds[len(deal.bids)] += 1
    assert min(rounds[n] for n in range(1, 9)) > 20


def test_nobody_plays_if_all_pass_twice(game: Game) -> None:
    """After eight passes the deal is over and scores nothing for anybody."""
    state = bid(game.start(0), *[("PASS",)] * 8)
    assert state.finished
    assert state.scores == (0, 0, 0, 0)
    assert all(len(hand(state, seat)) == 5 for seat in range(4))


def test_sticking_the_dealer() -> None:
    """With STICK the dealer may pass the first time but not the second."""
    state = bid(interpreted("euchre", STICK=1).start(0), *[("PASS",)] * 7)
    assert state.player == 3
    assert state.option_count == 6
    assert ("PASS",) not in bids_of(state)


def test_no_lone_hands() -> None:
    """With LONE 0 there are two ways to bid at first, and four the second time round."""
    state = interpreted("euchre", LONE=0).start(0)
    assert bids_of(state) == [("PASS",), ("MAKE",)]
    assert len(bids_of(bid(state, *[("PASS",)] * 4))) == 4


def test_the_dealer_takes_the_turned_card(deals: list[Deal]) -> None:
    """If it made trumps, the dealer discards one of six cards; else, or if out, nothing."""
    found: Counter[str] = Counter()
    for deal in played(deals):
        takes = len(deal.bids) <= 4 and deal.out != 3
        assert (deal.discard is not None) == takes
        start = list(deal.hands)
        if deal.discard:
            seat, could, card = deal.discard
            assert seat == 3
            assert sorted(map(str, could)) == sorted((*deal.hands[3], deal.turned))
            start[3] = tuple(c for c in (*start[3], deal.turned) if c != card)
            found["turned" if card == deal.turned else "other"] += 1
        for seat in range(4):
            cards = [play.card for play in deal.plays if play.seat == seat]
            assert sorted(cards) == ([] if seat == deal.out else sorted(start[seat]))
        found["out"] += len(deal.bids) <= 4 and deal.out == 3
    assert found["turned"] > 10
    assert found["other"] > 50
    assert found["out"] > 10


def test_suit_must_be_followed(deals: list[Deal]) -> None:
    """Who holds a card of the suit led plays one; the lower bower belongs to trumps only."""
    called, spared = 0, 0
    for deal in played(deals):
        left = "J" + SAME_COLOR[deal.trump]
        for trick in deal.tricks:
            lead = suit_of(trick[0].card, deal.trump)
            assert trick[0].offered == trick[0].hand
            for play in trick[1:]:
                same = tuple(c for c in play.hand if suit_of(c, deal.trump) == lead)
                assert play.offered == (same or play.hand)
                called += same == (left,)
                spared += left in play.hand and lead == left[1]
    assert called > 20
    assert spared > 20


def test_who_leads_and_who_wins(deals: list[Deal]) -> None:
    """The winner of a trick leads; play goes round and passes over a partner who is out.

    Player 1 leads first, or player 2 if player 1 is out.
    """
    second = 0
    for deal in played(deals):
        leader = 1 if deal.out == 0 else 0
        second += leader
        assert len(deal.tricks) == 5
        for trick in deal.tricks:
            order = [(leader + i) % 4 for i in range(4)]
            assert [play.seat for play in trick] == [seat for seat in order if seat != deal.out]
            leader = taker(trick, deal.trump)
    assert second > 20


def test_scores(deals: list[Deal]) -> None:
    """Makers score 1 for three or four tricks, 2 for five, 4 alone; else the others score 2."""
    seen: Counter[tuple[bool, int, int]] = Counter()
    for deal in played(deals):
        makers = deal.maker % 2
        own = deal.won[makers]
        points = [0, 0]
        if own < 3:
            points[1 - makers] = 2
        else:
            points[makers] = 1 if own < 5 else 4 if deal.alone else 2
        assert deal.scores == (*points, *points)
        seen[deal.alone, own, max(points)] += 1
    assert set(seen) >= {
        *((False, own, points) for own, points in enumerate((2, 2, 2, 1, 1, 2))),
        *((True, own, points) for own, points in enumerate((2, 2, 2, 1, 1, 4))),
    }


def test_the_bowers_are_highest() -> None:
    """Jack of trumps, then the other jack of the color, then ace, king, queen, ten, nine."""
    pack = "9H TH QH AH KC  QC KH JD 9S TC  JH TS QS KS AS  9C AC 9D TD QD  KD"
    state = bid(ordered("euchre", pack).start(0), *[("PASS",)] * 4, ("MAKE", "H"))
    put(state, "AH JD JH QD")
    assert state.player == 2
    put(state, "AS TD KC 9S")
    assert state.player == 2
    put(state, "TS 9C 9H TC")
    assert state.player == 0
    put(state, "TH KH KS 9D")
    assert state.player == 1


def test_the_lower_bower_calls_for_trumps() -> None:
    """Led, it asks for trumps; when its printed suit is led, its holder need not play it."""
    pack = "JD 9C TC QC KC  9D 9H TS QS KS  JH QD AS 9S JS  KD TD AD AC TH  AH"
    state = bid(ordered("euchre", pack).start(0), *[("PASS",)] * 3, ("MAKE",))
    put(state, "TH")
    lower = put(state.copy(), "JD")
    assert offered(lower) == ("9H",)
    put(lower, "9H")
    assert offered(lower) == ("JH",)
    put(lower, "JH")
    assert offered(lower) == ("AH",)
    put(lower, "AH")
    assert lower.player == 2
    put(lower, "QD")
    assert set(offered(lower)) == {"KD", "TD", "AD"}
    put(lower, "KD")
    assert set(offered(lower)) == {"9C", "TC", "QC", "KC"}

    state = bid(ordered("euchre", pack).start(0), *[("PASS",)] * 4, ("MAKE", "C"))
    put(state, "9C 9D")
    assert offered(state) == ("JS",)


def test_alone_with_all_trumps() -> None:
    """Five tricks alone are worth four points, or LONEMARCH, and the partner gets them as well."""
    pack = "JH JD AH KH QH  9C TC QC KC AC  9S TS QS KS AS  9D TD QD KD JC  TH"
    for declared, points in (({}, 4), ({"LONEMARCH": 5}, 5)):
        start = ordered("euchre", pack, **declared).start(0)
        state = bid(start.copy(), ("ALONE",))
        assert sorted(codes(state.cards(2, "iloc", "ASIDE"))) == ["9S", "AS", "KS", "QS", "TS"]
        put(state, "9D JH 9C TH JD TC TD AH QC QD KH KC KD QH AC JC")
        assert state.finished
        assert state.scores == (points, 0, points, 0)
        state = bid(start, ("MAKE",))
        put(state, "9D JH 9C 9S TH JD TC TS TD AH QC QS QD KH KC KS KD QH AC AS JC")
        assert state.scores == (2, 0, 2, 0)


@pytest.mark.parametrize("mode", ["basic", "known"])
def test_what_the_others_know_of_the_discard(game: Game, mode: str) -> None:
    """The discard is known to the dealer alone; for the others it may be the turned card too."""
    stream = Stream(1)
    state = bid(game.start(3), ("MAKE",))
    turned = shuffled(game, 3)[::-1][20]
    assert (turned in hand(state.determinise(0, stream, "known"), 3)) is True
    state.play(0)
    thrown = codes(state.cards(3, "iloc", "DISCARD"))
    held = {
        seat: {
            codes(state.determinise(seat, stream, mode).cards(3, "iloc", "DISCARD"))
            for _ in range(200)
        }
        for seat in range(4)
    }
    assert held[3] == {thrown}
    assert all((turned,) in held[seat] and len(held[seat]) > 10 for seat in range(3))


def test_how_long_a_deal_is(deals: list[Deal]) -> None:
    """A lone deal has 15 cards played, another one 20; at most eight bids come before."""
    lengths = [len(d.bids) + bool(d.discard) + len(d.plays) for d in played(deals)]
    assert min(lengths) == 17
    assert max(lengths) == 28
    assert all(len(d.plays) == (15 if d.alone else 20) for d in played(deals))
