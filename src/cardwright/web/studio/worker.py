"""A process that does the studio's work: `python -m cardwright.web.studio.worker`."""

from __future__ import annotations

import sys

from cardwright.web.studio.work import studio_work
from cardwright.web.worker_loop import serve

if __name__ == "__main__":
    serve(lambda _report: studio_work, sys.argv[1:])
