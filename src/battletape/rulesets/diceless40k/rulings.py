"""Rulings: what the players agree on before the game, and where the document is silent or says two things."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from battletape.inputs import Inputs


def _ruling(title: str, clause: str, **words: str) -> Any:
    """What a ruling decides, its clause, and what each value means."""
    return Meta(title=title, extra={"group": "rulings", "clause": f"DL-{clause}", "alternatives": words})


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
        _ruling(
            "A save with a better and a worse re-roll at once",
            "20.6",
            cancel="they cancel each other",
            worse="only the worse one counts",
        ),
    ] = "cancel"
    feel_no_pain_order: Annotated[
        Literal["after_save", "before_save"],
        _ruling(
            "When feel no pain halves",
            "75.1",
            after_save="the HP that the save let through",
            before_save="the DMG before the save",
        ),
    ] = "after_save"
    vulnerable: Annotated[
        Literal["after_save", "before_save"],
        _ruling(
            "When blasts and templates hurt doubly",
            "76.3",
            after_save="the HP that the save let through are doubled",
            before_save="the DMG is doubled before the save",
        ),
    ] = "after_save"
    leftover: Annotated[
        Literal["defender", "lost"],
        _ruling(
            "Points of a packet that cannot be spread evenly",
            "25.2",
            defender="the defender puts them on different models",
            lost="nobody takes them",
        ),
    ] = "defender"
    overkill: Annotated[
        Literal["lost", "spills"],
        _ruling("HP beyond what a group has", "24.2", lost="are lost", spills="go on to the next group of the unit"),
    ] = "lost"
    instant_death: Annotated[
        Literal["by_model", "per_shot"],
        _ruling(
            "What the 10 HP of instant death are counted on",
            "26.1",
            by_model="what a model loses to the whole packet",
            per_shot="what each shot of the packet takes",
        ),
    ] = "by_model"
    reroll_bonus: Annotated[
        Literal["once", "each"],
        _ruling(
            "Several re-rolls to hit or to wound, twin-linked among them", "19.3", once="+1 in all", each="+1 for each"
        ),
    ] = "once"
    heavy_range_bonus: Annotated[
        Literal["on", "off"],
        _ruling("Heavy weapons are better at short range", "29.1", on="as recommended", off="the option is not used"),
    ] = "on"
    range_step: Annotated[
        Literal["inclusive", "strict"],
        _ruling(
            "A target exactly 12 inches under the range",
            "29.1",
            inclusive="earns the bonus",
            strict="does not earn it yet",
        ),
    ] = "inclusive"
    cannot_wound: Annotated[
        Literal["never", "base_table"],
        _ruling(
            "A Strength far below the Toughness",
            "19.1",
            never="deals its damage like any other",
            base_table="does nothing if it is lower by 4 or more",
        ),
    ] = "never"
    sniper_rends: Annotated[
        Literal["yes", "no"],
        _ruling(
            "Sniper weapons and rending",
            "31.10",
            yes="rend, as in the base game",
            no="only read the victim's Toughness",
        ),
    ] = "yes"
    hot_on_vehicles: Annotated[
        Literal["no", "yes"],
        _ruling(
            "Gets hot! tokens on the weapons of vehicles",
            "31.1",
            no="are given but cannot be played",
            yes="may be played: the vehicle takes a glancing hit",
        ),
    ] = "no"
    bracketed_hp: Annotated[
        Literal["higher", "lower"],
        _ruling(
            "Hit points of a model with a bracketed Toughness",
            "6.1",
            higher="by the value in brackets",
            lower="by the value before the brackets",
        ),
    ] = "higher"
    # tokens, blasts, deep strike
    scatter_pull: Annotated[
        Literal["to_aim", "plain_bs"],
        _ruling(
            "How far the firer pulls a blast back to its aim point",
            "30.7",
            to_aim="by the BS with every bonus",
            plain_bs="by the BS of the profile",
        ),
    ] = "to_aim"
    night_token: Annotated[
        Literal["limit", "free"],
        _ruling(
            "The further scatter token of night fighting",
            "95.9",
            limit="raises the limit to 7 and comes from the pool",
            free="is free for each blast and comes from no pool",
        ),
    ] = "limit"
    zone_of: Annotated[
        Literal["aimed", "landed"],
        _ruling(
            "Whose zone a deep strike counts in",
            "95.5",
            aimed="that of the point aimed at",
            landed="that of the point where it lands",
        ),
    ] = "aimed"
    tigurius: Annotated[
        Literal[2, 4],
        _ruling(
            "Scatter tokens for knowing every power",
            "SM-86.1",
            **{"2": "2 in all", "4": "2 for the blast and 2 for the gate"},
        ),
    ] = 2
    warp_tokens: Annotated[
        Literal["per_psyker", "per_unit"],
        _ruling(
            "Warp tokens",
            "50.4",
            per_psyker="one for each model that is a psyker",
            per_unit="one for each unit with psykers",
        ),
    ] = "per_psyker"
    # movement and terrain
    terrain_cost: Annotated[
        Literal["double", "rest_of_move"],
        _ruling(
            "Difficult terrain",
            "14.1",
            double="2 inches of the allowance for each inch in it",
            rest_of_move="from the first inch in it the rest of the move is halved",
        ),
    ] = "double"
    dangerous_per: Annotated[
        Literal["move", "crossing"],
        _ruling(
            "Dangerous terrain hurts a model", "14.2", move="once in a move", crossing="each time it enters or leaves"
        ),
    ] = "move"
    skimmer_terrain: Annotated[
        Literal["ends", "never"],
        _ruling(
            "Skimmers in dangerous terrain",
            "57.1",
            ends="suffer where they start or end in it, an inch for each",
            never="never suffer",
        ),
    ] = "ends"
    # leadership, morale, psykers
    character_compares: Annotated[
        Literal["unit", "own"],
        _ruling("Whose order points a character's test for a unit compares", "8.3", unit="the unit's", own="its own"),
    ] = "unit"
    lost_assault: Annotated[
        Literal["test_and_difference", "difference"],
        _ruling(
            "Order points of a lost assault",
            "44.1",
            test_and_difference="25 for the test and the difference",
            difference="the difference alone",
        ),
    ] = "test_and_difference"
    regroup: Annotated[
        Literal["no_25", "plus_25"],
        _ruling(
            "The 25 order points of a test when regrouping",
            "46.1",
            no_25="are not added",
            plus_25="are added after the subtraction",
        ),
    ] = "no_25"
    cancelled_test: Annotated[
        Literal["no_op", "op"],
        _ruling(
            "A psychic test that a warp token cancels",
            "50.5",
            no_op="adds no order points",
            op="adds its order points all the same",
        ),
    ] = "no_op"
    characteristic_pass: Annotated[
        int, _number("Tests on other characteristics pass from", "75.2", 1, 11, _4="from 4 on they pass")
    ] = 4
    gate_damage: Annotated[
        Literal["unit", "model"],
        _ruling(
            "The 10 DMG of a unit taken through the gate",
            "SM-57.4",
            unit="once for the unit",
            model="for each of its models",
        ),
    ] = "unit"
    # close combat
    claw_and_poison: Annotated[
        Literal["once", "each"],
        _ruling("Several bonuses to the close combat factor", "42.3", once="+1 in all", each="+1 for each"),
    ] = "once"
    preferred_enemy: Annotated[
        Literal["own", "both"],
        _ruling(
            "Preferred enemy raises WS",
            "75.5",
            own="for the unit's own attacks",
            both="also when the enemy strikes back",
        ),
    ] = "own"
    hemmed_in: Annotated[
        Literal["destroyed", "stays"],
        _ruling(
            "A unit that cannot fall back in any direction",
            "45.1",
            destroyed="it is destroyed, as in the base game",
            stays="it stays where it is, and still falls back",
        ),
    ] = "destroyed"
    sweep_tie: Annotated[
        Literal["caught", "escapes"],
        _ruling("Equal totals in a sweeping advance", "40.1", caught="the unit is caught", escapes="it breaks off"),
    ] = "caught"
    combat_wounds: Annotated[
        Literal["sum", "each", "majority"],
        _ruling(
            "HP that extra wounds in a combat result stand for",
            "44.3",
            sum="10 times the enemy's average Toughness each, and the sum is rounded",
            each="the same, and each is rounded",
            majority="10 times the Toughness of most of the enemy's models",
        ),
    ] = "sum"
    moonfang: Annotated[
        Literal["after_save", "before_save"],
        _ruling(
            "The 10 points of Moonfang",
            "SM-94.1",
            after_save="of the AP2 part after the save",
            before_save="of the AP2 part before the save",
        ),
    ] = "after_save"
    # vehicles and artillery
    rows: Annotated[
        Literal["text", "sheet"],
        _ruling(
            "Boxes of the damage rows",
            "60.16",
            text="as the rules text and its example need them",
            sheet="as the printed vehicle sheet names them",
        ),
    ] = "text"
    artillery_guns: Annotated[
        Literal["vehicle_dmg", "one_dmg"],
        _ruling(
            "The share of guns",
            "55.1",
            vehicle_dmg="is taken from the damage on vehicles",
            one_dmg="is taken from the damage on troops, like the crew's",
        ),
    ] = "vehicle_dmg"
    area_on_vehicles: Annotated[
        Literal["multiplier", "bs"],
        _ruling(
            "Blasts and templates on vehicles",
            "60.4",
            multiplier="their multiplier takes the place of BS",
            bs="the firer's BS counts",
        ),
    ] = "multiplier"
    ordnance_pen: Annotated[
        Literal["none", "minus_one"],
        _ruling("Ordnance on vehicles", "58.1", none="no better than other weapons", minus_one="lowers AV-S by 1"),
    ] = "none"
    apply_all_hits: Annotated[
        Literal["yes", "stop_at_wreck"],
        _ruling(
            "Hits of a volley after one that wrecks",
            "60.23",
            yes="are all applied, and the worst result stands",
            stop_at_wreck="are not applied",
        ),
    ] = "yes"
    beyond_f: Annotated[
        Literal["lost", "again"],
        _ruling(
            "DMG beyond line F",
            "60.14",
            lost="is lost",
            again="begins line F anew, once for each packet",
        ),
    ] = "lost"
    chain_ticks: Annotated[
        Literal["both", "due"],
        _ruling(
            "Boxes of a weapon destroyed that immobilises, for no weapon is left",
            "60.21",
            both="that of the weapon and that of the immobilised vehicle",
            due="only that of the weapon",
        ),
    ] = "both"
    immobilised_again: Annotated[
        Literal["weapon", "nothing"],
        _ruling(
            "A vehicle that is immobilised again",
            "60.21",
            weapon="loses a weapon, and without one is wrecked",
            nothing="suffers nothing more, but the box is ticked",
        ),
    ] = "weapon"
    weapons_again: Annotated[
        Literal["own_row", "either_row"],
        _ruling(
            "A further weapon may be destroyed instead of the vehicle's mobility",
            "60.20",
            own_row="once the weapon box of the same row is ticked",
            either_row="once the weapon box of either row is ticked",
        ),
    ] = "own_row"
    plus_one_short: Annotated[
        Literal["last", "none"],
        _ruling("A +1 hit with a single open box in its row", "60.18", last="takes that box", none="does nothing"),
    ] = "last"
    vehicle_assault_ap: Annotated[
        Literal["off", "on"],
        _ruling("AP modifiers when a vehicle is assaulted", "63.4", off="do not count", on="count as in shooting"),
    ] = "off"
    rammer_skimmer: Annotated[
        Literal["literal", "both_ten"],
        _ruling("Ramming a skimmer", "71.1", literal="10 on the skimmer, 20 on the rammer", both_ten="10 on both"),
    ] = "literal"
    bystanders: Annotated[
        Literal["four_inches", "none"],
        _ruling("Models near an explosion", "67.1", four_inches="take 9 DMG each within 4 inches", none="take nothing"),
    ] = "four_inches"
    angle_red: Annotated[
        int, _number("Degrees off the perpendicular up to which a shot is red", "60.1", 0, 90, _30="up to 30 degrees")
    ] = 30
    angle_orange: Annotated[
        int, _number("Degrees off the perpendicular up to which it is orange", "60.1", 0, 90, _60="up to 60 degrees")
    ] = 60
    repair_order: Annotated[
        Literal["last_in", "first_in"],
        _ruling("Which hit a repair undoes first", "SM-71.2", last_in="the most recent", first_in="the oldest"),
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
        _ruling(
            "A shaken ground is dangerous for vehicles",
            "SM-73.2",
            whole_move="wherever they drive",
            terrain_only="only where there is terrain",
        ),
    ] = "whole_move"
    mindlock: Annotated[
        Literal["first_free", "none_free"],
        _ruling("Servitors without a techmarine", "SM-72.1", first_free="work for one turn", none_free="stop at once"),
    ] = "first_free"
    # the game
    reserve_delay: Annotated[
        Literal["on_top", "within"],
        _ruling(
            "Delayed reserves",
            "94.6",
            on_top="come on top of the next turn's number",
            within="are part of the next turn's number",
        ),
    ] = "on_top"
    turns: Annotated[int, _number("Game turns", "PREP.8", 1, 20, _6="six, the average of the base game")] = 6


DEFAULT = Rulings()
PRESETS: dict[str, dict[str, str]] = {"text": {}, "sheet": {"rows": "sheet"}}
"""The rows of boxes as the worked example of the document needs them, or as its sheet prints them."""
