"""What the checker says of game files: diagnostics with their places, and edits that mend them."""

from __future__ import annotations

from cardwright._public import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
