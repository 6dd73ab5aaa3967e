"""Skat as its rules say, checked without asking the engine what is legal or who wins."""

from collections import Counter
from itertools import chain, combinations

import pytest
from library_playing import (
    SUITS,
    bare_options,
    by_number,
    card_of,
    code,
    codes,
    hand,
    interpreted,
    picked,
    put,
    seeds,
    shuffled,
)
from ordered_pack import ordered
from skat_model import VALUES, Deal, Result, matadors

from cardwright import Game, Option, State, Stream
from deep import usually

WAYS = ("HAND", "SKAT")
"""How the declarer can play: the first two options after the auction."""

PACK = sorted(rank + suit for rank in "789TJQKA" for suit in "CDHS")


def says(state: State, option: Option) -> str:
    """Return a call of the auction: a value, hold or pass."""
    value = picked(option, "VALUE")
    return str(value) if value else ("", "hold", "pass")[option.content.branch]


def named(option: Option) -> tuple[str, str]:
    """Return the game that an option names, and what it announces."""
    game = str(picked(option, "NAMED") or "NULL")
    return SUITS.get(game, game), str(picked(option, "ANNOUNCED"))


def laid(state: State, option: Option) -> tuple[str, ...]:
    """Return the two cards that an option lays away."""
    cards = picked(option, "CARDS")
    assert isinstance(cards, tuple)
    return codes(state.game.cards[card] for card in cards)


def choose(state: State, *wanted: object) -> State:
    """Take these decisions: calls, HAND or SKAT, cards to lay away, games, cards to play."""
    for each in wanted:
        options = bare_options(state)
        if isinstance(each, tuple):
            found = [named(option) for option in options]
        elif each in WAYS:
            found = list(WAYS)
        elif " " in str(each):
            found = [" ".join(laid(state, option)) for option in options]
        elif picked(options[0], "CARD") is not None:
            found = [card_of(state, option) for option in options]
        else:
            found = [says(state, option) for option in options]
        state.play(found.index(each))
    return state


@pytest.fixture(scope="module")
def game() -> Game:
    return interpreted("skat")


def test_the_deal(game: Game) -> None:
    """Three cards each from the top, two for the skat, four each, three each."""
    assert sorted(code(card) for card in game.cards) == PACK
    for seed in seeds(20):
        state = game.start(seed)
        pack = shuffled(game, seed)[::-1]
        assert sorted(codes(state.cards(None, "iloc", "SKAT"))) == sorted(pack[9:11])
        for seat in range(3):
            four, last = 11 + 4 * seat, 23 + 3 * seat
            mine = pack[3 * seat : 3 * seat + 3] + pack[four : four + 4] + pack[last : last + 3]
            assert list(hand(state, seat)) == by_number(game, mine)


@pytest.mark.parametrize("declared", [{}, {"JUMPS": 1, "SEEGER": 1}, {"RAMSCH": 1}])
def test_whole_deals_are_as_in_a_model(declared: dict[str, int]) -> None:
    """Every option of every decision, who has to decide, and the scores, on random deals."""
    game = interpreted("skat", **declared)
    rules = {name.lower(): bool(value) for name, value in declared.items()}
    seen: Counter[str] = Counter()
    for seed in range(usually(60, 120)):
        state, stream = game.start(seed), Stream(seed)
        hands = [list(hand(state, seat)) for seat in range(3)]
        model = Deal(hands, list(codes(state.cards(None, "iloc", "SKAT"))), **rules)
        while not model.finished:
            assert state.player == model.asked
            options = bare_options(state)
            chosen = stream.below(len(options))
            if model.auction:
                calls = [says(state, option) for option in options]
                assert calls == model.may_say()
                if model.jumps and len(calls) > 2:
                    chosen = min(chosen, stream.below(4))
                model.say(calls[chosen])
            elif not model.game and not model.way:
                assert len(options) == 2
                model.take(WAYS[chosen])
            elif not model.laid:
                pairs = {frozenset(laid(state, option)) for option in options}
                cards = model.hands[model.asked]
                assert pairs == {frozenset(pair) for pair in combinations(cards, 2)}
                assert len(options) == 66
                model.lay(list(laid(state, options[chosen])))
            elif not model.game:
                assert [named(option) for option in options] == model.may_name()
                model.name(*named(options[chosen]))
            else:
                cards = [card_of(state, option) or "" for option in options]
                assert sorted(cards) == sorted(model.may_play())
                model.play(cards[chosen])
            state.play(chosen)
        assert state.finished
        assert state.scores == model.scores()
        seen[model.game + model.way] += 1
        seen["won"] += max(state.scores) > 50
    assert len(seen) >= usually(8, 10)
    assert seen["won"]


@pytest.mark.parametrize(
    ("cards", "game", "count"),
    [
        ("JC 7H", "H", 1),
        ("JC JS JD AC", "C", 2),
        ("JS JH JD AC", "C", 1),
        ("JH AC", "C", 2),
        ("AC", "C", 4),
        ("KC", "C", 6),
        ("", "S", 11),
        ("JC JS JH JD AS TS QS", "S", 6),
        ("JC JS JH JD AS TS KS QS 9S 8S 7S", "S", 11),
        ("JC JS JH JD AS TS", "GRAND", 4),
        ("AS TS", "GRAND", 4),
        ("JD", "GRAND", 3),
    ],
)
def test_matadors(cards: str, game: str, count: int) -> None:
    """With or without so many, as the rules count them: the model of these tests agrees."""
    assert matadors(cards.split(), game) == count


@pytest.mark.parametrize(
    ("game", "way", "announced", "bid", "cards", "points", "tricks", "score"),
    [
        # Clubs with 1, game 2.
        ("C", "SKAT", "PLAIN", 18, "JC AC", 61, 6, 24),
        ("C", "SKAT", "PLAIN", 18, "JC AC", 60, 6, -48),
        # Spades without 3, game 4, hand 5.
        ("S", "HAND", "PLAIN", 18, "JD AS", 75, 7, 55),
        # Hearts with 2, game 3, schneider 4; lost as schneider; schwarz 5.
        ("H", "SKAT", "PLAIN", 20, "JC JS", 90, 8, 40),
        ("H", "SKAT", "PLAIN", 20, "JC JS", 30, 2, -80),
        ("H", "SKAT", "PLAIN", 20, "JC JS", 31, 2, -60),
        ("H", "SKAT", "PLAIN", 20, "JC JS", 120, 10, 50),
        # Grand with 4, game 5, hand 6, schneider 7, announced 8.
        ("GRAND", "HAND", "SCHNEIDER", 18, "JC JS JH JD", 95, 9, 192),
        ("GRAND", "HAND", "SCHNEIDER", 18, "JC JS JH JD", 89, 9, -384),
        # The most that there is: grand ouvert with 4, 264; clubs ouvert with 11, 216.
        ("GRAND", "HAND", "OUVERT", 18, "JC JS JH JD", 120, 10, 264),
        ("C", "HAND", "OUVERT", 18, "JC JS JH JD AC TC KC QC 9C 8C 7C", 120, 10, 216),
        ("C", "HAND", "SCHWARZ", 18, "JC", 118, 9, -2 * 12 * 7),
        # Overbid: diamonds with 1 are worth 18; 20 was bid, so 27 counts, twice.
        ("D", "SKAT", "PLAIN", 20, "JC", 80, 7, -54),
        ("D", "SKAT", "PLAIN", 27, "JC", 90, 7, 27),
        ("S", "SKAT", "PLAIN", 59, "JC JS JH", 70, 7, -132),
    ],
)
def test_values_of_games(  # noqa: PLR0917
    game: str, way: str, announced: str, bid: int, cards: str, points: int, tricks: int, score: int
) -> None:
    """Values that the rules give, as the model of these tests has them."""
    result = Result(game, way, announced, bid, tuple(cards.split()), points, tricks)
    assert result.score() == score


def test_the_values_that_can_be_bid(game: Game) -> None:
    """Middlehand names one after the other, forehand holds all, up to 264."""
    state = game.start(1)
    for value in VALUES:
        assert [says(state, option) for option in bare_options(state)] == [str(value), "pass"]
        assert state.player == 1
        choose(state, str(value))
        assert [says(state, option) for option in bare_options(state)] == ["hold", "pass"]
        assert state.player == 0
        choose(state, "hold")
    assert [says(state, option) for option in bare_options(state)] == ["pass"]


@pytest.mark.parametrize(
    ("calls", "players", "declarer", "bid"),
    [
        ("18 hold pass 20 pass", "10120", 2, 20),
        ("18 hold pass 20 hold pass", "101202", 0, 20),
        ("18 hold 20 pass pass", "10102", 1, 20),
        ("18 pass 20 hold pass", "10212", 1, 20),
        ("18 pass 20 pass", "1021", 2, 20),
        ("pass 18 hold 20 pass", "12020", 2, 20),
        ("pass pass 18", "120", 0, 18),
        ("18 pass pass", "102", 1, 18),
    ],
)
def test_who_plays(game: Game, calls: str, players: str, declarer: int, bid: int) -> None:
    """Middlehand bids to forehand, then rearhand to the one who is left."""
    state = game.start(3)
    for each, player in zip(calls.split(), players, strict=True):
        assert state.player == int(player)
        choose(state, each)
    assert state.player == declarer
    assert state.integer(None, "BID") == bid
    assert len(bare_options(state)) == 2


def test_nobody_plays_if_all_pass(game: Game) -> None:
    state = choose(game.start(1), "pass", "pass", "pass")
    assert state.finished
    assert state.scores == (0, 0, 0)


def test_a_bid_may_leave_out_values_with_JUMPS() -> None:  # noqa: N802
    state = interpreted("skat", JUMPS=1).start(1)
    assert [says(state, option) for option in bare_options(state)] == [*map(str, VALUES), "pass"]
    choose(state, "46", "hold")
    higher = [str(value) for value in VALUES if value > 46]
    assert [says(state, option) for option in bare_options(state)] == [*higher, "pass"]


FOREHAND = "JC JS JH JD AC TC KC QC 9C 8C"
OTHERS = ("AS TS KS QS 9S 8S 7S AH TH KH", "AD TD KD QD 9D 8D 7D QH 9H 8H")
SKAT = "7C 7H"


def held(first: str = FOREHAND, second: str = OTHERS[0], third: str = OTHERS[1]) -> str:
    """Return the pack that deals these hands, with the skat 7C 7H unless they have those."""
    hands = [one.split() for one in (first, second, third)]
    rest = [card for card in PACK if card not in chain(*hands)]
    fours, threes = [one[3:7] for one in hands], [one[7:] for one in hands]
    return " ".join(chain(*(one[:3] for one in hands), rest, *fours, *threes))


def forehand_plays(*wanted: object, pack: str = "") -> State:
    """Start a deal in which forehand plays for 18, and take decisions."""
    state = ordered("skat", pack or held()).start(0)
    return choose(state, "pass", "pass", "18", *wanted)


def test_the_skat_is_taken_up_before_two_cards_are_laid_away() -> None:
    """Only the declarer sees it, and what is laid away can be of the skat again."""
    state = forehand_plays()
    assert not set(SKAT.split()) & set(hand(state, 0))
    choose(state, "SKAT")
    assert set(SKAT.split()) < set(hand(state, 0))
    assert len(bare_options(state)) == 66
    choose(state, "7H 7C")
    assert sorted(hand(state, 0, "SKAT")) == sorted(SKAT.split())
    assert sorted(hand(state, 0)) == sorted(FOREHAND.split())


def test_options_are_called_as_at_a_table() -> None:
    """Bids, the skat, games and cards."""
    state = ordered("skat", held()).start(0)
    said = []
    for wanted in ("18", "pass", "pass", "HAND", ("GRAND", "SCHWARZ")):
        said.append([option.description for option in state.options()])
        choose(state, wanted)
    said.append([option.description for option in state.options()])
    assert said[0] == ["bid 18", "pass"]
    assert said[1] == ["hold", "pass"]
    assert said[3] == ["play from hand", "take the skat"]
    assert said[4][:2] == ["name CLUBS PLAIN", "name CLUBS SCHNEIDER"]
    assert said[4][-1] == "name null OUVERT"
    assert "play J of CLUBS" in said[5]


def test_announcements_need_a_hand_game() -> None:
    """With the skat there are six plain games and null ouvert, from the hand all 22."""
    state = forehand_plays("SKAT", "7H 7C")
    assert len(bare_options(state)) == 7
    assert len(bare_options(forehand_plays("HAND"))) == 22


def test_null_is_offered_where_it_is_worth_the_bid(game: Game) -> None:
    """23, from the hand 35, ouvert 46, ouvert from the hand 59."""
    for value in VALUES:
        state = game.start(1)
        for each in VALUES[: VALUES.index(value)]:
            choose(state, str(each), "hold")
        choose(state, str(value), "pass", "pass")
        from_hand = choose(state.copy(), "HAND")
        with_skat = choose(state, "SKAT")
        with_skat.play(0)
        for at, plain, ouvert in ((from_hand, 35, 59), (with_skat, 23, 46)):
            nulls = [step for name, step in map(named, bare_options(at)) if name == "NULL"]
            assert nulls == ["PLAIN"] * (value <= plain) + ["OUVERT"] * (value <= ouvert)


def test_an_open_hand_is_seen_before_the_first_lead() -> None:
    state = forehand_plays("HAND", ("C", "OUVERT"))
    assert hand(state, 0) == ()
    assert sorted(codes(state.cards(0, "vloc", "HAND"))) == sorted(FOREHAND.split())
    assert sorted(str(card_of(state, each)) for each in bare_options(state)) == sorted(
        FOREHAND.split()
    )


def test_clubs_ouvert_with_eleven() -> None:
    """With the seven in the skat all eleven trumps are held: 18 times 12."""
    state = forehand_plays("HAND", ("C", "OUVERT"))
    for cards in zip(FOREHAND.split(), *map(str.split, OTHERS), strict=True):
        put(state, " ".join(cards))
    assert state.scores == (216, 0, 0)


def test_grand_with_four() -> None:
    """With 4, game 5, hand 6, and schneider and schwarz, not announced: 8 times 24."""
    state = forehand_plays("HAND", ("GRAND", "PLAIN"))
    for cards in zip(FOREHAND.split(), *map(str.split, OTHERS), strict=True):
        put(state, " ".join(cards))
    assert state.scores == (192, 0, 0)


def test_jacks_are_trumps_except_in_null() -> None:
    """A jack led asks for trumps, and in null for its suit."""
    second = "JH 7C KD 7S 8S 9S QS KS TS AS"
    third = "JD 8C 9C 7D 8D 9D QD TD AD QH"
    first = "JC JS AC TC KC QC 7H 8H 9H AH"
    pack = held(first, second, third)
    may = {}
    for name in ("C", "GRAND", "D", "NULL"):
        state = put(forehand_plays("HAND", (name, "PLAIN"), pack=pack), "JC")
        may[name] = {card_of(state, option) for option in bare_options(state)}
    assert may["C"] == {"JH", "7C"}
    assert may["GRAND"] == {"JH"}
    assert may["D"] == {"JH", "KD"}
    assert may["NULL"] == {"7C"}


LOW = "7C 8C 9C TC 7S 8S 9S TS 7H 8H"
HIGH = "JC QC KC AC JS QS KS AS JH QH"
MIXED = "7D 8D 9D TD JD QD KD AD KH AH"


def null(announced: str, pack: str, **declared: int) -> State:
    """Start a null game that forehand plays from the hand."""
    state = ordered("skat", pack, **declared).start(0)
    return choose(state, "pass", "pass", "18", "HAND", ("NULL", announced))


def test_null_is_won_without_a_trick() -> None:
    """In null the ten is below the jack: forehand's tens are beaten by jacks."""
    state = null("PLAIN", held(LOW, HIGH, MIXED))
    put(state, "TC JC 7D")
    assert state.player == 1
    while not state.finished:
        state.play(0)
    assert state.scores == (35, 0, 0)


def test_null_is_lost_with_the_first_trick() -> None:
    """The first trick of the declarer ends the game, twice 59 lost."""
    state = put(null("OUVERT", held(HIGH, LOW, MIXED)), "AC 7C 7D")
    assert state.finished
    assert state.scores == (-118, 0, 0)


def test_tournaments_add_fifty_and_forty() -> None:
    """A game won counts 50 more; one lost 50 less, and 40 for each of the others."""
    state = null("PLAIN", held(LOW, HIGH, MIXED), SEEGER=1)
    while not state.finished:
        state.play(0)
    assert state.scores == (85, 0, 0)
    state = put(null("PLAIN", held(HIGH, LOW, MIXED), SEEGER=1), "AC 7C 7D")
    assert state.scores == (-120, 40, 40)
