"""Rulings: what the players agree on before the game, and where the document is silent or says two things."""

from __future__ import annotations

from typing import Literal

from battletape.cards import Inputs, ruling


class Rulings(Inputs, frozen=True, cache_hash=True):
    """The settings of a game; they hold for both sides until it ends."""

    # shooting, saves and casualties
    save_shifts: Literal["cancel", "worse"] = ruling(
        "A save with a better and a worse re-roll at once",
        "DL-20.6",
        "they cancel each other",
        "only the worse one counts",
    )
    feel_no_pain_order: Literal["after_save", "before_save"] = ruling(
        "When feel no pain halves", "DL-75.1", "the HP that the save let through", "the DMG before the save"
    )
    vulnerable: Literal["after_save", "before_save"] = ruling(
        "When blasts and templates hurt doubly",
        "DL-76.3",
        "the HP that the save let through are doubled",
        "the DMG is doubled before the save",
    )
    packets: Literal["at_once", "in_turn"] = ruling(
        "Several packets of one volley, or of one initiative step",
        "DL-19.2",
        "all are spread over those who stood before; in each group the strongest weapon comes first",
        "each is spread over those whom the ones before have left, in the order in which they are fired",
    )
    leftover: Literal["defender", "lost"] = ruling(
        "Points of a packet that cannot be spread evenly",
        "DL-25.2",
        "the defender puts them on different models",
        "nobody takes them",
    )
    overkill: Literal["lost", "spills"] = ruling(
        "HP beyond what a group has", "DL-24.2", "are lost", "go on to the next group of the unit"
    )
    instant_death: Literal["by_model", "per_shot"] = ruling(
        "What the 10 HP of instant death are counted on",
        "DL-26.1",
        "what a model loses to the whole packet",
        "what each shot of the packet takes",
    )
    reroll_bonus: Literal["once", "each"] = ruling(
        "Several re-rolls to hit or to wound, twin-linked among them", "DL-19.3", "+1 in all", "+1 for each"
    )
    heavy_range_bonus: Literal["on", "off"] = ruling(
        "Heavy weapons are better at short range", "DL-29.1", "as recommended", "the option is not used"
    )
    range_step: Literal["inclusive", "strict"] = ruling(
        "A target exactly 12 inches under the range", "DL-29.1", "earns the bonus", "does not earn it yet"
    )
    cannot_wound: Literal["never", "base_table"] = ruling(
        "A Strength far below the Toughness",
        "DL-19.1",
        "deals its damage like any other",
        "does nothing if it is lower by 4 or more",
    )
    sniper_rends: Literal["yes", "no"] = ruling(
        "Sniper weapons and rending", "DL-31.10", "rend, as in the base game", "only read the victim's Toughness"
    )
    hot_on_vehicles: Literal["no", "yes"] = ruling(
        "Gets hot! tokens on the weapons of vehicles",
        "DL-31.1",
        "are given but cannot be played",
        "may be played: the vehicle takes a glancing hit",
    )
    bracketed_hp: Literal["higher", "lower"] = ruling(
        "Hit points of a model with a bracketed Toughness",
        "DL-6.1",
        "by the value in brackets",
        "by the value before the brackets",
    )
    # tokens, blasts, deep strike
    scatter_pull: Literal["to_aim", "plain_bs"] = ruling(
        "How far the firer pulls a blast back to its aim point",
        "DL-30.7",
        "by the BS with every bonus",
        "by the BS of the profile",
    )
    night_token: Literal["limit", "free"] = ruling(
        "The further scatter token of night fighting",
        "DL-95.9",
        "raises the limit to 7 and comes from the pool",
        "is free for each blast and comes from no pool",
    )
    zone_of: Literal["aimed", "landed"] = ruling(
        "Whose zone a deep strike counts in",
        "DL-95.5",
        "that of the point aimed at",
        "that of the point where it lands",
    )
    tigurius: Literal[2, 4] = ruling(
        "Scatter tokens for knowing every power", "DL-SM-86.1", "2 in all", "2 for the blast and 2 for the gate"
    )
    warp_tokens: Literal["per_psyker", "per_unit"] = ruling(
        "Warp tokens", "DL-50.4", "one for each model that is a psyker", "one for each unit with psykers"
    )
    # movement and terrain
    terrain_cost: Literal["double", "rest_of_move"] = ruling(
        "Difficult terrain",
        "DL-14.1",
        "2 inches of the allowance for each inch in it",
        "from the first inch in it the rest of the move is halved",
    )
    dangerous_per: Literal["move", "crossing"] = ruling(
        "Dangerous terrain hurts a model", "DL-14.2", "once in a move", "each time it enters or leaves"
    )
    skimmer_terrain: Literal["ends", "never"] = ruling(
        "Skimmers in dangerous terrain",
        "DL-57.1",
        "suffer where they start or end in it, an inch for each",
        "never suffer",
    )
    # leadership, morale, psykers
    character_compares: Literal["unit", "own"] = ruling(
        "Whose order points a character's test for a unit compares", "DL-8.3", "the unit's", "its own"
    )
    lost_assault: Literal["test_and_difference", "difference"] = ruling(
        "Order points of a lost assault", "DL-44.1", "25 for the test and the difference", "the difference alone"
    )
    regroup: Literal["no_25", "plus_25"] = ruling(
        "The 25 order points of a test when regrouping", "DL-46.1", "are not added", "are added after the subtraction"
    )
    cancelled_test: Literal["no_op", "op"] = ruling(
        "A psychic test that a warp token cancels",
        "DL-50.5",
        "adds no order points",
        "adds its order points all the same",
    )
    characteristic_pass: int = ruling(
        "Tests on other characteristics pass from",
        "DL-75.2",
        default=4,
        ge=1,
        le=11,
        means={"4": "from 4 on they pass"},
    )
    gate_damage: Literal["unit", "model"] = ruling(
        "The 10 DMG of a unit taken through the gate", "DL-SM-57.4", "once for the unit", "for each of its models"
    )
    # close combat
    claw_and_poison: Literal["once", "each"] = ruling(
        "Several bonuses to the close combat factor", "DL-42.3", "+1 in all", "+1 for each"
    )
    preferred_enemy: Literal["own", "both"] = ruling(
        "Preferred enemy raises WS", "DL-75.5", "for the unit's own attacks", "also when the enemy strikes back"
    )
    hemmed_in: Literal["destroyed", "stays"] = ruling(
        "A unit that cannot fall back in any direction",
        "DL-45.1",
        "it is destroyed, as in the base game",
        "it stays where it is, and still falls back",
    )
    sweep_tie: Literal["caught", "escapes"] = ruling(
        "Equal totals in a sweeping advance", "DL-40.1", "the unit is caught", "it breaks off"
    )
    combat_wounds: Literal["sum", "each", "majority"] = ruling(
        "HP that extra wounds in a combat result stand for",
        "DL-44.3",
        "10 times the enemy's average Toughness each, and the sum is rounded",
        "the same, and each is rounded",
        "10 times the Toughness of most of the enemy's models",
    )
    moonfang: Literal["after_save", "before_save"] = ruling(
        "The 10 points of Moonfang", "DL-SM-94.1", "of the AP2 part after the save", "of the AP2 part before the save"
    )
    # vehicles and artillery
    rows: Literal["text", "sheet"] = ruling(
        "Boxes of the damage rows",
        "DL-60.16",
        "as the rules text and its example need them",
        "as the printed vehicle sheet names them",
    )
    artillery_guns: Literal["vehicle_dmg", "one_dmg"] = ruling(
        "The share of guns",
        "DL-55.1",
        "is taken from the damage on vehicles",
        "is taken from the damage on troops, like the crew's",
    )
    area_on_vehicles: Literal["multiplier", "bs"] = ruling(
        "Blasts and templates on vehicles", "DL-60.4", "their multiplier takes the place of BS", "the firer's BS counts"
    )
    ordnance_pen: Literal["none", "minus_one"] = ruling(
        "Ordnance on vehicles", "DL-58.1", "no better than other weapons", "lowers AV-S by 1"
    )
    apply_all_hits: Literal["yes", "stop_at_wreck"] = ruling(
        "Hits of a volley after one that wrecks",
        "DL-60.23",
        "are all applied, and the worst result stands",
        "are not applied",
    )
    beyond_f: Literal["lost", "again"] = ruling(
        "DMG beyond line F", "DL-60.14", "is lost", "begins line F anew, once for each packet"
    )
    chain_ticks: Literal["both", "due"] = ruling(
        "Boxes of a weapon destroyed that immobilises, for no weapon is left",
        "DL-60.21",
        "that of the weapon and that of the immobilised vehicle",
        "only that of the weapon",
    )
    immobilised_again: Literal["weapon", "nothing"] = ruling(
        "A vehicle that is immobilised again",
        "DL-60.21",
        "loses a weapon, and without one is wrecked",
        "suffers nothing more, but the box is ticked",
    )
    weapons_again: Literal["own_row", "either_row"] = ruling(
        "A further weapon may be destroyed instead of the vehicle's mobility",
        "DL-60.20",
        "once the weapon box of the same row is ticked",
        "once the weapon box of either row is ticked",
    )
    plus_one_short: Literal["last", "none"] = ruling(
        "A +1 hit with a single open box in its row", "DL-60.18", "takes that box", "does nothing"
    )
    vehicle_assault_ap: Literal["off", "on"] = ruling(
        "AP modifiers when a vehicle is assaulted", "DL-63.4", "do not count", "count as in shooting"
    )
    rammer_skimmer: Literal["literal", "both_ten"] = ruling(
        "Ramming a skimmer", "DL-71.1", "10 on the skimmer, 20 on the rammer", "10 on both"
    )
    bystanders: Literal["four_inches", "none"] = ruling(
        "Models near an explosion", "DL-67.1", "take 9 DMG each within 4 inches", "take nothing"
    )
    angle_red: int = ruling(
        "Degrees off the perpendicular up to which a shot is red",
        "DL-60.1",
        default=30,
        ge=0,
        le=90,
        means={"30": "up to 30 degrees"},
    )
    angle_orange: int = ruling(
        "Degrees off the perpendicular up to which it is orange",
        "DL-60.1",
        default=60,
        ge=0,
        le=90,
        means={"60": "up to 60 degrees"},
    )
    repair_order: Literal["last_in", "first_in"] = ruling(
        "Which hit a repair undoes first", "DL-SM-71.2", "the most recent", "the oldest"
    )
    mines_on_vehicles: int = ruling(
        "DMG of cluster mines on a vehicle, at S4 on its rear",
        "DL-SM-67.1",
        default=23,
        ge=0,
        le=200,
        means={"23": "a quarter of what troops take", "0": "none"},
    )
    tremor_vehicle: Literal["whole_move", "terrain_only"] = ruling(
        "A shaken ground is dangerous for vehicles", "DL-SM-73.2", "wherever they drive", "only where there is terrain"
    )
    mindlock: Literal["first_free", "none_free"] = ruling(
        "Servitors without a techmarine", "DL-SM-72.1", "work for one turn", "stop at once"
    )
    # the game
    reserve_delay: Literal["on_top", "within"] = ruling(
        "Delayed reserves", "DL-94.6", "come on top of the next turn's number", "are part of the next turn's number"
    )
    turns: int = ruling(
        "Game turns", "DL-PREP.8", default=6, ge=1, le=20, means={"6": "six, the average of the base game"}
    )


DEFAULT = Rulings()
PRESETS: dict[str, dict[str, str]] = {"text": {}, "sheet": {"rows": "sheet"}}
"""The rows of boxes as the worked example of the document needs them, or as its sheet prints them."""
