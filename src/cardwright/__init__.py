"""Card games from their rules, written in RECYCLE: checked, played, studied.

    >>> from cardwright import Game
    >>> state = Game.load("hearts").start(seed=1)
    >>> len(state.options()) <= 13
    True

Here are the names that most programs need. The others are in public modules: `cardwright.errors`,
`diagnostics`, `game`, `players`, `arena`, `analysis`, `lab`, `evolution`, `league`, `solve`,
`hearts`, `authoring`, `statistics` and `jobs`. All are loaded when they are first used, so that
importing the package is cheap.
"""

from __future__ import annotations

from cardwright._public import lazily
from cardwright._version import __version__ as __version__

__getattr__, __dir__ = lazily(__name__, __file__)
