"""Broken game files, and the messages that their authors see.

Each file of the folder `broken` holds a program with mistakes and, below it, all that the checker
must say about it: a line `;; expect:` for each diagnostic in order of place, followed by lines for
its other parts. After a change of words, `python tests/program/test_broken_files.py` rewrites these
lines; review the diff.
"""

from pathlib import Path

import pytest

from cardwright.program.check import check
from cardwright.syntax.diagnostic import Diagnostic, render
from cardwright.syntax.source import Source, read_file

FOLDER = Path(__file__).parent / "broken"
FILES = sorted(FOLDER.glob("*.rcy"))
MARK = "\n;; expect: "


def told(diagnostic: Diagnostic, source: Source) -> list[str]:
    """Return a diagnostic as lines of comment."""
    place = source.position(diagnostic.span.start)
    where = f"{diagnostic.code.code} at {place.line}:{place.column}"
    lines = [f";; expect: {where}: {diagnostic.message}"]
    if diagnostic.expected:
        lines.append(f";;   expected: {diagnostic.expected}")
    if diagnostic.help:
        lines.append(f";;   help: {diagnostic.help}")
    for other in diagnostic.related:
        seen = source.position(other.span.start)
        lines.append(f";;   see {seen.line}:{seen.column}: {other.message}")
    return lines


def lesson(source: Source) -> list[str]:
    """Return all that the checker says about a file, as lines of comment."""
    return [line for found in check(source).diagnostics for line in told(found, source)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_checker_says_what_the_file_expects(path: Path) -> None:
    """Every mistake in a file is reported once, in the words given below the program."""
    source = read_file(path)
    start = source.text.index(MARK) + 1
    assert lesson(source) == source.text[start:].splitlines()


@pytest.mark.sweep
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_message_can_be_shown(path: Path) -> None:
    """Each diagnostic shows its line, and a caret below the place that it is about."""
    source = read_file(path)
    for found in check(source).diagnostics:
        first, excerpt, carets, *_ = render(found, source).splitlines()
        place = source.position(found.span.start)
        assert first.startswith(f"{source.name}:{place.line}:{place.column}: ")
        assert excerpt.startswith(f"{place.line:5} | ")
        assert "^" in carets


def test_there_are_many_lessons() -> None:
    """The folder is there, and has not lost its files."""
    assert len(FILES) >= 100


def rewrite(path: Path) -> None:
    """Rewrite the expectations of a file."""
    program = read_file(path).text.split(MARK)[0].rstrip("\n") + "\n"
    lines = lesson(Source(path.name, program))
    path.write_bytes(f"{program}{chr(10).join(lines)}\n".encode())


if __name__ == "__main__":
    for each in FILES:
        rewrite(each)
