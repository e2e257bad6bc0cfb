"""Lists of one's own units and weapons: the text as it was written, and what each entry is good for."""

from __future__ import annotations

import tomllib

import pytest

from battletape import registry
from battletape.answer import ask
from battletape.errors import BadInput, Refused
from battletape.views.own_form import entry_controls, entry_values, read_entry
from battletape.views.own_profiles import read_list, with_own
from battletape.views.own_text import drop_entry, merge_lists, parse_list, put_entry, write_entry

NAMES = [name for name in registry.names() if name != "toy" and registry.ruleset(name).profiles]
PIPE = '[[weapon]]\nname = "Thunder pipe"\nattacks = 4\npower = 9\n'
LADS = '[[unit]]\nname = "Lads"\nmodels = 7\nweapons = ["3 x Thunder pipe", { name = "Yew bow", models = 2 }]\n'
LIST = "# my list\n" + PIPE + "\n# the crew\n" + LADS


# --- the text ---------------------------------------------------------------------------------------------------------


def test_an_entry_is_changed_and_the_rest_stays_as_it_was_written():
    changed = put_entry(LIST, "weapon", 0, {"name": "Thunder pipe", "power": 5}, "x")
    assert changed == '# my list\n[[weapon]]\nname = "Thunder pipe"\npower = 5\n\n# the crew\n' + LADS
    assert drop_entry(LIST, "weapon", 0, "x") == "# my list\n\n# the crew\n" + LADS
    assert put_entry(PIPE, "weapon", None, {"name": "B"}, "x") == PIPE + '\n[[weapon]]\nname = "B"\n'


@pytest.mark.parametrize(
    "text",
    [
        'weapon = [{ name = "A" }, { name = "B" }]\n',
        '[[weapon]]\nname = "A"\nrules = [\n["x"],\n]\n[[weapon]]\nname = "B"\n',
        '[[weapon]]\nname = """\n[[weapon]]\nA"""\n[[weapon]]\nname = "B"\n',
        '[["weapon"]]\nname = "A"\n[[ weapon ]]\nname = "B"\n',
        '[[weapon]]\nname = "A"\n[[weapon.more]]\nx = 1\n[[weapon]]\nname = "B"',
    ],
)
def test_whatever_way_a_list_is_written_the_change_says_what_was_meant(text):
    data = tomllib.loads(text)
    dropped = tomllib.loads(drop_entry(text, "weapon", 0, "x"))
    assert dropped["weapon"] == data["weapon"][1:]
    changed = tomllib.loads(put_entry(text, "weapon", 1, {"name": "C"}, "x"))
    assert changed["weapon"] == [data["weapon"][0], {"name": "C"}]


def test_values_come_back_as_they_were_written():
    values = {"name": 'Q"uo\\te — é\u2028', "a b": [1, 2.5, True], "c": [{"d": "e"}, {}], "f": {"g": -1}}
    assert tomllib.loads(write_entry("weapon", values)) == {"weapon": [values]}


def test_another_list_wins_by_name_and_adds_the_rest():
    merged = tomllib.loads(merge_lists(LIST, PIPE.replace("9", "2") + '[[weapon]]\nname = "New"\n', "a", "b"))
    assert [(one["name"], one.get("power")) for one in merged["weapon"]] == [("Thunder pipe", 2), ("New", None)]
    assert [one["name"] for one in merged["unit"]] == ["Lads"]


def test_no_more_is_added_than_a_list_may_hold():
    many = "".join(f'[[weapon]]\nname = "{at}"\n' for at in range(199))
    assert len(tomllib.loads(merge_lists(PIPE, many, "a", "b"))["weapon"]) == 200
    with pytest.raises(BadInput, match="b: a list may have at most 200 entries; got 201"):
        merge_lists(PIPE + '[[weapon]]\nname = "B"\n', many, "a", "b")


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("[[weapon]\n", "Mine line 1: this is not TOML"),
        ('[[weapon]]\nname = "x"\npower = \n', "Mine line 3: this is not TOML"),
        ("x = " + "1" * 5000, "Mine line 1: this is not TOML"),
        ("x = " + "[" * 5000, "Mine: lists in lists go too deep"),
        ('a = "', "Mine line 1: this is not TOML"),
        ("\n" + "a." * 60_000 + "b = 1", "Mine line 2: a name with dots may have at most 8 parts"),
        ("[" + "a . " * 9 + "b]", "Mine line 1: a name with dots may have at most 8 parts"),
        ("x = { " + "'a'." * 9 + "b = 1 }", "Mine line 1: a name with dots may have at most 8 parts"),
        ("[[a]]\n" * 201, "Mine: a list may have at most 200 entries; got 201"),
        ("".join(f"k{at} = 1\n" for at in range(21)), "Mine: a list may have at most 20 kinds of entries; got 21"),
        (f'[[a]]\n[[a]]\nname = "{"x" * 81}"', "Mine line 2, a 2: name may have at most 80 characters; got 81"),
        (f'[[a]]\nb = ["{"x" * 201}"]', "Mine line 1, a 1: b may have at most 200 characters; got 201"),
        (f"[[a]]\nb = [{'1, ' * 101}]", "Mine line 1, a 1: b may have at most 100 values; got 101"),
        ("[[a]]\nb = " + "[" * 9 + "]" * 9, "Mine line 1, a 1: lists in lists go too deep"),
    ],
)
def test_no_toml_is_a_sentence_with_its_line(text, sentence):
    with pytest.raises(BadInput) as caught:
        parse_list(text, "Mine")
    assert str(caught.value).startswith(sentence)


def test_dots_in_texts_comments_and_numbers_count_for_nothing():
    dots = "." * 20
    text = f'# {dots}\nx = "{dots}\\"{dots}"\ny = \'{dots}\'\nz = """\n"{dots}\\"""{dots}"""\n'
    text += f"w = '''{dots}\n{dots}''''\n[[a]]\nb = [{'1.5, ' * 20}]\n"
    assert parse_list(text, "x") == tomllib.loads(text)


# --- the list ---------------------------------------------------------------------------------------------------------


def test_every_entry_knows_its_questions_and_what_goes_with_it():
    found = read_list(registry.ruleset("attack_dice"), LIST)
    assert found.troubles == ()
    pipe, lads = found.entries
    assert [(one.question, one.path) for one in pipe.uses] == [
        ("attack", ("weapon",)),
        ("volley", ("weapons", "weapon")),
    ]
    assert [(one["name"]) for one in tomllib.loads(pipe.toml)["weapon"]] == ["Thunder pipe"]
    assert list(tomllib.loads(lads.toml)) == ["weapon", "unit"]
    assert lads.profile is not None
    assert lads.profile.values["models"] == "7"


def test_what_is_wrong_says_what_and_where_and_the_others_still_work():
    text = LIST.replace("power = 9", "power = 900") + '\n[[unit]]\nname = "Fine"\n[[unit]]\nnmae = "x"\n'
    found = read_list(registry.ruleset("attack_dice"), text)
    assert [(one.line, one.kind, one.at) for one in found.troubles] == [
        (5, "weapon", 0),
        (16, "unit", 2),
        (15, "unit", 2),
        (11, "unit", 0),
    ]
    sentences = [one.sentence for one in found.troubles]
    assert sentences[0] == (
        "Your list line 5, weapon 1 ('Thunder pipe'): power must be a whole number from 0 to 100; got 900."
    )
    assert "there is no key 'nmae'. Did you mean name?" in sentences[1]
    assert "there is no weapon 'Thunder pipe'" in sentences[3]
    assert [one.name for one in found.entries if one.profile] == ["Fine"]


def test_entries_that_all_go_together_are_not_repeated_without_end():
    text = "".join(f'[[weapon]]\nname = "W{at}"\nweapon_class = "W{(at + 1) % 200}"\n' for at in range(200))
    few, many = (read_list(registry.ruleset("attack_dice"), one) for one in (text[: text.index('"W5"')] + '"W0"', text))
    assert few.troubles == ()
    assert {len(tomllib.loads(one.toml)["weapon"]) for one in few.entries} == {5}
    assert sum(len(one.toml) for one in many.entries) <= 200_000
    assert "too long for a link" in many.troubles[0].sentence


def test_what_must_agree_with_other_entries_is_checked_and_placed():
    found = read_list(registry.ruleset("vehicles5"), '\n[[weapon]]\nname = "Fist"\ntype = "melee"\nstrength = 9\n')
    assert [(one.line, one.kind, one.at) for one in found.troubles] == [(2, "weapon", 0)]
    assert found.troubles[0].sentence.startswith("Your list line 2, weapon 'Fist' must have a strength, unless")


def test_an_entry_that_lacks_a_key_is_placed_and_the_others_stay():
    text = '[[weapon]]\nname = "Long pipe"\nkind = "Basic"\ndamage = "1d10"\nsingle = true\nrange = 30\n'
    gunner = '[[weapon]]\nname = "Odd pipe"\ndamage = "1d10"\nsingle = true\nclip = 4\nrange = 20\n'
    found = read_list(registry.ruleset("deathwatch"), text + gunner)
    trouble = found.troubles[0]
    assert (trouble.kind, trouble.at, trouble.line) == ("weapon", 0, 1)
    assert trouble.sentence == f"Your list line 1, {trouble.reason}"
    assert trouble.reason == "weapon 'Long pipe': a gun needs a clip; got none (DW-RWEP-00)"
    assert [entry.profile is not None for entry in found.entries] == [False, True]


def test_the_reason_alone_is_whole_even_where_it_holds_a_colon():
    found = read_list(registry.ruleset("vehicles5"), '[[unit]]\nname = "Odd: lads"\nrules = ["xyzzyx"]\n')
    trouble = found.troubles[0]
    assert trouble.reason.startswith("unit 'Odd: lads' has the rule 'xyzzyx', which is unknown. Known: ")
    assert trouble.sentence == f"Your list line 1, {trouble.reason}"


@pytest.mark.parametrize("name", NAMES)
def test_every_profile_of_the_book_comes_through_its_form_unchanged(name):
    card = registry.ruleset(name)
    for kind, entries in card.book.entries.items():
        for entry in entries.values():
            values, misfits = read_entry(card, kind, entry_values(entry))
            assert misfits == ()
            again = with_own(card, write_entry(kind, {**values, "name": entry.name}))
            assert again.book.entries[kind][entry.name] == entry
        first = next(iter(entries.values()))
        assert entry_controls(card, kind, entry_values(first))[0].name == "e.name"


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_of_any_profile_answers_as_the_original(name):
    card = registry.ruleset(name)
    for kind, entries in card.book.entries.items():
        original = next(iter(entries.values()))
        found = read_list(card, write_entry(kind, {**entry_values(original), "name": "Copied"}))
        assert found.troubles == ()
        for use in found.entries[0].uses:
            own = with_own(card, found.entries[0].toml)
            question = card.question(use.question)
            same = {key: _renamed(value, original.name) for key, value in use.given.items()}
            said = _headline(card, question, same).replace(original.name, "Copied")
            assert _headline(own, question, use.given) == said


def _headline(card, question, given):
    try:
        return ask(card, question, given).headline
    except Refused as refused:
        return refused.reason


def _renamed(value, name):
    if isinstance(value, list):
        return [_renamed(one, name) for one in value]
    return value.replace("Copied", f"'{name}'" if "=" in value else name)
