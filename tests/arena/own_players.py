"""Players of one's own, in a module that worker processes can import."""

from __future__ import annotations


class Last:
    """Takes the last option."""

    def choose(self, decision):
        return decision.option_count - 1


class Drawing:
    """Draws one of the first options."""

    def __init__(self, most=2):
        self.most = most

    def choose(self, decision):
        return decision.stream.below(min(self.most, decision.option_count))


class Raising(Last):
    """Fails in the middle of a game."""

    def choose(self, decision):
        raise ValueError("no idea")
