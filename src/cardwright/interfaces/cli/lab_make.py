"""Plans of experiments from command-line options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from cardwright.arena.plan import GameRef
from cardwright.game.errors import CardwrightError
from cardwright.hearts.family import NotHeartsError, family_of
from cardwright.interfaces.cli.parameters import load
from cardwright.interfaces.cli.words import seed_of
from cardwright.lab.factor import Factor, FactorKind, LabPlayer
from cardwright.lab.levels import RANDOM, RULE, base_level, slot_level, slotted, who
from cardwright.lab.plan import Design, LabPlan, Precision, Seating, Sequential
from cardwright.lab.plan_file import OPPONENTS, read_plan
from cardwright.lab.tables import layout_of
from cardwright.lab.tested import try_players
from cardwright.players.kind import FULL_TRUST, NO_TRUST
from cardwright.players.spec import split_specs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

THINKER = "ismcts:iterations=100"
"""The tested player and the opponents for games without known players."""

_FAST_DEALS, _SLOW_DEALS, _MORE = 2_000, 100, 10
_FAST = (RANDOM, RULE)


@dataclass(frozen=True)
class LabSetting:
    """The options of a call, besides its factors. `hearts` says that the game is of that family."""

    game: GameRef
    hearts: bool
    tested: LabPlayer
    keep_discard: bool
    options: dict[str, Any]


def setting(options: dict[str, Any], targets: Iterable[str], base: str | None = None) -> LabSetting:
    """Return the options of a call: `targets` are the slots it varies, `base` the usual player."""
    game, hearts = _game(options)
    slots = set(targets)
    keep = options["keep_discard"] or "discard" in slots
    usual = base or (RULE if hearts or slots else THINKER)
    tested = told("--player", who, options["player"] or usual, FULL_TRUST)
    if slots:
        if not hearts:
            raise click.UsageError(
                f"slots are lists of Hearts, and {game.name} is not of that family; vary an option "
                "or a parameter by --factor"
            )
        tested = told("--player", slotted, tested, keep_discard=keep)
    return LabSetting(game, hearts, tested, keep, options)


def _game(options: dict[str, Any]) -> tuple[GameRef, bool]:
    """Return the game, a single deal of Hearts unless matches are asked for."""
    name, preset, declared = options["game"], options["preset"], dict(options["overrides"])
    if name == "hearts" and preset is None:
        preset = "standard"
    loaded = load(name, declared, preset=preset)
    try:
        family_of(loaded)
        hearts = True
    except NotHeartsError:
        hearts = False
    rounds = loaded.declared.get("ROUNDS")
    if options["match"] and (not hearts or rounds in {None, 1}):
        raise click.UsageError(
            f"--match is for Hearts that goes on for many deals: {loaded.name} as it is set has "
            "one; --preset standard has a match"
            if hearts
            else f"--match is for Hearts: {loaded.name} is always played as it is"
        )
    if hearts and not options["match"] and rounds not in {None, 1} and "ROUNDS" not in declared:
        declared["ROUNDS"] = 1
        loaded = load(name, declared, preset=preset)
    digest = loaded.program.digest
    return GameRef(name, loaded.players, digest, preset, tuple(declared.items())), hearts


def told(option: str | None, read: Any, *values: Any, **more: Any) -> Any:
    """Return an option's parsed text, or all of them; invalid text is an error of click's."""
    try:
        return read(*values, **more)
    except CardwrightError as error:
        if option is None:
            raise click.UsageError(str(error)) from None
        raise click.BadParameter(str(error), param_hint=f"'{option}'") from None


def slot_factor(
    made: LabSetting, slot: str, levels: Sequence[str], name: str | None = None
) -> Factor:
    """Return a factor of a slot; without levels the base's own list and random play are compared.

    Where the base already plays the slot at random, random play and the rule player are.
    """
    if levels:
        found = [
            told("--levels", slot_level, slot, text, FULL_TRUST, keep_discard=made.keep_discard)
            for text in levels
        ]
    else:
        own = told("--player", base_level, made.tested, slot)
        found = [own, slot_level(slot, RANDOM if own.value is not None else RULE, NO_TRUST)]
    factor: Factor = told("--levels", Factor, name or slot, FactorKind.SLOT, slot, tuple(found))
    return factor


def plan_of(
    made: LabSetting,
    name: str,
    design: Design,
    factors: Sequence[Factor],
    generators: Sequence[str] = (),
) -> LabPlan:
    """Return the plan of a call."""
    options = made.options
    texts = options["opponents"]
    if texts is None:
        names: Sequence[str] = OPPONENTS if made.hearts else (RANDOM, THINKER)
    else:
        names = split_specs(texts)
    opponents = tuple(told("--opponents", who, text, FULL_TRUST) for text in names)
    stop = _stop(options)
    played = [made.tested, *opponents]
    played += [
        one.value for factor in factors for one in factor.levels if type(one.value) is LabPlayer
    ]
    fast = made.hearts and all(one.spec is None or one.spec in _FAST for one in played)
    usual = (_FAST_DEALS if fast else _SLOW_DEALS) * (_MORE if stop else 1)
    plan = told(
        None,
        LabPlan,
        name=name,
        game=made.game,
        tested=made.tested,
        factors=tuple(factors),
        design=design,
        opponents=opponents,
        deals=options["deals"] or usual,
        seed=seed_of(options["seed"], lambda: _kept(options["records"], options["resume"])),
        generators=tuple(generators),
        seating=Seating(options["seating"]),
        stop=stop,
        trust=FULL_TRUST,
    )
    told(None, try_players, told(None, layout_of, plan).players, FULL_TRUST)
    assert isinstance(plan, LabPlan)
    return plan


def _kept(records: Path | None, resume: bool) -> int | None:
    """Return the seed of the experiment that a call resumes; None if there is none."""
    if not resume or records is None or not (records / "plan.toml").is_file():
        return None
    return read_plan(records / "plan.toml").seed


def _stop(options: dict[str, Any]) -> Precision | Sequential | None:
    until, sprt, response = (options[key] for key in ("until", "sprt", "response"))
    looks = {"least": options["least"], "every": options["every"]}
    if until is not None and sprt is not None:
        raise click.UsageError("--until and --sprt are two stopping rules: give one of them")
    if sprt is None and options["bound"] is not None:
        raise click.UsageError("--bound is for the test of --sprt")
    if until is not None:
        return Precision(response, until, **looks)
    return (
        None
        if sprt is None
        else Sequential(response, sprt[0], sprt[1], **looks, bound=options["bound"])
    )
