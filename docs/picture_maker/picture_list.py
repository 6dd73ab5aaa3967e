"""All pictures of the pages, and what makes each of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests"))  # for their browser
sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "web"))  # server and clicks

import picture_pages as pages
import picture_reports as reports
import picture_terminal as terminal

if TYPE_CHECKING:
    from collections.abc import Callable

    from picture_workshop import Workshop

PICTURES: dict[str, Callable[[Workshop, Path], None]] = {
    "table.png": pages.table,
    "table-phone.png": pages.table_phone,
    "studio.png": pages.studio,
    "play.svg": terminal.play,
    "lab-headline.svg": reports.headline,
    "season.png": reports.season,
    "evolve.png": reports.evolve,
    "tournament.svg": reports.tournament,
}

OTHERS = {"training-hearts-ppo.svg": "examples/train_hearts_ppo.py"}
"""Pictures that are not made here, as they take libraries that no extra has, and what made them."""
