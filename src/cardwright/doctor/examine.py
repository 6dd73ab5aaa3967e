"""All parts, looked at in order, and what to do first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.doctor import core, surroundings
from cardwright.doctor.checked_part import Health
from cardwright.extras import advice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.doctor.checked_part import CheckedPart


def examine() -> tuple[CheckedPart, ...]:
    """Look at everything; it takes a few seconds, as a game is compiled and sandboxes are built."""
    return (
        *core.versions(),
        core.engine(),
        core.cache(),
        surroundings.sandbox(),
        *surroundings.extras(),
        surroundings.fonts(),
        surroundings.browser(),
        surroundings.terminal(),
    )


def healthy(parts: Sequence[CheckedPart]) -> bool:
    """Say whether nothing that the core needs is broken."""
    return all(part.health is not Health.BROKEN for part in parts)


def what_to_do(parts: Sequence[CheckedPart]) -> str:
    """Return a sentence about what to do first: what is broken comes before what can be added."""
    broken = [part for part in parts if part.health is Health.BROKEN]
    if broken:
        return f"Mend {broken[0].name} first: {broken[0].advice}."
    missing = [part for part in parts if part.health is Health.MISSING]
    lacking = [part.extra for part in missing if part.extra]
    if lacking:
        line = advice(*lacking, several=True)
        return f"The core works. Extras are missing; for all of them, {line}"
    if missing:
        return f"The core works. About {missing[0].name}: {missing[0].advice}."
    return "All of it works; there is nothing to do."
