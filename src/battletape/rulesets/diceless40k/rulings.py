"""Rulings: what the players agree on before the game, and where the document is silent or says two things."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from battletape.inputs import Inputs, ruling


def _number(title: str, clause: str, least: int, most: int, **words: str) -> Any:
    """What a number decides, its clause, its limits, and what its usual value means: `_4="…"`."""
    meant = {value.removeprefix("_"): meaning for value, meaning in words.items()}
    extra = {"group": "rulings", "clause": f"DL-{clause}", "alternatives": meant}
    return Meta(title=title, ge=least, le=most, extra=extra)


class Rulings(Inputs, frozen=True, cache_hash=True):
    """The settings of a game; they hold for both sides until it ends."""

    # shooting, saves and casualties
    save_shifts: Annotated[
        Literal["cancel", "worse"],
        ruling(
            "A save with a better and a worse re-roll at once",
            "DL-20.6",
            "they cancel each other",
            "only the worse one counts",
        ),
    ] = "cancel"
    feel_no_pain_order: Annotated[
        Literal["after_save", "before_save"],
        ruling("When feel no pain halves", "DL-75.1", "the HP that the save let through", "the DMG before the save"),
    ] = "after_save"
    vulnerable: Annotated[
        Literal["after_save", "before_save"],
        ruling(
            "When blasts and templates hurt doubly",
            "DL-76.3",
            "the HP that the save let through are doubled",
            "the DMG is doubled before the save",
        ),
    ] = "after_save"
    packets: Annotated[
        Literal["at_once", "in_turn"],
        ruling(
            "Several packets of one volley, or of one initiative step",
            "DL-19.2",
            "all are spread over those who stood before; in each group the strongest weapon comes first",
            "each is spread over those whom the ones before have left, in the order in which they are fired",
        ),
    ] = "at_once"
    leftover: Annotated[
        Literal["defender", "lost"],
        ruling(
            "Points of a packet that cannot be spread evenly",
            "DL-25.2",
            "the defender puts them on different models",
            "nobody takes them",
        ),
    ] = "defender"
    overkill: Annotated[
        Literal["lost", "spills"],
        ruling("HP beyond what a group has", "DL-24.2", "are lost", "go on to the next group of the unit"),
    ] = "lost"
    instant_death: Annotated[
        Literal["by_model", "per_shot"],
        ruling(
            "What the 10 HP of instant death are counted on",
            "DL-26.1",
            "what a model loses to the whole packet",
            "what each shot of the packet takes",
        ),
    ] = "by_model"
    reroll_bonus: Annotated[
        Literal["once", "each"],
        ruling("Several re-rolls to hit or to wound, twin-linked among them", "DL-19.3", "+1 in all", "+1 for each"),
    ] = "once"
    heavy_range_bonus: Annotated[
        Literal["on", "off"],
        ruling("Heavy weapons are better at short range", "DL-29.1", "as recommended", "the option is not used"),
    ] = "on"
    range_step: Annotated[
        Literal["inclusive", "strict"],
        ruling("A target exactly 12 inches under the range", "DL-29.1", "earns the bonus", "does not earn it yet"),
    ] = "inclusive"
    cannot_wound: Annotated[
        Literal["never", "base_table"],
        ruling(
            "A Strength far below the Toughness",
            "DL-19.1",
            "deals its damage like any other",
            "does nothing if it is lower by 4 or more",
        ),
    ] = "never"
    sniper_rends: Annotated[
        Literal["yes", "no"],
        ruling(
            "Sniper weapons and rending", "DL-31.10", "rend, as in the base game", "only read the victim's Toughness"
        ),
    ] = "yes"
    hot_on_vehicles: Annotated[
        Literal["no", "yes"],
        ruling(
            "Gets hot! tokens on the weapons of vehicles",
            "DL-31.1",
            "are given but cannot be played",
            "may be played: the vehicle takes a glancing hit",
        ),
    ] = "no"
    bracketed_hp: Annotated[
        Literal["higher", "lower"],
        ruling(
            "Hit points of a model with a bracketed Toughness",
            "DL-6.1",
            "by the value in brackets",
            "by the value before the brackets",
        ),
    ] = "higher"
    # tokens, blasts, deep strike
    scatter_pull: Annotated[
        Literal["to_aim", "plain_bs"],
        ruling(
            "How far the firer pulls a blast back to its aim point",
            "DL-30.7",
            "by the BS with every bonus",
            "by the BS of the profile",
        ),
    ] = "to_aim"
    night_token: Annotated[
        Literal["limit", "free"],
        ruling(
            "The further scatter token of night fighting",
            "DL-95.9",
            "raises the limit to 7 and comes from the pool",
            "is free for each blast and comes from no pool",
        ),
    ] = "limit"
    zone_of: Annotated[
        Literal["aimed", "landed"],
        ruling(
            "Whose zone a deep strike counts in",
            "DL-95.5",
            "that of the point aimed at",
            "that of the point where it lands",
        ),
    ] = "aimed"
    tigurius: Annotated[
        Literal[2, 4],
        ruling(
            "Scatter tokens for knowing every power", "DL-SM-86.1", "2 in all", "2 for the blast and 2 for the gate"
        ),
    ] = 2
    warp_tokens: Annotated[
        Literal["per_psyker", "per_unit"],
        ruling("Warp tokens", "DL-50.4", "one for each model that is a psyker", "one for each unit with psykers"),
    ] = "per_psyker"
    # movement and terrain
    terrain_cost: Annotated[
        Literal["double", "rest_of_move"],
        ruling(
            "Difficult terrain",
            "DL-14.1",
            "2 inches of the allowance for each inch in it",
            "from the first inch in it the rest of the move is halved",
        ),
    ] = "double"
    dangerous_per: Annotated[
        Literal["move", "crossing"],
        ruling("Dangerous terrain hurts a model", "DL-14.2", "once in a move", "each time it enters or leaves"),
    ] = "move"
    skimmer_terrain: Annotated[
        Literal["ends", "never"],
        ruling(
            "Skimmers in dangerous terrain",
            "DL-57.1",
            "suffer where they start or end in it, an inch for each",
            "never suffer",
        ),
    ] = "ends"
    # leadership, morale, psykers
    character_compares: Annotated[
        Literal["unit", "own"],
        ruling("Whose order points a character's test for a unit compares", "DL-8.3", "the unit's", "its own"),
    ] = "unit"
    lost_assault: Annotated[
        Literal["test_and_difference", "difference"],
        ruling(
            "Order points of a lost assault", "DL-44.1", "25 for the test and the difference", "the difference alone"
        ),
    ] = "test_and_difference"
    regroup: Annotated[
        Literal["no_25", "plus_25"],
        ruling(
            "The 25 order points of a test when regrouping",
            "DL-46.1",
            "are not added",
            "are added after the subtraction",
        ),
    ] = "no_25"
    cancelled_test: Annotated[
        Literal["no_op", "op"],
        ruling(
            "A psychic test that a warp token cancels",
            "DL-50.5",
            "adds no order points",
            "adds its order points all the same",
        ),
    ] = "no_op"
    characteristic_pass: Annotated[
        int, _number("Tests on other characteristics pass from", "75.2", 1, 11, _4="from 4 on they pass")
    ] = 4
    gate_damage: Annotated[
        Literal["unit", "model"],
        ruling(
            "The 10 DMG of a unit taken through the gate", "DL-SM-57.4", "once for the unit", "for each of its models"
        ),
    ] = "unit"
    # close combat
    claw_and_poison: Annotated[
        Literal["once", "each"],
        ruling("Several bonuses to the close combat factor", "DL-42.3", "+1 in all", "+1 for each"),
    ] = "once"
    preferred_enemy: Annotated[
        Literal["own", "both"],
        ruling(
            "Preferred enemy raises WS", "DL-75.5", "for the unit's own attacks", "also when the enemy strikes back"
        ),
    ] = "own"
    hemmed_in: Annotated[
        Literal["destroyed", "stays"],
        ruling(
            "A unit that cannot fall back in any direction",
            "DL-45.1",
            "it is destroyed, as in the base game",
            "it stays where it is, and still falls back",
        ),
    ] = "destroyed"
    sweep_tie: Annotated[
        Literal["caught", "escapes"],
        ruling("Equal totals in a sweeping advance", "DL-40.1", "the unit is caught", "it breaks off"),
    ] = "caught"
    combat_wounds: Annotated[
        Literal["sum", "each", "majority"],
        ruling(
            "HP that extra wounds in a combat result stand for",
            "DL-44.3",
            "10 times the enemy's average Toughness each, and the sum is rounded",
            "the same, and each is rounded",
            "10 times the Toughness of most of the enemy's models",
        ),
    ] = "sum"
    moonfang: Annotated[
        Literal["after_save", "before_save"],
        ruling(
            "The 10 points of Moonfang",
            "DL-SM-94.1",
            "of the AP2 part after the save",
            "of the AP2 part before the save",
        ),
    ] = "after_save"
    # vehicles and artillery
    rows: Annotated[
        Literal["text", "sheet"],
        ruling(
            "Boxes of the damage rows",
            "DL-60.16",
            "as the rules text and its example need them",
            "as the printed vehicle sheet names them",
        ),
    ] = "text"
    artillery_guns: Annotated[
        Literal["vehicle_dmg", "one_dmg"],
        ruling(
            "The share of guns",
            "DL-55.1",
            "is taken from the damage on vehicles",
            "is taken from the damage on troops, like the crew's",
        ),
    ] = "vehicle_dmg"
    area_on_vehicles: Annotated[
        Literal["multiplier", "bs"],
        ruling(
            "Blasts and templates on vehicles",
            "DL-60.4",
            "their multiplier takes the place of BS",
            "the firer's BS counts",
        ),
    ] = "multiplier"
    ordnance_pen: Annotated[
        Literal["none", "minus_one"],
        ruling("Ordnance on vehicles", "DL-58.1", "no better than other weapons", "lowers AV-S by 1"),
    ] = "none"
    apply_all_hits: Annotated[
        Literal["yes", "stop_at_wreck"],
        ruling(
            "Hits of a volley after one that wrecks",
            "DL-60.23",
            "are all applied, and the worst result stands",
            "are not applied",
        ),
    ] = "yes"
    beyond_f: Annotated[
        Literal["lost", "again"],
        ruling("DMG beyond line F", "DL-60.14", "is lost", "begins line F anew, once for each packet"),
    ] = "lost"
    chain_ticks: Annotated[
        Literal["both", "due"],
        ruling(
            "Boxes of a weapon destroyed that immobilises, for no weapon is left",
            "DL-60.21",
            "that of the weapon and that of the immobilised vehicle",
            "only that of the weapon",
        ),
    ] = "both"
    immobilised_again: Annotated[
        Literal["weapon", "nothing"],
        ruling(
            "A vehicle that is immobilised again",
            "DL-60.21",
            "loses a weapon, and without one is wrecked",
            "suffers nothing more, but the box is ticked",
        ),
    ] = "weapon"
    weapons_again: Annotated[
        Literal["own_row", "either_row"],
        ruling(
            "A further weapon may be destroyed instead of the vehicle's mobility",
            "DL-60.20",
            "once the weapon box of the same row is ticked",
            "once the weapon box of either row is ticked",
        ),
    ] = "own_row"
    plus_one_short: Annotated[
        Literal["last", "none"],
        ruling("A +1 hit with a single open box in its row", "DL-60.18", "takes that box", "does nothing"),
    ] = "last"
    vehicle_assault_ap: Annotated[
        Literal["off", "on"],
        ruling("AP modifiers when a vehicle is assaulted", "DL-63.4", "do not count", "count as in shooting"),
    ] = "off"
    rammer_skimmer: Annotated[
        Literal["literal", "both_ten"],
        ruling("Ramming a skimmer", "DL-71.1", "10 on the skimmer, 20 on the rammer", "10 on both"),
    ] = "literal"
    bystanders: Annotated[
        Literal["four_inches", "none"],
        ruling("Models near an explosion", "DL-67.1", "take 9 DMG each within 4 inches", "take nothing"),
    ] = "four_inches"
    angle_red: Annotated[
        int, _number("Degrees off the perpendicular up to which a shot is red", "60.1", 0, 90, _30="up to 30 degrees")
    ] = 30
    angle_orange: Annotated[
        int, _number("Degrees off the perpendicular up to which it is orange", "60.1", 0, 90, _60="up to 60 degrees")
    ] = 60
    repair_order: Annotated[
        Literal["last_in", "first_in"],
        ruling("Which hit a repair undoes first", "DL-SM-71.2", "the most recent", "the oldest"),
    ] = "last_in"
    mines_on_vehicles: Annotated[
        int,
        _number(
            "DMG of cluster mines on a vehicle, at S4 on its rear",
            "SM-67.1",
            0,
            200,
            _23="a quarter of what troops take",
            _0="none",
        ),
    ] = 23
    tremor_vehicle: Annotated[
        Literal["whole_move", "terrain_only"],
        ruling(
            "A shaken ground is dangerous for vehicles",
            "DL-SM-73.2",
            "wherever they drive",
            "only where there is terrain",
        ),
    ] = "whole_move"
    mindlock: Annotated[
        Literal["first_free", "none_free"],
        ruling("Servitors without a techmarine", "DL-SM-72.1", "work for one turn", "stop at once"),
    ] = "first_free"
    # the game
    reserve_delay: Annotated[
        Literal["on_top", "within"],
        ruling(
            "Delayed reserves", "DL-94.6", "come on top of the next turn's number", "are part of the next turn's number"
        ),
    ] = "on_top"
    turns: Annotated[int, _number("Game turns", "PREP.8", 1, 20, _6="six, the average of the base game")] = 6


DEFAULT = Rulings()
PRESETS: dict[str, dict[str, str]] = {"text": {}, "sheet": {"rows": "sheet"}}
"""The rows of boxes as the worked example of the document needs them, or as its sheet prints them."""
