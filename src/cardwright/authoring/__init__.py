"""What authors of games work with: checks of the file beside a game, positions, and new games."""

from __future__ import annotations

from cardwright._public import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
