from cardwright.endgames.open_hands import (
    EndgameMethod as EndgameMethod,
    SolvedEndgame as SolvedEndgame,
    solve_open_hands as solve_open_hands,
)
from cardwright.solve.build import game_tree as game_tree
from cardwright.solve.exploiting import (
    Exploited as Exploited,
    ExploitMethod as ExploitMethod,
    ExploitPlan as ExploitPlan,
    LocalExploitability as LocalExploitability,
    PolicyExploitability as PolicyExploitability,
    ResponseRollouts as ResponseRollouts,
    exploit_player as exploit_player,
)
from cardwright.solve.sequences import (
    BestResponse as BestResponse,
    Exploitability as Exploitability,
    SeatSequences as SeatSequences,
    SequenceForm as SequenceForm,
    SequenceLevel as SequenceLevel,
    best_response as best_response,
)
from cardwright.solve.solving import SolveMethod as SolveMethod, TellSolving as TellSolving
from cardwright.solve.tree import (
    GameTree as GameTree,
    InformationSet as InformationSet,
    Utility as Utility,
)
