"""Query strings: what they say, and the shortest one that says it."""

from __future__ import annotations

import re
from itertools import combinations
from urllib.parse import parse_qsl

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from battletape import registry
from battletape.errors import BadInput, BattletapeError
from battletape.inputs import Field, Inputs, fields, parse_value
from battletape.system import Ruleset
from battletape.views.changed import spread_given
from battletape.views.profile_choices import profile_choices
from battletape.views.short_inputs import short_given
from battletape.web.forms import read_pairs, write_query
from tests.web.conftest import QUESTIONS
from tests.web.page import Page

ATTACK = registry.ruleset("attack_dice")
VEHICLES = registry.ruleset("vehicles5")


def read(card, question, *pairs):
    return read_pairs(card, card.question(question), pairs)


def test_names_with_a_dash_below_belong_to_the_page():
    sent = read(ATTACK, "attack", ("power", "6"), ("_measure", "hp_lost"), ("_form", "1"))
    assert sent.given == {"power": "6"}
    assert sent.page == {"measure": "hp_lost"}
    assert sent.from_form


def test_the_last_of_several_values_counts_and_names_are_joined():
    assert read(ATTACK, "attack", ("power", "6"), ("power", "7")).given == {"power": "7"}
    assert read(VEHICLES, "shoot", ("types", ""), ("types", "tank"), ("types", "fast")).given == {"types": "tank,fast"}


def test_entries_of_a_list_come_input_by_input():
    sent = read(VEHICLES, "shoot", ("guns.count", "2"), ("guns.0.shots", "3"), ("guns.1.weapon", "Lascannon"))
    assert sent.given == {"guns": [{"shots": "3"}, {"weapon": "Lascannon"}]}


def test_entries_in_entries():
    sent = read(
        VEHICLES, "kill_time", ("volleys.count", "1"), ("volleys.0.guns.count", "1"), ("volleys.0.guns.0.bs", "3")
    )
    assert sent.given == {"volleys": [{"guns": [{"bs": "3"}]}]}


def test_an_entry_is_added_copied_and_dropped():
    guns = (("guns.count", "2"), ("guns.0.shots", "3"), ("guns.1.shots", "4"))
    assert read(VEHICLES, "shoot", *guns, ("_do", "add:guns")).given["guns"] == [{"shots": "3"}, {"shots": "4"}, {}]
    assert read(VEHICLES, "shoot", *guns, ("_do", "drop:guns.0")).given["guns"] == [{"shots": "4"}]
    copied = read(VEHICLES, "shoot", *guns, ("_do", "copy:guns.0")).given["guns"]
    assert copied == [{"shots": "3"}, {"shots": "3"}, {"shots": "4"}]


@pytest.mark.parametrize("done", ["", "drop:guns.9", "drop:power", "eat:guns", "add:guns.0.shots.x", "drop:guns.x"])
def test_what_cannot_be_done_to_a_list_is_a_sentence(done):
    if not done:
        assert read(VEHICLES, "shoot", ("_do", done)).given == {}
        return
    with pytest.raises(BadInput, match="_do must be"):
        read(VEHICLES, "shoot", ("guns.count", "1"), ("guns.0.shots", "3"), ("_do", done))


def test_another_profile_brings_its_own_numbers():
    held = (("weapon", "Yew bow"), ("power", "9"), ("bearers", "4"))
    assert read(ATTACK, "attack", *held, ("_was.weapon", "")).given == {"weapon": "Yew bow", "bearers": "4"}
    assert read(ATTACK, "attack", *held, ("_was.weapon", "Yew bow")).given["power"] == "9"
    assert read(ATTACK, "attack", ("weapon", ""), ("power", "9"), ("_was.weapon", "Yew bow")).given["power"] == "9"


def test_without_its_profile_a_list_keeps_what_the_profile_gave():
    held = (("guns.0.weapon", ""), ("_was.guns.0.weapon", "Sniper rifle"), ("guns.0.rules", "melta"))
    assert read(VEHICLES, "shoot", *held).given["guns"][0]["rules"] == "sniper,melta"


def test_another_profile_in_an_entry_brings_its_own_numbers():
    held = (("guns.count", "1"), ("guns.0.weapon", "Lascannon"), ("guns.0.strength", "3"), ("_was.guns.0.weapon", ""))
    assert read(VEHICLES, "shoot", *held).given == {"guns": [{"weapon": "Lascannon"}]}


def test_too_many_values_are_refused():
    with pytest.raises(BadInput, match="at most 2,000 values"):
        read(ATTACK, "attack", *[("power", "6")] * 2001)
    with pytest.raises(BadInput, match="at most 100 entries"):
        read(VEHICLES, "shoot", ("guns.count", "101"))


@pytest.mark.parametrize("number", ["²", "٣", "1" * 5_000])
def test_what_only_looks_like_a_number_is_no_place_in_a_list(number):
    guns = (("guns.count", "1"), ("guns.0.shots", "3"))
    with pytest.raises(BadInput, match="_do must be") as told:
        read(VEHICLES, "shoot", *guns, ("_do", f"drop:guns.{number}"))
    assert len(str(told.value)) < 200
    assert read(VEHICLES, "shoot", *guns, (f"_was.guns.{number}.weapon", "x")).picked == ()
    with pytest.raises(BadInput, match="there is no input") as told:
        read(VEHICLES, "shoot", (f"guns.{number}.shots", "3"))
    assert len(str(told.value)) < 200
    near = next(field for field in fields(registry.ruleset("second_edition").question("blast").inputs) if field.item)
    with pytest.raises(BadInput, match="a formation of 1 to 100 models reads"):
        parse_value(near, f"ring {number} at 0,0")


def test_a_list_that_is_too_long_is_not_named_at_length():
    with pytest.raises(BadInput, match="may have at most 100 entries") as told:
        read(VEHICLES, "shoot", ("g" * 5_000 + ".count", "101"))
    assert len(str(told.value)) < 200


def test_an_address_is_short_and_readable():
    card = VEHICLES
    question = card.question("shoot")
    inputs, rulings = card.split(question, {"guns": ["2 x Lascannon", "Meltagun"], "terrain_cover": "4+"})
    said = short_given(card, question, inputs, rulings)
    assert write_query(said) == "terrain_cover=4&guns=weapon=Lascannon+models=2&guns=weapon=Meltagun"


# --- any query string at all ------------------------------------------------------------------------------------------

TEXTS = st.one_of(
    st.sampled_from(
        ["", "none", "-1", "0", "1", "2", "3", "5", "6", "10", "yes", "no", "4+", "9999999999", "1.5", "x"]
    ),
    st.text(max_size=12),
)


def value_of(field: Field) -> st.SearchStrategy[str]:
    """Values near those that fit."""
    fitting: list[str] = [field.show(field.default), *map(str, field.choices)]
    if field.low is not None:
        fitting += [str(field.low), str(field.low + 1)]
    return st.one_of(st.sampled_from(fitting), TEXTS)


def dotted(inputs: type[Inputs], prefix: str = "") -> list[tuple[str, Field]]:
    """The names of a form, with those of the first two entries of lists."""
    found: list[tuple[str, Field]] = []
    for one in fields(inputs):
        if one.item is None:
            found.append((prefix + one.name, one))
        elif prefix.count(".") < 4:
            found += [pair for at in (0, 1) for pair in dotted(one.item, f"{prefix}{one.name}.{at}.")]
    return found


@st.composite
def queries(draw: st.DrawFn) -> tuple[str, str, list[tuple[str, str]]]:
    ruleset, question = draw(st.sampled_from(QUESTIONS))
    card = registry.ruleset(ruleset)
    known = [*dotted(card.question(question).inputs), *dotted(card.rulings)]
    picked = draw(st.lists(st.sampled_from(known), max_size=6))
    pairs = [(name, draw(value_of(field))) for name, field in picked]
    odd = st.tuples(
        st.sampled_from(["_do", "_measure", "_was.weapon", "_was.", "preset", "guns", "a.b", ".", ""]), TEXTS
    )
    return ruleset, question, pairs + draw(st.lists(odd, max_size=2))


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@given(queries(), st.booleans())
def test_any_query_string_gets_an_answer_or_a_sentence(client, asked, part):
    ruleset, question, pairs = asked
    params = [*pairs, ("_blank", "1")]
    response = client.get(f"/{ruleset}/{question}", params=params, headers={"HX-Request": "true"} if part else {})
    assert response.status_code in (200, 422), response.text
    if response.status_code == 200 and part:
        again = client.get(response.headers["HX-Replace-Url"], headers={"HX-Request": "true"})
        assert again.headers["HX-Replace-Url"] == response.headers["HX-Replace-Url"]


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(queries())
def test_the_shortest_query_reads_as_the_same_question(asked):
    ruleset, name, pairs = asked
    card = registry.ruleset(ruleset)
    question = card.question(name)
    try:
        inputs, rulings = card.split(question, read_pairs(card, question, pairs).given)
    except BadInput:
        return
    said = short_given(card, question, inputs, rulings)
    assert card.split(question, said) == (inputs, rulings)


FILLED = [
    ("horde", {"attack": "melee", "damage": "2d10+5"}),  # melee alone would fill in a sword
    ("horde", {"attack": "melee", "damage": "2d10+5", "pen": "5"}),
    ("horde", {"attacker": "Warlord Gharn", "weapon": ""}),
    ("horde", {"mode": "full", "full": "0"}),
    ("shoot", {"mode": "full", "full": "0"}),
    ("horde_attacks", {"single": "no", "mode": "single"}),
]


@pytest.mark.parametrize("question, given", FILLED)
def test_what_another_input_would_fill_in_is_said(question, given):
    card = registry.ruleset("deathwatch")
    inputs, rulings = card.split(card.question(question), given)
    for way in (short_given, spread_given):
        said = way(card, card.question(question), inputs, rulings)
        assert card.split(card.question(question), said) == (inputs, rulings)


def test_the_page_answers_as_the_library_does(client):
    got = client.get("/deathwatch/horde?attack=melee&damage=2d10%2B5", headers={"HX-Request": "true"}).text
    mean = float(registry.ruleset("deathwatch").ask("horde", attack="melee", damage="2d10+5").odds().mean)
    assert f'<b class="big">{mean:.1f}</b>' in got
    refused = client.get("/deathwatch/shoot?mode=full&full=0")
    assert refused.status_code == 422
    assert "the weapon has no full auto" in refused.text


def test_where_an_input_fills_in_another_the_form_comes_along(client):
    part = client.get("/deathwatch/horde?attack=melee", headers={"HX-Request": "true"}).text
    assert re.search('<option value="Astartes Chainsword"[^>]* selected', part)
    plain = client.get("/deathwatch/horde?bs=44", headers={"HX-Request": "true"}).text
    assert "<option" not in plain


# --- several profiles -------------------------------------------------------------------------------------------------


def pick(client: TestClient, address: str, name: str, value: str) -> str:
    """Where the form of an address leads when somebody picks another profile in it."""
    form = Page(client.get(address).text)
    pairs = [(key, value if key == name else text) for key, text in form.pairs]
    assert (name, value) in pairs
    sent = client.get(address.split("?")[0], params=pairs)
    assert sent.status_code == 303, sent.text
    return sent.headers["Location"]


def pairs_of_picks() -> list[tuple[str, str, dict[str, str]]]:
    """A profile for each of every two inputs of a question that take one, such as go together."""
    found = []
    for ruleset, question in QUESTIONS:
        card = registry.ruleset(ruleset)
        known = {path[0]: one for path, one in profile_choices(card, card.question(question)).items() if len(path) == 1}
        for first, second in combinations(known, 2):
            named = ({first: one, second: two} for one in known[first].names[-2:] for two in known[second].names[-2:])
            found += [(ruleset, question, both) for both in named if is_read(card, question, both)][:1]
    return found


def is_read(card: Ruleset, question: str, given: dict[str, str]) -> bool:
    asked = card.question(question)
    try:
        for some in ({}, *({name: given[name]} for name in given), given):
            inputs, rulings = card.split(asked, some)
            asked.begin(inputs, rulings)
    except BattletapeError:
        return False
    return True


@pytest.mark.parametrize("ruleset, question, both", pairs_of_picks())
def test_the_same_profiles_picked_in_any_order_ask_the_same(client, ruleset, question, both):
    card = registry.ruleset(ruleset)
    wanted = card.split(card.question(question), both)
    for order in (list(both), list(both)[::-1]):
        address = f"/{ruleset}/{question}?_blank=1"
        for name in order:
            address = pick(client, address, name, both[name])
        sent = read_pairs(card, card.question(question), parse_qsl(address.partition("?")[2], keep_blank_values=True))
        assert card.split(card.question(question), sent.given) == wanted, order


def test_a_weapon_pins_nothing_of_the_one_before(client):
    """A marine is used to his own weapon, not to every one that he takes up."""
    address = pick(client, "/deathwatch/shoot?_blank=1", "attacker", "Brother Cato")
    assert address == "/deathwatch/shoot?attacker=Brother+Cato"
    address = pick(client, address, "weapon", "Astartes Heavy Bolter")
    assert address == "/deathwatch/shoot?attacker=Brother+Cato&weapon=Astartes+Heavy+Bolter"
    other = pick(client, "/deathwatch/shoot?_blank=1", "weapon", "Astartes Heavy Bolter")
    assert pick(client, other, "attacker", "Brother Cato") == address


def test_an_input_set_by_the_player_stays_where_no_profile_has_it(client):
    address = pick(client, "/deathwatch/shoot?distance=12&trained=no", "attacker", "Brother Cato")
    assert address == "/deathwatch/shoot?attacker=Brother+Cato&distance=12"
    address = pick(client, "/deathwatch/shoot?attacker=Brother+Cato&bs=33", "weapon", "Astartes Heavy Bolter")
    assert "bs=33" in address


def test_what_a_profile_changes_besides_is_told_at_its_row(client):
    form = Page(client.get("/deathwatch/shoot?_blank=1").text)
    pairs = [(key, "Brother Cato" if key == "attacker" else text) for key, text in form.pairs]
    headers = {"HX-Request": "true", "Battletape-Form": "1"}
    told = Page(client.get("/deathwatch/shoot?_blank=1", params=pairs, headers=headers).text).text("brought")
    assert told.startswith("Also changed: Weapon's profile: Astartes Bolter (Godwyn), was own numbers; ")
    assert "; Ballistic Skill: 48, was 50; besides " in told, "values for a stat line, names for the rest"
    assert "brought" not in client.get("/deathwatch/shoot?attacker=Brother+Cato").text


def test_a_gun_added_together_with_a_vehicle_leaves_the_others(client):
    form = Page(client.get("/vehicles5/shoot?_blank=1").text)
    pairs = [(key, "Anvil battle tank" if key == "vehicle" else text) for key, text in form.pairs]
    sent = client.get("/vehicles5/shoot?_blank=1", params=[*pairs, ("_do", "add:guns")])
    assert len(Page(client.get(sent.headers["Location"]).text).all("div", class_="entry")) == 2
