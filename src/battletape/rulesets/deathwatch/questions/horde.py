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
    pick_fields,
)
from battletape.rulebook import BadInput, plural, raise_if_refused, replace
from battletape.rulesets.deathwatch.profiles import types
from battletape.rulesets.deathwatch.profiles.book import fill_attacker, fill_mode, fill_weapon, find_weapon
from battletape.rulesets.deathwatch.questions import _inputs as of
from battletape.rulesets.deathwatch.questions.shoot import drill_of, warnings_of_harm, warnings_of_heat
from battletape.rulesets.deathwatch.rules import guns, hordes, lenses, melee, tests
from battletape.rulesets.deathwatch.rules.attack import fighters, modifiers, records, results
from battletape.rulesets.deathwatch.rules.keywords import values
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings

SAMPLES: Mapping[str, str] = {"melee": "Astartes Chainsword", "flame": "Astartes Flamer"}
"""The weapon of each kind of attack if none is named."""
TURNS_NOTE = "with more than one, jams are cleared, clips reloaded and further aims taken in between"
ATTACKS_NOTE = "more than one only in melee, with a talent for it"


class AttackOnHorde(of.Shooter, of.Skilled, of.Strong, frozen=True):
    """An attacker against a horde, for one turn or several."""

    attack: hordes.Kind = asked("shoot", "How it is attacked", "DW-HPIPE-1", group="attacker", form="mode")
    mode: of.ModeOf = "full"
    to_hit: of.ToHit = None
    on_overwatch: of.OnOverwatch = False
    action: of.Blow = asked("standard", "Action in melee", "DW-ACT-00", group="attacker")
    attacks: int = asked(
        1, "Attacks a turn", "DW-ACT-MULTIPLE-ATTACKS", group="attacker", note=ATTACKS_NOTE, ge=1, le=3
    )
    area: bool = asked(False, "A psychic power that works on an area", "DW-HORDE-13", group="attacker")
    horde: str = asked("", "Horde's profile", group="target", profile="horde")
    magnitude: int = asked(30, "Magnitude now", "DW-HORDE-14", group="target", form="count", ge=1, le=200)
    starting: int | None = asked(
        None, "Magnitude when it was whole; as now if left out", "DW-HORDE-16", group="target", ge=1, le=200
    )
    horde_ap: types.Ap = asked(4, "Its armour", "DW-HORDE-7", group="target", short="Armour")
    horde_tb: int = asked(3, "Its toughness bonus, tens only", "DW-HORDE-7", group="target", short="TB", ge=0, le=30)
    horde_unnatural: int = asked(1, "Times unnatural toughness", "DW-HORDE-7", group="target", ge=1, le=6)
    horde_cover: int = asked(0, "AP of its cover", "DW-HORDE-7", group="target", ge=0, le=100)
    willpower: types.Stat = asked(30, "Its Willpower", "DW-HORDE-16", group="target")
    traits: tuple[str, ...] = asked((), "Its traits", "DW-HORDE-17", group="target", known=tuple(hordes.TRAITS))
    armed: of.IsArmed = True
    surprised: of.Surprised = False
    running: of.Running = False
    engaged: of.Engaged = False
    breaks: bool = asked(True, "It may break and flee", "DW-HORDE-16", group="circumstances")
    turns: int = asked(1, "Turns", "DW-HORDE-16", group="circumstances", note=TURNS_NOTE, ge=1, le=20)


def begin_horde(inputs: AttackOnHorde, rules: Rulings = DEFAULT) -> hordes.SiegeState:
    """The horde about to be attacked."""
    starting = inputs.magnitude if inputs.starting is None else inputs.starting
    if starting < inputs.magnitude:
        most = f"{inputs.magnitude} or more; got {starting}"
        raise BadInput.of("starting", f"must be the Magnitude it had at first, {most}", clause="DW-HORDE-16")
    attack = onslaught_of(inputs, rules)
    gun = attack.kind in ("shoot", "flame")
    aims = guns.takes_a_turn(inputs.aim, action_of(inputs, attack.kind))
    drill = drill_of(inputs, attack.steps[0][1], aims, rules, turns=inputs.turns)
    drill = drill if gun else replace(drill, clip=0, recharges=False)
    traits = hordes.traits_of(inputs.traits)
    siege = hordes.Siege(attack, drill, starting, inputs.willpower, traits.disciplined, inputs.breaks, inputs.attacks)
    return hordes.begin_siege(siege, inputs.magnitude, inputs.clip if gun else guns.LASTS)


def kind_of(inputs: AttackOnHorde) -> hordes.Kind:
    """How the horde is attacked; a flame weapon is never aimed."""
    flames = values(inputs.qualities).flame
    if inputs.attack == "flame" and not flames:
        name = inputs.weapon or f"a weapon with {', '.join(inputs.qualities) or 'no qualities'}"
        raise BadInput(f"an attack with flames needs a flame weapon; got {name}", field="attack", clause="DW-HORDE-12")
    if inputs.attacks > 1 and inputs.attack != "melee":
        came = f"{inputs.attacks} of {inputs.attack}"
        raise BadInput.of("attacks", f"must be 1 unless it is melee; got {came}", clause="DW-ACT-MULTIPLE-ATTACKS")
    return "flame" if inputs.attack == "shoot" and flames else inputs.attack


def action_of(inputs: AttackOnHorde, kind: hordes.Kind) -> modifiers.Action:
    """What the attack is among the actions."""
    if kind == "melee":
        return inputs.action if inputs.attacks == 1 else "multiple"
    return fighters.ACTIONS[inputs.mode] if kind == "shoot" else "standard"


def onslaught_of(inputs: AttackOnHorde, rules: Rulings = DEFAULT) -> hordes.HordeAttack:
    """The attack of these inputs, for every size of the horde; what the rules do not allow is refused."""
    kind, crowd, gun = kind_of(inputs), crowd_of(inputs), fighters.CarriedWeapon(of.weapon_of(inputs))
    draft, sure = _draft(inputs, kind, crowd, rules), kind == "psychic" and not inputs.own_willpower
    return fighters.onslaught_of(gun, draft, crowd, kind, inputs.area, sure)


def crowd_of(inputs: AttackOnHorde) -> fighters.Mob:
    """The horde attacked."""
    toughness, unnatural = 10 * inputs.horde_tb, inputs.horde_unnatural
    profile = types.Horde(ap=inputs.horde_ap, toughness=toughness, unnatural_toughness=unnatural, tags=(of.FOE,))
    state = pick_fields(inputs, "surprised", "running")
    return fighters.Mob(name="", side="defender", profile=profile, cover_ap=inputs.horde_cover, **state)


def _draft(inputs: AttackOnHorde, kind: hordes.Kind, crowd: fighters.Mob, rules: Rulings) -> records.AttackDraft:
    """A shot, a blow or a psychic power at the horde, without its size."""
    if kind == "melee":
        raise_if_refused(melee.refuse_attacks(inputs.attacks, inputs.talents))
        return of.blow_of(inputs, crowd, rules, inputs.action)
    if kind == "psychic":
        if not inputs.psy_rating:
            raise BadInput(
                "a psychic attack needs a psy_rating of 1 or more; got 0", field="psy_rating", clause="DW-HORDE-13"
            )
        who = of.attacker_of(inputs)
        setting = fighters.Setting(rules=rules, modifier=inputs.modifier, to_hit=inputs.to_hit)
        return fighters.power_draft(who, who.held[0], crowd, setting)
    return of.fire_of(inputs, crowd, inputs.mode, rules)


def fill_horde(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Profiles of attacker, weapon and horde written out; the weapon says how the horde is attacked, if nobody does."""
    filled = dict(given)
    kind = str(given.get("attack") or "").strip().lower()
    if not kind and given.get("weapon"):
        weapon = find_weapon(book, str(given["weapon"]), str(given.get("ammunition") or ""))
        kind = "melee" if weapon.melee else "flame" if values(weapon.qualities).flame else "shoot"
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
    if "distance" not in filled and "range" in filled and values(filled.get("qualities", ())).flame:
        filled["distance"] = filled["range"]
    filled = fill_mode(filled, AttackOnHorde) if kind in ("", "shoot", "flame") else filled
    now, same = str(filled.get("magnitude", "")), ("magnitude", "willpower", "traits")
    read: dict[str, Any] = {"horde_ap": attrgetter("ap"), "horde_unnatural": attrgetter("unnatural_toughness")}
    read |= {"horde_tb": lambda crowd: tests.bonus(crowd.toughness)}
    read |= {"armed": lambda crowd: bool(crowd.weapons)}
    read |= {"starting": lambda crowd: max(crowd.magnitude, int(now)) if now.isdecimal() else None}
    return fill_from(filled, "horde", book, *same, **read)


def _in_turns(answer: Answer) -> str:
    return f" in {answer.inputs.turns} turns" if answer.inputs.turns > 1 else ""


def horde_headline(answer: Answer) -> str:
    """The numbers that players ask for first."""
    lost = f"Loses {answer.average('lost')} Magnitude on average{_in_turns(answer)}"
    destroyed = f"destroyed {answer.chance('destroyed')}"
    breaks = f", breaks {answer.chance('broken')}" if answer.inputs.breaks else ""
    return f"{lost}; {destroyed}{breaks}{answer.risk('jams', 'jammed')}."


def horde_result(roll: Roll) -> str:
    """What came of the attacks on a horde."""
    got, name = roll.results, roll.inputs.horde or "the horde"
    hits = plural(got["hits"], "hit") if got["hits"] else "No hit"
    if got["destroyed"]:
        return f"{hits}: {name} destroyed in turn {got['destroyed_in']}."
    if got["broken"]:
        return f"{hits}: {name} breaks in turn {got['broken_in']}, Magnitude {got['magnitude']} left."
    jams = ", the weapon jams" if got["jammed"] else ", the weapon overheats" if got["overheated"] else ""
    loses = f"loses {got['lost']} Magnitude, {got['magnitude']} left" if got["lost"] else "loses nothing"
    return f"{hits}{jams}: {name} {loses}."


def warn_horde(inputs: AttackOnHorde, rules: Rulings = DEFAULT) -> list[str]:
    """What a player may have overlooked."""
    attack = onslaught_of(inputs, rules)
    spec, said = attack.spec(inputs.magnitude), warnings_of_heat(inputs.qualities)
    if not attack.sure and spec.target < 1 and rules.auto_results == "none":
        said.append(f"This attack cannot hit: its target is {spec.target} (DW-TEST-1).")
    said += warnings_of_harm(spec, "horde")
    if attack.kind == "shoot" and spec.cap == 1 and attack.count == (1, 0) and spec.times == 1:
        said.append("A single shot takes one Magnitude at most, however strong it is (DW-HORDE-8).")
    return said


AT_A_MOB = {"distance": 30, "mode": "full", "horde": "Raider mob", "turns": 3}
HORDE = Question(
    "horde",
    "What will an attack do to a horde?",
    AttackOnHorde,
    begin_horde,
    hordes.siege_procedure,
    (
        Measure("lost", "Magnitude lost", lambda now: now.before - now.magnitude, "Magnitude"),
        Measure("magnitude", "Magnitude left", lambda now: now.magnitude, "Magnitude"),
        Measure("destroyed", "Destroyed", lambda now: int(now.magnitude <= 0)),
        Measure("broken", "Breaks", lambda now: int(now.broken_in > 0)),
        Measure("broken_in", "Breaks in turn (0 not)", lambda now: now.broken_in, "turn"),
        Measure("destroyed_in", "Destroyed in turn (0 not)", lambda now: now.destroyed_in, "turn"),
        Measure("hits", "Hits", lambda now: now.hits, "hits", usual=lambda now: now.siege.drill.turns == 1),
        Measure("jammed", "The weapon jams", lambda now: int(now.gun.status == "jam")),
        Measure("overheated", "The weapon overheats", lambda now: int(now.gun.status == "overheat")),
        Measure("rounds", "Rounds spent", lambda now: now.rounds if now.siege.drill.clip else 0, "rounds"),
    ),
    horde_headline,
    fill=fill_horde,
    warn=warn_horde,
    stops=lambda now: results.stops(now.siege.attack.steps[0][1]),
    result=horde_result,
    example={"attacker": "Brother Ilario", "weapon": "Astartes Heavy Bolter", **AT_A_MOB},
    small={"weapon": "Autogun", "bs": 45, **AT_A_MOB, "mode": "semi"},
    rulings=(
        *("small_horde", "horde_explosive", "horde_melee_minimum", "horde_blast", "horde_devastating"),
        *(*of.OF_GUNS, *of.OF_DAMAGE, "jam_clear_empties_clip", "power_fist"),
        *("cover_and_penetration", "cover_doubles", "ap_doublings"),
    ),
    lens=lenses.lens,
    lead=(
        Lead("broken", lambda answer: f"breaks{_in_turns(answer)}", when=lambda answer: answer.inputs.breaks),
        Lead("lost", lambda answer: f"Magnitude lost on average{_in_turns(answer)}"),
    ),
)
