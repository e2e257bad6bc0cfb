"""Bad input: exit code 2, and a sentence that says what was asked, what came and what would do."""

from __future__ import annotations

from pathlib import Path

import pytest

ODDS = ("odds", "attack_dice", "attack")

CASES = {
    "a ruleset like one": (("odds", "attack_dise", "attack"), "no ruleset 'attack_dise'. Did you mean 'attack_dice'?"),
    "a ruleset like none": (("rules", "zzzz"), "there is no ruleset 'zzzz'. Known: attack_dice"),
    "a question": (("odds", "attack_dice", "atack"), "no question 'atack'. Did you mean 'attack'?"),
    "a command": (("ods",), "battletape has no command 'ods'. Did you mean 'odds'?"),
    "a battle command": (("battle", "shw"), "battletape battle has no command 'shw'. Did you mean 'show'?"),
    "an option": ((*ODDS, "--atacks", "3"), "attack has no option --atacks. Did you mean --attacks?"),
    "a save of 9+": ((*ODDS, "--armour", "9+"), "armour must be a save from 2+ to 6+, or none; got '9+'."),
    "no plain number": (
        ("compare", "attack_dice", "attack", "--vary", "power=4,5", "--at-least", "²"),
        "--at-least must be up to six whole numbers such as 1,3,5; got '²'.",
    ),
    "0 attacks": ((*ODDS, "--attacks", "0"), "attacks must be a whole number from 1 to 1,000; got '0'."),
    "a million attacks": (
        (*ODDS, "--attacks", "1000000"),
        "attacks must be a whole number from 1 to 1,000; got '1000000'.",
    ),
    "a negative number": ((*ODDS, "--models", "-3"), "models must be a whole number from 1 to 1,000; got '-3'."),
    "text for a number": ((*ODDS, "--power", "strong"), "power must be a whole number from 0 to 100; got 'strong'."),
    "a choice": ((*ODDS, "--dice", "d7"), "dice must be one of d10, dual, d6; got 'd7' (AD-3)."),
    "a measure": ((*ODDS, "--measure", "casualtys"), "no measure 'casualtys'. Did you mean 'casualties'?"),
    "a preset": ((*ODDS, "--preset", "sheets"), "there is no preset 'sheets'. Did you mean 'sheet'?"),
    "a unit": ((*ODDS, "--unit", "Hilraidxrs"), "there is no unit 'Hilraidxrs'. Did you mean 'Hill raiders'?"),
    "a profile in a volley": (
        ("odds", "attack_dice", "volley", "--weapons", "powr=4"),
        "there is no input 'powr' here. Did you mean power?",
    ),
    "an option without its value": ((*ODDS, "--attacks"), "Option '--attacks' requires an argument."),
    "a word too many": ((*ODDS, "12"), "unexpected extra argument"),
    "seconds": (
        (*ODDS, "--budget-seconds", "soon"),
        "--budget-seconds must be more than 0 seconds and at most a day; got 'soon'.",
    ),
    "samples": ((*ODDS, "--sampled", "0"), "--sampled must be a whole number from 1 to 1,000,000; got '0'."),
    "a way to play": (
        ("odds", "toy", "shoot", "--best", "lost", "--sides", "attacker=mx"),
        "there is no way to play for attacker 'mx'. Did you mean 'max'?",
    ),
    "a measure to play for": (("odds", "toy", "shoot", "--best", "glory"), "there is no measure 'glory'."),
    "times": (
        ("roll", "attack_dice", "attack", "--times", "many"),
        "--times must be a whole number from 1 to 1,000,000",
    ),
    "a typed die of 11": (
        ("roll", "attack_dice", "attack", "--attacks", "3", "--power", "6", "--answers", "7 11 3"),
        "attack dice 2/3 must be 0-9, got 11",
    ),
    "too few typed dice": (
        ("roll", "attack_dice", "attack", "--attacks", "3", "--answers", "7 3"),
        "attack dice needs 3 dice (0-9), or a count such as “3 pass”; got 2: '7 3'",
    ),
    "too many answers": (
        ("roll", "attack_dice", "attack", "--attacks", "3", "--answers", "0 hits; 4; 5"),
        "all questions are answered, and 2 more came: 4; 5",
    ),
    "too few answers": (
        ("roll", "attack_dice", "attack", "--attacks", "3", "--armour", "5", "--answers", "3 hits"),
        'The dice stop at “armour saves” [3 x 0-9]. So far: --answers "3 hits"',
    ),
    "nothing to compare": (
        ("compare", "attack_dice", "attack"),
        "compare needs variants: --vary power=4,5,6, --vary power=3..8 or",
    ),
    "a bad axis": (("compare", "attack_dice", "attack", "--vary", "power"), "--vary needs a name and its values"),
    "an unknown axis": (
        ("compare", "attack_dice", "attack", "--vary", "pwer=1,2"),
        "attack has no input 'pwer'. Did you mean power?",
    ),
    "a bad variant": (
        ("compare", "attack_dice", "attack", "--variant", "strong"),
        "--variant must have a form such as",
    ),
    "a variant twice": (("compare", "attack_dice", "attack", "--vary", "power=4,4"), "'power 4' came twice"),
    "too many variants": (
        ("compare", "attack_dice", "attack", "--vary", f"attacks={','.join(map(str, range(1, 52)))}"),
        "compare takes at most 50 variants at once; got 51.",
    ),
    "thresholds": (
        ("compare", "attack_dice", "attack", "--vary", "power=4,5", "--at-least", "few"),
        "--at-least must be up to six whole numbers such as 1,3,5; got 'few'.",
    ),
    "a clause": (("rules", "attack_dice", "AD-999"), "there is no clause 'AD-999'."),
    "words in no rule": (("rules", "attack_dice", "quantum"), "no rule of attack_dice mentions 'quantum'"),
    "a table": (
        ("rules", "attack_dice", "--tables", "quantum"),
        "attack_dice has no table with 'quantum' in its title",
    ),
    "a profile": (("profiles", "attack_dice", "hilraidxr"), "no profile 'hilraidxr'. Did you mean 'Hill raiders'?"),
    "profiles where there are none": (("profiles", "toy"), "toy has no profiles; give its questions numbers instead."),
    "a shell": (("completion", "bsh"), "there is no shell for completion 'bsh'. Did you mean 'bash'?"),
    "no ruleset": (("rules",), "battletape rules needs RULESET."),
    "a battle that is not there": (
        ("battle", "show"),
        "there is no battle in 'battle.bt'; begin one with: battletape battle new",
    ),
    "a battle of a ruleset like one": (("battle", "new", "attackdice"), "Did you mean 'attack_dice'?"),
    "a ruling": (("battle", "new", "attack_dice", "--ruling", "spill"), "--ruling needs name=value; got 'spill'."),
    "a value of a ruling": (
        ("battle", "new", "attack_dice", "--ruling", "spill=no"),
        "spill must be one of spills, lost; got 'no' (AD-81).",
    ),
    "a file of inputs": ((*ODDS, "--input", "none.toml"), "none.toml: it cannot be read: there is no such file"),
    "a file of profiles": ((*ODDS, "--profiles", "none.toml"), "none.toml: it cannot be read: there is no such file"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_sentence_and_exit_code_2(bt, name):
    args, sentence = CASES[name]
    result = bt(*args, code=2)
    assert sentence in result.stderr
    assert result.stdout == ""
    assert "Traceback" not in result.output
    assert not Path("battle.bt").exists()


FILES = {
    "an unknown key": ("attacks = 3\npowr = 4\n", "in.toml, line 2: attack has no input 'powr'. Did you mean power?"),
    "a wrong type": (
        'attacks = 3\n\npower = "much"\n',
        "in.toml, line 3: power must be a whole number from 0 to 100; got 'much'.",
    ),
    "a wrong list": ("attacks = [3]\n", "in.toml, line 1: attacks must be a whole number from 1 to 1,000; got [3]."),
    "no TOML": ("attacks: 3\n", "in.toml: it must be TOML such as “attacks = 12”: "),
    "a ruling of its own": (
        '[rulings]\nspill = "all"\n',
        "in.toml, line 2: spill must be one of spills, lost; got 'all' (AD-81).",
    ),
    "an unknown ruling": (
        '[rulings]\nspil = "lost"\n',
        "in.toml, line 2: attack has no input 'spil'. Did you mean spill?",
    ),
    "rulings that are none": ("rulings = 3\n", "in.toml, line 1: rulings must be a table: [rulings]"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_bad_file_names_its_line(bt, name):
    text, sentence = FILES[name]
    Path("in.toml").write_text(text, encoding="utf-8")
    assert sentence in bt(*ODDS, "--input", "in.toml", code=2).stderr


def test_an_entry_of_a_list_names_its_line(bt):
    text = "defence = 4\n\n[[weapons]]\npower = 4\n\n[[weapons]]\nattacks = 2\npower = 400\n"
    Path("in.toml").write_text(text, encoding="utf-8")
    told = bt("odds", "attack_dice", "volley", "--input", "in.toml", code=2).stderr
    assert "in.toml, line 8: weapons 2: power must be a whole number from 0 to 100; got 400." in told


def test_a_file_that_is_no_text(bt):
    Path("in.toml").write_bytes(b"\xff\xfe\x00")
    assert (
        "in.toml: it cannot be read: line 1 is not UTF-8 text; save the file as UTF-8"
        in bt(*ODDS, "--input", "in.toml", code=2).stderr
    )


def test_every_bad_profile_is_told(bt):
    bad = '[[weapon]]\nname = "A"\npowr = 3\n\n[[weapon]]\nname = "B"\npower = -1\n\n[[wepon]]\nname = "C"\n'
    Path("own.toml").write_text(bad, encoding="utf-8")
    told = bt("profiles", "attack_dice", "--file", "own.toml", code=2).stderr
    assert "own.toml line 3, weapon 1 ('A'): there is no key 'powr'. Did you mean power?" in told
    assert "own.toml line 7, weapon 2 ('B'): power must be a whole number from 0 to 100" in told
    assert "got 'wepon'. Did you mean [[weapon]]?" in told


def test_sides_that_do_not_fit_name_their_line(bt):
    Path("sides.toml").write_text('[[sides]]\nname = "North"\nunits = ["Hilraidxrs"]\n', encoding="utf-8")
    told = bt("battle", "new", "attack_dice", "--sides", "sides.toml", code=2).stderr
    assert "sides.toml, line 3: there is no unit 'Hilraidxrs'. Did you mean 'Hill raiders'?" in told
    text = '[[sides]]\nname = "North"\n[[sides.units]]\nname = "A"\n[[sides.units]]\nname = "B"\nhp = 0\n'
    Path("sides.toml").write_text(text, encoding="utf-8")
    told = bt("battle", "new", "attack_dice", "--sides", "sides.toml", code=2).stderr
    assert "sides.toml, line 7: " in told
    assert "hp must be a whole number from 1 to 1,000; got 0." in told


def test_what_we_did_not_foresee_is_a_sentence_too(bt, monkeypatch):
    def fail(name: str) -> None:
        raise RuntimeError("the tray is full")

    monkeypatch.setattr("battletape.registry.ruleset", fail)
    told = bt("rules", "attack_dice", code=1).stderr
    assert "Battletape failed, and not by your doing: RuntimeError: the tray is full." in told
    assert "BATTLETAPE_DEBUG=1" in told
    result = bt("rules", "attack_dice", code=1, BATTLETAPE_DEBUG="1")
    assert isinstance(result.exception, RuntimeError)


def test_a_file_that_may_not_be_written_is_a_sentence(bt):
    bt("battle", "new", "attack_dice")
    told = bt("battle", "export", "-o", "no/such/folder.txt", code=2).stderr
    assert "could not be written" in told
