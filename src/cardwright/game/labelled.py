"""What labels say of options, and their words for the player that chooses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.interpreter.chance import ChanceStream, running
from cardwright.interpreter.steps import build
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import Fault, sees
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.naming import Namer
    from cardwright.interpreter.effects import BuiltOption, Said
    from cardwright.interpreter.world import Decide, World


def with_labels(
    choice: Decide, built: Sequence[BuiltOption], world: World
) -> Sequence[BuiltOption]:
    """Return the options of a decision with what their labels say.

    Labels are found by making all options once more, without anything being drawn: so nobody plays
    otherwise because of labels. Where chance that is taken by hand decides which options there are,
    some may have no label.
    """
    if not choice.labelled:
        return built
    copy = world.copy()
    if isinstance(copy.stream, ChanceStream):
        copy.stream = Stream(0)
    try:
        with running(None):
            again = build(choice.explorers, copy, choice.span, labelled=True)
    except Fault:
        again = []
    said = {_way(one): one.said for one in again}
    return [one._replace(said=said.get(_way(one), ())) for one in built]


def label_texts(
    choice: Decide, built: Sequence[BuiltOption], world: World, seat: int, namer: Namer
) -> list[str]:
    """Return the label of every option of a decision; the empty string for one without a label."""
    return [
        " ".join(filter(None, _words(one.said, world, seat, namer)))
        for one in with_labels(choice, built, world)
    ]


def _way(option: BuiltOption) -> tuple[int, ...]:
    return option.branch, *(pick.ordinal for pick in option.picks)


def _words(said: Sequence[Said], world: World, seat: int, namer: Namer) -> list[str]:
    return [_word(part, world, seat, namer) for part in said]


def _word(said: Said, world: World, seat: int, namer: Namer) -> str:
    program = world.rules.program
    match said.kind, said.value:
        case ValueKind.CARD, None:
            return ""
        case ValueKind.CARD, card:
            place = world.where[card]
            if sees(program, seat, place):
                return namer.card(program.cards[card])
            return f"a card of {namer.place(place, seat)}"
        case ValueKind.PLAYER | ValueKind.TEAM, owner:
            return program.owner_name(owner)
    return str(said.value)
