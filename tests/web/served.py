"""Servers of tables for tests: in a thread of this process, or `cardwright serve` in another.

A process takes two seconds before it answers. It is for what only processes show: that they are
killed, and begin again.
"""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError

import pytest

import needed
from patience import PATIENCE, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class TableServer:
    """A server at an address, of which tables are asked."""

    address: str

    def ask(self, path: str, body: Any = None) -> Any:
        """Return the JSON of an answer; with a body, of a POST."""
        data = None if body is None else json.dumps(body).encode()
        headers = {} if body is None else {"Content-Type": "application/json"}
        request = urllib.request.Request(self.address + path, data, headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)
        except HTTPError as error:
            with error:
                words = error.read().decode()
            raise AssertionError(f"{path}: {error.code} {words}") from None

    def table(self, game: str, **wanted: Any) -> dict[str, Any]:
        """Make a table, at a pace of 0 unless it is said; return its links.

        The seed is 5 unless it is said; where several people play it is drawn.
        """
        body = {"game": game, "pace": 0, "seed": "5", **wanted}
        if sum(one["kind"] == "person" for one in wanted.get("seats") or ()) > 1:
            del body["seed"]
        made = self.ask("/api/tables", body)
        assert isinstance(made, dict)
        return made


class Served(TableServer):
    """A process that can be stopped, killed, and started again with the tables that it kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.address = f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the server; return when it answers."""
        command = [sys.executable, "-m", "cardwright", "serve", "--port", str(self.port)]
        command += ["--data", str(self._folder / "tables")]
        with (self._folder / "server.log").open("ab") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self._folder)
        self._process = process
        wait_until(lambda: process.poll() is not None or self._answers())
        assert process.poll() is None, self.log()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End the server by a signal."""
        if self._process is None:
            return
        self._process.send_signal(how)
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise
        finally:
            self._process = None

    def log(self) -> str:
        """Return what the server has printed."""
        return (self._folder / "server.log").read_text(errors="replace")

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/static/icon.svg", timeout=5):
                return True
        except (URLError, ConnectionError, TimeoutError):
            return False


@contextmanager
def served(**settings: Any) -> Iterator[TableServer]:
    """Serve a site with these settings in a thread."""
    for library in ("starlette", "uvicorn", "sse_starlette"):
        needed.module(library)
    from threaded import threaded

    with threaded(**settings) as site:
        table_server = TableServer()
        table_server.address = f"http://127.0.0.1:{site.port}"
        yield table_server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableServer]:
    """Give a server in a thread, with a folder of its own."""
    with served(data=tmp_path_factory.mktemp("served")) as site:
        yield site


def seats(*kinds: str, player: str = "random") -> list[dict[str, Any]]:
    """Return seats as a request for a table has them, from names of people; "" is a computer."""
    return [
        {"kind": "person", "name": name} if name else {"kind": "computer", "player": player}
        for name in kinds
    ]
