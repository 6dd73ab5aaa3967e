"""Extras: libraries that are not installed with Cardwright unless they are asked for."""

from __future__ import annotations

from importlib.util import find_spec

from cardwright.game.errors import CardwrightError


class MissingExtraError(CardwrightError):
    """A library that is needed and not there; the message says how to install it."""


def missing(library: str, extra: str = "arena") -> MissingExtraError:
    """Return the error that says how to install a library, which belongs to an extra."""
    return MissingExtraError(
        f"this needs {library}, which is not installed; "
        f'install it with: pip install "cardwright[{extra}]"'
    )


def need(*libraries: str) -> None:
    """Raise MissingExtraError if one of some libraries is missing: before hours of play, not after.

    Nothing is loaded.
    """
    for name in libraries:
        if find_spec(name) is None:
            raise missing(name)
