"""The page of published numbers: made of the figures kept beside it, which games played here have.

`bench/published_numbers.py` plays all of them; here a few are played again.
"""

import json
import math
import sys
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "bench"))

from published_cells import Cell, load_cells  # noqa: E402
from published_claims import (  # noqa: E402
    Claim,
    Found,
    Verdict,
    errors_off,
    judge,
    load_claims,
    taken,
)
from published_measures import (  # noqa: E402
    Measured,
    of_own_definitions,
    of_records,
    of_sums,
    pooled,
)
from published_numbers import FIGURES, Settings, load, played, recorded, stored  # noqa: E402
from published_orders import Member, order  # noqa: E402
from published_own import DEFINITIONS, definition_of, own_value  # noqa: E402
from published_page import HEAD, SAME, PageError, filled, tables  # noqa: E402

from cardwright import Game, play_random  # noqa: E402
from cardwright.analysis.results import heuristics, row_of, tallied  # noqa: E402
from cardwright.analysis.statistics import tricks  # noqa: E402
from cardwright.game import game_seeds  # noqa: E402

SOURCES, CLAIMS = load_claims()
CELLS, SEED = load(FIGURES)
PAGE = (ROOT / "docs" / "published.md").read_text(encoding="utf-8")
SMALL = Settings(random=400, thinking=120, seed=99, workers=1)


def cell(name: str) -> Cell:
    """Return a cell by its name."""
    return next(one for one in load_cells() if one.name == name)


# The page ---------------------------------------------------------------------------------------


def test_the_page_has_the_tables_of_the_figures() -> None:
    """`bench/published_numbers.py --page` makes the page again."""
    assert filled(PAGE, tables(CLAIMS, CELLS, SOURCES)) == PAGE


def test_every_claim_is_judged() -> None:
    """None is of a cell or a measure that there is not."""
    unplayed = [one.text for one in CLAIMS if judge(one, CELLS).verdict is Verdict.NOT_PLAYED]
    assert not unplayed
    assert {judge(one, CELLS).verdict for one in CLAIMS} >= {Verdict.AGREES, Verdict.IMPOSSIBLE}


def test_what_was_agreed_on_holds() -> None:
    """Every figure with a fixed tolerance is within it, of just as many games as were named."""
    agreed = [judge(one, CELLS) for one in CLAIMS if one.table == "acceptance"]
    assert len(agreed) > 40
    assert [one.claim.text for one in agreed if one.verdict is not Verdict.AGREES] == []
    for batch, games in (("RR", 20_000), ("AR", 1_000), ("AA", 500)):
        assert CELLS[f"hearts-4-{batch}-first"].games == games


def test_figures_change_the_page() -> None:
    """A table is made of the figures and not merely kept."""
    cells = dict(CELLS)
    figures = {**cells["lama-4-RR"].figures, "shape decisions": Measured(99.0, 98.0, 100.0)}
    cells["lama-4-RR"] = Found(100, figures)
    made = tables(CLAIMS, cells, SOURCES)["games"]
    assert "| 99.000 [98.000, 100.000] (n=100)" in made
    assert "99.000" not in PAGE


@pytest.mark.parametrize(
    "page",
    [
        "",
        "<!-- table: a -->\n<!-- end of table -->",
        "<!-- table: a -->\n<!-- end of table -->\n<!-- table: b -->\n<!-- end of table -->\n" * 2,
    ],
)
def test_a_page_without_a_place_for_each_table_is_refused(page: str) -> None:
    with pytest.raises(PageError, match=r"look at: .*b"):
        filled(page, {"a": "x\n", "b": "y\n"})


def test_the_text_of_a_page_is_kept() -> None:
    page = "one\n<!-- table: a -->\nold\n<!-- end of table -->\ntwo\n"
    made = filled(page, {"a": "| \\1 |\n"})
    assert made == "one\n<!-- table: a -->\n\n| \\1 |\n\n<!-- end of table -->\ntwo\n"
    assert filled(made, {"a": "| \\1 |\n"}) == made


def test_figures_are_kept_as_they_were(tmp_path: Path) -> None:
    """What is written can be read, with seven digits."""
    cells = {"a-4-RR": Found(3, {"b c": Measured(1 / 3, -1e-9, 123456.789)})}
    file = tmp_path / "figures.json"
    file.write_text(stored(cells, SMALL))
    assert load(file) == (
        {"a-4-RR": Found(3, {"b c": Measured(0.3333333, -1e-9, 123456.8)})},
        SMALL.seed,
    )
    assert json.loads(file.read_text())["player"] == "cardstock-pipmc"
    assert load(tmp_path / "none.json") == ({}, -1)


# Definitions ------------------------------------------------------------------------------------


def test_both_values_are_there_where_definitions_differ() -> None:
    """A claim has a number by our definition, with interval and games, or it is the same one."""
    differing = 0
    for one in CLAIMS:
        if one.value is None:
            continue
        definition, own = definition_of(one), own_value(one, CELLS)
        alone = definition.name == "spread" and not one.cell.endswith("-both")
        assert (own is None) == (definition.own is None or alone), one.text
        if own is not None:
            differing += 1
            assert own[0].low <= own[0].value <= own[0].high
            assert own[1] >= 100
    assert differing > 120
    assert "not played |\n" not in PAGE.partition("## Options in Hearts by trick")[2]


def test_rows_of_the_page_have_both_values() -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith("| order: Ninety-Eight |"))
    theirs, ours = row.split(" | ")[2], row.split(" | ")[-1]
    assert float(theirs.split()[0]) == pytest.approx(0.913)
    assert ours == "0.082 [0.075, 0.089] |"
    assert HEAD[-1] == "by our definition"
    row = next(line for line in PAGE.splitlines() if line.startswith("| convergence: Agram |"))
    assert row.split("|")[-2].strip() == SAME


def test_definitions_are_computed_by_functions_that_are_documented() -> None:
    """The function that a definition names exists, and says what it computes."""
    for one in DEFINITIONS:
        module, _, name = one.function.rpartition(".")
        try:
            found: Any = import_module(one.function)
        except ModuleNotFoundError:
            found = getattr(import_module(module), name)
        assert found.__doc__ is not None
        assert len(found.__doc__) > 40, one.function
        assert bool(one.ours) == (one.own is not None)


def test_every_measure_has_one_definition() -> None:
    for one in CLAIMS:
        if one.measure:
            name = one.measure
            fitting = [
                definition
                for definition in DEFINITIONS
                if any(
                    name == known or (known.endswith(" ") and name.startswith(known))
                    for known in definition.measures
                )
            ]
            assert fitting == [definition_of(one)]


def test_shared_wins_make_our_order_and_fairness() -> None:
    """Of half a win in four: (1/2 - 1/4) / (3/4), and (1 - 1/2) 4/3."""
    share = {"shape first_seat_wins_shared": Measured(0.5, 0.2, 0.6)}
    played_cells = {"c-4-AR": Found(50, share)}
    order_of = own_value(claim("1", cell="c-4-AR", measure="articles order"), played_cells)
    assert order_of is not None
    assert order_of[0] == pytest.approx((1 / 3, -1 / 15, 7 / 15))
    assert order_of[1] == 50
    fair = own_value(claim("1", cell="c-4-AR", measure="articles fairness"), played_cells)
    assert fair is not None
    assert fair[0] == pytest.approx((2 / 3, 8 / 15, 1.0))
    wins = own_value(claim("1", cell="c-4-AR", measure="shape first_seat_wins"), played_cells)
    assert wins == (Measured(0.5, 0.2, 0.6), 50)


def test_our_drama_is_that_of_the_winner_by_result() -> None:
    """Counted again, decision by decision, from records of games in which all think."""
    traces = recorded(cell("agram-4"), "AA", 25, SMALL)
    figures = of_own_definitions(traces)
    behind = []
    for game in range(len(traces)):
        leads = traces.led.lead[traces.led.game == game]
        winner = int(np.argmin(traces.ranks[game]))
        gaps = [5 / 6 - lead for lead in leads[:, winner] if lead < 5 / 6]
        behind.append(np.mean(np.sqrt(gaps)) if gaps else 0.0)
    assert figures["own drama"].value == pytest.approx(float(np.mean(behind)))
    assert {"own security", "corrected drama", "corrected coolness"} <= figures.keys()


# Verdicts ---------------------------------------------------------------------------------------


def claim(value: str, **fields: Any) -> Claim:
    """Return a claim about measure m of cell c, from 100 games if nothing else is said."""
    about: dict[str, Any] = {
        "table": "t",
        "text": "x",
        "source": "s",
        "cell": "c",
        "measure": "m",
        "games": 100,
    }
    return Claim(**{**about, **fields}, value=Decimal(value))


def cells(value: float, margin: float, games: int = 100) -> dict[str, Found]:
    """Return a cell c with measure m, whose standard error is `margin` / 1.96."""
    return {"c": Found(games, {"m": Measured(value, value - margin, value + margin)})}


def test_verdicts_follow_errors_of_both_samples() -> None:
    """With as many games as the source, a difference has 1.41 times our standard error."""
    room, error = 0.005, math.sqrt(2)
    for errors, verdict in (
        (1.9, Verdict.AGREES),
        (2.1, Verdict.UNCLEAR),
        (3.2, Verdict.UNCLEAR),
        (3.4, Verdict.DIFFERS),
    ):
        for sign in (-1, 1):
            value = 0.5 + sign * (room + errors * error)
            judged = judge(claim("0.50"), cells(value, 1.959964))
            assert judged.off == pytest.approx(errors)
            assert judged.verdict is verdict


def test_rounding_is_no_difference() -> None:
    """A number is as good as its last digit, or as a chart can be read."""
    sure = cells(0.5449, 0.0)
    assert judge(claim("0.54"), sure).verdict is Verdict.AGREES
    assert judge(claim("0.540"), sure).verdict is Verdict.DIFFERS
    assert judge(claim("0.540", within=0.01), sure).verdict is Verdict.AGREES


def test_what_must_always_be_so() -> None:
    exact = claim("52", exact=True)
    assert judge(exact, cells(52, 0)).verdict is Verdict.AGREES
    assert judge(exact, cells(52, 0.1)).verdict is Verdict.DIFFERS
    assert judge(exact, cells(51, 0)).verdict is Verdict.DIFFERS


def test_tolerances_and_ranges() -> None:
    assert judge(claim("1", tolerance=0.5), cells(1.5, 9)).verdict is Verdict.AGREES
    assert judge(claim("1", tolerance=0.5), cells(1.51, 9)).verdict is Verdict.DIFFERS
    assert judge(claim("100", range=True), cells(120, 25)).verdict is Verdict.AGREES
    assert judge(claim("100", range=True), cells(120, 14)).verdict is Verdict.DIFFERS


def test_quotients_and_differences_of_cells() -> None:
    """Errors of both cells count: 5 % and 12 % of a quotient are 13 %."""
    both = {
        **cells(20, 1.959964),
        "d": Found(50, {"m": Measured(10, *(10 + np.array([-1, 1]) * 2.35))}),
    }
    ratio, less = taken(claim("2", over="d"), both), taken(claim("10", less="d"), both)
    assert ratio is not None
    assert less is not None
    assert (ratio.value, less.value) == (2, 10)
    assert ratio.error == pytest.approx(2 * 0.13, rel=0.01)
    assert less.error == pytest.approx(math.hypot(1, 1.2), rel=0.01)
    assert taken(claim("2", over="nothing"), both) is None
    assert judge(claim("2", cell="nothing"), both).verdict is Verdict.NOT_PLAYED


@given(st.floats(0.01, 10), st.floats(0.001, 10), st.integers(1, 10**6), st.integers(1, 10**6))
def test_the_error_of_a_difference(gap: float, error: float, games: int, published: int) -> None:
    """It is that of both samples, of which each has its own number of games."""
    theirs = error * math.sqrt(games / published)
    assert errors_off(gap, error, games, published) == pytest.approx(
        gap / math.hypot(error, theirs)
    )
    assert errors_off(-gap, error, games, published) == 0


def test_a_difference_between_sure_numbers_is_one() -> None:
    assert errors_off(0.1, 0.0, 10, 10) == math.inf
    assert errors_off(0.0, 0.0, 10, 10) == 0


# Orders -----------------------------------------------------------------------------------------


def members(published: list[float], here: list[float], error: float) -> list[Member]:
    """Return games a, b, c, ... with equal errors."""
    rows = zip("abcdef", published, here, strict=False)
    return [Member(name, one, other, error, error) for name, one, other in rows]


def test_orders_are_compared_by_pairs() -> None:
    """Equal published numbers are in no order; a sure order is told if it is turned round."""
    made = order("x", members([1, 2, 2, 4], [1, 9, 3, 4], 0.1))
    assert made.published == ("a", "b", "c", "d")
    assert made.found == ("a", "c", "d", "b")
    assert (made.same, made.pairs) == (4, 5)
    assert made.against == (("b", "d"),)
    assert (made.low, made.high) == (5, 5)


def test_chance_mixes_orders() -> None:
    """Without differences any order is as good, and nobody can be sure."""
    made = order("x", members([1, 2, 3, 4, 5, 6], [1, 1, 1, 1, 1, 1.01], 10))
    assert made.low <= 3
    assert 12 <= made.high <= 15
    assert made.against == ()


# Games ------------------------------------------------------------------------------------------


def near(name: str, here: Found, least: int) -> list[str]:
    """Return figures that are not near the stored ones; so many must be there at least."""
    kept, off = CELLS[name], []
    compared = 0
    for key, figure in here.figures.items():
        if key in kept.figures and "100" not in key and not math.isnan(figure.error):
            stored_error = kept.figures[key].error * math.sqrt(kept.games / here.games)
            gap = abs(figure.value - kept.figures[key].value)
            compared += 1
            if gap > 4.5 * max(figure.error, stored_error) + 1e-6:
                off.append(f"{key}: {figure.value} and {kept.figures[key].value}")
    assert compared >= least
    return off


@pytest.mark.deep
def test_a_few_games_have_the_stored_figures() -> None:
    """Other games than those of the page, in all batches, by their own standard errors."""
    batches = dict(played(cell("agram-4"), SMALL))
    games = {name.removeprefix("agram-4-"): one.games for name, one in batches.items()}
    assert games == {"RR": 100, "AR": 120, "AA": 120, "AA-own": 120, "both": 240}
    least = {"agram-4-both": 1, "agram-4-AA-own": 5}
    for batch, here in batches.items():
        assert near(batch, here, least.get(batch, 20)) == []


def test_random_games_in_bulk_have_the_stored_figures() -> None:
    here = dict(played(cell("twoclubs-4"), SMALL))
    assert here["twoclubs-4-bulk"].games == 10 * SMALL.random
    assert near("twoclubs-4-bulk", here["twoclubs-4-bulk"], 15) == []


def test_equally_many_games_are_pooled() -> None:
    """Spreads of both batches are one list, of the first games of the larger batch."""
    hundred, more = (
        recorded(cell("agram-4"), batch, games, SMALL) for batch, games in (("AA", 8), ("AR", 16))
    )
    noted = np.concatenate([hundred.noted.spread, more.take(slice(8)).noted.spread])
    value = pooled(hundred, more)["articles spread"].value
    assert value == pytest.approx(np.nanmean(noted))
    assert value != pytest.approx(
        row_of(
            heuristics({"AA": tallied([hundred]), "AR": tallied([more])}),
            "articles",
            "spread",
            "AA+AR",
        ).value
    )


def test_options_by_trick_are_those_of_the_analysis() -> None:
    traces = recorded(cell("agram-4"), "RR", 100, SMALL)
    figures = of_records(traces, "RR", tricks=True)
    for trick, (leader, others) in enumerate(tricks([traces]).means(), 1):
        assert figures[f"leader {trick}"].value == pytest.approx(leader)
        assert figures[f"others {trick}"].value == pytest.approx(others)
        assert figures[f"free {trick}"] == figures["free 1"]  # a leader of Agram plays anything


def test_figures_of_sums_are_those_of_the_games() -> None:
    """Against plain counts over the same games."""
    games = play_random(Game.load("hearts"), game_seeds(4, 500))
    figures = of_sums(games)
    scores = games.scores.tolist()
    assert figures["branching"].value == pytest.approx(sum(games.option_sums) / (52 * 500))
    assert figures["decisions"] == (52, 52, 52)
    assert figures["forced"].value == pytest.approx(100 * sum(games.single_sums) / (52 * 500))
    wins = [1 / row.count(min(row)) if row[0] == min(row) else 0 for row in scores]
    assert figures["first wins shared"].value == pytest.approx(sum(wins) / 500)
    assert figures["first wins"].value == pytest.approx(sum(win > 0 for win in wins) / 500)
    assert figures["winner's score"].value == pytest.approx(sum(map(min, scores)) / 500)
    assert figures["loser's score"].value == pytest.approx(sum(map(max, scores)) / 500)
    assert figures["tied"].value == pytest.approx(
        100 * sum(row.count(min(row)) > 1 for row in scores) / 500
    )
    every = [score for row in scores for score in row]
    assert figures["share of score 13"].value == pytest.approx(every.count(13) / 2000)
    assert figures["score deviation"].value == pytest.approx(float(np.std(every)))
    most = [max(games.option_most[at : at + 100]) for at in range(0, 500, 100)]
    assert figures["widest of 100"] == (np.median(most), min(most), max(most))
    for figure in figures.values():
        assert figure.low <= figure.value <= figure.high
