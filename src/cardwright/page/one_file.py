"""A page as one file: the client, Python and facts stand in its document, packed.

Browsers import no modules of a file on a disk, and let it read no other one. So the modules of the
client are linked by the script of the document, `unpack.js`, which finds what they import by marks
that are written here in the place of paths.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import quote

from cardwright.page.contents import CONTENTS
from cardwright.page.parts import STYLES
from cardwright.web.modules import IMPORTED, modules, resolved

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Mapping

    from cardwright.page.parts import PageParts
    from cardwright.web.modules import ClientModule

ROOTS = "js/alone/one_file.js", "js/alone/worker.js"
"""What the document and its worker begin with."""


def linked_modules(
    files: Mapping[str, bytes], roots: Iterable[str] = ROOTS
) -> list[tuple[str, str]]:
    """Return the modules that some need, with those themselves, each after what it imports.

    In their texts `module:PATH` takes the place of what is imported. Raises ValueError for modules
    that import each other, or that find others in a way that is not known here.
    """
    return [(module.path, _marked(module)) for module in modules(files, roots)]


def _marked(module: ClientModule) -> str:
    """Return the text of a module with marks for what it imports."""

    def marked(found: re.Match[str]) -> str:
        return f'{found["before"]}"module:{resolved(module.path, found["path"])}"'

    return IMPORTED.sub(marked, module.text)


def packed(content: bytes) -> str:
    """Return content as the script of the document unpacks it."""
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()


def one_file(page: PageParts) -> bytes:
    """Return a page as one document."""
    return _document(page, {name: packed(file) for name, file in page.python.items()})


def blank_file(page: PageParts) -> bytes:
    """Return the document of a page without a game, in which what Python runs on is left empty."""
    begin = {**page.begin, "games": {}, "opponents": {}}
    facts = {CONTENTS: page.facts[CONTENTS]}
    blank = replace(page, title="Cardwright", home="/", facts=facts, begin=begin)
    return _document(blank, dict.fromkeys(page.python, ""))


def _document(page: PageParts, python: Mapping[str, str]) -> bytes:
    """Return the document of a page that has these packed files of Python."""
    static = page.static
    client = json.dumps(linked_modules(static), ensure_ascii=False)
    facts = {name: text.decode() for name, text in page.facts.items()}
    early, unpack = (static[f"js/{name}.js"].decode() for name in ("early", "alone/unpack"))
    sheets = "\n".join(
        f'    <style data-style="{name}">\n{static[f"css/{name}.css"].decode()}</style>'
        for name in STYLES
    )
    runtime = "\n".join(
        f'    <script type="text/plain" data-python="{name}">{file}</script>'
        for name, file in python.items()
    )
    document = _DOCUMENT.format(
        home=html.escape(quote(page.home)),
        title=html.escape(page.title),
        policy=_POLICY.format(scripts=" ".join(map(_digest, (early, unpack)))),
        icon=base64.b64encode(static["icon.svg"]).decode(),
        sheets=sheets,
        early=early,
        begin=script_json(page.begin),
        client=packed(client.encode()),
        facts=packed(json.dumps(facts, ensure_ascii=False).encode()),
        python=runtime,
        unpack=unpack,
    )
    return document.encode()


def script_json(value: object) -> str:
    """Return a value as JSON that can stand in a script of a document."""
    return json.dumps(value).replace("<", "\\u003c")


def _digest(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


_POLICY = (
    "default-src 'none'; script-src {scripts} 'unsafe-eval' blob:; worker-src blob:; "
    "connect-src blob:; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; "
    "form-action 'none'"
)
"""What the document may load: what is in it, and nothing else."""

_DOCUMENT = """<!doctype html>
<html lang="en" data-alone data-home="{home}">
  <head>
    <!-- A card game that is played in a browser, also without a network. Cardwright has made it,
      and is in it with Python; its page About says what else is, and has the licences. -->
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="{policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>{title}</title>
    <link rel="icon" href="data:image/svg+xml;base64,{icon}">
{sheets}
    <script>{early}</script>
    <script type="application/json" id="python">{begin}</script>
  </head>
  <body>
    <progress id="ready" max="1" value="0" aria-label="Python is being loaded" hidden></progress>
    <div id="page"></div>
    <noscript>This page needs JavaScript: the games are played in it.</noscript>
    <script type="text/plain" id="client">{client}</script>
    <script type="text/plain" id="facts">{facts}</script>
{python}
    <script>{unpack}</script>
  </body>
</html>
"""
