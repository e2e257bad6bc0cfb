"""Rulings: a named setting for each point that the page leaves open, with our reading as its default."""

from typing import Literal

from battletape.cards import Inputs, ruling


class Rulings(Inputs, frozen=True, cache_hash=True):
    """The settings of a game; they hold for both sides until it ends."""

    random_direction: Literal["small_arrow", "hit_stays"] = ruling(
        "A Hit face where only a direction is wanted", "SE-6", "its small arrow gives the direction", "nothing moves"
    )
    measuring: Literal["edges", "centres"] = ruling(
        "How distances between models are measured",
        "SE-10",
        "from the edge of one base to the edge of the other",
        "from the middle of one base to the middle of the other",
    )
    above_six: Literal["second_die", "never"] = ruling(
        "To Hit scores of 7, 8 and 9", "SE-15", "a 6, then 4+, 5+ or 6 on a second die", "such a shot cannot hit"
    )
    beyond_chart: Literal["as_ten", "by_difference"] = ruling(
        "Strength or Toughness above 10",
        "SE-21",
        "counts as 10, where the chart ends",
        "the chart goes on: only the difference counts",
    )
    save_order: Literal["after_wound", "before_wound"] = ruling(
        "When saves are rolled",
        "SE-23",
        "against hits that wound",
        "against every hit, before the wound roll; the odds are the same",
    )
    save_of_one: Literal["fails", "counts"] = ruling(
        "A natural 1 on a save with one die",
        "SE-31",
        "always fails",
        "is a roll like any other: a save of 1+ cannot fail",
    )
    stays_put: Literal["as_hit", "by_cover"] = ruling(
        "The target when a Hit and a number leave the marker in place",
        "SE-44",
        "it is hit, as by a shot that hit",
        "only what the marker covers counts",
    )
    ground_range: Literal["limited", "any"] = ruling(
        "Range to a spot on the ground",
        "SE-65",
        "beyond the weapon's range the shot has no effect",
        "is ignored, like To Hit modifiers",
    )
    shrunk_away: Literal["removed", "stays_small"] = ruling(
        'A marker of 1/2" that shrinks', "SE-72", "is removed at once", 'stays at 1/2"'
    )
    marker_harm: Literal["at_test", "and_on_entry"] = ruling(
        "When a marker that stays hurts",
        "SE-80",
        "after its test, once in each player's turn",
        "after its test, and also when a model moves under it",
    )
    template_tip: Literal["nearest", "anywhere"] = ruling(
        "Where the tip of a template touches the base of the model that fires",
        "SE-82",
        "at the point nearest to the target",
        "wherever on the rim the shooter likes",
    )
    burning_model: Literal["helpless", "acts"] = ruling(
        "A model that runs about in flames",
        "SE-89",
        "does nothing else in that turn",
        "may still shoot and fight in that turn",
    )
    beating_out: Literal["one_roll", "roll_each"] = ruling(
        "Several models beat out the flames",
        "SE-93",
        "one roll, +1 for each helper beyond the first",
        "each helper rolls, and a 6 puts the fire out",
    )
    ignored_flames: Literal["still_burn", "no_hits"] = ruling(
        "Models that ignore the flames",
        "SE-95",
        "act as they like, but still take the hits of the fire",
        "take no hits of the fire either",
    )
    second_fire: Literal["stronger", "first", "latest"] = ruling(
        "A burning model that is set on fire again",
        "SE-98",
        "burns by the stronger of the two weapons",
        "burns by the weapon that lit it first",
        "burns by the weapon that hit it last",
    )
    further_hits: Literal["by_need", "by_roll", "near"] = ruling(
        "Who may take the further hits of sustained fire",
        "SE-104",
        "models of the unit within 4 inches that are no harder to hit than the target",
        "models of the unit within 4 inches that the score rolled would have hit",
        "any model within 4 inches, as a shorter summary of the rule has it",
    )
    own_strength: Literal["higher", "added"] = ruling(
        "A force weapon with a Strength of its own",
        "SE-114",
        "the higher of that and the wielder's Strength with Mastery",
        "that Strength with the Mastery added",
    )
    turn_start: Literal["markers_first", "fires_first"] = ruling(
        "Order at the start of a turn",
        "SE-118",
        "markers are tested, then burning models",
        "burning models are tested, then markers",
    )


DEFAULT = Rulings()
PRESETS = {"page": {}, "summary": {"further_hits": "near"}}
