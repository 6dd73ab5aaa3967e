"""Given names for computer players, so that people at a table can tell them apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.interpreter.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Collection

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
    found: dict[str, str] = {}
    for name in free:
        found.setdefault(name[0], name)
    if count > len(found):
        raise ValueError(f"there are names for at most {len(found)} computer players, not {count}")
    return tuple(found.values())[:count]
