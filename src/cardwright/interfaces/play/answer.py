"""Answers: which option a person means by a number or by cards."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from cardwright.interfaces.play.card_text import AnswerError, read_cards

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.interfaces.play.described_option import DescribedOption
    from cardwright.interfaces.play.session import PlaySession
    from cardwright.program.cards import Card

_SHOWN = 6


def read_answer(text: str, session: PlaySession) -> int:
    """Return the index of the option that an answer means.

    That is a number, or the cards of the option; or some of them, if no other option has these.
    The player whom an option picks is named as `p2`, alone or before the cards.
    Raises AnswerError, which says what is wrong.
    """
    choices = session.choices()
    if re.fullmatch(r"[0-9]{1,9}", text):
        if int(text) < len(choices):
            return int(text)
        if not _is_card(text, session):
            last = len(choices) - 1
            raise AnswerError(f"there is no option {text}: they are numbered 0 to {last}")
    who = re.fullmatch(r"[pP]([1-9][0-9]{0,3})\b[\s,]*(.*)", text, re.DOTALL)
    if who and any(choice.players for choice in choices):
        seat, text = int(who[1]) - 1, who[2]
        choices = tuple(choice for choice in choices if seat in choice.players)
        if not choices:
            raise AnswerError(f"no option names p{seat + 1}; `options` lists them all")
    cards = read_cards(text, session.game, _nameable(session))
    if not cards and not who:
        raise AnswerError("write the number of an option, or a card; `help` says what else")
    return _meant(cards, choices, session)


def how_to_answer(choices: Sequence[DescribedOption], card: Callable[[Card], str]) -> str | None:
    """Say how to name a player, if options differ by players; `card` is how cards are shown."""
    naming = [choice for choice in choices if choice.players]
    if len({choice.players for choice in naming}) < 2:
        return None
    player = f"p{naming[0].players[0] + 1}"
    if naming[0].cards:
        example = f"{player} {card(naming[0].cards[0])}"
        return f"write a number, or the player and a card that you mean: {example}"
    return f"write a number, or the player whom you mean: {player}"


def _nameable(session: PlaySession) -> list[Card]:
    """Return the cards that an answer may name, those of the options first."""
    return [*(card for choice in session.choices() for card in choice.cards), *session.hand()]


def _is_card(text: str, session: PlaySession) -> bool:
    try:
        return bool(read_cards(text, session.game, _nameable(session)))
    except AnswerError:
        return False


def _meant(cards: Sequence[Card], choices: Sequence[DescribedOption], session: PlaySession) -> int:
    name = session.game.namer.card
    wanted = Counter(map(name, cards))
    having = [choice for choice in choices if wanted <= Counter(map(name, choice.cards))]
    exact = [choice for choice in having if len(choice.cards) == len(cards)]
    found = exact or having
    if len({choice.words for choice in found}) == 1:
        return found[0].index
    if found:
        raise AnswerError(_several(found, len(cards)))
    for card in cards:
        if reason := session.reason(card):
            raise AnswerError(f"{name(card)} cannot be chosen: {reason}")
    raise AnswerError("there is no option with these cards together; `options` lists them all")


def _several(found: Sequence[DescribedOption], named: int) -> str:
    """Say that an answer fits several options, and how to tell them apart."""
    sizes = sorted({len(choice.cards) for choice in found})
    if len(found) > _SHOWN:
        if sizes[0] == sizes[-1] > named:
            return f"name {sizes[0]} cards: you have named {named}"
        return f"{len(found)} options have this: name more cards, or the number of an option"
    lines = (f"  {choice.index}  {choice.words}" for choice in found)
    return "\n".join(["several options have this; write the number of one:", *lines])
