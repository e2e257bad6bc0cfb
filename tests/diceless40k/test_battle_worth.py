"""What actions are worth, beside the options of a battle: HP of troops, DMG on the sheets of vehicles."""

from __future__ import annotations

from battletape.battle import Battle
from battletape.views.option_odds import figures
from battletape.views.table_talk import table_talk
from tests.diceless40k.battles import end


def shown(battle: Battle) -> dict[str, str]:
    """The figure beside each option, by its unit and words."""
    choices = table_talk(battle).choices
    return {
        f"{choice.unit} {choice.words}": figure
        for choice, figure in zip(choices, figures(battle, choices), strict=True)
    }


def test_shots_at_vehicles_and_at_troops_have_figures_of_their_own_and_a_best_one():
    battle = Battle.new("diceless40k")
    end(battle)
    figure = shown(battle)
    assert figure["Tactical squad shoot Boyz"] == "45 HP taken off sheets"
    assert figure["Tactical squad shoot Zagnit"] == "80 HP taken off sheets  ← best"
    assert figure["Tactical squad shoot Trukk"] == "8 DMG recorded on vehicles  ← best"
    assert figure["Forge team shoot Dread"] == "5 DMG recorded on vehicles"
    lines = battle.state.vehicle("Trukk").damage.lines
    battle.push("shoot", unit="Tactical squad", target="Trukk")
    assert sum(battle.state.vehicle("Trukk").damage.lines) - sum(lines) == 8


def test_moves_that_hurt_nothing_have_no_figure():
    figure = shown(Battle.new("diceless40k"))
    moves = {words: told for words, told in figure.items() if " move " in words or " drive " in words}
    assert moves
    assert not any(moves.values())
