"""Extras: optional libraries that are not installed with Cardwright by default."""

from __future__ import annotations

import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.english import listed
from cardwright.game.errors import CardwrightError

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd
    import polars as pl

_CLONE = Path(__file__).resolve().parents[2]
"""The folder of the clone, if the package is in one."""

EXTRAS: dict[str, dict[str, str]] = {
    "arena": {
        "polars": "polars", "matplotlib": "matplotlib", "openskill": "openskill",
        "jinja2": "jinja2",
    },
    "cluster": {"distributed": "distributed"},
    "editor": {"pygls": "pygls"},
    "envs": {"gymnasium": "gymnasium", "pettingzoo": "pettingzoo"},
    "evolve": {"pymoo": "pymoo"},
    "notebooks": {
        "jupytext": "jupytext", "ipykernel": "ipykernel", "nbclient": "nbclient",
        "nbconvert": "nbconvert",
    },
    "openspiel": {"pyspiel": "open-spiel"},
    "pandas": {"pandas": "pandas", "pyarrow": "pyarrow"},
    "play": {"textual": "textual"},
    "sb3": {"stable_baselines3": "stable-baselines3", "sb3_contrib": "sb3-contrib"},
    "solve": {"scipy": "scipy"},
    "wasm": {"wasmtime": "wasmtime"},
    "web": {
        "starlette": "starlette", "uvicorn": "uvicorn", "sse_starlette": "sse-starlette",
        "lsprotocol": "lsprotocol",
    },
}  # fmt: skip
"""The libraries of each extra: the module that is imported, and the name that pip knows."""

_OWN = {"numpy": "NumPy"}
"""What is installed with Cardwright itself, and yet not where a page runs it."""

_INCLUDED = {"evolve": "arena", "sb3": "envs"}
"""An extra, and another that it has all of."""


class MissingExtraError(CardwrightError):
    """Libraries that are needed are not installed; the message says how to install them."""


def advice(*extras: str, several: bool = False) -> str:
    """Return the line that installs the libraries of extras, in this installation.

    That is the script of a clone, in the environment that it made, and pip otherwise. `several`
    libraries are "them". A page can install nothing; without extras it is Cardwright itself.
    """
    if sys.platform == "emscripten":
        return "run this where Cardwright is installed, not in a page"
    script = _CLONE / "scripts" / "setup"
    what = "them" if several else "it"
    if Path(sys.prefix).resolve() == _CLONE / ".venv" and script.is_file():
        return f"install {what} with: {' '.join(['sh', shlex.quote(str(script)), *extras])}"
    which = f'"cardwright[{",".join(extras)}]"' if extras else "cardwright"
    return f"install {what} with: pip install {which}"


def absent(*modules: str) -> tuple[str, ...]:
    """Return which modules of these are not installed; nothing is loaded."""
    return tuple(name for name in modules if find_spec(name) is None)


def missing(*modules: str) -> MissingExtraError:
    """Return the error that names missing libraries, and the one line that installs them all."""
    by_extra = [
        (extra, has[name]) for name in modules for extra, has in EXTRAS.items() if name in has
    ]
    extras = {extra for extra, _ in by_extra}
    extras -= {_INCLUDED[extra] for extra in extras if extra in _INCLUDED}
    several = len(modules) > 1
    own = [_OWN[name] for name in modules if name in _OWN]
    names = listed([*own, *(library for _, library in by_extra)])
    return MissingExtraError(
        f"this needs {names}, which {'are' if several else 'is'} not installed; "
        f"{advice(*sorted(extras), several=several)}"
    )


def lacking(name: str, error: ModuleNotFoundError) -> Exception:
    """Return what is raised where a public name needs a module that is not there."""
    module = error.name or ""
    if module in _OWN:
        return missing(module)
    if sys.platform == "emscripten" and module.startswith("cardwright."):
        return MissingExtraError(f"{name} is not part of this page; {advice()}")
    return error


def need(*modules: str) -> None:
    """Raise MissingExtraError if one of these is missing: before hours of play, not after.

    The error names all that are. Nothing is loaded.
    """
    gone = absent(*modules)
    if gone:
        raise missing(*gone)


def in_pandas(frame: Callable[[], pl.DataFrame]) -> pd.DataFrame:
    """Return a frame of polars, which is made here, as one of pandas.

    Raises MissingExtraError, which names all libraries that are missing.
    """
    need("polars", "pandas", "pyarrow")
    return frame().to_pandas()
