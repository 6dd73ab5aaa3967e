from cardwright.evolution.aim import Aim as Aim
from cardwright.evolution.candidate import (
    Candidate as Candidate,
    CandidateChange as CandidateChange,
    ChangeFamily as ChangeFamily,
    Departure as Departure,
    DepartureReason as DepartureReason,
    Evaluated as Evaluated,
    FunnelStep as FunnelStep,
)
from cardwright.evolution.evolve import read_evolution as read_evolution
from cardwright.evolution.generation import (
    DepartureCount as DepartureCount,
    EvolutionProgress as EvolutionProgress,
    EvolutionTiming as EvolutionTiming,
    GenerationSummary as GenerationSummary,
)
from cardwright.evolution.methods.method import (
    EliteMap as EliteMap,
    Judged as Judged,
    MapShape as MapShape,
    ParetoFront as ParetoFront,
)
from cardwright.evolution.pipeline import FunnelPlan as FunnelPlan
from cardwright.evolution.plan import EvolutionPlan as EvolutionPlan, Mate as Mate
from cardwright.evolution.results import Elite as Elite, Evolution as Evolution
from cardwright.evolution.variation.vary import Variation as Variation
