"""Fire turn after turn: aims, shots, jams, reloads and guns that must rest, on somebody who stays where he is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.log import Line
from battletape.procedure import Stage, fold
from battletape.rulesets.deathwatch.attack import NOBODY
from battletape.rulesets.deathwatch.checks import check
from battletape.rulesets.deathwatch.pipeline import after_hits, begin, health_words, take_hits, until_hit
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.rulesets.deathwatch.specs import Attack, Spec
from battletape.rulesets.deathwatch.traits import DEAD
from battletape.rulesets.deathwatch.words import plural
from battletape.rulesets.deathwatch.wounds import Victim, strike
from battletape.tape import Deed, Tape

LASTS = -1
"""A clip that lasts for all turns left, of which nothing more need be known."""


class Outcome(NamedTuple):
    """What became of an attack: of the gun, of the hits scored, of those that landed, and of whom they hit."""

    status: str
    hits: int
    landed: int
    victim: Victim


class Drill(Struct, frozen=True, cache_hash=True):
    """What somebody with a gun does turn by turn; constant through the fire."""

    spec: Spec
    clear: int = 50  # target of the test to clear a jam
    clip: int = 28  # of a fresh clip
    reload: int = 1  # Full Actions
    empties: bool = True  # clearing a jam loses the clip
    aims: bool = False  # a turn goes by before each attack
    recharges: bool = False  # a turn goes by after each attack
    name: str = ""  # of the choice made, where there was one
    goal: Literal["kill", "damage", "hits", "hurt"] = "damage"
    jam_cost: float = 0.0
    tests: Rulings = Rulings()


class Gunfire(Struct, frozen=True, cache_hash=True):
    """How far the fire has got."""

    drill: Drill
    victim: Victim
    before: int  # health before the first shot
    left: int  # turns
    clip: int
    jammed: bool = False
    reloading: int = 0  # Full Actions still wanted
    aimed: bool = True
    resting: bool = False  # too hot or not charged yet
    status: str = ""  # jam or overheat, if that ever happened
    hits: int = 0
    landed: int = 0
    rounds: int = 0  # spent

    @property
    def spec(self) -> Spec:
        """The attack that is made again and again."""
        return self.drill.spec

    @property
    def specs(self) -> tuple[Spec, ...]:
        """All attacks there are: this one."""
        return (self.spec,)


def begin_fire(drill: Drill, health: int, turns: int, clip: int, aimed: bool = True) -> Gunfire:
    """Fire about to be opened."""
    attack = begin(drill.spec, health)
    return _forget(Gunfire(drill, attack.victim, attack.before, turns, clip, aimed=aimed))


@clause("DW-PIPE-1")
def roll_and_place(tape: Tape, spec: Spec) -> Attack:
    """The first half of an attack: up to the places of the hits that were not evaded."""
    return fold(until_hit(spec), tape, Attack(spec, NOBODY))  # type: ignore[no-any-return]


@clause("DW-JAM-2", "DW-ACT-RELOAD", "DW-ACT-AIM", "DW-RWEP-00", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS")
def fire_on(tape: Tape, fire: Gunfire) -> Gunfire:
    """One more turn: clear a jam, reload, aim, let the gun rest, or shoot, in this order; nobody shoots at the dead."""
    drill, left = fire.drill, fire.left - 1
    if fire.victim.health <= DEAD:
        return replace(fire, left=left, clip=LASTS, jammed=False, reloading=0, aimed=True, resting=False)
    if fire.jammed:
        return tape.call(clear_jam, drill.clear, drill.tests, then=_cleared, rest=fire)
    if fire.clip != LASTS and fire.clip < drill.spec.rounds:
        wanted = (fire.reloading or drill.reload) - 1
        fresh = fire.clip if wanted > 0 else drill.clip
        fire = replace(fire, aimed=not drill.aims, resting=False)  # it cools and charges meanwhile, but nobody aims
        return _forget(replace(fire, left=left, reloading=max(0, wanted), clip=fresh))
    if not fire.aimed:
        return replace(fire, left=left, aimed=True)
    if fire.resting:
        return replace(fire, left=left, resting=False)

    victim, rest = fire.victim, replace(fire, victim=NOBODY)
    if not after_hits(drill.spec):
        return tape.call(shoot, rest, onto=victim)
    return tape.call(attack_once, victim, drill.spec, then=_told, rest=rest)


@clause("DW-JAM-2")
def clear_jam(tape: Tape, target: int, tests: Rulings) -> bool:
    """The test to clear a jam."""
    return check(tape, target, "clear the jam", tests)


def _cleared(fire: Gunfire, is_clear: bool) -> Gunfire:
    left = fire.left - 1
    if not is_clear:
        return replace(fire, left=left)
    return _forget(replace(fire, left=left, jammed=False, clip=0 if fire.drill.empties else fire.clip))


@clause("DW-PIPE-1")
def shoot(tape: Tape, fire: Gunfire) -> Deed[Gunfire]:
    """One shot or burst, whoever it is aimed at: what it does to the gun, and the hits that are to be taken."""
    return tape.call(roll_and_place, fire.drill.spec, then=_hits, rest=fire)


def _hits(fire: Gunfire, attack: Attack) -> Deed[Gunfire]:
    return Deed(strike, attack.items, _hit, _shot(fire, attack.status, attack.hits, attack.landed))


def _hit(shot: Gunfire, victim: Victim) -> Gunfire:
    return replace(shot, victim=victim)


def _told(fire: Gunfire, came: Outcome) -> Gunfire:
    status, hits, landed, victim = came
    return replace(_shot(fire, status, hits, landed), victim=victim)


def _shot(fire: Gunfire, status: str, hits: int, landed: int) -> Gunfire:
    """A gun that was fired: what the shot did to it, not yet to whom it was meant for."""
    drill, left = fire.drill, fire.left - 1
    return _forget(
        replace(
            fire,
            left=left,
            clip=fire.clip if fire.clip == LASTS else fire.clip - drill.spec.rounds,
            jammed=status == "jam",
            aimed=not drill.aims,
            resting=left > 0 and must_rest(drill.recharges, status) and not drill.aims,  # an aim takes as long
            status=status if status in ("jam", "overheat") else fire.status,
            hits=fire.hits + hits,
            landed=fire.landed + landed,
            rounds=fire.rounds + drill.spec.rounds,
        )
    )


@clause("DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS")
def must_rest(recharges: bool, status: str) -> bool:
    """Whether a gun that was fired cannot be fired in the next turn; clearing a jam takes that turn anyway."""
    return status == "overheat" or (recharges and status != "jam")


def _forget(fire: Gunfire) -> Gunfire:
    """A clip that lasts to the end, or will be lost when the jam is cleared, need not be counted."""
    if (fire.jammed and fire.drill.empties) or fire.clip >= fire.drill.spec.rounds * fire.left:
        return replace(fire, clip=LASTS)
    return fire


@clause("DW-PIPE-1")
def attack_once(tape: Tape, victim: Victim, spec: Spec) -> Outcome:
    """One whole attack; the roll to hit does not ask who is hit, so that all states share it."""
    attack: Attack = tape.call(roll_and_place, spec)
    rest = Outcome(attack.status, attack.hits, attack.landed, NOBODY)
    if not attack.landed:
        return rest._replace(victim=victim)
    hit = replace(attack, victim=victim, before=victim.health)
    after = after_hits(spec)
    if not after:
        return tape.call(take_hits, hit, then=_came, rest=rest)
    return _came(rest, fold((take_hits, *after), tape, hit))


def _came(rest: Outcome, attack: Attack) -> Outcome:
    return rest._replace(victim=attack.victim)


def narrate(stage: Stage, before: Gunfire, after: Gunfire) -> Iterable[Line]:
    """What a turn of fire did."""
    if stage is not fire_on or before.victim.health <= DEAD:
        return
    if before.jammed:
        text = "Still jammed" if after.jammed else "The jam is cleared"
        if not after.jammed and after.drill.empties:
            text += ", the clip is lost"
        yield Line(text, ("DW-JAM-2",))
    elif after.rounds == before.rounds:
        loaded = before.clip == LASTS or before.clip >= before.spec.rounds
        yield pause_line(loaded, before.resting, before.drill.recharges, after.reloading)
    else:
        text = plural(after.landed - before.landed, "hit")
        yield Line(f"{text}: {health_words(after.victim.health, after.spec.guard.wounds).lower()}", ("DW-PIPE-1",))
        if after.jammed:
            yield Line("The weapon jams", ("DW-JAM-1",), result="jam")
        elif after.resting and after.status == "overheat":
            yield Line("The weapon overheats", ("DW-QUAL-OVERHEATS",), result="overheat")


def pause_line(loaded: bool, resting: bool, recharges: bool, reloading: int) -> Line:
    """What was done in a turn without a shot."""
    if not loaded:
        left = f"Reloading, {plural(reloading, 'Full Action')} left"
        return Line(left if reloading else "Reloaded", ("DW-ACT-RELOAD",))
    if not resting:
        return Line("Takes aim", ("DW-ACT-AIM",))
    return Line("The weapon rests", ("DW-QUAL-RECHARGE" if recharges else "DW-QUAL-OVERHEATS",))
