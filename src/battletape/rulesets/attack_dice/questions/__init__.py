"""The questions: an attack, a whole volley, or a look at the chart."""

from __future__ import annotations

from battletape.rulesets.attack_dice.questions.attack import ATTACK
from battletape.rulesets.attack_dice.questions.chart import CHART
from battletape.rulesets.attack_dice.questions.volley import VOLLEY

QUESTIONS = (ATTACK, VOLLEY, CHART)
