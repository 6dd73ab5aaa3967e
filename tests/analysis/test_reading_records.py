"""Reading records part by part: nothing is lost between parts, and what is damaged is said."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, strategies as st

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.records import RunFrames
from cardwright.analysis.statistics import statistics


def frames(games):
    """Return results and decisions of games of two seats.

    A game is deal, table, scores or None if it broke a rule, and its decisions: seat, options and
    a lead vector or None.
    """
    results, decisions = [], []
    for deal, table, scores, rows in games:
        for seat in range(2):
            score = None if scores is None else scores[seat]
            rank = None if scores is None else sum(other < score for other in scores)
            results.append((deal, table, seat, seat, score, rank, len(rows)))
        for ply, (seat, options, lead) in enumerate(rows):
            best = None if lead is None else lead[seat]
            notes = [best, best, best, None, None, None]
            decisions.append((deal, table, ply, seat, options, *notes, lead))
    return (
        pl.DataFrame(
            results,
            schema={
                "deal": pl.Int64,
                "table": pl.Int16,
                "seat": pl.Int8,
                "entrant": pl.Int16,
                "score": pl.Int64,
                "rank": pl.Int8,
                "decisions": pl.Int32,
            },
            orient="row",
        ),
        pl.DataFrame(
            decisions,
            schema={
                "deal": pl.Int64,
                "table": pl.Int16,
                "ply": pl.Int32,
                "seat": pl.Int8,
                "options": pl.Int32,
                "spread": pl.Float64,
                "average": pl.Float64,
                "best": pl.Float64,
                "iterations": pl.Float64,
                "held_out_spread": pl.Float64,
                "score_spread": pl.Float64,
                "lead": pl.List(pl.Float64),
            },
            orient="row",
        ),
    )


decisions = st.lists(
    st.tuples(
        st.integers(0, 1),
        st.integers(1, 5),
        st.none() | st.lists(st.floats(0, 1), min_size=2, max_size=2),
    ),
    max_size=4,
)
scores = st.none() | st.lists(st.integers(-9, 9), min_size=2, max_size=2)


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.booleans(), scores, decisions), min_size=1, max_size=8), st.integers(1, 9)
)
def test_parts_are_the_whole(made, rows):
    """Every game that came to its end is read once, with its decisions, for any size of parts."""
    games, deal = [], 0
    for number, (again, result, moves) in enumerate(made):
        table = games[-1][1] + 1 if again and number else 0
        deal += 0 if table else 3  # deals may be missing, as of a run that was stopped
        games.append((deal, table, result, moves))
    records = RunFrames.of_frames(*frames(games))
    expected = [game for game in games if game[2] is not None]
    read = []
    for part in records.parts(rows):
        for at in range(len(part)):
            mine = part.noted.game == at
            moves = [
                (seat, options, None if lead[0] != lead[0] else lead)
                for seat, options, lead in zip(
                    part.noted.seat[mine].tolist(),
                    part.noted.options[mine].tolist(),
                    part.noted.lead[mine].tolist(),
                    strict=True,
                )
            ]
            assert part.lengths[at] == 2 * len(moves)  # each seat was given all of them
            scores = part.scores[at].tolist()
            read.append((int(part.deal[at]), int(part.table[at]), scores, moves))
    assert read == expected
    first = records.first(2)
    assert first.deal.tolist() == [game[0] for game in expected[:2]]


def test_files_are_read_as_frames_are(tmp_path):
    """Parquet files of several groups of rows, and a report of how far it is."""
    games = [(deal, 0, [deal % 3, 1], [(0, 2, None), (1, 1, [0.5, 0.25])]) for deal in range(50)]
    results, noted = frames(games)
    results.write_parquet(tmp_path / "results.parquet", row_group_size=16)
    noted.write_parquet(tmp_path / "decisions.parquet", row_group_size=16)
    (tmp_path / "manifest.json").write_text('{"complete": true}')
    told = []
    records = RunFrames.of_folder(tmp_path)
    parts = list(records.parts(20, lambda done, of: told.append((done, of))))
    assert [len(part) for part in parts] == [10] * 5
    assert told == [(10, 50), (20, 50), (30, 50), (40, 50), (50, 50)]
    whole = statistics(RunFrames.of_frames(results, noted).parts())
    assert statistics(parts).record() == whole.record()
    assert whole.games == records.games == 50


def test_parts_are_small(tmp_path):
    """No part has many more rows than were asked for, so that a long run needs little memory."""
    games = [(deal, 0, [0, 1], [(0, 2, None)] * 5) for deal in range(400)]
    results, noted = frames(games)
    sizes = [len(part.noted) for part in RunFrames.of_frames(results, noted).parts(100)]
    assert sum(sizes) == 2_000
    assert max(sizes) <= 100


def test_what_is_no_record(tmp_path):
    """A folder without a run, one that is not finished, other columns, damage, and no games."""
    with pytest.raises(AnalysisError, match="no records of a run"):
        RunFrames.of_folder(tmp_path)
    (tmp_path / "manifest.json").write_text('{"complete": false}')
    with pytest.raises(AnalysisError, match=r"not finished: resume"):
        RunFrames.of_folder(tmp_path)
    (tmp_path / "manifest.json").write_text('{"complete": true}')
    (tmp_path / "results.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(AnalysisError, match="cannot be read"):
        RunFrames.of_folder(tmp_path)
    results, noted = frames([(0, 0, [0, 1], [])])
    with pytest.raises(AnalysisError, match="it has no score, rank"):
        RunFrames.of_frames(results.drop("score", "rank"), noted)
    with pytest.raises(AnalysisError, match="one row for each game and seat"):
        list(RunFrames.of_frames(results.reverse()).parts())
    nothing = RunFrames.of_frames(results.head(0), noted)
    assert list(nothing.parts()) == []
    assert nothing.games == 0
    with pytest.raises(AnalysisError, match="no games"):
        nothing.first(3)
    bare = RunFrames.of_frames(results).first(1)
    with pytest.raises(AnalysisError, match="detail='decisions'"):
        _ = bare.noted
