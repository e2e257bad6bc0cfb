"""Every row of the combat difficulty summary, for fighters and for hordes, in questions and in battles alike."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from battletape.answer import Answer
from battletape.errors import BattletapeError
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.battle.state import Mob
from battletape.rulesets.deathwatch.rules.attack.modifiers import BAND_KEYS, row_value
from battletape.rulesets.deathwatch.tables.sheet import SITUATIONS
from tests.deathwatch.battles import Said, battle, fighter, mob, state

Who = Literal["fighter", "mob"]
KINDS: tuple[Who, ...] = ("fighter", "mob")
PAIRS = [("fighter", "fighter"), ("fighter", "mob"), ("mob", "fighter")]
"""Pairs of attacker and target; hordes here do not fight hordes."""
DISTANCES = {"point_blank": 2, "short_range": 10, "long_range": 80, "extreme_range": 100}
NORMAL = 40
DODGES = ("dodge_while_prone",)
NAMED = [key for key in SITUATIONS if key not in (*BAND_KEYS, *DODGES)]
GUN, BLADE = "Astartes Bolt Pistol", "Astartes Chainsword"


def modifiers(answer: Answer) -> dict[str, int]:
    """Return the modifiers of the attack, by clause; without the size of a horde."""
    start: Any = answer.start
    if hasattr(start, "fight"):
        spec = start.fight.attack.spec(start.magnitude)
    elif getattr(start, "later_attacks", ()):
        blow = start.later_attacks[0]
        spec = blow.spec if blow.horde_attack is None else blow.horde_attack.spec(start.magnitude(blow.target))
    else:
        spec = start.spec
    return {by.clause: by.value for by in spec.modifiers if by.clause != "DW-HORDE-2"}


def unit(kind: Who, name: str, y: float = 0, **more: Any) -> dict[str, Any]:
    """A fighter or a horde with a gun and a blade."""
    arms = {"name": name, "weapons": [GUN, BLADE], **more}
    return mob(y=y, magnitude=30, **arms) if kind == "mob" else fighter("Raider", y=y, talents=TRAINED, **arms)


TRAINED = ["Astartes Weapon Training"]


def asked(attacker: Who, target: Who, melee: bool, **more: Any) -> dict[str, int]:
    """The modifiers in a question."""
    weapon = {"weapon": BLADE if melee else GUN}
    if attacker == "mob":
        given = {"horde": "Raider mob", "attack": "melee" if melee else "shoot", "target": "Raider", **weapon}
        question = "horde_attacks"
    elif target == "mob":
        given, question = {"attack": "melee" if melee else "shoot", "horde": "Raider mob", **weapon}, "horde"
    else:
        given, question = {"target": "Raider", **weapon}, "fight" if melee else "shoot"
    known = {} if melee else {"distance": NORMAL, "mode": "single"}
    return modifiers(RULESET.ask(question, **{**given, **known, **more}))


def fought(attacker: Who, target: Who, melee: bool, at: dict[str, Any] | None = None, **order: Any) -> dict[str, int]:
    """The modifiers in a battle; `at` is what is special about the target."""
    begun = dict(at or {})
    distance = begun.pop("distance", 1 if melee else NORMAL)
    now = battle([unit(attacker, "A")], [unit(target, "B", distance, **begun)])
    action = ("horde_strikes" if melee else "horde_shoots") if attacker == "mob" else "strike" if melee else "shoot"
    return modifiers(now.odds(action, unit="A", target="B", **order))


@pytest.mark.parametrize("melee", [False, True], ids=["shot", "blow"])
@pytest.mark.parametrize("pair", PAIRS, ids=" at ".join)
@pytest.mark.parametrize("key", NAMED)
def test_a_row_that_is_named_counts_in_questions_and_battles(key: str, pair: tuple[Who, Who], melee: bool):
    row = SITUATIONS[key]
    if row.applies == ("ranged" if melee else "melee"):
        for door in (asked, fought):
            with pytest.raises(BattletapeError, match="does not change"):
                door(*pair, melee, situations=[key])
        return
    plain, named = asked(*pair, melee), asked(*pair, melee, situations=[key])
    assert plain == fought(*pair, melee)
    assert named == fought(*pair, melee, situations=[key])
    own = {"stunned": 20, "fatigued": -10, "weapon_without_talent": -20}  # by sections of their own
    assert sum(named.values()) - sum(plain.values()) == own.get(key, row_value(key))


@pytest.mark.parametrize("pair", PAIRS, ids=" at ".join)
@pytest.mark.parametrize("key", DISTANCES)
def test_the_band_of_a_distance_counts_in_questions_and_battles(key: str, pair: tuple[Who, Who]):
    metres = DISTANCES[key]
    told = fought(*pair, False, {"distance": metres})
    assert told == asked(*pair, False, distance=metres)
    assert told["DW-RANGE-1"] == row_value(key)


@pytest.mark.parametrize("melee", [False, True], ids=["shot", "blow"])
@pytest.mark.parametrize("target", KINDS)
def test_a_surprised_target_is_easier_to_hit(target: Who, melee: bool):
    told = fought("fighter", target, melee, {"surprised": True})
    assert told == asked("fighter", target, melee, surprised=True)
    assert told["DW-SUMM-SURPRISED_OR_UNAWARE"] == 30


@pytest.mark.clause("DW-ACT-RUN")
@pytest.mark.parametrize("melee", [False, True], ids=["shot", "blow"])
@pytest.mark.parametrize("target", KINDS)
def test_a_running_unit_is_harder_to_shoot_and_easier_to_strike_until_its_next_turn(target: Who, melee: bool):
    runner = unit(target, "B", 12, initiative=35)
    now = battle([unit("fighter", "A", initiative=34)], [runner])
    now.push("run", unit="B", x=0, y=1 if melee else 10)
    now.push("end_turn")
    told = modifiers(now.odds("strike" if melee else "shoot", unit="A", target="B"))
    assert told["DW-ACT-RUN"] == (20 if melee else -20)
    more = {} if melee else {"distance": 10}
    assert told == asked("fighter", target, melee, running=True, **more)
    assert any(line.text == "B runs." for line in now.move_record(1).lines)
    assert "runs" in str(list(now.rules.show(state(now))))
    now.push("end_turn")
    assert not state(now).find("B").done.running


@pytest.mark.clause("DW-COND-ENGAGED", "DW-SUMM-SHOOT_INTO_MELEE")
@pytest.mark.parametrize("target", KINDS)
def test_shots_at_a_target_in_melee_with_a_friend_are_shots_into_melee(target: Who):
    friend = unit("fighter", "F", 9, initiative=35)
    now = battle([unit("fighter", "A", initiative=34), friend], [unit(target, "B", 10)])
    now.push("strike", unit="F", target="B", tape=Said(1, to_hit=99))
    now.push("end_turn")
    told = modifiers(now.odds("shoot", unit="A", target="B"))
    assert told["DW-SUMM-SHOOT_INTO_MELEE"] == -10
    assert told == asked("fighter", target, False, distance=10, situations=["shoot_into_melee"])


@pytest.mark.clause("DW-SUMM-MELEE_OUTNUMBER_2TO1")
@pytest.mark.parametrize("pair", PAIRS, ids=" at ".join)
def test_two_to_one_counts_for_fighters_and_hordes(pair: tuple[Who, Who]):
    attacker, target = pair
    friend = unit("fighter", "F", 2, initiative=35)
    now = battle([unit(attacker, "A", initiative=34), friend], [unit(target, "B", 1)])
    now.push("strike", unit="F", target="B", tape=Said(1, to_hit=99))
    now.push("end_turn")
    told = modifiers(now.odds("horde_strikes" if attacker == "mob" else "strike", unit="A", target="B"))
    assert told["DW-SUMM-MELEE_OUTNUMBER_2TO1"] == 20
    assert told == asked(*pair, True, situations=["melee_outnumber_2to1"])


@pytest.mark.clause("DW-RANGE-1", "DW-COND-ENGAGED")
@pytest.mark.parametrize("pair", PAIRS, ids=" at ".join)
def test_a_shot_at_an_enemy_in_melee_is_not_at_point_blank(pair: tuple[Who, Who]):
    attacker, target = pair
    now = battle([unit(attacker, "A", initiative=34)], [unit(target, "B", 1)])
    strikes, shoots = ("horde_strikes", "horde_shoots") if attacker == "mob" else ("strike", "shoot")
    assert modifiers(now.odds(shoots, unit="A", target="B"))["DW-RANGE-1"] == 30
    now.push(strikes, unit="A", target="B", tape=Said(1, to_hit=99))
    now.push("end_turn")
    now.push("end_turn")
    told = modifiers(now.odds(shoots, unit="A", target="B"))
    assert "DW-RANGE-1" not in told
    assert told == asked(*pair, False, distance=1, engaged=True)


@pytest.mark.clause("DW-UNARM-1", "DW-SUMM-UNARMED_VS_ARMED")
@pytest.mark.parametrize("pair", PAIRS, ids=" at ".join)
@pytest.mark.parametrize("armed", [True, False])
def test_bare_hands_are_worse_against_the_armed(pair: tuple[Who, Who], armed: bool):
    told = fought(*pair, True, {} if armed else {"weapons": []}, weapon="fists")
    assert told == asked(*pair, True, weapon="fists", armed=armed)
    assert told.get("DW-SUMM-UNARMED_VS_ARMED", 0) == (-10 if armed else 0)


@pytest.mark.clause("DW-PIN-1")
def test_a_pinned_attacker_shoots_worse_be_it_a_fighter_or_a_horde():
    for attacker in KINDS:
        foe = [unit("fighter", "B", NORMAL)]
        now = battle([unit(attacker, "A", pinned=True, **({} if attacker == "mob" else {"prone": True}))], foe)
        shoots = "horde_shoots" if attacker == "mob" else "shoot"
        told = modifiers(now.odds(shoots, unit="A", target="B"))
        assert told["DW-PIN-1"] == -20
        assert told == asked(attacker, "fighter", False, pinned=True)


@pytest.mark.clause("DW-PIN-2", "DW-HORDE-9")
@pytest.mark.parametrize("target", KINDS)
@pytest.mark.parametrize(("to_hit", "melee", "shot_at"), [(99, False, True), (1, False, True), (1, True, False)])
def test_a_shot_counts_as_shot_at_hit_or_not(target: Who, to_hit: int, melee: bool, shot_at: bool):
    now = battle([unit("fighter", "A", initiative=34)], [unit(target, "B", 1 if melee else 20)])
    now.push("strike" if melee else "shoot", unit="A", target="B", tape=Said(3, to_hit=to_hit))
    assert state(now).find("B").shot_at is shot_at


def test_a_surprised_horde_loses_its_first_turn():
    now = battle([unit("fighter", "A")], [unit("mob", "B", 20, initiative=39, surprised=True)])
    with pytest.raises(BattletapeError, match="B is surprised and does nothing in this turn"):
        now.push("horde_shoots", unit="B", target="A")
    assert "surprised" in str(list(now.rules.show(state(now))))
    now.push("end_turn")
    found = state(now).find("B")
    assert isinstance(found, Mob)
    assert not found.surprised


@pytest.mark.clause("DW-COVER-1", "DW-HORDE-7")
@pytest.mark.parametrize("begins", [True, False])
def test_cover_shields_a_horde_as_it_shields_a_fighter(begins: bool):
    cover: dict[str, Any] = {"cover": "Plasteel"}
    now = battle(
        [unit("fighter", "A", initiative=34)], [unit("mob", "B", 40, initiative=35, **(cover if begins else {}))]
    )
    if not begins:
        now.push("move", unit="B", x=0, y=40, **cover)
        assert any(line.text == "B is behind cover, AP 32." for line in now.move_record(1).lines)
    now.push("end_turn")
    assert "cover AP 32" in str(list(now.rules.show(state(now))))
    lost = now.odds("shoot", unit="A", target="B").odds("damage")
    given = {"weapon": GUN, "mode": "single", "distance": NORMAL, "horde": "Raider mob", "talents": TRAINED}
    stats = {"attacker": "Raider", "magnitude": 30}
    assert lost == RULESET.ask("horde", **given, **stats, horde_cover=32).odds("lost")
    assert lost != RULESET.ask("horde", **given, **stats).odds("lost")


@pytest.mark.clause("DW-ACT-DISENGAGE")
@pytest.mark.parametrize("foe", KINDS)
def test_a_surprised_unit_does_not_strike_at_one_that_leaves_melee(foe: Who):
    for surprised in (False, True):
        now = battle([unit("fighter", "A", initiative=35)], [unit(foe, "B", 1, initiative=34)])
        now.push("strike", unit="A", target="B", tape=Said(1, to_hit=99))
        if surprised:
            now.push("condition", unit="B", what="surprised")
        now.push("end_turn")
        now.push("end_turn")
        if surprised:
            now.push("condition", unit="B", what="surprised")
        assert bool(now.odds("move", unit="A", x=0, y=-3).start.later_attacks) is not surprised
