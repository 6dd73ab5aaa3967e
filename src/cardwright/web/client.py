"""The client as a server sends it: each page in few scripts and one style sheet.

A browser would ask for each module of a page alone, which is slow where requests take their time.
So modules are put together, as they are written, when the first page is asked for. Those that three
pages need are in a script that all pages have; others are together if the same pages need them. A
module is in one script only, so it is there once, whatever is loaded later. Addresses have a digest
of all content: browsers keep what they have, and ask again only after it has changed.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.web.modules import modules, name_of, script_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.web.modules import ClientModule

STATIC = Path(__file__).parent / "static"
"""The folder of pages, styles and scripts; all of it is served under /static/."""

ADDRESS = "/static/client"
"""Where files of the client are: in a folder of their version."""

START = "js/start.js"
"""The module with which pages begin; what it imports later are their own."""

_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_MANY = 3
"""From how many pages on what they need is in the script that all have."""

_SHEETS = re.compile(r'(?: *<link rel="stylesheet" href="/static/(css/\w+\.css)">\n)+')
_PRELOADED = re.compile(r' *<link rel="modulepreload" href="/static/([^"]+)">\n')
_OTHER = re.compile(r'"/static/(?!client/)[^"]*"')


@dataclass(frozen=True)
class ClientFile:
    """A file of the client."""

    content: bytes
    media: str

    @cached_property
    def packed(self) -> bytes:
        """The content, compressed."""
        return gzip.compress(self.content, 9, mtime=0)


@dataclass(frozen=True)
class Client:
    """The client: its documents, and the files of this version that they load, by their names."""

    version: str
    documents: Mapping[str, str]
    files: Mapping[str, ClientFile]


@cache
def client() -> Client:
    """Return the client of this package."""
    return client_of(
        {
            file.relative_to(STATIC).as_posix(): file.read_bytes()
            for file in sorted(STATIC.rglob("*"))
            if file.suffix in {".html", *_TYPES}
        }
    )


def client_of(static: Mapping[str, bytes]) -> Client:
    """Return the client that is made of files; raises ValueError for those that do not fit."""
    parts = modules(static, [START])
    roots = roots_of(parts)
    scripts = scripts_of(parts, roots)
    script = {module.path: name for name, together in scripts.items() for module in together}
    contents = {
        name: script_of(together, lambda path: f"./{script[path]}").encode()
        for name, together in scripts.items()
    }
    pages = {name: text.decode() for name, text in static.items() if name.endswith(".html")}
    for name, text in pages.items():
        sheets = re.findall(r'"/static/(css/\w+\.css)"', text)
        contents[_sheet(name)] = b"\n".join(static[sheet] for sheet in sheets)
    contents |= {"early.js": static["js/early.js"], "icon.svg": static["icon.svg"]}
    version = version_of(contents)
    at = f"{ADDRESS}/{version}"

    def document(name: str, text: str) -> str:
        def preloaded(found: re.Match[str]) -> str:
            needed = {script[path]: None for path, needs in roots.items() if found[1] in needs}
            needed.pop(script[START], None)
            return "".join(f'    <link rel="modulepreload" href="{at}/{one}">\n' for one in needed)

        text = _SHEETS.sub(f'    <link rel="stylesheet" href="{at}/{_sheet(name)}">\n', text)
        text = _PRELOADED.sub(preloaded, text)
        text = text.replace(f"/static/{START}", f"{at}/{script[START]}")
        text = text.replace("/static/js/early.js", f"{at}/early.js")
        text = text.replace("/static/icon.svg", f"{at}/icon.svg")
        if other := _OTHER.search(text):
            raise ValueError(f"{name} has {other[0]}, which is no file that pages of a client load")
        return text

    return Client(
        version,
        {name: document(name, text) for name, text in pages.items()},
        {
            name: ClientFile(content, _TYPES[Path(name).suffix])
            for name, content in contents.items()
        },
    )


def _sheet(page: str) -> str:
    """Return the name of the style sheet of a document."""
    return page.replace(".html", ".css")


def version_of(files: Mapping[str, bytes]) -> str:
    """Return a word that is another one for other files."""
    digest = hashlib.sha256()
    for name, content in sorted(files.items()):
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]


def roots_of(parts: Sequence[ClientModule]) -> dict[str, set[str]]:
    """Return for each module the roots that need it: what a page begins with or imports later."""
    all_roots = {START}.union(*(module.later for module in parts))
    roots = {module.path: {module.path} & all_roots for module in parts}
    for module in reversed(parts):
        for path in module.imports:
            roots[path] |= roots[module.path]
    return roots


def scripts_of(
    parts: Sequence[ClientModule], roots: Mapping[str, set[str]]
) -> dict[str, list[ClientModule]]:
    """Return the modules in each script, by its name.

    All that needs a module needs what it imports, so scripts import each other in no circles.
    """
    pages = {path for module in parts if module.path == START for path in module.later}
    scripts: dict[frozenset[str], list[ClientModule]] = {}
    for module in parts:
        needs = roots[module.path]
        everywhere = START in needs or len(needs & pages) >= _MANY
        scripts.setdefault(frozenset({START} if everywhere else needs), []).append(module)
    return {_script(needs, together): together for needs, together in scripts.items()}


def _script(needs: frozenset[str], together: Sequence[ClientModule]) -> str:
    """Return the name of a script: that of the root in it, if there is one."""
    paths = [module.path for module in together]
    name = name_of(next((path for path in paths if path in needs), paths[-1]))
    return f"{name.removeprefix('js$').replace('$', '-')}.js"
