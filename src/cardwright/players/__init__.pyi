from cardwright.players.kind import PlayerKind as PlayerKind
from cardwright.players.monte_carlo import (
    Bandit as Bandit,
    CheatingMcts as CheatingMcts,
    FlatReward as FlatReward,
    Observers as Observers,
    PimcUct as PimcUct,
)
from cardwright.players.player import Note as Note
from cardwright.players.spec import PlayerSpec as PlayerSpec
from cardwright.players.strategy import (
    Strategy as Strategy,
    StrategyOption as StrategyOption,
    StrategySet as StrategySet,
    load_strategy as load_strategy,
)
