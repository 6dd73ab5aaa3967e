"""One word for one thing in all commands, and one exit code for all wrong calls."""

from __future__ import annotations

import ast
import csv
import io
import json
import re
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pytest
from click.testing import CliRunner

import cardwright
from cardwright.interfaces.cli.group import commands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from click.testing import Result

    Run = Callable[..., Result]

STYLES = ("table", "json", "csv")

WITHOUT_RESULTS = {
    "play", "serve", "publish", "format", "figures", "compile", "lsp", "completion", "new",
    "league new", "league schedule",
    "league report",
}  # fmt: skip
"""Commands that print what they did, or write a file; all others print results."""

SYNONYMS = {
    "--threads": "--workers", "--jobs": "--workers", "--processes": "--workers",
    "--output": "--out", "--directory": "--out", "--dir": "--out", "--continue": "--resume",
    "--move-seconds": "--move-ms", "--most-faults": "--faults", "--slot": "--slots",
    "--random-seed": "--seed", "--silent": "--quiet", "--no-progress": "--quiet",
}  # fmt: skip
"""Words that there must not be, with those that there are for them."""


def _walk(
    command: click.Command, names: tuple[str, ...] = (), parent: click.Context | None = None
) -> Iterator[tuple[str, click.Command]]:
    settings = command.context_settings
    context = click.Context(command, parent, names[-1] if names else None, **settings)
    if not isinstance(command, click.Group):
        yield " ".join(names), command
        return
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from _walk(inner, (*names, name), context)


COMMANDS = dict(_walk(commands))


def _options() -> dict[str, list[tuple[str, click.Option]]]:
    """Return all options by name, each with its commands."""
    found: dict[str, list[tuple[str, click.Option]]] = defaultdict(list)
    for path, command in COMMANDS.items():
        for param in command.params:
            if isinstance(param, click.Option):
                found[param.opts[0]].append((path, param))
    return found


OPTIONS = _options()


def _kind(option: click.Option) -> tuple[Any, ...]:
    """Return what sort of a value an option takes; how large it may be is particular."""
    kind = option.type
    return (
        type(kind).__name__,
        tuple(kind.choices) if isinstance(kind, click.Choice) else None,
        (kind.file_okay, kind.dir_okay) if isinstance(kind, click.Path) else None,
        option.metavar,
        option.multiple,
        option.is_flag,
    )


def _sentence(option: click.Option) -> str:
    """Return the first sentence of a help."""
    assert option.help, option.opts
    return re.split(r"\.\s|\.$|  \[", option.help)[0]


TWO_MEANINGS = {
    "--plain": "a table without a full screen, and a text without extensions",
    "--target": "what code is made for, and how near to an equilibrium is near enough",
    "--method": "how a game is solved, and how games are searched for",
    "--out": "the folder of a report, and where a page goes that may be one file",
    "--vary": "the values of a constant, and the kinds of changes of a search",
}
"""Options that mean one thing in one command and another in another, and why nobody mixes them up.

Each is what users of that command look for.
"""


MADE = {"--json", "--csv"}
"""Options whose text is made of their name."""

SOURCES = Path(cardwright.__file__).parent


@pytest.mark.parametrize("name", sorted(OPTIONS.keys() - TWO_MEANINGS))
def test_an_option_is_the_same_in_every_command(name: str) -> None:
    """It takes the same kind of value, and is explained by the same sentence."""
    meanings = {(_kind(option), _sentence(option)) for _, option in OPTIONS[name]}
    assert len(meanings) == 1, meanings


def test_what_several_commands_have_is_declared_once() -> None:
    """The sentence that explains it begins one text of the sources, and no second one."""
    files = [*SOURCES.glob("interfaces/cli/*.py"), *SOURCES.glob("*/settings.py")]
    files.append(SOURCES / "study/__init__.py")
    texts = [
        node.value
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    several = {_sentence(found[0][1]): name for name, found in OPTIONS.items() if len(found) > 1}
    times = {
        name: sum(text == sentence or text.startswith(f"{sentence}.") for text in texts)
        for sentence, name in several.items()
        if name not in {*TWO_MEANINGS, *MADE}
    }
    assert {name: number for name, number in times.items() if number != 1} == {}
    assert {"--seed", "--deals", "--workers", "--seat", "--preset", "--records"} <= times.keys()


def test_no_two_options_mean_the_same() -> None:
    names = defaultdict(set)
    for name, found in OPTIONS.items():
        for _, option in found:
            names[_sentence(option)].add(name)
    assert [words for words in names.values() if len(words) > 1] == []
    assert not OPTIONS.keys() & SYNONYMS.keys()


@pytest.mark.parametrize("path", sorted(COMMANDS.keys() - WITHOUT_RESULTS))
def test_every_command_that_prints_results_prints_them_in_three_ways(path: str) -> None:
    named = {option.opts[0]: option for option in COMMANDS[path].params}
    assert {"--format", "--json", "--csv"} <= named.keys()
    assert tuple(named["--format"].type.choices) == STYLES
    assert named["--format"].default == "table"


def test_the_other_commands_print_no_results() -> None:
    """So nobody has to list one that does."""
    assert COMMANDS.keys() >= WITHOUT_RESULTS
    for path in WITHOUT_RESULTS:
        assert not {"--format", "--json", "--csv"} & {one.opts[0] for one in COMMANDS[path].params}


PRINTED = (
    "check coin.rcy wrong.rcy", "games", "show coin.rcy", "replay coin.rcy --seed 1 --choices 0",
    "simulate coin.rcy --games 5", "match random random coin.rcy --deals 2",
    "tournament random random coin.rcy --deals 2", "players",
    "ladder random coin.rcy --field random --deals 2", "cache", "lab all --dry-run --seed 1",
)  # fmt: skip


@pytest.mark.parametrize("words", PRINTED)
def test_short_forms_print_the_same(words: str, run: Run) -> None:
    """What is printed can be read by those for whom it is; CSV has rows as long as its head."""
    for style in ("json", "csv"):
        short, long = (
            run(*words.split(), *more) for more in ((f"--{style}",), ("--format", style))
        )
        assert short.exit_code in {0, 1}, short.output
        assert short.exit_code == long.exit_code
        if style == "json":
            assert isinstance(json.loads(short.stdout), dict)
        else:
            rows = list(csv.reader(io.StringIO(short.stdout)))
            assert {len(row) for row in rows} == {len(rows[0])}


WRONG = (
    "show nosuch", "show nosuch.rcy", "show coin.rcy --preset x", "show coin.rcy --set NOSUCH=1",
    "show hearts --set PLAYERS=99", "show coin.rcy --base two", "play nosuch", "play",
    "play none.json --resume", "play coin.rcy --seat 9", "play coin.rcy --players nosuch",
    "play coin.rcy --save none/x.json", "simulate nosuch", "simulate coin.rcy --games 0",
    "simulate coin.rcy --players nosuch", "simulate coin.rcy --seed x",
    "simulate coin.rcy --workers 0", "simulate coin.rcy --format xml",
    "simulate coin.rcy --games 1 --players rule", "simulate coin.rcy --trace",
    "simulate coin.rcy --games 1 --players hierarchy:none.toml", "replay coin.rcy",
    "replay coin.rcy --seed 1 --choices 9", "match random", "match random coin.rcy",
    "match random random random hearts", "match random random coin.rcy --mix --orders all",
    "match random random coin.rcy --plot none/x.png", "tournament random coin.rcy",
    "match random random coin.rcy --resume", "ladder random hearts --field random,random",
    "ladder random coin.rcy", "analyze nosuch --out {0}/out", "analyze hearts:none --out {0}/out",
    "variants coin.rcy --vary NOSUCH=1 --out {0}/out", "variants coin.rcy --out {0}/out",
    "figures --out {0}/out", "figures nosuch --out {0}/out", "lab one", "lab one nosuch",
    "lab all --game nosuch", "lab all --game coin.rcy", "lab all --player nosuch",
    "lab all --until 1 --of nosuch", "lab factorial --fraction 1/3", "lab screen",
    "lab factorial --generator x", "lab screen --slots nosuch", "lab run none.toml",
    "lab report none", "lab all --save-plan none/plan.toml --dry-run", "records none",
    "league check none.py", "league run none", "league report none",
    "league schedule --rounds 2", "league schedule --bots 3 --rounds 2",
    "league schedule --season none --rounds 2", "league schedule --bots 8 --rounds 1 --save no/x",
    "compile nosuch", "compile coin.rcy --function x", "bench nosuch", "bench --seconds 0",
    "cache nosuch", "completion nosuch", "check", "format", "nosuch", "lab nosuch", "league nosuch",
    "check coin.rcy --threads 2", "games extra",
)  # fmt: skip


@pytest.mark.parametrize("words", WRONG)
def test_a_wrong_call_is_2(words: str, run: Run, tmp_path: Path) -> None:
    """Whatever is wrong with it, it says so in the same way, and has done nothing."""
    result = run(*words.format(tmp_path).split())
    assert result.exit_code == 2, result.output
    assert re.search(r"^(\S+: )?error:", result.stderr, re.MULTILINE)
    assert "Error:" not in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_what_was_asked_for_and_fails_is_1(run: Run, tmp_path: Path) -> None:
    """Files with errors, games that stop, folders in use."""
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "file").touch()
    (tmp_path / "plan.toml").write_text("no plan")
    (tmp_path / "game.rcy").write_bytes(b"\xff\xfe")
    for words in (
        "check wrong.rcy", "check none.rcy", "simulate wrong.rcy", "simulate {0}/game.rcy",
        "simulate breaks.rcy --seeds 2..3", "format none.rcy", "lab run {0}/plan.toml",
        "analyze leduc --out {0}/used", "league new {0}/used", "lab report {0}", "records {0}",
    ):  # fmt: skip
        result = run(*words.format(tmp_path).split())
        assert result.exit_code == 1, words
        assert "Error:" not in result.output


def test_help_is_no_error() -> None:
    """A group without a command shows what there is."""
    result = CliRunner().invoke(commands, ["lab"])
    assert result.exit_code == 2
    assert result.stderr.startswith("Usage: ")
    assert "error" not in result.stderr
