"""Pairs as its rules say: whole games follow a model of the rules, single rules stacked packs."""

from collections.abc import Sequence
from itertools import chain

import pytest
from library_playing import at_random, bare_options, interpreted, seeds

from cardwright import Game, State, Stream
from cardwright.game.find import find
from cardwright.program.cards import Card
from cardwright.syntax.source import Source

NAMES = ["ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN"]
SHUFFLE = "(shuffle (game iloc STOCK))"
FOLD, HIT = 0, 1


def numbers(cards: tuple[Card, ...]) -> list[int]:
    return [NAMES.index(card.attributes["RANK"]) + 1 for card in cards]


def stock(state: State) -> list[int]:
    return numbers(state.cards(None, "iloc", "STOCK"))


def discards(state: State) -> list[int]:
    return numbers(state.cards(None, "vloc", "DISCARD"))


def burnt(state: State) -> list[int]:
    return numbers(state.cards(None, "hloc", "BURNT"))


def rows(state: State) -> list[list[int]]:
    return [numbers(state.cards(seat, "vloc", "ROW")) for seat in range(state.game.players)]


def kept(state: State) -> list[list[int]]:
    return [numbers(state.cards(seat, "vloc", "POINTS")) for seat in range(state.game.players)]


def stacked(pack: str, *, alone: bool = False, **declared: int) -> State:
    """Start a game whose first stock has these cards on top, in the order of the text.

    If they are `alone`, there are no others; when they are used up, the discards are shuffled.
    """
    moves = [
        f"(move (bottom (filter (game iloc STOCK) 'X (== (cardatt RANK 'X) {NAMES[int(n) - 1]})))"
        " (top (game iloc STOCK)))"
        for n in reversed(pack.split())
    ]
    if alone:
        size = f"(- (size (game iloc STOCK)) {len(moves)})"
        moves += [f"(repeat {size} (move (bottom (game iloc STOCK)) (top (game hloc AWAY))))"]
    text = find("pairs").text
    assert text.count(SHUFFLE) == 2
    once = (
        f"((== (game sto LAID) 1) {SHUFFLE})"
        f"((== (game sto LAID) 0) (do ({' '.join(moves)} (set (game sto LAID) 1))))"
    )
    source = Source("pairs-stacked", text.replace(SHUFFLE, once))
    return Game.from_source(source, declared=declared, engine="interpreter").start(0)


def actions(state: State) -> list[int]:
    return [option.content.branch for option in bare_options(state)]


def played(state: State, *choices: int) -> State:
    for choice in choices:
        assert not state.finished
        state.play(choice)
    return state


class Model:
    """A game of Pairs, kept by the rules alone.

    To follow a game card by card it also knows two things that are no rules: its stream shuffles
    as the game's does, and the deal goes round from the seat after the last beginner.
    """

    def __init__(self, players: int, seed: int) -> None:
        self.stream = Stream(seed)
        self.target = {2: 31, 3: 21, 4: 16, 5: 13}[players]
        self.stock: list[int] = []
        self.burnt: list[int] = []
        self.discards = [n for n in range(1, 11) for _ in range(n)]
        self.rows: list[list[int]] = [[] for _ in range(players)]
        self.kept: list[list[int]] = [[] for _ in range(players)]
        self.renewals, self.ties, self.replaced = -1, 0, 0
        self.seat = 0
        self.deal(range(players))

    def draw(self) -> int:
        if not self.stock:
            # Pile by pile the highest card first: neither has an order of its own.
            self.stock = sorted(self.discards)[::-1] + sorted(self.burnt)[::-1]
            self.stream.shuffle(self.stock)
            self.discards, self.burnt = [], []
            for _ in range(5):
                self.burnt.append(self.stock.pop())
            self.renewals += 1
        return self.stock.pop()

    def deal(self, order: Sequence[int]) -> None:
        """Deal a round, and find out who begins it."""
        for row in self.rows:
            self.discards += row[::-1]
            row.clear()
        tied = list(order)
        for _ in range(5):
            if len(tied) == 1:
                break
            for seat in tied:
                card = self.draw()
                while card in self.rows[seat]:
                    self.discards.append(card)
                    self.replaced += 1
                    card = self.draw()
                self.rows[seat].append(card)
            lowest = min(self.rows[seat][-1] for seat in tied)
            tied = [seat for seat in tied if self.rows[seat][-1] == lowest]
            self.ties += len(tied) > 1
        self.seat = self.beginner = min(tied)

    def play(self, choice: int) -> None:
        row, players = self.rows[self.seat], len(self.rows)
        if choice == FOLD:
            card = min(map(min, self.rows))
            next(other for other in self.rows if card in other).remove(card)
        else:
            card = self.draw()
            if card not in row:
                row.append(card)
                self.seat = (self.seat + 1) % players
                return
        self.kept[self.seat].append(card)
        if not self.over:
            self.deal([(self.beginner + 1 + i) % players for i in range(players)])

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(map(sum, self.kept))

    @property
    def over(self) -> bool:
        return max(self.scores) >= self.target


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_whole_games(players: int) -> None:
    """Rows, kept cards, who decides, and the end of the game are those of a model of the rules."""
    game = interpreted("pairs", PLAYERS=players)
    renewals = ties = replaced = 0
    for seed in range(10):
        model, state = Model(players, seed), game.start(seed)
        choose = at_random(seed, players)
        while not model.over:
            assert not state.finished
            assert state.player == model.seat
            assert rows(state) == model.rows
            assert kept(state) == list(map(sorted, model.kept))
            assert stock(state) == model.stock
            assert sorted(burnt(state)) == sorted(model.burnt)
            assert sorted(discards(state)) == sorted(model.discards)
            assert actions(state) == [FOLD, HIT]
            # In two games of three they take many cards, so that the stock is used up.
            bold = seed % 3 > 0 and len(model.rows[model.seat]) < 3
            choice = HIT if bold else choose(state).index
            model.play(choice)
            state.play(choice)
        assert state.finished
        assert state.scores == model.scores
        renewals += model.renewals
        ties += model.ties
        replaced += model.replaced
    assert renewals > 1
    assert ties > 5
    assert replaced > 0


def test_the_pack() -> None:
    """One 1, two 2s, ... ten 10s; five are burnt, unseen, before the deal."""
    game = interpreted("pairs")
    assert sorted(numbers(game.cards)) == [n for n in range(1, 11) for _ in range(n)]
    for seed in seeds(20):
        state = game.start(seed)
        cards = [*stock(state), *burnt(state), *discards(state), *chain(*rows(state))]
        assert sorted(cards) == sorted(numbers(game.cards))
        assert len(burnt(state)) == 5
        assert all(len(row) >= 1 for row in rows(state))


def test_burnt_cards() -> None:
    """The first cards of the stock are burnt and not dealt: as many as BURN says."""
    state = stacked("1 2 3 4 5  9 8 7 6")
    assert burnt(state) == [1, 2, 3, 4, 5]
    assert rows(state) == [[9], [8], [7], [6]]
    state = stacked("1 2  9 8 7 6", BURN=2)
    assert burnt(state) == [1, 2]
    assert rows(state) == [[9], [8], [7], [6]]


def test_the_lowest_card_begins() -> None:
    """After the deal the player with the lowest card decides first, then the turn goes round."""
    state = stacked("9 8 6 7  10 9 10 9", BURN=0)
    turns = []
    for _ in range(4):
        turns.append(state.player)
        state.play(HIT)
    assert turns == [2, 3, 0, 1]
    assert rows(state) == [[9, 10], [8, 9], [6, 10], [7, 9]]


def test_ties_for_the_lowest_card() -> None:
    """Only who is tied for lowest gets another card, and only those new cards are compared."""
    state = stacked("6 4 9 4  10 8", BURN=0)
    assert rows(state) == [[6], [4, 10], [9], [4, 8]]
    assert state.player == 3
    # All are tied; then three; then two. That a row has a lower card elsewhere is no matter.
    state = stacked("7 7 7 7  8 9 8 8  9 9 10  3 2", BURN=0)
    assert rows(state) == [[7, 8, 9, 3], [7, 9], [7, 8, 9, 2], [7, 8, 10]]
    assert state.player == 2


def test_ties_are_broken_four_times_at_most() -> None:
    """After four further cards the first by number of those still tied begins."""
    state = stacked("9 5 8 5  4 4 3 3 2 2 6 6", BURN=0)
    assert rows(state) == [[9], [5, 4, 3, 2, 6], [8], [5, 4, 3, 2, 6]]
    assert state.player == 1
    state = stacked("9 5 8 5  4 4 3 3 2 2 7 6", BURN=0)
    assert state.player == 3
    state = stacked("9 5 8 5  4 4 3 3", BURN=0, TIEBREAKS=1)
    assert rows(state) == [[9], [5, 4], [8], [5, 4]]
    assert state.player == 1


def test_a_pair_before_the_round_begins() -> None:
    """A card that would pair while ties are broken is thrown away and replaced, for no points."""
    state = stacked("5 5 9 8  5 5 7 6", BURN=0)
    assert rows(state) == [[5, 7], [5, 6], [9], [8]]
    assert discards(state) == [5, 5]
    assert kept(state) == [[], [], [], []]
    assert state.player == 1
    # Not only the last card of the row can be paired.
    state = stacked("5 5 9 8  6 6 5 7 8", BURN=0)
    assert rows(state) == [[5, 6, 7], [5, 6, 8], [9], [8]]
    assert discards(state) == [5]
    assert state.player == 0


def test_folding_takes_the_lowest_card_of_all() -> None:
    """Whoever folds keeps the lowest card on the table as points, from whatever row."""
    state = played(stacked("9 8 6 7  2 10 3", BURN=0), HIT, HIT)
    assert (state.player, rows(state)) == (0, [[9], [8], [6, 2], [7, 10]])
    state.play(FOLD)
    assert kept(state) == [[2], [], [], []]
    assert state.integer(0, "SCORE") == 2
    # Here it is one of the player's own, and not the one on top.
    state = played(stacked("9 8 6 7  9 10 10 9  3 4 5", BURN=0), HIT, HIT, HIT, HIT, FOLD)
    assert kept(state) == [[], [], [6], []]


def test_a_pair_costs_its_number() -> None:
    """A card equal to any of one's own ends the round; one of the two is kept as points."""
    state = played(stacked("9 8 6 7  10 9 10 9  6  4 3 2 1", BURN=0), HIT, HIT, HIT, HIT, HIT)
    assert kept(state) == [[], [], [6], []]
    assert state.integer(2, "SCORE") == 6
    # The other rows and the other card of the pair are thrown off; four new cards are dealt.
    assert sorted(discards(state)) == sorted([9, 10, 8, 9, 6, 10, 7, 9])
    assert sorted(chain(*rows(state))) == [1, 2, 3, 4]


def test_equal_cards_in_different_rows_are_no_pair() -> None:
    """Only one's own row matters."""
    state = played(stacked("9 8 6 7  9 8 7 6", BURN=0), HIT, HIT, HIT, HIT)
    assert rows(state) == [[9, 7], [8, 6], [6, 9], [7, 8]]
    assert kept(state) == [[], [], [], []]
    assert state.player == 2


def test_a_new_round() -> None:
    """After a round all rows are thrown off, everybody gets one card, and the lowest begins."""
    state = played(stacked("9 8 6 7  5 5 1 5", BURN=0), FOLD)
    assert kept(state) == [[], [], [6], []]
    assert sorted(discards(state)) == [7, 8, 9]
    assert sorted(rows(state)) == [[1], [5], [5], [5]]
    assert state.player == rows(state).index([1])


def test_an_exhausted_stock_is_renewed_in_the_middle() -> None:
    """Discards and burnt cards are shuffled, BURN cards burnt again; rows and points stay."""
    state = stacked("10 10  9 8 6 7  1 2 3 4  9 10 8", alone=True, BURN=2, TARGET=99)
    assert (burnt(state), rows(state)) == ([10, 10], [[9], [8], [6], [7]])
    played(state, FOLD)
    table = rows(state)
    assert sorted(chain(*table)) == [1, 2, 3, 4]
    one = next(seat for seat in range(4) if table[seat] == [1])
    played(state, HIT, HIT, HIT)
    assert stock(state) == []
    assert sorted(discards(state)) == [7, 8, 9]
    before = rows(state)
    # Three discards and two burnt cards: two are burnt, one is drawn, two are left.
    state.play(HIT)
    assert discards(state) == []
    assert len(burnt(state)) == 2
    drawn = rows(state)[(one + 3) % 4][1:]
    assert sorted(burnt(state) + stock(state) + drawn) == [7, 8, 9, 10, 10]
    for seat in range(4):
        assert rows(state)[seat][: len(before[seat])] == before[seat]
    assert kept(state) == [[], [], [6], []]


@pytest.mark.parametrize(("players", "target"), [(2, 31), (3, 21), (4, 16), (5, 13)])
def test_the_end(players: int, target: int) -> None:
    """As soon as somebody has 60 / players + 1 points the game is over; the lowest score wins."""
    game = interpreted("pairs", PLAYERS=players)
    for seed in seeds(8):
        state, choose = game.start(seed), at_random(seed, players)
        while not state.finished:
            assert max(map(sum, kept(state))) < target
            state.play(choose(state))
        assert state.scores == tuple(map(sum, kept(state)))
        assert max(state.scores) >= target
        assert sum(score >= target for score in state.scores) == 1
        assert state.ranks[state.scores.index(min(state.scores))] == 0
        assert state.ranks[state.scores.index(max(state.scores))] == players - 1


def test_the_target_may_be_declared() -> None:
    """With TARGET 6 a six ends the game, and a five does not."""
    assert played(stacked("9 8 6 7", BURN=0, TARGET=6), FOLD).scores == (0, 0, 6, 0)
    assert not played(stacked("9 8 5 7", BURN=0, TARGET=6), FOLD).finished
