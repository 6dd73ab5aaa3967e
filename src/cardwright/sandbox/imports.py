"""Imports without files: what a program may import is loaded before its sandbox is sealed.

This file is self-contained and runs inside. Afterwards no file can be opened, yet modules are
imported at any time: by the program, and by what it calls, since NumPy, pandas and the standard
library import many modules when they need them. So modules written in Python are kept as code, of
which nothing runs until it is imported, and those in machine code are imported at once.
"""

from __future__ import annotations

import _frozen_importlib_external as external
import marshal
import os
import sys

TYPE_CHECKING = False  # importing `typing` takes half as long as starting Python does
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType
    from typing import Any

UNKEPT = frozenset({
    "__pycache__", "curses", "dbm", "ensurepip", "idlelib", "lib2to3", "pydoc_data",
    "site-packages", "sqlite3", "test", "tests", "tkinter", "turtledemo", "venv", "wsgiref",
    "xmlrpc",
})  # fmt: skip
"""Folders without modules that a program needs to compute."""

NATIVE = (
    "_bisect", "_blake2", "_bz2", "_contextvars", "_csv", "_ctypes", "_datetime", "_decimal",
    "_heapq", "_json", "_lzma", "_md5", "_opcode", "_pickle", "_posixsubprocess", "_queue",
    "_random", "_sha1", "_sha2", "_sha5", "_socket", "_struct", "array", "binascii", "cmath",
    "fcntl", "math", "mmap", "pyexpat", "select", "unicodedata", "zlib",
)  # fmt: skip
"""How the names of modules in machine code begin that the standard library may need."""

_HEAD = 16
"""Bytes of a compiled file before the code: which Python, how the source is known, and which."""

_NOW = external.MAGIC_NUMBER
_UNCHECKED = (1).to_bytes(4, "little")
_LOW = (1 << 32) - 1

_MOST = 1 << 16
"""Bytes read at once; nearly all files are shorter."""


def load(names: Sequence[str], packages: list[str]) -> None:
    """Import some modules, and keep what they may import later; from now on there is nothing else.

    `packages` are the folders of installed packages, the rest of `sys.path` is the standard
    library. With `zoneinfo`, time zones are kept. A module that cannot be imported is an error when
    the program imports it.
    """
    kept = _KeptModules()
    libraries = [folder for folder in sys.path if folder not in packages]
    for name in names:
        try:
            __import__(name)
        except Exception as error:  # whoever imports it later gets it
            kept.failed[name] = f"{type(error).__name__}: {error}"
    if names:
        try:
            for folder in libraries:
                kept.keep(folder, "", NATIVE)
            for name in {name.partition(".")[0] for name in sys.modules}:
                for folder in _folders(name, packages):
                    kept.keep(folder, f"{name}.", ("",) if name in names else ())
            if "zoneinfo" in names:
                _keep_zones()
        except MemoryError:
            kept.code.clear()  # what is loaded still works
            kept.complete = False
    finders: list[Any] = [one for one in sys.meta_path if one is not external.PathFinder]
    sys.meta_path[:] = [*finders, kept]
    sys.path_importer_cache.clear()


def _folders(name: str, packages: list[str]) -> list[str]:
    """Return the folders of an installed package that has been imported."""
    paths = list(getattr(sys.modules.get(name), "__path__", ()))
    return [path for path in paths if os.path.dirname(path) in packages]  # noqa: PTH120


class _KeptModules:
    """The last finder of modules: those that are kept, by name."""

    def __init__(self) -> None:
        self.code: dict[str, tuple[str, bool, bytes, bool]] = {}
        """The path of each, whether it is a package, and its code: compiled, or its text."""

        self.failed: dict[str, str] = {}
        self.complete = True
        """Whether memory sufficed."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:
        """Return the spec of a module, None if it is not kept."""
        del path, target
        if name in self.failed:
            raise ImportError(f"{name} could not be loaded ({self.failed[name]})", name=name)
        if not self.complete:
            raise ImportError(f"{name} could not be loaded (MemoryError)", name=name)
        if name not in self.code:
            return None
        file, package, data, compiled = self.code[name]
        return external.spec_from_file_location(
            name,
            file,
            loader=_Loader(name, file, data, compiled),
            submodule_search_locations=[os.path.dirname(file)] if package else None,  # noqa: PTH120
        )

    def keep(self, folder: str, above: str, native: tuple[str, ...]) -> None:
        """Keep the modules of a folder, whose names begin with `above`, and those below it.

        Modules in machine code are imported if their names begin with one of `native`.
        """
        try:
            with os.scandir(folder) as listed:
                entries = list(listed)
        except OSError:  # the archive of the library need not exist
            return
        if above and not any(entry.name == "__init__.py" for entry in entries):
            return
        for entry in entries:
            stem, dot, suffix = entry.name.partition(".")
            name = above + stem
            if suffix == "py":
                package = stem == "__init__"
                self._keep_module(entry, above[:-1] if package else name, package=package)
            elif dot:
                if f".{suffix}" in external.EXTENSION_SUFFIXES and stem.startswith(native):
                    _import(name)
            elif stem not in UNKEPT and entry.is_dir():
                self.keep(entry.path, f"{name}.", native)

    def _keep_module(self, entry: os.DirEntry[str], name: str, *, package: bool) -> None:
        if name in sys.modules:
            return
        data = _compiled(entry)
        if data is None:
            self.code[name] = entry.path, package, _content(entry.path), False
        else:
            self.code[name] = entry.path, package, data, True


class _Loader(external.SourceFileLoader):
    """A loader of one kept module."""

    def __init__(self, name: str, file: str, data: bytes, compiled: bool) -> None:
        super().__init__(name, file)
        self._data = data
        self._compiled = compiled

    def get_code(self, fullname: str) -> CodeType:
        """Return the module's code."""
        del fullname
        if self._compiled:
            code: CodeType = marshal.loads(memoryview(self._data)[_HEAD:])
            return code
        return self.source_to_code(self._data, self.path)


def _import(name: str) -> None:
    """Import a module in machine code, unless it is there for tests alone."""
    if name not in sys.modules and not name.endswith(("_test", "_tests", "_simd")):
        try:
            __import__(name)
        except Exception:  # it needs what is not there, or is not allowed
            sys.modules.pop(name, None)


def _compiled(entry: os.DirEntry[str]) -> bytes | None:
    """Return the compiled file of a module, None if there is none for this Python and source."""
    folder, _, name = entry.path.rpartition("/")
    try:
        data = _content(f"{folder}/__pycache__/{name[:-2]}{sys.implementation.cache_tag}.pyc")
    except OSError:
        return None
    info = entry.stat()
    source = (int(info.st_mtime) & _LOW).to_bytes(4, "little")
    source += (info.st_size & _LOW).to_bytes(4, "little")
    right = data[:8] == _NOW + bytes(4) and data[8:_HEAD] == source
    return data if right or data[:8] == _NOW + _UNCHECKED else None


def _content(path: str) -> bytes:
    file = os.open(path, os.O_RDONLY)
    try:
        data = part = os.read(file, _MOST)
        while len(part) == _MOST:
            part = os.read(file, _MOST)
            data += part
        return data
    finally:
        os.close(file)


def _folders_of_zones() -> list[str]:
    """Return where the package of time zones has them, if it is installed."""
    try:
        import tzdata  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        return []
    return [f"{folder}/zoneinfo" for folder in tzdata.__path__]


def _keep_zones() -> None:
    """Keep the time zones, which are files."""
    import io
    import zoneinfo
    from contextlib import suppress

    zones: dict[str, bytes] = {}

    def keep(folder: str, above: str) -> None:
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                key = above + entry.name
                if entry.is_dir():
                    if key not in {"posix", "right"}:
                        keep(entry.path, f"{key}/")
                elif "." not in key and key not in zones:
                    with suppress(OSError):  # a link to the zone of this machine, which is hidden
                        zones[key] = _content(entry.path)

    for folder in (*zoneinfo.TZPATH, *_folders_of_zones()):
        keep(folder, "")

    def load_tzdata(key: str) -> io.BytesIO:
        if not zones.get(key, b"").startswith(b"TZif"):
            raise zoneinfo.ZoneInfoNotFoundError(f"No time zone found with key {key}")
        return io.BytesIO(zones[key])

    sys.modules["zoneinfo._common"].load_tzdata = load_tzdata  # type: ignore[attr-defined]
