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
    from cardwright.analysis.errors import AnalysisError
    from cardwright.analysis.heuristics import HeuristicRow
    from cardwright.analysis.report.comparison import Comparison, ComparisonCell
    from cardwright.analysis.report.names import NamedMeasure
    from cardwright.arena.contest_report import ContestReport
    from cardwright.arena.deals import DealArrays
    from cardwright.arena.entrants import OwnPlayer, player
    from cardwright.arena.faults import FaultKind, PlayerFault
    from cardwright.arena.findings import Difference, EntrantStanding, SeatEffect, TestedDifference
    from cardwright.arena.matrix import Matrix
    from cardwright.arena.plan import ChangedGameError, GameRef, PlanError, RunPlan
    from cardwright.arena.play import ContestSettings, ladder, play_game, play_match, tournament
    from cardwright.arena.ratings import Ratings
    from cardwright.arena.referee import GameRecord
    from cardwright.arena.results import NotedFault, Results, Timing
    from cardwright.arena.schedule import ScheduleError
    from cardwright.arena.score_range import ScoreRange, ScoreRangeError
    from cardwright.arena.simulation import SimulationJob, SimulationResult, simulate
    from cardwright.arena.summary import Running, SeatSummary, Summary
    from cardwright.authoring.new_game import NewGameError, new_game
    from cardwright.authoring.position_run import (
        PositionFailure,
        PositionOutcome,
        run_positions,
    )
    from cardwright.authoring.rule_difference.explain_diff import explain_diff
    from cardwright.authoring.rule_difference.rule_change import ChangeKind, RuleChange
    from cardwright.authoring.toml_entry import PositionFileError
    from cardwright.evolution.aim import Aim, AimError
    from cardwright.evolution.candidate import Candidate, CandidateChange, ChangeFamily
    from cardwright.evolution.errors import EvolutionError
    from cardwright.evolution.evaluation import Departure, DepartureReason, Evaluated, FunnelStep
    from cardwright.evolution.evolution import Elite, Evolution
    from cardwright.evolution.evolve import evolve, read_evolution
    from cardwright.evolution.funnel.plan import FunnelPlan
    from cardwright.evolution.generation import DepartureCount, GenerationSummary
    from cardwright.evolution.methods.errors import MethodError
    from cardwright.evolution.methods.landscape import EliteMap, FilledCell, MapShape, ParetoFront
    from cardwright.evolution.methods.method import Judged
    from cardwright.evolution.original import OriginalError
    from cardwright.evolution.plan import EvolutionPlan, Mate
    from cardwright.evolution.progress import EvolutionProgress
    from cardwright.evolution.timing import EvolutionTiming
    from cardwright.evolution.variation.keep import KeepError
    from cardwright.evolution.variation.vary import Variation
    from cardwright.extras import MissingExtraError
    from cardwright.game.actions.fast_view import FastView, FastViewSpec
    from cardwright.game.actions.kernel_tables import Branch, Picks
    from cardwright.game.actions.numbering import Actions
    from cardwright.game.actions.observation import ObservationLayout
    from cardwright.game.chance import Chance
    from cardwright.game.errors import (
        CardwrightError,
        ChanceError,
        EngineError,
        GameError,
        GameFileError,
        IllegalOptionError,
        LocationTextError,
        NoPlainTextError,
        NoRecordError,
        NotFoundError,
        OptionTextError,
        UndoError,
        UnreadableFileError,
        UnreadablePickleError,
    )
    from cardwright.game.game import Game, State
    from cardwright.game.information.knowledge import Knowledge, KnowledgeMode
    from cardwright.game.native.batch import Batch
    from cardwright.game.native.random_games import RandomGames, play_random
    from cardwright.game.native.search import KeptTree
    from cardwright.game.option import Back, Content, Option, SeenDecision, Unseen, View
    from cardwright.game.search import (
        FlatPlan,
        FlatTable,
        Horizon,
        OptionStatistics,
        Rollouts,
        SearchResult,
        SearchReward,
        SearchTask,
        SearchWorlds,
        Trials,
    )
    from cardwright.game.seeds import GameSeeds, game_seeds
    from cardwright.game.settings import FactsError, SettingError
    from cardwright.game.wording.naming import Namer
    from cardwright.hearts.family import NotHeartsError
    from cardwright.hearts.hierarchy import (
        Hierarchy,
        HierarchyError,
        HierarchyPlayer,
        HierarchyStep,
        Order,
        OrderMode,
        Tie,
        order,
    )
    from cardwright.hearts.selectors import ParameterSpec, Selector
    from cardwright.interpreter.machine import GameLimits
    from cardwright.interpreter.stream import Stream
    from cardwright.jail.level import LevelError
    from cardwright.jobs.errors import DamagedError, RecordsError
    from cardwright.jobs.executor import Executor, ExecutorError, WorkerError
    from cardwright.lab.contrast import Contrast, ContrastReading
    from cardwright.lab.errors import LabError
    from cardwright.lab.experiment import Experiment, read_experiment, run_experiment
    from cardwright.lab.factor import Factor, FactorKind, FactorLevel, LabPlayer, SelectorList
    from cardwright.lab.findings import (
        CellMean,
        Effect,
        Findings,
        Noise,
        Shift,
        Statistic,
        TestedEffect,
    )
    from cardwright.lab.outcomes import Outcomes
    from cardwright.lab.plan import Design, LabPlan, Precision, Seating, Sequential
    from cardwright.lab.response import Better, Response
    from cardwright.league.block import BotFault
    from cardwright.league.bot_limits import BotLimits
    from cardwright.league.dealer import LeagueRules
    from cardwright.league.new import NewSeasonError, new_season
    from cardwright.league.outcome import SeasonOutcome
    from cardwright.league.plan import BotText, SeasonError, SeasonPlan
    from cardwright.league.play_season import play_season
    from cardwright.league.records import Season, read_season
    from cardwright.league.roster import LeagueFileError, Roster, RosterEntry
    from cardwright.league.standings import BotStanding, LeagueStandings
    from cardwright.players.kind import PlayerSpecError, UntrustedPlayerError
    from cardwright.players.monte_carlo import (
        Bandit,
        CheatingMcts,
        FlatMonteCarlo,
        FlatReward,
        Ismcts,
        Observers,
        PimcUct,
    )
    from cardwright.players.player import Decision, Note, Player, RandomPlayer
    from cardwright.players.spec import PlayerSpec
    from cardwright.players.strategy import (
        Strategy,
        StrategyError,
        StrategyOption,
        StrategySet,
        load_strategy,
    )
    from cardwright.program.cards import Card, Location, LocationKind, Seat
    from cardwright.program.check import Checked
    from cardwright.publication.caption_line import CaptionLine
    from cardwright.publication.figure_files import FigureFiles
    from cardwright.solve.best_response import (
        BestResponse,
        Exploitability,
        best_response,
        exploitability,
    )
    from cardwright.solve.build import game_tree
    from cardwright.solve.errors import SolveError, TreeTooLargeError
    from cardwright.solve.exploit import PolicyExploitability
    from cardwright.solve.exploiting import (
        Exploited,
        ExploitMethod,
        ExploitPlan,
        LocalExploitability,
        ResponseRollouts,
        exploit_player,
    )
    from cardwright.solve.sequences import SeatSequences, SequenceForm, SequenceLevel
    from cardwright.solve.solving import SolveMethod, TellSolving, solve_game
    from cardwright.solve.tree import GameTree, InformationSet
    from cardwright.solve.utility import Utility
    from cardwright.statistics.sample import Estimate, Sample
    from cardwright.statistics.sequential import SequentialTest, Verdict
    from cardwright.study.analyze import analyze, analyze_variants
    from cardwright.study.figure import DrawnFigure, draw_figure
    from cardwright.study.gallery import draw_figures
    from cardwright.study.games import StudiedGame
    from cardwright.study.plan import StudyPlan
    from cardwright.study.report import AnalysisReport
    from cardwright.study.settings import StudySettings
    from cardwright.syntax.diagnostic import Code, Diagnostic, Diagnostics, Edit, Related, Severity
    from cardwright.syntax.edit import apply_edits
    from cardwright.syntax.source import Source, Span, TextPosition

_HOMES = {
    "Actions": "cardwright.game.actions.numbering",
    "Aim": "cardwright.evolution.aim",
    "AimError": "cardwright.evolution.aim",
    "AnalysisError": "cardwright.analysis.errors",
    "AnalysisReport": "cardwright.study.report",
    "Back": "cardwright.game.option",
    "Bandit": "cardwright.players.monte_carlo",
    "Batch": "cardwright.game.native.batch",
    "BestResponse": "cardwright.solve.best_response",
    "Better": "cardwright.lab.response",
    "BotFault": "cardwright.league.block",
    "BotLimits": "cardwright.league.bot_limits",
    "BotStanding": "cardwright.league.standings",
    "BotText": "cardwright.league.plan",
    "Branch": "cardwright.game.actions.kernel_tables",
    "Candidate": "cardwright.evolution.candidate",
    "CandidateChange": "cardwright.evolution.candidate",
    "Card": "cardwright.program.cards",
    "CardwrightError": "cardwright.game.errors",
    "CellMean": "cardwright.lab.findings",
    "Chance": "cardwright.game.chance",
    "ChanceError": "cardwright.game.errors",
    "ChangeFamily": "cardwright.evolution.candidate",
    "ChangeKind": "cardwright.authoring.rule_difference.rule_change",
    "ChangedGameError": "cardwright.arena.plan",
    "CheatingMcts": "cardwright.players.monte_carlo",
    "Checked": "cardwright.program.check",
    "Code": "cardwright.syntax.diagnostic",
    "Comparison": "cardwright.analysis.report.comparison",
    "ComparisonCell": "cardwright.analysis.report.comparison",
    "Content": "cardwright.game.option",
    "ContestReport": "cardwright.arena.contest_report",
    "ContestSettings": "cardwright.arena.play",
    "Contrast": "cardwright.lab.contrast",
    "ContrastReading": "cardwright.lab.contrast",
    "DamagedError": "cardwright.jobs.errors",
    "DealArrays": "cardwright.arena.deals",
    "Decision": "cardwright.players.player",
    "Departure": "cardwright.evolution.evaluation",
    "DepartureCount": "cardwright.evolution.generation",
    "DepartureReason": "cardwright.evolution.evaluation",
    "Design": "cardwright.lab.plan",
    "Diagnostic": "cardwright.syntax.diagnostic",
    "Diagnostics": "cardwright.syntax.diagnostic",
    "Difference": "cardwright.arena.findings",
    "DrawnFigure": "cardwright.study.figure",
    "CaptionLine": "cardwright.publication.caption_line",
    "FigureFiles": "cardwright.publication.figure_files",
    "Edit": "cardwright.syntax.diagnostic",
    "Effect": "cardwright.lab.findings",
    "Elite": "cardwright.evolution.evolution",
    "EliteMap": "cardwright.evolution.methods.landscape",
    "EngineError": "cardwright.game.errors",
    "EntrantStanding": "cardwright.arena.findings",
    "Estimate": "cardwright.statistics.sample",
    "Evaluated": "cardwright.evolution.evaluation",
    "Evolution": "cardwright.evolution.evolution",
    "EvolutionError": "cardwright.evolution.errors",
    "EvolutionPlan": "cardwright.evolution.plan",
    "EvolutionProgress": "cardwright.evolution.progress",
    "EvolutionTiming": "cardwright.evolution.timing",
    "Executor": "cardwright.jobs.executor",
    "ExecutorError": "cardwright.jobs.executor",
    "Experiment": "cardwright.lab.experiment",
    "ExploitMethod": "cardwright.solve.exploiting",
    "ExploitPlan": "cardwright.solve.exploiting",
    "Exploitability": "cardwright.solve.best_response",
    "Exploited": "cardwright.solve.exploiting",
    "Factor": "cardwright.lab.factor",
    "FactorKind": "cardwright.lab.factor",
    "FactorLevel": "cardwright.lab.factor",
    "FactsError": "cardwright.game.settings",
    "FastView": "cardwright.game.actions.fast_view",
    "FastViewSpec": "cardwright.game.actions.fast_view",
    "FaultKind": "cardwright.arena.faults",
    "FilledCell": "cardwright.evolution.methods.landscape",
    "Findings": "cardwright.lab.findings",
    "FlatMonteCarlo": "cardwright.players.monte_carlo",
    "FlatPlan": "cardwright.game.search",
    "FlatReward": "cardwright.players.monte_carlo",
    "FlatTable": "cardwright.game.search",
    "FunnelPlan": "cardwright.evolution.funnel.plan",
    "FunnelStep": "cardwright.evolution.evaluation",
    "Game": "cardwright.game.game",
    "GameError": "cardwright.game.errors",
    "GameFileError": "cardwright.game.errors",
    "GameLimits": "cardwright.interpreter.machine",
    "GameRecord": "cardwright.arena.referee",
    "GameRef": "cardwright.arena.plan",
    "GameSeeds": "cardwright.game.seeds",
    "GameTree": "cardwright.solve.tree",
    "GenerationSummary": "cardwright.evolution.generation",
    "HeuristicRow": "cardwright.analysis.heuristics",
    "Hierarchy": "cardwright.hearts.hierarchy",
    "HierarchyError": "cardwright.hearts.hierarchy",
    "HierarchyPlayer": "cardwright.hearts.hierarchy",
    "HierarchyStep": "cardwright.hearts.hierarchy",
    "Horizon": "cardwright.game.search",
    "IllegalOptionError": "cardwright.game.errors",
    "InformationSet": "cardwright.solve.tree",
    "Ismcts": "cardwright.players.monte_carlo",
    "Judged": "cardwright.evolution.methods.method",
    "KeepError": "cardwright.evolution.variation.keep",
    "KeptTree": "cardwright.game.native.search",
    "Knowledge": "cardwright.game.information.knowledge",
    "KnowledgeMode": "cardwright.game.information.knowledge",
    "LabError": "cardwright.lab.errors",
    "LabPlan": "cardwright.lab.plan",
    "LabPlayer": "cardwright.lab.factor",
    "LeagueFileError": "cardwright.league.roster",
    "LeagueRules": "cardwright.league.dealer",
    "LeagueStandings": "cardwright.league.standings",
    "LevelError": "cardwright.jail.level",
    "LocalExploitability": "cardwright.solve.exploiting",
    "Location": "cardwright.program.cards",
    "LocationKind": "cardwright.program.cards",
    "LocationTextError": "cardwright.game.errors",
    "MapShape": "cardwright.evolution.methods.landscape",
    "Mate": "cardwright.evolution.plan",
    "Matrix": "cardwright.arena.matrix",
    "MethodError": "cardwright.evolution.methods.errors",
    "MissingExtraError": "cardwright.extras",
    "NamedMeasure": "cardwright.analysis.report.names",
    "Namer": "cardwright.game.wording.naming",
    "NewGameError": "cardwright.authoring.new_game",
    "NewSeasonError": "cardwright.league.new",
    "NoPlainTextError": "cardwright.game.errors",
    "NoRecordError": "cardwright.game.errors",
    "Noise": "cardwright.lab.findings",
    "NotFoundError": "cardwright.game.errors",
    "NotHeartsError": "cardwright.hearts.family",
    "Note": "cardwright.players.player",
    "NotedFault": "cardwright.arena.results",
    "ObservationLayout": "cardwright.game.actions.observation",
    "Observers": "cardwright.players.monte_carlo",
    "Option": "cardwright.game.option",
    "OptionStatistics": "cardwright.game.search",
    "OptionTextError": "cardwright.game.errors",
    "Order": "cardwright.hearts.hierarchy",
    "OrderMode": "cardwright.hearts.hierarchy",
    "OriginalError": "cardwright.evolution.original",
    "Outcomes": "cardwright.lab.outcomes",
    "OwnPlayer": "cardwright.arena.entrants",
    "ParameterSpec": "cardwright.hearts.selectors",
    "ParetoFront": "cardwright.evolution.methods.landscape",
    "Picks": "cardwright.game.actions.kernel_tables",
    "PimcUct": "cardwright.players.monte_carlo",
    "PlanError": "cardwright.arena.plan",
    "Player": "cardwright.players.player",
    "PlayerFault": "cardwright.arena.faults",
    "PlayerSpec": "cardwright.players.spec",
    "PlayerSpecError": "cardwright.players.kind",
    "PolicyExploitability": "cardwright.solve.exploit",
    "PositionFailure": "cardwright.authoring.position_run",
    "PositionFileError": "cardwright.authoring.toml_entry",
    "PositionOutcome": "cardwright.authoring.position_run",
    "Precision": "cardwright.lab.plan",
    "RandomGames": "cardwright.game.native.random_games",
    "RandomPlayer": "cardwright.players.player",
    "Ratings": "cardwright.arena.ratings",
    "RecordsError": "cardwright.jobs.errors",
    "Related": "cardwright.syntax.diagnostic",
    "Response": "cardwright.lab.response",
    "ResponseRollouts": "cardwright.solve.exploiting",
    "Results": "cardwright.arena.results",
    "Rollouts": "cardwright.game.search",
    "Roster": "cardwright.league.roster",
    "RosterEntry": "cardwright.league.roster",
    "RuleChange": "cardwright.authoring.rule_difference.rule_change",
    "RunPlan": "cardwright.arena.plan",
    "Running": "cardwright.arena.summary",
    "Sample": "cardwright.statistics.sample",
    "ScheduleError": "cardwright.arena.schedule",
    "ScoreRange": "cardwright.arena.score_range",
    "ScoreRangeError": "cardwright.arena.score_range",
    "SearchResult": "cardwright.game.search",
    "SearchReward": "cardwright.game.search",
    "SearchTask": "cardwright.game.search",
    "SearchWorlds": "cardwright.game.search",
    "Season": "cardwright.league.records",
    "SeasonError": "cardwright.league.plan",
    "SeasonOutcome": "cardwright.league.outcome",
    "SeasonPlan": "cardwright.league.plan",
    "Seat": "cardwright.program.cards",
    "SeatEffect": "cardwright.arena.findings",
    "SeatSequences": "cardwright.solve.sequences",
    "SeatSummary": "cardwright.arena.summary",
    "Seating": "cardwright.lab.plan",
    "SeenDecision": "cardwright.game.option",
    "Selector": "cardwright.hearts.selectors",
    "SelectorList": "cardwright.lab.factor",
    "SequenceForm": "cardwright.solve.sequences",
    "SequenceLevel": "cardwright.solve.sequences",
    "Sequential": "cardwright.lab.plan",
    "SequentialTest": "cardwright.statistics.sequential",
    "SettingError": "cardwright.game.settings",
    "Severity": "cardwright.syntax.diagnostic",
    "Shift": "cardwright.lab.findings",
    "SimulationJob": "cardwright.arena.simulation",
    "SimulationResult": "cardwright.arena.simulation",
    "SolveError": "cardwright.solve.errors",
    "SolveMethod": "cardwright.solve.solving",
    "Source": "cardwright.syntax.source",
    "Span": "cardwright.syntax.source",
    "State": "cardwright.game.game",
    "Statistic": "cardwright.lab.findings",
    "Strategy": "cardwright.players.strategy",
    "StrategyError": "cardwright.players.strategy",
    "StrategyOption": "cardwright.players.strategy",
    "StrategySet": "cardwright.players.strategy",
    "Stream": "cardwright.interpreter.stream",
    "StudiedGame": "cardwright.study.games",
    "StudyPlan": "cardwright.study.plan",
    "StudySettings": "cardwright.study.settings",
    "Summary": "cardwright.arena.summary",
    "TellSolving": "cardwright.solve.solving",
    "TestedDifference": "cardwright.arena.findings",
    "TestedEffect": "cardwright.lab.findings",
    "TextPosition": "cardwright.syntax.source",
    "Tie": "cardwright.hearts.hierarchy",
    "Timing": "cardwright.arena.results",
    "TreeTooLargeError": "cardwright.solve.errors",
    "UntrustedPlayerError": "cardwright.players.kind",
    "Trials": "cardwright.game.search",
    "UndoError": "cardwright.game.errors",
    "UnreadableFileError": "cardwright.game.errors",
    "UnreadablePickleError": "cardwright.game.errors",
    "Unseen": "cardwright.game.option",
    "Utility": "cardwright.solve.utility",
    "Variation": "cardwright.evolution.variation.vary",
    "Verdict": "cardwright.statistics.sequential",
    "View": "cardwright.game.option",
    "WorkerError": "cardwright.jobs.executor",
    "analyze": "cardwright.study.analyze",
    "analyze_variants": "cardwright.study.analyze",
    "apply_edits": "cardwright.syntax.edit",
    "best_response": "cardwright.solve.best_response",
    "draw_figure": "cardwright.study.figure",
    "draw_figures": "cardwright.study.gallery",
    "evolve": "cardwright.evolution.evolve",
    "explain_diff": "cardwright.authoring.rule_difference.explain_diff",
    "exploit_player": "cardwright.solve.exploiting",
    "exploitability": "cardwright.solve.best_response",
    "game_seeds": "cardwright.game.seeds",
    "game_tree": "cardwright.solve.build",
    "ladder": "cardwright.arena.play",
    "load_strategy": "cardwright.players.strategy",
    "new_game": "cardwright.authoring.new_game",
    "new_season": "cardwright.league.new",
    "order": "cardwright.hearts.hierarchy",
    "play_game": "cardwright.arena.play",
    "play_match": "cardwright.arena.play",
    "play_random": "cardwright.game.native.random_games",
    "play_season": "cardwright.league.play_season",
    "player": "cardwright.arena.entrants",
    "read_evolution": "cardwright.evolution.evolve",
    "read_experiment": "cardwright.lab.experiment",
    "read_season": "cardwright.league.records",
    "run_experiment": "cardwright.lab.experiment",
    "run_positions": "cardwright.authoring.position_run",
    "simulate": "cardwright.arena.simulation",
    "solve_game": "cardwright.solve.solving",
    "tournament": "cardwright.arena.play",
}
"""The module of each public name."""

__all__ = [
    "Actions",
    "Aim",
    "AimError",
    "AnalysisError",
    "AnalysisReport",
    "Back",
    "Bandit",
    "Batch",
    "BestResponse",
    "Better",
    "BotFault",
    "BotLimits",
    "BotStanding",
    "BotText",
    "Branch",
    "Candidate",
    "CandidateChange",
    "CaptionLine",
    "Card",
    "CardwrightError",
    "CellMean",
    "Chance",
    "ChanceError",
    "ChangeFamily",
    "ChangeKind",
    "ChangedGameError",
    "CheatingMcts",
    "Checked",
    "Code",
    "Comparison",
    "ComparisonCell",
    "Content",
    "ContestReport",
    "ContestSettings",
    "Contrast",
    "ContrastReading",
    "DamagedError",
    "DealArrays",
    "Decision",
    "Departure",
    "DepartureCount",
    "DepartureReason",
    "Design",
    "Diagnostic",
    "Diagnostics",
    "Difference",
    "DrawnFigure",
    "Edit",
    "Effect",
    "Elite",
    "EliteMap",
    "EngineError",
    "EntrantStanding",
    "Estimate",
    "Evaluated",
    "Evolution",
    "EvolutionError",
    "EvolutionPlan",
    "EvolutionProgress",
    "EvolutionTiming",
    "Executor",
    "ExecutorError",
    "Experiment",
    "ExploitMethod",
    "ExploitPlan",
    "Exploitability",
    "Exploited",
    "Factor",
    "FactorKind",
    "FactorLevel",
    "FactsError",
    "FastView",
    "FastViewSpec",
    "FaultKind",
    "FigureFiles",
    "FilledCell",
    "Findings",
    "FlatMonteCarlo",
    "FlatPlan",
    "FlatReward",
    "FlatTable",
    "FunnelPlan",
    "FunnelStep",
    "Game",
    "GameError",
    "GameFileError",
    "GameLimits",
    "GameRecord",
    "GameRef",
    "GameSeeds",
    "GameTree",
    "GenerationSummary",
    "HeuristicRow",
    "Hierarchy",
    "HierarchyError",
    "HierarchyPlayer",
    "HierarchyStep",
    "Horizon",
    "IllegalOptionError",
    "InformationSet",
    "Ismcts",
    "Judged",
    "KeepError",
    "KeptTree",
    "Knowledge",
    "KnowledgeMode",
    "LabError",
    "LabPlan",
    "LabPlayer",
    "LeagueFileError",
    "LeagueRules",
    "LeagueStandings",
    "LevelError",
    "LocalExploitability",
    "Location",
    "LocationKind",
    "LocationTextError",
    "MapShape",
    "Mate",
    "Matrix",
    "MethodError",
    "MissingExtraError",
    "NamedMeasure",
    "Namer",
    "NewGameError",
    "NewSeasonError",
    "NoPlainTextError",
    "NoRecordError",
    "Noise",
    "NotFoundError",
    "NotHeartsError",
    "Note",
    "NotedFault",
    "ObservationLayout",
    "Observers",
    "Option",
    "OptionStatistics",
    "OptionTextError",
    "Order",
    "OrderMode",
    "OriginalError",
    "Outcomes",
    "OwnPlayer",
    "ParameterSpec",
    "ParetoFront",
    "Picks",
    "PimcUct",
    "PlanError",
    "Player",
    "PlayerFault",
    "PlayerSpec",
    "PlayerSpecError",
    "PolicyExploitability",
    "PositionFailure",
    "PositionFileError",
    "PositionOutcome",
    "Precision",
    "RandomGames",
    "RandomPlayer",
    "Ratings",
    "RecordsError",
    "Related",
    "Response",
    "ResponseRollouts",
    "Results",
    "Rollouts",
    "Roster",
    "RosterEntry",
    "RuleChange",
    "RunPlan",
    "Running",
    "Sample",
    "ScheduleError",
    "ScoreRange",
    "ScoreRangeError",
    "SearchResult",
    "SearchReward",
    "SearchTask",
    "SearchWorlds",
    "Season",
    "SeasonError",
    "SeasonOutcome",
    "SeasonPlan",
    "Seat",
    "SeatEffect",
    "SeatSequences",
    "SeatSummary",
    "Seating",
    "SeenDecision",
    "Selector",
    "SelectorList",
    "SequenceForm",
    "SequenceLevel",
    "Sequential",
    "SequentialTest",
    "SettingError",
    "Severity",
    "Shift",
    "SimulationJob",
    "SimulationResult",
    "SolveError",
    "SolveMethod",
    "Source",
    "Span",
    "State",
    "Statistic",
    "Strategy",
    "StrategyError",
    "StrategyOption",
    "StrategySet",
    "Stream",
    "StudiedGame",
    "StudyPlan",
    "StudySettings",
    "Summary",
    "TellSolving",
    "TestedDifference",
    "TestedEffect",
    "TextPosition",
    "Tie",
    "Timing",
    "TreeTooLargeError",
    "Trials",
    "UndoError",
    "UnreadableFileError",
    "UnreadablePickleError",
    "Unseen",
    "UntrustedPlayerError",
    "Utility",
    "Variation",
    "Verdict",
    "View",
    "WorkerError",
    "__version__",
    "analyze",
    "analyze_variants",
    "apply_edits",
    "best_response",
    "draw_figure",
    "draw_figures",
    "evolve",
    "explain_diff",
    "exploit_player",
    "exploitability",
    "game_seeds",
    "game_tree",
    "ladder",
    "load_strategy",
    "new_game",
    "new_season",
    "order",
    "play_game",
    "play_match",
    "play_random",
    "play_season",
    "player",
    "read_evolution",
    "read_experiment",
    "read_season",
    "run_experiment",
    "run_positions",
    "simulate",
    "solve_game",
    "tournament",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'cardwright' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
