from cardwright.game.actions.fast_view import FastView as FastView
from cardwright.game.actions.fast_view import FastViewSpec as FastViewSpec
from cardwright.game.actions.kernel_tables import Branch as Branch
from cardwright.game.actions.kernel_tables import Picks as Picks
from cardwright.game.actions.observation import ObservationLayout as ObservationLayout
from cardwright.game.chance import Chance as Chance
from cardwright.game.information.knowledge import KnowledgeMode as KnowledgeMode
from cardwright.game.native.random_games import RandomGames as RandomGames
from cardwright.game.native.search import KeptTree as KeptTree
from cardwright.game.option import (
    Back as Back,
)
from cardwright.game.option import (
    Content as Content,
)
from cardwright.game.option import (
    SeenDecision as SeenDecision,
)
from cardwright.game.option import (
    Unseen as Unseen,
)
from cardwright.game.search import (
    FlatPlan as FlatPlan,
)
from cardwright.game.search import (
    FlatTable as FlatTable,
)
from cardwright.game.search import (
    Horizon as Horizon,
)
from cardwright.game.search import (
    OptionStatistics as OptionStatistics,
)
from cardwright.game.search import (
    Rollouts as Rollouts,
)
from cardwright.game.search import (
    SearchResult as SearchResult,
)
from cardwright.game.search import (
    SearchReward as SearchReward,
)
from cardwright.game.search import (
    SearchTask as SearchTask,
)
from cardwright.game.search import (
    SearchWorlds as SearchWorlds,
)
from cardwright.game.search import (
    Trials as Trials,
)
from cardwright.game.seeds import GameSeeds as GameSeeds
from cardwright.game.seeds import game_seeds as game_seeds
from cardwright.game.wording.naming import Namer as Namer
from cardwright.program.cards import LocationKind as LocationKind
