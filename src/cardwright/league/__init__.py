"""A league of Hearts: rosters, schedules, seasons of games between bots, and their tables."""

from __future__ import annotations

from cardwright._public import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
