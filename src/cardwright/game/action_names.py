"""Names of actions: what is picked, in words, with words of the deed where that is not enough."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from cardwright.game.action_columns import PickSort
from cardwright.game.option import Unseen
from cardwright.program.cards import Location, OwnerId

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.action_blocks import ActionBlock
    from cardwright.game.action_columns import Picking, Value
    from cardwright.game.naming import Namer

ALIKE = ("another like it", "this one")
"""The actions that tell options apart for which one meaning has too few numbers."""


class _Words(NamedTuple):
    """What an action may be called, the shortest first."""

    names: tuple[str, ...]

    def at(self, level: int) -> str:
        return self.names[min(level, len(self.names) - 1)]


def action_names(
    blocks: Sequence[ActionBlock], picking: Picking, namer: Namer, *, alike: bool
) -> tuple[str, ...]:
    """Return the names of all actions: no two are the same, in any case of letters."""
    words = [word for block in blocks for word in _words_of(block, picking, namer)]
    words += [_Words((text,)) for text in ALIKE if alike]
    names = [word.at(0) for word in words]
    for level in range(1, 4):
        count = Counter(name.lower() for name in names)
        names = [
            word.at(level) if count[name.lower()] > 1 else name
            for word, name in zip(words, names, strict=True)
        ]
    return tuple(_told_apart(names))


def _told_apart(names: Sequence[str]) -> list[str]:
    """Return names of which those that are the same, or would be, are numbered."""
    count = Counter(name.lower() for name in names)
    used = set(count)
    found = []
    seen: Counter[str] = Counter()
    for name in names:
        if count[name.lower()] > 1:
            while True:
                seen[name.lower()] += 1
                numbered = f"{name} #{seen[name.lower()]}"
                if numbered.lower() not in used:
                    break
            used.add(numbered.lower())
            found.append(numbered)
        else:
            found.append(name)
    return found


def _words_of(block: ActionBlock, picking: Picking, namer: Namer) -> list[_Words]:
    phrases = block.deed.phrases or ("nothing",)
    short, whole = phrases[0], ", ".join(phrases)
    found = []
    for column, values, copy in block.meanings():
        again = f" ({copy + 1})" if copy else ""
        told = " ".join(_value_words(sort, value, picking, namer) for sort, value in values)
        if not told:
            found.append(_Words((f"{short}{again}", f"{whole}{again}")))
            continue
        names = [told, f"{short}: {told}", f"{whole}: {told}"]
        if column is not None:
            variable = block.columns[column].variable.removeprefix("'")
            names.append(f"{whole}, {variable}: {told}")
        found.append(_Words(tuple(name + again for name in names)))
    return found


def _value_words(sort: PickSort, value: Value | None, picking: Picking, namer: Namer) -> str:
    if value is None:
        return "end"
    if isinstance(value, Unseen):
        return f"unseen {(value.ordinal or 0) + 1}"
    match sort:
        case PickSort.CARD:
            return _look(value, picking, namer)
        case PickSort.GROUP if isinstance(value, tuple):
            return " + ".join(_look(look, picking, namer) for look in value) or "no cards"
        case PickSort.PLAYER:
            assert isinstance(value, int)
            return f"p{value + 1}"
        case PickSort.TEAM:
            assert isinstance(value, int)
            return picking.program.owner_name(OwnerId(picking.program.players + value))
        case PickSort.PLACE if isinstance(value, Location):
            return namer.location(value)
    return str(value) or "none"


def _look(look: object, picking: Picking, namer: Namer) -> str:
    assert isinstance(look, int)
    return namer.card(picking.program.cards[picking.examples[look]])
