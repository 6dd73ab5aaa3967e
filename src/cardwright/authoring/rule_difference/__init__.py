"""Two versions of a game compared in words: the differences, each a sentence."""

from cardwright.authoring.rule_difference.comparison import ChangeKind, Version, version_of
from cardwright.authoring.rule_difference.explain import differences, explain_diff, explained
from cardwright.authoring.rule_difference.sentences import RuleChange

__all__ = [
    "ChangeKind",
    "RuleChange",
    "Version",
    "differences",
    "explain_diff",
    "explained",
    "version_of",
]
