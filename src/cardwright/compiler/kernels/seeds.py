"""Seeds of the games of a job: those of the spawned children of `numpy.random.SeedSequence`.

The algorithm is Melissa O'Neill's `seed_seq_fe`, "Developing a seed_seq alternative" (2015), as
numpy fixes it. What depends on the job alone is computed once: `mix_seed` keeps the pool of four
integers, and the state of its hash, in a block from which `game_seed` computes the seed of any
game.
"""

from __future__ import annotations

from cardwright.compiler.inlining import Inline
from cardwright.compiler.intrinsics import Pointer, load, offset, store, wrap
from cardwright.compiler.kernel import kernel

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
    mixed = wrap((word ^ hash_word) * (wrap(hash_word * factor) & WORD)) & WORD
    return mixed ^ mixed >> 16


@kernel(inline=Inline.ALWAYS)
def mixed(left: int, right: int) -> int:
    """Return two words mixed into one."""
    word = wrap(MIX_MULT_L * left - MIX_MULT_R * right) & WORD
    return word ^ word >> 16


@kernel
def mix_seed(pool: Pointer, words: Pointer, count: int) -> None:
    """Fill a pool, of POOL_BYTES, from the words of a job's seed."""
    state = INIT_A
    for i in range(POOL_SIZE):
        word = load(offset(words, 4 * i), 4) if i < count else 0
        store(offset(pool, 4 * i), hashed(word, state, MULT_A), 4)
        state = wrap(state * MULT_A) & WORD
    # Every word of the pool is mixed into every other, and then the seed's words beyond four.
    for source in range(max(POOL_SIZE, count)):
        for target in range(POOL_SIZE):
            if source != target:
                at = offset(pool, 4 * target)
                from_pool = source < POOL_SIZE
                word = load(offset(pool if from_pool else words, 4 * source), 4)
                store(at, mixed(load(at, 4), hashed(word, state, MULT_A)), 4)
                state = wrap(state * MULT_A) & WORD
    store(offset(pool, 4 * POOL_SIZE), state, 4)


@kernel
def game_seed(pool: Pointer, index: int) -> int:
    """Return the seed of a game of the job, from 0."""
    first = load(pool, 4)
    second = load(offset(pool, 4), 4)
    state = load(offset(pool, 4 * POOL_SIZE), 4)
    rest = index
    # The number of the game is mixed in word by word; only half of the pool is then needed.
    while True:
        word = rest & WORD
        first = mixed(first, hashed(word, state, MULT_A))
        state = wrap(state * MULT_A) & WORD
        second = mixed(second, hashed(word, state, MULT_A))
        rest >>= 32
        if rest == 0:
            break
        for _ in range(POOL_SIZE - 1):
            state = wrap(state * MULT_A) & WORD
    low = hashed(first, INIT_B, MULT_B)
    high = hashed(second, wrap(INIT_B * MULT_B) & WORD, MULT_B)
    return wrap(high << 32) | low
