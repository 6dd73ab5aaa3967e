"""The strategy lab: experiments on what decides a game, with common deals and honest intervals."""

from __future__ import annotations

from cardwright._public import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
