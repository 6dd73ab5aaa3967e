"""Games of the library for machine code, each loaded when a test asks for it and then kept."""

from __future__ import annotations

from cardwright import Game


class _Loaded(dict[str, Game]):
    def __missing__(self, name: str) -> Game:
        self[name] = Game.load(name, engine="native")
        return self[name]


NATIVE = _Loaded()
