"""A battle from two lists of units: `battletape battle new SYSTEM --sides LIST --sides LIST`."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from battletape import registry
from battletape.battle import Battle
from battletape.battle.battle import battle_rules
from battletape.battle.muster import ZONE, lists_of, muster, names_of
from battletape.battle.store import open_battle
from battletape.errors import BadInput, UnknownName
from battletape.field.score import MISSIONS

SYSTEMS = ("attack_dice", "vehicles5", "diceless40k", "second_edition", "deathwatch")


def profiles_of(system: str) -> list[str]:
    """Return the profiles in the sample of a system, one for each list of a side."""
    rules = battle_rules(registry.ruleset(system))
    sides = rules.sample()["sides"]
    found = []
    for listed, _ in lists_of(rules):
        entry = next(entry for side in sides for entry in side.get(listed, ()))
        found.append(entry if isinstance(entry, str) else entry["profile"])
    return found


def own_text(profile: str) -> str:
    """Return a profile as a unit of a list: a text with pairs already is one."""
    return f"'{profile}'" if "," in profile else profile


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_kind_of_unit_goes_to_its_list_and_every_unit_may_act(system):
    card, names = registry.ruleset(system), profiles_of(system)
    listed = ", ".join(map(own_text, names))
    start = muster(card, [f"Mill: {listed}", f"2 x {own_text(names[0])}"])
    battle = Battle.new(card, start)
    units = [
        entry for side in start["sides"] for name, _ in lists_of(battle_rules(card)) for entry in side.get(name, ())
    ]
    assert [side["name"] for side in start["sides"]] == ["Mill", "North"]
    assert len(units) == len(names) + 2
    twins = [unit["name"] for unit in units if unit["profile"].lower() == names[0].lower()]
    assert [name.rpartition(" ")[2] for name in twins] == ["1", "2", "3"]
    assert any(battle.legal())


@pytest.mark.parametrize("system", SYSTEMS)
def test_sides_face_each_other_on_ground_of_their_own(system):
    card, (name, *_) = registry.ruleset(system), profiles_of(system)
    start = muster(card, [f"4 x {name}", f"4 x {name}"])
    south, north = [
        [(entry["x"], entry["y"]) for listed, _ in lists_of(battle_rules(card)) for entry in side.get(listed, ())]
        for side in start["sides"]
    ]
    assert len({*south, *north}) == 8
    assert max(y for _, y in south) + 20 < min(y for _, y in north)
    Battle.new(card, start)


def test_a_large_army_stands_in_two_rows():
    card = registry.ruleset("vehicles5")
    start = muster(card, ["12 x Kingfisher", "Kingfisher"])
    assert {unit["y"] for unit in start["sides"][0]["machines"]} == {10, 4}
    Battle.new(card, start)


def test_what_is_said_of_a_unit_stays_said():
    start = muster(
        registry.ruleset("vehicles5"),
        [
            "Barrow carrier name=Barrow, Ninth Bridge sappers aboard=Barrow, Kingfisher x=3 y=40 heading=90",
            "Kingfisher",
        ],
    )
    carrier, skimmer = start["sides"][0]["machines"]
    assert (carrier["name"], skimmer["x"], skimmer["heading"]) == ("Barrow", "3", "90")
    assert start["sides"][0]["squads"] == [{"profile": "Ninth Bridge sappers", "aboard": "Barrow"}]
    assert "heading" not in carrier
    assert start["sides"][1]["machines"][0]["heading"] == 180


def test_the_board_sets_where_the_sides_stand():
    start = muster(registry.ruleset("diceless40k"), ["Rhino", "Ork Boyz"], "48 x 36", "recon")
    assert (start["width"], start["depth"], start["mission"]) == (48, 36, "recon")
    assert start["sides"][0]["vehicles"][0] | {"x": 24, "y": 10} == start["sides"][0]["vehicles"][0]
    assert start["sides"][1]["units"][0]["y"] == 26


@pytest.mark.parametrize(
    ("system", "sides", "more", "says"),
    [
        ("vehicles5", ["Kingfisher"], {}, "lists of two to 4 sides; got 1"),
        ("vehicles5", ["Kingfisher"] * 5, {}, "got 5"),
        ("vehicles5", ["Kingfisher", "North:"], {}, "North needs a unit"),
        ("vehicles5", ["Kingfisher", " , "], {}, "North needs a unit"),
        ("vehicles5", ["Kingfisher", "heading=3"], {}, "begins with the name of its profile"),
        ("vehicles5", ["Kingfisher", "Kingfisher"], {"board": "wide"}, "such as 72x48; got 'wide'"),
        ("toy", ["a", "b"], {}, "takes its sides from a file"),
    ],
)
def test_a_list_that_does_not_do_says_why(system, sides, more, says):
    with pytest.raises(BadInput, match=says):
        muster(registry.ruleset(system), sides, **more)


@pytest.mark.parametrize(
    ("more", "says"), [({"mission": "recon"}, "has no missions"), ({"board": "72x48"}, "no table with edges")]
)
def test_a_system_without_missions_or_table_says_so(more, says):
    card, toy = registry.ruleset("deathwatch"), battle_rules(registry.ruleset("toy"))
    bare = replace(card, battle=replace(battle_rules(card), start=toy.start))
    with pytest.raises(BadInput, match=says):
        muster(bare, ["Raider", "Brother Cato"], **more)


def test_an_unknown_unit_is_named_with_those_of_all_lists():
    with pytest.raises(UnknownName, match=r"no unit .Boggart.*29 are known"):
        muster(registry.ruleset("vehicles5"), ["Furnace company", "Boggart"])


def test_one_command_begins_a_battle_from_two_lists(bt):
    told = bt(
        "battle", "new", "vehicles5", "--sides", "Kingfisher", "--sides", "Red: Furnace company", "--board", "48x48"
    )
    assert "Begun in battle.bt" in told.stdout
    state = open_battle("battle.bt").battle.state
    assert state.field.sides == ("South", "Red")
    assert "Red" in bt("battle", "show").stdout


@pytest.mark.parametrize(
    "more",
    [("--board", "48x48"), ("--mission", "recon"), ("--sides", "sides.toml", "--board", "48x48")],
)
def test_a_board_alone_is_refused_with_what_would_do(bt, tmp_path, more):
    told = bt("battle", "new", "vehicles5", *more, code=2)
    assert "--sides" in told.stderr or "write them there" in told.stderr


WITH_MISSIONS = tuple(
    system for system in SYSTEMS if "mission" in names_of(battle_rules(registry.ruleset(system)).start)
)


@pytest.mark.parametrize("system", WITH_MISSIONS)
def test_a_game_with_a_mission_has_zones_terrain_between_them_and_points(system):
    card, (name, *_) = registry.ruleset(system), profiles_of(system)
    has_table = "width" in names_of(battle_rules(card).start)
    start = muster(card, [f"Mill: 2 x {own_text(name)}", own_text(name)], "60x48" if has_table else "", "take and hold")
    battle = Battle.new(card, start)
    field = battle.rules.field(battle.state)
    assert field is not None
    assert set(battle.points) == {"Mill", "North"}
    assert len(battle.holders) == (3 if has_table else 0)
    assert [zone.side for zone in field.zones] == (["Mill", "North"] if has_table else [])
    for piece in field.laid_terrain:
        assert all(ZONE - 1e-9 <= at.y <= 48 - ZONE + 1e-9 for at in piece.corners)


def test_the_missions_are_named_in_the_help_and_others_refused_with_the_nearest(bt):
    told = " ".join(bt("battle", "new", "--help").stdout.split())
    assert all(mission.name in told for mission in MISSIONS)
    lists = ("--sides", "Storm wardens", "--sides", "Marsh hobs")
    said = bt("battle", "new", "attack_dice", *lists, "--mission", "king of the mill", code=2).stderr
    assert "Did you mean 'king of the hill'?" in said


def test_a_list_that_is_too_long_says_how_long_it_is(bt):
    sides = ("--sides", "300 x Ork Boyz", "--sides", "Shoota Boyz")
    refused = bt("battle", "new", "diceless40k", *sides, "--mission", "annihilation", "--board", "48x48", code=2).stderr
    assert "units must be a list of 100 at most; got 300" in " ".join(refused.split())
    assert "WeaponProfile" not in refused
