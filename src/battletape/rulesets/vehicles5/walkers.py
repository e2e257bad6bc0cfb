"""Walkers: vehicles that run, turn to shoot and fight like soldiers."""

from __future__ import annotations

from typing import Literal, TypeAlias

from battletape.clauses import clause
from battletape.dice import D6
from battletape.errors import Refused
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.traits import Facing, State, Traits
from battletape.rulesets.vehicles5.troops import capped, ws_needs
from battletape.tape import Tape

SIX = 6  # what a grenade needs against a walker
Deed: TypeAlias = Literal[
    "move",
    "run",
    "fire",
    "pivot_when_firing",
    "smoke",
    "assault",
    "fight",
    "pile_in",
    "sweeping_advance",
    "consolidate",
    "morale_test",
]
_WORDS: dict[Deed, str] = {
    "pivot_when_firing": "turn towards its target",
    "pile_in": "pile in",
    "sweeping_advance": "make a sweeping advance",
    "morale_test": "test its morale",
}
_STAYS: tuple[Deed, ...] = ("pile_in", "sweeping_advance", "consolidate")


# --- what it may do -------------------------------------------------------------------------------------------------


@clause("V5-WALK-1", "V5-WALK-4", "V5-WALK-5", "V5-WALK-6", "V5-WALK-7", "V5-WALK-13", "V5-WALK-14")
def refuse_walker(
    action: Deed,
    *,
    fired: bool = False,
    target_is_fired_unit: bool = True,
    ran: bool = False,
    state: State = State(),
    rules: Rulings = DEFAULT,
) -> Refused | None:
    """Why a walker may not do something now; which weapons it fired never matters, only at whom."""
    if state.is_destroyed:
        by = "V5-DMG-5" if state.status == "wrecked" else "V5-DMG-6"
        return Refused(f"what is {state.status} does not {_word(action)}", by, "destroyed")
    if action == "morale_test":
        return Refused("a walker never tests its morale, however a fight went", "V5-WALK-13", "morale")
    if action in ("fight", "smoke"):
        late = action == "smoke" and ran and rules.walker_smoke_time == "move_only"
        reason = "smoke comes after the move and not after a run by the ruling walker_smoke_time"
        return Refused(reason, "V5-WALK-4", "ran") if late else None
    return _held(action, state) or _busy(action, fired, target_is_fired_unit, ran)


def _held(action: Deed, state: State) -> Refused | None:
    """Why its damage holds a walker back."""
    if action == "fire":
        if state.stunned or state.shaken:
            word, by = ("stunned", "V5-DMG-2") if state.stunned else ("shaken", "V5-DMG-1")
            return Refused(f"a {word} crew does not fire", by, word)
        return None
    if state.immobilised:
        by = "V5-WALK-5" if action == "pivot_when_firing" else "V5-WALK-14" if action in _STAYS else "V5-WALK-1"
        return Refused(f"an immobilised walker may not {_word(action)}", by, "immobilised")
    if state.stunned:
        by = "V5-WALK-14" if action in _STAYS else "V5-DMG-2"
        return Refused(f"a stunned walker may not {_word(action)}", by, "stunned")
    return None


def _busy(action: Deed, fired: bool, target_is_fired_unit: bool, ran: bool) -> Refused | None:
    """Why what it did before in this turn rules something out."""
    if ran and action in ("fire", "pivot_when_firing", "assault"):
        return Refused(f"a walker that ran may not {_word(action)} in the same turn", "V5-WALK-4", "ran")
    if action == "run" and fired:
        return Refused("a walker runs in place of shooting, and this one has fired", "V5-WALK-1", "fired")
    if action == "assault" and fired and not target_is_fired_unit:
        return Refused("a walker that fired may assault only the unit it fired at", "V5-WALK-7", "target")
    return None


def _word(action: Deed) -> str:
    return _WORDS.get(action, action)


@clause("V5-WALK-1")
def roll_run(tape: Tape) -> int:
    """How many inches a walker, or a soldier, runs."""
    return int(tape.roll(D6, label="run"))


# --- what it is worth in a fight ------------------------------------------------------------------------------------


@clause("V5-WALK-11", "V5-WALK-16")
def attacks(a: int, dccw: int, charged: bool, state: State = State(), rules: Rulings = DEFAULT) -> int:
    """How often a walker strikes, with so many close combat weapons intact; never less than once."""
    hindered = state.stunned + state.immobilised
    less = hindered if rules.walker_penalty == "each" else min(hindered, 1)
    return max(1, a + (dccw >= 2) + charged - less)


@clause("V5-WALK-16", "V5-CORE-23")
def strength(s: int, dccw: int) -> int:
    """How hard a walker strikes: twice its S with a close combat weapon intact, 10 at most."""
    return capped(2 * s) if dccw else s


@clause("V5-WALK-16")
def ignores_armour(dccw: int) -> bool:
    """Whether its blows go past armour saves: a walker's close combat weapon is a power weapon."""
    return dccw > 0


@clause("V5-WALK-8", "V5-WALK-10", "V5-CORE-10")
def to_hit(
    attacker_ws: int, walker_ws: int, grenade: bool = False, state: State = State(), rules: Rulings = DEFAULT
) -> int:
    """What a blow against a walker needs; a grenade wants a 6 unless the walker is stunned or immobilised."""
    helpless = (state.stunned or state.immobilised) and rules.grenades_on_helpless_walker == "ws_table"
    return SIX if grenade and not helpless else ws_needs(attacker_ws, walker_ws)


@clause("V5-WALK-14")
def may_pursue(state: State) -> bool:
    """Whether a walker can sweep after beaten enemies."""
    return refuse_walker("sweeping_advance", state=state) is None


@clause("V5-WALK-8", "V5-ASLT-8", "V5-WALK-13", "V5-WALK-14")
def in_a_fight(traits: Traits, state: State = State(), rules: Rulings = DEFAULT) -> tuple[Deed, ...]:
    """What a vehicle does in close combat and after it: only a walker is locked in a fight, and its wounds count."""
    deeds: tuple[Deed, ...] = ("fight", *_STAYS, "morale_test")
    return tuple(deed for deed in deeds if traits.walker and refuse_walker(deed, state=state, rules=rules) is None)


@clause("V5-WALK-9", "V5-WALK-17")
def armour_struck(traits: Traits, otherwise: Facing = "rear") -> Facing:
    """The armour that blows have to beat: a walker's front, wherever they come from."""
    return "front" if traits.walker else otherwise
