"""Goofspiel as its rules say, settled bid by bid without the engine."""

from collections.abc import Sequence

import pytest
from library_playing import (
    Chooser,
    at_random,
    bare_options,
    card_of,
    codes,
    decisions,
    finish,
    hand,
    interpreted,
    offered,
    seeds,
)

from cardwright import Game, Option, State, Stream

LOW_TO_HIGH = "A23456789TJQK"
DIAMONDS = [rank + "D" for rank in LOW_TO_HIGH]


@pytest.fixture(scope="module")
def game() -> Game:
    return interpreted("goofspiel")


@pytest.fixture(scope="module")
def carrying() -> Game:
    return interpreted("goofspiel", CARRY=1)


def prizes(seed: int) -> list[str]:
    """The prizes in the order in which they are turned up."""
    pack = list(DIAMONDS)
    Stream(seed).shuffle(pack)
    return pack[::-1]


def value(card: str) -> int:
    return LOW_TO_HIGH.index(card[0]) + 1


def settled(order: Sequence[str], bids: Sequence[Sequence[str]], carry: bool) -> list[list[str]]:
    """What player 1 wins, what player 2 wins, and what nobody wins, in order."""
    won: list[list[str]] = [[], [], []]
    offer: list[str] = []
    for prize, mine, yours in zip(order, bids[0], bids[1], strict=True):
        offer.append(prize)
        if value(mine) != value(yours):
            won[value(mine) < value(yours)] += offer
            offer = []
        elif not carry:
            won[2] += offer
            offer = []
    won[2] += offer
    return won


def bidding(*plans: str) -> Chooser:
    """Let the players bid just these ranks, in this order."""

    def choose(state: State) -> Option:
        assert state.player is not None
        rank = plans[state.player][len(state.choices) // 2]
        (option,) = [o for o in bare_options(state) if (card_of(state, o) or " ")[0] == rank]
        return option

    return choose


def nobodys(state: State) -> list[str]:
    """The prizes that nobody has won: the lost ones, and those still on offer."""
    return list(
        codes(state.cards(None, "vloc", "LOST")) + codes(state.cards(None, "vloc", "OFFER"))
    )


def test_everybody_has_a_suit(game: Game) -> None:
    """Clubs for player 1, spades for player 2, diamonds as prizes, each with a back of its own."""
    for seed in seeds(5):
        state = game.start(seed)
        assert sorted(hand(state, 0)) == sorted(rank + "C" for rank in LOW_TO_HIGH)
        assert sorted(hand(state, 1)) == sorted(rank + "S" for rank in LOW_TO_HIGH)
        assert codes(state.cards(None, "vloc", "OFFER")) == (prizes(seed)[0],)
        assert len(state.cards(None, "iloc", "STOCK")) == 12
    backs = {(card.attributes["SUIT"], card.back) for card in game.cards}
    assert len(backs) == len({back for _, back in backs}) == 3


def test_twenty_six_decisions(game: Game) -> None:
    """Both players bid every card of their hand once: 13, 13, 12, 12, ... 1, 1 options."""
    for seed in seeds(10):
        left = [set(LOW_TO_HIGH), set(LOW_TO_HIGH)]
        counts = []
        for at, option in decisions(game, seed):
            seat = len(at.choices) % 2
            assert at.player == seat
            assert {(card or " ")[0] for card in offered(at)} == left[seat]
            counts.append(at.option_count)
            left[seat].remove((card_of(at, option) or " ")[0])
        assert counts == [n for n in range(13, 0, -1) for _ in range(2)]


@pytest.mark.parametrize("carry", [0, 1])
def test_the_higher_bid_takes_what_is_on_offer(carry: int) -> None:
    """Each prize goes to the higher bid, aces low; the score is what the prizes won are worth.

    After equal bids the prize is lost, or with CARRY it goes to the next winner.
    """
    game = interpreted("goofspiel", CARRY=carry)
    ties = 0
    for seed in range(100):
        bids: list[list[str]] = [[], []]
        state = game.start(seed)
        for at, option in decisions(game, seed):
            assert at.player is not None
            bids[at.player].append(card_of(at, option) or "")
            state = at
        won = settled(prizes(seed), bids, bool(carry))
        for seat in range(2):
            assert sorted(codes(state.cards(seat, "vloc", "WON"))) == sorted(won[seat])
            assert list(codes(state.cards(seat, "vloc", "SPENT"))) == bids[seat]
            assert state.scores[seat] == sum(map(value, won[seat]))
        assert sorted(nobodys(state)) == sorted(won[2])
        ties += sum(value(a) == value(b) for a, b in zip(*bids, strict=True))
    assert ties > 60


def test_mirrored_bids_win_nothing(game: Game, carrying: Game) -> None:
    """If all bids are equal nobody ever wins a prize, whether it is lost or carried on."""
    for each, place in ((game, "LOST"), (carrying, "OFFER")):
        state = finish(each, 4, bidding(LOW_TO_HIGH, LOW_TO_HIGH))
        assert state.scores == (0, 0)
        assert state.wins == (0.5, 0.5)
        assert sorted(codes(state.cards(None, "vloc", place))) == sorted(prizes(4))


def test_carried_prizes_go_together(carrying: Game, game: Game) -> None:
    """After eleven equal bids twelve prizes are at stake, then one; without CARRY one and one."""
    order = prizes(8)
    for each, first in ((carrying, sum(map(value, order[:12]))), (game, value(order[11]))):
        state = finish(each, 8, bidding(LOW_TO_HIGH, "A23456789TJKQ"))
        assert state.scores == (value(order[12]), first)


def test_one_more_than_the_prize_wins_all_but_the_king(game: Game) -> None:
    """Bids one higher than the prize, the ace on the king, beat bids of the prize's own rank.

    They win all prizes but the king: 78 to 13.
    """
    for seed in seeds(10):
        same = "".join(prize[0] for prize in prizes(seed))
        higher = "".join(LOW_TO_HIGH[value(prize) % 13] for prize in prizes(seed))
        assert finish(game, seed, bidding(same, higher)).scores == (13, 78)
        assert finish(game, seed, bidding(higher, same)).scores == (78, 13)


@pytest.mark.parametrize("mode", ["basic", "known"])
def test_the_first_bid_stays_secret(game: Game, mode: str) -> None:
    """When player 2 bids, player 1's bid may be any club not spent before, and nothing else."""
    stream = Stream(3)
    choose = at_random(2, 2)
    state = game.start(2)
    while len(state.choices) < 21:
        state.play(choose(state))
    spent = {card[0] for card in codes(state.cards(0, "vloc", "SPENT"))}
    assert len(spent) == 10
    assert state.player == 1
    imagined = [state.determinise(1, stream, mode) for _ in range(60)]
    bids = [codes(other.cards(0, "iloc", "BID")) for other in imagined]
    assert {bid for (bid,) in bids} == {r + "C" for r in set(LOW_TO_HIGH) - spent}
    held = {tuple(sorted(hand(other, 0) + bid)) for other, bid in zip(imagined, bids, strict=True)}
    assert held == {tuple(sorted(r + "C" for r in set(LOW_TO_HIGH) - spent))}


def test_both_bids_are_shown(game: Game) -> None:
    """After player 2's bid both lie open, on top of the bids spent before."""
    for at, option in decisions(game, 6):
        after = at.copy()
        after.play(option)
        assert at.player is not None
        top = [codes(after.cards(seat, "vloc", "SPENT"))[-1:] for seat in range(2)]
        if at.player == 1:
            assert top[1] == (card_of(at, option),)
            assert not after.cards(0, "iloc", "BID")
        else:
            assert codes(after.cards(0, "iloc", "BID")) == (card_of(at, option),)
            assert (card_of(at, option),) != top[0]


def test_the_order_of_the_prizes_is_unknown(game: Game) -> None:
    """Both players know the prize on offer, and of the others only which ones are left."""
    stream = Stream(5)
    state = game.start(1)
    for seat in range(2):
        imagined = [state.determinise(seat, stream) for _ in range(10)]
        assert {codes(i.cards(None, "vloc", "OFFER")) for i in imagined} == {(prizes(1)[0],)}
        orders = [codes(i.cards(None, "iloc", "STOCK")) for i in imagined]
        assert len(set(orders)) == 10
        assert all(sorted(order) == sorted(prizes(1)[1:]) for order in orders)
