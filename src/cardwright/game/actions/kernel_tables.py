"""Tables for kernels: actions, picks and observations of a program as words of 64 bits.

`cardwright.compiler.kernels` says how each is written: `action_numbers` reads `ActionForms`,
`chosen` reads `PickForms`, and `observe` reads `ObservationWords`. `Picks` is what kernels give
back of the options of many games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardwright.compiler.backend import Words
from cardwright.compiler.kernels import action_numbers as sorts, observe, picks as pick_sorts
from cardwright.compiler.kernels.stream import scattered
from cardwright.game.actions.relative import Relative
from cardwright.game.information.sightings import variable_numbers, variable_of
from cardwright.program import nodes as n
from cardwright.program.chains import choosing, public_key
from cardwright.program.kinds import ITEM_KINDS, ValueKind
from cardwright.program.places import KINDS

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from typing import Any

    import numpy as np

    from cardwright.compiler.backend import Backend
    from cardwright.compiler.native import NativeProgram
    from cardwright.game.actions.columns import Column
    from cardwright.game.actions.numbering import ActionBlock, Actions, BranchActions
    from cardwright.game.actions.observation import ObservationLayout

    Integers = np.ndarray[Any, np.dtype[np.int64]]
    Truths = np.ndarray[Any, np.dtype[np.bool_]]

_WIDEST = 1 << 16
"""Most integers, from the least to the greatest of a column, for which there is a table."""

_WORD = 1 << 64


class ActionForms(Words):
    """How the options of a program lie in memory, and what their picks mean as actions."""

    def __init__(self, native: NativeProgram, actions: Actions) -> None:
        self._native = native
        self._actions = actions
        self._words = [0] * (native.plan.end + 1)
        self._tables: dict[tuple[int, ...], int] = {}
        for pc, plan in native.options.items():
            branches = actions.branches[plan.choice.span]
            rows = [
                self._branch(step, branch)
                for step, branch in zip(plan.choice.steps, branches, strict=True)
            ]
            length = max(map(len, rows))
            start = len(self._words)
            self._words[pc] = start
            self._words += [plan.shape.words, int(plan.shape.strict), start + 4, length]
            for row in rows:
                self._words += row + [0] * (length - len(row))
        super().__init__(native.machine, self._words)

    def _branch(self, step: n.Node, branch: BranchActions) -> list[int]:
        block = self._actions.blocks[branch.block]
        if block.loose or (not block.flat and any(column.spelled for column in block.columns)):
            return [sorts.LEFT, 1, 0]
        forms = choosing(n.walk(step))
        row = [block.start, block.copies] if block.flat else [sorts.SEQUENCE, 1]
        row.append(len(forms))
        for form in forms:
            row += self._pick(block, branch.columns[form.span])
        return row

    def _pick(self, block: ActionBlock, at: int | None) -> list[int]:
        if at is None:
            return [sorts.SHOWN, 0, 0, 0, 0]
        column = block.columns[at]
        if column.values is None:
            first, _ = block.parts[at]
            end = first + block.looks if column.size is None else -1
            looks = self._table(*self._actions.picking.looks)
            return [sorts.SINGLY, first, looks, end, int(column.veiled)]
        number = block.strides[at] if block.flat else block.parts[at][0]
        sort, table, other = self._column(column)
        return [sort, number, table, other, int(column.veiled)]

    def _column(self, column: Column) -> tuple[int, int, int]:
        picking = self._actions.picking
        match column.sort:
            case "card":
                return sorts.CARD, self._table(*picking.looks), len(picking.examples)
            case "part":
                values = [
                    column.places.get(card.attributes.get(column.key, ""), -1)
                    for card in picking.program.cards
                ]
                return sorts.PART, self._table(*values), 0
            case "group":
                return sorts.GROUP, self._hashes(column), self._table(*picking.looks)
            case "place":
                return sorts.PLACE, 0, len(column.places)
            case "string":
                texts = self._native.names.texts
                return self._integers({texts.index(str(t)): at for t, at in column.places.items()})
        return self._integers({int(str(item)): at for item, at in column.places.items()})

    def _integers(self, places: dict[int, int]) -> tuple[int, int, int]:
        low, high = min(places, default=0), max(places, default=-1)
        if high - low >= _WIDEST:
            return sorts.OTHER, 0, 0
        values = [places.get(item, -1) for item in range(low, high + 1)]
        return sorts.LISTED, self._table(low, len(values), *values), 0

    def _hashes(self, column: Column) -> int:
        size = 2
        while size < 2 * len(column.places):
            size *= 2
        table = [0] * (2 * size)
        keys: set[int] = set()
        for group, place in column.places.items():
            assert isinstance(group, tuple)
            hashed = (scattered(look + 1) for look in group if isinstance(look, int))
            key = (len(group) + sum(hashed)) % _WORD
            key -= _WORD * (key >= _WORD // 2)
            assert key not in keys  # of 5,000 keys of 64 bits no two are equal but by a miracle
            keys.add(key)
            at = key & (size - 1)
            while table[2 * at + 1]:
                at = (at + 1) & (size - 1)
            table[2 * at : 2 * at + 2] = key, place + 1
        return self._table(size - 1, *table)

    def _table(self, *content: int) -> int:
        """Return the start of a table; equal ones are written down once."""
        if content not in self._tables:
            self._tables[content] = len(self._words)
            self._words += content
        return self._tables[content]


# Picks ------------------------------------------------------------------------------------


class PickForms(Words):
    """How the options of a program lie in memory, with what they pick: at `most` so many picks."""

    def __init__(self, native: NativeProgram, chooses: list[n.ForEach]) -> None:
        variables = variable_numbers(native)

        def tables_of(forms: Sequence[n.ForEach]) -> list[list[int]]:
            """Return sorts of picks, numbers of variables, and those of public picks from 1."""
            keys = [public_key(native.analysis, form) for form in forms]
            public = native.layout.public
            return [
                [sort_of_pick(native, form) for form in forms],
                [variables[variable_of(form)] for form in forms],
                [0 if key is None else 1 + public.index(key) for key in keys],
            ]

        words = [0] * (native.plan.end + 1)
        branches = 0
        for pc, plan in native.options.items():
            tables = [[], [], []] if plan.shape.strict else tables_of(chooses)
            for chain in plan.chains if plan.shape.strict else ():
                assert chain is not None
                rest = [0] * (plan.shape.picks - len(chain.picks))
                heads = len(chain.picks), 0, 0
                for table, head, row in zip(tables, heads, tables_of(chain.picks), strict=True):
                    table += [head, *row, *rest]
            words[pc] = start = len(words)
            first, size = start + 6, len(tables[0])
            strict = int(plan.shape.strict)
            words += [plan.shape.words, strict, first, first + size, branches, first + 2 * size]
            words += [word for table in tables for word in table]
            branches += len(plan.choice.steps)
        super().__init__(native.machine, words)
        self.most = max((plan.shape.picks for plan in native.options.values()), default=0)


def sort_of_pick(native: NativeProgram, form: n.ForEach) -> int:
    """Return the sort of what a form picks, as kernels number them."""
    match ITEM_KINDS[form.collection.kind]:
        case ValueKind.CARD:
            return pick_sorts.CARD
        case ValueKind.LOCATION:
            real = native.analysis.real_members(form.collection)
            return pick_sorts.PLACE if real else pick_sorts.GROUP
    return pick_sorts.NUMBER


class Branch(NamedTuple):
    """A branch of a choice: its line in the source, and for each `any` in it what it picks.

    A pick is a variable and the kind of its items: card, player, team, integer, string, place or
    group, which is a list of cards.
    """

    line: int
    picks: tuple[tuple[str, str], ...]


class Picks(NamedTuple):
    """What options pick, as the choosing seat sees it: a row a game, a column an option.

    `branches` (games x options) are numbers of branches, -1 where there is no option. `items`
    (games x options x picks) are the numbers of what is picked: a card's id, a seat or team from 0,
    an integer, a string's number, a place's number, a group's place in its collection; -1 where
    there is no pick, and -2 - k for the k-th item of its collection if its cards are not seen, or
    if it is a location made in play that has none.
    `cards` (games x options x cards) says which cards are picked, alone or in a group, and seen.
    """

    branches: Integers
    items: Integers
    cards: Truths


def branches_of(native: NativeProgram) -> tuple[Branch, ...]:
    """Return the branches of all choices, in the order in which they are numbered."""
    words = {pick_sorts.CARD: "card", pick_sorts.PLACE: "place", pick_sorts.GROUP: "group"}
    branches = []
    for plan in native.options.values():
        for step in plan.choice.steps:
            picks = []
            for form in choosing(n.walk(step)):
                kind = ITEM_KINDS[form.collection.kind].name or ""
                word = words.get(sort_of_pick(native, form), kind.lower())
                picks.append((form.variable.name, word))
            line = native.program.source.position(step.span.start).line
            branches.append(Branch(line, tuple(picks)))
    return tuple(branches)


# Observations -----------------------------------------------------------------------------


class ObservationWords(Words):
    """The columns of a layout of observations."""

    def __init__(self, machine: Backend, layout: ObservationLayout) -> None:
        self._map = where = layout._map
        self._native = native = where.native
        self._scales = list(map(int, layout.scales))
        first, recalled = where.first, where.first["recalled"]
        header = {
            observe.WIDTH: layout.size,
            observe.DECIDING: first["decides"],
            observe.CHOICES: first["choices"],
            observe.PLAYER_CYCLES: first["players"],
            observe.TEAM_CYCLES: first["teams"],
            observe.DEPTH: native.layout.player_cycles,
            observe.TEAMS: len(native.program.teams),
            observe.STORED_INTEGERS: len(native.layout.integers),
            observe.STORED_STRINGS: len(native.layout.strings),
            observe.MADE_FIRST: first["made"],
            observe.MADE_COUNT: where.made,
            observe.MADE_WIDTH: where.made_width,
            observe.MADE_SORTS: len(where.sorts),
            observe.RECALLED_FIRST: recalled,
            observe.RECALLED: layout.history,
            observe.RECALLED_WIDTH: where.recalled_width,
            observe.RECALLED_CARDS: first.get("recalled cards", recalled) - recalled,
        }
        words = [0] * observe.HEADER
        header[observe.PLACES] = len(words)
        words += self._choices()
        header[observe.BACK_CARDS] = len(words)
        words += where.backs.values()
        texts: list[int] = []
        for cell in native.layout.strings.owners:
            texts.append(len(words))
            words += self._text_columns("string", *cell)
        header[observe.BRANCHES] = len(words)
        words += where.branches
        header[observe.PICKS] = len(words)
        words += self._picks(len(words))
        header[observe.SEATS] = len(words)
        seats = range(native.program.players)
        rows = [self._row(Relative(native.program, seat), texts) for seat in seats]
        header[observe.SEAT_WORDS] = len(rows[0])
        header[observe.SEAT_PLACES] = len(rows[0]) - len(native.layout.places.locations)
        for row in rows:
            words += row
        for at, word in header.items():
            words[at] = word
        super().__init__(machine, words)

    def _choices(self) -> list[int]:
        """Return for every place its choice, and how many cycles of each sort are active."""
        plan, first = self._native.plan, self._map.first
        words = [-1, 1, 0] * (plan.end + 1)
        for item in plan.choices:
            column = first["choice", plan.frames[item.pc]] - first["choices"]
            words[3 * item.pc : 3 * item.pc + 3] = column, 1 + item.players, item.teams
        return words

    def _text_columns(self, *key: Hashable) -> list[int]:
        """Return for every string of the program its column in a group, or -1."""
        numbers = {text: at for at, text in enumerate(self._map.texts[key])}
        return [numbers.get(text, -1) for text in self._native.names.texts]

    def _picks(self, start: int) -> list[int]:
        """Return the words for what recalled choices picked, and then the tables of strings."""
        first, picks = self._map.first, self._map.picks
        words: list[int] = []
        tables: list[int] = []
        for key in picks:
            column = first["picked", key]
            extra = self._scales[column]
            if key[1] is ValueKind.STRING:
                extra = start + 3 * len(picks) + len(tables)
                tables += self._text_columns("picked", key)
            sort = observe.PICK_KINDS.index(key[1].name)
            words += [sort, column - first["recalled"], extra]
        return words + tables

    def _row(self, relative: Relative, texts: list[int]) -> list[int]:
        where, native = self._map, self._native
        first, locations = where.first, native.layout.places.locations
        own = [place._replace(owner=relative.owner(place.owner)) for place in locations]
        words = [relative.first_team]
        for place in own:
            words += [first["counts", place], first.get(("cards", place), -1)]
        for owner, name in native.layout.integers.owners:
            column = first["integer", relative.owner(owner), name]
            words += [column, self._scales[column]]
        for at, (owner, name) in zip(texts, native.layout.strings.owners, strict=True):
            words += [first["string", relative.owner(owner), name], at]
        absolute = {relative.owner(owner): owner for owner in range(native.program.table + 1)}
        for whose, kind, name in where.sorts:
            words += [absolute[whose], 1 + KINDS.index(kind), native.names.number(name)]
        numbers = {place: number for number, place in enumerate(locations)}
        return words + [numbers[place] for place in own]
