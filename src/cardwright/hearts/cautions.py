"""What players of Hearts do not see in a game of the family, said before they play it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.game.engines import EngineError
from cardwright.hearts.cards import RANKS, SUIT_NAMES, cards_of
from cardwright.hearts.family import family_of
from cardwright.hearts.hierarchy import HierarchyPlayer

if TYPE_CHECKING:
    from cardwright.game.game import Game
    from cardwright.hearts.family import HeartsFamily
    from cardwright.players.player import Player

_TRICKS = {
    "EACHTRICK": "each trick",
    "FIRSTTAKEN": "the first trick",
    "LASTTAKEN": "the last trick",
    "NOTRICKS": "taking no trick",
}
"""Constants that price tricks, whatever cards are in them."""

_BONUS_STEPS = {"take_bonus"}


def needs_family(_player: Player, game: Game) -> None:
    """Raise NotHeartsError for a game that is not of the Hearts family."""
    family_of(game)


def needs_search(player: Player, game: Game) -> None:
    """Raise NotHeartsError as `needs_family` does, and EngineError where no tree is searched."""
    needs_family(player, game)
    if game.engine_name != "native":
        raise EngineError(
            f"this player needs the native engine, and this game is played by the "
            f"{game.engine_name}: take rule or hierarchy, or the native engine"
        )


def blind_spots(player: Player, game: Game) -> str | None:
    """Return what rules of thumb do not see in a game, as a sentence; None if they see it all.

    Raises NotHeartsError for a game that is not of the Hearts family.
    """
    family = family_of(game)
    if family.name == "knaves":
        return "tricks count for who takes them, and it takes as few as it can"
    found = []
    prices = [
        f"{what} ({value:+})"
        for name, what in _TRICKS.items()
        if isinstance(value := game.declared.get(name, 0), int) and value
    ]
    if prices:
        found.append(f"it does not see what {' and '.join(prices)} counts")
    if family.bonuses and isinstance(player, HierarchyPlayer) and not _takes_bonuses(player):
        found.append(
            f"it leaves {_named(family)} to the others, which is good to have: its lists "
            "have no `take_bonus`"
        )
    return "; ".join(found) or None


def _takes_bonuses(player: HierarchyPlayer) -> bool:
    lists = player.hierarchy
    return any(
        step.selector.name in _BONUS_STEPS
        for listed in (lists.second, lists.third, lists.fourth)
        if listed is not None
        for step in listed.steps
    )


def _named(family: HeartsFamily) -> str:
    names = {"J": "jack", "Q": "queen", "K": "king", "A": "ace", "T": "ten"}
    return " and ".join(
        f"the {names.get(RANKS[card & 15], RANKS[card & 15])} of {SUIT_NAMES[card >> 4]}"
        for card in cards_of(family.bonuses)
    )
