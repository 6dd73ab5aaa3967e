"""The values of a TOML file, each with its place: what is wrong is said where it stands."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.authoring.settings_check import TomlPlaces, error_span
from cardwright.game.errors import CardwrightError
from cardwright.syntax.data_files import parse_toml
from cardwright.syntax.diagnostic import excerpt
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardwright.game.settings import TomlPath
    from cardwright.syntax.source import Source, Span


class PositionFileError(CardwrightError):
    """A file of positions that does not say what it should; the message has the place."""

    def __init__(self, source: Source, span: Span, message: str, advice: str = "") -> None:
        self.source = source
        self.span = span
        self.reason = message
        self.advice = advice
        place = source.position(span.start)
        lines = [f"{source.name}:{place.line}:{place.column}: {message}", *excerpt(span, source)]
        super().__init__("\n".join([*lines, f"      help: {advice}"] if advice else lines))


@dataclass(frozen=True)
class TomlEntry:
    """A value of a file: what it is, and what leads to it."""

    source: Source
    places: TomlPlaces
    path: TomlPath
    value: Any

    @classmethod
    def of(cls, source: Source) -> TomlEntry:
        """Return the whole of a file; raises PositionFileError if it is not TOML."""
        try:
            table = parse_toml(source.text)
        except tomllib.TOMLDecodeError as error:
            at = error_span(source, str(error))
            raise PositionFileError(source, at, f"this is not TOML: {error}") from None
        return cls(source, TomlPlaces(source.text), (), table)

    @property
    def span(self) -> Span:
        """Where the value stands."""
        return self.places.place(self.path)

    @property
    def name(self) -> str:
        """The last key that leads to the value."""
        return str(self.path[-1])

    def wrong(self, message: str, advice: str = "", *, key: bool = False) -> PositionFileError:
        """Return the error that this value, or its key, is wrong."""
        span = self.places.key(self.path) if key else self.span
        return PositionFileError(self.source, span, message, advice)

    def above(self) -> TomlEntry:
        """Return what the value stands in, without the value: to say that its key is wrong."""
        return TomlEntry(self.source, self.places, self.path[:-1], None)

    def _part(self, key: str | int, value: object) -> TomlEntry:
        return TomlEntry(self.source, self.places, (*self.path, key), value)

    def fields(self, known: Iterable[str] = ()) -> dict[str, TomlEntry]:
        """Return the fields of a table; raises PositionFileError for others than those known."""
        if not isinstance(self.value, dict):
            raise self.wrong(f"{self.path_name} is not a table", "write { FIELD = VALUE, ... }")
        found = {key: self._part(key, value) for key, value in self.value.items()}
        names = sorted(known)
        for key, one in found.items():
            if names and key not in names:
                advice = did_you_mean(key, names) or f"it can be {', '.join(names)}"
                raise one.wrong(f"there is no field {key!r} here", advice, key=True)
        return found

    def items(self) -> Iterator[TomlEntry]:
        """Yield the items of a list; anything else is the only item of one."""
        if not isinstance(self.value, list):
            yield self
            return
        for number, value in enumerate(self.value):
            yield self._part(number, value)

    def text(self) -> str:
        """Return a text; raises PositionFileError for anything else, and for an empty one."""
        if isinstance(self.value, str) and self.value.strip():
            return self.value
        raise self.wrong(f"{self.path_name} is not a text", 'write it in quotes: "..."')

    def integer(self) -> int:
        """Return an integer; raises PositionFileError for anything else."""
        if isinstance(self.value, int) and not isinstance(self.value, bool):
            return self.value
        raise self.wrong(f"{self.path_name} is not a number")

    def truth(self) -> bool:
        """Return true or false; raises PositionFileError for anything else."""
        if isinstance(self.value, bool):
            return self.value
        raise self.wrong(f"{self.path_name} is neither true nor false")

    @property
    def path_name(self) -> str:
        """The name of the field, for a message."""
        names = [part for part in self.path if isinstance(part, str)]
        return names[-1] if names else "the file"
