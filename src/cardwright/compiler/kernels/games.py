"""Games a decision at a time, many random games, and measurements of both."""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels import engine, stream as rng
from cardwright.compiler.kernels.engine import Board, Context, Pointer, Stream, Tally


@kernel(exported=True)
def cw_start(board: Board, context: Context, seed: int) -> int:
    """Set a board up for a seed, before its first item."""
    return engine.start(board, context, seed)


@kernel(exported=True)
def cw_advance(board: Board, context: Context) -> int:
    """Run to the next decision; return the number of options, 0 at the end, -1 for a fault."""
    return engine.advance(board, context)


@kernel(exported=True)
def cw_play(board: Board, context: Context, index: int) -> int:
    """Carry out an option of the decision for which `cw_advance` was called last."""
    return engine.carry_out(board, context, index)


@kernel(exported=True)
def cw_step(board: Board, context: Context, index: int) -> int:
    """Carry out an option as `cw_play` does, then run on as `cw_advance` does."""
    if engine.carry_out(board, context, index) < 0:
        return -1
    return engine.advance(board, context)


@kernel(exported=True)
def cw_scores(board: Board, context: Context, out: Pointer) -> int:
    """Write the scores of a finished game, 8 bytes a seat."""
    return engine.scores(board, context, out)


@kernel(exported=True)
def cw_player(board: Board) -> int:
    """Return the seat that has to decide."""
    return engine.player(board)


TALLY_BYTES = 72

ENDED = 0
BROKE = -1
STOPPED = 1
LEFT = 2
"""What `play_on` returns for a game that it cannot play."""


@kernel(exported=True)
def cw_game_seeds(
    pool: Pointer, words: Pointer, count: int, first: int, games: int, out: Pointer
) -> int:
    """Write the seeds of some games of a job to `out`, 8 bytes each, starting with game `first`.

    `words` are the `count` words of the job's seed; `pool` is memory for the pool made from them.
    """
    rng.mix_seed(pool, words, count)
    for i in range(games):
        out[i] = rng.game_seed(pool, first + i)
    return games


@kernel
def play_random(
    board: Board, context: Context, template: Board, streams: Stream, seed: int, drawn: int,
    out: Pointer, tally: Tally,
) -> int:  # fmt: skip
    """Play a game from its seed with random players, and write its scores and its tally.

    The streams from which seats draw are those of the seed `drawn`, mostly the same.
    `template` is a board on which what is the same for every seed was done, or the board itself.
    Return whether the game ended, broke a rule, was stopped or is left to be played otherwise.
    """
    if template == board:
        if engine.start(board, context, seed) < 0:
            return BROKE
    else:
        op.copy(op.pointer_to(board), op.pointer_to(template), engine.STATE_BYTES)
        rng.seed_stream(op.like(streams, board), seed)
    rng.seed_seats(streams, drawn)
    outcome = engine.play_counted(board, context, streams)
    if outcome == BROKE:
        context.option_sum = 0
        context.option_most = 0
        context.option_single = 0
    tally.decisions = board.decisions
    tally.options = context.option_sum
    tally.most = context.option_most
    tally.single = context.option_single
    if outcome == ENDED and engine.scores(board, context, out) < 0:
        return BROKE
    return outcome


@kernel(exported=True)
def cw_random_games(
    board: Board, context: Context, template: Board, streams: Stream, seeds: Pointer,
    draws: Pointer, count: int, out: Pointer, tallies: Tally,
) -> int:  # fmt: skip
    """Play a game for each seed with random players; return how many were played.

    The seats of each draw from the streams of a seed among `draws`, which may be `seeds` itself.
    The scores go to `out`, 8 bytes for each seat and game, and the tally of each game to `tallies`.
    A game that breaks a rule leaves the fault there, and the next one follows; one that has to be
    played otherwise leaves 2 as `broken`. The `stop` of the
    context, which another thread may set, ends the job; the game in play then does not count.
    `template` is another board, to be written over.
    """
    begun = -1
    if engine.start(template, context, 0) >= 0:
        begun = engine.prefix(template, context)
    if begun < 0:
        template = board
    context.begun = max(begun, 0)
    played = count
    for i in range(count):
        tally = op.like(tallies, op.offset(tallies, TALLY_BYTES * i))
        outcome = play_random(
            board, context, template, streams, seeds[i], draws[i], out + engine.PLAYERS * i, tally
        )
        if outcome == STOPPED or context.stop != 0:
            played = i
            break
        if outcome == LEFT:
            tally.broken = LEFT
            continue
        tally.broken = int(outcome == BROKE)
        if outcome == BROKE:
            tally.fault_site = context.fault_site
            tally.fault_a = context.fault_a
            tally.fault_b = context.fault_b
            tally.fault_c = context.fault_c
        context.done += 1
    context.begun = 0
    return played


LEAST, MOST, TOTAL, SQUARES, NUMBERS = range(5)
"""The words of numbers that are added up: the ends, the sum, and the sum of squares."""

OPTIONS, WIDEST, SINGLE, SEATS = range(NUMBERS, NUMBERS + 4)
"""The words of games that are added up: those of how many decisions each had come first, then the
sum and the most of their options, and how many decisions had one. The rows of the seats follow:
those of the scores, then how often the seat won alone, with one other, and so on."""


@kernel(exported=True)
def cw_add_games(scores: Pointer, tallies: Tally, count: int, highest: int, sums: Pointer) -> int:
    """Add up games that `cw_random_games` has played; return how many of them ended.

    `highest` is 1 if the highest score wins, else 0. Sums that need more than 64 bits are wrong.
    """
    ended = 0
    for i in range(count):
        tally = op.like(tallies, op.offset(tallies, TALLY_BYTES * i))
        if tally.broken == 0:
            ended += 1
            note_number(sums, tally.decisions)
            sums[OPTIONS] += tally.options
            sums[WIDEST] = max(sums[WIDEST], tally.most)
            sums[SINGLE] += tally.single
            note_result(scores + engine.PLAYERS * i, highest, sums + SEATS)
    return ended


@kernel
def note_number(row: Pointer, value: int) -> None:
    """Add a number to those of a row."""
    row[LEAST] = min(row[LEAST], value)
    row[MOST] = max(row[MOST], value)
    row[TOTAL] = op.wrap(row[TOTAL] + value)
    row[SQUARES] = op.wrap(row[SQUARES] + op.wrap(value * value))


@kernel
def note_result(scores: Pointer, highest: int, rows: Pointer) -> None:
    """Add the scores of a game to the rows of the seats."""
    best = scores[0]
    winners = 0
    for seat in range(engine.PLAYERS):
        score = scores[seat]
        better = int(score > best) if highest != 0 else int(score < best)
        winners = 1 if better != 0 else winners + int(score == best)
        best = score if better != 0 else best
    for seat in range(engine.PLAYERS):
        row = rows + (NUMBERS + engine.PLAYERS) * seat
        note_number(row, scores[seat])
        won = NUMBERS + winners - 1
        row[won] += int(scores[seat] == best)


@kernel
def trace_game(board: Board, context: Context, streams: Stream, trace: Pointer, room: int) -> int:
    """Play on at random; write the number of options and the choice of every decision.

    Both have 4 bytes. Return the number of decisions, or -1 for a fault or a trace that is longer
    than `room`.
    """
    done = 0
    while True:
        count = engine.advance(board, context)
        if count <= 0:
            return done if count == 0 else -1
        if done == room:
            return -1
        choice = rng.below(rng.stream_at(streams, engine.player(board)), count)
        op.store(trace + done, count, 4)
        op.store(op.offset(trace, 8 * done + 4), choice, 4)
        if engine.carry_out(board, context, choice) < 0:
            return -1
        done += 1


@kernel(exported=True)
def cw_traced_games(
    board: Board, context: Context, streams: Stream, seeds: Pointer, count: int, trace: Pointer,
    room: int, out: Pointer,
) -> int:  # fmt: skip
    """Play a game for each seed, decision by decision, with random players; see `trace_game`.

    The traces go to `trace`, in order, and the scores of the game in play to `out`.
    Return the number of decisions of all games; less 1, negated, if a game ends too early.
    """
    done = 0
    for i in range(count):
        seed = seeds[i]
        if engine.start(board, context, seed) < 0:
            return -1 - done
        rng.seed_seats(streams, seed)
        decisions = trace_game(board, context, streams, trace + done, room - done)
        if decisions < 0 or engine.scores(board, context, out) < 0:
            return -1 - done
        done += decisions
    return done


@kernel(exported=True)
def cw_play_outs(
    board: Board, context: Context, streams: Stream, origin: Board, count: int, out: Pointer
) -> int:
    """Play on from copies of a state with random players; return how many of them ended."""
    ended = 0
    for i in range(count):
        op.copy(board, origin, engine.STATE_BYTES)
        rng.seed_seats(streams, i)
        if engine.play_on(board, context, streams) == 0 and engine.scores(board, context, out) == 0:
            ended += 1
    return ended


@kernel(exported=True)
def cw_copies(board: Board, context: Context, count: int) -> int:
    """Copy a state some times, each time another one; return the number of the last."""
    for i in range(count):
        board.decisions = i
        op.copy(context.scratch, board, engine.STATE_BYTES)
    return int(context.scratch[0])
