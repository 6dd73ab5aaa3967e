"""Places in TOML texts: what stands at the place of a value is the value."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.authoring.settings_check import TomlPlaces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.game.settings import TomlPath

TEXT = '''\
# [not.a.table] "x" = 1
title = "a # b" # a comment
dotted.key.'quoted part' = 'c:\\path'
numbers = [ 1, 2.5,
  # between
  [3, [4]], { a = 5, "b c" = [6] }, ]
when = 1979-05-27 07:32:00
long = """
  "quotes" \\"""
  end"""
[table."a.b"]
x = true
[[list]]
n = 1
[list.inner]
deep = """"one quote at each end""""
[[list]]
n = 2
empty = {}
none = []
[[list.sub]]
s = \'\'\'it's\'\'\'
'''


def leaves(value: Any, path: TomlPath = ()) -> Iterator[tuple[TomlPath, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from leaves(inner, (*path, number))
    else:
        yield path, value


@pytest.mark.parametrize(("path", "value"), [*leaves(tomllib.loads(TEXT))])
def test_the_place_of_a_value_holds_the_value(path: TomlPath, value: Any) -> None:
    span = TomlPlaces(TEXT).values[path]
    assert tomllib.loads(f"x = {TEXT[span.start : span.end]}") == {"x": value}


def test_what_has_no_place_of_its_own_has_that_around_it() -> None:
    places = TomlPlaces(TEXT)
    assert TEXT[slice(*_pair(places, ("list", 1, "missing")))] == "[[list]]"
    assert TEXT[slice(*_pair(places, ("dotted", "key", "other")))] == "key"
    assert _pair(places, ("nothing",)) == (0, 0)


def test_keys_have_places() -> None:
    places = TomlPlaces(TEXT)
    span = places.key(("numbers", 3, "b c"))
    assert TEXT[span.start : span.end] == '"b c"'
    span = places.key(("dotted", "key", "quoted part"))
    assert TEXT[span.start : span.end] == "'quoted part'"


def _pair(places: TomlPlaces, path: TomlPath) -> tuple[int, int]:
    span = places.place(path)
    return span.start, span.end
