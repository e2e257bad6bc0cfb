"""Squad and weapon cards: from a profile, from a battle as it stands, and from a question; markers and templates."""

from __future__ import annotations

import pytest

from battletape import registry
from battletape.battle import Battle
from battletape.rulesets.second_edition.sheets import MOST_BOXES
from battletape.rulesets.second_edition.tables.page import CHART
from battletape.sheets import Boxes, Disc, Drop, Grid, Notes, Ring, Shapes, Squares, Stats, Ticks
from battletape.sheets.typeset import pdf
from battletape.views.sheets import Source, from_battle, from_names, from_question, make_document
from tests.second_edition.battles import at, do, fight, phase, unit
from tests.sheets.cards import blocks, cards_of
from tests.sheets.paper import Paper, squeezed

CARD = registry.ruleset("second_edition")


def cards(sheet, source):
    """The cards of a sheet, by title."""
    return {card.title: card for card in cards_of(CARD, sheet, source)}


def tracks(card):
    """The rows of small boxes, by title."""
    return {ticks.title: ticks for ticks in blocks(card, Ticks)}


def rows(card, number=0):
    """The rows of a table of a card, by their first cell."""
    return {row[0]: row[1:] for row in blocks(card, Grid)[number].rows}


# --- squads ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SE-26", "SE-117")
def test_a_squad_has_its_numbers_its_saves_and_its_weapons():
    card = cards("squad_cards", from_names(CARD, ["Harbour levy"]))["Harbour levy"]
    numbers = dict(blocks(card, Stats)[0].stats)
    assert numbers == {
        "models": "10",
        "M": '4"',
        "BS": "3",
        "S": "3",
        "T": "3",
        "W": "1",
        "save": "6+",
        "save, blasts": "5+",
        "base": "25 mm",
    }
    assert card.kind == "Flak armour"
    assert rows(card) == {
        "Lasgun": ("8", '12" / 24"', "+1 / 0", "3", "1", "-1", "-"),
        "Grenade launcher, frag": ("1", '20" / 60"', "0 / -1", "3", "1", "-1", 'blast 2"'),
        "Flamer": ("1", "template", "-", "4", "1", "-2", "medium flamer template; sets survivors on fire"),
        "Frag grenade": ("10", '4" / 8"', "0", "3", "1", "-1", 'blast 2"'),
    }


@pytest.mark.clause("SE-57")
@pytest.mark.parametrize("name, thrown", [("Harbour levy", '4" / 8"'), ("Grey Lantern brothers", '5" / 10"')])
def test_a_grenade_reaches_as_far_as_the_strength_of_the_squad_allows(name, thrown):
    assert rows(cards("squad_cards", from_names(CARD, [name]))[name])["Frag grenade"][1] == thrown


@pytest.mark.clause("SE-30")
@pytest.mark.parametrize(
    "name, told",
    [
        ("Bell wardens", {"save": "3+ on 2D6"}),
        ("The Iron Matron", {"save": "3+", "field": "5+", "Mastery": "3"}),
        ("Ember imps", {"save": "-", "aura": "4+"}),
    ],
)
def test_every_save_is_told(name, told):
    numbers = dict(blocks(cards("squad_cards", from_names(CARD, [name]))[name], Stats)[0].stats)
    assert told.items() <= numbers.items()
    assert {"field", "aura", "Mastery"} & set(numbers) == {"field", "aura", "Mastery"} & set(told)


def test_a_squad_has_boxes_for_wounds_fires_jams_and_grenades():
    found = cards("squad_cards", from_names(CARD, ["Marsh ogres", "Grey Lantern brothers", "Mule carrier"]))
    ogres = tracks(found["Marsh ogres"])
    assert {title: ticks.groups for title, ticks in ogres.items()} == {"wounds": (3, 3, 3), "on fire": (3,)}
    brothers = tracks(found["Grey Lantern brothers"])
    assert brothers["wounds"].groups == brothers["on fire"].groups == (5,)
    assert brothers["jams: Heavy bolter"].groups == (2,)  # two Sustained Fire dice, one bearer
    assert brothers["Frag grenade"].groups == brothers["Krak grenade"].groups == (3,) * 5
    assert sum(ticks.ticked for ticks in (*ogres.values(), *brothers.values())) == 0


@pytest.mark.clause("SE-96", "SE-111")
def test_a_vehicle_counts_hits_and_linked_weapons_may_jam_twice_as_often():
    card = cards("squad_cards", from_names(CARD, ["Mule carrier"]))["Mule carrier"]
    found = tracks(card)
    assert list(found) == ["hits", "jams: Twin heavy bolters"]
    assert found["jams: Twin heavy bolters"].groups == (4,)
    assert dict(blocks(card, Stats)[0].stats)["T"] == "-"


def test_a_squad_of_very_many_wounds_has_squares_instead_of_boxes():
    given = {"models": 50, "wounds": 100, "lost": 7}
    (card,) = cards("squad_cards", from_question(CARD, CARD.question("shoot"), given)).values()
    assert not blocks(card, Ticks)
    assert [(square.title, square.note, square.value) for square in blocks(card, Squares)[0].squares] == [
        ("wounds lost", "of 5,000", "7"),
        ("on fire", "of 50 models", ""),
    ]
    assert MOST_BOXES < 50 * 100


# --- a battle as it stands -------------------------------------------------------------------------------------------


def worn() -> Battle:
    """A battle in which models are hurt, burn, have jammed and destroyed weapons, and have thrown grenades."""
    wear = [
        {"model": 1, "lost": 1, "on_fire": "Flamer"},
        {"model": 2, "weapon": "Repeater", "jams": 2},
        {"model": 3, "weapon": "Mortar", "destroyed": True},
    ]
    squad = unit("Squad", "Repeater", "Mortar", "Frag", models=3, toughness=4, wounds=2, each=2, wear=wear)
    return fight([squad])


@pytest.mark.clause("SE-22", "SE-48", "SE-58", "SE-86", "SE-108")
def test_a_battle_prints_wounds_fires_jams_grenades_and_destroyed_weapons():
    source = from_battle(worn())
    card = cards("squad_cards", source)["Squad"]
    assert dict(blocks(card, Stats)[0].stats)["models"] == "3"
    arms, models = rows(card), rows(card, 1)
    assert {name: row[0] for name, row in arms.items()} == {"Repeater": "3", "Mortar": "2", "Frag": "3"}
    lost, fire, jams, grenades = zip(*(row[:4] for row in models.values()), strict=True)
    assert lost == ("1", "", "")
    assert fire == ("×", "", "")
    assert jams == ("", "2", "")
    assert grenades == ("2", "2", "2")
    assert "on fire by Flamer" in models["Squad 1"][5]
    assert "Repeater (2 jams)" in models["Squad 2"][4]
    assert "Mortar (destroyed)" in models["Squad 3"][4]
    assert card.side == "South"
    text = squeezed(Paper(pdf(make_document(CARD, ("squad_cards",), source))).text())
    for name, row in models.items():
        assert squeezed("".join((name, *row))) in text


@pytest.mark.clause("SE-108", "SE-48")
def test_the_weapon_cards_of_a_battle_name_everybody_who_carries_one():
    found = cards("weapon_cards", from_battle(worn()))
    assert list(found) == ["Repeater", "Mortar", "Frag"]
    assert {name: row[1] for name, row in rows(found["Repeater"]).items()} == {
        "Squad 1": "",
        "Squad 2": "2",
        "Squad 3": "",
    }
    assert [row[-1] for row in rows(found["Mortar"]).values()] == ["-", "-", "destroyed"]
    assert [row[1] for row in rows(found["Frag"]).values()] == ["2", "2", "2"]
    assert not found["Mortar"].gone


@pytest.mark.clause("SE-58", "SE-24")
def test_what_is_thrown_and_who_falls_is_printed_after_the_move():
    battle = phase(fight([unit("Thrower", "Frag", **at(10, 10))], [unit("Foe", **at(10, 16))]), "shooting")
    do(battle, "grenade", 6, 6, unit="Thrower", weapon="Frag", target="Foe")
    found = cards("squad_cards", from_battle(battle))
    assert rows(found["Thrower"], 1)["Thrower"][3] == "2"  # of three
    assert rows(found["Foe"])["Foe"][0] == "1"
    assert "fallen" in rows(found["Foe"])["Foe"][5]
    assert (found["Thrower"].gone, found["Foe"].gone) == (False, True)


# --- weapons ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SE-11", "SE-19")
def test_a_weapon_has_its_numbers_and_its_row_of_the_wound_chart():
    card = cards("weapon_cards", from_names(CARD, ["Heavy bolter"]))["Heavy bolter"]
    numbers, wounds = blocks(card, Stats)
    assert [value for _, value in numbers.stats] == ['20"', "0", '40"', "0", "5", "D4", "-2"]
    needs = [CHART[5, toughness] for toughness in range(1, 11)]
    assert [value for _, value in wounds.stats] == [f"{need}+" if need else "-" for need in needs]
    assert [box.words for box in blocks(card, Boxes)[0].boxes] == ["jam 1", "jam 2"]


@pytest.mark.parametrize(
    "name, special, boxes",
    [
        ("Assault cannon", "Sustained Fire, 3 dice · explodes on 3 jams at once", "jam 1, jam 2, jam 3, destroyed"),
        ("Plasma pistol", "Sustained Fire, 1 die · fires every other turn", "jam 1, recharging"),
        ("Missile launcher, plasma", 'blast 1.5" · leaves a plasma ball', "destroyed"),
        ("Grenade launcher, smoke", 'blast 2" · leaves a cloud', "destroyed"),
        ("Heavy flamer", "large flamer template · sets survivors on fire", ""),
        ("Twin heavy bolters", "Sustained Fire, 2 dice · two fired as one", "jam 1, jam 2, jam 3, jam 4"),
    ],
)
def test_special_rules_are_told_and_what_may_befall_has_a_box(name, special, boxes):
    card = cards("weapon_cards", from_names(CARD, [name]))[name]
    told = {note.title: " · ".join(note.lines) for note in blocks(card, Notes)}
    assert told["special"] == special
    found = [box.words for block in blocks(card, Boxes) for box in block.boxes]
    assert ", ".join(found) == boxes


@pytest.mark.clause("SE-1", "SE-18", "SE-113")
def test_weapons_without_strength_and_numbers_that_are_ours():
    found = cards("weapon_cards", from_names(CARD, ["Smoke grenade", "Force rod", "Force sword"]))
    smoke, rod, sword = (dict(blocks(card, Stats)[0].stats) for card in found.values())
    assert (smoke["S"], smoke["Damage"], smoke["short"]) == ("-", "-", "by S")
    assert (rod["S"], sword["S"], sword["short"]) == ("user", "5", "-")
    assert all(len(blocks(card, Stats)) == 1 for card in found.values())  # no row of the wound chart
    told = {note.title: note.lines for note in blocks(found["Force sword"], Notes)}
    assert told["ours, not from a source"] == ("strength and save modifier",)


# --- questions -------------------------------------------------------------------------------------------------------


def test_a_question_prints_target_shooter_and_weapon_with_the_numbers_it_is_asked_with():
    given = {"weapon": "Heavy bolter", "shooter": "Grey Lantern brothers", "unit": "Marsh ogres", "models": 2}
    source = from_question(CARD, CARD.question("sustained"), {**given, "lost": 2, "jams": 1, "strength": 6, "save": 4})
    squads = cards("squad_cards", source)
    assert list(squads) == ["Marsh ogres", "Grey Lantern brothers"]
    numbers = dict(blocks(squads["Marsh ogres"], Stats)[0].stats)
    assert (numbers["models"], numbers["save"], numbers["T"]) == ("2", "4+", "5")
    wounds = tracks(squads["Marsh ogres"])["wounds"]
    assert (wounds.groups, wounds.ticked, wounds.note) == ((3, 3), 2, "2 of 6 lost")
    weapon = cards("weapon_cards", source)["Heavy bolter"]
    assert dict(blocks(weapon, Stats)[0].stats)["S"] == "6"
    assert [box.ticked for box in blocks(weapon, Boxes)[0].boxes] == [True, False]


@pytest.mark.clause("SE-57", "SE-58")
def test_a_grenade_without_a_name_is_thrown_as_far_as_the_thrower_can():
    source = from_question(CARD, CARD.question("grenade"), {"throw_strength": 4, "carried": 2})
    (card,) = cards("weapon_cards", source).values()
    numbers = dict(blocks(card, Stats)[0].stats)
    assert (numbers["short"], numbers["long"]) == ('5"', '10"')
    assert tracks(card)["grenades"].groups == (2,)


@pytest.mark.clause("SE-87")
def test_a_model_that_burns_in_a_question_burns_on_its_card():
    source = from_question(CARD, CARD.question("burning"), {"unit": "The Iron Matron", "weapon": "Flamer"})
    found = tracks(cards("squad_cards", source)["The Iron Matron"])
    assert (found["on fire"].ticked, found["wounds"].ticked) == (1, 0)


# --- markers ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SE-8", "SE-9", "SE-70")
def test_there_is_a_marker_of_every_radius_and_every_flamer_template():
    (part,) = make_document(CARD, ("markers",), Source(rulings=CARD.parse_rulings({}))).parts
    assert isinstance(part, Shapes)
    discs = [shape.diameter / 25.4 / 2 for shape in part.shapes if isinstance(shape, Disc)]
    assert discs == pytest.approx([0.5, 1, 1.5, 2, 3])  # a cloud of 1 1/2 or 2 inches shrinks to half an inch
    drops = [(shape.length, shape.diameter) for shape in part.shapes if isinstance(shape, Drop)]
    assert drops == [pytest.approx(size) for size in ((127, 31.75), (215.9, 63.5), (304.8, 101.6))]
    assert [shape.diameter for shape in part.shapes if isinstance(shape, Ring)] == [25, 30, 40, 50]


@pytest.mark.clause("SE-8")
def test_no_weapon_of_the_book_lacks_its_marker():
    (part,) = make_document(CARD, ("markers",), Source(rulings=CARD.parse_rulings({}))).parts
    names = {shape.name for shape in part.shapes}  # type: ignore[union-attr]
    weapons = CARD.book.entries["weapon"].values()
    assert {f'Blast {weapon.blast:g}"' for weapon in weapons if weapon.blast} <= names
    assert {f"{weapon.template} flamer".capitalize() for weapon in weapons if weapon.template} <= names
