"""Spite and Malice as its rules say, over stacked packs, and beside a reading of the table."""

from collections import Counter
from collections.abc import Iterable

import pytest
from library_playing import bare_options, decisions, interpreted, picked

from cardwright import Game, Option, State, Stream
from cardwright.game.find import find
from cardwright.program.cards import Card
from cardwright.syntax.source import Source

ORDER = "A23456789TJQ"
NAMES = "A,TWO,THREE,FOUR,FIVE,SIX,SEVEN,EIGHT,NINE,TEN,J,Q,K,JOKER"
LONG = dict(zip("A23456789TJQK*", NAMES.split(","), strict=True))
SHORT = {long: short for short, long in LONG.items()}
SUITS = ("CLUBS", "SPADES", "DIAMONDS", "HEARTS")


def ranks(cards: Iterable[Card]) -> str:
    """Return the ranks of cards, a character each; a joker is a star."""
    return "".join(SHORT[card.attributes["RANK"]] for card in cards)


def laid(
    pay: tuple[str, str],
    hands: tuple[str, str],
    stock: str = "",
    jokers: int = 0,
    seed: int = 0,
    **declared: int,
) -> State:
    """Return the start of a game with these ranks in the piles.

    Pay-off piles and the stock are given from the top; piles of the players must be equally long.
    """
    dealt = "".join(pile[::-1] + cards for pile, cards in zip(pay, hands, strict=True)) + stock
    moves = "".join(
        f"(move (bottom (filter (game iloc STOCK) 'X (== (cardatt RANK 'X) {LONG[rank]})))"
        " (top (game iloc STOCK)))"
        for rank in reversed(dealt)
    )
    text = find("spiteandmalice").text.replace("(shuffle (game iloc STOCK))", moves, 1)
    declared = {"PAYOFF": len(pay[0]), "HANDSIZE": len(hands[0]), "JOKERS": jokers, **declared}
    source = Source("spiteandmalice-laid", text)
    return Game.from_source(source, declared=declared, engine="interpreter").start(seed)


def hand(state: State, seat: int) -> str:
    return ranks(state.cards(seat, "iloc", "HAND"))


def pay(state: State, seat: int) -> str:
    """Return the open card of a pay-off pile."""
    return ranks(state.cards(seat, "vloc", "PAYOFF"))


def covered(state: State, seat: int) -> str:
    return ranks(state.cards(seat, "hloc", "PAYOFF"))


def side(state: State, seat: int, at: int) -> str:
    return ranks(state.cards(seat, "vloc", "SIDE", at))


def center(state: State, at: int) -> str:
    return ranks(state.cards(None, "vloc", "CENTER", at))


def stock(state: State) -> str:
    return ranks(state.cards(None, "iloc", "STOCK"))


def complete(state: State) -> str:
    return ranks(state.cards(None, "vloc", "COMPLETE"))


def discarding(state: State) -> bool:
    return state.string(None, "STEP") == "DISCARDING"


def meaning(state: State, option: Option) -> str:
    """Return what an option does.

    `pay>1`, `7>1` or `s2>1`: build on pile 1 with the pay-off card, a seven of the hand or side
    stack 2; `stop`; `7|2`: discard a seven on side stack 2.
    """
    pile, stack = picked(option, "PILE"), picked(option, "STACK")
    if not discarding(state) and option.content.branch != 1:
        return {0: f"pay>{pile}", 2: f"s{stack}>{pile}", 3: "stop"}[option.content.branch]
    after, seat = state.copy(), state.player or 0
    after.play(option)
    before = state.cards(seat, "iloc", "HAND")
    if discarding(state):
        (card,) = set(before) & set(after.cards(seat, "vloc", "SIDE", int(str(stack))))
        return f"{ranks([card])}|{stack}"
    now = (*after.cards(None, "vloc", "COMPLETE"), *after.cards(None, "iloc", "STOCK"))
    (card,) = set(before) & {*after.cards(None, "vloc", "CENTER", int(str(pile))), *now}
    return f"{ranks([card])}>{pile}"


def meanings(state: State) -> list[str]:
    return [meaning(state, option) for option in bare_options(state)]


def do(state: State, moves: str) -> State:
    for each in moves.split():
        state.play(meanings(state).index(each))
    return state


def throw(state: State, moves: str) -> State:
    """Let the players in turn stop and discard."""
    return do(state, " ".join(f"stop {each}" for each in moves.split()))


def expected(state: State) -> list[str]:
    """Return the options that the rules allow, as the table shows it; equal ones once."""
    seat = state.player or 0
    declared = state.game.declared
    sides = range(1, int(str(declared["SIDES"])) + 1)
    empty = [at for at in sides if not side(state, seat, at)][:1]
    stacks = [at for at in sides if side(state, seat, at)]
    if discarding(state):
        return [f"{rank}|{at}" for rank in set(hand(state, seat)) for at in stacks + empty]
    centers = range(1, int(str(declared["CENTERS"])) + 1)
    piles = [at for at in centers if center(state, at)]
    piles += [at for at in centers if not center(state, at)][:1]
    cards = [("pay", pay(state, seat))]
    cards += [(rank, rank) for rank in set(hand(state, seat))]
    cards += [(f"s{at}", side(state, seat, at)[-1]) for at in stacks]
    builds = [
        f"{name}>{at}"
        for name, rank in cards
        for at in piles
        if rank in "K*" or ORDER.index(rank) == len(center(state, at))
    ]
    return [*builds, "stop"]


@pytest.fixture(scope="module")
def game() -> Game:
    return interpreted("spiteandmalice")


def test_the_pack() -> None:
    """Two packs of 52 cards, and as many jokers as are declared."""
    for jokers in (0, 3):
        cards = interpreted("spiteandmalice", JOKERS=jokers).cards
        plain = [card for card in cards if "SUIT" in card.attributes]
        count = Counter(card.attributes["SUIT"] + ranks([card]) for card in plain)
        assert count == {suit + rank: 2 for suit in SUITS for rank in ORDER + "K"}
        assert ranks(card for card in cards if "SUIT" not in card.attributes) == "*" * jokers


def test_the_deal(game: Game) -> None:
    """Twenty cards for each pay-off pile, the top one open; five for each hand; 54 are left."""
    opened = set()
    for seed in range(10):
        state = game.start(seed)
        assert [len(covered(state, seat)) for seat in range(2)] == [19, 19]
        assert [len(pay(state, seat)) for seat in range(2)] == [1, 1]
        assert [len(hand(state, seat)) for seat in range(2)] == [5, 5]
        assert len(stock(state)) == 54
        assert state.player == 0
        opened.add(pay(state, 0) + pay(state, 1) + hand(state, 0))
    assert len(opened) == 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_what_may_be_done(game: Game, seed: int) -> None:
    """At every decision exactly the options are there that the table allows, each of them once."""
    for state, _ in decisions(game, seed):
        assert sorted(meanings(state)) == sorted(expected(state))
        assert state.player is not None
        if not discarding(state):
            assert hand(state, state.player)


@pytest.mark.parametrize("seed", range(2))
def test_what_may_be_done_with_other_values(seed: int) -> None:
    """So it is with fewer piles and stacks, and with jokers."""
    other = interpreted(
        "spiteandmalice",
        PAYOFF=6,
        CENTERS=2,
        SIDES=3,
        JOKERS=6,
        HANDSIZE=4,
    )
    for state, _ in decisions(other, seed):
        assert sorted(meanings(state)) == sorted(expected(state))


def test_building_up() -> None:
    """A pile begins with an ace and goes up by one, whatever the suits; nothing fits twice."""
    state = laid(("9999", "8888"), ("A236T", "77777"))
    assert meanings(state) == ["A>1", "stop"]
    do(state, "A>1")
    assert meanings(state) == ["2>1", "stop"]
    do(state, "2>1 3>1")
    assert meanings(state) == ["stop"]
    assert center(state, 1) == "A23"


def test_kings_are_wild() -> None:
    """A king begins a pile or goes on any other, and stands for the card that was due."""
    state = laid(("9999", "8888"), ("AK3KQ", "77777"))
    assert meanings(state) == ["A>1", "K>1", "stop"]
    do(state, "A>1")
    assert meanings(state) == ["K>1", "K>2", "stop"]
    do(state, "K>1")
    assert sorted(meanings(state)) == ["3>1", "K>1", "K>2", "stop"]
    do(state, "3>1 K>2")
    assert center(state, 1) == "AK3"
    assert center(state, 2) == "K"
    assert meanings(state) == ["stop"]


def test_jokers_are_wild_too() -> None:
    """A joker may be laid wherever a king may, also on a king."""
    state = laid(("*999", "8888"), ("*K3QQ", "77777"), jokers=2)
    assert sorted(meanings(state)) == ["*>1", "K>1", "pay>1", "stop"]
    do(state, "K>1 pay>1 3>1")
    assert center(state, 1) == "K*3"
    assert sorted(meanings(state)) == ["*>1", "*>2", "stop"]


def test_the_pay_off_pile() -> None:
    """Its open card can be built with; then the next one is turned up, which was hidden before."""
    state = laid(("A2Q", "888"), ("9JJTT", "77777"))
    assert pay(state, 0) == "A"
    assert covered(state, 0) == "Q2"
    stream = Stream(1)
    assert len({covered(state.determinise(0, stream), 0) for _ in range(30)}) > 5
    do(state, "pay>1")
    assert pay(state, 0) == "2"
    assert covered(state, 0) == "Q"
    do(state, "pay>1")
    assert pay(state, 0) == "Q"
    assert meanings(state) == ["stop"]
    assert state.player == 0


def test_the_last_pay_off_card_wins() -> None:
    """The game ends at once with the last card of a pay-off pile; the other's cards are counted."""
    state = laid(("A2", "88"), ("9JJTT", "77777"))
    do(state, "pay>1 pay>1")
    assert state.finished
    assert state.scores == (0, 2)
    assert state.ranks == (0, 1)


def test_a_discard_ends_the_turn() -> None:
    """Whoever stops must discard; then the opponent plays, and fills up the hand before."""
    state = laid(("9999", "8888"), ("A2JJT", "3777K"), "566")
    do(state, "A>1 2>1 stop")
    assert sorted(meanings(state)) == ["J|1", "T|1"]
    do(state, "J|1")
    assert state.player == 1
    assert sorted(hand(state, 1)) == sorted("3777K")
    assert side(state, 0, 1) == "J"
    assert sorted(meanings(state)) == ["3>1", "K>1", "K>2", "stop"]
    do(state, "3>1 stop 7|1")
    assert state.player == 0
    assert sorted(hand(state, 0)) == sorted("JT566")
    assert stock(state)[-1:] not in {"5", ""}


def test_side_stacks() -> None:
    """A discard goes on any of the own stacks, upon what lies there; an empty one is told once."""
    state = throw(laid(("9999", "8888"), ("44QTT", "77777"), "QJJ6"), "4|1 7|1")
    do(state, "stop")
    assert sorted(meanings(state)) == sorted(f"{rank}|{at}" for rank in "4QT" for at in (1, 2))
    do(state, "T|2")
    throw(state, "7|1")
    do(state, "stop")
    assert {f"4|{at}" for at in (1, 2, 3)} <= set(meanings(state))
    do(state, "Q|1")
    assert [side(state, 0, at) for at in (1, 2, 3, 4)] == ["4Q", "T", "", ""]
    assert side(state, 1, 1) == "77"


def test_building_from_side_stacks() -> None:
    """Only the top card of an own stack can be used; the one below follows, the other's never."""
    state = throw(laid(("9999", "8888"), ("2AQTT", "A7777"), "33"), "2|1 A|1")
    assert sorted(meanings(state)) == ["A>1", "stop"]
    throw(state, "A|1 7|2")
    assert side(state, 0, 1) == "2A"
    assert "s1>1" in meanings(state)
    do(state, "s1>1")
    assert center(state, 1) == "A"
    assert "s1>1" in meanings(state)
    do(state, "s1>1")
    assert center(state, 1) == "A2"
    assert side(state, 0, 1) == ""


def test_a_king_may_be_discarded_and_used_later() -> None:
    """A king on a side stack covers what lies there, and stays wild."""
    state = throw(laid(("9999", "8888"), ("KKQTT", "77777"), "Q"), "K|1 7|1")
    assert sorted(meanings(state)) == ["K>1", "s1>1", "stop"]
    do(state, "K>1")
    assert sorted(meanings(state)) == ["s1>1", "s1>2", "stop"]


def test_the_whole_hand_played() -> None:
    """A player without cards in hand draws a new hand at once and goes on."""
    state = laid(("9999", "8888"), ("A2345", "77777"), "6J6TK3")
    do(state, "A>1 2>1 3>1 4>1")
    assert hand(state, 0) == "5"
    do(state, "5>1")
    assert state.player == 0
    assert sorted(hand(state, 0)) == sorted("6J6TK")
    assert sorted(meanings(state)) == ["6>1", "K>1", "K>2", "stop"]


def test_the_last_card_discarded() -> None:
    """Discarding the last card of the hand ends the turn; new cards come with the next turn."""
    state = laid(("9999", "8888"), ("A2", "77"), "6J65", HANDSIZE=2)
    do(state, "A>1 stop 2|1")
    assert state.player == 1
    assert hand(state, 0) == ""
    throw(state, "7|1")
    assert state.player == 0
    assert sorted(hand(state, 0)) == ["6", "J"]


def test_equal_ranks_are_one_choice() -> None:
    """Two aces of the hand are offered once, and one of them is laid down."""
    state = laid(("A999", "8888"), ("AA2TT", "77777"))
    assert sorted(meanings(state)) == ["A>1", "pay>1", "stop"]
    do(state, "A>1")
    assert hand(state, 0).count("A") == 1


def test_four_piles_at_most() -> None:
    """With all places of the center taken no pile can be begun."""
    state = laid(("AAAA", "8888"), ("AAAAK", "77777"), CENTERS=3)
    do(state, "pay>1 pay>2")
    assert sorted(meanings(state)) == ["A>3", "K>1", "K>2", "K>3", "pay>3", "stop"]
    do(state, "A>3")
    assert sorted(meanings(state)) == ["K>1", "K>2", "K>3", "stop"]
    again = do(laid(("AAAAAA", "888888"), ("2TTTT", "77777")), "pay>1 pay>2 pay>3 pay>4")
    assert sorted(meanings(again)) == ["2>1", "2>2", "2>3", "2>4", "stop"]


def test_a_complete_pile() -> None:
    """With its twelfth card a pile is set aside, and its place is free; kings count as cards."""
    state = laid(("9999", "8888"), ("A2345", "77777"), "678KTJ3Q33")
    do(state, "A>1 2>1 3>1 4>1 5>1 6>1 7>1 8>1 K>1 T>1 J>1")
    assert center(state, 1) == "A2345678KTJ"
    assert complete(state) == ""
    do(state, "Q>1")
    assert center(state, 1) == ""
    assert sorted(complete(state)) == sorted("A2345678KTJQ")
    assert state.player == 0
    assert hand(state, 0) == "333"


def test_the_stock_is_renewed() -> None:
    """When a card has to be drawn and the stock is gone, the complete piles are a new stock."""
    hands, drawn = ("A2345", "2AAA2"), "6789TJQ3A42334"
    rest = Counter(dict.fromkeys(ORDER + "K", 8)) - Counter("".join(hands) + drawn + "99")
    others = "".join(rest.elements())
    orders = set()
    for seed in range(3):
        state = laid(("9" + others[:39], "9" + others[39:]), hands, drawn, seed=seed)
        do(state, "A>1 2>1 3>1 4>1 5>1 6>1 7>1 8>1 9>1 T>1 J>1 Q>1")
        assert stock(state) == drawn[:9:-1]
        throw(state, "3|1 2|1 A|1")
        assert [len(hand(state, seat)) for seat in range(2)] == [4, 5]
        assert stock(state) == ""
        assert len(complete(state)) == 12
        held = Counter(hand(state, 0))
        throw(state, "2|1")
        assert complete(state) == ""
        assert len(stock(state)) == 11
        assert Counter(stock(state)) + Counter(hand(state, 0)) - held == Counter(ORDER)
        orders.add(stock(state))
    assert len(orders) == 3


def test_nothing_to_draw() -> None:
    """Without a stock players go on with fewer cards; the game ends when one has none."""
    state = interpreted("spiteandmalice", PAYOFF=47).start(0)
    assert stock(state) == ""
    for discards in range(10):
        assert not state.finished
        assert state.player == discards % 2
        assert len(hand(state, discards % 2)) == 5 - discards // 2
        state.play(meanings(state).index("stop"))
        state.play(0)
    assert state.finished
    assert state.scores == (47, 47)


def test_the_limit() -> None:
    """The game ends after LIMIT cards have been put down, built or discarded."""
    state = laid(("A999", "8888"), ("2QQQQ", "77777"), LIMIT=4)
    do(state, "pay>1 2>1")
    throw(state, "Q|1")
    do(state, "stop")
    assert not state.finished
    do(state, "7|1")
    assert state.finished
    assert state.scores == (3, 4)


def test_the_opponent_learns_nothing_of_a_hand(game: Game) -> None:
    """A hand is hidden from the opponent; so are the covered cards, and the stock from both."""
    state, stream = game.start(5), Stream(2)
    worlds = [state.determinise(0, stream) for _ in range(20)]
    assert all(hand(world, 0) == hand(state, 0) for world in worlds)
    assert len({hand(world, 1) for world in worlds}) > 10
    assert len({stock(world) for world in worlds}) > 10
