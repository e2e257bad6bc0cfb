"""Rulings: a named setting for each point that the page leaves open, with our reading as its default."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from battletape.inputs import Inputs


def _ruling(title: str, clause: str, **alternatives: str) -> Any:
    """What a ruling decides, its clause, and what each value means."""
    return Meta(title=title, extra={"group": "rulings", "clause": clause, "alternatives": alternatives})


class Rulings(Inputs, frozen=True, cache_hash=True):
    """The settings of a game; they hold for both sides until it ends."""

    random_direction: Annotated[
        Literal["small_arrow", "hit_stays"],
        _ruling(
            "A Hit face where only a direction is wanted",
            "SE-6",
            small_arrow="its small arrow gives the direction",
            hit_stays="nothing moves",
        ),
    ] = "small_arrow"
    measuring: Annotated[
        Literal["edges", "centres"],
        _ruling(
            "How distances between models are measured",
            "SE-10",
            edges="from the edge of one base to the edge of the other",
            centres="from the middle of one base to the middle of the other",
        ),
    ] = "edges"
    above_six: Annotated[
        Literal["second_die", "never"],
        _ruling(
            "To Hit scores of 7, 8 and 9",
            "SE-15",
            second_die="a 6, then 4+, 5+ or 6 on a second die",
            never="such a shot cannot hit",
        ),
    ] = "second_die"
    beyond_chart: Annotated[
        Literal["as_ten", "by_difference"],
        _ruling(
            "Strength or Toughness above 10",
            "SE-21",
            as_ten="counts as 10, where the chart ends",
            by_difference="the chart goes on: only the difference counts",
        ),
    ] = "as_ten"
    save_order: Annotated[
        Literal["after_wound", "before_wound"],
        _ruling(
            "When saves are rolled",
            "SE-23",
            after_wound="against hits that wound",
            before_wound="against every hit, before the wound roll; the odds are the same",
        ),
    ] = "after_wound"
    save_of_one: Annotated[
        Literal["fails", "counts"],
        _ruling(
            "A natural 1 on a save with one die",
            "SE-31",
            fails="always fails",
            counts="is a roll like any other: a save of 1+ cannot fail",
        ),
    ] = "fails"
    stays_put: Annotated[
        Literal["as_hit", "by_cover"],
        _ruling(
            "The target when a Hit and a number leave the marker in place",
            "SE-44",
            as_hit="it is hit, as by a shot that hit",
            by_cover="only what the marker covers counts",
        ),
    ] = "as_hit"
    ground_range: Annotated[
        Literal["limited", "any"],
        _ruling(
            "Range to a spot on the ground",
            "SE-65",
            limited="beyond the weapon's range the shot has no effect",
            any="is ignored, like To Hit modifiers",
        ),
    ] = "limited"
    shrunk_away: Annotated[
        Literal["removed", "stays_small"],
        _ruling(
            'A marker of 1/2" that shrinks',
            "SE-72",
            removed="is removed at once",
            stays_small='stays at 1/2"',
        ),
    ] = "removed"
    marker_harm: Annotated[
        Literal["at_test", "and_on_entry"],
        _ruling(
            "When a marker that stays hurts",
            "SE-80",
            at_test="after its test, once in each player's turn",
            and_on_entry="after its test, and also when a model moves under it",
        ),
    ] = "at_test"
    template_tip: Annotated[
        Literal["nearest", "anywhere"],
        _ruling(
            "Where the tip of a template touches the base of the model that fires",
            "SE-82",
            nearest="at the point nearest to the target",
            anywhere="wherever on the rim the shooter likes",
        ),
    ] = "nearest"
    burning_model: Annotated[
        Literal["helpless", "acts"],
        _ruling(
            "A model that runs about in flames",
            "SE-89",
            helpless="does nothing else in that turn",
            acts="may still shoot and fight in that turn",
        ),
    ] = "helpless"
    beating_out: Annotated[
        Literal["one_roll", "roll_each"],
        _ruling(
            "Several models beat out the flames",
            "SE-93",
            one_roll="one roll, +1 for each helper beyond the first",
            roll_each="each helper rolls, and a 6 puts the fire out",
        ),
    ] = "one_roll"
    ignored_flames: Annotated[
        Literal["still_burn", "no_hits"],
        _ruling(
            "Models that ignore the flames",
            "SE-95",
            still_burn="act as they like, but still take the hits of the fire",
            no_hits="take no hits of the fire either",
        ),
    ] = "still_burn"
    second_fire: Annotated[
        Literal["stronger", "first", "latest"],
        _ruling(
            "A burning model that is set on fire again",
            "SE-98",
            stronger="burns by the stronger of the two weapons",
            first="burns by the weapon that lit it first",
            latest="burns by the weapon that hit it last",
        ),
    ] = "stronger"
    further_hits: Annotated[
        Literal["by_need", "by_roll", "near"],
        _ruling(
            "Who may take the further hits of sustained fire",
            "SE-104",
            by_need="models of the unit within 4 inches that are no harder to hit than the target",
            by_roll="models of the unit within 4 inches that the score rolled would have hit",
            near="any model within 4 inches, as a shorter summary of the rule has it",
        ),
    ] = "by_need"
    own_strength: Annotated[
        Literal["higher", "added"],
        _ruling(
            "A force weapon with a Strength of its own",
            "SE-114",
            higher="the higher of that and the wielder's Strength with Mastery",
            added="that Strength with the Mastery added",
        ),
    ] = "higher"
    turn_start: Annotated[
        Literal["markers_first", "fires_first"],
        _ruling(
            "Order at the start of a turn",
            "SE-118",
            markers_first="markers are tested, then burning models",
            fires_first="burning models are tested, then markers",
        ),
    ] = "markers_first"


DEFAULT = Rulings()
PRESETS = {"page": {}, "summary": {"further_hits": "near"}}
