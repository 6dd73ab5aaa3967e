"""A landscape of known shape for methods of search: texts of numbers, and what they are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardwright.evolution.candidate import (
    Candidate,
    Departure,
    DepartureReason,
    Evaluated,
    FunnelStep,
)
from cardwright.evolution.methods.method import Judged
from cardwright.statistics.intervals import Estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cardwright.evolution.methods.method import SearchMethod


def candidate(numbers: Iterable[int]) -> Candidate:
    return Candidate(" ".join(map(str, numbers)))


def numbers_of(one: Candidate) -> tuple[int, ...]:
    return tuple(map(int, one.text.split()))


def varied(parents: Sequence[Candidate], random: np.random.Generator) -> Candidate:
    """Some numbers of the first parent are the second's, and one is a step of up to 2 away."""
    numbers = list(numbers_of(parents[0]))
    for other in parents[1:]:
        for at, number in enumerate(numbers_of(other)):
            if random.random() < 0.5:
                numbers[at] = number
    numbers[random.integers(len(numbers))] += int(random.integers(-2, 3))
    return candidate(numbers)


def judged(one: Candidate, worth: Callable[[tuple[int, ...]], tuple[float, ...]]) -> Judged:
    """Measures x, y, ... are the numbers themselves; a negative number leaves the funnel."""
    numbers = numbers_of(one)
    if min(numbers) < 0:
        return Judged(Evaluated(one, Departure(FunnelStep.TRY, DepartureReason.ENDLESS)))
    measures = {
        name: Estimate(float(number), None, None, 1)
        for name, number in zip("xyzuvw", numbers, strict=False)
    }
    return Judged(Evaluated(one, fingerprint=one.text, measures=measures), worth(numbers))


def searched(
    method: SearchMethod,
    start: Sequence[int],
    worth: Callable[[tuple[int, ...]], tuple[float, ...]],
    generations: int,
    seed: int = 0,
) -> list[Judged]:
    """Carry a search out, and return all that was told; what is known already leaves."""
    told = [judged(candidate(start), worth)]
    method.tell(told)
    known = {told[0].evaluated.fingerprint}
    for number in range(generations):
        random = np.random.default_rng([seed, number])
        generation = []
        for parents in method.ask(20, random):
            one = judged(varied(parents, random), worth)
            mark = one.evaluated.fingerprint
            if mark in known:
                left = Departure(FunnelStep.COMPARE, DepartureReason.KNOWN)
                one = Judged(Evaluated(one.evaluated.candidate, left, mark))
            known.add(mark)
            generation.append(one)
        method.tell(generation)
        told += generation
    return told


def distance_from(start: Sequence[int]) -> Callable[[Candidate], float]:
    return lambda one: float(sum(abs(a - b) for a, b in zip(numbers_of(one), start, strict=True)))
