"""Getting in and out, and shooting from inside: transport and what_may_it_do."""

from __future__ import annotations

from tests.vectors.given import Given
from tests.vectors.vehicles5_parts import BANDS, Said, ask_fast, crew, is_so, types, value

PHASES = ("movement", "shooting", "assault")


def _vehicle(given: Given) -> Said:
    """The transport and what it has done so far; turning on the spot is no move, and so nobody asks for it."""
    given.get("vehicle_pivoted")
    return {
        "types": types(given),
        "moved": given["vehicle_has_moved"],
        "band": given.choice("vehicle_band_so_far", BANDS),
        "phase": given.choice("phase", PHASES),
        "then": given.choice("then_vehicle_moves", (None, *BANDS), None),
        **crew(given, "vehicle_state"),
    }


def embark(given: Given) -> Said:
    unit = given["unit"]
    answer = ask_fast(
        given,
        "transport",
        way="in",
        unit_type=unit["type"],
        models=unit["models"],
        capacity=given["capacity"],
        aboard=given["aboard"],
        at_access=given["models_within_2in_of_access"],
        at_hull=given.get("models_within_2in_of_hull", 0),
        got_out=given["disembarked_this_turn"],
        **_vehicle(given),
    )
    return {"legal": is_so(answer, "allowed"), "vehicle_may_move_after": is_so(answer, "vehicle_may_move")}


def disembark(given: Given) -> Said:
    answer = ask_fast(
        given,
        "transport",
        way="out",
        boarded=given["embarked_this_turn"],
        room=given["placement"],
        **_vehicle(given),
    )
    may = value(answer, "unit_then").split(", ")
    return {
        "legal": is_so(answer, "allowed"),
        "unit_may_move": "move" in may,
        "unit_may_shoot": "shoot" in may,
        "unit_may_assault": "assault" in may,
        "counts_as_moving": is_so(answer, "counts_as_moving"),
        "vehicle_may_move_after": is_so(answer, "vehicle_may_move"),
        "emergency": is_so(answer, "emergency"),
    }


def passenger_fire(given: Given) -> Said:
    given.get("vehicle_pivoted")  # turning on the spot is no move
    smoked = given.get("smoke_this_turn", False)
    answer = ask_fast(
        given,
        "what_may_it_do",
        types=types(given),
        fire_points=given["fire_points"],
        capacity=given["passengers"],
        passengers=given["passengers"],
        band=given.choice("vehicle_band", BANDS),
        smoke_launchers=smoked,
        smoke_this_turn=smoked,
        **crew(given, "vehicle_state"),
    )
    return {
        "max_shooters": value(answer, "passengers_shoot"),
        "counts_as_moving": is_so(answer, "passengers_as_moving"),
    }
