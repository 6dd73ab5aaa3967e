"""Options with the cards and players that each names, for people who answer in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.game.describe import describe
from cardwright.game.picked import picked_cards, picked_players
from cardwright.interpreter.effects import Moved
from cardwright.interpreter.world import sees

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.naming import Namer
    from cardwright.interpreter.effects import BuiltOption
    from cardwright.interpreter.world import World
    from cardwright.program.cards import Card


@dataclass(frozen=True)
class DescribedOption:
    """One option: its index, its wording, and what it names.

    It names the cards that the choosing seat sees, and the seats of the players that it picks.
    """

    index: int
    words: str
    cards: tuple[Card, ...]
    players: tuple[int, ...] = ()


def described_options(
    built: Sequence[BuiltOption], world: World, seat: int, namer: Namer
) -> tuple[DescribedOption, ...]:
    """Return the options of a world's decision, as the choosing seat sees them."""
    return tuple(
        DescribedOption(index, words, named_cards(option, world, seat), picked_players(option))
        for index, (option, words) in enumerate(
            zip(built, describe(built, world, seat, namer), strict=True)
        )
    )


def named_cards(option: BuiltOption, world: World, seat: int) -> tuple[Card, ...]:
    """Return the visible cards that an option picks and, if it can, moves.

    Without any that it picks and moves, they are those that it picks, or else those that it moves:
    of a group of equal cards that is picked to play one of them, it names that one.
    """
    picked = [card for pick in option.picks for card in picked_cards(pick)]
    moved = [effect.card for effect in option.effects if isinstance(effect, Moved)]
    both = [card for card in picked if card in moved]
    program = world.rules.program
    return tuple(
        program.cards[card]
        for card in dict.fromkeys(both or picked or moved)
        if sees(program, seat, world.where[card])
    )
