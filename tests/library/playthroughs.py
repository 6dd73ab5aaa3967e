"""Playthroughs: random games of the library written down, so that a change in play shows as a diff.

Each lists for every decision who decides, all options in order with a mark (>) at the chosen one,
and what everybody could see change after it (=).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.game.errors import override_text
from cardwright.game.game import Game
from cardwright.interpreter.stream import Stream
from cardwright.program.cards import LocationKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cardwright.game.game import State

_FEW = 6
"""Most cards of a place that are listed; of more, only the number and the top card."""


@dataclass(frozen=True)
class Recording:
    """A game to record: its name, the seed, the constants set, and optionally a preset."""

    game: str
    seed: int
    declared: Mapping[str, int] = field(default_factory=dict)
    preset: str | None = None

    @property
    def file(self) -> str:
        """The name of the file, such as hearts-players-3.txt."""
        settings = [f"-{name.lower()}-{value}" for name, value in self.declared.items()]
        return "".join([self.game, f"-{self.preset}" if self.preset else "", *settings, ".txt"])

    def load(self) -> Game:
        """Load the game; it is played too rarely to be worth compiling."""
        return Game.variant(self.game, self.declared, self.preset, engine="interpreter")

    def text(self) -> str:
        """Play the game and return what happened."""
        return playthrough(self.load(), self.seed)


RECORDINGS = (
    Recording("agram", 1),
    Recording("bigtwo", 92),
    Recording("blackjack", 133),
    Recording("briscola", 9),
    Recording("briscola", 2, {"PLAYERS": 4}),
    Recording("bridge", 1299),
    Recording("canasta", 3, {"HANDSIZE": 7, "FIRST": 15, "NEEDED": 0}),
    Recording("cheat", 323),
    Recording("coup", 114),
    Recording("crazyeights", 3),
    Recording("cribbage", 1),
    Recording("cuckoo", 264),
    Recording("doppelkopf", 118),
    Recording("durak", 88),
    Recording("durak", 456, {"PLAYERS": 3}),
    Recording("euchre", 5),
    Recording("ginrummy", 352),
    Recording("gofish", 8),
    Recording("golfsix", 5),
    Recording("gongzhu", 2),
    Recording("goofspiel", 6),
    Recording("hanabi", 324),
    Recording("hearts", 1),
    Recording("hearts", 1, {"PLAYERS": 3}),
    Recording("hearts", 1, {"PLAYERS": 5}),
    Recording("hearts", 3, preset="openspiel"),
    Recording("hearts", 1, preset="cancellation"),
    Recording("klaverjassen", 78),
    Recording("klaverjassen", 192, {"TURNED": 1, "ROTTERDAM": 1}),
    Recording("knaves", 60),
    Recording("knaves", 1, {"PLAYERS": 4}),
    Recording("kuhn", 25),
    Recording("kuhn", 55, {"PLAYERS": 3}),
    Recording("lama", 191),
    Recording("leduc", 1),
    Recording("lostcities", 34, {"ROUNDS": 20}),
    Recording("ninetyeight", 112),
    Recording("nothanks", 79),
    Recording("ohhell", 9),
    Recording("pairs", 89),
    Recording("pitch", 136),
    Recording("polignac", 4),
    Recording("polignac", 1, {"GENERAL": 5}),
    Recording("president", 11),
    Recording("reversis", 3),
    Recording("reversis", 40, {"ESPAGNOLETTE": 1}),
    Recording("rummy", 47),
    Recording("scarto", 31),
    Recording("schwimmen", 263),
    Recording("scopa", 4),
    Recording("sevens", 1),
    Recording("sevens", 76, {"PASSES": 2}),
    Recording("skat", 248),
    Recording("skat", 33, {"RAMSCH": 1}),
    Recording("skitgubbe", 53),
    Recording("skitgubbe", 41, {"SEQUENCES": 1}),
    Recording("slobberhannes", 1),
    Recording("spades", 190),
    Recording("spiteandmalice", 76, {"PAYOFF": 4}),
    Recording("stealingbundles", 9),
    Recording("sueca", 5),
    Recording("whist", 1),
)
"""The playthroughs that come with the package."""


def playthrough(game: Game, seed: int) -> str:
    """Play one game with every seat choosing at random, and return it as text."""
    return "\n".join(_lines(game, seed)) + "\n"


def _lines(game: Game, seed: int) -> Iterator[str]:
    settings = [
        f"{one.name} {override_text(one.value)}"
        for one in game.program.declared
        if one.value != one.default
    ]
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
