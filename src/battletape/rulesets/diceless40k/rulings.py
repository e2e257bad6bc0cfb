"""Rulings: what the players agree on before the game, and where the document is silent or says two things.

`rulings.toml` tells what each decides, and what its values mean.
"""

from __future__ import annotations

from typing import Annotated, Literal

from battletape.cards import Inputs, read_rulings
from battletape.rulebook import Meta


class Rulings(Inputs, frozen=True, cache_hash=True, said=read_rulings(__package__)):
    """The settings of a game; they hold for both sides until it ends."""

    # shooting, saves and casualties
    save_shifts: Literal["cancel", "worse"] = "cancel"
    feel_no_pain_order: Literal["after_save", "before_save"] = "after_save"
    vulnerable: Literal["after_save", "before_save"] = "after_save"
    packets: Literal["at_once", "in_turn"] = "at_once"
    leftover: Literal["defender", "lost"] = "defender"
    overkill: Literal["lost", "spills"] = "lost"
    instant_death: Literal["by_model", "per_shot"] = "by_model"
    reroll_bonus: Literal["once", "each"] = "once"
    heavy_range_bonus: Literal["on", "off"] = "on"
    range_step: Literal["inclusive", "strict"] = "inclusive"
    cannot_wound: Literal["never", "base_table"] = "never"
    sniper_rends: Literal["yes", "no"] = "yes"
    hot_on_vehicles: Literal["no", "yes"] = "no"
    bracketed_hp: Literal["higher", "lower"] = "higher"

    # tokens, blasts, deep strike
    scatter_pull: Literal["to_aim", "plain_bs"] = "to_aim"
    night_token: Literal["limit", "free"] = "limit"
    zone_of: Literal["aimed", "landed"] = "aimed"
    tigurius: Literal[2, 4] = 2
    warp_tokens: Literal["per_psyker", "per_unit"] = "per_psyker"

    # movement and terrain
    terrain_cost: Literal["double", "rest_of_move"] = "double"
    dangerous_per: Literal["move", "crossing"] = "move"
    skimmer_terrain: Literal["ends", "never"] = "ends"
    wrecks: Literal["ground", "none"] = "ground"
    vehicles_hide: Literal["no", "yes"] = "no"

    # leadership, morale, psykers
    character_compares: Literal["unit", "own"] = "unit"
    lost_assault: Literal["test_and_difference", "difference"] = "test_and_difference"
    regroup: Literal["no_25", "plus_25"] = "no_25"
    cancelled_test: Literal["no_op", "op"] = "no_op"
    characteristic_pass: Annotated[int, Meta(ge=1, le=11)] = 4
    gate_damage: Literal["unit", "model"] = "unit"

    # close combat
    claw_and_poison: Literal["once", "each"] = "once"
    preferred_enemy: Literal["own", "both"] = "own"
    hemmed_in: Literal["destroyed", "stays"] = "destroyed"
    sweep_tie: Literal["caught", "escapes"] = "caught"
    combat_wounds: Literal["sum", "each", "majority"] = "sum"
    moonfang: Literal["after_save", "before_save"] = "after_save"

    # vehicles and artillery
    rows: Literal["text", "sheet"] = "text"
    artillery_guns: Literal["vehicle_dmg", "one_dmg"] = "vehicle_dmg"
    area_on_vehicles: Literal["multiplier", "bs"] = "multiplier"
    ordnance_pen: Literal["none", "minus_one"] = "none"
    apply_all_hits: Literal["yes", "stop_at_wreck"] = "yes"
    beyond_f: Literal["lost", "again"] = "lost"
    chain_ticks: Literal["both", "due"] = "both"
    immobilised_again: Literal["weapon", "nothing"] = "weapon"
    weapons_again: Literal["own_row", "either_row"] = "own_row"
    plus_one_short: Literal["last", "none"] = "last"
    vehicle_assault_ap: Literal["off", "on"] = "off"
    rammer_skimmer: Literal["literal", "both_ten"] = "literal"
    bystanders: Literal["four_inches", "none"] = "four_inches"
    angle_red: Annotated[int, Meta(ge=0, le=90)] = 30
    angle_orange: Annotated[int, Meta(ge=0, le=90)] = 60
    repair_order: Literal["last_in", "first_in"] = "last_in"
    mines_on_vehicles: Annotated[int, Meta(ge=0, le=200)] = 23
    tremor_vehicle: Literal["whole_move", "terrain_only"] = "whole_move"
    mindlock: Literal["first_free", "none_free"] = "first_free"

    # the game
    reserve_delay: Literal["on_top", "within"] = "on_top"
    turns: Annotated[int, Meta(ge=1, le=20)] = 6
    missions: Literal["scored", "noted"] = "scored"


DEFAULT = Rulings()
EARLIER = {"wrecks": "none", "missions": "noted"}
"""How battles were played before there were these rulings."""
PRESETS: dict[str, dict[str, str]] = {"text": {}, "sheet": {"rows": "sheet"}}
"""The rows of boxes as the worked example of the document needs them, or as its sheet prints them."""
