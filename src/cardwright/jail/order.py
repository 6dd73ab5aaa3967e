"""The first message to a new sandbox: how to confine itself, and what to run."""

from __future__ import annotations

import marshal
import platform
import sys
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from cardwright.jail.interpreter import interpreter
from cardwright.jail.level import JailLevel
from cardwright.jail.seccomp import assembled
from cardwright.jail.users import may_kill_others

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType

    from cardwright.jail.limits import JailLimits

FLAGS = ("-s", "-S", "-P", "-B")
"""Only Python: no user packages, no `site`, nothing from the current folder, no caches written.

`-I` would do the same, but also ignore the hash seed in the environment.
"""

BOOT = """
import marshal, sys
order = marshal.loads(open(0, "rb", closefd=False).read(int(sys.argv[1])))
tools = {name: {"__name__": name} for name in order["code"]}
for name, code in order.pop("code").items():
    exec(code, tools[name])
tools["child"]["main"](order, tools)
"""
"""Run by `-c`, with the length of the order as its argument. It only runs trusted code."""


def packed(  # noqa: PLR0917 - as a sandbox is described
    level: JailLevel,
    limits: JailLimits,
    user: int | None,
    processor: int | None,
    runtime: bytes,
    imports: Sequence[str],
) -> bytes:
    """Return the order for a sandbox; `user` is the user that it becomes, None for no change.

    `processor` is the processor that it runs on, None for any; `imports` are the modules that it
    may import besides those that the runtime loads.

    Raises PermissionError if that user could not read what it needs, or could not be killed.
    """
    python = interpreter()
    confined = level >= JailLevel.CONFINED
    # bubblewrap has already rebuilt all paths
    covered = user is not None and level == JailLevel.CONFINED
    if covered and not may_kill_others():
        raise PermissionError("root has no CAP_KILL here and could not end a sandbox")
    return marshal.dumps(
        {
            "code": {name: _code(name) for name in ("confine", "imports", "child")},
            "confined": confined,
            "uid": user,
            "processor": processor,
            "hidden": python.hidden() if covered else [],
            "readable": list(python.readable),
            "limits": _resources(limits, confined),
            "filter": assembled(platform.machine(), sealed=False) if confined else b"",
            "seal": assembled(platform.machine(), sealed=True) if confined else b"",
            "imports": list(imports),
            "modules": list(python.modules),
            "runtime": runtime,
        }
    )


def _resources(limits: JailLimits, confined: bool) -> list[tuple[str, int]]:
    """Return the limits by the names of the module `resource`; see getrlimit(2)."""
    found = [
        ("RLIMIT_AS", limits.memory),
        ("RLIMIT_CPU", limits.cpu_seconds),
        ("RLIMIT_NOFILE", limits.open_files),
        ("RLIMIT_CORE", 0),
        ("RLIMIT_FSIZE", 0),
    ]
    if sys.platform != "linux":
        del found[0]  # macOS refuses to limit address space
    if confined:
        found += [("RLIMIT_NPROC", 0), ("RLIMIT_MEMLOCK", 0), ("RLIMIT_MSGQUEUE", 0)]
    return found


@cache
def _code(module: str) -> CodeType:
    name = f"{module}.py"
    return compile(files("cardwright.jail").joinpath(name).read_text("utf-8"), name, "exec")
