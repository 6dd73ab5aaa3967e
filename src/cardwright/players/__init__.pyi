from cardwright.players.kind import PlayerKind as PlayerKind
from cardwright.players.monte_carlo import (
    Bandit as Bandit,
)
from cardwright.players.monte_carlo import (
    CheatingMcts as CheatingMcts,
)
from cardwright.players.monte_carlo import (
    FlatReward as FlatReward,
)
from cardwright.players.monte_carlo import (
    Observers as Observers,
)
from cardwright.players.monte_carlo import (
    PimcUct as PimcUct,
)
from cardwright.players.player import Note as Note
from cardwright.players.spec import PlayerSpec as PlayerSpec
from cardwright.players.strategy import (
    Strategy as Strategy,
)
from cardwright.players.strategy import (
    StrategyOption as StrategyOption,
)
from cardwright.players.strategy import (
    StrategySet as StrategySet,
)
from cardwright.players.strategy import (
    load_strategy as load_strategy,
)
