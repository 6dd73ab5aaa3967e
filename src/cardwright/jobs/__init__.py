"""Work that is cut into tasks: played by executors, kept in folders, resumed after a crash."""

from __future__ import annotations

from cardwright._public import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
