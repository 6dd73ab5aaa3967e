"""A check says all that is wrong with a bot, where it is, and how often."""

from __future__ import annotations

import sys

import pytest

from cardwright.league.authors.look import IN_MODULE
from cardwright.league.check import OTHERWISE, Trial, check_bot, look, opponents
from cardwright.league.season import SeasonError
from cardwright.league.settings import BotLimits, LeagueRules
from cardwright.sandbox.levels import strongest

GOOD = "def getPlay(state):\n    return 0\ngetSluff = getPlay\n"
LEVEL = int(strongest().level)


def trial(games=2, level=0, tables=None, **limits):
    limits = {"move": 5, "bank": 60, "faults": 1000} | limits
    return Trial(
        LeagueRules.CODE, BotLimits(**limits), level, games, 5, tables or (opponents("random"),)
    )


def checked(tmp_path, text, **options):
    file = tmp_path / "mine.py"
    file.write_text(text)
    return check_bot(file, trial(**options))


def told(checkup):
    return [(one.line, one.message, one.fault) for one in checkup.findings]


ONLY = "; only numpy, pandas, math, random, hearts_cards"
KEPT = " is kept from move to move, but not from game to game: the file is run again for every game"
CLOCK = "the clock is read: a season that is played again may come out differently"

SHARED = f" is changed: {IN_MODULE}"

IN_PLACE = "legalMoves is changed in place: an index returned then is one of the list as it is left"

LOOKS = [
    (GOOD, []),
    ("getPlay = getSluff = lambda state: 0\n", []),
    ("def getPlay(s): return 0\nif True:\n    def getSluff(s): return 0\n", []),
    ("from math import floor as getPlay, ceil as getSluff\n", []),
    (
        "def getPlay(s): return 0\n",
        [("fault", None, "there is no function getSluff(gameState)")],
    ),
    (
        GOOD.replace("(state)", "(state, more)"),
        [("fault", 1, "getPlay is called with one argument, getPlay(gameState)")],
    ),
    (GOOD.replace("(state)", "(state, more=1)"), []),
    (GOOD.replace("(state)", "(*states)"), []),
    (
        GOOD.replace("(state)", "()"),
        [("fault", 1, "getPlay is called with one argument, getPlay(gameState)")],
    ),
    (
        GOOD.replace("(state)", "(state, *, key)"),
        [("fault", 1, "getPlay is called with one argument, getPlay(gameState)")],
    ),
    (
        "async " + GOOD,
        [("fault", 1, "getPlay is async: it does not return a number; write `def getPlay`")],
    ),
    (
        GOOD.replace("return", "yield"),
        [("fault", 1, "getPlay has a `yield`: it returns a generator and not a number")],
    ),
    (
        "def getPlay(s):\n    def inner(): return 3\n    inner()\ngetSluff = print\n",
        [("fault", 1, "getPlay returns nothing; return the index of a card in legalMoves")],
    ),
    ("import numpy as np, math\nfrom pandas.core import frame\nimport hearts_cards\n" + GOOD, []),
    (
        GOOD + "def rare():\n    if 0:\n        from os.path import join\n    import sys, math\n",
        [
            ("fault", 6, "a bot may not import os.path" + ONLY),
            ("fault", 7, "a bot may not import sys" + ONLY),
        ],
    ),
    (
        "from . import other\n" + GOOD,
        [("fault", 1, "a bot may not import ." + ONLY)],
    ),
    (
        "seen = []\n" + GOOD + "def note(x):\n    seen.append(x)\n",
        [("note", 6, "seen" + KEPT)],
    ),
    (
        "n = 0\n" + GOOD + "def count():\n    global n\n    n += 1\n",
        [("note", 7, "n" + KEPT)],
    ),
    (
        "import numpy as np\nsuits = {}\n" + GOOD
        + "def f(hand, seen=()):\n    suits = {}\n    suits[1] = 2\n    hand.sort()\n"
          "    return np.sort(hand)\n",
        [],
    ),
    (
        "import pandas as pd\n" + GOOD + "def f():\n    return pd.Timestamp.now()\n",
        [("note", 6, CLOCK)],
    ),
    (
        GOOD + "print(open('x'))\n",
        [
            ("note", 4, "open(): a bot can open only files of the folder beside it, to read them"),
            ("note", 4, "print(): what a bot prints is discarded in a season"),
        ],
    ),
    (
        ("import random\ndef getPlay(s):\n    legal = s.legalMoves\n    legal.sort()\n"
        "    own = sorted(legal)\n    own.reverse()\n    return 0\n"
        "def getSluff(s):\n    random.shuffle(s.legalMoves)\n    del s.legalMoves[0]\n"
        "    return 0\n"),
        [("note", 4, IN_PLACE), ("note", 9, IN_PLACE), ("note", 10, IN_PLACE)],
    ),
    (
        "import math\nmath.games = getattr(math, 'games', 0) + 1\n" + GOOD,
        [("note", 2, "math" + SHARED)],
    ),
    (
        "import numpy as np, random\nsetattr(np, 'n', 0)\nvars(np)['n'] = 1\n"
        "np.random.n += 1\nnp.__dict__.update(n=1)\ndel np.n\nrandom.n = 1\n"
        "own = np.zeros(3)\nown[0] = np.pi\n" + GOOD,
        [("note", line, "np" + SHARED) for line in (2, 3, 4, 5, 6)],
    ),
    ("def getPlay(s:\n  return 0\n", [("fault", 1, "SyntaxError: '(' was never closed")]),
    (
        "def f():\n  x\n y\n",
        [("fault", 3, "IndentationError: unindent does not match any outer indentation level")],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), LOOKS, ids=range(len(LOOKS)))
def test_looking_at_a_file(text, expected):
    found = [("fault" if one.fault else "note", one.line, one.message) for one in look(text)]
    assert found == expected


HOSTILE = {
    "null": "x = '\0'\n",
    "parentheses": "(" * 100_000 + ")" * 100_000,
    "minus": "x = " + "-" * 400_000 + "1\n",
    "not": "x = " + "not " * 200_000 + "1\n",
    "plus": "x = 1" + "+1" * 300_000 + "\n",
    "attributes": "x = a" + ".a" * 300_000 + "\n",
    "calls": "x = a" + "()" * 300_000 + "\n",
    "lambda": "x = " + "lambda:" * 100_000 + "1\n",
    "indents": "".join(" " * depth + "if 1:\n" for depth in range(1_000)),
    "f-strings": "x = " + 'f"{' * 100 + "1" + '}"' * 100 + "\n",
    "elif": "if 1: pass\n" + "elif 1: pass\n" * 50_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_make_a_finding_and_no_crash(name):
    found = look(HOSTILE[name])
    assert found[0].fault
    assert len(found[0].message) < 200


def test_nothing_is_run_by_looking(tmp_path):
    file = tmp_path / "made"
    look(f"open({str(file)!r}, 'w').write('x')\nraise SystemExit(3)\n")
    assert not file.exists()


def test_a_good_bot_is_clean_and_timed(tmp_path):
    checkup = checked(tmp_path, GOOD, games=3)
    assert checkup.clean
    assert checkup.findings == ()
    assert checkup.games == 3
    assert len(checkup.starts) == 3
    # Three cards passed and thirteen played a round, in at least four rounds a game.
    assert len(checkup.moves) % 16 == 0
    assert len(checkup.moves) >= 3 * 4 * 16
    assert checkup.moves.min() > 0
    assert 0 < checkup.seconds_a_game < 10
    assert 20 < checkup.met[0].points < 130
    assert checkup.met[0].forfeits == 0


def test_the_margin_of_two_games_is_students(tmp_path):
    """That is 12.7 standard errors; a single game, which is the first of two, has none."""
    one, both = (checked(tmp_path, GOOD, games=games).met[0] for games in (1, 2))
    assert one.margin is None
    first = one.points - one.theirs
    second = 2 * (both.points - both.theirs) - first
    assert both.margin == pytest.approx(12.7062 * abs(first - second) / 2, rel=1e-5)
    assert both.margin > 0


WRONG = {
    "return None": "returned nothing (None); it must return the index of a card in legalMoves, "
    "an int",
    "return 0.0": "returned a float; it must return the index of a card in legalMoves, an int",
    "return -1": "returned a negative index; a random card was played",
    "return len(s.legalMoves)": "returned an index beyond the end of legalMoves; "
    "a random card was played",
}


@pytest.mark.parametrize("level", [0, LEVEL])
@pytest.mark.parametrize("body", WRONG)
def test_wrong_answers_are_counted(tmp_path, body, level):
    checkup = checked(tmp_path, f"def getSluff(s): return 0\ndef getPlay(s): {body}\n", level=level)
    (finding,) = checkup.findings
    assert finding.message == f"getPlay {WRONG[body]}"
    assert finding.fault
    assert finding.count == len(checkup.moves) * 13 // 16
    assert not checkup.clean


@pytest.mark.parametrize("level", [0, LEVEL])
def test_a_list_that_is_changed_in_a_way_that_no_look_finds_is_told(tmp_path, level):
    text = (
        "def order(cards): cards.sort()\n"
        "def getPlay(s):\n    order(s.legalMoves)\n    return 0\n"
        "def getSluff(s): return 0\n"
    )
    checkup = checked(tmp_path, text, level=level)
    (finding,) = checkup.findings
    assert finding.message == IN_PLACE
    assert not finding.fault
    assert 0 < finding.count < len(checkup.moves)
    assert checkup.clean


@pytest.mark.parametrize("level", [0, LEVEL])
def test_exceptions_are_told_with_their_line_and_how_often(tmp_path, level):
    text = (
        "def getSluff(s): return 0\n"
        "def getPlay(s):\n"
        "    if len(s.hand) == 5:\n"
        "        return [1][len(s.hand)]\n"
        "    return 0\n"
    )
    checkup = checked(tmp_path, text, level=level)
    (finding,) = checkup.findings
    assert finding.line == 4
    assert finding.message == "IndexError: list index out of range (in getPlay)"
    assert finding.count == len(checkup.moves) // 16


@pytest.mark.parametrize("level", [0, LEVEL])
def test_an_exception_is_told_with_its_place_and_all_steps(tmp_path, level):
    """The scene is that of the bot's own `gameState`, which it prints here."""
    text = (
        "from hearts_cards import name\n"
        "def deeper(s):\n    return [1][len(s.hand)]\n"
        "def getSluff(s): return 0\n"
        "def getPlay(s):\n"
        "    if len(s.hand) < 6 and s.lead != s.whichPlayer:\n"
        "        cards = ' '.join(map(name, s.hand)), ' '.join(map(name, s.legalMoves))\n"
        "        raise ValueError(*cards, s.whichPlayer) if max(s.gamePoints) else deeper(s)\n"
        "    return 0\n"
    )
    checkup = checked(tmp_path, text, level=level)
    assert {one.line for one in checkup.findings} >= {3, 8}
    scenes = {one.line: one.scene for one in checkup.findings}
    step = "raise ValueError(*cards, s.whichPlayer) if max(s.gamePoints) else deeper(s)"
    assert scenes[3].trace == (
        "mine.py, line 8, in getPlay",
        f"  {step}",
        "mine.py, line 3, in deeper",
        "  return [1][len(s.hand)]",
    )
    assert (scenes[3].game, scenes[3].round, scenes[3].card) == (1, 1, "trick 9")
    for one in checkup.findings:
        if one.line == 8:
            hand, legal, table = (line.partition("  ")[2].strip() for line in one.scene.cards)
            assert f"ValueError: ({hand!r}, {legal!r}, {one.scene.seat})" in one.message
            assert "seat" in table


def test_the_place_of_a_fault_while_passing(tmp_path):
    text = GOOD + "def getSluff(s):\n    return 0 if len(s.hand) > 11 else None\n"
    (finding,) = checked(tmp_path, text).findings
    assert (finding.scene.round, finding.scene.card) == (1, "card 3 to pass")
    assert len(finding.scene.cards) == 2
    assert finding.scene.cards[0].split()[1:] == finding.scene.cards[1].split()[1:]
    assert finding.scene.trace == ()


def test_what_a_traceback_says_cannot_be_forged_into_lines(tmp_path):
    text = "def getSluff(s): return 0\ndef getPlay(s): raise ValueError('a\\0b\\x1b[2J')\n"
    (finding,) = checked(tmp_path, text, level=LEVEL).findings
    assert finding.message == "ValueError: a?b?[2J (in getPlay)"
    assert finding.scene.trace[0] == "mine.py, line 2, in getPlay"


@pytest.mark.parametrize("level", [0, LEVEL])
def test_the_slowest_moves_are_told(tmp_path, level):
    slow = "all(n for n in range(1, 10**6)) if len(s.hand) == 4 and max(s.gamePoints) == 0 else 0"
    text = f"def getSluff(s): return 0\ndef getPlay(s):\n    {slow}\n    return 0\n"
    checkup = checked(tmp_path, text, level=level, move=0.004, grace=0.002)
    (finding,) = checkup.findings
    assert (finding.message, finding.fault) == (
        "a move took longer than 4 ms: that comes out of the bank of 60 s a game", False
    )  # fmt: skip
    assert finding.count >= 2
    assert len(checkup.slowest) == 3
    assert checkup.slowest[0].took_ns == checkup.moves.max()
    slow = {(one.game, one.round, one.card) for one in checkup.slowest}
    assert slow >= {(1, 1, "trick 10"), (2, 1, "trick 10")}


@pytest.mark.parametrize("level", [0, LEVEL])
def test_a_bot_that_remembers_other_games_is_told(tmp_path, level):
    """Nothing in its text says so; its answers do, when a game is played again."""
    text = "import math\nstore = getattr(math, '__di' + 'ct__')\n"
    text += f"store['games_{level}'] = n = store.get('games_{level}', 0) + 1\n"
    text += "def getPlay(s): return n % len(s.legalMoves)\ngetSluff = getPlay\n"
    checkup = checked(tmp_path, text, level=level)
    assert told(checkup) == [(None, OTHERWISE, False)]
    assert checkup.clean


@pytest.mark.parametrize("level", [0, LEVEL])
def test_opponents_can_be_another_bot(tmp_path, level):
    """It plays in the same sandbox, three times; what it does wrong is a note."""
    other = tmp_path / "other.py"
    other.write_text("def getPlay(s): return None\ngetSluff = getPlay\n")
    checkup = checked(tmp_path, GOOD, level=level, tables=(opponents(str(other)),), faults=3)
    assert checkup.met[0].others == str(other)
    (finding,) = checkup.findings
    assert finding.message.startswith(f"{other}, the bot of the others: getSluff returned nothing")
    assert (finding.count, finding.fault) == (2 * 3 * 4, False)


@pytest.mark.skipif(LEVEL < 2, reason="no sandbox for untrusted bots here")
def test_another_bot_is_in_the_sandbox_too(tmp_path):
    other = tmp_path / "other.py"
    made = tmp_path / "made"
    escape = f"import random\nrandom._os.open({str(made)!r}, 0o101)\n"
    other.write_text(escape + GOOD)
    checked(tmp_path, GOOD, level=LEVEL, tables=(opponents(str(other)),))
    assert not made.exists()
    checked(tmp_path, GOOD, level=0, tables=(opponents(str(other)),))
    assert made.exists()


@pytest.mark.parametrize("level", [0, LEVEL])
def test_a_file_that_cannot_start_forfeits_and_is_suspended(tmp_path, level):
    checkup = checked(tmp_path, f"{GOOD}x = 1 / 0\n", level=level, games=5)
    start, suspended = checkup.findings
    assert start.line == 4
    assert start.message == "at the start of a game: ZeroDivisionError: division by zero"
    assert start.count == 3
    assert "three games forfeited in a row" in suspended.message
    assert suspended.count == 2
    assert checkup.met[0].forfeits == 5


@pytest.mark.parametrize("level", [0, LEVEL])
def test_what_is_printed_is_a_note(tmp_path, level):
    say = "import random\nsay = vars(__builtins__ if 0 else random)['__builtins__']['print']\n"
    text = "def getPlay(s):\n    say('hello')\n    return 0\ngetSluff = getPlay\n"
    checkup = checked(tmp_path, say + text, level=level)
    (finding,) = checkup.findings
    assert not finding.fault
    assert "something is printed" in finding.message
    assert "hello" in checkup.printed
    assert checkup.clean


def test_a_bot_that_hangs_in_the_sandbox_is_ended_and_named(tmp_path):
    text = "def getSluff(s): return 0\ndef getPlay(s):\n    while True: pass\n    return 0\n"
    checkup = checked(tmp_path, text, level=LEVEL, games=1, move=0.03, bank=0.2, restarts=0)
    (finding,) = checkup.findings
    assert "gave no answer in" in finding.message, told(checkup)
    assert checkup.met[0].forfeits == 1


def test_a_slow_bot_at_home_is_judged(tmp_path):
    text = (
        "import math\ndef getSluff(s): return 0\n"
        "def getPlay(s):\n    sum(map(math.sqrt, range(3000)))\n    return 0\n"
    )
    checkup = checked(tmp_path, text, games=1, move=1e-6, grace=0, bank=0)
    (finding,) = checkup.findings
    assert finding.message.startswith("a move took longer than allowed")
    assert finding.count >= 13


def test_a_file_with_mistakes_of_syntax_is_not_played(tmp_path):
    checkup = checked(tmp_path, "def getPlay(:\n")
    assert told(checkup) == [(1, "SyntaxError: invalid syntax", True)]
    assert checkup.games == 0
    assert not checkup.clean


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cannot be read: No such file"),
        (b"# caf\xe9\n", "line 1, is not UTF-8 text"),
        (b"#" * (1 << 20) + b"\n", "has more than 1 MiB"),
    ],
)
def test_files_that_cannot_be_read(tmp_path, content, words):
    file = tmp_path / "mine.py"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(SeasonError, match=words):
        check_bot(file, trial())


@pytest.mark.parametrize(("what", "kinds"), [("n", 2), ("chr(300 + n)", 51)])
def test_messages_without_end_are_not_all_kept(tmp_path, what, kinds):
    text = "import random\ndef getPlay(s):\n    n = random.randrange(10**5)\n"
    text += f"    raise OSError({what})\n"
    checkup = checked(tmp_path, text + "getSluff = getPlay\n", games=1)
    assert len(checkup.findings) == kinds
    assert sum(one.count for one in checkup.findings) == len(checkup.moves)


def test_the_same_seed_gives_the_same_check(tmp_path):
    text = "import random\ndef getPlay(s):\n    return random.randrange(len(s.legalMoves))\n"
    text += "getSluff = getPlay\n"
    once, again = (checked(tmp_path, text, games=3, level=level).met[0] for level in (0, LEVEL))
    assert (once.points, once.theirs) == (again.points, again.theirs)


def test_the_process_that_looks_gets_nothing_of_ours(monkeypatch):
    assert "look" not in sys.argv
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    monkeypatch.setenv("PYTHONSTARTUP", "/nowhere")
    assert look(GOOD) == ()
