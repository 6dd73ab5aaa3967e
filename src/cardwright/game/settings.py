"""What may be set in a game: the values of its constants, requirements on them, and presets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from cardwright.game.errors import CardwrightError, override_text
from cardwright.game.game_words import GameWords
from cardwright.program.check import holds
from cardwright.syntax.suggest import advice_on, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.program.constants import Constant

Values: TypeAlias = "tuple[int | str, ...] | range"


class SettingError(CardwrightError):
    """Values of constants with which a game cannot be played, or a preset that does not exist."""

    wrong_call = True


class FactsError(CardwrightError):
    """A file beside a game with wrong contents."""


@dataclass(frozen=True)
class Setting:
    """What a constant means, and the values that it may have; none listed means any.

    For a list, the values are those that its items may have. A `derived` constant follows from
    others and must not be set.
    """

    about: str
    values: Values = ()
    derived: bool = False

    def problem(self, value: Constant) -> str:
        """Return why the constant cannot have a value; nothing if it can."""
        if self.derived:
            return "it follows from other constants and is not to be set"
        if not self.values:
            return ""
        for item in value if isinstance(value, tuple) else (value,):
            if type(item) is not type(self.values[0]):
                return ""  # the checker reports which kind is expected
            if item not in self.values:
                advice = did_you_mean(str(item), [str(one) for one in self.values])
                return f"{override_text(item)} is not among its values, {self.listed}" + (
                    f"; {advice}" if advice else ""
                )
        return ""

    @property
    def listed(self) -> str:
        """The values for people: `OFF, MINUS or PLUS`, or `3 to 8`."""
        if isinstance(self.values, range):
            return f"{self.values.start} to {self.values.stop - 1}"
        texts = [str(value) for value in self.values]
        return " or ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


@dataclass(frozen=True)
class Requirement:
    """A condition on constants, in RECYCLE, and why it must hold."""

    condition: str
    why: str


@dataclass(frozen=True)
class Remark:
    """A note on the game that is true where a condition on constants, in RECYCLE, holds."""

    condition: str
    text: str


@dataclass(frozen=True)
class DeclaredScores:
    """The lowest and the highest score that a seat can end with, by the word of the author.

    It counts where a condition on constants, in RECYCLE, holds; without one always.
    """

    least: int
    most: int
    condition: str = ""


@dataclass(frozen=True)
class Preset:
    """A variant with a name: the values that it sets, perhaps in another game's file."""

    name: str
    about: str
    declared: Mapping[str, Constant]
    game: str = ""


@dataclass(frozen=True)
class Settings:
    """What the file beside a game says: what may be set, and how; and words for people."""

    declared: Mapping[str, Setting] = field(default_factory=dict)
    requires: tuple[Requirement, ...] = ()
    presets: Mapping[str, Preset] = field(default_factory=dict)
    words: GameWords = field(default_factory=GameWords)
    remarks: tuple[Remark, ...] = ()
    scores: tuple[DeclaredScores, ...] = ()

    def preset(self, name: str) -> Preset:
        """Return a preset; raises SettingError if there is none of that name."""
        if name in self.presets:
            return self.presets[name]
        if not self.presets:
            raise SettingError(f"there is no preset {name!r}: this game has none")
        advice = advice_on(name, self.presets)
        raise SettingError(f"there is no preset {name!r}; {advice}")

    def remarks_on(self, values: Mapping[str, Constant]) -> list[str]:
        """Return the remarks that are true with these values of all constants.

        Raises FactsError for a condition that cannot be evaluated.
        """
        try:
            return [one.text for one in self.remarks if holds(one.condition, values)]
        except ValueError as error:
            raise FactsError(f"a remark's condition cannot be evaluated: {error}") from None

    def scores_with(self, values: Mapping[str, Constant]) -> tuple[int, int] | None:
        """Return the declared range of scores with these values of all constants, if there is one.

        It is the first whose condition holds. Raises FactsError as `remarks_on` does.
        """
        try:
            for one in self.scores:
                if not one.condition or holds(one.condition, values):
                    return one.least, one.most
        except ValueError as error:
            raise FactsError(f"a condition on scores cannot be evaluated: {error}") from None
        return None

    def check_each(self, values: Mapping[str, Constant]) -> None:
        """Raise SettingError if one of these values is invalid, whatever the others."""
        for name, value in values.items():
            problem = self.declared[name].problem(value) if name in self.declared else ""
            if problem:
                raise SettingError(f"{name}: {problem}")

    def check_together(self, values: Mapping[str, Constant]) -> None:
        """Raise SettingError if the values of all constants are invalid together."""
        for one in self.requires:
            try:
                met = holds(one.condition, values)
            except ValueError as error:
                raise FactsError(f"a requirement cannot be evaluated: {error}") from None
            if not met:
                said = ", ".join(
                    f"{name}={override_text(value)}"
                    for name, value in values.items()
                    if f"'{name}" in one.condition.replace(")", " ").split()
                )
                raise SettingError(f"{said} do not go together: {one.why}")
