"""What the battle commands share: the file, the action and its parameters."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click
from msgspec.structs import asdict

from battletape.battle import Battle, BattleFault
from battletape.battle.store import BattleFile, Unconfirmed, open_battle
from battletape.cli import done, unsure
from battletape.errors import BadInput, BattletapeError, MissingInput, Refused, sentence
from battletape.inputs import Field, Inputs, fields, quoted
from battletape.system import Action
from battletape.views.battle import command_pairs

F = TypeVar("F", bound=Callable[..., Any])
FILE = "battle.bt"
BARE_SPOT = re.compile(r"-?[\d.]+,-?[\d.]+")


def in_file(command: F) -> F:
    """Return the options that every battle command has."""
    command = click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)
    about = f"The battle file. [{FILE}]"
    return click.option("--file", "path", metavar="FILE", default=FILE, envvar="BATTLETAPE_FILE", help=about)(command)


def named_file(path: str) -> str:
    """Return the path if a command has to name it; empty where it is understood."""
    return "" if path == os.environ.get("BATTLETAPE_FILE", FILE) else path


def open_file(path: str) -> BattleFile:
    """Return the battle in a file; if it is damaged, the error names the line and the way on."""
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
    """Return whether any part of a damaged battle can be saved."""
    try:
        return bool(open_battle(path, keep=True))
    except BattletapeError:
        return False


def mend_line(path: str) -> str:
    """Return the command that saves the intact part of a damaged battle."""
    from shlex import quote

    return f"battletape battle check --mend --file {quote(path)}"


def with_action(command: F) -> F:
    """Return the arguments of a command about an action."""
    command = click.argument("pairs", metavar="[KEY=VALUE]…", nargs=-1, shell_complete=complete_param)(command)
    return click.argument("action", required=False, shell_complete=complete_action)(command)


def find_params(battle: Battle, action: str, pairs: Sequence[str], path: str = FILE) -> dict[str, str]:
    """Return the parameters of an action.

    If some are missing, the message names them and shows a command that would do.
    """
    card = battle.rules.action(action)
    given = parse_words(pairs, action)
    ways = () if given else tuple(battle.options_of(action))
    proposed = [way.params for way in ways if way.refused is None]
    missing: Sequence[str] = ()
    try:
        order = battle.plan(action, given).order
        if not proposed or order in proposed:
            return given
    except (MissingInput, Refused) as error:
        if isinstance(error, Refused) and not proposed:
            raise
        if ways and not proposed and ways[0].refused is not None:
            raise ways[0].refused from None
        needed = [field.name for field in fields(card.inputs) if proposed and _needs(battle, card, proposed[0], field)]
        missing = needed or (error.missing if isinstance(error, MissingInput) else ())
    allowed = [command_pairs(way.params) for way in battle.options_of(action) if way.refused is None]
    example = max(allowed, key=lambda pairs: sum(_holds(pairs, *pair) for pair in given.items()), default=None)
    first = f"{action} needs {', '.join(missing)}" if missing else f"{action} can be said in several ways"
    needs = _lacking(card, missing, example, named_file(path), others=not given)
    raise BadInput(f"{first}{'' if example is None else '; for example:'}\n{needs}", field=action)


def _needs(battle: Battle, card: Action, order: Inputs, field: Field) -> bool:
    """Return whether an order is not understood, or refused, once this is left out."""
    try:
        return battle.refusal(card.name, {**asdict(order), field.name: field.default}) is not None
    except BattletapeError:
        return True


def _lacking(
    card: Action, missing: Sequence[str], example: Mapping[str, str] | None, path: str, *, others: bool
) -> str:
    """Return a command that would do, what is missing with an example of each, and what else may be said."""
    titles = {field.name: _about(field) for field in fields(card.inputs)}
    lines = []
    if example is not None:
        pairs = [f"{name}={quoted(text)}" for name, text in example.items()]
        file = ["--file", quoted(path)] if path else []
        lines = [" ".join(["  battletape battle do", card.name, *pairs, *file])]
    for name in missing:
        such = f"such as {quoted(example[name])}" if example and example.get(name) else ""
        lines.append(f"  {name}: " + ("; ".join(filter(None, (titles[name], such))) or "a name"))
    rest = [name for name in titles if name not in missing]
    if rest and others:
        lines.append("It may also say:" if missing else "It may say:")
        lines += [f"  {name}: {titles[name]}" if titles[name] else f"  {name}" for name in rest]
    return "\n".join(lines)


def _about(field: Field) -> str:
    """Return what a parameter means, and what it takes; empty if its name says it all."""
    named = field.title == field.name.replace("_", " ").capitalize()
    about = [] if named and not (field.description or field.choices) else [field.title]
    about += [field.description] if field.description else []
    about += [f"{field.wants} ({field.show(field.default)} if left out)"] if field.choices else []
    return ": ".join(about)


def _holds(pairs: Mapping[str, str], name: str, value: str) -> bool:
    """Return whether a command gives an input this value, or one that holds it."""
    return bool(value) and value.lower() in pairs.get(name, "").lower()


def refuse_answered_action(battle: Battle, answers: Sequence[str], given: Mapping[str, str]) -> Refused | None:
    """Tell why the action that one of these answers names is refused now, for the unit aimed at."""
    cards = {action.name: action for action in battle.actions}
    for card in (cards[name] for answer in answers if (name := answer.strip().lower()) in cards):
        aimed = "target" in given and "unit" in card.inputs.__struct_fields__
        return battle.refusal(card.name, {"unit": given["target"]} if aimed else {})
    return None


def parse_words(words: Sequence[str], source: str) -> dict[str, str]:
    """Return words such as unit=Wolves as a mapping; bare places are where it goes, 20,11 or 20,11 20,14."""
    values: dict[str, str] = {}
    spots = [word for word in words if BARE_SPOT.fullmatch(word)]
    if spots:
        values["at" if len(spots) == 1 else "path"] = "; ".join(spots)
    for word in words:
        if word in spots:
            continue
        name, equals, value = word.partition("=")
        if not equals or not name.strip():
            raise BadInput.of(source, f"needs name=value; got {word!r}.")
        values[name.strip().replace("-", "_")] = value
    return values


def complete_action(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return actions of the battle that begin like this."""
    try:
        return [action.name for action in _peek(ctx).actions if action.name.startswith(incomplete)]
    except BattletapeError:
        return []


def complete_param(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return parameters of the action that begin like this, from what may be done now."""
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
