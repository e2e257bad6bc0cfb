"""The pytest plugin: the options, what each test of this package runs on, and how a test fails with a sentence.

Name it with `-p battletape.conformance.plugin` or in a conftest.py. It is not an entry point, because pytest would
rewrite every module of a distribution that has one. The names of a test's arguments say whether it runs for each
question, action, ruling or ruleset.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import pytest

from battletape.conformance.cases import examples, variants
from battletape.conformance.subjects import Subject, find_subjects
from battletape.errors import BattletapeError
from battletape.inputs import fields

HERE = "battletape.conformance"
PINS = "test_branches_and_states_are_as_pinned"
"""The test that writes the counts."""
SUBJECTS = pytest.StashKey[tuple[Subject, ...]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add options: what to test, and the author's own starts, tests and counts."""
    group = parser.getgroup("conformance of rulesets (battletape)")
    for option, metavar, help_text in (
        ("ruleset", "NAME", "a ruleset to test: its package, the name it is installed by, or module:NAME"),
        ("starts", "FILE", "starts of battles to play (TOML), and files of battles"),
        ("tests", "FOLDER", "where tests name clauses with @pytest.mark.clause"),
        ("counts", "FILE", "the pinned counts of branches and states"),
    ):
        group.addoption(
            f"--{option}", action="append", default=[], metavar=metavar, help=f"{help_text}; may be repeated"
        )
        kind: Literal["args", "paths"] = "args" if option == "ruleset" else "paths"
        parser.addini(f"conformance_{option}", f"{help_text}, unless --{option} is given", kind, default=[])
    often = "how often situations of battles are played and questions rolled at least, however long it takes"
    group.addoption("--plays", type=int, metavar="N", help=f"{often} (usually as often as some seconds allow)")
    parser.addini("conformance_plays", f"{often}, unless --plays is given", default="0")
    group.addoption("--write-counts", action="store_true", help="pin the counts as they are now")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker by which tests name the clauses they check."""
    config.addinivalue_line("markers", "clause(*ids): the rule clauses this test checks")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Report wrong options once, before anything is collected."""
    if session.config.getoption("write_counts") and not _paths(session.config, "counts"):
        raise pytest.UsageError("--write-counts pins the counts in a file; say which: --counts FILE.")
    _plays(session.config)
    if session.config.getoption("ruleset") or HERE in session.config.args:
        try:
            _subjects(session.config)
        except BattletapeError as error:
            raise pytest.UsageError(str(error)) from error


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say so where the counts are to be pinned, and the test that pins them was left out."""
    if not terminalreporter.config.getoption("write_counts"):
        return
    reports = (report for reports in terminalreporter.stats.values() for report in reports)
    if not any(isinstance(report, pytest.TestReport) and PINS in report.nodeid for report in reports):
        terminalreporter.write_line(f"--write-counts wrote nothing: {PINS} was not run; leave out -k, or other files.")


@pytest.fixture(scope="session")
def plays(pytestconfig: pytest.Config) -> int:
    """Return how often everything is played at least; 0 leaves it to the test."""
    return _plays(pytestconfig)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test for each question with its variants, each action, each ruling or each ruleset."""
    if metafunc.module.__name__.startswith(f"{HERE}."):
        try:
            _spread(metafunc, _subjects(metafunc.config))
        except BattletapeError as error:
            raise pytest.Collector.CollectError(str(error)) from error


def _spread(metafunc: pytest.Metafunc, subjects: tuple[Subject, ...]) -> None:
    wanted = set(metafunc.fixturenames)
    cases = [example for subject in subjects for example in examples(subject.ruleset)]
    # With this scope all tests of one case run one after another, so that what they share is worked out once.
    if "example" in wanted:
        metafunc.parametrize("example", cases, ids=str, scope="module")
    if "case" in wanted:
        cases += [variant for subject in subjects for variant in variants(subject.ruleset)]
        metafunc.parametrize("case", cases, ids=str, scope="module")
    if "action" in wanted:
        actions = [
            pytest.param(subject, action, id=f"{subject}-{action.name}")
            for subject in subjects
            for action in subject.actions
        ]
        metafunc.parametrize("subject, action", actions or [_nothing(2, "no action on the card measures anything")])
    elif "ruling" in wanted:
        rulings = [
            pytest.param(subject, ruling, id=f"{subject}-{ruling.name}")
            for subject in subjects
            for ruling in fields(subject.ruleset.rulings)
        ]
        metafunc.parametrize("subject, ruling", rulings or [_nothing(2, "no rulings are on the card")])
    elif "subject" in wanted:
        metafunc.parametrize("subject", subjects, ids=str)
    if "battling" in wanted:
        battling = [pytest.param(subject, id=str(subject)) for subject in subjects if subject.ruleset.battle_rules]
        metafunc.parametrize("battling", battling or [_nothing(1, "the card has no battle")])
    if "subjects" in wanted:
        # They are named by each of them, so that -k with one of them leaves the test in.
        metafunc.parametrize("subjects", [subjects], ids=["+".join(map(str, subjects))])
    if "pinned" in wanted:
        pinned = [pytest.param(path, id=path.name) for path in _paths(metafunc.config, "counts")]
        metafunc.parametrize("pinned", pinned or [_nothing(1, "no pinned counts were given (--counts)")])


def _nothing(width: int, reason: str) -> pytest.ParameterSet:
    """Return a skipped case that says why a test has nothing to run on."""
    return pytest.param(*(None,) * width, marks=pytest.mark.skip(reason=reason), id="nothing")


def _subjects(config: pytest.Config) -> tuple[Subject, ...]:
    if SUBJECTS not in config.stash:
        names = config.getoption("ruleset") or config.getini("conformance_ruleset")
        config.stash[SUBJECTS] = find_subjects(names, _paths(config, "starts"), _paths(config, "tests"))
    return config.stash[SUBJECTS]


def _paths(config: pytest.Config, option: str) -> list[Path]:
    given = [config.invocation_params.dir / name for name in config.getoption(option)]
    return given or list(config.getini(f"conformance_{option}"))


def _plays(config: pytest.Config) -> int:
    given = config.getoption("plays")
    text = str(config.getini("conformance_plays") if given is None else given)
    if not text.isdecimal():
        raise pytest.UsageError(f"--plays (or conformance_plays) must be a whole number from 0; got {text!r}.")
    return int(text)


def fail_if(problems: Iterable[str]) -> None:
    """Fail with a sentence for each problem, and without a traceback."""
    different = dict.fromkeys(problems)
    if different:
        pytest.fail("\n".join(different), pytrace=False)
