"""Builds a page: the client, Python, Cardwright and facts about games, as files for any host."""

from __future__ import annotations

import asyncio
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
from cardwright.page.bytecode import NoBytecodeError, compiled
from cardwright.page.contents import CONTENTS, licences, told_contents
from cardwright.page.one_file import blank_file, script_json
from cardwright.page.parts import STYLES, PageParts
from cardwright.page.runtime import (
    CONSOLE_PACKAGES,
    PACKAGES,
    STUDIO_PACKAGES,
    fetched,
    library_files,
    pyodide_files,
)
from cardwright.page.source import archived, cardwright_files, console_files
from cardwright.syntax.source import read_file
from cardwright.web.client import version_of
from cardwright.web.page_host import PageHost
from cardwright.web.shelf import GameShelf
from cardwright.web.worker_process import WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cardwright.page.runtime import Download

    Step = Callable[[str], None]

STATIC = Path(str(resources.files("cardwright.web"))) / "static"

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


def files_of(page: PageParts) -> PageFiles:
    """Return a page as files for a host."""
    made = PageFiles(
        {f"python/{name}": content for name, content in page.python.items()}
        | {f"static/{name}": content for name, content in page.static.items()}
        | {f"facts/{name}": content for name, content in page.facts.items()}
    )
    made.files["index.html"] = _document(page).encode()
    made.files["blank.html"] = blank_file(page)
    made.files["LICENSES.txt"] = licences(page.python, page.static).encode()
    made.files["offline.js"] = _offline(made.files).encode()
    return made


def page_of(
    game: str | Path | None = None,
    step: Step = lambda _: None,
    kept: Path | None = None,
    opponents: Sequence[str] = (),
) -> PageParts:
    """Return the page of a game, of the library or in a file, or without one of the whole library.

    All games of the library can be played in any; the one that is named is shown first, and what is
    said of it is made now. `step` is told what is done next, and `kept` is a folder in which what
    games are like is kept for the next time. `opponents` are the specs of who plays that game
    against people, if others than usual do. Raises RuntimeFilesError, and what `Game.load` does.
    """
    step("Python")
    python, slow = _python()
    own = _own_files(game) if isinstance(game, Path) else {}
    step("client")
    name, facts = asyncio.run(_facts(game, opponents, step, kept))
    title, home = "Cardwright", "/"
    if name is not None:
        title = json.loads(facts[f"games/{name}.json"])["title"]
        home = f"/games/{name}"
    others = {} if name is None else {name: [*opponents]}
    static = _client()
    facts[CONTENTS] = told_contents(python, static)
    return PageParts(title, home, python, static, facts, _begin(python, own, others), slow)


def bare_page() -> PageParts:
    """Return a page of the library of which nothing is told before Python is there.

    Raises RuntimeFilesError.
    """
    (python, slow), static = _python(), _client()
    facts = {CONTENTS: told_contents(python, static)}
    return PageParts("Cardwright", "/", python, static, facts, _begin(python, {}, {}), slow)


def _python() -> tuple[dict[str, bytes], str | None]:
    """Return what the worker of a page runs on, and why it has no bytecode, if it has none.

    Raises RuntimeFilesError.
    """
    cardwright = cardwright_files()
    pyodide = pyodide_files()
    parts = {
        "library.pack": library_files(pyodide),
        "packages.pack": _unpacked(PACKAGES),
        "cardwright.pack": cardwright,
    }
    slow = None
    try:
        parts = compiled(pyodide, parts, PARTS)
    except NoBytecodeError as error:
        slow = str(error)
    extras = {
        "studio.pack": _unpacked(STUDIO_PACKAGES),
        "console.pack": _unpacked(CONSOLE_PACKAGES) | console_files(cardwright),
    }
    packed = {name: archived(files) for name, files in {**parts, **extras}.items()}
    return pyodide | packed, slow


def _begin(
    python: Mapping[str, bytes], games: Mapping[str, str], opponents: Mapping[str, list[str]]
) -> dict[str, object]:
    """Return what the worker of a page is told first."""
    return {
        "version": version_of(python),
        "parts": [
            {"file": name, "folder": folder, "size": len(python[name])}
            for name, folder in PARTS.items()
        ],
        "extras": [
            {"file": "studio.pack", "prefix": "/api/studio/", "module": "cardwright.web.studio."},
            {"file": "console.pack", "prefix": "/console", "module": "cardwright.interfaces."},
        ],
        "games": games,
        "opponents": opponents,
    }


_PACKAGES = "/lib/python3.14/site-packages"
PARTS = {
    "library.pack": "/lib/python314.zip",
    "packages.pack": _PACKAGES,
    "cardwright.pack": _PACKAGES,
}
"""The archives that a page begins with, and where they are put."""


def _own_files(game: Path) -> dict[str, str]:
    """Return the text of a game in a file, and of its settings beside it; raises UnreadableError.

    Settings are read by `Game.load`, which says what is wrong with them.
    """
    Game.load(game)
    settings = game.with_suffix(".toml")
    files = [game, settings] if settings.exists() else [game]
    return {file.name: read_file(file).text for file in files}


def _offline(files: dict[str, bytes]) -> str:
    """Return the service worker of these files: it keeps them, and gives them out again."""
    script = (STATIC / "js" / "alone" / "offline.js").read_text("utf-8")
    listed = json.dumps(["./", *sorted(files)])
    return f'const VERSION = "{version_of(files)}";\nconst FILES = {listed};\n{script}'


def _unpacked(downloads: Iterable[Download]) -> dict[str, bytes]:
    """Return the files in wheels."""
    files: dict[str, bytes] = {}
    for download in downloads:
        with zipfile.ZipFile(io.BytesIO(fetched(download))) as wheel:
            files |= {name: wheel.read(name) for name in wheel.namelist()}
    return dict(sorted(files.items()))


def _client() -> dict[str, bytes]:
    return {
        file.relative_to(STATIC).as_posix(): file.read_bytes()
        for file in sorted(STATIC.rglob("*"))
        if file.is_file() and file.suffix not in _ABSENT
    }


async def _facts(
    game: str | Path | None, opponents: Sequence[str], step: Step, kept: Path | None
) -> tuple[str | None, dict[str, bytes]]:
    """Return the name of a game, and what the interface says of it, or of all, by their addresses.

    Games are those of their usual settings.
    """
    files = [game] if isinstance(game, Path) else []
    name = None if game is None else next(iter(GameShelf(files).files), str(game))
    others = {} if name is None else {name: opponents}
    host = PageHost(workers=WorkerProcess, data=kept, files=files, opponents=others)
    await host.start()
    try:
        facts = {"games.json": await _answer(host, "/api/games")}
        for each in catalogue.names() if name is None else [name]:
            step(each)
            for what in _FACTS:
                at = f"games/{each}{what}"
                answer = await _answer(host, f"/api/{quote(at)}")
                facts[f"{at}{'' if what.endswith('.svg') else '.json'}"] = answer
    finally:
        await host.stop()
    return name, {file: answer for file, answer in facts.items() if answer is not None}


async def _answer(host: PageHost, address: str) -> bytes | None:
    """Return an answer; None for what cannot be had, of which the page will say why."""
    status, text = await host.ask("GET", address)
    return text.encode() if status == 200 else None


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
    <title>{title}</title>
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


def _document(page: PageParts) -> str:
    styles = "\n".join(
        f'    <link rel="stylesheet" href="static/css/{name}.css" data-style="{name}">'
        for name in STYLES
    )
    return _DOCUMENT.format(
        styles=styles,
        title=html.escape(page.title),
        python=script_json(page.begin),
        home=html.escape(quote(page.home)),
        policy=_POLICY,
    )
