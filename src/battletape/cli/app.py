"""The front door of the command line: finds a command, runs it, and says in a sentence what went wrong."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from importlib import import_module
from shlex import quote
from shutil import get_terminal_size
from typing import Any, NoReturn

import click

from battletape._version import VERSION
from battletape.cli import DONE, as_called, called, done, leave, unsure
from battletape.errors import BadInput, BattletapeError, file_trouble, nearest, sentence

NARROW, NARROWEST = 60, 30
"""Below so many columns help is written for a narrow terminal; it gets no narrower than that."""
REPORT = "Please report it with the command you typed and what BATTLETAPE_DEBUG=1 in front of it prints"

COMMANDS = {
    "rulesets": ("List the rule systems and what can be asked of them.", "rulesets:rulesets"),
    "odds": ("The exact odds of a question, with the steps and rules behind them.", "odds:odds"),
    "roll": ("Roll it, or type in the dice you rolled at the table.", "roll:roll"),
    "compare": ("Two or more variants of a question side by side.", "compare:compare"),
    "dice": ("Any dice: 4d6 drop lowest, 2d10+5 >= 12.", "dice:dice"),
    "rules": ("Search the rules, look one up by its id, print the tables.", "rules:rules"),
    "profiles": ("Units and weapons: list them, check your own files.", "profiles:profiles"),
    "battle": ("Keep a battle in a file: act, undo, redo, log, export.", "battle:battle"),
    "print": ("Unit cards, sheets, tables, tokens and templates on paper.", "print:print_sheets"),
    "serve": ("The web page, for this browser and for phones nearby.", "serve:serve"),
    "completion": ("Print the script that makes Tab complete names and options.", "completion:completion"),
}


class Help(click.HelpFormatter):
    """Help that fits a narrow terminal as well, where what is said of an option stands below it."""

    def __init__(self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None) -> None:
        columns = get_terminal_size().columns
        if width is None and columns < NARROW:
            width = max(columns - 1, NARROWEST)
        super().__init__(indent_increment, width, max_width)

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write how a command is written; one too long for its line stands below the word."""
        if len(f"Usage: {prog}") <= self.width:
            super().write_usage(prog, args, prefix)
            return
        self.write("Usage:\n")
        with self.indentation():
            self.write_text(f"{prog} {args}")

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write names and what is said of each, side by side or one below the other."""
        named = [(self._broken(name), about) for name, about in rows]
        if self.width >= NARROW - 2:
            super().write_dl(named, col_max, col_spacing)
            return
        for name, about in named:
            self.write(f"{'':>{self.current_indent}}{name}\n")
            with self.indentation(), self.indentation():
                self.write_text(about)

    def _broken(self, name: str) -> str:
        """Return an option with its choices; a long list of them breaks between two."""
        lines = [""]
        for part in re.findall(r"[^| ]+[| ]?", name):
            if lines[-1] and self.current_indent + len(lines[-1]) + len(part.rstrip()) > self.width:
                lines.append(" " * (self.current_indent + 2))
            lines[-1] += part
        return "\n".join(line.rstrip() for line in lines)


class Context(click.Context):
    """What a command is run in: its help keeps to the width of the terminal."""

    formatter_class = Help


class SuggestingGroup(click.Group):
    """A group of named commands; an unknown name gets the nearest one as a hint."""

    kind = "command"
    context_class = Context

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of this name; raises BadInput with the nearest one."""
        command = self.get_command(ctx, args[0])
        if command is not None:
            return args[0], command, args[1:]
        if ctx.resilient_parsing or args[0].startswith("-"):
            return super().resolve_command(ctx, args)
        known = self.list_commands(ctx)
        spelt = args[0].lower().replace("-", "_").replace(" ", "_")
        if spelt in known and (command := self.get_command(ctx, spelt)):
            return spelt, command, args[1:]
        like = nearest(args[0], known)
        hint = f" Did you mean {like!r}?" if like else f" Known: {', '.join(known)}."
        raise BadInput(f"{ctx.command_path} has no {self.kind} {args[0]!r}.{hint}", field=self.kind)


class LazyGroup(SuggestingGroup):
    """A group that imports the module of a command when the command runs; `listing` names them."""

    def __init__(self, *args: Any, package: str, listing: dict[str, tuple[str, str]], **more: Any) -> None:
        super().__init__(*args, **more)
        self.package, self.listing = package, listing

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands, in the order in which a newcomer needs them."""
        return list(self.listing)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name, imported now."""
        if cmd_name not in self.listing:
            return None
        module, _, name = self.listing[cmd_name][1].partition(":")
        command: click.Command = copy(getattr(import_module(f"{self.package}.{module}"), name))
        command.context_class = Context
        command.help = as_called(command.help) if command.help else None  # of the copy: the next call may differ
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (about, _) in self.listing.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Return the commands that begin like this, without importing any."""
        from click.shell_completion import CompletionItem

        items = [CompletionItem(n, help=about) for n, (about, _) in self.listing.items() if n.startswith(incomplete)]
        return items + click.Command.shell_complete(self, ctx, incomplete)


def report_unwritten(error: OSError) -> int:
    """Say that the output could not be written, and write no more."""
    return leave(_print_error(f"the output could not be written: {file_trouble(error, writing=True)}", 2))


class RootGroup(LazyGroup):
    """The first group: turns every error into a sentence."""

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> NoReturn:
        """Run and end the process; every error becomes a sentence."""
        started = os.path.basename(sys.argv[0]) if sys.argv else ""
        name = prog_name or _called() or (started if started == "bt" else "battletape")
        called[0] = name
        done.clear()
        unsure.clear()
        code = self._run(list(sys.argv[1:] if args is None else args), name)
        try:
            sys.stdout.flush()
        except BrokenPipeError:
            code = leave(0)
        except OSError as error:
            code = report_unwritten(error)
        sys.exit(DONE if unsure and code == 0 else code)

    def get_help(self, ctx: click.Context) -> str:
        """Return the help, with commands that begin with the name we were started by."""
        return as_called(super().get_help(ctx))

    def _run(self, args: list[str], prog_name: str) -> int:
        sys.set_int_max_str_digits(0)  # exact fractions of long chains have thousands of digits
        for stream in (sys.stdout, sys.stderr):
            _never_fails(stream)
        try:
            return self._complete(prog_name) or self._invoke(args, prog_name)
        except (click.Abort, KeyboardInterrupt):
            return _print_error("interrupted", 130) if done else 130
        except BrokenPipeError:
            return leave(0)
        except click.ClickException as error:
            return _print_error(usage_sentence(error, self._path(args, prog_name)), error.exit_code)
        except BattletapeError as error:
            return _print_error(str(error), DONE if getattr(error, "was_done", False) else 2)
        except OSError as error:
            subject = f"{error.filename}: " if error.filename else "the output could not be written: "
            return leave(_print_error(subject + file_trouble(error, writing=not error.filename), 2))
        except Exception as error:
            if os.environ.get("BATTLETAPE_DEBUG"):
                raise
            return _print_error(
                f"Battletape failed, and not by your doing: {type(error).__name__}: {error}. {REPORT}.", 1
            )

    def _invoke(self, args: list[str], prog_name: str) -> int:
        try:
            with self.make_context(prog_name, args) as ctx:
                self.invoke(ctx)
        except click.exceptions.Exit as end:
            return end.exit_code
        return 0

    def _path(self, args: list[str], prog_name: str) -> str:
        """Return the command that was meant, as far as its words are known."""
        ctx = click.Context(self, info_name=prog_name)
        command: SuggestingGroup = self
        for word in args:
            named = command.get_command(ctx, word)
            if named is None:
                break
            ctx = click.Context(named, ctx, info_name=word)
            if not isinstance(named, SuggestingGroup):
                break
            command = named
        return ctx.command_path

    def _complete(self, prog_name: str) -> int | None:
        """Answer a shell that asks for completions; None if none does."""
        variable = f"_{prog_name.upper()}_COMPLETE"
        instruction = os.environ.get(variable)
        if not instruction:
            return None
        from click.shell_completion import shell_complete

        sys.exit(shell_complete(self, {}, prog_name, variable, instruction))


def _called() -> str:
    """Return what ./run was called by, if it started us."""
    by = os.environ.get("BATTLETAPE_CALLED", "")
    return quote(by) if by else ""


def usage_sentence(error: click.ClickException, path: str) -> str:
    """Return an error of click in our words, with a way on; `path` is the command that was meant."""
    message = error.format_message()
    ctx = getattr(error, "ctx", None)
    path = ctx.command_path if ctx else path
    if isinstance(error, click.NoSuchOption):
        opts = [name for param in ctx.command.get_params(ctx) for name in param.opts] if ctx else []
        names = {name.lstrip("-"): name for name in opts}
        like = nearest(error.option_name.lstrip("-"), names)
        hint = f" Did you mean {names[like]}?" if like else ""
        if like and not names[like].startswith("-"):
            hint = f" The {like} is said without a name: {path} {like.upper()}."
        message = f"{path} has no option {error.option_name}.{hint}"
    elif isinstance(error, click.MissingParameter) and error.param is not None:
        message = f"{path} needs {error.param.make_metavar(ctx) if ctx else error.param.name}."
    if isinstance(error, click.UsageError) and "Did you mean" not in message:
        message = f"{sentence(message)} Try: {path} --help"
    return message


def refuse_alone(option: str, value: Any, needs: str, present: Any) -> None:
    """Refuse an option that works only together with another, instead of ignoring it."""
    if _is_given(value) and not _is_given(present):
        raise BadInput(f"{option} needs {needs}, which is missing; add {needs}, or leave {option} out.")


def refuse_together(options: Mapping[str, Any], why: str = "only one of them can be done") -> None:
    """Refuse two options if one of them would be ignored."""
    given = [name for name, value in options.items() if _is_given(value)]
    if len(given) > 1:
        raise BadInput(f"{given[0]} does not go with {given[1]}: {why}; leave one of them out.")


def _is_given(value: Any) -> bool:
    return value is not None and value is not False and value != ()


def _print_error(words: str, code: int) -> int:
    """Say what went wrong, and what was done before; returns the exit code."""
    from battletape.cli.terminal import page

    if done:
        words, code = " ".join([sentence(words), *done]), DONE
    shown = page(sys.stderr)
    if sys.stderr.isatty():
        shown.text(words, "wrong")
    else:  # in a file or pipe a sentence stays on one line
        shown.line((words, "wrong"))
    try:
        shown.show(sys.stderr)
    except OSError:  # the stream is closed, or there is no room for it
        return leave(code)
    return code


def _never_fails(stream: Any) -> None:
    """Let a stream escape what it cannot write, such as a stray byte of a damaged file, instead of failing."""
    if getattr(stream, "errors", None) == "strict" and hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="backslashreplace")


@click.command(
    cls=RootGroup,
    package=__package__,
    listing=COMMANDS,
    invoke_without_command=True,
    epilog="Any command explains itself: battletape odds --help",
)
@click.version_option(VERSION, prog_name="battletape", message="%(prog)s %(version)s")
@click.pass_context
def app(ctx: click.Context) -> None:
    """Tabletop battles: exact odds, rolls, real dice and whole battles from one definition of each rule.

    \b
    Examples:
      $ battletape odds vehicles5 shoot --guns "4 lascannons" --vehicle anvil
      $ battletape roll attack_dice attack --attacks 12 --power 6 --seed 7
      $ battletape rules attack_dice save
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
