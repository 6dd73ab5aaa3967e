"""The pages of docs/ and the README: their games run, their code works, their links lead somewhere.

Info strings of the code blocks say what is done with them: `recycle` is a whole game, which must be
free of warnings and is played; `recycle-fragment` are forms, each of which must fit the form table;
`recycle-passage` stands in a game of the library, as it is or was before;
`recycle-mistake` is a game or a part of one, and the `text` block after it is what the checker says
of it; `recycle-stops` is a game that stops with an error when it is played; `python` is run, page
by page, as doctests if it has prompts; the commands of `console` are run, and must end well unless
an `echo $?` after them shows otherwise. Some tutorials are followed as a whole instead
(`walkthrough`, `test_first_game.py`).
"""

from __future__ import annotations

import ast
import doctest
import io
import re
import runpy
import shlex
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from unittest import mock

import click
import pytest

import deep
import walkthrough
from cardwright import Game, GameError, Stream
from cardwright.interfaces.cli.group import commands as cli
from cardwright.program.check import check
from cardwright.program.elaborate import Elaborator
from cardwright.program.kinds import ANYTHING, ValueKind
from cardwright.syntax.diagnostic import Code, Diagnostics, Severity, render
from cardwright.syntax.reader import read
from cardwright.syntax.source import Source, Span
from cardwright.syntax.tree import Atom, Form, Syntax
from commands import call, leave_pictures_empty
from deep import usually

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [
    *sorted(DOCS.glob("*.md")),
    *sorted(page for page in DOCS.rglob("*.md") if page.parent != DOCS),
    ROOT / "README.md",
]
"""Pages in folders below docs/ are tested like those at its top."""


FENCE = re.compile(r"^```(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)

SMALLER = {
    "simulate": ["--games", "10"],
    "analyze": ["--games", "4", "--ai-games", "1", "--player", "cardstock-pipmc:tests=1"],
    "variants": ["--games", "4", "--ai-games", "0"],
    "match": ["--deals", "1"],
    "lab": ["--deals", "10"],
    "evolve": ["--candidates", "2", "--generation", "1", "--finalists", "1", "--games", "4"],
    "bench": ["--seconds", "0.01"],
}
"""How much is played by commands of which no output is shown, whatever they say themselves."""

WITHOUT_NUMBERS = {"variants", "bench"}
"""Commands of which only titles are shown, which say nothing of how much is played."""

LONG = (
    "analyze leduc ",
    "analyze kuhn leduc ",
    "bench leduc ",
    "compile hearts --show stats",
    "evolve agram --aim length 20..30 --map length,luck ",
    "evolve hearts --preset standard ",
    "evolve hearts --aim length 40..60",
    "explain-diff hearts ",
    "exploit lowest hearts ",
    " near-agram",
    "lab all --deals 500 ",
    "lab factorial --slots pass,first --deals ",
    "lab one --game kuhn --player ismcts ",
    "lab one --factor moon=option:MOON:PLUS,OFF ",
    "lab one passTest --deals 2000 ",
    "ladder random pimc:rollouts=2 ",
    "league run my-season --seed 1 --trusted",
    "match ismcts pimc leduc ",
    "match ismcts:iterations=200 random whist ",
    "match ismcts:iterations=500 pimc hearts ",
    "simulate hearts --set PLAYERS=3 ",
    "simulate hearts --preset standard ",
    "tournament random ",
    "variants hearts ",
)
"""Parts of commands that do what other tests let commands do: but for a deep run they are read."""

LONG_PAGES = (
    "evolution.md",
    "figures.md",
    "how-to/search-designs.md",
    "how-to/write-a-determinisation.md",
    "openspiel.md",
    "solving.md",
    "tutorials/better-player.md",
    "tutorials/study-for-a-paper.md",
    "tutorials/train-an-agent.md",
)
"""Pages whose Python does so: but for a deep run only the names that it imports are looked for."""

FRAME = ("game", "define", "declare", "setup", "create", "deck", "scoring")
"""Words that open parts of a program's frame, which the form table does not have."""

AROUND = (
    """(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK)
      (deck (SUIT (HEARTS, SPADES)) (RANK (ONE, TWO, THREE, FOUR)))))
  (do (
    (set (game points WORTH) (((RANK : ONE) 1)))
    (set (game sto ROUND) 1)
    (set (game str LEAD) HEARTS)
    (move (top (game iloc STOCK)) (top (game vloc PILE)))
    (all player 'P
      (do (
        (set ('P sto SCORE) 0)
        (move (top (game iloc STOCK)) (top ('P iloc HAND))))))))
""",
    """
  (scoring max (+ ((current player) sto SCORE) (game sto ROUND)
    (size (game vloc PILE)) (sum ((current player) iloc HAND) using (game points WORTH)))))
""",
)
"""The game into which a mistake is put that is only a part of one."""


@dataclass(frozen=True)
class Block:
    """One code block of a page."""

    page: Path
    line: int
    info: str
    text: str
    answer: str = ""
    """The text of the block after it."""

    def __str__(self) -> str:
        return f"{name(self.page)}:{self.line}"


def name(page: Path) -> str:
    """Return how a page is called here: its path below docs/."""
    return page.relative_to(DOCS if page.is_relative_to(DOCS) else ROOT).as_posix()


@cache
def blocks(info: str) -> list[Block]:
    """Return the code blocks with an info string, from all pages."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        fences = list(FENCE.finditer(text))
        for at, fence in enumerate(fences):
            if fence[1] == info:
                answer = fences[at + 1][2] if at + 1 < len(fences) else ""
                line = text.count("\n", 0, fence.start()) + 1
                found.append(Block(page, line, info, fence[2], answer))
    return found


def prose(page: Path) -> str:
    """Return a page without its code blocks and code in lines."""
    return re.sub(r"`[^`\n]+`", "", FENCE.sub("", page.read_text(encoding="utf-8")))


def file_name(text: str) -> str:
    """Return the name of a game's file, from its first comment; empty if it has none."""
    match = re.match(r";; ([A-Za-z ]+):", text)
    return match[1].lower().replace(" ", "") + ".rcy" if match else ""


def said_of(text: str) -> str:
    """Return what the checker says of a mistake, with lines counted as in the block."""
    if "(game\n" in text:
        checked = check(Source(file_name(text) or "game.rcy", text))
        return "\n".join(render(found, checked.source) for found in checked.diagnostics)
    before, after = AROUND
    checked = check(Source("game.rcy", before + text + after))
    inner = Source("game.rcy", text)

    def moved(span: Span) -> Span:
        return Span(span.start - len(before), span.end - len(before))

    return "\n".join(
        render(
            replace(
                found,
                span=moved(found.span),
                related=tuple(replace(one, span=moved(one.span)) for one in found.related),
            ),
            inner,
        )
        for found in checked.diagnostics
        if len(before) <= found.span.start < len(before) + len(text)
    )


def test_info_strings_are_known() -> None:
    known = {"recycle", "recycle-fragment", "recycle-mistake", "recycle-stops"}
    known |= {"recycle-passage", "python", "console", "text", "json", "sh", "toml"}
    for page in PAGES:
        for fence in FENCE.finditer(page.read_text(encoding="utf-8")):
            assert fence[1] in known, f"{name(page)}: {fence[1]!r}"
        assert page.read_text(encoding="utf-8").count("\n```") % 2 == 0, name(page)


@pytest.mark.parametrize("block", blocks("recycle"), ids=str)
def test_games_run(block: Block) -> None:
    checked = check(Source(str(block), block.text))
    bad = [found for found in checked.diagnostics if found.severity is not Severity.NOTE]
    assert not bad, "\n".join(render(found, checked.source) for found in bad)
    for seed in range(usually(2, 5)):
        play(Game.from_source(checked.source), seed)


def play(game: Game, seed: int) -> None:
    """Play a game with random choices."""
    state = game.start(seed)
    streams = [Stream.of_seat(seed, seat) for seat in range(game.players)]
    while state.player is not None:
        state.play(streams[state.player].below(state.option_count))
    assert len(state.scores) == game.players


@pytest.mark.parametrize("block", blocks("recycle-stops"), ids=str)
def test_games_said_to_stop_do(block: Block) -> None:
    checked = check(Source(str(block), block.text))
    assert not list(checked.diagnostics)
    with pytest.raises(GameError):
        play(Game.from_source(checked.source), 1)


@pytest.mark.parametrize("block", blocks("recycle-fragment"), ids=str)
def test_fragments_fit_the_form_table(block: Block) -> None:
    source = Source(str(block), f"({block.text})")
    report = Diagnostics(source)
    reading = read(source, report)
    assert reading.form is not None, report
    assert reading.rest is None
    elaborator = Elaborator(report, in_choice=True)
    for item in reading.form.items:
        if not _is_frame(item):
            elaborator.elaborate(item, ANYTHING & ~ValueKind.AWARD)
    bad = [found for found in report if found.code is not Code.UNBOUND]
    assert not bad, "\n".join(render(found, source) for found in bad)


def _is_frame(item: Syntax) -> bool:
    return isinstance(item, Form) and isinstance(item.head, Atom) and item.head.text in FRAME


@pytest.mark.parametrize("block", blocks("recycle-passage"), ids=str)
def test_passages_stand_in_a_game(block: Block) -> None:
    """The games are those of the library, and those of `tests/library/before`."""
    files = [*(ROOT / "src").rglob("library/games/*.rcy"), *(ROOT / "tests").rglob("before/*.rcy")]
    games = [_words(file.read_text(encoding="utf-8")) for file in files]
    assert any(_words(block.text) in game for game in games)


def _words(text: str) -> str:
    """Return a text without comments and line breaks."""
    return " ".join(re.sub(";;.*", "", text).split())


@pytest.mark.parametrize("block", blocks("recycle-mistake"), ids=str)
def test_mistakes_are_told_as_printed(block: Block) -> None:
    assert said_of(block.text) == block.answer.rstrip("\n")


WITH_PYTHON = list(dict.fromkeys(block.page for block in blocks("python")))


@pytest.mark.parametrize("page", WITH_PYTHON, ids=name)
def test_python_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    leave_pictures_empty(monkeypatch)
    _write_games(tmp_path)
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(verbose=False)
    only_imports = name(page) in LONG_PAGES and not deep.asked
    for block in [found for found in blocks("python") if found.page == page]:
        code = plain_code(block)
        if only_imports:
            code = "\n".join(imports(code))
        elif ">>>" in block.text:
            test = doctest.DocTestParser().get_doctest(
                block.text, names, str(block), None, block.line
            )
            output = io.StringIO()
            failed = runner.run(test, out=output.write, clear_globs=False).failed
            names.update(test.globs)
            assert not failed, output.getvalue()
            continue
        with redirect_stdout(io.StringIO()):
            exec(compile(code, str(block), "exec"), names)


def plain_code(block: Block) -> str:
    """Return the Python of a block without prompts and answers."""
    if ">>>" not in block.text:
        return block.text
    return "".join(example.source for example in doctest.DocTestParser().get_examples(block.text))


def imports(code: str) -> list[str]:
    """Return the statements of some code, wherever they stand, that import something."""
    found = ast.walk(ast.parse(code))
    return [ast.unparse(node) for node in found if isinstance(node, (ast.Import, ast.ImportFrom))]


def test_long_pages_are_there() -> None:
    """What is left to the deep run is on some page, and imports what the package has."""
    assert {name(page) for page in WITH_PYTHON} >= set(LONG_PAGES)
    assert not {"README.md1", "api.md"} & set(LONG_PAGES)
    for page in LONG_PAGES:
        code = [plain_code(block) for block in blocks("python") if name(block.page) == page]
        assert any("cardwright" in line for text in code for line in imports(text)), page


def _write_games(folder: Path) -> None:
    """Write the games of the pages into a folder, each under the name in its first comment.

    The first of them is there as `mygame.rcy` too.
    """
    (folder / "mygame.rcy").write_text(blocks("recycle")[0].text, encoding="utf-8")
    for info in ("recycle", "recycle-mistake", "recycle-stops"):
        for block in blocks(info):
            if name := file_name(block.text):
                (folder / name).write_text(block.text, encoding="utf-8")


def commands(block: Block) -> list[tuple[str, list[str]]]:
    """Return the commands of a console block, each with the lines shown after it."""
    found: list[tuple[str, list[str]]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    return found


def read_command(words: list[str]) -> None:
    """Read the words of a command as it does, which then does nothing."""
    command = cli.get_command(click.Context(cli), words[0])
    assert command is not None
    rest = words[1:]
    if isinstance(command, click.Group):
        command = command.get_command(click.Context(command), rest.pop(0))
        assert command is not None
    with mock.patch.object(click.Path, "convert", lambda _self, value, *_: value):
        command.make_context(words[0], rest)


def test_long_commands_are_there() -> None:
    """What is left to the deep run is on some page."""
    lines = [shlex.split(line, comments=True) for block in ALONE for line, _ in commands(block)]
    there = [" ".join(words[1:]) for words in lines]
    for long in LONG:
        assert any(long in line for line in there), long


ALONE = [block for block in blocks("console") if block.page not in walkthrough.FOLLOWED]
"""Blocks that need none before them; pages that are followed have tests of their own."""


@pytest.mark.parametrize("block", ALONE, ids=str)
def test_commands_do_as_printed(
    block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands end well unless `echo $?` shows otherwise; what is shown of their output is said."""
    leave_pictures_empty(monkeypatch)
    _write_games(tmp_path)
    session = commands(block)
    assert session, "no command in this block"
    for at, (command, shown) in enumerate(session):
        words = shlex.split(command, comments=True)
        shows_nothing = not any(line.strip(" .") for line in shown)
        if not deep.asked and any(long in " ".join(words[1:]) for long in LONG):
            read_command(words[1:])
            continue
        if (
            (shows_nothing or words[1] in WITHOUT_NUMBERS)
            and len(words) > 1
            and not {"run", "--save-plan"} & set(words)
        ):
            words += SMALLER.get(words[1], [])
        if words[0] != "cardwright":
            assert words[0] in {"echo", "cat", "pip", "pipx", "uv", "git", "cd"}, command
            continue
        done = call(words[1:], tmp_path)
        after = session[at + 1] if at + 1 < len(session) else ("", [])
        expected = int(after[1][0]) if after[0] == "echo $?" else 0
        assert done.returncode == expected, done.stdout + done.stderr
        said = {line.strip() for line in (done.stdout + done.stderr).splitlines()}
        for line in shown:
            assert not line.strip() or line.strip() == "..." or line.strip() in said, (
                f"{command} does not say: {line}\n{done.stdout}{done.stderr}"
            )


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(prose(page)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, fragment = target.partition("#")
        linked = (page.parent / path) if path else page
        assert linked.exists(), f"{name(page)}: {target}"
        if fragment:
            assert fragment in anchors(linked), f"{name(page)}: {target}"


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub and mkdocs make them."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    found = set()
    for heading in HEADING.findall(text):
        plain = re.sub(r"[`*]", "", heading.strip()).lower()
        found.add(re.sub(r" ", "-", re.sub(r"[^\w\- ]", "", plain)))
    return found


def test_pages_made_from_tables_are_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    made = runpy.run_path(str(DOCS / "make_reference.py"))
    assert made["main"](["--check"]) == 0


def test_every_page_is_in_the_index() -> None:
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    for page in DOCS.glob("*.md"):
        assert page.name == "README.md" or f"({page.name})" in index, page.name


def test_less_than_other_sites_have_is_explained() -> None:
    """Of 25 features on six sites, each that Cardwright lacks has its reason in the last column."""
    text = (DOCS / "other-sites.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    head, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    assert len(rows) == 25
    assert {len(row) for row in rows} == {len(head)} == {8}
    for feature, own, *_, reason in rows:
        assert own.startswith(("no", "a few")) <= bool(reason), feature


def reprint() -> None:
    """Put into the pages what the checker says now; read the changes before you keep them."""
    shown = re.compile(
        r"(```recycle-mistake\n)((?:(?!```).*\n)*)(```\n\n```text\n)((?:(?!```).*\n)*)"
    )
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        told = shown.sub(lambda m: f"{m[1]}{m[2]}{m[3]}{said_of(m[2])}\n", text)
        page.write_text(told, encoding="utf-8")


if __name__ == "__main__":
    reprint()
