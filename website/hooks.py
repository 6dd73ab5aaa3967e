"""What MkDocs calls while it builds the site: navigation, generated pages, links, code blocks."""

from __future__ import annotations

import re
from importlib.metadata import metadata
from typing import TYPE_CHECKING

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

from website import lexer
from website.generated import GeneratedPages
from website.navigation import NavigationError, navigation
from website.repository import DOCS, PAGES

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

_PROMPTED = re.compile(r"^```python\n(?=\s*>>> )", re.MULTILINE)
_PLAY = '<a class="md-button md-button--primary" href="play/">Play in your browser</a>'
_SEARCH = 'data-md-component="search" role="dialog"'
_GENERATED = GeneratedPages()
_RENAMED = {name.removeprefix("docs/") for name in PAGES if name.startswith("docs/")}


def pages() -> set[str]:
    """Return all pages of the site by their paths."""
    found = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    return (found - _RENAMED) | set(_GENERATED.texts)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Give MkDocs the navigation, the colours of RECYCLE and the address of the repository."""
    lexer.register()
    try:
        config.nav = navigation(pages())
    except NavigationError as error:
        raise PluginError(str(error)) from error
    for line in metadata("cardwright").get_all("Project-URL") or []:
        name, _, address = line.partition(", ")
        if name == "Source":
            config.repo_url = address
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages that are made at build."""
    for name in _RENAMED:
        if file := files.get_file_from_path(name):
            files.remove(file)
    for name, text in _GENERATED.texts.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, *, page: Page, **_: object) -> str:
    """Mark sessions of Python as such, and let links lead to pages, and to the page to play in."""
    name = page.file.src_uri
    if name not in _GENERATED.texts:
        markdown = _GENERATED.links.rewritten(markdown, DOCS / name, name)
    if name == "in-a-page.md":
        markdown = markdown.replace("\n\n", f"\n\n{_PLAY}\n\n", 1)
    return _PROMPTED.sub("```pycon\n", markdown)


def on_post_page(output: str, **_: object) -> str:
    """Name the search for those who hear the page; the theme gives it a role and no name."""
    return output.replace(_SEARCH, f'{_SEARCH} aria-label="Search"')
