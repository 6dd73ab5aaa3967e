"""The files of a report: the page, tables, figures, and the games that were found."""

from __future__ import annotations

import re
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
    from collections.abc import Collection, Iterator, Mapping, Sequence
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
    parts = [
        f"# Made from the facts on {_line(original)}; what no longer fits its rules is left out.\n"
        + "".join(_facts(title, original, told, facts)),
        _table("declared", _declared(program, settings)),
        *_requires(program, settings),
        *_remarks(program, settings),
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


def _declared(program: Program, settings: Settings) -> dict[str, Toml]:
    values = _values(program)
    return {
        name: _setting(setting, values.get(name))
        for name, setting in settings.declared.items()
        if name in values
    }


def _setting(setting: Setting, value: Constant | None) -> Toml:
    """Return what a constant means, with its values unless it has another one now."""
    table: dict[str, Toml] = {"about": setting.about}
    if setting.derived:
        return {**table, "derived": True}
    if not setting.values or value is None or setting.problem(value):
        return setting.about
    if isinstance(setting.values, range):
        return {**table, "values": f"{setting.values.start}..{setting.values.stop - 1}"}
    return {**table, "values": list(setting.values)}


def _requires(program: Program, settings: Settings) -> Iterator[str]:
    values = _values(program)
    for one in settings.requires:
        try:
            Settings(requires=(one,)).check_together(values)
        except CardwrightError:  # a constant is gone, or the new rules break it themselves
            continue
        condition, why = toml_string(one.condition), toml_string(one.why)
        yield f"[[requires]]\ncondition = {condition}\nwhy = {why}\n"


def _remarks(program: Program, settings: Settings) -> Iterator[str]:
    values = _values(program)
    for one in settings.remarks:
        try:
            Settings(remarks=(one,)).remarks_on(values)
        except CardwrightError:  # a constant is gone
            continue
        condition, text = toml_string(one.condition), toml_string(one.text)
        yield f"[[remarks]]\ncondition = {condition}\ntext = {text}\n"


def _words(program: Program, settings: Settings) -> Iterator[str]:
    """Yield the tables of words, with the entries whose names the new rules have."""
    words = settings.words
    if words.unit:
        yield f"[words]\nunit = {toml_string(words.unit)}\n"
    names = RuleNames(program)
    for table in WORD_TABLES:
        kept = {
            key: text
            for key, text in getattr(words, table)
            if not any(names.wrong_words(table, key, text))
        }
        yield _table(f"words.{table}", kept)


def _table(name: str, table: Mapping[str, Toml]) -> str:
    if not table:
        return ""
    lines = (f"{toml_key(key)} = {toml_value(value)}\n" for key, value in table.items())
    return f"[{name}]\n{''.join(lines)}"


def _values(program: Program) -> dict[str, Constant]:
    return {one.name: one.value for one in program.declared if one.value is not None}


def _line(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())


_WIDTH = 96


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
    """Return the text of an elite's rules, with a comment at its head that says whence it comes."""
    head = [
        f"{game.name}: found by Cardwright {__version__} near {account.title},",
        f"as candidate {game.candidate.name} of a search with seed {account.seed}.",
    ]
    if game.told:
        head += ["What is different:", *(line for said in game.told for line in _item(said))]
    return "".join(f";; {_clean(line)}\n" for line in head) + f"\n{game.candidate.text}"


def _item(text: str) -> Sequence[str]:
    from textwrap import wrap

    return wrap(text, _WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


def _clean(text: str) -> str:
    """Return a text without characters that would end a comment or could not stand in a file."""
    return "".join(c if c.isprintable() else " " for c in text)


def elites_text(account: EvolutionAccount) -> str:
    """Return the original and the elites as CSV, each with all measures.

    Of each measure there are the search's mean and interval, then those of the games held out.
    """
    games = (account.original, *account.elites)
    names = _names(account, games)
    columns = ["number", "name", "candidate", "total"]
    for name in names:
        columns += [f"{name}{more}" for more in ("", "_low", "_high")]
        columns += [f"{name}_again{more}" for more in ("", "_low", "_high")]
    return csv_text(columns, (_row(game, names) for game in games))


def points_text(account: EvolutionAccount) -> str:
    """Return all candidates that passed the funnel as CSV, in the order of the search."""
    names = list(dict.fromkeys(name for point in account.points for name in sorted(point.measures)))
    rows = (
        [point.number, point.name, point.total, *(point.measures.get(name) for name in names)]
        for point in account.points
    )
    return csv_text(["number", "candidate", "total", *names], rows)


def _names(account: EvolutionAccount, games: Sequence[ReportedGame]) -> list[str]:
    every = {name for game in games for name in (*game.searched, *game.held_out)}
    return list(dict.fromkeys((*(aim.measure for aim in account.aims), *sorted(every))))


def _row(game: ReportedGame, names: Sequence[str]) -> Iterator[object]:
    yield from (game.number, game.name, game.candidate.name, game.total)
    for name in names:
        for measures in (game.searched, game.held_out):
            found = measures.get(name)
            yield from (None,) * 3 if found is None else (found.mean, found.low, found.high)


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
    games = evolved_files(account)
    pictures = evolution_pictures(account, figure_files)
    drawn = {name: content for one in pictures for name, content in one.files.items()}
    links = {one.name: tuple(f"{FIGURES}/{file}" for file in one.files) for one in pictures}
    texts = {
        PAGE: page(account, links),
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
    if games:
        write_several({evolved / name: text.encode() for name, text in games.items()})
    if drawn:
        write_several({figures / name: content for name, content in drawn.items()})
    write_several({folder / name: text.encode() for name, text in texts.items()})
    return (
        *(folder / name for name in texts),
        *(evolved / name for name in games),
        *(figures / name for name in drawn),
    )


def _clear(folder: Path, ours: str, keep: Collection[str]) -> None:
    """Remove what an older report has left: the files with such names that are not kept."""
    for file in sorted(folder.iterdir()):
        if re.fullmatch(ours, file.name) and file.name not in keep:
            file.unlink()
