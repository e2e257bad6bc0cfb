"""Rulings: what the players agree on before the game, and where the sheet is silent or says two things."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from battletape.inputs import Inputs


def _ruling(title: str, clause: str, **alternatives: str) -> Any:
    """What a ruling decides, its clause, and what each value means."""
    return Meta(title=title, extra={"group": "rulings", "clause": clause, "alternatives": alternatives})


class Rulings(Inputs, frozen=True, cache_hash=True):
    """The settings of a game; they hold for both sides until it ends."""

    dice: Annotated[
        Literal["d10", "dual", "d6"],
        _ruling(
            "Dice of the game",
            "AD-3",
            d10="D10 for all, as the sheet's heading says; save numbers are translated",
            dual="D10 for Attack Dice, D6 for saves as profiles print them",
            d6="D6 for all, with the derived chart",
        ),
    ] = "d10"
    method: Annotated[
        Literal["chart", "formula"],
        _ruling(
            "How Power meets Defence", "AD-4", chart="look it up on the chart", formula="use the most applicable line"
        ),
    ] = "chart"
    save_dice: Annotated[
        Literal["as_game", "d6", "d10"],
        _ruling(
            "Dice for saves",
            "AD-84",
            as_game="as the dice of the game say",
            d6="D6 whatever the Attack Dice",
            d10="D10, numbers translated",
        ),
    ] = "as_game"
    numbering: Annotated[
        Literal["0-9", "1-10"],
        _ruling(
            "How a D10 is numbered; its 0 (or 10) always fails",
            "AD-5",
            **{
                "0-9": "it reads 0 to 9, and its 0 always fails",
                "1-10": "it reads 1 to 10, and its 10 counts as 0, which always fails",
            },
        ),
    ] = "0-9"
    chart_errata: Annotated[
        Literal["printed", "corrected"],
        _ruling(
            "Chart cell Power 19, Defence 15", "AD-22", printed="2+ as printed", corrected="1+ as its diagonal demands"
        ),
    ] = "printed"
    modifier_policy: Annotated[
        Literal["strict", "natural_max", "spill"],
        _ruling(
            "Modifiers where no face can reach the number",
            "AD-51",
            strict="added to every roll; some become impossible",
            natural_max="the top face always passes",
            spill="the entry moves along the chart's ladder",
        ),
    ] = "strict"
    modifier_acts_on: Annotated[
        Literal["roll", "dice"],
        _ruling("What a Dice Modifier changes", "AD-48", roll="the value rolled", dice="the number of dice"),
    ] = "roll"
    stacking: Annotated[
        Literal["sum", "worst"],
        _ruling("Several modifiers", "AD-54", sum="all add up", worst="only the worst penalty counts"),
    ] = "sum"
    class_penalty: Annotated[
        Literal["in_melee", "engaged"],
        _ruling(
            "When a clumsy weapon suffers",
            "AD-59",
            in_melee="whenever its unit is in a Melee",
            engaged="only against enemies in the same Melee",
        ),
    ] = "in_melee"
    multiplier: Annotated[
        Literal["as_written", "attacks", "hp_loss"],
        _ruling(
            "What a multiplier multiplies",
            "AD-46",
            as_written="chart: attacks before saves; formula: HP loss after them",
            attacks="attacks, each saved by itself",
            hp_loss="the HP loss of each unsaved attack",
        ),
    ] = "as_written"
    auto_saves: Annotated[
        Literal["rolled", "skipped"],
        _ruling(
            "Saves against automatic damage",
            "AD-8",
            rolled="rolled as against any success",
            skipped="automatic damage goes straight through",
        ),
    ] = "rolled"
    saves: Annotated[
        Literal["both", "one"],
        _ruling("Armour and AEGIS", "AD-77", both="Armour first, then AEGIS", one="one of them, the defender chooses"),
    ] = "both"
    spill: Annotated[
        Literal["spills", "lost"],
        _ruling(
            "HP loss beyond a model",
            "AD-81",
            spills="goes on to the next model",
            lost="one attack never hurts two models",
        ),
    ] = "spills"
    formula_caps: Annotated[
        Literal["capped", "uncapped"],
        _ruling("Caps of 20 and 15 in the formula", "AD-43", capped="as on the chart", uncapped="for the chart only"),
    ] = "capped"
    most_applicable: Annotated[
        Literal["specific", "favourable"],
        _ruling(
            "Which formula line applies",
            "AD-27",
            specific="the most specific",
            favourable="the best for the attacker; Power 0 stays harmless",
        ),
    ] = "specific"
    threshold: Annotated[
        Literal["own", "either"],
        _ruling(
            "The 5 of the formula's footnote",
            "AD-40",
            own="the stat the line names",
            either="Power or Defence, either; the result is the same",
        ),
    ] = "own"
    power_zero: Annotated[
        Literal["formula", "diagonal", "forbidden"],
        _ruling(
            "Power 0 on the chart",
            "AD-26",
            formula="as the formula says",
            diagonal="one step below Power 1",
            forbidden="no such attack",
        ),
    ] = "formula"
    zero_against_zero: Annotated[
        Literal["equal", "no_damage"],
        _ruling("Power 0 against Defence 0", "AD-42", equal="counts as equal", no_damage="nothing is rolled"),
    ] = "equal"
    d6_triple: Annotated[
        Literal["5+", "4+"],
        _ruling(
            "Second D6 when Defence is triple", "AD-89", **{"5+": "nearest to the D10's chance", "4+": "one easier"}
        ),
    ] = "5+"
    facing_rule: Annotated[
        Literal["off", "on"],
        _ruling(
            "Facing of single models", "AD-92", off="not used", on="front +1, rear -1 Defence; in a Melee always rear"
        ),
    ] = "off"


DEFAULT = Rulings()
