"""What the log of a battle says of attacks: what adds to them, each hit with its sum, and why nobody reacted."""

from __future__ import annotations

from collections.abc import Iterator

from battletape.clauses import clause
from battletape.log import Line, Narrator, Trail
from battletape.procedure import Stage
from battletape.rulesets.deathwatch import pipeline
from battletape.rulesets.deathwatch.attack import NOBODY, add_modifiers
from battletape.rulesets.deathwatch.evasion import Reacting, refuse_reaction
from battletape.rulesets.deathwatch.horde_volleys import Onslaught
from battletape.rulesets.deathwatch.specs import Attack, Spec
from battletape.rulesets.deathwatch.stages import land_hits, list_modifiers, overheat, strike_mob
from battletape.rulesets.deathwatch.telling import Taken, taken_in, tell_hits, tell_mob
from battletape.rulesets.deathwatch.work import Blow, Work


def tell_blow(stage: Stage, before: Work, after: Work, trail: Trail) -> Iterator[Line]:
    """What a stage of an attack says."""
    blow = before.blow
    if blow is None:
        return
    if stage is list_modifiers:
        yield from _opening(before, blow)
    elif stage is land_hits:
        yield from tell_denied(before, after, blow, trail)
        yield from _hits(stage, before, blow, trail)
    elif stage is strike_mob and trail and blow.onslaught is not None:
        spec = blow.onslaught.spec(before.magnitude(blow.target))
        yield from tell_mob(taken_in(stage, before, trail), spec, blow.target)
    elif stage is overheat and trail and blow.burn is not None:
        yield from tell_hits(taken_in(stage, before, trail), blow.burn)


def _opening(before: Work, blow: Blow) -> Iterator[Line]:
    spec = blow.spec if blow.onslaught is None else blow.onslaught.spec(before.magnitude(blow.target))
    if spec is not None and blow.how != "flame":
        text = f"{blow.who} attacks {blow.target or 'a place'} with {blow.weapon}"
        text = f"{blow.who} keeps heads down with {blow.weapon}" if blow.how == "spray" else text
        yield Line(text, ("DW-PIPE-1",))
        yield from pipeline.narrate(add_modifiers, Attack(spec, NOBODY), Attack(spec, NOBODY))


def _hits(stage: Stage, before: Work, blow: Blow, trail: Trail) -> Iterator[Line]:
    """Every hit on fighters, and those on mobs in a line each."""
    if blow.spec is None or not any(ask.label == "damage" for ask, _ in trail):
        return
    taken = taken_in(stage, before, trail)
    yield from tell_hits([one for one in taken if not isinstance(one.before, int)], blow.spec)
    crowds = {one.name: one.onslaught for one in blow.caught if one.onslaught is not None}
    for name, onslaught in crowds.items():
        spec = onslaught.spec(before.magnitude(name))
        yield from tell_mob([one for one in taken if _is_of(one, onslaught, spec, crowds)], spec, name)


def _is_of(one: Taken, onslaught: Onslaught, spec: Spec, crowds: dict[str, Onslaught]) -> bool:
    """Whether a hit was one on this mob."""
    return isinstance(one.before, int) and (len(crowds) == 1 or one.hit.reduction == spec.hits[0].reduction)


@clause("DW-EVA-1")
def tell_denied(before: Work, after: Work, blow: Blow, trail: Trail) -> Iterator[Line]:
    """Why somebody who was hit was not asked for a reaction."""
    if blow.how == "flame" or blow.spec is None or before.attack is None or not (before.attack.hits or trail):
        return
    known = {name: (reason, by) for name, reason, by in blow.denied}
    for name in dict.fromkeys((blow.target, *(one.name for one in (*blow.shares, *blow.caught)))):
        foe = next((one for one in before.foes if one.name == name), None)
        if foe is None or not _is_hit(name, before, after, blow):
            continue
        reason, by = known.get(name, ("", ""))
        if not reason and not foe.reactions:
            verb = "dodge or parry" if blow.spec.melee else "dodge"
            refused = refuse_reaction(Reacting(used=foe.budget, budget=foe.budget), verb)
            reason, by = (refused.reason, refused.clause) if refused else ("", "")
        if reason:
            yield Line(f"{name} has no reaction: {reason}", (by,))


def _is_hit(name: str, before: Work, after: Work, blow: Blow) -> bool:
    assert before.attack is not None
    if name == blow.target and not blow.how.startswith(("blast", "spray")):
        return before.attack.hits > 0
    return before.foe(name).victim != after.foe(name).victim


NARRATE = Narrator(tell_blow)
