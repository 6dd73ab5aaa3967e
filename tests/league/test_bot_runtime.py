"""What a bot is shown, field by field and moment by moment, and what becomes of its answers."""

from __future__ import annotations

import random

import pytest

from cardwright.league.bot_runtime import MASKS, BotMistake, BotRuntime, PublicTable, Seen

TOKEN = bytes(range(32))
HAND = [51, 0, 12, 13, 25, 26, 36, 38, 39, 40, 41, 1, 2]
ALL = (1 << 13) - 1
FIELDS = {
    "hand", "legalMoves", "lead", "playHistory", "roundPoints", "gamePoints", "whichPlayer",
    "sluffDirection", "sluffedByYou", "sluffedToYou",
}  # fmt: skip


def at_play(seat=0, hand=HAND):
    """Return what a seat sees when the first card of the first round is to be played."""
    seen = Seen(seat, PublicTable())
    given, received = [hand[0], hand[2], hand[3]], [50, 49, 48]
    seen.deal(1, [0, 0, 0, 0], [card for card in hand if card not in given] + received)
    seen.given, seen.received = given, received
    seen.table.begin()
    return seen


def played(*plays):
    return bytes(seat << 6 | card for seat, card in plays)


def runtime_of(body, **options):
    source = f"def getPlay(state):\n    {body}\ndef getSluff(state):\n    {body}\n"
    runtime = BotRuntime(source, "bot.py", "", **({"guarded": True} | options))
    runtime.begin(0, TOKEN, PublicTable())
    runtime.seen.deal(1, [0, 0, 0, 0], HAND[:])
    return runtime


def test_fields_while_passing_in_the_first_round():
    seen = Seen(2, PublicTable())
    left = [card for card in HAND if card != 12]
    seen.deal(1, [0, 0, 0, 0], left[:])
    seen.given.append(12)
    state = seen.state((1 << 12) - 1, play=False)
    assert vars(state).keys() == FIELDS
    assert state.hand == left
    assert state.legalMoves == left
    assert state.lead is None
    assert state.playHistory is None
    assert state.roundPoints == [0, 0, 0, 0]
    assert state.gamePoints == [0, 0, 0, 0]
    assert state.whichPlayer == 2
    assert state.sluffDirection == 1
    assert state.sluffedByYou == [12]
    assert state.sluffedToYou is None


def test_fields_at_the_first_lead():
    state = at_play().state(1, play=True)
    assert state.hand == [0, 25, 26, 36, 38, 39, 40, 41, 1, 2, 50, 49, 48]
    assert state.legalMoves == [0]
    assert state.lead == 0
    assert state.playHistory == [[], [], [], []]
    assert state.sluffedByYou == [51, 12, 13]
    assert state.sluffedToYou == [50, 49, 48]


def test_fields_in_a_trick_that_another_has_led():
    seen = at_play(seat=1)
    seen.table.plays += played((3, 0 + 3), (0, 10))
    state = seen.state(0b10, play=True)
    assert state.lead == 3
    assert state.playHistory == [[10], [], [], [3]]
    assert state.legalMoves == [25]


def test_points_and_lead_go_to_who_has_won_the_trick():
    seen = at_play(seat=1, hand=[0, 14, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35])
    seen.table.plays += played((2, 3), (3, 36), (0, 51), (1, 14))
    state = seen.state(1, play=True)
    assert state.roundPoints == [0, 0, 14, 0]
    assert seen.table.lead == 1  # it is this seat's turn: what it is shown is that it leads
    assert state.playHistory == [[51], [14], [3], [36]]


def test_the_leader_of_a_trick_stays_known_until_the_next_round_is_played():
    seen = at_play(seat=0)
    seen.table.plays += played((2, 3), (3, 4), (0, 0), (1, 9))
    seen.table.deal()
    seen.deal(3, [1, 2, 3, 20], HAND[:])
    state = seen.state(ALL, play=False)
    assert state.lead == 1
    assert state.playHistory == [[0], [9], [3], [4]]
    assert state.roundPoints == [0, 0, 0, 0]
    assert state.gamePoints == [1, 2, 3, 20]
    assert state.sluffDirection == 3
    assert state.sluffedByYou == []
    assert state.sluffedToYou is None


def test_a_bot_cannot_change_the_game_by_its_lists():
    body = (
        "state.hand.clear(); state.legalMoves.append(7); state.gamePoints[0] = 99;"
        " state.roundPoints[0] = 9; state.sluffedByYou.append(3); return 0"
    )
    runtime = runtime_of(body)
    for _ in range(2):
        assert runtime.choose(ALL, play=False) == 0
        state = runtime.seen.state(ALL, play=False)
        assert state.hand == HAND
        assert state.gamePoints == [0, 0, 0, 0]
        assert state.roundPoints == [0, 0, 0, 0]
        assert state.sluffedByYou == []


@pytest.mark.parametrize(
    ("body", "kind", "message"),
    [
        ("return None", "answer", "returned nothing (None)"),
        ("return 1.0", "answer", "returned a float"),
        ("return 0.5", "answer", "returned a float"),
        ("return '0'", "answer", "returned a str"),
        ("return 1 // 0", "raised", "bot.py, line 4: ZeroDivisionError"),
        ("raise SystemExit", "raised", "SystemExit"),
        ("return state.nothing", "raised", "no attribute 'nothing'"),
        ("return (lambda: state.hand[99])()", "raised", "IndexError"),
    ],
)
def test_what_is_no_answer(body, kind, message):
    runtime = runtime_of(body)
    with pytest.raises(BotMistake) as caught:
        runtime.choose(ALL, play=False)
    assert caught.value.kind == kind
    assert message in caught.value.message


def test_ctrl_c_is_no_fault_of_a_bot_in_this_process():
    """Behind a sandbox no key reaches a bot, so there the error is its own."""
    body = "raise KeyboardInterrupt"
    with pytest.raises(KeyboardInterrupt):
        runtime_of(body, guarded=False).choose(ALL, play=False)
    with pytest.raises(KeyboardInterrupt):
        BotRuntime(body, "bot.py", "", guarded=False).begin(0, TOKEN, PublicTable())
    with pytest.raises(BotMistake, match="KeyboardInterrupt"):
        runtime_of(body, guarded=True).choose(ALL, play=False)


@pytest.mark.parametrize("answer", ["0", "12", "-1", "99", "10**30"])
def test_any_integer_is_an_answer_whatever_it_means(answer):
    assert runtime_of(f"return {answer}").choose(ALL, play=False) == eval(answer)


def test_an_index_of_numpy_is_one():
    runtime = runtime_of("import numpy; return numpy.int64(3)")
    assert runtime.choose(ALL, play=False) == 3


@pytest.mark.parametrize("answer", ["True", "False"])
def test_a_truth_value_is_an_index(answer):
    """In the league's own program it is one too."""
    assert runtime_of(f"return {answer}").choose(ALL, play=False) == int(eval(answer))


@pytest.mark.parametrize(
    "answer",
    [
        "1e9",
        "-0.5",
        "13.0",
        "float('inf')",
        "-float('inf')",
        "float('nan')",
        "__import__('numpy').float32(99)",
    ],
)
def test_a_number_outside_is_an_index_that_is_none(answer):
    """It is no fault that counts: the league's own program draws a card then."""
    with pytest.raises(
        BotMistake, match="no index of 13 legal cards; a random one was played"
    ) as caught:
        runtime_of(f"return {answer}").choose(ALL, play=False)
    assert caught.value.kind == "index"


SOME = 0b1000000010110
"""Cards 0, 12, 25 and 2 of the hand may be chosen."""

IN_PLACE = [
    ("state.legalMoves.sort(); return 0", 0),
    ("state.legalMoves.sort(); return 3", 2),
    ("state.legalMoves.reverse(); return 0", 3),
    ("state.legalMoves.remove(0); return 2", 3),
    ("state.legalMoves.append(12); return 4", 1),
    ("state.legalMoves[0] = state.legalMoves[2]; return 0", 2),
    ("state.legalMoves[0] = __import__('numpy').int64(25); return 0", 2),
    ("m = state.legalMoves; m.sort(); return m.index(25)", 2),
    ("state.legalMoves = sorted(state.legalMoves); return 3", 3),
    ("state.legalMoves.sort(); return -1", -1),
]


@pytest.mark.parametrize(("body", "index"), IN_PLACE)
def test_an_index_is_one_of_the_list_as_the_bot_has_left_it(body, index):
    """A bot that sorts its legal cards plays the card that it means."""
    assert runtime_of(body).choose(SOME, play=False) == index


@pytest.mark.parametrize(
    "body",
    [
        "state.legalMoves.append(51); return 4",
        "state.legalMoves.clear(); return 0",
        "state.legalMoves[1] = 'a'; return 1",
        "state.legalMoves[1] = None; return 1",
        "state.legalMoves[0] = 99; return 0",
        "state.legalMoves.pop(); return 3",
        "state.legalMoves.sort(); return 10**30",
    ],
)
def test_a_card_that_is_not_legal_is_never_chosen(body):
    """Whatever a bot writes into its list, it gets a card drawn."""
    with pytest.raises(BotMistake, match="that is no legal card") as caught:
        runtime_of(body).choose(SOME, play=False)
    assert caught.value.kind == "index"


def test_a_list_that_is_changed_is_told_where_that_matters():
    assert [
        (runtime.choose(SOME, play=False), runtime.changed)[1]
        for runtime in map(runtime_of, ["return 1", "state.legalMoves.sort(); return 1"])
    ] == [False, True]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def getPlay(s): return 0", "bot.py has no function getSluff(gameState)"),
        ("getPlay = 3\ndef getSluff(s): return 0", "something that is no function, getPlay"),
        ("def getPlay(s:\n", "bot.py, line 1: SyntaxError"),
        ("import os", "bot.py, line 1: ImportError: a bot may not import os"),
        ("from . import sibling", "a bot may not import from its folder"),
        ("import os.path as p", "a bot may not import os.path"),
        ("\n\nraise ValueError('so')", "bot.py, line 3: ValueError: so"),
        ("x = 1\0", "null bytes"),
    ],
)
def test_what_cannot_be_started(source, message):
    with pytest.raises(BotMistake) as caught:
        BotRuntime(source, "bot.py", "", guarded=True).begin(0, TOKEN, PublicTable())
    assert message in caught.value.message


def test_allowed_modules_can_be_imported_with_what_they_need():
    source = (
        "from __future__ import annotations\n"
        "import math, random, numpy as np, hearts_cards\nfrom numpy.random import default_rng\n"
        "def getPlay(s): return hearts_cards.seven\ndef getSluff(s): return int(np.ones(3).sum())\n"
    )
    runtime = BotRuntime(source, "bot.py", "seven = 7", guarded=True)
    runtime.begin(0, TOKEN, PublicTable())
    runtime.seen.deal(1, [0] * 4, HAND[:])
    assert runtime.choose(ALL, play=False) == 3
    assert runtime.choose(ALL, play=True) == 7


def test_ones_own_bot_may_import_anything():
    BotRuntime("import os\ngetPlay = getSluff = print", "bot.py", "", guarded=False).begin(
        0, TOKEN, PublicTable()
    )


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("open('w.txt').read()", "é\n"),
        ("open('./w.txt', 'rb').read()", "é\n".encode()),
        ("[line for line in open('a/b.csv', 'rt', encoding='ascii')]", ["1,2\n", "3,4\n"]),
        ("__import__('numpy').loadtxt(open('a/b.csv'), delimiter=',').sum()", 10),
    ],
)
@pytest.mark.parametrize("guarded", [False, True])
def test_a_bot_reads_the_files_beside_it(expression, found, guarded):
    files = {"w.txt": "é\n".encode(), "a/b.csv": b"1,2\n3,4\n"}
    source = f"found = {expression}\nsame = {expression}\ngetPlay = getSluff = print"
    runtime = BotRuntime(source, "bot.py", "", files, guarded=guarded)
    runtime.begin(0, TOKEN, PublicTable())
    assert runtime._space["found"] == runtime._space["same"] == found


@pytest.mark.parametrize("call", ["'x.txt'", "'w.txt', 'w'", "'w.txt', 'r+'", "'/etc/passwd'", "0"])
def test_a_bot_opens_nothing_else(call):
    source = f"open({call})"
    with pytest.raises(
        BotMistake, match=r"of the folder beside it, by their names there \(w.txt\)"
    ):
        BotRuntime(source, "bot.py", "", {"w.txt": b""}, guarded=True).begin(
            0, TOKEN, PublicTable()
        )


def draws(seed, draw):
    source = f"import random, numpy\ndef getPlay(s): return {draw}\ngetSluff = getPlay"
    runtime = BotRuntime(source, "bot.py", "", guarded=True)
    runtime.begin(0, bytes([seed] * 32), PublicTable())
    runtime.seen.deal(1, [0] * 4, HAND[:])
    return [runtime.choose(ALL, play=False) for _ in range(5)]


@pytest.mark.parametrize("draw", ["random.randrange(10**9)", "numpy.random.randint(10**9)"])
def test_a_bots_chances_come_from_its_seed_alone(draw):
    first = draws(7, draw)
    random.random()
    assert draws(7, draw) == first
    assert draws(8, draw) != first


def test_bots_share_neither_generators_nor_what_they_do_to_modules():
    source = "import random\nrandom.random = lambda: 7\nrandom.seed(3)\ngetPlay = getSluff = print"
    state = random.getstate()
    BotRuntime(source, "bot.py", "", guarded=True).begin(0, TOKEN, PublicTable())
    assert random.getstate() == state
    assert random.random() != 7


def test_a_file_is_run_anew_for_every_game():
    source = (
        "count = 0\ndef getPlay(s):\n    global count\n    count += 1\n    return count\n"
        "getSluff = getPlay"
    )
    runtime = BotRuntime(source, "bot.py", "", guarded=True)
    for _ in range(2):
        runtime.begin(0, TOKEN, PublicTable())
        runtime.seen.deal(1, [0] * 4, HAND[:])
        assert [runtime.choose(ALL, play=False) for _ in range(3)] == [1, 2, 3]


def test_masks_are_the_places_of_bits():
    assert MASKS[0b1000000000101] == (0, 2, 12)
    assert len(MASKS) == 1 << 13
