"""Builds the site: python -m website.build [FOLDER]."""

from __future__ import annotations

import logging
import sys
import time
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import MkDocsException

CONFIGURATION = Path(__file__).parent / "mkdocs.yml"


def main(arguments: list[str]) -> int:
    """Build the site into a folder, and say where it is; anything doubtful is a failure."""
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    begun = time.monotonic()
    folder = {"site_dir": str(Path(arguments[0]).resolve())} if arguments else {}
    try:
        config = load_config(str(CONFIGURATION), **folder)
        config.plugins.on_startup(command="build", dirty=False)
        try:
            build(config)
        finally:
            config.plugins.on_shutdown()
    except MkDocsException as error:
        sys.stderr.write(f"cardwright: error: the site was not built: {error}\n")
        return 1
    taken = time.monotonic() - begun
    sys.stdout.write(f"built in {taken:.0f} s: {Path(config.site_dir) / 'index.html'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
