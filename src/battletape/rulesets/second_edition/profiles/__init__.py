"""Profiles: weapons, armour, units and templates, as types and as TOML files."""
