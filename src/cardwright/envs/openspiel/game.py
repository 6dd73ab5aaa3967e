"""The game of OpenSpiel that is made of a game of ours."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pyspiel

from cardwright.envs.games import remembering
from cardwright.envs.openspiel.node import UTILITIES, GameNode, OpenSpielError, SampledStart
from cardwright.envs.openspiel.sizes import assumed, measured
from cardwright.envs.openspiel.state import Observer, OpenSpielState, guard_bots
from cardwright.game.game import Game
from cardwright.interpreter.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cardwright.envs.openspiel.sizes import Sizes

_NAME = re.compile(r"[A-Za-z0-9_.-]+")

_GAMES: dict[str, Game] = {}
"""The games that were given a name."""


NAME = "cardwright"
"""What OpenSpiel calls all our games."""

CHANCE = ("auto", "explicit", "sampled")

DEFAULTS = {
    "game": "",
    "preset": "",
    "chance": "auto",
    "utility": "score",
    "cap": 20_000,
    "seed": 1,
    "history": -1,
}
"""The parameters, with the values that they have where they are not given."""


class OpenSpielGame(pyspiel.Game):
    """A game of OpenSpiel; its methods have the meaning that OpenSpiel gives them.

    `rules` is our game. Chance is explicit, each draw a node with its outcomes, if the tree has at
    most `cap` nodes or that is asked for; otherwise it is sampled, from seeds that begin with
    `seed`. Players play for their scores, or for the win, by `utility`. Observations have `history`
    of the latest choices: see `remembering`. There are tensors of information states if the whole
    tree is known, and no two of them have the same.
    """

    def __init__(self, params: Mapping[str, object] | None = None) -> None:
        """Make a game by its parameters; raises OpenSpielError, and whatever loading it raises."""
        given: dict[str, Any] = {**DEFAULTS, **(params or {})}
        chance = _one_of(CHANCE, given, "chance")
        utility = _one_of(tuple(UTILITIES), given, "utility")
        self.rules = _rules(str(given["game"]), str(given["preset"]))
        tree = None if chance == "sampled" else _tree(self.rules, utility, given["cap"])
        history = int(given["history"])
        self._layout = remembering(self.rules, None if history == DEFAULTS["history"] else history)
        self._start: GameNode | SampledStart
        if tree is not None:
            self._start, sizes = tree
        else:
            sizes = assumed(self.rules, utility)
            if chance == "explicit":
                self._start = GameNode(self.rules.start_chance(), utility)
            else:
                self._start = SampledStart(self.rules, utility, Stream(given["seed"]))
        self.recollection = sizes.recollection
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.rules.actions),
            max_chance_outcomes=sizes.outcomes,
            num_players=self.rules.players,
            min_utility=sizes.least,
            max_utility=sizes.most,
            utility_sum=sizes.total,
            max_game_length=sizes.longest,
        )
        explicit = isinstance(self._start, GameNode)
        super().__init__(_type_of(self.rules, sizes, explicit=explicit), info, dict(params or {}))

    def new_initial_state(self) -> OpenSpielState:
        """Return a state at the start of the game."""
        return OpenSpielState(self, self._start)

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: Mapping[str, object] | None = None,
    ) -> Observer | None:
        """Return what a player sees, with perfect recall or without.

        There are no observers of what is public only, or private only, or of several players: None.
        """
        if params:
            raise OpenSpielError(f"observations have no parameters: {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return Observer(self.recollection if kind.perfect_recall else self._layout)


def _rules(name: str, preset: str) -> Game:
    """Return a game that was registered under a name, or that of the library, or of a file.

    A preset is of the library's game or of the file. Raises OpenSpielError without a name, and what
    `Game.load` raises.
    """
    if not name:
        raise OpenSpielError('name a game: pyspiel.load_game("cardwright(game=kuhn)")')
    if preset:
        return Game.load(name, preset=preset)
    if name not in _GAMES:
        _GAMES[name] = Game.load(name)
    return _GAMES[name]


def _one_of(allowed: tuple[str, ...], given: Mapping[str, object], name: str) -> str:
    value = str(given[name])
    if value not in allowed:
        raise OpenSpielError(f"{name}={value} is none of {', '.join(allowed)}")
    return value


@lru_cache(maxsize=8)
def _tree(rules: Game, utility: str, cap: int) -> tuple[GameNode, Sizes] | None:
    """Return the root of a tree that is kept, with its sizes; None if it has too many nodes."""
    root = GameNode(rules.start_chance(), utility, kept=True)
    sizes = measured(root, cap)
    return None if sizes is None else (root, sizes)


def _game_type(
    name: str, players: range, chance: object, utility: object, *, recalled: bool = False
) -> pyspiel.GameType:
    """Return the type of a game, or of all games."""
    return pyspiel.GameType(
        short_name=NAME,
        long_name=name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players[-1],
        min_num_players=players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=recalled,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=DEFAULTS,
        default_loadable=False,
    )


def _type_of(rules: Game, sizes: Sizes, *, explicit: bool) -> pyspiel.GameType:
    modes, kinds = pyspiel.GameType.ChanceMode, pyspiel.GameType.Utility
    chance = modes.EXPLICIT_STOCHASTIC if sizes.outcomes else modes.DETERMINISTIC
    utility = kinds.CONSTANT_SUM if sizes.total else kinds.ZERO_SUM
    return _game_type(
        f"Cardwright's {rules.name}",
        range(rules.players, rules.players + 1),
        chance if explicit else modes.SAMPLED_STOCHASTIC,
        kinds.GENERAL_SUM if sizes.total is None else utility,
        recalled=sizes.recollection is not None,
    )


_MOST_PLAYERS = 100


def register(game: Game | str | Path | None = None, name: str | None = None) -> None:
    """Let `pyspiel.load_game("cardwright(game=NAME)")` load games.

    After that it loads every game of the library by name. A game that is given, itself or as for
    `Game.load`, can be loaded by a name of its own: `register(Game.load("kuhn", PLAYERS=3),
    "kuhn3")`. Raises OpenSpielError for a name that OpenSpiel cannot read.
    """
    if NAME not in pyspiel.registered_names():
        kinds = pyspiel.GameType
        type_ = _game_type(
            "Cardwright's games",
            range(1, _MOST_PLAYERS + 1),
            kinds.ChanceMode.EXPLICIT_STOCHASTIC,
            kinds.Utility.GENERAL_SUM,
        )
        pyspiel.register_game(type_, OpenSpielGame)
        guard_bots()
    if game is not None:
        loaded = game if isinstance(game, Game) else Game.load(game)
        name = loaded.name if name is None else name
        if not _NAME.fullmatch(name):
            advice = "use letters, digits, _, . and -"
            raise OpenSpielError(f"{name!r} is not a name for OpenSpiel: {advice}")
        _GAMES[name] = loaded
