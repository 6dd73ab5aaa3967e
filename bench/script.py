"""How benchmarks are run: whoever reads their output may stop reading."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def carry_out(main: Callable[[], object]) -> None:
    """Carry a benchmark out; it ends with exit code 1 when nobody reads on, as before `head`."""
    try:
        try:
            main()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # What is still to be written goes nowhere, or Python would complain of it at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
