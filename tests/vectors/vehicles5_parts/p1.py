"""Movement, terrain, smoke and what may fire."""

from __future__ import annotations

from battletape.rulesets.vehicles5 import firing, movement, terrain
from battletape.rulesets.vehicles5 import smoke as smoke_rules
from tests.vectors.vehicles5_parts import Given, is_legal, odds_of, rules, state, text, traits


def speed_band(given: Given) -> Given:
    found = movement.band(given["distance"], traits(given), given.get("whole_move_on_road", False), rules(given))
    return {"legal": is_legal(found), "band": found if is_legal(found) else None}


def bands(given: Given) -> Given:
    road = given.get("whole_move_on_road", False)
    found = movement.bands(given["path_length"], given["displacement"], traits(given), road, rules(given))
    return dict(zip(("shooting_band", "assault_band"), found, strict=True))


def may_move(given: Given) -> Given:
    return {"legal": is_legal(movement.refuse_move(given["action"], traits(given), state(given), rules(given)))}


def path_models(given: Given) -> Given:
    return {"legal": is_legal(movement.refuse_path(traits(given), given["path"], given["ends_on_model"]))}


def dangerous_terrain(given: Given) -> Given:
    vehicle, relation, ruled = traits(given), given["relation"], rules(given)
    count = terrain.tests(vehicle, given["terrain"], relation, ruled)
    odds = odds_of(terrain.risk, vehicle, count, relation, given.get("band", "combat"), ruled)
    return {
        "tests": count,
        "immobilised": text(odds.chance("immobilised")),
        "wrecked": text(odds.chance("wrecked")),
        "unharmed": text(odds.chance("none")),
    }


def dangerous_terrain_many(given: Given) -> Given:
    odds = odds_of(terrain.roll_many, given["vehicles"])
    return {"none_immobilised": text(odds.chance(0)), "at_least_one": text(odds.at_least(1))}


def terrain_stop(given: Given) -> Given:
    inside, edge, failed = given["starts_inside"], given.get("enters_at"), given["roll"] == 1
    found = terrain.stop(traits(given), given["declared"], inside, edge, failed, rules(given))
    return {"moved": found.moved, "band": found.band, "result": found.row}


def walker_difficult_move(given: Given) -> Given:
    odds = odds_of(terrain.roll_difficult)
    return {
        "distance": {str(inches): text(chance) for inches, chance in sorted(odds.fractions().items())},
        "mean": text(odds.mean),
        "probability": text(odds.at_least(given.get("at_least", 1))),
    }


def smoke(given: Given) -> Given:
    refused = smoke_rules.refuse_smoke(
        traits(given),
        given["launchers"],
        given["used"],
        given["phase"],
        given.get("move_completed", False),
        given.get("declared_stationary", False),
        given.get("ran", False),
        rules(given),
        state(given),
    )
    return {"legal": is_legal(refused)}


def smoke_active(given: Given) -> Given:
    turn = given["triggered_in_player_turn"]
    return {"active": [smoke_rules.smoke_is_active(turn, (now, phase)) for now, phase in given["queries"]]}


def _mode(given: Given) -> firing.Mode:
    return firing.fire_mode(
        traits(given),
        given["band"],
        state(given),
        smoke=given.get("smoke_this_turn", False),
        rammed=given.get("rammed", False),
        ran=given.get("ran", False),
        rules=rules(given),
    )


def fire_mode(given: Given) -> Given:
    found = _mode(given)
    return {"mode": found.mode, "one_ordnance_instead": found.ordnance, "barrage_indirect": found.barrage}


def fire_set(given: Given) -> Given:
    mode, weapons = _mode(given), given["firing"]
    refused = firing.refuse_set(mode, [(one["strength"], one.get("ordnance", False)) for one in weapons])
    lobbed = any(one.get("fired_as") == "barrage" for one in weapons)
    return {"legal": is_legal(refused) and (not lobbed or is_legal(firing.refuse_barrage(mode)))}


def weapon_class(given: Given) -> Given:
    return {"defensive": firing.is_defensive(given["strength"])}


def targets(given: Given) -> Given:
    return {"legal": is_legal(firing.refuse_targets(given["assignments"]))}
