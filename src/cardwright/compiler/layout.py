"""The memory layout of a state: one flat block of bytes, the same size for all states of a game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from cardwright.compiler.structs import Field, Struct, Type
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind, OwnerId
from cardwright.program.chains import public_picks
from cardwright.program.deferral import dealt_place, deferred_place
from cardwright.program.nodes import StatePart
from cardwright.program.places import OwnerRange, Places, families_of, places, sort_of

if TYPE_CHECKING:
    from cardwright.program.effects import EffectAnalysis
    from cardwright.program.kinds import ValueKind
    from cardwright.program.program import Program


# Strings ----------------------------------------------------------------------------------


class Names:
    """The numbers of a program's strings, in alphabetical order; the empty string is 0."""

    def __init__(self, program: Program) -> None:
        texts = {""}
        for card in program.cards:
            texts.update(card.attributes, card.attributes.values())
        for node in program.nodes():
            if isinstance(node, n.Text):
                texts.add(node.value)
            elif isinstance(node, n.Strings):
                texts.update(node.values)
        self.texts: tuple[str, ...] = tuple(sorted(texts))
        self._numbers = {text: number for number, text in enumerate(self.texts)}

    def __len__(self) -> int:
        return len(self.texts)

    def number(self, text: str) -> int:
        """Return the number of a string of the program."""
        return self._numbers[text]


# How the cards of each location lie in memory ----------------------------------------------

WORD = 64
WIDE_WORD = 128
"""The bits of a mask, which are the most cards of which there are masks of its width."""


class PileForm(Enum):
    """How the cards of a location lie in memory: as a mask, as a pile, or as both.

    A location whose cards lie by number is a mask: of 64 bits if the game has no more than 64
    cards, of 128 bits if it has no more than 128. With still more cards it is a pile that is kept
    in order. One of which only the top or bottom card is ever read rarely has more than one card
    when that matters (a card played to a trick), so it is a mask as well, and its order is kept
    beside it as long as it has several cards.
    """

    MASK = "mask"
    LAZY = "mask, with the order of several cards beside it"
    SORTED = "pile in order of number"
    PILE = "pile"

    @property
    def masked(self) -> bool:
        """Whether there is a mask of the cards."""
        return self in {PileForm.MASK, PileForm.LAZY}


@dataclass(frozen=True)
class PileForms:
    """Where the slots of each form end, in the order of the forms; the rest are piles."""

    pure: int
    masks: int
    sorted: int

    def form_of(self, slot: int) -> PileForm:
        """Return the form of a slot."""
        if slot < self.pure:
            return PileForm.MASK
        if slot < self.masks:
            return PileForm.LAZY
        return PileForm.SORTED if slot < self.sorted else PileForm.PILE


def pile_forms(where: Places, cards: int) -> PileForms:
    """Return the forms of the locations of a game with a number of cards."""
    if cards > WIDE_WORD:
        return PileForms(0, 0, where.unordered)
    masks = where.unordered + where.ends
    return PileForms(where.unordered, masks, masks)


# Where a state keeps stored integers, strings and point maps --------------------------------


class CellGroup(NamedTuple):
    """The cells of one name of one sort of owner."""

    sort: OwnerRange
    name: str


@dataclass(frozen=True)
class Cells:
    """The cells of one kind of storage: groups with their first cells, and each cell's storage."""

    bases: dict[CellGroup, int]
    owners: tuple[tuple[OwnerId, str], ...]

    def __len__(self) -> int:
        return len(self.owners)


def cells(analysis: EffectAnalysis, names: Names, kind: n.StorageKind) -> Cells:
    """Return the cells of a program; a computed name can be any string of the program."""
    bases: dict[CellGroup, int] = {}
    owners: list[tuple[OwnerId, str]] = []
    for node in analysis.program.nodes():
        if isinstance(node, n.Storage) and node.storage is kind:
            sort = sort_of(node.owner, analysis.program)
            for name in analysis.strings(node.name) or names.texts:
                if CellGroup(sort, name) not in bases:
                    bases[CellGroup(sort, name)] = len(owners)
                    first, count = sort
                    owners += [(OwnerId(owner), name) for owner in range(first, first + count)]
    return Cells(bases, tuple(owners))


# The board --------------------------------------------------------------------------------

SLACK = 64
"""Bytes after a state that may be read, though they are unused."""


@dataclass(frozen=True)
class BoardLayout:
    """The board struct of a program, and the sizes that determine it.

    `head` is the number of bytes before the piles. `capacity` is the number of cards that fit in a
    pile; a card takes `card_bytes`. Masks of cards are integers of the type `mask`.
    `player_cycles` and `team_cycles` are how deep cycles nest: one for the table, one for each
    stage within stages, and one more for the scoring.
    """

    board: Struct
    places: Places
    forms: PileForms
    mask: Type
    head: int
    integers: Cells
    strings: Cells
    points: Cells
    operands: int
    capacity: int
    card_bytes: int
    player_cycles: int
    team_cycles: int
    known: bool
    players: int
    table: int
    names: int
    backs: int
    teaching: frozenset[int]
    """The first slots of the families of which everybody may know cards, though they hide them."""
    deferred: int | None
    """The slot of the pile of which shuffles can be deferred, if there is one."""
    dealt: int | None
    """The same slot, if its cards are dealt as sets."""
    public: tuple[tuple[str, ValueKind], ...]
    """What options pick besides cards; see `chains.public_picks`."""

    @property
    def mask_bits(self) -> int:
        """The bits of a mask."""
        return WORD if self.mask is Type.INT else WIDE_WORD

    @property
    def card_words(self) -> int:
        """The words of a set of cards with a bit for each."""
        return (self.capacity + WORD - 1) // WORD

    @property
    def entry_words(self) -> int:
        """The words of an entry for a choice that is recalled (`kernels.information`)."""
        return self.entry_cards + (self.players + 1) * self.card_words

    @property
    def entry_cards(self) -> int:
        """The words of an entry before its sets of cards."""
        return 2 + len(self.public)

    @property
    def parameters(self) -> dict[str, int]:
        """The sizes by the names that kernels use."""
        return {
            "CARD_BYTES": self.card_bytes,
            "CAPACITY": self.capacity,
            "STATE_BYTES": self.board.bytes,
            "UNORDERED": self.places.unordered,
            "FIXED_SLOTS": self.places.fixed,
            "POOL_SLOTS": self.places.pool,
            "SLOTS": self.places.slots,
            "KNOWN": int(self.known),
            "CARDS_AT": self.board.fields["card"].offset,
            "KNOWN_AT": self.board.fields["known"].offset if self.known else 0,
            "PILES_AT": self.board.fields["count"].offset,
            "HEAD_BYTES": self.head,
            "MASK_BITS": self.mask_bits,
            "PURE": self.forms.pure,
            "MASKS": self.forms.masks,
            "SORTED": self.forms.sorted,
            "PILE_BYTES": self.board.fields["card"].strides[0],
            "STRINGS": self.names,
            "PLAYERS": self.players,
            "TABLE": self.table,
            "CARDS": self.capacity,
            "CARD_WORDS": self.card_words,
            "ENTRY_WORDS": self.entry_words,
            "ENTRY_CARDS": self.entry_cards,
            "BACKS": self.backs,
            "DEALT": 0 if self.dealt is None else 1 + self.dealt,
        }


class _Packer:
    """Lays out fields in sequence; the widest come first, so that all are aligned."""

    def __init__(self) -> None:
        self.fields: dict[str, Field] = {}
        self.end = 0

    def add(
        self,
        name: str,
        width: int,
        count: int | None = None,
        *,
        signed: bool = False,
        strides: tuple[int, ...] | None = None,
        type: Type = Type.INT,  # noqa: A002 - the field's name
    ) -> None:
        """Add a field, or an array if a count is given."""
        if strides is None:
            strides = () if count is None else (width,)
        self.fields[name] = Field(self.end, width, signed, strides, type, name)
        self.end += width * (1 if count is None else count)


def layout(analysis: EffectAnalysis, names: Names) -> BoardLayout:
    """Return the memory layout of a program's states."""
    program = analysis.program
    where = places(analysis)
    integers, strings, points = (cells(analysis, names, kind) for kind in n.StorageKind)
    operands = max((len(dynamic_operands(site)) for site in analysis.points_sites), default=0)
    cards = len(program.cards)
    memory = any(isinstance(node, n.Remember) for node in program.nodes())
    capacity = max(2 * cards if memory else cards, 1)
    known = _lists_known(analysis)
    forms = pile_forms(where, cards)
    card_bytes = 1 if cards <= 255 else 2
    slot_bytes = 1 if where.slots <= 255 else 2
    depth = {team: _depth(program.items, team=team) for team in (False, True)}
    packer = _Packer()
    packer.add("words", 8, 4)
    packer.add("integers", 8, len(integers), signed=True)
    packer.add("operands", 8, len(points) * operands, signed=True, strides=(8 * operands, 8))
    packer.add("pool_at", 8, where.pool, signed=True)
    if where.pool:
        packer.add("pool_used", 8, signed=True)
    packer.add("decisions", 8)
    packer.add("births", 8)
    narrow = cards <= WORD
    mask = Type.INT if narrow else Type.WIDE
    width = (WORD if narrow else WIDE_WORD) // 8
    packer.add("mask", width, forms.masks, signed=narrow, type=mask)
    if known:
        packer.add("known_mask", width, forms.pure, signed=narrow, type=mask)
    for name in ("pool_owner", "pool_kind", "pool_name"):
        packer.add(name, 2, where.pool)
    deferred = _deferred(analysis, where, forms)
    if deferred is not None:
        packer.add("unsettled", 2)
    packer.add("pc", 2)
    packer.add("strings", 2, len(strings))
    packer.add("points", 2, len(points))
    for name in ("current", "queued"):
        packer.add(name, 1, depth[False] + depth[True])
    packer.end += -packer.end % slot_bytes
    packer.add("where", slot_bytes, cards)
    packer.end += -packer.end % 8
    wide = max(card_bytes, slot_bytes, 1 if capacity <= 255 else 2)
    head = packer.end
    piles, pile = _pile_fields(head, forms.pure, capacity, card_bytes, wide, known=known)
    size = head + pile * (where.slots - forms.pure)
    board = Struct("Board", packer.fields | piles, size + -size % 8)
    return BoardLayout(
        board, where, forms, mask, head, integers, strings, points, operands, capacity, card_bytes,
        depth[False], depth[True], known, program.players, program.table, len(names),
        len({card.back for card in program.cards}), _teaching(analysis, where),
        deferred, None if dealt_place(analysis) is None else deferred, public_picks(analysis),
    )  # fmt: skip


def _deferred(analysis: EffectAnalysis, where: Places, forms: PileForms) -> int | None:
    """Return the slot of the pile of which shuffles can be deferred, if there is one."""
    place = deferred_place(analysis)
    slot = None if place is None else where.bases.get(place)
    return slot if slot is not None and forms.form_of(slot) is PileForm.PILE else None


PILE_FIELDS = ("count", "born", "known_count", "card", "known")
_PILE_ARRAYS = frozenset({"card", "known"})


def _pile_fields(
    begin: int, pure: int, capacity: int, card: int, wide: int, *, known: bool
) -> tuple[dict[str, Field], int]:
    """Return the fields of the piles, and the bytes of one pile.

    The first pile is that of the first slot that has one; those below have only masks.
    """
    offsets, size = {}, 0
    for name in PILE_FIELDS:
        if known or not name.startswith("known"):
            offsets[name] = size
            size += card * capacity if name in _PILE_ARRAYS else wide
    size += -size % wide
    begin -= pure * size
    fields = {
        name: Field(begin + at, card, strides=(size, card), tag=name)
        if name in _PILE_ARRAYS
        else Field(begin + at, wide, strides=(size,), tag=name)
        for name, at in offsets.items()
    }
    return fields, size


def dynamic_operands(site: n.SetPoints) -> list[n.Node]:
    """Return the parts of a point map that are not written out, in order of evaluation."""
    operands: list[n.Node] = []
    for award in site.awards:
        assert isinstance(award, n.Award)
        operands += [key for key in award.keys if not isinstance(key, n.Text)]
        operands += [value for value in award.values if not isinstance(value, n.Text)]
        if not isinstance(award.points, n.Number):
            operands.append(award.points)
    return operands


def _depth(items: tuple[n.Node, ...], *, team: bool) -> int:
    """Return how many cycles there can be at once: the table's, those of stages, the scoring's."""

    def nested(items: tuple[n.Node, ...]) -> int:
        stages = [item for item in n.items_within(items) if isinstance(item, n.Stage)]
        return max((nested(stage.items) + (stage.team is team) for stage in stages), default=0)

    return 1 + nested(items) + (not team)


CONCEALED = (LocationKind.INVISIBLE, LocationKind.HIDDEN)


def _teaching(analysis: EffectAnalysis, where: Places) -> frozenset[int]:
    """Return the families into which cards can go that everybody sees."""
    teaching: set[int] = set()
    for node in analysis.program.nodes():
        match node:
            case n.Move(card=card, target=n.End(location=n.Place() as place)):
                if LocationKind.VISIBLE in analysis.kinds(card, moved=True):
                    named = families_of(place, analysis)
                    if named is None or any(family not in where.bases for family in named):
                        return frozenset(where.bases.values())
                    teaching.update(
                        where.bases[family] for family in named if family.kind in CONCEALED
                    )
            case n.Move() | n.Swap():
                return frozenset(where.bases.values())
    return frozenset(teaching)


def _lists_known(analysis: EffectAnalysis) -> bool:
    """Return whether a card can go from a place that everybody sees to a concealed one."""
    for node in analysis.program.nodes():
        match node:
            case n.Move(card=card, target=target):
                if analysis.kinds(target) & set(CONCEALED) and (
                    LocationKind.VISIBLE in analysis.kinds(card, moved=True)
                ):
                    return True
            case n.Swap(left=left, right=right):
                both = analysis.kinds(left, moved=True) | analysis.kinds(right, moved=True)
                if LocationKind.VISIBLE in both and both & set(CONCEALED):
                    return True
            case n.Remember() | n.Forget() | n.Shuffle():
                pass  # cards stay in their locations
            case _ if node.traits.writes & StatePart.CARDS:
                return True
    return False
