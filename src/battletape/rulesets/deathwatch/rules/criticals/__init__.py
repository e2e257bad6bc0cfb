"""Critical damage: the tables, their codes, and what a row does."""
