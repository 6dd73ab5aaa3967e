"""Plans of experiments from command-line options."""

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
    slot_level,
    slotted,
    split,
    who,
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
    read_plan,
)
from cardwright.players.kind import FULL_TRUST, NO_TRUST
from cardwright.players.spec import split_specs
from cardwright.syntax.suggest import advice_on

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


TESTS = {f"{slot}Test": slot for slot in PLAYED}
"""The five tests, and the slot that each of them varies."""

_FACTOR = re.compile(r"\s*([^=:]+?)\s*=\s*(\w+)\s*:(.*)", re.DOTALL)


class Named(NamedTuple):
    """A factor as it was given, before the tested player is known."""

    name: str
    kind: FactorKind
    target: str
    levels: tuple[str, ...]

    @property
    def slots(self) -> set[str]:
        """The slots that it varies."""
        return (
            {self.target.partition(":")[0]}
            if self.kind in {FactorKind.SLOT, FactorKind.SWAP}
            else set()
        )


def of_test(text: str, levels: Sequence[str]) -> Named:
    """Return the factor of a test such as `passTest`, or of a slot."""
    slot = TESTS.get(text, text)
    if slot not in SLOTS:
        known = [*TESTS, *SLOTS]
        folded = {name.casefold(): name for name in known}
        advice = advice_on(text, known)
        if text.casefold() in folded:
            advice = f"did you mean {folded[text.casefold()]}?"
        raise click.BadParameter(f"there is no test {text!r}; {advice}", param_hint="'TEST...'")
    return Named(slot, FactorKind.SLOT, slot, tuple(levels))


def of_text(text: str) -> Named:
    """Return the factor that `--factor` names."""
    match = _FACTOR.fullmatch(text)
    if match is None:
        raise _bad(f"{text!r} is not a factor; write NAME=KIND:TARGET:LEVEL,LEVEL, for example "
                   "moon=option:MOON:PLUS,MINUS")  # fmt: skip
    name, kind, rest = match.groups()
    if kind not in list(FactorKind):
        advice = advice_on(kind, FactorKind)
        raise _bad(f"there is no kind of factor {kind!r}; {advice}")
    if kind == FactorKind.PLAYER:
        return Named(name, FactorKind.PLAYER, "", tuple(split_specs(rest)))
    if kind == FactorKind.SWAP:
        return Named(name, FactorKind.SWAP, rest.strip(), ())
    target, colon, levels = rest.partition(":")
    if not colon:
        raise _bad(f"{text!r} has no levels; write {name}={kind}:{target.strip()}:LEVEL,LEVEL")
    return Named(name, FactorKind(kind), target.strip(), tuple(split(levels)))


def slots_of(named: Iterable[Named]) -> set[str]:
    """Return all slots that factors vary."""
    return set[str]().union(*(one.slots for one in named))


def check_player(options: dict[str, Any], named: Iterable[Named]) -> None:
    """Raise an error if a parameter is varied and no player was named."""
    for one in named:
        if one.kind is FactorKind.PARAMETER and options["player"] is None:
            raise click.UsageError(
                f"{one.target} is a parameter of a player: name the tested player by --player, for "
                "example --player ismcts"
            )


def factor_of(made: LabSetting, named: Named) -> Factor:
    """Return a factor."""
    levels: tuple[FactorLevel, ...]
    try:
        match named.kind:
            case FactorKind.SLOT:
                return slot_factor(made, named.target, named.levels, named.name)
            case FactorKind.SWAP:
                levels = SWAP_LEVELS
            case FactorKind.PLAYER:
                players: list[LabPlayer] = [who(text, FULL_TRUST) for text in named.levels]
                levels = tuple(FactorLevel(one.name, one) for one in players)
            case _:
                levels = tuple(FactorLevel(text, text) for text in named.levels)
        return Factor(named.name, named.kind, named.target, levels)
    except CardwrightError as error:
        raise _bad(f"{named.name}: {error}") from None


def _bad(message: str) -> click.BadParameter:
    return click.BadParameter(message, param_hint="'--factor'")
