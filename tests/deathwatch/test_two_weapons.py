"""Two weapons at once: each with its own properties, pairs of claws, two of a kind, and what breaks in a parry."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.battle.actions.strike import STRIKE, StrikeOrder
from battletape.rulesets.deathwatch.battle.attack import setting_of
from battletape.rulesets.deathwatch.rules.attack.fighters import attack_on, draft_of, fists_of, horde_attack_of
from battletape.rulesets.deathwatch.rules.terrain import cloud
from battletape.table.points import Point
from tests.deathwatch.battles import battle, crowd, do, fighter, mob, pass_to, refused, state, unit_named

F = Fraction
WIELDER = ["Two Weapon Wielder"]
TRAINED = ["Astartes Weapon Training"]
BARE = dict.fromkeys(("head", "arm", "body", "leg", "tb"), 0)
CLAW, FIST, SWORD = "Astartes Lightning Claw", "Astartes Power Fist", "Astartes Power Sword"
FORCE, PISTOL, KNIFE = "Astartes Force Sword", "Astartes Bolt Pistol", "Astartes Combat Knife"
# dice, torn, what the table adds, times the strength bonus, more for each degree
PRINTED = {
    CLAW: (1, True, 6, 1, 1),
    FIST: (2, False, 0, 2, 0),
    SWORD: (1, False, 6, 1, 0),
    FORCE: (1, False, 2, 1, 0),
}


def ask(**given):
    return RULESET.ask("fight", **given)


def mean_of(name: str, pair: bool = False) -> Fraction:
    """The mean damage of a blow that always hits (100 or less), with a strength bonus of 8, face by face."""
    dice, torn, flat, times, each = PRINTED[name]
    rolls = [sorted(faces)[int(torn) :] for faces in product(range(1, 11), repeat=dice + torn)]
    degrees = F(sum((100 - roll) // 10 for roll in range(1, 101)), 100)
    return F(sum(map(sum, rolls)), len(rolls)) + flat + 8 * times + each * (2 if pair else 1) * degrees


@pytest.mark.clause("DW-TWOW-2", "DW-MWEP-00", "DW-MWEP-03", "DW-QUAL-SPECIAL")
@pytest.mark.parametrize("one, other", [*product(PRINTED, repeat=2)])
def test_each_weapon_has_properties_of_its_own(one, other):
    given = {"action": "two_weapons", "ws": 120, "sb": 8, "wounds": 200, "talents": WIELDER, **BARE}
    pair = one == other == CLAW
    found = ask(**given, weapon=one, weapon2=other).odds("damage").mean
    assert found == mean_of(one, pair) + mean_of(other, pair)


@pytest.mark.clause("DW-MWEP-03", "DW-QUAL-SPECIAL")
def test_two_claws_are_a_pair_unless_it_is_said_otherwise():
    given = {"ws": 120, "sb": 8, "wounds": 200, "talents": WIELDER, "weapon": CLAW, "weapon2": CLAW, **BARE}
    assert ask(**given, action="two_weapons").odds("damage").mean == F("60.3")
    assert ask(**given, action="two_weapons", pair=False).odds("damage").mean == F("51.3")
    assert ask(**given, modifier=-20).odds("damage").mean == mean_of(CLAW, pair=True)  # one blow, both in hand
    said = {**given, "weapon2": "", "special2": "claws"}
    assert ask(**said, modifier=-20).odds("damage").mean == mean_of(CLAW, pair=True)


@pytest.mark.clause("DW-CRAFT-BEST", "DW-CRAFT-POOR", "DW-UNTR-1", "DW-TWOW-2")
def test_craftsmanship_and_training_are_of_one_weapon():
    def specs(**more):
        given = {"action": "two_weapons", "ws": 60, "skill2": 60, "talents": WIELDER, "weapon": SWORD, **more}
        start = ask(**given).start
        return start.spec, start.later_attacks[1].spec

    for second in (PISTOL, SWORD):
        assert [one.target for one in specs(weapon2=second, grade="best")] == [50, 40]
        assert [one.target for one in specs(weapon2=second, grade2="best")] == [40, 50]
        assert [one.target for one in specs(weapon2=second, trained=False)] == [20, 40]
        assert [one.target for one in specs(weapon2=second, trained2=False)] == [40, 20]
        plain, best = specs(weapon2=second)[1], specs(weapon2=second, grade2="best")[1]
        assert best.hits[0].flat == plain.hits[0].flat + 1
        assert specs(weapon2=second, grade="best")[1].hits == plain.hits
    given = {"action": "two_weapons", "ws": 20, "skill2": 60, "talents": WIELDER, "weapon2": PISTOL}
    assert ask(**given, grade="poor").odds("jammed").chance(1) == F(5, 100)
    assert ask(**given, grade2="poor").odds("jammed").chance(1) == F(70, 100)  # 60 - 20 - 10, and every miss


@pytest.mark.clause("DW-TWOW-1", "DW-TWOW-2")
def test_the_second_weapon_needs_one_hand_too():
    given = {"action": "two_weapons", "talents": WIELDER, "weapon": SWORD}
    assert ask(**given, off_hand=True).start.spec.target == 30  # the hand counts once


@pytest.mark.clause("DW-TWOW-2")
def test_qualities_of_the_player_are_added_to_those_of_the_second_weapon():
    given = {"action": "two_weapons", "talents": WIELDER, "weapon": KNIFE, "weapon2": SWORD}
    second = ask(**given, qualities2=["Tearing"]).start.later_attacks[1].spec
    assert (second.power_field, second.hits[0].dropped_dice) == (True, 1)


# --- fists and guards -------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-UNARM-1", "DW-UNARM-2", "DW-CRAFT-BEST", "DW-UNTR-1")
@pytest.mark.parametrize("action", ["unarmed", "knock_down", "grapple"])
def test_a_fist_has_nothing_of_the_weapon_at_the_side(action):
    lent = {"grade": "best", "trained": False, "weapon": CLAW, "pair": True}
    bare = {"action": action, "ws": 50, "armed": False, **BARE}
    plain, armed = ask(**bare), ask(**bare, **lent)
    if action == "unarmed":
        assert armed.odds("hits").chance(1) == F(1, 2)
    assert armed.odds("damage").fractions() == plain.odds("damage").fractions()


@pytest.mark.clause("DW-ACT-GUARDED-ATTACK")
def test_a_guarded_target_dodges_better():
    given = {"ws": 100, "reaction": "dodge", "dodge": 40}
    assert ask(**given).odds("landed").chance(1) == F(3, 5)
    assert ask(**given, guarded=True).odds("landed").chance(1) == F(1, 2)


# --- what breaks in a parry -------------------------------------------------------------------------------------------

CLASH = {"ws": 150, "action": "swift", "talents": ["Swift Attack"], "qualities": ["Power Field"], "parry": 100}


@pytest.mark.clause("DW-QUAL-POWER-FIELD", "DW-EVA-3")
def test_a_broken_weapon_parries_no_more():
    given = {**CLASH, "defensive_stance": True, "power_field": "any_clash"}
    assert ask(**given, reaction="parry").odds("landed").fractions() == {0: F(1, 4), 1: F(3, 4)}
    dodges = ask(**given, reaction="choose", dodge=40).odds("landed").fractions()
    assert dodges == {0: 1 - F(3, 4) * F(3, 5), 1: F(3, 4) * F(3, 5)}
    whole = ask(**{**given, "power_field": "own_parry"}, reaction="parry")
    assert whole.odds("landed").fractions() == {0: 1}


def clash(*weapons: str, **more):
    """A fighter on his guard with these weapons, and one about to strike him twice with a power axe."""
    guard = fighter("Warlord Gharn", 0, 1, weapons=list(weapons), ws=100, dodge=0, **more)
    axe = fighter("Brother Teodor", weapons=["Astartes Power Axe"], ws=150)
    game = battle([guard], [axe], {"power_field": "any_clash"})
    do(game, "defend")
    pass_to(game, "Brother Teodor")
    return game


@pytest.mark.clause("DW-QUAL-POWER-FIELD", "DW-EVA-3")
def test_in_a_battle_the_next_blade_parries_once_the_first_is_broken():
    order = {"target": "Warlord Gharn", "how": "swift"}
    assert clash(KNIFE).odds("strike", **order).odds("landed").fractions() == {0: F(1, 4), 1: F(3, 4)}
    assert clash(KNIFE, KNIFE).odds("strike", **order).odds("landed").fractions() == {0: 1}
    one = clash(KNIFE, "Astartes Chainsword")
    told = do(one, "strike", 20, "parry", 75, 20, "parry", 75, **order)
    assert sum("parry" in text for text in told) >= 2
    assert [held.destroyed for held in unit_named(one, "Warlord Gharn").weapons] == [True, True]
    one = clash(KNIFE, "Astartes Chainsword")
    do(one, "strike", 20, "parry", 75, 20, "parry", 76, **order)
    assert [held.destroyed for held in unit_named(one, "Warlord Gharn").weapons] == [
        False,
        True,
    ]  # the balanced one first


@pytest.mark.clause("DW-QUAL-HAYWIRE", "DW-QUAL-POWER-FIELD", "DW-HORDE-10")
def test_no_power_field_works_in_a_field_that_kills_machines():
    game = battle([fighter("Brother Teodor", weapons=[SWORD])], [mob(x=0, y=1), fighter("Raider", 0, 2)])
    for strength, works in (("insignificant", True), ("major_disruption", False)):
        field = state(game).with_clouds(cloud("haywire", Point(0, 0), 9, 3, strength))
        teodor, raider = field.fighter("Brother Teodor"), field.fighter("Raider")
        fists = fists_of(raider)
        blow = draft_of(raider, fists, teodor, setting_of(field, raider, fists, teodor))
        assert attack_on(blow, (), teodor, raider, field.haywire_at(teodor)).defender.parry_field is works
        held, crew = teodor.weapon_named(SWORD), crowd(game)
        draft = draft_of(teodor, held, crew, setting_of(field, teodor, held, crew))
        assert horde_attack_of(held, draft, crew, "melee").spec(30).power_field is works


# --- two of a kind in a battle ----------------------------------------------------------------------------------------


def mean_blow(*weapons: str) -> Fraction:
    game = battle(
        [fighter("Brother Teodor", weapons=list(weapons), ws=100, talents=TRAINED, fury=False)],
        [fighter("Raider", 1, 0, wounds=200, armour=[])],
    )
    found: Fraction = game.odds("strike", target="Raider", weapon=CLAW).odds("damage").mean
    return found


@pytest.mark.clause("DW-MWEP-03", "DW-QUAL-SPECIAL")
def test_only_two_claws_in_hand_are_a_pair():
    degrees = F(9, 2)
    alone = mean_blow(CLAW)
    assert mean_blow(CLAW, SWORD) == mean_blow(CLAW, FIST) == alone
    assert mean_blow(CLAW, CLAW) == alone + degrees
    assert mean_blow(CLAW, SWORD, CLAW) == alone  # the second one is put away


@pytest.mark.clause("DW-TWOW-1", "DW-TWOW-2", "DW-RWEP-00")
def test_two_pistols_of_a_kind_have_names_and_clips_of_their_own():
    gunner = fighter("Brother Teodor", weapons=[PISTOL, PISTOL.lower(), PISTOL], talents=WIELDER, bs=50)
    game = battle([gunner], [fighter("Raider", 0, 1, wounds=200)])
    names = [PISTOL, f"{PISTOL} (2)", f"{PISTOL} (3)"]
    held = unit_named(game, "Brother Teodor").weapons
    assert [(gun.name, gun.in_hand) for gun in held] == list(zip(names, (True, True, False), strict=True))
    order = {"target": "Raider", "how": "two_weapons", "weapon": PISTOL}
    refused(game, "strike", "DW-TWOW-2", "needs weapon2", **order)
    do(game, "strike", 98, 99, **order, weapon2=PISTOL)  # the first jams, and the other one too
    left, full = [(gun.clip, gun.jammed) for gun in unit_named(game, "Brother Teodor").weapons], held[0].clip
    assert left == [(full - 1, True), (full - 1, True), (full, False)]
    assert {gun.fired_round for gun in unit_named(game, "Brother Teodor").weapons[:2]} == {1}


@pytest.mark.clause("DW-UNTR-1", "DW-TWOW-2")
def test_in_a_battle_training_is_of_one_weapon():
    gunner = fighter("Brother Teodor", weapons=[SWORD, PISTOL], talents=[*WIELDER, *TRAINED])
    game = battle([gunner], [fighter("Raider", 0, 1, wounds=200)])
    order = {"target": "Raider", "how": "two_weapons", "weapon": SWORD, "weapon2": PISTOL}
    both = game.odds("strike", **order).start.later_attacks
    second = game.odds("strike", **order, trained2="no").start.later_attacks
    first = game.odds("strike", **order, trained="no").start.later_attacks
    assert [one.spec.target - two.spec.target for one, two in zip(both, second, strict=True)] == [0, 20]
    assert [one.spec.target - two.spec.target for one, two in zip(both, first, strict=True)] == [20, 0]


@pytest.mark.clause("DW-TWOW-1", "DW-CRIT-2")
def test_each_of_two_weapons_needs_a_hand():
    gunner = fighter("Brother Teodor", weapons=[SWORD, PISTOL], talents=[*WIELDER, *TRAINED])
    game = battle([gunner], [fighter("Raider", 0, 1, wounds=200)])
    order = StrikeOrder(target="Raider", how="two_weapons", weapon=SWORD, weapon2=PISTOL)
    field, teodor = state(game), unit_named(game, "Brother Teodor")
    assert game.rules.why_not(STRIKE, field, order) is None
    maimed = field.with_units(replace(teodor, conditions=replace(teodor.conditions, lost=("left_arm",))))
    assert "need a hand each, and Brother Teodor has 1" in str(game.rules.why_not(STRIKE, maimed, order))
