"""The tests that every ruleset must pass, for any author to run on a ruleset of their own.

    pip install pytest
    python -m battletape.conformance --ruleset my_game --starts tests/starts.toml --tests tests

Everything they need to know is on the ruleset's card. They compare the odds of its questions with brute force over
every face and with many rolls, odds with and without the lens, and the odds of its actions with the actions as played.
They play battles at random, and undo, redo, write and read them. They give every input wrong values, which must be told
in a sentence. They try every value of every ruling, print every sheet, and hold the README to what is there. They read
its sources: whether rules are pure, values frozen, and clauses cited by code that the card reaches.

    plugin        the options, and what each test runs on
    subjects      a ruleset under test, with the starts and tests that its author gives
    cases         its questions: examples, variants, and cases small enough to try every face
    situations    its actions, as they come up in battles
    wrong_values  every input with what does not fit, beside a named profile
    brute_force   every face of every die, one by one
    random_play   battles played at random
    sources, reachable, purity    what its files say
    counts        how its stages branch and merge
    test_*        the checks

Nothing else in Battletape imports this package, and it alone needs pytest.
"""
