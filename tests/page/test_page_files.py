"""What a page is made of: the code that it needs, what it runs on, and the files in its folder."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import re
import subprocess
import sys

import pytest

from cardwright.interfaces.cli.serve import _page
from cardwright.page import build, one_file, runtime, source
from cardwright.page.runtime import Download, RuntimeFilesError, fetched
from cardwright.web.client import version_of
from unfetched import nothing_fetched

ABSENT = ("starlette", "uvicorn", "numpy", "llvmlite", "click", "rich", "sqlite3", "polars")


def test_the_archive_has_all_that_a_page_needs(tmp_path):
    """A site stands and plays with these files alone."""
    files = source.cardwright_files()
    for name, content in source.unarchived(source.archived(files)).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
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
    files = source.console_files(source.cardwright_files())
    assert "cardwright/interfaces/cli/check.py" in files
    assert not files.keys() & source.cardwright_files().keys()


def test_bytes_of_an_archive_follow_from_the_files():
    files = {"a": b"1\n", "b": b"", "c": b"2"}
    assert source.archived(files) == source.archived(files)
    assert source.unarchived(source.archived(files)) == files


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


@pytest.fixture(scope="module", autouse=True)
def _nothing_fetched():
    with pytest.MonkeyPatch.context() as patch:
        nothing_fetched(patch)
        yield


@pytest.fixture(scope="module")
def parts():
    """The parts of a page, without what is fetched."""
    return build.page_of("kuhn")


@pytest.fixture(scope="module")
def page(parts):
    """The files of the page for a host."""
    return build.files_of(parts)


@pytest.fixture(scope="module")
def document(parts):
    """The page as one file."""
    return one_file.one_file(parts).decode()


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
        "python/library.pack",
        "python/cardwright.pack",
        "python/studio.pack",
        "python/console.pack",
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
    assert len(rows) == 12
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


def unpacked(letters):
    """Return what the script of the document unpacks."""
    return gzip.decompress(base64.b64decode(letters)).decode()


def test_one_file_loads_nothing(document):
    """All that it names is in it, and its policy allows nothing else, nor another script."""
    tags = re.sub("(?s)<(style|script)[^>]*>.*?</\\1>", "", document)
    assert re.findall(r'(?:href|src)="(?!data:)([^"]*)"', tags) == []
    policy = html.unescape(re.search(r'Security-Policy" content="([^"]*)"', document)[1])
    assert not re.search(r"https?:|'self'|\*", policy)
    assert not re.search(r"url\(|@import", document)
    scripts = re.findall("(?s)<script>(.*?)</script>", document)
    assert len(scripts) == 2
    for script in scripts:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_one_file_has_all_that_a_folder_has(document, parts):
    facts = json.loads(unpacked(re.search('id="facts">([^<]*)', document)[1]))
    assert facts.keys() == parts.facts.keys() >= {"games/kuhn.json", "page.json"}
    python = dict(re.findall('data-python="([^"]+)">([^<]*)', document))
    assert python.keys() == parts.python.keys()
    assert unpacked(python["pyodide.mjs"]) == "export {};"
    begin = json.loads(re.search('id="python">([^<]*)', document)[1])
    assert begin == parts.begin


def test_modules_are_in_an_order_in_which_they_are_linked(document):
    """Each comes after what it imports; in all of them nothing else is imported by a path."""
    modules = json.loads(unpacked(re.search('id="client">([^<]*)', document)[1]))
    known = set()
    for path, text in modules:
        assert set(re.findall(r'"module:([^"]+)"', text)) <= known, path
        known.add(path)
        others = re.findall(r"""["'`]\.{1,2}/[^"'`]*["'`](?:\)\.[A-Z])?""", text)
        assert [other for other in others if not re.search(r"\)\.[A-Z]$", other)] == [], path
    assert {"js/alone/worker.js", "js/studio/page.js", "vendor/preact.js"} <= known
    assert "js/alone/hosted.js" not in known


def test_what_a_module_imports():
    text = """import{a}from"./b.js";import "../c.js";
export * from "./d.js";
/** @param {import("./types.js").Type} one */
const later = () => import("./b.js").then(show);
"""
    empty = {"x/b.js": b"", "c.js": b"", "x/d.js": b""}
    modules = one_file.linked_modules({"x/a.js": text.encode(), **empty}, ["x/a.js"])
    assert {path for path, _ in modules} == {"x/a.js", *empty}
    path, linked = modules[-1]
    assert path == "x/a.js"
    assert linked.count('"module:x/b.js"') == 2
    assert 'from "module:x/d.js"' in linked
    assert 'import("./types.js").Type' in linked


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (('import "./b.js";', 'import "./a.js";'), "modules import each other: "),
        (("import('./b.js');", ""), "a.js has import"),
        (("import(`./${name}.js`);", ""), "a.js has import"),
        (("new URL('b.js', import.meta.url);", ""), "a.js has import.meta"),
    ],
)
def test_modules_that_cannot_be_linked(texts, said):
    files = {name: text.encode() for name, text in zip(("a.js", "b.js"), texts, strict=True)}
    with pytest.raises(ValueError, match=re.escape(said)):
        one_file.linked_modules(files, ["a.js"])


def test_a_blank_page_has_places_for_python(page, parts):
    """A folder has it: rules from the studio, and the files of Python beside it, are put in."""
    blank = page.files["blank.html"].decode()
    assert dict(re.findall('data-python="([^"]+)">([^<]*)', blank)) == dict.fromkeys(
        parts.python, ""
    )
    facts = json.loads(unpacked(re.search('id="facts">([^<]*)', blank)[1]))
    assert facts.keys() == {"page.json"}
    assert "MIT licence" in facts["page.json"]


def test_text_of_a_game_ends_no_script():
    assert "<" not in one_file.script_json({"a.rcy": "</script><script>alert(1)</script><!--"})


def test_a_server_gives_out_a_page_in_which_nothing_is_told_yet():
    """But what is in it; Python answers all else."""
    document = _page().decode()
    assert json.loads(unpacked(re.search('id="facts">([^<]*)', document)[1])).keys() == {
        "page.json"
    }
    assert all(re.findall('data-python="[^"]+">([^<]*)', document))


MODULES_OF_OTHERS = {"cardwright.jobs.cluster", "cardwright.web.store"}
"""What no page calls, and may need what is left out."""


def test_nothing_that_a_page_needs_is_left_out_of_the_library():
    """Neither by Cardwright's modules nor for people who write Python in a page."""
    roots = *source.ROOTS, *source.CONSOLE_ROOTS
    for name, file in source.needed_modules(roots).items():
        for module in source.imported(file):
            place = f"{module.replace('.', '/')}.py"
            assert name in MODULES_OF_OTHERS or not runtime.left_out(place), (name, module)
    usual = "random statistics collections/abc itertools json/decoder math re textwrap datetime csv"
    assert not [name for name in usual.split() if runtime.left_out(f"{name}.py")]
    assert runtime.left_out("xml/dom/minidom.py")
    assert not runtime.left_out("xml/sax/saxutils.py")
    assert runtime.left_out("encodings/koi8_r.py")
    assert not runtime.left_out("encodings/utf_8.py")
    assert not runtime.left_out("_pyrepl/pager.py")


def test_a_version_is_that_of_the_files():
    versions = {
        version_of(files)
        for files in ({"a": b"1", "b": b"2"}, {"a": b"12", "b": b""}, {"a": b"1", "b": b"3"})
    }
    assert len(versions) == 3
    assert version_of({"b": b"2", "a": b"1"}) in versions
