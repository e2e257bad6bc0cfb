"""Rulings: where the sheet is silent or can be read in two ways; `rulings.toml` tells what each decides and means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from battletape.cards import Inputs, read_rulings
from battletape.rulebook import Meta


class Rulings(Inputs, frozen=True, cache_hash=True, said=read_rulings(__package__)):
    """The settings of a game; they hold for all players until it ends."""

    # tests
    double_zero: Literal["hundred"] = "hundred"
    degrees: Literal["complete_tens", "plus_one"] = "complete_tens"
    modifier_cap: Annotated[int, Meta(ge=0, le=200)] = 60
    auto_results: Literal["none", "01_and_00"] = "none"
    opposed_ties: Literal["bonus_then_lower_roll", "nobody"] = "bonus_then_lower_roll"
    opposed_failures: Literal["stalemate", "fewer_degrees"] = "stalemate"
    combat_table: Literal["literal", "corrected"] = "literal"
    same_condition: Literal["once", "adds"] = "once"
    point_blank: Annotated[int, Meta(ge=1, le=10)] = 2

    # where hits land
    hit_location: Literal["reversed", "fresh", "unpadded"] = "reversed"
    cover_and_penetration: Literal["sum", "armour_only"] = "sum"
    cover_doubles: bool = True
    cover_degrades: bool = False
    ap_doublings: Literal["add", "multiply"] = "add"

    # shooting
    jam_roll: Literal["misses", "may_hit"] = "misses"
    jam_clear_empties_clip: bool = True
    reliable_roll: Literal["misses", "as_rolled"] = "misses"
    poor_and_reliable: Literal["every_jam", "natural_only"] = "every_jam"
    short_clip: Literal["no_burst", "what_is_left"] = "no_burst"
    storm: Literal["every_mode", "bursts_only"] = "every_mode"
    twin_linked_hit: Literal["beyond_cap", "within_cap"] = "beyond_cap"
    scatter_with_burst: Literal["additive", "exclusive"] = "additive"
    scatter_distance: Literal["1d5", "1d10"] = "1d5"
    accurate_dice: bool = True
    overheating_shot: Literal["counts", "misses"] = "counts"
    untrained_flame: Literal["sheet", "core"] = "sheet"
    overwatch: Literal["ends_with_fire", "holds"] = "ends_with_fire"
    arc_of_45: Literal["in_all", "each_side"] = "in_all"
    suppressing_modifiers: Literal["own_state", "all"] = "own_state"

    # damage
    tearing: Literal["extra_die_drop_lowest", "each_die_best_of_two"] = "extra_die_drop_lowest"
    dos_minimum_die: bool = False
    righteous_fury: Literal["eligible_only", "everyone", "nobody"] = "eligible_only"
    power_fist: Literal["literal_double", "multiplier_plus_one"] = "literal_double"
    felling: Literal["one_step_each", "whole_trait"] = "one_step_each"
    critical_track: Literal["overall", "by_location"] = "overall"
    repeating_table: Literal["rending"] = "rending"
    shocking_rounds: Literal["half_up", "half_down"] = "half_up"
    fatigue_penalty: Literal["flat", "per_level"] = "flat"
    blood_loss_percent: Annotated[int, Meta(ge=0, le=100)] = 10

    # melee and turns
    multi_dodge: Literal["one_plus_dos", "one_hit"] = "one_plus_dos"
    power_field: Literal["own_parry", "any_clash"] = "own_parry"
    two_weapons_off_hand: Literal["once", "adds"] = "once"
    unarmed_fatigue: Literal["net", "raw"] = "net"
    half_actions: Literal["all_different", "one_attack"] = "all_different"

    # hordes
    small_horde: Literal["steps", "no_bonus"] = "steps"
    horde_explosive: Literal["per_attack", "per_hit"] = "per_attack"
    horde_melee_minimum: Literal[0, 1] = 0
    horde_blast: Literal["times_hits", "once"] = "times_hits"
    horde_devastating: Literal["extra_hits", "per_hit_magnitude"] = "extra_hits"


DEFAULT = Rulings()
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "usual": {},
    "sheet": {
        "accurate_dice": False,
        "jam_clear_empties_clip": False,
        "multi_dodge": "one_hit",
        "righteous_fury": "nobody",
    },
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
"""`usual` completes what the sheet abbreviates, `sheet` follows it to the letter, `core` reads it as the core book."""
