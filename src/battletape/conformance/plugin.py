"""The door of pytest: the options, what each test of this package runs on, and how a test fails in a sentence.

It is named with `-p battletape.conformance.plugin` or in a conftest.py, and is no entry point: pytest would rewrite
every module of a distribution that has one. The tests are spread over questions, actions and rulesets by the names of
their arguments.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import pytest

from battletape.conformance.cases import examples, variants
from battletape.conformance.subjects import Subject, find_subjects
from battletape.errors import BattletapeError

HERE = "battletape.conformance."
SUBJECTS = pytest.StashKey[tuple[Subject, ...]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """What is tested, and where its author keeps more of it; each may stand in the settings of pytest instead."""
    group = parser.getgroup("conformance of rulesets (battletape)")
    for option, metavar, told in (
        ("ruleset", "NAME", "a ruleset to test: the name it is installed by, or module:RULESET"),
        ("starts", "FILE", "starts of battles to play (TOML), and files of battles"),
        ("tests", "FOLDER", "where tests name clauses with @pytest.mark.clause"),
        ("counts", "FILE", "the pinned counts of branches and states"),
    ):
        group.addoption(f"--{option}", action="append", default=[], metavar=metavar, help=f"{told}; may be repeated")
        kind: Literal["args", "paths"] = "args" if option == "ruleset" else "paths"
        parser.addini(f"conformance_{option}", f"{told}, unless --{option} is given", kind, default=[])
    group.addoption("--write-counts", action="store_true", help="pin the counts as they are now")


def pytest_configure(config: pytest.Config) -> None:
    """Tests of rulesets name the clauses they check."""
    config.addinivalue_line("markers", "clause(*ids): the rule clauses this test checks")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each question with its variants, each action, each ruleset."""
    if metafunc.module.__name__.startswith(HERE):
        try:
            _spread(metafunc, _subjects(metafunc.config))
        except BattletapeError as error:
            raise pytest.Collector.CollectError(str(error)) from error


def _spread(metafunc: pytest.Metafunc, subjects: tuple[Subject, ...]) -> None:
    wanted = set(metafunc.fixturenames)
    # With this scope all tests of one case run one after another, so that what they share is worked out once.
    if "example" in wanted:
        asked = [example for subject in subjects for example in examples(subject.ruleset)]
        metafunc.parametrize("example", asked, ids=str, scope="module")
    if "case" in wanted:
        asked = [example for subject in subjects for example in examples(subject.ruleset)]
        asked += [variant for subject in subjects for variant in variants(subject.ruleset)]
        metafunc.parametrize("case", asked, ids=str, scope="module")
    if "action" in wanted:
        both = [(subject, action) for subject in subjects for action in subject.actions]
        metafunc.parametrize("subject, action", both, ids=[f"{subject}-{action.name}" for subject, action in both])
    elif "subject" in wanted:
        battles_only = "battle" in metafunc.module.__name__
        tested = [subject for subject in subjects if subject.ruleset.battle is not None or not battles_only]
        metafunc.parametrize("subject", tested, ids=str)
    if "subjects" in wanted:
        metafunc.parametrize("subjects", [subjects], ids=["all"])
    if "pinned" in wanted:
        metafunc.parametrize("pinned", _paths(metafunc.config, "counts"), ids=lambda path: path.name)


def _subjects(config: pytest.Config) -> tuple[Subject, ...]:
    if SUBJECTS not in config.stash:
        names = config.getoption("ruleset") or config.getini("conformance_ruleset")
        config.stash[SUBJECTS] = find_subjects(names, _paths(config, "starts"), _paths(config, "tests"))
    return config.stash[SUBJECTS]


def _paths(config: pytest.Config, option: str) -> list[Path]:
    given = [config.invocation_params.dir / name for name in config.getoption(option)]
    return given or list(config.getini(f"conformance_{option}"))


def fail_if(problems: Iterable[str]) -> None:
    """Fail with a sentence for each thing that is wrong, and without the code that found it."""
    told = list(problems)
    if told:
        pytest.fail("\n".join(told), pytrace=False)
