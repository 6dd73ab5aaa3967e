"""How sensible the auctions of computer players are, against what could be made.

In Bridge, copies of a player bid, and the level that they reach is compared with par: the contract
that neither side can better if all see all cards. It comes of the double dummy tricks of every
strain and declarer, by DDS (B. Haglund and S. Hein) through endplay if that is installed
(`peers/requirements.txt`), which finds the same as `cardwright.endgames`, but the twenty of a board
together. In other games whole deals are played, and what was
played and won is counted, besides the time that a decision of the auction takes. Run:
`python bench/auctions.py bridge --deals 200`, `python bench/auctions.py skat --player skat`.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from importlib import import_module
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from open_hands import STRAINS, by_suits
from script import carry_out

from cardwright import Game
from cardwright.endgames.open_hands import TrickEndgame
from cardwright.endgames.tricks import TrickPosition, TrickSolver
from cardwright.interpreter.stream import Stream
from cardwright.players.kind import Trust
from cardwright.players.player import Decision
from cardwright.players.spec import parse_spec
from cardwright.table.opponents import default_player

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.game import State

DENOMINATIONS = ("clubs", "diamonds", "hearts", "spades", "nt")
PASSED_OUT = 0


class Outcome(NamedTuple):
    """What became of an auction: the player's level, and those of par, which may be several."""

    level: int
    par: frozenset[int]

    @property
    def distance(self) -> int:
        """How many tricks the level is from the nearest of par."""
        return min(abs(self.level - level) for level in self.par)

    @property
    def from_highest(self) -> int:
        """How many tricks the level is from the highest of par."""
        return abs(self.level - max(self.par))


# Double dummy --------------------------------------------------------------------------------


class DoubleDummy:
    """How many tricks each seat makes in each strain as declarer."""

    def __init__(self) -> None:
        self._solvers: list[TrickSolver] = []
        try:
            self._types: Any = import_module("endplay.types")
            self._dds: Any = import_module("endplay.dds")
        except ModuleNotFoundError:
            self._dds = None
            self._solvers = [_solver(strain) for strain in range(5)]

    def tricks(self, state: State) -> list[list[int]]:
        """Return the tricks by declarer and strain for the hands of a state."""
        hands = [list(state.cards(seat, "iloc", "HAND")) for seat in range(4)]
        if self._dds is None:
            sets = [sum(1 << card.id for card in hand) for hand in hands]
            return [[self._solved(sets, strain, seat) for strain in range(5)] for seat in range(4)]
        table = self._dds.calc_dd_table(self._types.Deal(by_suits(hands)))
        seats = list(self._types.Player)
        strains = [getattr(self._types.Denom, name) for name in DENOMINATIONS]
        return [[table[strain, seat] for strain in strains] for seat in seats]

    def _solved(self, hands: Sequence[int], strain: int, declarer: int) -> int:
        solver = self._solvers[strain]
        order = [(declarer + step) % 4 for step in (1, 2, 3, 4)]
        position = TrickPosition(tuple(hands[seat] for seat in order), 0, (), barred=True)
        first = solver.side_wins(position)
        return 13 - first if solver.rules.worths.sides[0] else first


def _solver(strain: int) -> TrickSolver:
    """Return what solves deals with a strain, whose rules are found once."""
    state = Game.load("bridge", engine="native").start(1)
    state.play(1 + strain)
    for _ in range(3):
        state.play(0)
    board = state._native_board()
    assert board is not None
    return TrickSolver(board.engine, TrickEndgame(state).rules)


def score(level: int, strain: int, tricks: int, *, vulnerable: bool, doubled: bool) -> int:
    """Return the duplicate score of the declarer's side."""
    over = tricks - 6 - level
    if over < 0:
        if not doubled:
            return over * (100 if vulnerable else 50)
        return sum(
            -(200 if vulnerable else 100)
            if missing == 1
            else -(300 if vulnerable or missing > 3 else 200)
            for missing in range(1, 1 - over)
        )
    each = 20 if strain < 2 else 30
    bid = level * each + 10 * (strain == 4)
    bonus = (500 if vulnerable else 300) if bid >= 100 else 50
    slam = max(0, level - 5) * (750 if vulnerable else 500)
    return bid + bonus + slam + over * each


def par_levels(tricks: Sequence[Sequence[int]], dealer: int, *, vulnerable: bool) -> frozenset[int]:
    """Return the levels of the contracts that neither side can better with all cards seen.

    `tricks` are those of the two sides by strain. Where contracts in a strain are worth the same,
    as one in three clubs and one in two with an overtrick, par has the levels of all.
    """

    def result(bid: int, side: int) -> int:
        level, strain = 1 + bid // 5, bid % 5
        made = tricks[side][strain]
        won = score(level, strain, made, vulnerable=vulnerable, doubled=made < 6 + level)
        return won if side == 0 else -won

    # What comes of a bid if the other side, and then the first again, may bid more: from above.
    worth = [[0, 0] for _ in range(35)]
    for bid in reversed(range(35)):
        for side in (0, 1):
            sign = 1 if side == 0 else -1
            answers = [worth[more][1 - side] for more in range(bid + 1, 35)]
            values = [sign * value for value in (result(bid, side), *answers)]
            worth[bid][side] = sign * min(values)
    first = dealer % 2
    sign = 1 if first == 0 else -1
    other = [worth[bid][1 - first] for bid in range(35)]
    passed = sign * min([0, *(sign * value for value in other)])
    value = sign * max([sign * passed, *(sign * worth[bid][first] for bid in range(35))])
    if value == 0:
        return frozenset({PASSED_OUT})
    final = [
        (bid, side)
        for bid in range(35)
        for side in (0, 1)
        if result(bid, side) == value == worth[bid][side]
    ]
    highest, side = max(final)
    return frozenset(1 + bid // 5 for bid, who in final if who == side and bid % 5 == highest % 5)


# Auctions ------------------------------------------------------------------------------------


class Timed:
    """Copies of a player in one game, which note how long each choice has taken."""

    def __init__(self, name: str, player: str, seed: int, **declared: str | int) -> None:
        self.state = Game.load(name, engine="native", **declared).start(seed)
        spec = parse_spec(player, Trust(everything=True))
        self._players = [spec.build() for _ in range(self.state.game.players)]
        self._streams = [Stream(seed * 31 + seat) for seat in range(len(self._players))]
        self.seconds: list[float] = []

    def choose(self) -> None:
        """Let the player that is due choose."""
        state = self.state
        seat = state.player
        assert seat is not None
        begun = time.perf_counter()
        decision = Decision(
            seat, state.option_count, self._streams[seat], state, len(state.choices)
        )
        index = state.index_of(self._players[seat].choose(decision))
        self.seconds.append(time.perf_counter() - begun)
        state.play(index)


def stored(state: State, name: str) -> int | str:
    """Return what the table stores under a name, which is 0 without."""
    view, table = state.view(0), state.game.program.table
    return view.strings.get((table, name)) or view.integers.get((table, name), 0)


def bridge(player: str, seeds: range) -> None:
    """Bid boards of Bridge, and print what came of them."""
    solver = DoubleDummy()
    outcomes: list[Outcome] = []
    seconds: list[float] = []
    made = 0
    for seed in seeds:
        dealer, vulnerable = seed % 4, seed // 4 % 2 == 1
        table = Timed(
            "bridge", player, seed, DEALER=1 + dealer, VULNERABLE="ALL" if vulnerable else "NONE"
        )
        state = table.state
        by_seat = solver.tricks(state)
        while not state.finished and not stored(state, "DECLARER"):
            table.choose()
        seconds += table.seconds
        by_side = [
            [max(pair) for pair in zip(by_seat[side], by_seat[side + 2], strict=True)]
            for side in range(2)
        ]
        level = int(stored(state, "LEVEL"))
        outcomes.append(Outcome(level, par_levels(by_side, dealer, vulnerable=vulnerable)))
        if level:
            strain = STRAINS.index(str(stored(state, "STRAIN")))
            made += by_seat[int(stored(state, "DECLARER")) - 1][strain] >= 6 + level
    count = len(outcomes)
    levels = Counter(outcome.level for outcome in outcomes)
    par = Counter(max(outcome.par) for outcome in outcomes)
    print(f"{player}: {count} boards of Bridge")
    print(f"{'level':8}" + "".join(f"{level:6}" for level in range(8)))
    print(f"{'bid':8}" + "".join(f"{levels[level]:6}" for level in range(8)))
    print(f"{'par':8}" + "".join(f"{par[level]:6}" for level in range(8)))
    near = sum(outcome.distance <= 1 for outcome in outcomes)
    highest = sum(outcome.from_highest <= 1 for outcome in outcomes)
    print(f"within one trick of par: {near} of {count} ({near / count:.0%})")
    print(f"within one trick of its highest level: {highest} of {count} ({highest / count:.0%})")
    print(f"can be made double dummy: {made} of {count - levels[0]}")
    show_times(seconds)


def whole_deals(name: str, player: str, seeds: range, kind: str, won: str) -> None:
    """Play deals of a game, and print what was played and won, by what the table stores."""
    counts, wins = Counter[str](), Counter[str]()
    seconds: list[float] = []
    scores: list[list[int]] = []
    for seed in seeds:
        table = Timed(name, player, seed)
        while not table.state.finished:
            table.choose()
        seconds += table.seconds
        played = str(stored(table.state, kind))
        counts[played] += 1
        wins[played] += int(stored(table.state, won))
        scores.append(list(table.state.scores))
    print(f"{player}: {len(seeds)} deals of {name}")
    for played, count in counts.most_common():
        print(f"{played:12}{count:6}, won {wins[played]}")
    show_times(seconds)


def show_times(seconds: Sequence[float]) -> None:
    """Print how long decisions have taken."""
    ordered = sorted(seconds)
    middle, slow = median(ordered), ordered[len(ordered) * 9 // 10]
    print(f"seconds a decision: median {middle:.3f}, 90 % {slow:.3f}, most {ordered[-1]:.3f}")


TOLD = {"skat": ("GAME", "WON"), "doppelkopf": ("KIND", "REWON")}
"""Where games other than Bridge store what was played, and whether it was won."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=["bridge", *TOLD])
    parser.add_argument("--player", help="instead of the game's default opponent")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    player = wanted.player or default_player(Game.load(wanted.game))
    seeds = range(wanted.seed, wanted.seed + wanted.deals)
    if wanted.game == "bridge":
        bridge(player, seeds)
    else:
        whole_deals(wanted.game, player, seeds, *TOLD[wanted.game])


if __name__ == "__main__":
    carry_out(main)
