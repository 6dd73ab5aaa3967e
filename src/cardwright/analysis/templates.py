"""Templates: pages of HTML that Jinja fills, everything that is not markup being escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.game.extras import missing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jinja2 import Environment


def templates(folder: Path, finalize: Callable[[object], object] | None = None) -> Environment:
    """Return what fills the templates of a folder; raises MissingExtraError without Jinja.

    A name that a template uses and is not given is an error. `finalize` is applied to all that is
    put into a page.
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
