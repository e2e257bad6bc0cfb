"""Battles: a start and a journal of moves with their recorded answers; undo, files, reports.

battle      Battle: push, pop, redo, peek, fork; legal actions, and the odds of one before it is taken
journal     moves, undos and redos in order; which of them count
notation    a battle as a text file that a person can read and repair
store       files that a crash cannot break
report      the log as text, CSV and JSON
"""

from battletape.battle.battle import Battle
from battletape.battle.journal import BattleFault

__all__ = ["Battle", "BattleFault"]
