"""The study of recorded games: measures, statistics, figures, diagrams and reports."""

from __future__ import annotations

from cardwright._public import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
