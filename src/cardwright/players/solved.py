"""The player that plays a strategy from a file, as `cardwright solve` writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.players.strategy import StrategyError, content_text, load_strategy, places_of

if TYPE_CHECKING:
    from cardwright.players.player import Decision
    from cardwright.players.strategy import Strategy, StrategySet

_BITS = 64


class SolvedPlayer:
    """Draws each choice with the probabilities of its `strategy`, with one draw per decision.

    It chooses uniformly in information sets where a strategy by sampling has not been.
    """

    def __init__(self, strategy: Strategy, file: str = "the strategy") -> None:
        self.strategy = strategy
        self._file = file

    @classmethod
    def from_file(cls, file: str) -> SolvedPlayer:
        """Return a player of the strategy in a file; raises StrategyError."""
        return cls(load_strategy(file), file)

    def choose(self, decision: Decision) -> int:
        """Return the index drawn; raises StrategyError for any other game than the solved one."""
        found = self._found(decision)
        if found is None:
            return int(decision.stream.next() * decision.option_count >> _BITS)
        contents = map(content_text, decision.contents)
        places = places_of(contents, [option.content for option in found.options])
        drawn = decision.stream.next() / 2**_BITS
        last = 0
        for index, place in enumerate(places):
            probability = found.options[place].probability
            drawn -= probability
            last = index if probability else last
            if drawn < 0:
                return index
        return last

    def _found(self, decision: Decision) -> StrategySet | None:
        """Return the information set; None where a sampled strategy has not been."""
        game = decision.game
        if game.program.digest != self.strategy.digest:
            raise StrategyError(
                f"{self._file} is a strategy for {self.strategy.game} with other rules or values "
                f"than {game.name} as it is played here; solve that with `cardwright solve`"
            )
        found = self.strategy.by_key.get(decision.information.hex())
        if found is None and not self.strategy.sampled:
            raise StrategyError(
                f"{self._file} does not say what p{decision.seat + 1} does with what it has seen "
                "here; in an imagined state only the seat for which it was made has seen anything"
            )
        return found
