"""A horde under attack turn after turn: jams, clips and reloads of the gun, and the nerve of the horde."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.log import Line
from battletape.procedure import Procedure, Stage
from battletape.rulesets.deathwatch.rules import guns
from battletape.rulesets.deathwatch.rules.guns import LASTS, Drill, Gun
from battletape.rulesets.deathwatch.rules.hordes.attack_on_horde import Onslaught, Volley, attack_horde
from battletape.rulesets.deathwatch.rules.hordes.size_and_nerve import Breaking, breaking, breaks
from battletape.rulesets.deathwatch.words import modifier_lines
from battletape.tape import Tape
from battletape.words import plural


class Siege(Struct, frozen=True, cache_hash=True):
    """Who attacks a horde turn by turn, and what holds it together; constant through the fight."""

    attack: Onslaught
    drill: Drill
    starting: int  # Magnitude of the horde when it was whole
    willpower: int = 30
    disciplined: bool = False
    breaks: bool = True  # its nerve is tested at all
    attacks: int = 1  # a turn


class Standing(Struct, frozen=True, cache_hash=True):
    """How far it has got."""

    siege: Siege
    before: int  # Magnitude at first
    magnitude: int
    gun: Gun = Gun()
    turn: int = 0
    bled: bool = False  # a quarter or more was lost since the horde's last turn
    hits: int = 0
    broken_in: int = 0  # the turn; 0 not
    destroyed_in: int = 0
    fired: int = 0  # attacks made

    @property
    def is_over(self) -> bool:
        """The horde is destroyed, or has fled."""
        return self.magnitude <= 0 or self.broken_in > 0


def begin_siege(siege: Siege, magnitude: int, clip: int = LASTS) -> Standing:
    """A horde of this Magnitude about to be attacked."""
    return Standing(siege, magnitude, magnitude, guns.loaded(siege.drill, clip))


def procedure(now: Standing) -> Procedure:
    """So many turns: the attack, then the start of the horde's own turn."""
    return Procedure("horde", (size_up, *(assail, nerve_test) * now.siege.drill.turns))


@clause("DW-HPIPE-1", "DW-HORDE-2")
def size_up(tape: Tape, now: Standing) -> Standing:
    """Say how the horde is attacked, and what its size adds to that at first."""
    return now


@clause("DW-HPIPE-1", "DW-HORDE-3", "DW-JAM-2", "DW-ACT-RELOAD", "DW-ACT-AIM", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS")
def assail(tape: Tape, now: Standing) -> Standing:
    """A turn of the attacker: clear a jam, reload, aim, wait or attack; nobody attacks a horde that is gone."""
    siege, drill, gun, now = now.siege, now.siege.drill, now.gun, replace(now, turn=now.turn + 1)
    if now.is_over:
        return replace(now, gun=guns.at_rest(gun))
    paused = guns.turn_without_attack(tape, drill, gun)
    if paused is not None:
        return replace(now, gun=paused)
    came: Volley = tape.call(attack_horde, siege.attack, now.magnitude, siege.attacks)
    gone, gun = came.magnitude <= 0, guns.fired(drill, gun, came.status)
    return replace(
        now,
        magnitude=came.magnitude,
        bled=4 * (now.magnitude - came.magnitude) >= siege.starting,
        hits=now.hits + came.hits,
        destroyed_in=now.turn if gone else 0,
        fired=now.fired + 1,
        gun=guns.at_rest(gun) if gone else gun,
    )


@clause("DW-HORDE-16")
def nerve_test(tape: Tape, now: Standing) -> Standing:
    """The start of the horde's turn: a quarter lost since the last one tests its Willpower, or it has too few left."""
    siege, label = now.siege, "willpower (breaking)"
    is_tested = siege.breaks and not now.is_over
    if not is_tested or not breaks(tape, nerve_of(now), siege.willpower, label, siege.drill.tests):
        return replace(now, bled=False)
    return replace(now, bled=False, broken_in=now.turn, gun=guns.at_rest(now.gun))


@clause("DW-HORDE-16")
def nerve_of(now: Standing) -> Breaking:
    """What the start of the horde's turn asks of it."""
    siege = now.siege
    return breaking(siege.starting, now.magnitude, siege.starting if now.bled else 0, siege.disciplined)


# --- in words ---------------------------------------------------------------------------------------------------------


def narrate(stage: Stage, before: Standing, after: Standing) -> Iterable[Line]:
    """What a turn did."""
    if stage is size_up:
        yield from _first_lines(before)
    if before.is_over or stage is size_up:
        return
    if stage is assail:
        yield from _attack_lines(before, after)
    elif after.broken_in:
        why = "too few are left" if nerve_of(before).auto else "its nerve fails"
        yield Line(f"The horde breaks in turn {after.broken_in}: {why}", ("DW-HORDE-16",), result="breaks")


def _first_lines(now: Standing) -> Iterable[Line]:
    attack = now.siege.attack
    spec = attack.spec(now.magnitude)
    if attack.kind == "flame":
        yield Line(f"No roll to hit: {attack.base} and a d{attack.die} hits", ("DW-HORDE-12",), result=str(attack.base))
    elif not attack.sure:
        yield from modifier_lines(spec.skill, spec.modifiers, now.siege.drill.tests.modifier_cap)
    if attack.kind == "psychic":
        more = f" and a d{attack.die}" if attack.die else ""
        yield Line(f"{attack.base}{more} hits by the psy rating", ("DW-HORDE-13",), result=str(attack.base))
    each, plus = attack.count
    if (each, plus) != (1, 0):
        times = f"counts {each} times" if each > 1 else "counts once"
        rule = (
            "DW-HORDE-11" if spec.blast else "DW-HORDE-4" if spec.hits[0].damage_type == "X" else "DW-QUAL-DEVASTATING"
        )
        yield Line(f"Each hit {times}" + (f", and {plus} more for the attack" if plus else ""), (rule,))


def _attack_lines(before: Standing, after: Standing) -> Iterable[Line]:
    if after.fired == before.fired:
        yield guns.pause_line(before.siege.drill, before.gun, after.gun)
        return
    lost = before.magnitude - after.magnitude
    hits = f"{plural(after.hits - before.hits, 'hit')}, "
    left = f"Magnitude {before.magnitude} to {after.magnitude}" if after.magnitude else "the horde is destroyed"
    yield Line(f"Turn {after.turn}: {hits}{left}", ("DW-HORDE-3",), result=str(lost))
    if after.gun.status == "jam" and (after.gun.jammed or not after.magnitude):
        yield Line("The weapon jams", ("DW-JAM-1",), result="jam")
