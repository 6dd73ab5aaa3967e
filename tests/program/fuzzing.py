"""Fuzzing of the checker: where its inputs come from, and what must hold for every one.

The tests look at a few hundred inputs of each kind; run as a program (`scripts/fuzz`), it looks at
as many as are asked for, in two processes.
"""

from __future__ import annotations

import argparse
import random
import re
import signal
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, Phase, given, seed, settings, strategies as st

from cardwright.game.errors import GameError
from cardwright.game.game import Game
from cardwright.interpreter.machine import GameLimits
from cardwright.program.check import Checked, check
from cardwright.program.forms import HEADS, SECOND_WORDS, SHAPES, UNSUPPORTED
from cardwright.program.kinds import ValueKind
from cardwright.program.shapes import Binder, FormGroup, Literal, Operand, Part
from cardwright.syntax.diagnostic import record, render
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.source import Source, Span, UnreadableError, decode

if TYPE_CHECKING:
    from collections.abc import Iterator

TESTS = Path(__file__).parents[1]
LIBRARY = TESTS.parent / "src" / "cardwright" / "library" / "games"
GAMES = sorted(LIBRARY.glob("*.rcy"))
BROKEN = sorted((TESTS / "program" / "broken").glob("*.rcy"))
SMALL = sorted((TESTS / "conformance").rglob("*.rcy"))

SECONDS_TO_CHECK = 10
SECONDS_TO_PLAY = 5
LIMITS = GameLimits(steps=200, decisions=30)

# Inputs -------------------------------------------------------------------------------------

WORDS = sorted(HEADS | SECOND_WORDS | UNSUPPORTED.keys()) + (
    "end player team players teams deck largest using next current".split()  # noqa: SIM905
)
SIGNS = ["(", ")", ",", ":", "..", "=", "[", "]", "{", "'", "’", '"', ";", ";;x\n", "#", "/", "."]
NAMES = ["A", "B", "RANK", "SUIT", "STOCK", "HAND", "SCORE", "X", "Hearts_2", "MY-SCORE"]
VARIABLES = ["'A", "'B", "'C", "'P", "'p"]
NUMBERS = ["0", "1", "2", "3", "4", "7", "13", "9223372036854775807", "9223372036854775808", "1.5"]
TOKENS = st.one_of(
    st.sampled_from(["(", ")"]),
    st.sampled_from(WORDS),
    st.sampled_from(NAMES + VARIABLES + NUMBERS),
    st.sampled_from(SIGNS),
)
ATOMS = st.one_of(st.sampled_from(WORDS), st.sampled_from(NAMES + VARIABLES + NUMBERS))

_PIECE = re.compile(r";;[^\n]*\n?|'?[A-Za-z0-9_]+|\.\.|//|[=!<>]=|\s+|.", re.DOTALL)

FRAME = (
    "(game (declare 2 'A) (setup (create players 'A) "
    "(create deck (game iloc STOCK) (deck (RANK (A, B, C)) (SUIT (X, Y))))) %s "
    "(scoring max ((current player) sto SCORE)))"
)


def _joined(tokens: list[str]) -> str:
    return " ".join(tokens)


def _tree(tree: object) -> str:
    if isinstance(tree, list):
        return f"({' '.join(map(_tree, tree))})"
    return str(tree)


TREES = st.recursive(ATOMS, lambda inner: st.lists(inner, max_size=5), max_leaves=25).map(_tree)


@st.composite
def forms(draw: st.DrawFn) -> str:
    """Return some forms made by the table, most of them with operands of the right kinds."""
    writer = _Writer(draw)
    if draw(st.booleans()):
        return writer.form(ValueKind.BLOCK, 3)
    place = draw(st.sampled_from(PLACES))
    return place % " ".join(writer.form(ValueKind.BODY, 3) for _ in range(draw(st.integers(1, 3))))


PLACES = [
    "(do ((all player 'P (all (game iloc STOCK) 'C (all (A, B) 'S (do (%s)))))))",
    "(choice ((any player 'P (any (game iloc STOCK) 'C (any (A, B) 'S (do (%s)))))))",
]
"""Places for steps in which some variables are bound."""


class _Writer:
    """Writes forms by the form table; variables are used without regard to scope."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def form(self, kind: ValueKind, depth: int) -> str:
        """Return a form of a kind, or now and then of any."""
        if self.draw(st.integers(0, 49)) == 0:
            return self.draw(ATOMS)
        if kind is ValueKind.AWARD:
            return f"((RANK : {self.form(ValueKind.STRING, 0)}) {self.form(ValueKind.INTEGER, 0)})"
        atoms = [atom for of, listed in BARE.items() if kind & of for atom in listed]
        shapes = [shape for shape in SHAPES if shape.result & kind]
        if depth <= 0:
            return self.draw(st.sampled_from(atoms or [shape.example for shape in shapes]))
        if atoms and (not shapes or self.draw(st.booleans())):
            return self.draw(st.sampled_from(atoms))
        shape = self.draw(st.sampled_from(shapes))
        return f"({self.parts(shape.parts, depth - 1)})"

    def parts(self, parts: tuple[Part, ...], depth: int) -> str:
        return " ".join(filter(None, (self.part(part, depth) for part in parts)))

    def part(self, part: Part, depth: int) -> str:
        match part:
            case Literal():
                return part.text
            case Binder():
                return self.draw(st.sampled_from(["'V", "'W", "'X", "'Y", "'C"]))
            case FormGroup(optional=True):
                return self.parts(part.parts, depth) if self.draw(st.booleans()) else ""
            case FormGroup():
                return f"({self.parts(part.parts, depth)})"
            case Operand():
                count = self.draw(st.integers(1, 3)) if part.many else 1
                return " ".join(self.form(part.kind, depth) for _ in range(count))


BARE = {
    ValueKind.INTEGER: ["0", "1", "3", "'A"],
    ValueKind.STRING: ["A", "B", "RANK", "'S"],
    ValueKind.BOOLEAN: ["true", "false"],
    ValueKind.WORTHS: ["'T"],
    ValueKind.CARD: ["'C"],
    ValueKind.PLAYER: ["'P"],
    ValueKind.TABLE: ["game"],
    ValueKind.PLAYERS: ["player"],
    ValueKind.TEAMS: ["team"],
    ValueKind.STRINGS: ["(A, B)"],
}
"""Atoms that stand for a value of a kind, if they are bound to one."""


@st.composite
def mutants(draw: st.DrawFn, paths: tuple[Path, ...]) -> bytes:
    """Return a file with some pieces taken out, doubled, exchanged or replaced."""
    pieces = _pieces(draw(st.sampled_from(paths)))
    for _ in range(draw(st.integers(1, 6))):
        if not pieces:
            break
        at = draw(st.integers(0, len(pieces) - 1))
        other = draw(st.integers(0, len(pieces) - 1))
        match draw(st.sampled_from(MUTATIONS)):
            case "alike":
                alike = [piece for piece in set(pieces) if _sort(piece) == _sort(pieces[at])]
                pieces[at] = draw(st.sampled_from(sorted(alike)))
            case "delete":
                del pieces[at]
            case "double":
                pieces.insert(at, pieces[at])
            case "exchange":
                pieces[at], pieces[other] = pieces[other], pieces[at]
            case "replace":
                pieces[at] = draw(TOKENS)
            case "copy":
                pieces[at] = pieces[other]
            case "cut":
                del pieces[at : at + draw(st.integers(1, 40))]
    return "".join(pieces).encode()


MUTATIONS = ["alike", "alike", "delete", "double", "exchange", "replace", "copy", "cut"]


def _sort(piece: str) -> str:
    """Return what sort of piece this is: a number, a word, a name, a variable, or a sign."""
    first = piece[0]
    return "1" if first.isdigit() else "a" if first.islower() else "A" if first.isupper() else first


def _pieces(path: Path) -> list[str]:
    if path not in _cache:
        text = path.read_text(encoding="utf-8")
        _cache[path] = _PIECE.findall(text.partition(";; expect: ")[0])
    return list(_cache[path])


_cache: dict[Path, list[str]] = {}

KINDS: dict[str, st.SearchStrategy[bytes]] = {
    "bytes": st.binary(max_size=300),
    "text": st.text(max_size=200).map(lambda text: text.encode(errors="replace")),
    "tokens": st.lists(TOKENS, max_size=60).map(lambda tokens: _joined(tokens).encode()),
    "tokens in a game": st.lists(TOKENS, max_size=40).map(lambda t: (FRAME % _joined(t)).encode()),
    "trees in a game": st.lists(TREES, max_size=4).map(lambda t: (FRAME % _joined(t)).encode()),
    "trees in a block": TREES.map(lambda tree: (FRAME % f"(do ({tree}))").encode()),
    "forms of the table": forms().map(lambda text: (FRAME % text).encode()),
    "broken files": mutants(tuple(BROKEN)),
    "small files": mutants(tuple(SMALL)),
    "library games": mutants(tuple(GAMES)),
}
"""Inputs by kind."""

# Claims -------------------------------------------------------------------------------------


def judge(data: bytes) -> str:
    """Assert all that must hold for a file of these bytes; return how far it came."""
    try:
        source = decode("fuzz.rcy", data)
    except UnreadableError as error:
        assert str(error).startswith("fuzz.rcy: ")
        return "unreadable"
    start = time.process_time()
    checked = check(source)
    assert time.process_time() - start < SECONDS_TO_CHECK
    _judge_diagnostics(checked)
    if checked.program is None:
        return "wrong"
    return _judge_game(checked, len(data))


def _judge_diagnostics(checked: Checked) -> None:
    found = list(checked.diagnostics)
    assert (checked.program is None) == bool(checked.diagnostics.errors)
    assert len(set(found)) == len(found)
    for diagnostic in found:
        for span in (diagnostic.span, *(other.span for other in diagnostic.related)):
            _judge_span(span, checked.source)
        assert diagnostic.message
        assert "\n" not in diagnostic.message + diagnostic.expected + diagnostic.help
        assert "^" in render(diagnostic, checked.source)
        assert record(diagnostic, checked.source)["line"] >= 1
        mended = apply_edits(checked.source.text, diagnostic.edits)
        assert (mended != checked.source.text) == bool(diagnostic.edits)
        for edit in diagnostic.edits:
            assert 0 <= edit.span.start <= edit.span.end <= len(checked.source.text)


def _judge_span(span: Span, source: Source) -> None:
    assert 0 <= span.start <= span.end <= len(source.text)
    assert span.start < span.end or not source.text or span.end == 0


def _judge_game(checked: Checked, seed: int) -> str:
    """Start the game of a program and decide at random; only GameError may end it early."""
    assert checked.program is not None
    game = Game(checked.program, "fuzz", checked.diagnostics, LIMITS, "interpreter")
    choices = random.Random(seed)
    try:
        with _time_limit(SECONDS_TO_PLAY):
            state = game.start(seed)
            for _ in range(LIMITS.decisions):
                if state.finished:
                    return "played to the end"
                state.options()
                state.play(choices.randrange(state.option_count))
    except GameError as error:
        assert str(error)
        return "played to an error"
    except _TooLongError:
        return "played too long"
    return "played"


class _TooLongError(BaseException):
    """The time is over: games may be long, so this is no failure."""


@contextmanager
def _time_limit(seconds: int) -> Iterator[None]:
    def stop(_signal: int, _frame: object) -> None:
        raise _TooLongError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# As a program -------------------------------------------------------------------------------

BATCH = 250


@dataclass
class Batch:
    """The outcome of some cases of one kind."""

    kind: str
    cases: int
    ends: dict[str, int]
    failure: str = ""


def run_batch(kind: str, number: int) -> Batch:
    """Judge some cases of a kind; a failure is minimised and described."""
    batch = Batch(kind, 0, {})
    failed: list[bytes] = []

    @seed(number)
    @settings(
        max_examples=BATCH,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(KINDS[kind])
    def cases(data: bytes) -> None:
        batch.cases += 1
        try:
            end = judge(data)
        except BaseException:
            failed.append(data)
            raise
        batch.ends[end] = batch.ends.get(end, 0) + 1

    try:
        cases()
    except Exception:
        batch.failure = f"{failed[-1]!r}\n{traceback.format_exc()}"
    return batch


def main() -> int:
    """Judge as many cases as asked, and say how it went; 1 if anything did not hold."""
    parser = argparse.ArgumentParser(description="Fuzz the checker with random and broken files.")
    parser.add_argument("--cases", type=int, default=10_000, help="how many cases (10000)")
    parser.add_argument("--seed", type=int, default=None, help="where randomness starts")
    parser.add_argument("--processes", type=int, default=2, help="how many processes (2)")
    parser.add_argument("--kind", choices=list(KINDS), action="append", help="only this kind")
    asked = parser.parse_args()
    start = asked.seed if asked.seed is not None else random.randrange(10**9)
    kinds = asked.kind or list(KINDS)
    count = max(1, -(-asked.cases // BATCH))
    begun = time.perf_counter()
    done: list[Batch] = []
    with ProcessPoolExecutor(asked.processes) as pool:
        pending = [pool.submit(run_batch, kinds[i % len(kinds)], start + i) for i in range(count)]
        for future in as_completed(pending):
            done.append(future.result())
            seconds = time.perf_counter() - begun
            total = sum(batch.cases for batch in done)
            sys.stderr.write(f"\r{total:,} cases, {total / seconds:,.0f}/s ")
            if done[-1].failure:
                pool.shutdown(cancel_futures=True)
                break
    sys.stderr.write("\n")
    sys.stdout.writelines(f"{line}\n" for line in _told(done, start, time.perf_counter() - begun))
    return 1 if any(batch.failure for batch in done) else 0


def _told(done: list[Batch], start: int, seconds: float) -> Iterator[str]:
    """Yield the lines of the report: how many of each kind, how they ended, the first failure."""
    yield f"seed {start}"
    for kind in KINDS:
        batches = [batch for batch in done if batch.kind == kind]
        ends: dict[str, int] = {}
        for batch in batches:
            for end, count in batch.ends.items():
                ends[end] = ends.get(end, 0) + count
        listed = ", ".join(f"{count:,} {end}" for end, count in sorted(ends.items()))
        yield f"{kind}: {sum(batch.cases for batch in batches):,} cases: {listed}"
    total = sum(batch.cases for batch in done)
    yield f"{total:,} cases in {seconds:,.0f} s, {total / seconds:,.0f}/s"
    yield from [f"FAILURE in {batch.kind}: {batch.failure}" for batch in done if batch.failure][:1]


if __name__ == "__main__":
    sys.exit(main())
