"""Plans as texts: TOML that people can read and edit.

This does not use a TOML library, since order has a meaning here: the first level of a factor is its
base.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.game.errors import override_text
from cardwright.jobs.toml_text import LARGEST, toml_key, toml_value
from cardwright.lab.factor import FactorKind, LabPlayer, SelectorList
from cardwright.lab.plan import Precision

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.arena.plan import GameRef
    from cardwright.jobs.toml_text import Toml
    from cardwright.lab.factor import Factor, Value
    from cardwright.lab.plan import LabPlan, Sequential

_HEAD = """\
# An experiment of Cardwright's strategy lab. To play it:
#   cardwright lab run THIS-FILE
# Of every factor the first level is the base, to which the others are compared.
"""


def plan_text(plan: LabPlan) -> str:
    """Return a plan as TOML, from which `plan_file.parse_plan` makes the same plan again."""
    top: dict[str, Toml] = {
        "name": plan.name,
        "design": plan.design.value,
        **({"generators": list(plan.generators)} if plan.generators else {}),
        "deals": plan.deals,
        "seed": plan.seed if plan.seed <= LARGEST else str(plan.seed),
        "seating": plan.seating.value,
        "level": plan.level,
    }
    parts = [_HEAD + _lines(top), "[game]\n" + _lines(_game(plan.game))]
    parts.append("# The player that is tested, as it is where no factor changes it.\n[tested]\n" +
                 _lines(_who(plan.tested)))  # fmt: skip
    parts += ["[[opponents]]\n" + _lines(_who(one)) for one in plan.opponents]
    parts += [_factor(factor) for factor in plan.factors]
    if plan.stop is not None:
        parts.append("# It may end before all deals are played.\n[stop]\n" +
                     _lines(_stop(plan.stop)))  # fmt: skip
    return "\n".join(parts)


def _game(game: GameRef) -> dict[str, Toml]:
    found: dict[str, Toml] = {"name": game.name}
    if game.preset is not None:
        found["preset"] = game.preset
    if game.declared:
        found["set"] = {
            name: value if isinstance(value, int) else override_text(value)
            for name, value in game.declared
        }
    if game.base is not None:
        found["base"] = game.base
    if game.engine != "native":
        found["engine"] = game.engine
    return {**found, "players": game.players, "digest": game.digest}


def _who(who: LabPlayer) -> dict[str, Toml]:
    if who.spec is not None:
        return {"name": who.name, "spec": who.spec}
    return {"name": who.name, "lists": {slot: listed_toml(one) for slot, one in who.lists}}


def listed_toml(listed: SelectorList) -> Toml:
    """Return a list of selectors as TOML: in short form where that says all."""
    select: list[Toml] = list(listed.select)
    more: dict[str, Toml] = {}
    if listed.mode != "first-match":
        more["mode"] = listed.mode
    if listed.tie != "low":
        more["tie"] = listed.tie
    if listed.discard is not None:
        more["discard"] = listed_toml(listed.discard)
    return {"select": select, **more} if more else select


def _factor(factor: Factor) -> str:
    head: dict[str, Toml] = {"name": factor.name, "kind": factor.kind.value}
    if factor.kind is not FactorKind.PLAYER or factor.target:
        head["target"] = factor.target
    levels = {level.name: _value(level.value) for level in factor.levels}
    return f"[[factors]]\n{_lines(head)}[factors.levels]\n{_lines(levels)}"


def _value(value: Value) -> Toml:
    match value:
        case None:
            return "random"
        case SelectorList():
            return listed_toml(value)
        case LabPlayer():
            return _who(value)
    return value


def _stop(stop: Precision | Sequential) -> dict[str, Toml]:
    found: dict[str, Toml] = {"response": stop.response}
    if isinstance(stop, Precision):
        found["half_width"] = stop.half_width
    else:
        found |= {"h0": stop.h0, "h1": stop.h1, "alpha": stop.alpha, "beta": stop.beta}
        if stop.bound is not None:
            found["bound"] = stop.bound
    return {**found, "least": stop.least, "every": stop.every}


def _lines(table: Mapping[str, Toml]) -> str:
    """Return the lines of a table; inner tables get their own where one line is too short."""
    found = []
    for key, value in table.items():
        text = toml_value(value)
        if isinstance(value, list) and len(key) + len(text) > 90:
            items = "".join(f"    {toml_value(item)},\n" for item in value)
            text = f"[\n{items}]"
        if isinstance(value, dict) and key in {"lists", "set"}:
            lines = [
                f"{toml_key(key)}.{toml_key(name)} = {toml_value(inner)}\n"
                for name, inner in value.items()
            ]
            found += lines or [f"{toml_key(key)} = {{}}\n"]
        else:
            found.append(f"{toml_key(key)} = {text}\n")
    return "".join(found)
