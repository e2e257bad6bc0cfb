"""A special rule takes one row and one function: in a ruleset made for it, a copy of ours, it then works everywhere.

Honed weapons have a point more of Strength. Barbed ones take a wound more once they get through: a weapon of Damage 2
in place of 1 does just that, as long as wounds are left. Searing ones set on fire without a roll. Toxic ones roll a die
for each survivor. A greedy gun has one more of its Sustained Fire dice. A sharp weapon has as many points more of
Strength as its number says.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from battletape.answer import Answer
from battletape.battle import Battle
from battletape.battle.notation import write_battle
from battletape.errors import BadInput, BattletapeError, UnknownName
from battletape.sheets import Notes
from battletape.system import Ruleset
from battletape.tape.script import Script
from battletape.views.sheets import from_question
from tests.invented import invented
from tests.second_edition.battles import MEDIUM, at, phase
from tests.sheets.cards import blocks, cards_of

FUNCTIONS = '''
from battletape.rulebook import D6, at_least
from battletape.rulesets.second_edition.rules.attack import catch_fire, take_damage


@clause("SE-18")
def _honed(draft: HitDraft) -> HitDraft:
    """Strike with a point more of Strength, where the weapon has any."""
    hit = draft.hit
    return draft if hit.strength is None else replace(draft, hit=replace(hit, strength=hit.strength + 1))


@clause("SE-22")
def _barbed(tape: Tape, victim: Victim) -> Victim:
    """Take a wound more from a survivor of a hit that got through."""
    hurt = replace(victim.condition, wounds=max(victim.condition.wounds - 1, 0))
    return replace(victim, condition=hurt) if victim.unsaved else victim


@clause("SE-86")
def _searing(tape: Tape, victim: Victim) -> Victim:
    """Set on fire without a roll."""
    hit = Hit(4, weapon="the searing weapon")
    lit = replace(victim.condition, on_fire=hit, just_lit=True)
    return replace(victim, condition=lit) if victim.unsaved else victim


@clause("SE-85")
def _toxic(tape: Tape, victim: Victim) -> Victim:
    """Kill a survivor of a hit that got through on a 6."""
    if not victim.unsaved or not tape.roll(D6, at_least(6), label="poisoned"):
        return victim
    return replace(victim, condition=replace(victim.condition, wounds=0))


@clause("SE-100")
def _greedy(gun: Gun) -> Gun:
    """Roll one die more."""
    return replace(gun, dice=gun.dice + 1)


@clause("SE-18")
def _sharp(draft: HitDraft, number: int) -> HitDraft:
    """Strike with as many points more of Strength as its number says."""
    hit = draft.hit
    return draft if hit.strength is None else replace(draft, hit=replace(hit, strength=hit.strength + number))
'''
ROWS = """
    Keyword("honed", ("SE-18",), before={note_hit: _honed}),
    Keyword("barbed", ("SE-22",), after={take_damage: _barbed}),
    Keyword("searing", ("SE-86",), instead={catch_fire: _searing}),
    Keyword("toxic", ("SE-85",), after={take_damage: _toxic}),
    Keyword("greedy", ("SE-100",), before={note_gun: _greedy}),
    Keyword("sharp", ("SE-18",), before={note_hit: _sharp}, numbered=True),
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ruleset]:
    """Our ruleset with the special rules honed, barbed, searing, toxic and greedy."""
    functions = FUNCTIONS.replace("battletape.rulesets.second_edition", "second_edition_invented")
    with invented(tmp_path_factory.mktemp("made"), "second_edition", functions, ROWS) as ruleset:
        yield ruleset


# --- questions --------------------------------------------------------------------------------------------------------

TARGET = {"toughness": 4, "wounds": 3, "save": 5}
NEAR = [{"name": f"Foe {number}", "x": number - 2, "y": 6.0} for number in (1, 2, 3)]
HERE = [{"name": f"Foe {number}", "x": 1.2 * number - 2.4, "y": 0.5} for number in (1, 2, 3)]
ASKED: list[tuple[str, dict[str, Any], str]] = [
    ("shoot", {"shots": 3}, "wounds_lost"),
    ("shoot", {"shots": 4, "models": 2, "incendiary": True, "way": "spread"}, "wounds_lost"),
    ("sustained", {"dice": 2, "models": 2}, "wounds_lost"),
    ("sustained", {"dice": 1, "models": 2, "turns": 2}, "wounds_lost"),
    ("blast", {"models": NEAR}, "wounds_lost"),
    ("grenade", {"models": NEAR}, "wounds_lost"),
    ("ground", {"models": NEAR, "x": 0, "y": 6}, "wounds_lost"),
    ("template", {"models": NEAR, "incendiary": True}, "wounds_lost"),
    ("burning", {"turns": 3}, "wounds_left"),
    ("burning", {"turns": 2, "lit": "partially"}, "wounds_left"),
    ("plasma", {"models": HERE, "tests": 2, "wounds": 2}, "killed"),
    ("force_weapon", {"hits": 2, "strength": 4, "user_strength": 3}, "wounds_lost"),
    ("force_weapon", {"hits": 2, "strength": 4, "user_strength": 3, "types": ["daemon"], "aura": 4}, "wounds_lost"),
]


def ask(made: Ruleset, question: str, given: dict[str, Any], measure: str, *rules: str, **weapon: Any) -> Answer:
    """A question about a weapon with these special rules, or with other numbers."""
    numbers = {"strength": 4, **weapon}
    return made.ask(question, **{**TARGET, **given, **numbers, "measures": [measure], "rules": rules})


@pytest.mark.clause("SE-18", "SE-19")
@pytest.mark.parametrize(("question", "given", "measure"), ASKED)
def test_a_honed_weapon_strikes_as_one_of_more_strength(
    made: Ruleset, question: str, given: dict[str, Any], measure: str
):
    honed, stronger = (
        ask(made, question, given, measure, *rules, strength=strength) for rules, strength in ((["honed"], 4), ([], 5))
    )
    assert honed.odds(measure).fractions() == stronger.odds(measure).fractions()
    if "daemon" not in given.get("types", ()):
        assert honed.odds(measure).fractions() != ask(made, question, given, measure).odds(measure).fractions()
    told = [step for step in honed.steps if "Strength" in step.title]
    assert question == "force_weapon" or [step.needed for step in told if "Toughness 4" in step.title] == ["3+"]


@pytest.mark.clause("SE-22", "SE-24")
@pytest.mark.parametrize(("question", "given", "measure"), ASKED)
def test_a_barbed_weapon_takes_a_wound_more(made: Ruleset, question: str, given: dict[str, Any], measure: str):
    barbed, harder = (
        ask(made, question, given, measure, *rules, damage=damage).odds(measure).fractions()
        for rules, damage in ((["barbed"], "1"), ([], "2"))
    )
    assert barbed == harder
    assert barbed != ask(made, question, given, measure).odds(measure).fractions()


@pytest.mark.clause("SE-86")
def test_a_searing_weapon_sets_on_fire_whom_it_wounds(made: Ruleset):
    odds = ask(made, "shoot", {"automatic": True}, "on_fire", "searing").odds("on_fire")
    assert odds.chance(1) == Fraction(1, 2) * Fraction(2, 3)  # wounded on a 4+, and not saved on a 5+
    made.roll("shoot", **TARGET, automatic=True, rules=["searing"], tape=(tape := Script(4, 4)))
    assert tape.used_up


@pytest.mark.clause("SE-85")
def test_the_die_of_a_new_stage_cites_the_clause_of_its_rule(made: Ruleset):
    odds = ask(made, "shoot", {"automatic": True}, "casualties", "toxic")
    assert [step.clauses for step in odds.steps if step.label == "poisoned"] == [("SE-85",)]
    roll = made.roll("shoot", **TARGET, automatic=True, rules=["toxic"], tape=Script(4, 4, 6))
    battle = fight(made, "shoot", GUNS, "toxic")
    move = battle.push("shoot", unit="Man", weapon="Own", target="Foe", tape=Script(6, 4, 4, 6))
    for log in (roll.log, battle.move_record(move.number).lines):
        assert [line.clauses for line in log if line.question == "poisoned"] == [("SE-85",)]


@pytest.mark.clause("SE-100")
def test_a_greedy_gun_has_a_die_more(made: Ruleset):
    burst = {"sustained": 1, "need": 3, "models": 3, "goal": "hits"}
    greedy, more = (made.ask("sustained", **{**burst, **given}) for given in ({"rules": ["greedy"]}, {"sustained": 2}))
    assert greedy.odds("hits").fractions() == more.odds("hits").fractions()
    both = made.ask("sustained", **{**burst, "rules": ["greedy", "linked"], "dice": 2})
    assert both.odds("hits").mean == 2 * made.ask("sustained", **{**burst, "sustained": 2, "dice": 2}).odds("hits").mean


def test_rules_work_together_and_are_known_by_name(made: Ruleset):
    both = ask(made, "shoot", {"shots": 2}, "wounds_lost", "barbed", "honed")
    numbers = ask(made, "shoot", {"shots": 2}, "wounds_lost", strength=5, damage="2")
    assert both.odds("wounds_lost").fractions() == numbers.odds("wounds_lost").fractions()
    with pytest.raises(UnknownName, match=r"no keyword 'honned'\. Did you mean 'honed'\?"):
        made.ask("shoot", rules=["honned"])
    source = from_question(made, made.question("shoot"), {"weapon": "Boltgun", "rules": ["honed"]})
    (card,) = cards_of(made, "weapon_cards", source)
    assert any("honed" in note.lines for note in blocks(card, Notes))


@pytest.mark.clause("SE-86", "SE-111")
@pytest.mark.parametrize(("question", "name"), [("shoot", "incendiary"), ("sustained", "linked")])
def test_a_rule_is_the_same_said_by_its_name_or_by_yes(made: Ruleset, question: str, name: str):
    named, said = (made.ask(question, **TARGET, **given) for given in ({"rules": [name]}, {name: True}))
    assert named.start == said.start
    assert said.inputs.rules == ()


SHARP = ("sharp (2)", "sharp 2", "sharp_2")
NEEDS = r"sharp needs a number from 1 to 50 in brackets, such as sharp \(3\); got 'sharp'"


@pytest.mark.clause("SE-18", "SE-19")
@pytest.mark.parametrize(("question", "given", "measure"), ASKED)
def test_a_sharp_weapon_is_stronger_by_its_number(made: Ruleset, question: str, given: dict[str, Any], measure: str):
    stronger = ask(made, question, given, measure, strength=6).odds(measure).fractions()
    for written in SHARP:
        assert ask(made, question, given, measure, written).odds(measure).fractions() == stronger
    with pytest.raises(BadInput, match=NEEDS):
        ask(made, question, given, measure, "sharp")


# --- battles ----------------------------------------------------------------------------------------------------------

GUNS = {"short_range": 12.0, "long_range": 24.0}
FIGHTS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("shoot", GUNS, {}),
    ("burst", {**GUNS, "sustained": 2}, {}),
    ("blast", {**GUNS, "blast": 2.0}, {}),
    ("grenade", {"blast": 2.0, "grenade": True}, {}),
    ("template", {"template": "medium", "incendiary": True}, {}),
    ("strike", {"rules": ["force"]}, {"hits": 2}),
]


def fight(made: Ruleset, action: str, weapon: dict[str, Any], *rules: str, strength: int = 5) -> Battle:
    """A model with a weapon of its own, in the phase of its use, and a foe of three wounds close to it."""
    own = {"name": "Own", "strength": strength, **weapon, "rules": [*weapon.get("rules", ()), *rules]}
    arms = {"grenades": ["Own"]} if weapon.get("grenade") else {"weapons": [{"name": "Own", "models": 1}]}
    base = {"models": 1, "base": 25.4, "toughness": 5, "wounds": 3}
    man = {**base, **arms, "name": "Man", "mastery": 1, "arsenal": [own], "templates": [MEDIUM], **at(20, 20)}
    foe = {**base, "name": "Foe", "save": 5, **at(20, 21 if action == "strike" else 25)}
    sides = [{"name": "South", "units": [man]}, {"name": "North", "units": [foe]}]
    return phase(Battle.new(made, {"sides": sides}), "hand to hand" if action == "strike" else "shooting")


@pytest.mark.clause("SE-18", "SE-113")
@pytest.mark.parametrize(("action", "weapon", "given"), FIGHTS)
def test_in_a_battle_a_honed_weapon_strikes_as_one_of_more_strength(
    made: Ruleset, action: str, weapon: dict[str, Any], given: dict[str, Any]
):
    order = {"unit": "Man", "weapon": "Own", "target": "Foe", **given}
    ways: list[tuple[tuple[str, ...], int]] = [((), 5), (("honed",), 5), ((), 6)]
    plain, honed, stronger = (
        fight(made, action, weapon, *rules, strength=strength).odds(action, order).odds("wounds_lost")
        for rules, strength in ways
    )
    assert honed.fractions() == stronger.fractions()
    assert honed.mean > plain.mean


@pytest.mark.clause("SE-18", "SE-113")
@pytest.mark.parametrize(("action", "weapon", "given"), FIGHTS)
def test_in_a_battle_a_sharp_weapon_is_stronger_by_its_number(
    made: Ruleset, action: str, weapon: dict[str, Any], given: dict[str, Any]
):
    order = {"unit": "Man", "weapon": "Own", "target": "Foe", **given}
    sharp = fight(made, action, weapon, "sharp (2)").odds(action, order).odds("wounds_lost")
    stronger = fight(made, action, weapon, strength=7).odds(action, order).odds("wounds_lost")
    assert sharp.fractions() == stronger.fractions()
    with pytest.raises(BadInput, match=NEEDS):
        fight(made, action, weapon, "sharp")


@pytest.mark.clause("SE-22")
def test_in_a_battle_a_barbed_shot_takes_a_wound_more(made: Ruleset):
    battle = fight(made, "shoot", GUNS, "barbed")
    tape = Script(6, 4, 4)
    battle.push("shoot", unit="Man", weapon="Own", target="Foe", tape=tape)
    assert tape.used_up
    assert battle.state.fighter("Foe").condition.wounds == 1


@pytest.mark.clause("SE-87", "SE-88")
def test_a_fire_lit_by_a_barbed_weapon_is_barbed(made: Ruleset):
    battle = fight(made, "template", {"template": "medium", "incendiary": True}, "barbed")
    battle.push("template", unit="Man", weapon="Own", target="Foe", tape=Script("over Foe, heading 0.00", 1, 4))
    assert battle.state.fighter("Foe").condition.wounds == 3
    battle.push("end_turn")
    battle.push("fire_test", unit="Foe", tape=Script(1, 6, 1, 180))
    assert battle.state.fighter("Foe").condition.wounds == 1


def test_a_battle_file_holds_the_invented_rule(made: Ruleset):
    battle = fight(made, "shoot", GUNS, "honed")
    assert 'rules = [\n    "honed",\n]' in write_battle(battle)
    with pytest.raises(BattletapeError, match="'honned'"):
        fight(made, "shoot", GUNS, "honned")


def test_a_weapon_without_named_rules_is_written_as_before(made: Ruleset):
    text = write_battle(fight(made, "shoot", GUNS))
    assert "rules = [" not in text
    assert "incendiary = false" in text
