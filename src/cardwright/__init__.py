"""Card games from their rules, written in RECYCLE: checked, played, studied.

    >>> from cardwright import Game
    >>> state = Game.load("hearts").start(seed=1)
    >>> len(state.options()) <= 13
    True

The names below are loaded when they are first used, so that importing the package is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from cardwright._version import __version__

if TYPE_CHECKING:
    from cardwright.arena.entrants import player
    from cardwright.arena.plan import PlanError
    from cardwright.arena.play import ContestSettings, ladder, play_game, play_match, tournament
    from cardwright.arena.referee import GameRecord
    from cardwright.arena.report import ContestReport
    from cardwright.arena.results import Results
    from cardwright.arena.schedule import ScheduleError
    from cardwright.arena.simulation import SimulationResult, simulate
    from cardwright.game.batch import Batch
    from cardwright.game.bulk import play_random
    from cardwright.game.determinise import KnowledgeMode
    from cardwright.game.engines import EngineError
    from cardwright.game.errors import (
        CardwrightError,
        GameError,
        GameFileError,
        IllegalOptionError,
        NotFoundError,
        OptionTextError,
        UndoError,
        UnreadableFileError,
    )
    from cardwright.game.extras import MissingExtraError
    from cardwright.game.flat import FlatPlan, FlatTable, Trials
    from cardwright.game.game import Game
    from cardwright.game.history import NoRecordError, SeenDecision
    from cardwright.game.knowledge import Knowledge
    from cardwright.game.option import Option
    from cardwright.game.random_games import RandomGames
    from cardwright.game.rollouts import Rollouts
    from cardwright.game.search import (
        OptionStatistics,
        SearchResult,
        SearchReward,
        SearchTask,
        SearchWorlds,
    )
    from cardwright.game.seeds import game_seeds
    from cardwright.game.settings import FactsError, SettingError
    from cardwright.game.state import State
    from cardwright.game.view import Back, View
    from cardwright.interpreter.machine import GameLimits
    from cardwright.interpreter.stream import Stream
    from cardwright.jobs.errors import RecordsError
    from cardwright.jobs.executor import ExecutorError, WorkerError
    from cardwright.players.bandit import Bandit
    from cardwright.players.flat import FlatMonteCarlo, FlatReward
    from cardwright.players.note import Note
    from cardwright.players.parameter import PlayerSpecError
    from cardwright.players.player import Decision, Player
    from cardwright.players.random import RandomPlayer
    from cardwright.players.spec import PlayerSpec
    from cardwright.players.tree import CheatingMcts, Ismcts, Observers, PimcUct
    from cardwright.program.cards import Card, Location, LocationKind, Seat
    from cardwright.statistics.sample import Estimate
    from cardwright.statistics.sequential import SequentialTest

_HOMES = {
    "Back": "cardwright.game.view",
    "Bandit": "cardwright.players.bandit",
    "Batch": "cardwright.game.batch",
    "Card": "cardwright.program.cards",
    "CardwrightError": "cardwright.game.errors",
    "CheatingMcts": "cardwright.players.tree",
    "ContestReport": "cardwright.arena.report",
    "ContestSettings": "cardwright.arena.play",
    "Decision": "cardwright.players.player",
    "EngineError": "cardwright.game.engines",
    "Estimate": "cardwright.statistics.sample",
    "ExecutorError": "cardwright.jobs.executor",
    "FactsError": "cardwright.game.settings",
    "FlatMonteCarlo": "cardwright.players.flat",
    "FlatPlan": "cardwright.game.flat",
    "FlatReward": "cardwright.players.flat",
    "FlatTable": "cardwright.game.flat",
    "Game": "cardwright.game.game",
    "GameError": "cardwright.game.errors",
    "GameFileError": "cardwright.game.errors",
    "GameLimits": "cardwright.interpreter.machine",
    "GameRecord": "cardwright.arena.referee",
    "IllegalOptionError": "cardwright.game.errors",
    "Ismcts": "cardwright.players.tree",
    "Knowledge": "cardwright.game.knowledge",
    "KnowledgeMode": "cardwright.game.determinise",
    "Location": "cardwright.program.cards",
    "LocationKind": "cardwright.program.cards",
    "MissingExtraError": "cardwright.game.extras",
    "NoRecordError": "cardwright.game.history",
    "NotFoundError": "cardwright.game.errors",
    "Note": "cardwright.players.note",
    "Observers": "cardwright.players.tree",
    "Option": "cardwright.game.option",
    "OptionTextError": "cardwright.game.errors",
    "OptionStatistics": "cardwright.game.search",
    "PimcUct": "cardwright.players.tree",
    "PlanError": "cardwright.arena.plan",
    "Player": "cardwright.players.player",
    "PlayerSpec": "cardwright.players.spec",
    "PlayerSpecError": "cardwright.players.parameter",
    "RandomGames": "cardwright.game.random_games",
    "RandomPlayer": "cardwright.players.random",
    "RecordsError": "cardwright.jobs.errors",
    "Results": "cardwright.arena.results",
    "Rollouts": "cardwright.game.rollouts",
    "ScheduleError": "cardwright.arena.schedule",
    "SearchResult": "cardwright.game.search",
    "SearchReward": "cardwright.game.search",
    "SearchTask": "cardwright.game.search",
    "SearchWorlds": "cardwright.game.search",
    "Seat": "cardwright.program.cards",
    "SeenDecision": "cardwright.game.history",
    "SequentialTest": "cardwright.statistics.sequential",
    "SettingError": "cardwright.game.settings",
    "SimulationResult": "cardwright.arena.simulation",
    "State": "cardwright.game.state",
    "Stream": "cardwright.interpreter.stream",
    "UndoError": "cardwright.game.errors",
    "Trials": "cardwright.game.flat",
    "UnreadableFileError": "cardwright.game.errors",
    "View": "cardwright.game.view",
    "WorkerError": "cardwright.jobs.executor",
    "game_seeds": "cardwright.game.seeds",
    "ladder": "cardwright.arena.play",
    "play_game": "cardwright.arena.play",
    "play_match": "cardwright.arena.play",
    "play_random": "cardwright.game.bulk",
    "player": "cardwright.arena.entrants",
    "simulate": "cardwright.arena.simulation",
    "tournament": "cardwright.arena.play",
}
"""Where each public name is at home."""

__all__ = [
    "Back",
    "Bandit",
    "Batch",
    "Card",
    "CardwrightError",
    "CheatingMcts",
    "ContestReport",
    "ContestSettings",
    "Decision",
    "EngineError",
    "Estimate",
    "ExecutorError",
    "FactsError",
    "FlatMonteCarlo",
    "FlatPlan",
    "FlatReward",
    "FlatTable",
    "Game",
    "GameError",
    "GameFileError",
    "GameLimits",
    "GameRecord",
    "IllegalOptionError",
    "Ismcts",
    "Knowledge",
    "KnowledgeMode",
    "Location",
    "LocationKind",
    "MissingExtraError",
    "NoRecordError",
    "NotFoundError",
    "Note",
    "Observers",
    "Option",
    "OptionStatistics",
    "OptionTextError",
    "PimcUct",
    "PlanError",
    "Player",
    "PlayerSpec",
    "PlayerSpecError",
    "RandomGames",
    "RandomPlayer",
    "RecordsError",
    "Results",
    "Rollouts",
    "ScheduleError",
    "SearchResult",
    "SearchReward",
    "SearchTask",
    "SearchWorlds",
    "Seat",
    "SeenDecision",
    "SequentialTest",
    "SettingError",
    "SimulationResult",
    "State",
    "Stream",
    "Trials",
    "UndoError",
    "UnreadableFileError",
    "View",
    "WorkerError",
    "__version__",
    "game_seeds",
    "ladder",
    "play_game",
    "play_match",
    "play_random",
    "player",
    "simulate",
    "tournament",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'cardwright' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
