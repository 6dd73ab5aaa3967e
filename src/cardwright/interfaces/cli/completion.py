"""`cardwright completion`: the script with which a shell completes commands, options and games."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

_VARIABLE = "_CARDWRIGHT_COMPLETE"
_INSTALL = {
    "bash": """\
# Completion of cardwright for bash. To have it in every new shell, add this line to ~/.bashrc:
#     eval "$(cardwright completion bash)"
""",
    "zsh": """\
# Completion of cardwright for zsh. To have it in every new shell, add this line to ~/.zshrc,
# below compinit:
#     eval "$(cardwright completion zsh)"
""",
    "fish": """\
# Completion of cardwright for fish. To have it in every new shell:
#     cardwright completion fish > ~/.config/fish/completions/cardwright.fish
""",
}


@click.command("completion")
@click.argument("shell", type=click.Choice(list(_INSTALL)))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script for a shell.

    The first lines of the script say how to install it.
    """
    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(ctx.find_root().command, {}, "cardwright", _VARIABLE)
    # Not `source()`: it asks the shell for its version, which may not be installed here.
    click.echo(_INSTALL[shell] + script.source_template % script.source_vars())
