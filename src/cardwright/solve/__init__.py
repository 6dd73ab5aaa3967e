"""Games solved: trees, equilibria, best responses and exploitability; endgames with open hands."""

from __future__ import annotations

from cardwright._public import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
