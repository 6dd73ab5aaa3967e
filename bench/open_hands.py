"""How fast endgames with open hands are solved, and whether as elsewhere.

Deals of Bridge, each with a strain and a declarer, are also solved by DDS (B. Haglund and S. Hein),
through endplay, if that is installed (`peers/requirements.txt`); numbers of tricks are compared.
`rules` is the time to find the rules by playing, `tricks` that to find how many tricks are made.
Endgames of Hearts, of six cards each, come of random games. Times are those of the processor, in
seconds, on one core; compiling is not among them.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from importlib import import_module
from statistics import median
from typing import TYPE_CHECKING, Any

from peers.figures import pin
from script import carry_out

from cardwright import Game
from cardwright.endgames.errors import EndgameError
from cardwright.endgames.open_hands import TrickEndgame, solve_open_hands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cardwright.game.game import State
    from cardwright.program.cards import Card

STRAINS = ("CLUBS", "DIAMONDS", "HEARTS", "SPADES", "NOTRUMP")
SHORT = {"CLUBS": "C", "DIAMONDS": "D", "HEARTS": "H", "SPADES": "S"}
RANKS = {"TWO": "2", "THREE": "3", "FOUR": "4", "FIVE": "5", "SIX": "6", "SEVEN": "7"} | {
    "EIGHT": "8", "NINE": "9", "TEN": "T", "J": "J", "Q": "Q", "K": "K", "A": "A"
}  # fmt: skip


def contract(seed: int) -> tuple[State, str]:
    """Return a deal of Bridge in which the dealer has bid one in a strain, and all have passed."""
    strain = STRAINS[seed % 5]
    state = Game.load("bridge", engine="native", DEALER=1 + seed % 4).start(seed)
    state.play(1 + STRAINS.index(strain))
    for _ in range(3):
        state.play(0)
    return state, strain


def by_dds(state: State, strain: str) -> Callable[[], int]:
    """Return what solves the deal by DDS: the tricks of the declarer's side."""
    types: Any = import_module("endplay.types")
    dds: Any = import_module("endplay.dds")
    deal = types.Deal(by_suits([state.cards(seat, "iloc", "HAND") for seat in range(4)]))
    deal.trump = getattr(types.Denom, "nt" if strain == "NOTRUMP" else strain.lower())
    assert state.player is not None
    deal.first = list(types.Player)[state.player]
    return lambda: 13 - max(tricks for _, tricks in dds.solve_board(deal))


def by_suits(hands: Sequence[Iterable[Card]]) -> str:
    """Return the hands of a deal, from North on, as a text that programs for Bridge read."""
    texts = []
    for hand in hands:
        cards = [card.attributes for card in hand]
        suits = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")
        texts.append(
            ".".join("".join(RANKS[c["RANK"]] for c in cards if c["SUIT"] == s) for s in suits)
        )
    return "N:" + " ".join(texts)


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds of the processor that something takes, and what it gives."""
    begun = time.process_time()
    found = work()
    return time.process_time() - begun, found


def show(name: str, seconds: list[float]) -> None:
    """Print a line of figures."""
    seconds = sorted(seconds)
    most = seconds[len(seconds) * 9 // 10], seconds[-1]
    print(f"{name:24}{median(seconds):10.4f}{most[0]:10.4f}{most[1]:10.4f}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=200, help="of Bridge (%(default)s)")
    parser.add_argument("--endgames", type=int, default=200, help="of Hearts (%(default)s)")
    options = parser.parse_args()
    pin()
    peer = True
    try:
        import_module("endplay")
    except ModuleNotFoundError:
        sys.stderr.write("without endplay: it is not installed here (peers/requirements.txt)\n")
        peer = False
    TrickEndgame(contract(0)[0])
    rules, tricks, whole, theirs, equal = [], [], [], [], 0
    for seed in range(options.deals):
        state, strain = contract(seed)
        spent, endgame = timed(lambda state=state: TrickEndgame(state))
        rules.append(spent)
        spent, ours = timed(endgame.tricks)
        tricks.append(spent)
        whole.append(rules[-1] + spent)
        if peer:
            spent, other = timed(by_dds(state, strain))
            theirs.append(spent)
            declarer = endgame.rules.players[1]  # who plays dummy's cards
            assert state.player is not None
            first = endgame.rules.worths.sides[endgame.rules.players.index(declarer)]
            equal += (ours if first else 13 - ours) == other
    print(f"{'':24}{'median':>10}{'90 %':>10}{'most':>10}")
    show("Bridge: rules", rules)
    show("Bridge: tricks", tricks)
    show("Bridge: both", whole)
    if peer:
        show("Bridge: DDS", theirs)
        print(f"as many tricks as by DDS in {equal} of {options.deals} deals")
    hearts, solved, complete, refused = Game.load("hearts", engine="native"), [], [], 0
    for seed in range(options.endgames):
        state, draw = hearts.start(seed), random.Random(seed)
        while len(state.choices) < 28:
            state.play(draw.randrange(state.option_count))
        try:
            spent, endgame = timed(lambda state=state: TrickEndgame(state))
            solved.append(timed(endgame.worth)[0])
            complete.append(timed(lambda state=state: solve_open_hands(state))[0])
        except EndgameError:
            refused += 1
    show("Hearts, 6 each: value", solved)
    show("Hearts: rules and line", complete)
    print(f"not solved: {refused} of {options.endgames}")


if __name__ == "__main__":
    carry_out(main)
