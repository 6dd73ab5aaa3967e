"""Generators of fractions, such as `E=ABCD`: which are valid, and which are best.

Factors are called A, B, C... in the order of the plan; there is no I, which stands for the mean.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from fractions import Fraction
from functools import reduce
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from cardwright.lab.errors import LabError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
