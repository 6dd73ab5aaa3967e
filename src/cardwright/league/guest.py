"""The bot's side of a seat: what a bot is shown, and how its functions are called.

This file stands alone, but for `jail.luck`. It is imported to play one's own bots in this process,
and its text is sent, with that, into the process of a bot that nobody trusts, which runs it beside
the bot. There it can be broken by the bot in any way: what comes out of it is to be checked by
whoever asked. Nor may it hold anything that the bot must not know: the bot can reach all of it.

The fields of `GameState` and the meaning of an answer are those of the Hearts League. Cards are
numbers, 13 * suit + rank: clubs, diamonds, spades, hearts, from the two (0) to the ace (12).
"""

from __future__ import annotations

import builtins
import io
import marshal
import numbers
import operator
import struct
import sys
import time
from types import CodeType, ModuleType

from cardwright.jail.luck import Luck, importing

TYPE_CHECKING = False  # importing `typing` takes half as long as starting Python does
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

ALLOWED = ("numpy", "pandas", "math", "random")
"""Modules that a bot may import, with what belongs to them."""

HELPER = "hearts_cards"
"""Our own module of cards and hands, which a bot may import too."""

QUEEN = 36
WORDS = 300
"""Letters of a message that are kept."""

DRAWN = "a random one was played"
"""What is done about an index that is none."""

RAISED, NO_INTEGER, INDEX = "raised", "answer", "index"
"""Kinds of faults, as they are noted in the records; the last one does not count."""

CHOSE, FAILED, CHANGED = 0, 1, 2
"""What a reply is: an index, or a fault.

CHANGED is CHOSE by a bot that has changed `legalMoves` in place, so that it meant another card than
the same index did before.
"""

BEGIN, DEAL, GAVE, GOT, PLAYED, PLAY, PASS, END = range(1, 9)
"""First bytes of the items of a question; see `Served`."""

TOKEN = 32
"""Bytes of the token from which a bot draws in a game."""

REPLY = struct.Struct("<BBHQq")
"""A reply: what it is, the lengths of a fault's kind and message, nanoseconds, an index."""

MASKS: list[tuple[int, ...]] = [()]
for _at in range(13):
    MASKS += [(*cards, _at) for cards in MASKS]
"""For every set of cards of a hand, as bits, where these stand in it."""


class GameState:
    """What a bot is given when it has to choose a card.

    All lists are the bot's own: it may change them as it likes. Its answer is read against the list
    that was `legalMoves`, as the bot has left it.
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


class Fault(Exception):  # noqa: N818 - it is the bot's, and travels as a kind and a message
    """What a bot did wrong, in words for its author."""

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        self.message = message
        super().__init__(message)


class Table:
    """What everybody has seen of a game: the cards that were played, who leads, who took what.

    `plays` are the cards of this round, each as `seat << 6 | card`. Whoever plays them adds them
    there, and they count from the next `update` on. `count` says how many cards lie on the table.
    """

    def __init__(self, owner: Seen | None = None) -> None:
        """Set up a table; cards that are played leave the hand of its owner, if it has one."""
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
        """Begin a round; the history of the last one stays until cards are played."""
        self.update()
        self.points = [0, 0, 0, 0]

    def begin(self) -> None:
        """Begin to play, once all cards are passed."""
        self.plays.clear()
        self._counted = 0
        self.history = [[], [], [], []]

    def update(self) -> None:
        """Count what was played since this was asked for last."""
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

    `hand` is kept by whoever deals, or by a table of its own; it is copied for the bot.
    """

    def __init__(self, seat: int, table: Table | None = None) -> None:
        self.seat = seat
        self.table = table or Table(self)
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
        """Return what the bot is shown now; `legal` are the cards that it may choose, as bits."""
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


class Guest:
    """A bot: its text, and in every game the functions that come of it anew.

    With `guarded` it may import only what a bot may; without, anything. Either way its chances are
    those of its seat's token.
    """

    def __init__(
        self,
        source: str,
        file: str,
        helper: str,
        files: Mapping[str, bytes] | None = None,
        *,
        guarded: bool,
    ) -> None:
        self.file = file
        self._files = files or {}
        self._guarded = guarded
        self._helper = helper
        self._source = source
        self._space: dict[str, Any] = {}
        self._play: Callable[[GameState], object] = _missing
        self._pass: Callable[[GameState], object] = _missing
        self.seen = Seen(0, Table())
        self.changed = False
        """Whether the last answer was an index of a list that the bot had changed."""
        self._luck = _NOBODY

    def begin(self, seat: int, token: bytes, table: Table | None = None) -> None:
        """Start the bot for a game at a table, with its chances; raises Fault if that fails.

        Without a table it has one of its own, and keeps its hand by the cards that it hears of.
        """
        self.seen = Seen(seat, table)
        self._luck = luck = Luck(token)
        name = "bot"
        space: dict[str, Any] = {"__name__": name, "__file__": self.file}
        self._space = space
        space["__builtins__"] = {
            **vars(builtins),
            "open": _opener(self._files, guarded=self._guarded),
            "__import__": _importer(space, self._helper, luck, guarded=self._guarded),
        }
        try:
            with luck:
                exec(_compiled(self._source, self.file), space)
        except BaseException as error:
            raise self._fault(error) from None
        self._play, self._pass = (self._function(space, f) for f in ("getPlay", "getSluff"))

    def _function(self, space: dict[str, Any], name: str) -> Callable[[GameState], object]:
        function = space.get(name)
        if not callable(function):
            what = "has no function" if function is None else "has something that is no function,"
            raise Fault(RAISED, f"{self.file} {what} {name}(gameState)")
        return function  # type: ignore[no-any-return]

    def _fault(self, error: BaseException) -> BaseException:
        """Return what becomes of an error of the bot; one's own bots do not keep Ctrl-C from us."""
        if isinstance(error, KeyboardInterrupt) and not self._guarded:
            return error
        return Fault(RAISED, in_words(error, self.file))

    def end(self) -> None:
        """Let go of all that the bot's file has made for this game."""
        self._play = self._pass = _missing
        self._space.clear()

    def choose(self, legal: int, *, play: bool) -> int:
        """Ask the bot, and return its answer, which may be any integer; raises Fault.

        It is an index of the legal cards in the order of the hand, whatever has become of the list
        that the bot was given.
        """
        state = self.seen.state(legal, play=play)
        cards, self.changed = state.legalMoves, False
        try:
            with self._luck:
                answer = self._play(state) if play else self._pass(state)
        except BaseException as error:
            raise self._fault(error) from None
        places, hand = MASKS[legal], self.seen.hand
        if (
            type(answer) is int
            and 0 <= answer < len(places) == len(cards)
            and cards[answer] is hand[places[answer]]  # small integers are one object each
        ):
            return answer
        with self._luck:  # an answer may be of the bot's making, and so may what is in its list
            return self._read(answer, cards, [hand[at] for at in places], play=play)

    def _read(self, answer: object, left: list[int], legal: list[int], *, play: bool) -> int:
        """Return what an answer means in the list as the bot has left it."""
        function = "getPlay" if play else "getSluff"
        index = _index(answer, len(left), function)
        if _same(left, legal):
            return index
        self.changed = True
        return _meant(index, left, legal, function)


_NOBODY = Luck(b"")
_codes: dict[tuple[str, str], CodeType] = {}


def _compiled(source: str, file: str) -> CodeType:
    """Return the code of a file, compiled once for all tables at which the bot sits."""
    code = _codes.get((source, file))
    if code is None:
        code = _codes[source, file] = compile(source, file, "exec")
    return code


def _missing(state: GameState) -> object:
    raise AssertionError("a bot is asked before its game has begun")


def _index(answer: object, count: int, function: str) -> int:
    """Return an answer as an integer, NumPy's and truth values included; raises Fault."""
    outside = ""
    try:
        if hasattr(type(answer), "__index__"):
            return operator.index(answer)  # type: ignore[arg-type]
        if isinstance(answer, numbers.Real) and not 0 <= (value := float(answer)) < count:
            outside = f"{function} returned {value:g}, no index of {count} legal cards; {DRAWN}"
    except BaseException:
        pass
    if outside:
        raise Fault(INDEX, outside)
    given = "nothing (None)" if answer is None else f"a {type(answer).__name__}"
    raise Fault(
        NO_INTEGER,
        f"{function} returned {given}; it must return the index of a card in legalMoves, an int",
    )


def _same(left: list[int], legal: list[int]) -> bool:
    """Say whether the bot has left its list as it was; anything may be in it now."""
    try:
        return left == legal
    except BaseException:
        return False


def _meant(index: int, left: list[int], legal: list[int], function: str) -> int:
    """Return which legal card an index means in a list that the bot has changed; raises Fault."""
    try:
        if index < 0:
            return index
        return legal.index(operator.index(left[index]))
    except BaseException:
        left_so = f"in legalMoves, as it has left it, that is no legal card; {DRAWN}"
        raise Fault(INDEX, f"{function} returned {short(index)}: {left_so}") from None


def short(number: int) -> str:
    """Return an integer as text, unless it is a very long one."""
    return str(number) if abs(number) < 10**20 else "a number of more than 20 digits"


def in_words(error: BaseException, file: str) -> str:
    """Return an exception in one line, with the line of the bot's file where it came up."""
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
    words = " ".join(f"{type(error).__name__}: {text}".split())
    where = "" if line is None else f"{file}, line {line}: "
    return (where + words)[:WORDS]


# What a bot may import -----------------------------------------------------------------------


def _importer(
    space: dict[str, Any], helper: str, luck: Luck, *, guarded: bool
) -> Callable[..., Any]:
    """Return what a bot has in place of `__import__`."""
    modules: dict[str, ModuleType] = {"random": luck.random}

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
                builtins.__import__("numpy.random")  # which NumPy may put off until it is used
        luck.found_numpy()
        return module

    return imported


def _opener(files: Mapping[str, bytes], *, guarded: bool) -> Callable[..., Any]:
    """Return what a bot has in place of `open`: it reads the files that were shipped with it."""

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


# Over a pipe ---------------------------------------------------------------------------------


class Served:
    """A bot that sits at several tables, and is told and asked by bytes.

    A request is a row of questions. Each begins with the number of a table, and items follow, of
    which the last one asks for an answer:

    - BEGIN, the seat, a token of `TOKEN` bytes: a new game, and nothing else; the answer is 0 if
      the bot has started;
    - DEAL, the direction, the points of the match of all seats in 2 bytes each, 13 cards;
    - GAVE and the card that this seat has passed on;
    - GOT and the three cards that were passed to it;
    - PLAYED, how many, and as many cards with who played them;
    - PASS or PLAY, and the cards of the hand that may be chosen as bits, in 2 bytes.

    END, alone, ends a question as well, but asks nothing: the table is left.

    The reply has a `REPLY` for each question that asks, with the processor time since the one
    before, and after it, if it is FAILED, the kind of fault and a message. Integers begin with
    their lowest byte.
    """

    def __init__(
        self, source: str, file: str, helper: str, files: Mapping[str, bytes] | None = None
    ) -> None:
        self._source = source, file, helper, files
        self.guests: dict[int, Guest] = {}
        self._last = time.process_time_ns()

    def __call__(self, request: bytes, clock: Callable[[], int] = time.process_time_ns) -> bytes:
        """Answer a request."""
        at, last, guests = 0, self._last, self.guests
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
                    guest = guests[table]
                    at = _told(guest.seen, request, at + 1) + 3
                    legal = request[at - 2] | request[at - 1] << 8
                    answer = guest.choose(legal, play=request[at - 3] == PLAY)
                    if guest.changed:
                        status = CHANGED
                    if not -(1 << 63) <= answer < 1 << 63:
                        answer = -1
            except Fault as fault:
                status, kind = FAILED, fault.kind.encode()
                text = fault.message.encode("utf-8", "replace")
            now = clock()
            replies.append(REPLY.pack(status, len(kind), len(text), now - last, answer))
            if kind:
                replies.append(kind + text)
            last = now
        self._last = last
        return b"".join(replies)

    def _begin(self, table: int, given: bytes) -> None:
        self._leave(table)
        self.guests[table] = guest = Guest(*self._source, guarded=True)
        guest.begin(given[0], given[1:])

    def _leave(self, table: int) -> None:
        guest = self.guests.pop(table, None)
        if guest is not None:
            guest.end()


def _told(seen: Seen, request: bytes, at: int) -> int:
    """Take note of what items tell, from a place on; return where something is asked."""
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
            seen.hand += seen.received
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
    """Return what answers requests, for a bot: its text, its file, our helper, and its files."""
    return Served(*marshal.loads(payload))
