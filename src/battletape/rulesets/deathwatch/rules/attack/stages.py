"""The stages of one attack: the roll to hit, jams, evasion, places, hits taken; what each says of itself."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from battletape.cards import Line
from battletape.rulebook import (
    D10,
    D100,
    BadInput,
    Reading,
    Refused,
    Stage,
    State,
    Tape,
    at_least,
    at_most,
    capital,
    clause,
    fold,
    labelled,
    plain,
    plural,
    replace,
)
from battletape.rulesets.deathwatch.rules import blasts, conditions, d100_tests, damage, melee, wounds
from battletape.rulesets.deathwatch.rules.attack.records import NEVER, Attack, Defender, HitRoll, PreparedAttack
from battletape.rulesets.deathwatch.rules.traits import DEAD, SPOTS, Place, Qualities, Spot, place_of
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables import sheet

REAL_JAM = 10
TWIN_DEGREES = 2


@clause("DW-AUTO-1", "DW-AUTO-2", "DW-ACT-SEMI-AUTO-BURST", "DW-ACT-FULL-AUTO-BURST", "DW-HORDE-10")
def hits_of(spec: PreparedAttack, degrees: int) -> int:
    """Return the hits of a success: one, more by the degrees of a burst, then by qualities."""
    if spec.min_horde_hits is not None:
        return max(spec.min_horde_hits, degrees // 2) + spec.power_field
    hits = (
        min(spec.max_hits, 1 + (degrees // spec.degrees_per_hit if spec.degrees_per_hit else 0)) * spec.hit_multiplier
    )
    if spec.twin_linked and degrees >= TWIN_DEGREES:
        hits = hits + 1 if spec.twin_linked == 1 else min(hits + 1, spec.max_hits * spec.hit_multiplier)
    return hits + degrees // 2 if spec.hit_per_two_degrees else hits


@clause("DW-PIPE-1", "DW-JAM-1", "DW-QUAL-OVERHEATS")
def read_attack_roll(spec: PreparedAttack, roll: int) -> tuple[str, int, int]:
    """Return the status, degrees and hits of an attack roll; the status may_jam still needs a d10."""
    passed, degrees = d100_tests.degrees_of(spec.target, roll, spec.test_rulings)
    hits = hits_of(spec, degrees) if passed else 0
    jams_by_roll = roll >= spec.jam_from
    if spec.overheat_from < NEVER:
        if roll >= spec.overheat_from or (spec.jam_on_miss and not passed):
            return "overheat", degrees, hits if spec.overheat_may_hit else 0
    elif jams_by_roll or (spec.jam_on_miss and not passed):
        if spec.jam_check and (jams_by_roll or not spec.natural_only):
            return "may_jam", degrees, hits if spec.jam_may_hit or spec.saved_may_hit else 0
        return "jam", degrees, hits if spec.jam_may_hit else 0
    return "hit" if passed else "miss", degrees, hits


@clause("DW-LOC-2", "DW-SUPP-3")
def first_spot(spec: PreparedAttack, roll: int) -> str:
    """Return where the first hit of an attack roll lands; nothing is said where it needs a roll of its own."""
    if not spec.called and (spec.location == "fresh" or spec.mode == "suppress"):
        return ""
    return spec.called or spot_of(reversed_digits(roll, spec.location))


@lru_cache(1024)
def attack_reading(spec: PreparedAttack) -> Reading:
    """Return an attack roll read as all that later stages need: status, degrees that matter, hits and first spot."""

    def meaning(roll: int) -> tuple[str, int, int, str]:
        status, degrees, hits = read_attack_roll(spec, roll)
        degrees_kept = min(degrees, spec.degrees_that_matter) if hits else 0
        spot = first_spot(spec, roll) if hits else ""
        return status, degrees_kept, hits, spot if spec.left_and_right or not spot else place_of(spot)

    return d100_tests.on_d100(meaning, f"{spec.target} or less", words_of, lambda meaning: meaning[2])


def words_of(meaning: tuple[str, int, int, str]) -> str:
    """Return an attack roll in words: 3 hits, the first on the body."""
    status, _, hits, first = meaning
    where = f", {'the first ' * (hits > 1)}on the {plain(first)}" if first else ""
    scored = f"{plural(hits, 'hit')}{where}" if hits else ""
    return ", ".join(filter(None, (STATUS_WORDS.get(status), scored))) or status


STATUS_WORDS = {"jam": "jams", "may_jam": "may jam", "overheat": "overheats"}


@clause("DW-PIPE-1")
def declare(tape: Tape, attack: Attack) -> Attack:
    """Say what is attacked with what, and how."""
    return attack


@clause("DW-PIPE-1", "DW-TEST-4")
def add_modifiers(tape: Tape, attack: Attack) -> Attack:
    """Add up everything that makes the attack easier or harder, limited by the cap."""
    tape.tell(modifier_lines, attack.spec)
    return attack


@clause("DW-PIPE-1", "DW-TEST-3", "DW-LOC-2")
def roll_to_hit(tape: Tape, attack: Attack) -> Attack:
    """Roll one d100 for hit or miss, degrees, number of hits, jam and place of the first hit."""
    spec, hit_roll = attack.spec, attack.hit_roll
    label, by = labelled(spec.name, "to hit"), roller(spec)
    if hit_roll is None:
        status, degrees, hits, first = tape.roll(D100, attack_reading(spec), label=label, by=by)
    else:
        reading = d100_tests.with_roll(attack_reading(spec))
        (status, degrees, hits, first), roll = tape.roll(D100, reading, label=label, by=by)
        hit_roll = HitRoll(roll, hits, first_spot(spec, roll) if hits else "")
    rolled = {"status": status, "degrees": degrees, "hits": hits, "first_spot": first, "landed": hits}
    return replace(attack, **rolled, hit_roll=hit_roll)


def roller(spec: PreparedAttack) -> str:
    """Return the side that rolls: the defender of a duel attacks, too."""
    return "defender" if spec.by == "defender" else ""


@clause("DW-QUAL-RELIABLE", "DW-JAM-1")
def check_jam(tape: Tape, attack: Attack) -> Attack:
    """Roll a d10 for a reliable weapon that would jam: it does so on a ten only."""
    if attack.status != "may_jam":
        return attack
    spec = attack.spec
    jams = tape.roll(D10, at_least(REAL_JAM), label=labelled(spec.name, "jam check"), by=roller(spec))
    tape.tell("The weapon jams" if jams else "The weapon does not jam")
    counts = spec.jam_may_hit if jams else spec.saved_may_hit
    if counts and attack.hits:
        return replace(attack, status="jam" if jams else "hit")
    missed = attack.hit_roll and HitRoll(attack.hit_roll.roll)
    status = "jam" if jams else "miss"
    return replace(attack, status=status, degrees=0, hits=0, first_spot="", landed=0, hit_roll=missed)


def roll_and_check_jam(tape: Tape, spec: PreparedAttack) -> Attack:
    """Roll only the attack: its status, degrees and hits."""
    return check_jam(tape, roll_to_hit(tape, Attack(spec, NO_VICTIM)))


NO_VICTIM = wounds.Victim(0)


class UnplacedHit(State, frozen=True):
    """A hit of a burst whose limb is not rolled yet: its place, and its index in the burst."""

    place: str
    index: int

    @property
    def subject(self) -> str:
        """The hit that this is, for labels."""
        return f"hit {self.index + 1}, {self.place}"


@clause("DW-PIPE-1", "DW-MULTI-1", "DW-AUTO-3", "DW-LOC-1")
def set_places(tape: Tape, attack: Attack) -> Attack:
    """Place the hits that were not evaded, each with all that its dice need; forget the roll."""
    spec, first, hit_roll = attack.spec, attack.first_spot, attack.hit_roll
    placed = replace(attack, first_spot="", degrees=0)
    if not attack.landed:
        return placed
    if spec.mode == "suppress":  # each stray finds a place of its own
        return replace(placed, stray_hits=attack.landed)
    if not first:
        first = tape.call(roll_spot)
        hit_roll = hit_roll and hit_roll._replace(hits=attack.hits, first_spot=first)
        first = first if spec.left_and_right else place_of(first)
    places = attack.hit_numbers[: attack.landed] or range(attack.landed)
    row = places_of_hits(first, places[-1] + 1)
    before_places = replace(attack, first_spot=first, unresolved=())
    unplaced = tuple(UnplacedHit(row[index], index) for index in places)
    if spec.left_and_right:
        hits = tape.each(place_hit, before_places, unplaced).placed_hits
    else:  # no dice
        hits = tuple(hit_for(spec, hit.place, attack.degrees, not hit.index) for hit in unplaced)
    tape.tell(places_line, spec.defender.name, hits)
    return replace(placed, hit_roll=hit_roll, unresolved=with_aftermath(spec, hits, attack.degrees))


@clause("DW-MULTI-1", "DW-AUTO-3")
def place_hit(tape: Tape, attack: Attack, hit: UnplacedHit) -> Attack:
    """Place one more hit: on the limb of the first one if it is of that kind, else on a side that is rolled."""
    spot = attack.first_spot if hit.place == place_of(attack.first_spot) else roll_side(tape, hit.place)
    return replace(attack, unresolved=(*attack.unresolved, hit_for(attack.spec, spot, attack.degrees, not hit.index)))


def with_aftermath(
    spec: PreparedAttack, hits: tuple[damage.Hit, ...], degrees: int
) -> tuple[damage.Hit | wounds.Aftermath, ...]:
    """Return the hits of an attack, and what its qualities do after them."""
    if not spec.attack_effects or not hits:
        return hits
    hit = hits[0] if hits[0].always_counts_net else spec.hits[0]
    return (*hits, wounds.Aftermath(spec.attack_effects, hit, min(degrees, spec.degrees_kept), spec))


@clause("DW-QUAL-ACCURATE", "DW-QUAL-RAZOR", "DW-QUAL-SPECIAL", "DW-CORE-DOSMIN")
@lru_cache(4096)
def hit_for(spec: PreparedAttack, spot: str, degrees: int, first: bool) -> damage.Hit:
    """Return one hit of this attack at a place, with what its degrees do for it."""
    row = spec.razor_hits if spec.razor_hits and degrees >= damage.RAZOR_DEGREES else spec.hits
    hit = next(hit for hit in row if spot in (hit.spot, place_of(hit.spot)))
    more = min(damage.ACCURATE_DICE, degrees // damage.DEGREES_A_DIE) if spec.accurate else 0
    least = degrees if spec.dos_minimum and first else 0
    flat = spec.damage_per_degree * degrees
    return replace(hit, dice=hit.dice + more, flat=hit.flat + flat, min_die=least) if more or least or flat else hit


RIGHT = 5  # of a d10: up to this it is the right limb


@clause("DW-LOC-2")
def reversed_digits(roll: int, how: str = "reversed") -> int:
    """Return the location number of an attack roll: 23 gives 32, 07 gives 70, 00 is 100."""
    if not 1 <= roll <= 100:
        raise BadInput(f"an attack roll must be 1 to 100, 00 for 100; got {roll}", field="roll", clause="DW-LOC-2")
    if how == "unpadded":
        return int(str(roll)[::-1])
    tens, units = divmod(roll % 100, 10)
    return 10 * units + tens or 100


@clause("DW-LOC-2", "DW-LOC-1")
def spot_of(number: int) -> Spot:
    """Return the spot of a number from 1 to 100."""
    for numbers, spot in sheet.LOCATIONS:
        if number in numbers:
            return spot
    raise BadInput(
        f"a location must be a number from 1 to 100, 00 for 100; got {number}", field="location", clause="DW-LOC-1"
    )


@clause("DW-MULTI-1", "DW-AUTO-3")
@lru_cache(1024)
def places_of_hits(first: str, hits: int) -> tuple[Place, ...]:
    """Return the places of so many hits, by the row of the first one."""
    place = place_of(first)
    row = sheet.MULTIPLE_HITS[place]
    return tuple(place if index == 0 else row[min(index, len(row)) - 1] for index in range(hits))


@clause("DW-MULTI-1", "DW-AUTO-3")
@lru_cache(256)
def later_spots(first: str, hit_index: int) -> tuple[bool, ...]:
    """Return which spots hits of a burst after this one may strike, by the spot of the first one."""
    kind, row = place_of(first), sheet.MULTIPLE_HITS[place_of(first)]
    coming = set(row[min(hit_index, len(row) - 1) :])
    return tuple(place_of(spot) in coming and (place_of(spot) != kind or spot == first) for spot in SPOTS)


@clause("DW-AUTO-3")
def roll_side(tape: Tape, place: str) -> str:
    """Roll the limb of a place, right or left."""
    if place in ("head", "body"):
        return place
    return f"{tape.roll(D10, RIGHT_OR_LEFT, label='limb side')}_{place}"


RIGHT_OR_LEFT = Reading(lambda face: "right" if face <= RIGHT else "left", f"1-{RIGHT} right, else left")


@lru_cache(8)
def spot_reading(by_side: bool) -> Reading:
    """Read a d100 of its own as a location, with its side or without."""
    return Reading(lambda face: spot_of(face) if by_side else place_of(spot_of(face)), "location")


@clause("DW-LOC-1")
def roll_spot(tape: Tape, by_side: bool = True) -> str:
    """Roll a location by itself, where no attack roll gives it."""
    return str(tape.roll(D100, spot_reading(by_side), label="location"))


FIELD_BREAKS = 75
"""A power field breaks the other weapon on this roll of a d100 or less."""
NO_QUALITIES = Qualities()


class ReactionLimits(State, frozen=True):
    """The hindrances to a dodge or parry, by the words of `REASONS`, and the Reactions of this round."""

    hindrances: tuple[str, ...] = ()
    used: int = 0
    budget: int = 1  # two in a defensive stance


NO_LIMITS = ReactionLimits()
"""Nothing prevents a reaction."""
REASONS = (
    ("stunned", "a stunned fighter cannot {verb}", "DW-STUN-1"),
    ("surprised", "a surprised fighter cannot {verb}", "DW-COND-SURPRISED"),
    ("unconscious", "an unconscious fighter cannot {verb}", "DW-EVA-1"),
    ("helpless", "a helpless fighter cannot {verb}", "DW-COND-HELPLESS"),
    ("grappled", "a grappled fighter cannot {verb}", "DW-ACT-GRAPPLE"),
    ("all_out", "after an all out attack a fighter cannot {verb} until its next turn", "DW-ACT-ALL-OUT-ATTACK"),
    ("feinted", "the attack after a feint that worked cannot be met by a {verb}", "DW-ACT-FEINT"),
    ("flames", "nobody can {verb} flames: everybody in them tests Agility instead", "DW-QUAL-FLAME"),
    ("by_horde", "nobody can {verb} the attacks of a horde", "DW-HORDE-15"),
)


@clause("DW-EVA-1", "DW-ACT-DODGE")
def refuse_reaction(limits: ReactionLimits = NO_LIMITS, verb: str = "dodge") -> Refused | None:
    """Refuse a reaction that a hindrance or a lack of Reactions prevents."""
    for flag, reason, rule in REASONS:
        if flag in limits.hindrances:
            return Refused(reason.format(verb=verb), rule, "reaction")
    if limits.used >= limits.budget:
        each = "one Reaction" if limits.budget == 1 else f"{limits.budget} Reactions"
        reason = f"a {verb} is a Reaction, and there is {each} a round: {limits.used} used"
        return Refused(f"{reason}, wait for the next round", "DW-EVA-1", "reaction")
    return None


@clause("DW-ACT-DEFENSIVE-STANCE", "DW-EVA-1")
def reactions_per_round(defensive_stance: bool = False) -> int:
    """Return reactions in a round."""
    return 1 + defensive_stance


@clause("DW-EVA-3", "DW-ACT-PARRY", "DW-QUAL-UNWIELDY")
def refuse_parry(
    limits: ReactionLimits = NO_LIMITS, melee: bool = True, armed: bool = True, qualities: Qualities = NO_QUALITIES
) -> Refused | None:
    """Refuse a parry of shots, without a melee weapon, or with an unwieldy one."""
    if not melee:
        return Refused("a parry meets melee attacks only; this one is a shot, which may be dodged", "DW-EVA-3", "parry")
    if not armed:
        return Refused("a parry needs a melee weapon in hand; there is none, a dodge would do", "DW-EVA-3", "parry")
    if qualities.unwieldy:
        return Refused("nobody can parry with an unwieldy weapon; a dodge would do", "DW-QUAL-UNWIELDY", "parry")
    return refuse_reaction(limits, "parry")


@clause("DW-EVA-2", "DW-ACT-DODGE")
def dodge(
    tape: Tape, hits: int, target: int, by_degrees: bool = True, label: str = "dodge", rulings: Rulings = DEFAULT
) -> int:
    """Roll a dodge, and return how many of the hits it undoes."""
    return int(tape.roll(D100, evaded_reading(target, hits, by_degrees, rulings), label=label, by="defender"))


@lru_cache(4096)
def evaded_reading(target: int, hits: int, by_degrees: bool, rulings: Rulings = DEFAULT) -> Reading:
    """Return a d100 read as hits undone: one for a success and one for each degree, as many as there are."""

    def number(roll: int) -> int:
        success, degrees = d100_tests.degrees_of(target, roll, rulings)
        return min(hits, 1 + (degrees if by_degrees else 0)) if success else 0

    return d100_tests.on_d100(
        number, f"{target} or less", lambda number: f"undoes {number}" if number else "fails", bool
    )


@clause("DW-EVA-1", "DW-EVA-2", "DW-EVA-3")
def evade(tape: Tape, attack: Attack) -> Attack:
    """Let the defender dodge or parry, if that is allowed; the last hits are undone first."""
    spec = attack.spec
    if not (attack.hits and attack.reactions and spec.evadable) or spec.defender.reaction == "none":
        if attack.hits:
            tape.tell(no_reaction_line, spec, attack.reactions)
        return attack
    defender = with_parries_broken(spec.defender, attack.parries_broken)
    how = choose_reaction(tape, defender, spec.melee) if defender.reaction != "none" else "none"
    if how == "none":
        return attack
    attack = replace(attack, reacted=True)
    if how == "dodge" and defender.dodge is not None:
        label = labelled(defender.name, "dodge")
        undone: int = tape.call(dodge, attack.hits, defender.dodge, spec.multi_dodge, label, spec.test_rulings)
        if undone:
            tape.tell("{} of {} undone, {} left", undone, plural(attack.hits, "hit"), attack.hits - undone)
        return replace(attack, landed=attack.hits - undone)
    return tape.call(parry, attack, defender)  # type: ignore[no-any-return]


@clause("DW-EVA-1")
def choose_reaction(tape: Tape, defender: Defender, melee: bool) -> str:
    """Return the reaction of the defender, as given or as chosen now; the likelier one is offered first."""
    chances = {"dodge": defender.dodge, "parry": defender.parry if melee else None}
    if defender.reaction != "choose":
        return defender.reaction if chances.get(defender.reaction) is not None else "none"
    can = sorted((-target, how) for how, target in chances.items() if target is not None)
    options = (*(how for _, how in can), "none")
    return str(tape.choose(options, by=defender.by, label=labelled(defender.name, "reaction")))


@clause("DW-EVA-3", "DW-QUAL-POWER-FIELD")
def with_parries_broken(defender: Defender, broken: int) -> Defender:
    """Return the defender after so many parrying weapons are broken: the next one parries, if there is any."""
    if not broken or defender.parry is None:
        return defender
    target, field = defender.later_parries[broken - 1] if broken <= len(defender.later_parries) else (None, False)
    reacts = defender.reaction != "none" and (target is not None or defender.dodge is not None)
    return replace(defender, parry=target, parry_field=field, reaction=defender.reaction if reacts else "none")


@clause("DW-EVA-3", "DW-ACT-PARRY")
def parry(tape: Tape, attack: Attack, defender: Defender) -> Attack:
    """Roll a parry, which undoes one hit of a melee attack; a power field may break the other weapon."""
    spec = attack.spec
    if not d100_tests.roll_success(
        tape, defender.parry or 0, labelled(defender.name, "parry"), spec.test_rulings, by="defender"
    ):
        return attack
    attack = replace(attack, landed=attack.hits - 1)
    tape.tell("1 of {} undone, {} left", plural(attack.hits, "hit"), attack.landed)
    if defender.parry_field and not spec.power_field and spec.breakable and tape.call(field_breaks, defender.name):
        tape.tell("The power field breaks the attacker's weapon", clause="DW-QUAL-POWER-FIELD")
        return replace(attack, weapon_broken=True)
    if spec.any_clash and spec.power_field and not defender.parry_field and tape.call(field_breaks, spec.name):
        tape.tell("The power field breaks the weapon that parries", clause="DW-QUAL-POWER-FIELD")
        return replace(attack, parry_broken=True)
    return attack


@clause("DW-QUAL-POWER-FIELD")
def field_breaks(tape: Tape, name: str = "") -> bool:
    """Roll whether a power field breaks a weapon that has none."""
    return bool(tape.roll(D100, at_most(FIELD_BREAKS), label=labelled(name, "power field")))


def victim_of(spec: PreparedAttack, health: int) -> wounds.Victim:
    """Return the victim of an attack, with so much health left."""
    by_spot, falls = wounds.NONE_BY_SPOT if spec.by_location else (), spec.hits[0].body.tb < conditions.LONGEST_SLEEP
    return wounds.Victim(health, by_spot=by_spot, conditions=conditions.NOTHING, dealt=0, is_thrown_down=falls)


def stages_before_damage(spec: PreparedAttack) -> tuple[Stage, ...]:
    """Return the stages up to the places of the hits, which do not need the victim."""
    return declare, *(() if spec.flame else (add_modifiers,)), *rolling_stages(spec)


def rolling_stages(spec: PreparedAttack) -> tuple[Stage, ...]:
    """Return the stages that need dice: where the attack is made again and again, its modifiers are told once."""
    if spec.flame:
        return (blasts.dodge_flames, set_places)
    scatters = (blasts.scatter,) if "blast" in spec.extra_effects else ()
    return (roll_to_hit, check_jam, *scatters, evade, set_places)


ROLL_STAGES = (declare, add_modifiers, roll_to_hit, check_jam)


@clause("DW-PIPE-1")
def roll_and_place(tape: Tape, spec: PreparedAttack) -> Attack:
    """Play the first half of an attack: up to the places of the hits that were not evaded."""
    return fold(rolling_stages(spec), tape, Attack(spec, NO_VICTIM))  # type: ignore[no-any-return]


@clause("DW-DMG-2", "DW-MULTI-1")
def without_places(attack: Attack) -> Attack:
    """Return an attack whose hits forget critical damage of places that no later hit strikes."""
    hits = attack.placed_hits
    kept = tuple(replace(hit, spots_kept=later_spots(hits[0].spot, index)) for index, hit in enumerate(hits))
    return replace(attack, unresolved=(*kept, *attack.unresolved[len(hits) :]))


@clause("DW-UNARM-2", "DW-UNARM-3")
def take_fist_hit(tape: Tape, attack: Attack) -> Attack:
    """Take the hit of a fist: damage, and fatigue if it hurts enough."""
    hit = attack.placed_hits[0] if attack.unresolved else next(hit for hit in attack.spec.hits if hit.spot == "body")
    raw: int = tape.call(damage.damage_before_armour, hit, hit.max_damage + hit.reduction)
    net, tb = damage.damage_left(hit, raw), hit.body.tb
    victim = wounds.lose_wounds(tape, attack.victim, hit, net)
    tired = not attack.unresolved or melee.gives_fatigue(raw, net, tb, attack.spec.test_rulings)
    if tired and victim.health > DEAD:
        tape.tell("A level of fatigue", clause="DW-UNARM-3")
    if tired and victim.conditions is not None and victim.health > DEAD:
        victim = replace(victim, conditions=conditions.add_fatigue(victim.conditions, 1, tb))
    return replace(attack, victim=victim, unresolved=(), gains_fatigue=attack.gains_fatigue or tired)


@clause("DW-ACT-STUN")
def take_stunning_blow(tape: Tape, attack: Attack) -> Attack:
    """Take a blow to stun that hits: no damage, but rounds without a turn."""
    spec, victim = attack.spec, attack.victim
    rounds: int = tape.call(melee.stun_rounds, spec.sb, attack.placed_hits[0].body.tb, spec.defender.ap[0])
    tape.tell(f"Stunned for {plural(rounds, 'round')}" if rounds else "Not stunned")
    if rounds and victim.conditions is not None:
        victim = replace(victim, conditions=conditions.stun(victim.conditions, rounds))
    return replace(attack, victim=victim, unresolved=(), stunned=rounds)


# --- lines of the log -------------------------------------------------------------------------------------------------


def modifier_lines(spec: PreparedAttack) -> Iterator[Line]:
    """Say each modifier of an attack with its source, and what they come to."""
    if spec.flame:
        return
    for modifier in spec.modifiers:
        yield Line(f"{capital(modifier.source)} {modifier.value:+d}", (modifier.clause,) if modifier.clause else ())
    if spec.modifiers:
        applied = spec.target - spec.skill
        capped = f", of which {applied:+d} counts" if applied != spec.total else ""
        text = f"Modifiers {spec.total:+d}{capped}: {spec.skill} becomes {spec.target}"
        yield Line(text, ("DW-TEST-4",), result=str(spec.target))


def places_line(name: str, hits: tuple[damage.Hit, ...]) -> Line:
    """Say where the hits land that were not evaded."""
    text = f"hits on: {', '.join(plain(hit.spot) for hit in hits)}"
    return Line(labelled(name, text) if name else capital(text), ("DW-MULTI-1",) if len(hits) > 1 else ("DW-LOC-2",))


def no_reaction_line(spec: PreparedAttack, reactions: int) -> Line | None:
    """Say why a fighter that is hit has no reaction, where it would have one at other times."""
    defender = spec.defender
    reason, by = defender.reaction_refusal
    if not reason and defender.reaction != "none" and not reactions:
        verb = "dodge or parry" if spec.melee else "dodge"
        reason, by = f"a {verb} is a Reaction, and none is left this round", "DW-EVA-1"
    if not reason:
        return None
    return Line(f"{defender.name} has no reaction: {reason}" if defender.name else f"No reaction: {reason}", (by,))
