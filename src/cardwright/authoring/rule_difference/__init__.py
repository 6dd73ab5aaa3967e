"""Two versions of a game compared in words: the differences, each a sentence."""

from cardwright.authoring.rule_difference.explain import explained, told
from cardwright.authoring.rule_difference.explain_diff import explain_diff
from cardwright.authoring.rule_difference.rule_change import ChangeKind, RuleChange
from cardwright.authoring.rule_difference.version import Version, version_of

__all__ = ["ChangeKind", "RuleChange", "Version", "explain_diff", "explained", "told", "version_of"]
