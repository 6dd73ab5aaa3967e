from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, strategies as st
from runs import Small, players_file

from broken_rules import BREAKS
from cardwright import Game, Stream
from cardwright.arena.plan import GameRef, RunPlan
from cardwright.arena.referee import FaultKind, referee_game
from cardwright.arena.results import FIRST_FAULTS, NO_RANK, NO_SCORE, PlayedDeals, Results
from cardwright.arena.run import PlayRunDeals, table_chances
from cardwright.game import game_seeds
from cardwright.jobs.executor import ExecutorError
from cardwright.jobs.files import pack, unpack
from cardwright.players.kind import PlayerSpecError
from cardwright.players.player import RandomPlayer

if TYPE_CHECKING:
    from pathlib import Path

DEALS = range(3, 7)


def test_a_deal_is_played_from_one_seed_at_all_tables() -> None:
    plan = Small(detail="games").plan("random", "pimc:rollouts=2")
    played = PlayRunDeals(plan)(DEALS)
    seeds = list(game_seeds(plan.seed, plan.deals))[3:7]
    games = played.traces["games"]
    assert games["seed"].tolist() == [seed for seed in seeds for _ in range(2)]
    rows = played.results
    assert rows.deal.tolist() == [deal for deal in DEALS for _ in range(4)]
    assert rows.table.tolist() == [0, 0, 1, 1] * 4
    assert rows.seat.tolist() == [0, 1, 0, 1] * 4
    assert rows.entrant.tolist() == [0, 1, 1, 0] * 4


def test_rows_say_what_the_referee_saw() -> None:
    plan = Small(detail="decisions").plan()
    played = PlayRunDeals(plan)(DEALS)
    game = plan.game.load()
    rows, games, decisions = played.results, *played.traces.values()
    at = 0
    for number, seed in enumerate(list(game_seeds(plan.seed, plan.deals))[3:7]):
        record = referee_game(
            game, seed, [RandomPlayer(), RandomPlayer()], table_chances(seed, 2, 0)
        )
        mine = slice(4 * number, 4 * number + 2)
        assert tuple(rows.score[mine]) == record.scores
        assert tuple(rows.rank[mine]) == record.ranks
        assert rows.win[mine].sum() == 1
        counts = [sum(seat == one for seat, _, _ in record.decisions) for one in (0, 1)]
        assert rows.decisions[mine].tolist() == counts
        assert games["choices_length"][2 * number] == len(record.choices)
        assert games["choices"][at : at + len(record.choices)].tolist() == list(record.choices)
        columns = [
            decisions[name] for name in ("deal", "table", "ply", "seat", "options", "chosen")
        ]
        ends = at + len(record.choices)
        found = zip(*[column[at:ends].tolist() for column in columns], strict=True)
        expected = [(DEALS[number], 0, ply, *one) for ply, one in enumerate(record.decisions)]
        assert list(found) == expected
        at += games["choices_length"][2 * number : 2 * number + 2].sum()
    assert rows.error.tolist() == [None] * 16
    assert rows.faults.tolist() == [0] * 16


def test_a_shared_win_is_a_share() -> None:
    ref = GameRef.of("hearts", engine="interpreter")
    rows = PlayRunDeals(RunPlan(ref, ("random",), ((0,) * 4,), 60, 1))(range(60)).results
    wins, ranks = rows.win.reshape(-1, 4), rows.rank.reshape(-1, 4)
    winners = (ranks == 0).sum(axis=1)
    assert set(winners) > {1}
    assert np.array_equal(wins, (ranks == 0) / winners[:, None])


def test_what_comes_of_deals_does_not_depend_on_their_batch(tmp_path: Path) -> None:
    plan = Small(detail="decisions").plan("random", f"{players_file(tmp_path)}Raising,every=2")
    play = PlayRunDeals(plan)
    whole = play(range(12))
    cuts = [range(7, 12), range(3), range(3, 4), range(4, 7)]
    parts = [play(cut) for cut in cuts]
    joined = PlayedDeals.joined(parts)
    assert joined.results.same(whole.results)
    assert joined.deals == whole.deals
    assert joined.faults == whole.faults
    assert [one.decisions for one in joined.timing] == [one.decisions for one in whole.timing]
    for name, table in whole.traces.items():
        for column, values in table.items():
            inside = np.concatenate([part.traces[name][column] for part in parts])
            if column != "error":
                equal_nan = values.dtype == np.float64
                assert np.array_equal(np.sort(inside), np.sort(values), equal_nan=equal_nan)


@pytest.mark.parametrize("deal", [0, 1, 5, 12])
def test_what_comes_before_a_deal_is_what_comes_of_the_deals_before(tmp_path, deal: int) -> None:
    plan = Small(detail="decisions").plan("random", f"{players_file(tmp_path)}Good")
    play = PlayRunDeals(plan)
    cut, whole = play(range(12)).before(deal), play(range(deal))
    assert cut.deals == whole.deals
    assert cut.results.same(whole.results)
    for name, table in whole.traces.items():
        for column, values in table.items():
            kept = cut.traces[name][column]
            assert np.array_equal(kept, values, equal_nan=kept.dtype == np.float64)


@pytest.mark.parametrize("deal", [0, 1, 5])
def test_faults_before_a_deal_are_those_of_the_deals_before(tmp_path: Path, deal: int) -> None:
    plan = Small().plan(*[f"{players_file(tmp_path)}Raising"] * 2)
    play = PlayRunDeals(plan)
    assert play(range(12)).before(deal).faults == play(range(deal)).faults


def test_a_game_that_breaks_a_rule_keeps_its_rows(tmp_path: Path) -> None:
    file = tmp_path / "breaks.rcy"
    file.write_text(BREAKS)
    plan = RunPlan(
        GameRef.of(str(file), engine="interpreter"), ("random",), ((0, 0),), 20, 1, detail="games"
    )
    played = PlayRunDeals(plan)(range(20))
    rows = played.results
    broken = ~rows.finished
    assert 0 < broken.sum() < 40
    assert all("division" in error for error in rows.error[broken])
    assert set(rows.score[broken]) == {NO_SCORE}
    assert set(rows.rank[broken]) == {NO_RANK}
    assert np.isnan(rows.win[broken]).all()
    assert rows.decisions[broken].sum() > 0
    assert rows.error[~broken].tolist() == [None] * int((~broken).sum())
    assert np.array_equal(played.traces["games"]["error"], rows.error[::2])


def test_faults_are_counted_and_the_first_are_noted(tmp_path: Path) -> None:
    plan = Small().plan("random", f"{players_file(tmp_path)}Raising", most_faults=0)
    played = PlayRunDeals(plan)(range(12))
    rows = played.results
    mine = rows.entrant == 1
    assert rows.faults[~mine].sum() == 0
    made = (rows.decisions[mine] > 0).astype(int)
    assert rows.faults[mine].tolist() == made.tolist()
    assert len(played.faults) == FIRST_FAULTS < made.sum()
    assert {one.fault.kind for one in played.faults} == {FaultKind.RAISED}
    assert {one.fault.reason for one in played.faults} == {
        "ValueError: no idea, at <object object at 0x...>"
    }
    assert played.timing[1].decisions == made.sum()


def test_notes_are_in_the_decisions(tmp_path: Path) -> None:
    plan = Small(detail="decisions").plan("random", f"{players_file(tmp_path)}Good")
    played = PlayRunDeals(plan)(range(12))
    decisions = played.traces["decisions"]
    noted = decisions["iterations"] >= 0
    entrants = np.array([[0, 1], [1, 0]])[decisions["table"], decisions["seat"]]
    assert np.array_equal(noted, entrants == 1)
    assert np.array_equal(decisions["iterations"][noted], decisions["chosen"][noted])
    assert np.array_equal(decisions["lead_length"], np.where(noted, 2, -1))
    assert set(decisions["lead"]) == {0.5}
    assert set(decisions["spread"][noted]) == {0.25}
    assert np.isnan(decisions["spread"][~noted]).all()
    assert np.isnan(decisions["best"]).all()


def test_bytes_bring_everything_back(tmp_path: Path) -> None:
    plan = Small(detail="decisions").plan("random", f"{players_file(tmp_path)}Raising")
    played = PlayRunDeals(plan)(range(12))
    again = unpack(pack(played), PlayedDeals)
    assert again.results.same(played.results)
    assert (again.deals, again.timing) == (played.deals, played.timing)
    assert (again.faults, again.seconds) == (played.faults, played.seconds)
    assert again.faults
    for name, table in played.traces.items():
        for column, values in table.items():
            kept = again.traces[name][column]
            assert kept.dtype == values.dtype
            assert np.array_equal(kept, values, equal_nan=kept.dtype == np.float64)


def test_players_of_all_rooms_can_be_entrants() -> None:
    decisions = PlayRunDeals(Small(detail="decisions").plan("first", "random"))(range(6)).traces[
        "decisions"
    ]
    first = decisions["table"] == decisions["seat"]
    assert set(decisions["chosen"][first]) == {0}
    assert set(decisions["chosen"][~first]) == {0, 1}


def test_no_memory_ends_the_run_with_a_message(tmp_path: Path) -> None:
    plan = Small().plan("random", f"{players_file(tmp_path)}Greedy")
    with pytest.raises(ExecutorError, match=r"out of memory in deal 0 .*random, python:.*Greedy"):
        PlayRunDeals(plan)(range(2))


def test_a_text_that_is_no_player_is_told() -> None:
    with pytest.raises(PlayerSpecError, match="nobody"):
        PlayRunDeals(Small().plan("random", "nobody"))(range(1))


def test_results_are_sorted_and_cut() -> None:
    play = PlayRunDeals(Small().plan())
    parts = [play(range(first, first + 3)).results for first in (6, 0, 9, 3)]
    whole = Results.joined(parts)
    assert whole.same(play(range(12)).results)
    assert whole.before(5).same(play(range(5)).results)
    assert not whole.same(whole.before(11))
    assert len(Results.joined([])) == 0
    assert whole.where(whole.seat == 1).seat.tolist() == [1] * 24


def test_shared_games_play_alike_in_threads() -> None:
    """Contexts of the native engine are a thread's own."""
    from concurrent.futures import ThreadPoolExecutor

    plan = RunPlan(GameRef.of("kuhn"), ("random", "pimc:rollouts=20"), ((0, 1), (1, 0)), 16, 3)
    play = PlayRunDeals(plan)
    alone = [play(range(deal, deal + 2)) for deal in range(0, 16, 2)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(play, [range(deal, deal + 2) for deal in range(0, 16, 2)]))
    for one, other in zip(alone, together, strict=True):
        assert one.results.same(other.results)


def test_every_seat_of_every_table_draws_from_its_own_stream() -> None:
    plan = Small(detail="decisions").plan("random", tables=((0, 0),) * 3)
    decisions = PlayRunDeals(plan)(range(40)).traces["decisions"]
    game = Game.load("kuhn", engine="interpreter")
    first = decisions["ply"] == 0
    chosen = decisions["chosen"][first].reshape(40, 3)
    for deal, seed in enumerate(game_seeds(plan.seed, 40)):
        count = game.start(seed).option_count
        streams = [Stream.of_seat(table_chances(seed, 2, table), 0) for table in range(3)]
        assert chosen[deal].tolist() == [stream.below(count) for stream in streams]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert 5 < (chosen[:, one] == chosen[:, other]).sum() < 35


def test_what_a_seat_draws_does_not_depend_on_the_others() -> None:
    """Nor on how many tables there are: a table's number and the seat say it all."""
    detailed = Small(detail="decisions")
    plans = [
        detailed.plan("random", "pimc:rollouts=1", tables=tables)
        for tables in (((0, 0),), ((0, 1),), ((0, 1), (1, 0)))
    ]
    found = []
    for plan in plans:
        decisions = PlayRunDeals(plan)(range(12)).traces["decisions"]
        found.append(decisions["chosen"][(decisions["ply"] == 0) & (decisions["table"] == 0)])
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])
    assert len(set(found[0])) == 2


@pytest.mark.parametrize(("seats", "table"), [(2, 0), (4, 0), (4, 3), (1, 9999)])
def test_the_seed_of_a_table_is_the_first_draw_of_a_stream_that_no_seat_has(
    seats: int, table: int
) -> None:
    golden = 0x9E3779B97F4A7C15
    expected = Stream(77 ^ (seats + table + 1) * golden % 2**64).next()
    assert table_chances(77, seats, table) == expected


def test_the_referee_draws_otherwise_at_every_table(tmp_path: Path) -> None:
    plan = Small(detail="decisions").plan(f"{players_file(tmp_path)}Raising", tables=((0, 0),) * 2)
    decisions = PlayRunDeals(plan)(range(40)).traces["decisions"]
    chosen = decisions["chosen"][decisions["ply"] == 0].reshape(40, 2)
    assert 5 < (chosen[:, 0] == chosen[:, 1]).sum() < 35


@given(seed=st.integers(0, 2**64 - 1), seats=st.integers(1, 12))
def test_streams_of_tables_are_none_of_the_games(seed: int, seats: int) -> None:
    tables = [table_chances(seed, seats, table) for table in range(20)]
    streams = [Stream.of_seat(own, seat).words for own in (seed, *tables) for seat in range(seats)]
    words = {Stream(seed).words, *streams}
    assert len(words) == 1 + 21 * seats
    assert all(0 <= own < 2**64 for own in tables)


def test_a_player_against_itself_is_no_mirror_image() -> None:
    """Its games at two tables of a deal have the same cards, but not the same draws."""
    plan = Small().plan("random", "random")
    rows = PlayRunDeals(plan)(range(40)).results
    mine = rows.score[rows.entrant == 0].reshape(40, 2).sum(axis=1)
    assert 5 < (mine != 0).sum() < 40
    fixed = PlayRunDeals(Small().plan("first", "first"))(range(40)).results
    assert not fixed.score[fixed.entrant == 0].reshape(40, 2).sum(axis=1).any()


@pytest.mark.parametrize("detail", ["games", "decisions"])
def test_choices_replay_every_game_from_the_cards_alone(detail: str) -> None:
    plan = Small(detail=detail).plan("random", "pimc:rollouts=1")
    played = PlayRunDeals(plan)(range(12))
    game, games = plan.game.load(), played.traces["games"]
    ends = np.cumsum(games["choices_length"])
    for number, choices in enumerate(np.split(games["choices"], ends[:-1])):
        state = game.replay(int(games["seed"][number]), choices.tolist())
        assert state.scores == tuple(played.results.score[2 * number : 2 * number + 2])
