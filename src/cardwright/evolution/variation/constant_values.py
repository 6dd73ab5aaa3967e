"""Which values the declared constants of a game may have, as the file beside the game says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.program.check import holds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.game.settings import Settings, Values
    from cardwright.program.constants import Constant


@dataclass(frozen=True, slots=True)
class ConstantValues:
    """The values of constants by name, those that follow from others, and what all must meet.

    For a list, the values are those of its items. A constant that is not named may have any value.
    The `requires` are conditions in RECYCLE. It can be hashed and sent to other processes.
    """

    values: tuple[tuple[str, Values], ...] = ()
    derived: frozenset[str] = frozenset()
    requires: tuple[str, ...] = ()

    @classmethod
    def of(cls, settings: Settings) -> ConstantValues:
        """Return what the file beside a game says of its constants."""
        listed = tuple((name, one.values) for name, one in settings.declared.items() if one.values)
        derived = frozenset(name for name, one in settings.declared.items() if one.derived)
        return cls(listed, derived, tuple(one.condition for one in settings.requires))

    def listed(self, name: str) -> Values:
        """Return the values that a constant may have; none for any."""
        return next((values for known, values in self.values if known == name), ())

    def allowed(self, constants: Mapping[str, Constant]) -> bool:
        """Return whether the values of all constants go together.

        A condition that cannot be told, as it names a constant that the rules no longer have, rules
        nothing out.
        """
        for condition in self.requires:
            try:
                if not holds(condition, constants):
                    return False
            except ValueError:
                continue
        return True
