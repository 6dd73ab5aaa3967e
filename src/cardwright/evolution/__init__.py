"""Design search: games near a given one, by variation of its rules and measures of their play."""

from __future__ import annotations

from cardwright._public import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
