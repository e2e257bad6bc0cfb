"""Rulings: where the sheet is silent or can be read in two ways; each says its clause and what every value means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta

from battletape.inputs import Inputs, ruling


class Rulings(Inputs, frozen=True, cache_hash=True):
    """The settings of a game; they hold for everybody until it ends."""

    # tests
    double_zero: Annotated[Literal["hundred"], ruling("A roll of 00", "DW-TEST-1", "reads as 100")] = "hundred"
    degrees: Annotated[
        Literal["complete_tens", "plus_one"],
        ruling("Degrees of success", "DW-TEST-3", "every complete ten", "one more, as later games"),
    ] = "complete_tens"
    modifier_cap: Annotated[
        int, Meta(ge=0, le=200), ruling("Modifiers change a test by at most", "DW-TEST-4", **{"60": "the core book"})
    ] = 60
    auto_results: Annotated[
        Literal["none", "01_and_00"],
        ruling("Automatic results", "DW-TEST-5", "no roll is special", "01 succeeds, 00 fails"),
    ] = "none"
    opposed_ties: Annotated[
        Literal["bonus_then_lower_roll", "nobody"],
        ruling(
            "Equal degrees in an opposed test", "DW-TEST-6", "the higher bonus wins, then the lower roll", "nobody wins"
        ),
    ] = "bonus_then_lower_roll"
    opposed_failures: Annotated[
        Literal["stalemate", "fewer_degrees"],
        ruling("Both fail an opposed test", "DW-TEST-6", "nobody wins", "the smaller failure wins"),
    ] = "stalemate"
    combat_table: Annotated[
        Literal["literal", "corrected"],
        ruling("Five rows of the summary", "DW-SUMM-00", "as printed", "one row harder, as the core book"),
    ] = "literal"
    same_condition: Annotated[
        Literal["once", "adds"],
        ruling("A condition with a row and a section", "DW-SUMM-00", "counts once", "counts twice"),
    ] = "once"
    point_blank: Annotated[
        int, Meta(ge=1, le=10), ruling("Point blank, metres", "DW-RANGE-1", **{"2": "this edition", "3": "later books"})
    ] = 2

    # where hits land
    hit_location: Annotated[
        Literal["reversed", "fresh", "unpadded"],
        ruling(
            "Place of a hit",
            "DW-LOC-2",
            "the attack roll with its digits turned",
            "a d100 of its own",
            "without the leading zero: 7 stays 7, 19 % heads",
        ),
    ] = "reversed"
    cover_and_penetration: Annotated[
        Literal["sum", "armour_only"],
        ruling("Penetration lessens", "DW-COVER-1", "armour and cover", "armour; cover counts whole"),
    ] = "sum"
    cover_doubles: Annotated[
        bool, ruling("Doubled AP", "DW-COVER-1", "armour and cover are doubled", "only the armour is doubled")
    ] = True
    cover_degrades: Annotated[
        bool, ruling("Cover wears down", "DW-COVER-1", "1 AP for each hit above its AP", "never")
    ] = False
    ap_doublings: Annotated[
        Literal["add", "multiply"], ruling("AP doubled twice", "DW-QUAL-PRIMITIVE", "is tripled", "times four")
    ] = "add"

    # shooting
    jam_roll: Annotated[
        Literal["misses", "may_hit"],
        ruling("A jam at or below the target", "DW-JAM-1", "is a miss", "jams and still hits"),
    ] = "misses"
    jam_clear_empties_clip: Annotated[
        bool, ruling("Clearing a jam", "DW-JAM-2", "loses the clip", "keeps the clip")
    ] = True
    reliable_roll: Annotated[
        Literal["misses", "as_rolled"],
        ruling("A jam that a reliable gun shakes off", "DW-QUAL-RELIABLE", "is a miss", "hits if low enough"),
    ] = "misses"
    poor_and_reliable: Annotated[
        Literal["every_jam", "natural_only"],
        ruling(
            "Poor but reliable guns", "DW-CRAFT-POOR", "the check may undo every jam", "only those of the natural roll"
        ),
    ] = "every_jam"
    short_clip: Annotated[
        Literal["no_burst", "what_is_left"],
        ruling("Too few rounds for a burst", "DW-RWEP-00", "there is none", "a burst of the rounds left"),
    ] = "no_burst"
    storm: Annotated[
        Literal["every_mode", "bursts_only"],
        ruling("What storm weapons double", "DW-QUAL-STORM", "single shots too", "only bursts"),
    ] = "every_mode"
    twin_linked_hit: Annotated[
        Literal["beyond_cap", "within_cap"],
        ruling("Hit more of a twin-linked gun", "DW-QUAL-TWIN", "beyond the rate of fire", "within it"),
    ] = "beyond_cap"
    scatter_with_burst: Annotated[
        Literal["additive", "exclusive"],
        ruling("Point-blank scatter in a burst", "DW-QUAL-SCATTER", "both give hits", "the burst's hits only"),
    ] = "additive"
    scatter_distance: Annotated[
        Literal["1d5", "1d10"], ruling("A missed blast lands off by", "DW-SCAT-2", "1d5 metres", "1d10 metres")
    ] = "1d5"
    accurate_dice: Annotated[
        bool, ruling("Dice of accurate weapons", "DW-QUAL-ACCURATE", "up to two dice of damage more", "only +10 to hit")
    ] = True
    overheating_shot: Annotated[
        Literal["counts", "misses"],
        ruling("A shot that overheats", "DW-QUAL-OVERHEATS", "hits if low enough", "is a miss"),
    ] = "counts"
    untrained_flame: Annotated[
        Literal["sheet", "core"],
        ruling("Untrained fire is dodged at", "DW-UNTR-2", "+30", "+20; +30 if heavy and not braced"),
    ] = "sheet"
    overwatch: Annotated[
        Literal["ends_with_fire", "holds"],
        ruling("Overwatch", "DW-OVER-4", "ends when it fires", "lasts until time or an act ends it"),
    ] = "ends_with_fire"
    arc_of_45: Annotated[
        Literal["in_all", "each_side"],
        ruling("An arc of 45 degrees", "DW-OVER-1", "22½ to each side", "45 to each side"),
    ] = "in_all"
    suppressing_modifiers: Annotated[
        Literal["own_state", "all"],
        ruling("Modifiers of suppressing fire", "DW-SUPP-2", "the shooter's own state", "range and size as well"),
    ] = "own_state"

    # damage
    tearing: Annotated[
        Literal["extra_die_drop_lowest", "each_die_best_of_two"],
        ruling(
            "Several dice that are tearing",
            "DW-QUAL-TEARING",
            "one die more, the lowest is dropped",
            "each die is the better of two",
        ),
    ] = "extra_die_drop_lowest"
    dos_minimum_die: Annotated[
        bool, ruling("Degrees raise a low die", "DW-CORE-DOSMIN", "one die is at least the degrees", "they do not")
    ] = False
    righteous_fury: Annotated[
        Literal["eligible_only", "everyone", "nobody"],
        ruling("Righteous Fury", "DW-RF-3", "of the touched by fate", "of everybody", "of volatile weapons"),
    ] = "eligible_only"
    power_fist: Annotated[
        Literal["literal_double", "multiplier_plus_one"],
        ruling("Power fists", "DW-MWEP-00", "the bonus is doubled", "its multiplier is one more"),
    ] = "literal_double"
    felling: Annotated[
        Literal["one_step_each", "whole_trait"],
        ruling("A level of felling", "DW-QUAL-FELLING", "one step of the multiplier", "all of it"),
    ] = "one_step_each"
    critical_track: Annotated[
        Literal["overall", "by_location"],
        ruling("Critical damage adds up", "DW-DMG-2", "over the whole body", "place by place"),
    ] = "overall"
    repeating_table: Annotated[
        Literal["rending"], ruling("The table printed as Repeating", "DW-CRIT-1", "is Rending")
    ] = "rending"
    shocking_rounds: Annotated[
        Literal["half_up", "half_down"],
        ruling("Rounds of a shock", "DW-QUAL-SHOCKING", "half the damage, up", "half, down; at least 1"),
    ] = "half_up"
    fatigue_penalty: Annotated[
        Literal["flat", "per_level"], ruling("Fatigue", "DW-FAT-1", "-10 in all", "-10 for each level")
    ] = "flat"
    blood_loss_percent: Annotated[
        int, Meta(ge=0, le=100), ruling("Blood loss kills each round, per cent", "DW-BLOOD-1", **{"10": "the sheet"})
    ] = 10

    # melee and turns
    multi_dodge: Annotated[
        Literal["one_plus_dos", "one_hit"],
        ruling("A dodge undoes", "DW-EVA-2", "a hit and one for each degree", "one hit of a burst"),
    ] = "one_plus_dos"
    power_field: Annotated[
        Literal["own_parry", "any_clash"],
        ruling("A power field breaks", "DW-QUAL-POWER-FIELD", "a weapon it parries", "one that parries it too"),
    ] = "own_parry"
    two_weapons_off_hand: Annotated[
        Literal["once", "adds"],
        ruling("Off hand of two weapons", "DW-TWOW-2", "-20 as the other", "-20 more, as alone"),
    ] = "once"
    unarmed_fatigue: Annotated[
        Literal["net", "raw"],
        ruling("Fists tire by damage", "DW-UNARM-3", "that gets through", "before armour and toughness"),
    ] = "net"
    half_actions: Annotated[
        Literal["all_different", "one_attack"],
        ruling("Two Half Actions", "DW-ECON-2", "must differ", "must differ; one attack"),
    ] = "all_different"

    # hordes
    small_horde: Annotated[
        Literal["steps", "no_bonus"],
        ruling("Hordes below 30", "DW-HORDE-2", "+20 from 20, +10 from 10", "give no bonus"),
    ] = "steps"
    horde_explosive: Annotated[
        Literal["per_attack", "per_hit"],
        ruling("Hordes and explosions", "DW-HORDE-4", "a hit more an attack", "doubles every hit"),
    ] = "per_attack"
    horde_melee_minimum: Annotated[
        Literal[0, 1], ruling("Least hits of a melee success", "DW-HORDE-10", "as printed", "core book")
    ] = 0
    horde_blast: Annotated[
        Literal["times_hits", "once"],
        ruling("Hordes and blasts", "DW-HORDE-11", "every hit counts X", "one hit counts X (some tools)"),
    ] = "times_hits"
    horde_devastating: Annotated[
        Literal["extra_hits", "per_hit_magnitude"],
        ruling("Hordes and devastating hits", "DW-QUAL-DEVASTATING", "X hits more", "each hit that hurts takes X more"),
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
