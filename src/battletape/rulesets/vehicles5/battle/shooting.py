"""Shooting in a battle: sight and cover of each shot, then its stages at vehicles and squads, blasts, and pinning."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from battletape import rulebook
from battletape.cards import Measure
from battletape.field import sight
from battletape.field.state import Footprint
from battletape.rulebook import Procedure, Refused, Tape, clause, plural, replace
from battletape.rulesets.vehicles5.battle.losses import after_damage, after_pinning, newly_destroyed, replace_destroyed
from battletape.rulesets.vehicles5.battle.state import BattleUnit, PendingAction, Squad, State, Vehicle
from battletape.rulesets.vehicles5.profiles.book import rules_of
from battletape.rulesets.vehicles5.profiles.types import Fitting, WeaponProfile
from battletape.rulesets.vehicles5.rules import blasts, firing, geometry, keywords, shooting, traits, troops
from battletape.rulesets.vehicles5.rules.damage import Condition, condition_summary
from battletape.rulesets.vehicles5.tables.printed import NEVER
from battletape.table import teardrops
from battletape.table.distances import gap
from battletape.table.points import TOLERANCE, Point
from battletape.table.sight import Eye


class FiringWeapon(rulebook.State, frozen=True):
    """One weapon about to be fired."""

    weapon: WeaponProfile
    eye: Eye
    shots: int
    bs: int
    distance: float
    barrage: bool = False  # its shots come from above, past what hides the target
    sees: bool = True
    rules: tuple[str, ...] = ()  # of the unit, such as tank hunters

    @property
    def keywords(self) -> tuple[str, ...]:
        """Return the special rules of the weapon and of its unit."""
        return (*rules_of(self.weapon), *self.rules)


class SquadVolley(rulebook.State, frozen=True):
    """Shots of one weapon at a squad; needs 0 means that all of them hit."""

    squad: str
    name: str
    dice: int
    hits_on: int
    strength: int
    ap: traits.Ap | None = None
    rerolls: bool = False
    cover: int = 0  # 0 is none
    models_hit: tuple[int, ...] | None = None  # the models that lie under a marker, if not all may fall


class BlastInFlight(blasts.Blast, frozen=True):
    """A blast marker on its way from a weapon to a target."""

    weapon: WeaponProfile = WeaponProfile()
    start: Point = Point(0.0, 0.0)
    target: str = ""
    cover: int = 0  # of what stands between the weapon and its target


@clause("V5-SHOT-1", "V5-CORE-1")
def refuse_sight(state: State, eye: Eye, firer: str, target: BattleUnit) -> Refused | None:
    """Refuse a target that cannot be seen."""
    if sight.sees(state.field, eye, firer, target.name):
        return None
    if isinstance(target, Vehicle):
        return Refused("neither hull nor turret is in sight", "V5-SHOT-1", "line_of_sight")
    return Refused(f"no model of {target.name} is in sight", "V5-CORE-1", "line_of_sight")


@clause("V5-SHOT-2", "V5-CORE-4", "V5-SKIM-6", "V5-SMOKE-3")
def cover_of(state: State, firing_weapons: Sequence[FiringWeapon], firer: str, target: BattleUnit) -> int:
    """Return the best cover save of a unit against these weapons, or 0."""
    eyes = [firing_weapon.eye for firing_weapon in firing_weapons]
    hidden = sight.hidden_cover(
        state.field,
        eyes,
        firer,
        target.name,
        lambda shares: geometry.claims_cover(shares, state.rulings),
        state.rulings.facing_model,
    )
    return best_save(state, target, hidden.worth)


@clause("V5-CORE-4", "V5-SKIM-6", "V5-SMOKE-3")
def best_save(state: State, unit: BattleUnit, hidden: int) -> int:
    """Return the best save of what hides a unit, of terrain, speed and smoke; 0 for none."""
    if isinstance(unit, Squad):
        terrain = sight.terrain_cover(state.field, state.field.position(unit.name))
        return min(filter(None, (hidden, terrain.worth)), default=0)
    smoke = state.in_smoke(unit)
    condition = state.condition(unit)
    return shooting.best_cover(unit.traits, unit.done.band, condition, smoke, hidden or None, state.rulings) or 0


def target_armour_of(vehicle: Vehicle, cover: int) -> shooting.TargetArmour:
    """Return a vehicle as it is aimed at, with this cover save."""
    profile = vehicle.profile
    return shooting.TargetArmour(profile.front, profile.side, profile.rear, cover, vehicle.traits.open_topped)


@clause("V5-LOS-1", "V5-LOS-6", "V5-SHOT-1", "V5-ORD-3", "V5-ORD-4", "V5-CORE-1")
def refuse_weapon(
    state: State, firing_weapon: FiringWeapon, firer: BattleUnit, target: BattleUnit, fitting: Fitting | None = None
) -> Refused | None:
    """Refuse a weapon that cannot be fired at this target."""
    if fitting is not None and isinstance(firer, Vehicle):
        out_of_arc = None
        for part in state.field.footprints(target.name):
            out_of_arc = refuse_arc(state, firer, fitting, target, part)
            if out_of_arc is None:
                break
        if out_of_arc is not None:
            return out_of_arc
    refused = firing.refuse_range(firing_weapon.weapon, firing_weapon.distance, firing_weapon.barrage)
    if refused is None and firing.refuse_unseen(firing_weapon.barrage) is not None:
        refused = refuse_sight(state, firing_weapon.eye, firer.name, target)
    if refused is None and keywords.TEMPLATE in firing_weapon.weapon.rules:
        flame = lay_flame(state, firing_weapon, firer, target)
        refused = flame if isinstance(flame, Refused) else None
    return refused


@clause("V5-LOS-1", "V5-LOS-6")
def refuse_arc(state: State, firer: Vehicle, fitting: Fitting, target: BattleUnit, part: Footprint) -> Refused | None:
    """Refuse a weapon that cannot point at this part of its target."""
    rise = state.field.position(target.name).top / 2 - fitting.z
    return geometry.refuse_arc(state.hull(firer.name), fitting, part, rise, state.rulings)


@clause("V5-SHOT-6")
def lay_flame(
    state: State, firing_weapon: FiringWeapon, firer: BattleUnit, target: BattleUnit
) -> teardrops.Flame | Refused:
    """Lay the template over the target, clear of friends."""
    others = state.field.on_table(firer.name, state.transport_of(firer.name), side=firer.side)
    friends = tuple(footprint for position in others for footprint in position.footprints)
    aim = state.hull(target.name) if isinstance(target, Vehicle) else state.bases(target.name)
    return geometry.lay_template(firing_weapon.eye.at, aim, friends, target.name)


def _draft_of(firing_weapon: FiringWeapon, by: str) -> shooting.ShotDraft:
    weapon = firing_weapon.weapon
    return shooting.ShotDraft(weapon.name, strength=weapon.strength or 1, ap=weapon.ap, by=by)


@clause("V5-SHOT-4", "V5-SHOT-5", "V5-SHOT-6", "V5-SHOT-10")
def shots_at(
    state: State, firing_weapon: FiringWeapon, target: Vehicle, cover: int, by: str
) -> tuple[shooting.Shot, ...]:
    """Return the shots of a weapon at the facing it looks at."""
    near = 2 * firing_weapon.distance <= firing_weapon.weapon.range + TOLERANCE
    facing = shooting.facing_from(state.hull(target.name), firing_weapon.eye.at, state.rulings)
    aim = replace(_draft_of(firing_weapon, by), hits_on=shooting.bs_to_hit(firing_weapon.bs), half_range=near)
    shot = keywords.shot_at(aim, target_armour_of(target, cover), facing, firing_weapon.keywords, state.rulings)
    return (shot,) * keywords.max_hits(firing_weapon.keywords, firing_weapon.shots)


@clause("V5-CORE-1", "V5-CORE-2", "V5-CORE-8")
def squad_volley_at(firing_weapon: FiringWeapon, squad: Squad, cover: int, hits: int | None = None) -> SquadVolley:
    """Return the shots of a weapon at a squad, or the sure hits of a template."""
    weapon = firing_weapon.weapon
    strength = weapon.strength or 1
    if hits is not None:
        return SquadVolley(squad.name, weapon.name, hits, 0, strength, weapon.ap)
    needs = shooting.bs_to_hit(firing_weapon.bs)
    again = keywords.shot_with_rules(shooting.ShotDraft(weapon.name), weapon.rules).rerolls_to_hit
    return SquadVolley(squad.name, weapon.name, firing_weapon.shots, needs, strength, weapon.ap, again, cover)


@clause("V5-CORE-3", "V5-ORD-2")
def blast_at(state: State, firing_weapon: FiringWeapon, target: BattleUnit, cover: int, by: str) -> BlastInFlight:
    """Return a blast, aimed where most of the target is."""
    marker = blasts.MARKERS[firing_weapon.weapon.blast or "small"]
    parts = state.field.footprints(target.name)

    def about(part: Footprint) -> int:
        return sum(gap(part.centre, other) < marker for other in parts)

    return BlastInFlight(
        _draft_of(firing_weapon, by),
        max(parts, key=about).centre,
        firing_weapon.keywords,
        marker,
        firing_weapon.bs,
        firing_weapon.sees,
        firing_weapon.barrage,
        firing_weapon.weapon,
        firing_weapon.eye.at,
        target.name,
        0 if firing_weapon.barrage else cover,
    )


class PendingShooting(PendingAction, frozen=True):
    """All shots of a unit, and the squads that may be pinned by them."""

    target: str
    shots: tuple[shooting.Shot, ...] = ()
    squad_volleys: tuple[SquadVolley, ...] = ()
    blasts_in_flight: tuple[BlastInFlight, ...] = ()
    hit_by_barrage: tuple[tuple[str, troops.Source], ...] = ()
    models: int = 0  # of the target before the shots
    weapons: int = 0

    @property
    def target_condition(self) -> Condition:
        """Return the condition of a vehicle that was fired at."""
        target = self.state.find(self.target)
        return self.state.condition(target) if isinstance(target, Vehicle) else Condition()

    @property
    def models_left(self) -> int:
        """Return how many models of the target are left."""
        return self.state.find(self.target).models


@clause("V5-VOLLEY-1", "V5-SHOT-5")
def fire_volley(tape: Tape, work: PendingShooting) -> PendingShooting:
    """Fire the shots at a vehicle, one after the other."""
    if not work.shots:
        return work
    condition = work.state.condition_before_turn(work.state.vehicle(work.target))
    return shooting.fire_all(tape, condition, work.shots, after_damage, replace(work, shots=()), work.target)


@clause("V5-CORE-1", "V5-CORE-7", "V5-CORE-8")
def fire_squad_volleys(tape: Tape, work: PendingShooting) -> PendingShooting:
    """Fire the shots at squads, weapon by weapon."""
    if not work.squad_volleys:
        return work
    return replace(work, state=tape.each(fire_squad_volley, work.state, work.squad_volleys), squad_volleys=())


@clause("V5-CORE-1", "V5-CORE-2", "V5-CORE-7", "V5-CORE-8")
def fire_squad_volley(tape: Tape, state: State, volley: SquadVolley) -> State:
    """Roll hits, wounds and saves of one weapon."""
    squad = state.squad(volley.squad)
    if squad.is_gone:
        tape.tell("{}: nothing is left to hit with {}", squad.name, volley.name)
        return state
    hits = volley.dice
    if not volley.hits_on:
        tape.tell(sure_hits_line, squad.name, hits, volley.name)
    else:
        hits = shooting.roll_to_hit(tape, volley.name, volley.hits_on, volley.rerolls, dice=volley.dice)
    models_hit = range(squad.models) if volley.models_hit is None else volley.models_hit
    group = squad.model_group(len(models_hit))
    save = min(
        troops.armour_save_against(group.save, volley.ap), volley.cover or NEVER
    )  # the better of armour and cover
    loss = tape.call(troops.roll_losses, hits, volley.strength, replace(group, save=save), None, squad.wounds_lost)
    tape.tell(troops.losses_line, squad.name, squad.models, loss, squad.wounds_lost)
    return state.with_losses(squad, loss, models_hit)


@clause("V5-CORE-3", "V5-ORD-2")
def resolve_blasts(tape: Tape, work: PendingShooting) -> PendingShooting:
    """Let blasts come down, one after the other."""
    for blast in work.blasts_in_flight:
        work = tape.call(resolve_blast, work, blast)
    return replace(work, blasts_in_flight=())


@clause("V5-CORE-3", "V5-ORD-2")
def resolve_blast(tape: Tape, work: PendingShooting, blast: BlastInFlight) -> PendingShooting:
    """Scatter one marker, and hit every model under it."""
    state = work.state
    draft = blast.draft
    blast_now = blast_state(state, blast)
    for stage in blasts.ORDNANCE:
        blast_now = stage(tape, blast_now)
    for vehicle, after in zip(_vehicles_at_risk(state), blast_now.vehicles, strict=True):
        if after.hit is not None:
            state = state.with_units(state.with_damage(vehicle, after.now))
    source: troops.Source = "ordnance_barrage" if blast.weapon.type == "ordnance" else ""
    by_barrage = list(work.hit_by_barrage)
    first = 0
    for squad in state.on_foot:
        models = range(len(state.bases(squad.name)))
        models_hit = tuple(index - first for index in blast_now.under if index - first in models)
        first += len(models)
        if not models_hit:
            continue
        cover = best_save(state, squad, blast.cover if squad.name == blast.target else 0)
        hits = SquadVolley(
            squad.name, draft.name, len(models_hit), 0, draft.strength, draft.ap, cover=cover, models_hit=models_hit
        )
        state = fire_squad_volley(tape, state, hits)
        if blast.barrage and state.squad(squad.name) != squad:
            by_barrage.append((squad.name, source))
    return replace(work, state=state, hit_by_barrage=tuple(by_barrage))


@clause("V5-VOLLEY-2")
def _vehicles_at_risk(state: State) -> list[Vehicle]:
    """Return vehicles that a blast may hurt; where a volley counts as a whole, also those just wrecked."""
    wrecks = newly_destroyed(state) if state.rulings.volley_order == "batch" else ()
    return [vehicle for vehicle in state.vehicles if not vehicle.is_gone or vehicle.name in wrecks]


@lru_cache(256)  # asked again for every place where the marker may come down
@clause("V5-SHOT-7", "V5-SHOT-8", "V5-SHOT-9")
def blast_state(state: State, blast: BlastInFlight) -> blasts.BlastState:
    """Return a marker about to come down, with everything that it may hit."""
    vehicles = []
    for vehicle in _vehicles_at_risk(state):
        now = replace(state.condition_before_turn(vehicle), in_batch=state.rulings.volley_order == "batch")
        hull = state.hull(vehicle.name)
        facing = shooting.facing_from(hull, blast.start, state.rulings)
        cover = best_save(state, vehicle, blast.cover if vehicle.name == blast.target else 0)
        armour = target_armour_of(vehicle, cover)
        vehicles.append(blasts.BlastTarget(now, now, hull, armour, facing, name=vehicle.name))
    models = (model for squad in state.on_foot for model in state.bases(squad.name))
    return blasts.BlastState(blast, tuple(vehicles), tuple(models), rulings=state.rulings)


@clause("V5-CORE-6", "V5-ORD-5")
def test_pinning(tape: Tape, work: PendingShooting) -> PendingShooting:
    """Test for pinning the squads that a barrage has hurt."""
    state = work.state
    for name, source in dict(work.hit_by_barrage).items():
        squad = state.squad(name)
        if not squad.is_gone and tape.call(troops.roll_pinning, squad.profile.ld, source, name):
            state = state.with_units(after_pinning(state, squad))
    return replace(work, state=state, hit_by_barrage=())


def sure_hits_line(name: str, hits: int, weapon: str) -> str:
    """Say how many models lie under a marker or a template."""
    return f"{name}: {plural(hits, 'model')} hit by {weapon}"


FIRE = Procedure("fire", (fire_volley, fire_squad_volleys, resolve_blasts, test_pinning, replace_destroyed))
FIRE_MEASURES = (
    Measure(
        "result",
        "Condition of a vehicle afterwards",
        lambda work: condition_summary(work.target_condition, work.weapons),
    ),
    Measure("destroyed", "Target destroyed", lambda work: int(work.models_left == 0)),
    Measure("exploded", "Target exploded", lambda work: int(work.target_condition.status == "exploded")),
    Measure(
        "immobilised_or_worse", "Immobilised, wrecked or exploded", lambda work: int(work.target_condition.is_stuck)
    ),
    Measure("weapons_lost", "Weapons lost", lambda work: work.weapons - len(work.target_condition.weapons), "weapons"),
    Measure("casualties", "Models of a squad lost", lambda work: max(0, work.models - work.models_left), "models"),
)


def forget_all_but_target(work: PendingShooting) -> PendingShooting:
    """Forget what does not decide the fate of the target, and all places once nothing is to be measured any more."""
    state, flying = work.state, bool(work.blasts_in_flight)
    target = state.find(work.target)
    if isinstance(target, Vehicle):
        return replace(work, state=state.with_only(target, places=flying), squad_volleys=(), hit_by_barrage=())
    squad_volleys = tuple(volley for volley in work.squad_volleys if volley.squad == work.target)
    ruined = newly_destroyed(state)
    if flying or ruined:
        near = [unit for unit in state.vehicles if unit.name in ruined or (flying and not unit.is_gone)]
        alone = state.with_only(*(replace(vehicle, shaken_until=0, stunned_until=0) for vehicle in near), target)
    else:
        counted = target if squad_volleys else replace(target, wounds_lost=0)
        alone = state.with_only(counted, places=False)
    return replace(work, state=alone, squad_volleys=squad_volleys, hit_by_barrage=())
