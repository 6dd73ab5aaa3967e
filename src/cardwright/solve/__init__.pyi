from cardwright.solve.build import game_tree as game_tree
from cardwright.solve.exploiting import (
    Exploited as Exploited,
)
from cardwright.solve.exploiting import (
    ExploitMethod as ExploitMethod,
)
from cardwright.solve.exploiting import (
    ExploitPlan as ExploitPlan,
)
from cardwright.solve.exploiting import (
    LocalExploitability as LocalExploitability,
)
from cardwright.solve.exploiting import (
    PolicyExploitability as PolicyExploitability,
)
from cardwright.solve.exploiting import (
    ResponseRollouts as ResponseRollouts,
)
from cardwright.solve.exploiting import (
    exploit_player as exploit_player,
)
from cardwright.solve.sequences import (
    BestResponse as BestResponse,
)
from cardwright.solve.sequences import (
    Exploitability as Exploitability,
)
from cardwright.solve.sequences import (
    SeatSequences as SeatSequences,
)
from cardwright.solve.sequences import (
    SequenceForm as SequenceForm,
)
from cardwright.solve.sequences import (
    SequenceLevel as SequenceLevel,
)
from cardwright.solve.sequences import (
    best_response as best_response,
)
from cardwright.solve.solving import SolveMethod as SolveMethod
from cardwright.solve.solving import TellSolving as TellSolving
from cardwright.solve.tree import (
    GameTree as GameTree,
)
from cardwright.solve.tree import (
    InformationSet as InformationSet,
)
from cardwright.solve.tree import (
    Utility as Utility,
)
