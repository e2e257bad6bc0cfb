"""Inputs: one type makes options, forms and kind errors; every misfit is a sentence."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from battletape import ruleset
from battletape.errors import BadInput
from battletape.inputs import (
    Inputs,
    Ruling,
    _as_written,
    asked,
    described,
    fields,
    parse_inputs,
    parse_pairs,
    part_of,
    show_inputs,
    spoken_names,
)


class Weapon(Inputs, frozen=True):
    name: str = ""
    power: Annotated[int, Meta(title="Power", ge=1, le=20)] = 4
    keywords: tuple[str, ...] = ()


class Attack(Inputs, frozen=True):
    attacks: Annotated[int, Meta(title="Attack dice", ge=1, le=1000, extra={"group": "attacker", "unit": "dice"})] = 10
    armour: Annotated[int, Meta(ge=2, le=6, extra={"form": "save", "clause": "X-1"})] | None = None
    distance: Annotated[float, Meta(ge=0, description="From base to base", extra={"unit": "inches"})] = 12.0
    offset: float = 0.0
    modifier: Annotated[int, Meta(le=3)] = 0
    cover: Literal["heavy", "light", "none"] = "none"
    size: Literal[1, 2, 4] = 1
    level: Literal["upper", "lower"] | None = None
    charging: bool = False
    note: str = ""
    nickname: str | None = None
    wounds: tuple[Annotated[int, Meta(ge=1, le=30)], ...] = ()
    weapons: tuple[Weapon, ...] = (Weapon(),)


FIELDS = {field.name: field for field in fields(Attack)}


def misfit(given: dict[str, Any], source: str = "") -> BadInput:
    with pytest.raises(BadInput) as error:
        parse_inputs(Attack, given, source)
    return error.value


def test_fields_have_all_that_a_form_needs():
    kinds = {name: field.kind for name, field in FIELDS.items()}
    assert kinds == {
        "attacks": "whole",
        "armour": "whole",
        "distance": "number",
        "offset": "number",
        "modifier": "whole",
        "cover": "choice",
        "size": "choice",
        "level": "choice",
        "charging": "yes_no",
        "note": "text",
        "nickname": "text",
        "wounds": "whole_list",
        "weapons": "many",
    }
    attacks, armour = FIELDS["attacks"], FIELDS["armour"]
    assert (attacks.title, attacks.low, attacks.high, attacks.default) == ("Attack dice", 1, 1000, 10)
    assert (attacks.group, attacks.unit, attacks.optional) == ("attacker", "dice", False)
    assert (armour.form, armour.clause, armour.optional, armour.low, armour.high) == ("save", "X-1", True, 2, 6)
    assert FIELDS["distance"].description == "From base to base"
    assert FIELDS["cover"].choices == ("heavy", "light", "none")
    assert FIELDS["weapons"].item is Weapon
    assert FIELDS["nickname"].title == "Nickname"


@pytest.mark.parametrize(
    "name, wants",
    [
        ("attacks", "a whole number from 1 to 1,000"),
        ("armour", "a save from 2+ to 6+, or none"),
        ("distance", "a number of 0 or more"),
        ("offset", "a number"),
        ("modifier", "a whole number of 3 or less"),
        ("cover", "one of heavy, light, none"),
        ("level", "one of upper, lower, or none"),
        ("charging", "yes or no"),
        ("note", "text"),
        ("nickname", "text, or none"),
        ("wounds", "whole numbers from 1 to 30 with commas between them"),
        ("weapons", "entries such as “name=… power=4”"),
    ],
)
def test_fields_word_the_values_they_take(name, wants):
    assert FIELDS[name].wants == wants


@pytest.mark.parametrize(
    "name, given, value",
    [
        ("attacks", 12, 12),
        ("attacks", " 12 ", 12),
        ("attacks", "1,000", 1000),
        ("attacks", "1_000", 1000),
        ("attacks", "+5", 5),
        ("modifier", "-2", -2),
        ("armour", "5+", 5),
        ("armour", "5", 5),
        ("armour", 5, 5),
        ("armour", None, None),
        ("armour", "none", None),
        ("armour", "-", None),
        ("armour", "", None),
        ("distance", "6.5", 6.5),
        ("distance", 6, 6.0),
        ("cover", "Light", "light"),
        ("cover", "none", "none"),
        ("cover", None, "none"),
        ("size", "2", 2),
        ("size", 4, 4),
        ("level", "none", None),
        ("charging", "yes", True),
        ("charging", "Off", False),
        ("charging", True, True),
        ("charging", 0, False),
        ("note", "hold the line", "hold the line"),
        ("note", "", ""),
        ("nickname", "none", None),
        ("wounds", "3, 2 1", (3, 2, 1)),
        ("wounds", [3, "2"], (3, 2)),
        ("wounds", 3, (3,)),
        ("wounds", None, ()),
        ("weapons", [], ()),
        ("weapons", "none", ()),
        ("weapons", {"power": 6}, (Weapon(power=6),)),
        ("weapons", "power=6 name='Storm carbine'", (Weapon(name="Storm carbine", power=6),)),
        ("weapons", "power=6, name=axe", (Weapon(name="axe", power=6),)),
        ("weapons", "power=6 ; power=7", (Weapon(power=6), Weapon(power=7))),
        ("weapons", ["power=6", {"power": "7"}, Weapon(power=8)], (Weapon(power=6), Weapon(power=7), Weapon(power=8))),
        ("weapons", Weapon(power=9), (Weapon(power=9),)),
        ("weapons", {"keywords": "Bane, Volley,"}, (Weapon(keywords=("Bane", "Volley")),)),
        ("weapons", {"keywords": ["Bane"]}, (Weapon(keywords=("Bane",)),)),
    ],
)
def test_a_value_that_fits_is_parsed(name, given, value):
    assert getattr(parse_inputs(Attack, {name: given}), name) == value


@pytest.mark.parametrize(
    "given, said",
    [
        ({"attacks": 0}, "attacks must be a whole number from 1 to 1,000; got 0."),
        ({"attacks": 1_000_000}, "attacks must be a whole number from 1 to 1,000; got 1000000."),
        ({"attacks": -3}, "attacks must be a whole number from 1 to 1,000; got -3."),
        ({"attacks": "twelve"}, "attacks must be a whole number from 1 to 1,000; got 'twelve'."),
        ({"attacks": "+-5"}, "attacks must be a whole number from 1 to 1,000; got '+-5'."),
        ({"attacks": "-+5"}, "attacks must be a whole number from 1 to 1,000; got '-+5'."),
        ({"attacks": "٣"}, "attacks must be a whole number from 1 to 1,000; got '٣'."),
        ({"attacks": "9" * 5000}, "attacks must be a whole number from 1 to 1,000; got '" + "9" * 79 + "…'."),
        ({"attacks": True}, "attacks must be a whole number from 1 to 1,000; got True."),
        ({"attacks": 2.0}, "attacks must be a whole number from 1 to 1,000; got 2.0."),
        ({"attacks": None}, "attacks must be a whole number from 1 to 1,000; got nothing."),
        ({"attacks": [1]}, "attacks must be a whole number from 1 to 1,000; got [1]."),
        (
            {"attacks": list(range(99))},
            f"attacks must be a whole number from 1 to 1,000; got {str(list(range(99)))[:57]}….",
        ),
        ({"armour": "9+"}, "armour must be a save from 2+ to 6+, or none; got '9+' (X-1)."),
        ({"armour": 1}, "armour must be a save from 2+ to 6+, or none; got 1 (X-1)."),
        ({"armour": "+"}, "armour must be a save from 2+ to 6+, or none; got '+' (X-1)."),
        ({"distance": -1}, "distance must be a number of 0 or more; got -1."),
        ({"distance": "far"}, "distance must be a number of 0 or more; got 'far'."),
        ({"distance": True}, "distance must be a number of 0 or more; got True."),
        ({"offset": "nan"}, "offset must be a number; got 'nan'."),
        ({"offset": "inf"}, "offset must be a number; got 'inf'."),
        ({"offset": 10**400}, f"offset must be a number; got 1{'0' * 56}…."),
        ({"offset": []}, "offset must be a number; got []."),
        ({"cover": "wood"}, "cover must be one of heavy, light, none; got 'wood'."),
        ({"size": 3}, "size must be one of 1, 2, 4; got 3."),
        ({"charging": "maybe"}, "charging must be yes or no; got 'maybe'."),
        ({"charging": 2}, "charging must be yes or no; got 2."),
        ({"note": 5}, "note must be text; got 5."),
        ({"note": "two\nlines"}, "note must be text; got 'two\\nlines'."),
        ({"note": None}, "note must be text; got nothing."),
        ({"wounds": "3, many"}, "wounds must be whole numbers from 1 to 30 with commas between them; got '3, many'."),
        ({"wounds": [0]}, "wounds must be whole numbers from 1 to 30 with commas between them; got [0]."),
        ({"wounds": {"a": 1}}, "wounds must be whole numbers from 1 to 30 with commas between them; got {'a': 1}."),
        ({"weapons": 5}, "weapons must be entries such as “name=… power=4”; got 5."),
        ({"weapons": [5]}, "weapons must be entries such as “name=… power=4”; got 5."),
        ({"weapons": [{}, {"power": 21}]}, "weapons 2: power must be a whole number from 1 to 20; got 21."),
        ({"weapons": [{"powr": 2}]}, "weapons 1: there is no input 'powr' here. Did you mean power?"),
        ({"weapons": ["power"]}, "weapons 1: an entry needs name=value pairs; got 'power'"),
        ({"weapons": "power=3 'x"}, 'weapons 1: "power=3 \'x" cannot be read: No closing quotation'),
        ({"weapons": [{"keywords": 5}]}, "weapons 1: keywords must be names with commas between them; got 5."),
        ({"weapons": [{"keywords": [5]}]}, "weapons 1: keywords must be names with commas between them; got [5]."),
        ({"atacks": 3}, "there is no input 'atacks' here. Did you mean attacks?"),
        ({"dragon": 3}, f"there is no input 'dragon' here. Known: {', '.join(FIELDS)}."),
    ],
)
def test_every_misfit_is_a_sentence(given, said):
    assert str(misfit(given)) == said


def test_a_misfit_names_field_and_source():
    error = misfit({"attacks": 0}, "army.toml")
    assert str(error) == "army.toml: attacks must be a whole number from 1 to 1,000; got 0."
    assert (error.field, error.source, error.message) == (
        "attacks",
        "army.toml",
        "attacks must be a whole number from 1 to 1,000; got 0.",
    )
    assert str(misfit({"weapons": [{"power": 0}]}, "army.toml")).startswith("army.toml: weapons 1: power must be")


def test_names_may_have_hyphens():
    class Long(Inputs, frozen=True):
        weapon_class: str = ""

    assert parse_inputs(Long, {"weapon-class": "heavy"}).weapon_class == "heavy"


def test_too_many_entries_are_refused():
    assert str(misfit({"weapons": [{}] * 101})).startswith("weapons must be a list of 100 at most; got 101")
    assert str(misfit({"wounds": [1] * 201})).startswith("wounds must be whole numbers")


def test_inputs_are_frozen_and_hashable():
    attack = parse_inputs(Attack, {"attacks": 3, "weapons": [{"power": 6}]})
    assert hash(attack) == hash(parse_inputs(Attack, {"attacks": "3", "weapons": "power=6"}))
    with pytest.raises(AttributeError):
        attack.attacks = 4  # type: ignore[misc]


def test_a_type_no_form_knows_is_refused():
    class Odd(Inputs, frozen=True):
        when: dict[str, int] = {}  # noqa: RUF012

    with pytest.raises(TypeError, match="an input cannot be of the type"):
        fields(Odd)


@pytest.mark.parametrize(
    "inputs, text",
    [
        (Attack(), ""),
        (Attack(attacks=3, armour=5), "attacks=3 armour=5+"),
        (Attack(charging=True, cover="heavy"), "cover=heavy charging=yes"),
        (Attack(note="hold the line", wounds=(3, 2)), "note='hold the line' wounds='3, 2'"),
        (Attack(weapons=()), "weapons=none"),
        (Attack(weapons=(Weapon(power=6), Weapon(name="x"))), "weapons='power=6 ; name=x'"),
        (Attack(weapons=(Weapon(), Weapon())), "weapons=\"name='' ; name=''\""),
    ],
)
def test_inputs_as_text(inputs, text):
    assert show_inputs(inputs) == text
    assert parse_inputs(Attack, parse_pairs(text)) == inputs


# a text that means “nothing”, is blank or ends in a comma is not kept as it is
WORDS = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF), max_size=12).filter(
    lambda text: text.isprintable() and text.strip().lower() not in ("none", "-") and not text.endswith((",", " "))
)
NAMES = WORDS.map(lambda text: re.sub("[,;]", "", text).strip()).filter(bool)


def weapons() -> st.SearchStrategy[Weapon]:
    return st.builds(Weapon, name=WORDS, power=st.integers(1, 20), keywords=st.lists(NAMES, max_size=3).map(tuple))


@given(
    st.builds(
        Attack,
        attacks=st.integers(1, 1000),
        armour=st.none() | st.integers(2, 6),
        distance=st.floats(0, 1e9),
        offset=st.floats(allow_nan=False, allow_infinity=False),
        modifier=st.integers(-(10**9), 3),
        cover=st.sampled_from(["none", "light", "heavy"]),
        size=st.sampled_from([1, 2, 4]),
        level=st.sampled_from(["lower", "upper", None]),
        charging=st.booleans(),
        note=WORDS,
        nickname=st.none() | WORDS.filter(lambda text: bool(text.strip())),
        wounds=st.lists(st.integers(1, 30), max_size=5).map(tuple),
        weapons=st.lists(weapons(), max_size=4).map(tuple),
    )
)
def test_a_formatted_value_parses_to_itself(attack):
    assert parse_inputs(Attack, parse_pairs(show_inputs(attack))) == attack


@pytest.mark.parametrize("text", ["power", "=3", "power=3 axe", "power = 3"])
def test_pairs_that_are_none_are_refused(text):
    with pytest.raises(BadInput) as error:
        parse_pairs(text)
    assert str(error.value) == f"an entry needs name=value pairs; got {text!r}"


def test_an_entry_that_says_a_name_twice_is_refused():
    with pytest.raises(BadInput, match="says each name once, and several entries are given one by one"):
        parse_pairs("name=Ash power=3; name=Birch")


class Ordered(Inputs, frozen=True):
    speed: Literal["slow", "fast", "crawling"] = "slow"
    pace: Annotated[Literal["walk", "dash", "amble"] | None, Meta(title="Pace")] = None
    ap: Literal[1, 2, "-"] = "-"


class Inherited(Ordered, frozen=True):
    facing: Literal["north", "east"] = "north"


def test_choices_stand_in_the_order_of_the_code():
    choices = {field.name: field.choices for field in fields(Inherited)}
    assert choices == {
        "speed": ("slow", "fast", "crawling"),
        "pace": ("walk", "dash", "amble"),
        "ap": (1, 2, "-"),
        "facing": ("north", "east"),
    }


def test_choices_of_a_type_that_only_its_maker_knows_are_all_there():
    class Local(Inputs, frozen=True):
        tempo: str = "slow"

    Local.__annotations__["tempo"] = "Nowhere"
    assert _as_written(Local, "tempo", ("fast", "slow")) == ("fast", "slow")


TIES = Ruling("Ties", "X-1", {"second": "the second wins", "first": "the first wins"})


def test_rulings_take_their_words_from_a_table_and_show_them_in_the_order_of_the_code():
    said = {
        "cap": Ruling("At most", "X-3", {"6": "as printed", "0": "nothing"}),
        "spill": Ruling("Spill", "X-2", {"no": "is lost", "yes": "goes on"}),
        "turns": Ruling("Turns", "X-4", {"none": "any number", "five": "5", "six": "6"}),
        "ties": TIES,
        "limit": Ruling("Limit", "X-5", {"10": "as of any", "none": "no limit"}),
    }

    class Rulings(Inputs, frozen=True, said=said):
        ties: Literal["second", "first"] = "second"
        turns: Literal["six", "five"] | None = None
        spill: bool = False
        cap: Annotated[int, Meta(ge=0, le=9)] = 6
        limit: Annotated[int, Meta(ge=1, le=20)] | None = 10

    ties, turns, spill, cap, limit = fields(Rulings)
    assert (ties.title, ties.clause, ties.group) == ("Ties", "X-1", "rulings")
    assert ties.alternatives == (("second", "the second wins"), ("first", "the first wins"))
    assert turns.alternatives == (("none", "any number"), ("six", "6"), ("five", "5"))
    assert spill.alternatives == (("yes", "goes on"), ("no", "is lost"))
    assert (cap.alternatives, cap.low, cap.high) == ((("6", "as printed"), ("0", "nothing")), 0, 9)
    assert (limit.alternatives, limit.high) == ((("10", "as of any"), ("none", "no limit")), 20)
    assert Rulings() == Rulings(ties="second", turns=None, spill=False, cap=6, limit=10)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({}, "Rulings: rulings.toml does not tell what ties decides"),
        ({"ties": TIES, "tie": TIES}, "Rulings: rulings.toml tells of tie, and there is no such ruling"),
    ],
)
def test_rulings_without_words_and_words_without_a_ruling_are_refused(said, told):
    with pytest.raises(TypeError, match=told):

        class Rulings(Inputs, frozen=True, said=said):
            ties: Literal["second", "first"] = "second"


@pytest.mark.parametrize(
    "means",
    [
        {"second": "the second wins"},
        {"second": "the second wins", "first": "the first wins", "third": "the third wins"},
        {"second": "the second wins", "frist": "the first wins"},
        {"first": "the first wins", "second": "the second wins"},
        {},
    ],
    ids=["one is missing", "one too many", "a slip", "not the default first", "none"],
)
def test_words_that_do_not_fit_the_values_are_refused(means):
    got = ", ".join(means) or "nothing"
    words = f"rulings.toml needs words for second, first of ties, the default first; got them for {got}"
    with pytest.raises(TypeError, match=words):

        class Rulings(Inputs, frozen=True, said={"ties": Ruling("Ties", "X-1", means)}):
            ties: Literal["second", "first"] = "second"


@pytest.mark.parametrize("value", ["10", "06", "six"])
def test_words_for_a_number_that_cannot_be_are_refused(value):
    with pytest.raises((TypeError, BadInput), match="cap"):

        class Rulings(Inputs, frozen=True, said={"cap": Ruling("At most", "X-3", {"6": "as printed", value: "?"})}):
            cap: Annotated[int, Meta(ge=0, le=9)] = 6


def test_a_ruling_needs_a_default():
    with pytest.raises(TypeError, match="Rulings: the ruling ties needs a default"):

        class Rulings(Inputs, frozen=True, said={"ties": TIES}):
            ties: Literal["second", "first"]


class Gunner(Weapon, Ordered, frozen=True):
    power = 9
    speed = "fast"
    shots: Annotated[int, Meta(title="Shots", ge=1, le=4)] = 2


def test_inputs_may_be_put_together_from_several_types_with_defaults_of_their_own():
    known = {field.name: field for field in fields(Gunner)}
    assert [*known] == ["name", "power", "keywords", "speed", "pace", "ap", "shots"]
    assert (known["power"].title, known["power"].high, known["power"].default) == ("Power", 20, 9)
    assert known["speed"].choices == ("slow", "fast", "crawling")
    assert Gunner(ap=1) == parse_inputs(Gunner, {"ap": "1", "power": "9", "speed": "fast"})
    assert Weapon().power == 4
    with pytest.raises(BadInput, match="power must be a whole number from 1 to 20; got 21"):
        parse_inputs(Gunner, {"power": 21})


class Said(Inputs, frozen=True):
    wounds: int = asked(10, "Wounds", "X-1", group="target", short="W", ge=1, le=500)
    left: int | None = asked(None, "Wounds left", group="target", note="all if left out", ge=0, le=500)
    prone: bool = asked(False, "Lying down", "X-2", group="circumstances", chip="Prone")
    reach: float = asked(24.0, "Range", "X-3", group="weapon", unit="inches", ge=0, le=48)


class SaidAtLength(Inputs, frozen=True):
    wounds: Annotated[int, described("Wounds", "X-1", group="target", ge=1, le=500, short="W")] = 10
    left: Annotated[
        Annotated[int, Meta(ge=0, le=500)] | None, described("Wounds left", group="target", note="all if left out")
    ] = None
    prone: Annotated[bool, described("Lying down", "X-2", group="circumstances", chip="Prone")] = False
    reach: Annotated[float, described("Range", "X-3", group="weapon", unit="inches", ge=0, le=48)] = 24.0


def test_an_input_declared_in_one_call_is_the_same_as_at_length():
    assert fields(Said) == fields(SaidAtLength)
    assert Said() == Said(wounds=10, left=None, prone=False, reach=24.0)
    assert parse_inputs(Said, {"left": "7"}).left == 7
    with pytest.raises(BadInput, match="left must be a whole number from 0 to 500, or none; got 501"):
        parse_inputs(Said, {"left": 501})


def test_part_of_takes_fields_by_their_names_or_the_names_given():
    said = Said(wounds=3, prone=True)
    assert part_of(said, "wounds", "toughness", prone="lies") == {"wounds": 3, "lies": True}


@pytest.mark.parametrize(
    ("name", "question", "given"),
    [
        ("deathwatch", "shoot", {"weapon": "Autogun"}),
        ("deathwatch", "fight", {}),
        ("deathwatch", "hit", {}),
        ("second_edition", "shoot", {}),
        ("second_edition", "sustained", {}),
    ],
)
def test_a_plain_number_will_do_where_dice_are_wanted(name: str, question: str, given: dict[str, Any]) -> None:
    card = ruleset(name)
    number, text = (card.ask(question, **given, damage=damage) for damage in (2, "2"))
    assert number.inputs == text.inputs
    assert number.odds().fractions() == text.odds().fractions()
    for bad in (True, 1.5, -3):
        with pytest.raises(BadInput, match="damage"):
            card.ask(question, **given, damage=bad)


def test_a_number_is_no_name() -> None:
    shoot = ruleset("deathwatch").question("shoot").inputs
    with pytest.raises(BadInput, match="attacker must be"):
        parse_inputs(shoot, {"attacker": 5})


def test_damage_without_dice_is_a_number() -> None:
    armour = {"head": 5, "arm": 5, "body": 5, "leg": 5, "tb": 3, "unnatural_toughness": 1}
    sure = ruleset("deathwatch").ask("hit", weapon="Autogun", damage=20, **armour)
    assert sure.headline == "12.0 damage gets through on average, any at all 100 %."


# --- profiles that are named ------------------------------------------------------------------------------------------


class Carried(Inputs, count="bearers", frozen=True):
    gun: str = asked("", "What it is", group="attacker", profile="weapon")
    bearers: int = 1


class Squad(Inputs, frozen=True):
    who: str = asked("", "Those that shoot", group="attacker", profile="unit")
    armour: str = asked("", "Armour worn", group="target", profile="armour", worn=True)
    against: str = asked("", "Whom they shoot at, by its profile", group="target")
    guns: tuple[Carried, ...] = asked((), "Guns", group="weapon")


def test_an_input_with_profile_names_one_under_any_title():
    named = {field.name: (field.profile, field.takes_profile) for field in fields(Squad)}
    assert named == {
        "who": ("unit", True),
        "armour": ("armour", False),
        "against": ("", False),
        "guns": ("", False),
    }


def test_words_of_players_lead_to_the_profile_of_each_side():
    spoken = spoken_names(Squad)
    assert (spoken["shooter"], spoken["gun"]) == ("who", "guns")
    assert "target" not in spoken


def test_a_type_names_the_input_that_counts_its_entries():
    (guns,) = (field for field in fields(Squad) if field.item is not None)
    assert (Carried.counted_by, Squad.counted_by) == ("bearers", "")
    assert guns.wants.startswith("“4 x NAME” for four of a gun profile, or entries such as ")


class Crew(Carried, frozen=True):
    rank: str = ""


def test_a_type_counts_like_the_one_that_it_extends():
    assert Crew.counted_by == "bearers"
    assert Crew(gun="Bow", bearers=3) == Crew(gun="Bow", bearers=3)
    assert "counted_by" not in Crew.__struct_fields__
