"""The question `psychic_test`: whether a power works, with warp tokens and perils."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from battletape.cards import Inputs, Lead, Measure, ProfileBook, Question, Table, asked
from battletape.rulebook import BadInput, Caution, Refused, clause, listed, plural
from battletape.rulesets.diceless40k import words
from battletape.rulesets.diceless40k.profiles.types import Least1, Save
from battletape.rulesets.diceless40k.questions._inputs import Hp, Op, TestLd, group_of
from battletape.rulesets.diceless40k.rules.characteristics import PSYKER, Group, groups_of
from battletape.rulesets.diceless40k.rules.psykers import (
    MEASURES,
    PsychicTest,
    powers_in_a_row,
    psychic_test,
)
from battletape.rulesets.diceless40k.rules.psykers import (
    PSYCHIC_TEST as TESTING,
)
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.rulesets.diceless40k.tables.printed import leadership_table

if TYPE_CHECKING:
    from battletape.answer import Answer


class PsychicTestInputs(Inputs, frozen=True):
    """A psyker that is about to use a power."""

    psyker: str = asked("", "Unit profile of the psyker", group="attacker", profile="unit")
    ld: TestLd = asked(10, "Ld", "DL-50.1", group="attacker")
    op: Op = asked(0, "The psyker's own order points", "DL-50.1", group="attacker")
    unit_op: Op = asked(0, "Order points of the unit the psyker leads", "DL-50.1", group="attacker")
    reroll: bool = asked(False, "Failed tests may be re-rolled", "DL-50.1", group="attacker")
    hood: bool = asked(False, "An enemy psychic hood within 24 inches", "DL-SM-56.1", group="circumstances")
    toughness: Least1 = asked(4, "Toughness", "DL-6.1", group="attacker", short="T")
    wounds: Least1 = asked(2, "Wounds", "DL-6.1", group="attacker", short="W")
    hp: Hp | None = asked(None, "HP at the start, if not W × T × 10", "DL-6.1", group="attacker")
    recorded: int = asked(0, "Damage recorded on the psyker", "DL-24.2", group="attacker", ge=0, le=1000)
    invulnerable: Save | None = asked(None, "Invulnerable save", "DL-50.6", group="attacker", short="Inv")
    armour: Save | None = asked(3, "Armour save, which does not help", "DL-50.6", group="attacker")
    tokens_held: int = asked(0, "Warp tokens of the opponent", "DL-50.4", group="target", ge=0, le=50)
    token_used: bool = asked(False, "One has been played in this player turn", "DL-50.5", group="target")


@clause("DL-50.1", "DL-50.5", "DL-50.6")
def begin_psychic_test(inputs: PsychicTestInputs, rulings: Rulings) -> PsychicTest:
    """Return the psyker before any choice is made."""
    psyker = group_of(
        inputs.psyker or "the psyker",
        1,
        inputs.toughness,
        0,
        inputs.wounds,
        inputs.hp,
        rulings,
        ld=inputs.ld,
        armour=inputs.armour,
        invulnerable=inputs.invulnerable,
        recorded=inputs.recorded,
    )
    if psyker.recorded >= psyker.hp:
        raise BadInput.of("recorded", f"must be less than the {psyker.hp} HP of the psyker; got {psyker.recorded}.")
    return psychic_test(
        psyker,
        "attacker",
        "defender",
        inputs.op,
        inputs.unit_op,
        reroll=inputs.reroll,
        hood=inputs.hood,
        warp_tokens=inputs.tokens_held,
        token_used=inputs.token_used,
        rulings=rulings,
    )


def psychic_test_headline(answer: Answer) -> str:
    """Say whether the power works, and how often it will."""
    (test,) = answer.states.weights
    given = answer.inputs
    powers = powers_in_a_row(given.op, given.ld, given.reroll, given.hood)
    if test.cancelled:
        without = f"{powers} in a row would work" if powers > 1 else "it would work" if powers else "it would fail"
        return f"A warp token cancels the power, unless the psyker pushes on; without it, {without}."
    tested = (
        f" ({test.test_result.op} order points against {test.test_result.threshold})"
        if test.test_result is not None
        else ""
    )
    works = f"The power works{tested}" if test.works else f"The power fails{tested}, and the order points go back to 0"
    more = f", and so would {plural(powers - 1, 'more')} in a row".replace("mores", "more") if powers > 1 else ""
    more = more or (", but the next one would fail" if powers == 1 else "")
    token = " A warp token may cancel it." if given.tokens_held and not given.token_used else ""
    return f"{works}{more}.{token}"


def fill_psychic_test(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in the numbers of a named psyker."""
    if not given.get("psyker"):
        return dict(given)
    unit = book.find("unit", str(given["psyker"]))
    groups = groups_of(unit)
    psyker = next((group for group in groups if PSYKER in group.rules), None)
    if psyker is None:
        known = [name for name, other in book.entries["unit"].items() if any(map(_is_psyker, groups_of(other)))]
        raise Refused(f"{unit.name} is no psyker; {listed(known, 'or')} would do", "DL-50.1", "psyker")
    numbers = {name: getattr(psyker, name) for name in ("ld", "armour", "invulnerable", "hp")}
    return {**numbers, "toughness": psyker.own_toughness, **given, "psyker": unit.name}


def _is_psyker(group: Group) -> bool:
    return PSYKER in group.rules


def table(inputs: PsychicTestInputs, rulings: Rulings) -> Table:
    """Show Tables 2 and 3 with the threshold in use."""
    return leadership_table(inputs.ld, inputs.reroll)


def warn_psychic_test(inputs: PsychicTestInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Warn of what does not count here."""
    if inputs.unit_op:
        yield Caution("Only the psyker's own order points are compared; those of the unit stay as they are", "DL-50.1")


PSYCHIC_TEST = Question(
    "psychic_test",
    "Does a psychic power work?",
    PsychicTestInputs,
    begin_psychic_test,
    TESTING,
    (
        *MEASURES,
        Measure("hp_left", "HP that the psyker has left", lambda test: test.victim.groups[0].front_hp, "HP"),
        Measure("perils_dmg", "DMG of the perils", lambda test: test.victim.losses.dmg, "DMG", low_for=("attacker",)),
        Measure(
            "unit_op", "Order points of the unit afterwards", lambda test: test.unit_op, "OP", low_for=("attacker",)
        ),
        Measure("tested", "A test is taken", lambda test: int(test.test_result is not None)),
        Measure(
            "op_total",
            "Order points that are compared",
            lambda test: test.test_result.op if test.test_result else test.op,
            "OP",
            low_for=("attacker",),
        ),
    ),
    psychic_test_headline,
    fill=fill_psychic_test,
    table=table,
    warn=warn_psychic_test,
    example={"psyker": "Librarian Osric Vale", "op": 150, "tokens_held": 1},
    small={"ld": 10, "op": 150, "tokens_held": 1, "invulnerable": 4},
    rulings=("cancelled_test", "bracketed_hp"),
    lead=(Lead("works", lambda answer: "the power works" if words.value(answer, "works") else "the power fails"),),
)
