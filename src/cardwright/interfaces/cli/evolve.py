"""`cardwright evolve`: games near one that are better in stated ways."""

from __future__ import annotations

import shlex
import sys
import textwrap
from typing import TYPE_CHECKING, Any

import click

from cardwright.english import counted
from cardwright.evolution.settings import SearchSettings
from cardwright.interfaces.cli.files import refuse_filled
from cardwright.interfaces.cli.parameters import (
    complete_game,
    game_argument,
    preset_option,
    set_option,
)
from cardwright.interfaces.cli.rows import as_json
from cardwright.interfaces.cli.vocabulary import (
    figure_files,
    figure_formats_option,
    figure_options,
    format_option,
    out_option,
    quiet_option,
    settings_options,
)
from cardwright.interfaces.cli.words import (
    INTERRUPTED,
    WORDS,
    KeepingCommand,
    say_how_to_go_on,
    seed_of,
)

if TYPE_CHECKING:
    from pathlib import Path

    from click.shell_completion import CompletionItem

    from cardwright.evolution.generation import EvolutionProgress
    from cardwright.evolution.report.account import EvolutionAccount
    from cardwright.evolution.results import Evolution
    from cardwright.interfaces.cli.parameters import Overrides

_WORDS = 72
"""Letters of what a measure is, in the list of all."""


def complete_measure(
    _ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the measures that begin like this, after the last comma."""
    from click.shell_completion import CompletionItem

    from cardwright.evolution.measures.table import MEASURES

    before, comma, last = incomplete.rpartition(",")
    return [CompletionItem(f"{before}{comma}{name}") for name in MEASURES if name.startswith(last)]


def complete_method(
    _ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the methods of search that begin like this."""
    from click.shell_completion import CompletionItem

    from cardwright.evolution.methods.catalogue import METHODS

    return [
        CompletionItem(name, help=kind.words)
        for name, kind in METHODS.items()
        if name.startswith(incomplete)
    ]


def _axes(_ctx: click.Context, _param: click.Parameter, value: str | None) -> tuple[str, ...]:
    """Read `--map`, as texts of axes."""
    return tuple(part.strip() for part in (value or "").split(",") if part.strip())


@click.command("evolve", cls=KeepingCommand)
@game_argument
@click.option(
    "--aim", "aims", metavar="AIM", multiple=True, shell_complete=complete_measure,
    help="What is wanted of a measure: 'length 40..60', 'fairness max' or 'luck min x2'. Can be "
    "repeated; without any, the measures are listed.",
)  # fmt: skip
@click.option(
    "--map", "axes", metavar="MEASURE,...", callback=_axes, shell_complete=complete_measure,
    help="Keep the best game for each combination of these measures, two or three. Each may have "
    "ends, as in 'length 10..60,luck'.",
)  # fmt: skip
@settings_options(SearchSettings, method=complete_method, mates=complete_game)
@preset_option
@set_option
@out_option("The rules found and the records are kept there too.", "evolution")
@figure_formats_option
@figure_options
@quiet_option
@format_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    game: str,
    aims: tuple[str, ...],
    out: Path,
    seed: int | None,
    resume: bool,
    quiet: bool,
    style: str,
    overrides: Overrides,
    **options: Any,
) -> None:
    """Look for games near GAME that are better in stated ways.

    GAME is a name of the library or the path of a file. Candidates are made by small changes of its
    rules, and leave at the first of several tests that they fail: these cost more and more. What is
    reported of the best is measured by other games than those they were chosen by.

    Writes the rules found, which `check`, `play` and `analyze` take, and a page about them to
    --out.
    """
    if not aims:
        raise click.UsageError(_measures())
    out_records(out, resume=resume)
    from cardwright.evolution.evolve import evolve, kept_seed
    from cardwright.evolution.report.files import write_account
    from cardwright.interfaces.cli.evolve_show import search_bar, show

    chosen = seed_of(seed, lambda: kept_seed(out) if resume else None)
    drawn = figure_files(options)
    for name in ("figure_formats", "columns", "no_caption"):
        del options[name]
    last: EvolutionProgress | None = None
    try:
        with search_bar(shown=not quiet and sys.stderr.isatty()) as tell:

            def progress(now: EvolutionProgress) -> None:
                nonlocal last
                last = now
                tell(now)

            found = evolve(
                game, aims, seed=chosen, declared=overrides, folder=out, resume=resume,
                progress=progress, **options,
            )  # fmt: skip
    except KeyboardInterrupt:
        if last is None:
            raise
        happened = f"interrupted after {last.done:,} of {counted(last.total, 'candidate')}"
        if last.final:
            happened = (
                f"interrupted while the best were measured again, {last.done} of {last.total}"
            )
        say_how_to_go_on(ctx, happened, chosen)
        ctx.exit(INTERRUPTED)
    account = _account(ctx, found, game)
    files = write_account(account, out, drawn)
    if style == "json":
        record = {**found.record(), "files": [str(file) for file in files]}
        click.echo(as_json(record))
    elif style == "csv":
        click.echo(found.to_polars().write_csv(), nl=False)
    else:
        show(found, account, files)


def out_records(out: Path, *, resume: bool) -> None:
    """Raise an error if the folder for a new search has anything in it."""
    from cardwright.evolution.evolve import RECORDS
    from cardwright.jobs.folder import FILE

    if resume:
        return
    if (out / RECORDS / FILE).exists():
        raise click.ClickException(
            f"{out} has the records of a search: continue it with --resume, or name another folder "
            "with --out"
        )
    refuse_filled(out)


def _measures() -> str:
    """Return what can be aimed at, as lines."""
    from cardwright.evolution.measures.table import MEASURES

    width = max(map(len, MEASURES))
    lines = "\n".join(
        f"  {name:<{width}}  {'*' if one.players else ' '} "
        f"{textwrap.shorten(one.sentence, _WORDS, placeholder=' ...')}"
        for name, one in MEASURES.items()
    )
    return (
        "name what is wanted with --aim, such as --aim 'length 40..60' or --aim 'fairness max', of "
        f"these measures, those with * from games of a --searcher:\n{lines}"
    )


def _account(ctx: click.Context, found: Evolution, game: str) -> EvolutionAccount:
    """Return what the report tells, with the call that makes the same search again."""
    from cardwright.evolution.report.account import account_of
    from cardwright.game.find import split_preset

    words = [word for word in ctx.meta[WORDS] if word not in {"--resume", "--quiet"}]
    if not any(word == "--seed" or word.startswith("--seed=") for word in words):
        words += ["--seed", str(found.plan.seed)]
    said = shlex.join(["cardwright", "evolve", *words])
    return account_of(found, game=split_preset(game)[0], command=said)
