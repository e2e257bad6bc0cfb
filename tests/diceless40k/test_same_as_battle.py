"""A unit by its profile does in a question what it does in a battle."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from battletape.battle import Battle
from battletape.errors import BadInput, Refused
from battletape.registry import ruleset
from battletape.rulesets.diceless40k.questions._inputs import guns_of
from battletape.rulesets.diceless40k.questions.assault_or_stay import aims_at
from battletape.rulesets.diceless40k.rules.shooting import bs_used
from tests.diceless40k.battles import battle, do, end, unit

DL: Any = ruleset("diceless40k")
UNITS = sorted(DL.book.entries["unit"])


def value(answer, measure):
    (only,) = answer.odds(measure).fractions()
    return only


def ready_to_fire(name: str, moved: bool = False, **foes: Any) -> Battle:
    """A battle in which a unit is about to fire at its target."""
    one = battle([unit(name, "Shooters")], **foes)
    if moved:
        do(one, "move", unit="Shooters", inches=1)
    end(one)
    return one


def fired(one: Battle, distance: float, hits: list[int], **more: Any) -> int | None:
    """DMG of a unit's shooting in a battle; none if it may not fire."""
    given = {"hits": hits} if hits else {}
    try:
        answer = one.odds("shoot", unit="Shooters", target="Target", distance=distance, **given, **more)
    except Refused:
        return None
    return int(value(answer, "dmg"))


@pytest.mark.clause("DL-19.2", "DL-25.1", "DL-55.1")
@pytest.mark.parametrize("name", UNITS)
@pytest.mark.parametrize("moved", [False, True])
def test_what_every_unit_does_to_troops(name, moved):
    one = ready_to_fire(name, moved, horde=[unit("Nobz", "Target")])
    for distance in (6, 12, 24):
        try:
            answer = DL.ask("shoot", shooters=name, unit="Nobz", distance=distance, moved=moved)
        except (BadInput, Refused):
            assert fired(one, distance, []) is None, distance
            continue
        hits = [number for aim in answer.start.aims for number in aim.hits]
        assert value(answer, "dmg") == fired(one, distance, hits), distance


@pytest.mark.clause("DL-60.4", "DL-76.2")
@pytest.mark.parametrize("name", UNITS)
def test_what_every_unit_does_to_a_vehicle(name):
    one = ready_to_fire(name, horde_vehicles=[unit("Trukk", "Target")])
    for distance in (6, 12, 24):
        answer = DL.ask("focus", shooters=name, targets=f"unit=Trukk distance={distance} speed=immobile")
        (plan,) = answer.states.weights
        attacks = [attack for target in plan.targets for attack in target.attacks]
        packets = [result.packet for attack in attacks for result in attack.packet_results]
        guns = {gun.weapon: gun for shooter in plan.shooters for gun in shooter.guns}
        hits = [number for packet in packets for number in guns[packet.name].hits]
        done = fired(one, distance, hits, zone="orange", facing="front")
        assert sum(packet.dmg for packet in packets) == (done or 0), distance


@pytest.mark.clause("DL-63.1", "DL-63.2", "DL-63.5")
@pytest.mark.parametrize("name", UNITS)
def test_what_every_unit_does_when_it_assaults_a_vehicle(name):
    one = battle([unit(name, "Shooters")], horde_vehicles=[unit("Trukk", "Target")])
    end(one, 2)
    try:
        played = one.odds("assault_vehicle", unit="Shooters", target="Target", distance=3)
    except Refused:
        return  # artillery does not assault
    asked = DL.ask("assault_vehicle", attackers=name, vehicle="Trukk", charging=True, speed="immobile")
    for measure in ("dmg", "glancing", "penetrating"):
        assert value(asked, measure) == value(played, measure), measure


@pytest.mark.clause("DL-38.1")
@pytest.mark.parametrize("name", UNITS)
def test_what_every_unit_does_in_a_fight(name):
    one = battle([unit(name, "Shooters")], [unit("Ork Boyz", "Target")])
    end(one, 2)
    try:
        do(one, "charge", unit="Shooters", target="Target", distance=3)
    except Refused:
        return  # artillery does not assault
    do(one, "fight", unit="Shooters")  # here tokens are kept, of which the question knows none
    asked = DL.ask("fight", first=name, second="Ork Boyz", charges="first")
    assert value(asked, "first_left") == one.state.squad("Shooters").count
    assert value(asked, "second_left") == one.state.squad("Target").count


@pytest.mark.clause("DL-55.1")
@pytest.mark.parametrize(
    "name, more, hits, gun_hits",
    [
        ("Devastators", {"distance": 24}, [3, 2], 2),
        ("Command squad", {"distance": 6}, [3], 0),
        ("Space Marines", {"distance": 12}, [], 0),
    ],
)
def test_what_fire_does_to_artillery(name, more, hits, gun_hits):
    guns = {"Devastators": ["Frag missile", "Bolter"], "Command squad": ["Flamer", "Bolter", "Bolt pistol"]}
    one = battle([unit(name, "Shooters")], [unit("Kannon battery", "Target", guns=2)])
    end(one)
    said = {"hits": hits, "gun_hits": gun_hits, "weapons": guns.get(name, []), **more}
    played = one.fork()
    do(played, "shoot", unit="Shooters", target="Target", **said)
    asked = DL.ask(
        "shoot_artillery",
        guns=_guns(name, guns.get(name), hits),
        unit="Kannon battery",
        crewed_guns=2,
        gun_hits=gun_hits,
        **more,
    )
    crew = played.state.squad("Target")
    assert (value(asked, "crew_left"), value(asked, "guns_left")) == (crew.count, len(crew.guns))
    (battery,) = asked.states.weights
    assert (battery.crew.groups[-1].recorded, battery.lines) == (crew.groups[-1].recorded, crew.gun_lines)


def _guns(name: str, weapons: list[str] | None, hits: list[int]) -> list[dict[str, Any]]:
    """What a unit fires, gun by gun, as it stands in its profile."""
    fired: list[dict[str, Any]] = []
    for gun in guns_of(DL.book.find("unit", name), DL.book):
        if gun["bearers"] not in [known["bearers"] for known in fired] and gun["weapon"] in (
            weapons or [gun["weapon"]]
        ):
            fired.append({**gun, "hits": hits} if gun["marker"] != "none" else gun)
    return fired


@pytest.mark.clause("DL-55.1")
def test_a_template_on_artillery_is_not_split():
    flames = {"guns": "weapon=Flamer hits=3", "unit": "Lobba battery", "distance": 8}
    crew = DL.ask("shoot_artillery", **flames)
    assert (value(crew, "crew_dmg"), value(crew, "guns_dmg")) == (3 * 4 * 4, 0)
    assert crew.warnings == ("Flamer hits what it covers: no gun, unless gun_hits says so (DL-55.1)",)
    both = DL.ask("shoot_artillery", **flames, gun_hits=1)
    assert (value(both, "crew_dmg"), value(both, "guns_dmg")) == (3 * 4 * 4, 4)


@pytest.mark.clause("DL-55.1")
def test_artillery_that_is_fired_at_like_troops_is_noted():
    note = "Lobba battery is artillery: shots go to crew and guns, and here the crew takes all"
    note += "; ask shoot_artillery (DL-55.1)"
    assert note in DL.ask("shoot", unit="Lobba battery").warnings
    assert note in DL.ask("focus", targets="Lobba battery").warnings
    assert note not in DL.ask("shoot", unit="Ork Boyz").warnings


@pytest.mark.clause("DL-19.2", "DL-30.8")
@pytest.mark.parametrize("name", UNITS)
@pytest.mark.parametrize("distance", [6, 20])
def test_who_stays_fires_all_that_it_fires_in_a_battle(name, distance):
    asked = DL.ask("assault_or_stay", own=name, enemy="Nobz", player_turns=1, distance=distance)
    options = {option.option: option.odds for option in asked.choices[0].options} if asked.choices else {}
    one = ready_to_fire(name, horde=[unit("Nobz", "Target")])
    if "stay and shoot" not in options:
        assert fired(one, distance, []) is None
        return
    (duel,) = options["stay and shoot"].weights
    hits = [number for aim in aims_at(asked.start, 0) for number in aim.hits]
    do(one, "shoot", unit="Shooters", target="Target", distance=distance, **({"hits": hits} if hits else {}))
    assert [(group.models, group.recorded) for group in duel.fighters[1].groups] == [
        (group.models, group.recorded) for group in one.state.squad("Target").groups
    ]


@pytest.mark.clause("DL-19.2", "DL-0.1")
def test_who_has_died_fires_no_more_and_who_charges_fires_pistols_first():
    duel = DL.ask("assault_or_stay", own="Devastators", enemy="Nobz", player_turns=1).start
    assert [(aim.name, aim.models) for aim in aims_at(duel, 0)] == [
        ("Bolter", 1),
        ("Krak missile", 2),
        ("Bolter", 2),
    ]
    assert [(aim.name, aim.models) for aim in aims_at(duel, 0, charging=True)] == [
        ("Bolt pistol", 1),
        ("Bolt pistol", 2),
        ("Bolt pistol", 2),
    ]
    own = duel.fighters[0]
    groups = tuple(replace(group, models=int(group.name == "Devastators")) for group in own.groups)
    left = replace(duel, fighters=(replace(own, groups=groups), duel.fighters[1]))
    assert [(aim.name, aim.models) for aim in aims_at(left, 0)] == [("Bolter", 1)]


@pytest.mark.clause("DL-29.1")
def test_a_gun_by_hand_has_the_bonus_of_its_range_and_does_not_fire_beyond_it():
    heavy = {"gun": "Heavy bolter", "firers": 1, "models": 1}
    for distance, bs in ((6, 4 + 2), (30, 4)):
        (aim,) = aims_at(DL.ask("assault_or_stay", own=[heavy], player_turns=1, distance=distance).start, 0)
        assert bs_used(aim) == bs
    beyond = DL.ask("assault_or_stay", own=[heavy], player_turns=1, distance=40)
    assert aims_at(beyond.start, 0) == ()
    (duel,) = beyond.states.weights
    assert duel.course == ("stay",)


@pytest.mark.clause("DL-75.5")
def test_preferred_enemies_are_those_of_the_profiles():
    vale = {"unit": "Librarian Osric Vale", "weapon_rules": []}  # whose staff would slay him first
    hated = DL.ask("fight", first="Warboss Skargut", second=vale, charges="first")
    assert value(hated, "first_dmg") == 250
    (own,) = DL.ask("fight", first="Warboss Skargut", second="Nobz").inputs.first
    assert not own.preferred
    said = DL.ask("fight", first="unit='Warboss Skargut' preferred=no", second=vale, charges="first")
    assert value(said, "first_dmg") == 200
    (own,) = DL.ask("assault_or_stay", own="Warboss Skargut", enemy="Librarian Osric Vale").inputs.own
    assert own.preferred


@pytest.mark.clause("DL-29.1", "DL-55.1")
def test_who_reaches_a_battery_fires_at_it_and_the_others_are_left_out():
    asked = DL.ask("shoot_artillery", shooters="Combat squad", unit="Kannon battery", distance=20)
    one = ready_to_fire("Combat squad", horde=[unit("Kannon battery", "Target")])
    played = one.odds("shoot", unit="Shooters", target="Target", distance=20)
    assert value(asked, "removed") == value(played, "removed")


@pytest.mark.clause("DL-75.4")
def test_scouts_see_farther_at_night():
    assert DL.ask("shoot", shooters="Scout snipers", unit="Ork Boyz", night=True, distance=20).headline


@pytest.mark.clause("DL-PREP.12")
def test_a_unit_without_guns_may_stay():
    answer = DL.ask("assault_or_stay", own="Snotling swarm", enemy="Nobz", player_turns=1)
    assert [option.option for option in answer.choices[0].options] == ["stay", "assault"]
    assert value(answer, "course") == "stay"
