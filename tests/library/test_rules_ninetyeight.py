"""Ninety-Eight as its rules say: games follow a model, single cards are played from small packs."""

from collections.abc import Callable
from typing import Any

import pytest
from library_playing import (
    FULL_PACK,
    RANKS,
    SUITS,
    Chooser,
    by_number,
    card_of,
    codes,
    decisions,
    finish,
    hand,
    interpreted,
    offered,
    preferring,
    seeds,
    shuffled,
)

from cardwright import Game, Option, State, Stream
from cardwright.game.find import find
from cardwright.syntax.source import Source

VALUE = {rank: at for at, rank in enumerate("A23456789", start=1)} | {"T": -10, "J": 0, "Q": 0}


@pytest.fixture(scope="module", params=[2, 3, 4, 5, 6])
def game(request: pytest.FixtureRequest) -> Game:
    return interpreted("ninetyeight", PLAYERS=request.param)


def total(state: State) -> int:
    return state.integer(None, "TOTAL")


def pile(state: State) -> tuple[str, ...]:
    return codes(state.cards(None, "vloc", "PILE"))


def stock(state: State) -> tuple[str, ...]:
    return codes(state.cards(None, "iloc", "STOCK"))


def play(state: State, *cards: str) -> State:
    for card in cards:
        assert not state.finished
        state.play(offered(state).index(card))
    return state


def ordered(pack: str, **declared: int) -> State:
    """Start a game that deals these cards first, from the top; only a new stock is shuffled."""
    ranks = {short: long for long, short in RANKS.items()}
    suits = {short: long for long, short in SUITS.items()}
    moves = " ".join(
        f"(move (top (filter (game iloc STOCK) 'X (and (== (cardatt RANK 'X) {ranks[card[0]]})"
        f" (== (cardatt SUIT 'X) {suits[card[1]]})))) (top (game iloc STOCK)))"
        for card in reversed(pack.split())
    )
    text = find("ninetyeight").text
    assert text.count("(shuffle (game iloc STOCK))") == 2
    source = Source("ninetyeight-ordered", text.replace("(shuffle (game iloc STOCK))", moves, 1))
    return Game.from_source(source, declared=declared, engine="interpreter").start(0)


def alone(cards: str, **declared: int) -> State:
    """Start a game for two who play these cards in turn, each from a hand of a single one."""
    settings = {"PLAYERS": 2, "HANDSIZE": 1} | declared
    state = ordered(cards, **settings)
    for card in cards.split():
        assert offered(state) == (card,)
        play(state, card)
    return state


def after(total_before: int, card: str, *, king: int = 98, turn: bool = False) -> int:
    """Return the total that a card makes."""
    if card[0] == "K":
        return king or total_before
    return total_before + (0 if turn and card[0] == "4" else VALUE[card[0]])


@pytest.mark.parametrize(
    "declared", [{}, {"KING": 0}, {"TURN": 1}, {"KING": 50, "TURN": 1, "LIMIT": 70}], ids=str
)
@pytest.mark.parametrize("players", [2, 4, 6])
def test_whole_games(players: int, declared: dict[str, Any]) -> None:
    """Hands, turns, totals, the draw, the new stock and the loser are those of a model."""
    game = interpreted("ninetyeight", PLAYERS=players, **declared)
    limit, turns = declared.get("LIMIT", 98), declared.get("TURN") == 1
    for seed in seeds(10):
        stream = Stream(seed)
        pack = list(codes(game.cards))
        stream.shuffle(pack)
        hands = [by_number(game, [pack.pop() for _ in range(4)]) for _ in range(players)]
        played: list[str] = []
        count, seat, way = 0, 0, 1
        for state, option in decisions(game, seed):
            assert count <= limit
            assert state.player == seat
            assert [list(hand(state, s)) for s in range(players)] == hands
            assert list(offered(state)) == hands[seat]
            assert total(state) == count
            assert list(stock(state)) == pack
            card = card_of(state, option)
            assert card is not None
            count = after(count, card, king=declared.get("KING", 98), turn=turns)
            way = -way if turns and card[0] == "4" else way
            hands[seat].remove(card)
            played.append(card)
            if not pack:
                pack, played = played[:-1], played[-1:]
                stream.shuffle(pack)
            hands[seat] = by_number(game, [*hands[seat], pack.pop()])
            loser, seat = seat, (seat + way) % players
        assert state.finished
        assert total(state) == count > limit
        assert state.scores == tuple(int(s == loser) for s in range(players))


def test_the_deal(game: Game) -> None:
    """Four cards each from 52, no card on the pile, and a total of nothing."""
    for seed in seeds(5):
        pack = shuffled(game, seed)
        state = game.start(seed)
        for seat in range(game.players):
            assert list(hand(state, seat)) == by_number(game, [pack.pop() for _ in range(4)])
        assert list(stock(state)) == pack
        assert pile(state) == ()
        assert (total(state), state.player) == (0, 0)
    assert sorted(codes(game.cards)) == FULL_PACK


@pytest.mark.parametrize(
    ("cards", "result"),
    [
        ("AC", 1),
        ("2C", 2),
        ("3C", 3),
        ("4C", 4),
        ("5C", 5),
        ("6C", 6),
        ("7C", 7),
        ("8C", 8),
        ("9C", 9),
        ("TC", -10),
        ("JC", 0),
        ("QC", 0),
        ("KC", 98),
        ("9C 9D JC QC TC", 8),
        ("TC TD 5C", -15),
        ("KC TC", 88),
        ("KC TC 9C", 97),
        ("KC KD", 98),
        ("KC JC QC TC TD KD", 98),
        ("TC KC", 98),
    ],
)
def test_what_the_cards_count(cards: str, result: int) -> None:
    """Plain values; ten is minus ten, jack and queen are nothing, the king makes it 98."""
    state = alone(cards)
    assert not state.finished
    assert total(state) == result


def test_ninety_eight_is_safe_and_more_loses() -> None:
    """The total may reach 98; whoever takes it higher loses at once."""
    assert total(alone("KC TC 9C AC")) == 98
    assert not alone("KC TC 9C AC").finished
    state = alone("KC TC 9C 2C")
    assert state.finished
    assert state.scores == (0, 1)
    assert state.ranks == (0, 1)
    assert alone("KC AC").scores == (0, 1)
    assert alone("KC JC AC").scores == (1, 0)


def test_the_others_win_together() -> None:
    """There is one loser; all others share the win."""
    for seed in seeds(10):
        state = finish(interpreted("ninetyeight"), seed)
        assert sorted(state.scores) == [0, 0, 0, 1]
        assert sorted(state.wins) == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3])


def test_any_card_may_and_some_card_must_be_played() -> None:
    """A card that loses may be played with a safe one in hand; with none one must lose."""
    pack = "KC 2C 3C 4C  9D 5D TD JD"
    state = play(ordered(pack, PLAYERS=2), "KC")
    assert offered(state) == ("5D", "9D", "TD", "JD")
    assert play(state.copy(), "5D").scores == (0, 1)
    assert not play(state.copy(), "JD").finished
    # All of the first player's cards are too high now, but there is no passing.
    play(state, "JD")
    assert offered(state)[:3] == ("2C", "3C", "4C")
    assert play(state, "3C").scores == (1, 0)


def test_a_card_is_drawn_for_the_one_played() -> None:
    """The player draws the top of the stock after playing, into the same hand."""
    state = ordered("2C 3C 4C 5C  6C 7C 8C 9C  QC QD", PLAYERS=2)
    play(state, "3C", "6C")
    assert hand(state, 0) == ("2C", "4C", "5C", "QC")
    assert hand(state, 1) == ("7C", "8C", "9C", "QD")
    assert pile(state) == ("3C", "6C")


def test_the_king_is_declared() -> None:
    """With KING 0 it leaves the total alone; with another number it makes the total that."""
    assert total(alone("9C 8C KC", KING=0)) == 17
    assert total(alone("9C 8C KC", KING=50)) == 50
    assert total(alone("9C 8C KC KD TC", KING=50)) == 40
    assert total(alone("TC KC", KING=0)) == -10


def test_the_limit_is_declared() -> None:
    """With LIMIT 20 the total may reach 20."""
    assert not alone("9C 8C 3C", LIMIT=20).finished
    assert alone("9C 8C 4C", LIMIT=20).scores == (1, 0)


def test_a_four_may_turn_the_direction() -> None:
    """As a rule a four is a four; with TURN it counts nothing and play goes the other way."""
    pack = "4C 2C 2D  4D 3C 3D  4H 5C 5D"
    plain = ordered(pack, PLAYERS=3, HANDSIZE=3)
    play(plain, "4C")
    assert (total(plain), plain.player) == (4, 1)
    play(plain, "4D", "5C")
    assert (total(plain), plain.player) == (13, 0)
    turning = ordered(pack, PLAYERS=3, HANDSIZE=3, TURN=1)
    play(turning, "4C")
    assert (total(turning), turning.player) == (0, 2)
    play(turning, "5C")
    assert (total(turning), turning.player) == (5, 1)
    play(turning, "4D")
    assert (total(turning), turning.player) == (5, 2)
    play(turning, "5D")
    assert (total(turning), turning.player) == (10, 0)


def cautious(seed: int, players: int) -> Chooser:
    """Return a chooser that plays tens, pictures and low cards first, so that games are long."""

    def safely(ranks: str) -> Callable[[State, Option], bool]:
        def wish(state: State, option: Option) -> bool:
            card = card_of(state, option)
            assert card is not None
            return card[0] in ranks and after(total(state), card, king=0) <= 98

        return wish

    return preferring(seed, players, *map(safely, ("TJQK", "A2", "34", "56789")))


def test_the_stock_is_renewed() -> None:
    """When it is used up, all cards of the pile but the last become a new stock."""
    renewed = 0
    for seed in seeds(5):
        before: tuple[str, ...] = ()
        kept: set[str] = set()
        left = 0
        game = interpreted("ninetyeight", PLAYERS=6, KING=0)
        for state, option in decisions(game, seed, cautious(seed, 6)):
            if len(before) > len(pile(state)):
                assert left == 0
                assert len(before) == 29
                assert pile(state) == before[-1:]
                (drawn,) = set(hand(state, ((state.player or 0) - 1) % 6)) - kept
                assert sorted([*stock(state), drawn]) == sorted(before[:-1])
                renewed += 1
            card = card_of(state, option)
            assert card is not None
            before, left = (*pile(state), card), len(stock(state))
            kept = {*hand(state, state.player or 0)} - {card}
    assert renewed > 3


def test_ten_new_stocks_are_allowed(game: Game) -> None:
    """If nothing else is declared, the pile becomes a new stock ten times at most."""
    assert game.declared["RESHUFFLES"] == 10


@pytest.mark.parametrize("most", [0, 2])
def test_the_round_is_bounded(most: int) -> None:
    """When the stock is used up and may not be renewed any more, nobody loses."""
    game = interpreted("ninetyeight", PLAYERS=6, KING=0, RESHUFFLES=most)
    ended = 0
    for seed in seeds(6):
        state = finish(game, seed, cautious(seed, 6))
        # 28 cards are in the first stock, and 28 are on the pile below the last when it is used up.
        assert len(state.choices) <= 28 * (1 + most)
        if total(state) <= 98:
            assert len(state.choices) == 28 * (1 + most)
            assert stock(state) == ()
            assert state.scores == (0,) * 6
            assert state.ranks == (0,) * 6
            ended += 1
        else:
            assert sum(state.scores) == 1
    assert ended
