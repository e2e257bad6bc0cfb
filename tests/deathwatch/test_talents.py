"""Talents: weapon training from a profile, the off hand, and unknown names."""

from __future__ import annotations

from fractions import Fraction

import pytest

from battletape.battle.reading import read_battle
from battletape.errors import BadInput, Refused
from battletape.profiles import BadProfiles
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.profiles import book
from battletape.rulesets.deathwatch.profiles import book as profiles
from battletape.rulesets.deathwatch.profiles.types import WeaponProfile
from battletape.rulesets.deathwatch.rules.attack.modifiers import is_trained
from battletape.rulesets.deathwatch.rules.talents import WITHOUT_RULE, known_talents, unknown_talents
from tests.deathwatch.battles import battle, fighter, refused

HEAVY, PISTOL, SWORD = "Astartes Heavy Bolter", "Astartes Bolt Pistol", "Astartes Power Sword"


def hits(question="shoot", **given):
    """The chance of one hit or more."""
    return RULESET.ask(question, **given).odds("hits").at_least(1)


@pytest.mark.clause("DW-UNTR-1")
@pytest.mark.parametrize(
    ("group", "kind", "talents", "trained"),
    [
        ("Bolt", "Basic", ["Bolt training"], True),
        ("Bolt", "Basic", ["bolt TRAINING "], True),
        ("Bolt", "Basic", ["Flame training", "Heavy training"], False),
        ("Bolt", "Basic", [], False),
        ("Bolt", "Heavy", ["Bolt training"], False),
        ("Bolt", "Heavy", ["Heavy training"], False),
        ("Bolt", "Heavy", ["Bolt training", "Heavy training"], True),
        ("Bolt", "Heavy", ["Heavy Weapon Training (Bolt)"], True),
        ("Bolt", "Basic", ["Heavy Weapon Training (Bolt)"], False),
        ("Las", "Pistol", ["Pistol Training (Las)"], True),
        ("Force", "Melee", ["Force Weapon Training"], True),
        ("Launcher", "Heavy", ["Astartes Weapon Training"], True),
        ("Other", "Melee", [], True),  # a club
        ("", "Basic", [], True),  # a player's own, of no group
    ],
)
def test_a_weapon_needs_the_training_of_its_group(group, kind, talents, trained):
    assert is_trained(WeaponProfile(group=group, kind=kind), talents) is trained


@pytest.mark.clause("DW-UNTR-1")
def test_our_characters_are_trained_with_what_they_carry():
    book = profiles.book()
    for who in book.entries["character"].values():
        missing = [name for name in who.weapons if not is_trained(book.find("weapon", name), who.talents)]
        assert missing == [], who.name


@pytest.mark.clause("DW-UNTR-1")
def test_a_question_takes_the_training_from_the_profile():
    shot = {"weapon": HEAVY, "target": "Raider", "band": "normal", "mode": "full"}
    # +20 of the burst: Ilario 52 becomes 72, Anselm 46 becomes 66 less 20; jams from 94 are above both
    assert hits(attacker="Brother Ilario", **shot) == Fraction(72, 100)
    assert hits(attacker="Brother Anselm", **shot) == Fraction(46, 100)
    assert hits(attacker="Brother Anselm", trained=True, **shot) == Fraction(66, 100)
    assert hits(attacker="Brother Ilario", trained=False, **shot) == Fraction(52, 100)
    assert hits(attacker="Brother Anselm", talents="Bolt training, Heavy training", **shot) == Fraction(66, 100)
    assert hits(bs=46, **shot) == Fraction(66, 100)  # numbers of one's own


@pytest.mark.clause("DW-UNTR-1")
def test_blows_hordes_and_duels_take_it_too():
    blow = {"weapon": SWORD, "target": "Raider"}
    assert hits("fight", attacker="Brother Anselm", **blow) == Fraction(40, 100)
    assert hits("fight", attacker="Brother Cato", **blow) == Fraction(24, 100)
    fire = RULESET.ask("horde", attacker="Brother Cato", weapon="Lasgun", horde="Raider mob")
    assert (fire.inputs.trained, fire.inputs.weapon) == (False, "Lasgun")
    duel = RULESET.ask("duel", a_profile="Brother Cato", a_weapon=SWORD, b_profile="Raider", rounds=1)
    assert (duel.inputs.a_trained, duel.inputs.b_trained) == (False, True)


@pytest.mark.clause("DW-UNTR-2")
def test_the_flames_of_the_untrained_are_dodged_more_easily():
    flames = {"weapon": "Astartes Flamer", "target": "Raider", "distance": 10, "mode": "single"}
    # Agility 32, +30 against the untrained
    assert hits(attacker="Brother Anselm", **flames) == Fraction(68, 100)
    assert hits(attacker="Brother Cato", **flames) == Fraction(38, 100)


@pytest.mark.clause("DW-UNTR-1")
def test_a_battle_takes_the_training_from_the_profile():
    armed = {"weapons": [HEAVY]}
    foe = fighter("Raider", 0, 20, name="Skarr")  # short range of 150: +10
    game = battle([fighter("Brother Anselm", **armed, no_bracing=True)], [foe])
    shot = {"target": "Skarr", "mode": "full"}
    # 46 +10 short +20 burst, less 20
    assert game.odds("shoot", **shot).odds("hits").at_least(1) == Fraction(56, 100)
    assert game.odds("shoot", trained="yes", **shot).odds("hits").at_least(1) == Fraction(76, 100)
    two = battle([fighter("Brother Ilario", no_bracing=True)], [foe])
    assert two.odds("shoot", **shot).odds("hits").at_least(1) == Fraction(82, 100)
    assert two.odds("shoot", trained="no", **shot).odds("hits").at_least(1) == Fraction(62, 100)


@pytest.mark.clause("DW-UNTR-1")
def test_a_fighter_with_numbers_of_its_own_is_trained():
    own = {"name": "Own", "bs": 40, "weapons": ["Autogun"], "x": 0, "y": 0}
    game = battle([own], [fighter("Raider", 0, 60, name="Skarr")])
    assert game.odds("shoot", target="Skarr").odds("hits").at_least(1) == Fraction(40, 100)


@pytest.mark.clause("DW-TWOW-1")
def test_a_pistol_in_the_off_hand_is_harder_to_shoot():
    shot = {"weapon": PISTOL, "bs": 50, "mode": "single", "band": "normal"}
    assert hits(**shot) == Fraction(50, 100)
    assert hits(off_hand=True, **shot) == Fraction(30, 100)
    assert hits(off_hand=True, talents="Ambidextrous", **shot) == Fraction(50, 100)
    with pytest.raises(Refused, match=r"Astartes Bolter \(Godwyn\) needs both hands \(Basic\).* \(DW-TWOW-1\)"):
        hits(weapon="Astartes Bolter (Godwyn)", off_hand=True)


@pytest.mark.clause("DW-TWOW-1", "DW-TWOW-2")
def test_the_off_hand_of_a_blow_counts_once():
    assert hits("fight", ws=45, off_hand=True) == Fraction(25, 100)
    both = {"action": "two_weapons", "talents": "Two Weapon Wielder", "ws": 50, "reaction": "none"}
    assert hits("fight", off_hand=True, **both) == hits("fight", **both) == 1 - Fraction(70, 100) ** 2


@pytest.mark.clause("DW-TWOW-1")
def test_a_pistol_in_the_off_hand_in_a_battle():
    foe = fighter("Raider", 0, 20, name="Skarr")  # normal range of 30
    game = battle([fighter("Brother Ilario", weapons=[PISTOL])], [foe])
    assert game.odds("shoot", target="Skarr").odds("hits").at_least(1) == Fraction(52, 100)
    assert game.odds("shoot", target="Skarr", off_hand=True).odds("hits").at_least(1) == Fraction(32, 100)
    two = battle([fighter("Brother Teodor")], [foe])  # who is ambidextrous
    assert two.odds("shoot", target="Skarr", off_hand=True).odds("hits").at_least(1) == Fraction(40, 100)
    three = battle([fighter("Brother Cato")], [foe])
    refused(three, "shoot", "DW-TWOW-1", "needs both hands", target="Skarr", off_hand=True)


# --- slips of the pen, and talents that nobody knows ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('talents = ["Swift Atack"]', "the talent 'Swift Atack' would do nothing here. Did you mean 'Swift Attack'"),
        ('talents = ["Bolter training"]', "'Bolter training' would do nothing here. Did you mean 'Bolt training'"),
        ('talents = ["Ambidexterous"]', "Did you mean 'Ambidextrous' (DW-TWOW-1)?"),
        ('tags = ["alein"]', "the tag 'alein' would do nothing here. Did you mean 'alien' (DW-RF-3)?"),
        ('tags = ["Alien"]', "Did you mean 'alien' (DW-RF-3)?"),
        ('fury = true\nfury_sure_against = ["demon"]', "Did you mean 'daemon' (DW-QUAL-SANCTIFIED)?"),
    ],
)
def test_a_slip_in_a_file_is_told_with_its_line(tmp_path, line, why):
    path = tmp_path / "own.toml"
    path.write_text(f'[[character]]\nname = "Own"\n{line}\n')
    with pytest.raises(BadProfiles) as error:
        assert book.book((str(path),)).entries
    (said,) = error.value.errors
    assert why in said
    assert said.startswith(f"{path} line {3 + line.count(chr(10))}, character 1 ('Own'): ")


def test_a_talent_that_would_do_nothing_is_refused_in_a_file(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text('[[character]]\nname = "Own"\ntalents = ["Lightning Reflexes", "Foo", "Whip training"]\n')
    with pytest.raises(BadProfiles) as error:
        assert book.book((str(path),)).entries
    where = f"{path} line 3, character 1 ('Own'): the talent "
    reflexes, foo, whip = error.value.errors
    assert reflexes.startswith(f"{where}'Lightning Reflexes' would do nothing here. Did you mean 'Lightning Attack'")
    assert foo.startswith(f"{where}'Foo' would do nothing here. Known: Swift Attack, ")
    assert foo.endswith(
        "Marksman and trainings such as Bolt training. Talents without a rule here go among a profile's tags."
    )
    assert whip.startswith(f"{where}'Whip training' would do nothing here.")


def test_every_talent_that_is_known_may_stand_in_a_file(tmp_path):
    path = tmp_path / "own.toml"
    names = '"Marksman", "Two-Weapon Wielder", "Lash training", "heavy training", "Melee Weapon Training (Power)"'
    own = '[[weapon]]\nname = "Lash"\ngroup = "Lash"\nkind = "Melee"\nmelee = true\ndamage = "1d5"\n'
    notes = '"scout", "Lightning Reflexes"'
    path.write_text(f'[[character]]\nname = "Own"\ntalents = [{names}]\ntags = [{notes}]\n{own}')
    assert book.book((str(path),)).find("character", "own").tags == ("scout", "Lightning Reflexes")


def test_every_talent_of_our_profiles_is_known():
    ours = book.book()
    talents = {talent for who in ours.entries["character"].values() for talent in who.talents}
    assert list(unknown_talents(talents, ours)) == []
    groups = {weapon.group for weapon in ours.entries["weapon"].values()}
    asked_for = {name for name, clause in known_talents(groups).items() if clause}
    assert set(WITHOUT_RULE) == talents - asked_for
    assert list(unknown_talents(known_talents(groups), ours)) == []


@pytest.mark.parametrize("question", ["fight", "shoot", "horde", "suppress", "fire_mode"])
def test_an_unknown_talent_typed_in_is_refused(question):
    with pytest.raises(BadInput, match=r"^the talent 'Foo' would do nothing here") as error:
        RULESET.ask(question, talents="Swift Attack, Foo")
    assert error.value.field == "talents"


def test_a_battle_refuses_an_unknown_talent_but_opens_one_that_has_it():
    lash = {"name": "Lash", "group": "Lash", "kind": "Melee", "melee": True, "damage": "1d5"}
    own = {"name": "Own", "arsenal": [lash], "talents": ["Lash training"]}
    begun = battle([own], [fighter("Raider")])
    with pytest.raises(BadInput, match=r"^the talent 'Lush training' would do nothing here"):
        battle([{**own, "talents": ["Lush training"]}], [fighter("Raider")])
    older = begun.text.replace("Lash training", "Lush training")  # as versions that asked nothing have written it
    assert read_battle(older).state.fighters[0].profile.talents == ("Lush training",)
