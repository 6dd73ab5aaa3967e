"""All errors of the package, below `CardwrightError`: each says what is wrong and what to do."""

from __future__ import annotations

from cardwright._public import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
