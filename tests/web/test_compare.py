"""Compare: up to four variants in one address, one picture and one table; one that fails leaves the others standing."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qsl, quote_plus, urlencode, urlsplit

import pytest

from battletape import registry
from battletape.answer import ask
from battletape.errors import BadInput, BudgetSpent
from battletape.inputs import Inputs, fields
from battletape.system import Question, Ruleset
from battletape.views.answer_summary import leading_measures
from battletape.views.changed import change, flat_given, name_at, spread_given
from battletape.views.compare import measure_to_compare
from battletape.views.overlay import overlay, points, signed
from battletape.views.profile_choices import profile_choices
from battletape.views.question_text import in_words
from battletape.views.short_inputs import short_given
from battletape.views.variants import QuestionInputs, differences, name_variants
from battletape.web.forms import write_address
from battletape.web.pages import variants as page_variants
from battletape.web.pages.asking import work_out
from tests.web.conftest import QUESTIONS
from tests.web.page import Page

HTMX = {"HX-Request": "true"}
ATTACK = "/attack_dice/attack/compare?hp=2&armour=5&attacks=12&power=6"


def with_variants(address: str, *variants: str) -> str:
    return address + "".join(f"&_variant={quote_plus(variant)}" for variant in variants)


def example_address(ruleset: str, question: str, ending: str) -> str:
    card = registry.ruleset(ruleset)
    one = card.question(question)
    return write_address(ruleset, question + ending, short_given(card, one, *card.split(one, one.example)))


def names(page: Page) -> list[str]:
    return [" ".join(text.split()) for found, text in page.texts if found.get("class") == "vname"]


@pytest.mark.parametrize("ruleset, question", QUESTIONS[::3])
def test_every_question_can_be_compared_with_another_of_itself(client, ruleset, question):
    address = example_address(ruleset, question, "/compare")
    page = Page(client.get(address).text)
    assert names(page) == ["as asked"]
    offered = [one["value"] for one in page.all("option")]
    choice = offered[offered.index("") + 1] if ("_to", "") in page.pairs else ""  # a profile is chosen, not suggested
    sent = client.get(address.split("?")[0], params=[(name, value or choice) for name, value in page.pairs])
    assert sent.status_code == 303
    two = Page(client.get(sent.headers["Location"]).text)
    assert len(names(two)) == 2


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_a_bare_comparison_begins_with_the_example(client, ruleset, question):
    bare = client.get(f"/{ruleset}/{question}/compare")
    assert bare.status_code == 303
    example = registry.ruleset(ruleset).question(question).example
    assert bare.headers["Location"] == example_address(ruleset, question, "/compare")
    assert not example or "_blank" not in bare.headers["Location"]


def test_a_comparison_of_defaults_stays_one(client):
    blank = client.get("/attack_dice/attack/compare?_blank=1")
    assert blank.status_code == 200
    assert ("_blank", "1") in Page(blank.text).pairs
    added = client.get("/attack_dice/attack/compare", params={"_blank": "1", "_vary": "power", "_to": "9"})
    assert added.headers["Location"].startswith("/attack_dice/attack/compare?_blank=1&")
    assert client.get("/attack_dice/attack/compare?_variant=power%3D9").status_code == 200


def test_four_variants_and_their_differences(client):
    response = client.get(with_variants(ATTACK, "power=7", "weapon=Yew bow", "?hp=2&armour=5&attacks=12&power=6&ap=2"))
    assert response.status_code == 200
    page = Page(response.text)
    assert names(page) == ["as asked", "power 7", "Yew bow", "AP 2"]
    card = registry.ruleset("attack_dice")
    given = {"hp": 2, "armour": 5, "attacks": 12, "power": 6}
    first, second = (ask(card, card.question("attack"), given | more).odds("casualties") for more in ({}, {"power": 7}))
    cells = re.findall(r"<b>([\d.]+)</b>(?:<small class=\"\w+\">([^<]+)</small>)?", response.text)
    assert (cells[0][0], cells[1]) == (f"{float(first.mean):.2f}", ("3.11", signed(float(second.mean - first.mean))))
    assert cells[1][1] == "+0.42"
    assert len([one for one in page.all("g") if one.get("class", "").startswith("trace")]) == 8
    assert "Four is the most at once" in response.text


def test_chances_differ_by_points_with_the_digits_of_a_chance():
    assert [points(one) for one in (-0.7931, 0.0634, -0.0003, 0.0)] == ["−79", "+6.3", "−<0.1", "="]


def test_those_that_are_alike_are_named_together(client):
    """No Defence 4 is harder to beat for Power 8 than for 9."""
    page = client.get(with_variants(ATTACK, "power=8", "power=9", "power=7")).text
    assert re.search(r'data-said="Models fallen: most with power 8 and power 9 alike, [\d.]+ on average', page)
    assert "more than power 6, which power 8 beats" in page


def test_variants_are_told_apart_without_colour(client):
    sheets = [one["href"] for one in Page(client.get(ATTACK).text).all("link", rel="stylesheet")]
    css = client.get(next(sheet for sheet in sheets if sheet.endswith("compare.css"))).text
    assert len(set(re.findall(r"--dash: ([^;]+);", css))) == 4
    page = Page(client.get(with_variants(ATTACK, "power=7", "power=8", "power=9")).text)
    marks = {one["href"] for one in page.all("use")}
    assert marks == {f"#mark-{at}" for at in range(4)}
    assert len({one["d"] for one in page.all("path")}) == 4


def test_a_variant_that_fails_says_so_and_the_others_stand(client):
    response = client.get(with_variants(ATTACK, "power=x", "power=7", "nonsense=1"))
    assert response.status_code == 200
    assert "“Power” must be" in response.text
    assert "attack has no input &#39;nonsense&#39;" in response.text
    page = Page(response.text)
    assert names(page) == ["power 6", "does not fit", "power 7", "does not fit"]
    assert any("most with power 7" in one.get("data-said", "") for one in page.all("section"))


def test_the_first_may_fail_too(client):
    response = client.get("/vehicles5/tank_shock/compare?vehicle=Ember+cart&_variant=vehicle%3DAnvil+battle+tank")
    assert response.status_code == 200
    assert "only a tank may tank shock" in response.text
    assert "each with its difference to B" in response.text


def test_entries_of_lists_can_be_varied(client):
    base = "/vehicles5/shoot/compare?vehicle=Warden+strider&guns=weapon=Lascannon+shots=2"
    page = Page(client.get(with_variants(base, "guns.0.weapon=Autocannon", "guns.0.shots=4")).text)
    assert len(names(page)) == 3
    assert names(page)[1] == "Autocannon"
    opened = [one["href"] for one in page.all("a") if one.get("aria-label", "").startswith("Open B")]
    said = dict(parse_qsl(urlsplit(opened[0]).query))
    assert "weapon=Autocannon" in said["guns"]
    assert client.get(opened[0]).status_code == 200


def test_the_form_changes_a_variant_and_the_first(client):
    address = with_variants(ATTACK, "power=7")
    form = Page(client.get(address + "&_at=1&_vary=power").text)
    pairs = [(name, "9" if name == "_to" else value) for name, value in form.pairs if name != "_was._to"]
    moved = client.get("/attack_dice/attack/compare", params=pairs).headers["Location"]
    assert "_variant=power%3D9" in moved
    form = Page(client.get(address + "&_at=0&_vary=attacks").text)
    pairs = [(name, "20" if name == "_to" else value) for name, value in form.pairs]
    moved = client.get("/attack_dice/attack/compare", params=pairs).headers["Location"]
    assert "attacks=20" in moved
    assert "_variant=power%3D7" in moved


def test_profiles_of_ones_own_come_into_a_comparison_and_are_kept_by_those_that_use_them(client):
    pipe, bow = (f'[[weapon]]\nname = "{name}"\nattacks = 9\npower = 5' for name in ("Own pipe", "Own bow"))
    added = {"_vary": "weapon", "_to": "Own pipe", "_own": pipe}
    moved = client.get("/attack_dice/attack/compare", params={"attacks": "12", "power": "6", **added})
    first = moved.headers["Location"]
    page = client.get(first)
    assert names(Page(page.text)) == ["weapon profile none", "Own pipe"]
    assert 'class="fails"' not in page.text
    assert "_own" not in dict(parse_qsl(urlsplit(first).query))
    more = [*parse_qsl(urlsplit(first).query), ("_at", "1"), ("_vary", "weapon"), ("_to", "Own bow"), ("_own", bow)]
    second = client.get("/attack_dice/attack/compare", params=more).headers["Location"]
    assert "Own%2Bbow" in second
    assert "Own%2Bpipe" not in second
    assert names(Page(client.get(second).text)) == ["weapon profile none", "Own bow"]


def test_a_value_that_does_not_fit_is_a_sentence_in_the_form(client):
    response = client.get(ATTACK + "&_vary=power&_to=x")
    assert response.status_code == 422
    assert "“Power” must be" in Page(response.text).text("trouble")
    part = client.get(ATTACK + "&_vary=power&_to=x", headers=HTMX)
    assert part.headers["HX-Retarget"] == "#trouble"


def test_taking_the_first_away_leaves_the_others_whole(client):
    page = Page(client.get(with_variants(ATTACK, "power=7", "ap=2")).text)
    (remove,) = [one["href"] for one in page.all("a", id="remove-0")]
    two = Page(client.get(remove).text)
    assert len(names(two)) == 2
    assert "power=7" in remove
    assert "Power 6; AP 2" in client.get(remove).text or "power 6, AP 2" in names(two)[1]


def test_too_many_and_wrong_places_are_refused_kindly(client):
    many = client.get(with_variants(ATTACK, *(f"power={number}" for number in range(1, 6))))
    assert many.status_code == 422
    assert "takes at most 3 variants besides the first; got 5" in many.text
    assert client.get(ATTACK + "&_at=7").status_code == 422
    assert client.get(ATTACK + "&_measure=nope").status_code == 422
    assert client.get("/attack_dice/nope/compare").status_code == 404


def test_htmx_gets_the_part_and_the_shortest_address(client):
    part = client.get(with_variants(ATTACK, "power=7"), headers={**HTMX, "Battletape-History": "push"})
    assert "<html" not in part.text
    assert part.headers["HX-Push-Url"] == ATTACK + "&_variant=power%3D7"


def test_everything_is_escaped(client):
    response = client.get(with_variants(ATTACK, "weapon=<script>alert(1)</script>", "?<b>=1"))
    assert "<script>alert" not in response.text
    assert "<b>=1" not in response.text


@pytest.mark.parametrize("measure", ["worst", "destroyed_in", "wrecked", "weapons_lost"])
def test_every_kind_of_measure_has_a_picture(client, measure):
    address = f"/vehicles5/kill_time/compare?volleys=guns=%27shots=2+strength=9%27&repeat=4&_measure={measure}"
    response = client.get(with_variants(address, "front=14"))
    assert response.status_code == 200
    page = Page(response.text)
    assert page.all("svg", class_="hbar") or page.all("figure", class_="chart overlay")
    assert page.text("measured")


def fits(card: Ruleset, question: Question, inputs: Inputs, rulings: Inputs, changes: dict[str, str]) -> bool:
    try:
        change(card, question, inputs, rulings, None, changes)
    except BadInput:
        return False
    return True


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_a_profile_can_be_changed_in_every_place_that_takes_one(ruleset, question):
    card = registry.ruleset(ruleset)
    one = card.question(question)
    inputs, rulings = card.split(one, one.small or one.example)
    assert card.split(one, spread_given(card, one, inputs, rulings)) == (inputs, rulings)
    for path, pick in profile_choices(card, one).items():
        name = name_at(path)
        wanted = next(other for other in pick.names if fits(card, one, inputs, rulings, {name: other}))
        changed, _ = change(card, one, inputs, rulings, None, {name: wanted})
        said = flat_given(spread_given(card, one, changed, rulings))
        assert said[name].replace("_", " ").lower() == wanted.lower()


def test_differences_leave_out_what_the_profile_brings():
    card = registry.ruleset("attack_dice")
    attack = card.question("attack")

    def asking(**given: object) -> QuestionInputs:
        return QuestionInputs(card, attack, *card.split(attack, given))

    bow = differences(asking(power=6), asking(weapon="Yew bow"))
    assert [(one.name, one.other) for one in bow] == [("weapon", "Yew bow")]
    own = differences(asking(power=6), asking(weapon="Yew bow", power=9))
    assert [one.name for one in own] == ["weapon", "power"]
    assert name_variants([(), bow, bow]) == ("weapon profile none", "Yew bow", "Yew bow (3)")


def test_variants_of_a_circumstance_read_as_people_say_it(client):
    address = with_variants("/vehicles5/shoot/compare?guns=4+lascannons", "smoke=yes")
    assert names(Page(client.get(address).text)) == ["smoke: no", "smoke: yes"]
    card = registry.ruleset("vehicles5")
    shoot = card.question("shoot")
    before, after = (QuestionInputs(card, shoot, *card.split(shoot, {"smoke": smoke})) for smoke in ("yes", "no"))
    (changed,) = differences(before, after)
    assert name_variants([(), (changed,)]) == ("smoke: yes", "smoke: no")
    duel = registry.ruleset("deathwatch").question("duel")
    trained = next(field for field in fields(duel.inputs) if field.name == "a_trained")
    assert [in_words(trained, value) for value in (True, False)] == [
        "A: Trained with the weapon",
        "A: Trained with the weapon: no",
    ]


def test_an_overlay_puts_all_variants_on_one_scale():
    card = registry.ruleset("attack_dice")
    attack = card.question("attack")
    odds = [ask(card, attack, {"attacks": 40, "models": 60, "power": power}).odds() for power in (3, 9)]
    view = overlay(attack.measure(), [odds[0], None, odds[1]], 12)
    assert len(view.rows) <= 12
    assert all(row.points[1] is None for row in view.rows)
    for at in (0, 2):
        points = [row.points[at] for row in view.rows]
        exactly = [point.exactly.value for point in points if point]
        summed = [point.summed.value for point in points if point and point.summed]
        assert 0.99 < sum(exactly) < 1.0001
        assert summed == sorted(summed, reverse=True)
        assert len(summed) == len(view.rows)


BOLTERS = "/deathwatch/shoot/compare?attacker=Brother+Cato&weapon=Astartes+Bolter+%28Godwyn%29&target=Raider"


def test_a_comparison_says_what_a_is_and_why_b_differs_and_can_be_exported(client):
    address = with_variants(BOLTERS, "weapon=Astartes Heavy Bolter")
    got = client.get(address).text
    page = Page(got)
    assert names(page) == ["Astartes Bolter (Godwyn)", "Astartes Heavy Bolter"]
    assert "<small>Brother Cato · Astartes Bolter (Godwyn) · Raider · full</small>" in got
    assert "No talent for the weapon -20" in page.text("whydiff")
    assert "To hit 58 or less (58 %) instead of 78 or less (78 %)" in page.text("whydiff")
    assert got.index('id="add"') < got.index("Why B differs")  # the form stands above the figures
    (csv,) = [one["href"] for one in page.all("a") if ".csv" in one.get("href", "")]
    lines = client.get(csv).content.decode("utf-8-sig").splitlines()
    assert lines[0].endswith("A: Astartes Bolter (Godwyn),B: Astartes Heavy Bolter")
    assert "Dead,77 %,58 %" in lines
    assert client.get(csv.replace(".csv", ".xyz")).status_code == 404


def test_a_verdict_waits_for_all_that_is_compared(client, monkeypatch):
    """A variant that there was no time for is no loser."""

    def out_of_time(asked: Any, seconds: float) -> Any:
        if asked.inputs.power == 9:
            raise BudgetSpent("no time")
        return work_out(asked, seconds)

    monkeypatch.setattr(page_variants, "work_out", out_of_time)
    got = client.get(with_variants("/attack_dice/attack/compare?power=6", "power=9")).text
    said = "There was no time yet for power 9; the verdict waits for all that is compared."
    assert Page(got).text("headline") == said
    assert ">Try again</a>" in got


@pytest.mark.parametrize(
    ("ruleset", "question", "given", "variant", "leads"),
    [
        (
            "vehicles5",
            "explosion",
            {"vehicle": "Barrow carrier", "passengers": 8, "passenger_unit": "Furnace company"},
            {"passenger_unit": "Harbour watch"},
            "passengers_lost",
        ),
        (
            "deathwatch",
            "horde",
            {"horde": "Raider mob", "attacker": "Brother Cato"},
            {"attacker": "Brother Rurik"},
            "lost",
        ),
    ],
)
def test_a_comparison_and_a_map_open_with_what_the_bar_says(client, ruleset, question, given, variant, leads):
    card = registry.ruleset(ruleset)
    answers = [card.ask(question, **given), card.ask(question, **given | variant)]
    assert leading_measures(answers[0])[0].name == leads
    assert measure_to_compare(answers).name == leads
    (name, value), address = next(iter(variant.items())), urlencode(given)
    told = client.get(f"/{ruleset}/{question}/compare?{address}&_variant={quote_plus(f'{name}={value}')}").text
    assert f"{card.question(question).measure(leads).title}: no difference" not in told
    assert "no difference between" not in told
    heat_map = client.get(f"/{ruleset}/{question}/targets?{address}").text
    assert f"{card.question(question).measure(leads).title}" in heat_map
    assert "0 everywhere" not in heat_map


def test_where_the_bar_ties_the_next_leading_measure_that_differs_is_compared():
    card = registry.ruleset("diceless40k")
    given = {"first": "Assault Marines", "second": "Ork Boyz"}
    answers = [card.ask("fight", **given, charges=side) for side in ("first", "second")]
    measure = measure_to_compare(answers)
    assert answers[0].odds(measure.name) != answers[1].odds(measure.name)
