"""Shots in a battle, stage by stage: at a machine, at a squad, blasts that come down somewhere, and nerves."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.dice import D6, at_least
from battletape.procedure import Procedure
from battletape.rulesets.vehicles5 import geometry
from battletape.rulesets.vehicles5.aiming import Salvo, Shell, ground_cover, save_against
from battletape.rulesets.vehicles5.damage import Condition
from battletape.rulesets.vehicles5.field import Field, Machine, Squad, bereaved
from battletape.rulesets.vehicles5.keywords import ready
from battletape.rulesets.vehicles5.ordnance import roll_distance
from battletape.rulesets.vehicles5.penetration import labelled
from battletape.rulesets.vehicles5.plight import wear
from battletape.rulesets.vehicles5.profiles import is_barrage, rules_of
from battletape.rulesets.vehicles5.ruin import clear_ruins, fallen, risk_pinning
from battletape.rulesets.vehicles5.tables import NEVER
from battletape.rulesets.vehicles5.troops import Source, slays, wound
from battletape.rulesets.vehicles5.volley import Aim, Shot, best_cover, strike
from battletape.system import Measure
from battletape.table.bases import Base
from battletape.table.distances import gap
from battletape.table.markers import HullBlast
from battletape.table.scatter import Landing, landing, landing_arcs
from battletape.tape import Forget, Tape


class Firing(Struct, frozen=True, cache_hash=True):
    """All shots of a unit: those at a machine, those at squads, blasts; and who may be pinned by them."""

    field: Field
    unit: str
    target: str
    shots: tuple[Shot, ...] = ()
    salvos: tuple[Salvo, ...] = ()
    shells: tuple[Shell, ...] = ()
    shelled: tuple[tuple[str, Source], ...] = ()
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
    return tape.each(strike, now, work.shots, then=_fired, rest=replace(work, shots=()))


def _fired(work: Firing, now: Condition) -> Firing:
    field = work.field
    return replace(work, field=field.changed(field.damaged(field.machine(work.target), now)))


@clause("V5-CORE-1", "V5-CORE-7", "V5-CORE-8")
def fire_salvos(tape: Tape, work: Firing) -> Firing:
    """The shots at squads, weapon by weapon."""
    return replace(work, field=tape.each(fire_salvo, work.field, work.salvos), salvos=()) if work.salvos else work


@clause("V5-CORE-1", "V5-CORE-2")
def fire_salvo(tape: Tape, field: Field, salvo: Salvo) -> Field:
    """Hits, wounds and saves of one weapon."""
    squad = field.squad(salvo.squad)
    if squad.is_gone:
        return field
    hits = salvo.dice
    if salvo.needs:
        name, reads = salvo.name, at_least(salvo.needs)
        hits = tape.pool(salvo.dice, D6, reads, label=labelled(name, "to hit"))[True] if salvo.needs < NEVER else 0
        if salvo.again and salvo.needs < NEVER:
            hits += tape.pool(salvo.dice - hits, D6, reads, label=labelled(name, "to hit again"))[True]
    body = replace(squad.body, save=save_against(squad, salvo.ap, salvo.cover))
    wounds: int = tape.call(wound, hits, salvo.strength, body)
    return field.changed(bereaved(squad, wounds, slays(salvo.strength, body.toughness)))


# --- blasts ---------------------------------------------------------------------------------------------------------


@clause("V5-CORE-3", "V5-ORD-2")
def drop_shells(tape: Tape, work: Firing) -> Firing:
    """Blasts come down, one after the other, on whoever is there."""
    for shell in work.shells:
        work = tape.call(drop, work, shell)
    return replace(work, shells=())


@clause("V5-CORE-3", "V5-ORD-2")
def drop(tape: Tape, work: Firing, shell: Shell) -> Firing:
    """One marker scatters and hits everybody under it."""
    field = work.field
    inches: int = tape.call(roll_distance, shell.bs, shell.sees, shell.weapon.name)
    reach = inches + shell.marker
    machines = [one for one in field.machines if not one.is_gone and gap(shell.aim, one.hull) <= reach]
    squads = [one for one in field.squads if not one.aboard]
    near = [(one.name, base) for one in squads for base in one.models if gap(shell.aim, base) <= reach]
    lies = _fall(tape, shell, inches, [base for _, base in near], machines, field)
    for machine, part in zip(machines, lies.hulls, strict=True):
        if part.part != "clear":
            field = field.changed(_struck(tape, field, machine, shell, part))
    under = [name for (name, _), cover in zip(near, lies.bases, strict=True) if cover != "missed"]
    shelled = list(work.shelled)
    for squad in squads:
        hits = under.count(squad.name)
        if not hits:
            continue
        bases = {base for (_, base), cover in zip(near, lies.bases, strict=True) if cover != "missed"}
        struck = tuple(at for at, base in enumerate(squad.models) if base in bases)
        cover = min(ground_cover(field, squad), shell.cover if squad.name == shell.target else NEVER)
        body = replace(squad.body, save=save_against(squad, shell.weapon.ap, cover))
        strength = shell.weapon.strength or 1
        wounds: int = tape.call(wound, hits, strength, body)
        field = field.changed(bereaved(squad, wounds, slays(strength, body.toughness), struck))
        source: Source = "ordnance_barrage" if shell.weapon.type == "ordnance" and shell.barrage else ""
        if wounds and (shell.barrage or (is_barrage(shell.weapon) and shell.weapon.type != "ordnance")):
            shelled.append((squad.name, source))
    return replace(work, field=field, shelled=tuple(shelled))


def _fall(tape: Tape, shell: Shell, inches: int, bases: list[Base], machines: list[Machine], field: Field) -> Landing:
    """Where the marker lies in the end."""
    hulls, model = tuple(one.hull for one in machines), field.rules.facing_model
    if not inches:
        return landing(Base(shell.aim, shell.marker), bases, hulls, model=model)
    found = _landing_arcs(shell.aim, inches, shell.marker, tuple(bases), hulls, model=model)
    return found.statuses[tape.direction(found.cuts, label=labelled(shell.weapon.name, "scatter direction"))]


_landing_arcs = lru_cache(1024)(landing_arcs)  # asked again for every direction


@clause("V5-SHOT-7", "V5-SHOT-8", "V5-SHOT-9")
def _struck(tape: Tape, field: Field, machine: Machine, shell: Shell, lies: HullBlast) -> Machine:
    """A machine under the marker: full strength if its hole is on the hull, half of it if only the rim is."""
    seen = geometry.facing_from(machine.hull, shell.start, field.rules)
    full = shell.weapon.strength or 1
    on_hull = lies.part == "hole"
    facing, strength = geometry.blast_hit(full, on_hull, seen, lies.facing or seen, shell.barrage, field.rules)
    state = field.condition(machine).state
    hidden = shell.cover if machine.name == shell.target and shell.cover < NEVER else None
    cover = best_cover(machine.traits, machine.band, state, field.in_smoke(machine), hidden, field.rules)
    aim = Aim(
        shell.weapon.name,
        0,
        strength,
        machine.armour(facing),
        shell.weapon.ap,
        cover=cover or 0,
        open_topped=machine.traits.open_topped,
        by=field.active,
    )
    shot = ready(aim, rules_of(shell.weapon), field.rules)
    after: Condition = tape.call(strike, field.fresh(machine), shot)
    return field.damaged(machine, after)


@clause("V5-CORE-6", "V5-ORD-5")
def test_nerves(tape: Tape, work: Firing) -> Firing:
    """Squads that a barrage has hurt may be pinned."""
    field = work.field
    for name, source in dict(work.shelled).items():
        if not field.squad(name).is_gone:
            field = field.changed(tape.call(risk_pinning, field, field.squad(name), source))
    return replace(work, field=field, shelled=())


FIRE = Procedure("fire", (fire_volley, fire_salvos, drop_shells, test_nerves, clear_ruins))


def _yes(test: bool) -> int:
    return int(test)


FIRE_MEASURES = (
    Measure("result", "Condition of a machine afterwards", lambda work: wear(work.now, work.weapons)),
    Measure("destroyed", "Target destroyed", lambda work: _yes(work.left == 0)),
    Measure("exploded", "Target exploded", lambda work: _yes(work.now.status == "exploded")),
    Measure(
        "immobilised_or_worse",
        "Immobilised, wrecked or exploded",
        lambda work: _yes(work.now.immobilised or work.now.is_destroyed),
    ),
    Measure("weapons_lost", "Weapons lost", lambda work: work.weapons - len(work.now.weapons), "weapons"),
    Measure("casualties", "Models of a squad lost", lambda work: max(0, work.models - work.left), "models"),
)


def target_alone(work: Firing) -> Firing:
    """What decides the fate of the target: itself, and machines about a squad, whose explosion it may not outlive."""
    field, target = work.field, work.field.find(work.target)
    if isinstance(target, Machine):
        return replace(work, field=replace(field, machines=(target,), squads=(), grounds=()), salvos=(), shelled=())
    salvos, ruined = tuple(one for one in work.salvos if one.squad == work.target), fallen(field)
    if salvos or work.shells or ruined:
        near = (one for one in field.machines if one.name in ruined or (work.shells and not one.is_gone))
        machines = tuple(replace(one, shaken_until=0, stunned_until=0) for one in near)
        field = replace(field, machines=machines, squads=(target,))
    else:
        counted = replace(target, models=target.models[:1] * len(target.models), wounds_lost=0)
        field = replace(field, machines=(), squads=(counted,), grounds=())
    return replace(work, field=field, salvos=salvos, shelled=())


FORGOTTEN: Forget = ((Firing, target_alone),)


def fire_lens(asked: frozenset[str]) -> Forget:
    """Every measure is about the target."""
    return FORGOTTEN
