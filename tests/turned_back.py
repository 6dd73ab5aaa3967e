"""How to look for a seed: all that can be reached, and what numbers may have been made of.

What the language makes of a seed is made by bijections, which can be turned back. The text of this
file is part of hostile programs, so it stands alone.
"""

MASK, GOLDEN = 2**64 - 1, 0x9E3779B97F4A7C15
PACK = [*range(13), *range(26, 39), *range(13, 26), *range(39, 52)]


def unshifted(word, by):
    found = word
    for _ in range(64 // by + 1):
        found = word ^ found >> by
    return found


def from_word(word, number):
    """The seed of which splitmix64 makes a word as its number-th."""
    word = unshifted(word, 31) * pow(0x94D049BB133111EB, -1, 2**64) & MASK
    word = unshifted(word, 27) * pow(0xBF58476D1CE4E5B9, -1, 2**64) & MASK
    return unshifted(word, 30) - (number + 1) * GOLDEN & MASK


def from_draw(draw):
    """The seed of a stream of which xoshiro256** has made its first draw."""
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
    """All hands of a game of this seed; None if this one is not among them."""
    stream, pack = Stream(seed), PACK[:]
    for i in range(51, 0, -1):
        j = stream.below(i + 1)
        pack[i], pack[j] = pack[j], pack[i]
        if ((51 - i) // 13 == seat) != (pack[i] in hand):
            return None
    return [pack[39 - 13 * n : 52 - 13 * n][::-1] for n in range(4)]


def undone(number):
    """The seeds of which a number may be a draw or a word."""
    return [from_draw(number), *(from_word(number, n) for n in range(4))]


def before(number, seat):
    """What a number may have been made of."""
    yield number
    yield from undone(number)
    for one in undone(number):
        yield one ^ (seat + 1) * GOLDEN & MASK
        yield from_draw(one ^ (seat + 1) * GOLDEN & MASK)
        for n in range(8):
            chances = from_draw(one ^ (seat + 1) * GOLDEN & MASK)
            yield chances ^ (n + 1) * GOLDEN & MASK


def numbers(things):
    """All numbers of 64 bits that things are, or are made of."""
    found = set()
    for thing in things:
        held = thing if type(thing) in (bytes, bytearray) else b""
        if type(thing) is int and 32 < thing.bit_length() <= 1024 and thing > 0:
            held = thing.to_bytes((thing.bit_length() + 63) // 64 * 8, "little")
        if 8 <= len(held) <= 128:
            found.update(int.from_bytes(held[at : at + 8], "little") for at in range(len(held) - 7))
    return found


LEADS = ["closure", "globals", "defaults", "dict", "self", "func"]


def part(thing, name):
    """An attribute, however looking for it may go wrong."""
    try:
        return getattr(thing, name)
    except BaseException:
        return None


def parts(thing):
    """What a thing leads to at once."""
    if isinstance(thing, dict):
        return [*thing.values()]
    if isinstance(thing, (list, tuple, set, frozenset)):
        return [*thing]
    found = [part(thing, f"__{name}__") for name in LEADS] + [part(thing, "cell_contents")]
    return [dict(one) if type(one).__name__ == "mappingproxy" else one for one in found]


def reached(things, steps):
    """Things, and all that they lead to in so many steps."""
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
