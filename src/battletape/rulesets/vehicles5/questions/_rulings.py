"""Which rulings can change the answer to which question; all are accepted everywhere, and these are shown."""

from __future__ import annotations

DAMAGE = ("repeat_damage", "ap_none_modifier", "damage_range", "melee_weapon_can_be_destroyed", "crash_on")
ROADS = ("road_bonus", "road_band")
GLORY = ("dog_weapon_destroyed_stops", "death_or_glory_hits", "death_or_glory_melta")

SHOOT = ("volley_order", "cover_step", "smoke_cover", *DAMAGE)
KILL_TIME = SHOOT
ORDNANCE = ("facing_model", "barrage_off_hull", "cover_step", "smoke_cover", *DAMAGE)
ASSAULT = ("assault_facing", "grenades_on_helpless_walker", "volley_order", *DAMAGE)
EXPLOSION = ("no_room_in_a_wreck",)
DAMAGE_ROLLS = ("volley_order", *DAMAGE)
LINE_OF_FIRE = ("facing_model", "cover_majority", "hull_arc_degrees")
TRANSPORT = ("one_unit_per_transport", "flat_out_symmetric")
TANK_SHOCK = (*ROADS, "terrain_tests", "tank_shock_least", "engaged_on_the_line", *GLORY, *DAMAGE)
RAM = (
    *("ram_strength_cap", "rammer_facing", "ram_on_while_stunned", "dodge_requires_mobile", "stunned_may_pivot"),
    *TANK_SHOCK,
)
WALKER_FIGHT = ("combat_morale", "walker_penalty", "grenades_on_helpless_walker", "volley_order", *DAMAGE)
DANGEROUS_TERRAIN = (*ROADS, "terrain_tests", "skimmer_dangerous_test", "crash_on", "repeat_damage")
WHAT_MAY_IT_DO = (
    *ROADS,
    "stunned_may_pivot",
    "walker_smoke_time",
    "walker_moved_barrage",
    "passenger_fire_max_band",
    "smoke_stops_passengers",
    "flat_out_symmetric",
)
