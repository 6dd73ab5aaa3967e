"""Players as users write them: `random`, `pimc:rollouts=50,mode=known`, `python:mine.py:Name`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from cardwright.english import counted
from cardwright.game.errors import EngineError
from cardwright.game.information.knowledge import KnowledgeMode
from cardwright.game.search import (
    MOST_EXPLORATION,
    MOST_ITERATIONS,
    MOST_TREES,
    Horizon,
    PlayoutPolicy,
    SearchReward,
)
from cardwright.players.choice_models import UniformModel
from cardwright.players.kind import (
    KINDS,
    Loads,
    Parameter,
    PlayerKind,
    PlayerSpecError,
    choice,
    find_kind,
    load_player,
    real,
    register,
    switch,
    whole,
)
from cardwright.players.monte_carlo import (
    MOST_MILLISECONDS,
    MOST_ROLLOUTS,
    Bandit,
    CardStockMcts,
    CardStockPipmc,
    CardStockPipmcNew,
    CheatingMcts,
    FlatMonteCarlo,
    FlatReward,
    Ismcts,
    Observers,
    PimcUct,
)
from cardwright.players.player import RandomPlayer
from cardwright.players.strategy import SolvedPlayer

if TYPE_CHECKING:
    from cardwright.game.game import Game
    from cardwright.players.kind import Trust
    from cardwright.players.player import Player

_MODE = choice("mode", KnowledgeMode.BASIC, "what the seat is assumed to know")
_REWARD = choice("reward", FlatReward.SCORE, "what it maximises")
MILLISECONDS = whole(
    *("ms", None, 1, MOST_MILLISECONDS), "milliseconds to think instead of a number of rollouts"
)
_HORIZON = choice("horizon", Horizon.DEAL, "where playouts end; games without deals are one deal")
_TESTS = "random games of each option"
_ITERATIONS = whole("iterations", 1_000, 1, MOST_ITERATIONS, "iterations in each tree")
_EXPLORATION = real("c", Ismcts.c, 0, MOST_EXPLORATION, "exploration constant")
_WORTH = choice("reward", SearchReward.SCORE, "what it maximises")
_WITHIN = choice("mode", KnowledgeMode.CONSISTENT, "what the seat is assumed to know")
_TREES = whole("trees", 1, 1, MOST_TREES, "trees, whose root statistics are added up")
_PLAYOUTS = choice(
    "playouts", PlayoutPolicy.RANDOM, "whether seats play on at random, or for points at once"
)


def _modelled(text: str) -> str:
    """Return the name of a kind of player of whose choices there is a model."""
    if text not in KINDS or KINDS[text].model is None:
        raise ValueError(text)
    return text


INFERENCE = Parameter(
    "inference",
    _modelled,
    "a player of whose choices there is a model: bridge, random or skat",
    None,
    "as whom it takes the others to have chosen: worlds where they would not are less likely",
)
_THREADS = whole("threads", 1, 1, 256, "threads; their number changes no result")


def _infers(player: Player, game: Game) -> None:
    """Raise CardwrightError where the player by which another infers cannot play."""
    named = getattr(player, "inference", None)
    caution = None if named is None else KINDS[named].caution
    if caution is not None:
        caution(player, game)


def _needs_search(player: Player, game: Game) -> None:
    """Raise EngineError where no tree can be searched, and as the player that it infers by."""
    _infers(player, game)
    if game.engine_name == "interpreter":
        raise EngineError(
            f"tree search needs the native engine, and {game.name} is played by the "
            f"{game.engine_name}: take pimc, or the native engine"
        )


for _name, _kind in {
    "random": PlayerKind(
        RandomPlayer, about="picks an option at random", model=lambda _: UniformModel()
    ),
    "pimc": PlayerKind(
        FlatMonteCarlo,
        (
            whole("rollouts", FlatMonteCarlo.rollouts, 1, MOST_ROLLOUTS, _TESTS),
            *(_MODE, _REWARD, MILLISECONDS, _HORIZON, INFERENCE),
        ),
        "flat Monte Carlo: the option with the best mean over random games in imagined worlds",
        caution=_infers,
    ),
    "bandit": PlayerKind(
        Bandit,
        (
            whole("rollouts", Bandit.rollouts, 1, MOST_ROLLOUTS, "random games of all options"),
            real("k", Bandit.k, 0, 100, "exploration constant"),
            *(_MODE, _REWARD),
            whole("batch", Bandit.batch, 1, 10_000, "random games of an option at a time"),
            *(MILLISECONDS, _HORIZON, INFERENCE),
        ),
        "flat Monte Carlo that tries promising options more often (UCB1)",
        caution=_infers,
    ),
    "cardstock-pipmc": PlayerKind(
        CardStockPipmc,
        (whole("tests", CardStockPipmc.tests, 1, MOST_ROLLOUTS, _TESTS),),
        "CardStock's PIPMC: mean rank, worlds for each option and test",
    ),
    "cardstock-pipmcnew": PlayerKind(
        CardStockPipmcNew,
        (
            whole("deals", CardStockPipmcNew.deals, 1, MOST_ROLLOUTS, "imagined worlds"),
            whole("tests", CardStockPipmcNew.tests, 1, 10_000, f"{_TESTS} in each world"),
        ),
        "CardStock's PIPMCNEW: mean score, the same worlds for all options",
    ),
    "cardstock-mcts": PlayerKind(
        CardStockMcts,
        (whole("tests", CardStockMcts.tests, 1, 100_000, "iterations for each option"),),
        "CardStock's MCTS: tree search in one imagined world",
    ),
    "solved": PlayerKind(
        SolvedPlayer.from_file,
        about="plays a strategy that `cardwright solve` has written",
        argument=Parameter("file", str, "FILE", about="the file of a strategy"),
        loads=Loads.FILE,
    ),
    "python": PlayerKind(
        load_player,
        about="your own class",
        argument=Parameter("place", str, "path.py:Name", about="the file, and a class in it"),
        others=True,
        loads=Loads.PROGRAM,
    ),
    "ismcts": PlayerKind(
        Ismcts,
        (
            *(_ITERATIONS, _EXPLORATION, _WORTH, _WITHIN),
            choice("observers", Observers.ONE, "whose trees are kept"),
            switch(
                "ris", default=False, about="redeal hidden cards for every opponent in the tree"
            ),
            switch("reuse", default=False, about="reuse the tree at the next decision where sound"),
            *(_TREES, _THREADS, MILLISECONDS, _HORIZON, _PLAYOUTS, INFERENCE),
        ),
        "information set Monte Carlo tree search: a new world for every iteration",
        caution=_needs_search,
    ),
    "pimc-uct": PlayerKind(
        PimcUct,
        (
            whole("worlds", PimcUct.worlds, 1, MOST_TREES, "imagined worlds"),
            whole("iterations", PimcUct.iterations, 1, MOST_ITERATIONS, "iterations in each world"),
            real("c", PimcUct.c, 0, MOST_EXPLORATION, "exploration constant"),
            *(_WORTH, _WITHIN, _THREADS, _HORIZON, _PLAYOUTS, INFERENCE),
        ),
        "perfect information Monte Carlo: tree search in each of some imagined worlds",
        caution=_needs_search,
    ),
    "mcts-cheating": PlayerKind(
        CheatingMcts,
        (_ITERATIONS, _EXPLORATION, _WORTH, _TREES, _THREADS, _HORIZON),
        "tree search in the true state: it sees all cards",
        caution=_needs_search,
        cheats=True,
    ),
}.items():
    register(_name, _kind)

Seated = TypeVar("Seated")

_PARAMETER = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*")


@dataclass(frozen=True)
class PlayerSpec:
    """A player as written: the name of its kind, its argument, and its parameters in order.

    Call it for a new player; `trust` says what that may load.
    """

    name: str
    parameters: tuple[tuple[str, str], ...] = ()
    argument: str | None = None
    trust: Trust = field(kw_only=True, compare=False, repr=False)

    def __str__(self) -> str:
        listed = [] if self.argument is None else [self.argument]
        listed += [f"{key}={value}" for key, value in self.parameters]
        return f"{self.name}:{','.join(listed)}" if listed else self.name

    @property
    def loads(self) -> Loads:
        """What making a player loads."""
        return find_kind(self.name).loaded(self.argument)[0]

    def check_trust(self) -> None:
        """Raise UntrustedPlayerError if a player of it would load what it may not."""
        self.trust.check(str(self), *find_kind(self.name).loaded(self.argument))

    def build(self) -> Player:
        """Return a new player of this kind; raises PlayerSpecError if it cannot be made.

        That is an UntrustedPlayerError, before anything is loaded, for one that may not be loaded.
        """
        self.check_trust()
        kind = find_kind(self.name)
        return kind.make(**kind.values(self.name, self.argument, dict(self.parameters)))

    __call__ = build


def parse_specs(text: str, trust: Trust) -> tuple[PlayerSpec, ...]:
    """Return the players in a comma-separated list; raises PlayerSpecError."""
    return tuple(parse_spec(spec, trust) for spec in split_specs(text))


def split_specs(text: str) -> list[str]:
    """Return the texts of the players in a comma-separated list.

    A piece `key=value` without a name is a parameter of the player before it.
    """
    pieces: list[str] = []
    for piece in text.split(","):
        if pieces and "=" in piece.split(":", 1)[0]:
            pieces[-1] += f",{piece}"
        else:
            pieces.append(piece)
    return [piece.strip() for piece in pieces]


def parse_spec(text: str, trust: Trust) -> PlayerSpec:
    """Return the player that a text names; raises PlayerSpecError if it names none.

    Nothing is made or loaded: `build` does that, as far as the `trust` in the text goes.
    """
    name, colon, rest = text.strip().partition(":")
    name = name.strip()
    kind = find_kind(name)
    pieces = rest.split(",") if colon else []
    argument = _argument(name, kind.argument, pieces)
    parameters = tuple(_parameter(piece, name, kind) for piece in pieces)
    keys = [key for key, _ in parameters]
    for key in keys:
        if keys.count(key) > 1:
            raise PlayerSpecError(f"the player {name!r} is given {key!r} twice")
    kind.values(name, argument, dict(parameters))  # raises an error for impossible values
    return PlayerSpec(name, parameters, argument, trust=trust)


def tried_spec(text: str, trust: Trust) -> PlayerSpec:
    """Return the player that a text names, after making one; raises PlayerSpecError."""
    spec = parse_spec(text, trust)
    spec.build()
    return spec


def tried_specs(text: str, trust: Trust) -> tuple[PlayerSpec, ...]:
    """Return the players in a comma-separated list, each tried; raises PlayerSpecError."""
    return tuple(tried_spec(spec, trust) for spec in split_specs(text))


def _argument(name: str, takes: Parameter | None, pieces: list[str]) -> str | None:
    """Take the argument, which has no key, from the front of the pieces; None if there is none."""
    if takes is None:
        return None
    argument = pieces.pop(0).strip() if pieces and "=" not in pieces[0] else None
    if argument == "" or (argument is None and takes.default is None):
        raise PlayerSpecError(f"the player {name!r} needs more; write {name}:{takes.values}")
    return argument


def _parameter(text: str, name: str, kind: PlayerKind) -> tuple[str, str]:
    match = _PARAMETER.fullmatch(text)
    if match is None:
        raise PlayerSpecError(
            f"{text.strip()!r} is not a parameter of the player {name!r}; write {name}:key=value"
        )
    kind.check_key(name, match[1])
    return match[1], match[2]


def for_seats(players: tuple[Seated, ...], seats: int) -> tuple[Seated, ...]:
    """Return one player per seat: the single one given for all of them, or one for each."""
    if len(players) == 1:
        return players * seats
    if len(players) != seats:
        raise PlayerSpecError(
            f"{len(players)} players are given for {counted(seats, 'seat')}; "
            "give one for all of them, or one for each"
        )
    return players
