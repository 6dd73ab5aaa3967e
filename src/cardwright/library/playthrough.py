"""Playthroughs: random games of the library written down, so that a change of play shows as a diff.

Each lists for every decision who decides, all options in order with a mark (>) at the chosen one,
and what everybody could see change after it (=).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.game.find import find
from cardwright.game.game import Game
from cardwright.interpreter.stream import Stream
from cardwright.program.cards import LocationKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cardwright.game.state import State

_FEW = 6
"""Most cards of a place that are listed; of more only the number and the top one is told."""


@dataclass(frozen=True)
class Recording:
    """A game to write down: its name, the constants set, and the seed."""

    game: str
    seed: int
    declared: Mapping[str, int] = field(default_factory=dict)

    @property
    def file(self) -> str:
        """The name of the file, such as hearts-players-3.txt."""
        settings = [f"-{name.lower()}-{value}" for name, value in self.declared.items()]
        return "".join([self.game, *settings, ".txt"])

    def text(self) -> str:
        """Play the game and return what happened."""
        return playthrough(Game.from_source(find(self.game), self.game, self.declared), self.seed)


RECORDINGS = (
    Recording("agram", 1),
    Recording("blackjack", 133),
    Recording("crazyeights", 3),
    Recording("cribbage", 1),
    Recording("euchre", 5),
    Recording("gofish", 8),
    Recording("golfsix", 5),
    Recording("goofspiel", 6),
    Recording("hearts", 1),
    Recording("hearts", 1, {"PLAYERS": 3}),
    Recording("hearts", 1, {"PLAYERS": 5}),
    Recording("leduc", 1),
    Recording("president", 11),
    Recording("rummy", 47),
    Recording("scopa", 4),
    Recording("whist", 1),
)
"""The playthroughs that come with the package."""


def playthrough(game: Game, seed: int) -> str:
    """Play one game with every seat choosing at random, and return it as text."""
    return "\n".join(_lines(game, seed)) + "\n"


def _lines(game: Game, seed: int) -> Iterator[str]:
    settings = [f"{name} {value}" for name, value in game.declared.items()]
    yield ", ".join([game.name, f"seed {seed}", *settings])
    state = game.start(seed)
    streams = [Stream.of_seat(seed, seat) for seat in range(game.players)]
    seen = _public(state)
    for place, content in seen.items():
        yield f"   = {place}: {content}"
    while state.player is not None:
        chosen = streams[state.player].below(state.option_count)
        yield ""
        yield f"{len(state.choices) + 1:3}. p{state.player + 1}"
        for option in state.options():
            yield f"   {'>' if option.index == chosen else ' '} {option.description}"
        state.play(chosen)
        before, seen = seen, _public(state)
        for place in dict.fromkeys([*before, *seen]):
            if before.get(place) != seen.get(place):
                nothing = "0" if before.get(place, "").lstrip("-").isdigit() else "nothing"
                yield f"   = {place}: {seen.get(place, nothing)}"
    yield ""
    for seat in range(game.players):
        yield f"p{seat + 1}: score {state.scores[seat]}, rank {state.ranks[seat] + 1}"


def _public(state: State) -> dict[str, str]:
    """Return what everybody sees: open cards, the sizes of hidden places, and stored values."""
    game, view = state.game, state.view(0)
    seen = {}
    for location, pile in state.locations().items():
        if location.kind is LocationKind.MEMORY or not pile:
            continue
        place = game.namer.place(location)
        names = [game.namer.card(card) for card in pile]
        if location.kind is not LocationKind.VISIBLE:
            seen[f"{place}, face down"] = f"{len(pile)}"
        elif len(pile) > _FEW:
            seen[place] = f"{len(pile)}, on top {names[-1]}"
        else:
            seen[place] = ", ".join(names)
    for (owner, name), value in (*view.integers.items(), *view.strings.items()):
        whose = "" if owner == game.program.table else f"{game.program.owner_name(owner)}'s "
        seen[f"{whose}{name}"] = str(value)
    return seen
