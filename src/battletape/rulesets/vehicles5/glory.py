"""Death or glory: one model stays in the way of a tank and strikes, to stop it or to die."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.vehicles5.damage import Condition, effective, forget, modifier_of_hit, row_of_value, suffer
from battletape.rulesets.vehicles5.keywords import ready
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.traits import Ap, Hit, PenDice, Row
from battletape.rulesets.vehicles5.volley import Aim, Shot, expected, shot_result
from battletape.tape import Tape


class Glory(Struct, frozen=True):
    """A weapon for a death or glory attack."""

    name: str
    strength: int
    ap: Ap | None = None
    dice: PenDice = "d6"
    hits: int = 1  # shots of the weapon; by the sheet only one of them counts
    rules: tuple[str, ...] = ()
    model: int = 0  # which model of its unit has it
    at: float | None = None  # how far the tank has come when it reaches that model


@clause("V5-DOG-1")
def refuse_glory(morale_passed: bool, model_in_path: bool, tried: bool = False) -> Refused | None:
    """Why no model may try death or glory."""
    if not morale_passed:
        return Refused("the unit has failed its morale test and falls back", "V5-DOG-1", "morale")
    if not model_in_path:
        return Refused("only a model in the path of the tank may try death or glory", "V5-DOG-1", "path")
    return Refused("a unit tries death or glory once for each time it is hit", "V5-DOG-1", "tried") if tried else None


@clause("V5-DOG-3", "V5-DOG-4")
def stops(row: Row, rules: Rulings = DEFAULT) -> bool:
    """Whether a result stops a tank; where it does not, the model is destroyed."""
    if row == "weapon_destroyed":
        return rules.dog_weapon_destroyed_stops
    return row not in ("none", "shaken")


@clause("V5-DOG-2", "V5-CORE-4")
def glory_shots(
    glory: Glory, front: int, open_topped: bool = False, rules: Rulings = DEFAULT, by: str = "defender"
) -> tuple[Shot, ...]:
    """The attack as sure hits on the tank's front: one, without cover, and up close for melta."""
    aim = Aim(
        glory.name,
        0,
        glory.strength,
        front,
        glory.ap,
        glory.dice,
        open_topped=open_topped,
        half_range=rules.death_or_glory_melta == "half_range",
        by=by,
    )
    return (ready(aim, glory.rules, rules),) * (glory.hits if rules.death_or_glory_hits == "all_shots" else 1)


@clause("V5-DOG-3", "V5-DOG-2", "V5-DOG-4")
def last_stand(
    tape: Tape, tank: Condition, shots: tuple[Shot, ...], weapon_stops: bool = True
) -> tuple[Condition, bool]:
    """A death or glory attack: the tank after it, and whether it is stopped."""
    stand: tuple[Condition, bool] = tape.each(stand_firm, (tank, False), tuple((shot, weapon_stops) for shot in shots))
    return stand


@clause("V5-DOG-3", "V5-DOG-4")
def stand_firm(tape: Tape, stand: tuple[Condition, bool], attack: tuple[Shot, bool]) -> tuple[Condition, bool]:
    """One hit of the attack; what it really does to the tank decides, such as a weapon lost that was the last."""
    (tank, stopped), (shot, weapon_stops) = stand, attack
    if tank.is_destroyed:
        return stand
    row: Row = tape.call(shot_result, shot)
    rules = DEFAULT if weapon_stops else _WEAPONS_DO_NOT_STOP
    return forget(suffer(tape, tank, row, shot.by)), stopped or stops(effective(tank, row), rules)


_WEAPONS_DO_NOT_STOP = Rulings(dog_weapon_destroyed_stops=False)


@clause("V5-DOG-3")
def chance_to_stop(tank: Condition, shots: tuple[Shot, ...], rules: Rulings = DEFAULT) -> Fraction:
    """How likely an attack stops a tank: whoever picks a weapon for it has this in mind."""
    stopped, driving = Fraction(0), {tank: Fraction(1)}
    for shot in shots:
        hits, after = expected((shot,)), dict[Condition, Fraction]()
        hit: Hit
        for hit, chance in (("glance", hits.glancing), ("penetrate", hits.penetrating)):
            for die in range(1, 7):
                row = row_of_value(die + modifier_of_hit(shot.modifier, hit), shot.low)
                for now, so_far in driving.items():
                    done, part = effective(now, row), so_far * chance / 6
                    if stops(done, rules):
                        stopped += part
                    else:
                        left = replace(now, weapons=now.weapons[1:]) if done == "weapon_destroyed" else now
                        after[left] = after.get(left, Fraction(0)) + part
        for now, so_far in driving.items():
            after[now] = after.get(now, Fraction(0)) + so_far * (1 - hits.glancing - hits.penetrating)
        driving = after
    return stopped
