"""The console of a page: a session of Python, and the commands that need only rules."""

from __future__ import annotations

import json
import re

import pytest

from cardwright.interfaces.console import COMMANDS, Console


class Session:
    """A console, and what it has told of its last text."""

    def __init__(self) -> None:
        self.console = Console()
        self.told: list[tuple[str, bool]] = []
        self.run("")

    def run(self, source: str, files: dict[str, str] | None = None) -> bool:
        """Run a text, and return whether it wants more lines."""
        self.told = []
        tell = lambda text, bad: self.told.append((text, bad))  # noqa: E731
        status, more = self.console.run(source, 100, files or {}, tell)
        assert status == 200
        return json.loads(more)

    def out(self, source: str) -> str:
        """Return what a whole text says on the standard output, and nothing else."""
        assert self.run(source) is False
        assert not any(bad for _, bad in self.told), self.told
        return "".join(text for text, _ in self.told)

    def bad(self, source: str) -> str:
        """Return what a whole text says on the standard error, and nothing else."""
        assert self.run(source) is False
        assert all(bad for _, bad in self.told), self.told
        return "".join(text for text, _ in self.told)


@pytest.fixture
def session(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")  # so that it is as before in the end
    return Session()


def test_it_begins_with_what_is_there():
    told = []
    Console().run("", 80, {}, lambda text, bad: told.append((text, bad)))
    [(text, bad)] = told
    assert re.fullmatch(r"Python 3\.\d+\.\d+, Cardwright \S+: `cardwright` is imported\n", text)
    assert not bad


def test_values_are_shown_and_names_are_kept(session):
    assert session.out("x = 20 + 1\n2 * x\nx") == "42\n21\n"
    assert session.out("_ + x") == "42\n"
    assert session.out("cardwright.Game.load('kuhn').players") == "2\n"
    assert session.out("# nothing") == ""


@pytest.mark.parametrize(
    "source",
    [
        "for i in range(2):",
        "for i in range(2):\n    print(i)",
        "x = 1\ndef double(n):\n    return 2 * n",
        "from functools import cache\n@cache\ndef one():\n    return 1",
        "(1 +",
        "'''",
    ],
)
def test_a_text_that_is_not_whole_wants_more(session, source):
    assert session.run(source) is True
    assert session.told == []


def test_an_empty_line_ends_a_block(session):
    assert session.out("for i in range(2):\n    print(i)\n") == "0\n1\n"
    assert session.out("def double(n):\n    return 2 * n\n\ndouble(4)") == "8\n"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("def f(:", "SyntaxError: invalid syntax"),
        ("input()", "EOFError: EOF when reading a line"),
        ("exit()", "error: this page stays until you close it"),
        ("import no_such_module", "the rest is where it is installed"),
    ],
)
def test_errors_are_those_of_python(session, source, said):
    told = session.bad(source)
    assert told.splitlines()[-1].endswith(said)
    assert "console.py" not in told


def test_both_streams_are_told_in_order(session):
    session.run("import sys\nprint(1)\nprint(2, file=sys.stderr)\nprint(3)")
    assert session.told == [("1\n", False), ("2\n", True), ("3\n", False)]


def test_what_is_written_in_a_loop_comes_in_parts(session):
    session.out("for i in range(10_000): print(i)\n")
    assert 4 < len(session.told) < 1000


def test_commands_are_called(session):
    assert "wrote mine.rcy" in session.out("cardwright new mine --kind shedding")
    assert session.out("cardwright check mine.rcy\ncardwright check mine.rcy").count(": ok") == 4
    assert session.run("cardwright check duel.rcy", {"duel.rcy": "(game"}) is False
    assert any("error E" in text for text, _ in session.told)
    for module in COMMANDS:
        name = module.rpartition(".")[2].replace("_", "-")
        assert f"cardwright {name}" in session.out(f"cardwright {name} --help")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("cardwright play kuhn", "games are played at the tables of this page"),
        ("cardwright lab all", "this page has check, "),
        ("cardwright ", "this page has check, "),
        ("cardwright show 'kuhn", "No closing quotation"),
        ("cardwright show none", "there is no game 'none'"),
    ],
)
def test_a_command_that_cannot_be_says_why(session, call, said):
    assert said in session.bad(call)
