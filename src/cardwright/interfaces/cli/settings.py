"""Options made from a class of settings: their names, types, defaults, limits and help."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args, get_origin

import click

from cardwright.interfaces.cli.parameters import parse_seed, reading
from cardwright.interfaces.cli.vocabulary import folder, said, seconds
from cardwright.jobs.settings import settings_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.shell_completion import CompletionItem

    from cardwright.interfaces.cli.parameters import Command
    from cardwright.jobs.settings import RunSetting

    Complete: TypeAlias = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def settings_options(kind: type[Any], **complete: Complete) -> Callable[[Command], Command]:
    """Give a command an option for each setting of a class, by the name of the setting.

    `complete` has what completes the values of some in shells.
    """

    def add(command: Command) -> Command:
        for name, (type_, setting) in reversed(settings_of(kind).items()):
            command = _option(name, type_, setting, complete.get(name))(command)
        return command

    return add


def chosen_settings(kind: type[Any], options: dict[str, Any]) -> Any:
    """Return the settings among the options of a call."""
    return {name: options[name] for name in settings_of(kind)}


def _option(
    name: str, type_: Any, setting: RunSetting, complete: Complete | None
) -> Callable[[Command], Command]:
    """Return the decorator for an option."""
    types = [one for one in get_args(type_) if one is not NoneType] or [type_]
    short = setting.option.endswith("-ms")
    default = setting.default * 1000 if short and setting.default else setting.default
    if isinstance(default, float) and default.is_integer():
        default = int(default)  # as people write it
    usual = f"[default: {setting.usual}]" if setting.usual else ""
    looks: dict[str, Any] = {
        "help": said(setting.help, usual),
        "default": default,
        "show_default": setting.default is not None,
        "metavar": setting.metavar,
        "shell_complete": complete,
    }
    if get_origin(type_) is Iterable:
        looks |= {"multiple": True, "show_default": False}
    if name == "seed":
        looks |= {"metavar": "SEED", "callback": reading(parse_seed)}
    elif setting.read is not None:
        looks["callback"] = reading(setting.read)
    elif setting.choices or get_origin(type_) is Literal:
        looks["type"] = click.Choice(setting.choices or get_args(type_))
    elif type_ is bool:
        looks |= {"is_flag": True, "show_default": False}
    elif int in types:
        looks["type"] = click.IntRange(setting.least, setting.most)
    elif float in types:
        low = setting.least if setting.above is None else setting.above
        looks["type"] = click.FloatRange(low, setting.most, min_open=setting.above is not None)
        looks |= {"callback": seconds} if short else {}
    elif Path in types:
        looks["type"] = folder()
    return click.option(setting.option or f"--{name.replace('_', '-')}", name, **looks)
