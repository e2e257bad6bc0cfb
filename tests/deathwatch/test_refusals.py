"""What is refused in a battle and in a question, with the clause and the words, and that nothing changes by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from battletape.battle import Battle
from battletape.rulesets.deathwatch import RULESET
from tests.deathwatch.battles import battle, fighter, mob, state
from tests.refusals import Allowed, QuestionRow, Row, Start, begin, faults, is_allowed, question_faults, start_faults

GODWYN, KNIFE, MELTA, SWORD, PISTOL = (
    "Astartes Bolter (Godwyn)",
    "Astartes Combat Knife",
    "Astartes Meltagun (Vulkan)",
    "Astartes Chainsword",
    "Astartes Bolt Pistol",
)
CATO, ILARIO, TEODOR, RURIK = (
    fighter("Brother Cato"),
    fighter("Brother Ilario"),
    fighter("Brother Teodor"),
    fighter("Brother Rurik", 4, 0),
)
SKARR = fighter("Raider", 0, 20, name="Skarr")
GHARN = fighter("Warlord Gharn", 0, 20)
COMBI = fighter("Brother Cato", weapons=["Astartes Combi-Weapon", PISTOL], barrels=[MELTA])
SMOKE_GUN = {"name": "Smoke gun", "kind": "Pistol", "range": 60, "damage": "1d10", "damage_type": "I", "clip": 9}
SMOKER = fighter("Brother Cato", weapons=["Smoke gun"], arsenal=[{**SMOKE_GUN, "qualities": ["Smoke"]}])
FLAMES = {"name": "Hand flamer", "kind": "Pistol", "range": 10, "damage": "1d10", "damage_type": "E", "clip": 9}
BURNER = fighter("Brother Cato", weapons=["Hand flamer"], arsenal=[{**FLAMES, "qualities": ["Flame"]}])


def between(ours: list[Any], theirs: list[Any]) -> Callable[[], Battle]:
    """Return what makes a battle of Vesper against Raiders."""
    return lambda: battle(ours, theirs)


def suffering(name: str, **conditions: Any) -> Callable[[], Battle]:
    """Return what makes a battle of Cato against Skarr in which one of them suffers from these conditions."""

    def make() -> Battle:
        played = battle([CATO], [SKARR])
        now = state(played).fighter(name)
        changed = replace(now, conditions=replace(now.conditions, **conditions))
        played.trust(0, state(played).with_units(changed))
        return played

    return make


def not_begun() -> Battle:
    """A battle whose initiative has not been rolled."""
    ours = {"name": "A", "fighters": [{"profile": "Brother Cato"}, {"profile": "Brother Ilario", "x": 5}]}
    theirs = {"mobs": [{"profile": "Raider mob", "y": 30}], "fighters": [{"profile": "Warlord Gharn"}]}
    return Battle.new(RULESET, {"sides": [ours, {"name": "B", **theirs}]})


DUEL = between([CATO], [SKARR])
AT_GHARN = between([CATO], [GHARN])
GUNS = between([CATO, fighter("Brother Teodor", 5, 5)], [SKARR, fighter("Raider", 0, 401, name="Far")])
RANGES = between([CATO], [fighter("Raider", 0, 51, name="Far"), fighter("Raider", 0, 50, name="Near")])
AXEMEN = between([TEODOR], [fighter("Warlord Gharn", 0, 1), fighter("Raider", 0, 9, name="Skarr")])
MOB_AT_HAND = between([TEODOR], [mob(y=1, magnitude=20), fighter("Raider", 30, 30, name="Skarr")])
MOB_AHEAD = between([CATO], [mob(y=20), SKARR])
DELAYS = between([CATO, RURIK], [SKARR])
BARRELS = between([COMBI], [fighter("Warlord Gharn", 0, 9)])
BRACED = between([ILARIO], [GHARN])
ROUND = ("end_turn", "end_turn")
"""The turns of both fighters of a duel."""
MISS, JAM = (99,), (95,)
"""A shot with no further dice."""

STARTS: dict[str, Start] = {
    # --- whose turn ---
    "not begun": (not_begun,),
    "begun": (not_begun, ("begin_battle", {}, (3, 4, 4, 8))),
    "surprised": (between([fighter("Brother Cato", surprised=True)], [GHARN]),),
    "surprised no more": (between([fighter("Brother Cato", surprised=True)], [GHARN]), *ROUND),
    "delayed": (DELAYS, "delay"),
    "acting on a delay": (
        DELAYS,
        "delay",
        "end_turn",
        "delay",
        "end_turn",
        ("act_delayed", {"unit": "Brother Cato", "against": "Brother Rurik"}, (41, 42)),
    ),
    "after a delay": (
        DELAYS,
        "delay",
        "end_turn",
        "delay",
        "end_turn",
        ("act_delayed", {"unit": "Brother Cato", "against": "Brother Rurik"}, (41, 42)),
        "aim",
    ),
    # --- guns ---
    "a duel": (DUEL,),
    "guns": (GUNS,),
    "Teodor's turn": (GUNS, "end_turn"),
    "at Gharn": (AT_GHARN,),
    "aimed": (AT_GHARN, "aim"),
    "ranges": (RANGES,),
    "watching": (RANGES, ("watch", {"target": "Far"}), "end_turn", ("move", {"x": 1, "y": 52})),
    "three close together": (
        between([CATO], [SKARR, fighter("Raider", 1, 21, name="Murn"), fighter("Raider", 9, 20, name="Dagg")]),
    ),
    "a smoke gun": (between([SMOKER], [GHARN]),),
    "a hand flamer": (between([BURNER], [SKARR]),),
    "two barrels": (BARRELS,),
    "one barrel fired": (
        BARRELS,
        ("shoot", {"target": "Warlord Gharn", "weapon": MELTA}, (13, "none", 2, 3)),
        *ROUND,
    ),
    "jammed": (AT_GHARN, ("shoot", {"target": "Warlord Gharn", "mode": "semi"}, JAM), *ROUND),
    "jam not cleared": (
        AT_GHARN,
        ("shoot", {"target": "Warlord Gharn", "mode": "semi"}, JAM),
        *ROUND,
        ("clear_jam", {}, (49,)),
    ),
    "jam cleared": (
        AT_GHARN,
        ("shoot", {"target": "Warlord Gharn", "mode": "semi"}, JAM),
        *ROUND,
        ("clear_jam", {}, (48,)),
        *ROUND,
    ),
    "reloaded": (
        AT_GHARN,
        ("shoot", {"target": "Warlord Gharn", "mode": "semi"}, JAM),
        *ROUND,
        ("clear_jam", {}, (48,)),
        *ROUND,
        "reload",
        *ROUND,
    ),
    "braced now": (BRACED, "brace"),
    "braced": (BRACED, "brace", *ROUND),
    # --- conditions ---
    "a hand lost": (suffering("Brother Cato", lost=("right_hand",)),),
    "blind": (suffering("Brother Cato", blind=2),),
    "a useless leg": (suffering("Brother Cato", useless=(("right_leg", 3),)),),
    "stunned": (between([CATO], [fighter("Raider", 0, 20, name="Skarr", stunned=2), mob(y=30)]),),
    # --- moves ---
    "moved": (DUEL, ("move", {"x": 0, "y": 5})),
    "dropped now": (DUEL, "drop_prone"),
    "prone": (DUEL, "drop_prone", *ROUND),
    # --- weapons in hand ---
    "bolter dropped": (DUEL, ("drop", {"weapon": GODWYN}), ("ready", {"weapon": KNIFE})),
    "bolter left behind": (
        DUEL,
        ("drop", {"weapon": GODWYN}),
        ("ready", {"weapon": KNIFE}),
        ("move", {"x": 0, "y": 5}),
        *ROUND,
        ("ready", {"weapon": KNIFE, "stow": True}),
    ),
    # --- reactions ---
    "one reaction": (between([CATO, RURIK], [fighter("Brother Teodor", 0, 20)]),),
    "reaction used": (
        between([CATO, RURIK], [fighter("Brother Teodor", 0, 20)]),
        ("shoot", {"target": "Brother Teodor"}, (12, "dodge", 20)),
    ),
    # --- blows and hordes ---
    "base to base": (AXEMEN,),
    "a mob at hand": (MOB_AT_HAND,),
    "a mob and Skarr": (between([CATO], [SKARR, mob(x=1, y=20)]),),
    "a mob ahead, fired": (MOB_AHEAD, ("shoot", {"target": "Skarr"}, MISS)),
    "the mob's turn": (MOB_AHEAD, "end_turn"),
}


ROWS = [
    # --- whose turn ---
    Row(
        "not begun",
        "aim",
        {"unit": "Brother Cato"},
        "DW-ECON-1",
        "initiative comes first; roll it with begin_battle (DW-ECON-1)",
    ),
    Row("not begun", "end_turn", {}, "DW-ECON-1", "initiative comes first; roll it with begin_battle (DW-ECON-1)"),
    Row("begun", "begin_battle", {}, "DW-ECON-1", "initiative has been rolled (DW-ECON-1)"),
    Row(
        "surprised",
        "aim",
        {},
        "DW-COND-SURPRISED",
        "Brother Cato is surprised and does nothing in this turn; end it (DW-COND-SURPRISED)",
    ),
    Row(
        "delayed",
        "act_delayed",
        {"unit": "Brother Cato"},
        "DW-ACT-DELAY",
        "it is the turn of Brother Cato already (DW-ACT-DELAY)",
    ),
    Row(
        "delayed",
        "act_delayed",
        {"unit": "Brother Rurik"},
        "DW-ACT-DELAY",
        "Brother Rurik has not delayed; use delay in its turn first (DW-ACT-DELAY)",
    ),
    Row(
        "acting on a delay",
        "run",
        {"x": 0, "y": 5},
        "DW-ACT-DELAY",
        "Brother Cato acts on a delay, which is one Half Action; Run is a Full Action (DW-ACT-DELAY)",
    ),
    Row(
        "after a delay",
        "aim",
        {"unit": "Brother Rurik"},
        "DW-ECON-1",
        "it is the turn of Skarr; Brother Rurik has to wait (it acts on its delay with act_delayed) (DW-ECON-1)",
    ),
    Row(
        "guns",
        "shoot",
        {"unit": "Brother Teodor", "target": "Skarr"},
        "DW-ECON-1",
        "it is the turn of Brother Cato; Brother Teodor has to wait (DW-ECON-1)",
    ),
    # --- guns ---
    Row(
        "guns",
        "shoot",
        {"target": "Far"},
        "DW-RANGE-1",
        "Astartes Bolter (Godwyn) cannot reach 401 m; it reaches 400 m, four times its range of 100 m",
    ),
    Row(
        "guns",
        "shoot",
        {"target": "Brother Teodor"},
        "DW-PIPE-1",
        "Brother Cato does not attack Brother Teodor, which is on its side; Skarr, Far would do (DW-PIPE-1)",
    ),
    Row(
        "guns",
        "shoot",
        {"target": "Skarr", "weapon": KNIFE},
        "DW-RWEP-00",
        "Astartes Combat Knife is for melee and has no fire modes (DW-RWEP-00)",
    ),
    Row(
        "guns",
        "flame",
        {"target": "Skarr"},
        "DW-QUAL-FLAME",
        "Astartes Bolter (Godwyn) throws no flames; use shoot (DW-QUAL-FLAME)",
    ),
    Row(
        "guns",
        "blast",
        {"target": "Skarr"},
        "DW-QUAL-BLAST",
        "Astartes Bolter (Godwyn) does not burst; use shoot (DW-QUAL-BLAST)",
    ),
    Row(
        "guns",
        "shoot",
        {"target": "Sckar"},
        "",
        "there is no fighter 'Sckar'. Did you mean 'Skarr'? Known: Brother Cato, Brother Teodor, Skarr, Far.",
    ),
    Row("guns", "shoot", {"target": "Skarr", "weapon": "Astrates Blotre (Gdown)"}, "", "Godwyn"),
    Row(
        "Teodor's turn",
        "shoot",
        {"weapon": PISTOL, "target": "Skarr", "mode": "full"},
        "DW-RWEP-00",
        "Astartes Bolt Pistol has no full auto; single shots or semi-auto (3) would do (DW-RWEP-00)",
    ),
    Row(
        "at Gharn",
        "shoot",
        {"target": "Warlord Gharn", "mode": "semi", "called": "head"},
        "DW-ACT-CALLED-SHOT",
        "a called shot is one single shot; got semi-auto (DW-ACT-CALLED-SHOT)",
    ),
    Row(
        "at Gharn",
        "shoot",
        {"target": "Warlord Gharn", "called": "nose"},
        "",
        "called must be one of head, right_arm, left_arm, body, right_leg, left_leg; got 'nose'",
    ),
    Row(
        "at Gharn",
        "brace",
        {},
        "DW-ACT-BRACE-HEAVY-WEAPON",
        "only heavy weapons are braced; Astartes Bolter (Godwyn) is Basic (DW-ACT-BRACE-HEAVY-WEAPON)",
    ),
    Row(
        "at Gharn",
        "blast",
        {"x": 0, "y": 10},
        "DW-QUAL-BLAST",
        "Astartes Bolter (Godwyn) does not burst; use shoot (DW-QUAL-BLAST)",
    ),
    Row(
        "aimed",
        "aim",
        {},
        "DW-ECON-2",
        "Brother Cato has done Aim (half) this turn, and Aim (half) besides is same Half Action twice;",
    ),
    Row(
        "three close together",
        "shoot",
        {"target": "Skarr", "mode": "full", "others": ["Dagg"]},
        "DW-AUTO-3",
        "extra hits go to targets within 2 m of the first; this one is 9 m away (DW-AUTO-3)",
    ),
    Row(
        "a mob and Skarr",
        "shoot",
        {"target": "Skarr", "mode": "full", "others": ["Raider mob"]},
        "DW-HORDE-6",
        "Raider mob is a horde, which is attacked as a whole; no hit of a burst can be given to it (DW-HORDE-6)",
    ),
    Row(
        "a mob and Skarr",
        "shoot",
        {"target": "Raider mob", "mode": "full", "others": ["Skarr"]},
        "DW-HORDE-6",
        "every hit of an attack on a horde goes to the horde; none can be given to a leader in or near it",
    ),
    Row(
        "a smoke gun",
        "blast",
        {"target": "Warlord Gharn"},
        "DW-QUAL-BLAST",
        "Smoke gun does not burst; use shoot, or lay its smoke on a place: x and y without a target",
    ),
    Row(
        "a smoke gun",
        "blast",
        {"x": 0, "y": 900},
        "DW-RANGE-1",
        "Smoke gun cannot reach 900 m; it reaches 240 m, four times its range of 60 m (DW-RANGE-1)",
    ),
    Row(
        "ranges",
        "suppress",
        {"target": "Far"},
        "DW-SUPP-1",
        "suppressing fire reaches half the range of Astartes Bolter (Godwyn), 50 m; Far is 51 m away (DW-SUPP-1)",
    ),
    Row(
        "watching",
        "fire_on_watch",
        {"unit": "Brother Cato", "target": "Far", "mode": "suppressing"},
        "DW-SUPP-1",
        "suppressing fire reaches half the range of Astartes Bolter (Godwyn), 50 m; Far is 52.01 m away",
    ),
    Row(
        "a hand flamer",
        "suppress",
        {"target": "Skarr"},
        "DW-SUPP-1",
        "Hand flamer has no bursts; suppressing fire needs semi-auto or full auto (DW-SUPP-1)",
    ),
    Row(
        "a hand flamer",
        "watch",
        {"target": "Skarr"},
        "DW-SUPP-1",
        "Hand flamer has no bursts; suppressing fire needs semi-auto or full auto (DW-SUPP-1)",
    ),
    Row(
        "two barrels",
        "shoot",
        {"target": "Warlord Gharn", "weapon": MELTA, "mode": "semi"},
        "DW-RWEP-00",
        "Astartes Meltagun (Vulkan) has no semi-auto; single shots would do (DW-RWEP-00)",
    ),
    Row(
        "one barrel fired",
        "shoot",
        {"target": "Warlord Gharn", "weapon": MELTA},
        "DW-RWEP-00",
        "single shots of Astartes Meltagun (Vulkan) needs 1 round, the clip holds 0; reload first (DW-RWEP-00)",
    ),
    Row(
        "jammed",
        "shoot",
        {"target": "Warlord Gharn"},
        "DW-JAM-2",
        "Astartes Bolter (Godwyn) is jammed; clear it first, a Full Action (DW-JAM-2)",
    ),
    Row(
        "jammed", "reload", {}, "DW-JAM-2", "Astartes Bolter (Godwyn) is jammed; clear it first (clear_jam) (DW-JAM-2)"
    ),
    Row(
        "jam not cleared",
        "clear_jam",
        {},
        "DW-ECON-1",
        "Brother Cato has done Clear a Jam this turn, and Clear a Jam besides is more than one Full Action",
    ),
    Row(
        "jam cleared",
        "shoot",
        {"target": "Warlord Gharn"},
        "DW-RWEP-00",
        "single shots of Astartes Bolter (Godwyn) needs 1 round, the clip holds 0; reload first (DW-RWEP-00)",
    ),
    Row(
        "reloaded",
        "reload",
        {},
        "DW-ACT-RELOAD",
        "Astartes Bolter (Godwyn) of Brother Cato holds 28 of 28 rounds already; reload it when rounds are",
    ),
    Row("reloaded", "clear_jam", {}, "DW-JAM-2", "Astartes Bolter (Godwyn) is not jammed (DW-JAM-2)"),
    Row("braced now", "shoot", {"target": "Warlord Gharn", "mode": "full"}, "DW-ECON-1", "Full Action"),
    Row(
        "braced",
        "brace",
        {},
        "DW-ACT-BRACE-HEAVY-WEAPON",
        "Astartes Heavy Bolter is braced already (DW-ACT-BRACE-HEAVY-WEAPON)",
    ),
    # --- conditions ---
    Row(
        "a hand lost",
        "shoot",
        {"target": "Skarr"},
        "DW-CRIT-2",
        "Astartes Bolter (Godwyn) needs 2 hands, and Brother Cato has 1 to use (DW-CRIT-2)",
    ),
    Row(
        "blind",
        "shoot",
        {"target": "Skarr"},
        "DW-COND-BLIND",
        "it is blind for 2 rounds: tests by sight and Ballistic Skill fail (DW-COND-BLIND)",
    ),
    Row(
        "a useless leg",
        "move",
        {"x": 0, "y": 5},
        "DW-ACT-MOVE",
        "a half move reaches 2.5 m, not 5 m; a full move would do (DW-ACT-MOVE)",
    ),
    # --- moves ---
    Row(
        "a duel",
        "move",
        {"x": 0, "y": 6},
        "DW-ACT-MOVE",
        "a half move reaches 5 m, not 6 m; a full move would do (DW-ACT-MOVE)",
    ),
    Row(
        "moved",
        "move",
        {"x": 0, "y": 6},
        "DW-ECON-2",
        "Brother Cato has done Move (half) this turn, and Move (half) besides is same Half Action twice;",
    ),
    Row("a duel", "stand", {}, "DW-ACT-STAND-MOUNT", "Brother Cato is not prone (DW-ACT-STAND-MOUNT)"),
    Row(
        "dropped now",
        "run",
        {"x": 0, "y": 3},
        "DW-ECON-1",
        "Brother Cato has done Drop Prone this turn, and Run besides is more than one Full Action worth; end",
    ),
    Row(
        "prone",
        "run",
        {"x": 0, "y": 3},
        "DW-COND-PRONE",
        "Brother Cato is prone; stand first, or crawl a half move (DW-COND-PRONE)",
    ),
    Row("prone", "leap", {"x": 0, "y": 3}, "DW-COND-PRONE", "Brother Cato is prone; stand first (DW-COND-PRONE)"),
    Row(
        "a duel",
        "leap",
        {"x": 0, "y": 30},
        "DW-ACT-JUMP-OR-LEAP",
        "a leap goes no farther than a full move of 10 m, not 30 m (DW-ACT-JUMP-OR-LEAP)",
    ),
    # --- weapons in hand ---
    Row(
        "a duel",
        "ready",
        {"weapon": KNIFE},
        "DW-ACT-READY",
        "Astartes Combat Knife needs 1 free hand, Brother Cato has 0; put away or drop Astartes Bolter",
    ),
    Row(
        "a duel",
        "strike",
        {"weapon": KNIFE, "target": "Skarr"},
        "DW-ACT-READY",
        "Astartes Combat Knife is not in hand; ready it first, a Half Action (DW-ACT-READY)",
    ),
    Row(
        "bolter dropped",
        "shoot",
        {"weapon": GODWYN, "target": "Skarr"},
        "DW-ACT-READY",
        "Astartes Bolter (Godwyn) is not in hand; ready it first, a Half Action (DW-ACT-READY)",
    ),
    Row(
        "bolter left behind",
        "ready",
        {"weapon": GODWYN},
        "DW-ACT-READY",
        "Astartes Bolter (Godwyn) lies at (0, 0), out of reach (DW-ACT-READY)",
    ),
    # --- reactions ---
    Row(
        "one reaction",
        "dodge",
        {"unit": "Brother Teodor"},
        "DW-ACT-DODGE",
        "a dodge is a Reaction: it is chosen within the attack, when an attack hits (the question",
    ),
    Row(
        "reaction used",
        "dodge",
        {"unit": "Brother Teodor"},
        "DW-EVA-1",
        "a dodge is a Reaction, and there is one Reaction a round: 1 used, wait for the next round (DW-EVA-1)",
    ),
    Row(
        "reaction used",
        "parry",
        {"unit": "Brother Teodor"},
        "DW-EVA-1",
        "a parry is a Reaction, and there is one Reaction a round: 1 used, wait for the next round (DW-EVA-1)",
    ),
    Row("stunned", "dodge", {"unit": "Skarr"}, "DW-STUN-1", "a stunned fighter cannot dodge (DW-STUN-1)"),
    Row(
        "stunned",
        "parry",
        {"unit": "Brother Cato"},
        "DW-EVA-3",
        "a parry needs a melee weapon in hand; there is none, a dodge would do (DW-EVA-3)",
    ),
    Row(
        "stunned",
        "parry",
        {"unit": "Raider mob"},
        "DW-HORDE-15",
        "Raider mob is a horde and does not parry; it moves, shoots (horde_shoots) and strikes",
    ),
    # --- blows and hordes ---
    Row(
        "base to base",
        "strike",
        {"target": "Skarr"},
        "DW-COND-ENGAGED",
        "Skarr is 9 m away; a blow reaches 2 m, so move there or charge (DW-COND-ENGAGED)",
    ),
    Row(
        "base to base",
        "strike",
        {"target": "Warlord Gharn", "weapon": PISTOL},
        "DW-MWEP-00",
        "Astartes Bolt Pistol is a gun; use shoot, or strike with a blade or fists (DW-MWEP-00)",
    ),
    Row(
        "a mob at hand",
        "strike",
        {"target": "Raider mob", "how": "called", "called": "head"},
        "DW-HPIPE-1",
        "a horde has no places to call; attack it without a called shot (DW-HPIPE-1)",
    ),
    Row(
        "a mob at hand",
        "strike",
        {"target": "Raider mob", "how": "stun"},
        "DW-HORDE-1",
        "Raider mob is a horde; nobody can stun all of it (DW-HORDE-1)",
    ),
    Row(
        "a mob ahead, fired",
        "horde_shoots",
        {"target": "Skarr"},
        "DW-HORDE-15",
        "Brother Cato is no horde; use shoot or strike (DW-HORDE-15)",
    ),
    Row(
        "the mob's turn",
        "shoot",
        {"target": "Brother Cato"},
        "DW-HORDE-15",
        "Raider mob is a horde and does not shoot like a fighter; it moves, shoots (horde_shoots) and",
    ),
    Row(
        "the mob's turn",
        "aim",
        {},
        "DW-HORDE-15",
        "Raider mob is a horde and does not aim; it moves, shoots (horde_shoots) and strikes (horde_strikes)",
    ),
]


@pytest.mark.clause(
    "DW-ACT-BRACE-HEAVY-WEAPON",
    "DW-ACT-CALLED-SHOT",
    "DW-ACT-DELAY",
    "DW-ACT-DODGE",
    "DW-ACT-JUMP-OR-LEAP",
    "DW-ACT-MOVE",
    "DW-ACT-PARRY",
    "DW-ACT-READY",
    "DW-ACT-RELOAD",
    "DW-ACT-RUN",
    "DW-ACT-STAND-MOUNT",
    "DW-AUTO-3",
    "DW-COND-BLIND",
    "DW-COND-ENGAGED",
    "DW-COND-PRONE",
    "DW-COND-SURPRISED",
    "DW-CRIT-2",
    "DW-ECON-1",
    "DW-ECON-2",
    "DW-EVA-1",
    "DW-EVA-3",
    "DW-HORDE-1",
    "DW-HORDE-6",
    "DW-HORDE-15",
    "DW-HPIPE-1",
    "DW-JAM-2",
    "DW-MOVE-1",
    "DW-MWEP-00",
    "DW-PIPE-1",
    "DW-QUAL-BLAST",
    "DW-QUAL-FLAME",
    "DW-RANGE-1",
    "DW-RWEP-00",
    "DW-STUN-1",
    "DW-SUPP-1",
    "DW-TEST-6",
)
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_an_order_is_refused_with_its_clause_and_changes_nothing(row: Row):
    assert not faults(begin(STARTS[row.start]), row)


ALLOWED = [
    Allowed("surprised no more", "aim", {}),
    Allowed("ranges", "suppress", {"target": "Near"}),
    Allowed("watching", "fire_on_watch", {"unit": "Brother Cato", "target": "Far", "mode": "full"}),
    Allowed("one barrel fired", "shoot", {"target": "Warlord Gharn", "mode": "full"}),  # the first barrel is loaded
]


@pytest.mark.parametrize("row", ALLOWED, ids=str)
def test_an_order_within_the_limit_is_not_refused(row: Allowed):
    assert is_allowed(row, STARTS)


def sides(*fighters: dict[str, Any]) -> list[dict[str, Any]]:
    """Return two sides, of which the second has these fighters."""
    return [{"name": "A", "fighters": [{"profile": "Brother Cato"}]}, {"name": "B", "fighters": list(fighters)}]


ALONE = sides()[0]
BAD_STARTS: list[tuple[list[dict[str, Any]], str]] = [
    ([ALONE], "two sides"),
    ([ALONE, ALONE], "every side needs a name of its own"),
    ([ALONE, {**ALONE, "name": "B"}], "every unit needs a name of its own"),
    ([ALONE, {"name": "B"}], "needs a fighter"),
    (sides({"profile": "Rader gang"}), "Raider"),
    (sides({"profile": "Raider", "damage_taken": 11}), "10 or less"),
    (sides({"profile": "Raider", "critical": 1}), "all 10 wounds"),
    (sides({"profile": "Raider", "tags": ["alein"]}), "Did you mean 'alien'"),
    (sides({**COMBI, "name": "B", "barrels": [MELTA, "Astartes Flamer"]}), "got 2 for 1 combi-weapon"),
    (sides({**COMBI, "name": "B", "weapons": [GODWYN]}), "got 1 for 0 combi-weapons"),
    (sides({**COMBI, "name": "B", "barrels": [SWORD]}), "needs a gun"),
    (sides({**COMBI, "name": "B", "barrels": ["Astartes Meltgun"]}), "Meltagun"),
]


@pytest.mark.clause("DW-RWEP-04")
@pytest.mark.parametrize(("start", "fragment"), BAD_STARTS, ids=[fragment for _, fragment in BAD_STARTS])
def test_a_start_that_does_not_fit_is_refused(start: list[dict[str, Any]], fragment: str):
    assert not start_faults(lambda: Battle.new(RULESET, {"sides": start}), fragment)


WIELDER = ["Two Weapon Wielder"]
DUELLISTS = {"a_profile": "Brother Cato", "b_profile": "Warlord Gharn"}
BURST_OF_TEN = {"bs": 50, "single": True, "semi": 0, "full": 10, "range": 60, "distance": 20}


QUESTIONS = [
    # --- hordes ---
    QuestionRow(
        "horde",
        {"starting": 20},
        "",
        "starting must be the Magnitude it had at first, 30 or more; got 20 (DW-HORDE-16)",
    ),
    QuestionRow(
        "horde",
        {"attack": "psychic", "psy_rating": 3},
        "",
        "a psychic attack needs its damage, such as 2d10; got none (DW-HORDE-13)",
    ),
    QuestionRow(
        "horde",
        {"attack": "psychic", "damage": "2d10"},
        "",
        "a psychic attack needs a psy_rating of 1 or more; got 0 (DW-HORDE-13)",
    ),
    QuestionRow(
        "horde",
        {"attack": "flame", "damage": "2d10"},
        "",
        "an attack with flames needs a flame weapon; got a weapon with Tearing (DW-HORDE-12)",
    ),
    QuestionRow(
        "horde",
        {"attack": "flame", "weapon": "Autogun"},
        "",
        "an attack with flames needs a flame weapon; got Autogun (DW-HORDE-12)",
    ),
    QuestionRow(
        "horde", {"attacks": 2}, "", "attacks must be 1 unless it is melee; got 2 of shoot (DW-ACT-MULTIPLE-ATTACKS)"
    ),
    QuestionRow(
        "horde",
        {"attack": "melee", "attacks": 3, "talents": "Swift Attack"},
        "DW-ACT-MULTIPLE-ATTACKS",
        "3 attacks need the talent Lightning Attack; got Swift Attack (DW-ACT-MULTIPLE-ATTACKS)",
    ),
    QuestionRow(
        "horde",
        {"weapon": PISTOL, "mode": "full"},
        "DW-RWEP-00",
        "Astartes Bolt Pistol has no full auto; single shots or semi-auto (3) would do (DW-RWEP-00)",
    ),
    QuestionRow(
        "horde",
        {"mode": "single", "on_overwatch": True},
        "DW-OVER-2",
        "overwatch fires a burst, semi or full; a single shot is not one (DW-OVER-2)",
    ),
    QuestionRow(
        "horde",
        {"weapon": "Astartes Flamer", "distance": 25},
        "DW-QUAL-FLAME",
        "Astartes Flamer cannot reach 25 m; it reaches 20 m (DW-QUAL-FLAME)",
    ),
    QuestionRow(
        "horde",
        {"weapon": "Astartes Flamer", "mode": "semi"},
        "DW-RWEP-00",
        "Astartes Flamer has no semi-auto; single shots would do (DW-RWEP-00)",
    ),
    QuestionRow(
        "horde",
        {"attack": "shoot", "weapon": SWORD},
        "DW-RWEP-00",
        "this needs a gun; Astartes Chainsword is a melee weapon (DW-RWEP-00)",
    ),
    QuestionRow(
        "horde",
        {"horde": "Raider mop"},
        "",
        "there is no horde 'Raider mop'. Did you mean 'Raider mob'? Known: Raider mob, Drilled guard.",
    ),
    QuestionRow(
        "horde", {"traits": "Disciplind"}, "", "there is no trait of a horde 'Disciplind'. Did you mean 'Disciplined'?"
    ),
    QuestionRow("horde", {"magnitude": 0}, "", "magnitude must be a whole number from 1 to 200; got 0 (DW-HORDE-14)."),
    QuestionRow(
        "horde",
        {"qualities": "Taering"},
        "",
        "there is no quality 'Taering' (DW-QUAL-TEARING). Did you mean 'Tearing'?",
    ),
    QuestionRow(
        "horde_attacks",
        {"reaction": "dodge", "dodge": 40},
        "DW-HORDE-15",
        "nobody can dodge or parry the attacks of a horde (DW-HORDE-15)",
    ),
    QuestionRow(
        "horde_attacks", {"aim": "half"}, "DW-HORDE-15", "a horde does not aim; leave the aim out (DW-HORDE-15)"
    ),
    QuestionRow(
        "horde_attacks", {"fury": "confirm"}, "DW-HORDE-15", "a horde has no righteous fury; leave it out (DW-HORDE-15)"
    ),
    QuestionRow(
        "horde_attacks",
        {"attacker": "Brother Cato"},
        "",
        "here a horde attacks, not Brother Cato; name it with horde (DW-HORDE-15)",
    ),
    QuestionRow(
        "horde_attacks", {"attacks": 4}, "", "attacks must be 3 or less: so many make 3 attacks; got 4 (DW-HORDE-15)"
    ),
    QuestionRow(
        "horde_attacks",
        {"attacks": 2, "attack": "melee"},
        "",
        "attacks must be 1 or less: in melee a horde attacks each enemy once; got 2 (DW-HORDE-15)",
    ),
    QuestionRow(
        "horde_attacks",
        {"damage": "1d5+3"},
        "",
        "a horde adds d10s to its damage; got d5s, write it with d10s (DW-HORDE-15)",
    ),
    QuestionRow(
        "horde_attacks",
        {"horde": "Driledgradu"},
        "",
        "there is no horde 'Driledgradu'. Did you mean 'Drilled guard'? Known: Raider mob, Drilled guard.",
    ),
    # --- suppressing fire ---
    QuestionRow(
        "suppress",
        {"distance": 60},
        "DW-SUPP-1",
        "suppressing fire reaches half the range of the weapon, 50 m; the targets are 60 m away (DW-SUPP-1)",
    ),
    QuestionRow(
        "suppress",
        {"fire": "full", "on_overwatch": True, "distance": 101},
        "DW-OVER-1",
        "kill zone of overwatch ends at the range of the weapon, 100 m; the targets are 101 m away (DW-OVER-1)",
    ),
    QuestionRow(
        "suppress",
        {"fire": "full"},
        "DW-OVER-3",
        "a burst of full auto pins only from overwatch; suppressing fire would do (DW-OVER-3)",
    ),
    QuestionRow(
        "suppress",
        {"weapon": "Astartes Lascannon"},
        "DW-SUPP-1",
        "suppressing fire needs semi-auto or full auto; Astartes Lascannon has single shots (DW-SUPP-1)",
    ),
    QuestionRow(
        "suppress",
        {"weapon": "Astartes Flamer", "distance": 5},
        "DW-SUPP-1",
        "Astartes Flamer has no bursts; suppressing fire needs semi-auto or full auto (DW-SUPP-1)",
    ),
    QuestionRow(
        "suppress",
        {"semi": 3, "qualities": ["Flame"]},
        "DW-SUPP-1",
        "the weapon has no bursts; suppressing fire needs semi-auto or full auto (DW-SUPP-1)",
    ),
    QuestionRow(
        "suppress",
        {"clip": 3, "short_clip": "no_burst"},
        "DW-RWEP-00",
        "full auto of the weapon needs 4 rounds, the clip holds 3; single shots",
    ),
    QuestionRow(
        "suppress",
        {**BURST_OF_TEN, "clip": 4},
        "DW-RWEP-00",
        "full auto of the weapon needs 10 rounds, the clip holds 4; single shots would do (DW-RWEP-00)",
    ),
    QuestionRow(
        "suppress",
        {"fire": "full", "on_overwatch": True, "full": 0},
        "DW-RWEP-00",
        "the weapon has no full auto; single shots or semi-auto (2) would do (DW-RWEP-00)",
    ),
    # --- shots ---
    QuestionRow(
        "shoot",
        {"weapon": PISTOL, "mode": "full", "distance": 10},
        "DW-RWEP-00",
        "Astartes Bolt Pistol has no full auto; single shots or semi-auto (3) would do (DW-RWEP-00)",
    ),
    QuestionRow(
        "shoot",
        {"weapon": "Astartes Flamer", "mode": "full", "distance": 15},
        "DW-RWEP-00",
        "Astartes Flamer has no full auto; single shots would do (DW-RWEP-00)",
    ),
    QuestionRow(
        "shoot",
        {"weapon": "Astartes Flamer", "mode": "single", "distance": 21, "agility": 40},
        "DW-QUAL-FLAME",
        "Astartes Flamer cannot reach 21 m; it reaches 20 m (DW-QUAL-FLAME)",
    ),
    QuestionRow(
        "shoot",
        {"weapon": "Astartes Flamer", "distance": 15, "agility": 40, "dodge": 50, "reaction": "dodge"},
        "DW-QUAL-FLAME",
        "nobody can dodge flames: everybody in them tests Agility instead (DW-QUAL-FLAME)",
    ),
    QuestionRow(
        "shoot",
        {"weapon": "Astartes Flamer", "distance": 15, "agility": 40, "dodge": 50, "reaction": "choose"},
        "DW-QUAL-FLAME",
        "nobody can dodge flames: everybody in them tests Agility instead (DW-QUAL-FLAME)",
    ),
    QuestionRow("shoot", {"weapon": "fists"}, "DW-RWEP-00", "this needs a gun; fists is a melee weapon (DW-RWEP-00)"),
    QuestionRow(
        "shoot",
        {"distance": 401},
        "DW-RANGE-1",
        "the weapon cannot reach 401 m; it reaches 400 m, four times its range of 100 m (DW-RANGE-1)",
    ),
    QuestionRow(
        "shoot",
        {"called": "head"},
        "DW-ACT-CALLED-SHOT",
        "a called shot is one single shot; got full auto (DW-ACT-CALLED-SHOT)",
    ),
    QuestionRow(
        "shoot",
        {"on_overwatch": True, "mode": "single"},
        "DW-OVER-2",
        "overwatch fires a burst, semi or full; a single shot is not one (DW-OVER-2)",
    ),
    QuestionRow(
        "shoot",
        {"reaction": "parry"},
        "DW-EVA-3",
        "a parry meets melee attacks only; this one is a shot, which may be dodged (DW-EVA-3)",
    ),
    QuestionRow("shoot", {"reaction": "dodge"}, "", "the target has no skill to dodge with; give it one (DW-EVA-1)"),
    QuestionRow(
        "shoot",
        {"reaction": "dodge", "dodge": 40, "stunned": True},
        "DW-STUN-1",
        "a stunned fighter cannot dodge (DW-STUN-1)",
    ),
    QuestionRow("shoot", {"damage": "2d6"}, "", "damage must be d10s or d5s, such as 2d10+5; got '2d6' (DW-RWEP-00)"),
    QuestionRow(
        "shoot", {"clip": 3}, "DW-RWEP-00", "full auto of the weapon needs 4 rounds, the clip holds 3; single shots"
    ),
    QuestionRow(
        "shoot",
        {"qualities": "Teering"},
        "",
        "there is no quality 'Teering' (DW-QUAL-TEARING). Did you mean 'Tearing'?",
    ),
    QuestionRow(
        "shoot",
        {"situations": "foggy"},
        "",
        "there is no situation 'foggy'. 28 are known, such as long_range, fatigued.",
    ),
    QuestionRow(
        "shoot",
        {"situations": "long_range"},
        "DW-SUMM-00",
        "only one range band counts, got short and long (DW-SUMM-00)",
    ),
    QuestionRow(
        "shoot",
        {"situations": "melee_vs_prone"},
        "DW-SUMM-MELEE_VS_PRONE",
        "melee_vs_prone does not change a ranged attack; it is for melee (DW-SUMM-MELEE_VS_PRONE)",
    ),
    QuestionRow(
        "shoot",
        {"cover": "Sandbag", "hidden": "body"},
        "",
        "there is no cover 'Sandbag'. Did you mean 'Sandbags'? Known: Light Wood,",
    ),
    QuestionRow(
        "shoot",
        {"cover": "8", "hidden": ("lge",)},
        "",
        "hidden: there is no place of a body 'lge' (DW-COVER-1). Did you mean 'leg'?",
    ),
    QuestionRow("shoot", {"bs": 151}, "", "bs must be a whole number from 0 to 150; got 151 (DW-TEST-1)."),
    QuestionRow("shoot", {"health": 22}, "", "health must be 21 wounds or less; got 22 (DW-DMG-1)"),
    QuestionRow(
        "shoot",
        {"size": "Hulkin"},
        "",
        "Hulking, Enormous, Massive, Immense, Monumental, Titanic; got 'Hulkin'",
    ),
    QuestionRow(
        "shoot",
        {"grade": "master"},
        "",
        "grade must be one of poor, common, good, best; got 'master' (DW-CRAFT-COMMON).",
    ),
    QuestionRow(
        "fire_mode",
        {"clip": 0},
        "DW-RWEP-00",
        "single shots of the weapon needs 1 round, the clip holds 0; reload first (DW-RWEP-00)",
    ),
    # --- talents ---
    QuestionRow(
        "fight",
        {"talents": "Swift Atack"},
        "",
        "the talent 'Swift Atack' would do nothing here. Did you mean 'Swift Attack'",
    ),
    # --- blows ---
    QuestionRow("fight", {"called": "head"}, "", "called needs the action called; got standard (DW-ACT-CALLED-SHOT)"),
    QuestionRow(
        "fight",
        {"action": "called"},
        "",
        "a called shot needs the place it is aimed at, such as head (DW-ACT-CALLED-SHOT)",
    ),
    QuestionRow("fight", {"reaction": "parry"}, "", "the target has no skill to parry with; give it one (DW-EVA-1)"),
    QuestionRow(
        "fight", {"weapon": "Autogun"}, "DW-MWEP-00", "this needs a melee weapon; Autogun is a gun (DW-MWEP-00)"
    ),
    QuestionRow(
        "fight",
        {"action": "feint_and_attack"},
        "",
        "a feint takes away a reaction: say dodge, parry or choose; got none (DW-ACT-FEINT)",
    ),
    QuestionRow(
        "fight",
        {"situations": "shoot_prone"},
        "DW-SUMM-SHOOT_PRONE",
        "shoot_prone does not change a melee attack; it is for shooting (DW-SUMM-SHOOT_PRONE)",
    ),
    QuestionRow(
        "fight",
        {"parry_with": "Autogun", "parry": 40},
        "DW-MWEP-00",
        "this needs a melee weapon; Autogun is a gun (DW-MWEP-00)",
    ),
    QuestionRow(
        "fight",
        {"parry_with": "fists", "parry": 40},
        "DW-EVA-3",
        "bare hands do not parry; name a weapon that does (DW-EVA-3)",
    ),
    QuestionRow(
        "fight",
        {"parry_with": "Astartes Power Fist", "parry": 50, "reaction": "parry"},
        "DW-QUAL-UNWIELDY",
        "nobody can parry with an unwieldy weapon; a dodge would do (DW-QUAL-UNWIELDY)",
    ),
    QuestionRow(
        "fight",
        {"grappled": True, "reaction": "dodge", "dodge": 40, "parry": 40},
        "DW-ACT-GRAPPLE",
        "a grappled fighter cannot dodge (DW-ACT-GRAPPLE)",
    ),
    QuestionRow(
        "fight",
        {"grappled": True, "reaction": "parry", "dodge": 40, "parry": 40},
        "DW-ACT-GRAPPLE",
        "a grappled fighter cannot parry (DW-ACT-GRAPPLE)",
    ),
    QuestionRow(
        "fight",
        {"grappled": True, "reaction": "choose", "dodge": 40, "parry": 40},
        "DW-ACT-GRAPPLE",
        "a grappled fighter cannot dodge (DW-ACT-GRAPPLE)",
    ),
    QuestionRow(
        "fight",
        {"action": "swift"},
        "DW-ACT-MULTIPLE-ATTACKS",
        "2 attacks need the talent Swift Attack; got none (DW-ACT-MULTIPLE-ATTACKS)",
    ),
    QuestionRow(
        "fight",
        {"action": "lightning", "talents": ["Swift Attack"]},
        "DW-ACT-MULTIPLE-ATTACKS",
        "3 attacks need the talent Lightning Attack; got Swift Attack (DW-ACT-MULTIPLE-ATTACKS)",
    ),
    QuestionRow(
        "fight",
        {"action": "two_weapons"},
        "DW-TWOW-2",
        "an attack with both weapons needs the talent Two Weapon Wielder (Melee) (DW-TWOW-2)",
    ),
    QuestionRow(
        "fight",
        {"action": "two_weapons", "talents": WIELDER, "kind": "Basic"},
        "DW-TWOW-1",
        "weapon needs both hands (Basic); pistols and melee weapons go in one (DW-TWOW-1)",
    ),
    QuestionRow(
        "fight",
        {"action": "two_weapons", "talents": WIELDER, "weapon": SWORD, "weapon2": GODWYN},
        "DW-TWOW-1",
        "Astartes Bolter (Godwyn) needs both hands (Basic); pistols and melee weapons go in one (DW-TWOW-1)",
    ),
    QuestionRow(
        "fight",
        {"action": "two_weapons", "talents": WIELDER, "weapon": SWORD, "kind2": "Heavy"},
        "DW-TWOW-1",
        "second weapon needs both hands (Heavy); pistols and melee weapons go in one (DW-TWOW-1)",
    ),
    # --- duels ---
    QuestionRow(
        "duel",
        {**DUELLISTS, "b_mode": "semi"},
        "DW-RWEP-00",
        "Astartes Power Axe is for melee and has no fire modes (DW-RWEP-00)",
    ),
    QuestionRow(
        "duel",
        {**DUELLISTS, "b_weapon": "Astartes Power Axe", "b_mode": "single"},
        "DW-RWEP-00",
        "Astartes Power Axe is for melee and has no fire modes (DW-RWEP-00)",
    ),
    QuestionRow(
        "duel",
        {**DUELLISTS, "b_weapon": "Astartes Power Axe", "b_mode": "semi"},
        "DW-RWEP-00",
        "Astartes Power Axe is for melee and has no fire modes (DW-RWEP-00)",
    ),
    QuestionRow(
        "duel",
        {**DUELLISTS, "b_weapon": "Astartes Power Axe", "b_mode": "full"},
        "DW-RWEP-00",
        "Astartes Power Axe is for melee and has no fire modes (DW-RWEP-00)",
    ),
    # --- tests ---
    QuestionRow(
        "test",
        {"difficulty": "Impossible"},
        "",
        "there is no difficulty 'Impossible'. Known: Trivial, Elementary, Simple,",
    ),
    QuestionRow(
        "test",
        {"situations": ["foggy"]},
        "",
        "there is no situation 'foggy'. 28 are known, such as long_range, fatigued.",
    ),
    QuestionRow(
        "test",
        {"characteristic": "high"},
        "",
        "characteristic must be a whole number from -200 to 300; got 'high' (DW-TEST-1).",
    ),
    QuestionRow(
        "test",
        {"modifiers": [500]},
        "",
        "modifiers must be whole numbers from -200 to 200 with commas between them; got [500] (DW-TEST-4).",
    ),
    QuestionRow("test", {"dificulty": "Hard"}, "", "test has no input 'dificulty'. Did you mean difficulty?"),
]


@pytest.mark.clause(
    "DW-ACT-CALLED-SHOT",
    "DW-ACT-FEINT",
    "DW-ACT-GRAPPLE",
    "DW-ACT-MULTIPLE-ATTACKS",
    "DW-COVER-1",
    "DW-CRAFT-COMMON",
    "DW-DMG-1",
    "DW-EVA-1",
    "DW-EVA-3",
    "DW-HORDE-12",
    "DW-HORDE-13",
    "DW-HORDE-14",
    "DW-HORDE-15",
    "DW-HORDE-16",
    "DW-MWEP-00",
    "DW-OVER-1",
    "DW-OVER-2",
    "DW-OVER-3",
    "DW-QUAL-FLAME",
    "DW-QUAL-TEARING",
    "DW-QUAL-UNWIELDY",
    "DW-RANGE-1",
    "DW-RWEP-00",
    "DW-STUN-1",
    "DW-SUMM-00",
    "DW-SUMM-MELEE_VS_PRONE",
    "DW-SUMM-SHOOT_PRONE",
    "DW-SUPP-1",
    "DW-TEST-1",
    "DW-TEST-4",
    "DW-TWOW-1",
    "DW-TWOW-2",
)
@pytest.mark.parametrize("row", QUESTIONS, ids=str)
def test_a_question_is_refused_with_its_clause(row: QuestionRow):
    assert not question_faults(RULESET, row)
