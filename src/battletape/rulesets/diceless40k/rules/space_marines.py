"""Rules of the book of the Space Marines: powers, wargear and characters, as far as they are no repairs."""

from __future__ import annotations

from battletape.rulebook import Refused, Tape, clause, replace
from battletape.rulesets.diceless40k.rules import casualties
from battletape.rulesets.diceless40k.rules.characteristics import ETERNAL_WARRIOR
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings

OUTRIGHT = "slays outright"
AURA = 24  # inches: the reach of the psychic hood and of the null zone
BEACON_REACH = 6  # inches
GATE_TOKENS = 2
HOOD_POINTS = 50
GATE = casualties.Packet("gate of infinity", 10, strength=0, no_saves=True)
MINES_STRENGTH = 4
MINES = casualties.Packet("cluster mines", 90, MINES_STRENGTH, ignores_cover=True)
MOONFANG_LEAST = 10
TREMOR_INCHES = 2


# --- librarians -------------------------------------------------------------------------------------------------------


@clause("DL-SM-56.1")
def hood_reaches(distance: float) -> bool:
    """Return whether an enemy psyker is near enough for a librarian's hood to hinder it."""
    return distance <= AURA


@clause("DL-SM-56.1")
def hood_points() -> int:
    """Order points that a psychic test adds within reach of a hood, of one or of several."""
    return HOOD_POINTS


@clause("DL-SM-57.2")
def null_zone_reaches(distance: float) -> bool:
    """Return whether a null zone reaches so far; it makes invulnerable saves one worse."""
    return distance <= AURA


@clause("DL-SM-57.3")
def gate_tokens(gates: int) -> int:
    """Return the scatter tokens that psykers with the gate of infinity give the opponent."""
    return gates * GATE_TOKENS


@clause("DL-SM-57.4")
def pass_gate(tape: Tape, target: casualties.Target) -> casualties.Target:
    """Deal 10 DMG to a unit that is taken through the gate, without saves; its owner chooses the group."""
    if not target.models:
        return target
    if target.rulings.gate_damage == "model":
        return casualties.resolve(tape, target, replace(GATE, dmg=GATE.dmg * target.models))
    names = tuple(group.name for group in target.groups if group.models)
    taker = tape.choose(names, by=target.by, label="who takes the damage of the gate")
    group_index = next(group_index for group_index, group in enumerate(target.groups) if group.name == taker)
    return casualties.take_share(tape, target, GATE, group_index, GATE.dmg)


@clause("DL-SM-86.1")
def all_powers_tokens(rulings: Rulings = DEFAULT) -> int:
    """Return the scatter tokens that a psyker with every power gives the opponent, for the blast and the gate."""
    return rulings.tigurius


# --- weapons and wargear ----------------------------------------------------------------------------------------------


@clause("DL-SM-52.1")
def refuse_bombardment(used: bool, fires: bool = False) -> Refused | None:
    """Refuse a second bombardment in a game, and one beside firing."""
    if used:
        return Refused("the orbital bombardment comes once in a game", "DL-SM-52.1")
    if fires:
        return Refused("a unit that calls the orbital bombardment fires nothing else", "DL-SM-52.1")
    return None


@clause("DL-SM-67.1")
def spring_mines(tape: Tape, target: casualties.Target) -> casualties.Target:
    """Deal 90 DMG to a unit on cluster mines, after its move; AP-, and cover does not help."""
    return casualties.resolve(tape, target, MINES)


@clause("DL-SM-67.1")
def mines_on_vehicle(rulings: Rulings = DEFAULT) -> tuple[int, int]:
    """Return the DMG and Strength of cluster mines under a vehicle; they meet its rear armour."""
    return rulings.mines_on_vehicles, MINES_STRENGTH


@clause("DL-SM-72.1")
def servitors_function(turns_without: int, techmarine: bool, rulings: Rulings = DEFAULT) -> bool:
    """Return whether servitors work: with a techmarine always, without one for the first turn only."""
    free = 1 if rulings.mindlock == "first_free" else 0
    return techmarine or turns_without <= free


@clause("DL-SM-72.1")
def turns_without(before: int, techmarine: bool) -> int:
    """Return the turns in a row that servitors have been alone, this one counted."""
    return 0 if techmarine else before + 1


@clause("DL-SM-73.1")
def tremor_inches() -> int:
    """Return how much less a unit on foot moves in the Movement phase after a subterranean blast has hit it."""
    return TREMOR_INCHES


@clause("DL-SM-75.1", "DL-95.7")
def is_near_beacon(distance: float) -> bool:
    """Return whether a unit arrives so near to a beacon that it jams the arrival, or guides it."""
    return distance <= BEACON_REACH


@clause("DL-SM-75.1")
def jammed_limit(most: int) -> int:
    """Return the scatter tokens that may be used near a jamming beacon: twice as many."""
    return 2 * most


@clause("DL-SM-94.1")
def moonfang_slays(ap2: int, ap2_after: int, rulings: Rulings = DEFAULT) -> bool:
    """Return whether a model is removed outright: the AP2 part is 10 or more after the invulnerable save."""
    return (ap2_after if rulings.moonfang == "after_save" else ap2) >= MOONFANG_LEAST


@clause("DL-SM-94.1")
def resolve_moonfang(tape: Tape, target: casualties.Target, packet: casualties.Packet) -> casualties.Target:
    """Resolve a rending packet of Moonfang's; a large AP2 part removes one model in front outright."""
    before = target.groups
    hit_target = casualties.resolve(tape, target, replace(packet, slays=True))
    for group_at, piercing in hit_target.pierced:
        if ETERNAL_WARRIOR not in before[group_at].rules:
            slain = _slay(tape, hit_target, packet, piercing, group_at, before[group_at].front_hp)
            if slain != hit_target:
                return replace(slain, pierced=())
    return replace(hit_target, pierced=())


def _slay(
    tape: Tape,
    target: casualties.Target,
    packet: casualties.Packet,
    piercing: casualties.PacketPart,
    group_index: int,
    front_hp: int,
) -> casualties.Target:
    """Take off what the AP2 part left to the model in front; the normal part was worked out as usual."""
    group = target.groups[group_index]
    rest = front_hp - piercing.hp
    if rest <= 0 or not group.models or not moonfang_slays(piercing.dmg, piercing.after_save, target.rulings):
        return target
    loss = casualties.remove_casualties(group.models, group.hp, group.recorded, rest)
    tape.tell(casualties.share_lines, f"{packet.name} {OUTRIGHT}", group.name, (), loss, rest)
    return casualties.with_loss(target, group_index, loss, casualties.Losses(hp=rest))
