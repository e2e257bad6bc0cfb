"""The tables: the document's own as data, and what a player may look at."""
