"""Go Fish as its rules say: games are followed by a model that knows only the rules."""

from collections import Counter

import pytest
from library_playing import (
    FULL_PACK,
    bare_options,
    code,
    codes,
    decisions,
    finish,
    hand,
    interpreted,
    picked,
    preferring,
    seeds,
    shuffled,
    stacked,
)

from cardwright import Game, Option, State, Stream


@pytest.fixture(scope="module", params=[3, 4, 6])
def game(request: pytest.FixtureRequest) -> Game:
    return interpreted("gofish", PLAYERS=request.param)


def asked(state: State, option: Option) -> tuple[int, str]:
    """Return whom an option asks, and for which rank."""
    target, kind = picked(option, "TARGET"), picked(option, "KIND")
    assert isinstance(target, int)
    assert isinstance(kind, tuple)
    ranks = {code(state.game.cards[card])[0] for card in kind}
    assert len(ranks) == 1
    return target, ranks.pop()


def books(state: State, seat: int) -> tuple[str, ...]:
    return codes(state.cards(seat, "vloc", "BOOKS"))


def stock(state: State) -> tuple[str, ...]:
    return codes(state.cards(None, "iloc", "STOCK"))


class Model:
    """A table of Go Fish, kept by the rules alone."""

    def __init__(self, players: int, pack: list[str]) -> None:
        self.pack = list(pack)
        self.hands: list[list[str]] = []
        self.books: list[list[str]] = [[] for _ in range(players)]
        for seat in range(players):
            self.hands.append([self.pack.pop() for _ in range(5)])
            self.lay(seat)
        self.seat = 0
        self.misses = 0
        self.prepare()

    @property
    def over(self) -> bool:
        return not (self.pack or any(self.hands)) or self.misses == 24

    def prepare(self) -> None:
        """Turn after turn, let who cannot ask draw, until there is something to ask."""
        while not self.over:
            if not self.hands[self.seat] and self.pack:
                self.hands[self.seat].append(self.pack.pop())
            if self.asks():
                return
            if self.pack:
                self.hands[self.seat].append(self.pack.pop())
                self.lay(self.seat)
            self.seat = (self.seat + 1) % len(self.hands)

    def asks(self) -> set[tuple[int, str]]:
        others = [s for s, cards in enumerate(self.hands) if cards and s != self.seat]
        return {(other, card[0]) for other in others for card in self.hands[self.seat]}

    def lay(self, seat: int) -> None:
        for rank, count in Counter(card[0] for card in self.hands[seat]).items():
            if count == 4:
                self.books[seat] += [card for card in self.hands[seat] if card[0] == rank]
                self.hands[seat] = [card for card in self.hands[seat] if card[0] != rank]

    def ask(self, target: int, rank: str) -> None:
        mine = self.hands[self.seat]
        catch = [card for card in self.hands[target] if card[0] == rank]
        self.hands[target] = [card for card in self.hands[target] if card[0] != rank]
        mine += catch
        again = bool(catch)
        if catch:
            self.misses = 0
        elif self.pack:
            mine.append(self.pack.pop())
            again = mine[-1][0] == rank
        else:
            self.misses += 1
        self.lay(self.seat)
        self.seat = self.seat if again else target
        self.prepare()

    def check(self, state: State) -> None:
        for seat, cards in enumerate(self.hands):
            assert sorted(hand(state, seat)) == sorted(cards)
            assert sorted(books(state, seat)) == sorted(self.books[seat])
        assert list(stock(state)) == self.pack


@pytest.mark.slow
def test_games_go_as_the_rules_say(game: Game) -> None:
    """Asks, catches, draws, books and turns are those of a model of the rules, to the end."""
    for seed in seeds(25):
        model = Model(game.players, shuffled(game, seed))
        for state, option in decisions(game, seed):
            assert not model.over
            model.check(state)
            assert state.player == model.seat
            asks = [asked(state, one) for one in bare_options(state)]
            assert len(asks) == len(set(asks))
            assert set(asks) == model.asks()
            model.ask(*asked(state, option))
        assert model.over
        model.check(state)
        assert state.scores == tuple(len(pile) // 4 for pile in model.books)


def test_options_are_opponents_times_ranks(game: Game) -> None:
    """Any opponent with cards may be asked for any rank held, also for one it does not have."""
    vain = 0
    for seed in seeds(15):
        for state, _ in decisions(game, seed):
            mine = hand(state, state.player or 0)
            others = [s for s in range(game.players) if s != state.player and hand(state, s)]
            assert state.option_count == len(others) * len({card[0] for card in mine})
            for option in bare_options(state):
                target, rank = asked(state, option)
                assert any(card[0] == rank for card in mine)
                vain += all(card[0] != rank for card in hand(state, target))
    assert vain > 100


def test_a_catch_takes_all_cards_of_the_rank(game: Game) -> None:
    """The one asked hands over every card of the rank, and the asker goes on."""

    def catches(state: State, option: Option) -> bool:
        target, rank = asked(state, option)
        return sum(card[0] == rank for card in hand(state, target)) >= 2

    several = 0
    for seed in seeds(15):
        expected: tuple[int, int, str, int] | None = None
        for state, option in decisions(game, seed, preferring(seed, game.players, catches)):
            if expected:
                seat, target, rank, held = expected
                assert not any(card[0] == rank for card in hand(state, target))
                if held == 4:
                    assert sum(card[0] == rank for card in books(state, seat)) == 4
                else:
                    assert sum(card[0] == rank for card in hand(state, seat)) >= held
                    assert state.player == seat
            expected = None
            seat = state.player or 0
            target, rank = asked(state, option)
            count = sum(card[0] == rank for card in hand(state, target))
            others = [s for s in range(game.players) if s != seat]
            # With nobody left to ask the turn passes on at once, and cards may be drawn.
            if count and sum(len(hand(state, s)) for s in others) > count:
                held = count + sum(card[0] == rank for card in hand(state, seat))
                expected = seat, target, rank, held
                several += count > 1
    assert several > 10


def test_a_miss_passes_the_turn_to_the_one_asked() -> None:
    """Without a catch the top of the stock is drawn, and who was asked has the turn."""
    deal = "AS 2S 3S 4S 5S  6S 7S 8S 9S TS  JS QS KS AH 2H  6H 7H"
    state = stacked("gofish", deal, PLAYERS=3).start(0)
    option = next(o for o in bare_options(state) if asked(state, o) == (1, "3"))
    state.play(option)
    assert sorted(hand(state, 0)) == sorted(["AS", "2S", "3S", "4S", "5S", "6H"])
    assert state.player == 1


def test_drawing_the_rank_asked_for_earns_another_turn() -> None:
    """A wish granted by the stock counts as a catch; another rank that is held does not."""
    deal = "AS 2S 3S 4S 5S  6S 7S 8S 9S TS  JS QS KS 6H 7H  3H 8H"
    game = stacked("gofish", deal, PLAYERS=3)
    for rank, player in (("3", 0), ("2", 1)):
        state = game.start(0)
        state.play(next(o for o in bare_options(state) if asked(state, o) == (1, rank)))
        assert "3H" in hand(state, 0)
        assert state.player == player


def test_four_of_a_kind_dealt_make_a_book() -> None:
    """A book that is dealt is laid down before the first ask."""
    deal = "AS AH AD AC 5S  6S 7S 8S 9S TS  JS QS KS 6H 7H  3H 8H"
    state = stacked("gofish", deal, PLAYERS=3).start(0)
    assert sorted(books(state, 0)) == ["AC", "AD", "AH", "AS"]
    assert hand(state, 0) == ("5S",)


def test_no_four_of_a_kind_stay_in_hand(game: Game) -> None:
    """At every decision books are whole ranks on the table, and none is left in a hand."""
    for seed in seeds(15):
        for state, _ in decisions(game, seed):
            assert hand(state, state.player or 0)
            for seat in range(game.players):
                held = Counter(card[0] for card in hand(state, seat))
                assert max(held.values(), default=0) < 4
                laid = Counter(card[0] for card in books(state, seat))
                assert set(laid.values()) <= {4}


@pytest.mark.slow
def test_all_books_are_made_unless_nobody_catches_anything(game: Game) -> None:
    """A round ends with thirteen books, or after 24 vain asks in a row without a stock."""
    for seed in seeds(25):
        state = finish(game, seed)
        laid = sum((books(state, seat) for seat in range(game.players)), ())
        if state.integer(None, "MISSES") == 24:
            assert not stock(state)
            assert sum(state.scores) < 13
        else:
            assert sorted(laid) == FULL_PACK
            assert sum(state.scores) == 13


def test_patience_ends_a_vain_round() -> None:
    """PATIENCE asks without a catch end the round once the stock is gone, and not before."""
    game = interpreted("gofish", PATIENCE=2)

    def vain(state: State, option: Option) -> bool:
        target, rank = asked(state, option)
        return all(card[0] != rank for card in hand(state, target))

    early = 0
    for seed in range(10):
        last = 0
        for state, option in decisions(game, seed, preferring(seed, 4, vain)):
            assert last < 2
            last = last + 1 if vain(state, option) and not stock(state) else 0
        assert last == 2 or sum(state.scores) == 13
        early += last == 2
    assert early >= 5


def test_everybody_sees_what_is_caught() -> None:
    """Cards that change hands are shown: no other player imagines them elsewhere afterwards."""
    deal = "AS 2S 3S 4S 5S  AH AD 8S 9S TS  JS QS KS 6H 7H  2H 3H 4H 5H 6S 7S 8H 9H TH JH QH KH"
    state = stacked("gofish", deal, PLAYERS=3).start(0)
    state.play(next(o for o in bare_options(state) if asked(state, o) == (1, "A")))
    moved = 0
    for seed in range(30):
        imagined = state.determinise(2, Stream(seed), "known")
        assert {"AH", "AD"} <= set(hand(imagined, 0))
        moved += "AS" not in hand(imagined, 0)
    assert moved > 10


def test_a_round_that_ends_with_the_stock() -> None:
    """With STOCKEND 1 the round is over after the turn in which the last card is drawn."""
    game = interpreted("gofish", STOCKEND=1)
    for seed in seeds(5):
        last = False
        for state, _ in decisions(game, seed):
            assert not last
            last = not stock(state)  # drawn by a player without cards, who asks all the same
        assert not stock(state)
        assert sum(state.scores) < 13
