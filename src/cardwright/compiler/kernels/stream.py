"""Random streams as `cardwright.interpreter.stream` defines them, seeds, and deferred shuffles.

The seeds of the games of a job are those of the spawned children of `numpy.random.SeedSequence`.
The algorithm is Melissa O'Neill's `seed_seq_fe`, "Developing a seed_seq alternative" (2015), as
numpy fixes it. What depends on the job alone is computed once: `mix_seed` keeps the pool of four
integers, and the state of its hash, in a block from which `game_seed` computes the seed of any
game. `cardwright.program.deferral` says when shuffles are deferred.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import Inline, kernel
from cardwright.compiler.kernels import engine
from cardwright.compiler.kernels.engine import Board, Pointer, Stream

GOLDEN = op.wrap(0x9E3779B97F4A7C15)
FIRST_MIX = op.wrap(0xBF58476D1CE4E5B9)
SECOND_MIX = op.wrap(0x94D049BB133111EB)

STREAM_BYTES = 32


@kernel
def stream_at(streams: Stream, index: int) -> Stream:
    """Return one of many streams."""
    return op.like(streams, op.offset(streams, STREAM_BYTES * index))


@kernel(inline=Inline.ALWAYS)
def next_bits(stream: Stream) -> int:
    """Return the next 64 random bits."""
    s0: int = stream.words[0]
    s1: int = stream.words[1]
    s2: int = stream.words[2] ^ s0
    s3: int = stream.words[3] ^ s1
    result = op.wrap(op.rotate_left(op.wrap(s1 * 5), 7) * 9)
    stream.words[0] = s0 ^ s3
    stream.words[1] = s1 ^ s2
    stream.words[2] = s2 ^ op.wrap(s1 << 17)
    stream.words[3] = op.rotate_left(s3, 45)
    return result


@kernel(inline=Inline.ALWAYS)
def below(stream: Stream, bound: int) -> int:
    """Return a uniform integer from 0 to bound - 1; bound is from 1."""
    bits = next_bits(stream)
    # The threshold is below the bound, so that a larger low half needs no division.
    if op.unlikely(op.unsigned_less(op.wrap(bits * bound), bound)):
        bits = redrawn(stream, bound, bits)
    return op.multiply_high(bits, bound)


@kernel(inline=Inline.NEVER)
def redrawn(stream: Stream, bound: int, bits: int) -> int:
    """Return random bits, or others if these would favour some of the integers below a bound."""
    threshold = op.unsigned_remainder(op.wrap(-bound), bound)
    while op.unsigned_less(op.wrap(bits * bound), threshold):
        bits = next_bits(stream)
    return bits


@kernel
def seed_stream(stream: Stream, seed: int) -> None:
    """Set a stream to its beginning for a seed: the first four outputs of splitmix64."""
    for i in range(4):
        seed = op.wrap(seed + GOLDEN)
        stream.words[i] = scattered(seed)


@kernel
def scattered(value: int) -> int:
    """Return a hash of an integer: the finaliser of splitmix64."""
    once = op.wrap((value ^ op.shift_right(value, 30)) * FIRST_MIX)
    twice = op.wrap((once ^ op.shift_right(once, 27)) * SECOND_MIX)
    return twice ^ op.shift_right(twice, 31)


@kernel
def seat_seed(seed: int, seat: int) -> int:
    """Return the seed of the stream of a seat's player in a game."""
    return seed ^ op.wrap((seat + 1) * GOLDEN)


@kernel
def seed_seats(streams: Stream, seed: int) -> None:
    """Give the player of every seat its stream for a game."""
    for seat in range(engine.PLAYERS):
        seed_stream(stream_at(streams, seat), seat_seed(seed, seat))


POOL_SIZE = 4
POOL_BYTES = 20

WORD = 0xFFFFFFFF
INIT_A = 0x43B0D7E5
MULT_A = 0x931E8875
INIT_B = 0x8B51F9DD
MULT_B = 0x58F38DED
MIX_MULT_L = 0xCA01F9DD
MIX_MULT_R = 0x4973F715


def seed_words(seed: int) -> bytes:
    """Return the words of 4 bytes of a job's seed, which is from 0, as `mix_seed` takes them."""
    return seed.to_bytes(max(1, -(-seed.bit_length() // 32)) * 4, "little")


@kernel(inline=Inline.ALWAYS)
def hashed(word: int, hash_word: int, factor: int) -> int:
    """Return a word hashed with a state of the hash, whose next state is `factor` times that."""
    mixed = op.wrap((word ^ hash_word) * (op.wrap(hash_word * factor) & WORD)) & WORD
    return mixed ^ mixed >> 16


@kernel(inline=Inline.ALWAYS)
def mixed(left: int, right: int) -> int:
    """Return two words mixed into one."""
    word = op.wrap(MIX_MULT_L * left - MIX_MULT_R * right) & WORD
    return word ^ word >> 16


@kernel
def mix_seed(pool: Pointer, words: Pointer, count: int) -> None:
    """Fill a pool, of POOL_BYTES, from the words of a job's seed."""
    state = INIT_A
    for i in range(POOL_SIZE):
        word = op.load(op.offset(words, 4 * i), 4) if i < count else 0
        op.store(op.offset(pool, 4 * i), hashed(word, state, MULT_A), 4)
        state = op.wrap(state * MULT_A) & WORD
    # Every word of the pool is mixed into every other, and then the seed's words beyond four.
    for source in range(max(POOL_SIZE, count)):
        for target in range(POOL_SIZE):
            if source != target:
                at = op.offset(pool, 4 * target)
                from_pool = source < POOL_SIZE
                word = op.load(op.offset(pool if from_pool else words, 4 * source), 4)
                op.store(at, mixed(op.load(at, 4), hashed(word, state, MULT_A)), 4)
                state = op.wrap(state * MULT_A) & WORD
    op.store(op.offset(pool, 4 * POOL_SIZE), state, 4)


@kernel
def game_seed(pool: Pointer, index: int) -> int:
    """Return the seed of a game of the job, from 0."""
    first = op.load(pool, 4)
    second = op.load(op.offset(pool, 4), 4)
    state = op.load(op.offset(pool, 4 * POOL_SIZE), 4)
    rest = index
    # The number of the game is mixed in word by word; only half of the pool is then needed.
    while True:
        word = rest & WORD
        first = mixed(first, hashed(word, state, MULT_A))
        state = op.wrap(state * MULT_A) & WORD
        second = mixed(second, hashed(word, state, MULT_A))
        rest >>= 32
        if rest == 0:
            break
        for _ in range(POOL_SIZE - 1):
            state = op.wrap(state * MULT_A) & WORD
    low = hashed(first, INIT_B, MULT_B)
    high = hashed(second, op.wrap(INIT_B * MULT_B) & WORD, MULT_B)
    return op.wrap(high << 32) | low


@kernel
def defer_shuffle(stream: Stream, board: Board, slot: int) -> None:
    """Begin to shuffle a pile, with a board's stream; what was left of the last shuffle is done."""
    settle(stream, board, slot, board.count[slot])
    board.unsettled = board.count[slot]


@kernel
def settle(stream: Stream, board: Board, slot: int, cards: int) -> None:
    """Go on with the shuffle of a pile until the places of a number of topmost cards are drawn."""
    i = board.unsettled - 1
    last: int = board.count[slot] - cards
    while i > 0 and i >= last:
        j = below(stream, i + 1)
        card: int = board.card[slot, i]
        board.card[slot, i] = board.card[slot, j]
        board.card[slot, j] = card
        i -= 1
    board.unsettled = i + 1
