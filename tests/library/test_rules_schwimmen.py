"""Schwimmen as its rules say: games are followed by a model that knows only the rules."""

from collections import Counter
from typing import NamedTuple

import pytest
from library_playing import (
    Chooser,
    bare_options,
    by_number,
    code,
    codes,
    decisions,
    hand,
    interpreted,
    picked,
    preferring,
    seeds,
    shuffled,
)
from ordered_pack import ordered

from cardwright import Game, Option, State
from deep import usually

PACK = sorted(rank + suit for rank in "789TJQKA" for suit in "CDHS")
WORTH = dict.fromkeys("TJQK", 10) | {"7": 7, "8": 8, "9": 9, "A": 11}


class Move(NamedTuple):
    """What a player does: keep or change as dealer; swap, all, pass or close later."""

    kind: str
    mine: str = ""
    other: str = ""


KEEP, CHANGE, ALL, PASS, CLOSE = map(Move, ("keep", "change", "all", "pass", "close"))


def move(state: State, option: Option) -> Move:
    """Return what an option does, by its place in the game file's choices and its picks."""
    branch = option.content.branch
    if not state.choices:
        return (KEEP, CHANGE)[branch]
    mine, other = picked(option, "MINE"), picked(option, "OTHER")
    if isinstance(mine, int) and isinstance(other, int):
        return Move("swap", code(state.game.cards[mine]), code(state.game.cards[other]))
    return (Move("swap"), ALL, PASS, CLOSE)[branch]


def moves(state: State) -> list[Move]:
    return [move(state, option) for option in bare_options(state)]


def do(state: State, *wanted: Move | str) -> State:
    """Let the players do something in turn; a swap may be written as two cards."""
    for each in wanted:
        what = each if isinstance(each, Move) else Move("swap", *each.split())
        state.play(moves(state).index(what))
    return state


def middle(state: State) -> tuple[str, ...]:
    return codes(state.cards(None, "vloc", "MIDDLE"))


def stock(state: State) -> tuple[str, ...]:
    return codes(state.cards(None, "iloc", "STOCK"))


def value(cards: list[str], feuer: int = 33) -> int:
    """Return twice what a hand is worth."""
    ranks = {card[0] for card in cards}
    if ranks == {"A"}:
        return 2 * feuer
    if len(ranks) == 1:
        return 61
    return 2 * max(sum(WORTH[c[0]] for c in cards if c[1] == suit) for suit in "CDHS")


class Table:
    """A table of Schwimmen, kept by the rules alone."""

    def __init__(
        self,
        pack: list[str],
        players: int,
        *,
        early: bool = True,
        rounds: int = 20,
        all_closes: bool = False,
    ) -> None:
        self.pack = list(pack)
        self.hands = [[self.pack.pop() for _ in range(3)] for _ in range(players)]
        self.middle = [self.pack.pop() for _ in range(3)]
        self.early, self.all_closes, self.turns_left = early, all_closes, rounds * players
        self.seat, self.turns, self.passes = players - 1, 0, 0
        self.closer: int | None = None
        self.dealing = True
        self.over = False

    def moves(self) -> set[Move]:
        if self.dealing:
            return {KEEP, CHANGE}
        found = {Move("swap", a, b) for a in self.hands[self.seat] for b in self.middle}
        found |= {ALL, PASS}
        if self.closer is None and (self.early or self.turns >= len(self.hands)):
            found.add(CLOSE)
        return found

    def play(self, move: Move) -> None:
        mine = self.hands[self.seat]
        match move:
            case Move("change" | "all"):
                self.hands[self.seat], self.middle = self.middle, mine
            case Move("swap", card, other):
                mine[mine.index(card)] = other
                self.middle[self.middle.index(other)] = card
        if move == CLOSE or (move == ALL and self.all_closes and self.closer is None):
            self.closer = self.seat
        self.turns += not self.dealing
        self.passes = self.passes + 1 if move == PASS else 0
        self.dealing = False
        self.seat = (self.seat + 1) % len(self.hands)
        everybody = self.passes == len(self.hands)
        self.over = (
            self.seat == self.closer
            or self.turns == self.turns_left
            or any(value(cards) in (62, 66) for cards in self.hands)
            or (everybody and len(self.pack) < 3)
        )
        if everybody and not self.over:
            self.passes = 0
            self.middle = [self.pack.pop() for _ in range(3)]


def follow(game: Game, seed: int, choose: Chooser | None = None, **options: int) -> Table:
    """Play a game along with a model; compare them at every decision and at the end."""
    feuer = options.pop("feuer", 33)
    table = Table(
        shuffled(game, seed),
        game.players,
        early=bool(options.get("early", 1)),
        rounds=options.get("rounds", 20),
        all_closes=bool(options.get("all_closes")),
    )
    state = game.start(seed)
    for at, option in decisions(game, seed, choose):
        state = at
        assert not table.over
        assert at.player == table.seat
        if not table.dealing:
            assert sorted(middle(at)) == sorted(table.middle)
        for seat, cards in enumerate(table.hands):
            assert sorted(hand(at, seat)) == sorted(cards)
        offers = moves(at)
        assert len(offers) == len(set(offers))
        assert set(offers) == table.moves()
        table.play(move(at, option))
    assert table.over
    for seat, cards in enumerate(table.hands):
        assert sorted(codes(state.cards(seat, "vloc", "HAND"))) == sorted(cards)
    assert list(state.scores) == [value(cards, feuer) for cards in table.hands]
    return table


def stays(state: State, option: Option) -> bool:
    """Prefer whatever does not close."""
    return move(state, option).kind != "close"


def passes(state: State, option: Option) -> bool:
    return move(state, option) == PASS


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 5, 6])
def test_games_go_as_the_rules_say(players: int) -> None:
    """Options, cards, turns, the end and the scores are those of a model of the rules."""
    game = interpreted("schwimmen", PLAYERS=players)
    ends: Counter[str] = Counter()
    for seed in seeds(60):
        choose = preferring(seed, players, stays) if seed % 4 == 0 else None
        table = follow(game, seed, choose)
        ends["closed" if table.closer is not None else "31"] += 1
    assert min(ends.values()) > usually(1, 5)
    for seed in seeds(5):
        follow(game, seed, preferring(seed, players, passes))


def test_games_with_other_rules() -> None:
    """The same with other values of the options."""
    game = interpreted("schwimmen", EARLY=0, FEUER=32, ROUNDS=2)
    for seed in seeds(40):
        choose = preferring(seed, 5, stays) if seed % 4 == 0 else None
        follow(game, seed, choose, early=0, rounds=2, feuer=32)
    game = interpreted("schwimmen", ALLCLOSE=1)
    for seed in seeds(30):
        follow(game, seed, all_closes=1)


def test_the_deal() -> None:
    """Three of 32 cards each, player 1 first, and three more face down; the rest is the stock."""
    game = interpreted("schwimmen")
    assert sorted(code(card) for card in game.cards) == PACK
    for seed in seeds(10):
        pack = shuffled(game, seed)[::-1]
        state = game.start(seed)
        assert [list(hand(state, seat)) for seat in range(5)] == [
            by_number(game, pack[3 * seat : 3 * seat + 3]) for seat in range(5)
        ]
        assert sorted(codes(state.cards(None, "hloc", "SPARE"))) == sorted(pack[15:18])
        assert not middle(state)
        assert len(stock(state)) == 14


def test_the_dealer_chooses_between_two_hands() -> None:
    """The last player keeps the hand seen or takes the other; the one not used lies open."""
    start = ordered("schwimmen", "7C 8D 9H  7D 8H 9S  7H 8S 9C  TC JD QH", PLAYERS=3).start(0)
    assert start.player == 2
    assert moves(start) == [KEEP, CHANGE]
    kept, changed = do(start.copy(), KEEP), do(start.copy(), CHANGE)
    assert sorted(hand(kept, 2)) == sorted(middle(changed)) == ["7H", "8S", "9C"]
    assert sorted(middle(kept)) == sorted(hand(changed, 2)) == ["JD", "QH", "TC"]
    for state in (kept, changed):
        assert state.player == 0
        assert sorted(hand(state, 0)) == ["7C", "8D", "9H"]
        assert sorted(hand(state, 1)) == ["7D", "8H", "9S"]


def test_what_a_player_can_do() -> None:
    """Nine swaps of one card, a swap of all three, a pass, and to close if nobody has yet."""
    state = do(ordered("schwimmen", "7C 8D 9H  7D 8H 9S  7H 8S 9C  TC JD QH", PLAYERS=3).start(0))
    do(state, KEEP)
    swaps = {Move("swap", a, b) for a in ("7C", "8D", "9H") for b in ("TC", "JD", "QH")}
    assert set(moves(state)) == {*swaps, ALL, PASS, CLOSE}
    assert state.option_count == 12
    do(state, CLOSE)
    swaps = {Move("swap", a, b) for a in ("7D", "8H", "9S") for b in ("TC", "JD", "QH")}
    assert set(moves(state)) == {*swaps, ALL, PASS}
    assert state.option_count == 11


def test_swaps() -> None:
    """One card for one, or all three for all three; what was given lies in the middle."""
    start = ordered("schwimmen", "7C 8D 9H  7D 8H 9S  7H 8S 9C  TC JD QH", PLAYERS=3).start(0)
    do(start, KEEP)
    state = do(start.copy(), "8D QH")
    assert sorted(hand(state, 0)) == ["7C", "9H", "QH"]
    assert sorted(middle(state)) == ["8D", "JD", "TC"]
    assert state.player == 1
    state = do(start.copy(), ALL)
    assert sorted(hand(state, 0)) == ["JD", "QH", "TC"]
    assert sorted(middle(state)) == ["7C", "8D", "9H"]
    assert state.player == 1


def test_closing_gives_the_others_one_more_turn() -> None:
    """The round is over when the turn comes back to whoever has closed."""
    start = ordered("schwimmen", "7C 8D 9H  7D 8H 9S  7H 8S 9C  TC JD QH", PLAYERS=3).start(0)
    state = do(start.copy(), KEEP, CLOSE, PASS)
    assert not state.finished
    do(state, "9C JD")
    assert state.finished
    state = do(start.copy(), KEEP, PASS, "7D JD", CLOSE, PASS)
    assert state.player == 1
    assert not state.finished
    do(state, PASS)
    assert state.finished
    assert state.scores == (18, 20, 18)


def test_three_new_cards_when_all_have_passed() -> None:
    """As many passes in a row as there are players put away the middle; the next one goes on."""
    pack = "7C 8D 9H  7D 8H 9S  7H 8S 9C  TC JD QH  KC KD AH"
    state = ordered("schwimmen", pack, PLAYERS=3).start(0)
    do(state, KEEP, PASS, PASS)
    assert sorted(middle(state)) == ["JD", "QH", "TC"]
    do(state, PASS)
    assert sorted(middle(state)) == ["AH", "KC", "KD"]
    assert sorted(codes(state.cards(None, "vloc", "DISCARD"))) == ["JD", "QH", "TC"]
    assert state.player == 0
    assert len(stock(state)) == 17


def test_passes_count_in_a_row_only() -> None:
    """A swap, or closing, starts the count anew, and after closing there are no new cards."""
    pack = "7C 8D 9H  7D 8H 9S  7H 8S 9C  TC JD QH  KC KD AH"
    start = ordered("schwimmen", pack, PLAYERS=3).start(0)
    state = do(start.copy(), KEEP, PASS, PASS, "7H QH", PASS, PASS)
    assert sorted(middle(state)) == ["7H", "JD", "TC"]
    do(state, PASS)
    assert sorted(middle(state)) == ["AH", "KC", "KD"]
    state = do(start.copy(), KEEP, PASS, PASS, ALL, PASS)
    assert sorted(middle(state)) == ["7H", "8S", "9C"]
    state = do(start.copy(), KEEP, PASS, "7D JD", PASS, "7C QH", PASS)
    assert sorted(middle(state)) == ["7C", "7D", "TC"]
    state = do(start.copy(), KEEP, PASS, "7D JD", PASS, ALL, PASS)
    assert sorted(middle(state)) == ["7C", "8D", "9H"]
    state = do(start.copy(), KEEP, PASS, PASS, CLOSE, PASS)
    assert sorted(middle(state)) == ["JD", "QH", "TC"]
    do(state, PASS)
    assert state.finished
    assert sorted(middle(state)) == ["JD", "QH", "TC"]


def test_without_three_cards_the_round_is_over() -> None:
    """Five players can get a new middle four times of 14 cards; then all pass once more."""
    pack = "7C 8D 9H  7D 8H 9S  7H 8S 9C  TC JD QH  TD JH QS"
    state = do(ordered("schwimmen", pack).start(0), KEEP)
    sizes = []
    while not state.finished:
        sizes.append(len(stock(state)))
        do(state, PASS)
    assert sizes == [left for left in (14, 11, 8, 5, 2) for _ in range(5)]


@pytest.mark.parametrize(
    ("cards", "over"),
    [
        ("AC KC TC", True),
        ("AH QH JH", True),
        ("AD TD QD", True),
        ("AS JS KS", True),
        ("AC AD AS", True),
        ("KC QC JC", False),
        ("AC KC 9C", False),
        ("AC KC TD", False),
        ("KC KD KS", False),
    ],
)
def test_31_ends_the_round_at_once(cards: str, over: bool) -> None:
    """So do three aces, but neither 30 nor three of a kind; the dealer has chosen before."""
    start = ordered("schwimmen", f"7C 8D 9H  {cards}  7D 8H 9S", PLAYERS=3).start(0)
    assert not start.finished
    assert start.player == 2
    assert do(start, KEEP).finished == over


def test_31_by_a_swap_ends_the_round_at_once() -> None:
    """Also after somebody has closed; the others have no more turn."""
    pack = "7C 8D 9H  AC KC 9S  7H 8S 9C  TC JD QH"
    start = ordered("schwimmen", pack, PLAYERS=3).start(0)
    state = do(start.copy(), KEEP, PASS, "9S TC")
    assert state.finished
    assert state.scores == (18, 62, 18)
    state = do(start.copy(), KEEP, CLOSE, "9S TC")
    assert state.finished
    assert state.scores == (18, 62, 18)


def test_the_dealer_may_give_31_away() -> None:
    """Only what the dealer plays with counts; in the middle 31 does nothing."""
    pack = "7C 8D 9H  7D 8H 9S  AC KC TC  7H 8S 9C"
    start = ordered("schwimmen", pack, PLAYERS=3).start(0)
    assert do(start.copy(), KEEP).finished
    state = do(start.copy(), CHANGE)
    assert not state.finished
    do(state, ALL)
    assert state.finished
    assert state.scores == (62, 18, 18)


@pytest.mark.parametrize(
    ("cards", "score"),
    [
        ("7C 8C 9C", 48),
        ("TH JH QH", 60),
        ("KH JH QH", 60),
        ("AH 9H 8H", 56),
        ("AH KH 7D", 42),
        ("7H 8H KD", 30),
        ("7H 8H AD", 30),
        ("7H 8D AS", 22),
        ("8H 9D TS", 20),
        ("7H 8D 9S", 18),
        ("7H 7D 7S", 61),
        ("KC KD KH", 61),
        ("TC TD TS", 61),
        ("AC KC QC", 62),
        ("AC AD AH", 66),
        ("AC AD 9H", 22),
    ],
)
def test_what_a_hand_is_worth(cards: str, score: int) -> None:
    """The best suit, with aces 11 and court cards 10; else 30 and a half, or 33. All is doubled."""
    used = cards.split()
    low = [rank + suit for rank, suit in zip("789789789", "CSDDCSSDC", strict=True)]
    low = [card for card in low if card not in used]
    pack = " ".join((*low[:3], *used, *low[3:6]))
    state = do(ordered("schwimmen", pack, PLAYERS=3).start(0), KEEP)
    assert state.finished == (score in (62, 66))
    if not state.finished:
        do(state, CLOSE, PASS, PASS)
    assert state.scores == (value(low[:3]), score, value(low[3:6]))


def test_the_price_of_three_aces() -> None:
    """With FEUER 32 three aces are worth that much, more than 31 all the same."""
    for feuer in (32, 35):
        pack = "7C 8D 9H  AC AD AS  7D 8H 9S"
        state = do(ordered("schwimmen", pack, PLAYERS=3, FEUER=feuer).start(0), KEEP)
        assert state.scores == (18, 2 * feuer, 18)
        assert state.ranks == (1, 0, 1)


def test_closing_not_before_the_second_turn() -> None:
    """With EARLY 0 nobody may close in the first turn, and everybody in the second."""
    pack = "7C 8D 9H  7D 8H 9S  7H 8S 9C  TC JD QH"
    state = do(ordered("schwimmen", pack, PLAYERS=3, EARLY=0).start(0), KEEP)
    for _ in range(3):
        assert CLOSE not in moves(state)
        do(state, "7C TC" if state.player == 0 else PASS)
    assert state.player == 0
    assert CLOSE in moves(state)


def test_swapping_all_may_close() -> None:
    """With ALLCLOSE it does, once; then the others may swap all as well and it changes nothing."""
    pack = "7C 8D 9H  7D 8H 9S  7H 8S 9C  TC JD QH"
    state = do(ordered("schwimmen", pack, PLAYERS=3, ALLCLOSE=1).start(0), KEEP, "7C TC", ALL)
    assert CLOSE not in moves(state)
    do(state, ALL)
    assert not state.finished
    do(state, PASS)
    assert state.finished
    state = do(ordered("schwimmen", pack, PLAYERS=3).start(0), KEEP, "7C TC", ALL)
    assert CLOSE in moves(state)


@pytest.mark.parametrize("rounds", [20, 3])
def test_the_round_is_bounded(rounds: int) -> None:
    """Who always swaps and never closes plays ROUNDS turns, twenty as a rule, not one more."""
    pack = "7C 8D 9H  7D 8H 9S  7H 8S 9C  TC JD QH"
    state = do(ordered("schwimmen", pack, PLAYERS=3, ROUNDS=rounds).start(0), KEEP)
    for _ in range(3 * rounds):
        assert not state.finished
        do(state, ALL)
    assert state.finished


def test_a_game_without_passing_and_the_dealers_choice() -> None:
    """With PASSING 0 a turn is a swap or a close, and with DEALING 0 player 1 begins at once."""
    pack = "7C 8D 9H  7D 8H 9S  7H 8S 9C  TC JD QH"
    state = ordered("schwimmen", pack, PLAYERS=3, PASSING=0, DEALING=0).start(0)
    assert state.player == 0
    options = bare_options(state)
    swaps = [option for option in options if picked(option, "MINE") is not None]
    assert len(swaps) == 9
    assert len(options) == 11
    swapped, closed = state.copy(), state.copy()
    swapped.play(9)
    assert sorted(middle(swapped)) == ["7C", "8D", "9H"]
    closed.play(10)
    assert closed.integer(None, "CLOSER") == 1
    game = interpreted("schwimmen", preset="valet")
    for seed in seeds(20):
        state = game.start(seed)
        while not state.finished:
            assert state.option_count in {10, 11}
            state.play(0)
        assert len(state.choices) <= 25
