"""The runtime of a bot: how its functions are called, and what its answers mean.

This file is self-contained except for `seen` and `jail.random_source`. It is imported to play
trusted bots in this process, and its text is sent into the process of an untrusted bot, which runs
it beside the bot. There the bot can tamper with it in any way: the caller must check what comes out
of it. And it must not hold anything that the bot must not know: the bot can reach all of it.

Answers have the meaning that the Hearts League defines.
"""

from __future__ import annotations

import builtins
import io
import numbers
import operator
import sys
from types import CodeType, ModuleType

from cardwright.league.seen import MASKS, PublicTable, Seen
from cardwright.sandbox.random_source import RandomSource, importing

TYPE_CHECKING = False  # importing `typing` takes half as long as starting Python does
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from cardwright.league.seen import GameState

ALLOWED = ("numpy", "pandas", "math", "random")
"""Modules that a bot may import, with their submodules."""

HELPER = "hearts_cards"
"""The module of cards and tricks that a bot may import too."""

WORDS = 300
"""Characters kept of a message."""

TRACE, STEPS = 2_000, 8
"""Characters kept of a traceback, and its last steps."""

DRAWN = "a random one was played"
"""What happens after an invalid index."""

RAISED, NO_INTEGER, INDEX = "raised", "answer", "index"
"""Kinds of faults, as in the records; the last one does not count."""


class BotMistake(Exception):  # noqa: N818 - it is the bot's, and is sent as a kind and a message
    """A mistake of a bot, in words for its author.

    `trace` has the lines of the traceback of an exception, if they are wanted.
    """

    def __init__(self, kind: str, message: str, trace: str = "") -> None:
        self.kind = kind
        self.message = message
        self.trace = trace
        super().__init__(message)


class BotRuntime:
    """A bot: its text, and for every game the functions of a new run of it.

    If `guarded`, it may import only what bots may; otherwise anything. Either way it draws from a
    source made from its seat's token. If `traced`, mistakes have tracebacks.
    """

    def __init__(
        self,
        source: str,
        file: str,
        helper: str,
        files: Mapping[str, bytes] | None = None,
        *,
        guarded: bool,
        traced: bool = False,
    ) -> None:
        self.file = file
        self._traced = traced
        self._files = files or {}
        self._guarded = guarded
        self._helper = helper
        self._source = source
        self._space: dict[str, Any] = {}
        self._play: Callable[[GameState], object] = _missing
        self._pass: Callable[[GameState], object] = _missing
        self.seen = Seen(0, PublicTable())
        self.changed = False
        """Whether the last answer was an index into a list that the bot had changed."""
        self._random_source = _NOBODY

    def begin(self, seat: int, token: bytes, table: PublicTable | None = None) -> None:
        """Start the bot for a game at a table, with its token; raises BotMistake if that fails.

        Without a table it has its own, and updates its hand from the messages that it gets.
        """
        self.seen = Seen(seat, table)
        self._random_source = random_source = RandomSource(token)
        name = "bot"
        space: dict[str, Any] = {"__name__": name, "__file__": self.file}
        self._space = space
        space["__builtins__"] = {
            **vars(builtins),
            "open": _opener(self._files, guarded=self._guarded),
            "__import__": _importer(space, self._helper, random_source, guarded=self._guarded),
        }
        try:
            with random_source:
                exec(_compiled(self._source, self.file), space)
        except BaseException as error:
            raise self._fault(error) from None
        self._play, self._pass = (self._function(space, f) for f in ("getPlay", "getSluff"))

    def _function(self, space: dict[str, Any], name: str) -> Callable[[GameState], object]:
        function = space.get(name)
        if not callable(function):
            what = "has no function" if function is None else "has something that is no function,"
            raise BotMistake(RAISED, f"{self.file} {what} {name}(gameState)")
        return function  # type: ignore[no-any-return]

    def _fault(self, error: BaseException) -> BaseException:
        """Return the BotMistake for an error of the bot.

        Trusted bots do not intercept Ctrl-C, and to quit the debugger in one is the same.
        """
        if not self._guarded and isinstance(error, KeyboardInterrupt):
            return error
        if not self._guarded and type(error).__name__ == "BdbQuit":
            return KeyboardInterrupt()
        trace = trace_of(error, self.file, self._source) if self._traced else ""
        return BotMistake(RAISED, in_words(error, self.file), trace)

    def end(self) -> None:
        """Drop all that the bot's file has made for this game."""
        self._play = self._pass = _missing
        self._space.clear()

    def choose(self, legal: int, *, play: bool) -> int:
        """Ask the bot, and return its answer, which may be any integer; raises BotMistake.

        It is an index into the legal cards in the order of the hand, even if the bot has changed
        its list.
        """
        state = self.seen.state(legal, play=play)
        cards, self.changed = state.legalMoves, False
        try:
            with self._random_source:
                answer = self._play(state) if play else self._pass(state)
        except BaseException as error:
            raise self._fault(error) from None
        places, hand = MASKS[legal], self.seen.hand
        if (
            type(answer) is int
            and 0 <= answer < len(places) == len(cards)
            and cards[answer] is hand[places[answer]]  # small integers are unique objects
        ):
            return answer
        # Answers and the contents of its list may be objects of the bot's own classes.
        with self._random_source:
            return self._read(answer, cards, [hand[at] for at in places], play=play)

    def _read(self, answer: object, left: list[int], legal: list[int], *, play: bool) -> int:
        """Return what an answer means in the list as the bot has left it."""
        function = "getPlay" if play else "getSluff"
        index = _index(answer, len(left), function)
        if _same(left, legal):
            return index
        self.changed = True
        return _meant(index, left, legal, function)


_NOBODY = RandomSource(b"")
_codes: dict[tuple[str, str], CodeType] = {}


def _compiled(source: str, file: str) -> CodeType:
    """Return the code of a file, compiled once for all tables of the bot."""
    code = _codes.get((source, file))
    if code is None:
        code = _codes[source, file] = compile(source, file, "exec")
    return code


def _missing(state: GameState) -> object:
    raise AssertionError("a bot is asked before its game has begun")


def _index(answer: object, count: int, function: str) -> int:
    """Return an answer as an integer, also NumPy's integers and booleans; raises BotMistake."""
    outside = ""
    try:
        if hasattr(type(answer), "__index__"):
            return operator.index(answer)  # type: ignore[arg-type]
        if isinstance(answer, numbers.Real) and not 0 <= (value := float(answer)) < count:
            outside = f"{function} returned {value:g}, no index of {count} legal cards; {DRAWN}"
    except BaseException:
        pass
    if outside:
        raise BotMistake(INDEX, outside)
    given = "nothing (None)" if answer is None else f"a {type(answer).__name__}"
    raise BotMistake(
        NO_INTEGER,
        f"{function} returned {given}; it must return the index of a card in legalMoves, an int",
    )


def _same(left: list[int], legal: list[int]) -> bool:
    """Say whether the bot's list is unchanged; anything may be in it now."""
    try:
        return left == legal
    except BaseException:
        return False


def _meant(index: int, left: list[int], legal: list[int], function: str) -> int:
    """Return the legal card that an index means in a list changed by the bot; raises BotMistake."""
    try:
        if index < 0:
            return index
        return legal.index(operator.index(left[index]))
    except BaseException:
        left_so = f"in legalMoves, as it has left it, that is no legal card; {DRAWN}"
        raise BotMistake(INDEX, f"{function} returned {short(index)}: {left_so}") from None


def short(number: int) -> str:
    """Return an integer as text, unless it is very long."""
    return str(number) if abs(number) < 10**20 else "a number of more than 20 digits"


def in_words(error: BaseException, file: str) -> str:
    """Return an exception as one line, with the line of the bot's file that raised it."""
    line = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename == file:
        line = error.lineno
    try:
        text = str(error.msg if isinstance(error, SyntaxError) else error)
    except BaseException:
        text = "(no message)"
    words = " ".join(f"{type(error).__name__}: {text}".replace("\0", "?").split())
    where = "" if line is None else f"{file}, line {line}: "
    return (where + words)[:WORDS]


def trace_of(error: BaseException, file: str, source: str) -> str:
    """Return the last steps of an exception from the bot's file on, with the lines of that file."""
    lines = source.splitlines()
    steps: list[str] = []
    trace = error.__traceback__
    while trace is not None:
        code, line = trace.tb_frame.f_code, trace.tb_lineno
        if steps or code.co_filename == file:
            step = f"{code.co_filename.rpartition('/')[2]}, line {line}, in {code.co_name}"
            if code.co_filename == file and 0 < line <= len(lines):
                step += f"\n  {lines[line - 1].strip()}"
            steps.append(step)
        trace = trace.tb_next
    return "\n".join(steps[-STEPS:]).replace("\0", "?")[:TRACE]


# What a bot may import -----------------------------------------------------------------------


def _importer(
    space: dict[str, Any], helper: str, random_source: RandomSource, *, guarded: bool
) -> Callable[..., Any]:
    """Return a bot's replacement for `__import__`."""
    modules: dict[str, ModuleType] = {"random": random_source.random}

    def imported(
        name: str,
        globals: Any = None,  # noqa: A002 - the names are Python's
        locals: Any = None,  # noqa: A002
        fromlist: Any = (),
        level: int = 0,
    ) -> Any:
        if level == 0 and name == HELPER and name not in modules:
            modules[name] = _helper_module(helper)
        if level == 0 and name in modules:
            return modules[name]
        top = name.partition(".")[0]
        allowed = not guarded or top in {*ALLOWED, "__future__"}
        if globals is space and not (allowed and level == 0):
            listed = ", ".join((*ALLOWED, HELPER))
            raise ImportError(f"a bot may not import {name or 'from its folder'}; only {listed}")
        with importing():
            module = builtins.__import__(name, globals, locals, fromlist, level)
            if "numpy" in sys.modules:
                builtins.__import__("numpy.random")  # which NumPy may delay until it is used
        random_source.found_numpy()
        return module

    return imported


def _opener(files: Mapping[str, bytes], *, guarded: bool) -> Callable[..., Any]:
    """Return a bot's replacement for `open`: it reads the files that were shipped with the bot."""

    def opened(  # noqa: PLR0917 - as Python's own
        file: Any,
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        **others: Any,
    ) -> Any:
        name = file.removeprefix("./") if isinstance(file, str) else ""
        if name in files and sorted(mode) in (["r"], ["b", "r"], ["r", "t"]):
            content = io.BytesIO(files[name])
            if "b" in mode:
                return content
            return io.TextIOWrapper(content, encoding or "utf-8", errors, newline)
        if not guarded:
            return builtins.open(  # noqa: PTH123 - as it was called
                file, mode, buffering, encoding, errors, newline, **others
            )
        there = ", ".join(sorted(files)) or "none"
        raise PermissionError(
            f"a bot can only read files of the folder beside it, by their names there ({there})"
        )

    return opened


def _helper_module(source: str) -> ModuleType:
    module = ModuleType(HELPER)
    exec(_compiled(source, f"{HELPER}.py"), vars(module))
    return module
