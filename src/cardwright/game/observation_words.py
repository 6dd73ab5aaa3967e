"""The layout of observations as the words that kernels read; see `compiler.kernels.observe`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardwright.compiler.kernels import observe
from cardwright.game.relative import Relative
from cardwright.program.kinds import ValueKind
from cardwright.program.places import KINDS

if TYPE_CHECKING:
    from cardwright.game.observation import ObservationLayout


class ObservationWords:
    """The words for one layout; they stay where they are as long as this exists."""

    def __init__(self, layout: ObservationLayout) -> None:
        self._map = layout._map
        self._size = layout.size
        self._scales = layout.scales.tolist()
        self._history = layout.history
        self._program = layout._map.native.program
        self.words = np.array(self._all(), np.int64)

    @property
    def address(self) -> int:
        """Where the words are."""
        address: int = self.words.ctypes.data
        return address

    def _all(self) -> list[int]:
        where, native = self._map, self._map.native
        header = dict.fromkeys(range(observe.HEADER), 0)
        words = [0] * observe.HEADER
        header |= {
            observe.WIDTH: self._size,
            observe.DECIDING: where.deciding,
            observe.CHOICES: min(where.choices.values(), default=0),
            observe.PLAYER_CYCLES: where.cycles.players,
            observe.TEAM_CYCLES: where.cycles.teams,
            observe.DEPTH: native.layout.player_cycles,
            observe.TEAMS: len(self._program.teams),
            observe.STORED_INTEGERS: len(native.layout.integers),
            observe.STORED_STRINGS: len(native.layout.strings),
            observe.MADE_FIRST: where.made.first,
            observe.MADE_COUNT: where.made.most,
            observe.MADE_WIDTH: where.made.width,
            observe.MADE_SORTS: len(where.made.sorts),
            observe.RECALLED_FIRST: where.recalled.first,
            observe.RECALLED: self._history,
            observe.RECALLED_WIDTH: where.recalled.width,
            observe.RECALLED_CARDS: where.recalled.cards,
        }
        header[observe.PLACES] = len(words)
        words += self._choices(header[observe.CHOICES])
        header[observe.BACK_CARDS] = len(words)
        words += where.backs.values()
        texts: list[int] = []
        for name in native.layout.strings.owners:
            texts.append(len(words))
            words += self._text_columns(where.strings[name].texts)
        header[observe.BRANCHES] = len(words)
        words += where.recalled.branches
        header[observe.PICKS] = len(words)
        words += self._picks(len(words))
        header[observe.SEATS] = len(words)
        rows = [self._row(Relative(self._program, s), texts) for s in range(self._program.players)]
        header[observe.SEAT_WORDS] = len(rows[0])
        header[observe.SEAT_PLACES] = len(rows[0]) - len(native.layout.places.locations)
        for row in rows:
            words += row
        words[: observe.HEADER] = [header[at] for at in range(observe.HEADER)]
        return words

    def _choices(self, first: int) -> list[int]:
        """Return for every place its choice, and how many cycles of each sort are active."""
        plan, words = self._map.native.plan, []
        items = {item.pc: item for item in plan.choices}
        for pc in range(plan.end + 1):
            item = items.get(pc)
            if item is None:
                words += [-1, 1, 0]
            else:
                column = self._map.choices[plan.frames[pc]]
                words += [column - first, 1 + item.players, item.teams]
        return words

    def _text_columns(self, texts: tuple[str, ...]) -> list[int]:
        """Return for every string of the program its column among those of a stored one, or -1."""
        numbers = {text: at for at, text in enumerate(texts)}
        return [numbers.get(text, -1) for text in self._map.native.names.texts]

    def _picks(self, first: int) -> list[int]:
        """Return the words for what recalled choices picked, and then the tables of strings."""
        picks = self._map.recalled.picks
        words: list[int] = []
        tables: list[int] = []
        for pick in picks:
            sort = observe.PICK_KINDS.index(pick.kind.name)
            column = self._map.recalled.first + pick.first
            extra = int(self._scales[column])
            if pick.kind is ValueKind.STRING:
                extra = first + 3 * len(picks) + len(tables)
                tables += self._text_columns(pick.texts)
            words += [sort, pick.first, extra]
        return words + tables

    def _row(self, relative: Relative, texts: list[int]) -> list[int]:
        """Return the words for one observer."""
        where, native = self._map, self._map.native
        words = [relative.first_team]
        for location in native.layout.places.locations:
            block = where.places[location._replace(owner=relative.owner(location.owner))]
            words += [block.counts, -1 if block.cards is None else block.cards]
        for owner, name in native.layout.integers.owners:
            column = where.integers[relative.owner(owner), name]
            words += [column, int(self._scales[column])]
        for at, (owner, name) in zip(texts, native.layout.strings.owners, strict=True):
            words += [where.strings[relative.owner(owner), name].first, at]
        absolute = {relative.owner(owner): owner for owner in range(self._program.table + 1)}
        for whose, kind, name in where.made.sorts:
            words += [absolute[whose], 1 + KINDS.index(kind), native.names.number(name)]
        places = native.layout.places.locations
        numbers = {place: number for number, place in enumerate(places)}
        words += [numbers[place._replace(owner=relative.owner(place.owner))] for place in places]
        return words
