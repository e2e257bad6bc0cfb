"""Vehicles of the 5th edition: driving, shooting, ramming and what is left of them."""
