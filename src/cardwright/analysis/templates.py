"""Templates: HTML pages that Jinja fills, escaping everything that is not markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.extras import missing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jinja2 import Environment


def templates(folder: Path, finalize: Callable[[object], object] | None = None) -> Environment:
    """Return the Jinja environment of a folder; raises MissingExtraError without Jinja.

    A name that a template uses but is not given is an error. `finalize` is applied to everything
    that is put into a page.
    """
    try:
        from jinja2 import (
            Environment,
            FileSystemLoader,
            StrictUndefined,
        )
    except ImportError:
        raise missing("jinja2") from None
    return Environment(
        autoescape=True,
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=finalize,
    )
