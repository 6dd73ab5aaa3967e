"""How signals reach machine code.

Python registers a signal at once, but runs its handler only between two bytecode instructions, in
the main thread: while machine code runs there, nothing would stop it. So machine code calls Python
now and then, and handlers run in that call.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ANSWER = ctypes.CFUNCTYPE(ctypes.c_int64)


class Watch:
    """A function for machine code that answers whether to stop: 1 if a handler raised anything.

    What it raised, such as KeyboardInterrupt, is kept in `caught`: it cannot pass through machine
    code.
    """

    def __init__(self) -> None:
        self.caught: BaseException | None = None
        # A function would run the handlers before its first statement, where it could not catch
        # what they raise; a generator resumes within its `try`.
        answers = self._answers()
        next(answers)
        self._function = _ANSWER(answers.__next__)

    @property
    def address(self) -> int:
        """The address of the function."""
        found = ctypes.cast(self._function, ctypes.c_void_p).value
        assert found is not None
        return found

    def _answers(self) -> Iterator[int]:
        answer = 0
        while True:
            try:
                while True:
                    yield answer
                    answer = 0
            except GeneratorExit:
                return
            except BaseException as error:
                self.caught = error
                answer = 1
