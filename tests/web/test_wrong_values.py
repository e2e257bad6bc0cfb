"""A wrong value beside a named profile is told in a sentence, on the page and by JSON as in the library."""

from __future__ import annotations

import json
import re
from html import unescape

import msgspec
import pytest

from battletape import registry
from battletape.conformance.wrong_values import DUNDER, VALUES, WORDS, Wrong, no_text_as_a_name, untold, wrong
from battletape.inputs import fields
from battletape.system import Ruleset
from battletape.web import jobs
from battletape.web.jobs import Job, Reply

SECONDS = 0.01
"""The budget of a question that is accepted after all."""
OURS = pytest.mark.parametrize("ruleset", [registry.ruleset(name) for name in registry.OURS], ids=registry.OURS)


def told_ill(case: Wrong, reply: Reply) -> str:
    """What is wrong with a reply; empty if nothing is."""
    if not (reply.status < 400 or reply.status in (400, 404, 422)):
        return f"{case}: the status is {reply.status}"
    told = untold(unescape(re.sub(r"<[^>]*>", " ", reply.body.decode())))
    return f"{case}: {told}" if told else ""


@OURS
def test_every_wrong_value_in_a_form_gets_a_page_that_says_so(ruleset: Ruleset):
    jobs.load()
    problems, tried = [], 0
    with no_text_as_a_name(*DUNDER):
        for question in ruleset.questions:
            for case in wrong(ruleset, question, WORDS, each=1, choices=1, names=1):
                assert case.texts is not None
                given = {"ruleset": ruleset.name, "question": question.name, "pairs": [*case.texts.items()]}
                problems.append(told_ill(case, jobs.run(Job("question_page", "part", given), SECONDS)))
                tried += 1
    assert [*filter(None, problems)] == []
    assert tried > 50


@OURS
@pytest.mark.parametrize("word", DUNDER)
def test_no_name_in_an_address_is_taken_for_an_attribute(ruleset: Ruleset, word: str):
    jobs.load()
    problems = []
    with no_text_as_a_name(word):
        for question in ruleset.questions:
            home = next((field.name for field in fields(question.inputs) if field.item is not None), "guns")
            for name in (word, f"{home}.0.{word}", f"{word}.0.x", f"_was.{word}", f"_if.{word}", "_do", "_measure"):
                case = Wrong(ruleset, question, (), (name,), word)
                given = {"ruleset": ruleset.name, "question": question.name, "pairs": [(name, word)]}
                problems.append(told_ill(case, jobs.run(Job("question_page", "part", given), SECONDS)))
    assert [*filter(None, problems)] == []


@OURS
def test_every_wrong_value_in_json_gets_a_problem_that_says_so(ruleset: Ruleset):
    jobs.load()
    problems, tried = [], 0
    with no_text_as_a_name(*DUNDER):
        for question in ruleset.questions:
            for case in wrong(ruleset, question, VALUES, each=2, choices=4, names=1):
                body = json.dumps(case.given).encode()
                given = {"ruleset": ruleset.name, "question": question.name, "pairs": [], "body": body}
                reply = jobs.run(Job("api_ask", "api", given), SECONDS)
                msgspec.json.decode(reply.body)
                problems.append(told_ill(case, reply))
                tried += 1
    assert [*filter(None, problems)] == []
    assert tried > 50
