"""Extensions: functions that are compiled on demand, with the rules of a program that they call."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True)
class Extension:
    """Some modules of kernels, and the parameters of the functions that they export.

    `modules` are names: they are imported only to compile. Each lists its kernels in `EXPORTED`,
    among them those that other modules know only by name, such as `policy`. `brief` ones are
    compiled with the least effort; `whole` ones play games from the beginning, so that what goes on
    from elsewhere is; those that are `seen` report every event to the kernels of `sightings`. In
    those `by_hand` the kernels of `by_hand` draw.
    """

    name: str
    modules: tuple[str, ...]
    signatures: Mapping[str, tuple[Any, ...]]
    brief: bool = False
    whole: bool = False
    seen: bool = False
    by_hand: bool = False

    def kernels(self) -> tuple[Callable[..., Any], ...]:
        """Return the kernels to compile."""
        return tuple(kernel for name in self.modules for kernel in import_module(name).EXPORTED)
