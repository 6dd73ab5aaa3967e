"""Plans of experiments from command-line options.

Factors are given as tests by name, slots, and `NAME=KIND:TARGET:LEVEL,LEVEL`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from cardwright.arena.plan import GameRef
from cardwright.game.errors import CardwrightError
from cardwright.hearts.family import NotHeartsError, family_of
from cardwright.interfaces.cli.parameters import load
from cardwright.interfaces.cli.words import seed_of
from cardwright.lab.cell import try_players
from cardwright.lab.factor import (
    PLAYED,
    RANDOM,
    RULE,
    SLOTS,
    Factor,
    FactorKind,
    FactorLevel,
    LabPlayer,
    base_level,
    check_slot,
    player_named,
    slot_level,
    slotted,
    split,
)
from cardwright.lab.layout import layout_of
from cardwright.lab.plan import (
    OPPONENTS,
    SWAP_LEVELS,
    Design,
    LabPlan,
    Precision,
    Seating,
    Sequential,
)
from cardwright.players.kind import FULL_TRUST, NO_TRUST
from cardwright.players.spec import split_specs
from cardwright.syntax.suggest import advice_on

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

THINKER = "ismcts:iterations=100"
"""The tested player and the opponents for games without known players."""

TESTS = {f"{slot}Test": slot for slot in PLAYED}
"""The five tests, and the slot that each of them varies."""

_FAST_DEALS, _SLOW_DEALS, _MORE = 2_000, 100, 10
_FAST = (RANDOM, RULE)

_FACTOR = re.compile(r"\s*([^=:]+?)\s*=\s*(\w+)\s*:(.*)", re.DOTALL)


def parsed(option: str | None, read: Any, *values: Any, **more: Any) -> Any:
    """Return an option's parsed text, or all of them; invalid text is an error of click's."""
    try:
        return read(*values, **more)
    except CardwrightError as error:
        if option is None:
            raise click.UsageError(str(error)) from None
        raise click.BadParameter(str(error), param_hint=f"'{option}'") from None


# Factors as they are given ------------------------------------------------------------------------


class NamedFactor(NamedTuple):
    """A factor as it was given, before the tested player is known."""

    name: str
    kind: FactorKind
    target: str
    levels: tuple[str, ...]


def named_factors(
    slots: Iterable[str], levels: str | None, factors: Iterable[str] = ()
) -> list[NamedFactor]:
    """Return the factors of tests or slots, which all have these levels, and of `--factor`s."""
    texts = () if levels is None else tuple(split(levels))
    return [*(_of_test(slot, texts) for slot in slots), *map(_of_text, factors)]


def _of_test(text: str, levels: tuple[str, ...]) -> NamedFactor:
    """Return the factor of a test such as `passTest`, or of a slot."""
    slot = TESTS.get(text, text)
    if slot not in SLOTS:
        raise click.BadParameter(
            f"there is no test {text!r}; {advice_on(text, (*TESTS, *SLOTS))}",
            param_hint="'TEST...'",
        )
    return NamedFactor(slot, FactorKind.SLOT, slot, levels)


def _of_text(text: str) -> NamedFactor:
    """Return the factor that `--factor` names."""
    match = _FACTOR.fullmatch(text)
    if match is None:
        raise _bad(
            f"{text!r} is not a factor; write NAME=KIND:TARGET:LEVEL,LEVEL, for example "
            "moon=option:MOON:PLUS,MINUS"
        )
    name, kind, rest = match.groups()
    if kind not in list(FactorKind):
        raise _bad(f"there is no kind of factor {kind!r}; {advice_on(kind, FactorKind)}")
    if kind == FactorKind.PLAYER:
        return NamedFactor(name, FactorKind.PLAYER, "", tuple(split_specs(rest)))
    if kind == FactorKind.SWAP:
        return NamedFactor(name, FactorKind.SWAP, rest.strip(), ())
    target, colon, levels = rest.partition(":")
    if not colon:
        raise _bad(f"{text!r} has no levels; write {name}={kind}:{target.strip()}:LEVEL,LEVEL")
    return NamedFactor(name, FactorKind(kind), target.strip(), tuple(split(levels)))


def _bad(message: str) -> click.BadParameter:
    return click.BadParameter(message, param_hint="'--factor'")


# Plans --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LabSetting:
    """The options of a call, besides its factors. `hearts` says that the game is of that family."""

    game: GameRef
    hearts: bool
    tested: LabPlayer
    keep_discard: bool
    options: dict[str, Any]


def plan_of(
    options: dict[str, Any],
    name: str,
    design: Design,
    named: Sequence[NamedFactor],
    generators: Sequence[str] = (),
) -> LabPlan:
    """Return the plan of a call that varies these factors."""
    slots = set[str]()
    for one in named:
        if one.kind in {FactorKind.SLOT, FactorKind.SWAP}:
            slots.add(one.target.partition(":")[0])
        elif one.kind is FactorKind.PARAMETER and options["player"] is None:
            raise click.UsageError(
                f"{one.target} is a parameter of a player: name the tested player by --player, for "
                "example --player ismcts"
            )
    setting = _setting(options, slots)
    return _plan(setting, name, design, [_factor(setting, one) for one in named], generators)


def screen_of(options: dict[str, Any], slots: str) -> LabPlan:
    """Return the plan of a call that exchanges neighbouring steps of the lists in some slots."""
    names = split(slots)
    for slot in names:
        parsed("--slots", check_slot, slot)
    if len(set(names)) < len(names):
        raise click.BadParameter("a slot is given twice", param_hint="'--slots'")
    setting = _setting(options, set(names), "hierarchy")
    lists = dict(setting.tested.lists)
    factors = []
    for slot in names:
        steps = lists[slot].select if slot in lists else ()
        if len(steps) < 2:
            raise click.UsageError(
                f"the base {setting.tested.name} has "
                f"{'one step' if steps else 'no list'} in {slot}: there is nothing to exchange; "
                "name by --player a hierarchy with a longer list"
            )
        factors += [
            Factor(f"{slot} {at + 1}/{at + 2}", FactorKind.SWAP, f"{slot}:{at}", SWAP_LEVELS)
            for at in range(len(steps) - 1)
        ]
    return _plan(setting, f"order of {', '.join(names)}", Design.SCREEN, factors, ())


def _setting(options: dict[str, Any], slots: set[str], base: str | None = None) -> LabSetting:
    """Return the options of a call that varies some slots; `base` is the usual player."""
    game, hearts = _game(options)
    keep = options["keep_discard"] or "discard" in slots
    usual = base or (RULE if hearts or slots else THINKER)
    tested = parsed("--player", player_named, options["player"] or usual, FULL_TRUST)
    if slots:
        if not hearts:
            raise click.UsageError(
                f"slots are lists of Hearts, and {game.name} is not of that family; vary an option "
                "or a parameter by --factor"
            )
        tested = parsed("--player", slotted, tested, keep_discard=keep)
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


def _factor(setting: LabSetting, named: NamedFactor) -> Factor:
    """Return a factor.

    Without levels a slot is compared with random play; where the base already plays it at random,
    with the rule player.
    """
    levels: Iterable[FactorLevel]
    match named.kind:
        case FactorKind.SLOT if named.levels:
            keep = setting.keep_discard
            levels = [
                parsed("--levels", slot_level, named.target, text, FULL_TRUST, keep_discard=keep)
                for text in named.levels
            ]
        case FactorKind.SLOT:
            own = parsed("--player", base_level, setting.tested, named.target)
            other = RULE if own.value is None else RANDOM
            levels = [own, slot_level(named.target, other, NO_TRUST)]
        case FactorKind.SWAP:
            levels = SWAP_LEVELS
        case FactorKind.PLAYER:
            players = [parsed("--factor", player_named, text, FULL_TRUST) for text in named.levels]
            levels = [FactorLevel(player.name, player) for player in players]
        case _:
            levels = [FactorLevel(text, text) for text in named.levels]
    option = "--levels" if named.kind is FactorKind.SLOT else "--factor"
    factor: Factor = parsed(option, Factor, named.name, named.kind, named.target, tuple(levels))
    return factor


def _plan(
    setting: LabSetting,
    name: str,
    design: Design,
    factors: Sequence[Factor],
    generators: Sequence[str],
) -> LabPlan:
    options, texts = setting.options, setting.options["opponents"]
    names = (RANDOM, THINKER) if texts is None else split_specs(texts)
    opponents = tuple(parsed("--opponents", player_named, text, FULL_TRUST) for text in names)
    if texts is None and setting.hearts:
        opponents = OPPONENTS
    stop = _stop(options)
    values = [level.value for factor in factors for level in factor.levels]
    played = [setting.tested, *opponents, *(one for one in values if isinstance(one, LabPlayer))]
    fast = setting.hearts and all(one.spec is None or one.spec in _FAST for one in played)
    plan: LabPlan = parsed(
        None,
        LabPlan,
        name=name,
        game=setting.game,
        tested=setting.tested,
        factors=tuple(factors),
        design=design,
        opponents=opponents,
        deals=options["deals"] or (_FAST_DEALS if fast else _SLOW_DEALS) * (_MORE if stop else 1),
        seed=seed_of(options["seed"], lambda: _kept(options["records"], options["resume"])),
        generators=tuple(generators),
        seating=Seating(options["seating"]),
        stop=stop,
        trust=FULL_TRUST,
    )
    parsed(None, try_players, parsed(None, layout_of, plan).players, FULL_TRUST)
    return plan


def _kept(records: Path | None, resume: bool) -> int | None:
    """Return the seed of the experiment that a call resumes; None if there is none."""
    if not resume or records is None or not (records / "plan.toml").is_file():
        return None
    return LabPlan.load(records / "plan.toml").seed


def _stop(options: dict[str, Any]) -> Precision | Sequential | None:
    until, sprt, bound = options["until"], options["sprt"], options["bound"]
    looks = {"least": options["least"], "every": options["every"]}
    if until is not None and sprt is not None:
        raise click.UsageError("--until and --sprt are two stopping rules: give one of them")
    if sprt is None and bound is not None:
        raise click.UsageError("--bound is for the test of --sprt")
    if until is not None:
        return Precision(options["response"], until, **looks)
    if sprt is None:
        return None
    return Sequential(options["response"], sprt[0], sprt[1], **looks, bound=bound)
