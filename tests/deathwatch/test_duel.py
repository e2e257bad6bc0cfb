"""The question duel: against a twin by recursion, against rolls, and with either side first."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import pytest

from battletape.answer import sample
from battletape.inputs import fields, value_of
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.questions.duel import roll_initiative, turn
from battletape.tape.script import Script
from tests.deathwatch.exactly import odds_of

F = Fraction
BARE = dict.fromkeys(("head", "arm", "body", "leg", "tb", "sb"), 0) | {"unnatural_toughness": 1, "minion": True}
SIMPLE = {**BARE, "damage": "1d5", "qualities": (), "pen": 0}


def both(a=None, b=None, **common):
    given = {f"a_{name}": value for name, value in {**SIMPLE, **(a or {})}.items()}
    return {**given, **{f"b_{name}": value for name, value in {**SIMPLE, **(b or {})}.items()}, **common}


@lru_cache(None)
def twin(a, b, skills, dodges, rounds, order):
    """Two minions with 1d5 blows and a dodge each, written down anew: (winner, round in which it ended)."""

    def go(health, left, at):
        if left == 0:
            return {("nobody", 0): F(1)}
        who = order[at]
        foe = "b" if who == "a" else "a"
        lands = F(skills[who == "b"], 100) * (1 - F(dodges[who == "a"], 100))
        found: dict[tuple[str, int], Fraction] = {}
        for hit, chance in [(0, 1 - lands), *((number, lands / 5) for number in range(1, 6))]:
            after = {**health, foe: health[foe] - hit}
            number = rounds - left + 1
            if after[foe] < 0:
                add(found, {(who, number): F(1)}, chance)
            else:
                add(found, go(after, left - at, 1 - at), chance)
        return found

    return go({"a": a, "b": b}, rounds, 0)


def add(found, odds, weight):
    for key, chance in odds.items():
        found[key] = found.get(key, 0) + weight * chance


@pytest.mark.clause("DW-PIPE-1", "DW-ECON-1")
@pytest.mark.parametrize("first", ["a", "b"])
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_a_small_duel_by_recursion(first, rounds):
    one = {"wounds": 3, "skill": 60, "dodge": 30, "reaction": "dodge"}
    two = {"wounds": 5, "skill": 45, "dodge": 20, "reaction": "dodge"}
    answer = RULESET.ask("duel", **both(one, two, rounds=rounds, first=first))
    order = ("a", "b") if first == "a" else ("b", "a")
    expected = twin(3, 5, (60, 45), (30, 20), rounds, order)
    got = answer.states.project(lambda state: (state.winner.lower(), state.ended_in)).fractions()
    assert got == {key: chance for key, chance in expected.items() if chance}
    assert answer.odds("a_dead").chance(1) == sum(chance for (who, _), chance in expected.items() if who == "b")


@pytest.mark.clause("DW-ECON-1")
@pytest.mark.parametrize("a, b", [(4, 4), (3, 5), (9, 0), (0, 12)])
def test_initiative_by_faces(a, b):
    start = RULESET.ask("duel", rounds=1, first="initiative", a_agility=10 * a, b_agility=10 * b).start
    firsts = 0
    for mine in range(1, 11):
        for yours in range(1, 11):
            firsts += (mine + a, a) > (yours + b, b) or (mine + a, a) == (yours + b, b)
    odds = odds_of(roll_initiative, start)
    assert odds.chance(lambda state: state.first == "a") == F(firsts, 100)


def test_initiative_is_not_rolled_where_it_is_said():
    start = RULESET.ask("duel", rounds=1, first="b").start
    assert roll_initiative(Script(), start) is start


@pytest.mark.clause("DW-JAM-2")
def test_a_jam_takes_a_turn_to_clear():
    guns = {"mode": "single", "skill": 50, "damage": "1d5"}
    start = RULESET.ask("duel", **both(guns, guns, rounds=1, first="a")).start
    jammed = turn(Script(97), start.a, None)
    assert jammed.gun.jammed
    assert jammed.victim == start.a.victim
    assert turn(Script(51), jammed, None) == jammed
    assert not turn(Script(50), jammed, None).gun.jammed


def test_shots_cannot_be_parried():
    guns = {"mode": "single", "skill": 50}
    parries = {"parry": 60, "reaction": "parry"}
    answer = RULESET.ask("duel", **both(guns, parries, rounds=1, first="a"))
    assert answer.start.a.spec.defender.reaction == "none"
    blows = RULESET.ask("duel", **both({}, parries, rounds=1, first="a"))
    assert blows.start.a.spec.defender.parry == 60


def test_nothing_is_rolled_that_cannot_matter():
    hopeless = {"skill": 10, "modifier": -20}
    start = RULESET.ask("duel", **both(hopeless, {}, rounds=1, first="a")).start
    assert turn(Script(), start.a, None) == start.a


def test_profiles_fill_both_sides():
    answer = RULESET.ask("duel", a_profile="Brother Teodor", b_profile="warlord gharn", rounds=2, b_reaction="parry")
    inputs = answer.inputs
    assert (inputs.a_weapon, inputs.a_skill, inputs.a_sb, inputs.a_fury) == ("Astartes Chainsword", 55, 8, "sure")
    assert (inputs.b_profile, inputs.b_parry, inputs.b_fury) == ("Warlord Gharn", 58, "confirm")
    assert answer.start.b.spec.power_field
    assert answer.start.a.spec.defender.parry == 48  # the axe is unbalanced
    shooting = RULESET.ask("duel", a_profile="Brother Cato", a_mode="full", b_profile="Raider", rounds=1)
    assert (shooting.inputs.a_weapon, shooting.inputs.a_full) == ("Astartes Bolter (Godwyn)", 4)
    named = RULESET.ask("duel", a_weapon="Autopistol", rounds=1)
    assert (named.inputs.a_mode, named.start.a.spec.max_hits) == ("full", 6)


def test_every_input_of_one_side_is_there_for_the_other():
    names = [given.name for given in fields(RULESET.question("duel").inputs)]
    assert [name[2:] for name in names if name[:2] == "a_"] == [name[2:] for name in names if name[:2] == "b_"]


@pytest.mark.parametrize(
    "given",
    [
        {"a_profile": "Brother Teodor", "b_profile": "Warlord Gharn", "a_reaction": "dodge", "b_reaction": "parry"},
        {"a_weapon": "Autogun", "a_skill": 60, "b_profile": "Raider", "b_reaction": "none", "a_fury": "confirm"},
    ],
)
def test_a_duel_agrees_with_rolls(given):
    given = {**given, "rounds": 3}
    exact = RULESET.ask("duel", **given)
    rolled = sample(RULESET, RULESET.question("duel"), given, 1200, seed=6)
    for measure in ("a_dead", "b_dead", "ended_in", "a_wounds", "b_wounds", "a_jammed"):
        apart = abs(float(rolled.odds(measure).mean - exact.odds(measure).mean))
        assert apart < 4 * max(rolled.odds(measure).error, 0.002)


def test_a_duel_in_words():
    answer = RULESET.ask("duel", **both({"wounds": 2}, {"wounds": 2}, rounds=2, first="a"))
    assert answer.headline.startswith("A wins ")
    assert any("other effects of critical rows" in warning for warning in answer.warnings)
    assert "left out of a duel" in answer.warnings[0]
    text = str(RULESET.roll("duel", **both({"wounds": 1}, {"wounds": 1}, rounds=2, first="a"), tape=Script(23, 5)))
    assert "B: dead" in text
    assert "A wins in round 1" in text
    assert answer.odds("b_wounds").values()[0] == -10


@pytest.mark.clause("DW-DMG-2", "DW-PIPE-1")
@pytest.mark.parametrize("track", ["overall", "by_location"])
def test_critical_damage_is_counted_as_the_ruling_has_it(track):
    target = {"head": 0, "arm": 0, "body": 0, "leg": 0, "tb": 3, "unnatural_toughness": 1, "wounds": 1}
    gun = {"weapon": "Autogun", "critical_track": track}
    shot = RULESET.ask("shoot", **gun, **target, bs=60, mode="semi", band="normal")
    theirs = {f"b_{name}": value for name, value in target.items()}
    mine = {"a_weapon": "Autogun", "a_mode": "semi", "a_skill": 60, "critical_track": track}
    fought = RULESET.ask("duel", **mine, **theirs, rounds=1, first="a", b_weapon="Improvised")
    dead = shot.odds("dead").chance(1)
    assert shot.odds("dead").unexplored == 0
    assert fought.odds("winner").chance("A") == dead
    gun["critical_track"] = "overall"
    overall = RULESET.ask("shoot", **gun, **target, bs=60, mode="semi", band="normal").odds("dead").chance(1)
    assert (dead == overall) == (track == "overall")


def test_a_duellist_uses_the_weapon_that_the_reason_names():
    """The profile stands first, then the weapon; without a gun for a mode the weapon in hand is refused."""
    names = [field.name for field in fields(RULESET.question("duel").inputs)]
    assert names.index("b_profile") < names.index("b_weapon") < names.index("b_mode")
    given = {"a_profile": "Brother Cato", "b_profile": "Warlord Gharn"}
    weapons = {
        mode: value_of(RULESET.split(RULESET.question("duel"), {**given, "b_mode": mode})[0], "b_weapon")
        for mode in ("melee", "semi", "full")
    }
    assert weapons == {"melee": "Astartes Power Axe", "semi": "Astartes Power Axe", "full": "Autopistol"}
