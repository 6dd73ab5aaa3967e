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
from urllib.parse import quote

from cardwright.game.game import Game
from cardwright.library import catalogue
from cardwright.page.runtime import PACKAGES, STUDIO_PACKAGES, fetched, pyodide_files
from cardwright.page.source import archived, cardwright_files
from cardwright.syntax.data_files import read_bytes
from cardwright.web.page_host import PageHost
from cardwright.web.worker_process import WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cardwright.page.runtime import Download

    Step = Callable[[str], None]

STATIC = Path(str(resources.files("cardwright.web"))) / "static"
STYLES = "base", "cards", "table", "home", "game", "charts", "replay", "studio", "about"

_OWN = "published"
"""The folder of games that are in no library, in the page's archive of them."""

_ABSENT = {".html"}
_FACTS = ("", "/rules", "/statistics", "/flow", "/flow.svg")


@dataclass
class PageFiles:
    """The files of a page, by their paths."""

    files: dict[str, bytes] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """Write the files into a folder, which is made if it is not there."""
        for name, content in self.files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)


def page_of(
    game: str | Path | None = None, step: Step = lambda _: None, kept: Path | None = None
) -> PageFiles:
    """Return the page of a game, of the library or in a file, or without one of the whole library.

    All games of the library can be played in any; the one that is named is shown first, and what is
    said of it is made now. `step` is told what is done next, and `kept` is a folder in which what
    games are like is kept for the next time. Raises RuntimeFilesError, and what `Game.load` does.
    """
    step("Python")
    python = pyodide_files()
    python["packages.zip"] = archived(_unpacked(PACKAGES))
    python["cardwright.zip"] = archived(cardwright_files())
    python["studio.zip"] = archived(_unpacked(STUDIO_PACKAGES))
    parts, own = ["packages.zip", "cardwright.zip"], []
    if isinstance(game, Path):
        Game.load(game)
        files = {f"{_OWN}/{file.name}": read_bytes(file) for file in _with_settings(game)}
        python["games.zip"] = archived(files)
        parts.append("games.zip")
        own.append(f"{_OWN}/{game.name}")
    step("client")
    page = PageFiles({f"python/{name}": content for name, content in python.items()} | _client())
    made, home = asyncio.run(_facts(game, step, kept))
    page.files |= made
    begin = {
        "parts": [{"file": name, "size": len(python[name])} for name in parts],
        "extras": [
            {"file": "studio.zip", "prefix": "/api/studio/", "module": "cardwright.web.studio."}
        ],
        "games": own,
    }
    page.files["index.html"] = _document(begin, home).encode()
    page.files["LICENSES.txt"] = _licences(page.files).encode()
    page.files["offline.js"] = _offline(page.files).encode()
    return page


def _with_settings(game: Path) -> list[Path]:
    settings = game.with_suffix(".toml")
    return [game, settings] if settings.exists() else [game]


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


async def _facts(
    game: str | Path | None, step: Step, kept: Path | None
) -> tuple[dict[str, bytes], str]:
    """Return what the interface says of games with their usual settings, and the first address."""
    host = PageHost(
        workers=WorkerProcess, data=kept, files=[game] if isinstance(game, Path) else ()
    )
    await host.start()
    try:
        names = (
            catalogue.names() if game is None else [next(iter(host.site.shelf.files), str(game))]
        )
        files = {"facts/games.json": await _answer(host, "/api/games")}
        for name in names:
            step(name)
            for what in _FACTS:
                at = f"games/{name}{what}"
                answer = await _answer(host, f"/api/{at}")
                files[f"facts/{at}{'' if what.endswith('.svg') else '.json'}"] = answer
    finally:
        await host.stop()
    made = {file: answer for file, answer in files.items() if answer is not None}
    return made, "/" if game is None else f"/games/{names[0]}"


async def _answer(host: PageHost, address: str) -> bytes | None:
    """Return an answer; None for what cannot be had, of which the page will say why."""
    status, text = await host.ask("GET", address)
    return text.encode() if status == 200 else None


_NOTICE = """This page has Cardwright in it, and what it runs on:

Cardwright: the MIT licence, https://opensource.org/license/mit
Pyodide: the Mozilla Public License 2.0, https://www.mozilla.org/MPL/2.0/;
its source is at https://github.com/pyodide/pyodide
Python, in Pyodide: the PSF License Version 2, https://docs.python.org/3/license.html
The packages and scripts whose licences follow.
"""

_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "object-src 'none'; base-uri 'none'; form-action 'none'"
)
"""What the document may load: nothing from elsewhere."""

_DOCUMENT = """<!doctype html>
<html lang="en" data-alone data-home="{home}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="{policy}">
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


def _document(begin: dict[str, object], home: str) -> str:
    styles = "\n".join(
        f'    <link rel="stylesheet" href="static/css/{name}.css" data-style="{name}">'
        for name in STYLES
    )
    python = html.escape(json.dumps(begin), quote=False)
    return _DOCUMENT.format(
        styles=styles, python=python, home=html.escape(quote(home)), policy=_POLICY
    )
