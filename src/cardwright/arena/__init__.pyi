from cardwright.arena.bounds import ScoreRange as ScoreRange
from cardwright.arena.deals import DealArrays as DealArrays
from cardwright.arena.entrants import OwnPlayer as OwnPlayer
from cardwright.arena.entrants import kinds as kinds
from cardwright.arena.findings import (
    Difference as Difference,
)
from cardwright.arena.findings import (
    EntrantStanding as EntrantStanding,
)
from cardwright.arena.findings import (
    Matrix as Matrix,
)
from cardwright.arena.findings import (
    SeatEffect as SeatEffect,
)
from cardwright.arena.findings import (
    TestedDifference as TestedDifference,
)
from cardwright.arena.plan import GameRef as GameRef
from cardwright.arena.plan import RunPlan as RunPlan
from cardwright.arena.ratings import Ratings as Ratings
from cardwright.arena.referee import (
    FaultKind as FaultKind,
)
from cardwright.arena.referee import (
    GameRecord as GameRecord,
)
from cardwright.arena.referee import (
    PlayerFault as PlayerFault,
)
from cardwright.arena.results import NotedFault as NotedFault
from cardwright.arena.results import Results as Results
from cardwright.arena.results import Timing as Timing
from cardwright.arena.settings import ContestSettings as ContestSettings
from cardwright.arena.simulation import (
    Running as Running,
)
from cardwright.arena.simulation import (
    SeatSummary as SeatSummary,
)
from cardwright.arena.simulation import (
    SimulationJob as SimulationJob,
)
from cardwright.arena.simulation import (
    Summary as Summary,
)
