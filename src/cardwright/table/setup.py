"""Setups: what defines a table, as values that JSON can hold."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from cardwright.arena.plan import GameRef
from cardwright.game.errors import override_text
from cardwright.game.game import Game
from cardwright.game.settings import parse_settings, read_table
from cardwright.interpreter.stream import Stream
from cardwright.library.catalogue import people_name
from cardwright.program.constants import parse_value
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from cardwright.program.constants import Constant

GIVEN_NAMES = (
    "Ada", "Aiko", "Amir", "Anouk", "Bao", "Berta", "Bilal", "Bruno", "Carla", "Chidi", "Clara",
    "Dario", "Dina", "Dragan", "Elif", "Emeka", "Esra", "Farid", "Femi", "Freya", "Gita", "Goran",
    "Greta", "Hana", "Hassan", "Hugo", "Ines", "Iris", "Ivan", "Jonas", "Jun", "Juana", "Kaia",
    "Karim", "Kofi", "Lars", "Leila", "Lucia", "Mateo", "Mei", "Mina", "Nadia", "Nia", "Niko",
    "Olga", "Omar", "Oskar", "Paolo", "Petra", "Priya", "Quinn", "Rafa", "Ravi", "Rosa", "Sami",
    "Sofia", "Sven", "Tariq", "Tomas", "Tove", "Ulla", "Uma", "Umberto", "Vera", "Viktor", "Vikram",
    "Wanda", "Wei", "Wilma", "Xenia", "Yara", "Yuki", "Yusuf", "Zara", "Zoran", "Zuri",
)  # fmt: skip
"""Short names from many countries, in letters that every terminal has."""


def given_names(seed: int, count: int, taken: Collection[str] = ()) -> tuple[str, ...]:
    """Return names for so many computer players, one a letter at most, drawn from a seed.

    None is in `taken`, in any case, and no two begin with the same letter, nor with that of a name
    in `taken` as long as there are letters enough. Names say something about their seed: where
    people must not know the seed of a game, draw them from another.
    """
    stream = Stream(seed)
    names = list(GIVEN_NAMES)
    stream.shuffle(names)
    barred = {name.casefold() for name in taken}
    first = {name[:1] for name in barred}
    free = [name for name in names if name.casefold() not in barred]
    free.sort(key=lambda name: name[0].casefold() in first)
    drawn: dict[str, str] = {}
    for name in free:
        drawn.setdefault(name[0], name)
    if count > len(drawn):
        raise ValueError(f"there are names for at most {len(drawn)} computer players, not {count}")
    return tuple(drawn.values())[:count]


HUMAN = "human"
"""What stands for a person in a list of players."""

Watch: TypeAlias = Literal["no", "public", "open", "delayed"]
"""What spectators see: nothing; what everybody sees; all hands; all hands of finished deals."""

SeatKind: TypeAlias = Literal["person", "computer", "empty"]
"""Who sits in a seat; nobody sits in an empty one, and the game waits for it."""

WATCHES: tuple[Watch, ...] = get_args(Watch)
SEAT_KINDS: tuple[SeatKind, ...] = get_args(SeatKind)
MOST_SECONDS = 60.0
"""The longest pause after a computer player's move."""


@dataclass(frozen=True)
class RulesText:
    """The rules of a game as text, for a table of rules that are not in the library.

    `declared` are the constants that are set explicitly, and `facts` is the text of the TOML file
    beside the rules, if there is one.
    """

    text: str
    name: str = "game"
    declared: tuple[tuple[str, Constant], ...] = ()
    facts: str = ""

    @property
    def title(self) -> str:
        """The name of the game for people; raises FactsError for wrong facts."""
        return str(self._table().get("title", "")).strip() or self.name

    def load(self) -> Game:
        """Check the rules; raises GameFileError if they are wrong, FactsError for wrong facts."""
        game = Game.from_source(Source(self.name, self.text), self.name, dict(self.declared))
        game.words = parse_settings(self.name, self._table()).words
        return game

    def _table(self) -> dict[str, Any]:
        return read_table(self.name, self.facts)

    def data(self) -> dict[str, Any]:
        """Return this as JSON can hold it; constants are strings."""
        declared = {name: override_text(value) for name, value in self.declared}
        return {"text": self.text, "name": self.name, "declared": declared, "facts": self.facts}

    @classmethod
    def of_data(cls, data: Any) -> RulesText:
        """Return the value from `data`; raises a Python error for anything else."""
        declared = tuple((name, parse_value(text)) for name, text in data["declared"].items())
        return cls(str(data["text"]), str(data["name"]), declared, str(data["facts"]))


@dataclass(frozen=True)
class SeatSetup:
    """Who sits in a seat: its name at the table, and the spec of a computer player."""

    kind: SeatKind
    player: str = ""
    name: str = ""

    def data(self) -> dict[str, Any]:
        """Return this as JSON can hold it."""
        return {"kind": self.kind, "player": self.player, "name": self.name}

    @classmethod
    def of_data(cls, data: Any) -> SeatSetup:
        """Return the value from `data`; raises ValueError for anything else."""
        kind, player, name = data["kind"], data["player"], data["name"]
        if kind not in SEAT_KINDS or not isinstance(player, str) or not isinstance(name, str):
            raise ValueError(f"this is not a seat: {data!r:.80}")
        return cls(kind, player, name)


@dataclass(frozen=True)
class TableSetup:
    """The game, who sits where at first, and the settings.

    At a table for `practice` moves can be taken back. `hint` is the spec of the player for hints,
    `pace` the seconds between two moves of computer players.
    """

    game: GameRef | RulesText
    seed: int
    seats: tuple[SeatSetup, ...]
    practice: bool = False
    hint: str = "random"
    watch: Watch = "no"
    pace: float = 1.0

    @classmethod
    def of_players(
        cls,
        game: GameRef,
        seed: int,
        players: Sequence[str],
        names: Sequence[str] = (),
        *,
        practice: bool = False,
        hint: str = "random",
    ) -> TableSetup:
        """Return the setup for the specs of players, `human` for a person.

        Computer players without a name get given names, which follow from the seed.
        """
        given = iter(given_names(seed, len(players), [name for name in names if name]))
        seats = tuple(
            SeatSetup("person", "", name)
            if spec == HUMAN
            else SeatSetup("computer", spec, name or next(given))
            for spec, name in zip_longest(players, names, fillvalue="")
        )
        return cls(game, seed, seats, practice, hint)

    @property
    def title(self) -> str:
        """The name of the game for people."""
        game = self.game
        return game.title if isinstance(game, RulesText) else people_name(game.name)

    @property
    def preset(self) -> str | None:
        """The preset of the game; None without one."""
        return self.game.preset if isinstance(self.game, GameRef) else None

    @property
    def players(self) -> tuple[str, ...]:
        """The specs of the players, `human` for a person."""
        return tuple(HUMAN if seat.kind != "computer" else seat.player for seat in self.seats)

    def with_seat(self, seat: int, setup: SeatSetup) -> TableSetup:
        """Return the setup with another player in a seat."""
        return replace(self, seats=(*self.seats[:seat], setup, *self.seats[seat + 1 :]))

    def data(self) -> dict[str, Any]:
        """Return this as JSON can hold it; the seed is a string, as JSON's numbers are smaller."""
        rules = "rules" if isinstance(self.game, RulesText) else "game"
        return {
            rules: self.game.data(),
            "seed": str(self.seed),
            "seats": [seat.data() for seat in self.seats],
            "practice": self.practice,
            "hint": self.hint,
            "watch": self.watch,
            "pace": self.pace,
        }

    @classmethod
    def of_data(cls, data: Any) -> TableSetup:
        """Return the value from `data`; raises a Python error for anything else."""
        text = "rules" in data
        game = RulesText.of_data(data["rules"]) if text else GameRef.of_data(data["game"])
        seed, pace = int(data["seed"]), float(data["pace"])
        if not 0 <= seed < 2**64:
            raise ValueError("the seed is out of range")
        if data["watch"] not in WATCHES:
            raise ValueError(f"watch is one of {', '.join(WATCHES)}")
        if not (math.isfinite(pace) and 0 <= pace <= MOST_SECONDS):
            raise ValueError(f"the pace is 0 to {MOST_SECONDS:g} seconds")
        seats = tuple(map(SeatSetup.of_data, data["seats"]))
        return cls(
            game, seed, seats, bool(data["practice"]), str(data["hint"]), data["watch"], pace
        )


@dataclass(frozen=True)
class DisplayOptions:
    """How a session is shown: nothing in it changes the game.

    `pause` is in seconds per move of the computer. With `forced` the only possible choice is made
    for the person. The next deal begins after `next_deal` seconds; 0 if the person goes on to it.
    `save` is the file where an interrupted game is saved; None for nowhere.
    """

    pause: float
    auto: bool = False
    forced: bool = False
    next_deal: float = 0.0
    save: Path | None = None
    colour: bool = True
    symbols: bool = True
    four_colours: bool = False
