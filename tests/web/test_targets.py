"""The heat map: targets in rows, weapons or measures in columns, a number and a link in every cell."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import count
from typing import Any
from urllib.parse import parse_qsl, quote_plus, urlencode, urlsplit

import pytest
from msgspec.structs import replace

from battletape import registry
from battletape.answer import ask
from battletape.odds import Odds
from battletape.tape.exact import Memo
from battletape.tape.limits import Budget
from battletape.views import heat as views_heat
from battletape.views.profile_choices import profile_choices
from battletape.web.pages import targets as page_targets
from tests.web.conftest import QUESTIONS
from tests.web.page import Page
from tests.web.test_compare import example_address

SLOW = {("vehicles5", "walker_fight"), ("deathwatch", "duel"), ("deathwatch", "horde_attacks")}
ATTACK = "/attack_dice/attack/targets?attacks=12&power=6"


def cells(page: Page) -> list[str]:
    return [one["class"] for one in page.all("td") if re.fullmatch(r"h[0-5]", one.get("class", ""))]


def row_names(text: str) -> list[str]:
    return re.findall(r'<tr><th scope="row">([^<]+)</th>', text)


@pytest.mark.parametrize("ruleset, question", [one for one in QUESTIONS if one not in SLOW][::3])
def test_every_question_with_profiles_has_one(client, ruleset, question):
    card = registry.ruleset(ruleset)
    address = example_address(ruleset, question, "/targets")
    response = client.get(address)
    assert response.status_code == 200
    offered = "Heat map" in client.get(address.replace("/targets", ""), headers={"HX-Request": "true"}).text
    if not profile_choices(card, card.question(question)):
        assert not offered
        assert "takes no units, vehicles or weapons by their names" in response.text
        return
    assert offered
    page = Page(response.text)
    assert cells(page)
    assert page.all("caption")
    links = [one["href"] for one in page.all("a") if one.get("href", "").startswith(f"/{ruleset}/{question}?")]
    assert client.get(links[-1]).status_code == 200


def test_a_cell_says_what_its_question_says(client):
    query = urlencode({"_row": "Hill raiders", "_col": "Ember thrower"})
    response = client.get(f"{ATTACK}&{query}")
    (link,) = re.findall(r'<td class="h\d"><a href="([^"]+)">', response.text)
    card = registry.ruleset("attack_dice")
    mean = ask(card, card.question("attack"), {"unit": "Hill raiders", "weapon": "Ember thrower"}).odds().mean
    assert f">{float(mean):.2f}</a>" in response.text
    assert f"{float(mean):.2f}" in client.get(link.replace("&amp;", "&")).text


def test_the_attacker_as_asked_stands_first(client):
    """Numbers of no profile have a column of their own; a profile that was named leads the others."""
    got = client.get(f"{ATTACK}&_row=Hill+raiders").text
    assert column_names(got)[0] == "own numbers"
    link = re.findall(r'<td class="h\d"><a href="([^"]+)">', got)[0].replace("&amp;", "&")
    assert "power=6" in link
    assert "weapon=" not in link
    mean = float(registry.ruleset("attack_dice").ask("attack", attacks=12, power=6, unit="Hill raiders").odds().mean)
    assert f'{link.replace("&", "&amp;")}">{mean:.2f}</a>' in got
    named = client.get("/attack_dice/attack/targets?weapon=Yew+bow&unit=Hill+raiders").text
    assert column_names(named)[0] == "Yew bow"
    assert row_names(named)[0] == "Hill raiders"
    assert "own numbers" not in column_names(named) + row_names(named)


def test_own_numbers_can_be_left_out_and_chosen(client):
    chosen = client.get(f"{ATTACK}&_row=&_row=Hill+raiders&_col=").text
    assert row_names(chosen) == ["own numbers", "Hill raiders"]
    assert column_names(chosen) == ["own numbers"]
    assert "own numbers" not in column_names(client.get(f"{ATTACK}&_col=Yew+bow").text)


def test_a_cell_opens_on_what_it_shows(client):
    """The measure is the one of the column, or the one that was chosen for all cells."""
    by_measure = client.get("/vehicles5/shoot/targets?_cols=measures&_row=Hay+wain").text
    shown = {measure.name for measure in registry.ruleset("vehicles5").question("shoot").measures}
    named = re.findall(r'<td class="h\d"><a href="[^"]*_measure=(\w+)"', by_measure)
    assert len(named) > 3
    assert len(set(named)) == len(named)
    assert set(named) <= shown
    by_weapon = client.get(f"{ATTACK}&_row=Hill+raiders&_col=Ember+thrower&_measure=hp_lost").text
    (link,) = re.findall(r'<td class="h\d"><a href="([^"]+)">', by_weapon)
    opened = client.get(link.replace("&amp;", "&")).text
    assert re.search(r'value="hp_lost" id="m-hp_lost" checked', opened)


def test_measures_in_columns_sort_by_link(client):
    address = "/vehicles5/shoot/targets?_blank=1&_cols=measures&_sort="
    down, up = (client.get(address + sort).text for sort in ("destroyed", "-destroyed"))
    assert {row_names(down)[0], row_names(up)[-1]} == {"Hay wain", "Stilt scout"}  # equally weak
    assert 'aria-sort="descending"' in down
    assert 'aria-sort="ascending"' in up
    shown = [float(one.strip("<>% ")) for one in re.findall(r"</th>\s*<td class=\"h\d\"><a[^>]+>([^<]+)</a>", down)]
    assert shown == sorted(shown, reverse=True)
    assert "_sort=-destroyed" in down


def test_the_rows_can_be_chosen(client):
    names = ["Anvil battle tank", "Hay wain"]
    response = client.get(
        "/vehicles5/shoot/targets?" + urlencode([("_cols", "measures"), *(("_row", one) for one in names)])
    )
    assert row_names(response.text) == names
    form = Page(response.text)
    assert [value for name, value in form.pairs if name == "_row"] == names
    again = client.get("/vehicles5/shoot/targets", params=form.pairs)
    assert row_names(again.text) == names


def test_a_cell_that_cannot_be_says_why(client):
    response = client.get(
        "/vehicles5/tank_shock/targets?_rows=vehicle&_cols=measures&_row=Ember+cart&_row=Anvil+battle+tank"
    )
    assert response.status_code == 200
    assert "<sup>1</sup>" in response.text
    assert "only a tank may tank shock" in Page(response.text).text("whys")


def test_own_profiles_stand_in_the_rows(client):
    mine = '[[unit]]\nname = "My wall"\nmodels = 3\nhp = 9\ndefence = 4\nmove = 1\ndash = 1\nweapons = []\n'
    response = client.get(f"{ATTACK}&{urlencode({'_own': mine, '_row': 'My wall', '_cols': 'measures'})}")
    assert row_names(response.text) == ["My wall"]
    link = re.findall(r'<td class="h\d"><a href="([^"]+)">', response.text)[0]
    opened = client.get(link.replace("&amp;", "&"))
    assert opened.status_code == 200
    assert "My wall" in opened.text


def test_what_does_not_fit_is_a_sentence(client):
    for query, said in (("_rows=nope", "nope"), ("_row=Nobody", "Nobody"), ("_cols=nope", "nope")):
        response = client.get(f"{ATTACK}&{query}")
        assert response.status_code == 422
        assert said in response.text
    response = client.get("/vehicles5/pinning/targets?_blank=1&_cols=nope")  # nothing else takes profiles there
    assert (response.status_code, "nope" in response.text) == (422, True)


CATO = "/deathwatch/horde_attacks/targets?weapon=Autogun&target=Brother+Cato&horde=Raider+mob&bs=51"
KRAK = "/vehicles5/assault/targets?attackers=grenade=krak"
TWO = f"{ATTACK}&_row=Hill+raiders&_col=Ember+thrower&_col="


def leave_out(monkeypatch: pytest.MonkeyPatch, part: Fraction, *weapons: str) -> None:
    """From here on, answers about these weapons, or about all, leave out a part."""

    def cut(ruleset: Any, question: Any, given: Any, **more: Any) -> Any:
        answer = ask(ruleset, question, given, **more)
        if weapons and given.get("weapon") not in weapons:
            return answer
        weights = {value: weight * (1 - part) * part.denominator for value, weight in answer.states.weights.items()}
        whole = answer.states.total * part.denominator
        return replace(answer, states=Odds({value: int(weight) for value, weight in weights.items()}, whole))

    monkeypatch.setattr(views_heat, "ask", cut)


def rush(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on, a second passes whenever somebody looks at the clock."""
    clock = count(0.0, 1.0).__next__
    monkeypatch.setattr(views_heat, "monotonic", clock)
    monkeypatch.setattr(page_targets, "monotonic", clock)


def column_names(text: str) -> list[str]:
    return re.findall(r"<th scope=\"col\"[^>]*><a [^>]+>([^<]+)</a>", text)[1:]


def test_a_cell_that_is_too_much_work_says_so_and_is_no_answer(client, monkeypatch):
    other = next(one for one in column_names(client.get(ATTACK).text) if one not in ("own numbers", "Ember thrower"))
    leave_out(monkeypatch, Fraction(1, 100), other)
    got = client.get(TWO + quote_plus(other)).text
    assert len(re.findall(r'<td class="h\d"><a ', got)) == 1
    assert re.search(r'<td class="h0"><span class="none"><span class="sr">not possible, see note </span>–', got)
    assert "too much work to stand here" in Page(got).text("whys")
    assert "makes no difference" not in got


def test_a_cell_with_a_choice_that_rests_on_little_is_no_answer(client, monkeypatch):
    def ask_little(*args: Any, **more: Any) -> Any:
        return ask(*args, **more | {"budget": Budget(branches=800), "memo": Memo()})

    monkeypatch.setattr(views_heat, "ask", ask_little)
    got = client.get("/deathwatch/fire_mode/targets?weapon=Autogun&turns=4&_row=Raider&_cols=measures").text
    assert "too much work to stand here" in Page(got).text("whys")
    assert not re.search(r'<td class="h\d"><a ', got)


def test_a_tiny_part_may_be_left_out(client, monkeypatch):
    leave_out(monkeypatch, Fraction(1, 10_000_000))
    got = client.get(f"{ATTACK}&_row=Hill+raiders").text
    assert 'class="none"' not in got
    assert "not enough time" not in got


def shown(text: str) -> str:
    """The cells of a heat map, with what they say and where they lead."""
    return str(re.findall(r"<tbody>.*?</tbody>", text, re.DOTALL)[0])


def is_known(row: str) -> list[bool]:
    return ["…" not in cell for cell in re.findall(r"<td.*?</td>", row, re.DOTALL)]


NAMED = "/attack_dice/attack/targets?weapon=Yew+bow&unit=Marsh+hobs&attacks=9&_row=Hill+raiders&_row=Marsh+hobs&_row=Cellar+vermin&_col=Ember+thrower&_col=Yew+bow"  # noqa: E501


def test_a_map_comes_cell_by_cell_and_ends_whole_however_slow_the_machine_is(client, hasty, monkeypatch):
    """One cell at a time if need be: what was asked first, then its row and its column; the verdict comes last."""
    calm = client.get(NAMED).text
    rush(monkeypatch)
    got = hasty.get(NAMED).text
    seen = []
    for done in range(6):
        page = Page(got)
        assert page.text("headline") == f"{done} of 6 cells are worked out; the others are on their way."
        (part,) = page.all("section", id="heatmap")
        assert (part["aria-busy"], part["data-done"]) == ("true", str(done))
        assert part["data-more"].startswith("/attack_dice/attack/targets/more?")
        seen.append([is_known(row) for row in shown(got).split("</tr>")[:-1]])
        got = hasty.get(part["data-more"]).text
    assert seen[1] == [[False, False], [False, True], [False, False]]
    assert seen[2] == [[False, False], [True, True], [False, False]]
    assert seen[4] == [[False, True], [True, True], [False, True]]
    assert "data-more" not in got
    assert shown(got) == shown(calm)
    assert Page(got).text("headline") == Page(calm).text("headline")
    assert shown(hasty.get(NAMED).text) == shown(calm)


def test_without_scripts_a_map_goes_on_by_itself(hasty, monkeypatch):
    rush(monkeypatch)
    got = hasty.get(NAMED).text
    assert '<noscript><meta http-equiv="refresh" content="1"></noscript>' in got
    (link,) = re.findall(r'<p class="nojs"><a class="btn" href="([^"]+)">Work out the rest</a>', got)
    for _ in range(6):
        got = hasty.get(link.replace("&amp;", "&")).text
    assert "http-equiv" not in got
    assert "Work out the rest" not in got
    assert "most with" in Page(got).text("headline")


def test_a_file_of_a_map_has_all_its_cells(client, hasty, monkeypatch):
    calm = client.get(NAMED.replace("/targets", "/targets.csv")).text
    rush(monkeypatch)
    assert hasty.get(NAMED.replace("/targets", "/targets.csv")).text == calm
    assert ",," not in calm


def test_a_cell_that_needs_more_time_than_a_turn_has_comes_last_and_comes(client, hasty, monkeypatch):
    """What does not fit into the first of a turn goes to the patient lane, which has more branches for it."""
    calm = client.get(NAMED).text
    rush(monkeypatch)
    monkeypatch.setattr(views_heat, "SURE_BRANCHES", 1)
    monkeypatch.setattr(views_heat, "AMPLE_SECONDS", 0.05)
    got = hasty.get(NAMED).text
    tries = 0
    while "data-more" in got and tries < 20:
        got = hasty.get(NAMED.replace("/targets", "/targets/more")).text
        tries += 1
    assert shown(got) == shown(calm)


@pytest.mark.parametrize("address", [ATTACK, CATO, KRAK, "/vehicles5/shoot/targets?_blank=1&_cols=measures"])
def test_the_same_address_shows_the_same_rows_and_columns(client, hasty, monkeypatch, address):
    calm = client.get(address).text
    rush(monkeypatch)
    late = hasty.get(address).text
    assert "not worked out yet" in late
    assert row_names(late) == row_names(calm)
    assert column_names(late) == column_names(calm)


def glances(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The work of every glance from here on."""
    works: list[int] = []
    glance = views_heat._glance

    def noted(*args: Any) -> tuple[float, int]:
        figure, work = glance(*args)
        works.append(work)
        return figure, work

    monkeypatch.setattr(views_heat, "_glance", noted)
    return works


UNSEEN = re.compile(r"So large a question is much work: only (\d+) of (\d+) in “[^”]+” were tried to find columns")


def test_columns_of_a_question_that_is_much_work_are_not_all_looked_at(client, monkeypatch):
    works = glances(monkeypatch)
    calm = client.get(ATTACK + "&_new=0").text
    assert not UNSEEN.search(calm)
    all_of_them = len(works)
    works.clear()
    monkeypatch.setattr(views_heat, "GLANCE_WORK", 200)
    got = client.get(ATTACK + "&_new=1").text  # the same question, which has not been asked before
    assert 0 < len(works) < all_of_them / 2
    assert len(column_names(got)) == len(column_names(calm))
    ((tried, known),) = UNSEEN.findall(got)
    assert 0 < int(tried) < int(known)
    picture = client.get(ATTACK.replace("/targets", "/targets.svg") + "&_new=1")
    assert f"only {tried} of {known} in" in re.sub(r"<[^>]+>|\s+", " ", picture.text)


def test_the_columns_of_the_largest_question_are_a_matter_of_work_not_of_time(hasty, monkeypatch):
    address = "/diceless40k/tokens/targets?held=200&wanted=models&bs=10&further=4&toughness=10&wounds=10"
    monkeypatch.setattr(views_heat, "GLANCE_WORK", 30_000)
    works = glances(monkeypatch)
    calm = hasty.get(address).text
    first = works.copy()
    assert sum(first[:-1]) < views_heat.GLANCE_WORK  # only the last one may go beyond
    assert len(first) < len(registry.ruleset("diceless40k").book.entries["weapon"]) / 2
    assert UNSEEN.search(calm)
    works.clear()
    rush(monkeypatch)
    late = hasty.get(address + "&_new=1").text
    assert works == first
    assert column_names(late) == column_names(calm)
    assert UNSEEN.findall(late) == UNSEEN.findall(calm)


def test_what_is_large_to_read_is_much_work(hasty):
    """A hundred units that shoot: not all of them are tried, however fast they are read."""
    units = "&".join(f"shooters.{at}.unit=Space+Marines&shooters.{at}.name=S{at}" for at in range(100))
    got = hasty.get(f"/diceless40k/focus/targets?shooters.count=100&{units}").text
    assert UNSEEN.search(got)
    assert len(row_names(got)) == page_targets.ROWS


def test_a_question_that_cannot_be_asked_says_why(client):
    response = client.get("/diceless40k/focus/targets?shooters.count=2&shooters.0.name=Ash&shooters.1.name=Ash")
    assert response.status_code == 422
    assert "each with a name of its own" in response.text


def test_where_the_rules_refuse_all_it_says_so(client, monkeypatch):
    monkeypatch.setattr(views_heat, "_begins", lambda base, changes: False)
    response = client.get("/deathwatch/shoot/targets?_blank=1")
    assert response.status_code == 422
    assert "no profile for “Target&#39;s profile” fits this question as it is asked" in response.text
    monkeypatch.setattr(views_heat, "_begins", lambda base, changes: "target" in changes)
    assert "no profile for “Weapon&#39;s profile” fits" in client.get("/deathwatch/shoot/targets?_blank=1").text


def test_columns_without_a_difference_are_not_named(client):
    got = client.get(f"{KRAK}&_cols=grenade").text
    said = Page(got).text("headline")
    assert "makes no difference to “" in got
    assert "in this question as it is asked." in got
    assert "most with" in said
    assert not any(f", {one} (" in said for one in column_names(got))
    assert "makes no difference" not in client.get(ATTACK).text


def test_a_profile_called_own_numbers_is_another_row(client):
    mine = '[[vehicle]]\nname = "own numbers"\nfront = 10\nside = 10\nrear = 10\ntypes = ["tank"]\n'
    response = client.get(
        f"/vehicles5/shoot/targets?{urlencode({'_own': mine, '_cols': 'measures'})}&_row=&_row=own+numbers"
    )
    assert row_names(response.text) == ["own numbers", "own numbers"]
    rows = response.text.split("<tbody>")[1].split("</tr>")[:2]
    assert ["vehicle=own+numbers" in one for one in rows] == [False, True]


def test_blank_names_are_own_numbers_or_nothing(client):
    assert client.get("/vehicles5/shoot/targets?vehicle=Hay+wain&_row=&_cols=").status_code == 200
    said = client.get("/vehicles5/shoot/targets?_row=Nobody").text
    assert "Known: Tollgate wagon" in said


def test_the_map_says_the_whole_question_and_shows_columns_that_differ(client):
    guns = "guns=weapon%3DLascannon+models%3D3+facing%3Dside&smoke=yes&vehicle=Anvil+battle+tank"
    got = client.get(f"/vehicles5/shoot/targets?{guns}").text
    page = Page(got)
    assert page.text("asks") == "Smoke · 3 × any weapon, side"
    assert len(row_names(got)) == 17  # every vehicle
    assert column_names(got)[0] == "Lascannon"
    assert {"Meltagun", "Krak missile"} <= set(column_names(got))
    chips = [one for one in page.all("input", type="checkbox") if one["name"] == "_col"]
    assert sum("checked" in chip for chip in chips) == len(column_names(got)) < len(chips)
    lines = client.get(f"/vehicles5/shoot/targets.csv?{guns}").content.decode("utf-8-sig").splitlines()
    assert (lines[0].split(",")[:2], len(lines)) == (["Vehicle profile", "Lascannon"], 18)


def test_a_map_of_shots_at_people_is_not_cut_at_death(client):
    assert "Dead: most with" in Page(client.get("/deathwatch/shoot/targets?attacker=Brother+Cato").text).text(
        "headline"
    )


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_a_bare_heat_map_begins_with_the_example(client, ruleset, question):
    bare = client.get(f"/{ruleset}/{question}/targets?_sort=x")
    assert bare.status_code == 303
    address = example_address(ruleset, question, "/targets")
    assert bare.headers["Location"] == f"{address}{'&' if '?' in address else '?'}_sort=x"


@pytest.mark.parametrize(
    "ruleset, question", [("vehicles5", "shoot"), ("deathwatch", "shoot"), ("attack_dice", "attack")]
)
def test_its_columns_are_profiles_and_the_own_numbers_of_a_blank_one_stay(client, ruleset, question):
    page = client.get(client.get(f"/{ruleset}/{question}/targets").headers["Location"]).text
    assert "own numbers" not in " ".join([*row_names(page), *column_names(page)]).lower()
    blank = client.get(f"/{ruleset}/{question}/targets?_blank=1").text
    assert ("_blank", "1") in Page(blank).pairs
    assert "own numbers" in " ".join([*row_names(blank), *column_names(blank)]).lower()
    assert f'href="/{ruleset}/{question}?"' not in blank


@pytest.mark.parametrize(
    "question, axis", [("ram", "Heron carrier"), ("kill_time", "Lascannon"), ("walker_fight", "Warden strider")]
)
def test_columns_are_of_what_the_example_names(client, question, axis):
    got = client.get(example_address("vehicles5", question, "/targets")).text
    assert axis in column_names(got)
    assert "own numbers" not in " ".join(column_names(got)).lower()


def test_the_address_of_a_map_says_everything_once(client):
    """A value of the page that is not ours is kept too; said twice it would be another map, which begins anew."""
    address = f"{NAMED}&_blank=1&_sort=Yew+bow&_strange=1"
    hrefs = [one["href"] for one in Page(client.get(address).text).all("a") if "/targets" in one.get("href", "")]
    assert len(hrefs) > 3
    for href in hrefs:
        pairs = parse_qsl(urlsplit(href).query, keep_blank_values=True)
        assert len(set(pairs)) == len(pairs)
        assert ("_strange", "1") in pairs


def test_a_kind_of_file_that_there_is_not_is_refused_before_any_work(client, monkeypatch):
    asked = []
    whole = page_targets._get_on

    def noted(*args):
        asked.append(args)
        return whole(*args)

    monkeypatch.setattr(page_targets, "_get_on", noted)
    reply = client.get("/deathwatch/shoot/targets.json?distance=31")
    assert reply.status_code == 404
    assert "csv, png, svg" in reply.text
    assert not asked
