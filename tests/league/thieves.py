"""Bots that go for the cards of others: they look for what their own chances were made of.

Each looks in another place for numbers, takes every one for a draw or a state of a generator that
the game's seed was turned into, turns it back, and deals the cards of what comes out. If its own
hand is in that deal it knows all hands, and says so as an exception.
"""

from __future__ import annotations

import inspect

import turned_back

LOOKING = """
import random

def all_cards(things, state):
    hand, seat = set(state.hand), state.whichPlayer
    for number in numbers(things):
        for seed in before(number, seat):
            hands = dealt(seed, seat, hand)
            if hands is not None:
                return hands

def modules():
    return random._os.sys.modules

LOOKED = []
def getPlay(state):
    return 0

def getSluff(state):
    if not LOOKED:
        LOOKED.append(1)
        hands = all_cards(look(), state)
        if hands is not None:
            raise ValueError("all cards: %s" % [sorted(one) for one in hands])
    return 0
"""

THEFT = inspect.getsource(turned_back) + LOOKING
"""A bot, but for where it looks."""

PLACES = {
    "the closure of its import": """
def look():
    return reached([cell.cell_contents for cell in __builtins__["__import__"].__closure__], 4)
""",
    "frames": """
def look():
    frame, found = random._os.sys._getframe(), []
    while frame is not None:
        found += [frame.f_locals, frame.f_globals, frame.f_builtins]
        frame = frame.f_back
    return reached(found, 6)
""",
    "closures": """
def look():
    everything = reached([__builtins__, modules()["__main__"]], 9)
    cells = [getattr(one, "__closure__", None) for one in everything]
    return reached([cell.cell_contents for one in cells if type(one) is tuple for cell in one], 3)
""",
    "gc": """
def look():
    gc = modules()["builtins"].__import__("gc")
    held = gc.get_objects()
    return [*held, *gc.get_referents(*held)]
""",
    "sys.modules": """
def look():
    sys = random._os.sys
    told = [random._os.environ, sys.argv, sys.orig_argv, sys.flags, sys.path]
    runtime = modules()["os"].urandom.__globals__
    return reached([*modules().values(), runtime, *told], 6)
""",
}
"""Where a bot looks; the functions are those of `THEFT`."""
