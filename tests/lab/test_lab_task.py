"""What comes of deals: sums of responses, whoever plays them, and what has to add up."""

from __future__ import annotations

import pickle
from dataclasses import replace
from math import lcm

import numpy as np
import pytest
from experiments import FIVE, RULE, hearts, kuhn, option, plan, player, slot, small
from hypothesis import given, strategies as st

from broken_rules import BREAKS
from cardwright import Game
from cardwright.arena.plan import GameRef, loaded
from cardwright.arena.referee import referee_game
from cardwright.game import game_seeds
from cardwright.game.find import library_folder
from cardwright.hearts.native import ManyGames, native_player_of
from cardwright.hearts.table import DecisionKind as Asked, table_of
from cardwright.lab.cell import maker, player_of
from cardwright.lab.factor import Factor, FactorKind, FactorLevel, LabError, LabPlayer, SelectorList
from cardwright.lab.layout import layout_of
from cardwright.lab.plan import Seating, Sequential
from cardwright.lab.response import (
    GameOutcomes,
    audit_of,
    countable,
    measured,
    responses,
    responses_of,
)
from cardwright.lab.task import PlayLabDeals, all_native, machines_of, together
from cardwright.players.kind import NO_TRUST
from cardwright.players.player import RandomPlayer
from deep import usually

LOW = SelectorList(("lowest",), tie="random", discard=SelectorList(("highest_heart", "highest")))
MIXED = SelectorList(("duck", "lowest if not last", "any"), mode="filter", tie="high")


def named(experiment, sums, name):
    """Return the means of a response: shape (deals, cells)."""
    layout = layout_of(experiment)
    names = [response.name for response in layout.responses]
    at = names.index(name)
    seats = layout.seatings * layout.tested
    return sums[:, :, at] / (layout.responses[at].scale * seats)


# Machine code and the referee --------------------------------------------------------------------


@pytest.mark.parametrize(
    "experiment",
    [
        plan(slot("pass"), slot("fourth", None, LOW)),
        plan(slot("second", LOW, MIXED), slot("discard"), seating=Seating.ROTATE),
        plan(slot("third"), slot("first", MIXED, RULE), seating=Seating.PAIRS),
        plan(slot("fourth"), option("MOON", "PLUS", "CHOICE"), seating=Seating.ROTATE),
        plan(slot("first"), game=hearts(ROUNDS=0, END=15), seating=Seating.ROTATE),
        plan(slot("first"), game=hearts("openspiel", PLAYERS=3), seating=Seating.ROTATE),
        plan(player("rule", "lowest"), opponents=("random", "corin-random")),
    ],
    ids=["all", "rotate", "pairs", "option", "match", "openspiel", "mixed"],
)
def test_machine_code_and_referee_come_to_the_same(experiment):
    turns = experiment.seating is Seating.ROTATE
    deals = range(5, usually(7 if turns else 6, 9))
    assert any(machines_of(experiment))
    fast, slow = (PlayLabDeals(experiment, native)(deals) for native in (True, False))
    for one, two in zip(fast, slow, strict=True):
        np.testing.assert_array_equal(one, two)
        assert one.any()


def test_machine_code_is_used_where_it_can_be():
    both = plan(player("rule", "lowest"), opponents=("random", "corin-random"))
    layout = layout_of(both)
    (machine,) = machines_of(both)
    known = [table for table in layout.kinds[0].distinct if machine.knows(table)]
    assert len(known) == 4  # rule among random players, in each seat
    assert not all_native(both)
    assert all_native(plan(slot("first")))
    assert machines_of(plan(slot("first"), game=replace(hearts(), engine="interpreter"))) == (None,)
    assert machines_of(small()) == (None,)


def test_any_deals_together_come_to_the_same_as_one_by_one():
    experiment = plan(slot("first"), seating=Seating.ROTATE)
    whole = PlayLabDeals(experiment)(range(3, 12))
    for deal in range(3, 12):
        for alone, all_ in zip(PlayLabDeals(experiment)(range(deal, deal + 1)), whole, strict=True):
            np.testing.assert_array_equal(alone[0], all_[deal - 3])


def test_units_can_be_sent():
    unit = PlayLabDeals(small())
    again = pickle.loads(pickle.dumps(unit))
    assert [one.tolist() for one in again(range(2))] == [one.tolist() for one in unit(range(2))]


# Responses ---------------------------------------------------------------------------------------


def tally(scores, **more):
    scores = np.array(scores, np.int64)
    none = np.zeros_like(scores)
    usual = {"scores": scores, "tricks": none, "queens": none, "moons": none,
             "deals": np.ones(len(scores), np.int64)}  # fmt: skip
    return GameOutcomes(**{**usual, **more})


def values(scores, *, highest):
    """Return points, margin, wins and place of the seats in one game."""
    wanted = responses(len(scores), lowest_wins=not highest, hearts=False, match=False)
    found = measured(tally([scores]), wanted, highest_wins=highest)[0]
    return [(found[:, at] / wanted[at].scale).tolist() for at in range(4)]


def test_responses_of_a_game_worked_out_by_hand():
    points, margin, wins, place = values([3, 1, 1, 21], highest=False)
    assert points == [3, 1, 1, 21]
    assert margin == pytest.approx([23 / 3 - 3, 25 / 3 - 1, 25 / 3 - 1, 5 / 3 - 21])
    assert wins == [0, 0.5, 0.5, 0]
    assert place == [3, 1.5, 1.5, 4]
    _, margin, wins, place = values([3, 1, 3], highest=True)
    assert (margin, wins, place) == ([1, -2, 1], [0.5, 0, 0.5], [1.5, 3, 1.5])


def test_only_games_that_are_won_alike_can_be_compared():
    """Where the highest score wins with some levels, the lowest with others, nothing adds up."""
    with pytest.raises(LabError, match=r"in hearts, with others the lowest: .* cannot be compared"):
        responses_of([hearts(), kuhn()])
    names = [response.name for response in responses_of([hearts(), hearts()])]
    assert {"queen", "moon", "tricks"} <= set(names)
    assert "tricks" not in [response.name for response in responses_of([kuhn()])]


def test_tricks_are_counted_in_hearts_with_one_pack():
    """In other games, of the family or not, nothing is counted but scores."""
    assert countable(Game.load("hearts"))
    assert not countable(Game.load("knaves"))
    assert not countable(Game.load("whist"))


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=6), st.booleans())
def test_wins_add_up_to_one_and_places_to_those_there_are(scores, highest):
    _, margin, wins, place = values(scores, highest=highest)
    assert sum(wins) == pytest.approx(1)
    assert sum(margin) == pytest.approx(0)
    assert sum(place) == len(scores) * (len(scores) + 1) / 2
    ordered = sorted(zip(scores, place, strict=True), reverse=highest)
    assert [rank for _, rank in ordered] == sorted(place)


def test_sums_are_those_of_the_games_that_were_played():
    """The sums of a cell, from games played one by one by hand."""
    experiment = plan(slot("fourth"), opponents=("random",), seating=Seating.PAIRS)
    (sums,) = PlayLabDeals(experiment)(range(1, 3))
    tested = maker(player_of(experiment, (1,)), NO_TRUST)
    game = loaded(experiment.game)
    seed = list(game_seeds(experiment.seed, 2))[1]
    total = 0
    for pair in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)):
        seats = [tested() if seat in pair else RandomPlayer() for seat in range(4)]
        record = referee_game(game, seed, seats, paired=True)
        total += sum(record.scores[seat] for seat in pair)
    assert sums[0, 1, 0] == total
    assert named(experiment, sums, "points")[0, 1] == total / 12


def test_seats_rotate_with_the_number_of_the_deal():
    experiment = plan(slot("fourth"), opponents=("random",), seating=Seating.ROTATE)
    (sums,) = PlayLabDeals(experiment)(range(6))
    tested, game = maker(player_of(experiment, (1,)), NO_TRUST), loaded(experiment.game)
    for deal, seed in enumerate(game_seeds(experiment.seed, 6)):
        seats = [tested() if seat == deal % 4 else RandomPlayer() for seat in range(4)]
        assert sums[deal, 1, 0] == referee_game(game, seed, seats, paired=True).scores[deal % 4]


# What a strategy lab has to be able to promise ---------------------------------------------------


def test_a_deterministic_player_against_itself_gives_exactly_nothing():
    same = [FactorLevel(name, LabPlayer(name, "rule")) for name in ("a", "b")]
    experiment = plan(
        Factor("player", FactorKind.PLAYER, "", tuple(same)), opponents=("rule", "random")
    )
    against_itself, against_chance = PlayLabDeals(experiment)(range(30))
    assert not named(experiment, against_itself, "margin").any()
    assert (named(experiment, against_itself, "wins") == 0.25).all()
    for sums in (against_itself, against_chance):
        np.testing.assert_array_equal(sums[:, 0], sums[:, 1])


def test_a_hierarchy_of_rules_is_the_rule_player_and_one_of_nothing_is_random():
    """What slots left to chance do differently shows at once if draws are not those of the seat."""
    experiment = plan(*map(slot, FIVE), opponents=("rule",))
    (sums,) = PlayLabDeals(experiment)(range(40))
    assert not named(experiment, sums, "margin")[:, -1].any()
    assert named(experiment, sums, "margin")[:, 0].mean() < -5


class Watched:
    """A tested player that notes its first decision by the list of one slot."""

    def __init__(self, player, order):
        self.player, self.order = player, order
        self.asked = 0
        self.first = None

    def choose(self, decision):
        table = table_of(decision)
        assert table.kind is not Asked.CALL
        if self.first is None and self.player.hierarchy.order_at(table) is self.order:
            self.first = self.asked
        self.asked += 1
        return self.player.choose(decision)


@pytest.mark.parametrize("name", FIVE)
def test_a_slot_alters_no_play_before_it_is_used_on_a_deal(name):
    """The seat's decisions, and all others', are the same until the slot is asked first."""
    experiment = plan(slot(name, LISTS[name], OTHER))
    game = loaded(experiment.game)
    base, other = (maker(player_of(experiment, (level,)), NO_TRUST)() for level in (0, 1))
    order = getattr(base.hierarchy, "pass_" if name == "pass" else name)
    altered = 0
    for deal, seed in enumerate(game_seeds(9, 16)):
        seat = deal % 4
        seats = [RandomPlayer() for _ in range(4)]
        seats[seat] = watched = Watched(base, order)
        one = referee_game(game, seed, seats, paired=True)
        seats[seat] = other
        two = referee_game(game, seed, seats, paired=True)
        if watched.first is None:
            assert one.decisions == two.decisions
            continue
        own = [ply for ply, (who, _, _) in enumerate(one.decisions) if who == seat]
        before = own[watched.first]
        assert one.decisions[:before] == two.decisions[:before]
        altered += one.decisions != two.decisions
    assert altered > 8


@pytest.mark.parametrize("name", FIVE)
def test_machine_code_alters_nothing_before_either(name):
    """As above, but by machine code, whose choices before the slot's use are those of the base."""
    experiment = plan(slot(name, LISTS[name], OTHER))
    game = loaded(experiment.game)
    players = [maker(player_of(experiment, (level,)), NO_TRUST)() for level in (0, 1)]
    machine = ManyGames(game, [*map(native_player_of, players), "random"])
    order = getattr(players[0].hierarchy, "pass_" if name == "pass" else name)
    for deal, seed in enumerate(game_seeds(9, 16)):
        seat = deal % 4
        one, two = (
            machine.choices(seed, [number if at == seat else 2 for at in range(4)])
            for number in (0, 1)
        )
        seats = [RandomPlayer() for _ in range(4)]
        seats[seat] = watched = Watched(players[0], order)
        record = referee_game(game, seed, seats, paired=True)
        assert record.choices == one
        own = [ply for ply, (who, _, _) in enumerate(record.decisions) if who == seat]
        before = len(one) if watched.first is None else own[watched.first]
        assert one[:before] == two[:before]


LISTS = dict.fromkeys(FIVE, SelectorList(("lowest",)))
OTHER = SelectorList(("highest",), tie="random")


@pytest.mark.parametrize("tested", ["rule", "random", "lowest"])
def test_points_of_a_deal_are_26_or_78(tested):
    """Seats of equal players have all points of a deal between them."""
    other = "random" if tested == "rule" else "rule"
    experiment = plan(player(tested, other), opponents=(tested,), deals=300)
    (sums,) = PlayLabDeals(experiment)(range(usually(4, 10) if tested == "lowest" else 300))
    points = named(experiment, sums, "points")[:, 0] * 4
    assert set(points.tolist()) <= {26, 78}
    moons = named(experiment, sums, "moon")[:, 0] * 4
    np.testing.assert_array_equal(points == 78, moons == 1)
    assert (named(experiment, sums, "queen")[:, 0] * 4 == 1).all()
    assert (named(experiment, sums, "tricks")[:, 0] * 4 == 13).all()


# What cannot be, and what players do wrong -------------------------------------------------------


def hearts_tally(scores, moons=0, tricks=13, queens=1, deals=1):
    def first(count):
        return np.array([[count, 0, 0, 0]], np.int64)

    return GameOutcomes(np.array([scores], np.int64), first(tricks), first(queens), first(moons),
                 np.array([deals], np.int64))  # fmt: skip


def audit(**declared):
    return audit_of(Game.load("hearts", engine="interpreter", **declared))


def test_audits_know_what_adds_up():
    plus, minus, off = (audit(MOON=moon) for moon in ("PLUS", "MINUS", "OFF"))
    either = audit(MOON="CHOICE")
    assert plus.wrong(hearts_tally([13, 13, 0, 0])) is None
    assert plus.wrong(hearts_tally([13, 12, 0, 0])) == (0, "25 points in 1 deals")
    assert plus.wrong(hearts_tally([0, 26, 26, 26], moons=1)) is None
    assert plus.wrong(hearts_tally([26, 0, 0, 0], moons=1)) == (0, "26 points in 1 deals")
    assert plus.wrong(hearts_tally([-26, 0, 0, 0], moons=1)) == (0, "-26 points in 1 deals")
    assert plus.wrong(hearts_tally([0, 26, 26, 26])) == (0, "78 points in 1 deals")
    assert plus.wrong(hearts_tally([39, 39, 26, 26], moons=1, tricks=39, deals=3, queens=3)) is None
    assert minus.wrong(hearts_tally([-26, 0, 0, 0], moons=1)) is None
    assert minus.wrong(hearts_tally([0, 26, 26, 26], moons=1)) == (0, "78 points in 1 deals")
    assert off.wrong(hearts_tally([26, 0, 0, 0], moons=1)) is None
    for scores in ([-26, 0, 0, 0], [0, 26, 26, 26]):
        assert either.wrong(hearts_tally(scores, moons=1)) is None
    assert either.wrong(hearts_tally([26, 0, 0, 0], moons=1)) is not None
    assert plus.wrong(hearts_tally([26, 0, 0, 0], tricks=12)) == (0, "12 tricks in 1 deals")
    assert plus.wrong(hearts_tally([26, 0, 0, 0], queens=0)) == (0, "0 queens in 1 deals")


@pytest.mark.parametrize(
    ("moon", "bounds"), [("PLUS", (0, 26)), ("MINUS", (-26, 26)), ("CHOICE", (-26, 26))]
)
def test_scores_of_a_single_deal_of_hearts_are_bounded(moon, bounds):
    """And what follows from that of other responses."""
    one = GameRef.of("hearts", {"ROUNDS": 1, "END": 0, "MOON": moon}, engine="interpreter")
    width = bounds[1] - bounds[0]
    assert {response.name: response.bounds for response in responses_of([one])} == {
        "points": bounds, "margin": (-width, width), "wins": (0, 1), "place": (1, 4),
        "queen": (0, 1), "moon": (0, 1), "tricks": (0, 13),
    }  # fmt: skip


def test_scores_of_several_deals_have_no_bounds_that_are_known_at_once():
    one, many = (
        GameRef.of("hearts", {"ROUNDS": rounds, "END": 0}, engine="interpreter")
        for rounds in (1, 3)
    )
    known = {response.name for response in responses_of([one, many]) if response.bounds}
    assert known == {"wins", "place"}


def test_a_range_of_scores_that_is_known_bounds_points_where_a_test_needs_it(tmp_path):
    def points(*games, ranged=True):
        found = responses_of(games, ranged=ranged)
        return {response.name: response.bounds for response in found if response.bounds}

    assert points(kuhn()) == {"points": (-2, 2), "margin": (-4, 4), "wins": (0, 1), "place": (1, 2)}
    assert "points" not in points(kuhn(), ranged=False)
    rummy = GameRef.of("rummy", engine="interpreter")
    assert "points" not in points(rummy)
    (tmp_path / "own.rcy").write_text((library_folder() / "rummy.rcy").read_text())
    (tmp_path / "own.toml").write_text("[[scores]]\nleast = 0\nmost = 100\n")
    own = GameRef.of(str(tmp_path / "own.rcy"), engine="interpreter")
    assert points(own)["points"] == (0, 100)
    assert "points" not in points(own, rummy)


def test_scores_beyond_what_is_declared_stop_an_experiment(tmp_path):
    (tmp_path / "own.rcy").write_text((library_folder() / "rummy.rcy").read_text())
    (tmp_path / "own.toml").write_text("[[scores]]\nleast = 0\nmost = 1\n")
    own = GameRef.of(str(tmp_path / "own.rcy"), engine="interpreter")
    made = plan(
        player("random", "first"),
        game=own,
        opponents=("random",),
        stop=Sequential("points", 0, 0.5),
    )
    with pytest.raises(
        LabError, match=r"deal \d+, .*: scores are .*, but from 0 to 1 is what they"
    ):
        PlayLabDeals(made)(range(1))


@pytest.mark.sweep
@pytest.mark.parametrize(
    "special",
    [{"PACKS": 2, "PLAYERS": 6}, {"WIDOW": 4}, {"JACKDIAMONDS": -10}, {"EACHTRICK": 1},
     {"QUEEN": 0, "MOON": "OFF"}, {"SUN": 1}, {"MOONNEEDS": "TRICKS"}],
)  # fmt: skip
def test_games_that_are_too_special_have_no_audit(special):
    assert audit(**special) is None


def test_results_that_cannot_be_end_the_experiment(monkeypatch):
    experiment = plan(slot("fourth"), opponents=("rule",))
    from cardwright.lab.task import NativeGame

    real = NativeGame.play

    def wrong(self, seeds, tables):
        found = real(self, seeds, tables)
        found.scores[5, 2] += 1
        return found

    monkeypatch.setattr(NativeGame, "play", wrong)
    with pytest.raises(LabError, match=r"deal 4, fourth=rule against rule: .* (27|79) points"):
        PlayLabDeals(experiment)(range(4, 6))


PLAYERS = """
from pathlib import Path
class Raising:
    def choose(self, decision):
        raise ValueError("no idea")

class Answering:
    def __init__(self, answer):
        self.answer = {"many": 99, "none": None}[answer]
    def choose(self, decision):
        return self.answer

class Leaving:
    def __init__(self):
        if Path(__file__).with_name("gone").exists():
            raise OSError("no more")
    def choose(self, decision):
        return 0
"""


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "Raising",
            "player=it against first: the player it in seat 1 failed: ValueError: no idea",
        ),
        ("Answering,answer=many", "seat 1 answered 99; options are 0 to 1"),
        ("Answering,answer=none", "seat 1 answered with a NoneType, which is not an option"),
        ("Leaving", "seat 1 could not be made: .*no more"),
    ],
)
def test_faults_of_players_end_the_experiment(tmp_path, name, message):
    (tmp_path / "mine.py").write_text(PLAYERS, encoding="utf-8")
    it = LabPlayer("it", f"python:{tmp_path / 'mine.py'}:{name}")
    levels = (FactorLevel("first", LabPlayer("first", "first")), FactorLevel("it", it))
    experiment = plan(
        Factor("player", FactorKind.PLAYER, "", levels), game=kuhn(), opponents=("first",)
    )
    if name == "Leaving":
        PlayLabDeals(experiment)(range(1))
        (tmp_path / "gone").touch()
    with pytest.raises(LabError, match=f"deal 7, .*{message}"):
        PlayLabDeals(experiment)(range(7, 9))


def test_games_that_break_a_rule_end_the_experiment(tmp_path):
    (tmp_path / "breaks.rcy").write_text(BREAKS, encoding="utf-8")
    game = GameRef.of(str(tmp_path / "breaks.rcy"), engine="interpreter")
    experiment = plan(player("first", "random"), game=game, opponents=("first",))
    with pytest.raises(
        LabError, match=r"deal \d+, player=random against first: .*the game stopped"
    ):
        PlayLabDeals(experiment)(range(20))


# Blocks ------------------------------------------------------------------------------------------


def test_blocks_take_about_a_second_and_are_enough_for_a_few_workers():
    native = plan(*map(slot, FIVE), deals=100_000, seating=Seating.ROTATE)
    assert together(native) * layout_of(native).most_tables == 32_000
    assert together(replace(native, deals=160)) == 10
    assert together(plan(slot("first"), deals=10**8)) == 5_000
    slow = replace(small(), deals=10_000)
    assert together(slow) == 20
    search = plan(
        player("ismcts:iterations=9", "first"), game=kuhn(), opponents=("first",), deals=99
    )
    assert together(search) == 8 // layout_of(search).most_tables == 2


def test_scales_hold_all_shares_of_a_win():
    assert layout_of(plan(slot("first"))).responses[2].scale == lcm(1, 2, 3, 4)
