"""The question horde: what an attack does to a horde."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from battletape.answer import Answer, Roll
from battletape.errors import BadInput, Refused
from battletape.inputs import meta
from battletape.odds import percent
from battletape.profiles import ProfileBook
from battletape.rulesets.deathwatch.profiles.book import fill_attacker, fill_mode, fill_weapon, find_weapon
from battletape.rulesets.deathwatch.profiles.checks import HORDE_TRAITS
from battletape.rulesets.deathwatch.profiles.types import Ap, Horde, Stat
from battletape.rulesets.deathwatch.questions import _inputs as of
from battletape.rulesets.deathwatch.questions.shoot import drill_of, warnings_of_heat
from battletape.rulesets.deathwatch.rules import melee
from battletape.rulesets.deathwatch.rules.attack import fighters
from battletape.rulesets.deathwatch.rules.attack.fighters import ACTIONS, Held, Mob, Setting
from battletape.rulesets.deathwatch.rules.attack.modifiers import Action
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft
from battletape.rulesets.deathwatch.rules.attack.results import stops
from battletape.rulesets.deathwatch.rules.guns import LASTS, takes_a_turn
from battletape.rulesets.deathwatch.rules.hordes import several_turns, size_and_nerve
from battletape.rulesets.deathwatch.rules.hordes.attack_on_horde import Kind, Onslaught
from battletape.rulesets.deathwatch.rules.hordes.several_turns import Siege, Standing, begin_siege
from battletape.rulesets.deathwatch.rules.lenses import lens
from battletape.rulesets.deathwatch.rules.qualities.keywords import values
from battletape.rulesets.deathwatch.rules.tests import bonus
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.system import Measure, Question
from battletape.words import plural

SAMPLES: Mapping[str, str] = {"melee": "Astartes Chainsword", "flame": "Astartes Flamer"}
"""The weapon of each kind of attack if none is named."""
Magnitude = Annotated[int, meta("target", "Magnitude now", "DW-HORDE-14", ge=1, le=200, form="count")]


class AttackOnHorde(of.Shooter, of.Skilled, of.Strong, frozen=True):
    """An attacker against a horde, for one turn or several."""

    attack: Annotated[Kind, meta("attacker", "How it is attacked", "DW-HPIPE-1", form="mode")] = "shoot"
    mode: of.ModeOf = "full"
    to_hit: of.ToHit = None
    on_overwatch: of.OnOverwatch = False
    action: Annotated[
        Literal["standard", "all_out", "charge", "guarded"], meta("attacker", "Action in melee", "DW-ACT-00")
    ] = "standard"
    attacks: Annotated[
        int,
        Meta(description="more than one only in melee, with a talent for it"),
        meta("attacker", "Attacks a turn", "DW-ACT-MULTIPLE-ATTACKS", ge=1, le=3),
    ] = 1
    area: Annotated[bool, meta("attacker", "A psychic power that works on an area", "DW-HORDE-13")] = False
    horde: Annotated[str, meta("target", "Horde's profile")] = ""
    magnitude: Magnitude = 30
    starting: Annotated[
        Annotated[int, Meta(ge=1, le=200)] | None,
        meta("target", "Magnitude when it was whole; as now if left out", "DW-HORDE-16"),
    ] = None
    horde_ap: Annotated[Ap, meta("target", "Its armour", "DW-HORDE-7", short="Armour")] = 4
    horde_tb: Annotated[
        int, meta("target", "Its toughness bonus, tens only", "DW-HORDE-7", ge=0, le=30, short="TB")
    ] = 3
    horde_unnatural: Annotated[int, meta("target", "Times unnatural toughness", "DW-HORDE-7", ge=1, le=6)] = 1
    horde_cover: Annotated[int, meta("target", "AP of its cover", "DW-HORDE-7", ge=0, le=100)] = 0
    willpower: Annotated[Stat, meta("target", "Its Willpower", "DW-HORDE-16")] = 30
    traits: Annotated[tuple[str, ...], meta("target", "Its traits", "DW-HORDE-17", known=HORDE_TRAITS)] = ()
    breaks: Annotated[bool, meta("circumstances", "It may break and flee", "DW-HORDE-16")] = True
    turns: Annotated[
        int,
        Meta(description="with more than one, jams are cleared, clips reloaded and further aims taken in between"),
        meta("circumstances", "Turns", "DW-HORDE-16", ge=1, le=20),
    ] = 1


def begin_horde(inputs: AttackOnHorde, rules: Rulings = DEFAULT) -> Standing:
    """The horde about to be attacked."""
    starting = inputs.magnitude if inputs.starting is None else inputs.starting
    if starting < inputs.magnitude:
        text = (
            f"starting must be the Magnitude it had at first, {inputs.magnitude} or more; got {starting} (DW-HORDE-16)"
        )
        raise BadInput(text, field="starting")
    attack = onslaught_of(inputs, rules)
    gun = attack.kind in ("shoot", "flame")
    aims = takes_a_turn(inputs.aim, action_of(inputs, attack.kind))
    drill = drill_of(inputs, attack.steps[0][1], aims, rules, turns=inputs.turns)
    drill = drill if gun else replace(drill, clip=0, recharges=False)
    traits = size_and_nerve.traits_of(inputs.traits)
    siege = Siege(attack, drill, starting, inputs.willpower, traits.disciplined, inputs.breaks, inputs.attacks)
    return begin_siege(siege, inputs.magnitude, inputs.clip if gun else LASTS)


def kind_of(inputs: AttackOnHorde) -> Kind:
    """How the horde is attacked; a flame weapon is never aimed."""
    flames = values(inputs.qualities).flame
    if inputs.attack == "flame" and not flames:
        name = inputs.weapon or f"a weapon with {', '.join(inputs.qualities) or 'no qualities'}"
        raise BadInput(f"an attack with flames needs a flame weapon; got {name} (DW-HORDE-12)", field="attack")
    if inputs.attacks > 1 and inputs.attack != "melee":
        text = (
            f"attacks must be 1 unless it is melee; got {inputs.attacks} of {inputs.attack} (DW-ACT-MULTIPLE-ATTACKS)"
        )
        raise BadInput(text, field="attacks")
    return "flame" if inputs.attack == "shoot" and flames else inputs.attack


def action_of(inputs: AttackOnHorde, kind: Kind) -> Action:
    """What the attack is among the actions."""
    if kind == "melee":
        return inputs.action if inputs.attacks == 1 else "multiple"
    return ACTIONS[inputs.mode] if kind == "shoot" else "standard"


def onslaught_of(inputs: AttackOnHorde, rules: Rulings = DEFAULT) -> Onslaught:
    """The attack of these inputs, for every size of the horde; what the rules do not allow is refused."""
    kind = kind_of(inputs)
    draft = {"melee": blow_of, "psychic": power_of}.get(kind, fire_at)(inputs, crowd_of(inputs), rules)
    sure = kind == "psychic" and not inputs.own_willpower
    gun = Held(of.weapon_of(inputs))
    return fighters.onslaught_of(gun, draft, crowd_of(inputs), kind, inputs.horde_cover, inputs.area, sure)


def crowd_of(inputs: AttackOnHorde) -> Mob:
    """The horde attacked."""
    toughness, unnatural = 10 * inputs.horde_tb, inputs.horde_unnatural
    profile = Horde(ap=inputs.horde_ap, toughness=toughness, unnatural_toughness=unnatural, tags=(of.FOE,))
    return Mob(name="", side="defender", profile=profile)


def fire_at(inputs: AttackOnHorde, crowd: Mob, rules: Rulings = DEFAULT) -> AttackDraft:
    """A shot or burst at the horde, without its size."""
    mode = "single" if values(inputs.qualities).flame else inputs.mode
    if inputs.on_overwatch and mode == "single":
        raise Refused("overwatch fires a burst, semi or full; a single shot is not one", "DW-OVER-2", "mode")
    return of.fire_of(inputs, crowd, mode, None, rules, overwatch=inputs.on_overwatch)


def blow_of(inputs: AttackOnHorde, crowd: Mob, rules: Rulings = DEFAULT) -> AttackDraft:
    """A blow at the horde, without its size."""
    if inputs.attacks > melee.attacks_of(inputs.talents):
        raise melee.refuse_attacks(inputs.attacks, inputs.talents)
    who = of.attacker_of(inputs, True)
    return fighters.draft_of(who, who.held[0], crowd, of.setting_of(inputs, who.held[0], rules), inputs.action)


def power_of(inputs: AttackOnHorde, crowd: Mob, rules: Rulings = DEFAULT) -> AttackDraft:
    """A psychic power: Willpower and five for each point of the rating, if the psyker's Willpower is given."""
    if not inputs.psy_rating:
        text = "a psychic attack needs a psy_rating of 1 or more; got 0 (DW-HORDE-13)"
        raise BadInput(text, field="psy_rating")
    who = of.attacker_of(inputs)
    setting = Setting(rules=rules, modifier=inputs.modifier, to_hit=inputs.to_hit)
    return fighters.power_draft(who, who.held[0], crowd, setting)


# --- profiles ---------------------------------------------------------------------------------------------------------


def fill_horde(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Profiles of attacker, weapon and horde written out; the weapon says how the horde is attacked, if nobody does."""
    filled = dict(given)
    kind = str(given.get("attack") or "").strip().lower()
    if not kind and given.get("weapon"):
        weapon = find_weapon(book, str(given["weapon"]), str(given.get("ammunition") or ""))
        kind = "melee" if weapon.melee else "flame" if values(weapon.qualities).flame else "shoot"
        filled["attack"] = kind
    filled = fill_attacker(filled, book, AttackOnHorde, melee=kind == "melee")
    if kind in SAMPLES and not filled.get("weapon") and "damage" not in filled:
        filled["weapon"] = SAMPLES[kind]
    if kind == "psychic" and "damage" not in filled:
        raise BadInput("a psychic attack needs its damage, such as 2d10; got none (DW-HORDE-13)", field="damage")
    if kind == "psychic":
        filled = {"qualities": (), "damage_type": "E", "pen": 0, **filled, "weapon": ""}
    filled = fill_weapon(filled, book, AttackOnHorde, melee=None if kind == "psychic" else kind == "melee")
    if "distance" not in filled and "range" in filled and values(filled.get("qualities", ())).flame:
        filled["distance"] = filled["range"]
    filled = fill_mode(filled, AttackOnHorde) if kind in ("", "shoot", "flame") else filled
    return fill_crowd(filled, book, "fury" in given)


OF_CROWD = {
    **{name: name for name in ("magnitude", "willpower", "traits")},
    **{"ap": "horde_ap", "unnatural_toughness": "horde_unnatural"},
}


def fill_crowd(filled: dict[str, Any], book: ProfileBook, said: bool) -> dict[str, Any]:
    """Numbers of the named horde; the attacker's fury may need no confirming against its kind."""
    if not filled.get("horde"):
        return filled
    crowd: Horde = book.find("horde", str(filled["horde"]))
    numbers: dict[str, Any] = {given: getattr(crowd, name) for name, given in OF_CROWD.items()}
    numbers["horde_tb"] = bonus(crowd.toughness)
    if filled.get("attacker") and not said:
        who = book.find("character", str(filled["attacker"]))
        if who.fury and set(who.fury_sure_against) & set(crowd.tags):
            filled = {**filled, "fury": "sure"}
    now = str(filled.get("magnitude", ""))
    if now.isdecimal():
        numbers["starting"] = max(crowd.magnitude, int(now))
    return {**numbers, **filled, "horde": crowd.name}


# --- in words ---------------------------------------------------------------------------------------------------------


def horde_headline(answer: Answer) -> str:
    """The numbers that players ask for first."""
    lost, destroyed, broken = (answer.odds(name) for name in ("lost", "destroyed", "broken"))
    turns = f" in {answer.inputs.turns} turns" if answer.inputs.turns > 1 else ""
    gone = f"destroyed {percent(destroyed.chance(1))}"
    breaks = f", breaks {percent(broken.chance(1))}" if answer.inputs.breaks else ""
    jams = answer.odds("jammed").chance(1)
    risk = f", jams {percent(jams)}" if jams else ""
    return f"Loses {float(lost.mean):.1f} Magnitude on average{turns}; {gone}{breaks}{risk}."


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
    spec = attack.spec(inputs.magnitude)
    said = warnings_of_heat(inputs.qualities)
    if not attack.sure and spec.target < 1 and rules.auto_results == "none":
        said.append(f"This attack cannot hit: its target is {spec.target} (DW-TEST-1).")
    hit = spec.hits[0]
    if hit.dice * hit.sides + hit.flat <= hit.reduction and not (spec.accurate or spec.per_degree or spec.sharp):
        said.append("This weapon cannot hurt this horde" + ("." if hit.fury < 0 else " except by righteous fury."))
    if attack.kind == "shoot" and spec.cap == 1 and attack.count == (1, 0) and spec.times == 1:
        said.append("A single shot takes one Magnitude at most, however strong it is (DW-HORDE-8).")
    return said


def rounds_of(now: Standing) -> int:
    """Rounds spent, if anything is fired."""
    return now.fired * now.siege.drill.spec.rounds if now.siege.drill.clip else 0


HORDE = Question(
    "horde",
    "What will an attack do to a horde?",
    AttackOnHorde,
    begin_horde,
    several_turns.procedure,
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
        Measure("rounds", "Rounds spent", rounds_of, "rounds"),
    ),
    horde_headline,
    several_turns.narrate,
    fill=fill_horde,
    warn=warn_horde,
    stops=lambda now: stops(now.siege.attack.steps[0][1]),
    result=horde_result,
    example={
        "attacker": "Brother Ilario",
        "weapon": "Astartes Heavy Bolter",
        "distance": 30,
        "mode": "full",
        "horde": "Raider mob",
        "turns": 3,
    },
    small={"weapon": "Autogun", "bs": 45, "distance": 30, "mode": "semi", "horde": "Raider mob", "turns": 3},
    rulings=(
        *("small_horde", "horde_explosive", "horde_melee_minimum", "horde_blast", "horde_devastating"),
        *(*of.OF_TESTS, *of.OF_FATIGUE, *of.OF_SITUATIONS, *of.OF_GUNS, "jam_clear_empties_clip", "power_fist"),
        *("cover_and_penetration", "cover_doubles", "ap_doublings", "tearing", "dos_minimum_die", "righteous_fury"),
        "felling",
    ),
    lens=lens,
)
