"""Games and their plain texts, played side by side: all that is seen of them has to be the same.

Run by `scripts/plain`: conformance programs with extensions, library games with extensions, and
generated programs, each from many seeds, by both engines. It says how many were compared; 1 if
there is a difference, with the program in which it is.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, Phase, given, seed, settings

from cardwright import Game, GameFileError
from cardwright.errors import NoPlainTextError
from cardwright.game.find import find, library_names
from cardwright.interpreter.machine import GameLimits
from cardwright.program.check import examine
from cardwright.syntax.source import Source, read_file
from generated import programs
from plain_games import assert_same_play, plain_program, rules

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAMS = sorted((Path(__file__).parent / "conformance" / "programs").glob("*.rcy"))
LIMITS = GameLimits(steps=300, decisions=60)
BATCH = 100
"""Programs that are generated from one number."""

FEW = 20
"""Seeds from which a program is played whose plain text has the very same rules."""


def written() -> Iterator[Source]:
    """Yield the files that use extensions."""
    for source in (*map(read_file, PROGRAMS), *map(find, library_names())):
        meaning = examine(source).meaning
        if meaning is not None and meaning.extensions.uses:
            yield source


class Comparison:
    """Compares games with their plain texts, and counts them."""

    def __init__(self, seeds: int) -> None:
        self.seeds = seeds
        self.compared = self.alike = self.without = 0
        self.different: list[str] = []

    def compare(self, game: Game) -> None:
        """Compare one game; one with the very same rules by the interpreter alone."""
        reference = game.with_engine("interpreter")
        try:
            same = rules(plain_program(game)) == rules(game.program)
            assert_same_play(reference, range(FEW if same else self.seeds))
            if not same:
                assert_same_play(game.with_engine("native"), range(self.seeds))
        except NoPlainTextError:
            self.without += 1
            return
        except AssertionError as error:
            told = f"a plain text plays differently from seed {error}\n{game.program.source.text}"
            self.different.append(told)
            return
        self.compared += 1
        self.alike += same


def main(arguments: list[str]) -> int:
    """Compare all, and say what was compared."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=1_000)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--first", type=int, default=1, help="from where programs are generated")
    options = parser.parse_args(arguments)
    comparison = Comparison(options.seeds)
    for source in written():
        try:
            comparison.compare(Game.from_source(source))
        except GameFileError:
            continue
    for number, text in enumerate(_generated(options.programs, options.first)):
        source = Source(f"generated-{number}", text)
        comparison.compare(Game.from_source(source, limits=LIMITS))
    sys.stdout.write(
        f"{comparison.compared} games play as their plain texts do, from {options.seeds} seeds; "
        f"{comparison.alike} have the very same rules; {comparison.without} have no plain text\n"
    )
    sys.stderr.writelines(f"{one}\n" for one in comparison.different)
    return 1 if comparison.different else 0


def _generated(count: int, first: int) -> Iterator[str]:
    """Yield so many different programs, if there are."""
    texts: list[str] = []
    for number in range(first, first + -(-count // BATCH)):
        texts += _batch(number)
    yield from list(dict.fromkeys(texts))[:count]


def _batch(number: int) -> list[str]:
    texts: list[str] = []

    @seed(number)
    @settings(
        max_examples=BATCH,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(programs())
    def gather(text: str) -> None:
        texts.append(text)

    gather()
    return texts


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
