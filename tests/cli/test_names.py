"""Names as people type them: counts, plurals, parts and spelling; what was understood is said."""

from __future__ import annotations

import pytest

from battletape import registry
from battletape.errors import BadInput, UnknownName
from battletape.words import parse_count

SHOOT = ("odds", "vehicles5", "shoot")
WAYS = ("4x lascannon", "4 × Lascannon", "Lascannon x4", "4 lascannons", "4 x Lascannon", "4 lascanon")


def answer(text: str) -> str:
    """An answer without what was understood and how long it took."""
    lines = [line for line in text.partition("\nComputed")[0].splitlines() if " is read as " not in line]
    return "\n".join(lines)


def test_four_lascannons_however_they_are_written(bt):
    asked = {way: bt(*SHOOT, "--guns", way).stdout for way in WAYS}
    assert len({answer(text) for text in asked.values()}) == 1
    assert answer(asked["4x lascannon"]) == answer(bt(*SHOOT, "--guns", "weapon=Lascannon models=4").stdout)
    assert asked["4x lascannon"].startswith("“4x lascannon” is read as 4 × Lascannon.\n")
    assert "is read as" not in asked["4 x Lascannon"]
    listed = bt(*SHOOT, "--guns", "4x lascannon; 2 meltaguns").stdout
    assert answer(listed) == answer(bt(*SHOOT, "--guns", "4 x Lascannon", "--guns", "2 x Meltagun").stdout)


def test_the_library_and_the_terminal_read_alike(bt):
    card = registry.ruleset("vehicles5")
    read = card.ask("shoot", vehicle="anvil", guns="4x lascanon")
    assert read.inputs.vehicle == "Anvil battle tank"
    assert (read.inputs.guns[0].weapon, read.inputs.guns[0].models) == ("Lascannon", 4)
    said = bt(*SHOOT, "--vehicle", "anvil", "--guns", "4x lascanon").stdout
    assert said.startswith("“anvil” is read as Anvil battle tank.\n“4x lascanon” is read as 4 × Lascannon.\n")
    assert read.headline in said
    with pytest.raises(UnknownName, match=r"^'carrier' fits 3 names; which vehicle is meant: Heron carrier, Barrow "):
        card.ask("shoot", vehicle="carrier")


def test_counts_in_other_systems(bt):
    volley = ("odds", "attack_dice", "volley", "--weapons")
    assert answer(bt(*volley, "3 carbines").stdout) == answer(bt(*volley, "weapon='Storm carbine' bearers=3").stdout)
    shoot = ("odds", "diceless40k", "shoot", "--guns")
    assert answer(bt(*shoot, "Bolter x10").stdout) == answer(bt(*shoot, "10 x Bolter").stdout)


def test_ambiguous_and_empty_names_and_options_in_the_wrong_place(bt):
    told = bt("odds", "deathwatch", "shoot", "--weapon", "bolter", code=2).stderr
    assert "'bolter' fits 4 names; which weapon is meant (DW-RWEP-00): " in told
    assert "Astartes Heavy Bolter" in told
    told = bt("odds", "deathwatch", "shoot", "--weapon", "", code=2).stderr
    assert told == "--weapon needs a name; got nothing. Leave --weapon out if there is none.\n"
    for option, would in (
        (("--weapon", "Lascannon"), "--guns Lascannon"),
        (("--weapon=Heavy bolter",), "--guns 'Heavy bolter'"),
        (("--facing", "side"), "--guns 'facing=side'"),
    ):
        told = bt(*SHOOT, *option, code=2).stderr
        assert told.endswith(f"has no option {option[0].partition('=')[0]}. Did you mean {would}?\n")


def test_a_gun_without_a_name_says_what_it_takes(bt):
    said = bt(*SHOOT, "--guns", "models=4").stdout
    assert said.startswith("guns: no weapon is named, so it takes shots 1, strength 8, ap none, rules none.\n")
    assert "no weapon is named" not in bt(*SHOOT, "--guns", "shots=4 strength=9").stdout
    told = " ".join(bt(*SHOOT, "--help").stdout.split())
    assert "“4 x NAME” for four of a weapon profile" in told
    assert "Its keys: weapon, shots [1], models [1], bs [4], auto [no], strength [8], ap [none]," in told


def test_kill_time_takes_guns_like_shoot(bt):
    ask = ("odds", "vehicles5", "kill_time", "--repeat", "2", "--vehicle", "Kingfisher")
    plain = bt(*ask, "--guns", "4x lascannon", "--cover", "5+").stdout
    long = bt(*ask, "--volleys", "guns='weapon=Lascannon models=4' cover=5").stdout
    assert answer(plain) == answer(long)
    both = bt(*ask, "--guns", "Lascannon", "--volleys", "Meltagun", code=2).stderr
    assert both == "guns are those of every volley, volleys the guns of each; give one of the two.\n"


def test_names_in_a_battle(bt):
    bt("battle", "new", "attack_dice")
    bt("battle", "do", "start")
    shot = ("unit=wardens", "weapon=carbine", "target=raider", "distance=18")
    done = bt("battle", "do", "attack", *shot, "--seed", "7").stdout
    assert "unit='Storm wardens' weapon='Storm carbine' target='Hill raiders'" in done
    assert "'storm' fits" not in done


def test_an_input_of_a_list_is_shown_where_it_belongs():
    with pytest.raises(BadInput, match=r"no input 'weapon'. It is said of each of the guns, as in guns=\[\{'weapon': "):
        registry.ruleset("vehicles5").ask("shoot", weapon="Lascannon")


def test_a_name_may_be_followed_by_what_else_is_said_of_it(bt):
    as_keys = answer(bt(*SHOOT, "--guns", "weapon=Lascannon models=4 facing=side").stdout)
    for text in ("4 x Lascannon facing=side", "Lascannon x4, facing=side", "4 lascannons facing=side"):
        assert answer(bt(*SHOOT, "--guns", text).stdout) == as_keys
    assert bt(*SHOOT, "--guns", "'", code=2).stderr == 'guns: an entry needs a name or name=value pairs; got "\'"\n'
    told = bt(*SHOOT, "--guns", "4 lascannons", "--facing", "side", code=2).stderr
    assert "Did you mean --guns '4 lascannons facing=side'?" in told


def test_kill_time_fires_its_guns_over_a_whole_game(bt):
    ask = ("odds", "vehicles5", "kill_time", "--vehicle", "Kingfisher")
    assert answer(bt(*ask, "--guns", "2 lascannons").stdout) == answer(
        bt(*ask, "--volleys", "2 lascannons", "--repeat", "6").stdout
    )


@pytest.mark.parametrize(
    "guns", ["four lascannons", "Four Lascannon", "2 lascannons and 2 lascannons", "2x lascannon + 2 lascannon"]
)
def test_counts_in_words_and_entries_joined_as_people_do(bt, guns):
    told = bt("odds", "vehicles5", "shoot", "--guns", guns, "--vehicle", "anvil").stdout
    assert "Destroyed 14 %, immobilised or worse 26 %" in told


def test_a_number_word_that_is_part_of_a_name_stays_there():
    assert parse_count("three rings", ["Three rings", "Rings"]) == (None, "three rings")
    assert parse_count("seventh rings", ["Rings"]) == (None, "seventh rings")


def test_systems_and_questions_in_any_spelling(bt):
    assert answer(bt("ODDS", "Attack-Dice", "Attack").stdout) == answer(bt("odds", "attack_dice", "attack").stdout)
    assert "Did you mean 'vehicles5'" in bt("odds", "vehicle5", "shoot", code=2).stderr


def test_distances_with_their_unit(bt):
    shot = ("odds", "second_edition", "shoot", "--weapon", "Boltgun", "--distance")
    plain = bt(*shot, "10").stdout.partition("Computed")[0]
    for told in ('10"', "10 in", "10 inches", "10″"):
        assert bt(*shot, told).stdout.partition("Computed")[0] == plain
    assert "got '10 m'" in bt(*shot, "10 m", code=2).stderr
    assert "2.6 hits" in bt("odds", "deathwatch", "shoot", "--target", "raider", "--distance", "40m").stdout


def test_a_weapon_is_found_among_those_of_the_acting_unit(bt):
    shoot = ("odds", "deathwatch", "shoot", "--weapon", "bolter")
    said = bt(*shoot, "--attacker", "cato", "--target", "Raider").stdout
    assert "“bolter” is read as Astartes Bolter (Godwyn)." in said
    assert "“bolter” is read as Astartes Heavy Bolter." in bt(*shoot, "--attacker", "ilario").stdout
    unclear = "'bolter' fits 4 names; which weapon is meant"
    assert unclear in bt(*shoot, code=2).stderr
    assert unclear in bt(*shoot, "--target", "cato", code=2).stderr  # what the target carries is not meant
    assert unclear in bt(*shoot, "--attacker", "teodor", code=2).stderr  # he has none


def test_a_weapon_that_comes_with_a_profile_is_named(bt):
    shot = bt("odds", "deathwatch", "shoot", "--attacker", "Brother Cato").stdout
    assert shot.startswith("No weapon is named; that of Brother Cato is Astartes Bolter (Godwyn).\n")
    duel = bt("odds", "deathwatch", "duel", "--a-profile", "Brother Cato", "--b-profile", "Raider").stdout
    assert "that of Brother Cato is Astartes Combat Knife.\nNo weapon is named; that of Raider is Improvised.\n" in duel
    assert "No weapon" not in bt("odds", "deathwatch", "shoot").stdout
    assert "No weapon" not in bt("odds", "deathwatch", "shoot", "--attacker", "cato", "--weapon", "bolter").stdout


def test_what_is_said_without_a_name_is_no_option(bt):
    told = bt("battle", "export", "--format", "csv", code=2).stderr
    assert "has no option --format. The form is said without a name: battletape battle export FORM." in told
