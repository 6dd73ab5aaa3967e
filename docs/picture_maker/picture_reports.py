"""Pictures of what studies write: the figure of an experiment and of a tournament, two pages."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from picture_workshop import Workshop, photograph

if TYPE_CHECKING:
    from pathlib import Path

WIDTH = 1280
QUIET = ("--seed", "1", "--quiet")


def headline(workshop: Workshop, out: Path) -> None:
    """Draw the first figure of the report of the five tests."""
    workshop.command("lab", "all", "--deals", "2000", *QUIET, "--out", "lab")
    shutil.copyfile(workshop.folder / "lab" / "headline.svg", out)


def tournament(workshop: Workshop, out: Path) -> None:
    """Draw the ratings of the tournament of docs/arena.md."""
    players = ("random", "pimc:rollouts=2", "pimc:rollouts=8")
    plot = ("--plot", "ratings=tournament.svg")  # its points are written beside it
    workshop.command("tournament", *players, "leduc", "--deals", "40", *QUIET, *plot)
    shutil.copyfile(workshop.folder / "tournament.svg", out)


def season(workshop: Workshop, out: Path) -> None:
    """Draw the first page of the example season: who won, and how surely."""
    workshop.command("league", "new", "season")
    workshop.command("league", "run", "season", "--trusted", "--name", "Spring", *QUIET)
    workshop.command("league", "report", "season")
    index = workshop.folder / "season" / "Site" / "index.html"
    page = workshop.page(index.as_uri(), (WIDTH, 970))
    photograph(page, out)


def evolve(workshop: Workshop, out: Path) -> None:
    """Draw the beginning of the report of a search for longer games near Agram."""
    asked = ("--aim", "length 20..30", "--map", "length,luck", "--workers", "1")
    much = ("--candidates", "60", "--generation", "20", "--finalists", "4")
    workshop.command("evolve", "agram", *asked, *much, *QUIET, "--out", "near-agram")
    index = workshop.folder / "near-agram" / "index.html"
    page = workshop.page(index.as_uri(), (WIDTH, 1110))
    photograph(page, out)
