"""The JSON API: every question by its example, rolls, typed dice, advice, and problems in sentences."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from battletape import registry
from battletape.answer import ask
from battletape.errors import BadInput
from battletape.inputs import fields
from battletape.tape.question import BY_DEFAULT
from battletape.web.api.schemas import openapi
from battletape.web.limits import LIMITS
from tests.web.conftest import QUESTIONS

ATTACK = "/api/v1/attack_dice/questions/attack"


def plain(example):
    return msgspec.to_builtins(example, enc_hook=str)


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_every_example_runs_and_says_what_python_says(client, ruleset, question):
    card = registry.ruleset(ruleset)
    one = card.question(question)
    shape = client.get(f"/api/v1/{ruleset}/questions/{question}").json()
    assert shape["example"] == plain(one.example)
    response = client.post(f"/api/v1/{ruleset}/questions/{question}", json=shape["example"])
    assert response.status_code == 200
    found = response.json()
    assert found["kind"] == "odds"
    assert found["answer"]["headline"] == ask(card, one, one.example).headline
    assert client.get(found["address"]).status_code == 200
    rows = found["answer"]["measures"][0]["rows"]
    total = sum(Fraction(row["exactly"]["fraction"]) for row in rows)
    assert total == 1 or found["answer"]["measures"][0]["cut"] is not None


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_a_roll_with_a_seed_can_be_typed_in_again(client, ruleset, question):
    address = f"/api/v1/{ruleset}/questions/{question}"
    body = plain(registry.ruleset(ruleset).question(question).example)
    rolled = client.post(f"{address}?read=roll&seed=7", json=body).json()
    assert rolled["kind"] == "roll"
    assert client.post(f"{address}?read=roll&seed=7", json=body).json() == rolled
    params = [("read", "roll"), ("rest", "ask"), *(("answer", one) for one in rolled["answers"])]
    typed = client.post(address, params=params, json=body).json()
    assert typed["kind"] == "roll"
    assert typed["roll"]["results"] == rolled["roll"]["results"]
    unmarked = [{**line, "text": line["text"].removesuffix(BY_DEFAULT)} for line in rolled["roll"]["log"]]
    assert typed["roll"]["log"] == unmarked  # what is typed was chosen by a person


def test_a_missing_answer_is_asked_for_as_data(client):
    body = {"attacks": 3, "power": 6, "armour": 5}
    first = client.post(f"{ATTACK}?read=roll&rest=ask", json=body).json()
    assert first["kind"] == "need"
    assert (first["need"]["kind"], first["need"]["count"], first["need"]["needed"]) == ("pool", 3, "3+")
    second = client.post(f"{ATTACK}?read=roll&rest=ask&answer=7 3 0", json=body).json()
    assert second["need"]["label"] == "armour saves"
    assert second["answers"] == ["7 3 0"]
    done = client.post(f"{ATTACK}?read=roll&rest=ask&answer=7 3 0&answer=1 pass", json=body).json()
    assert done["kind"] == "roll"
    assert done["roll"]["results"][0]["value"] == 1


def test_half_typed_half_rolled(client):
    body = {"attacks": 3, "power": 6, "armour": 5}
    rolled = client.post(f"{ATTACK}?read=roll&seed=3", json=body).json()
    assert client.post(f"{ATTACK}?read=roll&seed=3&answer=", json=body).json()["answers"] == rolled["answers"]
    half = client.post(f"{ATTACK}?read=roll&seed=3&answer=3 pass", json=body).json()
    assert half["answers"][0] == "3 pass"
    assert len(half["answers"][1].split()) == 3
    wrong = client.post(f"{ATTACK}?read=roll&answer=9 9", json=body)
    assert wrong.status_code == 422
    assert "attack dice" in wrong.json()["detail"]


def test_an_empty_answer_is_rolled_and_the_next_question_still_asked(client):
    body = {"attacks": 3, "armour": 5}
    address = f"{ATTACK}?read=roll&rest=ask&seed=3"
    first = client.post(f"{address}&answer=", json=body).json()
    assert (first["kind"], first["need"]["label"]) == ("need", "armour saves")
    assert client.post(f"{address}&answer=", json=body).json() == first
    rolled = client.post(f"{ATTACK}?read=roll&seed=3", json=body).json()
    assert first["answers"] == rolled["answers"][:1]
    done = client.post(f"{address}&answer=&answer= ", json=body).json()
    assert (done["kind"], done["answers"]) == ("roll", rolled["answers"])


def test_the_dice_of_an_empty_answer_can_be_sent_back_without_a_seed(client):
    body = {"attacks": 30, "power": 6, "armour": 5}
    first = client.post(f"{ATTACK}?read=roll&rest=ask&answer=", json=body).json()
    assert len(first["answers"][0].split()) == 30
    params = [("read", "roll"), ("rest", "ask"), ("answer", first["answers"][0])]
    assert client.post(ATTACK, params=params, json=body).json() == first
    done = client.post(ATTACK, params=[*params, ("answer", "")], json=body).json()
    assert (done["kind"], done["answers"][0]) == ("roll", first["answers"][0])


@pytest.mark.parametrize("attacks, wanted", [(1, "1 face, or"), (3, "3 faces with spaces between them, or")])
def test_an_answer_is_asked_for_in_good_words(client, attacks, wanted):
    need = client.post(f"{ATTACK}?read=roll&rest=ask", json={"attacks": attacks, "armour": 5}).json()["need"]
    assert need["answer"].startswith(wanted)


def test_advice_for_a_goal(client):
    body = plain(registry.ruleset("vehicles5").question("tank_shock").example)
    response = client.post("/api/v1/vehicles5/questions/tank_shock?read=advice&measure=tank_destroyed", json=body)
    assert response.json()["kind"] == "advice"
    assert response.json()["advice"]["measure"] == "tank_destroyed"


@pytest.mark.parametrize(
    "query, body, status, field, words",
    [
        ("", '{"powr": 6}', 422, "powr", "Did you mean power?"),
        ("", '{"power": 600}', 422, "power", "from 0 to 100; got 600"),
        ("", '{"power": [6]}', 422, "power", "got a list"),
        ("", '{"weapon": {"name": "x"}}', 422, "weapon", "got an object"),
        ("", '{"weapon": "Yow bew"}', 422, "weapon", "Did you mean"),
        ("", '{"preset": 7}', 422, "preset", "there is no preset"),
        ("", "[1, 2]", 400, None, "must be a JSON object"),
        ("", '{"power": ', 400, None, "cannot be read"),
        ("", "\xff", 400, None, "cannot be read"),
        ("?most=0", "{}", 422, "most", "from 1 to 1,000"),
        ("?most=²", "{}", 422, "most", "from 1 to 1,000"),
        ("?read=tea", "{}", 422, "read", "one of odds, roll, advice"),
        ("?rest=tea", "{}", 422, "rest", "one of rolled, ask"),
        ("?side=attacker", "{}", 422, "side", "SIDE=max"),
        ("?measure=tea", "{}", 422, "measure", "there is no measure"),
        ("?power=6", "{}", 422, "power", "inputs go into the body"),
        ("?read=advice&side=nobody=max", "{}", 422, "side", "one of attacker, defender, such as attacker=max"),
        ("?read=advice&side=a%00=max", "{}", 422, "side", "got 'a\\x00'"),
        ("?read=advice&side==max", "{}", 422, "side", "got ''"),
        ("", '{"preset": {}}', 422, "preset", "preset must be one of "),
        ("", '{"power-bonus": 2, "power_bonus": 3}', 422, "power_bonus", "is given twice"),
        (
            "?read=roll&rest=ask" + "&answer=0 hits" * 400,
            "{}",
            422,
            None,
            "1 answer was needed, got 400; left over: 0 hit",
        ),
    ],
)
def test_what_does_not_fit_is_a_problem_with_a_sentence(client, query, body, status, field, words):
    response = client.post(ATTACK + query, content=body.encode("latin-1" if "\xff" in body else "utf-8"))
    assert response.status_code == status
    assert response.headers["Content-Type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == status
    assert problem.get("field") == field
    assert words in problem["detail"]


LONG = "x" * 60_000


@pytest.mark.parametrize(
    "query, body",
    [
        ("", {"weapon": LONG}),
        ("", {"power": LONG}),
        ("", {LONG: 1}),
        ("", {LONG: []}),
        ("", {"weapon": [LONG]}),
        ("", {"preset": LONG}),
        ("?read=roll", {"attacks": LONG}),
        (f"?read=roll&answer={LONG[:9_000]}", {}),
        (f"?read={LONG[:9_000]}", {}),
        (f"?measure={LONG[:9_000]}", {}),
        (f"?{LONG[:9_000]}=1", {}),
        (f"?read=roll{'&answer=0 hits' * 400}", {"attacks": 3}),
    ],
    ids=range(12),
)
def test_no_problem_repeats_all_that_came(client, query, body):
    response = client.post(ATTACK + query, json=body)
    assert response.status_code == 422
    assert len(response.content) < 1_200


def lists_of_names():
    for ruleset, question in QUESTIONS:
        for field in fields(registry.ruleset(ruleset).question(question).inputs):
            if field.kind == "names":
                yield ruleset, question, field.name


def test_what_is_no_list_of_names_is_a_sentence_by_every_door(client):
    found = list(lists_of_names())
    assert found
    for ruleset, question, name in found:
        for value in (1, True, 1.5):
            response = client.post(f"/api/v1/{ruleset}/questions/{question}", json={name: value})
            assert (response.status_code, response.json()["field"]) == (422, name)
            assert f"; got {value}" in response.json()["detail"]
        with pytest.raises(BadInput, match=f"^{name} must be .*; got 1"):
            registry.ruleset(ruleset).ask(question, **{name: 1})


def test_the_examples_of_every_place_can_be_sent_as_they_are(client):
    document = client.get("/api/v1/openapi.json").json()
    said = 0
    for system in client.get("/api/v1/rulesets").json():
        for one in system["questions"]:
            address = f"/api/v1/{system['name']}/questions/{one['name']}"
            body = document["paths"][address]["post"]["requestBody"]["content"]["application/json"]
            assert one["example"] == body["example"] == client.get(address).json()["example"]
            assert client.post(address, json=one["example"]).json()["kind"] == "odds"
            said += 1
    assert said == len(QUESTIONS)


@pytest.mark.parametrize("ruleset, question", QUESTIONS[::3])
def test_one_row_is_all_there_is_if_no_more_is_wanted(client, ruleset, question):
    address = f"/api/v1/{ruleset}/questions/{question}"
    measures = client.post(f"{address}?most=1", json={}).json()["answer"]["measures"]
    assert all(len(measure["rows"]) == 1 for measure in measures if measure["kind"] == "number")


@pytest.mark.parametrize("ruleset, question", QUESTIONS[::3])
def test_advice_wants_no_more_than_the_question(client, ruleset, question):
    address = f"/api/v1/{ruleset}/questions/{question}?read=advice"
    body = plain(registry.ruleset(ruleset).question(question).example)
    got = client.post(address, json=body).json()
    assert got.get("kind") == "advice" or got["title"] == "This question is too large"


def test_a_goal_that_is_no_number_is_told_what_would_do(client):
    told = 0
    for ruleset, question in QUESTIONS:
        address = f"/api/v1/{ruleset}/questions/{question}"
        measures = client.post(address, json={}).json()["answer"]["measures"]
        for measure in measures:
            if isinstance(measure["rows"][0]["value"], str) and measure["kind"] == "other":
                response = client.post(f"{address}?read=advice&measure={measure['name']}", json={})
                if response.status_code != 200:  # a value in words may well be a number
                    told += 1
                    assert (response.status_code, response.json()["field"]) == (422, "measure")
                    assert any(
                        each["name"] in response.json()["detail"] for each in measures if each["kind"] != "other"
                    )
    assert told


def test_what_is_not_there_is_a_problem_too(client):
    assert client.get("/api/v1").headers["Location"] == "/api/v1/rulesets"
    assert client.get(f"/api/v1/attack_dice/clauses?words={'x' * 201}").json()["field"] == "words"
    for address in ("nope/questions/attack", "attack_dice/questions/nope", "attack_dice/clauses/AD-999", "nope"):
        response = client.get(f"/api/v1/{address}")
        assert response.status_code == 404
        assert response.headers["Content-Type"] == "application/problem+json"
    assert client.delete(ATTACK).status_code == 405
    assert client.delete(ATTACK).headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
@pytest.mark.parametrize(
    "address", ["v1/attack_dice/questions", "v1/nope", "v2", "v2/", "v2/rulesets", "units", "v2/attack/roll", "rules/x"]
)
def test_no_page_answers_under_the_api(client, address, method):
    response = client.request(method, f"/api/{address}")
    assert (response.status_code, response.headers["Content-Type"]) == (404, "application/problem+json")
    assert f"nothing at /api/{address}. " in response.json()["detail"]
    assert response.json()["detail"].endswith(" start at /api/v1/rulesets.")


def test_every_problem_is_explained(client):
    page = client.get("/api").text
    document = client.get("/api/v1/openapi.json").json()
    promised = {
        status for path in document["paths"].values() for one in path.values() for status in one["responses"]
    } - {"200"}
    assert "431" in promised
    assert promised == set(re.findall(r'id="problem-(\d+)"', page))


def test_clauses_and_profiles(client):
    found = client.get("/api/v1/attack_dice/clauses?words=aegis save").json()
    assert (found["count"], found["of"]) == (len(found["clauses"]), 93)
    assert found["clauses"]
    assert all("aegis" in str(one).lower() for one in found["clauses"])
    assert client.get("/api/v1/attack_dice/clauses/AD-7").json()["questions"] == ["attack", "volley", "chart"]
    assert client.get("/api/v1/attack_dice/profiles").json()["kinds"][0]["title"] == "Units"


def test_the_document_holds_every_question_with_its_own_schema(client):
    document = client.get("/api/v1/openapi.json").json()
    assert document == msgspec.json.decode(msgspec.json.encode(openapi()))
    for ruleset, question in QUESTIONS:
        path = document["paths"][f"/api/v1/{ruleset}/questions/{question}"]
        body = path["post"]["requestBody"]["content"]["application/json"]
        schema = document["components"]["schemas"][body["schema"]["$ref"].rsplit("/", 1)[-1]]
        card = registry.ruleset(ruleset)
        wanted = {*card.question(question).inputs.__struct_fields__, *card.rulings.__struct_fields__}
        assert wanted <= set(schema["properties"])
        assert set(body["example"]) <= set(schema["properties"])


def test_every_reference_of_the_document_leads_somewhere():
    document = msgspec.json.decode(msgspec.json.encode(openapi()))
    schemas = document["components"]["schemas"]

    def references(node):
        if isinstance(node, dict):
            if isinstance(node.get("$ref"), str):
                yield node["$ref"]
            for value in node.values():
                yield from references(value)
        elif isinstance(node, list):
            for value in node:
                yield from references(value)

    assert {reference.removeprefix("#/components/schemas/") for reference in references(document)} <= set(schemas)


def test_the_page_shows_every_question(client):
    text = client.get("/api").text
    for ruleset, question in QUESTIONS:
        assert f"/api/v1/{ruleset}/questions/{question}" in text


def test_the_requests_of_the_docs_get_what_the_docs_say(client):
    text = (Path(__file__).parents[2] / "docs" / "web.md").read_text(encoding="utf-8")
    asked = re.findall(r'curl -s "\$ADDRESS(\S+)"(?: \\\n +| )-d \'(.+)\'', text)
    form = {"Content-Type": "application/x-www-form-urlencoded"}  # as curl sends it
    replies = [client.post(path, content=body, headers=form).json() for path, body in asked]
    assert [reply["kind"] for reply in replies] == ["odds", "roll", "need"]
    for address in re.findall(r"`GET (/api/v1/[^?`]+)", text):
        path = address.replace("RULESET", "attack_dice").replace("QUESTION", "attack")
        assert client.get(path).status_code == 200


def test_the_docs_tell_the_times_there_are():
    text = (Path(__file__).parents[2] / "docs" / "web.md").read_text(encoding="utf-8")
    assert f"{LIMITS.patient:g} seconds of work" in text
    assert f"{2 * LIMITS.grace:g} more seconds" in text
    assert f"when many ask at once | {LIMITS.queue:g} seconds" in text
