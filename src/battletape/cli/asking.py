"""Questions as commands: `odds RULESET QUESTION --options`, where the options come from the question's inputs."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import click

from battletape import registry
from battletape.cli.app import Context, SuggestingGroup
from battletape.cli.files import read_inputs
from battletape.cli.terminal import page
from battletape.errors import BadInput, BattletapeError, UnknownName
from battletape.inputs import Field, Inputs, fields, quoted, split_entries
from battletape.system import Question, Ruleset
from battletape.views.catalogue import GROUPS, group_title
from battletape.words import is_count

Complete = Callable[[click.Context, click.Parameter, str], list[str]]


class Verb(NamedTuple):
    """What a command does with a question."""

    options: Callable[[Ruleset, Question], Sequence[click.Option]]  # besides the inputs
    run: Callable[[Ruleset, Question, dict[str, Any], dict[str, Any]], None]  # (…, what was given, its own options)
    example: Callable[[Question], str] = lambda question: ""  # what an example needs besides the inputs


REPEATED = ("many", "names", "whole_list")
LISTING: dict[str, Any] = {"invoke_without_command": True, "no_args_is_help": False}
"""A group without its next word lists what is available."""


class Rulesets(SuggestingGroup):
    """A command's first word: the ruleset."""

    kind = "ruleset"

    def __init__(self, name: str, about: str, verb: Verb) -> None:
        super().__init__(name, help=about, callback=_list, **LISTING, subcommand_metavar="RULESET QUESTION [OPTIONS]")
        self.verb = verb

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the rulesets."""
        return registry.names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a ruleset as a group of its questions."""
        try:
            return Questions(registry.ruleset(cmd_name), self.verb)
        except UnknownName:
            return None


class Questions(SuggestingGroup):
    """A command's second word: the question."""

    kind = "question"

    def __init__(self, ruleset: Ruleset, verb: Verb) -> None:
        about = f"{ruleset.title}: {ruleset.summary}"
        super().__init__(ruleset.name, help=about, callback=_list, **LISTING, subcommand_metavar="QUESTION [OPTIONS]")
        self.ruleset, self.verb = ruleset, verb

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the questions."""
        return [question.name for question in self.ruleset.questions]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a question as a command."""
        question = next((question for question in self.ruleset.questions if question.name == cmd_name), None)
        return None if question is None else QuestionCommand(self.ruleset, question, self.verb, ctx)


class QuestionCommand(click.Command):
    """A question as a command: an option for each input and ruling, and the command's own options."""

    context_class = Context

    def __init__(self, ruleset: Ruleset, question: Question, verb: Verb, ctx: click.Context) -> None:
        self.ruleset, self.question, self.verb = ruleset, question, verb
        self.own = list(verb.options(ruleset, question))
        self.inputs = {field.name: field for field in fields(question.inputs)}
        self.rulings = {field.name: field for field in fields(ruleset.rulings) if field.name not in self.inputs}
        taken = {name for option in self.own for name in option.opts}
        self.options = {
            name: field_option(field, taken, ruleset) for name, field in {**self.inputs, **self.rulings}.items()
        }
        about = (
            f"{question.title}\n\n\b\nExample:\n  $ {example_line(ctx.command_path, question)}{verb.example(question)}"
        )
        super().__init__(
            question.name,
            params=[*self.options.values(), *self.own],
            help=about,
            short_help=question.title,
            context_settings={"token_normalize_func": _dashes, "max_content_width": 100},
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options; an unknown one that is a key of a list's entries is shown where it belongs."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            hint = self._belongs(error.option_name, given) or self._instead_of(error.option_name)
            sentence = f"{ctx.command_path} has no option {error.option_name}.{hint}"
            more = "" if "Did you mean" in hint else f" Try: {ctx.command_path} --help"
            raise BadInput(sentence + more, field="option") from None

    def _instead_of(self, option: str) -> str:
        """Return the option that is meant by one that there is not."""
        own = {name.lstrip("-").replace("-", "_"): name for param in self.own for name in param.opts}
        every = {**own, **{name: option.opts[0] for name, option in self.options.items()}, "help": "--help"}
        asked = option.lstrip("-").replace("-", "_")
        return " " + self.ruleset.instead_of(self.question, asked, lambda name: every.get(name, name), own)

    def _belongs(self, option: str, args: Sequence[str]) -> str:
        key = option.lstrip("-").replace("-", "_")
        lists = [f for f in self.inputs.values() if f.item is not None and key in f.item.__struct_fields__]
        if not lists:
            return ""
        words = list(args)
        after = words[words.index(option) + 1 :] if option in words else []
        value = next((word for word in words if word.startswith(f"{option}=")), "").partition("=")[2]
        value = value or (after[0] if after and not after[0].startswith("--") else "…")
        pair = value if key == fields(lists[0].item)[0].name and value != "…" else f"{key}={quoted(value)}"
        home = self.options[lists[0].name].opts[0]
        if "=" in pair and words.count(home) == 1:  # it is said of the entry that is there
            pair = f"{' '.join(words[words.index(home) + 1 : words.index(home) + 2])} {pair}".strip()
        return f" Did you mean {home} {quoted(pair)}?"

    def invoke(self, ctx: click.Context) -> None:
        """Gather what was given and hand it on; the command line wins over the file."""
        params = ctx.params
        given = {name: params.pop(option.name) for name, option in self.options.items()}
        for name, field in self.inputs.items():
            if field.kind == "text" and isinstance(given[name], str) and not given[name].strip():
                option = self.options[name].opts[0]
                raise BadInput(f"{option} needs a name; got nothing. Leave {option} out if there is none.", field=name)
        given = {name: self._repeated(name, value) for name, value in given.items() if value not in (None, ())}
        own_profiles = params.pop("own_profiles", ())
        ruleset = self.ruleset.with_profiles(*own_profiles) if own_profiles else self.ruleset
        path, preset = params.pop("input_file", None), params.pop("preset", None)
        values = {**(read_inputs(path, ruleset, self.question) if path else {}), **given}
        if preset is not None:
            values["preset"] = preset
        if not params.get("as_json") and not params.get("as_csv"):
            _tell_understood(ruleset, self.question, values)
        self.verb.run(ruleset, self.question, values, params)

    def _repeated(self, name: str, value: Any) -> Any:
        """Return what a repeated option gives: a list of entries, or names and numbers with commas between them."""
        if not isinstance(value, tuple):
            return value
        kind = {**self.rulings, **self.inputs}[name].kind
        return [entry for text in value for entry in _entries(text)] if kind == "many" else ",".join(value)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options in groups: attacker, target, circumstances, rulings, answer."""
        groups: dict[str, list[click.Option]] = {title: [] for title in GROUPS.values()}
        shown = self.question.rulings
        for name, option in self.options.items():
            if name in self.rulings and shown is not None and name not in shown:
                continue
            title = group_title(self.inputs[name]) if name in self.inputs else "Rulings"
            groups.setdefault(title, []).append(option)
        groups["Answer"] = [param for param in self.get_params(ctx) if param in self.own or param.name == "help"]  # type: ignore[misc]
        for title, options in groups.items():
            if not options:
                continue
            records = [record for option in options if (record := option.get_help_record(ctx)) is not None]
            with formatter.section(title):
                formatter.write_dl(records, col_max=24)
        hidden = 0 if shown is None else len(self.rulings) - len(shown)
        if hidden:
            others = (
                f"{hidden} more rulings are about other things; they are accepted, and odds --rulings lists them all."
            )
            formatter.write_paragraph()
            formatter.write_text(others)


def field_option(field: Field, taken: set[str], ruleset: Ruleset) -> click.Option:
    """Return an option for one input; its text is parsed later, so that misfits read alike everywhere."""
    name = "--" + field.name.replace("_", "-")
    if name in taken:
        name = f"--{field.name.replace('_', '-')}-input"
    has_metavar = field.kind in ("choice", "text", "yes_no")  # the metavar shows the choices, or there are none
    about = f"{field.title}." if has_metavar else f"{field.title}: {field.wants}."
    if field.description:
        about += f" {field.description.rstrip('.')}."
    if field.item is not None and field.form != "places":
        about += f" {_keys(field.item)}"
    default = field.show(field.default)
    about += (f" [{default}]" if default else "") + (f" {field.clause}" if field.clause else "")
    option = click.Option(
        [name, f"given_{field.name}"],
        help=about,
        metavar=_metavar(field),
        multiple=field.kind in REPEATED,
        shell_complete=_completes(field, ruleset),
    )
    if field.kind == "yes_no":  # --cover alone means yes
        option = click.Option(
            [name, f"given_{field.name}"],
            help=about,
            metavar="[yes|no]",
            is_flag=False,
            flag_value="yes",
            shell_complete=_yes_no,
        )
    return option


def common_options(ruleset: Ruleset) -> list[click.Option]:
    """Return the options that every command with a question has."""
    options = [
        click.Option(["--input", "input_file"], metavar="FILE.toml", help="Inputs from a file; options here win."),
        click.Option(["--json", "as_json"], is_flag=True, help="Print JSON, with fractions as text."),
    ]
    if ruleset.presets:
        presets = "|".join(ruleset.presets)
        about = "A named set of rulings to start from."
        options.insert(
            1, click.Option(["--preset"], metavar=presets, help=about, shell_complete=_among(ruleset.presets))
        )
    if ruleset.profiles is not None:
        about = "Your own units and weapons, besides ours; may be repeated."
        options.insert(1, click.Option(["--profiles", "own_profiles"], metavar="FILE.toml", multiple=True, help=about))
    return options


def measure_option(question: Question, about: str, *, multiple: bool = False) -> click.Option:
    """Return an option that names a measure of the question."""
    names = [measure.name for measure in question.measures]
    return click.Option(
        ["--measure"], metavar="|".join(names), multiple=multiple, help=about, shell_complete=_among(names)
    )


def example_line(path: str, question: Question) -> str:
    """Return a command line that asks the question's own example."""
    lists = {field.name: field.item for field in fields(question.inputs) if field.item is not None}
    given = {
        name: [_counted(entry, lists[name]) for entry in value] if name in lists else value
        for name, value in question.example.items()
    }
    return f"{path} {question.name}" + option_text(given)


def _counted(entry: Any, item: type[Inputs] | None) -> Any:
    """Return an entry as people say it, if it has a name that leads it: 4 x Lascannon facing=side."""
    if item is None or not isinstance(entry, Mapping):
        return entry
    named, counted = fields(item)[0], item.counted_by
    if not named.takes_profile or not entry.get(named.name):
        return entry
    rest = {key: value for key, value in entry.items() if key not in (named.name, counted)}
    count = f"{entry[counted]} x " if entry.get(counted, 1) != 1 else ""
    return f"{count}{entry[named.name]} {_written(rest)}".strip()


def option_text(given: Mapping[str, Any]) -> str:
    """Return inputs as options of a command line."""
    words = []
    for name, value in given.items():
        for part in value if isinstance(value, (list, tuple)) else (value,):
            words.append(f" --{name.replace('_', '-')} {quoted(_written(part))}")
    return "".join(words)


def _written(value: Any) -> str:
    """Return a value as people write it: an entry as pairs, entries inside it with “;” between them."""
    if isinstance(value, Mapping):
        return " ".join(f"{name}={shlex.quote(_written(part))}" for name, part in value.items())
    if isinstance(value, (list, tuple)):
        return (" ; " if any(isinstance(part, Mapping) for part in value) else ",").join(map(_written, value))
    return "yes" if value is True else "no" if value is False else str(value)


def seed_of(text: str | None) -> int | str | None:
    """Return a seed as Python takes it: 7 and "7" are the same luck."""
    return int(text) if text is not None and is_count(text.removeprefix("-")) else text


def whole(text: str | None, name: str, low: int, high: int) -> int | None:
    """Return a whole number for one of the command's own options."""
    if text is None:
        return None
    plain = text.replace(",", "").replace("_", "")
    if not is_count(plain.removeprefix("-")) or not low <= int(plain) <= high:
        raise BadInput(f"--{name} must be a whole number from {low:,} to {high:,}; got {text!r}.", field=name)
    return int(plain)


def _tell_understood(ruleset: Ruleset, question: Question, values: Mapping[str, Any]) -> None:
    """Say how names were read that were typed in another way; what does not fit at all is told later."""
    if not any(isinstance(value, (str, list, tuple)) for value in values.values()):
        return
    from battletape.views.short_inputs import understood

    try:
        readings = understood(ruleset, question, values)
    except BattletapeError:
        return
    if readings:
        shown = page()
        for sentence in readings:
            shown.text(sentence, "soft")
        shown.show()


@click.pass_context
def _list(ctx: click.Context) -> None:
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def _entries(text: str) -> list[str]:
    """Return the entries in one value of an option, with “;” between them."""
    return split_entries(text) or [text]


def _keys(item: type[Inputs]) -> str:
    """Return the keys of an entry with their defaults, for a help text."""
    shown = ((field.name, field.show(field.default)) for field in fields(item))
    return "Its keys: " + ", ".join(f"{name} [{default}]" if default else name for name, default in shown) + "."


def _dashes(name: str) -> str:
    return name.replace("_", "-")


def _metavar(field: Field) -> str:
    if field.kind == "choice":
        return "|".join(map(str, field.choices))
    if field.form == "save":
        return "N+"
    if field.form == "places":
        return "“at X,Y”"
    names = {"whole": "N", "number": "X", "whole_list": "N,N…", "names": "NAME,…", "many": "“KEY=VALUE…”"}
    return names.get(field.kind, "TEXT")


def _completes(field: Field, ruleset: Ruleset) -> Complete | None:
    if field.kind == "choice":
        return _among([*map(str, field.choices), *(["none"] if field.optional else [])])
    if field.form == "save" and field.low is not None and field.high is not None:
        return _among([f"{number}+" for number in range(field.low, field.high + 1)])
    if field.kind == "text" and ruleset.profiles is not None:
        return _profile_names(field.name, ruleset)
    return None


def _profile_names(kind: str, ruleset: Ruleset) -> Complete:
    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
        names = ruleset.book.entries.get(kind, {})
        return shell_names(name for name in names if name.lower().startswith(incomplete.lower()))

    return complete


def shell_names(names: Iterable[str]) -> list[str]:
    """Return names as a completion may insert them: bash inserts them as they are, the other shells quote them."""
    shell = next((value for name, value in os.environ.items() if name.endswith("_COMPLETE")), "")
    return [re.sub(r"([^\w.-])", r"\\\1", name) if shell.startswith("bash") else name for name in names]


def _among(names: Any) -> Complete:
    known = [str(name) for name in names]

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
        return [name for name in known if name.startswith(incomplete)]

    return complete


_yes_no = _among(("yes", "no"))
