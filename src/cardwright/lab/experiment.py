"""Experiments from Python: one call that plays a plan, and what came of it, to be asked."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright.english import counted, number, percent
from cardwright.extras import in_pandas, need
from cardwright.jobs.settings import check_keywords, filled
from cardwright.lab.contrast import ContrastReading
from cardwright.lab.effects import effects
from cardwright.lab.factor import LabError
from cardwright.lab.plan import LabPlan
from cardwright.lab.records import load
from cardwright.lab.report import cells_rows, effects_rows, report_text, write_report
from cardwright.lab.report.words import summary
from cardwright.lab.run import fitting, run
from cardwright.lab.settings import ExperimentSettings
from cardwright.markup.element import display, heading, note, table
from cardwright.markup.numbers import IntervalScale, ShownInterval, mean_and_ends
from cardwright.players.kind import trust_in
from cardwright.publication.figures import USUAL_FILES
from cardwright.syntax.suggest import advice_on

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    import pandas as pd
    import polars as pl

    from cardwright.lab.findings import Findings, Statistic
    from cardwright.lab.outcomes import Outcomes
    from cardwright.publication.figures import FigureFiles


@dataclass(frozen=True, eq=False)
class Experiment:
    """An experiment that was played, wholly or in part: its plan, and what came of every deal."""

    plan: LabPlan
    outcomes: Outcomes

    def __repr__(self) -> str:
        return f"<Experiment {self.plan.name}, {self.outcomes.deals} deals>"

    def _repr_html_(self) -> str:
        """Return the main effects on the primary response, by class of opponents."""
        title = f"Experiment {self.plan.name}"
        if not self.outcomes.deals:
            return display(heading(title, "nothing is played yet"))
        found, response = self.findings, self.findings.responses[0]
        facts = (
            counted(found.deals, "deal"),
            counted(found.games, "game"),
            counted(len(found.cells), "cell"),
        )
        shown = [
            (effect, ShownInterval(effect.found.value, effect.found.low, effect.found.high))
            for against in range(len(found.opponents))
            for effect in found.effects_of(against, 0, ContrastReading.MAIN)
        ]
        scale = IntervalScale([interval for _, interval in shown], zero=0.0)
        rows = [
            (
                found.name_of(effect),
                found.opponents[effect.opponents],
                mean_and_ends(interval),
                scale.drawn(interval),
                number(effect.found.adjusted, 3),
            )
            for effect, interval in shown
        ]
        said = (
            f"Main effects on {response.name} ({response.unit}; better: {response.better}), with "
            f"{percent(found.level, None)} intervals of each alone; p by Holm's adjustment."
        )
        heads = ("factor", "against", "effect", "", "adjusted p")
        return display(heading(title, *facts), table(heads, rows, texts=2), note(said))

    @cached_property
    def findings(self) -> Findings:
        """All that it came to; raises LabError if there is no deal."""
        return effects(self.plan, self.outcomes)

    def effect(
        self, name: str, response: str = "points", opponents: str | int = 0, reading: str = "main"
    ) -> Statistic:
        """Return the value of a contrast with its interval.

        It is called by its factor, as in `fourth`, and by the level too if there are more than two,
        as in `fourth: random`.
        `response` is what is measured and `opponents` the class of them, by its name or number.
        `reading` is what the contrast says of its factors: `main`, `interaction`, `alone` or
        `removed`. Raises LabError for what there is not.
        """
        found = self.findings
        against = _number(opponents, found.opponents, "class of opponents")
        measured = _number(response, [known.name for known in found.responses], "response")
        kind = list(ContrastReading)[_number(reading, list(ContrastReading), "reading")]
        family = found.effects_of(against, measured, kind)
        names = [found.contrasts[effect.contrast].name for effect in family]
        return family[_number(name, names, f"{kind} effect")].found

    def sentences(self) -> list[str]:
        """Return what was found, how sure it is and what it does not show, as sentences."""
        sections = summary(self.plan, self.findings)
        return [sentence for section in sections for sentence in section.sentences]

    def text(self) -> str:
        """Return the whole report as plain text."""
        return report_text(self.plan, self.findings)

    def to_polars(self) -> pl.DataFrame:
        """Return all effects as a table, those of `effects.csv`; raises MissingExtraError."""
        return _frame(effects_rows(self.findings))

    def to_pandas(self) -> pd.DataFrame:
        """Return what `to_polars` does in pandas; raises MissingExtraError without either."""
        return in_pandas(self.to_polars)

    def cells(self) -> pl.DataFrame:
        """Return the means of all cells, those of `cells.csv`; raises MissingExtraError.

        The column of a factor that is called like another column is `factor NAME`.
        """
        return _frame(cells_rows(self.plan, self.findings))

    def record(self) -> dict[str, Any]:
        """Return all findings as a JSON object, that of `findings.json` and `lab --json`."""
        found: dict[str, Any] = json.loads(json.dumps(self.findings.record()))
        return found

    def save(self, folder: str | Path, figure_files: FigureFiles = USUAL_FILES) -> Path:
        """Write the report that `cardwright lab` writes, and return the path of its page.

        The folder is to be new or empty. `figure_files` says as which files figures are saved.
        Raises LabError if the folder is not empty, or cannot be made, and MissingExtraError if a
        library is missing.
        """
        out = Path(folder)
        if out.is_dir() and any(out.iterdir()):
            raise LabError(f"{out} is not empty: name another folder")
        return write_report(self.plan, self.outcomes, out, figure_files)[0]


def run_experiment(
    plan: LabPlan | str | Path,
    folder: str | Path | None = None,
    /,
    **settings: Unpack[ExperimentSettings],
) -> Experiment:
    """Play an experiment: the command `cardwright lab run`.

    `plan` is one, or the path of its file. With a `folder` what is played is kept there. See
    `ExperimentSettings` for further keywords.

    Raises LabError for whatever is wrong with the plan or its players, RecordsError for the folder,
    and ChangedGameError. KeyboardInterrupt leaves a folder that can be resumed.
    """
    check_keywords("run_experiment", ExperimentSettings, settings)
    given = filled(ExperimentSettings, settings)
    allowed = given["allow_files"] or ()
    if isinstance(plan, LabPlan):
        trust = trust_in((*plan.trust.files, *allowed), plan.trust.folder)
        chosen = replace(plan, trust=trust)
    else:
        chosen = LabPlan.load(plan, allowed)
    outcomes = run(
        chosen,
        None if folder is None else Path(folder),
        fitting(chosen, settings.get("workers", 1), given["executor"], given["scheduler"]),
        resume=given["resume"],
        progress=given["progress"],
    )
    return Experiment(chosen, outcomes)


def read_experiment(folder: str | Path) -> Experiment:
    """Return the experiment in a folder, as far as it is played without a gap.

    Raises RecordsError for a folder that has no records of an experiment, and for damaged ones.
    """
    return Experiment(*load(Path(folder)))


def _number(name: str | int, known: Sequence[str], what: str) -> int:
    """Return the place of a name, or a place, among those there are; raises LabError if not."""
    if isinstance(name, int) and 0 <= name < len(known):
        return name
    if name not in known:
        advice = advice_on(str(name), known)
        raise LabError(f"there is no {what} {name!r}; {advice}")
    return list(known).index(str(name))


def _frame(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Return a table; what has no text in it and is no count of deals is real."""
    need("polars")
    import polars

    def kind(name: str, value: Any) -> Any:
        if isinstance(value, str):
            return polars.String
        return polars.Int64 if name.startswith("deals") else polars.Float64

    return polars.DataFrame(rows, schema={name: kind(name, one) for name, one in rows[0].items()})
