"""Pages: templates filled with the data of a season.

Everything that comes from bots and their authors is escaped by Jinja when it goes into a page; data
for scripts is written by `replays`. No page loads a script or a style from elsewhere.
"""

from __future__ import annotations

import math
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright.analysis.templates import templates
from cardwright.league.site.shown import shown

if TYPE_CHECKING:
    from jinja2 import Environment

    from cardwright.statistics.sample import Estimate

_TEMPLATES = Path(__file__).parent / "templates"
_STATIC = (".css", ".js")
_LIVE = "live.js"


class Pages:
    """Writes the pages of a site into its folder."""

    def __init__(self, site: Path, **common: Any) -> None:
        """Take the values that all pages share; raises MissingExtraError without Jinja."""
        self._site = site
        self._templates = _environment()
        self._templates.globals.update(common)

    def copy_static(self, *, live: bool) -> None:
        """Copy styles and scripts; that of `live` sites only for those."""
        for file in sorted(_TEMPLATES.iterdir()):
            if file.suffix in _STATIC and (live or file.name != _LIVE):
                shutil.copyfile(file, self._site / file.name)

    def write(self, name: str, template: str, **given: Any) -> None:
        """Write a page."""
        text = self._templates.get_template(template).render(page=name, **given)
        (self._site / name).write_text(text, encoding="utf-8", newline="\n")


def _environment() -> Environment:
    made = templates(_TEMPLATES, finalize=_shown)
    made.filters.update(
        percent=percent, fixed=fixed, interval=interval, percents=percents, short=short
    )
    return made


def _shown(value: object) -> object:
    """Return a value for a page; markup, which is a kind of text, has been processed already."""
    return shown(value) if type(value) is str else value


def percent(value: float | None, digits: int = 1) -> str:
    """Return a share as a percentage, such as `12.5 %`; a dash if it is not known."""
    known = value is not None and math.isfinite(value)
    return f"{100 * value:.{digits}f}\u202f%" if known and value is not None else "–"


def fixed(value: float | None, digits: int = 2) -> str:
    """Return a number with a true minus sign; a dash if it is not known."""
    if value is None or not math.isfinite(value):
        return "–"
    text = f"{value:,.{digits}f}"
    return text.replace("-", "−") if float(text.replace(",", "")) else text.lstrip("-")


def interval(estimate: Estimate, digits: int = 2) -> str:
    """Return an estimate's interval, such as `1.20 to 1.40`; a dash if it has none."""
    if estimate.low is None:
        return "–"
    return f"{fixed(estimate.low, digits)} to {fixed(estimate.high, digits)}"


def percents(estimate: Estimate, digits: int = 1) -> str:
    """Return an interval of shares, such as `12.5–13.5 %`; a dash if there is none."""
    if estimate.low is None or estimate.high is None:
        return "–"
    return f"{100 * estimate.low:.{digits}f}–{percent(estimate.high, digits)}"


def short(text: str, letters: int = 40) -> str:
    """Return a text, cut if it is too long."""
    return text if len(text) <= letters else f"{text[: letters - 1]}…"
