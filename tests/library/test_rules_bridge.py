"""Bridge as its laws say, checked without asking the engine what is legal or who wins."""

from collections import Counter
from itertools import product

import pytest
from bridge_model import BIDS, Board, score
from library_playing import (
    FULL_PACK,
    SUITS,
    bare_options,
    by_number,
    card_of,
    code,
    codes,
    hand,
    picked,
    put,
    seeds,
    shuffled,
)
from ordered_pack import ordered

from cardwright import Game, Option, State, Stream
from cardwright.game.find import find
from cardwright.syntax.source import Source

SHORT = {**SUITS, "NOTRUMP": "NT"}
ONE_SUIT_EACH = " ".join(rank + suit for suit in "SHDC" for rank in "AKQJT98765432")
"""North has all spades, east hearts, south diamonds, west clubs."""


def call_of(option: Option) -> str:
    """Return what an option of the auction says: pass, 1C to 7NT, X or XX."""
    if named := picked(option, "NAMED"):
        return f"{picked(option, 'N')}{SHORT[str(named)]}"
    return ("pass", "", "X", "XX")[option.content.branch]


def calls_of(state: State) -> list[str]:
    return [call_of(option) for option in bare_options(state)]


def call(state: State, calls: str) -> State:
    """Make these calls, one after the other."""
    for each in calls.split():
        state.play(calls_of(state).index(each))
    return state


def auction(calls: str, **declared: int | str) -> State:
    """Return a board on which everybody has one suit, after these calls."""
    return call(ordered("bridge", ONE_SUIT_EACH, **declared).start(0), calls)


def sensible(options: list[str], stream: Stream) -> int:
    """Choose a call: mostly a pass or one of the lowest bids, else any."""
    most = (1, 1, 2, 4, 8, len(options))[stream.below(6)]
    return stream.below(min(most, len(options)))


@pytest.fixture(scope="module")
def game() -> Game:
    return Game.load("bridge")


def test_the_deal(game: Game) -> None:
    """Thirteen of 52 cards each from the top, north first."""
    assert sorted(code(card) for card in game.cards) == FULL_PACK
    for seed in seeds(20):
        state = game.start(seed)
        pack = shuffled(game, seed)[::-1]
        for seat in range(4):
            assert list(hand(state, seat)) == by_number(game, pack[13 * seat : 13 * seat + 13])


@pytest.mark.parametrize("vulnerable", ["NONE", "NS", "EW", "ALL"])
def test_whole_boards_are_as_in_a_model(vulnerable: str) -> None:
    """Every option of every decision, who has to decide, and the scores, on random boards."""
    dealer = ["NONE", "NS", "EW", "ALL"].index(vulnerable)
    game = Game.load("bridge", VULNERABLE=vulnerable, DEALER=dealer + 1)
    seen: Counter[str] = Counter()
    for seed in seeds(50, 13):
        state, stream = game.start(seed), Stream(seed)
        model = Board([list(hand(state, seat)) for seat in range(4)], dealer, vulnerable)
        while not model.finished:
            assert state.player == model.turn()[0]
            if not model.over:
                options = calls_of(state)
                assert options == model.may_call()
                chosen = sensible(options, stream)
                model.calls.append(options[chosen])
            else:
                cards = [card_of(state, option) or "" for option in bare_options(state)]
                assert cards == model.may_play()
                chosen = stream.below(len(cards))
                model.play(cards[chosen])
            state.play(chosen)
        assert state.finished
        assert state.scores == tuple(model.scores())
        seen[model.doubled if model.contract else "passed out"] += 1
    assert {"", "X", "XX"} <= set(seen)


def tricks(state: State, side: int) -> int:
    """Return how many tricks a side has won."""
    stored = state.view(0).integers
    owners = {
        state.game.program.owner_name(owner): n
        for (owner, name), n in stored.items()
        if name == "TRICKS"
    }
    return owners.get(f"t{side + 1}", 0)


def scored(vulnerable: str) -> Game:
    """Return bridge without play: how many tricks north and south have won is drawn by lot."""
    text = find("bridge").text
    deal = "(shuffle (game iloc STOCK))"
    drawn = (
        "(set (game sto DRAWN) (random 0 .. 13))"
        "(set ((1 team) sto TRICKS) (game sto DRAWN))"
        "(set ((2 team) sto TRICKS) (- 13 (game sto DRAWN)))"
    )
    assert text.count(deal) == 1
    source = Source("bridge-scored", text.replace(deal, deal + drawn))
    return Game.from_source(source, declared={"VULNERABLE": vulnerable})


@pytest.mark.slow
def test_every_contract_scores_what_the_laws_say() -> None:
    """All contracts, doublings and results, of the vulnerable side and of the other one."""
    game = scored("NS")
    starts = {game.start(seed).integer(None, "DRAWN"): game.start(seed) for seed in seeds(100, 40)}
    assert sorted(starts) == list(range(14))
    for won, bid, doubles, side in product(starts, BIDS, ([], ["X"], ["X", "XX"]), (0, 1)):
        calls = ["pass"] * side + [bid, *doubles] + ["pass"] * 3
        board = Board([[], [], [], []], 0, "NS", calls, won=[won, 13 - won])
        state = starts[won].copy()
        for each in calls:  # passes come first, bids in their order, and doubles last
            last = state.option_count - 1
            state.play(0 if each == "pass" else last if each[0] == "X" else 1 + BIDS.index(each))
        assert state.finished
        assert state.scores == tuple(board.scores())


@pytest.mark.parametrize(
    ("contract", "doubled", "tricks", "vulnerable", "points"),
    [
        ("1C", "", 7, False, 70),
        ("1NT", "", 7, False, 90),
        ("2NT", "", 8, True, 120),
        ("2S", "", 9, False, 140),
        ("3NT", "", 9, False, 400),
        ("3NT", "", 9, True, 600),
        ("3NT", "", 11, True, 660),
        ("4S", "", 10, False, 420),
        ("4H", "", 11, True, 650),
        ("5C", "", 11, False, 400),
        ("5D", "", 12, True, 620),
        ("6NT", "", 12, True, 1440),
        ("6S", "", 12, False, 980),
        ("6C", "", 13, False, 940),
        ("7NT", "", 13, False, 1520),
        ("7S", "", 13, True, 2210),
        ("7NT", "XX", 13, True, 2980),
        ("2H", "X", 8, False, 470),
        ("1C", "X", 8, False, 240),
        ("1NT", "X", 7, False, 180),
        ("1NT", "XX", 8, True, 1160),
        ("4S", "X", 11, True, 990),
        ("3NT", "", 8, False, -50),
        ("3NT", "", 6, True, -300),
        ("1C", "X", 6, False, -100),
        ("1C", "X", 5, False, -300),
        ("1C", "X", 4, False, -500),
        ("1C", "X", 3, False, -800),
        ("1C", "X", 2, False, -1100),
        ("4H", "X", 9, True, -200),
        ("4H", "X", 6, True, -1100),
        ("4H", "XX", 8, False, -600),
        ("7NT", "XX", 0, True, -7600),
    ],
)
def test_published_scores(
    contract: str, doubled: str, tricks: int, *, vulnerable: bool, points: int
) -> None:
    """What tables of duplicate scores say of some contracts: the model of this test agrees."""
    assert score(contract, doubled, tricks, vulnerable=vulnerable) == points


def test_options_are_called_as_at_a_table() -> None:
    """Calls, and cards of one's own hand and of dummy's."""
    at = [auction(""), auction("1C"), auction("1C X"), auction("1S pass pass pass")]
    said = [[option.description for option in state.options()] for state in at]
    assert said[0][:3] == ["pass", "bid 1 CLUBS", "bid 1 DIAMONDS"]
    assert (said[0][-1], said[1][-1], said[2][-1]) == ("bid 7 NOTRUMP", "double", "redouble")
    assert said[3][0] == "play 2 of HEARTS from hand"
    assert put(at[3], "AH").options()[0].description == "play 2 of DIAMONDS from dummy"


def test_a_bid_must_be_higher() -> None:
    """More tricks, or as many in a higher strain: clubs, diamonds, hearts, spades, no trump."""
    assert calls_of(auction("")) == ["pass", *BIDS]
    assert calls_of(auction("3H"))[:4] == ["pass", "3S", "3NT", "4C"]
    assert calls_of(auction("1NT pass"))[:2] == ["pass", "2C"]
    assert calls_of(auction("7NT pass")) == ["pass"]


def test_only_the_other_sides_bid_is_doubled() -> None:
    """Passes in between do not matter; neither one's own side nor a pass can be doubled."""
    assert "X" not in calls_of(auction("pass"))
    assert "X" in calls_of(auction("1C"))
    assert "X" not in calls_of(auction("1C pass"))
    assert "X" in calls_of(auction("1C pass pass"))
    assert "X" not in calls_of(auction("1C X"))
    assert "X" not in calls_of(auction("1C X pass pass"))


def test_only_the_other_sides_double_is_redoubled() -> None:
    assert "XX" not in calls_of(auction("1C"))
    assert "XX" in calls_of(auction("1C X"))
    assert "XX" not in calls_of(auction("1C X pass"))
    assert "XX" in calls_of(auction("1C X pass pass"))
    assert not {"X", "XX"} & set(calls_of(auction("1C X XX")))
    assert not {"X", "XX"} & set(calls_of(auction("1C X XX pass")))


def test_a_bid_does_away_with_doubles() -> None:
    """After 1C doubled and redoubled, 1D is a bid like any other, to be doubled anew."""
    assert "X" in calls_of(auction("1C X XX 1D"))
    assert "X" not in calls_of(auction("1C X 1D pass"))
    assert auction("1C X XX 1D pass pass pass").integer(None, "DOUBLED") == 1


def test_three_passes_end_the_auction_and_four_at_the_start() -> None:
    """Three passes at the start leave the fourth player a call."""
    assert calls_of(auction("pass pass pass")) == ["pass", *BIDS]
    state = auction("pass pass pass pass")
    assert state.finished
    assert state.scores == (0, 0, 0, 0)
    assert auction("pass pass pass 1C pass pass").player == 2
    assert auction("1C pass pass 1D pass pass pass").string(None, "STRAIN") == "DIAMONDS"


@pytest.mark.parametrize(
    ("calls", "declarer"),
    [
        ("1H pass 2H pass pass pass", 0),
        ("1H pass 1S pass 2S pass pass pass", 2),
        ("pass 1C pass 1NT pass 2NT pass pass pass", 3),
        ("1H 1S 2H 2S pass pass pass", 1),
        ("1S 2C 2H pass 2S X pass pass pass", 0),
        ("1C 1H pass pass 2H pass pass pass", 0),
    ],
)
def test_the_declarer_named_the_strain_first(calls: str, declarer: int) -> None:
    """Of the side that plays: that the other side has named it before does not matter."""
    state = auction(calls)
    assert state.integer(None, "DECLARER") == declarer + 1
    assert state.player == (declarer + 1) % 4


@pytest.mark.parametrize("dealer", [1, 2, 3, 4])
def test_the_dealer_calls_first(dealer: int) -> None:
    assert auction("", DEALER=dealer).player == dealer - 1
    assert auction("pass 1C", DEALER=dealer).player == (dealer + 1) % 4


def test_dummy_is_seen_after_the_opening_lead() -> None:
    """East leads against north's contract; before that nobody sees south's cards, then all do."""
    state = auction("1S pass pass pass")
    assert state.player == 1
    assert not state.cards(2, "vloc", "HAND")
    put(state, "AH")
    assert hand(state, 2) == ()
    assert sorted(codes(state.cards(2, "vloc", "HAND"))) == sorted(r + "D" for r in "23456789TJQKA")
    assert state.player == 0
    assert {card_of(state, option) for option in bare_options(state)} == {
        r + "D" for r in "23456789TJQKA"
    }


def test_the_declarer_plays_both_hands() -> None:
    """Who plays: east leads, north plays from dummy, west, north ruffs; then north leads."""
    state = auction("1S pass pass pass")
    players = []
    for card in ("AH", "2D", "2C", "2S", "AS"):
        players.append(state.player)
        put(state, card)
    assert players == [1, 0, 3, 0, 0]
    assert tricks(state, 0) == 1


def test_without_trumps_the_suit_led_wins() -> None:
    """In no trump a club lead of west's thirteen wins every trick; in diamonds dummy ruffs."""
    state = auction("pass pass 1NT pass pass pass")
    for rank in "AKQJT98765432":
        put(state, f"{rank}C {rank}S {rank}H {rank}D")
    assert tricks(state, 1) == 13
    assert state.scores == (-350, 350, -350, 350)


def test_a_whole_board_by_hand() -> None:
    """South is in 7D, doubled and redoubled, with all trumps: 13 tricks, vulnerable."""
    state = auction("pass pass 7D X XX pass pass pass", VULNERABLE="NS")
    put(state, "AC AS AH AD")
    for rank in "KQJT98765432":
        put(state, f"{rank}D {rank}C {rank}S {rank}H")
    # 7 * 20 * 4 = 560, insult 100, game 500, grand slam 1500.
    assert state.scores == (2660, -2660, 2660, -2660)
