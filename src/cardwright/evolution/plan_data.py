"""Plans of searches as JSON data."""

from __future__ import annotations

import math
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from cardwright.evolution.aim import Aim
from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.errors import EvolutionError
from cardwright.evolution.funnel.funnel import FunnelPlan
from cardwright.evolution.plan import EvolutionPlan, Mate
from cardwright.evolution.variation.constant_values import ConstantValues
from cardwright.evolution.variation.vary import Variation
from cardwright.players.kind import NO_TRUST

if TYPE_CHECKING:
    from collections.abc import Mapping

_OPEN = (-math.inf, math.inf)


def plan_data(plan: EvolutionPlan) -> dict[str, Any]:
    """Return a plan as JSON can hold it; the seed is a string."""
    families = [family.value for family in ChangeFamily if family in plan.variation.families]
    own = {field.name: getattr(plan, field.name) for field in fields(plan)}
    return {
        **own,
        "seed": str(plan.seed),
        "aims": [_aim_data(aim) for aim in plan.aims],
        "axes": list(plan.axes),
        "reported": list(plan.reported),
        "parameters": dict(plan.parameters),
        "variation": {
            **_plain(plan.variation),
            "families": families,
            "constants": _constants_data(plan.variation.constants),
        },
        "funnel": {**_plain(plan.funnel), "seed": str(plan.funnel.seed)},
        "mates": [asdict(mate) for mate in plan.mates],
    }


def plan_of(data: Any) -> EvolutionPlan:
    """Return the plan from `data`; raises EvolutionError for anything else."""
    try:
        varied = data["variation"]
        variation = {
            **_tuples(varied),
            "families": frozenset(map(ChangeFamily, varied["families"])),
            "constants": _constants_of(varied["constants"]),
        }
        funnel = data["funnel"]
        return EvolutionPlan(
            **{
                **data,
                "seed": int(data["seed"]),
                "aims": tuple(map(_aim_of, data["aims"])),
                "axes": tuple(data["axes"]),
                "reported": tuple(data["reported"]),
                "parameters": tuple(data["parameters"].items()),
                "variation": Variation(**variation),
                "funnel": FunnelPlan(
                    **{**_tuples(funnel), "seed": int(funnel["seed"]), "trust": NO_TRUST}
                ),
                "mates": tuple(Mate(**mate) for mate in data["mates"]),
            }
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        said = f"{type(error).__name__}: {error}"
        raise EvolutionError(f"this is not the plan of a search: {said}") from None


def _aim_data(aim: Aim) -> dict[str, Any]:
    """Return an aim; an open end of its range is None, as JSON has no infinity."""
    return {key: None if one in _OPEN else one for key, one in asdict(aim).items()}


def _aim_of(data: Any) -> Aim:
    low, high = data["low"], data["high"]
    ends = {"low": -math.inf if low is None else low, "high": math.inf if high is None else high}
    return Aim(**{**data, **ends})


def _constants_data(constants: ConstantValues) -> dict[str, Any]:
    return {
        "values": {
            name: {"from": values.start, "to": values.stop - 1}
            if isinstance(values, range)
            else list(values)
            for name, values in constants.values
        },
        "derived": sorted(constants.derived),
        "requires": list(constants.requires),
    }


def _constants_of(data: Any) -> ConstantValues:
    values = tuple(
        (name, range(one["from"], one["to"] + 1) if isinstance(one, dict) else tuple(one))
        for name, one in data["values"].items()
    )
    return ConstantValues(values, frozenset(data["derived"]), tuple(data["requires"]))


def _plain(value: Variation | FunnelPlan) -> dict[str, Any]:
    """Return the fields of a value; tuples as lists."""
    found = {one.name: getattr(value, one.name) for one in fields(value) if one.name != "trust"}
    return {key: list(one) if isinstance(one, tuple) else one for key, one in found.items()}


def _tuples(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(one) if isinstance(one, list) else one for key, one in data.items()}
