from cardwright.league.block import BotFault as BotFault
from cardwright.league.outputs import BotStanding as BotStanding, LeagueStandings as LeagueStandings
from cardwright.league.plan import BotText as BotText, SeasonPlan as SeasonPlan
from cardwright.league.records import (
    Season as Season,
    SeasonOutcome as SeasonOutcome,
    read_season as read_season,
)
from cardwright.league.roster import Roster as Roster, RosterEntry as RosterEntry
from cardwright.league.season import new_season as new_season
from cardwright.league.settings import (
    BotLimits as BotLimits,
    LeagueRules as LeagueRules,
    SeasonSettings as SeasonSettings,
)
