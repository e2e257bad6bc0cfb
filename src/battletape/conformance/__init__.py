"""The tests that every ruleset must pass, for any author to run on a ruleset of their own.

    pip install "battletape[conformance]"
    python -m battletape.conformance --ruleset my_game --starts tests/starts.toml --tests tests

All they need to know stands on the ruleset's card. They hold the odds of its questions against every face of every
die and against many rolls, its lenses against the odds without them, the odds of its actions against the actions as
they are played; they play battles at random and undo, redo, write and read them; and they read its sources: whether
rules are pure, values frozen, and clauses cited by code that the card comes to.

    plugin        the options, and what each test runs on
    subjects      a ruleset under test, with the starts and tests that its author gives
    cases         its questions: examples, variants, and cases small enough to try every face
    situations    its actions, as they come up in battles
    brute_force   every face of every die, one by one
    random_play   battles played at random
    sources, reachable, purity    what its files say
    counts        how its stages branch and merge
    test_*        the checks

Nothing else in Battletape imports this package, and it alone needs pytest.
"""
