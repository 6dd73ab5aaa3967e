"""Hierarchy files: TOML, with a list of selectors under the name of each situation.

A list is written as an array, or as a table with settings: `first = { select = ["lowest"], tie =
"random" }`. `mode` and `tie` at the top level are the defaults of all lists.
"""

from __future__ import annotations

import json
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright.hearts.hierarchy import Hierarchy, Order, order
from cardwright.hearts.step import HierarchyError, parse_step
from cardwright.syntax.data_files import parse_toml, read_text
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable

DEFAULT = "default"
"""The hierarchy that comes with Cardwright and is used by default."""

_SHIPPED = Path(__file__).parent / "hierarchies"
_SLOTS = (
    *("pass", "first", "second", "third", "fourth"),
    *("discard", "discard_second", "discard_third", "discard_fourth"),
)
_FOR_ALL = ("mode", "tie")
_LONGEST = 1_000_000


def shipped() -> tuple[str, ...]:
    """Return the names of the hierarchies that come with Cardwright."""
    return tuple(sorted(file.stem for file in _SHIPPED.glob("*.toml")))


class NoHierarchyError(HierarchyError):
    """There is no such file."""

    wrong_call = True


def load_hierarchy(name: str | Path) -> Hierarchy:
    """Return the hierarchy of a file, or one that comes with Cardwright, by its name.

    Raises HierarchyError, which names the file and what is wrong in it.
    """
    path = Path(name)
    if path.suffix != ".toml" and (_SHIPPED / f"{name}.toml").is_file():
        path = _SHIPPED / f"{name}.toml"
    try:
        facts = path.stat()
        if facts.st_size > _LONGEST:
            raise HierarchyError(f"{path} is too long for a hierarchy")
        return _read(path, facts.st_mtime_ns, facts.st_size)
    except FileNotFoundError:
        names = shipped()
        advice = did_you_mean(str(name), names) or f"or write {' or '.join(names)}"
        raise NoHierarchyError(
            f"there is no file {path}; give the path of a hierarchy; {advice}"
        ) from None
    except OSError as error:
        raise HierarchyError(f"{path} cannot be read: {error.strerror}") from None


@lru_cache(maxsize=64)
def _read(path: Path, _changed: int, _size: int) -> Hierarchy:
    """Read a file; the result is cached until the file changes."""
    try:
        text = read_text(path, _LONGEST)
    except UnicodeDecodeError:
        raise HierarchyError(f"{path} is not UTF-8 text") from None
    return parse_hierarchy(text, path.name)


def parse_hierarchy(text: str, file: str = "hierarchy") -> Hierarchy:
    """Return the hierarchy of a TOML text; raises HierarchyError, which begins with `file`."""
    try:
        content = parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise HierarchyError(f"{file} is not TOML: {error}") from None
    _check_keys(file, "", content, (*_SLOTS, *_FOR_ALL, "about"))
    shared = {key: content[key] for key in _FOR_ALL if key in content}
    _order(file, "", {"select": [], **shared})  # reports a wrong mode or tie at the top level
    slots = {key: _order(file, key, content[key], shared) for key in _SLOTS if key in content}
    if not slots:
        raise HierarchyError(f"{file} has no list of selectors; the lists are {', '.join(_SLOTS)}")
    return Hierarchy(**{"pass_" if key == "pass" else key: slots[key] for key in slots})


def format_hierarchy(hierarchy: Hierarchy) -> str:
    """Return a hierarchy as a TOML text, from which `parse_hierarchy` makes the same again.

    Raises HierarchyError for one without any list, which no file can be.
    """
    listed = [(slot, getattr(hierarchy, "pass_" if slot == "pass" else slot)) for slot in _SLOTS]
    lines = [f"{slot} = {_table(one)}\n" for slot, one in listed if one is not None]
    if not lines:
        raise HierarchyError("a hierarchy without any list of selectors cannot be written down")
    return "".join(lines)


def _table(listed: Order) -> str:
    """Return a list of selectors as a table of TOML; texts of JSON are texts of TOML too."""
    steps = ", ".join(json.dumps(str(step), ensure_ascii=False) for step in listed.steps)
    return f'{{ select = [{steps}], mode = "{listed.mode}", tie = "{listed.tie}" }}'


def _order(file: str, key: str, value: Any, shared: dict[str, Any] | None = None) -> Order:
    """Return the list of selectors written under a key."""
    table = value if isinstance(value, dict) else {"select": value}
    _check_keys(file, key, table, ("select", *_FOR_ALL))
    ways = {**(shared or {}), **{name: table[name] for name in _FOR_ALL if name in table}}
    steps = table.get("select")
    where = f"{key}.select" if isinstance(value, dict) else key
    if not isinstance(steps, list):
        raise HierarchyError(
            f'{file}: {where} is not a list of selectors, such as ["duck", "lowest"]'
        )
    for name, way in ways.items():
        if not isinstance(way, str):
            raise HierarchyError(f"{file}: {_inner(key, name)} is not a string")
    for at, step in enumerate(steps, 1):
        if not isinstance(step, str):
            raise HierarchyError(f"{file}: {where}, item {at} is not a string: {step!r}")
        try:
            parse_step(step)
        except HierarchyError as error:
            raise HierarchyError(f"{file}: {where}, item {at}: {error}") from None
    try:
        return order(*steps, **ways)
    except HierarchyError as error:
        raise HierarchyError(f"{file}: {_inner(key, '')}{error}") from None


def _inner(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _check_keys(file: str, key: str, table: dict[str, Any], known: Iterable[str]) -> None:
    for name in table:
        if name not in known:
            advice = did_you_mean(name, known) or f"write one of {', '.join(known)}"
            raise HierarchyError(f"{file}: there is no {_inner(key, name)}; {advice}")
