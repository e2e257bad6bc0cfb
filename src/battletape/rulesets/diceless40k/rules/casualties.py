"""From damage to casualties: a packet is spread over the models, saved by group, and taken off their hit points.

Every attack on troops ends here, shots, blasts and blows alike: `resolve` takes a packet of damage and a target, and
says every number on the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from battletape.rulebook import BadInput, Line, State, Tape, capital, clause, labelled, plural, replace
from battletape.rulesets.diceless40k.rules import characteristics, saves
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings

INSTANT_DEATH_HP = 10
RENDING_AP = 2
NO_AP = 7


class Packet(State, frozen=True):
    """All DMG that one unit deals to another in one go with one weapon profile."""

    name: str
    dmg: int
    strength: int  # that of the attack: no bonus for re-rolls
    ap: int | None = None
    shots: int = 1  # shots, hits or blows that it is made of
    rending: bool = False
    area: bool = False  # a blast or a template
    assault: bool = False  # blows: cover does not help
    ignores_armour: bool = False  # power weapons and all others that never allow it
    ignores_cover: bool = False  # templates
    no_saves: bool = False  # not even an invulnerable one
    pinning: bool = False
    force: bool = False  # of a force weapon
    slays: bool = False  # its AP2 part may remove a model outright


class PacketPart(State, frozen=True):
    """A packet's share of a group, or one part of it where the packet rends: from DMG to HP, step by step."""

    dmg: int
    ap: int | None
    save_kind: saves.SaveKind
    save: int | None
    column: saves.Column
    after_save: int  # before doubling and feel no pain
    doubled: int
    hp: int  # after feel no pain
    felt_no_pain: bool = False


class GroupLoss(State, frozen=True):
    """The effect of lost HP on a group: models removed and left, damage recorded, HP taken off and to spare."""

    removed: int
    models_left: int
    recorded: int
    overkill: int
    hp_removed: int
    instant_death: bool = False  # the attack is strong enough for it


class Losses(State, frozen=True):
    """The damage and the losses of a unit so far, added up."""

    dmg: int = 0
    after_save: int = 0  # HP that the saves let through, before doubling and feel no pain
    hp: int = 0  # what came through all of it; not capped at what the unit had
    hp_removed: int = 0  # off the sheet
    removed: int = 0  # models
    overkill: int = 0
    pinning: bool = False  # a weapon that pins has hurt it

    def __add__(self, other: Losses) -> Losses:
        return Losses(
            self.dmg + other.dmg,
            self.after_save + other.after_save,
            self.hp + other.hp,
            self.hp_removed + other.hp_removed,
            self.removed + other.removed,
            self.overkill + other.overkill,
            self.pinning or other.pinning,
        )


class Target(State, frozen=True):
    """A unit under attack: its groups, what shelters them, and what has been done to it so far."""

    groups: tuple[characteristics.Group, ...]
    rulings: Rulings = DEFAULT
    cover: int | None = None
    gone_to_ground: bool = False
    null_zone: bool = False  # invulnerable saves that succeed are rolled again
    by: str = "defender"
    picks_save: bool = True  # among those that help; else the best is used without asking
    losses: Losses = Losses()
    pierced: tuple[tuple[int, PacketPart], ...] = ()  # by a packet that slays: which group, and its AP2 part
    models_before: tuple[int, ...] = ()  # models of each group before a volley of packets that come at once

    @property
    def models(self) -> int:
        """Models left in all groups."""
        return sum(group.models for group in self.groups)

    @property
    def hp_removed(self) -> int:
        """HP taken off the sheet so far."""
        return self.losses.hp_removed

    @property
    def removed(self) -> int:
        """Models removed so far."""
        return self.losses.removed


# --- spreading a packet -----------------------------------------------------------------------------------------------


@clause("DL-25.2")
def even_share(dmg: int, models: int) -> tuple[int, int]:
    """Return the DMG of every model, and the points that are left over."""
    return divmod(dmg, models) if models else (0, 0)


@clause("DL-25.2")
def spread(dmg: int, models: Sequence[int], leftover_to: Sequence[int] | None = None) -> tuple[int, ...]:
    """Return the DMG of each group: the same for every model, and leftover points in order or as given."""
    number = sum(models)
    if not number:
        return (0,) * len(models)
    each, left = even_share(dmg, number)
    extra = leftover_in_order(left, models) if leftover_to is None else tuple(leftover_to)
    if len(extra) != len(models) or sum(extra) not in (0, left):
        raise BadInput(f"{left} points are left over for {len(models)} groups; got {list(extra)}", clause="DL-25.2")
    for share, group in zip(extra, models, strict=True):
        if not 0 <= share <= group:
            raise BadInput(f"a group of {group} takes 0 to {group} leftover points; got {share}", clause="DL-25.2")
    return tuple(each * group + share for share, group in zip(extra, models, strict=True))


@clause("DL-25.2", "DL-19.2")
def models_to_spread_over(target: Target) -> tuple[int, ...]:
    """Return how many models of each group a packet is spread over: those when the volley began, or those left."""
    return target.models_before or tuple(group.models for group in target.groups)


@clause("DL-25.2")
def leftover_in_order(left: int, models: Sequence[int]) -> tuple[int, ...]:
    """Return the leftover points handed out one to a model, group by group."""
    shares = []
    for group in models:
        shares.append(min(left, group))
        left -= shares[-1]
    return tuple(shares)


@clause("DL-25.2")
def place_leftover(tape: Tape, target: Target, packet: Packet) -> tuple[int, ...]:
    """Let the defender choose, group by group, how many leftover points its models take."""
    models = models_to_spread_over(target)
    if not sum(models) or target.rulings.leftover == "lost":
        return (0,) * len(models)
    _, left = even_share(packet.dmg, sum(models))
    takers = [(group.name, number) for group, number in zip(target.groups, models, strict=True)]
    return hand_out(tape, left, takers, target.by, packet.name)


@clause("DL-25.2")
def hand_out(tape: Tape, left: int, takers: Sequence[tuple[str, int]], by: str, about: str) -> tuple[int, ...]:
    """Share leftover points among takers, each a name and a limit; the usual choice is to fill the first ones."""
    shares: list[int] = []
    for index, (name, most) in enumerate(takers):
        fits = sum(other for _, other in takers[index + 1 :])
        options = tuple(range(min(left, most), max(0, left - fits) - 1, -1))
        label = labelled(about, f"leftover points on {name}")
        shares.append(int(tape.choose(options, by=by, label=label, unit="point")))
        left -= shares[-1]
    return tuple(shares)


# --- from DMG to HP ---------------------------------------------------------------------------------------------------


@clause("DL-31.7")
def rending_split(dmg: int) -> tuple[int, int]:
    """Return the AP2 part and the normal part of a rending packet: two separate look-ups."""
    return saves.look_up(dmg, 2), saves.look_up(dmg, 6)


@clause("DL-20.1", "DL-20.5", "DL-20.6", "DL-31.8")
def choose_save(
    tape: Tape, target: Target, group: characteristics.Group, packet: Packet, ap: int | None, what: str
) -> tuple[saves.SaveKind, int | None, saves.Column]:
    """Let the defender use one of the saves that help; the one that loses the fewest HP comes first."""
    if packet.no_saves:
        return "none", None, "none"
    cover = saves.cover_of(target.cover, target.gone_to_ground)
    allowed = saves.allowed_saves(
        ap, group.armour, cover, group.invulnerable, packet.assault, packet.ignores_armour, packet.ignores_cover
    )
    again, hindered = characteristics.REROLL_SAVES in group.rules, characteristics.REROLL_SAVED in group.rules
    columns: dict[saves.SaveKind, tuple[int, saves.Column]] = {}
    for kind, save in allowed:
        zone = target.null_zone and kind == "invulnerable"
        worse = int(zone and hindered)  # two that make it worse are two columns
        columns[kind] = save, saves.column_of(save, again, zone or hindered, worse, target.rulings)
    helping = sorted(
        (kind for kind in columns if columns[kind][1] != "none"), key=lambda kind: _column_rank(columns[kind][1])
    )
    if not helping:
        return "none", None, "none"
    offered = tuple(helping) if target.picks_save else (helping[0],)
    kind = tape.choose(offered, by=target.by, label=labelled(packet.name, f"{what} of {group.name}"))
    return kind, *columns[kind]


def _column_rank(column: saves.Column) -> int:
    return saves.LADDER.index(column)


@clause("DL-20.1", "DL-25.3", "DL-75.1", "DL-76.3")
def resolve_part(
    tape: Tape,
    target: Target,
    group: characteristics.Group,
    packet: Packet,
    dmg: int,
    ap: int | None,
    what: str = "save",
) -> PacketPart:
    """Work out DMG on a group: saved, doubled if vulnerable to blasts and templates, halved by feel no pain."""
    kind, save, column = tape.call(choose_save, target, group, packet, ap, what)
    rulings = target.rulings
    doubles = packet.area and characteristics.VULNERABLE in group.rules
    halves = characteristics.FEEL_NO_PAIN in group.rules and not packet.no_saves
    halves = halves and saves.feels_no_pain(ap, packet.strength, group.own_toughness, packet.ignores_armour)
    counted = 2 * dmg if doubles and rulings.vulnerable == "before_save" else dmg
    counted = saves.halved(counted) if halves and rulings.feel_no_pain_order == "before_save" else counted
    after_save = saves.read_column(counted, column)
    doubled = 2 * after_save if doubles and rulings.vulnerable == "after_save" else after_save
    hp = saves.halved(doubled) if halves and rulings.feel_no_pain_order == "after_save" else doubled
    return PacketPart(dmg, ap, kind, save, column, after_save, doubled, hp, halves)


@clause("DL-31.8", "DL-25.3")
def parts_of(
    tape: Tape, target: Target, group: characteristics.Group, packet: Packet, dmg: int
) -> tuple[PacketPart, ...]:
    """Save the share of a group: in one go, or in two parts where the packet rends."""
    if not packet.rending:
        return (resolve_part(tape, target, group, packet, dmg, packet.ap),)
    piercing, normal = rending_split(dmg)
    return (
        resolve_part(tape, target, group, packet, piercing, RENDING_AP, "save from the AP2 part"),
        resolve_part(tape, target, group, packet, normal, packet.ap, "save from the normal part"),
    )


# --- casualties -------------------------------------------------------------------------------------------------------


@clause("DL-24.1", "DL-24.2", "DL-6.2")
def remove_casualties(models: int, hp_each: int, recorded: int, hp: int) -> GroupLoss:
    """Take HP off one model at a time: a model without HP is removed, and the remainder is recorded."""
    _check_group(models, hp_each, recorded, hp)
    total = recorded + hp
    removed = min(models, total // hp_each)
    left = models - removed
    overkill = max(0, total - models * hp_each)
    return GroupLoss(removed, left, total % hp_each if left else 0, overkill, hp - overkill)


@clause("DL-26.1")
def is_instant_death(strength: int, toughness: int) -> bool:
    """Return whether an attack may kill outright: its Strength is at least twice the Toughness."""
    return strength >= 2 * toughness


@clause("DL-26.1")
def kill_outright(
    models: int, hp_each: int, recorded: int, hp: int, shots: int = 1, rulings: Rulings = DEFAULT
) -> GroupLoss:
    """Remove a model that loses 10 HP or more by instant death, with all that it had left."""
    if rulings.instant_death == "per_shot":
        return _kill_by_shots(models, hp_each, recorded, hp, shots)
    loss = remove_casualties(models, hp_each, recorded, hp)
    if not loss.models_left:
        return replace(loss, instant_death=True)
    by_packet = loss.recorded if loss.removed else hp  # earlier damage of the front model does not count
    if by_packet < INSTANT_DEATH_HP:
        return replace(loss, instant_death=True)
    rest = hp_each - loss.recorded
    return GroupLoss(loss.removed + 1, loss.models_left - 1, 0, 0, hp + rest, instant_death=True)


def _kill_by_shots(models: int, hp_each: int, recorded: int, hp: int, shots: int) -> GroupLoss:
    """Remove a model for each shot whose share is 10 HP or more; the others take their HP off as usual."""
    _check_group(models, hp_each, recorded, hp)
    shots = max(1, shots)
    each, extra = divmod(hp, shots)
    left, damage, overkill, taken = models, recorded, 0, 0
    for count, share in ((extra, each + 1), (shots - extra, each)):
        for shot in range(count):
            if not left or not share:  # the rest of many thousand shots is alike
                overkill += (count - shot) * share
                break
            if share >= INSTANT_DEATH_HP:
                taken += hp_each - damage
                left, damage = left - 1, 0
            else:
                loss = remove_casualties(left, hp_each, damage, share)
                left, damage = loss.models_left, loss.recorded
                overkill, taken = overkill + loss.overkill, taken + loss.hp_removed
    return GroupLoss(models - left, left, damage, overkill, taken, instant_death=True)


def _check_group(models: int, hp_each: int, recorded: int, hp: int) -> None:
    if hp < 0:
        raise BadInput(f"HP lost are 0 or more; got {hp}", clause="DL-24.1")
    if models < 0 or hp_each < 1 or not 0 <= recorded < max(1, hp_each):
        reason = f"a group has 0 or more models of 1 HP or more and less than that recorded; got {models} of {hp_each}"
        raise BadInput(f"{reason} with {recorded}", clause="DL-24.2")


@clause("DL-24.1", "DL-26.1", "DL-6.2")
def take_off(
    group: characteristics.Group, hp: int, strength: int = 0, shots: int = 1, rulings: Rulings = DEFAULT
) -> GroupLoss:
    """Take HP off a group, by instant death where the attack is strong enough and the group is no eternal warrior."""
    if is_instant_death(strength, group.own_toughness) and characteristics.ETERNAL_WARRIOR not in group.rules:
        return kill_outright(group.models, group.hp, group.recorded, hp, shots, rulings)
    return remove_casualties(group.models, group.hp, group.recorded, hp)


@clause("DL-25.3", "DL-24.1")
def after_loss(group: characteristics.Group, loss: GroupLoss) -> characteristics.Group:
    """Return a copy of the group after a loss."""
    return replace(group, models=loss.models_left, recorded=loss.recorded)


# --- a whole packet ---------------------------------------------------------------------------------------------------


@clause("DL-25.3", "DL-24.1", "DL-25.2")
def resolve(tape: Tape, target: Target, packet: Packet) -> Target:
    """Resolve a packet on a unit: spread over its models, saved and taken off group by group."""
    if not packet.dmg or not target.models:
        return target
    models = models_to_spread_over(target)
    shares = spread(packet.dmg, models, tape.call(place_leftover, target, packet))
    before = target.losses.overkill
    for group_index, dmg in enumerate(shares):
        if models[group_index]:
            shots = max(1, packet.shots * models[group_index] // sum(models))
            target = take_share(tape, target, replace(packet, shots=shots), group_index, dmg)
    return _spill(tape, target, before) if target.rulings.overkill == "spills" else target


@clause("DL-19.2", "DL-25.2", "DL-26.1")
def resolve_all(tape: Tape, target: Target, packets: Sequence[Packet]) -> Target:
    """Resolve the packets of a volley: all on the models before it, or by ruling each on the models left by then."""
    at_once = begin_volley(target)
    hit_target: Target = tape.each(resolve, at_once, packets_in_order(packets, target.rulings))
    return end_volley(hit_target)


@clause("DL-19.2")
def begin_volley(target: Target) -> Target:
    """Return a target with its models noted, before packets that come at once."""
    return (
        target if target.rulings.packets == "in_turn" else replace(target, models_before=models_to_spread_over(target))
    )


def end_volley(target: Target) -> Target:
    """Return a target after the last packet of a volley."""
    return replace(target, models_before=())


@clause("DL-19.2", "DL-26.1")
def packets_in_order(packets: Iterable[Packet], rulings: Rulings) -> tuple[Packet, ...]:
    """Return the packets as they are taken: the strongest first, so that the order of fire does not matter."""
    return tuple(packets) if rulings.packets == "in_turn" else tuple(sorted(packets, key=packet_order))


def packet_order(packet: Packet) -> tuple[int, int, int, str]:
    """Return the sort key of packets that come at once: the strongest first."""
    return -packet.strength, NO_AP if packet.ap is None else packet.ap, packet.dmg, packet.name


@clause("DL-25.3")
def take_share(tape: Tape, target: Target, packet: Packet, group_index: int, dmg: int) -> Target:
    """Let one group save its share of the packet and lose the HP that come through."""
    group = target.groups[group_index]
    chosen = target if group.models else replace(target, picks_save=False)  # the dead are not asked
    parts = parts_of(tape, chosen, group, packet, dmg)
    loss = take_off(group, sum(part.hp for part in parts), packet.strength, packet.shots, target.rulings)
    spills = target.rulings.overkill == "spills"
    tape.tell(share_lines, packet.name, group.name, parts, replace(loss, overkill=0) if spills else loss)
    hp = sum(part.hp for part in parts)
    share_losses = Losses(dmg, sum(part.after_save for part in parts), hp, pinning=packet.pinning and hp > 0)
    target = replace(target, pierced=(*target.pierced, (group_index, parts[0]))) if packet.slays else target
    return with_loss(target, group_index, loss, share_losses)


def with_loss(target: Target, group_index: int, loss: GroupLoss, losses: Losses = Losses()) -> Target:
    """Return the unit after a loss of one of its groups, with the losses added up."""
    total = target.losses + losses + Losses(hp_removed=loss.hp_removed, removed=loss.removed, overkill=loss.overkill)
    return _with_group(replace(target, losses=total), group_index, after_loss(target.groups[group_index], loss))


@clause("DL-24.2")
def _spill(tape: Tape, target: Target, before: int) -> Target:
    """Spill the HP that groups of this packet could not take to the first group that can; the rest is too many."""
    spare = target.losses.overkill - before
    for group_index, group in enumerate(target.groups):
        if spare and group.models:
            loss = remove_casualties(group.models, group.hp, group.recorded, spare)
            tape.tell(group_line, group.name, replace(loss, overkill=0), spare)
            target = with_loss(target, group_index, replace(loss, overkill=0))
            spare = loss.overkill
    if spare:
        tape.tell("{} HP too many for all of them", spare)
    return replace(target, losses=replace(target.losses, overkill=before + spare))


def _with_group(target: Target, group_index: int, group: characteristics.Group) -> Target:
    return replace(target, groups=(*target.groups[:group_index], group, *target.groups[group_index + 1 :]))


# --- log lines --------------------------------------------------------------------------------------------------------


def share_lines(
    packet: str, group: str, parts: Sequence[PacketPart], loss: GroupLoss, outright: int = 0
) -> Iterator[Line]:
    """Say what a packet did to a group: each part of it, and the casualties."""
    for part, kind in zip(parts, ("AP2 part: ", "normal part: ") if len(parts) > 1 else ("",), strict=False):
        clauses = part_clauses(part)
        on = "" if f" on {group}:" in packet else f" on {group}"
        text = f"{capital(packet)}{on}: {kind}{part_text(part)}"
        yield Line(text, ("DL-31.8", *clauses) if kind else clauses, result=f"{part.hp} HP")
    if outright:
        text = f"{capital(packet)}: the model in front of {group} loses its last {outright} HP"
        yield Line(text, ("DL-26.1",), result=f"{outright} HP")
    yield group_line(group, loss)


def group_line(group: str, loss: GroupLoss, spilled: int = 0) -> Line:
    """Say how many models of a group fell, and what is recorded."""
    text = f"{plural(loss.removed, 'model')} removed, {loss.models_left} left"
    if loss.models_left:
        text += f", {loss.recorded} HP recorded"
    if loss.overkill:
        text += f", {loss.overkill} HP too many"
    if spilled:
        text += f" ({spilled} HP came from other groups)"
    clauses = ("DL-26.1", "DL-24.1") if loss.instant_death else ("DL-24.1", "DL-24.2")
    text += " (instant death from 10 HP on)" if loss.instant_death else ""
    return Line(labelled(capital(group), text), clauses, result=f"{loss.removed} removed")


def part_text(part: PacketPart) -> str:
    """Show how DMG become HP: 32 DMG → 3+ → 11 HP."""
    save = f" → {part.column}" + (f" ({part.save_kind})" if part.save_kind != "none" else "")
    text = f"{part.dmg} DMG{save if part.column != 'none' else ' → no save'} → {part.after_save} HP"
    if part.doubled != part.after_save:
        text += f" → doubled {part.doubled} HP"
    return text + (f" → feel no pain {part.hp} HP" if part.felt_no_pain else "")


def part_clauses(part: PacketPart) -> tuple[str, ...]:
    """Return the clauses that a part rests on."""
    more = ("DL-76.3",) if part.doubled != part.after_save else ()
    return ("DL-20.3" if part.column == "none" else "DL-20.1", *more, *(("DL-75.1",) if part.felt_no_pain else ()))
