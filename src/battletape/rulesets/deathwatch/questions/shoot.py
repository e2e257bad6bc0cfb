"""The question shoot: what fire at a character does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs, fields, meta
from battletape.log import Line
from battletape.odds import percent
from battletape.procedure import Procedure, Stage
from battletape.profiles import ProfileBook
from battletape.rulesets.deathwatch.profiles.book import fill_attacker, fill_target, fill_weapon
from battletape.rulesets.deathwatch.questions._inputs import (
    OF_SHOTS,
    ModeOf,
    OnOverwatch,
    Ranged,
    Shooter,
    ToHit,
    guard_of,
    health_of,
    shooting_of,
    shot_of,
    warn_between,
)
from battletape.rulesets.deathwatch.questions._pictures import body_hit
from battletape.rulesets.deathwatch.rules import guns, tests
from battletape.rulesets.deathwatch.rules.attack import stages
from battletape.rulesets.deathwatch.rules.attack.hit_log import stops, with_hits
from battletape.rulesets.deathwatch.rules.attack.melee_turn import Bout
from battletape.rulesets.deathwatch.rules.attack.modifiers import Action
from battletape.rulesets.deathwatch.rules.attack.records import Attack, HitRoll, Spec
from battletape.rulesets.deathwatch.rules.attack.stages import outcome, reversed_digits, sequence
from battletape.rulesets.deathwatch.rules.damage import NO_FURY
from battletape.rulesets.deathwatch.rules.guns import (
    Drill,
    Gunfire,
    begin_fire,
    clear_target,
    fire_on,
    reload_actions,
    takes_a_turn,
)
from battletape.rulesets.deathwatch.rules.lenses import lens
from battletape.rulesets.deathwatch.rules.qualities.keywords import ready, values
from battletape.rulesets.deathwatch.rules.traits import DEAD, MODES, Mode, Spot
from battletape.rulesets.deathwatch.rules.wounds import damage_done, damage_taken, row_of
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.system import Measure, Question, Rung
from battletape.words import plain, plural

if TYPE_CHECKING:
    from battletape.answer import Answer, Roll


State = Attack | Gunfire


class Shoot(Ranged, frozen=True):
    """One attack with a gun, or the fire of several turns."""

    mode: ModeOf = "full"
    to_hit: ToHit = None
    called: Annotated[Spot | None, meta("attacker", "Place aimed at, of a called shot", "DW-ACT-CALLED-SHOT")] = None
    on_overwatch: OnOverwatch = False
    shots: Annotated[
        int,
        Meta(
            description="with more than one, jams are cleared, clips reloaded, hot guns rested and further aims taken "
            "in between, and places of critical rows are shown only on request"
        ),
        meta("circumstances", "Turns of fire", "DW-JAM-2", ge=1, le=10),
    ] = 1


def begin_shoot(inputs: Shoot, rules: Rulings = DEFAULT) -> State:
    """The attack about to be made, or the first turn of fire."""
    spec, health = shoot_spec(inputs, rules), health_of(inputs)
    if inputs.shots == 1:
        return replace(stages.begin(spec, health), hit_roll=HitRoll())
    aims = takes_a_turn(inputs.aim, action_of(inputs.mode, inputs.called))
    return begin_fire(drill_of(inputs, spec, aims, rules, turns=inputs.shots), health, inputs.clip)


def shoot_procedure(start: State) -> Procedure:
    """The stages of one attack, or one for each turn."""
    if isinstance(start, Attack):
        return stages.procedure(start.spec, last=True)
    return Procedure("fire", (fire_on,) * start.drill.turns)


def shoot_spec(inputs: Shoot, rules: Rulings = DEFAULT) -> Spec:
    """The attack of these inputs; what the rules do not allow is refused."""
    if inputs.on_overwatch and inputs.mode == "single":
        raise Refused("overwatch fires a burst, semi or full; a single shot is not one", "DW-OVER-2", "mode")
    return spec_of(inputs, inputs.mode, inputs.called, inputs.on_overwatch, rules)


ACTIONS: Mapping[Mode, Action] = {"single": "standard", "semi": "semi", "full": "full"}


def action_of(mode: Mode, called: Spot | None = None) -> Action:
    """What a shot or burst is among the actions."""
    return "called" if called else ACTIONS[mode]


def spec_of(
    inputs: Ranged,
    mode: Mode,
    called: Spot | None = None,
    overwatch: bool = False,
    rules: Rulings = DEFAULT,
    by_side: bool = False,
) -> Spec:
    """A shot or burst at this target, with all modifiers and qualities."""
    situation = shooting_of(inputs, action_of(mode, called), rules, overwatch=overwatch)
    draft = replace(shot_of(inputs, mode, situation, called, rules), by_side=by_side)
    return ready(draft, inputs.qualities, guard_of(inputs, rules=rules), rules)


def drill_of(inputs: Shooter | Ranged, spec: Spec, aims: bool, rules: Rulings = DEFAULT, **more: Any) -> Drill:
    """What the shooter does turn by turn."""
    return Drill(
        spec,
        clear=clear_target(inputs.bs, (), inputs.fatigue, rules),
        clip=inputs.clip,
        reload=reload_actions(inputs.reload, values(inputs.qualities)),
        empties=rules.jam_clear_empties_clip,
        aims=aims,
        recharges=values(inputs.qualities).recharge,
        tests=Rulings(auto_results=rules.auto_results, modifier_cap=rules.modifier_cap),
        **more,
    )


def fill_ranged(given: Mapping[str, Any], book: ProfileBook, inputs: type[Ranged]) -> dict[str, Any]:
    """Profiles of attacker, gun and target written out."""
    filled = fill_weapon(fill_attacker(given, book, inputs), book, inputs, melee=False)
    return fill_target(filled, book, inputs)


def fill_shoot(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Profiles written out, and a mode the gun has."""
    return fill_mode(fill_ranged(given, book, Shoot), Shoot)


@clause("DW-RWEP-00")
def fill_mode(filled: dict[str, Any], inputs: type[Inputs]) -> dict[str, Any]:
    """Without a mode given: the usual one if the gun has it, else the fastest it has."""
    if "mode" in filled:
        return filled
    known = {given.name: given.default for given in fields(inputs)} | filled
    has = [mode for mode in MODES if str(known[mode]).strip().lower() not in ("0", "no", "false", "off")]
    return filled if known["mode"] in has or not has else {**filled, "mode": has[-1]}


# --- what came of it --------------------------------------------------------------------------------------------------


def row_words(state: State) -> str:
    """The critical row reached last: X head 7, or none."""
    victim = state.victim
    if victim.health >= 0 or damage_done(state.before, victim.health) <= 0:
        return "none"
    letter = state.spec.hits[0].damage_type
    return " ".join(filter(None, (letter, victim.spot.replace("_", " "), str(row_of(victim)))))


def rounds_of(state: State) -> int:
    """Rounds spent."""
    return state.rounds if isinstance(state, Gunfire) else state.spec.rounds


def condition(name: str) -> Callable[[Any], int]:
    """A condition of the victim as a number."""
    return lambda state: int(getattr(state.victim.conditions, name))


def is_brought(name: str) -> Callable[[Any], bool]:
    """Whether the weapon itself brings about a condition; critical rows of any weapon may.

    Bursts that do something hit by hit and once more after all hits take too long to follow for what nobody asked.
    """

    def brought(start: Any) -> bool:
        slow = any(spec.follows and spec.hits[0].acts and spec.cap * spec.times > 1 for spec in start.specs)
        return not slow and any(name in spec.brings for spec in start.specs)

    return brought


def _is(test: Callable[[Any], Any]) -> Callable[[Any], int]:
    """1 or 0, so that chances and means both read well."""
    return lambda state: int(bool(test(state)))


def hits_are_counted(start: Any) -> bool:
    """Whether hits scored are shown unasked: over several turns only where nobody evades them."""
    return not isinstance(start, Gunfire) or start.spec.guard.reaction == "none"


def is_one_attack(start: Any) -> bool:
    """Whether the place of a critical row is shown unasked: not over several turns of fire."""
    return not isinstance(start, Gunfire)


def unasked(start: Any) -> bool:
    """Never shown unasked."""
    return False


SLAIN, UNHURT = 11, -1
"""Worse than any row of a critical table that somebody lives through, and better than any wound."""


def fate_of(state: State) -> int:
    """How badly the target is hurt: the critical row that it lives through, 0 if it is only wounded."""
    health = state.victim.health
    if damage_done(state.before, health) <= 0:
        return UNHURT
    return SLAIN if health <= DEAD else row_of(state.victim)


def fate_words(fate: int) -> str:
    """That in a few words."""
    return {SLAIN: "dead", 0: "wounded", UNHURT: "unhurt"}.get(fate) or f"critical {fate}"


def _rows(first: int, last: int, about: str) -> Rung:
    return Rung(f"Critical {first} to {last}", lambda fate: first <= fate <= last, about, f"{first}–{last}")


FATE = Measure(
    "fate",
    "How badly the target is hurt",
    fate_of,
    words=fate_words,
    values=tuple(range(UNHURT, SLAIN + 1)),
    ladder=(
        Rung("Dead", SLAIN.__eq__, "by a row that kills, or any row of a minion", "†", grave=True),
        _rows(7, 10, "alive, by a hair"),
        _rows(4, 6, "alive, in a bad way"),
        _rows(1, 3, "alive, shaken and hurt"),
        Rung("Wounded", (0).__eq__, "wounds lost, no critical damage", "0"),
        Rung("Unhurt", UNHURT.__eq__, "missed, evaded or stopped", "–"),
    ),
)
HARM = (
    Measure("damage", "Damage, up to death", lambda state: damage_done(state.before, state.victim.health), "damage"),
    Measure(
        "dealt",
        "Damage dealt, with overkill",
        lambda state: state.victim.dealt or 0,
        "damage",
        usual=unasked,
    ),
    Measure("hits", "Hits scored", lambda state: state.hits, "hits", usual=hits_are_counted),
    Measure("landed", "Hits that were not evaded", lambda state: state.landed, "hits"),
    Measure("wounds", "Wounds lost", lambda state: max(0, state.before) - max(0, state.victim.health), "wounds"),
    Measure("dead", "Dead", _is(lambda state: state.victim.health <= DEAD)),
    Measure("hurt", "Hurt at all", _is(lambda state: damage_done(state.before, state.victim.health) > 0)),
    Measure("critical", "Critical row reached", row_words, usual=is_one_attack),
    Measure("critical_row", "Row of the critical table", lambda state: row_of(state.victim), "row"),
)
"""Read off any state with `victim`, `before`, `hits`, `landed` and `spec`."""
BEFALLS = {
    "stunned": ("Rounds stunned", "stunned", "rounds"),
    "prone": ("Thrown down", "prone", ""),
    "on_fire": ("On fire", "on_fire", ""),
    "bleeding": ("Bleeding", "blood_loss", ""),
    "fatigue": ("Levels of fatigue", "fatigue", "levels"),
    "held": ("Held by a snare", "immobilised", ""),
}
CONDITIONS = tuple(
    Measure(name, title, condition(field), unit, usual=is_brought(name))
    for name, (title, field, unit) in BEFALLS.items()
)
"""What befalls the target; told unasked where the weapon itself brings it about."""


def of_roll(read: Callable[[Spec, HitRoll], Any]) -> Callable[[Any], Any]:
    """What is read off the attack roll, if it was kept; else nothing."""

    def value(state: Any) -> Any:
        attack = state.attack if isinstance(state, Bout) else state
        hit_roll = attack.hit_roll if isinstance(attack, Attack) else None
        return "not followed" if hit_roll is None or not hit_roll.roll else read(state.spec, hit_roll)

    return value


def degrees_of(spec: Spec, hit_roll: HitRoll) -> int:
    """Degrees of the attack roll, of failure if it failed."""
    return tests.degrees_of(spec.target, hit_roll.roll, spec.tests).degrees


def places_of(spec: Spec, hit_roll: HitRoll) -> tuple[str, ...]:
    """Where all hits of the roll land, in order, those that are evaded too."""
    return sequence(hit_roll.first, hit_roll.hits) if hit_roll.first else ()


def hits_on(place: str) -> Callable[[Any], Any]:
    """How many hits of the roll are on a place, left and right together."""
    return of_roll(lambda spec, hit_roll: places_of(spec, hit_roll).count(place))


ROLL = (
    Measure("degrees", "Degrees of the attack roll", of_roll(degrees_of), "degrees", usual=unasked),
    Measure(
        "location",
        "Number on the table of locations",
        of_roll(lambda spec, hit_roll: reversed_digits(hit_roll.roll, spec.location)),
        usual=unasked,
    ),
    Measure(
        "first_place",
        "Where the first hit lands",
        of_roll(lambda spec, hit_roll: plain(hit_roll.first) or "nowhere"),
        usual=unasked,
    ),
    Measure(
        "places",
        "Where hits land, in order",
        of_roll(lambda spec, hit_roll: ", ".join(places_of(spec, hit_roll)) or "nowhere"),
        usual=unasked,
    ),
    Measure("head_hits", "Hits on the head", hits_on("head"), "hits", usual=unasked),
    Measure("arm_hits", "Hits on the arms", hits_on("arm"), "hits", usual=unasked),
    Measure("body_hits", "Hits on the body", hits_on("body"), "hits", usual=unasked),
    Measure("leg_hits", "Hits on the legs", hits_on("leg"), "hits", usual=unasked),
)
"""For one attack, or the last of several; not for several turns of fire."""
TAKEN = Measure(
    "damage_taken",
    "Wounds lost in all",
    lambda state: damage_taken(state.victim.health, state.spec.guard.wounds),
    "wounds",
)
MEASURES = (
    *HARM,
    Measure("jammed", "The weapon jams", _is(lambda state: state.status == "jam")),
    Measure("overheated", "The weapon overheats", _is(lambda state: state.status == "overheat")),
    Measure("rounds", "Rounds spent", rounds_of, "rounds"),
    *CONDITIONS,
)


def harm_headline(answer: Answer, risk: str = "jammed") -> str:
    """The numbers that players ask for first."""
    landed, damage = (float(answer.odds(name).mean) for name in ("landed", "damage"))
    hits = "hit" if f"{landed:.1f}" == "1.0" else "hits"
    dead, jams = answer.odds("dead").chance(1), answer.odds(risk).chance(1)
    more = f", {'jams' if risk == 'jammed' else 'overheats'} {percent(jams)}" if jams else ""
    return f"{landed:.1f} {hits} and {damage:.1f} damage on average; dead {percent(dead)}{more}."


def shoot_headline(answer: Answer) -> str:
    """Hits, damage, death and jams."""
    return harm_headline(answer, "overheated" if answer.start.spec.overheat_from <= 100 else "jammed")


def harm_result(roll: Roll) -> str:
    """What came of an attack: its hits, then how the target stands."""
    got, state = roll.results, roll.state
    hits = got["landed"] if "landed" in got else got["hits"]
    if not hits:
        missed = {"jam": "The weapon jams", "overheat": "The weapon overheats"}.get(getattr(state, "status", ""))
        return f"{missed or ('Every hit is evaded' if got['hits'] else 'No hit')}."
    return f"{plural(hits, 'hit')}: {plight(roll)}."


def plight(roll: Roll) -> str:
    """How the target stands after a roll: “Raider dead”, “Raider has 3 of 10 wounds left”."""
    state, who = roll.state, roll.inputs.target or "the target"
    health, wounds = state.victim.health, state.spec.guard.wounds
    if health <= DEAD:
        return f"{who} dead"
    if damage_done(state.before, health) <= 0:
        return f"{who} unhurt"
    left = "no wounds" if health <= 0 else f"{health} of {wounds} wounds"
    return f"{who} has {left} left" + (f", critical {row_words(state)}" if health < 0 else "")


def narrate(stage: Stage, before: Any, after: Any) -> Iterable[Line]:
    """What each stage did."""
    told = guns.narrate if isinstance(before, Gunfire) else stages.narrate
    return told(stage, before, after)


def warn_shoot(inputs: Shoot, rules: Rulings = DEFAULT) -> list[str]:
    """What a player may have overlooked."""
    more = (*warn_between(inputs, inputs.shots), *warnings_of_heat(inputs.qualities))
    return [*warnings_of(shoot_spec(inputs, rules)), *more]


def warnings_of_heat(qualities: Sequence[str]) -> list[str]:
    """What a gun that gets too hot does besides."""
    return [OWN_BURNS] if values(qualities).overheats else []


OWN_BURNS = (
    "An overheated weapon is not fired in the next turn; what it does to its bearer "
    "is worked out in a battle only (DW-QUAL-OVERHEATS)."
)
CLOUDS = {
    "smoke": "Its smoke is left out here; a battle shows where it lies and for how long (DW-QUAL-SMOKE).",
    "haywire": "Its field is left out here; a battle shows how strong it is and where (DW-QUAL-HAYWIRE).",
}
"""By the names of `Spec.tail`."""


def warnings_of(spec: Spec) -> list[str]:
    """Notes on an attack that cannot hit or cannot hurt, or does more than is worked out here."""
    said = [words for name, words in CLOUDS.items() if name in spec.tail]
    if not spec.flame and not any(outcome(spec, roll)[2] for roll in range(1, 101)):
        said.append(f"This attack cannot hit: its target is {spec.target}.")
    most = max(hit.dice * hit.sides + hit.flat - hit.reduction for hit in spec.hits)
    extra = spec.accurate or spec.per_degree or spec.sharp
    if most <= 0 and not extra:
        fury = all(hit.fury == NO_FURY for hit in spec.hits)
        said.append("This weapon cannot hurt this target" + ("." if fury else " except by righteous fury."))
    return said


SHOOT = Question(
    "shoot",
    "What will a shot or burst do to its target?",
    Shoot,
    begin_shoot,
    shoot_procedure,
    (FATE, *MEASURES, TAKEN, Measure("status", "How the attack roll went", lambda state: state.status), *ROLL),
    shoot_headline,
    with_hits(narrate, lambda state: state.spec),
    fill=fill_shoot,
    warn=warn_shoot,
    result=harm_result,
    example={
        "attacker": "Brother Cato",
        "weapon": "Astartes Bolter (Godwyn)",
        "distance": 40,
        "mode": "semi",
        "target": "Raider",
    },
    small={"weapon": "Autogun", "bs": 45, "distance": 60, "mode": "semi", "target": "Raider"},
    lead="dead",
    stops=lambda start: stops(start.spec if isinstance(start, Attack) else start.drill.spec),
    rulings=OF_SHOTS,
    lens=lens,
    outlines=body_hit(
        lambda inputs, rules: spec_of(inputs, inputs.mode, inputs.called, inputs.on_overwatch, rules, by_side=True),
        aimed="called",
        aimed_with={"mode": "single"},
    ),
)
