"""The shelf of a site: the games that can be played there, by name.

That are those of the library, and files named when the server was started. No path comes from a
request, so that nobody can have other files read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.arena.plan import GameRef
from cardwright.game.errors import CardwrightError
from cardwright.game.find import beside, find, library_names
from cardwright.game.settings import settings_of
from cardwright.program.constants import parse_value
from cardwright.syntax.suggest import did_you_mean
from cardwright.table.setup import RulesText
from cardwright.web.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from cardwright.game.game import Game
    from cardwright.program.constants import Constant

    OptionValue = str | int | bool

_SHOWN = 60


class GameShelf:
    """The games by name. `files` has those that are files; they are read anew whenever used."""

    def __init__(self, files: Iterable[Path] = ()) -> None:
        self.files: dict[str, Path] = {}
        for file in files:
            self.files[self._free_name(file)] = file

    def names(self) -> tuple[str, ...]:
        """Return all names, those of files first."""
        return (*self.files, *library_names())

    def rules(
        self,
        name: str,
        preset: str | None = None,
        options: Mapping[str, OptionValue] | None = None,
    ) -> tuple[GameRef | RulesText, Game]:
        """Return the rules of a game with values for its options, and the game; raises Refusal.

        Those of a file are its text as it is now: a table goes on with it when the file changes.
        """
        self.find(name)
        declared = declared_of(options or {})
        try:
            if name not in self.files:
                ref = GameRef.of(name, declared, preset)
                return ref, ref.load()
            rules = _of_file(self.files[name], name, preset, declared)
            return rules, rules.load()
        except CardwrightError as error:
            raise Refusal("invalid", str(error)) from None

    def find(self, name: str) -> str | Path:
        """Return the name of a game of the library, or a file; raises Refusal, with what was meant.

        Paths are those that the owner of the site has named: none comes from a request.
        """
        if name in self.files:
            return self.files[name]
        names = self.names()
        if name not in names:
            advice = did_you_mean(name[:_SHOWN], names) or "/api/games lists them"
            raise Refusal("no-such-game", f"there is no game {name[:_SHOWN]!r} here; {advice}")
        return name

    def _free_name(self, file: Path) -> str:
        taken = {*self.files, *library_names()}
        names = [file.stem, file.name, *(f"{file.stem}-{number}" for number in range(2, 1000))]
        return next(name for name in names if name not in taken)


def declared_of(options: Mapping[str, OptionValue]) -> dict[str, Constant]:
    """Return constants from values as JSON has them; raises Refusal."""
    declared: dict[str, Constant] = {}
    for name, value in options.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        try:
            declared[name] = parse_value(text)
        except ValueError as error:
            raise Refusal("invalid", f"the option {name[:_SHOWN]}: {error}") from None
    return declared


def _of_file(
    file: Path, name: str, preset: str | None, declared: Mapping[str, Constant]
) -> GameRef | RulesText:
    if preset is not None:
        chosen = settings_of(file).preset(preset)
        declared = {**chosen.declared, **declared}
        if chosen.game:
            return GameRef.of(chosen.game, declared)
    _, facts = beside(file) or ("", "")
    return RulesText(find(file).text, name, tuple(declared.items()), facts)
