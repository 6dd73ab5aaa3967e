"""Reversis as its rules say: a model of them is asked what is legal, who wins and what is paid."""

from dataclasses import dataclass

import pytest
from library_playing import (
    Play,
    assert_winners_lead,
    by_number,
    codes,
    decisions,
    hand,
    interpreted,
    offered,
    put,
    put_in_order,
    seeds,
    shuffled,
    winner,
)
from ordered_pack import ordered

from cardwright import Game, State

SEEDS = range(60)
QUINOLA = "JH"
PACK = sorted(rank + suit for rank in "23456789JQKA" for suit in "CDHS")
WORTH = {"A": 4, "K": 3, "Q": 2, "J": 1}
DOWN = "AKQJ98765432"
ALL_OCCASIONS = {f"{card} {how}" for card in ("AD", "AS", "JH") for how in ("off", "out", "led")}
ALLTRICKS = 223
"""A seed with which a random player makes all tricks."""


@dataclass(frozen=True)
class Deal:
    """One game: what is laid aside, who plays freely, the tricks, and the last state."""

    aside: list[str]
    free: set[int]
    rounds: list[list[Play]]
    state: State


def played(game: Game, seed: int) -> Deal:
    plays, free = [], set[int]()
    asked = 4 * int(game.declared["ESPAGNOLETTE"] == 1)
    for state, option in decisions(game, seed):
        assert state.player is not None
        number, seat = len(state.choices), state.player
        if number < 4:
            continue
        if number < 4 + asked:
            assert seat == number - 4
            strong = [card for card in hand(state, seat) if card[0] == "A" or card == QUINOLA]
            assert state.option_count == (2 if len(strong) >= 4 else 1)
            free |= {seat} if option.index else set()
            continue
        chosen = offered(state)
        card = chosen[option.index]
        assert card is not None
        plays.append(Play(seat, hand(state, seat), chosen, card))
    aside = [card for seat in range(4) for card in hand(state, seat, "ASIDE")]
    return Deal(aside, free, [plays[i : i + 4] for i in range(0, len(plays), 4)], state)


def result(deal: Deal) -> list[int]:
    """Return what everybody has won or lost."""
    taken = [winner(trick) for trick in deal.rounds]
    if len(set(taken[:9])) == 1:
        breakers = [seat for seat in taken[9:] if seat != taken[0]]
        if breakers:
            return [64 * ((seat == breakers[0]) - (seat == taken[0])) for seat in range(4)]
        return [48 if seat == taken[0] else -16 for seat in range(4)]
    paid, points = [0] * 4, [0] * 4
    for trick, best in zip(deal.rounds, taken, strict=True):
        leader, suit = trick[0].seat, trick[0].card[1]
        points[best] += sum(WORTH.get(play.card[0], 0) for play in trick)
        for play in trick:
            if play.card[0] == "A":
                price = 2 if play.card == "AD" else 1
                giver, payer = (play.seat, best) if play.card[1] != suit else (leader, play.seat)
                paid[giver] += price
                paid[payer] -= price
            if play.card == QUINOLA and suit != "H":
                paid[play.seat] += 25
            elif play.card == QUINOLA:
                paid[play.seat] -= 25
                paid[play.seat] -= 4 if play.seat != leader else 0
                paid[leader] += 4 if play.seat != leader else 0
    order = sorted(range(4), key=lambda s: (points[s], taken.count(s), (s + 1) % 4))
    party = 4 + sum(WORTH.get(card[0], 0) for card in deal.aside)
    paid[order[0]] += party
    paid[order[-1]] -= party
    return paid


def occasions(deal: Deal) -> set[str]:
    """Return what has been paid for in a deal."""
    found = set()
    for trick in deal.rounds:
        for play in trick:
            how = (
                "off" if play.card[1] != trick[0].card[1] else "led" if play is trick[0] else "out"
            )
            found |= {f"{play.card} {how}"} & ALL_OCCASIONS
    return found


@pytest.fixture(scope="module")
def game() -> Game:
    return interpreted("reversis")


@pytest.fixture(scope="module")
def deals(game: Game) -> list[Deal]:
    return [played(game, seed) for seed in (*SEEDS, ALLTRICKS)]


def dealt(hands: list[str], last: str, talon: str = "", **declared: int) -> State:
    """Deal these hands, to the dealer the last card besides, which is laid aside again.

    The others exchange nothing.
    """
    state = ordered("reversis", " ".join([*hands, last, talon]), **declared).start(0)
    for seat in range(3):
        assert state.player == seat
        state.play(0)
    return put(state, last)


def finished(state: State, hands: list[str], leads: str) -> tuple[float, ...]:
    return put_in_order(state, [each.split() for each in hands], leads).scores


def test_the_deal(game: Game) -> None:
    """Eleven of 48 cards each, a twelfth to the dealer, and three to the talon."""
    assert sorted(codes(game.cards)) == PACK
    for seed in seeds(10):
        state, pack = game.start(seed), shuffled(game, seed)
        hands = [[pack.pop() for _ in range(11)] for _ in range(4)]
        hands[3].append(pack.pop())
        for seat in range(4):
            assert list(hand(state, seat)) == by_number(game, hands[seat])
        assert list(codes(state.cards(None, "iloc", "STOCK"))) == pack


def test_the_exchange(game: Game) -> None:
    """A card laid aside is replaced by the next of the talon; or that card is looked at."""
    for seed in seeds(10):
        state = game.start(seed)
        talon = list(codes(state.cards(None, "iloc", "STOCK")))
        for seat in range(3):
            assert state.player == seat
            before = hand(state, seat)
            assert offered(state) == (None, *before)
            next_one = talon.pop()
            if (seed + seat) % 2:
                state.play(0)
                assert hand(state, seat) == before
                assert hand(state, seat, "ASIDE") == (next_one,)
            else:
                state.play(1)
                assert sorted(hand(state, seat)) == sorted((*before[1:], next_one))
                assert hand(state, seat, "ASIDE") == before[:1]
        before = hand(state, 3)
        assert state.player == 3
        assert offered(state) == before
        state.play(0)
        assert hand(state, 3) == before[1:]
        assert state.player == 0


def test_the_quinola_may_have_to_be_kept() -> None:
    """With KEPT at 1 it is not offered in the exchange."""
    for kept in (0, 1):
        hands = ["JH AC KC QC 9C 8C 7C 6C 5C 4C 3C"]
        state = ordered("reversis", hands[0], KEPT=kept).start(0)
        assert (QUINOLA in offered(state)) == (kept == 0)


def assert_legal(deal: Deal, placing: bool = True) -> int:
    """Everybody follows suit, or else throws off the quinola; return how often it had to be."""
    forced = 0
    for number, trick in enumerate(deal.rounds):
        assert trick[0].offered == trick[0].hand
        for play in trick[1:]:
            same = tuple(card for card in play.hand if card[1] == trick[0].card[1])
            if play.seat in deal.free and number < 9:
                assert play.offered == play.hand
            elif not same and QUINOLA in play.hand and placing and play.seat not in deal.free:
                assert play.offered == (QUINOLA,)
                forced += 1
            else:
                assert play.offered == (same or play.hand)
    return forced


def test_suit_is_followed_and_the_quinola_placed(deals: list[Deal]) -> None:
    assert sum(assert_legal(deal) for deal in deals) > 10


def test_the_winner_of_a_trick_leads_the_next(deals: list[Deal]) -> None:
    """The highest card of the suit led wins; player 1 leads first."""
    for deal in deals:
        assert len(deal.rounds) == 11
        assert_winners_lead(deal.rounds, winner)


def test_payments(deals: list[Deal]) -> None:
    """The party, the aces and the quinola are paid for, or else the reversis alone."""
    for deal in deals:
        assert list(deal.state.scores) == result(deal)
        best = [score == max(deal.state.scores) for score in deal.state.scores]
        assert deal.state.wins == pytest.approx(tuple(one / sum(best) for one in best))
    assert set().union(*map(occasions, deals)) == ALL_OCCASIONS
    assert sorted(deals[-1].state.scores) == [-16, -16, -16, 48]


def test_the_espagnolette() -> None:
    """Whoever has four of the aces and the quinola may announce it, and plays freely at first."""
    game = interpreted("reversis", ESPAGNOLETTE=1)
    found = [played(game, seed) for seed in range(20, 50)]
    for deal in found:
        assert_legal(deal)
        assert list(deal.state.scores) == result(deal)
    assert any(deal.free for deal in found)


def test_the_quinola_may_be_kept_in_hand() -> None:
    """With PLACING at 0 any card may be thrown off."""
    game = interpreted("reversis", PLACING=0)
    for seed in seeds(8):
        deal = played(game, seed)
        assert assert_legal(deal, placing=False) == 0
        assert list(deal.state.scores) == result(deal)


LONG = [
    "AC KC QC JC 9C 8C 7C 6C 5C 4C 3C",
    "AD KD QD JD 9D 8D 7D 6D 5D 4D 3D",
    "AH KH QH JH 9H 8H 7H 6H 5H 4H 3H",
    "AS KS QS JS 9S 8S 7S 6S 5S 4S 3S",
]
"""Hands with which player 1 wins every trick; the four twos are laid aside."""


def test_a_reversis_that_is_made() -> None:
    """Sixteen from each of the others, and nothing for the aces and the quinola."""
    hands = [*LONG[:2], "JH AH KH QH 9H 8H 7H 6H 5H 4H 3H", LONG[3]]  # the quinola must go first
    state = dealt(hands, "2S", "2C 2D 2H")
    assert offered(state) == tuple(by_number(state.game, LONG[0].split()))
    assert finished(state, hands, "0" * 11) == (48, -16, -16, -16)
    assert state.wins == (1, 0, 0, 0)


@pytest.mark.parametrize("lost", [9, 10])
def test_a_reversis_that_is_broken(lost: int) -> None:
    """Player 1 wins nine or ten tricks, and then leads the two of hearts, which player 3 wins."""
    mine = LONG[0].split()[:10]
    mine.insert(lost, "2H")
    hands = [" ".join(mine), LONG[1], "JH KH QH AH 9H 8H 7H 6H 5H 4H 3H", LONG[3]]
    state = dealt(hands, "2S", "2C 2D 3C")
    assert finished(state, hands, "0" * (lost + 1) + "2" * (10 - lost)) == (-64, 0, 64, 0)


def test_whoever_breaks_the_reversis_first_is_paid() -> None:
    """Player 3 wins the tenth trick, and player 4 the last."""
    clubs = LONG[0].split()
    hands = [
        " ".join([*clubs[:9], "2H", clubs[9]]),
        LONG[1],
        "JH KH QH AH 9H 8H 7H 6H 5H 4H 3S",
        "KS QS JS 9S 8S 7S 6S 5S 4S 3H AS",
    ]
    state = dealt(hands, "2S", "2C 2D 3C")
    assert finished(state, hands, "0" * 10 + "2") == (-64, 0, 64, 0)


def test_the_espagnolette_ends_after_nine_tricks() -> None:
    """Player 2 keeps the ace of clubs while clubs are led, but not in the tenth trick."""
    hands = [
        "KC QC JC 9C 8C 7C 6C 5C 4C 3C 2C",
        "AD KD QD JD 9D 8D 7D AS 6D AC AH",
        "JH KH QH 9H 8H 7H 6H 5H 4H 3H 2H",
        "KS QS JS 9S 8S 7S 6S 5S 4S 3S 2S",
    ]
    state = dealt(hands, "5D", "4D 3D 2D", ESPAGNOLETTE=1)
    for seat in range(4):
        assert state.player == seat
        assert state.option_count == (2 if seat == 1 else 1)
        state.play(state.option_count - 1)
    for number in range(9):
        put(state, hands[0].split()[number])
        assert len(offered(state)) == 11 - number
        put(state, " ".join(hands[seat].split()[number] for seat in (1, 2, 3)))
    put(state, "3C")
    assert offered(state) == ("AC",)
    put(state, "AC 3H 3S AH 2H 2S 2C")
    assert state.scores == (-64, 64, 0, 0)


def test_eight_tricks_in_a_row_are_no_reversis() -> None:
    """Player 1 wins eight tricks and loses the ninth: points, aces and the quinola count."""
    mine = LONG[0].split()[:10]
    mine.insert(8, "2H")
    hands = [" ".join(mine), LONG[1], "JH KH QH AH 9H 8H 7H 6H 5H 4H 3H", LONG[3]]
    state = dealt(hands, "2S", "2C 2D 3C")
    # Three aces are thrown on player 1's clubs: two for that of diamonds and one each for the
    # others. The quinola takes the pool. Player 2 has no trick, as player 4, who deals. Nothing
    # that was laid aside has points, so the party is of four.
    assert finished(state, hands, "0" * 9 + "22") == (-4 - 4, 2, 25 + 1, 1 + 4)


def test_other_prices() -> None:
    """All payments are what the constants say."""
    declared = {"POOL": 40, "ACE": 3, "ACEDIAMONDS": 7, "PARTY": 10}
    mine = LONG[0].split()[:10]
    mine.insert(8, "2H")
    hands = [" ".join(mine), LONG[1], "JH KH QH AH 9H 8H 7H 6H 5H 4H 3H", LONG[3]]
    state = dealt(hands, "2S", "2C 2D 3C", **declared)
    assert finished(state, hands, "0" * 9 + "22") == (-13 - 10, 7, 40 + 3, 3 + 10)
    hands[0], hands[2] = LONG[0], "JH KH QH AH 9H 8H 7H 6H 5H 4H 3H"
    state = dealt(hands, "2S", "2C 2D 2H", REVERSIS=5)
    assert finished(state, hands, "0" * 11) == (15, -5, -5, -5)
