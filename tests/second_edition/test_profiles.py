"""Profiles: weapons, armour, units and templates; what is ours, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from battletape import ruleset
from battletape.profiles import BadProfiles

SYSTEM = ruleset("second_edition")
BOOK = SYSTEM.book


@pytest.mark.clause("SE-8", "SE-117")
def test_numbers_of_weapons_as_published():
    """Two public data files of players agree on these."""
    as_published = {
        "Boltgun": (12, 24, 1, 0, 4, "1", -1, None),
        "Lasgun": (12, 24, 1, 0, 3, "1", -1, None),
        "Bolt pistol": (8, 16, 2, 0, 4, "1", -1, None),
        "Heavy bolter": (20, 40, 0, 0, 5, "D4", -2, 2),
        "Autocannon": (20, 72, 0, 0, 8, "D6", -3, 1),
        "Assault cannon": (12, 32, 1, 0, 8, "D10", -3, 3),
        "Lascannon": (20, 60, 0, 0, 9, "2D6", -6, None),
        "Multi-melta": (12, 24, 1, 0, 8, "2D12", -4, None),
        "Plasma gun": (6, 24, 1, 0, 7, "1", -2, 1),
    }
    for name, numbers in as_published.items():
        weapon = BOOK.find("weapon", name)
        found = (weapon.short_range, weapon.long_range, weapon.to_hit_short, weapon.to_hit_long)
        assert (*found, weapon.strength, weapon.damage, weapon.save_modifier, weapon.sustained) == numbers, name
        assert weapon.ours == ()


@pytest.mark.clause("SE-8")
def test_the_radii_of_markers():
    radii = {weapon.blast for weapon in BOOK.entries["weapon"].values()}
    assert radii == {None, 1.0, 1.5, 2.0, 3.0}


@pytest.mark.clause("SE-1")
def test_a_number_of_ours_is_said_to_be_ours():
    asked = SYSTEM.ask("force_weapon", weapon="Force sword", mastery=1)
    assert asked.warnings == ("Force sword: strength and save modifier are ours, not from a source",)
    changed = SYSTEM.ask("force_weapon", weapon="Force sword", mastery=1, save_modifier=-2)
    assert changed.warnings == ("Force sword: strength is ours, not from a source",)
    assert SYSTEM.ask("shoot", weapon="Boltgun").warnings == ()


@pytest.mark.clause("SE-9")
def test_the_sizes_of_templates_are_ours_and_can_be_replaced(tmp_path: Path):
    assert all(template.ours == ("length", "radius") for template in BOOK.entries["template"].values())
    file = tmp_path / "own.toml"
    file.write_text('[[template]]\nname = "small"\nlength = 6.0\nradius = 0.75\n')
    own = SYSTEM.with_profiles(str(file)).book.find("template", "small")
    assert (own.length, own.radius, own.ours) == (6.0, 0.75, ())


@pytest.mark.clause("SE-117")
def test_a_unit_brings_its_armour_and_what_it_is():
    asked = SYSTEM.ask("shoot", unit="bell wardens")
    model = asked.start.setup.model
    assert (model.name, model.save, model.save_dice, model.types) == ("the target", 3, "2d6", ("terminator",))
    assert asked.start.models == 5
    lighter = SYSTEM.ask("shoot", unit="Bell wardens", armour="Mesh", types="frenzied", models=2)
    assert lighter.start.setup.model.save == 5
    assert lighter.start.models == 2
    assert str(SYSTEM.ask("shoot", unit="the iron matron", strength=8)).startswith("The Iron Matron falls ")


@pytest.mark.parametrize(
    ("entry", "wrong"),
    [
        ('[[weapon]]\nname = "X"\nblast = 2.0\nsustained = 2\n', "both a blast marker and Sustained Fire"),
        ('[[weapon]]\nname = "X"\nshort_range = 9\nlong_range = 3\n', "long_range must be no shorter"),
        ('[[weapon]]\nname = "X"\ndamage = "plenty"\n', "damage must be a number or dice"),
        ('[[weapon]]\nname = "X"\nremains = "cloud"\n', "needs a blast radius"),
        ('[[weapon]]\nname = "X"\nours = ["colour"]\n', "a weapon has no 'colour'"),
        ('[[unit]]\nname = "Y"\n', "toughness must be a whole number from 1 to 10, or types must say"),
        ('[[unit]]\nname = "Y"\nweapons = [{ name = "Boltgum" }]\n', "Did you mean 'Boltgun'"),
        ('[[unit]]\nname = "Y"\ngrenades = ["Fragg grenade"]\n', "Did you mean 'Frag grenade'"),
        ('[[unit]]\nname = "Y"\narmour = "Powr"\n', "Did you mean 'Power'"),
        ('[[unit]]\nname = "Y"\ntypes = ["deamon"]\n', "Did you mean 'daemon'"),
        (
            '[[weapon]]\nname = "Bad"\nrules = ["incendary"]\n',
            "no special rule 'incendary'. Did you mean 'incendiary'?",
        ),
    ],
)
@pytest.mark.clause("SE-111")
def test_profiles_that_cannot_be_used_are_refused_with_their_place(tmp_path: Path, entry: str, wrong: str):
    file = tmp_path / "own.toml"
    file.write_text(entry)
    with pytest.raises(BadProfiles, match=wrong) as refused:
        SYSTEM.with_profiles(str(file)).ask("shoot", weapon="Boltgun")
    assert "own.toml" in str(refused.value)


def test_every_profile_can_be_asked_about():
    for name, weapon in BOOK.entries["weapon"].items():
        if weapon.sustained:
            assert SYSTEM.ask("sustained", weapon=name)
        elif weapon.force:
            assert SYSTEM.ask("force_weapon", weapon=name)
        elif weapon.blast is None and weapon.template is None and not weapon.grenade:
            assert SYSTEM.ask("shoot", weapon=name)
    for name in BOOK.entries["unit"]:
        assert SYSTEM.ask("shoot", unit=name, strength=6)


@pytest.mark.clause("SE-86")
def test_a_profile_names_its_special_rules_or_says_yes_to_them(tmp_path: Path):
    file = tmp_path / "own.toml"
    profile = '[[weapon]]\nname = "{}"\nstrength = 4\nlong_range = 24\n{}\n'
    file.write_text(profile.format("Named", 'rules = ["incendiary"]') + profile.format("Said", "incendiary = true"))
    system = SYSTEM.with_profiles(str(file))
    named, said = (system.ask("shoot", weapon=name, distance=20) for name in ("Named", "Said"))
    assert (named.inputs.rules, said.inputs.rules) == (("incendiary",), ())
    assert named.odds("on_fire").fractions() == said.odds("on_fire").fractions()
    assert named.odds("on_fire").at_least(1) > 0
