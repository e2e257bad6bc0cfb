"""The question `blast`: how far tokens push a marker, how far BS draws it back, and what the hits do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from battletape.cards import Lead, Line, Measure, ProfileBook, Question, Rank, Table, asked
from battletape.rulebook import Caution, Procedure, State, Tape, clause, inches, plural, raise_if_refused, replace
from battletape.rulesets.diceless40k import words
from battletape.rulesets.diceless40k.profiles.book import modes
from battletape.rulesets.diceless40k.profiles.types import Ap, Inches, Stat, WeaponProfile, WeaponType
from battletape.rulesets.diceless40k.questions import _inputs
from battletape.rulesets.diceless40k.questions.casualties import ranks_of
from battletape.rulesets.diceless40k.rules import blasts
from battletape.rulesets.diceless40k.rules.attacks import aim_of
from battletape.rulesets.diceless40k.rules.keywords import WEAPON_RULES
from battletape.rulesets.diceless40k.rules.shooting import (
    Shooting,
    draw_back_inches,
    make_packets,
    refuse_range,
    resolve_packets,
)
from battletape.rulesets.diceless40k.rules.weapons import SNIPER_STRENGTH
from battletape.rulesets.diceless40k.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer


class BlastInputs(_inputs.TargetInputs, frozen=True):
    """A blast at a unit; the players count the models under the marker."""

    weapon: str = asked("", "Weapon profile", group="attacker", profile="weapon")
    marker: Literal["blast", "large_blast"] = asked("blast", "Marker", "DL-30.2", group="attacker")
    bs: Stat = asked(4, "BS", "DL-30.7", group="attacker", short="BS")
    strength: int = asked(4, "Strength", "DL-30.8", group="attacker", short="S", ge=1, le=12)
    ap: Ap | None = asked(6, "AP", "DL-20.1", group="attacker", short="AP")
    type: WeaponType = asked("assault", "Type", "DL-29.1", group="attacker")
    range: Inches = asked(48, "Range", "DL-29.1", group="attacker", unit="inches", short="Range")
    rules: _inputs.Names = asked((), "Special rules of the weapon", "DL-32.1", group="attacker", known=WEAPON_RULES)
    hits: int = asked(4, "Models under the marker in the end", "DL-30.8", group="target", ge=0, le=200)
    distance: float = asked(
        24.0, "Distance", "DL-29.1", group="circumstances", unit="inches", form="circumstance", ge=0, le=240
    )
    in_sight: bool = asked(True, "The firer sees the target", "DL-32.1", group="circumstances")
    held: int = asked(6, "Scatter tokens of the target's player", "DL-30.5", group="circumstances", ge=0, le=200)
    tokens: int = asked(0, "Tokens that the defender uses", "DL-30.4", group="circumstances", ge=0, le=200)
    night: bool = asked(False, "Night fighting", "DL-95.9", group="circumstances", form="circumstance", short="Night")


class Shot(State, frozen=True):
    """A blast without a board: tokens, inches, and the hits that players count."""

    shooting: Shooting
    tokens: int
    held: int
    night: bool
    draw_back_inches: int
    most: int  # tokens that may be used
    moved: int = 0
    inches: int = 0


@clause("DL-30.4", "DL-30.5", "DL-30.7", "DL-32.1", "DL-58.1")
def begin_blast(inputs: BlastInputs, rulings: Rulings) -> Shot:
    """Return the shot, and what both players may do; too many tokens are refused."""
    names = _inputs.weapon_rules_named(inputs.rules)
    raise_if_refused(
        blasts.refuse_tokens(inputs.tokens, inputs.held, inputs.night, rulings)
        or blasts.refuse_unseen(names, inputs.in_sight)
        or refuse_range(inputs.range, inputs.distance)
    )
    weapon = WeaponProfile(
        name=inputs.weapon or "blast",
        type=inputs.type,
        strength=inputs.strength,
        ap=inputs.ap,
        range=inputs.range,
        marker=inputs.marker,
        rules=names,
    )
    target = _inputs.target_of(inputs, rulings)
    aim = aim_of(weapon, inputs.bs, target, distance=inputs.distance, hits=(inputs.hits,))
    drawable = draw_back_inches(aim) if blasts.may_draw_back(names, inputs.in_sight) else 0
    most = blasts.most_tokens(inputs.held, inputs.night, rulings)
    return Shot(Shooting(rulings, (aim,), target), inputs.tokens, inputs.held, inputs.night, drawable, most)


@clause("DL-30.4", "DL-30.6", "DL-30.7")
def scatter(tape: Tape, shot: Shot) -> Shot:
    """Push the marker by all tokens in one direction, and draw it back as far as possible."""
    spent = blasts.tokens_spent(shot.tokens, shot.night, shot.shooting.rulings)
    moved, left = blasts.scattered(shot.tokens), blasts.final_inches(shot.tokens, shot.draw_back_inches)
    text = f"{plural(shot.tokens, 'scatter token')} of {shot.most} that may be used: {inches(moved)}"
    tape.tell(Line, text, ("DL-30.4", "DL-30.5"), result=inches(moved))
    tape.tell(drawn_line, moved, shot.draw_back_inches, left)
    return replace(shot, moved=moved, inches=left, held=shot.held - spent)


def drawn_line(moved: int, most: int, left: int) -> Line:
    """Say how far the firer draws a marker back, and where it lies then."""
    if not most:
        text = f"The firer may not draw it back: {inches(left)} off the aim"
        return Line(text, ("DL-32.1", "DL-58.1"), result=inches(left))
    drawn = f"{moved} - {min(moved, most)} = {inches(left)} off the aim"
    return Line(f"The firer draws back up to {inches(most)}: {drawn}", ("DL-30.7",), result=inches(left))


@clause("DL-30.8")
def explode(tape: Tape, shot: Shot) -> Shot:
    """Hurt the models under the marker as by any shot."""
    shooting = shot.shooting
    for stage in (make_packets, resolve_packets):
        shooting = stage(tape, shooting)
    return replace(shot, shooting=shooting)


def blast_headline(answer: Answer) -> str:
    """Say where the marker lies, and what its hits do."""
    off, dmg, hp, removed = (words.value(answer, name) for name in ("inches", "dmg", "hp_lost", "removed"))
    lies = f"The marker lies {inches(off)} off its aim" if off else "The marker lies on its aim"
    deal = "deals" if answer.inputs.hits == 1 else "deal"
    hurt = f"{plural(answer.inputs.hits, 'hit')} {deal} {dmg} DMG, {hp} HP lost"
    return f"{lies}; {hurt}: {plural(removed, 'model')} removed."


def fill_blast(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in profiles of the target and of the weapon."""
    filled = _inputs.fill_troops(given, book)
    if filled.get("weapon"):
        ways = modes(book, str(filled["weapon"]))
        weapon = next((way for way in ways if way.marker in blasts.RADII), ways[0])
        names = ("ap", "type", "range", "rules")
        numbers = {name: getattr(weapon, name) for name in names} | {"strength": weapon.strength or SNIPER_STRENGTH}
        if weapon.marker in blasts.RADII:  # any other weapon is taken to have the marker that is said
            numbers["marker"] = weapon.marker
        filled = {**numbers, **filled, "weapon": weapon.name}
    return filled


def warn_blast(inputs: BlastInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Warn of what may be counted wrongly."""
    shooting = begin_blast(inputs, rulings).shooting
    yield from _inputs.warn_hits(shooting.aims[0], shooting.target)


def table(inputs: BlastInputs, rulings: Rulings) -> Table | None:
    """Show the cells of Table 1 that the hits are looked up in."""
    return _inputs.saves_used(FIRING, begin_blast(inputs, rulings))


FIRING = Procedure("blast", (scatter, explode))


def _ranks(answer: Answer) -> Iterable[Rank]:
    (shot,) = answer.states.weights
    return ranks_of(answer.start.shooting.target.groups, shot.shooting.target.groups)


BLAST = Question(
    "blast",
    "Where does a blast land, and what does it do?",
    BlastInputs,
    begin_blast,
    FIRING,
    (
        Measure("inches", "Inches off its aim", lambda shot: shot.inches, "inches", low_for=("attacker",)),
        Measure("moved", "Inches that the tokens push it", lambda shot: shot.moved, "inches", low_for=("attacker",)),
        Measure("max_tokens", "Tokens that may be used on it", lambda shot: shot.most, "tokens"),
        Measure("held", "Tokens left afterwards", lambda shot: shot.held, "tokens", low_for=("attacker",)),
        Measure("dmg", "Damage before saves", lambda shot: sum(packet.dmg for packet in shot.shooting.packets), "DMG"),
        Measure("hp_lost", "HP that come through", lambda shot: shot.shooting.target.losses.hp, "HP"),
        Measure("removed", "Models removed", lambda shot: shot.shooting.target.removed, "models"),
        Measure(
            "models_left", "Models left", lambda shot: shot.shooting.target.models, "models", low_for=("attacker",)
        ),
    ),
    blast_headline,
    fill=fill_blast,
    table=table,
    warn=warn_blast,
    example={"weapon": "Frag missile", "unit": "Ork Boyz", "tokens": 3, "held": 9, "hits": 4},
    small={"tokens": 3, "held": 9, "hits": 4, "models": 10, "armour": 6},
    rulings=("night_token", "scatter_pull", *_inputs.GUN_RULINGS, *_inputs.TROOP_RULINGS),
    lead=(
        Lead("removed", lambda answer: f"of {plural(answer.start.shooting.target.models, 'model')} removed"),
        Lead("hp_lost", "HP lost; nobody falls"),
    ),
    ranks=_ranks,
)
