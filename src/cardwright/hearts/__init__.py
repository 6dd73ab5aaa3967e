"""Hearts and similar games: cards as text, what a player sees, and players that know them."""

from __future__ import annotations

from cardwright._public import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
