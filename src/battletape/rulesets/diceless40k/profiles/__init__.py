"""Weapons, units and vehicles; players add files of the same shape."""
