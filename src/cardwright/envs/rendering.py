"""A state as lines of text: what one seat sees of it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from cardwright.game.option import Back

if TYPE_CHECKING:
    from cardwright.game.game import Game, State
    from cardwright.program.cards import Card

_FEW = 20
"""Most legal actions that are shown."""


def state_text(state: State) -> str:
    """Return what the seat that has to decide sees, with the actions that are legal.

    When the game is over it is what the first seat sees, and the scores.
    """
    game, seat = state.game, state.player
    lines = [f"{game.name}, {len(state.choices)} decisions made"]
    view = state.view(0 if seat is None else seat)
    for place, cards in view.locations.items():
        held = ", ".join(_cards(game, cards))
        lines.append(f"{game.namer.location(place)}: {held}")
    stored = [(owner, name, value) for (owner, name), value in view.integers.items()]
    stored += [(owner, name, value) for (owner, name), value in view.strings.items()]  # type: ignore[misc]
    lines += [f"{game.program.owner_name(owner)} {name}: {value}" for owner, name, value in stored]
    if seat is None:
        lines.append("scores: " + ", ".join(map(str, state.scores)))
        return "\n".join(lines)
    legal = [game.actions.name(action) for action in state.legal_actions()]
    more = [f"and {len(legal) - _FEW} more"] if len(legal) > _FEW else []
    if state.pending:
        lines.append("so far: " + "; ".join(map(game.actions.name, state.pending)))
    lines.append(f"p{seat + 1} has to decide: " + "; ".join([*legal[:_FEW], *more]))
    return "\n".join(lines)


def _cards(game: Game, cards: tuple[Card | Back, ...]) -> list[str]:
    names = ["?" if isinstance(card, Back) else game.namer.card(card) for card in cards]
    runs = [(name, len(list(same))) for name, same in groupby(names)]
    return [f"{count} x {name}" if count > 1 else name for name, count in runs]
