"""Files for authors of bots: a module of cards, example bots, and the files of a new season."""

from functools import cache
from importlib.resources import files

from cardwright.league.bot_runtime import HELPER


def example(name: str) -> str:
    """Return the text of an example bot."""
    return files("cardwright.league.authors").joinpath("bots", f"{name}.py").read_text("utf-8")


@cache
def helper_text() -> str:
    """Return the text of the module of cards and tricks that bots may import."""
    return files("cardwright.league.authors").joinpath(f"{HELPER}.py").read_text("utf-8")
