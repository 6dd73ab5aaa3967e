from cardwright.arena.bounds import ScoreRange as ScoreRange
from cardwright.arena.deals import DealArrays as DealArrays
from cardwright.arena.entrants import OwnPlayer as OwnPlayer, kinds as kinds
from cardwright.arena.findings import (
    Difference as Difference,
    EntrantStanding as EntrantStanding,
    Matrix as Matrix,
    SeatEffect as SeatEffect,
    TestedDifference as TestedDifference,
)
from cardwright.arena.plan import GameRef as GameRef, RunPlan as RunPlan
from cardwright.arena.ratings import Ratings as Ratings
from cardwright.arena.referee import (
    FaultKind as FaultKind,
    GameRecord as GameRecord,
    PlayerFault as PlayerFault,
)
from cardwright.arena.results import NotedFault as NotedFault, Results as Results, Timing as Timing
from cardwright.arena.settings import ContestSettings as ContestSettings
from cardwright.arena.simulation import (
    Running as Running,
    SeatSummary as SeatSummary,
    SimulationJob as SimulationJob,
    Summary as Summary,
)
