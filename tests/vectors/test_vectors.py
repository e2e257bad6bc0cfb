"""Every public vector holds, and the runner says so in the form that is asked for."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.vectors import HERE, failures, read_vectors
from tests.vectors.given import Given, Unknown

FILES = sorted(HERE.glob("*.vectors.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_vector_holds(path: Path):
    vectors = read_vectors(path)
    assert vectors
    assert list(failures(path.name.removesuffix(".vectors.json"), vectors)) == []


def run(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "tests.vectors", *args], capture_output=True, text=True, check=False)


def test_a_wrong_vector_is_named_and_counted(tmp_path: Path):
    vectors = read_vectors(HERE / "attack_dice.vectors.json")[:3]
    vectors[1]["expect"]["entry"] = "8+"
    file = tmp_path / "some.json"
    file.write_text(json.dumps(vectors))
    done = run("attack_dice", str(file))
    assert done.returncode == 1
    assert done.stdout.startswith(f"FAILED {vectors[1]['id']}: ")
    assert done.stdout.endswith("2 passed, 1 failed\n")


def test_a_file_that_is_not_there_is_a_sentence():
    done = run("attack_dice", "nowhere.json")
    assert done.returncode == 2
    assert "cannot be read" in done.stderr


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        ({"given": {"colour": "red"}}, "nobody reads colour"),
        ({"question": "weather"}, "the question 'weather'"),
        ({"because": "why not"}, "because is missing or unknown"),
    ],
    ids=["a name that is given", "a question", "a part of the vector"],
)
def test_what_the_glue_does_not_know_is_an_error_that_names_it(spoil: dict[str, Any], named: str):
    vector = read_vectors(HERE / "attack_dice.vectors.json")[0]
    spoilt = {**vector, **spoil, "given": {**vector["given"], **spoil.get("given", {})}}
    [(name, why)] = failures("attack_dice", [spoilt])
    assert name == vector["id"]
    assert named in why


def test_what_is_given_counts_as_read_only_where_it_was_read():
    given = Given({"cover": {"stat": "defence", "amount": 1}, "weapons": [{"power": 4, "name": "gun"}], "dice": "d10"})
    assert "dice" in given
    assert list(given.unread()) == ["cover", "weapons", "dice"]
    assert given.choice("dice", ("d6", "d10")) == "d10"
    assert given["cover"]["stat"] == "defence"
    assert given["weapons"][0].only("power", "ap") == {"power": 4}
    assert list(given.unread()) == ["cover.amount", "weapons[0].name"]
    assert given.plain() == {
        "cover": {"stat": "defence", "amount": 1},
        "weapons": [{"power": 4, "name": "gun"}],
        "dice": "d10",
    }
    assert list(given.unread()) == []
    with pytest.raises(Unknown, match=r"nobody knows the cover\.stat 'defence'; known are 'armour'"):
        given["cover"].choice("stat", {"armour": 1})
    with pytest.raises(Unknown, match=r"gives no cover\.colour"):
        given["cover"]["colour"]


@pytest.mark.parametrize(
    ("name", "given", "named"),
    [
        ("ADV-185", {"weapon_class": "hevay"}, "the weapon_class 'hevay'"),
        ("ADV-001", {"dice": "d12"}, "got 'd12'"),
        ("ADV-216", {"cover": {"stat": "speed", "amount": 1}}, "got 'speed'"),
        ("ADV-216", {"cover": {"stat": "defence", "amount": 1, "colour": "red"}}, "nobody reads cover.colour"),
        ("ADV-066", {"query": "sum"}, "the query 'sum'"),
        ("ADV-303", {"game_started": "perhaps"}, "the game_started 'perhaps'"),
        ("ADV-302", {"used": ["harpoon"]}, "'harpoon'"),
    ],
)
def test_a_value_that_the_glue_does_not_know_is_never_passed_over(name: str, given: dict[str, Any], named: str):
    [vector] = [one for one in read_vectors(HERE / "attack_dice.vectors.json") if one["id"] == name]
    [(_, why)] = failures("attack_dice", [{**vector, "given": {**vector["given"], **given}}])
    assert named in why


@pytest.mark.parametrize("ruleset", ["attack_dice", "diceless40k"])
def test_the_glue_knows_nothing_of_a_ruleset_but_what_players_can_use(ruleset: str):
    files = [HERE / f"{ruleset}.py", *(HERE / f"{ruleset}_parts").glob("*.py")]
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files]
    homes = {node.module or "" for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not [home for home in homes if home.startswith("battletape.rulesets")]
