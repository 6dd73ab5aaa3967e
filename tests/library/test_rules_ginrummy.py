"""Gin Rummy as its rules say: hands are followed by a model that knows only the rules."""

from collections import Counter
from functools import cache
from itertools import combinations
from typing import NamedTuple

import pytest
from library_playing import (
    FULL_PACK,
    bare_options,
    card_of,
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
    words,
)

from cardwright import Game, Option, State, Stream

ORDER = "A23456789TJQK"
COST = {rank: min(value, 10) for value, rank in enumerate(ORDER, start=1)}

Cards = frozenset[str]


class Move(NamedTuple):
    """What a player does: pass, draw, take, discard, knock, meld, or lay off onto a meld."""

    kind: str
    cards: Cards = frozenset()
    onto: Cards = frozenset()
    melds: frozenset[Cards] = frozenset()


def cards(text: str) -> Cards:
    return frozenset(text.split())


def discard(card: str) -> Move:
    return Move("discard", cards(card))


def knock(card: str, *melds: str) -> Move:
    return Move("knock", cards(card), melds=frozenset(cards(meld) for meld in melds))


def lay_off(card: str, meld: str) -> Move:
    return Move("lay off", cards(card), cards(meld))


def group(state: State, option: Option, variable: str) -> Cards:
    """Return the cards of a location that an option picks."""
    pick = picked(option, variable)
    assert isinstance(pick, tuple)
    return frozenset(code(state.game.cards[one]) for one in pick)


def move(state: State, option: Option) -> Move:
    """Return what an option does, told by what it picks."""
    names = {name.strip("'") for name, _ in option.content.picks}
    card = card_of(state, option)
    mine = frozenset((card,) if card else ())
    if "A" in names:
        melds = {group(state, option, name) for name in ("A", "B", "C")}
        return Move("knock", mine, melds=frozenset(melds))
    if "MELD" in names:
        return Move("meld", group(state, option, "MELD"))
    if "PLACE" in names:
        seat, place = state.integer(None, "KNOCKER") - 1, picked(option, "PLACE")
        assert isinstance(place, int)
        return Move("lay off", mine, frozenset(codes(state.cards(seat, "vloc", "MELD", place))))
    if card:
        return Move("discard", mine)
    if "STOCK" in words(state, option):
        return Move("draw")
    return Move("take" if "DISCARD" in words(state, option) else "pass")


def moves(state: State) -> set[Move]:
    """Return what can be done, each thing being offered once."""
    found = [move(state, option) for option in bare_options(state)]
    assert len(found) == len(set(found))
    return set(found)


def play(state: State, *wanted: Move | str) -> None:
    """Do one thing after the other, whoever's turn it is."""
    for one in wanted:
        plain = Move(one) if isinstance(one, str) else one
        state.play(next(o for o in bare_options(state) if move(state, o) == plain))


def cost(some: Cards | set[str]) -> int:
    return sum(COST[card[0]] for card in some)


def is_meld(some: Cards) -> bool:
    """Say whether cards are a set or a run."""
    ranks, suits = {card[0] for card in some}, {card[1] for card in some}
    if len(some) < 3:
        return False
    if len(ranks) == 1:
        return True
    places = [ORDER.index(rank) for rank in ranks]
    return len(suits) == 1 and max(places) - min(places) == len(some) - 1


def melds_in(some: Cards | set[str]) -> list[Cards]:
    """Return all melds in a hand."""
    groups = [[c for c in some if c[1] == suit] for suit in "CDHS"]
    groups += [[c for c in some if c[0] == rank] for rank in ORDER]
    return [
        frozenset(few)
        for group in groups
        for size in range(3, len(group) + 1)
        for few in combinations(group, size)
        if is_meld(frozenset(few))
    ]


def arrangements(some: Cards | set[str]) -> set[frozenset[Cards]]:
    """Return all ways to lay down one or more melds of a hand."""
    found: set[frozenset[Cards]] = set()
    for meld in melds_in(some):
        found |= {frozenset({meld})}
        found |= {rest | {meld} for rest in arrangements(set(some) - meld)}
    return found


def knocks(some: Cards | set[str], taken: str, limit: int) -> set[Move]:
    """Return all ways to knock with eleven cards."""
    found = set()
    for melds in arrangements(some):
        rest = set(some) - frozenset().union(*melds)
        for card in rest - {taken}:
            if cost(rest - {card}) <= limit:
                found.add(Move("knock", frozenset({card}), melds=melds))
    return found


@cache
def deadwood(some: Cards) -> int:
    """Return the least that can be left of a hand."""
    return min([cost(some), *(deadwood(some - meld) for meld in melds_in(some))])


class Model:
    """A hand of Gin Rummy, kept by the rules alone."""

    def __init__(self, pack: list[str], limit: int, gin: int, undercut: int, rounds: int) -> None:
        self.stock = list(pack)
        self.hands = [{self.stock.pop() for _ in range(10)} for _ in (0, 1)]
        self.discards = [self.stock.pop()]
        self.limit, self.gin, self.undercut, self.left = limit, gin, undercut, 2 * rounds
        self.seat, self.phase, self.taken = 0, "offer", ""
        self.knocker = -1
        self.melds: list[Cards] = []
        self.scores = [0, 0]

    @property
    def over(self) -> bool:
        return self.phase == "over"

    def moves(self) -> set[Move]:
        mine = self.hands[self.seat]
        match self.phase:
            case "offer":
                return {Move("take"), Move("pass")}
            case "draw":
                return {Move("take"), Move("draw")}
            case "discard":
                free = {discard(card) for card in mine if card != self.taken}
                return free | knocks(mine, self.taken, self.limit)
        found = {Move("pass")} | {Move("meld", meld) for meld in melds_in(mine)}
        if self.hands[self.knocker]:
            fits = [(c, meld) for c in mine for meld in self.melds if is_meld(meld | {c})]
            found |= {Move("lay off", frozenset({card}), meld) for card, meld in fits}
        return found

    def play(self, move: Move) -> None:
        seat, other = self.seat, 1 - self.seat
        self.hands[seat] -= move.cards
        match move.kind:
            case "take":
                self.taken = self.discards.pop()
                self.hands[seat].add(self.taken)
                self.phase = "discard"
            case "draw":
                self.hands[seat].add(self.stock.pop())
                self.phase = "discard"
            case "pass" if self.phase == "offer":
                self.seat = other
                if seat == 1:
                    self.hands[0].add(self.stock.pop())
                    self.phase = "discard"
            case "discard":
                self.discards += move.cards
                self.seat, self.phase, self.taken = other, "draw", ""
                self.left -= 1
                if len(self.stock) == 2 or not self.left:
                    self.phase = "over"
            case "knock":
                self.discards += move.cards
                self.melds, self.knocker = list(move.melds), seat
                self.hands[seat] -= frozenset().union(*move.melds)
                self.seat, self.phase = other, "lay"
            case "lay off":
                self.melds[self.melds.index(move.onto)] |= move.cards
        if self.phase == "lay" and (move.kind == "pass" or not self.hands[self.seat]):
            self.phase = "over"
            self.settle(self.knocker, 1 - self.knocker)

    def settle(self, knocker: int, other: int) -> None:
        mine, theirs = cost(self.hands[knocker]), cost(self.hands[other])
        if not mine:
            self.scores[knocker] = theirs + self.gin
        elif mine < theirs:
            self.scores[knocker] = theirs - mine
        else:
            self.scores[other] = mine - theirs + self.undercut

    def check(self, state: State) -> None:
        for seat in (0, 1):
            dead = codes(state.cards(seat, "vloc", "DEADWOOD"))
            assert {*hand(state, seat), *dead} == self.hands[seat]
        assert list(codes(state.cards(None, "vloc", "DISCARD"))) == self.discards
        assert list(codes(state.cards(None, "iloc", "STOCK"))) == self.stock


def better(state: State, option: Option) -> bool:
    """Say whether an option is what a player would do who wants little deadwood.

    Player 1 knocks as soon as possible, player 2 only with gin.
    """
    mine = frozenset(hand(state, state.player or 0))
    one = move(state, option)
    if one.kind == "knock":
        return state.player == 0 or len(frozenset().union(*one.melds)) == 10
    if one.kind == "discard":
        least = min(deadwood(mine - {card}) for card in mine)
        return deadwood(mine - one.cards) == least
    if one.kind in ("take", "draw"):
        top = code(state.cards(None, "vloc", "DISCARD")[-1])
        useful = min(deadwood((mine | {top}) - {card}) for card in mine) < deadwood(mine)
        return (one.kind == "take") == useful
    return one.kind in ("meld", "lay off")


def follow(game: Game, seed: int, *, keen: bool, **rules: int) -> tuple[Model, Counter[str]]:
    """Play a hand beside the model, comparing all on the way; return it and what was done."""
    house = {"limit": 10, "gin": 20, "undercut": 10, "rounds": 60} | rules
    model = Model(shuffled(game, seed), **house)
    choose = preferring(seed, 2, better) if keen else None
    seen: Counter[str] = Counter()
    state = game.start(seed)
    for at, option in decisions(game, seed, choose):
        state = at
        assert not model.over
        model.check(at)
        assert at.player == model.seat
        assert moves(at) == model.moves()
        seen[move(at, option).kind] += 1
        model.play(move(at, option))
    assert model.over
    model.check(state)
    assert list(state.scores) == model.scores
    return model, seen


@pytest.mark.parametrize("keen", [False, True])
def test_hands_go_as_the_rules_say(keen: bool) -> None:
    """Offers, draws, knocks, melds, laying off and scores are those of a model of the rules."""
    game = interpreted("ginrummy")
    seen: Counter[str] = Counter()
    for seed in range(8 if keen else 2):
        seen += follow(game, seed, keen=keen)[1]
    assert len(seen) == 7 or not keen


def test_other_house_rules() -> None:
    """A wide limit for knocking, dear gin and undercut, and few turns."""
    game = interpreted("ginrummy", KNOCK=40, GIN=25, UNDERCUT=30, ROUNDS=5)
    rules = {"limit": 40, "gin": 25, "undercut": 30, "rounds": 5}
    scores = [follow(game, seed, keen=seed % 2 == 0, **rules)[0].scores for seed in seeds(12, 6)]
    assert [0, 0] in scores
    assert len({tuple(score) for score in scores}) > 3


KNOCKER = "2S 3S 4S 5H 6H 7H KC KD KH 9C"
"""Nine cards in three melds; the dealer's hand and a card turned up that fits nothing follow."""

SPADES, HEARTS, KINGS = KNOCKER[:8], KNOCKER[9:17], KNOCKER[18:26]


OTHER = "4H 8H 5S KS QC QS QD 3C 6D TD"
"""A dealer's hand of which much fits the melds of KNOCKER."""


def start(first: str, second: str, up: str, drawn: str, **declared: int) -> State:
    """Return a hand with these cards, the card turned up, and what is drawn first."""
    deal = f"{first}  {second}  {up}  {drawn}"
    rest = [card for card in FULL_PACK if card not in deal]
    return stacked("ginrummy", f"{deal} {' '.join(rest)}", **declared).start(0)


def table(mine: str, other: str, drawn: str, **declared: int) -> State:
    """Return a hand in which both refuse the card turned up, and player 1 has drawn a card."""
    state = start(mine, other, "TC", drawn, **declared)
    play(state, "pass", "pass")
    return state


def test_the_card_turned_up_is_offered_to_both() -> None:
    """First to player 1, then to the dealer; then player 1 has to draw from the stock."""
    state = start(KNOCKER, OTHER, "TC", "AD 8C 9D")
    for seat in (0, 1):
        assert state.player == seat
        assert moves(state) == {Move("take"), Move("pass")}
        play(state, "pass")
    assert state.player == 0
    assert set(hand(state, 0)) == cards(KNOCKER) | {"AD"}
    assert discard("AD") in moves(state)
    play(state, discard("9C"))
    assert state.player == 1
    assert moves(state) == {Move("take"), Move("draw")}


def test_whoever_takes_it_plays_first() -> None:
    """The dealer who takes it discards and player 1 follows; and the other way about."""
    for taker in (0, 1):
        state = start(KNOCKER, OTHER, "TC", "AD 8C 9D")
        play(state, *["pass"] * taker, "take")
        assert state.player == taker
        assert "TC" in hand(state, taker)
        play(state, discard("KS" if taker else "9C"))
        assert state.player == 1 - taker
        assert moves(state) == {Move("take"), Move("draw")}
        assert len(state.cards(None, "iloc", "STOCK")) == 31


def test_the_card_taken_is_not_discarded() -> None:
    """Neither to play on nor to knock; the next time it may go."""
    state = start(KNOCKER, OTHER, "AH", "AD 8C 9D")
    play(state, "take")
    out = {card for one in moves(state) for card in one.cards}
    assert out == cards(KNOCKER)
    assert moves(state) >= {knock("9C", SPADES, HEARTS, KINGS)}
    play(state, discard("9C"), "draw", discard("AD"), "draw")
    assert discard("AH") in moves(state)
    assert knock("AH", SPADES, HEARTS, KINGS) in moves(state)
    assert discard("8C") in moves(state)


def test_all_ways_to_knock() -> None:
    """With 9C and AD besides three melds either may go, or the spades may stay deadwood."""
    state = table(KNOCKER, OTHER, "AD")
    assert {one for one in moves(state) if one.kind == "knock"} == {
        knock("9C", SPADES, HEARTS, KINGS),
        knock("AD", SPADES, HEARTS, KINGS),
        knock("9C", HEARTS, KINGS),
    }


def test_no_card_is_in_two_melds() -> None:
    """The seven of spades belongs to the sevens or to the run, and the rest must be ten or less."""
    mine = "7S 7C 7D 8S 9S TS 2H 3H 4H AC"
    sevens, short, long, hearts = "7S 7C 7D", "8S 9S TS", "7S 8S 9S TS", "2H 3H 4H"
    state = table(mine, "KC KD QC QD JC JD 9C 9D 6C 6D", "AD")
    assert {one for one in moves(state) if one.kind == "knock"} == {
        *(knock(card, sevens, short, hearts) for card in ("AC", "AD")),
        *(knock(card, long, hearts) for card in ("7C", "7D")),
        *(knock(card, sevens, short) for card in ("AC", "AD", "2H", "3H", "4H")),
    }


@pytest.mark.parametrize(
    "mine",
    [
        "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS",
        "AS AC AD AH 2S 2C 2D 2H 3S 3C 3D",
        "JD QD KD JH QH KH JC QC KC 2S AD",
        "4S 5S 6S 4C 5C 6C 4H 5H 6H 4D 5D",
        "7S 7C 7D 8S 8C 8D 8H 9S AC AD 2C",
    ],
)
def test_hands_full_of_melds(mine: str) -> None:
    """However many melds overlap, each arrangement of ten points or less is there, once."""
    other = [card for card in FULL_PACK if card not in mine and card != "TC"][:10]
    state = table(mine[:29], " ".join(other), mine[30:])
    expected = knocks(cards(mine), "", 10)
    assert moves(state) == expected | {discard(card) for card in cards(mine)}


@pytest.mark.parametrize(
    ("rest", "limit", "able"),
    [("9C AC", 10, True), ("9C 2C", 10, False), ("9C 2C", 11, True), ("JC KH", 10, True)],
)
def test_ten_points_of_deadwood_are_few_enough(rest: str, limit: int, able: bool) -> None:
    """Nine and ace are ten, nine and two eleven; a king costs ten, and so does a jack."""
    melds = "2S 3S 4S 5S 6S", "TH JH QH KH"
    mine = f"{melds[0]} 6H 7H 8H {rest}"
    drawn = "TD" if "KH" not in rest else "9H"
    state = table(mine, "AD AH 3D 3C 5D 5C 7D 7C 9D 9S", drawn, KNOCK=limit)
    assert any(one.kind == "knock" for one in moves(state)) == able


def test_the_ace_is_low() -> None:
    """Ace, two, three is a run; queen, king, ace is none, so that they cost 21."""
    low = "AS 2S 3S 5H 6H 7H 9D TD JD KC"
    state = table(low, "4H 4C 4D 8H 8C 8D QC QS QD JS", "2C")
    assert knock("KC", "AS 2S 3S", "5H 6H 7H", "9D TD JD") in moves(state)
    high = "QS KS AS 5H 6H 7H 9D TD JD KC"
    state = table(high, "4H 4C 4D 8H 8C 8D QC QH QD JS", "2C")
    assert not any(one.kind == "knock" for one in moves(state))


def test_laying_off_on_the_knocker() -> None:
    """The fourth king, and cards at both ends of the runs; what fits nothing counts."""
    state = table(KNOCKER, OTHER, "AD")
    play(state, knock("9C", SPADES, HEARTS, KINGS))
    assert state.player == 1
    queens = Move("meld", cards("QC QS QD"))
    offs = [
        lay_off("4H", HEARTS),
        lay_off("8H", HEARTS),
        lay_off("5S", SPADES),
        lay_off("KS", KINGS),
    ]
    assert moves(state) == {Move("pass"), queens, *offs}
    play(state, offs[0], lay_off("8H", HEARTS + " 4H"), *offs[2:], queens)
    assert moves(state) == {Move("pass")}
    play(state, "pass")
    assert state.finished
    assert state.scores == (3 + 6 + 10 - 1, 0)


def test_what_is_kept_counts() -> None:
    """Nobody is made to lay down or lay off: who passes at once pays for the whole hand."""
    state = table(KNOCKER, OTHER, "AD")
    play(state, knock("9C", SPADES, HEARTS, KINGS), "pass")
    assert state.scores == (4 + 8 + 5 + 4 * 10 + 3 + 6 + 10 - 1, 0)


def test_the_opponent_lays_off_on_a_longer_run_again() -> None:
    """A card next to one that was laid off fits then; the opponent's own melds do not grow."""
    other = "8H 9H TC QC QS QD QH 3C 6D TD"
    state = table(KNOCKER, other, "AD")
    play(state, knock("9C", SPADES, HEARTS, KINGS))
    assert lay_off("9H", HEARTS) not in moves(state)
    play(state, lay_off("8H", HEARTS), Move("meld", cards("QC QS QD")))
    assert moves(state) == {Move("pass"), lay_off("9H", HEARTS + " 8H")}


@pytest.mark.parametrize(("gin", "score"), [(20, 20 + 76), (25, 25 + 76)])
def test_gin(gin: int, score: int) -> None:
    """Without deadwood nothing is laid off, but melds are laid down; the bonus is added."""
    other = "4H 9H 5S KS QC QS QD 3C 6D TD"
    state = table(KNOCKER, other, "8H", GIN=gin)
    play(state, knock("9C", SPADES, HEARTS + " 8H", KINGS))
    assert moves(state) == {Move("pass"), Move("meld", cards("QC QS QD"))}
    play(state, "pass")
    assert state.scores == (score + 1, 0)


def test_gin_is_not_undercut() -> None:
    """Also if the opponent has no deadwood either, the knocker scores the bonus."""
    other = "4D 5D 6D 4C 5C 6C JC JD JH JS"
    state = table(KNOCKER, other, "8H")
    play(state, knock("9C", SPADES, HEARTS + " 8H", KINGS))
    play(state, *(Move("meld", cards(some)) for some in ("4D 5D 6D", "4C 5C 6C", "JC JD JH JS")))
    assert state.finished
    assert state.scores == (20, 0)


@pytest.mark.parametrize(
    ("rest", "scores"),
    [("JC JD JS", (0, 10 + 9)), ("3C 4C 2D", (0, 10)), ("3C 4C 3D", (1, 0)), ("2C 4C 2D", (0, 11))],
)
def test_undercut(rest: str, scores: tuple[int, int]) -> None:
    """Against nine points: none, nine and eight undercut the knocker, and ten do not."""
    state = table(KNOCKER, f"4H 8H 5S KS QC QS QD {rest}", "AD")
    play(state, knock("AD", SPADES, HEARTS, KINGS))
    play(state, lay_off("4H", HEARTS), lay_off("8H", HEARTS + " 4H"))
    play(state, lay_off("5S", SPADES), lay_off("KS", KINGS), Move("meld", cards("QC QS QD")))
    play(state, Move("meld", cards(rest)) if "J" in rest else "pass")
    assert state.finished
    assert state.scores == scores


def test_a_single_point_is_no_gin() -> None:
    """A knocker with an ace left is laid off on and can be undercut."""
    state = table(KNOCKER, "4H 8H 5S KS QC QS QD JC JD JS", "AD")
    play(state, knock("9C", SPADES, HEARTS, KINGS))
    play(state, lay_off("4H", HEARTS), lay_off("8H", HEARTS + " 4H"))
    play(state, lay_off("5S", SPADES), lay_off("KS", KINGS), Move("meld", cards("QC QS QD")))
    play(state, Move("meld", cards("JC JD JS")))
    assert state.scores == (0, 10 + 1)


def test_the_dealer_may_knock_too() -> None:
    """Then player 1 lays down and lays off, and the scores change sides."""
    state = start(OTHER, KNOCKER, "TC", "8C AD 9D")
    play(state, "pass", "pass", discard("8C"), "draw", knock("9C", SPADES, HEARTS, KINGS))
    assert state.player == 0
    play(state, lay_off("KS", KINGS), "pass")
    assert state.scores == (0, 66 - 1)


def test_two_cards_left_make_the_hand_void() -> None:
    """Who draws the third last card may still knock; if not, nobody scores."""
    game = interpreted("ginrummy")

    def waits(state: State, option: Option) -> bool:
        return move(state, option).kind in ("pass", "draw", "discard")

    state = finish(game, 1, preferring(1, 2, waits))
    assert len(state.cards(None, "iloc", "STOCK")) == 2
    assert len(state.choices) == 2 + 1 + 28 * 2
    assert state.scores == (0, 0)
    state = start(KNOCKER, OTHER, "TC", "AD 8C 9D")
    play(state, "pass", "pass", knock("9C", SPADES, HEARTS, KINGS), "pass")
    assert state.scores[0] > 0


def test_no_hand_is_endless() -> None:
    """Who only takes discards plays ROUNDS turns, and the hand is void."""
    game = interpreted("ginrummy", ROUNDS=7)

    def clings(state: State, option: Option) -> bool:
        return move(state, option).kind in ("take", "discard")

    state = finish(game, 1, preferring(1, 2, clings))
    assert len(state.choices) == 2 * 2 * 7
    assert state.scores == (0, 0)


def test_a_card_taken_is_known_to_be_in_the_hand() -> None:
    """The opponent never imagines it elsewhere; and nobody sees what is drawn from the stock."""
    state = start(KNOCKER, OTHER, "TC", "AD 8C 9D")
    play(state, "take", discard("9C"), "draw")
    seen = []
    for seed in range(30):
        assert "TC" in hand(state.determinise(1, Stream(seed), "known"), 0)
        seen.append(set(hand(state.determinise(0, Stream(seed), "known"), 1)))
    assert not set.intersection(*seen)
    assert cards(OTHER) | {"AD", "8C", "9D"} < set.union(*seen)


def test_no_card_is_lost() -> None:
    """Hands, stock, discards, melds and deadwood make a whole pack at the end."""
    game = interpreted("ginrummy")
    for seed in range(3):
        state = finish(game, seed)
        assert (
            sorted(code(card) for pile in state.locations().values() for card in pile) == FULL_PACK
        )
