"""The lowering of forms: what ties the chapters together."""

from __future__ import annotations

from cardwright.compiler.lower import cards, conditions, integers, locations, owners, storages
from cardwright.compiler.lower.lowering import Lowering


class FormLowering(Lowering):
    """One function under construction, with all forms of the language."""

    integer = integers.integer
    string = storages.string
    condition = conditions.condition
    card = cards.card
    owner = owners.owner
    seat = owners.seat
    team = owners.team
    location = locations.location
    each_card = locations.each_card
