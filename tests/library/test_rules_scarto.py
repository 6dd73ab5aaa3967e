"""Scarto as its rules say, checked without asking the engine what is legal or who wins."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, product

import pytest
from library_playing import Chooser, Play, bare_options, decisions, interpreted, preferring, seeds
from ordered_pack import SHUFFLE

from cardwright import Game, Option, State, Stream
from cardwright.game.find import find
from cardwright.program.cards import Card
from cardwright.syntax.source import Source

TO_TEN = ["ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN"]
TEENS = ["THIR", "FOUR", "FIF", "SIX", "SEVEN", "EIGH", "NINE"]
LONG = "123456789TJNQK"
ROUND = "T987654321JNQK"
RANKS = dict(zip([*TO_TEN, "KNAVE", "KNIGHT", "QUEEN", "KING"], LONG, strict=True))
SUITS = {"SWORDS": "S", "BATONS": "B", "CUPS": "C", "COINS": "D"}
TRUMPS = [f"t{number}" for number in (*range(1, 20), 21, 20)]
"""From the bagatto up to the world (21) and the angel (20)."""

LOW = ["BAGATTO", *TO_TEN[1:], "ELEVEN", "TWELVE"]
NAMED = dict(zip([*LOW, *(f"{n}TEEN" for n in TEENS), "WORLD", "ANGEL"], TRUMPS, strict=True))
MATTO = "matto"
PACK = sorted([rank + suit for rank, suit in product(LONG, "SBCD")] + [*TRUMPS, MATTO])
VALUE = {"K": 5, "Q": 4, "N": 3, "J": 2}


@dataclass
class Deal:
    """What happened in one deal."""

    hand: tuple[str, ...]
    discards: list[tuple[list[str], str]]
    tricks: list[list[Play]]
    scores: tuple[int, ...]


def code(card: Card) -> str:
    """Return a card in short: KS, t20 for the angel, matto."""
    rank, suit = card.attributes["RANK"], card.attributes.get("SUIT")
    if suit is None:
        assert rank == "MATTO"
        return MATTO
    return NAMED[rank] if suit == "TRUMPS" else RANKS[rank] + SUITS[suit]


def hand(state: State, seat: int, name: str = "HAND") -> tuple[str, ...]:
    return tuple(code(card) for card in state.cards(seat, "iloc", name))


def card_of(state: State, option: Option) -> str:
    number = dict(option.content.picks)["'CARD"]
    assert isinstance(number, int)
    return code(state.game.cards[number])


def offered(state: State) -> list[str]:
    return [card_of(state, option) for option in bare_options(state)]


def put(state: State, cards: str) -> State:
    """Let the players choose these cards, one after the other."""
    for card in cards.split():
        state.play(offered(state).index(card))
    return state


def suit_of(card: str) -> str:
    """The suit of a card: t for trumps, nothing for the Matto."""
    return "" if card == MATTO else "t" if card in TRUMPS else card[1]


def strength(card: str) -> int:
    if card in TRUMPS:
        return TRUMPS.index(card)
    return (LONG if card[1] in "SB" else ROUND).index(card[0])


def led(cards: Iterable[str]) -> str:
    """The suit that these cards of a trick call for: that of the first but the Matto."""
    return next((suit_of(card) for card in cards if card != MATTO), "")


def winning(cards: list[str]) -> int:
    """Return which card of a trick wins it."""
    suit = "t" if any(card in TRUMPS for card in cards) else led(cards)
    return max(
        (i for i, card in enumerate(cards) if suit_of(card) == suit),
        key=lambda i: strength(cards[i]),
    )


def legal(cards: Iterable[str], trick: list[str]) -> set[str]:
    """Return the cards that may be played."""
    cards = set(cards)
    suit = led(trick)
    same = {card for card in cards if suit and suit_of(card) == suit}
    trumps = {card for card in cards if suit and card in TRUMPS}
    return (same or trumps or cards) | (cards & {MATTO})


def points(pile: list[str]) -> int:
    """Count cards in threes, of which each loses two points; two cards left over lose one."""
    cards = [card for card in pile if card != MATTO]
    valuable = {"t1": 5, "t20": 5}
    total = sum(valuable.get(c, 1) if c in TRUMPS else VALUE.get(c[0], 1) for c in cards)
    assert len(cards) % 3 != 1
    return total - len(cards) // 3 * 2 - (len(cards) % 3) // 2 + 4 * (MATTO in pile)


def dealt(game: Game, seed: int, choose: Chooser | None = None) -> Deal:
    state = game.start(seed)
    deal, plays = Deal(hand(state, 2), [], [], ()), []
    for at, option in decisions(game, seed, choose):
        state = at
        assert at.player is not None
        card = card_of(at, option)
        if len(deal.discards) < 3:
            assert at.player == 2
            deal.discards.append((offered(at), card))
        else:
            plays.append(Play(at.player, hand(at, at.player), tuple(offered(at)), card))
    deal.tricks = [plays[i : i + 3] for i in range(0, len(plays), 3)]
    deal.scores = state.scores
    return deal


def stacked(hands: list[list[str]], **declared: int) -> State:
    """Start a deal with these hands, of which the first two have 25 cards; the dealer's has 28."""
    ranks = {short: f"(== (cardatt RANK 'X) {rank})" for rank, short in NAMED.items()}
    cards = {
        **{t: f"(and (== (cardatt SUIT 'X) TRUMPS) {test})" for t, test in ranks.items()},
        **{
            brief + b: f"(and (== (cardatt SUIT 'X) {suit}) (== (cardatt RANK 'X) {rank}))"
            for rank, brief in RANKS.items()
            for suit, b in SUITS.items()
        },
        MATTO: "(== (cardatt RANK 'X) MATTO)",
    }
    assert [len(each) for each in hands] == [25, 25, 28]
    pack = list(chain(*hands))
    assert sorted(pack) == PACK
    moves = "\n".join(
        f"(move (top (filter (game iloc STOCK) 'X {cards[card]})) (top (game iloc STOCK)))"
        for card in reversed(pack)
    )
    text = find("scarto").text
    assert text.count(SHUFFLE) == 1
    source = Source("scarto-stacked", text.replace(SHUFFLE, moves))
    return Game.from_source(source, declared=declared, engine="interpreter").start(0)


def suit(letter: str, ranks: str = LONG) -> list[str]:
    """Return cards of one suit."""
    return [rank + letter for rank in ranks]


def taken(state: State, seat: int) -> list[str]:
    return [code(card) for card in state.cards(seat, "vloc", "TRICKSWON")]


def void_dealer() -> State:
    """Start a deal in which player 1 has no trumps, and the others have no swords.

    Player 2 has two trumps and the Matto, cups and low coins; the dealer the rest.
    """
    hands = [
        suit("S") + suit("B", LONG[:11]),
        ["t10", "t15", MATTO, *suit("C"), *suit("D", LONG[:8])],
        [t for t in TRUMPS if t not in ("t10", "t15")] + suit("B", "NQK") + suit("D", LONG[8:]),
    ]
    return put(stacked(hands), "NB QB 9D")


@pytest.fixture(scope="module")
def game() -> Game:
    return interpreted("scarto")


@pytest.fixture(scope="module")
def deals(game: Game) -> list[Deal]:
    return [dealt(game, seed) for seed in range(40)]


def test_the_deal(game: Game) -> None:
    """Twenty-five of 78 cards each from the top, and three more to the dealer, player 3."""
    assert sorted(code(card) for card in game.cards) == PACK
    for seed in seeds(10):
        state = game.start(seed)
        pack = [code(card) for card in game.cards]
        Stream(seed).shuffle(pack)
        pack.reverse()
        held = [list(hand(state, seat)) for seat in range(3)]
        made = [code(card) for card in game.cards]
        assert held == [
            sorted(dealt, key=made.index) for dealt in (pack[:25], pack[25:50], pack[50:])
        ]
        assert state.player == 2


@pytest.mark.slow
def test_the_discards(deals: list[Deal]) -> None:
    """Three cards, one by one, but no king, angel or Matto, and no bagatto beside a trump."""
    kept = Counter[str]()
    for deal in deals:
        cards = list(deal.hand)
        trumps = [card for card in cards if card in TRUMPS]
        barred = {"KS", "KB", "KC", "KD", "t20", MATTO} | ({"t1"} if len(trumps) > 1 else set())
        assert len(deal.discards) == 3
        for could, card in deal.discards:
            assert sorted(could) == sorted(set(cards) - barred)
            cards.remove(card)
        kept.update(card for card in cards if card in barred)
    assert set(kept) >= {"KS", "t20", MATTO, "t1"}


def with_trumps(*trumps: str, **declared: int) -> State:
    """Start a deal in which the dealer has these trumps only, all batons, and other cards."""
    others = [t for t in (*TRUMPS, MATTO) if t not in trumps]
    rest = suit("S") + suit("C") + suit("D") + others
    dealer = [*trumps, *suit("B")]
    dealer += [rest.pop(0) for _ in range(28 - len(dealer))]
    return stacked([rest[:25], rest[25:], dealer], **declared)


@pytest.mark.parametrize("trumps", [["t1"], ["t1", MATTO]])
def test_a_lonely_bagatto_may_be_discarded(trumps: list[str]) -> None:
    """If it is the dealer's only trump, and the Matto is none; never with BAGATTO 0."""
    state = with_trumps(*trumps)
    assert "t1" in offered(state)
    assert MATTO not in offered(state)
    assert {"t1", "1B"} <= set(offered(put(state, "2B")))
    assert "t1" not in offered(with_trumps(*trumps, BAGATTO=0))
    put(state, "t1 1B")
    assert state.player == 0
    assert sorted(hand(state, 2, "SCARTO")) == ["1B", "2B", "t1"]


def test_a_bagatto_is_not_made_lonely() -> None:
    """To discard the dealer's other trump first does not set the bagatto free."""
    state = with_trumps("t1", "t7")
    assert "t1" not in offered(state)
    assert "t7" in offered(state)
    assert "t1" not in offered(put(state, "t7"))


def test_the_discards_are_secret(game: Game) -> None:
    """Nobody but the dealer knows them."""
    state = game.start(3)
    for _ in range(3):
        state.play(0)
    thrown = sorted(hand(state, 2, "SCARTO"))
    imagined = {
        seat: {
            tuple(sorted(hand(state.determinise(seat, Stream(seed), "known"), 2, "SCARTO")))
            for seed in range(20)
        }
        for seat in range(3)
    }
    assert imagined[2] == {tuple(thrown)}
    assert len(imagined[0]) > 10
    assert len(imagined[1]) > 10


def test_which_cards_may_be_played(deals: list[Deal]) -> None:
    """Follow suit, or else trump, or else play anything; and the Matto at any time."""
    seen = Counter[str]()
    for deal in deals:
        for trick in deal.tricks:
            cards: list[str] = []
            for play in trick:
                assert sorted(map(str, play.offered)) == sorted(legal(play.hand, cards))
                suit = led(cards)
                if play.card in TRUMPS and suit not in ("", "t"):
                    seen["ruffs"] += 1
                    seen["undertrumps"] += any(
                        card in TRUMPS and strength(card) > strength(play.card) for card in cards
                    )
                if play.card == MATTO:
                    seen[f"matto {len(cards)}"] += 1
                cards.append(play.card)
    assert seen["ruffs"] > 100
    assert seen["undertrumps"]
    assert all(seen[f"matto {place}"] for place in range(3))


def test_suit_must_be_followed() -> None:
    """With swords in hand only those, or the Matto, whatever the strength."""
    hands = [
        suit("S", "13456789TJNQ") + suit("B", LONG[1:]),
        ["2S", "KS", MATTO, *suit("C"), *suit("D", LONG[:8])],
        [*TRUMPS, "1B", *suit("D", LONG[8:])],
    ]
    state = put(stacked(hands), "1B 9D TD 5S")
    assert sorted(offered(state)) == ["2S", "KS", MATTO]


def test_who_cannot_follow_must_trump() -> None:
    """With any trump, also a lower one than that of another player; or with the Matto."""
    state = put(void_dealer(), "5S")
    assert sorted(offered(state)) == [MATTO, "t10", "t15"]
    put(state, "t15")
    trumps = [t for t in TRUMPS if t not in ("t10", "t15")]
    assert sorted(offered(state)) == sorted(trumps)
    assert put(state, "t1").player == 1


def test_who_has_no_trump_plays_anything() -> None:
    """Coins are led: the dealer follows suit; player 1 has neither coins nor trumps."""
    state = put(void_dealer(), "5S t15 t1 1D")
    assert sorted(offered(state)) == sorted(suit("D", "TJNQK"))
    put(state, "TD")
    assert sorted(offered(state)) == sorted(suit("S", "12346789TJNQK") + suit("B", LONG[:11]))


def test_the_matto_stays_with_its_player() -> None:
    """It wins nothing; the winner of the trick takes the two other cards."""
    state = put(void_dealer(), "5S matto t1")
    assert state.player == 2
    assert taken(state, 0) == []
    assert taken(state, 1) == [MATTO]
    assert sorted(taken(state, 2)) == ["5S", "t1"]


def test_the_matto_led() -> None:
    """The next player plays any card, which says what suit must be followed."""
    state = put(void_dealer(), "5S t15 t1 matto")
    assert len(offered(state)) == 24
    assert put(state.copy(), "TD 6S").player == 2
    assert put(state.copy(), "KB 2B").player == 2
    state = put(state, "KB")
    assert sorted(offered(state)) == sorted(suit("B", LONG[:11]))
    put(state, "1B")
    assert sorted(taken(state, 1)) == sorted(["5S", "t15", "t1", MATTO])
    assert taken(state, 2) == ["1B", "KB"]


@pytest.mark.parametrize("reversed_suits", [0, 1])
@pytest.mark.parametrize("pair", ["SC", "BD"])
def test_the_order_of_the_cards(pair: str, reversed_suits: int) -> None:
    """Angel, world, nineteen to bagatto; king, queen, knight, knave, then ten to one.

    In cups and coins one comes before two, and so on to ten, but not with REVERSED 0.
    """
    orders = [
        suit(pair[0]),
        suit(pair[1], ROUND if reversed_suits else LONG),
        TRUMPS,
    ]
    first = [card for order in orders for card in order[0::2]]
    second = [MATTO, *(card for order in orders for card in order[1::2])]
    dealer = [card for card in PACK if card not in (*first, *second)]
    start = stacked([first, second, dealer], REVERSED=reversed_suits)
    while start.player == 2:
        start.play(0)
    spare = offered(put(start.copy(), f"{first[0]} {second[1]}"))[0]
    for order in orders:
        for mine, its in product(range(0, len(order), 2), range(1, len(order), 2)):
            state = put(start.copy(), f"{order[mine]} {order[its]} {spare}")
            assert state.player == (0 if mine > its else 1)


def test_the_winner_of_a_trick_leads_the_next(deals: list[Deal]) -> None:
    """Player 1 leads the first one, though the dealer has discarded before."""
    for deal in deals:
        leader = 0
        assert len(deal.tricks) == 25
        for trick in deal.tricks:
            assert [play.seat for play in trick] == [(leader + i) % 3 for i in range(3)]
            leader = trick[winning([play.card for play in trick])].seat


def piles(deal: Deal) -> list[list[str]]:
    """Return what each player has won, with the dealer's discards."""
    won: list[list[str]] = [[], [], [card for _, card in deal.discards]]
    for trick in deal.tricks:
        taker = trick[winning([play.card for play in trick])].seat
        for play in trick:
            won[play.seat if play.card == MATTO else taker].append(play.card)
    return won


def test_scores(deals: list[Deal]) -> None:
    """There are 78 points in threes of cards; the score is what a player has beyond 26."""
    for deal in deals:
        counted = [points(pile) for pile in piles(deal)]
        assert sum(counted) == 78
        assert deal.scores == tuple(each - 26 for each in counted)
    assert {min(deal.scores) < 0 < max(deal.scores) for deal in deals} == {True}


def test_the_matto_in_the_last_trick(game: Game) -> None:
    """Whoever keeps the Matto to the end must play it then, and keeps it all the same."""
    places = set()
    for seed in range(12):
        choose = preferring(seed, 3, lambda at, option: card_of(at, option) != MATTO)
        deal = dealt(game, seed, choose)
        last = [play.card for play in deal.tricks[-1]]
        assert MATTO in last
        places.add(last.index(MATTO))
        assert deal.scores == tuple(points(pile) - 26 for pile in piles(deal))
    assert places == {0, 1, 2}


def test_plain_points() -> None:
    """With PAR 0 the points themselves are the scores."""
    game = interpreted("scarto", PAR=0)
    for seed in range(3):
        deal = dealt(game, seed)
        assert deal.scores == tuple(points(pile) for pile in piles(deal))


def test_a_deal_counted_by_hand() -> None:
    """All tricks are player 1's; the Matto is four points, and two queens and a knight nine.

    Four, four and three less two are the nine of the dealer's discards; 65 are left of 78.
    """
    hands = [
        [*TRUMPS, *suit("S", "JNQK")],
        [MATTO, *suit("C"), *suit("S", "123456789T")],
        suit("B") + suit("D"),
    ]
    for declared, scores in (({"PAR": 0}, (65, 4, 9)), ({}, (39, -22, -17))):
        state = put(stacked(hands, **declared), "QB QD NB")
        while not state.finished:
            state.play(0)
        assert state.scores == scores


def test_without_discards_the_last_cards_count_for_the_dealer() -> None:
    """With TAKES 0 the dealer plays the 25 cards dealt, and has the last three among the tricks."""
    game = interpreted("scarto", preset="valet")
    for seed in range(3):
        state = game.start(seed)
        hands = [hand(state, seat) for seat in range(3)]
        assert list(map(len, hands)) == [25, 25, 25]
        assert state.player == 0
        left = {code(card) for card in game.cards} - set(chain(*hands))
        choose = preferring(seed, 3)
        while not state.finished:
            assert state.option_count <= 25
            state.play(choose(state))
        assert len(state.choices) == 75
        assert left <= set(taken(state, 2))
        assert sum(state.scores) == 0
