"""`battletape battle play`: the battle at an interactive table that stays loaded; each move is saved as it is made."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from typing import Any, TextIO

import click

from battletape.battle import Battle
from battletape.battle.battle import Option
from battletape.battle.intents import (
    LENGTHS,
    heading_word,
    intended,
    known_place,
    nearest_goals,
    parse_intent,
    takes_place,
    way_words,
)
from battletape.battle.journal import Move
from battletape.battle.report import score_line
from battletape.battle.store import BattleFile, ChangedMeanwhile, open_battle
from battletape.cli.app import refuse_together
from battletape.cli.asking import seed_of
from battletape.cli.battle.options import FILE, named_file, open_file
from battletape.cli.battle.pages import draw_battle, draw_move, unbroken
from battletape.cli.deciding import BEST, FIRST, Decisions, Way, decisions_of_action, rolled_with
from battletape.cli.drawing import MAX_BARS, draw_answer, draw_board, draw_log
from battletape.cli.roll import fresh_seed
from battletape.cli.terminal import Column, Page, echo, page, size
from battletape.errors import BadInput, BattletapeError, UnknownName, sentence
from battletape.inputs import fields, quoted, value_of
from battletape.system import NAMED, Action
from battletape.table.points import Point
from battletape.tape.path import Path
from battletape.tape.rolled import Rolled
from battletape.views.battle import MoveView, battle_view, command_text, last_move, log_view, where_text
from battletape.views.table_talk import (
    Choice,
    TableTalk,
    choice_of,
    ends_now,
    moves_now,
    reaches,
    skipped,
    table_talk,
)
from battletape.words import capital, matching_names

MOST_WAYS = 9
"""How many ways to do one thing are listed at first."""
MOST_UNITS = 20
"""How many units are listed at first."""
WAY = 6
"""Inches or metres of the moves that are given as examples."""
LAST_MOVES = 5
"""How many moves the log shows unless more are asked for."""
HELP = (
    ("Enter", "the next step, as the last line says: a unit, the first thing it may do, or the end of a phase"),
    ("3, Boyz", "a number of the list, or a name: the unit is taken in hand, the option is done"),
    ("shoot Boyz", "an action with names; of the unit in hand, or say unit=…"),
    ("6 north", "moves the unit in hand: also 14,16, 6 sw, 6 towards Boyz, into the ruin; “run 6 north” names how"),
    ("fire guns=all", "an action with its inputs, as `bt battle do` takes them; ? fire says which"),
    ("o, o 3", "the odds of the options listed, the best one marked; of one in full"),
    ("w", "which units can be turned against which enemies"),
    ("m, s, l", "the map; how all stands; the log (l 20: that many moves)"),
    ("a", "all that may be done now; a fire: of one action, and why not"),
    ("u, r", "take the last move back; make it again"),
    ("e", "end the phase"),
    ("dice", "type real dice, or let them be rolled: dice typed, dice rolled"),
    ("luck", "how lucky each side has been so far"),
    ("q", "leave; everything is saved"),
)


@click.command()
@click.option("--seed", metavar="SEED", help="The luck of the dice: with the same words, the same battle.")
@click.option("--typed", is_flag=True, help="Begin with typed dice; “dice rolled” changes that.")
@click.option("--first", "--usual", "first", is_flag=True, help=FIRST)
@click.option("--best", metavar="GOAL", help=BEST)
@click.option("--file", "path", metavar="FILE", default=FILE, envvar="BATTLETAPE_FILE", help=f"The battle. [{FILE}]")
def play(seed: str | None, typed: bool, first: bool, best: str | None, path: str) -> None:
    """Play at an interactive table: units and options by number or name, odds, the map, undo, typed or rolled dice.

    Enter takes the next step, ? lists all that can be said. Each move is saved as it is made, so that the table can be
    left and come back to at any time. It also takes its words from a pipe, one in each line.

    \b
    Examples:
      $ battletape battle play
      $ battletape battle play --seed 7
    """
    refuse_together({"--first": first, "--best": best}, "a decision is made in one way")
    file = open_file(path)
    if best is not None:
        need_goal(file.battle, best)
    Session(file, None if seed is None else seed_of(seed), typed, first, best).run()


def need_goal(battle: Battle, goal: str) -> None:
    """Refuse a goal that no action of the battle measures."""
    known = dict.fromkeys(measure.name for action in battle.actions for measure in action.measures)
    if goal not in known:
        raise UnknownName("goal", goal, known)


class Leave(Exception):
    """The player leaves the table."""


class ReadAgain(BadInput):
    """A move was not made, for its file was changed meanwhile; the battle is the one in the file now."""


class Session:
    """A battle that is being played: its file, the unit in hand, and the list that numbers refer to."""

    def __init__(self, file: BattleFile, seed: int | str | None, typed: bool, first: bool, best: str | None) -> None:
        self.file, self.seed, self.typed, self.first, self.best = file, seed, typed, first, best
        self.unit = ""  # in hand
        self.seen: set[str] = set()  # the units that were in hand in this phase
        self.listed: list[Choice | str] = []  # what numbers stand for: options, or units by name
        self.talk = TableTalk((), (), (), (), ())
        self.shown = page()
        self.lines = Lines()
        self.unsaved = ""  # why the last move is not in the file

    @property
    def battle(self) -> Battle:
        """The battle as it stands."""
        return self.file.battle

    def run(self) -> None:
        """Play until the player leaves or the input ends."""
        with redirect_stderr(sys.stdout), self.lines.echoed():
            draw_title(self.shown, self.battle)
            self.look()
            while True:
                self.shown.show()
                try:
                    self.obey(self.lines.read("> ").strip())
                except (EOFError, Leave):
                    break
                except KeyboardInterrupt:
                    echo("")
                    break
                except BattletapeError as error:
                    self.shown.lines.clear()
                    self.shown.text(sentence(error), "wrong")
                    if isinstance(error, ReadAgain):
                        self.look()
            if self.unsaved:
                self.shown.text(f"Not saved: {self.unsaved}", "wrong")
            else:
                named = named_file(str(self.file.path))
                go_on = f"battletape battle play{f' --file {quoted(named)}' if named else ''}"
                self.shown.text(f"Saved in {self.file.path}; on with: {go_on}", "soft")
            self.shown.show()

    # --- what is said ---------------------------------------------------------------------------------------------

    def obey(self, line: str) -> None:
        """Do what a line says."""
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        known = {name: deed for names, deed in self.deeds().items() for name in names}
        if line.startswith("#"):
            return
        if not line:
            self.next_step()
        elif word.isdigit() and not parse_intent(line):
            if rest:
                raise BadInput(
                    f"a number of the list stands alone, and dice are typed when they are asked; got {line!r}"
                )
            self.by_number(int(word))
        elif word.lower() in known and not self.is_action(line):
            known[word.lower()](rest)
        elif (intent := parse_intent(line)) is not None:
            self.move(self.in_hand(), intent, None)
        else:
            self.by_words(line, word, rest)

    def deeds(self) -> dict[tuple[str, ...], Callable[[str], None]]:
        """Return what single words do."""
        return {
            ("?", "h", "help"): self.help,
            ("o", "odds"): self.odds,
            ("w", "who"): lambda _: self.who(),
            ("m", "map", "board"): lambda _: self.map(),
            ("s", "show"): lambda _: draw_battle(self.shown, battle_view(self.battle)),
            ("l", "log"): self.log,
            ("a", "all"): self.all,
            ("u", "undo"): lambda _: self.turn_back("Taken back", self.battle.pop),
            ("r", "redo"): lambda _: self.turn_back("Made again", self.battle.redo),
            ("e", "end"): lambda _: self.end(),
            ("dice",): self.dice,
            ("luck",): lambda _: self.luck(),
            ("b", "back"): lambda _: self.put_down(),
            ("q", "quit", "exit"): lambda _: self.leave(),
        }

    def is_action(self, line: str) -> bool:
        """Return whether a line with a word of ours is an action of the system all the same: it says name=value."""
        return "=" in line and any(action.name == line.partition(" ")[0] for action in self.battle.actions)

    def leave(self) -> None:
        """End the session."""
        raise Leave

    def by_number(self, number: int) -> None:
        """Take the unit or do the option of this number."""
        if not 1 <= number <= len(self.listed):
            known = f"the list has 1 to {len(self.listed)}" if self.listed else "nothing is listed; a lists everything"
            raise BadInput(f"there is no number {number}: {known}")
        choice = self.listed[number - 1]
        if isinstance(choice, str):
            self.take(choice)
        else:
            self.do(choice.option.action, choice.option)

    def by_words(self, line: str, word: str, rest: str) -> None:
        """Take an option as it is listed, or a name of a unit or action with what is said of it."""
        listed = [choice for choice in self.listed if not isinstance(choice, str)]
        fitting = [choice for choice in listed if choice.words.lower() == line.lower()]
        if len(fitting) == 1:
            self.do(fitting[0].option.action, fitting[0].option)
            return
        names = [action.name for action in self.battle.actions]
        spelt = word.lower().replace("-", "_")
        action = spelt if spelt in names else None
        units = self.unit_names()
        meant = matching_names(line, units)
        if action is None and len(meant) == 1:
            self.take(meant[0])
        elif action is not None:
            self.give(self.battle.rules.action(action), rest)
        elif len(meant) > 1:
            raise UnknownName("unit", line, units)
        else:
            self.with_unit(line, units, names)

    def with_unit(self, line: str, units: Sequence[str], names: Sequence[str]) -> None:
        """Take a line that begins with a unit: “Company 6 north”, “Anvil fire”."""
        words = line.split(" ")
        for at in range(len(words) - 1, 0, -1):
            meant = matching_names(" ".join(words[:at]), units)
            rest = " ".join(words[at:])
            if len(meant) == 1 and (parse_intent(rest) or words[at].lower() in names):
                self.unit = meant[0]
                self.obey(rest)
                return
        raise UnknownName("unit or action", line, [*units, *names])

    def unit_names(self) -> list[str]:
        """Return the units that may do something now, then all others."""
        every = (unit.name for unit in getattr(self.battle.state, "units", ()))
        return list(dict.fromkeys((*self.talk.units, *every)))

    def give(self, card: Action, rest: str) -> None:
        """Give an action with inputs, bare names, or a way to go."""
        intent = parse_intent(rest) if takes_place(card) else None
        if intent is not None:
            self.move(self.in_hand(), intent, card)
            return
        given, bare = split_words(rest)
        if bare and set(given) <= {"unit"} and takes_place(card) and (intent := parse_intent(bare)) is not None:
            named = matching_names(given.get("unit", self.unit), self.unit_names())
            self.move(named[0] if len(named) == 1 else self.in_hand(), intent, card)
            return
        names = [field.name for field in fields(card.inputs)]
        if self.unit and "unit" in names and "unit" not in given and self.may_use(card, self.unit):
            given["unit"] = self.unit
        free = [name for name in ("target", *NAMED) if name in names and name not in given]
        if bare and not given.keys() - {"unit"} and (listed := self.as_listed(card, bare)) is not None:
            if listed.refused is not None:
                raise listed.refused
            self.do(card, listed)
            return
        if bare:
            if not free:
                raise BadInput(f"{card.name} takes {', '.join(names) or 'nothing'}, as name=value; got {bare!r}")
            given[free[0]] = bare
        ways = [choice for choice in self.choices() if choice.option.action is card and self.agrees(choice, given)]
        wanted = [name for name in given if name != "unit"]
        if not wanted and len(ways) > 1:
            self.list_choices(ways, f"{capital(card.title)}:")
            return
        if len(ways) == 1 and set(given) <= set(NAMED):
            self.do(card, ways[0].option)
            return
        self.do(card, None, given)

    def as_listed(self, card: Action, words: str) -> Option | None:
        """Return the option that these words name as a list would, refused or not; that of the unit in hand first."""
        said = f"{card.name} {words}".lower()
        fits = [way for way in self.battle.options_of(card.name) if choice_of(self.battle, way).words.lower() == said]
        own = [way for way in fits if not self.unit or choice_of(self.battle, way).unit == self.unit]
        return next((way for way in own if way.refused is None), own[0] if own else None)

    def choices(self) -> tuple[Choice, ...]:
        """Return every choice there is, those beside the game as well."""
        aside = (option for option in self.battle.legal() if option.action.aside) if self.talk.aside else ()
        own = (*self.talk.choices, *self.talk.others, *self.talk.onward)
        return (*own, *(choice_of(self.battle, option) for option in aside))

    def may_use(self, card: Action, unit: str) -> bool:
        """Return whether an action is meant of the unit in hand: it has it among its choices, or no other unit has."""
        able = {choice.unit for choice in self.choices() if choice.option.action is card}
        return unit in able or not able

    @staticmethod
    def agrees(choice: Choice, given: dict[str, str]) -> bool:
        """Return whether a choice is one that the names given so far may mean."""
        values = {name: value for name in NAMED if isinstance(value := value_of(choice.option.params, name), str)}
        return all(bool(matching_names(text, [values[name]])) for name, text in given.items() if name in values)

    # --- the next step --------------------------------------------------------------------------------------------

    def next_step(self) -> None:
        """Do what Enter does: list what the next unit may do, or go on where none is left."""
        following = self.following()
        if isinstance(following, Choice):
            self.do(following.option.action, following.option)
        elif following in self.talk.units:
            self.take(following)
        else:
            raise BadInput(following)

    def following(self) -> Choice | str:
        """Return the next step: a unit to take in hand, a choice to make, or what to say if there is none."""
        talk = self.talk
        if self.battle.over:
            return f"the battle is over: {self.battle.over}; u takes the last move back, q leaves"
        if talk.others and not any(choice.option.action.goes_on for choice in talk.others) and not talk.waiting:
            return talk.others[0]
        if self.unit in talk.units and self.is_listed():
            usual = self.usual(self.unit)
            if usual is not None and (self.unit in talk.waiting or not talk.onward):
                return usual
        left = next((name for name in talk.waiting if name not in {*self.seen, self.unit}), "")
        if left or talk.onward:
            return left or talk.onward[0]
        if len(talk.choices) == 1 or self.unit in talk.units:
            return next(choice for choice in talk.choices if choice.unit == self.unit or not self.unit)
        return talk.units[0] if talk.units else "nothing can be done now; u takes the last move back, q leaves"

    def usual(self, unit: str) -> Choice | None:
        """Return what a unit usually does now: an option of an action that it has not taken yet in this phase.

        Where moves are listed first, it goes towards something; else it does the first thing with odds, or the first.
        """
        made = set(moves_now(self.battle))
        left = [each for each in self.talk.of(unit) if (unit, each.option.action.name) not in made]
        if left and (takes_place(left[0].option.action) or value_of(left[0].option.params, "heading") is not None):
            return next((each for each in left if value_of(each.option.params, "towards")), left[0])
        attacks = (each for each in left if each.option.action.measures and not each.option.action.goes_on)
        return next(attacks, left[0] if left else None)

    def is_listed(self) -> bool:
        """Return whether the options of the unit in hand are the list."""
        return bool(self.listed) and not isinstance(self.listed[0], str)

    def end(self) -> None:
        """End what the game stands at: a phase, or a unit's turn where there are no phases."""
        for wanted in ("phase", "unit", "turn"):
            for choice in self.talk.onward:
                if choice.option.action.goes_on == wanted:
                    self.do(choice.option.action, choice.option)
                    return
        raise BadInput("nothing can be ended now; a lists all that may be done")

    # --- doing ----------------------------------------------------------------------------------------------------

    def in_hand(self) -> str:
        """Return the unit in hand, or the only one that can be meant."""
        if self.unit:
            return self.unit
        if len(self.talk.waiting) == 1:
            return self.talk.waiting[0]
        raise BadInput("no unit is in hand; name it first, such as: " + f"{(self.talk.units or ('Anvil',))[0]} 6 north")

    def move(self, unit: str, intent: Any, card: Action | None) -> None:
        """Move a unit by intent: by the action named, or the first that takes a place and allows it."""
        battle = self.battle
        able = dict.fromkeys(choice.option.action for choice in self.talk.choices if choice.unit == unit)
        cards = [card] if card is not None else [action for action in able if takes_place(action)]
        if not cards:
            cards = [action for action in battle.actions if takes_place(action) and not action.aside][:1]
        first: BattletapeError | None = None
        for action, manner in [(each, manner) for each in cards for manner in self.manners(each, unit)]:
            given = intended(battle.rules, action, battle.state, unit, intent) | manner
            try:
                battle.plan(action.name, given)
            except BattletapeError as error:
                first = first or error
                continue
            self.do(action, None, given)
            return
        raise first or BadInput(f"{unit} has no action that takes a place now")

    def manners(self, card: Action, unit: str) -> list[dict[str, Any]]:
        """Return the ways in which a unit may do an action now, the usual one first: a half or a full move."""
        ways = [field.name for field in fields(card.inputs) if field.kind == "choice"]
        orders = (each.option.params for each in self.talk.of(unit) if each.option.action is card)
        listed = [{name: value_of(order, name) for name in ways} for order in orders]
        return [{}, *(manner for at, manner in enumerate(listed) if manner and manner not in listed[:at])]

    def do(self, card: Action, option: Option | None, given: dict[str, Any] | None = None) -> None:
        """Make a move, save it and tell what came of it."""
        battle = self.battle
        ready = battle.plan(option, given) if option is not None else battle.plan(card.name, given or {})
        about = card.about(battle.state, ready.order)
        if not self.sure(card, about.get("unit", "")):
            return
        order = ready.order
        goal = self.best if any(measure.name == self.best for measure in card.measures) else None
        way: Way = "best" if goal else "first" if self.first or self.best else "ask"
        decisions = decisions_of_action(battle, ready, way, goal)
        seed = fresh_seed() if self.seed is None else f"{self.seed}/{len(battle.record.moves) + 1}"
        luck = Rolled(seed)
        where, ended = dict(battle.where), battle.over
        if ended:
            self.shown.text(f"The battle was over already: {ended}. The move is made all the same.", "warn")
        self.shown.show()
        if self.typed:
            self.push_typed(card, order, luck, decisions)
        else:
            battle.push(card.name, order, tape=rolled_with(luck, decisions))
        self.save()
        move = last_move(battle)
        self.shown.text(f"{move.number}. {unbroken(command_brief(move.command))}", "soft", hang=3)
        draw_log(self.shown, move.lines, indent=3)
        self.look(goes_on=dict(battle.where) != where)

    def push_typed(self, card: Action, order: Any, luck: Rolled, decisions: Decisions) -> None:
        """Make a move with dice that are typed."""
        from battletape.cli.typing_in import play_typed

        def go(tape: Path) -> Move:
            return self.battle.push(card.name, order, tape=tape)

        def ahead(tape: Path) -> None:
            self.battle.rehearse(card.name, order, tape=tape)

        play_typed(go, luck, (), prompts=True, ahead=ahead, decisions=decisions)

    def sure(self, card: Action, unit: str) -> bool:
        """Ask before a unit ends that has done nothing yet, and before a phase or turn in which units may still act."""
        skips = [name for name in ends_now(self.battle, card.name, unit) if name]
        return not skips or self.agreed(skips, card)

    def agreed(self, skips: Sequence[str], card: Action) -> bool:
        """Ask whether it may end although these units may still act."""
        self.shown.text(f"{skipped(skips)} may still act.", "warn")
        self.shown.show()
        answer = self.lines.read(f"{card.title} all the same? (y/n) ").strip().lower()
        if answer in ("y", "yes"):
            return True
        self.shown.text("Nothing was done.", "soft")
        self.seen.clear()
        return False

    def save(self) -> None:
        """Save the battle; if it cannot be, the move is dropped and the file read again, as far as there is one."""
        try:
            self.file.save()
        except BattletapeError as error:
            if getattr(error, "was_done", False):
                self.shown.text(sentence(error), "warn")
                self.unsaved = ""
                return
            self.unsaved = sentence(error)
            try:
                self.file = open_battle(self.file.path)
            except BattletapeError:
                raise error from None
            self.unit, self.listed, self.talk = "", [], table_talk(self.battle)
            self.seen.clear()
            if isinstance(error, ChangedMeanwhile):
                self.unsaved = ""
                changed = f"another program has changed {str(self.file.path)!r}"
                raise ReadAgain(f"{changed}, so the move was not made; this is the battle as it stands now") from error
            raise
        self.unsaved = ""

    def turn_back(self, heading: str, turn: Callable[[], Move]) -> None:
        """Undo or redo."""
        move = turn()
        self.save()
        self.shown.text(f"{heading}: {move.number}. {unbroken(command_text(move))}", "strong", hang=3)
        self.unit = ""
        self.seen.clear()
        self.look()

    # --- showing --------------------------------------------------------------------------------------------------

    def look(self, goes_on: bool = False) -> None:
        """Say where the battle stands, who may still act, and what Enter does.

        Where it goes on to another phase or side, the unit in hand is put down, unless it is the only one to act.
        """
        battle = self.battle
        self.talk = table_talk(battle)
        if goes_on:
            self.seen.clear()
        if goes_on and self.talk.waiting != (self.unit,):
            self.unit = ""
        self.listed = []
        self.shown.gap()
        if battle.over:
            self.shown.text(f"Over: {battle.over}.", "best")
            self.score()
            self.shown.text("u takes the last move back, l tells the log, q leaves.", "soft")
            return
        self.shown.text(where_text(battle.where), "head")
        self.score()
        if self.unit and self.unit not in self.talk.units:
            self.unit = ""
        if self.unit and self.unit in self.talk.waiting:
            self.list_unit(self.unit)
        else:
            self.list_units()
        self.hint()

    def score(self) -> None:
        """Say how many points and which objectives each side has."""
        score = score_line(self.battle.points, self.battle.holders)
        if score:
            self.shown.text(score, "soft", hang=2)

    def hint(self) -> None:
        """Say what Enter does."""
        following = self.following()
        if isinstance(following, str):
            words = following if following in self.talk.units else ""
        else:
            card = following.option.action
            whose = f"{following.unit}: " if following.unit not in ("", self.unit) else ""
            words = card.title.lower() if card.goes_on else f"{whose}{following.words}{self.way(following)}"
        if words:
            self.shown.text(f"Enter: {words}; ? helps", "soft")

    def list_units(self) -> None:
        """List the units that may act, those that wait first."""
        units = list(self.talk.waiting or ())
        others = [name for name in self.talk.units if name not in units]
        self.listed = [*units, *others]
        if units:
            self.shown.text("Still to act: " + numbered(units, 1, MOST_UNITS), hang=2)
        if others:
            self.shown.text("May do more: " + numbered(others, len(units) + 1, MOST_UNITS), "soft", hang=2)
        rest = [choice for choice in (*self.talk.others, *self.talk.onward) if choice.unit not in units]
        if rest:
            words = [f"{choice.words}{f': {choice.unit}' if choice.unit else ''}" for choice in rest]
            self.shown.text("Or: " + numbered(words, len(self.listed) + 1, MOST_UNITS), hang=2)
            self.listed += rest
        if self.talk.aside:
            self.shown.text(f"Beside the game: {', '.join(self.talk.aside)}", "soft", hang=2)

    def take(self, unit: str) -> None:
        """Take a unit in hand and list what it may do."""
        if unit not in self.talk.units:
            raise BadInput(f"{unit} has nothing to do now; a lists all that may be done")
        self.unit = unit
        self.seen.add(unit)
        self.list_unit(unit)
        self.hint()

    def put_down(self) -> None:
        """Put down the unit in hand."""
        self.unit = ""
        self.look()

    def list_unit(self, unit: str) -> None:
        """List what a unit may do, numbered."""
        at = known_place(self.battle.rules, self.battle.state, unit)
        where = f"at {number(at.x)}, {number(at.y)}" if at is not None else ""
        self.shown.heading(unit, where)
        choices = self.talk.of(unit)
        self.list_choices(choices, "")
        if at is not None and any(takes_place(choice.option.action) for choice in choices):
            goals = nearest_goals(self.battle.rules, self.battle.state, unit)
            ways = [*(f"{WAY} towards {name}" for name in goals), f"{WAY} north"]
            told = ", ".join(way.replace(" ", "\xa0") for way in ways)
            self.shown.text(f"Or say how far and where to: {told}", "soft", hang=2)

    def list_choices(self, choices: Sequence[Choice], title: str, odds: Sequence[str] = ()) -> None:
        """Options by number; of many ways to do one thing, the first few."""
        if title:
            self.shown.heading(title)
        shown = first_ways(choices)
        self.listed = list(shown)
        own = self.unit
        width = len(str(len(shown)))
        for at, choice in enumerate(shown, 1):
            name = f"{choice.unit}: " if choice.unit and choice.unit != own else ""
            beside = odds[at - 1] if at <= len(odds) else ""
            text = f"{at:>{width}}  {name}{choice.words}{self.way(choice)}"
            fits = size(f"{text}  {beside}") < self.shown.width
            if size(text) < self.shown.width:
                self.shown.line(text + f"  {beside}" * fits)
            else:
                self.shown.text(text, hang=width + 2)
            if not fits and beside:
                self.shown.text(beside, "soft", indent=width + 2)
        for name, count in Counter(choice.option.action.name for choice in choices).items():
            if count > MOST_WAYS:
                more = count - MOST_WAYS
                more_words = f"and {more} more way{'s' * (more > 1)} to {name}: a {name}"
                self.shown.text(more_words, "soft", indent=width + 2)

    def way(self, choice: Choice) -> str:
        """Return how far and which way an option goes, if it goes somewhere: (3 north)."""
        params = choice.option.params
        if value_of(params, "towards"):  # the words say where
            return ""
        length = next((value for name in LENGTHS if (value := value_of(params, name))), None)
        if length is not None and value_of(params, "heading") is not None and takes_place(choice.option.action):
            return f" ({number(length)} {heading_word(params.heading)})"
        path = value_of(params, "path")
        goal = path[-1] if isinstance(path, tuple) and path else params
        start = known_place(self.battle.rules, self.battle.state, choice.unit)
        if start is None or value_of(goal, "x") is None or value_of(goal, "y") is None:
            return ""
        return f" ({way_words(start, Point(goal.x, goal.y))})"

    def help(self, topic: str) -> None:
        """Show all that can be typed, or what an action takes."""
        if topic:
            card = self.battle.rules.action(topic.split()[0].replace("-", "_"))
            self.shown.heading(card.title, ", ".join(card.clauses))
            rows = [(field.name, f"{field.title}: {field.wants}") for field in fields(card.inputs)]
            self.shown.table([Column(), Column(wraps=True, style="soft")], rows)
            return
        self.shown.table([Column(style="strong"), Column(wraps=True)], HELP)

    def odds(self, which: str) -> None:
        """Show the odds beside the options that are listed, or of one in full."""
        from battletape.views.answer import answer_view
        from battletape.views.option_odds import figures

        if which.strip():
            choice = self.choice_at(which.strip())
            self.shown.heading(choice.words, choice.unit)
            view = answer_view(self.battle.odds(choice.option), (), MAX_BARS)
            draw_answer(self.shown, view, first=1, fractions=False, all_rulings=False)
            return
        options = [choice for choice in self.listed if not isinstance(choice, str)]
        if not any(choice.option.action.measures and not choice.option.action.goes_on for choice in options):
            options = [choice for choice in self.talk.choices if choice.option.action.measures][: MOST_WAYS * 2]
            self.unit = ""
        if not options:
            raise BadInput("there are no odds to tell: nothing with dice may be done now")
        self.list_choices(options, "", figures(self.battle, first_ways(options)))

    def choice_at(self, text: str) -> Choice:
        """Return the option of a number in the list."""
        if not text.isdigit() or not 1 <= int(text) <= len(self.listed):
            raise BadInput(f"o needs a number of the list, 1 to {len(self.listed)}; got {text!r}")
        choice = self.listed[int(text) - 1]
        if isinstance(choice, str):
            raise BadInput(f"{text} is {choice}; take it in hand first, then o tells the odds of what it may do")
        return choice

    def who(self) -> None:
        """List the enemies that each unit can be turned against."""
        rows = [
            (reach.unit, f"{reach.action}{f' with {reach.using}' if reach.using else ''}", ", ".join(reach.targets))
            for reach in reaches(self.talk)
        ]
        if not rows:
            self.shown.text("No unit can be turned against an enemy now.", "soft")
            return
        self.shown.table([Column("unit"), Column("can", wraps=True), Column("against", wraps=True)], rows, indent=0)

    def map(self) -> None:
        """Draw the table with all that stands on it, what the unit in hand reaches, and the odds on its targets."""
        from battletape.views.chosen import chosen_unit

        chosen = chosen_unit(self.battle, self.unit, self.talk.choices) if self.unit else None
        picture = self.battle.draw(chosen)
        if picture is None:
            self.shown.text("This battle has no map: no unit has a place.", "soft")
            return
        draw_board(self.shown, picture)

    def log(self, count: str) -> None:
        """Show the last moves."""
        most = int(count) if count.isdigit() else LAST_MOVES
        for move in [view for view in log_view(self.battle) if isinstance(view, MoveView)][-most:]:
            draw_move(self.shown, move)

    def all(self, action: str) -> None:
        """List every option, numbered; or those of one action, with the reasons why others are refused."""
        if not action:
            self.unit = ""
            self.list_choices(self.choices(), "All that may be done now:")
            return
        card = self.battle.rules.action(action.split()[0].replace("-", "_"))
        ways = list(self.battle.options_of(card.name))
        self.unit = ""
        self.shown.heading(card.title, ", ".join(card.clauses))
        self.listed = []
        allowed = [choice_of(self.battle, way) for way in ways if way.refused is None]
        for at, choice in enumerate(allowed, 1):
            self.listed.append(choice)
            name = f"{choice.unit}: " if choice.unit else ""
            self.shown.line(f"{at:>3}  {name}{choice.words}")
        for why in dict.fromkeys(str(way.refused) for way in ways if way.refused is not None):
            self.shown.text(f"not now: {why}", "soft", indent=2, hang=4)

    def dice(self, how: str) -> None:
        """Type dice, or let them be rolled."""
        wanted = how.strip().lower()
        if wanted not in ("", "typed", "rolled"):
            raise BadInput(f"dice are typed or rolled; got {how!r}")
        self.typed = wanted == "typed" if wanted else not self.typed
        self.shown.text(f"Dice are {'typed' if self.typed else 'rolled'} from now on.", "strong")

    def luck(self) -> None:
        """Show how lucky each side has been."""
        from battletape.battle.luck import move_lucks, side_lucks
        from battletape.cli.battle.luck import draw_luck

        lucks = list(move_lucks(self.battle))
        draw_luck(self.shown, lucks, side_lucks(lucks))


class Lines:
    """The lines that are said: typed at a terminal, or from a pipe, where each is repeated after its prompt."""

    def __init__(self) -> None:
        self.piped = not sys.stdin.isatty()

    def read(self, prompt: str) -> str:
        """Return the next line; raises EOFError where there is none."""
        if not self.piped and sys.stdout.isatty():
            return input(prompt)
        echo(prompt, newline=False)
        line = sys.stdin.readline()
        if not line:
            echo("")
            raise EOFError
        return line.rstrip("\n")

    @contextmanager
    def echoed(self) -> Iterator[None]:
        """Let lines from a pipe be repeated, so that the output reads like a session; a terminal edits its own."""
        before = sys.stdin
        if self.piped:
            sys.stdin = Echoing(before)
        elif os.name == "posix":
            import readline  # noqa: F401 (input edits its lines then)
        try:
            yield
        finally:
            sys.stdin = before


class Echoing:
    """Lines of a pipe, each repeated on the output as it is read."""

    def __init__(self, lines: TextIO) -> None:
        self.lines = lines

    def isatty(self) -> bool:
        """Return False: a pipe is no terminal."""
        return False

    def readline(self) -> str:
        """Return the next line, repeated."""
        line = self.lines.readline()
        if line:
            echo(line.rstrip("\n"))
        return line


def first_ways(choices: Sequence[Choice]) -> list[Choice]:
    """Return the options without those that are one way too many to do the same thing."""
    shown: list[Choice] = []
    counts = Counter[str]()
    for choice in choices:
        counts[choice.option.action.name] += 1
        if counts[choice.option.action.name] <= MOST_WAYS:
            shown.append(choice)
    return shown


def draw_title(shown: Page, battle: Battle) -> None:
    """Show what is played, and the first word of help."""
    shown.text(battle.title or battle.ruleset.title, "strong")
    if battle.mission:
        shown.text(f"Mission: {battle.mission}", hang=2)
    changed = len(battle.moves)
    shown.text(
        f"{changed} moves so far; ? tells all that can be said" if changed else "? tells all that can be said", "soft"
    )


def numbered(names: Sequence[str], start: int, most: int) -> str:
    """Names with their numbers in a line."""
    shown = " · ".join(f"{at}\xa0{name.replace(' ', chr(160))}" for at, name in enumerate(names[:most], start))
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")


def number(value: float) -> str:
    """Return a coordinate as players write it."""
    return f"{value:.1f}".removesuffix(".0")


def command_brief(command: str) -> str:
    """Return a command as it is told: places as 20,11."""
    return re.sub(r"\bx=([\d.-]+) y=([\d.-]+)", r"\1,\2", command)


def split_words(rest: str) -> tuple[dict[str, str], str]:
    """Words as name=value, and the bare ones as one name."""
    try:
        words = shlex.split(rest)
    except ValueError as error:
        raise BadInput(f"{rest!r} cannot be read: {error}") from None
    given: dict[str, str] = {}
    bare: list[str] = []
    for word in words:
        name, equals, value = word.partition("=")
        if equals and re.fullmatch(r"[a-z_-]+", name):
            given[name.replace("-", "_")] = value
        else:
            bare.append(word)
    return given, " ".join(bare)
