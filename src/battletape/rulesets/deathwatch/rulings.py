"""Rulings: where the sheet is silent or can be read in two ways; each says its clause and what every value means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from battletape.cards import Inputs, ruling


class Rulings(Inputs, frozen=True, cache_hash=True):
    """The settings of a game; they hold for everybody until it ends."""

    # tests
    double_zero: Literal["hundred"] = ruling("A roll of 00", "DW-TEST-1", "reads as 100")
    degrees: Literal["complete_tens", "plus_one"] = ruling(
        "Degrees of success", "DW-TEST-3", "every complete ten", "one more, as later games"
    )
    modifier_cap: int = ruling(
        "Modifiers change a test by at most", "DW-TEST-4", default=60, ge=0, le=200, means={"60": "the core book"}
    )
    auto_results: Literal["none", "01_and_00"] = ruling(
        "Automatic results", "DW-TEST-5", "no roll is special", "01 succeeds, 00 fails"
    )
    opposed_ties: Literal["bonus_then_lower_roll", "nobody"] = ruling(
        "Equal degrees in an opposed test", "DW-TEST-6", "the higher bonus wins, then the lower roll", "nobody wins"
    )
    opposed_failures: Literal["stalemate", "fewer_degrees"] = ruling(
        "Both fail an opposed test", "DW-TEST-6", "nobody wins", "the smaller failure wins"
    )
    combat_table: Literal["literal", "corrected"] = ruling(
        "Five rows of the summary", "DW-SUMM-00", "as printed", "one row harder, as the core book"
    )
    same_condition: Literal["once", "adds"] = ruling(
        "A condition with a row and a section", "DW-SUMM-00", "counts once", "counts twice"
    )
    point_blank: int = ruling(
        "Point blank, metres", "DW-RANGE-1", default=2, ge=1, le=10, means={"2": "this edition", "3": "later books"}
    )

    # where hits land
    hit_location: Literal["reversed", "fresh", "unpadded"] = ruling(
        "Place of a hit",
        "DW-LOC-2",
        "the attack roll with its digits turned",
        "a d100 of its own",
        "without the leading zero: 7 stays 7, 19 % heads",
    )
    cover_and_penetration: Literal["sum", "armour_only"] = ruling(
        "Penetration lessens", "DW-COVER-1", "armour and cover", "armour; cover counts whole"
    )
    cover_doubles: bool = ruling(
        "Doubled AP", "DW-COVER-1", "armour and cover are doubled", "only the armour is doubled", default=True
    )
    cover_degrades: bool = ruling(
        "Cover wears down", "DW-COVER-1", "1 AP for each hit above its AP", "never", default=False
    )
    ap_doublings: Literal["add", "multiply"] = ruling(
        "AP doubled twice", "DW-QUAL-PRIMITIVE", "is tripled", "times four"
    )

    # shooting
    jam_roll: Literal["misses", "may_hit"] = ruling(
        "A jam at or below the target", "DW-JAM-1", "is a miss", "jams and still hits"
    )
    jam_clear_empties_clip: bool = ruling(
        "Clearing a jam", "DW-JAM-2", "loses the clip", "keeps the clip", default=True
    )
    reliable_roll: Literal["misses", "as_rolled"] = ruling(
        "A jam that a reliable gun shakes off", "DW-QUAL-RELIABLE", "is a miss", "hits if low enough"
    )
    poor_and_reliable: Literal["every_jam", "natural_only"] = ruling(
        "Poor but reliable guns", "DW-CRAFT-POOR", "the check may undo every jam", "only those of the natural roll"
    )
    short_clip: Literal["no_burst", "what_is_left"] = ruling(
        "Too few rounds for a burst", "DW-RWEP-00", "there is none", "a burst of the rounds left"
    )
    storm: Literal["every_mode", "bursts_only"] = ruling(
        "What storm weapons double", "DW-QUAL-STORM", "single shots too", "only bursts"
    )
    twin_linked_hit: Literal["beyond_cap", "within_cap"] = ruling(
        "Hit more of a twin-linked gun", "DW-QUAL-TWIN", "beyond the rate of fire", "within it"
    )
    scatter_with_burst: Literal["additive", "exclusive"] = ruling(
        "Point-blank scatter in a burst", "DW-QUAL-SCATTER", "both give hits", "the burst's hits only"
    )
    scatter_distance: Literal["1d5", "1d10"] = ruling(
        "A missed blast lands off by", "DW-SCAT-2", "1d5 metres", "1d10 metres"
    )
    accurate_dice: bool = ruling(
        "Dice of accurate weapons", "DW-QUAL-ACCURATE", "up to two dice of damage more", "only +10 to hit", default=True
    )
    overheating_shot: Literal["counts", "misses"] = ruling(
        "A shot that overheats", "DW-QUAL-OVERHEATS", "hits if low enough", "is a miss"
    )
    untrained_flame: Literal["sheet", "core"] = ruling(
        "Untrained fire is dodged at", "DW-UNTR-2", "+30", "+20; +30 if heavy and not braced"
    )
    overwatch: Literal["ends_with_fire", "holds"] = ruling(
        "Overwatch", "DW-OVER-4", "ends when it fires", "lasts until time or an act ends it"
    )
    arc_of_45: Literal["in_all", "each_side"] = ruling(
        "An arc of 45 degrees", "DW-OVER-1", "22½ to each side", "45 to each side"
    )
    suppressing_modifiers: Literal["own_state", "all"] = ruling(
        "Modifiers of suppressing fire", "DW-SUPP-2", "the shooter's own state", "range and size as well"
    )

    # damage
    tearing: Literal["extra_die_drop_lowest", "each_die_best_of_two"] = ruling(
        "Several dice that are tearing",
        "DW-QUAL-TEARING",
        "one die more, the lowest is dropped",
        "each die is the better of two",
    )
    dos_minimum_die: bool = ruling(
        "Degrees raise a low die", "DW-CORE-DOSMIN", "one die is at least the degrees", "they do not", default=False
    )
    righteous_fury: Literal["eligible_only", "everyone", "nobody"] = ruling(
        "Righteous Fury", "DW-RF-3", "of the touched by fate", "of everybody", "of volatile weapons"
    )
    power_fist: Literal["literal_double", "multiplier_plus_one"] = ruling(
        "Power fists", "DW-MWEP-00", "the bonus is doubled", "its multiplier is one more"
    )
    felling: Literal["one_step_each", "whole_trait"] = ruling(
        "A level of felling", "DW-QUAL-FELLING", "one step of the multiplier", "all of it"
    )
    critical_track: Literal["overall", "by_location"] = ruling(
        "Critical damage adds up", "DW-DMG-2", "over the whole body", "place by place"
    )
    repeating_table: Literal["rending"] = ruling("The table printed as Repeating", "DW-CRIT-1", "is Rending")
    shocking_rounds: Literal["half_up", "half_down"] = ruling(
        "Rounds of a shock", "DW-QUAL-SHOCKING", "half the damage, up", "half, down; at least 1"
    )
    fatigue_penalty: Literal["flat", "per_level"] = ruling("Fatigue", "DW-FAT-1", "-10 in all", "-10 for each level")
    blood_loss_percent: int = ruling(
        "Blood loss kills each round, per cent", "DW-BLOOD-1", default=10, ge=0, le=100, means={"10": "the sheet"}
    )

    # melee and turns
    multi_dodge: Literal["one_plus_dos", "one_hit"] = ruling(
        "A dodge undoes", "DW-EVA-2", "a hit and one for each degree", "one hit of a burst"
    )
    power_field: Literal["own_parry", "any_clash"] = ruling(
        "A power field breaks", "DW-QUAL-POWER-FIELD", "a weapon it parries", "one that parries it too"
    )
    two_weapons_off_hand: Literal["once", "adds"] = ruling(
        "Off hand of two weapons", "DW-TWOW-2", "-20 as the other", "-20 more, as alone"
    )
    unarmed_fatigue: Literal["net", "raw"] = ruling(
        "Fists tire by damage", "DW-UNARM-3", "that gets through", "before armour and toughness"
    )
    half_actions: Literal["all_different", "one_attack"] = ruling(
        "Two Half Actions", "DW-ECON-2", "must differ", "must differ; one attack"
    )

    # hordes
    small_horde: Literal["steps", "no_bonus"] = ruling(
        "Hordes below 30", "DW-HORDE-2", "+20 from 20, +10 from 10", "give no bonus"
    )
    horde_explosive: Literal["per_attack", "per_hit"] = ruling(
        "Hordes and explosions", "DW-HORDE-4", "a hit more an attack", "doubles every hit"
    )
    horde_melee_minimum: Literal[0, 1] = ruling(
        "Least hits of a melee success", "DW-HORDE-10", "as printed", "core book"
    )
    horde_blast: Literal["times_hits", "once"] = ruling(
        "Hordes and blasts", "DW-HORDE-11", "every hit counts X", "one hit counts X (some tools)"
    )
    horde_devastating: Literal["extra_hits", "per_hit_magnitude"] = ruling(
        "Hordes and devastating hits", "DW-QUAL-DEVASTATING", "X hits more", "each hit that hurts takes X more"
    )


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
