"""What the files of a ruleset say: rules are pure, types frozen, and all that is written is used from the card."""

from __future__ import annotations

from battletape.conformance import sources
from battletape.conformance.plugin import fail_if
from battletape.conformance.purity import impurities
from battletape.conformance.reachable import citing, graph_of, resting_alone
from battletape.conformance.rooms import astray, files_in, folder
from battletape.conformance.subjects import Subject
from battletape.inputs import fields
from battletape.system import EACH


def test_rules_are_pure(subject: Subject) -> None:
    package = subject.ruleset.package
    fail_if(
        f"{sources.module_name(package, path)}, {offence}; a rule asks its tape, and makes a new value instead of "
        "changing one."
        for path in sources.files_of(subject.ruleset)
        for offence in impurities(sources.parse(path))
    )


def test_types_are_frozen(subject: Subject) -> None:
    types = list(sources.types_of(subject.ruleset))
    if subject.ruleset.battle_rules is not None:
        battle = subject.ruleset.battle_rules
        types += [battle.state, battle.start, *(action.inputs for action in battle.actions)]
    fail_if(
        f"{kind.__module__}.{kind.__qualname__} can be changed; say frozen=True, or make it a tuple or an Enum."
        for kind in dict.fromkeys(types)
        if not sources.is_frozen(kind)
    )


def test_a_keyword_is_named_in_one_file(subject: Subject) -> None:
    problems = []
    for name in (keyword.name for keyword in subject.ruleset.keywords):
        files = [path.name for path in sources.files_of(subject.ruleset) if name in sources.strings_in(path)]
        if len(files) != 1:
            problems.append(f"The special rule {name!r} is named in {', '.join(files) or 'no file'}; name it in one.")
    fail_if(problems)


def test_every_place_that_cites_a_clause_is_reached_from_the_card(subject: Subject) -> None:
    graph, places = graph_of(subject.ruleset), citing(subject.ruleset)
    if not places:
        fail_if(['No code cites a clause; put @clause("…") on the functions that do them.'])
    reached = graph.reached()
    fail_if(
        f"{place} cites {', '.join(ids)}, but the card does not reach it; use it, or delete it."
        for place, ids in places.items()
        if not graph.is_reached(place, reached)
    )


def test_no_clause_rests_on_code_that_only_tests_call(subject: Subject) -> None:
    fail_if(
        f"{clause} is done only by code to which nothing on the card comes."
        for clause in resting_alone(subject.ruleset)
    )


def test_everything_a_ruleset_defines_is_reached_from_the_card(subject: Subject) -> None:
    fail_if(
        f"{node.path.name}:{node.line}: the card does not reach {node.name}; use it, or delete it."
        for node in graph_of(subject.ruleset).unreached()
    )


def test_the_rooms_import_each_other_one_way(subject: Subject) -> None:
    """Rules know neither questions nor battles, and these do not know each other."""
    package, problems = subject.ruleset.package, []
    for room, others in {"rules": ("questions", "battle"), "questions": ("battle",), "battle": ("questions",)}.items():
        for path in sources.files_of(subject.ruleset):
            if not sources.module_name(package, path).startswith(f"{package}.{room}."):
                continue
            for name in sources.imports_of(sources.parse(path)):
                if name.startswith(tuple(f"{package}.{other}" for other in others)):
                    problems.append(f"{path.name} of {room} imports {name}; move what both need into rules.")
    fail_if(problems)


def test_every_question_has_the_file_of_its_name(subject: Subject) -> None:
    """Where questions have a room; a small ruleset may keep them all in one module."""
    if (folder(subject.ruleset) / "questions").is_dir():
        fail_if(astray(subject.ruleset.questions, files_in(subject.ruleset, "questions")))


def test_every_action_has_the_file_of_its_name_or_of_its_family(battling: Subject) -> None:
    """Where actions have a room; a small ruleset may keep them all in one module."""
    assert battling.ruleset.battle_rules is not None
    if (folder(battling.ruleset) / "battle/actions").is_dir():
        fail_if(astray(battling.ruleset.battle_rules.actions, files_in(battling.ruleset, "battle/actions")))


def test_every_role_of_an_input_is_known_to_the_battle(battling: Subject) -> None:
    rules = battling.ruleset.battle_rules
    assert rules is not None
    problems = []
    for action in rules.actions:
        for given in fields(action.inputs):
            for role in {given.role, action.roles.get(given.name, "")} - {"", EACH, *rules.roles}:
                known = ", ".join(rules.roles) or "none"
                problems.append(f"{given.name} of {action.name} has the role {role!r}; BattleRules knows {known}.")
    fail_if(problems)
