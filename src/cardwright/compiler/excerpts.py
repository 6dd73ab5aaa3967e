"""The parts of LLVM's text and of assembly that belong to single functions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_LLVM = re.compile(r'^define [^@\n]*@(?:"([^"\n]*)"|([^"(\n]*))\(.*?^}$', re.MULTILINE | re.DOTALL)
_LABEL = re.compile(r'^(?:"([^"\n]+)"|([\w.$]+)):', re.MULTILINE)
_TYPE = re.compile(r'^\t\.type\t(?:"([^"\n]+)"|([\w.$]+)),@function$', re.MULTILINE)


def llvm_functions(text: str) -> Mapping[str, str]:
    """Return the definitions of functions in LLVM's text, by name."""
    return {found[1] or found[2]: found[0] for found in _LLVM.finditer(text)}


def assembly_functions(text: str) -> Mapping[str, str]:
    """Return the code of functions in assembly, by name: from a function's label to its end."""
    names = {found[1] or found[2] for found in _TYPE.finditer(text)}
    found = {}
    for label in _LABEL.finditer(text):
        name = label[1] or label[2]
        if name in names:
            end = text.find("\n.Lfunc_end", label.start())
            found[name] = text[label.start() : end if end >= 0 else len(text)]
    return found
