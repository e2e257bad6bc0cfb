"""A horde under attack turn after turn: jams, clips and reloads of the gun, and the nerve of the horde."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.log import Line
from battletape.procedure import Procedure, Stage
from battletape.rulesets.deathwatch.rules import tests
from battletape.rulesets.deathwatch.rules.guns import LASTS, must_rest, pause_line
from battletape.rulesets.deathwatch.rules.hordes.attack_on_horde import Onslaught, Volley, volley
from battletape.rulesets.deathwatch.rules.hordes.size_and_nerve import Breaking, breaking
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.words import modifier_lines
from battletape.tape import Tape
from battletape.words import plural

GONE: dict[str, Any] = {"clip": LASTS, "jammed": False, "reloading": 0, "aimed": True, "resting": False}
"""What need not be known any more of a gun without a target."""


class Siege(Struct, frozen=True, cache_hash=True):
    """Who attacks a horde turn by turn, and what holds it together; constant through the fight."""

    attack: Onslaught
    starting: int  # Magnitude of the horde when it was whole
    willpower: int = 30
    disciplined: bool = False
    breaks: bool = True  # its nerve is tested at all
    attacks: int = 1  # a turn
    turns: int = 1
    clip: int = 0  # of a fresh one; 0 where nothing is fired
    reload: int = 1  # Full Actions
    clear: int = 50  # target of the test to clear a jam
    empties: bool = True  # clearing a jam loses the clip
    aims: bool = False  # a turn goes by before each attack but the first
    recharges: bool = False  # a turn goes by after each attack
    cap: int = 60  # on modifiers
    tests: Rulings = DEFAULT

    @property
    def rounds(self) -> int:
        """Rounds that one attack spends."""
        return self.attack.steps[0][1].rounds


class Standing(Struct, frozen=True, cache_hash=True):
    """How far it has got."""

    siege: Siege
    before: int  # Magnitude at first
    magnitude: int
    turn: int = 0
    bled: bool = False  # a quarter or more was lost since the horde's last turn
    hits: int = 0
    broken_in: int = 0  # the turn; 0 not
    destroyed_in: int = 0
    clip: int = LASTS
    jammed: bool = False
    reloading: int = 0  # Full Actions still needed
    aimed: bool = True
    resting: bool = False  # too hot or not charged yet
    status: str = ""  # jam or overheat, if that ever happened
    fired: int = 0  # attacks made

    @property
    def is_over(self) -> bool:
        """The horde is destroyed, or has fled."""
        return self.magnitude <= 0 or self.broken_in > 0


def begin_siege(siege: Siege, magnitude: int, clip: int = LASTS) -> Standing:
    """A horde of this Magnitude about to be attacked."""
    return _forget(Standing(siege, magnitude, magnitude, clip=clip))


def procedure(now: Standing) -> Procedure:
    """So many turns: the attack, then the start of the horde's own turn."""
    return Procedure("horde", (size_up, *(assail, nerve_test) * now.siege.turns))


@clause("DW-HPIPE-1", "DW-HORDE-2")
def size_up(tape: Tape, now: Standing) -> Standing:
    """Say how the horde is attacked, and what its size adds to that at first."""
    return now


@clause("DW-HPIPE-1", "DW-HORDE-3", "DW-JAM-2", "DW-ACT-RELOAD", "DW-ACT-AIM", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS")
def assail(tape: Tape, now: Standing) -> Standing:
    """A turn of the attacker: clear a jam, reload, aim, wait or attack; nobody attacks a horde that is gone."""
    siege, turn = now.siege, now.turn + 1
    if now.is_over:
        return replace(now, turn=turn, **GONE)
    if now.jammed:
        if not tests.check(tape, siege.clear, "clear the jam", siege.tests):
            return replace(now, turn=turn)
        return _forget(replace(now, turn=turn, jammed=False, clip=0 if siege.empties else now.clip))
    if now.clip != LASTS and now.clip < siege.rounds:
        wanted = (now.reloading or siege.reload) - 1
        fresh = now.clip if wanted > 0 else siege.clip
        now = replace(now, aimed=not siege.aims, resting=False)  # it cools and charges meanwhile, but nobody aims
        return _forget(replace(now, turn=turn, reloading=max(0, wanted), clip=fresh))
    if not now.aimed:
        return replace(now, turn=turn, aimed=True)
    if now.resting:
        return replace(now, turn=turn, resting=False)
    came: Volley = tape.call(attack_often, siege.attack, now.magnitude, siege.attacks)
    gone = came.magnitude <= 0
    return _forget(
        replace(
            now,
            turn=turn,
            magnitude=came.magnitude,
            bled=4 * (now.magnitude - came.magnitude) >= siege.starting,
            hits=now.hits + came.hits,
            destroyed_in=turn if gone else 0,
            clip=now.clip if now.clip == LASTS else now.clip - siege.rounds,
            jammed=came.status == "jam" and not gone,
            status=came.status if came.status in ("jam", "overheat") else now.status,
            fired=now.fired + 1,
            aimed=gone or not siege.aims,
            resting=not gone and must_rest(siege.recharges, came.status) and not siege.aims,  # an aim takes as long
        )
    )


@clause("DW-HPIPE-1", "DW-ACT-MULTIPLE-ATTACKS")
def attack_often(tape: Tape, attack: Onslaught, magnitude: int, attacks: int) -> Volley:
    """All attacks of a turn, each against what the one before has left."""
    if attacks == 1:
        return volley(tape, attack, magnitude)
    return tape.each(_once_more, Volley("", 0, magnitude), (attack,) * attacks)


@clause("DW-HPIPE-1")
def _once_more(tape: Tape, so_far: Volley, attack: Onslaught) -> Volley:
    came: Volley = tape.call(volley, attack, so_far.magnitude)
    return Volley(came.status or so_far.status, so_far.hits + came.hits, came.magnitude)


@clause("DW-HORDE-16")
def nerve_test(tape: Tape, now: Standing) -> Standing:
    """The start of the horde's turn: a quarter lost since the last one tests its Willpower, or it has too few left."""
    siege = now.siege
    if now.is_over or not siege.breaks:
        return replace(now, bled=False)
    asks = nerve_of(now)
    flees = asks.auto or (asks.test and not holds(tape, siege.willpower, asks.penalty, siege.cap, siege.tests))
    return replace(now, bled=False, broken_in=now.turn if flees else 0, **(GONE if flees else {}))


@clause("DW-HORDE-16")
def nerve_of(now: Standing) -> Breaking:
    """What the start of the horde's turn asks of it."""
    siege = now.siege
    return breaking(siege.starting, now.magnitude, siege.starting if now.bled else 0, siege.disciplined)


@clause("DW-HORDE-16")
def holds(tape: Tape, willpower: int, penalty: int = 0, cap: int = 60, rules: Rulings = DEFAULT) -> bool:
    """Whether a horde that must test its nerve stays."""
    return tests.check(tape, willpower + max(-cap, penalty), "willpower (breaking)", rules)


def _forget(now: Standing) -> Standing:
    """A clip that lasts to the end need not be counted; a jam that would empty it does not matter before it comes."""
    siege = now.siege
    if now.clip == LASTS:
        return now
    if now.is_over or not siege.clip or not siege.rounds:
        return replace(now, clip=LASTS)
    left = siege.turns - now.turn
    return replace(now, clip=LASTS) if not now.jammed and now.clip >= siege.rounds * left else now


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
        yield from modifier_lines(spec.skill, spec.modifiers, now.siege.cap)
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
    if before.jammed:
        emptied = ", the clip is lost" if after.siege.empties else ""
        yield Line("Still jammed" if after.jammed else f"The jam is cleared{emptied}", ("DW-JAM-2",))
        return
    if after.fired == before.fired:
        loaded = before.clip == LASTS or before.clip >= before.siege.rounds
        yield pause_line(loaded, before.resting, before.siege.recharges, after.reloading)
        return
    lost = before.magnitude - after.magnitude
    hits = f"{plural(after.hits - before.hits, 'hit')}, "
    left = f"Magnitude {before.magnitude} to {after.magnitude}" if after.magnitude else "the horde is destroyed"
    yield Line(f"Turn {after.turn}: {hits}{left}", ("DW-HORDE-3",), result=str(lost))
    if after.status == "jam" and (after.jammed or not after.magnitude):
        yield Line("The weapon jams", ("DW-JAM-1",), result="jam")
