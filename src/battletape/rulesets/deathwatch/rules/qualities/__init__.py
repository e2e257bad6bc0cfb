"""Qualities of weapons: what they turn before the dice, and what they do afterwards."""
