"""One bot at several tables, told and asked by bytes."""

from __future__ import annotations

import marshal

import pytest

from cardwright.league.bot_runtime import (
    BEGIN,
    CHANGED,
    CHOSE,
    DEAL,
    END,
    FAILED,
    GAVE,
    GOT,
    PASS,
    PLAY,
    PLAYED,
    REPLY,
    PublicTable,
    Seen,
    serve,
    take_up,
)

HAND = [51, 0, 12, 13, 25, 26, 36, 38, 39, 40, 41, 1, 2]


def played(*plays):
    return bytes(seat << 6 | card for seat, card in plays)


def served(body):
    source = f"def getPlay(state):\n    {body}\ngetSluff = getPlay\n"
    return serve(marshal.dumps((source, "b.py", "")))


def begin(table=0, seat=1):
    return bytes((table, BEGIN, seat)) + bytes(range(32))


def dealt(*asked, table=0, direction=1):
    return bytes((table, DEAL, direction)) + bytes(8) + bytes(HAND) + bytes(asked)


def replies(served_bytes):
    """Return the replies to a request, each as what it is, its integer, and what it says."""
    found, at = [], 0
    while at < len(served_bytes):
        status, kind, length, took, answer = REPLY.unpack_from(served_bytes, at)
        assert 0 <= took < 10**9
        at += REPLY.size
        words = served_bytes[at : at + kind], served_bytes[at + kind : at + kind + length].decode()
        at += kind + length
        found.append((status, answer, *words))
    return found


def reply(server, request):
    (one,) = replies(server(request))
    return one


def test_requests_tell_all_that_the_methods_do():
    server = served("return 0")
    assert reply(server, begin()) == (CHOSE, 0, b"", "")
    totals = [0, 300, 26, 7]
    deal = bytes((0, DEAL, 3)) + b"".join(one.to_bytes(2, "little") for one in totals) + bytes(HAND)
    assert reply(server, deal + bytes((PASS, 255, 31)))[0] == CHOSE
    gave = b"".join(bytes((GAVE, card)) for card in (51, 12, 13))
    plays = played((0, 5), (1, 0))
    heard = gave + bytes((GOT, 50, 49, 48)) + bytes((PLAYED, 2)) + plays
    assert reply(server, bytes(1) + heard + bytes((PLAY, 1, 0)))[0] == CHOSE
    direct = Seen(1, PublicTable())
    left = [card for card in HAND if card not in (51, 12, 13, 0)]
    take_up(left, [50, 49, 48])
    direct.deal(3, totals, left)
    direct.given, direct.received = [51, 12, 13], [50, 49, 48]
    direct.table.begin()
    direct.table.plays += plays
    for play in (True, False):
        there = server.runtimes[0].seen.state(1, play=play)
        assert vars(there) == vars(direct.state(1, play=play))


def test_replies_of_bots_that_fail():
    server = served("raise ValueError('é\\n' * 999)")
    server(begin())
    status, _, kind, words = reply(server, dealt(PLAY, 1, 0))
    assert (status, kind) == (FAILED, b"raised")
    assert len(words) == 300


def test_an_integer_that_needs_more_than_eight_bytes_is_an_index_that_is_none():
    server = served("return 1 << 64")
    server(begin())
    assert reply(server, dealt(PLAY, 1, 0)) == (CHOSE, -1, b"", "")


def test_a_reply_tells_that_a_list_was_changed():
    server = served("state.legalMoves.reverse(); return 0")
    server(begin())
    assert reply(server, dealt(PLAY, 3, 0)) == (CHANGED, 1, b"", "")


COUNTING = """
import random
try:
    count
except NameError:
    count = 0
def getPlay(state):
    global count
    count += 1
    return count + 100 * state.whichPlayer + 1000 * random.randrange(10**9)
getSluff = getPlay
"""


@pytest.mark.parametrize("head", ["", "import numpy\n"])
def test_tables_in_one_process_share_nothing(head):
    """Each table has the file run for itself, its own variables, chances, seat and cards."""
    draw = "numpy.random.randint(10**9)" if head else "random.randrange(10**9)"
    source = head + COUNTING.replace("random.randrange(10**9)", draw)

    def answers(tables):
        server = serve(marshal.dumps((source, "b.py", "")))
        asked = [begin(table, seat=table % 4) for table in tables]
        started = [dealt(PASS, 255, 31, table=table) for table in tables]
        more = [bytes((table, PASS, 255, 31)) for table in tables] * 4
        found = replies(server(b"".join(asked + started + more)))
        return {table: found[at :: len(tables)] for at, table in enumerate(tables)}

    together = answers([3, 5, 8])
    for table, found in together.items():
        assert answers([table])[table] == found
        assert [one[1] % 100 for one in found] == [0, 1, 2, 3, 4, 5]


def test_a_fault_at_one_table_leaves_the_others_alone():
    server = served("return 1 // (state.whichPlayer - 1)")
    server(begin(0, seat=0) + begin(1, seat=1) + begin(2, seat=2))
    request = b"".join(dealt(PASS, 255, 31, table=table) for table in (0, 1, 2))
    assert [one[:3] for one in replies(server(request))] == [
        (CHOSE, -1, b""), (FAILED, 0, b"raised"), (CHOSE, 1, b"")
    ]  # fmt: skip


def test_a_table_that_is_left_is_forgotten():
    server = served("return 0")
    server(begin(0) + begin(1))
    space = server.runtimes[0]._space
    assert replies(server(bytes((0, END)) + dealt(PASS, 255, 31, table=1)))[0][0] == CHOSE
    assert space == {}
    assert list(server.runtimes) == [1]


def test_each_move_is_timed_by_itself():
    """A clock of the test's: it is read once a question, and the time since the last one told."""
    server = served("return 0")
    server(begin(0) + begin(1))
    times = iter([1_000, 5_000])
    server._last = 0
    request = dealt(PASS, 255, 31) + dealt(PASS, 255, 31, table=1)
    reply = server(request, clock=lambda: next(times))
    assert [REPLY.unpack_from(reply, at)[3] for at in (0, REPLY.size)] == [1_000, 4_000]
