"""Tests, tables, modifiers and movement."""

from __future__ import annotations

from battletape.odds import Odds
from battletape.rulesets.deathwatch import checks, keywords, modifiers, tables
from battletape.rulesets.deathwatch import conditions as states
from battletape.rulesets.deathwatch import movement as moving
from battletape.rulesets.deathwatch.checks import Contestant, odds_of
from battletape.rulesets.deathwatch.modifiers import Situation
from battletape.rulesets.deathwatch.traits import Degrees, Modifier
from tests.vectors.deathwatch_parts import Given, is_legal, rules, text

# --- tests ------------------------------------------------------------------------------------------------------------


def difficulty_modifier(given: Given) -> Given:
    return {"modifier": checks.difficulty(given["difficulty"])}


def difficulty_table(given: Given) -> Given:
    return {"table": dict(tables.DIFFICULTIES)}


def test_target(given: Given) -> Given:
    added, applied = checks.total(given["modifiers"], rules(given))
    aim = checks.target(given["characteristic"], given["modifiers"], rules(given))
    return {"modifier_total": added, "modifier_applied": applied, "target": aim}


def test_roll(given: Given) -> Given:
    found = checks.degrees_of(given["target"], given["roll"], rules(given))
    return {"success": found.success, "dos" if found.success else "dof": found.degrees}


def test_probability(given: Given) -> Given:
    return {"p_success": text(_test(given).chance(lambda found: found.success))}


def test_degrees_distribution(given: Given) -> Given:
    named = _test(given).project(lambda found: f"{'dos' if found.success else 'dof'}{found.degrees}")
    return {"dist": {name: text(chance) for name, chance in named.fractions().items()}}


def _test(given: Given) -> Odds[Degrees]:
    return odds_of(checks.test, given["target"], "test", rules(given))


def opposed_probability(given: Given) -> Given:
    odds = _opposed(given)
    return {
        "p_initiator_wins": text(odds.chance("one")),
        "p_opponent_wins": text(odds.chance("other")),
        "p_stalemate": text(odds.chance("nobody")),
    }


def feint(given: Given) -> Given:
    return {"p_win": text(_opposed(given).chance("one"))}


def manoeuvre(given: Given) -> Given:
    return {"p_win": text(_opposed(given).chance("one")), "metres": moving.MANOEUVRED}


def knock_down(given: Given) -> Given:
    return {"p_prone": text(_opposed(given).chance("one"))}


def _opposed(given: Given) -> Odds[str]:
    one, other = (Contestant(given[side]["target"], given[side]["bonus"]) for side in ("initiator", "opponent"))
    return odds_of(checks.opposed, one, other, rules(given))


# --- tables -----------------------------------------------------------------------------------------------------------


def situational_modifier(given: Given) -> Given:
    return {"modifier": tables.situation(given["situation"], rules(given))}


def size_modifier(given: Given) -> Given:
    hidden = given.get("size_bonus_suppressed", False)
    return {"modifier": tables.size_modifier(given["size"], given.get("attack", "ranged"), hidden)}


def range_band(given: Given) -> Given:
    gyro = keywords.values(given.get("qualities", [])).gyro
    found = modifiers.band(given["range_m"], given["distance_m"], gyro, rules(given))
    modifier = modifiers.band_modifier(found, given.get("engaged", False)) if found else None
    return {"band": found or "out_of_range", "modifier": modifier, "can_fire": found is not None}


def cover_ap(given: Given) -> Given:
    return {"ap": tables.cover_ap(given["material"])}


def craftsmanship(given: Given) -> Given:
    found = tables.craftsmanship(given["grade"])
    return {"to_hit": found.to_hit, "damage": found.damage, "jam_on_any_miss": found.jam_on_any_miss}


def renown_rank(given: Given) -> Given:
    return {"rank": tables.renown_rank(given["renown"])}


# --- movement ---------------------------------------------------------------------------------------------------------


def movement(given: Given) -> Given:
    found = moving.moves(given["ab"])
    return {"half": text(found.half), "full": found.full, "charge": found.charge, "run": found.run}


def move(given: Given) -> Given:
    found = moving.moves(given["ab"])
    return {"half_m": found.half, "full_m": found.full}


def min_charge_ab(given: Given) -> Given:
    return {"ab": moving.least_charge_ab()}


def charge(given: Given) -> Given:
    refused = moving.refuse_charge(given["distance_m"], moving.moves(given["ab"]))
    return {"legal": is_legal(refused), "target": moving.charge_target(given["ws"], rules=rules(given))}


# --- modifiers of conditions ------------------------------------------------------------------------------------------


def prone_modifiers(given: Given) -> Given:
    down = Situation(prone=True, own_prone=True)
    return {
        "melee_against": _sum(modifiers.attack_modifiers(down, True, rules(given))),
        "ranged_against": _sum(modifiers.attack_modifiers(down, False, rules(given))),
        "own_dodge": _sum(modifiers.dodge_modifiers(down, rules(given))),
    }


def surprised(given: Given) -> Given:
    against = modifiers.attack_modifiers(Situation(surprised=True), False, rules(given))
    return {"attack_modifier": _sum(against), "reactions": modifiers.reactions(surprised=True)}


def stunned(given: Given) -> Given:
    against = modifiers.attack_modifiers(Situation(stunned=True), True, rules(given))
    may = states.budget(states.Conditions(stunned=1))
    return {
        "attacker_target": checks.target(given["attacker_skill"], against, rules(given)),
        "half_actions": may.halves,
        "free_actions": may.free,
        "reactions": int(may.reactions),
    }


def attack_running_target(given: Given) -> Given:
    runs, ruled = Situation(running=True), rules(given)
    return {
        "bs_target": checks.target(given["bs"], modifiers.attack_modifiers(runs, False, ruled), ruled),
        "ws_target": checks.target(given["ws"], modifiers.attack_modifiers(runs, True, ruled), ruled),
    }


def heavy_penalty(given: Given) -> Given:
    heavy = (Situation(heavy=True, braced=braced) for braced in given["braced"])
    return {"modifier": [_sum(modifiers.attack_modifiers(one, False, rules(given))) for one in heavy]}


def pinned_state(given: Given) -> Given:
    may = states.budget(states.Conditions(pinned=True))
    own = modifiers.attack_modifiers(Situation(pinned=True), False, rules(given))
    return {
        "half_actions": may.halves,
        "full_actions": int(may.full),
        "bs_target": checks.target(given["bs"], own, rules(given)),
    }


def dodge_target(given: Given) -> Given:
    own = modifiers.dodge_modifiers(Situation(own_prone=given.get("prone", False)), rules(given))
    return {"target": checks.target(given["dodge"], own, rules(given))}


def _sum(found: tuple[Modifier, ...]) -> int:
    return checks.total(found)[0]
