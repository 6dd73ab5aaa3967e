"""Data from elsewhere runs nothing, whatever it names: every reader meets players that would.

A reader of a new kind of file gets a case here. What turns the text of a player into one has to say
how far the text is trusted, and full trust is given where the last test of this file allows it.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

import cardwright.evolution
from cardwright.arena.plan import GameRef, RunPlan
from cardwright.arena.records import RunFolder, read_results
from cardwright.arena.run import run
from cardwright.evolution.records import SearchFolder
from cardwright.evolution.search import read_search
from cardwright.game.errors import CardwrightError
from cardwright.interfaces.cli.group import commands
from cardwright.lab.experiment import read_experiment, run_experiment
from cardwright.lab.plan import LabPlan
from cardwright.lab.records import ExperimentFolder
from cardwright.league.plan import BotText, SeasonPlan
from cardwright.league.records import Season, read_season
from cardwright.league.roster import BUILTIN
from cardwright.league.season import read_plan as read_season_plan
from cardwright.league.settings import LeagueRules
from cardwright.players.kind import NO_TRUST, UntrustedPlayerError, trust_in
from cardwright.players.spec import PlayerSpec, parse_spec
from cardwright.solve.samples import SampleFile
from cardwright.table.saved import write_saved
from cardwright.table.session import PlaySession
from cardwright.table.setup import TableSetup
from cardwright.web.limits import Limits, checked_player
from cardwright.web.refusal import Refusal
from cardwright.web.replay_source import ReplaySource
from cardwright.web.think_worker import Mind
from evolution.pretend import PLAN as SEARCH

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = Path(cardwright.__file__).parent

EVIL = """
import pathlib
pathlib.Path({marker!r}).write_text("ran")

class Evil:
    def choose(self, decision):
        return 0
"""

KUHN = GameRef.of("kuhn", engine="interpreter")


class Trap:
    """A folder with players that leave a marker when they are loaded."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.folder = folder
        self.marker = folder / "marker"
        self.file = folder / "evil.py"
        self.file.write_text(EVIL.format(marker=str(self.marker)), encoding="utf-8")
        program = f"python:{self.file}:Evil"
        command = f"python:{os.__file__}:system,command=touch {self.marker}"
        self.spec = {
            "program": program,
            "command": command,
            "folder": f"python:{folder / 'data' / '..' / 'evil.py'}:Evil",
            "spaces": f" python : {self.file}:Evil",
            "inside": f"solved:{program}",
            "strategy": f"solved:{folder / 'secret.json'}",
            "hierarchy": f"hierarchy:{folder / 'secret.toml'}",
        }[kind]
        (folder / "secret.toml").write_text('pass = ["highest"]\n', encoding="utf-8")
        self.data = folder / "data"
        self.data.mkdir()

    def write(self, name: str, text: str) -> str:
        """Write a file of data, and return its path."""
        path = self.data / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return str(path)


@pytest.fixture(
    params=["program", "command", "folder", "spaces", "inside", "strategy", "hierarchy"]
)
def trap(request: pytest.FixtureRequest, tmp_path: Path) -> Trap:
    return Trap(tmp_path, request.param)


@pytest.fixture
def program(tmp_path: Path) -> Trap:
    return Trap(tmp_path, "program")


def called(*words: str, answers: str = "") -> str:
    """Call a command, which may fail but not by a bug; return what it prints."""
    outcome = CliRunner().invoke(commands, words, prog_name="cardwright", input=answers)
    assert outcome.exit_code in {0, 1, 2}, outcome.output
    return outcome.output


def refused(*words: str, answers: str = "") -> str:
    """Call a command that has to fail; return what it prints."""
    outcome = CliRunner().invoke(commands, words, prog_name="cardwright", input=answers)
    assert outcome.exit_code in {1, 2}, outcome.output
    return outcome.output


def tried(read: Callable[..., Any], *values: Any, **more: Any) -> Any:
    """Call a function that may raise an error for people, and no other."""
    try:
        return read(*values, **more)
    except (CardwrightError, Refusal) as error:
        return str(error)


# Readers: each reads data that names the player of the trap ------------------------------------


def season(trap: Trap, *, schedule: str = "0,1,2,3\n") -> Path:
    """Write the folder of a season with a roster that names the player."""
    quoted = BUILTIN + trap.spec.replace('"', '""')
    trap.write("Rosters/Main.csv", f',Filepath,Name,Author\n0,"{quoted}",Eve,Eve\n'
               + "".join(f"{at},builtin:random,R{at},R\n" for at in (1, 2, 3)))  # fmt: skip
    trap.write("Schedules/Main.csv", schedule)
    (trap.data / "Bots").mkdir(exist_ok=True)
    return trap.data


def of_roster(trap: Trap) -> None:
    assert "evil" in refused("league", "run", str(season(trap)), "--seed", "1") or (
        "command" in trap.spec or "secret" in trap.spec
    )
    tried(read_season_plan, trap.data)


def of_schedule(trap: Trap) -> None:
    place = season(trap, schedule=f"0,1,2,{trap.spec}\n")
    refused("league", "run", str(place), "--seed", "1")


def of_season(trap: Trap) -> None:
    """The records of a season, which names its players."""
    bots = tuple(BotText(f"B{at}", "", BUILTIN + trap.spec) for at in range(4))
    plan = SeasonPlan("S", LeagueRules.CODE, 1, bots, read_schedule_of(trap))
    with Season.of_plan(trap.data, plan).opened(resume=False):
        pass
    tried(lambda: read_season(trap.data).outcome())
    called("league", "table", str(trap.data))
    called("league", "report", str(trap.data))
    called("records", str(trap.data))


def read_schedule_of(trap: Trap) -> Any:
    from cardwright.league.roster import read_schedule

    return read_schedule(trap.write("schedule.csv", "0,1,2,3\n"), 4)


PLAN = """
deals = 2
{tested}
{opponents}
[game]
name = "kuhn"
engine = "interpreter"
[[factors]]
name = "who"
{factor}
"""
PLAYERS = 'kind = "player"\nlevels = {{ first = "first", other = {level} }}'
ANTES = 'kind = "option"\ntarget = "ANTE"\nlevels = { low = 1, high = 2 }'


def plan_of(trap: Trap, place: str) -> str:
    """Return the text of a plan that names the player in one place."""
    spec = json.dumps(trap.spec)
    named = {"tested": '"first"', "opponents": '["random"]', "level": '"random"'}
    named[place] = f"[{spec}]" if place == "opponents" else spec
    if place == "table":
        named["opponents"] = f'[{{ name = "x", spec = {spec} }}]'
    return PLAN.format(
        tested=f"tested = {named['tested']}",
        opponents=f"opponents = {named['opponents']}",
        factor=ANTES if place == "tested" else PLAYERS.format(level=named["level"]),
    )


def of_plan(trap: Trap) -> None:
    """The file of an experiment."""
    for place in ("tested", "opponents", "level", "table"):
        text = plan_of(trap, place)
        file = trap.write("plan.toml", text)
        called("lab", "run", file, "--dry-run")
        refused("lab", "run", file, "--quiet")
        refused("lab", "run", file, "--quiet", "--records", str(trap.data / "kept"))
        assert isinstance(tried(run_experiment, file), str)
        assert isinstance(tried(lambda text=text: run_experiment(LabPlan.from_text(text))), str)
        assert not (trap.data / "kept").exists()


def of_experiment(trap: Trap) -> None:
    """The records of an experiment; one with a list of selectors has no name of a file."""
    if trap.spec.startswith("hierarchy"):
        return
    plan = LabPlan.from_text(plan_of(trap, "opponents"))
    kept = trap.data / "kept"
    with ExperimentFolder.of_plan(kept, plan, 1).opened(resume=False):
        pass
    called("lab", "report", str(kept))
    called("records", str(trap.data))
    tried(lambda: read_experiment(kept).findings)
    file = trap.write("plan.toml", plan.to_text())
    refused("lab", "run", file, "--quiet", "--records", str(kept), "--resume")


def saved(trap: Trap, players: tuple[str, str], hint: str) -> Path:
    path = trap.data / "saved.json"
    path.unlink(missing_ok=True)
    write_saved(path, TableSetup.of_players(KUHN, 1, players, hint=hint), (), (), None)
    return path


def of_saved_game(trap: Trap) -> None:
    for players, hint in (
        (("human", trap.spec), "random"), (("human", "random"), trap.spec),
        ((trap.spec, "random"), "random"),
    ):  # fmt: skip
        path = saved(trap, players, hint)
        assert trap.folder.name in refused("play", str(path), "--resume", "--plain")
        assert isinstance(tried(PlaySession.resume, path), str)
        called("replay", str(path))
        tried(ReplaySource.of_file, json.loads(path.read_text(encoding="utf-8")))
        called("play", str(path), "--plain")
        called("records", str(trap.data))


def of_run(trap: Trap) -> None:
    """The records of a match."""
    plan = RunPlan(KUHN, (trap.spec, "random"), ((0, 1),), 2, 1)
    kept = trap.data / "kept"
    with RunFolder.of_plan(kept, plan, None).opened(resume=False):
        pass
    called("records", str(trap.data))
    assert isinstance(tried(run, RunFolder.read(kept).plan, kept, resume=True), str)
    tried(read_results, kept)


def of_search(trap: Trap) -> None:
    """The records of a search for games."""
    funnel = replace(SEARCH.funnel, players=(trap.spec,))
    kept = trap.data / "kept" / "records"
    with SearchFolder.of_plan(kept, replace(SEARCH, funnel=funnel)).opened(resume=False):
        pass
    called("records", str(trap.data))
    tried(read_search, kept)
    tried(cardwright.evolution.read_evolution, kept.parent)
    called("evolve", "kuhn", "--aim", "length max", "--out", str(kept.parent), "--resume",
           "--quiet")  # fmt: skip


def of_game(trap: Trap) -> None:
    """A game's file, the TOML beside it, and positions."""
    place = Path(trap.data / "mine.rcy")
    shutil.copy(SOURCE / "library" / "games" / "kuhn.rcy", place)
    spec = json.dumps(trap.spec)
    trap.write("mine.toml", f"[declared]\nANTE = {spec}\n[words.moves]\nBET = {spec}\n"
               f"[presets.{spec}]\nANTE = {spec}\n")  # fmt: skip
    trap.write("mine.positions.toml", f"[[position]]\nabout = {spec}\nsteps = [{{ choose = {spec}"
               " }]\nplayers = [" + spec + "]\n")  # fmt: skip
    called("check", str(place))
    called("show", str(place))
    refused("test", str(place))


def of_hierarchy(trap: Trap) -> None:
    file = trap.write("lists.toml", f"pass = [{json.dumps(trap.spec)}]\n")
    refused("match", f"hierarchy:{file}", "random", "kuhn", "--deals", "1")
    file = trap.write("file.toml", f"select = {json.dumps(trap.spec)}\n")
    refused("match", f"hierarchy:{file}", "random", "kuhn", "--deals", "1")


def of_strategy(trap: Trap) -> None:
    file = trap.write("strategy.json", json.dumps({"format": trap.spec, "player": trap.spec}))
    refused("match", f"solved:{file}", "random", "kuhn", "--deals", "1")


def of_samples(trap: Trap) -> None:
    kept = SampleFile({"player": trap.spec}, {})
    file = trap.write("samples.json", json.dumps(asdict(kept)))
    called("exploit", "random", "kuhn", "--local", "--deals", "1", "--save", file, "--resume")


def of_server(trap: Trap) -> None:
    """What comes to a server: players of seats, and those that its workers are told of."""
    with pytest.raises(Refusal):
        checked_player(trap.spec, Limits())
    request = {
        "game": KUHN.data(), "native": False, "table": "t", "seed": 1, "choices": [], "seat": 0,
        "ordinal": 0, "player": trap.spec, "wanted": "move", "played": None,
    }  # fmt: skip
    seat = KUHN.load().start(1).player
    for wanted in ("move", "hint"):
        mind = Mind(lambda _: None)
        with pytest.raises(CardwrightError):
            mind.answer({**request, "wanted": wanted, "seat": seat})


READERS = [
    of_roster, of_schedule, of_season, of_plan, of_experiment, of_saved_game, of_run, of_search,
    of_game, of_hierarchy, of_strategy, of_samples, of_server,
]  # fmt: skip


@pytest.mark.parametrize("read", READERS, ids=lambda read: read.__name__[3:])
def test_nothing_that_data_names_runs(read: Callable[[Trap], None], trap: Trap) -> None:
    """Each reader ends well or with a clear error, and the player has not been loaded."""
    read(trap)
    assert not trap.marker.exists()


def test_reading_records_makes_no_player(program: Trap, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even one that would be harmless."""
    program.spec = "ismcts:iterations=5"

    def made(spec: PlayerSpec) -> None:
        raise AssertionError(f"{spec} was made")

    monkeypatch.setattr(PlayerSpec, "build", made)
    plan = LabPlan.from_text(plan_of(program, "opponents"))
    kept = program.data / "kept"
    with ExperimentFolder.of_plan(kept, plan, 1).opened(resume=False):
        pass
    called("lab", "report", str(kept))
    assert "as written" in called("records", str(program.data))
    assert read_experiment(kept).plan == plan


# What a person allows ---------------------------------------------------------------------------


def test_a_person_allows_a_file_by_its_name(program: Trap) -> None:
    """The message says how, and that works for this run alone."""
    file = program.write("plan.toml", plan_of(program, "level"))
    told = refused("lab", "run", file, "--quiet")
    assert f"--allow-file {program.file.resolve()}" in " ".join(told.split())
    other = program.write("other.py", "class Evil: pass\n")
    refused("lab", "run", file, "--quiet", "--allow-file", other)
    assert not program.marker.exists()
    called_well = CliRunner().invoke(
        commands,
        ["lab", "run", file, "--quiet", "--executor", "here", "--allow-file", str(program.file)],
    )
    assert called_well.exit_code == 0, called_well.output
    assert program.marker.exists()
    refused("lab", "run", file, "--quiet")


def test_own_games_and_seasons_go_on(program: Trap) -> None:
    """A saved game and a roster with a player of one's own can be played, if that is said."""
    path = saved(program, ("human", program.spec), "random")
    with pytest.raises(UntrustedPlayerError, match="--allow-file"):
        PlaySession.resume(path)
    assert PlaySession.resume(path, [program.file]).players()[1].endswith("(python)")
    told = CliRunner().invoke(
        commands, ["play", str(path), "--resume", "--plain", "--allow-file", str(program.file)]
    )
    assert "no more answers" in told.output
    plan, _ = read_season_plan(season(program), allow_files=[program.file])
    assert plan.trust.files == (program.file.resolve(),)
    assert "is resumed" in refused("play", "kuhn", "--allow-file", str(program.file))


def test_files_that_are_read_lie_in_the_folder_of_the_data(tmp_path: Path) -> None:
    """A link does not lead out of it, and programs are run from nowhere."""
    trap = Trap(tmp_path, "hierarchy")
    (trap.data / "link.toml").symlink_to(trap.folder / "secret.toml")
    (trap.data / "own.toml").write_text('pass = ["highest"]\n', encoding="utf-8")
    shutil.copy(trap.file, trap.data / "evil.py")
    trust = trust_in(folder=trap.data)
    parse_spec(f"hierarchy:{trap.data / 'own.toml'}", trust).check_trust()
    for text in ("hierarchy:{}/link.toml", "hierarchy:{}/../secret.toml", "solved:{}/../x.json",
                 "python:{}/evil.py:Evil"):  # fmt: skip
        with pytest.raises(UntrustedPlayerError):
            parse_spec(text.format(trap.data), trust).build()
    for name in ("link.toml", "../secret.toml", str(trap.folder / "secret.toml")):
        factor = PLAYERS.format(level=f'"hierarchy:{name}"')
        plan = PLAN.format(tested="", opponents="", factor=factor)
        with pytest.raises(CardwrightError, match="from somebody else"):
            LabPlan.load(Path(trap.write("plan.toml", plan)))
    assert not trap.marker.exists()


def test_parsing_makes_nothing(program: Trap) -> None:
    spec = parse_spec(program.spec, trust_in([program.file]))
    assert not program.marker.exists()
    assert spec.build().choose is not None
    assert program.marker.exists()
    with pytest.raises(UntrustedPlayerError):
        parse_spec(program.spec, NO_TRUST).build()


# No reader is forgotten -------------------------------------------------------------------------

TYPED = {
    "arena/contest.py": "the players of a caller in Python",
    "arena/entrants.py": "the players of a caller in Python",
    "arena/one_game.py": "the players of a caller in Python",
    "arena/simulation.py": "the players of a caller in Python",
    "envs/opponents.py": "the players of a caller in Python",
    "evolution/evolve.py": "the searchers of a caller in Python, or on the command line",
    "interfaces/cli/analyze.py": "--player",
    "interfaces/cli/contest.py": "the players of a contest on the command line",
    "interfaces/cli/lab_plan.py": "--factor; --player, --opponents, --levels",
    "interfaces/cli/ladder.py": "--field",
    "interfaces/cli/league_check.py": "--opponents",
    "interfaces/cli/parameters.py": "--players",
    "players/kind.py": "its definition",
    "solve/exploiting.py": "the player of a caller in Python, or on the command line",
    "study/analyze.py": "the player of a caller in Python, or on the command line",
    "study/play.py": "the same, which a study plays",
    "table/opponents.py": "--players and --hint of a new game",
    "table/session.py": "the same, at the table",
}
"""The modules that trust a text fully, each with the reason: a person has typed it."""


def names_in(file: Path) -> set[str]:
    """Return the names that a module reads, and imports, if those of interest are among them."""
    text = file.read_text(encoding="utf-8")
    if not re.search("FULL_TRUST|load_player|entrants", text):  # most modules need not be parsed
        return set()
    tree = ast.parse(text)
    found = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{one.name}" for one in node.names}
    return found


def test_full_trust_is_given_to_what_a_person_types() -> None:
    """Who adds a module to the list above has thought about where its texts come from."""
    named = {file: names_in(file) for file in sorted(SOURCE.rglob("*.py"))}
    full = {
        file.relative_to(SOURCE).as_posix()
        for file, names in named.items()
        if "FULL_TRUST" in names or "cardwright.players.kind.FULL_TRUST" in names
    }
    assert full == set(TYPED)
    makers = {
        file.relative_to(SOURCE).as_posix()
        for file, names in named.items()
        if "cardwright.arena.entrants.player" in names
    }
    assert makers == set(), "inside the package, parse_spec says whom it trusts"
    loads = {
        file.relative_to(SOURCE).as_posix()
        for file, names in named.items()
        if "cardwright.players.kind.load_player" in names
    }
    assert loads == {"players/spec.py"}
