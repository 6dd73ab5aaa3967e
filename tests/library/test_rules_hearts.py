"""Hearts as its rules say, checked without asking the engine what is legal or who wins."""

import pytest
from library_playing import (
    ACE_HIGH,
    FULL_PACK,
    Play,
    bare_options,
    by_number,
    card_of,
    code,
    codes,
    decisions,
    finish,
    hand,
    interpreted,
    offered,
    preferring,
    seeds,
    shuffled,
    tricks,
    winner,
)
from ordered_pack import ordered

from cardwright import Game, Option, State

SPARES = {3: ["2D"], 4: [], 5: ["2D", "2C"]}


@pytest.fixture(scope="module", params=[3, 4, 5])
def game(request: pytest.FixtureRequest) -> Game:
    return interpreted("hearts", PLAYERS=request.param)


@pytest.fixture(scope="module")
def four() -> Game:
    return interpreted("hearts")


def points(cards: list[str], queen: int = 13) -> int:
    return sum(card[1] == "H" for card in cards) + queen * cards.count("QS")


def suit(letter: str) -> list[str]:
    """Return a suit from the two to the ace."""
    return [rank + letter for rank in ACE_HIGH]


def deal(first: list[str]) -> str:
    """Return a pack that gives these cards to the first player."""
    return " ".join([*first, *(card for card in FULL_PACK if card not in first)])


def taken(rounds: list[list[Play]], players: int) -> list[list[str]]:
    piles: list[list[str]] = [[] for _ in range(players)]
    for trick in rounds:
        piles[winner(trick)] += [play.card for play in trick]
    return piles


def legal(cards: tuple[str, ...], lead: str, broken: bool) -> tuple[str, ...]:
    """What a player may play, in the order of the hand."""
    if lead:
        same = tuple(card for card in cards if card[1] == lead)
        return same or cards
    plain = tuple(card for card in cards if card[1] != "H")
    return cards if broken or not plain else plain


def keep_hearts(state: State, option: Option) -> bool:
    return not str(card_of(state, option)).endswith("H")


def test_spare_cards_are_laid_aside_and_the_rest_is_dealt_in_blocks(game: Game) -> None:
    """All cards are dealt, seat after seat from the top; 3 players lack 2D, 5 also 2C."""
    for seed in seeds(5):
        state = game.start(seed)
        spares = SPARES[game.players]
        assert list(codes(state.cards(None, "vloc", "REMOVED"))) == by_number(game, spares)
        pack = shuffled(game, seed, spares)
        size = 52 // game.players
        for seat in range(game.players):
            expected = [pack.pop() for _ in range(size)]
            assert list(hand(state, seat)) == by_number(game, expected)
        assert not pack
        assert not state.cards(None, "iloc", "STOCK")


def test_options_are_the_legal_cards_in_hand_order(game: Game) -> None:
    """Follow suit if able; no heart is led before one fell in an earlier trick, unless forced."""
    for seed in seeds(30):
        rounds, _ = tricks(game, seed)
        broken = False
        for trick in rounds:
            lead = ""
            for play in trick:
                assert play.offered == legal(play.hand, lead, broken)
                lead = lead or play.card[1]
            broken = broken or any(play.card[1] == "H" for play in trick)


def test_first_seat_leads_and_then_the_winner_of_each_trick(game: Game) -> None:
    """Player 1 leads first, the others follow in turn, and who takes a trick leads the next."""
    for seed in seeds(30):
        leader = 0
        for trick in tricks(game, seed)[0]:
            assert [p.seat for p in trick] == [
                (leader + i) % game.players for i in range(game.players)
            ]
            leader = winner(trick)


def test_scores_are_the_points_taken(game: Game) -> None:
    """A heart is one point, the queen of spades thirteen; all 26 are worth -26 and nothing else."""
    for seed in range(100, 140):
        rounds, state = tricks(game, seed)
        raw = [points(pile) for pile in taken(rounds, game.players)]
        assert list(state.scores) == [-26 if one == 26 else one for one in raw]
        assert sum(raw) == 26
        assert state.ranks.count(0) == sum(one == min(state.scores) for one in state.scores)
        assert state.ranks[state.scores.index(min(state.scores))] == 0


def test_a_moon_lowers_the_shooter_alone() -> None:
    """Who takes every point scores -26 and wins; the others score nothing."""
    game = ordered("hearts", deal(suit("C")))
    for seed in seeds(5):
        state = finish(game, seed)
        assert state.scores == (-26, 0, 0, 0)
        assert state.ranks == (0, 1, 1, 1)
        assert state.wins == (1, 0, 0, 0)


def test_one_point_short_of_the_moon() -> None:
    """Twenty-five points are no moon: they cost twenty-five."""
    first = [*suit("C")[:0:-1], "2D"]
    second = ["2C", *suit("D")[1:]]
    third = suit("H")
    fourth = ["QS", *(card for card in suit("S") if card != "QS")]
    state = ordered("hearts", " ".join([*first, *second, *third, *fourth])).start(0)
    while not state.finished:
        state.play(0)
    # Twelve tricks go to clubs; the last one, led with 2D, to AD, with a single heart in it.
    assert state.scores == (25, 1, 0, 0)


def test_every_card_is_played_once(game: Game) -> None:
    """A deal takes 51, 52 or 50 decisions with 3, 4 or 5 players, and all cards end discarded."""
    left = [card for card in FULL_PACK if card not in SPARES[game.players]]
    for seed in seeds(20):
        state = finish(game, seed)
        assert len(state.choices) == len(left) == {3: 51, 4: 52, 5: 50}[game.players]
        assert sorted(codes(state.cards(None, "vloc", "DISCARD"))) == left


def test_hearts_and_queen_may_be_thrown_on_the_first_trick(four: Game) -> None:
    """There is no ban on points in the first trick: who cannot follow may throw any card."""
    hearts = queens = 0
    for seed in range(300):
        state = four.start(seed)
        spades = [o for o in bare_options(state) if str(card_of(state, o))[1] != "S"]
        if not spades:
            continue
        state.play(spades[0])
        lead = code(state.cards(0, "vloc", "TRICK")[0])[1]
        cards = hand(state, 1)
        if any(card[1] == lead for card in cards):
            continue
        options = [card_of(state, option) for option in bare_options(state)]
        assert tuple(options) == cards
        hearts += any(card[1] == "H" for card in cards)
        queens += "QS" in cards
    assert hearts >= 3
    assert queens >= 1


def test_a_hand_of_hearts_only_may_lead_and_breaks_them() -> None:
    """With nothing but hearts any may be led unbroken; from the next trick on they are broken."""
    game = interpreted("hearts", PLAYERS=3)
    found = 0
    for seed in range(30):
        exempt = False
        for state, option in decisions(game, seed, preferring(seed, 3, keep_hearts)):
            seat = state.player
            leads = state.string(None, "LEAD") == "NONE"
            if exempt and leads:
                assert state.integer(None, "BROKEN") == 1
                exempt = False
            cards = hand(state, seat or 0)
            if leads and not state.integer(None, "BROKEN") and all(c[1] == "H" for c in cards):
                assert tuple(card_of(state, o) for o in bare_options(state)) == cards
                assert str(card_of(state, option))[1] == "H"
                exempt = True
                found += len(cards) > 1
    assert found >= 3


def test_the_queen_is_forced_out_when_all_else_is_hearts() -> None:
    """On lead before hearts are broken, a hand of hearts and QS has only QS to lead."""
    state = ordered("hearts", deal(["QS", *suit("H")[1:]])).start(0)
    assert offered(state) == ("QS",)


def test_thirteen_hearts_may_be_led() -> None:
    """A hand of hearts alone may lead any of them, and has broken them with the first trick."""
    state = ordered("hearts", deal(suit("H"))).start(0)
    assert sorted(map(str, offered(state))) == sorted(suit("H"))
    for _ in range(4):
        assert not state.integer(None, "BROKEN")
        state.play(0)
    assert state.integer(None, "BROKEN") == 1


def test_the_queen_of_spades_does_not_break_hearts(game: Game) -> None:
    """Hearts are broken by a completed trick with a heart in it, and by nothing else."""
    queen_without = 0
    for seed in seeds(50):
        fallen: list[str] = []
        current: list[str] = []
        for state, option in decisions(game, seed):
            assert state.integer(None, "BROKEN") == any(card[1] == "H" for card in fallen)
            if len(current) == game.players:
                current = []
            current.append(str(card_of(state, option)))
            if len(current) == game.players:
                fallen += current
                if "QS" in fallen and not any(card[1] == "H" for card in fallen):
                    queen_without += 1
    assert queen_without >= 3


def test_another_price_of_the_queen() -> None:
    """QUEEN sets what the queen of spades costs; all points together still shoot the moon."""
    game = interpreted("hearts", QUEEN=7)
    for seed in seeds(40):
        rounds, state = tricks(game, seed)
        raw = [points(pile, 7) for pile in taken(rounds, 4)]
        assert list(state.scores) == [-20 if one == 20 else one for one in raw]
