"""The report on a study: findings to be queried, exported as a table, or written."""

from __future__ import annotations

import shutil
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.figures.registry import figure_kind
from cardwright.analysis.heuristics import HeuristicRow
from cardwright.analysis.report.comparison import Comparison
from cardwright.analysis.report.names import named_measure
from cardwright.analysis.report.numbers import numbers
from cardwright.analysis.report.words import summary, verdict
from cardwright.publication.figure_files import USUAL_FILES, FigureFiles
from cardwright.study.figure import figure_of, sheet_of
from cardwright.study.play import tell_nobody
from cardwright.study.settings import RECORDS
from cardwright.study.writer import StudyWriter
from cardwright.syntax.suggest import advice_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from cardwright.analysis.figures.theme import StyleName
    from cardwright.analysis.report.subject import Subject
    from cardwright.study.figure import DrawnFigure
    from cardwright.study.games import StudiedGame
    from cardwright.study.play import TellStudy
    from cardwright.study.settings import StudySettings


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
        from cardwright.study.displays import analysis_html

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
