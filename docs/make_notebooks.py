"""Executes the notebooks, and writes them with their outputs: `scripts/notebooks FOLDER`.

The sources in `docs/notebooks` are Python files with cells, which have no outputs to become stale.
Each is executed in a process of its own, in an empty folder. `--to` says what is written:
`ipynb`, `md` with pictures beside it, or `html`; `--empty` writes notebooks without executing them.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbformat import NotebookNode

NOTEBOOKS = Path(__file__).parent / "notebooks"
KINDS = ("ipynb", "md", "html")
LIMIT = 300
"""Seconds that a cell may take, on a busy machine."""


def sources() -> list[Path]:
    """Return the files of all notebooks, in the order in which they are read."""
    return sorted(NOTEBOOKS.glob("[0-9]-*.py"))


def make(source: Path, out: Path, kinds: tuple[str, ...] = KINDS, *, execute: bool = True) -> float:
    """Write one notebook into a folder, and return how many seconds its execution took.

    Raises nbclient's CellExecutionError, with the cell, for one that fails.
    """
    import jupytext

    notebook = jupytext.read(source, fmt="py:percent")
    notebook.metadata["kernelspec"] = {
        "name": "python3", "display_name": "Python 3", "language": "python",
    }  # fmt: skip
    begun = time.monotonic()
    if execute:
        _execute(notebook)
    seconds = time.monotonic() - begun
    out.mkdir(parents=True, exist_ok=True)
    for kind in kinds:
        _write(notebook, out / f"{source.stem}.{kind}")
    return seconds


def _execute(notebook: NotebookNode) -> None:
    from nbclient import NotebookClient

    with tempfile.TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        client = NotebookClient(notebook, timeout=LIMIT, kernel_name="python3", resources=resources)
        client.execute(env={**os.environ, "PYDEVD_DISABLE_FILE_VALIDATION": "1"})
    for cell in (one for one in notebook.cells if one.cell_type == "code"):
        cell.metadata.pop("execution", None)  # the times would differ in every build
        cell["outputs"] = [one for one in cell.get("outputs", []) if not _is_artist(one)]


def _is_artist(output: NotebookNode) -> bool:
    """Return whether an output is only the name of a part of a figure, which says nothing."""
    text = output.get("data", {}).get("text/plain", "")
    return text.startswith(("Text(", "<matplotlib."))


def _write(notebook: NotebookNode, file: Path) -> None:
    """Write a notebook in the format of a file's ending, the pictures of Markdown beside it."""
    import nbformat
    from nbconvert import HTMLExporter, MarkdownExporter

    if file.suffix == ".ipynb":
        nbformat.write(notebook, file)
        return
    exporter = MarkdownExporter() if file.suffix == ".md" else HTMLExporter(embed_images=True)
    resources = {"output_files_dir": f"{file.stem}-files", "unique_key": "output"}
    text, resources = exporter.from_notebook_node(notebook, resources=resources)
    for name, content in (resources.get("outputs") or {}).items():
        (file.parent / name).parent.mkdir(exist_ok=True)
        (file.parent / name).write_bytes(content)
    file.write_text(text, encoding="utf-8")


def main(words: list[str] | None = None) -> int:
    """Write all notebooks, or those whose names begin as asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=Path("build/notebooks"))
    parser.add_argument("--to", default=",".join(KINDS), help="ipynb, md, html; with commas")
    parser.add_argument("--only", default="", help="the first letters of a file, such as 3")
    parser.add_argument("--empty", action="store_true", help="do not execute them")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args(words)
    kinds = tuple(given.to.split(","))
    if not set(kinds) <= set(KINDS):
        parser.error(f"--to is a list of {', '.join(KINDS)}")
    chosen = [source for source in sources() if source.name.startswith(given.only)]
    if not chosen:
        parser.error(f"no notebook begins with {given.only!r}")
    one = partial(make, out=given.folder, kinds=kinds, execute=not given.empty)
    with ProcessPoolExecutor(given.workers) as pool:
        for source, seconds in zip(chosen, pool.map(one, chosen), strict=True):
            print(f"{given.folder / source.stem}: {seconds:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
