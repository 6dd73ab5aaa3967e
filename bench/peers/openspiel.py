"""OpenSpiel: games written in C++, through its Python face and through its own rollouts."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from peers.figures import Figure, package, pin, rate

if TYPE_CHECKING:
    from collections.abc import Callable

PEER = "OpenSpiel"


@dataclass(frozen=True)
class Case:
    """A game of the library here, what comes nearest to it there, and how they still differ."""

    game: str
    there: str
    differs: str
    even: bool = True
    """Whether all that chance may do is equally likely at any time, so that it need not say more
    than its actions."""


CASES = (
    Case(
        "hearts",
        "hearts(pass_cards=false,no_pts_on_first_trick=false,qs_breaks_hearts=false,"
        "can_lead_any_club=true)",
        "first lead a club",
    ),
    Case("leduc", "leduc_poker", "same rules"),
    Case("blackjack", "blackjack", "no doubling"),
    Case("euchre", "euchre(stick_the_dealer=false)", "dealer drawn by chance"),
    Case(
        "goofspiel",
        "turn_based_simultaneous_game(game=goofspiel(imp_info=true,points_order=random))",
        "last bid not asked for",
    ),
    Case("gofish", "go_fish(players=4)", "no end by patience", even=False),
)
"""Left out are gin_rummy, which has knocking and other melds than the rummy here; cribbage, a whole
game to 121 there and one deal here; and crazy_eights, where one may draw with a card to play, so
that random games last five times as long."""


def start(game: Any, case: Case) -> Any:
    """Return the initial state, before the deal."""
    state = game.new_initial_state()
    if case.game == "hearts":
        state.apply_action(0)  # no passing; its chance outcomes name the other directions even so
    return state


def leave_to_chance(state: Any, chooser: random.Random) -> None:
    """Let chance do one thing, each with its probability."""
    actions, chances = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(chooser.choices(actions, chances)[0])


def finish(state: Any, chooser: random.Random, even: bool) -> int:
    """Play a state to its end with random actions; return the number of decisions."""
    decisions = 0
    while not state.is_terminal():
        chance = state.is_chance_node()
        if chance and not even:
            leave_to_chance(state, chooser)
        else:
            state.apply_action(chooser.choice(state.legal_actions()))
        decisions += not chance
    return decisions


def dealt(state: Any, chooser: random.Random) -> Any:
    """Return a state at its first decision."""
    while state.is_chance_node():
        leave_to_chance(state, chooser)
    return state


def whole_games(spiel: Any, game: Any, case: Case) -> Callable[[int], object]:
    """Return what plays games from before the deal: a loop in C++, and a call of it for a game."""
    bots = [spiel.make_uniform_random_bot(seat, seat + 1) for seat in range(game.num_players())]
    initial = start(game, case)

    def play(count: int) -> None:
        for seed in range(count):
            spiel.evaluate_bots(initial.clone(), bots, seed)

    return play


def rollouts(spiel: Any, game: Any, state: Any) -> Callable[[int], object]:
    """Return what plays a state to its end many times in one call, in C++.

    The evaluator can be had from Python through a search only; one of a single simulation, from a
    root that is not expanded yet, is nothing but the evaluation of the root. That must not be a
    chance node: the search takes the result of the player at its root, and crashes if it is nobody.
    """
    assert not state.is_chance_node()

    def play(count: int) -> None:
        evaluator = spiel.RandomRolloutEvaluator(count, 1)
        bot = spiel.MCTSBot(game, evaluator, 1.0, 1, 1, False, 1, False)
        root = bot.mcts_search(state)
        assert root.explore_count == 1
        assert not root.children

    return play


def measure(spiel: Any, case: Case) -> None:
    """Print what one game comes to."""
    game = spiel.load_game(case.there)
    chooser = random.Random(1)
    decisions = sum(finish(start(game, case), chooser, case.even) for _ in range(500)) / 500
    length = f"{case.differs}; {decisions:.1f} decisions"

    def one_by_one(count: int) -> None:
        for _ in range(count):
            finish(start(game, case), chooser, case.even)

    figure = partial(Figure, PEER, case.game)
    figure("traced", rate(one_by_one), f"Python API; {length}").print()
    whole = rate(whole_games(spiel, game, case))
    figure("bulk", whole, f"C++ with the deal, a call a game; {length}").print()
    states = [dealt(start(game, case), chooser) for _ in range(5)]
    rates = [rate(rollouts(spiel, game, state), repeats=1) for state in states]
    play = len(rates) / sum(1 / one for one in rates)
    figure("rollouts", play, f"C++, five deals, a call for many games; {length}").print()


def main() -> None:
    """Measure every case."""
    pin()
    spiel = package("pyspiel")
    for case in CASES:
        measure(spiel, case)


if __name__ == "__main__":
    main()
