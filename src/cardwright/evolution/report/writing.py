"""Writing a report: the page, its tables and figures, and the files of the games found."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardwright.evolution.report.found_files import evolved_files, stem_of
from cardwright.evolution.report.page import page
from cardwright.evolution.report.pictures import evolution_pictures
from cardwright.evolution.report.served_page import EVOLVED, FIGURE_FILE, FIGURES, PAGE
from cardwright.evolution.report.tables import elites_text, points_text
from cardwright.extras import need
from cardwright.jobs.errors import RecordsError
from cardwright.jobs.files import write_several
from cardwright.publication.figure_files import USUAL_FILES

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from cardwright.evolution.report.account import EvolutionAccount
    from cardwright.publication.figure_files import FigureFiles


def write_account(
    account: EvolutionAccount, folder: Path, figure_files: FigureFiles = USUAL_FILES
) -> tuple[Path, ...]:
    """Write the report on a search to a folder, and return its files, the page first.

    `figure_files` says as which files figures are saved; in the page they are as usual. An older
    report there is replaced, with its figures and the games that it found. The same account gives
    the same bytes. Raises RecordsError if a file cannot be written, FactsError if the file beside
    the original is wrong, and MissingExtraError if a library is missing.
    """
    need("jinja2", "matplotlib")
    games = evolved_files(account)
    pictures = evolution_pictures(account, figure_files)
    drawn = {name: content for one in pictures for name, content in one.files.items()}
    links = {one.name: tuple(f"{FIGURES}/{file}" for file in one.files) for one in pictures}
    texts = {
        PAGE: page(account, links),
        "elites.csv": elites_text(account),
        "points.csv": points_text(account),
    }
    evolved, figures = folder / EVOLVED, folder / FIGURES
    try:
        evolved.mkdir(parents=True, exist_ok=True)
        figures.mkdir(exist_ok=True)
        _clear(evolved, rf"{re.escape(stem_of(account.game))}-\d+\.(rcy|toml)", keep=games)
        _clear(figures, FIGURE_FILE, keep=drawn)
    except OSError as error:
        raise RecordsError(f"{folder} cannot be written to: {error.strerror or error}") from None
    if games:
        write_several({evolved / name: text.encode() for name, text in games.items()})
    if drawn:
        write_several({figures / name: content for name, content in drawn.items()})
    write_several({folder / name: text.encode() for name, text in texts.items()})
    return (
        *(folder / name for name in texts),
        *(evolved / name for name in games),
        *(figures / name for name in drawn),
    )


def _clear(folder: Path, ours: str, keep: Collection[str]) -> None:
    """Remove what an older report has left: the files with such names that are not kept."""
    for file in sorted(folder.iterdir()):
        if re.fullmatch(ours, file.name) and file.name not in keep:
            file.unlink()
