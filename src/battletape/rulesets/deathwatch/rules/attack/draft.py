"""The last step before the dice: of a draft with its dials turned, the target number and the hits at every place."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.rulesets.deathwatch.rules import damage, tests
from battletape.rulesets.deathwatch.rules.attack.records import NEVER, AttackDraft, Spec, share_losses
from battletape.rulesets.deathwatch.rules.attack.to_hit import ACCURATE_DICE, DEGREES_A_DIE
from battletape.rulesets.deathwatch.rules.conditions import body_of
from battletape.rulesets.deathwatch.rules.criticals.results import FRAIL
from battletape.rulesets.deathwatch.rules.damage import Hit
from battletape.rulesets.deathwatch.rules.traits import PLACES, SPOTS, place_of
from battletape.rulesets.deathwatch.rules.wounds import LAST_ROW
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables import sheet

JAM_FROM = {"single": 96, "semi": 94, "full": 94, "suppress": 94}
DEGREES_A_HIT = {"single": 0, "semi": 2, "full": 1, "suppress": 2}
MOST_DEGREES = 20
"""There cannot be more: a skill of 150 and all modifiers against a roll of 01."""


@clause("DW-PIPE-1", "DW-DMG-3", "DW-RF-3")
def note_attack(draft: AttackDraft) -> Spec:
    """The last thing before the dice: the target number, the hits at every place, and all that rulings decide."""
    rules, guard = draft.rules, draft.guard
    craft = sheet.craftsmanship(draft.grade)
    if draft.target is not None:  # nothing is added to it
        draft = replace(draft, skill=draft.skill if draft.flame else draft.target, modifiers=())
    total, applied = tests.total(draft.modifiers, rules)
    target = draft.skill + applied if draft.target is None else draft.target
    draft = replace(draft, flat=draft.flat + craft.damage)
    gun = not (draft.melee or draft.flame)
    overheats = gun and draft.overheat_from < NEVER
    jam_from = min(draft.jam_from, JAM_FROM[draft.mode]) if gun and not overheats else NEVER
    evades = draft.evadable and guard.reaction != "none"
    sides = draft.by_side or is_lopsided(guard.ap) or is_lopsided(guard.cover) or rules.critical_track == "by_location"
    per = 0 if draft.melee else DEGREES_A_HIT[draft.mode]
    felt = max(
        damage.RAZOR_DEGREES if draft.razor else 0,
        ACCURATE_DICE * DEGREES_A_DIE if draft.accurate else 0,
        10 if rules.dos_minimum_die else 0,
        MOST_DEGREES if draft.per_degree else 0,
        draft.degrees_kept,
    )
    spec = Spec(
        target=target,
        modifiers=draft.modifiers,
        total=total,
        skill=draft.skill,
        melee=draft.melee,
        mode=draft.mode,
        jam_from=jam_from,
        overheat_from=draft.overheat_from if gun else NEVER,
        jam_on_miss=gun and (draft.jam_on_miss or craft.jam_on_any_miss),
        jam_check=draft.jam_check,
        jam_may_hit=jam_from <= target and rules.jam_roll == "may_hit",
        saved_may_hit=draft.jam_check and jam_from <= target and rules.reliable_roll == "as_rolled",
        overheat_may_hit=overheats and rules.overheating_shot == "counts",
        natural_only=draft.jam_check and rules.poor_and_reliable == "natural_only",
        per=per,
        cap=draft.rof if per else 1,
        times=draft.times,
        twin=int(draft.twin) and (2 if rules.twin_linked_hit == "within_cap" else 1),
        per_two=draft.per_two,
        called=draft.called or "",
        location=rules.hit_location,
        sides=sides,
        degrees_felt=felt,
        tests=find_tests(rules, bool(draft.follows), draft.how == "fists"),
        by_location=rules.critical_track == "by_location",
        hits=tuple(hit_at(draft, spot, target, 0) for spot in (SPOTS if sides else PLACES)),
        sharp=tuple(hit_at(draft, spot, target, felt) for spot in (SPOTS if sides else PLACES)) if draft.razor else (),
        accurate=draft.accurate,
        per_degree=draft.per_degree,
        dos_minimum=rules.dos_minimum_die,
        guard=guard,
        multi_dodge=evades and rules.multi_dodge == "one_plus_dos",
        evadable=draft.evadable,
        power_field=draft.power_field,
        breakable=draft.breakable,
        any_clash=evades and draft.power_field and rules.power_field == "any_clash",
        rounds=draft.rounds,
        reload=draft.reload,
        tail=draft.tail,
        follows=draft.follows,
        degrees_kept=draft.degrees_kept,
        flame=draft.flame,
        flame_bonus=tests.total((draft.flame_bonus,), rules)[1] if draft.flame else 0,
        blast=draft.blast,
        scatter=rules.scatter_distance if draft.blast else "",
        psy_rating=draft.psy_rating,
        willpower=draft.willpower,
        how=draft.how,
        sb=draft.sb if draft.how == "stun" else 0,
        by=draft.by,
        name=draft.name,
        pen=draft.pen,
        tb=felt_tb(draft),
    )
    return share_losses((spec,))[0]


@lru_cache(64)
def find_tests(rules: Rulings, opposed: bool, fists: bool) -> Rulings:
    """Only the rulings that say how a test is read, so that attacks alike in these are equal."""
    needed = Rulings(auto_results=rules.auto_results, degrees=rules.degrees)
    if fists:
        needed = replace(needed, unarmed_fatigue=rules.unarmed_fatigue)
    if opposed:
        return replace(needed, opposed_ties=rules.opposed_ties, opposed_failures=rules.opposed_failures)
    return needed


def is_lopsided(by_spot: tuple[int, ...]) -> bool:
    """Left and right differ."""
    _, right_arm, left_arm, _, right_leg, left_leg = by_spot
    return right_arm != left_arm or right_leg != left_leg


@clause("DW-RF-3", "DW-QUAL-FLAME", "DW-HORDE-15")
def fury_at(draft: AttackDraft, target: int) -> int:
    """What a hit needs for righteous fury; flames confirm it by the bare skill, and no horde has it with any weapon."""
    if not draft.furious:
        return damage.NO_FURY
    confirm = draft.skill if draft.flame else target
    return damage.fury_of(confirm, draft.eligible, draft.sure, draft.volatile, draft.sides, draft.rules)


@clause("DW-QUAL-SANCTIFIED", "DW-QUAL-FELLING")
def felt_tb(draft: AttackDraft) -> int:
    """The Toughness bonus that counts against this attack."""
    guard = draft.guard
    multiplier = damage.holy_multiplier(guard.multiplier, draft.holy, guard.holy_weak)
    return damage.effective_tb(guard.tb, multiplier, draft.felling, guard.flat_tb, draft.rules)


@clause("DW-DMG-3", "DW-COVER-1", "DW-QUAL-PRIMITIVE", "DW-QUAL-SCATTER", "DW-QUAL-SANCTIFIED", "DW-QUAL-FELLING")
def hit_at(draft: AttackDraft, spot: str, target: int, degrees: int) -> Hit:
    """A hit of this attack at a place, as its dice will see it."""
    rules, guard = draft.rules, draft.guard
    at = next(at for at, place in enumerate(SPOTS) if place == spot or place_of(place) == spot)
    ap, cover = guard.ap[at], 0 if draft.flame else guard.cover[at]
    doublings = draft.doublings + int(draft.primitive and not guard.primitive)
    pen = damage.pen_of(draft.pen, degrees, draft.razor)
    tb = felt_tb(draft)
    wears = cover if rules.cover_degrades else 0

    def left(lost: int) -> tuple[int, ...]:
        return tuple(damage.reduction(ap - lost, cover - gone, pen, doublings, tb, rules) for gone in range(wears + 1))

    may_lose = ap and place_of(spot) in FRAIL and not guard.sudden_death
    plates = tuple(left(lost) for lost in range(ap + 1)) if may_lose else ()
    return Hit(
        spot,
        dice=draft.dice,
        sides=draft.sides,
        drop=draft.extra_dice,
        flat=draft.flat,
        reduction=damage.reduction(ap, cover, pen, doublings, tb, rules),
        fury=fury_at(draft, target),
        best_each=draft.best_each,
        damage_type=draft.damage_type,
        most=guard.wounds + (2 * LAST_ROW if guard.true_grit else LAST_ROW),
        toughness=min(max(guard.toughness, 1), 99) if rules.auto_results == "01_and_00" else guard.toughness,
        true_grit=guard.true_grit,
        sudden_death=guard.sudden_death,
        armoured=ap > 0,
        ap=ap,
        acts=draft.acts,
        counts=draft.counts,
        counts_always=draft.counts_always,
        worn=left(0) if wears else (),
        cover=wears,
        plates=plates,
        body=body_of(
            damage.effective_tb(guard.tb, guard.multiplier, 0, guard.flat_tb),
            guard.toughness,
            guard.agility,
            guard.immune_blood_loss,
            rules if draft.acts else replace(rules, shocking_rounds=DEFAULT.shocking_rounds),
        ),
        rolls=draft.rolls,
    )
