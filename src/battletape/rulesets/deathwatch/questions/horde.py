"""The question horde: what an attack does to a horde."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from battletape.cards import (
    Answer,
    Lead,
    Measure,
    ProfileBook,
    Question,
    Roll,
    asked,
    fill_from,
)
from battletape.rulebook import BadInput, Caution, plural, raise_if_refused, replace
from battletape.rulesets.deathwatch.profiles import types
from battletape.rulesets.deathwatch.profiles.book import fill_attacker, fill_mode, fill_weapon, find_weapon
from battletape.rulesets.deathwatch.questions import _inputs
from battletape.rulesets.deathwatch.questions.shoot import fire_plan_of, warnings_of_harm, warnings_of_heat
from battletape.rulesets.deathwatch.rules import d100_tests, guns, hordes, lenses, melee
from battletape.rulesets.deathwatch.rules.attack import fighters, modifiers, records, results
from battletape.rulesets.deathwatch.rules.keywords import qualities_named
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings

SAMPLES: Mapping[str, str] = {"melee": "Astartes Chainsword", "flame": "Astartes Flamer"}
"""The weapon of each kind of attack if none is named."""
TURNS_NOTE = "with more than one, jams are cleared, clips reloaded and further aims taken in between"
ATTACKS_NOTE = "more than one only in melee, with a talent for it"


class HordeInputs(_inputs.ShooterInputs, _inputs.MeleeSkillInputs, _inputs.MeleeStrengthInputs, frozen=True):
    """An attacker against a horde, for one turn or several."""

    attack: hordes.Kind = asked("shoot", "How it is attacked", "DW-HPIPE-1", group="attacker", form="mode")
    mode: _inputs.ModeOf = "full"
    to_hit: _inputs.ToHit = None
    on_overwatch: _inputs.OnOverwatch = False
    action: _inputs.BlowAction = asked("standard", "Action in melee", "DW-ACT-00", group="attacker")
    attacks: int = asked(
        1, "Attacks a turn", "DW-ACT-MULTIPLE-ATTACKS", group="attacker", note=ATTACKS_NOTE, ge=1, le=3
    )
    area: bool = asked(False, "A psychic power that works on an area", "DW-HORDE-13", group="attacker")
    horde: str = asked("", "Horde's profile", group="target", profile="horde")
    magnitude: int = asked(30, "Magnitude now", "DW-HORDE-14", group="target", form="count", ge=1, le=200)
    starting: int | None = asked(
        None, "Magnitude when it was whole", "DW-HORDE-16", about="as now if left out", group="target", ge=1, le=200
    )
    horde_ap: types.Ap = asked(4, "Its armour", "DW-HORDE-7", group="target", short="Armour")
    horde_tb: int = asked(3, "Its toughness bonus, tens only", "DW-HORDE-7", group="target", short="TB", ge=0, le=30)
    horde_unnatural: int = asked(1, "Times unnatural toughness", "DW-HORDE-7", group="target", ge=1, le=6)
    horde_cover: int = asked(0, "AP of its cover", "DW-HORDE-7", group="target", ge=0, le=100)
    willpower: types.Stat = asked(30, "Its Willpower", "DW-HORDE-16", group="target")
    traits: tuple[str, ...] = asked((), "Its traits", "DW-HORDE-17", group="target", known=tuple(hordes.TRAITS))
    armed: _inputs.IsArmed = True
    surprised: _inputs.Surprised = False
    running: _inputs.Running = False
    engaged: _inputs.Engaged = False
    breaks: bool = asked(True, "It may break and flee", "DW-HORDE-16", group="circumstances")
    turns: int = asked(1, "Turns", "DW-HORDE-16", group="circumstances", note=TURNS_NOTE, ge=1, le=20)


def begin_horde(inputs: HordeInputs, rulings: Rulings = DEFAULT) -> hordes.HordeFightState:
    """Return the horde about to be attacked."""
    starting = inputs.magnitude if inputs.starting is None else inputs.starting
    if starting < inputs.magnitude:
        most = f"{inputs.magnitude} or more; got {starting}"
        raise BadInput.of("starting", f"must be the Magnitude it had at first, {most}", clause="DW-HORDE-16")
    attack = horde_attack_of(inputs, rulings)
    gun = attack.kind in ("shoot", "flame")
    aims = guns.takes_a_turn(inputs.aim, action_of(inputs, attack.kind))
    fire_plan = fire_plan_of(inputs, attack.by_size[0][1], aims, rulings, turns=inputs.turns)
    fire_plan = fire_plan if gun else replace(fire_plan, clip=0, recharges=False)
    traits = hordes.traits_of(inputs.traits)
    siege = hordes.HordeFight(
        attack, fire_plan, starting, inputs.willpower, traits.disciplined, inputs.breaks, inputs.attacks
    )
    return hordes.begin_horde_fight(siege, inputs.magnitude, inputs.clip if gun else guns.UNLIMITED)


def kind_of(inputs: HordeInputs) -> hordes.Kind:
    """Return how the horde is attacked; a flame weapon is never aimed."""
    flames = qualities_named(inputs.qualities).flame
    if inputs.attack == "flame" and not flames:
        name = inputs.weapon or f"a weapon with {', '.join(inputs.qualities) or 'no qualities'}"
        raise BadInput(f"an attack with flames needs a flame weapon; got {name}", field="attack", clause="DW-HORDE-12")
    if inputs.attacks > 1 and inputs.attack != "melee":
        came = f"{inputs.attacks} of {inputs.attack}"
        raise BadInput.of("attacks", f"must be 1 unless it is melee; got {came}", clause="DW-ACT-MULTIPLE-ATTACKS")
    return "flame" if inputs.attack == "shoot" and flames else inputs.attack


def action_of(inputs: HordeInputs, kind: hordes.Kind) -> modifiers.Action:
    """Return the attack as an action of the table."""
    if kind == "melee":
        return inputs.action if inputs.attacks == 1 else "multiple"
    return fighters.ACTIONS[inputs.mode] if kind == "shoot" else "standard"


def horde_attack_of(inputs: HordeInputs, rulings: Rulings = DEFAULT) -> hordes.HordeAttack:
    """Return the attack of these inputs, for every size of the horde; refuse what the rules do not allow."""
    kind, horde, gun = kind_of(inputs), horde_of(inputs), fighters.CarriedWeapon(_inputs.weapon_of(inputs))
    draft, sure = _draft(inputs, kind, horde, rulings), kind == "psychic" and not inputs.own_willpower
    return fighters.horde_attack_of(gun, draft, horde, kind, inputs.area, sure)


def horde_of(inputs: HordeInputs) -> fighters.Mob:
    """Return the horde attacked."""
    toughness, unnatural = 10 * inputs.horde_tb, inputs.horde_unnatural
    profile = types.Horde(
        ap=inputs.horde_ap, toughness=toughness, unnatural_toughness=unnatural, tags=(_inputs.TARGET_TAG,)
    )
    return fighters.Mob(
        name="",
        side="defender",
        profile=profile,
        cover_ap=inputs.horde_cover,
        surprised=inputs.surprised,
        done=fighters.Done(running=inputs.running),
    )


def _draft(inputs: HordeInputs, kind: hordes.Kind, horde: fighters.Mob, rulings: Rulings) -> records.AttackDraft:
    """Return a shot, a blow or a psychic power at the horde, without its size."""
    if kind == "melee":
        raise_if_refused(melee.refuse_attacks(inputs.attacks, inputs.talents))
        return _inputs.blow_draft(inputs, horde, rulings, inputs.action)
    if kind == "psychic":
        if not inputs.psy_rating:
            raise BadInput(
                "a psychic attack needs a psy_rating of 1 or more; got 0", field="psy_rating", clause="DW-HORDE-13"
            )
        attacker = _inputs.attacker_of(inputs)
        setting = fighters.AttackSetting(rulings=rulings, modifier=inputs.modifier, to_hit=inputs.to_hit)
        return fighters.power_draft(attacker, attacker.weapons[0], horde, setting)
    return _inputs.shot_draft(inputs, horde, inputs.mode, rulings)


def fill_horde(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in the profiles of attacker, weapon and horde; the weapon tells how it attacks, if nothing else does."""
    filled = dict(given)
    kind = str(given.get("attack") or "").strip().lower()
    if not kind and given.get("weapon"):
        weapon = find_weapon(book, str(given["weapon"]), str(given.get("ammunition") or ""))
        kind = "melee" if weapon.melee else "flame" if qualities_named(weapon.qualities).flame else "shoot"
        filled["attack"] = kind
    filled = fill_attacker(filled, book, None if kind == "psychic" else kind == "melee")
    if kind in SAMPLES and not filled.get("weapon") and "damage" not in filled:
        filled["weapon"] = SAMPLES[kind]
    if kind == "psychic" and "damage" not in filled:
        raise BadInput(
            "a psychic attack needs its damage, such as 2d10; got none", field="damage", clause="DW-HORDE-13"
        )
    if kind == "psychic":
        filled = {"qualities": (), "damage_type": "E", "pen": 0, **filled, "weapon": ""}
    filled = fill_weapon(filled, book, None if kind == "psychic" else kind == "melee")
    if "distance" not in filled and "range" in filled and qualities_named(filled.get("qualities", ())).flame:
        filled["distance"] = filled["range"]
    filled = fill_mode(filled, HordeInputs) if kind in ("", "shoot", "flame") else filled
    now, same = str(filled.get("magnitude", "")), ("magnitude", "willpower", "traits")
    read: dict[str, Any] = {"horde_ap": attrgetter("ap"), "horde_unnatural": attrgetter("unnatural_toughness")}
    read |= {"horde_tb": lambda horde: d100_tests.bonus(horde.toughness)}
    read |= {"armed": lambda horde: bool(horde.weapons)}
    read |= {"starting": lambda horde: max(horde.magnitude, int(now)) if now.isdecimal() else None}
    return fill_from(filled, "horde", book, *same, **read)


def _in_turns(answer: Answer) -> str:
    return f" in {answer.inputs.turns} turns" if answer.inputs.turns > 1 else ""


def horde_headline(answer: Answer) -> str:
    """Say the Magnitude lost, and how likely the horde is destroyed or breaks."""
    lost = f"Loses {answer.average('lost')} Magnitude on average{_in_turns(answer)}"
    destroyed = f"destroyed {answer.chance('destroyed')}"
    breaks = f", breaks {answer.chance('broken')}" if answer.inputs.breaks else ""
    return f"{lost}; {destroyed}{breaks}{answer.risk('jams', 'jammed')}."


def horde_result(roll: Roll) -> str:
    """Say what came of the attacks on a horde."""
    measured, name = roll.results, roll.inputs.horde or "the horde"
    hits = plural(measured["hits"], "hit") if measured["hits"] else "No hit"
    if measured["destroyed"]:
        return f"{hits}: {name} destroyed in turn {measured['destroyed_in']}."
    if measured["broken"]:
        return f"{hits}: {name} breaks in turn {measured['broken_in']}, Magnitude {measured['magnitude']} left."
    jams = ", the weapon jams" if measured["jammed"] else ", the weapon overheats" if measured["overheated"] else ""
    loses = f"loses {measured['lost']} Magnitude, {measured['magnitude']} left" if measured["lost"] else "loses nothing"
    return f"{hits}{jams}: {name} {loses}."


def warn_horde(inputs: HordeInputs, rulings: Rulings = DEFAULT) -> list[str | Caution]:
    """Warn of attacks that cannot hit or hurt, and of heat."""
    attack = horde_attack_of(inputs, rulings)
    spec, warnings = attack.spec(inputs.magnitude), warnings_of_heat(inputs.qualities)
    if not attack.always_hits and spec.target < 1 and rulings.auto_results == "none":
        warnings.append(Caution(f"This attack cannot hit: its target is {spec.target}.", "DW-TEST-1"))
    warnings += warnings_of_harm(spec, "horde")
    if attack.kind == "shoot" and spec.max_hits == 1 and attack.hit_count == (1, 0) and spec.hit_multiplier == 1:
        warnings.append(Caution("A single shot takes one Magnitude at most, however strong it is.", "DW-HORDE-8"))
    return warnings


AT_A_MOB = {"distance": 30, "mode": "full", "horde": "Raider mob", "turns": 3}
HORDE = Question(
    "horde",
    "What will an attack do to a horde?",
    HordeInputs,
    begin_horde,
    hordes.horde_fight_procedure,
    (
        Measure("lost", "Magnitude lost", lambda now: now.before - now.magnitude, "Magnitude"),
        Measure("magnitude", "Magnitude left", lambda now: now.magnitude, "Magnitude"),
        Measure("destroyed", "Destroyed", lambda now: int(now.magnitude <= 0)),
        Measure("broken", "Breaks", lambda now: int(now.broken_in > 0)),
        Measure("broken_in", "Breaks in turn (0 not)", lambda now: now.broken_in, "turn"),
        Measure("destroyed_in", "Destroyed in turn (0 not)", lambda now: now.destroyed_in, "turn"),
        Measure("hits", "Hits", lambda now: now.hits, "hits", usual=lambda now: now.fight.fire_plan.turns == 1),
        Measure("jammed", "The weapon jams", lambda now: int(now.gun.status == "jam")),
        Measure("overheated", "The weapon overheats", lambda now: int(now.gun.status == "overheat")),
        Measure("rounds", "Rounds spent", lambda now: now.rounds if now.fight.fire_plan.clip else 0, "rounds"),
    ),
    horde_headline,
    fill=fill_horde,
    warn=warn_horde,
    stops=lambda now: results.reduction_lines(now.fight.attack.by_size[0][1]),
    result=horde_result,
    example={"attacker": "Brother Ilario", "weapon": "Astartes Heavy Bolter", **AT_A_MOB},
    small={"weapon": "Autogun", "bs": 45, **AT_A_MOB, "mode": "semi"},
    rulings=(
        *("small_horde", "horde_explosive", "horde_melee_minimum", "horde_blast", "horde_devastating"),
        *(*_inputs.OF_GUNS, *_inputs.OF_DAMAGE, "jam_clear_empties_clip", "power_fist"),
        *("cover_and_penetration", "cover_doubles", "cover_degrades", "ap_doublings"),
    ),
    lens=lenses.lens,
    lead=(
        Lead("broken", lambda answer: f"breaks{_in_turns(answer)}", when=lambda answer: answer.inputs.breaks),
        Lead("lost", lambda answer: f"Magnitude lost on average{_in_turns(answer)}"),
    ),
)
