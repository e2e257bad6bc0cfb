"""Rulings: what the players agree on before the game, and where the sheet is silent or says two things.

`rulings.toml` tells what each decides, and what its values mean.
"""

from typing import Literal

from battletape.cards import Inputs, read_rulings


class Rulings(Inputs, frozen=True, cache_hash=True, said=read_rulings(__package__)):
    """The settings of a game; they hold for both sides until it ends."""

    dice: Literal["d10", "dual", "d6"] = "d10"
    method: Literal["chart", "formula"] = "chart"
    save_dice: Literal["as_game", "d6", "d10"] = "as_game"
    numbering: Literal["0-9", "1-10"] = "0-9"
    chart_errata: Literal["printed", "corrected"] = "printed"
    modifier_policy: Literal["strict", "natural_max", "spill"] = "strict"
    modifier_acts_on: Literal["roll", "dice"] = "roll"
    stacking: Literal["sum", "worst"] = "sum"
    class_penalty: Literal["in_melee", "engaged"] = "in_melee"
    multiplier: Literal["as_written", "attacks", "hp_loss"] = "as_written"
    auto_saves: Literal["rolled", "skipped"] = "rolled"
    saves: Literal["both", "one"] = "both"
    spill: Literal["spills", "lost"] = "spills"
    formula_caps: Literal["capped", "uncapped"] = "capped"
    most_applicable: Literal["specific", "favourable"] = "specific"
    threshold: Literal["own", "either"] = "own"
    power_zero: Literal["formula", "diagonal", "forbidden"] = "formula"
    zero_against_zero: Literal["equal", "no_damage"] = "equal"
    d6_triple: Literal["5+", "4+"] = "5+"
    facing_rule: Literal["off", "on"] = "off"


DEFAULT = Rulings()
