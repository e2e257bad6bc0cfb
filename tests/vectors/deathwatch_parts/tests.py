"""Tests, tables, modifiers of situations, and movement."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from battletape import Battle, Refused
from tests.vectors.deathwatch_parts import (
    BLADE,
    BRIEF,
    Dice,
    ask,
    asked,
    battle,
    fighter,
    gun,
    only,
    printed,
    roll,
    row_at,
    row_of,
    text,
    until,
)
from tests.vectors.given import Given

Answers = dict[str, Any]
SHOT: dict[str, Any] = {"mode": "single", "band": "normal", "qualities": (), **BRIEF}
BLOW: dict[str, Any] = {"qualities": (), **BRIEF}

# --- tests ------------------------------------------------------------------------------------------------------------


def difficulty_modifier(given: Given) -> Answers:
    return {"modifier": only(ask(given, "test", difficulty=given["difficulty"]).odds("modifier"))}


def difficulty_table(given: Given) -> Answers:
    return {"table": {name: int(modifier) for name, modifier in printed("Difficulty")}}


def test_target(given: Given) -> Answers:
    found = ask(given, "test", **given.only("characteristic", "modifiers"))
    names = {"modifier_total": "modifier", "modifier_applied": "counted", "target": "target"}
    return {name: only(found.odds(measure)) for name, measure in names.items()}


def test_roll(given: Given) -> Answers:
    found = roll(given, "test", Dice(given["roll"]), characteristic=given["target"]).results
    return {"success": bool(found["success"]), "dos" if found["success"] else "dof": abs(found["degrees"])}


def test_probability(given: Given) -> Answers:
    return {"p_success": text(ask(given, "test", characteristic=given["target"]).odds("success").chance(1))}


def test_degrees_distribution(given: Given) -> Answers:
    states = ask(given, "test", characteristic=given["target"]).states
    named = states.project(lambda state: f"{'dos' if state.best.success else 'dof'}{state.best.degrees}")
    return {"dist": {name: text(chance) for name, chance in named.fractions().items()}}


def opposed_probability(given: Given) -> Answers:
    odds = _opposed(given)
    names = {"p_initiator_wins": "one", "p_opponent_wins": "two", "p_stalemate": "nobody"}
    return {name: text(odds.chance(winner)) for name, winner in names.items()}


def _opposed(given: Given) -> Any:
    one, two = given["initiator"], given["opponent"]
    sides = {"one": one["target"], "one_bonus": one["bonus"], "two": two["target"], "two_bonus": two["bonus"]}
    return ask(given, "opposed", **sides).odds("winner")


def feint(given: Given) -> Answers:
    return {"p_win": text(_opposed(given).chance("one"))}


def knock_down(given: Given) -> Answers:
    return {"p_prone": text(_opposed(given).chance("one"))}


def manoeuvre(given: Given) -> Answers:
    """The push is made in a battle: the first wins, and the other stands so much farther away."""
    fight = battle(given, [fighter("A", arsenal=[BLADE])], [fighter("B", 0, 1, [BLADE])])
    before = fight.state.at(fight.state.fighter("B"))
    fight.push("contest", what="manoeuvre", target="B", direction=0, tape=Dice(1, 100))
    after = fight.state.at(fight.state.fighter("B"))
    return {"p_win": text(_opposed(given).chance("one")), "metres": after.y - before.y}


# --- tables -----------------------------------------------------------------------------------------------------------


def situational_modifier(given: Given) -> Answers:
    return {"modifier": only(ask(given, "test", situations=[given["situation"]]).odds("modifier"))}


def size_modifier(given: Given) -> Answers:
    hidden = given.get("size_bonus_suppressed", False)
    if given.choice("attack", ("ranged", "melee"), "ranged") == "melee":
        row_of("Size of the target", given["size"])  # a size there is; melee does not ask for it
        return {"modifier": ask(given, "fight", **BLOW).start.spec.total}
    return {"modifier": ask(given, "shoot", size=given["size"], size_hidden=hidden, **SHOT).start.spec.total}


BANDS = {"point blank": "point_blank", "short range": "short", "long range": "long", "extreme range": "extreme"}


def range_band(given: Given) -> Answers:
    shot = {"range": given["range_m"], "distance": given["distance_m"], "qualities": given.get("qualities", ())}
    shot |= {"mode": "single", **BRIEF}
    try:
        (found,) = ask(given, "shoot", **shot).start.spec.modifiers or (None,)
    except Refused:
        return {"band": "out_of_range", "modifier": None, "can_fire": False}
    modifier = ask(given, "shoot", **shot, engaged=given.get("engaged", False)).start.spec.total
    return {"band": BANDS[found.source] if found else "normal", "modifier": modifier, "can_fire": True}


def cover_ap(given: Given) -> Answers:
    return {"ap": ask(given, "hit", cover=given["material"]).start.spec.defender.cover[0]}


def craftsmanship(given: Given) -> Answers:
    _, to_hit, damage, jams = row_of("Craftsmanship", given["grade"])
    return {"to_hit": int(to_hit), "damage": int(damage), "jam_on_any_miss": jams == "yes"}


def renown_rank(given: Given) -> Answers:
    return {"rank": row_at("Renown", given["renown"])[1]}


def action(given: Given) -> Answers:
    _, cost, kinds, _ = row_of("Combat actions", given["name"])
    return {"type": cost, "subtypes": kinds.split(", ")}


def action_types(given: Given) -> Answers:
    rows = printed("Combat actions")
    return {"count": len(rows), "types": {row[0]: row[1] for row in rows}}


# --- movement ---------------------------------------------------------------------------------------------------------


def _moves(given: Given, **more: Any) -> dict[str, Any]:
    found = ask(given, "movement", agility_bonus=given["ab"], **more)
    return {measure.name: only(found.odds(measure.name)) for measure in found.question.measures}


def movement(given: Given) -> Answers:
    found = _moves(given)
    return {"half": text(Fraction(found["half"])), **{gait: found[gait] for gait in ("full", "charge", "run")}}


def move(given: Given) -> Answers:
    found = _moves(given)
    return {"half_m": found["half"], "full_m": found["full"]}


def min_charge_ab(given: Given) -> Answers:
    """The first Agility bonus of the printed table that may charge over the shortest distance there is."""
    found = (ask(given, "movement", agility_bonus=int(row[0]), distance=4) for row in printed("Movement"))
    return {"ab": next(answer.inputs.agility_bonus for answer in found if only(answer.odds("may_charge")))}


def charge(given: Given) -> Answers:
    found = _moves(given, distance=given["distance_m"])
    target = ask(given, "fight", action="charge", ws=given.get("ws", 40), **BLOW).start.spec.target
    return {"legal": bool(found["may_charge"]), "target": target}


# --- states that help or hinder ---------------------------------------------------------------------------------------


def prone_modifiers(given: Given) -> Answers:
    shot = ask(given, "shoot", prone=True, dodge=0, reaction="dodge", **SHOT).start.spec
    return {
        "melee_against": ask(given, "fight", prone=True, **BLOW).start.spec.total,
        "ranged_against": shot.total,
        "own_dodge": shot.defender.dodge,
    }


def surprised(given: Given) -> Answers:
    shot = ask(given, "shoot", surprised=True, **SHOT).start.spec
    return {"attack_modifier": shot.total, "reactions": _reactions(given, surprised=True)}


def _reactions(given: Given, *, defends: bool = False, **state: Any) -> int:
    """Three foes strike somebody who dodges as often as he is let."""
    foes = [fighter(name, x, 1, [BLADE]) for name, x in (("B", 0), ("C", 1), ("D", -1))]
    who = [fighter("A", dodge=50, arsenal=[BLADE], **state)]
    fight = battle(given, who, foes) if defends else battle(given, foes, who)
    if defends:
        fight.push("defend")
        until(fight, "B")
    count = 0
    for foe in foes:
        while fight.state.active != foe["name"]:
            fight.push("end_turn", tape=Dice())
        fight.push("strike", target="A", tape=Dice(1, said={"reaction": "dodge"}))
        count += asked(fight, "reaction")
    return count


def stunned(given: Given) -> Answers:
    return {
        "attacker_target": ask(given, "fight", ws=given["attacker_skill"], stunned=True, **BLOW).start.spec.target,
        "reactions": _reactions(given, stunned=3),
        **_actions(given, stunned=3),
    }


def _actions(given: Given, **state: Any) -> dict[str, Any]:
    """How many Half Actions somebody behind cover may take in his turn, and whether a Full or a Free Action."""
    who = fighter("A", arsenal=[gun(), BLADE], cover="8", **state)
    fight = battle(given, [who], [fighter("B", 0, 30, [gun()])])
    full, free = (fight.refusal(*deed) is None for deed in (("aim", {"aim": "full"}), ("drop", {"weapon": "gun"})))
    halves = 0
    for name, params in (("aim", {"aim": "half"}), ("ready", {"weapon": "blade", "stow": True})):
        if fight.refusal(name, params) is None:
            fight.push(name, params)
            halves += 1
    return {"half_actions": halves, "full_actions": int(full), "free_actions": free}


def pinned_state(given: Given) -> Answers:
    target = ask(given, "shoot", bs=given["bs"], pinned=True, **SHOT).start.spec.target
    return {"bs_target": target, **_actions(given, pinned=True)}


def defensive_stance(given: Given) -> Answers:
    target = ask(given, "fight", ws=given["attacker_ws"], defensive_stance=True, **BLOW).start.spec.target
    return {"reactions": _reactions(given, defends=True), "attacker_target": target}


def attack_running_target(given: Given) -> Answers:
    return {
        "bs_target": ask(given, "shoot", bs=given["bs"], running=True, **SHOT).start.spec.target,
        "ws_target": ask(given, "fight", ws=given["ws"], running=True, **BLOW).start.spec.target,
    }


def heavy_penalty(given: Given) -> Answers:
    shots = (ask(given, "shoot", kind="Heavy", braced=braced, **SHOT) for braced in given["braced"])
    return {"modifier": [shot.start.spec.total for shot in shots]}


def dodge_target(given: Given) -> Answers:
    shot = ask(given, "shoot", dodge=given["dodge"], reaction="dodge", prone=given.get("prone", False), **SHOT)
    return {"target": shot.start.spec.defender.dodge}


# --- turns ------------------------------------------------------------------------------------------------------------


def reactions(given: Given) -> Answers:
    """So many foes have struck in this round and he has dodged them all; a stance of defence lets him dodge twice."""
    stance = given.choice("budget", {1: False, 2: True})
    foes = [fighter(f"B{at}", at * 0.1, 1, [BLADE]) for at in range(given["used"] + 1)]
    fight = battle(given, [fighter("A", dodge=50, arsenal=[BLADE])], foes)
    if stance:
        fight.push("defend")
    for foe in foes:
        until(fight, foe["name"])
        fight.push("strike", target="A", tape=Dice(1, said={"reaction": "dodge"}))
    return {"may_react": asked(fight, "reaction") > 0}


AIMS = {0: "none", 10: "half", 20: "full"}


def aim_after_reaction(given: Given) -> Answers:
    fight = battle(given, [fighter("A", dodge=50, arsenal=[gun()])], [fighter("B", 0, 20, [gun()])])
    fight.push("aim", aim=given.choice("aim", {10: "half", 20: "full"}))
    until(fight, "B")
    fight.push("shoot", target="A", mode="single", tape=Dice(1, said={"reaction": "dodge"}))
    return {"aim_bonus": next(bonus for bonus, aim in AIMS.items() if aim == fight.state.fighter("A").aim)}


def delay(given: Given) -> Answers:
    """He delays, and acts on it in the other's turn or not; in his own next turn nothing is left of it."""
    fight = battle(given, [fighter("A", arsenal=[gun()])], [fighter("B", 0, 20, [gun()])])
    fight.push("delay")
    until(fight, "B")
    acted = given["used_before_next_turn"]
    if acted:
        fight.push("act_delayed", unit="A", tape=Dice())
        fight.push("aim", unit="A", aim="half")
        fight.push("end_turn", tape=Dice())
    until(fight, "A")
    left = fight.state.fighter("A").done.delayed or fight.refusal("act_delayed", unit="A") is None
    return {"action_lost": not acted and not left}


def leave_melee(given: Given) -> Answers:
    return {"with_disengage": _leave(given, "disengage"), "without": _leave(given, "move")}


def _leave(given: Given, how: str) -> int:
    """How many strike at somebody who leaves so many in melee."""
    number = given["enemies"]
    foes = [fighter(f"B{at}", at * 0.05, 1, [BLADE]) for at in range(number)]
    fight = battle(given, [fighter("A", arsenal=[BLADE])], foes)
    for foe in foes:
        until(fight, foe["name"])
        fight.push("strike", target="A", tape=Dice(100))
    until(fight, "A")
    fight.push(how, x=0, y=-2, tape=Dice())
    return asked(fight, "to hit")


REASONS = ("same Half Action twice", "more than one Full Action worth", "more than one Attack action")


def turn_legal(given: Given) -> Answers:
    """The actions one after the other, in the first place where nothing but the turn itself stands in their way."""
    for stage in STAGES:
        fight = stage(given)
        for written in given["actions"]:
            name, params = _deed(written)
            refused = fight.refusal(name, params)
            if refused is None:
                fight.push(name, params, tape=Dice(said={"to hit": 100}))
            elif refused.kind == "economy":
                return {"legal": False, "reason": next(reason for reason in REASONS if reason in refused.reason)}
            else:
                break
        else:
            return {"legal": True}
    raise LookupError(f"nowhere can {given['actions']} be tried")


def _open(given: Given) -> Battle:
    arms = [gun(kind="Basic", semi=2, full=4, clip=400), {**BLADE, "name": "knife"}]
    who = fighter("A", arsenal=arms, psy_rating=5, cover="8", agility=60, talents=["Swift Attack"])
    fight = battle(given, [who], [fighter("B", 0, 10, [gun()])])
    return fight


def _melee(given: Given) -> Battle:
    arms = [gun(semi=2, clip=400), BLADE]
    who = fighter("A", arsenal=arms, talents=["Swift Attack"], agility=60)
    return battle(given, [who], [fighter("B", 0, 1, [BLADE])])


def _engaged(given: Given) -> Battle:
    fight = _melee(given)
    fight.push("strike", target="B", weapon="blade", tape=Dice(100))
    until(fight, "A")
    return fight


def _down(given: Given) -> Battle:
    return battle(
        given, [fighter("A", arsenal=[gun(semi=2, full=4), BLADE], prone=True)], [fighter("B", 0, 1, [BLADE])]
    )


def _fired(given: Given) -> Battle:
    fight = _open(given)
    fight.push("shoot", target="B", mode="single", tape=Dice(100))
    until(fight, "A")
    return fight


STAGES = (_open, _melee, _engaged, _down, _fired)
DEEDS: dict[str, tuple[str, dict[str, Any]]] = {
    "aim": ("aim", {"aim": "half"}),
    "aim (half)": ("aim", {"aim": "half"}),
    "aim (full)": ("aim", {"aim": "full"}),
    "all out attack": ("strike", {"target": "B", "weapon": "blade", "how": "all_out"}),
    "brace heavy weapon": ("brace", {"weapon": "gun"}),
    "called shot": ("shoot", {"target": "B", "mode": "single", "called": "head", "weapon": "gun"}),
    "charge": ("strike", {"target": "B", "weapon": "knife", "how": "charge"}),
    "defensive stance": ("defend", {}),
    "delay": ("delay", {}),
    "disengage": ("disengage", {"y": -2}),
    "feint": ("contest", {"target": "B", "what": "feint"}),
    "focus power": ("focus_power", {"target": "B", "damage": "1d10", "range": 50}),
    "focus power (half)": ("focus_power", {"target": "B", "damage": "1d10", "range": 50, "cost": "half"}),
    "focus power (full)": ("focus_power", {"target": "B", "damage": "1d10", "range": 50, "cost": "full"}),
    "full auto burst": ("shoot", {"target": "B", "mode": "full", "weapon": "gun"}),
    "guarded attack": ("strike", {"target": "B", "weapon": "blade", "how": "guarded"}),
    "jump or leap": ("leap", {"y": 1}),
    "knock-down": ("contest", {"target": "B", "what": "knock_down"}),
    "manoeuvre": ("contest", {"target": "B", "what": "manoeuvre"}),
    "move": ("move", {"y": 2, "pace": "half", "cover": "8"}),
    "move (half)": ("move", {"y": 2, "pace": "half", "cover": "8"}),
    "move (full)": ("move", {"y": 2, "pace": "full", "cover": "8"}),
    "multiple attacks": ("strike", {"target": "B", "weapon": "blade", "how": "swift"}),
    "overwatch": ("watch", {"weapon": "gun"}),
    "ready": ("ready", {"weapon": "blade", "stow": True}),
    "reload": ("reload", {"weapon": "gun"}),
    "run": ("run", {"y": -3}),
    "semi-auto burst": ("shoot", {"target": "B", "mode": "semi", "weapon": "gun"}),
    "stand/mount": ("stand", {}),
    "standard attack": ("strike", {"target": "B", "weapon": "blade"}),
    "stun": ("strike", {"target": "B", "how": "stun", "weapon": "blade"}),
    "suppressing fire": ("suppress", {"target": "B", "weapon": "gun"}),
    "tactical advance": ("advance", {"y": 2, "cover": "8"}),
    "use a skill": ("use_skill", {}),
    "use a skill (half)": ("use_skill", {"cost": "half"}),
    "use a skill (full)": ("use_skill", {"cost": "full"}),
}


def _deed(written: str) -> tuple[str, dict[str, Any]]:
    from tests.vectors.given import known

    return known(DEEDS, "action", written.lower())
