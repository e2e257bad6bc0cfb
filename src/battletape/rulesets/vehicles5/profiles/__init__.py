"""Weapons, vehicles and troops."""
