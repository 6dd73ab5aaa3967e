"""The worker in which players think, but players of files too: those that tests let misbehave."""

from __future__ import annotations

import sys

from cardwright.players.kind import FULL_TRUST
from cardwright.web.think_worker import Mind
from cardwright.web.worker_loop import serve

if __name__ == "__main__":
    serve(lambda report: Mind(report, FULL_TRUST).answer, sys.argv[1:])
