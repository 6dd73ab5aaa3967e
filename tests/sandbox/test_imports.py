"""What a sandboxed program can import, when no file can be opened any more."""

from __future__ import annotations

import importlib.util
import py_compile
import sys
from pathlib import Path

import pytest

import needed
from cardwright.sandbox import imports
from cardwright.sandbox.errors import GoneError
from cardwright.sandbox.limits import SandboxLevel, SandboxLimits
from cardwright.sandbox.sandbox import Sandbox

TRY = b"""
def serve(payload):
    scope = {}
    def answer(request):
        try:
            exec(request, scope)
        except BaseException as error:
            return f"{type(error).__name__}: {error}".encode()
        return repr(scope.get("result")).encode()
    return answer
"""

NUMPY = {
    "import numpy.ma\nresult = int(numpy.ma.array([1, 2], mask=[0, 1]).sum())": b"1",
    "from numpy import fft\nresult = float(abs(fft.fft([1, 1]))[0])": b"2.0",
    "import numpy.polynomial as p\nresult = float(p.Polynomial([1, 2])(3))": b"7.0",
    "import numpy.random\nresult = numpy.random.default_rng(1).random() < 1": b"True",
    "import numpy.testing\nresult = numpy.testing.assert_allclose(1, 1)": b"None",
    "import io, numpy\nfile = io.BytesIO()\nnumpy.savez_compressed(file, a=[1])\nfile.seek(0)\n"
    "result = int(numpy.load(file)['a'][0])": b"1",
    "import io, numpy\nresult = float(numpy.loadtxt(io.StringIO('1 2')).sum())": b"3.0",
    "import decimal, statistics\nresult = statistics.mean([decimal.Decimal(1)])": b"Decimal('1')",
    "result = '\\N{EURO SIGN}'.encode('cp1250')": b"b'\\x80'",
}

PANDAS = {
    "import io, pandas\nresult = int(pandas.read_csv(io.StringIO('a,b\\n1,2')).b[0])": b"2",
    "import io, pandas\nresult = int(pandas.read_csv(io.BytesIO(b'a;b\\n1;2'), sep=None,"
    " engine='python').b[0])": b"2",
    "import pandas\nresult = str(pandas.DataFrame({'a': [1.5]})).split()": b"['a', '0', '1.5']",
    "import pandas\nresult = pandas.DataFrame({'a': [1]}).to_json()": b"'{\"a\":{\"0\":1}}'",
    "import pandas\nresult = pandas.DataFrame({'a': [1]}).to_csv()": b"',a\\n0,1\\n'",
    "import pandas\nresult = int(pandas.eval('1 + 1', engine='python'))": b"2",
    "from pandas.api import types\nresult = types.is_integer_dtype('int8')": b"True",
    "import pandas\ntable = pandas.DataFrame({'a': [1, 1, 2], 'b': [3, 4, 5]})\n"
    "result = table.pivot_table('b', 'a', aggfunc='sum').b.tolist()": b"[7, 5]",
    "import pandas\nresult = pandas.Timestamp('2020-07-01', tz='Asia/Tokyo').utcoffset().seconds":
    b"32400",
    "import pandas\npandas.Timestamp('2020-07-01', tz='Nowhere')":
    b"ZoneInfoNotFoundError: 'No time zone found with key Nowhere'",
    "import pandas\nresult = pandas.to_datetime('3 July 2020').day": b"3",
    "import pandas\npandas.read_csv('/etc/passwd')":
    b"PermissionError: [Errno 1] Operation not permitted: '/etc/passwd'",
}  # fmt: skip


@pytest.mark.parametrize("names", [("numpy",), ("numpy", "pandas", "zoneinfo")], ids=len)
def test_modules_are_imported_when_they_are_needed(
    names: tuple[str, ...], strong: SandboxLevel
) -> None:
    """Submodules, what they import inside functions, and the modules of the language itself."""
    if "pandas" in names:
        needed.module("pandas")
    programs = NUMPY if len(names) == 1 else NUMPY | PANDAS
    with Sandbox(TRY, b"", strong, imports=names) as sandbox:
        said = {program: sandbox.ask(program.encode(), 60.0) for program in programs}
    assert said == programs


ALL = """
import importlib, json, warnings
warnings.simplefilter("ignore")
result = []
for name in {names!r}:
    try:
        importlib.import_module(name)
        result.append([name, ""])
    except ImportError as error:
        result.append([name, type(error).__name__])
    except Exception as error:
        result.append([name, "failed"])
"""


OTHERS = (
    "distutils", "f2py._backends", "_examples", "numpy.doc", "_numba", "formats.style",
    "plotting._matplotlib", "_test_decorators",
)  # fmt: skip
"""Parts of the names of modules that build extensions, are examples, or need further packages."""


def submodules(package: str) -> list[str]:
    """Return the names of the modules of a package that is installed, but for those for tests."""
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent
    files = [path.relative_to(folder.parent) for path in folder.rglob("*.py")]
    unused = {"tests", "conftest.py", "__main__.py", "setup.py"}
    names = {
        ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        for path in files
        if not unused.intersection(path.parts) and all(map(str.isidentifier, path.parts[:-1]))
    }
    return sorted(name for name in names if not any(other in name for other in OTHERS))


@pytest.mark.slow
@pytest.mark.parametrize("package", ["numpy", pytest.param("pandas", marks=pytest.mark.deep)])
def test_every_submodule_can_be_imported_that_could_be_before(
    package: str, strong: SandboxLevel
) -> None:
    """What a sandbox with files can import, as a whole package, one without files can."""
    needed.module(package)
    program = ALL.format(names=submodules(package)).encode()
    limits = SandboxLimits(memory=2 << 30)
    said = []
    for level in (SandboxLevel.LIMITS, strong):
        imported = ("importlib", "json", "warnings", "numpy", package)
        with Sandbox(TRY, b"", level, limits, imports=imported) as sandbox:
            said.append(sandbox.ask(program, 300.0))
    assert said[1] == said[0]
    assert said[0].count(b"''") > 100


def test_nothing_else_can_be_imported(strong: SandboxLevel) -> None:
    """Neither what was not asked for, nor by looking at files, and an error says which."""
    with Sandbox(TRY, b"", strong) as sandbox:
        assert sandbox.ask(b"import sys, os, time\nresult = os.sep", 9.0) == b"'/'"
        said = sandbox.ask(b"import numpy", 9.0)
        assert said == b"ModuleNotFoundError: No module named 'numpy'"
        assert b"No module named 'hashlib'" in sandbox.ask(b"import hashlib", 9.0)
    with Sandbox(TRY, b"", strong, imports=("numpy_of_nobody", "json")) as sandbox:
        said = sandbox.ask(b"import numpy_of_nobody", 9.0)
        assert said == (
            b"ImportError: numpy_of_nobody could not be loaded "
            b"(ModuleNotFoundError: No module named 'numpy_of_nobody')"
        )
        assert sandbox.ask(b"import hashlib\nresult = hashlib.md5().digest_size", 9.0) == b"16"


def test_what_does_not_fit_into_memory_is_no_fault_of_the_sandbox(strong: SandboxLevel) -> None:
    """The import says so, or the library has ended the process, as OpenBLAS does."""
    limits = SandboxLimits(memory=48 << 20)
    try:
        with Sandbox(TRY, b"", strong, limits, imports=("numpy",)) as sandbox:
            assert sandbox.ask(b"import numpy", 9.0).startswith(b"ImportError: numpy could not be")
    except GoneError as gone:
        assert gone.reason.startswith("ended with exit code")


def test_modules_are_kept_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled, if that is of the same source; from the source otherwise; and none of tests."""
    package = tmp_path / "kept_package"
    for folder in ("tests", "inner", "nothing"):
        (package / folder).mkdir(parents=True)
    (package / "__init__.py").write_text("WHERE = __path__")
    (package / "inner" / "__init__.py").write_text("")
    (package / "inner" / "fresh.py").write_text("VALUE = 1")
    (package / "inner" / "stale.py").write_text("VALUE = 1")
    (package / "inner" / "plain.py").write_text("VALUE = 2")
    (package / "tests" / "__init__.py").write_text("")
    (package / "nothing" / "data.py").write_text("")
    for name in ("fresh", "stale"):
        source = package / "inner" / f"{name}.py"
        compile_one(source)
    (package / "inner" / "stale.py").write_text("VALUE = 'longer'")
    kept = imports._KeptModules()
    kept.keep(str(package), "kept_package.", ())
    assert sorted(kept.code) == ["kept_package"] + [
        f"kept_package.inner{rest}" for rest in ("", ".fresh", ".plain", ".stale")
    ]
    assert [kept.code[f"kept_package.inner.{name}"][3] for name in ("fresh", "stale")] == [
        True,
        False,
    ]
    package.rename(tmp_path / "away")
    monkeypatch.setattr(sys, "meta_path", [kept])
    found = {}
    for name in ("fresh", "stale", "plain"):
        full = f"kept_package.inner.{name}"
        found[name] = __import__(full, fromlist=["VALUE"]).VALUE
    assert found == {"fresh": 1, "stale": "longer", "plain": 2}
    assert vars(sys.modules["kept_package"])["WHERE"] == [str(package)]
    for name in [one for one in sys.modules if one.startswith("kept_package")]:
        del sys.modules[name]


def compile_one(source: Path) -> None:
    """Compile a file as Python does, beside it."""
    py_compile.compile(str(source), doraise=True)
