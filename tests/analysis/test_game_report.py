"""Reports: what is read from records, what is said of it, and the page."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from made_games import led, outcomes, traces_of

from cardwright.analysis import subject as comparison
from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.figures.registry import FIGURES
from cardwright.analysis.figures.side_by_side import measures
from cardwright.analysis.formulas import MeasureRules
from cardwright.analysis.measures import NAMED, SIX
from cardwright.analysis.records import Decisions, RunFrames, Traces
from cardwright.analysis.report import (
    Chapter,
    Drawing,
    Page,
    caution,
    errors,
    interval,
    missing,
    summary,
    verdict,
)
from cardwright.analysis.results import MeasureSums, Study, compared, heuristics
from cardwright.analysis.statistics import Statistics, statistics
from cardwright.analysis.subject import (
    Comparison,
    Subject,
    Title,
    csv_text,
    names_once,
    numbers,
    subject,
    trick_start,
)
from cardwright.arena.plan import GameRef
from cardwright.publication.pages import inlined
from cardwright.statistics.caveat import caveat, share_caveat
from cardwright.statistics.ties import TIES
from cardwright.study.figure import drawn
from cardwright.study.games import StudiedGame
from cardwright.study.play import StudySettings, play_study

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.analysis.measures import MeasureResult
    from cardwright.statistics.ties import Ties

PLAYER = "cardstock-pipmc:tests=1"
FEW = Study(resamples=60)


def played(folder: Path, game: str, title: Title, *, games: int = 30, thinking: int = 4) -> Subject:
    folders = play_study(GameRef.of(game), StudySettings(4, PLAYER, games, thinking), folder)
    records: Any = {name: RunFrames.of_folder(one) for name, one in folders.items()}
    return subject(title, records, FEW)


@pytest.fixture(scope="module")
def agram(tmp_path_factory: pytest.TempPathFactory) -> Subject:
    title = Title("<b>agram</b>", "agram", "agram", 3, trick_taking=True)
    return played(tmp_path_factory.mktemp("agram"), "agram", title)


@pytest.fixture(scope="module")
def leduc(tmp_path_factory: pytest.TempPathFactory) -> Subject:
    return played(tmp_path_factory.mktemp("leduc"), "leduc", Title("leduc", "leduc", "leduc", 2))


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Subject:
    title = Title("blackjack", "blackjack", "blackjack", 1)
    return played(tmp_path_factory.mktemp("alone"), "blackjack", title)


def test_a_subject_has_what_its_records_have(agram: Subject) -> None:
    assert {batch: one.games for batch, one in agram.statistics.items()} == {
        "RR": 30, "AR": 4, "AA": 4,
    }  # fmt: skip
    row = agram.row("shape", "branching", "RR")
    assert row is not None
    assert row.value == pytest.approx(agram.statistics["RR"].branching)
    assert agram.row("shape", "nothing", "RR") is None
    assert all(agram.result(one) is not None for one in SIX)


def test_options_by_trick_are_those_of_a_trick_game(agram: Subject, leduc: Subject) -> None:
    assert agram.tricks is not None
    assert agram.tricks.means().shape == (6, 2)
    assert agram.tricks.means()[:, 0].tolist() == [6, 5, 4, 3, 2, 1]  # the leader plays any card
    assert leduc.tricks is None
    assert leduc.no_tricks


def movers(*games: list[int], seats: int = 3) -> Traces:
    """Return games in which these seats decide in this order."""
    lengths = np.array([len(one) for one in games])
    seat = np.array([mover for one in games for mover in one])
    count, unknown = len(seat), np.full(len(seat), np.nan)
    noted = Decisions(
        np.repeat(np.arange(len(games)), lengths), seat, np.full(count, 2), unknown, unknown,
        unknown, np.full((count, seats), np.nan), unknown, unknown, unknown,
    )  # fmt: skip
    zeros = np.zeros((len(games), seats), np.int64)
    return Traces(np.arange(len(games)), zeros[:, 0], zeros, zeros, zeros, lengths, noted)


TRICKS = Title("game", "game", "game", 3, trick_taking=True)


def test_tricks_begin_after_what_always_goes_round_alike() -> None:
    bids, second, third = [0, 1, 2], [1, 2, 0], [2, 0, 1]
    games = movers([*bids, *bids, *second, *third], [*bids, *bids, *third, *bids])
    assert trick_start(TRICKS, games) == (3, "")
    games = movers([*bids, *second, *third], [*bids, *third, *bids])
    assert trick_start(TRICKS, games) == (0, "")
    games = movers([0, *bids, *second], [1, *bids, *third])
    assert trick_start(TRICKS, games) == (1, "")


@pytest.mark.parametrize(
    ("games", "why"),
    [
        (movers([0, 1, 2, 0, 1, 2], [0, 1, 2]), "different numbers"),
        (movers([0, 0, 2, 0, 1, 1], [0, 1, 2, 1, 0, 2]), "not every seat"),
    ],
)
def test_other_games_have_no_tricks(games: Traces, why: str) -> None:
    start, reason = trick_start(TRICKS, games)
    assert start is None
    assert why in reason
    assert (
        trick_start(replace(TRICKS, trick_taking=False), games)[1]
        == "it is not a trick-taking game"
    )


def test_a_single_seat_is_not_compared(alone: Subject) -> None:
    assert [one.key for one in SIX if alone.result(one)] == ["convergence"]
    assert alone.result("wins") is None
    assert "this game has one" in missing(alone)
    length = alone.result("decisions")
    assert length is not None
    assert length.value == pytest.approx(alone.statistics["RR"].mean_length)
    assert length.low <= length.value <= length.high


def with_row(one: Subject, key: str, low: float, value: float, high: float) -> Subject:
    shown = NAMED[key]
    rows = [
        replace(row, value=value, low=low, high=high) if row == one.result(shown) else row
        for row in one.rows
    ]
    return replace(one, rows=rows)


@pytest.mark.parametrize(
    ("key", "ends", "said"),
    [
        ("order", (0.1, 0.4, 0.6), "Thinking pays."),
        ("order", (-0.1, 0.4, 0.6), "These games do not tell whether thinking pays."),
        ("order", (-0.5, -0.4, -0.3), "The player that thinks does worse than chance."),
        ("convergence", (0.51, 0.52, 0.53), "Choices become fewer."),
        ("convergence", (0.41, 0.42, 0.43), "Choices become more."),
        ("convergence", (0.49, 0.5, 0.51), "neither"),
        ("spread", (0.1, 0.2, 0.3), "20 % (10 to 30 %)"),
        ("security", (0.4, 0.5, 0.6), "50 % (40 to 60 %)"),
    ],
)
def test_a_sentence_claims_what_the_interval_does(
    agram: Subject, key: str, ends: tuple[float, float, float], said: str
) -> None:
    assert said in verdict(key, with_row(agram, key, *ends))


def test_how_far_winners_are_behind_is_told_where_they_are() -> None:
    """One winner is behind by half the way once, the other never: it is not some 13 %."""
    games = [led([0, 1], [0.0, 1.0], [1.0, 0.0]), led([0, 1], [0.5, 0.5], [1.0, 0.0])]
    assert "it is by 50 % of the way" in verdict("drama", thought(games))
    assert "by 50 % (44 to 50 %) of the way" in verdict("drama", thought(games[:1] * 30))
    assert verdict("drama", thought(games[1:])) == "In these games winners are never behind."


def thought(games: list[Any]) -> Subject:
    """Return a subject with games of players that think."""
    tally = MeasureSums.of(traces_of(games), FEW)
    return Subject(Title("x", "x", "x", 2), {"AA": tally}, {}, {}, heuristics({"AA": tally}))


def test_what_is_always_the_same_says_so(agram: Subject) -> None:
    length = agram.result("decisions")
    assert length is not None
    assert (length.constant, interval(length)) == (True, "always")


def test_few_games_come_with_a_caution(agram: Subject) -> None:
    """Means without bounds of few games are said to cover less, and so are shares alone."""
    rows = agram.rows
    assert caution(rows) == f"Of decisions, options, convergence and scores: {caveat(4, 'games')}"
    shares = [row for row in rows if row.method == "agresti-coull"]
    assert caution(shares) == share_caveat(min(row.deals for row in shares), "games") != ""
    assert caution(replace(row, deals=30) for row in shares) == ""
    assert caution(replace(row, deals=1_000) for row in rows) == ""


def fairness_of(scores: list[list[int]], ties: Ties) -> tuple[str, MeasureResult, MeasureResult]:
    """Return what is said of the first seat in random games, with its fairness and its wins."""
    traces = outcomes(scores)
    tally = MeasureSums.of(traces, replace(FEW, rules=MeasureRules(ties=ties)))
    title, counts = Title("x", "x", "x", traces.players), Statistics.of(traces)
    made = Subject(title, {"RR": tally}, {"RR": counts}, {}, heuristics({"RR": tally}))
    rows = made.result("fairness"), made.result("wins")
    assert rows[0] is not None
    assert rows[1] is not None
    return verdict("fairness", made), *rows


@given(
    st.lists(st.lists(st.integers(0, 1), min_size=3, max_size=3), min_size=2, max_size=60),
    st.sampled_from(TIES),
    st.sampled_from([1, 20]),
)
@settings(deadline=None)
def test_who_may_be_equal_is_never_called_worse_off(
    scores: list[list[int]], ties: Ties, times: int
) -> None:
    """If an interval beside the sentence has the fair value as printed, no side is taken."""
    said, fair, wins = fairness_of(scores * times, ties)
    if "worse off" in said or "better off" in said:
        assert fair.measure.text(fair.high) != "1.00"
        low, high = (round(100 * end, 1) for end in (wins.low, wins.high))
        assert not low <= 33.3 <= high
        assert ("worse" in said) == (high < 33.3)
        assert fair.high <= 1 - 1e-9


def test_a_limit_that_is_printed_as_the_fair_share_leaves_it_in(agram: Subject) -> None:
    """33.29 % is printed as 33.3 %: a reader sees that the interval reaches the fair share."""
    for high, said in ((0.3329, "No seat"), (0.32, "worse off")):
        made = with_row(agram, "fairness", 0.5, 0.8, 0.98)
        made = with_row(made, "wins", 0.2, 0.25, high)
        assert said in verdict("fairness", made)
    made = with_row(with_row(agram, "wins", 0.2, 0.25, 0.32), "fairness", 0.5, 0.8, 0.996)
    assert "No seat" in verdict("fairness", made)


def test_ties_are_no_unfairness() -> None:
    """Seats that all tie are equal: with ties shared all agrees, and in full no side is taken."""
    scores = [[1, 1, 0], [0, 1, 1], [1, 0, 1]] * 100
    said, fair, wins = fairness_of(scores, "shared")
    assert (fair.value, wins.value) == pytest.approx((1, 1 / 3))
    assert said.startswith("No seat advantage is visible: the first has 33.3 % of the wins")
    said, fair, wins = fairness_of(scores, "full")
    assert (fair.value, wins.value) == pytest.approx((0.5, 2 / 3))
    assert said.startswith("With ties in full the first seat has 66.7 % of the wins")
    assert said.endswith("where 33.3 % is fair only if nobody ties.")
    said, *_ = fairness_of([[0, 1, 1]] * 50, "full")
    assert said.startswith("The first seat is worse off: 0.0 % of the wins")
    said, *_ = fairness_of([[1, 0, 0]] * 50, "full")
    assert said.startswith("The first seat is better off")


def test_numbers_without_thinkers_say_so(agram: Subject) -> None:
    random: Subject = replace(
        agram,
        tallies={"RR": agram.tallies["RR"]},
        rows=[row for row in agram.rows if row.batch in {"RR", ""}],
    )
    assert "they need thinking players" in missing(random)
    assert missing(agram) == ""
    assert verdict("drama", random) == ""
    assert len(summary(agram, "somebody")) > len(summary(random, "somebody"))


def test_intervals_are_written_or_left_out(agram: Subject) -> None:
    """As the measure is written, in per cent if it is a share, or with so many digits."""
    length, forced = (agram.row("shape", name, "RR") for name in ("decisions", "forced"))
    assert length is not None
    assert forced is not None
    row, share = (replace(one, low=0.25, high=0.5, method="student") for one in (length, forced))
    assert interval(row) == "0.2 to 0.5"
    assert interval(row, 2) == "0.25 to 0.50"
    assert interval(share) == "25.0 to 50.0 %"
    assert interval(replace(row, low=math.nan)) == ""


def test_games_with_errors_are_counted(agram: Subject) -> None:
    assert set(agram.broken.values()) == {0}
    assert errors(agram) == ""
    said = errors(replace(agram, broken={"RR": 1_200, "AR": 0, "AA": 3}))
    assert "1,200 of RR, 3 of AA" in said


def test_partners_always_share(agram: Subject) -> None:
    counts = agram.statistics["RR"]
    shared = {**agram.statistics, "RR": replace(counts, tied=counts.games)}
    assert "partners" in summary(replace(agram, statistics=shared), "x")[1]
    assert "partners" not in "".join(summary(agram, "x"))


def test_equal_slugs_are_numbered() -> None:
    titles = [Title("a", "same", "a", 2), Title("b", "same", "b", 2), Title("c", "c", "c", 2)]
    assert [one.slug for one in names_once(titles)] == ["same", "same-2", "c"]


def test_a_comparison_is_with_the_first(agram: Subject, leduc: Subject) -> None:
    made = Comparison.of([agram, leduc, agram])
    cells = made.cells(NAMED["decisions"])
    assert [cell.difference is None for cell in cells] == [True, False, False]
    length = leduc.statistics["RR"].mean_length
    assert cells[1].difference is not None
    assert cells[1].difference.value == pytest.approx(length - 18)
    assert cells[1].clear
    assert cells[2].difference is not None
    assert cells[2].difference.value == 0
    assert not cells[2].clear
    said = list(made.sentences([NAMED["decisions"]]))
    assert said[0].endswith("lower decisions.")
    assert said[1].endswith("no clear difference in these measures.")
    everything = next(made.sentences(NAMED.values()))
    assert everything.endswith(": lower convergence, decisions, forced.")
    with pytest.raises(AnalysisError, match="two games"):
        Comparison.of([agram])


def test_sentences_allow_for_how_many_measures_there_are(
    agram: Subject, leduc: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The more there are, the more of them would seem to differ by chance."""
    levels: list[float] = []
    monkeypatch.setattr(
        comparison, "compared", lambda *given: levels.append(given[2]) or compared(*given)
    )
    made = Comparison(subjects=[agram, leduc], differences=[compared(agram.tallies, leduc.tallies)])
    for keys in (("score",), ("score", "decisions", "branching", "ties")):
        list(made.sentences([NAMED[key] for key in keys]))
    assert levels == [pytest.approx(0.95), pytest.approx(0.9875)]


def test_numbers_are_json_and_csv_without_nan(agram: Subject, leduc: Subject) -> None:
    both = [agram, leduc]
    data = numbers(both, Comparison.of(both))
    text = json.dumps(data, allow_nan=False)
    assert json.loads(text)["games"][0]["players"] == 3
    assert data["differences"][0]["second"] == "leduc"
    rows = list(csv.DictReader(io.StringIO(csv_text(both))))
    assert len(rows) == len(agram.rows) + len(leduc.rows)
    (order,) = [
        row
        for row in rows
        if (row["game"], row["family"], row["name"]) == ("leduc", "articles", "order")
    ]
    here = leduc.result("order")
    assert here is not None
    assert float(order["value"]) == here.value
    assert "nan" not in csv_text(both)


def test_pictures_that_cannot_be_drawn_have_a_reason(alone: Subject, tmp_path: Path) -> None:
    one, left, made = StudiedGame.of("blackjack"), {}, []
    for kind in (one for one in FIGURES if not one.of_several and not one.is_diagram):
        try:
            made.append(drawn(kind, one, alone, tmp_path, style="cardwright", seed=4).name)
        except AnalysisError as error:
            left[kind.name] = str(error)
    assert left["ranks"] == "a single seat is compared with no other"
    assert left["lead_history"] == "a single seat leads nobody"
    assert {"branching", "scores", "length"} <= set(made)


def test_panels_have_an_interval_for_each_game(agram: Subject, leduc: Subject) -> None:
    figure = measures([agram, leduc], SIX)
    visible = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_title(loc="left") for axes in visible] == [one.label for one in SIX]
    with pytest.raises(AnalysisError, match="none of these"):
        measures([agram], [])


SVG = """<?xml version="1.0"?><!DOCTYPE svg><svg xmlns:xlink="http://www.w3.org/1999/xlink"
 width="72pt" height="36pt" viewBox="0 0 72 36" xmlns="http://www.w3.org/2000/svg"><metadata>x
</metadata><!-- c --><defs><path id="m" d="M 0 0"/><clipPath id="c"><rect/></clipPath></defs>
<use xlink:href="#m" clip-path="url(#c)"/></svg>"""


def test_inlined_pictures_keep_apart_and_stay_whole() -> None:
    text = inlined(SVG, "one", 'a "label"')
    tree = ET.fromstring(text)
    ids = {node.get("id") for node in tree.iter() if node.get("id")}
    assert ids == {"one-m", "one-c"}
    (use,) = tree.iter("{http://www.w3.org/2000/svg}use")
    assert use.get("{http://www.w3.org/1999/xlink}href") == "#one-m"
    assert use.get("clip-path") == "url(#one-c)"
    assert tree.get("aria-label") == 'a "label"'
    assert "max-width:96px" in str(tree.get("style"))
    assert "metadata" not in text
    assert "<!--" not in text


class Reader(HTMLParser):
    """Gathers what a page has: identifiers, links, and what it would load."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids += [str(given["id"])] if given.get("id") else []
        self.links += [str(given["href"])] if tag == "a" else []
        self.loaded += [str(given[key]) for key in ("src",) if key in given]
        if tag == "link":
            self.loaded.append(str(given["href"]))
        self.open.append(tag)


def test_the_page_stands_alone_and_is_escaped(agram: Subject, leduc: Subject) -> None:
    drawing = Drawing("Branching", "Caption.", inlined(SVG, "one", "label"), ("figures/one.svg",))
    chapters = [Chapter(agram, [drawing], []), Chapter(leduc, [], [], [("Ranks", "<none>")])]
    page = Page("two", PLAYER, 4, chapters, Comparison.of([agram, leduc]), left_out=[("x", "<y>")])
    text = page.text()
    reader = Reader()
    reader.feed(text)
    assert "&lt;b&gt;agram&lt;/b&gt;" in text
    assert "<b>agram" not in text
    assert "&lt;none&gt;" in text
    assert "&lt;y&gt;" in text
    assert reader.loaded == ["data:,"]
    assert "script" not in reader.open
    assert not re.search(r"https?://(?!www\.w3\.org)", text)
    assert len(set(reader.ids)) == len(reader.ids)
    inner = {one[1:] for one in reader.links if one.startswith("#")}
    assert inner <= set(reader.ids)
    assert {"game-agram", "game-leduc", "def-order"} <= inner
    assert page.text() == text


def test_statistics_of_a_subject_are_those_of_its_parts(agram: Subject) -> None:
    again = statistics(iter([agram.samples["RR"]]))  # 30 games are all in the sample
    assert again.record() == agram.statistics["RR"].record()
