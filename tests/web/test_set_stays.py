"""What a player set stays in every cell of a heat map, variant and link, whichever profile is changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from battletape import registry
from battletape.answer import ask
from battletape.errors import BattletapeError
from battletape.inputs import Field, Inputs, fields
from battletape.system import Question, Ruleset
from battletape.views.chances import kind_of
from battletape.views.changed import flat_given, path_of, value_at
from battletape.views.heat import Axis, CellQuestion, Layout, axes, goals, heat, work_on
from battletape.views.profile_choices import own_names, profile_choices
from battletape.web.forms import read_pairs
from battletape.web.pages.targets import cell_address
from tests.web.conftest import QUESTIONS
from tests.web.page import Page

OTHERS = 3
"""How many other profiles are tried for each input."""
WITH_PICKS = [
    one for one in QUESTIONS if profile_choices(registry.ruleset(one[0]), registry.ruleset(one[0]).question(one[1]))
]


def cases(card: Ruleset, question: Question) -> Iterator[tuple[str, dict[str, Any]]]:
    """The example with each other value of each choice, and with each number one up or down; and what was set."""
    usual = usual_inputs(card, question)
    yield "", dict(question.example)
    for field in fields(question.inputs):
        for value in _others(field, getattr(usual, field.name)):
            yield field.name, {**question.example, field.name: field.show(value)}
        entries = question.example.get(field.name)
        if field.item is None or not isinstance(entries, list) or not isinstance(entries[0], Mapping):
            continue
        for inner in fields(field.item):
            for value in _others(inner, getattr(getattr(usual, field.name)[0], inner.name)):
                entry = {**entries[0], inner.name: inner.show(value)}
                yield f"{field.name}.0.{inner.name}", {**question.example, field.name: [entry, *entries[1:]]}


def usual_inputs(card: Ruleset, question: Question) -> Inputs:
    return card.split(question, question.example)[0]


def _others(field: Field, value: Any) -> list[Any]:
    if field.kind in ("choice", "yes_no"):
        return [other for other in field.every if other != value]
    if field.kind == "whole" and value is not None:
        return [value + 1 if field.high is None or value < field.high else value - 1]
    return []


def asked_so(ruleset: str, question: str) -> Iterator[tuple[str, CellQuestion]]:
    """Everything that can be asked of those, with the input that was set, unless its profile has it so anyway."""
    card = registry.ruleset(ruleset)
    asked = card.question(question)
    for name, given in cases(card, asked):
        try:
            inputs, rulings = card.split(asked, given)
        except BattletapeError:
            continue
        base = CellQuestion(card, asked, inputs, rulings)
        said = name in flat_given(base.entries)  # its address says it
        yield name if said and is_set(card, asked, given, name, inputs) else "", base


def is_set(card: Ruleset, question: Question, given: Mapping[str, Any], name: str, inputs: Inputs) -> bool:
    """Whether the player's word counts: without it the input would be otherwise."""
    head, _, rest = name.partition(".0.")
    left = {key: value for key, value in given.items() if key != head}
    if rest:
        first, *more = given[head]
        left[head] = [{key: value for key, value in first.items() if key != rest}, *more]
    try:
        return bool(value_at(card.split(question, left)[0], name) != value_at(inputs, name))
    except BattletapeError:
        return True


def read(base: CellQuestion, changes: Mapping[str, str]) -> Inputs | None:
    try:
        return base.ruleset.split(base.question, base.given(changes))[0]
    except BattletapeError:
        return None


@pytest.mark.parametrize("ruleset, question", WITH_PICKS)
def test_the_cell_of_what_was_asked_asks_just_that(ruleset, question):
    for name, base in asked_so(ruleset, question):
        for axis in axes(base):
            changes = {axis.name: axis.now} if axis.now else {}
            assert base.ruleset.split(base.question, base.given(changes)) == (base.inputs, base.rulings), (name, axis)
        address = cell_address(base, base.given({}), base.question.measures[0], "")
        pairs = parse_qsl(urlsplit(address).query, keep_blank_values=True)
        opened = read_pairs(base.ruleset, base.question, pairs).given
        assert base.ruleset.split(base.question, opened) == (base.inputs, base.rulings), (name, address)


@pytest.mark.parametrize("ruleset, question", WITH_PICKS)
def test_the_cell_of_what_was_asked_is_its_answer(ruleset, question):
    """Exactly: as the page works cells out, and as the question is asked alone."""
    card = registry.ruleset(ruleset)
    asked = card.question(question)
    given = asked.small or asked.example
    base = CellQuestion(card, asked, *card.split(asked, given))
    known = axes(base)
    answer = ask(card, asked, given)
    for measure in goals(answer)[:2]:
        columns = (known[1], [known[1].now]) if len(known) > 1 else None
        layout, figures = Layout(base, (known[0], [known[0].now]), columns, [measure]), dict[int, Any]()
        work_on(layout, figures, set(), 60.0)
        (cell,) = heat(layout, figures).rows[0].cells
        odds = answer.odds(measure.name)
        chance = kind_of(odds, measure.unit) == "yes_no"
        assert cell.value == float(odds.chance(bool) if chance else odds.mean), (measure.name, cell)


def stands_for_a_profile(base: CellQuestion, axis: Axis, name: str) -> bool:
    """Whether a number is that of an unnamed profile, which it leaves to the one that is named then."""
    known = profile_choices(base.ruleset, base.question)
    path = path_of(axis.name)
    above, last = name.rpartition(".")[::2]
    if axis.now or above != axis.name.rpartition(".")[0] or last not in known[path].fills:
        return False
    home = value_at(base.inputs, above) if above else base.inputs
    field = next(field for field in fields(type(home)) if field.name == last)
    others = own_names(base.ruleset, base.question, path[:-1], home)
    return not field.part and not any(last in known[*path[:-1], other].fills for other in others)


@pytest.mark.parametrize("ruleset, question", WITH_PICKS)
def test_another_profile_leaves_what_was_set(ruleset, question):
    tried = 0
    for name, base in asked_so(ruleset, question):
        for axis in axes(base) if name else ():
            if name == axis.name or stands_for_a_profile(base, axis, name):
                continue
            for other in [other for other in axis.names if other not in ("", axis.now)][:OTHERS]:
                changed = read(base, {axis.name: other})
                if changed is not None and value_at(changed, name.rpartition(".")[0] or name) is not None:
                    assert value_at(changed, name) == value_at(base.inputs, name), (name, axis.name, other)
                    tried += 1
    assert tried


SINGLE = "/deathwatch/shoot/targets?attacker=Brother+Cato&target=Raider&distance=40&mode=single"
SEMI = "/deathwatch/shoot?attacker=Brother+Cato&target=Raider&distance=40&mode=semi"


def test_a_heat_map_keeps_the_fire_mode_and_its_heading_says_what_all_cells_are(client):
    got = client.get(SINGLE).text
    assert "52 %</a>" in got
    assert all("mode=single" in one["href"] for one in Page(got).all("a") if "/deathwatch/shoot?" in one["href"])
    assert Page(got).text("asks") == "Brother Cato · Distance 40 metres · single"
    usual = client.get(SINGLE.replace("&mode=single", "")).text
    assert Page(usual).text("asks").endswith("Fire mode: each its own")
    attacks = client.get("/attack_dice/attack/targets?weapon=Storm+carbine&attacks=12&unit=Hill+raiders").text
    assert all("attacks=12" in one["href"] for one in Page(attacks).all("a") if "/attack?" in one["href"])
    assert Page(attacks).text("asks") == "Attacks 12"
    squad = client.get("/diceless40k/shoot/targets?unit=Ork+Boyz&shooters=Space+Marines&_row=Ork+Boyz&_col=Lascannon")
    assert Page(squad.text).text("asks") == "Space Marines · any weapon in place of Plasma pistol"
    horde = client.get(
        "/deathwatch/horde_attacks/targets?horde=Raider+mob&mode=semi&target=Brother+Cato&_row=Brother+Cato"
    ).text
    assert all("mode=semi" in one["href"] for one in Page(horde).all("a") if "/horde_attacks?" in one["href"])


def test_a_weapon_that_cannot_do_what_was_set_is_an_empty_cell_with_the_reason(client):
    response = client.get(
        SEMI.replace("shoot?", "shoot/targets?").replace("=40", "=10") + "&_col=Astartes+Flamer&_col=Lasgun"
    )
    assert "Astartes Flamer has no semi-auto" in Page(response.text).text("whys")
    assert "not possible" in response.text


def pick(client: Any, address: str, name: str, value: str) -> tuple[str, str]:
    """ProfileChoice another profile in the form of a question: the address then, and what is told about it."""
    pairs = [(key, value if key == name else text) for key, text in Page(client.get(address).text).pairs]
    headers = {"HX-Request": "true", "Battletape-Form": "1"}
    response = client.get(urlsplit(address).path, params=pairs, headers=headers)
    return response.headers["HX-Replace-Url"], Page(response.text).text("brought")


def test_another_weapon_keeps_the_burst_and_says_so(client):
    address, told = pick(client, SEMI, "weapon", "Astartes Storm Bolter")
    assert "mode=semi" in address
    assert "dead 68 %" in client.get(address).text
    assert told.endswith("Kept as set: Fire mode: semi.")
    usual, told = pick(client, SEMI.replace("&mode=semi", ""), "weapon", "Astartes Flamer")
    assert "mode=" not in usual
    assert "Fire mode: single, was full" in told


@pytest.mark.parametrize(
    "address, name, other, kept",
    [
        ("/vehicles5/walker_fight?foe=Furnace+company&foe_models=4", "foe", "Scrapyard mob", "foe_models=4"),
        ("/vehicles5/explosion?passenger_unit=Furnace+company&passengers=8", "passenger_unit", "Harbour watch", "=8"),
        ("/attack_dice/attack?weapon=Storm+carbine&attacks=12", "weapon", "Ember thrower", "attacks=12"),
    ],
)
def test_typed_numbers_stay_with_another_profile(client, address, name, other, kept):
    assert kept in pick(client, address, name, other)[0]


def test_a_variant_keeps_the_number_of_dice(client):
    response = client.get(
        "/attack_dice/attack/compare?weapon=Storm+carbine&attacks=12&unit=Hill+raiders&_variant=weapon%3DEmber+thrower"
    )
    assert "most with Ember thrower" in Page(response.text).text("headline")


def test_also_changed_names_everything(client):
    before, _ = registry.ruleset("deathwatch").split(
        registry.ruleset("deathwatch").question("shoot"), {"attacker": "Brother Cato", "target": "Raider"}
    )
    _, told = pick(client, "/deathwatch/shoot?attacker=Brother+Cato&target=Raider", "target", "Brother Ilario")
    after, _ = registry.ruleset("deathwatch").split(
        registry.ruleset("deathwatch").question("shoot"), {"attacker": "Brother Cato", "target": "Brother Ilario"}
    )
    changed = [
        field.title for field in fields(type(before)) if getattr(before, field.name) != getattr(after, field.name)
    ]
    assert len(changed) > 10
    assert [title for title in changed if title not in told and title != "Target's profile"] == []
