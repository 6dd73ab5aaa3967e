"""Answers: the option that a person means by a number or by cards, and help with invalid ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardwright.game.errors import OptionTextError
from cardwright.game.wording.option_text import FEW, OptionTexts, read_cards

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.game.wording.describe import DescribedOption
    from cardwright.program.cards import Card
    from cardwright.table.session import PlaySession

_INDEX = re.compile("[0-9]{1,9}")


def read_answer(text: str, session: PlaySession, *, numbered: bool = True) -> int:
    """Return the index of the option that an answer means, read like `State.parse`.

    Numbers of options count only if they are `numbered`: nobody chooses what was not shown. Raises
    OptionTextError, which says what is wrong and which command helps.
    """
    choices = session.choices()
    known = session.namer, session.game.cards, session.hand(), session.reason
    texts = OptionTexts(choices, *known, also=session.rule_words(), players=session.names)
    try:
        if numbered or not _INDEX.fullmatch(text):
            return texts.index(text, numbered=numbered)
        return texts.named(text)
    except OptionTextError as error:
        if not numbered and _INDEX.fullmatch(text):
            raise OptionTextError(
                "these options have no numbers until `options` has listed them; name cards instead"
            ) from None
        raise OptionTextError(_helped(error, choices)) from None


def answered_cards(text: str, session: PlaySession) -> list[Card]:
    """Return the cards that an answer names, of the hand or of any option.

    Raises OptionTextError like `read_answer`.
    """
    choices = session.choices()
    nameable = [*(card for choice in choices for card in choice.cards), *session.hand()]
    try:
        return read_cards(text, session.namer, nameable, session.game.cards)
    except OptionTextError as error:
        raise OptionTextError(_helped(error, choices)) from None


def _helped(error: OptionTextError, choices: Sequence[DescribedOption]) -> str:
    """Return the message at the terminal for a text that is not understood."""
    if error.unknown:
        return f"{error.unknown!r} is neither a card nor a command; `help` lists what you can write"
    if not error.found:
        return f"{error}; `options` lists them all"
    if len(error.found) > FEW:
        return str(error)
    lines = (f"  {index}  {choices[index].words}" for index in error.found)
    return "\n".join([f"{error}:", *lines])


def how_to_answer(
    choices: Sequence[DescribedOption], card: Callable[[Card], str], names: Sequence[str]
) -> str | None:
    """Return how to name a player, if options differ by players; `card` formats cards."""
    naming = [choice for choice in choices if choice.players]
    if len({choice.players for choice in naming}) < 2:
        return None
    player = names[naming[0].players[0]]
    if naming[0].cards:
        example = f"{player} {card(naming[0].cards[0])}"
        return f"write a number, or the player and a card that you mean: {example}"
    return f"write a number, or the player that you mean: {player}"
