"""The kinds of players of this package, and their parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.game.determinise import KnowledgeMode
from cardwright.game.engines import EngineError
from cardwright.game.horizon import Horizon
from cardwright.game.search import MOST_EXPLORATION, MOST_ITERATIONS, MOST_TREES, SearchReward
from cardwright.players.bandit import Bandit
from cardwright.players.cardstock import CardStockPipmc, CardStockPipmcNew
from cardwright.players.cardstock_mcts import CardStockMcts
from cardwright.players.flat import MOST_MILLISECONDS, MOST_ROLLOUTS, FlatMonteCarlo, FlatReward
from cardwright.players.kind import PlayerKind, register
from cardwright.players.loading import load_player
from cardwright.players.parameter import Parameter, choice, real, switch, whole
from cardwright.players.random import RandomPlayer
from cardwright.players.solved import SolvedPlayer
from cardwright.players.tree import CheatingMcts, Ismcts, Observers, PimcUct
from cardwright.players.trust import Loads

if TYPE_CHECKING:
    from cardwright.game.game import Game
    from cardwright.players.player import Player

MODE = choice("mode", KnowledgeMode.BASIC, "what the seat is assumed to know")
REWARD = choice("reward", FlatReward.SCORE, "what it maximises")
MILLISECONDS = whole(
    "ms", None, 1, MOST_MILLISECONDS, "milliseconds to think instead of a number of rollouts"
)
HORIZON = choice(
    "horizon",
    Horizon.DEAL,
    "where playouts end; games without deals are one deal",
)
_TESTS = "random games of each option"
_PLACE = Parameter("place", str, "path.py:Name", about="the file, and a class in it")


def _needs_search(_player: Player, game: Game) -> None:
    """Raise EngineError where no tree can be searched."""
    if game.engine_name != "native":
        raise EngineError(
            f"tree search needs the native engine, and {game.name} is played by the "
            f"{game.engine_name}: take pimc, or the native engine"
        )


register("random", PlayerKind(RandomPlayer, about="picks an option at random", loads=Loads.NOTHING))
register(
    "pimc",
    PlayerKind(
        FlatMonteCarlo,
        (
            whole("rollouts", FlatMonteCarlo.rollouts, 1, MOST_ROLLOUTS, _TESTS),
            MODE,
            REWARD,
            MILLISECONDS,
            HORIZON,
        ),
        "flat Monte Carlo: the option with the best mean over random games in imagined worlds",
        loads=Loads.NOTHING,
    ),
)
register(
    "bandit",
    PlayerKind(
        Bandit,
        (
            whole("rollouts", Bandit.rollouts, 1, MOST_ROLLOUTS, "random games of all options"),
            real("k", Bandit.k, 0, 100, "exploration constant"),
            MODE,
            REWARD,
            whole("batch", Bandit.batch, 1, 10_000, "random games of an option at a time"),
            MILLISECONDS,
            HORIZON,
        ),
        "flat Monte Carlo that tries promising options more often (UCB1)",
        loads=Loads.NOTHING,
    ),
)
register(
    "cardstock-pipmc",
    PlayerKind(
        CardStockPipmc,
        (whole("tests", CardStockPipmc.tests, 1, MOST_ROLLOUTS, _TESTS),),
        "CardStock's PIPMC: mean rank, worlds for each option and test",
        loads=Loads.NOTHING,
    ),
)
register(
    "cardstock-pipmcnew",
    PlayerKind(
        CardStockPipmcNew,
        (
            whole("deals", CardStockPipmcNew.deals, 1, MOST_ROLLOUTS, "imagined worlds"),
            whole("tests", CardStockPipmcNew.tests, 1, 10_000, f"{_TESTS} in each world"),
        ),
        "CardStock's PIPMCNEW: mean score, the same worlds for all options",
        loads=Loads.NOTHING,
    ),
)
register(
    "cardstock-mcts",
    PlayerKind(
        CardStockMcts,
        (whole("tests", CardStockMcts.tests, 1, 100_000, "iterations for each option"),),
        "CardStock's MCTS: tree search in one imagined world",
        loads=Loads.NOTHING,
    ),
)
register(
    "solved",
    PlayerKind(
        SolvedPlayer.from_file,
        about="plays a strategy that `cardwright solve` has written",
        argument=Parameter("file", str, "FILE", about="the file of a strategy"),
        loads=Loads.FILE,
    ),
)
register(
    "python",
    PlayerKind(
        load_player,
        about="your own class",
        argument=_PLACE,
        others=True,
        loads=Loads.PROGRAM,
    ),
)

_ITERATIONS = whole("iterations", 1_000, 1, MOST_ITERATIONS, "iterations in each tree")
_EXPLORATION = real("c", Ismcts.c, 0, MOST_EXPLORATION, "exploration constant")
_WORTH = choice("reward", SearchReward.SCORE, "what it maximises")
_WITHIN = choice("mode", KnowledgeMode.CONSISTENT, "what the seat is assumed to know")
_TREES = whole("trees", 1, 1, MOST_TREES, "trees, whose root statistics are added up")
_THREADS = whole("threads", 1, 1, 256, "threads; their number changes no result")

register(
    "ismcts",
    PlayerKind(
        Ismcts,
        (
            _ITERATIONS,
            _EXPLORATION,
            _WORTH,
            _WITHIN,
            choice("observers", Observers.ONE, "whose trees are kept"),
            switch(
                "ris", default=False, about="redeal hidden cards for every opponent in the tree"
            ),
            switch("reuse", default=False, about="reuse the tree at the next decision where sound"),
            _TREES,
            _THREADS,
            MILLISECONDS,
            HORIZON,
        ),
        "information set Monte Carlo tree search: a new world for every iteration",
        caution=_needs_search,
        loads=Loads.NOTHING,
    ),
)
register(
    "pimc-uct",
    PlayerKind(
        PimcUct,
        (
            whole("worlds", PimcUct.worlds, 1, MOST_TREES, "imagined worlds"),
            whole("iterations", PimcUct.iterations, 1, MOST_ITERATIONS, "iterations in each world"),
            real("c", PimcUct.c, 0, MOST_EXPLORATION, "exploration constant"),
            _WORTH,
            _WITHIN,
            _THREADS,
            HORIZON,
        ),
        "perfect information Monte Carlo: tree search in each of some imagined worlds",
        caution=_needs_search,
        loads=Loads.NOTHING,
    ),
)
register(
    "mcts-cheating",
    PlayerKind(
        CheatingMcts,
        (_ITERATIONS, _EXPLORATION, _WORTH, _TREES, _THREADS, HORIZON),
        "tree search in the true state: it sees all cards",
        caution=_needs_search,
        cheats=True,
        loads=Loads.NOTHING,
    ),
)
