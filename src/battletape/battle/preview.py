"""The odds of an action before it is taken: the same answer as to a question, from the live state."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from time import perf_counter
from typing import Any

from battletape.answer import Answer
from battletape.inputs import Inputs
from battletape.memory import stay_small
from battletape.procedure import chosen, explain_mistakes
from battletape.system import Action, Question, Ruleset
from battletape.tape.exact import Exact
from battletape.tape.limits import PREVIEW_SECONDS, Budget
from battletape.tape.question import frozen_states
from battletape.tape.script import Script

Progress = Callable[[int, int], None]
"""Called with the number of stages done and the number of all stages."""


def preview(
    ruleset: Ruleset,
    rulings: Inputs,
    action: Action,
    order: Inputs,
    state: Any,
    budget: Budget | None,
    floats: bool,
    progress: Progress | None = None,
    measures: Collection[str] = (),
) -> Answer:
    """Work an action out exactly, or as far as the budget goes: its usual measures, and those named here."""
    stay_small()
    began = perf_counter()
    question = question_of(ruleset, action.name, state, order)
    work = question.begin(order, rulings)
    forget = question.lens(frozenset(measure.name for measure in question.shown_measures(work, measures)))
    reader = Exact(
        ruleset.memo, budget or Budget(seconds=PREVIEW_SECONDS), floats=floats, progress=progress, forget=forget
    )
    procedure = chosen(question.procedure, work, action.name)
    stages = procedure.stages if question.measures else ()  # without measures there are no odds to ask for
    with explain_mistakes(procedure, work, action.name) as check, frozen_states():
        kernel, counts = reader.stages(stages, work)
        check(kernel.results)
    odds, took = reader.odds(kernel, counts), perf_counter() - began
    return Answer(ruleset, question, order, rulings, odds, tuple(counts), work, took, tuple(measures))


def question_of(ruleset: Ruleset, name: str, state: Any, order: Inputs) -> Question:
    """Return an action from the live state as a question."""
    assert ruleset.battle_rules is not None
    action = ruleset.battle_rules.action(name)
    work = ruleset.battle_rules.plan(action, state, order).begin.on(Script())
    return Question(
        name=action.name,
        title=action.title,
        inputs=action.inputs,
        begin=lambda _, __: work,
        procedure=action.procedure,
        measures=action.measures,
        headline=action.headline or plain_headline,
        lens=action.lens,
        again=partial(question_of, ruleset, name, state, order),
    )


def plain_headline(answer: Answer) -> str:
    """Return a sentence for an action that has none of its own."""
    if not answer.question.measures:
        return f"{answer.question.title}: no dice, nothing to measure."
    measure, odds = answer.question.measure(), answer.odds()
    if all(isinstance(value, (int, float)) for value in odds.weights):
        return f"{measure.title}: {float(odds.mean):.2f} on average."
    return f"{measure.title}: most likely {odds.mode}."
