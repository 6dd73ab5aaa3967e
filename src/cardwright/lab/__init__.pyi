from cardwright.lab.contrast import Contrast as Contrast, ContrastReading as ContrastReading
from cardwright.lab.experiment import Experiment as Experiment, read_experiment as read_experiment
from cardwright.lab.factor import (
    Factor as Factor,
    FactorKind as FactorKind,
    FactorLevel as FactorLevel,
    LabPlayer as LabPlayer,
    SelectorList as SelectorList,
)
from cardwright.lab.findings import (
    CellMean as CellMean,
    Effect as Effect,
    Findings as Findings,
    Noise as Noise,
    Shift as Shift,
    Statistic as Statistic,
    TestedEffect as TestedEffect,
)
from cardwright.lab.outcomes import Outcomes as Outcomes
from cardwright.lab.plan import (
    Design as Design,
    LabPlan as LabPlan,
    Precision as Precision,
    Seating as Seating,
    Sequential as Sequential,
)
from cardwright.lab.response import Better as Better, Response as Response
