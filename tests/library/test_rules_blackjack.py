"""Blackjack as its rules say: every way to play many deals, settled without the engine."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from library_playing import (
    FULL_PACK,
    bare_options,
    by_number,
    code,
    codes,
    decisions,
    interpreted,
    seeds,
    shuffled,
)
from ordered_pack import ordered

from cardwright import Game, State, Stream

ACTIONS = ("stand", "hit", "double")
WORTH = {rank: min(at, 10) for at, rank in enumerate("A23456789TJQK", 1)}


@pytest.fixture(scope="module")
def game() -> Game:
    return interpreted("blackjack")


def actions(state: State) -> list[str]:
    """What the options of a decision are, by their place in the game file's choice."""
    return [ACTIONS[option.content.branch] for option in bare_options(state)]


def act(state: State, *wanted: str) -> State:
    for action in wanted:
        state.play(actions(state).index(action))
    return state


def totals(cards: Sequence[str]) -> set[int]:
    """All totals that a hand can have, each ace counting 1 or 11."""
    found = {0}
    for card in cards:
        found = {t + w for t in found for w in ({1, 11} if card[0] == "A" else {WORTH[card[0]]})}
    return found


def total(cards: Sequence[str]) -> int:
    """The best total that is not over 21, or else the lowest."""
    fit = [t for t in totals(cards) if t <= 21]
    return max(fit) if fit else min(totals(cards))


def natural(cards: Sequence[str]) -> bool:
    return len(cards) == 2 and total(cards) == 21


def rounds(
    pack: Sequence[str], *, hitsoft: bool = False, doubling: bool = True
) -> Iterator[tuple[tuple[str, ...], list[tuple[str, ...]], int, int]]:
    """Yield every way to play a pack, dealt from its front.

    That is the actions, what was offered before each, the chips won with a bet of 2 and 3 for a
    natural, and the number of cards that the house has in the end.
    """
    mine, house, rest = list(pack[:2]), list(pack[2:4]), list(pack[4:])

    def end(cards: list[str], bet: int) -> tuple[int, int]:
        if total(cards) > 21:
            return -bet, 2
        if natural(cards):
            return (0 if natural(house) else 3), 2
        drawn, left = list(house), rest[len(cards) - 2 :]
        while total(drawn) < 17 or (
            hitsoft and total(drawn) == 17 and any(t == 7 for t in totals(drawn))
        ):
            drawn.append(left.pop(0))
        if natural(drawn):
            return -bet, 2
        if total(drawn) > 21 or total(cards) > total(drawn):
            return bet, len(drawn)
        return (0 if total(cards) == total(drawn) else -bet), len(drawn)

    if natural(mine):
        yield ("stand",), [("stand",)], *end(mine, 2)
        return
    for hits in range(len(rest)):
        cards = mine + rest[:hits]
        done = ("hit",) * hits
        first: tuple[str, ...] = ("stand", "hit", "double") if doubling else ("stand", "hit")
        asked: list[tuple[str, ...]] = [first, *[("stand", "hit")] * hits]
        if hits and total(cards) >= 21:
            yield done, asked[:-1], *end(cards, 2)
            return
        yield (*done, "stand"), asked, *end(cards, 2)
        if hits == 0 and doubling:
            yield ("double",), asked, *end([*cards, rest[0]], 4)


@pytest.mark.parametrize(
    "declared", [{}, {"HITSOFT": 1}, {"DOUBLING": 0}, {"DECKS": 2, "HITSOFT": 1}], ids=str
)
def test_every_way_to_play(declared: dict[str, Any]) -> None:
    """What may be done, what it wins, and how many cards the house takes, for all decisions."""
    game = interpreted("blackjack", **declared)
    hitsoft, doubling = bool(declared.get("HITSOFT")), bool(declared.get("DOUBLING", 1))
    seen: Counter[int] = Counter()
    for seed in seeds(150, 40):
        pack = shuffled(game, seed)[::-1]
        for chosen, asked, chips, house in rounds(pack, hitsoft=hitsoft, doubling=doubling):
            state = game.start(seed)
            for action, wanted in zip(chosen, asked, strict=True):
                assert tuple(actions(state)) == wanted
                act(state, action)
            assert state.finished
            assert state.scores == (chips,)
            assert len(state.cards(None, "vloc", "HOUSE")) == house
            seen[chips] += 1
    assert set(seen) == ({-4, -2, 0, 2, 3, 4} if doubling else {-2, 0, 2, 3})


@pytest.mark.parametrize(
    ("pack", "played", "chips", "house"),
    [
        # player's two cards, the open and the hidden card of the house, then the rest
        ("KS QH TC 9D", "stand", 2, 2),
        ("KS 9H TC 9D", "stand", 0, 2),
        ("KS 8H TC 9D", "stand", -2, 2),
        ("KS 6H TC 7D 8C", "hit", -2, 2),
        ("KS 6H TC 6D 5C 9C", "hit", 2, 3),
        ("5S 6H TC 7D TS", "double", 4, 2),
        ("5S 6H TC 7D 2S", "double", -4, 2),
        ("5S 6H TC 7D 6S", "double", 0, 2),
        ("KS 6H TC 7D TH", "double", -4, 2),
        # naturals
        ("AS KH TC 9D", "stand", 3, 2),
        ("TS AH AC 5D 5H", "stand", 3, 2),
        ("AS KH AC QD", "stand", 0, 2),
        ("KS KH AC QD", "stand", -2, 2),
        ("5S 6H AC QD TS", "double", -4, 2),
        ("7S 7H QC AD 7C", "hit", -2, 2),
        ("AS 5H 9C TD 5C", "hit", 2, 2),
        # aces
        ("AS 6H TC 8D TH", "hit stand", -2, 2),
        ("AS AH TC 9D 9H", "hit", 2, 2),
        ("KS 8H 6C AD 5H", "stand", 2, 2),
        ("KS 8H 5C AD TH 5S", "stand", -2, 4),
        ("KS 8H AC AD 9H", "stand", -2, 3),
        # the house goes over
        ("2S 3H TC 6D TS", "stand", 2, 3),
        ("2S 3H TC 2D 4S TH", "stand", 2, 4),
    ],
)
def test_a_round(pack: str, played: str, chips: int, house: int) -> None:
    """Rounds worked out by hand: the higher total wins, over 21 loses, naturals beat all."""
    state = act(ordered("blackjack", pack).start(0), *played.split())
    assert state.finished
    assert state.scores == (chips,)
    assert len(state.cards(None, "vloc", "HOUSE")) == house


def test_the_deal(game: Game) -> None:
    """Two open cards for the player, one open and one hidden for the house, from 52 cards."""
    assert sorted(code(card) for card in game.cards) == FULL_PACK
    for seed in seeds(10):
        pack = shuffled(game, seed)[::-1]
        state = game.start(seed)
        assert list(codes(state.cards(0, "vloc", "HAND"))) == by_number(game, pack[:2])
        assert list(codes(state.cards(None, "vloc", "HOUSE"))) == pack[2:3]
        assert list(codes(state.cards(None, "hloc", "HOLE"))) == pack[3:4]


def test_the_hidden_card_may_be_any(game: Game) -> None:
    """While the player decides, the house's second card may be any not seen; nothing tells it."""
    stream = Stream(2)
    state = ordered("blackjack", "2S 3H TC AD").start(0)
    holes, options = set(), set()
    for _ in range(400):
        imagined = state.determinise(0, stream, "known")
        holes.add(codes(imagined.cards(None, "hloc", "HOLE")))
        options.add(tuple(actions(imagined)))
        assert imagined.view(0) == state.view(0)
    assert holes == {(card,) for card in FULL_PACK if card not in ("2S", "3H", "TC")}
    assert options == {ACTIONS}
    assert state.integer(None, "TOTAL") == 0
    assert state.integer(0, "TOTAL") == 5
    assert game.players == 1


def test_the_hidden_card_is_shown_in_the_end(game: Game) -> None:
    """Whatever has happened, the house's second card lies open after the player's turn."""
    for seed in seeds(40):
        pack = shuffled(game, seed)[::-1]
        state = game.start(seed)
        for at, _ in decisions(game, seed):
            assert len(at.cards(None, "hloc", "HOLE")) == 1 or at.finished
            state = at
        assert set(pack[2:4]) <= set(codes(state.cards(None, "vloc", "HOUSE")))


def test_doubling_is_for_the_first_decision() -> None:
    """After a card has been taken the bet stays as it is; a doubled hand takes one card only."""
    start = ordered("blackjack", "2S 3H TC 9D 2C 2D").start(0)
    assert actions(start) == ["stand", "hit", "double"]
    assert actions(act(start.copy(), "hit")) == ["stand", "hit"]
    doubled = act(start.copy(), "double")
    assert doubled.finished
    assert sorted(codes(doubled.cards(0, "vloc", "HAND"))) == ["2C", "2S", "3H"]
    assert doubled.scores == (-4,)


def test_at_twenty_one_nothing_is_left_to_decide() -> None:
    """A natural can only stand; 21 with more cards, and any total above, ends the turn."""
    assert actions(ordered("blackjack", "AS JH TC 9D").start(0)) == ["stand"]
    assert act(ordered("blackjack", "5S 6H TC 9D TH").start(0), "hit").finished
    assert act(ordered("blackjack", "TS 6H TC 9D TH").start(0), "hit").finished
    assert actions(act(ordered("blackjack", "TS 6H TC 9D 4H").start(0), "hit")) == ["stand", "hit"]


def test_other_bets() -> None:
    """BET is won, lost and doubled; NATURAL is paid for a natural alone."""
    bets = {"BET": 10, "NATURAL": 12}
    assert act(ordered("blackjack", "AS JH TC 9D", **bets).start(0), "stand").scores == (12,)
    assert act(ordered("blackjack", "KS JH TC 9D", **bets).start(0), "stand").scores == (10,)
    assert act(ordered("blackjack", "KS 7H TC 9D", **bets).start(0), "stand").scores == (-10,)
    assert act(ordered("blackjack", "5S 6H TC 9D 8C", **bets).start(0), "double").scores == (0,)
    assert act(ordered("blackjack", "5S 6H TC 9D 9C", **bets).start(0), "double").scores == (20,)


def test_the_house_and_a_soft_seventeen() -> None:
    """With HITSOFT the house draws to ace and six, but to no hard seventeen and no soft 18."""
    for soft, house, scores in ((0, 2, (2,)), (1, 3, (-2,))):
        state = act(ordered("blackjack", "KS 8H 6C AD 3H", HITSOFT=soft).start(0), "stand")
        assert len(state.cards(None, "vloc", "HOUSE")) == house
        assert state.scores == scores
    for pack in ("KS 8H TC 7D 3H", "KS 8H 7C AD 3H"):
        state = act(ordered("blackjack", pack, HITSOFT=1).start(0), "stand")
        assert len(state.cards(None, "vloc", "HOUSE")) == 2


def test_several_packs() -> None:
    """With DECKS 3 every card is there three times."""
    game = interpreted("blackjack", DECKS=3)
    assert sorted(code(card) for card in game.cards) == sorted(FULL_PACK * 3)
    assert len(game.start(0).cards(None, "iloc", "STOCK")) == 152
