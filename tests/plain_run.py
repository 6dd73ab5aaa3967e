"""Games and their plain texts, played side by side: all that is seen of them has to be the same.

Run by `scripts/plain`: conformance programs with extensions, library games with extensions, and
generated programs, each from many seeds. It says how many were compared; 1 if there is a
difference.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, Phase, given, seed, settings

from cardwright import Game, GameFileError, NoPlainTextError
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

    def compare(self, game: Game) -> None:
        """Compare one game; raises AssertionError if anything differs."""
        try:
            same = rules(plain_program(game)) == rules(game.program)
        except NoPlainTextError:
            self.without += 1
            return
        assert_same_play(game, range(FEW if same else self.seeds))
        self.compared += 1
        self.alike += same


def main(arguments: list[str]) -> int:
    """Compare all, and say what was compared."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=1_000)
    parser.add_argument("--programs", type=int, default=100)
    options = parser.parse_args(arguments)
    comparison = Comparison(options.seeds)
    try:
        for source in written():
            try:
                comparison.compare(Game.from_source(source))
            except GameFileError:
                continue
        _generated(comparison, options.programs)
    except AssertionError as error:
        sys.stderr.write(f"a plain text plays differently: {error}\n")
        return 1
    sys.stdout.write(
        f"{comparison.compared} games play as their plain texts do, from {options.seeds} seeds; "
        f"{comparison.alike} have the very same rules; {comparison.without} have no plain text\n"
    )
    return 0


def _generated(comparison: Comparison, count: int) -> None:
    @seed(1)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(programs())
    def compare(text: str) -> None:
        source = Source("generated", text)
        comparison.compare(Game.from_source(source, limits=LIMITS, engine="interpreter"))

    compare()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
