"""Actions: what can be chosen in a game, numbered by meaning.

An action means the same in every state of a game: a deed with the values that it picks, so that
learners can tell options by numbers. Options offered together that mean the same, as cards that
look alike do, are numbered in their order.

Two branches do the same deed if they move cards in the same way, whatever they pick and store
beside it: to lead and to follow are one deed. A branch that moves no card does what it stores.
Notes beside a move count only where a description always mentions them (`Wording.always`).

The actions of one deed are a block of numbers. Where the values that it can pick are not too many
together, each combination is one action. Otherwise an option is a sequence of actions: for each
pick its value, or if that is a group of cards among too many, its cards in ascending order and an
end (unless all groups have the same size). A value that is none of a column's, such as an integer
without known bounds, is spelled: by a minus, digits and an end. No sequence begins another.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, combinations, product
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from cardwright.game.actions.columns import Picking
from cardwright.game.choice_acts import NO_PICKS, acts_of, notes_of, places_of
from cardwright.game.errors import IllegalOptionError
from cardwright.game.option import Unseen
from cardwright.game.wording.describe import wording_of
from cardwright.interpreter.world import sees
from cardwright.program import nodes as n
from cardwright.program.cards import OwnerId
from cardwright.program.chains import choosing

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from cardwright.game.actions.columns import Column, PickSort, Value
    from cardwright.game.board import Board
    from cardwright.game.choice_acts import Act, Key
    from cardwright.game.wording.naming import Namer
    from cardwright.interpreter.effects import Pick
    from cardwright.program.cards import CardId
    from cardwright.program.program import Program
    from cardwright.syntax.source import Span

Code: TypeAlias = tuple[int, ...]
"""The actions that make one option."""

_Meaning: TypeAlias = "tuple[PickSort, Value | None]"
"""A value and its sort; None is an end."""

CAP = 5_000
"""The most actions that are made of the combinations of what one deed picks."""

SPELLING = ("minus", *(f"digit {digit}" for digit in range(10)), "end of the number")
"""The actions by which a value is spelled."""

ALIKE = ("another like it", "this one")
"""The actions that tell options apart for which one meaning has too few numbers."""

_MOVES = (n.Move, n.Swap, n.Shuffle)

# Deeds ------------------------------------------------------------------------------------


class Deed(NamedTuple):
    """What a branch does: a key that is equal for equal deeds, and phrases in words."""

    key: Hashable
    phrases: tuple[str, ...]


def _deed(step: n.Node, noted: frozenset[Key], picks: Mapping[int, str]) -> Deed:
    """Return the deed of a branch of a choice.

    `noted` are the notes that descriptions always mention; `picks` has a name for the variable of
    every `any`, by its slot, the same in branches that pick the same.
    """
    acts = list(acts_of(step, {}, NO_PICKS))
    moves = [act for act in acts if isinstance(act.node, _MOVES)]
    if moves:
        acts = [act for act in acts if act in moves or not noted.isdisjoint(notes_of([act]))]
    bound: dict[int, n.Node | str] = {}
    for node in n.walk(step):
        if isinstance(node, n.Let):
            bound[node.variable.slot] = node.value
        elif isinstance(node, n.ForEach) and not node.choose:
            bound[node.variable.slot] = node.collection
    bound |= picks
    key = bool(moves), *(_canonical(act.node, bound) for act in acts)
    phrases = filter(None, map(_phrase, acts))
    return Deed(key, tuple(dict.fromkeys(phrases)))


def _canonical(value: object, bound: Mapping[int, n.Node | str]) -> Hashable:
    """Return a form as a value that does not depend on the names of variables."""
    match value:
        case n.Variable(slot=slot, name=name):
            meant = bound.get(slot, name)
            return meant if isinstance(meant, str) else ("bound", _canonical(meant, bound))
        case n.Node():
            parts = (_canonical(getattr(value, name), bound) for name in value.operand_names)
            return type(value).__name__, *parts
        case tuple():
            return tuple(_canonical(item, bound) for item in value)
    return str(value)


def _phrase(act: Act) -> str:
    match act.node:
        case n.Move(card=card, target=target):
            source = "" if isinstance(card, n.Variable) else _places(card, act)
            return f"{source} to {_places(target, act)}".strip()
        case n.Swap(left=left, right=right):
            return f"swap {_places(left, act)} and {_places(right, act)}"
        case n.Shuffle(location=location):
            return f"shuffle {_places(location, act)}"
        case n.Set(storage=n.Storage(name=name), value=value):
            return f"{_text(name)} {_text(value)}".strip()
        case n.Increase(storage=n.Storage(name=name), sign=sign):
            return f"{_text(name)} {'up' if sign > 0 else 'down'}"
        case n.Pass():
            return "pass"
    return type(act.node).__name__.lower()


def _places(node: n.Node, act: Act) -> str:
    names = [_text(place.name) for place in places_of(node, act.scope)]
    return "/".join(dict.fromkeys(filter(None, names))) or "cards"


def _text(node: n.Node) -> str:
    return str(node.value) if isinstance(node, n.Text | n.Number) else ""


# Blocks -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class ActionBlock:
    """The actions of a deed, numbered from `start`.

    `loose` blocks are of branches that may pick any number of times: they have an end. `looks` is
    how many looks cards have, and `cap` that of `Actions`.
    """

    deed: Deed
    columns: tuple[Column, ...]
    loose: bool
    looks: int
    cap: int
    start: int = 0

    @property
    def key(self) -> Hashable:
        """What makes blocks the same: the deed, and the sorts of what is picked."""
        sorts = tuple((column.sort, column.key) for column in self.columns)
        return self.deed.key, sorts, self.loose

    @cached_property
    def copies(self) -> int:
        """How many options may mean the same, and have numbers of their own."""
        return self._alike if self._combinations * self._alike <= self.cap else 1

    @property
    def confusable(self) -> bool:
        """Whether more options may mean the same than there are numbers for."""
        return self._alike > 1 and (self._alike > self.copies or self.sequences)

    @property
    def _alike(self) -> int:
        return prod(column.copies for column in self.columns)

    @cached_property
    def _combinations(self) -> int:
        """How many combinations of values there are; more than the cap if groups are too many."""
        if any(column.values is None for column in self.columns):
            return self.cap + 1
        return prod(len(column.places) for column in self.columns)

    @cached_property
    def flat(self) -> int:
        """How many actions are options of their own."""
        if self.loose or self._combinations > self.cap:
            return 0
        return self._combinations * self.copies

    @cached_property
    def strides(self) -> tuple[int, ...]:
        """What one more in the place of each column's value adds to a number."""
        sizes = [len(column.places) for column in self.columns]
        return tuple(self.copies * prod(sizes[at + 1 :]) for at in range(len(sizes)))

    @cached_property
    def parts(self) -> tuple[tuple[int, int], ...]:
        """Where the actions for the values of each column begin, and those that spell one."""
        parts = []
        at = self.start + self.flat
        for column in self.columns if self.sequences else ():
            spelling = at + len(self._symbols(column))
            parts.append((at, spelling))
            at = spelling + len(SPELLING) * column.spelled
        return tuple(parts)

    @property
    def sequences(self) -> bool:
        """Whether some options are sequences of actions."""
        return not self.flat or any(column.spelled for column in self.columns)

    @cached_property
    def size(self) -> int:
        """How many actions there are."""
        parts = [(len(self._symbols(column)), column.spelled) for column in self.columns]
        symbols = sum(single + len(SPELLING) * spelled for single, spelled in parts) + self.loose
        return self.flat + symbols * self.sequences

    def _symbols(self, column: Column) -> list[_Meaning]:
        """Return what actions mean that are values of a column: none where these are options."""
        if self.flat and len(self.columns) == 1:
            return []
        if column.values is not None:
            return [(column.sort, value) for value in column.places]
        looks: list[_Meaning] = [("card", look) for look in range(self.looks)]
        return [*looks, *[(column.sort, None)] * (column.size is None)]

    def code(self, picked: Sequence[tuple[int, Value]]) -> Code:
        """Return the actions of an option that picked these values, each of a column."""
        if self.flat:
            places = [self.columns[column].places.get(value) for column, value in picked]
            if None not in places:
                steps = zip(self.strides, places, strict=True)
                return (self.start + sum(stride * (at or 0) for stride, at in steps),)
        code: list[int] = []
        for column, value in picked:
            code += self._spelled(column, value)
        return (*code, self.start + self.size - 1) if self.loose else tuple(code)

    def _spelled(self, at: int, value: Value) -> list[int]:
        column = self.columns[at]
        first, spelling = self.parts[at]
        place = column.places.get(value)
        if place is not None:
            return [first + place]
        if column.values is None and isinstance(value, tuple):
            cards = [first + look for look in value if isinstance(look, int)]
            return cards if column.size is not None else [*cards, first + self.looks]
        number = value.ordinal if isinstance(value, Unseen) else value
        assert column.spelled
        assert isinstance(number, int)
        digits = [spelling + 1 + int(digit) for digit in str(abs(number))]
        return [spelling] * (number < 0) + digits + [spelling + len(SPELLING) - 1]

    def meanings(self) -> Iterator[tuple[int | None, tuple[_Meaning, ...], int]]:
        """Yield for every action, in order, what it is.

        That is the column, None if it is all; sorts and values, where None is the end of what the
        column, or without one the option, has; and its number among alike ones.
        """
        sorts = [column.sort for column in self.columns]
        for values in product(*(column.places for column in self.columns)) if self.flat else ():
            for copy in range(self.copies):
                yield None, tuple(zip(sorts, values, strict=True)), copy
        for number, column in enumerate(self.columns if self.sequences else ()):
            spelling: list[_Meaning] = [("string", symbol) for symbol in SPELLING * column.spelled]
            yield from ((number, (symbol,), 0) for symbol in (*self._symbols(column), *spelling))
        if self.loose:
            yield None, (("string", None),), 0


# Names ------------------------------------------------------------------------------------


def _action_names(
    blocks: Sequence[ActionBlock], picking: Picking, namer: Namer, *, alike: bool
) -> tuple[str, ...]:
    """Return the names of all actions: what is picked, with words of the deed if need be."""
    levels = [names for block in blocks for names in _block_names(block, picking, namer)]
    levels += [(text,) for text in ALIKE if alike]
    names = [shorter_first[0] for shorter_first in levels]
    for level in range(1, 4):
        count = Counter(name.lower() for name in names)
        names = [
            longer[min(level, len(longer) - 1)] if count[name.lower()] > 1 else name
            for longer, name in zip(levels, names, strict=True)
        ]
    count = Counter(name.lower() for name in names)
    used = set(count)
    for at, name in enumerate(names):
        if count[name.lower()] > 1:
            several = (f"{name} #{number}" for number in range(1, len(names) + 1))
            names[at] = next(text for text in several if text.lower() not in used)
            used.add(names[at].lower())
    return tuple(names)


def _block_names(block: ActionBlock, picking: Picking, namer: Namer) -> Iterator[tuple[str, ...]]:
    """Yield what each action of a block may be called, the shortest first."""
    phrases = block.deed.phrases or ("nothing",)
    short, whole = phrases[0], ", ".join(phrases)
    for column, values, copy in block.meanings():
        again = f" ({copy + 1})" if copy else ""
        picked = " ".join(_value_name(sort, value, picking, namer) for sort, value in values)
        names = [short, whole]
        if picked:
            names = [picked, f"{short}: {picked}", f"{whole}: {picked}"]
            if column is not None:
                variable = block.columns[column].variable.removeprefix("'")
                names.append(f"{whole}, {variable}: {picked}")
        yield tuple(name + again for name in names)


def _value_name(sort: PickSort, value: Any, picking: Picking, namer: Namer) -> str:
    def look(number: int) -> str:
        return namer.card(picking.program.cards[picking.examples[number]])

    if value is None:
        return "end"
    if isinstance(value, Unseen):
        return f"unseen {(value.ordinal or 0) + 1}"
    match sort:
        case "card":
            return look(value)
        case "group":
            return " + ".join(map(look, value)) or "no cards"
        case "player":
            return picking.program.owner_name(OwnerId(value))
        case "team":
            return picking.program.owner_name(OwnerId(picking.program.players + value))
        case "place":
            return namer.location(value)
    return str(value) or "none"


# Actions ----------------------------------------------------------------------------------


class BranchActions(NamedTuple):
    """The block of a branch, and by each `any` its column; None if another pick shows it."""

    block: int
    columns: dict[Span, int | None]


class Actions:
    """All actions of a game, numbered from 0; iteration gives their names.

    `cap` is the most actions that are made of the combinations of what one deed picks. `alike` says
    whether the last two actions tell options apart that mean the same.
    """

    def __init__(self, program: Program, namer: Namer, cap: int = CAP) -> None:
        """Number the actions of a program; see `Game.actions`."""
        if cap < 1:
            raise ValueError(f"the cap has to be 1 or more, not {cap}")
        self.cap = cap
        self.picking = Picking(program, cap)
        self.branches: dict[Span, tuple[BranchActions, ...]] = {}
        self._namer = namer
        self.alike = False
        blocks: dict[Hashable, ActionBlock] = {}
        for node in program.nodes():
            if isinstance(node, n.Choice):
                self.branches[node.span] = self._choice(node, blocks)
        sizes = [block.size for block in blocks.values()]
        starts = accumulate(sizes, initial=0)
        self.blocks = tuple(
            replace(block, start=at) for block, at in zip(blocks.values(), starts, strict=False)
        )
        self._size = sum(sizes)
        self.alike |= any(block.confusable for block in self.blocks)

    def __len__(self) -> int:
        return self._size + 2 * self.alike

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __repr__(self) -> str:
        return f"<Actions: {len(self)}>"

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return _action_names(self.blocks, self.picking, self._namer, alike=self.alike)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name.lower(): number for number, name in enumerate(self._names)}

    def name(self, number: int) -> str:
        """Return an action in words; raises IllegalOptionError if there is no such number."""
        if not 0 <= number < len(self):
            raise IllegalOptionError(
                f"there is no action {number}: actions are numbered 0 to {len(self) - 1}"
            )
        return self._names[number]

    def number(self, name: str) -> int:
        """Return the number of a name in any case of letters; raises IllegalOptionError."""
        if name.lower() not in self._numbers:
            raise IllegalOptionError(
                f"{name!r} is not an action of this game; see list(game.actions)"
            )
        return self._numbers[name.lower()]

    @cached_property
    def sequences(self) -> bool:
        """Whether some options are sequences of several actions."""
        return self.alike or any(block.sequences for block in self.blocks)

    def _choice(
        self, choice: n.Choice, blocks: dict[Hashable, ActionBlock]
    ) -> tuple[BranchActions, ...]:
        always = wording_of(choice, self._namer).always
        branches = [
            self._branch(step, noted, blocks)
            for step, noted in zip(choice.steps, always, strict=True)
        ]
        deeds = zip(choice.steps, branches, strict=True)
        for (other, before), (step, branch) in combinations(deeds, 2):
            if before.block == branch.block:
                self.alike |= not self.picking.exclude(step, other)
        picked = [form.collection for step in choice.steps for form in _forms(step)]
        self.alike |= not all(map(self.picking.distinct, picked))
        return tuple(branches)

    def _branch(
        self, step: n.Node, noted: frozenset[Key], blocks: dict[Hashable, ActionBlock]
    ) -> BranchActions:
        forms = _forms(step)
        loose = not _nested(step)
        kept = [
            form
            for at, form in enumerate(forms)
            if loose or not self.picking.implied(form, forms[at + 1 :])
        ]
        names = {form.variable.slot: "outer" for form in forms}
        names |= {form.variable.slot: f"pick {at}" for at, form in enumerate(kept)}
        columns = tuple(self.picking.column(form, first=not loose) for form in kept)
        looks = len(self.picking.examples)
        block = ActionBlock(_deed(step, noted, names), columns, loose, looks, self.cap)
        key = block.key
        if known := blocks.get(key):  # another branch does the same deed
            pairs = zip(known.columns, columns, strict=True)
            block = replace(known, columns=tuple(old.joined(new, self.cap) for old, new in pairs))
        blocks[key] = block
        at_form = {form.span: kept.index(form) if form in kept else None for form in forms}
        return BranchActions(list(blocks).index(key), at_form)


def _forms(step: n.Node) -> list[n.ForEach]:
    return choosing(n.walk(step))


def _nested(step: n.Node) -> bool:
    """Return whether the `any`s of a branch come first, each once, one within another."""
    while True:
        match step:
            case n.When(body=body) | n.Let(body=body) | n.ForEach(choose=True, body=body):
                step = body
            case n.Do(steps=(only,)):
                step = only
            case _:
                return not _forms(step)


# Decisions --------------------------------------------------------------------------------


class DecisionActions:
    """The actions of the options of a decision, in their order: `codes`."""

    def __init__(self, actions: Actions, board: Board, program: Program) -> None:
        seat = board.player
        assert seat is not None

        def visible(card: CardId) -> bool:
            return sees(program, seat, board.where(card))

        self._actions = actions
        branches = actions.branches[board.choice.span]
        self.codes = [self._code(branches[at], picks, visible) for at, picks in board.picks()]
        alike: dict[Code, list[int]] = {}
        for index, code in enumerate(self.codes):
            alike.setdefault(code, []).append(index)
        for code, indices in alike.items():
            if len(indices) > 1:
                self._tell_apart(code, indices)

    def _code(
        self, branch: BranchActions, picks: Sequence[Pick], visible: Callable[[CardId], bool]
    ) -> Code:
        block = self._actions.blocks[branch.block]
        picked = []
        for pick in picks:
            column = branch.columns[pick.node.span]
            if column is not None:
                value = self._actions.picking.value(block.columns[column], pick, visible)
                picked.append((column, value))
        return block.code(picked)

    def _tell_apart(self, code: Code, indices: list[int]) -> None:
        """Number options of one meaning in their order.

        Those for which there are no more numbers are taken by `this one`, after as many times
        `another like it` as there are such options before.
        """
        blocks = self._actions.blocks
        block = next(block for block in blocks if code[0] < block.start + block.size)
        copies = block.copies if code[0] < block.start + block.flat else 1
        few = len(indices) if len(indices) <= copies else copies - 1
        for copy, index in enumerate(indices[:few]):
            self.codes[index] = (code[0] + copy,)
        assert few == len(indices) or self._actions.alike
        last = (code[0] + copies - 1,) if copies > 1 else code
        another, this = len(self._actions) - 2, len(self._actions) - 1
        for before, index in enumerate(indices[few:]):
            self.codes[index] = (*last, *(another,) * before, this)

    @cached_property
    def _options(self) -> dict[Code, int]:
        return {code: index for index, code in enumerate(self.codes)}

    def legal(self, pending: Code) -> tuple[int, ...]:
        """Return the actions that may follow those of the decision so far, in ascending order."""
        made = len(pending)
        return tuple(sorted({code[made] for code in self.codes if code[:made] == pending}))

    def towards(self, index: int, pending: Code) -> int:
        """Return the next action on the way to an option; raises IllegalOptionError."""
        code = self.codes[index]
        if code[: len(pending)] != pending:
            made = ", ".join(map(self._actions.name, pending))
            raise IllegalOptionError(
                f"the actions so far ({made}) do not lead to option {index}: play(...) makes it as"
                " a whole, and undo_action() takes actions back"
            )
        return code[len(pending)]

    def leads(self, pending: Code) -> bool:
        """Return whether some option begins with these actions."""
        return any(code[: len(pending)] == pending for code in self.codes)

    def after(self, pending: Code, action: int) -> Code | int:
        """Return the actions after one more, or the option made; raises IllegalOptionError."""
        made = (*pending, action)
        if made in self._options:
            return self._options[made]
        if not self.leads(made):
            name = self._actions.name(action)
            raise IllegalOptionError(
                f"action {action} ({name}) is not legal here; state.legal_actions() has those that"
                " are"
            )
        return made
