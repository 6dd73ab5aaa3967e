"""The modules of the client: what they import and export, and several of them in one script."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

IMPORTED = re.compile(
    r'(?P<before>\bfrom\s*|\bimport\s*(?P<later>\()?\s*)"(?P<path>\.{1,2}/[^"]+)"(?!\)\.[A-Z])'
)
"""What a module imports, at once or later; not the types that comments name."""

_UNLINKED = re.compile(r"\bimport\.meta\b|\bimport\s*\(\s*[`']|\bfrom\s*'")
_IMPORT = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"([^"]+)";', re.MULTILINE)
_EXPORT_FROM = re.compile(r'^export\s*(\*|\{[^}]*\})\s*from\s*"([^"]+)";', re.MULTILINE)
_EXPORT_DECLARED = re.compile(
    r"^export (?=(?:(?:async )?function\*?|class|const) ([A-Za-z_$][\w$]*))", re.MULTILINE
)
_EXPORT_LAST = re.compile(r"\bexport\s*\{([^}]*)\};?\s*\Z")
_REST = re.compile(
    r"^(?:import\b(?!\s*\()|[ \t]*export\b|await\b|(?:const|let) .*= await\b).*", re.MULTILINE
)
_LATER = re.compile(r'\bimport\s*\(\s*"([^"]+)"\s*\)(?!\.[A-Z])')


@dataclass(frozen=True)
class ClientModule:
    """A module, with the paths of what it imports at once and later."""

    path: str
    text: str
    imports: tuple[str, ...]
    later: tuple[str, ...]


def resolved(path: str, imported: str) -> str:
    """Return the path of what the module of a path imports."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), imported))


def modules(files: Mapping[str, bytes], roots: Iterable[str]) -> list[ClientModule]:
    """Return the modules that some need at once or later, with those, each after its imports.

    Raises ValueError for modules that import each other, at once or later, or that find others in a
    way that is not known here.
    """
    found: dict[str, ClientModule] = {}
    waiting = [*roots]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found[path] = module = _module(path, files[path].decode())
            waiting += module.imports + module.later
    graph = {path: module.imports + module.later for path, module in found.items()}
    try:
        return [found[path] for path in TopologicalSorter(graph).static_order()]
    except CycleError as error:
        raise ValueError(f"modules import each other: {' -> '.join(error.args[1])}") from None


def _module(path: str, text: str) -> ClientModule:
    if unlinked := _UNLINKED.search(text):
        raise ValueError(f"{path} has {unlinked[0]}: no module is found that way")
    found: tuple[dict[str, None], dict[str, None]] = {}, {}
    for imported in IMPORTED.finditer(text):
        found[imported["later"] is not None][resolved(path, imported["path"])] = None
    return ClientModule(path, text, tuple(found[0]), tuple(found[1]))


def name_of(path: str) -> str:
    """Return the name of a module in a script: that of `js/table/hand.js` is `js$table$hand`.

    No module has names of its own that begin so. Raises ValueError for a path that gives none.
    """
    name = path.removesuffix(".js").replace("/", "$")
    if not re.fullmatch(r"[a-z]+(\$\w+)+", name):
        raise ValueError(f"{path} can be no name in a script")
    return name


def script_of(parts: Collection[ClientModule], script: Callable[[str], str]) -> str:
    """Return modules as one, which exports each of them by its name.

    Each is a function that is called once, and gives what it exports; the text between is that of
    the module. `script` gives the address of the script that has the module of a path. Raises
    ValueError for what a module may not have here.
    """
    own = {module.path for module in parts}
    others: dict[str, list[str]] = {}
    for path in dict.fromkeys(path for module in parts for path in module.imports):
        if path not in own:
            others.setdefault(script(path), []).append(name_of(path))
    heads = [
        f'import {{ {", ".join(names)} }} from "{address}";\n' for address, names in others.items()
    ]
    return "".join(heads) + "".join(_function(module, script) for module in parts)


def _function(module: ClientModule, script: Callable[[str], str]) -> str:
    """Return a module as the constant of a script."""
    exports: list[str] = []

    def source(found: re.Match[str]) -> str:
        return name_of(resolved(module.path, found[2]))

    def imported(found: re.Match[str]) -> str:
        return f"const {{{found[1].replace(' as ', ': ')}}} = {source(found)};"

    def exported_from(found: re.Match[str]) -> str:
        name = source(found)
        names = found[1]
        exports.append(
            f"...{name}" if names == "*" else _renamed(names.strip("{}"), f"{{1}}: {name}.{{0}}")
        )
        return ""

    def declared(found: re.Match[str]) -> str:
        exports.append(found[1])
        return ""

    def last(found: re.Match[str]) -> str:
        exports.append(_renamed(found[1], "{1}: {0}"))
        return ""

    def later(found: re.Match[str]) -> str:
        path = resolved(module.path, found[1])
        return f'import("{script(path)}").then((all) => all.{name_of(path)})'

    text = _IMPORT.sub(imported, module.text)
    text = _EXPORT_FROM.sub(exported_from, text)
    text = _EXPORT_DECLARED.sub(declared, text)
    text = _EXPORT_LAST.sub(last, text)
    if rest := _REST.search(text):
        raise ValueError(f"{module.path} has `{rest[0]}`, which cannot be in a script with others")
    text = _LATER.sub(later, text)
    return (
        f"\n// {module.path}\nexport const {name_of(module.path)} = (() => {{\n"
        f"{text.rstrip()}\n\nreturn {{ {', '.join(exports)} }};\n}})();\n"
    )


def _renamed(names: str, form: str) -> str:
    """Return names as in `{ a, b as c }`, each with the form of what it is and what it becomes."""
    pairs = (name.split(" as ") for name in re.sub(r"\s+", " ", names).split(",") if name.strip())
    return ", ".join(form.format(pair[0].strip(), pair[-1].strip()) for pair in pairs)
