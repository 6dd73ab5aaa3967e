"""RLCard: environments in pure Python."""

from __future__ import annotations

from typing import Any

from peers.figures import Figure, package, pin, rate

CASES = (
    ("leduc", "leduc-holdem", "folding is allowed with nothing to pay"),
    ("blackjack", "blackjack", "no doubling"),
    ("limit-holdem", "limit-holdem", "not in the library here"),
    ("uno", "uno", "not in the library here"),
)
"""Its gin rummy has knocking and other melds than the rummy here; it has no Hearts."""


def measure(rlcard: Any, agents: Any, game: str, there: str, differs: str) -> None:
    """Print what one game comes to."""
    env = rlcard.make(there, config={"seed": 1})
    env.set_agents([agents.RandomAgent(env.num_actions) for _ in range(env.num_players)])

    def play(count: int) -> None:
        for _ in range(count):
            env.run(is_training=False)

    decisions = 0
    for _ in range(200):
        trajectories, _payoffs = env.run(is_training=False)
        # A seat's trajectory has states and actions by turns, and ends with a state.
        decisions += sum(len(seat) // 2 for seat in trajectories)
    note = f"env.run; {differs}; {decisions / 200:.1f} decisions"
    Figure("RLCard", game, "traced", rate(play), note).print()


def main() -> None:
    """Measure every case."""
    pin()
    rlcard = package("rlcard")
    agents = package("rlcard.agents")
    for game, there, differs in CASES:
        measure(rlcard, agents, game, there, differs)


if __name__ == "__main__":
    main()
