"""Attacks in a battle: who strikes or shoots at whom, and with what."""
