"""The phrases of this game: headlines, and what a stage did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

from battletape.cards import Lead, Line, percent
from battletape.rulebook import capital, inches, listed, plural, replace
from battletape.rulesets.second_edition.rules.attack import Hit, Model
from battletape.rulesets.second_edition.rules.blasts import Blast, Figure, Toll, count
from battletape.rulesets.second_edition.rules.damage import on_chart, wound_need
from battletape.rulesets.second_edition.rules.saves import armour_against, is_penetrated, save_need
from battletape.rulesets.second_edition.rules.scatter import FATES
from battletape.rulesets.second_edition.rules.to_hit import Aim, band_of, can_hit, modifiers, need_of
from battletape.rulesets.second_edition.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer, Roll

NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def in_words(number: int) -> str:
    """Small numbers as words."""
    return NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"


def short(number: float) -> str:
    """A mean as people say it."""
    return f"{number:.1f}" if number >= 0.05 or number == 0 else f"{number:.2f}"


def casualties(answer: Answer, models: int, name: str) -> str:
    """How many models fall, in one sentence."""
    odds = answer.odds("casualties")
    if models == 1:
        return f"{capital(falls(answer, name))}."
    if odds.chance(0) == 1:
        return f"None of {models} models falls."
    if odds.chance(models) == 1:
        return f"All {models} models fall."
    mean = float(odds.mean)
    at = min(max(1, ceil(mean)), models)
    more = f"all {models}" if at == models else f"{in_words(at)} or more"
    return f"{short(mean)} of {models} models fall on average; {percent(odds.at_least(at))} for {more}."


def falls(answer: Answer, name: str) -> str:
    """How often a single model falls."""
    return f"{name} falls {percent(answer.odds('casualties').at_least(1))} of the time"


SHOTS_LEAD = (
    Lead(
        "hits",
        "of the time it is hit; armour penetration does the rest",
        holds=lambda hits: hits >= 1,
        when=lambda answer: answer.start.fire.model.is_vehicle,
    ),
    Lead(
        "casualties",
        lambda answer: f"of the time {answer.start.fire.model.name} falls",
        holds=lambda fallen: fallen >= 1,
        when=lambda answer: answer.start.models == 1,
    ),
    Lead("casualties", lambda answer: f"of {answer.start.models} models fall on average"),
)
"""What the table asks first of shots: how many fall, or how often the only one does."""
TOLL_LEAD = Lead("hits", lambda answer: f"models hit on average, {answer.average('killed')} killed")
"""What the table asks first of a marker or template."""


def shots(answer: Answer) -> str:
    """What the shots do, in a sentence."""
    start = answer.start
    fire = start.fire
    if fire.model.is_vehicle:
        hits = answer.odds("hits")
        name = capital(fire.model.name)
        return f"{name} is hit {percent(hits.at_least(1))} of the time; armour penetration does the rest."
    told = casualties(answer, start.models, fire.model.name)
    if not fire.hit.incendiary:
        return told
    fires = answer.odds("on_fire")
    return f"{told[:-1]}, and {percent(fires.at_least(1))} that somebody burns."


# --- what is needed -------------------------------------------------------------------------------------------------


def shots_result(roll: Roll) -> str:
    """What came of some shots: the hits, then who falls."""
    got = roll.results
    hits = got.get("hits", 0)
    if not hits:
        return "No hit."
    if got.get("armour_penetration"):
        return f"{plural(hits, 'hit')}: armour penetration {got['armour_penetration']}."
    return f"{plural(hits, 'hit')}: {fate(got)}."


def fate(got: Mapping[str, Any]) -> str:
    """Who fell: “2 models fall”, “nobody falls, 1 wound lost”, “nobody is hurt”."""
    fell, lost = got["casualties"], got.get("wounds_lost", 0)
    if fell:
        gone = ", and nobody is left" if got.get("wiped_out") else ""
        return f"{plural(fell, 'model')} {'falls' if fell == 1 else 'fall'}{gone}"
    return f"nobody falls, {plural(lost, 'wound')} lost" if lost else "nobody is hurt"


def toll_result(roll: Roll) -> str:
    """What came of a marker or template: who is hit, and who dies."""
    got = roll.results
    if got.get("fate") in ("dud", "no_effect", "no effect"):
        return "A dud." if got["fate"] == "dud" else "Out of range: no effect."
    if not got["hits"]:
        return "Nobody is hit."
    dies = got.get("who_dies", "nobody")
    names = listed(dies.split(", ")) if dies != "nobody" else str(got["killed"])
    dead = f"{names} killed" if got["killed"] else ""
    friends = count(roll.state.toll, "friend")
    own = ["the shooter"] * count(roll.state.toll, "shooter") + [plural(friends, "friend")] * bool(friends)
    among = f"; {listed(own)} among them" if own else ""
    burns = f", {got['on_fire']} on fire" if got.get("on_fire") else ""
    return f"{plural(got['hits'], 'model')} hit: {dead or 'nobody killed'}{burns}{among}."


def to_hit_line(aim: Aim, rules: Rulings) -> Line:
    """The score To Hit, and what it is made of."""
    if band_of(aim) == "out":
        assert aim.distance is not None
        reach = f"the weapon reaches {inches(aim.long_range)}"
        return Line(f"Out of range: {inches(aim.distance)} away, and {reach}", ("SE-16",), needed="-")
    need = need_of(aim)
    parts = [f"{amount:+d} {name}" for name, amount, _ in modifiers(aim)]
    text = "To Hit as given" if aim.need is not None else ", ".join([f"To Hit with Ballistic Skill {aim.bs}", *parts])
    clauses = dict.fromkeys(("SE-13", *(by for _, _, by in modifiers(aim))))
    if not can_hit(aim, rules):
        return Line(f"{text}: no dice can show {need}", (*clauses, "SE-15"), needed=f"{need}+")
    if need < 2:
        return Line(f"{text}: a 1 still misses", (*clauses, "SE-14"), needed=f"{need}+")
    return Line(text, (*clauses, "SE-15") if need > 6 else tuple(clauses), needed=f"{need}+")


def wound_line(hit: Hit, model: Model, rules: Rulings) -> Line:
    """Strength against Toughness."""
    if model.toughness is None:
        return Line("A vehicle has no Toughness: its armour is penetrated by the rules of the base game", ("SE-96",))
    if hit.force and model.is_daemon:
        return Line("A force weapon wounds a daemon without a roll", ("SE-115",), needed="automatic")
    if hit.strength is None:
        return Line("The weapon hurts nobody", ("SE-18",), needed="-")
    versus = f"{_counted('Strength', hit.strength, rules)} against {_counted('Toughness', model.toughness, rules)}"
    need = wound_need(hit.strength, model.toughness, rules)
    if need is None:
        return Line(f"{versus} cannot wound", ("SE-20", "SE-19"), needed="-")
    return Line(versus, ("SE-19", "SE-18"), needed=f"{need}+")


def _counted(name: str, number: int, rules: Rulings) -> str:
    counts = on_chart(number) if rules.beyond_chart == "as_ten" else number
    return f"{name} {number}" if counts == number else f"{name} {number} (counts as {counts})"


def save_lines(hit: Hit, model: Model, rules: Rulings) -> Iterable[Line]:
    """What the armour needs, or why it does not help; saves that ignore modifiers speak for themselves."""
    if model.aura is not None and hit.force:
        yield Line(f"The daemonic aura of {model.aura}+ does not help against a force weapon", ("SE-116",))
    armour = armour_against(hit, model)
    if armour is None or model.toughness is None:
        return
    need = save_need(armour, hit.save_modifier)
    dice = " on 2D6" if model.save_dice == "2d6" else ""
    by = f", {hit.save_modifier:+d} by the weapon" if hit.save_modifier else ""
    if is_penetrated(need, model.save_dice):
        yield Line(f"Armour of {armour}+{dice}{by}: penetrated without a roll", ("SE-29",), needed=f"{need}+")
    elif need <= 2 and model.save_dice == "2d6":
        yield Line(f"Armour of {armour}+{dice}{by}: cannot fail", ("SE-30",), needed=f"{need}+")
    else:
        yield Line(f"Armour of {armour}+{dice}{by}", ("SE-27",), needed=f"{need}+")


def needs(aim: Aim | None, hit: Hit, model: Model, rules: Rulings) -> Iterable[Line]:
    """Everything that is worked out before the first die: To Hit, to wound, to save."""
    yield to_hit_line(aim, rules) if aim is not None else Line("Hits without a roll To Hit", ("SE-23",), needed="-")
    yield wound_line(hit, model, rules)
    yield from save_lines(hit, model, rules)


def stops_of(hit: Hit, model: Model, rules: Rulings) -> tuple[Line, ...]:
    """What stops harm to a model: its Toughness and its armour."""
    return (wound_line(hit, model, rules), *save_lines(hit, model, rules))


def stops(hit: Hit, figures: Iterable[Figure], rules: Rulings) -> Iterable[Line]:
    """What stops harm to anybody under a marker or template, and for friends, where it differs."""
    said: dict[Line, None] = {}
    for side, who in (("enemy", ""), ("friend", "a friend: ")):
        for model in dict.fromkeys(figure.model for figure in figures if figure.side == side):
            lines = stops_of(hit, model, rules)
            said |= {replace(line, text=capital(who + line.text)): None for line in lines if line not in said}
    return tuple(said)


def fell(before: Any, after: Any) -> Iterable[Line]:
    """Who fell in a stage: told from the models left before and after it."""
    fallen, lost = after.fallen - before.fallen, after.lost - before.lost
    if fallen:
        text = f"{plural(fallen, 'model')} {'falls' if fallen == 1 else 'fall'}"
        yield Line(text + (", and nobody is left" if not after.line else ""), ("SE-24",), result=f"{fallen} fallen")
    elif lost:
        yield Line(f"{plural(lost, 'wound')} lost", ("SE-22",), result=f"{lost} lost")
    else:
        yield Line("Nobody is hurt", ("SE-22",), result="0 lost")


# --- markers and templates -------------------------------------------------------------------------------------------

EVENTS = {
    "expires": ("stays until the end of this turn", "SE-68"),
    "stays": ("stays as it is", "SE-69"),
    "shrinks": ("shrinks", "SE-70"),
    "moves": ("drifts", "SE-71"),
    "vanishes": ("vanishes at once", "SE-76"),
    "expands": ("swells until the end of this turn", "SE-78"),
}
"""What the test of a marker brings, in words, and the clause."""


def fate_line(before: Blast, after: Blast) -> Iterable[Line]:
    """What became of the marker."""
    if not after.fate or before.fate:
        return
    clauses = {"hit": "SE-36", "stays": "SE-44", "moves": "SE-43", "dud": "SE-45", "on_shooter": "SE-46"}
    far = f" {inches(after.inches)}" if after.fate == "moves" else ""
    yield Line(f"The marker: {FATES[after.fate]}{far}", (clauses.get(after.fate, "SE-35"),), result=after.fate)


def told(covered: Iterable[tuple[str, str]]) -> str:
    """Who lies under a marker, and how much of them."""
    return ", ".join(f"{name} {cover}" for name, cover in covered) or "nobody"


def toll_line(toll: Toll, by: str) -> Iterable[Line]:
    """Who was hit, and what came of it."""
    if not toll.struck:
        yield Line("Nobody is hit", (by,), result="0 hit")
    for struck in toll.struck:
        what = (
            "is killed" if struck.dead else "is on fire" if struck.burning else "is hurt" if struck.lost else "survives"
        )
        if struck.vehicle:
            what = "is hit: roll for armour penetration"
        yield Line(f"{capital(struck.name) or 'A model'} {what}", (by,), result=what)


def in_all(answer: Answer) -> str:
    """How many models are hit and killed, for a headline."""
    hits, killed = answer.odds("hits"), answer.odds("killed")
    hurt = f"{float(hits.mean):.1f} {'model' if round(float(hits.mean), 1) == 1 else 'models'} hit on average"
    return f"{hurt}, {float(killed.mean):.1f} killed"


def toll(answer: Answer) -> str:
    """How many models are hit and killed, and the risk to one's own, as a sentence."""
    return f"{in_all(answer)}{danger(answer)}."


def danger(answer: Answer) -> str:
    """The risk to one's own, for a headline."""
    if not answer.tells("friends_hit"):
        return ""
    risk: Fraction = answer.odds("friends_hit").at_least(1)
    sides = {figure.side for figure in answer.start.figures}
    shooter = isinstance(answer.start, Blast) and "shooter" in sides  # a template never lies on who holds it
    whom = " or ".join(["a friend"] * ("friend" in sides) + ["the shooter"] * shooter)
    return f"; {percent(risk)} that {whom} is hit" if risk else ""
