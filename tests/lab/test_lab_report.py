from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from rich.console import Console
from simulated import GAME, MEASURED, RULE, SLOTS, outcomes, plan, slot

from cardwright.jobs.files import RecordsError
from cardwright.lab.contrast import cell_label, contrasts
from cardwright.lab.design import cells
from cardwright.lab.effects import effects
from cardwright.lab.factor import Factor, FactorKind, FactorLevel, LabError, LabPlayer
from cardwright.lab.plan import Design, Precision, Sequential
from cardwright.lab.report import report_text, show, write_report
from cardwright.lab.report.phrases import NumberFormat, chance, change
from cardwright.lab.report.tables import grids
from cardwright.lab.report.words import summary
from cardwright.lab.response import responses
from cardwright.publication.figures import FigureFiles
from cardwright.statistics.caveat import caveat
from commands import leave_pictures_empty

POINTS, WINS = MEASURED[0], MEASURED[2]
TRUTH = [(-2.35, -0.33, -0.65, -0.8, -1.05), (-3.2, -2.25, -0.9, -0.8, 0.0)]


@pytest.fixture(scope="module")
def large():
    made = plan(*map(slot, SLOTS), opponents=("random", "rule"), deals=300)
    return made, outcomes(made, TRUTH, noise=3.0)


@pytest.fixture(scope="module")
def middle():
    made = plan(*map(slot, SLOTS[:3]), opponents=("random", "rule"), deals=100)
    return made, outcomes(made, [row[:3] for row in TRUTH])


@pytest.fixture(scope="module")
def written(middle, tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    return folder, write_report(*middle, folder, FigureFiles(("svg",)))


@pytest.fixture(autouse=True)
def _empty_pictures(request, monkeypatch):
    """Have pictures drawn where it is they that are looked at."""
    if "written" not in request.fixturenames:
        leave_pictures_empty(monkeypatch)


def said(made, played, heading=None):
    """Return all sentences, or those below a heading."""
    sections = summary(made, effects(made, played))
    return " ".join(
        sentence
        for section in sections
        if heading in (None, section.heading)
        for sentence in section.sentences
    )


def test_files(middle, tmp_path):
    folder, files = tmp_path, write_report(*middle, tmp_path)
    assert files[0] == folder / "index.html"
    assert {file.name for file in files} == {
        *("index.html", "report.txt", "effects.csv", "cells.csv", "findings.json"),
        "tables.tex",
        *(
            f"{name}.{kind}"
            for name in (
                "headline",
                "effects-points",
                "effects-wins",
                "interactions",
                "deals",
                "pairs-1",
                "pairs-2",
                "cell-means",
            )
            for kind in ("svg", "png", "csv")
        ),
    }
    assert {file.name for file in folder.iterdir()} == {file.name for file in files}


def test_the_same_input_gives_the_same_bytes(middle, tmp_path):
    """Pictures, which are left empty here, are compared where figures are defined."""
    made, played = middle
    files = FigureFiles(("svg",))
    first = write_report(made, played, tmp_path / "first", files)
    other = replace(played, sums=tuple(sums.copy(order="F") for sums in played.sums))
    again = write_report(made, other, tmp_path / "made" / "here", files)
    for one, two in zip(first, again, strict=True):
        assert one.read_bytes() == two.read_bytes(), one.name


def test_figures_are_saved_as_is_wanted(middle, tmp_path):
    """As PDF alone, say, with the points beside each; the page has them in it as ever."""
    files = write_report(*middle, tmp_path, FigureFiles(("pdf",), caption=False, columns=1))
    names = {file.name for file in files}
    assert {"headline.pdf", "headline.csv"} <= names
    assert not {"headline.png", "headline.svg"} & names
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "<svg" in page
    assert 'href="headline.pdf"' in page
    assert (tmp_path / "headline.pdf").read_bytes().startswith(b"%PDF")


def test_files_hold_the_findings(middle, written):
    made, played = middle
    findings = effects(made, played)
    data = json.loads((written[0] / "findings.json").read_text(encoding="utf-8"))
    assert data == json.loads(json.dumps(findings.record()))
    rows = list(csv.DictReader(io.StringIO((written[0] / "effects.csv").read_text("utf-8"))))
    assert len(rows) == 2 * len(MEASURED) * (3 + 3 + 3 + 3)
    first = findings.effects[0]
    assert rows[0]["name"] == "pass"
    assert float(rows[0]["value"]) == pytest.approx(first.found.value, rel=1e-9)
    assert float(rows[0]["joint_high"]) == pytest.approx(first.found.joint_high, rel=1e-9)
    rows = list(csv.DictReader(io.StringIO((written[0] / "cells.csv").read_text("utf-8"))))
    assert len(rows) == 2 * len(MEASURED) * 8
    assert rows[0]["cell"] == "base"
    assert rows[0]["pass"] == "random"
    assert rows[0]["to_base"] == ""
    assert float(rows[0]["low"]) == pytest.approx(findings.means[0].estimate.low)
    assert float(rows[1]["to_base"]) == pytest.approx(findings.means[1].difference.value)


class Checker(HTMLParser):
    """Sees whether a page's elements are closed, and where its links lead."""

    VOID = frozenset({"meta", "link", "br", "path", "use", "rect", "image"})

    def __init__(self):
        super().__init__()
        self.open, self.links, self.ids = [], [], []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.links += [given[name] for name in ("href", "src", "xlink:href") if name in given]
        if "id" in given:
            self.ids.append(given["id"])
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag


def test_the_page_is_whole_and_needs_nothing_else(written):
    folder, files = written
    text = files[0].read_text(encoding="utf-8")
    checker = Checker()
    checker.feed(text)
    assert checker.open == []
    assert len(checker.ids) == len(set(checker.ids))
    for link in checker.links:
        if link.startswith("#"):
            assert link[1:] in checker.ids
        elif link != "data:,":
            assert (folder / link).is_file()
    assert "<script" not in text
    assert "@import" not in text
    assert text.count("<svg") == 8
    assert 'name = "simulated"' in text.replace("&#34;", '"')


def test_pictures_are_svg_without_a_date(written):
    for file in written[1]:
        if file.suffix == ".svg":
            assert ET.fromstring(file.read_text(encoding="utf-8")).tag.endswith("svg")
            assert "dc:date" not in file.read_text(encoding="utf-8")


def test_what_people_named_cannot_harm_a_page_or_a_terminal(tmp_path):
    evil = "<script>alert(1)</script> [bold] & $x^"
    factor = Factor(
        evil, FactorKind.SLOT, "pass", (FactorLevel("random", None), FactorLevel(evil, RULE))
    )
    made = replace(
        plan(factor, replace(slot("fourth"), name="$x^$"), opponents=(evil,), deals=40), name=evil
    )
    played = outcomes(made, [(-9, 0)])
    files = write_report(made, played, tmp_path)
    text = files[0].read_text(encoding="utf-8")
    assert "<script" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert "[bold]" in (tmp_path / "report.txt").read_text(encoding="utf-8")


def test_effects_are_told_in_words(large):
    text = said(*large, "Against random")
    number = effects(*large).effects[0].found
    assert (
        f"Passing by rule instead of at random saves {-number.value:.2f} points a game "
        f"(95 %: {-number.high:.2f} to {-number.low:.2f})." in text
    )
    assert text.index("Passing") < text.index("Playing fourth") < text.index("Playing second")
    assert "Holm’s adjustment for 5 effects" in text
    assert "No clear effect, which is not the same as none: fourth (" in said(
        *large, "Against rule"
    )


def test_costs_and_losses_have_their_words():
    made = plan(slot("pass"), deals=100)
    assert "costs 3" in said(made, outcomes(made, [(3,)], noise=0.5))
    played = outcomes(made, [(3,)], noise=0.5)
    high = responses(4, lowest_wins=False, hearts=True, match=True)[:-1]
    text = said(made, replace(played, responses=high))
    assert re.search(r"gains 3\.\d+ points a match", text)
    assert "Single games were played" not in text
    assert "Single games were played" in said(made, played)


def test_it_says_whether_opponents_matter(large):
    text = said(*large, "Does it depend on the opponents?")
    assert re.search(
        r"first: better by 0\.\d+ points against random, better by 2\.\d+ against rule", text
    )
    made = plan(slot("pass"), opponents=("one", "two"), deals=50)
    same = outcomes(made, [(-5,), (-5,)], noise=0.1)
    same = replace(same, sums=(same.sums[0], same.sums[0]))
    assert "No effect was shown to differ" in said(made, same)


def test_it_says_where_points_and_wins_disagree(large):
    made, played = large
    assert "agree on" in said(made, played, "Points and wins")
    assert "A win that k players share counts 1/k for each." in said(made, played)
    sums = played.sums[1].copy()
    sums[:, :, 2] = sums[:, [0] * 32, 2]  # in wins nothing makes a difference
    text = said(made, replace(played, sums=(played.sums[0], sums)), "Points and wins")
    assert "Clear in points but not in wins: pass against rule" in text
    sums[:, :, 2] = 24 - 24 * (played.sums[1][:, :, 0] < played.sums[1][:, [0], 0])
    text = said(made, replace(played, sums=(played.sums[0], sums)), "Points and wins")
    assert "They disagree on pass against rule" in text


def test_it_says_how_factors_overlap():
    made = plan(slot("pass"), slot("fourth"), deals=100)
    played = outcomes(made, [(-4, -2, lambda cell: 1.5 * all(cell))], noise=0.2)
    text = said(made, played, "Do the factors overlap?")
    assert re.search(
        r"the effect of pass is better by 4\.0\d with all others at the base, better by 3\.2\d "
        r"as a mean over all settings, better by 2\.[45]\d with all others changed too",
        text,
    )
    assert "1 of 1 interaction is clear; the largest: pass × fourth +0.7" in text


def test_it_says_what_common_deals_were_worth():
    made = plan(*map(slot, SLOTS[:3]), deals=100)
    played = outcomes(made, luck=8.0, noise=1.0)
    text = said(made, played, "How precise this is")
    assert re.search(r"With other deals in each cell, \d+\.\d to \d+\.\d times as many", text)
    assert "Less than 1" not in text
    # An effect that is another one in every deal, and the same in all cells.
    sums = played.sums[0].copy()
    sums[:, :, 0] += (np.arange(100)[:, None] % 2 * 400) * np.array(cells(made))[:, 0]
    text = said(made, replace(played, sums=(sums,)), "How precise this is")
    assert "Less than 1 means that an effect itself differs" in text
    assert "a fraction of the cells with more deals" in text


def test_designs_have_their_limits():
    made = plan(slot("pass"), slot("fourth"), design=Design.ONE)
    assert "whether factors overlap is not known" in said(made, outcomes(made))
    made = plan(*map(slot, SLOTS), design=Design.SCREEN)
    assert "A screen assumes" in said(made, outcomes(made))
    made = plan(*map(slot, SLOTS[:4]), generators=("D=ABC",))
    assert "cannot be told apart: pass × first (second × third)" in said(made, outcomes(made))
    made = plan(*map(slot, SLOTS), generators=("E=ABCD",))
    assert "aliased with those of more factors" in said(made, outcomes(made))


def test_rules_to_stop_by_are_told():
    made = plan(slot("pass"), deals=400, stop=Sequential("points", 0, 1, least=100, bound=90.0))
    played = outcomes(made, [(-2,)], noise=1.0)
    text = said(made, played)
    assert "Accepted is 1: pass." in text
    assert "overstates" in text
    assert "beyond 90: as the plan states" in text
    wins = replace(made, stop=Sequential("wins", 0, 1, least=100))
    assert "beyond 1: that follows from wins being from 0 to 1" in said(wins, played)
    assert "Sequential tests" in report_text(made, effects(made, played))
    made = replace(made, stop=Precision("points", 0.25))
    assert "known to ±0.25, 400 at most; it ended after 300" in said(made, played.before(300))


@pytest.mark.parametrize(
    ("design", "deals"),
    [(Design.ONE, 1), (Design.FACTORIAL, 1), (Design.FACTORIAL, 2), (Design.SCREEN, 2)],
)
def test_few_deals_make_a_report_too(design, deals, tmp_path):
    made = plan(slot("pass"), slot("fourth"), design=design, deals=deals, opponents=("a", "b"))
    write_report(made, outcomes(made), tmp_path)
    text = (tmp_path / "report.txt").read_text(encoding="utf-8")
    assert "nan" not in text.lower()
    if deals == 1:
        assert "A single deal has no interval" in text
        assert "In this one deal, without an interval: " in text


def test_no_difference_at_all_is_told(tmp_path):
    made = plan(slot("pass"), slot("fourth"))
    played = outcomes(made)
    played = replace(played, sums=(played.sums[0][:, [0] * 4],))
    write_report(made, played, tmp_path)
    text = said(made, played)
    assert "No difference at all, in any deal: pass and fourth." in text
    assert "Nothing varies" in text
    assert "2 main effects were the same in all deals, and so without an interval" in text


def test_what_never_varied_is_told_with_what_is_known_of_it(tmp_path):
    """One effect varies and one is the same in every deal: with bounds of points, and without."""
    made = plan(slot("pass"), slot("fourth"), deals=60)
    played = outcomes(made, [(-2, 0)])
    sums = played.sums[0].copy()
    sums[:, [1, 3], 0] = sums[:, [0, 2], 0] + 4  # playing fourth by rule costs a point, always
    played = replace(played, sums=(sums,))
    write_report(made, played, tmp_path)
    text = said(made, played)
    assert "The same in every deal, which does not show what it is in others: fourth +1" in text
    assert "The least certain main effect is known to ±" in text
    assert "1 main effect was the same in all deals, and so without an interval" in text
    bounded = (replace(POINTS, bounds=(-26.0, 104.0)), *MEASURED[1:])
    text = said(made, replace(played, responses=bounded))
    assert "1 main effect was the same in all deals: what is known of it rests on the" in text
    assert "on points being from −26 to 104." in text


@pytest.mark.parametrize(("deals", "words"), [(2, "43 %"), (60, "73 %")])
def test_few_deals_say_how_little_their_intervals_may_cover(deals, words):
    made = plan(slot("pass"), deals=deals)
    text = said(made, outcomes(made), "What was played")
    assert caveat(deals) in text
    assert words in text


def test_large_designs_are_cut_and_say_so():
    made = plan(*(slot(f"s{at}") for at in range(6)), deals=5)
    text = report_text(made, effects(made, outcomes(made)))
    assert "The best 40 of 64; the others are in cells.csv." in text


def test_a_terminal_shows_less_than_the_file(large):
    file = io.StringIO()
    findings = effects(*large)
    show(large[0], findings, Console(file=file, width=100))
    assert "Main effects on wins against rule" in file.getvalue()
    assert "The luck of the deal" not in file.getvalue()
    assert "The luck of the deal" in report_text(large[0], findings)


def test_tables_are_rectangles_with_clear_effects_marked(large):
    made = grids(large[0], effects(*large))
    for grid in made:
        assert {len(row) for row in grid.rows} == {len(grid.columns)}, grid.heading
    marked = {row[0]: at in made[1].marked for at, row in enumerate(made[1].rows)}
    assert marked == {"pass": True, "first": True, "second": True, "third": True, "fourth": False}


def test_folders_that_cannot_be_written(tmp_path):
    made = plan(slot("pass"), deals=2)
    small = made, outcomes(made)
    (tmp_path / "file").write_text("")
    with pytest.raises(LabError, match="cannot be made"):
        write_report(*small, tmp_path / "file" / "folder")
    (tmp_path / "folder" / "index.html").mkdir(parents=True)
    with pytest.raises(RecordsError, match=r"index\.html cannot be written"):
        write_report(*small, tmp_path / "folder")


def test_changes_in_words():
    yes, no = FactorLevel("yes", True), FactorLevel("no", False)
    factors = {
        "exchanging steps 1 and 2 of fourth": Factor("a", FactorKind.SWAP, "fourth:0", (no, yes)),
        "leaving steps 3 and 4 of pass in their order instead of exchanging them": Factor(
            "b", FactorKind.SWAP, "pass:2", (yes, no)
        ),
        "setting iterations to 100 instead of 10": Factor(
            "c",
            FactorKind.PARAMETER,
            "iterations",
            (FactorLevel("few", "10"), FactorLevel("many", "100")),
        ),
        "playing with PASS = 1 instead of 0": Factor(
            "d", FactorKind.OPTION, "PASS", (FactorLevel("off", "0"), FactorLevel("on", "1"))
        ),
        "playing as thinker instead of random": Factor(
            "e", FactorKind.PLAYER, "", (FactorLevel("random", LabPlayer("r", "random")),
                                   FactorLevel("thinker", LabPlayer("t", "ismcts")))
        ),
        "leading a trick at random instead of by rule": Factor(
            "f", FactorKind.SLOT, "first", (FactorLevel("rule", RULE), FactorLevel("chance", None))
        ),
    }  # fmt: skip
    made = plan(*factors.values(), design=Design.ONE)
    assert [change(made, one) for one in contrasts(made, cells(made))] == list(factors)


def test_labels_of_cells():
    two = tuple(map(slot, ("pass", "fourth", "first")))
    assert cell_label(two, (0, 0, 0)) == "base"
    assert cell_label(two, (1, 1, 1)) == "all"
    assert cell_label(two, (1, 0, 1)) == "pass + first"
    assert cell_label(two[:2], (1, 1)) == "pass + fourth"
    assert cell_label((slot("pass", 3), slot("first")), (2, 1)) == "pass: rule2 + first"


@pytest.mark.parametrize(
    ("margin", "decimals"), [(0.04, 2), (0.02, 2), (0.019, 3), (0.12, 2), (0.3, 1), (4, 0)]
)
def test_numbers_have_as_many_digits_as_their_intervals_bear(margin, decimals):
    assert NumberFormat.of(POINTS, [None, margin, 0.0]).decimals == decimals


def test_a_small_interval_beside_large_ones_keeps_its_digits():
    """What is known to within 0.012 is not written as 0.0 because others are known less well."""
    form = NumberFormat.of(POINTS, [3.0, 2.5, 0.012])
    assert (form.number(0.034), form.interval(0.022, 0.046)) == ("0.03", "0.02 to 0.05")


def test_numbers_as_texts():
    form = NumberFormat(POINTS, 2)
    assert form.signed(-0.004) == "0.00"
    assert form.signed(1234.5) == "+1,234.50"
    assert form.signed(-2.345) == "−2.35" or form.signed(-2.345) == "−2.34"
    assert form.interval(-1, 2) == "−1.00 to 2.00"
    assert form.interval(None, None) == "–"
    assert form.size(-2.5) == "2.50 points"
    assert NumberFormat(POINTS, 0).size(1) == "1 point"
    share = NumberFormat.of(WINS, [0.005])
    assert (share.plain(0.25), share.signed(-0.05)) == ("25.0 %", "−5.0")
    assert share.size(0.05) == "5.0 percentage points"
    assert [chance(p) for p in (None, 0.0004, 0.0314, 1.0)] == ["–", "< 0.001", "0.031", "1.000"]
    assert GAME.players == 4
