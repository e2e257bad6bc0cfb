"""Topic deathwatch: bursts, a lascannon, a horde over five turns and duels of five rounds; exact and by rolls."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from time import process_time
from typing import Any

from battletape.answer import Answer, sample
from battletape.rulesets.deathwatch import RULESET
from benchmarks.attack import KEPT, caches
from benchmarks.race import Differs, Pace, race
from benchmarks.table import Row, Table

HEAVY_BOLTER: dict[str, Any] = {
    "weapon": "Astartes Heavy Bolter",
    "mode": "full",
    "bs": 50,
    "band": "short",
    "fury": "confirm",
}
"""Ten rounds, Tearing and Righteous Fury, at a marine in power armour with 21 wounds, the default target."""
BURSTS: dict[str, dict[str, Any]] = {
    "target 80": HEAVY_BOLTER,
    "target 110": {**HEAVY_BOLTER, "bs": 80},
}
HARDER: dict[str, dict[str, Any]] = {
    "target 80, dodged at 40": {**HEAVY_BOLTER, "dodge": 40, "reaction": "dodge"},
    "target 80, cover on one side": {**HEAVY_BOLTER, "cover": "Sandbags", "hidden": ["body", "left_arm", "left_leg"]},
}
"""There is no limit for these: hits scored and hits landed are both kept, or left and right are told apart."""
LASCANNON: dict[str, Any] = {"weapon": "Astartes Lascannon", "mode": "single", "bs": 60, "fury": "confirm"}
HORDE: dict[str, Any] = {"weapon": "Astartes Bolter (Godwyn)", "mode": "full", "magnitude": 30, "turns": 5}
DUELS: dict[str, dict[str, Any]] = {
    "chainswords and dodges": {"weapon": "Astartes Chainsword", "mode": "melee", "dodge": 40, "reaction": "dodge"},
    "bolters, full auto, dodges and jams": {
        "weapon": "Astartes Bolter (Godwyn)",
        "mode": "full",
        "dodge": 40,
        "reaction": "dodge",
    },
    "heavy bolters and jams": {"weapon": "Astartes Heavy Bolter", "mode": "full"},
}
LIGHTNING: dict[str, Any] = {"action": "lightning", "talents": ["Swift Attack", "Lightning Attack"]}
HAMMER: dict[str, Any] = {"attacker": "Brother Teodor", "weapon": "Astartes Thunder Hammer", **LIGHTNING}
CONCUSSIVE_AND_TOXIC: dict[str, Any] = {**HEAVY_BOLTER, "qualities": ["Concussive", "Toxic", "Tearing"]}
INVOLVED: dict[str, tuple[str, dict[str, Any]]] = {
    "lightning attacks with a thunder hammer at a marine": ("fight", {**HAMMER, "target": "Brother Cato"}),
    "lightning attacks with a thunder hammer at a leader": ("fight", {**HAMMER, "target": "Warlord Gharn"}),
    "lightning attacks with a shocking blade at a marine": (
        "fight",
        {"weapon": "Astartes Chainsword", "qualities": ["Shocking"], "target": "Brother Cato", **LIGHTNING},
    ),
    "burst of ten, concussive and toxic, at a marine": ("shoot", CONCUSSIVE_AND_TOXIC),
    "burst of ten, concussive and toxic, at a leader": ("shoot", {**CONCUSSIVE_AND_TOXIC, "target": "Warlord Gharn"}),
    "heavy flamer of a horde at a marine": (
        "horde_attacks",
        {"horde": "Raider mob", "weapon": "Astartes Heavy Flamer", "target": "Brother Cato"},
    ),
}
"""What qualities do hit by hit and once more after all hits."""
BURST_LIMIT, WARM_LIMIT, LASCANNON_LIMIT, HORDE_LIMIT, DUEL_LIMIT = 0.030, 0.002, 0.010, 0.200, 1.0
INVOLVED_LIMIT = 1.0
KNOWN = {"weapon": "Astartes Bolter (Godwyn)", "mode": "full", "bs": 50, "band": "short"}
BEYOND_21 = Fraction(4449410267601, 10**13)
"""The chance that the reference burst does more than 21 damage, as the catalogue has it by brute force."""
SIGMA = 4.0
MEASURE = "dead"


def run(pace: Pace) -> Table:
    """Check a burst against a figure worked out elsewhere; then time every question with nothing kept."""
    table = Table(
        "deathwatch",
        "bursts of ten at a marine, a lascannon, five turns against a horde, five rounds of a duel: ask, nothing kept",
        "part of the time allowed; times as fast as rolls; for the sample, standard errors away from the exact chance",
    )
    check()
    cold = {name: timed(partial(ask, "shoot", given), pace) for name, given in BURSTS.items()}
    for name, seconds in cold.items():
        table.within(f"burst of ten, {name}", "30 ms", seconds, BURST_LIMIT)
    for name, given in HARDER.items():
        table.within(f"burst of ten, {name}", "30 ms", timed(partial(ask, "shoot", given), pace), BURST_LIMIT, None)
    warm = race({"": partial(ask, "shoot", HEAVY_BOLTER)}, pace)[""]
    table.within("burst of ten, asked before", "2 ms", warm, WARM_LIMIT)
    table.within("lascannon", "10 ms", timed(partial(ask, "shoot", LASCANNON), pace), LASCANNON_LIMIT)
    table.within("horde of 30, five turns", "200 ms", timed(partial(ask, "horde", HORDE), pace), HORDE_LIMIT)
    for name, given in DUELS.items():
        seconds = timed(partial(ask, "duel", both(given)), pace)
        table.within(f"duel of five rounds, {name}", "1 s", seconds, DUEL_LIMIT)
    for name, (question, given) in INVOLVED.items():
        table.within(name, "1 s", timed(partial(ask, question, given), pace), INVOLVED_LIMIT)
    began = process_time()
    rolled = sample(RULESET, RULESET.question("shoot"), HEAVY_BOLTER, pace.samples, seed=20)
    took = process_time() - began
    table.faster("burst of ten, target 80", f"{pace.samples:,} rolls of it", cold["target 80"], took, None)
    table.rows.append(agreement(rolled, pace.samples))
    return table


def ask(question: str, given: dict[str, Any]) -> Answer:
    """A question of the ruleset."""
    return RULESET.ask(question, **given)


def both(given: dict[str, Any]) -> dict[str, Any]:
    """The same for both sides of a duel, with 45 to hit at short range and Righteous Fury."""
    each = {"skill": 45, "fury": "confirm", **given}
    return {"band": "short", **{f"{side}_{name}": value for side in "ab" for name, value in each.items()}}


def timed(work: Any, pace: Pace) -> float:
    """The best time with every memo and cache emptied before."""
    return race({"": work}, pace, before=forget_all)[""]


def check() -> None:
    """The reference burst against brute force."""
    found = ask("shoot", KNOWN).odds("damage").at_least(22)
    if found != BEYOND_21:
        raise Differs(f"the reference burst does more than 21 damage {found}, by brute force {BEYOND_21}")


def agreement(rolled: Answer, times: int) -> Row:
    """How many standard errors the rolls lie from the exact chance that the target dies."""
    shown, exact = rolled.odds(MEASURE), ask("shoot", HEAVY_BOLTER).odds(MEASURE)
    away = abs(float(shown.mean - exact.mean)) / (float(exact.variance) / times) ** 0.5
    if away > SIGMA:
        raise Differs(f"{times:,} rolled bursts kill {float(shown.mean):.4f}, {away:.1f} sigma away")
    what = f"{times:,} bursts rolled, chance {MEASURE}"
    return Row(what, "exact chance", away, "at most", SIGMA, float(shown.mean), float(exact.mean), "")


def forget_all() -> None:
    """Empty the memo and every cache of the rules."""
    RULESET.memo.clear()
    for name, cache in caches():
        if name not in KEPT:
            cache.cache_clear()
