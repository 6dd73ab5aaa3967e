"""The report on a study: findings to be queried, exported as a table, or written."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright._version import __version__
from cardwright.analysis.diagrams.graph import Graph
from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.figures.registry import DIAGRAMS, OF_ONE_GAME, SHEETS, figure_kind
from cardwright.analysis.measures import named_measure
from cardwright.analysis.report import Chapter, Drawing, Page, summary, verdict
from cardwright.analysis.results import table
from cardwright.analysis.subject import Comparison, csv_text, numbers
from cardwright.arena.records import RunFolder
from cardwright.extras import in_pandas
from cardwright.jobs.files import write_several, write_whole
from cardwright.markup import element as html
from cardwright.markup.element import display, element, heading, note
from cardwright.markup.numbers import ShownInterval, mean_and_ends
from cardwright.publication.figures import USUAL_FILES, FigureFiles
from cardwright.publication.pages import inlined
from cardwright.statistics.ties import tie_words
from cardwright.study.figure import DrawnFigure, drawn, figure_of, sheet_of
from cardwright.study.play import RECORDS, tell_nobody
from cardwright.syntax.suggest import advice_on

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd
    import polars as pl

    from cardwright.analysis.figures.theme import StyleName
    from cardwright.analysis.measures import MeasureResult
    from cardwright.analysis.subject import Subject
    from cardwright.study.games import StudiedGame
    from cardwright.study.play import StudySettings, TellStudy

NUMBERS = "numbers.csv"
"""All numbers, a row for each."""


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
        """Return the findings on each game in sentences, and all measures with their intervals."""
        parts = []
        for at, subject in enumerate(self.subjects):
            rows = [
                (row.name, row.batch, mean_and_ends(ShownInterval(row.value, row.low, row.high), 3))
                for row in subject.rows
            ]
            parts.append(heading(subject.title.name))
            parts += [element("div", sentence) for sentence in self.sentences(at)]
            parts.append(html.table(("measure", "players", "value"), rows, texts=2))
        title = heading(f"Analysis of {self.heading}", f"seed {self.seed}")
        intervals = note(f"[ ] are 95 % intervals. {tie_words(self.settings.ties)}")
        return display(title, *parts, intervals)

    @property
    def games(self) -> list[str]:
        """The names of the games, in order."""
        return [subject.title.name for subject in self.subjects]

    @property
    def seed(self) -> int:
        """The seed of everything random."""
        return self.settings.seed

    @property
    def errors(self) -> int:
        """How many games stopped with an error: they are counted in nothing else."""
        return sum(sum(subject.broken.values()) for subject in self.subjects)

    @cached_property
    def comparison(self) -> Comparison | None:
        """The games side by side, with their differences from the first; None for a single one."""
        return Comparison.of(self.subjects) if len(self.subjects) > 1 else None

    def measure(self, key: str, game: str | int = 0) -> MeasureResult | None:
        """Return a measure of a game, with its interval; None where it has no value.

        `key` is as in `cardwright variants --measures`, such as `order` or `branching`. The game
        is given by its name or number. Raises AnalysisError if there is no such measure or game.
        """
        return self._subject(game).result(named_measure(key))

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
        rows = [(subject.title.name, row) for subject in self.subjects for row in subject.rows]
        return table([row for _, row in rows], [name for name, _ in rows])

    def to_pandas(self) -> pd.DataFrame:
        """Return what `to_polars` does in pandas; raises MissingExtraError without either."""
        return in_pandas(self.to_polars)

    def differences(self) -> pl.DataFrame:
        """Return the differences of all measures, each game minus the first, as a table.

        Its columns are those of `to_polars`, without rows if there is one game only. Raises
        MissingExtraError without polars.
        """
        compared = self.comparison.differences if self.comparison else []
        pairs = zip(self.games[1:], compared, strict=True)
        rows = [(name, row) for name, several in pairs for row in several]
        return table([row for _, row in rows], [name for name, _ in rows])

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
        place, looks = _places(self.folder), {"style": style, "seed": self.seed}
        if kind.of_several:
            return sheet_of(kind, self.studied, self.subjects, place, **looks)  # type: ignore[arg-type]
        chosen = self.studied[self.subjects.index(one)]
        return figure_of(kind, chosen, one, place(chosen), **looks)  # type: ignore[arg-type]

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
        _ReportWriter(self, out, style, files or USUAL_FILES, progress or tell_nobody).write()
        return out / "index.html"

    def _subject(self, game: str | int) -> Subject:
        """Return a game by its name, its name in files, or its number."""
        if isinstance(game, int) and -len(self.subjects) <= game < len(self.subjects):
            return self.subjects[game]
        for subject in self.subjects:
            if game in (subject.title.slug, subject.title.name):
                return subject
        advice = advice_on(str(game), self.games)
        raise AnalysisError(f"there is no game {game!r} in this report; {advice}")


def _places(out: Path) -> Callable[[StudiedGame], Path]:
    """Return what gives the folder of a game's random games."""
    return lambda one: out / RECORDS / one.title.slug / "RR"


@dataclass(frozen=True, eq=False)
class _ReportWriter:
    """Writes a report to a folder that has its games."""

    report: AnalysisReport
    out: Path
    style: StyleName
    files: FigureFiles
    tell: TellStudy

    def write(self) -> None:
        """Write all files, the page next to last and the manifest last."""
        for name in ("figures", "diagrams"):
            (self.out / name).mkdir(parents=True, exist_ok=True)
        report, settings = self.report, self.report.settings
        chapters = [
            self._chapter(*pair) for pair in zip(report.studied, report.subjects, strict=True)
        ]
        page = Page(
            report.heading, settings.player, settings.seed, chapters, report.comparison,
            self._sheets() if report.comparison else [], report.left_out,
        )  # fmt: skip
        texts = {
            "numbers.json": as_json(report.record()),
            NUMBERS: csv_text(report.subjects),
            "index.html": page.text(),
            "manifest.json": as_json(self._manifest()),
        }
        for name, text in texts.items():
            write_whole(self.out / name, text.encode())

    def _chapter(self, one: StudiedGame, subject: Subject) -> Chapter:
        made: list[Drawing] = []
        left = []
        records, seed = _places(self.out)(one), self.report.seed
        for done, kind in enumerate((*OF_ONE_GAME, *DIAGRAMS), 1):
            try:
                picture = drawn(kind, one, subject, records, style=self.style, seed=seed)
            except AnalysisError as error:
                left.append((kind.heading, str(error)))
            else:
                made.append(self._saved(picture, f"{one.title.slug}-{kind.name}"))
            self.tell(f"{subject.title.name}: drawing", done, len(OF_ONE_GAME) + len(DIAGRAMS))
        diagrams = [one for one in made if one.files[0].startswith("diagrams/")]
        return Chapter(subject, [one for one in made if one not in diagrams], diagrams, left)

    def _sheets(self) -> list[Drawing]:
        """Draw what shows several games side by side, as far as they have the data for it."""
        made = []
        report = self.report
        for kind in SHEETS:
            try:
                sheet = sheet_of(
                    kind, report.studied, report.subjects, _places(self.out),
                    style=self.style, seed=report.seed,
                )  # fmt: skip
            except AnalysisError:
                continue
            made.append(self._saved(sheet, kind.name))
        return made

    def _saved(self, made: DrawnFigure, name: str) -> Drawing:
        """Save a figure or diagram, and return it for the page."""
        folder = "diagrams" if isinstance(made.content, Graph) else "figures"
        files = {f"{name}.{kind}": content for kind, content in made.files(self.files).items()}
        write_several({self.out / folder / file: content for file, content in files.items()})
        svg = inlined(made.svg(), name, made.heading)
        return Drawing(made.heading, made.caption, svg, tuple(f"{folder}/{file}" for file in files))

    def _manifest(self) -> dict[str, Any]:
        games = self.report.studied
        return {
            "format": "cardwright-analysis-manifest",
            "version": 1,
            "cardwright": __version__,
            "platform": RunFolder.read(_places(self.out)(games[0])).manifest.platform,
            **self.report.settings.record(),
            "style": self.style,
            "games": [{**game.title.record(), "folder": game.title.slug} for game in games],
        }


def as_json(data: Any) -> str:
    """Return JSON as it is written."""
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
