"""Two versions of a game compared in words: the differences, each a sentence."""

from cardwright.authoring.rule_difference.explain import explain_diff, explained, told
from cardwright.authoring.rule_difference.version import ChangeKind, RuleChange, Version, version_of

__all__ = ["ChangeKind", "RuleChange", "Version", "explain_diff", "explained", "told", "version_of"]
