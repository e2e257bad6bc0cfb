"""The rule book: every clause and table, found by words, and linked with questions and sources."""

from __future__ import annotations

import re
from html import unescape

import pytest

from battletape import registry
from battletape.views.rulebook import ClausePage, book_page, clause_page, pieces, questions_by_clause, source_views
from tests.web.page import Page

HTMX = {"HX-Request": "true"}
NAMES = [name for name in registry.names() if name != "toy"]


def ids(html: str) -> list[str]:
    return [one["id"] for one in Page(html).all("li", class_="rule")]


@pytest.mark.parametrize("name", NAMES)
def test_the_book_holds_every_clause_in_its_chapter(client, name):
    html = client.get(f"/{name}/rules").text
    book = registry.ruleset(name).clauses
    assert sorted(ids(html)) == sorted(one.id for one in book)
    for topic in {one.topic for one in book}:
        chapter = client.get(f"/{name}/rules", params={"topic": topic}).text
        assert ids(chapter) == [one.id for one in book if one.topic == topic]


@pytest.mark.parametrize("name", NAMES)
def test_every_clause_has_a_page_with_its_words_and_links_that_lead_somewhere(client, name):
    known = set(registry.ruleset(name).clauses.by_id)
    questions = {question.name for question in registry.ruleset(name).questions}
    for one in registry.ruleset(name).clauses:
        response = client.get(f"/{name}/rules/{one.id}")
        assert response.status_code == 200
        assert one.words in unescape(re.sub(r"</?a[^>]*>", "", response.text))
        for link in re.findall(rf'href="/{name}/rules/([^"#?]+)"', response.text):
            assert unescape(link) in known
        asked = re.findall(rf'<li><a href="/{name}/([^"/?]+)', response.text)
        assert set(asked) <= questions


@pytest.mark.parametrize("name", NAMES)
def test_a_clause_and_its_questions_know_each_other(name):
    card = registry.ruleset(name)
    for clause, questions in questions_by_clause(card).items():
        assert [question.name for question in clause_page(card, clause, evidence=False).entry.questions] == [
            question.name for question in questions
        ]
    assert any(questions_by_clause(card).values())


def asked_in(name: str, clause: str) -> set[str]:
    return {question.name for question in clause_page(registry.ruleset(name), clause, evidence=False).entry.questions}


def test_a_clause_names_every_question_whose_answer_may_rest_on_it():
    """Also where the example of the question does not come by it."""
    assert {"shoot", "fight", "duel"} <= asked_in("deathwatch", "DW-RF-1")
    assert asked_in("deathwatch", "DW-HORDE-3") == {"horde", "suppress"}  # suppressing fire may fall on mobs, too
    assert asked_in("deathwatch", "DW-RWEP-02") >= {"shoot", "duel"}  # a weapon that can be picked
    assert asked_in("vehicles5", "V5-RAM-7") == {"ram"}
    assert asked_in("vehicles5", "V5-WALK-15") == {"ram"}
    assert asked_in("attack_dice", "AD-56") >= {"attack", "volley"}
    assert "bleeding" not in asked_in("deathwatch", "DW-RF-1")


@pytest.mark.parametrize("name", NAMES)
def test_few_clauses_are_used_by_nothing(name):
    card = registry.ruleset(name)
    idle = [
        one.id for one in card.clauses if one.status == "done" and not _uses(clause_page(card, one.id, evidence=False))
    ]
    assert len(idle) < len(card.clauses) / 12


def _uses(page: ClausePage) -> bool:
    return bool(page.entry.questions or page.actions or page.rulings)


@pytest.mark.parametrize(
    "name, clause, rest, do_not",
    [
        ("diceless40k", "DL-42.5", {"fight", "assault_or_stay"}, {"shoot", "shoot_vehicle"}),  # witchblades strike
        ("diceless40k", "DL-31.1", {"shoot", "blast"}, {"fight", "assault_vehicle"}),  # shots get hot
        ("attack_dice", "AD-59", {"attack", "volley"}, set()),  # a dial that cites no clause of its own
    ],
)
def test_the_questions_of_a_special_rule_are_those_whose_stages_it_attaches_to(name, clause, rest, do_not):
    found = {question.name for question in clause_page(registry.ruleset(name), clause, evidence=False).entry.questions}
    assert rest <= found
    assert not do_not & found


def test_a_clause_names_the_actions_of_a_battle_that_rest_on_it(client):
    ram = "Drive a tank into an enemy vehicle"
    assert ram in clause_page(registry.ruleset("vehicles5"), "V5-RAM-7").actions
    assert ram in client.get("/vehicles5/rules/V5-RAM-7").text
    smoke = clause_page(registry.ruleset("vehicles5"), "V5-SMOKE-3").actions
    assert smoke[0] == "Set off smoke"
    assert ram not in smoke


@pytest.mark.parametrize("name", NAMES)
def test_every_table_is_a_table_with_all_its_cells(client, name):
    html = client.get(f"/{name}/tables").text
    page = Page(html)
    tables = registry.ruleset(name).tables()
    assert len(page.all("table", class_="print")) == len(tables)
    cells = sum(len(table.head) + sum(map(len, table.rows)) for table in tables)
    assert len(page.all("th")) + len(page.all("td")) == cells
    assert len(page.all("th", scope="row")) == sum(len(table.rows) for table in tables)
    assert '<th scope="col"></th>' not in html  # a reader would read out nothing


@pytest.mark.parametrize("name", NAMES)
def test_the_sources_hold_every_clause_once(name):
    card = registry.ruleset(name)
    listed = [one.name for source in source_views(card) for one in source.clauses]
    assert sorted(listed) == sorted(card.clauses.by_id)


def test_sources_stand_in_the_order_of_their_lines():
    lines = [
        view.source for view in source_views(registry.ruleset("vehicles5")) if view.source.startswith("sheet, line")
    ]
    first = [int(re.findall(r"\d+", line)[0]) for line in lines]
    assert first == sorted(first)


def test_a_clause_leads_to_its_place_in_the_source(client):
    page = clause_page(registry.ruleset("vehicles5"), "V5-PEN-4")
    html = client.get("/vehicles5/rules/V5-PEN-4").text
    assert f'href="/vehicles5/sources#{page.source_anchor}"' in html
    assert (
        f'<tr id="{page.source_anchor}"><th scope="row">sheet, line 113</th>' in client.get("/vehicles5/sources").text
    )


def test_a_clause_shows_its_own_table_and_its_neighbours(client):
    html = client.get("/vehicles5/rules/V5-PEN-4").text
    assert "weapon destroyed</td>" in html
    assert 'rel="prev" href="/vehicles5/rules/V5-PEN-3"' in html
    assert 'rel="next" href="/vehicles5/rules/V5-DMG-1"' in html


def test_a_clause_names_its_code_and_its_tests(client):
    assert "<code>" not in client.get("/deathwatch/rules/DW-DMG-4").text.split("In a battle")[0]
    html = client.get("/deathwatch/rules/DW-DMG-4?code=1").text
    assert "<code>rules.wounds.take_hit_part</code>" in html
    assert "<code>tests/deathwatch/test_wounds.py::test_minions_die_of_any_critical_damage</code>" in html


def test_words_are_found_everywhere_and_titles_come_first(client):
    html = client.get("/vehicles5/rules?words=WALKERS").text
    found = ids(html)
    titles = [registry.ruleset("vehicles5").clauses[one].title.lower() for one in found]
    with_word = ["walkers" in title for title in titles]
    assert with_word == sorted(with_word, reverse=True)
    assert with_word[:3] == [True] * 3
    assert "<mark>Walkers</mark>" in html
    assert set(ids(client.get("/vehicles5/rules?words=line+113").text)[:2]) == {"V5-SHOT-10", "V5-PEN-4"}
    assert ids(client.get("/vehicles5/rules?words=v5-pen-4").text)[0] == "V5-PEN-4"


def test_a_word_of_a_cell_finds_the_table(client):
    page = book_page(registry.ruleset("vehicles5"), "immobilised weapon destroyed")
    assert "Damage" in [table.table.title for table in page.tables]
    html = client.get("/vehicles5/rules?words=immobilised+weapon+destroyed").text
    assert "weapon destroyed</td>" in html


def test_while_typing_only_the_finds_come_and_the_address_follows(client):
    response = client.get("/attack_dice/rules", params={"words": "aegis save"}, headers=HTMX)
    assert response.status_code == 200
    assert "<html" not in response.text
    assert response.headers["HX-Replace-Url"] == "/attack_dice/rules?words=aegis+save"
    assert re.search(r'data-said="\d+ of 93 rules fit “aegis save”', response.text)
    assert client.get("/attack_dice/rules", headers=HTMX).headers["HX-Replace-Url"] == "/attack_dice/rules"


def test_nothing_found_says_what_would_do(client):
    response = client.get("/attack_dice/rules?words=xyzzy")
    assert response.status_code == 200
    assert "No rule and no table fits “xyzzy”" in response.text


def test_an_unknown_clause_names_the_nearest(client):
    response = client.get("/attack_dice/rules/AD-700")
    assert response.status_code == 404
    assert "AD-70" in response.text


def test_what_was_looked_for_goes_out_escaped(client):
    for asked in ({"words": "<script>alert(1)</script>"}, {"topic": "<script>alert(1)</script>"}):
        response = client.get("/attack_dice/rules", params=asked)
        assert "&lt;script&gt;alert" in response.text
        assert "<script>alert" not in response.text


def test_an_unknown_topic_is_told_with_those_there_are(client):
    response = client.get("/deathwatch/rules", params={"topic": "hordess"})
    assert response.status_code == 404
    assert "there is no topic" in response.text
    assert "hordes" in response.text.replace("hordess", "")


def test_ids_in_a_text_become_links_but_not_its_own():
    cut = pieces(registry.ruleset("vehicles5"), "turn", own_id="V5-MOVE-1")
    found = [(one.text, one.kind) for one in cut("Never Turn (V5-DMG-4), V5-MOVE-1, D-ROAD.")]
    assert found == [
        ("Never ", "plain"),
        ("Turn", "mark"),
        (" (", "plain"),
        ("V5-DMG-4", "clause"),
        ("), V5-MOVE-1, D-ROAD.", "plain"),
    ]


def test_beside_an_answer_a_clause_is_its_text_alone(client):
    response = client.get("/attack_dice/rules/AD-7", headers=HTMX)
    assert response.status_code == 200
    assert "<html" not in response.text
    assert registry.ruleset("attack_dice").clauses["AD-7"].words in unescape(re.sub(r"</?a[^>]*>", "", response.text))


def test_the_page_of_a_clause_shows_the_rule_and_few_other_places(client):
    code = clause_page(registry.ruleset("vehicles5"), "V5-CORE-16").code
    html = client.get("/vehicles5/rules/V5-CORE-16?code=1").text
    assert f'<dt>Rule</dt><dd class="code"><code>{code[0]}</code></dd>' in html
    others = "".join(f"<code>{place}</code>" for place in code[1:9])
    assert f'<dt>Also in</dt><dd class="code">{others}<span>and {len(code) - 9} more</span></dd>' in html


# --- short, and with the way back -------------------------------------------------------------------------------------


def test_titles_come_first_and_texts_on_tap(client):
    book = Page(client.get("/vehicles5/rules").text)
    assert book.all("details", class_="chapter")
    assert not [found for found in book.all("details") if "open" in found]
    search = Page(client.get("/vehicles5/rules?words=hull+down").text)
    assert [("open" in found) for found in search.all("details")].count(True) == 1
    html = client.get("/vehicles5/rules?words=hull+down").text
    assert "taken as “vehicle in cover”" in html
    assert ids(html)[0] == "V5-SHOT-2"


def test_several_rules_of_one_line_open_together(client):
    part = client.get("/attack_dice/rules/AD-7,AD-13", headers=HTMX).text
    page = client.get("/attack_dice/rules/AD-7,AD-13").text
    for html in (part, page):
        for clause in ("AD-7", "AD-13"):
            assert registry.ruleset("attack_dice").clauses[clause].title in unescape(html)
    assert "<html" in page
    assert client.get("/attack_dice/rules/AD-7,AD-7000").status_code == 404


ASKED = "/vehicles5/shoot?front=13&smoke=yes"


def test_a_rule_leads_back_to_the_question_and_to_others_with_its_values(client):
    part = client.get(
        "/vehicles5/rules/V5-SHOT-4", headers={**HTMX, "HX-Current-URL": f"http://testserver{ASKED}"}
    ).text
    onward = next(unescape(one["href"]) for one in Page(part).all("a") if "from=" in one.get("href", ""))
    html = client.get(onward).text
    links = [unescape(one["href"]) for one in Page(html).all("a") if "href" in one]
    assert ASKED in links
    volleys = next(link for link in links if link.startswith("/vehicles5/kill_time"))
    assert "front=13" in volleys
    assert "smoke=yes" in volleys
    assert client.get(volleys).status_code == 200
    assert 'rel="next" href="/vehicles5/rules/V5-SHOT-5?from=' in html


def test_a_way_that_leads_nowhere_is_forgotten(client):
    for came in (
        "//evil.example/vehicles5/shoot",
        "/deathwatch/shoot",
        "/vehicles5/shoot?front=x",
        "/vehicles5/nope",
        "x",
    ):
        html = client.get("/vehicles5/rules/V5-SHOT-4", params={"from": came}).text
        assert "from=" not in html
        assert "evil" not in html


def test_a_ruling_is_called_by_its_title(client):
    html = client.get("/vehicles5/rules/V5-SHOT-4").text
    assert "facing_model" not in html
    assert "“Borders of the facings”" in html
