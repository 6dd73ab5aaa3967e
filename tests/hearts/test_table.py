"""What a player sees of games in play, beside what somebody who watches them wrote down."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest
from made_table import card, passing, table

from cardwright import Game, Stream
from cardwright.hearts.cards import DIAMONDS, HEARTS, cards_of, parse_hand
from cardwright.hearts.table import DecisionKind, HeartsView, table_of
from cardwright.players.player import Decision

if TYPE_CHECKING:
    from cardwright.game.game import State

GAMES: dict[str, dict[str, Any]] = {
    "plain": {},
    "standard": {"preset": "standard", "END": 30},
    "singly": {"preset": "openspiel", "CYCLE": ["LEFT", "ACROSS"]},
    "rounds": {"preset": "hearts_league", "END": 30},
    "looking": {"preset": "standard", "PASSING": "SINGLY", "LOOK": 1, "ROUNDS": 2, "END": 0},
    "scattered": {"PASS": 3, "CYCLE": ["SCATTER"]},
    "three": {"preset": "black_maria_british"},
    "five": {"PLAYERS": 5, "PASS": 2, "MOON": "CHOICE"},
    "six": {"PLAYERS": 6},
    "widow": {"preset": "widow"},
    "first widow": {"preset": "heartsette"},
    "heart's widow": {"WIDOW": 4, "WIDOWTO": "HEART"},
    "exchange": {"PLAYERS": 5, "WIDOW": 2, "WIDOWTO": "EXCHANGE"},
    "two packs": {"preset": "cancellation"},
    "omnibus": {"preset": "omnibus_match", "END": 30},
    "polignac": {"preset": "polignac", "GENERAL": 5},
    "slobberhannes": {"preset": "slobberhannes"},
    "knaves": {"preset": "knaves"},
}


@cache
def game(name: str, engine: str = "interpreter") -> Game:
    return Game.load("hearts", engine=engine, **GAMES[name])


def asked(state: State) -> Decision:
    """Return the decision that is due in a state."""
    assert state.player is not None
    return Decision(state.player, state.option_count, Stream(1), state, len(state.choices))


def cards(state: State, found: HeartsView, *place: Any) -> tuple[int, ...]:
    """Return what truly lies at a place."""
    return tuple(found.family.numbers[one.id] for one in state.cards(*place))


def by_branch(found: HeartsView, state: State) -> list[tuple[int, ...]]:
    """Return the cards of each option, from the options themselves."""
    picked = [option.content.picks[-1][1] for option in state.options()]
    sets = [one if isinstance(one, tuple) else (one,) for one in picked]
    return [tuple(found.family.numbers[one] for one in cards) for cards in sets]


class Watcher:
    """Notes what happens in the open: the trick, and what everybody played."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.deal()

    def deal(self) -> None:
        self.trick: list[tuple[int, int]] = []
        self.played: Counter[int] = Counter()

    def plays(self, seat: int, card: int) -> None:
        if len(self.trick) == self.players:
            self.trick = []
        self.trick.append((seat, card))
        self.played[card] += 1


def check(found: HeartsView, state: State, watcher: Watcher) -> None:
    """Compare a table of a card to be played with what is known of the game."""
    family, seat, players = found.family, found.seat, found.family.players
    owners = range(players)
    trick = [] if len(watcher.trick) == players else watcher.trick
    assert found.trick == tuple(card for _, card in trick)
    assert found.leader == (trick[0][0] if trick else seat)
    assert found.led == (trick[0][1] >> 4 if trick else None)
    assert found.last == (len(trick) == players - 1)
    taken = [cards(state, found, owner, "vloc", "TRICKSWON") for owner in owners]
    assert list(found.taken) == taken
    fees = [state.integer(owner, "FEES") for owner in owners]
    assert list(found.points) == [
        fee + sum(family.costs[one] for one in pile) for fee, pile in zip(fees, taken, strict=True)
    ]
    left = Counter(family.numbers)
    left -= Counter(found.hand) + Counter(found.trick) + Counter(found.held)
    left -= Counter(found.removed) + Counter(found.aside) + Counter(sum(taken, ()))
    assert set(cards_of(found.unseen)) == set(left)
    elsewhere = Counter(
        one
        for owner in owners
        if owner != seat
        for one in cards(state, found, owner, "iloc", "HAND")
    )
    assert set(elsewhere) <= set(left)
    if not family.passes and not family.lays:
        hidden = cards(state, found, None, "hloc", "WIDOW")
        assert elsewhere + Counter(hidden) == left
    for owner in owners:
        assert set(found.voids[owner]) == {
            found.led for seat, one in trick if seat == owner and one >> 4 != found.led
        }


def watch(name: str, seed: int) -> Counter[DecisionKind]:
    """Play a game at random and check every table; return the kinds of decisions met."""
    state = game(name).start(seed)
    stream, kinds = Stream(seed), Counter[DecisionKind]()
    watcher = Watcher(state.game.players)
    while state.player is not None:
        decision = asked(state)
        found = table_of(decision)
        kinds[found.kind] += 1
        seat, chosen = found.seat, stream.below(state.option_count)
        hand = cards(state, found, seat, "iloc", "HAND")
        assert found.hand == hand
        if found.kind is DecisionKind.CALL:
            assert found.legal == ()
        elif found.kind is DecisionKind.PLAY:
            if not any(found.taken) and not found.trick and not found.held:
                watcher.deal()
            check(found, state, watcher)
        if found.kind is not DecisionKind.CALL:
            offered = by_branch(found, state)
            assert len(offered[0]) == found.count
            assert found.count > 1 or found.legal == sum(offered, ())
            assert found.option(offered[chosen]) == offered.index(offered[chosen])
            if found.kind is DecisionKind.PLAY:
                watcher.plays(seat, offered[chosen][0])
        imagined = state.determinise(seat, Stream(seed))
        assert table_of(asked(imagined)) == found
        state.play(chosen)
    return kinds


@pytest.mark.sweep
@pytest.mark.parametrize("name", GAMES)
def test_tables_of_games_in_play(name: str) -> None:
    """Tables are right, and the same in every world that the seat cannot tell from the true one."""
    kinds = watch(name, 5)
    rules = game(name).declared
    assert (DecisionKind.PASS in kinds) == bool(rules.get("PASS"))
    assert (DecisionKind.LAY in kinds) == (name == "exchange")
    assert kinds[DecisionKind.PLAY]


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["singly", "exchange", "two packs", "polignac"])
def test_tables_by_machine_code(name: str) -> None:
    """The engine that plays makes no difference."""
    native, plain = game(name, "native").start(3), game(name).start(3)
    stream = Stream(3)
    while native.player is not None:
        assert _facts(table_of(asked(native))) == _facts(table_of(asked(plain)))
        chosen = stream.below(native.option_count)
        native.play(chosen)
        plain.play(chosen)
    assert plain.finished


def _facts(found: HeartsView) -> tuple[Any, ...]:
    """Return what a table says, but for the game, which is loaded once for each engine."""
    facts = {key: value for key, value in vars(found).items() if key != "family"}
    return tuple(facts.items())


def test_calls_name_no_card() -> None:
    """The general of Polignac is announced or not; who shot the moon may choose how it counts."""
    found = table_of(asked(game("polignac").start(1)))
    assert found.kind is DecisionKind.CALL
    assert found.legal == ()


def test_cards_to_pass() -> None:
    together = table_of(asked(game("standard").start(1)))
    assert (together.kind, together.count, together.to_go) == (DecisionKind.PASS, 3, 3)
    assert together.direction == "LEFT"
    assert together.legal == together.hand
    for name, seats in (("looking", [0, 0, 0, 1]), ("rounds", [0, 1, 2, 3, 0])):
        state = game(name).start(1)
        seen = []
        for seat in seats:
            found = table_of(asked(state))
            assert found.seat == seat
            assert (found.kind, found.count) == (DecisionKind.PASS, 1)
            seen.append(found.to_go)
            state.play(0)
        assert seen == ([3, 2, 1, 3] if name == "looking" else [3, 3, 3, 3, 2])


def test_hearts_are_broken() -> None:
    """The game says when: here any penalty card, at the end of its trick."""
    state = Game.load("hearts", BREAKS="PENALTY", engine="interpreter").start(4)
    fallen = False
    while state.player is not None:
        found = table_of(asked(state))
        if not found.trick:
            fallen = any(found.family.penalties >> one & 1 for one in sum(found.taken, ()))
        assert found.broken == fallen
        state.play(0)
    assert fallen
    assert table_of(
        asked(Game.load("hearts", HEARTLEAD="FREE", engine="interpreter").start(1))
    ).broken


# Tables made by hand ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trick", "winning", "winner", "beating"),
    [
        ("", None, None, ""),
        ("9C", "9C", 3, "TC JC QC KC AC"),
        ("9C AH 3C", "9C", 1, "TC JC QC KC AC"),
        ("9C AH QC", "QC", 3, "KC AC"),
    ],
)
def test_who_has_the_trick(
    trick: str, winning: str | None, winner: int | None, beating: str
) -> None:
    found = table("2C 2D", trick)
    assert found.winning == (card(winning) if winning else None)
    assert found.winner == winner
    assert cards_of(found.beating & found.family.pack) == parse_hand(beating)


def test_equal_cards_cancel_each_other() -> None:
    two = {"PACKS": 2, "PLAYERS": 6}
    found = table("2C", "9C KC KC", declared=two)
    assert (found.winning, found.winner) == (card("9C"), 3)
    found = table("2C", "9C 9C KH", declared=two)
    assert (found.winning, found.winner) == (None, None)
    assert found.beating >> card("2C") & 1


def test_trumps_take_the_trick() -> None:
    found = table("2C 3H", "9C 2H AC", trump=HEARTS)
    assert (found.winning, found.winner) == (card("2H"), 2)
    assert found.beating >> card("3H") & 1
    assert not found.beating >> card("KC") & 1
    assert table("2C", "9C", trump=HEARTS).beating >> card("2H") & 1


def test_what_the_trick_costs() -> None:
    assert table("2C", "9C QS 3H").stake == 14
    assert table("2C", "9C", held=parse_hand("2H 3H"), declared={"PACKS": 2}).stake == 2
    assert table("2C", "JD", declared={"JACKDIAMONDS": -10}).stake == -10


def test_voids_of_the_trick() -> None:
    """Tricks won lie by number and show nothing of who played what."""
    found = table("2C", "2D 3D 5H", taken=["", "9C KC 2S 3C", "", ""])
    assert found.voids[3] == {DIAMONDS}
    assert found.voids[0] == found.voids[1] == found.voids[2] == frozenset()


def test_unseen_cards() -> None:
    found = table("2C QS", "2D", taken=["AC KC JC TC"], removed=parse_hand("2S"))
    assert not found.queen_out
    assert len(cards_of(found.unseen)) == 52 - 8
    two = table("2C", declared={"PACKS": 2, "PLAYERS": 4}, taken=["QS 3C 3C 4C"])
    assert two.queen_out
    assert two.unseen >> card("2C") & 1
    assert not two.unseen >> card("3C") & 1


def test_sets_are_numbered_in_the_order_of_the_language() -> None:
    found = passing("2C 3C 4C 5C 6C", 3)
    sets = sorted(combinations(range(5), 3), key=lambda one: one[::-1])
    for index, places in enumerate(sets):
        assert found.option(found.hand[place] for place in reversed(places)) == index


def test_cards_that_may_not_be_chosen() -> None:
    with pytest.raises(ValueError, match="not in list"):
        table("2C 3D", "9C").option([card("3D")])
    with pytest.raises(ValueError, match="3 cards must be chosen, not 2"):
        passing("2C 3C 4C").option(parse_hand("2C 3C"))
    with pytest.raises(ValueError, match="not in list"):
        passing("2C 3C 4C").option(parse_hand("2C 2C 3C"))
