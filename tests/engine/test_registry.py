"""Rulesets by name, errors, and the public names of the package."""

from __future__ import annotations

import ast
import pydoc
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest
from msgspec.structs import replace

import battletape
from battletape import registry
from battletape.errors import BadInput, BattletapeError, Refused, UnknownName, nearest
from tests.toy import RULESET


@pytest.fixture(autouse=True)
def _own_registry(monkeypatch):
    monkeypatch.setattr(registry, "_known", {})


def points(*pairs: tuple[str, str]) -> EntryPoints:
    return EntryPoints(EntryPoint(name, value, "battletape.rulesets") for name, value in pairs)


def test_built_in_rulesets_are_listed_before_plugins():
    assert registry.names()[: len(registry.OURS)] == list(registry.OURS)
    for name in registry.OURS:
        assert registry.ruleset(name).name == name
        assert registry.ruleset(name) is registry.ruleset(name)


def test_a_registered_ruleset_is_found_by_name():
    assert registry.register(RULESET) is RULESET
    assert registry.ruleset("toy") is RULESET
    assert "toy" in registry.names()


def test_a_name_is_not_taken_twice_by_mistake():
    registry.register(RULESET)
    other = replace(RULESET, title="Another")
    with pytest.raises(BattletapeError, match="the name 'toy' is registered already; give yours another name, or say"):
        registry.register(other)
    assert registry.ruleset("toy") is RULESET
    assert registry.register(other, replace=True) is registry.ruleset("toy") is other


def test_a_ruleset_of_another_package_is_found(monkeypatch):
    monkeypatch.setattr(registry, "_others", lambda: points(("toy", "tests.toy:RULESET")))
    assert registry.names() == [*registry.OURS, "toy"]
    assert registry.ruleset("toy") is RULESET


def test_an_entry_point_that_is_no_ruleset_is_refused(monkeypatch):
    monkeypatch.setattr(registry, "_others", lambda: points(("odd", "tests.toy:KEYWORDS")))
    with pytest.raises(BattletapeError, match=r"the ruleset 'odd' cannot be used: .* must be a Ruleset"):
        registry.ruleset("odd")


BROKEN = {
    "raises": ("raise RuntimeError('no dice\\nat home')", "RuntimeError: no dice at home"),
    "exits": ("raise SystemExit(3)", "SystemExit: 3"),
    "ends": ("class Skip(BaseException): ...\nraise Skip('not here')", "Skip: not here"),
    "mute": ("class Odd(Exception):\n    def __str__(self):\n        return 1 / 0\nraise Odd", "Odd"),
    "garbles": (r"raise OSError('caf\udce9.toml \x1b[31m')", "OSError: caf?.toml ?[31m"),
    "misses": ("import no_such_thing", "ModuleNotFoundError: No module named 'no_such_thing'"),
    "garbled": ("RULESET = (", "SyntaxError: "),
    "empty": ("", "AttributeError: module 'empty_game' has no attribute 'RULESET'"),
    "asks": ("import battletape\nprint(battletape.names())\nraise OSError(5)", "OSError: 5"),
    "other": ("from tests.toy import RULESET", "the card's name is 'toy', its entry point's 'other'"),
    "attack_dice": ("from tests.toy import RULESET", "the name is that of one of Battletape's own rulesets"),
}
"""What other packages do that cannot be used, and what is said of each."""


def test_a_broken_plugin_is_left_out_and_named_with_its_error(monkeypatch, tmp_path):
    for name, (code, _) in BROKEN.items():
        (tmp_path / f"{name}_game.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    found = points(*((name, f"{name}_game:RULESET") for name in BROKEN), ("toy", "tests.toy:RULESET"))
    monkeypatch.setattr(registry, "_others", lambda: found)
    assert registry.names() == [*registry.OURS, "toy"]
    assert [card.name for card in registry.rulesets()] == registry.names()
    broken = registry.broken()
    assert list(broken) == list(BROKEN)
    for name, (_, why) in BROKEN.items():
        assert broken[name].startswith(why)
        assert "\n" not in broken[name]
    with pytest.raises(BattletapeError, match="the ruleset 'raises' cannot be used: RuntimeError: no dice at home"):
        registry.ruleset("raises")
    assert registry.ruleset("attack_dice").package.startswith("battletape.")


CARDS = {
    "title": ("title=None", "a card's title and summary are texts, got None"),
    "tables": ("tables=lambda: 1 / 0", "ZeroDivisionError: division by zero"),
    "profiles": ("profiles=lambda files: 1 / 0", "ZeroDivisionError: division by zero"),
    "example": ("questions=(replace(HIT, example={'nope': 1}),)", "the example of hit: hit has no input 'nope'"),
    "tile": ("tile=Tile('All', questions=('nope',))", "tile: there is no question 'nope'"),
    "drawing": ("tile=Tile('All', drawing='no.svg')", "the tile of drawing has no drawing 'no.svg'"),
}
"""Cards that can be imported and not shown, and what is said of each."""


@pytest.mark.parametrize("name", CARDS)
def test_a_card_that_no_page_could_show_is_left_out_too(monkeypatch, tmp_path, name):
    change, why = CARDS[name]
    card = f"RULESET = replace(toy.RULESET, name={name!r}, {change})"
    imports = "from msgspec.structs import replace\nfrom battletape.system import Tile\nfrom tests import toy"
    (tmp_path / f"{name}_card.py").write_text(f"{imports}\nfrom tests.toy import HIT\n{card}\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "_others", lambda: points((name, f"{name}_card:RULESET")))
    assert registry.names() == list(registry.OURS)
    assert registry.broken()[name].startswith(why)


def test_an_unknown_ruleset_is_refused_with_the_nearest_name():
    with pytest.raises(UnknownName) as error:
        registry.ruleset("atack_dice")
    assert str(error.value).startswith("there is no ruleset 'atack_dice'. Did you mean 'attack_dice'? Known: ")


@pytest.mark.parametrize(
    "name, known, found",
    [
        ("Sharpe", ["Sharp", "Blunt"], "Sharp"),
        ("SHARP", ["sharp"], "sharp"),
        ("dragon", ["Sharp"], None),
        ("x", [], None),
        ("Long Bow", ["Long Storm Bow", "Long Bow (Yew)", "Long Bow (Yew, strung)"], "Long Bow (Yew)"),  # begins so
        ("mode", ["modifier", "weapon"], None),
        ("lasgun", ["lascannon", "bow"], "lascannon"),
    ],
)
def test_the_nearest_name(name, known, found):
    assert nearest(name, known) == found


def test_an_unknown_name_among_25_lists_none_of_them():
    assert "Known" not in str(UnknownName("unit", "x", [f"unit {n}" for n in range(25)]))


def test_errors_are_sentences_with_parts():
    assert str(BadInput("power must be more", field="power", source="army.toml")) == "army.toml: power must be more"
    refused = Refused("it has acted", "X-1")
    assert (str(refused), refused.reason, refused.clause) == ("it has acted (X-1)", "it has acted", "X-1")
    assert str(Refused("it has acted")) == "it has acted"
    assert issubclass(UnknownName, BadInput)
    assert issubclass(BadInput, BattletapeError)


def test_every_public_name_is_there():
    for name in battletape.__all__:
        assert getattr(battletape, name) is not None
        assert name in dir(battletape)


def test_help_works_on_every_public_name():
    for name in battletape.__all__[1:]:  # the first is the version
        public = getattr(battletape, name)
        known_as = type(public).__name__ if isinstance(public, battletape.Die) else public.__name__
        assert known_as in pydoc.plain(pydoc.render_doc(public))


def test_type_checkers_see_the_public_names():
    tree = ast.parse(Path(battletape.__file__).read_text(encoding="utf-8"))
    block = next(part for part in tree.body if isinstance(part, ast.If))
    imports = [part for part in block.body if isinstance(part, ast.ImportFrom)]
    seen = {alias.asname: part.module for part in imports for alias in part.names if alias.asname == alias.name}
    assert seen == battletape._HOME_OF


def test_a_name_that_is_not_public_raises_an_attribute_error():
    with pytest.raises(AttributeError, match="battletape has no public name 'Dice'; it has Action, Answer"):
        battletape.Dice  # type: ignore[attr-defined]  # noqa: B018
