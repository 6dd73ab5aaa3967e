"""Pgx: games as array programs, compiled by XLA for the CPU, a batch of games at a time."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from peers.figures import Figure, package, pin, rate

if TYPE_CHECKING:
    from collections.abc import Callable

BATCHES = (1024, 16384)
CASES = (("leduc", "leduc_holdem"),)
"""Its only other card games are kuhn_poker and a small mahjong."""


def random_games(jax: Any, env: Any, batch: int) -> Callable[[Any], Any]:
    """Return a function from a key to the number of decisions in a batch of random games."""
    step = jax.vmap(env.step)

    def turn(carried: Any) -> Any:
        state, key, decisions = carried
        key, drawn = jax.random.split(key)
        chances = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        over = state.terminated | state.truncated
        action = jax.random.categorical(drawn, chances, axis=-1)
        return step(state, action), key, decisions + (~over).sum()

    def going(carried: Any) -> Any:
        state = carried[0]
        return ~(state.terminated | state.truncated).all()

    def games(key: Any) -> Any:
        key, dealing = jax.random.split(key)
        state = jax.vmap(env.init)(jax.random.split(dealing, batch))
        return jax.lax.while_loop(going, turn, (state, key, 0))[2]

    compiled: Callable[[Any], Any] = jax.jit(games)
    return compiled


def measure(jax: Any, env: Any, game: str, batch: int) -> None:
    """Print what one game comes to."""
    games = random_games(jax, env, batch)
    start = time.perf_counter()
    decisions = int(games(jax.random.PRNGKey(0))) / batch
    first = time.perf_counter() - start

    def play(batches: int) -> None:
        for seed in range(batches):
            games(jax.random.PRNGKey(seed)).block_until_ready()

    note = f"batches of {batch} on the CPU; first call {first:.1f} s; {decisions:.1f} decisions"
    Figure("Pgx", game, "bulk", rate(play) * batch, note).print()


def main() -> None:
    """Measure every case."""
    pin()
    os.environ["JAX_PLATFORMS"] = "cpu"
    jax = package("jax")
    pgx = package("pgx")
    for game, there in CASES:
        for batch in BATCHES:
            measure(jax, pgx.make(there), game, batch)


if __name__ == "__main__":
    main()
