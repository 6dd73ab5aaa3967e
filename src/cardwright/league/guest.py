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
import json
import numbers
import operator
import sys
from types import CodeType, ModuleType
from typing import Any, Callable, Optional  # noqa: UP035 - the file stands alone

from cardwright.jail.luck import Luck, importing

ALLOWED = ("numpy", "pandas", "math", "random")
"""Modules that a bot may import, with what belongs to them."""

HELPER = "hearts_cards"
"""Our own module of cards and hands, which a bot may import too."""

QUEEN = 36
HEARTS = 3
WORDS = 300
"""Letters of a message that are kept."""

DRAWN = "a random one was played"
"""What is done about an index that is none."""

RAISED, NO_INTEGER, INDEX = "raised", "answer", "index"
"""Kinds of faults, as they are noted in the records; the last one does not count."""

CHOSE, FAILED, CHANGED = 0, 1, 2
"""First byte of a reply: an index follows, or the kind of a fault and a message.

CHANGED is CHOSE by a bot that has changed `legalMoves` in place, so that it meant another card than
the same index did before.
"""

BEGIN, DEAL, GAVE, GOT, PLAYED, PLAY, PASS = range(1, 8)
"""First bytes of the items of a request; see `Served`."""

MASKS = [tuple(at for at in range(13) if cards >> at & 1) for cards in range(1 << 13)]
"""For every set of cards of a hand, as bits, where these stand in it."""


class GameState:
    """What a bot is given when it has to choose a card.

    All lists are the bot's own: it may change them as it likes. Its answer is read against the list
    that was `legalMoves`, as the bot has left it.
    """

    hand: list[int]
    legalMoves: list[int]  # noqa: N815 - the names are those of the league
    lead: Optional[int]  # noqa: UP045
    playHistory: Optional[list[list[int]]]  # noqa: N815, UP045
    roundPoints: list[int]  # noqa: N815
    gamePoints: list[int]  # noqa: N815
    whichPlayer: int  # noqa: N815
    sluffDirection: int  # noqa: N815
    sluffedByYou: list[int]  # noqa: N815
    sluffedToYou: Optional[list[int]]  # noqa: N815, UP045


class Fault(Exception):  # noqa: N818 - it is the bot's, and travels as a kind and a message
    """What a bot did wrong, in words for its author."""

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        self.message = message
        super().__init__(message)


class Table:
    """What everybody has seen of a game: the cards that were played, who leads, who took what.

    `plays` are the cards of this round, each as `seat << 6 | card`. Whoever plays them adds them
    there, and they count from the next `update` on.
    """

    def __init__(self) -> None:
        self.plays = bytearray()
        self.lead: int | None = None
        self.history: list[list[int]] | None = None
        self.points = [0, 0, 0, 0]
        self.trick: list[int] = []
        self._counted = 0

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
        history, trick = self.history, self.trick
        if history is None:
            return
        for play in self.plays[self._counted :]:
            seat, card = play >> 6, play & 63
            history[seat].append(card)
            if not trick:
                self.lead = seat
            trick.append(card)
            if len(trick) == 4:
                self._taken(trick)
        self._counted = len(self.plays)

    def _taken(self, trick: list[int]) -> None:
        """Give a trick, which begins with the leader's card, to who has won it."""
        assert self.lead is not None
        suit = trick[0] // 13
        best = max([card for card in trick if card // 13 == suit])
        winner = self.lead + trick.index(best) & 3
        for card in trick:
            if card >= 39:
                self.points[winner] += 1
            elif card == QUEEN:
                self.points[winner] += 13
        self.lead = winner
        trick.clear()


class Seen:
    """What the bot of one seat has seen of a game so far.

    `hand` is kept by whoever deals; it is copied for the bot.
    """

    def __init__(self, seat: int, table: Table) -> None:
        self.seat = seat
        self.table = table
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
        state.legalMoves = [hand[at] for at in MASKS[legal]]
        if play and not table.trick:
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

    def __init__(self, source: str, file: str, helper: str, *, guarded: bool) -> None:
        self.file = file
        self._guarded = guarded
        self._helper = helper
        self._source = source
        self._code: CodeType | None = None
        self._play: Callable[[GameState], object] = _missing
        self._pass: Callable[[GameState], object] = _missing
        self.seen = Seen(0, Table())
        self.changed = False
        """Whether the last answer was an index of a list that the bot had changed."""
        self._luck = Luck(b"")

    def begin(self, seat: int, token: bytes, table: Table) -> None:
        """Start the bot for a game at a table, with its chances; raises Fault if that fails."""
        self.seen = Seen(seat, table)
        self._luck = Luck(token)
        name = "bot"
        space: dict[str, Any] = {"__name__": name, "__file__": self.file}
        space["__builtins__"] = {
            **vars(builtins),
            "__import__": _importer(space, self._helper, self._luck, guarded=self._guarded),
        }
        try:
            if self._code is None:
                self._code = compile(self._source, self.file, "exec")
            with self._luck:
                exec(self._code, space)
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


def _helper_module(source: str) -> ModuleType:
    module = ModuleType(HELPER)
    exec(compile(source, f"{HELPER}.py", "exec"), vars(module))
    return module


# Over a pipe ---------------------------------------------------------------------------------


class Served:
    """A guest that is told and asked by bytes.

    A request is a row of items, of which the last one asks for an answer:

    - BEGIN, the seat, a token: a new game, and nothing else; the answer is 0 if the bot has
      started;
    - DEAL, the direction, the points of the match of all seats in 2 bytes each, 13 cards;
    - GAVE and the card that this seat has passed on;
    - GOT and the three cards that were passed to it;
    - PLAYED, how many, and as many cards with who played them;
    - PASS or PLAY, and the cards of the hand that may be chosen as bits, in 2 bytes.

    The reply is CHOSE or CHANGED and an integer of 8 bytes, or FAILED, the length of the kind of
    fault, the kind, and a message. Integers begin with their lowest byte.
    """

    def __init__(self, guest: Guest) -> None:
        self.guest = guest

    def __call__(self, request: bytes) -> bytes:
        """Answer a request."""
        try:
            answer = self._answer(request)
        except Fault as fault:
            kind = fault.kind.encode()
            return bytes((FAILED, len(kind))) + kind + fault.message.encode("utf-8", "replace")
        if not -(1 << 63) <= answer < 1 << 63:
            answer = -1
        status = CHANGED if self.guest.changed else CHOSE
        return bytes((status,)) + answer.to_bytes(8, "little", signed=True)

    def _answer(self, request: bytes) -> int:
        guest, at = self.guest, 0
        seen = guest.seen
        while True:
            item = request[at]
            if item in (PLAY, PASS):
                legal = request[at + 1] | request[at + 2] << 8
                return guest.choose(legal, play=item == PLAY)
            if item == PLAYED:
                end = at + 2 + request[at + 1]
                self._played(request[at + 2 : end])
                at = end
            elif item == GAVE:
                seen.hand.remove(request[at + 1])
                seen.given.append(request[at + 1])
                at += 2
            elif item == GOT:
                seen.received = list(request[at + 1 : at + 4])
                seen.hand += seen.received
                seen.table.begin()
                at += 4
            elif item == DEAL:
                totals = [
                    int.from_bytes(request[at + 2 + 2 * seat : at + 4 + 2 * seat], "little")
                    for seat in range(4)
                ]
                seen.table.deal()
                seen.deal(request[at + 1], totals, list(request[at + 10 : at + 23]))
                at += 23
            else:
                guest.begin(request[at + 1], request[at + 2 :], Table())
                return 0

    def _played(self, plays: bytes) -> None:
        """Note that cards were played, and take this seat's own out of its hand."""
        seen = self.guest.seen
        seen.table.plays += plays
        for play in plays:
            if play >> 6 == seen.seat:
                seen.hand.remove(play & 63)


def serve(payload: bytes) -> Served:
    """Return what answers requests, for a bot given as JSON: its text, file and our helper's."""
    given = json.loads(payload)
    return Served(Guest(given["source"], given["file"], given["helper"], guarded=True))
