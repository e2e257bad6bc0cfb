"""The question shoot: the reference bursts, what is refused, and fire over several turns."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import pytest

from battletape import Battle
from battletape.answer import sample
from battletape.errors import BadInput, UnknownName
from battletape.inputs import fields
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.questions._inputs import FightInputs, RangedInputs, target_of
from battletape.rulesets.deathwatch.questions.shoot import spec_of
from battletape.rulesets.deathwatch.rules.attack.fighters import cover_of
from battletape.rulesets.deathwatch.rules.damage import parse_damage
from battletape.rulesets.deathwatch.rules.traits import DEAD, SPOTS
from battletape.rulesets.deathwatch.rules.wounds import MAX_COUNTED_DAMAGE, damage_done
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.rulesets.deathwatch.tables.criticals import LAST_ROW
from battletape.tape.script import Script
from battletape.tape.typed import Typed

OURS = ("shoot", "fight", "fire_mode", "duel")
F = Fraction


def ask(**given):
    return RULESET.ask("shoot", **given)


def at_least(answer, *numbers):
    return [answer.odds("damage").at_least(number) for number in numbers]


@pytest.mark.parametrize("name", OURS)
def test_no_input_has_the_name_of_a_ruling(name):
    rulings = {given.name for given in fields(RULESET.rulings)}
    assert not rulings & {given.name for given in fields(RULESET.question(name).inputs)}


@pytest.mark.parametrize("name", OURS)
def test_every_input_names_a_clause_that_there_is(name):
    for given in fields(RULESET.question(name).inputs):
        assert not given.clause or RULESET.clauses[given.clause].id == given.clause
        assert given.group in ("attacker", "weapon", "target", "circumstances"), given.name


@pytest.mark.parametrize("name", OURS)
def test_every_example_can_be_asked(name):
    question = RULESET.question(name)
    answer = RULESET.ask(name, **question.example)
    assert sum(answer.states.fractions().values()) == 1 if name != "duel" else answer.states.total
    assert answer.headline.endswith(".")
    assert RULESET.roll(name, seed=1, **question.example).log


# --- one attack -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-PIPE-1", "DW-AUTO-2")
def test_the_reference_burst_is_the_default():
    answer = ask()
    assert answer.odds("hits").fractions() == {0: F(1, 5), 1: F(1, 10), 2: F(1, 10), 3: F(1, 10), 4: F(1, 2)}
    assert (answer.odds("hits").mean, answer.odds("jammed").chance(1)) == (F(13, 5), F(7, 100))
    assert answer.odds("rounds").fractions() == {4: 1}
    assert at_least(answer, 1, 10, 20) == [
        F(495405895863, 625000000000),
        F(55547897357, 80000000000),
        F(4987952091023, 10000000000000),
    ]
    assert ask(wounds=30).odds("damage").at_least(30) == F(2032260612487, 10000000000000)
    assert answer.odds("damage").at_least(22) == F(4449410267601, 10000000000000)
    assert answer.odds("hurt").chance(1) == answer.odds("damage").at_least(1)
    assert answer.headline == "2.6 hits and 17.0 damage on average; dead 27 %, jams 7.0 %."


@pytest.mark.clause("DW-PIPE-1", "DW-ACT-STANDARD-ATTACK")
def test_a_single_shot():
    answer = ask(mode="single")  # 50 and short range
    assert at_least(answer, 1, 10, 20) == [F(6993, 12500), F(3837, 25000), 0]


@pytest.mark.clause("DW-PIPE-1", "DW-EVA-2")
def test_the_burst_against_a_dodge():
    answer = ask(dodge=40, reaction="dodge", wounds=30)
    landed = {0: F(17, 50), 1: F(13, 100), 2: F(3, 25), 3: F(11, 100), 4: F(3, 10)}
    assert answer.odds("landed").fractions() == landed
    assert answer.odds("hits").mean == F(13, 5)
    assert at_least(answer, 1, 10, 20, 30) == [
        F(2032844130139, 3125000000000),
        F(1056241369359, 2000000000000),
        F(16739447382169, 50000000000000),
        F(6259379700761, 50000000000000),
    ]


@pytest.mark.clause("DW-PIPE-1", "DW-RF-1")
def test_the_burst_with_righteous_fury():
    answer = ask(fury="confirm", wounds=30)
    assert at_least(answer, 1, 10, 20, 30) == [
        F(495405895863, 625000000000),
        F(4401453172171477, 6250000000000000),
        F(426314256361911861, 781250000000000000),
        F(78791208632901301, 244140625000000000),
    ]


@pytest.mark.clause("DW-ACT-AIM", "DW-QUAL-ACCURATE")
def test_an_aimed_shot_of_the_stalker():
    given = {"weapon": "Astartes Boltgun (Stalker)", "mode": "single", "aim": "full", "band": "normal"}
    answer = ask(**given, body=8, tb=8, unnatural_toughness=1, wounds=40)
    assert answer.start.spec.target == 80
    assert at_least(answer, 1, 10, 20) == [F(197699, 250000), F(75621, 125000), F(55069, 250000)]
    assert ask(**{**given, "aim": "half"}).start.spec.target == 70


@pytest.mark.clause("DW-ACT-CALLED-SHOT")
def test_a_called_shot_to_the_head_of_a_scout():
    answer = ask(mode="single", called="head", armour="Astartes Scout Armour")
    assert answer.start.spec.target == 40
    assert answer.odds("hurt").chance(1) == F(249, 625)
    assert answer.odds("hits").chance(1) == F(2, 5)


@pytest.mark.clause("DW-ACT-BRACE-HEAVY-WEAPON", "DW-UNTR-1")
@pytest.mark.parametrize("braced, trained, aim", [(True, True, 75), (False, True, 45), (False, False, 25)])
def test_a_heavy_bolter_needs_bracing_and_training(braced, trained, aim):
    answer = ask(weapon="Astartes Heavy Bolter", bs=55, band="normal", braced=braced, trained=trained)
    assert answer.start.spec.target == aim
    assert answer.odds("jammed").chance(1) == F(7, 100)


@pytest.mark.clause("DW-QUAL-FLAME", "DW-UNTR-2")
def test_a_flamer_strikes_burns_and_does_not_jam():
    given = {"weapon": "Astartes Flamer", "mode": "single", "distance": 10, "agility": 40}
    answer = ask(**given)
    assert answer.odds("hits").chance(1) == F(3, 5)
    assert answer.odds("hurt").chance(1) == F(573, 2500)
    assert answer.odds("on_fire").chance(1) == F(1719, 12500)
    assert answer.odds("jammed").chance(1) == 0
    assert ask(**given, trained=False).odds("hits").chance(1) == F(3, 10)
    assert ask(**given, trained=False, untrained_flame="core").odds("hits").chance(1) == F(2, 5)


@pytest.mark.clause("DW-OVER-2")
def test_bursts_from_overwatch():
    answer = ask(on_overwatch=True, band="normal")
    assert answer.start.spec.target == 50
    fifth = {0: F(1, 2), 1: F(1, 10), 2: F(1, 10), 3: F(1, 10), 4: F(1, 5)}
    assert answer.odds("hits").fractions() == fifth


@pytest.mark.clause("DW-QUAL-STORM", "DW-RWEP-06")
def test_a_storm_bolter_doubles_hits_and_rounds():
    answer = ask(weapon="Astartes Storm Bolter")
    assert (answer.odds("hits").mean, answer.odds("rounds").fractions()) == (F(26, 5), {8: 1})


@pytest.mark.clause("DW-COVER-1", "DW-COVER-2")
def test_cover_counts_where_it_hides():
    inputs = RangedInputs(cover="Sandbags", hidden=("legs", "body"))
    assert cover_of(target_of(inputs)) == (0, 0, 0, 8, 8, 8)
    assert cover_of(target_of(RangedInputs(cover="5", hidden=("Left arm",)))) == (0, 0, 5, 0, 0, 0)
    concealed = RangedInputs(cover="16", hidden=("legs",), situations=("shoot_completely_concealed",))
    assert spec_of(concealed, "full").defender.cover == (16,) * 6
    assert [hit.reduction for hit in spec_of(inputs, "full").hits] == [11, 11, 21, 19]
    with pytest.raises(UnknownName, match="Did you mean 'body'"):
        target_of(RangedInputs(cover="8", hidden=("bdy",)))
    assert cover_of(target_of(RangedInputs(cover="8"))) == (8,) * 6


@pytest.mark.clause("DW-COVER-1")
@pytest.mark.parametrize(
    "hidden, behind",
    [
        (("arm",), (0, 8, 8, 0, 0, 0)),
        (("arms", "Left leg"), (0, 8, 8, 0, 0, 8)),
        (("leg",), (0, 0, 0, 0, 8, 8)),
        (("all",), (8,) * 6),
        ((), (8,) * 6),
    ],
)
def test_a_question_and_a_battle_read_the_same_words_for_cover(hidden, behind):
    asked = RULESET.ask("shoot", cover="8", hidden=hidden).start.spec.defender.cover
    raider = {"profile": "Raider", "cover": "8", "hidden": list(hidden), "y": 20}
    sides = [{"name": "A", "fighters": [{"profile": "Brother Cato"}]}, {"name": "B", "fighters": [raider]}]
    who = Battle.new("deathwatch", {"sides": sides}).state.fighters[1]
    assert asked == behind
    assert tuple(who.cover_ap if spot in who.hidden else 0 for spot in SPOTS) == behind


@pytest.mark.clause("DW-RANGE-2")
@pytest.mark.parametrize("size, adds", [("Hulking", 0), ("Titanic", 0), ("Scrawny", -10), ("Puny", -20)])
def test_a_hidden_size_gives_no_bonus_and_keeps_its_penalty(size, adds):
    given = {"size": size, "size_hidden": True, "mode": "single", "band": "normal"}
    assert RULESET.ask("shoot", **given).start.spec.total == adds


@pytest.mark.clause("DW-COND-PRONE", "DW-STUN-1", "DW-COND-SURPRISED", "DW-ACT-RUN")
@pytest.mark.parametrize(
    "state, aim", [({"prone": True}, 40), ({"stunned": True}, 70), ({"surprised": True}, 80), ({"running": True}, 30)]
)
def test_the_state_of_the_target(state, aim):
    assert ask(mode="single", band="normal", **state).start.spec.target == aim


def test_a_victim_that_is_hurt_already():
    answer = ask(health=-3, mode="single")
    assert answer.odds("wounds").fractions() == {0: 1}
    assert answer.odds("damage").at_least(1) == F(6993, 12500)
    assert (damage_done(5, 2), damage_done(5, -2), damage_done(5, DEAD - 7)) == (3, 7, 12)


@pytest.mark.clause("DW-DMG-2")
def test_critical_rows_are_named_by_type_and_place():
    rows = ask(health=1, mode="single").odds("critical").fractions()
    assert "none" in rows
    assert {row.split()[0] for row in rows} == {"none", "X"}
    assert {row.split()[1] for row in rows if row != "none"} == {"head", "arm", "body", "leg"}


def test_conditions_are_followed_where_they_are_asked_for():
    answer = ask(health=1, mode="single", measures=["stunned"])
    assert answer.odds("stunned").at_least(1) > 0
    assert answer.odds("dead").chance(1) == ask(health=1, mode="single").odds("dead").chance(1)
    with pytest.raises(BadInput, match=r"was not asked about stunned; ask with measures=\['stunned'\]"):
        ask(mode="single", health=1).odds("stunned")
    assert "stunned" in {measure.name for measure in ask(mode="single", qualities="Shocking").measures}


# --- refusals and warnings --------------------------------------------------------------------------------------------


def test_a_d100_is_typed_as_people_write_it():
    assert RULESET.roll("shoot", tape=Typed(["00"]), bs=20).results["jammed"] == 1
    assert RULESET.roll("shoot", tape=Typed(["07", "1 1 1"]), mode="single", bs=20).results["hits"] == 1
    for face in ("0", "101"):
        with pytest.raises(BadInput, match=f"to hit must be 1-100.*got {face}"):
            RULESET.roll("shoot", tape=Typed([face]))


def test_warnings_of_what_was_overlooked():
    assert ask(bs=5, band="extreme", mode="single").warnings == ("This attack cannot hit: its target is -25.",)
    assert ask(weapon="Lasgun", mode="single").warnings == ("This weapon cannot hurt this target.",)
    furious = ask(weapon="Lasgun", mode="single", fury="confirm")
    assert furious.warnings == ("This weapon cannot hurt this target except by righteous fury.",)
    assert furious.odds("hurt").chance(1) > 0
    assert ask().warnings == ()


def test_the_steps_name_every_modifier():
    titles = [step.title for step in ask(aim="half", modifier=-5).steps]
    assert titles[:5] == [
        "Full auto burst +20",
        "Half aim +10",
        "Short range +10",
        "Other modifiers -5",
        "Modifiers +35: 50 becomes 85",
    ]


@pytest.mark.parametrize("text, parts", [("2d10+5", (2, 10, 5)), ("d10", (1, 10, 0)), ("1D5 - 3", (1, 5, -3))])
def test_damage_is_read_as_written(text, parts):
    assert parse_damage(text) == parts


# --- turn after turn --------------------------------------------------------------------------------------------------


@lru_cache(None)
def turns(left, clip, jammed, reloading, aimed, rules):
    """Return the rounds spent by a gun with shots that do nothing, worked out anew."""
    size, spent, jam, cleared, actions, aims, empties = rules
    if not left:
        return {0: F(1)}
    go = lambda *state: turns(left - 1, *state, rules)  # noqa: E731
    if jammed:
        return mixed((cleared, go(0 if empties else clip, False, 0, aimed)), (1 - cleared, go(clip, True, 0, aimed)))
    if clip < spent:
        wanted = (reloading or actions) - 1
        return go(size if not wanted else clip, False, wanted, not aims)
    if not aimed:
        return go(clip, False, 0, True)
    after = (clip - spent, True, 0, not aims), (clip - spent, False, 0, not aims)
    shot = mixed((jam, go(*after[0])), (1 - jam, go(*after[1])))
    return {rounds + spent: chance for rounds, chance in shot.items()}


def mixed(*parts):
    found: dict[int, Fraction] = {}
    for weight, odds in parts:
        for value, chance in odds.items():
            found[value] = found.get(value, F(0)) + weight * chance
    return {value: chance for value, chance in found.items() if chance}


@pytest.mark.clause("DW-JAM-2", "DW-ACT-RELOAD", "DW-RWEP-00")
@pytest.mark.parametrize("clip", [4, 9, 28])
@pytest.mark.parametrize("reload", [1, 2])
@pytest.mark.parametrize("empties", [True, False])
@pytest.mark.parametrize("aim", ["none", "full"])
def test_rounds_jams_and_reloads_over_turns(clip, reload, empties, aim):
    given = {"clip": clip, "reload": reload, "jam_clear_empties_clip": empties, "aim": aim, "damage": "1d5", "shots": 5}
    answer = ask(**given)
    rules = (clip, 4, F(7, 100), F(1, 2), reload, aim == "full", empties)
    assert answer.odds("rounds").fractions() == turns(5, clip, False, 0, True, rules)


@pytest.mark.clause("DW-JAM-1")
def test_no_jam_in_some_bursts():
    answer = ask(damage="1d5", clip=500, shots=1)
    assert answer.odds("jammed").chance(0) == F(93, 100)
    assert ask(damage="1d5", clip=500, shots=7).odds("jammed").chance(0) == F(93, 100) ** 7


def test_one_turn_of_fire_is_one_attack():
    one, two = ask(wounds=60), ask(wounds=60, shots=2)
    hurt_twice = one.odds("hurt").chance(1) * one.odds("jammed").chance(0)
    assert two.odds("hurt").chance(0) >= (1 - hurt_twice) ** 3
    assert two.odds("damage").mean > one.odds("damage").mean
    dodged = ask(wounds=500, shots=2, dodge=30, reaction="dodge", measures=["hits"])
    assert dodged.odds("hits").mean == ask(wounds=500, shots=2).odds("hits").mean > dodged.odds("landed").mean


def test_turns_of_fire_agree_with_rolls():
    given = {"shots": 3, "dodge": 40, "reaction": "dodge", "clip": 8}
    exact = ask(**given)
    rolled = sample(RULESET, RULESET.question("shoot"), given, 1500, seed=4)
    for measure in ("damage", "dead", "jammed", "rounds", "landed"):
        error = rolled.odds(measure).error
        assert abs(float(rolled.odds(measure).mean - exact.odds(measure).mean)) < 4 * error + 1e-9


def test_the_log_tells_of_each_turn():
    text = str(RULESET.roll("shoot", shots=4, clip=4, damage="1d5", tape=Script(99, 60, 40, 80, 1, 2, 3, 4)))
    assert "The weapon jams" in text
    assert "Still jammed" in text
    assert "The jam is cleared, the clip is lost" in text
    assert "Reloaded" in text


def test_a_ruling_changes_the_question():
    may_hit = ask(bs=90, jam_roll="may_hit", mode="single")
    assert may_hit.odds("hits").chance(1) == 1
    assert ask(bs=90, mode="single").odds("hits").chance(1) == F(95, 100)
    assert Rulings(jam_roll="may_hit") == may_hit.rulings


def test_fight_and_shoot_share_their_target():
    shared = set(RangedInputs.__struct_fields__) & set(FightInputs.__struct_fields__)
    assert {"head", "tb", "wounds", "reaction", "cover"} <= shared


@pytest.mark.clause("DW-DMG-4", "DW-RF-1")
@pytest.mark.parametrize("more", [{}, {"fury": "confirm"}, {"qualities": ("Tearing",)}, {"cover": "Sandbags"}])
def test_damage_dealt_counts_beyond_death(more):
    """A single hit deals all that gets through: as much as a target suffers that cannot die of it."""
    shot = {"mode": "single", "damage": "3d10+8", "wounds": 12, "tb": 2, **more}
    mortal = RULESET.ask("shoot", measures=["dealt"], **shot)
    hardy = RULESET.ask("shoot", **{**shot, "wounds": MAX_COUNTED_DAMAGE - LAST_ROW})
    assert mortal.odds("dealt") == hardy.odds("damage")
    assert mortal.odds("dealt").mean > mortal.odds("damage").mean
    rolled = [RULESET.roll("shoot", seed=seed, **shot).results for seed in range(20)]
    assert all(one["dealt"] >= one["damage"] for one in rolled)


BURST = {"weapon": "Astartes Bolter (Godwyn)", "mode": "full", "wounds": 5, "head": 0, "body": 0, "arm": 0, "leg": 0}


@pytest.mark.clause("DW-DMG-4", "DW-MULTI-1", "DW-COVER-1")
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"mode": "semi", "fury": "confirm"},
        {"cover": "Sandbags"},
        {"critical_track": "by_location"},
        {"dodge": 40, "reaction": "dodge"},
    ],
    ids=["full", "fury", "cover", "places", "dodge"],
)
def test_all_hits_of_a_burst_are_dealt(more):
    """A burst deals as much as a target without armour suffers that cannot die of it."""
    mortal = RULESET.ask("shoot", measures=["dealt"], **{**BURST, **more})
    hardy = RULESET.ask("shoot", **{**BURST, **more, "wounds": MAX_COUNTED_DAMAGE - LAST_ROW})
    felt = range(MAX_COUNTED_DAMAGE - LAST_ROW)  # past these he dies too
    assert [mortal.odds("dealt").chance(points) for points in felt] == [
        hardy.odds("damage").chance(points) for points in felt
    ]
    assert mortal.odds("dealt").is_exact
    assert mortal.odds("dealt").mean > mortal.odds("damage").mean
    assert not RULESET.ask("shoot", **{**BURST, **more}).includes("dealt")


@pytest.mark.clause("DW-DMG-4", "DW-CRIT-2")
@pytest.mark.parametrize("shots", [1, 3])
def test_what_is_dealt_is_what_the_log_counts(shots):
    """Every hit that landed is rolled and told, also after death, with the armour that is left by then."""
    past = 0
    for seed in range(60):
        rolled = RULESET.roll("shoot", seed=seed, shots=shots, **{**BURST, "body": 8})
        hits = [line for line in rolled.log if line.text.endswith(" through")]
        assert len(hits) == rolled.results["landed"]
        assert sum(int(line.result) for line in hits) == rolled.results["dealt"] >= rolled.results["damage"]
        past += sum(line.text.startswith("A hit after death") for line in rolled.log)
    assert past
