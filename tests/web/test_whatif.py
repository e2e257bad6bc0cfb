"""What if: the figures beside chips and in pictures are those of the question asked so."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import msgspec

import battletape as bt
from battletape import registry
from battletape.answer import ask
from battletape.views import heat
from battletape.views.heat import CellQuestion
from battletape.views.whatif import figure, parse_alternative, what_if
from battletape.web.jobs import Job, run

SHOOT = "/vehicles5/shoot/whatif?front=13&side=11&rear=10&guns=weapon%3DLascannon+models%3D3"


def figures(client, address, *keys):
    response = client.get(address + "&" + urlencode([("_if", key) for key in keys]))
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    return response.json()


def test_the_figures_are_those_of_the_question_asked_so(client):
    keys = [f"guns.0.facing={facing}" for facing in ("front", "side", "rear")]
    told = figures(client, SHOOT, *keys, "obscured=4")
    for facing, key in zip(("front", "side", "rear"), keys, strict=True):
        gun = {"weapon": "Lascannon", "models": 3, "facing": facing}
        answer = bt.ruleset("vehicles5").ask("shoot", front=13, side=11, rear=10, guns=[gun])
        assert told[key]["text"] in answer.headline
        assert figure(answer)[0] == told[key]["text"]
    assert [told[key]["text"] for key in keys] == ["21 %", "39 %", "47 %"]
    assert told[keys[1]]["words"] == "39 % destroyed; 58 % immobilised or worse"
    assert "Did you mean" in told["obscured=4"]["why"] or "no input" in told["obscured=4"]["why"]


def test_several_inputs_may_change_at_once_and_another_measure_may_be_shown(client):
    key = "guns.0.facing=side;guns.0.models=1"
    told = figures(client, SHOOT + "&_measure=weapons_lost", key)
    gun = {"weapon": "Lascannon", "models": 1, "facing": "side"}
    answer = bt.ruleset("vehicles5").ask("shoot", measures=["weapons_lost"], front=13, side=11, rear=10, guns=[gun])
    assert told[key] == dict(zip(("text", "words"), figure(answer, "weapons_lost"), strict=True))
    told = figures(client, SHOOT, key, f"{key}@weapons_lost", "front=11@nothing")
    assert told[f"{key}@weapons_lost"]["text"] == figure(answer, "weapons_lost")[0]
    assert told[key]["text"] == figure(answer)[0]
    assert "no measure 'nothing'" in told["front=11@nothing"]["why"]


def test_an_alternative_that_does_not_fit_says_why(client):
    told = figures(client, SHOOT, "guns.0.models=nobody")
    assert "must be a whole number" in told["guns.0.models=nobody"]["why"]
    assert parse_alternative("a=1;2;b=c=d") == {"a": "1;2", "b": "c=d"}


def test_what_there_is_no_time_for_is_open_and_comes_when_it_is_asked_for_again():
    """However slow the machine is, each request brings one more; the page asks again for those that are not there."""
    card = registry.ruleset("vehicles5")
    question = card.question("shoot")
    inputs, rulings = card.split(question, {})
    keys = ["front=11", "front=12", "front=13"]
    calm = what_if(CellQuestion(card, question, inputs, rulings), keys, 60.0)
    late = what_if(CellQuestion(card, question, inputs, rulings), keys, 0.0)
    assert [one.is_open for one in late] == [False, True, True]
    assert late[0] == calm[0]
    left, got = keys, dict[str, Any]()
    for _ in keys:
        given = {"ruleset": "vehicles5", "question": "shoot", "pairs": [("_if", key) for key in left]}
        reply = run(Job("whatif_figures", "api", given), 0.0)
        got |= msgspec.json.decode(reply.body)
        left = [key for key in keys if key not in got]
        assert (reply.cut, reply.keep) == (False, not left)
    assert [got[key]["text"] for key in keys] == [one.text for one in calm]


def test_what_is_too_much_work_has_no_figure_and_is_not_asked_for_again(monkeypatch):
    monkeypatch.setattr(heat, "SURE_BRANCHES", 1)
    monkeypatch.setattr(heat, "CELL_BRANCHES", 1)
    given = {"ruleset": "vehicles5", "question": "shoot", "pairs": [("_if", "front=11;guns.0.models=10")]}
    assert run(Job("whatif_figures", "api", given), 0.0).body == b'{"front=11;guns.0.models=10":{}}'


def test_an_alternative_that_cannot_be_read_is_said_and_too_many_are_refused(client):
    told = figures(client, SHOOT, "front", "front=13")
    assert told["front"]["why"] == "An alternative is written NAME=VALUE, such as facing=side; got 'front'."
    assert told["front=13"]["text"] == figure(ask_now())[0]
    many = client.get(SHOOT + "".join(f"&_if=front={at}" for at in range(61)))
    assert many.status_code == 422
    assert "at most 60 alternatives" in many.text


def ask_now():
    card = registry.ruleset("vehicles5")
    gun = {"weapon": "Lascannon", "models": 3}
    return ask(card, card.question("shoot"), {"front": 13, "side": 11, "rear": 10, "guns": [gun]})


def test_programs_may_ask_too(client):
    body = {"front": 13, "guns": [{"weapon": "Lascannon", "models": 3}]}
    address = "/api/v1/vehicles5/questions/shoot?read=whatif"
    got = client.post(f"{address}&if=guns.0.facing%3Drear&if=front%3D14@expected_hits&if=front%3Dx", json=body).json()
    assert got["kind"] == "whatif"
    rear, hits, misfit = got["figures"]
    assert rear == {
        "key": "guns.0.facing=rear",
        "text": "47 %",
        "words": rear["words"],
        "why": "",
        "same": False,
        "still": False,
        "spot": None,
    }
    assert hits["text"] == "2"
    assert misfit["why"].startswith("front must be a whole number")
    refused = client.post(f"{address}&if=front", json=body)
    assert refused.status_code == 422
    assert refused.json()["field"] == "if"


def test_figures_can_be_compared_even_where_an_answer_alone_would_lead_with_another_number(client):
    address = "/deathwatch/shoot/whatif?mode=full"
    assert figures(client, address, "mode=single")["mode=single"]["text"] == "0 %"  # dead, as the answer for full says
    single = bt.ruleset("deathwatch").ask("shoot", mode="single")
    assert figure(single)[0] == f"{float(single.odds('damage').mean):.1f}"
    told = figures(client, "/deathwatch/shoot/whatif?mode=single", "mode=single", "mode=full")
    full = bt.ruleset("deathwatch").ask("shoot", mode="full")
    assert told["mode=full"]["text"] == f"{float(full.odds('damage').mean):.1f}"


def test_what_cannot_be_chosen_says_why_as_a_player_would_and_what_changes_nothing_is_marked(client):
    tank = "/vehicles5/shoot/whatif?vehicle=Anvil+battle+tank&guns=weapon%3DLascannon+models%3D3"
    told = figures(client, tank, "band=flat_out", "guns.0.half_range=yes", "guns.0.facing=rear")
    assert told["band=flat_out"] == {"why": "Flat out is too fast for this vehicle; cruising is the fastest it goes."}
    assert told["guns.0.half_range=yes"]["same"] is True, "a lascannon does not care"
    assert "same" not in told["guns.0.facing=rear"]
    shot = "/deathwatch/shoot/whatif?weapon=Astartes+Heavy+Bolter&mode=full&target=Raider"
    told = figures(client, shot, "reaction=dodge", "mode=single")
    assert told["reaction=dodge"]["why"] == "The target has no skill to dodge with; give it one."
    assert told["mode=single"]["why"] == "Astartes Heavy Bolter has no single shots; full auto (10) would do."


def test_a_measure_beside_each_choice_is_shown_only_where_the_question_has_it(client):
    assert "@jammed" in client.get("/deathwatch/shoot?_blank=1").text
    for question in ("hit", "horde_attacks"):
        page = client.get(f"/deathwatch/{question}?_blank=1").text
        assert 'data-if="mode=full"' in page
        assert "@jammed" not in page


def test_a_figure_that_stays_while_something_else_changes_says_so(client):
    address = "/diceless40k/shoot_vehicle/whatif?vehicle=Rhino&guns=weapon%3DLascannon"
    told = figures(client, address, "cover=4")["cover=4"]
    assert (told["text"], told["still"]) == ("4", True)
    assert "still" not in figures(client, SHOOT, "guns.0.facing=rear")["guns.0.facing=rear"]


def test_a_chance_is_compared_with_chances(client):
    """By name a volley has a mean, which may be a number of the sentence by chance."""
    address = "/vehicles5/kill_time/whatif?vehicle=Anvil+battle+tank&repeat=4"
    address += "&volleys=guns%3D%27weapon%3DLascannon+models%3D3+facing%3Dside%27"
    keys = [f"volleys.0.guns.0.facing={facing}" for facing in ("front", "side", "rear")]
    assert all(figure["text"].endswith(" %") for figure in figures(client, address, *keys).values())
