"""Fault sites: the places in a game's code where a rule can be broken."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from cardwright.program.integers import LARGEST
from cardwright.syntax.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Site(NamedTuple):
    """A rule that can be broken, its message, and the form in the source.

    `via` are the starts and ends of the uses of definitions through which the form is there. The
    message has up to three integers {a}, {b}, {c}; {p} is two to the power of `a`, or the
    largest integer.
    """

    rule: str
    message: str
    start: int
    end: int
    via: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(
        cls, rule: str, message: str, start: int, end: int, via: Iterable[Sequence[int]]
    ) -> Site:
        """Return a site from the fields of one, which may be lists."""
        return cls(rule, message, start, end, tuple((first, last) for first, last in via))

    @property
    def span(self) -> Span:
        """The place of the form."""
        return Span(self.start, self.end, tuple(Span(*use) for use in self.via))

    @property
    def number(self) -> int:
        """The number of the site in machine code, the same in every part of a program."""
        return int.from_bytes(blake2b(repr(tuple(self)).encode(), digest_size=7).digest())

    def text(self, a: int, b: int, c: int) -> str:
        """Return the message with its integers."""
        return self.message.format(a=a, b=b, c=c, p=min(2 ** min(max(a, 0), 64), LARGEST))


@dataclass
class Sites:
    """All fault sites of a module, each with its number."""

    found: dict[Site, int] = field(default_factory=dict)

    def number(self, rule: str, message: str, span: Span) -> int:
        """Return the number of a site."""
        site = Site(rule, message, *span.text, tuple(use.text for use in span.via))
        number = self.found.get(site)
        if number is None:
            number = self.found[site] = site.number
        return number
