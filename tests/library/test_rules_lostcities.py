"""Lost Cities as its rules say, checked against a model of the table and over stacked packs."""

from collections import Counter
from collections.abc import Iterable

import pytest
from library_playing import at_random, bare_options, decisions, interpreted, picked

from cardwright import Game, Option, State, Stream
from cardwright.game.find import find
from cardwright.program.cards import Card
from cardwright.syntax.source import Source

COLORS = {"Y": "YELLOW", "B": "BLUE", "W": "WHITE", "G": "GREEN", "R": "RED"}
RANKS = {
    "I": "INVESTMENT",
    "2": "TWO",
    "3": "THREE",
    "4": "FOUR",
    "5": "FIVE",
    "6": "SIX",
    "7": "SEVEN",
    "8": "EIGHT",
    "9": "NINE",
    "T": "TEN",
}
SHORT = {long: short for short, long in (COLORS | RANKS).items()}
FULL_PACK = sorted(color + rank for color in COLORS for rank in "III23456789T")


def code(card: Card) -> str:
    """Return a card as two characters: Y5, or YI for an investment."""
    return SHORT[card.attributes["COLOR"]] + SHORT[card.attributes["RANK"]]


def codes(cards: Iterable[Card]) -> list[str]:
    return [code(card) for card in cards]


def value(card: str) -> int:
    """Return what a card counts; an investment counts nothing."""
    return {"I": 0, "T": 10}.get(card[1]) or int(card[1].replace("I", "0"))


def ordered(pack: str, **declared: int) -> Game:
    """Return the game with these cards dealt first, from the top, and no shuffle."""
    shuffle = "(shuffle (game iloc STOCK))"
    moves = "".join(
        "(move (bottom (filter (game iloc STOCK) 'X"
        f" (and (== (cardatt COLOR 'X) {COLORS[card[0]]}) (== (cardatt RANK 'X) {RANKS[card[1]]}))"
        ")) (top (game iloc STOCK)))"
        for card in reversed(pack.split())
    )
    text = find("lostcities").text
    assert text.count(shuffle) == 1
    source = Source("lostcities-ordered", text.replace(shuffle, moves))
    return Game.from_source(source, declared=declared, engine="interpreter")


def hand(state: State, seat: int) -> list[str]:
    return codes(state.cards(seat, "iloc", "HAND"))


def expedition(state: State, seat: int, color: str) -> list[str]:
    return codes(state.cards(seat, "vloc", COLORS[color]))


def discards(state: State, color: str) -> list[str]:
    return codes(state.cards(None, "vloc", COLORS[color]))


def putting(state: State) -> bool:
    """Say whether a card is to be put down, rather than drawn."""
    return len(hand(state, state.player or 0)) == state.game.declared["HANDSIZE"]


def meaning(state: State, option: Option) -> str:
    """Return what an option does: play Y5, discard Y5, stock, or take Y."""
    color = picked(option, "COLOR")
    if not putting(state):
        return f"take {SHORT[str(color)]}" if option.content.branch else "stock"
    after = state.copy()
    seat = state.player or 0
    after.play(option)
    (card,) = (Counter(hand(state, seat)) - Counter(hand(after, seat))).elements()
    grown = len(expedition(after, seat, card[0])) > len(expedition(state, seat, card[0]))
    return f"{'play' if grown else 'discard'} {card}"


def meanings(state: State) -> list[str]:
    return [meaning(state, option) for option in bare_options(state)]


def do(state: State, *wanted: str) -> State:
    for each in wanted:
        state.play(meanings(state).index(each))
    return state


def may_follow(card: str, pile: list[str]) -> bool:
    """Say whether a card may be added to an expedition."""
    if card[1] == "I":
        return all(other[1] == "I" for other in pile)
    return all(value(card) > value(other) for other in pile)


def worth(pile: list[str]) -> int:
    """Return what an expedition scores."""
    if not pile:
        return 0
    investments = sum(card[1] == "I" for card in pile)
    bonus = 20 if len(pile) >= 8 else 0
    return (sum(map(value, pile)) - 20) * (1 + investments) + bonus


@pytest.fixture(scope="module")
def game() -> Game:
    return interpreted("lostcities")


def test_the_pack(game: Game) -> None:
    """Sixty cards: in each of five colors the numbers two to ten, and three investments."""
    assert sorted(map(code, game.cards)) == FULL_PACK
    assert len(FULL_PACK) == 60


def test_the_deal(game: Game) -> None:
    """Eight cards each; the other 44 are the stock, and nothing lies open."""
    hands = set()
    for seed in range(10):
        state = game.start(seed)
        assert [len(hand(state, seat)) for seat in range(2)] == [8, 8]
        assert len(state.cards(None, "iloc", "STOCK")) == 44
        hands.add(tuple(hand(state, 0)))
    assert len(hands) == 10


@pytest.mark.parametrize("seed", range(3))
def test_what_may_be_done(game: Game, seed: int) -> None:
    """At every decision exactly the legal cards are offered, each of several equal ones once."""
    thrown = ""
    for state, option in decisions(game, seed):
        seat = state.player or 0
        held = sorted(set(hand(state, seat)))
        if putting(state):
            plays = [c for c in held if may_follow(c, expedition(state, seat, c[0]))]
            expected = [f"play {c}" for c in plays] + [f"discard {c}" for c in held]
        else:
            open_piles = [c for c in COLORS if discards(state, c) and c != thrown]
            expected = ["stock", *(f"take {c}" for c in open_piles)]
        assert sorted(meanings(state)) == sorted(expected)
        chosen = meaning(state, option)
        if putting(state):
            thrown = chosen[-2] if chosen.startswith("discard") else ""


@pytest.mark.parametrize("seed", range(3))
def test_a_turn_is_a_card_down_and_a_card_up(game: Game, seed: int) -> None:
    """Players alternate; each puts one card down, then draws one, from the top of its place."""
    for number, (state, option) in enumerate(decisions(game, seed)):
        seat = state.player
        assert seat == number // 2 % 2
        assert putting(state) == (number % 2 == 0)
        after = state.copy()
        after.play(option)
        what = meaning(state, option)
        gained = Counter(hand(after, seat)) - Counter(hand(state, seat))
        if what == "stock":
            top = codes(state.cards(None, "iloc", "STOCK"))[-1]
            assert list(gained) == [top]
        elif what.startswith("take"):
            assert list(gained) == discards(state, what[-1])[-1:]
            assert discards(after, what[-1]) == discards(state, what[-1])[:-1]
        elif what.startswith("play"):
            assert expedition(after, seat, what[-2])[-1] == what[-2:]
        else:
            assert discards(after, what[-2])[-1] == what[-2:]


def test_the_end_and_the_scores(game: Game) -> None:
    """The round ends at once with the last card of the stock; expeditions score by the rules."""
    for seed in range(3, 6):
        last = ""
        for state, option in decisions(game, seed, at_random(seed, 2)):
            assert state.cards(None, "iloc", "STOCK")
            last = meaning(state, option)
        assert last == "stock"
        assert not state.cards(None, "iloc", "STOCK")
        assert state.scores == tuple(
            sum(worth(expedition(state, seat, color)) for color in COLORS) for seat in range(2)
        )


@pytest.mark.parametrize(
    ("cards", "score"),
    [
        ("Y2", 2 - 20),
        ("YI", -20 * 2),
        ("YI YI YI", -20 * 4),
        ("Y2 Y3 Y7 Y8", 0),
        ("YI YI Y5", (5 - 20) * 3),
        ("YI W9 WT", -40 - 1),
        ("Y2 B2 W2 G2 R2", 5 * -18),
        ("Y4 Y5 Y6 Y7 Y8 Y9 YT", 49 - 20),
        ("Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9", 44 - 20 + 20),
        ("YI Y4 Y5 Y6 Y7 Y8 Y9 YT", (49 - 20) * 2 + 20),
        ("YI YI YI Y2 Y3 Y4 Y5 Y6", 0 * 4 + 20),
        ("RI RI RI R2 R3 R4 R5 R6 R7 R8 R9 RT", (54 - 20) * 4 + 20),
    ],
)
def test_scores(cards: str, score: int) -> None:
    """Numbers less twenty, times investments and one; twenty for eight cards, not multiplied."""
    mine = cards.split()
    yours = [c for c in FULL_PACK if c not in mine][: len(mine)]
    turns = len(mine)
    state = ordered(" ".join(mine + yours), HANDSIZE=turns, ROUNDS=turns).start(0)
    for own, other in zip(mine, yours, strict=True):
        do(state, f"play {own}", "stock", f"discard {other}", "stock")
    assert state.finished
    assert state.scores == (score, 0)


def test_cards_rise() -> None:
    """A number may follow a lower one, whatever lies between, and never a higher one."""
    pack = "Y5 Y2 Y6 YT B3 B4 W2 W3  G2 G3 G4 G5 G6 G7 G8 G9 R2 R3 R4 R5"
    state = do(ordered(pack).start(0), "play Y5", "stock", "discard G2", "stock")
    found = meanings(state)
    assert "play Y6" in found
    assert "play YT" in found
    assert "play Y2" not in found
    assert "discard Y2" in found
    do(state, "play YT", "stock", "discard G3", "stock")
    assert not any(what.startswith("play Y") for what in meanings(state))
    assert expedition(state, 0, "Y") == ["Y5", "YT"]


def test_investments_come_first() -> None:
    """An investment follows investments only; another color's expedition is none of its business.

    Both players may have an expedition of the same color.
    """
    pack = "YI YI Y2 BI YI W3 W4 W5  YT G3 G4 G5 G6 G7 G8 G9 R2 R3 R4 R5 R6 R7"
    state = do(ordered(pack).start(0), "play YI", "stock")
    assert "play YT" in meanings(state)
    do(state, "play YT", "stock")
    assert {"play YI", "play Y2", "play BI"} <= set(meanings(state))
    do(state, "play Y2", "stock", "discard G3", "stock")
    found = meanings(state)
    assert "play YI" not in found
    assert "discard YI" in found
    assert "play BI" in found
    assert expedition(state, 0, "Y") == ["YI", "Y2"]
    assert expedition(state, 1, "Y") == ["YT"]


def test_equal_investments_are_one_choice() -> None:
    """Three equal investments can be played or discarded in one way each, two colors in two."""
    pack = "YI YI YI BI B5 B6 W2 W3  G2 G3 G4 G5 G6 G7 G8 G9 R2"
    found = Counter(meanings(ordered(pack).start(0)))
    assert set(found.values()) == {1}
    assert len(found) == 12
    assert {"play YI", "discard YI", "play BI", "discard BI"} <= set(found)


def test_what_was_discarded_stays_for_this_turn() -> None:
    """The card just discarded may not be taken back, nor what lies below it; later it may."""
    pack = "Y2 Y3 B3 B4 B5 B6 W2 W3  Y4 Y5 G4 G5 G6 G7 G8 G9 R2 R3 R4 R5 R6"
    state = do(ordered(pack).start(0), "discard Y2")
    assert meanings(state) == ["stock"]
    do(state, "stock", "discard Y4")
    assert meanings(state) == ["stock"]
    do(state, "stock", "discard B3")
    assert meanings(state) == ["stock", "take Y"]
    do(state, "take Y", "play Y5")
    assert sorted(meanings(state)) == ["stock", "take B", "take Y"]
    assert "Y4" in hand(state, 0)
    assert discards(state, "Y") == ["Y2"]


def test_playing_leaves_the_pile_of_the_color_open() -> None:
    """Only a discard closes its pile: whoever plays a card may draw from the color's pile."""
    pack = "Y2 B2 B3 B4 B5 B6 W2 W3  Y4 G3 G4 G5 G6 G7 G8 G9 R2 R3"
    state = do(ordered(pack).start(0), "discard Y2", "stock", "play Y4")
    assert meanings(state) == ["stock", "take Y"]
    assert "Y2" in hand(do(state, "take Y"), 1)


def test_the_last_turn_allowed() -> None:
    """After ROUNDS turns each the round ends although the stock is not used up."""
    state = interpreted("lostcities", ROUNDS=3).start(1)
    for number in range(6):
        assert state.player == number % 2
        do(state, meanings(state)[0], "stock")
    assert state.finished
    assert len(state.cards(None, "iloc", "STOCK")) == 44 - 6


def test_other_values() -> None:
    """HANDSIZE, COST, LONG and BONUS are what is dealt, what a color costs, and the bonus."""
    state = ordered("Y2 Y3 Y4 B2 B3 B4", HANDSIZE=3, COST=5, LONG=3, BONUS=7, ROUNDS=3).start(0)
    assert hand(state, 0) == ["Y2", "Y3", "Y4"]
    for number in "234":
        do(state, f"play Y{number}", "stock")
        if number == "4":
            do(state, "discard B4", "stock")
        else:
            do(state, f"play B{number}", "stock")
    assert state.scores == (9 - 5 + 7, 5 - 5)


def test_what_the_opponent_knows(game: Game) -> None:
    """A card drawn from the stock is hidden from the opponent; one from a discard pile is known."""
    stream = Stream(1)
    pack = "Y2 B2 B3 B4 B5 B6 W2 W3  Y4 G3 G4 G5 G6 G7 G8 G9 R2 R3"
    state = do(ordered(pack).start(0), "discard Y2", "stock", "discard G3", "take Y")
    assert "Y2" in hand(state, 1)
    imagined = [state.determinise(0, stream, "known") for _ in range(60)]
    assert all("Y2" in hand(world, 1) for world in imagined)
    mine = [state.determinise(1, stream, "known") for _ in range(60)]
    assert not all("R2" in hand(world, 0) for world in mine)
