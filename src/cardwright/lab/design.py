"""Designs: which cells an experiment plays, and which effects they cannot tell apart.

A level of a two-level factor is a sign here: the first is minus, the second plus. In generators of
fractions, such as `E=ABCD`, factors are called A, B, C... in the order of the plan; there is no I,
which stands for the mean.

Screens are columns of Hadamard matrices, whose rows are orthogonal signs: of orders 4 to 100 by
four. These come from quadratic residues (Paley, Journal of Mathematics and Physics 12, 1933), by
doubling a smaller one (Sylvester, 1867), and for three orders from four circulants (Williamson,
Duke Mathematical Journal 11, 1944; of order 92 the first was found by Baumert, Golomb and Hall,
Bulletin of the AMS 68, 1962).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.english import listed
from cardwright.lab.factor import LabError
from cardwright.lab.plan import MOST_CELLS, Design

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from cardwright.lab.factor import Factor
    from cardwright.lab.plan import Cell, LabPlan

    Matrix: TypeAlias = NDArray[Any]

MOST_RUNS = 100


def cells(plan: LabPlan) -> tuple[Cell, ...]:
    """Return the cells that a plan plays, the base first if it is one of them.

    Raises LabError if there are more than MOST_CELLS, and for a fraction or a screen that the
    factors do not allow.
    """
    counts = [len(factor.levels) for factor in plan.factors]
    match plan.design:
        case Design.ONE:
            _check_count(1 + sum(counts) - len(counts))
            return _one_at_a_time(counts)
        case Design.SCREEN:
            _check_two_levels(plan.factors, "a Plackett-Burman screen")
            return _screen(len(counts))
        case Design.FACTORIAL:
            generators = signed_words(plan.generators, len(counts))
            if not generators:
                _check_count(math.prod(counts))
                return tuple(product(*map(range, counts)))
            _check_two_levels(plan.factors, "a fraction of a factorial")
            _check_count(2 ** (len(counts) - len(generators)))
            return _fraction(len(counts), generators)


def resolution(plan: LabPlan) -> int | None:
    """Return the resolution of a fraction; None for a plan that is not a fraction of a factorial.

    It is the length of the shortest word that is always plus or always minus: with 3 main effects
    are aliased with interactions of two factors, with 4 these with each other, with 5 neither (Box
    and Hunter, Technometrics 3, 1961, p. 319).
    """
    words = words_of(signed_words(plan.generators, len(plan.factors)))
    return min(map(len, words), default=None)


def _one_at_a_time(counts: list[int]) -> tuple[Cell, ...]:
    base = (0,) * len(counts)
    changed = [
        (*base[:at], level, *base[at + 1 :])
        for at, count in enumerate(counts)
        for level in range(1, count)
    ]
    return (base, *changed)


def _fraction(factors: int, generators: tuple[Generator, ...]) -> tuple[Cell, ...]:
    """Return the cells in which every generated factor is the product of its word."""
    generated = {target for target, _, _ in generators}
    free = [at for at in range(factors) if at not in generated]
    found = []
    for signs in product((-1, 1), repeat=len(free)):
        row = dict(zip(free, signs, strict=True))
        row |= {
            target: sign * math.prod(row[at] for at in word) for target, sign, word in generators
        }
        found.append(tuple((row[at] + 1) // 2 for at in range(factors)))
    return tuple(sorted(found))


def _screen(factors: int) -> tuple[Cell, ...]:
    """Return a Plackett-Burman design: columns of a Hadamard matrix (Biometrika 33, 1946).

    It has the least number of cells divisible by four that is above the number of factors.
    """
    runs = max(4, 4 * (factors // 4 + 1))
    if runs > MOST_RUNS:
        raise LabError(
            f"a screen has {MOST_RUNS - 1} factors at most, not {factors}: leave some out"
        )
    return tuple(map(tuple, (hadamard(runs)[:, 1 : factors + 1] < 0).astype(int).tolist()))


def _check_count(count: int) -> None:
    if count > MOST_CELLS:
        raise LabError(
            f"this design has {count:,} cells, and {MOST_CELLS:,} are the most: leave out factors "
            "or levels, play a fraction (--fraction 1/2), or one factor at a time"
        )


def _check_two_levels(factors: tuple[Factor, ...], what: str) -> None:
    for letter, factor in zip(LETTERS, factors, strict=False):
        if len(factor.levels) != 2:
            raise LabError(
                f"{what} is for factors of two levels; {factor.name} ({letter}) has "
                f"{len(factor.levels)}: leave levels out, or play all combinations"
            )


# Fractions ----------------------------------------------------------------------------------------

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""The names of factors in generators."""

LEAST_RESOLUTION = 3
_MOST_TRIED = 100_000
"""How many sets of generators are searched for the best."""

Word: TypeAlias = "frozenset[int]"
"""The factors of a product, by their numbers."""
Generator: TypeAlias = "tuple[int, int, Word]"
"""The factor that is generated, a sign, and the word that it is the product of."""

_GENERATOR = re.compile(r"\s*([A-Z])\s*=\s*([+-]?)\s*([A-Z]+)\s*")


def signed_words(generators: Sequence[str], factors: int) -> tuple[Generator, ...]:
    """Return parsed generators; raises LabError for those that make no fraction.

    They make one if each generates a different factor from factors that are not generated, and no
    main effect is aliased with another or with the mean.
    """
    found = tuple(_generator(text, factors) for text in generators)
    if not found:
        return ()
    targets = [target for target, _, _ in found]
    for text, (target, _, word) in zip(generators, found, strict=True):
        if targets.count(target) > 1:
            raise LabError(f"{LETTERS[target]} is generated twice: once is enough")
        if inner := sorted(word & set(targets)):
            raise LabError(
                f"the generator {text} uses {LETTERS[inner[0]]}, which is generated "
                "itself; write it with factors that are not"
            )
    shortest = min(words_of(found), key=lambda word: (len(word), sorted(word)))
    if len(shortest) < LEAST_RESOLUTION:
        mixed = listed(LETTERS[at] for at in sorted(shortest))
        raise LabError(f"with the generators {', '.join(generators)} {mixed} cannot be told apart")
    return found


def _generator(text: str, factors: int) -> Generator:
    match = _GENERATOR.fullmatch(text)
    if match is None:
        raise LabError(f"{text!r} is not a generator; write for example E=ABCD or E=-ABCD")
    target, sign, letters = match.groups()
    for letter in (target, *letters):
        if letter not in LETTERS[:factors]:
            named = ", ".join(LETTERS[:factors])
            raise LabError(
                f"the generator {text} names {letter}; the factors are {named}, in this order"
            )
    if len(set(letters)) != len(letters):
        raise LabError(f"the generator {text} names a factor twice")
    if target in letters:
        raise LabError(f"the generator {text} makes {target} of itself")
    word = frozenset(map(LETTERS.index, letters))
    return LETTERS.index(target), -1 if sign == "-" else 1, word


def words_of(generators: Iterable[Generator]) -> tuple[Word, ...]:
    """Return all words of the defining relation: those whose product is the same in all cells."""
    own = [word | {target} for target, _, word in generators]
    return tuple(
        reduce(frozenset.symmetric_difference, chosen)
        for count in range(1, len(own) + 1)
        for chosen in combinations(own, count)
    )


def fraction(text: str, factors: int) -> tuple[str, ...]:
    """Return generators of a fraction such as `1/2` or `1/4`, for a number of two-level factors.

    It is one of least aberration: of the highest resolution, and with the fewest words of that
    length, then of the next (Fries and Hunter, Technometrics 22, 1980). The factors generated are
    the last ones. Raises LabError if there is no such fraction, or if it would take long to find.
    """
    generated = _halvings(text)
    free = factors - generated
    if factors > len(LETTERS):
        raise LabError(f"a fraction has {len(LETTERS)} factors at most, not {factors}")
    if not generated:
        return ()
    candidates = [
        frozenset(word) for size in range(2, free + 1) for word in combinations(range(free), size)
    ]
    if generated > len(candidates):
        raise LabError(f"there is no fraction {text} of {factors} factors; {_possible(factors)}")
    if math.comb(len(candidates), generated) > _MOST_TRIED:
        raise LabError(
            f"the best fraction {text} of {factors} factors is not known here; write the "
            "generators into the plan, such as E=ABCD: textbooks have tables of them"
        )
    targets = range(free, factors)
    candidates.sort(key=lambda word: (-len(word), sorted(word)))
    best = min(
        combinations(candidates, generated),
        key=lambda words: _lengths(
            words_of([(at, 1, word) for at, word in zip(targets, words, strict=True)]), factors
        ),
    )
    return tuple(
        f"{LETTERS[at]}={''.join(LETTERS[letter] for letter in sorted(word))}"
        for at, word in zip(targets, best, strict=True)
    )


def _halvings(text: str) -> int:
    """Return how often a fraction halves the number of cells."""
    match = re.fullmatch(r"\s*1\s*(?:/\s*([0-9]{1,6})\s*)?", text)
    parts = int(match[1] or 1) if match else 0
    if parts < 1 or parts & (parts - 1):
        raise LabError(f"{text!r} is not a fraction: write 1/2, 1/4, 1/8 and so on")
    return parts.bit_length() - 1


def _possible(factors: int) -> str:
    """Say which fractions there are for this many factors."""
    parts = [
        str(Fraction(1, 2**halved))
        for halved in range(1, factors)
        if 2 ** (factors - halved) > factors
    ]
    return f"possible are {', '.join(parts)}" if parts else "only the full factorial can be played"


def _lengths(words: Iterable[Word], factors: int) -> list[int]:
    """Return how many words there are of each length."""
    counts = Counter(map(len, words))
    return [counts[length] for length in range(factors + 1)]


# Hadamard matrices --------------------------------------------------------------------------------

_CIRCULANTS = {
    52: ("+---++++++---", "+++-++--++-++", "++-+-++++-+-+", "++--+-++-+--+"),
    92: (
        "+--+-+-++++++++++-+-+--",
        "+--+--+++------+++--+--",
        "+--++-+-+-++++-+-+-++--",
        "+++---++--++++--++---++",
    ),
    100: (
        "+--+++---++++++++---+++--",
        "+-+++-+--+-+--+-+--+-+++-",
        "++-+---++-++++++-++---+-+",
        "+---+----++-++-++----+---",
    ),
}
"""First rows of symmetric circulants whose squares add up to the order times the identity
matrix."""


@lru_cache(maxsize=32)
def hadamard(order: int) -> Matrix:
    """Return a Hadamard matrix with a first row and a first column of ones.

    Raises ValueError for an order that is not one of 4, 8, 12... MOST_RUNS.
    """
    if order % 4 or not 4 <= order <= MOST_RUNS:
        raise ValueError(f"no Hadamard matrix of order {order} is made here")
    two = np.array([[1, 1], [1, -1]])
    if order in _CIRCULANTS:
        rows = ([1 if mark == "+" else -1 for mark in row] for row in _CIRCULANTS[order])
        a, b, c, d = map(_circulant, rows)
        made = np.block([[a, b, c, d], [-b, a, -d, c], [-c, d, a, -b], [-d, -c, b, a]])
    elif _prime(order - 1):
        made = np.ones((order, order), int)
        made[1:, 1:] = _residues(order - 1) - np.eye(order - 1, dtype=int)
    elif order % 8 == 4:
        core = np.ones((order // 2, order // 2), int)
        core[0, 0], core[1:, 1:] = 0, _residues(order // 2 - 1)
        made = np.kron(core, two) + np.kron(np.eye(order // 2, dtype=int), [[1, -1], [-1, -1]])
    else:
        made = np.kron(two, hadamard(order // 2))
    made *= made[0].copy()
    made *= made[:, :1].copy()
    return made


def _circulant(row: Sequence[int]) -> Matrix:
    """Return the matrix with this first row, each other row of which is the one above, shifted."""
    places = np.arange(len(row))
    made: Matrix = np.array(row)[(places - places[:, None]) % len(row)]
    return made


def _residues(prime: int) -> Matrix:
    """Return for each difference of row and column 1 for a square, -1 for a non-square, 0 for 0."""
    squares = {number * number % prime for number in range(1, prime)}
    return _circulant([0, *(1 if at in squares else -1 for at in range(1, prime))]).T


def _prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))
