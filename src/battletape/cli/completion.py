"""`battletape completion`: the script that makes a shell complete names and options, for both names of the command."""

from __future__ import annotations

import os

import click

from battletape.cli.terminal import echo_json
from battletape.errors import UnknownName

SHELLS = ("bash", "zsh", "fish")
NAMES = ("battletape", "bt")
PLACES = {
    "bash": 'eval "$(battletape completion bash)"   in ~/.bashrc',
    "zsh": 'eval "$(battletape completion zsh)"   in ~/.zshrc',
    "fish": "battletape completion fish | source   in ~/.config/fish/config.fish",
}


def complete_shell(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return shells that begin like this."""
    return [name for name in SHELLS if name.startswith(incomplete)]


@click.command()
@click.argument("shell", required=False, shell_complete=complete_shell)
@click.option("--json", "as_json", is_flag=True, help="Print JSON: the scripts by name of the command.")
def completion(shell: str | None, as_json: bool) -> None:
    """Print the script that makes Tab complete names and options, for battletape and bt.

    \b
    Examples:
      $ battletape completion bash
      $ battletape completion fish
    """
    wanted = shell or os.path.basename(os.environ.get("SHELL", "")) or "bash"
    if wanted not in SHELLS:
        raise UnknownName("shell for completion", wanted, SHELLS)
    scripts = {name: script(wanted, name) for name in NAMES}
    if as_json:
        echo_json({"shell": wanted, "scripts": scripts})
        return
    click.echo(f"# Tab completion for Battletape. Put this line into your shell's start-up file:\n#   {PLACES[wanted]}")
    for text in scripts.values():
        click.echo(text)


def script(shell: str, name: str) -> str:
    """Return the completion script of one name of the command."""
    from click.shell_completion import get_completion_class

    from battletape.cli.app import app

    completion = get_completion_class(shell)
    assert completion is not None
    maker = completion(app, {}, name, f"_{name.upper()}_COMPLETE")
    return maker.source_template % maker.source_vars()
