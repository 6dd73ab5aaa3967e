"""Players from Python files: made anew each time, and whatever is wrong with the file is said."""

from __future__ import annotations

import pytest

from cardwright import Game
from cardwright.arena.entrants import PlayerSpecError, player
from cardwright.arena.referee import referee_game

GOOD = """
from beside import LAST

class Last:
    def __init__(self, of="1"):
        self.of = int(of)
    def choose(self, decision):
        return decision.option_count - self.of if LAST else 0

def make(**texts):
    raise AssertionError("only players' classes are called")

Alias = Last

class Mute:
    pass

class Broken:
    def __init__(self):
        raise RuntimeError("no weights")
    def choose(self, decision):
        return 0

NUMBER = 3
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mine.py").write_text(GOOD, encoding="utf-8")
    (tmp_path / "beside.py").write_text("LAST = True", encoding="utf-8")
    return tmp_path


def said(text):
    with pytest.raises(PlayerSpecError) as caught:
        player(text)
    return str(caught.value)


@pytest.mark.parametrize("name", ["Last", "Alias"])
def test_a_class_of_a_file_plays(folder, name):
    """Parameters come as texts; the player is asked like any other."""
    spec = player(f"python:{folder / 'mine.py'}:{name},of=1")
    assert spec.build().player.of == 1
    assert player(str(spec)) == spec
    game = Game.load("leduc")
    record = referee_game(game, 3, [spec.build(), spec.build()])
    assert all(chosen == count - 1 for _, count, chosen in record.decisions)


def test_every_game_has_a_new_player(folder):
    """Two players are never the same, but the file is run once; a changed file is run again."""
    spec = player(f"python:{folder / 'mine.py'}:Last")
    one, other = spec.build(), spec.build()
    assert one is not other
    assert type(one.player) is type(other.player)
    (folder / "mine.py").write_text(GOOD + "\nNEW = 1\n", encoding="utf-8")
    assert type(spec.build().player) is not type(one.player)


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("mine.py:Lasst", "did you mean Last?"),
        ("mine.py:nothing_like_it", "it has Last, Alias, Broken"),
        ("mine.py:NUMBER", "NUMBER is a int, but a player is made by a class"),
        ("mine.py:make", "make is a function, but a player is made by a class"),
        ("mine.py:LAST", "LAST is a bool, but"),
        (
            "mine.py:Mute",
            "Mute is a class, but a player is made by a class that has a method choose",
        ),
        ("mine.py:Broken", "Broken() failed: line 20: RuntimeError: no weights"),
        ("mine.py:Last,of=x", "Last(of='x') failed: line 6: ValueError"),
        ("mine.py:Last,size=3", "unexpected keyword argument 'size'"),
        ("none.py:Last", "there is no such file"),
        ("mine.py", "write python:path.py:Name"),
        ("mine.py:a b", "write python:path.py:Name"),
        ("notes.txt:Last", "must end in .py"),
        ("slip.py:Last", "line 2: "),
        ("raises.py:Last", "cannot be run: line 1: ZeroDivisionError"),
        ("leaves.py:Last", "cannot be run: line 2: SystemExit"),
        ("lonely.py:Last", "ModuleNotFoundError: No module named 'nobody_wrote_this'"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(folder, place, text):
    """Each message names the file and what to change, and no error of another kind gets out."""
    for name, content in {
        "notes.txt": "",
        "slip.py": "x = 1\nclass Last\n",
        "raises.py": "1 / 0",
        "leaves.py": "import sys\nsys.exit(3)",
        "lonely.py": "import nobody_wrote_this",
    }.items():
        (folder / name).write_text(content, encoding="utf-8")
    message = said(f"python:{folder}/{place}")
    assert text in message
    assert str(folder) in message
