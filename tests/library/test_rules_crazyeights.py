"""Crazy Eights as its rules say, checked without asking the engine what may be played."""

from collections.abc import Iterator

import pytest
from library_playing import (
    FULL_PACK,
    Chooser,
    bare_options,
    by_number,
    card_of,
    codes,
    decisions,
    finish,
    hand,
    interpreted,
    picked,
    preferring,
    seeds,
    shuffled,
)

from cardwright import Game, Option, State

NAMES = {"CLUBS": "C", "DIAMONDS": "D", "HEARTS": "H", "SPADES": "S"}
COST = {rank: value for value, rank in enumerate("A234567", start=1)}
COST |= {"8": 50, "9": 9, "T": 10, "J": 10, "Q": 10, "K": 10}


@pytest.fixture(scope="module", params=[2, 3, 4, 5])
def game(request: pytest.FixtureRequest) -> Game:
    return interpreted("crazyeights", PLAYERS=request.param)


@pytest.fixture(scope="module")
def crowded() -> Game:
    """Five players with nine cards each: a stock of six cards, which is never renewed."""
    return interpreted("crazyeights", PLAYERS=5, HANDSIZE=9, RESHUFFLES=0)


def move(state: State, option: Option) -> tuple[str, str] | None:
    """Return the card played and the suit to match after it; None for a draw or a pass."""
    card = card_of(state, option)
    if card is None:
        return None
    named = picked(option, "NAMED")
    return card, NAMES[str(named)] if named else card[1]


def legal(cards: tuple[str, ...], top: str, suit: str) -> list[tuple[str, str] | None]:
    """Return the moves that the rules allow with these cards, a draw or a pass if none."""
    plain = [c for c in cards if c[0] != "8" and (c[1] == suit or c[0] == top[0])]
    eights = [(c, named) for c in cards if c[0] == "8" for named in "CDHS"]
    return [*((c, c[1]) for c in plain), *eights] or [None]


def discards(state: State) -> tuple[str, ...]:
    return codes(state.cards(None, "vloc", "DISCARD"))


def stock(state: State) -> tuple[str, ...]:
    return codes(state.cards(None, "iloc", "STOCK"))


def sizes(state: State) -> list[int]:
    return [len(hand(state, seat)) for seat in range(state.game.players)]


def watched(
    game: Game, seed: int, choose: Chooser | None = None
) -> Iterator[tuple[State, str, Option]]:
    """Play a game; yield before each decision also the suit to match, kept here."""
    suit = ""
    for state, option in decisions(game, seed, choose):
        suit = suit or discards(state)[-1][1]
        yield state, suit, option
        played = move(state, option)
        suit = played[1] if played else suit


def test_the_starter_is_no_eight(game: Game) -> None:
    """After the deal of five each the first card from the top that is no eight starts the pile."""
    skipped = 0
    for seed in range(80):
        state = game.start(seed)
        pack = shuffled(game, seed)
        for seat in range(game.players):
            assert list(hand(state, seat)) == by_number(game, [pack.pop() for _ in range(5)])
        skipped += pack[-1][0] == "8"
        starter = next(card for card in reversed(pack) if card[0] != "8")
        assert discards(state) == (starter,)
        pack.remove(starter)
        assert list(stock(state)) == pack
    assert skipped >= 3


def test_what_may_be_played(game: Game) -> None:
    """The suit to match, or the rank on top, or an eight with any suit named; else one draw."""
    draws = eights = 0
    for seed in range(40):
        for state, suit, _ in watched(game, seed):
            cards = hand(state, state.player or 0)
            moves = [move(state, option) for option in bare_options(state)]
            expected = legal(cards, discards(state)[-1], suit)
            assert moves == expected
            draws += expected == [None]
            eights += any(card[0] == "8" for card in cards)
    assert draws > 50
    assert eights > 50


def test_a_lone_eight_names_any_suit(game: Game) -> None:
    """With one eight and nothing else to play there are exactly four options, one a suit."""
    found = 0
    for seed in seeds(40):
        for state, suit, _ in watched(game, seed):
            cards = hand(state, state.player or 0)
            top = discards(state)[-1]
            fit = [c for c in cards if c[0] in ("8", top[0]) or c[1] == suit]
            if len(fit) == 1 and fit[0][0] == "8":
                offered_moves = [move(state, o) for o in bare_options(state)]
                assert offered_moves == [(fit[0], s) for s in "CDHS"]
                found += 1
    assert found >= 3


def test_the_suit_named_must_be_matched(game: Game) -> None:
    """After an eight that names hearts only hearts and eights may be played."""

    def hearts(state: State, option: Option) -> bool:
        return picked(option, "NAMED") == "HEARTS"

    found = 0
    for seed in seeds(60, 15):
        named = False
        for state, option in decisions(game, seed, preferring(seed, game.players, hearts)):
            if named:
                cards = [move(state, o) for o in bare_options(state)]
                found += cards != [None]
                assert all(m is None or m[0][1] == "H" or m[0][0] == "8" for m in cards)
            named = hearts(state, option)
    assert found >= 10


def test_a_turn_is_one_card_played_or_drawn(game: Game) -> None:
    """Seats take turns in order; each plays a card from the hand or draws one into it."""
    for seed in seeds(30):
        expected = [5] * game.players
        for turn, (state, option) in enumerate(decisions(game, seed)):
            assert state.player == turn % game.players
            assert sizes(state) == expected
            expected[turn % game.players] += -1 if move(state, option) else int(bool(stock(state)))
        assert sizes(state) == expected


def test_who_draws_keeps_the_top_of_the_stock(game: Game) -> None:
    """A drawn card is the one on top of the stock, and it is not played in the same turn."""
    drawn = 0
    for seed in seeds(30):
        due: tuple[int, str] | None = None
        for state, option in decisions(game, seed):
            if due:
                assert due[1] in hand(state, due[0])
                assert state.player != due[0]
            due = None
            if move(state, option) is None and stock(state):
                due = (state.player or 0, stock(state)[-1])
                drawn += 1
    assert drawn > 30


def test_an_empty_stock_is_renewed_from_the_discards(game: Game) -> None:
    """Then the pile is left with its top card, and the rest lie shuffled in the stock."""
    found = mixed = 0
    for seed in range(120):
        due: tuple[str, ...] = ()
        for state, option in decisions(game, seed):
            if len(due) > 1:
                assert discards(state) == due[-1:]
                assert sorted(stock(state)) == sorted(due[:-1])
                mixed += stock(state) != due[:-1]
                found += 1
            played = move(state, option)
            left = len(stock(state)) - (played is None)
            pile = (*discards(state), played[0]) if played else discards(state)
            due = () if left > 0 else pile
    assert found >= mixed >= 3


def test_passing_ends_the_round(crowded: Game) -> None:
    """Without a card to play or draw a player passes; when all passed in a row, it is over."""
    blocked = 0
    for seed in range(80):
        passes = 0
        for state, option in decisions(crowded, seed):
            assert state.integer(None, "PASSES") == passes < 5
            if move(state, option) is None and not stock(state):
                passes += 1
            else:
                passes = 0
        assert passes == 5 or not all(sizes(state))
        blocked += passes == 5
    assert blocked >= 3


def test_a_round_ends_when_a_hand_is_empty(game: Game) -> None:
    """Play stops at once with the last card of a hand, and the cards left over cost points."""
    for seed in seeds(60):
        for state, _ in decisions(game, seed):
            assert all(sizes(state))
        hands = [hand(state, seat) for seat in range(game.players)]
        assert [] in [list(cards) for cards in hands]
        assert list(state.scores) == [sum(COST[card[0]] for card in cards) for cards in hands]
        assert state.ranks[hands.index(())] == 0


def test_the_price_of_an_eight(crowded: Game) -> None:
    """EIGHTCOST sets what an eight left in hand costs."""
    cheap = interpreted("crazyeights", PLAYERS=5, HANDSIZE=9, RESHUFFLES=0, EIGHTCOST=20)

    def keep_eights(state: State, option: Option) -> bool:
        return picked(option, "NAMED") is None

    found = 0
    for seed in seeds(40):
        here = finish(crowded, seed, preferring(seed, 5, keep_eights))
        there = cheap.replay(seed, here.choices)
        for seat in range(5):
            eights = sum(card[0] == "8" for card in hand(here, seat))
            assert here.scores[seat] - there.scores[seat] == 30 * eights
            found += eights
    assert found >= 1


def test_no_card_is_lost(game: Game) -> None:
    """Hands, stock and pile make a whole pack at the end."""
    for seed in seeds(20):
        state = finish(game, seed)
        cards = sum((hand(state, seat) for seat in range(game.players)), ())
        assert sorted(cards + stock(state) + discards(state)) == FULL_PACK
