"""Rulings: what the players agree on before the game, and where the sheet is silent or says two things."""

from typing import Literal

from battletape.cards import Inputs, ruling


class Rulings(Inputs, frozen=True, cache_hash=True):
    """The settings of a game; they hold for both sides until it ends."""

    dice: Literal["d10", "dual", "d6"] = ruling(
        "Dice of the game",
        "AD-3",
        "D10 for all, as the sheet's heading says; save numbers are translated",
        "D10 for Attack Dice, D6 for saves as profiles print them",
        "D6 for all, with the derived chart",
    )
    method: Literal["chart", "formula"] = ruling(
        "How Power meets Defence", "AD-4", "look it up on the chart", "use the most applicable line"
    )
    save_dice: Literal["as_game", "d6", "d10"] = ruling(
        "Dice for saves",
        "AD-84",
        "as the dice of the game say",
        "D6 whatever the Attack Dice",
        "D10, numbers translated",
    )
    numbering: Literal["0-9", "1-10"] = ruling(
        "How a D10 is numbered; its 0 (or 10) always fails",
        "AD-5",
        "it reads 0 to 9, and its 0 always fails",
        "it reads 1 to 10, and its 10 counts as 0, which always fails",
    )
    chart_errata: Literal["printed", "corrected"] = ruling(
        "Chart cell Power 19, Defence 15", "AD-22", "2+ as printed", "1+ as its diagonal demands"
    )
    modifier_policy: Literal["strict", "natural_max", "spill"] = ruling(
        "Modifiers where no face can reach the number",
        "AD-51",
        "added to every roll; some become impossible",
        "the top face always passes",
        "the entry moves along the chart's ladder",
    )
    modifier_acts_on: Literal["roll", "dice"] = ruling(
        "What a Dice Modifier changes", "AD-48", "the value rolled", "the number of dice"
    )
    stacking: Literal["sum", "worst"] = ruling(
        "Several modifiers", "AD-54", "all add up", "only the worst penalty counts"
    )
    class_penalty: Literal["in_melee", "engaged"] = ruling(
        "When a clumsy weapon suffers",
        "AD-59",
        "whenever its unit is in a Melee",
        "only against enemies in the same Melee",
    )
    multiplier: Literal["as_written", "attacks", "hp_loss"] = ruling(
        "What a multiplier multiplies",
        "AD-46",
        "chart: attacks before saves; formula: HP loss after them",
        "attacks, each saved by itself",
        "the HP loss of each unsaved attack",
    )
    auto_saves: Literal["rolled", "skipped"] = ruling(
        "Saves against automatic damage",
        "AD-8",
        "rolled as against any success",
        "automatic damage goes straight through",
    )
    saves: Literal["both", "one"] = ruling(
        "Armour and AEGIS", "AD-77", "Armour first, then AEGIS", "one of them, the defender chooses"
    )
    spill: Literal["spills", "lost"] = ruling(
        "HP loss beyond a model", "AD-81", "goes on to the next model", "one attack never hurts two models"
    )
    formula_caps: Literal["capped", "uncapped"] = ruling(
        "Caps of 20 and 15 in the formula", "AD-43", "as on the chart", "for the chart only"
    )
    most_applicable: Literal["specific", "favourable"] = ruling(
        "Which formula line applies", "AD-27", "the most specific", "the best for the attacker; Power 0 stays harmless"
    )
    threshold: Literal["own", "either"] = ruling(
        "The 5 of the formula's footnote",
        "AD-40",
        "the stat the line names",
        "Power or Defence, either; the result is the same",
    )
    power_zero: Literal["formula", "diagonal", "forbidden"] = ruling(
        "Power 0 on the chart", "AD-26", "as the formula says", "one step below Power 1", "no such attack"
    )
    zero_against_zero: Literal["equal", "no_damage"] = ruling(
        "Power 0 against Defence 0", "AD-42", "counts as equal", "nothing is rolled"
    )
    d6_triple: Literal["5+", "4+"] = ruling(
        "Second D6 when Defence is triple", "AD-89", "nearest to the D10's chance", "one easier"
    )
    facing_rule: Literal["off", "on"] = ruling(
        "Facing of single models", "AD-92", "not used", "front +1, rear -1 Defence; in a Melee always rear"
    )


DEFAULT = Rulings()
