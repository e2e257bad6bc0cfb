"""The rules, one file per chapter."""
