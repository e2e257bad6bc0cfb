"""The tables: those that are printed, and those that are worked out from the rules."""
