"""Writing a report: the page, its tables, and the files of the games that were found."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardwright.evolution.report.found_files import evolved_files, stem_of
from cardwright.evolution.report.page import page
from cardwright.evolution.report.served_page import EVOLVED, PAGE
from cardwright.evolution.report.tables import elites_text, points_text
from cardwright.game.extras import need
from cardwright.jobs.errors import RecordsError
from cardwright.jobs.files import write_several

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from cardwright.evolution.report.account import EvolutionAccount


def write_account(account: EvolutionAccount, folder: Path) -> tuple[Path, ...]:
    """Write the report on a search to a folder, and return its files, the page first.

    An older report there is replaced, with the games that it found. The same account gives
    the same bytes. Raises RecordsError if a file cannot be written, FactsError if the file beside
    the original is wrong, and MissingExtraError if a library is missing.
    """
    need("jinja2")
    games = evolved_files(account)
    texts = {
        PAGE: page(account),
        "elites.csv": elites_text(account),
        "points.csv": points_text(account),
    }
    evolved = folder / EVOLVED
    try:
        folder.mkdir(parents=True, exist_ok=True)
        evolved.mkdir(exist_ok=True)
        _clear(evolved, stem_of(account.game), keep=games)
    except OSError as error:
        raise RecordsError(f"{folder} cannot be written to: {error.strerror or error}") from None
    if games:
        write_several({evolved / name: text.encode() for name, text in games.items()})
    write_several({folder / name: text.encode() for name, text in texts.items()})
    return (*(folder / name for name in texts), *(evolved / name for name in games))


def _clear(folder: Path, stem: str, keep: Collection[str]) -> None:
    """Remove games that an older report has found."""
    ours = re.compile(rf"{re.escape(stem)}-\d+\.(rcy|toml)")
    for file in sorted(folder.iterdir()):
        if ours.fullmatch(file.name) and file.name not in keep:
            file.unlink()
