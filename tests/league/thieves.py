"""Bots that go for the cards of others: they look for what their own chances were made of.

Each looks in another place for numbers, takes every one for a draw or a state of a generator that
the game's seed was turned into, turns it back, and deals the cards of what comes out. If its own
hand is in that deal it knows all hands, and says so as an exception.
"""

from __future__ import annotations

THEFT = r"""
import random
MASK, GOLDEN = 2**64 - 1, 0x9E3779B97F4A7C15
PACK = [*range(13), *range(26, 39), *range(13, 26), *range(39, 52)]

def unshifted(word, by):
    found = word
    for _ in range(64 // by + 1):
        found = word ^ found >> by
    return found

def from_word(word, number):
    "The seed of which splitmix64 makes a word as its number-th."
    word = unshifted(word, 31) * pow(0x94D049BB133111EB, -1, 2**64) & MASK
    word = unshifted(word, 27) * pow(0xBF58476D1CE4E5B9, -1, 2**64) & MASK
    return unshifted(word, 30) - (number + 1) * GOLDEN & MASK

def from_draw(draw):
    "The seed of a stream of which xoshiro256** has made its first draw."
    draw = draw * pow(9, -1, 2**64) & MASK
    draw = (draw >> 7 | draw << 57) & MASK
    return from_word(draw * pow(5, -1, 2**64) & MASK, 1)

class Stream:
    def __init__(self, seed):
        self.words = []
        for _ in range(4):
            seed = seed + GOLDEN & MASK
            mixed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & MASK
            mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & MASK
            self.words.append(mixed ^ mixed >> 31)

    def below(self, bound):
        while True:
            s0, s1, s2, s3 = self.words
            product = s1 * 5 & MASK
            drawn = ((product << 7 | product >> 57) & MASK) * 9 & MASK
            shifted = s1 << 17 & MASK
            s2 ^= s0
            s3 ^= s1
            s1 ^= s2
            s0 ^= s3
            s2 ^= shifted
            self.words = [s0, s1, s2, (s3 << 45 | s3 >> 19) & MASK]
            if drawn * bound & MASK >= -bound % 2**64 % bound:
                return drawn * bound >> 64

def dealt(seed, seat, hand):
    "All hands of a game of this seed; None if this one is not among them."
    stream, pack = Stream(seed), PACK[:]
    for i in range(51, 0, -1):
        j = stream.below(i + 1)
        pack[i], pack[j] = pack[j], pack[i]
        if ((51 - i) // 13 == seat) != (pack[i] in hand):
            return None
    return [pack[39 - 13 * n : 52 - 13 * n][::-1] for n in range(4)]

def before(number, seat):
    "What a number may have been made of."
    yield number
    undone = [from_draw(number), *(from_word(number, n) for n in range(4))]
    yield from undone
    for one in undone:
        yield one ^ (seat + 1) * GOLDEN & MASK
        yield from_draw(one ^ (seat + 1) * GOLDEN & MASK)
        for n in range(8):
            chances = from_draw(one ^ (seat + 1) * GOLDEN & MASK)
            yield chances ^ (n + 1) * GOLDEN & MASK

def numbers(things):
    "All numbers of 64 bits that things are, or are made of."
    found = set()
    for thing in things:
        if type(thing) is int and 32 < thing.bit_length() <= 1024 and thing > 0:
            thing = thing.to_bytes((thing.bit_length() + 63) // 64 * 8, "little")
        if type(thing) in (bytes, bytearray) and 8 <= len(thing) <= 128:
            for at in range(len(thing) - 7):
                found.add(int.from_bytes(thing[at:at + 8], "little"))
    return found

def all_cards(things, state):
    hand, seat = set(state.hand), state.whichPlayer
    for number in numbers(things):
        for seed in before(number, seat):
            hands = dealt(seed, seat, hand)
            if hands is not None:
                return hands

def parts(thing):
    "What a thing leads to at once."
    if isinstance(thing, dict):
        return [*thing.values()]
    if isinstance(thing, (list, tuple, set, frozenset)):
        return [*thing]
    found = []
    for name in ("__closure__", "__globals__", "__defaults__", "__dict__", "__self__",
                 "__func__", "cell_contents"):
        try:
            found.append(getattr(thing, name))
        except BaseException:
            pass
    return [dict(one) if type(one).__name__ == "mappingproxy" else one for one in found]

def reached(things, steps):
    "Things, and all that they lead to in so many steps."
    seen, layer = {}, list(things)
    for _ in range(steps):
        further = []
        for thing in layer:
            if id(thing) not in seen:
                seen[id(thing)] = thing
                if not isinstance(thing, (int, str, bytes, float, type(None))):
                    further += parts(thing)
        layer = further
    return [*seen.values(), *layer]

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
            raise ValueError("all cards: %s" % hands)
    return 0
"""

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
    return reached([*modules().values(), *told], 6)
""",
}
"""Where a bot looks; the functions are those of `THEFT`."""
