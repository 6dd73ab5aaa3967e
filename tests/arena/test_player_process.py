"""Players from files in a process of their own, where there is a limit for a move."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from runs import Small, players_file

from cardwright import Game
from cardwright.arena import player_process
from cardwright.arena.plan import GameRef, RunPlan
from cardwright.arena.player_process import EntrantSeating, PlayerHost, PlayerProcess
from cardwright.arena.referee import FaultKind, FaultRules, RefereedPlayer, referee_game
from cardwright.arena.run import PlayRunDeals, run
from cardwright.jobs.job import executor
from cardwright.players.kind import FULL_TRUST
from cardwright.players.player import RandomPlayer
from cardwright.players.spec import parse_spec
from deep import mostly_deep, usually
from patience import PATIENCE, wait_until

HANGING = """
import os
import signal
import sys
import time
from cardwright.game.information.worlds import KnowledgeMode

class Hanging:
    ends = "never"
    def __init__(self, at="0"):
        self.at, self.asked = int(at), 0
    def choose(self, decision):
        self.asked += 1
        if self.asked - 1 == self.at:
            self.hang()
        return decision.option_count - 1

class Loop(Hanging):
    def hang(self):
        while True:
            pass

class Sleep(Hanging):
    def hang(self):
        while True:
            time.sleep(10**6)

class Deaf(Hanging):
    def hang(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        while True:
            try:
                time.sleep(10**6)
            except BaseException:
                pass

class Native(Hanging):
    '''Never comes back from a call that holds the lock of the interpreter.'''
    def hang(self):
        sys.setswitchinterval(10**6)
        if "MARK" in os.environ:
            open(os.environ["MARK"], "w").close()
        (10**7) ** (10**8)

class Exiting(Hanging):
    def hang(self):
        os._exit(3)

class Looking:
    '''Answers by all that a decision can tell.'''
    def choose(self, decision):
        seen = [
            str(decision.view), str(decision.contents), str(decision.options),
            str(decision.record), decision.information.hex(), str(decision.action_codes),
            decision.game.name, str(decision.knowledge), str(list(decision.observation)),
            str(decision.imagine(decision.stream, KnowledgeMode.CONSISTENT).locations()),
        ]
        drawn = decision.stream.next()
        return sum(map(ord, "".join(seen) + str(drawn))) % decision.option_count
"""
LIMIT = 0.05


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return Game.load("kuhn", engine="interpreter")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return what names a player of the file, all but its name."""
    place = tmp_path_factory.mktemp("players") / "hanging.py"
    place.write_text(HANGING, encoding="utf-8")
    return f"python:{place}:"


@pytest.mark.parametrize(
    "name", mostly_deep(["Loop", "Sleep", "Deaf", "Native"], {"Deaf", "Native"}.__contains__)
)
def test_a_player_that_never_answers_is_ended(
    monkeypatch: pytest.MonkeyPatch, file: str, name: str
) -> None:
    monkeypatch.setattr(player_process, "GRACE", 0.1)
    plan = Small(1).plan(f"{file}{name}", "random", tables=((0, 1),), move_seconds=LIMIT)
    played = PlayRunDeals(plan)(range(1))
    (first,) = played.faults
    assert (first.deal, first.table, first.entrant) == (0, 0, 0)
    reason = f"took more than {LIMIT:g} s for a move, and was ended"
    assert (first.fault.seat, first.fault.decision) == (0, 0)
    assert (first.fault.kind, first.fault.reason) == (FaultKind.LATE, reason)
    assert played.results.finished.all()
    assert played.timing[0].longest > LIMIT


def test_it_plays_on_after_it_was_ended(monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    """In agram it hangs at its third decision, and again at the third of the player after it."""
    monkeypatch.setattr(player_process, "GRACE", 0.1)
    ref = GameRef.of("agram", engine="interpreter")
    entrants = (f"{file}Loop,at=2", "random")
    tables = ((0, 1, 1),)
    plan = RunPlan(
        ref, entrants, tables, 1, 5, LIMIT, 99, detail="decisions", trust=FULL_TRUST
    )  # fmt: skip
    played = PlayRunDeals(plan)(range(1))
    ended = [one.fault.decision for one in played.faults if one.fault.reason.endswith("ended")]
    assert ended == [2, 5]
    decisions = played.traces["decisions"]
    mine = decisions["seat"] == 0
    last = decisions["chosen"][mine] == decisions["options"][mine] - 1
    assert last[[0, 1, 3, 4]].all()


def test_what_a_decision_tells_is_the_same_there(tmp_path: Path, file: str) -> None:
    """Records do not depend on whether there is a limit, nor on who plays the deals."""
    ref = GameRef.of("agram", engine="interpreter")
    tables = ((0, 1, 2),)
    entrants = (f"{file}Looking", "random", f"{players_file(tmp_path)}Raising,every=5")

    def rows(limit: float | None, *how: Any) -> Any:
        plan = RunPlan(ref, entrants, tables, 2, 5, limit, 3, detail="decisions", trust=FULL_TRUST)
        folder = tmp_path / f"records-{limit}-{how}"
        found = run(plan, folder, executor(*how) if how else None)
        names = ("results.parquet", "games.parquet", "decisions.parquet", "faults.json")
        return found, [(folder / name).read_bytes() for name in names]

    found, content = rows(None)
    assert found.faults.sum() > 0
    for how in usually((("processes", 1),), (("processes", 2), ("threads", 2))):
        assert rows(float(PATIENCE), *how)[1] == content


def test_a_player_that_ends_its_process_makes_a_fault(file: str) -> None:
    plan = Small(1).plan(f"{file}Exiting", "random", move_seconds=float(PATIENCE))
    played = PlayRunDeals(plan)(range(1))
    assert {(one.fault.kind, one.fault.reason) for one in played.faults} == {
        (FaultKind.RAISED, "its process ended with exit code 3")
    }
    assert played.results.finished.all()


def test_one_that_cannot_be_made_forfeits_with_the_same_words(tmp_path: Path) -> None:
    place = tmp_path / "unmade.py"
    place.write_text(
        "import os\n"
        "class Late:\n"
        "    def __init__(self):\n"
        "        if os.environ.get('UNMADE'):\n"
        "            raise ValueError('no file')\n"
        "    def choose(self, decision):\n"
        "        return 0\n",
        encoding="utf-8",
    )
    texts = []
    for limit in (None, float(PATIENCE)):
        plan = Small(1).plan(f"python:{place}:Late", "random", move_seconds=limit)
        play = PlayRunDeals(plan)
        play(range(1))  # its first player can be made
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("UNMADE", "1")
            player_process.end_idle_processes()
            texts.append([one.fault for one in play(range(1)).faults])
        player_process.end_idle_processes()
    assert texts[0] == texts[1]
    assert [one.kind for one in texts[0]] == [FaultKind.UNMADE] * 2


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_these_end_the_run(tmp_path: Path, kuhn: Game, error: type[BaseException]) -> None:
    place = tmp_path / "ending.py"
    place.write_text(
        f"class Ending:\n    def choose(self, decision):\n        raise {error.__name__}\n",
        encoding="utf-8",
    )
    spec = parse_spec(f"python:{place}:Ending", FULL_TRUST)
    rules = FaultRules(3, float(PATIENCE))
    with EntrantSeating(kuhn, (spec, RandomPlayer), float(PATIENCE)) as seating:
        makers = seating.makers((0, 1))
        seats = [RefereedPlayer(make, rules, 1, seat) for seat, make in enumerate(makers)]
        with pytest.raises(error):
            referee_game(kuhn, 1, seats)


def test_only_players_from_files_with_a_limit_get_a_process(kuhn: Game, file: str) -> None:
    """Nothing else pays for one."""
    makers = (parse_spec(f"{file}Loop", FULL_TRUST), parse_spec("random", FULL_TRUST))
    for limit, made in ((None, makers), (1.0, makers[1:])):
        with EntrantSeating(kuhn, makers, limit) as seating:
            assert [one for one in seating.makers((0, 1)) if one in makers] == list(made)


def test_an_idle_process_serves_the_next_batch_and_ends_at_last(
    monkeypatch: pytest.MonkeyPatch, kuhn: Game, file: str
) -> None:
    player_process.end_idle_processes()
    makers = (parse_spec(f"{file}Looking", FULL_TRUST),)
    used = []
    for _ in range(2):
        with EntrantSeating(kuhn, makers, 1.0) as seating:
            (make,) = seating.makers((0,))
            make()
            used.append(seating._processes[0])
    assert used[0] is used[1]
    assert used[0].starts == used[0].running_start == 1
    process = used[0]._process
    assert process is not None
    monkeypatch.setattr(player_process, "_IDLE", 0.0)
    wait_until(lambda: process.returncode is not None)
    assert used[0].running_start == 0


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there are no signals here")
def test_a_process_that_was_killed_is_started_again(kuhn: Game, file: str) -> None:
    process = PlayerProcess(PlayerHost(kuhn, parse_spec(f"{file}Looking", FULL_TRUST)), b"")
    assert process.make(process.new_game(), 0) == 1
    inner = process._process
    assert inner is not None
    os.kill(inner.pid, signal.SIGKILL)
    with pytest.raises(Exception, match="its process was killed by signal 9"):
        process.make(process.new_game(), 0)
    assert process.make(process.new_game(), 0) == 2
    process.end()
    assert process.running_start == 0


PLAYING = """
import os
import sys
from cardwright import Game
from cardwright.arena.referee import FaultRules, RefereedPlayer
from cardwright.arena.player_process import EntrantSeating
from cardwright.arena.referee import referee_game
from cardwright.players.spec import parse_spec
from cardwright.players.kind import FULL_TRUST

game = Game.load("kuhn", engine="interpreter")
with EntrantSeating(game, [parse_spec(sys.argv[1], FULL_TRUST)], 1000.0) as seating:
    seats = [
        RefereedPlayer(make, FaultRules(3, 1000.0), 1, seat)
        for seat, make in enumerate(seating.makers((0, 0)))
    ]
    print(seating._processes[0]._process.pid, flush=True)
    referee_game(game, 1, seats)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
def test_a_player_that_never_answers_ends_with_who_has_started_it(
    tmp_path: Path, file: str
) -> None:
    """Even if it never lets go of the interpreter's lock, and who started it is killed."""
    mark = tmp_path / "mark"
    with subprocess.Popen(
        [sys.executable, "-c", PLAYING, f"{file}Native"],
        stdout=subprocess.PIPE,
        env={**os.environ, "MARK": str(mark)},
    ) as playing:
        assert playing.stdout is not None
        player = Path("/proc") / playing.stdout.readline().decode().strip()
        assert (player / "stat").exists()
        wait_until(mark.exists)
        playing.kill()
    wait_until(lambda: not _runs(player))


def _runs(process: Path) -> bool:
    """Say whether a process is there, and no remnant of one."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
