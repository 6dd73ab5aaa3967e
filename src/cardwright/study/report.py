"""The report on a study: findings to be queried, exported as a table, or written."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright._version import __version__
from cardwright.analysis import AnalysisError
from cardwright.analysis.diagrams.drawing import diagram_line, svg_of, write_diagram
from cardwright.analysis.diagrams.graph import Graph
from cardwright.analysis.figures.registry import DIAGRAMS, OF_ONE_GAME, SHEETS, figure_kind
from cardwright.analysis.measures import named_measure
from cardwright.analysis.report import Chapter, Drawing, Page, summary, verdict
from cardwright.analysis.results import HeuristicRow
from cardwright.analysis.subject import Comparison, csv_text, numbers
from cardwright.arena.records import RunFolder
from cardwright.jobs.files import write_whole
from cardwright.markup.element import display, element, heading, note
from cardwright.markup.numbers import ShownInterval, mean_and_ends
from cardwright.markup.table import table
from cardwright.publication.figures import USUAL_FILES, CaptionLine, FigureFiles
from cardwright.publication.pages import inlined
from cardwright.statistics.ties import tie_words
from cardwright.study.figure import (
    DrawnFigure,
    LeftOut,
    counted,
    diagram,
    drawn,
    figure_of,
    flow_of,
    sheet_of,
)
from cardwright.study.games import described
from cardwright.study.play import RECORDS, tell_nobody
from cardwright.syntax.suggest import advice_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from cardwright.analysis.figures.theme import StyleName
    from cardwright.analysis.subject import Subject
    from cardwright.study.games import StudiedGame
    from cardwright.study.play import StudySettings, TellStudy


def analysis_html(report: AnalysisReport) -> str:
    """Return what was found of each game in sentences, and all measures with their intervals."""
    parts = []
    for at, name in enumerate(report.games):
        rows = [
            (row.name, row.batch, mean_and_ends(ShownInterval(row.value, row.low, row.high), 3))
            for row in report.subjects[at].rows
        ]
        parts.append(heading(name))
        parts += [element("div", sentence) for sentence in report.sentences(at)]
        parts.append(table(("measure", "players", "value"), rows, texts=2))
    title = heading(f"Analysis of {report.heading}", f"seed {report.seed}")
    return display(
        title, *parts, note(f"[ ] are 95 % intervals. {tie_words(report.settings.ties)}")
    )


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
            "platform": RunFolder.read(self.records(games[0])).manifest.platform,
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


@dataclass(frozen=True, eq=False)
class AnalysisReport:
    """What some games, or variants of a game, are like, in numbers and pictures.

    `settings` say what was played; `subjects` have the data of each game from its records.
    `left_out` are variants that cannot be played, with reasons. The games themselves are in
    `folder`, which is removed with the report unless it is `kept`.
    """

    settings: StudySettings
    studied: tuple[StudiedGame, ...]
    subjects: tuple[Subject, ...]
    folder: Path
    heading: str
    left_out: tuple[tuple[str, str], ...] = ()
    kept: bool = True

    def __repr__(self) -> str:
        return f"<AnalysisReport on {self.heading}, seed {self.settings.seed}>"

    def _repr_html_(self) -> str:

        return analysis_html(self)

    @property
    def games(self) -> list[str]:
        """The names of the games, in order."""
        return [one.title.name for one in self.subjects]

    @property
    def seed(self) -> int:
        """The seed of everything random."""
        return self.settings.seed

    @property
    def errors(self) -> int:
        """How many games stopped with an error: they are counted in nothing else."""
        return sum(sum(one.broken.values()) for one in self.subjects)

    @cached_property
    def comparison(self) -> Comparison | None:
        """The games side by side, with their differences from the first; None for a single one."""
        return Comparison.of(self.subjects) if len(self.subjects) > 1 else None

    def measure(self, key: str, game: str | int = 0) -> HeuristicRow | None:
        """Return a measure of a game, with its interval; None where it has no value.

        `key` is as in `cardwright variants --measures`, such as `order` or `branching`. The game
        is given by its name or number. Raises AnalysisError if there is no such measure or game.
        """
        return named_measure(key).row(self._subject(game))

    def verdict(self, key: str, game: str | int = 0) -> str:
        """Return what one of the six measures of the articles says about a game, as a sentence.

        It is empty where the measure has no value. Raises AnalysisError for any other measure.
        """
        named_measure(key)
        try:
            return verdict(key, self._subject(game))
        except KeyError:
            raise AnalysisError(f"of {key} there is no sentence, only a number") from None

    def sentences(self, game: str | int = 0) -> list[str]:
        """Return the findings on one of the games, as sentences."""
        return summary(self._subject(game), self.settings.player)

    def to_polars(self) -> pl.DataFrame:
        """Return the lines of all measures of all games, those of `numbers.csv`, as a table.

        What has no value is null. Raises MissingExtraError without polars.
        """
        names = list(HeuristicRow.__dataclass_fields__)
        lines = [
            (one.title.name, *asdict(row).values()) for one in self.subjects for row in one.rows
        ]
        return _frame(["game", *names], lines)

    def differences(self) -> pl.DataFrame:
        """Return the differences of all measures, each game minus the first, as a table.

        Its columns are those of `to_polars`, without rows if there is one game only. Raises
        MissingExtraError without polars.
        """
        names = list(HeuristicRow.__dataclass_fields__)
        compared = self.comparison.differences if self.comparison else []
        lines = [
            (name, *asdict(row).values())
            for name, rows in zip(self.games[1:], compared, strict=True)
            for row in rows
        ]
        return _frame(["game", *names], lines)

    def record(self) -> dict[str, Any]:
        """Return all numbers as a JSON object, that of `numbers.json` and `analyze --json`."""
        return numbers(self.subjects, self.comparison)

    def figure(
        self, name: str, game: str | int = 0, *, style: StyleName = "cardwright"
    ) -> DrawnFigure:
        """Draw a figure or diagram of a game, or of all side by side, by its name.

        Names are those in docs/figures.md. Raises AnalysisError if there is no such figure, or if
        these games lack the data for it.
        """
        kind, one = figure_kind(name), self._subject(game)
        place = self._writer(self.folder).records
        if kind.of_several:
            return sheet_of(kind, self.studied, self.subjects, place, style=style, seed=self.seed)
        chosen = self.studied[self.subjects.index(one)]
        records = place(chosen)
        return figure_of(kind, chosen, one, records, style=style, seed=self.seed)

    def save(
        self,
        folder: str | Path | None = None,
        *,
        style: StyleName = "cardwright",
        files: FigureFiles | None = None,
        progress: TellStudy | None = None,
    ) -> Path:
        """Write the folder that `cardwright analyze` writes, and return the path of its page.

        Without a folder that is the one with the games. Any other must be new or empty, and gets a
        copy of them. `files` says how figures are saved. `progress` is given what is being
        done, how much of it is done, and of how much. Raises AnalysisError for a folder that is in
        use, and MissingExtraError.
        """
        out = self.folder if folder is None else Path(folder)
        if folder is None and not self.kept:
            raise AnalysisError("these games are in no folder of yours: name one to save to")
        if out.resolve() != self.folder.resolve():
            if out.exists() and (not out.is_dir() or any(out.iterdir())):
                raise AnalysisError(f"{out} is not empty: name another folder")
            shutil.copytree(self.folder / RECORDS, out / RECORDS)
        writer = self._writer(out, style, files or USUAL_FILES, progress or tell_nobody)
        writer.write(self.studied, self.subjects, self.comparison, self.heading, self.left_out)
        return out / "index.html"

    def _writer(
        self,
        out: Path,
        style: StyleName = "cardwright",
        files: FigureFiles = USUAL_FILES,
        tell: TellStudy = tell_nobody,
    ) -> StudyWriter:
        return StudyWriter(self.settings, out, style, files, tell)

    def _subject(self, game: str | int) -> Subject:
        """Return a game by its name, its name in files, or its number."""
        if isinstance(game, int) and -len(self.subjects) <= game < len(self.subjects):
            return self.subjects[game]
        for one in self.subjects:
            if game in (one.title.slug, one.title.name):
                return one
        advice = advice_on(str(game), self.games)
        raise AnalysisError(f"there is no game {game!r} in this report; {advice}")


def _frame(names: Sequence[str], lines: Sequence[tuple[Any, ...]]) -> pl.DataFrame:
    from cardwright.extras import need

    need("polars")
    import polars

    kinds = {
        "games": polars.Int64, "deals": polars.Int64,
        **dict.fromkeys(("value", "low", "high", "weight"), polars.Float64),
    }  # fmt: skip
    schema = {name: kinds.get(name, polars.String) for name in names}
    frame = polars.DataFrame(lines, schema=schema, orient="row")
    return frame.with_columns(polars.selectors.float().fill_nan(None))
