from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from click.testing import Result

import cardwright
from cardwright._version import RESULTS_VERSION
from cardwright.english import counted, listed
from cardwright.interfaces.cli import games
from cardwright.interfaces.cli.text import printable

Run = Callable[..., Result]

COMMANDS = [
    "games", "show", "play", "serve", "replay", "publish", "simulate", "match", "tournament",
    "ladder",
    "players", "solve", "exploit", "analyze", "variants", "evolve", "figures", "lab", "records",
    "league", "new",
    "check", "format", "test", "explain-diff", "compile", "lsp",
    "doctor", "bench", "cache", "completion",
]  # fmt: skip


@pytest.mark.parametrize("word", ["--help", "-h"])
def test_help_lists_commands_and_exit_codes(run: Run, word: str) -> None:
    result = run(word)
    assert result.exit_code == 0
    assert all(f"\n  {command} " in result.stdout for command in COMMANDS)
    assert all(f"\n    {code} " in result.stdout for code in (0, 1, 2, 70, 130))
    assert "..." not in result.stdout.split("Play:")[1]


def test_help_has_the_commands_in_groups(run: Run) -> None:
    """Each is in one of them, and all texts stand below each other."""
    said = run("--help").stdout
    groups = re.findall(r"^(\w[\w ]*):\n((?:  \w[\w-]* +\S.*\n)+)", said, re.MULTILINE)
    assert [title for title, _ in groups] == [
        "Play", "Study", "Hearts League", "Language", "This machine"
    ]  # fmt: skip
    lines = [line for _, text in groups for line in text.splitlines()]
    assert [line.split()[0] for line in lines] == COMMANDS
    assert len({re.match(r"  \w[\w-]* +", line).end() for line in lines}) == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run: Run, command: str) -> None:
    for word in ("--help", "-h"):
        result = run(command, word)
        assert result.exit_code == 0
        assert result.stdout.startswith(f"Usage: cardwright {command} ")


def test_version(run: Run) -> None:
    assert (
        run("--version").stdout
        == f"cardwright {cardwright.__version__}, results {RESULTS_VERSION}\n"
    )


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("simulat", "did you mean simulate?"),
        ("CHECK", "did you mean check?"),
        ("qqq", "the commands are games"),
    ],
)
def test_unknown_commands_get_a_suggestion(run: Run, word: str, said: str) -> None:
    result = run(word)
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.parametrize("word", ["-x", "--bad"])
def test_unknown_options(run: Run, word: str) -> None:
    assert run(word).exit_code == 2


def test_a_bug_is_owned_up_to(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games.command, "callback", lambda style: 1 / 0)
    result = run("games")
    assert result.exit_code == 70
    assert "this is a bug in Cardwright: ZeroDivisionError" in result.stderr
    assert "CARDWRIGHT_TRACEBACK=1" in result.stderr
    monkeypatch.setenv("CARDWRIGHT_TRACEBACK", "1")
    assert isinstance(run("games").exception, ZeroDivisionError)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (OSError(28, "No space left on device"), 1, "error: No space left on device"),
        (OSError(13, "Permission denied", "x.rcy"), 1, "error: x.rcy: Permission denied"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (RecursionError("too deep"), 70, "RecursionError"),
        (cardwright.CardwrightError("no \x1b[31m luck"), 1, "error: no \ufffd[31m luck"),
    ],
)
def test_errors_become_messages(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, said: str
) -> None:
    def fail(style: str) -> None:
        raise error

    monkeypatch.setattr(games.command, "callback", fail)
    result = run("games")
    assert result.exit_code == code
    assert said in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_say_how_to_install_them(run: Run, shell: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"# Completion of cardwright for {shell}")
    assert f"_CARDWRIGHT_COMPLETE={shell}_complete" in result.stdout
    assert run("completion", "tcsh").exit_code == 2


def test_texts() -> None:
    assert (
        printable("a\tb\nc\x1b[1m\r\x9b\u202e\u2066") == "a\tb\nc\ufffd[1m\ufffd\ufffd\ufffd\ufffd"
    )
    assert [counted(n, "game") for n in (0, 1, 2000)] == ["0 games", "1 game", "2,000 games"]
    assert [listed(items, "or") for items in ([], [3], [3, 4], [3, 4, 5])] == [
        "", "3", "3 or 4", "3, 4 or 5"
    ]  # fmt: skip
