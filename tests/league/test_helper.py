"""The helper module for authors agrees with the game: what it claims is compared with all hands.

Four bots that choose at random see what bots see, and the test sees all of them.
"""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest
from hypothesis import given, strategies as st

from cardwright.interpreter.stream import Stream
from cardwright.league.authors import hearts_cards as cards, helper_text
from cardwright.league.bot import Bot
from cardwright.league.bot_runtime import GameState, PublicTable, Seen
from cardwright.league.dealer import Dealer
from cardwright.league.play import BotController, BotPenalties, play_match
from cardwright.league.settings import BotLimits, LeagueRules

ALL = st.integers(0, 51)


class Table:
    """Everything that is to be known of a round."""

    def __init__(self):
        self.spies = []
        self.trick = []
        self.leads = []
        self.played = []
        self.promises = {}
        self.moments = 0

    def hand(self, seat):
        return self.spies[seat].seen.hand


class Spy(Bot):
    """A bot that chooses at random and compares what the helper says with what the table knows."""

    def __init__(self, table):
        self.table = table
        self.seen = Seen(0, PublicTable())
        table.spies.append(self)

    async def begin(self, seat, stream, table):
        self.seen = Seen(seat, table)
        self.stream = Stream(stream.next())
        self.table.played = []

    def deal(self, *given):
        self.table.played, self.table.trick, self.table.leads = [], [], []
        self.seen.deal(*given)

    def gave(self, card):
        self.seen.given.append(card)

    def got(self, given):
        self.seen.received = given

    async def ask(self, legal, seconds, *, play):
        state = self.seen.state(legal, play=play)
        before = repr(vars(state))
        (self.check if play else self.check_passing)(state)
        assert repr(vars(state)) == before, "the helper changes what a bot was given"
        index = self.stream.below(len(state.legalMoves))
        if play:
            self.put(state, state.legalMoves[index])
        return index

    def check_passing(self, state):
        assert cards.passing(state)
        assert cards.tricks(state) == []
        assert cards.trick(state) == []
        assert cards.known(state) == {}
        assert not cards.hearts_broken(state)
        mine = {*state.hand, *state.sluffedByYou}
        assert cards.out(state) == [one for one in range(52) if one not in mine]
        assert cards.left(state)[state.whichPlayer] == len(state.hand)

    def check(self, state):
        """Compare with the hands of all seats, as they are in truth."""
        table, me = self.table, state.whichPlayer
        table.moments += 1
        hands = {seat: self.true_hand(seat) for seat in range(4)}
        others = {one for seat in range(4) if seat != me for one in hands[seat]}
        assert not cards.passing(state)
        assert cards.trick(state) == table.trick
        assert cards.played(state) == table.played
        assert cards.out(state) == sorted(others)
        assert cards.left(state) == [len(hands[seat]) for seat in range(4)]
        for seat, suits in enumerate(cards.void(state)):
            assert not any(one // 13 in suits for one in hands[seat])
        assert cards.void(state) == self.voids()
        for one, seat in cards.known(state).items():
            assert one in hands[seat]
        gone = set(table.played)
        assert set(cards.known(state)) == set(state.sluffedByYou) - gone
        assert cards.hearts_broken(state) == any(one == 36 or one >= 39 for one in gone)
        assert cards.to_come(state) == [(me + one) % 4 for one in range(1, 4 - len(table.trick))]
        assert [lead for lead, _ in cards.tricks(state)] == [*table.leads, (state.lead)]
        if not cards.to_come(state):
            for one in state.legalMoves:
                assert cards.surely_wins(state, one) == cards.beats(state, one)
                assert cards.surely_loses(state, one) != cards.beats(state, one)

    def true_hand(self, seat):
        """Return a hand as it is: the card just played leaves it when the dealer has it."""
        return [one for one in self.table.hand(seat) if one not in self.table.played]

    def voids(self):
        """Return who did not follow suit, read off the cards one by one."""
        found = [set(), set(), set(), set()]
        at = 0
        for lead in [*self.table.leads, self.seen.table.lead]:
            row = self.table.played[at : at + 4]
            for step, one in enumerate(row):
                if one // 13 != row[0] // 13:
                    found[(lead + step) % 4].add(row[0] // 13)
            at += 4
        return found

    def put(self, state, card):
        """Play a card, noting what the helper has promised of it; settle full tricks."""
        table, me = self.table, state.whichPlayer
        table.promises[me] = (cards.surely_loses(state, card), cards.surely_wins(state, card))
        table.trick.append(card)
        table.played.append(card)
        if len(table.trick) < 4:
            return
        lead = (me + 1) % 4
        best = max(one for one in table.trick if one // 13 == table.trick[0] // 13)
        won = (lead + table.trick.index(best)) % 4
        assert cards.winner(lead, table.trick) == won
        for seat, (loses, wins) in table.promises.items():
            assert not (loses and seat == won)
            assert not (wins and seat != won)
        table.leads.append(lead)
        table.trick, table.promises = [], {}


@pytest.mark.parametrize("rules", list(LeagueRules))
def test_what_the_helper_says_of_a_state_is_true(rules):
    dealer = Dealer(rules)
    table = Table()
    spies = [Spy(table) for _ in range(4)]
    limits = BotLimits(faults=0)
    for game in range(1):
        controllers = [BotController(spy, BotPenalties(), limits, timed=False) for spy in spies]
        play_match(dealer, controllers, game, game, 7 * game, state=False)
    assert table.moments > 4 * 52


def test_doctests():
    found = doctest.testmod(cards)
    assert found.attempted >= 6
    assert not found.failed


@given(ALL)
def test_every_card_has_a_name(card):
    name = cards.name(card)
    assert cards.card(name) == cards.card(name.lower()) == card
    assert name == "23456789TJQKA"[card % 13] + "CDSH"[card // 13]
    assert (cards.suit(card), cards.rank(card)) == divmod(card, 13)


@pytest.mark.parametrize("text", ["", "Q", "QX", "1S", "10H", "QSS", "23C", "S"])
def test_other_texts_name_no_card(text):
    with pytest.raises(ValueError, match="is not a card; write a rank of"):
        cards.card(text)


def test_points_are_26():
    assert sum(map(cards.points, range(52))) == 26
    assert cards.points(cards.QUEEN) == 13
    assert cards.names([cards.TWO_OF_CLUBS, cards.QUEEN]) == "2C QS"


@given(st.lists(ALL, unique=True))
def test_suits_hold_all_cards_in_order(hand):
    suits = cards.by_suit(hand)
    assert [one for suit in suits for one in suit] == sorted(hand)
    assert all(one // 13 == at for at, suit in enumerate(suits) for one in suit)


@given(st.integers(0, 3), st.lists(ALL, min_size=1, max_size=4, unique=True))
def test_highest_card_of_the_suit_led_wins(lead, trick):
    won = trick[(cards.winner(lead, trick) - lead) % 4]
    assert won // 13 == trick[0] // 13
    assert not any(one // 13 == trick[0] // 13 and one > won for one in trick)


def leading(hand, history, **fields):
    """Return a state of seat 0, which leads."""
    state = cards.GameState()
    state.hand = state.legalMoves = hand
    state.lead = state.whichPlayer = 0
    state.playHistory = history
    state.sluffDirection, state.sluffedByYou, state.sluffedToYou = 1, [], [0, 1, 2]
    for name, value in fields.items():
        setattr(state, name, value)
    return state


def test_a_lead_loses_for_sure_if_only_higher_cards_are_out():
    history = [[0, 10], [12, 3], [1, 4], [2, 5]]
    state = leading([6, 30, 44], history, lead=0)
    # All clubs that are out are above this one.
    assert [one for one in cards.out(state) if one < 13] == [7, 8, 9, 11]
    assert cards.surely_loses(state, 6)
    assert not cards.surely_loses(state, 30)
    assert not cards.surely_wins(state, 6)


def test_a_lead_wins_for_sure_if_who_may_follow_is_known_to_have_nothing_higher():
    # The king of clubs was passed to seat 1; seats 2 and 3 have shown to have no clubs left.
    state = leading([8, 30], [[10, 9], [0, 1], [2, 20], [3, 21]], sluffedByYou=[11])
    assert cards.void(state) == [set(), set(), {0}, {0}]
    assert not cards.surely_wins(state, 8), "seat 1 has the king"
    state.sluffDirection = 2
    assert not cards.surely_wins(state, 8), "seat 1 may have what else is out"
    state.playHistory = [[10, 9, 12], [0, 1, 22], [2, 20, 23], [3, 21, 24]]
    assert cards.surely_wins(state, 8), "nobody has clubs"


def test_the_class_for_editors_has_the_fields_of_states():
    assert set(cards.GameState.__annotations__) == set(GameState.__annotations__)


def test_the_helper_needs_nothing_and_runs_as_bots_import_it():
    module = ModuleType("hearts_cards")
    exec(compile(helper_text(), "hearts_cards.py", "exec"), vars(module))
    assert module.card("QS") == 36
    imports = [line for line in helper_text().splitlines() if line.startswith(("import", "from"))]
    assert imports == ["from __future__ import annotations"]
