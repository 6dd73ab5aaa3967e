"""Parameters of players: how each is written, its possible values, and its default."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.game.errors import CardwrightError

if TYPE_CHECKING:
    from collections.abc import Callable
    from enum import StrEnum

_DIGITS = 18


class PlayerSpecError(CardwrightError):
    """A text that does not name a player; the message says what to write."""

    wrong_call = True


@dataclass(frozen=True)
class Parameter:
    """A parameter: `read` turns a text into a value, or raises ValueError.

    `default` is the value if none is given (None: it is not passed). `values` says in words what
    may be written, and `about` what the parameter does.
    """

    name: str
    read: Callable[[str], Any]
    values: str
    default: Any = None
    about: str = ""

    @property
    def free(self) -> bool:
        """Whether any text is a value."""
        return self.read is str

    def value(self, text: str, player: str) -> Any:
        """Return the value that a text stands for; raises PlayerSpecError."""
        try:
            return self.read(text)
        except ValueError:
            raise PlayerSpecError(
                f"{player}:{self.name}={text} is not possible: write {self.values}"
            ) from None


def whole(name: str, default: int | None, least: int, most: int, about: str = "") -> Parameter:
    """Return a parameter that is an integer from `least` to `most`."""

    def read(text: str) -> int:
        if not re.fullmatch(rf"-?[0-9]{{1,{_DIGITS}}}", text):
            raise ValueError(text)
        value = int(text)
        if not least <= value <= most:
            raise ValueError(text)
        return value

    return Parameter(name, read, f"a number from {least:,} to {most:,}", default, about)


def real(name: str, default: float | None, least: float, most: float, about: str = "") -> Parameter:
    """Return a parameter that is a real number from `least` to `most`."""

    def read(text: str) -> float:
        value = float(text)
        if not least <= value <= most:
            raise ValueError(text)
        return value

    return Parameter(name, read, f"a number from {least:g} to {most:g}", default, about)


def choice(name: str, default: StrEnum, about: str = "") -> Parameter:
    """Return a parameter that is one of the values of an enumeration, that of its default."""
    kind = type(default)
    values = f"one of {', '.join(kind)}"
    return Parameter(name, kind, values, default, about)


def switch(name: str, *, default: bool, about: str = "") -> Parameter:
    """Return a parameter that is `yes` or `no`."""

    def read(text: str) -> bool:
        if text not in {"yes", "no"}:
            raise ValueError(text)
        return text == "yes"

    return Parameter(name, read, "yes or no", default, about)


def text(name: str, default: str | None = None, about: str = "") -> Parameter:
    """Return a parameter that is any text; the player has to validate it."""
    return Parameter(name, str, "a text", default, about)
