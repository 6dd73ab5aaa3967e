"""Bidding in Skat: what hands are worth, what is laid away, and what becomes of whole games."""

from __future__ import annotations

from functools import cache

import pytest

from cardwright import Game, State, player
from cardwright.arena.referee import referee_game
from cardwright.bidding.auctions import UnknownAuctionError
from cardwright.bidding.skat import Card, best_game, cards_away, games, limit, matadors
from cardwright.bidding.skat_player import SkatPlayer, by_rule, model
from cardwright.game.search import SearchReward
from cardwright.interpreter.stream import Stream
from cardwright.players.choice_models import RuleModel
from cardwright.players.player import Decision
from deep import usually

_SUITS = {"D": "DIAMONDS", "H": "HEARTS", "S": "SPADES", "C": "CLUBS"}
_RANKS = {"7": "SEVEN", "8": "EIGHT", "9": "NINE", "T": "TEN"}


def cards(text: str) -> list[Card]:
    return [(_SUITS[word[1]], _RANKS.get(word[0], word[0])) for word in text.split()]


WEAK = "7D 9D QD 8H QH KH 7S QS 9C KC"
SPADES = "JC JS KS QS 9S 8S AD TD 7H 8H"
GRAND = "JC JS JH AS TS AD TD AH KH 8C"
NULL = "7D 8D 9D 7H 8H 9H 7S 8S 9S 7C"


@pytest.mark.parametrize(
    ("hand", "game", "count"),
    [
        (SPADES, "SPADES", 2),
        (SPADES, "GRAND", 2),
        (GRAND, "GRAND", 3),
        ("JC JH AS TS KS 9S AD TD 7H 8H", "SPADES", 1),
        ("JD AS TS KS 9S 8S AD TD 7H 8H", "SPADES", 3),
        ("AS TS KS 9S 8S 7S AD TD 7H 8H", "SPADES", 4),
        ("KS 9S 8S 7S AD TD 7H 8H 7C 8C", "SPADES", 6),
        ("KS 9S 8S 7S AD TD 7H 8H 7C 8C", "GRAND", 4),
        ("JC JS JH JD AS TS KS QS 9S 8S", "SPADES", 10),
    ],
)
def test_matadors(hand: str, game: str, count: int) -> None:
    """With or without, from the jack of clubs downwards."""
    assert matadors(set(cards(hand)), game) == count


@pytest.mark.parametrize(("hand", "most"), [(WEAK, 0), (SPADES, 33), (GRAND, 96), (NULL, 23)])
def test_how_far_hands_bid(hand: str, most: int) -> None:
    """A suit by its base times matadors and one more; nothing without a game."""
    assert limit(cards(hand)) == most


@pytest.mark.parametrize(
    ("hand", "bid", "named"),
    [
        (SPADES, 18, "SPADES"),
        (GRAND, 18, "GRAND"),
        (NULL, 18, "NULL"),
    ],
)
def test_games_named(hand: str, bid: int, named: str) -> None:
    assert best_game(cards(hand), (), bid).name == named


def test_the_game_named_reaches_the_bid() -> None:
    """A weaker game that is worth the bid is better than one that is lost by its value."""
    hand = cards(NULL)
    assert best_game(hand, (), 23).name == "NULL"
    assert best_game(hand, (), 24).value >= 24


def test_two_cards_are_laid_away_and_no_jack() -> None:
    away = cards_away(cards(f"{SPADES} TH QC"), 18)
    assert len(set(away)) == 2
    assert not {rank for _, rank in away} & {"J"}
    assert not {("SPADES", "K"), ("DIAMONDS", "A")} & set(away)


def test_every_game_is_valued() -> None:
    assert [one.name for one in games(cards(WEAK))] == [
        "DIAMONDS", "HEARTS", "SPADES", "CLUBS", "GRAND", "NULL",
    ]  # fmt: skip


@cache
def skat(**declared: int) -> Game:
    return Game.load("skat", **declared)


@pytest.mark.slow
def test_games_are_played_and_mostly_won() -> None:
    """Tree search alone passes every hand; here most deals are played, and most games won."""
    game, spec, played, won = skat(), player("skat:iterations=60"), 0, 0
    deals = usually(10, 30)
    for seed in range(deals):
        record = referee_game(game, seed, [spec() for _ in range(3)])
        assert record.error is None
        played += any(record.scores)
        won += max(record.scores) > 0
    assert played >= 2 / 3 * deals
    assert won >= 0.65 * played


def test_defenders_care_whether_the_declarer_wins() -> None:
    """Their own scores are 0 either way, so these cannot be what the search goes by."""
    built = player("skat:iterations=20")()
    assert isinstance(built, SkatPlayer)
    assert built.cards.reward is SearchReward.MARGIN
    assert SkatPlayer().cards.reward is SearchReward.MARGIN


@pytest.mark.parametrize("declared", [{"JUMPS": 1}, {"RAMSCH": 1}, {"SEEGER": 1}])
def test_it_plays_by_all_options(declared: dict[str, int]) -> None:
    """A bid may leave out values, and it does not: jumps are for those who want them."""
    game, spec = skat(**declared), player("skat:iterations=20")
    for seed in range(usually(1, 6)):
        assert referee_game(game, seed, [spec() for _ in range(3)]).error is None


def test_it_plays_no_other_game() -> None:
    game = Game.load("knaves", engine="interpreter")
    with pytest.raises(UnknownAuctionError, match="cannot play knaves"):
        referee_game(game, 1, [player("skat")()] * 3)


def test_its_model_says_what_it_would_call() -> None:
    """One call in ten is anything at all; of a card to play nothing is said."""
    called = RuleModel(by_rule).probabilities
    state = skat().start(1003)
    while by_rule(_decision(state)) is not None:
        chosen, found = by_rule(_decision(state)), called(state)
        assert found is not None
        assert sum(found) == pytest.approx(1)
        assert found[chosen] == pytest.approx(0.9 + 0.1 / state.option_count)
        state.play(chosen)
    assert len(state.choices) > 4
    assert called(state) is None


def _decision(state: State) -> Decision:
    assert state.player is not None
    return Decision(state.player, state.option_count, Stream(1), state, len(state.choices))


@pytest.mark.deep
def test_it_plays_with_inference() -> None:
    game, spec = skat(), player("skat:iterations=20,inference=skat")
    assert referee_game(game, 1003, [spec() for _ in range(3)]).error is None


def test_its_model_is_of_no_other_game() -> None:
    with pytest.raises(UnknownAuctionError, match="cannot play kuhn"):
        model(_decision(Game.load("kuhn", engine="interpreter").start(1)))
