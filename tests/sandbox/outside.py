"""What is outside of a sandbox: things to go for, and whether anything happened to them."""

from __future__ import annotations

import hashlib
import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.game.seeds import token
from cardwright.interpreter.stream import Stream
from cardwright.sandbox.errors import GoneError, LateError, NonsenseError, SandboxError
from cardwright.sandbox.limits import SandboxLimits
from cardwright.sandbox.sandbox import Sandbox
from sandbox.hostile import GUEST, PRELUDE

if TYPE_CHECKING:
    from types import TracebackType

    from cardwright.sandbox.limits import SandboxLevel
    from sandbox.hostile import Attack

CANARY = "CANARY-in-the-environment"
ENDINGS = {
    "gone": GoneError,
    "late": LateError,
    "over": (GoneError, LateError),
    "nonsense": NonsenseError,
}
REFUSED = re.compile(
    r"refused: (PermissionError\((1|13),|FileNotFoundError\(2,|OSError\((12|24|30),|MemoryError"
    r"|EOFError|ModuleNotFoundError|RuntimeError\(.can't start new thread|gaierror"
    r"|ValueError\('not allowed to raise)"
)
"""How a system refuses; any other error is a mistake in the attack."""

IMPORTS = (
    "_posixshmem", "concurrent.futures.thread", "ctypes", "errno", "fcntl", "gc", "hashlib",
    "json", "mmap", "multiprocessing.context", "multiprocessing.popen_fork", "random", "resource",
    "select", "signal", "socket", "struct", "subprocess", "time", "unicodedata",
)  # fmt: skip
"""What attacks import: they have to be refused by the kernel, not for want of a module."""

SLEEPER = "import time; time.sleep(600)"
OTHER = b"def serve(payload): return lambda request: payload + request"


class Outside:
    """A bot's file, listeners, a process of this user, and another sandbox; all must stay as is."""

    def __init__(self, folder: Path, level: SandboxLevel) -> None:
        self.level = level
        os.environ["CARDWRIGHT_CANARY"] = CANARY
        self.folder = folder
        self.secret = folder / "bot.py"
        self.secret.write_text("the secret of another bot")
        self.secret.chmod(0o644)
        self.seed = int.from_bytes(os.urandom(8), "little")
        self.marker = folder / "marker"
        self.before = self._state_of_files()
        self.listeners = self._listen()
        self.bystander = subprocess.Popen([sys.executable, "-S", "-c", SLEEPER])
        self.other = Sandbox(OTHER, b"alive", level, name="other")
        self.bait = json.dumps(
            {
                "secret": str(self.secret),
                "folder": str(folder),
                "marker": str(self.marker),
                "parent": os.getpid(),
                "bystander": self.bystander.pid,
                "other": self.other.pid,
                "tcp": self.listeners["tcp"].getsockname()[1],
                "udp": self.listeners["udp"].getsockname()[1],
                "unix": str(folder / "socket"),
                "abstract": self._abstract,
                "token": token(Stream(self.seed), "a test").hex(),
                "mark": hashlib.sha256(self.seed.to_bytes(8, "little")).hexdigest(),
            }
        ).encode()

    def _listen(self) -> dict[str, socket.socket]:
        self._abstract = f"cardwright-test-{os.urandom(8).hex()}"
        listeners = {}
        for name, family, kind, address in (
            ("tcp", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            ("udp", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            ("unix", socket.AF_UNIX, socket.SOCK_STREAM, str(self.folder / "socket")),
            ("abstract", socket.AF_UNIX, socket.SOCK_STREAM, f"\0{self._abstract}"),
        ):
            listener = listeners[name] = socket.socket(family, kind)
            listener.bind(address)
            if kind == socket.SOCK_STREAM:
                listener.listen()
            listener.setblocking(False)
        return listeners

    def _state_of_files(self) -> list[object]:
        seen = self.secret.stat()
        rest = [Path("/tmp/written"), Path("/dev/shm/written"), Path("/tmp/new"), Path("/new")]
        return [
            sorted(path.name for path in self.folder.iterdir() if path.name != "socket"),
            self.secret.read_text(),
            (seen.st_mode, seen.st_uid, seen.st_mtime_ns, seen.st_nlink),
            [path for path in rest if path.exists()],
            Path(os.__file__).stat().st_mtime_ns,
        ]

    def problems(self) -> list[str]:
        """Return what has happened to what is outside; nothing should have."""
        found = []
        if self._state_of_files() != self.before:
            found.append(f"files: {self._state_of_files()} and not {self.before}")
        for name, listener in self.listeners.items():
            try:
                if name == "udp":
                    listener.recv(100)
                else:
                    listener.accept()[0].close()
            except BlockingIOError:
                continue
            found.append(f"{name}: somebody came")
        status = Path(f"/proc/{self.bystander.pid}/status").read_text()
        state = re.search(r"State:\t(\w).*?TracerPid:\t(\d+)", status, re.DOTALL)
        if state is None or state[1] not in "RS" or state[2] != "0":
            found.append(f"the bystander: {state and state.groups()}")
        if os.getpriority(os.PRIO_PROCESS, self.bystander.pid) != os.getpriority(0, 0):
            found.append("the bystander's priority")
        if self.other.ask(b"!", 20.0) != b"alive!":
            found.append("the other sandbox")
        return found

    def attacked(self, attack: Attack) -> list[str]:
        """Run an attack; return what is wrong with what became of it."""
        said, error, printed = self._outcome(attack)
        found = self.problems()
        if printed > self.limits.output:
            found.append(f"{printed} letters of output were kept")
        if attack.ends in ENDINGS:
            right = isinstance(error, ENDINGS[attack.ends])
            if not right or not re.search(attack.words, error.reason if error else ""):
                found.append(f"not {attack.ends} ({attack.words}), but {error!r} {said!r}")
        elif error is not None:
            found.append(f"{error!r}: {error.output}")
        elif attack.ends == "said":
            if not re.fullmatch(attack.words, said.decode()):
                found.append(f"it said {said!r}")
        else:
            found += [one for one in json.loads(said) if not REFUSED.match(one)]
        return found

    def managed(self, attack: Attack) -> list[str]:
        """Run an attack without a sandbox; return what it says that it managed."""
        said, error, _ = self._outcome(attack)
        return [] if error else [one for one in json.loads(said) if one.startswith("done")]

    limits = SandboxLimits(memory=512 << 20)

    def _outcome(self, attack: Attack) -> tuple[bytes, SandboxError | None, int]:
        program = (PRELUDE + attack.source).encode()
        starting = 0.5 if attack.ends == "late" else 20.0
        seconds = 0.2 if attack.ends in ("late", "over") else 20.0
        said, printed = b"", 0
        try:
            with Sandbox(
                GUEST,
                program,
                self.level,
                self.limits,
                attack.name,
                start_seconds=starting,
                imports=IMPORTS,
            ) as sandbox:
                try:
                    said = sandbox.ask(self.bait, seconds)
                    if attack.again:
                        said = sandbox.ask(self.bait, seconds)
                finally:
                    printed = len(sandbox.printed)
        except SandboxError as error:
            return said, error, printed
        return said, None, printed

    def __enter__(self) -> Outside:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.other.close()
        self.bystander.kill()
        self.bystander.wait()
        for listener in self.listeners.values():
            listener.close()
        os.environ.pop("CARDWRIGHT_CANARY", None)
