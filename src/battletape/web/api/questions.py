"""Questions by JSON: their shape, their odds, rolls with a seed or with typed dice, and advice."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import msgspec

from battletape.answer import advise, ask, quick_policy, roll
from battletape.calculator import EXAMPLES, FORMS
from battletape.errors import BadInput, BudgetSpent, echo
from battletape.system import Measure, Question, Ruleset
from battletape.tape.limits import Budget
from battletape.tape.path import Path
from battletape.tape.question import Ask, NeedAnswer
from battletape.tape.rolled import Rolled
from battletape.tape.typed import Typed
from battletape.views.advice import advice_view
from battletape.views.answer import answer_view
from battletape.views.catalogue import field_views, plain_example, question_view
from battletape.views.chances import kind_of
from battletape.views.heat import CellQuestion, few_rolls, goals
from battletape.views.pending_question import answered, need_view
from battletape.views.roll import roll_view
from battletape.views.short_inputs import short_given
from battletape.views.whatif import what_if
from battletape.web.api import shapes
from battletape.web.api.reading import Options, check_shapes, read_body, read_options
from battletape.web.api.schemas import inputs_schema
from battletape.web.error_replies import TOO_LONG
from battletape.web.forms import Pairs, write_address
from battletape.web.jobs import JSON, Reply, ReplyForm, job
from battletape.web.pages.asking import DICE, find_question, read_dice

SIDES = ("attacker", "defender")
"""Sides that may be named even if only one of them decides anything."""


@job
def api_question(*, seconds: float, reply_form: ReplyForm, ruleset: str, question: str) -> Reply:
    """Return what a question takes."""
    card, question_card = find_question(ruleset, question)
    view = question_view(question_card)
    taken = {field.name for field in field_views(question_card.inputs)}
    shape = shapes.QuestionShape(
        ruleset=card.name,
        name=question_card.name,
        title=question_card.title,
        measures=tuple(shapes.MeasureShape(each.name, each.title, each.unit) for each in question_card.measures),
        inputs=field_views(question_card.inputs),
        rulings=tuple(field for field in field_views(card.rulings, "Rulings") if field.name not in taken),
        presets=tuple(card.presets),
        example=plain_example(question_card),
        schema=inputs_schema(card, question_card),
        address=f"/{card.name}/{view.name}",
    )
    return Reply(msgspec.json.encode(shape), JSON, keep=True)


@job
def api_ask(*, seconds: float, reply_form: ReplyForm, ruleset: str, question: str, pairs: Pairs, body: bytes) -> Reply:
    """Answer a question: by its odds, a roll, advice, or what it would become with other choices."""
    card, question_card = find_question(ruleset, question)
    options = read_options(pairs)
    given = read_body(body)
    check_shapes(card, question_card, given)
    inputs, rulings = card.split(question_card, given)
    preset = given.get("preset")
    address = write_address(card.name, question_card.name, short_given(card, question_card, inputs, rulings, preset))
    for name in options.measures:
        question_card.measure(name)
    if options.read == "roll":
        return _roll(card, question_card, given, options, address, seconds)
    if options.read == "advice":
        return _advise(card, question_card, given, options, address, seconds)
    if options.read == "whatif":
        base = CellQuestion(card, question_card, inputs, rulings, preset)
        figures = what_if(base, options.ifs, seconds, *options.measures[:1])
        late = any(figure.is_open for figure in figures)
        return _reply(shapes.Figures(address, figures), cut=late, keep=not late)
    return _odds(card, question_card, given, options, address, seconds)


@job
def api_dice_shape(*, seconds: float, reply_form: ReplyForm) -> Reply:
    """Return what dice may be asked about: every form of them with what it means, and examples."""
    forms = tuple(shapes.DiceForm(form, words) for form, words in FORMS)
    return Reply(msgspec.json.encode(shapes.DiceShape("/dice", forms, EXAMPLES)), JSON, keep=True)


@job
def api_dice(*, seconds: float, reply_form: ReplyForm, pairs: Pairs, body: bytes) -> Reply:
    """Return any dice, worked out or rolled."""
    options = read_options(pairs)
    if options.read not in ("odds", "roll"):
        raise BadInput.of("read", f"must be one of odds, roll for dice; got {options.read!r}.")
    given = read_body(body)
    unknown = next((name for name in given if name != DICE), None)
    if unknown is not None or not isinstance(given.get(DICE, ""), str):
        found = "a value that is no text" if unknown is None else echo(unknown)
        raise BadInput(f'the body must be such as {{"{DICE}": "{EXAMPLES[0]}"}}; got {found}.', field=unknown or DICE)
    asked = read_dice([(DICE, given.get(DICE, ""))])
    for name in options.measures:
        asked.question.measure(name)
    if options.read == "roll":
        return _roll(asked.ruleset, asked.question, {}, options, asked.address(), seconds)
    return _odds(asked.ruleset, asked.question, {}, options, asked.address(), seconds)


def _odds(
    card: Ruleset, question: Question, given: dict[str, Any], options: Options, address: str, seconds: float
) -> Reply:
    answer = ask(card, question, given, budget=Budget(seconds=seconds), measures=options.measures)
    if not answer.states.weights:
        raise BudgetSpent(TOO_LONG)
    cut = answer.is_cut
    return _reply(shapes.Odds(address, answer_view(answer, options.measures, options.most)), cut=cut, keep=not cut)


def _roll(
    card: Ruleset, question: Question, given: dict[str, Any], options: Options, address: str, seconds: float
) -> Reply:
    luck = Rolled(seed_of(options.seed), quick_policy(question, *card.split(question, given)))
    tape = _Answers(options.answers, luck, asks=options.rest == "ask")
    try:
        rolled = roll(card, question, given, tape=tape)
    except NeedAnswer as need:
        return _reply(shapes.Need(address, need_view(need.ask), answered(need)))
    odds = ask(card, question, given, budget=Budget(seconds=seconds))
    known = None if odds.states.unexplored_weight else odds
    view = roll_view(rolled, known, options.seed)
    answers = tuple(entry.value for entry in rolled.entries)
    return _reply(shapes.Roll(address, view, answers), keep=options.seed is not None)


class _Answers(Typed):
    """Typed answers; empty ones are rolled, and missing ones too unless it asks for them."""

    def __init__(self, answers: tuple[str, ...], luck: Path, *, asks: bool) -> None:
        super().__init__(answers, None if asks else luck)
        self.luck = luck

    def answer(self, ask: Ask) -> Any:
        """Return the next typed answer, or one of the dice."""
        if self.used < len(self.answers) and not self.answers[self.used].strip():
            self.used += 1
            return self.luck.answer(ask)
        return super().answer(ask)


def _advise(
    card: Ruleset, question: Question, given: dict[str, Any], options: Options, address: str, seconds: float
) -> Reply:
    began = perf_counter()
    inputs, rulings = card.split(question, given)
    measure = _goal(CellQuestion(card, question, inputs, rulings, given.get("preset")), options)
    budget = Budget(branches=500_000, seconds=max(seconds - (perf_counter() - began), 0))
    advice = advise(card, question, given, measure.name, options.sides, budget=budget)
    for side in options.sides:
        if side not in (*SIDES, *advice.sides):
            known = ", ".join(dict.fromkeys((*advice.sides, *SIDES)))
            raise BadInput.of("side", f"must be one of {known}, such as {SIDES[0]}=max; got {echo(side)}.")
    view = advice_view(card, question, inputs, measure, options.sides, advice, perf_counter() - began)
    return _reply(shapes.Advice(address, view), keep=True)


def _goal(base: CellQuestion, options: Options) -> Measure:
    """Return the named measure, if it is a number; otherwise the first that is. A few rolls show which are."""
    rolled = few_rolls(base, {}, options.measures[:1])
    known = goals(rolled)
    if not options.measures:
        return known[0] if known else base.question.measures[0]
    named = base.question.measure(options.measures[0])
    if kind_of(rolled.odds(named.name)) == "other":
        would = ", ".join(each.name for each in known)
        raise BadInput.of("measure", f"must be one that counts for advice: {would}; got {named.name}.")
    return named


def seed_of(text: str | None) -> int | str | None:
    """Return a seed as the command line takes it: 7 and “7” are the same luck."""
    plain = text is not None and text.isascii() and text.removeprefix("-").isdigit() and len(text) <= 18
    return int(text) if plain and text is not None else text


def _reply(shape: shapes.Reply, *, cut: bool = False, keep: bool = False) -> Reply:
    return Reply(msgspec.json.encode(shape, enc_hook=str), JSON, cut=cut, keep=keep)
