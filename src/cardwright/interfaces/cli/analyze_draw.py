"""Writing what an analysis found: figures, diagrams, numbers, the page and the manifest."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from cardwright import __version__
from cardwright.analysis.dot import dot_text
from cardwright.analysis.drawing import svg_of
from cardwright.analysis.figures.registry import BY_NAME, DIAGRAMS, OF_ONE_GAME
from cardwright.analysis.figures.theme import save
from cardwright.analysis.report.comparison import Comparison
from cardwright.analysis.report.inline import inlined
from cardwright.analysis.report.names import ALL
from cardwright.analysis.report.numbers import csv_text, numbers
from cardwright.analysis.report.page import Chapter, Drawing, Page
from cardwright.analysis.report.pictures import LeftOut, diagram, drawn
from cardwright.arena.awareness import record_awareness
from cardwright.arena.effect_replay import recorded
from cardwright.arena.flow import record_flow
from cardwright.arena.reading import read_manifest
from cardwright.interfaces.cli.analyze_games import described
from cardwright.interfaces.cli.analyze_play import RECORDS
from cardwright.jobs.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.figure import Figure

    from cardwright.analysis.figures.registry import FigureKind
    from cardwright.analysis.report.subject import Subject
    from cardwright.game.flow import Flow
    from cardwright.interfaces.cli.analyze_games import Asked
    from cardwright.interfaces.cli.analyze_play import AnalysisOptions, Tell

NUMBERS = "numbers.csv"
"""All numbers, a row each."""

FLOWS, COURSES = 100, 50
"""Games that are followed card by card for a diagram of flow, and for what seats know."""


@dataclass(frozen=True, eq=False)
class Writer:
    """Writes an analysis into its folder."""

    wanted: AnalysisOptions
    tell: Tell

    def write(
        self,
        games: Sequence[Asked],
        subjects: Sequence[Subject],
        heading: str,
        left_out: Sequence[tuple[str, str]] = (),
    ) -> dict[str, Any]:
        """Write all files, the page last but for the manifest; return the numbers."""
        for name in ("figures", "diagrams"):
            (self.wanted.out / name).mkdir(parents=True, exist_ok=True)
        whole = [self._with_course(*pair) for pair in zip(games, subjects, strict=True)]
        comparison = Comparison.of(whole) if len(whole) > 1 else None
        chapters = [self._chapter(*pair) for pair in zip(games, whole, strict=True)]
        wanted = self.wanted
        sheets = self._sheets(whole) if comparison else []
        page = Page(heading, wanted.player, wanted.seed, chapters, comparison, sheets, left_out)
        found = numbers(whole, comparison)
        self._text("numbers.json", as_json(found))
        self._text(NUMBERS, csv_text(whole))
        self._text("index.html", page.text())
        self._text("manifest.json", as_json(self._manifest(games)))
        return found

    def _with_course(self, one: Asked, subject: Subject) -> Subject:
        """Return a subject with what seats know along some of its random games."""
        from cardwright.analysis.awareness import AwarenessSums

        rollouts = islice(recorded(self._records(one) / "RR"), COURSES)
        course = AwarenessSums.none(one.game.players)
        for done, awareness in enumerate(record_awareness(one.game, rollouts), 1):
            course = course.with_game(awareness)
            self.tell(f"{subject.title.name}: who knows what", done, COURSES)
        return replace(subject, course=course)

    def _chapter(self, one: Asked, subject: Subject) -> Chapter:
        figures, left = [], []
        for done, made in enumerate(drawn(subject, self.wanted.style), 1):
            if isinstance(made, LeftOut):
                left.append((made.kind.heading, made.reason))
            else:
                kind, figure = made
                figures.append(self._figure(figure, kind, f"{one.title.slug}-{kind.name}"))
            self.tell(f"{subject.title.name}: drawing", done, len(OF_ONE_GAME))
        return Chapter(subject, figures, self._diagrams(one), left)

    def _figure(self, figure: Figure, kind: FigureKind, name: str) -> Drawing:
        place = self.wanted.out / "figures"
        for ending in ("png", "svg"):
            save(figure, place / f"{name}.{ending}")
        svg = (place / f"{name}.svg").read_text(encoding="utf-8")
        files = (f"figures/{name}.svg", f"figures/{name}.png")
        return Drawing(kind.heading, kind.caption, inlined(svg, name, kind.heading), files)

    def _sheets(self, subjects: Sequence[Subject]) -> list[Drawing]:
        """Draw what shows several games side by side."""
        style = self.wanted.style
        games = [(one.title.name, one.samples["RR"]) for one in subjects]
        measures, overview = BY_NAME["measures"], BY_NAME["overview"]
        measured = measures.draw(subjects, list(ALL.values()), style)
        options = overview.draw(games, min(5, len(games)), style)
        return [
            self._figure(measured, measures, measures.name),
            self._figure(options, overview, overview.name),
        ]

    def _diagrams(self, one: Asked) -> list[Drawing]:
        def flow() -> Flow:
            return record_flow(one.game, islice(recorded(self._records(one) / "RR"), FLOWS))

        made = []
        for kind in DIAGRAMS:
            name = f"{one.title.slug}-{kind.name}"
            graph, caption = diagram(kind, one.game.program, one.title.name, flow, several=True)
            svg = svg_of(graph)
            self._text(f"diagrams/{name}.dot", dot_text(graph))
            self._text(f"diagrams/{name}.svg", svg)
            files = (f"diagrams/{name}.svg", f"diagrams/{name}.dot")
            made.append(Drawing(kind.heading, caption, inlined(svg, name, kind.heading), files))
        return made

    def _records(self, one: Asked) -> Path:
        return self.wanted.out / RECORDS / one.title.slug

    def _manifest(self, games: Sequence[Asked]) -> dict[str, Any]:
        wanted = self.wanted
        begun = read_manifest(self._records(games[0]) / "RR")
        return {
            "format": "cardwright-analysis-manifest",
            "version": 1,
            "cardwright": __version__,
            "platform": begun.platform,
            "seed": str(wanted.seed),
            "player": wanted.player,
            "random_games": wanted.games,
            "thinking_games": wanted.ai_games,
            "style": wanted.style,
            "games": described(games),
        }

    def _text(self, name: str, text: str) -> None:
        write_whole(self.wanted.out / name, text.encode())


def as_json(data: Any) -> str:
    """Return JSON as it is written."""
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
