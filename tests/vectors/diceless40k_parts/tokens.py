"""Tokens, scatter, reserves and arrivals."""

from __future__ import annotations

from tests.vectors.diceless40k_parts import Said, ask, named, play, value, values, yes
from tests.vectors.given import Given

MARKERS = {None: "none", "blast": "blast", "large_blast": "large_blast"}


def tokens_given(given: Given) -> Said:
    weapons = [
        {"name": weapon["name"], "markers": [MARKERS[mode] for mode in weapon["modes"]]}
        for weapon in given.get("weapons", [])
    ]
    for key, marker in (("blast_weapons", "blast"), ("large_blast_weapons", "large_blast")):
        if given.get(key):
            weapons.append({"name": marker, "number": given[key], "markers": [marker]})
    if given.get("gets_hot_weapons"):
        weapons.append({"name": "hot", "number": given["gets_hot_weapons"], "hot": True})
    psykers = []
    for psyker in given.get("psykers", []):
        known = psyker.get("name") == "Varro Tigurius"
        marker = psyker.choice("template", MARKERS, None)
        psykers.append({"marker": marker, "gate": psyker.get("gate_of_infinity", False), "all_powers": known})
    answer = ask("army_tokens", weapons=weapons, psykers=psykers, deep_strikers=given.get("deep_strike_units", 0))
    return values(answer, scatter="scatter", gets_hot="gets_hot", warp="warp")


def scatter(given: Given) -> Said:
    rules = [] if given.get("bs_may_reduce", True) else ["ordnance_barrage"]
    tokens = given["tokens"]
    answer = ask("blast", tokens=tokens, held=tokens, night=tokens > 6, bs=given["bs"], rules=rules)
    return values(answer, moved_by_defender="moved", final_inches="inches")


def max_scatter_tokens(given: Given) -> Said:
    given.choice("kind", ("blast", "large_blast"))
    answer = ask("blast", marker=given["kind"], **named(given, night="night", held="tokens_held"))
    return values(answer, max_tokens="max_tokens")


def reserve_quota(given: Given) -> Said:
    turn, bonus = given["turn"], given.get("bonus", 0)
    bonuses = [0] * (turn - 1) + [bonus]
    return values(ask("reserves", units=given["in_reserve"], turn=turn, bonuses=bonuses), arrive="arrive")


def _arrivals(**inputs: object) -> Said:
    answer = ask("reserves", **inputs)
    return {"arrivals_turn_1_to_5": [value(answer, f"turn_{turn}") for turn in range(1, 6)]}


def reserve_schedule(given: Given) -> Said:
    return _arrivals(units=given["units"])


def reserve_turns(given: Given) -> Said:
    delays = given.get("delays", {})
    return _arrivals(units=given["units"], delays=[delays.get(str(turn), 0) for turn in range(1, 6)])


def reserve_delay_allowed(given: Given) -> Said:
    return {"allowed": yes(ask("reserves", turn=3, put_off=given.get("already_delayed", False)), "may_delay")}


def deep_strike(given: Given) -> Said:
    strike = named(given, zone="zone", held="tokens_held", jamming="jamming_beacon", guided="no_scatter")
    answer = ask("arrival", **strike)
    aimed_into_it = ask("arrival", mishap_inches=0, **strike)
    said = values(answer, max_tokens="max_tokens", max_scatter_inches="max_inches")
    return {**said, "on_mishap": value(aimed_into_it, "fate")}


def outflank(given: Given) -> Said:
    room = given.get("can_deploy", False)
    state = play("arrival", lambda asked: given["choice"], how="outflanking", left=room, right=room)
    given.get("choice")
    return {"edge": state.edge, "removed": state.removed}
