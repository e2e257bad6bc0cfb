"""Weapons and units; players add files of the same shape."""
