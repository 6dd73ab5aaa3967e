from cardwright.lab.contrast import Contrast as Contrast
from cardwright.lab.contrast import ContrastReading as ContrastReading
from cardwright.lab.experiment import Experiment as Experiment
from cardwright.lab.experiment import read_experiment as read_experiment
from cardwright.lab.factor import (
    Factor as Factor,
)
from cardwright.lab.factor import (
    FactorKind as FactorKind,
)
from cardwright.lab.factor import (
    FactorLevel as FactorLevel,
)
from cardwright.lab.factor import (
    LabPlayer as LabPlayer,
)
from cardwright.lab.factor import (
    SelectorList as SelectorList,
)
from cardwright.lab.findings import (
    CellMean as CellMean,
)
from cardwright.lab.findings import (
    Effect as Effect,
)
from cardwright.lab.findings import (
    Findings as Findings,
)
from cardwright.lab.findings import (
    Noise as Noise,
)
from cardwright.lab.findings import (
    Shift as Shift,
)
from cardwright.lab.findings import (
    Statistic as Statistic,
)
from cardwright.lab.findings import (
    TestedEffect as TestedEffect,
)
from cardwright.lab.outcomes import Outcomes as Outcomes
from cardwright.lab.plan import (
    Design as Design,
)
from cardwright.lab.plan import (
    LabPlan as LabPlan,
)
from cardwright.lab.plan import (
    Precision as Precision,
)
from cardwright.lab.plan import (
    Seating as Seating,
)
from cardwright.lab.plan import (
    Sequential as Sequential,
)
from cardwright.lab.response import Better as Better
from cardwright.lab.response import Response as Response
