"""Writing what an analysis found: figures, diagrams, numbers, the page and the manifest."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from cardwright import __version__
from cardwright.analysis.dot import dot_text
from cardwright.analysis.drawing import svg_of
from cardwright.analysis.figures.branching import overview
from cardwright.analysis.figures.theme import save
from cardwright.analysis.flow import flow_graph
from cardwright.analysis.parse_tree import parse_tree_graph
from cardwright.analysis.report.comparison import Comparison
from cardwright.analysis.report.inline import inlined
from cardwright.analysis.report.names import ALL
from cardwright.analysis.report.numbers import csv_text, numbers
from cardwright.analysis.report.page import Chapter, Drawing, Page
from cardwright.analysis.report.panels import panels
from cardwright.analysis.report.pictures import PICTURES, LeftOut, drawn
from cardwright.analysis.stages import stage_graph
from cardwright.arena.awareness import record_awareness
from cardwright.arena.flow import record_flow
from cardwright.arena.following import recorded
from cardwright.arena.reading import read_manifest
from cardwright.interfaces.cli.analyze_games import described
from cardwright.interfaces.cli.analyze_play import RECORDS
from cardwright.jobs.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.figure import Figure

    from cardwright.analysis.graph import Graph
    from cardwright.analysis.report.subject import Subject
    from cardwright.interfaces.cli.analyze_games import Asked
    from cardwright.interfaces.cli.analyze_play import Tell, Wishes

NUMBERS = "numbers.csv"
"""All numbers, a row each."""

FLOWS, COURSES = 100, 50
"""Games that are followed card by card for a diagram of flow, and for what seats know."""

_TREE_DEPTH = 4


@dataclass(frozen=True, eq=False)
class Writer:
    """Writes an analysis into its folder."""

    wanted: Wishes
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
        from cardwright.analysis.awareness import Course  # noqa: PLC0415 - only here

        rollouts = islice(recorded(self._records(one) / "RR"), COURSES)
        course = Course.none(one.game.players)
        for done, awareness in enumerate(record_awareness(one.game, rollouts), 1):
            course = course.with_game(awareness)
            self.tell(f"{subject.title.name}: who knows what", done, COURSES)
        return replace(subject, course=course)

    def _chapter(self, one: Asked, subject: Subject) -> Chapter:
        figures, left = [], []
        for done, made in enumerate(drawn(subject, self.wanted.style), 1):
            if isinstance(made, LeftOut):
                left.append((made.picture.heading, made.reason))
            else:
                picture, figure = made
                name = f"{one.title.slug}-{picture.kind}"
                figures.append(self._figure(figure, name, picture.heading, picture.caption))
            self.tell(f"{subject.title.name}: drawing", done, len(PICTURES))
        return Chapter(subject, figures, self._diagrams(one), left)

    def _figure(self, figure: Figure, name: str, heading: str, caption: str) -> Drawing:
        place = self.wanted.out / "figures"
        for kind in ("png", "svg"):
            save(figure, place / f"{name}.{kind}")
        svg = (place / f"{name}.svg").read_text(encoding="utf-8")
        files = (f"figures/{name}.svg", f"figures/{name}.png")
        return Drawing(heading, caption, inlined(svg, name, heading), files)

    def _sheets(self, subjects: Sequence[Subject]) -> list[Drawing]:
        """Draw what shows several games side by side."""
        style = self.wanted.style
        games = [(one.title.name, one.samples["RR"]) for one in subjects]
        measured = panels(subjects, list(ALL.values()), style)
        beside = "Dots are values, bars 95 % intervals; the dashed line is at the first game."
        options = overview(games, min(5, len(games)), style)
        lines = "Options by decision of 100 random games each, with a straight regression line."
        return [
            self._figure(measured, "measures", "Measures, game beside game", beside),
            self._figure(options, "overview", "Options, game beside game", lines),
        ]

    def _diagrams(self, one: Asked) -> list[Drawing]:
        flow = record_flow(one.game, islice(recorded(self._records(one) / "RR"), FLOWS))
        name, program = one.title.name, one.game.program
        tree = parse_tree_graph(program.source, name, depth=_TREE_DEPTH)
        ways = (
            f"Which ways cards go, in {flow.games} random games; the numbers are cards a game. "
            "Green: everybody sees them; blue: their owner; khaki: nobody."
        )
        stages = "How the game goes on, from its set-up to its scores."
        forms = f"The forms of the rules, {_TREE_DEPTH} levels deep."
        graph = flow_graph(flow, name, counts=True, legend=True)
        slug = one.title.slug
        return [
            self._diagram(graph, (f"{slug}-flow", "Information flow", ways)),
            self._diagram(stage_graph(program, name), (f"{slug}-stages", "Stages", stages)),
            self._diagram(tree, (f"{slug}-tree", "Parse tree", forms)),
        ]

    def _diagram(self, graph: Graph, words: tuple[str, str, str]) -> Drawing:
        """Write a diagram; `words` are its name in files, its heading and its caption."""
        name, heading, caption = words
        svg = svg_of(graph)
        self._text(f"diagrams/{name}.dot", dot_text(graph))
        self._text(f"diagrams/{name}.svg", svg)
        files = (f"diagrams/{name}.svg", f"diagrams/{name}.dot")
        return Drawing(heading, caption, inlined(svg, name, heading), files)

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
