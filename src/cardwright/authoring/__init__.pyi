from cardwright.authoring.position_run import (
    PositionFailure as PositionFailure,
    PositionOutcome as PositionOutcome,
)
from cardwright.authoring.rule_difference.comparison import ChangeKind as ChangeKind
from cardwright.authoring.rule_difference.sentences import RuleChange as RuleChange
