from cardwright.analysis.errors import AnalysisError as AnalysisError
from cardwright.arena.bounds import ScoreRangeError as ScoreRangeError
from cardwright.arena.plan import ChangedGameError as ChangedGameError
from cardwright.arena.plan import PlanError as PlanError
from cardwright.arena.schedule import ScheduleError as ScheduleError
from cardwright.authoring.new_game import NewGameError as NewGameError
from cardwright.authoring.position import PositionFileError as PositionFileError
from cardwright.evolution.errors import (
    AimError as AimError,
)
from cardwright.evolution.errors import (
    EvolutionError as EvolutionError,
)
from cardwright.evolution.errors import (
    KeepError as KeepError,
)
from cardwright.evolution.errors import (
    MethodError as MethodError,
)
from cardwright.evolution.errors import (
    OriginalError as OriginalError,
)
from cardwright.extras import MissingExtraError as MissingExtraError
from cardwright.game.errors import (
    CardwrightError as CardwrightError,
)
from cardwright.game.errors import (
    ChanceError as ChanceError,
)
from cardwright.game.errors import (
    EngineError as EngineError,
)
from cardwright.game.errors import (
    GameError as GameError,
)
from cardwright.game.errors import (
    GameFileError as GameFileError,
)
from cardwright.game.errors import (
    IllegalOptionError as IllegalOptionError,
)
from cardwright.game.errors import (
    LocationTextError as LocationTextError,
)
from cardwright.game.errors import (
    NoPlainTextError as NoPlainTextError,
)
from cardwright.game.errors import (
    NoRecordError as NoRecordError,
)
from cardwright.game.errors import (
    NotFoundError as NotFoundError,
)
from cardwright.game.errors import (
    OptionTextError as OptionTextError,
)
from cardwright.game.errors import (
    UndoError as UndoError,
)
from cardwright.game.errors import (
    UnreadableFileError as UnreadableFileError,
)
from cardwright.game.errors import (
    UnreadablePickleError as UnreadablePickleError,
)
from cardwright.game.settings import FactsError as FactsError
from cardwright.game.settings import SettingError as SettingError
from cardwright.hearts.family import NotHeartsError as NotHeartsError
from cardwright.hearts.hierarchy import HierarchyError as HierarchyError
from cardwright.jobs.executor import ExecutorError as ExecutorError
from cardwright.jobs.executor import WorkerError as WorkerError
from cardwright.jobs.files import DamagedError as DamagedError
from cardwright.jobs.files import RecordsError as RecordsError
from cardwright.lab.factor import LabError as LabError
from cardwright.league.plan import SeasonError as SeasonError
from cardwright.league.roster import LeagueFileError as LeagueFileError
from cardwright.league.season import NewSeasonError as NewSeasonError
from cardwright.players.kind import (
    PlayerSpecError as PlayerSpecError,
)
from cardwright.players.kind import (
    UntrustedPlayerError as UntrustedPlayerError,
)
from cardwright.players.strategy import StrategyError as StrategyError
from cardwright.sandbox.limits import LevelError as LevelError
from cardwright.solve.tree import SolveError as SolveError
from cardwright.solve.tree import TreeTooLargeError as TreeTooLargeError
