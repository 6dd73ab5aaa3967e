"""Makes the pictures of the pages by running the program: scripts/pictures [NAME...].

They are written to docs/images, from fixed seeds. A NAME is that of a file there, with or without
its ending.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

from picture_list import PICTURES
from picture_workshop import Workshop

from cardwright import CardwrightError

OUT = Path(__file__).resolve().parents[1] / "images"


def chosen(names: list[str]) -> list[str]:
    """Return the files of these names, or all of them; raises ValueError for an unknown one."""
    known = {short: file for file in PICTURES for short in (file, file.partition(".")[0])}
    if unknown := [name for name in names if name not in known]:
        raise ValueError(f"no picture {', '.join(unknown)}; there are {', '.join(PICTURES)}")
    return [known[name] for name in names] or list(PICTURES)


def main(words: list[str]) -> int:
    """Make what is asked for."""
    parser = argparse.ArgumentParser(description="Make the pictures of the pages.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="such as table; all by default")
    parser.add_argument("--out", type=Path, default=OUT, help="the folder to write")
    asked = parser.parse_args(words)
    try:
        files = chosen(asked.names)
    except ValueError as error:
        parser.error(str(error))
    asked.out.mkdir(parents=True, exist_ok=True)
    with Workshop() as workshop:
        for file in files:
            begun = time.monotonic()
            try:
                PICTURES[file](workshop, asked.out / file)
            except (CardwrightError, OSError) as error:
                sys.stderr.write(f"error: {file}: {error}\n")
                return 1
            except subprocess.CalledProcessError as error:
                sys.stderr.write(f"error: {file}: {error}\n{error.stderr}")
                return 1
            size = (asked.out / file).stat().st_size / 1000
            taken = time.monotonic() - begun
            sys.stdout.write(f"{asked.out / file}: {size:.0f} kB, {taken:.0f} s\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
