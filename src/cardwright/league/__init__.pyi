from cardwright.league.block import BotFault as BotFault
from cardwright.league.outputs import BotStanding as BotStanding
from cardwright.league.outputs import LeagueStandings as LeagueStandings
from cardwright.league.plan import BotText as BotText
from cardwright.league.plan import SeasonPlan as SeasonPlan
from cardwright.league.records import (
    Season as Season,
)
from cardwright.league.records import (
    SeasonOutcome as SeasonOutcome,
)
from cardwright.league.records import (
    read_season as read_season,
)
from cardwright.league.roster import Roster as Roster
from cardwright.league.roster import RosterEntry as RosterEntry
from cardwright.league.season import new_season as new_season
from cardwright.league.settings import (
    BotLimits as BotLimits,
)
from cardwright.league.settings import (
    LeagueRules as LeagueRules,
)
from cardwright.league.settings import (
    SeasonSettings as SeasonSettings,
)
