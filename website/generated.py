"""Pages that no file of docs/ holds: they are made from what they tell of."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from cardwright._public import homes
from website.commands import commands_page
from website.repository import DOCS, ROOT, RepositoryLinks

_HOME = Path(__file__).parent / "home.md"
_START = ("player", "bot-author", "designer", "researcher", "learner")
_SOURCE = ROOT / "src"


@dataclass(frozen=True)
class GeneratedPages:
    """All pages that are made at build, by their names on the site."""

    links: RepositoryLinks = field(default_factory=RepositoryLinks)

    @cached_property
    def texts(self) -> dict[str, str]:
        """The Markdown of each page, ready for the site."""
        pages = {
            "index.md": home_page(),
            "commands.md": commands_page(),
            **{
                name: self.links.rewritten(file.read_text(encoding="utf-8"), file, name)
                for name, file in self._moved().items()
            },
            **python_pages(),
            **{
                page: self.links.rewritten(notebook_page(file), file, page)
                + f"\n[This notebook]({file.name}) with its outputs.\n"
                for file in sorted(DOCS.rglob("*.ipynb"))
                for page in [self.links.page_of(file)]
            },
        }
        origins = [*DOCS.rglob("*.md"), *self._moved().values()]
        for origin in origins:
            for file in self.links.outside(origin.read_text(encoding="utf-8"), origin):
                pages[self.links.page_of(file)] = self.links.shown(file)
        return pages

    def _moved(self) -> dict[str, Path]:
        return {
            "overview.md": DOCS / "README.md",
            "readme.md": ROOT / "README.md",
            "changelog.md": ROOT / "CHANGELOG.md",
            "contributing.md": ROOT / "CONTRIBUTING.md",
        }


def home_page() -> str:
    """Return the home page: its text, and an entrance for each newcomer's page."""
    cards = [
        f"-   __[{title(page)}](start/{page.name})__\n\n    {_first_paragraph(page)}\n"
        for name in _START
        if (page := DOCS / "start" / f"{name}.md").exists()
    ]
    text = _HOME.read_text(encoding="utf-8")
    grid = '<div class="grid cards" markdown>\n\n' + "\n".join(cards) + "\n</div>"
    return text.replace("{{ entrances }}", grid if cards else "")


def title(page: Path) -> str:
    """Return the heading of a page."""
    found = re.search(r"^# +(.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else page.stem


def _first_paragraph(page: Path) -> str:
    text = page.read_text(encoding="utf-8").partition("\n# ")[2] or page.read_text("utf-8")
    paragraph = text.partition("\n\n")[2].partition("\n\n")[0]
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(paragraph.split()))
    return re.split(r"(?<=[.!?]) ", plain)[0]


# Python ----------------------------------------------------------------------------------------


PUBLIC = (
    "cardwright",
    *(f"cardwright.{name}" for name in (
        "analysis", "arena", "authoring", "diagnostics", "errors", "evolution", "game", "hearts",
        "jobs", "lab", "league", "players", "solve", "statistics",
    )),
)  # fmt: skip
"""The modules that people import from."""


def python_pages() -> dict[str, str]:
    """Return a page for each public module, and the list of all names."""
    lines = ["# Every public name", "", _PYTHON, "| name | is |", "|---|---|"]
    pages = {}
    for module in PUBLIC:
        page = module.removeprefix("cardwright.")
        known = homes(str(_file(module)))
        known.pop("__version__", None)
        pages[f"python/{page}.md"] = _module_page(module, known)
        lines += [
            f"| [`{name}`]({page}.md#{module}.{name}) | {_summary(home, name)} |"
            for name, home in sorted(known.items())
        ]
    return {"python/index.md": "\n".join(lines) + "\n", **pages}


_PYTHON = """What most programs need is in `cardwright`, the rest in the public modules below.
[Python API](../api.md) introduces them, and
[Stability](../stability.md) says which changes to expect.
"""


def _module_page(module: str, known: dict[str, str]) -> str:
    said = ast.get_docstring(_parsed(module)) or ""
    lines = [f"# {module}", "", said.partition("\n\n")[0], ""]
    lines += [f"::: {module}.{name}\n" for name in sorted(known)]
    return "\n".join(lines)


def _summary(home: str, name: str) -> str:
    for node in _parsed(home).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            said = (ast.get_docstring(node) or "").partition("\n\n")[0]
            return " ".join(said.split()).replace("|", "\\|")
    return ""


def _parsed(module: str) -> ast.Module:
    return ast.parse(_file(module).read_text(encoding="utf-8"))


def _file(module: str) -> Path:
    path = _SOURCE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


# Notebooks -------------------------------------------------------------------------------------


def notebook_page(file: Path) -> str:
    """Return a notebook as Markdown, with the outputs that it holds."""
    cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
    parts = []
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
        elif cell["cell_type"] == "code":
            parts.append(f"```python\n{source}\n```")
            parts += [_output(output) for output in cell["outputs"]]
    return "\n\n".join(part for part in parts if part) + "\n"


def _output(output: dict[str, object]) -> str:
    if output["output_type"] == "stream":
        return _as_text("".join(output["text"]))  # type: ignore[arg-type]
    data: dict[str, list[str] | str] = output.get("data", {})  # type: ignore[assignment]
    if "image/svg+xml" in data:
        return f'<div class="output">{"".join(data["image/svg+xml"])}</div>'
    if "image/png" in data:
        picture = "".join(data["image/png"]).replace("\n", "")
        said = "".join(data.get("text/plain", "figure")).replace('"', "")
        return f'<img src="data:image/png;base64,{picture}" alt="{said}">'
    if "text/html" in data:
        html = re.sub(r"\n\s*\n", "\n", "".join(data["text/html"]))
        return f'<div class="output">\n{html}\n</div>'
    return _as_text("".join(data.get("text/plain", "")))


def _as_text(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```" if text.strip() else ""
