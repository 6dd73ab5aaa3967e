"""Bots that nobody trusts, in games: each fails in its own way, and the season goes on.

What the sandbox itself keeps them from is tested where the sandbox is.
"""

from __future__ import annotations

import io
import time
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from season_folders import ANY, FIRST, LAST

import needed
from cardwright.jobs.files import pack
from cardwright.league.bot_process import BotProcess, SandboxedBot
from cardwright.league.bot_runtime import PublicTable
from cardwright.league.dealer import Dealer
from cardwright.league.plan import BotText, SeasonPlan
from cardwright.league.play import BotController, BotPenalties, finished
from cardwright.league.run import play_block
from cardwright.league.settings import BotLimits, LeagueRules
from cardwright.sandbox.levels import strongest
from cardwright.sandbox.limits import SandboxLevel
from journeys import entered

LEVEL = strongest().level
QUICK = BotLimits(move=0.05, grace=0.05, bank=0.2, start=2.0, faults=5, restarts=2)

pytestmark = pytest.mark.skipif(
    LEVEL < SandboxLevel.CONFINED, reason="no sandbox for untrusted bots here"
)

PLAY = "\ndef getPlay(state):\n    {body}\n    return 0\ndef getSluff(state):\n    return 0\n"


@pytest.fixture(scope="module")
def dealer():
    return Dealer(LeagueRules.CODE)


def plan_of(*sources, games=1, level=LEVEL, limits=QUICK):
    bots = [BotText(f"b{n}", "me", f"b{n}.py", source) for n, source in enumerate(sources)]
    bots += [BotText("r", "us", "builtin:random")] * (4 - len(bots))
    schedule = np.array([np.arange(4)] * games, np.int32)
    return SeasonPlan("S", LeagueRules.CODE, 3, tuple(bots), schedule, limits, int(level))


def play(body="pass", head="", **options):
    return plan_of(head + PLAY.format(body=body), **options)


def test_sandboxed_bots_play_just_what_trusted_ones_play(dealer):
    """Late answers apart, and with time enough there are none on any machine."""
    slow = BotLimits(move=5, bank=60, start=30)
    sources = (FIRST, LAST, ANY, "import numpy\n" + ANY)
    sandboxed = play_block(plan_of(*sources, games=2, limits=slow), dealer, 0)
    trusted = play_block(plan_of(*sources, games=2, level=0, limits=slow), dealer, 0)
    assert pack(sandboxed.untimed()) == pack(trusted.untimed())
    assert sandboxed.timings.entries.tolist() == [0, 1, 2, 3]


SORTS = (
    "def getPlay(state):\n    state.legalMoves.sort()\n    return len(state.legalMoves) - 1\n"
    "getSluff = getPlay\n"
)
SAME = (
    "def getPlay(state):\n    return state.legalMoves.index(max(state.legalMoves))\n"
    "getSluff = getPlay\n"
)


def test_a_bot_that_sorts_its_legal_cards_plays_the_card_that_it_means(dealer):
    """It plays as one that leaves the list alone and looks for the same card."""
    sorting = play_block(plan_of(SORTS), dealer, 0)
    looking = play_block(plan_of(SAME), dealer, 0)
    assert pack(sorting.untimed()) == pack(looking.untimed())
    assert not sorting.faults


def test_numbers_that_are_no_index_are_noted_and_no_more(dealer):
    block = play_block(play("return float('nan')"), dealer, 0)
    assert {(fault.kind, fault.counts, fault.forfeit) for fault in block.faults} == {
        ("index", False, False)
    }


def test_a_bot_in_the_sandbox_reads_the_files_beside_it(dealer):
    """Weights, by NumPy, at the start of each game and later."""
    weights = io.BytesIO()
    np.save(weights, np.arange(7))
    body = "assert numpy.load(open('w.npy', 'rb')).sum() == int(open('sum.txt').read())"
    plan = play(body, f"import numpy\n{body}\n")
    files = (("sum.txt", b"21"), ("w.npy", weights.getvalue()))
    bots = (replace(plan.bots[0], files=files), *plan.bots[1:])
    assert not play_block(replace(plan, bots=bots), dealer, 0).faults


IMPORTS = {
    "a submodule, inside a function": (
        "import numpy.ma\n    assert numpy.ma.array([1, 2], mask=[0, 1]).sum() == 1"
    ),
    "by a name that is found out": "assert __import__('numpy').fft.fft([1, 1])[0] == 2",
    "what pandas imports when it is needed": (
        "import pandas\n    table = pandas.read_csv(open('t.csv'), sep=None, engine='python')\n"
        "    assert '0  1  2' in str(table)"
    ),
    "time zones": (
        "import pandas\n    day = pandas.Timestamp('2020-07-01', tz='Asia/Tokyo')\n"
        "    assert day.utcoffset().seconds == 32400"
    ),
    "the program of a file": "exec(open('program.txt').read())",
    "letters by name and other encodings": (
        "assert '\\N{BLACK HEART SUIT}' == chr(9829)\n"
        "    assert open('e.txt', encoding='cp1252').read() == chr(8364)"
    ),
    "what every bot may": "import math, random, hearts_cards\n    assert random.random() < 1",
}


@pytest.mark.parametrize("what", IMPORTS)
def test_a_bot_in_the_sandbox_imports_at_any_time(what, dealer):
    """Though no file can be opened there any more: in its functions, and by what it calls."""
    if "pandas" in IMPORTS[what]:
        needed.module("pandas")
    plan = play(IMPORTS[what], limits=BotLimits(move=30, bank=60, start=30))
    files = (
        ("e.txt", b"\x80"),
        ("program.txt", b"import numpy.linalg\nassert numpy.linalg.det([[2]]) == 2"),
        ("t.csv", b"a;b\n1;2\n"),
    )
    bots = (replace(plan.bots[0], files=files), *plan.bots[1:])
    assert not play_block(replace(plan, bots=bots), dealer, 0).faults


@pytest.mark.parametrize("name", ["__file__", "__file__ + '-of-nobody'"])
@pytest.mark.parametrize("level", [SandboxLevel.CONFINED, LEVEL])
def test_a_bot_in_the_sandbox_looks_at_no_name(name, level, dealer):
    """Two bots could talk by names that are not there, as a second look at one is faster."""
    body = f"import random\n    random._os.stat(random.{name})"
    faults = play_block(play(body, level=level), dealer, 0).faults
    assert faults
    assert all("PermissionError: [Errno 1]" in fault.message for fault in faults[:3])


def test_a_bot_in_the_sandbox_imports_nothing_else(dealer):
    """Neither by the import of the language itself, nor by looking for files."""
    fault = play_block(play("exec('import hashlib', {})"), dealer, 0).faults[0]
    assert fault.message == "b0.py, line 3: ModuleNotFoundError: No module named 'hashlib'"


@pytest.mark.parametrize("tables", [1, 3])
def test_starts_are_bounded_all_together(dealer, tables):
    """One may take its time, but not every one: then a bot cannot be started any more."""
    head = (
        "import random\ntime = random._os.sys.modules['time']\nbegun = time.process_time()\n"
        "while time.process_time() - begun < 0.4: pass\n"
    )
    limits = replace(QUICK, start=0.6, starts=0.01)
    plan = replace(play(head=head, games=6, limits=limits), tables=tables)
    begun = time.perf_counter()
    found = play_block(plan, dealer, 0).faults
    assert time.perf_counter() - begun < 20
    assert [(one.game, one.kind) for one in found] == [
        (1, "late"), (2, "late"), (3, "late"), (4, "suspended"), (5, "suspended"),
    ]  # fmt: skip
    assert "its starts may take 0.01 s a game together plus 0.6 s" in found[0].message


HOSTILE = {
    "raises": ("raise ValueError('mine')", "", "raised", "b0.py, line 3: ValueError: mine"),
    "returns nothing": ("return None", "", "answer", "returned nothing (None)"),
    "sleeps": ("import time; time.sleep(9)", "", "raised", "a bot may not import time"),
    "spins": ("while True: pass", "", "late", "gave no answer in"),
    "spins in C": ("sum(range(10**12))", "", "late", "gave no answer in"),
    "exits": ("raise SystemExit", "", "raised", "SystemExit"),
    "really exits": ("import random; random._os._exit(3)", "", "died", "exit code 3"),
    "kills itself": ("import random; random._os.abort()", "", "died", "killed by signal"),
    "forks": ("import random; random._os.fork()", "", "raised", "PermissionError"),
    "reads files": ("open('/etc/passwd').read()", "", "raised", "Error"),
    "writes files": ("open('/tmp/x', 'w')", "", "raised", "Error"),
    "takes all memory": ("x = bytearray(10**10)", "", "raised", "MemoryError"),
    "recurses": ("f = lambda: f(); f()", "", "raised", "RecursionError"),
    "hangs at import": ("pass", "while True: pass\n", "late", "more than 2 s to start"),
    "imports what it may not": ("pass", "import socket\n", "raised", "may not import socket"),
    "closes the pipe": ("import random; random._os.closerange(0, 99)", "", "died", ""),
    "writes to the pipe": (
        ("import random\n    for n in range(3, 64):\n        try: random._os.write(n, b'x' * 99)\n"
        "        except OSError: pass"), "", "nonsense", "ended",
    ),
    "breaks its runtime": (
        ("import random; random._os.sys = 1; __builtins__['compile'] = None; state.hand = None;"
        " raise KeyboardInterrupt"), "", "raised", "KeyboardInterrupt",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_bot_that_fails_is_played_for_and_the_game_goes_on(dealer, name):
    body, head, kind, words = HOSTILE[name]
    block = play_block(play(body, head), dealer, 0)
    fault = block.faults[0]
    assert {one.seat for one in block.faults} == {0}
    assert (fault.kind, words in fault.message) == (kind, True), fault
    assert block.faults[-1].forfeit
    for row in block.plays:
        assert sorted(row[12:] & 63) == list(range(52))


def test_a_bot_may_print_as_much_as_it_likes(dealer):
    block = play_block(play("print('x' * 99_999)"), dealer, 0)
    assert not block.faults


def test_a_bot_that_has_died_is_started_anew_and_told_all_that_it_had_seen(dealer):
    """It dies once, in its third lead or so; afterwards it still knows every card of the round."""
    body = (
        "import random\n"
        "    if len(state.playHistory[0]) == 3 and not state.gamePoints[0] and {died}:\n"
        "        random._os._exit(1)\n"
        "    assert sum(map(len, state.playHistory)) >= 4 * (13 - len(state.hand))\n"
        "    assert len(state.sluffedByYou) == len(state.sluffedToYou) == 3"
    )
    # What has died cannot remember it: the same move would kill the new process too.
    block = play_block(play(body.format(died="state.lead == state.whichPlayer")), dealer, 0)
    assert {fault.kind for fault in block.faults} <= {"died"}
    again = play_block(play(body.format(died="False")), dealer, 0)
    assert not again.faults


def test_a_late_bot_loses_its_process_and_not_the_game(dealer):
    body = "n = len(state.hand)\n    while n == 7 and state.gamePoints == [0] * 4: pass"
    block = play_block(play(body), dealer, 0)
    assert [(fault.kind, fault.round, fault.forfeit) for fault in block.faults] == [
        ("late", 1, False)
    ]


UNSEEDED = {
    "Python": (
        "random.Random().random()",
        "random.SystemRandom().random()",
        "random._os.urandom(1)[0] / 256",
    ),
    "NumPy": (
        "numpy.random.default_rng().random()",
        "numpy.random.RandomState().rand()",
        "numpy.random.rand()",
    ),
}


@pytest.mark.parametrize("draws", UNSEEDED.values(), ids=UNSEEDED)
def test_a_bot_that_seeds_nothing_plays_the_same_again(dealer, draws):
    """In another process too, and after other games in it."""
    sources = [
        "import random, numpy\ndef getPlay(state):\n"
        f"    return int({draw} * len(state.legalMoves))\ngetSluff = getPlay\n"
        for draw in draws
    ]
    limits = BotLimits(move=5, bank=60, start=30)
    first, again = (
        play_block(plan_of(*sources, games=2, limits=limits), dealer, 0) for _ in range(2)
    )
    assert pack(first.untimed()) == pack(again.untimed())
    assert not first.faults
    plan = replace(plan_of(*sources, games=2, limits=limits), together=1)
    second = play_block(plan, dealer, 1)
    assert (second.plays == first.plays[first.rounds[0] :]).all()


def test_bots_of_one_game_cannot_tell_each_other_anything(dealer):
    """Each tries to leave a mark wherever it can, and to find another's."""
    mark = (
        "import random, math\nmath.mark = random.mark = 1\n"
        "import numpy\nassert not hasattr(numpy, 'mark')\nnumpy.mark = 1\n"
    )
    sources = [mark + PLAY.format(body="pass")] * 3
    assert not play_block(plan_of(*sources), dealer, 0).faults


def test_a_forged_reply_is_nothing_but_an_answer(dealer):
    """A bot can speak for its bot runtime, but say no more than an integer or a fault."""
    body = "import random; random._os.__dict__; return 10**30"
    block = play_block(play(body), dealer, 0)
    assert {fault.kind for fault in block.faults} == {"index"}


def test_a_question_goes_through_few_modules():
    """From the controller of a seat to the bot and back: two of them are inside the sandbox."""
    text = BotText("b", "me", "b.py", PLAY.format(body="pass"))
    with closing(BotProcess(text, LEVEL, QUICK)) as process:
        controller = BotController(SandboxedBot(process), BotPenalties(), QUICK)
        finished(controller.begin(0, 0, 0, PublicTable()))
        controller.deal(1, [0] * 4, list(range(13)))
        with entered() as modules:
            assert finished(controller.choose(0b111, 0, play=False)) == 0
    inside = {"sandbox/child.py", "league/bot_runtime.py"}
    assert not modules & inside
    assert len(modules | inside | {"league/tables.py"}) <= 7, sorted(modules)
