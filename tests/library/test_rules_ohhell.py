"""Oh Hell as its rules say: deals are followed by a model that knows only the rules."""

import pytest
from library_playing import (
    ACE_HIGH,
    FULL_PACK,
    SUITS,
    at_random,
    bare_options,
    by_number,
    codes,
    decisions,
    finish,
    hand,
    interpreted,
    offered,
    picked,
    seeds,
    shuffled,
    stacked,
)

from cardwright import Game, State

TWO_EACH = "5H AC  6H KD  7H 2S  2H"
"""Two cards for each of three players, and a heart to turn up."""


def bids(state: State) -> list[object]:
    """Return the bids on offer."""
    return [picked(option, "N") for option in bare_options(state)]


def bid(state: State, *numbers: int) -> None:
    """Bid for one seat after the other."""
    for number in numbers:
        state.play(bids(state).index(number))


def lay(state: State, cards: str) -> None:
    """Play cards, whoever's turn it is."""
    for card in cards.split():
        state.play(offered(state).index(card))


def best(cards: list[str], trump: str) -> int:
    """Return the place in a trick of the card that takes it."""
    suit = trump if any(card[1] == trump for card in cards) else cards[0][1]
    ranks = [ACE_HIGH.index(card[0]) if card[1] == suit else -1 for card in cards]
    return ranks.index(max(ranks))


class Model:
    """A deal of Oh Hell, kept by the rules alone."""

    def __init__(self, players: int, size: int, pack: list[str], *, hook: bool = True) -> None:
        pack = pack[::-1]
        self.hands = [pack[seat * size : (seat + 1) * size] for seat in range(players)]
        rest = pack[players * size :]
        self.trump = rest[0][1] if rest else ""
        self.size, self.hook, self.seat = size, hook, 0
        self.bids: list[int] = []
        self.tricks = [0] * players
        self.trick: list[str] = []

    @property
    def over(self) -> bool:
        return not any(self.hands)

    @property
    def bidding(self) -> bool:
        return len(self.bids) < len(self.hands)

    def moves(self) -> list[int] | list[str]:
        if self.bidding:
            last = len(self.bids) == len(self.hands) - 1
            banned = self.size - sum(self.bids) if last and self.hook else None
            return [number for number in range(self.size + 1) if number != banned]
        mine = self.hands[self.seat]
        return [card for card in mine if self.trick and card[1] == self.trick[0][1]] or mine

    def play(self, move: object) -> None:
        seats = len(self.hands)
        if isinstance(move, int):
            self.bids.append(move)
        else:
            assert isinstance(move, str)
            self.hands[self.seat].remove(move)
            self.trick.append(move)
        self.seat = (self.seat + 1) % seats
        if len(self.trick) == seats:
            self.seat = (self.seat + best(self.trick, self.trump)) % seats
            self.tricks[self.seat] += 1
            self.trick = []

    def score(self, seat: int, *, bonus: int = 10, missed: int = 0) -> int:
        error = abs(self.bids[seat] - self.tricks[seat])
        if not error:
            return bonus + self.tricks[seat]
        return (0, self.tricks[seat], -error)[missed]


def follow(game: Game, seed: int, size: int, *, hook: bool = True) -> tuple[Model, State]:
    """Play a random deal beside the model, comparing all on the way."""
    model = Model(game.players, size, shuffled(game, seed), hook=hook)
    model.hands = [by_number(game, cards) for cards in model.hands]
    state = game.start(seed)
    for at, option in decisions(game, seed):
        state = at
        assert not model.over
        assert at.player == model.seat
        for seat, cards in enumerate(model.hands):
            assert hand(at, seat) == tuple(cards)
        moves = bids(at) if model.bidding else list(offered(at))
        assert moves == model.moves()
        model.play(moves[option.index])
    assert model.over
    return model, state


@pytest.mark.parametrize(("players", "size"), [(3, 7), (4, 7), (7, 7), (3, 17), (5, 1)])
def test_deals_go_as_the_rules_say(players: int, size: int) -> None:
    """Deal, bids, tricks, leads and scores are those of a model of the rules."""
    game = interpreted("ohhell", PLAYERS=players, HANDSIZE=size)
    for seed in seeds(8):
        model, state = follow(game, seed, size)
        assert list(state.scores) == [model.score(seat) for seat in range(players)]
        assert sum(model.tricks) == size


def test_the_next_card_makes_trumps_and_stays() -> None:
    """Fifty-two cards less four hands of seven: one lies open, the rest nobody sees."""
    game = interpreted("ohhell")
    for seed in seeds(6):
        state = game.start(seed)
        pack = shuffled(game, seed)[::-1]
        assert codes(state.cards(None, "vloc", "TURNUP")) == (pack[28],)
        assert SUITS[state.string(None, "TRUMP")] == pack[28][1]
        state = finish(game, seed)
        assert codes(state.cards(None, "vloc", "TURNUP")) == (pack[28],)
        assert len(state.cards(None, "iloc", "STOCK")) == 23
        won = [codes(state.cards(seat, "vloc", "TRICKSWON")) for seat in range(4)]
        assert sorted(sum(won, ()) + tuple(pack[28:])) == FULL_PACK


def test_everybody_bids_once_in_turn() -> None:
    """Player 1 bids first, none to all; a bid of none is a bid; then player 1 leads."""
    state = interpreted("ohhell").start(3)
    for seat in range(3):
        assert state.player == seat
        assert bids(state) == [0, 1, 2, 3, 4, 5, 6, 7]
        bid(state, 0)
    assert state.player == 3
    bid(state, 0)
    assert state.player == 0
    assert offered(state) == hand(state, 0)


@pytest.mark.parametrize(
    ("said", "banned"),
    [((0, 0, 0), 7), ((1, 2, 1), 3), ((3, 3, 1), 0), ((7, 0, 1), None), ((7, 7, 7), None)],
)
def test_the_dealer_is_on_the_hook(said: tuple[int, ...], banned: int | None) -> None:
    """The last bid may not bring the sum to seven; above seven already, any bid will do."""
    for hook in (1, 0):
        state = interpreted("ohhell", HOOK=hook).start(1)
        bid(state, *said)
        assert state.player == 3
        assert bids(state) == [n for n in range(8) if not (hook and n == banned)]


def test_the_hook_is_about_the_tricks_of_this_deal() -> None:
    """With two cards each the bids of three players may not add up to two."""
    state = stacked("ohhell", TWO_EACH, PLAYERS=3, HANDSIZE=2).start(0)
    bid(state, 1, 0)
    assert bids(state) == [0, 2]


def test_suit_must_be_followed_and_a_trump_may_not_be_kept() -> None:
    """Who has the suit led must play it; who has not may play anything, trump or not."""
    state = stacked("ohhell", "5C AC  6C KH  7D 2S  2H", PLAYERS=3, HANDSIZE=2).start(0)
    bid(state, 0, 0, 0)
    lay(state, "5C")
    assert offered(state) == ("6C",)
    lay(state, "6C")
    assert offered(state) == ("7D", "2S")


def test_nobody_has_to_trump_and_trumps_may_be_led() -> None:
    """Hearts are trump: they may be led at once, and need not be played on clubs."""
    state = stacked("ohhell", "5C AH  6D KH  7C 2S  2H", PLAYERS=3, HANDSIZE=2).start(0)
    bid(state, 0, 0, 0)
    assert offered(state) == ("5C", "AH")
    lay(state, "5C")
    assert offered(state) == ("6D", "KH")


@pytest.mark.parametrize(
    ("trick", "taker"),
    [
        ("5C 6C 7C", 2),  # the highest of the suit led
        ("5C AD 2C", 0),  # an ace of another suit is worth nothing
        ("AC 3H KC", 1),  # a low trump beats an ace
        ("AC 3H 4H", 2),  # and a higher trump beats it
        ("TC 9C JC", 2),  # ten below jack
        ("KC AC QC", 1),  # aces are high
        ("3H 4C 5C", 0),  # a trump led
    ],
)
def test_who_takes_a_trick(trick: str, taker: int) -> None:
    """Any trump beats the suit led, which beats the rest; hearts are trump."""
    state = stacked("ohhell", trick + " 2H", PLAYERS=3, HANDSIZE=1).start(0)
    bid(state, 1, 1, 1)
    lay(state, trick)
    assert [state.integer(seat, "TRICKS") for seat in range(3)] == [
        int(seat == taker) for seat in range(3)
    ]


def test_the_winner_leads() -> None:
    """Whoever takes a trick leads to the next, also if another sits between."""
    state = stacked("ohhell", TWO_EACH, PLAYERS=3, HANDSIZE=2).start(0)
    bid(state, 0, 0, 0)
    lay(state, "AC KD")
    assert offered(state) == ("7H", "2S")
    lay(state, "7H")
    assert state.player == 2
    assert offered(state) == ("2S",)
    lay(state, "2S")
    assert state.player == 0


def test_without_a_card_to_turn_up_there_is_no_trump() -> None:
    """Thirteen cards for each of four is the whole pack: the highest of the suit led wins."""
    game = interpreted("ohhell", HANDSIZE=13)
    for seed in range(3):
        assert game.start(seed).string(None, "TRUMP") == "NONE"
        model, state = follow(game, seed, 13)
        assert not model.trump
        assert [state.integer(seat, "TRICKS") for seat in range(4)] == model.tricks


@pytest.mark.parametrize(
    ("missed", "scores"), [(0, (0, 10, 0)), (1, (2, 10, 0)), (2, (-1, 10, -2))]
)
def test_what_a_bid_scores(missed: int, scores: tuple[int, ...]) -> None:
    """Player 1 wins both tricks and has bid one, player 2 none as bid, player 3 none for two."""
    deal = "5H AC  3H KC  4H 2C  2H"
    state = stacked("ohhell", deal, PLAYERS=3, HANDSIZE=2, MISSED=missed).start(0)
    bid(state, 1, 0, 2)
    lay(state, "5H 3H 4H AC KC 2C")
    assert state.finished
    assert state.scores == scores
    assert state.ranks[1] == 0


def test_an_exact_bid_scores_the_bonus_and_its_tricks() -> None:
    """Two tricks as bid are twelve points; with a bonus of five they are seven."""
    deal = "5H AC  3H KC  4H 2C  2H"
    for bonus in (10, 5):
        state = stacked("ohhell", deal, PLAYERS=3, HANDSIZE=2, BONUS=bonus).start(0)
        bid(state, 2, 0, 1)
        lay(state, "5H 3H 4H AC KC 2C")
        assert state.scores == (bonus + 2, bonus, 0)


@pytest.mark.parametrize("missed", [1, 2])
def test_other_scorings_in_whole_deals(missed: int) -> None:
    """Random deals score as the model does with the tricks, or the error, of a missed bid."""
    game = interpreted("ohhell", MISSED=missed, BONUS=7, HOOK=0)
    for seed in seeds(6):
        model, state = follow(game, seed, 7, hook=False)
        assert list(state.scores) == [model.score(s, bonus=7, missed=missed) for s in range(4)]


def test_every_deal_is_as_long() -> None:
    """A bid and the cards of a hand for each player, whatever they do."""
    game = interpreted("ohhell", PLAYERS=5, HANDSIZE=4)
    for seed in seeds(6):
        assert len(finish(game, seed, at_random(seed, 5)).choices) == 5 + 5 * 4
