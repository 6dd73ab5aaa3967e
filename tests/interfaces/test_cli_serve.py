"""`cardwright serve`: a server in a process of its own, from its first words to Ctrl-C."""

from __future__ import annotations

import json
import queue
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

import needed
from cardwright import Game, extras
from cardwright.web.game_facts import listed_games
from patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PEOPLE = [{"kind": "person"}, {"kind": "person"}]


@pytest.fixture(autouse=True)
def _libraries() -> None:
    for library in ("starlette", "uvicorn", "sse_starlette"):
        needed.module(library)


class Process:
    """A server, and the address that it has said."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        self.process = process
        self.said = [process.stdout.readline()]
        found = re.search(r"http://\S+", self.said[0])
        assert found, self.said + (process.communicate()[1:] if process.poll() else [])
        self.page = found[0]
        self.address = "/".join(self.page.split("/")[:3])

    def ask(self, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.address + path, data, headers)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    def end(self, how: signal.Signals = signal.SIGINT) -> tuple[int, str, str]:
        self.process.send_signal(how)
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        out, errors = self.process.stdout.read(), self.process.stderr.read()
        return self.process.wait(30), "".join(self.said) + out, errors


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[Process]:
    command = [sys.executable, "-m", "cardwright", "serve", "--data", str(folder), *words]
    if "--port" not in words:
        command += ["--port", "0"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    )
    try:
        yield Process(process)
    finally:
        process.kill()
        process.communicate()


@pytest.mark.slow
def test_a_table_outlives_the_server(tmp_path: Path) -> None:
    """Ctrl-C closes streams and all else at once; the next server has the same tables."""
    with serving(tmp_path / "tables") as server:
        made = server.ask("/api/tables", {"game": "kuhn", "seats": PEOPLE})
        link = made["seats"][0]["link"]
        server.ask(f"/api{link}/choose", {"number": 0, "option": 1})
        with urllib.request.urlopen(
            f"{server.address}/api{link}/events", timeout=PATIENCE
        ) as stream:
            assert stream.readline().startswith(b"id: 1")
            code, out, errors = server.end()
            assert stream.read().endswith(b"\n\n")
    assert (code, errors) == (130, "\nClosed; all tables are kept.\n")
    assert str(tmp_path / "tables") in out
    with serving(tmp_path / "tables") as server:
        assert server.ask(f"/api{link}")["scene"]["number"] == 1
        assert server.ask(f"/api{made['seats'][1]['link']}/choose", {"number": 1, "option": 0})
        assert server.end(signal.SIGTERM)[0] in {0, -signal.SIGTERM}


@pytest.fixture
def told(run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Give what calls the command, and ends the server when it would begin to answer."""

    def closed(site: Any, listening: socket.socket) -> None:
        site.store.close()
        listening.close()

    monkeypatch.setattr("cardwright.web.serving.serve", closed)

    def tell(*words: str) -> str:
        result = run("serve", "--port", "0", "--data", str(tmp_path), *words)
        assert result.exit_code == 0, result.output
        return str(result.output)

    return tell


def test_public_says_what_it_means(told: Any) -> None:
    said = told("--public", "--host", "127.0.0.1", "--domain", "Cards.example.org")
    for words in (
        "https://cards.example.org/", "whoever can reach port", "key to a seat", "TLS",
        "Limits for each address",
    ):  # fmt: skip
        assert words in said
    assert "--public" not in told()


@pytest.mark.parametrize(
    ("words", "page"), [((), "/"), (("hearts",), "/games/hearts"), (("hearts", "kuhn"), "/")]
)
def test_a_game_has_its_page_first(told: Any, words: tuple[str, ...], page: str) -> None:
    assert re.search(rf"http://127\.0\.0\.1:[0-9]+{page}\n", told(*words))


def test_a_file_is_opened_in_the_studio_unless_others_may_come(told: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.rcy"
    file.write_text(Game.load("kuhn").program.source.text)
    assert "/studio?file=0\n" in told(str(file))
    assert "/studio" not in told("--public", str(file))


def test_a_report_on_a_search_has_its_page_first(told: Any, run: Any, tmp_path: Path) -> None:
    """Any other folder is refused before a port is told."""
    search = tmp_path / "found"
    (search / "evolved").mkdir(parents=True)
    (search / "index.html").write_text("a page")
    assert re.search(r"http://127\.0\.0\.1:[0-9]+/searches/found/\n", told(str(search)))
    assert "/searches/found/" in told("--public", str(search))
    refused = run("serve", "--port", "0", "--data", str(tmp_path), str(tmp_path))
    assert refused.exit_code == 2
    assert "is not a report on a search for games" in refused.output


def test_the_browser_is_opened(told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: queue.SimpleQueue[str] = queue.SimpleQueue()
    monkeypatch.setattr("webbrowser.open", opened.put)
    said = told("--open", "kuhn")
    assert opened.get(timeout=PATIENCE) in said


# Wrong calls ----------------------------------------------------------------------------------


def test_a_port_that_is_in_use_is_told(run: Any, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = run("serve", "--port", str(port), "--data", str(tmp_path))
    assert result.exit_code == 1
    assert f"port {port} is in use already" in result.output
    assert "--port" in result.output


def test_a_folder_that_another_server_uses_is_told(run: Any, tmp_path: Path) -> None:
    from cardwright.web.site import DATABASE
    from cardwright.web.store import DiskStore

    other = DiskStore(tmp_path / DATABASE)
    result = run("serve", "--port", "0", "--data", str(tmp_path))
    other.close()
    assert result.exit_code == 1
    assert "is used by another server" in result.output
    assert "--data" in result.output


def test_a_folder_that_cannot_be_made_is_told(run: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = run("serve", "--port", "0", "--data", str(tmp_path / "file" / "tables"))
    assert result.exit_code == 1
    assert "another folder by --data" in result.output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--host", "0.0.0.0"), "say --public"),
        (("--host", "192.0.2.7"), "say --public"),
        (("--port", "70000"), "--port"),
        (("harts",), "did you mean hearts"),
        (("no/such.rcy",), "no/such.rcy"),
        (("--seasons", "no/such"), "--seasons"),
    ],
)
def test_a_wrong_call_is_refused(run: Any, words: tuple[str, ...], told: str) -> None:
    result = run("serve", *words)
    assert result.exit_code == 2
    assert told in result.output


def test_an_address_of_another_machine_is_told(run: Any, tmp_path: Path) -> None:
    result = run("serve", "--public", "--host", "192.0.2.7", "--port", "0", "--data", str(tmp_path))
    assert result.exit_code == 1
    assert "192.0.2.7 is not an address of this machine" in result.output


def test_rules_with_errors_are_shown(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "broken.rcy"
    file.write_text("(game oops)")
    result = run("serve", str(file))
    assert result.exit_code == 1
    assert "broken.rcy cannot be played like this" in result.output


@pytest.mark.parametrize("text", ["(game oops)", "(" * 100_000, "\0"])
def test_a_bad_file_does_not_keep_others_from_being_served(
    told: Any, tmp_path: Path, text: str
) -> None:
    """It is listed with what is wrong, and so is one whose facts are bad."""
    (tmp_path / "bad.rcy").write_text(text)
    (tmp_path / "odd.rcy").write_text(Game.load("kuhn").program.source.text)
    (tmp_path / "odd.toml").write_text("a = " + "[" * 100_000)
    files = (tmp_path / "bad.rcy", tmp_path / "odd.rcy")
    said = told(*map(str, files), "kuhn")
    assert "bad.rcy cannot be played as it is" in said
    listed = listed_games({file.stem: file for file in files})["games"]
    assert {"bad", "odd", "kuhn"} <= {one["name"] for one in listed}


def test_a_missing_library_is_named_with_what_installs_it(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    result = run("serve")
    assert result.exit_code == 1
    assert "starlette, uvicorn, sse-starlette and lsprotocol" in result.output
    assert extras.advice("web", several=True) in result.output
