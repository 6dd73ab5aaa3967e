"""The options of a decision in words for people, and what is asked."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from cardwright.game.deed_words import DeedWords
from cardwright.game.describe import numbered
from cardwright.game.described_option import DescribedOption, named_cards
from cardwright.game.people import stored_values
from cardwright.game.picked import picked_players
from cardwright.game.sight import ChooserSight

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.people import PeopleNamer
    from cardwright.game.wording import Wording
    from cardwright.interpreter.effects import BuiltOption
    from cardwright.interpreter.world import World


class PendingChoice(NamedTuple):
    """A decision that is due: the world at it, its options with labels, and who decides."""

    world: World
    built: Sequence[BuiltOption]
    seat: int
    wording: Wording


def told_options(pending: PendingChoice, namer: PeopleNamer) -> tuple[DescribedOption, ...]:
    """Return the options of a decision in words for the player that chooses.

    Options that would read the same say all that they do, and are numbered where that does not
    help.
    """
    world, built, seat, wording = pending
    deeds = DeedWords(namer, seat, stored_values(world))
    sights = [ChooserSight(world, seat, option) for option in built]

    def texts(*, whole: bool) -> list[str]:
        return [
            joined(
                [clause.imperative for clause in deeds.of(seat, one, wording, sight, whole=whole)]
            )
            for one, sight in zip(built, sights, strict=True)
        ]

    words = texts(whole=False)
    count = Counter(words)
    if len(count) < len(words):
        pairs = list(zip(words, texts(whole=True), strict=True))
        ways = Counter(text for text, _ in set(pairs))
        words = [long if ways[text] > 1 else text for text, long in pairs]
    return tuple(
        DescribedOption(index, text, named_cards(option, world, seat), picked_players(option))
        for index, (text, option) in enumerate(zip(numbered(words), built, strict=True))
    )


def joined(clauses: Sequence[str]) -> str:
    """Return what is done one after the other: `take the 7, then play the 3`."""
    if len(clauses) == 2 and not any(" and " in clause for clause in clauses):
        return " and ".join(clauses)
    return ", then ".join(clauses)
