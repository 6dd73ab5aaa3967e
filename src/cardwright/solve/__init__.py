"""Games solved: trees of small games, equilibria, best responses and exploitability."""

from __future__ import annotations

from cardwright._public import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
