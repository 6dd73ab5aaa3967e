"""Players that do not do what players do, for tests of the processes in which they think."""

import os
import sys
import time
from pathlib import Path


class Sleepless:
    """Computes for ever."""

    def choose(self, decision):
        while True:
            decision.stream.next()


class Mortal:
    """Ends its process."""

    def choose(self, decision):
        os._exit(3)


class Catlike:
    """Ends its process the first time, and leaves a file so that it lives the next time."""

    def choose(self, decision):
        mark = Path(os.environ["WAYWARD_MARK"])
        if not mark.exists():
            mark.touch()
            os._exit(3)
        return 0


class Greedy:
    """Takes all memory there is."""

    def choose(self, decision):
        taken = []
        while True:
            taken.append(bytearray(4 << 20))
            time.sleep(0.001)


class Broken:
    """Fails."""

    def choose(self, decision):
        raise ValueError("no idea")


class Lost:
    """Chooses what there is not."""

    def choose(self, decision):
        return 1_000


class Talker:
    """Prints, also where its answers go."""

    def choose(self, decision):
        sys.stdout.write('{"choice": 0}\n')
        sys.stdout.flush()
        os.write(1, b'{"choice": 0}\n')
        return 1
