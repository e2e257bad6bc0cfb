"""Profiles: every row of the printed tables, worked numbers of each weapon, and players' own files."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from battletape.errors import BadInput, Refused, UnknownName
from battletape.inputs import parse_inputs
from battletape.profiles import BadProfiles
from battletape.rulesets.deathwatch.profiles import book
from battletape.rulesets.deathwatch.profiles.checks import check
from battletape.rulesets.deathwatch.questions._inputs import FightInputs
from battletape.rulesets.deathwatch.questions.fight import FIGHT, attack_of
from battletape.rulesets.deathwatch.questions.shoot import SHOOT, ShootInputs, spec_of
from battletape.rulesets.deathwatch.rules import damage
from battletape.rulesets.deathwatch.rules.damage import NO_FURY
from battletape.rulesets.deathwatch.rules.guns import modes_of
from battletape.rulesets.deathwatch.words import reload_words
from tests.deathwatch.exactly import odds_of

RANGED = """
01 | Astartes Bolt Pistol | Bolt | Pistol | 30 | S/3/- | 2d10+5 X | 5 | 14 | Full | Tearing
02 | Astartes Bolter (Godwyn) | Bolt | Basic | 100 | S/2/4 | 2d10+5 X | 5 | 28 | Full | Tearing
03 | Astartes Boltgun (Stalker) | Bolt | Basic | 200 | S/-/- | 2d10+5 X | 5 | 24 | Full | Accurate, Tearing
04 | Astartes Combi-Weapon | Bolt | Basic | 100 | S/2/4 | 2d10+5 X | 5 | 28 | Full | Tearing
05 | Astartes Heavy Bolter | Bolt | Heavy | 150 | -/-/10 | 2d10+10 X | 6 | 60 | Full | Tearing
06 | Astartes Storm Bolter | Bolt | Basic | 100 | S/2/4 | 2d10+5 X | 5 | 60 | 2 Full | Storm, Tearing
07 | Astartes Plasma Cannon | Plasma | Heavy | 150 | S/-/- | 2d10+11 E | 10 | 16 | 5 Full | Blast (1), Volatile
08 | Astartes Plasma Gun (Ragefire) | Plasma | Basic | 100 | S/2/- | 1d10+9 E | 8 | 40 | 4 Full | Volatile
09 | Astartes Plasma Pistol | Plasma | Pistol | 30 | S/2/- | 1d10+8 E | 8 | 12 | 3 Full | Volatile
10 | Astartes Infernus Pistol | Melta | Pistol | 10 | S/-/- | 2d10+8 E | 13 | 4 | Full | -
11 | Astartes Meltagun (Vulkan) | Melta | Basic | 20 | S/-/- | 2d10+8 E | 13 | 6 | 2 Full | -
12 | Astartes Multi-melta (Maxima) | Melta | Heavy | 60 | S/-/- | 4d10+6 E | 13 | 12 | 2 Full | Blast (1)
13 | Astartes Flamer | Flame | Basic | 20 | S/-/- | 2d10+2 E | 3 | 6 | 2 Full | Flame
14 | Astartes Hand Flamer | Flame | Pistol | 10 | S/-/- | 2d10+2 E | 3 | 4 | 2 Full | Flame
15 | Astartes Heavy Flamer | Flame | Heavy | 30 | S/-/- | 2d10+6 E | 6 | 10 | 2 Full | Flame
16 | Astartes Assault Cannon | Solid Projectile | Mounted | 150 | -/-/10 | 3d10+6 I | 6 | 200 | 3 Full | Tearing
17 | Astartes Shotgun | Solid Projectile | Basic | 30 | S/2/- | 2d10+3 I | 0 | 18 | Full | Reliable, Scatter
18 | Autogun | Solid Projectile | Basic | 90 | S/3/10 | 1d10+3 I | 0 | 30 | 2 Full | -
19 | Autopistol | Solid Projectile | Pistol | 30 | S/-/6 | 1d10+2 I | 0 | 18 | Full | -
20 | Astartes Lascannon | Las | Heavy | 300 | S/-/- | 6d10+10 E | 10 | 6 | 2 Full | -
21 | Lasgun | Las | Basic | 100 | S/3/- | 1d10+3 E | 0 | 60 | Full | Reliable
22 | Laspistol | Las | Pistol | 30 | S/-/- | 1d10+2 E | 0 | 30 | Full | Reliable
23 | Astartes Cyclone Missile Launcher | Launcher | Mounted | 300 | S/2/- |  | 0 | 12 | 3 Full | -
24 | Astartes Missile Launcher (Soundstrike) | Launcher | Heavy | 250 | S/-/- |  | 0 | 8 | Full | -
25 | Auxiliary Grenade Launcher | Launcher | n/a | 45 | S/-/- |  | 0 | 4 | 2 Full | -
"""
MELEE = """
01 | Astartes Chainsword | Chain | Melee | 1d10+3 R | 4 | Balanced, Tearing
02 | Astartes Chainfist | Power | Mounted | 2d10 E | 10 | Power Field, Tearing
03 | Astartes Lightning Claw | Power | Melee | 1d10+6 E | 8 | Power Field, Special, Tearing
04 | Astartes Power Axe | Power | Melee | 1d10+8 E | 6 | Power Field, Unbalanced
05 | Astartes Power Fist | Power | Melee | 2d10 E | 9 | Power Field, Unwieldy
06 | Astartes Power Sword | Power | Melee | 1d10+6 E | 6 | Balanced, Power Field
07 | Astartes Thunder Hammer | Power | Melee | 2d10+5 E | 8 | Concussive, Power Field, Unwieldy
08 | Omnissian Axe (Astartes Pattern) | Power | Melee | 2d10+6 E | 6 | Power Field, Unbalanced
09 | Astartes Combat Knife | Traditional | Melee | 1d10+2 R | 2 | -
10 | Ceremonial Sword | Traditional | Melee | 1d10+3 R | 2 | Balanced
11 | Sacris Claymore | Traditional | Melee | 2d10+2 R | 2 | Unbalanced
12 | Astartes Force Staff | Force | Melee | 1d10+1 I | 0 | Balanced, Special
13 | Astartes Force Sword | Force | Melee | 1d10+2 R | 2 | Balanced, Special
14 | Primitive Weapons | Other | Melee | 1d10 I | 0 | Primitive
15 | Improvised | Other | Melee | 1d10-2 I | 0 | Primitive, Unbalanced
"""
ARMOUR = """
POWER | Astartes Power Armour | 8 8 10 8
ARTIFICER | Astartes Artificer Armour | 12 12 12 12
SCOUT | Astartes Scout Armour | 0 6 6 0
TERMINATOR | Astartes Terminator Armour | 14 14 14 14
PRIMITIVE | Primitive Armour | 0 0 0 0
CARAPACE | Carapace Armour | 6 6 6 6
DIAGNOSTOR | Diagnostor Helmet | 8 0 0 0
MASKING | Masking Screen | 0 0 0 0
FLAK | Flak Armour | 4 4 4 4
"""
WORKED = """
01 739/40 271/1000 1/1 479/500 447/500 311/500
02 739/40 271/1000 1/1 479/500 447/500 311/500
03 739/40 271/1000 1/1 479/500 447/500 311/500
04 739/40 271/1000 1/1 479/500 447/500 311/500
05 939/40 271/1000 1/1 1/1 999/1000 479/500
06 739/40 271/1000 1/1 479/500 447/500 311/500
07 22/1 19/100 1/1 1/1 1/1 1/1
08 29/2 1/10 1/1 1/1 9/10 1/2
09 27/2 1/10 1/1 1/1 4/5 2/5
10 19/1 19/100 1/1 1/1 1/1 1/1
11 19/1 19/100 1/1 1/1 1/1 1/1
12 28/1 3439/10000 1/1 1/1 1/1 1/1
13 13/1 19/100 99/100 9/20 7/25 3/50
14 13/1 19/100 99/100 9/20 7/25 3/50
15 17/1 19/100 1/1 47/50 17/20 11/20
16 254667/10000 3439/10000 1/1 1999/2000 2491/2500 9631/10000
17 14/1 19/100 47/50 7/25 3/20 1/100
18 17/2 1/10 3/5 0/1 0/1 0/1
19 15/2 1/10 1/2 0/1 0/1 0/1
20 43/1 468559/1000000 1/1 1/1 1/1 1/1
21 17/2 1/10 3/5 0/1 0/1 0/1
22 15/2 1/10 1/2 0/1 0/1 0/1
"""
WORKED_MELEE = """
01 363/20 19/100 99/100 0/1 51/100
02 1019/40 271/1000 1/1 977/1000 1/1
03 423/20 19/100 1/1 91/100 1/1
04 43/2 1/10 1/1 7/10 1/1
05 23/1 19/100 1/1 9/10 1/1
06 39/2 1/10 1/1 1/2 4/5
07 24/1 19/100 1/1 47/50 1/1
08 25/1 19/100 1/1 9/10 99/100
09 31/2 1/10 3/5 0/1 0/1
10 33/2 1/10 7/10 0/1 1/10
11 21/1 19/100 47/50 7/25 11/20
12 29/2 1/10 3/10 0/1 0/1
13 31/2 1/10 3/5 0/1 0/1
14 27/2 1/10 0/1 0/1 0/1
15 23/2 1/10 0/1 0/1 0/1
"""
BOOK = book.book()


def test_our_own_profiles_fit_together():
    assert check(BOOK) == []


def rows(table):
    return [tuple(cell.strip() for cell in line.split("|")) for line in table.strip().splitlines()]


def qualities(weapon):
    return ", ".join(sorted(weapon.qualities)) or "-"


@pytest.mark.clause("DW-RWEP-00", "DW-RWEP-01", "DW-RWEP-02", "DW-RWEP-03", "DW-RWEP-04", "DW-RWEP-05", "DW-RWEP-06")
@pytest.mark.clause("DW-RWEP-07", "DW-RWEP-08", "DW-RWEP-09", "DW-RWEP-10", "DW-RWEP-11", "DW-RWEP-12", "DW-RWEP-13")
@pytest.mark.clause("DW-RWEP-14", "DW-RWEP-15", "DW-RWEP-16", "DW-RWEP-17", "DW-RWEP-18", "DW-RWEP-19", "DW-RWEP-20")
@pytest.mark.clause("DW-RWEP-21", "DW-RWEP-22", "DW-RWEP-23", "DW-RWEP-24", "DW-RWEP-25")
@pytest.mark.parametrize("row", rows(RANGED), ids=lambda row: row[1])
def test_every_gun_is_as_printed(row):
    number, name, group, kind, reach, rof, harm, pen, clip, reloading, special = row
    gun = BOOK.find("weapon", name)
    modes = ("S" if gun.single else "-", str(gun.semi or "-"), str(gun.full or "-"))
    dealt = f"{gun.damage} {gun.damage_type}" if gun.damage else ""
    assert (gun.number, gun.group, gun.kind, gun.melee) == (f"DW-RWEP-{number}", group, kind, False)
    assert (str(gun.range), "/".join(modes), dealt, str(gun.pen)) == (reach, rof, harm, pen)
    assert (str(gun.clip), reload_words(gun.reload), qualities(gun)) == (clip, reloading, special)


def test_there_are_twenty_five_guns_and_fifteen_blades():
    numbers = [weapon.number for weapon in BOOK.entries["weapon"].values() if weapon.number]
    assert len(numbers) == len(set(numbers)) == 40
    assert sum(one.startswith("DW-RWEP") for one in numbers) == 25


@pytest.mark.clause("DW-MWEP-00", "DW-MWEP-01", "DW-MWEP-02", "DW-MWEP-03", "DW-MWEP-04", "DW-MWEP-05", "DW-MWEP-06")
@pytest.mark.clause("DW-MWEP-07", "DW-MWEP-08", "DW-MWEP-09", "DW-MWEP-10", "DW-MWEP-11", "DW-MWEP-12", "DW-MWEP-13")
@pytest.mark.clause("DW-MWEP-14", "DW-MWEP-15")
@pytest.mark.parametrize("row", rows(MELEE), ids=lambda row: row[1])
def test_every_blade_is_as_printed(row):
    number, name, group, kind, harm, pen, special = row
    blade = BOOK.find("weapon", name)
    assert (blade.number, blade.group, blade.kind, blade.melee) == (f"DW-MWEP-{number}", group, kind, True)
    assert (f"{blade.damage} {blade.damage_type}", str(blade.pen), qualities(blade)) == (harm, pen, special)
    assert blade.doubles_sb == (name in ("Astartes Chainfist", "Astartes Power Fist"))
    assert modes_of(blade) == ()


@pytest.mark.clause("DW-ARM-1", "DW-ARM-POWER", "DW-ARM-ARTIFICER", "DW-ARM-SCOUT", "DW-ARM-TERMINATOR")
@pytest.mark.clause("DW-ARM-PRIMITIVE", "DW-ARM-CARAPACE", "DW-ARM-DIAGNOSTOR", "DW-ARM-MASKING", "DW-ARM-FLAK")
@pytest.mark.parametrize("row", rows(ARMOUR), ids=lambda row: row[1])
def test_every_suit_is_as_printed(row):
    number, name, points = row
    suit = BOOK.find("armour", name)
    assert suit.number == f"DW-ARM-{number}"
    assert f"{suit.head} {suit.arm} {suit.body} {suit.leg}" == points
    assert suit.primitive == (number == "PRIMITIVE")


@pytest.mark.clause("DW-ARM-2")
def test_armour_worn_together_does_not_add_up():
    pieces = [BOOK.find("armour", name) for name in ("Carapace Armour", "Diagnostor Helmet")]
    suit = book.worn_together(pieces)
    assert (suit.head, suit.arm, suit.body, suit.leg, suit.sealed) == (8, 6, 6, 6, False)
    assert (book.worn_together([]).body, book.worn_together([]).primitive) == (0, False)
    assert book.worn_together([BOOK.find("armour", "Astartes Power Armour"), *pieces]).sealed


def hit_of(weapon, ap, tb):
    """One hit of a gun on armour that is the same everywhere."""
    mode = modes_of(BOOK.find("weapon", weapon))[0]
    given = {"weapon": weapon, "mode": mode, "distance": 5, **dict.fromkeys(("head", "arm", "body", "leg"), ap)}
    inputs = parse_inputs(ShootInputs, SHOOT.filled({**given, "tb": tb, "unnatural_toughness": 1}, BOOK))
    return spec_of(inputs, mode).hits[0]


@pytest.mark.clause("DW-RWEP-00")
@pytest.mark.parametrize("row", [line.split() for line in WORKED.strip().splitlines()], ids=lambda row: row[0])
def test_worked_numbers_of_every_gun(row):
    number, mean, ten, *chances = row
    name = next(weapon.name for weapon in BOOK.entries["weapon"].values() if weapon.number == f"DW-RWEP-{number}")
    plain = replace(hit_of(name, 0, 0), fury=NO_FURY)
    assert odds_of(damage.damage_before_armour, plain, 500).mean == Fraction(mean)
    assert odds_of(damage.roll_dice, plain).chance(lambda got: got[1]) == Fraction(ten)
    for (ap, tb), chance in zip(((4, 3), (8, 8), (10, 8), (14, 8)), chances, strict=True):
        assert odds_of(damage.damage_after_armour, hit_of(name, ap, tb), 100).at_least(1) == Fraction(chance)


@pytest.mark.clause("DW-MWEP-00")
@pytest.mark.parametrize("row", [line.split() for line in WORKED_MELEE.strip().splitlines()], ids=lambda row: row[0])
def test_worked_numbers_of_every_blade(row):
    number, mean, ten, limb, limb_ten, terminator = row
    blade = next(weapon for weapon in BOOK.entries["weapon"].values() if weapon.number == f"DW-MWEP-{number}")

    def hit(ap):
        points = dict.fromkeys(("head", "arm", "body", "leg"), ap)
        sb = {"sb": 6, "times_sb": 1} if blade.doubles_sb else {"sb": 8}  # the worked numbers have fists at 12
        return attack_of(parse_inputs(FightInputs, FIGHT.filled({"weapon": blade.name, **points, **sb}, BOOK))).hits[0]

    assert odds_of(damage.damage_before_armour, hit(0), 500).mean == Fraction(mean)
    assert odds_of(damage.roll_dice, hit(0)).chance(lambda got: got[1]) == Fraction(ten)
    assert odds_of(damage.damage_after_armour, hit(8), 100).at_least(1) == Fraction(limb)
    assert odds_of(damage.damage_after_armour, hit(8), 100).at_least(10) == Fraction(limb_ten)
    assert odds_of(damage.damage_after_armour, hit(14), 100).at_least(1) == Fraction(terminator)


@pytest.mark.clause("DW-RWEP-04")
def test_the_second_barrel_of_a_combi_weapon_fires_once():
    melta = book.as_second_barrel(BOOK.find("weapon", "Astartes Meltagun (Vulkan)"))
    assert (modes_of(melta), melta.clip, melta.damage, melta.pen, melta.range, melta.reload) == (
        ("single",), 1, "2d10+8", 13, 20, 2,
    )  # fmt: skip


@pytest.mark.clause("DW-RWEP-04")
def test_the_second_barrel_fills_the_form():
    given = {"weapon": "Astartes Combi-Weapon", "barrel": "Astartes Meltagun (Vulkan)", "mode": "single"}
    inputs = parse_inputs(ShootInputs, SHOOT.filled(given, BOOK))
    assert (inputs.weapon, inputs.pen, inputs.clip, inputs.full, inputs.qualities) == (
        "Astartes Combi-Weapon", 13, 1, 0, (),
    )  # fmt: skip
    with pytest.raises(BadInput, match=r"'Autogun' has one barrel \(DW-RWEP-04\)"):
        SHOOT.filled({**given, "weapon": "Autogun"}, BOOK)


@pytest.mark.clause("DW-RWEP-23", "DW-RWEP-24", "DW-RWEP-25")
def test_a_launcher_does_what_its_round_does():
    frag = book.find_weapon(BOOK, "astartes missile launcher (soundstrike)", "frag missile")
    assert (frag.damage, frag.pen, frag.qualities, frag.clip) == ("2d10", 4, ("Blast (5)", "Devastating (1)"), 8)
    with pytest.raises(BadInput, match=r"fires: Frag missile or Krak missile \(DW-RWEP-24\)"):
        book.find_weapon(BOOK, "Astartes Missile Launcher (Soundstrike)")
    with pytest.raises(UnknownName, match="Did you mean 'Frag grenade'"):
        book.find_weapon(BOOK, "Auxiliary Grenade Launcher", "Frag grenades")
    with pytest.raises(BadInput, match="'Autogun' is none"):
        book.find_weapon(BOOK, "Autogun", "Frag missile")


def test_ammunition_and_blades_are_no_guns():
    with pytest.raises(Refused, match="name the launcher that fires it"):
        SHOOT.filled({"weapon": "Frag missile"}, BOOK)
    with pytest.raises(Refused, match="this needs a gun; Astartes Chainsword is a melee weapon"):
        SHOOT.filled({"weapon": "Astartes Chainsword"}, BOOK)
    with pytest.raises(Refused, match="this needs a melee weapon; Autogun is a gun"):
        FIGHT.filled({"weapon": "Autogun"}, BOOK)


def test_a_named_attacker_and_target_fill_the_form():
    filled = SHOOT.filled({"attacker": "brother ilario", "target": "Warlord Gharn"}, BOOK)
    inputs = parse_inputs(ShootInputs, filled)
    assert (inputs.attacker, inputs.bs, inputs.weapon, inputs.full) == (
        "Brother Ilario",
        52,
        "Astartes Heavy Bolter",
        10,
    )
    assert (inputs.tb, inputs.unnatural_toughness, inputs.wounds, inputs.head) == (5, 2, 38, 6)
    assert inputs.fury == "sure"  # he is trained against aliens
    assert parse_inputs(ShootInputs, SHOOT.filled({"attacker": "Brother Ilario"}, BOOK)).fury == "confirm"
    assert parse_inputs(ShootInputs, SHOOT.filled({"attacker": "Raider"}, BOOK)).fury == "none"


def test_what_the_player_says_wins_over_the_profile():
    given = {"weapon": "Astartes Storm Bolter", "pen": 9, "qualities": "Felling (2)", "target": "Raider", "wounds": 3}
    inputs = parse_inputs(ShootInputs, SHOOT.filled(given, BOOK))
    assert (inputs.pen, inputs.wounds, inputs.minion) == (9, 3, True)
    assert inputs.qualities == ("Storm", "Tearing", "Felling (2)")
    given = {"weapon": "Astartes Plasma Cannon", "qualities": ["Blast (3)"]}
    assert SHOOT.filled(given, BOOK)["qualities"] == ("Volatile", "Blast (3)")


def test_bonuses_count_multipliers():
    cato = BOOK.find("character", "Brother Cato")
    assert (book.strength_of(cato), book.toughness_of(cato)) == (8, 8)
    assert book.strength_of(BOOK.find("horde", "Raider mob")) == 3


BAD = {
    'qualities = ["Teering"]': "line 9, weapon 1 ('Mine'): there is no quality 'Teering' (DW-QUAL-TEARING). Did you",
    'qualities = ["Blast"]': "Blast needs a number from 1 to 50 in brackets, such as Blast (3); got 'Blast'",
    'qualities = ["Storm (2)"]': "Storm has no number",
    'damage = "2x10"': "line 9, weapon 1 ('Mine'): damage must be d10s or d5s, such as 2d10+5; got '2x10' (DW-RWEP-00)",
    'damage = "1d7"': "line 9, weapon 1 ('Mine'): damage must be d10s or d5s, such as 2d10+5; got '1d7' (DW-RWEP-00)",
    'damage = "2d6"': "damage must be d10s or d5s, such as 2d10+5; got '2d6' (DW-RWEP-00)",
    'damage = "-1d10"': "damage must be d10s or d5s, such as 2d10+5; got '-1d10' (DW-RWEP-00)",
    'damage = "0d10"': "weapon 1 ('Mine'): damage must be 1 to 20 dice, such as 2d10+5; got '0d10' (DW-RWEP-00)",
    'damage = "100d10"': "damage must be 1 to 20 dice, such as 2d10+5; got '100d10' (DW-RWEP-00)",
    'qualities = ["Tearng"]': "there is no quality 'Tearng' (DW-QUAL-TEARING). Did you mean 'Tearing'? 28 are known",
    'qualities = ["Blst (3)"]': "there is no quality 'Blst' (DW-QUAL-BLAST). Did you mean 'Blast'?",
    'qualities = ["Gleaming"]': "there is no quality 'Gleaming' (DW-RWEP-00).",
    'qualities = ["Blast (-1)"]': "Blast needs a number from 1 to 50 in brackets, such as Blast (3); got 'Blast (-1)'",
    'ammunition = ["Frag"]': "there is no ammunition 'Frag'. Did you mean 'Frag missile'?",
    'ammunition = ["Frag missile"]': "a launcher must have no damage of its own",
    "single = false": "a gun needs a fire mode: single = true, semi or full; got none (DW-RWEP-00)",
    "doubles_sb = true": "doubles_sb is for melee weapons only",
    'grade = "superb"': "grade must be one of poor, common, good, best; got 'superb'",
    "semi = 21": "semi must be a whole number from 0 to 20; got 21 (DW-RWEP-00)",
    'kind = "Melee"': 'kind = "Melee" needs melee = true beside it (DW-MWEP-00)',
}


@pytest.mark.parametrize("line", BAD)
def test_a_bad_weapon_is_told_with_file_and_line(tmp_path, line):
    own = ["[[weapon]]", 'name = "Mine"', "", "range = 10", "clip = 5", 'damage = "1d10"', "pen = 1", "", line]
    if line.partition(" ")[0] in ("damage", "kind"):
        own = [one for one in own[:-1] if not one.startswith(line.partition(" ")[0])] + [""] * 9
        own[8] = line
    path = tmp_path / "own.toml"
    path.write_text("\n".join(own), encoding="utf-8")
    with pytest.raises(BadProfiles) as found:
        book.book((str(path),)).entries["weapon"]
    assert BAD[line] in str(found.value)
    assert str(path) in str(found.value)


@pytest.mark.parametrize(
    "text, why",
    [
        ('[[weapon]]\nname = "X"\nclip = 1\ndamage = "1d10"', "a gun needs a range in metres; got none (DW-RWEP-00)"),
        ('[[weapon]]\nname = "X"\nrange = 1\ndamage = "1d10"', "a gun needs a clip; got none (DW-RWEP-00)"),
        ('[[weapon]]\nname = "X"\nrange = 1\nclip = 1', "a weapon needs damage such as 2d10+5"),
        ('[[weapon]]\nname = "X"\nmelee = true\ndamage = "1d10"', 'a melee weapon needs kind = "Melee" or "Mounted"'),
        (
            '[[weapon]]\nname = "X"\nmelee = true\nkind = "Melee"\ndamage = "1d10"\nclip = 3',
            "line 6, weapon 1 ('X'): clip is for guns only; leave it out (DW-RWEP-00)",
        ),
        ('[[character]]\nname = "X"\nweapons = ["Autogum"]', "there is no weapon 'Autogum'. Did you mean 'Autogun'?"),
        ('[[character]]\nname = "X"\narmour = ["Flak"]', "there is no armour 'Flak'. Did you mean 'Flak Armour'?"),
        ('[[character]]\nname = "X"\nfury_sure_against = ["alien"]', "needs fury = true (DW-RF-3)"),
        ('[[horde]]\nname = "X"\ntraits = ["Fire Dril"]', "Did you mean 'Fire Drill'? (DW-HORDE-17)"),
        ('[[horde]]\nname = "X"\nleaders = ["Gharn"]', "there is no character 'Gharn'. Did you mean 'Warlord Gharn'?"),
        ('[[character]]\nname = "X"\nweapons = ["Frag missile"]', "there is no weapon 'Frag missile'"),
        ('[[character]]\nname = "X"\nws = 200', "ws must be a whole number from 0 to 150; got 200 (DW-TEST-1)"),
    ],
)
def test_what_does_not_fit_together_is_told(tmp_path, text, why):
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadProfiles) as found:
        book.book((str(path),)).entries["weapon"]
    assert why in str(found.value)


def test_a_players_own_file_may_replace_ours(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text('[[weapon]]\nname = "Autogun"\nrange = 5\nclip = 2\ndamage = "1d5"\n', encoding="utf-8")
    assert book.book((str(path),)).find("weapon", "Autogun").range == 5
    assert BOOK.find("weapon", "Autogun").range == 90


@pytest.mark.clause("DW-RWEP-00")
def test_a_question_takes_of_a_profile_what_it_asks_for():
    given = {"attacker": "Brother Cato", "target": "Warlord Gharn"}
    shot, blow = SHOOT.filled(given, BOOK), FIGHT.filled(given, BOOK)
    assert shot.keys() <= set(ShootInputs.__struct_fields__)
    assert (shot["bs"], "ws" in shot, "parry" in shot) == (BOOK.find("character", "Brother Cato").bs, False, False)
    assert blow["parry"] == BOOK.find("character", "Warlord Gharn").ws
