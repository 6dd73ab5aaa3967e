"""Reading TOML that people wrote: values of the right type, and all mistakes with their places."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from cardwright.game.errors import CardwrightError
from cardwright.lab.errors import LabError
from cardwright.players.kind import NO_TRUST
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from enum import StrEnum

    from cardwright.players.kind import Trust

_T = TypeVar("_T")
_Member = TypeVar("_Member", bound="StrEnum")


@dataclass
class PlanText:
    """A text that is being read, with the mistakes found so far.

    `trust` is that in the text, and has the folder of the files that it names.
    """

    file: str
    trust: Trust = NO_TRUST
    faults: list[str] = field(default_factory=list)

    def attempt(self, place: str, read: Callable[..., _T], *values: Any) -> _T | None:
        """Return the result of `read` for some values; note a mistake at this place if it fails."""
        try:
            return read(*values)
        except CardwrightError as error:
            self.faults.append(
                f"{self.file}: {place}: {error}" if place else f"{self.file}: {error}"
            )
            return None

    def finish(self) -> None:
        """Raise LabError if there was any mistake."""
        if self.faults:
            raise LabError("\n".join(self.faults))


def check_keys(found: dict[str, Any], known: Iterable[str], what: str) -> None:
    """Raise LabError if a table has unknown keys."""
    listed = list(known)
    wrong = [
        f"there is no {name!r} in {what}; "
        + (did_you_mean(name, listed) or f"there can be {', '.join(listed)}")
        for name in found
        if name not in listed
    ]
    if wrong:
        raise LabError("; ".join(wrong))


def needed(found: dict[str, Any], key: str, example: str) -> Any:
    """Return the value of a key in a table; raise LabError if it is missing."""
    if key not in found:
        raise LabError(f"{key} is missing; write for example {key} = {example}")
    return found[key]


def table(value: Any) -> dict[str, Any]:
    """Return a value that must be a table."""
    if not isinstance(value, dict):
        raise LabError(f"this should be a table, not {_said(value)}")
    return value


def items(value: Any) -> list[Any]:
    """Return a value that must be a list."""
    if not isinstance(value, list):
        raise LabError(f"this should be a list, not {_said(value)}")
    return value


def text(value: Any) -> str:
    """Return a value that must be a string."""
    if not isinstance(value, str):
        raise LabError(f"this should be a string in quotation marks, not {_said(value)}")
    return value


def number(value: Any) -> float:
    """Return a value that must be a number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise LabError(f"this should be a number, not {_said(value)}")
    return float(value)


def integer(value: Any) -> int:
    """Return a value that must be an integer."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise LabError(f"this should be an integer, not {_said(value)}")
    return value


def large_integer(value: Any) -> int:
    """Return an integer that may be written as a string, since TOML's integers end at 63 bits."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 40:
        return int(value)
    return integer(value)


def member(kind: type[_Member]) -> Callable[[Any], _Member]:
    """Return a reader for a member of a string enumeration."""

    def read(value: Any) -> _Member:
        try:
            return kind(text(value))
        except ValueError:
            advice = did_you_mean(value, list(kind)) or f"it is one of {', '.join(kind)}"
            raise LabError(f"this cannot be {value!r}; {advice}") from None

    return read


def _said(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:37]}..."
