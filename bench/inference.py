"""What inference is worth: a player with it against one without, and the processor time of both.

Each deal is played with the first player in each seat in turn, and the second in all others; in
Bridge by partners. Deals in which nobody scores are left out. `--learnt` plays no such games: at
some decisions of games between copies of the second player it compares the weight of the true world
with the mean weight of the worlds of a chain. The mean logarithm of the ratio, in nats, is what the
model has learnt from the choices of others; below 0, worlds were better without it.
"""

from __future__ import annotations

import argparse
import functools
import math
import time
from itertools import count
from random import Random
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from script import carry_out

import cardwright.players.monte_carlo as searching
from cardwright import Game, player
from cardwright.game.likelihood import MOST_WEIGHED, Inference
from cardwright.game.native.histories import PastChoice
from cardwright.game.native.inferred_worlds import AskedModel
from cardwright.interpreter.stream import Stream
from cardwright.players.kind import find_kind
from cardwright.players.player import Decision

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.game.game import State

POINTS = 3
"""Decisions of a game at which is measured what was learnt."""


def decisions(game: Game, seed: int, players: Sequence[str]) -> Iterator[tuple[State, Decision]]:
    """Play a game, and yield every decision before it is made by whoever is to make it."""
    state = game.start(seed)
    streams = [Stream.of_seat(seed, seat) for seat in range(game.players)]
    seated = [player(spec)() for spec in players]
    while (seat := state.player) is not None:
        decision = Decision(seat, state.option_count, streams[seat], state, len(state.choices))
        yield state, decision
        begun = time.process_time()
        chosen = seated[seat].choose(decision)
        if decision.notes:
            spent = SPENT[players[seat]]
            spent[:] = spent[0] + time.process_time() - begun, spent[1] + 1
        state.play(chosen)
    RESULTS.append(list(state.scores))


SPENT: dict[str, list[float]] = {}
"""For each player its processor time, and how many decisions it has searched."""

RESULTS: list[list[int]] = []
"""The scores of the games that were played."""


def differences(game: Game, first: str, second: str, seeds: Iterator[int]) -> Iterator[float]:
    """Yield for deal after deal by how much the first player scored more, over all its seats."""
    sides = [(seat,) for seat in range(game.players)]
    if game.name == "bridge":
        sides = [(0, 2), (1, 3)]
    for seed in seeds:
        found = []
        for own in sides:
            seated = [first if seat in own else second for seat in range(game.players)]
            for _ in decisions(game, seed, seated):
                pass
            scores = RESULTS.pop()
            if not any(scores):
                break
            mine = fmean(scores[seat] for seat in own)
            found.append(mine - fmean(s for seat, s in enumerate(scores) if seat not in own))
        else:
            yield fmean(found)


def learnt(game: Game, kind: str, spec: str, seeds: Iterator[int], worlds: int) -> Iterator[float]:
    """Yield what a model has learnt at some decisions of games between copies of a player."""
    for seed in seeds:
        met = [
            state.copy()
            for state, decision in decisions(game, seed, [spec] * game.players)
            if decision.option_count > 1 and state.choices
        ]
        for state in Random(seed).sample(met, min(POINTS, len(met))):
            weight = learnt_at(game, seed, state, kind, worlds)
            if weight is not None:
                yield weight


def learnt_at(game: Game, seed: int, state: State, kind: str, worlds: int) -> float | None:
    """Return what a model has learnt at a decision; None where no history is found."""
    seat, chain = state.player, state._histories(state.player)
    make = find_kind(kind).model
    assert make is not None
    if chain is None:
        return None
    model = make(Decision(seat, state.option_count, Stream(1), state, len(state.choices)))
    asked, chain, stream = AskedModel(seat, model, state._imagined), chain.copy(), Stream(seed)
    drawn = [asked.world(chain, stream)[1] for _ in range(worlds)]
    true, past, made = 0.0, game.start(seed), list(state.choices)
    for step, chosen in enumerate(made):
        if past.player != seat:
            board = bytes(past._native_board().state[: game._machine.native.state_bytes])
            likely = asked.probabilities(
                PastChoice(game._machine, board, tuple(made[:step]), chosen, step + 1)
            )
            true += 0.0 if likely is None else math.log(likely[chosen])
        past.play(chosen)
    most = max(drawn)
    return true - most - math.log(fmean(math.exp(one - most) for one in drawn))


def told(values: Sequence[float], unit: str) -> str:
    """Return a mean in words, with its 95 % interval."""
    half = 1.96 * stdev(values) / len(values) ** 0.5 if len(values) > 1 else math.inf
    return f"{len(values)}: {fmean(values):+.2f} {unit} (+- {half:.2f})"


def main() -> None:
    """Measure, and print what is known after every deal."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("first", nargs="?", default="skat:iterations=400,inference=skat")
    parser.add_argument("second", nargs="?", default="skat:iterations=2500")
    parser.add_argument("--game", default="skat")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first deal")
    parser.add_argument("--step", type=int, default=1, help="how far seeds are apart")
    parser.add_argument("--worlds", type=int, default=MOST_WEIGHED, help="worlds weighed")
    parser.add_argument("--learnt", metavar="PLAYER", help="measure the model of this player")
    wanted = parser.parse_args()
    game = Game.load(wanted.game)
    searching.Inference = functools.partial(Inference, worlds=wanted.worlds)
    SPENT.update({wanted.first: [0, 0], wanted.second: [0, 0]})
    seeds, values = count(wanted.seed, wanted.step), []
    if wanted.learnt:
        found = learnt(game, wanted.learnt, wanted.second, seeds, wanted.worlds)
    else:
        found = differences(game, wanted.first, wanted.second, seeds)
    for value in found:
        values.append(value)
        if wanted.learnt:
            print(f"decisions {told(values, 'nats')}", flush=True)
        else:
            ms = " and ".join(f"{1e3 * spent / max(1, n):.0f}" for spent, n in SPENT.values())
            print(f"deals {told(values, 'points a game')}, {ms} ms a decision", flush=True)
        if len(values) >= wanted.deals:
            break


if __name__ == "__main__":
    carry_out(main)
