"""The golden battle: kill-team Vesper against Warlord Gharn; every action and every condition comes up.

`python -m tests.deathwatch.vesper` plays it and writes golden/vesper.battle.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from battletape.battle import Battle
from battletape.battle.notation import write_battle
from battletape.system import Ruleset
from tests.deathwatch.battles import Said, fighter, state

FILE = Path(__file__).parent / "golden" / "vesper.battle"
AXE = "Astartes Power Axe"
NET = {"name": "Net thrower", "kind": "Pistol", "range": 45, "damage": "1d10", "clip": 3, "qualities": ["Snare"]}
LAUNCHER = "Astartes Missile Launcher (Soundstrike)"
PISTOL = {"kind": "Pistol", "range": 60, "damage": "1d10+2", "pen": 20, "clip": 12, "reload": 2}
RIPPER = {**PISTOL, "name": "Ripper", "full": 4, "damage_type": "R"}
BURSTER = {**PISTOL, "name": "Burster", "full": 5, "damage_type": "X"}
LANCE = {**PISTOL, "name": "Rune lance", "semi": 2, "qualities": ["Overheats", "Smoke", "Haywire (3)"]}


def start() -> dict[str, Any]:
    """Five brothers and a seer; a warlord, raiders and two mobs; away from them three gunners and badly hurt raiders.

    Nothing stops a hit of the gunners but Toughness: a die that shows n does n - 1 damage to them.
    """
    ours = [
        fighter("Brother Cato", 0, 0, cover="8", hidden=["body", "legs"], blood_loss=True),
        fighter("Brother Ilario", 6, -4),
        fighter("Brother Teodor", -6, 14),
        fighter("Brother Anselm", 1, -1),
        fighter("Brother Rurik", 12, -6),
        fighter(
            *("Brother Cato", 30, -6),
            **{"name": "Codicier Marek", "psy_rating": 4, "no_bracing": True},
            **{"weapons": [LAUNCHER, "Astartes Combi-Weapon"], "barrels": ["Astartes Meltagun (Vulkan)"]},
            **{"talents": ["Launcher training", "Heavy training"]},
        ),
        gunner("Brother Osric", RIPPER, 200, 40),
        gunner("Brother Pell", BURSTER, 202, 39),
        gunner("Brother Quill", LANCE, 204, 38),
    ]
    theirs = [
        fighter("Warlord Gharn", -6, 24, facing=180),
        fighter("Raider", 10, 26, name="Skarr", facing=180),
        fighter("Raider", 11, 27, name="Murn", facing=180, weapons=["Net thrower"], arsenal=[NET]),
        fighter("Raider", 0, 9, name="Dagg", wounds=14, kind="character"),
        fighter("Raider", 40, 30, name="Vorn", surprised=True, weapons=["Astartes Bolter (Godwyn)"]),
        patient("Grell", 200, 20, 1),
        patient("Hask", 201, 20, 6),
        patient("Jorn", 200, 21, 3),
        patient("Krev", 201, 21, 3, fatigue=3),
        patient("Lurk", 200.5, 20.5, 1),
        patient("Morg", 200.5, 21, 3, armour=["Primitive Armour"]),
    ]
    mobs = [
        {"profile": "Raider mob", "x": -2, "y": 30, "cover": "1"},
        {"profile": "Raider mob", "name": "Rabble", "x": 24, "y": 20, "magnitude": 12, "surprised": True},
    ]
    return {
        "most_rounds": 30,
        "sides": [
            {"name": "Kill-team Vesper", "fighters": ours, "cohesion": 5},
            {"name": "Raiders", "fighters": theirs, "mobs": mobs},
        ],
    }


def gunner(name: str, weapon: dict[str, Any], x: float, initiative: int) -> dict[str, Any]:
    """Return a fighter with one weapon of our own making, which acts before the others."""
    mine = {"weapons": [weapon["name"]], "arsenal": [weapon], "initiative": initiative}
    return fighter("Brother Cato", x, 0, name=name, **mine)


def patient(name: str, x: float, y: float, critical: int, **more: Any) -> dict[str, Any]:
    """Return a fighter without wounds left, which acts after the gunners."""
    hurt = {"kind": "character", "damage_taken": 10, "critical": critical, "initiative": 37}
    return fighter("Raider", x, y, name=name, **hurt, **more)


class Play:
    """A battle that is played with some dice said and the others rolled."""

    def __init__(self, card: Ruleset) -> None:
        self.battle = Battle.new(card, start(), title="Vesper at the quarry")
        self.seed = 40_000

    def do(self, action: str, dice: dict[str, Any] | None = None, /, **params: Any) -> None:
        """One action."""
        self.seed += 1
        self.battle.push(action, params, tape=Said(self.seed, **(dice or {})))

    def until(self, name: str, **dice: Any) -> None:
        """End turns until it is this one's; blood and fear are said, all else is rolled."""
        calm: dict[str, Any] = {"blood_loss": [90] * 9, "willpower_(recover)": [99] * 9}
        calm |= {"critical:_ribs": ["lie still"], "critical:_wound": ["hold the wound"]}
        for _ in range(30):
            self.do("end_turn", {**calm, **dice})
            if state(self.battle).active == name:
                return
        raise AssertionError(f"no turn of {name}")


def play(card: Ruleset) -> Battle:
    """The whole battle."""
    now = Play(card)
    order = ["Brother Cato", "Brother Ilario", "Brother Teodor", "Brother Anselm", "Brother Rurik", "Codicier Marek"]
    order += ["Warlord Gharn", "Skarr", "Murn", "Dagg", "Vorn", "Raider mob", "Rabble"]
    ranks = (10, 10, 8, 7, 6, 5, 5, 4, 3, 2, 1, 1, 1)
    now.do("begin_battle", {f"{name}: initiative": rank for name, rank in zip(order, ranks, strict=True)})
    infirmary(now)
    first_round(now)
    infirmary_again(now)
    second_round(now)
    third_round(now)
    later_rounds(now)
    return now.battle


def infirmary(now: Play) -> None:
    """Critical rows: halved movement, a lost eye, useless limbs, torn bodies, and clouds where the last shots land."""
    given = {"target_of_hit_2": "Krev", "target_of_hit_3": "Jorn", "target_of_hit_4": "Hask"}
    dice = {"to_hit": 10, "damage": [(2,)] * 4, "fatigue_(d5)": [1] * 4, **given}
    burst = {"mode": "full", "trained": "yes"}
    now.do("shoot", dice, target="Grell", others=["Krev", "Jorn", "Hask"], **burst)  # head, head, arm, body: 2, 4, 4, 7
    now.until("Brother Pell")
    given = {
        "target_of_hit_2": "Morg",
        "target_of_hit_3": "Grell",
        "target_of_hit_4": "Morg",
        "target_of_hit_5": "Lurk",
    }
    dice = {"to_hit": 17, "damage": [(2,), (1,), (1,), (2,), (2,)], **given}
    now.do("shoot", dice, target="Morg", others=["Grell", "Lurk"], **burst)  # leg, (leg), body, (arm), head: 4, 3, 2
    now.until("Brother Quill")
    dice = {"to_hit": 14, "damage": [(4,), (1,)], "fatigue_(d5)": 1}
    now.do("shoot", dice, target="Jorn", mode="semi", trained="yes")  # body: row 7
    now.until("Brother Cato")


def infirmary_again(now: Play) -> None:
    """Half a reload, and a weapon that gets too hot."""
    now.until("Brother Osric")
    now.do("reload")
    now.until("Brother Quill")
    now.do("shoot", {"to_hit": 99, "overheats": "drop"}, target="Lurk", trained="yes")


def first_round(now: Play) -> None:
    """A jam, a brace, blood stopped, a missile, a net; the rabble breaks, it and Vorn are surprised."""
    now.do("shoot", {"to_hit": 95}, target="Dagg", mode="full")
    now.until("Brother Ilario")
    now.do("brace")
    now.do("aim")
    now.until("Brother Teodor")
    now.do("strike", {"to_hit": 99}, target="Warlord Gharn", how="charge")
    now.until("Brother Anselm")
    now.do("treat", {"medicae": 20}, target="Brother Cato")
    now.until("Brother Rurik")
    now.do("aim", aim="full")
    now.until("Codicier Marek")
    now.do("blast", {"to_hit": 12}, target="Rabble")
    now.until("Warlord Gharn")
    dice = {"to_hit": [20, 99], "reaction": "dodge", "dodge": 99}
    now.do("strike", dice, target="Brother Teodor", how="swift", weapon=AXE)
    now.until("Skarr")
    now.do("watch", direction=180)
    now.until("Murn")
    now.do("shoot", {"to_hit": 12, "reaction": "none", "agility_(snare)": 99}, target="Brother Rurik")
    now.until("Dagg")
    now.do("defend")
    now.until("Raider mob", **{"willpower_(break)": 99})
    now.do("horde_shoots", target="Brother Cato", others=["Brother Anselm"])
    now.until("Vorn")


def second_round(now: Play) -> None:
    """The jam is cleared, suppressing fire pins, a feint works, Dagg burns and runs, a power and a skill."""
    now.until("Brother Cato")
    now.do("clear_jam", {"clear_the_jam": 12})
    now.until("Brother Ilario")
    now.do("suppress", {"to_hit": 60, "willpower_(pinned)": [99, 5]}, direction=15)
    now.until("Brother Teodor")
    now.do("contest", {"Teodor:_weapon_skill": 3, "Gharn:_weapon_skill": 99}, target="Warlord Gharn", what="feint")
    now.do("strike", {"to_hit": 12}, target="Warlord Gharn")
    now.until("Brother Anselm")
    now.do("move", x=0, y=3)
    flames = {"agility_(flames)": 99, "location": 50, "damage": [(2, 3)], "agility_(catch_fire)": 99}
    now.do("flame", flames, target="Dagg")
    now.until("Brother Rurik")
    now.do("break_free", {"(break_free)": 1})
    now.until("Codicier Marek")
    now.do("focus_power", {"to_hit": 30}, target="Raider mob", damage="1d10+3", range=60)
    now.do("use_skill", value=42, cost="half")
    now.until("Warlord Gharn")
    dice = {"to_hit": 20, "reaction": "parry", "parry": 5}
    now.do("strike", dice, target="Brother Teodor", how="all_out", weapon=AXE)
    now.until("Skarr")
    now.do("drop_prone")
    now.until("Dagg", **{"fire": 6, "willpower_(fire)": 99, "willpower_(recover)": 1})
    now.do("run", x=0, y=19)
    now.until("Raider mob")
    now.do("run", x=-5, y=25)
    now.until("Vorn")
    now.do("run", x=32, y=24)


def third_round(now: Play) -> None:
    """Reloading, overwatch that fires and pins, a blow to stun, a delay, flames put out, a mob that strikes."""
    now.until("Brother Cato")
    now.do("reload")
    now.until("Brother Ilario")
    now.do("watch", direction=0)
    now.until("Brother Teodor")
    now.do("strike", {"to_hit": 5, "stun": 10, "reaction": "none"}, target="Warlord Gharn", how="stun")
    now.until("Brother Anselm")
    now.do("delay")
    now.until("Brother Rurik")
    now.do("shoot", {"to_hit": 12, "damage": [(5, 5, 5)]}, target="Skarr", called="body")
    now.until("Codicier Marek")
    now.do("leap", {"leap": 1}, x=30, y=-3)
    now.do("act_delayed", unit="Brother Anselm")
    now.do("move", x=0, y=8)
    now.until("Murn")
    now.do("move", x=9, y=25)
    now.do("fire_on_watch", {"to_hit": 90, "willpower_(pinned)": 99}, unit="Brother Ilario", target="Murn")
    now.until("Dagg", **{"fire": 1, "willpower_(fire)": 1})
    now.do("put_out", {"agility_(flames)": 1})
    now.until("Raider mob")
    now.do("move", x=-5.5, y=24.5)
    now.do("horde_strikes", {"to_hit": 12}, target="Brother Teodor")


def later_rounds(now: Play) -> None:
    """From cover to cover, a knock-down, a way out of melee, a broken weapon, a hold, and a critical wound."""
    now.until("Brother Cato")
    now.do("advance", x=0, y=8, cover="4", hidden=["legs"])
    now.until("Brother Teodor")
    now.do("contest", {"Teodor:_strength": 1, "Gharn:_strength": 99}, target="Warlord Gharn", what="knock_down")
    won = {"Teodor:_weapon_skill": 1, "Gharn:_weapon_skill": 99}
    now.do("contest", won, target="Warlord Gharn", what="manoeuvre", direction=0, follow="yes")
    now.until("Brother Anselm")
    now.do("drop", weapon="Astartes Flamer")
    now.do("ready", weapon="Astartes Power Sword")
    now.do("move", x=0, y=12)
    now.until("Codicier Marek")
    now.do("reload", ammunition="Krak missile")
    now.until("Dagg")
    now.do("drop", weapon="Autogun")
    now.do("ready", weapon="Improvised")
    now.do("move", x=0, y=16)
    now.until("Brother Teodor")
    now.do("disengage", x=-10, y=21)
    now.until("Brother Anselm")
    now.do("move", x=0, y=15)
    now.until("Warlord Gharn")
    now.do("stand")
    now.until("Dagg")
    dice = {"to_hit": 10, "reaction": "parry", "parry": 5, "power_field": 20}
    now.do("strike", dice, target="Brother Anselm", weapon="Improvised", how="guarded")
    now.until("Brother Ilario")
    now.do("suppress", {"to_hit": 90, "Raider_mob:_willpower_(pinned)": 99}, target="Raider mob")
    now.until("Brother Anselm")
    now.do("strike", {"to_hit": 11, "damage": [(5,)]}, target="Dagg", how="grapple")
    now.until("Brother Anselm")
    now.do("grapple", {"Anselm:_strength": 1, "Dagg:_strength": 99}, what="throw_down")
    now.until("Brother Cato")
    now.do("shoot", {"to_hit": 1, "damage": [(1, 3, 4)]}, target="Dagg")
    by_hand(now)


def by_hand(now: Play) -> None:
    """Play corrections by hand: damage to all near, healing, conditions, notes, new units, supplies."""
    dice = {"metres": [3], "location": [50, 50, 50], "damage": [(4,), (5,), (6,)]}
    now.do("wound", dice, unit="Dagg", damage="1d10+5", within="d5", stopped="yes", spares="yes")
    now.do("wound", {"location": 50}, unit="Brother Cato", damage="2")
    now.do("heal", unit="Brother Cato", wounds=1)
    now.do("condition", unit="Brother Rurik", what="half_actions", rounds=2)
    now.do("note", text="The gate is open", unit="Brother Cato")
    now.do("reinforce", like="Skarr", name="Skarr's brother", x=50, y=50)
    now.do("reinforce", like="Raider mob", name="More raiders", x=60, y=60)
    now.do("leave", unit="Codicier Marek")
    now.do("leave", unit="More raiders")
    now.do("ammunition", unit="Brother Cato", weapon="Astartes Bolter (Godwyn)", rounds=28)
    now.do("cohesion", side="Kill-team Vesper", points=4)


if __name__ == "__main__":
    from battletape.rulesets.deathwatch import RULESET

    FILE.write_text(write_battle(play(RULESET), checkpoint=False), encoding="utf-8")
