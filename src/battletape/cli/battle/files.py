"""`battletape battle export` and `check`: the battle for other programs, and its file made whole again."""

from __future__ import annotations

import os

import click

from battletape.battle.notation import write_battle
from battletape.battle.reading import salvage_battle
from battletape.battle.store import BattleFile, open_battle, save, write
from battletape.cli import done
from battletape.cli.app import refuse_alone, refuse_together
from battletape.cli.battle.options import FILE, in_file, mend_line, open_file, tell_notes
from battletape.cli.drawing import count
from battletape.cli.terminal import echo_json
from battletape.errors import BadInput, BattletapeError, nearest, sentence
from battletape.words import listed

FORMS = ("text", "csv", "json")


@click.command()
@click.argument("form", required=False, metavar="[text|csv|json]")
@click.option("--text", "as_text", is_flag=True, help="The log as text (this is the default).")
@click.option("--csv", "as_csv", is_flag=True, help="A flat table: a row for each roll and event.")
@click.option("--json", "as_json", is_flag=True, help="Everything as JSON.")
@click.option("--luck", is_flag=True, help="Add how lucky each move and side has been; this takes a while.")
@click.option("-o", "--output", metavar="FILE", help="Write it there instead of printing it.")
@click.option("--force", is_flag=True, help="Replace the output file if it is there already.")
@click.option("--file", "path", metavar="FILE", default=FILE, envvar="BATTLETAPE_FILE", help=f"The battle. [{FILE}]")
def export(
    form: str | None, as_text: bool, as_csv: bool, as_json: bool, luck: bool, output: str | None, force: bool, path: str
) -> None:
    """Export the battle: the log as text, a flat table as CSV, or everything as JSON.

    \b
    Examples:
      $ battletape battle export csv
      $ battletape battle export json -o battle.json --force
    """
    from battletape.battle import report

    wanted = form.strip().lower() if form else ""
    if wanted not in ("", *FORMS):
        like = nearest(wanted, FORMS)
        hint = f" Did you mean {like}?" if like else ""
        raise BadInput(f"an export must be {listed(FORMS, 'or')}; got {form!r}.{hint}", field="form")
    wanted_forms = {
        "--text": as_text or wanted == "text",
        "--csv": as_csv or wanted == "csv",
        "--json": as_json or wanted == "json",
    }
    refuse_together(wanted_forms, "an export has one form")
    as_csv, as_json = wanted_forms["--csv"], wanted_forms["--json"]
    refuse_alone("--force", force, "--output FILE", output)
    battle = open_file(path).battle
    if as_json:
        text = report.to_json(battle, luck=luck)
    else:
        text = report.to_csv(battle, luck=luck) if as_csv else report.log_text(battle, luck=luck)
    if output is None:
        click.echo(text.encode("utf-8", "surrogateescape"), nl=False)
        return
    if os.path.exists(output) and os.path.samefile(output, path):
        raise BadInput(f"{output!r} is the battle itself; an export needs another name.", field="output")
    if os.path.isdir(output):
        raise BadInput(
            f"{output!r} is a folder; an export needs the name of a file, in it or elsewhere.", field="output"
        )
    if os.path.exists(output) and not force:
        raise BadInput(f"{output!r} is there already; choose another name, or replace it with --force.", field="output")
    write(output, text)
    done.append(f"It was written to {output} all the same.")
    click.echo(f"Written to {output}.")


@click.command()
@click.option("--mend", is_flag=True, help="Save the intact part under a new name; write the checksum anew.")
@click.option("-o", "--output", metavar="FILE", help="That name. [FILE-mended.bt; FILE itself if all of it is intact]")
@in_file
@click.pass_context
def check(ctx: click.Context, mend: bool, output: str | None, path: str, as_json: bool) -> None:
    """Replay the whole battle, point to any damaged line and, if asked, save the intact part.

    \b
    Example:
      $ battletape battle check
    """
    refuse_alone("--output", output, "--mend", mend)
    file, fault = _open_what_is_whole(path)
    mended = None
    if fault is not None and mend and file is not None:
        stem, dot, ending = path.rpartition(".")
        mended = output or (f"{stem}-mended.{ending}" if dot and stem else f"{path}-mended")
        save(mended, file.text, None)
        done.append(f"The intact part was saved in {mended} all the same.")
    edited = file is not None and file.battle.edited
    if fault is None and mend and edited and file is not None:
        mended = output or path
        if output is None:
            file.save()
        else:
            save(output, file.text, None)
        done.append(f"Its checksum was written anew in {mended} all the same.")
    if file is not None:
        tell_notes(file)
    moves = len(file.battle.record.moves) if file else 0
    answers = sum(len(move.entries) for move in file.battle.record.moves) if file else 0
    if as_json:
        line = getattr(fault, "line", 0) or None
        fault_view = None if fault is None else {"message": str(fault), "line": line}
        counted = {"file": path, "whole": fault is None, "moves": moves, "answers": answers}
        echo_json({**counted, "notes": file.battle.notes if file else (), "fault": fault_view, "mended": mended})
    elif fault is None:
        changed = " Its lines were changed since they were written, but the moves end as the checkpoint says."
        summary = f"{path}: {count(moves, 'move')} with {count(answers, 'answer')} replayed; everything fits."
        summary += changed if file and file.battle.changed else ""
        if edited:
            anew = f"was written anew in {mended}" if mended else f"is written anew by: {mend_line(path)}"
            summary += f" Its checksum {anew}"
        click.echo(summary)
    else:
        pronoun = "them" if moves > 1 else "it"
        kept = f"{count(moves, 'move') if moves else 'the start'} before that {'are' if moves > 1 else 'is'} whole"
        on = f"saved in {mended}" if mended else f"save {pronoun} with: {mend_line(path)}"
        summary = sentence(fault)
        click.echo(f"{summary}\n{kept}; {on}" if file else summary, err=mended is None)
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
        except BattletapeError as fault:  # the lines are whole, but not what the checkpoint says: go by the replay
            replayed, _ = salvage_battle(write_battle(file.battle, checkpoint=False), path)
            file.battle = replayed or file.battle
            return file, fault
    return file, file.fault
