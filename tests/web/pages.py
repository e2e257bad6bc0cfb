"""The kinds of pages, each by one address: what must hold for every page is tested on all of these.

A new kind of page needs a line here and nothing else.
"""

from __future__ import annotations

ATTACK = "/attack_dice/attack?hp=2&armour=5&attacks=12&power=6"
ROLL = "/attack_dice/attack/roll?hp=2&armour=5&attacks=3&power=6"
DICE = "/attack_dice/attack/dice?hp=2&armour=5&attacks=3&power=6"
PAGES = {
    "home": "/",
    "system": "/attack_dice",
    "question": ATTACK,
    "question with lists": "/vehicles5/kill_time?_blank=1",
    "question with a table": "/attack_dice/chart?_blank=1",
    "question of percentages": "/deathwatch/test?_blank=1",
    "question without dice": "/vehicles5/what_may_it_do?_blank=1",
    "question with a body": "/deathwatch/shoot?cover=Sandbags&hidden=body",
    "question with a ladder": "/deathwatch/shoot?target=Raider&distance=40",
    "question of choices": "/diceless40k/army_tokens",
    "question with a board": "/vehicles5/ordnance?weapon=Battle+cannon",
    "question with models": "/diceless40k/tokens?figures=at+24,24&figures=at+26,24&figures=at+25,22+friend=yes",
    "question in trouble": "/attack_dice/attack?power=x",
    "roll": ROLL + "&_seed=7",
    "roll with a scatter": "/vehicles5/ordnance/roll?_seed=6",
    "roll with percentages": "/deathwatch/shoot/roll?_seed=7",
    "dice in boxes": DICE,
    "dice half typed": DICE + "&_answers=7+8~9",
    "dice all typed": DICE + "&_answers=7+8+9;3+pass",
    "dice by faces": "/vehicles5/shoot/dice",
    "dice of a scatter": "/vehicles5/ordnance/dice?_answers=arrow",
    "dice with a bearing": "/vehicles5/ordnance/dice?_answers=arrow;3+3",
    "compare": "/attack_dice/attack/compare?attacks=12&power=6&_variant=power%3D7&_variant=power%3Dx&_variant=ap%3D2",
    "compare names": "/vehicles5/shoot/compare?_variant=front%3D11&_measure=worst",
    "heat map": "/vehicles5/shoot/targets",
    "heat map with empty cells": "/deathwatch/horde/targets?attack=melee&weapon=Astartes+Chainsword",
    "decide": "/attack_dice/attack/decide?armour=5&aegis=4&attacks=12&power=6&saves=one",
    "calculator": "/dice",
    "calculator with fractions": "/dice?dice=3d6+explode+6+%3E=+12&_fractions=1",
    "calculator in trouble": "/dice?dice=3d6+explod",
    "calculator roll": "/dice/roll?dice=4d6+drop+lowest+%2B+2d8+5%2B&_seed=7",
    "calculator dice of one's own": "/dice/mine?dice=d20+%2B+4d6+drop+lowest&_answers=11",
    "search": "/search?words=tank+shok",
    "rules": "/vehicles5/rules?topic=shot_at",
    "rules found": "/attack_dice/rules?words=aegis",
    "rule": "/attack_dice/rules/AD-7",
    "tables": "/attack_dice/tables",
    "sources": "/attack_dice/sources",
    "units": "/attack_dice/units",
    "tables of a system": "/vehicles5/tables",
    "print": "/diceless40k/print",
    "take away": "/attack_dice/attack/take?models=7",
    "take away a board": "/vehicles5/ordnance/take",
    "api": "/api",
    "nothing": "/nope",
}
