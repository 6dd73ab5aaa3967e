"""`cardwright compile`: compile a game to machine code, or show the stages of that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cardwright.english import counted
from cardwright.interfaces.cli.parameters import game_options
from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.cli.vocabulary import save_option

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from cardwright.compiler.native import Compilation
    from cardwright.game.game import Game
    from cardwright.interfaces.cli.parameters import ChosenGame

_TARGETS = ("native", "wasm")
_SHOWN = ("ir", "llvm", "optimised", "asm", "stats", "places")


@click.command("compile")
@game_options()
@click.option("--show", type=click.Choice(_SHOWN), help="Print a stage of the compilation.")
@click.option(
    "--target",
    type=click.Choice(_TARGETS),
    default=_TARGETS[0],
    show_default=True,
    help="What the code is for: this machine, or any host of WebAssembly.",
)
@save_option("With --target wasm alone.", "-o")
@click.option(
    "--function",
    "functions",
    metavar="NAME",
    multiple=True,
    help="Show this function only. Can be repeated.",
)
def command(
    *,
    game: ChosenGame,
    show: str | None,
    target: str,
    save: Path | None,
    functions: tuple[str, ...],
) -> None:
    """Compile a game, or show how it is compiled.

    GAME is a name of the library or the path of a file. Its machine code is kept for all later
    runs, as far as it plays games, one at a time and many at random; what searches is compiled when
    it is first needed. With --show, a stage of the compilation is printed instead: the intermediate
    representation of the rules, LLVM's text before and after optimisation, assembly, or figures for
    all of them; or which places are masks, and what else goes the fast way. With --target wasm
    --save FILE the game becomes a module of WebAssembly.
    """
    if (target == "wasm") is not (save is not None):
        raise click.UsageError("--target wasm and --save FILE belong together")
    if save is not None and (show is not None or functions):
        raise click.UsageError("--show is not for --target wasm: the module is written")
    if functions and show in {None, "stats", "places"}:
        raise click.UsageError("--function needs --show ir, llvm, optimised or asm")
    from cardwright.game.engines import check_optimisation

    check_optimisation()
    loaded = game.load()
    if save is not None:
        _write_module(loaded, save)
        return
    if show is None:
        _keep(loaded)
        return
    if show == "places":
        from cardwright.interfaces.cli.ways import show_ways

        show_ways(loaded)
        return
    from cardwright.compiler.native import compilation

    stages = compilation(loaded.program)
    if show == "stats":
        from cardwright.interfaces.cli.stats import show_stats

        show_stats(loaded, stages)
    elif functions:
        _print(_chosen(_by_function(stages, show), functions, stages, show))
    else:
        _print([_whole(stages, show)])


def _write_module(game: Game, place: Path) -> None:
    """Write what plays a game as a module of WebAssembly, and report it."""
    from cardwright.compiler.native import compilation
    from cardwright.compiler.wasm.emit import emit

    module = emit(compilation(game.program).lowered.module)
    place.write_bytes(module)
    size = counted(len(module), "byte")
    click.echo(f"{printable(game.name)}: {size} of WebAssembly in {printable(str(place))}")


def _keep(game: Game) -> None:
    """Compile what plays a game, unless its code is already cached, and report it."""
    from cardwright.compiler.backend import most_effort
    from cardwright.compiler.cache import ObjectCache
    from cardwright.compiler.kernel_sets import PLAY, RANDOM_GAMES
    from cardwright.compiler.native import TooLargeError, cache_key, compilation
    from cardwright.game.native.engine import too_large

    name, cache = printable(game.name), ObjectCache()
    parts = {
        cache_key(game.program, one): compilation(game.program, one) for one in (PLAY, RANDOM_GAMES)
    }
    try:
        for key, stages in parts.items():
            cache.get_or_make(key, stages.entry, game.program.source.name)
    except TooLargeError as error:
        raise too_large(game.program, error) from None
    fresh = [stages for stages in parts.values() if stages.seconds]
    if not fresh:
        click.echo(f"{name}: compiled before, kept in {printable(str(cache.folder))}")
        return
    seconds = sum(sum(stages.seconds.values()) for stages in fresh)
    kept = all(cache.get(key) is not None for key in parts)
    where = f"kept in {printable(str(cache.folder))}" if kept else "not kept"
    size = counted(sum(len(stages.machine_code.content) for stages in fresh), "byte")
    how = "" if most_effort() else ", without optimisation"
    if any(stages.machine_code.effort < stages.most_effort for stages in fresh):
        how = ", without optimisation as it is large"
    click.echo(f"{name}: compiled in {seconds:.2f} s to {size}{how}, {where}")


def _print(texts: Iterable[str]) -> None:
    click.echo("\n\n".join(printable(text.rstrip("\n")) for text in texts))


def _whole(stages: Compilation, show: str) -> str:
    """Return a stage as text; of the IR only what is made from the rules."""
    if show == "ir":
        shown = _by_function(stages, show)
        return "\n\n".join(shown[name] for name in stages.lowered.rules)
    return stages.listing(show).text


def _by_function(stages: Compilation, show: str) -> Mapping[str, str]:
    """Return the functions of a stage as texts, by name."""
    from cardwright.compiler.show import show_function

    if show == "ir":
        made = stages.lowered.module.functions
        return {name: show_function(function) for name, function in made.items()}
    return stages.listing(show).functions


def _chosen(
    shown: Mapping[str, str], wanted: Iterable[str], stages: Compilation, show: str
) -> list[str]:
    """Return the functions that are asked for; raise an error for unknown ones."""
    from cardwright.syntax.suggest import did_you_mean

    made = stages.lowered.module.functions
    for name in wanted:
        if name in shown:
            continue
        if name in made:
            left = ", ".join(sorted(shown))
            raise click.UsageError(
                f"{name} is inlined in its callers by then; --show {show} has {left}"
            )
        advice = did_you_mean(name, made)
        raise click.UsageError(f"there is no function {name!r}{f'; {advice}' if advice else ''}")
    return [shown[name] for name in wanted]
