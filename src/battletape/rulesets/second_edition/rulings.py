"""Rulings: a named setting for each point that the page leaves open, with our reading as its default.

`rulings.toml` tells what each decides, and what its values mean.
"""

from typing import Literal

from battletape.cards import Inputs, read_rulings


class Rulings(Inputs, frozen=True, cache_hash=True, said=read_rulings(__package__)):
    """The settings of a game; they hold for both sides until it ends."""

    random_direction: Literal["small_arrow", "hit_stays"] = "small_arrow"
    measuring: Literal["edges", "centres"] = "edges"
    above_six: Literal["second_die", "never"] = "second_die"
    beyond_chart: Literal["as_ten", "by_difference"] = "as_ten"
    save_order: Literal["after_wound", "before_wound"] = "after_wound"
    save_of_one: Literal["fails", "counts"] = "fails"
    stays_put: Literal["as_hit", "by_cover"] = "as_hit"
    ground_range: Literal["limited", "any"] = "limited"
    shrunk_away: Literal["removed", "stays_small"] = "removed"
    marker_harm: Literal["at_test", "and_on_entry"] = "at_test"
    template_tip: Literal["nearest", "anywhere"] = "nearest"
    burning_model: Literal["helpless", "acts"] = "helpless"
    beating_out: Literal["one_roll", "roll_each"] = "one_roll"
    ignored_flames: Literal["still_burn", "no_hits"] = "still_burn"
    second_fire: Literal["stronger", "first", "latest"] = "stronger"
    further_hits: Literal["by_need", "by_roll", "near"] = "by_need"
    own_strength: Literal["higher", "added"] = "higher"
    turn_start: Literal["markers_first", "fires_first"] = "markers_first"


DEFAULT = Rulings()
PRESETS = {"page": {}, "summary": {"further_hits": "near"}}
