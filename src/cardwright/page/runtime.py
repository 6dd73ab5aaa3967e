"""What a page runs on: Pyodide and the packages that have to be beside it, of fixed versions."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import urllib.request
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.compiler.cache import default_folder
from cardwright.game.errors import CardwrightError
from cardwright.jobs.files import write_whole
from cardwright.syntax.data_files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Progress = Callable[[int], None]

PATIENCE = 60.0
"""Seconds in which an index has to say something."""

_PART = 1 << 16


class RuntimeFilesError(CardwrightError):
    """Files that a page runs on cannot be had; the message says which, and what to do."""


@dataclass(frozen=True)
class Download:
    """A file of a package index: its address, its size in bytes and the digest of its content."""

    address: str
    bytes: int
    sha256: str

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.address.rpartition("/")[2]


_PYPI = "https://files.pythonhosted.org/packages"
PYODIDE = Download(
    "https://registry.npmjs.org/pyodide/-/pyodide-314.0.7.tgz",
    6_488_647,
    "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0",
)
PACKAGES = (
    Download(
        f"{_PYPI}/75/5d/c0e6bdb81a87f6bd56a663a330c271af7670490c80d8d635d9fa21ad1adf/"
        "msgspec-0.22.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
        136_814,
        "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022",
    ),
)
"""What the table needs."""

STUDIO_PACKAGES = (
    Download(
        f"{_PYPI}/64/b4/17d4b0b2a2dc85a6df63d1157e028ed19f90d4cd97c36717afef2bc2f395/"
        "attrs-26.1.0-py3-none-any.whl",
        67_548,
        "c647aa4a12dfbad9333ca4e71fe62ddc36f4e63b2d260a37a8b83d2f043ac309",
    ),
    Download(
        f"{_PYPI}/e8/cf/22794a399d99480486120e26e879ef008e21f5e85274c2ed591d568bb326/"
        "cattrs-26.2.1-py3-none-any.whl",
        74_843,
        "a12aaa3453dc8f633a815293179f08b7421ed18d2575c459c3c736f840beac24",
    ),
    Download(
        f"{_PYPI}/7b/f0/92f2d609d6642b5f30cb50a885d2bf1483301c69d5786286500d15651ef2/"
        "lsprotocol-2025.0.0-py3-none-any.whl",
        76_250,
        "f9d78f25221f2a60eaa4a96d3b4ffae011b107537facee61d3da3313880995c7",
    ),
)
"""What the studio needs besides."""

CONSOLE_PACKAGES = (
    Download(
        f"{_PYPI}/31/7d/164b7ffc8624fe9efb4221bf9af485d5c1e41b9ae118045d2b6dc5457d8b/"
        "click-8.5.1-py3-none-any.whl",
        126_163,
        "8bb5376d2006950386f8c6427613334a2acadc5f559cb80e638d00b4df957e37",
    ),
    Download(
        f"{_PYPI}/82/3b/64d4899d73f91ba49a8c18a8ff3f0ea8f1c1d75481760df8c68ef5235bf5/"
        "rich-15.0.0-py3-none-any.whl",
        310_654,
        "33bd4ef74232fb73fe9279a257718407f169c09b78a87ad3d296f548e27de0bb",
    ),
)
"""What the console needs besides."""

_LIBRARY = "python_stdlib.zip"
_LOCK = "pyodide-lock.json"
_PYODIDE_FILES = "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", _LIBRARY, _LOCK

LEFT_OUT = frozenset({
    "__hello__", "__phello__", "_android_support", "_apple_support", "_ios_support", "_pydatetime",
    "_pyio", "antigravity", "asyncio.__main__", "asyncio.proactor_events", "asyncio.tools",
    "asyncio.windows_events", "asyncio.windows_utils", "bdb", "cProfile", "cmd", "colorsys",
    "compileall", "concurrent.futures.process", "concurrent.interpreters", "ctypes._aix",
    "ctypes.macholib", "ctypes.wintypes", "doctest", "filecmp", "fileinput", "ftplib", "getpass",
    "http.client", "http.cookiejar", "http.cookies", "http.server", "imaplib",
    "importlib._bootstrap", "importlib._bootstrap_external", "logging.config", "logging.handlers",
    "mailbox", "modulefinder", "multiprocessing", "netrc", "nturl2path", "optparse", "pdb",
    "pickletools", "plistlib", "poplib", "profile", "pstats", "pty", "py_compile", "pyclbr",
    "sched", "shelve", "smtplib", "socketserver", "sqlite3", "sre_compile", "sre_constants",
    "sre_parse", "symtable", "sysconfig.__main__", "tabnanny", "tarfile", "trace", "unittest",
    "urllib.request", "urllib.robotparser", "wave", "webbrowser", "wsgiref", "xml.dom", "xml.etree",
    "xmlrpc", "zipapp", "zipimport",
})  # fmt: skip
"""Modules of Python's library, and packages as a whole, that no page can use, or nobody would."""

KEPT = {
    "_pyrepl": frozenset({"__init__", "pager", "trace", "types"}),  # for `help`
    "encodings": frozenset({
        "__init__", "aliases", "ascii", "base64_codec", "charmap", "cp1252", "cp437", "hex_codec",
        "idna", "iso8859_15", "latin_1", "punycode", "raw_unicode_escape", "undefined",
        "unicode_escape", "utf_16", "utf_16_be", "utf_16_le", "utf_32", "utf_8", "utf_8_sig",
    }),
}  # fmt: skip
"""All that stays of some packages."""


def kept_folder() -> Path | None:
    """Return the folder that keeps what pages are made of; None if nothing is to be kept."""
    folder = default_folder()
    return None if folder is None else folder.parent / "page"


def fetched(download: Download, progress: Progress = lambda _: None) -> bytes:
    """Return the content of a file, from the cache if it has been fetched before.

    `progress` is told how many more bytes have come. Raises RuntimeFilesError.
    """
    folder = kept_folder()
    kept = None if folder is None else folder / download.name
    if kept is not None and (content := _kept(kept, download)) is not None:
        return content
    content = _content(download, progress)
    if hashlib.sha256(content).hexdigest() != download.sha256:
        raise RuntimeFilesError(
            f"{download.address} is another file than it was when this Cardwright was made: fetch "
            f"it from elsewhere, and put it at {kept}"
        )
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_whole(kept, content)
    return content


def _kept(file: Path, download: Download) -> bytes | None:
    try:
        content = read_bytes(file, download.bytes)
    except OSError:
        return None
    return content if hashlib.sha256(content).hexdigest() == download.sha256 else None


def _content(download: Download, progress: Progress) -> bytes:
    content = bytearray()
    try:
        with urllib.request.urlopen(download.address, timeout=PATIENCE) as answer:
            while part := answer.read(_PART):
                content += part
                progress(len(part))
                if len(content) > download.bytes:
                    break
    except OSError as error:
        raise RuntimeFilesError(
            f"{download.address} cannot be fetched ({error}): a page needs it; try again where the "
            "network can be reached"
        ) from None
    return bytes(content)


def pyodide_files(progress: Progress = lambda _: None) -> dict[str, bytes]:
    """Return the files of Pyodide, by name; raises RuntimeFilesError."""
    with tarfile.open(fileobj=io.BytesIO(fetched(PYODIDE, progress)), mode="r:gz") as archive:
        files = {}
        for name in _PYODIDE_FILES:
            file = archive.extractfile(f"package/{name}")
            assert file is not None
            files[name] = file.read()
    packages = {**json.loads(files[_LOCK]), "packages": {}}  # as none is loaded from elsewhere
    return {**files, _LOCK: json.dumps(packages).encode()}


def library_files(pyodide: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files of Python's library that a page can use, taken out of those of Pyodide."""
    with zipfile.ZipFile(io.BytesIO(pyodide.pop(_LIBRARY))) as library:
        files = (name for name in library.namelist() if not name.endswith("/"))
        return {name: library.read(name) for name in files if not left_out(name)}


def left_out(file: str) -> bool:
    """Return whether a file of Python's library is none of a page's."""
    *packages, name = file.removesuffix(".py").split("/")
    if packages in (["encodings"], ["_pyrepl"]):
        return name not in KEPT[packages[0]]
    return any(".".join([*packages, name][:parts]) in LEFT_OUT for parts in (1, 2, 3))
