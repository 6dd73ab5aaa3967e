"""What was used last: values that are kept by their keys, so many of them."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class RecentlyUsed(Generic[_Key, _Value]):
    """Keeps `most` values; for another one, that goes which was used least recently."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[_Key, _Value] = OrderedDict()

    def get(self, key: _Key) -> _Value | None:
        """Return a value and count it as used; None if there is none."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def keep(self, key: _Key, value: _Value) -> _Value:
        """Keep a value, and return it."""
        self._kept[key] = value
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return value
