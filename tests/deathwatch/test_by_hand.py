"""Corrections by hand in a battle: logged as such, refused where they make no sense, and undone."""

from __future__ import annotations

import re
import shlex
from typing import Any

import pytest

from battletape.battle import Battle
from battletape.errors import BadInput, BattletapeError
from battletape.rulesets.deathwatch.battle.actions.by_hand import BY_HAND
from battletape.rulesets.deathwatch.tables.criticals import BYSTANDER_STRIKES, WORDS
from battletape.tape.script import Script
from tests.deathwatch.battles import SQUAD, Said, battle, crowd, fighter, mob, place, refused, state, unit_named

CATO, GHARN = fighter("Brother Cato"), fighter("Warlord Gharn", 0, 1)
MOB = mob(y=3)


def game(**more: Any) -> Battle:
    return battle([CATO, fighter("Brother Rurik", 0, -9)], [GHARN, MOB], cohesion=3, **more)


def told(one: Battle) -> list[str]:
    return [line.text for line in one.move_record(one.moves[-1].number).lines]


@pytest.mark.clause("DW-DMG-1")
def test_a_wound_by_hand_is_taken_as_it_is_said_at_any_time():
    one = game()
    health = unit_named(one, "Warlord Gharn").health
    one.push("wound", unit="Warlord Gharn", damage="7", place="body")
    assert unit_named(one, "Warlord Gharn").health == health - 7
    assert told(one)[0] == "By hand: 7 I damage to Warlord Gharn."
    one.pop()
    assert unit_named(one, "Warlord Gharn").health == health
    one.push("wound", unit="Raider mob", damage="4")
    assert crowd(one, "Raider mob").magnitude == 26


@pytest.mark.clause("DW-DMG-1", "DW-CRIT-2", "DW-LOC-1", "DW-DMG-3")
def test_what_a_critical_row_does_to_bystanders_is_played_with_its_dice():
    one = game()
    healths = {unit.name: unit.health for unit in state(one).fighters}
    # a d10 for the reach: two metres; Cato's place and damage; nobody else is as near, the mob stands two metres off
    tape = Script(2, 40, 9, 3)
    order = {"unit": "Warlord Gharn", "damage": "1d10+5", "within": "d10", "spares": True, "stopped": True}
    one.push("wound", order, tape=tape)
    tape.finish()
    cato = unit_named(one, "Brother Cato")
    reduction = 10 + 8  # armour of the body, and the toughness bonus
    assert cato.health == healths["Brother Cato"] - max(0, 9 + 5 - reduction)
    assert unit_named(one, "Brother Rurik").health == healths["Brother Rurik"]
    assert unit_named(one, "Warlord Gharn").health == healths["Warlord Gharn"]
    assert crowd(one, "Raider mob").magnitude == 30 - (3 + 5)
    bare = game()
    bare.push("wound", {**order, "stopped": False, "within": "2"}, tape=Script(40, 9, 3))
    assert unit_named(bare, "Brother Cato").health == healths["Brother Cato"] - 14


@pytest.mark.clause("DW-DMG-2", "DW-CRIT-2")
def test_damage_by_hand_reaches_the_critical_rows():
    one = battle([CATO], [fighter("Raider", 0, 9, kind="character")])
    one.push("wound", unit="Raider", damage="200", place="head")
    assert unit_named(one, "Raider").is_dead
    refused(one, "wound", "DW-DMG-4", "is dead", unit="Raider")


def test_healing_gives_back_what_was_lost_and_no_more():
    one = battle([fighter("Brother Cato", damage_taken=21, critical=2)], [GHARN, mob(lost=5)])
    refused(one, "heal", "DW-DMG-1", "were to be given back", unit="Brother Cato", wounds=24)
    one.push("heal", unit="Brother Cato", wounds=3)
    assert unit_named(one, "Brother Cato").health == 1
    one.push("heal", unit="Raider mob", wounds=5)
    assert crowd(one, "Raider mob").magnitude == 30


@pytest.mark.parametrize(
    "what", ["prone", "pinned", "on_fire", "blood_loss", "immobilised", "stunned", "blind", "fatigue"]
)
def test_a_condition_begins_and_ends(what: str):
    one = game()
    refused(one, "condition", "DW-STUN-1", "is not", unit="Brother Cato", what=what, ends=True)
    one.push("condition", unit="Brother Cato", what=what, rounds=2)
    assert getattr(unit_named(one, "Brother Cato").conditions, what) in (True, 2)
    assert told(one)[0].startswith("By hand: Brother Cato: ")
    one.push("condition", unit="Brother Cato", what=what, ends=True)
    assert not getattr(unit_named(one, "Brother Cato").conditions, what)


def test_conditions_of_hordes_and_surprise():
    one = game()
    refused(one, "condition", "DW-HORDE-1", "is a horde", unit="Raider mob", what="stunned")
    one.push("condition", unit="Raider mob", what="pinned")
    one.push("condition", unit="Raider mob", what="surprised")
    assert crowd(one, "Raider mob").pinned
    assert crowd(one, "Raider mob").surprised
    one.push("condition", unit="Brother Cato", what="surprised")
    assert unit_named(one, "Brother Cato").surprised


def test_notes_are_shown():
    one = game()
    one.push("note", text="The gate is open", unit="Brother Cato")
    assert "Brother Cato: The gate is open" in str(list(one.rules.show(state(one))))
    refused(one, "note", "DW-ECON-1", "needs a line of words")


@pytest.mark.clause("DW-ECON-1")
def test_a_new_unit_acts_by_its_initiative():
    one = game()
    one.push("reinforce", like="Warlord Gharn", name="Gharn's brother", x=9, y=9, initiative=1)
    new = unit_named(one, "Gharn's brother")
    assert (new.side, new.health, place(one, new.name)) == (
        unit_named(one, "Warlord Gharn").side,
        new.profile.wounds,
        (9, 9),
    )
    assert state(one).clock.order[-1] == "Gharn's brother"
    assert state(one).active == "Brother Cato"
    assert [held.name for held in new.weapons] == [held.name for held in unit_named(one, "Warlord Gharn").weapons]
    one.push("reinforce", like="Raider mob", name="More", side=SQUAD)
    assert crowd(one, "More").magnitude == 30
    refused(one, "reinforce", "DW-ECON-1", "a name of its own", like="Raider mob", name="more")
    refused(one, "reinforce", "DW-ECON-1", "the sides are", like="Raider mob", name="Yet more", side="Nobody")
    for _ in range(6):
        one.push("end_turn", tape=1)
    assert one.check().moves == len(one.moves)


@pytest.mark.clause("DW-ECON-1")
def test_a_unit_that_has_left_neither_acts_nor_is_attacked():
    one = game()
    one.push("leave", unit="Warlord Gharn")
    refused(one, "shoot", "DW-PIPE-1", "out of the fight", target="Warlord Gharn")
    refused(one, "leave", "DW-ECON-1", "has left already", unit="Warlord Gharn")
    one.push("leave", unit="Brother Cato")
    refused(one, "aim", "DW-ECON-1", "has left the battle")
    one.push("end_turn")
    assert state(one).active == "Brother Rurik"
    one.push("end_turn")
    assert state(one).active == "Raider mob"
    one.push("leave", unit="Raider mob")
    assert one.over == f"{SQUAD} holds the field"


def test_supplies():
    one = game()
    one.push("ammunition", unit="Brother Cato", rounds=3)
    assert unit_named(one, "Brother Cato").weapon_named("").clip == 3
    refused(one, "ammunition", "DW-RWEP-00", "holds 28 rounds", unit="Brother Cato", rounds=29)
    one.push("cohesion", side=SQUAD, points=1)
    assert dict(state(one).cohesion)[SQUAD] == 1
    refused(one, "cohesion", "DW-COND-COHESION", "the sides are", side="Nobody", points=1)


def test_nothing_by_hand_is_proposed_and_bad_words_are_refused_kindly():
    one = game()
    assert not {option.action.name for option in one.legal()} & {action.name for action in BY_HAND}
    for order in ({"damage": "many"}, {"within": "far"}, {"place": "tail"}, {"unit": "Nobody"}):
        with pytest.raises(BattletapeError):
            one.push("wound", {"unit": "Brother Cato", **order})
    assert not one.moves


# --- what critical rows leave to the table ----------------------------------------------------------------------------

PISTOL = {"name": "Burster", "kind": "Pistol", "range": 60, "damage": "1d10+40", "clip": 12}
SPOTS = {"arm": "right_arm", "leg": "right_leg"}


def struck(key: tuple[str, str, int], name: str = "Skarr the Red") -> Battle:
    """A shot of such damage at such a place that leaves this row, with a brother two metres off."""
    letter, place, row = key
    armed = fighter("Brother Cato", weapons=["Burster"], arsenal=[{**PISTOL, "damage_type": letter}])
    whole = {"wounds": 60, "kind": "character", "toughness": 10, "armour": []}
    foe = fighter("Raider", 0, 10, name=name, **whole, damage_taken=60 - 41 + row)  # a die that shows 2, less 1
    one = battle([armed, fighter("Brother Rurik", 0, 11)], [foe])
    dice = {"to_hit": 1, "damage": [(2,)]}
    one.push("shoot", target=name, called=SPOTS.get(place, place), modifier=200, tape=Said(3, **dice))
    return one


@pytest.mark.clause("DW-CRIT-2")
@pytest.mark.parametrize("key", sorted(BYSTANDER_STRIKES))
def test_the_log_offers_what_a_row_does_to_bystanders_as_an_order_that_can_be_played(key: tuple[str, str, int]):
    one = struck(key)
    offered = [text.partition("by hand: ")[2] for text in told(one) if "by hand: " in text]
    assert len(offered) == len(BYSTANDER_STRIKES[key])
    assert unit_named(one, "Skarr the Red").is_dead
    for text, strike in zip(offered, BYSTANDER_STRIKES[key], strict=True):
        action, *pairs = shlex.split(text)
        order = dict(pair.split("=") for pair in pairs)
        assert (order["unit"], order["damage"], order["within"]) == ("Skarr the Red", strike.damage, strike.within)
        assert order.get("damage_type", "I") == strike.damage_type
        one.push(action, order, tape=1)
        assert told(one)[0].endswith(f"damage to all within {strike.within} m of Skarr the Red.")


def test_every_row_that_says_it_hurts_all_within_some_metres_is_offered_with_those_numbers():
    said = {}
    for key, words in WORDS.items():
        whole = words.replace("the same as row 9", WORDS[(*key[:2], 9)])
        found = re.findall(r"(\d*d\d+[+-]\d+) ([A-Z]) to all within (\d*d?\d+) m", whole)
        found += [
            (dice, kind, far) for far, dice, kind in re.findall(r"within (d\d+) m Dodge or take (\S+) ([A-Z])", whole)
        ]
        if found:
            said[key] = found
    declared = {
        key: [(one.damage, one.damage_type, one.within) for one in rows] for key, rows in BYSTANDER_STRIKES.items()
    }
    assert declared == said


def test_nothing_is_offered_for_other_rows():
    assert not any("by hand" in text for text in told(struck(("R", "body", 9))))


@pytest.mark.parametrize("action", ["wound", "heal", "condition", "leave", "ammunition", "cohesion"])
def test_nothing_is_changed_by_hand_unless_its_unit_or_side_is_named(action):
    """A forgotten name changes nothing of the unit that happens to have its turn."""
    fight = battle([fighter("Brother Cato")], [fighter("Raider", 0, 20)])
    before = fight.state
    with pytest.raises(BadInput, match=r"^name the (unit|side), .*nothing is changed by hand unnamed"):
        fight.push(action)
    assert fight.state == before
