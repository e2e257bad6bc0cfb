"""Penetration, damage, volleys."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from battletape.odds import Odds
from battletape.rulesets.vehicles5 import damage, keywords
from battletape.rulesets.vehicles5 import volley as volleys
from battletape.rulesets.vehicles5.ask_shooting import (
    KILL_TIME,
    SHOOT,
    KillTime,
    Salvo,
    Shoot,
    begin_kill_time,
    begin_shoot,
)
from battletape.rulesets.vehicles5.damage import Condition
from battletape.rulesets.vehicles5.penetration import halved, hit_of, penetrate, total
from battletape.rulesets.vehicles5.targets import Gun, volley_of
from battletape.rulesets.vehicles5.traits import Facing, Row
from battletape.system import Question
from battletape.tape.exact import Exact
from tests.vectors.vehicles5_parts import DICE, Given, dice_in_our_words, odds_of, rules, state, text, traits

ROWS: tuple[Row, ...] = ("none", "shaken", "stunned", "weapon_destroyed", "immobilised", "wrecked", "exploded")
FACINGS: tuple[Facing, ...] = ("front", "side", "rear")
SUMMARY = (
    "unchanged",
    "destroyed",
    "wrecked",
    "exploded",
    "immobilised_or_worse",
    "cannot_move_next_turn",
    "cannot_shoot_next_turn",
    "weapon_lost_or_destroyed",
)


def condition(given: Given) -> Condition:
    """A short state lists only what is true of it."""
    now = given.get("state", {})
    flags = {name: now.get(name, False) for name in ("shaken", "stunned", "immobilised")}
    crash = damage.crash_of(traits({"vehicle": {"skimmer": True}}), "flat_out", rules(given))
    return Condition(
        **flags,
        weapons=("weapon",) * now.get("weapons", 0),
        status=now.get("status", "ok"),
        crash=crash if given.get("skimmer_moved_flat_out") else "no",
        repeats=rules(given).repeat_damage == "pass_over",
    )


def aim(given: Given) -> volleys.Aim:
    return volleys.Aim(
        "",
        volleys.hit_needs(given["bs"]) if "bs" in given else 0,
        halved(given["strength"]) if given.get("half_strength") else given["strength"],
        given["av"],
        given.get("ap"),
        DICE[given.get("dice", "d6")],
        given.get("bonus", 0),
        given.get("cover") or 0,
        given.get("open_topped", False),
    )


def special_rules(given: Given) -> tuple[str, ...]:
    return tuple(one for one in ("lance", "twin_linked") if given.get(one))


def shot(given: Given) -> volleys.Shot:
    return keywords.ready(aim(given), special_rules(given), rules(given))


def penetration(given: Given) -> Given:
    ready = shot(given)
    odds = odds_of(penetrate, ready.name, ready.dice, ready.gap)
    return {hit: text(odds.chance(hit)) for hit in ("none", "glance", "penetrate")}


def penetration_roll(given: Given) -> Given:
    rolls = given["rolls"] if isinstance(given["rolls"], list) else [given["rolls"]]
    ready = shot(given)
    return {"hit": hit_of(ready.gap, total(ready.dice, rolls))}


def modifier(given: Given) -> int:
    of_penetration = damage.modifier(given["ap"], given["open_topped"], rules(given), given.get("extra", 0))
    return damage.modifier_of_hit(of_penetration, given["hit"])


def damage_table(given: Given) -> Given:
    by = modifier(given)
    odds = odds_of(damage.roll_row, "", by, rules(given).damage_range)
    return {"modifier": by, **{row: text(odds.chance(row)) for row in ROWS}}


def damage_row(given: Given) -> Given:
    value = given["die"] + modifier(given)
    return {"modified": value, "row": damage.row_of_value(value, rules(given).damage_range)}


def one_shot(given: Given) -> Given:
    odds = odds_of(volleys.shot_result, shot(given))
    return {row: text(odds.chance(row)) for row in ROWS}


one_hit = one_shot


def apply_results(given: Given) -> Given:
    after = damage.apply_results(condition(given), given["results"], rules(given).volley_order)
    return {
        "shaken": after.shaken,
        "stunned": after.stunned,
        "weapons": len(after.weapons),
        "immobilised": after.immobilised,
        "status": after.status,
    }


def rolled(given: Given) -> Odds[Any]:
    return odds_of(damage.roll_many, condition(given), given["n"], modifier(given))


def n_damage_rolls(given: Given) -> Given:
    odds = rolled(given).project(damage.label)
    return {name: text(chance) for name, chance in odds.fractions().items()}


def n_damage_rolls_summary(given: Given) -> Given:
    odds = rolled(given)
    return {
        "destroyed": text(odds.chance(lambda one: one.is_destroyed)),
        "immobilised_or_worse": text(odds.chance(lambda one: one.is_destroyed or one.immobilised)),
    }


def weapon_choice(given: Given) -> Given:
    intact = ((one["name"], one.get("melee", False)) for one in given["weapons"] if not one["destroyed"])
    offered = damage.weapons_on_offer(Condition(weapons=damage.weapons_to_lose(intact, rules(given))))
    return {"legal": given["chooser"] == "attacker" and given["pick"] in offered}


def effect_expiry(given: Given) -> Given:
    until = damage.expiry(given["current_player_turn"], given["current_turn_is_owners"], rules(given))
    return {"expires_at_end_of_player_turn": until}


def can_fire_timeline(given: Given) -> Given:
    events = [(turn, row) for turn, row in given["events"]]
    own = given["owner_turns"]
    return {"can_fire": [damage.can_fire(events, own, turn, rules(given)) for turn in given["queries"]]}


def cover_save(given: Given) -> Given:
    smoke = given.get("smoke_active", False) or given.get("source") == "smoke"
    save = volleys.best_cover(
        traits(given), given.get("band", "stationary"), state(given), smoke, given.get("terrain_cover"), rules(given)
    )
    return {"save": save, "stopped": text(odds_of(volleys.roll_cover, save).chance(True)) if save else "0/1"}


def gun(weapon: Given, cover: int | None, facing: Facing = "front") -> Gun:
    own = {name: weapon[name] for name in ("shots", "bs", "auto", "strength", "ap", "dice", "bonus") if name in weapon}
    return Gun(**dice_in_our_words(own), facing=facing, ignores_cover=cover is None, rules=special_rules(weapon))


def target(given: Given) -> Given:
    """The fields of a target that a volley is fired at."""
    flat_out = given.get("skimmer_moved_flat_out", False)
    types = ("open_topped",) * given.get("open_topped", False) + ("fast", "skimmer") * flat_out
    now = {name: value for name, value in given.get("state", {}).items() if name != "status"}
    return {**now, "types": types, "band": "flat_out" if flat_out else "combat"}


def summary(question: Question, begun: Any, inputs: Any, given: Given) -> Given:
    stood = condition(given)
    states = Exact().run(question.procedure(inputs, rules(given)), replace(begun, start=stood, now=stood))
    return {name: text(states.project(question.measure(name).of).chance(1)) for name in SUMMARY}


def shoot(given: Given, inputs: Shoot) -> Given:
    return summary(SHOOT, begin_shoot(inputs, rules(given)), inputs, given)


def volley(given: Given) -> Given:
    guns = tuple(gun(one, given["cover"]) for one in given["weapons"])
    return shoot(given, Shoot(**target(given), front=given["av"], guns=guns, cover=given["cover"]))


def volley_split(given: Given) -> Given:
    groups = list(zip(FACINGS, given["groups"], strict=False))
    guns = tuple(gun(one, given["cover"], facing) for facing, group in groups for one in group["weapons"])
    armour = {facing: group["av"] for facing, group in groups}
    return shoot(given, Shoot(**target(given), **armour, guns=guns, cover=given["cover"]))


def volley_chain(given: Given) -> Given:
    armours = list(dict.fromkeys(one["av"] for one in given["volleys"]))
    facing = dict(zip(armours, FACINGS, strict=False))
    salvos = tuple(
        Salvo(guns=tuple(gun(weapon, one["cover"], facing[one["av"]]) for weapon in one["weapons"]), cover=one["cover"])
        for one in given["volleys"]
    )
    inputs = KillTime(**target(given), **{name: av for av, name in facing.items()}, volleys=salvos)
    return summary(KILL_TIME, begin_kill_time(inputs, rules(given)), inputs, given)


def volley_expectations(given: Given) -> Given:
    inputs = Shoot(
        front=given["av"], guns=tuple(gun(one, given["cover"]) for one in given["weapons"]), cover=given["cover"]
    )
    found = volleys.expected(volley_of(inputs.guns, inputs, inputs.cover, rules(given)))
    return {name: text(getattr(found, name)) for name in ("hits", "glancing", "penetrating")}
