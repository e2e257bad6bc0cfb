"""Shooting in a battle: what each shot sees and can do, then its stages at machines and squads, blasts, and nerves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.procedure import Procedure
from battletape.rulesets.vehicles5.battle.destruction import clear_ruins, fallen, risk_pinning
from battletape.rulesets.vehicles5.battle.state import Machine, Squad, State, Unitlike, bereaved, things_of
from battletape.rulesets.vehicles5.profiles.book import is_template, rules_of
from battletape.rulesets.vehicles5.profiles.types import Fitting, Weapon
from battletape.rulesets.vehicles5.rules import blasts, firing, geometry, special_rules, traits, troops
from battletape.rulesets.vehicles5.rules.damage import Condition, wear
from battletape.rulesets.vehicles5.rules.shooting import Aim, Mark, Shot, best_cover, hit_needs, roll_hits, strike
from battletape.rulesets.vehicles5.tables.printed import NEVER
from battletape.system import Measure
from battletape.table import areas, markers, teardrops
from battletape.table.bases import Base
from battletape.table.distances import gap, overlaps
from battletape.table.hulls import Hull
from battletape.table.points import TOLERANCE, Point
from battletape.table.sight import Eye, Face, can_see, hidden_fraction, round_face, walls_of
from battletape.tape import Tape

MAN_HIGH = 1.0  # inches from the ground to the eyes and to the top of a soldier


class Muzzle(Struct, frozen=True):
    """One weapon about to be fired: where it is, how often it shoots, and how well."""

    weapon: Weapon
    eye: Eye
    shots: int
    bs: int
    distance: float
    barrage: bool = False
    sees: bool = True
    rules: tuple[str, ...] = ()  # of the unit, such as tank hunters


class Salvo(Struct, frozen=True):
    """Shots of one weapon at a squad; needs 0 means that all of them hit."""

    squad: str
    name: str
    dice: int
    needs: int
    strength: int
    ap: traits.Ap | None = None
    again: bool = False
    cover: int = NEVER
    struck: tuple[int, ...] | None = None  # the models that lie under a marker, if not all may fall


class Dropped(blasts.Shell, frozen=True):
    """A blast marker on its way, from where and at whom."""

    weapon: Weapon = Weapon()
    start: Point = Point(0.0, 0.0)
    target: str = ""
    cover: int = NEVER  # of what stands between the weapon and its target


# --- sight and cover ------------------------------------------------------------------------------------------------


@lru_cache(256)
def _high(field: State, firer: str, target: str, through: bool) -> tuple[tuple[areas.Ground | Hull, float, int], ...]:
    """High ground and other machines, with the save each gives; sight may go `through` the target's own ground."""
    own = things_of(field.find(target))
    grounds = (
        (marker.ground, marker.top, marker.cover)
        for marker in field.grounds
        if marker.top > 0 and not (through and any(overlaps(thing, marker.ground) for thing in own))
    )
    machines = (machine for machine in field.machines if not machine.is_gone and machine.name not in (firer, target))
    return (*grounds, *((machine.hull, machine.profile.height, geometry.COVER) for machine in machines))


@clause("V5-SHOT-2", "V5-CORE-4")
def screens_before(field: State, eye: Eye, firer: str, target: Unitlike) -> tuple[geometry.Screen, ...]:
    """What may give a target cover from an eye: ground by its own save, machines by the usual one."""
    high = _high(field, firer, target.name, False)
    return tuple(geometry.Screen(wall, save) for thing, top, save in high for wall in walls_of(eye, (thing,), top))


@clause("V5-SHOT-1")
def refuse_sight(field: State, eye: Eye, firer: str, target: Unitlike) -> Refused | None:
    """Why a target cannot be seen."""
    high = _high(field, firer, target.name, True)  # sight goes through the ground that the target stands in
    walls = tuple(wall for thing, top, _ in high for wall in walls_of(eye, (thing,), top))
    if isinstance(target, Machine):
        return geometry.refuse_sight(eye, target.hull, walls, height=target.profile.height)
    seen = (gap(eye.at, model) <= TOLERANCE or can_see(eye, [_front(eye, model)], walls) for model in target.models)
    return None if any(seen) else Refused(f"no model of {target.name} is in sight", "V5-CORE-1", "line_of_sight")


def _front(eye: Eye, model: Base) -> Face:
    return round_face(eye, model, 0.0, MAN_HIGH)


@clause("V5-SHOT-2", "V5-CORE-4", "V5-SKIM-6", "V5-SMOKE-3")
def cover_of(field: State, muzzles: Sequence[Muzzle], firer: str, target: Machine) -> int:
    """The best cover save of a machine against these weapons; 0 if it has none."""
    eyes = [muzzle.eye for muzzle in muzzles]
    screens = [screens_before(field, eye, firer, target) for eye in eyes]
    hidden = geometry.cover_from(eyes, target.hull, screens, field.rules, target.profile.height)
    return save_of(field, target, hidden)


@clause("V5-CORE-4", "V5-SKIM-6", "V5-SMOKE-3")
def save_of(field: State, machine: Machine, hidden: int | None) -> int:
    """The best cover save of a machine that has this one from what hides it; 0 if it has none."""
    now, smoke = field.condition(machine), field.in_smoke(machine)
    return best_cover(machine.traits, machine.band, now, smoke, hidden, field.rules) or 0


def mark_of(machine: Machine, cover: int) -> Mark:
    """A machine as it is aimed at, with this cover save."""
    profile = machine.profile
    return Mark(profile.front, profile.side, profile.rear, cover, machine.traits.open_topped)


@clause("V5-CORE-4")
def squad_cover(field: State, muzzles: Sequence[Muzzle], firer: str, target: Squad) -> int:
    """The cover save of a squad: of the ground most of it stands in, or of what hides most of it."""
    best, eyes = ground_cover(field, target), [muzzle.eye for muzzle in muzzles]
    for save, walls in geometry.by_save([screens_before(field, eye, firer, target) for eye in eyes]):
        parts = [
            hidden_fraction(eye, _front(eye, model), before)
            for eye, before in zip(eyes, walls, strict=True)
            for model in target.models
            if gap(eye.at, model) > TOLERANCE
        ]
        if save < best and parts and geometry.claims_cover(parts, field.rules):
            return save
    return best


@clause("V5-CORE-4")
def ground_cover(field: State, squad: Squad) -> int:
    """The cover save of the ground that most of a squad stands in."""
    most = len(squad.models) / 2
    covers = (marker for marker in field.grounds if marker.cover)
    saves = (ground.cover for ground in covers if sum(overlaps(model, ground.ground) for model in squad.models) > most)
    return min(saves, default=NEVER)


# --- why not --------------------------------------------------------------------------------------------------------


@clause("V5-LOS-1", "V5-LOS-6", "V5-SHOT-1", "V5-ORD-3", "V5-ORD-4", "V5-CORE-1")
def refuse_muzzle(
    field: State, muzzle: Muzzle, firer: Unitlike, target: Unitlike, fitting: Fitting | None = None
) -> Refused | None:
    """Why this weapon cannot be fired at this target: arc and elevation, sight, range, or friends in the flame."""
    if fitting is not None and isinstance(firer, Machine):
        arcs = [refuse_arc(field, firer, fitting, target, part) for part in things_of(target)]
        if None not in arcs:
            return arcs[-1]
    refused = firing.refuse_range(muzzle.weapon, muzzle.distance, muzzle.barrage)
    if refused is None and firing.needs_sight(muzzle.weapon, muzzle.barrage):
        refused = refuse_sight(field, muzzle.eye, firer.name, target)
    if refused is None and is_template(muzzle.weapon):
        flame = lay_flame(field, muzzle, firer, target)
        refused = flame if isinstance(flame, Refused) else None
    return refused


@clause("V5-LOS-1", "V5-LOS-6")
def refuse_arc(field: State, firer: Machine, fitting: Fitting, target: Unitlike, part: Base | Hull) -> Refused | None:
    """Why a weapon of a machine cannot point at this part of its target."""
    height = target.profile.height if isinstance(target, Machine) else MAN_HIGH
    return geometry.refuse_arc(firer.hull, fitting, part, height / 2 - fitting.z, field.rules)


@clause("V5-SHOT-6")
def lay_flame(field: State, muzzle: Muzzle, firer: Unitlike, target: Unitlike) -> teardrops.Flame | Refused:
    """The template laid over as much of the target as possible without touching a friend."""
    carrier = firer.aboard if isinstance(firer, Squad) else ""
    friends = tuple(field.bodies(firer.name, carrier, side=firer.side))
    if isinstance(target, Machine):
        return geometry.lay_template(muzzle.eye.at, target.hull, friends)
    flames = [teardrops.aimed_flame(teardrops.FLAMER, Base(muzzle.eye.at, 0.0), model) for model in target.models]
    free = [flame for flame in flames if not any(teardrops.flame_touches(flame, friend) for friend in friends)]
    best = max(free, key=lambda flame: len(burnt(flame, target)), default=None)
    if best is not None and burnt(best, target):
        return best
    reason = f"however the template is laid, it misses {target.name} or touches a friend"
    return Refused(reason, "V5-SHOT-6", "friend" if friends else "range")


def burnt(flame: teardrops.Flame, squad: Squad) -> tuple[int, ...]:
    """Which models of a squad lie under a template, wholly or in part."""
    return tuple(at for at, model in enumerate(squad.models) if teardrops.flame_coverage(flame, model) != "missed")


# --- what it will do ------------------------------------------------------------------------------------------------


@clause("V5-SHOT-4", "V5-SHOT-5", "V5-SHOT-10")
def shots_at(field: State, muzzle: Muzzle, target: Machine, cover: int, by: str) -> tuple[Shot, ...]:
    """The shots of a weapon at the facing it looks at."""
    weapon, near = muzzle.weapon, 2 * muzzle.distance <= muzzle.weapon.range + TOLERANCE
    facing = geometry.facing_from(target.hull, muzzle.eye.at, field.rules)
    aim = Aim(weapon.name, hit_needs(muzzle.bs), weapon.strength or 1, ap=weapon.ap, half_range=near, by=by)
    keywords = (*rules_of(weapon), *muzzle.rules)
    return (special_rules.shot_at(aim, mark_of(target, cover), facing, keywords, field.rules),) * muzzle.shots


@clause("V5-CORE-1", "V5-CORE-2", "V5-CORE-8")
def salvo_at(muzzle: Muzzle, squad: Squad, cover: int, hits: int | None = None) -> Salvo:
    """The shots of a weapon at a squad, or so many sure hits of a template, from which there is no cover."""
    weapon, sure = muzzle.weapon, hits is not None
    dice = muzzle.shots if hits is None else hits
    needs, save = (0, NEVER) if sure else (hit_needs(muzzle.bs), cover)
    again = special_rules.ready(Aim(weapon.name), weapon.rules).again and not sure
    return Salvo(squad.name, weapon.name, dice, needs, weapon.strength or 1, weapon.ap, again, save)


@clause("V5-CORE-3", "V5-ORD-2")
def shell_at(muzzle: Muzzle, target: Unitlike, cover: int) -> Dropped:
    """A blast, aimed at the middle of a machine or at the model of a squad with the most others about it."""
    weapon, lobs, marker = muzzle.weapon, lobbed(muzzle), geometry.MARKERS[muzzle.weapon.blast or "small"]
    thing: Base | Hull = things_of(target)[0]
    if isinstance(target, Squad):
        thing = max(target.models, key=lambda model: sum(gap(model.centre, other) < marker for other in target.models))
    gun = Aim(weapon.name, strength=weapon.strength or 1, ap=weapon.ap)
    start, hidden = muzzle.eye.at, NEVER if lobs else cover or NEVER
    return Dropped(
        gun, thing.centre, rules_of(weapon), marker, muzzle.bs, muzzle.sees, lobs, weapon, start, target.name, hidden
    )


def lobbed(muzzle: Muzzle) -> bool:
    """Whether its shots come from above, past what hides the target."""
    return not firing.needs_sight(muzzle.weapon, muzzle.barrage)


# --- the stages -----------------------------------------------------------------------------------------------------


class Firing(Struct, frozen=True, cache_hash=True):
    """All shots of a unit: those at a machine, those at squads, blasts; and who may be pinned by them."""

    field: State
    unit: str
    target: str
    shots: tuple[Shot, ...] = ()
    salvos: tuple[Salvo, ...] = ()
    shells: tuple[Dropped, ...] = ()
    shelled: tuple[tuple[str, troops.Source], ...] = ()
    models: int = 0  # of the target before the shots
    weapons: int = 0

    @property
    def now(self) -> Condition:
        """The condition of a machine that was fired at."""
        target = self.field.find(self.target)
        return self.field.condition(target) if isinstance(target, Machine) else Condition()

    @property
    def left(self) -> int:
        """How many models of the target are left."""
        target = self.field.find(self.target)
        return len(target.models) if isinstance(target, Squad) else int(not target.is_gone)


@clause("V5-VOLLEY-1", "V5-SHOT-5")
def fire_volley(tape: Tape, work: Firing) -> Firing:
    """The shots at a machine, one after the other."""
    if not work.shots:
        return work
    now = work.field.fresh(work.field.machine(work.target))
    after: Firing = tape.each(strike, now, work.shots, then=dealt, rest=replace(work, shots=()))
    return after


def dealt(work: Any, now: Condition) -> Any:
    """The target, a machine, after shots or blows at it."""
    field: State = work.field
    return replace(work, field=field.changed(field.damaged(field.machine(work.target), now)))


@clause("V5-CORE-1", "V5-CORE-7", "V5-CORE-8")
def fire_salvos(tape: Tape, work: Firing) -> Firing:
    """The shots at squads, weapon by weapon."""
    return replace(work, field=tape.each(fire_salvo, work.field, work.salvos), salvos=()) if work.salvos else work


@clause("V5-CORE-1", "V5-CORE-2", "V5-CORE-7", "V5-CORE-8")
def fire_salvo(tape: Tape, field: State, salvo: Salvo) -> State:
    """Hits, wounds and saves of one weapon."""
    squad = field.squad(salvo.squad)
    if squad.is_gone:
        return field
    hits = roll_hits(tape, salvo.name, salvo.dice, salvo.needs, salvo.again) if salvo.needs else salvo.dice
    save = min(troops.save_needs(squad.body.save, salvo.ap), salvo.cover)  # the better of armour and cover
    wounds: int = tape.call(troops.wound, hits, salvo.strength, replace(squad.body, save=save))
    return field.changed(bereaved(squad, wounds, troops.slays(salvo.strength, squad.profile.toughness), salvo.struck))


# --- blasts ---------------------------------------------------------------------------------------------------------


@clause("V5-CORE-3", "V5-ORD-2")
def drop_shells(tape: Tape, work: Firing) -> Firing:
    """Blasts come down, one after the other, on whoever is there."""
    for shell in work.shells:
        work = tape.call(drop, work, shell)
    return replace(work, shells=())


@clause("V5-CORE-3", "V5-ORD-2")
def drop(tape: Tape, work: Firing, shell: Dropped) -> Firing:
    """One marker scatters and hits everybody under it."""
    field, weapon = work.field, shell.weapon
    inches: int = tape.call(blasts.roll_distance, shell.bs, shell.sees, weapon.name)
    reach = inches + shell.marker
    machines = [machine for machine in field.machines if not machine.is_gone and gap(shell.aim, machine.hull) <= reach]
    squads = [squad for squad in field.squads if not squad.aboard]
    near = [(squad.name, base) for squad in squads for base in squad.models if gap(shell.aim, base) <= reach]
    bases, hulls = [base for _, base in near], [machine.hull for machine in machines]
    lies = blasts.come_down(tape, shell, inches, bases, hulls, field.rules)
    for machine, part in zip(machines, lies.hulls, strict=True):
        if part.part != "clear":
            field = field.changed(_struck(tape, field, machine, shell, part))
    under = {model for model, cover in zip(near, lies.bases, strict=True) if cover != "missed"}
    shelled = list(work.shelled)
    for squad in squads:
        struck = tuple(at for at, base in enumerate(squad.models) if (squad.name, base) in under)
        if not struck:
            continue
        cover = min(ground_cover(field, squad), shell.cover if squad.name == shell.target else NEVER)
        sure = Salvo(squad.name, weapon.name, len(struck), 0, shell.gun.strength, weapon.ap, cover=cover, struck=struck)
        field = fire_salvo(tape, field, sure)
        if shell.barrage and field.squad(squad.name) != squad:
            shelled.append((squad.name, "ordnance_barrage" if weapon.type == "ordnance" else ""))
    return replace(work, field=field, shelled=tuple(shelled))


@clause("V5-SHOT-7", "V5-SHOT-8", "V5-SHOT-9")
def _struck(tape: Tape, field: State, machine: Machine, shell: Dropped, lies: markers.HullBlast) -> Machine:
    """A machine under the marker."""
    seen = geometry.facing_from(machine.hull, shell.start, field.rules)
    hidden = shell.cover if machine.name == shell.target and shell.cover < NEVER else None
    hit = blasts.hit_by(shell, mark_of(machine, save_of(field, machine, hidden)), seen, lies, field.rules)
    assert hit is not None
    return field.damaged(machine, tape.call(strike, field.fresh(machine), replace(hit, by=field.active)))


@clause("V5-CORE-6", "V5-ORD-5")
def test_nerves(tape: Tape, work: Firing) -> Firing:
    """Squads that a barrage has hurt may be pinned."""
    field = work.field
    for name, source in dict(work.shelled).items():
        if not field.squad(name).is_gone:
            field = field.changed(tape.call(risk_pinning, field, field.squad(name), source))
    return replace(work, field=field, shelled=())


FIRE = Procedure("fire", (fire_volley, fire_salvos, drop_shells, test_nerves, clear_ruins))
FIRE_MEASURES = (
    Measure("result", "Condition of a machine afterwards", lambda work: wear(work.now, work.weapons)),
    Measure("destroyed", "Target destroyed", lambda work: int(work.left == 0)),
    Measure("exploded", "Target exploded", lambda work: int(work.now.status == "exploded")),
    Measure("immobilised_or_worse", "Immobilised, wrecked or exploded", lambda work: int(work.now.is_stuck)),
    Measure("weapons_lost", "Weapons lost", lambda work: work.weapons - len(work.now.weapons), "weapons"),
    Measure("casualties", "Models of a squad lost", lambda work: max(0, work.models - work.left), "models"),
)


def target_alone(work: Firing) -> Firing:
    """What decides the fate of the target: itself, and machines about a squad, whose explosion it may not outlive."""
    field, target = work.field, work.field.find(work.target)
    if isinstance(target, Machine):
        return replace(work, field=replace(field, machines=(target,), squads=(), grounds=()), salvos=(), shelled=())
    salvos, ruined = tuple(salvo for salvo in work.salvos if salvo.squad == work.target), fallen(field)
    if salvos or work.shells or ruined:
        near = [unit for unit in field.machines if unit.name in ruined or (work.shells and not unit.is_gone)]
        machines = tuple(replace(machine, shaken_until=0, stunned_until=0) for machine in near)
        field = replace(field, machines=machines, squads=(target,))
    else:
        counted = replace(target, models=target.models[:1] * len(target.models), wounds_lost=0)
        field = replace(field, machines=(), squads=(counted,), grounds=())
    return replace(work, field=field, salvos=salvos, shelled=())
