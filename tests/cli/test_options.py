"""Options that there are not, or that would be ignored beside or without others, are refused with a sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from battletape import registry
from battletape.errors import BadInput

ODDS = ("odds", "attack_dice", "attack")
SHOT = ("unit=Storm wardens", "weapon=Storm carbine", "target=Hill raiders", "distance=18")

IGNORED = {
    "a seed without samples": ((*ODDS, "--seed", "3"), "--seed needs --sampled N"),
    "sides without a goal": ((*ODDS, "--sides", "a=max"), "--sides needs --best MEASURE"),
    "two forms": ((*ODDS, "--json", "--csv"), "--json does not go with --csv: an answer is printed in one form"),
    "fractions in JSON": ((*ODDS, "--json", "--fractions"), "--json does not go with --fractions: it has"),
    "rulings in CSV": ((*ODDS, "--csv", "--rulings"), "--csv does not go with --rulings: it prints fractions"),
    "advice by samples": ((*ODDS, "--best", "hp_lost", "--sampled", "9"), "--sampled does not go with --best"),
    "advice in a time": ((*ODDS, "--best", "hp_lost", "--budget-seconds", "9"), "--budget-seconds does not go with"),
    "advice of a measure": ((*ODDS, "--best", "hp_lost", "--measure", "damage"), "--measure does not go with --best"),
    "advice as CSV": ((*ODDS, "--best", "hp_lost", "--csv"), "--csv does not go with --best"),
    "samples in floats": ((*ODDS, "--sampled", "9", "--floats"), "--floats does not go with --sampled"),
    "samples in a time": ((*ODDS, "--sampled", "9", "--budget-seconds", "1"), "does not go with --sampled"),
    "a threshold of yes or no": (
        ("compare", "attack_dice", "attack", "--vary", "power=4,5", "--measure", "wiped_out", "--at-least", "1"),
        "--at-least needs a measure in numbers; wiped_out is yes or no",
    ),
    "dice without an action": (("battle", "do", "--seed", "3"), "--seed needs an action"),
    "answers without an action": (("battle", "do", "--answers", "3"), "--answers needs an action"),
    "all of an action": (("battle", "do", "start", "--all"), "--all does not go with the action start"),
    "two exports": (("battle", "export", "--csv", "--json"), "--csv does not go with --json: an export has one form"),
    "force without a file": (("battle", "export", "--force"), "--force needs --output FILE"),
    "a name without mending": (("battle", "check", "-o", "x"), "--output needs --mend"),
    "odds of an action": (("battle", "odds", "attack", *SHOT, "--json", "--rulings"), "--json does not go with"),
}


@pytest.mark.parametrize("name", IGNORED)
def test_an_option_that_would_be_ignored_is_refused(bt, name):
    bt("battle", "new", "attack_dice")
    before = Path("battle.bt").read_text(encoding="utf-8")
    args, sentence = IGNORED[name]
    result = bt(*args, code=2)
    assert sentence in result.stderr
    assert result.stderr.endswith("out.\n") or name == "a threshold of yes or no"
    assert result.stdout == ""
    assert Path("battle.bt").read_text(encoding="utf-8") == before


HINTS = {
    "an option without its value": ((*ODDS, "--attacks"), "battletape odds attack_dice attack --help"),
    "a word too many": ((*ODDS, "12"), "(12). Try: battletape odds attack_dice attack --help"),
    "an option of a ruleset": (("odds", "attack_dice", "--zzz"), "Try: battletape odds attack_dice --help"),
    "an option of a comparison": (
        ("compare", "attack_dice", "attack", "--vary"),
        "Try: battletape compare attack_dice attack --help",
    ),
    "an option of a battle": (("battle", "do", "--seed"), "Try: battletape battle do --help"),
    "no ruleset": (("battle", "new"), "Try: battletape battle new --help"),
    "an option of the whole": (("--zzz",), "Try: battletape --help"),
}


@pytest.mark.parametrize("name", HINTS)
def test_the_hint_is_about_the_command_that_was_meant(bt, name):
    args, hint = HINTS[name]
    assert bt(*args, code=2).stderr.rstrip().endswith(hint)


def test_several_rules_by_their_ids(bt, bt_json):
    text = bt("rules", "attack_dice", "AD-75", "ad-76", "AD-75").stdout
    assert [line.split()[0] for line in text.splitlines() if line.startswith("AD-")] == ["AD-75", "AD-76"]
    assert [one["clause"]["id"] for one in bt_json("rules", "attack_dice", "AD-75", "AD-76")] == ["AD-75", "AD-76"]
    assert bt_json("rules", "attack_dice", "AD-75")["clause"]["id"] == "AD-75"
    assert "there is no clause 'AD-999'" in bt("rules", "attack_dice", "AD-75", "AD-999", code=2).stderr


def test_ids_among_words_are_words(bt):
    assert "1 of 93 rules mentions “AD-75 save”." in bt("rules", "attack_dice", "AD-75", "save").stdout
    said = bt("rules", "attack_dice", "AD-75", "quantum").stdout  # a word that no rule has is left out, and told
    assert said.startswith("1 rule of 93 for “AD-75 quantum”, taken as “ad 75”.")


def test_further_targets_are_explained_and_read_well(bt, bt_json):
    bt("battle", "new", "attack_dice")
    bt("battle", "do", "start")
    told = bt("battle", "do", "attack", code=2).stderr
    assert (
        "\n  also: Further targets of the same weapon: “target=NAME models=N” for each, with “;” between them" in told
    )
    assert "\n  models: Models that fire (0 = all that can)\n" in told
    also = "also=\"target='Bramble mammoth' models=2 distance=20\""
    done = bt(
        "battle", "do", "attack", *SHOT, "models=3", "also=target='Bramble mammoth' models=2 distance=20", "--seed", "7"
    ).stdout
    assert f"models=3\n   distance=18 {also}\n" in done
    assert also in bt("battle", "show").stdout
    assert f"models=3 distance=18 {also}\n" in bt("battle", "export").stdout
    made = bt_json("battle", "log")[-1]
    assert made["params"]["also"][0]["target"] == "Bramble mammoth"
    assert json.dumps(made["command"]).count("'\\\"'") == 0
    assert "target='Bramble mammoth' models=1" in bt("battle", "do", "--help").stdout


def test_a_command_that_is_shown_can_be_typed(bt, bt_json):
    import shlex

    bt("battle", "new", "attack_dice")
    bt("battle", "do", "start")
    bt("battle", "do", "attack", *SHOT, "models=3", "also=target='Bramble mammoth' models=2 distance=20", "--seed", "7")
    first = bt_json("battle", "log")[-1]
    bt("battle", "undo")
    bt("battle", "do", *shlex.split(first["command"]), "--seed", "7")
    again = bt_json("battle", "log")[-1]
    assert {**again, "number": 2} == {**first, "undone": False}


@pytest.mark.parametrize("answers", ["3", "7 2; 0 saves; 4 4"])
def test_typed_answers_left_over_are_told_and_nothing_is_recorded(bt, answers):
    bt("battle", "new", "attack_dice")
    action: tuple[str, ...] = ("start",)
    if ";" in answers:
        bt("battle", "do", "start")
        action = ("attack", *SHOT, "models=1")
    before = Path("battle.bt").read_text(encoding="utf-8")
    for typed in ((), ("--typed",)):
        told = bt("battle", "do", *action, "--answers", answers, *typed, code=2).stderr
        assert "all questions are answered, and 1 more came: " in told
        assert Path("battle.bt").read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("second_edition shoot --target x", "--target. Did you mean --unit (Unit profile of the target)?"),
        ("second_edition shoot --attacker x", "--attacker. Did you mean --shooter (Unit profile of the attacker)?"),
        ("vehicles5 shoot --target x", "--target. Did you mean --vehicle (Vehicle profile)?"),
        ("deathwatch fight --defender x", "--defender. Did you mean --target (Target's profile)?"),  # no stance
        ("deathwatch shoot --ballistic-skill 4", "--ballistic-skill. Did you mean --bs (Ballistic Skill)?"),
        ("diceless40k fight --enemy x", "--enemy. Did you mean --second (The second side)?"),
        ("attack_dice attack --targt x", "--targt. Did you mean --unit (Unit profile)?"),
        ("vehicles5 shoot --smok x", "--smok. Did you mean --smoke?"),
        ("deathwatch shoot --jsn", "--jsn. Did you mean --json?"),
        (
            "second_edition shoot --heading 3",
            "--heading. It takes 35, such as --shooter, --weapon, --unit, --distance. The question template has it. "
            "Try: battletape odds second_edition shoot --help",
        ),
        ("deathwatch shoot --zzzz 3", "--zzzz. It takes 71, such as --attacker, --weapon, --distance, --mode. Try: "),
    ],
)
def test_an_option_that_there_is_not_names_those_that_may_be_meant(bt, asked, told):
    said = bt("odds", *asked.split(), code=2).stderr
    command = " ".join(asked.split()[:2])
    assert said.startswith(f"battletape odds {command} has no option {told}")


def test_the_library_names_the_same_inputs():
    with pytest.raises(BadInput, match=r"^shoot has no input 'target'\. Did you mean unit \(Unit profile of "):
        registry.ruleset("second_edition").ask("shoot", target="Mud clan")
    with pytest.raises(
        BadInput, match=r"^shoot has no input 'heading'\. It takes 35, .*\. The question template has it\.$"
    ):
        registry.ruleset("second_edition").ask("shoot", heading=3)
