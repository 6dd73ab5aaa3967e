"""What tests need of a machine besides Python: without it they are skipped, or fail under CI.

A run of continuous integration that lacks a package would be green and prove less than it seems to.
What a package cannot mend is another matter, such as a kernel that refuses namespaces: that is a
skip everywhere, with its reason.
"""

from __future__ import annotations

import os
import shutil
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

import pytest

if TYPE_CHECKING:
    from types import ModuleType


def lacking(what: str) -> NoReturn:
    """Skip a test, or a whole module, for want of a package; fail under continuous integration."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what}, and continuous integration has to have it", pytrace=False)
    pytest.skip(what, allow_module_level=True)


def module(name: str) -> ModuleType:
    """Return a module of a package that tests alone need."""
    try:
        return import_module(name)
    except ImportError:
        lacking(f"{name} is not installed")


def program(name: str) -> str:
    """Return the path of a program."""
    return shutil.which(name) or lacking(f"{name} is not installed")
