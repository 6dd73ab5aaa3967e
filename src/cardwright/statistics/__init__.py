"""Intervals, tests and resampling: what samples can tell; and the table of measures."""

from __future__ import annotations

from cardwright._public import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
