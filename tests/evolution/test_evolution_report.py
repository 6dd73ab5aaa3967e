"""The report on a search: its words, its page, its tables, and the games that it writes."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from searched import AIMS, EDITS, account_of, estimated, text_of

from cardwright.evolution.aim import Aim
from cardwright.evolution.candidate import Candidate, Evaluated
from cardwright.evolution.methods.method import EliteMap, Judged, MapShape
from cardwright.evolution.report.account import (
    AimSide,
    compared,
    numbered,
    stem_of,
)
from cardwright.evolution.report.figures import evolution_pictures
from cardwright.evolution.report.files import (
    PAGE,
    elites_text,
    evolved_files,
    points_text,
    write_account,
)
from cardwright.evolution.report.page import losses, page
from cardwright.evolution.report.served_page import script_hash
from cardwright.evolution.report.tables import map_tables
from cardwright.evolution.report.words import asked, caveats, headline, verdict
from cardwright.interfaces.cli.group import commands
from cardwright.publication.figures import FigureFiles
from cardwright.statistics.intervals import Estimate
from commands import leave_pictures_empty

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = '<img src=x onerror="alert(1)">&amp;</script><b>'
EMPTY = frozenset({"meta", "link", "input", "br", "img"})


@pytest.fixture
def _empty_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no pictures drawn where it is the other files that are looked at."""
    leave_pictures_empty(monkeypatch)


class _Reader(HTMLParser):
    """Reads a page: its elements as they are nested, its identifiers, and where links lead."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        given = dict(attrs)
        self.ids += [one for one in [given.get("id")] if one]
        self.links += [one for one in [given.get("href"), given.get("src")] if one]
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_headline_says_what_was_found_and_by_how_much() -> None:
    """The best game is named with the measures in which it is clearly better."""
    account = account_of()
    assert headline(account) == (
        "agram-01 is Agram with length 9.9 instead of 18.0 and fairness 0.945 instead of 0.800: "
        "the best of 600 candidates."
    )
    assert asked(account) == (
        "Wanted: games near Agram with length from 8 to 10 and fairness as high as can be."
    )


def test_the_headline_claims_nothing_that_is_not_clear() -> None:
    """Where intervals overlap nobody is better, however much the search thought of it."""
    account = account_of()
    first = account.elites[0]
    same = replace(first, held_out=account.original.held_out)
    modest = replace(account, elites=(same, *account.elites[1:]))
    assert headline(modest) == "No game clearly better than Agram was found among 600 candidates."
    assert headline(replace(account, elites=())) == (
        "No other game was found near Agram, of 600 candidates."
    )
    only_searched = tuple(replace(one, held_out={}) for one in account.elites)
    assert headline(replace(account, elites=only_searched)).startswith(
        "Of 600 candidates near Agram, no game was measured again and passed"
    )
    unmeasured = replace(account, original=replace(account.original, searched={}, held_out={}))
    assert "instead" not in headline(unmeasured)
    assert "not measured" in verdict(unmeasured, ())


def test_what_is_worse_is_told_as_well() -> None:
    """A gain that costs another aim says so in the same sentence."""
    account = account_of()
    worse = {**account.elites[0].held_out, "fairness": estimated(0.5, 0.02)}
    best = replace(account.elites[0], held_out=worse)
    told = headline(replace(account, elites=(best,)))
    assert "with length 9.9 instead of 18.0, but fairness 0.500 instead of 0.800" in told


@pytest.mark.parametrize(
    ("kind", "before", "after", "side"),
    [
        ("max", (0, 1), (2, 3), AimSide.BETTER),
        ("max", (0, 2), (1, 3), AimSide.UNCLEAR),
        ("min", (0, 1), (2, 3), AimSide.WORSE),
        ("range", (0, 1), (9, 11), AimSide.BETTER),
        ("range", (0, 20), (9, 11), AimSide.UNCLEAR),
        ("range", (9, 11), (0, 20), AimSide.UNCLEAR),
        ("range", (9, 11), (20, 21), AimSide.WORSE),
    ],
)
def test_one_is_better_only_if_its_worst_is_better_than_the_others_best(
    kind: str, before: tuple[int, int], after: tuple[int, int], side: AimSide
) -> None:
    """An interval around the range that is wanted may have its best value inside."""
    aim = Aim("length", kind, 8, 12)  # type: ignore[arg-type]
    one, other = (Estimate(sum(ends) / 2, *ends, 10) for ends in (before, after))
    assert compared(aim, one, other) is side


def test_the_page_stands_alone_and_is_whole() -> None:
    """Elements close, identifiers are unique, links lead somewhere, nothing is from elsewhere."""
    for mapped in (0, 3):
        account = account_of(mapped=mapped)
        read = _Reader(page(account))
        assert not read.open
        assert len(read.ids) == len(set(read.ids))
        games = {f"evolved/{name}" for name in evolved_files(account)}
        files = {"elites.csv", "points.csv", *games}
        for link in read.links:
            inside = link.startswith("#") and link[1:] in read.ids
            assert inside or link in files or link == "data:,", link


def test_the_policy_of_the_page_names_its_one_script() -> None:
    """No other script could run, should a text of a game ever stand there as markup."""
    text = page(account_of())
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert script_hash() == f"sha256-{digest}"
    assert f"script-src 'sha256-{digest}'" in text
    assert "onclick" not in text


def test_hostile_texts_stay_texts() -> None:
    """Titles, comments of rules, sentences and commands are never markup."""
    account = account_of()
    comment = f";; {HOSTILE}\n"
    elites = tuple(
        replace(
            one,
            candidate=Candidate(comment + one.candidate.text),
            told=(HOSTILE,),
            left_again=HOSTILE,
        )
        for one in account.elites
    )
    hostile = replace(account, title=HOSTILE, command=HOSTILE, elites=elites)
    text = page(hostile)
    assert "<img" not in text
    assert text.count("</script>") == 1
    assert _Reader(text).attributes.isdisjoint({"onerror"})
    for name, content in evolved_files(hostile).items():
        if name.endswith(".rcy"):
            assert content.startswith(";; ")


def test_names_of_files_are_plain() -> None:
    """Whatever the path of the original is, names have small letters, digits and hyphens."""
    assert stem_of("my games/Hearts & Co.rcy") == "hearts-co"
    assert stem_of("/") == "game"
    assert numbered("hearts", 3, 40) == "hearts-03"
    assert numbered("hearts", 3, 400) == "hearts-003"


@pytest.mark.usefixtures("_empty_pictures")
def test_line_breaks_end_no_comment_of_the_rules(tmp_path: Path) -> None:
    """A title with a line break cannot put rules into the file."""
    account = replace(account_of(), title="A\n(game)\r\u2028(game)")
    write_account(account, tmp_path)
    result = CliRunner().invoke(commands, ["check", str(tmp_path / "evolved" / "agram-01.rcy")])
    assert result.exit_code == 0, result.output


@pytest.mark.usefixtures("_empty_pictures")
def test_a_new_report_removes_the_games_of_the_old_one_alone(tmp_path: Path) -> None:
    """Files of others in the folder are left as they are."""
    account = account_of()
    write_account(account, tmp_path)
    mine = tmp_path / "evolved" / "agram-mine.rcy"
    mine.write_text("mine")
    write_account(replace(account, elites=account.elites[:1]), tmp_path)
    names = {file.name for file in (tmp_path / "evolved").iterdir()}
    assert names == {"agram-01.rcy", "agram-01.toml", "agram-mine.rcy"}
    assert "agram-04" not in (tmp_path / PAGE).read_text()


@pytest.mark.parametrize(
    ("game", "edit"),
    [
        ("agram", EDITS[0]),
        pytest.param("kuhn", ("(declare", "(declare"), marks=pytest.mark.deep),
        pytest.param("crazyeights", ("'PLAYERS", "'PLAYERS"), marks=pytest.mark.deep),
        ("schwimmen", ("(game", "(game")),
    ],
)
@pytest.mark.usefixtures("_empty_pictures")
def test_found_games_pass_the_check_and_the_formatter(
    game: str, edit: tuple[str, str], tmp_path: Path
) -> None:
    """Neither the rules nor the facts beside them give a message."""
    written = write_account(account_of(game, ((edit,),), title=game), tmp_path)
    rules = [str(file) for file in written if file.suffix == ".rcy"]
    result = CliRunner().invoke(commands, ["check", *rules])
    assert result.exit_code == 0, result.output
    assert "error" not in result.output
    assert CliRunner().invoke(commands, ["format", "--check", *rules]).exit_code == 0


@pytest.mark.usefixtures("_empty_pictures")
def test_words_for_names_that_are_gone_are_left_out(tmp_path: Path) -> None:
    """`check` would report them; those that still apply stay."""
    renamed = tuple(("DISCARD", "GONE") for _ in range(text_of("agram").count("DISCARD")))
    account = account_of("agram", (renamed,))
    facts = evolved_files(account)["agram-01.toml"]
    assert "DISCARD" not in facts.partition("[declared]")[2]
    assert '"SCORE 1" = "take the last trick"' in facts
    write_account(account, tmp_path)
    result = CliRunner().invoke(commands, ["check", str(tmp_path / "evolved" / "agram-01.toml")])
    assert result.exit_code == 0, result.output


@pytest.mark.slow
@pytest.mark.usefixtures("_empty_pictures")
def test_values_beyond_those_of_the_original_are_not_declared_wrong(tmp_path: Path) -> None:
    """A constant with a new value keeps its meaning, without the values it could have."""
    account = account_of("sevens", ((("(declare 1 'CARDCOST)", "(declare 1013 'CARDCOST)"),),))
    facts = evolved_files(account)["sevens-01.toml"]
    assert 'CARDCOST = "Points for each card left in hand"' in facts
    assert 'PASSCOST = { about = "Points for each turn passed", values = "0..100" }' in facts
    assert "presets" not in facts
    write_account(account, tmp_path)
    result = CliRunner().invoke(commands, ["check", str(tmp_path / "evolved" / "sevens-01.rcy")])
    assert result.exit_code == 0, result.output


def test_the_rules_of_the_original_are_marked_as_such() -> None:
    """Who reads them at the table is told first what is different."""
    facts = evolved_files(account_of())["agram-01.toml"]
    rules = facts.partition('rules = """')[2]
    assert rules.startswith("\nWhat is different: Line 4:")
    assert rules.index("The original: What follows") < rules.index("Aim: Win the sixth")


def test_the_tables_have_every_game_and_every_point() -> None:
    """The numbers are those of the account, unrounded."""
    account = account_of()
    rows = list(csv.DictReader(io.StringIO(elites_text(account))))
    assert [row["name"] for row in rows] == ["agram", *(one.name for one in account.elites)]
    best = account.elites[0]
    assert float(rows[1]["length_low"]) == best.searched["length"].low
    assert float(rows[1]["length_again_high"]) == best.held_out["length"].high
    points = list(csv.DictReader(io.StringIO(points_text(account))))
    assert [float(row["fairness"]) for row in points] == [
        one.mean("fairness") for one in account.points
    ]


def test_the_map_has_each_elite_in_its_cell_and_the_original_in_its_own() -> None:
    """Rows run from the highest bin to the lowest; a third measure gives a table a bin."""
    account = account_of(mapped=2)
    (table,) = map_tables(account)
    shown = account.map
    assert shown is not None
    for place, name in shown.names.items():
        _, cells = table.rows[len(table.rows) - 1 - place[1]]
        elite = cells[place[0]].elite
        assert elite is not None
        assert elite.candidate.name == name
    assert sum(cell.original for _, row in table.rows for cell in row) == 1
    deep = account_of(mapped=3)
    assert deep.map is not None
    assert len(map_tables(deep)) == len({place[2] for place in deep.map.names})
    assert not map_tables(replace(account, map=EliteMap(shown.shape, {})))


def test_what_lies_beyond_the_map_is_in_its_outermost_cells() -> None:
    """So the original has a place even where the map does not reach it."""
    shown = MapShape(("length",), ((10.0, 20.0, 30.0),))
    assert [shown.place({"length": estimated(v, 1)}) for v in (-5, 10, 20, 99)] == [
        (0,), (0,), (1,), (1,),
    ]  # fmt: skip
    assert shown.place({}) is None


def test_candidates_that_left_and_those_measured_are_all() -> None:
    """Each step begins with those whom the steps before have let pass."""
    account = account_of()
    steps = losses(account)
    assert [step.came for step in steps] == [600, 600, 570, 480, 300, 300]
    assert sum(one.count for step in steps for one in step.reasons) == 300


@pytest.mark.usefixtures("_empty_pictures")
def test_figures_leave_out_what_was_not_measured() -> None:
    """Scores without a value, and an original without measures, are no points of a figure."""
    account = account_of()
    lost = Judged(Evaluated(Candidate("(game)")), (float("-inf"),))
    odd = replace(
        account,
        points=(lost, *account.points),
        original=replace(account.original, total=float("-inf"), searched={}),
    )
    wanted = FigureFiles(("svg",))
    pictures = {one.name: one for one in evolution_pictures(odd, wanted)}
    for name in ("front", "progress"):
        points = pictures[name].files[f"{name}.csv"].decode()
        assert "nan" not in points
        assert "inf" not in points
        assert "Agram" not in points
    lone = evolution_pictures(replace(account, aims=AIMS[:1], points=(lost,)), wanted)
    assert [one.name for one in lone] == ["measures"]
    text = page(odd, pictures.values())
    assert not _Reader(text).open
    assert text.count('<figure class="drawing wide">') == 2


def test_the_page_says_whether_games_were_measured_again() -> None:
    """What was picked for its luck is told as such."""
    account = account_of()
    bare = replace(account, elites=tuple(replace(one, held_out={}) for one in account.elites))
    assert caveats(account) != caveats(bare)
    assert "were not measured again" in page(bare)
    assert "Measured in new games" not in page(bare)
    left = replace(account.elites[0], held_out={}, left_again="a game does not end")
    assert "it left: a game does not end" in page(replace(account, elites=(left,)))


def test_flows_are_drawn_where_cards_move_otherwise() -> None:
    """A fourth player has a hand of its own; fewer cards move along the same ways."""
    text = page(account_of())
    first, second, *_ = re.split(r'<article class="elite"', text)[1:]
    assert "Cards move between the same places" in first
    assert "How cards move, beside" in second


def test_a_search_that_found_nothing_has_a_page() -> None:
    """It says so, and where candidates were lost."""
    account = replace(account_of(points=20), elites=(), points=(), departures={})
    text = page(account)
    assert not _Reader(text).open
    assert "No other game was found near Agram" in text
