"""Guns: their modes, what a burst costs, jams, reloading, what stops one from being fired; and fire turn after turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, Self, TypeVar

from battletape.rulebook import Deed, Refused, Struct, Tape, cites, clause, labelled, plural, refuses, replace
from battletape.rulesets.deathwatch.profiles.types import Weapon
from battletape.rulesets.deathwatch.rules.attack import records, stages
from battletape.rulesets.deathwatch.rules.attack.modifiers import Action, fatigue_modifier
from battletape.rulesets.deathwatch.rules.qualities.keywords import values
from battletape.rulesets.deathwatch.rules.tests import check, target
from battletape.rulesets.deathwatch.rules.traits import DEAD, MODES, Aim, Mode, Modifier, Qualities
from battletape.rulesets.deathwatch.rules.wounds import Victim, in_parts, strike
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings

MODE_WORDS: Mapping[str, str] = {"single": "single shots", "semi": "semi-auto", "full": "full auto"}
SHARED_WITHIN = 2  # metres: how far extra hits of a burst may be given to others
RECHARGED_AFTER = 2  # rounds: a weapon that charges up is not fired in the one after it was
cites("DW-ACT-STANDARD-ATTACK", "DW-RWEP-00", where=f"{__name__}.MODE_WORDS")
HALF_ATTACKS: tuple[Action, ...] = ("", "standard")  # all others are Full Actions


# --- modes and rounds -------------------------------------------------------------------------------------------------


@clause("DW-RWEP-00")
def modes_of(weapon: Weapon) -> tuple[Mode, ...]:
    """The ways a gun can be fired."""
    has = {"single": weapon.single, "semi": weapon.semi, "full": weapon.full}
    return () if weapon.melee else tuple(mode for mode in MODES if has[mode])


def format_modes(weapon: Weapon) -> str:
    """What a gun can do, in words: single shots, semi-auto (2) or full auto (4)."""
    numbers = {"single": "", "semi": f" ({weapon.semi})", "full": f" ({weapon.full})"}
    return " or ".join(MODE_WORDS[mode] + numbers[mode] for mode in modes_of(weapon)) or "none at all"


@clause("DW-RWEP-00", "DW-ACT-STANDARD-ATTACK")
def rof_of(weapon: Weapon, mode: Mode, clip: int | None = None, rules: Rulings = DEFAULT) -> int:
    """Rounds, and most hits, of a mode; with the ruling, no more than the clip still gives."""
    full = {"single": 1, "semi": weapon.semi, "full": weapon.full}[mode]
    if clip is None or rules.short_clip == "no_burst":
        return full
    return min(full, clip // _times(weapon, mode, rules))


@clause("DW-RWEP-00", "DW-QUAL-STORM", "DW-QUAL-TWIN")
def rounds_used(weapon: Weapon, mode: Mode, clip: int | None = None, rules: Rulings = DEFAULT) -> int:
    """Rounds that an attack spends, whatever its roll; two barrels spend twice as many."""
    return rof_of(weapon, mode, clip, rules) * _times(weapon, mode, rules)


def _times(weapon: Weapon, mode: Mode, rules: Rulings) -> int:
    qualities = values(weapon.qualities)
    storm = qualities.storm and (mode != "single" or rules.storm == "every_mode")
    return 2 if storm or qualities.twin else 1


@refuses("DW-RWEP-00")
def refuse_mode(
    weapon: Weapon, mode: Mode, clip: int | None = None, jammed: bool = False, rules: Rulings = DEFAULT
) -> Iterator[Refused]:
    """Why a gun cannot be fired in this mode now."""
    name = weapon.name or "the weapon"
    if weapon.melee:
        yield Refused(f"{name} is for melee and has no fire modes", "DW-RWEP-00", "mode")
    if mode not in modes_of(weapon):
        reason = f"{name} has no {MODE_WORDS[mode]}; {format_modes(weapon)} would do"
        yield Refused(reason, "DW-RWEP-00", "mode")
    if jammed:
        yield Refused(f"{name} is jammed; clear it first, a Full Action", "DW-JAM-2", "jammed")
    if clip is not None and not 0 < rounds_used(weapon, mode, clip, rules) <= clip:
        what = f"{MODE_WORDS[mode]} of {name} needs {plural(rounds_used(weapon, mode, rules=rules), 'round')}"
        fits = [mode for mode in modes_of(weapon) if rounds_used(weapon, mode, rules=rules) <= clip]
        would = f"; {' or '.join(MODE_WORDS[mode] for mode in fits)} would do" if fits else "; reload first"
        yield Refused(f"{what}, the clip holds {clip}{would}", "DW-RWEP-00", "clip")


@refuses("DW-RWEP-00", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS", "DW-ACT-READY")
def refuse_state(
    weapon: Weapon,
    round: int,
    fired_round: int | None = None,
    overheated_until: int = 0,
    ready: bool = True,
    destroyed: bool = False,
) -> Iterator[Refused]:
    """Why a weapon cannot be used in this round: broken, not in hand, too hot, or not charged again."""
    name = weapon.name or "the weapon"
    if destroyed:
        yield Refused(f"{name} is destroyed; use another weapon", "DW-QUAL-POWER-FIELD", "destroyed")
    if not ready:
        yield Refused(f"{name} is not in hand; ready it first, a Half Action", "DW-ACT-READY", "ready")
    if round <= overheated_until:
        reason = f"{name} is too hot in round {round}; it can be fired from round {overheated_until + 1} on"
        yield Refused(reason, "DW-QUAL-OVERHEATS", "overheated")
    again = (fired_round or 0) + RECHARGED_AFTER
    if fired_round is not None and round < again and values(weapon.qualities).recharge:
        reason = f"{name} was fired in round {fired_round} and charges; it can be fired again in round {again}"
        yield Refused(reason, "DW-QUAL-RECHARGE", "recharge")


@refuses("DW-ACT-CALLED-SHOT")
def refuse_called(mode: Mode, flame: bool = False, blast: bool = False) -> Iterator[Refused]:
    """Why a place cannot be called: only one blow or one single shot may be aimed at it."""
    if mode != "single":
        reason = f"a called shot is one single shot; got {MODE_WORDS[mode]}"
        yield Refused(reason, "DW-ACT-CALLED-SHOT", "called")
    if flame or blast:
        what = "flames cannot" if flame else "a blast cannot"
        yield Refused(f"{what} be aimed at one place of a body; leave the place out", "DW-ACT-CALLED-SHOT", "called")


@refuses("DW-AUTO-3")
def refuse_allocation(separation: float) -> Iterator[Refused]:
    """Why an extra hit of a burst cannot be given to this unit: it stands too far from the first target."""
    if separation > SHARED_WITHIN:
        reason = f"extra hits go to targets within {SHARED_WITHIN} m of the first; this one is {separation:g} m away"
        yield Refused(reason, "DW-AUTO-3", "range")


# --- aiming and bracing -----------------------------------------------------------------------------------------------


@clause("DW-ACT-AIM", "DW-ECON-1", "DW-ECON-2")
def takes_a_turn(aim: Aim, action: Action) -> bool:
    """Whether an aim takes a turn of its own: a full aim, and a half aim before an attack that is a Full Action."""
    return aim == "full" or (aim == "half" and action not in HALF_ATTACKS)


@clause("DW-ACT-BRACE-HEAVY-WEAPON")
def needs_bracing(weapon: Weapon, no_bracing: bool = False) -> bool:
    """Whether a weapon is hard to fire unless it is braced: the heavy ones, unless a talent or suit carries them."""
    return weapon.kind == "Heavy" and not no_bracing


# --- one gun, turn by turn --------------------------------------------------------------------------------------------


LASTS = -1
"""A clip that lasts for all turns left, or turns left that nothing depends on: no more of them need be known."""


class Drill(Struct, frozen=True, cache_hash=True):
    """What somebody with a weapon does turn by turn; constant through the fight."""

    spec: records.Spec
    turns: int = 1
    clear: int = 50  # target of the test to clear a jam
    clip: int = 28  # of a fresh clip; 0 where nothing is fired
    reload: int = 1  # Full Actions
    empties: bool = True  # clearing a jam loses the clip
    aims: bool = False  # a turn goes by before each attack
    recharges: bool = False  # a turn goes by after each attack
    lasts: bool = True  # what befalls the target besides its wounds is followed
    name: str = ""  # of the choice made, where there was one
    goal: Literal["kill", "damage", "hits", "hurt"] = "damage"
    jam_cost: float = 0.0
    tests: Rulings = Rulings()


class Gun(Struct, frozen=True, cache_hash=True):
    """A gun between two turns, as far as the turns left depend on it."""

    left: int = LASTS  # turns
    clip: int = LASTS
    jammed: bool = False
    reloading: int = 0  # Full Actions done
    aimed: bool = True
    resting: bool = False  # too hot or not charged yet
    status: str = ""  # jam or overheat, if that ever happened


def loaded(drill: Drill, clip: int, aimed: bool = True) -> Gun:
    """A gun before the first turn."""
    return _forget(drill, Gun(drill.turns, clip, aimed=aimed))


def at_rest(gun: Gun) -> Gun:
    """A gun without a target."""
    return Gun(0, status=gun.status)


@clause("DW-JAM-2")
def clear_target(bs: int, modifiers: Sequence[Modifier | int] = (), fatigue: int = 0, rules: Rulings = DEFAULT) -> int:
    """What the test to clear a jam must roll or less."""
    return target(bs, (*modifiers, fatigue_modifier(fatigue, rules)), rules)


@clause("DW-JAM-2")
def is_cleared(tape: Tape, target: int, name: str, tests: Rulings) -> bool:
    """The test to clear a jam."""
    return check(tape, target, labelled(name, "clear the jam"), tests)


@clause("DW-JAM-2")
def clear_jam(clip: int, success: bool, empties: bool = True) -> tuple[bool, int]:
    """Whether a gun is still jammed after an attempt to clear it, and its clip, which is lost if it is not."""
    return not success, 0 if success and empties else clip


@clause("DW-ACT-RELOAD", "DW-QUAL-TWIN")
def reload_actions(reload: int, qualities: Qualities = stages.NO_QUALITIES) -> int:
    """Full Actions in a row that a reload takes; two barrels take twice as long."""
    return reload * (2 if qualities.twin else 1)


@refuses("DW-ACT-RELOAD")
def refuse_reload(clip: int, size: int, name: str = "the weapon") -> Iterator[Refused]:
    """Why a weapon cannot be reloaded: its clip is full."""
    if clip >= size:
        yield Refused(f"{name} holds {clip} of {size} rounds already; reload it when rounds are gone", "DW-ACT-RELOAD")


@clause("DW-ACT-RELOAD")
def reload(done: int, wanted: int, clip: int, size: int) -> tuple[int, int]:
    """One more Full Action of a reload: how many are done, 0 once it is over, and the clip, which is full then."""
    return (done + 1, clip) if done + 1 < wanted else (0, size)


@clause("DW-JAM-2", "DW-ACT-RELOAD", "DW-ACT-AIM", "DW-RWEP-00", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS")
def turn_without_attack(tape: Tape, drill: Drill, gun: Gun) -> Gun | None:
    """A turn that goes by before a gun can be fired: clear a jam, reload, aim, let it rest; none if it can be fired."""
    left = _less(gun)
    if gun.jammed:
        is_clear = tape.call(is_cleared, drill.clear, drill.spec.name, drill.tests)
        jammed, clip = clear_jam(gun.clip, is_clear, drill.empties)
        return _forget(drill, replace(gun, left=left, jammed=jammed, clip=clip))
    if not is_loaded(drill, gun):
        done, clip = reload(gun.reloading, drill.reload, gun.clip, drill.clip)
        aimed = not drill.aims  # it cools and charges meanwhile, but nobody aims
        return _forget(drill, replace(gun, left=left, clip=clip, reloading=done, aimed=aimed, resting=False))
    if not gun.aimed:
        return replace(gun, left=left, aimed=True)
    return replace(gun, left=left, resting=False) if gun.resting else None


def is_loaded(drill: Drill, gun: Gun) -> bool:
    """Whether the clip has the rounds of one more attack."""
    return gun.clip == LASTS or gun.clip >= drill.spec.rounds


@clause("DW-RWEP-00", "DW-JAM-1", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS")
def fired(drill: Drill, gun: Gun, status: str) -> Gun:
    """What an attack that went so does to its gun."""
    left = _less(gun)
    rests = status == "overheat" or (drill.recharges and status != "jam")  # clearing a jam takes that turn anyway
    after = Gun(
        left,
        gun.clip if gun.clip == LASTS else gun.clip - drill.spec.rounds,
        jammed=status == "jam",
        aimed=not drill.aims,
        resting=left != 0 and rests and not drill.aims,  # an aim takes as long
        status=status if status in ("jam", "overheat") else gun.status,
    )
    return _forget(drill, after)


def _less(gun: Gun) -> int:
    return gun.left - (gun.left > 0)


def _forget(drill: Drill, gun: Gun) -> Gun:
    """A clip that lasts to the end, or will be lost when the jam is cleared, need not be counted."""
    if (gun.jammed and drill.empties) or gun.clip >= drill.spec.rounds * gun.left:
        return replace(gun, clip=LASTS)
    return gun


# --- fire turn after turn ---------------------------------------------------------------------------------------------


G = TypeVar("G", bound="Gunfire")


class Gunfire(Struct, frozen=True, cache_hash=True):
    """How far the fire, or the blows, of one character at another have got."""

    drill: Drill
    victim: Victim
    before: int  # health before the first shot
    gun: Gun
    hits: int = 0
    landed: int = 0
    rounds: int = 0  # spent

    @property
    def spec(self) -> records.Spec:
        """The attack that is made again and again."""
        return self.drill.spec

    @property
    def specs(self) -> tuple[records.Spec, ...]:
        """All attacks there are: this one."""
        return (self.spec,)

    @property
    def status(self) -> str:
        """Whether the gun ever jammed or overheated."""
        return self.gun.status

    def after(self, attack: records.Attack) -> Self:
        """The same once an attack is rolled: what that did to the gun, and its hits."""
        return replace(
            self,
            gun=fired(self.drill, self.gun, attack.status),
            hits=self.hits + attack.hits,
            landed=self.landed + attack.landed,
            rounds=self.rounds + self.spec.rounds,
        )


def begin_fire(drill: Drill, health: int, clip: int, aimed: bool = True) -> Gunfire:
    """Fire about to be opened."""
    return Gunfire(drill, stages.struck_at(drill.spec, health), health, loaded(drill, clip, aimed))


@clause("DW-PIPE-1", "DW-JAM-2", "DW-ACT-RELOAD", "DW-ACT-AIM", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS")
def fire_on(tape: Tape, fire: Gunfire) -> Gunfire:
    """One more turn: clear a jam, reload, aim, let the gun rest, or shoot, in this order; nobody shoots at the dead."""
    drill, gun, victim = fire.drill, fire.gun, fire.victim
    if victim.health <= DEAD:
        return replace(fire, gun=at_rest(gun))
    paused = turn_without_attack(tape, drill, gun)
    if paused is not None:
        return replace(fire, gun=paused)
    return tape.call(shoot, replace(fire, victim=stages.NOBODY), onto=victim)  # type: ignore[no-any-return]


@clause("DW-PIPE-1")
def shoot(tape: Tape, fire: G) -> Deed[G]:
    """One attack, whoever it is aimed at: what it does to the gun, and the hits that are to be taken."""
    return tape.call(stages.roll_and_place, fire.spec, then=_hits, rest=fire)


def _hits(fire: G, attack: records.Attack) -> Deed[G]:
    return Deed(strike, in_parts(attack.items), hit, fire.after(attack))


def hit(shot: G, victim: Victim) -> G:
    """What the hits of an attack have left of its target."""
    lasting = shot.drill.lasts
    return replace(shot, victim=victim if lasting else Victim(max(DEAD, victim.health), by_spot=victim.by_spot))
