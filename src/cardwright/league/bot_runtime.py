"""The runtime of a bot: what it sees, how its functions are called, and what its answers mean.

This file is self-contained. It is imported to play trusted bots in this process, and its text is
sent into the process of an untrusted bot, which runs it beside the bot. There the bot can tamper
with it in any way: the caller must check what comes out of it. And it must not hold anything that
the bot must not know: the bot can reach all of it.

The fields of `GameState` and the meaning of answers are those of the Hearts League. Cards are
numbers, 13 * suit + rank: clubs, diamonds, spades, hearts, from the two (0) to the ace (12).

What a bot draws without a seed of its own is derived from a token. Several bots may take turns in a
process, each with its own random source, whose draws depend only on its token and on what the bot
has drawn before. These draw from the source of the active bot: its own module `random`, with
`Random()` and `SystemRandom`, and NumPy's global generator; in a sandbox (`everywhere`) also
`os.urandom` and its users: `secrets`, `uuid4`, and NumPy's generators made without a seed.
"""

from __future__ import annotations

import builtins
import io
import marshal
import numbers
import operator
import os
import random
import struct
import sys
import threading
import time
from types import CodeType, ModuleType

TYPE_CHECKING = False  # importing `typing` takes half as long as starting Python does
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

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


# Random sources ------------------------------------------------------------------------------


class _Turn(threading.local):
    """The active source of a thread."""

    random_source: RandomSource | None = None


_turn = _Turn()
_system = os.urandom


class RandomSource:
    """The random source of one program, active within a `with` block."""

    def __init__(self, token: bytes) -> None:
        self._token = token
        self._bytes = random.Random(b"bytes" + token)
        self._module: Any = None
        self._numpy: Any = None
        self._others: Any = None
        self.random = _module(token)

    def __enter__(self) -> None:
        _turn.random_source = self
        if self._numpy is not None:
            self._swap()

    def __exit__(self, *raised: object) -> None:
        _turn.random_source = None
        if self._numpy is not None:
            self._numpy = self._module.get_bit_generator()
            self._module.set_bit_generator(self._others)

    def draw(self, count: int) -> bytes:
        """Return the next `count` bytes."""
        return self._bytes.randbytes(count)

    def found_numpy(self) -> None:
        """Take over NumPy's global generator, if NumPy is imported and this was not done before."""
        if self._numpy is None and "numpy" in sys.modules:
            self._module = module = sys.modules["numpy"].random
            seed = module.SeedSequence(int.from_bytes(self._token, "little"))
            self._numpy = module.MT19937(seed)
            self._swap()

    def _swap(self) -> None:
        """Swap in this source's generator.

        This makes NumPy drop the second of a pair of normal numbers that it may have cached, at
        every turn, so that turns in between make no difference.
        """
        self._others = self._module.get_bit_generator()
        self._module.set_bit_generator(self._numpy)


def drawn(count: int) -> bytes:
    """Return `count` bytes from the active source, or from the system."""
    random_source = _turn.random_source
    return _system(count) if random_source is None else random_source.draw(count)


class Random(random.Random):
    """The generator of the module `random`, which takes a missing seed from the source."""

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Seed the generator."""
        super().seed(drawn(32) if a is None else a, version)


class SystemRandom(random.SystemRandom):
    """A stateless generator: each draw is one from the random source."""

    def random(self) -> float:
        """Return a number from 0 up to but excluding 1."""
        return (int.from_bytes(drawn(7), "big") >> 3) * 2.0**-53

    def getrandbits(self, k: int, /) -> int:
        """Return an integer of `k` random bits."""
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        return int.from_bytes(drawn((k + 7) // 8), "big") >> (-k % 8)

    def randbytes(self, n: int) -> bytes:
        """Return `n` bytes."""
        return drawn(n)


def _module(token: bytes) -> ModuleType:
    """Return a module like `random` with its own generator."""
    module = ModuleType("random", random.__doc__)
    module.__dict__.update(vars(random))
    own = Random(token)
    for name, value in vars(random).items():
        if getattr(value, "__self__", None) is random._inst:
            setattr(module, name, getattr(own, name))
    module.__dict__.update(Random=Random, SystemRandom=SystemRandom, _inst=own)
    return module


def everywhere() -> None:
    """Make this whole process draw from the active source wherever it would ask the system."""
    for name in ("os", "posix"):
        module = sys.modules[name]
        for what in ("urandom", "getrandom"):
            if hasattr(module, what):
                setattr(module, what, lambda count, *_: drawn(count))
    vars(random).update(_urandom=drawn, Random=Random, SystemRandom=SystemRandom)


# What a bot sees -----------------------------------------------------------------------------

QUEEN = 36

MASKS: list[tuple[int, ...]] = [()]
for _at in range(13):
    MASKS += [(*cards, _at) for cards in MASKS]
"""For every set of cards of a hand, as bits, their indices in it."""


PLACES = (*range(13), *range(26, 39), *range(13, 26), *range(39, 52))
"""The place of every card in a sorted hand: clubs, spades, diamonds, hearts, as the game has it."""


def take_up(hand: list[int], cards: list[int]) -> None:
    """Put cards into a hand."""
    hand += cards
    hand.sort(key=PLACES.__getitem__)


class GameState:
    """What a bot gets when it has to choose a card.

    All lists are copies: the bot may change them as it likes. Its answer refers to the list that
    was `legalMoves`, as the bot has left it.
    """

    hand: list[int]
    legalMoves: list[int]  # noqa: N815 - the names are those of the league
    lead: int | None
    playHistory: list[list[int]] | None  # noqa: N815
    roundPoints: list[int]  # noqa: N815
    gamePoints: list[int]  # noqa: N815
    whichPlayer: int  # noqa: N815
    sluffDirection: int  # noqa: N815
    sluffedByYou: list[int]  # noqa: N815
    sluffedToYou: list[int] | None  # noqa: N815


class PublicTable:
    """What all seats have seen of a game: the cards played, who leads, who took what.

    `plays` are the cards of this round, each as `seat << 6 | card`. The caller appends them, and
    they count from the next `update` on. `count` is the number of cards on the table.
    """

    def __init__(self, owner: Seen | None = None) -> None:
        """Set up a table; cards played leave the hand of its owner, if it has one."""
        self._owner = owner
        self.plays = bytearray()
        self.lead: int | None = None
        self.history: list[list[int]] | None = None
        self.points = [0, 0, 0, 0]
        self.count = 0
        self._counted = 0
        self._best = self._highest = 0
        self._winner = self._worth = 0

    def deal(self) -> None:
        """Begin a round; the history of the last one remains until cards are played."""
        self.update()
        self.points = [0, 0, 0, 0]

    def begin(self) -> None:
        """Begin play, once all cards are passed."""
        self.plays.clear()
        self._counted = 0
        self.history = [[], [], [], []]

    def update(self) -> None:
        """Count what was played since the last update."""
        history, counted = self.history, self._counted
        if history is None or counted == len(self.plays):
            return
        count, best, highest = self.count, self._best, self._highest
        winner, worth = self._winner, self._worth
        owner = self._owner
        own, hand = (-1, []) if owner is None else (owner.seat, owner.hand)
        for play in self.plays[counted:]:
            seat, card = play >> 6, play & 63
            history[seat].append(card)
            if seat == own:
                hand.remove(card)
            if not count:
                self.lead = winner = seat
                best, highest, worth = card, card - card % 13 + 12, 0
            elif best < card <= highest:
                best, winner = card, seat
            if card > 38:
                worth += 1
            elif card == QUEEN:
                worth += 13
            count += 1
            if count == 4:
                self.points[winner] += worth
                self.lead, count = winner, 0
        self.count, self._best, self._highest = count, best, highest
        self._winner, self._worth = winner, worth
        self._counted = len(self.plays)


class Seen:
    """What the bot of one seat has seen of a game so far.

    `hand` is updated by the dealer, or by a table of its own; the bot gets a copy.
    """

    def __init__(self, seat: int, table: PublicTable | None = None) -> None:
        self.seat = seat
        self.table = table or PublicTable(self)
        self.hand: list[int] = []
        self.totals = [0, 0, 0, 0]
        self.direction = 0
        self.given: list[int] = []
        self.received: list[int] | None = None

    def deal(self, direction: int, totals: list[int], hand: list[int]) -> None:
        """Take up a hand."""
        self.hand = hand
        self.direction = direction
        self.totals = totals
        self.given = []
        self.received = None

    def state(self, legal: int, *, play: bool) -> GameState:
        """Return what the bot gets now; `legal` are the cards that it may choose, as bits."""
        table = self.table
        table.update()
        hand = self.hand
        state = GameState()
        state.hand = hand[:]
        places = MASKS[legal]
        state.legalMoves = hand[:] if len(places) == len(hand) else [hand[at] for at in places]
        if play and not table.count:
            table.lead = self.seat
        state.lead = table.lead
        history = table.history
        state.playHistory = None if history is None else [cards[:] for cards in history]
        state.roundPoints = table.points[:]
        state.gamePoints = self.totals[:]
        state.whichPlayer = self.seat
        state.sluffDirection = self.direction
        state.sluffedByYou = self.given[:]
        received = self.received
        state.sluffedToYou = None if received is None else received[:]
        return state


# Calling a bot -------------------------------------------------------------------------------


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
        # What a module draws while it is imported comes from no source: it is imported once, but
        # all bots of the process must draw the same.
        active, _turn.random_source = _turn.random_source, None
        try:
            module = builtins.__import__(name, globals, locals, fromlist, level)
            if "numpy" in sys.modules:
                builtins.__import__("numpy.random")  # which NumPy may delay until it is used
        finally:
            _turn.random_source = active
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


# Serving a bot at several tables -------------------------------------------------------------

CHOSE, FAILED, CHANGED = 0, 1, 2
"""Kinds of replies: an index, or a fault.

CHANGED is CHOSE by a bot that has changed `legalMoves` in place, so that its index meant another
card than before.
"""

BEGIN, DEAL, GAVE, GOT, PLAYED, PLAY, PASS, END = range(1, 9)
"""First bytes of the items of a question; see `Served`."""

TOKEN = 32
"""Bytes of the token of a bot's random source in a game."""

REPLY = struct.Struct("<BBHQq")
"""A reply: its kind, the lengths of a fault's kind and message, nanoseconds, an index."""


class Served:
    """A bot that plays at several tables, and gets news and questions as bytes.

    A request is a sequence of questions. Each begins with the number of a table; items follow, the
    last of which asks for an answer:

    - BEGIN, the seat, a token of `TOKEN` bytes: a new game, and nothing else; the answer is 0 if
      the bot has started;
    - DEAL, the direction, the match points of all seats in 2 bytes each, 13 cards;
    - GAVE and the card that this seat has passed;
    - GOT and the three cards that were passed to it;
    - PLAYED, a count, and that many cards with the seats that played them;
    - PASS or PLAY, and the legal cards of the hand as bits, in 2 bytes.

    END, alone, also ends a question, but asks nothing: the bot leaves the table.

    The reply has a `REPLY` for each question that asks for an answer, with the processor time since
    the previous one, followed, if it is FAILED, by the kind of fault and a message. If bots are
    `traced`, a traceback may follow the message, after a null character. Integers are
    little-endian.
    """

    def __init__(
        self,
        source: str,
        file: str,
        helper: str,
        files: Mapping[str, bytes] | None = None,
        traced: bool = False,
    ) -> None:
        self._source = source, file, helper, files
        self._traced = traced
        self.runtimes: dict[int, BotRuntime] = {}
        self._last = time.process_time_ns()

    def __call__(self, request: bytes, clock: Callable[[], int] = time.process_time_ns) -> bytes:
        """Answer a request."""
        at, last, runtimes = 0, self._last, self.runtimes
        replies = []
        while at < len(request):
            table = request[at]
            item = request[at + 1]
            if item == END:
                self._leave(table)
                at += 2
                continue
            status, answer, kind, text = CHOSE, 0, b"", b""
            try:
                if item == BEGIN:
                    first, at = at + 2, at + 3 + TOKEN
                    self._begin(table, request[first:at])
                else:
                    runtime = runtimes[table]
                    at = _take_news(runtime.seen, request, at + 1) + 3
                    legal = request[at - 2] | request[at - 1] << 8
                    answer = runtime.choose(legal, play=request[at - 3] == PLAY)
                    if runtime.changed:
                        status = CHANGED
                    if not -(1 << 63) <= answer < 1 << 63:
                        answer = -1
            except BotMistake as fault:
                status, kind = FAILED, fault.kind.encode()
                said = f"{fault.message}\0{fault.trace}" if fault.trace else fault.message
                text = said.encode("utf-8", "replace")
            now = clock()
            replies.append(REPLY.pack(status, len(kind), len(text), now - last, answer))
            if kind:
                replies.append(kind + text)
            last = now
        self._last = last
        return b"".join(replies)

    def _begin(self, table: int, given: bytes) -> None:
        self._leave(table)
        self.runtimes[table] = runtime = BotRuntime(
            *self._source, guarded=True, traced=self._traced
        )
        runtime.begin(given[0], given[1:])

    def _leave(self, table: int) -> None:
        runtime = self.runtimes.pop(table, None)
        if runtime is not None:
            runtime.end()


def _take_news(seen: Seen, request: bytes, at: int) -> int:
    """Process the items from an offset on; return the offset of the one that asks."""
    while True:
        item = request[at]
        if item == PLAYED:
            end = at + 2 + request[at + 1]
            seen.table.plays += request[at + 2 : end]
            at = end
        elif item in (PLAY, PASS):
            return at
        elif item == GAVE:
            seen.hand.remove(request[at + 1])
            seen.given.append(request[at + 1])
            at += 2
        elif item == GOT:
            seen.received = list(request[at + 1 : at + 4])
            take_up(seen.hand, seen.received)
            seen.table.begin()
            at += 4
        else:
            totals = [
                int.from_bytes(request[at + 2 + 2 * seat : at + 4 + 2 * seat], "little")
                for seat in range(4)
            ]
            seen.table.deal()
            seen.deal(request[at + 1], totals, list(request[at + 10 : at + 23]))
            at += 23


def serve(payload: bytes) -> Served:
    """Return a function that answers requests to a bot, given the arguments of `Served`."""
    return Served(*marshal.loads(payload))


if __name__ == "runtime":  # in a sandbox, before it is sealed
    # Python imports modules for names of letters in a text, and for encodings of a file.
    import unicodedata  # noqa: F401

    for _name in ("ascii", "cp1252", "iso8859_1", "iso8859_15", "latin_1", "utf_16", "utf_32",
                  "utf_8_sig"):  # fmt: skip
        __import__(f"encodings.{_name}")
    everywhere()
