"""Seasons of the league on the server: their list, and pages that follow the play."""

from __future__ import annotations

import asyncio
import json
import shutil

import pytest
from in_process import in_process

from cardwright.game.errors import CardwrightError
from cardwright.league.run import play_season
from cardwright.web import seasons as served
from cardwright.web.season_building import built
from cardwright.web.season_routes import PAGES_POLICY
from cardwright.web.seasons import LeagueSeasons, UnservedSeasonError
from cardwright.web.worker_process import WorkerProcess
from league.season_folders import make_season

SEED = 987654321987654321


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A season of two blocks, of ten games each, that was played to its end."""
    folder = tmp_path_factory.mktemp("whole") / "autumn"
    builtins = ("builtin:first", *("builtin:random",) * 3)
    make_season(folder, bots={}, builtins=builtins, games=20)
    play_season(folder, seed=SEED, name="Autumn <Cup>")
    return folder


def _begun(whole, place):
    """Make a copy of the season as it was after its first block."""
    folder = shutil.copytree(whole, place / "autumn")
    file = folder / "Records" / "manifest.json"
    data = json.loads(file.read_text())
    file.write_text(json.dumps(data | {"complete": False, "digests": {}, "ended": ""}))
    (folder / "Records" / "blocks" / "000001.npz").unlink()
    return folder


def _ended(whole, folder):
    shutil.copytree(whole / "Records", folder / "Records", dirs_exist_ok=True)


@pytest.fixture
def _in_this_process(monkeypatch):
    async def ask(self, request, *seconds):
        try:
            return built(request)
        except CardwrightError as error:
            return {"error": {"code": "rules", "message": str(error)}}

    monkeypatch.setattr(WorkerProcess, "ask", ask)
    monkeypatch.setattr(served, "_REST", 0.0)
    monkeypatch.setattr(served, "_SHARE", 0)


@pytest.mark.slow
@pytest.mark.usefixtures("_in_this_process")
def test_pages_follow_the_season(whole, tmp_path):
    """Pages have the games so far and not the seed; when the season is over they have both."""
    folder = _begun(whole, tmp_path)
    with in_process(seasons=tmp_path) as client:
        page = client.get("/seasons/autumn/")
        assert "10 of 20 games were played so far" in page.text
        assert "live.js" in page.text
        assert "Autumn &lt;Cup&gt;" in page.text
        assert client.get("/seasons/autumn/live.js").status_code == 200
        listed = client.get("/api/seasons").json()
        told = client.get("/api/seasons/autumn").json()
        assert listed == {"seasons": [told], "served": True}
        counts = ("games", "played", "shown", "complete", "over")
        assert [told[one] for one in counts] == [20, 10, 10, False, False]
        assert told["leaders"][0]["place"] <= told["leaders"][1]["place"]
        for file in (tmp_path, *_site_files(client)):
            if file.is_file():
                assert str(SEED) not in file.read_text(errors="replace"), file
        assert str(SEED) not in json.dumps(listed)
        _ended(whole, folder)
        client.get("/api/seasons/autumn")
        client.run(asyncio.sleep(0.05))
        told = client.get("/api/seasons/autumn").json()
        assert [told[one] for one in counts] == [20, 20, 20, True, True]
        page = client.get("/seasons/autumn/index.html")
        assert "were played so far" not in page.text
        assert str(SEED) in page.text


def _site_files(client):
    return sorted(client.site.seasons._pages["autumn"].folder.rglob("*"))


@pytest.mark.usefixtures("_in_this_process")
@pytest.mark.parametrize(
    "path", ["autumn/no.html", "autumn/../../etc/passwd", "autumn/%2e%2e/secret", "winter/", "%00/"]
)
def test_nothing_else_is_served(whole, tmp_path, path):
    """Only files of a season's pages are served, whatever the address."""
    _begun(whole, tmp_path)
    (tmp_path / "secret").write_text("secret")
    with in_process(seasons=tmp_path) as client:
        answer = client.get(f"/seasons/{path}")
        assert answer.status_code == 404
        assert "secret" not in answer.text


@pytest.mark.usefixtures("_in_this_process")
def test_styles_in_attributes_are_allowed_on_these_pages_only(whole, tmp_path):
    """Pages of seasons may have styles in attributes, but no scripts that are not files."""
    _begun(whole, tmp_path)
    with in_process(seasons=tmp_path) as client:
        policy = client.get("/seasons/autumn/").headers["content-security-policy"]
        assert policy == PAGES_POLICY
        assert "script-src 'self';" in policy
        assert "unsafe" not in client.get("/seasons").headers["content-security-policy"]
        assert client.get("/seasons/autumn").headers["location"] == "/seasons/autumn/"


@pytest.mark.usefixtures("_in_this_process")
def test_a_season_without_games_says_so(whole, tmp_path):
    """Before the first games there are no pages; damaged records are told in the list."""
    folder = _begun(whole, tmp_path)
    (folder / "Records" / "blocks" / "000000.npz").unlink()
    with in_process(seasons=tmp_path) as client:
        answer = client.get("/seasons/autumn/")
        assert answer.status_code == 404
        assert "no game of the season" in answer.text
        (folder / "Records" / "manifest.json").write_text("{}")
        assert client.get("/api/seasons").json()["seasons"][0]["problem"]
        assert client.get("/seasons/autumn/").status_code == 422


def test_a_server_without_seasons_says_how_to_have_them():
    """Without a folder the list is empty, and a season says what to do."""
    with in_process() as client:
        assert client.get("/api/seasons").json() == {"seasons": [], "served": False}
        error = client.get("/api/seasons/autumn").json()["error"]
        assert error["code"] == "no-such-season"
        assert "--seasons FOLDER" in error["message"]
        assert client.get("/seasons").status_code == 200


def test_seasons_are_found_by_their_folders(whole, tmp_path):
    """A folder of seasons, or a season itself; other names than plain ones are left out."""
    assert LeagueSeasons(whole).names() == ["autumn"]
    strange = tmp_path / "with space"
    shutil.copytree(whole, strange)
    assert LeagueSeasons(strange).names() == ["season"]
    assert LeagueSeasons(tmp_path).names() == []
    assert LeagueSeasons(tmp_path / "none").names() == []
    with pytest.raises(UnservedSeasonError, match="did you mean autumn"):
        LeagueSeasons(whole).folder("autum")


@pytest.mark.usefixtures("_in_this_process")
@pytest.mark.parametrize("path", ["../secret", "data/../../secret", "/etc/passwd", "linked"])
def test_paths_do_not_lead_out_of_the_pages(whole, tmp_path, path):
    """A path that leads out of a season's pages, by dots, a root or a link, is none of them."""
    _begun(whole, tmp_path)

    async def ask():
        seasons = LeagueSeasons(tmp_path)
        try:
            root = (await seasons.page("autumn", "")).parent
            (root.parent / "secret").write_text("secret")
            (root / "linked").symlink_to(root.parent / "secret")
            with pytest.raises(UnservedSeasonError, match="no such page"):
                await seasons.page("autumn", path)
        finally:
            await seasons.close()

    asyncio.run(ask())
