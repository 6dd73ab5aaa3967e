from cardwright._version import __version__ as __version__
from cardwright.arena.contest import (
    ladder as ladder,
    play_match as play_match,
    tournament as tournament,
)
from cardwright.arena.entrants import player as player
from cardwright.arena.one_game import play_game as play_game, watch_game as watch_game
from cardwright.arena.report import ContestReport as ContestReport
from cardwright.arena.simulation import SimulationResult as SimulationResult, simulate as simulate
from cardwright.authoring.new_game import new_game as new_game
from cardwright.authoring.position_run import run_positions as run_positions
from cardwright.authoring.rule_difference.explain import explain_diff as explain_diff
from cardwright.evolution.evolve import evolve as evolve
from cardwright.game.actions.numbering import Actions as Actions
from cardwright.game.errors import (
    CardwrightError as CardwrightError,
    GameError as GameError,
    GameFileError as GameFileError,
    IllegalOptionError as IllegalOptionError,
    NotFoundError as NotFoundError,
)
from cardwright.game.game import Game as Game, State as State
from cardwright.game.information.knowledge import Knowledge as Knowledge
from cardwright.game.native.batch import Batch as Batch
from cardwright.game.native.random_games import play_random as play_random
from cardwright.game.option import Option as Option, View as View
from cardwright.interpreter.machine import GameLimits as GameLimits
from cardwright.interpreter.stream import Stream as Stream
from cardwright.lab.experiment import run_experiment as run_experiment
from cardwright.league.run import play_season as play_season
from cardwright.library.catalogue import library_games as library_games
from cardwright.players.monte_carlo import FlatMonteCarlo as FlatMonteCarlo, Ismcts as Ismcts
from cardwright.players.player import (
    Decision as Decision,
    Player as Player,
    RandomPlayer as RandomPlayer,
)
from cardwright.program.cards import Card as Card, Location as Location, Seat as Seat
from cardwright.program.check import check as check
from cardwright.solve.sequences import exploitability as exploitability
from cardwright.solve.solving import solve_game as solve_game
from cardwright.statistics.intervals import Estimate as Estimate
from cardwright.study.analyze import analyze as analyze
