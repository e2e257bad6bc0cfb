"""What the battle commands share: the file, the action and its parameters."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click

from battletape.battle import Battle, BattleFault
from battletape.battle.store import BattleFile, Unconfirmed, open_battle
from battletape.cli import done, unsure
from battletape.errors import BadInput, BattletapeError, MissingInput, Refused, sentence
from battletape.inputs import Inputs, fields, quoted
from battletape.views.battle import action_views

F = TypeVar("F", bound=Callable[..., Any])
FILE = "battle.bt"


def in_file(command: F) -> F:
    """The options that every battle command has."""
    command = click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)
    about = f"The battle file. [{FILE}]"
    return click.option("--file", "path", metavar="FILE", default=FILE, envvar="BATTLETAPE_FILE", help=about)(command)


def named_file(path: str) -> str:
    """The path if a command has to name it; empty where it is understood."""
    return "" if path == os.environ.get("BATTLETAPE_FILE", FILE) else path


def open_file(path: str) -> BattleFile:
    """The battle in a file; if it is damaged, the error names the line and the way on."""
    try:
        file = open_battle(path)
    except BattleFault as fault:
        if not can_be_mended(path):
            raise
        raise BadInput(f"{sentence(fault)} To go on with what is whole: {mend_line(path)}") from fault
    except BadInput:
        if not os.path.exists(path):
            raise BadInput(f"there is no battle in {path!r}; begin one with: battletape battle new RULESET") from None
        raise
    tell_notes(file)
    return file


def keep(file: BattleFile, what: str) -> None:
    """Save a battle; from here on an error also says what was done."""
    unconfirmed = ""
    try:
        file.save()
    except Unconfirmed as error:
        unsure.append(what)
        unconfirmed = sentence(error)
    done.append(f"{what} in {file.path} all the same: do not repeat it.")
    if unconfirmed:
        click.echo(unconfirmed, err=True)


def tell_notes(file: BattleFile) -> None:
    """Say beside the output proper what is odd: moves that would be refused today, a checkpoint that does not fit."""
    for note in file.battle.notes:
        click.echo(f"{file.path}: {note}.", err=True)
    if file.battle.doubt is not None:
        click.echo(sentence(file.battle.doubt), err=True)


def can_be_mended(path: str) -> bool:
    """Whether any part of a damaged battle can be saved."""
    try:
        return bool(open_battle(path, keep=True))
    except BattletapeError:
        return False


def mend_line(path: str) -> str:
    """The command that saves the intact part of a damaged battle."""
    from shlex import quote

    return f"battletape battle check --mend --file {quote(path)}"


def with_action(command: F) -> F:
    """The arguments of a command about an action."""
    command = click.argument("pairs", metavar="[KEY=VALUE]…", nargs=-1, shell_complete=complete_param)(command)
    return click.argument("action", required=False, shell_complete=complete_action)(command)


def find_params(battle: Battle, action: str, pairs: Sequence[str], path: str = FILE) -> dict[str, str]:
    """The parameters of an action; if they are missing, the message shows a command that would do."""
    card = battle.rules.action(action)
    given = parse_words(pairs, action)
    missing: Sequence[str] = card.inputs.__struct_fields__ if not given else ()
    try:
        if given:
            battle.refusal(action, given)
    except MissingInput as error:
        missing = error.missing
    if missing:
        view = action_views(battle, action)[0]
        like = [*view.allowed, *(command for refusal in view.refused for command in refusal.commands)]
        like.sort(key=lambda command: -sum(_says(command, name, value) for name, value in given.items()))
        where = named_file(path)
        named = f" --file {quoted(where)}" if where else ""
        example = f"; for example:\n  battletape battle do {like[0]}{named}" if like else ""
        told = "".join(
            f"\n  {name}: {about}" for name, about in _explained(card.inputs) if not given or name in missing
        )
        raise BadInput(f"{action} needs {', '.join(missing)}{example}{told}", field=action)
    return given


def _says(command: str, name: str, value: str) -> bool:
    """Whether a command says this of an input, or the beginning of it."""
    said = next((word for word in shlex.split(command) if word.startswith(f"{name}=")), "")
    return bool(value) and value.lower() in said.lower()


def _explained(inputs: type[Inputs]) -> list[tuple[str, str]]:
    """The parameters that need explaining, each with what it means."""
    explained = []
    for field in fields(inputs):
        named = field.title == field.name.replace("_", " ").capitalize()
        about = [field.title] if not named or field.description or field.choices else []
        about += [field.description] if field.description else []
        about += [f"{field.wants} ({field.show(field.default)} if left out)"] if field.choices else []
        if about:
            explained.append((field.name, ": ".join(about)))
    return explained


def refused_answer(battle: Battle, said: str, answers: Sequence[str], given: Mapping[str, str]) -> Refused | None:
    """If an answer that did not fit names an action: why that action is refused now, for the unit aimed at."""
    came = said.rpartition("got")[2]
    for name in (answer.lower() for answer in answers if answer and answer in came):
        card = next((action for action in battle.actions if action.name == name), None)
        if card is not None:
            aimed = "target" in given and "unit" in card.inputs.__struct_fields__
            return battle.refusal(name, {"unit": given["target"]} if aimed else {})
    return None


def parse_words(words: Sequence[str], source: str) -> dict[str, str]:
    """Words such as unit=Wolves as a mapping."""
    values: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name.strip():
            raise BadInput(f"{source} needs name=value; got {word!r}.", field=source)
        values[name.strip().replace("-", "_")] = value
    return values


def complete_action(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Actions of the battle that begin like this."""
    try:
        return [action.name for action in _peek(ctx).actions if action.name.startswith(incomplete)]
    except BattletapeError:
        return []


def complete_param(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Parameters of the action that begin like this, from what may be done now."""
    try:
        options = [option for option in _peek(ctx).legal() if option.action.name == ctx.params.get("action")]
    except BattletapeError:
        return []
    pairs = dict.fromkeys(f"{name}={value}" for option in options for name, value in _texts(option.params).items())
    return [pair for pair in pairs if pair.startswith(incomplete)]


def _peek(ctx: click.Context) -> Battle:
    return open_battle(ctx.params.get("path") or FILE).battle


def _texts(params: Any) -> dict[str, str]:
    values = {name: getattr(params, name) for name in params.__struct_fields__}
    return {name: value for name, value in values.items() if isinstance(value, str) and value}
