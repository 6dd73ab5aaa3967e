"""The files of a report: the page, tables, figures, and the games that were found."""

from __future__ import annotations

import re
from itertools import chain
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Any

from cardwright._version import __version__
from cardwright.authoring.settings_check import RuleNames
from cardwright.evolution.report.account import stem_of
from cardwright.evolution.report.figures import evolution_pictures
from cardwright.evolution.report.page import page
from cardwright.evolution.report.served_page import EVOLVED, FIGURE_FILE, FIGURES, PAGE
from cardwright.extras import need
from cardwright.game.errors import CardwrightError
from cardwright.game.find import FACTS, SUFFIX
from cardwright.game.game import Game
from cardwright.game.settings import Settings, parse_settings
from cardwright.game.wording.phrases import WORD_TABLES
from cardwright.jobs.files import RecordsError, write_several
from cardwright.jobs.toml_text import toml_key, toml_paragraphs, toml_string, toml_value
from cardwright.publication.figures import USUAL_FILES
from cardwright.syntax.data_files import csv_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from cardwright.evolution.report.account import EvolutionAccount, ReportedGame
    from cardwright.game.settings import Setting
    from cardwright.jobs.toml_text import Toml
    from cardwright.program.constants import Constant
    from cardwright.program.program import Program
    from cardwright.publication.figures import FigureFiles

_KEPT = ("source", "left_out", "notes")
"""Facts on the original that stay what they are. Others, such as its deck, may have changed."""


def facts_text(
    program: Program,
    title: str,
    original: str,
    told: Sequence[str],
    facts: Mapping[str, Any],
) -> str:
    """Return the text of the file, such that `check` has nothing to say about it.

    `title` is the new game's, `original` that of the game it was found from, whose tables are
    `facts`; `told` are sentences on the difference. Words, values of constants and requirements
    that do not fit the new rules are left out, and so are presets, which would undo changes, and
    ranges of scores, which nobody has checked for these rules.
    Raises FactsError if the original's settings are wrong.
    """
    settings = parse_settings(f"{original}.toml", facts)
    values = {
        constant.name: constant.value for constant in program.declared if constant.value is not None
    }
    declared = {
        name: _setting(setting, values[name])
        for name, setting in settings.declared.items()
        if name in values
    }
    parts = [
        f"# Made from the facts on {_line(original)}; what no longer fits its rules is left out.\n"
        + "".join(_facts(title, original, told, facts)),
        _table("declared", declared),
        *_conditions(values, settings),
        *_words(program, settings),
    ]
    return "\n".join(part for part in parts if part)


def _facts(
    title: str, original: str, told: Sequence[str], facts: Mapping[str, Any]
) -> Iterator[str]:
    yield f"title = {toml_string(_line(title))}\n"
    yield f"rules = {toml_paragraphs(_rules(_line(original), told, facts))}\n"
    for name in _KEPT:
        if isinstance(value := facts.get(name), str) and value:
            yield f"{name} = {toml_paragraphs(value) if len(value) > 90 else toml_string(value)}\n"


def _rules(original: str, told: Sequence[str], facts: Mapping[str, Any]) -> str:
    """Return the rules in words: what is different, then the original's, marked as such."""
    differences = " ".join(map(_line, told)) or "Nothing that could be told in words."
    new = f"What is different: {differences}"
    old = facts.get("rules")
    if not isinstance(old, str) or not old.strip():
        return f"{new}\n\nThe original: All other rules are those of {original}."
    return (
        f"{new}\n\nThe original: What follows are the rules of {original}. Where they differ from "
        f"what is said above, that counts.\n\n{old.strip()}"
    )


def _setting(setting: Setting, value: Constant) -> Toml:
    """Return what a constant means, with its values unless it has another one now."""
    table: dict[str, Toml] = {"about": setting.about}
    if setting.derived:
        return {**table, "derived": True}
    if not setting.values or setting.problem(value):
        return setting.about
    if isinstance(setting.values, range):
        return {**table, "values": f"{setting.values.start}..{setting.values.stop - 1}"}
    return {**table, "values": list(setting.values)}


def _conditions(values: Mapping[str, Constant], settings: Settings) -> Iterator[str]:
    """Yield the requirements and remarks whose constants are still there.

    A requirement that the new rules break themselves is left out as well.
    """
    for rule in settings.requires:
        if _applies(Settings(requires=(rule,)).check_together, values):
            yield _table("[requires]", {"condition": rule.condition, "why": rule.why})
    for remark in settings.remarks:
        if _applies(Settings(remarks=(remark,)).remarks_on, values):
            yield _table("[remarks]", {"condition": remark.condition, "text": remark.text})


def _applies(
    check: Callable[[Mapping[str, Constant]], object], values: Mapping[str, Constant]
) -> bool:
    try:
        check(values)
    except CardwrightError:
        return False
    return True


def _words(program: Program, settings: Settings) -> Iterator[str]:
    """Yield the tables of words, with the entries whose names the new rules have."""
    words, names = settings.words, RuleNames(program, settings)
    yield _table("words", {"unit": words.unit} if words.unit else {})
    for table in WORD_TABLES:
        entries = dict(getattr(words, table)).items()
        kept = {key: text for key, text in entries if not any(names.wrong_words(table, key, text))}
        yield _table(f"words.{table}", kept)
    for result in words.results:
        if not any(names.wrong_result(result)):
            entry = {"of": result.of, "condition": result.condition, "text": result.text}
            yield _table("[words.results]", entry | ({"sign": result.sign} if result.sign else {}))


def _table(name: str, table: Mapping[str, Toml]) -> str:
    if not table:
        return ""
    lines = (f"{toml_key(key)} = {toml_value(value)}\n" for key, value in table.items())
    return f"[{name}]\n{''.join(lines)}"


def _line(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())


def evolved_files(account: EvolutionAccount) -> dict[str, str]:
    """Return the texts of all elites' files by their names; raises FactsError for wrong facts."""
    found = {}
    for game in account.elites:
        rules = rules_text(account, game)
        program = Game.from_text(rules, name=game.name).program
        title = f"{account.title}, varied ({game.number})"
        facts = facts_text(program, title, account.title, game.told, account.facts)
        found[f"{game.name}{SUFFIX}"] = rules
        found[f"{game.name}{FACTS}"] = facts
    return found


def rules_text(account: EvolutionAccount, game: ReportedGame) -> str:
    """Return the text of an elite's rules, with a comment at its head that names its source."""
    head = [
        f"{game.name}: found by Cardwright {__version__} near {account.title},",
        f"as candidate {game.candidate.name} of a search with seed {account.seed}.",
    ]
    if game.told:
        head.append("What is different:")
    item = TextWrapper(96, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)
    head += [line for sentence in game.told for line in item.wrap(sentence)]
    # Characters that would end a comment, or could not stand in a file, are spaces.
    clean = ("".join(c if c.isprintable() else " " for c in line) for line in head)
    return "".join(f";; {line}\n" for line in clean) + f"\n{game.candidate.text}"


def elites_text(account: EvolutionAccount) -> str:
    """Return the original and the elites as CSV, each with all measures.

    Of each measure there are the search's mean and interval, then those of the games held out.
    """
    games = (account.original, *account.elites)
    every = {name for game in games for name in (*game.searched, *game.held_out)}
    names = dict.fromkeys((*(aim.measure for aim in account.aims), *sorted(every)))
    kinds = ("", "_low", "_high", "_again", "_again_low", "_again_high")
    columns = ["number", "name", "candidate", "total", *(f"{n}{k}" for n in names for k in kinds)]
    rows = []
    for game in games:
        judged = game.searched, game.held_out
        found = [measures.get(name) for name in names for measures in judged]
        values = [(known.mean, known.low, known.high) if known else (None,) * 3 for known in found]
        rows.append((game.number, game.name, game.candidate.name, game.total, *chain(*values)))
    return csv_text(columns, rows)


def points_text(account: EvolutionAccount) -> str:
    """Return all candidates that passed the funnel as CSV, in the order of the search."""
    every = [point.evaluated.measures for point in account.points]
    names = list(dict.fromkeys(name for measures in every for name in sorted(measures)))
    rows = (
        [number, point.candidate.name, point.total, *map(point.mean, names)]
        for number, point in enumerate(account.points, 1)
    )
    return csv_text(["number", "candidate", "total", *names], rows)


def write_account(
    account: EvolutionAccount, folder: Path, figure_files: FigureFiles = USUAL_FILES
) -> tuple[Path, ...]:
    """Write the report on a search to a folder, and return its files, the page first.

    `figure_files` says as which files figures are saved; in the page they are as usual. An older
    report there is replaced, with its figures and the games that it found. The same account gives
    the same bytes. Raises RecordsError if a file cannot be written, FactsError if the file beside
    the original is wrong, and MissingExtraError if a library is missing.
    """
    need("jinja2", "matplotlib")
    games = {name: text.encode() for name, text in evolved_files(account).items()}
    pictures = evolution_pictures(account, figure_files)
    drawn = {name: content for picture in pictures for name, content in picture.files.items()}
    texts = {
        PAGE: page(account, pictures),
        "elites.csv": elites_text(account),
        "points.csv": points_text(account),
    }
    evolved, figures = folder / EVOLVED, folder / FIGURES
    try:
        evolved.mkdir(parents=True, exist_ok=True)
        figures.mkdir(exist_ok=True)
        _clear(evolved, rf"{re.escape(stem_of(account.game))}-\d+\.(rcy|toml)", keep=games)
        _clear(figures, FIGURE_FILE, keep=drawn)
    except OSError as error:
        raise RecordsError(f"{folder} cannot be written to: {error.strerror or error}") from None
    written: list[Path] = []
    for place, contents in (
        (folder, {name: text.encode() for name, text in texts.items()}),
        (evolved, games),
        (figures, drawn),
    ):
        files = {place / name: content for name, content in contents.items()}
        if files:
            write_several(files)
        written += files
    return tuple(written)


def _clear(folder: Path, ours: str, keep: Collection[str]) -> None:
    """Remove what an older report has left: the files with such names that are not kept."""
    for file in sorted(folder.iterdir()):
        if re.fullmatch(ours, file.name) and file.name not in keep:
            file.unlink()
