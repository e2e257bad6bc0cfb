"""Safe and steady: headers, escaping, no code inside a page, sizes, and a log that names nobody."""

from __future__ import annotations

import asyncio
import logging
import re

import pytest

from battletape.web.security import HEADERS
from tests.web.conftest import QUESTIONS
from tests.web.page import Page
from tests.web.pages import PAGES

ADDRESSES = [
    *PAGES.values(),
    "/attack_dice/nope",
    *(f"/{ruleset}/{question}?_blank=1" for ruleset, question in QUESTIONS),
]


@pytest.mark.parametrize("address", [*ADDRESSES, "/healthz", "/api/v1/rulesets", "/attack_dice/attack?power=x"])
def test_every_response_has_the_headers(client, address):
    response = client.get(address)
    for name, value in HEADERS.items():
        assert response.headers[name] == value


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_page_holds_code_or_styles_or_strangers(client, address):
    html = client.get(address).text
    page = Page(html)
    assert all(one.get("src", "").startswith("/static/") for one in page.all("script"))
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", html)
    for _, found in page.elements:
        for name in ("src", "href", "action", "hx-get"):
            assert not re.match(r"(https?:)?//", found.get(name, ""))


ATTACKS = ['"><script>alert(1)</script>', "'onmouseover='alert(1)", "</title><img src=x onerror=alert(1)>", "{{ 7*7 }}"]


@pytest.mark.parametrize("text", ATTACKS)
@pytest.mark.parametrize("name", ["weapon", "weapon_class", "attacker_melee", "power", "_measure", "x", "preset"])
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_whatever_comes_in_goes_out_escaped(client, text, name, headers):
    response = client.get("/attack_dice/attack", params={name: text, "_blank": "1"}, headers=headers)
    assert response.status_code in (200, 422)
    assert "<script>alert" not in response.text
    assert "<img src=x" not in response.text
    assert "'onmouseover='" not in response.text
    assert not [one for tag, one in Page(response.text).elements if any(key.startswith("on") for key in one)]
    assert not re.search(r"[^\d.]49[^\d.%]", response.text)


def test_an_unknown_path_is_escaped(client):
    response = client.get("/<script>alert(1)</script>")
    assert response.status_code == 404
    assert "<script>alert" not in response.text


def test_addresses_and_bodies_have_a_size(client):
    long = client.get("/attack_dice/attack?weapon=" + "x" * 17_000)
    assert long.status_code == 414
    assert "at most 16,000 characters" in long.text
    large = client.post("/api/v1/attack_dice/questions/attack", content=b" " * 70_000)
    assert large.status_code == 413
    assert large.json()["detail"].startswith("a body may have at most 64,000 bytes")
    assert client.get("/api/v1/attack_dice/clauses?words=" + "x" * 17_000).status_code == 414


def test_nesting_has_a_depth(client):
    body = b'{"guns": ' * 500 + b"1" + b"}" * 500
    response = client.post("/api/v1/vehicles5/questions/shoot", content=body)
    assert response.status_code == 422
    deep = b"[" * 60_000
    assert client.post("/api/v1/vehicles5/questions/shoot", content=deep).status_code in (400, 422)


def test_a_static_file_comes_packed_or_plain_and_not_again_where_it_is_known(client):
    plain = client.get("/static/x/js/main.js", headers={"Accept-Encoding": "identity"})
    packed = client.get("/static/x/js/main.js", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) < len(plain.content)
    assert plain.content == packed.content
    assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
    again = client.get("/static/x/js/main.js", headers={"If-None-Match": plain.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_static_files_are_served_and_nothing_else(client):
    page = Page(client.get("/").text)
    for one in [*page.all("script"), *page.all("link")]:
        response = client.get(one.get("src") or one["href"])
        assert response.status_code == 200
        assert "immutable" in response.headers["Cache-Control"]
    assert client.get("/static/old/css/base.css").headers["Cache-Control"] == "no-cache"
    for path in (
        "/static/x/../app.py",
        "/static/x/%2e%2e/app.py",
        "/static/x/..%2fapp.py",
        "/static/x/",
        "/static/x/nope",
        "/static/x/" + "a" * 5_000,
        "/static/x/%00",
    ):
        assert client.get(path).status_code == 404


@pytest.mark.parametrize("address", ["/", "/healthz", "/attack_dice/attack", "/api/v1/rulesets", "/nope"])
def test_head_is_get_without_the_body(client, address):
    got, whole = client.head(address), client.get(address)
    assert got.status_code == whole.status_code
    assert got.content == b""
    assert got.headers["Content-Type"] == whole.headers["Content-Type"]


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "ODD"])
@pytest.mark.parametrize(
    "address, allowed",
    [
        ("/api/v1/attack_dice/questions/attack", "GET, HEAD, POST"),
        ("/attack_dice/units", "GET, HEAD, POST"),
        ("/attack_dice/units/file", "POST"),
        ("/attack_dice/attack", "GET, HEAD"),
        ("/api/v1/rulesets", "GET, HEAD"),
        ("/api", "GET, HEAD"),
        ("/healthz", "GET, HEAD"),
    ],
)
def test_a_wrong_method_is_told_every_right_one(client, address, allowed, method):
    response = client.request(method, address)
    assert (response.status_code, response.headers["Allow"]) == (405, allowed)


@pytest.mark.parametrize(
    "address, wanted",
    [
        ("/attack_dice/", "/attack_dice"),
        ("/attack_dice/attack/?power=6&weapon_class=a%20b", "/attack_dice/attack?power=6&weapon_class=a%20b"),
        ("/api/", "/api"),
        ("/api/v1/rulesets/", "/api/v1/rulesets"),
        ("/a%0Ab%5C/", "/a%0Ab%5C"),
    ],
)
def test_a_slash_too_many_leads_to_the_address_without(client, address, wanted):
    response = client.get(address)
    assert (response.status_code, response.headers["Location"]) == (308, wanted)


@pytest.mark.parametrize("address", ["//example.org/", "/attack_dice//", "/static/x/", "/api//example.org/"])
def test_no_slash_leads_away(client, address):
    assert client.get(f"http://testserver{address}").status_code == 404


def test_headers_have_a_size(client):
    assert client.get("/", headers={"X-Large": "a" * 40_000}).status_code == 431
    many = client.get("/api/v1/rulesets", headers={f"X-{at}": "a" for at in range(200)})
    assert many.status_code == 431
    assert "32,000 bytes" in many.json()["detail"]


@pytest.mark.parametrize("address", ["/attack_dice/attack", "/api/v1/rulesets"])
def test_what_breaks_gets_a_sentence_and_the_headers(client, address, monkeypatch, caplog):
    class Broken:
        async def do(self, job, client):
            raise ZeroDivisionError

    monkeypatch.setitem(client.app.state._state, "executor", Broken())
    response = client.get(address)
    assert response.status_code == 500
    assert "not by your doing" in response.text
    assert response.headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]
    assert "ZeroDivisionError" in caplog.text


def test_a_client_that_leaves_in_the_middle_of_a_body_is_not_logged_as_an_error(client, caplog):
    async def go():
        messages = iter([{"type": "http.request", "body": b"a", "more_body": True}, {"type": "http.disconnect"}])

        async def receive():
            return next(messages)

        async def send(message):
            raise AssertionError("nobody listens")

        scope = {"type": "http", "method": "POST", "path": "/attack_dice/units", "query_string": b"", "headers": []}
        await client.app({**scope, "client": ("b", 1), "server": ("b", 80), "scheme": "http"}, receive, send)

    with caplog.at_level(logging.INFO, logger="battletape.web"):
        asyncio.run(go())
    assert "POST /attack_dice/units 499" in caplog.text
    assert "Traceback" not in caplog.text


def test_the_log_names_no_client(client, caplog):
    with caplog.at_level(logging.INFO, logger="battletape.web"):
        client.get("/attack_dice/attack?weapon_class=SECRET&power=6")
        client.get("/attack_dice/%0aforged")
    text = "\n".join(record.getMessage() for record in caplog.records)
    assert re.search(r"GET /attack_dice/attack 200 \d+\.\d ms", text)
    assert "SECRET" not in text
    assert "testclient" not in text
    assert "\nforged" not in text


def test_large_questions_are_answered_in_part_or_refused_kindly(hasty):
    part = hasty.get("/attack_dice/attack?attacks=1000&models=1000&armour=4&aegis=5", headers={"HX-Request": "true"})
    if part.status_code == 200:
        assert "is not in these numbers" in part.text or "Exactly" in part.text
    else:  # on a busy machine a twentieth of a second may not be enough for any part of it
        assert part.status_code == 422
        assert "fewer" in part.text
    pairs = [("repeat", "20"), ("volleys.count", "1"), ("volleys.0.guns.count", "3")]
    pairs += [
        (f"volleys.0.guns.{at}.{name}", value) for at in range(3) for name, value in (("shots", "60"), ("models", "30"))
    ]
    refused = hasty.get("/vehicles5/kill_time?_blank=1", params=pairs)
    assert refused.status_code in (200, 422)
    assert "fewer" in refused.text or "Destroyed" in refused.text


def test_it_says_that_it_lives(client):
    assert client.get("/healthz").json()["status"] == "ok"
    assert client.get("/favicon.ico").headers["Content-Type"] == "image/svg+xml"
