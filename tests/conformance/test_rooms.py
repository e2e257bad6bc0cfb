"""A question or an action in the wrong file is told where to go."""

from __future__ import annotations

import ast

from battletape.conformance.rooms import File, astray, defined
from battletape.inputs import Inputs
from battletape.system import NO_STAGES, Action, Question


def question(name: str) -> Question:
    """A question of which only the name matters."""
    return Question(name, "", Nothing, begin=lambda *_: None, procedure=NO_STAGES, measures=(), headline=str)


def action(name: str) -> Action:
    """An action of which only the name matters."""
    return Action(name, "", Nothing, lambda state, order: state, about=lambda *_: {})


class Nothing(Inputs, frozen=True):
    """No inputs."""


def test_a_question_in_the_wrong_file_is_reported_with_the_right_one():
    shoot, hit, test = map(question, ("shoot", "hit", "test"))
    files = [File("questions/shoot.py", "", (shoot, hit)), File("questions/_inputs.py", "", ())]
    assert list(astray((shoot, hit, test), files)) == [
        "the question hit is defined in questions/shoot.py: move it to questions/hit.py",
        "define the question test in questions/test.py",
    ]


def test_an_action_in_the_wrong_file_is_reported_with_the_right_one():
    move, run, leap, stand = map(action, ("move", "run", "leap", "stand"))
    files = [File("battle/actions/move.py", "Moving, and `run`; we leap too.", (move, run, leap))]
    assert list(astray((move, run, leap, stand), files)) == [
        "the action leap is defined in battle/actions/move.py: name it in the docstring there, `leap`",
        "define the action stand in battle/actions/stand.py, or in the file of its family in battle/actions/",
    ]


def test_what_a_module_defines_is_not_what_it_imports():
    text = "from elsewhere import A, B as C\nD = 4\nE: int = 5\nF = (A, 6)\nG = C\ndef h(): ...\n"
    values = {"A": "a", "C": "c", "D": 4, "E": 5, "F": ("a", 6), "G": "c", "h": print}
    assert list(defined(ast.parse(text), values)) == [4, 5, 6]
