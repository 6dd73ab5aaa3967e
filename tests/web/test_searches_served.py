"""Reports on searches on the server: links to tables, and nothing but what belongs to a report."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from in_process import in_process
from pages import barriers, leave, open_page
from served import served

from browser import browser
from cardwright.evolution.report.files import write_account
from cardwright.evolution.report.served_page import script_hash, with_links
from cardwright.web.searches import UnservedSearchError, served_searches
from commands import leave_pictures_empty
from evolution.searched import account_of

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

__all__ = ["browser"]


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("found") / "agram search"
    with pytest.MonkeyPatch.context() as patch:
        leave_pictures_empty(patch)
        write_account(account_of(), folder)
    (folder / "records").mkdir()
    (folder / "records" / "manifest.json").write_text("{}")
    (folder / "secret.txt").write_text("mine")
    for name in ("mine.svg", "front.html"):
        (folder / "figures" / name).write_text("<script>mine()</script>")
    return folder


def test_the_page_leads_to_games_that_can_be_played(search: Path) -> None:
    """On the disk there is no such link; on the server each leads to the page of its game."""
    assert "/games/" not in (search / "index.html").read_text()
    with in_process(searches=(search,)) as client:
        led = client.get("/searches/search")
        assert led.headers["location"] == "/searches/search/"
        page = client.get("/searches/search/")
        assert page.status_code == 200
        assert f"script-src '{script_hash()}'" in page.headers["content-security-policy"]
        for number in range(1, 5):
            address = f"/games/agram-0{number}"
            assert f'<a href="{address}">Play in the browser</a>' in page.text
            assert client.get(address).status_code == 200
        listed = [one["name"] for one in client.get("/api/games").json()["games"]]
        assert {f"agram-0{number}" for number in range(1, 5)} <= set(listed)
        made = client.post("/api/tables", {"game": "agram-01"})
        assert made.status_code in {200, 201}, made.text


def test_reports_are_listed(search: Path) -> None:
    """Each by its name, with how many games it found."""
    with in_process(searches=(search,)) as client:
        listed = client.get("/api/searches").json()["searches"]
        assert listed == [{"link": "/searches/search/", "name": "search", "games": 4}]
        assert client.get(listed[0]["link"]).status_code == 200
    with in_process() as client:
        assert client.get("/api/searches").json() == {"searches": []}


def test_only_files_of_the_report_are_served(search: Path) -> None:
    """Records and whatever else lies there stay where they are."""
    with in_process(searches=(search,)) as client:
        rules = client.get("/searches/search/evolved/agram-01.rcy")
        assert rules.text == (search / "evolved" / "agram-01.rcy").read_text()
        assert rules.headers["content-type"].startswith("text/plain")
        assert client.get("/searches/search/elites.csv").status_code == 200
        figure = client.get("/searches/search/figures/front.svg")
        assert figure.headers["content-type"].startswith("image/svg+xml")
        assert "sandbox" in figure.headers["content-security-policy"]
        assert "script" not in figure.headers["content-security-policy"]
        points = client.get("/searches/search/figures/front.csv")
        assert points.headers["content-type"].startswith("text/csv")
        for path in (
            "records/manifest.json", "secret.txt", "evolved", "evolved/../secret.txt",
            "..%2fsecret.txt", "evolved%2f..%2fsecret.txt", "evolved/agram-99.rcy",
            "figures", "figures/mine.svg", "figures/front.html", "figures/../secret.txt",
        ):  # fmt: skip
            assert client.get(f"/searches/search/{path}").status_code == 404, path
        assert client.get("/searches/other/").status_code == 404


def test_a_report_that_is_gone_is_told(search: Path, tmp_path: Path) -> None:
    """The server goes on without it."""
    shutil.copytree(search, tmp_path, dirs_exist_ok=True)
    with in_process(searches=(tmp_path,)) as client:
        (tmp_path / "index.html").unlink()
        name = client.site.searches[0].name
        assert client.get(f"/searches/{name}/").json()["error"]["code"] == "no-such-page"


def test_other_folders_are_refused_and_names_differ(search: Path, tmp_path: Path) -> None:
    """Whoever names a folder that `evolve` has not written is told so."""
    with pytest.raises(UnservedSearchError, match="is not a report on a search"):
        served_searches([tmp_path])
    assert [one.name for one in served_searches([search, search])] == ["search", "search-2"]


def test_marks_of_unknown_games_are_taken_out() -> None:
    """A page may be older than the folder of its games."""
    page = "a<!--play:one-->b<!--play:two-->c"
    assert with_links(page, {"two": "/x?<"}) == (
        'ab<p><a href="/x?&lt;">Play in the browser</a></p>c'
    )


@pytest.mark.slow
def test_clicks_lead_from_the_first_page_to_a_report_and_to_a_game(
    browser: Browser, search: Path
) -> None:
    """The policies of the server and of the page let its style and its script be."""
    with served(searches=(search,)) as site:
        page = open_page(browser, f"{site.address}/")
        section = page.get_by_role("region", name="Found by design search")
        assert section.inner_text().endswith("4 games")
        section.get_by_role("link", name="search").click()
        page.wait_for_url("**/searches/search/")
        assert not barriers(page)
        article = page.locator("article#agram-02")
        article.get_by_role("button", name="Copy").first.wait_for()
        article.get_by_role("link", name="Play in the browser").click()
        page.wait_for_url("**/games/agram-02")
        page.get_by_role("heading", name="Agram, varied (2)").wait_for()
        leave(page)
