"""Two versions of a game compared in words: the differences, each a sentence."""

from cardwright.authoring.rule_difference.comparison import ChangeKind, Version, version_of
from cardwright.authoring.rule_difference.explain import explain_diff, explained, told
from cardwright.authoring.rule_difference.sentences import RuleChange

__all__ = ["ChangeKind", "RuleChange", "Version", "explain_diff", "explained", "told", "version_of"]
