"""Writing TOML."""

from __future__ import annotations

import json
from typing import TypeAlias

LARGEST = 2**63 - 1
"""The largest integer of TOML."""

_BARE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")

Toml: TypeAlias = "str | bool | int | float | list[Toml] | dict[str, Toml]"


def toml_value(value: Toml) -> str:
    """Return a value on one line; tables are inline tables, in the order in which they are."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return repr(value)
        case str():
            return toml_string(value)
        case list():
            return f"[{', '.join(map(toml_value, value))}]"
    inner = ", ".join(f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items())
    return f"{{ {inner} }}" if inner else "{}"


def toml_string(text: str) -> str:
    """Return a basic string; what JSON writes is TOML except for one character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_paragraphs(text: str) -> str:
    """Return a string over several lines, whose lines end where those of the text do."""
    lines = "\n".join(toml_string(line)[1:-1] for line in text.split("\n"))
    return f'"""\n{lines}"""'


def toml_key(name: str) -> str:
    """Return a key, in quotes where it needs them."""
    return name if name and set(name) <= _BARE else toml_string(name)
