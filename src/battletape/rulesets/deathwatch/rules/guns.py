"""Guns: modes, rounds, jams and reloading, what stops one from being fired, and fire turn after turn."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, Self, TypeVar

from battletape.cards import Line
from battletape.rulebook import Continuation, Refused, State, Tape, cites, clause, labelled, plural, replace
from battletape.rulesets.deathwatch.profiles.types import WeaponProfile
from battletape.rulesets.deathwatch.rules.attack import records, stages
from battletape.rulesets.deathwatch.rules.attack.modifiers import Action
from battletape.rulesets.deathwatch.rules.d100_tests import roll_success
from battletape.rulesets.deathwatch.rules.keywords import apply_qualities, qualities_named
from battletape.rulesets.deathwatch.rules.traits import DEAD, MODES, Aim, Mode, Qualities
from battletape.rulesets.deathwatch.rules.wounds import Victim, health_words, hit_parts, take_hit_part
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings

MODE_WORDS: Mapping[str, str] = {"single": "single shots", "semi": "semi-auto", "full": "full auto"}
SHARED_WITHIN = 2  # metres: how far extra hits of a burst may be given to others
RECHARGED_AFTER = 2  # rounds: a weapon that charges up is not fired in the one after it was
cites("DW-ACT-STANDARD-ATTACK", "DW-RWEP-00", where=f"{__name__}.MODE_WORDS")
HALF_ATTACKS: tuple[Action, ...] = ("", "standard")  # all others are Full Actions


UNLIMITED = -1
"""A clip that lasts for all turns left, or turns left that nothing depends on: no more of them need be known."""
P = TypeVar("P", bound="Gun")


class Gun(State, frozen=True, kw_only=True):
    """The state of a gun that firing changes; its clocks are rounds; in questions each is `QUESTION_ROUND`."""

    clip: int = 0
    jammed: bool = False
    reload_done: int = 0  # Full Actions in a row
    overheated_until: int = 0  # the last round in which it is too hot
    fired_round: int = 0  # the last round in which it was fired


# --- modes and rounds -------------------------------------------------------------------------------------------------


@clause("DW-RWEP-00")
def modes_of(weapon: WeaponProfile) -> tuple[Mode, ...]:
    """Return the ways a gun can be fired."""
    has = {"single": weapon.single, "semi": weapon.semi, "full": weapon.full}
    return () if weapon.melee else tuple(mode for mode in MODES if has[mode])


def format_modes(weapon: WeaponProfile) -> str:
    """Return what a gun can do, in words: single shots, semi-auto (2) or full auto (4)."""
    numbers = {"single": "", "semi": f" ({weapon.semi})", "full": f" ({weapon.full})"}
    return " or ".join(MODE_WORDS[mode] + numbers[mode] for mode in modes_of(weapon)) or "none at all"


@clause("DW-RWEP-00", "DW-ACT-STANDARD-ATTACK")
def rof_of(weapon: WeaponProfile, mode: Mode, clip: int = UNLIMITED, rulings: Rulings = DEFAULT) -> int:
    """Return rounds, and most hits, of a mode; with the ruling, no more than the clip still gives."""
    full = {"single": 1, "semi": weapon.semi, "full": weapon.full}[mode]
    return _rounds_fired(full, _rounds_each(weapon.qualities, mode, rulings), clip, rulings)


def _rounds_fired(full: int, times: int, clip: int, rulings: Rulings) -> int:
    return full if clip == UNLIMITED or rulings.short_clip == "no_burst" else min(full, clip // times)


def attack_with(spec: records.PreparedAttack, clip: int, rulings: Rulings) -> records.PreparedAttack:
    """Return an attack as the rounds left in its clip make it."""
    if is_loaded(clip, spec.rounds):
        return spec
    times = spec.rounds // spec.max_hits
    rof = _rounds_fired(spec.max_hits, times, clip, rulings)
    return replace(spec, max_hits=rof, rounds=rof * times)


@clause("DW-RWEP-00")
def rounds_used(weapon: WeaponProfile, mode: Mode, clip: int = UNLIMITED, rulings: Rulings = DEFAULT) -> int:
    """Return the rounds that an attack spends, hit or miss."""
    return rof_of(weapon, mode, clip, rulings) * _rounds_each(weapon.qualities, mode, rulings)


@lru_cache(1024)
def _rounds_each(qualities: tuple[str, ...], mode: Mode, rulings: Rulings) -> int:
    return apply_qualities(records.AttackDraft(0, mode=mode), qualities, rulings=rulings).rounds


@clause("DW-RWEP-00")
def is_loaded(clip: int, rounds: int) -> bool:
    """Return whether a clip has the rounds of an attack, which takes one at least."""
    return clip == UNLIMITED or 0 < rounds <= clip


@clause("DW-RWEP-00")
def refuse_mode(
    weapon: WeaponProfile, mode: Mode, clip: int = UNLIMITED, jammed: bool = False, rulings: Rulings = DEFAULT
) -> Refused | None:
    """Refuse a mode that a gun does not have, or cannot be fired in now."""
    name = weapon.name or "the weapon"
    if weapon.melee or not modes_of(weapon):
        return Refused(f"{name} is for melee and has no fire modes", "DW-RWEP-00", "mode")
    if mode not in modes_of(weapon):
        reason = f"{name} has no {MODE_WORDS[mode]}; {format_modes(weapon)} would do"
        return Refused(reason, "DW-RWEP-00", "mode")
    if jammed:
        return Refused(f"{name} is jammed; clear it first, a Full Action", "DW-JAM-2", "jammed")
    if not is_loaded(clip, rounds_used(weapon, mode, clip, rulings)):
        what = f"{MODE_WORDS[mode]} of {name} needs {plural(rounds_used(weapon, mode, rulings=rulings), 'round')}"
        fits = [mode for mode in modes_of(weapon) if rounds_used(weapon, mode, rulings=rulings) <= clip]
        would = f"; {' or '.join(MODE_WORDS[mode] for mode in fits)} would do" if fits else "; reload first"
        return Refused(f"{what}, the clip holds {clip}{would}", "DW-RWEP-00", "clip")
    return None


@clause("DW-RWEP-00", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS", "DW-ACT-READY")
def refuse_state(
    weapon: WeaponProfile, round: int, gun: Gun = Gun(), ready: bool = True, destroyed: bool = False
) -> Refused | None:
    """Refuse a weapon that is broken, not in hand, too hot, or not charged again."""
    name = weapon.name or "the weapon"
    if destroyed:
        return Refused(f"{name} is destroyed; use another weapon", "DW-QUAL-POWER-FIELD", "destroyed")
    if not ready:
        return Refused(f"{name} is not in hand; ready it first, a Half Action", "DW-ACT-READY", "ready")
    rests = waiting_reason(gun, round, qualities_named(weapon.qualities).recharge)
    if rests == "hot":
        reason = f"{name} is too hot in round {round}; it can be fired from round {gun.overheated_until + 1} on"
        return Refused(reason, "DW-QUAL-OVERHEATS", "overheated")
    if rests == "charging":
        fired, again = gun.fired_round, gun.fired_round + RECHARGED_AFTER
        reason = f"{name} was fired in round {fired} and charges; it can be fired again in round {again}"
        return Refused(reason, "DW-QUAL-RECHARGE", "recharge")
    return None


@clause("DW-ACT-CALLED-SHOT")
def refuse_called(mode: Mode, flame: bool = False, blast: bool = False) -> Refused | None:
    """Refuse a called place of a burst, of flames or of a blast."""
    if mode != "single":
        reason = f"a called shot is one single shot; got {MODE_WORDS[mode]}"
        return Refused(reason, "DW-ACT-CALLED-SHOT", "called")
    if flame or blast:
        what = "flames cannot" if flame else "a blast cannot"
        return Refused(f"{what} be aimed at one place of a body; leave the place out", "DW-ACT-CALLED-SHOT", "called")
    return None


@clause("DW-AUTO-3")
def refuse_allocation(separation: float) -> Refused | None:
    """Refuse extra hits for a unit too far from the first target."""
    if separation > SHARED_WITHIN:
        reason = f"extra hits go to targets within {SHARED_WITHIN} m of the first; this one is {separation:g} m away"
        return Refused(reason, "DW-AUTO-3", "range")
    return None


# --- aiming and bracing -----------------------------------------------------------------------------------------------


@clause("DW-ACT-AIM", "DW-ECON-1", "DW-ECON-2")
def takes_a_turn(aim: Aim, action: Action) -> bool:
    """Return whether an aim takes a turn of its own: full aims, and half aims before a Full Action."""
    return aim == "full" or (aim == "half" and action not in HALF_ATTACKS)


@clause("DW-ACT-BRACE-HEAVY-WEAPON")
def needs_bracing(weapon: WeaponProfile, no_bracing: bool = False) -> bool:
    """Return whether a weapon must be braced: a heavy one, unless a talent or suit carries it."""
    return weapon.kind == "Heavy" and not no_bracing


# --- one gun, in battles and turn by turn -----------------------------------------------------------------------------


@clause("DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS")
def waiting_reason(gun: Gun, round: int, recharges: bool) -> Literal["", "hot", "charging"]:
    """Return what keeps a gun with rounds in it from being fired in this round: it is too hot, or not charged again."""
    if round <= gun.overheated_until:
        return "hot"
    return "charging" if recharges and gun.fired_round and round < gun.fired_round + RECHARGED_AFTER else ""


@clause("DW-RWEP-00", "DW-JAM-1", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS")
def discharge(gun: P, rounds: int, status: str, round: int) -> P:
    """Return a gun after an attack: its rounds are spent, and it may be jammed or too hot."""
    return replace(
        gun,
        clip=gun.clip if gun.clip == UNLIMITED else max(0, gun.clip - rounds),
        jammed=status == "jam",
        overheated_until=round + 1 if status == "overheat" else gun.overheated_until,
        fired_round=round,
    )


@clause("DW-JAM-2")
def is_cleared(tape: Tape, target: int, name: str, test_rulings: Rulings, by: str = "") -> bool:
    """Test whether a jam is cleared."""
    return roll_success(tape, target, labelled(name, "clear the jam"), test_rulings, by)


@clause("DW-JAM-2")
def clear_jam(gun: P, success: bool, empties: bool = True) -> P:
    """Return a gun after an attempt to clear it; its clip is lost if that succeeds."""
    return replace(gun, jammed=not success, clip=0 if success and empties else gun.clip)


@clause("DW-ACT-RELOAD", "DW-QUAL-TWIN")
def reload_actions(reload: int, qualities: Qualities = stages.NO_QUALITIES) -> int:
    """Return full Actions in a row that a reload takes; two barrels take twice as long."""
    return reload * (2 if qualities.twin_linked else 1)


@clause("DW-ACT-RELOAD")
def refuse_reload(clip: int, size: int, name: str = "the weapon") -> Refused | None:
    """Refuse to reload a full clip."""
    if clip >= size:
        return Refused(f"{name} holds {clip} of {size} rounds already; reload it when rounds are gone", "DW-ACT-RELOAD")
    return None


@clause("DW-ACT-RELOAD")
def reload(gun: P, actions: int, size: int) -> P:
    """Return a gun after one more Full Action of a reload; after the last its clip is full."""
    done = gun.reload_done + 1
    return replace(gun, reload_done=done) if done < actions else replace(gun, reload_done=0, clip=size)


QUESTION_ROUND = RECHARGED_AFTER
"""The round that every turn of a question is: clocks are set back as turns go by, so that equal guns stay equal."""


class FirePlan(State, frozen=True):
    """The plan of an attacker turn by turn; constant through the fight."""

    spec: records.PreparedAttack
    turns: int = 1
    clear_target: int = 50  # target of the test to clear a jam
    clip: int = 28  # of a fresh clip; 0 where nothing is fired
    reload: int = 1  # Full Actions
    clearing_empties: bool = True  # clearing a jam loses the clip
    aims: bool = False  # a turn goes by before each attack
    recharges: bool = False  # a turn goes by after each attack
    keeps_conditions: bool = True  # what befalls the target besides its wounds is followed
    name: str = ""  # of the choice made, where there was one
    goal: Literal["kill", "damage", "hits", "hurt"] = "damage"
    jam_cost: float = 0.0
    test_rulings: Rulings = Rulings()


class GunState(Gun, frozen=True, kw_only=True):
    """A gun between two turns, as far as the turns left depend on it."""

    clip: int = UNLIMITED
    turns_left: int = UNLIMITED  # turns
    aimed: bool = True
    status: str = ""  # jam or overheat, if that ever happened


def gun_at_rest(gun: GunState) -> GunState:
    """Return a gun without a target."""
    return GunState(turns_left=0, status=gun.status)


@clause("DW-JAM-2", "DW-ACT-RELOAD", "DW-ACT-AIM", "DW-RWEP-00", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS")
def turn_without_attack(tape: Tape, fire_plan: FirePlan, gun: GunState) -> GunState | None:
    """Play a turn that goes by before a gun can be fired; return None if it can be fired."""
    if gun.jammed:
        is_clear = tape.call(
            is_cleared,
            fire_plan.clear_target,
            fire_plan.spec.name,
            fire_plan.test_rulings,
            stages.roller(fire_plan.spec),
        )
        emptied = ", the clip is lost" if fire_plan.clearing_empties else ""
        tape.tell("The jam is cleared{}" if is_clear else "Still jammed", emptied, clause="DW-JAM-2")
        return _next_turn(fire_plan, clear_jam(gun, is_clear, fire_plan.clearing_empties))
    if not is_loaded(gun.clip, attack_with(fire_plan.spec, gun.clip, fire_plan.test_rulings).rounds):
        reloaded = reload(gun, fire_plan.reload, fire_plan.clip)
        left = plural(fire_plan.reload - reloaded.reload_done, "Full Action")
        tape.tell("Reloading, {} left" if reloaded.reload_done else "Reloaded", left, clause="DW-ACT-RELOAD")
        return _next_turn(fire_plan, replace(reloaded, aimed=not fire_plan.aims))  # no aim is kept meanwhile
    if not gun.aimed:
        tape.tell("Takes aim", clause="DW-ACT-AIM")
        return _next_turn(fire_plan, replace(gun, aimed=True))
    if not waiting_reason(gun, QUESTION_ROUND, fire_plan.recharges):
        return None
    tape.tell("The weapon rests", clause="DW-QUAL-RECHARGE" if fire_plan.recharges else "DW-QUAL-OVERHEATS")
    return _next_turn(fire_plan, gun)


def after_firing(fire_plan: FirePlan, gun: GunState, rounds: int, status: str) -> GunState:
    """Return a gun in the turn after such an attack."""
    ever = status if status in ("jam", "overheat") else gun.status
    return _next_turn(
        fire_plan, replace(discharge(gun, rounds, status, QUESTION_ROUND), aimed=not fire_plan.aims, status=ever)
    )


def _next_turn(fire_plan: FirePlan, gun: GunState) -> GunState:
    """Return a gun a turn later, without what the turns left do not depend on."""
    left, hot, shot = gun.turns_left - (gun.turns_left > 0), gun.overheated_until - 1, gun.fired_round - 1
    lasts = (gun.jammed and fire_plan.clearing_empties) or gun.clip >= fire_plan.spec.rounds * left
    waits = left != 0 and gun.aimed and not gun.jammed  # else the next turn goes by without a shot anyway
    return replace(
        gun,
        turns_left=left,
        clip=UNLIMITED if lasts else gun.clip,
        overheated_until=hot
        if waits and hot >= QUESTION_ROUND and not fire_plan.recharges
        else 0,  # which takes as long
        fired_round=shot if waits and shot > 0 and fire_plan.recharges else 0,
    )


# --- fire turn after turn ---------------------------------------------------------------------------------------------


G = TypeVar("G", bound="Gunfire")


class Gunfire(State, frozen=True):
    """The fire, or the blows, of one character at another in progress."""

    fire_plan: FirePlan
    victim: Victim
    before: int  # health before the first shot
    gun: GunState
    hits: int = 0
    landed: int = 0
    rounds: int = 0  # spent

    @property
    def spec(self) -> records.PreparedAttack:
        """The attack that is made again and again."""
        return self.fire_plan.spec

    @property
    def specs(self) -> tuple[records.PreparedAttack, ...]:
        """All attacks there are: this one."""
        return (self.spec,)

    @property
    def status(self) -> str:
        """The status jam or overheat, if the gun ever did that."""
        return self.gun.status

    def after_attack(self, attack: records.Attack) -> Self:
        """Return a copy after an attack: what it did to the gun, and its hits."""
        spent = attack.spec.rounds
        return replace(
            self,
            gun=after_firing(self.fire_plan, self.gun, spent, attack.status),
            hits=self.hits + attack.hits,
            landed=self.landed + attack.landed,
            rounds=self.rounds + spent,
        )


def begin_fire(fire_plan: FirePlan, health: int, clip: int, aimed: bool = True) -> Gunfire:
    """Return fire about to be opened."""
    gun = GunState(turns_left=fire_plan.turns, clip=clip, aimed=aimed)
    return Gunfire(fire_plan, stages.victim_of(fire_plan.spec, health), health, gun)


@clause("DW-PIPE-1", "DW-JAM-2", "DW-ACT-RELOAD", "DW-ACT-AIM", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS")
def fire_on(tape: Tape, fire: Gunfire) -> Gunfire:
    """Play one more turn: clear a jam, reload, aim, let the gun rest, or shoot, in this order."""
    fire_plan, gun, victim = fire.fire_plan, fire.gun, fire.victim
    if victim.health <= DEAD:
        return replace(fire, gun=gun_at_rest(gun))
    paused = turn_without_attack(tape, fire_plan, gun)
    if paused is not None:
        return replace(fire, gun=paused)
    return tape.call(shoot, replace(fire, victim=stages.NO_VICTIM), onto=victim)  # type: ignore[no-any-return]


@clause("DW-PIPE-1")
def shoot(tape: Tape, fire: G) -> Continuation[G]:
    """Make one attack: what it does to the gun, and the hits that are to be taken."""
    spec = attack_with(fire.spec, fire.gun.clip, fire.fire_plan.test_rulings)
    return tape.call(stages.roll_and_place, spec, then=_take_hits, rest=fire, tell=weapon_line)


def _take_hits(fire: G, attack: records.Attack) -> Continuation[G]:
    return Continuation(
        take_hit_part,
        hit_parts(attack.unresolved),
        with_victim,
        fire.after_attack(attack),
        health_line if attack.unresolved else None,
    )


def with_victim(shot: G, victim: Victim) -> G:
    """Return a copy with what the hits of an attack have left of its target."""
    lasting = shot.fire_plan.keeps_conditions
    return replace(shot, victim=victim if lasting else Victim(max(DEAD, victim.health), by_spot=victim.by_spot))


# --- lines of the log -------------------------------------------------------------------------------------------------


def weapon_line(fire: Gunfire, attack: records.Attack) -> Line | None:
    """Say what an attack did to its weapon."""
    if attack.status == "jam":
        return Line("The weapon jams", ("DW-JAM-1",), result="jam")
    if attack.status == "overheat":
        return Line("The weapon overheats", ("DW-QUAL-OVERHEATS",), result="overheat")
    return None


def health_line(fire: Gunfire, victim: Victim) -> Line:
    """Say how the target stands after an attack."""
    return Line(health_words(victim.health, fire.spec.defender.wounds), ("DW-DMG-1",))
