from cardwright.evolution.aim import Aim as Aim
from cardwright.evolution.candidate import (
    Candidate as Candidate,
)
from cardwright.evolution.candidate import (
    CandidateChange as CandidateChange,
)
from cardwright.evolution.candidate import (
    ChangeFamily as ChangeFamily,
)
from cardwright.evolution.candidate import (
    Departure as Departure,
)
from cardwright.evolution.candidate import (
    DepartureReason as DepartureReason,
)
from cardwright.evolution.candidate import (
    Evaluated as Evaluated,
)
from cardwright.evolution.candidate import (
    FunnelStep as FunnelStep,
)
from cardwright.evolution.evolve import read_evolution as read_evolution
from cardwright.evolution.generation import (
    DepartureCount as DepartureCount,
)
from cardwright.evolution.generation import (
    EvolutionProgress as EvolutionProgress,
)
from cardwright.evolution.generation import (
    EvolutionTiming as EvolutionTiming,
)
from cardwright.evolution.generation import (
    GenerationSummary as GenerationSummary,
)
from cardwright.evolution.methods.method import (
    EliteMap as EliteMap,
)
from cardwright.evolution.methods.method import (
    Judged as Judged,
)
from cardwright.evolution.methods.method import (
    MapShape as MapShape,
)
from cardwright.evolution.methods.method import (
    ParetoFront as ParetoFront,
)
from cardwright.evolution.pipeline import FunnelPlan as FunnelPlan
from cardwright.evolution.plan import EvolutionPlan as EvolutionPlan
from cardwright.evolution.plan import Mate as Mate
from cardwright.evolution.results import Elite as Elite
from cardwright.evolution.results import Evolution as Evolution
from cardwright.evolution.variation.vary import Variation as Variation
