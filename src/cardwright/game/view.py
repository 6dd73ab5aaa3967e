"""Views: what one seat may know of a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.interpreter.world import sees

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.game.option import Option
    from cardwright.interpreter.world import Awards, World
    from cardwright.program.cards import Card, Location, OwnerId, Seat


@dataclass(frozen=True, slots=True)
class Back:
    """A card that the seat does not see: only its back."""

    name: str


@dataclass(frozen=True, slots=True)
class View:
    """What a seat sees: plain data, without access to anything else.

    `locations` has every location that holds a card (or a reference to one), from bottom to top,
    with the cards that the seat sees and the backs of the others, which are sorted where the cards
    lie by number. Stored values are public, by
    owner and name and in that order, and so are the cycles: for each current stage, from the
    outermost, which member is current and which is queued. `player` is the seat that has to decide;
    `options` are given if that is this seat. `owners` has the name of each owner, by its number.
    Two states that the seat cannot tell apart give equal views.
    """

    seat: Seat
    player: Seat | None
    locations: Mapping[Location, tuple[Card | Back, ...]]
    integers: Mapping[tuple[OwnerId, str], int]
    strings: Mapping[tuple[OwnerId, str], str]
    points: Mapping[tuple[OwnerId, str], Awards]
    cycles: tuple[tuple[int, int | None], ...]
    options: tuple[Option, ...]
    scores: tuple[int, ...] | None
    owners: tuple[str, ...] = ()

    def cards(self, location: Location) -> tuple[Card | Back, ...]:
        """Return what the seat sees at a location; nothing for an empty one."""
        return self.locations.get(location, ())

    def _repr_html_(self) -> str:
        from cardwright.game.displays import view_html

        return view_html(self)


def view_of(
    world: World,
    seat: Seat,
    player: Seat | None,
    options: tuple[Option, ...],
    scores: tuple[int, ...] | None,
) -> View:
    """Return what a seat sees of a world."""
    program = world.rules.program
    locations: dict[Location, tuple[Card | Back, ...]] = {}
    for pile in world.touched():
        if not pile.cards:
            continue
        if sees(program, seat, pile.location):
            locations[pile.location] = tuple(program.cards[card] for card in pile.cards)
        else:
            backs = [program.cards[card].back for card in pile.cards]
            # Where cards lie by number, the order of their backs would tell something of them.
            locations[pile.location] = tuple(map(Back, backs if pile.ordered else sorted(backs)))
    return View(
        seat=seat,
        player=player,
        locations=locations,
        integers={cell: value for cell, value in sorted(world.integers.items()) if value},
        strings={cell: value for cell, value in sorted(world.strings.items()) if value},
        points={
            cell: world.points[cell].awards
            for cell in sorted(world.points)
            if world.points[cell].awards
        },
        cycles=tuple((cycle.current, cycle.queued) for cycle in (*world.players, *world.teams)),
        options=options,
        scores=scores,
        owners=program.owner_names,
    )
