"""Writing what a study found: figures, diagrams, numbers, the page and the manifest."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from cardwright._version import __version__
from cardwright.analysis.dot import dot_text
from cardwright.analysis.drawing import svg_of
from cardwright.analysis.figures.registry import BY_NAME, DIAGRAMS, OF_ONE_GAME
from cardwright.analysis.figures.theme import save
from cardwright.analysis.report.inline import inlined
from cardwright.analysis.report.numbers import csv_text, numbers
from cardwright.analysis.report.page import Chapter, Drawing, Page
from cardwright.analysis.report.pictures import LeftOut, diagram, drawn
from cardwright.arena.reading import read_manifest
from cardwright.jobs.files import write_whole
from cardwright.study.figure import flow_of, sheet_of
from cardwright.study.games import described
from cardwright.study.play import tell_nobody
from cardwright.study.settings import RECORDS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.figure import Figure

    from cardwright.analysis.figures.registry import FigureKind
    from cardwright.analysis.figures.theme import StyleName
    from cardwright.analysis.report.comparison import Comparison
    from cardwright.analysis.report.subject import Subject
    from cardwright.study.games import StudiedGame
    from cardwright.study.play import TellStudy
    from cardwright.study.settings import StudySettings

NUMBERS = "numbers.csv"
"""All numbers, a row for each."""


@dataclass(frozen=True, eq=False)
class StudyWriter:
    """Writes the findings of a study to the folder of its games."""

    settings: StudySettings
    out: Path
    style: StyleName = "cardwright"
    tell: TellStudy = tell_nobody

    def write(
        self,
        games: Sequence[StudiedGame],
        subjects: Sequence[Subject],
        comparison: Comparison | None,
        heading: str,
        left_out: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Write all files, the page next to last and the manifest last."""
        for name in ("figures", "diagrams"):
            (self.out / name).mkdir(parents=True, exist_ok=True)
        chapters = [self._chapter(*pair) for pair in zip(games, subjects, strict=True)]
        settings = self.settings
        sheets = self._sheets(subjects) if comparison else []
        page = Page(heading, settings.player, settings.seed, chapters, comparison, sheets, left_out)
        self._text("numbers.json", as_json(numbers(subjects, comparison)))
        self._text(NUMBERS, csv_text(subjects))
        self._text("index.html", page.text())
        self._text("manifest.json", as_json(self._manifest(games)))

    def _chapter(self, one: StudiedGame, subject: Subject) -> Chapter:
        figures, left = [], []
        for done, made in enumerate(drawn(subject, self.style), 1):
            if isinstance(made, LeftOut):
                left.append((made.kind.heading, made.reason))
            else:
                kind, figure = made
                figures.append(self._figure(figure, kind, f"{one.title.slug}-{kind.name}"))
            self.tell(f"{subject.title.name}: drawing", done, len(OF_ONE_GAME))
        return Chapter(subject, figures, self._diagrams(one), left)

    def _figure(self, figure: Figure, kind: FigureKind, name: str) -> Drawing:
        place = self.out / "figures"
        for ending in ("png", "svg"):
            save(figure, place / f"{name}.{ending}")
        svg = (place / f"{name}.svg").read_text(encoding="utf-8")
        files = (f"figures/{name}.svg", f"figures/{name}.png")
        return Drawing(kind.heading, kind.caption, inlined(svg, name, kind.heading), files)

    def _sheets(self, subjects: Sequence[Subject]) -> list[Drawing]:
        """Draw the figures that show several games side by side."""
        made = []
        for kind in (BY_NAME["measures"], BY_NAME["overview"]):
            figure: Any = sheet_of(kind, subjects, self.style).content
            made.append(self._figure(figure, kind, kind.name))
        return made

    def _diagrams(self, one: StudiedGame) -> list[Drawing]:
        made = []
        flow = partial(flow_of, one.game, self.records(one))
        for kind in DIAGRAMS:
            name = f"{one.title.slug}-{kind.name}"
            graph, caption = diagram(kind, one.game.program, one.title.name, flow, several=True)
            svg = svg_of(graph)
            self._text(f"diagrams/{name}.dot", dot_text(graph))
            self._text(f"diagrams/{name}.svg", svg)
            files = (f"diagrams/{name}.svg", f"diagrams/{name}.dot")
            made.append(Drawing(kind.heading, caption, inlined(svg, name, kind.heading), files))
        return made

    def records(self, one: StudiedGame) -> Path:
        """Return the folder of the random games of a game."""
        return self.out / RECORDS / one.title.slug / "RR"

    def _manifest(self, games: Sequence[StudiedGame]) -> dict[str, Any]:
        settings = self.settings
        return {
            "format": "cardwright-analysis-manifest",
            "version": 1,
            "cardwright": __version__,
            "platform": read_manifest(self.records(games[0])).platform,
            "seed": str(settings.seed),
            "player": settings.player,
            "random_games": settings.games,
            "thinking_games": settings.ai_games,
            "style": self.style,
            "games": described(games),
        }

    def _text(self, name: str, text: str) -> None:
        write_whole(self.out / name, text.encode())


def as_json(data: Any) -> str:
    """Return JSON as it is written."""
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
