"""Prompts: real dice typed in, all, some or none of them, and decisions that come up while dice are rolled."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from battletape.cli.terminal import Page, echo, page, size
from battletape.errors import BadInput, BattletapeError
from battletape.log import dice_line
from battletape.tape.path import Path
from battletape.tape.question import BY_DEFAULT, Ask, NeedAnswer, Tally, has_long_names
from battletape.tape.rolled import Rolled
from battletape.tape.together import as_throw, key_of, thrown_together
from battletape.tape.typed import Typed, read_dice
from battletape.words import capital, listed

if TYPE_CHECKING:
    from battletape.cli.deciding import Decisions

T = TypeVar("T")
Play = Callable[[Path], T]


WAYS_OUT = "u takes the last answer back; q stops, and nothing is done"


class Stopped(BattletapeError):
    """The player stopped typing; the message says what was entered, so that nothing is lost."""

    def __init__(self, ask: Ask, answers: Sequence[str], part: str = "", seed: int | str | None = None) -> None:
        so_far = "; ".join(answer.removesuffix(BY_DEFAULT) for answer in [*answers, *([part] if part else [])])
        kept = f' So far: --answers "{so_far}"' if so_far else " Nothing was entered yet."
        luck = "" if seed is None else f" --seed {seed}" if so_far else f" The same dice again: --seed {seed}"
        stop = "Play stops at the decision" if ask.kind == "choose" else "The dice stop at"
        undone = "; nothing was done" if ask.kind == "choose" else ""
        super().__init__(f"{stop} “{ask.label}” [{ask.domain}]{undone}.{kept}{luck}")


class UnfitAnswers(BadInput):
    """Typed answers that the rules do not take, and why."""

    def __init__(self, message: str, answers: Sequence[str], *, field: str = "") -> None:
        super().__init__(message, field=field)
        self.answers = tuple(answers)


class TakenBack(Exception):
    """The player takes the answer before this question back."""


def play_typed(
    play: Play[T],
    luck: Rolled,
    answers: Sequence[str] = (),
    *,
    prompts: bool,
    rest: bool = False,
    ahead: Callable[[Path], object] | None = None,
    decisions: Decisions | None = None,
) -> T:
    """Play with typed answers: given ones first, then prompts, or the dice of `luck` for the rest.

    The rule is run again from its beginning with one more answer each time, so nothing waits inside a rule. With
    `ahead`, which plays the same and keeps nothing, prompts ask for the dice that players throw together. Decisions
    that no answer was given for are made as `decisions` says.
    """
    entered: list[str] = []
    typed_at: list[int] = []  # how many answers there were before each one that was typed at a prompt
    waiting = list(answers)
    shown = page(sys.stderr)
    thrown = Thrown()
    while True:
        tape = Typed(entered)
        try:
            (ahead or play)(tape)
        except NeedAnswer as need:
            given = for_question(need.ask, waiting.pop(0)) if waiting else None
            if (
                given is None
                and need.ask.kind == "choose"
                and decisions is not None
                and (prompts or rest or decisions.way == "ask")
            ):
                taken = decisions.text(tape, need.ask)
                asked = partial(prompt, need.ask, luck, shown, entered, decisions=decisions, tape=tape)
                if taken is None:
                    add_typed(entered, typed_at, asked, need.ask)
                else:
                    entered.append(taken)
                continue
            part = _part_typed(need.ask, given) if prompts or rest else []
            if given is not None and not part:
                entered.append(check(need.ask, given) if given.strip() else rolled(need.ask, luck))
                thrown.note(ahead or play, need.ask, tape, given)
            elif prompts:
                so_far = [answer for _, answer in tape.trail]
                names = thrown_together(ahead, need.ask, so_far, tape.hand) if ahead else (need.ask.subject,)
                between(need.ask, tape, shown)
                if add_typed(entered, typed_at, partial(prompt, need.ask, luck, shown, entered, part, names), need.ask):
                    thrown.note(ahead or play, need.ask, tape, entered[-1])
            elif rest:
                entered.append(_completed(need.ask, luck, part))
            else:
                raise Stopped(need.ask, entered) from None
            continue
        if prompts:
            echo("", sys.stderr)
        if waiting:
            more = f"all questions are answered, and {len(waiting)} more came: {'; '.join(waiting)}"
            raise UnfitAnswers(more, waiting)
        thrown.refuse_surplus(tape)
        return play(Typed(entered))


def add_typed(entered: list[str], typed_at: list[int], asked: Callable[[], str], ask: Ask) -> bool:
    """Add the answer that a player types; or go back to the one typed before, and return False."""
    try:
        answer = asked()
    except TakenBack:
        if not typed_at:
            raise Stopped(ask, ()) from None
        del entered[typed_at.pop() :]
        return False
    typed_at.append(len(entered))
    entered.append(answer)
    return True


class Thrown:
    """Dice that came together for questions of one kind: how many more came than could be asked for."""

    def __init__(self) -> None:
        self.surplus: dict[Hashable, int] = {}

    def note(self, play: Play[Any], ask: Ask, tape: Typed, text: str) -> None:
        """Count the dice of an answer that its players would not throw together with the first."""
        key = key_of(ask, tape.stage)
        came = len(read_dice(ask, text)) if key is not None and text.strip() else 0
        if came > 1:
            so_far = [answer for _, answer in tape.trail]
            known = len(thrown_together(play, ask, so_far, tape.hand))
            self.surplus[key] = self.surplus.get(key, 0) + max(0, came - known)

    def refuse_surplus(self, tape: Typed) -> None:
        """Refuse dice that were not asked for; those of a throw that a fallen target spared are no surplus."""
        for key, dice in tape.hand.held():
            most = min(len(dice), self.surplus.get(key, 0))
            if most:
                ask = next(asked for asked, _ in tape.trail if asked.label_of_throw in key)
                names = [ask.format(die) for die in dice[len(dice) - most :]]
                raise BadInput(f"{ask.label_of_throw}: {surplus_words(names)} not asked for", field=ask.label)


def surplus_words(dice: Sequence[str]) -> str:
    """Return dice as the subject of a sentence: 99 and 4 were."""
    return f"{listed(dice)} {'was' if len(dice) == 1 else 'were'}"


def for_question(ask: Ask, text: str) -> str:
    """Return an answer that may begin with what it is for, “limb side: 3”; refused if that is another question."""
    name, colon, rest = text.partition(":")
    if not colon or text.strip() in map(str, ask.options) or not re.search("[A-Za-z]", name):
        return text
    named = name.strip().lower()
    if named not in (ask.what.lower(), ask.label.lower()) and text.strip().lower().startswith(ask.label.lower() + ":"):
        rest, named = text.strip()[len(ask.label) + 1 :], ask.label.lower()
    if named in (ask.what.lower(), ask.label.lower()):
        return rest.strip()
    raise ask.misfit(
        f"the next question is “{ask.label}” [{ask.domain}], and the answer {text.strip()!r} is for another"
    )


def between(ask: Ask, tape: Typed, shown: Page) -> None:
    """Announce a question that comes up before dice that were typed already are used."""
    left = sum(len(dice) for _, dice in tape.hand.held())
    if left and ask.die is not None:
        shown.text(
            f"In between, while {'a die' if left == 1 else f'{left} dice'} typed before wait{'s' * (left == 1)}:",
            "soft",
        )
        shown.show(sys.stderr)


def check(ask: Ask, text: str) -> str:
    """Return the text, if it answers the question; for a single die, several that were thrown together will do."""
    try:
        read_dice(ask, text)
    except BadInput as error:
        raise UnfitAnswers(str(error), (text,), field=error.field) from error
    return text


def rolled(ask: Ask, luck: Rolled) -> str:
    """Return an answer by the computer's dice; of a choice, the usual option, marked as taken by default."""
    return ask.format(luck.answer(ask)) + (BY_DEFAULT if ask.kind == "choose" and luck.policy is None else "")


def prompt(
    ask: Ask,
    luck: Rolled,
    shown: Page,
    entered: Sequence[str],
    part: Sequence[str] = (),
    names: Sequence[str] = ("",),
    decisions: Decisions | None = None,
    tape: Path | None = None,
) -> str:
    """Ask until the answer fits; some of the dice may come now and the rest later, or by the computer.

    Dice or pools that the rules need one by one are thrown together, each for one of `names`, but cannot be counted.
    Of a decision, `decisions` know the side that makes it on this tape, and what its options are worth.
    """
    together = len(names)
    ask = ask if decisions is None or ask.kind != "choose" else decisions.in_order(ask)
    typed, whole = list(part), as_throw(ask, together)
    weigh = partial(decisions.draw_worths, shown, tape, ask) if decisions is not None and tape is not None else None
    try:
        _announce(ask, shown, names, weighs=weigh is not None)
        text = _ask(whole, luck, shown, typed, one_by_one=together > 1, weigh=weigh)
    except (KeyboardInterrupt, EOFError):
        echo("", sys.stderr)
        raise Stopped(whole, entered, in_pools(ask, typed), luck.seed) from None
    return in_pools(ask, whole.parse(text)) if together > 1 and ask.kind == "pool" else text


def in_pools(ask: Ask, dice: Sequence[Any]) -> str:
    """Return dice as they are typed, with “|” between pools that were thrown together."""
    size = ask.count if ask.kind == "pool" else max(1, len(dice))
    joined = ", " if ask.die and has_long_names(ask.die) else " "
    return " | ".join(joined.join(map(str, dice[index : index + size])) for index in range(0, len(dice), size))


def prompt_while_rolling(decisions: Decisions) -> Callable[[Path, Ask], str]:
    """Return what asks a player for a decision between dice that the computer rolls."""
    shown = page(sys.stderr)

    def ask_player(tape: Path, ask: Ask) -> str:
        luck = tape if isinstance(tape, Rolled) else Rolled()
        so_far = [asked.format(answer) for asked, answer in tape.trail]
        for line in dice_so_far(tape, asked_at):
            shown.text(line, "soft")
        asked_at.append(len(tape.trail))
        return prompt(ask, luck, shown, so_far, decisions=decisions, tape=tape)

    asked_at: list[int] = []
    return ask_player


def dice_so_far(tape: Path, asked_at: Sequence[int]) -> list[str]:
    """Return what was rolled since the last decision, a line each: players decide with the dice on the table."""
    since = tape.trail[asked_at[-1] if asked_at else 0 :]
    return [dice_line(ask, answer, "").text for ask, answer in since if ask.kind != "choose"]


def _ask(
    ask: Ask,
    luck: Rolled,
    shown: Page,
    typed: list[str],
    *,
    one_by_one: bool = False,
    weigh: Callable[[], None] | None = None,
) -> str:
    while True:
        left = ask.count - len(typed)
        echo(f"  {left} more> " if typed else "  > ", sys.stderr, drawn=shown.drawn, newline=False)
        line = sys.stdin.readline()
        text = line.strip()
        if not line:
            raise EOFError
        if not text:
            return _take_rest(ask, luck, typed, shown)
        if text.lower() in ("q", "quit"):
            raise EOFError
        if text.lower() in ("u", "undo"):
            raise TakenBack
        if text == "?":
            if weigh is not None:
                weigh()
            else:
                shown.text(hint(ask, one_by_one=one_by_one), indent=2, hang=4)
            shown.text(WAYS_OUT, "soft", indent=2, hang=4)
            shown.show(sys.stderr)
            continue
        try:
            pips = split_pips(ask, text, left)
            if ask.kind == "pool" and not one_by_one and pips is not None and len(pips) > left:
                raise ask.misfit(f"{ask.label}: {surplus_words(pips[left:])} not asked for; {left} dice are")
            if ask.kind == "pool" and pips is not None and (typed or len(pips) < ask.count):
                typed += _checked(ask, pips, len(typed))
                if len(typed) < ask.count:
                    continue
                text = " ".join(typed)
            elif one_by_one and pips is not None:
                text = " ".join(pips)
            if one_by_one and isinstance(ask.parse(text), Tally):
                raise ask.misfit(f"{ask.label} needs the {ask.count} dice themselves: what follows depends on each")
            return ask.format(ask.parse(text)) if ask.kind == "choose" else check(ask, text)
        except BadInput as error:
            shown.text(str(error), "wrong", indent=2)
            shown.show(sys.stderr)


def split_pips(ask: Ask, text: str, left: int) -> list[str] | None:
    """Return the dice in a text: faces with spaces or commas between them, or single digits glued together.

    Two digits count as two dice only if two dice are left: a 10 or 11 is more likely one die misread.
    """
    if ask.die is None:
        return None
    faces = {str(face) for face in ask.die.faces}
    parts = [part for part in re.split(r"[\s,;|]+", text) if part]
    glued = len(text) > 2 or left == len(text) == 2
    if len(parts) == 1 and glued and text.isascii() and text.isdigit() and all(len(face) == 1 for face in faces):
        return list(text)
    return parts if all(part in faces or part.isdigit() for part in parts) else None


def _part_typed(ask: Ask, given: str | None) -> list[str]:
    """Return the dice typed of a pool, or of several thrown together, if not all were typed."""
    pips = split_pips(ask, given, ask.count) if given and ask.kind == "pool" else None
    if not pips or len(pips) % ask.count == 0 or (len(pips) > ask.count and "|" not in str(given)):
        return []
    return _checked(as_throw(ask, _pools(ask, pips)), pips, 0)


def _checked(ask: Ask, pips: list[str], already: int) -> list[str]:
    """Return these dice; raise an error if one is no face or too many."""
    if already + len(pips) > ask.count:
        left = ask.count - already
        raise ask.misfit(f"{ask.label}: {surplus_words(pips[left:])} not asked for; {left} dice are")
    assert ask.die is not None
    for number, pip in enumerate(pips, already + 1):
        try:
            ask.die.face(pip)
        except ValueError:
            place = f"{ask.label} {number}/{ask.count}"
            raise ask.misfit(f"{place} must be {ask.die.domain}, got {pip}") from None
    return pips


def _take_rest(ask: Ask, luck: Rolled, part: Sequence[str], shown: Page) -> str:
    """Take the rest of an answer that the player left to the computer, and print it."""
    answer = ask.format(ask.options[0]) if ask.kind == "choose" else _fill_up(ask, luck, part)
    verb = "taken" if ask.kind == "choose" else "rolled"
    echo(shown.paint(f"  {verb} for you: {answer}", "soft"), sys.stderr, drawn=shown.drawn)
    return answer


def _fill_up(ask: Ask, luck: Rolled, part: Sequence[str]) -> str:
    """Return an answer of the dice typed and the computer's for the others."""
    if not part or ask.die is None:
        return rolled(ask, luck)
    return " ".join([*part, *map(str, luck.throw(ask.die, ask.count - len(part)))])


def _completed(ask: Ask, luck: Rolled, part: Sequence[str]) -> str:
    """Return the dice typed, with the computer's up to the end of their pool."""
    whole = as_throw(ask, max(1, _pools(ask, part)))
    text = _fill_up(whole, luck, part)
    return text if whole is ask else in_pools(ask, whole.parse(text))


def _pools(ask: Ask, dice: Sequence[str]) -> int:
    """Return how many pools these dice fill, the last one perhaps in part."""
    return -(-len(dice) // ask.count)


def _announce(ask: Ask, shown: Page, names: Sequence[str] = ("",), *, weighs: bool = False) -> None:
    together = len(names)
    rule = f"[{', '.join(ask.clauses)}]" if ask.clauses else ""
    needs = f", needs {ask.needed}" if ask.needed else ""
    whole = as_throw(ask, together)
    times = f", {together} times" if together > 1 and ask.kind == "pool" else ""
    by = f" ({ask.by} decides)" if ask.by else ""
    what = f"{times}: {(ask if times else whole).domain}" if ask.kind != "choose" else by
    title = capital(whole.title)
    if size(f"{title}{what}{needs}  {rule}") < shown.width:
        shown.line((title, "strong"), what, needs, "  ", (rule, "rule"))
    else:
        shown.text(f"{title}{what}{needs} {rule}", "strong", hang=2)
    if together > 1 and any(names):
        shown.text(f"in this order: {', '.join(names)}", "soft", indent=2)
    if ask.kind == "choose":
        for number, option in enumerate(ask.options, 1):
            shown.line(f"  {number}  {ask.option_words(option)}")
    if ask.die is not None and ask.die.note:
        zero = "; a 0 is zero, not ten" if 0 in ask.die.faces and 10 not in ask.die.faces else ""
        shown.text(f"read the {ask.die.name} as {ask.die.note}{zero}", "soft", indent=2)
    more = "; ? tells what each is worth" if weighs else ""
    shown.text(hint(whole, one_by_one=together > 1) + more, "soft", indent=2)
    shown.show(sys.stderr)


def hint(ask: Ask, *, one_by_one: bool = False) -> str:
    """Return what may be typed."""
    if ask.kind == "choose":
        return "its number or name; Enter takes the first"
    if ask.kind == "direction":
        return "degrees from 0 to 360; Enter draws one"
    if ask.kind == "roll" or ask.count == 1:
        if ask.die is None or not ask.die.is_several:
            return "the die; Enter rolls it"
        whole = "their sum" if ask.die.added else "what they come to" if ask.die.burst else "both as one number"
        return f"the dice one by one, or {whole}; Enter rolls them"
    word = ask.words[-1] if ask.words and ask.words[-1] != "fail" else "pass"
    counted = ask.needed and not one_by_one and not word.lstrip("-").isdigit()
    count = f", or a count such as “{min(ask.count, 5)} {word}”" if counted else ""
    return f"the dice, all or some{count}; Enter rolls what is missing"
