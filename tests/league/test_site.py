"""Sites of seasons: their files and pages, data for replays, and how they appear."""

from __future__ import annotations

import csv
import json
import re
import shutil
from base64 import b64decode
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from click.testing import CliRunner
from plain_league import score
from seasons import block_of, game
from site_browser import HOSTILE, NAMES, TOGETHER, plan_of, play

from cardwright.interfaces.cli.league_report import command
from cardwright.jobs.files import RecordsError
from cardwright.league.block import BlockError, BotFault
from cardwright.league.records import Season, read_season
from cardwright.league.site import build
from cardwright.league.site.build import DRAWN, SiteError, interval, percents, published, write_site
from cardwright.league.site.data import LISTED
from cardwright.league.site.ranking import mean_of, share_of
from cardwright.statistics.caveat import caveat

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GAMES = 12
VOID = {"meta", "link", "input", "br"}


class Page(HTMLParser):
    """A page as a browser takes it: its elements have to be closed in order."""

    def __init__(self, file: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(file.read_text(encoding="utf-8"))
        self.close()
        assert not self.open, (file, self.open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs), (tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, (tag, self.getpos())

    def handle_data(self, data: str) -> None:
        self.text += data

    def values(self, name: str) -> Iterator[str]:
        """Yield all values of an attribute."""
        for _, attributes in self.elements:
            value = attributes.get(name)
            if value is not None:
                yield value


def pages(site: Path) -> dict[str, Page]:
    return {file.name: Page(file) for file in sorted(site.glob("*.html"))}


def data(file: Path) -> dict[str, Any]:
    """Return what a script of data hands over."""
    text = file.read_text(encoding="ascii")
    found = re.fullmatch(r"cardwright\.(season|block)\((.*)\);\n", text, re.DOTALL)
    assert found is not None
    return json.loads(found[2])


def listed(site: Path) -> np.ndarray:
    return np.frombuffer(b64decode(data(site / "data" / "season.js")["games"]), LISTED)


FAULTS = (
    BotFault(3, 1, 2, 20, "late", "took 99 ms"),
    BotFault(3, 2, 1, -1, "raised", "no function </script>", forfeit=True),
    BotFault(9, 0, 1, 5, "index", "chose 9 of 3", counts=False),
)


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("seasons") / "season"
    write_site(play(folder, plan_of(NAMES, GAMES), FAULTS), folder / "Site")
    return folder


def test_pages_are_whole(season: Path) -> None:
    """Elements are closed, ids are unique, links lead to files and places that are there."""
    found = pages(season / "Site")
    assert set(found) == {"index.html", "games.html", "replay.html", "worth.html", *(
        f"bot-{number}.html" for number in range(1, 5)
    )}  # fmt: skip
    ids = {name: list(page.values("id")) for name, page in found.items()}
    for name, page in found.items():
        assert len(ids[name]) == len(set(ids[name]))
        assert sum(tag == "h1" for tag, _ in page.elements) == 1
        for link in (*page.values("href"), *page.values("src")):
            if link == "data:,":
                continue
            file, _, place = link.partition("#")
            assert (season / "Site" / (file or name)).is_file(), link
            if place and "=" not in place:
                assert place in ids[file or name], link
        for label in page.values("aria-labelledby"):
            assert label in ids[name]


def test_nothing_comes_from_elsewhere(season: Path) -> None:
    """No file names a server."""
    for file in (season / "Site").rglob("*"):
        if file.is_file():
            assert b"://" not in file.read_bytes(), file


def test_the_table_says_what_happened(season: Path) -> None:
    """Points a game of the table are the means of the totals in the list of games."""
    games, site = listed(season / "Site"), season / "Site"
    rows = [one for tag, one in Page(site / "index.html").elements if "data-points" in one]
    found = {row["data-name"]: float(row["data-points"] or "nan") for row in rows}
    for entry, name in enumerate(NAMES):
        mean = games["totals"][games["seats"] == entry].mean()
        assert found[name.lower()] == pytest.approx(mean)
    places = [float(row["data-place"] or "nan") for row in rows]
    assert places == sorted(places)


def test_equal_shares_of_places_have_colours_of_their_own(tmp_path: Path) -> None:
    """A bot that was first as often as second has a bar of both, half and half."""
    totals = [[sum(column) for column in zip(*map(score, game(n)), strict=True)] for n in (0, 1)]
    orders = [sorted(range(4), key=points.__getitem__) for points in totals]
    schedule = []
    for order, place in zip(orders, (0, 1), strict=True):
        others = iter((1, 2, 3))
        schedule.append([0 if seat == order[place] else next(others) for seat in range(4)])
    write_site(play(tmp_path, plan_of(NAMES, 2, schedule)), tmp_path / "Site")
    page = Page(tmp_path / "Site" / "bot-1.html")
    assert "A first place that several seats share counts as a share for each." in page.text
    bars = [one for tag, one in page.elements if tag == "span" and "flex-grow" in str(one)]
    assert [(one["class"], one["style"]) for one in bars] == [
        ("p1", "flex-grow:0.5000"), ("p2", "flex-grow:0.5000"),
    ]  # fmt: skip


@pytest.mark.parametrize("games", [1, 2, 5])
def test_a_season_of_few_games_is_shown_whole(tmp_path: Path, games: int) -> None:
    """What has no interval has a dash or an empty field, and the others say what they may miss."""
    site = tmp_path / "Site"
    write_site(play(tmp_path, plan_of(NAMES, games)), site)
    for name, page in pages(site).items():
        assert not re.search(r"\bnan\b|None to|to None|[(±–] *None", page.text), name
    row = csv_rows(site / "tables" / "standings.csv")[0]
    assert [row["points_low"] == "", row["first_low"] == ""] == [games == 1] * 2
    said = {name: " ".join(page.text.split()) for name, page in pages(site).items()}
    for name in ("index.html", "bot-1.html"):
        assert ("covered the truth" in said[name]) == (games > 1)
    if games > 1:
        assert caveat(games, "games") in said["index.html"]


def test_what_never_varied_has_a_dash_for_an_interval() -> None:
    """Ten games of 26 points each do not show how far from them others may be."""
    same = mean_of(np.bincount([26] * 10))
    assert (same.mean, same.low, same.high) == (26, None, None)
    assert interval(same) == "–"
    assert percents(share_of(np.bincount([12] * 10))) == "69.2–100.0\u202f%"


def test_replays_are_the_records(season: Path) -> None:
    """Bytes, rounds, seats and totals of all games are there, a file a block."""
    games = listed(season / "Site")
    schedule = plan_of(NAMES, GAMES).schedule
    assert games["game"].tolist() == list(range(GAMES))
    assert games["seats"].tolist() == schedule.tolist()
    files = sorted((season / "Site" / "data").glob("games-*.js"))
    assert [file.name for file in files] == [f"games-{number:06}.js" for number in range(3)]
    for number, file in enumerate(files):
        block = data(file)
        assert block["first"] == TOGETHER * number
        plays = np.frombuffer(b64decode(block["plays"]), np.uint8).reshape(-1, 64)
        for rounds in block["rounds"]:
            expected = game(block["first"])
            assert plays[:rounds].tolist() == [[s << 6 | c for s, c in one] for one in expected]
            plays, block["first"] = plays[rounds:], block["first"] + 1
    assert games["rounds"].tolist() == [len(game(number)) for number in range(GAMES)]


def test_faults_are_marked_and_linked(season: Path) -> None:
    """A fault is in the list, in the data, and on the page of its bot with a link to its move."""
    marks = listed(season / "Site")["marks"]
    assert {game: int(marks[game]) for game in np.flatnonzero(marks).tolist()} == {
        3: 0b0100_0110,
    }
    notes = listed(season / "Site")["notes"]
    assert {game: int(notes[game]) for game in np.flatnonzero(notes).tolist()} == {9: 0b0001}
    kept = data(season / "Site" / "data" / "games-000000.js")["faults"]
    assert kept == [
        [3, 1, 2, 20, "late", "took 99 ms", 1, 0],
        [3, 2, 1, -1, "raised", "no function </script>", 1, 1],
    ]
    seats = plan_of(NAMES, GAMES).schedule.tolist()
    page = Page(season / "Site" / f"bot-{seats[3][1] + 1}.html")
    assert "replay.html#game=4&round=2&step=11" in list(page.values("href"))
    assert "took 99 ms" in page.text
    page = Page(season / "Site" / f"bot-{seats[3][2] + 1}.html")
    assert "replay.html#game=4&round=1&step=0" in list(page.values("href"))
    assert "no function </script>" in page.text
    assert "1 game forfeited" in page.text


def test_hostile_names_are_texts(tmp_path: Path) -> None:
    """Whatever bots, authors and their messages are called, it is text on every page."""
    plan = plan_of(HOSTILE, 6, [[0, 1, 2, 3], [4, 5, 0, 1], [2, 3, 4, 5]] * 2)
    faults = [BotFault(0, seat, 1, 3, HOSTILE[1][:20], HOSTILE[seat]) for seat in range(4)]
    write_site(play(tmp_path, plan, faults), tmp_path / "Site")
    for name, page in pages(tmp_path / "Site").items():
        tags = {tag for tag, _ in page.elements}
        assert not tags & {"img", "b:broken", "iframe"}, name
        scripts = [one for tag, one in page.elements if tag == "script"]
        assert all(set(one) == {"src", "defer"} for one in scripts), name
        assert not any(key.startswith("on") for _, one in page.elements for key in one), name
    text = (tmp_path / "Site" / "index.html").read_text(encoding="utf-8")
    assert not {"\x00", "\x1b", "\u202e", "\u2066", "\u2028"} & set(text)
    assert "49" not in re.findall(r"&amp;amp;(.*?)\{%", text)
    assert "{{7*7}}" in Page(tmp_path / "Site" / "index.html").text
    for file in (tmp_path / "Site" / "data").iterdir():
        assert "<" not in file.read_text(encoding="ascii")
    bots = data(tmp_path / "Site" / "data" / "season.js")["bots"]
    assert bots[0] == [HOSTILE[0], f"by {HOSTILE[0]}"]


def test_replays_may_be_fewer(tmp_path: Path) -> None:
    """With a number of games only these are replayed; faults of others have no link."""
    season = play(tmp_path, plan_of(NAMES, GAMES), FAULTS)
    written = write_site(season, tmp_path / "Few", 7)
    assert (written.games, written.replays) == (GAMES, 7)
    assert listed(tmp_path / "Few")["game"].tolist() == list(range(7))
    block = data(tmp_path / "Few" / "data" / "games-000001.js")
    assert block["rounds"] == [len(game(5)), len(game(6))]
    assert len(b64decode(block["plays"])) == 64 * sum(block["rounds"])
    assert block["faults"] == []
    links = [link for page in pages(tmp_path / "Few").values() for link in page.values("href")]
    assert not [link for link in links if "game=10" in link]
    assert write_site(season, tmp_path / "None", 0).replays == 0
    assert not list((tmp_path / "None" / "data").glob("games-*"))
    assert "0 of 12 games" in Page(tmp_path / "None" / "games.html").text


def test_an_unfinished_season_is_shown_as_far_as_it_goes(tmp_path: Path) -> None:
    """Blocks that are there are counted, and the first page says that there are more to come."""
    season = play(tmp_path, plan_of(NAMES, GAMES), blocks=2)
    assert write_site(season, tmp_path / "Site").games == 2 * TOGETHER
    assert "10 of 12 games are counted" in Page(tmp_path / "Site" / "index.html").text


def test_a_season_without_games_has_no_site(tmp_path: Path) -> None:
    """There is nothing to show, and nothing is left behind."""
    season = play(tmp_path, plan_of(NAMES, GAMES), blocks=0)
    with pytest.raises(RecordsError, match="no game of the season"):
        write_site(season, tmp_path / "Site")
    assert [one.name for one in tmp_path.iterdir()] == ["Records"]


def test_more_bots_than_are_drawn(tmp_path: Path) -> None:
    """Charts and matrix have the first bots; a bot without games has a page that says so."""
    count = DRAWN + 4
    playing = count - 1
    games = [[(at + more) % playing for more in (0, 1, 2, 5)] for at in range(GAMES + 4)]
    plan = plan_of([f"bot {at}" for at in range(count)], len(games), games)
    write_site(play(tmp_path, plan), tmp_path / "Site")
    index = Page(tmp_path / "Site" / "index.html")
    assert sum("data-rank" in one for _, one in index.elements) == count
    assert sum(one.get("class") == "self" for _, one in index.elements) == DRAWN
    assert "not played any game" in Page(tmp_path / "Site" / f"bot-{count}.html").text


def test_the_same_records_give_the_same_site(season: Path, tmp_path: Path) -> None:
    """Byte for byte."""
    write_site(read_season(season), tmp_path / "Site")
    for file in (season / "Site").rglob("*"):
        if file.is_file():
            again = tmp_path / "Site" / file.relative_to(season / "Site")
            assert again.read_bytes() == file.read_bytes(), file


# Publishing -----------------------------------------------------------------------------------


def test_a_site_replaces_an_older_one(tmp_path: Path) -> None:
    """All of it, and nothing else is left in the folder above."""
    for text in ("old", "new"):
        with published(tmp_path / "deep" / "Site") as site:
            (site / f"{text}.html").write_text(text)
            if text == "new":
                assert (tmp_path / "deep" / "Site" / "old.html").read_text() == "old"
    assert [one.name for one in (tmp_path / "deep").iterdir()] == ["Site"]
    assert not (tmp_path / "deep" / "Site" / "old.html").exists()


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, BlockError])
def test_a_failure_leaves_the_older_site(tmp_path: Path, failure: type[BaseException]) -> None:
    """A site that could not be written does not appear, whatever the reason."""
    with published(tmp_path / "Site") as site:
        (site / "old.html").write_text("old")

    def fail() -> None:
        with published(tmp_path / "Site") as site:
            (site / "new.html").write_text("new")
            raise failure

    with pytest.raises(failure):
        fail()
    assert [one.name for one in tmp_path.iterdir()] == ["Site"]
    assert (tmp_path / "Site" / "old.html").exists()
    assert not (tmp_path / "Site" / "new.html").exists()


def test_other_folders_are_not_replaced(tmp_path: Path) -> None:
    """A folder with files of one's own, and a file, stay as they are; an empty folder is used."""
    own = tmp_path / "own"
    own.mkdir()
    (own / "thesis.txt").write_text("years of work")
    for place in (own, own / "thesis.txt"):
        with pytest.raises(SiteError, match="--out"), published(place):
            pytest.fail("it is not to be written")
    assert (own / "thesis.txt").read_text() == "years of work"
    (tmp_path / "empty").mkdir()
    with published(tmp_path / "empty") as site:
        (site / "index.html").write_text("")
    assert (tmp_path / "empty" / "index.html").exists()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """The error says which."""
    (tmp_path / "file").write_text("")
    with pytest.raises(SiteError, match="file"), published(tmp_path / "file" / "Site"):
        pytest.fail("it cannot be written")


# The command ----------------------------------------------------------------------------------


def test_the_command_writes_a_site(tmp_path: Path) -> None:
    """Into the season's folder, or another one; it says where and how much."""
    play(tmp_path, plan_of(NAMES, GAMES))
    done = CliRunner().invoke(command, [str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert "index.html: 12 games, 12 replays, " in done.output
    assert (tmp_path / "Site" / "index.html").is_file()
    done = CliRunner().invoke(
        command, [str(tmp_path), "--out", str(tmp_path / "x"), "--replays", "1"]
    )
    assert "12 games, 1 replay, " in done.output
    assert (tmp_path / "x" / "index.html").is_file()


def test_the_command_says_that_a_season_goes_on(tmp_path: Path) -> None:
    """How much of it was played."""
    play(tmp_path, plan_of(NAMES, GAMES), blocks=1)
    done = CliRunner().invoke(command, [str(tmp_path)])
    assert "The season is not finished: 5 of 12 games" in done.output


def test_the_command_refuses_what_is_no_season(tmp_path: Path) -> None:
    """With an error for people."""
    done = CliRunner().invoke(command, [str(tmp_path)])
    assert isinstance(done.exception, RecordsError)
    assert CliRunner().invoke(command, [str(tmp_path), "--games", "-1"]).exit_code == 2


def test_blocks_are_read_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No block is kept once the next one is there: memory does not grow with the season."""
    import gc
    import weakref

    season = play(tmp_path, plan_of(NAMES, GAMES))
    gc.freeze()  # what other tests have left need not be searched each time
    seen: list[weakref.ref[Any]] = []
    alive: list[int] = []
    take = build.SeasonPart.of

    def watched(block: Any, schedule: Any) -> Any:
        gc.collect()
        alive.append(sum(one() is not None for one in seen))
        seen.append(weakref.ref(block))
        return take(block, schedule)

    monkeypatch.setattr(build.SeasonPart, "of", staticmethod(watched))
    write_site(season, tmp_path / "Site")
    assert len(seen) == 3
    assert max(alive) <= 1


# What a season was, and what is worth seeing ----------------------------------------------------


def test_faults_are_counted_once(season: Path) -> None:
    """A bot is marked in as many games of the list as its row says; what is noted is no fault."""
    site, plan = season / "Site", plan_of(NAMES, GAMES)
    games = listed(site)
    rows = csv_rows(site / "tables" / "standings.csv")
    for entry, name in enumerate(NAMES):
        (row,) = (row for row in rows if row["bot"] == name)
        bits = (1 << np.arange(4)) * (plan.schedule == entry)
        own = bits.sum(axis=1).astype(np.uint8)
        marked = (games["marks"] & (own | own << 4)) != 0
        assert int(row["games_with_faults"]) == marked.sum()
        text = Page(site / f"bot-{entry + 1}.html").text
        mine = [one for one in FAULTS if plan.schedule[one.game, one.seat] == entry]
        assert int(row["faults"]) == sum(one.counts for one in mine)
        assert int(row["noted"]) == sum(not one.counts for one in mine)
        assert ("in 1 game" in text) == bool(marked.sum())
    index = Page(site / "index.html").text
    assert "1 noted" in index
    assert "1 forfeited" in index


def csv_rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


def test_tables_can_be_taken_along(season: Path) -> None:
    """They say what the pages say."""
    site = season / "Site"
    links = [one for one in Page(site / "index.html").values("href") if one.startswith("tables/")]
    assert sorted(links) == sorted(f"tables/{file.name}" for file in (site / "tables").iterdir())
    games, plays = csv_rows(site / "tables" / "games.csv"), listed(site)
    assert [int(row["points3"]) for row in games] == plays["totals"][:, 2].tolist()
    assert [row["bot2"] for row in games] == [NAMES[one] for one in plays["seats"][:, 1]]
    faults = csv_rows(site / "tables" / "faults.csv")
    assert [(row["game"], row["seat"], row["counts"]) for row in faults] == [
        ("4", "2", "1"), ("4", "3", "1"), ("10", "1", "0"),
    ]  # fmt: skip
    assert len(csv_rows(site / "tables" / "duels.csv")) == 12
    ranks = [row["rank"] for row in csv_rows(site / "tables" / "standings.csv")]
    assert ranks == ["1", "2", "3", "4"]


def test_the_site_says_when_and_by_what_the_season_was_played(season: Path, tmp_path: Path) -> None:
    """By the season's manifest; a bot's page has the digest of what was played under its name."""
    shutil.copytree(season / "Records", tmp_path / "Records")
    manifest = tmp_path / "Records" / "manifest.json"
    kept = json.loads(manifest.read_text())
    told = {"begun": "2025-03-01", "ended": "2025-03-02", "cardwright": "7.8.9"}
    manifest.write_text(json.dumps(kept | told))
    write_site(read_season(tmp_path), tmp_path / "Site")
    text = Page(tmp_path / "Site" / "index.html").text
    assert "Played 2025-03-01 to 2025-03-02 by Cardwright 7.8.9." in text
    for number, bot in enumerate(kept["plan"]["bots"], 1):
        page = Page(tmp_path / "Site" / f"bot-{number}.html")
        assert f"SHA-256 {bot['sha256'][:16]}" in page.text
        assert bot["sha256"] in list(page.values("title"))


def test_a_season_remembers_its_first_and_its_last_day(tmp_path: Path, monkeypatch) -> None:
    for day in ("2025-03-01", "2025-03-05"):
        monkeypatch.setattr("cardwright.league.records._today", lambda day=day: day)
        if day.endswith("1"):
            play(tmp_path, plan_of(NAMES, GAMES), blocks=1)
        else:
            with Season.of_plan(tmp_path, plan_of(NAMES, GAMES)).opened(resume=True) as records:
                for number in range(1, records.plan.blocks):
                    games = records.plan.block(number)
                    block = block_of([game(one) for one in games], games.start)
                    records.blocks.write({number: block})
                records.end({})
    played = read_season(tmp_path)
    assert (played.manifest.begun, played.manifest.ended) == ("2025-03-01", "2025-03-05")


def test_ranks_that_chance_may_have_made_say_so(season: Path) -> None:
    """Twelve games of bots that are alike settle nothing."""
    text = Page(season / "Site" / "index.html").text
    assert (
        "The first rank is not settled: going by these games, any of 4 bots may be the best" in text
    )
    assert text.count("1–4") == 4
    assert "these games allow 1 to 4" in Page(season / "Site" / "bot-2.html").text
    for row in csv_rows(season / "Site" / "tables" / "standings.csv"):
        assert (row["rank_low"], row["rank_high"]) == ("1", "4")
        assert 0 < float(row["rating_sd"]) < 9


def test_games_worth_seeing_are_found(season: Path) -> None:
    """The biggest losses and upsets are those of the list of games; links lead to replays."""
    games = listed(season / "Site")
    gaps = games["totals"].max(axis=1) - games["totals"].min(axis=1)
    page = Page(season / "Site" / "worth.html")
    assert f"lost by {gaps.max()} points" in page.text
    assert page.text.count("lost by") == GAMES
    moons = sum((np.array(score(one)).sum() > 26) for n in range(GAMES) for one in game(n))
    assert f"The moon was shot {moons} time" in page.text
    best = int(gaps.argmax()) + 1
    assert f"replay.html#game={best}&round=1" in list(page.values("href"))
