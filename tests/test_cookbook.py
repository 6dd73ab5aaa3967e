"""The games of the cookbook: both engines play them alike, and what is said about them is so."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from cardwright import Game, State, Stream
from cardwright.game.option import Back
from deep import usually
from differential import Checks, compare_games
from test_docs import blocks, file_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardwright.program.cards import Card

TEXTS = {
    file_name(block.text).removesuffix(".rcy"): block.text
    for block in blocks("recycle")
    if block.page.name == "cookbook.md"
}
SEEDS = range(usually(10, 25))
NUMBERS = ("ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")


@cache
def load(name: str) -> Game:
    """Return a game of the page; it is played too rarely to be worth compiling."""
    return Game.from_text(TEXTS[name], name=name, engine="interpreter")


def positions(name: str, seed: int) -> Iterator[tuple[State, int]]:
    """Play a game at random; yield each position and the option chosen there, and the end."""
    game = load(name)
    state = game.start(seed)
    streams = [Stream.of_seat(seed, seat) for seat in range(game.players)]
    while state.player is not None:
        chosen = streams[state.player].below(state.option_count)
        yield state, chosen
        state.play(chosen)
    yield state, 0


def number(card: Card, attribute: str = "RANK") -> int:
    """Return the number on a card."""
    return 1 + NUMBERS.index(card.attributes[attribute])


def pile(state: State, name: str, kind: str = "vloc") -> list[tuple[Card, ...]]:
    """Return the cards in the location of this name of every seat."""
    return [state.cards(seat, kind, name) for seat in range(state.game.players)]


def hidden(state: State, seat: int, owner: int, name: str) -> bool:
    """Return whether a seat sees no card of another's private location, though there are some."""
    seen = [
        cards
        for where, cards in state.view(seat).locations.items()
        if where.name == name and where.owner == owner
    ]
    return len(seen) == 1 and all(isinstance(card, Back) for card in seen[0])


def test_every_recipe_has_its_game() -> None:
    """The games are those of the table, none is longer than a page, and each has a fact here."""
    assert set(TEXTS) == set(FACTS)
    assert all(18 <= text.count("\n") <= 64 for text in TEXTS.values())


@pytest.mark.parametrize("name", TEXTS)
def test_both_engines_play_alike(name: str) -> None:
    game = Game.from_text(TEXTS[name], name=name)
    assert not game.diagnostics
    played = compare_games(game, range(usually(1, 3)), Checks(keys=7, words=29, deep=41))
    assert {one.end for one in played} == {"over"}


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_said_is_so(name: str) -> None:
    """What each of the functions below asserts."""
    for seed in SEEDS:
        FACTS[name](seed)


def jewels(seed: int) -> None:
    """A jewel costs its buyer the last bid; coins never run out; nobody who is out is asked."""
    spent, sold, last = 0, 0, 0
    for state, chosen in positions("jewels", seed):
        coins = [state.integer(seat, "COINS") for seat in range(3)]
        assert min(coins) >= 0
        if sold != (sold := sum(map(len, pile(state, "JEWELS")))):
            spent += last
        assert sum(coins) == 60 - spent
        if state.player is not None:
            assert state.integer(state.player, "OUT") == 0
            last = state.integer(None, "BID") + chosen
            raises = max(0, coins[state.player] - state.integer(None, "BID"))
            assert state.option_count == 1 + raises
    assert sold == 8
    words = [option.description for option in load("jewels").start(seed).options()]
    assert words == ["pass", *(f"bid {coins}" for coins in range(1, 21))]
    assert sum(state.scores) == 60 - spent + 4 * 4 + 2 * (1 + 3 + 5 + 7)


def oars(seed: int) -> None:
    """Partners have one score, which follows from what both have promised."""
    promised = [0, 0]
    for state, chosen in positions("oars", seed):
        if len(state.choices) < 4:
            assert state.player == len(state.choices)
            assert state.option_count == 4
            promised[state.player % 2] += chosen
    assert state.scores[:2] == state.scores[2:]
    won = [
        score - 10 * goal
        for score, goal in zip(state.scores[:2], promised, strict=True)
        if score >= 0
    ]
    assert all(
        score == -10 * goal
        for score, goal in zip(state.scores[:2], promised, strict=True)
        if score < 0
    )
    assert sum(won) == 6 or len(won) < 2


def lantern(seed: int) -> None:
    """Everybody sees the dummy's cards; player 1 plays them, and player 3 is never asked."""
    asked = Counter[int]()
    for state, _ in positions("lantern", seed):
        dummy = state.cards(None, "vloc", "DUMMY")
        for seat in range(4):
            shown = [c for at, c in state.view(seat).locations.items() if at.name == "DUMMY"]
            assert shown == ([dummy] if dummy else [])
            if seat != 1 and state.cards(1, "iloc", "HAND"):
                assert hidden(state, seat, 1, "HAND")
        if state.player is not None:
            asked[state.player] += 1
    assert asked == {0: 12, 1: 6, 3: 6}
    assert state.scores[:2] == state.scores[2:]
    assert sum(state.scores[:2]) == 6


def beacon(seed: int) -> None:
    """The highest trump takes a trick, or else the highest card of the suit led."""
    trick: list[tuple[int, Card]] = []
    for state, chosen in positions("beacon", seed):
        trump = state.cards(None, "vloc", "TURNUP")[0].attributes["SUIT"]
        if len(trick) == 3:
            suits = [card.attributes["SUIT"] for _, card in trick]
            best = trump if trump in suits else suits[0]
            fit = [(number(card), seat) for seat, card in trick if card.attributes["SUIT"] == best]
            assert state.player in (None, max(fit)[1])
            trick.clear()
        if state.player is not None:
            trick.append((state.player, state.game.cards[_picked(state, chosen)]))
    assert sum(state.scores) == 6


def _picked(state: State, chosen: int) -> int:
    """Return the one card that an option picks."""
    (picked,) = (value for _, value in state.contents()[chosen].picks)
    assert isinstance(picked, int)
    return picked


def trios(seed: int) -> None:
    """What is laid in one go are three or more equal cards, or consecutive ones of a color."""
    before: list[set[Card]] = [set(), set()]
    for state, _ in positions("trios", seed):
        for seat, cards in enumerate(pile(state, "MELDS")):
            new = set(cards) - before[seat]
            before[seat] = set(cards)
            if new:
                ranks = sorted(map(number, new))
                colors = {card.attributes["COLOR"] for card in new}
                assert len(new) >= 3
                assert len(set(ranks)) == 1 or (
                    len(colors) == 1 and all(b == a + 1 for a, b in pairwise(ranks))
                )
    assert state.scores == tuple(
        sum(map(number, laid)) - sum(map(number, held))
        for laid, held in zip(pile(state, "MELDS"), pile(state, "HAND", "iloc"), strict=True)
    )


def embers(seed: int) -> None:
    """Nobody sees what is passed on; after that everybody has five cards again."""
    given: list[set[Card]] = [set()] * 4
    for state, _ in positions("embers", seed):
        at = len(state.choices)
        if at < 4:
            assert state.option_count == 5 * 4 // 2
            assert all(hidden(state, 3, seat, "PASSED") for seat in range(min(at, 3)))
            given = [set(cards) for cards in pile(state, "PASSED", "iloc")]
        elif at == 4:
            hands = pile(state, "HAND", "iloc")
            assert [len(hand) for hand in hands] == [5] * 4
            assert all(given[seat] <= set(hands[seat + 1]) for seat in range(3))


def undercut(seed: int) -> None:
    """Who chooses second does not see the first number; one below wins both."""
    scores = [0, 0]
    chosen: list[int] = []
    for state, option in positions("undercut", seed):
        assert [state.integer(seat, "SCORE") for seat in range(2)] == scores
        if state.player is None:
            break
        if chosen:
            assert hidden(state, state.player, 1 - state.player, "CHOSEN")
        chosen.append(option + 1)
        if len(chosen) == 2:
            first = 1 - state.player
            numbers = chosen if first == 0 else chosen[::-1]
            one, two = numbers
            scores[0] += one * (one != two + 1) + two * (one == two - 1)
            scores[1] += two * (two != one + 1) + one * (two == one - 1)
            chosen.clear()
    assert max(scores) >= 40
    assert tuple(scores) == state.scores


def relay(seed: int) -> None:
    """The match ends with the first deal in which somebody has seven points, and not within it."""
    begun = dict[int, list[int]]()
    for state, _ in positions("relay", seed):
        deal = state.integer(None, "DEALS")
        scores = [state.integer(seat, "SCORE") for seat in range(3)]
        begun.setdefault(deal, scores)
        assert sum(len(cards) for cards in state.locations().values()) == 18
        assert state.player is None or max(begun[deal]) < 7
    assert max(state.scores) >= 7
    assert len(state.choices) == 9 * len(begun)


def feathers(seed: int) -> None:
    """Each further card of a color is worth one more than the one before, up to the fourth."""
    *_, (state, _) = positions("feathers", seed)
    for score, taken in zip(state.scores, pile(state, "TAKEN"), strict=True):
        assert len(taken) == 8
        colors = Counter(card.attributes["COLOR"] for card in taken)
        assert score == sum((0, 1, 3, 6, 10)[min(count, 4)] for count in colors.values())


FACTS: dict[str, Callable[[int], None]] = {
    "jewels": jewels,
    "oars": oars,
    "lantern": lantern,
    "beacon": beacon,
    "trios": trios,
    "embers": embers,
    "undercut": undercut,
    "relay": relay,
    "feathers": feathers,
}
