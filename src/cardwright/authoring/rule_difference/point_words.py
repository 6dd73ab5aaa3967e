"""Awards of point maps in sentences: what cards count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.authoring.rule_difference.phrasing import capital
from cardwright.game.wording.naming import plain_word
from cardwright.game.wording.phrases import listed
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from cardwright.authoring.rule_difference.part import Part
    from cardwright.authoring.rule_difference.value_words import ValueWords


def award_change(before: Part | None, after: Part | None, old: ValueWords, new: ValueWords) -> str:
    """Return what cards count instead, now or no longer; a part is None on a side without it."""
    if before is None or after is None:
        part, words = (before, old) if after is None else (after, new)
        assert part is not None
        cards, points, where = _said(part, words)
        if _others(part):
            less = "less" if after is None else "more"
            return f"{capital(cards)} counts {points} {less}{where}."
        verb = "no longer counts" if after is None else "now counts"
        return f"{capital(cards)} {verb} {points}{where}."
    cards, points, where = _said(after, new)
    cards_before, points_before, _ = _said(before, old)
    if cards == cards_before:
        return f"{capital(cards)} counts {points} instead of {points_before}{where}."
    if points == points_before:
        return f"{capital(cards)} counts {points}{where}, instead of {cards_before}."
    return (
        f"{capital(cards)} counts {points}{where}; before, {cards_before} counted {points_before}."
    )


def _said(part: Part, words: ValueWords) -> tuple[str, str, str]:
    """Return the cards of an award, its points, and in which map, if there are several."""
    award = part.node
    assert isinstance(award, n.Award)
    maps = [node for node in words.version.nodes if isinstance(node, n.SetPoints)]
    own = part.parent.node if part.parent is not None else None
    several = len({words.map_name(one.storage) for one in maps}) > 1
    where = f" in {words.map_name(own.storage)}" if several and isinstance(own, n.SetPoints) else ""
    return award_cards(award, words), words.value(award.points), where


def _others(part: Part) -> bool:
    """Return whether another award of the same map is for the same cards."""
    around = part.parent.field("awards") if part.parent is not None else ()
    mine = _digests(part)
    return any(_digests(one) == mine for one in around if one is not part)


def _digests(part: Part) -> list[int]:
    return [one.digest for name in ("keys", "values") for one in part.field(name)]


def _one_card(award: n.Award, words: ValueWords) -> str:
    """Return the name of the cards for which an award is, if it is one name."""
    wanted = {
        key.value: value.value
        for key, value in zip(award.keys, award.values, strict=True)
        if isinstance(key, n.Text) and isinstance(value, n.Text)
    }
    cards = [
        card
        for card in words.version.program.cards
        if all(card.attributes.get(key) == value for key, value in wanted.items())
    ]
    names = {words.people.card(card) for card in cards}
    if len(names) != 1 or len(wanted) != len(award.keys):
        return ""
    return words.people.cards.single(cards[0]) if len(cards) == 1 else f"each {names.pop()}"


def award_cards(award: n.Award, words: ValueWords) -> str:
    """Return the cards for which an award is: `the queen of spades`, or `each heart`."""
    if not all(isinstance(key, n.Text) for key in award.keys):
        return f"each card of {words.code(award)}"
    pairs = {
        key.value: words.value(value)
        for key, value in zip(award.keys, award.values, strict=True)
        if isinstance(key, n.Text)
    }
    named = _one_card(award, words)
    if named:
        return named
    if pairs.keys() == {"RANK", "SUIT"}:
        return f"the {pairs['RANK']} of {pairs['SUIT']}"
    if pairs.keys() == {"RANK"}:
        return f"each {pairs['RANK']}"
    if pairs.keys() == {"SUIT"}:
        return f"each card of {pairs['SUIT']}"
    told = [f"whose {plain_word(key)} is {value}" for key, value in pairs.items()]
    return f"each card {listed(told)}" if told else "each card"
