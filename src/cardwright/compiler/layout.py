"""The memory layout of a state: one flat block of bytes, the same size for all states of a game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cardwright.compiler.cells import Cells, cells
from cardwright.compiler.chains import public_picks
from cardwright.compiler.deferral import dealt_place, deferred_place
from cardwright.compiler.pile_forms import (
    WIDE_WORD,
    WORD,
    PileForm,
    PileForms,
    mask_type,
    pile_forms,
)
from cardwright.compiler.structs import Field, Struct, Type
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.nodes import StatePart
from cardwright.program.places import Places, families_of, places

if TYPE_CHECKING:
    from cardwright.compiler.effect_analysis import EffectAnalysis
    from cardwright.compiler.names import Names
    from cardwright.program.kinds import ValueKind

SLACK = 64
"""Bytes after a state that may be read, though they are unused."""

CONTEXT_FIELDS = (
    "fault_site",
    "fault_a",
    "fault_b",
    "fault_c",
    "step_limit",
    "limit",
    "allowance",
    "left",
    "begun",
    "later",
    "parts",
    "ticks",
    "watch",
    "decision_limit",
    "pause",
    "options_room",
    "arena_end",
    "kept_end",
    "top",
    "kept",
    "picks",
    "result",
    "stop",
    "done",
    "pick_count",
    "option_sum",
    "option_most",
    "option_single",
    "changed",
    "one_deal",
)
"""Integers of a context: the last fault, limits, how much of them is left (see `kernels.work`),
the number of decisions at which random play pauses, marks in its memory, the tally of a random
game's options, and whether games end with the deal.
"""

CONTEXT_POINTERS = ("options", "arena", "scratch", "trail", "extra")
"""Pointers to the options, lists, the scratch board, picks that are tried, and what an extension
has to know about the game.
"""

CONTEXT = Struct(
    "Context",
    {
        **{name: Field(8 * at, 8, signed=True, tag=name) for at, name in enumerate(CONTEXT_FIELDS)},
        **{
            name: Field(8 * (len(CONTEXT_FIELDS) + at), 8, type=Type.POINTER, tag=name)
            for at, name in enumerate(CONTEXT_POINTERS)
        },
    },
    8 * (len(CONTEXT_FIELDS) + len(CONTEXT_POINTERS)),
)

STREAM = Struct("Stream", {"words": Field(0, 8, strides=(8,), tag="words")}, 32)

TALLY_FIELDS = (
    "decisions",
    "options",
    "most",
    "single",
    "broken",
    "fault_site",
    "fault_a",
    "fault_b",
    "fault_c",
)
"""The tally of a random game: how many decisions it had, the total and the most options of a
decision, and how many had a single one; or that it broke a rule, and the fault.
"""

TALLY = Struct(
    "Tally",
    {name: Field(8 * at, 8, signed=True) for at, name in enumerate(TALLY_FIELDS)},
    8 * len(TALLY_FIELDS),
)


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
        """The words of an entry for a choice that is recalled (`kernels.recall`)."""
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
        type: Type = Type.INT,  # noqa: A002 - the field's name
    ) -> None:
        """Add a field, or an array if a count is given."""
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
    packer.add("operands", 8, len(points) * operands, signed=True)
    strides = (8 * operands, 8)
    packer.fields["operands"] = replace(packer.fields["operands"], strides=strides)
    packer.add("pool_at", 8, where.pool, signed=True)
    if where.pool:
        packer.add("pool_used", 8, signed=True)
    packer.add("decisions", 8)
    packer.add("births", 8)
    mask = mask_type(cards)
    narrow = mask is Type.INT
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
    pile = _pile(packer, capacity, card_bytes, wide, known=known)
    head = packer.end
    size = head + pile * (where.slots - forms.pure)
    size += -size % 8
    _shift(packer, forms.pure)
    board = Struct("Board", packer.fields, size)
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
    return slot if slot is not None and forms.of(slot) is PileForm.PILE else None


def _pile(packer: _Packer, capacity: int, card: int, wide: int, *, known: bool) -> int:
    """Add the fields of the piles, and return the bytes of one pile."""
    parts = [("count", wide, False), ("born", wide, False)]
    parts += [("known_count", wide, False)] if known else []
    parts += [("card", card, True)]
    parts += [("known", card, True)] if known else []
    at = packer.end
    found: list[tuple[str, Field]] = []
    for name, width, array in parts:
        found.append((name, Field(at, width, strides=(0, width) if array else (0,))))
        at += width * (capacity if array else 1)
    size = at - packer.end
    size += -size % wide
    for name, field in found:
        strides = (size, *field.strides[1:])
        packer.fields[name] = Field(field.offset, field.width, False, strides, tag=name)
    return size


def _shift(packer: _Packer, pure: int) -> None:
    """Let the first pile be that of the first slot that has one; those below have only masks."""
    for name in _PILE_FIELDS:
        field = packer.fields.get(name)
        if field is not None:
            at = field.offset - pure * field.strides[0]
            packer.fields[name] = replace(field, offset=at)


_PILE_FIELDS = ("count", "born", "known_count", "card", "known")


def dynamic_operands(site: n.SetPoints) -> list[n.Node]:
    """Return the parts of a point map that are not written out, in order of evaluation."""
    found: list[n.Node] = []
    for award in site.awards:
        assert isinstance(award, n.Award)
        found += [key for key in award.keys if not isinstance(key, n.Text)]
        found += [value for value in award.values if not isinstance(value, n.Text)]
        if not isinstance(award.points, n.Number):
            found.append(award.points)
    return found


def _depth(items: tuple[n.Node, ...], *, team: bool) -> int:
    """Return how many cycles there can be at once: the table's, those of stages, the scoring's."""

    def nested(items: tuple[n.Node, ...]) -> int:
        stages = [item for item in n.items_within(items) if isinstance(item, n.Stage)]
        return max((nested(stage.items) + (stage.team is team) for stage in stages), default=0)

    return 1 + nested(items) + (not team)


CONCEALED = (LocationKind.INVISIBLE, LocationKind.HIDDEN)


def _teaching(analysis: EffectAnalysis, where: Places) -> frozenset[int]:
    """Return the families into which cards can go that everybody sees."""
    found: set[int] = set()
    for node in analysis.program.nodes():
        match node:
            case n.Move(card=card, target=n.End(location=n.Place() as place)):
                if LocationKind.VISIBLE in analysis.kinds(card, moved=True):
                    named = families_of(place, analysis)
                    if named is None or any(family not in where.bases for family in named):
                        return frozenset(where.bases.values())
                    found.update(
                        where.bases[family] for family in named if family.kind in CONCEALED
                    )
            case n.Move() | n.Swap():
                return frozenset(where.bases.values())
    return frozenset(found)


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
