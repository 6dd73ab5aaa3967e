"""Designs: which cells an experiment plays, and which effects they cannot tell apart."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import combinations, product
from typing import TYPE_CHECKING, TypeAlias

from cardwright.lab.factor import LabError
from cardwright.lab.plan import MOST_CELLS, Design

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.lab.factor import Factor
    from cardwright.lab.plan import Cell, LabPlan

MOST_RUNS = 100

Matrix: TypeAlias = "tuple[tuple[int, ...], ...]"

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
    if order in _CIRCULANTS:
        return _normalised(_williamson(_CIRCULANTS[order]))
    if _prime(order - 1):
        return _normalised(_paley(order - 1))
    if order % 8 == 4:
        return _normalised(_double_paley(order // 2 - 1))
    half = hadamard(order // 2)
    return tuple(row + tuple(sign * one for one in row) for sign in (1, -1) for row in half)


def _paley(prime: int) -> Matrix:
    """Return a matrix of order p + 1 for a prime p that leaves 3 when divided by four."""
    signs = _residues(prime)
    rows = [(1,) * (prime + 1)]
    for row in range(prime):
        rest = [signs[(row - column) % prime] - (row == column) for column in range(prime)]
        rows.append((1, *rest))
    return tuple(rows)


def _double_paley(prime: int) -> Matrix:
    """Return a matrix of order 2(p + 1) for a prime p that leaves 1 when divided by four."""
    signs = _residues(prime)
    inner = [[signs[(row - column) % prime] for column in range(prime)] for row in range(prime)]
    core = [[0, *(1,) * prime], *([1, *row] for row in inner)]
    upper = [[part for one in row for part in _block(one)[0]] for row in core]
    lower = [[part for one in row for part in _block(one)[1]] for row in core]
    return tuple(tuple(row) for pair in zip(upper, lower, strict=True) for row in pair)


def _block(entry: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the block that replaces an entry of a symmetric conference matrix."""
    if not entry:
        return (1, -1), (-1, -1)
    return (entry, entry), (entry, -entry)


def _williamson(rows: Sequence[str]) -> Matrix:
    a, b, c, d = ([1 if mark == "+" else -1 for mark in row] for row in rows)
    pattern = (
        ((a, 1), (b, 1), (c, 1), (d, 1)),
        ((b, -1), (a, 1), (d, -1), (c, 1)),
        ((c, -1), (d, 1), (a, 1), (b, -1)),
        ((d, -1), (c, -1), (b, 1), (a, 1)),
    )
    size = len(a)
    return tuple(
        tuple(
            sign * first[(column - row) % size] for first, sign in blocks for column in range(size)
        )
        for blocks in pattern
        for row in range(size)
    )


def _normalised(matrix: Matrix) -> Matrix:
    """Flip signs of columns and rows so that the first of each are ones."""
    top = matrix[0]
    turned = [[sign * first for sign, first in zip(row, top, strict=True)] for row in matrix]
    return tuple(tuple(row[0] * sign for sign in row) for row in turned)


def _residues(prime: int) -> list[int]:
    """Return for each number below a prime 1 for a square, -1 for a non-square, 0 for 0."""
    squares = {one * one % prime for one in range(1, prime)}
    return [0, *(1 if one in squares else -1 for one in range(1, prime))]


def _prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))


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
        mixed = " and ".join(LETTERS[at] for at in sorted(shortest))
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
    candidates = (
        [frozenset(word) for size in range(2, free + 1) for word in combinations(range(free), size)]
        if free > 0
        else []
    )
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
        key=lambda words: _pattern(
            words_of([(at, 1, word) for at, word in zip(targets, words, strict=True)]), factors
        ),
    )
    return tuple(
        f"{LETTERS[at]}={''.join(LETTERS[one] for one in sorted(word))}"
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


def _pattern(words: Iterable[Word], factors: int) -> tuple[int, ...]:
    """Return how many words there are of each length."""
    counts = Counter(map(len, words))
    return tuple(counts[length] for length in range(factors + 1))


Effect: TypeAlias = "tuple[int, ...]"
"""The numbers of an effect's factors: one for a main effect, two for an interaction."""


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


def aliases(plan: LabPlan) -> tuple[tuple[Effect, ...], ...]:
    """Return groups of main effects and interactions of two that the cells cannot tell apart.

    One may have the opposite sign of another. A plan that varies one factor at a time, or all in
    all combinations, has none.
    """
    if plan.design is Design.ONE or (plan.design is Design.FACTORIAL and not plan.generators):
        return ()
    rows = [[2 * level - 1 for level in cell] for cell in cells(plan)]
    columns = list(zip(*rows, strict=True))
    alike: dict[tuple[int, ...], list[Effect]] = defaultdict(list)
    for one, column in enumerate(columns):
        alike[_unsigned(column)].append((one,))
    for one, other in combinations(range(len(columns)), 2):
        both = tuple(a * b for a, b in zip(columns[one], columns[other], strict=True))
        alike[_unsigned(both)].append((one, other))
    return tuple(tuple(group) for group in alike.values() if len(group) > 1)


def _unsigned(column: tuple[int, ...]) -> tuple[int, ...]:
    return column if column[0] > 0 else tuple(-sign for sign in column)


def _one_at_a_time(counts: list[int]) -> tuple[Cell, ...]:
    base = (0,) * len(counts)
    return (
        base,
        *(
            (*base[:at], level, *base[at + 1 :])
            for at, count in enumerate(counts)
            for level in range(1, count)
        ),
    )


def _fraction(
    factors: int, generators: tuple[tuple[int, int, frozenset[int]], ...]
) -> tuple[Cell, ...]:
    """Return the cells in which every generated factor is the product of its word."""
    generated = {target: (sign, word) for target, sign, word in generators}
    free = [at for at in range(factors) if at not in generated]
    found = []
    for signs in product((-1, 1), repeat=len(free)):
        row = dict(zip(free, signs, strict=True))
        for target, (sign, word) in generated.items():
            row[target] = sign * math.prod(row[at] for at in word)
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
    return tuple(tuple(int(sign < 0) for sign in row[1 : factors + 1]) for row in hadamard(runs))


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
