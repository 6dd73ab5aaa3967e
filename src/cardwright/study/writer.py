"""Writing what a study found: figures, diagrams, numbers, the page and the manifest."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from cardwright._version import __version__
from cardwright.analysis.diagram_files import diagram_line, write_diagram
from cardwright.analysis.drawing import svg_of
from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.figures.registry import DIAGRAMS, OF_ONE_GAME, SHEETS
from cardwright.analysis.graph import Graph
from cardwright.analysis.report.inline import inlined
from cardwright.analysis.report.numbers import csv_text, numbers
from cardwright.analysis.report.page import Chapter, Drawing, Page
from cardwright.analysis.report.pictures import LeftOut, counted, diagram, drawn
from cardwright.arena.reading import read_manifest
from cardwright.jobs.files import write_whole
from cardwright.publication.caption_line import CaptionLine
from cardwright.publication.figure_files import USUAL_FILES, FigureFiles
from cardwright.study.figure import DrawnFigure, flow_of, sheet_of
from cardwright.study.games import described
from cardwright.study.play import tell_nobody
from cardwright.study.settings import RECORDS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

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
    files: FigureFiles = USUAL_FILES
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
        sheets = self._sheets(games, subjects) if comparison else []
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
                line = CaptionLine(counted(subject, kind), self.settings.seed, subject.title.shown)
                found = DrawnFigure(kind.name, kind.heading, kind.caption, figure, line)
                figures.append(self._figure(found, f"{one.title.slug}-{kind.name}"))
            self.tell(f"{subject.title.name}: drawing", done, len(OF_ONE_GAME))
        return Chapter(subject, figures, self._diagrams(one), left)

    def _figure(self, made: DrawnFigure, name: str) -> Drawing:
        """Save a figure; what the page shows has no caption line, since the page says it."""
        figure: Any = made.content
        place = self.out / "figures"
        try:
            files = self.files.write(figure, place / name, made.line)
        except OSError as error:
            raise AnalysisError(f"{place} cannot be written to: {error}") from None
        svg = FigureFiles().content(figure, "svg").decode()
        named = tuple(f"figures/{file.name}" for file in files)
        return Drawing(made.heading, made.caption, inlined(svg, name, made.heading), named)

    def _sheets(self, games: Sequence[StudiedGame], subjects: Sequence[Subject]) -> list[Drawing]:
        """Draw what shows several games side by side, as far as they have the data for it."""
        made = []
        for kind in SHEETS:
            try:
                sheet = sheet_of(
                    kind, games, subjects, self.records,
                    style=self.style, seed=self.settings.seed,
                )  # fmt: skip
            except AnalysisError:
                continue
            if isinstance(sheet.content, Graph):
                place = self.out / "diagrams" / kind.name
                files = write_diagram(sheet.content, place, sheet.line, self.files)
                named = tuple(f"diagrams/{file.name}" for file in files)
                drawing = inlined(svg_of(sheet.content), kind.name, kind.heading)
                made.append(Drawing(kind.heading, kind.caption, drawing, named))
            else:
                made.append(self._figure(sheet, kind.name))
        return made

    def _diagrams(self, one: StudiedGame) -> list[Drawing]:
        made = []
        flow = partial(flow_of, one.game, self.records(one))
        for kind in DIAGRAMS:
            name = f"{one.title.slug}-{kind.name}"
            graph, caption = diagram(kind, one.game.program, one.title.shown, flow, several=True)
            line = diagram_line(graph, self.settings.seed)
            place = self.out / "diagrams" / name
            files = write_diagram(graph, place, line, self.files)
            named = tuple(f"diagrams/{file.name}" for file in files)
            drawing = inlined(svg_of(graph), name, kind.heading)
            made.append(Drawing(kind.heading, caption, drawing, named))
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
            "ties": settings.ties,
            "style": self.style,
            "games": described(games),
        }

    def _text(self, name: str, text: str) -> None:
        write_whole(self.out / name, text.encode())


def as_json(data: Any) -> str:
    """Return JSON as it is written."""
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
