"""Rulings: where the sheet is silent or can be read in two ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta

from battletape.inputs import Inputs


def _ruling(title: str, clause: str, **alternatives: str) -> Any:
    return Meta(title=title, extra={"group": "rulings", "clause": f"V5-{clause}", "alternatives": alternatives})


def _means(**alternatives: str) -> Any:
    return Meta(extra={"alternatives": alternatives})


class Rulings(Inputs, frozen=True, cache_hash=True):
    """The settings of a game; they hold for both sides until it ends."""

    # movement
    road_bonus: Annotated[
        Literal["ground_vehicles", "skimmers_too"],
        _ruling("Who is faster on roads", "MOVE-4", ground_vehicles="not skimmers", skimmers_too="skimmers as well"),
    ] = "ground_vehicles"
    road_band: Annotated[
        Literal["lowest", "by_inches"],
        _ruling("A fast vehicle's 12 to 18 inches on a road", "MOVE-6"),
        _means(lowest="cruising, the lowest speed that reaches so far", by_inches="flat out, as off the road"),
    ] = "lowest"
    stunned_may_pivot: Annotated[
        bool, _ruling("Stunned vehicles turning", "MOVE-1", yes="may turn on the spot", no="may not even turn")
    ] = True
    terrain_tests: Annotated[
        Literal["one_per_move", "one_per_area"],
        _ruling("Dangerous terrain tests", "TERR-2", one_per_move="one for a move", one_per_area="one for each area"),
    ] = "one_per_move"
    skimmer_dangerous_test: Annotated[
        bool, _ruling("Skimmers in dangerous terrain", "SKIM-3", yes="test", no="test in difficult and impassable only")
    ] = True
    crash_on: Annotated[
        Literal["every_immobilised", "row_only"],
        _ruling("What makes a flat-out skimmer crash", "SKIM-7"),
        _means(
            every_immobilised="every way to become immobilised",
            row_only="only the row of the damage table: no lost weapon that turned into it, no failed landing",
        ),
    ] = "every_immobilised"
    smoke_cover: Annotated[
        Literal["save", "bonus"],
        _ruling("Smoke", "SMOKE-3", save="a cover save of 4+", bonus="other cover is better by 4, to 2+ at best"),
    ] = "save"
    walker_smoke_time: Annotated[
        Literal["move_or_run", "move_only"],
        _ruling("Smoke of a walker that runs", "WALK-4", move_or_run="after move or run", move_only="after its move"),
    ] = "move_or_run"

    # shooting
    hull_arc_degrees: Annotated[
        int, Meta(ge=1, le=360), _ruling("Arc of a hull mount", "LOS-3", **{"45": "in all", "90": "45 to each side"})
    ] = 45
    walker_moved_barrage: Annotated[
        bool,
        _ruling("Walkers that moved", "ORD-4", yes="may fire ordnance as a barrage", no="may fire it directly only"),
    ] = True
    cover_step: Annotated[
        Literal["after_penetration", "after_hit"],
        _ruling("Cover saves", "SHOT-10", after_penetration="of glances and penetrations", after_hit="of every hit"),
    ] = "after_penetration"
    cover_majority: Annotated[
        Literal["more_than_half", "at_least_half"],
        _ruling("Majority of the firers", "SHOT-2", more_than_half="more than half", at_least_half="half will do"),
    ] = "more_than_half"
    facing_model: Annotated[
        Literal["quarters", "corner"],
        _ruling("Borders of the facings", "SHOT-4", quarters="at 45 degrees", corner="through the hull's corners"),
    ] = "quarters"
    barrage_off_hull: Annotated[
        Literal["facing_hole", "side"],
        _ruling("Barrage beside the hull", "SHOT-9", facing_hole="armour that faces the hole", side="side armour"),
    ] = "facing_hole"
    volley_order: Annotated[
        Literal["sequential", "batch"],
        _ruling("Results of one volley", "VOLLEY-2"),
        _means(
            sequential="one after the other; a wreck is not fired at",
            batch="all are rolled; an explosion overrides a wreck",
        ),
    ] = "sequential"
    squadrons: Annotated[
        Literal["not_covered"], _ruling("Squadrons", "FIRE-0", not_covered="the sheet has no rules for them")
    ] = "not_covered"

    # damage
    repeat_damage: Annotated[
        Literal["pass_over", "wasted"],
        _ruling("No weapon left, or immobilised twice", "CUMUL"),
        _means(pass_over="the one result becomes the other, at last wrecked", wasted="nothing more happens"),
    ] = "pass_over"
    repeated_shaken: Annotated[
        Literal["later_end", "adds_up"],
        _ruling("Shaken or stunned again", "CUMUL", later_end="the later end counts", adds_up="one more own turn each"),
    ] = "later_end"
    shaken_in_own_turn: Annotated[
        Literal["next_turn", "this_turn"],
        _ruling("Shaken or stunned in its own turn", "DMG-1"),
        _means(next_turn="to the end of its next own turn", this_turn="to the end of this turn"),
    ] = "next_turn"
    ap_none_modifier: Annotated[
        int, Meta(ge=-1, le=0), _ruling("Hits without any AP", "DMGMOD-2", **{"0": "no modifier", "-1": "as AP-"})
    ] = 0
    damage_range: Annotated[
        Literal["clamp", "nothing"],
        _ruling("Damage results below 1", "DMGMOD-5", clamp="read as 1", nothing="do nothing"),
    ] = "clamp"
    melee_weapon_can_be_destroyed: Annotated[
        bool, _ruling("Close combat weapons of walkers", "DMG-3", yes="can be destroyed", no="cannot be destroyed")
    ] = True

    # assault
    assault_facing: Annotated[
        Literal["rear", "contact"],
        _ruling("Armour in an assault", "ASLT-7", rear="always rear", contact="of the side the attackers touch"),
    ] = "rear"
    grenades_on_helpless_walker: Annotated[
        Literal["ws_table", "six"],
        _ruling("Grenades on a stunned or immobilised walker", "WALK-10"),
        _means(ws_table="by WS", six="hit on 6 as on any walker"),
    ] = "ws_table"
    walker_penalty: Annotated[
        Literal["one", "each"],
        _ruling("Walker both stunned and immobilised", "WALK-11", one="one attack less", each="two attacks less"),
    ] = "one"
    combat_morale: Annotated[
        Literal["plain", "minus_difference"],
        _ruling("Morale of the loser", "CORE-16"),
        _means(plain="against its Ld", minus_difference="the difference in wounds is taken from its Ld"),
    ] = "plain"

    # transports
    passenger_fire_max_band: Annotated[
        Literal["stationary", "combat", "cruising"] | None,
        _ruling("Passengers may fire up to", "TRAN-3"),
        _means(
            none="any speed",
            stationary="a vehicle that has not moved",
            combat="combat speed",
            cruising="cruising speed",
        ),
    ] = None
    smoke_stops_passengers: Annotated[
        bool,
        _ruling("Smoke and passengers", "SMOKE-2", yes="they may not fire either", no="only the vehicle may not fire"),
    ] = False
    flat_out_symmetric: Annotated[
        bool,
        _ruling("Boarding or leaving before a flat-out move", "FAST-5"),
        _means(yes="the vehicle may not go flat out afterwards", no="it may"),
    ] = False
    one_unit_per_transport: Annotated[
        bool, _ruling("Units in one transport", "TRAN-2", yes="one at a time", no="any number within its capacity")
    ] = True
    no_room_in_a_wreck: Annotated[
        Literal["models_lost", "unit_lost"],
        _ruling("No room to leave a wreck", "DMG-5", models_lost="models without room die", unit_lost="the unit dies"),
    ] = "models_lost"

    # tanks
    tank_shock_least: Annotated[
        Literal["above_zero", "six_inches"],
        _ruling("Shortest tank shock", "TANK-2", above_zero="any distance above 0", six_inches="6 inches"),
    ] = "above_zero"
    engaged_on_the_line: Annotated[
        Literal["stops_short", "not_allowed"],
        _ruling("Engaged enemies in the way", "TANK-1"),
        _means(
            stops_short="the tank stops an inch before them", not_allowed="there can be no tank shock along that line"
        ),
    ] = "stops_short"
    dog_weapon_destroyed_stops: Annotated[
        bool, _ruling("Death or glory: weapon destroyed", "DOG-3", yes="stops the tank", no="does not stop it")
    ] = True
    death_or_glory_hits: Annotated[
        Literal["one", "all_shots"],
        _ruling("Death or glory with several shots", "DOG-2", one="one hit", all_shots="a hit for every shot"),
    ] = "one"
    death_or_glory_melta: Annotated[
        Literal["half_range", "full_range"],
        _ruling("Death or glory with melta", "DOG-2", half_range="two dice, as up close", full_range="one die"),
    ] = "half_range"
    ram_strength_cap: Annotated[
        Annotated[int, Meta(ge=1, le=20)] | None,
        _ruling("Highest strength of a ram", "RAM-5", **{"10": "as of any characteristic", "none": "no limit"}),
    ] = 10
    rammer_facing: Annotated[
        Literal["front", "contact"],
        _ruling("Rammer's own armour", "RAM-4", front="always front", contact="of the side that touches"),
    ] = "front"
    ram_on_while_stunned: Annotated[
        bool, _ruling("Rammer stunned as its target explodes", "RAM-7", yes="goes on with its move", no="stops there")
    ] = False
    dodge_requires_mobile: Annotated[
        bool, _ruling("Stunned or immobilised skimmers", "SKIM-8", yes="cannot dodge a ram", no="can dodge a ram")
    ] = False


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
