"""The data of the kernels that play whole games of Hearts, as the words that they read.

The constants of `cardwright.hearts.kernels.hierarchy_table` give the layout of a game's data; those
of `hierarchies` and `hierarchy_steps` that of players and their lists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from cardwright.hearts.cards import suit_mask
from cardwright.hearts.conditions import CONDITIONS
from cardwright.hearts.hierarchy import Hierarchy, Order, OrderMode, Tie, order
from cardwright.hearts.kernels import hierarchies as playing
from cardwright.hearts.kernels import hierarchy_steps as steps
from cardwright.hearts.kernels import hierarchy_table as table
from cardwright.hearts.kernels.hierarchy_counts import OPTION_BYTES
from cardwright.hearts.selector import SELECTORS, ParameterSpec
from cardwright.hearts.step import HierarchyError
from cardwright.program import nodes as n
from cardwright.program.cards import Location, LocationKind, OwnerId

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.game import Game
    from cardwright.game.native import NativeEngine
    from cardwright.hearts.family import HeartsFamily
    from cardwright.hearts.step import HierarchyStep

NativePlayer: TypeAlias = Hierarchy | Literal["random", "rule"]
"""The players that machine code can play."""

_TIES = {Tie.LOW: playing.TIE_LOW, Tie.HIGH: playing.TIE_HIGH, Tie.RANDOM: playing.TIE_RANDOM}
_WAYS = {"TOGETHER": table.TOGETHER, "SINGLY": table.SINGLY, "ROUNDS": table.ROUNDS}
_WINNERS = {"FIRST": table.A_TRICK, "LAST": table.A_TRICK, "HEART": table.A_HEART}
_PILES = (
    (LocationKind.VISIBLE, "TRICK"),
    (LocationKind.INVISIBLE, "HAND"),
    (LocationKind.VISIBLE, "TRICKSWON"),
    (LocationKind.INVISIBLE, "ASIDE"),
)
"""Each seat's piles, in the kernels' order."""

_ALL = -1
"""The set of all cards."""

_RULES = order("rule")
_RULE = Hierarchy(_RULES, _RULES, _RULES, _RULES, _RULES)
"""The rule player as a hierarchy, the form that machine code supports."""


def words_of(
    game: Game, engine: NativeEngine, family: HeartsFamily, players: Sequence[NativePlayer]
) -> tuple[list[int], list[int]]:
    """Return all words, and the offset of each player among them."""
    words = _game_words(game, engine, family)
    places = []
    for player in players:
        lists = _lists_of(player)
        at = len(words)
        places.append(at)
        words += [playing.LISTED if lists else playing.RANDOM] + [0] * (playing.PLAYER_WORDS - 1)
        for place, listed in enumerate(lists, 1):
            if listed is not None:
                words[at + place] = len(words)
                words += _list_words(listed)
    return words, places


def lacking(engine: NativeEngine, family: HeartsFamily) -> str | None:
    """Return in words what the kernels need and a copy of Hearts lacks; None if nothing."""
    layout, plans = engine.native.layout, engine.native.options
    slots = set(layout.places.locations)
    for kind, name in _PILES[:3]:
        if not all(Location(OwnerId(seat), kind, name) in slots for seat in range(family.players)):
            return f"places {name} of all players"
    play = plans.get(_choice(engine, "TRICK"))
    if play is None or not play.shape.strict or play.shape.words * 8 != OPTION_BYTES:
        return "a choice of single cards to play"
    if family.passes and _choice(engine, "PASSED") not in plans:
        return "a choice of cards to pass"
    counted = (OwnerId(layout.table), "PASSES") in layout.integers.owners
    if family.passes and family.passing != "TOGETHER" and not counted:
        return "a count of its PASSES"
    if family.lays and _choice(engine, "ASIDE") not in plans:
        return "a choice of cards to lay aside"
    return None


# The game --------------------------------------------------------------------------------------


def _game_words(game: Game, engine: NativeEngine, family: HeartsFamily) -> list[int]:
    layout = engine.native.layout
    slots = {location: slot for slot, location in enumerate(layout.places.locations)}
    integers = {cell: at for at, cell in enumerate(layout.integers.owners)}
    seats, owner = [OwnerId(seat) for seat in range(family.players)], OwnerId(layout.table)

    def slot(whose: OwnerId, kind: LocationKind, name: str) -> int:
        return slots.get(Location(whose, kind, name), -1)

    words = [0] * table.HEAD_WORDS
    facts = {
        table.QUEEN: family.queen_mask,
        table.ABOVE: family.above_queen,
        table.PENALTIES: family.penalties,
        table.PACK: family.pack,
        table.FREE: int(family.free),
        table.BROKEN: integers.get((owner, "BROKEN"), -1),
        table.PLAY: _choice(engine, "TRICK"),
        table.PASS: _choice(engine, "PASSED"),
        table.LAY: _choice(engine, "ASIDE"),
        table.PASSES: family.passes,
        table.PASSING: _WAYS[family.passing],
        table.PASSED: integers.get((owner, "PASSES"), -1),
        table.LAYS: family.lays,
        table.WIDOW: slot(owner, LocationKind.HIDDEN, "WIDOW"),
        table.WIDOW_TO: _WINNERS.get(str(game.declared.get("WIDOWTO")), table.NOBODY),
        table.REMOVED: slot(owner, LocationKind.VISIBLE, "REMOVED"),
        table.BONUSES: family.bonuses,
        table.MOON_TOTAL: family.moon_total,
    }
    parts = {
        table.PILES: [slot(seat, kind, name) for kind, name in _PILES for seat in seats],
        table.FEES: [integers.get((seat, "FEES"), -1) for seat in seats],
        table.NUMBERS: list(family.numbers),
        table.COSTS: list(family.costs),
        table.DEAR: [len(family.dear), *family.dear],
        table.MOON: list(family.moon),
    }
    for place, fact in facts.items():
        words[place] = fact
    for place, part in parts.items():
        words[place] = len(words)
        words += part
    return words


def _choice(engine: NativeEngine, pile: str) -> int:
    """Return the index of the program's choice that moves cards to a pile; -1 if there is none."""
    for item in engine.native.plan.choices:
        names = [node.name for node in n.walk(item.node) if isinstance(node, n.Place)]
        if any(isinstance(name, n.Text) and name.value == pile for name in names):
            return item.pc
    return -1


# The players -----------------------------------------------------------------------------------


def _lists_of(player: NativePlayer) -> tuple[Order | None, ...]:
    """Return a player's lists as the kernels look them up; empty for the random player.

    Those for discarding are already resolved: see `Hierarchy.order_at`.
    """
    if player == "random":
        return ()
    its = _RULE if player == "rule" else player
    assert isinstance(its, Hierarchy)
    return (
        *(its.pass_, its.first, its.second, its.third, its.fourth),
        its.discard_second or its.discard or its.second,
        its.discard_third or its.discard or its.third,
        its.discard_fourth or its.discard or its.fourth,
    )


def _list_words(listed: Order) -> list[int]:
    words = [int(listed.mode is OrderMode.FILTER), _TIES[listed.tie], len(listed.steps)]
    for step in listed.steps:
        words += _step_words(step)
    return words


def _step_words(step: HierarchyStep) -> list[int]:
    named = {holds: name for name, holds in CONDITIONS.items()}
    condition, selector = steps.ALWAYS, step.selector
    if step.condition is not None:
        condition = _number("WHEN", named.get(step.condition, ""), step)
    known = selector.name if SELECTORS.get(selector.name) == selector else ""
    return [_number("PICK", known, step), _argument(step), condition, int(step.negated)]


def _number(sort: str, name: str, step: HierarchyStep) -> int:
    """Return the kernels' number for a selector or a condition."""
    found = getattr(steps, f"{sort}_{name.upper()}", None)
    if not isinstance(found, int):
        raise HierarchyError(
            f"the step {step} cannot be played by machine code, which knows only the selectors and "
            "conditions that come with Cardwright"
        )
    return found


def _argument(step: HierarchyStep) -> int:
    """Return a step's parameter as one word: a number, or a set of suits."""
    match step.selector.takes:
        case ParameterSpec.NUMBER:
            defaults = getattr(step.selector.choose, "__defaults__", None) or (0,)
            return step.parameters[0] if step.parameters else int(defaults[0])
        case ParameterSpec.SUIT | ParameterSpec.SUITS if step.parameters:
            suits = 0
            for suit in step.parameters:
                suits |= suit_mask(suit)
            return suits if suits < 1 << 63 else suits - (1 << 64)
    return _ALL
