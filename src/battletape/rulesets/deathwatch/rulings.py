"""Rulings: where the sheet is silent or can be read in two ways; each says its clause and what every value means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta

from battletape.inputs import Inputs


def _ruling(title: str, clause: str, **alternatives: str) -> Any:
    """What a ruling decides, its clause, and what each value means."""
    return Meta(title=title, extra={"group": "rulings", "clause": f"DW-{clause}", "alternatives": alternatives})


class Rulings(Inputs, frozen=True, cache_hash=True):
    """The settings of a game; they hold for everybody until it ends."""

    # tests
    double_zero: Annotated[Literal["hundred"], _ruling("A roll of 00", "TEST-1", hundred="reads as 100")] = "hundred"
    degrees: Annotated[
        Literal["complete_tens", "plus_one"],
        _ruling(
            "Degrees of success", "TEST-3", complete_tens="every complete ten", plus_one="one more, as later games"
        ),
    ] = "complete_tens"
    modifier_cap: Annotated[
        int, Meta(ge=0, le=200), _ruling("Modifiers change a test by at most", "TEST-4", **{"60": "the core book"})
    ] = 60
    auto_results: Annotated[
        Literal["none", "01_and_00"],
        _ruling("Automatic results", "TEST-5", **{"none": "no roll is special", "01_and_00": "01 succeeds, 00 fails"}),
    ] = "none"
    opposed_ties: Annotated[
        Literal["bonus_then_lower_roll", "nobody"],
        _ruling(
            "Equal degrees in an opposed test",
            "TEST-6",
            bonus_then_lower_roll="the higher bonus wins, then the lower roll",
            nobody="nobody wins",
        ),
    ] = "bonus_then_lower_roll"
    opposed_failures: Annotated[
        Literal["stalemate", "fewer_degrees"],
        _ruling(
            "Both fail an opposed test", "TEST-6", stalemate="nobody wins", fewer_degrees="the smaller failure wins"
        ),
    ] = "stalemate"
    combat_table: Annotated[
        Literal["literal", "corrected"],
        _ruling(
            "Five rows of the summary", "SUMM-00", literal="as printed", corrected="one row harder, as the core book"
        ),
    ] = "literal"
    same_condition: Annotated[
        Literal["once", "adds"],
        _ruling("A condition with a row and a section", "SUMM-00", once="counts once", adds="counts twice"),
    ] = "once"
    point_blank: Annotated[
        int, Meta(ge=1, le=10), _ruling("Point blank, metres", "RANGE-1", **{"2": "this edition", "3": "later books"})
    ] = 2

    # where hits land
    hit_location: Annotated[
        Literal["reversed", "fresh", "unpadded"],
        _ruling(
            "Place of a hit",
            "LOC-2",
            reversed="the attack roll with its digits turned",
            fresh="a d100 of its own",
            unpadded="without the leading zero: 7 stays 7, 19 % heads",
        ),
    ] = "reversed"
    cover_and_penetration: Annotated[
        Literal["sum", "armour_only"],
        _ruling("Penetration lessens", "COVER-1", sum="armour and cover", armour_only="armour; cover counts whole"),
    ] = "sum"
    cover_doubles: Annotated[
        bool, _ruling("Doubled AP", "COVER-1", yes="armour and cover are doubled", no="only the armour is doubled")
    ] = True
    cover_degrades: Annotated[
        bool, _ruling("Cover wears down", "COVER-1", yes="1 AP for each hit above its AP", no="never")
    ] = False
    ap_doublings: Annotated[
        Literal["add", "multiply"],
        _ruling("AP doubled twice", "QUAL-PRIMITIVE", add="is tripled", multiply="times four"),
    ] = "add"

    # shooting
    jam_roll: Annotated[
        Literal["misses", "may_hit"],
        _ruling("A jam at or below the target", "JAM-1", misses="is a miss", may_hit="jams and still hits"),
    ] = "misses"
    jam_clear_empties_clip: Annotated[
        bool, _ruling("Clearing a jam", "JAM-2", yes="loses the clip", no="keeps the clip")
    ] = True
    reliable_roll: Annotated[
        Literal["misses", "as_rolled"],
        _ruling(
            "A jam that a reliable gun shakes off", "QUAL-RELIABLE", misses="is a miss", as_rolled="hits if low enough"
        ),
    ] = "misses"
    poor_and_reliable: Annotated[
        Literal["every_jam", "natural_only"],
        _ruling(
            "Poor but reliable guns",
            "CRAFT-POOR",
            every_jam="the check may undo every jam",
            natural_only="only those of the natural roll",
        ),
    ] = "every_jam"
    short_clip: Annotated[
        Literal["no_burst", "what_is_left"],
        _ruling(
            "Too few rounds for a burst", "RWEP-00", no_burst="there is none", what_is_left="a burst of the rounds left"
        ),
    ] = "no_burst"
    storm: Annotated[
        Literal["every_mode", "bursts_only"],
        _ruling("What storm weapons double", "QUAL-STORM", every_mode="single shots too", bursts_only="only bursts"),
    ] = "every_mode"
    twin_linked_hit: Annotated[
        Literal["beyond_cap", "within_cap"],
        _ruling(
            "Hit more of a twin-linked gun", "QUAL-TWIN", beyond_cap="beyond the rate of fire", within_cap="within it"
        ),
    ] = "beyond_cap"
    scatter_with_burst: Annotated[
        Literal["additive", "exclusive"],
        _ruling(
            "Point-blank scatter in a burst",
            "QUAL-SCATTER",
            additive="both give hits",
            exclusive="the burst's hits only",
        ),
    ] = "additive"
    scatter_distance: Annotated[
        Literal["1d5", "1d10"],
        _ruling("A missed blast lands off by", "SCAT-2", **{"1d5": "1d5 metres", "1d10": "1d10 metres"}),
    ] = "1d5"
    accurate_dice: Annotated[
        bool,
        _ruling("Dice of accurate weapons", "QUAL-ACCURATE", yes="up to two dice of damage more", no="only +10 to hit"),
    ] = True
    overheating_shot: Annotated[
        Literal["counts", "misses"],
        _ruling("A shot that overheats", "QUAL-OVERHEATS", counts="hits if low enough", misses="is a miss"),
    ] = "counts"
    untrained_flame: Annotated[
        Literal["sheet", "core"],
        _ruling("Untrained fire is dodged at", "UNTR-2", sheet="+30", core="+20; +30 if heavy and not braced"),
    ] = "sheet"
    overwatch: Annotated[
        Literal["ends_with_fire", "holds"],
        _ruling("Overwatch", "OVER-4", ends_with_fire="ends when it fires", holds="lasts until time or an act ends it"),
    ] = "ends_with_fire"
    arc_of_45: Annotated[
        Literal["in_all", "each_side"],
        _ruling("An arc of 45 degrees", "OVER-1", in_all="22½ to each side", each_side="45 to each side"),
    ] = "in_all"
    suppressing_modifiers: Annotated[
        Literal["own_state", "all"],
        _ruling(
            "Modifiers of suppressing fire", "SUPP-2", own_state="the shooter's own state", all="range and size as well"
        ),
    ] = "own_state"

    # damage
    tearing: Annotated[
        Literal["extra_die_drop_lowest", "each_die_best_of_two"],
        _ruling(
            "Several dice that are tearing",
            "QUAL-TEARING",
            extra_die_drop_lowest="one die more, the lowest is dropped",
            each_die_best_of_two="each die is the better of two",
        ),
    ] = "extra_die_drop_lowest"
    dos_minimum_die: Annotated[
        bool, _ruling("Degrees raise a low die", "CORE-DOSMIN", yes="one die is at least the degrees", no="they do not")
    ] = False
    righteous_fury: Annotated[
        Literal["eligible_only", "everyone", "nobody"],
        _ruling(
            "Righteous Fury",
            "RF-3",
            eligible_only="of the touched by fate",
            everyone="of everybody",
            nobody="of volatile weapons",
        ),
    ] = "eligible_only"
    power_fist: Annotated[
        Literal["literal_double", "multiplier_plus_one"],
        _ruling(
            "Power fists",
            "MWEP-00",
            literal_double="the bonus is doubled",
            multiplier_plus_one="its multiplier is one more",
        ),
    ] = "literal_double"
    felling: Annotated[
        Literal["one_step_each", "whole_trait"],
        _ruling(
            "A level of felling", "QUAL-FELLING", one_step_each="one step of the multiplier", whole_trait="all of it"
        ),
    ] = "one_step_each"
    critical_track: Annotated[
        Literal["overall", "by_location"],
        _ruling("Critical damage adds up", "DMG-2", overall="over the whole body", by_location="place by place"),
    ] = "overall"
    repeating_table: Annotated[
        Literal["rending"], _ruling("The table printed as Repeating", "CRIT-1", rending="is Rending")
    ] = "rending"
    shocking_rounds: Annotated[
        Literal["half_up", "half_down"],
        _ruling(
            "Rounds of a shock", "QUAL-SHOCKING", half_up="half the damage, up", half_down="half, down; at least 1"
        ),
    ] = "half_up"
    fatigue_penalty: Annotated[
        Literal["flat", "per_level"], _ruling("Fatigue", "FAT-1", flat="-10 in all", per_level="-10 for each level")
    ] = "flat"
    blood_loss_percent: Annotated[
        int, Meta(ge=0, le=100), _ruling("Blood loss kills each round, per cent", "BLOOD-1", **{"10": "the sheet"})
    ] = 10

    # melee and turns
    multi_dodge: Annotated[
        Literal["one_plus_dos", "one_hit"],
        _ruling("A dodge undoes", "EVA-2", one_plus_dos="a hit and one for each degree", one_hit="one hit of a burst"),
    ] = "one_plus_dos"
    power_field: Annotated[
        Literal["own_parry", "any_clash"],
        _ruling(
            "A power field breaks",
            "QUAL-POWER-FIELD",
            own_parry="a weapon it parries",
            any_clash="one that parries it too",
        ),
    ] = "own_parry"
    two_weapons_off_hand: Annotated[
        Literal["once", "adds"],
        _ruling("Off hand of two weapons", "TWOW-2", once="-20 as the other", adds="-20 more, as alone"),
    ] = "once"
    unarmed_fatigue: Annotated[
        Literal["net", "raw"],
        _ruling("Fists tire by damage", "UNARM-3", net="that gets through", raw="before armour and toughness"),
    ] = "net"
    half_actions: Annotated[
        Literal["all_different", "one_attack"],
        _ruling("Two Half Actions", "ECON-2", all_different="must differ", one_attack="must differ; one attack"),
    ] = "all_different"

    # hordes
    small_horde: Annotated[
        Literal["steps", "no_bonus"],
        _ruling("Hordes below 30", "HORDE-2", steps="+20 from 20, +10 from 10", no_bonus="give no bonus"),
    ] = "steps"
    horde_explosive: Annotated[
        Literal["per_attack", "per_hit"],
        _ruling("Hordes and explosions", "HORDE-4", per_attack="a hit more an attack", per_hit="doubles every hit"),
    ] = "per_attack"
    horde_melee_minimum: Annotated[
        Literal[0, 1], _ruling("Least hits of a melee success", "HORDE-10", **{"0": "as printed", "1": "core book"})
    ] = 0
    horde_blast: Annotated[
        Literal["times_hits", "once"],
        _ruling("Hordes and blasts", "HORDE-11", times_hits="every hit counts X", once="one hit counts X (some tools)"),
    ] = "times_hits"
    horde_devastating: Annotated[
        Literal["extra_hits", "per_hit_magnitude"],
        _ruling(
            "Hordes and devastating hits",
            "QUAL-DEVASTATING",
            extra_hits="X hits more",
            per_hit_magnitude="each hit that hurts takes X more",
        ),
    ] = "extra_hits"


DEFAULT = Rulings()
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "sheet": {},
    "core": {
        "combat_table": "corrected",
        "dos_minimum_die": True,
        "power_fist": "multiplier_plus_one",
        "untrained_flame": "core",
        "cover_degrades": True,
        "horde_melee_minimum": 1,
        "horde_devastating": "per_hit_magnitude",
    },
}
"""`sheet` follows the reference sheet to the letter; `core` reads it as the core rule book has it."""
