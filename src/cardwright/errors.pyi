from cardwright.analysis.errors import AnalysisError as AnalysisError
from cardwright.arena.bounds import ScoreRangeError as ScoreRangeError
from cardwright.arena.plan import ChangedGameError as ChangedGameError, PlanError as PlanError
from cardwright.arena.schedule import ScheduleError as ScheduleError
from cardwright.authoring.new_game import NewGameError as NewGameError
from cardwright.authoring.position import PositionFileError as PositionFileError
from cardwright.endgames.errors import EndgameError as EndgameError
from cardwright.evolution.errors import (
    AimError as AimError,
    EvolutionError as EvolutionError,
    KeepError as KeepError,
    MethodError as MethodError,
    OriginalError as OriginalError,
)
from cardwright.extras import MissingExtraError as MissingExtraError
from cardwright.game.errors import (
    CardwrightError as CardwrightError,
    ChanceError as ChanceError,
    EngineError as EngineError,
    GameError as GameError,
    GameFileError as GameFileError,
    IllegalOptionError as IllegalOptionError,
    LocationTextError as LocationTextError,
    NoPlainTextError as NoPlainTextError,
    NoRecordError as NoRecordError,
    NotFoundError as NotFoundError,
    OptionTextError as OptionTextError,
    UndoError as UndoError,
    UnreadableFileError as UnreadableFileError,
    UnreadablePickleError as UnreadablePickleError,
)
from cardwright.game.settings import FactsError as FactsError, SettingError as SettingError
from cardwright.hearts.family import NotHeartsError as NotHeartsError
from cardwright.hearts.hierarchy import HierarchyError as HierarchyError
from cardwright.jobs.executor import ExecutorError as ExecutorError, WorkerError as WorkerError
from cardwright.jobs.files import DamagedError as DamagedError, RecordsError as RecordsError
from cardwright.lab.factor import LabError as LabError
from cardwright.league.plan import SeasonError as SeasonError
from cardwright.league.roster import LeagueFileError as LeagueFileError
from cardwright.league.season import NewSeasonError as NewSeasonError
from cardwright.players.kind import (
    PlayerSpecError as PlayerSpecError,
    UntrustedPlayerError as UntrustedPlayerError,
)
from cardwright.players.strategy import StrategyError as StrategyError
from cardwright.sandbox.limits import LevelError as LevelError
from cardwright.solve.tree import SolveError as SolveError, TreeTooLargeError as TreeTooLargeError
