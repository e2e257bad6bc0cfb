"""`battletape battle export` and `check`: the battle for other programs, and its file made whole again."""

from __future__ import annotations

import os

import click

from battletape.battle.store import BattleFile, open_battle, save, write
from battletape.cli.battle.options import FILE, in_file, open_file
from battletape.cli.drawing import count
from battletape.cli.terminal import echo_json
from battletape.errors import BadInput, BattletapeError


@click.command()
@click.option("--text", "form", flag_value="text", default=True, help="The log as text (this is the default).")
@click.option("--csv", "form", flag_value="csv", help="A flat table: a row for each roll and event.")
@click.option("--json", "form", flag_value="json", help="Everything as JSON.")
@click.option("-o", "--output", metavar="FILE", help="Write it there instead of printing it.")
@click.option("--force", is_flag=True, help="Replace the output file if it is there already.")
@click.option("--file", "path", metavar="FILE", default=FILE, envvar="BATTLETAPE_FILE", help=f"The battle. [{FILE}]")
def export(form: str, output: str | None, force: bool, path: str) -> None:
    """Export the battle: the log as text, a flat table as CSV, or everything as JSON.

    \b
    Examples:
      $ battletape battle export --csv
      $ battletape battle export --json -o battle.json --force
    """
    from battletape.battle import report

    found = open_file(path).battle
    if form == "json":
        import msgspec

        text = msgspec.json.format(msgspec.json.encode(report.to_json(found)), indent=2).decode() + "\n"
    else:
        text = report.to_csv(found) if form == "csv" else report.log_text(found)
    if output is None:
        click.echo(text.encode("utf-8", "surrogateescape"), nl=False)
        return
    if os.path.exists(output) and os.path.samefile(output, path):
        raise BadInput(f"{output!r} is the battle itself; an export wants another name.", field="output")
    if os.path.exists(output) and not force:
        raise BadInput(f"{output!r} is there already; choose another name, or replace it with --force.", field="output")
    write(output, text)
    click.echo(f"Written to {output}.")


@click.command()
@click.option("--mend", is_flag=True, help="Save what is whole under a new name.")
@click.option("-o", "--output", metavar="FILE", help="That name. [FILE-mended.bt]")
@in_file
@click.pass_context
def check(ctx: click.Context, mend: bool, output: str | None, path: str, as_json: bool) -> None:
    """Replay the whole battle, name the line of any damage, and save what is whole if asked to.

    \b
    Example:
      $ battletape battle check
    """
    file, fault = _open_what_is_whole(path)
    mended = None
    if fault is not None and mend and file is not None:
        stem, dot, ending = path.rpartition(".")
        mended = output or (f"{stem}-mended.{ending}" if dot and stem else f"{path}-mended")
        save(mended, file.battle.text, None)
    moves = len(file.battle.record.moves) if file else 0
    answers = sum(len(move.entries) for move in file.battle.record.moves) if file else 0
    if as_json:
        line = getattr(fault, "line", 0) or None
        told = None if fault is None else {"message": str(fault), "line": line}
        echo_json(
            {"file": path, "whole": fault is None, "moves": moves, "answers": answers, "fault": told, "mended": mended}
        )
    elif fault is None:
        click.echo(f"{path}: {count(moves, 'move')} with {count(answers, 'answer')} replayed; everything fits.")
    else:
        kept = f"{count(moves, 'move')} before that {'is' if moves == 1 else 'are'} whole"
        on = f"saved in {mended}" if mended else f"save them with: battletape battle check --mend --file {path}"
        said = f"{str(fault).rstrip('.')}."
        click.echo(f"{said}\n{kept}; {on}" if file else said, err=mended is None)
    if fault is not None and mended is None:
        ctx.exit(2)


def _open_what_is_whole(path: str) -> tuple[BattleFile | None, BattletapeError | None]:
    if not os.path.exists(path):
        open_file(path)
    try:
        file = open_battle(path, keep=True)
    except BattletapeError as fault:
        return None, fault
    if file.fault is None:
        try:
            file.battle.check()
        except BattletapeError as fault:
            return file, fault
    return file, file.fault
