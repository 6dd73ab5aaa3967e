"""Builds a page: the client, Python, Cardwright and facts about games, as files for any host."""

from __future__ import annotations

import asyncio
import hashlib
import html
import io
import json
import zipfile
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.library import catalogue
from cardwright.page.runtime import PACKAGES, STUDIO_PACKAGES, fetched, pyodide_files
from cardwright.page.source import archived, cardwright_files
from cardwright.web.page_host import PageHost
from cardwright.web.worker_process import WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cardwright.page.runtime import Download

    Step = Callable[[str], None]

STATIC = Path(str(resources.files("cardwright.web"))) / "static"
STYLES = "base", "cards", "table", "home", "game", "charts", "replay", "studio", "about"

_ABSENT = {".html"}
_FACTS = ("", "/rules", "/statistics", "/flow", "/flow.svg")


@dataclass
class PageFiles:
    """The files of a page, by their paths."""

    files: dict[str, bytes] = field(default_factory=dict)

    @property
    def bytes(self) -> int:
        """The size of all files."""
        return sum(map(len, self.files.values()))

    def write(self, folder: Path) -> None:
        """Write the files into a folder, which is made if it is not there."""
        for name, content in self.files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)


def library_page(
    games: Iterable[str] | None = None, step: Step = lambda _: None, kept: Path | None = None
) -> PageFiles:
    """Return the page of the whole library: its games, the studio, replays.

    Facts of these `games` are made now, those of all if none are named; of others they are made in
    the page. `step` is told what is done next, and `kept` is a folder in which what games are like
    is kept for the next time. Raises RuntimeFilesError.
    """
    page = PageFiles()
    step("Python")
    python = pyodide_files()
    python["packages.zip"] = archived(_unpacked(PACKAGES))
    python["cardwright.zip"] = archived(cardwright_files())
    python["studio.zip"] = archived(_unpacked(STUDIO_PACKAGES))
    page.files |= {f"python/{name}": content for name, content in python.items()}
    step("client")
    page.files |= _client()
    page.files |= asyncio.run(facts(catalogue.names() if games is None else games, step, kept))
    parts = {name: len(python[name]) for name in ("packages.zip", "cardwright.zip")}
    page.files["index.html"] = _document(parts).encode()
    page.files["LICENSES.txt"] = _licences(page.files).encode()
    page.files["offline.js"] = _offline(page.files).encode()
    return page


def _licences(files: dict[str, bytes]) -> str:
    """Return whose work is in a page, and the licences under which it may be given on."""
    texts = [_NOTICE]
    for archive in ("packages.zip", "studio.zip"):
        with zipfile.ZipFile(io.BytesIO(files[f"python/{archive}"])) as packages:
            texts += [
                f"{name}\n\n{packages.read(name).decode()}"
                for name in packages.namelist()
                if "/licenses/" in name
            ]
    texts += [
        f"{name}\n\n{content.decode()}"
        for name, content in files.items()
        if name.endswith("LICENSE")
    ]
    return f"\n{'-' * 72}\n".join(texts)


def _offline(files: dict[str, bytes]) -> str:
    """Return the service worker of these files: it keeps them, and gives them out again."""
    name = hashlib.sha256()
    for file, content in sorted(files.items()):
        name.update(f"{file} {len(content)}\n".encode() + content)
    script = (STATIC / "js" / "alone" / "offline.js").read_text("utf-8")
    listed = json.dumps(["./", *sorted(files)])
    return f'const VERSION = "{name.hexdigest()[:16]}";\nconst FILES = {listed};\n{script}'


def _unpacked(downloads: Iterable[Download]) -> dict[str, bytes]:
    """Return the files in wheels."""
    files: dict[str, bytes] = {}
    for download in downloads:
        with zipfile.ZipFile(io.BytesIO(fetched(download))) as wheel:
            files |= {name: wheel.read(name) for name in wheel.namelist()}
    return dict(sorted(files.items()))


def _client() -> dict[str, bytes]:
    return {
        f"static/{file.relative_to(STATIC).as_posix()}": file.read_bytes()
        for file in sorted(STATIC.rglob("*"))
        if file.is_file() and file.suffix not in _ABSENT
    }


async def facts(
    games: Iterable[str], step: Step = lambda _: None, kept: Path | None = None
) -> dict[str, bytes]:
    """Return what the interface says of games with their usual settings, as files."""
    host = PageHost(workers=WorkerProcess, data=kept)
    await host.start()
    files = {"facts/games.json": await _fact(host, "/api/games")}
    for name in games:
        step(name)
        for what in _FACTS:
            file = f"games/{name}{what}"
            suffix = "" if what.endswith(".svg") else ".json"
            files[f"facts/{file}{suffix}"] = await _fact(host, f"/api/{file}")
    await host.stop()
    return files


async def _fact(host: PageHost, address: str) -> bytes:
    status, text = await host.ask("GET", address)
    assert status == 200, (address, text)
    return text.encode()


_NOTICE = """This page has Cardwright in it, and what it runs on:

Cardwright: the MIT licence, https://opensource.org/license/mit
Pyodide: the Mozilla Public License 2.0, https://www.mozilla.org/MPL/2.0/;
its source is at https://github.com/pyodide/pyodide
Python, in Pyodide: the PSF License Version 2, https://docs.python.org/3/license.html
The packages and scripts whose licences follow.
"""

_DOCUMENT = """<!doctype html>
<html lang="en" data-alone>
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Cardwright</title>
    <link rel="icon" href="static/icon.svg" type="image/svg+xml">
{styles}
    <script src="static/js/early.js"></script>
    <script type="application/json" id="python">{python}</script>
    <script type="module" src="static/js/alone/hosted.js"></script>
  </head>
  <body>
    <progress id="ready" max="1" value="0" aria-label="Python is being loaded" hidden></progress>
    <div id="page"></div>
    <noscript>This page needs JavaScript: the games are played in it.</noscript>
  </body>
</html>
"""


def _document(parts: dict[str, int]) -> str:
    styles = "\n".join(
        f'    <link rel="stylesheet" href="static/css/{name}.css" data-style="{name}">'
        for name in STYLES
    )
    python = {
        "parts": [{"file": name, "size": size} for name, size in parts.items()],
        "extras": [{"file": "studio.zip", "prefix": "/api/studio/"}],
    }
    return _DOCUMENT.format(styles=styles, python=html.escape(json.dumps(python), quote=False))
