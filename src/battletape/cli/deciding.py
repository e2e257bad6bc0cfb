"""Decisions while dice are rolled: asked of the players, taken as usual, or made for a goal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import click
from msgspec.structs import replace

from battletape.battle import Battle
from battletape.battle.battle import Ready
from battletape.battle.sides import deciding_sides
from battletape.cli.app import refuse_together
from battletape.cli.terminal import Column, Page, echo
from battletape.dice import Face
from battletape.errors import UnknownName
from battletape.system import Lens, Measure, nothing_forgotten
from battletape.tape.exact import Policy, first_option
from battletape.tape.path import Path
from battletape.tape.question import BY_DEFAULT, Ask
from battletape.tape.rolled import Rolled
from battletape.tape.script import Script

if TYPE_CHECKING:
    from battletape.tape.best import Play
    from battletape.tape.worth import OptionWorth

Way = Literal["ask", "first", "best"]
Prompt = Callable[[Path, Ask], str]
"""Ask a player; the answer as text."""
FIRST = "Take every decision as usual instead of asking."
BEST = "Make every decision the best for this measure, for the side that makes it."


def decision_options(command: Any) -> Any:
    """Return the options of a command that rolls dice between which players decide."""
    command = click.option("--best", metavar="GOAL", help=BEST)(command)
    return click.option("--first", "--usual", "first", is_flag=True, help=FIRST)(command)


def way_of(first: bool, best: str | None, as_json: bool, typed: bool) -> Way:
    """Return how decisions are made: asked in a terminal or between typed dice, unless it is said otherwise.

    Else as usual.
    """
    refuse_together({"--first": first, "--best": best}, "a decision is made in one way")
    if best is not None:
        return "best"
    return "ask" if not first and (typed or (not as_json and in_terminal())) else "first"


def in_terminal() -> bool:
    """Return whether a person can be asked: questions go to the error stream, answers come from the input."""
    return sys.stdin.isatty() and sys.stderr.isatty()


class Decisions:
    """How the decisions of one question or action are made, by which side, and what their options are worth."""

    def __init__(
        self,
        way: Way,
        measure: Measure | None = None,
        lens: Lens = nothing_forgotten,
        sides: Mapping[str, str] | None = None,
        usual: Policy | None = None,
    ) -> None:
        self.way, self.measure, self.sides, self.usual = way, measure, sides or {}, usual
        self.forget = lens(frozenset({measure.name})) if measure is not None else ()
        self.plays: dict[str, Play] = dict.fromkeys(measure.low_for, "min") if measure is not None else {}
        if measure is not None and self.sides:
            acting = self.sides.get("attacker", "")
            roles = {name: "attacker" if side == acting else "defender" for name, side in self.sides.items()}
            self.plays |= {name: "min" if role in measure.low_for else "max" for name, role in roles.items()}

    def side(self, ask: Ask) -> str:
        """Return the side that decides, by its name."""
        return self.sides.get(ask.by, ask.by)

    def in_order(self, ask: Ask) -> Ask:
        """Return the question with the name of the side that decides, the usual option first."""
        usual = ask.options[0] if self.usual is None else self.usual(ask)
        others = (option for option in ask.options if option != usual)
        return replace(ask, by=self.side(ask), options=(usual, *others))

    def begin(self, at: int, state: Any) -> None:
        """Tell the usual way where play stands."""
        begin = getattr(self.usual, "begin", None)
        if begin is not None:
            begin(at, state)

    def taken(self, tape: Path, ask: Ask) -> Any:
        """Return the option that is taken without asking; None if a player is to be asked."""
        if self.way == "best":
            from battletape.tape.worth import best_of

            known = self.worths(tape, ask, best=True)
            if known:
                return best_of(known, self.plays.get(ask.by, "max"))
        return None if self.way == "ask" else (self.usual or first_option)(ask)

    def text(self, tape: Path, ask: Ask) -> str | None:
        """Return the same as text; an option that was not chosen says so."""
        option = self.taken(tape, ask)
        if option is None:
            return None
        return ask.format(option) + (BY_DEFAULT if self.way == "first" else "")

    def roll_with(self, luck: Rolled, prompt: Prompt) -> Rolled:
        """Let these dice be stopped by decisions."""
        if self.way != "first":
            luck.policy = _AskedWhileRolling(self, luck, prompt)
        return luck

    def worths(self, tape: Path, ask: Ask, *, best: bool = False) -> Sequence[OptionWorth]:
        """Return what each option is worth from here; nothing where nothing is measured in numbers."""
        if self.measure is None or not tape.stages:
            return ()
        from battletape.tape.worth import Aim, Position, worths

        return worths(Position.of(tape), ask, Aim(self.measure.of, self.plays if best else {}, self.forget))

    def draw_worths(self, page: Page, tape: Path, ask: Ask) -> None:
        """Draw the options with what each is worth."""
        known = self.worths(tape, ask)
        if not known or self.measure is None:
            page.text("What comes of it is not measured in numbers.", "soft", indent=2)
            return
        from battletape.views.worth import worth_view

        view = worth_view(ask, known, self.measure, self.plays.get(ask.by, "max"))
        side = self.side(ask) or "the player"
        rows = [
            (f"{at}", words, worth, f"best for {side}" * best)
            for at, (words, worth, best) in enumerate(view.options, 1)
        ]
        page.table([Column(), Column(wraps=True), Column(right=True, style="strong"), Column(style="best")], rows)
        page.text(f"{view.about}.", "soft", indent=2)


class _AskedWhileRolling:
    """A policy of rolled dice that asks a player, or takes the best option."""

    def __init__(self, decisions: Decisions, tape: Rolled, prompt: Prompt) -> None:
        self.decisions, self.tape, self.prompt = decisions, tape, prompt

    def begin(self, at: int, state: Any) -> None:
        """Tell the usual way where play stands."""
        self.decisions.begin(at, state)

    def __call__(self, ask: Ask) -> Face:
        """Return the option that is taken."""
        taken = self.decisions.taken(self.tape, ask)
        return ask.parse(self.prompt(self.tape, ask)) if taken is None else taken


def rolled_with(luck: Rolled, decisions: Decisions) -> Rolled:
    """Return dice that stop where a player has to decide."""
    if decisions.way == "first":
        return luck
    from battletape.cli.typing_in import prompt_while_rolling

    return decisions.roll_with(luck, prompt_while_rolling(decisions))


def decisions_of_action(battle: Battle, ready: Ready, way: Way, goal: str | None) -> Decisions:
    """Return how the decisions of an action are made: without a goal for the first measure that its target has."""
    card, work = ready.action, ready.plan.begin.on(Script())
    usual = tuple(measure for measure in card.measures if measure.usual is None or measure.usual(work))
    measure = measure_of(card.name, card.measures if goal else usual, goal)
    return Decisions(way, measure, card.lens, deciding_sides(battle.rules, ready))


def may_end(battle: Battle, action: str, unit: str = "") -> bool:
    """Ask before a unit ends that has done nothing, or a phase or turn in which units may act; yes if nothing ends."""
    from battletape.views.table_talk import ends_now, skipped

    waiting = ends_now(battle, action, unit)
    if not waiting:
        return True
    title = battle.rules.action(action).title
    echo(f"{skipped(waiting)} may still act. {title} all the same? (y/n) ", sys.stderr, newline=False)
    if sys.stdin.readline().strip().lower() in ("y", "yes"):
        return True
    echo("Nothing was done.", sys.stderr)
    return False


def measure_of(source: str, measures: Sequence[Measure], goal: str | None) -> Measure | None:
    """Return the measure that options are weighed by: the one that is named, or the first."""
    if goal is None:
        plain = [measure for measure in measures if measure.words is None]
        return next(iter(plain or measures), None)
    named = next((measure for measure in measures if measure.name == goal.strip().replace("-", "_")), None)
    if named is None:
        raise UnknownName("measure", goal, [measure.name for measure in measures], source=source)
    return named
