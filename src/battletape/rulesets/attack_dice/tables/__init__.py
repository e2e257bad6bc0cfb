"""The tables: the sheet as data, and what a player may look at."""
