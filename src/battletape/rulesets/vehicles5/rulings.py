"""Rulings: where the sheet is silent or can be read in two ways; `rulings.toml` tells what each decides and means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from battletape.cards import Inputs, read_rulings
from battletape.rulebook import Meta


class Rulings(Inputs, frozen=True, cache_hash=True, said=read_rulings(__package__)):
    """The settings of a game; they hold for both sides until it ends."""

    # movement
    road_bonus: Literal["ground_vehicles", "skimmers_too"] = "ground_vehicles"
    road_band: Literal["lowest", "by_inches"] = "lowest"
    stunned_may_pivot: bool = True
    terrain_tests: Literal["one_per_move", "one_per_area"] = "one_per_move"
    skimmer_dangerous_test: bool = True
    crash_on: Literal["every_immobilised", "row_only"] = "every_immobilised"
    smoke_cover: Literal["save", "bonus"] = "save"
    walker_smoke_time: Literal["move_or_run", "move_only"] = "move_or_run"

    # shooting
    hull_arc_degrees: Annotated[int, Meta(ge=1, le=360)] = 45
    walker_moved_barrage: bool = True
    cover_step: Literal["after_penetration", "after_hit"] = "after_penetration"
    cover_majority: Literal["more_than_half", "at_least_half"] = "more_than_half"
    facing_model: Literal["quarters", "corner"] = "quarters"
    barrage_off_hull: Literal["facing_hole", "side"] = "facing_hole"
    volley_order: Literal["sequential", "batch"] = "sequential"
    squadrons: Literal["not_covered"] = "not_covered"
    rapid_fire_moved: Literal["close", "full"] = "close"
    shooting_morale: Literal["none", "quarter"] = "none"

    # damage
    repeat_damage: Literal["pass_over", "wasted"] = "pass_over"
    repeated_shaken: Literal["later_end", "adds_up"] = "later_end"
    shaken_in_own_turn: Literal["next_turn", "this_turn"] = "next_turn"
    ap_none_modifier: Annotated[int, Meta(ge=-1, le=0)] = 0
    damage_range: Literal["clamp", "nothing"] = "clamp"
    melee_weapon_can_be_destroyed: bool = True

    # assault
    assault_facing: Literal["rear", "contact"] = "rear"
    grenades_on_helpless_walker: Literal["ws_table", "six"] = "ws_table"
    walker_penalty: Literal["one", "each"] = "one"
    combat_morale: Literal["plain", "minus_difference"] = "plain"

    # transports
    passenger_fire_max_band: Literal["stationary", "combat", "cruising"] | None = None
    smoke_stops_passengers: bool = False
    flat_out_symmetric: bool = False
    one_unit_per_transport: bool = True
    no_room_in_a_wreck: Literal["models_lost", "unit_lost"] = "models_lost"

    # tanks
    tank_shock_least: Literal["above_zero", "six_inches"] = "above_zero"
    engaged_on_the_line: Literal["stops_short", "not_allowed"] = "stops_short"
    dog_weapon_destroyed_stops: bool = True
    death_or_glory_hits: Literal["one", "all_shots"] = "one"
    death_or_glory_melta: Literal["half_range", "full_range"] = "half_range"
    ram_strength_cap: Annotated[int, Meta(ge=1, le=20)] | None = 10
    rammer_facing: Literal["front", "contact"] = "front"
    ram_on_while_stunned: bool = False
    dodge_requires_mobile: bool = False


DEFAULT = Rulings()
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "sheet": {},
    "core5": {
        "facing_model": "corner",
        "passenger_fire_max_band": "combat",
        "flat_out_symmetric": True,
        "dog_weapon_destroyed_stops": False,
        "dodge_requires_mobile": True,
        "combat_morale": "minus_difference",
        "shooting_morale": "quarter",
    },
}
"""`sheet` follows the reference sheet to the letter; `core5` reads it as the full rule book is remembered."""
EARLIER: Mapping[str, Any] = {"rapid_fire_moved": "full"}
"""How battles were played before there were these rulings."""
