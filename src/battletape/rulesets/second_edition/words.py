"""The phrases of this game: headlines, results, and what stops harm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from battletape.cards import Lead, Line, percent
from battletape.rulebook import capital, listed, plural, replace
from battletape.rulesets.second_edition.rules.attack import Hit, Model
from battletape.rulesets.second_edition.rules.blasts import Blast, Figure, count_hit
from battletape.rulesets.second_edition.rules.keywords import wound_and_save_lines
from battletape.rulesets.second_edition.rulings import Rulings
from battletape.words import average_casualties

if TYPE_CHECKING:
    from battletape.answer import Answer, Roll


def casualties(answer: Answer, models: int, name: str) -> str:
    """Return how many models fall, in one sentence."""
    odds = answer.odds("casualties")
    if models == 1:
        return f"{capital(falls(answer, name))}."
    if odds.chance(0) == 1:
        return f"None of {models} models falls."
    if odds.chance(models) == 1:
        return f"All {models} models fall."
    return average_casualties(float(odds.mean), models, lambda fallen: percent(odds.at_least(fallen)))


def falls(answer: Answer, name: str) -> str:
    """Return how often a single model falls."""
    return f"{name} falls {percent(answer.odds('casualties').at_least(1))} of the time"


SHOTS_LEAD = (
    Lead(
        "hits",
        "of the time it is hit; armour penetration does the rest",
        holds=lambda hits: hits >= 1,
        when=lambda answer: answer.start.setup.model.is_vehicle,
    ),
    Lead(
        "casualties",
        lambda answer: f"of the time {answer.start.setup.model.name} falls",
        holds=lambda fallen: fallen >= 1,
        when=lambda answer: answer.start.models == 1,
    ),
    Lead("casualties", lambda answer: f"of {answer.start.models} models fall on average"),
)
"""What the table asks first of shots: how many fall, or how often the only one does."""
TOLL_LEAD = Lead("hits", lambda answer: f"models hit on average, {answer.average('killed')} killed")
"""What the table asks first of a marker or template."""


def shots(answer: Answer) -> str:
    """Return what the shots do, in a sentence."""
    start = answer.start
    fire = start.setup
    if fire.model.is_vehicle:
        hits = answer.odds("hits")
        name = capital(fire.model.name)
        return f"{name} is hit {percent(hits.at_least(1))} of the time; armour penetration does the rest."
    told = casualties(answer, start.models, fire.model.name)
    if fire.prepared_hit.flame is None:
        return told
    fires = answer.odds("on_fire")
    return f"{told[:-1]}, and {percent(fires.at_least(1))} that a model burns."


def shots_result(roll: Roll) -> str:
    """Say how many shots hit, then how many models fell."""
    results = roll.results
    hits = results.get("hits", 0)
    if not hits:
        return "No hit."
    if results.get("armour_penetration"):
        return f"{plural(hits, 'hit')}: armour penetration {results['armour_penetration']}."
    return f"{plural(hits, 'hit')}: {fate(results)}."


def fate(results: Mapping[str, Any]) -> str:
    """Say how many models fell: “2 models fall”, “nobody falls, 1 wound lost”, “nobody is hurt”."""
    fell, lost = results["casualties"], results.get("wounds_lost", 0)
    if fell:
        gone = ", and nobody is left" if results.get("wiped_out") else ""
        return f"{plural(fell, 'model')} {'falls' if fell == 1 else 'fall'}{gone}"
    return f"nobody falls, {plural(lost, 'wound')} lost" if lost else "nobody is hurt"


def toll_result(roll: Roll) -> str:
    """Say which models a marker or template hit, and which it killed."""
    results = roll.results
    if results.get("fate") in ("dud", "no_effect", "no effect"):
        return "A dud." if results["fate"] == "dud" else "Out of range: no effect."
    if not results["hits"]:
        return "Nobody is hit."
    dies = results.get("who_dies", "nobody")
    names = listed(dies.split(", ")) if dies != "nobody" else str(results["killed"])
    dead = f"{names} killed" if results["killed"] else ""
    friends = count_hit(roll.state.results, "friend")
    own = ["the shooter"] * count_hit(roll.state.results, "shooter") + [plural(friends, "friend")] * bool(friends)
    among = f"; {listed(own)} among them" if own else ""
    burns = f", {results['on_fire']} on fire" if results.get("on_fire") else ""
    return f"{plural(results['hits'], 'model')} hit: {dead or 'nobody killed'}{burns}{among}."


def save_lines_of(hit: Hit, model: Model, rulings: Rulings) -> tuple[Line, ...]:
    """Return what stops harm to a model: its Toughness and its armour."""
    return tuple(wound_and_save_lines(hit, model, rulings))


def save_lines(hit: Hit, figures: Iterable[Figure], rulings: Rulings) -> Iterable[Line]:
    """Return the saves of the models under a marker or template, and of friends where they differ."""
    found: dict[Line, None] = {}
    for side, subject in (("enemy", ""), ("friend", "a friend: ")):
        for model in dict.fromkeys(figure.model for figure in figures if figure.side == side):
            lines = save_lines_of(hit, model, rulings)
            found |= {replace(line, text=capital(subject + line.text)): None for line in lines if line not in found}
    return tuple(found)


# --- markers and templates -------------------------------------------------------------------------------------------


def hits_and_kills_text(answer: Answer) -> str:
    """Return how many models are hit and killed, for a headline."""
    hits, killed = answer.odds("hits"), answer.odds("killed")
    hurt = f"{float(hits.mean):.1f} {'model' if round(float(hits.mean), 1) == 1 else 'models'} hit on average"
    return f"{hurt}, {float(killed.mean):.1f} killed"


def toll_headline(answer: Answer) -> str:
    """Return how many models are hit and killed, and the risk to one's own, as a sentence."""
    return f"{hits_and_kills_text(answer)}{friendly_risk_text(answer)}."


def friendly_risk_text(answer: Answer) -> str:
    """Return the risk to one's own, for a headline."""
    if not answer.includes("friends_hit"):
        return ""
    risk: Fraction = answer.odds("friends_hit").at_least(1)
    sides = {figure.side for figure in answer.start.figures}
    shooter = isinstance(answer.start, Blast) and "shooter" in sides  # a template never lies on its shooter
    whom = " or ".join(["a friend"] * ("friend" in sides) + ["the shooter"] * shooter)
    return f"; {percent(risk)} that {whom} is hit" if risk else ""
