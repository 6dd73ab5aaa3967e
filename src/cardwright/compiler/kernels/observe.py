"""The kernel that writes down what a seat sees, as floating-point numbers at fixed places.

`words` says in words of 8 bytes what `game.actions.kernel_tables` knows about the layout:
first the words below, then for every place in the program (at PLACES) which choice is there, or -1,
and how many cycles of players and of teams are active; and for every seat (at SEATS) a row with
where it finds what it sees. All offsets are in words.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels import engine
from cardwright.compiler.kernels.batches import PLAYER, board_of, note_of
from cardwright.compiler.kernels.engine import Board, Pointer
from cardwright.compiler.kernels.locations import card_lying, size
from cardwright.compiler.kernels.picks import PICKED
from cardwright.compiler.kernels.places import next_made
from cardwright.compiler.kernels.worlds import sees

WIDTH, DECIDING, CHOICES, PLAYER_CYCLES, TEAM_CYCLES, DEPTH, TEAMS = range(7)
"""The number of columns; the first of each group of them; how many cycles of players a state has
before those of teams, and how many teams there are."""

STORED_INTEGERS, STORED_STRINGS, MADE_FIRST, MADE_COUNT, MADE_WIDTH, MADE_SORTS = range(7, 13)
"""The numbers of stored values; the columns of locations made in play (see `ColumnMap`)."""

RECALLED_FIRST, RECALLED, RECALLED_WIDTH, RECALLED_CARDS = range(13, 17)
"""The columns for the latest choices: the first, for how many, how many for each, and the first of
those for cards in it."""

PLACES, BACK_CARDS, BRANCHES, PICKS, SEATS, SEAT_WORDS, SEAT_PLACES, HEADER = range(17, 25)
"""Where the words for places, the cards of each back, the columns of the branches of recalled
choices, what these pick besides cards (its kind, its first column, and the divisor or where the
columns of its texts are), and the first seat's row are; the words of a row; and where in it the
places are. A row has the observer's team; then for every location its columns for counts and
cards; for every integer its column and divisor; for every string its first column and where the
columns of its texts are; for every sort of locations made in play owner, kind and name; for every
location its number as the observer calls it."""

PICK_KINDS = ("INTEGER", "STRING", "PLAYER", "TEAM", "LOCATION")
"""What recalled choices pick besides cards, by number."""
INTEGER, STRING, PLAYER_PICK, TEAM_PICK, LOCATION = range(5)

ONE = 0x3F800000
"""The bits of 1 as a floating-point number."""


@kernel
def mark(out: Pointer, column: int) -> None:
    """Put 1 in a column."""
    op.store(op.offset(out, 4 * column), ONE, 4)


@kernel
def put_ratio(out: Pointer, column: int, value: int, divisor: int) -> None:
    """Put an integer divided by another in a column, where there is 0."""
    if value != 0:
        op.store(op.offset(out, 4 * column), op.ratio_bits(value, divisor), 4)


@kernel(exported=True)
def cw_observe(
    boards: Board, notes: Pointer, seat: int, words: Pointer, entries: Pointer, out: Pointer,
    first: int, end: int,
) -> int:  # fmt: skip
    """Write down what a seat sees of some games; -1 means the seat that has to decide, if any.

    `entries` are those for the choices that are recalled (`recall.py`), if the layout has any.
    """
    width = words[WIDTH]
    for game in range(first, end):
        row = op.offset(out, 4 * width * game)
        mover = note_of(notes, game)[PLAYER]
        observer = mover if seat < 0 else seat
        if observer >= 0:
            recalled = entries + engine.ENTRY_WORDS * words[RECALLED] * game
            cw_observe_one(board_of(boards, game), observer, mover, words, recalled, row)
        else:
            op.clear(row, 4 * width)
    return 0


@kernel(exported=True)
def cw_observe_one(
    board: Board, seat: int, mover: int, words: Pointer, entries: Pointer, out: Pointer
) -> int:
    """Write down what a seat sees of a board; `mover` has to decide, or is -1."""
    op.clear(out, 4 * words[WIDTH])
    row = words + (words[SEATS] + seat * words[SEAT_WORDS])
    mark(out, seat)
    if mover >= 0:
        mark(out, words[DECIDING] + relative(mover, seat, engine.PLAYERS))
    at = words + (words[PLACES] + 3 * board.pc)
    if mover == seat:
        mark(out, words[CHOICES] + at[0])
    cycles(board, 0, at[1], seat, engine.PLAYERS, out, words[PLAYER_CYCLES])
    depth = words[DEPTH] + 1
    cycles(board, depth, at[2], row[0], words[TEAMS], out, words[TEAM_CYCLES])
    locations = row + 1
    for slot in range(engine.FIXED_SLOTS):
        pile(board, slot, seat, words, out, locations[2 * slot], locations[2 * slot + 1])
    stored = locations + 2 * engine.FIXED_SLOTS
    for i in range(words[STORED_INTEGERS]):
        put_ratio(out, stored[2 * i], board.integers[i], stored[2 * i + 1])
    texts = stored + 2 * words[STORED_INTEGERS]
    for i in range(words[STORED_STRINGS]):
        text: int = board.strings[i]
        column = words[texts[2 * i + 1] + text]
        if column >= 0:
            mark(out, texts[2 * i] + column)
    write_recalled(entries, seat, words, row, out)
    if engine.POOL_SLOTS:
        pool(board, seat, words, texts + 2 * words[STORED_STRINGS], out)
    return 0


@kernel
def relative(number: int, own: int, count: int) -> int:
    """Return how many places a seat or a team comes after the observer's own."""
    return number - own if number >= own else number - own + count


@kernel
def cycles(
    board: Board, first: int, count: int, own: int, members: int, out: Pointer, column: int
) -> None:
    """Write down who is current in the active cycles, and who is queued."""
    for i in range(count):
        now: int = board.current[first + i]
        mark(out, column + relative(now, own, members))
        after: int = board.queued[first + i]
        if after != 0:
            mark(out, column + members + relative(after - 1, own, members))
        column += 2 * members


@kernel
def write_recalled(entries: Pointer, seat: int, words: Pointer, row: Pointer, out: Pointer) -> None:
    """Write down who made the latest choices, and what of them the seat saw."""
    column = words[RECALLED_FIRST]
    for i in range(words[RECALLED]):
        entry = entries + engine.ENTRY_WORDS * i
        mover = entry[0] - 1
        if mover >= 0:
            mark(out, column + relative(mover, seat, engine.PLAYERS))
            mark(out, column + words[words[BRANCHES] + entry[1] - 1])
        for j in range(engine.ENTRY_CARDS - 2):
            item = entry[2 + j]
            if item != 0:
                pick = words + (words[PICKS] + 3 * j)
                write_pick(op.wrap(item - PICKED), pick, seat, words, row, column, out)
        for j in range(engine.CARD_WORDS):
            cards = entry[engine.ENTRY_CARDS + engine.CARD_WORDS * seat + j]
            while cards != 0:
                mark(out, column + words[RECALLED_CARDS] + 64 * j + op.lowest_one(cards))
                cards &= op.wrap(cards - 1)
        column += words[RECALLED_WIDTH]


@kernel
def write_pick(
    item: int, pick: Pointer, seat: int, words: Pointer, row: Pointer, column: int, out: Pointer
) -> None:
    """Write down what a choice picked besides cards; its columns are counted from `column`."""
    kind = pick[0]
    first = column + pick[1]
    if kind == INTEGER:
        put_ratio(out, first, item, pick[2])
    if kind == STRING:
        mark(out, first + words[pick[2] + item])
    if kind == PLAYER_PICK:
        mark(out, first + relative(item, seat, engine.PLAYERS))
    if kind == TEAM_PICK:
        mark(out, first + relative(item, row[0], words[TEAMS]))
    if kind == LOCATION:
        put_ratio(out, first, 1 + row[words[SEAT_PLACES] + item], engine.FIXED_SLOTS)


@kernel
def pile(
    board: Board, slot: int, seat: int, words: Pointer, out: Pointer, counts: int, cards: int
) -> None:
    """Write down how many cards of each back are in a location, and which ones if they are seen."""
    count = size(board, slot)
    seen = sees(board, slot, seat)
    totals = words[BACK_CARDS]
    if engine.BACKS == 1:
        put_ratio(out, counts, count, words[totals])
    else:
        for kind in range(engine.BACKS):
            number = 0
            for i in range(count):
                if engine.back(card_lying(board, slot, i)) == kind:
                    number += 1
            put_ratio(out, counts + kind, number, words[totals + kind])
    if seen:
        for i in range(count):
            card = card_lying(board, slot, i)
            if slot < engine.UNORDERED:
                mark(out, cards + card)
            else:
                put_ratio(out, cards + card, i + 1, count)


@kernel
def pool(board: Board, seat: int, words: Pointer, sorts: Pointer, out: Pointer) -> None:
    """Write down the locations made in play, in order of their first cards, and what they are."""
    left = words[MADE_COUNT]
    column = words[MADE_FIRST]
    kinds = words[MADE_SORTS]
    slot = next_made(board, 0)
    while slot >= 0 and left > 0:
        left -= 1
        for i in range(kinds):
            sort = sorts + 3 * i
            owned = (
                engine.slot_owner(board, slot) == sort[0]
                and engine.slot_kind(board, slot) == sort[1]
            )
            if owned and engine.slot_name(board, slot) == sort[2]:
                mark(out, column + i)
        put_ratio(out, column + kinds, engine.slot_at(board, slot), 1)
        first = column + kinds + 1
        pile(board, slot, seat, words, out, first, first + engine.BACKS)
        column += words[MADE_WIDTH]
        slot = next_made(board, board.born[slot])
