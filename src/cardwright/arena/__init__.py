"""Games played by players: the referee, contests, and their statistics."""

from __future__ import annotations

from cardwright._public import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
