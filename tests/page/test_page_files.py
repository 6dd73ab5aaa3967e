"""What a page is made of: the code that it needs, what it runs on, and the files in its folder."""

from __future__ import annotations

import hashlib
import io
import json
import re
import subprocess
import sys
import zipfile

import pytest

from cardwright.page import build, runtime, source
from cardwright.page.runtime import Download, RuntimeFilesError, fetched

ABSENT = ("starlette", "uvicorn", "numpy", "llvmlite", "click", "rich", "sqlite3", "polars")


def test_the_archive_has_all_that_a_page_needs(tmp_path):
    """A site stands and plays with these files alone."""
    files = source.cardwright_files()
    zipfile.ZipFile(io.BytesIO(source.archived(files))).extractall(tmp_path)
    program = f"""
import asyncio, json, sys
sys.path.insert(0, {str(tmp_path)!r})
for name in {ABSENT}:
    sys.modules[name] = None
import cardwright
from cardwright.web.page_host import PageHost
assert cardwright.__file__.startswith({str(tmp_path)!r})
async def main():
    host = PageHost()
    await host.start()
    seats = [{{"kind": "person"}}, {{"kind": "computer", "player": "random"}}]
    wanted = {{"game": "kuhn", "seats": seats, "pace": 0}}
    status, text = await host.ask("POST", "/api/tables", json.dumps(wanted))
    print(status)
    source = {{"source": "(game)"}}
    status, text = await host.ask("POST", "/api/studio/check", json.dumps(source))
    print(status)
    await host.stop()
asyncio.run(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["201", "200"], done.stderr


def test_the_archive_has_no_more():
    modules = source.needed_modules()
    assert not [name for name in modules if name.startswith(source.ABSENT)]
    assert not any(name.startswith("cardwright.interfaces") for name in modules)
    assert modules.keys() >= set(source.ROOTS)


def test_the_console_has_files_of_its_own():
    files = source.console_files()
    assert "cardwright/interfaces/cli/check.py" in files
    assert not files.keys() & source.cardwright_files().keys()


def test_bytes_of_an_archive_follow_from_the_files():
    files = {"a": b"1", "b": b"2"}
    assert source.archived(files) == source.archived(files)
    archive = zipfile.ZipFile(io.BytesIO(source.archived(files)))
    assert {name: archive.read(name) for name in archive.namelist()} == files


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CARDWRIGHT_CACHE", str(tmp_path / "cache" / "objects"))
    return tmp_path / "cache" / "page"


def download_of(file, content, size=None):
    file.write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    return Download(file.as_uri(), size or len(content), digest)


def test_files_are_fetched_once(tmp_path, cache):
    come = []
    download = download_of(tmp_path / "a.whl", b"content")
    assert fetched(download, come.append) == b"content"
    assert come == [7]
    (tmp_path / "a.whl").unlink()
    assert fetched(download) == b"content"
    (cache / "a.whl").write_bytes(b"changed")
    with pytest.raises(RuntimeFilesError, match=r"a.whl cannot be fetched .* a page needs it"):
        fetched(download)


def test_another_file_is_not_taken(tmp_path, cache):
    download = download_of(tmp_path / "a.whl", b"content")
    (tmp_path / "a.whl").write_bytes(b"other content")
    with pytest.raises(RuntimeFilesError, match="is another file than it was"):
        fetched(download)
    assert not cache.exists()


def test_no_more_is_fetched_than_a_file_has(tmp_path, cache):
    download = download_of(tmp_path / "a.whl", b"x" * 10**6, 10)
    come = []
    with pytest.raises(RuntimeFilesError):
        fetched(download, come.append)
    assert sum(come) < 10**6


def test_without_a_cache_files_are_fetched_again(tmp_path, monkeypatch):
    monkeypatch.setenv("CARDWRIGHT_CACHE", "off")
    download = download_of(tmp_path / "a.whl", b"content")
    assert fetched(download) == fetched(download) == b"content"


def test_what_is_downloaded_has_a_name_and_a_digest():
    for download in (
        runtime.PYODIDE,
        *runtime.PACKAGES,
        *runtime.STUDIO_PACKAGES,
        *runtime.CONSOLE_PACKAGES,
    ):
        assert re.fullmatch(r"[\w.-]+\.(whl|tgz)", download.name)
        assert re.fullmatch("[0-9a-f]{64}", download.sha256)
        assert download.address.startswith("https://")


@pytest.fixture(scope="module")
def page():
    """The files of a page, without what is fetched."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "pyodide_files", lambda: {"pyodide.mjs": b"export {};"})
        patch.setattr(build, "fetched", lambda _: source.archived({"package.py": b""}))
        yield build.files_of(build.page_of("kuhn"))


def test_a_page_has_facts_client_and_python(page):
    assert page.files.keys() >= {
        "index.html",
        "facts/games.json",
        "facts/games/kuhn.json",
        "facts/games/kuhn/flow.svg",
        "facts/games/kuhn/statistics.json",
        "static/js/alone/worker.js",
        "static/icon.svg",
        "python/pyodide.mjs",
        "python/cardwright.zip",
        "python/studio.zip",
        "python/console.zip",
    }
    assert json.loads(page.files["facts/games/kuhn.json"])["title"] == "Kuhn Poker"
    assert json.loads(page.files["facts/games/kuhn/statistics.json"])["games"] == 2000


def test_the_document_names_files_that_are_there(page):
    """By addresses that do not begin at the root of a host: a page may lie in any folder."""
    document = page.files["index.html"].decode()
    named = re.findall(r'(?:href|src)="([^"]+)"', document)
    assert len(named) > 10
    assert set(named) <= page.files.keys()
    wanted = json.loads(re.search(r'id="python">(.*?)</script>', document)[1])
    sizes = {part["file"]: part["size"] for part in wanted["parts"]}
    assert sizes == {name: len(page.files[f"python/{name}"]) for name in sizes}
    assert all(f"python/{extra['file']}" in page.files for extra in wanted["extras"])


def test_styles_of_all_pages_are_there(page):
    """Those that `start.js` names for each page, and the documents of the server have."""
    script = page.files["static/js/start.js"].decode()
    rows = re.findall(r'import\("\./(\w+)/\w+\.js"\), styles: \[(.*?)\]', script)
    assert len(rows) == 9
    document = page.files["index.html"].decode()
    for folder, styles in rows:
        names = re.findall(r'"(\w+)"', styles)
        if folder != "seasons":
            assert all(f'data-style="{name}"' in document for name in names)
        if folder == "console":
            continue  # no server has it
        file = {"about": ("about.html", "api.html")}.get(folder, (f"{folder}.html",))
        for name in file:
            served = (build.STATIC / name).read_text()
            assert re.findall(r"css/(\w+)\.css", served) == ["base", *names]


def test_a_page_is_written_into_a_folder(page, tmp_path):
    page.write(tmp_path / "new" / "page")
    written = {
        file.relative_to(tmp_path / "new" / "page").as_posix(): file.read_bytes()
        for file in (tmp_path / "new" / "page").rglob("*")
        if file.is_file()
    }
    assert written == page.files
