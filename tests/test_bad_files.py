"""Bad files, whatever reads them: deep, huge, endless and broken ones are an error for people.

What reads a file of a new kind gets a case here; the last test says where files are read.
"""

from __future__ import annotations

import ast
import io
import json
import os
import re
import shutil
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest
from click.testing import CliRunner

import cardwright
from cardwright.analysis.records import RunFrames
from cardwright.arena.plan import GameRef, RunPlan
from cardwright.arena.records import RunFolder, load_results, read_results
from cardwright.arena.run import run
from cardwright.authoring.files import position_files
from cardwright.authoring.position import parse_positions
from cardwright.editor.answers import Beside
from cardwright.editor.document import OpenFiles
from cardwright.evolution.records import SearchFolder
from cardwright.game.errors import CardwrightError
from cardwright.game.flow import Flow
from cardwright.game.game import Game
from cardwright.game.settings import settings_of
from cardwright.hearts.hierarchy import Hierarchy
from cardwright.interfaces.cli.group import commands as all_commands
from cardwright.jobs.files import changed, digest, pack, unpack
from cardwright.lab.plan import LabPlan
from cardwright.lab.records import ExperimentFolder
from cardwright.league.records import read_season
from cardwright.league.roster import read_roster, read_schedule
from cardwright.players.strategy import load_strategy
from cardwright.syntax.data_files import DataError, parse_json, parse_toml, read_text
from cardwright.syntax.source import UnreadableError
from cardwright.table.saved import read_saved
from cardwright.web.measurements import Measurements
from cardwright.web.replay_source import ReplayStore

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = Path(cardwright.__file__).parent
DEEP, LONG = 100_000, 5_000

JSON = {
    "deep": b"[" * DEEP,
    "deep and whole": b'{"format": ' + b"[" * 500 + b"]" * 500 + b"}",
    "deep tables": b'{"a":' * DEEP,
    "huge": b'{"format": ' + b"9" * LONG + b"}",
    "large": b'{"version": ' + b"9" * 400 + b"}",
    "infinite": b'{"version": 1e999}',
    "no number": b'{"version": NaN}',
    "half": b'{"format": "\\ud800"}',
    "list": b"[1, 2]",
    "empty": b"",
    "bytes": b"\xff\xfe\x00",
}
"""Texts that are no JSON, or none of anything that is read here."""

TOML = {
    "deep": b"deals = " + b"[" * DEEP,
    "deep and whole": b"deals = " + b"[" * 120 + b"]" * 120,
    "deep tables": b"a = " + b"{ b = " * DEEP,
    "dotted": b"a." * DEEP + b"b = 1",
    "dotted table": b"[" + b"'a'." * DEEP + b"b]",
    "huge": b"deals = " + b"9" * LONG,
    "large": b"deals = " + b"9" * 400,
    "bytes": b"\xff\xfe\x00",
    "open": b"[[",
}

TEXT = {"bytes": b"\xff\xfe\x00", "NUL": b"a\0b", "deep": b"(" * DEEP, "huge": b"9" * LONG}


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(3 << 30)  # of which nothing takes room on the disk


ODD = (endless, pipe, folder, large)
"""What is no file that can be read."""


def manifest(read: Callable[[Path], object]) -> Callable[[Path], object]:
    """Return what reads the file as the manifest of its folder."""
    return lambda path: read(path.parent)


RUN = RunPlan(GameRef.of("kuhn", engine="interpreter"), ("random",), ((0, 0),), 2, 1)


def as_measurement(path: Path) -> None:
    """What the server has kept is as if it were not there."""
    assert Measurements(path.parent)._read(path.stem) is None
    raise Untold


def as_replay(path: Path) -> None:
    assert ReplayStore(path.parent).find(path.stem) is None
    raise Untold


def as_season(path: Path) -> None:
    """It is the manifest in a season's folder of records."""
    season = path.parent / "season"
    season.mkdir(exist_ok=True)
    if not (season / "Records").exists():
        (season / "Records").symlink_to(path.parent)
    read_season(season)


def as_run(path: Path) -> None:
    """It is what a finished run has beside its results."""
    kept = path.parent / "run"
    run(RUN, kept)
    for name in ("faults.json", "timing.json"):
        (kept / name).unlink()
        (kept / name).symlink_to(path)
    manifest = json.loads((kept / "manifest.json").read_bytes())
    digests = {"results.parquet": manifest["digests"]["results.parquet"]}
    (kept / "manifest.json").write_text(json.dumps({**manifest, "digests": digests}))
    try:
        load_results(kept)
    finally:
        shutil.rmtree(kept)


def with_game(path: Path) -> Path:
    """Write a game beside a file that is about it."""
    game = path.with_name("mine.rcy")
    shutil.copy(SOURCE / "library" / "games" / "kuhn.rcy", game)
    return game


def as_facts(path: Path) -> None:
    if not path.is_file():
        raise Untold  # it is not looked at
    settings_of(with_game(path))


def as_editor(path: Path) -> None:
    """The editor has no file beside, or one whose text is checked elsewhere."""
    found = Beside.of(OpenFiles(), path.with_suffix(".rcy").as_uri())
    assert found is None or path.is_file()
    raise Untold


def as_positions(path: Path) -> None:
    for source in position_files(with_game(path)):
        parse_positions(source)


class Untold(Exception):
    """A file is as if it were not there."""


TOLD = (CardwrightError, UnreadableError, DataError, OSError, UnicodeDecodeError, Untold)
"""Errors that say what is wrong with a file: the command line prints all of them."""

Readers: TypeAlias = "tuple[Callable[[Path], object], ...]"

READERS: dict[str, tuple[str, dict[str, bytes], Readers, tuple[str, ...]]] = {
    "saved game": ("game.json", JSON, (read_saved,), (
        "replay {}", "play {} --resume --plain",
    )),
    "strategy": ("solved.json", JSON, (load_strategy,), ("match solved:{} random kuhn",)),
    "samples": ("kept.json", JSON, (), (
        "exploit random kuhn --local --save {} --resume",
        "exploit random kuhn --local --save {} --resume --seed 1",
    )),
    "flow": ("flow.json", JSON, (lambda path: Flow.read(read_text(path)),), ()),
    "manifest": ("manifest.json", JSON, (
        manifest(read_results), manifest(ExperimentFolder.read), manifest(SearchFolder.read),
        manifest(RunFrames.of_folder), as_season,
    ), ("records {}/..", "lab report {}/..")),
    "run": ("odd.json", JSON, (as_run,), ()),
    "measurement": (f"{'a' * 64}.json", JSON, (as_measurement,), ()),
    "replay": (f"{'a' * 32}.json", JSON, (as_replay,), ()),
    "plan": ("plan.toml", TOML, (LabPlan.load,), ("lab run {}", "lab run {} --dry-run")),
    "hierarchy": ("lists.toml", TOML, (Hierarchy.load,), ("match hierarchy:{} random kuhn",)),
    "facts": ("mine.toml", TOML, (as_editor, as_facts), ()),
    "positions": ("mine.positions.toml", TOML, (as_positions,), ("test {}/../mine.rcy",)),
    "roster": ("Main.csv", {**TEXT, "csv": b',"b', "field": b"a" * 200_000}, (read_roster,), ()),
    "schedule": ("Main.csv", TEXT, (lambda path: read_schedule(path, 4),), ()),
    "game": ("odd.rcy", TEXT, (Game.load,), (
        "check {}", "format --check {}", "format {}", "show {}", "compile {}", "replay {}",
    )),
}  # fmt: skip
"""For each kind of file its name, bad contents, what reads it, and commands that do."""


def check(path: Path, readers: Readers, commands: tuple[str, ...]) -> None:
    """Check that all that reads a file says that it is bad, and nothing breaks."""
    for read in readers:
        with pytest.raises(TOLD):
            read(path)
    for words in commands:
        given = [word.format(path) for word in words.split()]
        outcome = CliRunner().invoke(all_commands, given, prog_name="cardwright", input="")
        assert outcome.exit_code in {1, 2}, f"{words}: {outcome.output}"


@pytest.mark.parametrize("kind", READERS)
def test_bad_contents_are_told(kind: str, tmp_path: Path) -> None:
    """Whatever is in the file, no error of another kind gets out."""
    name, contents, readers, words = READERS[kind]
    for number, content in enumerate(contents.values()):
        place = tmp_path / str(number)
        place.mkdir()
        (place / name).write_bytes(content)
        check(place / name, readers, words)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
@pytest.mark.parametrize("make", ODD)
@pytest.mark.parametrize("kind", READERS)
def test_what_is_no_file_is_told(kind: str, make: Callable[[Path], None], tmp_path: Path) -> None:
    """Nothing waits for a pipe, or reads on and on."""
    name, _, readers, words = READERS[kind]
    make(tmp_path / name)
    check(tmp_path / name, readers, words)


@pytest.mark.parametrize("text", JSON.values(), ids=JSON)
def test_json_beyond_limits_has_its_place(text: bytes) -> None:
    if text == JSON["list"]:
        assert parse_json(text) == [1, 2]
        return
    with pytest.raises(DataError):
        parse_json(text)


@pytest.mark.parametrize(
    ("parse", "text", "said"),
    [
        (parse_json, "[" * DEEP, "it is nested more than 100 deep: line 1 column 101"),
        (parse_json, '{"a":\n ' + "9" * LONG + "}", "more than 300 digits: line 2 column 2"),
        (parse_json, "[1e999]", "a number is too large"),
        (parse_toml, "\na = " + "[" * DEEP, "more than 100 deep (at line 2, column 105)"),
        (parse_toml, "a = " + "9" * LONG, "more than 300 digits (at line 1, column 5)"),
        (parse_toml, "a." * DEEP + "b = 1", "more than 100 parts (at line 1, column 1)"),
    ],
)  # fmt: skip
def test_messages_have_places(parse: Callable[[str], object], text: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        parse(text)


def test_what_is_within_the_limits_is_read() -> None:
    deep = "[" * 100 + "]" * 100
    assert json.dumps(parse_json(deep)) == deep
    assert parse_json('{"a": ' + "9" * 300 + "}")["a"] == 10**300 - 1
    assert parse_toml("a = " + "[" * 99 + "]" * 99)["a"]
    assert parse_toml('a."b.c".d = "' + "x.y" * 50 + '"')


def test_packs_of_records_do_not_fill_the_memory() -> None:
    """A pack of some kilobytes that says it has terabytes is not unpacked."""
    memory = io.BytesIO(pack({"text": "x" * 100}))
    with zipfile.ZipFile(memory, "a") as archive:
        archive.writestr("bomb.npy", b"\0" * 1000)
    content = bytearray(memory.getvalue())
    at = content.rfind(b"PK\x01\x02")
    content[at + 24 : at + 28] = (2**32 - 2).to_bytes(4, "little")
    with pytest.raises(ValueError, match="more than can be"):
        unpack(bytes(content), dict)


def test_records_lie_in_their_folder(tmp_path: Path) -> None:
    """A digest in a manifest is not that of any other file of the machine."""
    (tmp_path / "inside").mkdir()
    (tmp_path / "secret").write_text("x")
    name = "../secret"
    wrong = changed(tmp_path / "inside", name, {name: digest(b"x")})
    assert wrong == "it lies outside of the folder"


def test_one_bad_folder_does_not_stop_a_list(tmp_path: Path) -> None:
    """The others are still looked at, and the exit code says that something is wrong."""
    run(RUN, tmp_path / "b")
    for name, text in (("a", json.dumps({"format": RunFolder.FORMAT})), ("c", "[" * DEEP)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "manifest.json").write_text(text)
    outcome = CliRunner().invoke(all_commands, ["records", str(tmp_path)])
    assert outcome.exit_code == 1
    assert f"{tmp_path / 'b'}: run, finished" in outcome.output
    assert str(tmp_path / "a") in outcome.output


# No reader is forgotten -------------------------------------------------------------------------

OWN = {
    "arena/benchmark.py": "the processor, from /proc",
    "compiler/cache.py": "the cache of this user, and the sources of this package",
    "compiler/native.py": "the same cache",
    "editor/commands.py": "what a command of this package prints",
    "evolution/report/page.py": "templates of this package",
    "evolution/report/served_page.py": "templates of this package",
    "study/gallery.py": "templates of this package",
    "analysis/report/__init__.py": "templates of this package",
    "authoring/files.py": "the library",
    "authoring/new_game.py": "templates of this package, and a file that is new",
    "game/find.py": "the library",
    "interfaces/cli/analyze.py": "the report that was just written",
    "interfaces/cli/streams.py": "the null device",
    "sandbox/confine.py": "folders that are shown to a bot",
    "sandbox/process.py": ("the programs of this package, /proc, and the pipe of a sandbox"),
    "_public.py": "the stubs of this package",
    "jobs/files.py": "what was just written; bytes that were read",
    "lab/experiment.py": "a text that was just made",
    "lab/report/__init__.py": "templates of this package",
    "league/bot_runtime.py": "files of a bot, in its sandbox",
    "league/authors/__init__.py": "examples of this package, and the module of bots",
    "league/season.py": "examples of this package",
    "library/catalogue.py": "the library",
    "syntax/data_files.py": "here",
    "table/saved.py": "the first bytes of a regular file",
    "page/build.py": "files of this package, and archives with a known digest",
    "page/bytecode.py": "what Node has just made",
    "page/runtime.py": "an archive with a known digest, which has texts of JSON in it",
    "page/source.py": "files of this package",
    "page/started.py": "modules of Python and of this package, in Node",
    "web/client.py": "files of this package",
    "web/local_worker.py": "what was written a moment before",
    "web/second_worker.py": "what the first worker of a page wrote, or the second",
    "web/process_limits.py": "the limits that a server tells its worker",
    "web/store.py": "the database of this server",
    "web/worker_loop.py": "what a server tells its worker",
    "web/worker_process.py": "/proc, and what a worker answers within limits",
    "league/records.py": "bytes that were read",
    "jobs/worker.py": "the null device, and the pipe of a job's own process",
    "league/season_files.py": "files in the folder of a season, of limited size",
    "sandbox/allowance.py": "/proc",
    "sandbox/imports.py": "the standard library and packages, inside a sandbox",
}
"""The modules that read without `syntax.data_files`, each with what they read."""

READING = {
    "json.load", "json.loads", "tomllib.load", "tomllib.loads", "np.load", "os.open", "open",
    "builtins.open",
}  # fmt: skip
METHODS = {"read_text", "read_bytes"}
WRITTEN = re.compile(r"(json|tomllib|np)\.load|open\(|read_text|read_bytes")


def reads(file: Path) -> bool:
    """Say whether a module reads files, or parses texts, by itself."""
    text = file.read_text(encoding="utf-8")
    if not WRITTEN.search(text):  # most modules need not be parsed
        return False
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        if name in READING or (isinstance(node.func, ast.Attribute) and node.func.attr in METHODS):
            return True
        if isinstance(node.func, ast.Attribute) and node.func.attr == "open" and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and str(first.value).startswith("r"):
                return True
    return False


def test_files_are_read_within_limits() -> None:
    """Who adds a module to the list above has thought about where its files come from."""
    found = {file.relative_to(SOURCE).as_posix() for file in SOURCE.rglob("*.py") if reads(file)}
    assert found == set(OWN)
