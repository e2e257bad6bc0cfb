"""The tables, as printed."""
