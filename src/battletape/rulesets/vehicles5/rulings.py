"""Rulings: where the sheet is silent or can be read in two ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from battletape.cards import Inputs, ruling
from battletape.rulebook import Meta


class Rulings(Inputs, frozen=True, cache_hash=True):
    """The settings of a game; they hold for both sides until it ends."""

    # movement
    road_bonus: Literal["ground_vehicles", "skimmers_too"] = ruling(
        "Who is faster on roads", "V5-MOVE-4", "not skimmers", "skimmers as well"
    )
    road_band: Literal["lowest", "by_inches"] = ruling(
        "A fast vehicle's 12 to 18 inches on a road",
        "V5-MOVE-6",
        "cruising, the lowest speed that reaches so far",
        "flat out, as off the road",
    )
    stunned_may_pivot: bool = ruling(
        "Stunned vehicles turning", "V5-MOVE-1", "may turn on the spot", "may not even turn", default=True
    )
    terrain_tests: Literal["one_per_move", "one_per_area"] = ruling(
        "Dangerous terrain tests", "V5-TERR-2", "one for a move", "one for each area"
    )
    skimmer_dangerous_test: bool = ruling(
        "Skimmers in dangerous terrain", "V5-SKIM-3", "test", "test in difficult and impassable only", default=True
    )
    crash_on: Literal["every_immobilised", "row_only"] = ruling(
        "What makes a flat-out skimmer crash",
        "V5-SKIM-7",
        "every way to become immobilised",
        "only the row of the damage table: no lost weapon that turned into it, no failed landing",
    )
    smoke_cover: Literal["save", "bonus"] = ruling(
        "Smoke", "V5-SMOKE-3", "a cover save of 4+", "other cover is better by 4, to 2+ at best"
    )
    walker_smoke_time: Literal["move_or_run", "move_only"] = ruling(
        "Smoke of a walker that runs", "V5-WALK-4", "after move or run", "after its move"
    )

    # shooting
    hull_arc_degrees: int = ruling(
        "Arc of a hull mount", "V5-LOS-3", default=45, ge=1, le=360, means={"45": "in all", "90": "45 to each side"}
    )
    walker_moved_barrage: bool = ruling(
        "Walkers that moved", "V5-ORD-4", "may fire ordnance as a barrage", "may fire it directly only", default=True
    )
    cover_step: Literal["after_penetration", "after_hit"] = ruling(
        "Cover saves", "V5-SHOT-10", "of glances and penetrations", "of every hit"
    )
    cover_majority: Literal["more_than_half", "at_least_half"] = ruling(
        "Majority of the firers", "V5-SHOT-2", "more than half", "half will do"
    )
    facing_model: Literal["quarters", "corner"] = ruling(
        "Borders of the facings", "V5-SHOT-4", "at 45 degrees", "through the hull's corners"
    )
    barrage_off_hull: Literal["facing_hole", "side"] = ruling(
        "Barrage beside the hull", "V5-SHOT-9", "armour that faces the hole", "side armour"
    )
    volley_order: Literal["sequential", "batch"] = ruling(
        "Results of one volley",
        "V5-VOLLEY-2",
        "one after the other; a wreck is not fired at",
        "all are rolled; an explosion overrides a wreck",
    )
    squadrons: Literal["not_covered"] = ruling("Squadrons", "V5-FIRE-0", "the sheet has no rules for them")

    # damage
    repeat_damage: Literal["pass_over", "wasted"] = ruling(
        "No weapon left, or immobilised twice",
        "V5-CUMUL",
        "the one result becomes the other, at last wrecked",
        "nothing more happens",
    )
    repeated_shaken: Literal["later_end", "adds_up"] = ruling(
        "Shaken or stunned again", "V5-CUMUL", "the later end counts", "one more own turn each"
    )
    shaken_in_own_turn: Literal["next_turn", "this_turn"] = ruling(
        "Shaken or stunned in its own turn", "V5-DMG-1", "to the end of its next own turn", "to the end of this turn"
    )
    ap_none_modifier: int = ruling(
        "Hits without any AP", "V5-DMGMOD-2", default=0, ge=-1, le=0, means={"0": "no modifier", "-1": "as AP-"}
    )
    damage_range: Literal["clamp", "nothing"] = ruling(
        "Damage results below 1", "V5-DMGMOD-5", "read as 1", "do nothing"
    )
    melee_weapon_can_be_destroyed: bool = ruling(
        "Close combat weapons of walkers", "V5-DMG-3", "can be destroyed", "cannot be destroyed", default=True
    )

    # assault
    assault_facing: Literal["rear", "contact"] = ruling(
        "Armour in an assault", "V5-ASLT-7", "always rear", "of the side the attackers touch"
    )
    grenades_on_helpless_walker: Literal["ws_table", "six"] = ruling(
        "Grenades on a stunned or immobilised walker", "V5-WALK-10", "by WS", "hit on 6 as on any walker"
    )
    walker_penalty: Literal["one", "each"] = ruling(
        "Walker both stunned and immobilised", "V5-WALK-11", "one attack less", "two attacks less"
    )
    combat_morale: Literal["plain", "minus_difference"] = ruling(
        "Morale of the loser", "V5-CORE-16", "against its Ld", "the difference in wounds is taken from its Ld"
    )

    # transports
    passenger_fire_max_band: Literal["stationary", "combat", "cruising"] | None = ruling(
        "Passengers may fire up to",
        "V5-TRAN-3",
        default=None,
        means={
            **{"none": "any speed", "stationary": "a vehicle that has not moved"},
            **{"combat": "combat speed", "cruising": "cruising speed"},
        },
    )
    smoke_stops_passengers: bool = ruling(
        "Smoke and passengers", "V5-SMOKE-2", "they may not fire either", "only the vehicle may not fire", default=False
    )
    flat_out_symmetric: bool = ruling(
        "Boarding or leaving before a flat-out move",
        "V5-FAST-5",
        "the vehicle may not go flat out afterwards",
        "it may",
        default=False,
    )
    one_unit_per_transport: bool = ruling(
        "Units in one transport", "V5-TRAN-2", "one at a time", "any number within its capacity", default=True
    )
    no_room_in_a_wreck: Literal["models_lost", "unit_lost"] = ruling(
        "No room to leave a wreck", "V5-DMG-5", "models without room die", "the unit dies"
    )

    # tanks
    tank_shock_least: Literal["above_zero", "six_inches"] = ruling(
        "Shortest tank shock", "V5-TANK-2", "any distance above 0", "6 inches"
    )
    engaged_on_the_line: Literal["stops_short", "not_allowed"] = ruling(
        "Engaged enemies in the way",
        "V5-TANK-1",
        "the tank stops an inch before them",
        "there can be no tank shock along that line",
    )
    dog_weapon_destroyed_stops: bool = ruling(
        "Death or glory: weapon destroyed", "V5-DOG-3", "stops the tank", "does not stop it", default=True
    )
    death_or_glory_hits: Literal["one", "all_shots"] = ruling(
        "Death or glory with several shots", "V5-DOG-2", "one hit", "a hit for every shot"
    )
    death_or_glory_melta: Literal["half_range", "full_range"] = ruling(
        "Death or glory with melta", "V5-DOG-2", "two dice, as up close", "one die"
    )
    ram_strength_cap: Annotated[int, Meta(ge=1, le=20)] | None = ruling(
        "Highest strength of a ram",
        "V5-RAM-5",
        default=10,
        means={"10": "as of any characteristic", "none": "no limit"},
    )
    rammer_facing: Literal["front", "contact"] = ruling(
        "Rammer's own armour", "V5-RAM-4", "always front", "of the side that touches"
    )
    ram_on_while_stunned: bool = ruling(
        "Rammer stunned as its target explodes", "V5-RAM-7", "goes on with its move", "stops there", default=False
    )
    dodge_requires_mobile: bool = ruling(
        "Stunned or immobilised skimmers", "V5-SKIM-8", "cannot dodge a ram", "can dodge a ram", default=False
    )


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
    },
}
"""`sheet` follows the reference sheet to the letter; `core5` reads it as the full rule book is remembered."""
