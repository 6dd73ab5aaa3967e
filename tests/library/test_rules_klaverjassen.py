"""Klaverjassen as its rules say, checked without asking the engine what is legal or who wins."""

import random
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from library_playing import (
    SUITS,
    Play,
    bare_options,
    by_number,
    card_of,
    code,
    decisions,
    finish,
    hand,
    interpreted,
    offered,
    picked,
    put,
    seeds,
    shuffled,
    words,
)
from ordered_pack import ordered

from cardwright import Game, Option, State

PLAIN = "789JQKTA"
TRUMPS = "78QKTA9J"
SEQUENCE = "789TJQKA"
VALUE = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
PACK = sorted(rank + suit for rank in PLAIN for suit in "CDHS")
SHORT = {"": "", "NONE": "", **SUITS}
ONE_SUIT_EACH = [[rank + suit for rank in PLAIN] for suit in "CDHS"]
"""Every trick of this deal has four cards of one rank, if they are played as they stand."""


@dataclass
class Deal:
    """What happened in one deal."""

    speaker: int
    trump: str
    tricks: list[list[Play]]
    scores: tuple[int, ...]
    calls: list[tuple[int, list[str]]] = field(default_factory=list)


def beats(card: str, other: str, trump: str) -> bool:
    """Say whether a card played later takes over from one that is winning."""
    if card[1] == other[1]:
        order = TRUMPS if card[1] == trump else PLAIN
        return order.index(card[0]) > order.index(other[0])
    return card[1] == trump


def winning(cards: list[str], trump: str) -> int:
    """Return which card of a trick, in the order of play, wins it."""
    best = 0
    for i, card in enumerate(cards):
        if beats(card, cards[best], trump):
            best = i
    return best


def legal(cards: tuple[str, ...], trick: list[str], trump: str, *, strict: bool) -> set[str]:
    """Return the cards that may follow a trick begun; strict is the duty as in Rotterdam."""
    if not trick:
        return set(cards)
    best = trick[winning(trick, trump)]
    fallen = [card for card in trick if card[1] == trump]
    trumps = {card for card in cards if card[1] == trump}
    higher = {card for card in trumps if all(beats(card, other, trump) for other in fallen)}
    same = {card for card in cards if card[1] == trick[0][1]}
    if same:
        return higher if higher and trick[0][1] == trump else same
    partner = len(trick) >= 2 and best == trick[-2]
    if strict:
        return higher or trumps or set(cards)
    if not partner and higher:
        return higher
    return set(cards) - (trumps - higher) or set(cards)


def roem(cards: list[str], trump: str, four_jacks: int = 200) -> int:
    """Return what the four cards of a trick form."""
    points = 0
    for suit in "CDHS":
        places = {SEQUENCE.index(card[0]) for card in cards if card[1] == suit}
        for start in range(8):
            run = [start + step in places for step in range(4)]
            points += 50 if all(run) else 0
            points += 20 if run == [True, True, True, False] and start - 1 not in places else 0
    points += 20 if {"K" + trump, "Q" + trump} <= set(cards) else 0
    if len({card[0] for card in cards}) == 1:
        points += four_jacks if cards[0][0] == "J" else 100
    return points


def counted(deal: Deal) -> tuple[list[int], list[int], list[int]]:
    """Return the points, the roem and the tricks of both sides; pit is not counted."""
    points, extra, won = [0, 0], [0, 0], [0, 0]
    for trick in deal.tricks:
        cards = [play.card for play in trick]
        side = trick[winning(cards, deal.trump)].seat % 2
        for card in cards:
            special = {"J": 20, "9": 14} if card[1] == deal.trump else {}
            points[side] += special.get(card[0], VALUE.get(card[0], 0))
        extra[side] += roem(cards, deal.trump)
        won[side] += 1
        if trick is deal.tricks[-1]:
            points[side] += 10
    return points, extra, won


def says(state: State, option: Option) -> str:
    """Return the suit that an option names, or else whether it plays or passes."""
    named = SHORT[str(picked(option, "NAMED") or "")]
    return named or ("pass" if words(state, option) == "pass" else "play")


def dealt(game: Game, seed: int) -> Deal:
    deal, plays = Deal(0, "", [], ()), []
    state = game.start(seed)
    for at, option in decisions(game, seed):
        state = at
        assert at.player is not None
        if at.string(None, "TRUMP") == "NONE":
            deal.calls.append((at.player, [says(at, each) for each in bare_options(at)]))
            deal.speaker = at.player
            deal.trump = says(at, option)
            if deal.trump == "play":
                deal.trump = SHORT[at.string(None, "TURNUP")]
        else:
            card = card_of(at, option)
            assert card is not None
            plays.append(Play(at.player, hand(at, at.player), offered(at), card))
    deal.tricks = [plays[i : i + 4] for i in range(0, len(plays), 4)]
    deal.scores = state.scores
    return deal


@pytest.fixture(scope="module")
def game() -> Game:
    return interpreted("klaverjassen")


@pytest.fixture(scope="module")
def deals(game: Game) -> list[Deal]:
    return [dealt(game, seed) for seed in range(100)]


@pytest.fixture(scope="module")
def drawn() -> list[Deal]:
    """Deals with a suit drawn, and with the duties of Rotterdam."""
    game = interpreted("klaverjassen", TURNED=1, ROTTERDAM=1)
    return [dealt(game, seed) for seed in range(100)]


def stacked(hands: list[str], trump: str, **declared: int) -> State:
    """Start a deal with these hands, in which player 1 names trumps."""
    state = ordered("klaverjassen", " ".join(hands), **declared).start(0)
    state.play([says(state, option) for option in bare_options(state)].index(trump))
    return state


def may(state: State) -> str:
    """Return the cards that can be played now."""
    return " ".join(sorted(str(card) for card in offered(state)))


def test_the_deal(game: Game) -> None:
    """Eight of 32 cards each from the top, player 1 first."""
    assert sorted(code(card) for card in game.cards) == PACK
    for seed in seeds(20):
        state = game.start(seed)
        pack = shuffled(game, seed)[::-1]
        assert [list(hand(state, seat)) for seat in range(4)] == [
            by_number(game, pack[8 * seat : 8 * seat + 8]) for seat in range(4)
        ]


def test_player_1_names_trumps(deals: list[Deal]) -> None:
    """Player 1 must name one of the four suits; no more is said, and 32 cards are played."""
    for deal in deals:
        assert deal.calls == [(0, ["C", "D", "H", "S"])]
        assert len(deal.tricks) == 8
    assert {deal.trump for deal in deals} == set("CDHS")


def test_a_suit_is_drawn() -> None:
    """With TURNED each suit is drawn about as often; it does not say anything of the hands."""
    game = interpreted("klaverjassen", TURNED=1)
    suits, held = Counter[str](), Counter[int]()
    for seed in range(400):
        state = game.start(seed)
        suit = SHORT[state.string(None, "TURNUP")]
        suits[suit] += 1
        for seat in range(4):
            held[seat] += sum(card[1] == suit for card in hand(state, seat))
    assert all(60 < suits[suit] < 140 for suit in "CDHS")
    assert all(700 < held[seat] < 900 for seat in range(4))


def test_playing_in_the_drawn_suit_or_passing() -> None:
    """With TURNED everybody in turn plays or passes; if all pass, player 1 names another suit."""
    game = interpreted("klaverjassen", TURNED=1)
    for seed in seeds(10):
        state = game.start(seed)
        suit = SHORT[state.string(None, "TURNUP")]
        for seat in range(4):
            assert state.player == seat
            assert [says(state, option) for option in bare_options(state)] == ["play", "pass"]
            taken = state.copy()
            taken.play(0)
            assert SHORT[taken.string(None, "TRUMP")] == suit
            assert taken.player == 0
            assert len(offered(taken)) == 8
            state.play(1)
        assert state.player == 0
        others = [each for each in "CDHS" if each != suit]
        assert [says(state, option) for option in bare_options(state)] == others
        state.play(2)
        assert SHORT[state.string(None, "TRUMP")] == others[2]
        assert len(offered(state)) == 8


@pytest.mark.parametrize("strict", [False, True])
def test_which_cards_may_be_played(deals: list[Deal], drawn: list[Deal], *, strict: bool) -> None:
    """The duties to follow suit, to trump and to overtrump, as in Amsterdam or in Rotterdam."""
    seen = Counter[str]()
    for deal in drawn if strict else deals:
        for trick in deal.tricks:
            cards: list[str] = []
            for play in trick:
                allowed = legal(play.hand, cards, deal.trump, strict=strict)
                assert sorted(map(str, play.offered)) == sorted(allowed)
                other = legal(play.hand, cards, deal.trump, strict=not strict)
                seen["differs"] += allowed != other
                seen["forced"] += len(allowed) < len(play.hand)
                cards.append(play.card)
    assert seen["differs"] > 30
    assert seen["forced"] > 500


def test_who_leads_and_who_wins(deals: list[Deal], drawn: list[Deal]) -> None:
    """The winner of a trick leads the next, and player 1 the first, whoever plays."""
    for deal in deals + drawn:
        leader = 0
        for trick in deal.tricks:
            assert [play.seat for play in trick] == [(leader + i) % 4 for i in range(4)]
            leader = trick[winning([play.card for play in trick], deal.trump)].seat


def test_the_order_of_the_cards(deals: list[Deal], drawn: list[Deal]) -> None:
    """Trumps: jack, nine, ace, ten, king, queen, eight, seven; others with jack and nine below."""
    beaten: dict[bool, set[tuple[str, str]]] = {True: set(), False: set()}
    for deal in deals + drawn:
        for trick, after in pairwise(deal.tricks):
            best = next(play.card for play in trick if play.seat == after[0].seat)
            beaten[best[1] == deal.trump] |= {
                (best[0], play.card[0])
                for play in trick
                if play.card[1] == best[1] and play.card != best
            }
    for trumps, order in ((True, "J9ATKQ87"), (False, "ATKQJ987")):
        assert beaten[trumps] >= set(pairwise(order[:-1]))
        assert all(order.index(high) < order.index(low) for high, low in beaten[trumps])


def test_with_the_partner_winning() -> None:
    """Who has no spade plays any card if the ace is the partner's; in Rotterdam only a trump."""
    hands = [
        "AS 7S AC KC AD KD 7D 8H",
        "KS 8S TC 7C 8D 9D AH 9C",
        "7H QH JH 8C JC TD JD QD",
        "9S TS JS QS QC 9H TH KH",
    ]
    assert may(put(stacked(hands, "H"), "AS 8S")) == "7H 8C JC JD JH QD QH TD"
    assert may(put(stacked(hands, "H", ROTTERDAM=1), "AS 8S")) == "7H JH QH"


@pytest.mark.parametrize("rotterdam", [0, 1])
def test_with_an_opponent_winning(rotterdam: int) -> None:
    """Spades are followed with any spade; who has none must trump the opponent's king."""
    hands = [
        "AS 7S AC KC AD KD 7D 8H",
        "KS 8S TC 7C 8D 9D AH 9C",
        "7H QH JH 8C JC TD JD QD",
        "9S TS JS QS QC 9H TH KH",
    ]
    state = put(stacked(hands, "H", ROTTERDAM=rotterdam), "7S")
    assert may(state) == "8S KS"
    assert may(put(state, "KS")) == "7H JH QH"


@pytest.mark.parametrize("rotterdam", [0, 1])
def test_an_opponent_must_be_overtrumped(rotterdam: int) -> None:
    """After the ten of trumps only the jack may be played, not queen or seven, nor other suits."""
    hands = [
        "AS 7S KS 8S AC KC AD 8H",
        "TH AH TC 7C 8D 9D KD 7D",
        "7H QH JH 8C JC TD JD QD",
        "9S TS JS QS QC 9H KH 9C",
    ]
    state = put(stacked(hands, "H", ROTTERDAM=rotterdam), "7S")
    assert may(state) == "AH TH"
    assert may(put(state, "TH")) == "JH"


def test_an_opponent_who_cannot_be_overtrumped() -> None:
    """With lower trumps only: another suit in Amsterdam, a lower trump in Rotterdam."""
    hands = [
        "AS 7S KS 8S AC KC AD 8H",
        "TH AH TC 7C 8D 9D KD 7D",
        "7H QH KH 8C JC TD JD QD",
        "9S TS JS QS QC 9H JH 9C",
    ]
    assert may(put(stacked(hands, "H"), "7S AH")) == "8C JC JD QD TD"
    assert may(put(stacked(hands, "H", ROTTERDAM=1), "7S AH")) == "7H KH QH"


def test_a_partner_who_has_trumped() -> None:
    """In Amsterdam the partner's ten of trumps may be beaten or spared, but not undertrumped."""
    hands = [
        "AS 7S KS 8S AC KC AD 8H",
        "TH AH TC 7C 8D 9D KD 7D",
        "9S TS JS QS 8C JC TD JD",
        "7H QH KH JH QC 9H 9C QD",
    ]
    assert may(put(stacked(hands, "H"), "7S TH 9S")) == "9C 9H JH QC QD"
    assert may(put(stacked(hands, "H", ROTTERDAM=1), "7S TH 9S")) == "9H JH"


@pytest.mark.parametrize("rotterdam", [0, 1])
def test_trumps_led_must_be_beaten(rotterdam: int) -> None:
    """A higher trump must be played, even over the partner's; without trumps any card may be."""
    hands = [
        "AS 7S KS 8S AC KC AD 8H",
        "TH AH TC 7C 8D 9D KD 7D",
        "9S TS JS QS 8C JC TD JD",
        "7H QH KH JH QC 9H 9C QD",
    ]
    state = put(stacked(hands, "H", ROTTERDAM=rotterdam), "8H")
    assert may(state) == "AH TH"
    put(state, "TH")
    assert may(state) == "8C 9S JC JD JS QS TD TS"
    assert may(put(state, "TD")) == "9H JH"


@pytest.mark.parametrize("rotterdam", [0, 1])
def test_trumps_led_must_be_followed(rotterdam: int) -> None:
    """Who cannot play a higher trump than the ace plays any trump."""
    hands = [
        "AS 7S KS 8S AC KC AD 8H",
        "TH AH TC 7C 8D 9D KD 7D",
        "7H QH KH 8C JC TD JD QD",
        "9S TS JS QS QC 9H JH 9C",
    ]
    assert may(put(stacked(hands, "H", ROTTERDAM=rotterdam), "8H AH")) == "7H KH QH"


def test_only_lower_trumps(game: Game) -> None:
    """Who has nothing else may play a lower trump in Amsterdam too, under either side's.

    The seeds have such deals.
    """
    found = Counter[bool]()
    for deal in (dealt(game, seed) for seed in (228, 277, 428, 633)):
        for trick in deal.tricks:
            for i, play in enumerate(trick[1:], 1):
                cards = [each.card for each in trick[:i]]
                best = cards[winning(cards, deal.trump)]
                if (
                    cards[0][1] != deal.trump
                    and len(play.hand) > 1
                    and all(c[1] == deal.trump and beats(best, c, deal.trump) for c in play.hand)
                ):
                    assert play.offered == play.hand
                    found[i >= 2 and best == cards[-2]] += 1
    assert min(found[partner] for partner in (True, False)) > 0


def find_hands(trick: list[str], trump: str) -> list[str]:
    """Return hands from which the players, the first one leading, may play these cards."""
    rest = [card for card in PACK if card not in trick]
    shuffling = random.Random(1)
    seats, suits = [0, 1, 2, 3], ["C", "D", "H", "S"]
    while True:
        # Suit by suit, so that some hands have few suits.
        for some in (seats, suits, rest):
            shuffling.shuffle(some)
        rest.sort(key=lambda card: suits.index(card[1]))
        hands = [(trick[i], *rest[7 * seats[i] : 7 * seats[i] + 7]) for i in range(4)]
        if all(trick[i] in legal(hands[i], trick[:i], trump, strict=False) for i in range(4)):
            return [" ".join(cards) for cards in hands]


@pytest.mark.parametrize("trump", ["C", "H"])
def test_the_lowest_cards(trump: str) -> None:
    """Eight beats seven, as trumps and in other suits, whichever of them is led."""
    for trick, leader in (("7C 8C 7D 8D", 1), ("8C 7C 7D 8D", 0)):
        hands = find_hands(trick.split(), trump)
        assert put(stacked(hands, trump), trick).player == leader


@pytest.mark.parametrize(
    ("trick", "trump", "points"),
    [
        ("7C 8C 9C AC", "D", 20),
        ("9C JC TC 7C", "D", 20),
        ("QC KC AC TD", "H", 20),
        ("7C 9C 8C TC", "D", 50),
        ("AC JC QC KC", "D", 50),
        ("7C 8C TC JC", "D", 0),
        ("KC AC 7C 8C", "D", 0),
        ("TC JC QD KD", "H", 0),
        ("9C JD TC 7C", "H", 0),
        ("KC AC 7D 8D", "H", 0),
        ("KD AD 7H 8H", "C", 0),
        ("KH AH 7S 8S", "D", 0),
        ("QC 8C KC AD", "C", 20),
        ("QC KC 8S AD", "H", 0),
        ("7D QC KC TD", "C", 20),
        ("QC KC AC TD", "C", 40),
        ("QC KC TC JC", "C", 70),
        ("8C TC 9C JC", "C", 50),
        ("QC KD 8C 9D", "C", 0),
        ("7C 7D 7H 7S", "C", 100),
        ("AC AD AH AS", "H", 100),
        ("JC JD JH JS", "H", 200),
        ("JC JD JH TS", "H", 0),
    ],
)
def test_roem(trick: str, trump: str, points: int) -> None:
    """Sequences in the natural order, king and queen of trumps besides, and four of a rank."""
    assert roem(trick.split(), trump) == points
    state = put(stacked(find_hands(trick.split(), trump), trump), trick)
    values = state.view(0).integers
    assert sum(value for (_, name), value in values.items() if name == "ROEM") == points


def test_scores(deals: list[Deal], drawn: list[Deal]) -> None:
    """Points and roem of each side if the side that plays has more; else all to the others."""
    outcomes = Counter[tuple[int, bool]]()
    for deal in deals + drawn:
        side = deal.speaker % 2
        points, extra, won = counted(deal)
        assert sum(points) == 162
        total = [sum(both) for both in zip(points, extra, strict=True)]
        total[side] += 100 if won[side] == 8 else 0
        wet = total[side] <= total[1 - side]
        if wet:
            total[side], total[1 - side] = 0, sum(total)
        assert deal.scores == (*total, *total)
        outcomes[side, wet] += 1
    assert all(outcomes[side, wet] > 5 for side in (0, 1) for wet in (False, True))


@pytest.mark.parametrize(("seed", "lead"), [(220, -2), (14, 0), (60, 2)])
def test_more_than_half(game: Game, seed: int, lead: int) -> None:
    """With as much as the others the side that plays is nat. The seeds have such deals."""
    deal = dealt(game, seed)
    points, extra, _ = counted(deal)
    own, other = (sum(both) for both in zip(points, extra, strict=True))
    assert own - other == lead
    assert deal.scores[:2] == ((own, other) if lead > 0 else (0, own + other))


def pit(trump: str, **declared: int) -> tuple[int, ...]:
    """Play a deal with a suit for each player, so that one wins all; each trick is of one rank."""
    state = stacked([" ".join(cards) for cards in ONE_SUIT_EACH], trump, **declared)
    for rank in PLAIN:
        for _ in range(4):
            assert state.player is not None
            put(state, rank + "CDHS"[state.player])
    assert state.finished
    return state.scores


def test_all_tricks() -> None:
    """Pit is 100 more, here with seven times 100 and once 200 for four of a rank.

    It counts for the side that plays, whichever partner wins the tricks, not for the others.
    """
    assert pit("C") == (1162, 0, 1162, 0)
    assert pit("H") == (1162, 0, 1162, 0)
    assert pit("D") == (0, 1062, 0, 1062)
    assert pit("C", PIT=50) == (1112, 0, 1112, 0)
    assert pit("C", FOURJACKS=100) == (1062, 0, 1062, 0)
    assert pit("C", LASTTRICK=5) == (1157, 0, 1157, 0)


def test_the_last_trick(game: Game) -> None:
    """Who wins the last trick has LASTTRICK points more, and all others are the same."""
    other = interpreted("klaverjassen", LASTTRICK=0)
    for seed in seeds(10):
        deal = dealt(game, seed)
        side = deal.tricks[-1][winning([p.card for p in deal.tricks[-1]], deal.trump)].seat % 2
        points, extra, won = counted(deal)
        points[side] -= 10
        total = [sum(both) for both in zip(points, extra, strict=True)]
        total[0] += 100 * (won[0] == 8)
        expected = (0, sum(total)) if total[0] <= total[1] else tuple(total)
        assert finish(other, seed).scores[:2] == expected
