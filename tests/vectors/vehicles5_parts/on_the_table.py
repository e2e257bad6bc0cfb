"""What only a table with places and turns can say: battles, set up for the vector and played."""

from __future__ import annotations

from battletape.battle import Battle
from tests.vectors.given import Given, known
from tests.vectors.vehicles5_parts import FACES, PLAYERS, Hand, Said, X, Y, set_up, squad, types, vehicle

PHASES = {phase: phase for phase in ("movement", "shooting", "assault")}


# --- moves over the table -------------------------------------------------------------------------------------------


def swept_models(given: Given) -> Said:
    model, length = given["model"], 4.0
    nose, width = given["front_edge_x"], given["tank_width"]
    tank = vehicle("Tank", X + nose - length / 2, Y, 90, types=["tank", "fast"], length=length, width=width)
    man = squad("Man", X + model["x"], Y + model["y"], base=model["base_radius"])
    battle = set_up(given, [tank], [man, vehicle("Enemy", X, Y + 40)])
    tape = Hand([1, 1], "stand aside")
    battle.push("tank_shock", unit="Tank", heading=90, inches=given["distance"], tape=tape)
    return {"contact": any(ask.label == "Man: morale" for ask in tape.asked)}


def displaced_model(given: Given) -> Said:
    """The tank drives 12 inches east and comes to rest where the vector has its hull."""
    hull, model, inches = given["hull"], given["model"], 12
    length, width = hull["x1"] - hull["x0"], hull["y1"] - hull["y0"]
    middle_x, middle_y = X + hull["x0"] + length / 2, Y + hull["y0"] + width / 2
    tank = vehicle("Tank", middle_x - inches, middle_y, 90, types=["tank"], length=length, width=width)
    man = squad("Man", X + model["x"], Y + model["y"], base=model["base_radius"])
    battle = set_up(given, [tank], [man, vehicle("Enemy", X, Y + 40)])
    (before,) = battle.state.bases("Man")
    battle.push("tank_shock", unit="Tank", heading=90, inches=inches, tape=Hand([1, 1], "stand aside"))
    (after,) = battle.state.bases("Man")
    moved = {"x": round(after.centre.x - before.centre.x, 9), "y": round(after.centre.y - before.centre.y, 9)}
    (axis,) = (axis for axis in moved if moved[axis])
    return {"direction": f"{'+' if moved[axis] > 0 else '-'}{axis}", "distance": abs(moved[axis])}


def within_access(given: Given) -> Said:
    """A door in the middle of the rear, and a man straight behind it."""
    door = {"x": 0, "y": -2}
    carrier = vehicle("Carrier", X, Y, length=4, capacity=10, access=[door])
    man = squad("Man", X, Y - 2 - given["centre_distance"], base=given["base_radius"])
    battle = set_up(given, [carrier, man], [vehicle("Enemy", X, Y + 40)])
    return {"within": battle.refusal("embark", unit="Man", machine="Carrier") is None}


def may_assault(given: Given) -> Said:
    distance = given.choice("in_reach", {True: 3, False: 20}, True)
    own = given.choice("target_side", {"friendly": True, "enemy": False}, "enemy")
    target = vehicle("Target", X, Y, types=types(given, "target"), length=4)
    sides = [[target], []] if own else [[], [target]]
    sides[0].append(squad("Man", X, Y - 2 - 0.5 - distance, models=1))
    sides[1].append(vehicle("Enemy", X, Y + 40))
    battle = set_up(given, *sides)
    battle.push("end_phase")
    battle.push("end_phase")
    return {"legal": battle.refusal("assault", unit="Man", target="Target") is None}


# --- turns ----------------------------------------------------------------------------------------------------------


def _turn_to(battle: Battle, turn: int) -> None:
    """End player turns until it is this one."""
    while int(battle.where["turn"]) < turn:
        battle.push("end_turn")


def _notes(battle: Battle, name: str, column: str) -> str:
    """What the table of machines says of one of them."""
    machines = battle.tables[0]
    (found,) = (row[machines.head.index(column)] for row in machines.rows if row[0] == name)
    return found


def smoke_active(given: Given) -> Said:
    """Smoke set off in a player turn, and whether the table of machines tells of it in each turn and phase."""
    trigger = given["triggered_in_player_turn"]
    owners = [vehicle(name, X + 20 * at, Y, upgrades=["smoke_launchers"]) for at, name in enumerate(PLAYERS)]
    battle = set_up(given, *([owner] for owner in owners))
    _turn_to(battle, trigger)
    owner = battle.where["side"]
    battle.push("stand", unit=owner)
    battle.push("smoke", unit=owner)
    queries = [(turn, known(PHASES, "phase", phase)) for turn, phase in given["queries"]]
    seen: dict[tuple[int, str], bool] = {}
    while int(battle.where["turn"]) <= max(turn for turn, _ in queries):
        now = (int(battle.where["turn"]), battle.where["phase"])
        seen[now] = "in smoke" in _notes(battle, owner, "notes")
        battle.push("end_phase")
    return {"active": [seen.get(query, False) for query in queries]}


def _stricken(given: Given, owner_first: bool) -> Battle:
    """A tank with machines before it that fire at it in their turn, and one that it can ram in its own."""
    tank = vehicle("Tank", X, Y, 0, types=["tank", "fast"], front=10, side=10, rear=10)
    foes = [vehicle(f"Foe {at}", X + 6 * at, Y + 9, 180, front=14, side=14, rear=14) for at in range(4)]
    return set_up(given, *([[tank], foes] if owner_first else [foes, [tank]]))


def _suffer(battle: Battle, row: str, at: int) -> None:
    """The tank suffers a result: by fire of a foe, or in its own turn by a ram."""
    die = known(FACES, "result", row)
    if battle.where["side"] != battle.state.vehicle("Tank").side:
        while battle.where["phase"] != "shooting":
            battle.push("end_phase")
        tape = Hand([6, 6, die])
        battle.push("fire", unit=f"Foe {at}", target="Tank", guns=[{"gun": "Cannon"}], tape=tape)
        return
    battle.push("ram", unit="Tank", target="Foe 0", tape=Hand([1, 6, die]))


def effect_expiry(given: Given) -> Said:
    """The last player turn in which the table of machines calls the tank shaken."""
    turn, own = given["current_player_turn"], given["current_turn_is_owners"]
    owner_first = (turn % 2 == 1) == own
    battle = _stricken(given, owner_first)
    _turn_to(battle, turn)
    _suffer(battle, "shaken", 0)
    last = turn
    while "shaken" in _notes(battle, "Tank", "condition"):
        last = int(battle.where["turn"])
        battle.push("end_turn")
    return {"expires_at_end_of_player_turn": last}


def can_fire_timeline(given: Given) -> Said:
    """Results in their player turns, and whether the tank may fire in those of its own."""
    owned, queries = given["owner_turns"], given["queries"]
    battle = _stricken(given, owned[0] % 2 == 1)
    events = [(turn, row) for turn, row in given["events"]]
    can: dict[int, bool] = {}
    for turn in range(1, max([*queries, *(turn for turn, _ in events)]) + 1):
        _turn_to(battle, turn)
        is_owners = battle.where["side"] == battle.state.vehicle("Tank").side
        assert is_owners == (turn in owned) or turn > max(owned), "the players take turns"
        for at, row in enumerate(row for when, row in events if when == turn):
            _suffer(battle, row, at)
        if is_owners:
            while battle.where["phase"] != "shooting":
                battle.push("end_phase")
            can[turn] = battle.refusal("fire", unit="Tank", target="Foe 1", guns=[{"gun": "Cannon"}]) is None
    return {"can_fire": [can[turn] for turn in queries]}
