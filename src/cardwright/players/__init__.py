"""Players: the protocol, and the players that come with Cardwright."""

from __future__ import annotations

from cardwright._public import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
