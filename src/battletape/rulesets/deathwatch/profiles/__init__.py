"""Profiles of weapons, armour, characters and hordes."""
