"""Links of pages to files of the repository, and how they read on the site."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"

PAGES = {
    "README.md": "readme.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "docs/README.md": "overview.md",
}
"""Files of the repository that are pages of the site under another name."""

_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(\[[^\]]*\]\()([^)\s]+)(\))")
_LANGUAGES = {".py": "python", ".toml": "toml", ".json": "json", ".sh": "sh", ".rcy": "recycle"}


@dataclass(frozen=True)
class RepositoryLinks:
    """Turns links between files of the repository into links between pages of the site."""

    root: Path = ROOT

    def page_of(self, file: Path) -> str:
        """Return the page on which a file or folder of the repository is shown."""
        name = file.relative_to(self.root).as_posix()
        if name in PAGES:
            return PAGES[name]
        if name.startswith("docs/") and file.suffix != ".py":
            return name.removeprefix("docs/").removesuffix(".ipynb") + (
                ".md" if name.endswith(".ipynb") else ""
            )
        name = name.replace("/.", "/").removeprefix(".")  # MkDocs passes over hidden folders
        return f"files/{name}/index.md" if file.is_dir() else f"files/{name}.md"

    def rewritten(self, text: str, origin: Path, page: str) -> str:
        """Return the text of a page whose source is the file `origin`, with links for the site."""

        def moved(link: re.Match[str]) -> str:
            found = self._target(link[2], origin)
            if found is None:
                return link[0]
            target, fragment = found
            path = os.path.relpath(self.page_of(target), PurePosixPath(page).parent)
            return f"{link[1]}{PurePosixPath(path).as_posix()}{fragment}{link[3]}"

        return _outside_code(text, lambda prose: _LINK.sub(moved, prose))

    def outside(self, text: str, origin: Path) -> Iterator[Path]:
        """Yield the files and folders outside docs/ to which a page links."""
        for link in _LINK.finditer(_FENCE.sub("", text)):
            found = self._target(link[2], origin)
            if found and self.page_of(found[0]).startswith("files/"):
                yield found[0]

    def _target(self, link: str, origin: Path) -> tuple[Path, str] | None:
        name, mark, fragment = link.partition("#")
        if not name or re.match("[a-z]+:", name):
            return None
        target = (origin.parent / name).resolve()
        if not target.exists() or not target.is_relative_to(self.root):
            return None  # MkDocs tells of it
        return target, mark + fragment

    def shown(self, file: Path) -> str:
        """Return a page that shows a file, or lists a folder."""
        name = file.relative_to(self.root).as_posix()
        head = f"---\nsearch:\n  exclude: true\n---\n\n# {name}\n\n"
        if file.is_dir():
            return head + "".join(f"- `{one.name}`\n" for one in sorted(file.iterdir()))
        text = file.read_text(encoding="utf-8").rstrip()
        fence = "`" * (1 + max([2, *map(len, re.findall("`+", text))]))
        return f"{head}{fence}{_LANGUAGES.get(file.suffix, 'text')}\n{text}\n{fence}\n"


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    parts, at = [], 0
    for code in _FENCE.finditer(text):
        parts += [change(text[at : code.start()]), code[0]]
        at = code.end()
    return "".join([*parts, change(text[at:])])
