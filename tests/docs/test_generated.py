"""The pages that write themselves hold all of a ruleset, and the whole documentation builds without a warning."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import battletape
from battletape.inputs import fields
from battletape.registry import OURS, ruleset
from battletape.system import Ruleset
from battletape.views.evidence import marked_tests
from docs import generate
from docs.evidence import named_by_tests
from docs.markdown import command, plain
from tests.docs.pages import DOCS, ROOT
from tests.toy import RULESET as TOY

CARDS = [*(ruleset(name) for name in OURS), TOY]


@pytest.fixture(scope="module")
def page_of() -> dict[str, str]:
    """The page of each ruleset."""
    return {card.name: generate.ruleset_page(card) for card in CARDS}


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_questions_and_measures_are_there(card: Ruleset, page_of: dict[str, str]):
    page = page_of[card.name]
    for question in card.questions:
        part = page.split(f"### {question.name}\n")[1].split("\n### ")[0]
        assert question.title in part
        assert all(f"`{field.name}`" in part for field in fields(question.inputs))
        assert all(f"`{measure.name}`" in part for measure in question.measures)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_every_value_of_every_ruling_is_there(card: Ruleset, page_of: dict[str, str]):
    part = page_of[card.name].partition("\n## Rulings\n")[2].partition("\n## ")[0]
    rows = {line.split("`")[1]: line for line in part.split("\n") if line.startswith("| `")}
    for ruling in fields(card.rulings):
        assert ruling.title in rows[ruling.name]
        assert f"#{generate.anchor(ruling.clause)}" in rows[ruling.name]
        row, default = rows[ruling.name], ruling.show(ruling.default)
        places = {value: row.index(f"<code>{value}</code>: {means}") for value, means in ruling.alternatives}
        assert {ruling.show(value) for value in ruling.choices} <= set(places)
        assert places[default] == min(places.values())


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_actions_keywords_tables_and_profiles_are_there(card: Ruleset, page_of: dict[str, str]):
    page = page_of[card.name]
    actions = card.battle_rules.actions if card.battle_rules else ()
    assert all(f"| `{action.name}` | {action.title} |" in page for action in actions)
    assert all(f"| `{keyword.name}` |" in page for keyword in card.keywords)
    assert all(f"### {table.title}\n" in page for table in card.tables())
    assert all(f"| {name} |" in page for entries in card.book.entries.values() for name in entries)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_every_key_of_a_file_of_sides_is_there(card: Ruleset, page_of: dict[str, str]):
    if card.battle_rules is None:
        return
    part = page_of[card.name].partition("## A file of sides")[2].partition("\n## ")[0]
    for key in fields(card.battle_rules.start):
        assert f"| `{key.name}` |" in part
        for inner in fields(key.item) if key.item is not None else ():
            assert f"| `{inner.name}` |" in part
            assert inner.item is None or f"`[[{key.name}.{inner.name}]]`" in part


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_every_clause_is_there_with_its_words(card: Ruleset, page_of: dict[str, str]):
    page = page_of[card.name]
    for clause in card.clauses:
        assert f"({generate.anchor(clause.id)})=\n" in page
        assert plain(clause.words) in page


def test_a_parameter_that_needs_words_is_explained(page_of: dict[str, str]):
    assert (
        "- `also` of `attack`: further targets of the same weapon; “target=NAME models=N” for each"
        in (page_of["attack_dice"])
    )


def test_the_coverage_page_names_code_and_tests():
    page = generate.coverage_page([TOY], named_by_tests(generate.TESTS))
    assert "| [Toy skirmish](#toy) | 12 | 12 | 0 | 0 | 0 |" in page
    row = next(line for line in page.split("\n") if line.startswith("| [TOY-4]"))
    assert "`attack.roll_to_hit`" in row
    assert "*toy*: aiming gives up a die and hits easier" in row


def test_marks_are_found_wherever_they_stand():
    text = """
pytestmark = [pytest.mark.clause("A-1"), pytest.mark.slow]
@pytest.mark.clause("A-2", "A-3")
def test_one(): ...
@pytest.mark.clause("A-4")
class TestTwo:
    @pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.clause("A-5"))])
    def test_three(self): ...
def helper(): ...
"""
    assert dict(marked_tests(ast.parse(text))) == {
        "test_one": ["A-1", "A-2", "A-3"],
        "TestTwo::test_three": ["A-1", "A-4", "A-5"],
    }


def test_names_of_tests_become_sentences():
    names = ["test_d6.test_a_one_fails", "test_d6.test_a_six_passes", "12 vectors"]
    assert generate.told(names) == "*d6*: a one fails, a six passes; 12 vectors"


def test_vectors_count_as_tests():
    named = named_by_tests(generate.TESTS)
    assert any(name.endswith("vectors") for name in named["AD-13"])


def test_a_page_that_has_not_changed_is_not_written_again(tmp_path: Path):
    (tmp_path / "gone.md").write_text("a ruleset that is no more")
    first = {path: path.stat().st_mtime_ns for path in generate.write_pages(tmp_path)}
    assert {path: path.stat().st_mtime_ns for path in generate.write_pages(tmp_path)} == first
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in first)


def test_a_command_is_folded_as_a_shell_reads_it():
    given = {"weapons": [{"attacks": 3, "power": 4}], "friend_in_target_melee": True, "unit": "Lady of the Ninth Oath"}
    text = command("bt odds attack_dice volley", given)
    assert text.split("\n") == [
        'bt odds attack_dice volley --weapons "attacks=3 power=4" \\',
        '    --friend-in-target-melee yes --unit "Lady of the Ninth Oath"',
    ]


def test_entries_inside_an_entry_stand_in_quotes():
    given = {"volleys": [{"guns": [{"shots": 2, "ap": 1}, {"shots": 1}]}]}
    assert command("bt odds", given) == "bt odds --volleys \"guns='shots=2 ap=1 ; shots=1'\""


def test_the_docs_build_without_a_warning(tmp_path: Path):
    paths = [str(Path(battletape.__file__).parents[1]), str(ROOT)]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", str(DOCS), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for name in OURS:
        built = (tmp_path / "rulesets" / f"{name}.html").read_text(encoding="utf-8")
        assert all(f'id="{generate.anchor(clause.id).replace("_", "-")}"' in built for clause in ruleset(name).clauses)
        assert str(ROOT) not in built
