"""The studio's editor: modules made of pinned versions, as its folder says."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MADE_FROM = ROOT / "editors" / "browser"
VENDORED = ROOT / "src" / "cardwright" / "web" / "static" / "vendor" / "codemirror"
MODULES = sorted(VENDORED.glob("*.js"))


def locked() -> dict[str, str]:
    """Return the versions of all packages that npm installs to make the module."""
    lock = json.loads((MADE_FROM / "package-lock.json").read_text())
    return {
        path.removeprefix("node_modules/"): entry["version"]
        for path, entry in lock["packages"].items()
        if path
    }


def stated() -> dict[str, str]:
    """Return the versions that the first line of each module names."""
    heads = {path.read_text(encoding="utf-8").split("\n", 1)[0] for path in MODULES}
    (head,) = heads
    return dict(one.split(" ") for one in head.removeprefix("/*! ").split(";")[0].split(", "))


def test_what_is_there_is_what_was_made() -> None:
    lines = (MADE_FROM / "SHA256SUMS").read_text().splitlines()
    for line in lines:
        digest, path = line.split("  ")
        assert hashlib.sha256((ROOT / path).read_bytes()).hexdigest() == digest, path
    assert len(lines) == len(list(VENDORED.iterdir()))


def test_it_is_made_of_the_versions_that_are_pinned() -> None:
    """A version that changes without the module is noticed, and so is a range."""
    assert stated().items() <= locked().items()
    package = json.loads((MADE_FROM / "package.json").read_text())
    for name, version in {**package["dependencies"], **package["devDependencies"]}.items():
        assert locked()[name] == version


def test_every_licence_is_there() -> None:
    text = (VENDORED / "LICENSE").read_text()
    for name, version in stated().items():
        assert f"{name} {version}\n" in text
    assert text.count("Permission is hereby granted") == len(stated())


@pytest.mark.parametrize("word", ["eval(", "new Function(", "innerHTML", "import("])
def test_it_keeps_to_a_strict_policy(word: str) -> None:
    """Nothing in it makes code or markup of text."""
    for path in MODULES:
        assert word not in path.read_text(encoding="utf-8"), path.name
