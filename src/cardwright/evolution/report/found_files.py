"""The files of the games that were found: NAME.rcy with their rules, NAME.toml with facts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright._version import __version__
from cardwright.evolution.report.facts_file import facts_text
from cardwright.game.find import FACTS, SUFFIX
from cardwright.game.game import Game

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.evolution.report.account import EvolutionAccount, ReportedGame

_LETTERS = 40
_WIDTH = 96


def stem_of(game: str) -> str:
    """Return how files of games found near one begin: `hearts` for the path `my/Hearts.rcy`."""
    words = re.sub(r"[^a-z0-9]+", "-", Path(game).stem.lower()).strip("-")
    return words[:_LETTERS].strip("-") or "game"


def numbered(stem: str, number: int, elites: int) -> str:
    """Return the name of an elite: `hearts-03`, so that names are sorted as elites are."""
    return f"{stem}-{number:0{max(2, len(str(elites)))}}"


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
