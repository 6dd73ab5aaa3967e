from cardwright.game.actions.fast_view import FastView as FastView, FastViewSpec as FastViewSpec
from cardwright.game.actions.kernel_tables import Branch as Branch, Picks as Picks
from cardwright.game.actions.observation import ObservationLayout as ObservationLayout
from cardwright.game.chance import Chance as Chance
from cardwright.game.information.knowledge import KnowledgeMode as KnowledgeMode
from cardwright.game.likelihood import ChoiceModel as ChoiceModel, Inference as Inference
from cardwright.game.native.random_games import RandomGames as RandomGames
from cardwright.game.native.search import KeptTree as KeptTree
from cardwright.game.option import (
    Back as Back,
    Content as Content,
    SeenDecision as SeenDecision,
    Unseen as Unseen,
)
from cardwright.game.search import (
    FlatPlan as FlatPlan,
    FlatTable as FlatTable,
    Horizon as Horizon,
    OptionStatistics as OptionStatistics,
    PlayoutPolicy as PlayoutPolicy,
    Rollouts as Rollouts,
    SearchResult as SearchResult,
    SearchReward as SearchReward,
    SearchTask as SearchTask,
    SearchWorlds as SearchWorlds,
    Trials as Trials,
    WorldFigures as WorldFigures,
)
from cardwright.game.seeds import GameSeeds as GameSeeds, game_seeds as game_seeds
from cardwright.game.wording.naming import Namer as Namer
from cardwright.library.catalogue import CatalogueEntry as CatalogueEntry
from cardwright.program.cards import LocationKind as LocationKind
from cardwright.program.telling import Telling as Telling
